//! Where stack memory that passes add may stand.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op};
use freehold_frontend::ir::op_def::Traits;

/// The block that allocates stack memory for `op` at its start: that of the function, so that it is taken once per call
/// and not once per iteration of a loop. Iterations of a parallel loop run at the same time and must not share it, so
/// each allocates its own. The same holds for any region that runs at unknown times.
pub(crate) fn stack_block(ir: &Ir, op: Op) -> Block {
    let mut current = op;
    loop {
        let region = ir
            .parent_region(current)
            .expect("the operation is in a region");
        let owner = ir.region_owner(region);
        let is_sequential =
            ir.def(owner).region_branch.is_some() && !ir.has_trait(owner, Traits::PARALLEL);
        if owner == ir.root() || !is_sequential {
            return ir
                .entry_block(region)
                .expect("the region holds the operation");
        }
        current = owner;
    }
}
