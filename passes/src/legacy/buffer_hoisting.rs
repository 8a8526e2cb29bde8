//! `buffer-hoisting`: moves allocations up to where all their uses have them.
//!
//! Before:
//! ```mlir
//! %r = scf.if %c -> (memref<4xf32>) {
//!   %a = memref.alloc() : memref<4xf32>
//!   scf.yield %a : memref<4xf32>
//! } else {
//!   scf.yield %m : memref<4xf32>
//! }
//! ```
//! After:
//! ```mlir
//! %a = memref.alloc() : memref<4xf32>
//! %r = scf.if %c -> (memref<4xf32>) {
//!   scf.yield %a : memref<4xf32>
//! } else {
//!   scf.yield %m : memref<4xf32>
//! }
//! ```
//!
//! The new place is the closest common dominator of the uses of all aliases, or
//! less high up: not above the operands that say how large the buffer is, not
//! out of loops, be they operations or made of blocks, and not out of
//! operations whose control flow is unknown. It is the last point of its block
//! that still comes before the old place, so allocations keep their order.
//!
//! Like upstream, a buffer of dynamic size may then be allocated on paths that
//! did not need it, with whatever size its operands have there.
//!
//! Soundness: the contents of a new buffer are undefined, so it matters only
//! that each execution of the old place meets a buffer of its own. Going up
//! the dominator tree without leaving a loop, the new place is executed at
//! least once between two executions of the old one. What the program frees
//! itself stays, and so does what may be the same buffer later on: it would not be
//! freed on the paths that come along.

use freehold_frontend::dialects::memref;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use rustc_hash::FxHashMap;

use super::{hoist, is_loop_region, is_reachable};
use crate::analysis::aliases::{Step, close, freed_by_program};
use crate::analysis::flow::ValueFlow;
use crate::analysis::nest::Nest;
use crate::deallocation::plan::dynamic::is_processed;
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "buffer-hoisting",
    summary: "move allocations up to the common dominator of their uses, not out of loops",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    // An owner may free any buffer, wherever that is, and so may callers that are returned a flag.
    if is_processed(ir) {
        return Ok(());
    }
    let moves = plan(ir);
    hoist(ir, &moves, context);
    Ok(())
}

/// The allocations to move and what to put them in front of.
fn plan(ir: &Ir) -> Vec<(Op, Op)> {
    let nest = Nest::new(ir);
    let flow = ValueFlow::new(ir);
    let dominators = find_dominators(ir, &nest, &flow);
    let freed = freed_by_program(ir, &flow);
    let mut moves = Vec::new();
    for op in ir.walk(ir.root()) {
        let is_candidate = ir.is(op, &memref::ALLOC) && !freed.contains(ir.result(op, 0));
        if is_candidate && is_reachable(ir, &nest, op) {
            moves.extend(new_place(ir, &nest, &dominators, op).map(|before| (op, before)));
        }
    }
    moves
}

fn new_place(
    ir: &Ir,
    nest: &Nest<'_>,
    dominators: &FxHashMap<Value, Option<Block>>,
    op: Op,
) -> Option<Op> {
    if ir.has_attr(op, Name::MANUAL_DEALLOCATION) {
        return None;
    }
    let home = ir.block_of(op)?;
    let bound = (*dominators.get(&ir.result(op, 0))?)?;
    let bound = upper_bound(ir, nest, bound, op)?;
    let mut block = home;
    while nest.properly_dominates(bound, block) {
        let Some(above) = block_above(ir, nest, block) else {
            break;
        };
        block = above;
    }
    if block == home {
        return None;
    }
    ir.ancestor_in_block(op, block)
        .or_else(|| ir.last_op(block))
}

/// The highest block that the allocation `op` may be in: one that is dominated
/// by `bound` and by what the sizes need.
fn upper_bound(ir: &Ir, nest: &Nest<'_>, mut bound: Block, op: Op) -> Option<Block> {
    for &operand in ir.operands(op) {
        let block = ir.value_block(operand)?;
        if nest.properly_dominates(bound, block) {
            bound = block;
        }
    }
    Some(bound)
}

/// Finds for each base the closest common dominator of all places where what it
/// may become is defined or used.
fn find_dominators(ir: &Ir, nest: &Nest<'_>, flow: &ValueFlow) -> FxHashMap<Value, Option<Block>> {
    let steps = flow.bases().iter().map(|&base| {
        let step = Step::of(ir, flow, base);
        let places = step.users.iter().filter_map(|&user| ir.block_of(user));
        let own = places.fold(ir.value_block(base), |found, place| {
            nest.common_dominator(found?, place)
        });
        (own, step.next)
    });
    let found = close(flow.bases(), steps.collect(), |a, b| {
        nest.common_dominator(a?, b?)
    });
    flow.bases().iter().copied().zip(found).collect()
}

/// The next block up that is executed as often or, at least, whenever `block`
/// is, and at least once in between.
fn block_above(ir: &Ir, nest: &Nest<'_>, block: Block) -> Option<Block> {
    let region = ir.region_of(block)?;
    if let Some(above) = nest.immediate_dominator(block) {
        let loops = nest.block_loops(region)?;
        return (!loops.is_irreducible() && !loops.is_header(block)).then_some(above);
    }
    let owner = ir.region_owner(region);
    let is_left_alone = ir.def(owner).region_branch.is_none()
        || is_loop_region(ir, region)
        || ir.has_trait(owner, Traits::PARALLEL);
    if is_left_alone {
        None
    } else {
        ir.block_of(owner)
    }
}
