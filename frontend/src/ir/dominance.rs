//! Dominators and post-dominators of the blocks of a region, and dominance
//! between operations and values across nested regions.
//!
//! Trees are made with the simple algorithm of Lengauer and Tarjan
//! (O(edges * log blocks)), without recursion, and numbered in depth-first
//! order, so that every query about two blocks takes constant time.
//!
//! A tree is a snapshot: it knows nothing of blocks and edges made after it.
//! Unreachable blocks are dominated by every block and dominate only
//! unreachable ones, as in LLVM.

use rustc_hash::{FxHashMap, FxHashSet};

use super::data::Ir;
use super::entities::{Block, Op, Region, Value, ValueDef};
use crate::ir::op_def::Traits;

/// "No such node" in the index vectors of this module.
const NONE: usize = usize::MAX;

/// A rooted tree over dense node numbers. Nodes that the root does not reach
/// are not part of it.
pub struct Tree {
    /// The parent of each node; [`NONE`] for the root and unreached nodes.
    parent: Vec<usize>,
    /// Number of edges to the root.
    depth: Vec<u32>,
    /// A node further up: the parent, or two such steps of equal length from
    /// the parent on. On the way to any ancestor there are O(log n) steps
    /// if the long ones are taken wherever they do not lead past it.
    jump: Vec<usize>,
    /// Nodes in depth-first order, parents before children.
    preorder: Vec<usize>,
    /// Position in `preorder`; [`NONE`] for unreached nodes.
    first: Vec<usize>,
    /// One past the position of the last node below.
    last: Vec<usize>,
}

impl Tree {
    /// The dominator tree of the graph in which `successors` names the edges.
    pub fn of_graph(successors: &[Vec<usize>], root: usize) -> Self {
        let n_nodes = successors.len();
        let mut idom = vec![NONE; n_nodes];
        let order = dfs_preorder(successors, root);
        immediate_dominators(successors, &order, &mut idom);
        Self::new(idom, root)
    }

    /// Numbers the tree in which `parent` names the edges. Children are in
    /// the order of their numbers.
    fn new(parent: Vec<usize>, root: usize) -> Self {
        let n_nodes = parent.len();
        let mut children = vec![Vec::new(); n_nodes];
        for (node, &parent) in parent.iter().enumerate() {
            if parent != NONE {
                children[parent].push(node);
            }
        }
        let mut tree = Self {
            parent,
            depth: vec![0; n_nodes],
            jump: vec![NONE; n_nodes],
            preorder: Vec::with_capacity(n_nodes),
            first: vec![NONE; n_nodes],
            last: vec![NONE; n_nodes],
        };
        // A region without blocks has no root either.
        let mut stack: Vec<usize> = (root < n_nodes).then_some(root).into_iter().collect();
        while let Some(node) = stack.pop() {
            tree.first[node] = tree.preorder.len();
            tree.preorder.push(node);
            let parent = tree.parent[node];
            if parent == NONE {
                tree.jump[node] = node;
            } else {
                tree.depth[node] = tree.depth[parent] + 1;
                let once = tree.jump[parent];
                let twice = tree.jump[once];
                let length = |from: usize, to: usize| tree.depth[from] - tree.depth[to];
                tree.jump[node] = if length(parent, once) == length(once, twice) {
                    twice
                } else {
                    parent
                };
            }
            stack.extend(children[node].iter().rev());
        }
        // Children come after parents, so backwards every node is complete
        // before it is added to its parent.
        for &node in tree.preorder.iter().rev() {
            let end = (tree.first[node] + 1).max(match tree.last[node] {
                NONE => 0,
                last => last,
            });
            tree.last[node] = end;
            if let Some(last) = tree.last.get_mut(tree.parent[node]) {
                *last = if *last == NONE { end } else { end.max(*last) };
            }
        }
        tree
    }

    /// The post-dominator tree of the graph in which `successors` names the
    /// edges. Its root is a virtual exit, the node after all others, to which
    /// nodes without successors lead, and of nodes that circle forever one per
    /// innermost such circle: the one of the smallest number.
    pub fn post_dominators(successors: &[Vec<usize>]) -> Self {
        let exit = successors.len();
        let mut reversed = vec![Vec::new(); exit + 1];
        for (node, successors) in successors.iter().enumerate() {
            for &next in successors {
                reversed[next].push(node);
            }
        }
        reversed[exit] = ends(successors);
        Self::of_graph(&reversed, exit)
    }

    /// The parent of `node`: its immediate dominator.
    pub fn parent(&self, node: usize) -> Option<usize> {
        let parent = self.parent[node];
        (parent != NONE).then_some(parent)
    }

    /// Where `node` and the nodes below it are in depth-first order.
    pub fn interval(&self, node: usize) -> std::ops::Range<usize> {
        match self.contains(node) {
            true => self.first[node]..self.last[node],
            false => 0..0,
        }
    }

    fn contains(&self, node: usize) -> bool {
        self.first[node] != NONE
    }

    fn is_ancestor(&self, ancestor: usize, node: usize) -> bool {
        if !self.contains(node) {
            return true;
        }
        self.contains(ancestor)
            && self.first[ancestor] <= self.first[node]
            && self.first[node] < self.last[ancestor]
    }

    /// The closest node that both are below of; `None` if one is not in the tree.
    pub fn nearest_common_ancestor(&self, a: usize, b: usize) -> Option<usize> {
        if !self.contains(a) || !self.contains(b) {
            return None;
        }
        let mut a = a;
        while !self.is_ancestor(a, b) {
            let jump = self.jump[a];
            a = if self.is_ancestor(jump, b) {
                self.parent[a]
            } else {
                jump
            };
        }
        Some(a)
    }
}

/// A depth-first walk: nodes in the order they are found.
struct Preorder {
    nodes: Vec<usize>,
    /// Position of each node in `nodes`; [`NONE`] if not found.
    number: Vec<usize>,
    /// Position of the node from which the node at this position was found.
    parent: Vec<usize>,
}

fn dfs_preorder(successors: &[Vec<usize>], root: usize) -> Preorder {
    let mut order = Preorder {
        nodes: Vec::new(),
        number: vec![NONE; successors.len()],
        parent: Vec::new(),
    };
    let mut stack = vec![(root, NONE)];
    while let Some((node, parent)) = stack.pop() {
        if order.number[node] != NONE {
            continue;
        }
        let number = order.nodes.len();
        order.number[node] = number;
        order.nodes.push(node);
        order.parent.push(parent);
        stack.extend(successors[node].iter().rev().map(|&next| (next, number)));
    }
    order
}

/// Writes the immediate dominator of every node of `order` but the first.
/// Within the function nodes are known by their depth-first number.
fn immediate_dominators(successors: &[Vec<usize>], order: &Preorder, idom: &mut [usize]) {
    let n_nodes = order.nodes.len();
    let mut predecessors = vec![Vec::new(); n_nodes];
    for (number, &node) in order.nodes.iter().enumerate() {
        for &next in &successors[node] {
            predecessors[order.number[next]].push(number);
        }
    }
    let mut forest = Forest {
        ancestor: vec![NONE; n_nodes],
        label: (0..n_nodes).collect(),
        semi: (0..n_nodes).collect(),
        path: Vec::new(),
    };
    let mut dominator = vec![0; n_nodes];
    let mut buckets = vec![Vec::new(); n_nodes];
    for node in (1..n_nodes).rev() {
        for &predecessor in &predecessors[node] {
            let best = forest.eval(predecessor);
            forest.semi[node] = forest.semi[node].min(forest.semi[best]);
        }
        buckets[forest.semi[node]].push(node);
        let parent = order.parent[node];
        forest.ancestor[node] = parent;
        for waiting in std::mem::take(&mut buckets[parent]) {
            let best = forest.eval(waiting);
            dominator[waiting] = if forest.semi[best] < forest.semi[waiting] {
                best
            } else {
                parent
            };
        }
    }
    for node in 1..n_nodes {
        if dominator[node] != forest.semi[node] {
            dominator[node] = dominator[dominator[node]];
        }
        idom[order.nodes[node]] = order.nodes[dominator[node]];
    }
}

/// The link-eval forest of Lengauer and Tarjan with path compression.
struct Forest {
    ancestor: Vec<usize>,
    /// The node of least semidominator on the compressed path.
    label: Vec<usize>,
    semi: Vec<usize>,
    path: Vec<usize>,
}

impl Forest {
    /// The node of least semidominator between `node` and the root of its tree.
    fn eval(&mut self, node: usize) -> usize {
        if self.ancestor[node] == NONE {
            return node;
        }
        let mut current = node;
        while self.ancestor[self.ancestor[current]] != NONE {
            self.path.push(current);
            current = self.ancestor[current];
        }
        // `current` hangs right below the root; compress what led here.
        while let Some(below) = self.path.pop() {
            let above = self.ancestor[below];
            if self.semi[self.label[above]] < self.semi[self.label[below]] {
                self.label[below] = self.label[above];
            }
            self.ancestor[below] = self.ancestor[above];
        }
        self.label[node]
    }
}

/// The blocks of a region as dense numbers, in the order of the region.
struct BlockGraph {
    blocks: Vec<Block>,
    index: FxHashMap<Block, usize>,
    successors: Vec<Vec<usize>>,
}

impl BlockGraph {
    fn new(ir: &Ir, region: Region) -> Self {
        let blocks: Vec<Block> = ir.blocks_in(region).collect();
        let index: FxHashMap<Block, usize> = blocks
            .iter()
            .enumerate()
            .map(|(i, &block)| (block, i))
            .collect();
        // Invalid IR may branch to blocks of other regions: no such edge here.
        let successors = blocks
            .iter()
            .map(|&block| {
                let successors = ir.block_successors(block).iter();
                successors.filter_map(|s| index.get(s).copied()).collect()
            })
            .collect();
        Self {
            blocks,
            index,
            successors,
        }
    }

    /// The node of `block`.
    ///
    /// # Panics
    /// If the block is not one of the region.
    fn node(&self, block: Block) -> usize {
        *self
            .index
            .get(&block)
            .expect("the block belongs to the region of the tree")
    }
}

/// Which blocks of one region are on every path to which others.
pub struct DominatorTree {
    graph: BlockGraph,
    tree: Tree,
    reverse_postorder: Vec<Block>,
}

impl DominatorTree {
    /// The tree of `region`.
    pub fn new(ir: &Ir, region: Region) -> Self {
        let graph = BlockGraph::new(ir, region);
        let tree = if graph.blocks.is_empty() {
            Tree::new(Vec::new(), 0)
        } else {
            Tree::of_graph(&graph.successors, 0)
        };
        let entry = ir.entry_block(region);
        let reverse_postorder = entry.map_or_else(Vec::new, |entry| reverse_postorder(ir, entry));
        Self {
            graph,
            tree,
            reverse_postorder,
        }
    }

    /// Whether `block` is a block of this tree's region.
    pub fn contains(&self, block: Block) -> bool {
        self.graph.index.contains_key(&block)
    }

    /// Whether a path leads from the entry block to `block`.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.tree.contains(self.graph.node(block))
    }

    /// The closest block that is on every path to `block`; `None` for the
    /// entry block and unreachable blocks.
    pub fn idom(&self, block: Block) -> Option<Block> {
        let parent = self.tree.parent[self.graph.node(block)];
        self.graph.blocks.get(parent).copied()
    }

    /// Whether every path to `b` leads through `a`; a block dominates itself.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        a == b
            || self
                .tree
                .is_ancestor(self.graph.node(a), self.graph.node(b))
    }

    /// [`DominatorTree::dominates`] for two different blocks.
    pub fn strictly_dominates(&self, a: Block, b: Block) -> bool {
        a != b && self.dominates(a, b)
    }

    /// The closest block that dominates both; `None` if one is unreachable.
    pub fn nearest_common_dominator(&self, a: Block, b: Block) -> Option<Block> {
        let node = self
            .tree
            .nearest_common_ancestor(self.graph.node(a), self.graph.node(b))?;
        Some(self.graph.blocks[node])
    }

    /// Number of dominators of `block` besides itself; 0 if unreachable.
    pub fn depth(&self, block: Block) -> u32 {
        self.tree.depth[self.graph.node(block)]
    }

    /// The reachable blocks, dominators first.
    pub fn preorder(&self) -> impl Iterator<Item = Block> + '_ {
        self.tree
            .preorder
            .iter()
            .map(|&node| self.graph.blocks[node])
    }

    /// The reachable blocks in reverse postorder of the control flow graph:
    /// but for back edges, predecessors come first.
    pub fn reverse_postorder(&self) -> &[Block] {
        &self.reverse_postorder
    }
}

/// The blocks reachable from `entry` in reverse postorder of the control flow graph: each before the
/// blocks it dominates and, but for back edges, after its predecessors.
pub fn reverse_postorder(ir: &Ir, entry: Block) -> Vec<Block> {
    let mut visited = FxHashSet::default();
    visited.insert(entry);
    let mut order = Vec::new();
    let mut stack = vec![(entry, 0)];
    while let Some((block, edge)) = stack.last_mut() {
        let block = *block;
        match ir.block_successors(block).get(*edge) {
            Some(&successor) => {
                *edge += 1;
                if visited.insert(successor) {
                    stack.push((successor, 0));
                }
            }
            None => {
                order.push(block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// The first node of every strongly connected component that no edge leaves
/// (a node without successors is one), in ascending order.
fn ends(successors: &[Vec<usize>]) -> Vec<usize> {
    let n_nodes = successors.len();
    // Tarjan's algorithm with an explicit stack.
    let mut number = vec![NONE; n_nodes];
    let mut low = vec![NONE; n_nodes];
    let mut component = vec![NONE; n_nodes];
    let mut pending = Vec::new();
    let mut first_of_component = Vec::new();
    let mut next_number = 0;
    for root in 0..n_nodes {
        if number[root] != NONE {
            continue;
        }
        let mut stack = vec![(root, 0)];
        while let Some((node, edge)) = stack.pop() {
            if edge == 0 {
                number[node] = next_number;
                low[node] = next_number;
                next_number += 1;
                pending.push(node);
            } else {
                // The edge before led to a node that is complete now.
                let child = successors[node][edge - 1];
                if component[child] == NONE {
                    low[node] = low[node].min(low[child]);
                }
            }
            if let Some(&next) = successors[node].get(edge) {
                stack.push((node, edge + 1));
                if number[next] == NONE {
                    stack.push((next, 0));
                }
                continue;
            }
            if low[node] == number[node] {
                let mut first = node;
                while let Some(member) = pending.pop() {
                    component[member] = first_of_component.len();
                    first = first.min(member);
                    if member == node {
                        break;
                    }
                }
                first_of_component.push(first);
            }
        }
    }
    let mut is_end = vec![true; first_of_component.len()];
    for (node, successors) in successors.iter().enumerate() {
        if successors.iter().any(|&s| component[s] != component[node]) {
            is_end[component[node]] = false;
        }
    }
    let mut ends: Vec<usize> = first_of_component
        .into_iter()
        .zip(is_end)
        .filter_map(|(first, is_end)| is_end.then_some(first))
        .collect();
    ends.sort_unstable();
    ends
}

/// Dominance in a whole arena: between blocks, operations and values in any
/// of its regions.
pub struct Dominance {
    /// The trees of the regions with more than one block.
    trees: FxHashMap<Region, DominatorTree>,
}

impl Dominance {
    /// The trees of every region of `ir`; nested arenas are not entered.
    pub fn new(ir: &Ir) -> Self {
        Self::inside(ir, ir.root())
    }

    /// The trees of every region inside `root`.
    pub fn inside(ir: &Ir, root: Op) -> Self {
        let mut trees = FxHashMap::default();
        for op in ir.walk(root) {
            for &region in ir.regions(op) {
                let entry = ir.entry_block(region);
                if entry.is_some_and(|entry| ir.next_block(entry).is_some()) {
                    trees.insert(region, DominatorTree::new(ir, region));
                }
            }
        }
        Self { trees }
    }

    /// The tree of a region with more than one block.
    pub fn tree(&self, region: Region) -> Option<&DominatorTree> {
        self.trees.get(&region)
    }

    /// Whether `block` is reachable from the entry of its region.
    pub fn is_reachable(&self, ir: &Ir, block: Block) -> bool {
        ir.region_of(block)
            .and_then(|region| self.tree(region))
            .is_none_or(|tree| tree.is_reachable(block))
    }

    /// Whether every path to `b`, or to the operation around it that is in
    /// the region of `a`, leads through `a`.
    pub fn dominates_block(&self, ir: &Ir, a: Block, b: Block) -> bool {
        let Some(region) = ir.region_of(a) else {
            return a == b;
        };
        match ir.ancestor_block_in_region(b, region) {
            Some(b) => self.dominates_in_region(region, a, b),
            None => false,
        }
    }

    fn dominates_in_region(&self, region: Region, a: Block, b: Block) -> bool {
        a == b || self.tree(region).is_some_and(|tree| tree.dominates(a, b))
    }

    /// Whether `a` is executed before `b` whenever `b` is: results of `a` can be used by `b`. An
    /// operation does not dominate its regions.
    pub fn properly_dominates_op(&self, ir: &Ir, a: Op, b: Op) -> bool {
        let Some((block, region)) = ir
            .block_of(a)
            .and_then(|block| Some((block, ir.region_of(block)?)))
        else {
            return false;
        };
        let Some(b) = ancestor_op_in_region(ir, b, region) else {
            return false;
        };
        if ir.block_of(b) == Some(block) {
            return if ir.has_trait(ir.region_owner(region), Traits::GRAPH_REGION) {
                true
            } else {
                a != b && ir.is_before_in_block(a, b)
            };
        }
        ir.block_of(b)
            .is_some_and(|b| self.dominates_in_region(region, block, b))
    }

    /// Whether `op` may use `value`.
    pub fn value_dominates(&self, ir: &Ir, value: Value, op: Op) -> bool {
        match ir.value_def(value) {
            ValueDef::Result(def, _) => self.properly_dominates_op(ir, def, op),
            ValueDef::Argument(block, _) => ir
                .block_of(op)
                .is_some_and(|at| self.dominates_block(ir, block, at)),
        }
    }
}

/// The operation of `region` that is `op` or holds it.
fn ancestor_op_in_region(ir: &Ir, op: Op, region: Region) -> Option<Op> {
    let mut current = op;
    loop {
        let at = ir.parent_region(current)?;
        if at == region {
            return Some(current);
        }
        current = ir.region_owner(at);
    }
}

#[cfg(test)]
#[path = "dominance_tests.rs"]
mod tests;
