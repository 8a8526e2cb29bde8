//! The VHLO dialect: StableHLO as programs are stored, in operations that have a version each and never change.
//!
//! Nearly everything in it is something of StableHLO, func and builtin in other words, and is told by tables:
//! `rows.rs` lists the operations, `tables.rs` the types and attributes. Types and attributes are kept as what they
//! stand for ([`Spelling`](crate::ir::op_def::Spelling)) and written in the words of the dialect, as text
//! (`spelling.rs`) or bytecode (`encoding.rs`). Passes change the version of a program, and make StableHLO of it and
//! the other way round.

pub mod elements;
mod encoding;
mod function;
pub mod quantized;
mod records;
mod rows;
mod spelling;
mod tables;
mod version;
mod versions;

use std::sync::Arc;

use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::context::Context;
use crate::ir::op_def::DialectDef;
use crate::ir::types::{FloatKind, MemRefType, Type, TypeKind};
use crate::syntax::parser::parse_type_text;

pub use function::FUNC_V1;
pub use records::{enumeration_number, enumeration_word, fields_of, is_default_accuracy};
pub use rows::{ROWS, Row};
pub use version::Version;
pub use versions::{attr_since, type_since};

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "vhlo",
    ops: rows::OPS,
    advice: Some(
        "`--vhlo-to-version=target=1.20.0 --vhlo-legalize-to-stablehlo` makes StableHLO of it",
    ),
    bytecode: Some(&encoding::ENCODING),
    spelling: Some(&spelling::SPELLING),
    ..DialectDef::BASE
};

/// The type that a text of the tables stands for.
fn type_of_text(context: &Arc<Context>, text: &str) -> Type {
    if let Some((dialect, body)) = text.strip_prefix('!').and_then(|text| text.split_once('.')) {
        return context.intern_type(TypeKind::Dialect {
            dialect: context.intern_name(dialect),
            body: body.into(),
        });
    }
    parse_type_text(context, text).unwrap_or(Type::NONE)
}

/// A memref without layout, as a buffer is.
fn buffer_type(context: &Context, shape: Vec<i64>, element: Type) -> Type {
    context.memref_type(MemRefType {
        shape: shape.into(),
        element,
        layout: None,
        space: None,
    })
}

/// A number read as an f64, as a number of this type.
fn float_attr(context: &Context, value: Attr, ty: Type) -> Attr {
    let AttrKind::Float { bits, .. } = context.attr_kind(value) else {
        return value;
    };
    let kind = context.float_kind(ty).unwrap_or(FloatKind::F64);
    let bits =
        crate::dialects::shared::const_fold::float::encode(kind, f64::from_bits(*bits as u64))
            .map_or(0, |(bits, _)| bits);
    context.intern_attr(AttrKind::Float { ty, bits })
}

/// An attribute in the words of the dialect; itself if there are none for it.
pub fn spelled_attr(context: &Context, attr: Attr) -> Attr {
    match spelling::spells_attr(context, attr) {
        true => context.intern_attr(AttrKind::Spelled {
            dialect: context.intern_name(DIALECT.namespace),
            of: attr,
        }),
        false => attr,
    }
}

/// What an attribute in the words of the dialect stands for; itself if it is another one.
pub fn unspelled_attr(context: &Context, attr: Attr) -> Attr {
    match context.attr_kind(attr) {
        AttrKind::Spelled { of, .. } => *of,
        _ => attr,
    }
}

/// A type in the words of the dialect; itself if there are none for it.
pub fn spelled_type(context: &Context, ty: Type) -> Type {
    match spelling::spells_type(context, ty) {
        true => context.intern_type(TypeKind::Spelled {
            dialect: context.intern_name(DIALECT.namespace),
            of: ty,
        }),
        false => ty,
    }
}

/// What a type in the words of the dialect stands for; itself if it is another one.
pub fn unspelled_type(context: &Context, ty: Type) -> Type {
    match context.type_kind(ty) {
        TypeKind::Spelled { of, .. } => *of,
        _ => ty,
    }
}
