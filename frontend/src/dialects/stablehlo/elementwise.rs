//! Operations element by element, and constants.

use crate::ir::attrs::AttrKind;
use crate::ir::constraints::ELEMENTS_ATTR;
use crate::ir::format::CustomDirective;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, Traits, TypeConstraint, ValueSpec};
use crate::ir::types::TypeKind;

use super::assembly::{
    COMPLEX_TYPE, EXPONENT_MANTISSA, SAME_TYPE, SELECT_TYPE, parse_constant, print_constant,
};
use super::attributes::{COMPARISON_DIRECTION, COMPARISON_TYPE, default_accuracy};
use super::constraints::{
    BOOL_OR_INTEGER_TENSOR, BOOL_TENSOR, COMPLEX_TENSOR, FLOAT_COMPLEX_OR_QUANTIZED_TENSOR,
    FLOAT_OR_COMPLEX_TENSOR, FLOAT_OR_QUANTIZED_TENSOR, FLOAT_TENSOR, INTEGER_TENSOR,
    NON_NEGATIVE_I32, NON_QUANTIZED_TENSOR, NUMBER_TENSOR, PART_TENSOR, POSITIVE_I32,
    QUANTIZED_TENSOR, RESULT_ACCURACY, SIGNED_NUMBER_TENSOR, STATIC_TENSOR, TENSOR,
};
use super::verify;

const ELEMENTWISE: OpDef = OpDef {
    traits: Traits::SPECULATABLE.and(Traits::ELEMENTWISE),
    verify: verify::compatible_types,
    ..OpDef::PURE
};

const COMMUTATIVE: Traits = ELEMENTWISE.traits.and(Traits::COMMUTATIVE);

const SAME: &[&CustomDirective] = &[&SAME_TYPE];

/// A function of one tensor; the text has one type where it can.
const fn unary(
    name: &'static str,
    operands: &'static [ValueSpec],
    results: &'static [ValueSpec],
    attributes: &'static [AttrSpec],
) -> OpDef {
    OpDef {
        name,
        operands,
        results,
        attributes,
        ..ELEMENTWISE
    }
    .with_custom_format("operands attr-dict `:` custom<SameType>", SAME)
}

/// A function of two tensors of one type.
const fn binary(
    name: &'static str,
    operands: &'static [ValueSpec],
    results: &'static [ValueSpec],
) -> OpDef {
    unary(name, operands, results, &[])
}

const fn commutative(def: OpDef) -> OpDef {
    OpDef {
        traits: COMMUTATIVE,
        ..def
    }
}

const fn value(name: &'static str, constraint: &'static TypeConstraint) -> ValueSpec {
    ValueSpec::one(name, constraint)
}

const ACCURACY: &[AttrSpec] = &[AttrSpec::implied(
    Name::RESULT_ACCURACY,
    &RESULT_ACCURACY,
    default_accuracy,
)];

macro_rules! unary_rows {
    ($($(#[$meta:meta])* $row:ident $name:literal $constraint:ident $attributes:expr;)*) => {
        $(
            $(#[$meta])*
            pub static $row: OpDef = unary(
                $name,
                &[value("operand", &$constraint)],
                &[value("result", &$constraint)],
                $attributes,
            );
        )*
    };
}

unary_rows! {
    /// Cubic root.
    CBRT "stablehlo.cbrt" FLOAT_COMPLEX_OR_QUANTIZED_TENSOR ACCURACY;
    /// The least integer that is not less.
    CEIL "stablehlo.ceil" FLOAT_OR_QUANTIZED_TENSOR &[];
    /// Cosine.
    COSINE "stablehlo.cosine" FLOAT_COMPLEX_OR_QUANTIZED_TENSOR ACCURACY;
    /// The number of zeros above the highest one.
    COUNT_LEADING_ZEROS "stablehlo.count_leading_zeros" INTEGER_TENSOR &[];
    /// e to the power.
    EXPONENTIAL "stablehlo.exponential" FLOAT_COMPLEX_OR_QUANTIZED_TENSOR ACCURACY;
    /// e to the power, minus 1.
    EXPONENTIAL_MINUS_ONE "stablehlo.exponential_minus_one" FLOAT_COMPLEX_OR_QUANTIZED_TENSOR ACCURACY;
    /// The greatest integer that is not greater.
    FLOOR "stablehlo.floor" FLOAT_OR_QUANTIZED_TENSOR &[];
    /// Natural logarithm.
    LOG "stablehlo.log" FLOAT_COMPLEX_OR_QUANTIZED_TENSOR ACCURACY;
    /// Natural logarithm of one plus the operand.
    LOG_PLUS_ONE "stablehlo.log_plus_one" FLOAT_COMPLEX_OR_QUANTIZED_TENSOR ACCURACY;
    /// 1 / (1 + exp(-x)).
    LOGISTIC "stablehlo.logistic" FLOAT_COMPLEX_OR_QUANTIZED_TENSOR ACCURACY;
    /// Negation; of integers modulo their range.
    NEGATE "stablehlo.negate" NUMBER_TENSOR &[];
    /// Complement, of bits or of a truth value.
    NOT "stablehlo.not" BOOL_OR_INTEGER_TENSOR &[];
    /// The number of ones.
    POPCNT "stablehlo.popcnt" INTEGER_TENSOR &[];
    /// The nearest integer, ties away from zero.
    ROUND_NEAREST_AFZ "stablehlo.round_nearest_afz" FLOAT_OR_QUANTIZED_TENSOR &[];
    /// The nearest integer, ties to even.
    ROUND_NEAREST_EVEN "stablehlo.round_nearest_even" FLOAT_OR_QUANTIZED_TENSOR &[];
    /// Reciprocal of the square root.
    RSQRT "stablehlo.rsqrt" FLOAT_COMPLEX_OR_QUANTIZED_TENSOR ACCURACY;
    /// -1, 0 or 1; the direction of a complex number.
    SIGN "stablehlo.sign" SIGNED_NUMBER_TENSOR &[];
    /// Sine.
    SINE "stablehlo.sine" FLOAT_COMPLEX_OR_QUANTIZED_TENSOR ACCURACY;
    /// Square root.
    SQRT "stablehlo.sqrt" FLOAT_COMPLEX_OR_QUANTIZED_TENSOR ACCURACY;
    /// Tangent.
    TAN "stablehlo.tan" FLOAT_COMPLEX_OR_QUANTIZED_TENSOR ACCURACY;
    /// Hyperbolic tangent.
    TANH "stablehlo.tanh" FLOAT_COMPLEX_OR_QUANTIZED_TENSOR ACCURACY;
}

/// Absolute value.
pub static ABS: OpDef = OpDef {
    verify: verify::real_result,
    ..unary(
        "stablehlo.abs",
        &[value("operand", &SIGNED_NUMBER_TENSOR)],
        &[value("result", &SIGNED_NUMBER_TENSOR)],
        &[],
    )
};

/// The real part.
pub static REAL: OpDef = OpDef {
    verify: verify::real_result,
    ..unary(
        "stablehlo.real",
        &[value("operand", &FLOAT_OR_COMPLEX_TENSOR)],
        &[value("result", &FLOAT_TENSOR)],
        &[],
    )
};

/// The imaginary part.
pub static IMAG: OpDef = OpDef {
    verify: verify::real_result,
    ..unary(
        "stablehlo.imag",
        &[value("operand", &FLOAT_OR_COMPLEX_TENSOR)],
        &[value("result", &FLOAT_TENSOR)],
        &[],
    )
};

/// Conversion of elements to another type; out of range as the specification says.
pub static CONVERT: OpDef = OpDef {
    verify: verify::same_shapes,
    ..unary(
        "stablehlo.convert",
        &[value("operand", &NON_QUANTIZED_TENSOR)],
        &[value("result", &NON_QUANTIZED_TENSOR)],
        &[],
    )
};

/// From floats, or from another quantization.
pub static UNIFORM_QUANTIZE: OpDef = OpDef {
    verify: verify::same_shapes,
    ..unary(
        "stablehlo.uniform_quantize",
        &[value("operand", &TENSOR)],
        &[value("result", &QUANTIZED_TENSOR)],
        &[],
    )
};

/// To floats.
pub static UNIFORM_DEQUANTIZE: OpDef = OpDef {
    verify: verify::same_shapes,
    ..unary(
        "stablehlo.uniform_dequantize",
        &[value("operand", &QUANTIZED_TENSOR)],
        &[value("result", &FLOAT_TENSOR)],
        &[],
    )
};

/// Whether neither infinite nor NaN.
pub static IS_FINITE: OpDef = const {
    OpDef {
        name: "stablehlo.is_finite",
        operands: &[value("x", &FLOAT_OR_QUANTIZED_TENSOR)],
        results: &[value("y", &BOOL_TENSOR)],
        verify: verify::same_shapes,
        ..ELEMENTWISE
    }
}
.with_format("operands attr-dict `:` functional-type(operands, results)");

macro_rules! binary_rows {
    ($($(#[$meta:meta])* $row:ident $name:literal $constraint:ident $make:ident;)*) => {
        $(
            $(#[$meta])*
            pub static $row: OpDef = $make(binary(
                $name,
                &[value("lhs", &$constraint), value("rhs", &$constraint)],
                &[value("result", &$constraint)],
            ));
        )*
    };
}

const fn ordered(def: OpDef) -> OpDef {
    def
}

binary_rows! {
    /// Sum; of truth values their disjunction.
    ADD "stablehlo.add" TENSOR commutative;
    /// Conjunction.
    AND "stablehlo.and" BOOL_OR_INTEGER_TENSOR commutative;
    /// The angle of a point.
    ATAN2 "stablehlo.atan2" FLOAT_COMPLEX_OR_QUANTIZED_TENSOR ordered;
    /// Quotient; of integers rounded toward zero, -1 where the divisor is zero.
    DIVIDE "stablehlo.divide" NUMBER_TENSOR ordered;
    /// The greater one, NaN if either is.
    MAXIMUM "stablehlo.maximum" TENSOR commutative;
    /// The lesser one, NaN if either is.
    MINIMUM "stablehlo.minimum" TENSOR commutative;
    /// Product; of truth values their conjunction.
    MULTIPLY "stablehlo.multiply" TENSOR commutative;
    /// Disjunction.
    OR "stablehlo.or" BOOL_OR_INTEGER_TENSOR commutative;
    /// Power.
    POWER "stablehlo.power" NUMBER_TENSOR ordered;
    /// Remainder with the sign of the dividend; the dividend where the divisor is zero.
    REMAINDER "stablehlo.remainder" NUMBER_TENSOR ordered;
    /// Shift; zero past the width.
    SHIFT_LEFT "stablehlo.shift_left" INTEGER_TENSOR ordered;
    /// Shift; the sign past the width.
    SHIFT_RIGHT_ARITHMETIC "stablehlo.shift_right_arithmetic" INTEGER_TENSOR ordered;
    /// Shift; zero past the width.
    SHIFT_RIGHT_LOGICAL "stablehlo.shift_right_logical" INTEGER_TENSOR ordered;
    /// Difference.
    SUBTRACT "stablehlo.subtract" NUMBER_TENSOR ordered;
    /// Exclusive disjunction.
    XOR "stablehlo.xor" BOOL_OR_INTEGER_TENSOR commutative;
}

/// Complex numbers of their parts.
pub static COMPLEX: OpDef = const {
    OpDef {
        name: "stablehlo.complex",
        operands: &[value("lhs", &PART_TENSOR), value("rhs", &PART_TENSOR)],
        results: &[value("result", &COMPLEX_TENSOR)],
        verify: verify::complex,
        ..ELEMENTWISE
    }
}
.with_custom_format(
    "operands attr-dict `:` custom<ComplexType>",
    &[&COMPLEX_TYPE],
);

/// Comparison.
pub static COMPARE: OpDef = const {
    OpDef {
        name: "stablehlo.compare",
        operands: &[value("lhs", &TENSOR), value("rhs", &TENSOR)],
        results: &[value("result", &BOOL_TENSOR)],
        attributes: &[
            AttrSpec::required(Name::COMPARISON_DIRECTION, &COMPARISON_DIRECTION),
            AttrSpec::optional(Name::COMPARE_TYPE, &COMPARISON_TYPE),
        ],
        verify: verify::compare,
        ..ELEMENTWISE
    }
}
.with_format(
    "$comparison_direction `,` $lhs `,` $rhs (`,` $compare_type^)? attr-dict `:` \
     functional-type(operands, results)",
);

/// One of two by a condition, which may be one for all.
pub static SELECT: OpDef = const {
    OpDef {
        name: "stablehlo.select",
        operands: &[
            value("pred", &BOOL_TENSOR),
            value("on_true", &TENSOR),
            value("on_false", &TENSOR),
        ],
        results: &[value("result", &TENSOR)],
        verify: verify::select,
        ..OpDef::PURE
    }
}
.with_custom_format("operands attr-dict `:` custom<SelectType>", &[&SELECT_TYPE]);

/// The operand between two bounds, which may be one for all.
pub static CLAMP: OpDef = const {
    OpDef {
        name: "stablehlo.clamp",
        operands: &[
            value("min", &TENSOR),
            value("operand", &TENSOR),
            value("max", &TENSOR),
        ],
        results: &[value("result", &TENSOR)],
        verify: verify::clamp,
        ..OpDef::PURE
    }
}
.with_custom_format("operands attr-dict `:` custom<SameType>", &[&SAME_TYPE]);

/// Rounds to a float of fewer bits.
pub static REDUCE_PRECISION: OpDef = const {
    OpDef {
        name: "stablehlo.reduce_precision",
        operands: &[value("operand", &FLOAT_OR_QUANTIZED_TENSOR)],
        results: &[value("output", &FLOAT_OR_QUANTIZED_TENSOR)],
        attributes: &[
            AttrSpec::required(Name::EXPONENT_BITS, &POSITIVE_I32),
            AttrSpec::required(Name::MANTISSA_BITS, &NON_NEGATIVE_I32),
        ],
        ..ELEMENTWISE
    }
}
.with_custom_format(
    "$operand `,` `format` `=` custom<ExponentMantissa> attr-dict `:` custom<SameType>",
    &[&EXPONENT_MANTISSA, &SAME_TYPE],
);

/// Constants.
pub static CONSTANT: OpDef = OpDef {
    name: "stablehlo.constant",
    traits: Traits::SPECULATABLE.and(Traits::CONSTANT_LIKE),
    results: &[value("output", &STATIC_TENSOR)],
    attributes: &[AttrSpec::required(Name::VALUE, &ELEMENTS_ATTR)],
    parse: Some(parse_constant),
    print: Some(print_constant),
    verify: verify::constant,
    result_names: Some(|ir, op, name| {
        let result = ir.result(op, 0);
        let element = ir.context().element_type_or_self(ir.value_type(result));
        let is_integer = matches!(ir.context().type_kind(element), TypeKind::Integer { .. })
            && ir.attr(op, Name::VALUE).is_some_and(|value| {
                !matches!(ir.context().attr_kind(value), AttrKind::DenseStrings { .. })
            });
        name(result, if is_integer { "c" } else { "cst" });
    }),
    ..OpDef::PURE
};
