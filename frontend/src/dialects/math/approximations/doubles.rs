//! Elementary functions of `f64`, within two units in the last place.
//!
//! Sums whose rounding would show are kept as two numbers, a leading part and what it leaves out. Polynomials are
//! near minimax (Chebyshev), with errors below 2^-57.

mod trigonometric;

pub use trigonometric::{cos, sin, tan};

use super::{BIAS, MANTISSA, Machine, Order, ROUNDER, SIGN, polynomial};

/// The natural logarithm of two: 32 bits, whose products with exponents are exact, and the rest.
const LN_2: [f64; 2] = [0.6931471803691238, 1.9082149292705877e-10];
/// One over it: 26 bits, and the rest.
const LOG2_E: [f64; 2] = [1.4426950216293335, 1.9259629911266175e-08];
/// The same of the logarithm of ten.
const LOG10_E: [f64; 2] = [0.4342944771051407, 4.798111141615973e-09];
/// The logarithm of two to base ten: 32 bits, and the rest.
const LOG10_2: [f64; 2] = [0.3010299955494702, 1.1451100898021838e-10];
/// What [`std::f64::consts`] leave out of numbers.
const LN_2_REST: f64 = 2.3190468138462996e-17;
const LOG2_E_REST: f64 = 2.0355273740931033e-17;
const TWO_THIRDS_REST: f64 = 3.700743415417188e-17;

/// `(e^r - 1 - r) / r^2` for `r` up to half the logarithm of two.
const EXPONENTIAL: [f64; 11] = [
    0.5,
    0.1666666666666667,
    0.04166666666666667,
    0.008333333333326084,
    0.0013888888888883711,
    0.0001984126987500228,
    2.480158732567746e-05,
    2.755725517000089e-06,
    2.755727347871858e-07,
    2.5105312729622103e-08,
    2.09147553258932e-09,
];
/// `((log((1 + s) / (1 - s)) / s - 2) / z - 2 / 3) / z` for `z = s * s` up to 0.0295.
const LOGARITHM: [f64; 8] = [
    0.4,
    0.2857142857142938,
    0.2222222222164882,
    0.1818181833699257,
    0.15384594791762352,
    0.13334813971292003,
    0.11705988156500907,
    0.11725771221811145,
];
/// `erf(x) / x - 1` of `x * x` up to 1.
const ERROR: [f64; 13] = [
    0.1283791670955126,
    -0.3761263890318375,
    0.11283791670954879,
    -0.026866170645076792,
    0.0052239776248180145,
    -0.000854832698083379,
    0.0001205533111164271,
    -1.4925595266831182e-05,
    1.6461000484121368e-06,
    -1.6350312701054695e-07,
    1.4659775274047436e-08,
    -1.1372848856791674e-09,
    5.957176147748911e-11,
];
/// `e^(x * x) * (1 - erf(x))` of `1 / (x + 2)`, for `x` in [1, 6].
const REST_OF_ERROR: [f64; 17] = [
    1.273194538411999e-08,
    0.5641886748920729,
    1.1284077674102482,
    1.9741595366538842,
    2.8258324602066986,
    2.6697328216797693,
    -0.7228605651893688,
    0.4045558368126824,
    -86.45933445351965,
    471.55570766079865,
    -2180.9601729464644,
    7781.0890875471505,
    -18775.426689495016,
    29840.22786377935,
    -30368.2623604029,
    18137.16016576931,
    -4875.8923220392635,
];

/// A number as the sum of two.
type Pair<M> = [<M as Machine>::Double; 2];

/// `a + b` as a pair.
fn sum<M: Machine>(m: &mut M, a: M::Double, b: M::Double) -> Pair<M> {
    let sum = m.add(a, b);
    let taken = m.sub(sum, a);
    let left = m.sub(sum, taken);
    let (first, second) = (m.sub(a, left), m.sub(b, taken));
    [sum, m.add(first, second)]
}

/// The same, where `a` is the larger one.
fn quick_sum<M: Machine>(m: &mut M, a: M::Double, b: M::Double) -> Pair<M> {
    let sum = m.add(a, b);
    let taken = m.sub(sum, a);
    [sum, m.sub(b, taken)]
}

/// A number without its last `bits`, and those.
fn split<M: Machine>(m: &mut M, a: M::Double, bits: u32) -> Pair<M> {
    let pattern = m.bits(a);
    let mask = m.integer(u64::MAX << bits);
    let leading = m.and(pattern, mask);
    let leading = m.number(leading);
    [leading, m.sub(a, leading)]
}

/// `a * b` as a pair.
fn product<M: Machine>(m: &mut M, a: M::Double, b: M::Double) -> Pair<M> {
    let product = m.mul(a, b);
    let ([a, a_rest], [b, b_rest]) = (split(m, a, 27), split(m, b, 27));
    let rest = m.mul(a, b);
    let mut rest = m.sub(rest, product);
    for (a, b) in [(a, b_rest), (a_rest, b), (a_rest, b_rest)] {
        let part = m.mul(a, b);
        rest = m.add(rest, part);
    }
    [product, rest]
}

/// The product of pairs.
fn pair_product<M: Machine>(m: &mut M, a: Pair<M>, b: Pair<M>) -> Pair<M> {
    let [leading, rest] = product(m, a[0], b[0]);
    let (first, second) = (m.mul(a[0], b[1]), m.mul(a[1], b[0]));
    let more = m.add(first, second);
    [leading, m.add(rest, more)]
}

/// `x` between two bounds; NaN stays.
fn clamp<M: Machine>(m: &mut M, x: M::Double, [low, high]: [f64; 2]) -> M::Double {
    let (low, high) = (m.double(low), m.double(high));
    let x = m.select(Order::Greater, [x, high], high, x);
    m.select(Order::Less, [x, low], low, x)
}

/// `x`, and the nearest integer; of a small number.
fn round<M: Machine>(m: &mut M, x: M::Double) -> M::Double {
    let rounder = m.double(ROUNDER);
    let rounded = m.add(x, rounder);
    m.sub(rounded, rounder)
}

/// The sign bit of `x`, and its size.
pub(super) fn sign_and_size<M: Machine>(m: &mut M, x: M::Double) -> (M::Bits, M::Double) {
    let pattern = m.bits(x);
    let sign = m.integer(SIGN);
    let sign = m.and(pattern, sign);
    let size = m.sub_bits(pattern, sign);
    (sign, m.number(size))
}

/// `size` with this sign bit.
pub(super) fn with_sign<M: Machine>(m: &mut M, size: M::Double, sign: M::Bits) -> M::Double {
    let pattern = m.bits(size);
    let pattern = m.or(pattern, sign);
    m.number(pattern)
}

/// Two to the power of an integer within the range of exponents.
fn whole_power<M: Machine>(m: &mut M, whole: M::Double) -> M::Double {
    let offset = m.double(ROUNDER + BIAS as f64);
    let exponent = m.add(whole, offset);
    let exponent = m.bits(exponent);
    let pattern = m.shift_left(exponent, MANTISSA);
    m.number(pattern)
}

/// `a` times two to the power of an integer, which may leave the range of exponents.
fn scale<M: Machine>(m: &mut M, a: M::Double, whole: M::Double) -> M::Double {
    let half = m.double(0.5);
    let half = m.mul(whole, half);
    let half = round(m, half);
    let rest = m.sub(whole, half);
    let (first, second) = (whole_power(m, half), whole_power(m, rest));
    let scaled = m.mul(a, first);
    m.mul(scaled, second)
}

/// An integer `k` and `x - k * ln 2`, which is small, as a pair.
fn reduce<M: Machine>(m: &mut M, x: M::Double) -> (M::Double, Pair<M>) {
    let factor = m.double(std::f64::consts::LOG2_E);
    let whole = m.mul(x, factor);
    let whole = round(m, whole);
    let [high, low] = LN_2.map(|part| m.double(part));
    let (high, low) = (m.mul(whole, high), m.mul(whole, low));
    let zero = m.double(0.0);
    (whole, [m.sub(x, high), m.sub(zero, low)])
}

/// Added to the first number of a small pair, gives `e^r - 1`.
fn tail_of_power<M: Machine>(m: &mut M, [r, rest]: Pair<M>) -> M::Double {
    let r = m.add(r, rest);
    let square = m.mul(r, r);
    let tail = polynomial(m, r, &EXPONENTIAL);
    let tail = m.mul(tail, square);
    m.add(tail, rest)
}

/// `e^r` for a small pair.
fn small_power<M: Machine>(m: &mut M, r: Pair<M>) -> M::Double {
    let tail = tail_of_power(m, r);
    let power = m.add(r[0], tail);
    let one = m.double(1.0);
    m.add(power, one)
}

/// `(e^x - 1) / 2^k` as a pair, and the integer `k`.
fn power_less_one<M: Machine>(m: &mut M, x: M::Double) -> (M::Double, Pair<M>) {
    let (whole, r) = reduce(m, x);
    let tail = tail_of_power(m, r);
    // One minus 2^-k, which far up is one.
    let zero = m.double(0.0);
    let negated = m.sub(zero, whole);
    let negated = clamp(m, negated, [-128.0, 128.0]);
    let (power, one) = (whole_power(m, negated), m.double(1.0));
    let constant = m.sub(one, power);
    let [leading, rest] = sum(m, constant, r[0]);
    (whole, [leading, m.add(rest, tail)])
}

/// `e^x`.
pub fn exp<M: Machine>(m: &mut M, x: M::Double) -> M::Double {
    // Beyond, results are zero or infinite.
    let x = clamp(m, x, [-746.0, 710.0]);
    let (whole, r) = reduce(m, x);
    let power = small_power(m, r);
    scale(m, power, whole)
}

/// `2^x`.
pub fn exp2<M: Machine>(m: &mut M, x: M::Double) -> M::Double {
    let x = clamp(m, x, [-1080.0, 1025.0]);
    let whole = round(m, x);
    let fraction = m.sub(x, whole);
    let (factor, zero) = (m.double(std::f64::consts::LN_2), m.double(0.0));
    let r = m.mul(fraction, factor);
    let power = small_power(m, [r, zero]);
    scale(m, power, whole)
}

/// `e^x - 1`.
pub fn expm1<M: Machine>(m: &mut M, x: M::Double) -> M::Double {
    let x = clamp(m, x, [-60.0, 710.0]);
    let (whole, [leading, rest]) = power_less_one(m, x);
    let result = m.add(leading, rest);
    let result = scale(m, result, whole);
    small_or(m, x, result)
}

/// `x` where that is the result, and keeps its sign: near zero.
fn small_or<M: Machine>(m: &mut M, x: M::Double, otherwise: M::Double) -> M::Double {
    let square = m.mul(x, x);
    let bound = m.double(1.0 / (1_u128 << 108) as f64);
    m.select(Order::Less, [square, bound], x, otherwise)
}

/// The hyperbolic tangent.
pub fn tanh<M: Machine>(m: &mut M, x: M::Double) -> M::Double {
    let (sign, size) = sign_and_size(m, x);
    let size = clamp(m, size, [0.0, 22.0]);
    let twice = m.add(size, size);
    let (whole, [leading, rest]) = power_less_one(m, twice);
    let power = whole_power(m, whole);
    let (leading, rest) = (m.mul(leading, power), m.mul(rest, power));
    let above = m.add(leading, rest);
    let two = m.double(2.0);
    let below = m.add(above, two);
    let result = m.div(above, below);
    let result = with_sign(m, result, sign);
    small_or(m, x, result)
}

/// An integer `k` and `x / 2^k - 1`, which is near zero; of a finite `x > 0`.
fn normalize<M: Machine>(m: &mut M, x: M::Double) -> [M::Double; 2] {
    let least = m.double(f64::MIN_POSITIVE);
    let factor = m.double((1_u64 << 54) as f64);
    let large = m.mul(x, factor);
    let scaled = m.select(Order::Less, [x, least], large, x);
    let (zero, moved) = (m.double(0.0), m.double(54.0));
    let moved = m.select(Order::Less, [x, least], moved, zero);
    let (exponent, reduced) = super::normalize(m, scaled);
    let one = m.double(1.0);
    [m.sub(exponent, moved), m.sub(reduced, one)]
}

/// The logarithm of `1 + f`, near one.
struct NearOne<M: Machine> {
    /// Half the square of `f`.
    half_square: M::Double,
    /// The logarithm is `f - half_square + rest`.
    rest: M::Double,
}

fn near_one<M: Machine>(m: &mut M, f: M::Double) -> NearOne<M> {
    let two = m.double(2.0);
    let below = m.add(f, two);
    let s = m.div(f, below);
    let z = m.mul(s, s);
    let tail = polynomial(m, z, &LOGARITHM);
    let tail = m.mul(tail, z);
    let constant = m.double(2.0 / 3.0);
    let tail = m.add(tail, constant);
    let tail = m.mul(tail, z);
    let square = m.mul(f, f);
    let half = m.double(0.5);
    let half_square = m.mul(square, half);
    let rest = m.add(half_square, tail);
    NearOne {
        half_square,
        rest: m.mul(s, rest),
    }
}

/// `k * ln 2 + log(1 + f) + more`.
fn natural<M: Machine>(m: &mut M, [k, f]: [M::Double; 2], more: M::Double) -> M::Double {
    let NearOne { half_square, rest } = near_one(m, f);
    let [high, low] = LN_2.map(|part| m.double(part));
    let (high, low) = (m.mul(k, high), m.mul(k, low));
    let low = m.add(low, more);
    let tail = m.add(rest, low);
    let tail = m.sub(half_square, tail);
    let tail = m.sub(tail, f);
    m.sub(high, tail)
}

/// `result`, a logarithm, where `x` is above its pole; the limits elsewhere.
fn with_limits<M: Machine>(m: &mut M, x: M::Double, pole: f64, result: M::Double) -> M::Double {
    let (pole, infinity) = (m.double(pole), m.double(f64::INFINITY));
    let (lowest, nan) = (m.double(f64::NEG_INFINITY), m.double(f64::NAN));
    let outside = m.select(Order::Equal, [x, pole], lowest, nan);
    let result = m.select(Order::Greater, [x, pole], result, outside);
    m.select(Order::Equal, [x, infinity], x, result)
}

/// The natural logarithm.
pub fn log<M: Machine>(m: &mut M, x: M::Double) -> M::Double {
    let normalized = normalize(m, x);
    let zero = m.double(0.0);
    let result = natural(m, normalized, zero);
    with_limits(m, x, 0.0, result)
}

/// `k * whole + factor * log(1 + f)`, where `k` times the first number of `whole` is exact.
fn to_base<M: Machine>(
    m: &mut M,
    [k, f]: [M::Double; 2],
    whole: [f64; 2],
    factor: [f64; 2],
) -> M::Double {
    let NearOne { half_square, rest } = near_one(m, f);
    let leading = m.sub(f, half_square);
    let [leading, _] = split(m, leading, 32);
    let left = m.sub(f, leading);
    let left = m.sub(left, half_square);
    let left = m.add(left, rest);
    let [high, low] = factor.map(|part| m.double(part));
    let exact = m.mul(leading, high);
    let all = m.add(leading, left);
    let (first, second) = (m.mul(all, low), m.mul(left, high));
    let small = m.add(first, second);
    let [high, low] = whole.map(|part| m.double(part));
    let (high, low) = (m.mul(k, high), m.mul(k, low));
    let small = m.add(small, low);
    let [sum, rounded] = quick_sum(m, high, exact);
    let small = m.add(small, rounded);
    m.add(sum, small)
}

/// The logarithm to base 2.
pub fn log2<M: Machine>(m: &mut M, x: M::Double) -> M::Double {
    let normalized = normalize(m, x);
    let result = to_base(m, normalized, [1.0, 0.0], LOG2_E);
    with_limits(m, x, 0.0, result)
}

/// The logarithm to base 10.
pub fn log10<M: Machine>(m: &mut M, x: M::Double) -> M::Double {
    let normalized = normalize(m, x);
    let result = to_base(m, normalized, LOG10_2, LOG10_E);
    with_limits(m, x, 0.0, result)
}

/// `log(1 + x)`.
pub fn log1p<M: Machine>(m: &mut M, x: M::Double) -> M::Double {
    let (zero, one) = (m.double(0.0), m.double(1.0));
    let sum = m.add(x, one);
    // What the sum has lost.
    let taken = m.sub(sum, x);
    let of_large = m.sub(one, taken);
    let taken = m.sub(sum, one);
    let of_small = m.sub(x, taken);
    let lost = m.select(Order::Greater, [x, one], of_large, of_small);
    let lost = m.div(lost, sum);
    let [k, f] = normalize(m, sum);
    // Near zero, nothing is to be lost.
    let [low, high] = [-0.29, 0.41].map(|bound| m.double(bound));
    let near = |m: &mut M, near: M::Double, far: M::Double| {
        let near = m.select(Order::Greater, [x, low], near, far);
        m.select(Order::Less, [x, high], near, far)
    };
    let (k, f, lost) = (near(m, zero, k), near(m, x, f), near(m, zero, lost));
    let result = natural(m, [k, f], lost);
    let result = with_limits(m, x, -1.0, result);
    small_or(m, x, result)
}

/// The error function.
pub fn erf<M: Machine>(m: &mut M, x: M::Double) -> M::Double {
    let square = m.mul(x, x);
    let factor = polynomial(m, square, &ERROR);
    let small = m.mul(x, factor);
    let small = m.add(small, x);
    let (sign, size) = sign_and_size(m, x);
    let size = clamp(m, size, [0.0, 6.0]);
    let (two, one) = (m.double(2.0), m.double(1.0));
    let place = m.add(size, two);
    let place = m.div(one, place);
    let rest = polynomial(m, place, &REST_OF_ERROR);
    let (zero, square_of_size) = (m.double(0.0), m.mul(size, size));
    let exponent = m.sub(zero, square_of_size);
    let (whole, r) = reduce(m, exponent);
    let power = small_power(m, r);
    let scaled = whole_power(m, whole);
    let power = m.mul(power, scaled);
    let rest = m.mul(power, rest);
    let large = m.sub(one, rest);
    let large = with_sign(m, large, sign);
    m.select(Order::Less, [square, one], small, large)
}

/// The logarithm to base 2 of a finite `x > 0` as a pair, to 2^-63.
fn long_logarithm<M: Machine>(m: &mut M, x: M::Double) -> Pair<M> {
    let [k, f] = normalize(m, x);
    // `s`, the quotient of `f` and `f + 2`.
    let (two, two_thirds) = (m.double(2.0), m.double(2.0 / 3.0));
    let [below, lost] = quick_sum(m, two, f);
    let s = m.div(f, below);
    let [exact, rest] = product(m, s, below);
    let left = m.sub(f, exact);
    let left = m.sub(left, rest);
    let more = m.mul(s, lost);
    let left = m.sub(left, more);
    let s = [s, m.div(left, below)];
    let z = pair_product(m, s, s);
    let tail = polynomial(m, z[0], &LOGARITHM);
    let tail = m.mul(tail, z[0]);
    let [leading, rest] = quick_sum(m, two_thirds, tail);
    let more = m.double(TWO_THIRDS_REST);
    let factor = [leading, m.add(rest, more)];
    let [leading, rest] = pair_product(m, z, factor);
    let [leading, lost] = quick_sum(m, two, leading);
    let factor = [leading, m.add(rest, lost)];
    let log = pair_product(m, s, factor);
    let per_exponent = [std::f64::consts::LOG2_E, LOG2_E_REST].map(|part| m.double(part));
    let log = pair_product(m, log, per_exponent);
    let [leading, rest] = sum(m, k, log[0]);
    let rest = m.add(rest, log[1]);
    quick_sum(m, leading, rest)
}

/// `x` to the power `y`, with the special cases of C.
pub fn pow<M: Machine>(m: &mut M, x: M::Double, y: M::Double) -> M::Double {
    let [zero, one, infinity] = [0.0, 1.0, f64::INFINITY].map(|number| m.double(number));
    let [lowest, nan] = [f64::NEG_INFINITY, f64::NAN].map(|number| m.double(number));
    let (sign, size) = sign_and_size(m, x);
    let log = long_logarithm(m, size);
    // More makes no difference, but overflows.
    let far = (1_u128 << 66) as f64;
    let factor = clamp(m, y, [-far, far]);
    let product = pair_product(m, log, [factor, zero]);
    // The limits of the logarithm are infinite.
    let limit = m.select(Order::Equal, [size, zero], lowest, infinity);
    let limit = m.mul(limit, y);
    let at_limit = |m: &mut M, there: M::Double, elsewhere: M::Double| {
        let result = m.select(Order::Equal, [size, zero], there, elsewhere);
        m.select(Order::Equal, [size, infinity], there, result)
    };
    let (exponent, rest) = (
        at_limit(m, limit, product[0]),
        at_limit(m, zero, product[1]),
    );
    let exponent = m.select(Order::Equal, [size, size], exponent, nan);
    // Beyond, results are zero or infinite, and the rest is no longer small.
    let within = clamp(m, exponent, [-1100.0, 1100.0]);
    let rest = m.select(Order::Equal, [within, exponent], rest, zero);
    let whole = round(m, within);
    let fraction = m.sub(within, whole);
    let [factor, more] = [std::f64::consts::LN_2, LN_2_REST].map(|part| m.double(part));
    let r = m.mul(fraction, factor);
    let (first, second) = (m.mul(rest, factor), m.mul(fraction, more));
    let rest = m.add(first, second);
    let power = small_power(m, [r, rest]);
    let power = scale(m, power, whole);

    // The sign of odd powers; from 2^53 on, all doubles are even.
    let (_, size_of_power) = sign_and_size(m, y);
    let even = m.double((1_u64 << 53) as f64);
    let parity = m.select(Order::Greater, [size_of_power, even], even, size_of_power);
    let whole_from = m.double((1_u64 << MANTISSA) as f64);
    let round = |m: &mut M, a| {
        let rounded = m.add(a, whole_from);
        let rounded = m.sub(rounded, whole_from);
        m.select(Order::Less, [a, whole_from], rounded, a)
    };
    let whole = round(m, parity);
    let half = m.double(0.5);
    let halved = m.mul(parity, half);
    let whole_half = round(m, halved);
    let sign = m.number(sign);
    let sign = m.select(Order::Equal, [whole_half, halved], zero, sign);
    let sign = m.select(Order::Equal, [whole, parity], sign, zero);
    let sign = m.bits(sign);
    let power = with_sign(m, power, sign);

    // Of negative finite numbers there are whole powers alone.
    let of_negative = m.select(Order::Equal, [whole, parity], power, nan);
    let of_negative = m.select(Order::Equal, [x, lowest], power, of_negative);
    let power = m.select(Order::Less, [x, zero], of_negative, power);
    // One, and to the power of zero: even where the other is NaN.
    let power = m.select(Order::Equal, [y, zero], one, power);
    m.select(Order::Equal, [x, one], one, power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects::math::approximations::Numbers;

    type Function = fn(f64) -> f64;

    /// With what the C library computes, and the ends of where results are numbers.
    const FUNCTIONS: &[(&str, Function, Function, [f64; 2])] = &[
        ("exp", |x| exp(&mut Numbers, x), f64::exp, [-746.0, 711.0]),
        (
            "exp2",
            |x| exp2(&mut Numbers, x),
            f64::exp2,
            [-1080.0, 1026.0],
        ),
        (
            "expm1",
            |x| expm1(&mut Numbers, x),
            f64::exp_m1,
            [-40.0, 711.0],
        ),
        ("log", |x| log(&mut Numbers, x), f64::ln, [0.0, 4.0]),
        ("log2", |x| log2(&mut Numbers, x), f64::log2, [0.0, 4.0]),
        ("log10", |x| log10(&mut Numbers, x), f64::log10, [0.0, 4.0]),
        ("log1p", |x| log1p(&mut Numbers, x), f64::ln_1p, [-1.0, 4.0]),
        ("tanh", |x| tanh(&mut Numbers, x), f64::tanh, [-23.0, 23.0]),
        ("erf", |x| erf(&mut Numbers, x), libm::erf, [-6.2, 6.2]),
        ("sin", |x| sin(&mut Numbers, x), f64::sin, [-2e8, 2e8]),
        ("cos", |x| cos(&mut Numbers, x), f64::cos, [-2e8, 2e8]),
        ("tan", |x| tan(&mut Numbers, x), f64::tan, [-2e8, 2e8]),
    ];

    const SPECIAL: [f64; 20] = [
        0.0,
        5e-324,
        1e-310,
        f64::MIN_POSITIVE,
        1e-20,
        0.29,
        0.41,
        0.5,
        1.0,
        1.5,
        2.0,
        3.0,
        4503599627370497.0,
        9007199254740991.0,
        std::f64::consts::FRAC_PI_2,
        std::f64::consts::PI,
        134217728.0,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
    ];

    /// How far two numbers are apart, in units in the last place of `exact`.
    fn distance(result: f64, exact: f64) -> f64 {
        let is_same = result.to_bits() == exact.to_bits() || result.is_nan() && exact.is_nan();
        if is_same {
            return 0.0;
        }
        if result.is_nan() || exact.is_nan() || result.signum() != exact.signum() {
            return f64::INFINITY;
        }
        result.to_bits().abs_diff(exact.to_bits()) as f64
    }

    /// Numbers in [0, 1).
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> f64 {
            self.0 = (self.0)
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (self.0 >> 11) as f64 / (1_u64 << 53) as f64
        }

        /// Between the ends, near zero, and of any exponent.
        fn argument(&mut self, [low, high]: [f64; 2]) -> f64 {
            let (kind, place) = (self.next(), self.next());
            match kind {
                ..0.2 => low + (high - low) * place,
                // Where sines and cosines are near zero.
                0.2..0.25 => (place * 1e9).round() * std::f64::consts::FRAC_PI_2,
                0.25..0.5 => (place - 0.5) * 4.0,
                0.5..0.75 => (place - 0.5) * (60.0 * (self.next() - 1.0)).exp2(),
                _ => f64::from_bits((place * u64::MAX as f64) as u64),
            }
        }

        fn powers(&mut self) -> [f64; 2] {
            let (kind, x, y) = (self.next(), self.next(), self.next());
            match kind {
                ..0.4 => [x * 4.0, (y - 0.5) * 200.0],
                0.4..0.8 => [x + 0.5, (y - 0.5) * 2000.0],
                _ => [((x - 0.5) * 2000.0).exp2(), (y - 0.5) * 4.0],
            }
        }
    }

    /// The C library is off by up to one unit, and we by up to two.
    #[test]
    fn near_the_c_library() {
        let mut random = Random(1);
        for &(name, function, exact, ends) in FUNCTIONS {
            let special = SPECIAL.into_iter().flat_map(|x| [x, -x]);
            let any: Vec<f64> = (0..20_000).map(|_| random.argument(ends)).collect();
            for x in special.chain(any) {
                let (result, exact) = (function(x), exact(x));
                let found = distance(result, exact);
                assert!(found <= 2.0, "{name}({x:e}) = {result:e}, not {exact:e}");
            }
        }
        let special = SPECIAL.into_iter().flat_map(|x| [x, -x]);
        let pairs = special
            .clone()
            .flat_map(|x| special.clone().map(move |y| [x, y]));
        let any: Vec<[f64; 2]> = (0..40_000).map(|_| random.powers()).collect();
        for [x, y] in pairs.chain(any) {
            let (result, exact) = (pow(&mut Numbers, x, y), x.powf(y));
            let found = distance(result, exact);
            assert!(
                found <= 2.0,
                "pow({x:e}, {y:e}) = {result:e}, not {exact:e}"
            );
        }
    }
}
