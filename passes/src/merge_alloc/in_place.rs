//! Reuse in place: an operation that reads element `i` of one buffer to write element `i` of another
//! may do so in the same bytes, if the first buffer dies there and the second one is born.
//!
//! Right if no element is read after it was overwritten: both buffers have elements of the same
//! size in the same order, the operation addresses both with the same map, a permutation of its
//! loops, so each element belongs to one iteration only, and every iteration reads before it writes.

use std::collections::BTreeSet;

use freehold_frontend::dialects::linalg::{self, IteratorType};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use rustc_hash::FxHashMap;

use super::alias::Aliases;
use super::stages::TracedBuffer;
use super::ticks::Ticks;
use super::trace::Traced;

/// Pairs of a dying and a born buffer; each buffer dies and is born in at most one pair.
pub(super) fn find(
    ir: &Ir,
    ticks: &Ticks,
    aliases: &Aliases,
    members: &[(Traced, TracedBuffer)],
) -> Vec<(usize, usize)> {
    // Buffers that die in an operation.
    let mut dying: FxHashMap<Op, Vec<usize>> = FxHashMap::default();
    for (i, (found, _)) in members.iter().enumerate() {
        if let (Some(&(op, _)), [(_, last)]) = (found.accesses.last(), &found.live[..])
            && *last == ticks.op(op).1
        {
            dying.entry(op).or_default().push(i);
        }
    }
    let mut taken = BTreeSet::new();
    let mut pairs = Vec::new();
    for (born, (found, buffer)) in members.iter().enumerate() {
        let (Some(&(op, _)), [(first, _)]) = (found.accesses.first(), &found.live[..]) else {
            continue;
        };
        if *first != ticks.tick(op) {
            continue;
        }
        let candidates = dying.get(&op).map(Vec::as_slice).unwrap_or_default();
        let suits = |&other: &usize| {
            let (other_found, other_buffer) = &members[other];
            other != born
                && other_found.home == found.home
                && other_buffer.bytes == buffer.bytes
                && !taken.contains(&other)
                && is_elementwise(ir, aliases, op, other_found.alloc, found.alloc)
        };
        if let Some(other) = candidates.iter().copied().find(suits) {
            taken.insert(other);
            pairs.push((other, born));
        }
    }
    pairs
}

/// Whether `op` writes each element of the buffer `to` after its only read of the same element of
/// the buffer `from`.
pub(super) fn is_elementwise(ir: &Ir, aliases: &Aliases, op: Op, from: Op, to: Op) -> bool {
    let (source, target) = (ir.result(from, 0), ir.result(to, 0));
    let context = ir.context();
    let element_size =
        |v: Value| context.element_byte_size(context.element_type_or_self(ir.value_type(v)));
    if context.shape(ir.value_type(source)) != context.shape(ir.value_type(target))
        || element_size(source) != element_size(target)
    {
        return false;
    }
    // Views of the two may address the elements in another way.
    let is_view = |alloc: Op, v: Value| aliases.of(alloc).is_some_and(|views| views.contains(&v));
    let operands = ir.operands(op);
    if operands
        .iter()
        .any(|&v| (v != source && is_view(from, v)) || (v != target && is_view(to, v)))
    {
        return false;
    }
    if let Some(copy) = ir.def(op).copy {
        return (copy.source)(ir, op) == source && (copy.target)(ir, op) == target;
    }
    if !linalg::is_structured(ir, op)
        || !linalg::iterator_types(ir, op)
            .iter()
            .all(|&it| it == IteratorType::Parallel)
        || linalg::inputs(ir, op).contains(&target)
        || linalg::outputs(ir, op).contains(&source)
    {
        return false;
    }
    let maps = linalg::indexing_maps(ir, op);
    let used = || {
        operands
            .iter()
            .zip(&maps)
            .filter(|(v, _)| [source, target].contains(v))
    };
    let mut used_maps = used().map(|(_, map)| map);
    let Some(first) = used_maps.next() else {
        return false;
    };
    used().count() >= 2 && first.is_permutation() && used_maps.all(|map| map == first)
}
