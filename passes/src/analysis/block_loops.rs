//! The loops that the blocks of one region make, and post-dominance as if
//! every one of them were run through once.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::dominance::{DominatorTree, Tree};
use freehold_frontend::ir::entities::{Block, Op, Region};
use rustc_hash::FxHashMap;

/// The number of a loop. Loops inside of it have smaller ones.
pub(crate) type LoopId = usize;

/// The loops that the blocks of one region make.
pub(crate) struct BlockLoops {
    /// Block to the innermost loop around it.
    innermost: FxHashMap<Block, LoopId>,
    loops: Vec<Loop>,
    /// Some cycle can be entered in more than one place.
    is_irreducible: bool,
}

struct Loop {
    /// The block that it begins with.
    header: Block,
    /// The next loop around it.
    parent: Option<LoopId>,
    /// The outermost loop around it; while loops are being found, one of those
    /// around it or itself.
    outermost: LoopId,
}

impl BlockLoops {
    /// Finds them, given the dominators of the region.
    pub(crate) fn new(ir: &Ir, tree: &DominatorTree) -> Self {
        let order = tree.reverse_postorder();
        let mut this = Self {
            innermost: FxHashMap::default(),
            loops: Vec::new(),
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
                    this.is_irreducible = true;
                }
            }
            if !stack.is_empty() {
                this.add_loop(ir, tree, header, stack);
            }
        }
        for id in (0..this.loops.len()).rev() {
            let parent = this.loops[id].parent;
            this.loops[id].outermost = parent.map_or(id, |parent| this.loops[parent].outermost);
        }
        this
    }

    /// Adds the loop of `header`, given the blocks that jump back to it.
    fn add_loop(&mut self, ir: &Ir, tree: &DominatorTree, header: Block, mut stack: Vec<Block>) {
        let id = self.loops.len();
        self.loops.push(Loop {
            header,
            parent: None,
            outermost: id,
        });
        self.innermost.insert(header, id);
        while let Some(block) = stack.pop() {
            let entered_at = match self.innermost.get(&block) {
                None => {
                    self.innermost.insert(block, id);
                    block
                }
                Some(&inner) => {
                    let known = self.outermost_known(inner);
                    if known == id {
                        continue;
                    }
                    self.loops[known].parent = Some(id);
                    self.loops[known].outermost = id;
                    self.loops[known].header
                }
            };
            // A cycle with a second entry leaves the region that the header dominates.
            stack.extend(ir.predecessors(entered_at).filter(|&p| {
                tree.contains(p) && tree.is_reachable(p) && tree.dominates(header, p)
            }));
        }
    }

    /// The outermost loop around `id` found so far; the way there gets shorter.
    fn outermost_known(&mut self, mut id: LoopId) -> LoopId {
        while self.loops[id].outermost != id {
            let next = self.loops[id].outermost;
            self.loops[id].outermost = self.loops[next].outermost;
            id = next;
        }
        id
    }

    /// Whether some cycle can be entered in more than one place. Then what the
    /// other methods say is incomplete.
    pub(crate) fn is_irreducible(&self) -> bool {
        self.is_irreducible
    }

    /// Whether a loop begins with `block`.
    pub(crate) fn is_header(&self, block: Block) -> bool {
        self.innermost(block)
            .is_some_and(|id| self.loops[id].header == block)
    }

    /// The header of the outermost loop that `block` is in.
    pub(crate) fn outermost_header(&self, block: Block) -> Option<Block> {
        let outermost = self.loops[self.innermost(block)?].outermost;
        Some(self.loops[outermost].header)
    }

    /// The innermost loop that has both ends of the edge between two blocks, if
    /// the region is reducible.
    fn around_edge(&self, from: Block, to: Block) -> Option<LoopId> {
        let entered = self.innermost(to)?;
        if self.loops[entered].header != to {
            // Loops are entered at their headers.
            return Some(entered);
        }
        let outside = self.loops[entered].parent;
        let mut around = self.innermost(from);
        while let Some(id) = around
            && id != entered
            && around != outside
        {
            around = self.loops[id].parent;
        }
        around
    }

    /// The innermost loop that `block` is in.
    pub(crate) fn innermost(&self, block: Block) -> Option<LoopId> {
        self.innermost.get(&block).copied()
    }

    /// The loop around `block` that is directly inside of `outer`, or in no
    /// other loop if that is none.
    pub(crate) fn directly_inside(&self, outer: Option<LoopId>, block: Block) -> Option<LoopId> {
        let mut id = self.innermost(block)?;
        while self.loops[id].parent != outer {
            id = self.loops[id].parent?;
        }
        Some(id)
    }
}

/// Post-dominance in the graph in which a jump back to the header of a loop
/// goes to wherever the loop is left for instead. Where blocks make no loops,
/// that is the usual one.
///
/// This graph has no cycles, if the region is reducible. Take the blocks of an
/// execution from `x` on, and leave out what comes between a jump back and the
/// next time that the loop is left: what stays is a path of the graph. So if `a`
/// post-dominates `x` here, every execution comes from `x` to `a`, unless it
/// goes on forever; and `a` comes later in an order of the graph.
pub(crate) struct PostDominators {
    /// The blocks by number; then come the ends of the loops.
    blocks: Vec<Block>,
    number: FxHashMap<Block, usize>,
    tree: Tree,
    /// How each loop is left.
    exits: Vec<Exits>,
}

/// The edges that lead out of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Exits {
    None,
    /// The terminator and the number of its successor.
    One(Op, usize),
    Several,
}

impl PostDominators {
    /// Those of `region`, whose loops are given if it has several blocks. In an
    /// irreducible region, the usual ones.
    pub(crate) fn new(ir: &Ir, region: Region, loops: Option<&BlockLoops>) -> Self {
        let blocks: Vec<Block> = ir.blocks_in(region).collect();
        let loops = loops.filter(|loops| !loops.is_irreducible);
        let n_loops = loops.map_or(0, |loops| loops.loops.len());
        let mut number = FxHashMap::default();
        for (index, &block) in blocks.iter().enumerate() {
            number.insert(block, index);
        }
        let end_of = |id: LoopId| blocks.len() + id;
        let mut successors: Vec<Vec<usize>> = vec![Vec::new(); blocks.len() + n_loops];
        let mut exits = vec![Exits::None; n_loops];
        for (index, &block) in blocks.iter().enumerate() {
            let Some(terminator) = ir.last_op(block) else {
                continue;
            };
            for (successor, &target) in ir.successors(terminator).iter().enumerate() {
                let mut to = number[&target];
                if let Some(loops) = loops {
                    let around = loops.around_edge(block, target);
                    if let Some(id) = around.filter(|&id| loops.loops[id].header == target) {
                        to = end_of(id);
                    }
                    let mut left = loops.innermost(block);
                    while let Some(id) = left.filter(|_| left != around) {
                        exits[id] = match exits[id] {
                            Exits::None => Exits::One(terminator, successor),
                            Exits::One(..) | Exits::Several => Exits::Several,
                        };
                        left = loops.loops[id].parent;
                        // The end of a loop may be that of the one around it.
                        let next = match left {
                            Some(parent) if left != around => end_of(parent),
                            _ => to,
                        };
                        successors[end_of(id)].push(next);
                    }
                }
                successors[index].push(to);
            }
        }
        Self {
            tree: Tree::post_dominators(&successors),
            blocks,
            number,
            exits,
        }
    }

    /// The closest block that post-dominates both, if any.
    pub(crate) fn nearest_common(&self, a: Block, b: Block) -> Option<Block> {
        let (a, b) = (self.number[&a], self.number[&b]);
        self.block_from(self.tree.nearest_common_ancestor(a, b))
    }

    /// The edge on which a loop is left, if there is one.
    pub(crate) fn only_exit(&self, id: LoopId) -> Option<(Op, usize)> {
        match self.exits[id] {
            Exits::One(terminator, successor) => Some((terminator, successor)),
            Exits::None | Exits::Several => None,
        }
    }

    /// The closest block outside of a loop that post-dominates all of it.
    pub(crate) fn after(&self, id: LoopId) -> Option<Block> {
        self.block_from(self.tree.parent(self.blocks.len() + id))
    }

    /// The block `node`, or the closest one above.
    fn block_from(&self, mut node: Option<usize>) -> Option<Block> {
        while let Some(at) = node {
            if let Some(&block) = self.blocks.get(at) {
                return Some(block);
            }
            node = self.tree.parent(at);
        }
        None
    }
}
