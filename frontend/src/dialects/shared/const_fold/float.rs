//! Floats of every format as `f64`: decoding is exact, encoding rounds once to
//! the nearest value, ties to even.
//!
//! All formats up to `tf32` and `f32` have fewer than half the precision bits
//! of `f64`, so that sums, products, quotients and roots computed in `f64` and
//! then encoded equal those computed in the format itself. `f80` and `f128`
//! are not handled.

use crate::ir::types::FloatKind;

/// What a format has beyond numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Specials {
    /// Infinities and NaNs as in IEEE 754.
    Ieee,
    /// No infinity; all ones below the sign is NaN.
    NanOnly,
    /// No infinity, no negative zero: its pattern is NaN.
    Unsigned,
    /// Saturates: numbers that are too large become the largest, NaN becomes zero.
    NumbersOnly,
    /// An exponent and nothing else; all ones is NaN. Zero and negative numbers are NaN, too.
    ExponentOnly,
}

/// The shape of a format.
#[derive(Clone, Copy)]
struct Format {
    /// Bits of the exponent.
    exponent: u32,
    /// Bits of the fraction, without the leading one.
    fraction: u32,
    bias: i32,
    specials: Specials,
}

fn format_of(kind: FloatKind) -> Option<Format> {
    use Specials::{ExponentOnly, Ieee, NanOnly, NumbersOnly, Unsigned};
    let (exponent, fraction, bias, specials) = match kind {
        FloatKind::F4E2M1FN => (2, 1, 1, NumbersOnly),
        FloatKind::F6E2M3FN => (2, 3, 1, NumbersOnly),
        FloatKind::F6E3M2FN => (3, 2, 3, NumbersOnly),
        FloatKind::F8E8M0FNU => (8, 0, 127, ExponentOnly),
        FloatKind::F8E5M2 => (5, 2, 15, Ieee),
        FloatKind::F8E4M3 => (4, 3, 7, Ieee),
        FloatKind::F8E4M3FN => (4, 3, 7, NanOnly),
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

impl Format {
    fn sign_bit(self) -> u64 {
        1 << (self.exponent + self.fraction)
    }

    fn fraction_mask(self) -> u64 {
        (1 << self.fraction) - 1
    }

    fn exponent_mask(self) -> u64 {
        ((1 << self.exponent) - 1) << self.fraction
    }

    fn is_nan(self, bits: u64) -> bool {
        let magnitude = bits & (self.sign_bit() - 1);
        match self.specials {
            Specials::Ieee => magnitude > self.exponent_mask(),
            Specials::NanOnly => magnitude == self.exponent_mask() | self.fraction_mask(),
            Specials::Unsigned => bits == self.sign_bit(),
            Specials::NumbersOnly => false,
            Specials::ExponentOnly => bits == 0xff,
        }
    }

    /// The quiet NaN that operations produce out of numbers.
    fn default_nan(self) -> u64 {
        match self.specials {
            Specials::Ieee => self.exponent_mask() | 1 << (self.fraction - 1),
            Specials::NanOnly => self.exponent_mask() | self.fraction_mask(),
            // As ml_dtypes has it.
            Specials::Unsigned | Specials::NumbersOnly => self.sign_bit(),
            Specials::ExponentOnly => 0xff,
        }
    }

    /// What finite values that are too large become.
    fn overflow(self, sign: u64) -> u64 {
        match self.specials {
            Specials::Ieee => sign | self.exponent_mask(),
            Specials::NanOnly => sign | self.default_nan(),
            Specials::Unsigned | Specials::ExponentOnly => self.default_nan(),
            Specials::NumbersOnly => sign | self.largest(),
        }
    }

    /// The largest finite magnitude.
    fn largest(self) -> u64 {
        let all = self.exponent_mask() | self.fraction_mask();
        match self.specials {
            Specials::Ieee => self.exponent_mask() - 1,
            Specials::NanOnly => all - 1,
            Specials::Unsigned | Specials::NumbersOnly | Specials::ExponentOnly => all,
        }
    }
}

/// Whether `bits` is a NaN of `kind`; `None` for formats that are not handled.
pub fn is_nan(kind: FloatKind, bits: u128) -> Option<bool> {
    Some(format_of(kind)?.is_nan(bits as u64))
}

/// The NaN `bits` made quiet.
pub fn quiet_nan(kind: FloatKind, bits: u128) -> Option<u128> {
    let format = format_of(kind)?;
    Some(match format.specials {
        Specials::Ieee => bits | 1 << (format.fraction - 1),
        _ => bits,
    })
}

/// The quiet NaN that operations on numbers produce.
pub fn default_nan(kind: FloatKind) -> Option<u128> {
    Some(format_of(kind)?.default_nan().into())
}

/// The least or the greatest value: an infinity, or the last number where there is none.
pub fn extreme(kind: FloatKind, is_least: bool) -> Option<u128> {
    let format = format_of(kind)?;
    let sign = if is_least { format.sign_bit() } else { 0 };
    Some(u128::from(match format.specials {
        Specials::Ieee => sign | format.exponent_mask(),
        Specials::ExponentOnly if is_least => 0,
        Specials::ExponentOnly => format.largest() - 1,
        Specials::NanOnly | Specials::Unsigned | Specials::NumbersOnly => sign | format.largest(),
    }))
}

/// Flips the sign; formats without negative zero keep zero and NaN, those without a sign have NaN.
pub fn negate(kind: FloatKind, bits: u128) -> Option<u128> {
    match kind {
        FloatKind::F80 => return Some(bits ^ 1 << 79),
        FloatKind::F128 => return Some(bits ^ 1 << 127),
        _ => {}
    }
    let format = format_of(kind)?;
    if format.specials == Specials::ExponentOnly {
        return default_nan(kind);
    }
    if format.specials == Specials::Unsigned && bits & u128::from(format.sign_bit() - 1) == 0 {
        return Some(bits);
    }
    Some(bits ^ u128::from(format.sign_bit()))
}

/// The value of a pattern, exactly. NaNs become some NaN.
pub fn decode(kind: FloatKind, bits: u128) -> Option<f64> {
    let format = format_of(kind)?;
    let bits = bits as u64;
    if kind == FloatKind::F64 {
        return Some(f64::from_bits(bits));
    }
    if format.specials == Specials::ExponentOnly {
        return Some(match format.is_nan(bits) {
            true => f64::NAN,
            false => 2f64.powi(bits as i32 - format.bias),
        });
    }
    let sign = if bits & format.sign_bit() != 0 {
        -1.0
    } else {
        1.0
    };
    if format.is_nan(bits) {
        return Some(f64::NAN);
    }
    let magnitude = bits & (format.sign_bit() - 1);
    if format.specials == Specials::Ieee && magnitude == format.exponent_mask() {
        return Some(sign * f64::INFINITY);
    }
    let exponent = (magnitude >> format.fraction) as i32;
    let fraction = magnitude & format.fraction_mask();
    let (significand, exponent) = if exponent == 0 {
        (fraction, 1)
    } else {
        (fraction | 1 << format.fraction, exponent)
    };
    let scale = exponent - format.bias - format.fraction as i32;
    // Both factors are exact, and so is the product: no format has values
    // below the smallest normal f64.
    Some(sign * significand as f64 * 2f64.powi(scale))
}

/// The pattern nearest to `value` and whether it is exactly that value.
pub fn encode(kind: FloatKind, value: f64) -> Option<(u128, bool)> {
    let format = format_of(kind)?;
    if kind == FloatKind::F64 {
        return Some((value.to_bits().into(), true));
    }
    if format.specials == Specials::ExponentOnly {
        return Some(exponent_only(value));
    }
    if value.is_nan() {
        let has_nan = format.specials != Specials::NumbersOnly;
        return Some((format.default_nan().into(), has_nan));
    }
    let sign = if value.is_sign_negative() {
        format.sign_bit()
    } else {
        0
    };
    if value.is_infinite() {
        return Some((
            format.overflow(sign).into(),
            format.specials == Specials::Ieee,
        ));
    }
    if value == 0.0 {
        let has_negative_zero = format.specials != Specials::Unsigned;
        return Some((if has_negative_zero { sign } else { 0 }.into(), true));
    }
    let magnitude = value.abs().to_bits();
    let exponent = (magnitude >> 52) as i32 - 1023;
    let significand = magnitude & ((1 << 52) - 1) | 1 << 52;
    // Subnormal f64 values are below half the smallest value of every other
    // format, so that taking them as normal is harmless.
    let smallest_exponent = 1 - format.bias;
    let dropped = 52 - format.fraction as i32 + (smallest_exponent - exponent).max(0);
    let (mut rounded, exact) = if dropped > 62 {
        (0, false)
    } else {
        let kept = significand >> dropped;
        let rest = significand & ((1 << dropped) - 1);
        let half = 1 << (dropped - 1);
        let up = rest > half || (rest == half && kept & 1 != 0);
        (kept + u64::from(up), rest == 0)
    };
    // A carry out of the fraction lands in the exponent, where it belongs.
    let biased = (exponent - smallest_exponent).max(0) as u64;
    rounded += biased << format.fraction;
    if rounded > format.largest() {
        return Some((format.overflow(sign).into(), false));
    }
    if rounded == 0 && format.specials == Specials::Unsigned {
        return Some((0, exact));
    }
    Some(((sign | rounded).into(), exact))
}

/// The power of two nearest to `value`, the larger one in the middle, as an `f8E8M0FNU`.
fn exponent_only(value: f64) -> (u128, bool) {
    if value.is_nan() || value <= 0.0 || value.is_infinite() {
        return (0xff, value.is_nan());
    }
    let bits = value.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    // Half of a unit carries into the exponent.
    let exponent = ((bits + (1 << 51)) >> 52) as i32 - 1023;
    let code = (exponent + 127).clamp(0, 0xff);
    (
        code as u128,
        fraction == 0 && code == exponent + 127 && code < 0xff,
    )
}

/// The pattern nearest to an integer given by sign and magnitude.
pub fn encode_integer(kind: FloatKind, negative: bool, magnitude: u128) -> Option<u128> {
    // Rounding to odd keeps enough of the dropped bits for the second rounding to be right.
    let width = 128 - magnitude.leading_zeros();
    let dropped = width.saturating_sub(54);
    let mut top = (magnitude >> dropped) as u64;
    if magnitude & ((1u128 << dropped) - 1) != 0 {
        top |= 1;
    }
    if kind == FloatKind::F64 {
        let value = magnitude as f64;
        let value = if negative { -value } else { value };
        return Some(value.to_bits().into());
    }
    if width > 53 {
        // 54 bits do not fit into an f64; one more goes, to odd as well.
        let (shifted, lost) = (top >> 1, top & 1);
        let value = (shifted | lost) as f64 * 2f64.powi(dropped as i32 + 1);
        return encode(kind, if negative { -value } else { value }).map(|(bits, _)| bits);
    }
    let value = top as f64;
    encode(kind, if negative { -value } else { value }).map(|(bits, _)| bits)
}

/// `value` truncated, as an integer of `width` bits in two's complement;
/// `None` if it does not fit or is not a number.
pub fn to_integer(value: f64, width: u32, signed: bool) -> Option<u128> {
    let value = value.trunc();
    if !value.is_finite() || width == 0 || width > 127 {
        return None;
    }
    let limit = 2f64.powi(width as i32);
    let (low, high) = if signed {
        (-limit / 2.0, limit / 2.0)
    } else {
        (0.0, limit)
    };
    if value < low || value >= high {
        return None;
    }
    Some((value as i128) as u128)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_native_formats() {
        for value in [
            0.0,
            -0.0,
            1.0,
            -1.5,
            0.1,
            65504.0,
            65519.0,
            65520.0,
            1e-8,
            5.9604645e-8,
            2.9802322e-8,
            2.98023259e-8,
            3.4e38,
            1e300,
            f64::INFINITY,
            1e-310,
        ] {
            let f16 = half::f16::from_f64(value);
            assert_eq!(
                encode(FloatKind::F16, value).unwrap().0,
                f16.to_bits().into(),
                "{value}"
            );
            let bf16 = half::bf16::from_f64(value);
            assert_eq!(
                encode(FloatKind::BF16, value).unwrap().0,
                bf16.to_bits().into(),
                "{value}"
            );
            let f32 = value as f32;
            assert_eq!(
                encode(FloatKind::F32, value).unwrap().0,
                f32.to_bits().into(),
                "{value}"
            );
        }
    }

    #[test]
    fn every_small_pattern_survives() {
        for kind in FloatKind::ALL {
            if kind.width() > 16 {
                continue;
            }
            for bits in 0..1u128 << kind.width() {
                if is_nan(kind, bits).unwrap() {
                    continue;
                }
                let value = decode(kind, bits).unwrap();
                assert_eq!(
                    encode(kind, value),
                    Some((bits, true)),
                    "{kind:?} {bits:#x} = {value}"
                );
            }
        }
    }

    #[test]
    fn integers_round_once() {
        // The nearest f32 needs the lowest of all bits to decide.
        let tie = (1u128 << 60) + (1 << 36);
        assert_eq!(
            encode_integer(FloatKind::F32, false, tie).unwrap() as u32,
            (tie as f32).to_bits()
        );
        assert_eq!(
            encode_integer(FloatKind::F32, true, tie + 1).unwrap() as u32,
            (-((tie + 1) as i128) as f32).to_bits()
        );
        assert_eq!(
            encode_integer(FloatKind::F64, false, u128::MAX).unwrap() as u64,
            (u128::MAX as f64).to_bits()
        );
        assert_eq!(to_integer(-1.5, 8, true), Some(u128::MAX));
        assert_eq!(to_integer(256.0, 8, false), None);
        assert_eq!(to_integer(255.9, 8, false), Some(255));
        assert_eq!(to_integer(f64::NAN, 8, false), None);
    }
}
