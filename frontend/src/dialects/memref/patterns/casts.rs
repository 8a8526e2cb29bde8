//! Patterns that look through `memref.cast`.

use crate::dialects::memref::dma::Transfer;
use crate::dialects::memref::{CAST, MEMORY_SPACE_CAST, fold, types};
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::rewriter::Rewriter;

/// The source of the cast that defines `value`, if that is ranked.
pub(crate) fn cast_source(ir: &Ir, value: Value) -> Option<Value> {
    let cast = ir.defined_by(value, &CAST)?;
    let source = ir.operand(cast, 0);
    ir.context()
        .as_memref(ir.value_type(source))
        .map(|_| source)
}

/// use(cast(x)) -> use(x), for an operation that takes any memref of the rank
/// as operand `index`.
pub(crate) fn fold_ranked_cast(rw: &mut Rewriter<'_>, op: Op, index: usize) -> bool {
    match cast_source(rw.ir, rw.ir.operand(op, index)) {
        Some(source) => {
            rw.set_operand(op, index, source);
            true
        }
        None => false,
    }
}

/// dma_start(cast(x), ...) -> dma_start(x, ...)
pub(super) fn dma_start(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Ok(transfer) = Transfer::of(rw.ir, op) else {
        return false;
    };
    let mut changed = false;
    for index in [transfer.source, transfer.target, transfer.tag] {
        changed |= fold_ranked_cast(rw, op, index);
    }
    changed
}

/// cast(cast(x)) -> cast(x), unless the sizes in the middle are all that
/// makes the two ends compatible.
pub(super) fn cast_of_cast(rw: &mut Rewriter<'_>, op: Op) -> bool {
    match cast_source(rw.ir, rw.ir.operand(op, 0)) {
        Some(source) if fold::can_cast(rw.ir, source, rw.ir.result(op, 0)) => {
            rw.set_operand(op, 0, source);
            true
        }
        _ => false,
    }
}

/// memory_space_cast(memory_space_cast(x)) -> memory_space_cast(x)
pub(super) fn memory_space_cast_of_same(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(inner) = rw.ir.defined_by(rw.ir.operand(op, 0), &MEMORY_SPACE_CAST) else {
        return false;
    };
    let source = rw.ir.operand(inner, 0);
    rw.set_operand(op, 0, source);
    true
}

/// A copy of a buffer to itself, or of no elements.
pub(super) fn no_copy(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let (source, target) = (rw.ir.operand(op, 0), rw.ir.operand(op, 1));
    if source != target && !fold::is_empty(rw.ir, source) && !fold::is_empty(rw.ir, target) {
        return false;
    }
    rw.erase_op(op);
    true
}

/// copy(cast(x), cast(y)) -> copy(x, y), where a cast forgets sizes or only
/// changes the layout.
pub(super) fn copy(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let mut changed = false;
    for index in 0..2 {
        let operand = rw.ir.operand(op, index);
        let Some(source) = cast_source(rw.ir, operand) else {
            continue;
        };
        let from = rw.ir.value_type(source);
        let other = rw.ir.value_type(rw.ir.operand(op, 1 - index));
        let context = rw.ir.context();
        // A copy wants equal sizes; those known before the cast must not
        // contradict the other side.
        let fits = match (context.shape(from), context.shape(other)) {
            (Some(a), Some(b)) => a.iter().zip(b).all(|(&a, &b)| types::is_compatible(a, b)),
            _ => true,
        };
        if fits {
            rw.set_operand(op, index, source);
            changed = true;
        }
    }
    changed
}

/// dim(cast(x)) -> dim(x), through casts to unranked types as well.
pub(super) fn dim(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(source) = cast_source(rw.ir, rw.ir.operand(op, 0)) else {
        return false;
    };
    if fold::rank_of(rw.ir, source) == Some(0) {
        return false;
    }
    rw.set_operand(op, 0, source);
    true
}
