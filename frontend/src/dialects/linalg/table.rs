//! What the named structured operations compute, as data: how many inputs,
//! which loops, where each operand is accessed, and what the body does.
//!
//! Region building, indexing maps, iterator types and the lowering to loops
//! all come from [`TABLE`].

use super::description::{BinaryFn, Expr, Index, Loops, NamedOp, Target, TypeFn, UnaryFn};
use super::named;
use crate::ir::op_def::OpDef;
use Expr::{Arg, Binary, BinaryAttr, Cast, Float, Int, LoopIndex, Select, Unary, UnaryAttr};
use Index::{D, Sum, Window};

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
/// `out + in0 * in1`, with upstream's peculiar casts.
const BATCH_REDUCE: Expr = Binary(
    BinaryFn::Add,
    &Arg(2),
    &input(&product(&Arg(0), &input(&Arg(1)))),
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

/// All named operations, sorted by name.
pub static TABLE: &[NamedOp] = &[
    NamedOp {
        def: &named::ABS,
        n_inputs: 1,
        loops: Loops::OfOutput,
        maps: &[],
        body: &Unary(UnaryFn::Abs, &Arg(0)),
    },
    NamedOp {
        def: &named::ADD,
        n_inputs: 2,
        loops: Loops::OfOutput,
        maps: &[],
        body: &Binary(BinaryFn::Add, &Arg(0), &Arg(1)),
    },
    NamedOp {
        def: &named::BATCH_MATMUL,
        n_inputs: 2,
        loops: Loops::Fixed("pppr"),
        maps: &[
            &[D(0), D(1), D(3)],
            &[D(0), D(3), D(2)],
            &[D(0), D(1), D(2)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::BATCH_MATMUL_TRANSPOSE_A,
        n_inputs: 2,
        loops: Loops::Fixed("pppr"),
        maps: &[
            &[D(0), D(3), D(1)],
            &[D(0), D(3), D(2)],
            &[D(0), D(1), D(2)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::BATCH_MATMUL_TRANSPOSE_B,
        n_inputs: 2,
        loops: Loops::Fixed("pppr"),
        maps: &[
            &[D(0), D(1), D(3)],
            &[D(0), D(2), D(3)],
            &[D(0), D(1), D(2)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::BATCH_MATVEC,
        n_inputs: 2,
        loops: Loops::Fixed("ppr"),
        maps: &[&[D(0), D(1), D(2)], &[D(0), D(2)], &[D(0), D(1)]],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::BATCH_MMT4D,
        n_inputs: 2,
        loops: Loops::Fixed("ppprppr"),
        maps: &[
            &[D(0), D(1), D(3), D(4), D(6)],
            &[D(0), D(2), D(3), D(5), D(6)],
            &[D(0), D(1), D(2), D(4), D(5)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::BATCH_REDUCE_MATMUL,
        n_inputs: 2,
        loops: Loops::Fixed("rppr"),
        maps: &[&[D(0), D(1), D(3)], &[D(0), D(3), D(2)], &[D(1), D(2)]],
        body: &BATCH_REDUCE,
    },
    NamedOp {
        def: &named::BATCH_VECMAT,
        n_inputs: 2,
        loops: Loops::Fixed("ppr"),
        maps: &[&[D(0), D(2)], &[D(0), D(2), D(1)], &[D(0), D(1)]],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::CEIL,
        n_inputs: 1,
        loops: Loops::OfOutput,
        maps: &[],
        body: &Unary(UnaryFn::Ceil, &Arg(0)),
    },
    NamedOp {
        def: &named::CONV_1D,
        n_inputs: 2,
        loops: Loops::Fixed("pr"),
        maps: &[&[Sum(0, 1)], &[D(1)], &[D(0)]],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::CONV_1D_NCW_FCW,
        n_inputs: 2,
        loops: Loops::Fixed("ppprr"),
        maps: &[
            &[D(0), D(3), Window(2, 4, 0)],
            &[D(1), D(3), D(4)],
            &[D(0), D(1), D(2)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::CONV_1D_NWC_WCF,
        n_inputs: 2,
        loops: Loops::Fixed("ppprr"),
        maps: &[
            &[D(0), Window(1, 3, 0), D(4)],
            &[D(3), D(4), D(2)],
            &[D(0), D(1), D(2)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::CONV_2D,
        n_inputs: 2,
        loops: Loops::Fixed("pprr"),
        maps: &[&[Sum(0, 2), Sum(1, 3)], &[D(2), D(3)], &[D(0), D(1)]],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::CONV_2D_NCHW_FCHW,
        n_inputs: 2,
        loops: Loops::Fixed("pppprrr"),
        maps: &[
            &[D(0), D(4), Window(2, 5, 0), Window(3, 6, 1)],
            &[D(1), D(4), D(5), D(6)],
            &[D(0), D(1), D(2), D(3)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::CONV_2D_NGCHW_FGCHW,
        n_inputs: 2,
        loops: Loops::Fixed("ppppprrr"),
        maps: &[
            &[D(0), D(1), D(5), Window(3, 6, 0), Window(4, 7, 1)],
            &[D(2), D(1), D(5), D(6), D(7)],
            &[D(0), D(1), D(2), D(3), D(4)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::CONV_2D_NGCHW_GFCHW,
        n_inputs: 2,
        loops: Loops::Fixed("ppppprrr"),
        maps: &[
            &[D(0), D(1), D(5), Window(3, 6, 0), Window(4, 7, 1)],
            &[D(1), D(2), D(5), D(6), D(7)],
            &[D(0), D(1), D(2), D(3), D(4)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::CONV_2D_NGCHW_GFCHW_Q,
        n_inputs: 4,
        loops: Loops::Fixed("ppppprrr"),
        maps: &[
            &[D(0), D(1), D(5), Window(3, 6, 0), Window(4, 7, 1)],
            &[D(1), D(2), D(5), D(6), D(7)],
            &[],
            &[],
            &[D(0), D(1), D(2), D(3), D(4)],
        ],
        body: &QUANTIZED,
    },
    NamedOp {
        def: &named::CONV_2D_NHWC_FHWC,
        n_inputs: 2,
        loops: Loops::Fixed("pppprrr"),
        maps: &[
            &[D(0), Window(1, 4, 0), Window(2, 5, 1), D(6)],
            &[D(3), D(4), D(5), D(6)],
            &[D(0), D(1), D(2), D(3)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::CONV_2D_NHWC_FHWC_Q,
        n_inputs: 4,
        loops: Loops::Fixed("pppprrr"),
        maps: &[
            &[D(0), Window(1, 4, 0), Window(2, 5, 1), D(6)],
            &[D(3), D(4), D(5), D(6)],
            &[],
            &[],
            &[D(0), D(1), D(2), D(3)],
        ],
        body: &QUANTIZED,
    },
    NamedOp {
        def: &named::CONV_2D_NHWC_HWCF,
        n_inputs: 2,
        loops: Loops::Fixed("pppprrr"),
        maps: &[
            &[D(0), Window(1, 4, 0), Window(2, 5, 1), D(6)],
            &[D(4), D(5), D(6), D(3)],
            &[D(0), D(1), D(2), D(3)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::CONV_2D_NHWC_HWCF_Q,
        n_inputs: 4,
        loops: Loops::Fixed("pppprrr"),
        maps: &[
            &[D(0), Window(1, 4, 0), Window(2, 5, 1), D(6)],
            &[D(4), D(5), D(6), D(3)],
            &[],
            &[],
            &[D(0), D(1), D(2), D(3)],
        ],
        body: &QUANTIZED,
    },
    NamedOp {
        def: &named::CONV_3D,
        n_inputs: 2,
        loops: Loops::Fixed("ppprrr"),
        maps: &[
            &[Sum(0, 3), Sum(1, 4), Sum(2, 5)],
            &[D(3), D(4), D(5)],
            &[D(0), D(1), D(2)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::CONV_3D_NCDHW_FCDHW,
        n_inputs: 2,
        loops: Loops::Fixed("ppppprrrr"),
        maps: &[
            &[
                D(0),
                D(8),
                Window(1, 5, 0),
                Window(2, 6, 1),
                Window(3, 7, 2),
            ],
            &[D(4), D(8), D(5), D(6), D(7)],
            &[D(0), D(4), D(1), D(2), D(3)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::CONV_3D_NDHWC_DHWCF,
        n_inputs: 2,
        loops: Loops::Fixed("ppppprrrr"),
        maps: &[
            &[
                D(0),
                Window(1, 5, 0),
                Window(2, 6, 1),
                Window(3, 7, 2),
                D(8),
            ],
            &[D(5), D(6), D(7), D(8), D(4)],
            &[D(0), D(1), D(2), D(3), D(4)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::CONV_3D_NDHWC_DHWCF_Q,
        n_inputs: 4,
        loops: Loops::Fixed("ppppprrrr"),
        maps: &[
            &[
                D(0),
                Window(1, 5, 0),
                Window(2, 6, 1),
                Window(3, 7, 2),
                D(8),
            ],
            &[D(5), D(6), D(7), D(8), D(4)],
            &[],
            &[],
            &[D(0), D(1), D(2), D(3), D(4)],
        ],
        body: &QUANTIZED,
    },
    NamedOp {
        def: &named::COPY,
        n_inputs: 1,
        loops: Loops::OfOutput,
        maps: &[],
        body: &Cast(TypeFn::Attr, Target::Out, &Arg(0)),
    },
    NamedOp {
        def: &named::DEPTHWISE_CONV_1D_NCW_CW,
        n_inputs: 2,
        loops: Loops::Fixed("pppr"),
        maps: &[
            &[D(0), D(2), Window(1, 3, 0)],
            &[D(2), D(3)],
            &[D(0), D(2), D(1)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::DEPTHWISE_CONV_1D_NWC_WC,
        n_inputs: 2,
        loops: Loops::Fixed("pppr"),
        maps: &[
            &[D(0), Window(1, 3, 0), D(2)],
            &[D(3), D(2)],
            &[D(0), D(1), D(2)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::DEPTHWISE_CONV_1D_NWC_WCM,
        n_inputs: 2,
        loops: Loops::Fixed("ppppr"),
        maps: &[
            &[D(0), Window(1, 4, 0), D(2)],
            &[D(4), D(2), D(3)],
            &[D(0), D(1), D(2), D(3)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::DEPTHWISE_CONV_2D_NCHW_CHW,
        n_inputs: 2,
        loops: Loops::Fixed("pppprr"),
        maps: &[
            &[D(0), D(3), Window(1, 4, 0), Window(2, 5, 1)],
            &[D(3), D(4), D(5)],
            &[D(0), D(3), D(1), D(2)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::DEPTHWISE_CONV_2D_NHWC_HWC,
        n_inputs: 2,
        loops: Loops::Fixed("pppprr"),
        maps: &[
            &[D(0), Window(1, 4, 0), Window(2, 5, 1), D(3)],
            &[D(4), D(5), D(3)],
            &[D(0), D(1), D(2), D(3)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::DEPTHWISE_CONV_2D_NHWC_HWC_Q,
        n_inputs: 4,
        loops: Loops::Fixed("pppprr"),
        maps: &[
            &[D(0), Window(1, 4, 0), Window(2, 5, 1), D(3)],
            &[D(4), D(5), D(3)],
            &[],
            &[],
            &[D(0), D(1), D(2), D(3)],
        ],
        body: &QUANTIZED,
    },
    NamedOp {
        def: &named::DEPTHWISE_CONV_2D_NHWC_HWCM,
        n_inputs: 2,
        loops: Loops::Fixed("ppppprr"),
        maps: &[
            &[D(0), Window(1, 5, 0), Window(2, 6, 1), D(3)],
            &[D(5), D(6), D(3), D(4)],
            &[D(0), D(1), D(2), D(3), D(4)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::DEPTHWISE_CONV_2D_NHWC_HWCM_Q,
        n_inputs: 4,
        loops: Loops::Fixed("ppppprr"),
        maps: &[
            &[D(0), Window(1, 5, 0), Window(2, 6, 1), D(3)],
            &[D(5), D(6), D(3), D(4)],
            &[],
            &[],
            &[D(0), D(1), D(2), D(3), D(4)],
        ],
        body: &QUANTIZED,
    },
    NamedOp {
        def: &named::DEPTHWISE_CONV_3D_NCDHW_CDHW,
        n_inputs: 2,
        loops: Loops::Fixed("pppprrrp"),
        maps: &[
            &[
                D(0),
                D(7),
                Window(1, 4, 0),
                Window(2, 5, 1),
                Window(3, 6, 2),
            ],
            &[D(7), D(4), D(5), D(6)],
            &[D(0), D(7), D(1), D(2), D(3)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::DEPTHWISE_CONV_3D_NDHWC_DHWC,
        n_inputs: 2,
        loops: Loops::Fixed("pppprrrp"),
        maps: &[
            &[
                D(0),
                Window(1, 4, 0),
                Window(2, 5, 1),
                Window(3, 6, 2),
                D(7),
            ],
            &[D(4), D(5), D(6), D(7)],
            &[D(0), D(1), D(2), D(3), D(7)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::DEPTHWISE_CONV_3D_NDHWC_DHWCM,
        n_inputs: 2,
        loops: Loops::Fixed("ppppprrrp"),
        maps: &[
            &[
                D(0),
                Window(1, 5, 0),
                Window(2, 6, 1),
                Window(3, 7, 2),
                D(8),
            ],
            &[D(5), D(6), D(7), D(8), D(4)],
            &[D(0), D(1), D(2), D(3), D(8), D(4)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::DIV,
        n_inputs: 2,
        loops: Loops::OfOutput,
        maps: &[],
        body: &Binary(BinaryFn::Div, &Arg(0), &Arg(1)),
    },
    NamedOp {
        def: &named::DIV_UNSIGNED,
        n_inputs: 2,
        loops: Loops::OfOutput,
        maps: &[],
        body: &Binary(BinaryFn::DivUnsigned, &Arg(0), &Arg(1)),
    },
    NamedOp {
        def: &named::DOT,
        n_inputs: 2,
        loops: Loops::Fixed("r"),
        maps: &[&[D(0)], &[D(0)], &[]],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::ELEMWISE_BINARY,
        n_inputs: 2,
        loops: Loops::OfOutput,
        maps: &[],
        body: &BinaryAttr(
            &Cast(TypeFn::Attr, Target::Out, &Arg(0)),
            &Cast(TypeFn::Attr, Target::Out, &Arg(1)),
        ),
    },
    NamedOp {
        def: &named::ELEMWISE_UNARY,
        n_inputs: 1,
        loops: Loops::OfOutput,
        maps: &[],
        body: &UnaryAttr(&Cast(TypeFn::Attr, Target::Out, &Arg(0))),
    },
    NamedOp {
        def: &named::ERF,
        n_inputs: 1,
        loops: Loops::OfOutput,
        maps: &[],
        body: &Unary(UnaryFn::Erf, &Arg(0)),
    },
    NamedOp {
        def: &named::EXP,
        n_inputs: 1,
        loops: Loops::OfOutput,
        maps: &[],
        body: &Unary(UnaryFn::Exp, &Arg(0)),
    },
    NamedOp {
        def: &named::FILL,
        n_inputs: 1,
        loops: Loops::OfOutput,
        maps: &[],
        body: &CAST,
    },
    NamedOp {
        def: &named::FILL_RNG_2D,
        n_inputs: 3,
        loops: Loops::Fixed("pp"),
        maps: &[&[], &[], &[], &[D(0), D(1)]],
        body: &RANDOM,
    },
    NamedOp {
        def: &named::FLOOR,
        n_inputs: 1,
        loops: Loops::OfOutput,
        maps: &[],
        body: &Unary(UnaryFn::Floor, &Arg(0)),
    },
    NamedOp {
        def: &named::LOG,
        n_inputs: 1,
        loops: Loops::OfOutput,
        maps: &[],
        body: &Unary(UnaryFn::Log, &Arg(0)),
    },
    NamedOp {
        def: &named::MATMUL,
        n_inputs: 2,
        loops: Loops::Fixed("ppr"),
        maps: &[&[D(0), D(2)], &[D(2), D(1)], &[D(0), D(1)]],
        body: &MUL_ADD_ATTR,
    },
    NamedOp {
        def: &named::MATMUL_TRANSPOSE_A,
        n_inputs: 2,
        loops: Loops::Fixed("ppr"),
        maps: &[&[D(2), D(0)], &[D(2), D(1)], &[D(0), D(1)]],
        body: &MUL_ADD_ATTR,
    },
    NamedOp {
        def: &named::MATMUL_TRANSPOSE_B,
        n_inputs: 2,
        loops: Loops::Fixed("ppr"),
        maps: &[&[D(0), D(2)], &[D(1), D(2)], &[D(0), D(1)]],
        body: &MUL_ADD_ATTR,
    },
    NamedOp {
        def: &named::MATVEC,
        n_inputs: 2,
        loops: Loops::Fixed("pr"),
        maps: &[&[D(0), D(1)], &[D(1)], &[D(0)]],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::MAX,
        n_inputs: 2,
        loops: Loops::OfOutput,
        maps: &[],
        body: &Binary(BinaryFn::MaxSigned, &Arg(0), &Arg(1)),
    },
    NamedOp {
        def: &named::MIN,
        n_inputs: 2,
        loops: Loops::OfOutput,
        maps: &[],
        body: &Binary(BinaryFn::MinSigned, &Arg(0), &Arg(1)),
    },
    NamedOp {
        def: &named::MMT4D,
        n_inputs: 2,
        loops: Loops::Fixed("pprppr"),
        maps: &[
            &[D(0), D(2), D(3), D(5)],
            &[D(1), D(2), D(4), D(5)],
            &[D(0), D(1), D(3), D(4)],
        ],
        body: &MUL_ADD,
    },
    NamedOp {
        def: &named::MUL,
        n_inputs: 2,
        loops: Loops::OfOutput,
        maps: &[],
        body: &Binary(BinaryFn::Mul, &Arg(0), &Arg(1)),
    },
    NamedOp {
        def: &named::NEGF,
        n_inputs: 1,
        loops: Loops::OfOutput,
        maps: &[],
        body: &Unary(UnaryFn::Negf, &Arg(0)),
    },
    NamedOp {
        def: &named::POOLING_NCHW_MAX,
        n_inputs: 2,
        loops: Loops::Fixed("pppprr"),
        maps: &[
            &[D(0), D(1), Window(2, 4, 0), Window(3, 5, 1)],
            &[D(4), D(5)],
            &[D(0), D(1), D(2), D(3)],
        ],
        body: &POOL_MAX,
    },
    NamedOp {
        def: &named::POOLING_NCHW_SUM,
        n_inputs: 2,
        loops: Loops::Fixed("pppprr"),
        maps: &[
            &[D(0), D(1), Window(2, 4, 0), Window(3, 5, 1)],
            &[D(4), D(5)],
            &[D(0), D(1), D(2), D(3)],
        ],
        body: &POOL_SUM,
    },
    NamedOp {
        def: &named::POOLING_NCW_MAX,
        n_inputs: 2,
        loops: Loops::Fixed("pppr"),
        maps: &[&[D(0), D(1), Window(2, 3, 0)], &[D(3)], &[D(0), D(1), D(2)]],
        body: &POOL_MAX,
    },
    NamedOp {
        def: &named::POOLING_NCW_SUM,
        n_inputs: 2,
        loops: Loops::Fixed("pppr"),
        maps: &[&[D(0), D(1), Window(2, 3, 0)], &[D(3)], &[D(0), D(1), D(2)]],
        body: &POOL_SUM,
    },
    NamedOp {
        def: &named::POOLING_NDHWC_MAX,
        n_inputs: 2,
        loops: Loops::Fixed("ppppprrr"),
        maps: &[
            &[
                D(0),
                Window(1, 5, 0),
                Window(2, 6, 1),
                Window(3, 7, 2),
                D(4),
            ],
            &[D(5), D(6), D(7)],
            &[D(0), D(1), D(2), D(3), D(4)],
        ],
        body: &POOL_MAX,
    },
    NamedOp {
        def: &named::POOLING_NDHWC_MIN,
        n_inputs: 2,
        loops: Loops::Fixed("ppppprrr"),
        maps: &[
            &[
                D(0),
                Window(1, 5, 0),
                Window(2, 6, 1),
                Window(3, 7, 2),
                D(4),
            ],
            &[D(5), D(6), D(7)],
            &[D(0), D(1), D(2), D(3), D(4)],
        ],
        body: &POOL_MIN,
    },
    NamedOp {
        def: &named::POOLING_NDHWC_SUM,
        n_inputs: 2,
        loops: Loops::Fixed("ppppprrr"),
        maps: &[
            &[
                D(0),
                Window(1, 5, 0),
                Window(2, 6, 1),
                Window(3, 7, 2),
                D(4),
            ],
            &[D(5), D(6), D(7)],
            &[D(0), D(1), D(2), D(3), D(4)],
        ],
        body: &POOL_SUM,
    },
    NamedOp {
        def: &named::POOLING_NHWC_MAX,
        n_inputs: 2,
        loops: Loops::Fixed("pppprr"),
        maps: &[
            &[D(0), Window(1, 4, 0), Window(2, 5, 1), D(3)],
            &[D(4), D(5)],
            &[D(0), D(1), D(2), D(3)],
        ],
        body: &POOL_MAX,
    },
    NamedOp {
        def: &named::POOLING_NHWC_MAX_UNSIGNED,
        n_inputs: 2,
        loops: Loops::Fixed("pppprr"),
        maps: &[
            &[D(0), Window(1, 4, 0), Window(2, 5, 1), D(3)],
            &[D(4), D(5)],
            &[D(0), D(1), D(2), D(3)],
        ],
        body: &POOL_MAX_UNSIGNED,
    },
    NamedOp {
        def: &named::POOLING_NHWC_MIN,
        n_inputs: 2,
        loops: Loops::Fixed("pppprr"),
        maps: &[
            &[D(0), Window(1, 4, 0), Window(2, 5, 1), D(3)],
            &[D(4), D(5)],
            &[D(0), D(1), D(2), D(3)],
        ],
        body: &POOL_MIN,
    },
    NamedOp {
        def: &named::POOLING_NHWC_MIN_UNSIGNED,
        n_inputs: 2,
        loops: Loops::Fixed("pppprr"),
        maps: &[
            &[D(0), Window(1, 4, 0), Window(2, 5, 1), D(3)],
            &[D(4), D(5)],
            &[D(0), D(1), D(2), D(3)],
        ],
        body: &POOL_MIN_UNSIGNED,
    },
    NamedOp {
        def: &named::POOLING_NHWC_SUM,
        n_inputs: 2,
        loops: Loops::Fixed("pppprr"),
        maps: &[
            &[D(0), Window(1, 4, 0), Window(2, 5, 1), D(3)],
            &[D(4), D(5)],
            &[D(0), D(1), D(2), D(3)],
        ],
        body: &POOL_SUM,
    },
    NamedOp {
        def: &named::POOLING_NWC_MAX,
        n_inputs: 2,
        loops: Loops::Fixed("pppr"),
        maps: &[&[D(0), Window(1, 3, 0), D(2)], &[D(3)], &[D(0), D(1), D(2)]],
        body: &POOL_MAX,
    },
    NamedOp {
        def: &named::POOLING_NWC_MAX_UNSIGNED,
        n_inputs: 2,
        loops: Loops::Fixed("pppr"),
        maps: &[&[D(0), Window(1, 3, 0), D(2)], &[D(3)], &[D(0), D(1), D(2)]],
        body: &POOL_MAX_UNSIGNED,
    },
    NamedOp {
        def: &named::POOLING_NWC_MIN,
        n_inputs: 2,
        loops: Loops::Fixed("pppr"),
        maps: &[&[D(0), Window(1, 3, 0), D(2)], &[D(3)], &[D(0), D(1), D(2)]],
        body: &POOL_MIN,
    },
    NamedOp {
        def: &named::POOLING_NWC_MIN_UNSIGNED,
        n_inputs: 2,
        loops: Loops::Fixed("pppr"),
        maps: &[&[D(0), Window(1, 3, 0), D(2)], &[D(3)], &[D(0), D(1), D(2)]],
        body: &POOL_MIN_UNSIGNED,
    },
    NamedOp {
        def: &named::POOLING_NWC_SUM,
        n_inputs: 2,
        loops: Loops::Fixed("pppr"),
        maps: &[&[D(0), Window(1, 3, 0), D(2)], &[D(3)], &[D(0), D(1), D(2)]],
        body: &POOL_SUM,
    },
    NamedOp {
        def: &named::POWF,
        n_inputs: 2,
        loops: Loops::OfOutput,
        maps: &[],
        body: &Binary(BinaryFn::Powf, &Arg(0), &Arg(1)),
    },
    NamedOp {
        def: &named::QUANTIZED_BATCH_MATMUL,
        n_inputs: 4,
        loops: Loops::Fixed("pppr"),
        maps: &[
            &[D(0), D(1), D(3)],
            &[D(0), D(3), D(2)],
            &[],
            &[],
            &[D(0), D(1), D(2)],
        ],
        body: &QUANTIZED,
    },
    NamedOp {
        def: &named::QUANTIZED_MATMUL,
        n_inputs: 4,
        loops: Loops::Fixed("ppr"),
        maps: &[&[D(0), D(2)], &[D(2), D(1)], &[], &[], &[D(0), D(1)]],
        body: &QUANTIZED,
    },
    NamedOp {
        def: &named::RECIPROCAL,
        n_inputs: 1,
        loops: Loops::OfOutput,
        maps: &[],
        body: &Unary(UnaryFn::Reciprocal, &Arg(0)),
    },
    NamedOp {
        def: &named::ROUND,
        n_inputs: 1,
        loops: Loops::OfOutput,
        maps: &[],
        body: &Unary(UnaryFn::Round, &Arg(0)),
    },
    NamedOp {
        def: &named::RSQRT,
        n_inputs: 1,
        loops: Loops::OfOutput,
        maps: &[],
        body: &Unary(UnaryFn::Rsqrt, &Arg(0)),
    },
    NamedOp {
        def: &named::SELECT,
        n_inputs: 3,
        loops: Loops::OfOutput,
        maps: &[],
        body: &Select(&Arg(0), &Arg(1), &Arg(2)),
    },
    NamedOp {
        def: &named::SQRT,
        n_inputs: 1,
        loops: Loops::OfOutput,
        maps: &[],
        body: &Unary(UnaryFn::Sqrt, &Arg(0)),
    },
    NamedOp {
        def: &named::SQUARE,
        n_inputs: 1,
        loops: Loops::OfOutput,
        maps: &[],
        body: &Unary(UnaryFn::Square, &Arg(0)),
    },
    NamedOp {
        def: &named::SUB,
        n_inputs: 2,
        loops: Loops::OfOutput,
        maps: &[],
        body: &Binary(BinaryFn::Sub, &Arg(0), &Arg(1)),
    },
    NamedOp {
        def: &named::TANH,
        n_inputs: 1,
        loops: Loops::OfOutput,
        maps: &[],
        body: &Unary(UnaryFn::Tanh, &Arg(0)),
    },
    NamedOp {
        def: &named::VECMAT,
        n_inputs: 2,
        loops: Loops::Fixed("pr"),
        maps: &[&[D(1)], &[D(1), D(0)], &[D(0)]],
        body: &MUL_ADD,
    },
];

/// The description of a named operation.
pub fn named_op(def: &OpDef) -> Option<&'static NamedOp> {
    let index = TABLE.binary_search_by(|entry| entry.def.name.cmp(def.name));
    TABLE.get(index.ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_sorted_and_consistent() {
        assert!(TABLE.windows(2).all(|p| p[0].def.name < p[1].def.name));
        for entry in TABLE {
            assert!(std::ptr::eq(named_op(entry.def).unwrap(), entry));
            let Loops::Fixed(loops) = &entry.loops else {
                continue;
            };
            assert_eq!(entry.maps.len(), entry.n_inputs + 1, "{}", entry.def.name);
            for index in entry.maps.iter().copied().flatten() {
                let loops_used = match index {
                    D(a) => [*a, *a],
                    Sum(a, b) | Window(a, b, _) => [*a, *b],
                };
                assert!(loops_used.iter().all(|&a| usize::from(a) < loops.len()));
            }
        }
    }
}
