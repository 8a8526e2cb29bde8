//! Functions of complex numbers from their parts, as vectors can have them.

use freehold_frontend::dialects::arith::CmpFPredicate;
use freehold_frontend::dialects::{arith, math};
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::Type;

use super::scalars::Emit;

/// The real and the imaginary part.
pub(crate) type Parts = [Value; 2];

/// `exp(x)` times the cosine and the sine of `y`. Of a real number, even of an infinite one, the power is real, and of
/// minus infinity it is zero.
pub(crate) fn exponential(e: &mut Emit<'_, '_>, [x, y]: Parts) -> Parts {
    let [zero, least] = [0.0, f64::NEG_INFINITY].map(|number| e.float_like(y, number));
    let is_least = e.cmpf(CmpFPredicate::Oeq, x, least);
    let y = e.select(is_least, zero, y);
    let size = e.unary(&math::EXP, x);
    let [cosine, sine] = [&math::COS, &math::SIN].map(|function| e.unary(function, y));
    let [re, im] = [cosine, sine].map(|part| e.binary(&arith::MULF, size, part));
    let is_real = e.cmpf(CmpFPredicate::Oeq, y, zero);
    [re, e.select(is_real, y, im)]
}

/// The logarithm of numbers of `f32`: doubles have the sum of the squares of their parts, also near to one, where all of
/// its digits count.
pub(crate) fn logarithm(e: &mut Emit<'_, '_>, [x, y]: Parts) -> Parts {
    let squares = [x, y].map(|part| {
        let double = e.to(&arith::EXTF, part, Type::F64);
        e.binary(&arith::MULF, double, double)
    });
    let sum = e.binary(&arith::ADDF, squares[0], squares[1]);
    let half = e.float_like(sum, 0.5);
    let logarithm = e.unary(&math::LOG, sum);
    let logarithm = e.binary(&arith::MULF, half, logarithm);
    let ty = e.ty(x);
    let re = e.to(&arith::TRUNCF, logarithm, ty);
    [re, e.binary(&math::ATAN2, y, x)]
}

/// The power of numbers of `f32`: of e, by the product of the exponent and the logarithm, which is a double here. Of zero it
/// is zero if the real part of the exponent is positive, else no number; with the exponent zero it is one.
pub(crate) fn power(e: &mut Emit<'_, '_>, [x, y]: Parts, [c, d]: Parts) -> Parts {
    let zero_of = |e: &mut Emit<'_, '_>, [re, im]: Parts| {
        let zero = e.float_like(re, 0.0);
        let are_zeros = [re, im].map(|part| e.cmpf(CmpFPredicate::Oeq, part, zero));
        e.and(are_zeros[0], are_zeros[1])
    };
    let [base_is_zero, exponent_is_zero] = [zero_of(e, [x, y]), zero_of(e, [c, d])];
    let angle = e.binary(&math::ATAN2, y, x);
    let [re, im, c_wide, d_wide, angle] =
        [x, y, c, d, angle].map(|part| e.to(&arith::EXTF, part, Type::F64));
    let [re, im] = [re, im].map(|part| e.binary(&arith::MULF, part, part));
    let sum = e.binary(&arith::ADDF, re, im);
    let half = e.float_like(sum, 0.5);
    let logarithm = e.unary(&math::LOG, sum);
    let logarithm = e.binary(&arith::MULF, half, logarithm);
    let product = |e: &mut Emit<'_, '_>, a, b| e.binary(&arith::MULF, a, b);
    let (c_log, c_angle) = (product(e, c_wide, logarithm), product(e, c_wide, angle));
    let (d_log, d_angle) = (product(e, d_wide, logarithm), product(e, d_wide, angle));
    let re = e.binary(&arith::SUBF, c_log, d_angle);
    let im = e.binary(&arith::ADDF, c_angle, d_log);
    // The logarithm may be infinite.
    let zero = e.float_like(re, 0.0);
    let is_real = e.cmpf(CmpFPredicate::Oeq, d_wide, zero);
    let (re, im) = (e.select(is_real, c_log, re), e.select(is_real, c_angle, im));
    let ty = e.ty(x);
    let power = exponential(e, [re, im]).map(|part| e.to(&arith::TRUNCF, part, ty));
    let [zero, one, nan] = [0.0, 1.0, f64::NAN].map(|number| e.float_like(x, number));
    let is_right = e.cmpf(CmpFPredicate::Ogt, c, zero);
    let of_zero = e.select(is_right, zero, nan);
    let power = power.map(|part| e.select(base_is_zero, of_zero, part));
    [
        e.select(exponent_is_zero, one, power[0]),
        e.select(exponent_is_zero, zero, power[1]),
    ]
}

/// Where the real part of a hyperbolic tangent is one, and its imaginary part less than the smallest number of `f32`.
const MAX_TANH: f64 = 60.0;

/// The hyperbolic tangent of numbers of `f32`: `(sinh x cosh x + i sin y cos y) / (sinh^2 x + cos^2 y)` for the size of `x`,
/// with hyperbolic functions as doubles. Those of numbers above [`MAX_TANH`] are too large to matter. With a part that is
/// zero, that of the result is.
pub(crate) fn hyperbolic_tangent(e: &mut Emit<'_, '_>, [x, y]: Parts) -> Parts {
    let ty = e.ty(x);
    let [zero, infinity, most] =
        [0.0, f64::INFINITY, MAX_TANH].map(|number| e.float_like(x, number));
    let size = e.unary(&math::ABSF, x);
    // Infinite numbers have a limit for any angle.
    let is_infinite = e.cmpf(CmpFPredicate::Oeq, size, infinity);
    let angle = e.select(is_infinite, zero, y);
    let size = e.binary(&arith::MINIMUMF, size, most);
    let [cosine, sine] = [&math::COS, &math::SIN].map(|function| e.unary(function, angle));
    let [size, cosine, sine] = [size, cosine, sine].map(|part| e.to(&arith::EXTF, part, Type::F64));
    let [half, one] = [0.5, 1.0].map(|number| e.float_like(size, number));
    let power = e.unary(&math::EXPM1, size);
    let whole = e.binary(&arith::ADDF, power, one);
    let quotient = e.binary(&arith::DIVF, power, whole);
    let sum = e.binary(&arith::ADDF, power, quotient);
    let sinh = e.binary(&arith::MULF, half, sum);
    let product = e.binary(&arith::MULF, power, quotient);
    let product = e.binary(&arith::MULF, half, product);
    let cosh = e.binary(&arith::ADDF, one, product);
    let [sinh_square, cosine_square] =
        [sinh, cosine].map(|number| e.binary(&arith::MULF, number, number));
    let divisor = e.binary(&arith::ADDF, sinh_square, cosine_square);
    let [re, im] = [(sinh, cosh), (sine, cosine)].map(|(a, b)| {
        let product = e.binary(&arith::MULF, a, b);
        let part = e.binary(&arith::DIVF, product, divisor);
        e.to(&arith::TRUNCF, part, ty)
    });
    let parts = [with_sign(e, re, x), im];
    [(x, parts[0]), (y, parts[1])].map(|(number, part)| {
        let is_zero = e.cmpf(CmpFPredicate::Oeq, number, zero);
        e.select(is_zero, number, part)
    })
}

/// The tangent of numbers of `f32`, which is `-i tanh(i z)`.
pub(crate) fn tangent(e: &mut Emit<'_, '_>, [x, y]: Parts) -> Parts {
    let minus_y = e.unary(&arith::NEGF, y);
    let [re, im] = hyperbolic_tangent(e, [minus_y, x]);
    [im, e.unary(&arith::NEGF, re)]
}

/// `exp(z) - 1` of numbers of `f32`, as doubles: `(exp(x) - 1) cos y - 2 sin^2(y / 2)` and `exp(x) sin y`.
pub(crate) fn exponential_less_one(e: &mut Emit<'_, '_>, [x, y]: Parts) -> Parts {
    let ty = e.ty(x);
    let zero = e.float_like(y, 0.0);
    let is_real = e.cmpf(CmpFPredicate::Oeq, y, zero);
    let [x, angle] = [x, y].map(|part| e.to(&arith::EXTF, part, Type::F64));
    let [half, two] = [0.5, 2.0].map(|number| e.float_like(x, number));
    let [less_one, power] = [&math::EXPM1, &math::EXP].map(|function| e.unary(function, x));
    let [cosine, sine] = [&math::COS, &math::SIN].map(|function| e.unary(function, angle));
    let half_angle = e.binary(&arith::MULF, half, angle);
    let half_sine = e.unary(&math::SIN, half_angle);
    let square = e.binary(&arith::MULF, half_sine, half_sine);
    let square = e.binary(&arith::MULF, two, square);
    let re = e.binary(&arith::MULF, less_one, cosine);
    let re = e.binary(&arith::SUBF, re, square);
    let im = e.binary(&arith::MULF, power, sine);
    let [less_one, re, im] = [less_one, re, im].map(|part| e.to(&arith::TRUNCF, part, ty));
    [e.select(is_real, less_one, re), e.select(is_real, y, im)]
}

/// Numbers of `f32` divided by their sizes, as doubles; zero stays as it is.
pub(crate) fn sign(e: &mut Emit<'_, '_>, parts: Parts) -> Parts {
    let ty = e.ty(parts[0]);
    let wide = parts.map(|part| e.to(&arith::EXTF, part, Type::F64));
    let [re, im] = wide.map(|part| e.binary(&arith::MULF, part, part));
    let sum = e.binary(&arith::ADDF, re, im);
    let size = e.unary(&math::SQRT, sum);
    let zero = e.float_like(size, 0.0);
    let is_zero = e.cmpf(CmpFPredicate::Oeq, size, zero);
    [0, 1].map(|i| {
        let quotient = e.binary(&arith::DIVF, wide[i], size);
        let quotient = e.to(&arith::TRUNCF, quotient, ty);
        e.select(is_zero, parts[i], quotient)
    })
}

/// The root whose real part is not negative: that of the mean of the absolute value and the size of `x`, and what `y` is
/// divided by twice that. Of numbers whose absolute value could overflow, a quarter is taken first. With an infinite `y`,
/// both parts are.
pub(crate) fn square_root(e: &mut Emit<'_, '_>, parts: Parts) -> Parts {
    let [zero, quarter, half, one, two, infinity] =
        [0.0, 0.25, 0.5, 1.0, 2.0, f64::INFINITY].map(|number| e.float_like(parts[0], number));
    let limit = match e.ty(parts[0]) == Type::F32 {
        true => f64::from(f32::MAX) / 2.0,
        false => f64::MAX / 2.0,
    };
    let limit = e.float_like(parts[0], limit);
    let [x_large, y_large] = parts.map(|part| {
        let size = e.unary(&math::ABSF, part);
        e.cmpf(CmpFPredicate::Ogt, size, limit)
    });
    let is_large = e.or(x_large, y_large);
    let factor = e.select(is_large, quarter, one);
    let [x, y] = parts.map(|part| e.binary(&arith::MULF, factor, part));
    let size = absolute(e, [x, y]);
    let [x_size, y_size] = [x, y].map(|part| e.unary(&math::ABSF, part));
    let halves = [size, x_size].map(|part| e.binary(&arith::MULF, half, part));
    let mean = e.binary(&arith::ADDF, halves[0], halves[1]);
    let large = e.unary(&math::SQRT, mean);
    let doubled = e.binary(&arith::MULF, two, large);
    let small = e.binary(&arith::DIVF, y_size, doubled);
    let is_zero = e.cmpf(CmpFPredicate::Oeq, large, zero);
    let small = e.select(is_zero, zero, small);
    let is_positive = e.cmpf(CmpFPredicate::Oge, x, zero);
    let re = e.select(is_positive, large, small);
    let im = e.select(is_positive, small, large);
    let is_infinite = e.cmpf(CmpFPredicate::Oeq, y_size, infinity);
    let back = e.select(is_large, two, one);
    let [re, im] = [re, im].map(|part| {
        let part = e.binary(&arith::MULF, back, part);
        e.select(is_infinite, infinity, part)
    });
    [re, with_sign(e, im, parts[1])]
}

/// The larger part times the root of one and the square of the ratio of both, so that nothing overflows that does not have
/// to. It is infinite where one part is, also beside NaN.
pub(crate) fn absolute(e: &mut Emit<'_, '_>, parts: Parts) -> Value {
    let [a, b] = parts.map(|part| e.unary(&math::ABSF, part));
    let [zero, one, infinity] = [0.0, 1.0, f64::INFINITY].map(|x| e.float_like(a, x));
    let is_larger = e.cmpf(CmpFPredicate::Ogt, a, b);
    let large = e.select(is_larger, a, b);
    let small = e.select(is_larger, b, a);
    let ratio = e.binary(&arith::DIVF, small, large);
    let square = e.binary(&arith::MULF, ratio, ratio);
    let sum = e.binary(&arith::ADDF, square, one);
    let root = e.unary(&math::SQRT, sum);
    let size = e.binary(&arith::MULF, large, root);
    let is_zero = e.cmpf(CmpFPredicate::Oeq, large, zero);
    let size = e.select(is_zero, small, size);
    let [a_infinite, b_infinite] = [a, b].map(|x| e.cmpf(CmpFPredicate::Oeq, x, infinity));
    let is_infinite = e.or(a_infinite, b_infinite);
    e.select(is_infinite, infinity, size)
}

/// Smith's method, with what infinities and zeros ask for where it gives no number in both parts: the operations of code
/// generation in the same order.
pub(crate) fn divide(e: &mut Emit<'_, '_>, a: Parts, b: Parts) -> Parts {
    let [re_size, im_size] = b.map(|part| e.unary(&math::ABSF, part));
    let re_larger = e.cmpf(CmpFPredicate::Oge, re_size, im_size);
    let large = e.select(re_larger, b[0], b[1]);
    let small = e.select(re_larger, b[1], b[0]);
    let ratio = e.binary(&arith::DIVF, small, large);
    let scaled = e.binary(&arith::MULF, small, ratio);
    let divisor = e.binary(&arith::ADDF, large, scaled);
    let [re_ratio, im_ratio] = a.map(|part| e.binary(&arith::MULF, part, ratio));
    let re = [(a[0], im_ratio), (re_ratio, a[1])].map(|(x, y)| e.binary(&arith::ADDF, x, y));
    let im = [(a[1], re_ratio), (im_ratio, a[0])].map(|(x, y)| e.binary(&arith::SUBF, x, y));
    let quotient = [re, im].map(|[left, right]| {
        let part = e.select(re_larger, left, right);
        e.binary(&arith::DIVF, part, divisor)
    });
    let [re_nan, im_nan] = quotient.map(|part| e.is_nan(part));
    let both_nan = e.and(re_nan, im_nan);
    let limit = limit_quotient(e, a, b, quotient);
    [0, 1].map(|i| e.select(both_nan, limit[i], quotient[i]))
}

/// `a / b` where one of them has infinite or only zero parts; `quotient` for all others.
fn limit_quotient(e: &mut Emit<'_, '_>, a: Parts, b: Parts, quotient: Parts) -> Parts {
    let [zero, one, infinity] = [0.0, 1.0, f64::INFINITY].map(|x| e.float_like(a[0], x));
    let sizes = [a, b].map(|z| z.map(|part| e.unary(&math::ABSF, part)));
    let both = |e: &mut Emit<'_, '_>, sizes: Parts, predicate, other| {
        let [re, im] = sizes.map(|size| e.cmpf(predicate, size, other));
        e.and(re, im)
    };
    let b_is_zero = both(e, sizes[1], CmpFPredicate::Oeq, zero);
    let [a_finite, b_finite] = sizes.map(|sizes| both(e, sizes, CmpFPredicate::One, infinity));
    let infinite = sizes.map(|sizes| sizes.map(|size| e.cmpf(CmpFPredicate::Oeq, size, infinity)));
    // One with the sign of each infinite part, zero with the sign of each finite one.
    let [a_unit, b_unit] = [(a, infinite[0]), (b, infinite[1])].map(|(z, infinite)| {
        [0, 1].map(|i| {
            let size = e.select(infinite[i], one, zero);
            with_sign(e, size, z[i])
        })
    });
    let large = scaled(e, a_unit, b, infinity);
    let small = scaled(e, a, b_unit, zero);
    let sign = with_sign(e, infinity, b[0]);
    let by_zero = a.map(|part| e.binary(&arith::MULF, sign, part));
    let [a_infinite, b_infinite] = infinite.map(|[re, im]| e.or(re, im));
    let is_large = e.and(a_infinite, b_finite);
    let is_small = e.and(a_finite, b_infinite);
    [0, 1].map(|i| {
        let part = e.select(is_small, small[i], quotient[i]);
        let part = e.select(is_large, large[i], part);
        e.select(b_is_zero, by_zero[i], part)
    })
}

/// `a` times the conjugate of `b`, times a factor.
fn scaled(e: &mut Emit<'_, '_>, a: Parts, b: Parts, factor: Value) -> Parts {
    let [rr, ii, ri, ir] =
        [(0, 0), (1, 1), (0, 1), (1, 0)].map(|(i, j)| e.binary(&arith::MULF, a[i], b[j]));
    let re = e.binary(&arith::ADDF, rr, ii);
    let im = e.binary(&arith::SUBF, ir, ri);
    [re, im].map(|part| e.binary(&arith::MULF, factor, part))
}

/// A number without a sign with that of another one: registers have instructions for bits.
fn with_sign(e: &mut Emit<'_, '_>, size: Value, sign: Value) -> Value {
    let [size_bits, bits] = [size, sign].map(|x| e.bits(x));
    let width = e.b.ir.context().integer_width(e.ty(bits)).unwrap_or(64);
    let mask = e.int_like(bits, -(1i128 << (width - 1)));
    let bits = e.and(bits, mask);
    let bits = e.or(size_bits, bits);
    let ty = e.ty(size);
    e.to(&arith::BITCAST, bits, ty)
}
