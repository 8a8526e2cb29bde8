//! `verify-ownership`: fails if a buffer is leaked, freed twice or used after
//! it is freed on some path. Changes nothing.
//!
//! ```mlir
//! func.func @f(%c: i1) {
//!   %m = memref.alloc() : memref<4xf32>  // error: buffer allocated here is not freed on every path
//!   cf.cond_br %c, ^bb1, ^bb2            // note: branch taken here: condition is false
//! ^bb1:
//!   memref.dealloc %m : memref<4xf32>
//!   return
//! ^bb2:
//!   return
//! }
//! ```
//!
//! What can be neither proved nor refuted is a remark, with `strict` an error.
//! See [`ownership`] for the rules.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;

use super::ownership::{self, Options, Verdict};
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "verify-ownership",
    summary: "prove that every buffer is freed exactly once and never used after",
    anchor: Anchor::Module,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    match ownership::check(ir, context.options, &mut context.diagnostics) {
        Verdict::Errors => Err(Failed),
        Verdict::Clean | Verdict::Unknown => Ok(()),
    }
}
