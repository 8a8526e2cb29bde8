//! `convert-linalg-to-parallel-loops`: structured operations on buffers become `scf.parallel`, and `scf.for` where iterations
//! depend on each other.
//!
//! Before:
//! ```mlir
//! linalg.fill ins(%v : f32) outs(%m : memref<?xf32>)
//! ```
//! After:
//! ```mlir
//! scf.parallel (%i) = (%c0) to (%n) step (%c1) {
//!   memref.store %v, %m[%i] : memref<?xf32>
//!   scf.reduce
//! }
//! ```
//!
//! Upstream believes the operation that its loops are parallel. Here a loop is only if each iteration writes elements of
//! its own, and none that another one reads.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;

use super::convert_linalg_to_loops::{Form, lower_all};
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "convert-linalg-to-parallel-loops",
    summary: "turn linalg operations on buffers into parallel loops",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    lower_all(ir, Form::Parallel, &mut context.diagnostics)
}
