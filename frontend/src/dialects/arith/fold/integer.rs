//! Folding of integer arithmetic.

use smallvec::SmallVec;

use super::{constant_of, fold_int_binary, lhs_rhs};
use crate::dialects::arith::assembly::i1_same_shape;
use crate::dialects::arith::{
    ADDI, ANDI, EXTSI, EXTUI, INDEX_CAST, INDEX_CASTUI, MULI, OverflowFlags, SUBI, XORI,
};
use crate::dialects::shared::const_fold::{
    Int, fold_ints, is_all_ones, is_int, is_poison, no_fold, poison, splat_int, to_attr, to_value,
    zero_attr,
};
use crate::ir::attrs::Attr;
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::op_def::{FoldResult, FoldResults};

/// The constant zero of the result type.
fn to_zero(ir: &Ir, op: Op) -> FoldResults {
    to_attr(zero_attr(ir.context(), ir.value_type(ir.result(op, 0))))
}

fn rhs_is(ir: &Ir, operands: &[Option<Attr>], value: u128) -> bool {
    is_int(ir.context(), operands[1], value)
}

pub(in super::super) fn fold_addi(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    let (lhs, rhs) = lhs_rhs(ir, op);
    // addi(x, 0) -> x
    if rhs_is(ir, operands, 0) {
        return to_value(lhs);
    }
    // addi(subi(a, b), b) -> a, addi(b, subi(a, b)) -> a
    for (side, other) in [(lhs, rhs), (rhs, lhs)] {
        if let Some(sub) = ir.defined_by(side, &SUBI)
            && ir.operand(sub, 1) == other
        {
            return to_value(ir.operand(sub, 0));
        }
    }
    fold_int_binary(ir, op, operands, |a, b| Some(a.bits.wrapping_add(b.bits)))
}

pub(in super::super) fn fold_subi(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    let (lhs, rhs) = lhs_rhs(ir, op);
    // subi(x, x) -> 0
    if lhs == rhs {
        return to_zero(ir, op);
    }
    // subi(x, 0) -> x
    if rhs_is(ir, operands, 0) {
        return to_value(lhs);
    }
    if let Some(add) = ir.defined_by(lhs, &ADDI) {
        let (a, b) = lhs_rhs(ir, add);
        // subi(addi(a, b), b) -> a, subi(addi(a, b), a) -> b
        if rhs == b {
            return to_value(a);
        }
        if rhs == a {
            return to_value(b);
        }
    }
    fold_int_binary(ir, op, operands, |a, b| Some(a.bits.wrapping_sub(b.bits)))
}

pub(in super::super) fn fold_muli(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    let (lhs, rhs) = lhs_rhs(ir, op);
    // muli(x, 0) -> 0
    if rhs_is(ir, operands, 0) {
        return to_value(rhs);
    }
    // muli(x, 1) -> x
    if rhs_is(ir, operands, 1) {
        return to_value(lhs);
    }
    fold_int_binary(ir, op, operands, |a, b| Some(a.bits.wrapping_mul(b.bits)))
}

pub(in super::super) fn fold_addui_extended(
    ir: &Ir,
    op: Op,
    operands: &[Option<Attr>],
) -> FoldResults {
    let context = ir.context();
    let ty = ir.value_type(ir.operand(op, 0));
    let overflow_type = i1_same_shape(context, ty);
    if let Some(poison) = poison(context, operands) {
        return SmallVec::from_slice(&[FoldResult::Attr(poison); 2]);
    }
    // addui_extended(x, 0) -> x, false
    if rhs_is(ir, operands, 0)
        && let Some(none) = zero_attr(context, overflow_type)
    {
        let sum = FoldResult::Value(ir.operand(op, 0));
        return SmallVec::from_slice(&[sum, FoldResult::Attr(none)]);
    }
    let sum = fold_ints(context, operands, ty, ty, |[a, b]| {
        Some(a.bits.wrapping_add(b.bits))
    });
    let overflow = fold_ints(context, operands, ty, overflow_type, |[a, b]| {
        let sum = a.bits.wrapping_add(b.bits) & a.all_ones();
        Some(u128::from(sum < a.bits))
    });
    both(sum, overflow)
}

/// Two constant results.
fn both(first: Option<Attr>, second: Option<Attr>) -> FoldResults {
    match (first, second) {
        (Some(first), Some(second)) => {
            SmallVec::from_slice(&[FoldResult::Attr(first), FoldResult::Attr(second)])
        }
        _ => no_fold(),
    }
}

/// The upper half of the unsigned 256-bit product.
fn mul_high_128(a: u128, b: u128) -> u128 {
    let low = |x: u128| x & u128::from(u64::MAX);
    let high = |x: u128| x >> 64;
    let cross = high(low(a) * low(b)) + low(low(a) * high(b)) + low(high(a) * low(b));
    high(a) * high(b) + high(low(a) * high(b)) + high(high(a) * low(b)) + high(cross)
}

/// The upper half of the unsigned product.
fn mul_high_unsigned(a: Int, b: Int) -> u128 {
    if a.width <= 64 {
        return (a.bits * b.bits) >> a.width;
    }
    let high = mul_high_128(a.bits, b.bits);
    if a.width == 128 {
        return high;
    }
    high << (128 - a.width) | a.bits.wrapping_mul(b.bits) >> a.width
}

/// The upper half of the signed product.
fn mul_high_signed(a: Int, b: Int) -> u128 {
    // Reading a negative number as unsigned adds 2^width times the other
    // factor to the product.
    let mut high = mul_high_unsigned(a, b);
    if a.signed() < 0 {
        high = high.wrapping_sub(b.bits);
    }
    if b.signed() < 0 {
        high = high.wrapping_sub(a.bits);
    }
    high
}

fn fold_mul_extended(
    ir: &Ir,
    op: Op,
    operands: &[Option<Attr>],
    high: fn(Int, Int) -> u128,
) -> FoldResults {
    let (context, ty) = (ir.context(), ir.value_type(ir.operand(op, 0)));
    // mul_extended(x, 0) -> 0, 0
    if rhs_is(ir, operands, 0) {
        return both(operands[1], operands[1]);
    }
    let low = fold_ints(context, operands, ty, ty, |[a, b]| {
        Some(a.bits.wrapping_mul(b.bits))
    });
    let high = fold_ints(context, operands, ty, ty, |[a, b]| Some(high(a, b)));
    both(low, high)
}

pub(in super::super) fn fold_mulsi_extended(
    ir: &Ir,
    op: Op,
    operands: &[Option<Attr>],
) -> FoldResults {
    fold_mul_extended(ir, op, operands, mul_high_signed)
}

pub(in super::super) fn fold_mului_extended(
    ir: &Ir,
    op: Op,
    operands: &[Option<Attr>],
) -> FoldResults {
    let (context, ty) = (ir.context(), ir.value_type(ir.operand(op, 0)));
    // mului_extended(x, 1) -> x, 0
    if rhs_is(ir, operands, 1)
        && let Some(zero) = zero_attr(context, ty)
    {
        let low = FoldResult::Value(ir.operand(op, 0));
        return SmallVec::from_slice(&[low, FoldResult::Attr(zero)]);
    }
    fold_mul_extended(ir, op, operands, mul_high_unsigned)
}

/// div(muli(a, b), b) -> a if the product is promised not to wrap.
fn fold_div_mul(ir: &Ir, op: Op, promise: OverflowFlags) -> Option<Value> {
    let (lhs, rhs) = lhs_rhs(ir, op);
    let mul = ir.defined_by(lhs, &MULI)?;
    if !OverflowFlags::of(ir, mul).contains(promise) {
        return None;
    }
    let (a, b) = lhs_rhs(ir, mul);
    if b == rhs {
        Some(a)
    } else {
        (a == rhs).then_some(b)
    }
}

/// What divisions have in common: by one, and of constants where nothing traps.
fn fold_division(
    ir: &Ir,
    op: Op,
    operands: &[Option<Attr>],
    divide: fn(Int, Int) -> Option<u128>,
) -> FoldResults {
    // div(x, 1) -> x
    if rhs_is(ir, operands, 1) {
        return to_value(ir.operand(op, 0));
    }
    fold_int_binary(ir, op, operands, divide)
}

/// Signed quotient rounded towards zero; `None` where it traps.
pub(crate) fn div_signed(a: Int, b: Int) -> Option<u128> {
    if b.bits == 0 || (a.is_signed_min() && b.signed() == -1) {
        return None;
    }
    a.signed().checked_div(b.signed()).map(|q| q as u128)
}

/// Signed quotient rounded up; `None` where it traps.
pub(crate) fn ceil_div_signed(a: Int, b: Int) -> Option<u128> {
    let quotient = div_signed(a, b)?;
    let remainder = a.signed() % b.signed();
    let up = remainder != 0 && (remainder < 0) == (b.signed() < 0);
    Some(quotient.wrapping_add(up.into()))
}

/// Signed quotient rounded down; `None` where it traps.
pub(crate) fn floor_div_signed(a: Int, b: Int) -> Option<u128> {
    let quotient = div_signed(a, b)?;
    let remainder = a.signed() % b.signed();
    let down = remainder != 0 && (remainder < 0) != (b.signed() < 0);
    Some(quotient.wrapping_sub(down.into()))
}

pub(in super::super) fn fold_divui(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    if let Some(value) = fold_div_mul(ir, op, OverflowFlags::NUW) {
        return to_value(value);
    }
    fold_division(ir, op, operands, |a, b| a.bits.checked_div(b.bits))
}

pub(in super::super) fn fold_divsi(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    if let Some(value) = fold_div_mul(ir, op, OverflowFlags::NSW) {
        return to_value(value);
    }
    fold_division(ir, op, operands, div_signed)
}

pub(in super::super) fn fold_ceildivui(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_division(ir, op, operands, |a, b| {
        (b.bits != 0).then(|| a.bits.div_ceil(b.bits))
    })
}

pub(in super::super) fn fold_ceildivsi(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_division(ir, op, operands, ceil_div_signed)
}

pub(in super::super) fn fold_floordivsi(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_division(ir, op, operands, floor_div_signed)
}

fn fold_remainder(
    ir: &Ir,
    op: Op,
    operands: &[Option<Attr>],
    remainder: fn(Int, Int) -> Option<u128>,
) -> FoldResults {
    // rem(x, 1) -> 0
    if rhs_is(ir, operands, 1) {
        return to_zero(ir, op);
    }
    fold_int_binary(ir, op, operands, remainder)
}

pub(in super::super) fn fold_remui(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_remainder(ir, op, operands, |a, b| a.bits.checked_rem(b.bits))
}

pub(in super::super) fn fold_remsi(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_remainder(ir, op, operands, |a, b| {
        (b.bits != 0).then(|| a.signed().wrapping_rem(b.signed()) as u128)
    })
}

/// `x` if `value` is xori(x, all ones), by either order of operands.
pub(in super::super) fn as_not(ir: &Ir, value: Value) -> Option<Value> {
    let xor = ir.defined_by(value, &XORI)?;
    let (x, ones) = lhs_rhs(ir, xor);
    is_all_ones(ir.context(), constant_of(ir, ones)).then_some(x)
}

pub(in super::super) fn fold_andi(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    let (lhs, rhs) = lhs_rhs(ir, op);
    // andi(x, 0) -> 0
    if rhs_is(ir, operands, 0) {
        return to_value(rhs);
    }
    // andi(x, x) -> x, andi(x, all ones) -> x
    if lhs == rhs || is_all_ones(ir.context(), operands[1]) {
        return to_value(lhs);
    }
    // andi(x, not(x)) -> 0
    if as_not(ir, rhs) == Some(lhs) || as_not(ir, lhs) == Some(rhs) {
        return to_zero(ir, op);
    }
    // andi(a, andi(a, b)) -> andi(a, b)
    for (side, other) in [(lhs, rhs), (rhs, lhs)] {
        if let Some(and) = ir.defined_by(side, &ANDI)
            && ir.operands(and).contains(&other)
        {
            return to_value(side);
        }
    }
    fold_int_binary(ir, op, operands, |a, b| Some(a.bits & b.bits))
}

pub(in super::super) fn fold_ori(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    let (lhs, rhs) = lhs_rhs(ir, op);
    // ori(x, x) -> x, ori(x, 0) -> x
    if lhs == rhs || rhs_is(ir, operands, 0) {
        return to_value(lhs);
    }
    // ori(x, all ones) -> all ones
    if is_all_ones(ir.context(), operands[1]) {
        return to_value(rhs);
    }
    // ori(x, xori(x, all ones)) -> all ones
    for (side, other) in [(rhs, lhs), (lhs, rhs)] {
        if as_not(ir, side) == Some(other)
            && let Some(xor) = ir.defined_by(side, &XORI)
        {
            return to_value(ir.operand(xor, 1));
        }
    }
    fold_int_binary(ir, op, operands, |a, b| Some(a.bits | b.bits))
}

pub(in super::super) fn fold_xori(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    let (lhs, rhs) = lhs_rhs(ir, op);
    // xori(x, 0) -> x
    if rhs_is(ir, operands, 0) {
        return to_value(lhs);
    }
    // xori(x, x) -> 0
    if lhs == rhs {
        return to_zero(ir, op);
    }
    // xori(xori(x, a), a) -> x, in all orders
    for (side, other) in [(lhs, rhs), (rhs, lhs)] {
        if let Some(xor) = ir.defined_by(side, &XORI) {
            let (a, b) = lhs_rhs(ir, xor);
            if b == other {
                return to_value(a);
            }
            if a == other {
                return to_value(b);
            }
        }
    }
    fold_int_binary(ir, op, operands, |a, b| Some(a.bits ^ b.bits))
}

fn fold_shift(
    ir: &Ir,
    op: Op,
    operands: &[Option<Attr>],
    shift: fn(Int, u32) -> u128,
) -> FoldResults {
    // shift(x, 0) -> x
    if rhs_is(ir, operands, 0) {
        return to_value(ir.operand(op, 0));
    }
    // Longer distances are poison, which is left alone.
    fold_int_binary(ir, op, operands, |a, b| {
        (b.bits < a.width.into()).then(|| shift(a, b.bits as u32))
    })
}

pub(in super::super) fn fold_shli(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_shift(ir, op, operands, |a, distance| a.bits << distance)
}

pub(in super::super) fn fold_shrui(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_shift(ir, op, operands, |a, distance| a.bits >> distance)
}

pub(in super::super) fn fold_shrsi(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_shift(ir, op, operands, |a, distance| {
        (a.signed() >> distance) as u128
    })
}

/// Minimum or maximum: `absorbs` is the constant that always wins, `neutral`
/// the one that never does.
fn fold_extremum(
    ir: &Ir,
    op: Op,
    operands: &[Option<Attr>],
    absorbs: fn(Int) -> bool,
    neutral: fn(Int) -> bool,
    choose: fn(Int, Int) -> u128,
) -> FoldResults {
    let (lhs, rhs) = lhs_rhs(ir, op);
    if lhs == rhs {
        return to_value(rhs);
    }
    if let Some(constant) = splat_int(ir.context(), operands[1])
        && !is_poison(ir.context(), operands[0])
    {
        if absorbs(constant) {
            return to_value(rhs);
        }
        if neutral(constant) {
            return to_value(lhs);
        }
        // What is chosen of both ends is chosen of all between them.
        if let Some(bound) = bound_of_extended(ir, lhs) {
            let ends = [0, bound].map(|bits| Int { bits, ..constant });
            let chosen = ends.map(|end| choose(end, constant) & constant.all_ones());
            if chosen == ends.map(|end| end.bits) {
                return to_value(lhs);
            }
            if chosen == [constant.bits; 2] {
                return to_value(rhs);
            }
        }
    }
    fold_int_binary(ir, op, operands, |a, b| Some(choose(a, b)))
}

/// How many casts are looked through.
const MAX_CASTS: usize = 4;

/// The largest number that a value can be that was extended from fewer bits without a sign, and maybe cast since to types
/// that have the number as well.
fn bound_of_extended(ir: &Ir, mut value: Value) -> Option<u128> {
    let width_of = |value| {
        let context = ir.context();
        context.integer_width(context.element_type_or_self(ir.value_type(value)))
    };
    let mut least = 64;
    for _ in 0..ir.capped(MAX_CASTS) {
        least = width_of(value)?.min(least);
        let op = ir.defining_op(value)?;
        let source = *ir.operands(op).first()?;
        if ir.is(op, &EXTUI) || ir.is(op, &INDEX_CASTUI) {
            return width_of(source)
                .filter(|&width| width < least)
                .map(|width| (1 << width) - 1);
        }
        if !(ir.is(op, &EXTSI) || ir.is(op, &INDEX_CAST)) {
            return None;
        }
        value = source;
    }
    None
}

fn is_unsigned_max(int: Int) -> bool {
    int.bits == int.all_ones()
}

fn is_zero(int: Int) -> bool {
    int.bits == 0
}

pub(in super::super) fn fold_maxsi(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_extremum(
        ir,
        op,
        operands,
        Int::is_signed_max,
        Int::is_signed_min,
        |a, b| a.signed().max(b.signed()) as u128,
    )
}

pub(in super::super) fn fold_minsi(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_extremum(
        ir,
        op,
        operands,
        Int::is_signed_min,
        Int::is_signed_max,
        |a, b| a.signed().min(b.signed()) as u128,
    )
}

pub(in super::super) fn fold_maxui(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_extremum(ir, op, operands, is_unsigned_max, is_zero, |a, b| {
        a.bits.max(b.bits)
    })
}

pub(in super::super) fn fold_minui(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_extremum(ir, op, operands, is_zero, is_unsigned_max, |a, b| {
        a.bits.min(b.bits)
    })
}
