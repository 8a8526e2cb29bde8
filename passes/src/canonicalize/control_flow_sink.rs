//! `control-flow-sink`: operations that only one branch of a condition needs move into that branch.
//!
//! Before:
//! ```mlir
//! %d = arith.divf %a, %b : f32
//! scf.if %c {
//!   memref.store %d, %m[] : memref<f32>
//! }
//! ```
//! After:
//! ```mlir
//! scf.if %c {
//!   %d = arith.divf %a, %b : f32
//!   memref.store %d, %m[] : memref<f32>
//! }
//! ```
//!
//! Only operations without any effect move, and only into regions that run at most once: what they compute is the same
//! there.

use freehold_frontend::dialects::scf;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::dominance::Dominance;
use freehold_frontend::ir::entities::{Op, Region};
use freehold_frontend::ir::op_def::Traits;

use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "control-flow-sink",
    summary: "move operations into the only branch that needs them",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let ops = ir.collect_ops(ir.root());
    let mut conditions = ops
        .into_iter()
        .rev()
        .filter(|&op| ir.is(op, &scf::IF) || ir.is(op, &scf::INDEX_SWITCH))
        .collect::<Vec<_>>()
        .into_iter()
        .peekable();
    if conditions.peek().is_none() {
        return Ok(());
    }
    // Moving operations changes no block.
    let dominance = Dominance::new(ir);
    let mut n_moved = 0;
    for op in conditions {
        for region in ir.regions(op).to_vec() {
            n_moved += sink_into(ir, &dominance, region);
        }
    }
    context.count("operations moved", n_moved);
    Ok(())
}

/// Moves what only `region` needs to its beginning; returns how many operations.
fn sink_into(ir: &mut Ir, dominance: &Dominance, region: Region) -> u64 {
    let Some(entry) = ir.entry_block(region) else {
        return 0;
    };
    let blocks: Vec<_> = ir.blocks_in(region).collect();
    let users = blocks
        .into_iter()
        .flat_map(|block| ir.ops_in(block).collect::<Vec<_>>());
    let mut users: Vec<Op> = users.collect();
    // Those of the region in order, then what was moved, the last first.
    users.reverse();
    let mut moved: Vec<Op> = Vec::new();
    let mut n_moved = 0;
    while let Some(user) = users.pop().or_else(|| moved.pop()) {
        for operand in ir.operands(user).to_vec() {
            let Some(op) = ir.defining_op(operand) else {
                continue;
            };
            let may_move = ir.parent_region(op) != Some(region)
                && !ir.has_trait(op, Traits::TERMINATOR)
                && ir.is_memory_effect_free(op)
                && is_used_only_in(ir, dominance, op, region);
            if may_move {
                match ir.first_op(entry) {
                    Some(first) => ir.move_op_before(op, first),
                    None => ir.move_op_to_end(op, entry),
                }
                n_moved += 1;
                moved.push(op);
            }
        }
    }
    n_moved
}

/// Whether all users stand in `region`, so that its beginning dominates them.
fn is_used_only_in(ir: &Ir, dominance: &Dominance, op: Op, region: Region) -> bool {
    let Some(entry) = ir.entry_block(region) else {
        return false;
    };
    ir.results(op)
        .iter()
        .flat_map(|&result| ir.uses(result))
        .all(|u| {
            let block = ir.block_of(u.op);
            block.is_some_and(|block| {
                ir.ancestor_block_in_region(block, region).is_some()
                    && dominance.dominates_block(ir, entry, block)
            })
        })
}
