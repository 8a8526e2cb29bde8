//! `llvm.intr.*`: the intrinsics that upstream's lowerings emit.

use crate::ir::constraints::{ANY, BOOL_ATTR, I1, I32_ATTR, I64_ATTR, SIGNLESS_INTEGER, VECTOR};
use crate::ir::effects::{EffectKind, Resource};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, Traits, ValueSpec};

use super::attributes::FASTMATH;
use super::memory::POINTER;

const RESULT: &[ValueSpec] = &[ValueSpec::one("res", &ANY)];
const SAME: Traits = Traits::SPECULATABLE.and(Traits::SAME_OPERANDS_AND_RESULT_TYPE);

const UNARY: OpDef = const {
    OpDef {
        traits: SAME,
        operands: &[ValueSpec::one("in", &ANY)],
        results: RESULT,
        ..OpDef::PURE
    }
}
.with_format("`(` operands `)` attr-dict `:` functional-type(operands, results)");
const BINARY: OpDef = OpDef {
    operands: &[ValueSpec::one("a", &ANY), ValueSpec::one("b", &ANY)],
    ..UNARY
};
const TERNARY: OpDef = OpDef {
    operands: &[
        ValueSpec::one("a", &ANY),
        ValueSpec::one("b", &ANY),
        ValueSpec::one("c", &ANY),
    ],
    ..UNARY
};
const UNARY_FLOAT: OpDef = OpDef {
    attributes: &[FASTMATH],
    ..UNARY
};
const BINARY_FLOAT: OpDef = OpDef {
    attributes: &[FASTMATH],
    ..BINARY
};
const TERNARY_FLOAT: OpDef = OpDef {
    attributes: &[FASTMATH],
    ..TERNARY
};
/// An integer and an `i1`.
const WITH_OVERFLOW: OpDef = OpDef {
    traits: Traits::SPECULATABLE,
    format: None,
    ..BINARY
};

// Of these, the generic form is the only one.
const GENERIC_UNARY: OpDef = OpDef {
    format: None,
    ..UNARY
};
const COUNT_ZEROS: OpDef = OpDef {
    attributes: &[AttrSpec::required(Name::IS_ZERO_POISON, &BOOL_ATTR)],
    ..GENERIC_UNARY
};
const REDUCTION: OpDef = OpDef {
    operands: &[ValueSpec::one("in", &VECTOR)],
    results: RESULT,
    ..OpDef::PURE
};
const FLOAT_REDUCTION: OpDef = const {
    OpDef {
        attributes: &[FASTMATH],
        ..REDUCTION
    }
}
.with_format("`(` operands `)` attr-dict `:` functional-type(operands, results)");
const ORDERED_REDUCTION: OpDef = OpDef {
    operands: &[
        ValueSpec::one("start_value", &ANY),
        ValueSpec::one("input", &VECTOR),
    ],
    attributes: &[FASTMATH],
    ..REDUCTION
};
const VP_REDUCTION: OpDef = OpDef {
    operands: &[
        ValueSpec::one("satrt_value", &ANY),
        ValueSpec::one("val", &VECTOR),
        ValueSpec::one("mask", &VECTOR),
        ValueSpec::one("evl", &SIGNLESS_INTEGER),
    ],
    ..REDUCTION
};
/// Lanes that the mask or the length leaves out are poison.
const VP_UNARY: OpDef = OpDef {
    operands: &[
        ValueSpec::one("op", &VECTOR),
        ValueSpec::one("mask", &VECTOR),
        ValueSpec::one("evl", &SIGNLESS_INTEGER),
    ],
    ..REDUCTION
};
const VP_BINARY: OpDef = OpDef {
    operands: &[
        ValueSpec::one("lhs", &VECTOR),
        ValueSpec::one("rhs", &VECTOR),
        ValueSpec::one("mask", &VECTOR),
        ValueSpec::one("evl", &SIGNLESS_INTEGER),
    ],
    ..REDUCTION
};
const VP_TERNARY: OpDef = OpDef {
    operands: &[
        ValueSpec::one("op1", &VECTOR),
        ValueSpec::one("op2", &VECTOR),
        ValueSpec::one("op3", &VECTOR),
        ValueSpec::one("mask", &VECTOR),
        ValueSpec::one("evl", &SIGNLESS_INTEGER),
    ],
    ..REDUCTION
};
const VP_CHOICE: OpDef = OpDef {
    operands: &[
        ValueSpec::one("cond", &VECTOR),
        ValueSpec::one("true_val", &VECTOR),
        ValueSpec::one("false_val", &VECTOR),
        ValueSpec::one("evl", &SIGNLESS_INTEGER),
    ],
    ..REDUCTION
};
/// Reads or writes memory.
const ACCESS: OpDef = OpDef {
    effects: Some(|_, _, effects| {
        effects.add(EffectKind::Read, None, Resource::Default);
        effects.add(EffectKind::Write, None, Resource::Default);
    }),
    ..OpDef::BASE
};
const MOVE: OpDef = OpDef {
    operands: &[
        ValueSpec::one("dst", &POINTER),
        ValueSpec::one("src", &POINTER),
        ValueSpec::one("len", &SIGNLESS_INTEGER),
    ],
    attributes: &[AttrSpec::required(Name::IS_VOLATILE, &BOOL_ATTR)],
    ..ACCESS
};
const ALIGNMENT: AttrSpec = AttrSpec::required(Name::ALIGNMENT, &I32_ATTR);
const LIFETIME: OpDef = const {
    OpDef {
        operands: &[ValueSpec::one("ptr", &POINTER)],
        // MLIR 22 has none.
        attributes: &[AttrSpec::optional(Name::SIZE, &I64_ATTR)],
        ..ACCESS
    }
}
.with_format("($size^ `,`)? $ptr attr-dict `:` type($ptr)");
/// Stops the program.
const STOP: OpDef = OpDef::BASE;

super::rows! {
    /// Absolute value.
    FABS = "llvm.intr.fabs": UNARY_FLOAT;
    /// Rounded up.
    FCEIL = "llvm.intr.ceil": UNARY_FLOAT;
    /// Cosine.
    COS = "llvm.intr.cos": UNARY_FLOAT;
    /// e to the power of.
    EXP = "llvm.intr.exp": UNARY_FLOAT;
    /// 2 to the power of.
    EXP2 = "llvm.intr.exp2": UNARY_FLOAT;
    /// Rounded down.
    FFLOOR = "llvm.intr.floor": UNARY_FLOAT;
    /// Natural logarithm.
    LOG = "llvm.intr.log": UNARY_FLOAT;
    /// Logarithm to base 10.
    LOG10 = "llvm.intr.log10": UNARY_FLOAT;
    /// Logarithm to base 2.
    LOG2 = "llvm.intr.log2": UNARY_FLOAT;
    /// Rounded to the nearest integer in the current mode, which is: ties to even.
    NEARBYINT = "llvm.intr.nearbyint": UNARY_FLOAT;
    /// The same.
    RINT = "llvm.intr.rint": UNARY_FLOAT;
    /// Rounded to the nearest integer, ties away from zero.
    ROUND = "llvm.intr.round": UNARY_FLOAT;
    /// Rounded to the nearest integer, ties to even.
    ROUNDEVEN = "llvm.intr.roundeven": UNARY_FLOAT;
    /// Sine.
    SIN = "llvm.intr.sin": UNARY_FLOAT;
    /// Square root.
    SQRT = "llvm.intr.sqrt": UNARY_FLOAT;
    /// Rounded towards zero.
    FTRUNC = "llvm.intr.trunc": UNARY_FLOAT;
    /// The first number with the sign of the second.
    COPYSIGN = "llvm.intr.copysign": BINARY_FLOAT;
    /// The larger one, and NaN if one is.
    MAXIMUM = "llvm.intr.maximum": BINARY_FLOAT;
    /// The larger one of those that are numbers.
    MAXNUM = "llvm.intr.maxnum": BINARY_FLOAT;
    /// The smaller one, and NaN if one is.
    MINIMUM = "llvm.intr.minimum": BINARY_FLOAT;
    /// The smaller one of those that are numbers.
    MINNUM = "llvm.intr.minnum": BINARY_FLOAT;
    /// A power.
    POW = "llvm.intr.pow": BINARY_FLOAT;
    /// A power with an integer as exponent.
    POWI = "llvm.intr.powi": OpDef { traits: Traits::SPECULATABLE, ..BINARY_FLOAT };
    /// `a * b + c`, rounded once.
    FMA = "llvm.intr.fma": TERNARY_FLOAT;
    /// `a * b + c`, rounded once or twice.
    FMULADD = "llvm.intr.fmuladd": TERNARY_FLOAT;
    /// The larger signed integer.
    SMAX = "llvm.intr.smax": BINARY;
    /// The smaller signed integer.
    SMIN = "llvm.intr.smin": BINARY;
    /// The larger unsigned integer.
    UMAX = "llvm.intr.umax": BINARY;
    /// The smaller unsigned integer.
    UMIN = "llvm.intr.umin": BINARY;
    /// Bytes in reverse order.
    BSWAP = "llvm.intr.bswap": UNARY;
    /// Bits in reverse order.
    BITREVERSE = "llvm.intr.bitreverse": UNARY;
    /// How many bits are set.
    CTPOP = "llvm.intr.ctpop": UNARY;
    /// Absolute value.
    ABS = "llvm.intr.abs": OpDef {
        attributes: &[AttrSpec::required(Name::IS_INT_MIN_POISON, &BOOL_ATTR)],
        ..GENERIC_UNARY
    };
    /// How many bits at the top are zero.
    CTLZ = "llvm.intr.ctlz": COUNT_ZEROS;
    /// How many bits at the bottom are zero.
    CTTZ = "llvm.intr.cttz": COUNT_ZEROS;
    /// The high part of two integers, one after the other, shifted to the left.
    FSHL = "llvm.intr.fshl": TERNARY;
    /// The low part of two integers, one after the other, shifted to the right.
    FSHR = "llvm.intr.fshr": TERNARY;
    /// Signed sum, and whether it overflowed.
    SADD_WITH_OVERFLOW = "llvm.intr.sadd.with.overflow": WITH_OVERFLOW;
    /// Unsigned sum, and whether it overflowed.
    UADD_WITH_OVERFLOW = "llvm.intr.uadd.with.overflow": WITH_OVERFLOW;
    /// Signed difference, and whether it overflowed.
    SSUB_WITH_OVERFLOW = "llvm.intr.ssub.with.overflow": WITH_OVERFLOW;
    /// Unsigned difference, and whether it overflowed.
    USUB_WITH_OVERFLOW = "llvm.intr.usub.with.overflow": WITH_OVERFLOW;
    /// Signed product, and whether it overflowed.
    SMUL_WITH_OVERFLOW = "llvm.intr.smul.with.overflow": WITH_OVERFLOW;
    /// Unsigned product, and whether it overflowed.
    UMUL_WITH_OVERFLOW = "llvm.intr.umul.with.overflow": WITH_OVERFLOW;
    /// Sum of the elements.
    REDUCE_ADD = "llvm.intr.vector.reduce.add": REDUCTION;
    /// Bitwise and of the elements.
    REDUCE_AND = "llvm.intr.vector.reduce.and": REDUCTION;
    /// Product of the elements.
    REDUCE_MUL = "llvm.intr.vector.reduce.mul": REDUCTION;
    /// Bitwise or of the elements.
    REDUCE_OR = "llvm.intr.vector.reduce.or": REDUCTION;
    /// Largest signed element.
    REDUCE_SMAX = "llvm.intr.vector.reduce.smax": REDUCTION;
    /// Smallest signed element.
    REDUCE_SMIN = "llvm.intr.vector.reduce.smin": REDUCTION;
    /// Largest unsigned element.
    REDUCE_UMAX = "llvm.intr.vector.reduce.umax": REDUCTION;
    /// Smallest unsigned element.
    REDUCE_UMIN = "llvm.intr.vector.reduce.umin": REDUCTION;
    /// Bitwise exclusive or of the elements.
    REDUCE_XOR = "llvm.intr.vector.reduce.xor": REDUCTION;
    /// Largest of those elements that are numbers.
    REDUCE_FMAX = "llvm.intr.vector.reduce.fmax": FLOAT_REDUCTION;
    /// Smallest of those elements that are numbers.
    REDUCE_FMIN = "llvm.intr.vector.reduce.fmin": FLOAT_REDUCTION;
    /// Largest element.
    REDUCE_FMAXIMUM = "llvm.intr.vector.reduce.fmaximum": FLOAT_REDUCTION;
    /// Smallest element.
    REDUCE_FMINIMUM = "llvm.intr.vector.reduce.fminimum": FLOAT_REDUCTION;
    /// Sum of a start and the elements in order.
    REDUCE_FADD = "llvm.intr.vector.reduce.fadd": ORDERED_REDUCTION;
    /// Product of a start and the elements in order.
    REDUCE_FMUL = "llvm.intr.vector.reduce.fmul": ORDERED_REDUCTION;
    /// Sum of a start and those elements that a mask names; so are those that follow.
    VP_REDUCE_ADD = "llvm.intr.vp.reduce.add": VP_REDUCTION;
    /// Product.
    VP_REDUCE_MUL = "llvm.intr.vp.reduce.mul": VP_REDUCTION;
    /// Bitwise and.
    VP_REDUCE_AND = "llvm.intr.vp.reduce.and": VP_REDUCTION;
    /// Bitwise or.
    VP_REDUCE_OR = "llvm.intr.vp.reduce.or": VP_REDUCTION;
    /// Bitwise exclusive or.
    VP_REDUCE_XOR = "llvm.intr.vp.reduce.xor": VP_REDUCTION;
    /// Largest signed one.
    VP_REDUCE_SMAX = "llvm.intr.vp.reduce.smax": VP_REDUCTION;
    /// Smallest signed one.
    VP_REDUCE_SMIN = "llvm.intr.vp.reduce.smin": VP_REDUCTION;
    /// Largest unsigned one.
    VP_REDUCE_UMAX = "llvm.intr.vp.reduce.umax": VP_REDUCTION;
    /// Smallest unsigned one.
    VP_REDUCE_UMIN = "llvm.intr.vp.reduce.umin": VP_REDUCTION;
    /// Sum of floats.
    VP_REDUCE_FADD = "llvm.intr.vp.reduce.fadd": VP_REDUCTION;
    /// Product of floats.
    VP_REDUCE_FMUL = "llvm.intr.vp.reduce.fmul": VP_REDUCTION;
    /// Largest of those that are numbers.
    VP_REDUCE_FMAX = "llvm.intr.vp.reduce.fmax": VP_REDUCTION;
    /// Smallest of those that are numbers.
    VP_REDUCE_FMIN = "llvm.intr.vp.reduce.fmin": VP_REDUCTION;
    /// Sum of lanes.
    VP_ADD = "llvm.intr.vp.add": VP_BINARY;
    /// Difference.
    VP_SUB = "llvm.intr.vp.sub": VP_BINARY;
    /// Product.
    VP_MUL = "llvm.intr.vp.mul": VP_BINARY;
    /// Signed quotient.
    VP_SDIV = "llvm.intr.vp.sdiv": VP_BINARY;
    /// Unsigned quotient.
    VP_UDIV = "llvm.intr.vp.udiv": VP_BINARY;
    /// Signed remainder.
    VP_SREM = "llvm.intr.vp.srem": VP_BINARY;
    /// Unsigned remainder.
    VP_UREM = "llvm.intr.vp.urem": VP_BINARY;
    /// Shift to the right with the sign.
    VP_ASHR = "llvm.intr.vp.ashr": VP_BINARY;
    /// Shift to the right.
    VP_LSHR = "llvm.intr.vp.lshr": VP_BINARY;
    /// Shift to the left.
    VP_SHL = "llvm.intr.vp.shl": VP_BINARY;
    /// Bitwise or.
    VP_OR = "llvm.intr.vp.or": VP_BINARY;
    /// Bitwise and.
    VP_AND = "llvm.intr.vp.and": VP_BINARY;
    /// Bitwise exclusive or.
    VP_XOR = "llvm.intr.vp.xor": VP_BINARY;
    /// The larger signed integer.
    VP_SMAX = "llvm.intr.vp.smax": VP_BINARY;
    /// The smaller signed integer.
    VP_SMIN = "llvm.intr.vp.smin": VP_BINARY;
    /// The larger unsigned integer.
    VP_UMAX = "llvm.intr.vp.umax": VP_BINARY;
    /// The smaller unsigned integer.
    VP_UMIN = "llvm.intr.vp.umin": VP_BINARY;
    /// Sum of floats.
    VP_FADD = "llvm.intr.vp.fadd": VP_BINARY;
    /// Difference of floats.
    VP_FSUB = "llvm.intr.vp.fsub": VP_BINARY;
    /// Product of floats.
    VP_FMUL = "llvm.intr.vp.fmul": VP_BINARY;
    /// Quotient of floats.
    VP_FDIV = "llvm.intr.vp.fdiv": VP_BINARY;
    /// Remainder of floats.
    VP_FREM = "llvm.intr.vp.frem": VP_BINARY;
    /// Float with the other sign.
    VP_FNEG = "llvm.intr.vp.fneg": VP_UNARY;
    /// Integer, widened with its sign.
    VP_SEXT = "llvm.intr.vp.sext": VP_UNARY;
    /// Integer, widened with zeros.
    VP_ZEXT = "llvm.intr.vp.zext": VP_UNARY;
    /// Integer without its high bits.
    VP_TRUNC = "llvm.intr.vp.trunc": VP_UNARY;
    /// Wider float.
    VP_FPEXT = "llvm.intr.vp.fpext": VP_UNARY;
    /// Shorter float.
    VP_FPTRUNC = "llvm.intr.vp.fptrunc": VP_UNARY;
    /// Signed integer of a float.
    VP_FPTOSI = "llvm.intr.vp.fptosi": VP_UNARY;
    /// Unsigned integer of a float.
    VP_FPTOUI = "llvm.intr.vp.fptoui": VP_UNARY;
    /// Float of a signed integer.
    VP_SITOFP = "llvm.intr.vp.sitofp": VP_UNARY;
    /// Float of an unsigned integer.
    VP_UITOFP = "llvm.intr.vp.uitofp": VP_UNARY;
    /// `a * b + c`, rounded once.
    VP_FMA = "llvm.intr.vp.fma": VP_TERNARY;
    /// `a * b + c`, rounded once or twice.
    VP_FMULADD = "llvm.intr.vp.fmuladd": VP_TERNARY;
    /// Lanes of one or the other by a condition; those past the length are poison.
    VP_SELECT = "llvm.intr.vp.select": VP_CHOICE;
    /// The same; those past the length are of the second.
    VP_MERGE = "llvm.intr.vp.merge": VP_CHOICE;
    /// Copies bytes that do not overlap.
    MEMCPY = "llvm.intr.memcpy": MOVE;
    /// Copies bytes.
    MEMMOVE = "llvm.intr.memmove": MOVE;
    /// Sets bytes.
    MEMSET = "llvm.intr.memset": OpDef {
        operands: &[
            ValueSpec::one("dst", &POINTER),
            ValueSpec::one("val", &SIGNLESS_INTEGER),
            ValueSpec::one("len", &SIGNLESS_INTEGER),
        ],
        ..MOVE
    };
    /// Elements of memory that a mask names, one after the other.
    EXPAND_LOAD = "llvm.intr.masked.expandload": OpDef {
        operands: &[
            ValueSpec::one("ptr", &POINTER),
            ValueSpec::one("mask", &VECTOR),
            ValueSpec::one("pass_thru", &VECTOR),
        ],
        results: RESULT,
        ..ACCESS
    };
    /// Stores elements that a mask names, one after the other.
    COMPRESS_STORE = "llvm.intr.masked.compressstore": OpDef {
        operands: &[
            ValueSpec::one("value", &VECTOR),
            ValueSpec::one("ptr", &POINTER),
            ValueSpec::one("mask", &VECTOR),
        ],
        ..ACCESS
    };
    /// Memory begins to mean something.
    LIFETIME_START = "llvm.intr.lifetime.start": LIFETIME;
    /// Memory means nothing any more.
    LIFETIME_END = "llvm.intr.lifetime.end": LIFETIME;
    /// States a fact.
    ASSUME = "llvm.intr.assume": OpDef {
        operands: &[ValueSpec::one("cond", &I1)],
        ..ACCESS
    };
    /// Fetches memory ahead of time.
    PREFETCH = "llvm.intr.prefetch": OpDef {
        operands: &[ValueSpec::one("addr", &POINTER)],
        attributes: &[
            AttrSpec::required(Name::CACHE, &I32_ATTR),
            AttrSpec::required(Name::HINT, &I32_ATTR),
            AttrSpec::required(Name::RW, &I32_ATTR),
        ],
        ..ACCESS
    };
    /// Signed sum, saturated.
    SADD_SAT = "llvm.intr.sadd.sat": BINARY;
    /// Unsigned sum, saturated.
    UADD_SAT = "llvm.intr.uadd.sat": BINARY;
    /// Signed difference, saturated.
    SSUB_SAT = "llvm.intr.ssub.sat": BINARY;
    /// Unsigned difference, saturated.
    USUB_SAT = "llvm.intr.usub.sat": BINARY;
    /// Stops the program.
    TRAP = "llvm.intr.trap": STOP;
    /// Stops the program for a debugger.
    DEBUG_TRAP = "llvm.intr.debugtrap": STOP;
}

/// Says what to expect of a value.
pub static EXPECT: OpDef = const {
    OpDef {
        name: "llvm.intr.expect",
        traits: SAME,
        operands: &[
            ValueSpec::one("val", &ANY),
            ValueSpec::one("expected", &ANY),
        ],
        results: RESULT,
        ..OpDef::PURE
    }
}
.with_format("$val `,` $expected attr-dict `:` type($val)");

/// Whether the numbers from a first one on are below a limit, lane by lane.
pub static ACTIVE_LANE_MASK: OpDef = const {
    OpDef {
        name: "llvm.intr.get.active.lane.mask",
        operands: &[
            ValueSpec::one("base", &SIGNLESS_INTEGER),
            ValueSpec::one("n", &SIGNLESS_INTEGER),
        ],
        results: &[ValueSpec::one("res", &VECTOR)],
        ..OpDef::PURE
    }
}
.with_format("$base `,` $n attr-dict `:` type($base) `,` type($n) `to` type($res)");

/// How much of the stack is in use.
pub static STACK_SAVE: OpDef = const {
    OpDef {
        name: "llvm.intr.stacksave",
        results: &[ValueSpec::one("res", &POINTER)],
        ..ACCESS
    }
}
.with_format("attr-dict `:` type($res)");

/// Ends the life of stack memory.
pub static STACK_RESTORE: OpDef = const {
    OpDef {
        name: "llvm.intr.stackrestore",
        operands: &[ValueSpec::one("ptr", &POINTER)],
        ..ACCESS
    }
}
.with_format("$ptr attr-dict `:` type($ptr)");

const ON_LIST: OpDef = const {
    OpDef {
        operands: &[ValueSpec::one("arg_list", &POINTER)],
        ..ACCESS
    }
}
.with_format("$arg_list attr-dict `:` type($arg_list)");

/// Begins to read the arguments that a function has no names for.
pub static VA_START: OpDef = OpDef {
    name: "llvm.intr.vastart",
    ..ON_LIST
};

/// Ends that.
pub static VA_END: OpDef = OpDef {
    name: "llvm.intr.vaend",
    ..ON_LIST
};

/// Copies where reading them is.
pub static VA_COPY: OpDef = const {
    OpDef {
        name: "llvm.intr.vacopy",
        operands: &[
            ValueSpec::one("dest_list", &POINTER),
            ValueSpec::one("src_list", &POINTER),
        ],
        ..ACCESS
    }
}
.with_format("$src_list `to` $dest_list attr-dict `:` type(operands)");

/// A vector in memory, elements that a mask leaves out excepted.
pub static MASKED_LOAD: OpDef = const {
    OpDef {
        name: "llvm.intr.masked.load",
        operands: &[
            ValueSpec::one("data", &POINTER),
            ValueSpec::one("mask", &VECTOR),
            ValueSpec::variadic("pass_thru", &VECTOR),
        ],
        results: RESULT,
        attributes: &[ALIGNMENT],
        ..ACCESS
    }
}
.with_format("operands attr-dict `:` functional-type(operands, results)");

/// Stores a vector, elements that a mask leaves out excepted.
pub static MASKED_STORE: OpDef = const {
    OpDef {
        name: "llvm.intr.masked.store",
        operands: &[
            ValueSpec::one("value", &VECTOR),
            ValueSpec::one("data", &POINTER),
            ValueSpec::one("mask", &VECTOR),
        ],
        attributes: &[ALIGNMENT],
        ..ACCESS
    }
}
.with_format(
    "$value `,` $data `,` $mask attr-dict `:` type($value) `,` type($mask) `into` type($data)",
);

/// Elements at addresses of their own.
pub static GATHER: OpDef = const {
    OpDef {
        name: "llvm.intr.masked.gather",
        operands: &[
            ValueSpec::one("ptrs", &ANY),
            ValueSpec::one("mask", &VECTOR),
            ValueSpec::variadic("pass_thru", &VECTOR),
        ],
        ..MASKED_LOAD_BASE
    }
}
.with_format("operands attr-dict `:` functional-type(operands, results)");

const MASKED_LOAD_BASE: OpDef = OpDef {
    results: RESULT,
    attributes: &[ALIGNMENT],
    ..ACCESS
};

/// Stores elements to addresses of their own.
pub static SCATTER: OpDef = const {
    OpDef {
        name: "llvm.intr.masked.scatter",
        operands: &[
            ValueSpec::one("value", &VECTOR),
            ValueSpec::one("ptrs", &ANY),
            ValueSpec::one("mask", &VECTOR),
        ],
        attributes: &[ALIGNMENT],
        ..ACCESS
    }
}
.with_format(
    "$value `,` $ptrs `,` $mask attr-dict `:` type($value) `,` type($mask) `into` type($ptrs)",
);

/// The product of matrices whose elements lie column by column.
pub static MATRIX_MULTIPLY: OpDef = const {
    OpDef {
        name: "llvm.intr.matrix.multiply",
        operands: &[
            ValueSpec::one("lhs", &VECTOR),
            ValueSpec::one("rhs", &VECTOR),
        ],
        results: RESULT,
        attributes: &[
            AttrSpec::required(Name::LHS_ROWS, &I32_ATTR),
            AttrSpec::required(Name::LHS_COLUMNS, &I32_ATTR),
            AttrSpec::required(Name::RHS_COLUMNS, &I32_ATTR),
        ],
        ..OpDef::PURE
    }
}
.with_format("$lhs `,` $rhs attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type($res)");

/// A matrix whose elements lie column by column, transposed.
pub static MATRIX_TRANSPOSE: OpDef = const {
    OpDef {
        name: "llvm.intr.matrix.transpose",
        operands: &[ValueSpec::one("matrix", &VECTOR)],
        results: RESULT,
        attributes: &[
            AttrSpec::required(Name::ROWS, &I32_ATTR),
            AttrSpec::required(Name::COLUMNS, &I32_ATTR),
        ],
        ..OpDef::PURE
    }
}
.with_format("$matrix attr-dict `:` type($matrix) `into` type($res)");

pub(super) const OPS: &[&OpDef] = &[
    &FABS,
    &FCEIL,
    &COS,
    &EXP,
    &EXP2,
    &FFLOOR,
    &LOG,
    &LOG10,
    &LOG2,
    &NEARBYINT,
    &RINT,
    &ROUND,
    &ROUNDEVEN,
    &SIN,
    &SQRT,
    &FTRUNC,
    &COPYSIGN,
    &MAXIMUM,
    &MAXNUM,
    &MINIMUM,
    &MINNUM,
    &POW,
    &POWI,
    &FMA,
    &FMULADD,
    &SMAX,
    &SMIN,
    &UMAX,
    &UMIN,
    &BSWAP,
    &BITREVERSE,
    &CTPOP,
    &ABS,
    &CTLZ,
    &CTTZ,
    &FSHL,
    &FSHR,
    &SADD_WITH_OVERFLOW,
    &UADD_WITH_OVERFLOW,
    &SSUB_WITH_OVERFLOW,
    &USUB_WITH_OVERFLOW,
    &SMUL_WITH_OVERFLOW,
    &UMUL_WITH_OVERFLOW,
    &REDUCE_ADD,
    &REDUCE_AND,
    &REDUCE_MUL,
    &REDUCE_OR,
    &REDUCE_SMAX,
    &REDUCE_SMIN,
    &REDUCE_UMAX,
    &REDUCE_UMIN,
    &REDUCE_XOR,
    &REDUCE_FMAX,
    &REDUCE_FMIN,
    &REDUCE_FMAXIMUM,
    &REDUCE_FMINIMUM,
    &REDUCE_FADD,
    &REDUCE_FMUL,
    &VP_REDUCE_ADD,
    &VP_REDUCE_MUL,
    &VP_REDUCE_AND,
    &VP_REDUCE_OR,
    &VP_REDUCE_XOR,
    &VP_REDUCE_SMAX,
    &VP_REDUCE_SMIN,
    &VP_REDUCE_UMAX,
    &VP_REDUCE_UMIN,
    &VP_REDUCE_FADD,
    &VP_REDUCE_FMUL,
    &VP_REDUCE_FMAX,
    &VP_REDUCE_FMIN,
    &VP_ADD,
    &VP_SUB,
    &VP_MUL,
    &VP_SDIV,
    &VP_UDIV,
    &VP_SREM,
    &VP_UREM,
    &VP_ASHR,
    &VP_LSHR,
    &VP_SHL,
    &VP_OR,
    &VP_AND,
    &VP_XOR,
    &VP_SMAX,
    &VP_SMIN,
    &VP_UMAX,
    &VP_UMIN,
    &VP_FADD,
    &VP_FSUB,
    &VP_FMUL,
    &VP_FDIV,
    &VP_FREM,
    &VP_FNEG,
    &VP_SEXT,
    &VP_ZEXT,
    &VP_TRUNC,
    &VP_FPEXT,
    &VP_FPTRUNC,
    &VP_FPTOSI,
    &VP_FPTOUI,
    &VP_SITOFP,
    &VP_UITOFP,
    &VP_FMA,
    &VP_FMULADD,
    &VP_SELECT,
    &VP_MERGE,
    &MEMCPY,
    &MEMMOVE,
    &MEMSET,
    &EXPAND_LOAD,
    &COMPRESS_STORE,
    &LIFETIME_START,
    &LIFETIME_END,
    &ASSUME,
    &PREFETCH,
    &TRAP,
    &DEBUG_TRAP,
    &EXPECT,
    &STACK_SAVE,
    &STACK_RESTORE,
    &VA_START,
    &VA_END,
    &VA_COPY,
    &MASKED_LOAD,
    &MASKED_STORE,
    &GATHER,
    &SCATTER,
    &SADD_SAT,
    &UADD_SAT,
    &SSUB_SAT,
    &USUB_SAT,
    &ACTIVE_LANE_MASK,
    &MATRIX_MULTIPLY,
    &MATRIX_TRANSPOSE,
];
