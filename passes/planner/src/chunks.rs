//! The planners of the merge-alloc design: a chunk allocator that replays allocations and frees.
//!
//! The arena is a row of chunks, used or free. An allocation takes a free chunk whenever there is
//! one, and only else opens a chunk at the end of the row: a chunk that is larger is split, one
//! that is smaller is *extended*, which moves everything to its right. A run-time allocator could
//! not do that; here all addresses are known only at the end. A freed chunk joins its free
//! neighbours. [`Choice`] says which free chunk is taken: the one of the best size, or by a cost
//! model that also likes chunks freed a moment ago, which are probably still in the cache.
//!
//! The address of a buffer that is already dead must follow the extensions as well. So each chunk
//! remembers what it was made from: it is a root (opened at the end), the low or the high part of
//! a split chunk, or the join of several. A low part and a join begin where their origin begins, a
//! high part ends where its origin ends. Growth passes on to the origin (of a join: the last
//! member), whose size is therefore known at the end only, and moves concern roots only: those
//! whose beginning lies right of the extended chunk, which are always the latest ones. Both are
//! noted where they happen and summed up once, so no step walks through origins.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Planner;
use super::instance::{Conflicts, Instance};
use super::plan::{Plan, PlanError};
use super::problem::{Problem, gcd};

/// Which free chunk an allocation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// The best by size and by how lately it was freed.
    CostModel,
    /// The smallest that is large enough, else the largest.
    SizeFirst,
}

/// The chunk allocator with one of its ways to choose.
#[derive(Clone, Copy, Debug)]
pub struct Chunks {
    choice: Choice,
}

impl Chunks {
    /// Prefers chunks of the right size that were freed lately.
    pub const COST_MODEL: Self = Self {
        choice: Choice::CostModel,
    };

    /// Prefers chunks of the right size.
    pub const SIZE_FIRST: Self = Self {
        choice: Choice::SizeFirst,
    };
}

impl Planner for Chunks {
    fn name(&self) -> &'static str {
        match self.choice {
            Choice::CostModel => "cost-model",
            Choice::SizeFirst => "size-first",
        }
    }

    fn plan(&self, instance: &Instance) -> Result<Plan, PlanError> {
        require_linear(instance)?;
        let granule = common_alignment(instance)?;
        let buffers = instance.buffers();
        // Frees come first among events at one time; a free sorts as `false`.
        let mut events: Vec<(i64, bool, usize)> = Vec::with_capacity(2 * buffers.len());
        for (b, buffer) in buffers.iter().enumerate() {
            if instance.occupies(b) {
                events.push((buffer.lower, true, b));
                // Only a conflict graph gives meaning to an empty lifetime.
                events.push((buffer.upper.max(buffer.lower.saturating_add(1)), false, b));
            }
        }
        events.sort_unstable();
        let mut row = Row::new(self.choice);
        let mut node_of = vec![0; buffers.len()];
        for (_, is_allocation, b) in events {
            row.now += 1;
            if is_allocation {
                node_of[b] = row.allocate(buffers[b].size.next_multiple_of(granule));
            } else {
                row.free(node_of[b]);
            }
        }
        let starts = row.starts();
        let offset = |b: usize| {
            if instance.occupies(b) {
                starts[node_of[b]]
            } else {
                0
            }
        };
        let offsets = (0..buffers.len()).map(offset).collect();
        let lower_bound = Problem::parts(instance)
            .iter()
            .map(|part| part.lower_bound)
            .max()
            .unwrap_or(0);
        Ok(Plan::new(instance, offsets, lower_bound))
    }
}

/// Replaying in time order separates exactly the buffers whose lifetimes overlap.
fn require_linear(instance: &Instance) -> Result<(), PlanError> {
    let Conflicts::Graph(graph) = instance.conflicts() else {
        return Ok(());
    };
    let buffers = instance.buffers();
    for first in 0..buffers.len() {
        for &second in graph.neighbours(first) {
            let second = second as usize;
            if instance.conflict(first, second) && !buffers[first].overlaps(&buffers[second]) {
                return Err(PlanError::NotLinear { first, second });
            }
        }
    }
    Ok(())
}

/// All sizes are rounded up to this, so that all offsets are multiples of it.
fn common_alignment(instance: &Instance) -> Result<u64, PlanError> {
    let mut common = 1u64;
    let mut stacked = 0u64;
    for buffer in instance.buffers() {
        let factor = buffer.alignment / gcd(common, buffer.alignment);
        common = common
            .checked_mul(factor)
            .filter(|&common| i64::try_from(common).is_ok())
            .ok_or(PlanError::AlignmentOverflow)?;
    }
    for buffer in instance.buffers() {
        stacked = buffer
            .size
            .checked_next_multiple_of(common)
            .and_then(|size| stacked.checked_add(size))
            .filter(|&sum| i64::try_from(sum).is_ok())
            .ok_or(PlanError::AlignmentOverflow)?;
    }
    Ok(common)
}

/// What a chunk was made from.
#[derive(Clone, Copy)]
enum Origin {
    /// Nothing: it was opened at the end of the row, as root of this number.
    Root(usize),
    /// The low part of a chunk.
    Low(usize),
    /// The high part of a chunk.
    High(usize),
    /// All chunks from one to another.
    Joined { first: usize, last: usize },
}

/// A chunk that is or was in the row.
struct Chunk {
    origin: Origin,
    /// The size, while it is in the row; afterwards the growth of its products is missing.
    size: u64,
    /// How much of `size` is growth, which the origin shares.
    growth: u64,
    /// The roots whose beginning is in this chunk, or would be between it and the next one.
    roots: Range<usize>,
    previous: Option<usize>,
    next: Option<usize>,
    /// While it is free: when it became free, and the number of its insertion among free chunks.
    free: Option<(u64, u64)>,
}

/// The arena so far. Chunks are numbered in the order they were made.
struct Row {
    choice: Choice,
    chunks: Vec<Chunk>,
    last: Option<usize>,
    total: u64,
    /// Where each root began when it was opened.
    opened_at: Vec<u64>,
    /// Extensions: the roots that moved, and how far.
    moves: Vec<(Range<usize>, u64)>,
    /// Free chunks by time and insertion, and by size and insertion.
    by_time: BTreeSet<(u64, u64, usize)>,
    by_size: BTreeSet<(u64, u64, usize)>,
    n_insertions: u64,
    /// Number of events so far.
    now: u64,
}

impl Row {
    fn new(choice: Choice) -> Self {
        Self {
            choice,
            chunks: Vec::new(),
            last: None,
            total: 0,
            opened_at: Vec::new(),
            moves: Vec::new(),
            by_time: BTreeSet::new(),
            by_size: BTreeSet::new(),
            n_insertions: 0,
            now: 0,
        }
    }

    /// The chunk that an allocation gets.
    fn allocate(&mut self, need: u64) -> usize {
        let Some(chunk) = self.choose(need) else {
            return self.open(need);
        };
        let (stamp, _) = self.remove_free(chunk);
        let size = self.chunks[chunk].size;
        match size.cmp(&need) {
            std::cmp::Ordering::Equal => chunk,
            std::cmp::Ordering::Less => {
                self.extend(chunk, need - size);
                chunk
            }
            std::cmp::Ordering::Greater => self.split(chunk, need, stamp),
        }
    }

    fn choose(&self, need: u64) -> Option<usize> {
        match self.choice {
            Choice::SizeFirst => {
                let large_enough = self.by_size.range((need, 0, 0)..).next();
                let chosen = large_enough.or_else(|| self.by_size.last())?;
                Some(chosen.2)
            }
            Choice::CostModel => {
                let &(stamp, _, newest) = self.by_time.last()?;
                let mut best = (self.score(newest, stamp, need), newest);
                for &(stamp, _, chunk) in &self.by_time {
                    let score = self.score(chunk, stamp, need);
                    if score > best.0 {
                        best = (score, chunk);
                    }
                }
                Some(best.1)
            }
        }
    }

    /// How well a free chunk suits. Single precision, as in the original: ties depend on it.
    fn score(&self, chunk: usize, stamp: u64, need: u64) -> f32 {
        /// After this many events, nothing is expected to be left in the cache.
        const WINDOW: f32 = 10.0;
        let size = self.chunks[chunk].size;
        let misfit = size.abs_diff(need) as f32 / size.max(need) as f32;
        let fits = if need <= size { 1.0 } else { 0.0 };
        let age = (self.now - stamp) as f32 / WINDOW;
        (fits - misfit) + (1.0 - age.min(1.0))
    }

    /// Opens a chunk at the end of the row.
    fn open(&mut self, size: u64) -> usize {
        let root = self.opened_at.len();
        self.opened_at.push(self.total);
        self.total += size;
        let chunk = self.push(Origin::Root(root), size, root..root + 1);
        self.link(self.last, chunk, None);
        chunk
    }

    /// Makes a chunk that is used and not in the row yet.
    fn push(&mut self, origin: Origin, size: u64, roots: Range<usize>) -> usize {
        self.chunks.push(Chunk {
            origin,
            size,
            growth: 0,
            roots,
            previous: None,
            next: None,
            free: None,
        });
        self.chunks.len() - 1
    }

    /// Puts a chunk between two neighbours.
    fn link(&mut self, previous: Option<usize>, chunk: usize, next: Option<usize>) {
        self.chunks[chunk].previous = previous;
        self.chunks[chunk].next = next;
        if let Some(previous) = previous {
            self.chunks[previous].next = Some(chunk);
        }
        match next {
            Some(next) => self.chunks[next].previous = Some(chunk),
            None => self.last = Some(chunk),
        }
    }

    /// Enlarges a chunk; everything right of it moves.
    fn extend(&mut self, chunk: usize, by: u64) {
        self.chunks[chunk].size += by;
        self.chunks[chunk].growth += by;
        self.total += by;
        // Roots that are opened later begin where they do because of this extension.
        let moved = self.chunks[chunk].roots.end..self.opened_at.len();
        self.moves.push((moved, by));
    }

    /// Takes the low part of a free chunk; the rest stays free.
    fn split(&mut self, chunk: usize, need: u64, stamp: u64) -> usize {
        let Chunk {
            size,
            previous,
            next,
            ref roots,
            ..
        } = self.chunks[chunk];
        let roots = roots.clone();
        let end = roots.end;
        let low = self.push(Origin::Low(chunk), need, roots);
        let high = self.push(Origin::High(chunk), size - need, end..end);
        self.link(previous, low, next);
        self.link(Some(low), high, next);
        self.insert_free(high, stamp);
        low
    }

    /// Frees a chunk and joins it with free neighbours.
    fn free(&mut self, chunk: usize) {
        let is_free = |row: &Self, c: Option<usize>| c.filter(|&c| row.chunks[c].free.is_some());
        let (mut first, mut last) = (chunk, chunk);
        while let Some(previous) = is_free(self, self.chunks[first].previous) {
            first = previous;
        }
        while let Some(next) = is_free(self, self.chunks[last].next) {
            last = next;
        }
        let mut freed = chunk;
        if first != last {
            let roots = self.chunks[first].roots.start..self.chunks[last].roots.end;
            let mut size = 0;
            let mut member = Some(first);
            while let Some(c) = member {
                size += self.chunks[c].size;
                if c != chunk {
                    self.remove_free(c);
                }
                member = self.chunks[c].next.filter(|_| c != last);
            }
            let (previous, next) = (self.chunks[first].previous, self.chunks[last].next);
            freed = self.push(Origin::Joined { first, last }, size, roots);
            self.link(previous, freed, next);
        }
        self.insert_free(freed, self.now);
    }

    fn insert_free(&mut self, chunk: usize, stamp: u64) {
        let insertion = self.n_insertions;
        self.n_insertions += 1;
        self.chunks[chunk].free = Some((stamp, insertion));
        self.by_time.insert((stamp, insertion, chunk));
        self.by_size
            .insert((self.chunks[chunk].size, insertion, chunk));
    }

    fn remove_free(&mut self, chunk: usize) -> (u64, u64) {
        let (stamp, insertion) = self.chunks[chunk].free.take().unwrap_or_default();
        self.by_time.remove(&(stamp, insertion, chunk));
        self.by_size
            .remove(&(self.chunks[chunk].size, insertion, chunk));
        (stamp, insertion)
    }

    /// Where every chunk begins after all that happened.
    fn starts(&self) -> Vec<u64> {
        let mut steps = vec![0i128; self.opened_at.len() + 1];
        for (roots, by) in &self.moves {
            steps[roots.start] += i128::from(*by);
            steps[roots.end] -= i128::from(*by);
        }
        let mut shift = 0;
        let shifts: Vec<u64> = (steps.iter().take(self.opened_at.len()))
            .map(|step| {
                shift += step;
                u64::try_from(shift).expect("every move is forward and below the total")
            })
            .collect();
        // Origins are older than chunks made from them.
        let mut sizes: Vec<u64> = self.chunks.iter().map(|chunk| chunk.size).collect();
        for (c, chunk) in self.chunks.iter().enumerate().rev() {
            let growth = chunk.growth + (sizes[c] - chunk.size);
            match chunk.origin {
                Origin::Root(_) => {}
                Origin::Low(origin) | Origin::High(origin) => sizes[origin] += growth,
                Origin::Joined { last, .. } => sizes[last] += growth,
            }
        }
        let mut starts = Vec::with_capacity(self.chunks.len());
        for (c, chunk) in self.chunks.iter().enumerate() {
            starts.push(match chunk.origin {
                Origin::Root(root) => self.opened_at[root] + shifts[root],
                Origin::Low(origin) => starts[origin],
                Origin::High(origin) => starts[origin] + sizes[origin] - sizes[c],
                Origin::Joined { first, .. } => starts[first],
            });
        }
        starts
    }
}

#[cfg(test)]
mod tests {
    use super::super::instance::Buffer;
    use super::*;

    /// Replays `name:size` (an allocation) and `fname` (a free); gives the peak and the offsets.
    fn replay(planner: Chunks, trace: &str) -> (u64, Vec<(String, u64)>) {
        let events: Vec<&str> = trace.split_whitespace().collect();
        let mut names = Vec::new();
        let mut buffers: Vec<Buffer> = Vec::new();
        for (time, event) in (0..).zip(&events) {
            if let Some((name, size)) = event.split_once(':') {
                names.push(name.to_owned());
                buffers.push(Buffer::new(time, i64::MAX, size.parse().unwrap()));
            } else {
                let b = names
                    .iter()
                    .position(|name| Some(name.as_str()) == event.strip_prefix('f'));
                buffers[b.unwrap()].upper = time;
            }
        }
        let plan = planner.plan(&Instance::new(buffers).unwrap()).unwrap();
        (plan.peak, names.into_iter().zip(plan.offsets).collect())
    }

    fn offsets(expected: &[(&str, u64)]) -> Vec<(String, u64)> {
        let own = |&(name, offset): &(&str, u64)| (name.to_owned(), offset);
        expected.iter().map(own).collect()
    }

    #[test]
    fn extends_splits_and_joins() {
        let trace = "0:100 1:120 2:100 f0 3:50 4:60 f2 f4 8:100 f8 5:60 f5 f1 6:350 f3 7:100";
        let expected = [
            ("0", 0),
            ("1", 160),
            ("2", 280),
            ("3", 0),
            ("4", 100),
            ("8", 280),
            ("5", 100),
            ("6", 100),
            ("7", 0),
        ];
        for planner in [Chunks::COST_MODEL, Chunks::SIZE_FIRST] {
            assert_eq!(replay(planner, trace), (450, offsets(&expected)));
        }
    }

    #[test]
    fn cost_model_prefers_the_hot_chunk_and_size_first_the_right_one() {
        let trace = "a:64 b:8 c:66 d:8 fa fc e:60";
        let offset_of_e = |planner| replay(planner, trace).1[4].1;
        assert_eq!(offset_of_e(Chunks::COST_MODEL), 72);
        assert_eq!(offset_of_e(Chunks::SIZE_FIRST), 0);
    }

    #[test]
    fn rounds_sizes_to_the_common_alignment() {
        let buffers = vec![
            Buffer::new(0, 2, 5).aligned(4),
            Buffer::new(1, 3, 5).aligned(6),
        ];
        let plan = Chunks::SIZE_FIRST
            .plan(&Instance::new(buffers).unwrap())
            .unwrap();
        assert_eq!(plan.offsets, [0, 12]);
    }

    #[test]
    fn needs_conflicts_that_follow_from_time() {
        use super::super::instance::ConflictGraph;
        let buffers = vec![Buffer::new(0, 2, 5), Buffer::new(2, 3, 5)];
        let graph = ConflictGraph::new(2, [(0, 1)]).unwrap();
        let instance = Instance::new(buffers).unwrap().with_graph(graph).unwrap();
        let error = Chunks::COST_MODEL.plan(&instance).unwrap_err();
        assert_eq!(
            error,
            PlanError::NotLinear {
                first: 0,
                second: 1
            }
        );
    }
}
