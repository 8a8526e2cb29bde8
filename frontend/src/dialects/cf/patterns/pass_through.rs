//! Blocks that do nothing but branch on: whoever branches to them may branch
//! to where they lead.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::ir::data::Ir;
use crate::ir::entities::{Block, Op, Value, ValueDef};
use crate::ir::rewriter::Rewriter;

use super::super::{BR, Br};
use super::Operands;

/// Where a branch to `block` with `operands` leads in the end, if `block` and
/// perhaps some that follow do nothing but branch on. `None` if there is
/// nothing to skip, or if the blocks lead round in a circle: an endless loop
/// is to stay.
///
/// The branches on the way are made to lead there directly, so that long
/// chains are walked once.
pub(super) fn collapse(
    rewriter: &mut Rewriter<'_>,
    block: Block,
    operands: &[Value],
) -> Option<(Block, Operands)> {
    let mut branches: SmallVec<[Op; 4]> = SmallVec::new();
    let mut visited = FxHashSet::default();
    let mut current = block;
    while let Some(branch) = pass_through(rewriter.ir, current) {
        if !visited.insert(current) {
            return None;
        }
        branches.push(branch);
        current = Br(branch).dest(rewriter.ir);
    }
    branches.pop()?;
    for branch in branches.into_iter().rev() {
        let ir = &*rewriter.ir;
        let (dest, operands) = step(ir, Br(branch).dest(ir), ir.operands(branch))?;
        rewriter.ir.set_successor(branch, 0, dest);
        rewriter.set_operands(branch, &operands);
    }
    step(rewriter.ir, block, operands)
}

/// [`collapse`] for successor `index` of a terminator.
pub(super) fn collapse_successor(
    rewriter: &mut Rewriter<'_>,
    op: Op,
    index: usize,
) -> Option<(Block, Operands)> {
    let block = rewriter.ir.successors(op)[index];
    let operands: Operands = rewriter.ir.successor_operands(op, index).into();
    collapse(rewriter, block, &operands)
}

/// The branch that is all there is in `block`, if it leads to another block
/// and the arguments of this one are used nowhere else.
fn pass_through(ir: &Ir, block: Block) -> Option<Op> {
    let branch = ir.first_op(block).filter(|&op| ir.is(op, &BR))?;
    let used_elsewhere = |&argument: &Value| ir.uses(argument).iter().any(|u| u.op != branch);
    let skips = Br(branch).dest(ir) != block && !ir.block_args(block).iter().any(used_elsewhere);
    skips.then_some(branch)
}

/// Where a branch to `block`, which only branches on, leads.
fn step(ir: &Ir, block: Block, operands: &[Value]) -> Option<(Block, Operands)> {
    let branch = pass_through(ir, block)?;
    let forwarded = ir
        .operands(branch)
        .iter()
        .map(|&value| match ir.value_def(value) {
            ValueDef::Argument(of, index) if of == block => operands[index as usize],
            _ => value,
        });
    Some((Br(branch).dest(ir), forwarded.collect()))
}
