//! Sine, cosine and tangent of `f64`, of any size, within two units in the last place.
//!
//! Up to 2^27, multiples of a right angle are subtracted in the way of Cody and Waite; the arguments beyond, which few
//! programs have, are reduced in the way of Payne and Hanek, behind a branch.

use super::super::trigonometric::{Turn, flip};
use super::super::{Machine, Order, ROUNDER, polynomial};
use super::{Pair, pair_product, product, quick_sum, sign_and_size, split, sum};

/// Half of pi: four times 26 bits, whose products with integers of 27 bits are exact, and the rest.
const RIGHT_ANGLE: [f64; 5] = [
    1.5707963109016418,
    1.5893254712295857e-08,
    6.123233932053594e-17,
    6.368317055225283e-25,
    1.082856673921914e-32,
];
/// Below, the number of right angles has 27 bits.
const LARGE: f64 = (1_u64 << 27) as f64;
/// What [`std::f64::consts::FRAC_PI_2`] leaves out.
const FRAC_PI_2_REST: f64 = 6.123233995736766e-17;

/// `(sin(r) / r - 1) / z` for `z = r * r` and `r` up to a quarter of pi.
const SINE: [f64; 7] = [
    -0.16666666666666666,
    0.008333333333333331,
    -0.0001984126984126506,
    2.7557319219335453e-06,
    -2.5052106231157904e-08,
    1.605853141458901e-10,
    -7.586685070091267e-13,
];
/// `(cos(r) - 1 + z / 2) / (z * z)`.
const COSINE: [f64; 6] = [
    0.041666666666666664,
    -0.0013888888888887395,
    2.4801587298763433e-05,
    -2.7557317270560326e-07,
    2.0876146024689747e-09,
    -1.1382614868556325e-11,
];

/// `2 / pi`: piece `i + 2`, of 25 bits and a sign, times 2^(-26 (i + 1)).
const TWO_OVER_PI: [f64; 47] = [
    0.0,
    0.0,
    42722830.0,
    -18553791.0,
    21659402.0,
    -11021835.0,
    13858563.0,
    28715354.0,
    -28372764.0,
    4324945.0,
    26128251.0,
    -4434405.0,
    29957007.0,
    -29209133.0,
    -8382171.0,
    -17915747.0,
    6588224.0,
    -31593699.0,
    -20666723.0,
    -1144797.0,
    24988591.0,
    -12286742.0,
    -26099557.0,
    -12191772.0,
    5137526.0,
    -29785261.0,
    15192690.0,
    4585660.0,
    -8500721.0,
    -14681960.0,
    -34794.0,
    25231091.0,
    -3906857.0,
    -32871137.0,
    28629499.0,
    15891633.0,
    -26356782.0,
    -29399394.0,
    25143478.0,
    -11371604.0,
    33225084.0,
    24853767.0,
    15195689.0,
    19476135.0,
    -16853012.0,
    18845021.0,
    2185229.0,
];
/// Bits from one piece to the next one.
const PIECE: i32 = 26;
/// The pieces that matter at a time.
const N_PIECES: usize = 8;
/// Which arguments begin with the first piece: those below 2^28.
const FIRST_PIECE_BELOW: i32 = 28;

/// An argument, as a number of right angles and the remainder.
struct Reduced<M: Machine> {
    /// With [`ROUNDER`] added to it.
    quarters: M::Double,
    /// At most a quarter of pi, but for rounding.
    angle: Pair<M>,
}

/// Two to the power of `exponent`.
fn power(exponent: i32) -> f64 {
    f64::from(exponent).exp2()
}

/// Of a size below [`LARGE`].
fn reduce_common<M: Machine>(m: &mut M, size: M::Double) -> Reduced<M> {
    let (factor, rounder) = (m.double(std::f64::consts::FRAC_2_PI), m.double(ROUNDER));
    let quarters = m.mul(size, factor);
    let quarters = m.add(quarters, rounder);
    let whole = m.sub(quarters, rounder);
    let zero = m.double(0.0);
    let negated = m.sub(zero, whole);
    let parts = RIGHT_ANGLE.map(|part| {
        let part = m.double(part);
        m.mul(negated, part)
    });
    // Exact: both are multiples of the last bit of the smaller one.
    let rest = m.add(size, parts[0]);
    let [rest, first] = sum(m, rest, parts[1]);
    let [rest, second] = sum(m, rest, parts[2]);
    let [rest, third] = sum(m, rest, parts[3]);
    let lost = m.add(first, second);
    let lost = m.add(lost, third);
    let lost = m.add(lost, parts[4]);
    Reduced {
        quarters,
        angle: [rest, lost],
    }
}

/// `a`, of less than 2^54, without multiples of eight; exact.
fn remainder<M: Machine>(m: &mut M, a: M::Double) -> M::Double {
    let (eighth, eight, rounder) = (m.double(0.125), m.double(8.0), m.double(ROUNDER));
    let whole = m.mul(a, eighth);
    let whole = m.add(whole, rounder);
    let whole = m.sub(whole, rounder);
    let whole = m.mul(whole, eight);
    m.sub(a, whole)
}

/// Of a size from [`LARGE`] on.
///
/// The pieces of `2 / pi` whose product with the argument is a multiple of four, which makes whole circles, are skipped,
/// and the argument gets smaller by as much, until it is below 2^80. Its two halves, of 27 and 26 bits, are multiplied
/// by the next pieces: of a half and a piece, the product is exact, and so is the sum of the two that are alike in size.
fn reduce_large<M: Machine>(m: &mut M, size: M::Double) -> Reduced<M> {
    let mut size = size;
    let mut pieces = TWO_OVER_PI.map(|piece| m.double(piece)).to_vec();
    // The number of skipped pieces in binary.
    for step in [32_usize, 16, 8, 4, 2, 1] {
        let bound = m.double(power(FIRST_PIECE_BELOW + PIECE * (step as i32 - 1)));
        let factor = m.double(power(-PIECE * step as i32));
        let smaller = m.mul(size, factor);
        // Of the pieces that later steps reach.
        let reached = (N_PIECES + step - 1).min(pieces.len());
        pieces = (0..reached)
            .map(|i| match pieces.get(i + step) {
                Some(&skipped_to) => m.select(Order::Less, [size, bound], pieces[i], skipped_to),
                None => pieces[i],
            })
            .collect();
        size = m.select(Order::Less, [size, bound], size, smaller);
    }
    let factor = m.double(power(2 * PIECE));
    let size = m.mul(size, factor);
    let halves = split(m, size, PIECE as u32);
    // The first half times the first piece is a multiple of four.
    let sums: [M::Double; N_PIECES - 1] = std::array::from_fn(|i| {
        let mut term = |half: usize, piece: usize| {
            let factor = m.double(power(-PIECE * (piece as i32 + 1)));
            let half = m.mul(halves[half], factor);
            m.mul(half, pieces[piece])
        };
        let (of_first, of_second) = (term(0, i + 1), term(1, i));
        m.add(of_first, of_second)
    });
    let (first, second) = (remainder(m, sums[0]), remainder(m, sums[1]));
    let rounder = m.double(ROUNDER);
    let quarters = m.add(first, second);
    let quarters = m.add(quarters, sums[2]);
    let quarters = m.add(quarters, rounder);
    let whole = m.sub(quarters, rounder);
    // Exact, as these have no bits below 2^-50.
    let rest = m.sub(first, whole);
    let rest = m.add(rest, second);
    let [rest, first_lost] = sum(m, rest, sums[2]);
    // The remainder may be as small as 2^-62, where 2^-124 would show.
    let [next, next_lost] = quick_sum(m, sums[3], sums[4]);
    let [rest, lost] = sum(m, rest, next);
    let last = m.add(sums[5], sums[6]);
    let last = m.add(last, next_lost);
    let lost = m.add(lost, first_lost);
    let lost = m.add(lost, last);
    let rest = quick_sum(m, rest, lost);
    let right_angle = [std::f64::consts::FRAC_PI_2, FRAC_PI_2_REST].map(|part| m.double(part));
    Reduced {
        quarters,
        angle: pair_product(m, rest, right_angle),
    }
}

/// The sine and the cosine of the remainder of the size of `x` past a multiple of a right angle.
fn reduce<M: Machine>(m: &mut M, x: M::Double) -> Turn<M, Pair<M>> {
    let (sign, size) = sign_and_size(m, x);
    let common = reduce_common(m, size);
    let large = m.double(LARGE);
    let [quarters, r, rest] = m.unless(
        [size, large],
        [common.quarters, common.angle[0], common.angle[1]],
        |m| {
            let large = reduce_large(m, size);
            [large.quarters, large.angle[0], large.angle[1]]
        },
    );
    let square = m.mul(r, r);
    let (one, half) = (m.double(1.0), m.double(0.5));
    let half_square = m.mul(square, half);
    let nearly = m.sub(one, half_square);

    let tail = polynomial(m, square, &SINE);
    let cube = m.mul(square, r);
    let tail = m.mul(tail, cube);
    let more = m.mul(rest, nearly);
    let tail = m.add(tail, more);
    let sine = quick_sum(m, r, tail);

    let tail = polynomial(m, square, &COSINE);
    let fourth = m.mul(square, square);
    let tail = m.mul(tail, fourth);
    let more = m.mul(r, rest);
    let tail = m.sub(tail, more);
    let lost = m.sub(one, nearly);
    let lost = m.sub(lost, half_square);
    let tail = m.add(tail, lost);
    Turn {
        sign,
        quarter: m.bits(quarters),
        sine,
        cosine: quick_sum(m, nearly, tail),
    }
}

/// The sine.
pub fn sin<M: Machine>(m: &mut M, x: M::Double) -> M::Double {
    let turn = reduce(m, x);
    turn.sin(m, [turn.sine[0], turn.cosine[0]])
}

/// The cosine.
pub fn cos<M: Machine>(m: &mut M, x: M::Double) -> M::Double {
    let turn = reduce(m, x);
    turn.cos(m, [turn.sine[0], turn.cosine[0]])
}

/// The tangent.
pub fn tan<M: Machine>(m: &mut M, x: M::Double) -> M::Double {
    let turn = reduce(m, x);
    let [above, below] = turn.quotient(m, [turn.sine[0], turn.cosine[0]]);
    let [above_rest, below_rest] = turn.quotient(m, [turn.sine[1], turn.cosine[1]]);
    let quotient = m.div(above, below);
    // The rest of `above`, too small to show in a sum of it.
    let [exact, lost] = product(m, quotient, below);
    let left = m.sub(above, exact);
    let left = m.sub(left, lost);
    let more = m.mul(quotient, below_rest);
    let left = m.add(left, above_rest);
    let left = m.sub(left, more);
    let correction = m.div(left, below);
    let result = m.add(quotient, correction);
    flip(m, result, turn.sign)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::math::approximations::Numbers;

    /// Of all doubles, `6381956970095103 * 2^797` is the nearest to a multiple of a right angle; C libraries are off there.
    #[test]
    fn nearest_to_a_right_angle() {
        let x = 5.319372648326541e255;
        assert_eq!(sin(&mut Numbers, x), 1.0);
        assert_eq!(cos(&mut Numbers, x), -4.687165924254628e-19);
        assert_eq!(tan(&mut Numbers, x), -2.133485385753704e18);
        assert_eq!(tan(&mut Numbers, -x), 2.133485385753704e18);
    }
}
