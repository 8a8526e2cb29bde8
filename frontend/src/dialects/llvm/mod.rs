//! The llvm dialect, as far as upstream's lowerings emit it: LLVM IR in MLIR's clothes.
//!
//! A row per operation. What computes numbers is in this file, the rest beside it: [`types`] has the
//! dialect's types, `function` functions and calls, `control` branches, `memory` what addresses memory,
//! `globals` constants and variables, `aggregates` structs and arrays as values, `intrinsics` the rest.
//!
//! Programs are not compiled from here: the pass `raise-llvm` makes operations of other dialects of all
//! that has a counterpart there, and what it leaves has code of its own.

mod aggregates;
pub mod attributes;
mod control;
mod function;
mod globals;
mod initializers;
mod intrinsics;
mod memory;
pub mod types;

pub use aggregates::{
    EXTRACT_ELEMENT, EXTRACT_VALUE, INSERT_ELEMENT, INSERT_VALUE, SHUFFLE_VECTOR, position,
};
pub use control::{BR, COND_BR, SWITCH, UNREACHABLE};
pub use function::{CALL, Call, FUNC, RETURN, function_parts};
pub use globals::{ADDRESS_OF, CONSTANT, GLOBAL, POISON, UNDEF, ZERO, symbol};
pub use initializers::{GLOBAL_CTORS, GLOBAL_DTORS, Initializer, has_data, initializers};
pub use intrinsics::*;
pub use memory::{
    ADDRSPACE_CAST, ALLOCA, ATOMIC_RMW, CMPXCHG, FENCE, GEP, GepIndex, INT_TO_PTR, LOAD,
    PTR_TO_INT, STORE, atomic_operation, gep_indices,
};

use crate::ir::constraints::{self, ANY, UNIT_ATTR};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, DialectDef, OpDef, Traits, ValueSpec};

const INT_BINARY: OpDef = const {
    OpDef {
        traits: Traits::SPECULATABLE.and(Traits::SAME_OPERANDS_AND_RESULT_TYPE),
        operands: &[
            ValueSpec::one("lhs", &constraints::SIGNLESS_FIXED_WIDTH_INTEGER_LIKE),
            ValueSpec::one("rhs", &constraints::SIGNLESS_FIXED_WIDTH_INTEGER_LIKE),
        ],
        results: &[ValueSpec::one(
            "res",
            &constraints::SIGNLESS_FIXED_WIDTH_INTEGER_LIKE,
        )],
        ..OpDef::PURE
    }
}
.with_format("$lhs `,` $rhs attr-dict `:` type($res)");
const OVERFLOW_BINARY: OpDef = const {
    OpDef {
        attributes: &[attributes::OVERFLOW],
        ..INT_BINARY
    }
}
.with_format("$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($res)");
const DIVISION: OpDef = OpDef {
    traits: Traits::SAME_OPERANDS_AND_RESULT_TYPE,
    ..INT_BINARY
};
const EXACT: AttrSpec = AttrSpec::optional(Name::IS_EXACT, &UNIT_ATTR);
const EXACT_FORMAT: &str = "(`exact` $isExact^)? $lhs `,` $rhs attr-dict `:` type($res)";
const EXACT_DIVISION: OpDef = const {
    OpDef {
        attributes: &[EXACT],
        ..DIVISION
    }
}
.with_format(EXACT_FORMAT);
const RIGHT_SHIFT: OpDef = const {
    OpDef {
        attributes: &[EXACT],
        ..INT_BINARY
    }
}
.with_format(EXACT_FORMAT);
const DISJOINT_BINARY: OpDef = const {
    OpDef {
        attributes: &[AttrSpec::optional(Name::IS_DISJOINT, &UNIT_ATTR)],
        ..INT_BINARY
    }
}
.with_format("(`disjoint` $isDisjoint^)? $lhs `,` $rhs attr-dict `:` type($res)");
const FLOAT_BINARY: OpDef = const {
    OpDef {
        operands: &[
            ValueSpec::one("lhs", &constraints::FLOAT_LIKE),
            ValueSpec::one("rhs", &constraints::FLOAT_LIKE),
        ],
        results: &[ValueSpec::one("res", &constraints::FLOAT_LIKE)],
        attributes: &[attributes::FASTMATH],
        ..INT_BINARY
    }
}
.with_format("$lhs `,` $rhs attr-dict `:` type($res)");
const CAST: OpDef = const {
    OpDef {
        operands: &[ValueSpec::one("arg", &ANY)],
        results: &[ValueSpec::one("res", &ANY)],
        ..OpDef::PURE
    }
}
.with_format("$arg attr-dict `:` type($arg) `to` type($res)");
const NON_NEGATIVE_CAST: OpDef = const {
    OpDef {
        attributes: &[AttrSpec::optional(Name::NON_NEG, &UNIT_ATTR)],
        ..CAST
    }
}
.with_format("(`nneg` $nonNeg^)? $arg attr-dict `:` type($arg) `to` type($res)");

/// Declares rows that differ in their names alone.
macro_rules! rows {
    ($($(#[$meta:meta])* $ident:ident = $name:literal: $base:expr;)*) => {
        $($(#[$meta])* pub static $ident: OpDef = OpDef { name: $name, ..$base };)*
    };
}
use rows;

rows! {
    /// Sum, modulo 2^n.
    ADD = "llvm.add": OVERFLOW_BINARY;
    /// Difference, modulo 2^n.
    SUB = "llvm.sub": OVERFLOW_BINARY;
    /// Product, modulo 2^n.
    MUL = "llvm.mul": OVERFLOW_BINARY;
    /// Shift to the left.
    SHL = "llvm.shl": OVERFLOW_BINARY;
    /// Unsigned quotient.
    UDIV = "llvm.udiv": EXACT_DIVISION;
    /// Signed quotient, rounded towards zero.
    SDIV = "llvm.sdiv": EXACT_DIVISION;
    /// Unsigned remainder.
    UREM = "llvm.urem": DIVISION;
    /// Signed remainder.
    SREM = "llvm.srem": DIVISION;
    /// Bitwise and.
    AND = "llvm.and": INT_BINARY;
    /// Bitwise or.
    OR = "llvm.or": DISJOINT_BINARY;
    /// Bitwise exclusive or.
    XOR = "llvm.xor": INT_BINARY;
    /// Shift to the right with zeros.
    LSHR = "llvm.lshr": RIGHT_SHIFT;
    /// Shift to the right with the sign.
    ASHR = "llvm.ashr": RIGHT_SHIFT;
    /// Sum of floats.
    FADD = "llvm.fadd": FLOAT_BINARY;
    /// Difference of floats.
    FSUB = "llvm.fsub": FLOAT_BINARY;
    /// Product of floats.
    FMUL = "llvm.fmul": FLOAT_BINARY;
    /// Quotient of floats.
    FDIV = "llvm.fdiv": FLOAT_BINARY;
    /// Remainder of floats, as C's `fmod`.
    FREM = "llvm.frem": FLOAT_BINARY;
    /// The same bits as another type.
    BITCAST = "llvm.bitcast": CAST;
    /// Sign extension.
    SEXT = "llvm.sext": CAST;
    /// Low bits.
    TRUNC = "llvm.trunc": CAST;
    /// A signed integer as a float.
    SITOFP = "llvm.sitofp": CAST;
    /// A float as a signed integer.
    FPTOSI = "llvm.fptosi": CAST;
    /// A float as an unsigned integer.
    FPTOUI = "llvm.fptoui": CAST;
    /// To a wider float.
    FPEXT = "llvm.fpext": CAST;
    /// To a narrower float.
    FPTRUNC = "llvm.fptrunc": CAST;
    /// Zero extension.
    ZEXT = "llvm.zext": NON_NEGATIVE_CAST;
    /// An unsigned integer as a float.
    UITOFP = "llvm.uitofp": NON_NEGATIVE_CAST;
}

/// The float with the other sign.
pub static FNEG: OpDef = const {
    OpDef {
        name: "llvm.fneg",
        operands: &[ValueSpec::one("operand", &constraints::FLOAT_LIKE)],
        ..FLOAT_BINARY
    }
}
.with_format("$operand attr-dict `:` type($res)");

/// Compares integers or pointers.
pub static ICMP: OpDef = const {
    OpDef {
        name: "llvm.icmp",
        operands: &[ValueSpec::one("lhs", &ANY), ValueSpec::one("rhs", &ANY)],
        results: &[ValueSpec::one("res", &constraints::BOOL_LIKE)],
        attributes: &[attributes::ICMP],
        ..OpDef::PURE
    }
}
.with_format(
    "$predicate $lhs `,` $rhs attr-dict `:` type($lhs) where $rhs = type($lhs), $res = bool($lhs)",
);

/// Compares floats.
pub static FCMP: OpDef = const {
    OpDef {
        name: "llvm.fcmp",
        operands: FLOAT_BINARY.operands,
        results: &[ValueSpec::one("res", &constraints::BOOL_LIKE)],
        attributes: &[attributes::FCMP, attributes::FASTMATH],
        ..OpDef::PURE
    }
}
.with_format(
    "$predicate $lhs `,` $rhs attr-dict `:` type($lhs) where $rhs = type($lhs), $res = bool($lhs)",
);

/// One of two values.
pub static SELECT: OpDef = const {
    OpDef {
        name: "llvm.select",
        operands: &[
            ValueSpec::one("condition", &constraints::BOOL_LIKE),
            ValueSpec::one("trueValue", &ANY),
            ValueSpec::one("falseValue", &ANY),
        ],
        results: &[ValueSpec::one("res", &ANY)],
        attributes: &[attributes::FASTMATH],
        ..OpDef::PURE
    }
}
.with_format(
    "$condition `,` $trueValue `,` $falseValue attr-dict `:` type($condition) `,` type($res) \
     where $trueValue = type($res), $falseValue = type($res)",
);

/// Some value where there is none.
pub static FREEZE: OpDef = const {
    OpDef {
        name: "llvm.freeze",
        operands: &[ValueSpec::one("val", &ANY)],
        results: &[ValueSpec::one("res", &ANY)],
        traits: Traits::SPECULATABLE.and(Traits::SAME_OPERANDS_AND_RESULT_TYPE),
        ..OpDef::PURE
    }
}
.with_format("$val attr-dict `:` type($val)");

/// Operations that compute numbers.
const ARITHMETIC: &[&OpDef] = &[
    &ADD, &SUB, &MUL, &SHL, &UDIV, &SDIV, &UREM, &SREM, &AND, &OR, &XOR, &LSHR, &ASHR, &FADD,
    &FSUB, &FMUL, &FDIV, &FREM, &FNEG, &BITCAST, &SEXT, &TRUNC, &SITOFP, &FPTOSI, &FPTOUI, &FPEXT,
    &FPTRUNC, &ZEXT, &UITOFP, &ICMP, &FCMP, &SELECT, &FREEZE,
];

const PARTS: &[&[&OpDef]] = &[
    ARITHMETIC,
    aggregates::OPS,
    control::OPS,
    function::OPS,
    globals::OPS,
    initializers::OPS,
    intrinsics::OPS,
    memory::OPS,
];

const N_OPS: usize = {
    let (mut n, mut i) = (0, 0);
    while i < PARTS.len() {
        n += PARTS[i].len();
        i += 1;
    }
    n
};

static OPS: [&OpDef; N_OPS] = {
    let mut ops = [&ADD as &OpDef; N_OPS];
    let (mut n, mut i) = (0, 0);
    while i < PARTS.len() {
        let mut j = 0;
        while j < PARTS[i].len() {
            ops[n] = PARTS[i][j];
            n += 1;
            j += 1;
        }
        i += 1;
    }
    ops
};

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "llvm",
    ops: &OPS,
    type_body: Some(|context, body| types::canonical_body(context, body)),
    ..DialectDef::BASE
};
