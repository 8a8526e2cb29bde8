//! Folding of comparisons and selection.

use super::lhs_rhs;
use crate::dialects::arith::{CMPI, CmpFPredicate, CmpIPredicate, EXTSI, EXTUI};
use crate::dialects::shared::const_fold::{
    float, fold_elements, fold_ints, is_all_ones, is_int, is_poison, no_fold, poison, splat_attr,
    to_attr, to_value,
};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::data::Ir;
use crate::ir::entities::Op;
use crate::ir::op_def::FoldResults;
use crate::ir::types::Type;

pub(in super::super) fn fold_cmpi(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    let Some(predicate) = CmpIPredicate::of(ir, op) else {
        return no_fold();
    };
    let context = ir.context();
    let (lhs, rhs) = lhs_rhs(ir, op);
    let (ty, result) = (ir.value_type(lhs), ir.value_type(ir.result(op, 0)));
    // cmpi(pred, x, x) -> true or false
    if lhs == rhs {
        let holds = u128::from(predicate.holds_for_equal());
        return to_attr(splat_attr(context, result, holds));
    }
    let is_i1 = |ty| context.element_type_or_self(ty) == Type::I1;
    if predicate == CmpIPredicate::Ne && is_int(context, operands[1], 0) {
        // cmpi(ne, ext(x : i1), 0) -> x
        for extension in [&EXTSI, &EXTUI] {
            if let Some(ext) = ir.defined_by(lhs, extension)
                && is_i1(ir.value_type(ir.operand(ext, 0)))
            {
                return to_value(ir.operand(ext, 0));
            }
        }
        // cmpi(ne, x : i1, false) -> x
        if is_i1(ty) {
            return to_value(lhs);
        }
    }
    // cmpi(eq, x : i1, true) -> x
    if predicate == CmpIPredicate::Eq && is_i1(ty) && is_int(context, operands[1], 1) {
        return to_value(lhs);
    }
    to_attr(fold_ints(context, operands, ty, result, |[a, b]| {
        let holds = predicate.holds((a.signed(), b.signed()), (a.bits, b.bits));
        Some(u128::from(holds))
    }))
}

pub(in super::super) fn fold_cmpf(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    let Some(predicate) = CmpFPredicate::of(ir, op) else {
        return no_fold();
    };
    let context = ir.context();
    let (ty, result) = (
        ir.value_type(ir.operand(op, 0)),
        ir.value_type(ir.result(op, 0)),
    );
    if let Some(poison) = poison(context, operands) {
        return to_attr(Some(poison));
    }
    let Some(kind) = context.float_kind(context.element_type_or_self(ty)) else {
        return no_fold();
    };
    if matches!(
        predicate,
        CmpFPredicate::AlwaysFalse | CmpFPredicate::AlwaysTrue
    ) {
        let holds = u128::from(predicate == CmpFPredicate::AlwaysTrue);
        return to_attr(splat_attr(context, result, holds));
    }
    // A NaN on one side decides.
    for &operand in operands {
        if let Some(attr) = operand
            && let AttrKind::Float { bits, .. } = context.attr_kind(attr)
            && float::is_nan(kind, *bits) == Some(true)
        {
            return to_attr(Some(Attr::bool(predicate.holds(None))));
        }
    }
    to_attr(fold_elements(context, operands, result, |bits| {
        let (a, b) = (float::decode(kind, bits[0])?, float::decode(kind, bits[1])?);
        Some(u128::from(predicate.holds(a.partial_cmp(&b))))
    }))
}

pub(in super::super) fn fold_select(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    let context = ir.context();
    let &[condition, on_true, on_false] = ir.operands(op) else {
        return no_fold();
    };
    // select(c, x, x) -> x, select(true, x, y) -> x
    if on_true == on_false || is_all_ones(context, operands[0]) {
        return to_value(on_true);
    }
    // select(false, x, y) -> y
    if is_int(context, operands[0], 0) {
        return to_value(on_false);
    }
    // select(c, poison, x) -> x
    if is_poison(context, operands[1]) {
        return to_value(on_false);
    }
    if is_poison(context, operands[2]) {
        return to_value(on_true);
    }
    let ty = ir.value_type(on_true);
    // select(c, true, false) -> c
    if ty == Type::I1 && operands[1] == Some(Attr::TRUE) && operands[2] == Some(Attr::FALSE) {
        return to_value(condition);
    }
    // select(cmpi(eq, x, y), x, y) -> y, select(cmpi(ne, x, y), x, y) -> x
    if let Some(cmp) = ir.defined_by(condition, &CMPI) {
        let same = [(on_true, on_false), (on_false, on_true)].contains(&lhs_rhs(ir, cmp));
        match CmpIPredicate::of(ir, cmp) {
            Some(CmpIPredicate::Eq) if same => return to_value(on_false),
            Some(CmpIPredicate::Ne) if same => return to_value(on_true),
            _ => {}
        }
    }
    let is_elements =
        |attr: &Option<Attr>| attr.is_some_and(|attr| context.attr_dense(attr).is_some());
    if operands.iter().all(is_elements) {
        return to_attr(fold_elements(context, operands, ty, |bits| {
            Some(bits[if bits[0] != 0 { 1 } else { 2 }])
        }));
    }
    no_fold()
}
