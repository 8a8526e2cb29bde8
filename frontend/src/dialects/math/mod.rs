//! The math dialect: elementary functions on scalars, vectors and tensors.

pub mod approximations;
mod fold;

use crate::dialects::arith::attributes::FASTMATH;
use crate::dialects::arith::verify;
use crate::ir::constraints;
use crate::ir::data::Ir;
use crate::ir::entities::Op;
use crate::ir::op_def::{DialectDef, OpDef, OpError, Traits, ValueSpec};
use crate::ir::types::Type;

const TRAITS: Traits = Traits::SPECULATABLE.and(Traits::ELEMENTWISE);
const FLOAT_RESULT: &[ValueSpec] = &[ValueSpec::one("result", &constraints::FLOAT_LIKE)];

const FLOAT_UNARY: OpDef = const {
    OpDef {
        traits: TRAITS.and(Traits::SAME_OPERANDS_AND_RESULT_TYPE),
        operands: &[ValueSpec::one("operand", &constraints::FLOAT_LIKE)],
        results: FLOAT_RESULT,
        attributes: &[FASTMATH],
        ..OpDef::PURE
    }
}
.with_format("$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)");
const FLOAT_BINARY: OpDef = const {
    OpDef {
        operands: &[
            ValueSpec::one("lhs", &constraints::FLOAT_LIKE),
            ValueSpec::one("rhs", &constraints::FLOAT_LIKE),
        ],
        ..FLOAT_UNARY
    }
}
.with_format("$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)");
const FLOAT_TERNARY: OpDef = const {
    OpDef {
        operands: &[
            ValueSpec::one("a", &constraints::FLOAT_LIKE),
            ValueSpec::one("b", &constraints::FLOAT_LIKE),
            ValueSpec::one("c", &constraints::FLOAT_LIKE),
        ],
        ..FLOAT_UNARY
    }
}
.with_format("$a `,` $b `,` $c (`fastmath` `` $fastmath^)? attr-dict `:` type($result)");
const CLASSIFICATION: OpDef = const {
    OpDef {
        traits: TRAITS,
        operands: &[ValueSpec::one("operand", &constraints::FLOAT_LIKE)],
        results: &[ValueSpec::one("result", &constraints::BOOL_LIKE)],
        attributes: &[FASTMATH],
        verify: verify_classification,
        ..OpDef::PURE
    }
}
.with_format("$operand attr-dict `:` type($operand) where $result = bool($operand)");
const INT_UNARY: OpDef = const {
    OpDef {
        operands: &[ValueSpec::one(
            "operand",
            &constraints::SIGNLESS_INTEGER_LIKE,
        )],
        results: &[ValueSpec::one(
            "result",
            &constraints::SIGNLESS_INTEGER_LIKE,
        )],
        attributes: &[],
        ..FLOAT_UNARY
    }
}
.with_format("$operand attr-dict `:` type($result)");
const INT_BINARY: OpDef = const {
    OpDef {
        operands: &[
            ValueSpec::one("lhs", &constraints::SIGNLESS_INTEGER_LIKE),
            ValueSpec::one("rhs", &constraints::SIGNLESS_INTEGER_LIKE),
        ],
        ..INT_UNARY
    }
}
.with_format("$lhs `,` $rhs attr-dict `:` type($result)");

/// Absolute value of a float.
pub static ABSF: OpDef = OpDef {
    name: "math.absf",
    fold: Some(fold::fold_absf),
    ..FLOAT_UNARY
};

/// Absolute value of an integer; the smallest one stays as it is.
pub static ABSI: OpDef = OpDef {
    name: "math.absi",
    fold: Some(fold::fold_absi),
    ..INT_UNARY
};

/// Arc cosine.
pub static ACOS: OpDef = OpDef {
    name: "math.acos",
    fold: Some(fold::fold_acos),
    ..FLOAT_UNARY
};

/// Inverse hyperbolic cosine.
pub static ACOSH: OpDef = OpDef {
    name: "math.acosh",
    fold: Some(fold::fold_acosh),
    ..FLOAT_UNARY
};

/// Arc sine.
pub static ASIN: OpDef = OpDef {
    name: "math.asin",
    fold: Some(fold::fold_asin),
    ..FLOAT_UNARY
};

/// Inverse hyperbolic sine.
pub static ASINH: OpDef = OpDef {
    name: "math.asinh",
    fold: Some(fold::fold_asinh),
    ..FLOAT_UNARY
};

/// Arc tangent.
pub static ATAN: OpDef = OpDef {
    name: "math.atan",
    fold: Some(fold::fold_atan),
    ..FLOAT_UNARY
};

/// Inverse hyperbolic tangent.
pub static ATANH: OpDef = OpDef {
    name: "math.atanh",
    fold: Some(fold::fold_atanh),
    ..FLOAT_UNARY
};

/// Angle of the point (second, first).
pub static ATAN2: OpDef = OpDef {
    name: "math.atan2",
    fold: Some(fold::fold_atan2),
    ..FLOAT_BINARY
};

/// Cube root.
pub static CBRT: OpDef = OpDef {
    name: "math.cbrt",
    ..FLOAT_UNARY
};

/// Rounds up.
pub static CEIL: OpDef = OpDef {
    name: "math.ceil",
    fold: Some(fold::fold_ceil),
    ..FLOAT_UNARY
};

/// The first with the sign of the second.
pub static COPYSIGN: OpDef = OpDef {
    name: "math.copysign",
    fold: Some(fold::fold_copysign),
    ..FLOAT_BINARY
};

/// The number of a range that is closest to a float.
pub static CLAMPF: OpDef = const {
    OpDef {
        name: "math.clampf",
        operands: &[
            ValueSpec::one("value", &constraints::FLOAT_LIKE),
            ValueSpec::one("min", &constraints::FLOAT_LIKE),
            ValueSpec::one("max", &constraints::FLOAT_LIKE),
        ],
        ..FLOAT_UNARY
    }
}
.with_format(
    "$value `to` ` ` `[` $min `,` $max `]` (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
);

/// Whether a float is neither infinite nor NaN.
pub static ISFINITE: OpDef = OpDef {
    name: "math.isfinite",
    ..CLASSIFICATION
};

/// Whether a float is infinite.
pub static ISINF: OpDef = OpDef {
    name: "math.isinf",
    ..CLASSIFICATION
};

/// Whether a float is NaN.
pub static ISNAN: OpDef = OpDef {
    name: "math.isnan",
    ..CLASSIFICATION
};

/// Whether a float is finite, and neither zero nor subnormal.
pub static ISNORMAL: OpDef = OpDef {
    name: "math.isnormal",
    ..CLASSIFICATION
};

/// Sine and cosine.
pub static SINCOS: OpDef = const {
    OpDef {
        name: "math.sincos",
        results: &[
            ValueSpec::one("sin", &constraints::FLOAT_LIKE),
            ValueSpec::one("cos", &constraints::FLOAT_LIKE),
        ],
        result_names: Some(|ir, op, name| {
            name(ir.result(op, 0), "sin");
            name(ir.result(op, 1), "cos");
        }),
        ..FLOAT_UNARY
    }
}
.with_format(
    "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($operand) where \
     $sin = type($operand), $cos = type($operand)",
);

/// Cosine.
pub static COS: OpDef = OpDef {
    name: "math.cos",
    fold: Some(fold::fold_cos),
    ..FLOAT_UNARY
};

/// Hyperbolic cosine.
pub static COSH: OpDef = OpDef {
    name: "math.cosh",
    fold: Some(fold::fold_cosh),
    ..FLOAT_UNARY
};

/// Sine.
pub static SIN: OpDef = OpDef {
    name: "math.sin",
    fold: Some(fold::fold_sin),
    ..FLOAT_UNARY
};

/// Hyperbolic sine.
pub static SINH: OpDef = OpDef {
    name: "math.sinh",
    fold: Some(fold::fold_sinh),
    ..FLOAT_UNARY
};

/// Number of leading zeros.
pub static CTLZ: OpDef = OpDef {
    name: "math.ctlz",
    fold: Some(fold::fold_ctlz),
    ..INT_UNARY
};

/// Number of trailing zeros.
pub static CTTZ: OpDef = OpDef {
    name: "math.cttz",
    fold: Some(fold::fold_cttz),
    ..INT_UNARY
};

/// Number of ones.
pub static CTPOP: OpDef = OpDef {
    name: "math.ctpop",
    fold: Some(fold::fold_ctpop),
    ..INT_UNARY
};

/// Error function.
pub static ERF: OpDef = OpDef {
    name: "math.erf",
    fold: Some(fold::fold_erf),
    ..FLOAT_UNARY
};

/// One minus the error function.
pub static ERFC: OpDef = OpDef {
    name: "math.erfc",
    ..FLOAT_UNARY
};

/// e to the power.
pub static EXP: OpDef = OpDef {
    name: "math.exp",
    fold: Some(fold::fold_exp),
    ..FLOAT_UNARY
};

/// 2 to the power.
pub static EXP2: OpDef = OpDef {
    name: "math.exp2",
    fold: Some(fold::fold_exp2),
    ..FLOAT_UNARY
};

/// e to the power, minus 1.
pub static EXPM1: OpDef = OpDef {
    name: "math.expm1",
    fold: Some(fold::fold_expm1),
    ..FLOAT_UNARY
};

/// Rounds down.
pub static FLOOR: OpDef = OpDef {
    name: "math.floor",
    fold: Some(fold::fold_floor),
    ..FLOAT_UNARY
};

/// a * b + c, rounded once.
pub static FMA: OpDef = OpDef {
    name: "math.fma",
    ..FLOAT_TERNARY
};

/// Power of signed integers.
pub static IPOWI: OpDef = OpDef {
    name: "math.ipowi",
    fold: Some(fold::fold_ipowi),
    ..INT_BINARY
};

/// Natural logarithm.
pub static LOG: OpDef = OpDef {
    name: "math.log",
    fold: Some(fold::fold_log),
    ..FLOAT_UNARY
};

/// Logarithm to base 10.
pub static LOG10: OpDef = OpDef {
    name: "math.log10",
    fold: Some(fold::fold_log10),
    ..FLOAT_UNARY
};

/// Natural logarithm of one plus the operand.
pub static LOG1P: OpDef = OpDef {
    name: "math.log1p",
    fold: Some(fold::fold_log1p),
    ..FLOAT_UNARY
};

/// Logarithm to base 2.
pub static LOG2: OpDef = OpDef {
    name: "math.log2",
    fold: Some(fold::fold_log2),
    ..FLOAT_UNARY
};

/// Power.
pub static POWF: OpDef = OpDef {
    name: "math.powf",
    fold: Some(fold::fold_powf),
    ..FLOAT_BINARY
};

/// One by the square root.
pub static RSQRT: OpDef = OpDef {
    name: "math.rsqrt",
    ..FLOAT_UNARY
};

/// Square root.
pub static SQRT: OpDef = OpDef {
    name: "math.sqrt",
    fold: Some(fold::fold_sqrt),
    ..FLOAT_UNARY
};

/// Tangent.
pub static TAN: OpDef = OpDef {
    name: "math.tan",
    fold: Some(fold::fold_tan),
    ..FLOAT_UNARY
};

/// Hyperbolic tangent.
pub static TANH: OpDef = OpDef {
    name: "math.tanh",
    fold: Some(fold::fold_tanh),
    ..FLOAT_UNARY
};

/// Rounds to the nearest whole number, ties to even.
pub static ROUNDEVEN: OpDef = OpDef {
    name: "math.roundeven",
    fold: Some(fold::fold_roundeven),
    ..FLOAT_UNARY
};

/// Rounds to the nearest whole number, ties away from zero.
pub static ROUND: OpDef = OpDef {
    name: "math.round",
    fold: Some(fold::fold_round),
    ..FLOAT_UNARY
};

/// Rounds towards zero.
pub static TRUNC: OpDef = OpDef {
    name: "math.trunc",
    fold: Some(fold::fold_trunc),
    ..FLOAT_UNARY
};

/// Float to the power of a signed integer.
pub static FPOWI: OpDef = const {
    OpDef {
        name: "math.fpowi",
        traits: TRAITS,
        operands: &[
            ValueSpec::one("lhs", &constraints::FLOAT_LIKE),
            ValueSpec::one("rhs", &constraints::SIGNLESS_INTEGER_LIKE),
        ],
        results: FLOAT_RESULT,
        attributes: &[FASTMATH],
        verify: verify_fpowi,
        ..OpDef::PURE
    }
}
.with_format(
    "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs) `,` type($rhs) where \
     $result = type($lhs)",
);

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "math",
    ops: &[
        &ABSF, &ABSI, &ACOS, &ACOSH, &ASIN, &ASINH, &ATAN, &ATANH, &ATAN2, &CBRT, &CEIL, &COPYSIGN,
        &COS, &COSH, &SIN, &SINH, &CTLZ, &CTTZ, &CTPOP, &ERF, &EXP, &EXP2, &EXPM1, &FLOOR, &FMA,
        &IPOWI, &LOG, &LOG10, &LOG1P, &LOG2, &POWF, &RSQRT, &SQRT, &TAN, &TANH, &ROUNDEVEN, &ROUND,
        &TRUNC, &FPOWI, &CLAMPF, &ERFC, &ISFINITE, &ISINF, &ISNAN, &ISNORMAL, &SINCOS,
    ],
    ..DialectDef::BASE
};

fn verify_classification(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let ty = context.with_element_type(ir.value_type(ir.operand(op, 0)), Type::I1);
    match ty == ir.value_type(ir.result(op, 0)) {
        true => Ok(()),
        false => Err(
            "failed to verify that result type has i1 element type and same shape as operands"
                .into(),
        ),
    }
}

fn verify_fpowi(ir: &Ir, op: Op) -> Result<(), OpError> {
    let (lhs, rhs, result) = (ir.operand(op, 0), ir.operand(op, 1), ir.result(op, 0));
    verify::all_types_match(ir, &[lhs, result], "lhs, result")?;
    let types = [lhs, rhs, result].map(|value| ir.value_type(value));
    verify::same_shape(ir.context(), &types)
}
