//! `affine-loop-unroll`: innermost affine loops do several iterations at once.
//!
//! Before:
//! ```mlir
//! affine.for %i = 0 to 8 {
//!   affine.store %v, %m[%i] : memref<8xf32>
//! }
//! ```
//! After (with `unroll-factor=2`):
//! ```mlir
//! affine.for %i = 0 to 8 step 2 {
//!   affine.store %v, %m[%i] : memref<8xf32>
//!   %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
//!   affine.store %v, %m[%j] : memref<8xf32>
//! }
//! ```
//!
//! Iterations that are left over have a loop of their own. It begins no earlier than the whole loop: upstream's runs through
//! numbers below the lower bound where the upper one is less than that.

use freehold_frontend::dialects::affine::{self, MapAndOperands};
use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::ir::affine::AffineExpr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;

use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::affine_unrolling::{counter_plus, split};
use crate::rewrite::indices;

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// do all iterations at once where some would be left over, and their number is known
        "cleanup-unroll" cleanup_unroll: bool = false,
        /// iterations to do at once; -1: all
        "unroll-factor" unroll_factor: Option<u64> = Some(4),
        /// do all iterations at once, where their number is known
        "unroll-full" unroll_full: bool = false,
        /// also unroll loops of fewer iterations than the factor
        "unroll-up-to-factor" unroll_up_to_factor: bool = false,
        /// where all iterations are done at once: only of loops with at most this many, and of loops around such; 1: of innermost loops with any number
        "unroll-full-threshold" unroll_full_threshold: u32 = 1,
        /// how often to unroll
        "unroll-num-reps" unroll_num_reps: u32 = 1,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "affine-loop-unroll",
    summary: "unroll innermost affine loops",
    anchor: Anchor::Function,
    run,
};

/// A loop that would have more operations than this is left: bounds compile time.
const MAX_OPS: u64 = 20_000;

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let options = context.options;
    let mut n_unrolled = 0;
    if options.unroll_full || options.unroll_factor.is_none() {
        // Inner loops first, so that loops that become innermost are seen, too.
        let most = u64::from(options.unroll_full_threshold);
        for op in ir.collect_ops(ir.root()).into_iter().rev() {
            let is_innermost = || ir.walk(op).skip(1).all(|inner| !ir.is(inner, &affine::FOR));
            if !ir.is(op, &affine::FOR) || most <= 1 && !is_innermost() {
                continue;
            }
            let n = affine::For(op).trip_count(ir);
            if let Some(n) = n.filter(|&n| n > 0 && (most <= 1 || n <= most)) {
                n_unrolled += u64::from(unroll(ir, op, n));
            }
        }
    } else {
        for _ in 0..options.unroll_num_reps.min(8) {
            let loops = ir.collect_ops(ir.root()).into_iter().filter(|&op| {
                ir.is(op, &affine::FOR)
                    && ir.walk(op).skip(1).all(|inner| !ir.is(inner, &affine::FOR))
            });
            for op in loops.collect::<Vec<_>>() {
                let factor = options.unroll_factor.unwrap_or(1);
                let n = affine::For(op).trip_count(ir);
                let factor = match n {
                    Some(n) if n % factor.max(1) != 0 && options.cleanup_unroll => n,
                    Some(n) if n < factor && options.unroll_up_to_factor => n,
                    Some(n) if n < factor => continue,
                    _ => factor,
                };
                n_unrolled += u64::from(factor > 1 && unroll(ir, op, factor));
            }
        }
    }
    context.count("loops unrolled", n_unrolled);
    Ok(())
}

/// Has `op` do `factor` iterations at once; returns whether it does.
fn unroll(ir: &mut Ir, op: Op, factor: u64) -> bool {
    let n_ops = ir.walk(op).count() as u64;
    let Ok(factor) = i64::try_from(factor) else {
        return false;
    };
    if n_ops.saturating_mul(factor as u64) > MAX_OPS {
        return false;
    }
    let view = affine::For(op);
    let step = view.step(ir);
    let is_whole = view.trip_count(ir) == u64::try_from(factor).ok();
    if factor > 1 && !split(ir, op, factor) {
        return false;
    }
    let (body, counter) = (view.body(ir), view.induction_variable(ir));
    let Some(end) = ir.last_op(body) else {
        return false;
    };
    let ops: Vec<Op> = ir.ops_in(body).filter(|&inner| inner != end).collect();
    let carried = view.iter_args(ir).to_vec();
    let yielded = ir.operands(end).to_vec();
    let mut values = yielded.clone();
    for k in 1..factor {
        let mut map = IrMap::default();
        map.values
            .extend(carried.iter().copied().zip(values.iter().copied()));
        if !ir.has_no_uses(counter) {
            let mut builder = Builder::before(ir, end);
            let later = counter_plus(&mut builder, counter, k * step);
            map.values.insert(counter, later);
        }
        for &inner in &ops {
            let copy = ir.clone_op(inner, &mut map);
            ir.insert_op_before(end, copy);
        }
        values = yielded.iter().map(|&value| map.value(value)).collect();
    }
    ir.set_operands(end, &values);
    if is_whole {
        promote(ir, op);
    }
    true
}

/// Puts the body of a loop of one iteration in its place.
fn promote(ir: &mut Ir, op: Op) {
    let view = affine::For(op);
    let (body, counter) = (view.body(ir), view.induction_variable(ir));
    let (carried, inits) = (
        view.iter_args(ir).to_vec(),
        ir.operand_group(op, 2).to_vec(),
    );
    let lower = MapAndOperands::new(
        view.lower_bound_map(ir).clone(),
        view.lower_bound_operands(ir),
    );
    let mut builder = Builder::before(ir, op);
    let first = match lower.map.results[..] {
        [AffineExpr::Constant(number)] => MixedIndex::Constant(number),
        _ => indices::map_op(&mut builder, &affine::APPLY, lower),
    };
    let first = first.materialize(&mut builder);
    ir.replace_all_uses(counter, first);
    for (argument, init) in carried.into_iter().zip(inits) {
        ir.replace_all_uses(argument, init);
    }
    let Some(end) = ir.last_op(body) else { return };
    let yielded = ir.operands(end).to_vec();
    ir.erase_op(end);
    ir.move_block_contents_before(body, op);
    ir.replace_op(op, &yielded);
}
