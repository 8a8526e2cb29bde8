//! CHLO: functions of numbers, and operations whose operands are broadcast to one shape.

use freehold_frontend::dialects::arith::{CmpFPredicate, CmpIPredicate};
use freehold_frontend::dialects::stablehlo::elementwise;
use freehold_frontend::dialects::{arith, chlo, complex, math};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{DYNAMIC, FloatKind, Type};

use super::build::{as_signless, empty_with, shape, size};
use super::emit::{Class, Emit};
use super::functions::{self, Arc, bessel_i1e, polygamma, zeta};
use super::moves::{broadcast, broadcast_to, list, result_type};
use super::scalar::{self, Scalar, is_unsigned, unsupported_types};
use super::stablehlo_legalize_to_linalg::{Row, Unsupported};

pub(super) const ROWS: &[Row] = &[
    (&chlo::BROADCAST_ADD, lower_broadcasting),
    (&chlo::BROADCAST_AND, lower_broadcasting),
    (&chlo::BROADCAST_ATAN2, lower_broadcasting),
    (&chlo::BROADCAST_COMPARE, lower_broadcasting),
    (&chlo::BROADCAST_COMPLEX, lower_broadcasting),
    (&chlo::BROADCAST_DIVIDE, lower_broadcasting),
    (&chlo::BROADCAST_MAXIMUM, lower_broadcasting),
    (&chlo::BROADCAST_MINIMUM, lower_broadcasting),
    (&chlo::BROADCAST_MULTIPLY, lower_broadcasting),
    (&chlo::BROADCAST_NEXT_AFTER, lower_broadcasting),
    (&chlo::BROADCAST_OR, lower_broadcasting),
    (&chlo::BROADCAST_POLYGAMMA, lower_broadcasting),
    (&chlo::BROADCAST_POWER, lower_broadcasting),
    (&chlo::BROADCAST_REMAINDER, lower_broadcasting),
    (&chlo::BROADCAST_SELECT, lower_broadcasting),
    (&chlo::BROADCAST_SHIFT_LEFT, lower_broadcasting),
    (&chlo::BROADCAST_SHIFT_RIGHT_ARITHMETIC, lower_broadcasting),
    (&chlo::BROADCAST_SHIFT_RIGHT_LOGICAL, lower_broadcasting),
    (&chlo::BROADCAST_SUBTRACT, lower_broadcasting),
    (&chlo::BROADCAST_XOR, lower_broadcasting),
    (&chlo::BROADCAST_ZETA, lower_broadcasting),
];

/// What the operations compute whose operands are broadcast.
const BROADCASTING: &[(&OpDef, &OpDef)] = &[
    (&chlo::BROADCAST_ADD, &elementwise::ADD),
    (&chlo::BROADCAST_AND, &elementwise::AND),
    (&chlo::BROADCAST_ATAN2, &elementwise::ATAN2),
    (&chlo::BROADCAST_COMPARE, &elementwise::COMPARE),
    (&chlo::BROADCAST_COMPLEX, &elementwise::COMPLEX),
    (&chlo::BROADCAST_DIVIDE, &elementwise::DIVIDE),
    (&chlo::BROADCAST_MAXIMUM, &elementwise::MAXIMUM),
    (&chlo::BROADCAST_MINIMUM, &elementwise::MINIMUM),
    (&chlo::BROADCAST_MULTIPLY, &elementwise::MULTIPLY),
    (&chlo::BROADCAST_NEXT_AFTER, &chlo::NEXT_AFTER),
    (&chlo::BROADCAST_OR, &elementwise::OR),
    (&chlo::BROADCAST_POLYGAMMA, &chlo::POLYGAMMA),
    (&chlo::BROADCAST_POWER, &elementwise::POWER),
    (&chlo::BROADCAST_REMAINDER, &elementwise::REMAINDER),
    (&chlo::BROADCAST_SELECT, &elementwise::SELECT),
    (&chlo::BROADCAST_SHIFT_LEFT, &elementwise::SHIFT_LEFT),
    (
        &chlo::BROADCAST_SHIFT_RIGHT_ARITHMETIC,
        &elementwise::SHIFT_RIGHT_ARITHMETIC,
    ),
    (
        &chlo::BROADCAST_SHIFT_RIGHT_LOGICAL,
        &elementwise::SHIFT_RIGHT_LOGICAL,
    ),
    (&chlo::BROADCAST_SUBTRACT, &elementwise::SUBTRACT),
    (&chlo::BROADCAST_XOR, &elementwise::XOR),
    (&chlo::BROADCAST_ZETA, &chlo::ZETA),
];

pub(super) const SCALARS: &[(&OpDef, Scalar)] = &[
    (&chlo::ACOS, |e, _, x| arc(e, x, &math::ACOS, Arc::Cosine)),
    (&chlo::ACOSH, |e, _, x| {
        arc(e, x, &math::ACOSH, Arc::HyperbolicCosine)
    }),
    (&chlo::ASIN, |e, _, x| arc(e, x, &math::ASIN, Arc::Sine)),
    (&chlo::ASINH, |e, _, x| {
        arc(e, x, &math::ASINH, Arc::HyperbolicSine)
    }),
    (&chlo::ATAN, |e, _, x| arc(e, x, &math::ATAN, Arc::Tangent)),
    (&chlo::ATANH, |e, _, x| {
        arc(e, x, &math::ATANH, Arc::HyperbolicTangent)
    }),
    (&chlo::BESSEL_I1E, |e, _, x| {
        in_double(e, x, |e, x, _| bessel_i1e(e, x[0]))
    }),
    (&chlo::CONJ, |e, _, x| {
        Some(match e.class(x[0]) {
            Class::Complex => e.unary(&complex::CONJ, x[0]),
            _ => x[0],
        })
    }),
    (&chlo::COSH, |e, _, x| {
        hyperbolic(e, x, &math::COSH, &complex::ADD)
    }),
    (&chlo::DIGAMMA, |e, _, x| {
        in_double(e, x, |e, x, widened| digamma(e, x[0], widened))
    }),
    (&chlo::ERF, |e, _, x| of_float(e, x, &math::ERF)),
    (&chlo::ERF_INV, erf_inv),
    (&chlo::ERFC, |e, _, x| of_float(e, x, &math::ERFC)),
    (&chlo::IS_INF, |e, _, x| Some(e.is_inf(x[0]))),
    (&chlo::IS_NEG_INF, |e, _, x| {
        Some(is_infinity(e, x[0], f64::NEG_INFINITY))
    }),
    (&chlo::IS_POS_INF, |e, _, x| {
        Some(is_infinity(e, x[0], f64::INFINITY))
    }),
    (&chlo::LGAMMA, |e, _, x| {
        in_double(e, x, |e, x, widened| lgamma(e, x[0], widened))
    }),
    (&chlo::MULHI, |e, op, x| {
        let def = match is_unsigned(e.b.ir, op) {
            true => &arith::MULUI_EXTENDED,
            false => &arith::MULSI_EXTENDED,
        };
        let ty = e.ty(x[0]);
        let product = e.b.op(def, x, &[ty, ty]);
        Some(e.b.ir.result(product, 1))
    }),
    (&chlo::NEXT_AFTER, next_after),
    (&chlo::POLYGAMMA, |e, _, x| {
        in_double(e, x, |e, x, widened| polygamma(e, x[0], x[1], widened))
    }),
    (&chlo::SINH, |e, _, x| {
        hyperbolic(e, x, &math::SINH, &complex::SUB)
    }),
    (&chlo::SQUARE, |e, op, x| {
        scalar::multiply(e, op, &[x[0], x[0]])
    }),
    (&chlo::TAN, |e, _, x| match e.class(x[0]) {
        Class::Complex => Some(e.unary(&complex::TAN, x[0])),
        _ => of_float(e, x, &math::TAN),
    }),
    (&chlo::ZETA, |e, _, x| {
        in_double(e, x, |e, x, _| zeta(e, x[0], x[1]))
    }),
];

fn of_float(e: &mut Emit<'_, '_>, x: &[Value], def: &'static OpDef) -> Option<Value> {
    matches!(e.class(x[0]), Class::Float(_)).then(|| e.unary(def, x[0]))
}

fn is_infinity(e: &mut Emit<'_, '_>, x: Value, which: f64) -> Value {
    let infinity = e.float_like(x, which);
    e.cmpf(CmpFPredicate::Oeq, x, infinity)
}

/// (exp(x) + exp(-x)) / 2 for complex numbers, or with a difference.
fn hyperbolic(
    e: &mut Emit<'_, '_>,
    x: &[Value],
    of_floats: &'static OpDef,
    combine: &'static OpDef,
) -> Option<Value> {
    if e.class(x[0]) != Class::Complex {
        return of_float(e, x, of_floats);
    }
    let half = e.like(x[0], 0.5);
    let negated = e.unary(&complex::NEG, x[0]);
    let [up, down] = [x[0], negated].map(|x| e.unary(&complex::EXP, x));
    let combined = e.binary(combine, up, down);
    Some(e.binary(&complex::MUL, combined, half))
}

fn arc(e: &mut Emit<'_, '_>, x: &[Value], of_floats: &'static OpDef, which: Arc) -> Option<Value> {
    match e.class(x[0]) {
        Class::Complex => Some(functions::arc(e, x[0], which)),
        _ => of_float(e, x, of_floats),
    }
}

/// Evaluates a function in double precision, whose rounding hides its error for narrower formats; it is told whether its
/// arguments are widened.
fn in_double(
    e: &mut Emit<'_, '_>,
    x: &[Value],
    function: fn(&mut Emit<'_, '_>, &[Value], bool) -> Value,
) -> Option<Value> {
    let Class::Float(kind) = e.class(x[0]) else {
        return None;
    };
    if kind == FloatKind::F64 {
        return Some(function(e, x, false));
    }
    let ty = e.ty(x[0]);
    let wide: Vec<Value> = (x.iter())
        .map(|&x| e.to(&arith::EXTF, x, Type::F64))
        .collect();
    let result = function(e, &wide, true);
    Some(e.to(&arith::TRUNCF, result, ty))
}

// Lanczos' approximation of the gamma function for g = 7 with nine terms, as P. Godfrey computed them.
const LANCZOS_G: f64 = 7.0;
const LANCZOS_BASE: f64 = 0.999_999_999_999_809_9;
const LANCZOS: [f64; 8] = [
    676.520_368_121_885_1,
    -1_259.139_216_722_402_8,
    771.323_428_777_653_1,
    -176.615_029_162_140_6,
    12.507_343_278_686_905,
    -0.138_571_095_265_720_12,
    9.984_369_578_019_572e-6,
    1.505_632_735_149_311_6e-7,
];

/// Whether the reflection is needed, and where the series is evaluated: `-x` or `x - 1`.
fn reflected(e: &mut Emit<'_, '_>, x: Value) -> (Value, Value) {
    let half = e.float_like(x, 0.5);
    let one = e.float_like(x, 1.0);
    let is_reflected = e.cmpf(CmpFPredicate::Olt, x, half);
    let negated = e.unary(&arith::NEGF, x);
    let less = e.binary(&arith::SUBF, x, one);
    (is_reflected, e.select(is_reflected, negated, less))
}

/// The terms `c / (z + i)` of Lanczos' sum, and `c / (z + i) ^ 2` if `slopes` are needed. Those of `widened` numbers share a
/// division among four: the product of their divisors is no infinity, as that of doubles may be.
fn lanczos_terms(e: &mut Emit<'_, '_>, z: Value, widened: bool, slopes: bool) -> Vec<[Value; 2]> {
    let mut terms = Vec::new();
    let divide = |e: &mut Emit<'_, '_>, x, divisor| e.binary(&arith::DIVF, x, divisor);
    let multiply = |e: &mut Emit<'_, '_>, x, factor| e.binary(&arith::MULF, x, factor);
    for (group, coefficients) in LANCZOS.chunks_exact(4).enumerate() {
        let divisors: Vec<Value> = (0..4)
            .map(|i| {
                let offset = e.float_like(z, (4 * group + i + 1) as f64);
                e.binary(&arith::ADDF, z, offset)
            })
            .collect();
        let reciprocals = widened.then(|| reciprocals_of_four(e, &divisors));
        for (i, &coefficient) in coefficients.iter().enumerate() {
            let coefficient = e.float_like(z, coefficient);
            let (by, combine): (_, fn(&mut Emit<'_, '_>, Value, Value) -> Value) =
                match &reciprocals {
                    Some(reciprocals) => (reciprocals[i], multiply),
                    None => (divisors[i], divide),
                };
            let term = combine(e, coefficient, by);
            let slope = if slopes { combine(e, term, by) } else { term };
            terms.push([term, slope]);
        }
    }
    terms
}

/// The reciprocals of four numbers, by one division.
fn reciprocals_of_four(e: &mut Emit<'_, '_>, x: &[Value]) -> [Value; 4] {
    let low = e.binary(&arith::MULF, x[0], x[1]);
    let high = e.binary(&arith::MULF, x[2], x[3]);
    let one = e.float_like(x[0], 1.0);
    let product = e.binary(&arith::MULF, low, high);
    let all = e.binary(&arith::DIVF, one, product);
    let of_low = e.binary(&arith::MULF, all, high);
    let of_high = e.binary(&arith::MULF, all, low);
    [(of_low, 1), (of_low, 0), (of_high, 3), (of_high, 2)]
        .map(|(pair, other)| e.binary(&arith::MULF, pair, x[other]))
}

/// `g + 1/2 + z` and its logarithm.
fn shifted(e: &mut Emit<'_, '_>, z: Value) -> (Value, Value) {
    let offset = LANCZOS_G + 0.5;
    let offset_value = e.float_like(z, offset);
    let t = e.binary(&arith::ADDF, offset_value, z);
    let quotient = e.binary(&arith::DIVF, z, offset_value);
    let rest = e.unary(&math::LOG1P, quotient);
    let whole = e.float_like(z, offset.ln());
    (t, e.binary(&arith::ADDF, whole, rest))
}

/// Whether a number is an integer that is not positive: a pole of the gamma function.
fn is_pole(e: &mut Emit<'_, '_>, x: Value) -> Value {
    let zero = e.float_like(x, 0.0);
    let floor = e.unary(&math::FLOOR, x);
    let is_integer = e.cmpf(CmpFPredicate::Oeq, floor, x);
    let is_not_positive = e.cmpf(CmpFPredicate::Ole, x, zero);
    e.and(is_integer, is_not_positive)
}

pub(super) fn lgamma(e: &mut Emit<'_, '_>, x: Value, widened: bool) -> Value {
    let (is_reflected, z) = reflected(e, x);
    let mut sum = e.float_like(x, LANCZOS_BASE);
    for [term, _] in lanczos_terms(e, z, widened, false) {
        sum = e.binary(&arith::ADDF, sum, term);
    }
    let (t, log_t) = shifted(e, z);
    // (z + 1/2) * log(t) - t, without the cancellation for large numbers.
    let half = e.float_like(x, 0.5);
    let exponent = e.binary(&arith::ADDF, z, half);
    let ratio = e.binary(&arith::DIVF, t, log_t);
    let factor = e.binary(&arith::SUBF, exponent, ratio);
    let product = e.binary(&arith::MULF, factor, log_t);
    let log_sum = e.unary(&math::LOG, sum);
    let constant = e.float_like(x, (2.0 * std::f64::consts::PI).sqrt().ln());
    let log_y = e.binary(&arith::ADDF, constant, product);
    let log_y = e.binary(&arith::ADDF, log_y, log_sum);
    // log(pi / |sin(pi x)|) - log_y, with the fraction of x nearer to zero than to one.
    let magnitude = e.unary(&math::ABSF, x);
    let floor = e.unary(&math::FLOOR, magnitude);
    let fraction = e.binary(&arith::SUBF, magnitude, floor);
    let one = e.float_like(x, 1.0);
    let rest = e.binary(&arith::SUBF, one, fraction);
    let fraction = e.binary(&arith::MINIMUMF, fraction, rest);
    let pi = e.float_like(x, std::f64::consts::PI);
    let angle = e.binary(&arith::MULF, pi, fraction);
    let sine = e.unary(&math::SIN, angle);
    let log_sine = e.unary(&math::LOG, sine);
    let log_pi = e.float_like(x, std::f64::consts::PI.ln());
    let reflection = e.binary(&arith::SUBF, log_pi, log_sine);
    let reflection = e.binary(&arith::SUBF, reflection, log_y);
    let result = e.select(is_reflected, reflection, log_y);
    let infinity = e.float_like(x, f64::INFINITY);
    let is_pole = is_pole(e, x);
    let is_infinite = e.is_inf(x);
    let is_infinite = e.or(is_pole, is_infinite);
    e.select(is_infinite, infinity, result)
}

pub(super) fn digamma(e: &mut Emit<'_, '_>, x: Value, widened: bool) -> Value {
    let (is_reflected, z) = reflected(e, x);
    let mut numerator = e.float_like(x, 0.0);
    let mut denominator = e.float_like(x, LANCZOS_BASE);
    for [term, slope] in lanczos_terms(e, z, widened, true) {
        denominator = e.binary(&arith::ADDF, denominator, term);
        numerator = e.binary(&arith::SUBF, numerator, slope);
    }
    let (t, log_t) = shifted(e, z);
    let g = e.float_like(x, LANCZOS_G);
    let ratio = e.binary(&arith::DIVF, numerator, denominator);
    let shrink = e.binary(&arith::DIVF, g, t);
    let y = e.binary(&arith::ADDF, log_t, ratio);
    let y = e.binary(&arith::SUBF, y, shrink);
    // y - pi * cot(pi x), with x moved to where the cotangent is exact.
    let half = e.float_like(x, 0.5);
    let nearest = e.binary(&arith::ADDF, x, half);
    let nearest = e.unary(&math::FLOOR, nearest);
    let fraction = e.binary(&arith::SUBF, x, nearest);
    let pi = e.float_like(x, std::f64::consts::PI);
    let angle = e.binary(&arith::MULF, pi, fraction);
    let [cosine, sine] = [&math::COS, &math::SIN].map(|def| e.unary(def, angle));
    let cotangent = e.binary(&arith::DIVF, cosine, sine);
    let cotangent = e.binary(&arith::MULF, pi, cotangent);
    let reflection = e.binary(&arith::SUBF, y, cotangent);
    let result = e.select(is_reflected, reflection, y);
    let nan = e.float_like(x, f64::NAN);
    let is_pole = is_pole(e, x);
    let result = e.select(is_pole, nan, result);
    let infinity = e.float_like(x, f64::INFINITY);
    let is_infinite = e.cmpf(CmpFPredicate::Oeq, x, infinity);
    e.select(is_infinite, infinity, result)
}

// M. Giles, "Approximating the erfinv function", 2010: polynomials in w = -log(1 - x * x).
const ERF_INV_CENTRAL: [f64; 9] = [
    2.810_226_36e-08,
    3.432_739_39e-07,
    -3.523_387_7e-06,
    -4.391_506_54e-06,
    0.000_218_580_87,
    -0.001_253_725_03,
    -0.004_177_681_64,
    0.246_640_727,
    1.501_409_41,
];
const ERF_INV_TAIL: [f64; 9] = [
    -0.000_200_214_257,
    0.000_100_950_558,
    0.001_349_343_22,
    -0.003_673_428_44,
    0.005_739_507_73,
    -0.007_622_461_3,
    0.009_438_870_47,
    1.001_674_06,
    2.832_976_82,
];
const ERF_INV_CENTRAL_F64: [f64; 23] = [
    -3.644_412_064_017_82e-21,
    -1.685_059_138_182_016_6e-19,
    1.285_848_071_525_64e-18,
    1.115_787_767_802_518e-17,
    -1.333_171_662_854_621e-16,
    2.097_276_787_596_856e-17,
    6.637_638_134_358_324e-15,
    -4.054_566_272_975_207e-14,
    -8.151_934_197_605_472e-14,
    2.633_509_315_308_232_3e-12,
    -1.297_513_325_345_353_3e-11,
    -5.415_412_054_294_628e-11,
    1.051_212_273_321_532_2e-09,
    -4.112_633_980_346_984e-09,
    -2.907_036_995_788_200_4e-08,
    4.234_787_782_793_24e-07,
    -1.365_469_200_083_467_8e-06,
    -1.388_252_336_278_646_9e-05,
    0.000_186_734_208_034_057_14,
    -0.000_740_702_534_166_267,
    -0.006_033_670_871_430_149,
    0.240_158_182_425_589_6,
    1.653_654_562_683_102_7,
];
const ERF_INV_MIDDLE_F64: [f64; 19] = [
    2.213_737_692_177_578_6e-09,
    9.075_656_193_888_539e-08,
    -2.751_740_629_706_454_4e-07,
    1.823_962_921_438_922_8e-08,
    1.502_740_396_890_982_7e-06,
    -4.013_867_526_981_546e-06,
    2.923_444_908_995_544_6e-06,
    1.247_530_448_167_177_8e-05,
    -4.731_822_900_905_573_5e-05,
    6.828_485_145_957_317e-05,
    2.403_111_038_709_789_4e-05,
    -0.000_355_037_520_362_847_5,
    0.000_953_289_379_737_380_5,
    -0.001_688_275_556_023_504_6,
    0.002_491_442_096_107_851,
    -0.003_751_208_507_569_241,
    0.005_370_914_553_590_064,
    1.005_258_967_694_159_3,
    3.083_885_610_492_221,
];
const ERF_INV_TAIL_F64: [f64; 17] = [
    -2.710_992_061_643_857_3e-11,
    -2.555_641_816_996_525e-10,
    1.507_657_269_350_054_8e-09,
    -3.789_465_440_126_737e-09,
    7.615_701_208_078_34e-09,
    -1.496_002_662_714_924e-08,
    2.914_795_345_090_108e-08,
    -6.771_199_775_845_234e-08,
    2.290_048_222_802_665_3e-07,
    -9.929_827_294_231_7e-07,
    4.526_062_597_223_154e-06,
    -1.968_177_810_553_167e-05,
    7.599_527_703_001_776e-05,
    -0.000_215_030_119_300_444_77,
    -0.000_138_719_318_336_231_22,
    1.010_300_464_864_534_4,
    4.849_906_401_408_584,
];

fn erf_inv(e: &mut Emit<'_, '_>, _: Op, x: &[Value]) -> Option<Value> {
    let x = x[0];
    let Class::Float(kind) = e.class(x) else {
        return None;
    };
    if kind.width() < 32 {
        let ty = e.ty(x);
        let wide = e.to(&arith::EXTF, x, Type::F32);
        let result = erf_inv_of(e, wide, false);
        return Some(e.to(&arith::TRUNCF, result, ty));
    }
    Some(erf_inv_of(e, x, kind == FloatKind::F64))
}

fn erf_inv_of(e: &mut Emit<'_, '_>, x: Value, is_double: bool) -> Value {
    let square = e.binary(&arith::MULF, x, x);
    let negated = e.unary(&arith::NEGF, square);
    let logarithm = e.unary(&math::LOG1P, negated);
    let w = e.unary(&arith::NEGF, logarithm);
    let root = e.unary(&math::SQRT, w);
    let at = |e: &mut Emit<'_, '_>, from: Value, by: f64, coefficients: &[f64]| {
        let by = e.float_like(x, by);
        let moved = e.binary(&arith::SUBF, from, by);
        e.polynomial(moved, coefficients)
    };
    let is_below = |e: &mut Emit<'_, '_>, limit: f64| {
        let limit = e.float_like(x, limit);
        e.cmpf(CmpFPredicate::Olt, w, limit)
    };
    let factor = if is_double {
        let central = at(e, w, 3.125, &ERF_INV_CENTRAL_F64);
        let middle = at(e, root, 3.25, &ERF_INV_MIDDLE_F64);
        let tail = at(e, root, 5.0, &ERF_INV_TAIL_F64);
        let is_middle = is_below(e, 16.0);
        let outer = e.select(is_middle, middle, tail);
        let is_central = is_below(e, 6.25);
        e.select(is_central, central, outer)
    } else {
        let central = at(e, w, 2.5, &ERF_INV_CENTRAL);
        let tail = at(e, root, 3.0, &ERF_INV_TAIL);
        let is_central = is_below(e, 5.0);
        e.select(is_central, central, tail)
    };
    let result = e.binary(&arith::MULF, factor, x);
    let one = e.float_like(x, 1.0);
    let magnitude = e.unary(&math::ABSF, x);
    let is_end = e.cmpf(CmpFPredicate::Oeq, magnitude, one);
    let infinity = e.float_like(x, f64::INFINITY);
    let end = e.binary(&arith::MULF, x, infinity);
    e.select(is_end, end, result)
}

/// The bits of a float count up with its magnitude.
fn next_after(e: &mut Emit<'_, '_>, _: Op, x: &[Value]) -> Option<Value> {
    let (from, to) = (x[0], x[1]);
    let Class::Float(kind) = e.class(from) else {
        return None;
    };
    if !e.has_infinity(from) {
        // Their codes do not count up from zero to what comes behind the largest number.
        return None;
    }
    let ty = e.ty(from);
    let bits = e.bits(from);
    let [one, zero, sign_mask] =
        [1, 0, -1i128 << (kind.width() - 1)].map(|number| e.int_like(bits, number));
    let zero_float = e.float_like(from, 0.0);
    let is_up = e.cmpf(CmpFPredicate::Ogt, to, from);
    let is_negative = e.cmpi(CmpIPredicate::Slt, bits, zero);
    // Away from zero where the sign and the direction agree.
    let grows = e.binary(&arith::XORI, is_up, is_negative);
    let more = e.binary(&arith::ADDI, bits, one);
    let less = e.binary(&arith::SUBI, bits, one);
    let moved = e.select(grows, more, less);
    // From zero to the least number of the sign of the direction.
    let to_bits = e.bits(to);
    let sign = e.and(to_bits, sign_mask);
    let least = e.or(sign, one);
    let is_zero = e.cmpf(CmpFPredicate::Oeq, from, zero_float);
    let moved = e.select(is_zero, least, moved);
    let moved = e.to(&arith::BITCAST, moved, ty);
    let is_same = e.cmpf(CmpFPredicate::Oeq, from, to);
    let result = e.select(is_same, to, moved);
    let is_unordered = e.cmpf(CmpFPredicate::Uno, from, to);
    let nan = e.float_like(from, f64::NAN);
    Some(e.select(is_unordered, nan, result))
}

/// The operation that one on tensors of rank 0 is, which may broadcast others.
pub(super) fn of_elements(def: &'static OpDef) -> &'static OpDef {
    let known = BROADCASTING.iter().find(|row| std::ptr::eq(row.0, def));
    known.map_or(def, |row| row.1)
}

/// Which dimension of the result each one of an operand is: the last ones, unless `dims` says something else.
pub(super) fn places_of(dims: &[i64], rank: usize, result_rank: usize) -> Option<Vec<i64>> {
    let missing = result_rank.checked_sub(rank)?;
    Some(match dims.len() == rank {
        true => dims.to_vec(),
        false => (missing as i64..result_rank as i64).collect(),
    })
}

/// The sizes of a result: in each dimension that of an operand which has another one than 1.
fn common_sizes(
    b: &mut Builder<'_>,
    op: Op,
    dims: &[i64],
    target: &[i64],
) -> Result<Vec<Value>, Unsupported> {
    let mut all: Vec<Value> = target.iter().map(|_| arith::constant_index(b, 1)).collect();
    for operand in b.ir.operands(op).to_vec() {
        let rank = shape(b.ir, operand).len();
        let places = places_of(dims, rank, target.len());
        let places = places.ok_or("an operand has more dimensions than its result")?;
        for (dim, &place) in places.iter().enumerate() {
            let (place, own) = (place as usize, size(b, operand, dim));
            let one = arith::constant_index(b, 1);
            let is_one = arith::compare(b, CmpIPredicate::Eq, own, one);
            all[place] = b.value(&arith::SELECT, &[is_one, all[place], own], Type::INDEX);
        }
    }
    Ok(all)
}

/// Operands are broadcast first, which fusion makes part of the operation.
fn lower_broadcasting(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    let def = b.ir.def(op);
    let known = BROADCASTING.iter().find(|row| std::ptr::eq(row.0, def));
    let (_, of_elements) = known.ok_or("nothing lowers it")?;
    let ty = result_type(b.ir, op);
    let target = b.ir.context().shape(ty).unwrap_or_default().to_vec();
    let dims = list(b.ir, op, Name::BROADCAST_DIMENSIONS);
    let mut inputs = Vec::new();
    let mut sizes_of_result = None;
    for operand in b.ir.operands(op).to_vec() {
        let input = as_signless(b, operand);
        let sizes = shape(b.ir, input);
        let is_open = sizes.contains(&DYNAMIC) || target.contains(&DYNAMIC);
        if (sizes == target && !is_open) || sizes.is_empty() {
            inputs.push(input);
            continue;
        }
        let places = places_of(&dims, sizes.len(), target.len())
            .ok_or("an operand has more dimensions than its result")?;
        let context = b.context();
        let wide = context.with_element_type(ty, super::build::element(b.ir, input));
        if !is_open {
            inputs.push(broadcast(b, input, &places, wide));
            continue;
        }
        let all: &Vec<Value> = match &mut sizes_of_result {
            Some(all) => all,
            none => none.insert(common_sizes(b, op, &dims, &target)?),
        };
        let out = empty_with(b, wide, &mut |_, dim| all[dim]);
        inputs.push(broadcast_to(b, input, &places, out));
    }
    let mut is_known = true;
    let lowered = super::build::elementwise(b, &inputs, ty, &mut |b, x| {
        scalar::emit_as(b, of_elements, op, x).unwrap_or_else(|| {
            is_known = false;
            x[0]
        })
    });
    match is_known {
        true => Ok(vec![lowered]),
        false => Err(unsupported_types(b.ir, op)),
    }
}
