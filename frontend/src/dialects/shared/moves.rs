//! Moving whole blocks while canonicalizing: inlining them, and dropping unused arguments, operands
//! and results.
//!
//! Everything works in place and reports to the [`Rewriter`], so that the
//! driver looks again at what moved and at what may be dead now.

use smallvec::SmallVec;

use crate::ir::data::Ir;
use crate::ir::entities::{Block, Op, Value};
use crate::ir::rewriter::Rewriter;

/// Replaces the arguments of `block` by `values`.
pub(crate) fn replace_block_args(rewriter: &mut Rewriter<'_>, block: Block, values: &[Value]) {
    let arguments: SmallVec<[Value; 8]> = rewriter.ir.block_args(block).into();
    debug_assert_eq!(arguments.len(), values.len());
    for (&argument, &value) in arguments.iter().zip(values) {
        if argument != value {
            rewriter.replace_all_uses(argument, value);
        }
    }
}

/// Moves all operations of `block` before `anchor`, with `values` in the
/// place of its arguments.
pub(crate) fn inline_block_before(
    rewriter: &mut Rewriter<'_>,
    block: Block,
    anchor: Op,
    values: &[Value],
) {
    replace_block_args(rewriter, block, values);
    while let Some(op) = rewriter.ir.first_op(block) {
        rewriter.move_op_before(op, anchor);
    }
}

/// Moves all operations of `block` to the end of `to`, with `values` in the
/// place of its arguments.
pub(crate) fn inline_block_at_end(
    rewriter: &mut Rewriter<'_>,
    block: Block,
    to: Block,
    values: &[Value],
) {
    replace_block_args(rewriter, block, values);
    while let Some(op) = rewriter.ir.first_op(block) {
        rewriter.ir.move_op_to_end(op, to);
        rewriter.modified(op);
    }
}

/// Replaces `op` by the operations of `block`, one of its own: `values` take
/// the place of the arguments, and the operands of the terminator that of the
/// results of `op`.
pub(crate) fn replace_op_with_block(
    rewriter: &mut Rewriter<'_>,
    op: Op,
    block: Block,
    values: &[Value],
) {
    inline_block_before(rewriter, block, op, values);
    let terminator = rewriter
        .ir
        .prev_op(op)
        .expect("the block had a terminator, which is before the operation now");
    let results: SmallVec<[Value; 8]> = rewriter.ir.operands(terminator).into();
    rewriter.erase_op(terminator);
    rewriter.replace_op(op, &results);
}

/// Erases an operation-free block that nothing refers to.
pub(crate) fn erase_empty_block(rewriter: &mut Rewriter<'_>, block: Block) {
    debug_assert!(rewriter.ir.first_op(block).is_none());
    rewriter.ir.erase_block(block);
}

/// Keeps of the operands of `op` from `start` on only those that `keep` marks.
pub(crate) fn retain_operands(rewriter: &mut Rewriter<'_>, op: Op, start: usize, keep: &[bool]) {
    let operands = rewriter.ir.operands(op);
    debug_assert_eq!(operands.len(), start + keep.len());
    let kept: Vec<Value> = operands
        .iter()
        .enumerate()
        .filter(|&(i, _)| i < start || keep[i - start])
        .map(|(_, &value)| value)
        .collect();
    if kept.len() < operands.len() {
        rewriter.set_operands(op, &kept);
    }
}

/// Keeps of the arguments of `block` from `start` on only those that `keep`
/// marks; the others must be unused.
pub(crate) fn retain_block_args(
    rewriter: &mut Rewriter<'_>,
    block: Block,
    start: usize,
    keep: &[bool],
) {
    for (i, _) in keep.iter().enumerate().rev().filter(|&(_, &keep)| !keep) {
        rewriter.ir.remove_block_arg(block, start + i);
    }
}

/// Which results of `op` have uses; `None` if all have.
pub(crate) fn used_results(ir: &Ir, op: Op) -> Option<SmallVec<[bool; 4]>> {
    let results = ir.results(op).iter();
    let used: SmallVec<[bool; 4]> = results.map(|&result| !ir.has_no_uses(result)).collect();
    used.contains(&false).then_some(used)
}

/// Keeps only those results of `op` that `keep` marks; the others must be unused.
pub(crate) fn retain_results(rewriter: &mut Rewriter<'_>, op: Op, keep: &[bool]) {
    for (i, _) in keep.iter().enumerate().rev().filter(|&(_, &keep)| !keep) {
        rewriter.ir.remove_result(op, i);
    }
    rewriter.modified(op);
}
