//! `loop-invariant-code-motion`: operations whose operands are defined outside of a loop leave it.
//!
//! Before:
//! ```mlir
//! scf.for %i = %c0 to %n step %c1 {
//!   %v = arith.addf %a, %b : f32
//!   memref.store %v, %m[%i] : memref<?xf32>
//! }
//! ```
//! After:
//! ```mlir
//! %v = arith.addf %a, %b : f32
//! scf.for %i = %c0 to %n step %c1 {
//!   memref.store %v, %m[%i] : memref<?xf32>
//! }
//! ```
//!
//! The loop may run not even once, so only operations leave it that may run anywhere (`may_run_anywhere`): no reads,
//! no divisions by unknown numbers. Inner loops come first.

use std::collections::VecDeque;

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;

use crate::analysis::speculation::{may_run_anywhere, uses_only_outside};
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "loop-invariant-code-motion",
    summary: "move operations out of loops that compute the same in each iteration",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let mut n_moved = 0;
    // Inner before outer.
    for op in ir.collect_ops(ir.root()).into_iter().rev() {
        if ir.def(op).loop_like.is_some() {
            n_moved += move_out(ir, op);
        }
    }
    context.count("operations moved", n_moved);
    Ok(())
}

/// Moves what may leave the loop `op` in front of it; returns how many operations.
pub(crate) fn move_out(ir: &mut Ir, op: Op) -> u64 {
    let mut n_moved = 0;
    for region in ir.regions(op).to_vec() {
        let blocks: Vec<_> = ir.blocks_in(region).collect();
        let mut queue: VecDeque<Op> = (blocks.into_iter())
            .flat_map(|block| ir.ops_in(block).collect::<Vec<_>>())
            .collect();
        while let Some(inner) = queue.pop_front() {
            if ir.parent_region(inner) != Some(region)
                || !uses_only_outside(ir, inner, region)
                || !may_run_anywhere(ir, inner)
            {
                continue;
            }
            ir.move_op_before(inner, op);
            n_moved += 1;
            for &result in ir.results(inner) {
                let users = ir.uses(result).iter().map(|u| u.op);
                queue.extend(users.filter(|&user| ir.parent_region(user) == Some(region)));
            }
        }
    }
    n_moved
}
