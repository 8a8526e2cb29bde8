//! Folding and canonicalization of the index dialect. Unlike upstream, which
//! folds only what 32-bit and 64-bit targets agree on, all arithmetic is that
//! of 64 bits.

use super::{
    ADD, CASTS, CASTU, MAXS, MAXU, MINS, MINU, MUL, OR, SHL, SHRS, SHRU, SUB, XOR, cmp_predicate,
};
use crate::dialects::arith::fold::{ceil_div_signed, div_signed, floor_div_signed};
use crate::dialects::arith::{CmpIPredicate, as_constant_int};
use crate::dialects::shared::const_fold::{
    Int, fold_ints, is_all_ones, is_int, no_fold, splat_int, to_attr, to_value,
};
use crate::ir::attrs::Attr;
use crate::ir::data::Ir;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::FoldResults;
use crate::ir::rewriter::Rewriter;
use crate::ir::types::Type;

/// A constant folds to its value.
pub(super) fn fold_constant(ir: &Ir, op: Op, _: &[Option<Attr>]) -> FoldResults {
    to_attr(ir.attr(op, Name::VALUE))
}

fn constants(
    ir: &Ir,
    operands: &[Option<Attr>],
    f: impl FnMut([Int; 2]) -> Option<u128>,
) -> FoldResults {
    to_attr(fold_ints(
        ir.context(),
        operands,
        Type::INDEX,
        Type::INDEX,
        f,
    ))
}

/// Operations whose right side may be neutral: x op c -> x.
pub(super) fn fold_binary(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    let context = ir.context();
    let (lhs, rhs) = (ir.operand(op, 0), ir.operand(op, 1));
    let is_one_of =
        |defs: &[&'static crate::ir::op_def::OpDef]| defs.iter().any(|&def| ir.is(op, def));
    let rhs_is = |value| is_int(context, operands[1], value);
    let neutral = if is_one_of(&[&ADD, &SUB, &OR, &XOR, &SHL, &SHRS, &SHRU]) {
        rhs_is(0)
    } else if is_one_of(&[&MUL]) {
        rhs_is(1)
    } else {
        // The rest is and, minima and maxima: idempotent ones.
        lhs == rhs || (ir.is(op, &super::AND) && is_all_ones(context, operands[1]))
    };
    if neutral {
        return to_value(lhs);
    }
    // mul(x, 0) -> 0, and(x, 0) -> 0
    if rhs_is(0) && is_one_of(&[&MUL, &super::AND]) {
        return to_value(rhs);
    }
    // sub(x, x) -> 0, xor(x, x) -> 0
    if lhs == rhs && is_one_of(&[&SUB, &XOR]) {
        return to_attr(Some(context.index_attr(0)));
    }
    let distance = |b: Int| u32::try_from(b.bits).ok().filter(|&d| d < 64);
    constants(ir, operands, |[a, b]| {
        Some(if ir.is(op, &ADD) {
            a.bits.wrapping_add(b.bits)
        } else if ir.is(op, &SUB) {
            a.bits.wrapping_sub(b.bits)
        } else if ir.is(op, &MUL) {
            a.bits.wrapping_mul(b.bits)
        } else if ir.is(op, &MAXS) {
            a.signed().max(b.signed()) as u128
        } else if ir.is(op, &MINS) {
            a.signed().min(b.signed()) as u128
        } else if ir.is(op, &MAXU) {
            a.bits.max(b.bits)
        } else if ir.is(op, &MINU) {
            a.bits.min(b.bits)
        } else if ir.is(op, &SHL) {
            a.bits << distance(b)?
        } else if ir.is(op, &SHRS) {
            (a.signed() >> distance(b)?) as u128
        } else if ir.is(op, &SHRU) {
            a.bits >> distance(b)?
        } else if ir.is(op, &super::AND) {
            a.bits & b.bits
        } else if ir.is(op, &OR) {
            a.bits | b.bits
        } else if ir.is(op, &XOR) {
            a.bits ^ b.bits
        } else {
            return None;
        })
    })
}

/// Divisions: by one, and of constants where nothing traps.
pub(super) fn fold_division(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    if is_int(ir.context(), operands[1], 1) {
        return to_value(ir.operand(op, 0));
    }
    constants(ir, operands, |[a, b]| {
        if ir.is(op, &super::DIVS) {
            div_signed(a, b)
        } else if ir.is(op, &super::CEILDIVS) {
            ceil_div_signed(a, b)
        } else if ir.is(op, &super::FLOORDIVS) {
            floor_div_signed(a, b)
        } else if ir.is(op, &super::DIVU) {
            a.bits.checked_div(b.bits)
        } else if ir.is(op, &super::CEILDIVU) {
            (b.bits != 0).then(|| a.bits.div_ceil(b.bits))
        } else {
            None
        }
    })
}

/// Remainders: by one, and of constants where nothing traps.
pub(super) fn fold_remainder(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    if is_int(ir.context(), operands[1], 1) {
        return to_attr(Some(ir.context().index_attr(0)));
    }
    constants(ir, operands, |[a, b]| {
        if ir.is(op, &super::REMU) {
            a.bits.checked_rem(b.bits)
        } else {
            (b.bits != 0).then(|| a.signed().wrapping_rem(b.signed()) as u128)
        }
    })
}

/// Casts of constants, and casts there and back again that lose nothing.
pub(super) fn fold_cast(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    let context = ir.context();
    let def = ir.def(op);
    let operand = ir.operand(op, 0);
    let (from, to) = (ir.value_type(operand), ir.value_type(ir.result(op, 0)));
    if let Some(inner) = ir.defined_by(operand, def)
        && ir.value_type(ir.operand(inner, 0)) == to
        && context.integer_width(from) >= context.integer_width(to)
    {
        return to_value(ir.operand(inner, 0));
    }
    let signed = std::ptr::eq(def, &CASTS);
    debug_assert!(signed || std::ptr::eq(def, &CASTU));
    to_attr(fold_ints(context, operands, from, to, |[a]| {
        Some(if signed { a.signed() as u128 } else { a.bits })
    }))
}

/// Whether `pred` holds for all (`Some(true)`) or for no (`Some(false)`)
/// number in `low..=high` compared with `c`.
fn compare_range(predicate: CmpIPredicate, low: i128, high: i128, c: i128) -> Option<bool> {
    use CmpIPredicate as P;
    let (yes, no) = match predicate {
        P::Eq => (low == c && high == c, c < low || c > high),
        P::Ne => (c < low || c > high, low == c && high == c),
        P::Slt | P::Ult => (high < c, low >= c),
        P::Sle | P::Ule => (high <= c, low > c),
        P::Sgt | P::Ugt => (low > c, high <= c),
        P::Sge | P::Uge => (low >= c, high < c),
    };
    if yes { Some(true) } else { no.then_some(false) }
}

/// Compares a minimum or maximum with one constant with another constant.
fn compare_extremum(ir: &Ir, op: Op, predicate: CmpIPredicate, c: Int) -> Option<bool> {
    let extremum = ir.defining_op(ir.operand(op, 0))?;
    let is_signed = ir.is(extremum, &MAXS) || ir.is(extremum, &MINS);
    if !is_signed && !ir.is(extremum, &MAXU) && !ir.is(extremum, &MINU) {
        return None;
    }
    let equality = matches!(predicate, CmpIPredicate::Eq | CmpIPredicate::Ne);
    if !equality && predicate.is_unsigned() == is_signed {
        return None;
    }
    let bound = as_constant_int(ir, ir.operand(extremum, 1))?;
    let read = |bits: u128| {
        let int = Int { bits, width: 64 };
        if is_signed {
            int.signed()
        } else {
            int.bits as i128
        }
    };
    let bound = read(bound as u128 & u128::from(u64::MAX));
    let (low, high) = if is_signed {
        (i64::MIN.into(), i64::MAX.into())
    } else {
        (0, u64::MAX.into())
    };
    let is_max = ir.is(extremum, &MAXS) || ir.is(extremum, &MAXU);
    let (low, high) = if is_max { (bound, high) } else { (low, bound) };
    compare_range(predicate, low, high, read(c.bits))
}

/// Comparisons of constants, of equals, and of bounded values with constants.
pub(super) fn fold_cmp(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    let Some(predicate) = cmp_predicate(ir, op) else {
        return no_fold();
    };
    let holds = if ir.operand(op, 0) == ir.operand(op, 1) {
        Some(predicate.holds_for_equal())
    } else {
        let int = |index: usize| splat_int(ir.context(), operands[index]);
        match (int(0), int(1)) {
            (Some(a), Some(b)) => Some(predicate.holds((a.signed(), b.signed()), (a.bits, b.bits))),
            (None, Some(b)) => compare_extremum(ir, op, predicate, b),
            _ => None,
        }
    };
    to_attr(holds.map(Attr::bool))
}

/// cmp(eq or ne, sub(x, y), 0) -> cmp(eq or ne, x, y). Ordered predicates are
/// left alone: the difference may wrap around.
pub(super) fn compare_difference(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let predicate = cmp_predicate(rw.ir, op);
    if !matches!(predicate, Some(CmpIPredicate::Eq | CmpIPredicate::Ne)) {
        return false;
    }
    for index in [0, 1] {
        if as_constant_int(rw.ir, rw.ir.operand(op, 1 - index)) == Some(0)
            && let Some(sub) = rw.ir.defined_by(rw.ir.operand(op, index), &SUB)
        {
            let operands = [rw.ir.operand(sub, 0), rw.ir.operand(sub, 1)];
            rw.set_operands(op, &operands);
            return true;
        }
    }
    false
}
