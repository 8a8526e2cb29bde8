//! Floating point of every format up to 64 bits, in software: decoding is exact, encoding rounds once to nearest,
//! ties to even.
//!
//! Formats of at most 32 bits have less than half the precision of `f64`, so sums, products, quotients and roots
//! computed there and rounded once more are those of the format. `f32` and `f64` are computed by the processor,
//! which does what IEEE 754 says.

use std::cell::Cell;

use freehold_frontend::ir::types::FloatKind;

use crate::noise;

/// What the largest exponent means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Specials {
    /// Infinities and NaNs.
    Ieee,
    /// Numbers, and one NaN with all bits set.
    OneNan,
    /// Numbers; negative zero is the NaN.
    Unsigned,
    /// Saturates: numbers that are too large become the largest, NaN becomes zero.
    NumbersOnly,
    /// An exponent and nothing else; all ones is NaN. Zero and negative numbers are NaN, too.
    ExponentOnly,
}

thread_local! {
    static OPEN: Cell<u64> = const { Cell::new(0) };
}

/// Notes that an operation of this thread might have given another result as well.
pub(crate) fn note_open() {
    OPEN.set(OPEN.get() + 1);
}

/// How often that was.
pub(crate) fn n_open() -> u64 {
    OPEN.get()
}

#[derive(Clone, Copy)]
struct Format {
    exponent: u32,
    fraction: u32,
    bias: i32,
    specials: Specials,
}

fn format(kind: FloatKind) -> Option<Format> {
    use Specials::{ExponentOnly, Ieee, NumbersOnly, OneNan, Unsigned};
    let (exponent, fraction, bias, specials) = match kind {
        FloatKind::F4E2M1FN => (2, 1, 1, NumbersOnly),
        FloatKind::F6E2M3FN => (2, 3, 1, NumbersOnly),
        FloatKind::F6E3M2FN => (3, 2, 3, NumbersOnly),
        FloatKind::F8E8M0FNU => (8, 0, 127, ExponentOnly),
        FloatKind::F8E5M2 => (5, 2, 15, Ieee),
        FloatKind::F8E4M3 => (4, 3, 7, Ieee),
        FloatKind::F8E4M3FN => (4, 3, 7, OneNan),
        FloatKind::F8E5M2FNUZ => (5, 2, 16, Unsigned),
        FloatKind::F8E4M3FNUZ => (4, 3, 8, Unsigned),
        FloatKind::F8E4M3B11FNUZ => (4, 3, 11, Unsigned),
        FloatKind::F8E3M4 => (3, 4, 3, Ieee),
        FloatKind::BF16 => (8, 7, 127, Ieee),
        FloatKind::F16 => (5, 10, 15, Ieee),
        FloatKind::TF32 => (8, 10, 127, Ieee),
        FloatKind::F32 => (8, 23, 127, Ieee),
        FloatKind::F64 => (11, 52, 1023, Ieee),
        FloatKind::F80 | FloatKind::F128 => return None,
    };
    Some(Format {
        exponent,
        fraction,
        bias,
        specials,
    })
}

/// Whether numbers of this format are interpreted.
pub(crate) fn is_known(kind: FloatKind) -> bool {
    format(kind).is_some()
}

impl Format {
    fn sign(self) -> u128 {
        1 << (self.exponent + self.fraction)
    }

    /// The pattern of the largest finite number.
    fn largest(self) -> u128 {
        let all = self.sign() - 1;
        match self.specials {
            Specials::Ieee => (((1u128 << self.exponent) - 1) << self.fraction) - 1,
            Specials::OneNan => all - 1,
            Specials::Unsigned | Specials::NumbersOnly | Specials::ExponentOnly => all,
        }
    }

    fn nan(self) -> u128 {
        match self.specials {
            Specials::Ieee => (((2u128 << self.exponent) - 1) << self.fraction) >> 1,
            Specials::OneNan | Specials::ExponentOnly => self.sign() - 1,
            // Of NumbersOnly, the zero that NaN becomes.
            Specials::Unsigned | Specials::NumbersOnly => self.sign(),
        }
    }

    fn infinity(self, sign: u128) -> u128 {
        match self.specials {
            Specials::Ieee => sign | (((1u128 << self.exponent) - 1) << self.fraction),
            Specials::OneNan => sign | self.nan(),
            Specials::Unsigned | Specials::ExponentOnly => self.nan(),
            Specials::NumbersOnly => sign | self.largest(),
        }
    }
}

/// The number with these bits.
pub fn decode(kind: FloatKind, bits: u128) -> f64 {
    match kind {
        FloatKind::F64 => return f64::from_bits(bits as u64),
        FloatKind::F32 => return f64::from(f32::from_bits(bits as u32)),
        _ => {}
    }
    let Some(format) = format(kind) else {
        return f64::NAN;
    };
    if format.specials == Specials::ExponentOnly {
        return match bits == format.nan() {
            true => f64::NAN,
            false => 2f64.powi(bits as i32 - format.bias),
        };
    }
    let magnitude = bits & (format.sign() - 1);
    let negative = bits & format.sign() != 0;
    if format.specials == Specials::Unsigned && bits == format.sign() {
        return f64::NAN;
    }
    if magnitude > format.largest() {
        let is_infinite = format.specials == Specials::Ieee && magnitude == format.largest() + 1;
        return match (is_infinite, negative) {
            (true, false) => f64::INFINITY,
            (true, true) => f64::NEG_INFINITY,
            (false, _) => f64::NAN.copysign(if negative { -1.0 } else { 1.0 }),
        };
    }
    let fraction = magnitude & ((1 << format.fraction) - 1);
    let exponent = (magnitude >> format.fraction) as i32;
    let value = match exponent {
        0 => fraction as f64 * 2f64.powi(1 - format.bias - format.fraction as i32),
        _ => {
            (fraction | 1 << format.fraction) as f64
                * 2f64.powi(exponent - format.bias - format.fraction as i32)
        }
    };
    if negative { -value } else { value }
}

/// The bits of the nearest number.
pub(crate) fn encode(kind: FloatKind, value: f64) -> u128 {
    match kind {
        FloatKind::F64 => return value.to_bits().into(),
        FloatKind::F32 => return (value as f32).to_bits().into(),
        _ => {}
    }
    let Some(format) = format(kind) else {
        return 0;
    };
    let sign = if value.is_sign_negative() {
        format.sign()
    } else {
        0
    };
    if format.specials == Specials::ExponentOnly {
        if !value.is_finite() || value <= 0.0 {
            return format.nan();
        }
        // Halfway goes up: adding half of the last place carries into the exponent.
        let exponent = ((value.to_bits() + (1 << 51)) >> 52) as i32 - 1023;
        return (exponent + format.bias).clamp(0, 255) as u128;
    }
    if value.is_nan() {
        if format.specials == Specials::NumbersOnly {
            // Which zero is the sign of NaN, which is unspecified.
            note_open();
            return if sign != 0 { 0 } else { format.nan() };
        }
        let signed = format.specials != Specials::Unsigned;
        return format.nan() | if signed { sign } else { 0 };
    }
    if value.is_infinite() {
        return format.infinity(sign);
    }
    if value == 0.0 {
        return match format.specials {
            Specials::Unsigned => 0,
            _ => sign,
        };
    }
    // The value is significand * 2^exponent with a significand of 53 bits.
    let bits = value.abs().to_bits();
    let (mut significand, mut exponent) = (bits & ((1 << 52) - 1), (bits >> 52) as i32);
    if exponent == 0 {
        exponent = 1;
    } else {
        significand |= 1 << 52;
    }
    exponent -= 1023 + 52;
    // The last place of the result is 2^place.
    let top = exponent + 63 - significand.leading_zeros() as i32;
    let lowest = 1 - format.bias - format.fraction as i32;
    let place = (top - format.fraction as i32).max(lowest);
    let drop = place - exponent;
    let rounded = match drop {
        ..=0 => u128::from(significand) << -drop,
        1..=63 => {
            let kept = significand >> drop;
            let rest = significand & ((1 << drop) - 1);
            let half = 1 << (drop - 1);
            u128::from(kept + u64::from(rest > half || rest == half && kept & 1 == 1))
        }
        _ => 0,
    };
    // A carry moves into the exponent, as it should.
    let magnitude = if rounded < 1 << format.fraction {
        rounded
    } else {
        rounded + (((place - lowest) as u128) << format.fraction)
    };
    if magnitude > format.largest() {
        return format.infinity(sign);
    }
    match (format.specials, magnitude) {
        (Specials::Unsigned, 0) => 0,
        _ => sign | magnitude,
    }
}

/// Computes with two numbers: in f32 where the format is that, else in f64 with one rounding.
pub(crate) fn binary(
    kind: FloatKind,
    a: u128,
    b: u128,
    single: impl Fn(f32, f32) -> f32,
    double: impl Fn(f64, f64) -> f64,
) -> u128 {
    match kind {
        FloatKind::F32 => single(f32::from_bits(a as u32), f32::from_bits(b as u32))
            .to_bits()
            .into(),
        _ => encode(kind, double(decode(kind, a), decode(kind, b))),
    }
}

/// `a * b + c` with one rounding.
pub(crate) fn fma(kind: FloatKind, a: u128, b: u128, c: u128) -> u128 {
    let (x, y, z) = (decode(kind, a), decode(kind, b), decode(kind, c));
    let bits = match kind {
        FloatKind::F64 => x.mul_add(y, z).to_bits().into(),
        FloatKind::F32 => (x as f32).mul_add(y as f32, z as f32).to_bits().into(),
        _ => {
            // The product is exact. Rounding the sum to odd keeps what the second rounding has to know.
            let product = x * y;
            let sum = product + z;
            let part = sum - product;
            let error = (product - (sum - part)) + (z - part);
            let odd = if error != 0.0 && sum.is_finite() && sum.to_bits() & 1 == 0 {
                let away = (error > 0.0) == (sum > 0.0);
                let bits = sum.to_bits();
                f64::from_bits(if away { bits + 1 } else { bits - 1 })
            } else {
                sum
            };
            encode(kind, odd)
        }
    };
    noise::fused(kind, [x, y, z], bits)
}

/// The sign flipped; numbers without a negative zero keep their zero, those without a sign have no negative numbers.
pub(crate) fn negate(kind: FloatKind, bits: u128) -> u128 {
    if kind == FloatKind::F8E8M0FNU {
        return encode(kind, f64::NAN);
    }
    let sign = 1u128 << (kind.width() - 1);
    let unsigned = format(kind).is_some_and(|format| format.specials == Specials::Unsigned);
    match unsigned && bits & !sign == 0 {
        true => bits,
        false => bits ^ sign,
    }
}

/// The nearest number to an integer.
pub(crate) fn from_integer(kind: FloatKind, negative: bool, magnitude: u128) -> u128 {
    // To odd at 53 bits, so that the rounding to the format is the only one.
    let shift = 128u32
        .saturating_sub(magnitude.leading_zeros())
        .saturating_sub(64);
    let mut top = (magnitude >> shift) as u64;
    if magnitude & ((1u128 << shift) - 1) != 0 {
        top |= 1;
    }
    let drop = 64u32.saturating_sub(top.leading_zeros()).saturating_sub(53);
    match kind {
        FloatKind::F64 => {
            let value = magnitude as f64;
            (if negative { -value } else { value }).to_bits().into()
        }
        FloatKind::F32 => {
            let value = magnitude as f32;
            (if negative { -value } else { value }).to_bits().into()
        }
        _ => {
            let mut odd = top >> drop;
            if top & ((1 << drop) - 1) != 0 {
                odd |= 1;
            }
            let value = odd as f64 * 2f64.powi((shift + drop) as i32);
            encode(kind, if negative { -value } else { value })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_small_numbers_survive() {
        for kind in FloatKind::ALL {
            if kind.width() > 16 {
                continue;
            }
            for bits in 0..1u128 << kind.width() {
                let value = decode(kind, bits);
                if !value.is_nan() {
                    assert_eq!(encode(kind, value), bits, "{kind:?} {bits:#x}");
                }
            }
        }
    }

    #[test]
    fn ties_go_to_even() {
        assert_eq!(encode(FloatKind::F16, 2049.0), 0x6800);
        assert_eq!(encode(FloatKind::F16, 2051.0), 0x6802);
        assert_eq!(encode(FloatKind::F16, 65520.0), 0x7c00);
        assert_eq!(encode(FloatKind::F8E4M3FN, 1000.0), 0x7f);
    }
}
