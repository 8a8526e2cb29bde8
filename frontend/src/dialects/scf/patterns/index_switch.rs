//! `scf.index_switch`: on a constant, and without unused results.

use smallvec::SmallVec;

use crate::dialects::arith;
use crate::dialects::shared::moves::{
    replace_op_with_block, retain_operands, retain_results, used_results,
};
use crate::ir::entities::Op;
use crate::ir::op_def::Pattern;
use crate::ir::rewriter::Rewriter;

use super::super::IndexSwitch;

pub(in super::super) const PATTERNS: &[Pattern] = &[
    Pattern {
        name: "FoldConstantCase",
        apply: fold_constant_case,
    },
    Pattern {
        name: "FoldUnusedIndexSwitchResults",
        apply: remove_unused_results,
    },
];

/// Before: `scf.index_switch %c2 case 2 { A } default { B }`
/// After:  `A`
fn fold_constant_case(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let view = IndexSwitch(op);
    let Some(value) = arith::as_constant_index(ir, view.arg(ir)) else {
        return false;
    };
    let case = view.cases(ir).iter().position(|&case| case == value);
    let block = view.block(ir, case.map_or(0, |case| case + 1));
    replace_op_with_block(rewriter, op, block, &[]);
    true
}

/// Before: `%0:2 = scf.index_switch %i case 2 { scf.yield %a, %b } default { ... }`, %0#1 unused
/// After:  `%0 = scf.index_switch %i case 2 { scf.yield %a } default { ... }`
fn remove_unused_results(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let Some(keep) = used_results(ir, op) else {
        return false;
    };
    let view = IndexSwitch(op);
    let blocks = 0..=view.cases(ir).len();
    let yields: SmallVec<[Op; 4]> = blocks
        .filter_map(|i| ir.last_op(view.block(ir, i)))
        .collect();
    for last in yields {
        retain_operands(rewriter, last, 0, &keep);
    }
    retain_results(rewriter, op, &keep);
    true
}
