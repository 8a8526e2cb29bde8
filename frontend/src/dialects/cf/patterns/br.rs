//! `cf.br`

use smallvec::SmallVec;

use crate::dialects::shared::moves::{erase_empty_block, inline_block_at_end};
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::op_def::Pattern;
use crate::ir::rewriter::Rewriter;

use super::super::{BR, Br};
use super::pass_through::collapse_successor;
use super::{replace_with_br, single_predecessor};

pub(in super::super) const PATTERNS: &[Pattern] = &[
    Pattern {
        name: "SimplifyBrToBlockWithSinglePred",
        apply: merge_with_successor,
    },
    Pattern {
        name: "SimplifyPassThroughBr",
        apply: skip_pass_through,
    },
];

/// Before: `A; cf.br ^bb1(%x) ^bb1(%a): B(%a)`
/// After:  `A; B(%x)`
///
/// A whole chain of such blocks is merged into its first one at once, so that
/// no operation moves more than once.
fn merge_with_successor(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    if !can_merge(rewriter.ir, op) {
        return false;
    }
    let mut head = op;
    while let Some(before) = branch_before(rewriter.ir, head)
        && before != op
        && can_merge(rewriter.ir, before)
    {
        head = before;
    }
    let block = rewriter.ir.block_of(head).expect("a terminator in a block");
    while can_merge(rewriter.ir, head) {
        let dest = Br(head).dest(rewriter.ir);
        let operands: SmallVec<[Value; 4]> = rewriter.ir.operands(head).into();
        rewriter.erase_op(head);
        inline_block_at_end(rewriter, dest, block, &operands);
        erase_empty_block(rewriter, dest);
        head = rewriter.ir.last_op(block).expect("a terminated block");
    }
    true
}

/// The branch that alone leads to the block of `op`.
fn branch_before(ir: &Ir, op: Op) -> Option<Op> {
    single_predecessor(ir, ir.block_of(op)?).filter(|&before| ir.is(before, &BR))
}

/// Whether `op` is a branch to a block that nothing else leads to.
fn can_merge(ir: &Ir, op: Op) -> bool {
    if !ir.is(op, &BR) {
        return false;
    }
    let dest = Br(op).dest(ir);
    // An unreachable chain may hand its own arguments round in a circle.
    let arguments = ir.block_args(dest);
    ir.block_of(op) != Some(dest)
        && single_predecessor(ir, dest) == Some(op)
        && !ir.operands(op).iter().any(|v| arguments.contains(v))
}

/// Before: `cf.br ^bb1 ^bb1: cf.br ^bb2`
/// After:  `cf.br ^bb2`
fn skip_pass_through(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let Some((dest, operands)) = collapse_successor(rewriter, op, 0) else {
        return false;
    };
    replace_with_br(rewriter, op, dest, &operands);
    true
}
