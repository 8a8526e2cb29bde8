//! Folding of float arithmetic.

use super::{fold_float_binary, lhs_rhs};
use crate::dialects::arith::{FastMathFlags, NEGF};
use crate::dialects::shared::const_fold::{
    float, fold_elements, is_float, poison, to_attr, to_value,
};
use crate::ir::attrs::Attr;
use crate::ir::data::Ir;
use crate::ir::entities::Op;
use crate::ir::op_def::FoldResults;
use crate::ir::types::FloatKind;

fn rhs_is(ir: &Ir, operands: &[Option<Attr>], accepts: fn(f64) -> bool) -> bool {
    is_float(ir.context(), operands[1], accepts)
}

pub(in super::super) fn fold_negf(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    let (context, ty) = (ir.context(), ir.value_type(ir.result(op, 0)));
    let kind = context.float_kind(context.element_type_or_self(ty));
    // negf(negf(x)) -> x, but for numbers without a sign
    if let Some(inner) = ir.defined_by(ir.operand(op, 0), &NEGF)
        && kind != Some(FloatKind::F8E8M0FNU)
    {
        return to_value(ir.operand(inner, 0));
    }
    if let Some(poison) = poison(context, operands) {
        return to_attr(Some(poison));
    }
    let Some(kind) = kind else {
        return to_attr(None);
    };
    to_attr(fold_elements(context, operands, ty, |bits| {
        float::negate(kind, bits[0])
    }))
}

pub(in super::super) fn fold_addf(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    // addf(x, -0) -> x
    if rhs_is(ir, operands, |b| b == 0.0 && b.is_sign_negative()) {
        return to_value(ir.operand(op, 0));
    }
    fold_float_binary(ir, op, operands, |a, b| a + b)
}

pub(in super::super) fn fold_subf(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    // subf(x, +0) -> x
    if rhs_is(ir, operands, |b| b == 0.0 && b.is_sign_positive()) {
        return to_value(ir.operand(op, 0));
    }
    fold_float_binary(ir, op, operands, |a, b| a - b)
}

pub(in super::super) fn fold_mulf(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    let (lhs, rhs) = lhs_rhs(ir, op);
    // mulf(x, 1) -> x
    if rhs_is(ir, operands, |b| b == 1.0) {
        return to_value(lhs);
    }
    // mulf(x, 0) -> 0 if neither NaN nor the sign of zero matters
    let license = FastMathFlags::NNAN.union(FastMathFlags::NSZ);
    if FastMathFlags::of(ir, op).contains(license) && rhs_is(ir, operands, |b| b == 0.0) {
        return to_value(rhs);
    }
    fold_float_binary(ir, op, operands, |a, b| a * b)
}

pub(in super::super) fn fold_divf(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    // divf(x, 1) -> x
    if rhs_is(ir, operands, |b| b == 1.0) {
        return to_value(ir.operand(op, 0));
    }
    fold_float_binary(ir, op, operands, |a, b| a / b)
}

pub(in super::super) fn fold_remf(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_float_binary(ir, op, operands, |a, b| a % b)
}

/// The larger of two numbers, +0 being larger than -0.
fn larger(a: f64, b: f64) -> f64 {
    if a == b {
        if a.is_sign_negative() { b } else { a }
    } else if a < b {
        b
    } else {
        a
    }
}

/// The smaller of two numbers, -0 being smaller than +0.
fn smaller(a: f64, b: f64) -> f64 {
    -larger(-a, -b)
}

/// `x op x -> x`, `x op neutral -> x`, and constants.
fn fold_extremum(
    ir: &Ir,
    op: Op,
    operands: &[Option<Attr>],
    neutral: fn(f64) -> bool,
    choose: fn(f64, f64) -> f64,
) -> FoldResults {
    let (lhs, rhs) = lhs_rhs(ir, op);
    if lhs == rhs || rhs_is(ir, operands, neutral) {
        return to_value(lhs);
    }
    fold_float_binary(ir, op, operands, choose)
}

pub(in super::super) fn fold_maximumf(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_extremum(ir, op, operands, |b| b == f64::NEG_INFINITY, larger)
}

pub(in super::super) fn fold_minimumf(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_extremum(ir, op, operands, |b| b == f64::INFINITY, smaller)
}

/// `maxnumf` and `minnumf`: a NaN gives way to the other side.
fn fold_num(
    ir: &Ir,
    op: Op,
    operands: &[Option<Attr>],
    choose: fn(f64, f64) -> f64,
) -> FoldResults {
    let (lhs, rhs) = lhs_rhs(ir, op);
    if lhs == rhs || rhs_is(ir, operands, f64::is_nan) {
        return to_value(lhs);
    }
    if is_float(ir.context(), operands[0], f64::is_nan) {
        return to_value(rhs);
    }
    let (context, ty) = (ir.context(), ir.value_type(ir.result(op, 0)));
    if let Some(poison) = poison(context, operands) {
        return to_attr(Some(poison));
    }
    let Some(kind) = context.float_kind(context.element_type_or_self(ty)) else {
        return to_attr(None);
    };
    to_attr(fold_elements(context, operands, ty, |bits| {
        let (a, b) = (float::decode(kind, bits[0])?, float::decode(kind, bits[1])?);
        let takes_first = b.is_nan() || (!a.is_nan() && same_number(choose(a, b), a));
        Some(bits[usize::from(!takes_first)])
    }))
}

/// Whether both are the same number with the same sign.
fn same_number(a: f64, b: f64) -> bool {
    a == b && a.is_sign_negative() == b.is_sign_negative()
}

pub(in super::super) fn fold_maxnumf(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_num(ir, op, operands, larger)
}

pub(in super::super) fn fold_minnumf(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_num(ir, op, operands, smaller)
}
