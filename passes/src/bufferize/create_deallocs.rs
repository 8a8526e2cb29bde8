//! `one-shot-bufferize{create-deallocs}`: what the pass did by itself before deallocation had passes of its own.
//!
//! A buffer that this pass made is freed at the end of its block if it stays there: no branch, region, call or return hands
//! it on, and everything that uses it is in that block or inside of an operation in it. Others are left to the passes of
//! deallocation.

use freehold_frontend::dialects::{func, memref};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::op_def::Traits;

use crate::analysis::flow::{Origin, ValueFlow};

/// Frees the buffers in `made` that stay in their block.
pub(super) fn free_local_buffers(ir: &mut Ir, made: &[Op]) {
    let flow = ValueFlow::new(ir);
    let mut frees: Vec<(Op, Value)> = Vec::new();
    for &op in made {
        if ir.is_erased(op) || !ir.is(op, &memref::ALLOC) {
            continue;
        }
        let buffer = ir.result(op, 0);
        let block = ir.block_of(op);
        let end = block.and_then(|block| ir.last_op(block));
        let Some(end) = end.filter(|&end| ir.has_trait(end, Traits::TERMINATOR)) else {
            continue;
        };
        let is_local = |&user: &Op| {
            let ancestor = block.and_then(|block| ir.ancestor_in_block(user, block));
            // A call may keep what it is given, and frees may be there already.
            let keeps = ir.is(user, &func::CALL)
                || ir.is(user, &func::CALL_INDIRECT)
                || ir.is(user, &memref::DEALLOC);
            ancestor.is_some_and(|ancestor| ancestor != end) && !keeps
        };
        let mut users = Vec::new();
        for &member in flow.members(buffer) {
            users.extend(ir.uses(member).iter().map(|u| u.op));
        }
        let stays = flow.origin(buffer) == Origin::Fresh
            && flow.flows_out(buffer).is_empty()
            && flow.merges(buffer).is_empty()
            && flow.forwarded_handles(buffer).is_empty()
            && flow.given_away_to(buffer).is_none()
            && !flow.has_handles();
        if stays && users.iter().all(is_local) {
            frees.push((end, buffer));
        }
    }
    for (end, buffer) in frees {
        Builder::before(ir, end).op(&memref::DEALLOC, &[buffer], &[]);
    }
}
