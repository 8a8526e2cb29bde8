//! Blocks that do nothing but branch on: whoever branches to them may branch
//! to where they lead.

use rustc_hash::FxHashSet;

use crate::ir::data::Ir;
use crate::ir::entities::{Block, Op, Value, ValueDef};

use super::super::{BR, Br};
use super::Operands;

/// Where a branch to `block` with `operands` leads in the end, if `block` and
/// perhaps some that follow do nothing but branch on. `None` if there is
/// nothing to skip, or if the blocks lead round in a circle: an endless loop
/// is to stay.
pub(super) fn collapse(ir: &Ir, block: Block, operands: &[Value]) -> Option<(Block, Operands)> {
    let (mut block, mut operands) = step(ir, block, operands)?;
    let mut visited = FxHashSet::default();
    while visited.insert(block) {
        match step(ir, block, &operands) {
            Some(further) => (block, operands) = further,
            None => return Some((block, operands)),
        }
    }
    None
}

/// [`collapse`] for successor `index` of a terminator.
pub(super) fn collapse_successor(ir: &Ir, op: Op, index: usize) -> Option<(Block, Operands)> {
    let operands = ir.successor_operands(op, index);
    collapse(ir, ir.successors(op)[index], operands)
}

/// Where a branch to `block` leads, if `block` holds only a branch to another
/// block and its arguments are used nowhere else.
fn step(ir: &Ir, block: Block, operands: &[Value]) -> Option<(Block, Operands)> {
    let branch = ir.first_op(block).filter(|&op| ir.is(op, &BR))?;
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
