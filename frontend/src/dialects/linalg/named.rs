//! The named structured operations: one line each. Rows, indexing maps,
//! iterator types, region building and the lowering to loops all come from it.
//!
//! A line says the name, the subscripts of inputs and output in index notation
//! ([`Indices`]), what the body yields, and what the row starts from.

use super::attributes::{
    BINARY_FUN, CAST as CAST_ATTR, DILATIONS_1D, DILATIONS_2D, DILATIONS_3D, STRIDES_1D,
    STRIDES_2D, STRIDES_3D, UNARY_FUN,
};
use super::description::{BinaryFn, Expr, Indices, NamedOp, Target, TypeFn, UnaryFn};
use super::interface::indexing_maps;
use super::{STRUCTURED, assembly, patterns, verify};
use crate::ir::attrs::Attr;
use crate::ir::interfaces::CopyInterface;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, Generic22, OpDef};
use Expr::{Arg, Binary, BinaryAttr, Cast, Float, Int, LoopIndex, Select, Unary, UnaryAttr};

const NAMED: OpDef = OpDef {
    parse: Some(assembly::parse_named),
    print: Some(assembly::print_named),
    verify: verify::verify_named,
    ..STRUCTURED
};
const WITH_CAST: OpDef = OpDef {
    attributes: &[CAST_ATTR],
    ..NAMED
};
/// Operations whose maps are an inherent attribute in MLIR 22.
const WITH_MAPS: OpDef = OpDef {
    generic_22: Generic22 {
        inherent: &[(Name::MEMOIZED_INDEXING_MAPS, Name::INDEXING_MAPS)],
        added: Some(|ir, op| {
            let is_there = ir.has_attr(op, Name::MEMOIZED_INDEXING_MAPS);
            let context = ir.context();
            let maps = indexing_maps(ir, op).into_iter();
            let maps: Vec<Attr> = maps.map(|map| context.affine_map_attr(map)).collect();
            (!is_there).then(|| (Name::INDEXING_MAPS, context.array_attr(&maps)))
        }),
        ..Generic22::NOTHING
    },
    ..NAMED
};
const WITH_CAST_AND_MAPS: OpDef = OpDef {
    generic_22: WITH_MAPS.generic_22,
    ..WITH_CAST
};
const WITH_FUN_UNARY: OpDef = OpDef {
    attributes: &[UNARY_FUN, CAST_ATTR],
    ..NAMED
};
const WITH_FUN_BINARY: OpDef = OpDef {
    attributes: &[BINARY_FUN, CAST_ATTR],
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

const COPYING: OpDef = OpDef {
    copy: Some(&CopyInterface {
        source: |ir, op| ir.operand(op, 0),
        target: |ir, op| ir.operand(op, 1),
    }),
    canonicalize: patterns::COPY,
    ..WITH_CAST
};

/// An input, cast to the output.
const fn input(argument: &'static Expr) -> Expr {
    Cast(TypeFn::Signed, Target::Out, argument)
}

const fn product(lhs: &'static Expr, rhs: &'static Expr) -> Expr {
    Binary(BinaryFn::Mul, lhs, rhs)
}

/// `in`
const CAST: Expr = input(&Arg(0));
/// `out + in0 * in1`
const MUL_ADD: Expr = Binary(
    BinaryFn::Add,
    &Arg(2),
    &product(&input(&Arg(0)), &input(&Arg(1))),
);
/// `out + in0 * in1`, cast as attribute `cast` says.
const MUL_ADD_ATTR: Expr = Binary(
    BinaryFn::Add,
    &Arg(2),
    &product(
        &Cast(TypeFn::Attr, Target::Out, &Arg(0)),
        &Cast(TypeFn::Attr, Target::Out, &Arg(1)),
    ),
);
/// `out + (in0 - zero0) * (in1 - zero1)`
const QUANTIZED: Expr = Binary(
    BinaryFn::Add,
    &Arg(4),
    &product(
        &Binary(BinaryFn::Sub, &input(&Arg(0)), &input(&Arg(2))),
        &Binary(BinaryFn::Sub, &input(&Arg(1)), &input(&Arg(3))),
    ),
);
const POOL_SUM: Expr = Binary(BinaryFn::Add, &Arg(2), &input(&Arg(0)));
const POOL_MAX: Expr = Binary(BinaryFn::MaxSigned, &Arg(2), &input(&Arg(0)));
const POOL_MIN: Expr = Binary(BinaryFn::MinSigned, &Arg(2), &input(&Arg(0)));
const UNSIGNED_INPUT: Expr = Cast(TypeFn::Unsigned, Target::Out, &Arg(0));
const POOL_MAX_UNSIGNED: Expr = Binary(BinaryFn::MaxUnsigned, &Arg(2), &UNSIGNED_INPUT);
const POOL_MIN_UNSIGNED: Expr = Binary(BinaryFn::MinUnsigned, &Arg(2), &UNSIGNED_INPUT);

const fn to_i32(argument: &'static Expr) -> Expr {
    Cast(TypeFn::Signed, Target::I32, argument)
}

const fn to_f64(argument: &'static Expr) -> Expr {
    Cast(TypeFn::Signed, Target::F64, argument)
}

/// One step of the linear congruential generator.
const fn congruential_step(state: &'static Expr) -> Expr {
    Binary(BinaryFn::Add, state, const { &to_i32(&Int(12345)) })
}

const MULTIPLIER: Expr = to_i32(&Int(1_103_515_245));
/// The state after the first loop's counter was mixed in.
const STATE_0: Expr = congruential_step(&Binary(
    BinaryFn::Mul,
    &Binary(BinaryFn::Add, &to_i32(&LoopIndex(0)), &Arg(2)),
    &MULTIPLIER,
));
/// The state after both were.
const STATE_1: Expr = congruential_step(&Binary(
    BinaryFn::Mul,
    &Binary(BinaryFn::Add, &to_i32(&LoopIndex(1)), &STATE_0),
    &MULTIPLIER,
));
/// A number between the first and the second argument.
const RANDOM: Expr = Cast(
    TypeFn::Signed,
    Target::Out,
    &Binary(
        BinaryFn::Add,
        &Binary(
            BinaryFn::Mul,
            &Binary(
                BinaryFn::Add,
                &to_f64(&Int(2_147_483_647)),
                &to_f64(&STATE_1),
            ),
            &Binary(
                BinaryFn::Mul,
                &Binary(BinaryFn::Sub, &Arg(1), &Arg(0)),
                &to_f64(&Float(2.328_306_4E-10)),
            ),
        ),
        &Arg(0),
    ),
);

/// Declares the rows, [`TABLE`] and [`ROWS`].
macro_rules! named_ops {
    ($($(#[$meta:meta])* $row:ident = $name:literal, $indices:literal, $body:expr, $base:ident;)*) => {
        $(
            $(#[$meta])*
            #[doc = concat!("\n\n`", $indices, "`")]
            pub static $row: OpDef = OpDef { name: $name, ..$base };
        )*

        /// All named operations, sorted by name.
        pub static TABLE: &[NamedOp] = &[$(
            NamedOp { def: &$row, indices: Indices::parse($indices), body: &$body },
        )*];

        /// Their rows.
        pub(super) static ROWS: [&OpDef; TABLE.len()] = [$(&$row),*];
    };
}

// Keep sorted by name.
named_ops! {
    /// Absolute value, element by element.
    ABS = "linalg.abs", "[..] -> [..]", Unary(UnaryFn::Abs, &Arg(0)), NAMED;
    /// Sum, element by element.
    ADD = "linalg.add", "[..], [..] -> [..]", Binary(BinaryFn::Add, &Arg(0), &Arg(1)), NAMED;
    /// Batch of matrix products.
    BATCH_MATMUL = "linalg.batch_matmul",
        "b m n k: [b, m, k], [b, k, n] -> [b, m, n]",
        MUL_ADD, WITH_MAPS;
    /// Batch of matrix products, the first matrices transposed.
    BATCH_MATMUL_TRANSPOSE_A = "linalg.batch_matmul_transpose_a",
        "b m n k: [b, k, m], [b, k, n] -> [b, m, n]",
        MUL_ADD, NAMED;
    /// Batch of matrix products, the second matrices transposed.
    BATCH_MATMUL_TRANSPOSE_B = "linalg.batch_matmul_transpose_b",
        "b m n k: [b, m, k], [b, n, k] -> [b, m, n]",
        MUL_ADD, NAMED;
    /// Batch of matrix-vector products.
    BATCH_MATVEC = "linalg.batch_matvec", "b m k: [b, m, k], [b, k] -> [b, m]", MUL_ADD, NAMED;
    /// Batch of products of tiled matrices.
    BATCH_MMT4D = "linalg.batch_mmt4d",
        "b m n k m0 n0 k0: [b, m, k, m0, k0], [b, n, k, n0, k0] -> [b, m, n, m0, n0]",
        MUL_ADD, NAMED;
    /// Sum of a batch of matrix products.
    BATCH_REDUCE_MATMUL = "linalg.batch_reduce_matmul",
        "b m n k: [b, m, k], [b, k, n] -> [m, n]",
        MUL_ADD, WITH_MAPS;
    /// Batch of vector-matrix products.
    BATCH_VECMAT = "linalg.batch_vecmat", "b n k: [b, k], [b, k, n] -> [b, n]", MUL_ADD, NAMED;
    /// Rounding up, element by element.
    CEIL = "linalg.ceil", "[..] -> [..]", Unary(UnaryFn::Ceil, &Arg(0)), NAMED;
    /// Convolution.
    CONV_1D = "linalg.conv_1d", "w kw: [w + kw], [kw] -> [w]", MUL_ADD, NAMED;
    /// Convolution, NCW images.
    CONV_1D_NCW_FCW = "linalg.conv_1d_ncw_fcw",
        "n f w c kw: [n, c, w*s0 + kw*d0], [f, c, kw] -> [n, f, w]",
        MUL_ADD, WINDOW_1D;
    /// Convolution, NWC images.
    CONV_1D_NWC_WCF = "linalg.conv_1d_nwc_wcf",
        "n w f kw c: [n, w*s0 + kw*d0, c], [kw, c, f] -> [n, w, f]",
        MUL_ADD, WINDOW_1D;
    /// Convolution.
    CONV_2D = "linalg.conv_2d", "h w kh kw: [h + kh, w + kw], [kh, kw] -> [h, w]", MUL_ADD, NAMED;
    /// Convolution, NCHW images.
    CONV_2D_NCHW_FCHW = "linalg.conv_2d_nchw_fchw",
        "n f h w c kh kw: [n, c, h*s0 + kh*d0, w*s1 + kw*d1], [f, c, kh, kw] -> [n, f, h, w]",
        MUL_ADD, WINDOW_2D;
    /// Convolution, NCHW images with zero points.
    CONV_2D_NCHW_FCHW_Q = "linalg.conv_2d_nchw_fchw_q",
        "n f h w c kh kw: [n, c, h*s0 + kh*d0, w*s1 + kw*d1], [f, c, kh, kw], [], [] -> [n, f, h, w]",
        QUANTIZED, WINDOW_2D;
    /// Convolution, NGCHW images.
    CONV_2D_NGCHW_FGCHW = "linalg.conv_2d_ngchw_fgchw",
        "n g f h w c kh kw: [n, g, c, h*s0 + kh*d0, w*s1 + kw*d1], [f, g, c, kh, kw] -> [n, g, f, h, w]",
        MUL_ADD, WINDOW_2D;
    /// Convolution, NGCHW images.
    CONV_2D_NGCHW_GFCHW = "linalg.conv_2d_ngchw_gfchw",
        "n g f h w c kh kw: [n, g, c, h*s0 + kh*d0, w*s1 + kw*d1], [g, f, c, kh, kw] -> [n, g, f, h, w]",
        MUL_ADD, WINDOW_2D;
    /// Convolution, NGCHW images with zero points.
    CONV_2D_NGCHW_GFCHW_Q = "linalg.conv_2d_ngchw_gfchw_q",
        "n g f h w c kh kw: [n, g, c, h*s0 + kh*d0, w*s1 + kw*d1], [g, f, c, kh, kw], [], [] -> [n, g, f, h, w]",
        QUANTIZED, WINDOW_2D;
    /// Convolution, NHWC images.
    CONV_2D_NHWC_FHWC = "linalg.conv_2d_nhwc_fhwc",
        "n h w f kh kw c: [n, h*s0 + kh*d0, w*s1 + kw*d1, c], [f, kh, kw, c] -> [n, h, w, f]",
        MUL_ADD, WINDOW_2D;
    /// Convolution, NHWC images with zero points.
    CONV_2D_NHWC_FHWC_Q = "linalg.conv_2d_nhwc_fhwc_q",
        "n h w f kh kw c: [n, h*s0 + kh*d0, w*s1 + kw*d1, c], [f, kh, kw, c], [], [] -> [n, h, w, f]",
        QUANTIZED, WINDOW_2D;
    /// Convolution, NHWC images.
    CONV_2D_NHWC_HWCF = "linalg.conv_2d_nhwc_hwcf",
        "n h w f kh kw c: [n, h*s0 + kh*d0, w*s1 + kw*d1, c], [kh, kw, c, f] -> [n, h, w, f]",
        MUL_ADD, WINDOW_2D;
    /// Convolution, NHWC images with zero points.
    CONV_2D_NHWC_HWCF_Q = "linalg.conv_2d_nhwc_hwcf_q",
        "n h w f kh kw c: [n, h*s0 + kh*d0, w*s1 + kw*d1, c], [kh, kw, c, f], [], [] -> [n, h, w, f]",
        QUANTIZED, WINDOW_2D;
    /// Convolution, NHWGC images.
    CONV_2D_NHWGC_GFHWC = "linalg.conv_2d_nhwgc_gfhwc",
        "n h w g f kh kw c: [n, h*s0 + kh*d0, w*s1 + kw*d1, g, c], [g, f, kh, kw, c] -> [n, h, w, g, f]",
        MUL_ADD, WINDOW_2D;
    /// Convolution, NHWGC images with zero points.
    CONV_2D_NHWGC_GFHWC_Q = "linalg.conv_2d_nhwgc_gfhwc_q",
        "n h w g f kh kw c: [n, h*s0 + kh*d0, w*s1 + kw*d1, g, c], [g, f, kh, kw, c], [], [] -> [n, h, w, g, f]",
        QUANTIZED, WINDOW_2D;
    /// Convolution.
    CONV_3D = "linalg.conv_3d",
        "d h w kd kh kw: [d + kd, h + kh, w + kw], [kd, kh, kw] -> [d, h, w]",
        MUL_ADD, NAMED;
    /// Convolution, NCDHW images.
    CONV_3D_NCDHW_FCDHW = "linalg.conv_3d_ncdhw_fcdhw",
        "n d h w f kd kh kw c: [n, c, d*s0 + kd*d0, h*s1 + kh*d1, w*s2 + kw*d2], [f, c, kd, kh, kw] -> [n, f, d, h, w]",
        MUL_ADD, WINDOW_3D;
    /// Convolution, NDHWC images.
    CONV_3D_NDHWC_DHWCF = "linalg.conv_3d_ndhwc_dhwcf",
        "n d h w f kd kh kw c: [n, d*s0 + kd*d0, h*s1 + kh*d1, w*s2 + kw*d2, c], [kd, kh, kw, c, f] -> [n, d, h, w, f]",
        MUL_ADD, WINDOW_3D;
    /// Convolution, NDHWC images with zero points.
    CONV_3D_NDHWC_DHWCF_Q = "linalg.conv_3d_ndhwc_dhwcf_q",
        "n d h w f kd kh kw c: [n, d*s0 + kd*d0, h*s1 + kh*d1, w*s2 + kw*d2, c], [kd, kh, kw, c, f], [], [] -> [n, d, h, w, f]",
        QUANTIZED, WINDOW_3D;
    /// Copy of a tensor or buffer.
    COPY = "linalg.copy", "[..] -> [..]", Cast(TypeFn::Attr, Target::Out, &Arg(0)), COPYING;
    /// Depthwise convolution, NCW images.
    DEPTHWISE_CONV_1D_NCW_CW = "linalg.depthwise_conv_1d_ncw_cw",
        "n w c kw: [n, c, w*s0 + kw*d0], [c, kw] -> [n, c, w]",
        MUL_ADD, WINDOW_1D;
    /// Depthwise convolution, NWC images.
    DEPTHWISE_CONV_1D_NWC_WC = "linalg.depthwise_conv_1d_nwc_wc",
        "n w c kw: [n, w*s0 + kw*d0, c], [kw, c] -> [n, w, c]",
        MUL_ADD, WINDOW_1D;
    /// Depthwise convolution, NWC images.
    DEPTHWISE_CONV_1D_NWC_WCM = "linalg.depthwise_conv_1d_nwc_wcm",
        "n w c m kw: [n, w*s0 + kw*d0, c], [kw, c, m] -> [n, w, c, m]",
        MUL_ADD, WINDOW_1D;
    /// Depthwise convolution, NCHW images.
    DEPTHWISE_CONV_2D_NCHW_CHW = "linalg.depthwise_conv_2d_nchw_chw",
        "n h w c kh kw: [n, c, h*s0 + kh*d0, w*s1 + kw*d1], [c, kh, kw] -> [n, c, h, w]",
        MUL_ADD, WINDOW_2D;
    /// Depthwise convolution, NHWC images.
    DEPTHWISE_CONV_2D_NHWC_HWC = "linalg.depthwise_conv_2d_nhwc_hwc",
        "n h w c kh kw: [n, h*s0 + kh*d0, w*s1 + kw*d1, c], [kh, kw, c] -> [n, h, w, c]",
        MUL_ADD, WINDOW_2D;
    /// Depthwise convolution, NHWC images with zero points.
    DEPTHWISE_CONV_2D_NHWC_HWC_Q = "linalg.depthwise_conv_2d_nhwc_hwc_q",
        "n h w c kh kw: [n, h*s0 + kh*d0, w*s1 + kw*d1, c], [kh, kw, c], [], [] -> [n, h, w, c]",
        QUANTIZED, WINDOW_2D;
    /// Depthwise convolution, NHWC images.
    DEPTHWISE_CONV_2D_NHWC_HWCM = "linalg.depthwise_conv_2d_nhwc_hwcm",
        "n h w c m kh kw: [n, h*s0 + kh*d0, w*s1 + kw*d1, c], [kh, kw, c, m] -> [n, h, w, c, m]",
        MUL_ADD, WINDOW_2D;
    /// Depthwise convolution, NHWC images with zero points.
    DEPTHWISE_CONV_2D_NHWC_HWCM_Q = "linalg.depthwise_conv_2d_nhwc_hwcm_q",
        "n h w c m kh kw: [n, h*s0 + kh*d0, w*s1 + kw*d1, c], [kh, kw, c, m], [], [] -> [n, h, w, c, m]",
        QUANTIZED, WINDOW_2D;
    /// Depthwise convolution, NCDHW images.
    DEPTHWISE_CONV_3D_NCDHW_CDHW = "linalg.depthwise_conv_3d_ncdhw_cdhw",
        "n d h w kd kh kw c: [n, c, d*s0 + kd*d0, h*s1 + kh*d1, w*s2 + kw*d2], [c, kd, kh, kw] -> [n, c, d, h, w]",
        MUL_ADD, WINDOW_3D;
    /// Depthwise convolution, NDHWC images.
    DEPTHWISE_CONV_3D_NDHWC_DHWC = "linalg.depthwise_conv_3d_ndhwc_dhwc",
        "n d h w kd kh kw c: [n, d*s0 + kd*d0, h*s1 + kh*d1, w*s2 + kw*d2, c], [kd, kh, kw, c] -> [n, d, h, w, c]",
        MUL_ADD, WINDOW_3D;
    /// Depthwise convolution, NDHWC images.
    DEPTHWISE_CONV_3D_NDHWC_DHWCM = "linalg.depthwise_conv_3d_ndhwc_dhwcm",
        "n d h w m kd kh kw c: [n, d*s0 + kd*d0, h*s1 + kh*d1, w*s2 + kw*d2, c], [kd, kh, kw, c, m] -> [n, d, h, w, c, m]",
        MUL_ADD, WINDOW_3D;
    /// Quotient, element by element.
    DIV = "linalg.div", "[..], [..] -> [..]", Binary(BinaryFn::Div, &Arg(0), &Arg(1)), NAMED;
    /// Unsigned quotient, element by element.
    DIV_UNSIGNED = "linalg.div_unsigned",
        "[..], [..] -> [..]",
        Binary(BinaryFn::DivUnsigned, &Arg(0), &Arg(1)), NAMED;
    /// Dot product.
    DOT = "linalg.dot", "k: [k], [k] -> []", MUL_ADD, NAMED;
    /// The binary function that attribute `fun` names.
    ELEMWISE_BINARY = "linalg.elemwise_binary",
        "[..], [..] -> [..]",
        BinaryAttr(
            &Cast(TypeFn::Attr, Target::Out, &Arg(0)),
            &Cast(TypeFn::Attr, Target::Out, &Arg(1)),
        ), WITH_FUN_BINARY;
    /// The unary function that attribute `fun` names.
    ELEMWISE_UNARY = "linalg.elemwise_unary",
        "[..] -> [..]",
        UnaryAttr(&Cast(TypeFn::Attr, Target::Out, &Arg(0))), WITH_FUN_UNARY;
    /// Error function, element by element.
    ERF = "linalg.erf", "[..] -> [..]", Unary(UnaryFn::Erf, &Arg(0)), NAMED;
    /// e to the power, element by element.
    EXP = "linalg.exp", "[..] -> [..]", Unary(UnaryFn::Exp, &Arg(0)), NAMED;
    /// Fills with a scalar.
    FILL = "linalg.fill", "[..] -> [..]", CAST, NAMED;
    /// Fills with pseudo-random numbers between two bounds.
    FILL_RNG_2D = "linalg.fill_rng_2d", "m n: [], [], [] -> [m, n]", RANDOM, NAMED;
    /// Rounding down, element by element.
    FLOOR = "linalg.floor", "[..] -> [..]", Unary(UnaryFn::Floor, &Arg(0)), NAMED;
    /// Natural logarithm, element by element.
    LOG = "linalg.log", "[..] -> [..]", Unary(UnaryFn::Log, &Arg(0)), NAMED;
    /// Matrix product, added to the output.
    MATMUL = "linalg.matmul", "m n k: [m, k], [k, n] -> [m, n]", MUL_ADD_ATTR, WITH_CAST_AND_MAPS;
    /// Matrix product with the first matrix transposed, added to the output.
    MATMUL_TRANSPOSE_A = "linalg.matmul_transpose_a",
        "m n k: [k, m], [k, n] -> [m, n]",
        MUL_ADD_ATTR, WITH_CAST;
    /// Matrix product with the second matrix transposed, added to the output.
    MATMUL_TRANSPOSE_B = "linalg.matmul_transpose_b",
        "m n k: [m, k], [n, k] -> [m, n]",
        MUL_ADD_ATTR, WITH_CAST;
    /// Matrix-vector product.
    MATVEC = "linalg.matvec", "m k: [m, k], [k] -> [m]", MUL_ADD, NAMED;
    /// Maximum, element by element.
    MAX = "linalg.max",
        "[..], [..] -> [..]",
        Binary(BinaryFn::MaxSigned, &Arg(0), &Arg(1)), NAMED;
    /// Minimum, element by element.
    MIN = "linalg.min",
        "[..], [..] -> [..]",
        Binary(BinaryFn::MinSigned, &Arg(0), &Arg(1)), NAMED;
    /// Matrix product of tiled matrices, the second one transposed.
    MMT4D = "linalg.mmt4d",
        "m n k m0 n0 k0: [m, k, m0, k0], [n, k, n0, k0] -> [m, n, m0, n0]",
        MUL_ADD, NAMED;
    /// Product, element by element.
    MUL = "linalg.mul", "[..], [..] -> [..]", Binary(BinaryFn::Mul, &Arg(0), &Arg(1)), NAMED;
    /// Negation, element by element.
    NEGF = "linalg.negf", "[..] -> [..]", Unary(UnaryFn::Negf, &Arg(0)), NAMED;
    /// Maxima over windows.
    POOLING_NCHW_MAX = "linalg.pooling_nchw_max",
        "n c h w kh kw: [n, c, h*s0 + kh*d0, w*s1 + kw*d1], [kh, kw] -> [n, c, h, w]",
        POOL_MAX, WINDOW_2D;
    /// Sums over windows.
    POOLING_NCHW_SUM = "linalg.pooling_nchw_sum",
        "n c h w kh kw: [n, c, h*s0 + kh*d0, w*s1 + kw*d1], [kh, kw] -> [n, c, h, w]",
        POOL_SUM, WINDOW_2D;
    /// Maxima over windows.
    POOLING_NCW_MAX = "linalg.pooling_ncw_max",
        "n c w kw: [n, c, w*s0 + kw*d0], [kw] -> [n, c, w]",
        POOL_MAX, WINDOW_1D;
    /// Sums over windows.
    POOLING_NCW_SUM = "linalg.pooling_ncw_sum",
        "n c w kw: [n, c, w*s0 + kw*d0], [kw] -> [n, c, w]",
        POOL_SUM, WINDOW_1D;
    /// Maxima over windows.
    POOLING_NDHWC_MAX = "linalg.pooling_ndhwc_max",
        "n d h w c kd kh kw: [n, d*s0 + kd*d0, h*s1 + kh*d1, w*s2 + kw*d2, c], [kd, kh, kw] -> [n, d, h, w, c]",
        POOL_MAX, WINDOW_3D;
    /// Minima over windows.
    POOLING_NDHWC_MIN = "linalg.pooling_ndhwc_min",
        "n d h w c kd kh kw: [n, d*s0 + kd*d0, h*s1 + kh*d1, w*s2 + kw*d2, c], [kd, kh, kw] -> [n, d, h, w, c]",
        POOL_MIN, WINDOW_3D;
    /// Sums over windows.
    POOLING_NDHWC_SUM = "linalg.pooling_ndhwc_sum",
        "n d h w c kd kh kw: [n, d*s0 + kd*d0, h*s1 + kh*d1, w*s2 + kw*d2, c], [kd, kh, kw] -> [n, d, h, w, c]",
        POOL_SUM, WINDOW_3D;
    /// Maxima over windows.
    POOLING_NHWC_MAX = "linalg.pooling_nhwc_max",
        "n h w c kh kw: [n, h*s0 + kh*d0, w*s1 + kw*d1, c], [kh, kw] -> [n, h, w, c]",
        POOL_MAX, WINDOW_2D;
    /// Unsigned maxima over windows.
    POOLING_NHWC_MAX_UNSIGNED = "linalg.pooling_nhwc_max_unsigned",
        "n h w c kh kw: [n, h*s0 + kh*d0, w*s1 + kw*d1, c], [kh, kw] -> [n, h, w, c]",
        POOL_MAX_UNSIGNED, WINDOW_2D;
    /// Minima over windows.
    POOLING_NHWC_MIN = "linalg.pooling_nhwc_min",
        "n h w c kh kw: [n, h*s0 + kh*d0, w*s1 + kw*d1, c], [kh, kw] -> [n, h, w, c]",
        POOL_MIN, WINDOW_2D;
    /// Unsigned minima over windows.
    POOLING_NHWC_MIN_UNSIGNED = "linalg.pooling_nhwc_min_unsigned",
        "n h w c kh kw: [n, h*s0 + kh*d0, w*s1 + kw*d1, c], [kh, kw] -> [n, h, w, c]",
        POOL_MIN_UNSIGNED, WINDOW_2D;
    /// Sums over windows.
    POOLING_NHWC_SUM = "linalg.pooling_nhwc_sum",
        "n h w c kh kw: [n, h*s0 + kh*d0, w*s1 + kw*d1, c], [kh, kw] -> [n, h, w, c]",
        POOL_SUM, WINDOW_2D;
    /// Maxima over windows.
    POOLING_NWC_MAX = "linalg.pooling_nwc_max",
        "n w c kw: [n, w*s0 + kw*d0, c], [kw] -> [n, w, c]",
        POOL_MAX, WINDOW_1D;
    /// Unsigned maxima over windows.
    POOLING_NWC_MAX_UNSIGNED = "linalg.pooling_nwc_max_unsigned",
        "n w c kw: [n, w*s0 + kw*d0, c], [kw] -> [n, w, c]",
        POOL_MAX_UNSIGNED, WINDOW_1D;
    /// Minima over windows.
    POOLING_NWC_MIN = "linalg.pooling_nwc_min",
        "n w c kw: [n, w*s0 + kw*d0, c], [kw] -> [n, w, c]",
        POOL_MIN, WINDOW_1D;
    /// Unsigned minima over windows.
    POOLING_NWC_MIN_UNSIGNED = "linalg.pooling_nwc_min_unsigned",
        "n w c kw: [n, w*s0 + kw*d0, c], [kw] -> [n, w, c]",
        POOL_MIN_UNSIGNED, WINDOW_1D;
    /// Sums over windows.
    POOLING_NWC_SUM = "linalg.pooling_nwc_sum",
        "n w c kw: [n, w*s0 + kw*d0, c], [kw] -> [n, w, c]",
        POOL_SUM, WINDOW_1D;
    /// Power, element by element.
    POWF = "linalg.powf", "[..], [..] -> [..]", Binary(BinaryFn::Powf, &Arg(0), &Arg(1)), NAMED;
    /// Batch of matrix products with zero points.
    QUANTIZED_BATCH_MATMUL = "linalg.quantized_batch_matmul",
        "b m n k: [b, m, k], [b, k, n], [], [] -> [b, m, n]",
        QUANTIZED, NAMED;
    /// Matrix product with zero points.
    QUANTIZED_MATMUL = "linalg.quantized_matmul",
        "m n k: [m, k], [k, n], [], [] -> [m, n]",
        QUANTIZED, NAMED;
    /// One by the operand, element by element.
    RECIPROCAL = "linalg.reciprocal", "[..] -> [..]", Unary(UnaryFn::Reciprocal, &Arg(0)), NAMED;
    /// Rounding to the nearest whole number, element by element.
    ROUND = "linalg.round", "[..] -> [..]", Unary(UnaryFn::Round, &Arg(0)), NAMED;
    /// One by the square root, element by element.
    RSQRT = "linalg.rsqrt", "[..] -> [..]", Unary(UnaryFn::Rsqrt, &Arg(0)), NAMED;
    /// Selection, element by element.
    SELECT = "linalg.select",
        "[..], [..], [..] -> [..]",
        Select(&Arg(0), &Arg(1), &Arg(2)), NAMED;
    /// Square root, element by element.
    SQRT = "linalg.sqrt", "[..] -> [..]", Unary(UnaryFn::Sqrt, &Arg(0)), NAMED;
    /// Square, element by element.
    SQUARE = "linalg.square", "[..] -> [..]", Unary(UnaryFn::Square, &Arg(0)), NAMED;
    /// Difference, element by element.
    SUB = "linalg.sub", "[..], [..] -> [..]", Binary(BinaryFn::Sub, &Arg(0), &Arg(1)), NAMED;
    /// Hyperbolic tangent, element by element.
    TANH = "linalg.tanh", "[..] -> [..]", Unary(UnaryFn::Tanh, &Arg(0)), NAMED;
    /// Vector-matrix product.
    VECMAT = "linalg.vecmat", "n k: [k], [k, n] -> [n]", MUL_ADD, NAMED;
}

/// The description of a named operation.
pub fn named_op(def: &OpDef) -> Option<&'static NamedOp> {
    // Passes ask this of every operation, and most are of other dialects.
    if !def.name.starts_with("linalg.") {
        return None;
    }
    let index = TABLE.binary_search_by(|entry| entry.def.name.cmp(def.name));
    TABLE.get(index.ok()?)
}
