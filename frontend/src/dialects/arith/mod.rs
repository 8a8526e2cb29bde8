//! The arith dialect: integer and float arithmetic on scalars, vectors and tensors.
//!
//! One row per operation is in this file; [`attributes`] has predicates and
//! flags, `constants` what others need to make and read constants,
//! `assembly` the custom forms and `verify` the rules. The helpers of
//! `constants` are available as `arith::constant_index` and so on.
//!
//! Divisions and remainders are not speculatable: they trap on a zero divisor.
//! [`is_speculatable`] knows when a constant divisor makes them safe.

pub(crate) mod assembly;
pub mod attributes;
mod constants;
pub(crate) mod fold;
mod patterns;
pub(crate) mod verify;

pub use attributes::{
    CmpFPredicate, CmpIPredicate, FASTMATH_FLAGS, FastMathFlags, OVERFLOW_FLAGS, OverflowFlags,
    RoundingMode,
};
pub use constants::{
    as_constant_attr, as_constant_bool, as_constant_index, as_constant_int, compare, constant_attr,
    constant_bool, constant_index, constant_int,
};

use crate::ir::constraints;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::op_def::{DialectDef, OpDef, Traits, TypeConstraint, ValueSpec};
use crate::ir::types::{MemRefType, Type, TypeKind};

const ELEMENTWISE: Traits = Traits::SPECULATABLE.and(Traits::ELEMENTWISE);

const INT_OPERANDS: &[ValueSpec] = &[
    ValueSpec::one("lhs", &constraints::SIGNLESS_INTEGER_LIKE),
    ValueSpec::one("rhs", &constraints::SIGNLESS_INTEGER_LIKE),
];
const FLOAT_OPERANDS: &[ValueSpec] = &[
    ValueSpec::one("lhs", &constraints::FLOAT_LIKE),
    ValueSpec::one("rhs", &constraints::FLOAT_LIKE),
];
const INT_RESULT: &[ValueSpec] = &[ValueSpec::one(
    "result",
    &constraints::SIGNLESS_INTEGER_LIKE,
)];
const FLOAT_RESULT: &[ValueSpec] = &[ValueSpec::one("result", &constraints::FLOAT_LIKE)];
const BOOL_RESULT: &[ValueSpec] = &[ValueSpec::one("result", &constraints::BOOL_LIKE)];

/// Whether `ty` is a memref whose elements satisfy `accepts`.
fn is_memref_of(context: &Context, ty: Type, accepts: fn(&Context, Type) -> bool) -> bool {
    matches!(
        context.type_kind(ty),
        TypeKind::MemRef(MemRefType { element, .. }) if accepts(context, *element)
    )
}

static INDEX_CAST_TYPE: TypeConstraint = TypeConstraint {
    description: "signless-integer-like or memref of signless-integer",
    accepts: |context, ty| {
        let accepts = constraints::is_signless_integer_or_index;
        constraints::is_like(context, ty, accepts) || is_memref_of(context, ty, accepts)
    },
    ..TypeConstraint::BASE
};
static BITCAST_TYPE: TypeConstraint = TypeConstraint {
    description: "signless-integer-or-float-like or memref of signless-integer or float",
    accepts: |context, ty| {
        let accepts = |context: &Context, ty| {
            constraints::is_signless_integer_or_index(context, ty)
                || constraints::is_float(context, ty)
        };
        constraints::is_like(context, ty, accepts) || is_memref_of(context, ty, accepts)
    },
    ..TypeConstraint::BASE
};

/// The form of all casts without flags.
const CAST_FORMAT: &str = "$in attr-dict `:` type($in) `to` type($out)";

// What groups of rows have in common.

const INT_BINARY: OpDef = const {
    OpDef {
        traits: ELEMENTWISE.and(Traits::SAME_OPERANDS_AND_RESULT_TYPE),
        operands: INT_OPERANDS,
        results: INT_RESULT,
        ..OpDef::PURE
    }
}
.with_format("$lhs `,` $rhs attr-dict `:` type($result)");
const OVERFLOW_BINARY: OpDef = const {
    OpDef {
        attributes: &[attributes::OVERFLOW],
        ..INT_BINARY
    }
}
.with_format("$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)");
const INT_DIVISION: OpDef = OpDef {
    traits: Traits::ELEMENTWISE.and(Traits::SAME_OPERANDS_AND_RESULT_TYPE),
    ..INT_BINARY
};
/// The form of operations that may promise that no bit or remainder is lost.
const EXACT_FORMAT: &str = "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)";
const EXACT_DIVISION: OpDef = const {
    OpDef {
        attributes: &[attributes::EXACT],
        ..INT_DIVISION
    }
}
.with_format(EXACT_FORMAT);
const RIGHT_SHIFT: OpDef = const {
    OpDef {
        attributes: &[attributes::EXACT],
        ..INT_BINARY
    }
}
.with_format(EXACT_FORMAT);
const MUL_EXTENDED: OpDef = const {
    OpDef {
        traits: ELEMENTWISE.and(Traits::COMMUTATIVE),
        results: &[
            ValueSpec::one("low", &constraints::SIGNLESS_INTEGER_LIKE),
            ValueSpec::one("high", &constraints::SIGNLESS_INTEGER_LIKE),
        ],
        verify: verify::verify_mul_extended,
        result_names: Some(ods_result_names),
        ..INT_BINARY
    }
}
.with_format(
    "$lhs `,` $rhs attr-dict `:` type($lhs) where $rhs = type($lhs), $low = type($lhs), $high \
     = type($lhs)",
);
const FLOAT_BINARY: OpDef = const {
    OpDef {
        operands: FLOAT_OPERANDS,
        results: FLOAT_RESULT,
        attributes: &[attributes::FASTMATH],
        ..INT_BINARY
    }
}
.with_format("$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)");
const FLOAT_UNARY: OpDef = const {
    OpDef {
        operands: &[ValueSpec::one("operand", &constraints::FLOAT_LIKE)],
        ..FLOAT_BINARY
    }
}
.with_format("$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)");
const CAST: OpDef = OpDef {
    traits: ELEMENTWISE,
    verify: verify::verify_conversion,
    ..OpDef::PURE
};
const INT_IN: &[ValueSpec] = &[ValueSpec::one(
    "in",
    &constraints::SIGNLESS_FIXED_WIDTH_INTEGER_LIKE,
)];
const INT_OUT: &[ValueSpec] = &[ValueSpec::one(
    "out",
    &constraints::SIGNLESS_FIXED_WIDTH_INTEGER_LIKE,
)];
const INT_TO_INT: OpDef = const {
    OpDef {
        operands: INT_IN,
        results: INT_OUT,
        ..CAST
    }
}
.with_format(CAST_FORMAT);
const INT_TO_FLOAT: OpDef = const {
    OpDef {
        operands: INT_IN,
        results: &[ValueSpec::one("out", &constraints::FLOAT_LIKE)],
        ..CAST
    }
}
.with_format(CAST_FORMAT);
const FLOAT_TO_INT: OpDef = const {
    OpDef {
        operands: &[ValueSpec::one("in", &constraints::FLOAT_LIKE)],
        results: INT_OUT,
        ..CAST
    }
}
.with_format(CAST_FORMAT);
const INDEX_CAST_BASE: OpDef = const {
    OpDef {
        operands: &[ValueSpec::one("in", &INDEX_CAST_TYPE)],
        results: &[ValueSpec::one("out", &INDEX_CAST_TYPE)],
        verify: verify::verify_index_cast,
        ..CAST
    }
}
.with_format(CAST_FORMAT);

// The rows.

/// `arith.constant 42 : i32`
pub static CONSTANT: OpDef = const {
    OpDef {
        name: "arith.constant",
        traits: OpDef::PURE.traits.and(Traits::CONSTANT_LIKE),
        results: &[ValueSpec::one("result", &constraints::ANY)],
        attributes: &[attributes::CONSTANT_VALUE],
        verify: verify::verify_constant,
        result_names: Some(constants::constant_names),
        fold: Some(fold::fold_constant),
        ..OpDef::PURE
    }
}
.with_format("attr-dict $value where $result = type($value)");

/// Sum, modulo 2^n.
pub static ADDI: OpDef = OpDef {
    name: "arith.addi",
    traits: INT_BINARY.traits.and(Traits::COMMUTATIVE),
    fold: Some(fold::fold_addi),
    canonicalize: patterns::ADDI,
    ..OVERFLOW_BINARY
};

/// Sum and whether it overflowed, unsigned.
pub static ADDUI_EXTENDED: OpDef = const {
    OpDef {
        name: "arith.addui_extended",
        traits: ELEMENTWISE.and(Traits::COMMUTATIVE),
        results: &[
            ValueSpec::one("sum", &constraints::SIGNLESS_INTEGER_LIKE),
            ValueSpec::one("overflow", &constraints::BOOL_LIKE),
        ],
        verify: verify::verify_add_extended,
        result_names: Some(ods_result_names),
        fold: Some(fold::fold_addui_extended),
        canonicalize: patterns::ADDUI_EXTENDED,
        ..INT_BINARY
    }
}
.with_format(
    "$lhs `,` $rhs attr-dict `:` type($sum) `,` type($overflow) where $lhs = type($sum), $rhs \
     = type($sum)",
);

/// Difference, modulo 2^n.
pub static SUBI: OpDef = OpDef {
    name: "arith.subi",
    fold: Some(fold::fold_subi),
    canonicalize: patterns::SUBI,
    ..OVERFLOW_BINARY
};

/// Product, modulo 2^n.
pub static MULI: OpDef = OpDef {
    name: "arith.muli",
    traits: INT_BINARY.traits.and(Traits::COMMUTATIVE),
    result_names: Some(constants::product_names),
    fold: Some(fold::fold_muli),
    canonicalize: patterns::MULI,
    ..OVERFLOW_BINARY
};

/// Low and high half of the signed product.
pub static MULSI_EXTENDED: OpDef = OpDef {
    name: "arith.mulsi_extended",
    fold: Some(fold::fold_mulsi_extended),
    canonicalize: patterns::MULSI_EXTENDED,
    ..MUL_EXTENDED
};

/// Low and high half of the unsigned product.
pub static MULUI_EXTENDED: OpDef = OpDef {
    name: "arith.mului_extended",
    fold: Some(fold::fold_mului_extended),
    canonicalize: patterns::MULUI_EXTENDED,
    ..MUL_EXTENDED
};

/// Unsigned quotient, rounded towards zero.
pub static DIVUI: OpDef = OpDef {
    name: "arith.divui",
    fold: Some(fold::fold_divui),
    ..EXACT_DIVISION
};

/// Signed quotient, rounded towards zero.
pub static DIVSI: OpDef = OpDef {
    name: "arith.divsi",
    fold: Some(fold::fold_divsi),
    ..EXACT_DIVISION
};

/// Unsigned quotient, rounded up.
pub static CEILDIVUI: OpDef = OpDef {
    name: "arith.ceildivui",
    fold: Some(fold::fold_ceildivui),
    ..INT_DIVISION
};

/// Signed quotient, rounded up.
pub static CEILDIVSI: OpDef = OpDef {
    name: "arith.ceildivsi",
    fold: Some(fold::fold_ceildivsi),
    ..INT_DIVISION
};

/// Signed quotient, rounded down.
pub static FLOORDIVSI: OpDef = OpDef {
    name: "arith.floordivsi",
    fold: Some(fold::fold_floordivsi),
    ..INT_DIVISION
};

/// Unsigned remainder.
pub static REMUI: OpDef = OpDef {
    name: "arith.remui",
    fold: Some(fold::fold_remui),
    ..INT_DIVISION
};

/// Signed remainder; has the sign of the dividend.
pub static REMSI: OpDef = OpDef {
    name: "arith.remsi",
    fold: Some(fold::fold_remsi),
    ..INT_DIVISION
};

/// Bitwise and.
pub static ANDI: OpDef = OpDef {
    name: "arith.andi",
    traits: INT_BINARY.traits.and(Traits::COMMUTATIVE),
    fold: Some(fold::fold_andi),
    canonicalize: patterns::BITWISE,
    ..INT_BINARY
};

/// Bitwise or.
pub static ORI: OpDef = OpDef {
    name: "arith.ori",
    traits: INT_BINARY.traits.and(Traits::COMMUTATIVE),
    fold: Some(fold::fold_ori),
    canonicalize: patterns::BITWISE,
    ..INT_BINARY
};

/// Bitwise exclusive or.
pub static XORI: OpDef = OpDef {
    name: "arith.xori",
    traits: INT_BINARY.traits.and(Traits::COMMUTATIVE),
    fold: Some(fold::fold_xori),
    canonicalize: patterns::XORI,
    ..INT_BINARY
};

/// Left shift; poison if the distance is the width or more.
pub static SHLI: OpDef = OpDef {
    name: "arith.shli",
    fold: Some(fold::fold_shli),
    ..OVERFLOW_BINARY
};

/// Right shift that fills with zeros.
pub static SHRUI: OpDef = OpDef {
    name: "arith.shrui",
    fold: Some(fold::fold_shrui),
    ..RIGHT_SHIFT
};

/// Right shift that fills with the sign.
pub static SHRSI: OpDef = OpDef {
    name: "arith.shrsi",
    fold: Some(fold::fold_shrsi),
    ..RIGHT_SHIFT
};

/// Signed maximum.
pub static MAXSI: OpDef = OpDef {
    name: "arith.maxsi",
    traits: INT_BINARY.traits.and(Traits::COMMUTATIVE),
    fold: Some(fold::fold_maxsi),
    ..INT_BINARY
};

/// Unsigned maximum.
pub static MAXUI: OpDef = OpDef {
    name: "arith.maxui",
    traits: INT_BINARY.traits.and(Traits::COMMUTATIVE),
    fold: Some(fold::fold_maxui),
    ..INT_BINARY
};

/// Signed minimum.
pub static MINSI: OpDef = OpDef {
    name: "arith.minsi",
    traits: INT_BINARY.traits.and(Traits::COMMUTATIVE),
    fold: Some(fold::fold_minsi),
    ..INT_BINARY
};

/// Unsigned minimum.
pub static MINUI: OpDef = OpDef {
    name: "arith.minui",
    traits: INT_BINARY.traits.and(Traits::COMMUTATIVE),
    fold: Some(fold::fold_minui),
    ..INT_BINARY
};

/// Negation; flips the sign bit.
pub static NEGF: OpDef = OpDef {
    name: "arith.negf",
    fold: Some(fold::fold_negf),
    ..FLOAT_UNARY
};

/// Sum.
pub static ADDF: OpDef = OpDef {
    name: "arith.addf",
    traits: FLOAT_BINARY.traits.and(Traits::COMMUTATIVE),
    fold: Some(fold::fold_addf),
    ..FLOAT_BINARY
};

/// Difference.
pub static SUBF: OpDef = OpDef {
    name: "arith.subf",
    fold: Some(fold::fold_subf),
    ..FLOAT_BINARY
};

/// Maximum; NaN if a side is NaN, and -0 < +0.
pub static MAXIMUMF: OpDef = OpDef {
    name: "arith.maximumf",
    traits: FLOAT_BINARY.traits.and(Traits::COMMUTATIVE),
    fold: Some(fold::fold_maximumf),
    ..FLOAT_BINARY
};

/// Maximum; the other side if one is NaN.
pub static MAXNUMF: OpDef = OpDef {
    name: "arith.maxnumf",
    traits: FLOAT_BINARY.traits.and(Traits::COMMUTATIVE),
    fold: Some(fold::fold_maxnumf),
    ..FLOAT_BINARY
};

/// Minimum; NaN if a side is NaN, and -0 < +0.
pub static MINIMUMF: OpDef = OpDef {
    name: "arith.minimumf",
    traits: FLOAT_BINARY.traits.and(Traits::COMMUTATIVE),
    fold: Some(fold::fold_minimumf),
    ..FLOAT_BINARY
};

/// Minimum; the other side if one is NaN.
pub static MINNUMF: OpDef = OpDef {
    name: "arith.minnumf",
    traits: FLOAT_BINARY.traits.and(Traits::COMMUTATIVE),
    fold: Some(fold::fold_minnumf),
    ..FLOAT_BINARY
};

/// Product.
pub static MULF: OpDef = OpDef {
    name: "arith.mulf",
    traits: FLOAT_BINARY.traits.and(Traits::COMMUTATIVE),
    fold: Some(fold::fold_mulf),
    canonicalize: patterns::MULF_DIVF,
    ..FLOAT_BINARY
};

/// Quotient.
pub static DIVF: OpDef = OpDef {
    name: "arith.divf",
    fold: Some(fold::fold_divf),
    canonicalize: patterns::MULF_DIVF,
    ..FLOAT_BINARY
};

/// Remainder of truncating division; has the sign of the dividend.
pub static REMF: OpDef = OpDef {
    name: "arith.remf",
    fold: Some(fold::fold_remf),
    ..FLOAT_BINARY
};

/// Zero extension.
pub static EXTUI: OpDef = OpDef {
    name: "arith.extui",
    verify: verify::verify_extension,
    fold: Some(fold::fold_extui),
    canonicalize: patterns::EXTUI,
    ..INT_TO_INT
};

/// Sign extension.
pub static EXTSI: OpDef = OpDef {
    name: "arith.extsi",
    verify: verify::verify_extension,
    fold: Some(fold::fold_extsi),
    canonicalize: patterns::EXTSI,
    ..INT_TO_INT
};

/// Widening conversion between floats.
pub static EXTF: OpDef = const {
    OpDef {
        name: "arith.extf",
        operands: &[ValueSpec::one("in", &constraints::FLOAT_LIKE)],
        results: &[ValueSpec::one("out", &constraints::FLOAT_LIKE)],
        attributes: &[attributes::OPTIONAL_FASTMATH],
        verify: verify::verify_extension,
        fold: Some(fold::fold_extf),
        ..CAST
    }
}
.with_format("$in (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `to` type($out)");

/// Drops high bits.
pub static TRUNCI: OpDef = const {
    OpDef {
        name: "arith.trunci",
        // MLIR 22 has it.
        attributes: &[attributes::OPTIONAL_OVERFLOW],
        verify: verify::verify_truncation,
        fold: Some(fold::fold_trunci),
        canonicalize: patterns::TRUNCI,
        ..INT_TO_INT
    }
}
.with_format("$in (`overflow` `` $overflowFlags^)? attr-dict `:` type($in) `to` type($out)");

/// Narrowing conversion between floats.
pub static TRUNCF: OpDef = const {
    OpDef {
        name: "arith.truncf",
        operands: &[ValueSpec::one("in", &constraints::FLOAT_LIKE)],
        results: &[ValueSpec::one("out", &constraints::FLOAT_LIKE)],
        attributes: &[attributes::ROUNDING_MODE, attributes::OPTIONAL_FASTMATH],
        verify: verify::verify_truncation,
        fold: Some(fold::fold_truncf),
        ..CAST
    }
}
.with_format(
    "$in ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `to` \
     type($out)",
);

/// What the two conversions by a scale share. MLIR 22 has them.
const SCALING: OpDef = OpDef {
    operands: &[
        ValueSpec::one("in", &constraints::FLOAT_LIKE),
        ValueSpec::one("scale", &constraints::FLOAT_LIKE),
    ],
    results: &[ValueSpec::one("out", &constraints::FLOAT_LIKE)],
    ..CAST
};

/// Widening conversion of the product with the power of two in the scale.
pub static SCALING_EXTF: OpDef = const {
    OpDef {
        name: "arith.scaling_extf",
        attributes: &[attributes::OPTIONAL_FASTMATH],
        verify: verify::verify_scaling_extension,
        ..SCALING
    }
}
.with_format(
    "$in `,` $scale (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `,` type($scale) `to` \
     type($out)",
);

/// Narrowing conversion of the quotient by the power of two in the scale.
pub static SCALING_TRUNCF: OpDef = const {
    OpDef {
        name: "arith.scaling_truncf",
        attributes: &[attributes::ROUNDING_MODE, attributes::OPTIONAL_FASTMATH],
        verify: verify::verify_scaling_truncation,
        ..SCALING
    }
}
.with_format(
    "$in `,` $scale ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `,` \
     type($scale) `to` type($out)",
);

/// The float nearest to an unsigned integer.
pub static UITOFP: OpDef = OpDef {
    name: "arith.uitofp",
    fold: Some(fold::fold_uitofp),
    ..INT_TO_FLOAT
};

/// The float nearest to a signed integer.
pub static SITOFP: OpDef = OpDef {
    name: "arith.sitofp",
    fold: Some(fold::fold_sitofp),
    ..INT_TO_FLOAT
};

/// The unsigned integer that a float is after truncation.
pub static FPTOUI: OpDef = OpDef {
    name: "arith.fptoui",
    fold: Some(fold::fold_fptoui),
    ..FLOAT_TO_INT
};

/// The signed integer that a float is after truncation.
pub static FPTOSI: OpDef = OpDef {
    name: "arith.fptosi",
    fold: Some(fold::fold_fptosi),
    ..FLOAT_TO_INT
};

/// Sign-extends or truncates to or from index.
pub static INDEX_CAST: OpDef = OpDef {
    name: "arith.index_cast",
    fold: Some(fold::fold_index_cast),
    canonicalize: patterns::INDEX_CAST,
    ..INDEX_CAST_BASE
};

/// Zero-extends or truncates to or from index.
pub static INDEX_CASTUI: OpDef = OpDef {
    name: "arith.index_castui",
    fold: Some(fold::fold_index_castui),
    canonicalize: patterns::INDEX_CASTUI,
    ..INDEX_CAST_BASE
};

/// The same bits read as another type.
pub static BITCAST: OpDef = const {
    OpDef {
        name: "arith.bitcast",
        operands: &[ValueSpec::one("in", &BITCAST_TYPE)],
        results: &[ValueSpec::one("out", &BITCAST_TYPE)],
        verify: verify::verify_bitcast,
        fold: Some(fold::fold_bitcast),
        canonicalize: patterns::BITCAST,
        ..CAST
    }
}
.with_format(CAST_FORMAT);

/// Comparison of integers.
pub static CMPI: OpDef = const {
    OpDef {
        name: "arith.cmpi",
        traits: ELEMENTWISE,
        operands: INT_OPERANDS,
        results: BOOL_RESULT,
        attributes: &[attributes::CMPI_PREDICATE],
        verify: verify::verify_compare,
        fold: Some(fold::fold_cmpi),
        canonicalize: patterns::CMPI,
        ..OpDef::PURE
    }
}
.with_format(
    "$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs) where $rhs = type($lhs), $result = \
     bool($lhs)",
);

/// Comparison of floats.
pub static CMPF: OpDef = const {
    OpDef {
        name: "arith.cmpf",
        traits: ELEMENTWISE,
        operands: FLOAT_OPERANDS,
        results: BOOL_RESULT,
        attributes: &[attributes::CMPF_PREDICATE, attributes::FASTMATH],
        verify: verify::verify_compare,
        fold: Some(fold::fold_cmpf),
        canonicalize: patterns::CMPF,
        ..OpDef::PURE
    }
}
.with_format(
    "$predicate `,` $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs) where \
     $rhs = type($lhs), $result = bool($lhs)",
);

/// The second operand where the first is true, else the third.
pub static SELECT: OpDef = OpDef {
    name: "arith.select",
    traits: ELEMENTWISE,
    operands: &[
        ValueSpec::one("condition", &constraints::BOOL_LIKE),
        ValueSpec::one("true_value", &constraints::ANY),
        ValueSpec::one("false_value", &constraints::ANY),
    ],
    results: &[ValueSpec::one("result", &constraints::ANY)],
    parse: Some(assembly::parse_select),
    print: Some(assembly::print_select),
    verify: verify::verify_select,
    fold: Some(fold::fold_select),
    canonicalize: patterns::SELECT,
    ..OpDef::PURE
};

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "arith",
    ops: &[
        &CONSTANT,
        &ADDI,
        &ADDUI_EXTENDED,
        &SUBI,
        &MULI,
        &MULSI_EXTENDED,
        &MULUI_EXTENDED,
        &DIVUI,
        &DIVSI,
        &CEILDIVUI,
        &CEILDIVSI,
        &FLOORDIVSI,
        &REMUI,
        &REMSI,
        &ANDI,
        &ORI,
        &XORI,
        &SHLI,
        &SHRUI,
        &SHRSI,
        &MAXSI,
        &MAXUI,
        &MINSI,
        &MINUI,
        &NEGF,
        &ADDF,
        &SUBF,
        &MAXIMUMF,
        &MAXNUMF,
        &MINIMUMF,
        &MINNUMF,
        &MULF,
        &DIVF,
        &REMF,
        &EXTUI,
        &EXTSI,
        &EXTF,
        &TRUNCI,
        &TRUNCF,
        &SCALING_EXTF,
        &SCALING_TRUNCF,
        &UITOFP,
        &SITOFP,
        &FPTOUI,
        &FPTOSI,
        &INDEX_CAST,
        &INDEX_CASTUI,
        &BITCAST,
        &CMPI,
        &CMPF,
        &SELECT,
    ],
    ..DialectDef::BASE
};

/// The names that upstream generates for operations with several results: those of the row.
fn ods_result_names(ir: &Ir, op: Op, name: &mut dyn FnMut(Value, &str)) {
    for (&result, spec) in ir.results(op).iter().zip(ir.def(op).results) {
        name(result, spec.name);
    }
}

/// Whether `op` may run where the program would not have run it: it has the
/// trait, or is a division by a constant that cannot trap.
pub fn is_speculatable(ir: &Ir, op: Op) -> bool {
    if ir.has_trait(op, Traits::SPECULATABLE) {
        return true;
    }
    let unsigned = [&DIVUI, &CEILDIVUI, &REMUI];
    let signed = [&DIVSI, &CEILDIVSI, &FLOORDIVSI, &REMSI];
    let is_one_of = |defs: &[&'static OpDef]| defs.iter().any(|&def| ir.is(op, def));
    if !is_one_of(&unsigned) && !is_one_of(&signed) {
        return false;
    }
    match as_constant_int(ir, ir.operand(op, 1)) {
        // The smallest number divided by -1 overflows.
        Some(divisor) => divisor != 0 && (divisor != -1 || is_one_of(&unsigned)),
        None => false,
    }
}
