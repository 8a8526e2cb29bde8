//! `affine-loop-invariant-code-motion`: operations and loads that are the same in all iterations of an affine loop leave it.
//!
//! Before:
//! ```mlir
//! affine.for %i = 0 to 8 {
//!   %v = affine.load %m[3] : memref<8xf32>
//!   affine.store %v, %n[%i] : memref<8xf32>
//! }
//! ```
//! After (if `%m` and `%n` are different buffers):
//! ```mlir
//! %v = affine.load %m[3] : memref<8xf32>
//! affine.for %i = 0 to 8 {
//!   affine.store %v, %n[%i] : memref<8xf32>
//! }
//! ```
//!
//! A load leaves a loop that runs at least once and writes nothing to that buffer. Upstream moves loads out of loops
//! that maybe do not run, too, where they may lie outside of the buffer.

use freehold_frontend::dialects::affine;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Region};

use crate::analysis::affine_memory::{Access, may_write};
use crate::analysis::speculation::{may_run_anywhere, uses_only_outside};
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "affine-loop-invariant-code-motion",
    summary: "move operations and loads out of affine loops",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let mut n_moved = 0;
    for op in ir.collect_ops(ir.root()).into_iter().rev() {
        if ir.is(op, &affine::FOR) {
            let body = affine::For(op).body(ir);
            for inner in ir.ops_in(body).collect::<Vec<_>>() {
                if may_leave(ir, inner, op) {
                    ir.move_op_before(inner, op);
                    n_moved += 1;
                }
            }
        }
    }
    context.count("operations moved", n_moved);
    Ok(())
}

fn may_leave(ir: &Ir, inner: Op, op: Op) -> bool {
    let region: Region = ir.region(op, 0);
    if !uses_only_outside(ir, inner, region) {
        return false;
    }
    match Access::of(ir, inner) {
        Some(access) => {
            !access.is_store
                && affine::For(op).trip_count(ir).is_some_and(|n| n > 0)
                && !may_write(ir, op, &access)
        }
        None => may_run_anywhere(ir, inner),
    }
}
