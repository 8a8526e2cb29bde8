//! Operations that make, move, repeat or leave out elements.

use crate::ir::constraints::I64_DENSE_ARRAY_ATTR;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, ValueSpec};

use super::assembly::{OPERANDS_WITH_COMMAS, OTHERS_WITH_COMMAS, SAME_TYPE, SLICE_RANGES};
use super::constraints::{
    DIMENSION_TENSOR, I32_TENSOR, IOTA_TENSOR, NON_NEGATIVE_I64, SCALAR_INTEGER_TENSOR,
    SCALAR_TENSOR, STATIC_DIMENSION_TENSOR, STATIC_OR_BOUNDED_TENSOR, TENSOR,
};
use super::verify;

const RESULT: &[ValueSpec] = &[ValueSpec::one("result", &TENSOR)];
const OPERAND: ValueSpec = ValueSpec::one("operand", &TENSOR);

/// Positions along a dimension.
pub static IOTA: OpDef = const {
    OpDef {
        name: "stablehlo.iota",
        results: &[ValueSpec::one("output", &IOTA_TENSOR)],
        attributes: &[AttrSpec::required(Name::IOTA_DIMENSION, &NON_NEGATIVE_I64)],
        verify: verify::iota,
        ..OpDef::PURE
    }
}
.with_format("`dim` `=` $iota_dimension attr-dict `:` type($output)");

/// The same of sizes known when it runs.
pub static DYNAMIC_IOTA: OpDef = const {
    OpDef {
        name: "stablehlo.dynamic_iota",
        operands: &[ValueSpec::one("output_shape", &STATIC_DIMENSION_TENSOR)],
        results: RESULT,
        attributes: &[AttrSpec::required(Name::IOTA_DIMENSION, &NON_NEGATIVE_I64)],
        verify: verify::iota,
        ..OpDef::PURE
    }
}
.with_format(
    "$output_shape `,` `dim` `=` $iota_dimension attr-dict `:` functional-type(operands, results)",
);

/// The same bits as other elements.
pub static BITCAST_CONVERT: OpDef = const {
    OpDef {
        name: "stablehlo.bitcast_convert",
        operands: &[OPERAND],
        results: RESULT,
        verify: verify::bitcast_convert,
        ..OpDef::PURE
    }
}
.with_format("operands attr-dict `:` functional-type(operands, results)");

/// Repeats along new dimensions in front.
pub static BROADCAST: OpDef = const {
    OpDef {
        name: "stablehlo.broadcast",
        operands: &[OPERAND],
        results: RESULT,
        attributes: &[AttrSpec::required(
            Name::BROADCAST_SIZES,
            &I64_DENSE_ARRAY_ATTR,
        )],
        verify: verify::broadcast,
        ..OpDef::PURE
    }
}
.with_format(
    "$operand `,` `sizes` `=` $broadcast_sizes attr-dict `:` functional-type(operands, results)",
);

/// Repeats along new dimensions and those of size 1.
pub static BROADCAST_IN_DIM: OpDef = const {
    OpDef {
        name: "stablehlo.broadcast_in_dim",
        operands: &[OPERAND],
        results: &[ValueSpec::one("result", &STATIC_OR_BOUNDED_TENSOR)],
        attributes: &[AttrSpec::required(Name::BROADCAST_DIMENSIONS, &I64_DENSE_ARRAY_ATTR)],
        verify: verify::broadcast_in_dim,
        ..OpDef::PURE
    }
}
.with_format(
    "$operand `,` `dims` `=` $broadcast_dimensions attr-dict `:` functional-type(operands, results)",
);

/// The same to sizes known when it runs.
pub static DYNAMIC_BROADCAST_IN_DIM: OpDef = const {
    OpDef {
        name: "stablehlo.dynamic_broadcast_in_dim",
        operands: &[
            OPERAND,
            ValueSpec::one("output_dimensions", &STATIC_DIMENSION_TENSOR),
        ],
        results: RESULT,
        attributes: &[
            AttrSpec::required(Name::BROADCAST_DIMENSIONS, &I64_DENSE_ARRAY_ATTR),
            AttrSpec::optional(Name::KNOWN_EXPANDING_DIMENSIONS, &I64_DENSE_ARRAY_ATTR),
            AttrSpec::optional(Name::KNOWN_NONEXPANDING_DIMENSIONS, &I64_DENSE_ARRAY_ATTR),
        ],
        verify: verify::broadcast_in_dim,
        ..OpDef::PURE
    }
}
.with_format(
    "$operand `,` $output_dimensions `,` `dims` `=` $broadcast_dimensions attr-dict `:` \
     functional-type(operands, results)",
);

/// One behind the other along a dimension.
pub static CONCATENATE: OpDef = const {
    OpDef {
        name: "stablehlo.concatenate",
        operands: &[ValueSpec::variadic("inputs", &TENSOR)],
        results: RESULT,
        attributes: &[AttrSpec::required(Name::DIMENSION, &NON_NEGATIVE_I64)],
        verify: verify::concatenate,
        ..OpDef::PURE
    }
}
.with_custom_format(
    "custom<OperandsWithCommas> `dim` `=` $dimension attr-dict `:` functional-type(operands, results)",
    &[&OPERANDS_WITH_COMMAS],
);

/// The size of a dimension.
pub static GET_DIMENSION_SIZE: OpDef = const {
    OpDef {
        name: "stablehlo.get_dimension_size",
        operands: &[OPERAND],
        results: &[ValueSpec::one("result", &I32_TENSOR)],
        attributes: &[AttrSpec::required(Name::DIMENSION, &NON_NEGATIVE_I64)],
        verify: verify::dimension_size,
        ..OpDef::PURE
    }
}
.with_format("$operand `,` `dim` `=` $dimension attr-dict `:` functional-type(operands, results)");

/// Says how much of a bounded dimension is used.
pub static SET_DIMENSION_SIZE: OpDef = const {
    OpDef {
        name: "stablehlo.set_dimension_size",
        operands: &[OPERAND, ValueSpec::one("size", &I32_TENSOR)],
        results: RESULT,
        attributes: &[AttrSpec::required(Name::DIMENSION, &NON_NEGATIVE_I64)],
        verify: verify::dimension_size,
        ..OpDef::PURE
    }
}
.with_format(
    "$operand `,` $size `,` `dim` `=` $dimension attr-dict `:` functional-type(operands, results)",
);

/// The same elements, in order, in another shape.
pub static RESHAPE: OpDef = const {
    OpDef {
        name: "stablehlo.reshape",
        operands: &[OPERAND],
        results: &[ValueSpec::one("result", &STATIC_OR_BOUNDED_TENSOR)],
        verify: verify::reshape,
        ..OpDef::PURE
    }
}
.with_format("operands attr-dict `:` functional-type(operands, results)");

/// The same to sizes known when it runs.
pub static DYNAMIC_RESHAPE: OpDef = const {
    OpDef {
        name: "stablehlo.dynamic_reshape",
        operands: &[
            OPERAND,
            ValueSpec::one("output_shape", &STATIC_DIMENSION_TENSOR),
        ],
        results: RESULT,
        verify: verify::dynamic_reshape,
        ..OpDef::PURE
    }
}
.with_format("operands attr-dict `:` functional-type(operands, results)");

/// Mirrors dimensions.
pub static REVERSE: OpDef = const {
    OpDef {
        name: "stablehlo.reverse",
        operands: &[OPERAND],
        results: RESULT,
        attributes: &[AttrSpec::required(Name::DIMENSIONS, &I64_DENSE_ARRAY_ATTR)],
        verify: verify::reverse,
        ..OpDef::PURE
    }
}
.with_custom_format(
    "$operand `,` `dims` `=` $dimensions attr-dict `:` custom<SameType>",
    &[&SAME_TYPE],
);

/// Surrounds and interleaves with one element, or cuts off at the edges.
pub static PAD: OpDef = const {
    OpDef {
        name: "stablehlo.pad",
        operands: &[OPERAND, ValueSpec::one("padding_value", &SCALAR_TENSOR)],
        results: RESULT,
        attributes: &[
            AttrSpec::required(Name::EDGE_PADDING_LOW, &I64_DENSE_ARRAY_ATTR),
            AttrSpec::required(Name::EDGE_PADDING_HIGH, &I64_DENSE_ARRAY_ATTR),
            AttrSpec::required(Name::INTERIOR_PADDING, &I64_DENSE_ARRAY_ATTR),
        ],
        verify: verify::pad,
        ..OpDef::PURE
    }
}
.with_format(
    "$operand `,` $padding_value `,` `low` `=` $edge_padding_low `,` `high` `=` \
     $edge_padding_high `,` `interior` `=` $interior_padding attr-dict `:` \
     functional-type(operands, results)",
);

/// The same by amounts known when it runs.
pub static DYNAMIC_PAD: OpDef = const {
    OpDef {
        name: "stablehlo.dynamic_pad",
        operands: &[
            OPERAND,
            ValueSpec::one("padding_value", &SCALAR_TENSOR),
            ValueSpec::one("edge_padding_low", &STATIC_DIMENSION_TENSOR),
            ValueSpec::one("edge_padding_high", &STATIC_DIMENSION_TENSOR),
            ValueSpec::one("interior_padding", &STATIC_DIMENSION_TENSOR),
        ],
        results: RESULT,
        verify: verify::dynamic_rank,
        ..OpDef::PURE
    }
}
.with_format("operands attr-dict `:` functional-type(operands, results)");

/// Dimensions in another order.
pub static TRANSPOSE: OpDef = const {
    OpDef {
        name: "stablehlo.transpose",
        operands: &[OPERAND],
        results: RESULT,
        attributes: &[AttrSpec::required(Name::PERMUTATION, &I64_DENSE_ARRAY_ATTR)],
        verify: verify::transpose,
        ..OpDef::PURE
    }
}
.with_format(
    "$operand `,` `dims` `=` $permutation attr-dict `:` functional-type(operands, results)",
);

/// A part with known bounds.
pub static SLICE: OpDef = const {
    OpDef {
        name: "stablehlo.slice",
        operands: &[OPERAND],
        results: RESULT,
        attributes: &[
            AttrSpec::required(Name::START_INDICES, &I64_DENSE_ARRAY_ATTR),
            AttrSpec::required(Name::LIMIT_INDICES, &I64_DENSE_ARRAY_ATTR),
            AttrSpec::required(Name::STRIDES, &I64_DENSE_ARRAY_ATTR),
        ],
        verify: verify::slice,
        ..OpDef::PURE
    }
}
.with_custom_format(
    "$operand custom<SliceRanges> attr-dict `:` functional-type(operands, results)",
    &[&SLICE_RANGES],
);

/// A part of known size; where it begins is clamped so that it lies inside.
pub static DYNAMIC_SLICE: OpDef = const {
    OpDef {
        name: "stablehlo.dynamic_slice",
        operands: &[
            OPERAND,
            ValueSpec::variadic("start_indices", &SCALAR_INTEGER_TENSOR),
        ],
        results: RESULT,
        attributes: &[AttrSpec::required(Name::SLICE_SIZES, &I64_DENSE_ARRAY_ATTR)],
        verify: verify::dynamic_slice,
        ..OpDef::PURE
    }
}
.with_custom_format(
    "$operand `,` custom<OthersWithCommas> `sizes` `=` $slice_sizes attr-dict `:` \
     functional-type(operands, results)",
    &[&OTHERS_WITH_COMMAS],
);

/// A tensor in which a part is replaced; where that begins is clamped so that it lies inside.
pub static DYNAMIC_UPDATE_SLICE: OpDef = const {
    OpDef {
        name: "stablehlo.dynamic_update_slice",
        operands: &[
            OPERAND,
            ValueSpec::one("update", &TENSOR),
            ValueSpec::variadic("start_indices", &SCALAR_INTEGER_TENSOR),
        ],
        results: RESULT,
        verify: verify::dynamic_update_slice,
        ..OpDef::PURE
    }
}
.with_format("operands attr-dict `:` functional-type(operands, results)");

/// A part whose bounds and strides are known when it runs.
pub static REAL_DYNAMIC_SLICE: OpDef = const {
    OpDef {
        name: "stablehlo.real_dynamic_slice",
        operands: &[
            OPERAND,
            ValueSpec::one("start_indices", &DIMENSION_TENSOR),
            ValueSpec::one("limit_indices", &DIMENSION_TENSOR),
            ValueSpec::one("strides", &DIMENSION_TENSOR),
        ],
        results: RESULT,
        verify: verify::dynamic_rank,
        ..OpDef::PURE
    }
}
.with_format("operands attr-dict `:` functional-type(operands, results)");
