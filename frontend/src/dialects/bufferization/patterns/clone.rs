//! Patterns of `bufferization.clone`.
//!
//! A clone is needless if its source ends where it begins to matter, or if it
//! ends while its source lives on, and nobody writes to either of them as long
//! as both are there. Upstream does not look at writes.

use crate::dialects::bufferization::buffers::Clone;
use crate::dialects::memref::{self, patterns, types};
use crate::effects::{Effect, EffectKind, Resource};
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::rewriter::Rewriter;
use crate::ir::types::{DYNAMIC, TypeKind};
use crate::op_def::Traits;

use super::alias;

/// How many operations after a clone are looked at.
const MAX_DISTANCE: usize = 256;
/// How many uses of a buffer are looked at to find where it is freed.
const MAX_USES: usize = 64;

/// A clone that is only written and released.
pub(super) fn dead(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let buffer = rw.ir.result(op, 0);
    if !patterns::is_never_read(rw.ir, buffer) {
        return false;
    }
    patterns::erase_users(rw, buffer);
    rw.erase_op(op);
    true
}

/// clone(cast(x)) -> clone(x)
pub(super) fn of_cast(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let context = rw.ir.context();
    let result = rw.ir.value_type(rw.ir.result(op, 0));
    let Some(source) = patterns::cast_source(rw.ir, rw.ir.operand(op, 0)) else {
        return false;
    };
    let source = rw.ir.value_type(source);
    match (context.shape(source), context.shape(result)) {
        (Some(a), Some(b)) if a.iter().zip(b).all(|(&a, &b)| types::is_compatible(a, b)) => {
            patterns::fold_ranked_cast(rw, op, 0)
        }
        _ => false,
    }
}

/// c = clone s; ...; dealloc s  ->  c is s
/// c = clone s; ...; dealloc c  ->  c is s
///
/// The first of the two deallocs in the block of the clone is the one that
/// goes: until there both buffers exist and must stay equal, from there on
/// only one of them is left, to be freed where that was freed.
pub(super) fn needless(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rw.ir;
    let clone = ir.result(op, 0);
    let source = Clone(op).input(ir);
    if !can_be_cast(ir, source, clone) {
        return false;
    }
    let Some(base) = alias::base_of(ir, source) else {
        return false;
    };
    // A source that is freed by hand would not be freed at all as the clone.
    let source_dealloc = source_dealloc(ir, op, source)
        .filter(|&dealloc| !ir.has_attr(dealloc, Name::MANUAL_DEALLOCATION));
    let deallocs = [source_dealloc, dealloc_after(ir, op, clone)];
    let Some(end) = deallocs
        .into_iter()
        .flatten()
        .reduce(|a, b| if ir.is_before_in_block(a, b) { a } else { b })
    else {
        return false;
    };
    if !stay_equal_until(ir, op, end, [base, clone]) {
        return false;
    }
    let ty = ir.value_type(clone);
    let value = if ir.value_type(source) == ty {
        source
    } else {
        rw.value_before(op, &memref::CAST, &[source], ty)
    };
    rw.erase_op(end);
    rw.replace_op(op, &[value]);
    true
}

/// Whether `source` can stand for its clone after a cast. The clone may know
/// more sizes, which a copy needs to be right; strides it has of its own.
fn can_be_cast(ir: &Ir, source: Value, clone: Value) -> bool {
    let context = ir.context();
    let (from, to) = (ir.value_type(source), ir.value_type(clone));
    if from == to {
        return true;
    }
    if !types::cast_compatible(context, from, to) {
        return false;
    }
    match (context.type_kind(from), context.type_kind(to)) {
        (TypeKind::MemRef(from), TypeKind::MemRef(to)) => {
            let (Some((from_strides, from_offset)), Some((to_strides, to_offset))) =
                (context.memref_strides(from), context.memref_strides(to))
            else {
                return from.layout == to.layout;
            };
            let forgets = |from: i64, to: i64| from == to || to == DYNAMIC;
            forgets(from_offset, to_offset)
                && from_strides
                    .iter()
                    .zip(&to_strides)
                    .all(|(&a, &b)| forgets(a, b))
        }
        (TypeKind::MemRef(_), _) => true,
        _ => false,
    }
}

/// The first `memref.dealloc` of `buffer` after `op` in its block.
fn dealloc_after(ir: &Ir, op: Op, buffer: Value) -> Option<Op> {
    let uses = ir.uses(buffer);
    if uses.len() > MAX_USES {
        return None;
    }
    uses.iter()
        .map(|u| u.op)
        .filter(|&user| {
            ir.is(user, &memref::DEALLOC)
                && ir.block_of(user) == ir.block_of(op)
                && ir.is_before_in_block(op, user)
        })
        .reduce(|a, b| if ir.is_before_in_block(a, b) { a } else { b })
}

/// The first dealloc after `op` of `source` or of something it is a view of.
fn source_dealloc(ir: &Ir, op: Op, source: Value) -> Option<Op> {
    let mut value = source;
    loop {
        if let Some(dealloc) = dealloc_after(ir, op, value) {
            return Some(dealloc);
        }
        // The chain was found to be short by `base_of`.
        let view = ir.defining_op(value)?;
        value = (ir.def(view).view_source?)(ir, view);
    }
}

/// Whether between `clone` and `end`, both in one block, nothing may write to
/// or free any of `buffers`, and that is known without looking far.
fn stay_equal_until(ir: &Ir, clone: Op, end: Op, buffers: [Value; 2]) -> bool {
    let mut budget = MAX_DISTANCE;
    let mut current = ir.next_op(clone);
    while let Some(op) = current {
        if op == end {
            return true;
        }
        let mut walk = ir.walk(op);
        while let Some(inner) = walk.next() {
            if budget == 0 {
                return false;
            }
            budget -= 1;
            let Some(effects) = ir.own_effects(inner) else {
                return false;
            };
            if !effects
                .iter()
                .all(|effect| is_harmless(ir, effect, buffers))
            {
                return false;
            }
            if !ir.has_trait(inner, Traits::RECURSIVE_EFFECTS) {
                walk.skip_regions(inner);
            }
        }
        current = ir.next_op(op);
    }
    false
}

fn is_harmless(ir: &Ir, effect: Effect, buffers: [Value; 2]) -> bool {
    match effect.kind {
        EffectKind::Read | EffectKind::Allocate => true,
        EffectKind::Write if effect.resource == Resource::Hint => true,
        EffectKind::Write | EffectKind::Free => effect
            .value
            .filter(|&value| ir.is_memref(value))
            .and_then(|value| alias::base_of(ir, value))
            .is_some_and(|base| {
                buffers
                    .iter()
                    .all(|&buffer| alias::are_distinct(ir, base, buffer))
            }),
    }
}
