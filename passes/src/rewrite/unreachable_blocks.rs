//! Erasing blocks that control cannot reach.

use cranelift_entity::EntitySet;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Region};

pub(crate) fn regions_with_several_blocks(ir: &Ir) -> Vec<Region> {
    let mut regions = Vec::new();
    for op in ir.walk(ir.root()) {
        for &region in ir.regions(op) {
            if ir
                .entry_block(region)
                .is_some_and(|entry| ir.next_block(entry).is_some())
            {
                regions.push(region);
            }
        }
    }
    regions
}

/// Erases the blocks that control cannot reach from the entry of their region.
pub fn erase_unreachable_blocks(ir: &mut Ir) -> bool {
    let mut changed = false;
    let mut reached = EntitySet::new();
    for region in regions_with_several_blocks(ir) {
        // An enclosing region may have gone in an earlier round.
        if ir.is_erased(ir.region_owner(region)) {
            continue;
        }
        let Some(entry) = ir.entry_block(region) else {
            continue;
        };
        let mut stack = vec![entry];
        reached.insert(entry);
        while let Some(block) = stack.pop() {
            for &successor in ir.block_successors(block) {
                if reached.insert(successor) {
                    stack.push(successor);
                }
            }
        }
        let dead: Vec<Block> = ir
            .blocks_in(region)
            .filter(|&b| !reached.contains(b))
            .collect();
        changed |= !dead.is_empty();
        ir.erase_blocks(&dead);
    }
    changed
}
