//! Type and attribute constraints that only the rows of memref, bufferization
//! and tensor need. Descriptions are upstream's, since diagnostics show them.

use crate::dialects::arith::assembly::parse_enum_keyword;
use crate::ir::asm::OpAsmParser;
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::constraints::{self, is_ranked_memref};
use crate::ir::context::Context;
use crate::ir::diag::Failed;
use crate::ir::op_def::{AttrConstraint, AttrText, CustomAttrText, TypeConstraint};
use crate::ir::types::{Type, TypeKind};

use super::atomic::AtomicRmwKind;

/// A ranked memref whose rank and element type satisfy the tests.
fn is_memref_of(
    context: &Context,
    ty: Type,
    rank: Option<usize>,
    accepts: fn(&Context, Type) -> bool,
) -> bool {
    context.as_memref(ty).is_some_and(|memref| {
        rank.is_none_or(|rank| memref.rank() == rank) && accepts(context, memref.element)
    })
}

fn is_signless_integer_or_float(context: &Context, ty: Type) -> bool {
    constraints::is_signless_integer(context, ty) || constraints::is_float(context, ty)
}

macro_rules! type_constraints {
    ($($name:ident: $description:literal, $accepts:expr $(, $kind:expr)?;)*) => {
        $(
            #[doc = concat!("`", $description, "`")]
            pub(crate) static $name: TypeConstraint =
                TypeConstraint { description: $description, accepts: $accepts, $(kind: Some($kind),)? ..TypeConstraint::BASE };
        )*
    };
}

type_constraints! {
    MEMREF_1D: "1D memref of any type values",
        |context, ty| is_memref_of(context, ty, Some(1), |_, _| true), is_ranked_memref;
    MEMREF_1D_OF_I8: "1D memref of 8-bit signless integer values",
        |context, ty| is_memref_of(context, ty, Some(1), |_, ty| ty == Type::I8), is_ranked_memref;
    MEMREF_1D_OF_INTEGER_OR_INDEX: "1D memref of signless integer or index values", |context, ty| {
        is_memref_of(context, ty, Some(1), constraints::is_signless_integer_or_index)
    }, is_ranked_memref;
    MEMREF_OF_INTEGER_OR_FLOAT: "memref of signless integer or floating-point values",
        |context, ty| is_memref_of(context, ty, None, is_signless_integer_or_float), is_ranked_memref;
    INTEGER_OR_FLOAT: "signless integer or floating-point", is_signless_integer_or_float;
    MEMREF_WITH_DIMS:
        "unranked.memref of any type values or non-0-ranked.memref of any type values",
        |context, ty| match context.type_kind(ty) {
            TypeKind::MemRef(memref) => memref.rank() > 0,
            TypeKind::UnrankedMemRef { .. } => true,
            _ => false,
        };
    STATIC_MEMREF: "statically shaped memref of any type values", |context, ty| {
        context.as_memref(ty).is_some_and(|memref| memref.has_static_shape())
    }, is_ranked_memref;
    STRIDED_MEMREF_0D: "strided memref of any type values of rank 0", |context, ty| {
        context.as_memref(ty).is_some_and(|memref| {
            memref.rank() == 0 && context.memref_strides(memref).is_some()
        })
    }, is_ranked_memref;
    SHAPED: "shaped of any type values", |context, ty| {
        matches!(
            context.type_kind(ty),
            TypeKind::Vector { .. }
                | TypeKind::RankedTensor { .. }
                | TypeKind::UnrankedTensor(_)
                | TypeKind::MemRef(_)
                | TypeKind::UnrankedMemRef { .. }
        )
    };
}

/// The value of an integer attribute of this width.
fn integer_of(context: &Context, attr: Attr, expected: Type) -> Option<i128> {
    match context.attr_kind(attr) {
        AttrKind::Integer { ty, value } if *ty == expected => Some(*value),
        _ => None,
    }
}

macro_rules! attr_constraints {
    ($($name:ident: $description:literal, $accepts:expr $(, $text:expr)?;)*) => {
        $(
            #[doc = concat!("`", $description, "`")]
            pub(crate) static $name: AttrConstraint =
                AttrConstraint::new($description, $accepts)$(.written($text))?;
        )*
    };
}

attr_constraints! {
    NON_NEGATIVE_I64: "64-bit signless integer attribute whose minimum value is 0",
        |context, attr| integer_of(context, attr, Type::I64).is_some_and(|value| value >= 0), AttrText::Typed(Type::I64);
    POSITIVE_I32: "32-bit signless integer attribute whose value is positive",
        |context, attr| integer_of(context, attr, Type::I32).is_some_and(|value| value > 0), AttrText::Typed(Type::I32);
    LOCALITY_HINT: "32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3",
        |context, attr| {
            integer_of(context, attr, Type::I32).is_some_and(|value| (0..=3).contains(&value))
        },
        AttrText::Typed(Type::I32);
    ATOMIC_RMW_KIND: "allowed 64-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14",
        |context, attr| {
            integer_of(context, attr, Type::I64).is_some_and(|value| AtomicRmwKind::from_value(value).is_some())
        },
        AttrText::Custom(&CustomAttrText {
            parse: |p| {
                let kind = parse_enum_keyword(p, "kind", &AtomicRmwKind::ALL, AtomicRmwKind::keyword)?;
                Ok(Some(p.context().i64_attr(kind.value())))
            },
            print: |p, context, attr| {
                let kind = context.attr_integer(attr).and_then(AtomicRmwKind::from_value);
                p.text(kind.map_or("", AtomicRmwKind::keyword));
            },
        });
    MEMREF_TYPE_ATTR: "memref type attribute", |context, attr| {
        context.attr_type(attr).is_some_and(|ty| context.as_memref(ty).is_some())
    };
    INDEX_LISTS: "Array of 64-bit integer array attributes", |context, attr| {
        context.attr_array(attr).is_some_and(|groups| {
            groups.iter().all(|&group| {
                context.attr_array(group).is_some_and(|members| {
                    members.iter().all(|&m| integer_of(context, m, Type::I64).is_some())
                })
            })
        })
    };
    PERMUTATION_MAP: "AffineMap attribute", |context, attr| context.attr_affine_map(attr).is_some(),
        AttrText::Custom(&CustomAttrText {
            parse: |p| {
                let map = p.parse_affine_map_body()?;
                Ok(Some(p.context().affine_map_attr(map)))
            },
            print: |p, context, attr| {
                if let Some(map) = context.attr_affine_map(attr) {
                    p.text(&map.to_string());
                }
            },
        });
    IS_WRITE: "bool attribute", constraints::BOOL_ATTR.accepts,
        AttrText::Custom(&CustomAttrText {
            parse: |p| {
                parse_choice(p, ["read", "write"], "rw specifier has to be 'read' or 'write'")
            },
            print: |p, _, attr| p.text(if attr == Attr::TRUE { "write" } else { "read" }),
        });
    IS_DATA_CACHE: "bool attribute", constraints::BOOL_ATTR.accepts,
        AttrText::Custom(&CustomAttrText {
            parse: |p| {
                parse_choice(p, ["instr", "data"], "cache type has to be 'data' or 'instr'")
            },
            print: |p, _, attr| p.text(if attr == Attr::TRUE { "data" } else { "instr" }),
        });
}

/// Reads one of two keywords, which stand for `false` and `true`.
fn parse_choice(
    p: &mut dyn OpAsmParser<'_>,
    keywords: [&str; 2],
    message: &str,
) -> Result<Option<Attr>, Failed> {
    let keyword = p.parse_any_keyword()?;
    match keywords.iter().position(|&known| known == keyword) {
        Some(choice) => Ok(Some(Attr::bool(choice == 1))),
        None => Err(p.error(p.name_loc(), message)),
    }
}
