//! Attributes as text.

use super::{Printer, numbers};
use crate::ir::asm::OpAsmPrinter as _;
use crate::ir::attrs::{Attr, AttrKind, DenseElements};
use crate::ir::types::{Signedness, Type, TypeKind};
use crate::syntax::{dense, wide_integers};

/// Dense attributes with more elements are printed as a blob.
const HEX_THRESHOLD: u64 = 100;

/// Whether the type of an attribute is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TypeElision {
    /// Always printed.
    Never,
    /// Left out if the parser would assume it: i64, f64.
    May,
    /// Never printed.
    Must,
}

impl Printer<'_> {
    /// Writes an attribute or its alias.
    pub(super) fn write_attr(&mut self, attr: Attr, elision: TypeElision) {
        if self.collecting {
            self.collect_attr(attr);
            return;
        }
        let has_alias = match self.context.attr_kind(attr) {
            AttrKind::Location(loc) => self.write_loc_alias(*loc),
            _ => self.write_attr_alias(attr),
        };
        if !has_alias {
            self.attr_body(attr, elision);
        }
    }

    /// Writes an attribute itself, not an alias of it.
    pub(super) fn attr_body(&mut self, attr: Attr, elision: TypeElision) {
        let context = self.context;
        let mut trailing_type = None;
        match context.attr_kind(attr) {
            AttrKind::Unit => self.text("unit"),
            AttrKind::Integer { ty, value } => {
                if *ty == Type::I1 {
                    self.text(if *value == 0 { "false" } else { "true" });
                    return;
                }
                self.integer_of(*ty, *value);
                if elision == TypeElision::May && *ty == Type::I64 {
                    return;
                }
                trailing_type = Some(*ty);
            }
            AttrKind::WideInteger {
                ty,
                is_negative,
                magnitude,
            } => {
                if !self.collecting {
                    self.out.push_str(if *is_negative { "-" } else { "" });
                    wide_integers::push_decimal(&mut self.out, magnitude);
                }
                trailing_type = Some(*ty);
            }
            AttrKind::Float { ty, bits } => {
                let start = self.out.len();
                if let Some(kind) = context.float_kind(*ty)
                    && !self.collecting
                {
                    numbers::push_float(&mut self.out, kind, *bits);
                }
                // Bits without a type would be an integer.
                let is_decimal = !self.out[start..].starts_with("0x");
                if elision == TypeElision::May && *ty == Type::F64 && is_decimal {
                    return;
                }
                trailing_type = Some(*ty);
            }
            AttrKind::String(bytes) => self.quoted(bytes),
            AttrKind::TypedString(bytes, ty) => {
                self.quoted(bytes);
                trailing_type = Some(*ty);
            }
            AttrKind::Array(elements) => {
                self.text("[");
                for (i, &element) in elements.iter().enumerate() {
                    if i > 0 {
                        self.text(", ");
                    }
                    self.write_attr(element, TypeElision::May);
                }
                self.text("]");
            }
            AttrKind::Dictionary(dict) => self.dict(context.dict(*dict)),
            AttrKind::Type(ty) => self.ty(*ty),
            AttrKind::SymbolRef { root, nested } => {
                self.symbol_name(root);
                for name in nested {
                    self.text("::");
                    self.symbol_name(name);
                }
            }
            AttrKind::AffineMap(map) => {
                if !self.collecting {
                    let text = format!("affine_map<{map}>");
                    self.text(&text);
                }
            }
            AttrKind::IntegerSet(set) => {
                if !self.collecting {
                    let text = format!("affine_set<{set}>");
                    self.text(&text);
                }
            }
            AttrKind::DenseElements(elements) => {
                if self.is_elided(elements) {
                    self.text("dense_resource<__elided__>");
                } else {
                    self.text("dense<");
                    self.dense_elements(elements, true);
                    self.text(">");
                }
                trailing_type = Some(elements.ty);
            }
            AttrKind::DenseStrings { ty, splat, values } => {
                self.text("dense<");
                let shape = context.shape(*ty).unwrap_or_default();
                self.nested_lists(shape, *splat, &mut |p, i| p.quoted(&values[i]));
                self.text(">");
                trailing_type = Some(*ty);
            }
            AttrKind::DenseResource { ty, key } => {
                if !self.collecting {
                    self.used_resources.insert(key.clone());
                }
                self.text("dense_resource<");
                self.keyword_or_string(key);
                self.text(">");
                trailing_type = Some(*ty);
            }
            AttrKind::SparseElements {
                ty,
                indices,
                values,
            } => {
                self.sparse_elements(*indices, *values);
                trailing_type = Some(*ty);
            }
            AttrKind::DenseArray { element, bytes } => {
                self.text("array<");
                self.ty(*element);
                let size = dense::element_bytes(context, *element);
                for (i, element_bytes) in bytes.chunks_exact(size).enumerate() {
                    self.text(if i == 0 { ": " } else { ", " });
                    self.element(*element, element_bytes);
                }
                self.text(">");
            }
            AttrKind::StridedLayout { offset, strides } => {
                self.text("strided<[");
                for (i, &stride) in strides.iter().enumerate() {
                    if i > 0 {
                        self.text(", ");
                    }
                    self.size(stride);
                }
                self.text("]");
                if *offset != 0 {
                    self.text(", offset: ");
                    self.size(*offset);
                }
                self.text(">");
            }
            AttrKind::Dialect { dialect, body, ty } => {
                self.text("#");
                self.dialect_symbol(context.name(*dialect), body);
                trailing_type = *ty;
            }
            AttrKind::Spelled { dialect, of } => {
                let row = context.dialect(context.name(*dialect));
                if let Some(spelling) = row.and_then(|row| row.spelling) {
                    (spelling.print_attr)(self, context, *of);
                }
            }
            AttrKind::Location(loc) => {
                self.loc(*loc);
                return;
            }
            AttrKind::Distinct(id, referenced) => {
                self.text("distinct[");
                self.text(&id.to_string());
                self.text("]<");
                if *referenced != Attr::UNIT {
                    self.attr(*referenced);
                }
                self.text(">");
            }
        }
        if let Some(ty) = trailing_type
            && elision != TypeElision::Must
        {
            self.text(" : ");
            self.ty(ty);
        }
    }

    /// Writes an integer as its type reads it.
    fn integer_of(&mut self, ty: Type, value: i128) {
        if self.collecting {
            return;
        }
        let unsigned = matches!(
            self.context.type_kind(ty),
            TypeKind::Integer {
                signedness: Signedness::Unsigned,
                ..
            }
        );
        numbers::push_wide_integer(&mut self.out, value, unsigned);
    }

    // Dense elements.

    fn n_elements(&self, ty: Type) -> u64 {
        let shape = self.context.shape(ty).unwrap_or_default();
        shape
            .iter()
            .fold(1, |n: u64, &size| n.saturating_mul(size.max(0) as u64))
    }

    fn is_elided(&self, elements: &DenseElements) -> bool {
        match self.options.elide_elements_larger_than {
            Some(limit) => !elements.splat && self.n_elements(elements.ty) > limit as u64,
            None => false,
        }
    }

    fn dense_elements(&mut self, elements: &DenseElements, allow_hex: bool) {
        if self.collecting {
            return;
        }
        let context = self.context;
        let element = context.element_type_or_self(elements.ty);
        if allow_hex && !elements.splat && self.n_elements(elements.ty) > HEX_THRESHOLD {
            match self.unpacks_i1 && element == Type::I1 {
                true => self.hex_string(elements.bytes.iter().copied()),
                false => {
                    self.hex_string(dense::to_blob(context, element, &elements.bytes).into_iter());
                }
            }
            return;
        }
        let size = dense::element_bytes(context, element);
        let shape = context.shape(elements.ty).unwrap_or_default();
        self.nested_lists(shape, elements.splat, &mut |p, i| {
            p.element(element, &elements.bytes[i * size..(i + 1) * size]);
        });
    }

    /// Writes `"0x..."`.
    pub(super) fn hex_string(&mut self, bytes: impl Iterator<Item = u8>) {
        const HEX: &[u8; 16] = b"0123456789ABCDEF";
        self.text("\"0x");
        for byte in bytes {
            self.out.push(char::from(HEX[usize::from(byte >> 4)]));
            self.out.push(char::from(HEX[usize::from(byte & 15)]));
        }
        self.text("\"");
    }

    /// Writes `[[e, e], [e, e]]`; a splat is one element.
    fn nested_lists(
        &mut self,
        shape: &[i64],
        splat: bool,
        element: &mut dyn FnMut(&mut Self, usize),
    ) {
        if self.collecting {
            return;
        }
        if splat {
            element(self, 0);
            return;
        }
        if shape.contains(&0) {
            return;
        }
        let mut next = 0;
        self.nested_list(shape, &mut next, element);
    }

    fn nested_list(
        &mut self,
        shape: &[i64],
        next: &mut usize,
        element: &mut dyn FnMut(&mut Self, usize),
    ) {
        let Some((&size, inner)) = shape.split_first() else {
            element(self, *next);
            *next += 1;
            return;
        };
        self.text("[");
        for i in 0..size {
            if i > 0 {
                self.text(", ");
            }
            self.nested_list(inner, next, element);
        }
        self.text("]");
    }

    /// Writes one element given by its bytes.
    fn element(&mut self, ty: Type, bytes: &[u8]) {
        if self.collecting {
            return;
        }
        let mut wide = [0; 16];
        let n = bytes.len().min(16);
        match self.context.type_kind(ty) {
            TypeKind::Complex(part) => {
                let (real, imaginary) = bytes.split_at(bytes.len() / 2);
                self.text("(");
                self.element(*part, real);
                self.text(",");
                self.element(*part, imaginary);
                self.text(")");
            }
            TypeKind::Float(kind) => {
                wide[..n].copy_from_slice(&bytes[..n]);
                numbers::push_float(&mut self.out, *kind, u128::from_le_bytes(wide));
            }
            TypeKind::Integer { width: 1, .. } => {
                self.text(if bytes[0] & 1 == 1 { "true" } else { "false" });
            }
            TypeKind::Integer { width, signedness } => {
                wide[..n].copy_from_slice(&bytes[..n]);
                let bits = u128::from_le_bytes(wide);
                let unsigned = *signedness == Signedness::Unsigned;
                let shift = 128u32.saturating_sub(*width);
                let value = match *width {
                    0 => 0,
                    _ if unsigned => bits as i128,
                    _ => (bits as i128) << shift >> shift,
                };
                numbers::push_wide_integer(&mut self.out, value, unsigned);
            }
            _ => {
                wide[..n].copy_from_slice(&bytes[..n]);
                numbers::push_integer(&mut self.out, u128::from_le_bytes(wide) as i64);
            }
        }
    }

    fn sparse_elements(&mut self, indices: Attr, values: Attr) {
        self.text("sparse<");
        let context = self.context;
        let (Some(indices), values) = (context.attr_dense(indices), values) else {
            self.text(">");
            return;
        };
        if self.n_elements(indices.ty) > 0 {
            self.dense_elements(indices, false);
            self.text(", ");
            match context.attr_kind(values) {
                AttrKind::DenseElements(values) => self.dense_elements(values, true),
                AttrKind::DenseStrings { ty, splat, values } => {
                    let shape = context.shape(*ty).unwrap_or_default();
                    self.nested_lists(shape, *splat, &mut |p, i| p.quoted(&values[i]));
                }
                _ => {}
            }
        }
        self.text(">");
    }
}
