//! Six significant decimal digits of a double, in exact integer arithmetic.
//!
//! Serves `%g` for the magnitudes programs mostly print, several times faster than the C
//! library. The value is scaled by a power of ten so that its integer part has six digits; all
//! bits of the scaled value fit into 128, so rounding (to nearest, ties to even, as in the C
//! library) is decided by the exact remainder.

use core::num::NonZeroU64;

/// Digits and decimal exponent of a positive number: `digits * 10^(exponent - 5)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SixDigits {
    /// Between 100000 and 999999.
    pub(crate) digits: u32,
    pub(crate) exponent: i32,
}

const SMALLEST: f64 = 1e-5;
const LIMIT: f64 = 1e15;

/// Powers of ten from 10^0; the exponents below stay within it.
const POWERS: [u64; 13] = {
    let mut powers = [1; 13];
    let mut index = 1;
    while index < powers.len() {
        powers[index] = powers[index - 1] * 10;
        index += 1;
    }
    powers
};

/// How a quotient has to be rounded.
fn rounds_up(quotient: u64, rest: u128, half: u128) -> bool {
    rest > half || (rest == half && quotient & 1 != 0)
}

/// The six digits of a positive `value`, or nothing if it is not between the limits above.
pub(crate) fn six_digits(value: f64) -> Option<SixDigits> {
    if !(SMALLEST..LIMIT).contains(&value) {
        return None;
    }
    let bits = value.to_bits();
    let significand = bits & ((1 << 52) - 1) | 1 << 52;
    // The value is `significand / 2^shift`, where `shift` is between 3 and 69.
    let binary_exponent = (bits >> 52) as i32 - 1023;
    let shift = 52 - binary_exponent;
    // log10(2) is 1233/4096 but for an error that makes this at most one off.
    let mut exponent = (binary_exponent * 1233) >> 12;
    loop {
        let scale = *POWERS.get((5 - exponent).unsigned_abs() as usize)?;
        let (quotient, up) = if exponent <= 5 {
            let scaled = u128::from(significand) * u128::from(scale);
            let quotient = (scaled >> shift) as u64;
            let rest = scaled & ((1 << shift) - 1);
            (quotient, rounds_up(quotient, rest, 1 << (shift - 1)))
        } else {
            let divisor = NonZeroU64::new(scale)?;
            let whole = significand >> shift;
            let quotient = whole / divisor;
            // The fraction goes below the remainder, whose half is then whole as well.
            let fraction = significand & ((1 << shift) - 1);
            let rest = u128::from(whole % divisor) << shift | u128::from(fraction);
            (
                quotient,
                rounds_up(quotient, rest, u128::from(scale) << (shift - 1)),
            )
        };
        if quotient < 100_000 {
            exponent -= 1;
        } else if quotient >= 1_000_000 {
            exponent += 1;
        } else {
            let digits = quotient as u32 + u32::from(up);
            return Some(if digits == 1_000_000 {
                SixDigits {
                    digits: 100_000,
                    exponent: exponent + 1,
                }
            } else {
                SixDigits { digits, exponent }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;
    use std::format;

    /// What the standard library's exact formatting says.
    fn reference(value: f64) -> SixDigits {
        let text = format!("{value:.5e}");
        let (mantissa, exponent) = text.split_once('e').unwrap();
        SixDigits {
            digits: mantissa.replace('.', "").parse().unwrap(),
            exponent: exponent.parse().unwrap(),
        }
    }

    #[test]
    fn equals_the_standard_library() {
        let mut random = Random::new(29);
        for round in 0..400_000 {
            let exponent = 1023 - 17 + random.below(67);
            let mut bits = random.next() >> 12 | exponent << 52;
            if round % 2 == 0 {
                // Few significant bits make exact ties.
                bits &= !0 << (20 + random.below(32));
            }
            let value = f64::from_bits(bits);
            if let Some(found) = six_digits(value) {
                assert_eq!(found, reference(value), "{value:e}");
            } else {
                assert!(!(SMALLEST..LIMIT).contains(&value), "{value:e}");
            }
        }
    }

    #[test]
    fn powers_of_ten_and_ties() {
        for power in -5..15 {
            let value: f64 = format!("1e{power}").parse().unwrap();
            for value in [value, value.next_up(), value.next_down()] {
                if (SMALLEST..LIMIT).contains(&value) {
                    assert_eq!(six_digits(value), Some(reference(value)), "{value:e}");
                }
            }
        }
        for value in [
            123_456.5,
            123_457.5,
            999_999.5,
            12_345.25,
            12_345.75,
            0.5,
            1_234_565.0,
        ] {
            assert_eq!(six_digits(value), Some(reference(value)), "{value}");
        }
        for value in [0.0, -1.0, 1e-6, 1e15, f64::INFINITY, f64::NAN, 5e-324] {
            assert_eq!(six_digits(value), None);
        }
    }
}
