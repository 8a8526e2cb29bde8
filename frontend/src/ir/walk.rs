//! Walks over operations and blocks.
//!
//! The iterators borrow the [`Ir`]; to edit while walking, use [`Ir::collect_ops`] (a snapshot;
//! skip erased operations) or a cursor loop `while let Some(op) = current { current =
//! ir.next_op(op); ... }`, which survives the removal of the operation at hand.

use super::data::Ir;
use super::entities::{Block, Op, Region};

impl Ir {
    /// The operations of a block, in order.
    pub fn ops_in(&self, block: Block) -> impl Iterator<Item = Op> + '_ {
        let mut current = self.first_op(block);
        std::iter::from_fn(move || {
            let op = current?;
            current = self.next_op(op);
            Some(op)
        })
    }

    /// The blocks of a region, in order.
    pub fn blocks_in(&self, region: Region) -> impl Iterator<Item = Block> + '_ {
        let mut current = self.entry_block(region);
        std::iter::from_fn(move || {
            let block = current?;
            current = self.next_block(block);
            Some(block)
        })
    }

    /// `root` and every operation inside of it, outer before inner, in
    /// textual order. Arenas of nested functions and modules are not entered:
    /// only their stubs appear.
    pub fn walk(&self, root: Op) -> Walk<'_> {
        Walk {
            ir: self,
            next: Some(root),
            root,
        }
    }

    /// The snapshot of [`Ir::walk`].
    pub fn collect_ops(&self, root: Op) -> Vec<Op> {
        self.walk(root).collect()
    }

    /// Every block inside `root`, outer before inner.
    pub fn collect_blocks(&self, root: Op) -> Vec<Block> {
        let mut blocks = Vec::new();
        for op in self.walk(root) {
            for &region in self.regions(op) {
                blocks.extend(self.blocks_in(region));
            }
        }
        blocks
    }

    /// The first operation inside `op`, in textual order.
    #[inline]
    fn first_inner_op(&self, op: Op) -> Option<Op> {
        match self.regions(op) {
            // Most operations have none.
            [] => None,
            regions => self.first_op_in(regions),
        }
    }

    fn first_op_in(&self, regions: &[Region]) -> Option<Op> {
        regions
            .iter()
            .flat_map(|&region| self.blocks_in(region))
            .find_map(|block| self.first_op(block))
    }

    /// The operation that follows `op` in textual order without entering it,
    /// inside `root`.
    fn following_op(&self, mut op: Op, root: Op) -> Option<Op> {
        loop {
            if op == root {
                return None;
            }
            if let Some(next) = self.next_op(op) {
                return Some(next);
            }
            let block = self.block_of(op)?;
            let mut later = self.next_block(block);
            while let Some(block) = later {
                if let Some(first) = self.first_op(block) {
                    return Some(first);
                }
                later = self.next_block(block);
            }
            let region = self.region_of(block)?;
            let owner = self.region_owner(region);
            let siblings = self.regions(owner);
            let at = siblings.iter().position(|&r| r == region)?;
            let inner = self.first_op_in(&siblings[at + 1..]);
            if inner.is_some() {
                return inner;
            }
            op = owner;
        }
    }
}

/// See [`Ir::walk`].
pub struct Walk<'a> {
    ir: &'a Ir,
    next: Option<Op>,
    root: Op,
}

impl Walk<'_> {
    /// Does not enter the operation returned last; it must be `op`.
    pub fn skip_regions(&mut self, op: Op) {
        self.next = self.ir.following_op(op, self.root);
    }
}

impl Iterator for Walk<'_> {
    type Item = Op;

    #[inline]
    fn next(&mut self) -> Option<Op> {
        let op = self.next?;
        let mut next = self.ir.first_inner_op(op);
        // Without a call for most operations: passes walk all the time.
        if next.is_none() && op != self.root {
            next = self.ir.next_op(op);
        }
        self.next = next.or_else(|| self.ir.following_op(op, self.root));
        Some(op)
    }
}
