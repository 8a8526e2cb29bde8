//! Tests of the dominator trees: named graphs, and random graphs against the
//! definition.

use std::sync::Arc;

use super::{BlockGraph, Dominance, DominatorTree, Tree};
use crate::ir::builtin;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Block, Op, Region};
use crate::ir::location::Loc;
use crate::ir::op_def::{OpDef, Traits};

static JUMP: OpDef = OpDef {
    name: "t.jump",
    traits: Traits::TERMINATOR,
    successors: (0, usize::MAX),
    ..OpDef::BASE
};

static NEST: OpDef = OpDef {
    name: "t.nest",
    regions: (1, 1),
    ..OpDef::BASE
};

struct Graph {
    ir: Ir,
    nest: Op,
    region: Region,
    blocks: Vec<Block>,
}

/// Post-dominators by blocks.
struct PostTree {
    graph: BlockGraph,
    tree: Tree,
}

impl PostTree {
    fn ipdom(&self, block: Block) -> Option<Block> {
        let parent = self.tree.parent(self.graph.node(block))?;
        self.graph.blocks.get(parent).copied()
    }

    fn post_dominates(&self, a: Block, b: Block) -> bool {
        let (a, b) = (self.graph.node(a), self.graph.node(b));
        self.tree.is_ancestor(a, b)
    }

    fn nearest_common(&self, a: Block, b: Block) -> Option<Block> {
        let (a, b) = (self.graph.node(a), self.graph.node(b));
        let node = self.tree.nearest_common_ancestor(a, b)?;
        self.graph.blocks.get(node).copied()
    }
}

/// A region with one block per entry; the entry lists its successors.
fn graph(edges: &[&[usize]]) -> Graph {
    let context = Arc::new(Context::with_dialects(&[]));
    let mut ir = builtin::module(&context, Loc::UNKNOWN);
    let body = ir.root_block().unwrap();
    let nest = ir.create_op(OpSpec::new(&NEST, Loc::UNKNOWN).regions(1));
    ir.append_op(body, nest);
    let region = ir.region(nest, 0);
    let blocks: Vec<Block> = edges.iter().map(|_| ir.append_block(region, &[])).collect();
    for (i, successors) in edges.iter().enumerate() {
        let successors: Vec<Block> = successors.iter().map(|&s| blocks[s]).collect();
        let spec = OpSpec::new(&JUMP, Loc::UNKNOWN).successors(&successors);
        let op = ir.create_op(spec);
        ir.append_op(blocks[i], op);
    }
    Graph {
        ir,
        nest,
        region,
        blocks,
    }
}

impl Graph {
    fn tree(&self) -> DominatorTree {
        DominatorTree::new(&self.ir, self.region)
    }

    fn post_tree(&self) -> PostTree {
        let graph = BlockGraph::new(&self.ir, self.region);
        let tree = Tree::post_dominators(&graph.successors);
        PostTree { graph, tree }
    }

    fn index(&self, block: Option<Block>) -> Option<usize> {
        block.map(|block| self.blocks.iter().position(|&b| b == block).unwrap())
    }

    fn idoms(&self) -> Vec<Option<usize>> {
        let tree = self.tree();
        self.blocks
            .iter()
            .map(|&block| self.index(tree.idom(block)))
            .collect()
    }

    fn ipdoms(&self) -> Vec<Option<usize>> {
        let tree = self.post_tree();
        self.blocks
            .iter()
            .map(|&block| self.index(tree.ipdom(block)))
            .collect()
    }
}

#[test]
fn diamond() {
    let g = graph(&[&[1, 2], &[3], &[3], &[]]);
    assert_eq!(g.idoms(), [None, Some(0), Some(0), Some(0)]);
    assert_eq!(g.ipdoms(), [Some(3), Some(3), Some(3), None]);
    let tree = g.tree();
    let b = &g.blocks;
    assert!(tree.dominates(b[0], b[3]));
    assert!(!tree.dominates(b[1], b[3]));
    assert!(tree.dominates(b[1], b[1]));
    assert!(!tree.strictly_dominates(b[1], b[1]));
    assert_eq!(tree.nearest_common_dominator(b[1], b[2]), Some(b[0]));
    assert_eq!(tree.nearest_common_dominator(b[1], b[1]), Some(b[1]));
    assert_eq!(
        tree.preorder().collect::<Vec<_>>(),
        [b[0], b[1], b[2], b[3]]
    );
    assert_eq!(tree.reverse_postorder(), [b[0], b[2], b[1], b[3]]);
    assert_eq!(tree.depth(b[3]), 1);
    let post = g.post_tree();
    assert!(post.post_dominates(b[3], b[0]));
    assert!(!post.post_dominates(b[1], b[0]));
    assert_eq!(post.nearest_common(b[1], b[2]), Some(b[3]));
}

#[test]
fn loop_with_exit() {
    let g = graph(&[&[1], &[2, 3], &[1], &[]]);
    assert_eq!(g.idoms(), [None, Some(0), Some(1), Some(1)]);
    assert_eq!(g.ipdoms(), [Some(1), Some(3), Some(1), None]);
}

#[test]
fn irreducible() {
    let g = graph(&[&[1, 2], &[2, 3], &[1], &[]]);
    assert_eq!(g.idoms(), [None, Some(0), Some(0), Some(1)]);
}

#[test]
fn unreachable_blocks_are_dominated_by_all() {
    let g = graph(&[&[1], &[], &[1]]);
    assert_eq!(g.idoms(), [None, Some(0), None]);
    let tree = g.tree();
    let b = &g.blocks;
    assert!(!tree.is_reachable(b[2]));
    assert!(tree.dominates(b[1], b[2]));
    assert!(!tree.dominates(b[2], b[1]));
    assert_eq!(tree.nearest_common_dominator(b[1], b[2]), None);
    assert_eq!(g.ipdoms(), [Some(1), None, Some(1)]);
}

#[test]
fn several_exits_and_an_endless_loop() {
    let g = graph(&[&[1, 2, 3], &[], &[], &[4], &[3]]);
    assert_eq!(g.ipdoms(), [None, None, None, None, Some(3)]);
    let post = g.post_tree();
    assert_eq!(post.nearest_common(g.blocks[1], g.blocks[2]), None);
}

#[test]
fn empty_region_and_foreign_edges() {
    let g = graph(&[]);
    assert_eq!(g.idoms(), []);
    assert_eq!(g.tree().preorder().count(), 0);
    let _ = g.post_tree();

    // A branch out of the region is no edge.
    let mut g = graph(&[&[], &[]]);
    let outer = g.ir.root_block().unwrap();
    let jump = g.ir.last_op(g.blocks[0]).unwrap();
    g.ir.append_successor(jump, outer);
    assert_eq!(g.idoms(), [None, None]);
}

#[test]
fn long_chains_neither_overflow_nor_crawl() {
    const N: usize = 20_000;
    let edges: Vec<Vec<usize>> = (0..N)
        .map(|i| if i + 1 < N { vec![i + 1, 0] } else { vec![] })
        .collect();
    let edges: Vec<&[usize]> = edges.iter().map(|e| &e[..]).collect();
    let g = graph(&edges);
    let tree = g.tree();
    assert_eq!(tree.idom(g.blocks[N - 1]), Some(g.blocks[N - 2]));
    assert!(tree.dominates(g.blocks[1], g.blocks[N - 1]));
    let post = g.post_tree();
    assert!(post.post_dominates(g.blocks[N - 1], g.blocks[0]));
}

/// Whether `to` is reached from one of `from` without entering `avoid`.
fn reaches(edges: &[Vec<usize>], from: usize, to: usize, avoid: usize) -> bool {
    if from == avoid {
        return false;
    }
    let mut seen = vec![false; edges.len()];
    let mut stack = vec![from];
    while let Some(node) = stack.pop() {
        if node == to {
            return true;
        }
        if std::mem::replace(&mut seen[node], true) {
            continue;
        }
        stack.extend(edges[node].iter().copied().filter(|&next| next != avoid));
    }
    false
}

#[test]
fn random_graphs_match_the_definition() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n as u64) as usize
    };
    for _ in 0..300 {
        let n = 1 + random(12);
        let edges: Vec<Vec<usize>> = (0..n)
            .map(|_| (0..random(4)).map(|_| random(n)).collect())
            .collect();
        let slices: Vec<&[usize]> = edges.iter().map(|e| &e[..]).collect();
        let g = graph(&slices);
        let tree = g.tree();
        let post = g.post_tree();
        // The virtual exit, with the edges that the tree adds.
        let mut with_exit = edges.clone();
        with_exit.push(Vec::new());
        for end in super::ends(&edges) {
            with_exit[end].push(n);
        }
        for a in 0..n {
            assert!(reaches(&with_exit, a, n, usize::MAX), "{edges:?} {a}");
            assert_eq!(
                tree.is_reachable(g.blocks[a]),
                reaches(&edges, 0, a, usize::MAX)
            );
            for b in 0..n {
                let expected = a == b || !reaches(&edges, 0, b, a);
                let expected = expected
                    && (a == b
                        || reaches(&edges, 0, a, usize::MAX)
                        || !reaches(&edges, 0, b, usize::MAX));
                assert_eq!(
                    tree.dominates(g.blocks[a], g.blocks[b]),
                    expected,
                    "{edges:?} {a} {b}"
                );
                let (block, other) = (g.blocks[a], g.blocks[b]);
                let common = post.nearest_common(block, other);
                let above =
                    |node| post.post_dominates(node, block) && post.post_dominates(node, other);
                for &node in &g.blocks {
                    let is_below = common.is_some_and(|common| post.post_dominates(node, common));
                    assert_eq!(above(node), is_below, "{edges:?} {a} {b}");
                }
                assert_eq!(
                    post.post_dominates(g.blocks[a], g.blocks[b]),
                    a == b || !reaches(&with_exit, b, n, a),
                    "{edges:?} {a} {b}"
                );
            }
        }
    }
}

#[test]
fn operations_across_regions() {
    let mut g = graph(&[&[1], &[]]);
    let (first, second) = (
        g.ir.last_op(g.blocks[0]).unwrap(),
        g.ir.last_op(g.blocks[1]).unwrap(),
    );
    let inner = g.ir.create_op(OpSpec::new(&NEST, Loc::UNKNOWN).regions(1));
    g.ir.insert_op_before(second, inner);
    let inner_region = g.ir.region(inner, 0);
    let inner_block = g.ir.append_block(inner_region, &[]);
    let leaf = g.ir.create_op(OpSpec::new(&JUMP, Loc::UNKNOWN));
    g.ir.append_op(inner_block, leaf);

    let dominance = Dominance::new(&g.ir);
    assert!(dominance.properly_dominates_op(&g.ir, first, leaf));
    assert!(dominance.properly_dominates_op(&g.ir, first, second));
    assert!(!dominance.properly_dominates_op(&g.ir, second, leaf));
    assert!(!dominance.properly_dominates_op(&g.ir, inner, leaf));
    assert!(!dominance.properly_dominates_op(&g.ir, leaf, second));
    assert!(!dominance.properly_dominates_op(&g.ir, first, first));
    assert!(dominance.dominates_block(&g.ir, g.blocks[0], inner_block));
    assert!(!dominance.dominates_block(&g.ir, inner_block, g.blocks[1]));
    // Modules are graph regions: order does not matter there.
    assert!(dominance.properly_dominates_op(&g.ir, g.nest, g.nest));
}
