//! Elementary functions, made of arithmetic that every target has in vectors.
//!
//! Each is written once, for any [`Machine`]: one that computes ([`Numbers`], for constants), and one
//! that builds operations, in the pass that replaces `math` operations. So a constant that is folded,
//! a scalar and a lane of a vector are the same bits. There is no branch: special cases are selected at the end.
//!
//! Those of `f32`, here, in `inverse` and in `trigonometric`, compute in `f64` and round once at the end; the polynomials are
//! minimax (Remez), so results are within 0.52 units in the last place. `exhaustive` in the tests holds every function
//! of one argument to one unit, over all 2^32 inputs. [`doubles`] has those of `f64`; [`singles`] has forms that compute
//! in `f32`, for policies that allow them.

pub mod doubles;
mod inverse;
mod remainder;
pub mod singles;
mod trigonometric;

pub use inverse::{acos, acosh, asin, asinh, atan, atan2, atanh, cbrt, cosh, sinh};
pub use remainder::remainder;
pub use trigonometric::{cos, sin, tan};

/// How two numbers compare; not at all if one is NaN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The first is smaller.
    Less,
    /// The first is larger.
    Greater,
    /// They are equal.
    Equal,
}

/// What the functions are computed by. Operations round to nearest even.
pub trait Machine {
    /// A single-precision number, or several.
    type Single: Copy;
    /// As many double-precision numbers.
    type Double: Copy;
    /// As many 64-bit integers.
    type Bits: Copy;

    /// Whether subnormal numbers are more than zeros.
    fn keeps_subnormals(&self) -> bool {
        true
    }
    /// The same number everywhere.
    fn single(&mut self, number: f32) -> Self::Single;
    /// The same number everywhere.
    fn double(&mut self, number: f64) -> Self::Double;
    /// The same number everywhere.
    fn integer(&mut self, number: u64) -> Self::Bits;
    /// `then` where the two numbers of `pair` compare as `order`, `otherwise` elsewhere.
    fn select_single(
        &mut self,
        order: Order,
        pair: [Self::Single; 2],
        then: Self::Single,
        otherwise: Self::Single,
    ) -> Self::Single;
    /// The same for doubles.
    fn select(
        &mut self,
        order: Order,
        pair: [Self::Double; 2],
        then: Self::Double,
        otherwise: Self::Double,
    ) -> Self::Double;
    /// `common` where the first number of `pair` is smaller than the second one; elsewhere what `rare` computes, which
    /// is done only if there is such a place.
    fn unless<const N: usize>(
        &mut self,
        pair: [Self::Double; 2],
        common: [Self::Double; N],
        rare: impl FnOnce(&mut Self) -> [Self::Double; N],
    ) -> [Self::Double; N];
    /// Exact.
    fn extend(&mut self, a: Self::Single) -> Self::Double;
    /// Rounds.
    fn truncate(&mut self, a: Self::Double) -> Self::Single;
    /// `a + b`.
    fn add(&mut self, a: Self::Double, b: Self::Double) -> Self::Double;
    /// `a - b`.
    fn sub(&mut self, a: Self::Double, b: Self::Double) -> Self::Double;
    /// `a * b`.
    fn mul(&mut self, a: Self::Double, b: Self::Double) -> Self::Double;
    /// `a / b`.
    fn div(&mut self, a: Self::Double, b: Self::Double) -> Self::Double;
    /// The square root; NaN of numbers below zero.
    fn sqrt(&mut self, a: Self::Double) -> Self::Double;
    /// The pattern of a number.
    fn bits(&mut self, a: Self::Double) -> Self::Bits;
    /// The number of a pattern.
    fn number(&mut self, a: Self::Bits) -> Self::Double;
    /// `a + b`, wrapping.
    fn add_bits(&mut self, a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// `a - b`, wrapping.
    fn sub_bits(&mut self, a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// Both.
    fn and(&mut self, a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// Either.
    fn or(&mut self, a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// `a << by`.
    fn shift_left(&mut self, a: Self::Bits, by: u32) -> Self::Bits;
    /// `a >> by`, unsigned.
    fn shift_right(&mut self, a: Self::Bits, by: u32) -> Self::Bits;
}

/// Bits of a double's mantissa.
const MANTISSA: u32 = 52;
/// Added to a small number, it leaves the nearest integer in the low bits.
const ROUNDER: f64 = 1.5 * (1_u64 << MANTISSA) as f64;
/// Of exponents of doubles.
const BIAS: u64 = 1023;
const SIGN: u64 = 1 << 63;

/// `2^f` for `f` in [-0.5, 0.5], to 2^-34.
const POWER_OF_TWO: [f64; 8] = [
    0.9999999999616813,
    0.6931471807284465,
    0.24022651198159664,
    0.055504103534477454,
    0.009618027253498194,
    0.0013333922564295747,
    0.00015469291181765044,
    1.5201921375445404e-05,
];
/// `(log((1 + s) / (1 - s)) / s - 2) / z` for `z = s * s` up to 0.0295: the logarithm to 2^-37.
const LOGARITHM: [f64; 4] = [
    0.6666666564545597,
    0.4000033519103754,
    0.2853730853147216,
    0.23582151500865955,
];
/// The same; the logarithm to 2^-59.
const LONG_LOGARITHM: [f64; 7] = [
    0.6666666666666734,
    0.39999999999414676,
    0.28571428742387633,
    0.22222198573179955,
    0.18183564326455434,
    0.15314050542042626,
    0.14795949810479944,
];
/// `(tanh(x) / x - 1) / z` for `z = x * x` up to 1/16: the tangent to 2^-35.
const TANGENT: [f64; 4] = [
    -0.333333324523418,
    0.1333319561774121,
    -0.05390118415147137,
    0.02057370819277895,
];
/// `(e^x - 1 - x) / x^2` for `x` in [-0.5, 0.5]: the difference to 2^-33.
const POWER_LESS_ONE: [f64; 7] = [
    0.49999999995035976,
    0.1666666746047716,
    0.04166666927392347,
    0.008333140750552975,
    0.0013888543416338483,
    0.00019974019709103136,
    2.4970261146706432e-05,
];
/// `erf(x) / x` for `x * x` up to 1, to 2^-34.
const ERROR: [f64; 8] = [
    1.1283791670580228,
    -0.3761263843465604,
    0.11283781974181561,
    -0.02686540004649455,
    0.005220945444778202,
    -0.0008482829015653162,
    0.00011256949121347183,
    -9.641519493183788e-06,
];
/// `-log2(1 - erf(x))` for `x` in [1, 3.95]: the error function to 2^-34.
const LARGE_ERROR: [f64; 8] = [
    -0.00027127902969456433,
    1.62963716587957,
    0.9135432463134437,
    0.15641489632179734,
    -0.03636779852318995,
    0.006065890533013092,
    -0.0006367118762286982,
    3.128735545772824e-05,
];

/// `e^(x * x) * (1 - erf(x))` for `x` in [1, 10.1], as a polynomial in `1 / (x + 2)`, to 2^-33.
const REST_OF_ERROR: [f64; 11] = [
    8.042664134369167e-07,
    0.5641370759337614,
    1.1298766096408719,
    1.950219835435027,
    3.0715246287739078,
    1.027207656010255,
    6.4784728891019965,
    -21.510227465829097,
    -15.309132084023345,
    74.85157935565518,
    -53.33181137477078,
];

/// `c0 + x * (c1 + x * ...)`.
fn polynomial<M: Machine>(m: &mut M, x: M::Double, coefficients: &[f64]) -> M::Double {
    let (&last, rest) = coefficients.split_last().expect("a polynomial has terms");
    let mut sum = m.double(last);
    for &coefficient in rest.iter().rev() {
        let product = m.mul(sum, x);
        let coefficient = m.double(coefficient);
        sum = m.add(product, coefficient);
    }
    sum
}

/// `x` between two bounds; NaN stays.
fn clamp<M: Machine>(m: &mut M, x: M::Single, [low, high]: [f32; 2]) -> M::Single {
    let (low, high) = (m.single(low), m.single(high));
    let x = m.select_single(Order::Greater, [x, high], high, x);
    m.select_single(Order::Less, [x, low], low, x)
}

/// `2^x` for `x` well inside the range of exponents; of NaN NaN.
fn power_of_two<M: Machine>(m: &mut M, x: M::Double) -> M::Double {
    let rounder = m.double(ROUNDER);
    let rounded = m.add(x, rounder);
    let whole = m.sub(rounded, rounder);
    let fraction = m.sub(x, whole);
    let power = polynomial(m, fraction, &POWER_OF_TWO);
    // The low bits are the integer; of a NaN that was a single they are zero.
    let exponent = m.bits(rounded);
    let exponent = m.shift_left(exponent, MANTISSA);
    let power = m.bits(power);
    let scaled = m.add_bits(power, exponent);
    m.number(scaled)
}

/// `e^x` for `x` well inside the range of exponents.
fn power_of_e<M: Machine>(m: &mut M, x: M::Double) -> M::Double {
    let factor = m.double(std::f64::consts::LOG2_E);
    let x = m.mul(x, factor);
    power_of_two(m, x)
}

/// How numbers are stored.
struct Format {
    /// Bits of the mantissa.
    mantissa: u32,
    /// Of exponents.
    bias: u64,
    /// The pattern of the square root of one half.
    root_of_half: u64,
    /// The bits of the sign and the exponent, moved down.
    sign_and_exponent: u64,
}

const DOUBLE: Format = Format {
    mantissa: MANTISSA,
    bias: BIAS,
    root_of_half: 0x3fe6_a09e_667f_3bcd,
    sign_and_exponent: 0xfff,
};

impl Format {
    /// The number that stands for the exponent `k` in [`split_exponent`].
    fn biased(&self, k: f64) -> f64 {
        (1_u64 << self.mantissa) as f64 + self.bias as f64 + k
    }
}

/// An integer `k`, with [`Format::biased`], and `x / 2^k`, which is near one; of a finite `x > 0` that is normal.
fn split_exponent<M: Machine>(m: &mut M, x: M::Double, format: &Format) -> (M::Double, M::Double) {
    // Patterns of numbers from the square root of one half on have an exponent of the bias more.
    let one = format.bias << format.mantissa;
    let pattern = m.bits(x);
    let offset = m.integer(one - format.root_of_half);
    let moved = m.add_bits(pattern, offset);
    let exponent = m.shift_right(moved, format.mantissa);
    let whole = m.double((1_u64 << format.mantissa) as f64);
    let whole = m.bits(whole);
    let exponent = m.or(exponent, whole);
    let exponent = m.number(exponent);
    let mask = m.integer(format.sign_and_exponent << format.mantissa);
    let taken = m.and(moved, mask);
    let one = m.integer(one);
    let taken = m.sub_bits(taken, one);
    let reduced = m.sub_bits(pattern, taken);
    (exponent, m.number(reduced))
}

/// An integer `k` and `x / 2^k`, which is near one; of a finite `x > 0` that is normal.
fn normalize<M: Machine>(m: &mut M, x: M::Double) -> (M::Double, M::Double) {
    let (exponent, reduced) = split_exponent(m, x, &DOUBLE);
    let unbias = m.double(DOUBLE.biased(0.0));
    (m.sub(exponent, unbias), reduced)
}

/// An integer `k` and the natural logarithm of `x / 2^k`, which is near zero; of a finite `x > 0`.
fn logarithm<M: Machine>(m: &mut M, x: M::Double, coefficients: &[f64]) -> (M::Double, M::Double) {
    let (exponent, reduced) = normalize(m, x);
    let one = m.double(1.0);
    let above = m.add(reduced, one);
    let below = m.sub(reduced, one);
    let s = m.div(below, above);
    let z = m.mul(s, s);
    let tail = polynomial(m, z, coefficients);
    let tail = m.mul(tail, z);
    let two = m.double(2.0);
    let tail = m.add(tail, two);
    (exponent, m.mul(s, tail))
}

/// `log(x)` for a finite `x > 0`, divided by that of the base.
fn scaled_logarithm<M: Machine>(m: &mut M, x: M::Double, log_of_base: f64) -> M::Double {
    let (exponent, rest) = logarithm(m, x, &LOGARITHM);
    let per_exponent = m.double(std::f64::consts::LN_2 / log_of_base);
    let whole = m.mul(exponent, per_exponent);
    let rest = match log_of_base == 1.0 {
        true => rest,
        false => {
            let factor = m.double(1.0 / log_of_base);
            m.mul(rest, factor)
        }
    };
    m.add(whole, rest)
}

/// `result`, the logarithm of what is larger than -`shift` by as much as `x`, where `x` is that; the
/// limits elsewhere.
fn with_limits<M: Machine>(m: &mut M, x: M::Single, shift: f32, result: M::Single) -> M::Single {
    let (zero, infinity) = (m.single(-shift), m.single(f32::INFINITY));
    let (lowest, nan) = (m.single(f32::NEG_INFINITY), m.single(f32::NAN));
    let outside = m.select_single(Order::Equal, [x, zero], lowest, nan);
    let result = m.select_single(Order::Greater, [x, zero], result, outside);
    m.select_single(Order::Equal, [x, infinity], x, result)
}

fn log_to_base<M: Machine>(m: &mut M, x: M::Single, log_of_base: f64) -> M::Single {
    let wide = m.extend(x);
    let result = scaled_logarithm(m, wide, log_of_base);
    let result = m.truncate(result);
    with_limits(m, x, 0.0, result)
}

/// `e^x`.
pub fn exp<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    // Beyond, results are zero or infinite in single precision.
    let x = clamp(m, x, [-110.0, 90.0]);
    let x = m.extend(x);
    let power = power_of_e(m, x);
    m.truncate(power)
}

/// `2^x`.
pub fn exp2<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let x = clamp(m, x, [-160.0, 130.0]);
    let x = m.extend(x);
    let power = power_of_two(m, x);
    m.truncate(power)
}

/// `e^x - 1`.
pub fn expm1<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let x = clamp(m, x, [-30.0, 90.0]);
    let x = m.extend(x);
    let one = m.double(1.0);
    let power = power_of_e(m, x);
    let large = m.sub(power, one);
    // `x + x^2 * p(x)`, as a product that keeps the sign of zero.
    let tail = polynomial(m, x, &POWER_LESS_ONE);
    let tail = m.mul(tail, x);
    let tail = m.add(tail, one);
    let small = m.mul(x, tail);
    let square = m.mul(x, x);
    let bound = m.double(0.25);
    let result = m.select(Order::Less, [square, bound], small, large);
    m.truncate(result)
}

/// The natural logarithm.
pub fn log<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    log_to_base(m, x, 1.0)
}

/// The logarithm to base 2.
pub fn log2<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    log_to_base(m, x, std::f64::consts::LN_2)
}

/// The logarithm to base 10.
pub fn log10<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    log_to_base(m, x, std::f64::consts::LN_10)
}

/// `log(1 + x)`.
pub fn log1p<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let wide = m.extend(x);
    let one = m.double(1.0);
    let sum = m.add(wide, one);
    let large = scaled_logarithm(m, sum, 1.0);
    // Where the sum loses too much of `x`: three terms of the series.
    let tail = polynomial(m, wide, &[1.0, -0.5, 1.0 / 3.0]);
    let small = m.mul(wide, tail);
    let square = m.mul(wide, wide);
    let bound = m.double(1.0 / f64::from(1 << 20));
    let result = m.select(Order::Less, [square, bound], small, large);
    let result = m.truncate(result);
    with_limits(m, x, 1.0, result)
}

/// The hyperbolic tangent.
pub fn tanh<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let x = clamp(m, x, [-10.0, 10.0]);
    let x = m.extend(x);
    let one = m.double(1.0);
    let twice = m.add(x, x);
    let power = power_of_e(m, twice);
    let (below, above) = (m.sub(power, one), m.add(power, one));
    let large = m.div(below, above);
    let square = m.mul(x, x);
    let tail = polynomial(m, square, &TANGENT);
    let tail = m.mul(tail, square);
    let tail = m.add(tail, one);
    let small = m.mul(x, tail);
    let bound = m.double(1.0 / 16.0);
    let result = m.select(Order::Less, [square, bound], small, large);
    m.truncate(result)
}

/// The error function.
pub fn erf<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let x = clamp(m, x, [-3.95, 3.95]);
    let x = m.extend(x);
    let square = m.mul(x, x);
    let factor = polynomial(m, square, &ERROR);
    let small = m.mul(x, factor);
    let pattern = m.bits(x);
    let sign = m.integer(SIGN);
    let sign = m.and(pattern, sign);
    let size = m.sub_bits(pattern, sign);
    let size = m.number(size);
    let exponent = polynomial(m, size, &LARGE_ERROR);
    let zero = m.double(0.0);
    let exponent = m.sub(zero, exponent);
    let rest = power_of_two(m, exponent);
    let one = m.double(1.0);
    let large = m.sub(one, rest);
    let large = m.bits(large);
    let large = m.or(large, sign);
    let large = m.number(large);
    let result = m.select(Order::Less, [square, one], small, large);
    m.truncate(result)
}

/// One less the error function, to the last place where that is next to one.
pub fn erfc<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    // Beyond, results are zero or two.
    let x = clamp(m, x, [-4.0, 10.2]);
    let x = m.extend(x);
    let (zero, one, two) = (m.double(0.0), m.double(1.0), m.double(2.0));
    let square = m.mul(x, x);
    let factor = polynomial(m, square, &ERROR);
    let small = m.mul(x, factor);
    let small = m.sub(one, small);
    let negative = m.sub(zero, x);
    let size = m.select(Order::Less, [x, zero], negative, x);
    let place = m.add(size, two);
    let place = m.div(one, place);
    let rest = polynomial(m, place, &REST_OF_ERROR);
    let exponent = m.sub(zero, square);
    let power = power_of_e(m, exponent);
    let right = m.mul(power, rest);
    let left = m.sub(two, right);
    let large = m.select(Order::Less, [x, zero], left, right);
    let result = m.select(Order::Less, [square, one], small, large);
    m.truncate(result)
}

/// `x` to the power `y`, with the special cases of C.
pub fn pow<M: Machine>(m: &mut M, x: M::Single, y: M::Single) -> M::Single {
    let (x, y) = (m.extend(x), m.extend(y));
    let zero = m.double(0.0);
    let one = m.double(1.0);
    let infinity = m.double(f64::INFINITY);
    let nan = m.double(f64::NAN);
    let pattern = m.bits(x);
    let sign = m.integer(SIGN);
    let sign = m.and(pattern, sign);
    let size = m.sub_bits(pattern, sign);
    let size = m.number(size);

    // log2 of the size, times y.
    let (exponent, rest) = logarithm(m, size, &LONG_LOGARITHM);
    let factor = m.double(std::f64::consts::LOG2_E);
    let rest = m.mul(rest, factor);
    let log = m.add(exponent, rest);
    let lowest = m.double(f64::NEG_INFINITY);
    let log = m.select(Order::Equal, [size, zero], lowest, log);
    let log = m.select(Order::Equal, [size, infinity], infinity, log);
    let log = m.select(Order::Equal, [size, size], log, nan);
    let product = m.mul(log, y);
    // One to any power, infinite ones included.
    let product = m.select(Order::Equal, [size, one], zero, product);
    let (low, high) = (m.double(-160.0), m.double(130.0));
    let product = m.select(Order::Less, [product, low], low, product);
    let product = m.select(Order::Greater, [product, high], high, product);
    let power = power_of_two(m, product);
    // A NaN may have lost that when it was scaled.
    let power = m.select(Order::Equal, [product, product], power, nan);

    // The sign of odd powers; from 2^40 on, all singles are even.
    let bound = m.double((1_u64 << 40) as f64);
    let negative_bound = m.double(-((1_u64 << 40) as f64));
    let parity = m.select(Order::Greater, [y, bound], bound, y);
    let parity = m.select(Order::Less, [parity, negative_bound], bound, parity);
    let rounder = m.double(ROUNDER);
    let half = m.double(0.5);
    let round = |m: &mut M, a| {
        let rounded = m.add(a, rounder);
        m.sub(rounded, rounder)
    };
    let whole = round(m, parity);
    let halved = m.mul(parity, half);
    let whole_half = round(m, halved);
    let sign = m.number(sign);
    let sign = m.select(Order::Equal, [whole_half, halved], zero, sign);
    let sign = m.select(Order::Equal, [whole, parity], sign, zero);
    let (pattern, sign) = (m.bits(power), m.bits(sign));
    let power = m.or(pattern, sign);
    let power = m.number(power);

    // Of negative finite numbers there are whole powers alone.
    let of_negative = m.select(Order::Equal, [whole, parity], power, nan);
    let of_negative = m.select(Order::Equal, [x, lowest], power, of_negative);
    let power = m.select(Order::Less, [x, zero], of_negative, power);
    // One, and to the power of zero: even where the other is NaN.
    let power = m.select(Order::Equal, [y, zero], one, power);
    let power = m.select(Order::Equal, [x, one], one, power);
    m.truncate(power)
}

/// The inverse hyperbolic cosine of a double. That of `libm` takes numbers below minus two for others.
pub fn library_acosh(x: f64) -> f64 {
    match x < 1.0 {
        true => f64::NAN,
        false => libm::acosh(x),
    }
}

/// The machine that computes.
#[derive(Clone, Copy, Debug)]
pub struct Numbers;

fn compares<T: PartialOrd>(order: Order, [a, b]: [T; 2]) -> bool {
    match order {
        Order::Less => a < b,
        Order::Greater => a > b,
        Order::Equal => a == b,
    }
}

impl Machine for Numbers {
    type Single = f32;
    type Double = f64;
    type Bits = u64;

    fn single(&mut self, number: f32) -> f32 {
        number
    }
    fn double(&mut self, number: f64) -> f64 {
        number
    }
    fn integer(&mut self, number: u64) -> u64 {
        number
    }
    fn select_single(&mut self, order: Order, pair: [f32; 2], then: f32, otherwise: f32) -> f32 {
        if compares(order, pair) {
            then
        } else {
            otherwise
        }
    }
    fn select(&mut self, order: Order, pair: [f64; 2], then: f64, otherwise: f64) -> f64 {
        if compares(order, pair) {
            then
        } else {
            otherwise
        }
    }
    fn unless<const N: usize>(
        &mut self,
        [a, b]: [f64; 2],
        common: [f64; N],
        rare: impl FnOnce(&mut Self) -> [f64; N],
    ) -> [f64; N] {
        if a < b { common } else { rare(self) }
    }
    fn extend(&mut self, a: f32) -> f64 {
        f64::from(a)
    }
    fn truncate(&mut self, a: f64) -> f32 {
        a as f32
    }
    fn add(&mut self, a: f64, b: f64) -> f64 {
        a + b
    }
    fn sub(&mut self, a: f64, b: f64) -> f64 {
        a - b
    }
    fn mul(&mut self, a: f64, b: f64) -> f64 {
        a * b
    }
    fn div(&mut self, a: f64, b: f64) -> f64 {
        a / b
    }
    fn sqrt(&mut self, a: f64) -> f64 {
        a.sqrt()
    }
    fn bits(&mut self, a: f64) -> u64 {
        a.to_bits()
    }
    fn number(&mut self, a: u64) -> f64 {
        f64::from_bits(a)
    }
    fn add_bits(&mut self, a: u64, b: u64) -> u64 {
        a.wrapping_add(b)
    }
    fn sub_bits(&mut self, a: u64, b: u64) -> u64 {
        a.wrapping_sub(b)
    }
    fn and(&mut self, a: u64, b: u64) -> u64 {
        a & b
    }
    fn or(&mut self, a: u64, b: u64) -> u64 {
        a | b
    }
    fn shift_left(&mut self, a: u64, by: u32) -> u64 {
        a << by
    }
    fn shift_right(&mut self, a: u64, by: u32) -> u64 {
        a >> by
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The machine whose doubles are singles, which keeps subnormal numbers or does not.
    struct Singles(bool);

    /// What a processor that has no subnormal numbers takes a number for.
    fn flushed(x: f32) -> f32 {
        match x.is_subnormal() {
            true => 0.0_f32.copysign(x),
            false => x,
        }
    }

    impl Machine for Singles {
        type Single = f32;
        type Double = f32;
        type Bits = u32;

        fn keeps_subnormals(&self) -> bool {
            self.0
        }
        fn single(&mut self, number: f32) -> f32 {
            number
        }
        fn double(&mut self, number: f64) -> f32 {
            number as f32
        }
        fn integer(&mut self, number: u64) -> u32 {
            number as u32
        }
        fn select_single(&mut self, order: Order, pair: [f32; 2], then: f32, other: f32) -> f32 {
            Numbers.select_single(order, pair, then, other)
        }
        fn select(&mut self, order: Order, pair: [f32; 2], then: f32, other: f32) -> f32 {
            Numbers.select_single(order, pair, then, other)
        }
        fn unless<const N: usize>(
            &mut self,
            [a, b]: [f32; 2],
            common: [f32; N],
            rare: impl FnOnce(&mut Self) -> [f32; N],
        ) -> [f32; N] {
            if a < b { common } else { rare(self) }
        }
        fn extend(&mut self, a: f32) -> f32 {
            a
        }
        fn truncate(&mut self, a: f32) -> f32 {
            a
        }
        fn add(&mut self, a: f32, b: f32) -> f32 {
            a + b
        }
        fn sub(&mut self, a: f32, b: f32) -> f32 {
            a - b
        }
        fn mul(&mut self, a: f32, b: f32) -> f32 {
            a * b
        }
        fn div(&mut self, a: f32, b: f32) -> f32 {
            a / b
        }
        fn sqrt(&mut self, a: f32) -> f32 {
            a.sqrt()
        }
        fn bits(&mut self, a: f32) -> u32 {
            a.to_bits()
        }
        fn number(&mut self, a: u32) -> f32 {
            f32::from_bits(a)
        }
        fn add_bits(&mut self, a: u32, b: u32) -> u32 {
            a.wrapping_add(b)
        }
        fn sub_bits(&mut self, a: u32, b: u32) -> u32 {
            a.wrapping_sub(b)
        }
        fn and(&mut self, a: u32, b: u32) -> u32 {
            a & b
        }
        fn or(&mut self, a: u32, b: u32) -> u32 {
            a | b
        }
        fn shift_left(&mut self, a: u32, by: u32) -> u32 {
            a << by
        }
        fn shift_right(&mut self, a: u32, by: u32) -> u32 {
            a >> by
        }
    }

    type Function = fn(f32) -> f32;
    type Exact = fn(f64) -> f64;

    const FUNCTIONS: &[(&str, Function, Exact)] = &[
        ("exp", |x| exp(&mut Numbers, x), f64::exp),
        ("exp2", |x| exp2(&mut Numbers, x), f64::exp2),
        ("expm1", |x| expm1(&mut Numbers, x), f64::exp_m1),
        ("log", |x| log(&mut Numbers, x), f64::ln),
        ("log2", |x| log2(&mut Numbers, x), f64::log2),
        ("log10", |x| log10(&mut Numbers, x), f64::log10),
        ("log1p", |x| log1p(&mut Numbers, x), f64::ln_1p),
        ("tanh", |x| tanh(&mut Numbers, x), f64::tanh),
        ("erf", |x| erf(&mut Numbers, x), libm::erf),
        ("erfc", |x| erfc(&mut Numbers, x), libm::erfc),
        ("sinh", |x| sinh(&mut Numbers, x), f64::sinh),
        ("cosh", |x| cosh(&mut Numbers, x), f64::cosh),
        ("asin", |x| asin(&mut Numbers, x), f64::asin),
        ("acos", |x| acos(&mut Numbers, x), f64::acos),
        ("atan", |x| atan(&mut Numbers, x), f64::atan),
        ("asinh", |x| asinh(&mut Numbers, x), libm::asinh),
        ("acosh", |x| acosh(&mut Numbers, x), library_acosh),
        ("atanh", |x| atanh(&mut Numbers, x), libm::atanh),
        ("cbrt", |x| cbrt(&mut Numbers, x), f64::cbrt),
        ("sin", |x| sin(&mut Numbers, x), f64::sin),
        ("cos", |x| cos(&mut Numbers, x), f64::cos),
        ("tan", |x| tan(&mut Numbers, x), f64::tan),
    ];

    /// Those that compute in single precision, and how far off they may be.
    const OF_SINGLES: &[(&str, Function, Exact, f64)] = &[
        (
            "exp",
            |x| singles::exp(&mut Singles(true), x),
            f64::exp,
            1.5,
        ),
        ("log", |x| singles::log(&mut Singles(true), x), f64::ln, 1.5),
        (
            "log1p",
            |x| singles::log1p(&mut Singles(true), x),
            f64::ln_1p,
            1.5,
        ),
        (
            "tanh",
            |x| singles::tanh(&mut Singles(true), x),
            f64::tanh,
            7.0,
        ),
        (
            "erf",
            |x| singles::erf(&mut Singles(true), x),
            libm::erf,
            7.0,
        ),
        (
            "exp without subnormal numbers",
            |x| flushed(singles::exp(&mut Singles(false), flushed(x))),
            |x| f64::from(flushed(x.exp() as f32)),
            1.5,
        ),
        (
            "log without subnormal numbers",
            |x| singles::log(&mut Singles(false), flushed(x)),
            |x| f64::from(flushed(x as f32)).ln(),
            1.5,
        ),
    ];

    /// How far `result` is from `exact`, in units in the last place of `exact`; `None` if only one is
    /// NaN or infinite, or the sign of zero is wrong.
    fn distance(result: f32, exact: f64) -> Option<f64> {
        let rounded = exact as f32;
        if rounded.is_nan() || rounded.is_infinite() || rounded == 0.0 {
            let is_same =
                result.to_bits() == rounded.to_bits() || result.is_nan() && rounded.is_nan();
            // An exact result at the edge of the range may round to either side of it.
            let is_next = rounded.to_bits().abs_diff(result.to_bits()) <= 1 && !rounded.is_nan();
            return (is_same || is_next).then_some(f64::from(u8::from(!is_same)));
        }
        let exponent = rounded.abs().to_bits() >> 23;
        let unit = f64::from(2.0_f32).powi(exponent.max(1) as i32 - 150);
        let distance = (f64::from(result) - exact).abs() / unit;
        distance.is_finite().then_some(distance)
    }

    /// The largest distance over the patterns of `range`.
    fn worst(function: Function, exact: Exact, patterns: impl Iterator<Item = u32>) -> (f64, f32) {
        let mut worst = (0.0, 0.0);
        for pattern in patterns {
            let x = f32::from_bits(pattern);
            let found = distance(function(x), exact(f64::from(x)));
            let found = found.unwrap_or(f64::INFINITY);
            if found > worst.0 {
                worst = (found, x);
            }
        }
        worst
    }

    #[test]
    fn sampled() {
        for &(name, function, exact) in FUNCTIONS {
            let edges = [
                0.0,
                1.0,
                0.25,
                0.5,
                4.0,
                f32::INFINITY,
                f32::NAN,
                f32::MIN_POSITIVE,
            ];
            let edges = edges.into_iter().flat_map(|x| [x, -x]);
            let near = edges
                .flat_map(|x| (0..64).map(move |d| x.to_bits().wrapping_add(d).wrapping_sub(32)));
            let (distance, at) = worst(function, exact, (0..=u32::MAX).step_by(40_009).chain(near));
            assert!(distance <= 1.0, "{name}({at:e}) is off by {distance} units");
        }
        for &(name, function, exact, limit) in OF_SINGLES {
            let (distance, at) = worst(function, exact, (0..=u32::MAX).step_by(40_009));
            assert!(
                distance <= limit,
                "{name}({at:e}) is off by {distance} units"
            );
        }
    }

    /// `cargo test --release -p freehold-frontend exhaustive -- --ignored --nocapture`
    #[test]
    #[ignore = "takes minutes in a release build"]
    fn exhaustive() {
        for &(name, function, exact) in FUNCTIONS {
            let (distance, at) = worst(function, exact, 0..=u32::MAX);
            eprintln!("{name}: at most {distance:.4} units, at {at:e}");
            assert!(distance <= 1.0);
        }
        for &(name, function, exact, limit) in OF_SINGLES {
            let (distance, at) = worst(function, exact, 0..=u32::MAX);
            eprintln!("{name} in single precision: at most {distance:.4} units, at {at:e}");
            assert!(distance <= limit);
        }
    }

    #[test]
    fn powers_and_angles() {
        let special = [
            0.0,
            0.5,
            1.0,
            1.5,
            2.0,
            3.0,
            1e9,
            8388609.0,
            16777217.0,
            3e38,
            1e-40,
            f32::INFINITY,
            f32::NAN,
            f32::EPSILON,
        ];
        let special: Vec<f32> = special.iter().flat_map(|&x| [x, -x]).collect();
        let mut state = 1_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) as u32
        };
        let mut pairs: Vec<[f32; 2]> = Vec::new();
        pairs.extend(
            special
                .iter()
                .flat_map(|&x| special.iter().map(move |&y| [x, y])),
        );
        pairs.extend((0..200_000).map(|_| [random(), random()].map(|r| f32::from_bits(r << 1))));
        // Around where results are finite.
        pairs.extend((0..200_000).map(|_| {
            let [x, y] = [random(), random()].map(|r| r as f32 / (1_u64 << 31) as f32);
            [x * 4.0, (y - 0.5) * 100.0]
        }));
        for [x, y] in pairs {
            let (result, exact) = (pow(&mut Numbers, x, y), f64::from(x).powf(f64::from(y)));
            let found = distance(result, exact).unwrap_or(f64::INFINITY);
            assert!(
                found <= 1.0,
                "pow({x:e}, {y:e}) = {result:e}, not {exact:e}"
            );
            let (result, exact) = (atan2(&mut Numbers, x, y), f64::from(x).atan2(f64::from(y)));
            let found = distance(result, exact).unwrap_or(f64::INFINITY);
            assert!(
                found <= 1.0,
                "atan2({x:e}, {y:e}) = {result:e}, not {exact:e}"
            );
            let (result, exact) = (remainder(&mut Numbers, x, y), x % y);
            assert!(
                result.to_bits() == exact.to_bits() || result.is_nan() && exact.is_nan(),
                "remainder({x:e}, {y:e}) = {result:e}, not {exact:e}"
            );
        }
    }
}
