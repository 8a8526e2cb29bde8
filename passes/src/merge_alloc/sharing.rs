//! Buffers of run-time size: one whose sizes are the same SSA values as those of an earlier one, and
//! which is live at other times, uses that one's memory instead of its own. It may also be born in
//! the operation in which the other dies, if that works in place.
//!
//! That needs no arena and no arithmetic: the later allocation simply goes. Only buffers without
//! frees take part; a deallocation pass then frees the rest after its last use. The rest may still
//! become part of an arena.

use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::dominance::Dominance;
use freehold_frontend::ir::entities::{Op, Region, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::alias::Aliases;
use super::in_place;
use super::schedule::merged;
use super::ticks::{Span, Ticks};
use super::trace::{Traced, scope_of};

/// What two buffers must have in common, the scope included: an allocation outside of a parallel loop must not serve in
/// all its iterations.
type Class = (Option<Region>, Type, Option<Attr>, Vec<Value>);

/// An allocation that stays, and when it is used.
struct Kept {
    alloc: Op,
    live: Vec<Span>,
    /// The one that used it last, and the last access.
    user: Op,
    last_access: Option<Op>,
}

/// Of each class, only this many of the latest allocations are looked at: bounds compile time.
const MAX_LOOKBACK: usize = 32;

/// Pairs of an allocation that stays and one that goes, and when what stays is live then.
#[derive(Default)]
pub(super) struct Shared {
    pub(super) pairs: Vec<(Op, Op)>,
    pub(super) live: FxHashMap<Op, Vec<Span>>,
}

/// Finds what can share among these buffers.
pub(super) fn find<'a>(
    ir: &Ir,
    ticks: &Ticks,
    aliases: &Aliases,
    buffers: impl Iterator<Item = &'a Traced>,
) -> Shared {
    let mut classes: IndexMap<Class, Vec<Kept>, FxBuildHasher> = IndexMap::default();
    let mut pairs = Vec::new();
    let mut dominance = None;
    for buffer in buffers.filter(|buffer| buffer.deallocs.is_empty()) {
        let alloc = buffer.alloc;
        let class = (
            scope_of(ir, buffer.home),
            ir.value_type(ir.result(alloc, 0)),
            ir.attr(alloc, Name::ALIGNMENT),
            ir.operands(alloc).to_vec(),
        );
        let kept = classes.entry(class).or_default();
        let dominance = dominance.get_or_insert_with(|| Dominance::new(ir));
        let suits = |other: &&mut Kept| {
            (!overlap(&other.live, &buffer.live)
                || works_in_place(ir, ticks, aliases, other, buffer))
                && dominance.properly_dominates_op(ir, other.alloc, alloc)
        };
        match kept
            .iter_mut()
            .rev()
            .take(ir.capped(MAX_LOOKBACK))
            .find(suits)
        {
            Some(other) => {
                pairs.push((other.alloc, alloc));
                if other.live.last() < buffer.live.last() {
                    other.user = alloc;
                    other.last_access = buffer.accesses.last().map(|&(op, _)| op);
                }
                other.live.extend(&buffer.live);
                other.live = merged(std::mem::take(&mut other.live));
            }
            None => kept.push(Kept {
                alloc,
                live: buffer.live.clone(),
                user: alloc,
                last_access: buffer.accesses.last().map(|&(op, _)| op),
            }),
        }
    }
    let kept = classes.into_values().flatten();
    Shared {
        pairs,
        live: kept.map(|kept| (kept.alloc, kept.live)).collect(),
    }
}

/// Whether the only operation that accesses both is the last for `other`, the first for `buffer`, and
/// may read and write the same elements.
fn works_in_place(
    ir: &Ir,
    ticks: &Ticks,
    aliases: &Aliases,
    other: &Kept,
    buffer: &Traced,
) -> bool {
    let (Some(op), Some(&(_, last))) = (other.last_access, other.live.last()) else {
        return false;
    };
    buffer
        .accesses
        .first()
        .is_some_and(|&(first, _)| first == op)
        && buffer
            .live
            .first()
            .is_some_and(|&(first, _)| first == ticks.tick(op))
        && last == ticks.op(op).1
        && in_place::is_elementwise(ir, aliases, op, other.user, buffer.alloc)
}

/// Whether two ascending lists of spans share a tick.
fn overlap(a: &[Span], b: &[Span]) -> bool {
    let (mut i, mut j) = (0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        if x.1 < y.0 {
            i += 1;
        } else if y.1 < x.0 {
            j += 1;
        } else {
            return true;
        }
    }
    false
}
