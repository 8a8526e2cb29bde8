//! Which buffers can share an arena such that the peak of the program is certain not to become higher?
//!
//! An arena is as large as its buffers ever need at once, for as long as any of them lives, while
//! buffers of their own come and go. That costs memory where something else is allocated meanwhile,
//! so an arena is made only where a proof says that it does not. Proofs are about one block, and
//! compare with the same program in which every buffer is freed after its last use.
//!
//! **Model.** Time is the positions of the operations of the block. Memory is what the buffers of
//! the block take (`certain` is what they take for sure, before merging; `load` what they may take
//! now), and *other* memory. [`summary`] tells of each operation whether other memory
//!
//! * may *rise*: there may be more of it afterwards;
//! * may *fall*: there may be less of it afterwards, or already while a region is run;
//! * may *surge*: there may be more of it while the operation runs, in a call for example.
//!
//! A buffer takes its bytes rounded up to the alignment that its allocation asks for: `aligned_alloc` wants as much.
//!
//! **Claim.** The peak of the program does not become higher if at each position, either every arena
//! is *full* (its buffers that are alive for sure take at least its size), or nothing surges and
//! `load` is at most `certain` of another position from which on (if it comes before, on every way)
//! nothing rises, or up to which (if it comes later in the block) nothing falls. In the first case all memory together is no more
//! than it was at that time without merging. In the second, it is no more than it was at that
//! other position: other memory was no less.
//!
//! **Results.** Buffers of known size that a function of one block allocates there and returns are there from their
//! allocations to its end, before merging as after it. They count in `certain` and in `load`, and are no other memory.
//! [`results`] puts buffers into them; they are then allocated earlier, which counts in `load`.
//!
//! **Several blocks.** A buffer may be there where a use of it can be reached from its allocation, and is
//! there for sure where that is so and no free lies in between. Block arguments would make this
//! wrong, so what becomes one is not looked at. An arena is allocated with a buffer that dominates all
//! others of it; it lives wherever one of their lives can be reached, and is freed on every way out.
//!
//! **Nested regions.** Regions are done from the inside out. What remains of a nested block, buffers and
//! arenas, is a buffer of the region around that lives during one operation and is not certain. If
//! that operation is a loop that runs and changes no other memory, what the nested block takes for
//! sure at once is certain during the loop, so an arena can move out of it.

mod blocks;
mod grouping;
mod results;
pub(super) mod summary;
mod timeline;

use freehold_frontend::dialects::{memref, scf};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::dominance::Dominance;
use freehold_frontend::ir::entities::{Block, Op, Region, Value, ValueDef};
use freehold_frontend::ir::op_def::Traits;
use grouping::{Group, Grouping};
use indexmap::IndexMap;
use results::Bin;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::collections::BinaryHeap;
use summary::Summaries;
use timeline::Timeline;

use super::NO_ARENA;
use super::alias::{Aliases, is_phi};
use super::mutate::anchor;
use super::scale::Scale;
use super::stages::{Freeing, MergeOptions, Schedule, ScopeTrace, TracedBuffer};
use super::sure::runs;
use super::ticks::{Span, Ticks};
use crate::analysis::alignment;
use crate::analysis::liveness::RegionChains;
use crate::deallocation::plan::place::Placer;

/// A buffer that can be part of an arena in its region, or around it.
struct Candidate<'a> {
    buffer: &'a TracedBuffer,
    space: Option<Attr>,
    region: Region,
    /// All uses are in the block of the allocation.
    is_local: bool,
    /// The operations that use a view of it for anything but to free it.
    users: Vec<Op>,
    /// The ticks at which it is used or freed.
    uses: Vec<u32>,
    /// The allocation of the candidate that dies where this one is born and leaves it its bytes.
    takes_over: Option<Op>,
}

/// A buffer that is there from its allocation until the function returns it.
struct Returned {
    alloc: Op,
    bytes: u64,
    /// Which it has if others become part of it.
    alignment: u64,
    space: Option<Attr>,
    /// The tick of its first use.
    used_from: u32,
}

/// What became of some candidates: one buffer as it was, or several in an arena.
struct Unit {
    /// Where it is allocated.
    block: Block,
    members: Vec<usize>,
    bytes: u64,
    /// The arena, unless it is a buffer as it was.
    schedule: Option<Schedule>,
    /// It is allocated in every run of the block.
    is_sure: bool,
    /// The result that it is part of.
    result: Option<usize>,
    /// Out of how many operations it has been offered already.
    offers: u32,
    /// Part of a later unit.
    is_absorbed: bool,
}

/// Units that a nested block offers to the region around.
struct Offer {
    /// The operation around the nested block.
    op: Op,
    units: Vec<usize>,
    /// What the nested block takes at once in every run of `op`.
    certain: u64,
}

/// Out of this many operations a buffer may be moved: each is one more way to group, so this bounds
/// compile time.
const MAX_OFFERS: u32 = 4;

/// At most this many symbolic sizes: bounds compile time.
const MAX_SCALES: usize = 16;

/// Buffers that are used in several blocks may together live this many times through the whole function.
const MAX_LENGTH: u64 = 256;

/// The largest arena; far from what the planner does not take.
const MAX_ARENA: u64 = 1 << 60;

/// Chooses the arenas: each with its buffers, which are some of those in `scopes`, and its plan. `schedule` plans one
/// that has at most some number of bytes.
///
/// Buffers of known size first, and then those of each scale: for them all others are other memory.
/// That others have been merged meanwhile makes no difference to what has been said of them: an arena
/// is allocated with an operation that allocates one of its buffers, and freed after the last use of one.
pub(super) fn arenas(
    ir: &Ir,
    aliases: &Aliases,
    scopes: &[ScopeTrace],
    options: &MergeOptions,
    schedule: &mut dyn FnMut(&ScopeTrace, u64) -> Option<Schedule>,
) -> Vec<(ScopeTrace, Schedule)> {
    let ticks = Ticks::new(ir);
    let dominance = Dominance::new(ir);
    let mut schedule = |trace: &ScopeTrace, room: u64| {
        let allocs = trace.buffers.iter().map(|buffer| buffer.alloc);
        let anchor = anchor(ir, trace.block, allocs)?;
        let mut factors = trace.scale.factors.iter();
        factors
            .all(|&factor| dominance.value_dominates(ir, factor, anchor))
            .then(|| schedule(trace, room))?
    };
    let candidates = candidates(ir, &ticks, aliases, scopes);
    let followed: FxHashSet<Op> = candidates.iter().map(|c| c.buffer.alloc).collect();
    let mut results = summary::returned(ir, &ticks, aliases);
    results.retain(|result| !followed.contains(&result.alloc));
    for result in &mut results {
        result.alignment = result.alignment.max(options.alignment);
    }
    let mut by_scale: IndexMap<Scale, Vec<Candidate<'_>>, FxBuildHasher> = IndexMap::default();
    by_scale.insert(Scale::default(), Vec::new());
    for candidate in candidates {
        let same = by_scale.entry(candidate.buffer.scale.clone()).or_default();
        same.push(candidate);
    }
    let mut found: Vec<_> = by_scale
        .into_values()
        .filter(|same| !same.is_empty())
        .take(ir.capped(MAX_SCALES))
        .flat_map(|same| arenas_of(ir, &ticks, aliases, &same, &results, &mut schedule))
        .collect();
    found.sort_by_key(|(trace, _)| ticks.tick(trace.buffers[0].alloc));
    found
}

/// The same for candidates of one scale.
fn arenas_of(
    ir: &Ir,
    ticks: &Ticks,
    aliases: &Aliases,
    candidates: &[Candidate<'_>],
    results: &[Returned],
    schedule: &mut dyn FnMut(&ScopeTrace, u64) -> Option<Schedule>,
) -> Vec<(ScopeTrace, Schedule)> {
    // Sizes of run time are not known to be a part of those of results.
    let is_static = (candidates.first()).is_some_and(|first| first.buffer.scale.is_static());
    let results = if is_static { results } else { &[] };
    let mut search = Search {
        ir,
        ticks,
        summaries: Summaries::new(ir, ticks, aliases, candidates, results),
        candidates,
        results,
        units: Vec::new(),
    };
    let mut regions: FxHashMap<Region, (Vec<usize>, Vec<Offer>)> = FxHashMap::default();
    let mut queue: BinaryHeap<(u32, Region)> = BinaryHeap::new();
    for (c, candidate) in candidates.iter().enumerate() {
        let entry = regions.entry(candidate.region).or_default();
        if entry.0.is_empty() {
            queue.push((ticks.region(candidate.region).0, candidate.region));
        }
        entry.0.push(c);
    }
    // Nested regions begin later than those around them.
    while let Some((_, region)) = queue.pop() {
        let (direct, offers) = regions.remove(&region).unwrap_or_default();
        if let Some((around, offer)) = search.region(region, &direct, &offers, schedule) {
            let entry = regions.entry(around).or_default();
            if entry.0.is_empty() && entry.1.is_empty() {
                queue.push((ticks.region(around).0, around));
            }
            entry.1.push(offer);
        }
    }
    let units = std::mem::take(&mut search.units);
    let mut chains = None;
    units
        .into_iter()
        .filter(|unit| !unit.is_absorbed)
        .filter_map(|unit| {
            let schedule = unit.schedule?;
            if let Some(result) = unit.result {
                let buffers = unit.members.iter().map(|&c| candidates[c].buffer.clone());
                return Some(in_result(
                    ticks,
                    &results[result],
                    unit.block,
                    buffers,
                    schedule,
                ));
            }
            let mut trace = trace_of(ticks, candidates, &unit.members, unit.block);
            let members = || unit.members.iter().map(|&c| &candidates[c]);
            if members().any(|member| !member.buffer.deallocs.is_empty()) {
                trace.freeing = match in_one_block(ir, members(), unit.block) {
                    true => after_last_user(ir, ticks, members(), unit.block)?,
                    false => {
                        let chains = chains.get_or_insert_with(|| RegionChains::of(ir));
                        on_every_way(ir, chains, members(), &trace)?
                    }
                };
            }
            Some((trace, schedule))
        })
        .collect()
}

/// Whether these buffers are used in one block only, or inside of its operations.
fn in_one_block<'a>(
    ir: &Ir,
    mut members: impl Iterator<Item = &'a Candidate<'a>>,
    block: Block,
) -> bool {
    members.all(|member| {
        let alloc = member.buffer.alloc;
        ir.ancestor_in_block(alloc, block)
            .is_some_and(|ancestor| ancestor != alloc || member.is_local)
    })
}

/// Frees an arena in its block.
fn after_last_user<'a>(
    ir: &Ir,
    ticks: &Ticks,
    members: impl Iterator<Item = &'a Candidate<'a>>,
    block: Block,
) -> Option<Freeing> {
    let users =
        members.flat_map(|member| member.users.iter().copied().chain([member.buffer.alloc]));
    let last = users.max_by_key(|&op| ticks.tick(op))?;
    ir.ancestor_in_block(last, block).map(Freeing::After)
}

/// Frees an arena that is needed in several blocks. It is allocated with one of the buffers, so they are
/// in the same places as if that one did all that the others do.
fn on_every_way<'a>(
    ir: &Ir,
    chains: &RegionChains,
    members: impl Iterator<Item = &'a Candidate<'a>>,
    trace: &ScopeTrace,
) -> Option<Freeing> {
    let holder = ir.result(first_alloc(ir, trace)?, 0);
    let users = members.flat_map(|member| &member.users).copied().collect();
    let mut frees = Vec::new();
    Placer::new(ir, chains, holder, users).place(&mut frees);
    Some(Freeing::At(frees.iter().map(|free| free.place).collect()))
}

/// The buffer whose place the arena takes, if there is one in the block itself.
fn first_alloc(ir: &Ir, trace: &ScopeTrace) -> Option<Op> {
    let mut allocs = trace.buffers.iter().map(|buffer| buffer.alloc);
    let anchor = anchor(ir, trace.block, allocs.clone())?;
    allocs.find(|&alloc| alloc == anchor)
}

/// The buffers that can be followed within one region.
fn candidates<'a>(
    ir: &Ir,
    ticks: &Ticks,
    aliases: &Aliases,
    scopes: &'a [ScopeTrace],
) -> Vec<Candidate<'a>> {
    let mut frees: FxHashMap<Op, u32> = FxHashMap::default();
    for dealloc in scopes
        .iter()
        .flat_map(|scope| &scope.buffers)
        .flat_map(|buffer| &buffer.deallocs)
    {
        *frees.entry(*dealloc).or_default() += 1;
    }
    let mut candidates: Vec<Candidate<'a>> = Vec::new();
    let mut length = ir.capped(MAX_LENGTH) * u64::from(ticks.op(ir.root()).1);
    for scope in scopes {
        let mut dying: Vec<Option<Op>> = vec![None; scope.buffers.len()];
        for &(dies, born) in &scope.same_bytes {
            dying[born] = Some(scope.buffers[dies].alloc);
        }
        for (buffer, takes_over) in scope.buffers.iter().zip(dying) {
            let candidate = candidate(ir, ticks, aliases, buffer, scope.space)
                .filter(|_| buffer.deallocs.iter().all(|dealloc| frees[dealloc] == 1))
                .filter(|candidate| spend(&mut length, candidate));
            candidates.extend(candidate.map(|candidate| Candidate {
                takes_over,
                ..candidate
            }));
        }
    }
    candidates
}

/// Whether there is still time to look at all blocks between the uses of the buffer.
fn spend(length: &mut u64, candidate: &Candidate<'_>) -> bool {
    let (first, last) = (candidate.uses.iter().min(), candidate.uses.iter().max());
    let own = match (first, last) {
        (Some(first), Some(last)) if !candidate.is_local => u64::from(last - first),
        _ => 0,
    };
    let left = length.checked_sub(own);
    *length = left.unwrap_or(*length);
    left.is_some()
}

fn candidate<'a>(
    ir: &Ir,
    ticks: &Ticks,
    aliases: &Aliases,
    buffer: &'a TracedBuffer,
    space: Option<Attr>,
) -> Option<Candidate<'a>> {
    let block = ir.block_of(buffer.alloc)?;
    let region = ir.region_of(block)?;
    let is_inside = |(first, last): Span, tick: u32| (first..=last).contains(&tick);
    // A buffer that is never read is no allocation any more when the program runs; neither is it
    // one with an arena.
    if memref::is_never_read(ir, ir.result(buffer.alloc, 0)) || is_arena(ir, buffer.alloc) {
        return None;
    }
    let mut users = Vec::new();
    let mut uses = Vec::new();
    let mut is_local = true;
    let views = aliases.of(buffer.alloc)?;
    let whole = ir.result(buffer.alloc, 0);
    let is_freed_whole = (buffer.deallocs.iter()).all(|&dealloc| ir.operand(dealloc, 0) == whole);
    let knows_frees = is_freed_whole && !buffer.deallocs.is_empty();
    for &view in views {
        // For ping-pong buffers, it is unknown here which one is freed first.
        if aliases.is_foreign(view) || is_carried(ir, view) && !knows_frees {
            return None;
        }
        for u in ir.uses(view) {
            let tick = ticks.tick(u.op);
            if !is_inside(ticks.region(region), tick) {
                return None;
            }
            is_local &= is_inside(ticks.block(block), tick);
            uses.push(tick);
            if !buffer.deallocs.contains(&u.op) {
                users.push(u.op);
            }
        }
    }
    let addresses = aliases.addresses(buffer.alloc);
    for u in addresses.iter().flat_map(|&address| ir.uses(address)) {
        let tick = ticks.tick(u.op);
        if !is_inside(ticks.region(region), tick) {
            return None;
        }
        is_local &= is_inside(ticks.block(block), tick);
        uses.push(tick);
        users.push(u.op);
    }
    let mut values = views.iter().chain(addresses);
    if !is_local && values.any(|&value| is_phi(ir, value)) {
        return None;
    }
    Some(Candidate {
        buffer,
        space,
        region,
        is_local,
        users,
        uses,
        takes_over: None,
    })
}

/// How much memory an allocation by itself takes, in the units of its scale.
fn taken(ir: &Ir, buffer: &TracedBuffer) -> u64 {
    let alignment = alignment::requested(ir, buffer.alloc);
    match buffer.scale.is_static() {
        true => buffer.bytes.checked_next_multiple_of(alignment),
        false => None,
    }
    .unwrap_or(buffer.bytes)
}

/// Whether a loop gave the value to its body, or out of it.
fn is_carried(ir: &Ir, value: Value) -> bool {
    let op = match ir.value_def(value) {
        ValueDef::Result(op, _) => Some(op),
        ValueDef::Argument(block, _) => ir.block_parent_op(block),
    };
    op.is_some_and(|op| ir.def(op).loop_like.is_some())
}

/// Whether it looks like what this pass makes.
fn is_arena(ir: &Ir, alloc: Op) -> bool {
    let value = ir.result(alloc, 0);
    let context = ir.context();
    let holds_bytes = context
        .as_memref(ir.value_type(value))
        .is_some_and(|m| m.rank() == 1 && context.integer_width(m.element) == Some(8));
    holds_bytes
        && !ir.has_attr(alloc, context.intern_name(NO_ARENA))
        && ir
            .uses(value)
            .iter()
            .all(|u| ir.is(u.op, &memref::VIEW) || ir.is(u.op, &memref::DEALLOC))
}

/// An arena of these candidates; where it is freed remains to be said.
fn trace_of(
    ticks: &Ticks,
    candidates: &[Candidate<'_>],
    members: &[usize],
    block: Block,
) -> ScopeTrace {
    let mut members = members.to_vec();
    members.sort_unstable_by_key(|&c| ticks.tick(candidates[c].buffer.alloc));
    let alloc_of = |&c: &usize| candidates[c].buffer.alloc;
    let index: FxHashMap<Op, usize> = members.iter().map(alloc_of).zip(0..).collect();
    let same_bytes = (members.iter().zip(0..))
        .filter_map(|(&c, born)| Some((*index.get(&candidates[c].takes_over?)?, born)))
        .collect();
    let buffers: Vec<TracedBuffer> = members
        .iter()
        .map(|&c| candidates[c].buffer.clone())
        .collect();
    ScopeTrace {
        block,
        space: members.first().and_then(|&c| candidates[c].space),
        scale: buffers
            .first()
            .map(|buffer| buffer.scale.clone())
            .unwrap_or_default(),
        buffers,
        same_bytes,
        freeing: Freeing::Never,
    }
}

/// A result that contains these buffers, before it is used.
fn in_result(
    ticks: &Ticks,
    result: &Returned,
    block: Block,
    buffers: impl Iterator<Item = TracedBuffer>,
    schedule: Schedule,
) -> (ScopeTrace, Schedule) {
    let whole = TracedBuffer {
        alloc: result.alloc,
        bytes: result.bytes,
        scale: Scale::default(),
        alignment: result.alignment,
        live: vec![(result.used_from, ticks.block(block).1)],
        deallocs: Vec::new(),
    };
    let mut placed: Vec<(TracedBuffer, u64)> = buffers.zip(schedule.offsets).collect();
    placed.push((whole, 0));
    placed.sort_by_key(|(buffer, _)| ticks.tick(buffer.alloc));
    let (buffers, offsets) = placed.into_iter().unzip();
    let trace = ScopeTrace {
        block,
        space: result.space,
        scale: Scale::default(),
        buffers,
        same_bytes: Vec::new(),
        freeing: Freeing::Never,
    };
    (
        trace,
        Schedule {
            offsets,
            ..schedule
        },
    )
}

/// What has been found so far.
struct Search<'a> {
    ir: &'a Ir,
    ticks: &'a Ticks,
    summaries: Summaries,
    candidates: &'a [Candidate<'a>],
    results: &'a [Returned],
    units: Vec<Unit>,
}

impl Search<'_> {
    /// Makes arenas in one region, and offers the rest to the region around.
    fn region(
        &mut self,
        region: Region,
        direct: &[usize],
        offers: &[Offer],
        schedule: &mut dyn FnMut(&ScopeTrace, u64) -> Option<Schedule>,
    ) -> Option<(Region, Offer)> {
        let (ir, ticks, candidates) = (self.ir, self.ticks, self.candidates);
        let mut timeline = Timeline::new(ir, ticks, &self.summaries, region);
        let mut bins = Vec::new();
        for (number, result) in self.results.iter().enumerate() {
            if ir.parent_region(result.alloc) == Some(region) {
                let born = timeline.add_result(ticks.tick(result.alloc), result.bytes);
                bins.push(Bin::new(number, born, result));
            }
        }
        let mut groups: Vec<Group> = Vec::new();
        for &c in direct {
            let Candidate { buffer, uses, .. } = &candidates[c];
            let bytes = taken(ir, buffer);
            let born = ticks.tick(buffer.alloc);
            let frees = buffer.deallocs.iter().map(|&op| ticks.tick(op));
            let life = timeline.add_buffer(born, uses, &buffer.live, frees, bytes);
            let certain = life.certain.iter().map(|&span| (span, bytes));
            groups.push(Group {
                members: vec![c],
                space: candidates[c].space,
                bytes,
                born: life.born,
                is_sure: true,
                certain: certain.collect(),
                life: life.maybe,
                schedule: None,
                units: Vec::new(),
                result: None,
            });
        }
        for offer in offers {
            let position = timeline.position(ticks.tick(offer.op));
            timeline.add_nested(position, offer.certain);
            groups.extend(offer.units.iter().map(|&unit| Group {
                members: self.units[unit].members.clone(),
                space: candidates[self.units[unit].members[0]].space,
                bytes: self.units[unit].bytes,
                born: position,
                is_sure: self.units[unit].is_sure && runs(ir, offer.op),
                life: vec![(position, position)],
                certain: Vec::new(),
                schedule: None,
                units: vec![unit],
                result: None,
            }));
        }
        let bounds = timeline.bounds();
        let mut plan = |members: &[usize], born: u32, room: u64| {
            let mut sizes = members.iter().map(|&c| candidates[c].buffer.bytes);
            // What does not fit into the address space is left as it is.
            sizes
                .try_fold(0_u64, u64::checked_add)
                .filter(|&sum| sum <= MAX_ARENA)?;
            let block = bounds.blocks.block(born);
            let trace = trace_of(ticks, candidates, members, block);
            let is_local = in_one_block(ir, members.iter().map(|&c| &candidates[c]), block);
            if !is_local {
                first_alloc(ir, &trace)?;
            }
            schedule(&trace, room)
        };
        let buffers: Vec<&TracedBuffer> = candidates.iter().map(|c| c.buffer).collect();
        let groups = Grouping::new(&bounds, &mut plan, &buffers, bins, groups).run();
        let certain = bounds.most_certain;
        let mut left = Vec::with_capacity(groups.len());
        for group in groups {
            if let (None, &[unit]) = (&group.schedule, &group.units[..]) {
                left.push(unit);
                continue;
            }
            let offers = group.units.iter().map(|&u| self.units[u].offers).max();
            for &u in &group.units {
                self.units[u].is_absorbed = true;
            }
            left.push(self.units.len());
            self.units.push(Unit {
                block: bounds.blocks.block(group.born),
                members: group.members,
                bytes: group.bytes,
                schedule: group.schedule,
                is_sure: group.is_sure,
                result: group.result,
                offers: offers.unwrap_or(0),
                is_absorbed: false,
            });
        }
        self.offer(region, left, certain)
    }

    /// What the region around may do with the rest. Where it may do nothing, these are surges.
    fn offer(
        &mut self,
        region: Region,
        units: Vec<usize>,
        certain: u64,
    ) -> Option<(Region, Offer)> {
        let ir = self.ir;
        let op = ir.region_owner(region);
        if op == ir.root() {
            return None;
        }
        let is_movable = ir.single_block(region).is_some()
            && ir.def(op).region_branch.is_some()
            && !ir.has_trait(op, Traits::PARALLEL)
            && (!ir.has_trait(op, Traits::AUTOMATIC_ALLOCATION_SCOPE) || ir.is(op, &scf::FOR))
            && units
                .iter()
                .all(|&u| self.units[u].offers < ir.capped(MAX_OFFERS));
        let around = ir.parent_region(op)?;
        if !is_movable {
            self.summaries.add_surge(ir, op);
            return None;
        }
        for &u in &units {
            self.units[u].offers += 1;
        }
        let certain = if runs(ir, op) { certain } else { 0 };
        Some((around, Offer { op, units, certain }))
    }
}
