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
//! few operations: then the windows of convolutions disappear. With `short-rows`, only loops through rows
//! of two to eight elements are written out, and their subscripts are folded: the loops around
//! them may run in vectors, as `widen/interleaved.rs` tells.

use freehold_frontend::dialects::scf;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::types::Type;
use freehold_frontend::target::Vectors;

use crate::analysis::loop_memory::{self, Access, trip_count};
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::greedy::{self, Config};
use crate::rewrite::unrolling::{few_counters, write_out};

pass_options! {
    /// What the pass may be told.
    pub struct Options {
        /// unroll only loops along rows of two to eight elements that lanes can go through together
        "short-rows" short_rows: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "unroll-loops",
    summary: "fully unroll short inner loops",
    anchor: Anchor::Function,
    run,
};

/// Whether lanes go through rows of this many elements together, each of this number of bytes. To take rows of five to seven
/// apart and to put them together takes a shuffle for each register and element: with AVX2, rows of them in reverse order
/// took up to 2.2 times as long, but for bytes. So such rows are only read.
pub(super) fn is_short_row(n: i64, bytes: u64, is_store: bool) -> bool {
    matches!(n, 2..=4 | 8) || matches!(n, 5..=7) && (bytes == 1 || !is_store)
}

/// The largest number of operations of all iterations together: bounds the code. Not measured on its own; the
/// loops that this is for are the windows of `conv2d, 256x256, 3x3` (benches/results, generated code).
const MAX_OPS: i64 = 128;
/// The largest trip count: windows of up to 8. That row has 3.
const MAX_ITERATIONS: i64 = 8;

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let is_wanted = match context.options.short_rows {
        true => goes_along_short_row,
        false => |_: &Ir, _: Op| true,
    };
    // Inner loops first: without them the ones around may be short as well.
    for op in ir.collect_ops(ir.root()).into_iter().rev() {
        if !ir.is_erased(op)
            && ir.is(op, &scf::FOR)
            && is_wanted(ir, op)
            && let Some(counters) = counters(ir, op)
        {
            let copies = write_out(ir, op, &counters);
            if context.options.short_rows {
                fold_subscripts(ir, &copies);
            }
            context.count("loops unrolled", 1);
        }
    }
    Ok(())
}

/// Folds indices that are known where the iteration is.
fn fold_subscripts(ir: &mut Ir, copies: &[Op]) {
    let is_index =
        |&op: &Op| matches!(*ir.results(op), [result] if ir.value_type(result) == Type::INDEX);
    let indices: Vec<Op> = copies.iter().copied().filter(is_index).collect();
    let config = Config {
        canonicalize: false,
        ..Config::default()
    };
    greedy::run_on(ir, &indices, config);
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

/// Whether a loop goes along whole rows of a few elements, and lanes can go through all of them together. Rows of one
/// register or more are better gone along if they have more than four elements and fill it, or if there are few of them:
/// with six, `kalman` and `gmm_em` (benches/models) took 1.1 times as long.
fn goes_along_short_row(ir: &Ir, op: Op) -> bool {
    let context = ir.context();
    let view = scf::For(op);
    let counter = view.induction_variable(ir);
    // Counters are listed: only those of short rows.
    let Some(counters) = few_counters(ir, op, MAX_ITERATIONS) else {
        return false;
    };
    let n = counters.len() as i64;
    let mut is_along = false;
    for access in (ir.ops_in(view.body(ir))).filter_map(|inner| Access::of(ir, inner)) {
        let Some(memref) = context.as_memref(ir.value_type(access.buffer)) else {
            continue;
        };
        let is_along_row = access.indices(ir).last() == Some(&counter);
        let bytes = context.element_byte_size(memref.element);
        let Some(bytes) = bytes.filter(|_| is_along_row && memref.shape.last() == Some(&n)) else {
            continue;
        };
        let (size, register) = (n * bytes as i64, Vectors::SMALLEST as i64);
        let is_filled = n > 4 && size % register == 0;
        // As many as the largest registers have elements.
        let lanes = 4 * register / bytes as i64;
        let is_better_along =
            size >= register && (is_filled || !has_many_rows(ir, op, access, lanes));
        if is_better_along || !is_short_row(n, bytes, access.is_store) {
            return false;
        }
        is_along = true;
    }
    is_along && counters.into_iter().eq(0..n)
}

/// Whether the loop around a loop along rows goes through at least `lanes` of them, or through an unknown number.
fn has_many_rows(ir: &Ir, op: Op, access: Access, lanes: i64) -> bool {
    let around = ir.parent_op(op).filter(|&around| ir.is(around, &scf::FOR));
    around.is_some_and(|around| {
        let mut indices = access.indices(ir).iter().rev().skip(1);
        trip_count(ir, around).is_none_or(|n| n >= lanes)
            && indices.any(|&index| !loop_memory::is_outside(ir, index, around))
    })
}
