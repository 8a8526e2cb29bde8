//! Ticks: the operations of a function, numbered in textual order.
//!
//! An operation comes before all in its regions, and every operation, region and block covers a
//! contiguous range of ticks. Within one run of a block, execution only moves to higher ticks,
//! except inside an operation that repeats a region.

use cranelift_entity::SecondaryMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Region};

/// First and last tick of something.
pub type Span = (u32, u32);

/// The ticks of one function. The function itself is tick 1.
#[derive(Debug)]
pub struct Ticks {
    ops: SecondaryMap<Op, Span>,
    regions: SecondaryMap<Region, Span>,
    blocks: SecondaryMap<Block, Span>,
}

impl Ticks {
    /// Numbers all operations.
    pub fn new(ir: &Ir) -> Self {
        let order = ir.collect_ops(ir.root());
        let mut ticks = Self {
            ops: SecondaryMap::new(),
            regions: SecondaryMap::new(),
            blocks: SecondaryMap::new(),
        };
        for (tick, &op) in (1..).zip(&order) {
            ticks.ops[op] = (tick, tick);
        }
        let widen = |span: &mut Span, (first, last): Span| {
            *span = match *span {
                (0, _) => (first, last),
                (old_first, old_last) => (old_first.min(first), old_last.max(last)),
            };
        };
        // Backwards, so that a span is complete when it is added to the one around.
        for &op in order.iter().rev() {
            let span = ticks.ops[op];
            if let Some(block) = ir.block_of(op) {
                widen(&mut ticks.blocks[block], span);
            }
            if let Some(region) = ir.parent_region(op) {
                widen(&mut ticks.regions[region], span);
                widen(&mut ticks.ops[ir.region_owner(region)], span);
            }
        }
        ticks
    }

    /// The ticks of an operation and everything inside.
    pub fn op(&self, op: Op) -> Span {
        self.ops[op]
    }

    /// The tick of an operation.
    pub fn tick(&self, op: Op) -> u32 {
        self.ops[op].0
    }

    /// The ticks of everything in a block.
    pub fn block(&self, block: Block) -> Span {
        self.blocks[block]
    }

    /// The ticks of everything in a region.
    pub fn region(&self, region: Region) -> Span {
        self.regions[region]
    }

    /// Whether an operation is inside a region.
    pub fn is_inside(&self, op: Op, region: Region) -> bool {
        let (first, last) = self.regions[region];
        (first..=last).contains(&self.tick(op))
    }
}
