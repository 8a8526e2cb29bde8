//! Operations whose indices are data.

use crate::ir::constraints::{BOOL_ATTR, I64_ATTR, I64_DENSE_ARRAY_ATTR};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, Traits, ValueSpec};

use super::attributes::{GATHER_DIMENSIONS, SCATTER_DIMENSIONS};
use super::constraints::{DIMENSION_TENSOR, I64_ELEMENTS, INDEX_TENSOR, INTEGER_TENSOR, TENSOR};
use super::regions::RETURN;
use super::verify;

const RESULT: &[ValueSpec] = &[ValueSpec::one("result", &TENSOR)];
const SORTED: AttrSpec = AttrSpec::optional(Name::INDICES_ARE_SORTED, &BOOL_ATTR);

/// Slices at positions that a tensor holds.
pub static GATHER: OpDef = OpDef {
    name: "stablehlo.gather",
    operands: &[
        ValueSpec::one("operand", &TENSOR),
        ValueSpec::one("start_indices", &INTEGER_TENSOR),
    ],
    results: RESULT,
    attributes: &[
        AttrSpec::required(Name::DIMENSION_NUMBERS, &GATHER_DIMENSIONS),
        AttrSpec::required(Name::SLICE_SIZES, &I64_DENSE_ARRAY_ATTR),
        SORTED,
    ],
    verify: verify::gather,
    ..OpDef::PURE
};

/// The same with slices whose size is known when it runs.
pub static DYNAMIC_GATHER: OpDef = OpDef {
    name: "stablehlo.dynamic_gather",
    operands: &[
        ValueSpec::one("operand", &TENSOR),
        ValueSpec::one("start_indices", &INTEGER_TENSOR),
        ValueSpec::one("slice_sizes", &DIMENSION_TENSOR),
    ],
    results: RESULT,
    attributes: &[
        AttrSpec::required(Name::DIMENSION_NUMBERS, &GATHER_DIMENSIONS),
        SORTED,
    ],
    verify: verify::gather,
    ..OpDef::PURE
};

/// Combines windows with the parts of tensors at positions that a tensor holds.
pub static SCATTER: OpDef = OpDef {
    name: "stablehlo.scatter",
    traits: Traits::SINGLE_BLOCK
        .and(Traits::RECURSIVE_EFFECTS)
        .and(Traits::SAME_VARIADIC_OPERAND_SIZE),
    operands: &[
        ValueSpec::variadic("inputs", &TENSOR),
        ValueSpec::one("scatter_indices", &INDEX_TENSOR),
        ValueSpec::variadic("updates", &TENSOR),
    ],
    results: &[ValueSpec::variadic("results", &TENSOR)],
    attributes: &[
        AttrSpec::required(Name::SCATTER_DIMENSION_NUMBERS, &SCATTER_DIMENSIONS),
        SORTED,
        AttrSpec::optional(Name::UNIQUE_INDICES, &BOOL_ATTR),
    ],
    regions: (1, 1),
    implicit_terminator: Some(&RETURN),
    verify: verify::scatter,
    ..OpDef::BASE
};

/// Chooses an element of each window, and combines what a second tensor has for the window with that place.
pub static SELECT_AND_SCATTER: OpDef = OpDef {
    name: "stablehlo.select_and_scatter",
    traits: Traits::SINGLE_BLOCK.and(Traits::RECURSIVE_EFFECTS),
    operands: &[
        ValueSpec::one("operand", &TENSOR),
        ValueSpec::one("source", &TENSOR),
        ValueSpec::one("init_value", &TENSOR),
    ],
    results: RESULT,
    attributes: &[
        AttrSpec::optional(Name::WINDOW_DIMENSIONS, &I64_DENSE_ARRAY_ATTR),
        AttrSpec::optional(Name::WINDOW_STRIDES, &I64_DENSE_ARRAY_ATTR),
        AttrSpec::optional(Name::PADDING, &I64_ELEMENTS),
    ],
    regions: (2, 2),
    implicit_terminator: Some(&RETURN),
    verify: verify::select_and_scatter,
    ..OpDef::BASE
};

/// Rows of a tensor by their numbers, as PyTorch has it.
pub static TORCH_INDEX_SELECT: OpDef = OpDef {
    name: "stablehlo.torch_index_select",
    operands: &[
        ValueSpec::one("operand", &TENSOR),
        ValueSpec::one("index", &TENSOR),
    ],
    results: RESULT,
    attributes: &[
        AttrSpec::required(Name::DIM, &I64_ATTR),
        AttrSpec::required(Name::BATCH_DIMS, &I64_ATTR),
    ],
    ..OpDef::PURE
};
