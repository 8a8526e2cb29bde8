//! Random control flow: what chains and gaps say of each block must be what
//! looking at every block says. And what is passed by must not be looked at.

use std::fmt::Write as _;
use std::sync::Arc;

use freehold_frontend::dialects;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::ir::dominance::DominatorTree;
use freehold_frontend::ir::entities::{Block, Op};
use freehold_frontend::syntax::parser::parse_source;
use rustc_hash::FxHashSet;

use freehold_passes::analysis::liveness::RegionChains;
use freehold_passes::rewrite::unreachable_blocks::erase_unreachable_blocks;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) % n as u64) as usize
    }
}

/// The successors of each block, structured but for some edges.
struct Graph {
    random: Random,
    successors: Vec<Vec<usize>>,
}

impl Graph {
    fn block(&mut self) -> usize {
        self.successors.push(Vec::new());
        self.successors.len() - 1
    }

    /// Control flow from `from` on; gives the block where it ends.
    fn grow(&mut self, mut from: usize, depth: usize) -> usize {
        for _ in 0..1 + self.random.below(3) {
            let next = self.block();
            match self.random.below(if depth == 0 { 3 } else { 9 }) {
                0 => self.successors[from].push(next),
                1 => self.successors[from].extend([next, next]),
                2 => {
                    // A loop of one block.
                    self.successors[from].push(next);
                    self.successors[next].push(next);
                }
                3 => {
                    // A loop that is left at its beginning.
                    let body = self.block();
                    let head = self.block();
                    self.successors[from].push(head);
                    let end = self.grow(body, depth - 1);
                    self.successors[head].extend([body, next]);
                    self.successors[end].push(head);
                }
                4 => {
                    // One that is left at its end, or from the middle.
                    let head = self.block();
                    self.successors[from].push(head);
                    let middle = self.grow(head, depth - 1);
                    if self.random.below(2) == 0 {
                        self.successors[middle].push(next);
                    }
                    let end = self.grow(middle, depth - 1);
                    self.successors[end].extend([head, next]);
                }
                5 => {
                    // One that is entered in two places, or never left.
                    let first = self.block();
                    let second = self.block();
                    self.successors[from].extend([first, second]);
                    let end = self.grow(first, depth - 1);
                    self.successors[end].push(second);
                    let end = self.grow(second, depth - 1);
                    self.successors[end].push(first);
                    let from = [from, end][self.random.below(2)];
                    self.successors[from].push(next);
                }
                kind => {
                    if kind == 6 {
                        self.successors[from].push(next);
                    }
                    for _ in 0..1 + self.random.below(2) {
                        let arm = self.block();
                        self.successors[from].push(arm);
                        let end = self.grow(arm, depth - 1);
                        self.successors[end].push(next);
                    }
                }
            }
            from = next;
        }
        from
    }

    fn new(seed: u64) -> Self {
        let mut graph = Self {
            random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
            successors: Vec::new(),
        };
        let entry = graph.block();
        graph.grow(entry, 3);
        // Some edges that no structure has, but none back to the entry.
        for _ in 0..graph.random.below(8).saturating_sub(4) {
            let n = graph.successors.len();
            let (from, to) = (graph.random.below(n), 1 + graph.random.below(n - 1));
            graph.successors[from].push(to);
        }
        graph
    }

    fn text(&self) -> String {
        let mut text = String::from("func.func @f(%flag: i32) {\n  cf.br ^bb0\n");
        for (block, successors) in self.successors.iter().enumerate() {
            let _ = writeln!(text, "^bb{block}:\n  %x{block} = arith.constant 0 : i32");
            let _ = match successors[..] {
                [] => writeln!(text, "  return"),
                [only] => writeln!(text, "  cf.br ^bb{only}"),
                [default, ref cases @ ..] => {
                    let cases = cases.iter().enumerate();
                    let cases: String = cases
                        .map(|(i, to)| format!(",\n    {i}: ^bb{to}"))
                        .collect();
                    writeln!(
                        text,
                        "  cf.switch %flag : i32, [\n    default: ^bb{default}{cases}\n  ]"
                    )
                }
            };
        }
        text + "}\n"
    }
}

/// The blocks at whose beginning and end something is needed.
fn live_blocks(ir: &Ir, definition: Option<Block>, users: &[Op]) -> [FxHashSet<Block>; 2] {
    let [mut live_in, mut live_out] = [FxHashSet::default(), FxHashSet::default()];
    let mut pending: Vec<Block> = users.iter().filter_map(|&user| ir.block_of(user)).collect();
    while let Some(block) = pending.pop() {
        if Some(block) != definition && live_in.insert(block) {
            for before in ir.predecessors(block) {
                live_out.insert(before);
                pending.push(before);
            }
        }
    }
    [live_in, live_out]
}

#[test]
fn random_graphs() {
    for seed in 0..500 {
        let text = Graph::new(seed).text();
        with_function(&text, |ir| check(ir, seed, &text));
    }
}

/// Calls `f` with the first function of a module, without unreachable blocks.
fn with_function(text: &str, f: impl FnOnce(&Ir)) {
    let context = Arc::new(dialects::context());
    let mut diagnostics = Diagnostics::new();
    let source = context.add_source("test", text, 1).unwrap();
    let mut module = parse_source(&context, &source, &mut diagnostics)
        .unwrap_or_else(|_| panic!("{}\n{text}", diagnostics.render_plain(&context)));
    let function = module.first_op(module.root_block().unwrap()).unwrap();
    let ir = module.nested_mut(function).unwrap();
    erase_unreachable_blocks(ir);
    f(ir);
}

fn check(ir: &Ir, seed: u64, text: &str) {
    let region = ir.region(ir.root(), 0);
    let blocks: Vec<Block> = ir.blocks_in(region).collect();
    let tree = DominatorTree::new(ir, region);
    let chains = RegionChains::of(ir);
    let mut random = Random(seed + 1);
    let definitions = blocks.iter().copied().map(Some).chain([None]);
    for definition in definitions {
        let mut users = Vec::new();
        let rarity = 2 + random.below(8);
        for &block in blocks
            .iter()
            .filter(|&&block| definition.is_none_or(|at| tree.dominates(at, block)))
        {
            if random.below(rarity) == 0 {
                users.extend(ir.first_op(block));
            }
            if random.below(2 * rarity) == 0 {
                users.extend(ir.last_op(block));
            }
        }
        let [live_in, live_out] = live_blocks(ir, definition, &users);
        let live = chains.liveness(ir, region, definition, &users);
        let last_blocks = live.last_blocks(ir);
        for (index, block) in last_blocks.iter().enumerate() {
            assert!(!last_blocks[..index].contains(block), "seed {seed}, twice");
            let is_needed = live_out.contains(block) || live.last_use(*block).is_some();
            assert!(is_needed, "seed {seed}, not needed in\n{text}");
        }
        for (number, &block) in blocks.iter().enumerate() {
            let what = format!("seed {seed}, block {number} of\n{text}");
            assert_eq!(
                live.is_live_in(block),
                live_in.contains(&block),
                "in, {what}"
            );
            assert_eq!(
                live.is_live_out(block),
                live_out.contains(&block),
                "out, {what}"
            );
            let is_last = last_blocks.contains(&block);
            let mut here = users
                .iter()
                .filter(|&&user| ir.block_of(user) == Some(block));
            if !live_out.contains(&block) {
                let last = ir
                    .last_op(block)
                    .filter(|last| here.clone().any(|user| user == last));
                let last = last.or_else(|| here.next().copied());
                assert_eq!(live.last_use(block), last, "last, {what}");
                assert!(is_last || last.is_none(), "dies, {what}");
            } else {
                let successors = ir.block_successors(block);
                let dies = successors.iter().any(|next| !live_in.contains(next));
                assert!(is_last || !dies, "dies on an edge, {what}");
            }
        }
    }
}

/// `n` times the same in a row, between a first and a last block: `piece` names the
/// successors of its blocks, counted from its first one, the end of the piece last.
fn row(piece: &[&[usize]], n: usize) -> Graph {
    let mut successors = vec![vec![1]];
    for _ in 0..n {
        let first = successors.len();
        let blocks = piece.iter();
        successors.extend(blocks.map(|block| block.iter().map(|to| first + to).collect()));
    }
    successors.push(Vec::new());
    Graph {
        random: Random(1),
        successors,
    }
}

#[test]
fn what_is_live_through_something_costs_nothing_there() {
    let pieces: [&[&[usize]]; 7] = [
        // A diamond, a switch that falls through, a block in a loop of its own.
        &[&[1, 2], &[3], &[3]],
        &[&[1, 2, 3, 4], &[2], &[3], &[4]],
        &[&[0, 1]],
        // Loops that are left at the beginning, and in several places.
        &[&[1, 2], &[0]],
        &[&[1, 3], &[2, 3], &[0, 3]],
        // A loop in a loop, and one with two entries.
        &[&[1], &[1, 0, 2]],
        &[&[1, 2], &[2], &[1, 3]],
    ];
    for piece in pieces {
        for n in [10, 100] {
            let text = row(piece, n).text();
            with_function(&text, |ir| {
                let region = ir.region(ir.root(), 0);
                let blocks: Vec<Block> = ir.blocks_in(region).collect();
                let chains = RegionChains::of(ir);
                let users = [ir.last_op(blocks[blocks.len() - 1]).unwrap()];
                let live = chains.liveness(ir, region, Some(blocks[0]), &users);
                assert!(blocks[1..].iter().all(|&block| live.is_live_in(block)));
                assert!(
                    (1..=2).contains(&live.n_chains()),
                    "{} of\n{text}",
                    live.n_chains()
                );
            });
        }
    }
}
