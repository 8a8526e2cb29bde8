//! How blocks and regions of a function nest: dominance across regions, loops
//! made of blocks, and where a value is still the same instance.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::dominance::Dominance;
use freehold_frontend::ir::entities::{Block, Op, Region, Value, ValueDef};
use freehold_frontend::ir::op_def::Traits;
use rustc_hash::FxHashMap;

use crate::analysis::block_loops::BlockLoops;
use crate::analysis::flow::{Edge, EdgeKind};

/// The nesting of one function without unreachable blocks.
pub(crate) struct Nest<'a> {
    ir: &'a Ir,
    dominance: Dominance,
    /// The loops of the regions with more than one block.
    loops: FxHashMap<Region, BlockLoops>,
    /// When a walk enters and leaves each region, and how many are around it.
    intervals: FxHashMap<Region, Interval>,
}

#[derive(Clone, Copy)]
struct Interval {
    start: u32,
    end: u32,
    depth: u32,
}

impl<'a> Nest<'a> {
    /// Looks at all regions of `ir`.
    pub(crate) fn new(ir: &'a Ir) -> Self {
        let dominance = Dominance::new(ir);
        let mut loops = FxHashMap::default();
        let mut intervals: FxHashMap<Region, Interval> = FxHashMap::default();
        let mut depth = 0;
        let mut time = 0;
        let mut stack: Vec<(Region, bool)> = Vec::new();
        let push = |stack: &mut Vec<(Region, bool)>, op: Op| {
            stack.extend(ir.regions(op).iter().map(|&region| (region, false)));
        };
        push(&mut stack, ir.root());
        while let Some((region, is_done)) = stack.pop() {
            time += 1;
            if is_done {
                depth -= 1;
                if let Some(interval) = intervals.get_mut(&region) {
                    interval.end = time;
                }
                continue;
            }
            let interval = Interval {
                start: time,
                end: time,
                depth,
            };
            intervals.insert(region, interval);
            depth += 1;
            if let Some(tree) = dominance.tree(region) {
                loops.insert(region, BlockLoops::new(ir, tree));
            }
            stack.push((region, true));
            for block in ir.blocks_in(region) {
                for op in ir.ops_in(block) {
                    if !ir.has_trait(op, Traits::OWNS_ARENA) {
                        push(&mut stack, op);
                    }
                }
            }
        }
        Self {
            ir,
            dominance,
            loops,
            intervals,
        }
    }

    /// Dominance in the function.
    pub(crate) fn dominance(&self) -> &Dominance {
        &self.dominance
    }

    /// Whether `region` is `outer` or somewhere inside of it.
    pub(crate) fn is_inside(&self, region: Region, outer: Region) -> bool {
        match (self.intervals.get(&region), self.intervals.get(&outer)) {
            (Some(inner), Some(outer)) => outer.start <= inner.start && inner.end <= outer.end,
            _ => false,
        }
    }

    /// How many regions are around `region`, up to the function.
    pub(crate) fn depth(&self, region: Region) -> u32 {
        self.intervals
            .get(&region)
            .map_or(0, |interval| interval.depth)
    }

    /// The region and block that a value is defined in.
    pub(crate) fn definition(&self, value: Value) -> (Region, Block) {
        let block = self.ir.value_block(value).expect("values are in blocks");
        let region = self.ir.region_of(block);
        (region.expect("blocks are in regions"), block)
    }

    /// Whether `value` is still defined, as the same instance, after control
    /// took `edge`, before which it is defined.
    pub(crate) fn in_scope(&self, value: Value, edge: Edge) -> bool {
        let (region, block) = self.definition(value);
        let source = self.ir.parent_region(edge.source);
        let source = source.expect("edges start inside the function");
        match edge.kind {
            EdgeKind::Return => false,
            EdgeKind::Entry => true,
            EdgeKind::Branch(successor) if region == source => {
                let target = self.ir.successors(edge.source)[successor];
                self.dominance
                    .tree(region)
                    .is_some_and(|tree| tree.strictly_dominates(block, target))
            }
            EdgeKind::Branch(_) | EdgeKind::RegionExit => !self.is_inside(region, source),
        }
    }

    /// Whether `value` is defined wherever `other` is made.
    pub(crate) fn is_defined_at(&self, value: Value, other: Value) -> bool {
        match self.ir.value_def(other) {
            ValueDef::Result(op, _) => self.dominance.value_dominates(self.ir, value, op),
            ValueDef::Argument(at, _) => {
                let (_, block) = self.definition(value);
                self.properly_dominates(block, at)
                    || block == at && self.ir.defining_op(value).is_none()
            }
        }
    }

    /// Of two values defined at one point, the one that goes out of scope no
    /// later than the other.
    pub(crate) fn deeper(&self, a: Value, b: Value) -> Value {
        let ((a_region, a_block), (b_region, b_block)) = (self.definition(a), self.definition(b));
        let b_is_deeper = if a_region == b_region {
            self.dominance
                .tree(a_region)
                .is_some_and(|tree| tree.strictly_dominates(a_block, b_block))
        } else {
            self.is_inside(b_region, a_region)
        };
        if b_is_deeper { b } else { a }
    }

    /// The closest block that dominates both, whatever regions they are in.
    pub(crate) fn common_dominator(&self, a: Block, b: Block) -> Option<Block> {
        let ir = self.ir;
        let mut at = a;
        loop {
            let region = ir.region_of(at)?;
            if let Some(b) = ir.ancestor_block_in_region(b, region) {
                return match self.dominance.tree(region) {
                    Some(tree) => tree.nearest_common_dominator(at, b),
                    None => Some(at),
                };
            }
            at = ir.block_of(ir.region_owner(region))?;
        }
    }

    /// The closest block that dominates both, if they are in one region.
    pub(crate) fn common_dominator_in_region(&self, a: Block, b: Block) -> Option<Block> {
        let region = self.ir.region_of(a)?;
        if self.ir.region_of(b) != Some(region) {
            return None;
        }
        match self.dominance.tree(region) {
            Some(tree) => tree.nearest_common_dominator(a, b),
            None => Some(a),
        }
    }

    /// Whether every path to `b` leads through `a`, another block.
    pub(crate) fn properly_dominates(&self, a: Block, b: Block) -> bool {
        a != b && self.dominance.dominates_block(self.ir, a, b)
    }

    /// The closest block of the region that is on every path to `block`.
    pub(crate) fn immediate_dominator(&self, block: Block) -> Option<Block> {
        let region = self.ir.region_of(block)?;
        self.dominance.tree(region)?.idom(block)
    }

    /// The loops of `region`, if it has more than one block.
    pub(crate) fn block_loops(&self, region: Region) -> Option<&BlockLoops> {
        self.loops.get(&region)
    }
}
