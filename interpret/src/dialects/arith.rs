//! arith and index.

use freehold_frontend::dialects::arith::{self, CmpFPredicate, CmpIPredicate};
use freehold_frontend::dialects::index;
use freehold_frontend::ir::attrs::AttrKind;
use freehold_frontend::ir::builtin;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{FloatKind, Type};

use crate::constant;
use crate::elementwise::{self, Number, Trouble, map};
use crate::float;
use crate::integer::{self, NoWrap};
use crate::machine::{Fault, FaultKind, Frame, Machine, Res, as_scalar, unsupported};
use crate::noise;
use crate::table::{Handler, Rows};
use crate::value::{Kind, Scalar, Value, mask, signed};

pub(crate) const ROWS: Rows = &[
    (&arith::CONSTANT, constant as Handler),
    (&arith::ADDI, |m, f, op| overflow(m, f, op, &integer::ADD)),
    (&arith::SUBI, |m, f, op| overflow(m, f, op, &integer::SUB)),
    (&arith::MULI, |m, f, op| overflow(m, f, op, &integer::MUL)),
    (&arith::ADDUI_EXTENDED, addui_extended),
    (&arith::MULSI_EXTENDED, |m, f, op| extended(m, f, op, true)),
    (&arith::MULUI_EXTENDED, |m, f, op| extended(m, f, op, false)),
    (&arith::DIVUI, |m, f, op| {
        quotient(m, f, op, |a, b, _| integer::divui(a, b))
    }),
    (&arith::DIVSI, |m, f, op| quotient(m, f, op, integer::divsi)),
    (&arith::CEILDIVUI, |m, f, op| {
        division(m, f, op, |a, b, _| integer::ceildivui(a, b))
    }),
    (&arith::CEILDIVSI, |m, f, op| {
        division(m, f, op, integer::ceildivsi)
    }),
    (&arith::FLOORDIVSI, |m, f, op| {
        division(m, f, op, integer::floordivsi)
    }),
    (&arith::REMUI, |m, f, op| {
        division(m, f, op, |a, b, _| integer::remui(a, b))
    }),
    (&arith::REMSI, |m, f, op| division(m, f, op, integer::remsi)),
    (&arith::ANDI, |m, f, op| map(m, f, op, |n| Ok(n[0] & n[1]))),
    (&arith::ORI, |m, f, op| map(m, f, op, |n| Ok(n[0] | n[1]))),
    (&arith::XORI, |m, f, op| map(m, f, op, |n| Ok(n[0] ^ n[1]))),
    (&arith::SHLI, shli),
    (&arith::SHRUI, |m, f, op| {
        shift_right(m, f, op, integer::shru)
    }),
    (&arith::SHRSI, |m, f, op| {
        shift_right(m, f, op, integer::shrs)
    }),
    (&arith::MAXSI, |m, f, op| ints(m, f, op, maxs)),
    (&arith::MAXUI, |m, f, op| {
        ints(m, f, op, |a, b, _| Ok(a.max(b)))
    }),
    (&arith::MINSI, |m, f, op| ints(m, f, op, mins)),
    (&arith::MINUI, |m, f, op| {
        ints(m, f, op, |a, b, _| Ok(a.min(b)))
    }),
    (&arith::NEGF, negf),
    (&arith::ADDF, |m, f, op| floats(m, f, op, add)),
    (&arith::SUBF, |m, f, op| floats(m, f, op, sub)),
    (&arith::MULF, |m, f, op| floats(m, f, op, mul)),
    (&arith::DIVF, |m, f, op| floats(m, f, op, div)),
    (&arith::REMF, |m, f, op| floats(m, f, op, rem)),
    (&arith::MAXIMUMF, |m, f, op| floats(m, f, op, maximum)),
    (&arith::MAXNUMF, |m, f, op| floats(m, f, op, maxnum)),
    (&arith::MINIMUMF, |m, f, op| floats(m, f, op, minimum)),
    (&arith::MINNUMF, |m, f, op| floats(m, f, op, minnum)),
    (&arith::EXTUI, |m, f, op| {
        convert(m, f, op, |bits, _, _| Ok(bits))
    }),
    (&arith::EXTSI, |m, f, op| convert(m, f, op, sign_extend)),
    (&arith::TRUNCI, trunci),
    (&arith::INDEX_CAST, |m, f, op| {
        convert(m, f, op, sign_extend)
    }),
    (&arith::INDEX_CASTUI, |m, f, op| {
        convert(m, f, op, |bits, _, to| Ok(bits & mask(to.width())))
    }),
    (&arith::EXTF, |m, f, op| convert(m, f, op, float_to_float)),
    (&arith::TRUNCF, truncf),
    (&arith::SCALING_EXTF, scaling_extf),
    (&arith::SCALING_TRUNCF, scaling_truncf),
    (&arith::UITOFP, |m, f, op| convert(m, f, op, uitofp)),
    (&arith::SITOFP, |m, f, op| convert(m, f, op, sitofp)),
    (&arith::FPTOUI, |m, f, op| {
        convert(m, f, op, |bits, from, to| fptoi(bits, from, to, false))
    }),
    (&arith::FPTOSI, |m, f, op| {
        convert(m, f, op, |bits, from, to| fptoi(bits, from, to, true))
    }),
    (&arith::BITCAST, bitcast),
    (&arith::CMPI, cmpi),
    (&arith::CMPF, cmpf),
    (&arith::SELECT, select),
    (&builtin::UNREALIZED_CONVERSION_CAST, unrealized_cast),
    (&index::ADD, |m, f, op| {
        ints(m, f, op, |a, b, w| Ok(a.wrapping_add(b) & mask(w)))
    }),
    (&index::SUB, |m, f, op| {
        ints(m, f, op, |a, b, w| Ok(a.wrapping_sub(b) & mask(w)))
    }),
    (&index::MUL, |m, f, op| {
        ints(m, f, op, |a, b, w| Ok(a.wrapping_mul(b) & mask(w)))
    }),
    (&index::DIVS, |m, f, op| division(m, f, op, integer::divsi)),
    (&index::DIVU, |m, f, op| {
        division(m, f, op, |a, b, _| integer::divui(a, b))
    }),
    (&index::CEILDIVS, |m, f, op| {
        division(m, f, op, integer::ceildivsi)
    }),
    (&index::CEILDIVU, |m, f, op| {
        division(m, f, op, |a, b, _| integer::ceildivui(a, b))
    }),
    (&index::FLOORDIVS, |m, f, op| {
        division(m, f, op, integer::floordivsi)
    }),
    (&index::REMS, |m, f, op| division(m, f, op, integer::remsi)),
    (&index::REMU, |m, f, op| {
        division(m, f, op, |a, b, _| integer::remui(a, b))
    }),
    (&index::MAXS, |m, f, op| ints(m, f, op, maxs)),
    (&index::MAXU, |m, f, op| {
        ints(m, f, op, |a, b, _| Ok(a.max(b)))
    }),
    (&index::MINS, |m, f, op| ints(m, f, op, mins)),
    (&index::MINU, |m, f, op| {
        ints(m, f, op, |a, b, _| Ok(a.min(b)))
    }),
    (&index::SHL, |m, f, op| {
        ints(m, f, op, |a, b, w| integer::shl(a, b, w, NoWrap::default()))
    }),
    (&index::SHRU, |m, f, op| ints(m, f, op, integer::shru)),
    (&index::SHRS, |m, f, op| ints(m, f, op, integer::shrs)),
    (&index::AND, |m, f, op| map(m, f, op, |n| Ok(n[0] & n[1]))),
    (&index::OR, |m, f, op| map(m, f, op, |n| Ok(n[0] | n[1]))),
    (&index::XOR, |m, f, op| map(m, f, op, |n| Ok(n[0] ^ n[1]))),
    (&index::CASTS, |m, f, op| convert(m, f, op, sign_extend)),
    (&index::CASTU, |m, f, op| {
        convert(m, f, op, |bits, _, to| Ok(bits & mask(to.width())))
    }),
    (&index::CMP, index_cmp),
    (&index::SIZEOF, |_, f, op| {
        f.set(op, 0, Value::index(64));
        Ok(())
    }),
    (&index::CONSTANT, constant),
    (&index::BOOL_CONSTANT, constant),
];

pub(crate) fn constant(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let ty = f.result_type(op, 0);
    let attr = f.attr(op, Name::VALUE);
    let Some(value) = attr.and_then(|attr| constant::value(m.context, attr, ty)) else {
        return unsupported("constants of this kind are not interpreted");
    };
    f.set(op, 0, value);
    Ok(())
}

/// The width of the integers of the first operand.
fn width(m: &Machine<'_>, f: &Frame<'_>, op: Op) -> Res<u32> {
    Ok(m.kind(f.operand_type(op, 0))?.width())
}

pub(crate) fn ints(
    m: &mut Machine<'_>,
    f: &mut Frame<'_>,
    op: Op,
    each: impl Fn(u128, u128, u32) -> Number,
) -> Res {
    let width = width(m, f, op)?;
    map(m, f, op, |n| each(n[0], n[1], width))
}

/// A division: the divisor has to be defined.
pub(crate) fn division(
    m: &mut Machine<'_>,
    f: &mut Frame<'_>,
    op: Op,
    each: impl Fn(u128, u128, u32) -> Number,
) -> Res {
    let width = width(m, f, op)?;
    elementwise::map_scalars(m, f, op, |m, f, numbers| {
        let divisor = m.defined(numbers[1], "a divisor")?;
        elementwise::plain(m, f, &[numbers[0], Scalar::Bits(divisor)], &|n| {
            each(n[0], n[1], width)
        })
    })
}

/// A quotient, poison where it may not lose a remainder but does.
pub(crate) fn quotient(
    m: &mut Machine<'_>,
    f: &mut Frame<'_>,
    op: Op,
    each: fn(u128, u128, u32) -> Number,
) -> Res {
    let is_exact = f.attr(op, Name::IS_EXACT).is_some();
    division(m, f, op, |a, b, width| {
        let quotient = each(a, b, width)?;
        let product = quotient.wrapping_mul(b) & mask(width);
        integer::checked_exact(is_exact, product == a, quotient, [a, b], "/")
    })
}

/// A shift to the right, poison where it may not lose bits but does.
pub(crate) fn shift_right(
    m: &mut Machine<'_>,
    f: &mut Frame<'_>,
    op: Op,
    each: fn(u128, u128, u32) -> Number,
) -> Res {
    let is_exact = f.attr(op, Name::IS_EXACT).is_some();
    ints(m, f, op, |a, b, width| {
        let shifted = each(a, b, width)?;
        integer::checked_exact(
            is_exact,
            a.trailing_zeros() >= b as u32 || a == 0,
            shifted,
            [a, b],
            ">>",
        )
    })
}

fn no_wrap(m: &Machine<'_>, f: &Frame<'_>, op: Op) -> NoWrap {
    let Some(attr) = f.attr(op, Name::OVERFLOW_FLAGS) else {
        return NoWrap::default();
    };
    match m.context.attr_kind(attr) {
        AttrKind::Integer { value, .. } => NoWrap {
            signed: value & 1 != 0,
            unsigned: value & 2 != 0,
        },
        AttrKind::Dialect { body, .. } => NoWrap {
            signed: body.contains("nsw"),
            unsigned: body.contains("nuw"),
        },
        _ => NoWrap::default(),
    }
}

pub(crate) fn overflow(
    m: &mut Machine<'_>,
    f: &mut Frame<'_>,
    op: Op,
    exact: &integer::Exact,
) -> Res {
    let (width, flags) = (width(m, f, op)?, no_wrap(m, f, op));
    map(m, f, op, |n| {
        integer::checked(exact, n[0], n[1], width, flags)
    })
}

pub(crate) fn shli(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let (width, flags) = (width(m, f, op)?, no_wrap(m, f, op));
    map(m, f, op, |n| integer::shl(n[0], n[1], width, flags))
}

fn maxs(a: u128, b: u128, width: u32) -> Number {
    Ok(if signed(a, width) >= signed(b, width) {
        a
    } else {
        b
    })
}

fn mins(a: u128, b: u128, width: u32) -> Number {
    Ok(if signed(a, width) <= signed(b, width) {
        a
    } else {
        b
    })
}

/// Two results of which each is computed element by element.
pub(crate) fn two_results(
    m: &mut Machine<'_>,
    f: &mut Frame<'_>,
    op: Op,
    each: impl Fn(&[u128]) -> (u128, u128),
) -> Res {
    let operands: Vec<Value> = f.ir.operands(op).iter().map(|&id| f.get(id)).collect();
    for index in 0..2 {
        let value = elementwise::apply(m, f, &operands, |m, f, numbers| {
            elementwise::plain(m, f, numbers, &|n| {
                let (first, second) = each(n);
                Ok(if index == 0 { first } else { second })
            })
        })?;
        f.set(op, index, value);
    }
    Ok(())
}

fn addui_extended(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let width = width(m, f, op)?;
    two_results(m, f, op, |n| {
        let (sum, carry) = n[0].overflowing_add(n[1]);
        (sum & mask(width), u128::from(carry || sum > mask(width)))
    })
}

fn extended(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op, is_signed: bool) -> Res {
    let width = width(m, f, op)?;
    two_results(m, f, op, |n| {
        integer::wide_product(n[0], n[1], width, is_signed)
    })
}

/// The format of the floats of the first operand.
pub(crate) fn float_kind(m: &Machine<'_>, ty: Type) -> Res<FloatKind> {
    match m.kind(ty)? {
        Kind::Float(kind) => Ok(kind),
        _ => unsupported("a float is expected"),
    }
}

/// An operation on two floats.
pub(crate) type FloatOp = fn(FloatKind, u128, u128) -> u128;

pub(crate) fn floats(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op, each: FloatOp) -> Res {
    let kind = float_kind(m, f.operand_type(op, 0))?;
    let flags = fastmath(m, f, op);
    map(m, f, op, |n| {
        let result = each(kind, n[0], n[1]);
        check_fastmath(flags, kind, &[n[0], n[1], result])?;
        Ok(result)
    })
}

/// What fast math promises: no NaNs, no infinities.
pub(crate) fn fastmath(m: &Machine<'_>, f: &Frame<'_>, op: Op) -> (bool, bool) {
    let Some(attr) = f.attr(op, Name::FASTMATH) else {
        return (false, false);
    };
    match m.context.attr_kind(attr) {
        AttrKind::Dialect { body, .. } => {
            let fast = body.contains("<fast>");
            (fast || body.contains("nnan"), fast || body.contains("ninf"))
        }
        AttrKind::Integer { value, .. } => (value & 2 != 0, value & 4 != 0),
        _ => (false, false),
    }
}

pub(crate) fn check_fastmath(
    (nnan, ninf): (bool, bool),
    kind: FloatKind,
    numbers: &[u128],
) -> Result<(), Trouble> {
    if !nnan && !ninf {
        return Ok(());
    }
    for &bits in numbers {
        let value = float::decode(kind, bits);
        if nnan && value.is_nan() {
            return Err(Trouble::Poison("NaN in an operation with nnan".to_owned()));
        }
        if ninf && value.is_infinite() {
            return Err(Trouble::Poison(
                "infinity in an operation with ninf".to_owned(),
            ));
        }
    }
    Ok(())
}

pub(crate) fn add(kind: FloatKind, a: u128, b: u128) -> u128 {
    let bits = float::binary(kind, a, b, |a, b| a + b, |a, b| a + b);
    noise::sum(kind, float::decode(kind, a), float::decode(kind, b), bits)
}

pub(crate) fn sub(kind: FloatKind, a: u128, b: u128) -> u128 {
    let bits = float::binary(kind, a, b, |a, b| a - b, |a, b| a - b);
    noise::sum(kind, float::decode(kind, a), -float::decode(kind, b), bits)
}

pub(crate) fn mul(kind: FloatKind, a: u128, b: u128) -> u128 {
    let bits = float::binary(kind, a, b, |a, b| a * b, |a, b| a * b);
    noise::product(kind, float::decode(kind, a), float::decode(kind, b), bits)
}

pub(crate) fn div(kind: FloatKind, a: u128, b: u128) -> u128 {
    float::binary(kind, a, b, |a, b| a / b, |a, b| a / b)
}

/// The remainder is exact, as C's `fmod`.
pub(crate) fn rem(kind: FloatKind, a: u128, b: u128) -> u128 {
    float::binary(kind, a, b, |a, b| a % b, |a, b| a % b)
}

/// The larger number; NaN if one is, and zero is larger than minus zero.
pub(crate) fn maximum(kind: FloatKind, a: u128, b: u128) -> u128 {
    let (x, y) = (float::decode(kind, a), float::decode(kind, b));
    match () {
        () if x.is_nan() => quiet(kind, a),
        () if y.is_nan() => quiet(kind, b),
        () if x == 0.0 && y == 0.0 => {
            if x.is_sign_negative() {
                b
            } else {
                a
            }
        }
        () => {
            if x > y {
                a
            } else {
                b
            }
        }
    }
}

pub(crate) fn minimum(kind: FloatKind, a: u128, b: u128) -> u128 {
    let (x, y) = (float::decode(kind, a), float::decode(kind, b));
    match () {
        () if x.is_nan() => quiet(kind, a),
        () if y.is_nan() => quiet(kind, b),
        () if x == 0.0 && y == 0.0 => {
            if x.is_sign_negative() {
                a
            } else {
                b
            }
        }
        () => {
            if x < y {
                a
            } else {
                b
            }
        }
    }
}

/// The larger number; a NaN stands back.
pub(crate) fn maxnum(kind: FloatKind, a: u128, b: u128) -> u128 {
    let (x, y) = (float::decode(kind, a), float::decode(kind, b));
    match (x.is_nan(), y.is_nan()) {
        (true, false) => b,
        (false, true) => a,
        _ => {
            note_zeros(x, y);
            maximum(kind, a, b)
        }
    }
}

pub(crate) fn minnum(kind: FloatKind, a: u128, b: u128) -> u128 {
    let (x, y) = (float::decode(kind, a), float::decode(kind, b));
    match (x.is_nan(), y.is_nan()) {
        (true, false) => b,
        (false, true) => a,
        _ => {
            note_zeros(x, y);
            minimum(kind, a, b)
        }
    }
}

/// Notes whether the larger or smaller one of two numbers may be either of them: they are zeros of both signs.
fn note_zeros(a: f64, b: f64) {
    if a == b && a.is_sign_negative() != b.is_sign_negative() {
        float::note_open();
    }
}

fn quiet(kind: FloatKind, bits: u128) -> u128 {
    match kind {
        FloatKind::F32 => bits | 1 << 22,
        FloatKind::F64 => bits | 1 << 51,
        _ => bits,
    }
}

fn negf(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let kind = float_kind(m, f.operand_type(op, 0))?;
    map(m, f, op, |n| Ok(float::negate(kind, n[0])))
}

pub(crate) fn convert(
    m: &mut Machine<'_>,
    f: &mut Frame<'_>,
    op: Op,
    each: fn(u128, Kind, Kind) -> Number,
) -> Res {
    let (from, to) = (
        m.kind(f.operand_type(op, 0))?,
        m.kind(f.result_type(op, 0))?,
    );
    let non_negative = f.attr(op, Name::NON_NEG).is_some();
    map(m, f, op, |n| {
        if non_negative && signed(n[0], from.width()) < 0 {
            return Err(Trouble::Poison(
                "a negative number where nneg promises none".to_owned(),
            ));
        }
        each(n[0], from, to)
    })
}

pub(crate) fn sign_extend(bits: u128, from: Kind, to: Kind) -> Number {
    Ok(signed(bits, from.width()) as u128 & mask(to.width()))
}

pub(crate) fn trunci(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let (from, to) = (
        m.kind(f.operand_type(op, 0))?,
        m.kind(f.result_type(op, 0))?,
    );
    let (from, to) = (from.width(), to.width());
    let flags = no_wrap(m, f, op);
    map(m, f, op, |n| {
        let bits = n[0] & mask(to);
        if flags.unsigned && bits != n[0] || flags.signed && signed(bits, to) != signed(n[0], from)
        {
            return Err(Trouble::Poison(format!("{} does not fit {to} bits", n[0])));
        }
        Ok(bits)
    })
}

pub(crate) fn float_to_float(bits: u128, from: Kind, to: Kind) -> Number {
    match (from, to) {
        (Kind::Float(from), Kind::Float(to)) => {
            let value = float::decode(from, bits);
            Ok(noise::shortened(to, value, float::encode(to, value)))
        }
        _ => Err(Trouble::Unsupported("a float is expected".to_owned())),
    }
}

fn truncf(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    if let Some(mode) = f.int_attr(op, Name::ROUNDINGMODE)
        && mode != 0
    {
        let (from, to) = (
            float_kind(m, f.operand_type(op, 0))?,
            float_kind(m, f.result_type(op, 0))?,
        );
        return map(m, f, op, |n| {
            Ok(rounded(to, float::decode(from, n[0]), mode))
        });
    }
    convert(m, f, op, float_to_float)
}

/// The bits of `value` in another rounding mode: down, up, to zero, to nearest with ties away.
fn rounded(kind: FloatKind, value: f64, mode: i128) -> u128 {
    let nearest = float::encode(kind, value);
    let back = float::decode(kind, nearest);
    if back == value || value.is_nan() || value.is_infinite() {
        return nearest;
    }
    let sign = 1u128 << (kind.width() - 1);
    // The neighbours: towards zero and away from it.
    let (inner, outer) = if back.abs() > value.abs() {
        (nearest - 1, nearest)
    } else {
        (nearest, nearest + 1)
    };
    let negative = nearest & sign != 0;
    match mode {
        1 => {
            if negative {
                outer
            } else {
                inner
            }
        }
        2 => {
            if negative {
                inner
            } else {
                outer
            }
        }
        3 => inner,
        _ => {
            let (a, b) = (float::decode(kind, inner), float::decode(kind, outer));
            match (value - a).abs() < (b - value).abs() {
                true => inner,
                false => outer,
            }
        }
    }
}

pub(crate) fn uitofp(bits: u128, _: Kind, to: Kind) -> Number {
    match to {
        Kind::Float(kind) => Ok(float::from_integer(kind, false, bits)),
        _ => Err(Trouble::Unsupported("a float is expected".to_owned())),
    }
}

pub(crate) fn sitofp(bits: u128, from: Kind, to: Kind) -> Number {
    match to {
        Kind::Float(kind) => {
            let value = signed(bits, from.width());
            Ok(float::from_integer(kind, value < 0, value.unsigned_abs()))
        }
        _ => Err(Trouble::Unsupported("a float is expected".to_owned())),
    }
}

pub(crate) fn fptoi(bits: u128, from: Kind, to: Kind, is_signed: bool) -> Number {
    let Kind::Float(kind) = from else {
        return Err(Trouble::Unsupported("a float is expected".to_owned()));
    };
    let width = to.width();
    let value = float::decode(kind, bits).trunc();
    let poison = || {
        Err(Trouble::Poison(format!(
            "{value} is not representable in {width} bits"
        )))
    };
    if value.is_nan() || value.is_infinite() || value.abs() >= 2f64.powi(128) {
        return poison();
    }
    if is_signed {
        let limit = 2f64.powi(width as i32 - 1);
        if value >= limit || value < -limit {
            return poison();
        }
        return Ok(value as i128 as u128 & mask(width));
    }
    if value < 0.0 || value >= 2f64.powi(width as i32) {
        return poison();
    }
    Ok(value as u128)
}

/// The scale of 2^n with n in the exponent of an `f8E8M0FNU` or the like: the exponent of the number.
fn scaling_extf(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let (from, scale, to) = (
        float_kind(m, f.operand_type(op, 0))?,
        float_kind(m, f.operand_type(op, 1))?,
        float_kind(m, f.result_type(op, 0))?,
    );
    map(m, f, op, |n| {
        let wide = float::encode(to, float::decode(from, n[0]));
        let power = power_of_two(to, float::decode(scale, n[1]));
        Ok(mul(to, wide, power))
    })
}

fn scaling_truncf(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let (from, scale, to) = (
        float_kind(m, f.operand_type(op, 0))?,
        float_kind(m, f.operand_type(op, 1))?,
        float_kind(m, f.result_type(op, 0))?,
    );
    map(m, f, op, |n| {
        let power = power_of_two(from, float::decode(scale, n[1]));
        let quotient = div(from, n[0], power);
        Ok(float::encode(to, float::decode(from, quotient)))
    })
}

/// The power of two that a scale stands for: the exponent alone counts, of the scale as an `f32`, as which it becomes
/// an `f8E8M0`. Of numbers below those nothing is left, and what is no number, or too large, is none.
fn power_of_two(kind: FloatKind, scale: f64) -> u128 {
    let magnitude = f64::from(scale.abs() as f32);
    if !magnitude.is_finite() {
        return float::encode(kind, f64::NAN);
    }
    if magnitude < 2f64.powi(-126) {
        return float::encode(kind, 0.0);
    }
    float::encode(kind, 2f64.powi(libm::ilogb(magnitude)))
}

pub(crate) fn bitcast(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let value = f.operand(op, 0).clone();
    if !matches!(value, Value::Scalar(_) | Value::Array(_)) {
        f.set(op, 0, value);
        return Ok(());
    }
    // Numbers keep their bits; shapes of vectors follow in the vector dialect.
    let _ = m;
    f.set(op, 0, value);
    Ok(())
}

fn cmpi(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let width = width(m, f, op)?;
    let Some(predicate) = CmpIPredicate::of(f.ir, op) else {
        return unsupported("this predicate is not interpreted");
    };
    map(m, f, op, |n| {
        Ok(compare(predicate, n[0], n[1], width).into())
    })
}

/// Whether integers compare as `predicate` says.
pub(crate) fn compare(predicate: CmpIPredicate, a: u128, b: u128, width: u32) -> bool {
    let (x, y) = (signed(a, width), signed(b, width));
    match predicate {
        CmpIPredicate::Eq => a == b,
        CmpIPredicate::Ne => a != b,
        CmpIPredicate::Slt => x < y,
        CmpIPredicate::Sle => x <= y,
        CmpIPredicate::Sgt => x > y,
        CmpIPredicate::Sge => x >= y,
        CmpIPredicate::Ult => a < b,
        CmpIPredicate::Ule => a <= b,
        CmpIPredicate::Ugt => a > b,
        CmpIPredicate::Uge => a >= b,
    }
}

fn index_cmp(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let attr = f.attr(op, Name::PRED);
    let predicate = attr.and_then(|attr| match m.context.attr_kind(attr) {
        AttrKind::Dialect { body, .. } => {
            let word = body.rsplit(['<', ' ']).next()?.trim_end_matches('>');
            CmpIPredicate::from_keyword(word)
        }
        _ => None,
    });
    let Some(predicate) = predicate else {
        return unsupported("this predicate is not interpreted");
    };
    map(m, f, op, |n| Ok(compare(predicate, n[0], n[1], 64).into()))
}

fn cmpf(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let kind = float_kind(m, f.operand_type(op, 0))?;
    let number = f.int_attr(op, Name::PREDICATE);
    let Some(predicate) = number.and_then(CmpFPredicate::from_integer) else {
        return unsupported("this predicate is not interpreted");
    };
    let flags = fastmath(m, f, op);
    map(m, f, op, |n| {
        check_fastmath(flags, kind, n)?;
        Ok(compare_floats(
            predicate,
            float::decode(kind, n[0]),
            float::decode(kind, n[1]),
        )
        .into())
    })
}

/// Whether floats compare as `predicate` says.
pub(crate) fn compare_floats(predicate: CmpFPredicate, x: f64, y: f64) -> bool {
    let unordered = x.is_nan() || y.is_nan();
    let word = predicate.keyword();
    let relation = |word: &str| match word {
        "eq" => x == y,
        "gt" => x > y,
        "ge" => x >= y,
        "lt" => x < y,
        "le" => x <= y,
        "ne" => x != y && !unordered,
        _ => false,
    };
    match word {
        "false" => false,
        "true" => true,
        "ord" => !unordered,
        "uno" => unordered,
        _ if word.starts_with('o') => relation(&word[1..]),
        _ => unordered || relation(&word[1..]),
    }
}

pub(crate) fn select(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let (condition, yes, no) = (
        f.operand(op, 0).clone(),
        f.operand(op, 1).clone(),
        f.operand(op, 2).clone(),
    );
    let Value::Array(_) = condition else {
        let value = match as_scalar(&condition)? {
            Scalar::Bits(bits) => {
                if bits & 1 == 1 {
                    yes
                } else {
                    no
                }
            }
            undefined => match &yes {
                Value::Scalar(_) => Value::Scalar(undefined),
                Value::Array(array) => {
                    Value::array(array.shape.clone(), vec![undefined; array.elements.len()])
                }
                _ => {
                    m.defined(undefined, "a condition")?;
                    return Err(Fault::new(FaultKind::Undefined, "a condition is undefined"));
                }
            },
        };
        f.set(op, 0, value);
        return Ok(());
    };
    let value = elementwise::apply(m, f, &[condition, yes, no], |_, _, numbers| {
        Ok(match numbers[0] {
            Scalar::Bits(bits) => {
                if bits & 1 == 1 {
                    numbers[1]
                } else {
                    numbers[2]
                }
            }
            undefined => undefined,
        })
    })?;
    f.set(op, 0, value);
    Ok(())
}

/// A cast between types whose values have the same form, as signed and signless integers.
fn unrealized_cast(m: &mut Machine<'_>, f: &mut Frame<'_>, op: Op) -> Res {
    let values: Vec<Value> = f.ir.operands(op).iter().map(|&id| f.get(id)).collect();
    if values.len() != f.ir.results(op).len() {
        return unsupported("this conversion is not interpreted");
    }
    for index in 0..values.len() {
        let [from, to] = [f.operand_type(op, index), f.result_type(op, index)].map(|ty| {
            let element = m.context.element_type_or_self(ty);
            Kind::of(m.context, element)
        });
        if from != to {
            return unsupported("this conversion is not interpreted");
        }
    }
    f.set_all(op, values);
    Ok(())
}
