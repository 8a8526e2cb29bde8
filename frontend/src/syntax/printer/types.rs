//! Types as text.

use super::attrs::TypeElision;
use super::{Printer, numbers};
use crate::ir::asm::OpAsmPrinter as _;
use crate::ir::builtin;
use crate::ir::types::{DYNAMIC, Signedness, Type, TypeKind};

impl Printer<'_> {
    /// Writes a type.
    pub(super) fn ty(&mut self, ty: Type) {
        if self.collecting {
            self.collect_type(ty);
            return;
        }
        if self.write_type_alias(ty) {
            return;
        }
        self.write_type(ty);
    }

    /// Writes a type itself, not an alias of it.
    pub(super) fn write_type(&mut self, ty: Type) {
        let context = self.context;
        match context.type_kind(ty) {
            TypeKind::Integer { width, signedness } => {
                self.text(match signedness {
                    Signedness::Signless => "i",
                    Signedness::Signed => "si",
                    Signedness::Unsigned => "ui",
                });
                self.integer(i64::from(*width));
            }
            TypeKind::Index => self.text("index"),
            TypeKind::Float(kind) => self.text(kind.keyword()),
            TypeKind::None => self.text("none"),
            TypeKind::Complex(part) => {
                self.text("complex<");
                self.ty(*part);
                self.text(">");
            }
            TypeKind::Vector {
                shape,
                scalable,
                element,
            } => {
                self.text("vector<");
                for (&size, &scalable) in shape.iter().zip(scalable.iter()) {
                    self.text(if scalable { "[" } else { "" });
                    self.integer(size);
                    self.text(if scalable { "]x" } else { "x" });
                }
                self.ty(*element);
                self.text(">");
            }
            TypeKind::RankedTensor {
                shape,
                element,
                encoding,
            } => {
                self.text("tensor<");
                self.shape_and_element(shape, *element);
                if let Some(encoding) = encoding {
                    self.text(", ");
                    self.attr(*encoding);
                }
                self.text(">");
            }
            TypeKind::UnrankedTensor(element) => {
                self.text("tensor<*x");
                self.ty(*element);
                self.text(">");
            }
            TypeKind::MemRef(memref) => {
                self.text("memref<");
                self.shape_and_element(&memref.shape, memref.element);
                for attr in [memref.layout, memref.space].into_iter().flatten() {
                    self.text(", ");
                    self.write_attr(attr, TypeElision::May);
                }
                self.text(">");
            }
            TypeKind::UnrankedMemRef { element, space } => {
                self.text("memref<*x");
                self.ty(*element);
                if let Some(space) = space {
                    self.text(", ");
                    self.write_attr(*space, TypeElision::May);
                }
                self.text(">");
            }
            TypeKind::Tuple(types) => {
                self.text("tuple<");
                self.types(types);
                self.text(">");
            }
            TypeKind::Function { inputs, results } => self.functional_type(inputs, results),
            // Float formats that are known by name.
            TypeKind::Dialect { dialect, body }
                if context.name(*dialect) == builtin::DIALECT.namespace =>
            {
                self.text(body);
            }
            TypeKind::Dialect { dialect, body } => {
                self.text("!");
                self.dialect_symbol(context.name(*dialect), body);
            }
            TypeKind::Spelled { dialect, of } => {
                let row = context.dialect(context.name(*dialect));
                if let Some(spelling) = row.and_then(|row| row.spelling) {
                    (spelling.print_type)(self, context, *of);
                }
            }
        }
    }

    fn shape_and_element(&mut self, shape: &[i64], element: Type) {
        for &size in shape {
            self.size(size);
            self.text("x");
        }
        self.ty(element);
    }

    /// Writes `4x?` without a trailing `x`.
    pub(super) fn dimension_list(&mut self, shape: &[i64]) {
        for (i, &size) in shape.iter().enumerate() {
            if i > 0 {
                self.text("x");
            }
            self.size(size);
        }
    }

    /// Writes a size, stride or offset: a number or `?`.
    pub(super) fn size(&mut self, size: i64) {
        if size == DYNAMIC {
            self.text("?");
        } else if !self.collecting {
            numbers::push_integer(&mut self.out, size);
        }
    }

    /// Writes `dialect.body`, or `dialect<body>` if the body is no name with
    /// balanced angle brackets.
    pub(super) fn dialect_symbol(&mut self, dialect: &str, body: &str) {
        self.text(dialect);
        if is_pretty(body) {
            self.text(".");
            self.text(body);
        } else {
            self.text("<");
            self.text(body);
            self.text(">");
        }
    }
}

/// Whether `body` reads back after a dot: an identifier, possibly followed by
/// one balanced `<...>`.
fn is_pretty(body: &str) -> bool {
    if !body.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return false;
    }
    let rest =
        body.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_'));
    if rest.is_empty() {
        return true;
    }
    if !rest.starts_with('<') || !rest.ends_with('>') {
        return false;
    }
    // Only the last bracket may close the first.
    let mut open: Vec<u8> = Vec::new();
    let bytes = rest.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            byte @ (b'<' | b'(' | b'[' | b'{') => open.push(byte),
            b'-' if bytes.get(at + 1) == Some(&b'>') => at += 1,
            byte @ (b'>' | b')' | b']' | b'}') => {
                let expected = match byte {
                    b'>' => b'<',
                    b')' => b'(',
                    b']' => b'[',
                    _ => b'{',
                };
                if open.pop() != Some(expected) || open.is_empty() && at + 1 < bytes.len() {
                    return false;
                }
            }
            b'"' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            _ => {}
        }
        at += 1;
    }
    open.is_empty()
}
