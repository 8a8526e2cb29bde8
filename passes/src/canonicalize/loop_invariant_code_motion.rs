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

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;

use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::loop_invariants::move_out;

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
