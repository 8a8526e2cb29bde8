//! `scf.index_switch` on a constant.

use crate::dialects::arith;
use crate::dialects::shared::moves::replace_op_with_block;
use crate::ir::entities::Op;
use crate::ir::op_def::Pattern;
use crate::ir::rewriter::Rewriter;

use super::super::IndexSwitch;

pub(in super::super) const PATTERNS: &[Pattern] = &[Pattern {
    name: "FoldConstantCase",
    apply: fold_constant_case,
}];

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
