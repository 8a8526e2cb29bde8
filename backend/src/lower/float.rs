//! Float arithmetic: formats, conversions, minimum and maximum.
//!
//! `f16`, `bf16` and the formats of at most 8 bits are bit patterns that are computed with in
//! `f32` and rounded back after every operation. For one operation out of `+ - *
//! / sqrt` on `f16` or `bf16` this gives the correctly rounded result: `f32` has more
//! than twice their precision. Conversions of `f16` and `bf16` are inline integer
//! code; those of smaller formats are functions of the runtime.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self as clif, InstBuilder, MemFlagsData, types};
use freehold_frontend::ir::types::FloatKind;

use super::function::Lowering;
use super::held::Sign;
use crate::external::{self, MathFunction, SmallFloat};
use crate::repr::container;

/// The format that values of `kind` are computed in: F32 or F64.
pub(crate) fn compute_type(kind: FloatKind) -> clif::Type {
    if kind == FloatKind::F64 {
        types::F64
    } else {
        types::F32
    }
}

/// The runtime's conversions, for formats that have them.
fn small_float(kind: FloatKind) -> Option<&'static SmallFloat> {
    match kind {
        FloatKind::F4E2M1FN => Some(&external::F4E2M1FN),
        FloatKind::F6E2M3FN => Some(&external::F6E2M3FN),
        FloatKind::F6E3M2FN => Some(&external::F6E3M2FN),
        FloatKind::F8E8M0FNU => Some(&external::F8E8M0FNU),
        FloatKind::F8E5M2 => Some(&external::F8E5M2),
        FloatKind::F8E4M3 => Some(&external::F8E4M3),
        FloatKind::F8E3M4 => Some(&external::F8E3M4),
        FloatKind::F8E4M3FN => Some(&external::F8E4M3FN),
        FloatKind::F8E5M2FNUZ => Some(&external::F8E5M2FNUZ),
        FloatKind::F8E4M3FNUZ => Some(&external::F8E4M3FNUZ),
        FloatKind::F8E4M3B11FNUZ => Some(&external::F8E4M3B11FNUZ),
        _ => None,
    }
}

/// Whether there is arithmetic on this format.
pub(crate) fn is_supported(kind: FloatKind) -> bool {
    let has_own_code = matches!(
        kind,
        FloatKind::F16 | FloatKind::BF16 | FloatKind::F32 | FloatKind::F64
    );
    has_own_code || small_float(kind).is_some()
}

impl Lowering<'_, '_> {
    /// The number `value` in F32 or F64.
    pub(crate) fn float_constant(&mut self, ty: clif::Type, value: f64) -> clif::Value {
        if ty == types::F64 {
            self.b.ins().f64const(value)
        } else {
            self.b.ins().f32const(value as f32)
        }
    }

    /// The same bits in a type of the same size.
    pub(crate) fn bitcast(&mut self, ty: clif::Type, value: clif::Value) -> clif::Value {
        if self.b.func.dfg.value_type(value) == ty {
            return value;
        }
        self.b.ins().bitcast(ty, MemFlagsData::new(), value)
    }

    /// From the format `kind` to the one it is computed in. Exact.
    pub(crate) fn widen_float(&mut self, kind: FloatKind, value: clif::Value) -> clif::Value {
        match kind {
            FloatKind::F32 | FloatKind::F64 => value,
            FloatKind::BF16 => {
                let wide = self.b.ins().uextend(types::I32, value);
                let bits = self.b.ins().ishl_imm_u(wide, 16);
                self.bitcast(types::F32, bits)
            }
            FloatKind::F16 => self.f32_from_f16(value),
            _ => match small_float(kind) {
                Some(format) => self.call_external1(&format.functions[0], &[value]),
                None => unreachable!("{kind:?} is refused before it is computed with"),
            },
        }
    }

    /// Rounds an F32 or F64 to the nearest value of `kind`, ties to even.
    pub(crate) fn narrow_float(&mut self, kind: FloatKind, value: clif::Value) -> clif::Value {
        let from = self.b.func.dfg.value_type(value);
        match kind {
            FloatKind::F64 if from == types::F32 => self.b.ins().fpromote(types::F64, value),
            FloatKind::F32 if from == types::F64 => self.b.ins().fdemote(types::F32, value),
            FloatKind::F32 | FloatKind::F64 => value,
            FloatKind::F16 | FloatKind::BF16 => {
                let single = if from == types::F64 {
                    self.f32_rounded_to_odd(value)
                } else {
                    value
                };
                if kind == FloatKind::F16 {
                    self.f16_from_f32(single)
                } else {
                    self.bf16_from_f32(single)
                }
            }
            _ => match small_float(kind) {
                Some(format) => {
                    let from_double = from == types::F64;
                    self.call_external1(&format.functions[1 + usize::from(from_double)], &[value])
                }
                None => unreachable!("{kind:?} is refused before it is computed with"),
            },
        }
    }

    /// The exponent is rebiased; infinities and NaNs get the greatest one. Of a subnormal number, that gives 2^-14 and the
    /// number, so 2^-14 is subtracted. No `f32` here is subnormal: the processor may take those as zeros.
    fn f32_from_f16(&mut self, value: clif::Value) -> clif::Value {
        const LEAST_NORMAL: i64 = 113 << 23;
        let bits = self.b.ins().uextend(types::I32, value);
        let magnitude = self.b.ins().band_imm_u(bits, 0x7fff);
        let sign = self.b.ins().band_imm_u(bits, 0x8000);
        let sign = self.b.ins().ishl_imm_u(sign, 16);
        let shifted = self.b.ins().ishl_imm_u(magnitude, 13);
        let normal = self.b.ins().iadd_imm_u(shifted, 112 << 23);
        let above = self.b.ins().iadd_imm_u(shifted, LEAST_NORMAL);
        let above = self.bitcast(types::F32, above);
        let least = self.b.ins().f32const(f32::from_bits(LEAST_NORMAL as u32));
        let subnormal = self.b.ins().fsub(above, least);
        let subnormal = self.bitcast(types::I32, subnormal);
        let special = self.b.ins().bor_imm_u(shifted, 0x7f80_0000);
        let is_special =
            self.b
                .ins()
                .icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, magnitude, 0x7c00);
        let is_subnormal = self
            .b
            .ins()
            .icmp_imm_u(IntCC::UnsignedLessThan, magnitude, 0x400);
        let result = self.b.ins().select(is_special, special, normal);
        let result = self.b.ins().select(is_subnormal, subnormal, result);
        let result = self.b.ins().bor(result, sign);
        self.bitcast(types::F32, result)
    }

    /// Adding a number whose last place is that of the result rounds as the
    /// hardware does, for subnormal results; normal ones round in integers.
    fn f16_from_f32(&mut self, value: clif::Value) -> clif::Value {
        let bits = self.bitcast(types::I32, value);
        let magnitude = self.b.ins().band_imm_u(bits, 0x7fff_ffff);
        let sign = self.b.ins().ushr_imm_u(bits, 16);
        let sign = self.b.ins().band_imm_u(sign, 0x8000);

        // Normal results: rebias the exponent and round the lower 13 bits away.
        let last_place = self.b.ins().ushr_imm_u(magnitude, 13);
        let odd = self.b.ins().band_imm_u(last_place, 1);
        let rebias = 0xfff_i64 - (i64::from(127 - 15) << 23);
        let rounded = self.b.ins().iadd_imm_s(magnitude, rebias);
        let rounded = self.b.ins().iadd(rounded, odd);
        let normal = self.b.ins().ushr_imm_u(rounded, 13);

        // Subnormal results, below 2^-14: add 1/2, whose last place is 2^-24.
        let absolute = self.bitcast(types::F32, magnitude);
        let half = self.b.ins().f32const(0.5f32);
        let sum = self.b.ins().fadd(absolute, half);
        let sum = self.bitcast(types::I32, sum);
        let half_bits = i64::from(0.5f32.to_bits());
        let subnormal = self.b.ins().iadd_imm_s(sum, -half_bits);
        let is_subnormal =
            self.b
                .ins()
                .icmp_imm_u(IntCC::UnsignedLessThan, magnitude, i64::from(113u32 << 23));
        let result = self.b.ins().select(is_subnormal, subnormal, normal);

        // From 65520 on, infinity; NaNs become quiet and keep the upper payload.
        let infinity = self.b.ins().iconst(types::I32, 0x7c00);
        let overflows = self.b.ins().icmp_imm_u(
            IntCC::UnsignedGreaterThanOrEqual,
            magnitude,
            i64::from(65520f32.to_bits()),
        );
        let result = self.b.ins().select(overflows, infinity, result);
        let payload = self.b.ins().ushr_imm_u(magnitude, 13);
        let payload = self.b.ins().band_imm_u(payload, 0x3ff);
        let nan = self.b.ins().bor_imm_u(payload, 0x7e00);
        let is_nan = self
            .b
            .ins()
            .icmp_imm_u(IntCC::UnsignedGreaterThan, magnitude, 0x7f80_0000);
        let result = self.b.ins().select(is_nan, nan, result);
        let result = self.b.ins().bor(result, sign);
        self.b.ins().ireduce(types::I16, result)
    }

    fn bf16_from_f32(&mut self, value: clif::Value) -> clif::Value {
        let bits = self.bitcast(types::I32, value);
        let upper = self.b.ins().ushr_imm_u(bits, 16);
        let odd = self.b.ins().band_imm_u(upper, 1);
        let rounded = self.b.ins().iadd_imm_u(bits, 0x7fff);
        let rounded = self.b.ins().iadd(rounded, odd);
        let rounded = self.b.ins().ushr_imm_u(rounded, 16);
        let nan = self.b.ins().bor_imm_u(upper, 0x40);
        let is_nan = self.b.ins().fcmp(FloatCC::Unordered, value, value);
        let result = self.b.ins().select(is_nan, nan, rounded);
        self.b.ins().ireduce(types::I16, result)
    }

    /// Rounds an F64 to the F32 next to zero and sets its last bit if that was
    /// inexact. Rounding the outcome once more to a format with at most 22 bits
    /// of precision is as good as rounding the F64 directly.
    fn f32_rounded_to_odd(&mut self, value: clif::Value) -> clif::Value {
        let near = self.b.ins().fdemote(types::F32, value);
        let back = self.b.ins().fpromote(types::F64, near);
        let near_magnitude = self.b.ins().fabs(back);
        let magnitude = self.b.ins().fabs(value);
        let too_far = self
            .b
            .ins()
            .fcmp(FloatCC::GreaterThan, near_magnitude, magnitude);
        let inexact = self.b.ins().fcmp(FloatCC::OrderedNotEqual, back, value);
        let too_far = self.b.ins().uextend(types::I32, too_far);
        let inexact = self.b.ins().uextend(types::I32, inexact);
        let bits = self.bitcast(types::I32, near);
        let bits = self.b.ins().isub(bits, too_far);
        let bits = self.b.ins().bor(bits, inexact);
        self.bitcast(types::F32, bits)
    }

    /// An integer as a float of format `kind`.
    pub(crate) fn float_from_int(
        &mut self,
        sign: Sign,
        width: u32,
        kind: FloatKind,
        value: clif::Value,
    ) -> clif::Value {
        // F64 holds integers of up to 53 bits; rounding twice could err only
        // from there on, where the bits beyond are made sticky first.
        let via = match kind {
            FloatKind::F32 => types::F32,
            _ => types::F64,
        };
        let number = match width {
            // A 32-bit number is a signed 64-bit number, which is cheaper to convert.
            ..=32 if sign == Sign::Unsigned => {
                let wide = self.resize(sign, width, 64, value);
                self.b.ins().fcvt_from_sint(via, wide)
            }
            ..=32 => {
                let wide = self.resize(sign, width, 32, value);
                self.b.ins().fcvt_from_sint(via, wide)
            }
            33..=64 => {
                let mut wide = self.resize(sign, width, 64, value);
                if !matches!(kind, FloatKind::F32 | FloatKind::F64) {
                    wide = self.sticky_below_53_bits(sign, wide);
                }
                match sign {
                    Sign::Signed => self.b.ins().fcvt_from_sint(via, wide),
                    Sign::Unsigned => self.b.ins().fcvt_from_uint(via, wide),
                }
            }
            _ => {
                let wide = self.resize(sign, width, 128, value);
                let function = match (sign, via) {
                    (Sign::Signed, types::F32) => &external::FLOATTISF,
                    (Sign::Signed, _) => &external::FLOATTIDF,
                    (Sign::Unsigned, types::F32) => &external::FLOATUNTISF,
                    (Sign::Unsigned, _) => &external::FLOATUNTIDF,
                };
                self.call_external1(function, &[wide])
            }
        };
        self.narrow_float(kind, number)
    }

    /// Replaces the low 12 bits of a 64-bit number that F64 cannot hold exactly
    /// by one bit that says whether any was set.
    fn sticky_below_53_bits(&mut self, sign: Sign, value: clif::Value) -> clif::Value {
        let low = self.b.ins().band_imm_u(value, 0xfff);
        let rounded = self.b.ins().iadd_imm_u(low, 0xfff);
        let sticky = self.b.ins().band_imm_u(rounded, 0x1000);
        let sticky = self.b.ins().ushr_imm_u(sticky, 1);
        let high = self.b.ins().band_imm_s(value, !0xfff);
        let replaced = self.b.ins().bor(high, sticky);
        let magnitude = match sign {
            Sign::Signed => self.b.ins().iabs(value),
            Sign::Unsigned => value,
        };
        let is_large = self
            .b
            .ins()
            .icmp_imm_u(IntCC::UnsignedGreaterThan, magnitude, 1 << 53);
        self.b.ins().select(is_large, replaced, value)
    }

    /// The integer part of a float. Numbers that do not fit, which MLIR leaves
    /// undefined, give the nearest number of 32 or 64 bits, truncated to 8 or 16; other widths have a nearest number
    /// of their own, as in APFloat.
    pub(crate) fn int_from_float(
        &mut self,
        sign: Sign,
        width: u32,
        kind: FloatKind,
        value: clif::Value,
    ) -> clif::Value {
        let value = self.widen_float(kind, value);
        let (number, number_width) = match (sign, width) {
            (Sign::Signed, ..=32) | (Sign::Unsigned, ..=31) => {
                (self.b.ins().fcvt_to_sint_sat(types::I32, value), 32)
            }
            (Sign::Signed, ..=64) | (Sign::Unsigned, ..=32) => {
                (self.b.ins().fcvt_to_sint_sat(types::I64, value), 64)
            }
            (Sign::Unsigned, ..=64) => (self.b.ins().fcvt_to_uint_sat(types::I64, value), 64),
            _ => {
                let function = match (sign, compute_type(kind)) {
                    (Sign::Signed, types::F32) => &external::FIXSFTI,
                    (Sign::Signed, _) => &external::FIXDFTI,
                    (Sign::Unsigned, types::F32) => &external::FIXUNSSFTI,
                    (Sign::Unsigned, _) => &external::FIXUNSDFTI,
                };
                (self.call_external1(function, &[value]), 128)
            }
        };
        let number = match width {
            2..=63 if !matches!(width, 8 | 16 | 32) => {
                let (least, largest) = match sign {
                    Sign::Signed => (-1i64 << (width - 1), (1i64 << (width - 1)) - 1),
                    Sign::Unsigned => (0, (1i64 << width) - 1),
                };
                let ty = container(number_width);
                let [least, largest] = [least, largest].map(|n| self.b.ins().iconst(ty, n));
                let number = self.b.ins().smax(number, least);
                self.b.ins().smin(number, largest)
            }
            _ => number,
        };
        self.resize(Sign::Unsigned, number_width, width, number)
    }

    /// A function of the C library on F32 or F64 values.
    pub(crate) fn call_math(
        &mut self,
        function: &'static MathFunction,
        args: &[clif::Value],
    ) -> clif::Value {
        let is_single = self.b.func.dfg.value_type(args[0]) == types::F32;
        let function = if is_single {
            &function.f32
        } else {
            &function.f64
        };
        self.call_external1(function, args)
    }

    /// The operand for which `condition` holds; if one is NaN, the other.
    pub(crate) fn ignore_nan(
        &mut self,
        condition: FloatCC,
        lhs: clif::Value,
        rhs: clif::Value,
    ) -> clif::Value {
        let first = self.b.ins().fcmp(condition, lhs, rhs);
        let rhs_is_nan = self.b.ins().fcmp(FloatCC::Unordered, rhs, rhs);
        let first = self.b.ins().bor(first, rhs_is_nan);
        self.b.ins().select(first, lhs, rhs)
    }

    /// Negates by flipping the sign bit of a pattern of this format.
    pub(crate) fn flip_sign(&mut self, kind: FloatKind, value: clif::Value) -> clif::Value {
        match kind {
            FloatKind::F32 | FloatKind::F64 => self.b.ins().fneg(value),
            // There are no negative numbers.
            FloatKind::F8E8M0FNU => self.integer_constant(container(kind.width()), 0xff),
            // Without negative zero there is no sign bit to flip on zero and NaN.
            FloatKind::F8E5M2FNUZ | FloatKind::F8E4M3FNUZ | FloatKind::F8E4M3B11FNUZ => {
                let flipped = self.b.ins().bxor_imm_u(value, 0x80);
                let magnitude = self.b.ins().band_imm_u(value, 0x7f);
                let is_special = self.b.ins().icmp_imm_u(IntCC::Equal, magnitude, 0);
                self.b.ins().select(is_special, value, flipped)
            }
            _ => {
                let sign = 1u128 << (kind.width() - 1);
                let sign = self.integer_constant(container(kind.width()), sign);
                self.b.ins().bxor(value, sign)
            }
        }
    }
}
