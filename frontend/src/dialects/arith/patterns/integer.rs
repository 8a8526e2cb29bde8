//! Patterns of integer sums and products: constants meet.

use super::{constant_number, make_constant, replace_with_binary};
use crate::dialects::arith::{
    ADDI, CMPI, CmpIPredicate, EXTSI, MULI, OverflowFlags, SUBI, assembly::i1_same_shape,
};
use crate::dialects::shared::const_fold::{Int, mask};
use crate::ir::data::Ir;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::OpDef;
use crate::ir::rewriter::Rewriter;

/// A constant of an operation, or one made of several: its pattern, and the number that the pattern stands for without
/// the wrapping of its width; `None` where that is unknown.
#[derive(Clone, Copy)]
struct Constant {
    bits: u128,
    signed: Option<i128>,
    unsigned: Option<i128>,
    width: u32,
}

impl Constant {
    fn of(int: Int) -> Self {
        Self {
            bits: int.bits,
            signed: Some(int.signed()),
            unsigned: i128::try_from(int.unsigned()).ok(),
            width: int.width,
        }
    }

    fn combined(
        self,
        other: Self,
        wrapping: fn(u128, u128) -> u128,
        checked: fn(i128, i128) -> Option<i128>,
    ) -> Self {
        let exact = |a: Option<i128>, b: Option<i128>| checked(a?, b?);
        Self {
            bits: wrapping(self.bits, other.bits),
            signed: exact(self.signed, other.signed),
            unsigned: exact(self.unsigned, other.unsigned),
            width: self.width,
        }
    }

    fn plus(self, other: Self) -> Self {
        self.combined(other, u128::wrapping_add, i128::checked_add)
    }

    fn minus(self, other: Self) -> Self {
        self.combined(other, u128::wrapping_sub, i128::checked_sub)
    }

    fn times(self, other: Self) -> Self {
        self.combined(other, u128::wrapping_mul, i128::checked_mul)
    }

    fn negated(self) -> Self {
        Self {
            bits: self.bits.wrapping_neg(),
            signed: self.signed.and_then(i128::checked_neg),
            unsigned: self.unsigned.and_then(i128::checked_neg),
            width: self.width,
        }
    }

    /// The promises that an operation with this constant can keep where those it is made of kept them: the constant of
    /// the new operation must be the number, and not what its width leaves of it.
    fn promises(self) -> OverflowFlags {
        let pattern = Int {
            bits: self.bits & mask(self.width),
            width: self.width,
        };
        let mut flags = OverflowFlags::NONE;
        if self.signed == Some(pattern.signed()) {
            flags = flags.union(OverflowFlags::NSW);
        }
        if self.unsigned == i128::try_from(pattern.unsigned()).ok() && self.unsigned.is_some() {
            flags = flags.union(OverflowFlags::NUW);
        }
        flags
    }
}

/// `a * x + c` with `a` 1 or -1: what sums and differences with one constant are.
struct Term {
    value: Value,
    negated: bool,
    constant: Constant,
    flags: OverflowFlags,
}

/// The term that `op`, an addi or subi, is.
fn term_of(ir: &Ir, op: Op) -> Option<Term> {
    let (lhs, rhs) = (ir.operand(op, 0), ir.operand(op, 1));
    let flags = OverflowFlags::of(ir, op);
    let term = |value, negated, constant| {
        Some(Term {
            value,
            negated,
            constant,
            flags,
        })
    };
    let number = |value| constant_number(ir, value).map(Constant::of);
    if ir.is(op, &ADDI) {
        return term(lhs, false, number(rhs)?);
    }
    match (number(lhs), number(rhs)) {
        (_, Some(right)) => term(lhs, false, right.negated()),
        (Some(left), None) => term(rhs, true, left),
        (None, None) => None,
    }
}

/// The operation that defines `value`, if it is an addi or subi.
fn defining_sum(ir: &Ir, value: Value) -> Option<Op> {
    ir.defined_by(value, &ADDI)
        .or_else(|| ir.defined_by(value, &SUBI))
}

/// addi(addi(x, c0), c1) -> addi(x, c0 + c1)
/// addi(subi(x, c0), c1) -> addi(x, c1 - c0)
/// addi(subi(c0, x), c1) -> subi(c0 + c1, x)
pub(super) fn combine_added_constants(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(outer) = term_of(rw.ir, op) else {
        return false;
    };
    let inner = defining_sum(rw.ir, outer.value).and_then(|inner| term_of(rw.ir, inner));
    let Some(inner) = inner else {
        return false;
    };
    let constant = inner.constant.plus(outer.constant);
    let flags = inner.flags.intersection(outer.flags);
    replace_with_term(rw, op, inner.value, inner.negated, constant, flags, false)
}

/// subi(addi(x, c0), c1) -> addi(x, c0 - c1)
/// subi(subi(x, c0), c1) -> subi(x, c0 + c1)
/// subi(subi(c0, x), c1) -> subi(c0 - c1, x)
/// subi(c1, addi(x, c0)) -> subi(c1 - c0, x)
/// subi(c1, subi(x, c0)) -> subi(c0 + c1, x)
/// subi(c1, subi(c0, x)) -> addi(x, c1 - c0)
pub(super) fn combine_subtracted_constants(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(outer) = term_of(rw.ir, op) else {
        return false;
    };
    let Some(inner_op) = defining_sum(rw.ir, outer.value) else {
        return false;
    };
    let Some(inner) = term_of(rw.ir, inner_op) else {
        return false;
    };
    let (negated, constant) = if outer.negated {
        (!inner.negated, outer.constant.minus(inner.constant))
    } else {
        (inner.negated, inner.constant.plus(outer.constant))
    };
    let inner_is_sub = rw.ir.is(inner_op, &SUBI);
    // The promises of a sum say nothing about the difference it becomes.
    let flags = if inner_is_sub || outer.negated {
        inner.flags.intersection(outer.flags)
    } else {
        OverflowFlags::NONE
    };
    let as_sub = inner_is_sub && !outer.negated && !inner.negated;
    replace_with_term(rw, op, inner.value, negated, constant, flags, as_sub)
}

/// Replaces `op` by `constant - value`, `value + constant`, or, if `as_sub`,
/// `value - -constant`.
fn replace_with_term(
    rw: &mut Rewriter<'_>,
    op: Op,
    value: Value,
    negated: bool,
    constant: Constant,
    flags: OverflowFlags,
    as_sub: bool,
) -> bool {
    let ty = rw.ir.value_type(rw.ir.result(op, 0));
    let written = if as_sub { constant.negated() } else { constant };
    let flags = flags.intersection(written.promises());
    let Some(constant) = make_constant(rw, op, ty, written.bits) else {
        return false;
    };
    let (def, operands) = match (negated, as_sub) {
        (true, _) => (&SUBI, [constant, value]),
        (false, true) => (&SUBI, [value, constant]),
        (false, false) => (&ADDI, [value, constant]),
    };
    replace_with_binary(rw, op, def, operands, flags);
    true
}

/// addi(x, muli(y, -1)) -> subi(x, y), by either order of operands
pub(super) fn add_negated(rw: &mut Rewriter<'_>, op: Op) -> bool {
    for index in [1, 0] {
        let Some(mul) = rw.ir.defined_by(rw.ir.operand(op, index), &MULI) else {
            continue;
        };
        let factor = constant_number(rw.ir, rw.ir.operand(mul, 1));
        if factor.is_some_and(|factor| factor.bits == factor.all_ones()) {
            let operands = [rw.ir.operand(op, 1 - index), rw.ir.operand(mul, 0)];
            replace_with_binary(rw, op, &SUBI, operands, OverflowFlags::NONE);
            return true;
        }
    }
    false
}

/// subi(subi(x, y), x) -> subi(0, y)
pub(super) fn subtract_own_minuend(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(inner) = rw.ir.defined_by(rw.ir.operand(op, 0), &SUBI) else {
        return false;
    };
    if rw.ir.operand(inner, 0) != rw.ir.operand(op, 1) {
        return false;
    }
    let y = rw.ir.operand(inner, 1);
    let flags = OverflowFlags::of(rw.ir, inner).intersection(OverflowFlags::of(rw.ir, op));
    let Some(zero) = make_constant(rw, op, rw.ir.value_type(y), 0) else {
        return false;
    };
    replace_with_binary(rw, op, &SUBI, [zero, y], flags);
    true
}

/// muli(muli(x, c0), c1) -> muli(x, c0 * c1)
pub(super) fn combine_factors(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rw.ir;
    let Some(inner) = ir.defined_by(ir.operand(op, 0), &MULI) else {
        return false;
    };
    let factors = [op, inner].map(|op| constant_number(ir, ir.operand(op, 1)));
    let [Some(outer_factor), Some(inner_factor)] = factors else {
        return false;
    };
    let product = Constant::of(outer_factor).times(Constant::of(inner_factor));
    let flags = (OverflowFlags::of(ir, inner).intersection(OverflowFlags::of(ir, op)))
        .intersection(product.promises());
    let (x, ty) = (ir.operand(inner, 0), ir.value_type(ir.result(op, 0)));
    let Some(constant) = make_constant(rw, op, ty, product.bits) else {
        return false;
    };
    replace_with_binary(rw, op, &MULI, [x, constant], flags);
    true
}

/// addui_extended(x, y) -> addi(x, y), mul_extended(x, y) -> muli(x, y) where
/// the second result is unused
pub(super) fn drop_unused_half(rw: &mut Rewriter<'_>, op: Op, def: &'static OpDef) -> bool {
    if !rw.ir.has_no_uses(rw.ir.result(op, 1)) {
        return false;
    }
    let (lhs, rhs) = (rw.ir.operand(op, 0), rw.ir.operand(op, 1));
    let value = rw.value_before(op, def, &[lhs, rhs], rw.ir.value_type(lhs));
    // Anything does for the unused result but itself must have its type.
    rw.replace_all_uses(rw.ir.result(op, 0), value);
    rw.erase_op(op);
    true
}

/// mulsi_extended(x, 1) -> x, extsi(cmpi slt, x, 0)
pub(super) fn mulsi_extended_by_one(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let (x, factor) = (rw.ir.operand(op, 0), rw.ir.operand(op, 1));
    let ty = rw.ir.value_type(x);
    // In one bit, what reads as one is -1; and index has no width to extend to.
    let is_one = constant_number(rw.ir, factor).is_some_and(|c| c.width > 1 && c.bits == 1);
    if !is_one || rw.ir.context().element_type_or_self(ty) == crate::ir::types::Type::INDEX {
        return false;
    }
    let Some(zero) = make_constant(rw, op, ty, 0) else {
        return false;
    };
    let i1 = i1_same_shape(rw.ir.context(), ty);
    let predicate = CmpIPredicate::Slt.to_attr(rw.ir.context());
    let spec = OpSpec::new(&CMPI, rw.ir.loc(op))
        .operands(&[x, zero])
        .results(&[i1])
        .attr(Name::PREDICATE, predicate);
    let negative = rw.create_before(op, spec);
    let negative = rw.ir.result(negative, 0);
    let high = rw.value_before(op, &EXTSI, &[negative], ty);
    rw.replace_op(op, &[x, high]);
    true
}
