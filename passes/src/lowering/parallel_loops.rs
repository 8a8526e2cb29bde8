//! `scf-parallel-for-to-nested-fors` and `scf-forall-to-for`: `scf.parallel` and
//! `scf.forall` become nests of `scf.for`. Iterations run one after the other,
//! reductions become loop-carried values.
//!
//! Before:
//! ```mlir
//! scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) {
//!   memref.store %x, %a[%i, %j] : memref<?x?xf32>
//! }
//! ```
//! After:
//! ```mlir
//! scf.for %i = %c0 to %n step %c1 {
//!   scf.for %j = %c0 to %m step %c1 {
//!     memref.store %x, %a[%i, %j] : memref<?x?xf32>
//!   }
//! }
//! ```

use freehold_frontend::dialects::scf;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::op_def::OpDef;

use crate::manage::pass::{Anchor, PassDef};
use crate::rewrite::sequential_loops::{lower_forall, lower_parallel};

/// The pass for `scf.parallel`.
pub static PARALLEL_TO_NESTED_FORS: PassDef = PassDef {
    name: "scf-parallel-for-to-nested-fors",
    summary: "turn scf.parallel into nests of scf.for",
    anchor: Anchor::Function,
    run: |ir, context| to_sequential(ir, &[&scf::PARALLEL], &mut context.diagnostics),
};

/// The pass for `scf.forall`.
pub static FORALL_TO_FOR: PassDef = PassDef {
    name: "scf-forall-to-for",
    summary: "turn scf.forall into nests of scf.for",
    anchor: Anchor::Function,
    run: |ir, context| to_sequential(ir, &[&scf::FORALL], &mut context.diagnostics),
};

/// Rewrites the loops of the given `kinds`; an `scf.forall` that returns tensors is an error.
pub(super) fn to_sequential(
    ir: &mut Ir,
    kinds: &[&'static OpDef],
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        // What a loop ended in goes with it.
        if ir.is_erased(op) || !kinds.iter().any(|kind| ir.is(op, kind)) {
            continue;
        }
        if ir.is(op, &scf::PARALLEL) {
            lower_parallel(ir, op);
        } else if ir.results(op).is_empty() {
            lower_forall(ir, op);
        } else {
            let message = "'scf.forall' op only fully bufferized scf.forall ops can be lowered";
            return Err(diagnostics.error(ir.loc(op), message));
        }
    }
    Ok(())
}
