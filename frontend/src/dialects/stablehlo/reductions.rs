//! Operations with a body for single elements that see many of them.

use crate::ir::constraints::{BOOL_ATTR, I64_ATTR, I64_DENSE_ARRAY_ATTR};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, Traits, ValueSpec};

use super::assembly::{parse_reduce, print_reduce};
use super::constraints::{I64_ELEMENTS, TENSOR};
use super::elementwise::{ADD, AND, MAXIMUM, MINIMUM, MULTIPLY, OR, XOR};
use super::regions::RETURN;
use super::verify;

const WITH_BODY: OpDef = OpDef {
    traits: Traits::SINGLE_BLOCK.and(Traits::RECURSIVE_EFFECTS),
    results: &[ValueSpec::variadic("results", &TENSOR)],
    regions: (1, 1),
    implicit_terminator: Some(&RETURN),
    ..OpDef::BASE
};
const INPUTS_AND_INITS: &[ValueSpec] = &[
    ValueSpec::variadic("inputs", &TENSOR),
    ValueSpec::variadic("init_values", &TENSOR),
];

/// Whether reductions by this operation alone are written by its name.
pub(super) fn is_compact_combiner(def: &OpDef) -> bool {
    [&ADD, &MULTIPLY, &MINIMUM, &MAXIMUM, &AND, &OR, &XOR]
        .iter()
        .any(|row| std::ptr::eq(*row, def))
}

/// Combines elements along dimensions, in any order.
pub static REDUCE: OpDef = OpDef {
    name: "stablehlo.reduce",
    traits: WITH_BODY.traits.and(Traits::SAME_VARIADIC_OPERAND_SIZE),
    operands: INPUTS_AND_INITS,
    attributes: &[AttrSpec::required(Name::DIMENSIONS, &I64_DENSE_ARRAY_ATTR)],
    parse: Some(parse_reduce),
    print: Some(print_reduce),
    verify: verify::reduce,
    ..WITH_BODY
};

/// Combines elements of windows, in any order.
pub static REDUCE_WINDOW: OpDef = OpDef {
    name: "stablehlo.reduce_window",
    traits: WITH_BODY.traits.and(Traits::SAME_VARIADIC_OPERAND_SIZE),
    operands: INPUTS_AND_INITS,
    attributes: &[
        AttrSpec::required(Name::WINDOW_DIMENSIONS, &I64_DENSE_ARRAY_ATTR),
        AttrSpec::optional(Name::WINDOW_STRIDES, &I64_DENSE_ARRAY_ATTR),
        AttrSpec::optional(Name::BASE_DILATIONS, &I64_DENSE_ARRAY_ATTR),
        AttrSpec::optional(Name::WINDOW_DILATIONS, &I64_DENSE_ARRAY_ATTR),
        AttrSpec::optional(Name::PADDING, &I64_ELEMENTS),
    ],
    verify: verify::reduce_window,
    ..WITH_BODY
};

/// Sorts along a dimension, all inputs by one order.
pub static SORT: OpDef = OpDef {
    name: "stablehlo.sort",
    operands: &[ValueSpec::variadic("inputs", &TENSOR)],
    attributes: &[
        AttrSpec::optional(Name::DIMENSION, &I64_ATTR),
        AttrSpec::optional(Name::IS_STABLE, &BOOL_ATTR),
    ],
    verify: verify::sort,
    ..WITH_BODY
};

/// Computes each element by a body.
pub static MAP: OpDef = OpDef {
    name: "stablehlo.map",
    operands: &[ValueSpec::variadic("inputs", &TENSOR)],
    results: &[ValueSpec::one("result", &TENSOR)],
    attributes: &[AttrSpec::required(Name::DIMENSIONS, &I64_DENSE_ARRAY_ATTR)],
    verify: verify::map,
    ..WITH_BODY
};
