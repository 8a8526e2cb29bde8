//! `complex`: arithmetic on pairs of floats.
//!
//! Functions beyond the four operations are those of the C library in double
//! precision, whatever the format of the parts.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self as clif, InstBuilder, types};
use freehold_frontend::dialects::complex;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::FloatKind;

use super::float::is_supported;
use super::function::Lowering;
use super::function::LoweringTable;
use super::held::Lowered;
use super::scalar_ops::constant_bits;
use crate::external::{self, External};
use crate::repr::{Repr, Scalar, container};

type Pair = [clif::Value; 2];

/// The lowerings of this dialect.
pub(super) static TABLE: LoweringTable = &[
    (&complex::ABS, |cx, op| {
        cx.complex_part(op, |cx, z| cx.complex_abs(z))
    }),
    (&complex::ADD, |cx, op| {
        cx.complex_binary(op, |cx, a, b| [0, 1].map(|i| cx.b.ins().fadd(a[i], b[i])))
    }),
    (&complex::ANGLE, |cx, op| {
        cx.complex_part(op, |cx, a| cx.call_math(&external::ATAN2, &[a[1], a[0]]))
    }),
    (&complex::ATAN2, |cx, op| {
        cx.complex_double(op, |cx, args| cx.complex_atan2(args[0], args[1]))
    }),
    (&complex::BITCAST, lower_bitcast),
    (&complex::CONJ, lower_conj),
    (&complex::CONSTANT, lower_constant),
    (&complex::COS, |cx, op| cx.complex_call(op, &external::CCOS)),
    (&complex::CREATE, lower_create),
    (&complex::DIV, |cx, op| {
        cx.complex_binary(op, |cx, a, b| cx.complex_div(a, b))
    }),
    (&complex::EQ, |cx, op| {
        cx.complex_compare(op, FloatCC::Equal)
    }),
    (&complex::EXP, |cx, op| cx.complex_call(op, &external::CEXP)),
    (&complex::EXPM1, |cx, op| {
        cx.complex_double(op, |cx, args| cx.complex_expm1(args[0]))
    }),
    (&complex::IM, |cx, op| lower_part(cx, op, 1)),
    (&complex::LOG, |cx, op| cx.complex_call(op, &external::CLOG)),
    (&complex::LOG1P, |cx, op| {
        cx.complex_double(op, |cx, args| cx.complex_log1p(args[0]))
    }),
    (&complex::MUL, |cx, op| {
        cx.complex_binary(op, |cx, a, b| cx.complex_mul(a, b))
    }),
    (&complex::NEG, lower_neg),
    (&complex::NEQ, |cx, op| {
        cx.complex_compare(op, FloatCC::NotEqual)
    }),
    (&complex::POW, |cx, op| {
        cx.complex_double(op, |cx, args| cx.complex_pow(args))
    }),
    (&complex::POWI, lower_powi),
    (&complex::RE, |cx, op| lower_part(cx, op, 0)),
    (&complex::RSQRT, |cx, op| {
        cx.complex_double(op, |cx, args| cx.complex_rsqrt(args[0]))
    }),
    (&complex::SIGN, |cx, op| {
        cx.complex_double(op, |cx, args| cx.complex_sign(args[0]))
    }),
    (&complex::SIN, |cx, op| cx.complex_call(op, &external::CSIN)),
    (&complex::SQRT, |cx, op| {
        cx.complex_call(op, &external::CSQRT)
    }),
    (&complex::SUB, |cx, op| {
        cx.complex_binary(op, |cx, a, b| [0, 1].map(|i| cx.b.ins().fsub(a[i], b[i])))
    }),
    (&complex::TAN, |cx, op| cx.complex_call(op, &external::CTAN)),
    (&complex::TANH, |cx, op| {
        cx.complex_call(op, &external::CTANH)
    }),
];

impl Lowering<'_, '_> {
    /// The format of the parts of a complex value; reports other types.
    fn part_kind(&mut self, op: Op, value: Value) -> Result<FloatKind, Failed> {
        match self.repr(value)? {
            Repr::Complex(Scalar::Float(kind)) if is_supported(kind) => Ok(kind),
            _ => Err(self.unsupported_on(op, self.ir.value_type(value))),
        }
    }

    /// The parts of a complex value as they are held.
    fn complex(&mut self, value: Value) -> Result<Pair, Failed> {
        match self.get(value)? {
            Lowered::Complex(parts) => Ok(*parts),
            _ => Err(Failed),
        }
    }

    /// The parts of a complex operand in F32 or F64.
    fn wide_complex(&mut self, op: Op, index: usize) -> Result<(FloatKind, Pair), Failed> {
        let value = self.ir.operand(op, index);
        let kind = self.part_kind(op, value)?;
        let parts = self.complex(value)?;
        Ok((kind, parts.map(|part| self.widen_float(kind, part))))
    }

    fn set_complex(&mut self, op: Op, kind: FloatKind, parts: Pair) {
        let parts = parts.map(|part| self.narrow_float(kind, part));
        self.set(self.ir.result(op, 0), Lowered::Complex(parts));
    }

    fn complex_binary(
        &mut self,
        op: Op,
        compute: impl FnOnce(&mut Self, Pair, Pair) -> Pair,
    ) -> Result<(), Failed> {
        let (kind, lhs) = self.wide_complex(op, 0)?;
        let (_, rhs) = self.wide_complex(op, 1)?;
        let result = compute(self, lhs, rhs);
        self.set_complex(op, kind, result);
        Ok(())
    }

    /// A float from a complex number.
    fn complex_part(
        &mut self,
        op: Op,
        compute: impl FnOnce(&mut Self, Pair) -> clif::Value,
    ) -> Result<(), Failed> {
        let (kind, parts) = self.wide_complex(op, 0)?;
        let result = compute(self, parts);
        let result = self.narrow_float(kind, result);
        self.set_result(op, result);
        Ok(())
    }

    /// Squares of `f32` and their sum are in range of `f64`, and exact but for the last rounding of the sum: so the C
    /// library of GNU does it too. Infinite if any part is, whatever the other one.
    fn complex_abs(&mut self, z: Pair) -> clif::Value {
        if self.b.func.dfg.value_type(z[0]) != types::F32 {
            return self.call_math(&external::HYPOT, &z);
        }
        let [re, im] = z.map(|part| self.b.ins().fpromote(types::F64, part));
        let [re_squared, im_squared] = [re, im].map(|part| self.b.ins().fmul(part, part));
        let sum = self.b.ins().fadd(re_squared, im_squared);
        let root = self.b.ins().sqrt(sum);
        let size = self.b.ins().fdemote(types::F32, root);
        let infinity = self.b.ins().f32const(f32::INFINITY);
        let is_infinite = z.map(|part| {
            let part = self.b.ins().fabs(part);
            self.b.ins().fcmp(FloatCC::Equal, part, infinity)
        });
        let is_infinite = self.b.ins().bor(is_infinite[0], is_infinite[1]);
        self.b.ins().select(is_infinite, infinity, size)
    }

    /// Equal if both parts are; different if any part is.
    fn complex_compare(&mut self, op: Op, condition: FloatCC) -> Result<(), Failed> {
        let (_, lhs) = self.wide_complex(op, 0)?;
        let (_, rhs) = self.wide_complex(op, 1)?;
        let [re, im] = [0, 1].map(|i| self.b.ins().fcmp(condition, lhs[i], rhs[i]));
        let result = if condition == FloatCC::Equal {
            self.b.ins().band(re, im)
        } else {
            self.b.ins().bor(re, im)
        };
        self.set_result(op, result);
        Ok(())
    }

    /// Computes with all operands in F64.
    fn complex_double(
        &mut self,
        op: Op,
        compute: impl FnOnce(&mut Self, &[Pair]) -> Pair,
    ) -> Result<(), Failed> {
        let kind = self.part_kind(op, self.ir.result(op, 0))?;
        let mut args = Vec::new();
        for index in 0..self.ir.operands(op).len() {
            let (_, parts) = self.wide_complex(op, index)?;
            args.push(parts.map(|part| self.narrow_float(FloatKind::F64, part)));
        }
        let result = compute(self, &args);
        self.set_complex(op, kind, result);
        Ok(())
    }

    /// A function of the C library on all operands.
    fn complex_call(&mut self, op: Op, function: &'static External) -> Result<(), Failed> {
        self.complex_double(op, |cx, args| cx.call_complex(function, args))
    }

    fn call_complex(&mut self, function: &'static External, args: &[Pair]) -> Pair {
        let call = self.call_external(function, args.as_flattened());
        let results = self.b.inst_results(call);
        [results[0], results[1]]
    }

    fn complex_mul(&mut self, a: Pair, b: Pair) -> Pair {
        let [rr, ii, ri, ir] =
            [(0, 0), (1, 1), (0, 1), (1, 0)].map(|(i, j)| self.b.ins().fmul(a[i], b[j]));
        [self.b.ins().fsub(rr, ii), self.b.ins().fadd(ri, ir)]
    }

    /// Smith's method: divides by the larger part of the divisor first, so that
    /// nothing overflows that does not have to. Where that gives no number in both parts, zeros and
    /// infinities decide, as in upstream's lowering.
    fn complex_div(&mut self, a: Pair, b: Pair) -> Pair {
        let [re_size, im_size] = b.map(|part| self.b.ins().fabs(part));
        let re_larger = self
            .b
            .ins()
            .fcmp(FloatCC::GreaterThanOrEqual, re_size, im_size);
        let large = self.b.ins().select(re_larger, b[0], b[1]);
        let small = self.b.ins().select(re_larger, b[1], b[0]);
        let ratio = self.b.ins().fdiv(small, large);
        let scaled = self.b.ins().fmul(small, ratio);
        let divisor = self.b.ins().fadd(large, scaled);
        // (a0 + a1 r, a1 - a0 r) or (a0 r + a1, a1 r - a0)
        let [a0_ratio, a1_ratio] = a.map(|part| self.b.ins().fmul(part, ratio));
        let re_left = self.b.ins().fadd(a[0], a1_ratio);
        let re_right = self.b.ins().fadd(a0_ratio, a[1]);
        let im_left = self.b.ins().fsub(a[1], a0_ratio);
        let im_right = self.b.ins().fsub(a1_ratio, a[0]);
        let re = self.b.ins().select(re_larger, re_left, re_right);
        let im = self.b.ins().select(re_larger, im_left, im_right);
        let quotient = [re, im].map(|part| self.b.ins().fdiv(part, divisor));
        // No number, and comparable with itself neither.
        let [re_nan, im_nan] =
            quotient.map(|part| self.b.ins().fcmp(FloatCC::Unordered, part, part));
        let both_nan = self.b.ins().band(re_nan, im_nan);
        let [special, done] = [(); 2].map(|()| self.b.create_block());
        self.b.set_cold_block(special);
        let ty = self.b.func.dfg.value_type(large);
        let result = [(); 2].map(|()| self.b.append_block_param(done, ty));
        let usual = quotient.map(Into::into);
        self.b.ins().brif(both_nan, special, &[], done, &usual);
        self.b.switch_to_block(special);
        let quotient = self.limit_quotient(a, b, quotient);
        self.b.ins().jump(done, &quotient.map(Into::into));
        self.b.switch_to_block(done);
        result
    }

    /// `a / b` where one of them has infinite or only zero parts; `quotient` for all others.
    fn limit_quotient(&mut self, a: Pair, b: Pair, quotient: Pair) -> Pair {
        let [zero, one, infinity] = match self.b.func.dfg.value_type(a[0]) {
            types::F32 => [0.0, 1.0, f32::INFINITY].map(|number| self.b.ins().f32const(number)),
            _ => [0.0, 1.0, f64::INFINITY].map(|number| self.b.ins().f64const(number)),
        };
        let [a_sizes, b_sizes] = [a, b].map(|z| z.map(|part| self.b.ins().fabs(part)));
        let mut all = |sizes: Pair, condition, other| {
            let [re, im] = sizes.map(|size| self.b.ins().fcmp(condition, size, other));
            self.b.ins().band(re, im)
        };
        let b_is_zero = all(b_sizes, FloatCC::Equal, zero);
        let [a_finite, b_finite] =
            [a_sizes, b_sizes].map(|sizes| all(sizes, FloatCC::OrderedNotEqual, infinity));
        let [a_infinite, b_infinite] = [a_sizes, b_sizes]
            .map(|sizes| sizes.map(|size| self.b.ins().fcmp(FloatCC::Equal, size, infinity)));
        // One with the sign of each infinite part, zero with the sign of each finite one.
        let [a_unit, b_unit] = [(a, a_infinite), (b, b_infinite)].map(|(z, infinite)| {
            [0, 1].map(|i| {
                let size = self.b.ins().select(infinite[i], one, zero);
                self.b.ins().fcopysign(size, z[i])
            })
        });
        // a times the conjugate of b, times a factor.
        let mut scaled = |a: Pair, b: Pair, factor| {
            let [rr, ii, ri, ir] =
                [(0, 0), (1, 1), (0, 1), (1, 0)].map(|(i, j)| self.b.ins().fmul(a[i], b[j]));
            let re = self.b.ins().fadd(rr, ii);
            let im = self.b.ins().fsub(ir, ri);
            [re, im].map(|part| self.b.ins().fmul(factor, part))
        };
        let large = scaled(a_unit, b, infinity);
        let small = scaled(a, b_unit, zero);
        let sign = self.b.ins().fcopysign(infinity, b[0]);
        let by_zero = a.map(|part| self.b.ins().fmul(sign, part));
        let [a_infinite, b_infinite] =
            [a_infinite, b_infinite].map(|[re, im]| self.b.ins().bor(re, im));
        let is_large = self.b.ins().band(a_infinite, b_finite);
        let is_small = self.b.ins().band(a_finite, b_infinite);
        [0, 1].map(|i| {
            let part = self.b.ins().select(is_small, small[i], quotient[i]);
            let part = self.b.ins().select(is_large, large[i], part);
            self.b.ins().select(b_is_zero, by_zero[i], part)
        })
    }

    /// e^(x + iy) - 1 = (expm1 x) (cos y) - 2 sin^2(y/2) + i e^x sin y, without
    /// cancellation near zero.
    fn complex_expm1(&mut self, [x, y]: Pair) -> Pair {
        let half = self.b.ins().f64const(0.5);
        let half_y = self.b.ins().fmul(y, half);
        let sin_half = self.call_math(&external::SIN, &[half_y]);
        let square = self.b.ins().fmul(sin_half, sin_half);
        let twice = self.b.ins().fadd(square, square);
        let expm1 = self.call_math(&external::EXPM1, &[x]);
        let cos = self.call_math(&external::COS, &[y]);
        let re = self.b.ins().fmul(expm1, cos);
        let re = self.b.ins().fsub(re, twice);
        let exp = self.call_math(&external::EXP, &[x]);
        let sin = self.call_math(&external::SIN, &[y]);
        let im = self.b.ins().fmul(exp, sin);
        // Numbers without an imaginary part stay so, the largest as well.
        let zero = self.b.ins().f64const(0.0);
        let is_real = self.b.ins().fcmp(FloatCC::Equal, y, zero);
        [re, self.b.ins().select(is_real, y, im)]
    }

    /// ln(1 + x + iy) = log1p(2x + x^2 + y^2) / 2 + i atan2(y, 1 + x)
    fn complex_log1p(&mut self, [x, y]: Pair) -> Pair {
        let two = self.b.ins().f64const(2.0);
        let half = self.b.ins().f64const(0.5);
        let one = self.b.ins().f64const(1.0);
        let factor = self.b.ins().fadd(x, two);
        let excess = self.b.ins().fmul(x, factor);
        let square = self.b.ins().fmul(y, y);
        let excess = self.b.ins().fadd(excess, square);
        let log = self.call_math(&external::LOG1P, &[excess]);
        let re = self.b.ins().fmul(log, half);
        let shifted = self.b.ins().fadd(x, one);
        [re, self.call_math(&external::ATAN2, &[y, shifted])]
    }

    /// The power; one if the exponent is zero, for which the C library says so of other bases than
    /// zero. Powers of zero with exponents that are not to its right are no numbers, as in NumPy and XLA: the C library
    /// has an infinity and NaN.
    fn complex_pow(&mut self, args: &[Pair]) -> Pair {
        let power = self.call_complex(&external::CPOW, args);
        let zero = self.b.ins().f64const(0.0);
        let one = self.b.ins().f64const(1.0);
        let nan = self.b.ins().f64const(f64::NAN);
        let [of_zero, is_zero] = [args[0], args[1]].map(|number| {
            let [re, im] = number.map(|part| self.b.ins().fcmp(FloatCC::Equal, part, zero));
            self.b.ins().band(re, im)
        });
        let is_left = (self.b.ins()).fcmp(FloatCC::LessThanOrEqual, args[1][0], zero);
        let is_nan = self.b.ins().band(of_zero, is_left);
        let power = power.map(|part| self.b.ins().select(is_nan, nan, part));
        [
            self.b.ins().select(is_zero, one, power[0]),
            self.b.ins().select(is_zero, zero, power[1]),
        ]
    }

    /// |z|^(-1/2) e^(-i angle / 2), which is right at zero and infinity too: (inf, nan) and zero.
    fn complex_rsqrt(&mut self, z: Pair) -> Pair {
        let size = self.call_math(&external::HYPOT, &z);
        let angle = self.call_math(&external::ATAN2, &[z[1], z[0]]);
        let one = self.b.ins().f64const(1.0);
        let factor = self.b.ins().f64const(-0.5);
        let root = self.b.ins().sqrt(size);
        let scale = self.b.ins().fdiv(one, root);
        let half = self.b.ins().fmul(angle, factor);
        [&external::COS, &external::SIN].map(|function| {
            let part = self.call_math(function, &[half]);
            self.b.ins().fmul(scale, part)
        })
    }

    /// z / |z|; zero for zero.
    fn complex_sign(&mut self, z: Pair) -> Pair {
        let size = self.call_math(&external::HYPOT, &z);
        let zero = self.b.ins().f64const(0.0);
        let is_zero = self.b.ins().fcmp(FloatCC::Equal, size, zero);
        z.map(|part| {
            let scaled = self.b.ins().fdiv(part, size);
            self.b.ins().select(is_zero, part, scaled)
        })
    }

    /// atan2(y, x) = -i ln((x + iy) / sqrt(x^2 + y^2))
    fn complex_atan2(&mut self, y: Pair, x: Pair) -> Pair {
        let x_square = self.complex_mul(x, x);
        let y_square = self.complex_mul(y, y);
        let sum = [0, 1].map(|i| self.b.ins().fadd(x_square[i], y_square[i]));
        let root = self.call_complex(&external::CSQRT, &[sum]);
        let i_y = [self.b.ins().fneg(y[1]), y[0]];
        let point = [0, 1].map(|i| self.b.ins().fadd(x[i], i_y[i]));
        let direction = self.complex_div(point, root);
        let [size, angle] = self.call_complex(&external::CLOG, &[direction]);
        // The direction is rounded: so small a part of the result is what that makes of zero, as for real numbers.
        let zero = self.b.ins().f64const(0.0);
        let least = self.b.ins().f64const(4.0 * f64::EPSILON);
        let least = self.b.ins().fmul(angle, least);
        let [least, height] = [least, size].map(|number| self.b.ins().fabs(number));
        let is_noise = self.b.ins().fcmp(FloatCC::LessThan, height, least);
        let size = self.b.ins().select(is_noise, zero, size);
        [angle, self.b.ins().fsub(zero, size)]
    }
}

/// A complex number to an integer power, by squares; negative powers are reciprocals.
fn lower_powi(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (kind, base) = cx.wide_complex(op, 0)?;
    let base = base.map(|part| cx.narrow_float(FloatKind::F64, part));
    let width = cx.int_width(op, cx.ir.operand(op, 1))?;
    let exponent = cx.operand(op, 1)?;
    let exponent = cx.signed(width, exponent);
    let ty = cx.b.func.dfg.value_type(exponent);
    let zero = cx.integer_constant(ty, 0);
    let is_negative = cx.b.ins().icmp(IntCC::SignedLessThan, exponent, zero);
    let negated = cx.b.ins().isub(zero, exponent);
    let magnitude = cx.select_value(is_negative, negated, exponent);
    let one = [1.0, 0.0].map(|part| cx.b.ins().f64const(part));

    let [header, body, done] = [(); 3].map(|()| cx.b.create_block());
    let result = [(); 2].map(|()| cx.b.append_block_param(header, types::F64));
    let square = [(); 2].map(|()| cx.b.append_block_param(header, types::F64));
    let rest = cx.b.append_block_param(header, ty);
    let args = [one[0], one[1], base[0], base[1], magnitude].map(clif::BlockArg::from);
    cx.b.ins().jump(header, &args);
    cx.b.switch_to_block(header);
    let zero = cx.integer_constant(ty, 0);
    let more = cx.b.ins().icmp(IntCC::NotEqual, rest, zero);
    cx.b.ins().brif(more, body, &[], done, &[]);
    cx.b.switch_to_block(body);
    let bit = cx.integer_constant(ty, 1);
    let bit = cx.b.ins().band(rest, bit);
    let is_set = cx.b.ins().icmp(IntCC::NotEqual, bit, zero);
    let product = cx.complex_mul(result, square);
    let next = [0, 1].map(|i| cx.b.ins().select(is_set, product[i], result[i]));
    let next_square = cx.complex_mul(square, square);
    let next_rest = cx.b.ins().ushr_imm_u(rest, 1);
    let args =
        [next[0], next[1], next_square[0], next_square[1], next_rest].map(clif::BlockArg::from);
    cx.b.ins().jump(header, &args);
    cx.b.switch_to_block(done);

    let reciprocal = cx.complex_div(one, result);
    let power = [0, 1].map(|i| cx.b.ins().select(is_negative, reciprocal[i], result[i]));
    cx.set_complex(op, kind, power);
    Ok(())
}

fn lower_create(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let parts = [cx.operand(op, 0)?, cx.operand(op, 1)?];
    cx.set(cx.ir.result(op, 0), Lowered::Complex(parts));
    Ok(())
}

fn lower_part(cx: &mut Lowering<'_, '_>, op: Op, index: usize) -> Result<(), Failed> {
    let parts = cx.complex(cx.ir.operand(op, 0))?;
    cx.set_result(op, parts[index]);
    Ok(())
}

fn lower_neg(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let kind = cx.part_kind(op, cx.ir.result(op, 0))?;
    let parts = cx.complex(cx.ir.operand(op, 0))?;
    let negated = parts.map(|part| cx.flip_sign(kind, part));
    cx.set(cx.ir.result(op, 0), Lowered::Complex(negated));
    Ok(())
}

fn lower_conj(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let kind = cx.part_kind(op, cx.ir.result(op, 0))?;
    let [re, im] = cx.complex(cx.ir.operand(op, 0))?;
    let im = cx.flip_sign(kind, im);
    cx.set(cx.ir.result(op, 0), Lowered::Complex([re, im]));
    Ok(())
}

fn lower_constant(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let result = cx.ir.result(op, 0);
    let context = cx.context;
    let attr = cx.ir.attr(op, Name::VALUE);
    let parts = attr.and_then(|attr| context.attr_array(attr));
    let (Some(&[re, im]), Repr::Complex(part)) = (parts, cx.repr(result)?) else {
        return Err(cx.unsupported_on(op, cx.ir.value_type(result)));
    };
    let bits = [re, im].map(|attr| constant_bits(part, context.attr_kind(attr)));
    let [Some(re), Some(im)] = bits else {
        return Err(cx.unsupported_on(op, cx.ir.value_type(result)));
    };
    let parts = [re, im].map(|bits| cx.constant(part, bits));
    cx.set(result, Lowered::Complex(parts));
    Ok(())
}

/// Between a complex number and an integer or float of twice the width of its
/// parts, or between complex numbers.
fn lower_bitcast(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (operand, result) = (cx.ir.operand(op, 0), cx.ir.result(op, 0));
    let lowered = match (cx.repr(operand)?, cx.repr(result)?) {
        (Repr::Complex(from), Repr::Complex(to)) if from.byte_size() == to.byte_size() => {
            let parts = cx.complex(operand)?;
            Lowered::Complex(parts.map(|part| cx.bitcast(to.clif(), part)))
        }
        (Repr::Complex(from), Repr::Scalar(to)) if to.byte_size() == 2 * from.byte_size() => {
            let half = from.byte_size() * 8;
            let parts = cx.complex(operand)?;
            let [re, im] = parts.map(|part| {
                let bits = cx.bitcast(container(half), part);
                cx.b.ins().uextend(container(2 * half), bits)
            });
            let im = cx.b.ins().ishl_imm_u(im, i64::from(half));
            let bits = cx.b.ins().bor(re, im);
            Lowered::Scalar(cx.bitcast(to.clif(), bits))
        }
        (Repr::Scalar(from), Repr::Complex(to)) if from.byte_size() == 2 * to.byte_size() => {
            let half = to.byte_size() * 8;
            let value = cx.scalar(operand)?;
            let bits = cx.bitcast(container(2 * half), value);
            let high = cx.b.ins().ushr_imm_u(bits, i64::from(half));
            Lowered::Complex([bits, high].map(|bits| {
                let part = cx.b.ins().ireduce(container(half), bits);
                cx.bitcast(to.clif(), part)
            }))
        }
        (Repr::Scalar(from), Repr::Scalar(to)) if from.byte_size() == to.byte_size() => {
            let value = cx.scalar(operand)?;
            Lowered::Scalar(cx.bitcast(to.clif(), value))
        }
        _ => return Err(cx.unsupported_on(op, cx.ir.value_type(result))),
    };
    cx.set(result, lowered);
    Ok(())
}
