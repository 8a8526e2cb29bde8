//! `scf.while`: what the after region knows because the condition held.

use smallvec::SmallVec;

use crate::dialects::arith;
use crate::dialects::arith::CmpIPredicate;
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::op_def::Pattern;
use crate::ir::rewriter::Rewriter;

use super::super::{Condition, While};
use super::while_args::{
    align_before_args, remove_duplicated_results, remove_invariant_args, remove_invariant_results,
    remove_unused_args, remove_unused_results,
};

pub(in super::super) const PATTERNS: &[Pattern] = &[
    Pattern {
        name: "RemoveLoopInvariantArgsFromBeforeBlock",
        apply: remove_invariant_args,
    },
    Pattern {
        name: "RemoveLoopInvariantValueYielded",
        apply: remove_invariant_results,
    },
    Pattern {
        name: "WhileConditionTruth",
        apply: propagate_condition,
    },
    Pattern {
        name: "WhileCmpCond",
        apply: propagate_comparison,
    },
    Pattern {
        name: "WhileUnusedResult",
        apply: remove_unused_results,
    },
    Pattern {
        name: "WhileRemoveDuplicatedResults",
        apply: remove_duplicated_results,
    },
    Pattern {
        name: "WhileRemoveUnusedArgs",
        apply: remove_unused_args,
    },
    Pattern {
        name: "WhileOpAlignBeforeArgs",
        apply: align_before_args,
    },
];

/// Before: `scf.while { scf.condition(%c) %c } do { ^bb0(%x): use(%x) }`
/// After:  `scf.while { scf.condition(%c) %c } do { ^bb0(%x): use(%true) }`
fn propagate_condition(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let condition = Condition(While(op).condition_op(ir));
    let flag = condition.condition(ir);
    let arguments = ir.block_args(While(op).after_block(ir));
    let known: SmallVec<[Value; 2]> = condition
        .args(ir)
        .iter()
        .zip(arguments)
        .filter(|&(&value, &argument)| value == flag && !ir.has_no_uses(argument))
        .map(|(_, &argument)| argument)
        .collect();
    if known.is_empty() {
        return false;
    }
    let constant = rewriter.build_before(op, |b| arith::constant_bool(b, true));
    for argument in known {
        rewriter.replace_all_uses(argument, constant);
    }
    true
}

/// Before: `scf.while { %c = arith.cmpi slt, %z, %n; scf.condition(%c) %z } do { ^bb0(%x): %d = arith.cmpi slt, %x, %n }`
/// After:  %d is `true`
fn propagate_comparison(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let condition = Condition(While(op).condition_op(ir));
    let Some(comparison) = ir.defined_by(condition.condition(ir), &arith::CMPI) else {
        return false;
    };
    let arguments = ir.block_args(While(op).after_block(ir));
    let mut known: Vec<(Op, bool)> = Vec::new();
    for (&value, &argument) in condition.args(ir).iter().zip(arguments) {
        for side in 0..2 {
            if ir.operand(comparison, side) != value {
                continue;
            }
            let other = ir.operand(comparison, 1 - side);
            for u in ir.uses(argument) {
                // The argument must stand on the same side here.
                if u.index as usize != side {
                    continue;
                }
                if let Some(holds) = implied(ir, comparison, u.op, other, 1 - side) {
                    known.push((u.op, holds));
                }
            }
        }
    }
    known.sort_unstable();
    known.dedup_by_key(|entry| entry.0);
    let changed = !known.is_empty();
    for (comparison, holds) in known {
        let constant = rewriter.build_before(comparison, |b| arith::constant_bool(b, holds));
        rewriter.replace_op(comparison, &[constant]);
    }
    changed
}

/// Whether `op` is a comparison that must come out as `comparison` did, or the
/// opposite; its operand `side` must be `other`.
fn implied(ir: &Ir, comparison: Op, op: Op, other: Value, side: usize) -> Option<bool> {
    if !ir.is(op, &arith::CMPI) || ir.operand(op, side) != other {
        return None;
    }
    let (first, second) = (
        CmpIPredicate::of(ir, comparison)?,
        CmpIPredicate::of(ir, op)?,
    );
    if first == second {
        Some(true)
    } else if first.inverted() == second {
        Some(false)
    } else {
        None
    }
}
