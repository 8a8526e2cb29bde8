//! Operations on scalars, by what they compute: what the tables of `arith`,
//! `index`, `math` and others have in common.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self as clif, InstBuilder};
use cranelift_frontend::FuncInstBuilder;
use freehold_frontend::dialects::arith::{self, CmpFPredicate, CmpIPredicate};
use freehold_frontend::dialects::{index, math};
use freehold_frontend::ir::attrs::AttrKind;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::FloatKind;

use super::float::is_supported;
use super::function::Lowering;
use super::held::{Lowered, Rounding, Sign};
use crate::external;
use crate::isa::Arch;
use crate::repr::{Scalar, low_bits};

use Arithmetic::{Bits, Extreme, Float, Floats, Int, Ints, Limit};
use Rounding::{Ceil, Floor, Truncate};
use Sign::{Signed, Unsigned};

type Ins<'f, 'b> = FuncInstBuilder<'f, 'b>;

/// Makes an instruction of one operand.
pub(super) type Unary = fn(Ins<'_, '_>, clif::Value) -> clif::Value;

/// Makes an instruction of two operands.
pub(super) type Binary = fn(Ins<'_, '_>, clif::Value, clif::Value) -> clif::Value;

/// How an operation on two numbers of one type is computed.
pub(super) enum Arithmetic {
    /// An instruction on integers whose result has no bits above the width.
    Bits(Binary),
    /// An instruction on integers whose result may exceed the width.
    Int(Binary),
    /// The first integer if the condition holds, else the second: an instruction where these fill their container.
    Limit(IntCC, Binary),
    /// Several instructions on integers of a width.
    Ints(fn(&mut Lowering<'_, '_>, u32, clif::Value, clif::Value) -> clif::Value),
    /// An instruction on floats, in F32 or F64.
    Float(Binary),
    /// The first float if the condition holds, else the second, or NaN: an instruction of vectors, and of scalars where
    /// the processor has one.
    Extreme(FloatCC, Binary),
    /// Several instructions on floats, in F32 or F64.
    Floats(fn(&mut Lowering<'_, '_>, clif::Value, clif::Value) -> clif::Value),
}

/// Operations with one operand that are one instruction, on scalars in F32 or F64 and on whole registers; those of negation
/// and absolute values on whole registers alone, where [`Vectors::do_whole`] says so.
///
/// [`Vectors::do_whole`]: freehold_frontend::target::Vectors::do_whole
pub(super) static UNARY: &[(&OpDef, Unary)] = &[
    (&arith::NEGF, |ins, a| ins.fneg(a)),
    (&math::ABSF, |ins, a| ins.fabs(a)),
    (&math::ABSI, |ins, a| ins.iabs(a)),
    (&math::CEIL, |ins, a| ins.ceil(a)),
    (&math::FLOOR, |ins, a| ins.floor(a)),
    (&math::ROUNDEVEN, |ins, a| ins.nearest(a)),
    (&math::SQRT, |ins, a| ins.sqrt(a)),
    (&math::TRUNC, |ins, a| ins.trunc(a)),
];

/// Operations on two numbers of one type. An operation of one instruction here has one on vectors too, where
/// [`Vectors::do_whole`] says that it is done on whole registers.
///
/// [`Vectors::do_whole`]: freehold_frontend::target::Vectors::do_whole
pub(super) static ARITHMETIC: &[(&OpDef, Arithmetic)] = &[
    (&arith::ADDF, Float(|ins, a, b| ins.fadd(a, b))),
    (&arith::ADDI, Int(|ins, a, b| ins.iadd(a, b))),
    (&arith::ANDI, Bits(|ins, a, b| ins.band(a, b))),
    (
        &arith::CEILDIVSI,
        Ints(|cx, width, a, b| cx.divide(Signed, Ceil, width, a, b)),
    ),
    (
        &arith::CEILDIVUI,
        Ints(|cx, width, a, b| cx.divide(Unsigned, Ceil, width, a, b)),
    ),
    (&arith::DIVF, Float(|ins, a, b| ins.fdiv(a, b))),
    (
        &arith::DIVSI,
        Ints(|cx, width, a, b| cx.divide(Signed, Truncate, width, a, b)),
    ),
    (
        &arith::DIVUI,
        Ints(|cx, width, a, b| cx.divide(Unsigned, Truncate, width, a, b)),
    ),
    (
        &arith::FLOORDIVSI,
        Ints(|cx, width, a, b| cx.divide(Signed, Floor, width, a, b)),
    ),
    (
        &arith::MAXIMUMF,
        Extreme(FloatCC::GreaterThan, |ins, a, b| ins.fmax(a, b)),
    ),
    (
        &arith::MAXNUMF,
        Floats(|cx, a, b| cx.ignore_nan(FloatCC::GreaterThan, a, b)),
    ),
    (
        &arith::MAXSI,
        Limit(IntCC::SignedGreaterThan, |ins, a, b| ins.smax(a, b)),
    ),
    (
        &arith::MAXUI,
        Limit(IntCC::UnsignedGreaterThan, |ins, a, b| ins.umax(a, b)),
    ),
    (
        &arith::MINIMUMF,
        Extreme(FloatCC::LessThan, |ins, a, b| ins.fmin(a, b)),
    ),
    (
        &arith::MINNUMF,
        Floats(|cx, a, b| cx.ignore_nan(FloatCC::LessThan, a, b)),
    ),
    (
        &arith::MINSI,
        Limit(IntCC::SignedLessThan, |ins, a, b| ins.smin(a, b)),
    ),
    (
        &arith::MINUI,
        Limit(IntCC::UnsignedLessThan, |ins, a, b| ins.umin(a, b)),
    ),
    (&arith::MULF, Float(|ins, a, b| ins.fmul(a, b))),
    (&arith::MULI, Int(|ins, a, b| ins.imul(a, b))),
    (&arith::ORI, Bits(|ins, a, b| ins.bor(a, b))),
    (
        &arith::REMF,
        Floats(|cx, a, b| cx.call_math(&external::FMOD, &[a, b])),
    ),
    (
        &arith::REMSI,
        Ints(|cx, width, a, b| cx.remainder(Signed, width, a, b)),
    ),
    (
        &arith::REMUI,
        Ints(|cx, width, a, b| cx.remainder(Unsigned, width, a, b)),
    ),
    (&arith::SHLI, Ints(|cx, width, a, b| cx.shl(width, a, b))),
    (
        &arith::SHRSI,
        Ints(|cx, width, a, b| cx.shr(Signed, width, a, b)),
    ),
    (
        &arith::SHRUI,
        Ints(|cx, width, a, b| cx.shr(Unsigned, width, a, b)),
    ),
    (&arith::SUBF, Float(|ins, a, b| ins.fsub(a, b))),
    (&arith::SUBI, Int(|ins, a, b| ins.isub(a, b))),
    (&arith::XORI, Bits(|ins, a, b| ins.bxor(a, b))),
    (&index::ADD, Int(|ins, a, b| ins.iadd(a, b))),
    (&index::AND, Bits(|ins, a, b| ins.band(a, b))),
    (
        &index::CEILDIVS,
        Ints(|cx, width, a, b| cx.divide(Signed, Ceil, width, a, b)),
    ),
    (
        &index::CEILDIVU,
        Ints(|cx, width, a, b| cx.divide(Unsigned, Ceil, width, a, b)),
    ),
    (
        &index::DIVS,
        Ints(|cx, width, a, b| cx.divide(Signed, Truncate, width, a, b)),
    ),
    (
        &index::DIVU,
        Ints(|cx, width, a, b| cx.divide(Unsigned, Truncate, width, a, b)),
    ),
    (
        &index::FLOORDIVS,
        Ints(|cx, width, a, b| cx.divide(Signed, Floor, width, a, b)),
    ),
    (
        &index::MAXS,
        Limit(IntCC::SignedGreaterThan, |ins, a, b| ins.smax(a, b)),
    ),
    (
        &index::MAXU,
        Limit(IntCC::UnsignedGreaterThan, |ins, a, b| ins.umax(a, b)),
    ),
    (
        &index::MINS,
        Limit(IntCC::SignedLessThan, |ins, a, b| ins.smin(a, b)),
    ),
    (
        &index::MINU,
        Limit(IntCC::UnsignedLessThan, |ins, a, b| ins.umin(a, b)),
    ),
    (&index::MUL, Int(|ins, a, b| ins.imul(a, b))),
    (&index::OR, Bits(|ins, a, b| ins.bor(a, b))),
    (
        &index::REMS,
        Ints(|cx, width, a, b| cx.remainder(Signed, width, a, b)),
    ),
    (
        &index::REMU,
        Ints(|cx, width, a, b| cx.remainder(Unsigned, width, a, b)),
    ),
    (&index::SHL, Ints(|cx, width, a, b| cx.shl(width, a, b))),
    (
        &index::SHRS,
        Ints(|cx, width, a, b| cx.shr(Signed, width, a, b)),
    ),
    (
        &index::SHRU,
        Ints(|cx, width, a, b| cx.shr(Unsigned, width, a, b)),
    ),
    (&index::SUB, Int(|ins, a, b| ins.isub(a, b))),
    (&index::XOR, Bits(|ins, a, b| ins.bxor(a, b))),
    (&math::COPYSIGN, Float(|ins, a, b| ins.fcopysign(a, b))),
];

/// What a table has for an operation.
pub(super) fn find<T>(
    table: &'static [(&'static OpDef, T)],
    def: &'static OpDef,
) -> Option<&'static T> {
    let row = table.iter().find(|(known, _)| std::ptr::eq(*known, def));
    row.map(|(_, what)| what)
}

/// Lowers an operation of [`ARITHMETIC`] on scalars.
pub(super) fn lower_arithmetic(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (def, result) = (cx.ir.def(op), cx.ir.result(op, 0));
    let scalar = match find(ARITHMETIC, def) {
        Some(Float(_) | Extreme(..) | Floats(_)) => Scalar::Float(cx.float_kind(op, result)?),
        _ => Scalar::Int(cx.int_width(op, result)?),
    };
    let (lhs, rhs) = (cx.operand(op, 0)?, cx.operand(op, 1)?);
    let result = cx.arithmetic(def, scalar, lhs, rhs);
    let result = result.expect("only rows of the table have this lowering");
    cx.set_result(op, result);
    Ok(())
}

impl Lowering<'_, '_> {
    /// The width of an integer value; reports other types.
    pub(super) fn int_width(&mut self, op: Op, value: Value) -> Result<u32, Failed> {
        match self.scalar_type(value)? {
            Scalar::Int(width) => Ok(width),
            _ => Err(self.unsupported_on(op, self.ir.value_type(value))),
        }
    }

    /// The format of a float value; reports other types.
    pub(super) fn float_kind(&mut self, op: Op, value: Value) -> Result<FloatKind, Failed> {
        match self.scalar_type(value)? {
            Scalar::Float(kind) if is_supported(kind) => Ok(kind),
            _ => Err(self.unsupported_on(op, self.ir.value_type(value))),
        }
    }

    /// What an operation of [`ARITHMETIC`] computes of two numbers; nothing for others, or if it has other numbers.
    pub(super) fn arithmetic(
        &mut self,
        def: &'static OpDef,
        scalar: Scalar,
        a: clif::Value,
        b: clif::Value,
    ) -> Option<clif::Value> {
        Some(match (find(ARITHMETIC, def)?, scalar) {
            (Bits(build), Scalar::Int(_)) => build(self.b.ins(), a, b),
            (Int(build), Scalar::Int(width)) => {
                let result = build(self.b.ins(), a, b);
                self.wrap_int(width, result)
            }
            (&Limit(condition, _), Scalar::Int(width)) => self.min_or_max(condition, width, a, b),
            (Ints(build), Scalar::Int(width)) => build(self, width, a, b),
            (how, Scalar::Float(kind)) if is_supported(kind) => {
                let (a, b) = (self.widen_float(kind, a), self.widen_float(kind, b));
                let result = match how {
                    Float(build) => build(self.b.ins(), a, b),
                    Extreme(_, build) if self.program.arch == Arch::AArch64 => {
                        build(self.b.ins(), a, b)
                    }
                    &Extreme(condition, _) => self.extreme(condition, a, b),
                    Floats(build) => build(self, a, b),
                    _ => return None,
                };
                self.narrow_float(kind, result)
            }
            _ => return None,
        })
    }

    /// What `fmin` or `fmax` gives, without the branch on whether the numbers are equal that these have on x86 (`bellman_ford`, benches/models).
    fn extreme(&mut self, condition: FloatCC, a: clif::Value, b: clif::Value) -> clif::Value {
        // Each of these is one instruction, and gives its second operand if the numbers are equal or one is NaN.
        let [one, other] = [(a, b), (b, a)].map(|(a, b)| {
            let is_first = self.b.ins().fcmp(condition, a, b);
            self.b.ins().select(is_first, a, b)
        });
        // They differ only in zeros of either sign.
        let both = match condition {
            FloatCC::LessThan => self.b.ins().bor(one, other),
            _ => self.b.ins().band(one, other),
        };
        let nan = self.b.ins().fadd(a, b);
        let is_nan = self.b.ins().fcmp(FloatCC::Unordered, a, b);
        self.b.ins().select(is_nan, nan, both)
    }

    /// `result = compute(lhs, rhs)` on floats of one type, in F32 or F64.
    pub(super) fn float_binary(
        &mut self,
        op: Op,
        compute: impl FnOnce(&mut Self, clif::Value, clif::Value) -> clif::Value,
    ) -> Result<(), Failed> {
        let kind = self.float_kind(op, self.ir.result(op, 0))?;
        let (lhs, rhs) = (self.operand(op, 0)?, self.operand(op, 1)?);
        let lhs = self.widen_float(kind, lhs);
        let rhs = self.widen_float(kind, rhs);
        let result = compute(self, lhs, rhs);
        let result = self.narrow_float(kind, result);
        self.set_result(op, result);
        Ok(())
    }

    /// Between integer types and index.
    pub(super) fn int_cast(&mut self, op: Op, sign: Sign) -> Result<(), Failed> {
        let from = self.int_width(op, self.ir.operand(op, 0))?;
        let to = self.int_width(op, self.ir.result(op, 0))?;
        if let Lowered::Constant(_, bits) = *self.get(self.ir.operand(op, 0))? {
            let gap = 128 - from;
            let bits = match sign {
                Sign::Signed => ((bits << gap) as i128 >> gap) as u128,
                Sign::Unsigned => bits,
            };
            let constant = Lowered::Constant(Scalar::Int(to), bits & low_bits(to));
            self.set(self.ir.result(op, 0), constant);
            return Ok(());
        }
        let value = self.operand(op, 0)?;
        let result = self.resize(sign, from, to, value);
        self.set_result(op, result);
        Ok(())
    }
}

/// The bits that represent the value of a constant attribute of a scalar type.
pub(super) fn constant_bits(scalar: Scalar, attr: &AttrKind) -> Option<u128> {
    match (scalar, attr) {
        (Scalar::Int(width), AttrKind::Integer { value, .. }) => {
            Some(*value as u128 & low_bits(width))
        }
        (Scalar::Float(_), AttrKind::Float { bits, .. }) => Some(*bits),
        _ => None,
    }
}

/// The CLIF condition of an integer predicate.
pub(super) fn int_condition(predicate: CmpIPredicate) -> IntCC {
    match predicate {
        CmpIPredicate::Eq => IntCC::Equal,
        CmpIPredicate::Ne => IntCC::NotEqual,
        CmpIPredicate::Slt => IntCC::SignedLessThan,
        CmpIPredicate::Sle => IntCC::SignedLessThanOrEqual,
        CmpIPredicate::Sgt => IntCC::SignedGreaterThan,
        CmpIPredicate::Sge => IntCC::SignedGreaterThanOrEqual,
        CmpIPredicate::Ult => IntCC::UnsignedLessThan,
        CmpIPredicate::Ule => IntCC::UnsignedLessThanOrEqual,
        CmpIPredicate::Ugt => IntCC::UnsignedGreaterThan,
        CmpIPredicate::Uge => IntCC::UnsignedGreaterThanOrEqual,
    }
}

/// The CLIF condition of a float predicate; constant ones have none.
pub(super) fn float_condition(predicate: CmpFPredicate) -> Result<FloatCC, bool> {
    Ok(match predicate {
        CmpFPredicate::AlwaysFalse => return Err(false),
        CmpFPredicate::AlwaysTrue => return Err(true),
        CmpFPredicate::Oeq => FloatCC::Equal,
        CmpFPredicate::Ogt => FloatCC::GreaterThan,
        CmpFPredicate::Oge => FloatCC::GreaterThanOrEqual,
        CmpFPredicate::Olt => FloatCC::LessThan,
        CmpFPredicate::Ole => FloatCC::LessThanOrEqual,
        CmpFPredicate::One => FloatCC::OrderedNotEqual,
        CmpFPredicate::Ord => FloatCC::Ordered,
        CmpFPredicate::Ueq => FloatCC::UnorderedOrEqual,
        CmpFPredicate::Ugt => FloatCC::UnorderedOrGreaterThan,
        CmpFPredicate::Uge => FloatCC::UnorderedOrGreaterThanOrEqual,
        CmpFPredicate::Ult => FloatCC::UnorderedOrLessThan,
        CmpFPredicate::Ule => FloatCC::UnorderedOrLessThanOrEqual,
        CmpFPredicate::Une => FloatCC::NotEqual,
        CmpFPredicate::Uno => FloatCC::Unordered,
    })
}
