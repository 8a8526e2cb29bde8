//! Blocks that do nothing but branch on: whoever branches to them may branch
//! to where they lead.

use crate::ir::data::Ir;
use crate::ir::entities::{Block, Value, ValueDef};

use super::super::{BR, Br};
use super::Operands;

/// Where a branch to `block` with `operands` leads in the end, if `block`
/// holds only a branch and its arguments are used nowhere else.
pub(super) fn collapse(ir: &Ir, block: Block, operands: &[Value]) -> Option<(Block, Operands)> {
    let branch = ir.first_op(block).filter(|&op| ir.is(op, &BR))?;
    // A branch to itself is an endless loop, which is to stay.
    let dest = Br(branch).dest(ir);
    if dest == block {
        return None;
    }
    let used_elsewhere = |&argument: &Value| ir.uses(argument).iter().any(|u| u.op != branch);
    if ir.block_args(block).iter().any(used_elsewhere) {
        return None;
    }
    let forwarded = ir
        .operands(branch)
        .iter()
        .map(|&value| match ir.value_def(value) {
            ValueDef::Argument(of, index) if of == block => operands[index as usize],
            _ => value,
        });
    Some((dest, forwarded.collect()))
}

/// [`collapse`] for successor `index` of a terminator.
pub(super) fn collapse_successor(
    ir: &Ir,
    op: crate::ir::entities::Op,
    index: usize,
) -> Option<(Block, Operands)> {
    collapse(
        ir,
        ir.successors(op)[index],
        ir.successor_operands(op, index),
    )
}
