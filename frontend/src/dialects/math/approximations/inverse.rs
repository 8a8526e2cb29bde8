//! The inverses of trigonometric and hyperbolic functions, and the hyperbolic functions themselves, of `f32`.

use super::doubles::{sign_and_size, with_sign};
use super::{
    LOGARITHM, Machine, Order, clamp, logarithm, polynomial, power_of_e, power_of_two,
    scaled_logarithm,
};

/// `(atan(t) / t - 1) / z` for `z = t * t` and `t` up to `TAN_PI_8`, to 2^-40.
const ARC_TANGENT: [f64; 7] = [
    -0.3333333329641508,
    0.1999999440375416,
    -0.14285426520362388,
    0.11104053768341529,
    -0.08997274391996125,
    0.06993076411604338,
    -0.037955426844504175,
];
/// The tangent of an eighth of a half turn.
const TAN_PI_8: f64 = 0.41421356237309503;
/// `(sinh(x) / x - 1) / z` for `z = x * x` up to 1: the sine to 2^-34.
const HYPERBOLIC_SINE: [f64; 4] = [
    0.16666666488645152,
    0.008333350603419235,
    0.00019836065168370788,
    2.8174460574170795e-06,
];
/// Below, two terms of a series are exact to 2^-40, and `1 + x` has lost less than that of `x` above.
const SMALL: f64 = 1.0 / 4096.0;

/// `x * (1 + square * p(square))`: an odd function, with the sign of zero.
fn odd<M: Machine>(m: &mut M, x: M::Double, square: M::Double, coefficients: &[f64]) -> M::Double {
    let one = m.double(1.0);
    let tail = polynomial(m, square, coefficients);
    let tail = m.mul(tail, square);
    let tail = m.add(tail, one);
    m.mul(x, tail)
}

/// `e^x` and `e^-x`, where the result of a function of them is not too large for a single.
fn powers<M: Machine>(m: &mut M, x: M::Single) -> [M::Double; 2] {
    let x = m.extend(x);
    let power = power_of_e(m, x);
    let one = m.double(1.0);
    [power, m.div(one, power)]
}

/// The hyperbolic sine.
pub fn sinh<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let x = clamp(m, x, [-90.0, 90.0]);
    let [power, inverse] = powers(m, x);
    let (one, half) = (m.double(1.0), m.double(0.5));
    let large = m.sub(power, inverse);
    let large = m.mul(large, half);
    let x = m.extend(x);
    let square = m.mul(x, x);
    let small = odd(m, x, square, &HYPERBOLIC_SINE);
    let result = m.select(Order::Less, [square, one], small, large);
    m.truncate(result)
}

/// The hyperbolic cosine.
pub fn cosh<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let x = clamp(m, x, [-90.0, 90.0]);
    let [power, inverse] = powers(m, x);
    let half = m.double(0.5);
    let sum = m.add(power, inverse);
    let result = m.mul(sum, half);
    m.truncate(result)
}

/// The angle of a point in the first quadrant whose coordinates are finite or NaN.
fn angle<M: Machine>(m: &mut M, y: M::Double, x: M::Double) -> M::Double {
    let (zero, one) = (m.double(0.0), m.double(1.0));
    let small = m.select(Order::Greater, [y, x], x, y);
    let large = m.select(Order::Greater, [y, x], y, x);
    // Beyond an eighth of a half turn, the angle to the diagonal is smaller.
    let tangent = m.double(TAN_PI_8);
    let bound = m.mul(large, tangent);
    let (difference, sum) = (m.sub(small, large), m.add(small, large));
    let above = m.select(Order::Greater, [small, bound], difference, small);
    let below = m.select(Order::Greater, [small, bound], sum, large);
    let below = m.select(Order::Equal, [large, zero], one, below);
    let quarter = m.double(std::f64::consts::FRAC_PI_4);
    let base = m.select(Order::Greater, [small, bound], quarter, zero);
    let t = m.div(above, below);
    let square = m.mul(t, t);
    let rest = odd(m, t, square, &ARC_TANGENT);
    let result = m.add(base, rest);
    let half = m.double(std::f64::consts::FRAC_PI_2);
    let other = m.sub(half, result);
    m.select(Order::Greater, [y, x], other, result)
}

/// `size`, finite where it was infinite, and as far from all singles.
fn bounded<M: Machine>(m: &mut M, size: M::Double) -> M::Double {
    let far = m.double(2.0_f64.powi(1000));
    m.select(Order::Greater, [size, far], far, size)
}

/// The angle of the point `(x, y)`, from minus to plus half a turn.
fn angle_of<M: Machine>(m: &mut M, y: M::Double, x: M::Double) -> M::Double {
    let (sign_of_y, y) = sign_and_size(m, y);
    let (sign_of_x, x) = sign_and_size(m, x);
    let (y, x) = (bounded(m, y), bounded(m, x));
    let right = angle(m, y, x);
    let (half_turn, zero, one) = (m.double(std::f64::consts::PI), m.double(0.0), m.double(1.0));
    let left = m.sub(half_turn, right);
    // One or minus one, of zeros too.
    let side = with_sign(m, one, sign_of_x);
    let result = m.select(Order::Less, [side, zero], left, right);
    with_sign(m, result, sign_of_y)
}

/// The inverse tangent.
pub fn atan<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let x = m.extend(x);
    let (sign, size) = sign_and_size(m, x);
    let (size, one) = (bounded(m, size), m.double(1.0));
    let result = angle(m, size, one);
    let result = with_sign(m, result, sign);
    m.truncate(result)
}

/// The inverse tangent of `y / x`, in the quadrant of `(x, y)`, with the special cases of C.
pub fn atan2<M: Machine>(m: &mut M, y: M::Single, x: M::Single) -> M::Single {
    let (y, x) = (m.extend(y), m.extend(x));
    let result = angle_of(m, y, x);
    m.truncate(result)
}

/// The other side of a right triangle with a side `x` and a hypotenuse of one; NaN if there is none.
fn other_side<M: Machine>(m: &mut M, x: M::Double) -> M::Double {
    let one = m.double(1.0);
    let (below, above) = (m.sub(one, x), m.add(one, x));
    let square = m.mul(below, above);
    m.sqrt(square)
}

/// The inverse sine.
pub fn asin<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let x = m.extend(x);
    let side = other_side(m, x);
    let (sign, size) = sign_and_size(m, x);
    let result = angle(m, size, side);
    let result = with_sign(m, result, sign);
    m.truncate(result)
}

/// The inverse cosine.
pub fn acos<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let x = m.extend(x);
    let side = other_side(m, x);
    let (_, side) = sign_and_size(m, side);
    let result = angle_of(m, side, x);
    m.truncate(result)
}

/// The inverse hyperbolic sine.
pub fn asinh<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let wide = m.extend(x);
    let (sign, size) = sign_and_size(m, wide);
    let (one, bound) = (m.double(1.0), m.double(SMALL));
    let square = m.mul(size, size);
    let root = m.add(square, one);
    let root = m.sqrt(root);
    let sum = m.add(size, root);
    let large = scaled_logarithm(m, sum, 1.0);
    let small = odd(m, size, square, &[-1.0 / 6.0]);
    let result = m.select(Order::Less, [size, bound], small, large);
    let result = with_sign(m, result, sign);
    let result = m.truncate(result);
    finite_or(m, x, result)
}

/// `result` where `x` is finite, and `x` elsewhere.
fn finite_or<M: Machine>(m: &mut M, x: M::Single, result: M::Single) -> M::Single {
    let (highest, lowest) = (m.single(f32::MAX), m.single(f32::MIN));
    let result = m.select_single(Order::Greater, [x, highest], x, result);
    let result = m.select_single(Order::Less, [x, lowest], x, result);
    m.select_single(Order::Equal, [x, x], result, x)
}

/// The inverse hyperbolic cosine.
pub fn acosh<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let wide = m.extend(x);
    let one = m.double(1.0);
    let (below, above) = (m.sub(wide, one), m.add(wide, one));
    let square = m.mul(below, above);
    let root = m.sqrt(square);
    let sum = m.add(wide, root);
    let result = scaled_logarithm(m, sum, 1.0);
    let result = m.truncate(result);
    let (one, nan, infinity) = (m.single(1.0), m.single(f32::NAN), m.single(f32::INFINITY));
    let result = m.select_single(Order::Less, [x, one], nan, result);
    let result = m.select_single(Order::Equal, [x, infinity], x, result);
    m.select_single(Order::Equal, [x, x], result, x)
}

/// The inverse hyperbolic tangent.
pub fn atanh<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let x = m.extend(x);
    let (sign, size) = sign_and_size(m, x);
    let (one, half, bound) = (m.double(1.0), m.double(0.5), m.double(SMALL));
    let (below, above) = (m.sub(one, size), m.add(one, size));
    let quotient = m.div(above, below);
    let large = scaled_logarithm(m, quotient, 1.0);
    let large = m.mul(large, half);
    let square = m.mul(size, size);
    let small = odd(m, size, square, &[1.0 / 3.0]);
    let result = m.select(Order::Less, [size, bound], small, large);
    let (infinity, nan) = (m.double(f64::INFINITY), m.double(f64::NAN));
    let result = m.select(Order::Less, [size, one], result, nan);
    let result = m.select(Order::Equal, [size, one], infinity, result);
    let result = with_sign(m, result, sign);
    m.truncate(result)
}

/// The cubic root.
pub fn cbrt<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let wide = m.extend(x);
    let (sign, size) = sign_and_size(m, wide);
    let (exponent, rest) = logarithm(m, size, &LOGARITHM);
    let factor = m.double(std::f64::consts::LOG2_E);
    let rest = m.mul(rest, factor);
    let log = m.add(exponent, rest);
    let third = m.double(1.0 / 3.0);
    let log = m.mul(log, third);
    let result = power_of_two(m, log);
    let result = with_sign(m, result, sign);
    let result = m.truncate(result);
    let zero = m.single(0.0);
    let result = m.select_single(Order::Equal, [x, zero], x, result);
    finite_or(m, x, result)
}
