//! Folds and patterns of `to_tensor` and `to_memref`.

use smallvec::smallvec;

use crate::dialects::bufferization::tensors::{TO_MEMREF, TO_TENSOR};
use crate::dialects::memref::{CAST, types};
use crate::ir::attrs::Attr;
use crate::ir::data::Ir;
use crate::ir::entities::Op;
use crate::ir::op_def::{FoldResult, FoldResults};
use crate::ir::rewriter::Rewriter;

/// to_tensor(to_memref(%t)) -> %t, if nothing stands between that might write
/// to the buffer.
pub(crate) fn fold_to_tensor(ir: &Ir, op: Op, _: &[Option<Attr>]) -> FoldResults {
    let Some(inner) = ir.defined_by(ir.operand(op, 0), &TO_MEMREF) else {
        return FoldResults::new();
    };
    let tensor = ir.operand(inner, 0);
    if ir.prev_op(op) == Some(inner) && ir.value_type(tensor) == ir.value_type(ir.result(op, 0)) {
        smallvec![FoldResult::Value(tensor)]
    } else {
        FoldResults::new()
    }
}

/// to_memref(to_tensor(%m)) -> %m
pub(crate) fn fold_to_memref(ir: &Ir, op: Op, _: &[Option<Attr>]) -> FoldResults {
    let Some(inner) = ir.defined_by(ir.operand(op, 0), &TO_TENSOR) else {
        return FoldResults::new();
    };
    let memref = ir.operand(inner, 0);
    if ir.value_type(memref) == ir.value_type(ir.result(op, 0)) {
        smallvec![FoldResult::Value(memref)]
    } else {
        FoldResults::new()
    }
}

/// to_memref(to_tensor(%m)) -> cast(%m), where the types differ in what the
/// second forgets.
pub(super) fn to_memref_of_to_tensor(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(inner) = rw.ir.defined_by(rw.ir.operand(op, 0), &TO_TENSOR) else {
        return false;
    };
    let memref = rw.ir.operand(inner, 0);
    let (from, to) = (
        rw.ir.value_type(memref),
        rw.ir.value_type(rw.ir.result(op, 0)),
    );
    if from == to || !types::cast_only_forgets(rw.ir.context(), from, to) {
        return false;
    }
    if types::cast_compatible(rw.ir.context(), from, to) {
        let value = rw.value_before(op, &CAST, &[memref], to);
        rw.replace_op(op, &[value]);
        return true;
    }
    false
}
