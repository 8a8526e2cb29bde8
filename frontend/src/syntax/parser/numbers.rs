//! Floating-point formats: rounding a number to one, and taking its bits apart.

use crate::ir::types::FloatKind;

/// What a format does with the patterns IEEE 754 reserves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Special {
    /// Infinities and NaNs have the largest exponent.
    Ieee,
    /// No infinities; NaN is all ones.
    NanIsAllOnes,
    /// No infinities; NaN is what would be negative zero.
    NanIsNegativeZero,
    /// Saturates: numbers that are too large become the largest, NaN becomes zero.
    NumbersOnly,
    /// An exponent and nothing else; all ones is NaN. Zero and negative numbers are NaN, too.
    ExponentOnly,
}

struct Format {
    exponent_bits: u32,
    /// Without the leading one.
    mantissa_bits: u32,
    bias: i32,
    special: Special,
}

const fn format(kind: FloatKind) -> Format {
    let (exponent_bits, mantissa_bits, bias, special) = match kind {
        FloatKind::F4E2M1FN => (2, 1, 1, Special::NumbersOnly),
        FloatKind::F6E2M3FN => (2, 3, 1, Special::NumbersOnly),
        FloatKind::F6E3M2FN => (3, 2, 3, Special::NumbersOnly),
        FloatKind::F8E8M0FNU => (8, 0, 127, Special::ExponentOnly),
        FloatKind::F8E5M2 => (5, 2, 15, Special::Ieee),
        FloatKind::F8E4M3 => (4, 3, 7, Special::Ieee),
        FloatKind::F8E4M3FN => (4, 3, 7, Special::NanIsAllOnes),
        FloatKind::F8E5M2FNUZ => (5, 2, 16, Special::NanIsNegativeZero),
        FloatKind::F8E4M3FNUZ => (4, 3, 8, Special::NanIsNegativeZero),
        FloatKind::F8E4M3B11FNUZ => (4, 3, 11, Special::NanIsNegativeZero),
        FloatKind::F8E3M4 => (3, 4, 3, Special::Ieee),
        FloatKind::BF16 => (8, 7, 127, Special::Ieee),
        FloatKind::F16 => (5, 10, 15, Special::Ieee),
        FloatKind::TF32 => (8, 10, 127, Special::Ieee),
        FloatKind::F32 => (8, 23, 127, Special::Ieee),
        FloatKind::F64 => (11, 52, 1023, Special::Ieee),
        // The leading one is stored; see `encode`.
        FloatKind::F80 => (15, 63, 16383, Special::Ieee),
        FloatKind::F128 => (15, 112, 16383, Special::Ieee),
    };
    Format {
        exponent_bits,
        mantissa_bits,
        bias,
        special,
    }
}

/// Precision in bits, the leading one included.
pub(crate) const fn precision(kind: FloatKind) -> u32 {
    format(kind).mantissa_bits + 1
}

/// A number taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Decoded {
    /// `mantissa * 2^exponent`
    Finite {
        /// Below zero, or negative zero.
        negative: bool,
        /// Zero for zero.
        mantissa: u128,
        exponent: i32,
    },
    /// An infinity or a NaN.
    Special,
}

/// Takes the bits of a number apart.
pub(crate) fn decode(kind: FloatKind, bits: u128) -> Decoded {
    let format = format(kind);
    if format.special == Special::ExponentOnly {
        return match bits & 0xff {
            0xff => Decoded::Special,
            code => Decoded::Finite {
                negative: false,
                mantissa: 1,
                exponent: code as i32 - format.bias,
            },
        };
    }
    let mantissa_bits = format.mantissa_bits;
    let width = 1 + format.exponent_bits + mantissa_bits;
    let negative = bits >> (kind.width() - 1) & 1 == 1;
    let magnitude = match kind {
        // Drop the stored leading one.
        FloatKind::F80 => (bits >> 64 & 0x7fff) << 63 | bits & (u128::MAX >> 65),
        _ => bits & !(u128::MAX << (width - 1)),
    };
    let largest = (1u128 << (width - 1)) - 1;
    let exponent_mask = (1u128 << format.exponent_bits) - 1;
    let biased = magnitude >> mantissa_bits;
    let special = match format.special {
        Special::Ieee => biased == exponent_mask,
        Special::NanIsAllOnes => magnitude == largest,
        Special::NanIsNegativeZero => negative && magnitude == 0,
        Special::NumbersOnly | Special::ExponentOnly => false,
    };
    if special {
        return Decoded::Special;
    }
    let fraction = magnitude & ((1u128 << mantissa_bits) - 1);
    let (mantissa, exponent) = match biased as i32 {
        0 => (fraction, 1),
        biased => (fraction | 1 << mantissa_bits, biased),
    };
    Decoded::Finite {
        negative,
        mantissa,
        exponent: exponent - format.bias - mantissa_bits as i32,
    }
}

/// The bits of `value` rounded to `kind`, ties to even.
pub(crate) fn from_f64(kind: FloatKind, value: f64) -> u128 {
    if kind == FloatKind::F64 {
        return u128::from(value.to_bits());
    }
    let negative = value.is_sign_negative();
    match decode(FloatKind::F64, u128::from(value.to_bits())) {
        Decoded::Finite {
            mantissa, exponent, ..
        } => encode(kind, negative, mantissa, exponent),
        Decoded::Special if value.is_nan() => nan(kind, negative),
        Decoded::Special => overflow(kind, negative),
    }
}

/// Puts sign and magnitude together.
fn with_sign(kind: FloatKind, negative: bool, magnitude: u128) -> u128 {
    let magnitude = match kind {
        FloatKind::F80 => {
            let (biased, fraction) = (magnitude >> 63, magnitude & (u128::MAX >> 65));
            biased << 64 | u128::from(biased != 0) << 63 | fraction
        }
        _ => magnitude,
    };
    let has_negative_zero = format(kind).special != Special::NanIsNegativeZero;
    if negative && (magnitude != 0 || has_negative_zero) {
        magnitude | 1 << (kind.width() - 1)
    } else {
        magnitude
    }
}

fn nan(kind: FloatKind, negative: bool) -> u128 {
    let format = format(kind);
    let all_ones = (1u128 << (format.exponent_bits + format.mantissa_bits)) - 1;
    match format.special {
        Special::Ieee => {
            let quiet = 1u128 << (format.mantissa_bits - 1);
            let infinity = all_ones & !((1 << format.mantissa_bits) - 1);
            with_sign(kind, negative, infinity | quiet)
        }
        Special::NanIsAllOnes => with_sign(kind, negative, all_ones),
        Special::NanIsNegativeZero => 1 << (kind.width() - 1),
        // Of the other sign, as ml_dtypes has it.
        Special::NumbersOnly => with_sign(kind, !negative, 0),
        Special::ExponentOnly => all_ones,
    }
}

/// What numbers out of range become: infinity, or NaN where there is none, or the largest number.
fn overflow(kind: FloatKind, negative: bool) -> u128 {
    let format = format(kind);
    match format.special {
        Special::Ieee => {
            let exponent = (1u128 << format.exponent_bits) - 1;
            with_sign(kind, negative, exponent << format.mantissa_bits)
        }
        Special::NumbersOnly => {
            let all_ones = (1u128 << (format.exponent_bits + format.mantissa_bits)) - 1;
            with_sign(kind, negative, all_ones)
        }
        _ => nan(kind, negative),
    }
}

/// The bits of `mantissa * 2^exponent` rounded to `kind`.
fn encode(kind: FloatKind, negative: bool, mantissa: u128, exponent: i32) -> u128 {
    if format(kind).special == Special::ExponentOnly {
        return exponent_only(negative, mantissa, exponent);
    }
    if mantissa == 0 {
        return with_sign(kind, negative, 0);
    }
    let format = format(kind);
    let mantissa_bits = format.mantissa_bits as i32;
    let leading = exponent + 127 - mantissa.leading_zeros() as i32;
    // The weight of the last bit that is kept; subnormal numbers share one.
    let last = leading.max(1 - format.bias) - mantissa_bits;
    let shift = last - exponent;
    let rounded = if shift <= 0 {
        mantissa << -shift
    } else if shift > 127 {
        0
    } else {
        let kept = mantissa >> shift;
        let rest = mantissa & ((1 << shift) - 1);
        let half = 1u128 << (shift - 1);
        kept + u128::from(rest > half || rest == half && kept & 1 == 1)
    };
    // A carry out of the mantissa lands in the exponent, as it should.
    let biased = (last + mantissa_bits + format.bias) as u128;
    let magnitude = ((biased - 1) << mantissa_bits) + rounded;
    let all_ones = (1u128 << (format.exponent_bits + format.mantissa_bits)) - 1;
    let largest = match format.special {
        Special::Ieee => (all_ones >> mantissa_bits << mantissa_bits) - 1,
        Special::NanIsAllOnes => all_ones - 1,
        Special::NanIsNegativeZero | Special::NumbersOnly | Special::ExponentOnly => all_ones,
    };
    if magnitude > largest {
        return overflow(kind, negative);
    }
    with_sign(kind, negative, magnitude)
}

/// The power of two nearest to `mantissa * 2^exponent`, the larger one in the middle, as an `f8E8M0FNU`.
fn exponent_only(negative: bool, mantissa: u128, exponent: i32) -> u128 {
    if negative || mantissa == 0 {
        return 0xff;
    }
    let n_bits = 128 - mantissa.leading_zeros();
    let is_half = n_bits > 1 && mantissa >> (n_bits - 2) & 1 == 1;
    let biased = exponent + n_bits as i32 - 1 + i32::from(is_half) + 127;
    biased.clamp(0, 0xff) as u128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_like_the_hardware() {
        for value in [
            0.1f64, 1.0, -2.5, 1e-40, 3.5e38, 1e300, 65504.0, 1.0e-45, -0.0,
        ] {
            let expected = u128::from((value as f32).to_bits());
            assert_eq!(from_f64(FloatKind::F32, value), expected, "{value}");
            let expected = u128::from(half::f16::from_f64(value).to_bits());
            assert_eq!(from_f64(FloatKind::F16, value), expected, "{value}");
            let expected = u128::from(half::bf16::from_f64(value).to_bits());
            assert_eq!(from_f64(FloatKind::BF16, value), expected, "{value}");
        }
    }

    #[test]
    fn knows_the_odd_formats() {
        assert_eq!(from_f64(FloatKind::F8E4M3FN, 448.0), 0x7e);
        assert_eq!(from_f64(FloatKind::F8E4M3FN, 1e9), 0x7f);
        assert_eq!(from_f64(FloatKind::F8E4M3FNUZ, -0.0), 0);
        assert_eq!(from_f64(FloatKind::F8E5M2, 1e9), 0x7c);
        assert_eq!(from_f64(FloatKind::F4E2M1FN, -2.5), 0xc);
        assert_eq!(from_f64(FloatKind::F4E2M1FN, 1e9), 0x7);
        assert_eq!(from_f64(FloatKind::F6E2M3FN, 7.5), 0x1f);
        assert_eq!(from_f64(FloatKind::F6E3M2FN, f64::NAN), 0x20);
        assert_eq!(from_f64(FloatKind::F8E8M0FNU, 3.0), 129);
        assert_eq!(from_f64(FloatKind::F8E8M0FNU, 1e-45), 0);
        assert_eq!(from_f64(FloatKind::F8E8M0FNU, -1.0), 0xff);
        assert_eq!(from_f64(FloatKind::F80, 1.0), 0x3fff_8000_0000_0000_0000);
        assert_eq!(from_f64(FloatKind::F128, 1.0), 0x3fff << 112);
        for kind in FloatKind::ALL {
            // One format has powers of two only.
            let number = match kind {
                FloatKind::F8E8M0FNU => 2.0,
                _ => 1.5,
            };
            let bits = from_f64(kind, number);
            let Decoded::Finite {
                negative,
                mantissa,
                exponent,
            } = decode(kind, bits)
            else {
                panic!("{kind:?}");
            };
            assert!(!negative);
            assert_eq!(
                mantissa as f64 * f64::from(exponent).exp2(),
                number,
                "{kind:?}"
            );
        }
    }
}
