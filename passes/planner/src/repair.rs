//! Repairs plans of many buffers: those that are too high are put where they throw out as little as possible.
//!
//! A search tree of ten thousand buffers has no end, but its trouble is local: few buffers end above a goal. These
//! are taken out. Each goes into a hole; if there is none, to the place where those that it overlaps are
//! easiest to place elsewhere, and they are taken out. How hard a buffer is to place is its size times how
//! often there was no hole for it. Once nothing is out, the goal comes down. (Ejection chains with a
//! pool, after Nagata and Bräysy, 2009.)

use std::time::Instant;

use super::generate::Random;
use super::greedy::{Fit, find_hole};
use super::problem::{Lists, Problem, Structure};

/// No lists of more neighbours are made: 64 MB.
const MAX_PAIRS: usize = 1 << 24;

/// The way from the first peak to the target takes about this many steps.
const STEPS: u64 = 32;

/// A plan that is being repaired.
pub(super) struct Repair<'p> {
    problem: &'p Problem,
    neighbours: Lists,
    /// In units.
    offsets: Vec<u64>,
    /// The evicted buffers.
    pool: Vec<u32>,
    is_out: Vec<bool>,
    /// How often there was no hole, plus one.
    failures: Vec<u64>,
    random: Random,
}

impl<'p> Repair<'p> {
    /// `None` if too many buffers live at once for this.
    pub(super) fn new(problem: &'p Problem, offsets: Vec<u64>) -> Option<Self> {
        Some(Self {
            problem,
            neighbours: neighbours(problem)?,
            offsets,
            pool: Vec::new(),
            is_out: vec![false; problem.len()],
            failures: vec![1; problem.len()],
            random: Random::new(problem.len() as u64),
        })
    }

    /// Looks for plans with lower peaks until one has at most `target` bytes, this many buffers have been placed, or
    /// the time is over. Returns the best one, in units, and how many buffers were placed.
    pub(super) fn run(
        mut self,
        target: u64,
        budget: u64,
        deadline: Option<Instant>,
    ) -> (Vec<u64>, u64) {
        let mut placed = 0;
        let mut best = self.offsets.clone();
        let granule = self.problem.granule();
        let mut peak = self.problem.peak(&best);
        let step = ((peak - target.min(peak)) / STEPS).max(granule);
        while peak > target {
            let goal = peak.saturating_sub(step).max(target);
            for b in 0..self.problem.len() {
                if self.problem.end(b, self.offsets[b]) > goal {
                    self.is_out[b] = true;
                    self.pool.push(b as u32);
                }
            }
            while !self.pool.is_empty() {
                if placed >= budget || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    return (best, placed);
                }
                let next = self.random.below(self.pool.len() as u64) as usize;
                let b = self.pool.swap_remove(next);
                self.place(b as usize, goal);
                placed += 1;
            }
            best.copy_from_slice(&self.offsets);
            peak = self.problem.peak(&best);
        }
        (best, placed)
    }

    /// Gives an evicted buffer a place below the goal; evicts those in its way.
    fn place(&mut self, b: usize, goal: u64) {
        let mut occupied = Vec::new();
        for &other in self.neighbours.get(b) {
            let other = other as usize;
            if !self.is_out[other] {
                let offset = self.offsets[other];
                occupied.push((offset..offset + self.problem.sizes[other], other));
            }
        }
        occupied.sort_unstable_by_key(|(range, _)| range.start);
        let (size, alignment) = (self.problem.sizes[b], self.problem.alignments[b]);
        let ranges: Vec<_> = occupied.iter().map(|(range, _)| range.clone()).collect();
        let hole = find_hole(&ranges, size, alignment, Fit::Best);
        self.is_out[b] = false;
        if self.problem.end(b, hole) <= goal {
            self.offsets[b] = hole;
            return;
        }
        self.failures[b] += 1;
        // The cost of all that starts before some offset, and of all that ends up to there.
        let cost = |other: usize| self.failures[other].saturating_mul(self.problem.sizes[other]);
        let mut starts = Vec::with_capacity(occupied.len());
        let mut ends = Vec::with_capacity(occupied.len());
        for (range, other) in &occupied {
            starts.push((range.start, cost(*other)));
            ends.push((range.end, cost(*other)));
        }
        ends.sort_unstable();
        for list in [&mut starts, &mut ends] {
            let mut sum: u64 = 0;
            for (_, cost) in list.iter_mut() {
                sum = sum.saturating_add(*cost);
                *cost = sum;
            }
        }
        let upto = |list: &[(u64, u64)], n: usize| n.checked_sub(1).map_or(0, |last| list[last].1);
        let overlapped = |offset: u64| {
            let started = starts.partition_point(|&(start, _)| start < offset + size);
            let ended = ends.partition_point(|&(end, _)| end <= offset);
            upto(&starts, started).saturating_sub(upto(&ends, ended))
        };
        let above = ranges.iter().map(|range| range.end);
        let below = ranges
            .iter()
            .filter_map(|range| range.start.checked_sub(size));
        let candidates = above.chain(below).chain([0]);
        let candidates = candidates.map(|offset| offset.next_multiple_of(alignment));
        let fits = |&offset: &u64| self.problem.end(b, offset) <= goal;
        let best = (candidates.filter(fits)).min_by_key(|&offset| (overlapped(offset), offset));
        let offset = best.unwrap_or(0);
        self.offsets[b] = offset;
        for (range, other) in occupied {
            if range.start < offset + size && offset < range.end {
                self.is_out[other] = true;
                self.pool.push(other as u32);
            }
        }
    }
}

/// Of each buffer, all others that live at the same time.
fn neighbours(problem: &Problem) -> Option<Lists> {
    let spans = match &problem.structure {
        Structure::Graph { neighbours, .. } => return Some(neighbours.clone()),
        Structure::Intervals { spans, .. } => spans,
    };
    let mut by_start: Vec<u32> = (0..problem.len() as u32).collect();
    by_start.sort_by_key(|&b| spans[b as usize].start);
    let mut lists = vec![Vec::new(); problem.len()];
    let mut live: Vec<u32> = Vec::new();
    let mut pairs = 0;
    for b in by_start {
        live.retain(|&other| spans[other as usize].end > spans[b as usize].start);
        pairs += 2 * live.len();
        if pairs > MAX_PAIRS {
            return None;
        }
        for &other in &live {
            lists[b as usize].push(other);
            lists[other as usize].push(b);
        }
        live.push(b);
    }
    Some(Lists::from_iter(lists))
}
