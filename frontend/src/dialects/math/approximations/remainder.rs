//! The remainder of a division of `f32`, exact.

use super::doubles::{sign_and_size, with_sign};
use super::{Machine, Order, ROUNDER};

/// A quotient of this many bits times a single is exact in double precision, and so is the difference of such a product
/// and a single.
const QUOTIENT_BITS: i32 = 29;
/// Quotients of singles are below 2^277.
const STEPS: i32 = 10;

/// `x` less the multiple of `y` towards zero from it, with the sign of `x`, as C's `fmod`. A long division: each step
/// takes off a multiple of `y` times a power of two, and leaves at most half of that.
pub fn remainder<M: Machine>(m: &mut M, x: M::Single, y: M::Single) -> M::Single {
    let (x, y) = (m.extend(x), m.extend(y));
    let (x_sign, x_size) = sign_and_size(m, x);
    let (_, y_size) = sign_and_size(m, y);
    let (one, rounder) = (m.double(1.0), m.double(ROUNDER));
    let inverse = m.div(one, y_size);
    let mut rest = x_size;
    for step in (0..STEPS).rev() {
        let exponent = QUOTIENT_BITS * step;
        let (scale, unscale) = (
            m.double(2_f64.powi(exponent)),
            m.double(2_f64.powi(-exponent)),
        );
        let scaled = m.mul(y_size, scale);
        let inverse = m.mul(inverse, unscale);
        let quotient = m.mul(rest, inverse);
        let rounded = m.add(quotient, rounder);
        let whole = m.sub(rounded, rounder);
        let multiple = m.mul(whole, scaled);
        rest = m.sub(rest, multiple);
    }
    let zero = m.double(0.0);
    let above = m.add(rest, y_size);
    let rest = m.select(Order::Less, [rest, zero], above, rest);
    // All of a finite number remains of a division by infinity; that of infinity is NaN.
    let nothing = m.mul(x_size, zero);
    let all = m.add(x_size, nothing);
    let infinity = m.double(f64::INFINITY);
    let rest = m.select(Order::Equal, [y_size, infinity], all, rest);
    let rest = with_sign(m, rest, x_sign);
    m.truncate(rest)
}
