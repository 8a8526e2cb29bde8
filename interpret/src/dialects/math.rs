//! math.
//!
//! Elementary functions are those that the rows of the dialect are folded by
//! ([`approximations`](freehold_frontend::dialects::math::approximations)): their bits are part of what a program
//! means. Smaller formats are computed in `f32`.

use freehold_frontend::dialects::math;
use freehold_frontend::dialects::math::approximations::{self, Numbers, doubles};
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::types::FloatKind;

use super::arith::{check_fastmath, fastmath, float_kind, mul, two_results};
use crate::elementwise::map;
use crate::float;
use crate::machine::{Frame, Machine, Res};
use crate::noise;
use crate::table::Rows;
use crate::value::{mask, signed};

/// An elementary function of floats: the arithmetic that compiled code has for single ones, and, without a name for it,
/// for double ones.
macro_rules! approximated {
    ($name:ident) => {
        approximated!($name, |x: f64| doubles::$name(&mut Numbers, x))
    };
    ($name:ident, $double:expr) => {
        |m, f, op| {
            unary(
                m,
                f,
                op,
                |x| approximations::$name(&mut Numbers, x),
                |x| moved($double(x)),
            )
        }
    };
}

/// The same of one that policies permit to be off by some units in the last place, except in double precision.
macro_rules! permitted {
    ($name:ident, $units:expr) => {
        |m, f, op| {
            let kind = float_kind(m, f.operand_type(op, 0))?;
            let flags = fastmath(m, f, op);
            map(m, f, op, |n| {
                let result = of_one(
                    kind,
                    n[0],
                    |x| approximations::$name(&mut Numbers, x),
                    |x| doubles::$name(&mut Numbers, x),
                );
                check_fastmath(flags, kind, &[n[0], result])?;
                Ok(shorter(kind, result, $units))
            })
        }
    };
}

pub(crate) const ROWS: Rows = &[
    (&math::ABSF, |m, f, op| sign(m, f, op, |_, _| false)),
    (&math::COPYSIGN, |m, f, op| {
        sign(m, f, op, |n, kind| is_negative(kind, n[1]))
    }),
    (&math::ABSI, |m, f, op| {
        int(m, f, op, |n, w| signed(n[0], w).unsigned_abs() & mask(w))
    }),
    (&math::CTLZ, |m, f, op| {
        int(m, f, op, |n, w| (n[0].leading_zeros() + w - 128).into())
    }),
    (&math::CTTZ, |m, f, op| {
        int(m, f, op, |n, w| n[0].trailing_zeros().min(w).into())
    }),
    (&math::CTPOP, |m, f, op| {
        int(m, f, op, |n, _| n[0].count_ones().into())
    }),
    (&math::IPOWI, ipowi),
    (&math::ACOS, approximated!(acos, f64::acos)),
    (
        &math::ACOSH,
        approximated!(acosh, approximations::library_acosh),
    ),
    (&math::ASIN, approximated!(asin, f64::asin)),
    (&math::ASINH, approximated!(asinh, libm::asinh)),
    (&math::ATAN, approximated!(atan, f64::atan)),
    (&math::ATANH, approximated!(atanh, libm::atanh)),
    (&math::ATAN2, |m, f, op| {
        binary(
            m,
            f,
            op,
            |y, x| approximations::atan2(&mut Numbers, y, x),
            f64::atan2,
        )
    }),
    (&math::CBRT, approximated!(cbrt, f64::cbrt)),
    (&math::CEIL, |m, f, op| exact(m, f, op, f64::ceil)),
    (&math::FLOOR, |m, f, op| exact(m, f, op, f64::floor)),
    (&math::ROUND, |m, f, op| exact(m, f, op, f64::round)),
    (&math::ROUNDEVEN, |m, f, op| {
        exact(m, f, op, f64::round_ties_even)
    }),
    (&math::TRUNC, |m, f, op| exact(m, f, op, f64::trunc)),
    (&math::SQRT, |m, f, op| {
        unary(m, f, op, f32::sqrt, f64::sqrt)
    }),
    (&math::RSQRT, |m, f, op| {
        unary(m, f, op, |x| 1.0 / x.sqrt(), |x| 1.0 / x.sqrt())
    }),
    (&math::CLAMPF, clampf),
    (&math::ISFINITE, |m, f, op| {
        class(m, f, op, |x, _| x.is_finite())
    }),
    (&math::ISINF, |m, f, op| {
        class(m, f, op, |x, _| x.is_infinite())
    }),
    (&math::ISNAN, |m, f, op| class(m, f, op, |x, _| x.is_nan())),
    (&math::ISNORMAL, |m, f, op| class(m, f, op, is_normal)),
    (&math::SINCOS, sincos),
    (&math::COS, |m, f, op| unary(m, f, op, cos, cos64)),
    (&math::SIN, |m, f, op| unary(m, f, op, sin, sin64)),
    (&math::TAN, approximated!(tan)),
    (&math::COSH, approximated!(cosh, f64::cosh)),
    (&math::SINH, approximated!(sinh, f64::sinh)),
    (&math::TANH, permitted!(tanh, 7.0)),
    (&math::ERF, permitted!(erf, 7.0)),
    (&math::ERFC, approximated!(erfc, libm::erfc)),
    (&math::EXP, permitted!(exp, 1.5)),
    (&math::EXP2, approximated!(exp2)),
    (&math::EXPM1, approximated!(expm1)),
    (&math::LOG, permitted!(log, 1.5)),
    (&math::LOG10, approximated!(log10)),
    (&math::LOG1P, permitted!(log1p, 1.5)),
    (&math::LOG2, approximated!(log2)),
    (&math::POWF, |m, f, op| {
        binary(
            m,
            f,
            op,
            |x, y| approximations::pow(&mut Numbers, x, y),
            |x, y| doubles::pow(&mut Numbers, x, y),
        )
    }),
    (&math::FMA, fma),
    (&math::FPOWI, fpowi),
];

fn cos(x: f32) -> f32 {
    approximations::cos(&mut Numbers, x)
}

fn cos64(x: f64) -> f64 {
    doubles::cos(&mut Numbers, x)
}

fn sin(x: f32) -> f32 {
    approximations::sin(&mut Numbers, x)
}

fn sin64(x: f64) -> f64 {
    doubles::sin(&mut Numbers, x)
}

fn int(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op, each: fn(&[u128], u32) -> u128) -> Res {
    let width = m.kind(f.operand_type(op, 0))?.width();
    map(m, f, op, |n| Ok(each(n, width)))
}

fn sign(
    m: &mut Machine<'_>,
    f: &mut Frame<'_>,
    op: Op,
    wanted: fn(&[u128], FloatKind) -> bool,
) -> Res {
    let kind = float_kind(m, f.operand_type(op, 0))?;
    map(m, f, op, |n| {
        let bits = match wanted(n, kind) == is_negative(kind, n[0]) {
            true => n[0],
            false => float::negate(kind, n[0]),
        };
        Ok(bits)
    })
}

/// Whether a number has a sign, which those of `f8E8M0FNU` have no bit for.
fn is_negative(kind: FloatKind, bits: u128) -> bool {
    kind != FloatKind::F8E8M0FNU && bits >> (kind.width() - 1) & 1 == 1
}

/// A function of one number: in f64 for that, else in f32 with one more rounding.
pub(crate) fn of_one(
    kind: FloatKind,
    bits: u128,
    single: fn(f32) -> f32,
    double: fn(f64) -> f64,
) -> u128 {
    match kind {
        FloatKind::F64 => double(f64::from_bits(bits as u64)).to_bits().into(),
        FloatKind::F32 => single(f32::from_bits(bits as u32)).to_bits().into(),
        _ => float::encode(kind, single(float::decode(kind, bits) as f32).into()),
    }
}

/// The result of a function in double precision, whose arithmetic policies permit to fuse.
fn moved(result: f64) -> f64 {
    let bits = noise::function(FloatKind::F64, result.to_bits().into(), 1.0);
    f64::from_bits(bits as u64)
}

/// The result of a function that policies permit to compute in `f32`, or whose arithmetic they permit to fuse.
pub(crate) fn shorter(kind: FloatKind, bits: u128, units: f64) -> u128 {
    match kind {
        FloatKind::F64 => noise::function(kind, bits, 1.0),
        FloatKind::F32 => noise::function(kind, bits, units),
        _ => noise::function(kind, bits, 1.0),
    }
}

pub(crate) fn unary(
    m: &mut Machine<'_>,
    f: &mut Frame<'_>,
    op: Op,
    single: fn(f32) -> f32,
    double: fn(f64) -> f64,
) -> Res {
    let kind = float_kind(m, f.operand_type(op, 0))?;
    let flags = fastmath(m, f, op);
    map(m, f, op, |n| {
        let result = of_one(kind, n[0], single, double);
        check_fastmath(flags, kind, &[n[0], result])?;
        Ok(result)
    })
}

pub(crate) fn binary(
    m: &mut Machine<'_>,
    f: &mut Frame<'_>,
    op: Op,
    single: fn(f32, f32) -> f32,
    double: fn(f64, f64) -> f64,
) -> Res {
    let kind = float_kind(m, f.operand_type(op, 0))?;
    let flags = fastmath(m, f, op);
    map(m, f, op, |n| {
        let result = of_two(kind, n[0], n[1], single, double);
        check_fastmath(flags, kind, &[n[0], n[1], result])?;
        Ok(result)
    })
}

/// A function of two numbers, as [`of_one`].
pub(crate) fn of_two(
    kind: FloatKind,
    a: u128,
    b: u128,
    single: fn(f32, f32) -> f32,
    double: fn(f64, f64) -> f64,
) -> u128 {
    match kind {
        FloatKind::F64 => double(f64::from_bits(a as u64), f64::from_bits(b as u64))
            .to_bits()
            .into(),
        _ => {
            let x = float::decode(kind, a) as f32;
            let y = float::decode(kind, b) as f32;
            float::encode(kind, single(x, y).into())
        }
    }
}

/// A function whose result is exact.
pub(crate) fn exact(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op, of: fn(f64) -> f64) -> Res {
    let kind = float_kind(m, f.operand_type(op, 0))?;
    let flags = fastmath(m, f, op);
    map(m, f, op, |n| {
        let result = float::encode(kind, of(float::decode(kind, n[0])));
        check_fastmath(flags, kind, &[n[0], result])?;
        Ok(result)
    })
}

fn class(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op, holds: fn(f64, FloatKind) -> bool) -> Res {
    let kind = float_kind(m, f.operand_type(op, 0))?;
    map(m, f, op, |n| {
        Ok(holds(float::decode(kind, n[0]), kind).into())
    })
}

fn is_normal(x: f64, kind: FloatKind) -> bool {
    let fraction = match kind {
        FloatKind::F64 => return x.is_normal(),
        FloatKind::F32 => return (x as f32).is_normal(),
        FloatKind::F16 => -14,
        FloatKind::BF16 | FloatKind::TF32 => -126,
        FloatKind::F4E2M1FN | FloatKind::F6E2M3FN => 0,
        FloatKind::F6E3M2FN => -2,
        FloatKind::F8E8M0FNU => -127,
        FloatKind::F8E5M2 => -14,
        FloatKind::F8E4M3 | FloatKind::F8E4M3FN => -6,
        FloatKind::F8E5M2FNUZ => -15,
        FloatKind::F8E4M3FNUZ => -7,
        FloatKind::F8E4M3B11FNUZ => -10,
        FloatKind::F8E3M4 => -2,
        FloatKind::F80 | FloatKind::F128 => return false,
    };
    x.is_finite() && x.abs() >= 2f64.powi(fraction)
}

fn clampf(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let kind = float_kind(m, f.operand_type(op, 0))?;
    map(m, f, op, |n| {
        Ok(super::arith::minimum(
            kind,
            super::arith::maximum(kind, n[0], n[1]),
            n[2],
        ))
    })
}

fn sincos(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let kind = float_kind(m, f.operand_type(op, 0))?;
    two_results(m, f, op, |n| {
        (
            of_one(kind, n[0], sin, sin64),
            of_one(kind, n[0], cos, cos64),
        )
    })
}

fn fma(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let kind = float_kind(m, f.operand_type(op, 0))?;
    let flags = fastmath(m, f, op);
    map(m, f, op, |n| {
        let result = float::fma(kind, n[0], n[1], n[2]);
        check_fastmath(flags, kind, &[n[0], n[1], n[2], result])?;
        Ok(result)
    })
}

/// The power of a signed integer.
fn ipowi(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let width = m.kind(f.operand_type(op, 0))?.width();
    map(m, f, op, |n| {
        let (base, exponent) = (signed(n[0], width), signed(n[1], width));
        if exponent < 0 {
            return match base {
                1 => Ok(1),
                -1 if exponent % 2 == 0 => Ok(1),
                -1 => Ok(mask(width)),
                _ => Ok(0),
            };
        }
        let (mut result, mut square, mut rest) = (1u128, n[0], n[1]);
        while rest != 0 {
            if rest & 1 == 1 {
                result = result.wrapping_mul(square);
            }
            square = square.wrapping_mul(square);
            rest >>= 1;
        }
        Ok(result & mask(width))
    })
}

/// A float to the power of an integer: repeated squares, as the lowering says.
fn fpowi(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let kind = float_kind(m, f.operand_type(op, 0))?;
    let width = m.kind(f.operand_type(op, 1))?.width();
    map(m, f, op, |n| {
        let exponent = signed(n[1], width);
        let one = float::encode(kind, 1.0);
        let (mut result, mut square, mut rest) = (one, n[0], exponent.unsigned_abs());
        while rest != 0 {
            if rest & 1 == 1 {
                result = mul(kind, result, square);
            }
            square = mul(kind, square, square);
            rest >>= 1;
        }
        if exponent < 0 {
            result = super::arith::div(kind, one, result);
        }
        Ok(result)
    })
}
