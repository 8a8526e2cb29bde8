//! Results that are moved a little, as if operations had rounded in other ways.
//!
//! A program that is interpreted several times with noise shows how far its results depend on how operations round, so
//! that code which may round in other ways (fused products, sums in another order, shorter elementary functions) can be
//! held against the results (Monte Carlo arithmetic, D. S. Parker, 1997). Results that are exact in any order stay as they are.

use std::cell::Cell;

use freehold_frontend::ir::types::FloatKind;

use crate::float;

thread_local! {
    /// The state of the generator of random numbers; zero is none.
    static STATE: Cell<u64> = const { Cell::new(0) };
    /// Whether what overflows is the largest number: a product that is added in one rounding need not overflow.
    static SATURATES: Cell<bool> = const { Cell::new(false) };
}

/// A sum of two numbers on a grid this much finer than the larger one may round when others are added first.
const ROOM: i32 = 6;

/// Moves results of this thread from now on, or does not.
pub(crate) fn start(seed: Option<u64>) {
    SATURATES.set(seed.is_some_and(|seed| seed & 1 == 1));
    // The bits that are set keep the state from being zero, whatever the seed.
    STATE.set(seed.map_or(0, |seed| {
        seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 0x1000_0001
    }));
}

fn is_on() -> bool {
    STATE.get() != 0
}

/// A random number (xorshift).
fn random() -> u64 {
    let mut state = STATE.get();
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    STATE.set(state);
    state
}

/// The significant bits of a format and the least exponent of a number with all of them.
fn precision(kind: FloatKind) -> (i32, i32) {
    let one = float::encode(kind, 1.0);
    let next = float::decode(kind, one + 1) - 1.0;
    let digits = if next > 0.0 { -exponent(next) } else { 0 };
    let least = float::decode(kind, 1);
    (digits, exponent(least) + digits)
}

fn exponent(value: f64) -> i32 {
    libm::ilogb(value)
}

/// A result, moved by between one and two times this number of units in its last place, or in that of `scale` if that is
/// larger.
fn moved(kind: FloatKind, bits: u128, units: f64, scale: f64) -> u128 {
    let value = float::decode(kind, bits);
    if value.is_nan() {
        return bits;
    }
    let random = random();
    let sign = if random & 1 == 0 { 1.0 } else { -1.0 };
    if value.is_infinite() {
        return if SATURATES.get() { bits - 1 } else { bits };
    }
    let (digits, least) = precision(kind);
    let size = value.abs().max(scale);
    let at = if size == 0.0 {
        least
    } else {
        exponent(size).max(least)
    };
    let part = (random >> 11) as f64 / (1u64 << 53) as f64;
    let step = libm::ldexp(units * (1.0 + part), at - digits);
    let moved = float::encode(kind, value + sign * step);
    match SATURATES.get() && float::decode(kind, moved).is_infinite() {
        true => bits,
        false => moved,
    }
}

/// The result of an elementary function that may be off by this number of units in the last place.
pub(crate) fn function(kind: FloatKind, bits: u128, units: f64) -> u128 {
    match is_on() && float::decode(kind, bits).is_finite() {
        true => moved(kind, bits, units, 0.0),
        false => bits,
    }
}

/// The exponent of the last bit of a number.
fn last_bit(value: f64) -> i32 {
    let (_, exponent) = libm::frexp(value);
    let mantissa = value.to_bits() & ((1 << 52) - 1) | 1 << 52;
    exponent - 53 + mantissa.trailing_zeros() as i32
}

/// The sum of two numbers.
pub(crate) fn sum(kind: FloatKind, x: f64, y: f64, bits: u128) -> u128 {
    if !is_on() || !x.is_finite() || !y.is_finite() {
        return bits;
    }
    let sum = x + y;
    let part = sum - x;
    let error = (x - (sum - part)) + (y - part);
    let (digits, _) = precision(kind);
    let is_wide = || {
        let numbers = [x, y].into_iter().filter(|&number| number != 0.0);
        let top = numbers.clone().map(exponent).max().unwrap_or(0);
        let bottom = numbers.map(last_bit).min().unwrap_or(0);
        top - bottom + ROOM > digits
    };
    match error != 0.0 || float::decode(kind, bits) != sum || is_wide() {
        true => moved(kind, bits, 1.0, x.abs().max(y.abs())),
        false => bits,
    }
}

/// The product of two numbers.
pub(crate) fn product(kind: FloatKind, x: f64, y: f64, bits: u128) -> u128 {
    if !is_on() || !x.is_finite() || !y.is_finite() {
        return bits;
    }
    let product = x * y;
    match x.mul_add(y, -product) != 0.0 || float::decode(kind, bits) != product {
        true => moved(kind, bits, 1.0, 0.0),
        false => bits,
    }
}

/// `x * y + z`.
pub(crate) fn fused(kind: FloatKind, [x, y, z]: [f64; 3], bits: u128) -> u128 {
    let product = x * y;
    if !is_on() || !product.is_finite() || !z.is_finite() {
        return bits;
    }
    match x.mul_add(y, -product) != 0.0 {
        true => moved(kind, bits, 1.0, product.abs().max(z.abs())),
        false => sum(kind, product, z, bits),
    }
}

/// A number in a format with fewer bits.
pub(crate) fn shortened(kind: FloatKind, value: f64, bits: u128) -> u128 {
    match is_on() && value.is_finite() && float::decode(kind, bits) != value {
        true => moved(kind, bits, 1.0, 0.0),
        false => bits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn single(value: f32) -> u128 {
        value.to_bits().into()
    }

    #[test]
    fn what_is_exact_stays() {
        start(Some(7));
        let kind = FloatKind::F32;
        for _ in 0..100 {
            assert_eq!(sum(kind, 1.5, 2.0, single(3.5)), single(3.5));
            assert_eq!(product(kind, 1.5, -3.0, single(-4.5)), single(-4.5));
            let rounded = single(0.1f32 + 0.7f32);
            assert_ne!(sum(kind, 0.1f32.into(), 0.7f32.into(), rounded), rounded);
            let off = function(kind, single(1.0), 7.0) as i64 - i64::from(1.0f32.to_bits());
            assert!((7..=28).contains(&off.abs()), "{off}");
        }
        // Others may be added first.
        let large = 16_777_216.0;
        let moved =
            (0..10).any(|_| sum(kind, large, 0.0, single(large as f32)) != single(large as f32));
        assert!(!moved);
        assert_ne!(sum(kind, large, -large + 1.0, single(1.0)), single(1.0));
        start(None);
        assert_eq!(function(kind, single(1.0), 7.0), single(1.0));
    }

    #[test]
    fn the_largest_number_overflows_in_half_of_the_runs() {
        let kind = FloatKind::F32;
        let most = single(f32::MAX);
        let overflows = |seed| {
            start(Some(seed));
            let moved = (0..20).map(|_| sum(kind, f32::MAX.into(), 1.0, most));
            moved.into_iter().any(|bits| bits == single(f32::INFINITY))
        };
        assert!(overflows(2));
        assert!(!overflows(3));
        start(None);
    }

    #[test]
    fn formats_have_their_digits() {
        assert_eq!(precision(FloatKind::F32), (23, -126));
        assert_eq!(precision(FloatKind::F64), (52, -1022));
        assert_eq!(precision(FloatKind::F16), (10, -14));
        assert_eq!(last_bit(6.0), 1);
        assert_eq!(last_bit(-0.75), -2);
    }
}
