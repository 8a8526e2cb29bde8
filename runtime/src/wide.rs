//! Division of 128-bit integers, which Cranelift does not offer.
//!
//! Operands and results are passed by pointer, because 128-bit arguments are passed in
//! different ways by different calling conventions. Dividing by zero, undefined in MLIR's
//! arith dialect, stops the program like the trap of narrower divisions; dividing the least
//! value by -1 wraps.

use core::num::NonZeroU64;

use crate::output::Output;
use crate::sys;

/// Quotient and remainder of `high * 2^64 + low` divided by `divisor`, where `high < divisor`:
/// two rounds of schoolbook division with 32-bit digits.
fn divide_by_word(high: u64, low: u64, divisor: NonZeroU64) -> (u64, u64) {
    let shift = divisor.leading_zeros();
    // With the top bit of the divisor set, a digit estimated from its upper half is at most two
    // too large.
    let divisor = divisor.get() << shift;
    let (upper, lower) = (divisor >> 32, divisor & 0xffff_ffff);
    let Some(upper_digit) = NonZeroU64::new(upper) else {
        return (0, 0);
    };
    let carried = if shift == 0 { 0 } else { low >> (64 - shift) };
    let low = low << shift;
    let round = |rest: u64, next_digit: u64| {
        let (mut digit, mut left) = (rest / upper_digit, rest % upper_digit);
        while digit >> 32 != 0 || digit.wrapping_mul(lower) > (left << 32 | next_digit) {
            digit -= 1;
            left += upper;
            if left >> 32 != 0 {
                break;
            }
        }
        let used = digit.wrapping_mul(divisor);
        (digit, (rest << 32 | next_digit).wrapping_sub(used))
    };
    let (first, rest) = round(high << shift | carried, low >> 32);
    let (second, rest) = round(rest, low & 0xffff_ffff);
    (first << 32 | second, rest >> shift)
}

/// Quotient and remainder.
fn divide(dividend: u128, divisor: u128) -> (u128, u128) {
    if dividend < divisor {
        return (0, dividend);
    }
    if divisor >> 64 == 0 {
        let Some(word) = NonZeroU64::new(divisor as u64) else {
            division_by_zero()
        };
        let high = (dividend >> 64) as u64;
        let (low, rest) = divide_by_word(high % word, dividend as u64, word);
        return (
            u128::from(high / word) << 64 | u128::from(low),
            u128::from(rest),
        );
    }
    // The quotient has less than 64 bits; find them one by one.
    let mut steps = divisor.leading_zeros() - dividend.leading_zeros();
    let mut shifted = divisor << steps;
    let (mut quotient, mut rest) = (0, dividend);
    loop {
        quotient <<= 1;
        if rest >= shifted {
            rest -= shifted;
            quotient |= 1;
        }
        if steps == 0 {
            return (quotient, rest);
        }
        steps -= 1;
        shifted >>= 1;
    }
}

/// Quotient rounded towards zero, and the remainder, which has the dividend's sign.
fn divide_signed(dividend: i128, divisor: i128) -> (i128, i128) {
    let (quotient, rest) = divide(dividend.unsigned_abs(), divisor.unsigned_abs());
    let (quotient, rest) = (quotient as i128, rest as i128);
    (
        if (dividend < 0) != (divisor < 0) {
            quotient.wrapping_neg()
        } else {
            quotient
        },
        if dividend < 0 {
            rest.wrapping_neg()
        } else {
            rest
        },
    )
}

#[cold]
fn division_by_zero() -> ! {
    let mut out = Output::stderr();
    out.text("error: division by zero\n");
    out.finish();
    // SAFETY: ends the program.
    unsafe { sys::abort() }
}

macro_rules! export {
    ($name:ident, $ty:ty, $divide:ident, $part:tt, $what:literal) => {
        #[doc = concat!("Stores the ", $what, " of `*dividend` by `*divisor` in `*out`.")]
        ///
        /// # Safety
        /// The pointers are valid; they may be equal and need not be aligned.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(out: *mut $ty, dividend: *const $ty, divisor: *const $ty) {
            // SAFETY: by the caller's promise.
            unsafe {
                let result = $divide(dividend.read_unaligned(), divisor.read_unaligned());
                out.write_unaligned(result.$part);
            }
        }
    };
}

export!(
    freehold_i128_divsi,
    i128,
    divide_signed,
    0,
    "signed quotient"
);
export!(
    freehold_i128_remsi,
    i128,
    divide_signed,
    1,
    "signed remainder"
);
export!(freehold_i128_divui, u128, divide, 0, "unsigned quotient");
export!(freehold_i128_remui, u128, divide, 1, "unsigned remainder");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    fn signed(
        function: unsafe extern "C" fn(*mut i128, *const i128, *const i128),
        a: i128,
        b: i128,
    ) -> i128 {
        let mut out = 0;
        // SAFETY: all three are valid.
        unsafe { function(&mut out, &a, &b) };
        out
    }

    fn unsigned(
        function: unsafe extern "C" fn(*mut u128, *const u128, *const u128),
        a: u128,
        b: u128,
    ) -> u128 {
        let mut out = 0;
        // SAFETY: all three are valid.
        unsafe { function(&mut out, &a, &b) };
        out
    }

    fn check(a: u128, b: u128) {
        if b == 0 {
            return;
        }
        assert_eq!(unsigned(freehold_i128_divui, a, b), a / b, "{a} / {b}");
        assert_eq!(unsigned(freehold_i128_remui, a, b), a % b, "{a} % {b}");
        let (a, b) = (a as i128, b as i128);
        assert_eq!(
            signed(freehold_i128_divsi, a, b),
            a.wrapping_div(b),
            "{a} / {b}"
        );
        assert_eq!(
            signed(freehold_i128_remsi, a, b),
            a.wrapping_rem(b),
            "{a} % {b}"
        );
    }

    #[test]
    fn edges() {
        let mut edges = std::vec![0u128];
        for bit in 0..128 {
            let power = 1u128 << bit;
            edges.extend([power, power - 1, power.wrapping_neg(), power + 1]);
        }
        edges.extend([
            0xffff_ffff_0000_0000,
            0xffff_fffe_ffff_ffff,
            0x8000_0000_ffff_ffff_0000_0000,
        ]);
        for &a in &edges {
            for &b in &edges {
                check(a, b);
            }
        }
    }

    #[test]
    fn random_values_of_all_lengths() {
        let mut random = Random::new(17);
        for _ in 0..300_000 {
            let mut value = || {
                let wide = u128::from(random.next()) << 64 | u128::from(random.next());
                wide >> random.below(128)
            };
            let (a, b) = (value(), value());
            check(a, b);
        }
    }
}
