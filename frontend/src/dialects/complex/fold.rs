//! Folding of complex: taking numbers apart that were just put together, and
//! double negations. Upstream's folds that ignore rounding or branch cuts
//! (`log(exp(z))`, `(a - b) + b`) are left out.

use super::{CONJ, CONSTANT, CREATE, IM, NEG, RE, constant_parts};
use crate::dialects::shared::const_fold::{is_float, no_fold, to_attr, to_value};
use crate::ir::attrs::Attr;
use crate::ir::data::Ir;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::FoldResults;

/// A constant folds to its value.
pub(super) fn fold_constant(ir: &Ir, op: Op, _: &[Option<Attr>]) -> FoldResults {
    to_attr(ir.attr(op, Name::VALUE))
}

/// re(create(a, b)) -> a, re of a constant; `index` 1 for im
fn fold_part(ir: &Ir, op: Op, index: usize) -> FoldResults {
    let operand = ir.operand(op, 0);
    if let Some(create) = ir.defined_by(operand, &CREATE) {
        return to_value(ir.operand(create, index));
    }
    match ir.defined_by(operand, &CONSTANT) {
        Some(constant) => to_attr(constant_parts(ir, constant).map(|parts| parts[index])),
        None => no_fold(),
    }
}

pub(super) fn fold_re(ir: &Ir, op: Op, _: &[Option<Attr>]) -> FoldResults {
    fold_part(ir, op, 0)
}

pub(super) fn fold_im(ir: &Ir, op: Op, _: &[Option<Attr>]) -> FoldResults {
    fold_part(ir, op, 1)
}

/// create(re(z), im(z)) -> z
pub(super) fn fold_create(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    if let &[Some(re), Some(im)] = operands {
        return to_attr(Some(ir.context().array_attr(&[re, im])));
    }
    let re = ir.defined_by(ir.operand(op, 0), &RE);
    let im = ir.defined_by(ir.operand(op, 1), &IM);
    match (re, im) {
        (Some(re), Some(im)) if ir.operand(re, 0) == ir.operand(im, 0) => {
            to_value(ir.operand(re, 0))
        }
        _ => no_fold(),
    }
}

/// f(f(z)) -> z
pub(super) fn fold_involution(ir: &Ir, op: Op, _: &[Option<Attr>]) -> FoldResults {
    let def = ir.def(op);
    debug_assert!([&NEG, &CONJ].iter().any(|&d| std::ptr::eq(d, def)));
    match ir.defined_by(ir.operand(op, 0), def) {
        Some(inner) => to_value(ir.operand(inner, 0)),
        None => no_fold(),
    }
}

/// sub(z, +0 + 0i) -> z
pub(super) fn fold_sub(ir: &Ir, op: Op, _: &[Option<Attr>]) -> FoldResults {
    let zero = ir
        .defined_by(ir.operand(op, 1), &CONSTANT)
        .and_then(|constant| constant_parts(ir, constant))
        .is_some_and(|parts| {
            parts.iter().all(|&part| {
                is_float(ir.context(), Some(part), |x| {
                    x == 0.0 && x.is_sign_positive()
                })
            })
        });
    if zero {
        to_value(ir.operand(op, 0))
    } else {
        no_fold()
    }
}

/// bitcast(bitcast(x)) -> x, where x has the type of the result
pub(super) fn fold_bitcast(ir: &Ir, op: Op, _: &[Option<Attr>]) -> FoldResults {
    let to = ir.value_type(ir.result(op, 0));
    match ir.defined_by(ir.operand(op, 0), ir.def(op)) {
        Some(inner) if ir.value_type(ir.operand(inner, 0)) == to => to_value(ir.operand(inner, 0)),
        _ => no_fold(),
    }
}
