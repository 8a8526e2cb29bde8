//! The blocks of one region as ranges of positions, and how memory lives along the edges between them.

use std::cell::RefCell;
use std::collections::BTreeMap;

use cranelift_entity::SecondaryMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::dominance::DominatorTree;
use freehold_frontend::ir::entities::{Block, Region};

use crate::merge_alloc::schedule::merged;
use crate::merge_alloc::ticks::Span;

/// The blocks of a region in textual order, by number.
pub(super) struct Blocks {
    blocks: Vec<Block>,
    /// First and last position.
    spans: Vec<Span>,
    predecessors: Vec<Vec<usize>>,
    successors: Vec<Vec<usize>>,
    tree: DominatorTree,
    /// Numbers in reverse postorder.
    order: Vec<usize>,
    /// Scratch space of [`Blocks::between`], all zero between calls.
    until: RefCell<Vec<u32>>,
}

/// More rounds are not made; see [`Blocks::earlier`] Bounds compile time.
const MAX_ROUNDS: usize = 8;

impl Blocks {
    /// Operations have consecutive positions. Empty blocks must not be there.
    pub(super) fn new(ir: &Ir, region: Region) -> Self {
        let blocks: Vec<Block> = ir.blocks_in(region).collect();
        let mut number: SecondaryMap<Block, usize> = SecondaryMap::new();
        let mut spans = Vec::with_capacity(blocks.len());
        let mut next = 0;
        for (i, &block) in blocks.iter().enumerate() {
            number[block] = i;
            let n = ir.ops_in(block).count() as u32;
            spans.push((next, (next + n).saturating_sub(1)));
            next += n;
        }
        let successors: Vec<Vec<usize>> = blocks
            .iter()
            .map(|&block| {
                ir.block_successors(block)
                    .iter()
                    .map(|&b| number[b])
                    .collect()
            })
            .collect();
        let mut predecessors = vec![Vec::new(); blocks.len()];
        for (block, successors) in successors.iter().enumerate() {
            for &successor in successors {
                predecessors[successor].push(block);
            }
        }
        let tree = DominatorTree::new(ir, region);
        let order = tree
            .reverse_postorder()
            .iter()
            .map(|&b| number[b])
            .collect();
        Self {
            until: RefCell::new(vec![0; blocks.len()]),
            blocks,
            spans,
            predecessors,
            successors,
            tree,
            order,
        }
    }

    fn number(&self, position: u32) -> usize {
        self.spans.partition_point(|&(first, _)| first <= position) - 1
    }

    /// The block of a position.
    pub(super) fn block(&self, position: u32) -> Block {
        self.blocks[self.number(position)]
    }

    /// The last positions of all blocks.
    pub(super) fn ends(&self) -> impl Iterator<Item = u32> + '_ {
        self.spans.iter().map(|&(_, last)| last)
    }

    /// The parts of a span in each block.
    pub(super) fn pieces(&self, (first, last): Span) -> impl Iterator<Item = Span> + '_ {
        let blocks = &self.spans[self.number(first)..=self.number(last)];
        blocks
            .iter()
            .map(move |&(start, end)| (start.max(first), end.min(last)))
    }

    /// Whether one position has been executed whenever the other one is reached.
    pub(super) fn dominates(&self, a: u32, b: u32) -> bool {
        match (self.number(a), self.number(b)) {
            (x, y) if x == y => a <= b,
            (x, y) => self.tree.dominates(self.blocks[x], self.blocks[y]),
        }
    }

    /// The positions on the ways from `born`, which dominates them all, to some others, up to but not
    /// including the second number of each pair. That is in the same block as the first, or its end.
    pub(super) fn between(&self, born: u32, to: impl Iterator<Item = (u32, u32)>) -> Vec<Span> {
        let birth = self.number(born);
        // For each block on the way how far, as a position that is not included; 0 for all others.
        let mut until = self.until.borrow_mut();
        let mut on_the_way = Vec::new();
        let mut worklist = Vec::new();
        let mut add = |block: usize, end: u32, worklist: &mut Vec<usize>| {
            let until = &mut until[block];
            if *until == 0 {
                on_the_way.push(block);
                if block != birth {
                    worklist.push(block);
                }
            }
            *until = end.max(*until);
        };
        for (position, end) in to {
            add(self.number(position), end, &mut worklist);
        }
        while let Some(block) = worklist.pop() {
            for &predecessor in &self.predecessors[block] {
                add(predecessor, self.spans[predecessor].1 + 1, &mut worklist);
            }
        }
        on_the_way.sort_unstable();
        let span = |block: usize| {
            let end = std::mem::take(&mut until[block]);
            let first = if block == birth {
                born
            } else {
                self.spans[block].0
            };
            (first < end).then(|| (first, end - 1))
        };
        merged(on_the_way.into_iter().filter_map(span).collect())
    }

    /// Positions of `spans`, which begin at `born`, that cannot be reached from those in `freed` but by
    /// way of `born`; `freed` themselves are left out as well.
    pub(super) fn before(
        &self,
        spans: Vec<Span>,
        born: u32,
        freed: impl Iterator<Item = u32>,
    ) -> Vec<Span> {
        let birth = self.number(born);
        let contains = |position: u32| {
            let next = spans.partition_point(|&(first, _)| first <= position);
            next > 0 && position <= spans[next - 1].1
        };
        // From where on a block is left out.
        let mut gone: BTreeMap<usize, u32> = BTreeMap::new();
        let mut worklist: Vec<(usize, u32)> = freed.map(|at| (self.number(at), at)).collect();
        while let Some((block, from)) = worklist.pop() {
            let old = gone.get(&block).copied();
            gone.insert(block, old.map_or(from, |old| old.min(from)));
            if old.is_none() {
                let successors = self.successors[block].iter();
                let reached = successors.filter(|&&s| s != birth && contains(self.spans[s].0));
                worklist.extend(reached.map(|&s| (s, self.spans[s].0)));
            }
        }
        if gone.is_empty() {
            return spans;
        }
        let mut left = Vec::with_capacity(spans.len());
        for (mut first, last) in spans {
            for (&block, &from) in gone.range(self.number(first)..=self.number(last)) {
                let end = self.spans[block].1;
                if first < from && first <= last.min(end) {
                    left.push((first, last.min(from - 1)));
                }
                first = first.max(end + 1);
            }
            if first <= last {
                left.push((first, last));
            }
        }
        left
    }

    /// For each position the most that `value` has been at an earlier one, or is there, on every way to it,
    /// with nothing in between that `resets`.
    pub(super) fn earlier(&self, value: &[u64], resets: &[bool]) -> Vec<u64> {
        let through = |block: usize, start: u64, mut each: Option<&mut [u64]>| {
            let (first, last) = self.spans[block];
            let mut most = start;
            for position in first as usize..=last as usize {
                most = if resets[position] { 0 } else { most }.max(value[position]);
                if let Some(each) = &mut each {
                    each[position] = most;
                }
            }
            most
        };
        // What has not been seen yet takes nothing away: it is on no way that has been looked at.
        let mut at_end = vec![u64::MAX; self.spans.len()];
        let at_start = |block: usize, at_end: &[u64]| match block {
            0 => 0,
            _ => {
                let before = self.predecessors[block].iter().map(|&p| at_end[p]);
                before.min().unwrap_or(0)
            }
        };
        let mut is_stable = false;
        for _ in 0..MAX_ROUNDS {
            is_stable = true;
            for &block in &self.order {
                let end = through(block, at_start(block, &at_end), None);
                is_stable &= std::mem::replace(&mut at_end[block], end) == end;
            }
            if is_stable {
                break;
            }
        }
        let mut each = vec![0; value.len()];
        for &block in &self.order {
            let start = if is_stable {
                at_start(block, &at_end)
            } else {
                0
            };
            through(block, start, Some(&mut each));
        }
        each
    }
}
