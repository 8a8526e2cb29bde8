//! The control flow of a whole function, regions flattened out.
//!
//! A [`Node`] is a run of operations of one block that ends with a terminator
//! or with an operation that has regions. An [`Edge`] leads from there to
//! another block, into a region, from one region to the next, or out of the
//! regions to what follows. It says which values it hands on, and, if the
//! choice depends on an `i1`, under which condition it is taken. So branches
//! between blocks and structured control flow look the same to the checker.

use cranelift_entity::SecondaryMap;
use freehold_frontend::dialects::{cf, scf};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::dominance::Tree;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::interfaces::RegionPoint;
use freehold_frontend::ir::op_def::Traits;
use smallvec::SmallVec;

/// The number of a [`Node`].
pub(super) type NodeId = u32;
/// The number of an [`Edge`].
pub(super) type EdgeId = u32;

/// "No node": the operation is not part of the function's own flow.
pub(super) const NO_NODE: NodeId = u32::MAX;

/// How an edge leaves the operation it starts at; for explanations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// There is no choice.
    Only,
    /// A condition holds or does not hold.
    Condition(bool),
    /// To this successor of a terminator with several.
    Successor(u32),
    /// Into this region.
    Into(u32),
    /// Out of, or past, the regions of an operation.
    Past,
}

/// Control goes from one node to another.
pub(super) struct Edge {
    pub(super) from: NodeId,
    pub(super) to: NodeId,
    /// The operation that decides.
    pub(super) op: Op,
    pub(super) way: Way,
    /// Taken only if the value is this.
    pub(super) condition: Option<(Value, bool)>,
}

/// An edge hands `source` on as `target`.
#[derive(Clone, Copy)]
pub(super) struct Assignment {
    pub(super) edge: EdgeId,
    pub(super) target: Value,
    pub(super) source: Value,
}

/// A run of operations without control flow inside.
pub(super) struct Node {
    /// Its last operation.
    pub(super) last: Option<Op>,
    /// Edges that start here.
    pub(super) edges: SmallVec<[EdgeId; 2]>,
    /// Edges that end here.
    pub(super) incoming: SmallVec<[EdgeId; 2]>,
    /// Whether a path leads from here to a return or to a cycle: whether a leak here may matter.
    pub(super) goes_on: bool,
    /// The nodes whose choice of an edge decides whether this one runs.
    pub(super) controllers: SmallVec<[NodeId; 2]>,
}

/// The flow of one function.
pub(super) struct Flow {
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
    /// Where each operation is.
    pub(super) node_of: SecondaryMap<Op, NodeId>,
    /// The order of operations within nodes.
    pub(super) position: SecondaryMap<Op, u32>,
    /// The node that begins with each block.
    block_start: SecondaryMap<Block, NodeId>,
    /// The node after each operation with regions.
    after: SecondaryMap<Op, NodeId>,
    /// Where the function begins.
    pub(super) entry: NodeId,
    /// All assignments, sorted by target.
    by_target: Vec<Assignment>,
    /// All assignments, sorted by source.
    by_source: Vec<Assignment>,
    /// The assignments of each edge.
    by_edge: Vec<SmallVec<[(Value, Value); 2]>>,
    post_dominators: Tree,
}

impl Flow {
    /// The flow of the function `ir`; `None` if it has no body.
    pub(super) fn new(ir: &Ir) -> Option<Self> {
        let entry_block = ir.root_block()?;
        let mut flow = Self {
            nodes: Vec::new(),
            edges: Vec::new(),
            node_of: SecondaryMap::with_default(NO_NODE),
            position: SecondaryMap::new(),
            block_start: SecondaryMap::with_default(NO_NODE),
            after: SecondaryMap::with_default(NO_NODE),
            entry: 0,
            by_target: Vec::new(),
            by_source: Vec::new(),
            by_edge: Vec::new(),
            post_dominators: Tree::of_graph(&[Vec::new()], 0),
        };
        let blocks = ir.collect_blocks(ir.root());
        flow.add_nodes(ir, &blocks);
        for &block in &blocks {
            flow.add_block_edges(ir, block);
        }
        flow.entry = flow.block_start[entry_block];
        flow.index_assignments();
        flow.find_ends(ir, &blocks);
        flow.find_controllers();
        Some(flow)
    }

    fn add_nodes(&mut self, ir: &Ir, blocks: &[Block]) {
        let mut position = 0;
        for &block in blocks {
            let mut node = self.add_node();
            self.block_start[block] = node;
            for op in ir.ops_in(block) {
                position += 1;
                self.position[op] = position;
                self.node_of[op] = node;
                self.nodes[node as usize].last = Some(op);
                if has_blocks(ir, op) {
                    node = self.add_node();
                    self.after[op] = node;
                }
            }
        }
    }

    fn add_node(&mut self) -> NodeId {
        self.nodes.push(Node {
            last: None,
            edges: SmallVec::new(),
            incoming: SmallVec::new(),
            goes_on: false,
            controllers: SmallVec::new(),
        });
        (self.nodes.len() - 1) as NodeId
    }

    fn add_edge(&mut self, edge: Edge, targets: &[Value], sources: &[Value]) {
        let id = self.edges.len() as EdgeId;
        self.nodes[edge.from as usize].edges.push(id);
        self.nodes[edge.to as usize].incoming.push(id);
        self.edges.push(edge);
        let pairs = targets.iter().copied().zip(sources.iter().copied());
        self.by_edge.push(pairs.collect());
    }

    /// The edges that start in `block` or at operations with regions in it.
    fn add_block_edges(&mut self, ir: &Ir, block: Block) {
        for op in ir.ops_in(block) {
            if has_blocks(ir, op) {
                self.add_entry_edges(ir, op);
            }
        }
        let Some(last) = ir.last_op(block) else {
            return;
        };
        let parent = ir.block_parent_op(block);
        if !ir.successors(last).is_empty() {
            self.add_branch_edges(ir, last);
        } else if let Some(parent) = parent.filter(|&parent| parent != ir.root())
            && ends_region(ir, parent, last)
        {
            self.add_exit_edges(ir, parent, block, last);
        }
    }

    fn add_branch_edges(&mut self, ir: &Ir, op: Op) {
        let successors = ir.successors(op);
        for (index, &block) in successors.iter().enumerate() {
            let (way, condition) = match successors.len() {
                1 => (Way::Only, None),
                _ if ir.is(op, &cf::COND_BR) => (
                    Way::Condition(index == 0),
                    Some((ir.operand(op, 0), index == 0)),
                ),
                _ => (Way::Successor(index as u32), None),
            };
            let (from, to) = (self.node_of[op], self.block_start[block]);
            let edge = Edge {
                from,
                to,
                op,
                way,
                condition,
            };
            self.add_edge(edge, ir.block_args(block), ir.successor_operands(op, index));
        }
    }

    /// From an operation into its regions, or past them.
    fn add_entry_edges(&mut self, ir: &Ir, op: Op) {
        if ir.def(op).region_branch.is_none() {
            self.add_anywhere_edges(ir, op, op);
            return;
        }
        let successors = ir.region_successors(op, RegionPoint::Parent);
        for &to in &successors {
            let condition = ir
                .is(op, &scf::IF)
                .then(|| (ir.operand(op, 0), to == RegionPoint::Region(0)));
            self.add_region_edge(ir, op, op, to, condition, successors.len());
        }
    }

    /// Where the edges begin that leave a region through `last`, the last
    /// operation of a block: it may have regions itself, if the block has no
    /// terminator.
    fn end_of(&self, last: Op) -> NodeId {
        match self.after[last] {
            NO_NODE => self.node_of[last],
            after => after,
        }
    }

    /// From the end `last` of `block`, which is in a region of `parent`.
    fn add_exit_edges(&mut self, ir: &Ir, parent: Op, block: Block, last: Op) {
        let region = ir.region_of(block);
        let index = ir.regions(parent).iter().position(|&r| Some(r) == region);
        if ir.def(parent).region_branch.is_none() {
            self.add_anywhere_edges(ir, parent, last);
            return;
        }
        let from = RegionPoint::Region(index.unwrap_or(0));
        let successors = ir.region_successors(parent, from);
        for &to in &successors {
            let condition = ir
                .is(last, &scf::CONDITION)
                .then(|| (ir.operand(last, 0), to != RegionPoint::Parent));
            self.add_region_edge(ir, parent, last, to, condition, successors.len());
        }
    }

    /// From `from`, which is `parent` or ends one of its regions, to `to`.
    fn add_region_edge(
        &mut self,
        ir: &Ir,
        parent: Op,
        from: Op,
        to: RegionPoint,
        condition: Option<(Value, bool)>,
        n_successors: usize,
    ) {
        let Some(node) = self.region_point_node(ir, parent, to) else {
            return;
        };
        let way = match (condition, to) {
            (Some((_, expected)), _) => Way::Condition(expected),
            _ if n_successors == 1 => Way::Only,
            (None, RegionPoint::Region(index)) => Way::Into(index as u32),
            (None, RegionPoint::Parent) => Way::Past,
        };
        let targets = ir.region_successor_inputs(parent, to);
        let (start, sources) = if from == parent {
            (self.node_of[parent], ir.region_entry_operands(parent, to))
        } else {
            (self.end_of(from), ir.region_terminator_operands(from, to))
        };
        let edge = Edge {
            from: start,
            to: node,
            op: from,
            way,
            condition,
        };
        self.add_edge(edge, targets, sources);
    }

    /// Regions of unknown order: any of them may run next, or none.
    fn add_anywhere_edges(&mut self, ir: &Ir, parent: Op, from: Op) {
        let start = if from == parent {
            self.node_of[parent]
        } else {
            self.end_of(from)
        };
        let mut targets = vec![(self.after[parent], Way::Past)];
        for index in 0..ir.regions(parent).len() {
            let node = self.region_point_node(ir, parent, RegionPoint::Region(index));
            targets.extend(node.map(|node| (node, Way::Into(index as u32))));
        }
        for (to, way) in targets {
            let edge = Edge {
                from: start,
                to,
                op: from,
                way,
                condition: None,
            };
            self.add_edge(edge, &[], &[]);
        }
    }

    fn region_point_node(&self, ir: &Ir, parent: Op, point: RegionPoint) -> Option<NodeId> {
        match point {
            RegionPoint::Parent => Some(self.after[parent]),
            RegionPoint::Region(index) => {
                let block = ir.entry_block(*ir.regions(parent).get(index)?)?;
                Some(self.block_start[block])
            }
        }
    }

    fn index_assignments(&mut self) {
        for (edge, pairs) in self.by_edge.iter().enumerate() {
            for &(target, source) in pairs {
                let edge = edge as EdgeId;
                self.by_target.push(Assignment {
                    edge,
                    target,
                    source,
                });
            }
        }
        self.by_source = self.by_target.clone();
        self.by_target.sort_by_key(|a| (a.target, a.edge));
        self.by_source.sort_by_key(|a| (a.source, a.edge));
    }

    /// Marks the nodes from which a return or a circle is reached.
    fn find_ends(&mut self, ir: &Ir, blocks: &[Block]) {
        let mut pending = Vec::new();
        for &block in blocks {
            if let Some(last) = ir.last_op(block)
                && returns(ir, last)
            {
                pending.push(self.node_of[last]);
            }
        }
        // The nodes that remain when those without a way on are removed again and again lead to a
        // cycle.
        let mut n_edges: Vec<usize> = self.nodes.iter().map(|node| node.edges.len()).collect();
        let mut ends: Vec<usize> = (0..n_edges.len()).filter(|&i| n_edges[i] == 0).collect();
        while let Some(node) = ends.pop() {
            for &edge in &self.nodes[node].incoming {
                let from = self.edges[edge as usize].from as usize;
                n_edges[from] -= 1;
                if n_edges[from] == 0 {
                    ends.push(from);
                }
            }
        }
        pending.extend(
            (0..n_edges.len())
                .filter(|&i| n_edges[i] > 0)
                .map(|i| i as NodeId),
        );
        while let Some(node) = pending.pop() {
            let node = &mut self.nodes[node as usize];
            if !std::mem::replace(&mut node.goes_on, true) {
                let incoming = node.incoming.iter();
                pending.extend(incoming.map(|&edge| self.edges[edge as usize].from));
            }
        }
    }

    /// Fills in post-dominators and [`Node::controllers`] (Ferrante, Ottenstein
    /// and Warren: every node between the target of an edge and the immediate
    /// post-dominator of its source depends on that source).
    fn find_controllers(&mut self) {
        let successors: Vec<Vec<usize>> = self
            .nodes
            .iter()
            .map(|node| {
                let edges = node.edges.iter();
                edges
                    .map(|&edge| self.edges[edge as usize].to as usize)
                    .collect()
            })
            .collect();
        self.post_dominators = Tree::post_dominators(&successors);
        for (from, successors) in successors.iter().enumerate() {
            let stop = self.post_dominators.parent(from);
            for &to in successors {
                let mut current = Some(to);
                while current != stop {
                    let Some(node) = current.and_then(|node| self.nodes.get_mut(node)) else {
                        break;
                    };
                    if node.controllers.last() == Some(&(from as NodeId)) {
                        // Another edge of the same node led here before; it
                        // also marked what follows.
                        break;
                    }
                    node.controllers.push(from as NodeId);
                    current = current.and_then(|node| self.post_dominators.parent(node));
                }
            }
        }
    }

    /// The node in which the results of `op` are available first.
    pub(super) fn result_node(&self, op: Op) -> NodeId {
        self.end_of(op)
    }

    /// The node that `block` begins with.
    pub(super) fn block_start(&self, block: Block) -> NodeId {
        self.block_start[block]
    }

    /// The assignments that give `target` its value, in order of edges.
    pub(super) fn assignments_to(&self, target: Value) -> &[Assignment] {
        let start = self.by_target.partition_point(|a| a.target < target);
        let n = self.by_target[start..].partition_point(|a| a.target == target);
        &self.by_target[start..start + n]
    }

    /// The assignments that hand `source` on, in order of edges.
    pub(super) fn assignments_from(&self, source: Value) -> &[Assignment] {
        let start = self.by_source.partition_point(|a| a.source < source);
        let n = self.by_source[start..].partition_point(|a| a.source == source);
        &self.by_source[start..start + n]
    }

    /// What an edge assigns: target and source.
    pub(super) fn assignments_of(&self, edge: EdgeId) -> &[(Value, Value)] {
        &self.by_edge[edge as usize]
    }

    /// For each node of `from` the closest of the nodes `marked` that is the
    /// node itself or on every path from it to the end. `marked` is sorted.
    pub(super) fn next_marked(&self, from: &[NodeId], marked: &[NodeId]) -> Vec<Option<NodeId>> {
        // In depth-first order of the tree, the marked nodes above a node are
        // those whose interval is open when it is met.
        let mut events: Vec<(usize, bool, usize)> = Vec::new();
        let start = |node: NodeId| self.post_dominators.interval(node as usize).start;
        events.extend(
            marked
                .iter()
                .enumerate()
                .map(|(i, &node)| (start(node), false, i)),
        );
        events.extend(
            from.iter()
                .enumerate()
                .map(|(i, &node)| (start(node), true, i)),
        );
        events.sort_unstable();
        let mut open: Vec<NodeId> = Vec::new();
        let mut result = vec![None; from.len()];
        for (at, is_query, i) in events {
            let end = |node: NodeId| self.post_dominators.interval(node as usize).end;
            while open.last().is_some_and(|&node| end(node) <= at) {
                open.pop();
            }
            if is_query {
                result[i] = open.last().copied();
            } else {
                open.push(marked[i]);
            }
        }
        result
    }
}

/// Whether `op` has a region with a block.
fn has_blocks(ir: &Ir, op: Op) -> bool {
    ir.regions(op)
        .iter()
        .any(|&region| ir.entry_block(region).is_some())
}

/// Whether the last operation of a block inside a region hands control to
/// the operation around; otherwise the program stops there.
fn ends_region(ir: &Ir, parent: Op, last: Op) -> bool {
    let def = ir.def(last);
    let implicit = ir.def(parent).implicit_terminator;
    !def.traits.contains(Traits::TERMINATOR)
        || def.traits.contains(Traits::RETURN_LIKE)
        || def.region_terminator.is_some()
        || implicit.is_some_and(|implicit| ir.is(last, implicit))
}

/// Whether `op` returns from the function.
pub(super) fn returns(ir: &Ir, op: Op) -> bool {
    let at_top = ir.block_of(op).and_then(|block| ir.block_parent_op(block)) == Some(ir.root());
    at_top && ir.has_trait(op, Traits::TERMINATOR.and(Traits::RETURN_LIKE))
}
