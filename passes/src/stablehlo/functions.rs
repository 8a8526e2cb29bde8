//! CHLO's functions without an operation of math: Bessel's, Riemann's, and arc functions of complex numbers; and powers
//! with known exponents, which need no logarithm.

use freehold_frontend::dialects::arith::CmpFPredicate;
use freehold_frontend::dialects::{arith, math};
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{FloatKind, Type};

use super::emit::{Class, Emit};
use super::special::{digamma, lgamma};

/// Short names for arithmetic on floats of one type.
impl Emit<'_, '_> {
    fn add(&mut self, x: Value, y: Value) -> Value {
        self.binary(&arith::ADDF, x, y)
    }

    fn sub(&mut self, x: Value, y: Value) -> Value {
        self.binary(&arith::SUBF, x, y)
    }

    fn mul(&mut self, x: Value, y: Value) -> Value {
        self.binary(&arith::MULF, x, y)
    }

    fn div(&mut self, x: Value, y: Value) -> Value {
        self.binary(&arith::DIVF, x, y)
    }

    fn plus(&mut self, x: Value, number: f64) -> Value {
        let number = self.float_like(x, number);
        self.add(x, number)
    }

    fn times(&mut self, x: Value, number: f64) -> Value {
        let number = self.float_like(x, number);
        self.mul(x, number)
    }

    fn is(&mut self, predicate: CmpFPredicate, x: Value, number: f64) -> Value {
        let number = self.float_like(x, number);
        self.cmpf(predicate, x, number)
    }

    fn is_whole(&mut self, x: Value) -> Value {
        let floor = self.unary(&math::FLOOR, x);
        self.cmpf(CmpFPredicate::Oeq, floor, x)
    }

    fn sqrt(&mut self, x: Value) -> Value {
        self.unary(&math::SQRT, x)
    }

    /// `log(2 * x)`, which overflows nowhere.
    fn logarithm_of_double(&mut self, x: Value) -> Value {
        let log = self.unary(&math::LOG, x);
        self.plus(log, std::f64::consts::LN_2)
    }
}

/// Chebyshev coefficients of `exp(-x) * I1(x) / x` for x from 0 to 8, by mpmath with 40 digits.
const I1E_SMALL: [f64; 29] = [
    0.252_587_186_443_633_65,
    -0.176_416_518_357_834_06,
    0.102_643_658_689_847_1,
    -0.052_945_981_208_094_99,
    0.024_726_449_030_626_517,
    -0.010_564_084_894_626_198,
    0.004_156_422_944_312_888,
    -0.001_513_572_450_631_253_1,
    0.000_512_285_956_168_575_8,
    -0.000_161_760_815_825_896_75,
    4.781_565_107_550_054e-5,
    -1.327_316_365_603_943_6e-5,
    3.470_251_308_137_678_5e-6,
    -8.568_720_264_695_455e-7,
    2.003_294_753_552_135_3e-7,
    -4.445_059_128_796_328e-8,
    9.381_537_386_495_772e-9,
    -1.887_249_751_722_829_3e-9,
    3.625_590_281_552_117e-10,
    -6.663_489_723_502_028e-11,
    1.173_618_629_889_090_2e-11,
    -1.983_974_397_764_943_7e-12,
    3.223_793_365_945_575e-13,
    -5.042_185_504_727_912e-14,
    7.600_684_294_735_407e-15,
    -1.105_596_947_735_386_3e-15,
    1.553_631_957_736_200_5e-16,
    -2.111_421_214_358_166e-17,
    2.777_914_112_761_046e-18,
];
/// Of `exp(-x) * sqrt(x) * I1(x)` for x from 8 on, in `16 / x - 1`.
const I1E_LARGE: [f64; 25] = [
    0.778_576_235_018_280_1,
    -0.009_761_097_491_361_469,
    -0.000_110_588_938_762_623_72,
    -3.882_564_808_877_691e-6,
    -2.512_236_237_870_209e-7,
    -2.631_468_846_889_519_5e-8,
    -3.835_380_385_964_237e-9,
    -5.589_743_462_196_584e-10,
    -1.897_495_812_350_541_2e-11,
    3.252_603_583_015_489e-11,
    1.412_580_743_661_378e-11,
    2.035_628_544_147_089_5e-12,
    -7.198_551_776_245_909e-13,
    -4.083_551_111_092_197e-13,
    -2.101_541_842_772_664e-14,
    4.272_440_016_711_951e-14,
    1.042_027_698_412_880_3e-14,
    -3.814_403_072_437_008e-15,
    -1.880_354_775_510_782_4e-15,
    3.308_202_310_920_928e-16,
    2.962_628_997_645_95e-16,
    -3.209_525_921_993_424e-17,
    -4.650_305_368_489_358e-17,
    4.414_348_323_071_708e-18,
    7.517_296_310_842_105e-18,
];

/// A sum of Chebyshev polynomials by Clenshaw's recurrence.
fn chebyshev(e: &mut Emit<'_, '_>, t: Value, coefficients: &[f64]) -> Value {
    let twice = e.add(t, t);
    let zero = e.float_like(t, 0.0);
    let [mut now, mut before, mut last] = [zero; 3];
    for &coefficient in coefficients.iter().rev() {
        (last, before) = (before, now);
        let product = e.mul(twice, before);
        let rest = e.sub(product, last);
        now = e.plus(rest, coefficient);
    }
    let difference = e.sub(now, last);
    e.times(difference, 0.5)
}

/// `exp(-|x|) * I1(x)`.
pub(super) fn bessel_i1e(e: &mut Emit<'_, '_>, x: Value) -> Value {
    let magnitude = e.unary(&math::ABSF, x);
    let t = e.times(magnitude, 0.25);
    let t = e.plus(t, -1.0);
    let small = chebyshev(e, t, &I1E_SMALL);
    let small = e.mul(small, magnitude);
    let sixteen = e.float_like(x, 16.0);
    let t = e.div(sixteen, magnitude);
    let t = e.plus(t, -1.0);
    let large = chebyshev(e, t, &I1E_LARGE);
    let root = e.sqrt(magnitude);
    let large = e.div(large, root);
    let is_small = e.is(CmpFPredicate::Ole, magnitude, 8.0);
    let result = e.select(is_small, small, large);
    e.binary(&math::COPYSIGN, result, x)
}

/// The largest power that becomes products, in halves: `x^4` takes two of them.
const MAX_HALVES: u32 = 8;

/// `x` to the power of `exponent` by products, a root and a quotient, if that is no less exact than `math.powf`: half a
/// unit in the last place, or one and a half where XLA multiplies as well.
pub(super) fn known_power(e: &mut Emit<'_, '_>, x: Value, exponent: f64) -> Option<Value> {
    let Class::Float(kind @ (FloatKind::F16 | FloatKind::BF16 | FloatKind::F32 | FloatKind::F64)) =
        e.class(x)
    else {
        return None;
    };
    let halves = exponent * 2.0;
    let n_halves = halves.abs() as u32;
    if halves.fract() != 0.0 || n_halves > MAX_HALVES || n_halves == 0 {
        return None;
    }
    let is_inverse = halves < 0.0;
    let ty = e.ty(x);
    // No wider type is needed where there is one rounding, or few and no product overflows unless the result does.
    let is_product = n_halves.is_multiple_of(2) && !is_inverse;
    let is_own_type = match kind {
        FloatKind::F64 => n_halves <= 2 || !is_inverse,
        FloatKind::F32 => n_halves <= 2 || is_product,
        _ => n_halves == 2 || is_product && n_halves == 4 || n_halves == 1 && !is_inverse,
    };
    if kind == FloatKind::F64 && !is_own_type {
        return None;
    }
    let mut base = match is_own_type {
        true => x,
        false => e.to(&arith::EXTF, x, Type::F64),
    };
    let is_root = n_halves % 2 == 1;
    if is_root {
        // The root of -0 is -0 and that of -infinity is NaN; their powers are those of 0 and infinity.
        let is_lowest = e.is(CmpFPredicate::Oeq, base, f64::NEG_INFINITY);
        let infinity = e.float_like(base, f64::INFINITY);
        base = e.select(is_lowest, infinity, base);
        base = e.plus(base, 0.0);
    }
    let mut power = is_root.then(|| e.unary(&math::SQRT, base));
    let mut square = base;
    let mut whole = n_halves / 2;
    while whole > 0 {
        if whole % 2 == 1 {
            power = Some(power.map_or(square, |power| e.mul(power, square)));
        }
        whole /= 2;
        if whole > 0 {
            square = e.mul(square, square);
        }
    }
    let mut power = power?;
    if is_inverse {
        let one = e.float_like(power, 1.0);
        power = e.div(one, power);
    }
    Some(match e.ty(power) == ty {
        true => power,
        false => e.to(&arith::TRUNCF, power, ty),
    })
}

/// Terms of the series that are added up one by one.
const N_TERMS: usize = 10;
/// `B(2k) / (2k)!` for Bernoulli's numbers B, from k = 1 on.
const BERNOULLI: [f64; 12] = [
    1.0 / 12.0,
    -1.0 / 720.0,
    1.0 / 30_240.0,
    -1.0 / 1_209_600.0,
    1.0 / 47_900_160.0,
    -1.0 / 1_892_437_580.318_379,
    1.0 / 74_724_249_600.0,
    -1.0 / 2_950_130_727_918.164,
    1.0 / 116_467_828_143_500.67,
    -1.0 / 4_597_978_722_407_472.6,
    1.0 / 1.815_210_540_194_354_7e17,
    -1.0 / 7.166_165_256_175_667e18,
];

/// Hurwitz' zeta function `sum of (q + k)^-x` by the formula of Euler and Maclaurin (F. Johansson, "Rigorous
/// high-precision computation of the Hurwitz zeta function and its derivatives", 2015, formula 5).
pub(super) fn zeta(e: &mut Emit<'_, '_>, x: Value, q: Value) -> Value {
    let negated = e.unary(&arith::NEGF, x);
    let mut sum = e.float_like(x, 0.0);
    for k in 0..N_TERMS {
        let base = e.plus(q, k as f64);
        let term = e.binary(&math::POWF, base, negated);
        sum = e.add(sum, term);
    }
    let a = e.plus(q, N_TERMS as f64);
    let power = e.binary(&math::POWF, a, negated);
    let less = e.plus(x, -1.0);
    let integral = e.mul(power, a);
    let integral = e.div(integral, less);
    // power * (1/2 + x / a * (c1 + (x + 1) * (x + 2) / a^2 * (c2 + ...)))
    let square = e.mul(a, a);
    let mut tail = e.float_like(x, BERNOULLI[BERNOULLI.len() - 1]);
    for k in (1..BERNOULLI.len()).rev() {
        let [low, high] = [2 * k - 1, 2 * k].map(|by| e.plus(x, by as f64));
        let product = e.mul(low, high);
        let factor = e.div(product, square);
        let term = e.mul(tail, factor);
        tail = e.plus(term, BERNOULLI[k - 1]);
    }
    let ratio = e.div(x, a);
    let tail = e.mul(ratio, tail);
    let tail = e.plus(tail, 0.5);
    let tail = e.mul(tail, power);
    let rest = e.add(integral, tail);
    let whole = e.add(sum, rest);
    // Where the terms vanish, powers may have overflowed beside them.
    let vanishes = e.is(CmpFPredicate::Oeq, power, 0.0);
    let result = e.select(vanishes, sum, whole);

    let nan = e.float_like(x, f64::NAN);
    let infinity = e.float_like(x, f64::INFINITY);
    let is_below = e.is(CmpFPredicate::Olt, x, 1.0);
    let result = e.select(is_below, nan, result);
    // With q <= 0, x must be an integer, and the poles have a limit for even ones.
    let is_left = e.is(CmpFPredicate::Ole, q, 0.0);
    let is_whole = e.is_whole(x);
    let is_broken = e.not(is_whole);
    let is_undefined = e.and(is_left, is_broken);
    let result = e.select(is_undefined, nan, result);
    let half = e.times(x, 0.5);
    let is_even = e.is_whole(half);
    let limit = e.select(is_even, infinity, nan);
    let is_pole = e.is_whole(q);
    let is_pole = e.and(is_left, is_pole);
    let result = e.select(is_pole, limit, result);
    let is_harmonic = e.is(CmpFPredicate::Oeq, x, 1.0);
    e.select(is_harmonic, infinity, result)
}

/// The derivative of digamma of the order `n`: `(-1)^(n + 1) * n! * zeta(n + 1, x)`.
pub(super) fn polygamma(e: &mut Emit<'_, '_>, n: Value, x: Value, widened: bool) -> Value {
    let next = e.plus(n, 1.0);
    let digamma = digamma(e, x, widened);
    let lgamma = lgamma(e, next, widened);
    let factorial = e.unary(&math::EXP, lgamma);
    let zeta = zeta(e, next, x);
    let product = e.mul(factorial, zeta);
    let half = e.times(n, 0.5);
    let is_even = e.is_whole(half);
    let negated = e.unary(&arith::NEGF, product);
    let result = e.select(is_even, negated, product);
    let is_zero = e.is(CmpFPredicate::Oeq, n, 0.0);
    let result = e.select(is_zero, digamma, result);
    let is_natural = e.is(CmpFPredicate::Oge, n, 0.0);
    let is_whole = e.is_whole(n);
    let is_natural = e.and(is_natural, is_whole);
    let nan = e.float_like(x, f64::NAN);
    e.select(is_natural, result, nan)
}

/// An arc function of a complex number.
#[derive(Clone, Copy)]
pub(super) enum Arc {
    Sine,
    Cosine,
    Tangent,
    HyperbolicSine,
    HyperbolicCosine,
    HyperbolicTangent,
}

/// The arc function of a complex number, in double precision for narrower parts. Branch cuts and signs are those of C.
pub(super) fn arc(e: &mut Emit<'_, '_>, z: Value, which: Arc) -> Value {
    let part = e.part_type(z);
    let is_narrow = e.class_of(part) != Class::Float(FloatKind::F64);
    let parts = [e.re(z), e.im(z)];
    let [x, y] = parts.map(|value| match is_narrow {
        true => e.to(&arith::EXTF, value, Type::F64),
        false => value,
    });
    let [ax, ay] = [x, y].map(|value| e.unary(&math::ABSF, value));
    let (re, im) = match which {
        Arc::Sine => {
            let arcs = arc_sine(e, ax, ay);
            (e.signed(arcs.sine, x), e.signed(arcs.logarithm, y))
        }
        Arc::Cosine => {
            let arcs = arc_sine(e, ax, ay);
            let below = e.unary(&arith::NEGF, y);
            (
                e.of_both_sides(arcs.cosine, x),
                e.signed(arcs.logarithm, below),
            )
        }
        Arc::HyperbolicCosine => {
            let arcs = arc_sine(e, ax, ay);
            let angle = e.of_both_sides(arcs.cosine, x);
            (arcs.logarithm, e.signed(angle, y))
        }
        // asinh(z) is -i asin(i z), atan(z) is -i atanh(i z).
        Arc::HyperbolicSine => {
            let arcs = arc_sine(e, ay, ax);
            (e.signed(arcs.logarithm, x), e.signed(arcs.sine, y))
        }
        Arc::HyperbolicTangent => {
            let (re, im) = arc_hyperbolic_tangent(e, ax, ay);
            (e.signed(re, x), e.signed(im, y))
        }
        Arc::Tangent => {
            let (re, im) = arc_hyperbolic_tangent(e, ay, ax);
            (e.signed(im, x), e.signed(re, y))
        }
    };
    let [re, im] = [re, im].map(|value| match is_narrow {
        true => e.to(&arith::TRUNCF, value, part),
        false => value,
    });
    e.complex(re, im)
}

/// What arc sine and arc cosine are made of.
struct Arcs {
    /// The real part of the arc sine.
    sine: Value,
    /// The real part of the arc cosine.
    cosine: Value,
    /// The magnitude of the imaginary parts.
    logarithm: Value,
}

/// Beyond this, squares overflow, and 1 is nothing.
const LARGE: f64 = 1e150;
/// Below this, squares may vanish.
const TINY: f64 = 1e-100;

impl Emit<'_, '_> {
    fn signed(&mut self, magnitude: Value, sign: Value) -> Value {
        self.binary(&math::COPYSIGN, magnitude, sign)
    }

    /// The arc cosine for both signs of its argument.
    fn of_both_sides(&mut self, angle: Value, x: Value) -> Value {
        let pi = self.float_like(angle, std::f64::consts::PI);
        let other = self.sub(pi, angle);
        let is_negative = self.is(CmpFPredicate::Olt, x, 0.0);
        self.select(is_negative, other, angle)
    }

    /// The larger of two magnitudes, and the ratio of the smaller to it: 0 for zeros, 1 for infinities.
    fn ratio(&mut self, x: Value, y: Value) -> (Value, Value) {
        let large = self.binary(&arith::MAXIMUMF, x, y);
        let small = self.binary(&arith::MINIMUMF, x, y);
        let ratio = self.div(small, large);
        let is_same = self.cmpf(CmpFPredicate::Oeq, small, large);
        let one = self.float_like(x, 1.0);
        let ratio = self.select(is_same, one, ratio);
        (large, ratio)
    }

    /// `sqrt(x * x + y * y)` of magnitudes.
    fn hypotenuse(&mut self, x: Value, y: Value) -> Value {
        let (large, ratio) = self.ratio(x, y);
        let square = self.mul(ratio, ratio);
        let sum = self.plus(square, 1.0);
        let root = self.sqrt(sum);
        self.mul(large, root)
    }
}

/// For x and y that are not negative. T. E. Hull, T. F. Fairgrieve and P. T. P. Tang, "Implementing the complex arcsine
/// and arccosine functions using exception handling", 1997.
fn arc_sine(e: &mut Emit<'_, '_>, x: Value, y: Value) -> Arcs {
    let right = e.plus(x, 1.0);
    let left = e.plus(x, -1.0);
    let one = e.float_like(x, 1.0);
    let rest = e.sub(one, x);
    let distance = e.unary(&math::ABSF, left);
    let r = e.hypotenuse(right, y);
    let s = e.hypotenuse(distance, y);
    let sum = e.add(r, s);
    let a = e.times(sum, 0.5);
    let b = e.div(x, a);
    let square = e.mul(y, y);
    let beyond = e.add(r, right);
    let first = e.div(square, beyond);
    let is_inside = e.is(CmpFPredicate::Ole, x, 1.0);

    // The side of a triangle whose other one is x: small where the arc sine would cancel.
    let ax = e.add(a, x);
    let inner = e.add(s, rest);
    let inner = e.add(first, inner);
    let inner = e.mul(ax, inner);
    let inner = e.times(inner, 0.5);
    let inner = e.sqrt(inner);
    let near = e.add(s, left);
    let [far, close] = [beyond, near].map(|by| e.div(ax, by));
    let outer = e.add(far, close);
    let outer = e.times(outer, 0.5);
    let outer = e.sqrt(outer);
    let outer = e.mul(y, outer);
    let side = e.select(is_inside, inner, outer);
    let is_low = e.is(CmpFPredicate::Ole, b, 0.6417);
    let [plain_sine, plain_cosine] = [&math::ASIN, &math::ACOS].map(|def| e.unary(def, b));
    let sine = e.binary(&math::ATAN2, x, side);
    let sine = e.select(is_low, plain_sine, sine);
    let cosine = e.binary(&math::ATAN2, side, x);
    let cosine = e.select(is_low, plain_cosine, cosine);

    // log(a + sqrt(a * a - 1)), without cancellation where a is near 1.
    let is_left = e.is(CmpFPredicate::Olt, x, 1.0);
    let behind = e.add(s, rest);
    let inside = e.div(square, behind);
    let second = e.select(is_left, inside, near);
    let less = e.add(first, second);
    let less = e.times(less, 0.5);
    let more = e.plus(a, 1.0);
    let product = e.mul(less, more);
    let root = e.sqrt(product);
    let below = e.add(less, root);
    let below = e.unary(&math::LOG1P, below);
    let square = e.mul(a, a);
    let square = e.plus(square, -1.0);
    let root = e.sqrt(square);
    let above = e.add(a, root);
    let above = e.unary(&math::LOG, above);
    let is_near = e.is(CmpFPredicate::Ole, a, 1.5);
    let logarithm = e.select(is_near, below, above);
    let product = e.mul(rest, right);
    let root = e.sqrt(product);
    let linear = e.div(y, root);
    let is_tiny = e.is(CmpFPredicate::Olt, y, TINY);
    let is_linear = e.and(is_tiny, is_left);
    let logarithm = e.select(is_linear, linear, logarithm);

    // Far out, z * z - 1 is z * z.
    let (large, ratio) = e.ratio(x, y);
    let is_far = e.is(CmpFPredicate::Ogt, large, LARGE);
    let square = e.mul(ratio, ratio);
    let rest = e.unary(&math::LOG1P, square);
    let rest = e.times(rest, 0.5);
    let whole = e.unary(&math::LOG, large);
    let far = e.add(whole, rest);
    let far = e.plus(far, std::f64::consts::LN_2);
    let far_sine = e.binary(&math::ATAN2, x, y);
    let far_cosine = e.binary(&math::ATAN2, y, x);
    Arcs {
        sine: e.select(is_far, far_sine, sine),
        cosine: e.select(is_far, far_cosine, cosine),
        logarithm: e.select(is_far, far, logarithm),
    }
}

/// For x and y that are not negative. W. Kahan, "Branch cuts for complex elementary functions", 1987.
fn arc_hyperbolic_tangent(e: &mut Emit<'_, '_>, x: Value, y: Value) -> (Value, Value) {
    let one = e.float_like(x, 1.0);
    let rest = e.sub(one, x);
    let more = e.plus(x, 1.0);
    let [square, rest_square] = [y, rest].map(|value| e.mul(value, value));
    let divisor = e.add(rest_square, square);
    let four = e.times(x, 4.0);
    let quotient = e.div(four, divisor);
    let re = e.unary(&math::LOG1P, quotient);
    let re = e.times(re, 0.25);
    // Near the pole on its line, where the divisor vanishes early.
    let two = e.float_like(x, 2.0);
    let hypotenuse = e.hypotenuse(y, two);
    let [up, down] = [hypotenuse, y].map(|value| e.unary(&math::LOG, value));
    let difference = e.sub(up, down);
    let on_line = e.times(difference, 0.5);
    let is_on_line = e.is(CmpFPredicate::Oeq, x, 1.0);
    let is_near = e.is(CmpFPredicate::Olt, y, 1.0);
    let is_on_line = e.and(is_on_line, is_near);
    let re = e.select(is_on_line, on_line, re);
    let twice = e.add(y, y);
    let product = e.mul(rest, more);
    let cosine = e.sub(product, square);
    let im = e.binary(&math::ATAN2, twice, cosine);
    let im = e.times(im, 0.5);

    // Far out it is i pi / 2 + 1 / z.
    let (large, _) = e.ratio(x, y);
    let is_far = e.is(CmpFPredicate::Ogt, large, LARGE);
    let hypotenuse = e.hypotenuse(x, y);
    let far = e.div(x, hypotenuse);
    let far = e.div(far, hypotenuse);
    let is_infinite = e.is_inf(hypotenuse);
    let zero = e.float_like(x, 0.0);
    let far = e.select(is_infinite, zero, far);
    let quarter = e.float_like(x, std::f64::consts::FRAC_PI_2);
    (e.select(is_far, far, re), e.select(is_far, quarter, im))
}

/// Functions of `f64` that StableHLO lacks, by those that it has; `None` for any other.
pub(super) fn in_elementary_terms(
    e: &mut Emit<'_, '_>,
    def: &'static OpDef,
    x: Value,
) -> Option<Value> {
    let is = |row: &'static OpDef| std::ptr::eq(def, row);
    let magnitude = e.unary(&math::ABSF, x);
    let one = e.float_like(x, 1.0);
    let far = e.is(CmpFPredicate::Ogt, magnitude, 1e10);
    Some(if is(&math::ATAN) {
        e.binary(&math::ATAN2, x, one)
    } else if is(&math::ASIN) || is(&math::ACOS) {
        let (less, more) = (e.sub(one, x), e.add(one, x));
        let square = e.mul(less, more);
        let other = e.sqrt(square);
        let (opposite, adjacent) = if is(&math::ASIN) {
            (x, other)
        } else {
            (other, x)
        };
        e.binary(&math::ATAN2, opposite, adjacent)
    } else if is(&math::ASINH) {
        let square = e.mul(magnitude, magnitude);
        let widened = e.plus(square, 1.0);
        let root = e.sqrt(widened);
        let divisor = e.plus(root, 1.0);
        let rest = e.div(square, divisor);
        let sum = e.add(magnitude, rest);
        let near = e.unary(&math::LOG1P, sum);
        let large = e.logarithm_of_double(magnitude);
        let value = e.select(far, large, near);
        e.binary(&math::COPYSIGN, value, x)
    } else if is(&math::ACOSH) {
        let more = e.plus(x, -1.0);
        let twice = e.plus(more, 2.0);
        let square = e.mul(more, twice);
        let root = e.sqrt(square);
        let sum = e.add(more, root);
        let near = e.unary(&math::LOG1P, sum);
        let large = e.logarithm_of_double(magnitude);
        let value = e.select(far, large, near);
        let is_outside = e.is(CmpFPredicate::Olt, x, 1.0);
        let none = e.float_like(x, f64::NAN);
        e.select(is_outside, none, value)
    } else if is(&math::ATANH) {
        let negated = e.unary(&arith::NEGF, x);
        let [up, down] = [x, negated].map(|value| e.unary(&math::LOG1P, value));
        let difference = e.sub(up, down);
        e.times(difference, 0.5)
    } else if is(&math::COSH) || is(&math::SINH) {
        // Half of the exponential, which overflows no earlier than the result.
        let less = e.plus(magnitude, -std::f64::consts::LN_2);
        let half = e.unary(&math::EXP, less);
        let quarter = e.float_like(x, 0.25);
        let rest = e.div(quarter, half);
        if is(&math::COSH) {
            return Some(e.add(half, rest));
        }
        let large = e.sub(half, rest);
        let growth = e.unary(&math::EXPM1, magnitude);
        let divisor = e.plus(growth, 1.0);
        let quotient = e.div(growth, divisor);
        let sum = e.add(growth, quotient);
        let small = e.times(sum, 0.5);
        let is_small = e.is(CmpFPredicate::Olt, magnitude, 1.0);
        let value = e.select(is_small, small, large);
        e.binary(&math::COPYSIGN, value, x)
    } else if is(&math::ERFC) {
        let erf = e.unary(&math::ERF, x);
        let near = e.sub(one, erf);
        // Laplace's continued fraction.
        let mut fraction = x;
        for k in (1..=N_PARTS).rev() {
            let number = e.float_like(x, k as f64 / 2.0);
            let part = e.div(number, fraction);
            fraction = e.add(x, part);
        }
        let square = e.mul(x, x);
        let square = e.unary(&arith::NEGF, square);
        let exponential = e.unary(&math::EXP, square);
        let scaled = e.times(exponential, 0.5 * std::f64::consts::FRAC_2_SQRT_PI);
        let tail = e.div(scaled, fraction);
        let is_tail = e.is(CmpFPredicate::Ogt, x, 2.0);
        e.select(is_tail, tail, near)
    } else {
        return None;
    })
}

/// Parts of the continued fraction, for 1e-15 from 2 on.
const N_PARTS: usize = 48;
