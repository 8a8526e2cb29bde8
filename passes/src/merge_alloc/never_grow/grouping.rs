//! Chooses which buffers of one region share arenas, such that the claim of [`super`] holds.
//!
//! First all buffers together are tried. If that is not certain to be free, those that live across the same surges are
//! tried, which fill their arena at each of them, and halves of these and so on; then neighbours are joined as long as
//! that works. Those that live before, while, and after an arena of all would cost the most, and neighbours alone are
//! tried as well, and what leaves fewer arenas is kept. Whatever can be part of a result becomes that (see
//! [`results`](super::results)). Last, the arenas left in loops move out of them.

use freehold_frontend::ir::attrs::Attr;

use super::results::Bin;
use super::timeline::Bounds;
use crate::merge_alloc::stages::{Schedule, TracedBuffer};
use crate::merge_alloc::ticks::Span;

/// Buffers that are one piece of memory.
#[derive(Clone)]
pub(super) struct Group {
    /// Candidates.
    pub(super) members: Vec<usize>,
    pub(super) space: Option<Attr>,
    pub(super) bytes: u64,
    /// Where it is allocated.
    pub(super) born: u32,
    /// Whether one of the members is allocated whenever execution comes to `born`.
    pub(super) is_sure: bool,
    /// Where it may be there.
    pub(super) life: Vec<Span>,
    /// Where members are alive for sure, and their sizes.
    pub(super) certain: Vec<(Span, u64)>,
    /// The arena, if it is one of this region.
    pub(super) schedule: Option<Schedule>,
    /// The units of nested blocks in it.
    pub(super) units: Vec<usize>,
    /// The result whose memory it is.
    pub(super) result: Option<usize>,
}

impl Group {
    /// From the first to the last position of its life.
    fn hull(&self) -> Span {
        hull(&self.life)
    }
}

/// How to place these members in an arena that is allocated at this position and has at most this many bytes.
type Plan<'a> = &'a mut dyn FnMut(&[usize], u32, u64) -> Option<Schedule>;

/// The groups of one region.
pub(super) struct Grouping<'a> {
    bounds: &'a Bounds,
    pub(super) plan: Plan<'a>,
    /// Of all candidates.
    pub(super) buffers: &'a [&'a TracedBuffer],
    pub(super) bins: Vec<Bin>,
    pub(super) state: State,
    /// How many more positions and members may be looked at for buffers put into results.
    pub(super) budget_in_results: usize,
}

/// What has been joined.
#[derive(Clone)]
pub(super) struct State {
    /// All groups; those that were joined are `None`.
    groups: Vec<Option<Group>>,
    /// What all groups together may take at each position.
    pub(super) load: Vec<u64>,
    /// How many arenas are not full at each position.
    not_full: Vec<u32>,
    /// How many more positions and members may be looked at.
    budget: usize,
}

/// Work allowed per operation of the block and buffer: bounds compile time.
const EFFORT: usize = 100;

/// How many of the following groups are tried as a neighbour: bounds compile time.
const NEIGHBOURS: usize = 8;

impl<'a> Grouping<'a> {
    pub(super) fn new(
        bounds: &'a Bounds,
        plan: Plan<'a>,
        buffers: &'a [&'a TracedBuffer],
        bins: Vec<Bin>,
        groups: Vec<Group>,
    ) -> Self {
        let n = bounds.surges.len();
        let mut changes = vec![0_i128; n + 1];
        for group in &groups {
            for &(first, last) in &group.life {
                changes[first as usize] += i128::from(group.bytes);
                changes[last as usize + 1] -= i128::from(group.bytes);
            }
        }
        let mut load = bounds.load.clone();
        let mut sum = 0;
        for (load, change) in load.iter_mut().zip(changes) {
            sum += change;
            *load = load.saturating_add(u64::try_from(sum).unwrap_or(u64::MAX));
        }
        Self {
            bounds,
            plan,
            buffers,
            bins,
            budget_in_results: EFFORT * (n + groups.len()),
            state: State {
                load,
                not_full: vec![0; n],
                budget: EFFORT * (n + groups.len()),
                groups: groups.into_iter().map(Some).collect(),
            },
        }
    }

    /// The groups that are left in the end.
    pub(super) fn run(mut self) -> Vec<Group> {
        let mut spaces: Vec<(Option<Attr>, Vec<usize>)> = Vec::new();
        for (number, group) in self.state.groups.iter().flatten().enumerate() {
            match spaces.iter_mut().find(|(space, _)| *space == group.space) {
                Some((_, same)) => same.push(number),
                None => spaces.push((group.space, vec![number])),
            }
        }
        for (_, same) in spaces {
            self.join_all(same);
        }
        for number in 0..self.state.groups.len() {
            if let Some(group) = &self.state.groups[number]
                && group.schedule.is_none()
                && !group.units.is_empty()
                && self.bounds.is_loop[group.born as usize]
            {
                self.join(&[number]);
            }
        }
        self.state.groups.into_iter().flatten().collect()
    }

    pub(super) fn group(&self, number: usize) -> &Group {
        self.state.groups[number]
            .as_ref()
            .expect("only groups that are not joined yet are looked at")
    }

    fn join_all(&mut self, mut numbers: Vec<usize>) {
        numbers.sort_by_key(|&number| self.group(number).hull());
        if let Some(all) = self.join(&numbers) {
            return self.move_to_results(&[all]);
        }
        if self.join_with_results(&numbers) {
            return;
        }
        let start = self.state.clone();
        let mut best: Option<(Vec<usize>, State)> = None;
        for join in [
            Self::join_by_surges,
            Self::join_around_excesses,
            Self::join_neighbours,
        ] {
            let joined = join(self, numbers.clone());
            let state = std::mem::replace(&mut self.state, start.clone());
            if (best.as_ref()).is_none_or(|(fewest, _)| joined.len() < fewest.len()) {
                best = Some((joined, state));
            }
        }
        if let Some((joined, state)) = best {
            self.state = state;
            self.move_to_results(&joined);
        }
    }

    /// Joins groups that live across the same surges, and then neighbours.
    fn join_by_surges(&mut self, mut numbers: Vec<usize>) -> Vec<usize> {
        let before = &self.bounds.surges_before;
        let surges_of = |(first, last): Span| (before[first as usize], before[last as usize + 1]);
        numbers.sort_by_key(|&number| surges_of(self.group(number).hull()));
        let surges: Vec<_> = numbers
            .iter()
            .map(|&number| surges_of(self.group(number).hull()))
            .collect();
        let mut joined = Vec::new();
        let mut start = 0;
        for same in surges.chunk_by(|a, b| a == b) {
            let end = start + same.len();
            self.join_parts(&numbers[start..end], &mut joined);
            start = end;
        }
        self.join_neighbours(joined)
    }

    /// Joins all of the groups, sorted by their lives, or else all of each part of them.
    fn join_parts(&mut self, numbers: &[usize], joined: &mut Vec<usize>) {
        if numbers.len() < 2 {
            joined.extend(numbers);
        } else if let Some(all) = self.join(numbers) {
            joined.push(all);
        } else {
            let (earlier, later) = numbers.split_at(self.best_cut(numbers));
            self.join_parts(earlier, joined);
            self.join_parts(later, joined);
        }
    }

    /// Joins groups that live before, while, and after an arena of them all would cost the most, and then neighbours.
    fn join_around_excesses(&mut self, numbers: Vec<usize>) -> Vec<usize> {
        let mut joined = Vec::new();
        let mut work = vec![numbers];
        while let Some(numbers) = work.pop() {
            if numbers.len() < 2 {
                joined.extend(numbers);
                continue;
            }
            let excess = match self.join_or_excess(&numbers) {
                Ok(all) => {
                    joined.push(all);
                    continue;
                }
                Err(excess) => excess,
            };
            let mut parts = [const { Vec::new() }; 3];
            for &number in &numbers {
                let (first, last) = self.group(number).hull();
                let part = match excess {
                    Some(position) if last < position => 0,
                    Some(position) if first > position => 2,
                    _ => 1,
                };
                parts[part].push(number);
            }
            if parts.iter().any(|part| part.len() == numbers.len()) {
                let (earlier, later) = numbers.split_at(self.best_cut(&numbers));
                work.extend([earlier.to_vec(), later.to_vec()]);
            } else {
                work.extend(parts);
            }
        }
        self.join_neighbours(joined)
    }

    /// Where to split groups sorted by their lives: where none of them is alive, near the middle.
    fn best_cut(&self, numbers: &[usize]) -> usize {
        let middle = numbers.len() / 2;
        let mut end = 0;
        let mut best: Option<usize> = None;
        for (i, &number) in numbers.iter().enumerate() {
            let (first, last) = self.group(number).hull();
            if i > 0
                && end < first
                && best.is_none_or(|best| i.abs_diff(middle) < best.abs_diff(middle))
            {
                best = Some(i);
            }
            end = end.max(last);
        }
        best.unwrap_or(middle)
    }

    fn join_neighbours(&mut self, mut numbers: Vec<usize>) -> Vec<usize> {
        loop {
            numbers.sort_by_key(|&number| self.group(number).hull());
            let mut next = Vec::with_capacity(numbers.len());
            let mut is_joined = vec![false; numbers.len()];
            for i in 0..numbers.len() {
                if is_joined[i] {
                    continue;
                }
                let mut both = None;
                for j in (i + 1..numbers.len()).take(NEIGHBOURS) {
                    if both.is_none() && !is_joined[j] {
                        both = self.join(&[numbers[i], numbers[j]]);
                        is_joined[j] = both.is_some();
                    }
                }
                next.push(both.unwrap_or(numbers[i]));
            }
            let is_done = next.len() == numbers.len();
            numbers = next;
            if is_done {
                return numbers;
            }
        }
    }

    /// Makes one arena of the groups if the claim still holds then.
    fn join(&mut self, numbers: &[usize]) -> Option<usize> {
        self.join_or_excess(numbers).ok()
    }

    /// The same, or the position at which the claim is missed by most, if that is the reason.
    fn join_or_excess(&mut self, numbers: &[usize]) -> Result<usize, Option<u32>> {
        let groups = || numbers.iter().map(|&number| self.group(number));
        let spans = || groups().flat_map(|group| group.life.iter().copied());
        let n_members: usize = groups().map(|group| group.members.len()).sum();
        let work = range(hull_of(spans()).ok_or(None)?).len() + n_members;
        let is_move = groups().any(|group| !group.units.is_empty());
        if n_members < 2 && !is_move {
            return Err(None);
        }
        let least = (groups().map(|group| group.bytes).max()).ok_or(None)?;
        let members: Vec<usize> = groups().flat_map(|group| &group.members).copied().collect();
        let left = self.state.budget.checked_sub(work).ok_or(None)?;
        let blocks = &self.bounds.blocks;
        let births = || groups().map(|group| group.born);
        let born = births()
            .reduce(|a, b| if blocks.dominates(b, a) { b } else { a })
            .ok_or(None)?;
        let is_first = births().all(|other| blocks.dominates(born, other));
        // Otherwise there might be an allocation instead of none.
        let is_sure =
            groups().any(|group| group.is_sure && blocks.block(group.born) == blocks.block(born));
        let ends = spans().map(|(_, last)| (last, last + 1));
        let life = (is_first && is_sure).then(|| blocks.between(born, ends));
        self.state.budget = left;
        let life = life.ok_or(None)?;
        let change = self.change(numbers, &life);
        let (position, room) = self.least_room(&change, &life).ok_or(None)?;
        if least > room {
            return Err(Some(position));
        }
        let schedule = (self.plan)(&members, born, room).ok_or(Some(position))?;
        let bytes = schedule.bytes;
        for position in positions(&life) {
            self.put(&change, position, bytes);
        }
        let taken: Vec<Group> = (numbers.iter())
            .filter_map(|&number| self.take(number))
            .collect();
        Ok(self.add(Group {
            members,
            space: taken.first().and_then(|group| group.space),
            bytes,
            born,
            is_sure,
            life,
            certain: taken
                .iter()
                .flat_map(|group| &group.certain)
                .copied()
                .collect(),
            schedule: Some(schedule),
            units: taken
                .iter()
                .flat_map(|group| &group.units)
                .copied()
                .collect(),
            result: None,
        }))
    }

    /// Takes a group away, and gives it.
    pub(super) fn take(&mut self, number: usize) -> Option<Group> {
        self.state.groups[number].take()
    }

    /// Adds a group, whose memory counts already, and gives its number.
    pub(super) fn add(&mut self, group: Group) -> usize {
        self.state.groups.push(Some(group));
        self.state.groups.len() - 1
    }

    /// This many bytes are added to the memory that a change leaves at a position.
    pub(super) fn put(&mut self, change: &Change, position: usize, bytes: u64) {
        let before = &change.before[position - change.first];
        self.state.load[position] = before.load.saturating_add(bytes);
        self.state.not_full[position] = before.not_full + u32::from(before.certain < bytes);
    }

    /// What an arena of the groups finds at each position of its life.
    pub(super) fn change(&self, numbers: &[usize], life: &[Span]) -> Change {
        let hull = hull(life);
        let n = range(hull).len();
        let index = |position: u32| (position - hull.0) as usize;
        // Differences first.
        let mut load = vec![0_i128; n + 1];
        let mut certain = vec![0_i128; n + 1];
        let mut before: Vec<Before> = range(hull)
            .map(|position| Before {
                load: self.state.load[position],
                not_full: self.state.not_full[position],
                certain: 0,
            })
            .collect();
        for &number in numbers {
            let group = self.group(number);
            for &(first, last) in &group.life {
                load[index(first)] += i128::from(group.bytes);
                load[index(last) + 1] -= i128::from(group.bytes);
            }
            for &((from, to), bytes) in &group.certain {
                certain[index(from)] += i128::from(bytes);
                certain[index(to) + 1] -= i128::from(bytes);
            }
            if group.schedule.is_none() {
                continue;
            }
            let start = group.hull().0;
            let mut own = vec![0_i128; range(group.hull()).len() + 1];
            for &((from, to), bytes) in &group.certain {
                own[(from - start) as usize] += i128::from(bytes);
                own[(to - start) as usize + 1] -= i128::from(bytes);
            }
            let mut sum = 0;
            for change in &mut own {
                sum += *change;
                *change = sum;
            }
            for position in positions(&group.life) {
                let is_full = own[position - start as usize] >= i128::from(group.bytes);
                before[position - hull.0 as usize].not_full -= u32::from(!is_full);
            }
        }
        let (mut load_sum, mut certain_sum) = (0, 0);
        for (i, at) in before.iter_mut().enumerate() {
            load_sum += load[i];
            certain_sum += certain[i];
            at.load = at
                .load
                .saturating_sub(u64::try_from(load_sum).unwrap_or(u64::MAX));
            at.certain = u64::try_from(certain_sum).unwrap_or(0);
        }
        Change {
            first: hull.0 as usize,
            before,
        }
    }

    /// Up to which size of an arena of this life the claim holds, and a position at which it does not with more.
    fn least_room(&self, change: &Change, life: &[Span]) -> Option<(u32, u64)> {
        let rooms = positions(life).map(|position| (position as u32, self.room(change, position)));
        rooms.min_by_key(|&(_, room)| room)
    }

    /// The same at one position of it.
    pub(super) fn room(&self, change: &Change, position: usize) -> u64 {
        let at = &change.before[position - change.first];
        let full = if at.not_full == 0 { at.certain } else { 0 };
        if self.bounds.surges[position] {
            return full;
        }
        full.max(self.bounds.limit[position].saturating_sub(at.load))
    }
}

/// See [`Grouping::change`]. It has all positions from the first to the last; only those of the life count.
pub(super) struct Change {
    pub(super) first: usize,
    before: Vec<Before>,
}

impl Change {
    /// The positions.
    pub(super) fn positions(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.before.len()
    }
}

/// One position without the groups that are to be joined.
struct Before {
    /// What all other groups take.
    load: u64,
    /// How many other arenas are not full.
    not_full: u32,
    /// What the groups to be joined take for sure.
    certain: u64,
}

pub(super) fn range((first, last): Span) -> std::ops::Range<usize> {
    first as usize..last as usize + 1
}

fn positions(spans: &[Span]) -> impl Iterator<Item = usize> + '_ {
    spans.iter().flat_map(|&span| range(span))
}

/// From the first to the last position of ascending spans; there is at least one.
pub(super) fn hull(spans: &[Span]) -> Span {
    (spans[0].0, spans[spans.len() - 1].1)
}

fn hull_of(spans: impl Iterator<Item = Span>) -> Option<Span> {
    spans.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}
