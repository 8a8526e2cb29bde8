//! `cf.assert` of what holds anyway.

use crate::dialects::arith;
use crate::ir::entities::Op;
use crate::ir::op_def::Pattern;
use crate::ir::rewriter::Rewriter;

use super::super::Assert;

pub(in super::super) const PATTERNS: &[Pattern] = &[Pattern {
    name: "EraseRedundantAssertions",
    apply: erase_redundant,
}];

/// Before: `cf.assert %true, "..."`
/// After:  nothing
fn erase_redundant(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let condition = Assert(op).condition(rewriter.ir);
    if arith::as_constant_bool(rewriter.ir, condition) != Some(true) {
        return false;
    }
    rewriter.erase_op(op);
    true
}
