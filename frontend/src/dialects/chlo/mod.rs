//! The CHLO dialect: operations that clients of StableHLO write and that
//! become several of its operations, special functions above all.

mod encoding;
pub mod ragged_dot;

use crate::dialects::stablehlo::assembly::{parse_constant, print_constant};
use crate::dialects::stablehlo::constraints::{is_float, is_integer};
use crate::ir::attrs::Attr;
use crate::ir::constraints::{
    ANY_ATTR, BOOL_ATTR, ELEMENTS_ATTR, I64_ATTR, I64_DENSE_ARRAY_ATTR, RANKED_TENSOR, TENSOR,
};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::{
    AttrConstraint, AttrSpec, DialectDef, OpDef, OpError, Traits, TypeConstraint, ValueSpec,
};
use crate::ir::types::{DYNAMIC, Type};

static FLOAT_TENSOR: TypeConstraint = TypeConstraint {
    description: "tensor of 4/6/8/16/32/64-bit float values",
    accepts: |context: &Context, ty| {
        context.shape(ty).is_some() && is_float(context, context.element_type_or_self(ty))
    },
    ..TypeConstraint::BASE
};
static BOOL_TENSOR: TypeConstraint = TypeConstraint {
    description: "tensor of bool values",
    accepts: |context: &Context, ty| {
        context.shape(ty).is_some() && context.element_type_or_self(ty) == Type::I1
    },
    ..TypeConstraint::BASE
};
static INTEGER_TENSOR: TypeConstraint = TypeConstraint {
    description: "ranked tensor of 2/4/8/16/32/64-bit integer values",
    accepts: |context: &Context, ty| {
        context.shape(ty).is_some() && is_integer(context, context.element_type_or_self(ty))
    },
    ..TypeConstraint::BASE
};
static DIALECT_ATTR: AttrConstraint =
    AttrConstraint::new("attribute of the dialect", |context, attr| {
        matches!(
            context.attr_kind(attr),
            crate::ir::attrs::AttrKind::Dialect { .. }
        )
    });

/// Checks that all shapes can be those of one tensor.
fn verify_shapes(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let all = ir.operands(op).iter().chain(ir.results(op));
    let mut shapes = all.filter_map(|&value| context.shape(ir.value_type(value)));
    let Some(first) = shapes.next() else {
        return Ok(());
    };
    let is_same = |(&a, &b): (&i64, &i64)| a == b || a == DYNAMIC || b == DYNAMIC;
    match shapes.all(|shape| shape.len() == first.len() && shape.iter().zip(first).all(is_same)) {
        true => Ok(()),
        false => Err("requires the same shape for all operands and results".into()),
    }
}

/// Checks the elements of operands and of the result too.
fn verify_types(ir: &Ir, op: Op) -> Result<(), OpError> {
    verify_shapes(ir, op)?;
    let context = ir.context();
    let element = |value| context.element_type_or_self(ir.value_type(value));
    let result = element(ir.result(op, 0));
    match ir
        .operands(op)
        .iter()
        .all(|&operand| element(operand) == result)
    {
        true => Ok(()),
        false => Err("requires the same element type for all operands and results".into()),
    }
}

const ELEMENTWISE: OpDef = OpDef {
    traits: Traits::SPECULATABLE.and(Traits::ELEMENTWISE),
    verify: verify_types,
    ..OpDef::PURE
};

const fn unary(
    name: &'static str,
    operands: &'static [ValueSpec],
    results: &'static [ValueSpec],
) -> OpDef {
    OpDef {
        name,
        operands,
        results,
        ..ELEMENTWISE
    }
    .with_format("$operand attr-dict `:` type($operand) `->` type($result)")
}

macro_rules! unary_rows {
    ($($(#[$meta:meta])* $row:ident $name:literal $operand:ident $result:ident $verify:ident;)*) => {
        $(
            $(#[$meta])*
            pub static $row: OpDef = OpDef {
                verify: $verify,
                ..unary(
                    $name,
                    &[ValueSpec::one("operand", &$operand)],
                    &[ValueSpec::one("result", &$result)],
                )
            };
        )*
    };
}

unary_rows! {
    /// Part of the arc sine and the arc cosine of complex numbers.
    ASIN_ACOS_KERNEL "chlo._asin_acos_kernel" TENSOR TENSOR verify_types;
    /// Arc cosine.
    ACOS "chlo.acos" TENSOR TENSOR verify_types;
    /// Inverse of the hyperbolic cosine.
    ACOSH "chlo.acosh" TENSOR TENSOR verify_types;
    /// Arc sine.
    ASIN "chlo.asin" TENSOR TENSOR verify_types;
    /// Inverse of the hyperbolic sine.
    ASINH "chlo.asinh" TENSOR TENSOR verify_types;
    /// Arc tangent.
    ATAN "chlo.atan" TENSOR TENSOR verify_types;
    /// Inverse of the hyperbolic tangent.
    ATANH "chlo.atanh" TENSOR TENSOR verify_types;
    /// Modified Bessel function of order 1, scaled by exp(-|x|).
    BESSEL_I1E "chlo.bessel_i1e" TENSOR TENSOR verify_types;
    /// Conjugate.
    CONJ "chlo.conj" TENSOR TENSOR verify_types;
    /// Hyperbolic cosine.
    COSH "chlo.cosh" TENSOR TENSOR verify_types;
    /// Logarithmic derivative of the gamma function.
    DIGAMMA "chlo.digamma" FLOAT_TENSOR FLOAT_TENSOR verify_types;
    /// Error function.
    ERF "chlo.erf" FLOAT_TENSOR FLOAT_TENSOR verify_types;
    /// Inverse of the error function.
    ERF_INV "chlo.erf_inv" FLOAT_TENSOR FLOAT_TENSOR verify_types;
    /// 1 - erf(x).
    ERFC "chlo.erfc" FLOAT_TENSOR FLOAT_TENSOR verify_types;
    /// Whether infinite.
    IS_INF "chlo.is_inf" FLOAT_TENSOR BOOL_TENSOR verify_shapes;
    /// Whether minus infinity.
    IS_NEG_INF "chlo.is_neg_inf" FLOAT_TENSOR BOOL_TENSOR verify_shapes;
    /// Whether plus infinity.
    IS_POS_INF "chlo.is_pos_inf" FLOAT_TENSOR BOOL_TENSOR verify_shapes;
    /// Logarithm of the absolute value of the gamma function.
    LGAMMA "chlo.lgamma" FLOAT_TENSOR FLOAT_TENSOR verify_types;
    /// Hyperbolic sine.
    SINH "chlo.sinh" TENSOR TENSOR verify_types;
    /// x * x.
    SQUARE "chlo.square" TENSOR TENSOR verify_types;
    /// Tangent.
    TAN "chlo.tan" TENSOR TENSOR verify_types;
}

macro_rules! binary_rows {
    ($($(#[$meta:meta])* $row:ident $name:literal $a:literal $b:literal $constraint:ident $format:literal;)*) => {
        $(
            $(#[$meta])*
            pub static $row: OpDef = const {
                OpDef {
                    name: $name,
                    operands: &[
                        ValueSpec::one($a, &$constraint),
                        ValueSpec::one($b, &$constraint),
                    ],
                    results: &[ValueSpec::one("result", &$constraint)],
                    ..ELEMENTWISE
                }
            }
            .with_format($format);
        )*
    };
}

binary_rows! {
    /// The upper half of a product.
    MULHI "chlo.mulhi" "lhs" "rhs" INTEGER_TENSOR
        "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
    /// The neighbour in the direction of another number.
    NEXT_AFTER "chlo.next_after" "x" "y" FLOAT_TENSOR
        "$x `,` $y attr-dict `:` type($x) `,` type($y) `->` type($result)";
    /// Derivatives of the digamma function.
    POLYGAMMA "chlo.polygamma" "n" "x" FLOAT_TENSOR
        "$n `,` $x attr-dict `:` type($n) `,` type($x) `->` type($result)";
    /// Hurwitz zeta function.
    ZETA "chlo.zeta" "x" "q" FLOAT_TENSOR
        "$x `,` $q attr-dict `:` type($x) `,` type($q) `->` type($result)";
}

const BROADCAST_DIMENSIONS: AttrSpec =
    AttrSpec::optional(Name::BROADCAST_DIMENSIONS, &I64_DENSE_ARRAY_ATTR);

const LHS_RHS: &[ValueSpec] = &[
    ValueSpec::one("lhs", &TENSOR),
    ValueSpec::one("rhs", &TENSOR),
];
const RESULT: &[ValueSpec] = &[ValueSpec::one("result", &TENSOR)];

/// A function of two tensors that are broadcast to one shape.
const fn broadcasting(name: &'static str, attributes: &'static [AttrSpec]) -> OpDef {
    OpDef {
        name,
        operands: LHS_RHS,
        results: RESULT,
        attributes,
        ..OpDef::PURE
    }
    .with_format("$lhs `,` $rhs attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type(results)")
}

macro_rules! broadcasting_rows {
    ($($row:ident $name:literal;)*) => {
        $(
            #[doc = concat!("`", $name, "` with operands broadcast to one shape")]
            pub static $row: OpDef =
                broadcasting(concat!("chlo.broadcast_", $name), &[BROADCAST_DIMENSIONS]);
        )*
    };
}

broadcasting_rows! {
    BROADCAST_ADD "add";
    BROADCAST_AND "and";
    BROADCAST_ATAN2 "atan2";
    BROADCAST_COMPLEX "complex";
    BROADCAST_DIVIDE "divide";
    BROADCAST_MAXIMUM "maximum";
    BROADCAST_MINIMUM "minimum";
    BROADCAST_MULTIPLY "multiply";
    BROADCAST_NEXT_AFTER "next_after";
    BROADCAST_OR "or";
    BROADCAST_POLYGAMMA "polygamma";
    BROADCAST_POWER "power";
    BROADCAST_REMAINDER "remainder";
    BROADCAST_SHIFT_LEFT "shift_left";
    BROADCAST_SHIFT_RIGHT_ARITHMETIC "shift_right_arithmetic";
    BROADCAST_SHIFT_RIGHT_LOGICAL "shift_right_logical";
    BROADCAST_SUBTRACT "subtract";
    BROADCAST_XOR "xor";
    BROADCAST_ZETA "zeta";
}

/// Comparison with operands broadcast to one shape.
pub static BROADCAST_COMPARE: OpDef = broadcasting(
    "chlo.broadcast_compare",
    &[
        BROADCAST_DIMENSIONS,
        AttrSpec::required(Name::COMPARISON_DIRECTION, &DIALECT_ATTR),
        AttrSpec::optional(Name::COMPARE_TYPE, &DIALECT_ATTR),
    ],
);

/// Selection with operands broadcast to one shape.
pub static BROADCAST_SELECT: OpDef = const {
    OpDef {
        name: "chlo.broadcast_select",
        operands: &[
            ValueSpec::one("pred", &BOOL_TENSOR),
            ValueSpec::one("on_true", &TENSOR),
            ValueSpec::one("on_false", &TENSOR),
        ],
        results: &[ValueSpec::one("result", &TENSOR)],
        ..OpDef::PURE
    }
}
.with_format(
    "$pred `,` $on_true `,` $on_false attr-dict `:` \
     `(` type($pred) `,` type($on_true) `,` type($on_false) `)` `->` type(results)",
);

/// A constant.
pub static CONSTANT: OpDef = OpDef {
    name: "chlo.constant",
    traits: Traits::SPECULATABLE.and(Traits::CONSTANT_LIKE),
    results: &[ValueSpec::one("output", &RANKED_TENSOR)],
    attributes: &[AttrSpec::required(Name::VALUE, &ELEMENTS_ATTR)],
    parse: Some(parse_constant),
    print: Some(print_constant),
    ..OpDef::PURE
};

/// A constant of the shape of a tensor.
pub static CONSTANT_LIKE: OpDef = OpDef {
    name: "chlo.constant_like",
    operands: &[ValueSpec::one("operand", &TENSOR)],
    results: &[ValueSpec::one("result", &TENSOR)],
    attributes: &[AttrSpec::required(Name::VALUE, &ANY_ATTR)],
    verify: verify_shapes,
    ..OpDef::PURE
};

/// The greatest elements of rows, and where they are.
pub static TOP_K: OpDef = const {
    OpDef {
        name: "chlo.top_k",
        operands: &[ValueSpec::one("operand", &RANKED_TENSOR)],
        results: &[
            ValueSpec::one("values", &RANKED_TENSOR),
            ValueSpec::one("indices", &RANKED_TENSOR),
        ],
        attributes: &[
            AttrSpec::required(Name::K, &I64_ATTR),
            AttrSpec::implied(Name::IS_STABLE, &BOOL_ATTR, |_| Attr::TRUE),
        ],
        verify: verify_top_k,
        result_names: Some(|ir, op, name| {
            name(ir.result(op, 0), "values");
            name(ir.result(op, 1), "indices");
        }),
        ..OpDef::PURE
    }
}
.with_format(
    "`(` $operand `,` `k` `=` $k (`,` `is_stable` `=` $is_stable^)? `)` attr-dict `:` \
     type($operand) `->` `(` type($values) `,` type($indices) `)`",
);

fn verify_top_k(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let shape = |value| context.shape(ir.value_type(value)).unwrap_or_default();
    let k = ir
        .attr(op, Name::K)
        .and_then(|attr| context.attr_integer(attr));
    let [ref batch @ .., last] = shape(ir.operand(op, 0))[..] else {
        return Err("operand's rank must be at least 1".into());
    };
    let Some(k) = k.and_then(|k| i64::try_from(k).ok()).filter(|&k| k >= 0) else {
        return Err("k must be non-negative".into());
    };
    if last != DYNAMIC && last < k {
        return Err("operand's last dimension must be at least k".into());
    }
    let expected = [batch, &[k]].concat();
    let fits = |(&x, &y): (&i64, &i64)| x == y || x == DYNAMIC || y == DYNAMIC;
    match ir.results(op).iter().all(|&result| {
        let found = shape(result);
        found.len() == expected.len() && found.iter().zip(&expected).all(fits)
    }) {
        true => Ok(()),
        false => Err("results must have the shape of the operand with k as last dimension".into()),
    }
}

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "chlo",
    ops: &[
        &ACOS,
        &ACOSH,
        &ASIN,
        &ASIN_ACOS_KERNEL,
        &ASINH,
        &ATAN,
        &ATANH,
        &BESSEL_I1E,
        &BROADCAST_ADD,
        &BROADCAST_AND,
        &BROADCAST_ATAN2,
        &BROADCAST_COMPARE,
        &BROADCAST_COMPLEX,
        &BROADCAST_DIVIDE,
        &BROADCAST_MAXIMUM,
        &BROADCAST_MINIMUM,
        &BROADCAST_MULTIPLY,
        &BROADCAST_NEXT_AFTER,
        &BROADCAST_OR,
        &BROADCAST_POLYGAMMA,
        &BROADCAST_POWER,
        &BROADCAST_REMAINDER,
        &BROADCAST_SELECT,
        &BROADCAST_SHIFT_LEFT,
        &BROADCAST_SHIFT_RIGHT_ARITHMETIC,
        &BROADCAST_SHIFT_RIGHT_LOGICAL,
        &BROADCAST_SUBTRACT,
        &BROADCAST_XOR,
        &BROADCAST_ZETA,
        &CONJ,
        &CONSTANT,
        &CONSTANT_LIKE,
        &COSH,
        &DIGAMMA,
        &ERF,
        &ERF_INV,
        &ERFC,
        &IS_INF,
        &IS_NEG_INF,
        &IS_POS_INF,
        &LGAMMA,
        &MULHI,
        &NEXT_AFTER,
        &POLYGAMMA,
        &ragged_dot::RAGGED_DOT,
        &SINH,
        &SQUARE,
        &TAN,
        &TOP_K,
        &ZETA,
    ],
    advice: Some("`--stablehlo-legalize-to-linalg` makes linalg of it"),
    bytecode: Some(&encoding::ENCODING),
    ..DialectDef::BASE
};
