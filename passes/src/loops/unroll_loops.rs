//! `unroll-loops`: short loops inside of others are written out.
//!
//! Before:
//! ```mlir
//! scf.for %i = %c0 to %n step %c1 {
//!   %s = scf.for %k = %c0 to %c2 step %c1 iter_args(%before = %zero) -> (f32) {
//!     %x = memref.load %a[%i, %k] : memref<?x2xf32>
//!     %next = arith.addf %before, %x : f32
//!     scf.yield %next : f32
//!   }
//!   ...
//! }
//! ```
//! After:
//! ```mlir
//! scf.for %i = %c0 to %n step %c1 {
//!   %x0 = memref.load %a[%i, %c0] : memref<?x2xf32>
//!   %s0 = arith.addf %zero, %x0 : f32
//!   %x1 = memref.load %a[%i, %c1] : memref<?x2xf32>
//!   %s = arith.addf %s0, %x1 : f32
//!   ...
//! }
//! ```
//!
//! A loop is short if its bounds are known, its body has no regions, and all iterations together have
//! few operations: then the windows of convolutions disappear.

use freehold_frontend::dialects::scf;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;

use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::unrolling::{few_counters, write_out};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "unroll-loops",
    summary: "fully unroll short inner loops",
    anchor: Anchor::Function,
    run,
};

/// The largest number of operations of all iterations together: bounds the code. Not measured on its own; the
/// loops that this is for are the windows of `conv2d, 256x256, 3x3` (benches/results, generated code).
const MAX_OPS: i64 = 128;
/// The largest trip count: windows of up to 8. That row has 3.
const MAX_ITERATIONS: i64 = 8;

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    // Inner loops first: without them the ones around may be short as well.
    for op in ir.collect_ops(ir.root()).into_iter().rev() {
        if ir.is(op, &scf::FOR)
            && let Some(counters) = counters(ir, op)
        {
            write_out(ir, op, &counters);
            context.count("loops unrolled", 1);
        }
    }
    Ok(())
}

/// How many operations become of a loop inside of another one, if all of it will be written out.
pub(super) fn unrolled_size(ir: &Ir, op: Op) -> Option<i64> {
    let n_iterations = few_counters(ir, op, ir.capped(MAX_ITERATIONS))?.len() as i64;
    let mut n_ops = 0;
    for inner in ir.ops_in(scf::For(op).body(ir)) {
        n_ops += match ir.regions(inner) {
            [] => n_iterations,
            _ if ir.is(inner, &scf::FOR) => n_iterations * unrolled_size(ir, inner)?,
            _ => return None,
        };
        if n_ops > ir.capped(MAX_OPS) {
            return None;
        }
    }
    Some(n_ops)
}

/// What the counter of a short loop is in each iteration.
fn counters(ir: &Ir, op: Op) -> Option<Vec<i64>> {
    let parent = ir.parent_op(op)?;
    let counters =
        few_counters(ir, op, ir.capped(MAX_ITERATIONS)).filter(|_| ir.is(parent, &scf::FOR))?;
    let mut n_ops = 0;
    for inner in ir.ops_in(scf::For(op).body(ir)) {
        n_ops += counters.len() as i64;
        if n_ops > ir.capped(MAX_OPS) || !ir.regions(inner).is_empty() {
            return None;
        }
    }
    Some(counters)
}
