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
//! Loops that access two buffers which may be one stay (`analysis/affine_memory.rs`). So do loops that carry values, unless
//! `parallel-reductions` is there and all of these are combined in any order: sums, products and bits of integers, the
//! largest and smallest floats, and sums and products of floats where flags allow it (upstream takes all floats).

use freehold_frontend::dialects::affine::{self, MapAndOperands};
use freehold_frontend::dialects::memref::AtomicRmwKind;
use freehold_frontend::ir::affine::AffineMap;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::Type;

use crate::analysis::affine_memory::{accesses, iterations_are_apart, pairs};
use crate::analysis::reductions::Reduction;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// at most this many parallel loops inside each other; -1: any number
        "max-nested" max_nested: Option<u64> = None,
        /// also loops that carry values and combine them in a way whose order does not matter
        "parallel-reductions" parallel_reductions: bool = false,
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
    let reduces = context.options.parallel_reductions;
    let loops: Vec<Op> = ir
        .walk(ir.root())
        .filter(|&op| is_parallel(ir, op, reduces))
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

fn is_parallel(ir: &Ir, op: Op, reduces: bool) -> bool {
    if !ir.is(op, &affine::FOR) {
        return false;
    }
    let needs_no_order = ir.results(op).is_empty() || reduces && combines(ir, op);
    if !needs_no_order {
        return false;
    }
    accesses(ir, op).is_some_and(|accesses| {
        pairs(&accesses)
            .all(|(a, b)| iterations_are_apart(ir, op, a, b) && iterations_are_apart(ir, op, b, a))
    })
}

/// Whether a loop combines all values that it carries in a way whose order does not matter.
fn combines(ir: &Ir, op: Op) -> bool {
    (0..ir.results(op).len()).all(|index| Combined::of(ir, op, index).is_some())
}

/// A value that a loop combines.
struct Combined {
    /// The operation that combines it with `part`.
    op: Op,
    part: Value,
    kind: AtomicRmwKind,
    def: &'static OpDef,
}

impl Combined {
    fn of(ir: &Ir, op: Op, index: usize) -> Option<Self> {
        let (reduction, combine) = Reduction::of_affine(ir, op, index)?;
        // The largest and smallest of signless integers have no form in `affine.parallel`, and MLIR 19 lacks the last one.
        use AtomicRmwKind::{Maxs, Maxu, Mins, Minu, Xori};
        let kinds = AtomicRmwKind::ALL.into_iter();
        let mut kinds = kinds.filter(|kind| !matches!(kind, Maxs | Maxu | Mins | Minu | Xori));
        let is_kind = |kind: &AtomicRmwKind| {
            let def = kind.combination();
            def.is_some_and(|def| std::ptr::eq(def, reduction.def))
        };
        let carried = affine::For(op).iter_args(ir)[index];
        let operands = ir.operands(combine);
        Some(Self {
            op: combine,
            part: operands[usize::from(operands[0] == carried)],
            kind: kinds.find(is_kind)?,
            def: reduction.def,
        })
    }
}

fn parallelize(ir: &mut Ir, op: Op) {
    let view = affine::For(op);
    let bound = |map: &AffineMap, operands| MapAndOperands::new(map.clone(), operands);
    let lower = bound(view.lower_bound_map(ir), view.lower_bound_operands(ir));
    let upper = bound(view.upper_bound_map(ir), view.upper_bound_operands(ir));
    let (step, body) = (view.step(ir), view.body(ir));
    let results = ir.results(op).to_vec();
    let combined: Vec<Combined> = (0..results.len())
        .filter_map(|index| Combined::of(ir, op, index))
        .collect();
    let inits = ir.operands(op)[ir.operands(op).len() - results.len()..].to_vec();
    let reductions: Vec<(AtomicRmwKind, Type)> = (combined.iter().zip(&results))
        .map(|(one, &result)| (one.kind, ir.value_type(result)))
        .collect();
    let mut builder = Builder::before(ir, op);
    let new = affine::build_parallel(&mut builder, &lower, &upper, step, &reductions);
    let to = affine::Parallel(new).body(ir);
    let (old, counter) = (ir.block_args(body)[0], ir.block_args(to)[0]);
    ir.replace_all_uses(old, counter);
    if let Some(end) = ir.last_op(body) {
        ir.erase_op(end);
    }
    for one in &combined {
        ir.erase_op(one.op);
    }
    match ir.last_op(to) {
        Some(end) => ir.move_block_contents_before(body, end),
        None => {
            ir.move_block_contents_to_end(body, to);
            let parts: Vec<Value> = combined.iter().map(|one| one.part).collect();
            Builder::at_end(ir, to).op(&affine::YIELD, &parts, &[]);
        }
    }
    let mut builder = Builder::before(ir, op);
    let wholes: Vec<Value> = (combined.iter().zip(inits).enumerate())
        .map(|(index, (one, init))| {
            let total = builder.ir.result(new, index);
            let ty = builder.ir.value_type(total);
            builder.value(one.def, &[init, total], ty)
        })
        .collect();
    ir.replace_op(op, &wholes);
}
