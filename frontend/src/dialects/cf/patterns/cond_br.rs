//! `cf.cond_br`

use crate::dialects::arith;
use crate::ir::builder::Builder;
use crate::ir::data::Ir;
use crate::ir::entities::{Block, Op, Use, Value};
use crate::ir::op_def::Pattern;
use crate::ir::rewriter::Rewriter;

use super::super::{COND_BR, CondBr, build_cond_br};
use super::pass_through::collapse_successor;
use super::{Operands, replace_with_br, replace_with_br_to, single_predecessor};

pub(in super::super) const PATTERNS: &[Pattern] = &[
    Pattern {
        name: "SimplifyConstCondBranchPred",
        apply: fold_constant_condition,
    },
    Pattern {
        name: "SimplifyPassThroughCondBranch",
        apply: skip_pass_through,
    },
    Pattern {
        name: "SimplifyCondBranchIdenticalSuccessors",
        apply: merge_identical_successors,
    },
    Pattern {
        name: "SimplifyCondBranchFromCondBranchOnSameCondition",
        apply: fold_known_condition,
    },
    Pattern {
        name: "CondBranchTruthPropagation",
        apply: propagate_condition,
    },
];

/// Up to how many uses of a condition are looked at one by one.
const FEW_USES: usize = 32;

/// Before: `cf.cond_br %true, ^bb1(%x), ^bb2`
/// After:  `cf.br ^bb1(%x)`
fn fold_constant_condition(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let condition = CondBr(op).condition(rewriter.ir);
    let Some(holds) = arith::as_constant_bool(rewriter.ir, condition) else {
        return false;
    };
    replace_with_br_to(rewriter, op, usize::from(!holds));
    true
}

/// Before: `cf.cond_br %c, ^bb1, ^bb2 ^bb1: cf.br ^bb3`
/// After:  `cf.cond_br %c, ^bb3, ^bb2`
fn skip_pass_through(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let collapsed = [0, 1].map(|index| collapse_successor(rewriter, op, index));
    if collapsed.iter().all(Option::is_none) {
        return false;
    }
    let ir = &*rewriter.ir;
    let [on_true, on_false] = collapsed;
    let unchanged = |index: usize| {
        let operands = Operands::from(ir.successor_operands(op, index));
        (ir.successors(op)[index], operands)
    };
    let on_true = on_true.unwrap_or_else(|| unchanged(0));
    let on_false = on_false.unwrap_or_else(|| unchanged(1));
    let condition = CondBr(op).condition(ir);
    rewriter.build_before(op, |builder: &mut Builder<'_>| {
        build_cond_br(
            builder,
            condition,
            (on_true.0, &on_true.1),
            (on_false.0, &on_false.1),
        )
    });
    rewriter.erase_op(op);
    true
}

/// Before: `cf.cond_br %c, ^bb1(%x), ^bb1(%y)`
/// After:  `%z = arith.select %c, %x, %y; cf.br ^bb1(%z)`
fn merge_identical_successors(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let view = CondBr(op);
    let dest = view.true_dest(ir);
    if dest != view.false_dest(ir) {
        return false;
    }
    let condition = view.condition(ir);
    let pairs: Vec<(Value, Value)> = view
        .true_operands(ir)
        .iter()
        .copied()
        .zip(view.false_operands(ir).iter().copied())
        .collect();
    let equal = pairs.iter().all(|(on_true, on_false)| on_true == on_false);
    // Where others branch there too, the selects would not save a branch.
    let is_only_predecessor = ir.block_uses(dest).iter().all(|u| u.op == op);
    if !equal && !is_only_predecessor {
        return false;
    }
    let operands: Operands = pairs
        .into_iter()
        .map(|(on_true, on_false)| {
            if on_true == on_false {
                return on_true;
            }
            let ty = rewriter.ir.value_type(on_true);
            rewriter.value_before(op, &arith::SELECT, &[condition, on_true, on_false], ty)
        })
        .collect();
    replace_with_br(rewriter, op, dest, &operands);
    true
}

/// Before: `cf.cond_br %c, ^bb1, ^bb2 ^bb1: cf.cond_br %c, ^bb3, ^bb4`
/// After:  `cf.cond_br %c, ^bb1, ^bb2 ^bb1: cf.br ^bb3`
fn fold_known_condition(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let block = ir.block_of(op).expect("a terminator in a block");
    let Some(predecessor) = single_predecessor(ir, block)
        .filter(|&predecessor| predecessor != op && ir.is(predecessor, &COND_BR))
    else {
        return false;
    };
    if CondBr(op).condition(ir) != CondBr(predecessor).condition(ir) {
        return false;
    }
    let holds = CondBr(predecessor).true_dest(ir) == block;
    replace_with_br_to(rewriter, op, usize::from(!holds));
    true
}

/// The uses of `value` by operations of `block` itself. Of a value with many
/// uses the block is searched instead, so that thousands of branches on one
/// condition do not each look at all of its uses.
fn uses_in_block(ir: &Ir, value: Value, block: Block) -> Vec<Use> {
    let uses = ir.uses(value);
    if uses.len() <= FEW_USES {
        let is_inside = |u: &&Use| ir.block_of(u.op) == Some(block);
        return uses.iter().filter(is_inside).copied().collect();
    }
    let mut found = Vec::new();
    for op in ir.ops_in(block) {
        for (index, &operand) in ir.operands(op).iter().enumerate() {
            if operand == value {
                let index = index as u32;
                found.push(Use { op, index });
            }
        }
    }
    found
}

/// Before: `cf.cond_br %c, ^bb1, ^bb2 ^bb1: use(%c)`
/// After:  `cf.cond_br %c, ^bb1, ^bb2 ^bb1: use(%true)`
fn propagate_condition(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let condition = CondBr(op).condition(ir);
    if arith::as_constant_attr(ir, condition).is_some() {
        return false;
    }
    let mut changed = false;
    for (index, value) in [(0, true), (1, false)] {
        let ir = &*rewriter.ir;
        let dest = ir.successors(op)[index];
        if single_predecessor(ir, dest) != Some(op) {
            continue;
        }
        let mut uses = uses_in_block(ir, condition, dest);
        uses.retain(|u| u.op != op);
        if uses.is_empty() {
            continue;
        }
        let constant = rewriter.build_before(op, |b| arith::constant_bool(b, value));
        for u in uses {
            rewriter.set_operand(u.op, u.index as usize, constant);
        }
        changed = true;
    }
    changed
}
