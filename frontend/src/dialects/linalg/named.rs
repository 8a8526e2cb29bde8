//! The rows of the named structured operations. What they compute is in
//! [`super::table`].

use super::attributes::{
    BINARY_FUN, CAST, DILATIONS_1D, DILATIONS_2D, DILATIONS_3D, STRIDES_1D, STRIDES_2D, STRIDES_3D,
    UNARY_FUN,
};
use super::{STRUCTURED, assembly, patterns, verify};
use crate::ir::interfaces::CopyInterface;
use crate::ir::op_def::{AttrSpec, OpDef};

const NAMED: OpDef = OpDef {
    parse: Some(assembly::parse_named),
    print: Some(assembly::print_named),
    verify: verify::verify_named,
    ..STRUCTURED
};
const WITH_CAST: OpDef = OpDef {
    attributes: &[CAST],
    ..NAMED
};
const WITH_FUN_UNARY: OpDef = OpDef {
    attributes: &[UNARY_FUN, CAST],
    ..NAMED
};
const WITH_FUN_BINARY: OpDef = OpDef {
    attributes: &[BINARY_FUN, CAST],
    ..NAMED
};

const fn windowed(attributes: &'static [AttrSpec]) -> OpDef {
    OpDef {
        attributes,
        ..NAMED
    }
}

const WINDOW_1D: OpDef = windowed(&[STRIDES_1D, DILATIONS_1D]);
const WINDOW_2D: OpDef = windowed(&[STRIDES_2D, DILATIONS_2D]);
const WINDOW_3D: OpDef = windowed(&[STRIDES_3D, DILATIONS_3D]);

/// Copy of a tensor or buffer.
pub static COPY: OpDef = OpDef {
    name: "linalg.copy",
    copy: Some(&CopyInterface {
        source: |ir, op| ir.operand(op, 0),
        target: |ir, op| ir.operand(op, 1),
    }),
    canonicalize: patterns::COPY,
    ..WITH_CAST
};

/// The unary function that attribute `fun` names.
pub static ELEMWISE_UNARY: OpDef = OpDef {
    name: "linalg.elemwise_unary",
    ..WITH_FUN_UNARY
};

/// e to the power, element by element.
pub static EXP: OpDef = OpDef {
    name: "linalg.exp",
    ..NAMED
};

/// Natural logarithm, element by element.
pub static LOG: OpDef = OpDef {
    name: "linalg.log",
    ..NAMED
};

/// Absolute value, element by element.
pub static ABS: OpDef = OpDef {
    name: "linalg.abs",
    ..NAMED
};

/// Rounding up, element by element.
pub static CEIL: OpDef = OpDef {
    name: "linalg.ceil",
    ..NAMED
};

/// Rounding down, element by element.
pub static FLOOR: OpDef = OpDef {
    name: "linalg.floor",
    ..NAMED
};

/// Negation, element by element.
pub static NEGF: OpDef = OpDef {
    name: "linalg.negf",
    ..NAMED
};

/// One by the operand, element by element.
pub static RECIPROCAL: OpDef = OpDef {
    name: "linalg.reciprocal",
    ..NAMED
};

/// Rounding to the nearest whole number, element by element.
pub static ROUND: OpDef = OpDef {
    name: "linalg.round",
    ..NAMED
};

/// Square root, element by element.
pub static SQRT: OpDef = OpDef {
    name: "linalg.sqrt",
    ..NAMED
};

/// One by the square root, element by element.
pub static RSQRT: OpDef = OpDef {
    name: "linalg.rsqrt",
    ..NAMED
};

/// Square, element by element.
pub static SQUARE: OpDef = OpDef {
    name: "linalg.square",
    ..NAMED
};

/// Hyperbolic tangent, element by element.
pub static TANH: OpDef = OpDef {
    name: "linalg.tanh",
    ..NAMED
};

/// Error function, element by element.
pub static ERF: OpDef = OpDef {
    name: "linalg.erf",
    ..NAMED
};

/// The binary function that attribute `fun` names.
pub static ELEMWISE_BINARY: OpDef = OpDef {
    name: "linalg.elemwise_binary",
    ..WITH_FUN_BINARY
};

/// Sum, element by element.
pub static ADD: OpDef = OpDef {
    name: "linalg.add",
    ..NAMED
};

/// Difference, element by element.
pub static SUB: OpDef = OpDef {
    name: "linalg.sub",
    ..NAMED
};

/// Product, element by element.
pub static MUL: OpDef = OpDef {
    name: "linalg.mul",
    ..NAMED
};

/// Quotient, element by element.
pub static DIV: OpDef = OpDef {
    name: "linalg.div",
    ..NAMED
};

/// Unsigned quotient, element by element.
pub static DIV_UNSIGNED: OpDef = OpDef {
    name: "linalg.div_unsigned",
    ..NAMED
};

/// Maximum, element by element.
pub static MAX: OpDef = OpDef {
    name: "linalg.max",
    ..NAMED
};

/// Minimum, element by element.
pub static MIN: OpDef = OpDef {
    name: "linalg.min",
    ..NAMED
};

/// Power, element by element.
pub static POWF: OpDef = OpDef {
    name: "linalg.powf",
    ..NAMED
};

/// Selection, element by element.
pub static SELECT: OpDef = OpDef {
    name: "linalg.select",
    ..NAMED
};

/// Matrix product, added to the output.
pub static MATMUL: OpDef = OpDef {
    name: "linalg.matmul",
    ..WITH_CAST
};

/// Matrix product with zero points.
pub static QUANTIZED_MATMUL: OpDef = OpDef {
    name: "linalg.quantized_matmul",
    ..NAMED
};

/// Matrix product with the first matrix transposed, added to the output.
pub static MATMUL_TRANSPOSE_A: OpDef = OpDef {
    name: "linalg.matmul_transpose_a",
    ..WITH_CAST
};

/// Matrix product with the second matrix transposed, added to the output.
pub static MATMUL_TRANSPOSE_B: OpDef = OpDef {
    name: "linalg.matmul_transpose_b",
    ..WITH_CAST
};

/// Matrix product of tiled matrices, the second one transposed.
pub static MMT4D: OpDef = OpDef {
    name: "linalg.mmt4d",
    ..NAMED
};

/// Batch of products of tiled matrices.
pub static BATCH_MMT4D: OpDef = OpDef {
    name: "linalg.batch_mmt4d",
    ..NAMED
};

/// Batch of matrix products.
pub static BATCH_MATMUL: OpDef = OpDef {
    name: "linalg.batch_matmul",
    ..NAMED
};

/// Batch of matrix products, the first matrices transposed.
pub static BATCH_MATMUL_TRANSPOSE_A: OpDef = OpDef {
    name: "linalg.batch_matmul_transpose_a",
    ..NAMED
};

/// Batch of matrix products, the second matrices transposed.
pub static BATCH_MATMUL_TRANSPOSE_B: OpDef = OpDef {
    name: "linalg.batch_matmul_transpose_b",
    ..NAMED
};

/// Batch of matrix products with zero points.
pub static QUANTIZED_BATCH_MATMUL: OpDef = OpDef {
    name: "linalg.quantized_batch_matmul",
    ..NAMED
};

/// Sum of a batch of matrix products.
pub static BATCH_REDUCE_MATMUL: OpDef = OpDef {
    name: "linalg.batch_reduce_matmul",
    ..NAMED
};

/// Matrix-vector product.
pub static MATVEC: OpDef = OpDef {
    name: "linalg.matvec",
    ..NAMED
};

/// Vector-matrix product.
pub static VECMAT: OpDef = OpDef {
    name: "linalg.vecmat",
    ..NAMED
};

/// Batch of matrix-vector products.
pub static BATCH_MATVEC: OpDef = OpDef {
    name: "linalg.batch_matvec",
    ..NAMED
};

/// Batch of vector-matrix products.
pub static BATCH_VECMAT: OpDef = OpDef {
    name: "linalg.batch_vecmat",
    ..NAMED
};

/// Dot product.
pub static DOT: OpDef = OpDef {
    name: "linalg.dot",
    ..NAMED
};

/// Convolution.
pub static CONV_1D: OpDef = OpDef {
    name: "linalg.conv_1d",
    ..NAMED
};

/// Convolution.
pub static CONV_2D: OpDef = OpDef {
    name: "linalg.conv_2d",
    ..NAMED
};

/// Convolution.
pub static CONV_3D: OpDef = OpDef {
    name: "linalg.conv_3d",
    ..NAMED
};

/// Convolution, NWC images.
pub static CONV_1D_NWC_WCF: OpDef = OpDef {
    name: "linalg.conv_1d_nwc_wcf",
    ..WINDOW_1D
};

/// Convolution, NCW images.
pub static CONV_1D_NCW_FCW: OpDef = OpDef {
    name: "linalg.conv_1d_ncw_fcw",
    ..WINDOW_1D
};

/// Convolution, NHWC images.
pub static CONV_2D_NHWC_HWCF: OpDef = OpDef {
    name: "linalg.conv_2d_nhwc_hwcf",
    ..WINDOW_2D
};

/// Convolution, NHWC images.
pub static CONV_2D_NHWC_FHWC: OpDef = OpDef {
    name: "linalg.conv_2d_nhwc_fhwc",
    ..WINDOW_2D
};

/// Convolution, NHWC images with zero points.
pub static CONV_2D_NHWC_HWCF_Q: OpDef = OpDef {
    name: "linalg.conv_2d_nhwc_hwcf_q",
    ..WINDOW_2D
};

/// Convolution, NHWC images with zero points.
pub static CONV_2D_NHWC_FHWC_Q: OpDef = OpDef {
    name: "linalg.conv_2d_nhwc_fhwc_q",
    ..WINDOW_2D
};

/// Convolution, NCHW images.
pub static CONV_2D_NCHW_FCHW: OpDef = OpDef {
    name: "linalg.conv_2d_nchw_fchw",
    ..WINDOW_2D
};

/// Convolution, NGCHW images.
pub static CONV_2D_NGCHW_FGCHW: OpDef = OpDef {
    name: "linalg.conv_2d_ngchw_fgchw",
    ..WINDOW_2D
};

/// Convolution, NGCHW images.
pub static CONV_2D_NGCHW_GFCHW: OpDef = OpDef {
    name: "linalg.conv_2d_ngchw_gfchw",
    ..WINDOW_2D
};

/// Convolution, NGCHW images with zero points.
pub static CONV_2D_NGCHW_GFCHW_Q: OpDef = OpDef {
    name: "linalg.conv_2d_ngchw_gfchw_q",
    ..WINDOW_2D
};

/// Convolution, NDHWC images.
pub static CONV_3D_NDHWC_DHWCF: OpDef = OpDef {
    name: "linalg.conv_3d_ndhwc_dhwcf",
    ..WINDOW_3D
};

/// Convolution, NDHWC images with zero points.
pub static CONV_3D_NDHWC_DHWCF_Q: OpDef = OpDef {
    name: "linalg.conv_3d_ndhwc_dhwcf_q",
    ..WINDOW_3D
};

/// Convolution, NCDHW images.
pub static CONV_3D_NCDHW_FCDHW: OpDef = OpDef {
    name: "linalg.conv_3d_ncdhw_fcdhw",
    ..WINDOW_3D
};

/// Depthwise convolution, NWC images.
pub static DEPTHWISE_CONV_1D_NWC_WC: OpDef = OpDef {
    name: "linalg.depthwise_conv_1d_nwc_wc",
    ..WINDOW_1D
};

/// Depthwise convolution, NCW images.
pub static DEPTHWISE_CONV_1D_NCW_CW: OpDef = OpDef {
    name: "linalg.depthwise_conv_1d_ncw_cw",
    ..WINDOW_1D
};

/// Depthwise convolution, NWC images.
pub static DEPTHWISE_CONV_1D_NWC_WCM: OpDef = OpDef {
    name: "linalg.depthwise_conv_1d_nwc_wcm",
    ..WINDOW_1D
};

/// Depthwise convolution, NHWC images.
pub static DEPTHWISE_CONV_2D_NHWC_HWC: OpDef = OpDef {
    name: "linalg.depthwise_conv_2d_nhwc_hwc",
    ..WINDOW_2D
};

/// Depthwise convolution, NCHW images.
pub static DEPTHWISE_CONV_2D_NCHW_CHW: OpDef = OpDef {
    name: "linalg.depthwise_conv_2d_nchw_chw",
    ..WINDOW_2D
};

/// Depthwise convolution, NHWC images with zero points.
pub static DEPTHWISE_CONV_2D_NHWC_HWC_Q: OpDef = OpDef {
    name: "linalg.depthwise_conv_2d_nhwc_hwc_q",
    ..WINDOW_2D
};

/// Depthwise convolution, NHWC images.
pub static DEPTHWISE_CONV_2D_NHWC_HWCM: OpDef = OpDef {
    name: "linalg.depthwise_conv_2d_nhwc_hwcm",
    ..WINDOW_2D
};

/// Depthwise convolution, NHWC images with zero points.
pub static DEPTHWISE_CONV_2D_NHWC_HWCM_Q: OpDef = OpDef {
    name: "linalg.depthwise_conv_2d_nhwc_hwcm_q",
    ..WINDOW_2D
};

/// Depthwise convolution, NDHWC images.
pub static DEPTHWISE_CONV_3D_NDHWC_DHWC: OpDef = OpDef {
    name: "linalg.depthwise_conv_3d_ndhwc_dhwc",
    ..WINDOW_3D
};

/// Depthwise convolution, NCDHW images.
pub static DEPTHWISE_CONV_3D_NCDHW_CDHW: OpDef = OpDef {
    name: "linalg.depthwise_conv_3d_ncdhw_cdhw",
    ..WINDOW_3D
};

/// Depthwise convolution, NDHWC images.
pub static DEPTHWISE_CONV_3D_NDHWC_DHWCM: OpDef = OpDef {
    name: "linalg.depthwise_conv_3d_ndhwc_dhwcm",
    ..WINDOW_3D
};

/// Sums over windows.
pub static POOLING_NHWC_SUM: OpDef = OpDef {
    name: "linalg.pooling_nhwc_sum",
    ..WINDOW_2D
};

/// Sums over windows.
pub static POOLING_NCHW_SUM: OpDef = OpDef {
    name: "linalg.pooling_nchw_sum",
    ..WINDOW_2D
};

/// Maxima over windows.
pub static POOLING_NHWC_MAX: OpDef = OpDef {
    name: "linalg.pooling_nhwc_max",
    ..WINDOW_2D
};

/// Unsigned maxima over windows.
pub static POOLING_NHWC_MAX_UNSIGNED: OpDef = OpDef {
    name: "linalg.pooling_nhwc_max_unsigned",
    ..WINDOW_2D
};

/// Maxima over windows.
pub static POOLING_NCHW_MAX: OpDef = OpDef {
    name: "linalg.pooling_nchw_max",
    ..WINDOW_2D
};

/// Minima over windows.
pub static POOLING_NHWC_MIN: OpDef = OpDef {
    name: "linalg.pooling_nhwc_min",
    ..WINDOW_2D
};

/// Unsigned minima over windows.
pub static POOLING_NHWC_MIN_UNSIGNED: OpDef = OpDef {
    name: "linalg.pooling_nhwc_min_unsigned",
    ..WINDOW_2D
};

/// Sums over windows.
pub static POOLING_NWC_SUM: OpDef = OpDef {
    name: "linalg.pooling_nwc_sum",
    ..WINDOW_1D
};

/// Sums over windows.
pub static POOLING_NCW_SUM: OpDef = OpDef {
    name: "linalg.pooling_ncw_sum",
    ..WINDOW_1D
};

/// Maxima over windows.
pub static POOLING_NWC_MAX: OpDef = OpDef {
    name: "linalg.pooling_nwc_max",
    ..WINDOW_1D
};

/// Unsigned maxima over windows.
pub static POOLING_NWC_MAX_UNSIGNED: OpDef = OpDef {
    name: "linalg.pooling_nwc_max_unsigned",
    ..WINDOW_1D
};

/// Maxima over windows.
pub static POOLING_NCW_MAX: OpDef = OpDef {
    name: "linalg.pooling_ncw_max",
    ..WINDOW_1D
};

/// Minima over windows.
pub static POOLING_NWC_MIN: OpDef = OpDef {
    name: "linalg.pooling_nwc_min",
    ..WINDOW_1D
};

/// Unsigned minima over windows.
pub static POOLING_NWC_MIN_UNSIGNED: OpDef = OpDef {
    name: "linalg.pooling_nwc_min_unsigned",
    ..WINDOW_1D
};

/// Sums over windows.
pub static POOLING_NDHWC_SUM: OpDef = OpDef {
    name: "linalg.pooling_ndhwc_sum",
    ..WINDOW_3D
};

/// Maxima over windows.
pub static POOLING_NDHWC_MAX: OpDef = OpDef {
    name: "linalg.pooling_ndhwc_max",
    ..WINDOW_3D
};

/// Minima over windows.
pub static POOLING_NDHWC_MIN: OpDef = OpDef {
    name: "linalg.pooling_ndhwc_min",
    ..WINDOW_3D
};

/// Fills with a scalar.
pub static FILL: OpDef = OpDef {
    name: "linalg.fill",
    ..NAMED
};

/// Fills with pseudo-random numbers between two bounds.
pub static FILL_RNG_2D: OpDef = OpDef {
    name: "linalg.fill_rng_2d",
    ..NAMED
};
