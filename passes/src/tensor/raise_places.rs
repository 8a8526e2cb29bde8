//! Where a tensor goes that is inserted into another is computed before the tensor, which others read as well, so that it
//! may be computed in place.
//!
//! Before:
//! ```mlir
//! %f = linalg.map { math.exp } ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>)
//! %g = linalg.map { math.sin } ins(%f : tensor<16xf32>) outs(%e : tensor<16xf32>)
//! %k = arith.addi %i, %c1 : index
//! %r = tensor.insert_slice %f into %t[%k, 0] [1, 16] [1, 1] : tensor<16xf32> into tensor<4x16xf32>
//! ```
//! After:
//! ```mlir
//! %k = arith.addi %i, %c1 : index
//! %f = linalg.map { math.exp } ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>)
//! %g = linalg.map { math.sin } ins(%f : tensor<16xf32>) outs(%e : tensor<16xf32>)
//! %r = tensor.insert_slice %f into %t[%k, 0] [1, 16] [1, 1] : tensor<16xf32> into tensor<4x16xf32>
//! ```
//! Gradients of loops are full of this: what a step computes is used by the next operation, and kept for the way back.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use smallvec::SmallVec;

use super::eliminate_empty_tensors::writer_of_empty;
use super::sink_producers::{MAX_MOVED, drop_expansion, has_long_rows, unit_expansion};
use crate::analysis::speculation::may_run_anywhere;
use crate::analysis::tensor_reads::is_only_read_before;

/// Moves what computes the place of `insert`, a `tensor.insert_slice`, to before what computes the inserted tensor, if
/// until then that is only read.
pub(super) fn raise_place(ir: &mut Ir, insert: Op) {
    let expand = unit_expansion(ir, insert);
    let inserted = ir.operand(expand.unwrap_or(insert), 0);
    let Some(block) = ir.block_of(insert) else {
        return;
    };
    let Some((first, _)) = writer_of_empty(ir, block, inserted) else {
        return;
    };
    if !has_long_rows(ir, insert) || !is_only_read_before(ir, inserted, insert) {
        return;
    }
    let Some(computed) = computed_after(ir, insert, first) else {
        return;
    };
    drop_expansion(ir, insert, expand);
    for op in computed {
        ir.move_op_before(op, first);
    }
}

/// What computes the place of `insert` behind `first` in its block, in order; `None` if that may not be done earlier, or
/// if the tensor into which it inserts is made behind `first`.
fn computed_after(ir: &Ir, insert: Op, first: Op) -> Option<SmallVec<[Op; 4]>> {
    let is_later = |value: Value| {
        let op = ir.defining_op(value)?;
        (ir.block_of(op) == ir.block_of(first) && !ir.is_before_in_block(op, first)).then_some(op)
    };
    if is_later(ir.operand(insert, 1)).is_some() {
        return None;
    }
    let mut computed: SmallVec<[Op; 4]> = SmallVec::new();
    let mut pending: SmallVec<[Value; 8]> = SmallVec::from_slice(&ir.operands(insert)[2..]);
    while let Some(value) = pending.pop() {
        let Some(op) = is_later(value).filter(|op| !computed.contains(op)) else {
            continue;
        };
        let is_plain = ir.regions(op).is_empty() && may_run_anywhere(ir, op);
        if !is_plain || computed.len() == ir.capped(MAX_MOVED) {
            return None;
        }
        computed.push(op);
        pending.extend(ir.operands(op).iter().copied());
    }
    computed.sort_by(|&a, &b| match ir.is_before_in_block(a, b) {
        true => std::cmp::Ordering::Less,
        false => std::cmp::Ordering::Greater,
    });
    Some(computed)
}
