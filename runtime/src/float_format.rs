//! Conversions between f32/f64 and the floating-point formats that Cranelift cannot compute
//! with: f16, bf16 and the formats of at most eight bits of MLIR's builtin dialect.
//!
//! All of them round once, to nearest with ties to even. Where a format lacks infinity, overflow
//! gives NaN, as in MLIR's constant folding. One generic decoder and encoder serve all formats;
//! each exported function is an instance with every parameter constant.

use core::ffi::c_void;

/// What the largest exponent and the negative zero stand for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Specials {
    /// IEEE 754: infinities and NaNs.
    Ieee,
    /// `FN`: no infinities; all ones is NaN, other codes of the largest exponent are finite.
    Finite,
    /// `FNUZ`: no infinities, no negative zero; the code of negative zero is NaN.
    FiniteUnsignedZero,
    /// Numbers only: overflow gives the largest, NaN gives zero.
    NumbersOnly,
    /// An exponent and nothing else; all ones is NaN. Zero and negative numbers are NaN, too.
    ExponentOnly,
}

/// A binary floating-point format with sign, exponent and mantissa.
trait Format {
    const EXPONENT_BITS: u32;
    const MANTISSA_BITS: u32;
    const BIAS: i64;
    const SPECIALS: Specials;

    const SIGN: u64 = 1 << (Self::EXPONENT_BITS + Self::MANTISSA_BITS);
    const MANTISSA_MASK: u64 = (1 << Self::MANTISSA_BITS) - 1;
    const EXPONENT_MASK: u64 = (1 << Self::EXPONENT_BITS) - 1;
    /// The code of the largest finite value.
    const LARGEST: u64 = match Self::SPECIALS {
        Specials::Ieee => (Self::EXPONENT_MASK << Self::MANTISSA_BITS) - 1,
        Specials::Finite => Self::SIGN - 2,
        _ => Self::SIGN - 1,
    };
}

/// The value of a code.
#[inline(always)]
fn decode<F: Format>(code: u64) -> f32 {
    let sign = if code & F::SIGN != 0 { 1u32 << 31 } else { 0 };
    let exponent = (code >> F::MANTISSA_BITS) & F::EXPONENT_MASK;
    let mantissa = code & F::MANTISSA_MASK;
    const QUIET_NAN: u32 = 0x7fc0_0000;
    match F::SPECIALS {
        Specials::Ieee if exponent == F::EXPONENT_MASK => {
            let quiet = if mantissa != 0 {
                QUIET_NAN
            } else {
                0x7f80_0000
            };
            return f32::from_bits(sign | quiet | (mantissa as u32) << (23 - F::MANTISSA_BITS));
        }
        Specials::Finite if code & !F::SIGN == F::SIGN - 1 => {
            return f32::from_bits(sign | QUIET_NAN);
        }
        Specials::FiniteUnsignedZero if code == F::SIGN => return f32::from_bits(QUIET_NAN),
        Specials::ExponentOnly => {
            return match code {
                // Subnormal as f32.
                0 => f32::from_bits(1 << 22),
                0xff => f32::from_bits(QUIET_NAN),
                _ => f32::from_bits((code as u32) << 23),
            };
        }
        _ => {}
    }
    if F::EXPONENT_BITS == 8 {
        return f32::from_bits(sign | ((code & !F::SIGN) as u32) << (23 - F::MANTISSA_BITS));
    }
    if exponent == 0 {
        // Every other format's subnormals are normal as f32, so that the product is exact.
        let unit = (128 - F::BIAS - i64::from(F::MANTISSA_BITS)) as u32;
        let magnitude = mantissa as u32 as f32 * f32::from_bits(unit << 23);
        return f32::from_bits(sign | magnitude.to_bits());
    }
    let exponent = (exponent as i64 + 127 - F::BIAS) as u32;
    f32::from_bits(sign | exponent << 23 | (mantissa as u32) << (23 - F::MANTISSA_BITS))
}

/// The code of a NaN whose payload, left-aligned, is the low 52 bits of `payload`.
#[inline(always)]
fn encode_nan<F: Format>(sign: u64, payload: u64) -> u64 {
    match F::SPECIALS {
        Specials::Ieee => {
            let kept = (payload >> (52 - F::MANTISSA_BITS)) & F::MANTISSA_MASK;
            let quiet = 1 << (F::MANTISSA_BITS - 1);
            sign | F::EXPONENT_MASK << F::MANTISSA_BITS | quiet | kept
        }
        Specials::Finite => sign | (F::SIGN - 1),
        Specials::FiniteUnsignedZero => F::SIGN,
        // Of the other sign, as ml_dtypes has it.
        Specials::NumbersOnly => sign ^ F::SIGN,
        Specials::ExponentOnly => F::SIGN - 1,
    }
}

/// The code nearest to a value that is not NaN.
#[inline(always)]
fn encode_number<F: Format>(value: f64) -> u64 {
    let bits = value.to_bits();
    if F::SPECIALS == Specials::ExponentOnly {
        if value <= 0.0 || bits << 1 == 0 {
            return F::SIGN - 1;
        }
        // Halfway goes up: adding half of the last place carries into the exponent.
        let exponent = ((bits + (1 << 51)) >> 52) as i64 - 1023;
        return (exponent + F::BIAS).clamp(0, 0xff) as u64;
    }
    let sign = if bits >> 63 != 0 { F::SIGN } else { 0 };
    let exponent = ((bits >> 52) & 0x7ff) as i64;
    let fraction = bits & ((1 << 52) - 1);
    // An exponent of zero is a zero or so far below every format that the missing hidden bit
    // makes no difference.
    let significand = fraction | 1 << 52;
    let target = exponent - 1023 + F::BIAS;
    let dropped = 52 - i64::from(F::MANTISSA_BITS) + if target >= 1 { 0 } else { 1 - target };
    let magnitude = if exponent == 0 || dropped > 53 {
        // Below half of the smallest subnormal.
        0
    } else {
        let kept = significand >> dropped;
        let rest = significand & ((1 << dropped) - 1);
        let half = 1 << (dropped - 1);
        let up = rest > half || (rest == half && kept & 1 != 0);
        // The hidden bit in `kept` adds one to the exponent field, and so does a carry.
        let below = if target >= 1 {
            ((target - 1) as u64) << F::MANTISSA_BITS
        } else {
            0
        };
        below + kept + u64::from(up)
    };
    if magnitude > F::LARGEST {
        return match F::SPECIALS {
            Specials::Ieee => sign | F::EXPONENT_MASK << F::MANTISSA_BITS,
            Specials::NumbersOnly => sign | F::LARGEST,
            _ => encode_nan::<F>(sign, 0),
        };
    }
    if magnitude == 0 && F::SPECIALS == Specials::FiniteUnsignedZero {
        return 0;
    }
    sign | magnitude
}

#[inline(always)]
fn encode_f64<F: Format>(value: f64) -> u64 {
    if value.is_nan() {
        let bits = value.to_bits();
        encode_nan::<F>(if bits >> 63 != 0 { F::SIGN } else { 0 }, bits)
    } else {
        encode_number::<F>(value)
    }
}

#[inline(always)]
fn encode_f32<F: Format>(value: f32) -> u64 {
    if value.is_nan() {
        let bits = value.to_bits();
        encode_nan::<F>(
            if bits >> 31 != 0 { F::SIGN } else { 0 },
            u64::from(bits) << 29,
        )
    } else {
        encode_number::<F>(f64::from(value))
    }
}

/// Declares a format and exports its conversions.
macro_rules! small_float {
    ($(#[$doc:meta])* $format:ident($exponent:literal, $mantissa:literal, $bias:literal,
     $specials:ident), $code:ty, $to_f32:ident, $from_f32:ident, $from_f64:ident) => {
        $(#[$doc])*
        pub(crate) struct $format;

        impl Format for $format {
            const EXPONENT_BITS: u32 = $exponent;
            const MANTISSA_BITS: u32 = $mantissa;
            const BIAS: i64 = $bias;
            const SPECIALS: Specials = Specials::$specials;
        }

        impl $format {
            /// Addresses of the three exported functions.
            pub(crate) const FUNCTIONS: [(&str, *const c_void); 3] = [
                (stringify!($to_f32), $to_f32 as *const c_void),
                (stringify!($from_f32), $from_f32 as *const c_void),
                (stringify!($from_f64), $from_f64 as *const c_void),
            ];
        }

        #[doc = concat!("The value of an ", stringify!($format), " code; exact.")]
        #[unsafe(no_mangle)]
        pub extern "C" fn $to_f32(code: $code) -> f32 {
            decode::<$format>(u64::from(code))
        }

        #[doc = concat!("The ", stringify!($format), " code nearest to a value.")]
        #[unsafe(no_mangle)]
        pub extern "C" fn $from_f32(value: f32) -> $code {
            encode_f32::<$format>(value) as $code
        }

        #[doc = concat!("The ", stringify!($format), " code nearest to a value.")]
        #[unsafe(no_mangle)]
        pub extern "C" fn $from_f64(value: f64) -> $code {
            encode_f64::<$format>(value) as $code
        }
    };
}

small_float!(
    /// IEEE half precision.
    F16(5, 10, 15, Ieee),
    u16, freehold_f32_from_f16, freehold_f16_from_f32, freehold_f16_from_f64
);
small_float!(
    /// The upper half of an f32.
    BF16(8, 7, 127, Ieee),
    u16, freehold_f32_from_bf16, freehold_bf16_from_f32, freehold_bf16_from_f64
);
small_float!(
    /// `f4E2M1FN`.
    F4E2M1FN(2, 1, 1, NumbersOnly),
    u8, freehold_f32_from_f4e2m1fn, freehold_f4e2m1fn_from_f32, freehold_f4e2m1fn_from_f64
);
small_float!(
    /// `f6E2M3FN`.
    F6E2M3FN(2, 3, 1, NumbersOnly),
    u8, freehold_f32_from_f6e2m3fn, freehold_f6e2m3fn_from_f32, freehold_f6e2m3fn_from_f64
);
small_float!(
    /// `f6E3M2FN`.
    F6E3M2FN(3, 2, 3, NumbersOnly),
    u8, freehold_f32_from_f6e3m2fn, freehold_f6e3m2fn_from_f32, freehold_f6e3m2fn_from_f64
);
small_float!(
    /// `f8E8M0FNU`.
    F8E8M0FNU(8, 0, 127, ExponentOnly),
    u8, freehold_f32_from_f8e8m0fnu, freehold_f8e8m0fnu_from_f32, freehold_f8e8m0fnu_from_f64
);
small_float!(
    /// `f8E5M2`.
    F8E5M2(5, 2, 15, Ieee),
    u8, freehold_f32_from_f8e5m2, freehold_f8e5m2_from_f32, freehold_f8e5m2_from_f64
);
small_float!(
    /// `f8E4M3`.
    F8E4M3(4, 3, 7, Ieee),
    u8, freehold_f32_from_f8e4m3, freehold_f8e4m3_from_f32, freehold_f8e4m3_from_f64
);
small_float!(
    /// `f8E3M4`.
    F8E3M4(3, 4, 3, Ieee),
    u8, freehold_f32_from_f8e3m4, freehold_f8e3m4_from_f32, freehold_f8e3m4_from_f64
);
small_float!(
    /// `f8E4M3FN`.
    F8E4M3FN(4, 3, 7, Finite),
    u8, freehold_f32_from_f8e4m3fn, freehold_f8e4m3fn_from_f32, freehold_f8e4m3fn_from_f64
);
small_float!(
    /// `f8E5M2FNUZ`.
    F8E5M2FNUZ(5, 2, 16, FiniteUnsignedZero),
    u8, freehold_f32_from_f8e5m2fnuz, freehold_f8e5m2fnuz_from_f32, freehold_f8e5m2fnuz_from_f64
);
small_float!(
    /// `f8E4M3FNUZ`.
    F8E4M3FNUZ(4, 3, 8, FiniteUnsignedZero),
    u8, freehold_f32_from_f8e4m3fnuz, freehold_f8e4m3fnuz_from_f32, freehold_f8e4m3fnuz_from_f64
);
small_float!(
    /// `f8E4M3B11FNUZ`.
    F8E4M3B11FNUZ(4, 3, 11, FiniteUnsignedZero),
    u8, freehold_f32_from_f8e4m3b11fnuz, freehold_f8e4m3b11fnuz_from_f32,
    freehold_f8e4m3b11fnuz_from_f64
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use half::{bf16, f16};
    use std::vec::Vec;

    /// Values around every code's, around the middles between neighbours, and special ones.
    fn interesting<F: Format>() -> Vec<f64> {
        let mut values: Vec<f64> = (0..F::SIGN)
            .map(|code| f64::from(decode::<F>(code)))
            .filter(|value| value.is_finite())
            .collect();
        values.sort_by(f64::total_cmp);
        let step = values[values.len() - 1] - values[values.len() - 2];
        values.push(values[values.len() - 1] + step);
        let middles: Vec<f64> = values
            .windows(2)
            .map(|pair| pair[0] + (pair[1] - pair[0]) / 2.0)
            .collect();
        values.extend(middles);
        let neighbours: Vec<f64> = values
            .iter()
            .flat_map(|value| [value.next_up(), value.next_down()])
            .collect();
        values.extend(neighbours);
        values.extend([
            f64::INFINITY,
            f64::MAX,
            f64::MIN_POSITIVE,
            5e-324,
            1e30,
            1e-30,
        ]);
        let negative: Vec<f64> = values.iter().map(|value| -value).collect();
        values.extend(negative);
        values
    }

    /// The code nearest to a finite value, by looking at all of them.
    fn nearest<F: Format>(value: f64) -> u64 {
        let sign = if value.is_sign_negative() { F::SIGN } else { 0 };
        let decoded = |code: u64| f64::from(decode::<F>(code));
        // Codes of one sign are ordered, so the two candidates are found by bisection.
        let (mut low, mut high) = (0, F::LARGEST);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if decoded(middle) <= value.abs() {
                low = middle
            } else {
                high = middle
            }
        }
        let largest = decoded(F::LARGEST);
        let code = if value.abs() >= largest {
            let step = largest - decoded(F::LARGEST - 1);
            let tie_goes_down = F::LARGEST & 1 == 0;
            let excess = value.abs() - largest;
            if excess < step / 2.0 || (excess == step / 2.0 && tie_goes_down) {
                F::LARGEST
            } else {
                return match F::SPECIALS {
                    Specials::Ieee => sign | (F::LARGEST + 1),
                    Specials::NumbersOnly => sign | F::LARGEST,
                    _ => encode_nan::<F>(sign, 0),
                };
            }
        } else {
            let (below, above) = (value.abs() - decoded(low), decoded(high) - value.abs());
            if below < above || (below == above && low & 1 == 0) {
                low
            } else {
                high
            }
        };
        if code == 0 && F::SPECIALS == Specials::FiniteUnsignedZero {
            0
        } else {
            sign | code
        }
    }

    fn check<F: Format>(name: &str) {
        for value in interesting::<F>() {
            let expected = nearest::<F>(value);
            assert_eq!(encode_f64::<F>(value), expected, "{name} of {value:e}");
            let single = value as f32;
            if f64::from(single) == value {
                assert_eq!(encode_f32::<F>(single), expected, "{name} of {single:e}");
            }
        }
        for code in 0..F::SIGN * 2 {
            let value = decode::<F>(code);
            if !value.is_nan() {
                assert_eq!(encode_f32::<F>(value), code, "{name} code {code:#x}");
            } else {
                assert!(decode::<F>(encode_f32::<F>(value)).is_nan());
                assert!(decode::<F>(encode_f64::<F>(f64::from(value))).is_nan());
            }
        }
    }

    #[test]
    fn small_formats_round_to_nearest_even() {
        check::<F4E2M1FN>("f4E2M1FN");
        check::<F6E2M3FN>("f6E2M3FN");
        check::<F6E3M2FN>("f6E3M2FN");
        check::<F8E5M2>("f8E5M2");
        check::<F8E4M3>("f8E4M3");
        check::<F8E3M4>("f8E3M4");
        check::<F8E4M3FN>("f8E4M3FN");
        check::<F8E5M2FNUZ>("f8E5M2FNUZ");
        check::<F8E4M3FNUZ>("f8E4M3FNUZ");
        check::<F8E4M3B11FNUZ>("f8E4M3B11FNUZ");
        check::<F16>("f16");
        check::<BF16>("bf16");
    }

    /// What ml_dtypes and XLA give.
    #[test]
    fn scales_are_powers_of_two() {
        for code in 0..=u8::MAX {
            let value = freehold_f32_from_f8e8m0fnu(code);
            let expected = 2f64.powi(i32::from(code) - 127);
            assert!(
                value.is_nan() == (code == 0xff)
                    && (value.is_nan() || f64::from(value) == expected)
            );
            assert_eq!(freehold_f8e8m0fnu_from_f32(value), code);
        }
        let numbers = [
            0.0,
            -0.0,
            -1.0,
            f64::INFINITY,
            f64::NAN,
            3.4e38,
            1e300,
            1e-45,
            1e-300,
            0.75,
            1.25,
            1.5,
            3.0,
            2.9,
        ];
        let codes = [
            255, 255, 255, 255, 255, 255, 255, 0, 0, 127, 127, 128, 129, 128,
        ];
        for (number, code) in numbers.into_iter().zip(codes) {
            assert_eq!(freehold_f8e8m0fnu_from_f64(number), code, "{number:e}");
        }
        assert_eq!(freehold_f4e2m1fn_from_f32(f32::NAN), 8);
        assert_eq!(freehold_f4e2m1fn_from_f32(f32::NEG_INFINITY), 0xf);
    }

    #[test]
    fn half_formats_equal_the_half_crate() {
        for code in 0..=u16::MAX {
            let value = freehold_f32_from_f16(code);
            let expected = f16::from_bits(code).to_f32();
            assert!(value.to_bits() == expected.to_bits(), "f16 {code:#x}");
            let value = freehold_f32_from_bf16(code);
            let expected = bf16::from_bits(code).to_f32();
            assert!(
                value.to_bits() == expected.to_bits() || (value.is_nan() && expected.is_nan()),
                "bf16 {code:#x}"
            );
        }
        let mut random = Random::new(5);
        for _ in 0..500_000 {
            let single = f32::from_bits(random.next() as u32);
            assert_eq!(
                freehold_f16_from_f32(single),
                f16::from_f32_const(single).to_bits()
            );
            assert_eq!(
                freehold_bf16_from_f32(single),
                bf16::from_f32_const(single).to_bits()
            );
            // Exponents around those of f16; doubles at random are nearly all infinite or zero.
            // (For doubles the half crate looks at the upper 32 bits only.)
            let exponent = 1023 - 30 + random.below(50);
            let double = f64::from_bits(random.next() >> 12 | exponent << 52);
            assert_eq!(
                u64::from(freehold_f16_from_f64(double)),
                nearest::<F16>(double)
            );
            assert_eq!(
                u64::from(freehold_bf16_from_f64(double)),
                nearest::<BF16>(double)
            );
        }
    }

    #[test]
    fn doubles_are_rounded_once() {
        // Just above the middle of two f16; going through f32 would land on the middle.
        let value = 1.0 + f64::powi(2.0, -11) + f64::powi(2.0, -40);
        assert_eq!(freehold_f16_from_f64(value), 0x3c01);
        assert_eq!(freehold_f16_from_f32(value as f32), 0x3c00);
    }

    #[test]
    fn what_is_too_large() {
        assert_eq!(freehold_f8e4m3fn_from_f32(464.0), 0x7e);
        assert_eq!(freehold_f8e4m3fn_from_f32(464.1), 0x7f);
        assert_eq!(freehold_f8e4m3fn_from_f32(f32::NEG_INFINITY), 0xff);
        assert_eq!(freehold_f8e4m3fnuz_from_f32(f32::INFINITY), 0x80);
        assert_eq!(freehold_f8e4m3fnuz_from_f32(-0.0), 0);
        assert_eq!(freehold_f8e5m2_from_f32(1e9), 0x7c);
        assert_eq!(freehold_f16_from_f64(65520.0), 0x7c00);
        assert_eq!(freehold_f16_from_f64(65519.9), 0x7bff);
    }
}
