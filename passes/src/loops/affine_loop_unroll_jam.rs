//! `affine-loop-unroll-jam`: the outermost loop of a nest does several iterations at once, side by side in the innermost one.
//!
//! Before:
//! ```mlir
//! affine.for %i = 0 to 8 {
//!   affine.for %j = 0 to %n {
//!     affine.store %v, %m[%i, %j] : memref<8x?xf32>
//!   }
//! }
//! ```
//! After (with `unroll-jam-factor=2`):
//! ```mlir
//! affine.for %i = 0 to 8 step 2 {
//!   affine.for %j = 0 to %n {
//!     affine.store %v, %m[%i, %j] : memref<8x?xf32>
//!     %k = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
//!     affine.store %v, %m[%k, %j] : memref<8x?xf32>
//!   }
//! }
//! ```
//!
//! This changes the order of iterations, so either those of the loop do not depend on each other, or the nest is perfect
//! and dependent iterations differ in one counter only.

use freehold_frontend::dialects::affine;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op};

use crate::analysis::affine_memory::{accesses, is_permutable, iterations_are_apart, pairs};
use crate::analysis::loop_memory::is_outside;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::affine_unrolling::{counter_plus, split};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// iterations to do at once
        "unroll-jam-factor" unroll_jam_factor: u32 = 4,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "affine-loop-unroll-jam",
    summary: "unroll outer affine loops into their innermost loops",
    anchor: Anchor::Function,
    run,
};

/// A loop that would have more operations than this is left.
const MAX_OPS: usize = 20_000;

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let factor = context.options.unroll_jam_factor;
    let mut walk = ir.walk(ir.root());
    let mut loops = Vec::new();
    while let Some(op) = walk.next() {
        if ir.is(op, &affine::FOR) {
            loops.push(op);
            walk.skip_regions(op);
        }
    }
    let mut n_jammed = 0;
    for op in loops {
        let is_short = affine::For(op)
            .trip_count(ir)
            .is_some_and(|n| n < u64::from(factor));
        if factor > 1 && !is_short && is_legal(ir, op, factor) && split(ir, op, i64::from(factor)) {
            jam(ir, op, i64::from(factor));
            n_jammed += 1;
        }
    }
    context.count("loops jammed", n_jammed);
    Ok(())
}

fn is_legal(ir: &Ir, op: Op, factor: u32) -> bool {
    let inner: Vec<Op> = ir
        .walk(op)
        .filter(|&inner| ir.is(inner, &affine::FOR))
        .collect();
    let is_plain = |&inner: &Op| {
        let view = affine::For(inner);
        let bounds = [view.lower_bound_operands(ir), view.upper_bound_operands(ir)];
        ir.results(inner).is_empty()
            && (inner == op
                || bounds
                    .into_iter()
                    .flatten()
                    .all(|&value| is_outside(ir, value, op)))
    };
    // Copies stand side by side in loops only.
    let has_loops_in_regions = inner.iter().any(|&inner| {
        inner != op
            && ir
                .parent_op(inner)
                .is_none_or(|parent| !ir.is(parent, &affine::FOR))
    });
    let n_ops = ir.walk(op).count();
    if !inner.iter().all(is_plain)
        || has_loops_in_regions
        || n_ops.saturating_mul(factor as usize) > MAX_OPS
    {
        return false;
    }
    let Some(accesses) = accesses(ir, op) else {
        return false;
    };
    if inner.len() == 1 {
        return true;
    }
    let is_parallel = pairs(&accesses)
        .all(|(a, b)| iterations_are_apart(ir, op, a, b) && iterations_are_apart(ir, op, b, a));
    let is_perfect = inner[..inner.len() - 1].iter().all(|&outer| {
        let body = affine::For(outer).body(ir);
        let first = ir.first_op(body);
        first.is_some_and(|first| {
            ir.is(first, &affine::FOR) && ir.next_op(first) == ir.last_op(body)
        })
    });
    is_parallel || is_perfect && is_permutable(ir, &inner, &accesses)
}

/// Copies what `op` does `factor` - 1 times, each run of operations behind itself.
fn jam(ir: &mut Ir, op: Op, factor: i64) {
    let view = affine::For(op);
    let counter = view.induction_variable(ir);
    // The loop steps over `factor` iterations already.
    let step = view.step(ir) / factor;
    let mut maps: Vec<IrMap> = (1..factor).map(|_| IrMap::default()).collect();
    let mut blocks: Vec<Block> = vec![view.body(ir)];
    let mut at = 0;
    while at < blocks.len() {
        let block = blocks[at];
        at += 1;
        let mut run: Vec<Op> = Vec::new();
        for inner in ir.ops_in(block).collect::<Vec<_>>() {
            let is_loop = ir.is(inner, &affine::FOR);
            if is_loop || ir.last_op(block) == Some(inner) {
                for (k, map) in (1..factor).zip(&mut maps) {
                    let uses_counter = run.iter().any(|&op| {
                        ir.walk(op)
                            .any(|inner| ir.operands(inner).contains(&counter))
                    });
                    if uses_counter {
                        let mut builder = Builder::before(ir, inner);
                        let later = counter_plus(&mut builder, counter, k * step);
                        map.values.insert(counter, later);
                    }
                    for &original in &run {
                        let copy = ir.clone_op(original, map);
                        ir.insert_op_before(inner, copy);
                    }
                }
                run.clear();
            } else {
                run.push(inner);
            }
            if is_loop {
                blocks.push(affine::For(inner).body(ir));
            }
        }
    }
}
