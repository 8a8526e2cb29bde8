//! Arithmetic of integers of any width up to 128 bits.

use crate::elementwise::{Number, Trouble};
use crate::value::{mask, signed};

/// The smallest signed number.
fn least(width: u32) -> i128 {
    match width {
        0 => 0,
        _ => i128::MIN >> (128 - width),
    }
}

/// The bits of a signed number.
pub(crate) fn wrap(value: i128, width: u32) -> u128 {
    value as u128 & mask(width)
}

fn undefined<T>(reason: String) -> Result<T, Trouble> {
    Err(Trouble::Undefined(reason))
}

/// Whether a signed number fits.
fn fits(value: i128, width: u32) -> bool {
    signed(wrap(value, width), width) == value
}

/// What results may not do.
#[derive(Clone, Copy, Default)]
pub(crate) struct NoWrap {
    pub(crate) signed: bool,
    pub(crate) unsigned: bool,
}

/// An operation: how people write it, what it gives modulo 2^128, and exactly where that fits 128 bits.
pub(crate) struct Exact {
    name: &'static str,
    wrapping: fn(u128, u128) -> u128,
    signed: fn(i128, i128) -> Option<i128>,
    unsigned: fn(u128, u128) -> Option<u128>,
}

pub(crate) const ADD: Exact = Exact {
    name: "+",
    wrapping: u128::wrapping_add,
    signed: i128::checked_add,
    unsigned: u128::checked_add,
};

pub(crate) const SUB: Exact = Exact {
    name: "-",
    wrapping: u128::wrapping_sub,
    signed: i128::checked_sub,
    unsigned: u128::checked_sub,
};

pub(crate) const MUL: Exact = Exact {
    name: "*",
    wrapping: u128::wrapping_mul,
    signed: i128::checked_mul,
    unsigned: u128::checked_mul,
};

/// The result of an operation, poison where it may not wrap but does.
pub(crate) fn checked(exact: &Exact, a: u128, b: u128, width: u32, flags: NoWrap) -> Number {
    let bits = (exact.wrapping)(a, b) & mask(width);
    let (x, y) = (signed(a, width), signed(b, width));
    let name = exact.name;
    if flags.signed && !(exact.signed)(x, y).is_some_and(|exact| fits(exact, width)) {
        return Err(Trouble::Poison(format!(
            "signed overflow of nsw: {x} {name} {y} in {width} bits"
        )));
    }
    if flags.unsigned && (exact.unsigned)(a, b).is_none_or(|exact| exact > mask(width)) {
        return Err(Trouble::Poison(format!(
            "unsigned overflow of nuw: {a} {name} {b} in {width} bits"
        )));
    }
    Ok(bits)
}

/// Signed operands of a division, if it is defined.
fn signed_operands(a: u128, b: u128, width: u32, name: &str) -> Result<(i128, i128), Trouble> {
    let (x, y) = (signed(a, width), signed(b, width));
    if y == 0 {
        return undefined(format!("division by zero: {x} {name} 0"));
    }
    if x == least(width) && y == -1 {
        return undefined(format!("overflow of a signed division: {x} {name} -1"));
    }
    Ok((x, y))
}

pub(crate) fn divsi(a: u128, b: u128, width: u32) -> Number {
    let (x, y) = signed_operands(a, b, width, "/")?;
    Ok(wrap(x.wrapping_div(y), width))
}

pub(crate) fn remsi(a: u128, b: u128, width: u32) -> Number {
    let (x, y) = (signed(a, width), signed(b, width));
    if y == 0 {
        return undefined(format!("division by zero: {x} rem 0"));
    }
    Ok(wrap(x.wrapping_rem(y), width))
}

pub(crate) fn floordivsi(a: u128, b: u128, width: u32) -> Number {
    let (x, y) = signed_operands(a, b, width, "floordiv")?;
    let quotient = x.wrapping_div(y);
    let below = x.wrapping_rem(y) != 0 && (x < 0) != (y < 0);
    Ok(wrap(quotient - i128::from(below), width))
}

pub(crate) fn ceildivsi(a: u128, b: u128, width: u32) -> Number {
    let (x, y) = signed_operands(a, b, width, "ceildiv")?;
    let quotient = x.wrapping_div(y);
    let above = x.wrapping_rem(y) != 0 && (x < 0) == (y < 0);
    Ok(wrap(quotient + i128::from(above), width))
}

fn unsigned_operands(a: u128, b: u128, name: &str) -> Result<(), Trouble> {
    match b {
        0 => undefined(format!("division by zero: {a} {name} 0")),
        _ => Ok(()),
    }
}

pub(crate) fn divui(a: u128, b: u128) -> Number {
    unsigned_operands(a, b, "/")?;
    Ok(a / b)
}

pub(crate) fn remui(a: u128, b: u128) -> Number {
    unsigned_operands(a, b, "rem")?;
    Ok(a % b)
}

pub(crate) fn ceildivui(a: u128, b: u128) -> Number {
    unsigned_operands(a, b, "ceildiv")?;
    Ok(a.div_ceil(b))
}

pub(crate) fn poisoned(message: String) -> Number {
    Err(Trouble::Poison(message))
}

/// The result of an operation, poison where it is to be exact and is not.
pub(crate) fn checked_exact(
    must_be: bool,
    is_exact: bool,
    result: u128,
    [a, b]: [u128; 2],
    name: &str,
) -> Number {
    match must_be && !is_exact {
        true => poisoned(format!("{a} {name} {b} is not exact")),
        false => Ok(result),
    }
}

fn too_far(by: u128, width: u32) -> Result<u32, Trouble> {
    match by < u128::from(width) {
        true => Ok(by as u32),
        false => Err(Trouble::Poison(format!("shift of {width} bits by {by}"))),
    }
}

pub(crate) fn shl(a: u128, by: u128, width: u32, flags: NoWrap) -> Number {
    let n = too_far(by, width)?;
    let bits = (a << n) & mask(width);
    if flags.unsigned && bits >> n != a {
        return Err(Trouble::Poison(format!(
            "unsigned overflow of nuw: {a} << {by}"
        )));
    }
    if flags.signed && signed(bits, width) >> n != signed(a, width) {
        return Err(Trouble::Poison(format!(
            "signed overflow of nsw: {} << {by}",
            signed(a, width)
        )));
    }
    Ok(bits)
}

pub(crate) fn shru(a: u128, by: u128, width: u32) -> Number {
    Ok(a >> too_far(by, width)?)
}

pub(crate) fn shrs(a: u128, by: u128, width: u32) -> Number {
    Ok(wrap(signed(a, width) >> too_far(by, width)?, width))
}

/// The product in twice the width: low half, high half.
pub(crate) fn wide_product(a: u128, b: u128, width: u32, is_signed: bool) -> (u128, u128) {
    // Schoolbook on halves of 64 bits; the sign is corrected afterwards.
    let (al, ah, bl, bh) = (a & mask(64), a >> 64, b & mask(64), b >> 64);
    let low = al * bl;
    let (mid1, mid2) = (ah * bl, al * bh);
    let sum = (low >> 64) + (mid1 & mask(64)) + (mid2 & mask(64));
    let low128 = (low & mask(64)) | (sum << 64);
    let high128 = ah * bh + (mid1 >> 64) + (mid2 >> 64) + (sum >> 64);
    let low = low128 & mask(width);
    let mut high = match width {
        128 => high128,
        0 => 0,
        _ => (low128 >> width | high128 << (128 - width)) & mask(width),
    };
    if is_signed {
        if signed(a, width) < 0 {
            high = high.wrapping_sub(b);
        }
        if signed(b, width) < 0 {
            high = high.wrapping_sub(a);
        }
    }
    (low, high & mask(width))
}
