//! Attributes other than dense ones: `3 : i32`, `@a::@b`, `{a = [1, "x"]}`,
//! `#alias`, `#dialect.body<...>`.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::types::ExtendedSymbol;
use super::{Parser, numbers};
use crate::ir::asm::Delimiter;
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::diag::Failed;
use crate::ir::names::Name;
use crate::ir::types::{DYNAMIC, FloatKind, Signedness, Type, TypeKind};
use crate::syntax::declared;
use crate::syntax::lexer::{Token, TokenKind, unescape};
use crate::syntax::wide_integers;

/// Dictionaries of this size are checked for duplicates with a set.
const MANY_ENTRIES: usize = 16;

/// Words that begin an attribute which is no type.
fn is_attr_keyword(word: &str) -> bool {
    matches!(
        word,
        "affine_map"
            | "affine_set"
            | "array"
            | "dense"
            | "dense_resource"
            | "distinct"
            | "false"
            | "loc"
            | "sparse"
            | "strided"
            | "true"
            | "unit"
    )
}

impl<'a> Parser<'a> {
    /// Reads an attribute. `ty` is the type of a number without one; with `None` it is i64 or f64.
    pub(super) fn parse_attr(&mut self, ty: Option<Type>) -> Result<Attr, Failed> {
        match self.token.kind {
            TokenKind::Integer => {
                let token = self.token;
                self.advance();
                self.parse_integer_attr(ty, token, false)
            }
            TokenKind::Float => {
                let token = self.token;
                self.advance();
                self.parse_float_attr(ty, token, false)
            }
            TokenKind::Minus => {
                self.advance();
                let token = self.token;
                match token.kind {
                    TokenKind::Integer => {
                        self.advance();
                        self.parse_integer_attr(ty, token, true)
                    }
                    TokenKind::Float => {
                        self.advance();
                        self.parse_float_attr(ty, token, true)
                    }
                    _ => Err(self.wrong_token("expected constant integer or floating point value")),
                }
            }
            TokenKind::String => self.parse_string_attr(ty),
            TokenKind::AtId => self.parse_symbol_ref_attr(),
            TokenKind::HashId => self.nested(|p| p.parse_extended_attr(ty)),
            TokenKind::LSquare => self.nested(Self::parse_array_attr),
            TokenKind::LBrace => self.nested(|p| {
                let mut entries = Vec::new();
                p.parse_attr_dict_into(&mut entries)?;
                let dict = p.context.intern_dict(entries);
                Ok(p.context.intern_attr(AttrKind::Dictionary(dict)))
            }),
            TokenKind::BareId if is_attr_keyword(self.spelling()) => {
                self.nested(|p| p.parse_keyword_attr(ty))
            }
            _ => match self.parse_opt_type() {
                Some(ty) => Ok(self.context.type_attr(ty?)),
                None => Err(self.wrong_token("expected attribute value")),
            },
        }
    }

    /// Reads an attribute if one is next.
    pub(super) fn parse_opt_attr(&mut self, ty: Option<Type>) -> Option<Result<Attr, Failed>> {
        match self.token.kind {
            TokenKind::AtId
            | TokenKind::Float
            | TokenKind::Integer
            | TokenKind::HashId
            | TokenKind::LBrace
            | TokenKind::LSquare
            | TokenKind::Minus
            | TokenKind::String => Some(self.parse_attr(ty)),
            TokenKind::BareId if is_attr_keyword(self.spelling()) => Some(self.parse_attr(ty)),
            _ => {
                let context = self.context;
                Some(self.parse_opt_type()?.map(|ty| context.type_attr(ty)))
            }
        }
    }

    fn parse_keyword_attr(&mut self, ty: Option<Type>) -> Result<Attr, Failed> {
        match self.spelling() {
            "affine_map" => self.parse_affine_map_literal(),
            "affine_set" => self.parse_integer_set_literal(),
            "array" => self.parse_dense_array(),
            "dense" => self.parse_dense_elements(ty),
            "dense_resource" => self.parse_dense_resource(ty),
            "distinct" => self.parse_distinct(),
            "sparse" => self.parse_sparse_elements(ty),
            "strided" => self.parse_strided_layout(),
            "false" => {
                self.advance();
                Ok(Attr::FALSE)
            }
            "true" => {
                self.advance();
                Ok(Attr::TRUE)
            }
            "unit" => {
                self.advance();
                Ok(Attr::UNIT)
            }
            _ => {
                self.advance();
                self.expect(TokenKind::LParen, "expected '(' in inline location")?;
                let loc = self.parse_loc_instance()?;
                self.expect(TokenKind::RParen, "expected ')' in inline location")?;
                Ok(self.context.intern_attr(AttrKind::Location(loc)))
            }
        }
    }

    fn parse_array_attr(&mut self) -> Result<Attr, Failed> {
        self.advance();
        let mut elements = Vec::new();
        self.parse_list_until(TokenKind::RSquare, "]", true, &mut |p| {
            elements.push(p.parse_attr(None)?);
            Ok(())
        })?;
        Ok(self.context.array_attr(&elements))
    }

    fn parse_string_attr(&mut self, ty: Option<Type>) -> Result<Attr, Failed> {
        let text: Arc<[u8]> = unescape(self.spelling()).into();
        self.advance();
        let ty = match ty {
            None if self.take(TokenKind::Colon) => Some(self.parse_type()?),
            given => given,
        };
        Ok(self.context.intern_attr(match ty {
            // Upstream's strings without a type have type none.
            None | Some(Type::NONE) => AttrKind::String(text),
            Some(ty) => AttrKind::TypedString(text, ty),
        }))
    }

    /// The name that an `@` token stands for.
    pub(super) fn symbol_of(&self, token: Token) -> String {
        let name = &self.spelling_of(token)[1..];
        if name.starts_with('"') {
            String::from_utf8_lossy(&unescape(name)).into_owned()
        } else {
            name.to_owned()
        }
    }

    fn parse_symbol_ref_attr(&mut self) -> Result<Attr, Failed> {
        let root: Arc<str> = self.symbol_of(self.token).into();
        self.advance();
        let mut nested: Vec<Arc<str>> = Vec::new();
        while self.at_double(TokenKind::Colon) {
            self.advance();
            self.advance();
            if !self.at(TokenKind::AtId) {
                let loc = self.token_loc();
                return Err(self.error_at(loc, "expected nested symbol reference identifier"));
            }
            nested.push(self.symbol_of(self.token).into());
            self.advance();
        }
        Ok(self.context.intern_attr(AttrKind::SymbolRef {
            root,
            nested: nested.into(),
        }))
    }

    // Numbers.

    fn parse_float_attr(
        &mut self,
        ty: Option<Type>,
        literal: Token,
        negative: bool,
    ) -> Result<Attr, Failed> {
        let ty = match ty {
            None if self.take(TokenKind::Colon) => self.parse_type()?,
            None => Type::F64,
            Some(ty) => ty,
        };
        let Some(kind) = self.context.float_kind(ty) else {
            return Err(self.error_here("floating point value not valid for specified type"));
        };
        let bits = self.float_literal_bits(kind, literal, negative)?;
        Ok(self.context.intern_attr(AttrKind::Float { ty, bits }))
    }

    /// The bits of a float or hexadecimal literal in this format.
    pub(super) fn float_literal_bits(
        &mut self,
        kind: FloatKind,
        literal: Token,
        negative: bool,
    ) -> Result<u128, Failed> {
        let loc = self.loc_at(literal.start as usize);
        let text = self.spelling_of(literal);
        match literal.kind {
            TokenKind::Float => {
                let value = text.parse::<f64>().unwrap_or(f64::NAN);
                Ok(numbers::from_f64(
                    kind,
                    if negative { -value } else { value },
                ))
            }
            TokenKind::Integer => {
                let Some(hex) = text.strip_prefix("0x") else {
                    return Err(self.error_with_note(
                        loc,
                        "unexpected decimal integer literal for a floating point value",
                        loc,
                        "add a trailing dot to make the literal a float",
                    ));
                };
                if negative {
                    return Err(self.error_at(
                        loc,
                        "hexadecimal float literal should not have a leading minus",
                    ));
                }
                match u128::from_str_radix(hex, 16) {
                    Ok(bits) if 128 - bits.leading_zeros() <= kind.width() => Ok(bits),
                    _ => {
                        Err(self.error_at(loc, "hexadecimal float constant out of range for type"))
                    }
                }
            }
            _ => Err(self.error_at(loc, "expected floating point literal")),
        }
    }

    fn parse_integer_attr(
        &mut self,
        ty: Option<Type>,
        literal: Token,
        negative: bool,
    ) -> Result<Attr, Failed> {
        let loc = self.loc_at(literal.start as usize);
        let ty = match ty {
            None if self.take(TokenKind::Colon) => self.parse_type()?,
            None => Type::I64,
            Some(ty) => ty,
        };
        match self.context.type_kind(ty) {
            TypeKind::Float(kind) => {
                let bits = self.float_literal_bits(*kind, literal, negative)?;
                return Ok(self.context.intern_attr(AttrKind::Float { ty, bits }));
            }
            TypeKind::Integer {
                signedness: Signedness::Unsigned,
                ..
            } if negative => {
                return Err(self.error_at(
                    loc,
                    "negative integer literal not valid for unsigned integer type",
                ));
            }
            TypeKind::Integer { .. } | TypeKind::Index => {}
            _ => {
                return Err(self.error_at(loc, "integer literal not valid for specified type"));
            }
        }
        self.integer_literal_value(ty, literal, negative)
            .map(|value| self.context.integer_attr(ty, value))
            .or_else(|| self.wide_integer_attr(ty, literal, negative))
            .ok_or_else(|| self.error_at(loc, "integer constant out of range for attribute"))
    }

    /// An integer that fits `ty`, but not 128 bits.
    fn wide_integer_attr(&self, ty: Type, literal: Token, negative: bool) -> Option<Attr> {
        let TypeKind::Integer { width, signedness } = *self.context.type_kind(ty) else {
            return None;
        };
        let width = u64::from(width);
        let mut magnitude = wide_integers::parse(self.spelling_of(literal))?;
        let n_bits = wide_integers::n_bits(&magnitude);
        let has_sign_bit = n_bits == width;
        let mut is_negative = negative;
        match (negative, signedness) {
            _ if width <= 128 || n_bits > width => return None,
            (true, _) if has_sign_bit && !wide_integers::is_power_of_two(&magnitude) => {
                return None;
            }
            (false, Signedness::Signed) if has_sign_bit => return None,
            (false, Signedness::Signless) if has_sign_bit => {
                magnitude = wide_integers::complement(&magnitude, width);
                is_negative = true;
            }
            _ => {}
        }
        let value = match magnitude[..] {
            [] => Some(0),
            [low] => Some(u128::from(low)),
            [low, high] => Some(u128::from(high) << 64 | u128::from(low)),
            _ => None,
        };
        if let Some(value) = value.and_then(|value| i128::try_from(value).ok()) {
            let value = if is_negative { -value } else { value };
            return Some(self.context.integer_attr(ty, value));
        }
        Some(self.context.intern_attr(AttrKind::WideInteger {
            ty,
            is_negative,
            magnitude: magnitude.into(),
        }))
    }

    /// The value of an integer literal, if it fits `ty`. Bits beyond the width
    /// of the type are the caller's to cut off.
    pub(super) fn integer_literal_value(
        &self,
        ty: Type,
        literal: Token,
        negative: bool,
    ) -> Option<i128> {
        let text = self.spelling_of(literal);
        let magnitude = match text.strip_prefix("0x") {
            Some(hex) => u128::from_str_radix(hex, 16).ok()?,
            None => text.parse::<u128>().ok()?,
        };
        let (width, must_be_positive) = match self.context.type_kind(ty) {
            TypeKind::Integer { width, signedness } => (*width, *signedness == Signedness::Signed),
            _ => (64, true),
        };
        let n_bits = 128 - magnitude.leading_zeros();
        // The stored value has 128 bits, one of them the sign of wider types.
        let limit = if width > 128 { 127 } else { width };
        if negative {
            // Zero and what exceeds the most negative number are out of range.
            let most_negative = 1u128.checked_shl(limit.checked_sub(1)?)?;
            return (1..=most_negative)
                .contains(&magnitude)
                .then(|| (magnitude as i128).wrapping_neg());
        }
        if n_bits > limit || must_be_positive && n_bits == width && width > 0 {
            return None;
        }
        Some(magnitude as i128)
    }

    // Dictionaries.

    /// Reads `{name = attr, ...}` and appends the entries.
    pub(super) fn parse_attr_dict_into(
        &mut self,
        entries: &mut Vec<(Name, Attr)>,
    ) -> Result<(), Failed> {
        let first = entries.len();
        // Filled once a search of all entries would take long.
        let mut seen = FxHashSet::default();
        self.parse_delimited(Delimiter::Brace, " in attribute dictionary", &mut |p| {
            let name = match p.token.kind {
                TokenKind::BareId => {
                    let word = p.spelling();
                    p.intern(word)
                }
                TokenKind::String => {
                    let text = unescape(p.spelling());
                    p.context.intern_name(&String::from_utf8_lossy(&text))
                }
                _ => return Err(p.wrong_token("expected attribute name")),
            };
            if name == Name::EMPTY {
                return Err(p.error_here("expected valid attribute name"));
            }
            let known = &entries[first..];
            if known.len() == MANY_ENTRIES {
                seen.extend(known.iter().map(|entry| entry.0));
            }
            let is_duplicate = if known.len() < MANY_ENTRIES {
                known.iter().any(|entry| entry.0 == name)
            } else {
                !seen.insert(name)
            };
            if is_duplicate {
                let message = format!(
                    "duplicate key '{}' in dictionary attribute",
                    p.context.name(name)
                );
                return Err(p.error_here(message));
            }
            p.advance();
            let attr = if p.take(TokenKind::Equal) {
                p.parse_attr(None)?
            } else {
                Attr::UNIT
            };
            entries.push((name, attr));
            Ok(())
        })
    }

    // Dialect attributes, aliases and the rest.

    fn parse_extended_attr(&mut self, expected: Option<Type>) -> Result<Attr, Failed> {
        let loc = self.extended_symbol_loc();
        if let Some((row, mnemonic, is_in_brackets)) = self.parse_spelled_mnemonic()? {
            let parse = row.spelling.map(|spelling| spelling.parse_attr);
            let Some(of) = parse.map_or(Ok(None), |parse| parse(self, mnemonic))? else {
                let message = format!("unknown {} attribute: {mnemonic}", row.namespace);
                return Err(self.error_at(loc, message));
            };
            if is_in_brackets {
                self.expect(TokenKind::Greater, "expected '>'")?;
            }
            let dialect = self.intern(row.namespace);
            return Ok(self.context.intern_attr(AttrKind::Spelled { dialect, of }));
        }
        match self.parse_extended_symbol()? {
            ExtendedSymbol::Alias(name) => match self.attr_aliases.get(name) {
                Some(&alias) => Ok(self.use_alias(alias)),
                None => Err(self.wrong_token(format!("undefined symbol alias id '{name}'"))),
            },
            ExtendedSymbol::Dialect {
                dialect,
                body,
                start,
            } => {
                let mut ty = expected;
                if self.take(TokenKind::Colon) {
                    ty = Some(self.parse_type()?);
                }
                let is_accepted = self.context.allows_unregistered_dialects()
                    || super::is_known_dialect(self.context, dialect);
                if !is_accepted {
                    let message = format!(
                        "#\"{dialect}\"<\"{body}\"> : '{}' attribute created with unregistered \
                         dialect. If this is intended, 'freehold opt -allow-unregistered-dialect' \
                         reads it",
                        self.type_text(ty.unwrap_or(Type::NONE))
                    );
                    return Err(self.error_at(loc, message));
                }
                let body = self.without_aliases(body, start)?;
                let row = self.context.dialect(dialect);
                let declared =
                    row.and_then(|row| declared::canonical_body(self.context, row, false, &body));
                let body = match row.and_then(|row| row.attribute_body) {
                    _ if declared.is_some() => match declared.unwrap_or(Ok(String::new())) {
                        Ok(body) => body.into(),
                        Err(message) => return Err(self.error_at(loc, message)),
                    },
                    Some(read) => match read(self.context, &body) {
                        Some(body) => body.into(),
                        None => {
                            let message =
                                format!("'#{dialect}.{body}' is no attribute of the dialect");
                            return Err(self.error_at(loc, message));
                        }
                    },
                    None => super::dialect_body(self.context, dialect, &body),
                };
                let dialect = self.intern(dialect);
                Ok(self.context.intern_attr(AttrKind::Dialect {
                    dialect,
                    body: body.into(),
                    ty,
                }))
            }
        }
    }

    /// Strides may be zero, as in MLIR 22: views that repeat what they show have such types.
    fn parse_strided_layout(&mut self) -> Result<Attr, Failed> {
        self.advance();
        self.expect(TokenKind::Less, "expected '<' after 'strided'")?;
        let mut strides = Vec::new();
        self.expect(TokenKind::LSquare, "expected '['")?;
        if !self.take(TokenKind::RSquare) {
            loop {
                strides.push(self.parse_stride()?);
                if self.take(TokenKind::RSquare) {
                    break;
                }
                self.expect(TokenKind::Comma, "expected ']'")?;
            }
        }
        let mut offset = 0;
        if !self.take(TokenKind::Greater) {
            self.expect(TokenKind::Comma, "expected ','")?;
            if !self.take_word("offset") {
                return Err(self.wrong_token("expected 'offset' after comma"));
            }
            self.expect(TokenKind::Colon, "expected ':' after 'offset'")?;
            offset = self.parse_stride()?;
            self.expect(TokenKind::Greater, "expected '>'")?;
        }
        Ok(self.context.intern_attr(AttrKind::StridedLayout {
            offset,
            strides: strides.into(),
        }))
    }

    fn parse_stride(&mut self) -> Result<i64, Failed> {
        if self.take(TokenKind::Question) {
            return Ok(DYNAMIC);
        }
        const MESSAGE: &str = "expected a 64-bit signed integer or '?'";
        let loc = self.token_loc();
        let negative = self.take(TokenKind::Minus);
        if !self.at(TokenKind::Integer) {
            return Err(self.error_at(loc, MESSAGE));
        }
        let value = self.integer_literal_value(Type::I64, self.token, negative);
        match value.map(i64::try_from) {
            Some(Ok(value)) if value != DYNAMIC => {
                self.advance();
                Ok(value)
            }
            _ => Err(self.error_at(loc, MESSAGE)),
        }
    }

    fn parse_distinct(&mut self) -> Result<Attr, Failed> {
        let loc = self.token_loc();
        self.advance();
        self.expect(TokenKind::LSquare, "expected '[' after 'distinct'")?;
        let id = self.spelling().parse::<u64>();
        if !self.at(TokenKind::Integer) {
            return Err(self.wrong_token("expected distinct ID"));
        }
        let Ok(id) = id else {
            return Err(self.error_here("expected an unsigned 64-bit integer"));
        };
        self.advance();
        self.expect(TokenKind::RSquare, "expected ']' to close distinct ID")?;
        self.expect(TokenKind::Less, "expected '<' after distinct ID")?;
        let referenced = if self.at(TokenKind::Greater) {
            Attr::UNIT
        } else {
            self.parse_attr(None)?
        };
        self.expect(
            TokenKind::Greater,
            "expected '>' to close distinct attribute",
        )?;
        match self.distinct_attrs.get(&id) {
            Some(&previous) if previous != referenced => {
                let message = format!(
                    "referenced attribute does not match previous definition: {}",
                    crate::syntax::printer::attr_to_string(self.context, previous)
                );
                return Err(self.error_at(loc, message));
            }
            _ => self.distinct_attrs.insert(id, referenced),
        };
        Ok(self.context.intern_attr(AttrKind::Distinct(id, referenced)))
    }
}
