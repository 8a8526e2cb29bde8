//! Liveness of a set of uses at one level: in the blocks of one region, with
//! whatever stands deeper counted at the operation of that region holding it.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Region};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where something used by a set of operations is needed inside one region.
pub(crate) struct LevelLiveness {
    /// The last user in each block that has one, as an operation of that block.
    last_use: FxHashMap<Block, Op>,
    /// Blocks at whose beginning it is needed.
    live_in: FxHashSet<Block>,
    /// Blocks at whose end it is needed.
    live_out: FxHashSet<Block>,
    /// All blocks in which it is needed somewhere, in a reproducible order.
    blocks: Vec<Block>,
}

impl LevelLiveness {
    /// Needs of `users` (those inside `region`) in `region`. `definition` is
    /// the block of the region that defines what is needed; `None` if it comes
    /// from outside.
    pub(crate) fn new(ir: &Ir, region: Region, definition: Option<Block>, users: &[Op]) -> Self {
        let mut liveness = Self {
            last_use: FxHashMap::default(),
            live_in: FxHashSet::default(),
            live_out: FxHashSet::default(),
            blocks: Vec::new(),
        };
        for &user in users {
            let Some(op) = ancestor_in_region(ir, user, region) else {
                continue;
            };
            let Some(block) = ir.block_of(op) else {
                continue;
            };
            liveness
                .last_use
                .entry(block)
                .and_modify(|last| {
                    if ir.is_before_in_block(*last, op) {
                        *last = op;
                    }
                })
                .or_insert_with(|| {
                    liveness.blocks.push(block);
                    op
                });
        }
        // Single block: nothing flows anywhere.
        if ir.single_block(region).is_some() {
            return liveness;
        }
        let mut stack: Vec<Block> = liveness
            .blocks
            .iter()
            .copied()
            .filter(|&b| Some(b) != definition)
            .collect();
        while let Some(block) = stack.pop() {
            if !liveness.live_in.insert(block) {
                continue;
            }
            for predecessor in ir.predecessors(block) {
                if liveness.live_out.insert(predecessor) {
                    if !liveness.last_use.contains_key(&predecessor) {
                        liveness.blocks.push(predecessor);
                    }
                    if Some(predecessor) != definition {
                        stack.push(predecessor);
                    }
                }
            }
        }
        liveness
    }

    /// The last user in `block`.
    pub(crate) fn last_use(&self, block: Block) -> Option<Op> {
        self.last_use.get(&block).copied()
    }

    /// Whether it is needed at the beginning of `block`.
    pub(crate) fn is_live_in(&self, block: Block) -> bool {
        self.live_in.contains(&block)
    }

    /// Whether it is needed at the end of `block`.
    pub(crate) fn is_live_out(&self, block: Block) -> bool {
        self.live_out.contains(&block)
    }

    /// Whether it is needed after `op`, an operation of the region.
    pub(crate) fn is_live_after(&self, ir: &Ir, op: Op) -> bool {
        let Some(block) = ir.block_of(op) else {
            return false;
        };
        self.is_live_out(block)
            || self
                .last_use(block)
                .is_some_and(|last| ir.is_before_in_block(op, last))
    }

    /// All blocks in which it is needed.
    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }
}

/// `op`, or the operation around it, that is directly in `region`.
pub(crate) fn ancestor_in_region(ir: &Ir, op: Op, region: Region) -> Option<Op> {
    let mut current = op;
    loop {
        let parent_region = ir.parent_region(current)?;
        if parent_region == region {
            return Some(current);
        }
        current = ir.region_owner(parent_region);
    }
}
