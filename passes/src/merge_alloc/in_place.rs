//! Reuse in place: an operation that reads element `i` of one buffer to write element `i` of another
//! may do so in the same bytes, if the first buffer dies there and the second one is born.
//!
//! Right if no element is read after it was overwritten: both buffers have elements of the same
//! size in the same order, the operation addresses both with the same map, a permutation of its
//! loops, so each element belongs to one iteration only, and every iteration reads before it writes.
//! Nests of loops with loads and stores are such operations too, see [`is_elementwise_nest`].

use std::collections::BTreeSet;

use freehold_frontend::dialects::linalg::{self, IteratorType};
use freehold_frontend::dialects::{arith, scf, vector};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Region, Value};
use freehold_frontend::ir::types::TypeKind;
use rustc_hash::FxHashMap;

use crate::analysis::loop_memory::{self, Access};

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
            && let Some(site) = site(ir, found.home, op, |at| *last <= ticks.op(at).1)
        {
            dying.entry(site).or_default().push(i);
        }
    }
    let mut taken = BTreeSet::new();
    let mut pairs = Vec::new();
    for (born, (found, buffer)) in members.iter().enumerate() {
        let (Some(&(op, _)), [(first, _)]) = (found.accesses.first(), &found.live[..]) else {
            continue;
        };
        let Some(op) = site(ir, found.home, op, |at| *first >= ticks.tick(at)) else {
            continue;
        };
        let candidates = dying.get(&op).map(Vec::as_slice).unwrap_or_default();
        let suits = |&other: &usize| {
            let (other_found, other_buffer) = &members[other];
            other != born
                && other_found.home == found.home
                && other_buffer.bytes == buffer.bytes
                && !taken.contains(&other)
                && (is_elementwise(ir, aliases, op, other_found.alloc, found.alloc)
                    || is_elementwise_nest(ir, aliases, op, other_found.alloc, found.alloc))
        };
        if let Some(other) = candidates.iter().copied().find(suits) {
            taken.insert(other);
            pairs.push((other, born));
        }
    }
    pairs
}

/// The innermost operation around `op`, or `op`, in which a buffer of this home dies or is born.
fn site(ir: &Ir, home: Region, mut op: Op, is_site: impl Fn(Op) -> bool) -> Option<Op> {
    while !is_site(op) {
        if ir.parent_region(op)? == home {
            return None;
        }
        op = ir.parent_op(op)?;
    }
    Some(op)
}

/// Whether `op` writes each element of the buffer `to` after its only read of the same element of
/// the buffer `from`.
pub(super) fn is_elementwise(ir: &Ir, aliases: &Aliases, op: Op, from: Op, to: Op) -> bool {
    let (source, target) = (ir.result(from, 0), ir.result(to, 0));
    let context = ir.context();
    let element_size =
        |v: Value| context.element_byte_size(context.element_type_or_self(ir.value_type(v)));
    let layout = |v: Value| {
        context
            .as_memref(ir.value_type(v))
            .map(|memref| memref.layout)
    };
    if context.shape(ir.value_type(source)) != context.shape(ir.value_type(target))
        || layout(source) != layout(target)
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

/// A counter of a loop, and how far it goes on in each iteration, if that is known.
type Counter = (Value, Option<i64>);

/// Subscripts with more constants added to them are not understood: unrolled loops have one.
const MAX_ADDITIONS: usize = 4;

/// Whether the loops of `nest` write each element of the buffer `to` after all reads of the same element of the buffer
/// `from`: the two are accessed by loads and stores in one block, whose subscripts tell the iteration, so no two
/// iterations share an element, and in the block no element is read that was written before.
fn is_elementwise_nest(ir: &Ir, aliases: &Aliases, nest: Op, from: Op, to: Op) -> bool {
    let (source, target) = (ir.result(from, 0), ir.result(to, 0));
    if ir.value_type(source) != ir.value_type(target) {
        return false;
    }
    // All uses in there are such accesses.
    let mut block = None;
    let mut n_accesses = 0;
    for alloc in [from, to] {
        let Some(views) = aliases.of(alloc) else {
            return false;
        };
        for &value in views.iter().chain(aliases.addresses(alloc)) {
            for u in ir.uses(value).iter().filter(|u| ir.is_ancestor(nest, u.op)) {
                let access = Access::of(ir, u.op).filter(|access| {
                    let is_plain = access.buffer == value && value == ir.result(alloc, 0);
                    is_plain && access.is_store == (alloc == to)
                });
                let at = ir.block_of(u.op);
                if access.is_none() || *block.get_or_insert(at) != at {
                    return false;
                }
                n_accesses += 1;
            }
        }
    }
    let Some(block) = block.flatten().filter(|_| n_accesses >= 2) else {
        return false;
    };
    let Some(counters) = counters(ir, nest, block) else {
        return false;
    };
    let in_order = ir.ops_in(block).filter_map(|op| Access::of(ir, op));
    let places: Option<Vec<Place>> = in_order
        .filter(|access| [source, target].contains(&access.buffer))
        .map(|access| Place::of(ir, access))
        .collect();
    let Some(places) = places else {
        return false;
    };
    tell_iterations(ir, nest, &counters, &places)
        && places.iter().enumerate().all(|(i, written)| {
            let mut later = places[i + 1..].iter();
            !written.is_store || !later.any(|read| !read.is_store && read.meets(written))
        })
}

/// The counters of all loops from `block` out to `nest`, if there is nothing but loops.
fn counters(ir: &Ir, nest: Op, mut block: Block) -> Option<Vec<Counter>> {
    let mut counters = Vec::new();
    loop {
        let parent = ir.block_parent_op(block)?;
        if let Some(loop_op) = scf::For::cast(ir, parent) {
            let step = arith::as_constant_index(ir, loop_op.step(ir));
            counters.push((loop_op.induction_variable(ir), step));
        } else if ir.is(parent, &scf::PARALLEL) {
            let of_all = ir
                .block_args(block)
                .iter()
                .zip(scf::Parallel(parent).steps(ir));
            counters.extend(of_all.map(|(&iv, &step)| (iv, arith::as_constant_index(ir, step))));
        } else {
            return None;
        }
        if parent == nest {
            return Some(counters);
        }
        block = ir.block_of(parent)?;
    }
}

/// A subscript as a value and a constant that is added to it, or as a constant alone.
type Position = (Option<Value>, i64);

/// What an access touches: subscripts, and how many elements from there.
struct Place {
    is_store: bool,
    subscripts: Vec<Position>,
    length: i64,
}

impl Place {
    fn of(ir: &Ir, access: Access) -> Option<Self> {
        let is_vector = ir.is(access.op, &vector::LOAD) || ir.is(access.op, &vector::STORE);
        let length = match is_vector {
            true => match ir.context().type_kind(ir.value_type(access.value(ir))) {
                TypeKind::Vector {
                    shape, scalable, ..
                } if shape.len() == 1 && !scalable[0] => shape[0],
                _ => return None,
            },
            false => 1,
        };
        let subscripts = access.indices(ir).iter().map(|&index| position(ir, index));
        Some(Self {
            is_store: access.is_store,
            subscripts: subscripts.collect::<Option<_>>()?,
            length,
        })
    }

    /// The elements of the last dimension, relative to the value.
    fn elements(&self) -> (i64, i64) {
        let first = self.subscripts.last().map_or(0, |&(_, offset)| offset);
        (first, first.saturating_add(self.length))
    }

    /// Whether the two share an element; all other subscripts are known to be the same.
    fn meets(&self, other: &Self) -> bool {
        let ((a, a_end), (b, b_end)) = (self.elements(), other.elements());
        a < b_end && b < a_end
    }
}

fn position(ir: &Ir, mut value: Value) -> Option<Position> {
    let mut offset = 0i64;
    for _ in 0..ir.capped(MAX_ADDITIONS) {
        let sum = ir.defining_op(value).filter(|&op| ir.is(op, &arith::ADDI));
        let Some(sum) = sum else {
            break;
        };
        let (left, right) = (ir.operand(sum, 0), ir.operand(sum, 1));
        let (base, constant) = match arith::as_constant_index(ir, right) {
            Some(constant) => (left, constant),
            None => (right, arith::as_constant_index(ir, left)?),
        };
        offset = offset.checked_add(constant)?;
        value = base;
    }
    Some(match arith::as_constant_index(ir, value) {
        Some(constant) => (None, offset.checked_add(constant)?),
        None => (Some(value), offset),
    })
}

/// Whether each iteration touches elements of its own: every counter is a subscript, and in the last dimension it goes
/// on by as many elements as one iteration touches.
fn tell_iterations(ir: &Ir, nest: Op, counters: &[Counter], places: &[Place]) -> bool {
    let Some((first, others)) = places.split_first() else {
        return false;
    };
    let Some((&(last, _), leading)) = first.subscripts.split_last() else {
        return false;
    };
    let is_alike = |other: &Place| match other.subscripts.split_last() {
        Some((&(value, _), others)) => value == last && others == leading,
        None => false,
    };
    if !others.iter().all(is_alike) {
        return false;
    }
    let values = || first.subscripts.iter().filter_map(|&(value, _)| value);
    let is_counter = |value: Value| counters.iter().any(|&(counter, _)| counter == value);
    let is_fixed = |value: Value| loop_memory::is_outside(ir, value, nest);
    let start = places.iter().map(|place| place.elements().0).min();
    let end = places.iter().map(|place| place.elements().1).max();
    let touched = end
        .zip(start)
        .and_then(|(end, start)| end.checked_sub(start));
    values().all(|value| is_counter(value) || is_fixed(value))
        && counters.iter().all(|&(counter, step)| {
            let is_long_enough = match (step, touched) {
                (Some(step), Some(touched)) => step >= touched.max(1),
                _ => touched == Some(1),
            };
            values().filter(|&value| value == counter).count() == 1
                && (Some(counter) != last || is_long_enough)
        })
}
