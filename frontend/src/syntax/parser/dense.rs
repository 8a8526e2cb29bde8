//! Attributes with many elements: `dense<...>`, `sparse<...>`, `array<...>`,
//! `dense_resource<...>`.

use std::borrow::Cow;
use std::sync::Arc;

use super::Parser;
use crate::ir::asm::Delimiter;
use crate::ir::attrs::{Attr, AttrKind, DenseElements};
use crate::ir::bytes::Bytes;
use crate::ir::context::Context;
use crate::ir::diag::Failed;
use crate::ir::location::Loc;
use crate::ir::types::{DYNAMIC, Signedness, Type, TypeKind};
use crate::syntax::dense;
use crate::syntax::lexer::{Token, TokenKind, hex_digit, unescape};

/// How many bytes of a string literal of digits stand in front of them.
const HEX_OPENING: usize = "\"0x".len();

/// The text between `dense<` and `>`, not yet converted: the type comes later.
#[derive(Default)]
struct Literal {
    /// A lone string, which may be a blob of hexadecimal digits.
    blob: Option<Token>,
    /// Sizes of the nested lists; empty for a single element.
    shape: Vec<i64>,
    /// Elements and whether a minus stands in front.
    elements: Vec<(Token, bool)>,
}

/// Shape and element type of a shaped type with static shape.
struct Shaped<'c> {
    ty: Type,
    shape: &'c [i64],
    element: Type,
    /// Saturating: no literal has more elements than that.
    n_elements: u64,
}

impl<'c> Shaped<'c> {
    fn new(context: &'c Context, ty: Type) -> Option<Self> {
        let shape = context.shape(ty)?;
        Some(Self {
            ty,
            shape,
            element: context.element_type_or_self(ty),
            n_elements: shape
                .iter()
                .fold(1, |n: u64, &size| n.saturating_mul(size.max(0) as u64)),
        })
    }
}

impl<'a> Parser<'a> {
    /// Reads `dense<literal> : type`.
    pub(super) fn parse_dense_elements(&mut self, ty: Option<Type>) -> Result<Attr, Failed> {
        self.advance();
        self.expect(TokenKind::Less, "expected '<' after 'dense'")?;
        let mut literal = Literal::default();
        if !self.take(TokenKind::Greater) {
            literal = self.parse_literal(true)?;
            self.expect(TokenKind::Greater, "expected '>'")?;
        }
        let type_loc = self.token_loc();
        let ty = self.parse_literal_type(ty)?;
        self.build_dense(type_loc, ty, &literal)
    }

    /// Reads `: type` unless the type is given; it must have a static shape.
    fn parse_literal_type(&mut self, ty: Option<Type>) -> Result<Type, Failed> {
        let ty = match ty {
            Some(ty) => ty,
            None => self.parse_colon_type()?,
        };
        match self.context.shape(ty) {
            None => match self.context.type_kind(ty) {
                TypeKind::UnrankedTensor(_) | TypeKind::UnrankedMemRef { .. } => {
                    Err(self.error_here("elements literal type must have static shape"))
                }
                _ => Err(self.error_here("elements literal must be a shaped type")),
            },
            Some(shape) if shape.contains(&DYNAMIC) => {
                Err(self.error_here("elements literal type must have static shape"))
            }
            Some(_) => Ok(ty),
        }
    }

    fn parse_literal(&mut self, allow_hex: bool) -> Result<Literal, Failed> {
        let mut literal = Literal::default();
        if allow_hex && self.at(TokenKind::String) {
            literal.blob = Some(self.token);
            self.advance();
        } else if self.at(TokenKind::LSquare) {
            literal.shape = self.parse_literal_list(&mut literal.elements)?;
        } else {
            self.parse_literal_element(&mut literal.elements)?;
        }
        Ok(literal)
    }

    /// Reads a list of elements or lists; returns its dimensions.
    fn parse_literal_list(
        &mut self,
        elements: &mut Vec<(Token, bool)>,
    ) -> Result<Vec<i64>, Failed> {
        let mut size = 0;
        let mut inner: Option<Vec<i64>> = None;
        self.nested(|p| {
            p.parse_delimited(Delimiter::Square, "", &mut |p| {
                size += 1;
                let dims = if p.at(TokenKind::LSquare) {
                    p.parse_literal_list(elements)?
                } else {
                    p.parse_literal_element(elements)?;
                    Vec::new()
                };
                match &inner {
                    Some(previous) if *previous != dims => Err(p.error_here(
                        "tensor literal is invalid; ranks are not consistent between elements",
                    )),
                    Some(_) => Ok(()),
                    None => {
                        inner = Some(dims);
                        Ok(())
                    }
                }
            })
        })?;
        let mut shape = vec![size];
        shape.extend(inner.unwrap_or_default());
        Ok(shape)
    }

    fn parse_literal_element(&mut self, elements: &mut Vec<(Token, bool)>) -> Result<(), Failed> {
        match self.token.kind {
            TokenKind::Integer | TokenKind::Float | TokenKind::String => {
                elements.push((self.token, false));
                self.advance();
                Ok(())
            }
            TokenKind::BareId if matches!(self.spelling(), "true" | "false") => {
                elements.push((self.token, false));
                self.advance();
                Ok(())
            }
            TokenKind::Minus => {
                self.advance();
                if !self.at(TokenKind::Integer) && !self.at(TokenKind::Float) {
                    return Err(self.error_here("expected integer or floating point literal"));
                }
                elements.push((self.token, true));
                self.advance();
                Ok(())
            }
            TokenKind::LParen => self.nested(|p| {
                p.advance();
                p.parse_literal_element(elements)?;
                p.expect(TokenKind::Comma, "expected ',' between complex elements")?;
                p.parse_literal_element(elements)?;
                p.expect(TokenKind::RParen, "expected ')' after complex elements")
            }),
            _ => Err(self.error_here("expected element literal of primitive type")),
        }
    }

    fn build_dense(&mut self, loc: Loc, ty: Type, literal: &Literal) -> Result<Attr, Failed> {
        let context = self.context;
        let shaped = Shaped::new(context, ty).expect("the caller checked that the type is shaped");
        let element_kind = context.type_kind(shaped.element);
        let is_numeric = matches!(
            element_kind,
            TypeKind::Integer { .. } | TypeKind::Index | TypeKind::Float(_) | TypeKind::Complex(_)
        );
        if let Some(blob) = literal.blob
            && is_numeric
        {
            return self.build_from_blob(loc, &shaped, blob);
        }
        if !literal.shape.is_empty() && literal.shape != shaped.shape {
            let message = format!(
                "inferred shape of elements literal ({:?}) does not match type ({:?})",
                literal.shape, shaped.shape
            );
            return Err(self.error_at(loc, message));
        }
        if literal.blob.is_none() && literal.elements.is_empty() && shaped.n_elements > 0 {
            let message = format!(
                "parsed zero elements, but type ('{}') expected at least 1",
                self.type_text(ty)
            );
            return Err(self.error_at(loc, message));
        }
        if !is_numeric {
            return self.build_strings(loc, &shaped, literal);
        }
        let mut part = shaped.element;
        if let TypeKind::Complex(inner) = element_kind {
            part = *inner;
            let n = literal.elements.len() as u64;
            let (what, expected) = if literal.shape.is_empty() {
                (shaped.element, 2)
            } else {
                (ty, shaped.n_elements.saturating_mul(2))
            };
            if n != expected && !(literal.shape.is_empty() && shaped.n_elements == 0) {
                let message = format!(
                    "parsed {n} elements, but type ('{}') expected {expected} elements",
                    self.type_text(what)
                );
                return Err(self.error_at(loc, message));
            }
        }
        let n_parts = literal.elements.len() as u64;
        if part == shaped.element && n_parts > 1 && n_parts != shaped.n_elements {
            // A pair in parentheses among plain numbers.
            let message = format!(
                "parsed {n_parts} elements, but type ('{}') expected {} elements",
                self.type_text(ty),
                shaped.n_elements
            );
            return Err(self.error_at(loc, message));
        }
        let n_bytes = dense::element_bytes(context, part);
        let mut bytes = Vec::with_capacity(literal.elements.len() * n_bytes);
        for &(token, negative) in &literal.elements {
            self.push_literal_bytes(part, n_bytes, token, negative, &mut bytes)?;
        }
        let element_size = dense::element_bytes(context, shaped.element);
        Ok(dense::dense_attr(context, ty, bytes, element_size))
    }

    fn push_literal_bytes(
        &mut self,
        ty: Type,
        n_bytes: usize,
        token: Token,
        negative: bool,
        out: &mut Vec<u8>,
    ) -> Result<(), Failed> {
        let loc = self.loc_at(token.start as usize);
        let (width, signedness) = match self.context.type_kind(ty) {
            TypeKind::Float(kind) => {
                let is_number = token.kind == TokenKind::Float
                    || token.kind == TokenKind::Integer
                        && self.spelling_of(token).starts_with("0x");
                if !is_number {
                    return Err(
                        self.error_here("expected floating-point elements, but parsed integer")
                    );
                }
                let bits = self.float_literal_bits(*kind, token, negative)?;
                dense::push_bytes(out, bits, n_bytes);
                return Ok(());
            }
            TypeKind::Integer { width, signedness } => (*width, *signedness),
            _ => (64, Signedness::Signless),
        };
        if negative && signedness == Signedness::Unsigned {
            return Err(self.error_at(
                loc,
                "expected unsigned integer elements, but parsed negative value",
            ));
        }
        let value = match token.kind {
            TokenKind::Float => {
                return Err(
                    self.error_at(loc, "expected integer elements, but parsed floating-point")
                );
            }
            TokenKind::String => {
                return Err(self.error_at(loc, "integer constant out of range for type"));
            }
            TokenKind::BareId => {
                if width != 1 {
                    return Err(self.error_at(loc, "expected i1 type for 'true' or 'false' values"));
                }
                i128::from(self.spelling_of(token) == "true")
            }
            _ => match self.integer_literal_value(ty, token, negative) {
                Some(value) => value,
                None => {
                    return Err(self.error_at(loc, "integer constant out of range for type"));
                }
            },
        };
        dense::push_integer(out, value, width, n_bytes);
        Ok(())
    }

    fn build_strings(
        &mut self,
        loc: Loc,
        shaped: &Shaped<'_>,
        literal: &Literal,
    ) -> Result<Attr, Failed> {
        let mut values: Vec<Arc<[u8]>> = Vec::new();
        if let Some(token) = literal.blob {
            values.push(unescape(&self.whole_spelling(token)).into());
        }
        for &(token, _) in &literal.elements {
            if token.kind != TokenKind::String {
                let message = format!("expected string token, got {}", self.spelling_of(token));
                return Err(self.error_at(loc, message));
            }
            values.push(unescape(self.spelling_of(token)).into());
        }
        let splat = values
            .first()
            .is_some_and(|first| values.iter().all(|v| v == first));
        if splat {
            values.truncate(1);
        }
        Ok(self.context.intern_attr(AttrKind::DenseStrings {
            ty: shaped.ty,
            splat,
            values: values.into(),
        }))
    }

    /// The bytes a string literal `"0x..."` spells.
    pub(super) fn hex_bytes(&self, token: Token) -> Option<Bytes> {
        if token.kind != TokenKind::String {
            return None;
        }
        if let Some(blob) = self.file.blob(token.start as usize + HEX_OPENING) {
            return Some(blob.bytes.clone());
        }
        let digits = self
            .spelling_of(token)
            .strip_prefix("\"0x")?
            .strip_suffix('"')?
            .as_bytes();
        if digits.len() % 2 != 0 || !digits.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        let pairs = digits.as_chunks::<2>().0.iter();
        Some(
            pairs
                .map(|&[high, low]| hex_digit(high) << 4 | hex_digit(low))
                .collect(),
        )
    }

    /// The text of a string token as it is in the file.
    pub(super) fn whole_spelling(&self, token: Token) -> Cow<'a, str> {
        self.with_digits(token.start as usize, self.spelling_of(token))
    }

    /// A string literal that begins at byte `start`, with its digits if they are kept apart.
    pub(super) fn with_digits(&self, start: usize, literal: &'a str) -> Cow<'a, str> {
        let Some(blob) = self.file.blob(start + HEX_OPENING) else {
            return Cow::Borrowed(literal);
        };
        let (opening, rest) = literal.split_at(HEX_OPENING);
        let mut text = opening.to_owned();
        blob.write_digits(&mut text);
        text.push_str(rest);
        Cow::Owned(text)
    }

    fn build_from_blob(
        &mut self,
        loc: Loc,
        shaped: &Shaped<'_>,
        blob: Token,
    ) -> Result<Attr, Failed> {
        let Some(raw) = self.hex_bytes(blob) else {
            let loc = self.loc_at(blob.start as usize);
            return Err(self.error_at(
                loc,
                "expected string containing hex digits starting with `0x`",
            ));
        };
        match dense::from_blob(self.context, shaped.element, shaped.n_elements, raw) {
            Some((bytes, splat)) => {
                let ty = shaped.ty;
                if splat {
                    let dense = DenseElements { ty, splat, bytes };
                    return Ok(self.context.intern_attr(AttrKind::DenseElements(dense)));
                }
                let size = dense::element_bytes(self.context, shaped.element);
                Ok(dense::dense_attr(self.context, ty, bytes, size))
            }
            None => {
                let message = format!(
                    "elements hex data size is invalid for provided type: '{}'",
                    self.type_text(shaped.ty)
                );
                Err(self.error_at(loc, message))
            }
        }
    }

    /// Reads `sparse<indices, values> : type`.
    pub(super) fn parse_sparse_elements(&mut self, ty: Option<Type>) -> Result<Attr, Failed> {
        let loc = self.token_loc();
        self.advance();
        self.expect(TokenKind::Less, "Expected '<' after 'sparse'")?;
        let mut literals = None;
        if !self.take(TokenKind::Greater) {
            let indices_loc = self.token_loc();
            let indices = self.parse_literal(false)?;
            self.expect(TokenKind::Comma, "expected ','")?;
            let values_loc = self.token_loc();
            let values = self.parse_literal(true)?;
            self.expect(TokenKind::Greater, "expected '>'")?;
            literals = Some((indices_loc, indices, values_loc, values));
        }
        let ty = self.parse_literal_type(ty)?;
        let context = self.context;
        let shaped = Shaped::new(context, ty).expect("the literal type was checked");
        let rank = shaped.shape.len() as i64;
        let tensor = |shape: &[i64], element| {
            context.intern_type(TypeKind::RankedTensor {
                shape: shape.into(),
                element,
                encoding: None,
            })
        };
        let (indices, values) = match literals {
            None => {
                let empty = Literal::default();
                let indices_ty = tensor(&[0, rank], Type::I64);
                let values_ty = tensor(&[0], shaped.element);
                (
                    self.build_dense(loc, indices_ty, &empty)?,
                    self.build_dense(loc, values_ty, &empty)?,
                )
            }
            Some((indices_loc, indices, values_loc, values)) => {
                let indices_shape = match &indices.shape[..] {
                    [] => vec![1, rank],
                    shape => shape.to_vec(),
                };
                let values_shape = match &values.shape[..] {
                    [] => vec![indices_shape[0]],
                    shape => shape.to_vec(),
                };
                let indices_ty = tensor(&indices_shape, Type::I64);
                let values_ty = tensor(&values_shape, shaped.element);
                self.check_sparse(loc, &shaped, &indices_shape, &values_shape)?;
                let indices = self.build_dense(indices_loc, indices_ty, &indices)?;
                self.check_sparse_indices(loc, &shaped, indices)?;
                (indices, self.build_dense(values_loc, values_ty, &values)?)
            }
        };
        Ok(context.intern_attr(AttrKind::SparseElements {
            ty,
            indices,
            values,
        }))
    }

    fn check_sparse(
        &mut self,
        loc: Loc,
        shaped: &Shaped<'_>,
        indices: &[i64],
        values: &[i64],
    ) -> Result<(), Failed> {
        if values.len() != 1 {
            return Err(self.error_at(loc, "expected 1-d tensor for sparse element values"));
        }
        let rank = shaped.shape.len();
        let fits = match *indices {
            [n, width] => n == values[0] && width == rank as i64,
            [n] => n == values[0] && rank == 1,
            _ => false,
        };
        if fits {
            return Ok(());
        }
        let message = format!(
            "expected shape ({:?}); inferred shape of indices literal ({indices:?}); inferred \
             shape of values literal ({values:?})",
            shaped.shape
        );
        Err(self.error_at(loc, message))
    }

    /// Checks that sparse indices are inside of the shape.
    fn check_sparse_indices(
        &mut self,
        loc: Loc,
        shaped: &Shaped<'_>,
        indices: Attr,
    ) -> Result<(), Failed> {
        let Some(dense) = self.context.attr_dense(indices) else {
            return Ok(());
        };
        let n_indices = Shaped::new(self.context, dense.ty).map_or(0, |ty| ty.n_elements);
        let values = dense.bytes.as_chunks::<8>().0;
        let value = |i: u64| match values {
            [splat] => i64::from_le_bytes(*splat),
            _ => i64::from_le_bytes(values[i as usize]),
        };
        let rank = (shaped.shape.len() as u64).max(1);
        for number in 0..n_indices / rank {
            let index: Vec<i64> = (0..rank).map(|i| value(number * rank + i)).collect();
            let inside = index
                .iter()
                .zip(shaped.shape)
                .all(|(&i, &size)| (0..size).contains(&i));
            if !inside {
                let message = format!(
                    "sparse index #{number} is not contained within the value shape, with \
                     index={index:?}, and type='{}'",
                    self.type_text(shaped.ty)
                );
                return Err(self.error_at(loc, message));
            }
        }
        Ok(())
    }

    /// Reads `array<type: elements>`.
    pub(super) fn parse_dense_array(&mut self) -> Result<Attr, Failed> {
        self.advance();
        self.expect(TokenKind::Less, "expected '<' after 'array'")?;
        let loc = self.token_loc();
        let element = self.parse_type()?;
        let width = match self.context.type_kind(element) {
            TypeKind::Integer { width, .. } => *width,
            TypeKind::Float(kind) => kind.width(),
            TypeKind::Index => 64,
            _ => {
                let message = format!(
                    "expected integer or float type, got: '{}'",
                    self.type_text(element)
                );
                return Err(self.error_at(loc, message));
            }
        };
        if width != 1 && width % 8 != 0 {
            return Err(self.error_at(loc, "element type bitwidth must be a multiple of 8"));
        }
        let mut bytes = Vec::new();
        if !self.take(TokenKind::Greater) {
            self.expect(TokenKind::Colon, "expected ':' after dense array type")?;
            let n_bytes = dense::element_bytes(self.context, element);
            self.parse_delimited(Delimiter::None, "", &mut |p| {
                p.parse_array_element(element, n_bytes, &mut bytes)
            })?;
            self.expect(
                TokenKind::Greater,
                "expected '>' to close an array attribute",
            )?;
        }
        Ok(self.context.intern_attr(AttrKind::DenseArray {
            element,
            bytes: bytes.into(),
        }))
    }

    fn parse_array_element(
        &mut self,
        element: Type,
        n_bytes: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), Failed> {
        let negative = self.take(TokenKind::Minus);
        let token = self.token;
        let width = match self.context.type_kind(element) {
            TypeKind::Float(kind) => {
                let bits = self.float_literal_bits(*kind, token, negative)?;
                self.advance();
                dense::push_bytes(out, bits, n_bytes);
                return Ok(());
            }
            TypeKind::Integer { width, .. } => *width,
            _ => 64,
        };
        let is_bool = self.at_word("true") || self.at_word("false");
        if is_bool && width != 1 {
            return Err(self.error_here("expected i1 type for 'true' or 'false' values"));
        }
        if !is_bool && !self.at(TokenKind::Integer) {
            return Err(self.error_here("expected integer literal"));
        }
        self.advance();
        let value = if is_bool {
            i128::from(self.spelling_of(token) == "true")
        } else if width == 1 {
            return Err(self.error_here("expected 'true' or 'false' values for i1 type"));
        } else {
            match self.integer_literal_value(element, token, negative) {
                Some(value) => value,
                None => return Err(self.error_here("integer constant out of range")),
            }
        };
        dense::push_integer(out, value, width, n_bytes);
        Ok(())
    }

    /// Reads `dense_resource<key> : type`.
    pub(super) fn parse_dense_resource(&mut self, ty: Option<Type>) -> Result<Attr, Failed> {
        let loc = self.token_loc();
        self.advance();
        self.expect(TokenKind::Less, "expected '<' after 'dense_resource'")?;
        let key: Arc<str> = match self.token.kind {
            TokenKind::BareId => self.spelling().into(),
            TokenKind::String => String::from_utf8_lossy(&unescape(self.spelling())).into(),
            _ => {
                return Err(self.error_here("expected identifier key for 'resource' entry"));
            }
        };
        self.advance();
        self.expect(TokenKind::Greater, "expected '>'")?;
        let mut type_loc = loc;
        let ty = match ty {
            Some(ty) => ty,
            None => {
                type_loc = self.token_loc();
                self.parse_colon_type()?
            }
        };
        if self.context.shape(ty).is_none() {
            return Err(self.error_at(type_loc, "`dense_resource` expected a shaped type"));
        }
        Ok(self
            .context
            .intern_attr(AttrKind::DenseResource { ty, key }))
    }
}
