//! `math`: Cranelift instructions where there are any, the C library elsewhere.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self as clif, InstBuilder, types};
use freehold_frontend::dialects::math;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::types::FloatKind;

use super::function::Lowering;
use super::function::LoweringTable;
use super::held::Sign;
use super::scalar_ops::{UNARY, find};
use crate::external::{self, MathFunction};
use crate::repr::{container, low_bits};

/// The lowerings of this dialect.
pub(super) static TABLE: LoweringTable = &[
    (&math::ABSF, lower_absf),
    (&math::ABSI, lower_absi),
    (&math::ACOS, |cx, op| cx.call_library(op, &external::ACOS)),
    (&math::ACOSH, |cx, op| cx.call_library(op, &external::ACOSH)),
    (&math::ASIN, |cx, op| cx.call_library(op, &external::ASIN)),
    (&math::ASINH, |cx, op| cx.call_library(op, &external::ASINH)),
    (&math::ATAN, |cx, op| cx.call_library(op, &external::ATAN)),
    (&math::ATANH, |cx, op| cx.call_library(op, &external::ATANH)),
    (&math::ATAN2, |cx, op| cx.call_library(op, &external::ATAN2)),
    (&math::CBRT, |cx, op| cx.call_library(op, &external::CBRT)),
    (&math::CEIL, lower_instruction),
    (&math::COS, |cx, op| cx.call_library(op, &external::COS)),
    (&math::COSH, |cx, op| cx.call_library(op, &external::COSH)),
    (&math::SIN, |cx, op| cx.call_library(op, &external::SIN)),
    (&math::SINH, |cx, op| cx.call_library(op, &external::SINH)),
    (&math::CTLZ, |cx, op| {
        cx.bit_count(op, |cx, width, a| {
            let ty = container(width);
            let zeros = cx.b.ins().clz(a);
            let above = cx.integer_constant(ty, u128::from(ty.bits() - width));
            cx.b.ins().isub(zeros, above)
        })
    }),
    (&math::CTTZ, |cx, op| {
        cx.bit_count(op, |cx, width, a| {
            // A bit right above the number stops the count there.
            let ty = container(width);
            let a = if ty.bits() == width {
                a
            } else {
                let stop = cx.integer_constant(ty, low_bits(width) + 1);
                cx.b.ins().bor(a, stop)
            };
            cx.b.ins().ctz(a)
        })
    }),
    (&math::CTPOP, |cx, op| {
        cx.bit_count(op, |cx, _, a| cx.b.ins().popcnt(a))
    }),
    (&math::ERFC, |cx, op| cx.call_library(op, &external::ERFC)),
    (&math::ERF, |cx, op| cx.call_library(op, &external::ERF)),
    (&math::EXP, |cx, op| cx.call_library(op, &external::EXP)),
    (&math::EXP2, |cx, op| cx.call_library(op, &external::EXP2)),
    (&math::EXPM1, |cx, op| cx.call_library(op, &external::EXPM1)),
    (&math::FLOOR, lower_instruction),
    (&math::FMA, lower_fma),
    (&math::FPOWI, lower_fpowi),
    (&math::IPOWI, lower_ipowi),
    (&math::LOG, |cx, op| cx.call_library(op, &external::LOG)),
    (&math::LOG10, |cx, op| cx.call_library(op, &external::LOG10)),
    (&math::LOG1P, |cx, op| cx.call_library(op, &external::LOG1P)),
    (&math::LOG2, |cx, op| cx.call_library(op, &external::LOG2)),
    (&math::POWF, |cx, op| cx.call_library(op, &external::POW)),
    (&math::RSQRT, |cx, op| {
        cx.float_unary(op, |cx, a| {
            let ty = cx.b.func.dfg.value_type(a);
            let one = cx.float_constant(ty, 1.0);
            let root = cx.b.ins().sqrt(a);
            cx.b.ins().fdiv(one, root)
        })
    }),
    (&math::SQRT, lower_instruction),
    (&math::TAN, |cx, op| cx.call_library(op, &external::TAN)),
    (&math::TANH, |cx, op| cx.call_library(op, &external::TANH)),
    (&math::ROUNDEVEN, lower_instruction),
    (&math::ROUND, |cx, op| {
        cx.float_unary(op, |cx, a| cx.round_half_away(a))
    }),
    (&math::TRUNC, lower_instruction),
];

/// Lowers an operation of [`UNARY`] on floats.
fn lower_instruction(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let build = find(UNARY, cx.ir.def(op)).expect("only rows of the table have this lowering");
    cx.float_unary(op, |cx, a| build(cx.b.ins(), a))
}

impl Lowering<'_, '_> {
    /// `result = compute(operand)` in F32 or F64.
    fn float_unary(
        &mut self,
        op: Op,
        compute: impl FnOnce(&mut Self, clif::Value) -> clif::Value,
    ) -> Result<(), Failed> {
        let kind = self.float_kind(op, self.ir.result(op, 0))?;
        let value = self.operand(op, 0)?;
        let value = self.widen_float(kind, value);
        let result = compute(self, value);
        let result = self.narrow_float(kind, result);
        self.set_result(op, result);
        Ok(())
    }

    /// Calls a function of one or two arguments.
    fn call_library(&mut self, op: Op, function: &'static MathFunction) -> Result<(), Failed> {
        if self.ir.operands(op).len() == 1 {
            self.float_unary(op, |cx, a| cx.call_math(function, &[a]))
        } else {
            self.float_binary(op, |cx, a, b| cx.call_math(function, &[a, b]))
        }
    }

    fn bit_count(
        &mut self,
        op: Op,
        compute: impl FnOnce(&mut Self, u32, clif::Value) -> clif::Value,
    ) -> Result<(), Failed> {
        let width = self.int_width(op, self.ir.result(op, 0))?;
        let value = self.operand(op, 0)?;
        let count = compute(self, width, value);
        // The count of a narrow number need not fit in its width: i1 cannot hold 1 + 1.
        let count = self.wrap_int(width, count);
        self.set_result(op, count);
        Ok(())
    }

    /// To the nearest integer, ties away from zero. The fraction is exact, and
    /// the sign survives for zeros.
    fn round_half_away(&mut self, value: clif::Value) -> clif::Value {
        let ty = self.b.func.dfg.value_type(value);
        let whole = self.b.ins().trunc(value);
        let fraction = self.b.ins().fsub(value, whole);
        let fraction = self.b.ins().fabs(fraction);
        let half = self.float_constant(ty, 0.5);
        let rounds_away = self
            .b
            .ins()
            .fcmp(FloatCC::GreaterThanOrEqual, fraction, half);
        let one = self.float_constant(ty, 1.0);
        let zero = self.float_constant(ty, 0.0);
        let step = self.b.ins().select(rounds_away, one, zero);
        let step = self.b.ins().fcopysign(step, value);
        let rounded = self.b.ins().fadd(whole, step);
        self.b.ins().fcopysign(rounded, value)
    }

    /// `base` to the power `exponent` (unsigned, in `exponent_ty`) by repeated
    /// squaring, where `multiply` multiplies.
    fn power(
        &mut self,
        base: clif::Value,
        one: clif::Value,
        exponent: clif::Value,
        multiply: impl Fn(&mut Self, clif::Value, clif::Value) -> clif::Value,
    ) -> clif::Value {
        let ty = self.b.func.dfg.value_type(base);
        let exponent_ty = self.b.func.dfg.value_type(exponent);
        let [header, body, done] = [(); 3].map(|()| self.b.create_block());
        let result = self.b.append_block_param(header, ty);
        let square = self.b.append_block_param(header, ty);
        let rest = self.b.append_block_param(header, exponent_ty);
        let args = [one.into(), base.into(), exponent.into()];
        self.b.ins().jump(header, &args);
        self.b.switch_to_block(header);
        let zero = self.integer_constant(exponent_ty, 0);
        let more = self.b.ins().icmp(IntCC::NotEqual, rest, zero);
        self.b.ins().brif(more, body, &[], done, &[]);
        self.b.switch_to_block(body);
        let bit = self.integer_constant(exponent_ty, 1);
        let bit = self.b.ins().band(rest, bit);
        let is_set = self.b.ins().icmp(IntCC::NotEqual, bit, zero);
        let product = multiply(self, result, square);
        let next_result = self.select_value(is_set, product, result);
        let next_square = multiply(self, square, square);
        let next_rest = self.b.ins().ushr_imm_u(rest, 1);
        let args = [next_result.into(), next_square.into(), next_rest.into()];
        self.b.ins().jump(header, &args);
        self.b.switch_to_block(done);
        result
    }
}

fn lower_absf(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let kind = cx.float_kind(op, cx.ir.result(op, 0))?;
    let value = cx.operand(op, 0)?;
    let result = match kind {
        FloatKind::F32 | FloatKind::F64 => cx.b.ins().fabs(value),
        FloatKind::F8E8M0FNU => value,
        FloatKind::F8E5M2FNUZ | FloatKind::F8E4M3FNUZ | FloatKind::F8E4M3B11FNUZ => {
            // The code of negative zero is NaN and stays what it is.
            let magnitude = cx.b.ins().band_imm_u(value, 0x7f);
            let is_nan = cx.b.ins().icmp_imm_u(IntCC::Equal, value, 0x80);
            cx.b.ins().select(is_nan, value, magnitude)
        }
        _ => {
            let mask = low_bits(kind.width() - 1);
            let mask = cx.integer_constant(container(kind.width()), mask);
            cx.b.ins().band(value, mask)
        }
    };
    cx.set_result(op, result);
    Ok(())
}

fn lower_absi(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let width = cx.int_width(op, cx.ir.result(op, 0))?;
    let value = cx.operand(op, 0)?;
    let value = cx.signed(width, value);
    let result = if container(width) == types::I128 {
        let sign = cx.b.ins().sshr_imm_u(value, 127);
        let flipped = cx.b.ins().bxor(value, sign);
        cx.b.ins().isub(flipped, sign)
    } else {
        cx.b.ins().iabs(value)
    };
    let result = cx.wrap_int(width, result);
    cx.set_result(op, result);
    Ok(())
}

fn lower_fma(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let kind = cx.float_kind(op, cx.ir.result(op, 0))?;
    let mut operands = [0, 1, 2].map(|i| cx.operand(op, i));
    let mut wide = Vec::with_capacity(3);
    for operand in &mut operands {
        wide.push(cx.widen_float(kind, (*operand)?));
    }
    // The product and sum of three f16 or bf16 is not exact in f32, but F64
    // holds the product exactly, and rounding its sum once more is harmless for
    // all but sums of numbers far apart, which `fma` in F64 followed by rounding
    // to odd gets right too.
    let result = match kind {
        FloatKind::F32 | FloatKind::F64 => cx.b.ins().fma(wide[0], wide[1], wide[2]),
        _ => {
            let wide: Vec<_> = wide
                .into_iter()
                .map(|value| cx.b.ins().fpromote(types::F64, value))
                .collect();
            cx.b.ins().fma(wide[0], wide[1], wide[2])
        }
    };
    let result = cx.narrow_float(kind, result);
    cx.set_result(op, result);
    Ok(())
}

/// A float to an integer power; negative powers are reciprocals.
fn lower_fpowi(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let kind = cx.float_kind(op, cx.ir.result(op, 0))?;
    let width = cx.int_width(op, cx.ir.operand(op, 1))?;
    let base = cx.operand(op, 0)?;
    let base = cx.widen_float(kind, base);
    let exponent = cx.operand(op, 1)?;
    let ty = cx.b.func.dfg.value_type(base);
    let exponent = cx.signed(width, exponent);
    let zero = cx.integer_constant(container(width), 0);
    let is_negative = cx.b.ins().icmp(IntCC::SignedLessThan, exponent, zero);
    let negated = cx.b.ins().isub(zero, exponent);
    let magnitude = cx.select_value(is_negative, negated, exponent);
    let one = cx.float_constant(ty, 1.0);
    let power = cx.power(base, one, magnitude, |cx, a, b| cx.b.ins().fmul(a, b));
    let reciprocal = cx.b.ins().fdiv(one, power);
    let result = cx.b.ins().select(is_negative, reciprocal, power);
    let result = cx.narrow_float(kind, result);
    cx.set_result(op, result);
    Ok(())
}

/// An integer to an integer power. With a negative exponent the result is that
/// of upstream's expansion: 1 for base 1, the parity for base -1, otherwise 0, also for base 0.
fn lower_ipowi(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let width = cx.int_width(op, cx.ir.result(op, 0))?;
    let (base, exponent) = (cx.operand(op, 0)?, cx.operand(op, 1)?);
    let ty = container(width);
    let base = cx.signed(width, base);
    let exponent = cx.signed(width, exponent);
    let zero = cx.integer_constant(ty, 0);
    let one = cx.integer_constant(ty, 1);
    let minus_one = cx.integer_constant(ty, u128::MAX);
    let [negative, positive, done] = [(); 3].map(|()| cx.b.create_block());
    let result = cx.b.append_block_param(done, ty);
    let is_negative = cx.b.ins().icmp(IntCC::SignedLessThan, exponent, zero);
    cx.b.ins().brif(is_negative, negative, &[], positive, &[]);

    cx.b.switch_to_block(negative);
    let is_one = cx.b.ins().icmp(IntCC::Equal, base, one);
    let is_minus_one = cx.b.ins().icmp(IntCC::Equal, base, minus_one);
    let odd = cx.b.ins().band(exponent, one);
    let odd = cx.b.ins().icmp(IntCC::NotEqual, odd, zero);
    let parity = cx.select_value(odd, minus_one, one);
    let reciprocal = cx.select_value(is_minus_one, parity, zero);
    let reciprocal = cx.select_value(is_one, one, reciprocal);
    cx.b.ins().jump(done, &[reciprocal.into()]);

    cx.b.switch_to_block(positive);
    let power = cx.power(base, one, exponent, |cx, a, b| cx.b.ins().imul(a, b));
    cx.b.ins().jump(done, &[power.into()]);

    cx.b.switch_to_block(done);
    let result = cx.resize(Sign::Unsigned, ty.bits(), width, result);
    cx.set_result(op, result);
    Ok(())
}
