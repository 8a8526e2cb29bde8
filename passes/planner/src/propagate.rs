//! Partial plans and what follows from them: the inner loop of the search.
//!
//! A [`State`] is a set of placed buffers together with a lower and an upper bound on the offset
//! of each other buffer. Everything inferred holds for the *canonical* plans below the capacity
//! that extend the placed buffers and respect the decisions of the search; a canonical plan is one
//! with the least sum of offsets, so no buffer in it can be moved down on its own.
//!
//! The rules, run to a common fixpoint:
//!
//! * **Base.** A buffer lies above all its placed neighbours (the search places upwards).
//! * **Lift.** A buffer that cannot be at its base must rest on another unplaced one, which must
//!   start low enough to be in the way: its offset is at least the least end of those.
//! * **Clique.** Buffers that are live together are stacked. For every subset of the form "all
//!   that start at or above `h`", `h` plus their sizes must not exceed the capacity; members too
//!   high to be the lowest of such a subset start above some other member; and if just one can be
//!   the lowest, it must start early enough. (In scheduling terms: buffers are jobs, the cliques
//!   are machines, and this is edge finding with a common deadline.)
//! * **Twins.** Of interchangeable buffers, the one with the lower index goes below.
//!
//! All changes are recorded on a trail and undone in reverse.

use std::cmp::Reverse;

use super::problem::{Lists, Problem, Structure};

/// Parts with more conflicting pairs, or more buffers in cliques, than this are not searched: bounds
/// memory, at a few bytes each.
const MAX_RELATIONS: usize = 1 << 23;

/// Marks the absence of a buffer or clique.
const NONE: u32 = u32::MAX;

/// Who conflicts with whom, in the forms that propagation needs; shared by all searches of a part.
pub(super) struct Relations<'p> {
    pub(super) problem: &'p Problem,
    /// Neighbours of each buffer, small ones first.
    pub(super) neighbours: Lists,
    /// Members of each clique. Cliques are numbered by falling load, so that hard ones come first.
    cliques: Lists,
    /// The cliques of each buffer, as a list and as a bit set of `words` words.
    cliques_of: Lists,
    masks: Vec<u64>,
    words: usize,
    /// Intervals only: the clique that precedes each clique in time.
    previous: Vec<u32>,
    /// Intervals only: the first and the last clique of each buffer.
    borders: Vec<(u32, u32)>,
    /// The next buffer that is interchangeable with this one.
    twin: Vec<u32>,
}

impl<'p> Relations<'p> {
    /// Nothing if the part is too large for tables of pairs.
    pub(super) fn new(problem: &'p Problem) -> Option<Self> {
        let n = problem.len();
        let by_size = |list: &mut Vec<u32>| list.sort_by_key(|&b| problem.sizes[b as usize]);
        let mut neighbours = match &problem.structure {
            Structure::Intervals { spans, .. } => overlaps(spans)?,
            Structure::Graph { neighbours, .. } => neighbours.iter().map(<[u32]>::to_vec).collect(),
        };
        neighbours.iter_mut().for_each(by_size);
        let n_memberships = match &problem.structure {
            Structure::Intervals { spans, .. } => spans.iter().map(ExactSizeIterator::len).sum(),
            Structure::Graph { cliques, .. } => cliques.iter().map(<[u32]>::len).sum::<usize>(),
        };
        if n_memberships > MAX_RELATIONS {
            return None;
        }
        let in_time = problem.cliques();
        let load = |clique: u32| -> u64 {
            in_time
                .get(clique as usize)
                .iter()
                .map(|&b| problem.sizes[b as usize])
                .sum()
        };
        let mut by_load: Vec<u32> = (0..in_time.len() as u32).collect();
        by_load.sort_by_cached_key(|&clique| Reverse(load(clique)));
        let mut number = vec![0; by_load.len()];
        for (i, &clique) in (0..).zip(&by_load) {
            number[clique as usize] = i;
        }
        let cliques = Lists::from_iter(by_load.iter().map(|&c| in_time.get(c as usize).to_vec()));
        let cliques_of = cliques.transposed(n);
        let words = cliques.len().div_ceil(64);
        if words * n > MAX_RELATIONS {
            return None;
        }
        let mut masks = vec![0; words * n];
        for (b, list) in cliques_of.iter().enumerate() {
            for &clique in list {
                masks[b * words + clique as usize / 64] |= 1 << (clique % 64);
            }
        }
        let (mut previous, mut borders) = (Vec::new(), Vec::new());
        let mut twin = vec![NONE; n];
        if let Structure::Intervals { spans, .. } = &problem.structure {
            let numbered = |clique: u32| number[clique as usize];
            previous.extend(
                by_load
                    .iter()
                    .map(|&c| c.checked_sub(1).map_or(NONE, numbered)),
            );
            borders.extend(
                spans
                    .iter()
                    .map(|s| (numbered(s.start), numbered(s.end - 1))),
            );
            let kind = |b: u32| {
                let (i, span) = (b as usize, &spans[b as usize]);
                (
                    span.start,
                    span.end,
                    problem.bytes[i],
                    problem.alignments[i],
                )
            };
            let mut by_kind: Vec<u32> = (0..n as u32).collect();
            by_kind.sort_by_key(|&b| (kind(b), b));
            for pair in by_kind
                .windows(2)
                .filter(|pair| kind(pair[0]) == kind(pair[1]))
            {
                twin[pair[0] as usize] = pair[1];
            }
        }
        let neighbours = Lists::from_iter(neighbours);
        Some(Self {
            problem,
            neighbours,
            cliques,
            cliques_of,
            masks,
            words,
            previous,
            borders,
            twin,
        })
    }
}

/// Overlapping ranges of each range; nothing if there are too many.
fn overlaps(spans: &[std::ops::Range<u32>]) -> Option<Vec<Vec<u32>>> {
    let mut by_start: Vec<u32> = (0..spans.len() as u32).collect();
    by_start.sort_by_key(|&b| spans[b as usize].start);
    let mut n_pairs = 0;
    let mut lists = vec![Vec::new(); spans.len()];
    for (i, &a) in by_start.iter().enumerate() {
        let end = spans[a as usize].end;
        let started = by_start.partition_point(|&b| spans[b as usize].start < end);
        n_pairs += started - i - 1;
        if n_pairs > MAX_RELATIONS {
            return None;
        }
        for &b in &by_start[i + 1..started] {
            lists[a as usize].push(b);
            lists[b as usize].push(a);
        }
    }
    Some(lists)
}

/// The inverse of one step.
#[derive(Clone, Copy)]
enum Undo {
    Base(u32, u64),
    Low(u32, u64),
    Last(u32, u64),
    Support(u32, u32),
    Placed(u32),
}

/// No plan with the decisions made so far stays within the capacity.
#[derive(Debug)]
pub(super) struct Contradiction;

/// A partial plan.
pub(super) struct State<'r> {
    relations: &'r Relations<'r>,
    /// Highest end, in units, that any buffer may have.
    capacity: u64,
    /// The least offset above all placed neighbours; of a placed buffer, its offset.
    pub(super) base: Vec<u64>,
    /// A lower bound on the offset; greater than `base` if the buffer is *lifted*.
    pub(super) low: Vec<u64>,
    /// An upper bound on the offset.
    last: Vec<u64>,
    pub(super) placed: Vec<bool>,
    /// Of lifted buffers, the neighbour they would rest on if they were at `low`, else `NONE`;
    /// and how many rest on each. A bound needs a second look only when its support moves.
    support: Vec<u32>,
    n_supported: Vec<u32>,
    /// Per clique: sum of sizes and number of unplaced members.
    load: Vec<u64>,
    n_open: Vec<u32>,
    /// Intervals only, per clique: how many unplaced buffers have their first and last clique here.
    n_starting: Vec<u32>,
    n_ending: Vec<u32>,
    /// Members of each clique, unplaced ones first and nearly sorted by `low`, to sort fast.
    members: Lists,
    scratch: Vec<(u64, u32)>,
    /// Work to do: cliques with a member that was raised, and lifted buffers to look at again.
    dirty: Vec<u64>,
    queue: Vec<u32>,
    queued: Vec<bool>,
    trail: Vec<Undo>,
    /// How often each buffer took part in a contradiction.
    pub(super) failures: Vec<u64>,
}

impl<'r> State<'r> {
    pub(super) fn new(relations: &'r Relations<'r>) -> Self {
        let n = relations.problem.len();
        let m = relations.cliques.len();
        Self {
            relations,
            capacity: 0,
            base: vec![0; n],
            low: vec![0; n],
            last: vec![0; n],
            placed: vec![false; n],
            support: vec![NONE; n],
            n_supported: vec![0; n],
            load: vec![0; m],
            n_open: vec![0; m],
            n_starting: vec![0; m],
            n_ending: vec![0; m],
            members: relations.cliques.clone(),
            scratch: Vec::new(),
            dirty: vec![0; relations.words],
            queue: Vec::new(),
            queued: vec![false; n],
            trail: Vec::new(),
            failures: vec![0; n],
        }
    }

    /// Starts over with nothing placed and a capacity in bytes.
    pub(super) fn reset(&mut self, capacity: u64) -> Result<(), Contradiction> {
        let problem = self.relations.problem;
        self.trail.clear();
        self.base.fill(0);
        self.low.fill(0);
        self.placed.fill(false);
        self.support.fill(NONE);
        self.n_supported.fill(0);
        self.capacity = 0;
        for b in 0..problem.len() {
            let room = capacity
                .checked_sub(problem.bytes[b])
                .ok_or(Contradiction)?
                / problem.unit;
            self.last[b] = room - room % problem.alignments[b];
            self.capacity = self.capacity.max(self.last[b] + problem.sizes[b]);
        }
        for clique in 0..self.load.len() {
            let members = self.relations.cliques.get(clique);
            self.load[clique] = members.iter().map(|&b| problem.sizes[b as usize]).sum();
            self.n_open[clique] = members.len() as u32;
            if self.load[clique] > self.capacity {
                return Err(Contradiction);
            }
        }
        self.n_starting.fill(0);
        self.n_ending.fill(0);
        for &(first, last) in &self.relations.borders {
            self.n_starting[first as usize] += 1;
            self.n_ending[last as usize] += 1;
        }
        let twins = self
            .relations
            .twin
            .iter()
            .enumerate()
            .filter(|(_, twin)| **twin != NONE);
        let stacked = twins.map(|(b, &twin)| {
            let twin = twin as usize;
            (
                twin,
                problem.sizes[b].next_multiple_of(problem.alignments[twin]),
            )
        });
        for (twin, low) in stacked.collect::<Vec<_>>() {
            self.raise(twin, low).or_else(|c| self.abandon(c))?;
        }
        self.propagate()
    }

    /// A position on the trail to come back to.
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back everything since the mark.
    pub(super) fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            match self.trail.pop() {
                Some(Undo::Base(b, old)) => self.base[b as usize] = old,
                Some(Undo::Low(b, old)) => self.low[b as usize] = old,
                Some(Undo::Last(b, old)) => self.last[b as usize] = old,
                Some(Undo::Support(b, old)) => self.set_support(b as usize, old),
                Some(Undo::Placed(b)) => {
                    let b = b as usize;
                    self.placed[b] = false;
                    for &clique in self.relations.cliques_of.get(b) {
                        self.load[clique as usize] += self.relations.problem.sizes[b];
                        self.n_open[clique as usize] += 1;
                    }
                    if let Some(&(first, last)) = self.relations.borders.get(b) {
                        self.n_starting[first as usize] += 1;
                        self.n_ending[last as usize] += 1;
                    }
                }
                None => {}
            }
        }
    }

    /// The lowest end the buffer can have.
    pub(super) fn low_end(&self, b: usize) -> u64 {
        self.low[b] + self.relations.problem.sizes[b]
    }

    /// Whether the buffer is known not to be at its base.
    pub(super) fn is_lifted(&self, b: usize) -> bool {
        self.low[b] > self.base[b]
    }

    /// The greatest sum of unplaced sizes in a clique of the buffer.
    pub(super) fn heaviest_load(&self, b: usize) -> u64 {
        let cliques = self.relations.cliques_of.get(b).iter();
        cliques
            .map(|&clique| self.load[clique as usize])
            .max()
            .unwrap_or(0)
    }

    /// Puts the buffer at its base.
    pub(super) fn place(&mut self, b: usize) -> Result<(), Contradiction> {
        self.try_place(b).or_else(|c| self.abandon(c))?;
        self.propagate()
    }

    fn try_place(&mut self, x: usize) -> Result<(), Contradiction> {
        let Relations {
            problem,
            neighbours,
            cliques_of,
            borders,
            ..
        } = self.relations;
        if self.is_lifted(x) || self.base[x] > self.last[x] {
            return Err(Contradiction);
        }
        self.placed[x] = true;
        self.trail.push(Undo::Placed(x as u32));
        for &clique in cliques_of.get(x) {
            self.load[clique as usize] -= problem.sizes[x];
            self.n_open[clique as usize] -= 1;
        }
        if let Some(&(first, last)) = borders.get(x) {
            self.n_starting[first as usize] -= 1;
            self.n_ending[last as usize] -= 1;
        }
        let end = self.base[x] + problem.sizes[x];
        for &y in neighbours.get(x) {
            let y = y as usize;
            if self.placed[y] {
                continue;
            }
            if self.base[y] < end {
                let base = end.next_multiple_of(problem.alignments[y]);
                self.trail.push(Undo::Base(y as u32, self.base[y]));
                self.base[y] = base;
                self.raise(y, base)?;
            }
            if self.support[y] == x as u32 && self.is_lifted(y) {
                self.enqueue(y);
            }
        }
        Ok(())
    }

    /// Records that the buffer is not at its base.
    pub(super) fn bar(&mut self, b: usize) -> Result<(), Contradiction> {
        let low = (self.base[b] + 1).next_multiple_of(self.relations.problem.alignments[b]);
        self.raise(b, low).or_else(|c| self.abandon(c))?;
        self.propagate()
    }

    /// Applies the rules until nothing changes.
    fn propagate(&mut self) -> Result<(), Contradiction> {
        loop {
            let step = if let Some(b) = self.queue.pop() {
                self.queued[b as usize] = false;
                self.lift(b as usize)
            } else if let Some(word) = self.dirty.iter().position(|&word| word != 0) {
                let bits = self.dirty[word];
                self.dirty[word] = bits & (bits - 1);
                self.check_clique(word * 64 + bits.trailing_zeros() as usize)
            } else {
                return Ok(());
            };
            step.or_else(|c| self.abandon(c))?;
        }
    }

    /// Forgets pending work.
    fn abandon(&mut self, contradiction: Contradiction) -> Result<(), Contradiction> {
        self.dirty.fill(0);
        while let Some(b) = self.queue.pop() {
            self.queued[b as usize] = false;
        }
        Err(contradiction)
    }

    fn enqueue(&mut self, b: usize) {
        if !self.queued[b] {
            self.queued[b] = true;
            self.queue.push(b as u32);
        }
    }

    fn set_support(&mut self, b: usize, support: u32) {
        let old = std::mem::replace(&mut self.support[b], support);
        if let Some(n) = self.n_supported.get_mut(old as usize) {
            *n -= 1;
        }
        if let Some(n) = self.n_supported.get_mut(support as usize) {
            *n += 1;
        }
    }

    /// Raises the lower bound of an unplaced buffer, and of twins stacked on it.
    fn raise(&mut self, mut b: usize, mut low: u64) -> Result<(), Contradiction> {
        let Relations {
            problem,
            neighbours,
            masks,
            words,
            twin,
            ..
        } = self.relations;
        while low > self.low[b] {
            if low > self.last[b] {
                self.failures[b] += 1;
                return Err(Contradiction);
            }
            self.trail.push(Undo::Low(b as u32, self.low[b]));
            self.low[b] = low;
            for (dirty, mask) in self.dirty.iter_mut().zip(&masks[b * words..]) {
                *dirty |= mask;
            }
            if self.n_supported[b] > 0 {
                for &y in neighbours.get(b) {
                    let y = y as usize;
                    if self.support[y] == b as u32 && !self.placed[y] && self.is_lifted(y) {
                        self.enqueue(y);
                    }
                }
            }
            if self.is_lifted(b) {
                self.enqueue(b);
            }
            match twin[b] as usize {
                twin if twin < self.low.len() && !self.placed[twin] => {
                    low = (low + problem.sizes[b]).next_multiple_of(problem.alignments[twin]);
                    b = twin;
                }
                _ => break,
            }
        }
        Ok(())
    }

    /// A lifted buffer rests on a neighbour that is in the way of its base.
    fn lift(&mut self, x: usize) -> Result<(), Contradiction> {
        let Relations {
            problem,
            neighbours,
            ..
        } = self.relations;
        if self.placed[x] || !self.is_lifted(x) {
            return Ok(());
        }
        let end_at_base = self.base[x] + problem.sizes[x];
        let mut lowest: Option<(u64, u32)> = None;
        for &y in neighbours.get(x) {
            if self.placed[y as usize] || self.low[y as usize] >= end_at_base {
                continue;
            }
            let end = self.low_end(y as usize);
            if lowest.is_none_or(|(lowest, _)| end < lowest) {
                lowest = Some((end, y));
                if end <= self.low[x] {
                    break;
                }
            }
        }
        let Some((end, support)) = lowest else {
            self.failures[x] += 1;
            return Err(Contradiction);
        };
        if self.support[x] != support {
            self.trail.push(Undo::Support(x as u32, self.support[x]));
            self.set_support(x, support);
        }
        self.raise(x, end.next_multiple_of(problem.alignments[x]))
    }

    /// Whether the unplaced members are all in another clique as well, which is checked instead.
    fn is_redundant(&self, clique: usize) -> bool {
        let Relations {
            borders, previous, ..
        } = self.relations;
        if borders.is_empty() {
            return false;
        }
        let previous = previous[clique] as usize;
        let in_next = self.n_ending[clique] == 0;
        // If nothing ends in the previous clique either, that one is skipped in favour of this.
        let in_previous = self.n_starting[clique] == 0
            && self
                .n_ending
                .get(previous)
                .is_some_and(|&n_ending| n_ending > 0);
        in_next || in_previous
    }

    fn check_clique(&mut self, clique: usize) -> Result<(), Contradiction> {
        let n_open = self.n_open[clique] as usize;
        if n_open == 0 || self.is_redundant(clique) {
            return Ok(());
        }
        // Collect unplaced members, sorted; the order of last time makes insertion cheap.
        let mut sorted = std::mem::take(&mut self.scratch);
        sorted.clear();
        let members = self.members.get_mut(clique);
        let mut i = 0;
        while sorted.len() < n_open {
            let b = members[i];
            if !self.placed[b as usize] {
                members[i] = members[sorted.len()];
                members[sorted.len()] = b;
                sorted.push((self.low[b as usize], b));
                sift_down(&mut sorted);
            }
            i += 1;
        }
        for (slot, &(_, b)) in members.iter_mut().zip(&sorted) {
            *slot = b;
        }
        let highest = sorted[n_open - 1].0;
        let result = if highest + self.load[clique] > self.capacity {
            self.stack(&mut sorted, self.load[clique])
        } else {
            Ok(())
        };
        if result.is_err() {
            for &(_, b) in &sorted {
                self.failures[b as usize] += 1;
            }
        }
        self.scratch = sorted;
        result
    }

    /// The clique rule on unplaced members sorted by lower bound, `load` being their total size.
    fn stack(&mut self, members: &mut [(u64, u32)], load: u64) -> Result<(), Contradiction> {
        let problem = self.relations.problem;
        let mut load = load;
        for i in 0..members.len() {
            let (lowest, b) = members[i];
            // The lowest of members[i..] must start here or below.
            let deadline = self.capacity.checked_sub(load).ok_or(Contradiction)?;
            if lowest > deadline {
                return Err(Contradiction);
            }
            if members[members.len() - 1].0 <= deadline {
                break;
            }
            let n_first = members[i..].partition_point(|&(low, _)| low <= deadline);
            if n_first == 1 {
                let last = deadline - deadline % problem.alignments[b as usize];
                if self.low[b as usize] > last {
                    return Err(Contradiction);
                }
                if last < self.last[b as usize] {
                    self.trail.push(Undo::Last(b, self.last[b as usize]));
                    self.last[b as usize] = last;
                }
            }
            let ends = members[i..i + n_first]
                .iter()
                .map(|&(low, b)| low + problem.sizes[b as usize]);
            let lowest_end = ends.min().unwrap_or(0);
            let others = &mut members[i + n_first..];
            let mut raised = false;
            for (low, b) in others.iter_mut().take_while(|(low, _)| *low < lowest_end) {
                *low = lowest_end.next_multiple_of(problem.alignments[*b as usize]);
                self.raise(*b as usize, *low)?;
                raised = true;
            }
            if raised {
                for end in 2..=others.len() {
                    sift_down(&mut others[..end]);
                }
            }
            load -= problem.sizes[b as usize];
        }
        Ok(())
    }
}

/// Moves the last element to its place among the sorted ones before it.
fn sift_down(list: &mut [(u64, u32)]) {
    let mut i = list.len() - 1;
    while i > 0 && list[i - 1].0 > list[i].0 {
        list.swap(i - 1, i);
        i -= 1;
    }
}
