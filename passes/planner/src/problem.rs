//! The form that greedies and search work on: one connected part of an instance, in small units.
//!
//! Three things happen on the way from an [`Instance`]:
//!
//! * Buffers that occupy nothing are left out, and the rest is split into parts between which
//!   there is no conflict; each part is planned alone and starts at offset 0.
//! * Time is compressed. Only the maximal sets of simultaneously live buffers matter, here called
//!   *cliques*; a lifetime becomes a range of clique numbers. A conflict graph gets a set of
//!   cliques by a greedy search, which is complete if the graph is chordal.
//! * Sizes are divided by the largest [`unit`](Problem::unit) that every offset of a plan without
//!   needless holes is a multiple of. A size that is not a multiple of the common alignment is
//!   rounded up: whatever lies above it starts no earlier. Only the topmost buffer of a plan ends
//!   before its rounded end, so ends are compared in real bytes (see [`Problem::end`]).

use std::collections::BinaryHeap;
use std::ops::Range;

use super::cliques;
use super::instance::{Buffer, Conflicts, Instance};

/// A list of lists of numbers in two flat vectors.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    starts: Vec<usize>,
    items: Vec<u32>,
}

impl Lists {
    pub(super) fn new() -> Self {
        Self {
            starts: vec![0],
            items: Vec::new(),
        }
    }

    pub(super) fn from_iter<L: IntoIterator<Item = u32>>(
        lists: impl IntoIterator<Item = L>,
    ) -> Self {
        let mut result = Self::new();
        lists.into_iter().for_each(|list| result.push(list));
        result
    }

    pub(super) fn push(&mut self, list: impl IntoIterator<Item = u32>) {
        self.items.extend(list);
        self.starts.push(self.items.len());
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn get(&self, i: usize) -> &[u32] {
        &self.items[self.starts[i]..self.starts[i + 1]]
    }

    pub(super) fn get_mut(&mut self, i: usize) -> &mut [u32] {
        &mut self.items[self.starts[i]..self.starts[i + 1]]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|i| self.get(i))
    }

    /// Lists of length `n`, where list `b` holds all `a` such that list `a` of `self` holds `b`.
    pub(super) fn transposed(&self, n: usize) -> Self {
        let mut starts = vec![0; n + 1];
        for &item in &self.items {
            starts[item as usize + 1] += 1;
        }
        for i in 0..n {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut items = vec![0; self.items.len()];
        for (a, list) in (0..).zip(self.iter()) {
            for &b in list {
                items[next[b as usize]] = a;
                next[b as usize] += 1;
            }
        }
        Self { starts, items }
    }
}

/// Who conflicts with whom inside a [`Problem`].
#[derive(Clone, Debug)]
pub(super) enum Structure {
    /// Buffer `i` is live in the cliques `spans[i]`; buffers conflict if these overlap.
    Intervals {
        spans: Vec<Range<u32>>,
        n_cliques: u32,
    },
    /// Explicit neighbours, and cliques of them.
    Graph { neighbours: Lists, cliques: Lists },
}

/// One connected part of an instance. Buffers are renumbered from 0.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    /// Index in the instance of each buffer.
    pub(super) buffers: Vec<u32>,
    /// Size in units, rounded up.
    pub(super) sizes: Vec<u64>,
    /// Alignment in units.
    pub(super) alignments: Vec<u64>,
    /// Size in bytes.
    pub(super) bytes: Vec<u64>,
    /// Lifetimes in the instance's own time, for orders that need a duration.
    pub(super) lifetimes: Vec<Range<i64>>,
    pub(super) structure: Structure,
    /// Bytes per unit.
    pub(super) unit: u64,
    /// No plan of this part has a lower peak, in bytes.
    pub(super) lower_bound: u64,
}

impl Problem {
    /// Number of buffers.
    pub(super) fn len(&self) -> usize {
        self.buffers.len()
    }

    /// One past the last byte of buffer `b` at `offset` units.
    pub(super) fn end(&self, b: usize, offset: u64) -> u64 {
        offset * self.unit + self.bytes[b]
    }

    /// Peak in bytes of a complete assignment in units.
    pub(super) fn peak(&self, offsets: &[u64]) -> u64 {
        (0..self.len())
            .map(|b| self.end(b, offsets[b]))
            .max()
            .unwrap_or(0)
    }

    /// Every peak of a plan, in bytes, is a multiple of this.
    pub(super) fn granule(&self) -> u64 {
        self.bytes.iter().fold(self.unit, |g, &bytes| gcd(g, bytes))
    }

    /// Writes offsets in units to where the instance keeps its offsets in bytes.
    pub(super) fn export(&self, units: &[u64], offsets: &mut [u64]) {
        for (&b, offset) in self.buffers.iter().zip(units) {
            offsets[b as usize] = offset * self.unit;
        }
    }

    /// The members of every clique.
    pub(super) fn cliques(&self) -> Lists {
        match &self.structure {
            Structure::Intervals { spans, n_cliques } => {
                let mut of_buffer = Lists::new();
                for span in spans {
                    of_buffer.push(span.clone());
                }
                of_buffer.transposed(*n_cliques as usize)
            }
            Structure::Graph { cliques, .. } => cliques.clone(),
        }
    }

    /// Splits an instance into its parts. A part comes before another if its first buffer does.
    pub(super) fn parts(instance: &Instance) -> Vec<Self> {
        let buffers = instance.buffers();
        let occupying: Vec<u32> = (0..buffers.len() as u32)
            .filter(|&b| instance.occupies(b as usize))
            .collect();
        match instance.conflicts() {
            Conflicts::Intervals => interval_parts(buffers, &occupying),
            Conflicts::Graph(graph) => {
                let parts = cliques::components(graph, buffers, &occupying);
                let structure = |part: &Vec<u32>| cliques::structure(graph, buffers, part);
                parts
                    .into_iter()
                    .map(|p| Self::new(buffers, structure(&p), p))
                    .collect()
            }
        }
    }

    fn new(buffers: &[Buffer], structure: Structure, part: Vec<u32>) -> Self {
        let of_part = || part.iter().map(|&b| &buffers[b as usize]);
        let common_alignment = of_part().fold(0, |g, b| gcd(g, b.alignment)).max(1);
        let padded: Vec<u64> = of_part()
            .map(|b| b.size.next_multiple_of(common_alignment))
            .collect();
        let unit = unit(&padded, of_part().map(|b| b.alignment));
        let in_units = |alignment: u64| (alignment / unit).max(1);
        let mut problem = Self {
            sizes: padded.iter().map(|size| size / unit).collect(),
            alignments: of_part().map(|b| in_units(b.alignment)).collect(),
            bytes: of_part().map(|b| b.size).collect(),
            lifetimes: of_part().map(|b| b.lower..b.upper).collect(),
            structure,
            unit,
            lower_bound: 0,
            buffers: part,
        };
        problem.lower_bound = problem.max_live();
        problem
    }

    /// The heaviest clique, in bytes. Its topmost buffer may be one that ends early.
    fn max_live(&self) -> u64 {
        let slack = |b: usize| self.sizes[b] * self.unit - self.bytes[b];
        match &self.structure {
            Structure::Intervals { spans, n_cliques } => {
                let mut by_start: Vec<usize> = (0..self.len()).collect();
                by_start.sort_unstable_by_key(|&b| std::cmp::Reverse(spans[b].start));
                // The live buffers by slack; one that ended is dropped when it surfaces.
                let mut live: BinaryHeap<(u64, u32)> = BinaryHeap::new();
                let mut ending = vec![0; *n_cliques as usize + 1];
                let (mut load, mut bound) = (0, 0);
                for clique in 0..*n_cliques {
                    load -= ending[clique as usize];
                    while let Some(b) = by_start.pop_if(|b| spans[*b].start == clique) {
                        load += self.sizes[b];
                        ending[spans[b].end as usize] += self.sizes[b];
                        live.push((slack(b), spans[b].end));
                    }
                    while live.peek().is_some_and(|&(_, end)| end <= clique) {
                        live.pop();
                    }
                    let slack = live.peek().map_or(0, |&(slack, _)| slack);
                    bound = bound.max(load * self.unit - slack);
                }
                bound
            }
            Structure::Graph { cliques, .. } => {
                let bound = |clique: &[u32]| {
                    let members = || clique.iter().map(|&b| b as usize);
                    let load: u64 = members().map(|b| self.sizes[b]).sum();
                    load * self.unit - members().map(slack).max().unwrap_or(0)
                };
                cliques.iter().map(bound).max().unwrap_or(0)
            }
        }
    }
}

/// Splits buffers with interval conflicts at the times no lifetime crosses.
fn interval_parts(buffers: &[Buffer], occupying: &[u32]) -> Vec<Problem> {
    let lifetime = |b: u32| buffers[b as usize].lower..buffers[b as usize].upper;
    let mut by_lower = occupying.to_vec();
    by_lower.sort_by_key(|&b| lifetime(b).start);
    let mut groups: Vec<Vec<u32>> = Vec::new();
    let mut end = i64::MIN;
    for b in by_lower {
        match groups.last_mut() {
            Some(group) if lifetime(b).start < end => group.push(b),
            _ => groups.push(vec![b]),
        }
        end = end.max(lifetime(b).end);
    }
    for group in &mut groups {
        group.sort_unstable();
    }
    groups.sort_by_key(|group| group[0]);
    let problem = |group: Vec<u32>| {
        let lifetimes: Vec<_> = group.iter().map(|&b| lifetime(b)).collect();
        let (spans, n_cliques) = clique_spans(&lifetimes);
        Problem::new(buffers, Structure::Intervals { spans, n_cliques }, group)
    };
    groups.into_iter().map(problem).collect()
}

/// Numbers the maximal cliques of nonempty intervals from left to right and gives the range each
/// interval lies in. Intervals overlap exactly if their ranges do.
fn clique_spans(lifetimes: &[Range<i64>]) -> (Vec<Range<u32>>, u32) {
    // Ends sort before starts at the same time: touching lifetimes do not overlap.
    let mut events: Vec<(i64, bool, u32)> = Vec::with_capacity(2 * lifetimes.len());
    for (b, lifetime) in (0..).zip(lifetimes) {
        events.extend([(lifetime.start, true, b), (lifetime.end, false, b)]);
    }
    events.sort_unstable();
    let mut spans = vec![0..0; lifetimes.len()];
    let mut clique = 0;
    let mut grew = false;
    for (_, is_start, b) in events {
        if is_start {
            spans[b as usize].start = clique;
        } else {
            // The set shrinks for the first time since it grew: it was maximal.
            clique += u32::from(grew);
            spans[b as usize].end = clique;
        }
        grew = is_start;
    }
    (spans, clique)
}

/// The largest unit that divides all sizes and that each alignment divides or is a multiple of.
fn unit(sizes: &[u64], alignments: impl Iterator<Item = u64> + Clone) -> u64 {
    let mut unit = sizes.iter().fold(0, |g, &size| gcd(g, size));
    // The unit only ever shrinks to a divisor of itself, so this ends.
    while let Some(alignment) = alignments
        .clone()
        .find(|a| !a.is_multiple_of(unit) && !unit.is_multiple_of(*a))
    {
        unit = gcd(unit, alignment);
    }
    unit.max(1)
}

/// Greatest common divisor; 0 is neutral.
pub(super) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(buffers: &[(i64, i64, u64, u64)]) -> Vec<Problem> {
        let buffer = |&(lower, upper, size, alignment): &(i64, i64, u64, u64)| Buffer {
            lower,
            upper,
            size,
            alignment,
        };
        Problem::parts(&Instance::new(buffers.iter().map(buffer).collect()).unwrap())
    }

    #[test]
    fn splits_where_no_lifetime_crosses() {
        let parts = parts(&[
            (5, 9, 1, 1),
            (0, 3, 1, 1),
            (2, 5, 1, 1),
            (7, 7, 1, 1),
            (6, 8, 0, 1),
        ]);
        let buffers: Vec<_> = parts.iter().map(|part| part.buffers.clone()).collect();
        assert_eq!(buffers, [vec![0], vec![1, 2]]);
    }

    #[test]
    fn time_becomes_clique_numbers() {
        let lifetimes = [0..10, 0..2, 2..4, 3..9, 5..6];
        let (spans, n_cliques) = clique_spans(&lifetimes);
        assert_eq!(spans, [0..3, 0..1, 1..2, 1..3, 2..3]);
        assert_eq!(n_cliques, 3);
    }

    #[test]
    fn sizes_are_divided_by_a_safe_unit() {
        let units = |list: &[(i64, i64, u64, u64)]| parts(list)[0].unit;
        assert_eq!(units(&[(0, 1, 1024, 1), (0, 1, 3072, 1)]), 1024);
        assert_eq!(units(&[(0, 1, 1024, 64), (0, 1, 3072, 4096)]), 1024);
        // Offset 96 is possible for the first buffer, so 64 is too coarse.
        assert_eq!(units(&[(0, 1, 192, 48), (0, 1, 64, 1)]), 16);
        // The first one's size is rounded up to 16, the common alignment.
        assert_eq!(units(&[(0, 1, 9, 16), (0, 1, 64, 32)]), 16);
        assert_eq!(units(&[(0, 1, 7, 1), (0, 1, 14, 2)]), 1);
    }

    #[test]
    fn bound_counts_padding_below_but_not_at_the_top() {
        let bound = |list: &[(i64, i64, u64, u64)]| parts(list)[0].lower_bound;
        assert_eq!(bound(&[(0, 3, 5, 8), (0, 2, 8, 8), (1, 3, 4, 8)]), 20);
        assert_eq!(bound(&[(0, 3, 5, 1), (0, 2, 8, 1), (2, 3, 100, 1)]), 105);
        assert_eq!(bound(&[(0, 3, 5, 64)]), 5);
    }

    #[test]
    fn transposing_twice_changes_nothing() {
        let lists = Lists::from_iter([vec![0, 2], vec![], vec![1, 2]]);
        let transposed = lists.transposed(3);
        assert_eq!(
            transposed.iter().collect::<Vec<_>>(),
            [&[0][..], &[2], &[0, 2]]
        );
        assert!(transposed.transposed(3).iter().eq(lists.iter()));
    }
}
