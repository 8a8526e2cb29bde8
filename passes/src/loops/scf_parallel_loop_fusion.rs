//! `scf-parallel-loop-fusion`: adjacent `scf.parallel` loops over the same range become one.
//!
//! Before:
//! ```mlir
//! scf.parallel (%i) = (%c0) to (%n) step (%c1) {
//!   memref.store %f, %a[%i] : memref<?xf32>
//! }
//! scf.parallel (%i) = (%c0) to (%n) step (%c1) {
//!   %x = memref.load %a[%i] : memref<?xf32>
//!   memref.store %x, %b[%i] : memref<?xf32>
//! }
//! ```
//! After:
//! ```mlir
//! scf.parallel (%i) = (%c0) to (%n) step (%c1) {
//!   memref.store %f, %a[%i] : memref<?xf32>
//!   %x = memref.load %a[%i] : memref<?xf32>
//!   memref.store %x, %b[%i] : memref<?xf32>
//! }
//! ```
//!
//! The conditions are upstream's: the bounds are the same values, no `scf.parallel` is inside, only
//! operations without effects and regions stand between, what the first loop results in is not used
//! there, and what one loop stores and the other one loads is the same element.
//!
//! Upstream does not look at two stores, at calls, and at places that are the same in several
//! iterations. Iterations run in any order, so that is not enough: here any two accesses to the same buffer,
//! one of them a store, must have, for each dimension of the loops, a subscript that counts with it,
//! the same in both; other buffers must be known to be apart; and there must be no other effects. Then
//! an iteration of the second loop has to do with no iteration of the first one but its own.

use freehold_frontend::dialects::scf;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Value};

use crate::analysis::loop_memory;
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "scf-parallel-loop-fusion",
    summary: "fuse adjacent scf.parallel loops over the same range",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    for block in ir.collect_blocks(ir.root()) {
        // The body of a loop that became part of another one.
        if ir.block_parent_op(block).is_some_and(|op| ir.is_erased(op)) {
            continue;
        }
        let n = fuse_in(ir, block);
        context.count("loops fused", n);
    }
    Ok(())
}

fn fuse_in(ir: &mut Ir, block: Block) -> u64 {
    let mut n_fused = 0;
    let mut first: Option<Op> = None;
    let ops: Vec<Op> = ir.ops_in(block).collect();
    for op in ops {
        if ir.is(op, &scf::PARALLEL) {
            first = match first {
                Some(first) if is_legal(ir, [first, op]) => {
                    n_fused += 1;
                    Some(fuse(ir, [first, op]))
                }
                _ => Some(op),
            };
        } else if !ir.regions(op).is_empty()
            || !ir.is_memory_effect_free(op)
            || first.is_some_and(|first| {
                let results = ir.results(first);
                ir.operands(op)
                    .iter()
                    .any(|operand| results.contains(operand))
            })
        {
            first = None;
        }
    }
    n_fused
}

/// Whether the second loop may become part of the first one.
fn is_legal(ir: &Ir, loops: [Op; 2]) -> bool {
    let bounds = loops.map(|op| {
        let view = scf::Parallel(op);
        [view.lower_bounds(ir), view.upper_bounds(ir), view.steps(ir)]
    });
    let has_nested = |op| {
        ir.walk(op)
            .skip(1)
            .any(|inner| ir.is(inner, &scf::PARALLEL))
    };
    if bounds[0] != bounds[1] || loops.iter().any(|&op| has_nested(op)) {
        return false;
    }
    let results = ir.results(loops[0]);
    let uses_results = |op| {
        ir.operands(op)
            .iter()
            .any(|operand| results.contains(operand))
    };
    let [Some(accesses), Some(others)] = loops.map(|op| loop_memory::accesses(ir, op)) else {
        return false;
    };
    if !results.is_empty() && ir.walk(loops[1]).any(uses_results) {
        return false;
    }
    let pairs = || {
        accesses
            .iter()
            .flat_map(|&a| others.iter().map(move |&b| (a, b)))
    };
    pairs().all(|(a, b)| {
        !a.is_store && !b.is_store
            || match a.buffer == b.buffer {
                true => loop_memory::iterations_are_apart(ir, loops, a, b),
                false => loop_memory::are_distinct(ir, a.buffer, b.buffer),
            }
    })
}

/// Makes one loop of two; returns it.
fn fuse(ir: &mut Ir, loops: [Op; 2]) -> Op {
    let [first, second] = loops.map(scf::Parallel);
    let bounds = [
        second.lower_bounds(ir),
        second.upper_bounds(ir),
        second.steps(ir),
    ];
    let [lower, upper, steps] = bounds.map(<[Value]>::to_vec);
    let inits = [first.init_vals(ir), second.init_vals(ir)].concat();
    let mut builder = Builder::before(ir, loops[1]);
    let fused = scf::build_parallel(&mut builder, &lower, &upper, &steps, &inits);
    let body = scf::Parallel(fused).body(ir);
    // Without results there is a terminator already; otherwise one is made of both.
    let old_ends = loops.map(|op| scf::Parallel(op).reduce_op(ir));
    let end = match inits.is_empty() {
        true => scf::Parallel(fused).reduce_op(ir),
        false => {
            let values = old_ends.map(|end| ir.operands(end)).concat();
            let loc = ir.loc(old_ends[1]);
            let mut builder = Builder::at_end(ir, body);
            builder.set_loc(loc);
            let spec = builder
                .spec(&scf::REDUCE)
                .operands(&values)
                .regions(values.len());
            builder.create(spec)
        }
    };
    let mut n_reductions = 0;
    for (op, old_end) in loops.into_iter().zip(old_ends) {
        let old_body = scf::Parallel(op).body(ir);
        for i in 0..ir.block_args(old_body).len() {
            let (old, new) = (ir.block_args(old_body)[i], ir.block_args(body)[i]);
            ir.replace_all_uses(old, new);
        }
        for region in ir.regions(old_end).to_vec() {
            let to = ir.region(end, n_reductions);
            ir.move_blocks(region, to);
            n_reductions += 1;
        }
        ir.detach_op(old_end);
        ir.move_block_contents_before(old_body, end);
        ir.append_op(old_body, old_end);
    }
    let results: Vec<Value> = ir.results(fused).to_vec();
    let (of_first, of_second) = results.split_at(ir.results(loops[0]).len());
    ir.replace_op(loops[0], of_first);
    ir.replace_op(loops[1], of_second);
    fused
}
