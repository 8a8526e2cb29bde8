//! Buffers in the memory of results, before anything is in those.
//!
//! Buffers that die before the first use of a returned one can share its bytes, if it is allocated earlier. XLA's
//! buffer assignment uses results in this way as well.
//!
//! The largest buffers are put into results first, each into the first place that is free; what fits into none becomes
//! an arena. This is done if the claim of [`super`] holds for all arenas and results together.

use std::cmp::Reverse;

use freehold_frontend::ir::attrs::Attr;

use super::Returned;
use super::grouping::{Change, Group, Grouping, hull, range};
use crate::merge_alloc::stages::{Schedule, TracedBuffer};
use crate::merge_alloc::ticks::Span;

/// A result, as a place for others.
pub(super) struct Bin {
    /// Which result it is.
    result: usize,
    /// The position of its allocation.
    born: u32,
    /// The tick of its first use.
    used_from: u32,
    bytes: u64,
    alignment: u64,
    space: Option<Attr>,
    /// Whether it has buffers already.
    is_taken: bool,
}

impl Bin {
    /// Of the result of this number, which is allocated at a position.
    pub(super) fn new(number: usize, born: u32, result: &Returned) -> Self {
        Self {
            result: number,
            born,
            used_from: result.used_from,
            bytes: result.bytes,
            alignment: result.alignment,
            space: result.space,
            is_taken: false,
        }
    }
}

/// Of more buffers, none is put into results: bounds compile time, as each is compared with those there.
const MAX_BUFFERS: usize = 500;

/// Where the buffers of some groups go.
struct Placement {
    /// For each bin, candidates and their offsets.
    placed: Vec<Vec<(usize, u64)>>,
    /// Candidates that have no place there.
    rest: Vec<usize>,
}

/// Memory that is there at these positions.
struct Piece {
    span: Span,
    bytes: u64,
}

impl Grouping<'_> {
    /// Puts buffers of these groups into results, and makes one arena of the others.
    pub(super) fn join_with_results(&mut self, numbers: &[usize]) -> bool {
        let placement = self.placement(numbers);
        placement.is_some_and(|placement| self.accept(numbers, &placement).is_some())
    }

    /// Puts those of these groups into results that fit there as a whole.
    pub(super) fn move_to_results(&mut self, numbers: &[usize]) {
        let mut moved: Vec<usize> = Vec::new();
        for &number in numbers {
            moved.push(number);
            let is_free = self.placement(&moved).is_some_and(|placement| {
                placement.rest.is_empty() && self.change_if_free(&moved, &placement, 0).is_some()
            });
            if !is_free {
                moved.pop();
            }
        }
        self.join_with_results(&moved);
    }

    /// None if no buffer has a place in a result.
    fn placement(&mut self, numbers: &[usize]) -> Option<Placement> {
        let mut members: Vec<usize> = (numbers.iter())
            .flat_map(|&number| &self.group(number).members)
            .copied()
            .collect();
        let space = self.group(*numbers.first()?).space;
        let is_open = |bin: &Bin| bin.space == space && !bin.is_taken;
        let open = (self.bins.iter()).filter(|&bin| is_open(bin)).count();
        if open == 0 || members.len() > MAX_BUFFERS {
            return None;
        }
        let work = members.len() * open + self.buffers.len() + self.state.load.len();
        self.budget_in_results = self.budget_in_results.checked_sub(work)?;
        members.sort_by_key(|&member| Reverse(self.buffers[member].bytes));
        let mut placed: Vec<Vec<(usize, u64)>> = vec![Vec::new(); self.bins.len()];
        let mut rest = Vec::new();
        for member in members {
            let bins = self.bins.iter().zip(&mut placed);
            let mut bins = bins.filter(|(bin, _)| is_open(bin));
            let found = bins.find_map(|(bin, others)| {
                let offset = offset(self.buffers, member, bin, others)?;
                Some((others, offset))
            });
            match found {
                Some((others, offset)) => others.push((member, offset)),
                None => rest.push(member),
            }
        }
        let is_any = placed.iter().any(|placed| !placed.is_empty());
        is_any.then_some(Placement { placed, rest })
    }

    /// What these groups leave, if the claim holds with the placement and an arena of `bytes` for the rest.
    fn change_if_free(
        &self,
        numbers: &[usize],
        placement: &Placement,
        bytes: u64,
    ) -> Option<(Change, Vec<Piece>)> {
        let mut pieces = Vec::new();
        for (bin, placed) in self.bins.iter().zip(&placement.placed) {
            let groups = self.groups_of(numbers, placed.iter().map(|&(member, _)| member));
            let births = groups.iter().map(|&number| self.group(number).born);
            // From then on, the result is there in any case.
            if let Some(born) = births.min().filter(|&born| born < bin.born) {
                let span = (born, bin.born - 1);
                let bytes = bin.bytes;
                pieces.push(Piece { span, bytes });
            }
        }
        let rest = self.groups_of(numbers, placement.rest.iter().copied());
        if !rest.is_empty() {
            let span = self.hull_of(&rest)?;
            pieces.push(Piece { span, bytes });
        }
        let all = pieces.iter().map(|piece| piece.span);
        let all = all.chain(self.hull_of(numbers));
        let all = all.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
        let change = self.change(numbers, &[all]);
        let is_free = change.positions().all(|position| {
            let bytes = bytes_at(&pieces, position);
            bytes <= self.room(&change, position)
        });
        is_free.then_some((change, pieces))
    }

    fn accept(&mut self, numbers: &[usize], placement: &Placement) -> Option<()> {
        let Placement { placed, rest } = placement;
        let rest_groups = self.groups_of(numbers, rest.iter().copied());
        let largest = rest.iter().map(|&member| self.buffers[member].bytes).max();
        self.change_if_free(numbers, placement, largest.unwrap_or(0))?;
        let is_fewer = usize::from(!rest.is_empty()) < numbers.len();
        // Otherwise there might be an allocation instead of none.
        let is_sure =
            rest.is_empty() || (rest_groups.iter()).any(|&number| self.group(number).is_sure);
        if !is_fewer || !is_sure {
            return None;
        }
        let mut made = Vec::new();
        let mut bytes = 0;
        if let (&[_], &[number]) = (&rest[..], &rest_groups[..])
            && self.group(number).schedule.is_none()
            && self.group(number).units.is_empty()
        {
            let alone = self.group(number).clone();
            bytes = alone.bytes;
            made.push(alone);
        } else if !rest.is_empty() {
            let hull = self.hull_of(&rest_groups)?;
            let schedule = (self.plan)(rest, hull.0, u64::MAX)?;
            bytes = schedule.bytes;
            let arena = self.arena(&rest_groups, rest.clone(), hull, schedule);
            made.push(arena);
        }
        let (change, pieces) = self.change_if_free(numbers, placement, bytes)?;
        for (index, placed) in placed.iter().enumerate().filter(|(_, p)| !p.is_empty()) {
            let members: Vec<usize> = placed.iter().map(|&(member, _)| member).collect();
            let groups = self.groups_of(numbers, members.iter().copied());
            let (first, last) = self.hull_of(&groups)?;
            let bin = &mut self.bins[index];
            bin.is_taken = true;
            let (first, result) = (first.min(bin.born), bin.result);
            let schedule = Schedule {
                bytes: bin.bytes,
                alignment: bin.alignment,
                offsets: placed.iter().map(|&(_, offset)| offset).collect(),
                lower_bound: bin.bytes,
            };
            made.push(Group {
                result: Some(result),
                ..self.arena(&groups, members, (first, last), schedule)
            });
        }
        for position in change.positions() {
            self.put(&change, position, bytes_at(&pieces, position));
        }
        for &number in numbers {
            self.take(number);
        }
        for group in made {
            self.add(group);
        }
        Some(())
    }

    /// A group of some members of others.
    fn arena(
        &self,
        groups: &[usize],
        members: Vec<usize>,
        hull: Span,
        schedule: Schedule,
    ) -> Group {
        let groups = groups.iter().map(|&number| self.group(number));
        Group {
            members,
            space: groups.clone().find_map(|group| group.space),
            bytes: schedule.bytes,
            born: hull.0,
            is_sure: true,
            life: vec![hull],
            certain: Vec::new(),
            schedule: Some(schedule),
            units: groups.flat_map(|group| &group.units).copied().collect(),
            result: None,
        }
    }

    /// Those of the groups that have one of the members.
    fn groups_of(&self, numbers: &[usize], members: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut wanted = vec![false; self.buffers.len()];
        for member in members {
            wanted[member] = true;
        }
        let has = |&number: &usize| self.group(number).members.iter().any(|&m| wanted[m]);
        numbers.iter().copied().filter(has).collect()
    }

    fn hull_of(&self, numbers: &[usize]) -> Option<Span> {
        let hulls = numbers.iter().map(|&number| hull(&self.group(number).life));
        hulls.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }
}

fn bytes_at(pieces: &[Piece], position: usize) -> u64 {
    let is_at = |piece: &&Piece| range(piece.span).contains(&position);
    let at = pieces.iter().filter(is_at);
    at.fold(0, |sum: u64, piece| sum.saturating_add(piece.bytes))
}

/// The first place of a buffer in a result that others have left, before that is used.
fn offset(
    buffers: &[&TracedBuffer],
    member: usize,
    bin: &Bin,
    others: &[(usize, u64)],
) -> Option<u64> {
    let buffer = buffers[member];
    let last = buffer.live.last();
    let is_over = last.is_some_and(|&(_, last)| last < bin.used_from);
    if !is_over || buffer.alignment > bin.alignment {
        return None;
    }
    let meets = |other: &TracedBuffer| {
        let spans = other.live.iter();
        let mut pairs = spans.flat_map(|a| buffer.live.iter().map(move |b| (a, b)));
        pairs.any(|(a, b)| a.0 <= b.1 && b.0 <= a.1)
    };
    let mut taken: Vec<(u64, u64)> = (others.iter())
        .map(|&(other, offset)| (buffers[other], offset))
        .filter(|(other, _)| meets(other))
        .map(|(other, offset)| (offset, offset + other.bytes))
        .collect();
    taken.sort_unstable();
    let mut offset = 0;
    for (start, end) in taken {
        if offset + buffer.bytes <= start {
            break;
        }
        offset = end.next_multiple_of(buffer.alignment).max(offset);
    }
    (offset.checked_add(buffer.bytes)? <= bin.bytes).then_some(offset)
}
