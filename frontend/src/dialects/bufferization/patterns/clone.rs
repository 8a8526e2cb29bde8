//! Patterns of `bufferization.clone`.
//!
//! A clone is redundant if one of the two buffers ends soon, and until then no operation can
//! distinguish them: the one that ends is not written, and not read any more once the other one may
//! have been written. Upstream does not look at writes. Calls are assumed to write their arguments
//! and all memory that escaped; they keep nothing of what earlier calls were given, as the rules
//! for calls say. Addresses are not compared either.

use crate::dialects::bufferization::buffers::Clone;
use crate::dialects::memref::{self, patterns, types};
use crate::dialects::{arith, deallocation};
use crate::ir::data::Ir;
use crate::ir::effects::{EffectKind, Resource};
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::Traits;
use crate::ir::rewriter::Rewriter;
use crate::ir::types::{DYNAMIC, TypeKind};

use super::alias;

/// How many operations after a clone are looked at.
const MAX_DISTANCE: usize = 256;
/// How many uses of a buffer are looked at to find where it is freed.
const MAX_USES: usize = 64;

/// A clone that is only written and released.
pub(super) fn dead(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let buffer = rw.ir.result(op, 0);
    if !patterns::is_never_read(rw.ir, buffer) || rw.ir.context().keeps_memory_operations() {
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
    if !can_be_cast(ir, source, clone) || has_address(ir, clone) {
        return false;
    }
    let Some(base) = alias::base_of(ir, source) else {
        return false;
    };
    // A source that is freed by hand would not be freed at all as the clone.
    let source_dealloc = source_dealloc(ir, op, source)
        .filter(|&dealloc| !ir.has_attr(dealloc, Name::MANUAL_DEALLOCATION));
    let (end, freed, survivor) = match (source_dealloc, dealloc_after(ir, op, clone)) {
        (Some(of_source), Some(of_clone)) if ir.is_before_in_block(of_clone, of_source) => {
            (of_clone, clone, base)
        }
        (Some(of_source), _) => (of_source, base, clone),
        (None, Some(of_clone)) => (of_clone, clone, base),
        (None, None) => return false,
    };
    if !are_alike_until(ir, op, end, freed, survivor) {
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

/// Whether something may ask for the address of a clone: deallocations that were lowered compare it with that of the source to
/// find out what is to be freed.
fn has_address(ir: &Ir, clone: Value) -> bool {
    let asks = [
        &deallocation::GET_BUFFER,
        &deallocation::OWN,
        &memref::EXTRACT_ALIGNED_POINTER_AS_INDEX,
    ];
    let mut known = vec![clone];
    let mut next = 0;
    let mut budget = ir.capped(MAX_USES);
    while let Some(&value) = known.get(next) {
        next += 1;
        for used in ir.uses(value) {
            if budget == 0 || asks.iter().any(|&row| ir.is(used.op, row)) {
                return true;
            }
            budget -= 1;
            let is_kept = ir.def(used.op).view_source.is_some() || ir.is(used.op, &arith::SELECT);
            let results = ir.results(used.op).iter().copied().filter(|_| is_kept);
            let forwarded = ir.forwarded_operands(used.op).into_iter();
            let forwarded = forwarded.filter(|&(index, _)| index == used.index as usize);
            for value in results.chain(forwarded.map(|(_, target)| target)) {
                if ir.is_memref(value) && !known.contains(&value) {
                    known.push(value);
                }
            }
        }
    }
    false
}

/// The first `memref.dealloc` of `buffer` after `op` in its block.
fn dealloc_after(ir: &Ir, op: Op, buffer: Value) -> Option<Op> {
    let uses = ir.uses(buffer);
    if uses.len() > ir.capped(MAX_USES) {
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

/// Whether between `clone` and `end`, both in one block, no operation can distinguish `freed` and
/// `survivor`, as far as a short look tells.
fn are_alike_until(ir: &Ir, clone: Op, end: Op, freed: Value, survivor: Value) -> bool {
    let mut budget = ir.capped(MAX_DISTANCE);
    let mut is_written = false;
    let mut current = ir.next_op(clone);
    while let Some(op) = current {
        if op == end {
            return true;
        }
        // Regions may run again, so the operations inside are in no order.
        let mut all = Access::default();
        let mut walk = ir.walk(op);
        while let Some(inner) = walk.next() {
            if budget == 0 {
                return false;
            }
            budget -= 1;
            let Some(access) = access_of(ir, inner, freed, survivor) else {
                return false;
            };
            all.reads_freed |= access.reads_freed;
            all.writes_survivor |= access.writes_survivor;
            if !ir.has_trait(inner, Traits::RECURSIVE_EFFECTS) {
                walk.skip_regions(inner);
            }
        }
        is_written |= all.writes_survivor;
        if is_written && all.reads_freed {
            return false;
        }
        current = ir.next_op(op);
    }
    false
}

/// What an operation may do to a buffer that is freed soon, and to its copy.
#[derive(Default)]
struct Access {
    reads_freed: bool,
    writes_survivor: bool,
}

/// What `op` may do, its regions aside; `None` if it may write to `freed`, free
/// one of the two, or do anything.
fn access_of(ir: &Ir, op: Op, freed: Value, survivor: Value) -> Option<Access> {
    let may_be = |value: Value, buffer: Value| {
        !ir.is_memref(value)
            || alias::base_of(ir, value).is_none_or(|base| !alias::are_distinct(ir, base, buffer))
    };
    let mut access = Access::default();
    let Some(effects) = ir.own_effects(op) else {
        ir.def(op).call.filter(|_| alias::is_fresh(ir, freed))?;
        access.writes_survivor = !alias::is_fresh(ir, survivor);
        for &operand in ir.operands(op) {
            if ir.is_memref(operand) {
                if may_be(operand, freed) {
                    return None;
                }
                access.writes_survivor |= may_be(operand, survivor);
            } else if !is_number(ir, operand) {
                return None;
            }
        }
        return Some(access);
    };
    for effect in effects.iter() {
        let touches = |buffer| effect.value.is_none_or(|value| may_be(value, buffer));
        match effect.kind {
            EffectKind::Allocate => {}
            EffectKind::Write if effect.resource == Resource::Hint => {}
            EffectKind::Read => access.reads_freed |= touches(freed),
            EffectKind::Write if touches(freed) => return None,
            EffectKind::Write => access.writes_survivor |= touches(survivor),
            EffectKind::Free if touches(freed) || touches(survivor) => return None,
            EffectKind::Free => {}
        }
    }
    Some(access)
}

/// Whether nothing can be reached through a value, its address aside.
fn is_number(ir: &Ir, value: Value) -> bool {
    matches!(
        ir.context().type_kind(ir.value_type(value)),
        TypeKind::Integer { .. } | TypeKind::Index | TypeKind::Float(_) | TypeKind::Complex(_)
    )
}
