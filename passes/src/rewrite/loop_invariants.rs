//! Operations that compute the same in each iteration of a loop.

use std::collections::VecDeque;

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Op;

use crate::analysis::speculation::{may_run_anywhere, uses_only_outside};

/// Moves what may leave the loop `op` in front of it; returns how many operations.
pub(crate) fn move_out(ir: &mut Ir, op: Op) -> u64 {
    let mut n_moved = 0;
    for region in ir.regions(op).to_vec() {
        let blocks: Vec<_> = ir.blocks_in(region).collect();
        let mut queue: VecDeque<Op> = (blocks.into_iter())
            .flat_map(|block| ir.ops_in(block).collect::<Vec<_>>())
            .collect();
        while let Some(inner) = queue.pop_front() {
            if ir.parent_region(inner) != Some(region)
                || !uses_only_outside(ir, inner, region)
                || !may_run_anywhere(ir, inner)
            {
                continue;
            }
            ir.move_op_before(inner, op);
            n_moved += 1;
            for &result in ir.results(inner) {
                let users = ir.uses(result).iter().map(|u| u.op);
                queue.extend(users.filter(|&user| ir.parent_region(user) == Some(region)));
            }
        }
    }
    n_moved
}
