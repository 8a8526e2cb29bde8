//! Functions of `f32` that compute in `f32`: at most half the arithmetic of those that compute in `f64`. Results of `exp`,
//! `log` and `log1p` are within 1.5 units in the last place, those of `tanh` and `erf` within 7. For policies under which
//! results need not be those of a plain reading.
//!
//! The machine is one whose doubles are singles and whose patterns have 32 bits. Coefficients are fitted to relative
//! errors by iterated weighted least squares (C. L. Lawson, "Contributions to the theory of linear least maximum
//! approximation", 1961).

use super::{Format, Machine, Order, clamp, polynomial, split_exponent, with_limits};

/// Bits of a single's mantissa.
const MANTISSA: u32 = 23;
/// Added to a small number, it leaves the nearest integer in the low bits.
const ROUNDER: f64 = 1.5 * (1_u64 << MANTISSA) as f64;
const SINGLE: Format = Format {
    mantissa: MANTISSA,
    bias: 127,
    root_of_half: 0x3f35_04f3,
    sign_and_exponent: 0x1ff,
};
/// The logarithm of two as a number of few bits, of which small multiples are exact, and the rest.
const LN_2_HIGH: f64 = 0.693359375;
const LN_2_LOW: f64 = std::f64::consts::LN_2 - LN_2_HIGH;

/// `(e^r - 1 - r) / r^2` for `r` in [-0.35, 0.35]: the power to 2^-28.
const POWER: [f64; 5] = [
    0.49999994,
    0.16666521,
    0.04166839,
    0.008368717,
    0.0013814599,
];
/// `(log(1 + f) - f + f^2 / 2) / f^3` between the roots of one half and of two, less one: the logarithm to 2^-27.
const LOGARITHM: [f64; 8] = [
    0.3333333,
    -0.2500082,
    0.20001227,
    -0.16623357,
    0.14201759,
    -0.13160183,
    0.12761575,
    -0.07634493,
];
/// `tanh(x) / x` as a quotient of polynomials in `x^2` up to 9.02^2, to 2^-29.
const TANGENT: [&[f64]; 2] = [
    &[
        1.0,
        0.13679893,
        0.0038682993,
        2.8006869e-5,
        3.0583553e-8,
        -1.220235e-11,
    ],
    &[1.0, 0.47013223, 0.027245736, 0.00039385803, 1.2873246e-6],
];
/// `erf(x) / x` in the same way, up to 3.95^2, to 2^-28.
#[expect(
    clippy::approx_constant,
    reason = "the fit made a coefficient that is close to a constant"
)]
const ERROR: [&[f64]; 2] = [
    &[
        1.1283792,
        0.18517074,
        0.054274764,
        0.0038434097,
        0.00037792829,
        4.640167e-6,
        -1.2965799e-8,
    ],
    &[
        1.0,
        0.4974367,
        0.113911495,
        0.015443767,
        0.001304059,
        6.268997e-5,
    ],
];

/// `e^x`.
pub fn exp<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let keeps_subnormals = m.keeps_subnormals();
    let x = match keeps_subnormals {
        true => clamp(m, x, [-104.0, 89.0]),
        false => x,
    };
    let x = m.extend(x);
    let (factor, rounder) = (m.double(std::f64::consts::LOG2_E), m.double(ROUNDER));
    let scaled = m.mul(x, factor);
    let rounded = m.add(scaled, rounder);
    let whole = m.sub(rounded, rounder);
    let (high, low) = (m.double(LN_2_HIGH), m.double(LN_2_LOW));
    let product = m.mul(whole, high);
    let rest = m.sub(x, product);
    let product = m.mul(whole, low);
    let rest = m.sub(rest, product);
    let tail = polynomial(m, rest, &POWER);
    let square = m.mul(rest, rest);
    let tail = m.mul(tail, square);
    let power = m.add(tail, rest);
    let one = m.double(1.0);
    let power = m.add(power, one);
    // The low bits are the exponent.
    let power = match keeps_subnormals {
        true => scaled_in_two_steps(m, x, rounded, power),
        false => {
            let power = scaled_once(m, rounded, power);
            // The logarithm of the smallest normal number. Powers of less have wrapped around.
            let (least, zero) = (m.double(-87.336_54), m.double(0.0));
            m.select(Order::Less, [x, least], zero, power)
        }
    };
    // Larger powers are infinite, and that of NaN is NaN.
    let (limit, infinity) = (m.double(88.722_84), m.double(f64::INFINITY));
    let beyond = m.add(x, infinity);
    let power = m.select(Order::Less, [x, limit], power, beyond);
    m.truncate(power)
}

/// `power` times a power of two, whose exponent is in the low bits of `rounded`.
fn scaled_once<M: Machine>(m: &mut M, rounded: M::Double, power: M::Double) -> M::Double {
    let exponent = m.bits(rounded);
    let exponent = m.shift_left(exponent, MANTISSA);
    let power = m.bits(power);
    let power = m.add_bits(power, exponent);
    m.number(power)
}

/// The same of `e^x`: a result that is too small for an exponent has it in two steps.
fn scaled_in_two_steps<M: Machine>(
    m: &mut M,
    x: M::Double,
    rounded: M::Double,
    power: M::Double,
) -> M::Double {
    let (bound, step, one) = (m.double(-80.0), m.double(64.0), m.double(1.0));
    let shifted = m.add(rounded, step);
    let rounded = m.select(Order::Less, [x, bound], shifted, rounded);
    let small = m.double((-64_f64).exp2());
    let last = m.select(Order::Less, [x, bound], small, one);
    // Zero is not computed: processors take a hundred cycles for products that underflow, and masks make many.
    let (least, zero) = (m.double(-103.972_08), m.double(0.0));
    let last = m.select(Order::Less, [x, least], zero, last);
    let power = scaled_once(m, rounded, power);
    m.mul(power, last)
}

/// `log(x)` of a finite `x > 0`, which may be subnormal.
fn logarithm<M: Machine>(m: &mut M, x: M::Double, may_be_subnormal: bool) -> M::Double {
    let unbias = m.double(SINGLE.biased(0.0));
    let (x, unbias) = match may_be_subnormal {
        true => {
            // Exponents of the smallest numbers are in their mantissas.
            let (least, scale) = (
                m.double(f64::from(f32::MIN_POSITIVE)),
                m.double((25_f64).exp2()),
            );
            let scaled = m.mul(x, scale);
            let unbias_scaled = m.double(SINGLE.biased(25.0));
            let unbias = m.select(Order::Less, [x, least], unbias_scaled, unbias);
            (m.select(Order::Less, [x, least], scaled, x), unbias)
        }
        false => (x, unbias),
    };
    let (exponent, reduced) = split_exponent(m, x, &SINGLE);
    let exponent = m.sub(exponent, unbias);
    let one = m.double(1.0);
    let f = m.sub(reduced, one);
    let square = m.mul(f, f);
    let tail = polynomial(m, f, &LOGARITHM);
    let cube = m.mul(square, f);
    let tail = m.mul(tail, cube);
    let (high, low, half) = (m.double(LN_2_HIGH), m.double(LN_2_LOW), m.double(0.5));
    let of_exponent = m.mul(exponent, low);
    let tail = m.add(tail, of_exponent);
    let halved = m.mul(square, half);
    let tail = m.sub(tail, halved);
    let rest = m.add(f, tail);
    let of_exponent = m.mul(exponent, high);
    m.add(rest, of_exponent)
}

/// The natural logarithm.
pub fn log<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let wide = m.extend(x);
    let may_be_subnormal = m.keeps_subnormals();
    let result = logarithm(m, wide, may_be_subnormal);
    let result = m.truncate(result);
    with_limits(m, x, 0.0, result)
}

/// `log(1 + x)`.
pub fn log1p<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let wide = m.extend(x);
    let one = m.double(1.0);
    let sum = m.add(wide, one);
    let result = logarithm(m, sum, false);
    // What the sum has lost of `x`.
    let kept = m.sub(sum, one);
    let lost = m.sub(wide, kept);
    let correction = m.div(lost, sum);
    let result = m.add(result, correction);
    // The sum has lost the sign of zero.
    let zero = m.double(0.0);
    let result = m.select(Order::Equal, [wide, zero], wide, result);
    let result = m.truncate(result);
    with_limits(m, x, 1.0, result)
}

/// `x * p(x^2) / q(x^2)`.
fn odd_quotient<M: Machine>(m: &mut M, x: M::Double, [p, q]: [&[f64]; 2]) -> M::Double {
    let square = m.mul(x, x);
    let (above, below) = (polynomial(m, square, p), polynomial(m, square, q));
    let above = m.mul(x, above);
    m.div(above, below)
}

/// The hyperbolic tangent.
pub fn tanh<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let x = clamp(m, x, [-9.02, 9.02]);
    let x = m.extend(x);
    let result = odd_quotient(m, x, TANGENT);
    let result = m.truncate(result);
    clamp(m, result, [-1.0, 1.0])
}

/// The error function.
pub fn erf<M: Machine>(m: &mut M, x: M::Single) -> M::Single {
    let x = clamp(m, x, [-3.95, 3.95]);
    let x = m.extend(x);
    let result = odd_quotient(m, x, ERROR);
    let result = m.truncate(result);
    clamp(m, result, [-1.0, 1.0])
}
