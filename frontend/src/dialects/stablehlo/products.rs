//! Contractions, convolutions, factorizations and transforms.

use crate::ir::attrs::Attr;
use crate::ir::constraints::{BOOL_ATTR, I64_DENSE_ARRAY_ATTR, STRING_ATTR};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, ValueSpec};

use super::assembly::{
    CONVOLUTION_DIMENSION_NUMBERS, DOT_DIMENSION_NUMBERS, PRECISION, PRECISION_AND_ALGORITHM,
    SAME_TYPE, WINDOW,
};
use super::attributes::{CONVOLUTION_DIMENSIONS, DOT_DIMENSIONS, FFT_TYPE, TRANSPOSE};
use super::constraints::{
    BOOL_DENSE_ARRAY, DOT_ALGORITHM, F32_ATTR, FLOAT_COMPLEX_OR_QUANTIZED_TENSOR,
    FLOAT_OR_COMPLEX_TENSOR, FLOAT_OR_QUANTIZED_TENSOR, FLOAT_VECTOR, I64_ELEMENTS,
    NON_NEGATIVE_I64, POSITIVE_I64, PRECISION_CONFIG, STATIC_INTEGER_MATRIX, TENSOR,
};
use super::verify;

const RESULT: &[ValueSpec] = &[ValueSpec::one("result", &TENSOR)];
const FACTORS: &[ValueSpec] = &[
    ValueSpec::one("lhs", &TENSOR),
    ValueSpec::one("rhs", &TENSOR),
];
const PRECISION_ATTR: AttrSpec = AttrSpec::optional(Name::PRECISION_CONFIG, &PRECISION_CONFIG);

/// Product of vectors and matrices.
pub static DOT: OpDef = const {
    OpDef {
        name: "stablehlo.dot",
        operands: FACTORS,
        results: RESULT,
        attributes: &[PRECISION_ATTR],
        verify: verify::dot,
        ..OpDef::PURE
    }
}
.with_custom_format(
    "$lhs `,` $rhs `` custom<Precision> attr-dict `:` functional-type(operands, results)",
    &[&PRECISION],
);

/// Product with batch and sum dimensions of any place.
pub static DOT_GENERAL: OpDef = const {
    OpDef {
        name: "stablehlo.dot_general",
        operands: FACTORS,
        results: RESULT,
        attributes: &[
            AttrSpec::required(Name::DOT_DIMENSION_NUMBERS, &DOT_DIMENSIONS),
            PRECISION_ATTR,
            AttrSpec::optional(Name::ALGORITHM, &DOT_ALGORITHM),
        ],
        verify: verify::dot_general,
        ..OpDef::PURE
    }
}
.with_custom_format(
    "$lhs `,` $rhs `,` custom<DotDimensionNumbers> `` custom<PrecisionAndAlgorithm> attr-dict `:` \
     functional-type(operands, results)",
    &[&DOT_DIMENSION_NUMBERS, &PRECISION_AND_ALGORITHM],
);

/// Product by a formula like `ij,jk->ik`.
pub static EINSUM: OpDef = const {
    OpDef {
        name: "stablehlo.einsum",
        operands: FACTORS,
        results: RESULT,
        attributes: &[AttrSpec::required(Name::EINSUM_CONFIG, &STRING_ATTR)],
        ..OpDef::PURE
    }
}
.with_format(
    "$lhs `,` $rhs `,` `config` `=` $einsum_config attr-dict `:` functional-type(operands, results)",
);

/// Sum or transposition by a formula like `ij->i`.
pub static UNARY_EINSUM: OpDef = const {
    OpDef {
        name: "stablehlo.unary_einsum",
        operands: &[ValueSpec::one("operand", &TENSOR)],
        results: RESULT,
        attributes: &[AttrSpec::required(Name::EINSUM_CONFIG, &STRING_ATTR)],
        ..OpDef::PURE
    }
}
.with_format(
    "$operand `,` `config` `=` $einsum_config attr-dict `:` functional-type(operands, results)",
);

const fn window_attributes<const N: usize>(padding: bool) -> [AttrSpec; N] {
    let mut attributes = [AttrSpec::optional(Name::WINDOW_STRIDES, &I64_DENSE_ARRAY_ATTR); N];
    let mut at = 1;
    if padding {
        attributes[at] = AttrSpec::optional(Name::PADDING, &I64_ELEMENTS);
        at += 1;
    }
    attributes[at] = AttrSpec::optional(Name::LHS_DILATION, &I64_DENSE_ARRAY_ATTR);
    attributes[at + 1] = AttrSpec::optional(Name::RHS_DILATION, &I64_DENSE_ARRAY_ATTR);
    attributes[at + 2] = AttrSpec::optional(Name::WINDOW_REVERSAL, &BOOL_DENSE_ARRAY);
    attributes[at + 3] = AttrSpec::required(Name::DIMENSION_NUMBERS, &CONVOLUTION_DIMENSIONS);
    attributes[at + 4] = AttrSpec::required(Name::FEATURE_GROUP_COUNT, &POSITIVE_I64);
    attributes[at + 5] = AttrSpec::required(Name::BATCH_GROUP_COUNT, &POSITIVE_I64);
    attributes[at + 6] = PRECISION_ATTR;
    attributes
}

/// Convolution.
pub static CONVOLUTION: OpDef = const {
    OpDef {
        name: "stablehlo.convolution",
        operands: FACTORS,
        results: RESULT,
        attributes: &const { window_attributes::<9>(true) },
        verify: verify::convolution,
        ..OpDef::PURE
    }
}
.with_custom_format(
    "`(` operands `)` `dim_numbers` `=` custom<ConvolutionDimensions> `,` `window` `=` `{` \
     custom<Window> `}` attr-dict `:` functional-type(operands, results)",
    &[&CONVOLUTION_DIMENSION_NUMBERS, &WINDOW],
);

/// Convolution with padding known when it runs.
pub static DYNAMIC_CONV: OpDef = OpDef {
    name: "stablehlo.dynamic_conv",
    operands: &[
        ValueSpec::one("lhs", &TENSOR),
        ValueSpec::one("rhs", &TENSOR),
        ValueSpec::one("padding", &STATIC_INTEGER_MATRIX),
    ],
    results: RESULT,
    attributes: &const { window_attributes::<8>(false) },
    verify: verify::convolution,
    ..OpDef::PURE
};

/// The triangular factor of a positive definite matrix.
pub static CHOLESKY: OpDef = const {
    OpDef {
        name: "stablehlo.cholesky",
        operands: &[ValueSpec::one("a", &FLOAT_COMPLEX_OR_QUANTIZED_TENSOR)],
        results: &[ValueSpec::one("result", &FLOAT_COMPLEX_OR_QUANTIZED_TENSOR)],
        attributes: &[AttrSpec::implied(Name::LOWER, &BOOL_ATTR, |_| Attr::FALSE)],
        verify: verify::cholesky,
        ..OpDef::PURE
    }
}
.with_custom_format(
    "$a (`,` `lower` `=` $lower^)? attr-dict `:` custom<SameType>",
    &[&SAME_TYPE],
);

/// The solution of a system with a triangular matrix.
pub static TRIANGULAR_SOLVE: OpDef = OpDef {
    name: "stablehlo.triangular_solve",
    operands: &[
        ValueSpec::one("a", &FLOAT_OR_COMPLEX_TENSOR),
        ValueSpec::one("b", &FLOAT_OR_COMPLEX_TENSOR),
    ],
    results: &[ValueSpec::one("result", &FLOAT_OR_COMPLEX_TENSOR)],
    attributes: &[
        AttrSpec::required(Name::LEFT_SIDE, &BOOL_ATTR),
        AttrSpec::required(Name::LOWER, &BOOL_ATTR),
        AttrSpec::required(Name::UNIT_DIAGONAL, &BOOL_ATTR),
        AttrSpec::required(Name::TRANSPOSE_A, &TRANSPOSE),
    ],
    verify: verify::triangular_solve,
    ..OpDef::PURE
};

/// Fourier transform of the last dimensions.
pub static FFT: OpDef = const {
    OpDef {
        name: "stablehlo.fft",
        operands: &[ValueSpec::one("operand", &FLOAT_OR_COMPLEX_TENSOR)],
        results: &[ValueSpec::one("result", &FLOAT_OR_COMPLEX_TENSOR)],
        attributes: &[
            AttrSpec::required(Name::FFT_TYPE, &FFT_TYPE),
            AttrSpec::required(Name::FFT_LENGTH, &I64_DENSE_ARRAY_ATTR),
        ],
        verify: verify::fft,
        ..OpDef::PURE
    }
}
.with_format(
    "$operand `,` `type` `=` $fft_type `,` `length` `=` $fft_length attr-dict `:` \
     functional-type(operands, results)",
);

const IMAGE: ValueSpec = ValueSpec::one("operand", &FLOAT_OR_QUANTIZED_TENSOR);
const SCALE: ValueSpec = ValueSpec::one("scale", &FLOAT_VECTOR);
const OFFSET: ValueSpec = ValueSpec::one("offset", &FLOAT_VECTOR);
const MEAN: ValueSpec = ValueSpec::one("mean", &FLOAT_VECTOR);
const VARIANCE: ValueSpec = ValueSpec::one("variance", &FLOAT_VECTOR);
const BATCH_NORM_ATTRS: &[AttrSpec] = &[
    AttrSpec::required(Name::EPSILON, &F32_ATTR),
    AttrSpec::required(Name::FEATURE_INDEX, &NON_NEGATIVE_I64),
];

/// Normalizes by mean and variance that are given.
pub static BATCH_NORM_INFERENCE: OpDef = OpDef {
    name: "stablehlo.batch_norm_inference",
    operands: &[IMAGE, SCALE, OFFSET, MEAN, VARIANCE],
    results: &[ValueSpec::one("result", &FLOAT_OR_QUANTIZED_TENSOR)],
    attributes: BATCH_NORM_ATTRS,
    verify: verify::batch_norm,
    ..OpDef::PURE
};

/// Normalizes by the mean and variance of the batch, and gives them.
pub static BATCH_NORM_TRAINING: OpDef = OpDef {
    name: "stablehlo.batch_norm_training",
    operands: &[IMAGE, SCALE, OFFSET],
    results: &[
        ValueSpec::one("output", &FLOAT_OR_QUANTIZED_TENSOR),
        ValueSpec::one("batch_mean", &FLOAT_VECTOR),
        ValueSpec::one("batch_var", &FLOAT_VECTOR),
    ],
    attributes: BATCH_NORM_ATTRS,
    verify: verify::batch_norm,
    result_names: Some(|ir, op, name| {
        for (&result, text) in ir
            .results(op)
            .iter()
            .zip(["output", "batch_mean", "batch_var"])
        {
            name(result, text);
        }
    }),
    ..OpDef::PURE
};

/// The gradients of the above.
pub static BATCH_NORM_GRAD: OpDef = OpDef {
    name: "stablehlo.batch_norm_grad",
    operands: &[
        IMAGE,
        SCALE,
        MEAN,
        VARIANCE,
        ValueSpec::one("grad_output", &FLOAT_OR_QUANTIZED_TENSOR),
    ],
    results: &[
        ValueSpec::one("grad_operand", &FLOAT_OR_QUANTIZED_TENSOR),
        ValueSpec::one("grad_scale", &FLOAT_VECTOR),
        ValueSpec::one("grad_offset", &FLOAT_VECTOR),
    ],
    attributes: BATCH_NORM_ATTRS,
    verify: verify::batch_norm,
    result_names: Some(|ir, op, name| {
        for (&result, text) in
            ir.results(op)
                .iter()
                .zip(["grad_operand", "grad_scale", "grad_offset"])
        {
            name(result, text);
        }
    }),
    ..OpDef::PURE
};
