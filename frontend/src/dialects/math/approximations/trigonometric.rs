//! Sine, cosine and tangent of `f32`, of any size: the argument is reduced in the way of Payne and Hanek.

use super::{Machine, Order, ROUNDER, SIGN, polynomial};

/// `2 / pi` in pieces of 28 bits: the product of each with a single is exact as a double.
const TWO_OVER_PI: [f64; 7] = [
    0.6366197690367699,
    3.3308114738561656e-09,
    2.276010047810136e-18,
    2.5268260189002822e-26,
    1.6682867657019525e-34,
    1.158871328288855e-43,
    7.053959174404295e-52,
];
/// The pieces that matter at a time.
const N_PIECES: usize = 4;
/// From these sizes on, the product with one piece more is a multiple of eight.
const SIZES: [f64; 3] = [
    (1_u128 << 54) as f64,
    (1_u128 << 82) as f64,
    (1_u128 << 110) as f64,
];
/// `sin(r) / r` of `r * r`, for `r` a little past a quarter of pi, to 2^-37.
const SINE: [f64; 5] = [
    0.9999999999956688,
    -0.16666666631563162,
    0.008333328779736226,
    -0.00019839201388559692,
    2.717338055746829e-06,
];
/// `cos(r)` of `r * r`, to 2^-44.
const COSINE: [f64; 6] = [
    0.9999999999999444,
    -0.4999999999935047,
    0.041666666543813194,
    -0.001388888038869402,
    2.4798927696218343e-05,
    -2.7173353546655085e-07,
];

/// An argument, as a quarter of the circle and the functions of the remainder.
pub(super) struct Turn<M: Machine, T> {
    /// The sign bit of the argument.
    pub(super) sign: M::Bits,
    /// The number of the quarter is in the low two bits.
    pub(super) quarter: M::Bits,
    pub(super) sine: T,
    pub(super) cosine: T,
}

/// The sine and the cosine of the remainder of the size of `x` past a multiple of a right angle.
fn reduce<M: Machine>(m: &mut M, x: M::Single) -> Turn<M, M::Double> {
    let x = m.extend(x);
    let pattern = m.bits(x);
    let sign = m.integer(SIGN);
    let sign = m.and(pattern, sign);
    let size = m.sub_bits(pattern, sign);
    let size = m.number(size);
    let product = |m: &mut M, place: usize| {
        let mut piece = m.double(TWO_OVER_PI[place]);
        for (i, &bound) in SIZES.iter().enumerate() {
            let (bound, other) = (m.double(bound), m.double(TWO_OVER_PI[place + i + 1]));
            piece = m.select(Order::Less, [size, bound], piece, other);
        }
        m.mul(size, piece)
    };
    let products: [M::Double; N_PIECES] = std::array::from_fn(|place| product(m, place));
    let rounder = m.double(ROUNDER);
    // Whole circles go; the remainders are exact.
    let remainder = |m: &mut M, a: M::Double| {
        let (quarter, four) = (m.double(0.25), m.double(4.0));
        let circles = m.mul(a, quarter);
        let circles = m.add(circles, rounder);
        let circles = m.sub(circles, rounder);
        let whole = m.mul(circles, four);
        m.sub(a, whole)
    };
    let first = remainder(m, products[0]);
    let second = remainder(m, products[1]);
    let sum = m.add(first, second);
    let sum = m.add(sum, products[2]);
    let rounded = m.add(sum, rounder);
    let whole = m.sub(rounded, rounder);
    // Where little is left, none of these sums is rounded but the last one.
    let rest = m.sub(first, whole);
    let rest = m.add(rest, second);
    let rest = m.add(rest, products[2]);
    let rest = m.add(rest, products[3]);
    let angle = m.double(std::f64::consts::FRAC_PI_2);
    let angle = m.mul(rest, angle);
    let square = m.mul(angle, angle);
    let factor = polynomial(m, square, &SINE);
    Turn {
        sign,
        quarter: m.bits(rounded),
        sine: m.mul(angle, factor),
        cosine: polynomial(m, square, &COSINE),
    }
}

/// `even` in even quarters, `odd` in odd ones.
fn by_parity<M: Machine>(
    m: &mut M,
    quarter: M::Bits,
    even: M::Double,
    odd: M::Double,
) -> M::Double {
    let one = m.integer(1);
    let low = m.and(quarter, one);
    // Zero or two.
    let low = m.shift_left(low, 62);
    let low = m.number(low);
    let zero = m.double(0.0);
    m.select(Order::Equal, [low, zero], even, odd)
}

/// `a` with the sign changed if `sign` has that bit.
pub(super) fn flip<M: Machine>(m: &mut M, a: M::Double, sign: M::Bits) -> M::Double {
    let pattern = m.bits(a);
    let pattern = m.add_bits(pattern, sign);
    m.number(pattern)
}

/// The sign bit if bit one is set: in the second half of the circle.
fn sign_of_half<M: Machine>(m: &mut M, quarter: M::Bits) -> M::Bits {
    let two = m.integer(2);
    let bit = m.and(quarter, two);
    m.shift_left(bit, 62)
}

impl<M: Machine, T> Turn<M, T> {
    /// The sine of the argument, of those of the remainder.
    pub(super) fn sin(&self, m: &mut M, [sine, cosine]: [M::Double; 2]) -> M::Double {
        let result = by_parity(m, self.quarter, sine, cosine);
        let half = sign_of_half(m, self.quarter);
        let sign = m.add_bits(half, self.sign);
        flip(m, result, sign)
    }

    /// The cosine.
    pub(super) fn cos(&self, m: &mut M, [sine, cosine]: [M::Double; 2]) -> M::Double {
        let result = by_parity(m, self.quarter, cosine, sine);
        // That of the next quarter is the sine's.
        let one = m.integer(1);
        let next = m.add_bits(self.quarter, one);
        let sign = sign_of_half(m, next);
        flip(m, result, sign)
    }

    /// The two numbers whose quotient is the tangent, but for the sign of the argument.
    pub(super) fn quotient(&self, m: &mut M, [sine, cosine]: [M::Double; 2]) -> [M::Double; 2] {
        let sign = m.integer(SIGN);
        let negated = flip(m, cosine, sign);
        let above = by_parity(m, self.quarter, sine, negated);
        let below = by_parity(m, self.quarter, cosine, sine);
        [above, below]
    }
}

/// The sine.
pub fn sin<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let turn = reduce(m, x);
    let result = turn.sin(m, [turn.sine, turn.cosine]);
    m.truncate(result)
}

/// The cosine.
pub fn cos<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let turn = reduce(m, x);
    let result = turn.cos(m, [turn.sine, turn.cosine]);
    m.truncate(result)
}

/// The tangent.
pub fn tan<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let turn = reduce(m, x);
    let [above, below] = turn.quotient(m, [turn.sine, turn.cosine]);
    let result = m.div(above, below);
    let result = flip(m, result, turn.sign);
    m.truncate(result)
}
