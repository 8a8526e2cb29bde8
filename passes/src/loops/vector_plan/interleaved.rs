//! Which accesses go through rows of two to eight elements that lanes go through together, and which of their
//! stores belong together.

use freehold_frontend::dialects::arith;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use rustc_hash::FxHashMap;

use super::kinds::Kind;
use super::obstacle::{Obstacle, Why};
use crate::analysis::loop_memory::{Access, are_apart_in, is_same_number};
use crate::loops::unroll_loops::is_short_row;

/// An access of one element of such rows.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    /// Elements of a row.
    pub(crate) n: i64,
    pub(crate) index: i64,
    /// Whether lanes go backwards through the rows.
    pub(crate) is_reversed: bool,
    /// The first of the stores that store the whole row.
    pub(crate) group: Option<Op>,
}

impl Part {
    /// If lanes go through rows next to each other, and the place in them is known.
    pub(super) fn of(ir: &Ir, access: Access, kind: impl Fn(Value) -> Kind) -> Option<Self> {
        let context = ir.context();
        let memref = context.as_memref(ir.value_type(access.buffer))?;
        let (strides, _) = context.memref_strides(memref)?;
        let &[.., distance, 1] = &strides[..] else {
            return None;
        };
        let n = *memref.shape.last()?;
        let (&last, indices) = access.indices(ir).split_last()?;
        let (&row, outer) = indices.split_last()?;
        let index = arith::as_constant_index(ir, last)?;
        let bytes = context.element_byte_size(memref.element)?;
        let is_reversed = kind(row) == Kind::Linear(-1);
        let is_part = is_short_row(n, bytes, access.is_store)
            && distance == n
            && (0..n).contains(&index)
            && (kind(row) == Kind::Linear(1) || is_reversed && !access.is_store)
            && outer.iter().all(|&index| kind(index) == Kind::Uniform);
        is_part.then_some(Self {
            n,
            index,
            is_reversed,
            group: None,
        })
    }
}

/// Finds out which stores belong together. None may store to rows that are not stored as a whole, and nothing may see
/// them in between.
pub(super) fn group_stores(
    ir: &Ir,
    parts: &mut FxHashMap<Op, Part>,
    accesses: &[Access],
) -> Result<(), Obstacle> {
    let is_part = |access: &&Access| access.is_store && parts.contains_key(&access.op);
    let stores: Vec<Access> = accesses.iter().filter(is_part).copied().collect();
    for store in &stores {
        let part = parts[&store.op];
        let block = ir.block_of(store.op).ok_or(Why::PartOfRow.at(store.op))?;
        let is_of_row = |other: &Access| {
            let both = store.indices(ir).iter().zip(other.indices(ir));
            let mut rows = both.rev().skip(1);
            other.buffer == store.buffer
                && ir.block_of(other.op) == Some(block)
                && rows.all(|(&a, &b)| is_same_number(ir, a, b))
        };
        // Of one block, in its order.
        let members: Vec<Op> = (stores.iter())
            .filter(|other| is_of_row(other))
            .map(|other| other.op)
            .collect();
        let mut places: Vec<i64> = members.iter().map(|op| parts[op].index).collect();
        places.sort_unstable();
        let (first, last) = (members[0], members[members.len() - 1]);
        // What is loaded is still as it was before the first store.
        let is_unchanged = |load: &Access| {
            parts.get(&load.op).is_some_and(|part| {
                let mut same = members.iter().filter(|&op| parts[op].index == part.index);
                is_of_row(load) && same.all(|&member| ir.is_before_in_block(load.op, member))
            })
        };
        // What is not in the block, or in one inside of it, is not between its operations. Lanes have the outer subscripts
        // in common.
        let n_outer = store.indices(ir).len() - 2;
        let is_between = |other: &Access| {
            let place = ir.ancestor_in_block(other.op, block);
            other.buffer == store.buffer
                && !are_apart_in(ir, *store, *other, n_outer)
                && !members.contains(&other.op)
                && place.is_some_and(|place| {
                    ir.is_before_in_block(first, place)
                        && ir.is_before_in_block(place, last)
                        && (other.is_store || !is_unchanged(other))
                })
        };
        if !places.into_iter().eq(0..part.n) || accesses.iter().any(is_between) {
            return Err(Why::PartOfRow.at(store.op));
        }
        parts.insert(
            store.op,
            Part {
                group: Some(first),
                ..part
            },
        );
    }
    Ok(())
}
