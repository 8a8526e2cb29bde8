//! Canonicalization patterns of cf: what upstream's canonicalizer does.

pub(super) mod assert;
pub(super) mod br;
pub(super) mod cond_br;
mod pass_through;
pub(super) mod switch;

use smallvec::SmallVec;

use crate::ir::data::Ir;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Block, Op, Value};
use crate::ir::rewriter::Rewriter;

use super::BR;

/// Operands handed to one successor.
type Operands = SmallVec<[Value; 4]>;

/// Replaces a terminator by a `cf.br`.
fn replace_with_br(rewriter: &mut Rewriter<'_>, op: Op, dest: Block, operands: &[Value]) {
    let spec = OpSpec::new(&BR, rewriter.ir.loc(op))
        .operands(operands)
        .successors(&[dest]);
    rewriter.replace_op_with(op, spec);
}

/// Replaces a terminator by a branch to its successor `index`.
fn replace_with_br_to(rewriter: &mut Rewriter<'_>, op: Op, index: usize) {
    let dest = rewriter.ir.successors(op)[index];
    let operands: Operands = rewriter.ir.successor_operands(op, index).into();
    replace_with_br(rewriter, op, dest, &operands);
}

/// The terminator that branches to `block`, if there is exactly one edge.
fn single_predecessor(ir: &Ir, block: Block) -> Option<Op> {
    match ir.block_uses(block) {
        [only] => Some(only.op),
        _ => None,
    }
}
