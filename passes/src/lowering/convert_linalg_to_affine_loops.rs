//! `convert-linalg-to-affine-loops`: structured operations on buffers become nests of `affine.for`.
//!
//! Before:
//! ```mlir
//! linalg.fill ins(%v : f32) outs(%m : memref<?xf32>)
//! ```
//! After:
//! ```mlir
//! affine.for %i = 0 to %n {
//!   affine.store %v, %m[%i] : memref<?xf32>
//! }
//! ```
//!
//! Where a size is no symbol of affine maps, as that of a buffer made in a loop, the loops are `scf.for`.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;

use super::convert_linalg_to_loops::{Form, lower_all};
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "convert-linalg-to-affine-loops",
    summary: "turn linalg operations on buffers into affine loops",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    lower_all(ir, Form::Affine, &mut context.diagnostics)
}
