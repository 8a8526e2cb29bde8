//! `affine-loop-fusion`: affine loops over the same range that stand one after the other become one.
//!
//! Before:
//! ```mlir
//! affine.for %i = 0 to 8 {
//!   affine.store %v, %m[%i] : memref<8xf32>
//! }
//! affine.for %i = 0 to 8 {
//!   %w = affine.load %m[%i] : memref<8xf32>
//!   affine.store %w, %n[%i] : memref<8xf32>
//! }
//! ```
//! After (if `%m` and `%n` are different buffers):
//! ```mlir
//! affine.for %i = 0 to 8 {
//!   affine.store %v, %m[%i] : memref<8xf32>
//!   %w = affine.load %m[%i] : memref<8xf32>
//!   affine.store %w, %n[%i] : memref<8xf32>
//! }
//! ```
//!
//! Different iterations of the two touch different elements, so each iteration sees what it saw. Loops inside of the new
//! one are fused in the same way. Upstream also computes a part of one loop within another; this pass computes nothing
//! twice.

use freehold_frontend::dialects::affine;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;

use crate::analysis::affine_memory::{accesses, iterations_are_apart};
use crate::analysis::speculation::may_run_anywhere;
use crate::manage::options::{option_words, pass_options};
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::affine_unrolling::{lower_bound, upper_bound};

option_words! {
    /// Which loops are fused.
    pub enum Mode {
        /// All that may be.
        Greedy = "greedy",
        /// Those of which the second reads what the first writes.
        Producer = "producer",
        /// Those that read the same buffer, and neither reads what the other one writes.
        Sibling = "sibling",
    }
}

pass_options! {
    /// What the pass may be told.
    pub struct Options {
        /// which loops are fused
        "mode" mode: Mode = Mode::Greedy,
        /// fuse all loops that may be; so it is without, for nothing is computed twice
        "fusion-maximal" maximal: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "affine-loop-fusion",
    summary: "fuse neighbouring affine loops over the same range",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let mode = context.options.mode;
    let mut n_fused = 0;
    let mut todo: Vec<Op> = ir.collect_ops(ir.root());
    todo.reverse();
    while let Some(op) = todo.pop() {
        if ir.is_erased(op) || !ir.is(op, &affine::FOR) {
            continue;
        }
        let mut has_grown = false;
        while let Some((next, between)) = next_loop(ir, op)
            && may_fuse(ir, op, next, mode)
        {
            for pure in between {
                ir.move_op_before(pure, op);
            }
            fuse(ir, op, next);
            n_fused += 1;
            has_grown = true;
        }
        if has_grown {
            // Loops inside may have new neighbours.
            let inner: Vec<Op> = ir.walk(op).skip(1).collect();
            todo.extend(inner.into_iter().rev());
        }
    }
    context.count("loops fused", n_fused);
    Ok(())
}

/// The next loop behind `op`, and what stands in between and may stand before both.
fn next_loop(ir: &Ir, op: Op) -> Option<(Op, Vec<Op>)> {
    let mut between = Vec::new();
    let mut next = ir.next_op(op)?;
    while !ir.is(next, &affine::FOR) {
        if !ir.results(op).is_empty() || !may_run_anywhere(ir, next) {
            return None;
        }
        between.push(next);
        next = ir.next_op(next)?;
    }
    Some((next, between))
}

fn may_fuse(ir: &Ir, first: Op, second: Op, mode: Mode) -> bool {
    let is_plain = |op: Op| ir.results(op).is_empty();
    let [a, b] = [first, second].map(|op| {
        let bounds = (
            lower_bound(ir, op).canonical(ir),
            upper_bound(ir, op).canonical(ir),
        );
        (bounds, affine::For(op).step(ir))
    });
    if !is_plain(first) || !is_plain(second) || a != b {
        return false;
    }
    let (Some(of_first), Some(of_second)) = (accesses(ir, first), accesses(ir, second)) else {
        return false;
    };
    let share = |first_stores, second_stores| {
        let mut of_first = of_first.iter().filter(|a| a.is_store == first_stores);
        of_first.any(|a| {
            let mut of_second = of_second.iter().filter(|b| b.is_store == second_stores);
            of_second.any(|b| a.memref == b.memref)
        })
    };
    let is_wanted = match mode {
        Mode::Greedy => true,
        Mode::Producer => share(true, false),
        Mode::Sibling => share(false, false) && !share(true, false) && !share(false, true),
    };
    if !is_wanted {
        return false;
    }
    let [from, to] = [second, first].map(|op| affine::For(op).induction_variable(ir));
    let of_second: Vec<_> = of_second
        .into_iter()
        .map(|b| b.with_counter(from, to))
        .collect();
    of_first.iter().all(|a| {
        of_second
            .iter()
            .all(|b| !a.is_store && !b.is_store || iterations_are_apart(ir, first, a, b))
    })
}

/// Puts the body of `second` behind that of `first`.
fn fuse(ir: &mut Ir, first: Op, second: Op) {
    let [to, from] = [first, second].map(|op| affine::For(op).body(ir));
    let (counter, old) = (ir.block_args(to)[0], ir.block_args(from)[0]);
    ir.replace_all_uses(old, counter);
    if let Some(end) = ir.last_op(from) {
        ir.erase_op(end);
    }
    if let Some(end) = ir.last_op(to) {
        ir.move_block_contents_before(from, end);
    }
    ir.erase_op(second);
}
