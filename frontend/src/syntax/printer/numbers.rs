//! Numbers as text. Floating-point numbers are formatted as upstream does:
//! six significant digits in scientific form if they read back to the same
//! value, else enough digits, else the bit pattern. Digits are first cut off, as
//! LLVM's `APFloat` does, and what is then left too many is rounded.

use std::fmt::Write as _;

use crate::ir::types::FloatKind;
use crate::syntax::parser::numbers::{Decoded, decode, from_f64, precision};

/// Appends an integer.
pub(super) fn push_integer(out: &mut String, value: i64) {
    // Two digits a step; the text of most numbers is short.
    let mut buffer = [0u8; 20];
    let mut at = buffer.len();
    let mut rest = value.unsigned_abs();
    loop {
        at -= 1;
        buffer[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        out.push('-');
    }
    out.push_str(std::str::from_utf8(&buffer[at..]).expect("digits are ASCII"));
}

/// Appends an integer of up to 128 bits.
pub(super) fn push_wide_integer(out: &mut String, value: i128, unsigned: bool) {
    match i64::try_from(value) {
        Ok(small) if small >= 0 || !unsigned => push_integer(out, small),
        _ if unsigned => out.push_str(&(value as u128).to_string()),
        _ => out.push_str(&value.to_string()),
    }
}

/// Appends a floating-point number given by its bits.
pub(super) fn push_float(out: &mut String, kind: FloatKind, bits: u128) {
    if let Decoded::Finite {
        negative,
        mantissa,
        exponent,
    } = decode(kind, bits)
    {
        let sign = if negative { "-" } else { "" };
        if mantissa == 0 {
            out.push_str(sign);
            out.push_str("0.000000e+00");
            return;
        }
        let exact = Exact::of(mantissa, exponent);
        let text = exact.rounded(6).scientific(6);
        if reads_back(kind, bits, negative, &exact.digits, &text) {
            out.push_str(sign);
            out.push_str(&text);
            return;
        }
        let n_digits = 2 + precision(kind) as usize * 59 / 196;
        let text = exact.rounded(n_digits).plain(n_digits);
        if text.contains('.') && !is_beyond_f64(kind, mantissa, exponent) {
            out.push_str(sign);
            out.push_str(&text);
            return;
        }
    }
    // Writing to a string cannot fail.
    let _ = write!(out, "0x{bits:X}");
}

/// Whether `text`, which is `exact` rounded, is `bits` when it is read.
fn reads_back(kind: FloatKind, bits: u128, negative: bool, exact: &Digits, text: &str) -> bool {
    let read = match kind {
        // These are never read back exactly unless nothing was rounded.
        FloatKind::F80 | FloatKind::F128 => return exact.digits.len() <= 6,
        FloatKind::F32 => text.parse::<f32>().map(|v| u128::from(v.to_bits())),
        _ => text.parse::<f64>().map(|v| from_f64(kind, v)),
    };
    let sign = u128::from(negative) << (kind.width() - 1);
    read.is_ok_and(|read| read | sign == bits)
}

/// Whether a number is no `f64`. The parser, as upstream's, reads decimal
/// literals as `f64`, so such a number must be written as its bits.
fn is_beyond_f64(kind: FloatKind, mantissa: u128, exponent: i32) -> bool {
    let shift = mantissa.trailing_zeros();
    let (mantissa, exponent) = (mantissa >> shift, exponent + shift as i32);
    let n_bits = 128 - mantissa.leading_zeros() as i32;
    matches!(kind, FloatKind::F80 | FloatKind::F128)
        && (n_bits > 53 || exponent < -1074 || exponent + n_bits > 1024)
}

/// All of a positive number.
struct Exact {
    digits: Digits,
    /// The zeros behind the digits of the integer that it is a power of ten of.
    n_zeros: usize,
    /// The bits of that integer.
    n_bits: usize,
}

impl Exact {
    /// `mantissa * 2^exponent`.
    fn of(mantissa: u128, exponent: i32) -> Self {
        let shift = mantissa.trailing_zeros();
        let (mantissa, exponent) = (mantissa >> shift, exponent + shift as i32);
        // m * 2^-k = m * 5^k * 10^-k
        let (base, power) = if exponent < 0 {
            (5, -exponent)
        } else {
            (2, exponent)
        };
        let mut limbs = Limbs::from(mantissa);
        limbs.multiply_by_power(base, power as u32);
        let mut digits = limbs.into_decimal();
        let n = digits.len();
        while digits.last() == Some(&0) {
            digits.pop();
        }
        let n_zeros = n - digits.len();
        let digits = Digits {
            digits,
            exponent: exponent.min(0) + n_zeros as i32,
        };
        let n_bits = match base {
            2 => (128 - mantissa.leading_zeros()) as usize + power as usize,
            _ => n_bits_times_fives(mantissa, power as u32),
        };
        Self {
            digits,
            n_zeros,
            n_bits,
        }
    }

    /// At most `n` digits. Upstream divides by as many powers of ten as surely leave `n` digits, and rounds the quotient.
    fn rounded(&self, n: usize) -> Digits {
        // 196 / 59 is a little more than the bits of a digit.
        let wanted = (n * 196).div_ceil(59);
        let n_cut = self.n_bits.saturating_sub(wanted) * 59 / 196;
        let n_cut = n_cut.saturating_sub(self.n_zeros);
        let n_left = self.digits.digits.len() - n_cut;
        let cut = Digits {
            digits: self.digits.digits[..n_left].to_vec(),
            exponent: self.digits.exponent + n_cut as i32,
        };
        cut.rounded(n)
    }
}

/// The bits of `mantissa * 5^power`.
fn n_bits_times_fives(mantissa: u128, mut power: u32) -> usize {
    // The largest power that is a factor of one limb's size.
    const STEP: u32 = 13;
    let mut limbs: Vec<u32> = (0..4).map(|i| (mantissa >> (32 * i)) as u32).collect();
    while power > 0 {
        let step = power.min(STEP);
        let factor = u64::from(5u32.pow(step));
        let mut carry = 0;
        for limb in &mut limbs {
            let product = u64::from(*limb) * factor + carry;
            *limb = product as u32;
            carry = product >> 32;
        }
        if carry > 0 {
            limbs.push(carry as u32);
        }
        power -= step;
    }
    let last = limbs.iter().rposition(|&limb| limb != 0).unwrap_or(0);
    32 * last + (32 - limbs[last].leading_zeros()) as usize
}

/// A positive number in decimal: `digits * 10^exponent`, most significant
/// digit first, the last one not zero.
struct Digits {
    digits: Vec<u8>,
    exponent: i32,
}

impl Digits {
    /// Rounded to at most `n` digits, a five goes up.
    fn rounded(&self, n: usize) -> Self {
        let mut digits = self.digits[..self.digits.len().min(n)].to_vec();
        let mut exponent = self.exponent + (self.digits.len() - digits.len()) as i32;
        if self.digits.get(n).is_some_and(|&digit| digit >= 5) {
            loop {
                match digits.last_mut() {
                    Some(9) => {
                        digits.pop();
                        exponent += 1;
                    }
                    Some(digit) => {
                        *digit += 1;
                        break;
                    }
                    None => {
                        digits.push(1);
                        break;
                    }
                }
            }
        }
        while digits.last() == Some(&0) {
            digits.pop();
            exponent += 1;
        }
        Self { digits, exponent }
    }

    fn push_digits(out: &mut String, digits: &[u8]) {
        out.extend(digits.iter().map(|&digit| char::from(b'0' + digit)));
    }

    /// `1.500000e+00` with `n` digits after the point.
    fn scientific(&self, n: usize) -> String {
        let mut out = String::with_capacity(n + 8);
        Self::push_digits(&mut out, &self.digits[..1]);
        out.push('.');
        Self::push_digits(&mut out, &self.digits[1..]);
        out.extend(std::iter::repeat_n('0', n + 1 - self.digits.len()));
        let exponent = self.exponent + self.digits.len() as i32 - 1;
        let sign = if exponent < 0 { '-' } else { '+' };
        let _ = write!(out, "e{sign}{:02}", exponent.unsigned_abs());
        out
    }

    /// `0.00123`, `12.5`, or `1.5E+20` where that would take too many zeros.
    fn plain(&self, n_digits: usize) -> String {
        const MAX_PADDING: i32 = 3;
        let n = self.digits.len() as i32;
        let leading = self.exponent + n - 1;
        let is_scientific = if self.exponent >= 0 {
            self.exponent > MAX_PADDING || n + self.exponent > n_digits as i32
        } else {
            leading < 0 && -leading > MAX_PADDING
        };
        let mut out = String::new();
        if is_scientific {
            Self::push_digits(&mut out, &self.digits[..1]);
            out.push('.');
            if n == 1 {
                out.push('0');
            }
            Self::push_digits(&mut out, &self.digits[1..]);
            let sign = if leading < 0 { '-' } else { '+' };
            let _ = write!(out, "E{sign}{}", leading.unsigned_abs());
        } else if self.exponent >= 0 {
            Self::push_digits(&mut out, &self.digits);
            out.extend(std::iter::repeat_n('0', self.exponent as usize));
        } else if leading >= 0 {
            let (whole, fraction) = self.digits.split_at(leading as usize + 1);
            Self::push_digits(&mut out, whole);
            out.push('.');
            Self::push_digits(&mut out, fraction);
        } else {
            out.push_str("0.");
            out.extend(std::iter::repeat_n('0', (-leading - 1) as usize));
            Self::push_digits(&mut out, &self.digits);
        }
        out
    }
}

/// A natural number, least significant limb first, in base one billion.
struct Limbs(Vec<u32>);

const LIMB: u64 = 1_000_000_000;

impl From<u128> for Limbs {
    fn from(mut value: u128) -> Self {
        let mut limbs = Vec::new();
        while value > 0 {
            limbs.push((value % u128::from(LIMB)) as u32);
            value /= u128::from(LIMB);
        }
        Self(limbs)
    }
}

impl Limbs {
    fn multiply(&mut self, factor: u32) {
        let mut carry = 0;
        for limb in &mut self.0 {
            let product = u64::from(*limb) * u64::from(factor) + carry;
            *limb = (product % LIMB) as u32;
            carry = product / LIMB;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    fn multiply_by_power(&mut self, base: u32, mut power: u32) {
        // The largest power of the base that is a factor of one limb's size.
        let (step, factor) = if base == 5 {
            (12, 244_140_625)
        } else {
            (29, 1 << 29)
        };
        while power >= step {
            self.multiply(factor);
            power -= step;
        }
        if power > 0 {
            self.multiply(base.pow(power));
        }
    }

    /// The decimal digits, most significant first.
    fn into_decimal(self) -> Vec<u8> {
        let mut digits = Vec::with_capacity(self.0.len() * 9);
        for &limb in self.0.iter().rev() {
            let text = format!("{limb:09}");
            digits.extend(text.bytes().map(|byte| byte - b'0'));
        }
        let first = digits.iter().position(|&digit| digit != 0);
        digits.drain(..first.unwrap_or(digits.len()));
        digits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: FloatKind, value: f64, expected: &str) {
        let mut out = String::new();
        push_float(&mut out, kind, from_f64(kind, value));
        assert_eq!(out, expected);
    }

    #[test]
    fn formats_like_upstream() {
        check(FloatKind::F64, 1.0, "1.000000e+00");
        check(FloatKind::F64, 0.0, "0.000000e+00");
        check(FloatKind::F64, -0.1, "-1.000000e-01");
        check(FloatKind::F32, 16_777_216.0, "0x4B800000");
        check(FloatKind::F32, f64::INFINITY, "0x7F800000");
        check(FloatKind::F64, 1.234_567_89, "1.2345678899999999");
        check(FloatKind::F64, 2f64.powi(-25), "2.9802322387695313E-8");
        check(FloatKind::BF16, 1.015_625, "1.015630e+00");
        check(FloatKind::F32, 1e10, "1.000000e+10");
        check(FloatKind::F32, 0.95, "0.949999988");
        check(FloatKind::F32, 1e-4, "9.99999974E-5");
        check(
            FloatKind::F64,
            -0.999_999_999_999_999_9,
            "-0.99999999999999988",
        );
    }
}
