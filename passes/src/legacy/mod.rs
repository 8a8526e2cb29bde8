//! The older way of freeing buffers: copies wherever it is not known which
//! buffer a value is, so that every buffer can be freed at a fixed place; and
//! the passes that make copies and allocations cheaper.
//!
//! Reading order: [`buffer_deallocation`] is the pass that frees; `critical` finds the values that need
//! copies, `ends` where buffers are freed, `existing` what the input frees itself, `lost_writes` what
//! copies would hide, `call_results` what calls return. The analyses are in `analysis/`.

pub mod buffer_deallocation;
pub mod buffer_hoisting;
pub mod buffer_loop_hoisting;
pub mod copy_removal;
pub mod promote_buffers_to_stack;

mod call_results;
mod critical;
mod ends;
mod existing;

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Region};

use crate::analysis::nest::Nest;
use crate::manage::pass::PassContext;

/// Moves each operation of `moves` in front of another one.
fn hoist(ir: &mut Ir, moves: &[(Op, Op)], context: &mut PassContext<'_>) {
    context.count("hoisted", moves.len() as u64);
    for &(op, before) in moves {
        ir.move_op_before(op, before);
    }
}

/// Whether `region` may run more than once per execution of its operation.
fn is_loop_region(ir: &Ir, region: Region) -> bool {
    let owner = ir.region_owner(region);
    let index = ir.regions(owner).iter().position(|&r| r == region);
    match (ir.def(owner).region_branch, index) {
        (Some(interface), Some(index)) => (interface.is_repetitive)(ir, owner, index),
        _ => false,
    }
}

/// Whether control reaches `op`, as far as the blocks around it tell.
fn is_reachable(ir: &Ir, nest: &Nest<'_>, op: Op) -> bool {
    let mut current = op;
    loop {
        let Some(block) = ir.block_of(current) else {
            return true;
        };
        if !nest.dominance().is_reachable(ir, block) {
            return false;
        }
        match ir.parent_op(current) {
            Some(parent) => current = parent,
            None => return true,
        }
    }
}
