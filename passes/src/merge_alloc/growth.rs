//! Would merging make the peak of the program higher?
//!
//! It can: an arena is as large as its buffers ever need at once, for as long as any of them lives,
//! while buffers of their own come and go. That matters where other memory is allocated meanwhile.
//! [`may_grow`] is false only if it is certain that at no time more is allocated than at some time
//! without merging, given that a buffer of its own is freed after its last use.
//!
//! **Why.** Call *certain load* at a tick the bytes of those buffers of the arena that are then
//! allocated in every run of the scope, and *event* an operation that may allocate anything else.
//!
//! * Where the certain load at an event is at least the size of the arena, all memory together is
//!   no more than it was there without merging. Until the next event, other memory only shrinks.
//! * Before the first event in the life of the arena, other memory only shrinks, too. If the certain
//!   load reaches the size of the arena there, and no other memory can have been freed since the
//!   arena was allocated, since there was no event before it in the scope, that is the peak.

use freehold_frontend::dialects::memref;
use freehold_frontend::effects::{EffectKind, Resource};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op};
use freehold_frontend::op_def::Traits;
use rustc_hash::FxHashSet;

use super::stages::{Schedule, ScopeTrace, TracedBuffer};
use super::ticks::{Span, Ticks};

/// Whether the arena may make the peak of the program higher. See the module doc.
pub(super) fn may_grow(ir: &Ir, ticks: &Ticks, trace: &ScopeTrace, schedule: &Schedule) -> bool {
    let Some(block) = ir.single_block(trace.scope) else {
        return true;
    };
    let (start, end) = ticks.block(block);
    let Some(holder) = trace
        .buffers
        .first()
        .and_then(|b| ir.ancestor_in_block(b.alloc, block))
    else {
        return true;
    };
    let born = ticks.tick(holder);
    let last_ticks = trace.buffers.iter().filter_map(|buffer| buffer.live.last());
    let dead = last_ticks.map(|&(_, last)| last).max().unwrap_or(end);
    let members: FxHashSet<Op> = trace.buffers.iter().map(|buffer| buffer.alloc).collect();
    let events: Vec<u32> = ir
        .walk(ir.region_owner(trace.scope))
        .filter(|op| !members.contains(op) && may_allocate(ir, *op))
        .map(|op| ticks.tick(op))
        .filter(|tick| (start..=dead).contains(tick))
        .collect();
    let loads = certain_loads(ir, ticks, trace, block);
    let load_at = |tick: u32| {
        let index = loads.partition_point(|&(from, _)| from <= tick);
        index.checked_sub(1).map_or(0, |index| loads[index].1)
    };
    let first_event = events.first().copied().unwrap_or(u32::MAX);
    if first_event < born {
        return true;
    }
    let before_events = loads.iter().take_while(|&&(from, _)| from < first_event);
    let reached = before_events.map(|&(_, load)| load).max().unwrap_or(0);
    reached < schedule.bytes || events.iter().any(|&tick| load_at(tick) < schedule.bytes)
}

/// The certain load from each tick on, until the next entry.
fn certain_loads(ir: &Ir, ticks: &Ticks, trace: &ScopeTrace, block: Block) -> Vec<(u32, u64)> {
    let mut changes: Vec<(u32, i128)> = Vec::new();
    for buffer in &trace.buffers {
        if let Some((first, last)) = certain_life(ir, ticks, buffer, block) {
            changes.push((first, i128::from(buffer.bytes)));
            changes.push((last + 1, -i128::from(buffer.bytes)));
        }
    }
    changes.sort_unstable();
    let mut loads: Vec<(u32, u64)> = Vec::with_capacity(changes.len());
    let mut load = 0;
    for (tick, change) in changes {
        load += change;
        let load = u64::try_from(load).unwrap_or(0);
        match loads.last_mut() {
            Some(entry) if entry.0 == tick => entry.1 = load,
            _ => loads.push((tick, load)),
        }
    }
    loads
}

/// When the buffer is allocated in every run of `block`, if ever.
fn certain_life(ir: &Ir, ticks: &Ticks, buffer: &TracedBuffer, block: Block) -> Option<Span> {
    if ir.block_of(buffer.alloc) != Some(block) {
        return None;
    }
    let born = ticks.tick(buffer.alloc);
    let &(_, last) = buffer.live.last()?;
    // The operation of the block in which it dies.
    let holder = ir
        .ops_in(block)
        .take_while(|&op| ticks.tick(op) <= last)
        .last()?;
    let survives = ir.regions(holder).is_empty() || ir.def(holder).loop_like.is_some();
    let dead = if survives {
        last
    } else {
        ticks.tick(holder).checked_sub(1)?
    };
    (born <= dead).then_some((born, dead))
}

/// Whether the operation may allocate heap memory, not counting what it has regions for.
fn may_allocate(ir: &Ir, op: Op) -> bool {
    if ir.def(op).call.is_some() || ir.is(op, &memref::REALLOC) {
        return true;
    }
    match ir.own_effects(op) {
        Some(effects) => effects.iter().any(|effect| {
            effect.kind == EffectKind::Allocate && effect.resource == Resource::Default
        }),
        None => !ir.has_trait(op, Traits::TERMINATOR),
    }
}
