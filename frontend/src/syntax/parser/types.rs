//! Types: `memref<4x?xf32>`, `(i32) -> f32`, `!alias`, `!dialect.body<...>`.

use std::borrow::Cow;

use super::{Parser, is_integer_type};
use crate::ir::asm::{Delimiter, OpAsmParser};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::diag::Failed;
use crate::ir::location::Loc;
use crate::ir::op_def::DialectDef;
use crate::ir::types::{DYNAMIC, FloatKind, MemRefType, Signedness, Type, TypeKind};
use crate::syntax::declared;
use crate::syntax::lexer::TokenKind;
use crate::syntax::printer;

/// How long the text of a type or attribute of a dialect may get by its aliases.
const MAX_BODY_LENGTH: usize = 1 << 20;

/// The widest integer type.
const MAX_INTEGER_WIDTH: u64 = (1 << 24) - 1;

impl<'a> Parser<'a> {
    /// The text of a type, for messages.
    pub(super) fn type_text(&self, ty: Type) -> String {
        printer::type_to_string(self.context, ty)
    }

    /// Whether a type is next.
    fn at_type(&self) -> bool {
        match self.token.kind {
            TokenKind::LParen | TokenKind::ExclaimId => true,
            TokenKind::BareId => {
                let word = self.spelling();
                matches!(
                    word,
                    "memref" | "tensor" | "vector" | "complex" | "tuple" | "index" | "none"
                ) || is_integer_type(word)
                    || float_kind(word).is_some()
            }
            _ => false,
        }
    }

    /// Reads a type.
    pub(super) fn parse_type(&mut self) -> Result<Type, Failed> {
        match self.token.kind {
            TokenKind::LParen => self.nested(Self::parse_function_type),
            _ => self.parse_non_function_type(),
        }
    }

    /// Reads a type if one is next.
    pub(super) fn parse_opt_type(&mut self) -> Option<Result<Type, Failed>> {
        self.at_type().then(|| self.parse_type())
    }

    fn parse_function_type(&mut self) -> Result<Type, Failed> {
        let (inputs, results) = self.parse_functional_type()?;
        Ok(self.context.function_type(&inputs, &results))
    }

    /// Reads `(types) -> types` as a function type's inputs and results.
    pub(super) fn parse_functional_type(&mut self) -> Result<(Vec<Type>, Vec<Type>), Failed> {
        let inputs = self.parse_paren_types()?;
        self.expect(TokenKind::Arrow, "expected '->' in function type")?;
        let results = self.parse_result_types()?;
        Ok((inputs, results))
    }

    /// Reads `(type, type, ...)`.
    pub(super) fn parse_paren_types(&mut self) -> Result<Vec<Type>, Failed> {
        self.expect(TokenKind::LParen, "expected '('")?;
        if self.take(TokenKind::RParen) {
            return Ok(Vec::new());
        }
        let types = self.parse_type_list()?;
        self.expect(TokenKind::RParen, "expected ')'")?;
        Ok(types)
    }

    /// Reads `(types)` or one type.
    pub(super) fn parse_result_types(&mut self) -> Result<Vec<Type>, Failed> {
        if self.at(TokenKind::LParen) {
            return self.parse_paren_types();
        }
        Ok(vec![self.parse_non_function_type()?])
    }

    fn parse_non_function_type(&mut self) -> Result<Type, Failed> {
        match self.token.kind {
            TokenKind::ExclaimId => return self.parse_extended_type(),
            TokenKind::BareId => {}
            _ => return Err(self.wrong_token("expected non-function type")),
        }
        let word = self.spelling();
        match word {
            "memref" => self.parse_shaped(Self::parse_memref),
            "tensor" => self.parse_shaped(Self::parse_tensor),
            "vector" => self.parse_shaped(Self::parse_vector),
            "complex" => self.nested(Self::parse_complex),
            "tuple" => self.nested(Self::parse_tuple),
            "index" => {
                self.advance();
                Ok(Type::INDEX)
            }
            "none" => {
                self.advance();
                Ok(Type::NONE)
            }
            "i1" => {
                self.advance();
                Ok(Type::I1)
            }
            "i32" => {
                self.advance();
                Ok(Type::I32)
            }
            "i64" => {
                self.advance();
                Ok(Type::I64)
            }
            "f32" => {
                self.advance();
                Ok(Type::F32)
            }
            _ => {
                if let Some(kind) = float_kind(word) {
                    self.advance();
                    return Ok(self.context.intern_type(TypeKind::Float(kind)));
                }
                if is_integer_type(word) {
                    return self.parse_integer_type(word);
                }
                Err(self.wrong_token("expected non-function type"))
            }
        }
    }

    /// Reads a shaped type with `parse`, or takes it from those read before: programs spell few types
    /// many times.
    fn parse_shaped(
        &mut self,
        parse: fn(&mut Self) -> Result<Type, Failed>,
    ) -> Result<Type, Failed> {
        let start = self.token.start as usize;
        let plain = plain_type(&self.text[start..]);
        if let Some(&ty) = plain.and_then(|text| self.plain_types.get(text)) {
            self.last_end = (start + plain.map_or(0, str::len)) as u32;
            self.restart_at(self.last_end);
            return Ok(ty);
        }
        let ty = self.nested(parse)?;
        if let Some(text) = plain.filter(|text| start + text.len() == self.last_end as usize) {
            self.plain_types.insert(text, ty);
        }
        Ok(ty)
    }

    fn parse_integer_type(&mut self, word: &str) -> Result<Type, Failed> {
        let (signedness, digits) = match word.as_bytes()[0] {
            b's' => (Signedness::Signed, &word[2..]),
            b'u' => (Signedness::Unsigned, &word[2..]),
            _ => (Signedness::Signless, &word[1..]),
        };
        let Ok(width) = digits.parse::<u32>() else {
            return Err(self.error_here("invalid integer width"));
        };
        if u64::from(width) > MAX_INTEGER_WIDTH {
            return Err(self.error_here(format!(
                "integer bitwidth is limited to {MAX_INTEGER_WIDTH} bits"
            )));
        }
        self.advance();
        Ok(self
            .context
            .intern_type(TypeKind::Integer { width, signedness }))
    }

    fn parse_memref(&mut self) -> Result<Type, Failed> {
        let loc = self.token_loc();
        self.advance();
        self.expect(TokenKind::Less, "expected '<'")?;
        let unranked = self.take(TokenKind::Star);
        let shape = if unranked {
            self.parse_dimension_x()?;
            Vec::new()
        } else {
            self.parse_ranked_dimensions(true, true)?
        };
        let element_loc = self.token_loc();
        let element = self.parse_type()?;
        if !self.is_memref_element(element) {
            return Err(self.error_at(element_loc, "invalid memref element type"));
        }
        let mut layout = None;
        let mut space = None;
        if !self.take(TokenKind::Greater) {
            self.expect(TokenKind::Comma, "expected ',' or '>' in memref type")?;
            self.parse_list_until(TokenKind::Greater, ">", false, &mut |p| {
                let attr = p.parse_attr(None)?;
                let is_layout = matches!(
                    p.context.attr_kind(attr),
                    AttrKind::AffineMap(_) | AttrKind::StridedLayout { .. }
                );
                if !is_layout {
                    if space.is_some() {
                        return Err(p.error_here("multiple memory spaces specified in memref type"));
                    }
                    space = Some(attr);
                    return Ok(());
                }
                layout = Some(attr);
                if unranked {
                    return Err(p.error_here("cannot have affine map for unranked memref type"));
                }
                if space.is_some() {
                    return Err(p.error_here("expected memory space to be last in memref type"));
                }
                Ok(())
            })?;
        }
        if let Some(attr) = space {
            match self.context.attr_kind(attr) {
                AttrKind::Integer { .. }
                | AttrKind::String(_)
                | AttrKind::Dictionary(_)
                | AttrKind::Dialect { .. } => {}
                _ => return Err(self.error_at(loc, "unsupported memory space Attribute")),
            }
            // The default space is not mentioned.
            if self.context.attr_integer(attr) == Some(0) {
                space = None;
            }
        }
        if unranked {
            return Ok(self
                .context
                .intern_type(TypeKind::UnrankedMemRef { element, space }));
        }
        if let Some(attr) = layout {
            layout = self.check_memref_layout(&shape, attr, loc)?;
        }
        Ok(self.context.memref_type(MemRefType {
            shape: shape.into(),
            element,
            layout,
            space,
        }))
    }

    /// The layout as a memref of this shape keeps it: `None` if it is the identity.
    fn check_memref_layout(
        &mut self,
        shape: &[i64],
        layout: Attr,
        loc: Loc,
    ) -> Result<Option<Attr>, Failed> {
        match self.context.attr_kind(layout) {
            AttrKind::AffineMap(map) => {
                if map.n_dims as usize != shape.len() {
                    let message = format!(
                        "memref layout mismatch between rank and affine map: {} != {}",
                        shape.len(),
                        map.n_dims
                    );
                    return Err(self.error_at(loc, message));
                }
                Ok((!map.is_identity()).then_some(layout))
            }
            AttrKind::StridedLayout { strides, .. } if strides.len() != shape.len() => {
                Err(self.error_at(loc, "expected the number of strides to match the rank"))
            }
            _ => Ok(Some(layout)),
        }
    }

    fn is_memref_element(&self, ty: Type) -> bool {
        match self.context.type_kind(ty) {
            TypeKind::Integer { .. }
            | TypeKind::Index
            | TypeKind::Float(_)
            | TypeKind::Complex(_)
            | TypeKind::MemRef(_)
            | TypeKind::UnrankedMemRef { .. }
            | TypeKind::Vector { .. } => true,
            // The dialect says whether its types may be; unknown ones may not.
            TypeKind::Dialect { dialect, .. } => {
                super::is_known_dialect(self.context, self.context.name(*dialect))
            }
            _ => false,
        }
    }

    fn parse_tensor(&mut self) -> Result<Type, Failed> {
        self.advance();
        self.expect(TokenKind::Less, "expected '<' in tensor type")?;
        let unranked = self.take(TokenKind::Star);
        let shape = if unranked {
            self.parse_dimension_x()?;
            Vec::new()
        } else {
            self.parse_ranked_dimensions(true, true)?
        };
        let element_loc = self.token_loc();
        let element = self.parse_type()?;
        let mut encoding = None;
        if self.take(TokenKind::Comma) {
            encoding = self.parse_opt_attr(None).transpose()?;
        }
        self.expect(TokenKind::Greater, "expected '>' in tensor type")?;
        let is_element = matches!(
            self.context.type_kind(element),
            TypeKind::Integer { .. }
                | TypeKind::Index
                | TypeKind::Float(_)
                | TypeKind::Complex(_)
                | TypeKind::Vector { .. }
                | TypeKind::Dialect { .. }
        );
        if !is_element {
            return Err(self.error_at(element_loc, "invalid tensor element type"));
        }
        if !unranked {
            return Ok(self.context.intern_type(TypeKind::RankedTensor {
                shape: shape.into(),
                element,
                encoding,
            }));
        }
        if encoding.is_some() {
            return Err(self.error_here("cannot apply encoding to unranked tensor"));
        }
        Ok(self.context.intern_type(TypeKind::UnrankedTensor(element)))
    }

    fn parse_vector(&mut self) -> Result<Type, Failed> {
        self.advance();
        self.expect(TokenKind::Less, "expected '<' in vector type")?;
        let mut shape = Vec::new();
        let mut scalable = Vec::new();
        while self.at(TokenKind::Integer) || self.at(TokenKind::LSquare) {
            let is_scalable = self.take(TokenKind::LSquare);
            if !self.at(TokenKind::Integer) {
                return Err(self.wrong_token("expected integer in vector dimension list"));
            }
            shape.push(self.parse_dimension()?);
            scalable.push(is_scalable);
            if is_scalable && !self.take(TokenKind::RSquare) {
                return Err(self.wrong_token("missing ']' closing scalable dimension"));
            }
            self.parse_dimension_x()?;
        }
        if shape.iter().any(|&size| size <= 0) {
            return Err(self.error_here("vector types must have positive constant sizes"));
        }
        let element_loc = self.token_loc();
        let element = self.parse_type()?;
        self.expect(TokenKind::Greater, "expected '>' in vector type")?;
        match self.context.type_kind(element) {
            TypeKind::Integer { .. } | TypeKind::Index | TypeKind::Float(_) => {}
            _ => {
                return Err(
                    self.error_at(element_loc, "vector elements must be int/index/float type")
                );
            }
        }
        Ok(self.context.intern_type(TypeKind::Vector {
            shape: shape.into(),
            scalable: scalable.into(),
            element,
        }))
    }

    fn parse_complex(&mut self) -> Result<Type, Failed> {
        self.advance();
        self.expect(TokenKind::Less, "expected '<' in complex type")?;
        let loc = self.token_loc();
        let element = self.parse_type()?;
        self.expect(TokenKind::Greater, "expected '>' in complex type")?;
        match self.context.type_kind(element) {
            TypeKind::Integer { .. } | TypeKind::Float(_) => {
                Ok(self.context.intern_type(TypeKind::Complex(element)))
            }
            _ => Err(self.error_at(loc, "invalid element type for complex")),
        }
    }

    fn parse_tuple(&mut self) -> Result<Type, Failed> {
        self.advance();
        self.expect(TokenKind::Less, "expected '<' in tuple type")?;
        let mut types = Vec::new();
        if !self.take(TokenKind::Greater) {
            types = self.parse_type_list()?;
            self.expect(TokenKind::Greater, "expected '>' in tuple type")?;
        }
        Ok(self.context.intern_type(TypeKind::Tuple(types.into())))
    }

    // Dimensions.

    /// Reads `4x?x3` sizes; with `trailing_x` the list ends in `x`, as before an element type.
    pub(super) fn parse_dimension_list(
        &mut self,
        allow_dynamic: bool,
        trailing_x: bool,
    ) -> Result<Vec<i64>, Failed> {
        self.parse_ranked_dimensions(allow_dynamic, trailing_x)
    }

    fn parse_ranked_dimensions(
        &mut self,
        allow_dynamic: bool,
        trailing_x: bool,
    ) -> Result<Vec<i64>, Failed> {
        let mut shape = Vec::new();
        while self.at(TokenKind::Integer) || self.at(TokenKind::Question) {
            let loc = self.token_loc();
            if self.take(TokenKind::Question) {
                if !allow_dynamic {
                    return Err(self.error_at(loc, "expected static shape"));
                }
                shape.push(DYNAMIC);
            } else {
                shape.push(self.parse_dimension()?);
            }
            if trailing_x {
                self.parse_dimension_x()?;
            } else if self.at(TokenKind::BareId) && self.spelling().starts_with('x') {
                self.parse_dimension_x()?;
                if !self.at(TokenKind::Integer) && !self.at(TokenKind::Question) {
                    return Err(self.error_here("invalid dimension"));
                }
            } else {
                break;
            }
        }
        Ok(shape)
    }

    /// Reads one size. `0x8` is a zero followed by `x8`.
    fn parse_dimension(&mut self) -> Result<i64, Failed> {
        let text = self.spelling();
        if text.len() > 1 && text.as_bytes()[1] == b'x' {
            self.last_end = self.token.start + 1;
            self.restart_at(self.token.start + 1);
            return Ok(0);
        }
        match text.parse::<i64>() {
            Ok(size) => {
                self.advance();
                Ok(size)
            }
            Err(_) => Err(self.error_here("invalid dimension")),
        }
    }

    /// Reads the `x` between dimensions; what follows it becomes the next token.
    fn parse_dimension_x(&mut self) -> Result<(), Failed> {
        if !self.at(TokenKind::BareId) || !self.spelling().starts_with('x') {
            return Err(self.wrong_token("expected 'x' in dimension list"));
        }
        self.last_end = self.token.start + 1;
        self.restart_at(self.token.start + 1);
        Ok(())
    }

    // Dialect types and aliases.

    /// What a dialect that spells types and attributes of others calls one of them: reads its mnemonic, which is
    /// between brackets if no dot stands before it.
    pub(super) fn parse_spelled_mnemonic(
        &mut self,
    ) -> Result<Option<(&'static DialectDef, &'a str, bool)>, Failed> {
        let name = &self.spelling()[1..];
        let (dialect, mnemonic) = match name.split_once('.') {
            Some((dialect, mnemonic)) => (dialect, Some(mnemonic)),
            None => (name, None),
        };
        let row = self.context.dialect(dialect);
        let Some(row) = row.filter(|row| row.spelling.is_some()) else {
            return Ok(None);
        };
        self.advance();
        if let Some(mnemonic) = mnemonic {
            return Ok(Some((row, mnemonic, false)));
        }
        self.expect(TokenKind::Less, "expected '<'")?;
        Ok(Some((row, self.parse_any_keyword()?, true)))
    }

    fn parse_extended_type(&mut self) -> Result<Type, Failed> {
        let loc = self.extended_symbol_loc();
        if let Some((row, mnemonic, is_in_brackets)) = self.parse_spelled_mnemonic()? {
            let parse = row.spelling.map(|spelling| spelling.parse_type);
            let Some(of) = parse.map_or(Ok(None), |parse| parse(self, mnemonic))? else {
                let message = format!("unknown {} type: {mnemonic}", row.namespace);
                return Err(self.error_at(loc, message));
            };
            if is_in_brackets {
                self.expect(TokenKind::Greater, "expected '>'")?;
            }
            let dialect = self.intern(row.namespace);
            return Ok(self.context.intern_type(TypeKind::Spelled { dialect, of }));
        }
        match self.parse_extended_symbol()? {
            ExtendedSymbol::Alias(name) => match self.type_aliases.get(name) {
                Some(&alias) => Ok(self.use_alias(alias)),
                None => Err(self.wrong_token(format!("undefined symbol alias id '{name}'"))),
            },
            ExtendedSymbol::Dialect {
                dialect,
                body,
                start,
            } => {
                let is_accepted = self.context.allows_unregistered_dialects()
                    || super::is_known_dialect(self.context, dialect);
                if !is_accepted {
                    let message = format!(
                        "`!\"{dialect}\"<\"{body}\">` type created with unregistered dialect. If \
                         this is intended, 'freehold opt -allow-unregistered-dialect' reads it"
                    );
                    return Err(self.error_at(loc, message));
                }
                let body = self.without_aliases(body, start)?;
                let row = self.context.dialect(dialect);
                let declared =
                    row.and_then(|row| declared::canonical_body(self.context, row, true, &body));
                let body = match row.and_then(|row| row.type_body) {
                    _ if declared.is_some() => match declared.unwrap_or(Ok(String::new())) {
                        Ok(body) => body.into(),
                        Err(message) => return Err(self.error_at(loc, message)),
                    },
                    Some(read) => match read(self.context, &body) {
                        Some(body) => body.into(),
                        None => {
                            let message = format!("'!{dialect}.{body}' is no type of the dialect");
                            return Err(self.error_at(loc, message));
                        }
                    },
                    None => super::dialect_body(self.context, dialect, &body),
                };
                let dialect = self.intern(dialect);
                Ok(self.context.intern_type(TypeKind::Dialect {
                    dialect,
                    body: body.into(),
                }))
            }
        }
    }

    /// Where problems with `!dialect.body` are reported: after the dot, or at
    /// the beginning if there is none.
    pub(super) fn extended_symbol_loc(&self) -> Loc {
        let after_dot = self.spelling().find('.').map_or(0, |dot| dot + 1);
        self.loc_at(self.token.start as usize + after_dot)
    }

    /// Reads what `!` or `#` begins: an alias or something of a dialect.
    pub(super) fn parse_extended_symbol(&mut self) -> Result<ExtendedSymbol<'a>, Failed> {
        let start = self.token.start as usize;
        let identifier = &self.spelling()[1..];
        self.advance();
        let has_body = self.at(TokenKind::Less) && self.is_adjacent();
        let dot = identifier.find('.');
        if dot.is_none() && !has_body {
            return Ok(ExtendedSymbol::Alias(identifier));
        }
        let body_start = start + 1 + dot.map_or(identifier.len(), |dot| dot + 1);
        let mut body_end = self.last_end as usize;
        if has_body {
            body_end = self.skip_symbol_body()?;
        }
        let dialect = &identifier[..dot.unwrap_or(identifier.len())];
        let (mut start, mut end) = (body_start, body_end);
        if dot.is_none() {
            start += 1;
            end -= 1;
        }
        Ok(ExtendedSymbol::Dialect {
            dialect,
            body: &self.text[start..end],
            start,
        })
    }

    /// The body of something of a dialect at byte `start`, which is kept as text, with what the aliases in it stand
    /// for in their places: nothing else would keep their definitions.
    pub(super) fn without_aliases(
        &mut self,
        body: &'a str,
        start: usize,
    ) -> Result<Cow<'a, str>, Failed> {
        let mut text = String::new();
        let mut rest = body;
        while let Some(at) = rest.find(['#', '!', '"']) {
            let (before, symbol) = rest.split_at(at);
            text.push_str(before);
            let mut end = match symbol.as_bytes()[0] {
                b'"' => string_length(symbol),
                _ => 1 + alias_length(&symbol[1..]),
            };
            let name = &symbol[1..end.max(1)];
            let is_attr = symbol.starts_with('#');
            let attr = self.attr_aliases.get(name).copied().filter(|_| is_attr);
            let is_type = symbol.starts_with('!');
            let ty = self.type_aliases.get(name).copied().filter(|_| is_type);
            // `#name<` begins something of a dialect, as does `#name.`.
            let is_whole = !symbol[end..].starts_with('<');
            let stands_for = match (attr, ty) {
                (Some(alias), _) if is_whole => {
                    let attr = self.use_alias(alias);
                    Some(printer::attr_to_string(self.context, attr))
                }
                (_, Some(alias)) if is_whole => {
                    let ty = self.use_alias(alias);
                    Some(printer::type_to_string(self.context, ty))
                }
                _ => None,
            };
            if let Some(other) = stands_for {
                text.push_str(&other);
                if text.len() > MAX_BODY_LENGTH {
                    return Err(self.error_here("aliases stand for too much text"));
                }
            } else {
                end = end.min(symbol.len());
                let start = start + body.len() - symbol.len();
                text.push_str(&self.with_digits(start, &symbol[..end]));
            }
            rest = &symbol[end..];
        }
        if text.is_empty() {
            return Ok(Cow::Borrowed(body));
        }
        text.push_str(rest);
        Ok(Cow::Owned(text))
    }

    /// Skips what stands in brackets, if one of `<[{` is next; returns where it begins and ends.
    pub(super) fn skip_text_in_brackets(&mut self) -> Result<(usize, usize), Failed> {
        let start = self.token.start as usize;
        match self.text.as_bytes().get(start) {
            Some(b'<' | b'[' | b'{') => Ok((start, self.skip_symbol_body()?)),
            _ => Err(self.error_here("expected '<'")),
        }
    }

    /// Skips `<...>`, whose `<` is the current token; returns where it ends.
    fn skip_symbol_body(&mut self) -> Result<usize, Failed> {
        let bytes = self.text.as_bytes();
        let mut at = self.token.start as usize;
        let start_loc = self.token_loc();
        let mut open: Vec<u8> = Vec::new();
        loop {
            let Some(&byte) = bytes.get(at) else {
                let loc = self.loc_at(at.saturating_sub(1));
                return Err(self.error_at(loc, "unexpected nul or EOF in pretty dialect name"));
            };
            match byte {
                0 => {
                    let loc = self.loc_at(at);
                    return Err(self.error_at(loc, "unexpected nul or EOF in pretty dialect name"));
                }
                b'<' | b'(' | b'[' | b'{' => open.push(byte),
                b'-' if bytes.get(at + 1) == Some(&b'>') => at += 1,
                b'>' | b')' | b']' | b'}' => {
                    let expected = match byte {
                        b'>' => b'<',
                        b')' => b'(',
                        b']' => b'[',
                        _ => b'{',
                    };
                    let opening = open.pop();
                    if opening != Some(expected) {
                        let message = format!(
                            "unbalanced '{}' character in pretty dialect name",
                            char::from(opening.unwrap_or(byte))
                        );
                        return Err(self.error_at(start_loc, message));
                    }
                    if open.is_empty() {
                        break;
                    }
                }
                b'"' => at = self.end_of_string(at),
                _ => {}
            }
            at += 1;
        }
        self.last_end = at as u32 + 1;
        self.restart_at(at as u32 + 1);
        Ok(at + 1)
    }

    /// The index of the quote that closes the string that opens at `start`, or
    /// the end of the text.
    fn end_of_string(&self, start: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = start + 1;
        while at < bytes.len() {
            match bytes[at] {
                b'"' => return at,
                b'\\' => at += 1,
                _ => {}
            }
            at += 1;
        }
        bytes.len()
    }

    // Lists.

    /// Reads `: type`.
    pub(super) fn parse_colon_type(&mut self) -> Result<Type, Failed> {
        self.expect(TokenKind::Colon, "expected ':'")?;
        self.parse_type()
    }

    /// Reads `type, type, ...` (at least one).
    pub(super) fn parse_type_list(&mut self) -> Result<Vec<Type>, Failed> {
        let mut types = Vec::new();
        self.parse_delimited(Delimiter::None, "", &mut |p| {
            types.push(p.parse_type()?);
            Ok(())
        })?;
        Ok(types)
    }

    /// Reads `: type, type, ...`.
    pub(super) fn parse_colon_type_list(&mut self) -> Result<Vec<Type>, Failed> {
        self.expect(TokenKind::Colon, "expected ':'")?;
        self.parse_type_list()
    }

    /// Reads `-> type` or `-> (types)`; the arrow may be missing: then empty.
    pub(super) fn parse_opt_arrow_type_list(&mut self) -> Result<Vec<Type>, Failed> {
        if self.at(TokenKind::Arrow) {
            return self.parse_arrow_type_list();
        }
        Ok(Vec::new())
    }

    /// Reads `-> type` or `-> (types)`.
    pub(super) fn parse_arrow_type_list(&mut self) -> Result<Vec<Type>, Failed> {
        self.expect(TokenKind::Arrow, "expected '->'")?;
        self.parse_result_types()
    }
}

/// How much of a text is searched for the end of a plain type.
const MAX_PLAIN_TYPE: usize = 48;

/// The shaped type that `text` begins with, if nothing but letters, digits, `?` and `*` stand
/// between its brackets: then its spelling says it all.
fn plain_type(text: &str) -> Option<&str> {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'?' | b'*');
    let bytes = &text.as_bytes()[..text.len().min(MAX_PLAIN_TYPE)];
    let open = bytes.iter().position(|byte| !byte.is_ascii_lowercase())?;
    let rest = bytes[open..].strip_prefix(b"<")?;
    let close = rest.iter().position(|byte| !is_plain(byte))?;
    (rest[close] == b'>').then(|| &text[..open + close + 2])
}

/// What `!` or `#` begins.
#[derive(Debug)]
pub(super) enum ExtendedSymbol<'a> {
    /// `#name`
    Alias(&'a str),
    /// `#dialect.body<...>` or `#dialect<body>`
    Dialect {
        /// Namespace.
        dialect: &'a str,
        /// What stands after the dot or between the angle brackets.
        body: &'a str,
        /// Where in the text that begins.
        start: usize,
    },
}

/// The length of the string literal that `text` begins with.
fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of the identifier after a sigil.
fn alias_length(text: &str) -> usize {
    let is_digits = text.starts_with(|c: char| c.is_ascii_digit());
    let is_part = |c: char| match is_digits {
        true => c.is_ascii_digit(),
        false => c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.' | '-'),
    };
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

/// The float format with this keyword.
fn float_kind(word: &str) -> Option<FloatKind> {
    if !matches!(word.as_bytes().first(), Some(b'f' | b'b' | b't')) {
        return None;
    }
    FloatKind::ALL
        .into_iter()
        .find(|kind| kind.keyword() == word)
}
