//! The program structure tree of the blocks of a region: how pieces of control
//! flow with one way in and one way out follow each other and contain each other.
//!
//! In the graph whose edges are blocks and branches, with an edge from the end
//! back to the beginning, edges that lie on the same cycles (see
//! [`super::cycle_equivalence`]) make a *chain*: control passes them all, in one
//! order, once each before it passes the first again. Between two elements of a
//! chain there may be a *gap*, more of the graph, which control enters and leaves
//! there only: the arms of a branch, a loop, anything. Gaps hold chains again.

use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Region};
use smallvec::SmallVec;

use crate::analysis::liveness::cycle_equivalence::{Incidence, NONE, classes};

/// A chain, or numbers of chains.
pub(crate) type ChainId = u32;

/// Positions in a chain count elements and gaps: element `i` has position `2 * i`, and the gap to
/// the next one `2 * i + 1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Position {
    pub(crate) chain: ChainId,
    pub(crate) at: u32,
}

/// A block, or a branch from one block to another.
pub(crate) struct Element {
    /// `None` for a branch.
    pub(crate) block: PackedOption<Block>,
    /// The chains whose ends lead to this element: for the first one those that come before the
    /// chain, for others those in the gap in front of it.
    pub(crate) before: SmallVec<[ChainId; 2]>,
}

pub(crate) struct Chain {
    pub(crate) elements: Vec<Element>,
    /// The gap that it is directly inside of.
    pub(crate) gap: Option<Position>,
    /// How many gaps it is inside of.
    pub(crate) depth: u32,
}

/// All chains of a region but branches that are alone.
pub(crate) struct Chains {
    /// Where each block is.
    pub(crate) position: SecondaryMap<Block, Position>,
    pub(crate) chains: Vec<Chain>,
}

impl Chains {
    /// Those of a region without unreachable blocks.
    pub(crate) fn new(ir: &Ir, region: Region) -> Self {
        let graph = Graph::new(ir, region);
        let n_edges = graph.edges.len();
        // The last edge leads back to the beginning.
        let class = classes(graph.n_nodes, &graph.edges);
        let mut n_in_class = vec![0; n_edges];
        for &class in &class[..n_edges - 1] {
            n_in_class[class as usize] += 1;
        }
        let edges = || (0..).zip(&graph.edges[..n_edges - 1]);
        let outgoing = Incidence::new(graph.n_nodes, edges().map(|(e, &(from, _))| (from, e)));
        let incoming = Incidence::new(graph.n_nodes, edges().map(|(e, &(_, to))| (to, e)));

        let mut this = Self {
            position: SecondaryMap::new(),
            chains: Vec::new(),
        };
        let mut chain_of_class = vec![NONE; n_edges];
        // The position of each edge, if it is in a chain.
        let mut position: Vec<Option<Position>> = vec![None; n_edges];
        let mut gap: Vec<Option<Position>> = vec![None; graph.n_nodes];
        let mut is_seen = vec![false; graph.n_nodes];
        is_seen[0] = true;
        let mut stack = vec![0];
        // An edge is only reached by way of all those before it in its chain.
        while let Some(node) = stack.pop() {
            for &edge in outgoing.of(node) {
                let class = class[edge as usize] as usize;
                let mut gap_behind = gap[node as usize];
                let block = graph.blocks.get(edge as usize).copied();
                if block.is_some() || n_in_class[class] > 1 {
                    if chain_of_class[class] == NONE {
                        chain_of_class[class] = this.chains.len() as u32;
                        let depth =
                            gap_behind.map_or(0, |gap| this.chains[gap.chain as usize].depth + 1);
                        this.chains.push(Chain {
                            elements: Vec::with_capacity(n_in_class[class]),
                            gap: gap_behind,
                            depth,
                        });
                    }
                    let chain = chain_of_class[class];
                    let Chain { elements, gap, .. } = &mut this.chains[chain as usize];
                    let at = 2 * elements.len() as u32;
                    elements.push(Element {
                        block: block.into(),
                        before: SmallVec::new(),
                    });
                    gap_behind = if elements.len() < n_in_class[class] {
                        Some(Position { chain, at: at + 1 })
                    } else {
                        *gap
                    };
                    position[edge as usize] = Some(Position { chain, at });
                    if let Some(block) = block {
                        this.position[block] = Position { chain, at };
                    }
                }
                let (_, next) = graph.edges[edge as usize];
                if !std::mem::replace(&mut is_seen[next as usize], true) {
                    gap[next as usize] = gap_behind;
                    stack.push(next);
                }
            }
        }
        let mut pending = Vec::new();
        for (edge, &place) in position.iter().enumerate() {
            let Some(Position { chain, at }) = place else {
                continue;
            };
            let mut before: SmallVec<[ChainId; 2]> = SmallVec::new();
            pending.push(edge as u32);
            while let Some(edge) = pending.pop() {
                let (node, _) = graph.edges[edge as usize];
                for &edge in incoming.of(node) {
                    match position[edge as usize] {
                        None => pending.push(edge),
                        // Otherwise it is the way into the gap.
                        Some(last) if this.is_end(last) => before.push(last.chain),
                        Some(_) => {}
                    }
                }
            }
            before.sort_unstable();
            before.dedup();
            this.chains[chain as usize].elements[at as usize / 2].before = before;
        }
        this
    }

    /// Whether a chain ends with the element at this position.
    fn is_end(&self, position: Position) -> bool {
        self[position.chain].elements.len() == position.at as usize / 2 + 1
    }
}

impl std::ops::Index<ChainId> for Chains {
    type Output = Chain;

    fn index(&self, chain: ChainId) -> &Chain {
        &self.chains[chain as usize]
    }
}

/// The blocks of a region as edges of a graph, in which there is a way from every
/// node to every other.
struct Graph {
    blocks: Vec<Block>,
    n_nodes: usize,
    /// First the blocks: block `i` leads from node `2 * i` to the next one. The
    /// last edge leads from the end to the entry.
    edges: Vec<(u32, u32)>,
}

impl Graph {
    fn new(ir: &Ir, region: Region) -> Self {
        let blocks: Vec<Block> = ir.blocks_in(region).collect();
        let n_blocks = blocks.len();
        let branches = branches(ir, &blocks);
        let mut edges: Vec<(u32, u32)> = (0..n_blocks as u32).map(|i| (2 * i, 2 * i + 1)).collect();
        // What enters a loop meets at a node in front of it, so that a loop that
        // follows on one with several exits has one way in.
        let mut n_nodes = 2 * n_blocks as u32;
        let mut front = vec![NONE; n_blocks];
        for branch in branches.iter().filter(|branch| branch.is_back) {
            let front = &mut front[branch.to as usize];
            if *front == NONE {
                *front = n_nodes;
                edges.push((n_nodes, 2 * branch.to));
                n_nodes += 1;
            }
        }
        for branch in &branches {
            let to = match front[branch.to as usize] {
                front if front != NONE && !branch.is_back => front,
                _ => 2 * branch.to,
            };
            edges.push((2 * branch.from + 1, to));
        }
        // Where nothing leads to the end, one block of each endless loop does.
        let end = n_nodes;
        let incoming = (0..).zip(&branches).map(|(e, branch)| (branch.to, e));
        let incoming = Incidence::new(n_blocks, incoming);
        let mut has_end = vec![false; n_blocks];
        let is_last = |&block: &u32| ir.block_successors(blocks[block as usize]).is_empty();
        let last = (0..n_blocks as u32).filter(is_last);
        let mut pending = Vec::new();
        for block in last.chain((0..n_blocks as u32).rev()) {
            if has_end[block as usize] {
                continue;
            }
            edges.push((2 * block + 1, end));
            pending.push(block);
            while let Some(block) = pending.pop() {
                if !std::mem::replace(&mut has_end[block as usize], true) {
                    let before = incoming.of(block).iter();
                    pending.extend(before.map(|&e| branches[e as usize].from));
                }
            }
        }
        edges.push((end, 0));
        Self {
            blocks,
            n_nodes: end as usize + 1,
            edges,
        }
    }
}

/// A branch between blocks, by number.
struct Branch {
    from: u32,
    to: u32,
    /// Whether it leads to a block on the way to `from`.
    is_back: bool,
}

/// All branches between `blocks`, which can be reached from the first one.
fn branches(ir: &Ir, blocks: &[Block]) -> Vec<Branch> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        Unseen,
        OnTheWay,
        Done,
    }
    let mut number: SecondaryMap<Block, u32> = SecondaryMap::new();
    for (i, &block) in (0..).zip(blocks) {
        number[block] = i;
    }
    let successors = |block: u32| ir.block_successors(blocks[block as usize]);
    let mut branches = Vec::new();
    let mut state = vec![State::Unseen; blocks.len()];
    state[0] = State::OnTheWay;
    let mut way = vec![(0, successors(0))];
    while let Some((from, rest)) = way.last_mut() {
        let from = *from;
        let Some((&target, others)) = rest.split_first() else {
            state[from as usize] = State::Done;
            way.pop();
            continue;
        };
        *rest = others;
        let to = number[target];
        branches.push(Branch {
            from,
            to,
            is_back: state[to as usize] == State::OnTheWay,
        });
        if state[to as usize] == State::Unseen {
            state[to as usize] = State::OnTheWay;
            way.push((to, successors(to)));
        }
    }
    branches
}
