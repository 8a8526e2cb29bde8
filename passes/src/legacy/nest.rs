//! How blocks and regions of a function nest: dominance across regions, loops
//! made of blocks, and where a value is still the same instance.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::dominance::{Dominance, DominatorTree};
use freehold_frontend::ir::entities::{Block, Op, Region, Value};
use freehold_frontend::op_def::Traits;
use rustc_hash::FxHashMap;

use crate::ownership::flow::{Edge, EdgeKind};

/// The nesting of one function without unreachable blocks.
pub(super) struct Nest<'a> {
    ir: &'a Ir,
    dominance: Dominance,
    /// The loops of the regions with more than one block.
    loops: FxHashMap<Region, BlockLoops>,
    /// When a walk enters and leaves each region.
    intervals: FxHashMap<Region, (u32, u32)>,
}

impl<'a> Nest<'a> {
    /// Looks at all regions of `ir`.
    pub(super) fn new(ir: &'a Ir) -> Self {
        let dominance = Dominance::new(ir);
        let mut loops = FxHashMap::default();
        let mut intervals: FxHashMap<Region, (u32, u32)> = FxHashMap::default();
        let mut time = 0;
        let mut stack: Vec<(Region, bool)> = Vec::new();
        let push = |stack: &mut Vec<(Region, bool)>, op: Op| {
            stack.extend(ir.regions(op).iter().map(|&region| (region, false)));
        };
        push(&mut stack, ir.root());
        while let Some((region, is_done)) = stack.pop() {
            time += 1;
            if is_done {
                if let Some(interval) = intervals.get_mut(&region) {
                    interval.1 = time;
                }
                continue;
            }
            intervals.insert(region, (time, time));
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
    pub(super) fn dominance(&self) -> &Dominance {
        &self.dominance
    }

    /// Whether `region` is `outer` or somewhere inside of it.
    pub(super) fn is_inside(&self, region: Region, outer: Region) -> bool {
        match (self.intervals.get(&region), self.intervals.get(&outer)) {
            (Some(inner), Some(outer)) => outer.0 <= inner.0 && inner.1 <= outer.1,
            _ => false,
        }
    }

    /// The region and block that a value is defined in.
    pub(super) fn definition(&self, value: Value) -> (Region, Block) {
        let block = self.ir.value_block(value).expect("values are in blocks");
        let region = self.ir.region_of(block);
        (region.expect("blocks are in regions"), block)
    }

    /// Whether `value` is still defined, as the same instance, after control
    /// took `edge`, before which it is defined.
    pub(super) fn in_scope(&self, value: Value, edge: Edge) -> bool {
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

    /// Of two values defined at one point, the one that goes out of scope no
    /// later than the other.
    pub(super) fn deeper(&self, a: Value, b: Value) -> Value {
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
    pub(super) fn common_dominator(&self, a: Block, b: Block) -> Option<Block> {
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

    /// Whether every path to `b` leads through `a`, another block.
    pub(super) fn properly_dominates(&self, a: Block, b: Block) -> bool {
        a != b && self.dominance.dominates_block(self.ir, a, b)
    }

    /// The closest block of the region that is on every path to `block`.
    pub(super) fn immediate_dominator(&self, block: Block) -> Option<Block> {
        let region = self.ir.region_of(block)?;
        self.dominance.tree(region)?.idom(block)
    }

    /// The loops of `region`, if it has more than one block.
    pub(super) fn block_loops(&self, region: Region) -> Option<&BlockLoops> {
        self.loops.get(&region)
    }
}

/// The loops that the blocks of one region make.
pub(super) struct BlockLoops {
    /// Block to the header of the innermost loop around it.
    innermost: FxHashMap<Block, Block>,
    /// Header to the header of the next loop around its own.
    parent: FxHashMap<Block, Block>,
    /// Some cycle can be entered in more than one place.
    is_irreducible: bool,
}

impl BlockLoops {
    fn new(ir: &Ir, tree: &DominatorTree) -> Self {
        let order = tree.reverse_postorder();
        let mut loops = Self {
            innermost: FxHashMap::default(),
            parent: FxHashMap::default(),
            is_irreducible: false,
        };
        let mut number: FxHashMap<Block, usize> = FxHashMap::default();
        for (index, &block) in order.iter().enumerate() {
            number.insert(block, index);
        }
        // Inner headers come after outer ones.
        for &header in order.iter().rev() {
            let mut stack: Vec<Block> = Vec::new();
            for predecessor in ir.predecessors(header) {
                let Some(&at) = number.get(&predecessor) else {
                    continue;
                };
                if tree.dominates(header, predecessor) {
                    stack.push(predecessor);
                } else if at >= number[&header] {
                    loops.is_irreducible = true;
                }
            }
            if !stack.is_empty() {
                loops.add_loop(ir, tree, header, stack);
            }
        }
        loops
    }

    /// Adds the loop of `header`, given the blocks that jump back to it.
    fn add_loop(&mut self, ir: &Ir, tree: &DominatorTree, header: Block, mut stack: Vec<Block>) {
        self.innermost.insert(header, header);
        while let Some(block) = stack.pop() {
            let entered_at = match self.innermost.get(&block) {
                None => {
                    self.innermost.insert(block, header);
                    block
                }
                Some(&inner) => {
                    let outermost = self.outermost(inner);
                    if outermost == header {
                        continue;
                    }
                    self.parent.insert(outermost, header);
                    outermost
                }
            };
            // A cycle with a second entry leads out of what the header dominates.
            stack.extend(ir.predecessors(entered_at).filter(|&p| {
                tree.contains(p) && tree.is_reachable(p) && tree.dominates(header, p)
            }));
        }
    }

    fn outermost(&self, mut header: Block) -> Block {
        while let Some(&parent) = self.parent.get(&header) {
            header = parent;
        }
        header
    }

    /// Whether some cycle can be entered in more than one place. Then what the
    /// other methods say is incomplete.
    pub(super) fn is_irreducible(&self) -> bool {
        self.is_irreducible
    }

    /// Whether a loop begins with `block`.
    pub(super) fn is_header(&self, block: Block) -> bool {
        self.innermost.get(&block) == Some(&block)
    }

    /// The header of the outermost loop that `block` is in.
    pub(super) fn outermost_header(&self, block: Block) -> Option<Block> {
        let &inner = self.innermost.get(&block)?;
        Some(self.outermost(inner))
    }
}
