//! `affine-parallelize`: affine loops whose iterations do not depend on each other become `affine.parallel`.
//!
//! Before:
//! ```mlir
//! affine.for %i = 0 to 8 {
//!   affine.store %v, %m[%i] : memref<8xf32>
//! }
//! ```
//! After:
//! ```mlir
//! affine.parallel (%i) = (0) to (8) {
//!   affine.store %v, %m[%i] : memref<8xf32>
//! }
//! ```
//!
//! Loops that carry values stay. So do loops that access two buffers which may be one (`analysis/affine_memory.rs`).

use freehold_frontend::dialects::affine::{self, MapAndOperands};
use freehold_frontend::ir::affine::AffineMap;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;

use crate::analysis::affine_memory::{accesses, iterations_are_apart, pairs};
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// at most this many parallel loops inside each other; -1: any number
        "max-nested" max_nested: Option<u64> = None,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "affine-parallelize",
    summary: "turn affine loops with independent iterations into affine.parallel",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let loops: Vec<Op> = ir
        .walk(ir.root())
        .filter(|&op| is_parallel(ir, op))
        .collect();
    let mut n_changed = 0;
    for op in loops {
        let around = std::iter::successors(ir.parent_op(op), |&op| ir.parent_op(op));
        let n_around = around.filter(|&op| ir.is(op, &affine::PARALLEL)).count() as u64;
        if context
            .options
            .max_nested
            .is_none_or(|most| n_around < most)
        {
            parallelize(ir, op);
            n_changed += 1;
        }
    }
    context.count("loops parallelized", n_changed);
    Ok(())
}

fn is_parallel(ir: &Ir, op: Op) -> bool {
    if !ir.is(op, &affine::FOR) || !ir.results(op).is_empty() {
        return false;
    }
    accesses(ir, op).is_some_and(|accesses| {
        pairs(&accesses)
            .all(|(a, b)| iterations_are_apart(ir, op, a, b) && iterations_are_apart(ir, op, b, a))
    })
}

fn parallelize(ir: &mut Ir, op: Op) {
    let view = affine::For(op);
    let bound = |map: &AffineMap, operands| MapAndOperands::new(map.clone(), operands);
    let lower = bound(view.lower_bound_map(ir), view.lower_bound_operands(ir));
    let upper = bound(view.upper_bound_map(ir), view.upper_bound_operands(ir));
    let (step, body) = (view.step(ir), view.body(ir));
    let mut builder = Builder::before(ir, op);
    let new = affine::build_parallel(&mut builder, &lower, &upper, step);
    let to = affine::Parallel(new).body(ir);
    let end = ir.last_op(to).expect("a new loop is terminated");
    let (old, counter) = (ir.block_args(body)[0], ir.block_args(to)[0]);
    ir.replace_all_uses(old, counter);
    if let Some(end) = ir.last_op(body) {
        ir.erase_op(end);
    }
    ir.move_block_contents_before(body, end);
    ir.erase_op(op);
}
