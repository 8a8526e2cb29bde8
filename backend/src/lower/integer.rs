//! Integer arithmetic on values held zero-extended: what `arith` and `index`
//! have in common.
//!
//! Every function takes values that satisfy the invariant of [`crate::repr`] and
//! returns such values. Results that MLIR leaves undefined (shifts by the width
//! or more) are some value that satisfies it. Divisions never trap: the least
//! number divided by -1 wraps around, and a divisor of zero is taken for one, so
//! that the quotient is the dividend and the remainder zero, however it rounds.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, InstBuilder, types};

use super::function::Lowering;
use super::held::{Rounding, Sign};
use crate::external;
use crate::repr::{Scalar, container, low_bits};

impl Lowering<'_, '_> {
    /// Clears the bits above an odd width; other scalars are returned as they are.
    pub(crate) fn wrap(&mut self, scalar: Scalar, value: clif::Value) -> clif::Value {
        match scalar {
            Scalar::Int(width) if scalar.is_odd_width() => self.wrap_int(width, value),
            _ => value,
        }
    }

    /// Clears the bits above `width`.
    pub(crate) fn wrap_int(&mut self, width: u32, value: clif::Value) -> clif::Value {
        let ty = container(width);
        if ty.bits() == width {
            return value;
        }
        let mask = self.integer_constant(ty, low_bits(width));
        self.b.ins().band(value, mask)
    }

    /// The value sign-extended in its container.
    pub(crate) fn signed(&mut self, width: u32, value: clif::Value) -> clif::Value {
        let ty = container(width);
        let gap = i64::from(ty.bits() - width);
        if gap == 0 {
            return value;
        }
        if width == 1 {
            return self.b.ins().ineg(value);
        }
        let high = self.b.ins().ishl_imm_u(value, gap);
        self.b.ins().sshr_imm_u(high, gap)
    }

    /// The value as `sign` says, in its container.
    fn extended(&mut self, sign: Sign, width: u32, value: clif::Value) -> clif::Value {
        match sign {
            Sign::Signed => self.signed(width, value),
            Sign::Unsigned => value,
        }
    }

    /// The low `width` bits of a value of any integer type.
    pub(crate) fn resize(
        &mut self,
        sign: Sign,
        from: u32,
        to: u32,
        value: clif::Value,
    ) -> clif::Value {
        let (from_ty, to_ty) = (container(from), container(to));
        if to <= from {
            let value = if to_ty == from_ty {
                value
            } else {
                self.b.ins().ireduce(to_ty, value)
            };
            return self.wrap_int(to, value);
        }
        let value = self.extended(sign, from, value);
        let value = match sign {
            _ if to_ty == from_ty => value,
            Sign::Signed => self.b.ins().sextend(to_ty, value),
            Sign::Unsigned => self.b.ins().uextend(to_ty, value),
        };
        match sign {
            Sign::Signed => self.wrap_int(to, value),
            Sign::Unsigned => value,
        }
    }

    /// The amount of a shift, in a type that Cranelift takes for every container.
    fn shift_amount(&mut self, width: u32, amount: clif::Value) -> clif::Value {
        if container(width) == types::I128 {
            self.b.ins().ireduce(types::I64, amount)
        } else {
            amount
        }
    }

    /// Shift left.
    pub(crate) fn shl(&mut self, width: u32, value: clif::Value, n: clif::Value) -> clif::Value {
        let n = self.shift_amount(width, n);
        let shifted = self.b.ins().ishl(value, n);
        self.wrap_int(width, shifted)
    }

    /// Shift right.
    pub(crate) fn shr(
        &mut self,
        sign: Sign,
        width: u32,
        value: clif::Value,
        n: clif::Value,
    ) -> clif::Value {
        let n = self.shift_amount(width, n);
        match sign {
            Sign::Unsigned => self.b.ins().ushr(value, n),
            Sign::Signed => {
                let value = self.signed(width, value);
                let shifted = self.b.ins().sshr(value, n);
                self.wrap_int(width, shifted)
            }
        }
    }

    /// Comparison; the result is an `i1`.
    pub(crate) fn compare(
        &mut self,
        condition: IntCC,
        width: u32,
        lhs: clif::Value,
        rhs: clif::Value,
    ) -> clif::Value {
        let signed = matches!(
            condition,
            IntCC::SignedLessThan
                | IntCC::SignedLessThanOrEqual
                | IntCC::SignedGreaterThan
                | IntCC::SignedGreaterThanOrEqual
        );
        let sign = if signed { Sign::Signed } else { Sign::Unsigned };
        let lhs = self.extended(sign, width, lhs);
        let rhs = self.extended(sign, width, rhs);
        self.b.ins().icmp(condition, lhs, rhs)
    }

    /// The operand for which `condition` holds against the other.
    pub(crate) fn min_or_max(
        &mut self,
        condition: IntCC,
        width: u32,
        lhs: clif::Value,
        rhs: clif::Value,
    ) -> clif::Value {
        if width == container(width).bits() && width <= 64 {
            match condition {
                IntCC::SignedLessThan => return self.b.ins().smin(lhs, rhs),
                IntCC::SignedGreaterThan => return self.b.ins().smax(lhs, rhs),
                IntCC::UnsignedLessThan => return self.b.ins().umin(lhs, rhs),
                IntCC::UnsignedGreaterThan => return self.b.ins().umax(lhs, rhs),
                _ => {}
            }
        }
        let first = self.compare(condition, width, lhs, rhs);
        self.select_value(first, lhs, rhs)
    }

    /// `condition ? first : second`
    pub(crate) fn select_value(
        &mut self,
        condition: clif::Value,
        first: clif::Value,
        second: clif::Value,
    ) -> clif::Value {
        if self.b.func.dfg.value_type(first) != types::I128 {
            return self.b.ins().select(condition, first, second);
        }
        // In halves: Cranelift would recognize a minimum or maximum, which it
        // cannot compute in 128 bits.
        let (first_low, first_high) = self.b.ins().isplit(first);
        let (second_low, second_high) = self.b.ins().isplit(second);
        let low = self.b.ins().select(condition, first_low, second_low);
        let high = self.b.ins().select(condition, first_high, second_high);
        self.b.ins().iconcat(low, high)
    }

    /// Quotient.
    pub(crate) fn divide(
        &mut self,
        sign: Sign,
        rounding: Rounding,
        width: u32,
        lhs: clif::Value,
        rhs: clif::Value,
    ) -> clif::Value {
        let lhs = self.extended(sign, width, lhs);
        let rhs = self.extended(sign, width, rhs);
        let rhs = self.replace_divisor(rhs, 0);
        // What would trap is computed with a divisor of one, and negated. The library wraps around.
        let can_overflow = sign == Sign::Signed
            && container(width).bits() == width
            && width <= 64
            && self.constant_of(rhs).is_none_or(|divisor| divisor == -1);
        let divisor = match can_overflow {
            true => self.replace_divisor(rhs, -1),
            false => rhs,
        };
        let quotient = match (sign, container(width)) {
            (Sign::Signed, types::I128) => self.call_external1(&external::DIVTI3, &[lhs, divisor]),
            (Sign::Unsigned, types::I128) => {
                self.call_external1(&external::UDIVTI3, &[lhs, divisor])
            }
            (Sign::Signed, _) => self.b.ins().sdiv(lhs, divisor),
            (Sign::Unsigned, _) => self.b.ins().udiv(lhs, divisor),
        };
        let quotient = if can_overflow {
            let is_minus_one = self.is_number(rhs, -1);
            let negated = self.b.ins().ineg(lhs);
            self.select_value(is_minus_one, negated, quotient)
        } else {
            quotient
        };
        let quotient = match (rounding, sign) {
            (Rounding::Truncate, _) | (Rounding::Floor, Sign::Unsigned) => quotient,
            (Rounding::Floor, Sign::Signed) | (Rounding::Ceil, _) => {
                self.round_quotient(sign, rounding, lhs, rhs, quotient)
            }
        };
        self.wrap_int(width, quotient)
    }

    /// Moves a truncated quotient by one where there is a remainder on the
    /// other side.
    fn round_quotient(
        &mut self,
        sign: Sign,
        rounding: Rounding,
        lhs: clif::Value,
        rhs: clif::Value,
        quotient: clif::Value,
    ) -> clif::Value {
        let ty = self.b.func.dfg.value_type(quotient);
        let product = self.b.ins().imul(quotient, rhs);
        let inexact = self.b.ins().icmp(IntCC::NotEqual, product, lhs);
        let moves = match sign {
            Sign::Unsigned => inexact,
            Sign::Signed => {
                let signs = self.b.ins().bxor(lhs, rhs);
                let zero = self.integer_constant(ty, 0);
                let condition = match rounding {
                    Rounding::Floor => IntCC::SignedLessThan,
                    _ => IntCC::SignedGreaterThanOrEqual,
                };
                let wrong_side = self.b.ins().icmp(condition, signs, zero);
                self.b.ins().band(inexact, wrong_side)
            }
        };
        let step = if ty == types::I8 {
            moves
        } else {
            self.b.ins().uextend(ty, moves)
        };
        match rounding {
            Rounding::Floor => self.b.ins().isub(quotient, step),
            _ => self.b.ins().iadd(quotient, step),
        }
    }

    /// The number that a value of at most 64 bits is known to be.
    fn constant_of(&self, value: clif::Value) -> Option<i64> {
        let dfg = &self.b.func.dfg;
        let inst = dfg.value_def(dfg.resolve_aliases(value)).inst()?;
        match dfg.insts[inst] {
            clif::InstructionData::UnaryImm {
                opcode: clif::Opcode::Iconst,
                imm,
            } => {
                let gap = 64 - dfg.value_type(value).bits();
                Some(imm.bits() << gap >> gap)
            }
            _ => None,
        }
    }

    /// Whether `value` is a small number.
    fn is_number(&mut self, value: clif::Value, number: i64) -> clif::Value {
        let ty = self.b.func.dfg.value_type(value);
        let number = self.integer_constant(ty, i128::from(number) as u128);
        self.b.ins().icmp(IntCC::Equal, value, number)
    }

    /// The divisor, or one if it is `number`.
    fn replace_divisor(&mut self, divisor: clif::Value, number: i64) -> clif::Value {
        if self
            .constant_of(divisor)
            .is_some_and(|known| known != number)
        {
            return divisor;
        }
        let is_number = self.is_number(divisor, number);
        let ty = self.b.func.dfg.value_type(divisor);
        let one = self.integer_constant(ty, 1);
        self.select_value(is_number, one, divisor)
    }

    /// Remainder of the truncating division.
    pub(crate) fn remainder(
        &mut self,
        sign: Sign,
        width: u32,
        lhs: clif::Value,
        rhs: clif::Value,
    ) -> clif::Value {
        let lhs = self.extended(sign, width, lhs);
        let rhs = self.extended(sign, width, rhs);
        let rhs = self.replace_divisor(rhs, 0);
        // A divisor of -1 has the remainders of one, but may trap.
        let rhs = match sign {
            Sign::Signed => self.replace_divisor(rhs, -1),
            Sign::Unsigned => rhs,
        };
        let remainder = match (sign, container(width)) {
            (Sign::Signed, types::I128) => self.call_external1(&external::MODTI3, &[lhs, rhs]),
            (Sign::Unsigned, types::I128) => self.call_external1(&external::UMODTI3, &[lhs, rhs]),
            (Sign::Signed, _) => self.b.ins().srem(lhs, rhs),
            (Sign::Unsigned, _) => self.b.ins().urem(lhs, rhs),
        };
        self.wrap_int(width, remainder)
    }

    /// Sum and whether it does not fit, unsigned.
    pub(crate) fn add_extended(
        &mut self,
        width: u32,
        lhs: clif::Value,
        rhs: clif::Value,
    ) -> (clif::Value, clif::Value) {
        let sum = self.b.ins().iadd(lhs, rhs);
        let wrapped = self.wrap_int(width, sum);
        // A sum that wrapped around is less than each of its operands.
        let overflow = self.b.ins().icmp(IntCC::UnsignedLessThan, wrapped, lhs);
        (wrapped, overflow)
    }

    /// Low and high half of the product.
    pub(crate) fn mul_extended(
        &mut self,
        sign: Sign,
        width: u32,
        lhs: clif::Value,
        rhs: clif::Value,
    ) -> (clif::Value, clif::Value) {
        match width {
            64 => {
                let low = self.b.ins().imul(lhs, rhs);
                let high = match sign {
                    Sign::Signed => self.b.ins().smulhi(lhs, rhs),
                    Sign::Unsigned => self.b.ins().umulhi(lhs, rhs),
                };
                (low, high)
            }
            ..64 => {
                // The whole product fits in a wider container.
                let wide = 2 * container(width).bits();
                let lhs = self.resize(sign, width, wide, lhs);
                let rhs = self.resize(sign, width, wide, rhs);
                let product = self.b.ins().imul(lhs, rhs);
                let high = self.b.ins().ushr_imm_u(product, i64::from(width));
                (
                    self.resize(sign, wide, width, product),
                    self.resize(sign, wide, width, high),
                )
            }
            _ => {
                let lhs = self.extended(sign, width, lhs);
                let rhs = self.extended(sign, width, rhs);
                let (low, high) = self.mul_i128(sign, lhs, rhs);
                // The product has 256 bits; the high half begins at bit `width`.
                let high = if width == 128 {
                    high
                } else {
                    let from_low = self.b.ins().ushr_imm_u(low, i64::from(width));
                    let from_high = self.b.ins().ishl_imm_u(high, i64::from(128 - width));
                    self.b.ins().bor(from_low, from_high)
                };
                (self.wrap_int(width, low), self.wrap_int(width, high))
            }
        }
    }

    /// The 256-bit product of two 128-bit numbers as low and high half: four
    /// products of 64-bit digits.
    fn mul_i128(
        &mut self,
        sign: Sign,
        lhs: clif::Value,
        rhs: clif::Value,
    ) -> (clif::Value, clif::Value) {
        let low = self.b.ins().imul(lhs, rhs);
        let (l0, l1) = self.b.ins().isplit(lhs);
        let (r0, r1) = self.b.ins().isplit(rhs);
        let carry = self.b.ins().umulhi(l0, r0);
        let carry = self.b.ins().uextend(types::I128, carry);
        // Neither sum overflows: (2^64 - 1)^2 + 2 (2^64 - 1) < 2^128.
        let l1r0 = self.mul_digits(l1, r0);
        let middle = self.b.ins().iadd(l1r0, carry);
        let (middle_low, middle_high) = self.b.ins().isplit(middle);
        let middle_low = self.b.ins().uextend(types::I128, middle_low);
        let l0r1 = self.mul_digits(l0, r1);
        let other = self.b.ins().iadd(l0r1, middle_low);
        let (_, other_high) = self.b.ins().isplit(other);
        let top = self.mul_digits(l1, r1);
        let middle_high = self.b.ins().uextend(types::I128, middle_high);
        let other_high = self.b.ins().uextend(types::I128, other_high);
        let top = self.b.ins().iadd(top, middle_high);
        let mut high = self.b.ins().iadd(top, other_high);
        if sign == Sign::Signed {
            // A negative number read as unsigned is too large by 2^128.
            for (number, other) in [(lhs, rhs), (rhs, lhs)] {
                let is_negative = self.b.ins().sshr_imm_u(number, 127);
                let excess = self.b.ins().band(is_negative, other);
                high = self.b.ins().isub(high, excess);
            }
        }
        (low, high)
    }

    /// The full product of two 64-bit digits.
    fn mul_digits(&mut self, lhs: clif::Value, rhs: clif::Value) -> clif::Value {
        let low = self.b.ins().imul(lhs, rhs);
        let high = self.b.ins().umulhi(lhs, rhs);
        self.b.ins().iconcat(low, high)
    }
}
