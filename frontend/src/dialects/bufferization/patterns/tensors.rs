//! Folds and patterns of `to_tensor` and `to_memref`.

use smallvec::smallvec;

use crate::dialects::bufferization::tensors::{TO_MEMREF, TO_TENSOR};
use crate::dialects::memref::{CAST, types};
use crate::ir::attrs::Attr;
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
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

/// The buffer that the tensor of `op`, a `to_memref`, comes from, if it may stand for the result: what is written to that is
/// seen in the buffer then. Upstream does not ask.
fn same_buffer(ir: &Ir, op: Op) -> Option<Value> {
    let tensor = ir.operand(op, 0);
    let inner = ir.defined_by(tensor, &TO_TENSOR)?;
    let may_be_written = ir.has_attr(inner, Name::WRITABLE) && ir.has_one_use(tensor);
    (ir.has_attr(op, Name::READ_ONLY) || may_be_written).then(|| ir.operand(inner, 0))
}

/// to_memref(to_tensor(%m)) -> %m, if nothing is written to one of them that the other must not see
pub(crate) fn fold_to_memref(ir: &Ir, op: Op, _: &[Option<Attr>]) -> FoldResults {
    let Some(memref) = same_buffer(ir, op) else {
        return FoldResults::new();
    };
    if ir.value_type(memref) == ir.value_type(ir.result(op, 0)) {
        smallvec![FoldResult::Value(memref)]
    } else {
        FoldResults::new()
    }
}

/// to_memref(to_tensor(%m)) -> cast(%m), where the types differ in what the
/// second forgets.
pub(super) fn to_memref_of_to_tensor(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(memref) = same_buffer(rw.ir, op) else {
        return false;
    };
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
