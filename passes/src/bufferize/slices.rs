//! Slices that are taken out of a tensor, changed and put back where they were.
//!
//! ```mlir
//! %s = tensor.extract_slice %t[%i] [4] [1]
//! %r = linalg.fill ins(%x) outs(%s)
//! %u = tensor.insert_slice %r into %t[%i] [4] [1]
//! ```
//!
//! The slice is no owner, so it would be copied to be changed. If the last
//! operation gets the buffer of `%t`, the changes may be made in there instead,
//! from the first one on: they are where they belong, early. Someone could only
//! tell between the first change and the last operation, which are in one
//! block, so it is enough that nothing between them looks at `%t` or a view
//! of it. What comes from one change to the next must be used for nothing else; what the last one makes may be read until
//! it is put back.
//!
//! Iterations of an `scf.forall` do the same with their part of an output. Parts
//! of different iterations do not overlap, as that operation promises.

use freehold_frontend::dialects::memref::OffsetSizeStride;
use freehold_frontend::dialects::{linalg, tensor};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Use, Value, ValueDef};
use smallvec::SmallVec;

use crate::analysis::tensor_reads::is_only_read_before;

use super::in_place::{
    Analysis, Decisions, MAX_USES, Purpose, is_read_in_iterations, is_view_of, single_destination,
};

/// Whether two operations take a slice out of, or put it into, one tensor at
/// one place.
pub(super) fn are_of_one_place(ir: &Ir, extract: Op, insert: Op) -> bool {
    ir.operand(extract, 0) == ir.operand(insert, 1)
        && ir.value_type(ir.result(extract, 0)) == ir.value_type(ir.operand(insert, 0))
        && OffsetSizeStride::of(ir, extract) == OffsetSizeStride::of(ir, insert)
}

/// Adds the slices that are changed in place to the decisions.
pub(super) fn decide(analysis: &Analysis<'_>, decisions: &mut Decisions) {
    let ir = analysis.ir;
    for op in ir.walk(ir.root()) {
        let found = if ir.is(op, &tensor::INSERT_SLICE) {
            let owns = analysis.is_owner(ir.operand(op, 1)) && decisions.takes(op, 1);
            owns.then(|| first_change(analysis, decisions, op, op))
        } else if ir.is(op, &tensor::PARALLEL_INSERT_SLICE) {
            // Where iterations read more of the output, they see it as it was before.
            let end = ir.parent_op(op);
            end.filter(|_| !is_read_in_iterations(ir, ir.operand(op, 1)))
                .map(|end| first_change(analysis, decisions, op, end))
        } else {
            None
        };
        let Some((change, index)) = found.flatten() else {
            continue;
        };
        if let Some(consumed) = decisions.consumed.get_mut(&change) {
            for consumed in consumed.iter_mut().filter(|c| c.index == index) {
                consumed.takes = true;
            }
        }
        decisions.slices_in_place.insert(op);
    }
}

/// The operation that changes a slice first, of those whose last result
/// `insert` puts back, and its destination. They are in the block of `end`,
/// with which the slice is back.
fn first_change(
    analysis: &Analysis<'_>,
    decisions: &Decisions,
    insert: Op,
    end: Op,
) -> Option<(Op, usize)> {
    let ir = analysis.ir;
    let block = ir.block_of(end)?;
    let mut value = ir.operand(insert, 0);
    // No operation in between takes its buffer, as `insert` reads it later.
    if !ir.has_one_use(value) && (insert != end || !is_only_read_before(ir, value, insert)) {
        return None;
    }
    let (mut change, mut index);
    loop {
        let ValueDef::Result(op, result) = ir.value_def(value) else {
            return None;
        };
        change = op;
        if ir.block_of(change) != Some(block) {
            return None;
        }
        index = destination_of(ir, change, result as usize)?;
        value = ir.operand(change, index);
        if let Some(slice) = ir.defined_by(value, &tensor::EXTRACT_SLICE) {
            if ir.block_of(slice) != Some(block) || !are_of_one_place(ir, slice, insert) {
                return None;
            }
            break;
        }
        // Everyone who uses what the change before made is this change.
        let is_passed_on =
            |u: &Use| u.op == change && is_harmless(analysis, change, index, u.index as usize);
        if !decisions.takes(change, index) || !ir.uses(value).iter().all(is_passed_on) {
            return None;
        }
    }
    let mut n_uses = 0;
    let mut pending: SmallVec<[Value; 8]> = SmallVec::from_slice(&[ir.operand(insert, 1)]);
    while let Some(viewed) = pending.pop() {
        for u in ir.uses(viewed) {
            n_uses += 1;
            if n_uses > ir.capped(MAX_USES) {
                return None;
            }
            let at = u.index as usize;
            if is_view_of(ir, u.op, at) {
                pending.push(ir.result(u.op, 0));
            }
            let Some(user) = ir.ancestor_in_block(u.op, block) else {
                continue;
            };
            if u.op == change {
                let is_slice = viewed == value;
                if !(is_slice && is_harmless(analysis, change, index, at)) {
                    return None;
                }
            } else if !ir.is_before_in_block(user, change)
                && (ir.is_before_in_block(user, end) || user == end && u.op != insert)
            {
                return None;
            }
        }
    }
    Some((change, index))
}

/// The destination that a result of a change is.
fn destination_of(ir: &Ir, op: Op, result: usize) -> Option<usize> {
    if linalg::is_structured(ir, op) {
        return Some(linalg::n_inputs(ir, op) + result);
    }
    single_destination(ir, op).filter(|_| ir.results(op).len() == 1)
}

fn is_harmless(analysis: &Analysis<'_>, op: Op, index: usize, other: usize) -> bool {
    other == index || analysis.is_harmless_beside(op, index, other, Purpose::Exclusive)
}
