//! Attributes of structured operations: iterator types, functions, strides.

use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::constraints;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrConstraint, AttrSpec, AttrText};
use crate::ir::types::Type;

use super::description::{BinaryFn, UnaryFn};

/// How a loop of a structured operation may be run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IteratorType {
    /// Iterations are independent.
    Parallel,
    /// Iterations combine into one result.
    Reduction,
    /// Another kind that is not parallel.
    Window,
}

impl IteratorType {
    /// The keyword in the text format.
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::Parallel => "parallel",
            Self::Reduction => "reduction",
            Self::Window => "window",
        }
    }

    /// The type with this keyword.
    pub fn from_keyword(keyword: &str) -> Option<Self> {
        [Self::Parallel, Self::Reduction, Self::Window]
            .into_iter()
            .find(|iterator| iterator.keyword() == keyword)
    }

    /// `#linalg.iterator_type<parallel>`
    pub fn to_attr(self, context: &Context) -> Attr {
        enum_attr(context, "iterator_type", self.keyword())
    }

    /// The type that an attribute holds.
    pub fn from_attr(context: &Context, attr: Attr) -> Option<Self> {
        Self::from_keyword(enum_keyword(context, attr, "iterator_type")?)
    }
}

/// `#linalg.mnemonic<keyword>`
pub(super) fn enum_attr(context: &Context, mnemonic: &str, keyword: &str) -> Attr {
    context.intern_attr(AttrKind::Dialect {
        dialect: context.intern_name("linalg"),
        body: format!("{mnemonic}<{keyword}>").into(),
        ty: None,
    })
}

/// The keyword in `#linalg.mnemonic<keyword>`.
pub(super) fn enum_keyword<'a>(
    context: &'a Context,
    attr: Attr,
    mnemonic: &str,
) -> Option<&'a str> {
    let AttrKind::Dialect { dialect, body, .. } = context.attr_kind(attr) else {
        return None;
    };
    if context.name(*dialect) != "linalg" {
        return None;
    }
    let keyword = body.strip_prefix(mnemonic)?.trim_start();
    Some(keyword.strip_prefix('<')?.strip_suffix('>')?.trim())
}

/// Whether casts of the operation with these attributes read as unsigned.
pub(super) fn is_unsigned_cast(context: &Context, cast: Option<Attr>) -> bool {
    cast.and_then(|attr| enum_keyword(context, attr, "type_fn")) == Some("cast_unsigned")
}

/// The function in attribute `fun`, if there is one.
pub(super) fn unary_fun(context: &Context, fun: Option<Attr>) -> Option<UnaryFn> {
    UnaryFn::from_keyword(enum_keyword(context, fun?, "unary_fn")?)
}

/// The function in attribute `fun`, if there is one.
pub(super) fn binary_fun(context: &Context, fun: Option<Attr>) -> Option<BinaryFn> {
    BinaryFn::from_keyword(enum_keyword(context, fun?, "binary_fn")?)
}

static CAST_ATTR: AttrConstraint = AttrConstraint {
    description: "allowed 32-bit signless integer cases: 0, 1",
    accepts: |context, attr| {
        matches!(
            enum_keyword(context, attr, "type_fn"),
            Some("cast_signed" | "cast_unsigned")
        )
    },
    ..AttrConstraint::BASE
};
static UNARY_FUN_ATTR: AttrConstraint = AttrConstraint {
    description: "allowed 32-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12",
    accepts: |context, attr| unary_fun(context, Some(attr)).is_some(),
    ..AttrConstraint::BASE
};
static BINARY_FUN_ATTR: AttrConstraint = AttrConstraint {
    description: "allowed 32-bit signless integer cases: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9",
    accepts: |context, attr| binary_fun(context, Some(attr)).is_some(),
    ..AttrConstraint::BASE
};
static ITERATOR_TYPES_ATTR: AttrConstraint = AttrConstraint {
    description: "Iterator type should be an enum.",
    accepts: |context, attr| {
        context.attr_array(attr).is_some_and(|types| {
            types
                .iter()
                .all(|&ty| IteratorType::from_attr(context, ty).is_some())
        })
    },
    ..AttrConstraint::BASE
};
static INDEXING_MAPS_ATTR: AttrConstraint = AttrConstraint {
    description: "AffineMap array attribute",
    accepts: |context, attr| {
        context.attr_array(attr).is_some_and(|maps| {
            maps.iter()
                .all(|&map| context.attr_affine_map(map).is_some())
        })
    },
    ..AttrConstraint::BASE
};
static SORTED_DIMENSIONS_ATTR: AttrConstraint = AttrConstraint {
    description: "i64 dense array attribute should be in increasing order",
    accepts: |context, attr| {
        context
            .attr_i64_array(attr)
            .is_some_and(|dims| dims.windows(2).all(|pair| pair[0] < pair[1]))
    },
    ..AttrConstraint::BASE
};
static NON_NEGATIVE_I64_ATTR: AttrConstraint = AttrConstraint {
    description: "64-bit signless integer attribute whose minimum value is 0",
    accepts: |context, attr| {
        (constraints::I64_ATTR.accepts)(context, attr)
            && context.attr_integer(attr).is_some_and(|value| value >= 0)
    },
    text: AttrText::Typed(Type::I64),
};

/// The numbers of a `dense<...> : tensor<nxi64>` (or vector).
pub(crate) fn dense_i64(context: &Context, attr: Attr) -> Option<Vec<i64>> {
    let dense = context.attr_dense(attr)?;
    if context.element_type_or_self(dense.ty) != Type::I64 {
        return None;
    }
    let [n] = context.shape(dense.ty)? else {
        return None;
    };
    let read = |bytes: &[u8; 8]| i64::from_le_bytes(*bytes);
    let numbers: Vec<i64> = dense.bytes.as_chunks().0.iter().map(read).collect();
    if dense.splat {
        return Some(vec![*numbers.first()?; usize::try_from(*n).ok()?]);
    }
    Some(numbers)
}

fn has_n_numbers(context: &Context, attr: Attr, n: usize) -> bool {
    dense_i64(context, attr).is_some_and(|numbers| numbers.len() == n)
}

static WINDOW_1D_ATTR: AttrConstraint = AttrConstraint {
    description: "64-bit signless int elements attribute of shape [1]",
    accepts: |context, attr| has_n_numbers(context, attr, 1),
    ..AttrConstraint::BASE
};
static WINDOW_2D_ATTR: AttrConstraint = AttrConstraint {
    description: "64-bit signless int elements attribute of shape [2]",
    accepts: |context, attr| has_n_numbers(context, attr, 2),
    ..AttrConstraint::BASE
};
static WINDOW_3D_ATTR: AttrConstraint = AttrConstraint {
    description: "64-bit signless int elements attribute of shape [3]",
    accepts: |context, attr| has_n_numbers(context, attr, 3),
    ..AttrConstraint::BASE
};

pub(super) const CAST: AttrSpec = AttrSpec::optional(Name::CAST, &CAST_ATTR);
pub(super) const UNARY_FUN: AttrSpec = AttrSpec::optional(Name::FUN, &UNARY_FUN_ATTR);
pub(super) const BINARY_FUN: AttrSpec = AttrSpec::optional(Name::FUN, &BINARY_FUN_ATTR);
pub(super) const STRIDES_1D: AttrSpec = AttrSpec::optional(Name::STRIDES, &WINDOW_1D_ATTR);
pub(super) const STRIDES_2D: AttrSpec = AttrSpec::optional(Name::STRIDES, &WINDOW_2D_ATTR);
pub(super) const STRIDES_3D: AttrSpec = AttrSpec::optional(Name::STRIDES, &WINDOW_3D_ATTR);
pub(super) const DILATIONS_1D: AttrSpec = AttrSpec::optional(Name::DILATIONS, &WINDOW_1D_ATTR);
pub(super) const DILATIONS_2D: AttrSpec = AttrSpec::optional(Name::DILATIONS, &WINDOW_2D_ATTR);
pub(super) const DILATIONS_3D: AttrSpec = AttrSpec::optional(Name::DILATIONS, &WINDOW_3D_ATTR);
pub(super) const INDEXING_MAPS: AttrSpec =
    AttrSpec::required(Name::INDEXING_MAPS, &INDEXING_MAPS_ATTR);
pub(super) const ITERATOR_TYPES: AttrSpec =
    AttrSpec::required(Name::ITERATOR_TYPES, &ITERATOR_TYPES_ATTR);
pub(super) const DIM: AttrSpec = AttrSpec::required(Name::DIM, &NON_NEGATIVE_I64_ATTR);
pub(super) const DIMENSIONS: AttrSpec =
    AttrSpec::required(Name::DIMENSIONS, &constraints::I64_DENSE_ARRAY_ATTR);
pub(super) const SORTED_DIMENSIONS: AttrSpec =
    AttrSpec::required(Name::DIMENSIONS, &SORTED_DIMENSIONS_ATTR);
pub(super) const PERMUTATION: AttrSpec =
    AttrSpec::required(Name::PERMUTATION, &constraints::I64_DENSE_ARRAY_ATTR);
pub(super) const DIMENSION: AttrSpec = AttrSpec::required(Name::DIMENSION, &constraints::I64_ATTR);

/// The numbers of an `array<i64: ...>` attribute; empty if there is none.
pub(super) fn i64_array(ir: &Ir, op: Op, name: Name) -> Vec<i64> {
    ir.attr(op, name)
        .and_then(|attr| ir.context().attr_i64_array(attr))
        .unwrap_or_default()
}
