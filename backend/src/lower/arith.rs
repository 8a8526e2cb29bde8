//! `arith`: integer and float arithmetic on scalars.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self as clif, InstBuilder, types};
use freehold_frontend::dialects::arith::{self, CmpFPredicate, CmpIPredicate, RoundingMode};
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::FloatKind;

use super::function::Lowering;
use super::function::LoweringTable;
use super::held::Sign;
use super::held::{Descriptor, Index, Lowered};
use super::scalar_ops::{constant_bits, float_condition, int_condition};
use crate::repr::{Repr, Scalar};

use Sign::{Signed, Unsigned};

/// The lowerings of this dialect.
pub(super) static TABLE: LoweringTable = &[
    (&arith::CONSTANT, lower_constant),
    (&arith::ADDUI_EXTENDED, |cx, op| {
        cx.int_pair(op, |cx, width, a, b| cx.add_extended(width, a, b))
    }),
    (&arith::MULSI_EXTENDED, |cx, op| {
        cx.int_pair(op, |cx, width, a, b| cx.mul_extended(Signed, width, a, b))
    }),
    (&arith::MULUI_EXTENDED, |cx, op| {
        cx.int_pair(op, |cx, width, a, b| cx.mul_extended(Unsigned, width, a, b))
    }),
    (&arith::NEGF, lower_negf),
    (&arith::EXTUI, |cx, op| cx.int_cast(op, Unsigned)),
    (&arith::EXTSI, |cx, op| cx.int_cast(op, Signed)),
    (&arith::TRUNCI, |cx, op| cx.int_cast(op, Unsigned)),
    (&arith::INDEX_CAST, |cx, op| cx.int_cast(op, Signed)),
    (&arith::INDEX_CASTUI, |cx, op| cx.int_cast(op, Unsigned)),
    (&arith::EXTF, |cx, op| cx.float_cast(op, None)),
    (&arith::TRUNCF, |cx, op| {
        let mode = RoundingMode::of(cx.ir, op);
        cx.float_cast(op, mode)
    }),
    (&arith::SCALING_EXTF, lower_scaling_extf),
    (&arith::SCALING_TRUNCF, lower_scaling_truncf),
    (&arith::UITOFP, |cx, op| cx.int_to_float(op, Unsigned)),
    (&arith::SITOFP, |cx, op| cx.int_to_float(op, Signed)),
    (&arith::FPTOUI, |cx, op| cx.float_to_int(op, Unsigned)),
    (&arith::FPTOSI, |cx, op| cx.float_to_int(op, Signed)),
    (&arith::BITCAST, lower_bitcast),
    (&arith::CMPI, lower_cmpi),
    (&arith::CMPF, lower_cmpf),
    (&arith::SELECT, lower_select),
];

impl Lowering<'_, '_> {
    /// Two results from two integers.
    fn int_pair(
        &mut self,
        op: Op,
        compute: impl FnOnce(&mut Self, u32, clif::Value, clif::Value) -> (clif::Value, clif::Value),
    ) -> Result<(), Failed> {
        let width = self.int_width(op, self.ir.result(op, 0))?;
        let (lhs, rhs) = (self.operand(op, 0)?, self.operand(op, 1)?);
        let (first, second) = compute(self, width, lhs, rhs);
        self.set_result(op, first);
        self.set(self.ir.result(op, 1), Lowered::Scalar(second));
        Ok(())
    }

    fn float_cast(&mut self, op: Op, mode: Option<RoundingMode>) -> Result<(), Failed> {
        let from = self.float_kind(op, self.ir.operand(op, 0))?;
        let to = self.float_kind(op, self.ir.result(op, 0))?;
        let value = self.operand(op, 0)?;
        let wide = self.widen_float(from, value);
        let result = self.rounded(op, to, mode, wide)?;
        self.set_result(op, result);
        Ok(())
    }

    /// An F32 or F64 rounded to `to`.
    fn rounded(
        &mut self,
        op: Op,
        to: FloatKind,
        mode: Option<RoundingMode>,
        wide: clif::Value,
    ) -> Result<clif::Value, Failed> {
        match mode {
            None | Some(RoundingMode::ToNearestEven) => Ok(self.narrow_float(to, wide)),
            Some(mode) if to == FloatKind::F32 => Ok(self.f32_rounded(mode, wide)),
            Some(_) => {
                let message = "cannot be lowered to native code with this rounding mode";
                Err(self.op_error(op, message))
            }
        }
    }

    /// The power of two that the second operand stands for, as a number of `kind` in the format that it is computed
    /// in: its exponent as f32 has it. What has the largest exponent is NaN, as in the format f8E8M0FNU.
    fn scale(&mut self, op: Op, kind: FloatKind) -> Result<clif::Value, Failed> {
        let from = self.float_kind(op, self.ir.operand(op, 1))?;
        let value = self.operand(op, 1)?;
        let wide = self.widen_float(from, value);
        let single = self.narrow_float(FloatKind::F32, wide);
        let bits = self.bitcast(types::I32, single);
        let exponent = self.b.ins().band_imm_u(bits, 0x7f80_0000);
        let is_largest = self.b.ins().icmp_imm_u(IntCC::Equal, exponent, 0x7f80_0000);
        let nan = self.b.ins().iconst(types::I32, 0xffff_ffff);
        let power = self.b.ins().select(is_largest, nan, exponent);
        let power = self.bitcast(types::F32, power);
        let power = self.narrow_float(kind, power);
        Ok(self.widen_float(kind, power))
    }

    /// An F64 rounded to F32 in another way than to the nearest, ties to even.
    fn f32_rounded(&mut self, mode: RoundingMode, value: clif::Value) -> clif::Value {
        let near = self.b.ins().fdemote(types::F32, value);
        let back = self.b.ins().fpromote(types::F64, near);
        let bits = self.bitcast(types::I32, near);
        let magnitude = self.b.ins().fabs(value);
        let near_magnitude = self.b.ins().fabs(back);
        let away = self
            .b
            .ins()
            .fcmp(FloatCC::LessThan, near_magnitude, magnitude);
        let towards = self
            .b
            .ins()
            .fcmp(FloatCC::GreaterThan, near_magnitude, magnitude);
        let is_negative = {
            let bits = self.bitcast(types::I64, value);
            let sign = self.b.ins().ushr_imm_u(bits, 63);
            self.b.ins().ireduce(types::I8, sign)
        };
        // One step away from zero where `up`, one step towards zero where `down`.
        let no = self.b.ins().iconst(types::I8, 0);
        let (up, down) = match mode {
            RoundingMode::ToNearestEven => (no, no),
            RoundingMode::TowardZero => (no, towards),
            RoundingMode::Downward => {
                let up = self.b.ins().band(away, is_negative);
                (up, self.b.ins().band_not(towards, is_negative))
            }
            RoundingMode::Upward => {
                let up = self.b.ins().band_not(away, is_negative);
                (up, self.b.ins().band(towards, is_negative))
            }
            RoundingMode::ToNearestAway => {
                let next = self.b.ins().iadd_imm_s(bits, 1);
                let next = self.bitcast(types::F32, next);
                let next = self.b.ins().fpromote(types::F64, next);
                let below = self.b.ins().fsub(value, back);
                let above = self.b.ins().fsub(next, value);
                let tie = self.b.ins().fcmp(FloatCC::Equal, below, above);
                (self.b.ins().band(away, tie), no)
            }
        };
        let up = self.b.ins().uextend(types::I32, up);
        let down = self.b.ins().uextend(types::I32, down);
        let bits = self.b.ins().iadd(bits, up);
        let bits = self.b.ins().isub(bits, down);
        self.bitcast(types::F32, bits)
    }

    fn int_to_float(&mut self, op: Op, sign: Sign) -> Result<(), Failed> {
        let width = self.int_width(op, self.ir.operand(op, 0))?;
        let kind = self.float_kind(op, self.ir.result(op, 0))?;
        let value = self.operand(op, 0)?;
        let result = self.float_from_int(sign, width, kind, value);
        self.set_result(op, result);
        Ok(())
    }

    fn float_to_int(&mut self, op: Op, sign: Sign) -> Result<(), Failed> {
        let kind = self.float_kind(op, self.ir.operand(op, 0))?;
        let width = self.int_width(op, self.ir.result(op, 0))?;
        let value = self.operand(op, 0)?;
        let result = self.int_from_float(sign, width, kind, value);
        self.set_result(op, result);
        Ok(())
    }

    /// `condition ? first : second`, field by field.
    pub(crate) fn select(
        &mut self,
        condition: clif::Value,
        first: &Lowered,
        second: &Lowered,
        repr: &Repr,
    ) -> Lowered {
        if let (Lowered::MemRef(a), Lowered::MemRef(b)) = (first, second) {
            let pairs: Vec<(Index, Index)> = a.fields().zip(b.fields()).collect();
            let fields: Vec<Index> = pairs
                .into_iter()
                .map(|(a, b)| {
                    if a == b {
                        return a;
                    }
                    let (a, b) = (self.index_value(a), self.index_value(b));
                    Index::Value(self.b.ins().select(condition, a, b))
                })
                .collect();
            return Lowered::memref(Descriptor::from_fields(a.sizes.len(), fields));
        }
        let (a, b) = (self.parts(first), self.parts(second));
        let parts: Vec<clif::Value> = a
            .into_iter()
            .zip(b)
            .map(|(a, b)| self.select_value(condition, a, b))
            .collect();
        self.with_parts(repr, &parts)
    }
}

fn lower_constant(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let result = cx.ir.result(op, 0);
    let attr = cx.ir.attr(op, Name::VALUE);
    if let Repr::Vector(repr) = cx.repr(result)? {
        return cx.lower_vector_constant(op, &repr, attr);
    }
    let scalar = cx.result_type(op)?;
    let bits = attr.and_then(|attr| constant_bits(scalar, cx.context.attr_kind(attr)));
    let Some(bits) = bits else {
        return Err(cx.unsupported_on(op, cx.ir.value_type(result)));
    };
    cx.set(result, Lowered::Constant(scalar, bits));
    Ok(())
}

fn lower_negf(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let kind = cx.float_kind(op, cx.ir.result(op, 0))?;
    let value = cx.operand(op, 0)?;
    let result = cx.flip_sign(kind, value);
    cx.set_result(op, result);
    Ok(())
}

fn lower_scaling_extf(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let from = cx.float_kind(op, cx.ir.operand(op, 0))?;
    let to = cx.float_kind(op, cx.ir.result(op, 0))?;
    let value = cx.operand(op, 0)?;
    let wide = cx.widen_float(from, value);
    let value = cx.narrow_float(to, wide);
    let value = cx.widen_float(to, value);
    let scale = cx.scale(op, to)?;
    let product = cx.b.ins().fmul(value, scale);
    let result = cx.narrow_float(to, product);
    cx.set_result(op, result);
    Ok(())
}

fn lower_scaling_truncf(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let from = cx.float_kind(op, cx.ir.operand(op, 0))?;
    let to = cx.float_kind(op, cx.ir.result(op, 0))?;
    let mode = RoundingMode::of(cx.ir, op);
    let value = cx.operand(op, 0)?;
    let value = cx.widen_float(from, value);
    let scale = cx.scale(op, from)?;
    let quotient = cx.b.ins().fdiv(value, scale);
    let quotient = cx.narrow_float(from, quotient);
    let wide = cx.widen_float(from, quotient);
    let result = cx.rounded(op, to, mode, wide)?;
    cx.set_result(op, result);
    Ok(())
}

fn lower_bitcast(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let to = cx.result_type(op)?;
    let value = cx.operand(op, 0)?;
    let result = cx.bitcast(to.clif(), value);
    cx.set_result(op, result);
    Ok(())
}

fn lower_cmpi(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let Some(predicate) = CmpIPredicate::of(cx.ir, op) else {
        return Err(cx.op_error(op, "has no predicate"));
    };
    let width = cx.int_width(op, cx.ir.operand(op, 0))?;
    let (lhs, rhs) = (cx.operand(op, 0)?, cx.operand(op, 1)?);
    let result = cx.compare(int_condition(predicate), width, lhs, rhs);
    cx.set_result(op, result);
    Ok(())
}

fn lower_cmpf(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let Some(predicate) = CmpFPredicate::of(cx.ir, op) else {
        return Err(cx.op_error(op, "has no predicate"));
    };
    let kind = cx.float_kind(op, cx.ir.operand(op, 0))?;
    match float_condition(predicate) {
        Ok(condition) => {
            let (lhs, rhs) = (cx.operand(op, 0)?, cx.operand(op, 1)?);
            let lhs = cx.widen_float(kind, lhs);
            let rhs = cx.widen_float(kind, rhs);
            let result = cx.b.ins().fcmp(condition, lhs, rhs);
            cx.set_result(op, result);
        }
        Err(known) => {
            let constant = Lowered::Constant(Scalar::Int(1), u128::from(known));
            cx.set(cx.ir.result(op, 0), constant);
        }
    }
    Ok(())
}

fn lower_select(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let repr = cx.repr(cx.ir.result(op, 0))?;
    let condition = cx.operand(op, 0)?;
    let first = cx.get(cx.ir.operand(op, 1))?.clone();
    let second = cx.get(cx.ir.operand(op, 2))?.clone();
    let result = cx.select(condition, &first, &second, &repr);
    cx.set(cx.ir.result(op, 0), result);
    Ok(())
}
