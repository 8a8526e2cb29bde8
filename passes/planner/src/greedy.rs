//! Greedy planners: buffers in some order, each into a hole between its placed neighbours.
//!
//! The [`ORDERS`] are those of common compilers: by size (TensorFlow Lite; with ties by duration,
//! XLA's "spatial"), by duration (XLA's "temporal"), in the order of the trace, by area, and by the
//! heaviest clique touched. No rule is best everywhere, so the portfolio tries them all and stops
//! as soon as one meets the target. A placement looks only at placed neighbours, which an interval
//! index finds in time logarithmic per neighbour; there is no quadratic table of pairs.

use std::cmp::Reverse;
use std::ops::Range;

use super::Planner;
use super::instance::Instance;
use super::plan::{Plan, PlanError};
use super::problem::{Problem, Structure};

/// In which order buffers are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Large ones first, long-lived ones first among equals.
    Size,
    /// Size times duration.
    Area,
    /// Those that touch the heaviest clique first, then large ones.
    Load,
    /// Those that touch the heaviest clique first, then long-lived ones.
    LoadDuration,
    /// Long-lived ones first.
    Duration,
    /// As allocated, large ones first among simultaneous ones.
    Trace,
    /// By last use, latest first.
    ReverseTrace,
}

/// Which of several holes that are large enough to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// The one at the lowest offset.
    Lowest,
    /// The smallest one; the lowest among equals. The space above everything is the last resort.
    Best,
}

/// All rules of the portfolio, the generally best ones first; but before them the one that reuses
/// recently freed memory, which is best for the cache where it is good enough.
pub(super) const RULES: [(Order, Fit); 12] = [
    (Order::Trace, Fit::Lowest),
    (Order::Size, Fit::Lowest),
    (Order::Size, Fit::Best),
    (Order::Load, Fit::Lowest),
    (Order::Area, Fit::Lowest),
    (Order::Trace, Fit::Best),
    (Order::Duration, Fit::Lowest),
    (Order::ReverseTrace, Fit::Lowest),
    (Order::Load, Fit::Best),
    (Order::Area, Fit::Best),
    (Order::Duration, Fit::Best),
    (Order::ReverseTrace, Fit::Best),
];

/// The buffers of a part in which all live at once, one on top of the other; `None` if it has no such time, or
/// alignments leave holes. Any order is as good as another; this is the one of `(Order::Trace, Fit::Lowest)`.
pub(super) fn stacked(problem: &Problem) -> Option<Vec<u64>> {
    let mut offsets = vec![0; problem.len()];
    let mut top: u64 = 0;
    for b in sequence(problem, Order::Trace) {
        let b = b as usize;
        offsets[b] = top.next_multiple_of(problem.alignments[b]);
        top = offsets[b] + problem.sizes[b];
    }
    (problem.peak(&offsets) <= problem.lower_bound).then_some(offsets)
}

/// Tries rules until one reaches `target` bytes; gives the best offsets in units and their peak.
pub(super) fn portfolio(problem: &Problem, rules: &[(Order, Fit)], target: u64) -> (Vec<u64>, u64) {
    if let Some(offsets) = stacked(problem) {
        return (offsets, problem.lower_bound);
    }
    let mut best = (Vec::new(), u64::MAX);
    for &(order, fit) in rules {
        let offsets = place_all(problem, &sequence(problem, order), fit);
        let peak = problem.peak(&offsets);
        if peak < best.1 {
            best = (offsets, peak);
        }
        if best.1 <= target {
            break;
        }
    }
    best
}

/// The buffers of a problem in the given order; ties by index, so the result is unique.
pub(super) fn sequence(problem: &Problem, order: Order) -> Vec<u32> {
    let size = |b: u32| problem.sizes[b as usize];
    let lifetime = |b: u32| problem.lifetimes[b as usize].clone();
    let duration = |b: u32| lifetime(b).end.abs_diff(lifetime(b).start);
    let area = |b: u32| u128::from(size(b)) * u128::from(duration(b));
    let mut buffers: Vec<u32> = (0..problem.len() as u32).collect();
    match order {
        Order::Size => buffers.sort_by_key(|&b| Reverse((size(b), duration(b)))),
        Order::Area => buffers.sort_by_key(|&b| Reverse(area(b))),
        Order::Load => {
            let loads = heaviest_loads(problem);
            buffers.sort_by_key(|&b| Reverse((loads[b as usize], area(b))));
        }
        Order::LoadDuration => {
            let loads = heaviest_loads(problem);
            buffers.sort_by_key(|&b| Reverse((loads[b as usize], duration(b), size(b))));
        }
        Order::Duration => buffers.sort_by_key(|&b| Reverse((duration(b), size(b)))),
        Order::Trace => buffers.sort_by_key(|&b| (lifetime(b).start, Reverse(size(b)))),
        Order::ReverseTrace => {
            buffers.sort_by_key(|&b| (Reverse(lifetime(b).end), Reverse(size(b))));
        }
    }
    buffers
}

/// For each buffer the load of the heaviest clique it is in.
fn heaviest_loads(problem: &Problem) -> Vec<u64> {
    match &problem.structure {
        Structure::Intervals { spans, n_cliques } => {
            let mut starting = vec![0; *n_cliques as usize + 1];
            let mut ending = vec![0; *n_cliques as usize + 1];
            for (b, span) in spans.iter().enumerate() {
                starting[span.start as usize] += problem.sizes[b];
                ending[span.end as usize] += problem.sizes[b];
            }
            let mut load = 0;
            let loads = (0..*n_cliques as usize).map(|clique| {
                load = load + starting[clique] - ending[clique];
                load
            });
            let table = RangeMax::new(loads.collect());
            spans.iter().map(|span| table.max(span.clone())).collect()
        }
        Structure::Graph { cliques, .. } => {
            let mut heaviest = vec![0; problem.len()];
            for clique in cliques.iter() {
                let load: u64 = clique.iter().map(|&b| problem.sizes[b as usize]).sum();
                for &b in clique {
                    heaviest[b as usize] = load.max(heaviest[b as usize]);
                }
            }
            heaviest
        }
    }
}

/// Maxima of ranges of a fixed array: a table of all power-of-two windows.
struct RangeMax {
    levels: Vec<Vec<u64>>,
}

impl RangeMax {
    fn new(values: Vec<u64>) -> Self {
        let mut levels = vec![values];
        let mut width = 1;
        while let Some(last) = levels.last().filter(|last| last.len() > width) {
            let next = (width..last.len())
                .map(|i| last[i - width].max(last[i]))
                .collect();
            levels.push(next);
            width *= 2;
        }
        Self { levels }
    }

    fn max(&self, range: Range<u32>) -> u64 {
        let level = (range.end - range.start).ilog2();
        let values = &self.levels[level as usize];
        values[range.start as usize].max(values[range.end as usize - (1 << level)])
    }
}

/// Places all buffers in the given order.
pub(super) fn place_all(problem: &Problem, sequence: &[u32], fit: Fit) -> Vec<u64> {
    let mut offsets = vec![0; problem.len()];
    let mut placed = Placed::new(problem);
    let mut occupied: Vec<Range<u64>> = Vec::new();
    for &b in sequence {
        let b = b as usize;
        occupied.clear();
        placed.for_each_neighbour(b, |other| {
            occupied.push(offsets[other]..offsets[other] + problem.sizes[other]);
        });
        occupied.sort_unstable_by_key(|range| range.start);
        offsets[b] = find_hole(&occupied, problem.sizes[b], problem.alignments[b], fit);
        placed.insert(b);
    }
    offsets
}

/// An offset for `size` units between ranges sorted by start, which may overlap one another.
pub(super) fn find_hole(occupied: &[Range<u64>], size: u64, alignment: u64, fit: Fit) -> u64 {
    let mut top: u64 = 0;
    let mut best: Option<(u64, u64)> = None;
    for range in occupied {
        let offset = top.next_multiple_of(alignment);
        if offset + size <= range.start {
            let hole = range.start - top;
            if fit == Fit::Lowest {
                return offset;
            }
            if best.is_none_or(|(smallest, _)| hole < smallest) {
                best = Some((hole, offset));
            }
        }
        top = top.max(range.end);
    }
    best.map_or(top.next_multiple_of(alignment), |(_, offset)| offset)
}

/// The buffers placed so far, searchable for conflicts.
struct Placed<'a> {
    problem: &'a Problem,
    /// Intervals only: buffers sorted by start of their span, and where each stands there.
    by_start: Vec<u32>,
    rank: Vec<u32>,
    /// Intervals only: a binary heap-shaped tree over `by_start` with the greatest span end among
    /// placed buffers below each node. Graphs: per buffer, nonzero if placed.
    latest: Vec<u32>,
}

impl<'a> Placed<'a> {
    fn new(problem: &'a Problem) -> Self {
        let n = problem.len();
        match &problem.structure {
            Structure::Intervals { spans, .. } => {
                let mut by_start: Vec<u32> = (0..n as u32).collect();
                by_start.sort_by_key(|&b| spans[b as usize].start);
                let mut rank = vec![0; n];
                for (i, &b) in (0..).zip(&by_start) {
                    rank[b as usize] = i;
                }
                Self {
                    problem,
                    by_start,
                    rank,
                    latest: vec![0; 2 * n.next_power_of_two()],
                }
            }
            Structure::Graph { .. } => Self {
                problem,
                by_start: Vec::new(),
                rank: Vec::new(),
                latest: vec![0; n],
            },
        }
    }

    fn insert(&mut self, b: usize) {
        let Structure::Intervals { spans, .. } = &self.problem.structure else {
            self.latest[b] = 1;
            return;
        };
        let mut node = self.latest.len() / 2 + self.rank[b] as usize;
        while node > 0 {
            self.latest[node] = self.latest[node].max(spans[b].end);
            node /= 2;
        }
    }

    fn for_each_neighbour(&self, b: usize, mut visit: impl FnMut(usize)) {
        match &self.problem.structure {
            Structure::Intervals { spans, .. } => {
                let span = &spans[b];
                let started = self
                    .by_start
                    .partition_point(|&o| spans[o as usize].start < span.end);
                let n_leaves = self.latest.len() / 2;
                // Nodes to look at, with the first leaf and the number of leaves below each.
                let mut open = vec![(1, 0, n_leaves)];
                while let Some((node, first, width)) = open.pop() {
                    if first >= started || self.latest[node] <= span.start {
                        continue;
                    }
                    if width == 1 {
                        visit(self.by_start[first] as usize);
                    } else {
                        let half = width / 2;
                        open.push((2 * node, first, half));
                        open.push((2 * node + 1, first + half, half));
                    }
                }
            }
            Structure::Graph { neighbours, .. } => {
                for &other in neighbours.get(b) {
                    if self.latest[other as usize] != 0 {
                        visit(other as usize);
                    }
                }
            }
        }
    }
}

/// The quick planner: the best of all greedy rules, part by part. Optimal only by luck, but it
/// often meets the lower bound on real programs, and then says so.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Planner for Greedy {
    fn name(&self) -> &'static str {
        "greedy"
    }

    fn plan(&self, instance: &Instance) -> Result<Plan, PlanError> {
        let parts = Problem::parts(instance);
        let lower_bound = parts.iter().map(|part| part.lower_bound).max().unwrap_or(0);
        let mut offsets = vec![0; instance.buffers().len()];
        for part in &parts {
            part.export(&portfolio(part, &RULES, lower_bound).0, &mut offsets);
        }
        Ok(Plan::new(instance, offsets, lower_bound))
    }
}

#[cfg(test)]
mod tests {
    use super::super::instance::Buffer;
    use super::*;

    fn problem(buffers: Vec<Buffer>) -> Problem {
        Problem::parts(&Instance::new(buffers).unwrap()).remove(0)
    }

    #[test]
    fn holes_between_neighbours_are_found() {
        let occupied = [0..4, 6..8, 11..12, 2..5];
        let mut sorted = occupied.to_vec();
        sorted.sort_unstable_by_key(|range| range.start);
        assert_eq!(find_hole(&sorted, 1, 1, Fit::Lowest), 5);
        assert_eq!(find_hole(&sorted, 2, 1, Fit::Lowest), 8);
        assert_eq!(find_hole(&sorted, 4, 1, Fit::Best), 12);
        assert_eq!(find_hole(&sorted, 1, 4, Fit::Best), 8);
        assert_eq!(find_hole(&[], 4, 16, Fit::Best), 0);
        // The smaller hole wins although it is higher.
        assert_eq!(find_hole(&[3..4, 5..6], 1, 1, Fit::Best), 4);
    }

    #[test]
    fn orders_differ_as_documented() {
        let buffers = vec![
            Buffer::new(0, 10, 4),
            Buffer::new(1, 3, 9),
            Buffer::new(2, 5, 16),
        ];
        let problem = problem(buffers);
        assert_eq!(sequence(&problem, Order::Size), [2, 1, 0]);
        assert_eq!(sequence(&problem, Order::Area), [2, 0, 1]);
        assert_eq!(sequence(&problem, Order::Duration), [0, 2, 1]);
        assert_eq!(sequence(&problem, Order::Trace), [0, 1, 2]);
        assert_eq!(sequence(&problem, Order::ReverseTrace), [0, 2, 1]);
        assert_eq!(sequence(&problem, Order::Load), [2, 0, 1]);
    }

    #[test]
    fn range_maxima() {
        let values = vec![3, 1, 4, 1, 5, 9, 2, 6];
        let table = RangeMax::new(values.clone());
        for start in 0..values.len() {
            for end in start + 1..=values.len() {
                let expected = values[start..end].iter().copied().max();
                assert_eq!(Some(table.max(start as u32..end as u32)), expected);
            }
        }
    }

    #[test]
    fn index_finds_exactly_the_placed_neighbours() {
        let buffers: Vec<Buffer> = (0..40)
            .map(|i| Buffer::new(i * 7 % 31, i * 7 % 31 + 1 + i % 9, 1))
            .collect();
        let instance = Instance::new(buffers).unwrap();
        for problem in Problem::parts(&instance) {
            let mut placed = Placed::new(&problem);
            for b in 0..problem.len() {
                let mut found = Vec::new();
                placed.for_each_neighbour(b, |other| found.push(other));
                found.sort_unstable();
                let index = |b: usize| problem.buffers[b] as usize;
                let expected = (0..b).filter(|&other| instance.conflict(index(b), index(other)));
                assert_eq!(found, expected.collect::<Vec<_>>());
                placed.insert(b);
            }
        }
    }
}
