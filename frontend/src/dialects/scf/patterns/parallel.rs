//! `scf.parallel`: dimensions that run not at all or once, and nests.

use smallvec::SmallVec;

use crate::dialects::arith;
use crate::dialects::shared::moves::{inline_block_before, replace_block_args, retain_block_args};
use crate::ir::entities::{Op, Value};
use crate::ir::op_def::Pattern;
use crate::ir::rewriter::Rewriter;
use crate::ir::types::Type;

use super::super::{PARALLEL, Parallel, REDUCE};
use super::trip_count::{constant_distance, zero_or_one};

pub(in super::super) const PATTERNS: &[Pattern] = &[
    Pattern {
        name: "ParallelOpSingleOrZeroIterationDimsFolder",
        apply: fold_trivial_dims,
    },
    Pattern {
        name: "MergeNestedParallelLoops",
        apply: merge_nested,
    },
];

/// Before: `scf.parallel (%i, %j) = (%c0, %x) to (%c1, %y) step (%c1, %z) { use(%i) }`
/// After:  `scf.parallel (%j) = (%x) to (%y) step (%z) { use(%c0) }`
fn fold_trivial_dims(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let view = Parallel(op);
    let mut keep = Vec::new();
    for (i, &lower) in view.lower_bounds(ir).iter().enumerate() {
        let distance = constant_distance(ir, lower, view.upper_bounds(ir)[i]);
        let step = arith::as_constant_int(ir, view.steps(ir)[i]);
        match zero_or_one(distance, step) {
            Some(0) => {
                let inits: SmallVec<[Value; 4]> = view.init_vals(ir).into();
                rewriter.replace_op(op, &inits);
                return true;
            }
            runs_once => keep.push(runs_once.is_none()),
        }
    }
    if keep.iter().all(|&keep| keep) {
        return false;
    }
    if !keep.contains(&true) {
        inline_single_iteration(rewriter, op);
        return true;
    }
    let body = view.body(ir);
    for (i, _) in keep.iter().enumerate().filter(|&(_, &keep)| !keep) {
        let (variable, lower) = (
            rewriter.ir.block_args(body)[i],
            view.lower_bounds(rewriter.ir)[i],
        );
        rewriter.replace_all_uses(variable, lower);
    }
    retain_block_args(rewriter, body, 0, &keep);
    for group in 0..3 {
        let kept: SmallVec<[Value; 4]> = rewriter
            .ir
            .operand_group(op, group)
            .iter()
            .zip(&keep)
            .filter(|&(_, &keep)| keep)
            .map(|(&value, _)| value)
            .collect();
        rewriter.set_operand_group(op, group, &kept);
    }
    true
}

/// Replaces a loop that runs once by its body and its reductions.
fn inline_single_iteration(rewriter: &mut Rewriter<'_>, op: Op) {
    let ir = &*rewriter.ir;
    let view = Parallel(op);
    let lower_bounds: SmallVec<[Value; 4]> = view.lower_bounds(ir).into();
    let inits: SmallVec<[Value; 4]> = view.init_vals(ir).into();
    let body = view.body(ir);
    let reduce = view.reduce_op(ir);
    inline_block_before(rewriter, body, op, &lower_bounds);
    let mut results: SmallVec<[Value; 4]> = SmallVec::new();
    for (i, &init) in inits.iter().enumerate() {
        let ir = &*rewriter.ir;
        let operand = ir.operand(reduce, i);
        let block = ir
            .entry_block(ir.region(reduce, i))
            .expect("a verified reduction has a block");
        inline_block_before(rewriter, block, op, &[init, operand]);
        let returned = rewriter
            .ir
            .prev_op(op)
            .expect("the terminator of the reduction is here now");
        results.push(rewriter.ir.operand(returned, 0));
        rewriter.erase_op(returned);
    }
    rewriter.erase_op(reduce);
    rewriter.replace_op(op, &results);
}

/// Before: `scf.parallel (%i) = ... { scf.parallel (%j) = ... { A } }`
/// After:  `scf.parallel (%i, %j) = ... { A }`
fn merge_nested(rewriter: &mut Rewriter<'_>, outer: Op) -> bool {
    let ir = &*rewriter.ir;
    let body = Parallel(outer).body(ir);
    let Some(inner) = ir.first_op(body).filter(|&inner| ir.is(inner, &PARALLEL)) else {
        return false;
    };
    let only_inner = ir
        .next_op(inner)
        .is_some_and(|last| ir.is(last, &REDUCE) && ir.next_op(last).is_none());
    let has_reductions = |op| !Parallel(op).init_vals(ir).is_empty();
    if !only_inner || has_reductions(outer) || has_reductions(inner) {
        return false;
    }
    // All operands of the inner loop are bounds.
    let depends = |&operand: &Value| ir.value_block(operand) == Some(body);
    if ir.operands(inner).iter().any(depends) {
        return false;
    }
    let inner_body = Parallel(inner).body(ir);
    for group in 0..3 {
        let bounds: SmallVec<[Value; 4]> = rewriter.ir.operand_group(inner, group).into();
        rewriter.ir.append_to_operand_group(outer, group, &bounds);
    }
    let variables: SmallVec<[Value; 4]> = (0..rewriter.ir.block_args(inner_body).len())
        .map(|_| rewriter.ir.append_block_arg(body, Type::INDEX))
        .collect();
    // The body of the inner loop, without its terminator, takes its place.
    replace_block_args(rewriter, inner_body, &variables);
    let terminator = Parallel(inner).reduce_op(rewriter.ir);
    rewriter.erase_op(terminator);
    inline_block_before(rewriter, inner_body, inner, &variables);
    rewriter.erase_op(inner);
    rewriter.modified(outer);
    true
}
