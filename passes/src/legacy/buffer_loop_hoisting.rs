//! `buffer-loop-hoisting`: moves allocations out of loops.
//!
//! Before:                                    After:
//! ```mlir
//! scf.for %i = %l to %u step %s {            %a = memref.alloc() : memref<4xf32>
//!   %a = memref.alloc() : memref<4xf32>      scf.for %i = %l to %u step %s {
//!   "use"(%a) : (memref<4xf32>) -> ()          "use"(%a) : (memref<4xf32>) -> ()
//! }                                          }
//! ```
//!
//! Both `memref.alloc` and `memref.alloca` move, out of as many loops as their sizes allow. Loops
//! whose iterations may run at the same time keep them, and so do other region operations: an
//! allocation in an `scf.if` inside of a loop stays.
//!
//! Soundness: all iterations share the one buffer then. That shows only where
//! an alias outlives the execution of the allocation that it comes from, so no
//! alias may be handed to the next iteration, out of the loop, or around a
//! cycle of blocks. What the program frees itself stays: it would be freed
//! once per iteration.

use freehold_frontend::dialects::memref;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;

use super::{hoist, is_loop_region, is_reachable};
use crate::analysis::aliases::{Fates, freed_by_program};
use crate::analysis::flow::ValueFlow;
use crate::analysis::nest::Nest;
use crate::deallocation::plan::dynamic::is_processed;
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "buffer-loop-hoisting",
    summary: "move allocations out of sequential loops",
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

/// The allocations to move and the loops to put them in front of.
fn plan(ir: &Ir) -> Vec<(Op, Op)> {
    let nest = Nest::new(ir);
    let flow = ValueFlow::new(ir);
    let fates = Fates::new(ir, &nest, &flow);
    let freed = freed_by_program(ir, &flow);
    let mut moves = Vec::new();
    for op in ir.walk(ir.root()) {
        let is_allocation = ir.is(op, &memref::ALLOC) || ir.is(op, &memref::ALLOCA);
        let is_left_alone = ir.has_attr(op, Name::MANUAL_DEALLOCATION);
        if !is_allocation || is_left_alone || !is_reachable(ir, &nest, op) {
            continue;
        }
        let Some(outermost) = outermost_loop(ir, &nest, op) else {
            continue;
        };
        let buffer = ir.result(op, 0);
        let may_be_shared = fates.of(buffer).is_some_and(|fate| {
            !fate.escapes && !freed.contains(buffer) && fate.ends_with_instance(&nest, buffer)
        });
        if may_be_shared {
            moves.push((op, outermost));
        }
    }
    moves
}

/// The outermost loop that `op` can leave as far as its operands are concerned.
fn outermost_loop(ir: &Ir, nest: &Nest<'_>, op: Op) -> Option<Op> {
    let mut outermost = None;
    let mut current = op;
    while let Some(region) = ir.parent_region(current) {
        let owner = ir.region_owner(region);
        let is_sequential_loop =
            is_loop_region(ir, region) && !ir.has_trait(owner, Traits::PARALLEL);
        let mut operands = ir.operands(op).iter();
        let is_available = |&v| !nest.is_inside(nest.definition(v).0, region);
        if !is_sequential_loop || !operands.all(is_available) {
            break;
        }
        outermost = Some(owner);
        current = owner;
    }
    outermost
}
