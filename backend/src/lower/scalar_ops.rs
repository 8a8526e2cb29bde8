//! Operations on scalars, by what they compute: what the tables of `arith`,
//! `index`, `math` and others have in common.

use cranelift_codegen::ir as clif;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use freehold_frontend::dialects::arith::{CmpFPredicate, CmpIPredicate};
use freehold_frontend::ir::attrs::AttrKind;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::FloatKind;

use super::float::is_supported;
use super::function::Lowering;
use super::held::{Lowered, Rounding, Sign};
use crate::repr::{Scalar, low_bits};

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

    /// `result = compute(lhs, rhs)` on integers of one type.
    pub(super) fn int_binary(
        &mut self,
        op: Op,
        compute: impl FnOnce(&mut Self, u32, clif::Value, clif::Value) -> clif::Value,
    ) -> Result<(), Failed> {
        let width = self.int_width(op, self.ir.result(op, 0))?;
        let (lhs, rhs) = (self.operand(op, 0)?, self.operand(op, 1)?);
        let result = compute(self, width, lhs, rhs);
        self.set_result(op, result);
        Ok(())
    }

    pub(super) fn division(&mut self, op: Op, sign: Sign, to: Rounding) -> Result<(), Failed> {
        self.int_binary(op, |cx, width, lhs, rhs| {
            cx.divide(sign, to, width, lhs, rhs)
        })
    }

    pub(super) fn int_min_or_max(&mut self, op: Op, condition: IntCC) -> Result<(), Failed> {
        self.int_binary(op, |cx, width, lhs, rhs| {
            cx.min_or_max(condition, width, lhs, rhs)
        })
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
