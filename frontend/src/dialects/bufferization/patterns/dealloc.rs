//! Patterns of `bufferization.dealloc`. Each is linear in the number of its
//! operands.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::dialects::arith;
use crate::dialects::bufferization::buffers::{Dealloc, build_dealloc};
use crate::dialects::memref::EXTRACT_STRIDED_METADATA;
use crate::ir::builder::Builder;
use crate::ir::data::Ir;
use crate::ir::effects::EffectKind;
use crate::ir::entities::{Op, Value};
use crate::ir::rewriter::Rewriter;

/// Replaces `op` by one with other entries and the same retained values.
fn replace_entries(rw: &mut Rewriter<'_>, op: Op, entries: &[(Value, Value)]) {
    let (memrefs, conditions): (Vec<_>, Vec<_>) = entries.iter().copied().unzip();
    let retained = Dealloc(op).retained(rw.ir).to_vec();
    let attrs = rw.ir.attrs(op);
    let new = rw.build_before(op, |b| build_dealloc(b, &memrefs, &conditions, &retained));
    keep_attributes(rw.ir, attrs, new);
    let results = rw.ir.results(new).to_vec();
    rw.replace_op(op, &results);
}

/// Gives `new` the attributes of the operation it replaces, besides the
/// segment sizes.
fn keep_attributes(ir: &mut Ir, attrs: crate::ir::attrs::Dict, new: Op) {
    use crate::ir::names::Name;
    let context = std::sync::Arc::clone(ir.context());
    for &(name, attr) in context.dict(attrs) {
        if name != Name::OPERAND_SEGMENT_SIZES {
            ir.set_attr(new, name, attr);
        }
    }
}

fn entries(ir: &Ir, op: Op) -> Vec<(Value, Value)> {
    let dealloc = Dealloc(op);
    let memrefs = dealloc.memrefs(ir).iter().copied();
    memrefs
        .zip(dealloc.conditions(ir).iter().copied())
        .collect()
}

/// dealloc (%a, %a) if (%c, %d) -> dealloc (%a) if (%c or %d)
pub(super) fn duplicate_memrefs(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let old = entries(rw.ir, op);
    let mut position = FxHashMap::default();
    let mut seen = FxHashSet::default();
    // For each memref in order the conditions under which it is freed.
    let mut merged: Vec<(Value, Vec<Value>)> = Vec::with_capacity(old.len());
    for &(memref, condition) in &old {
        if !seen.insert((memref, condition)) {
            continue;
        }
        let at = *position.entry(memref).or_insert(merged.len());
        match merged.get_mut(at) {
            None => merged.push((memref, vec![condition])),
            Some((_, conditions)) => conditions.push(condition),
        }
    }
    if merged.len() == old.len() {
        return false;
    }
    let new: Vec<(Value, Value)> = rw.build_before(op, |b| {
        merged
            .into_iter()
            .map(|(memref, conditions)| (memref, any(b, &conditions)))
            .collect()
    });
    replace_entries(rw, op, &new);
    true
}

/// The disjunction of at least one condition.
fn any(b: &mut Builder<'_>, conditions: &[Value]) -> Value {
    let ty = b.ir.value_type(conditions[0]);
    conditions[1..].iter().fold(conditions[0], |all, &next| {
        b.value(&arith::ORI, &[all, next], ty)
    })
}

/// dealloc .. retain (%r, %r) -> dealloc .. retain (%r)
pub(super) fn duplicate_retained(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let dealloc = Dealloc(op);
    let old = dealloc.retained(rw.ir);
    let mut position = FxHashMap::default();
    let mut retained = Vec::with_capacity(old.len());
    // Which result of the new operation each old one becomes.
    let becomes: Vec<usize> = old
        .iter()
        .map(|&value| {
            *position.entry(value).or_insert_with(|| {
                retained.push(value);
                retained.len() - 1
            })
        })
        .collect();
    if retained.len() == old.len() {
        return false;
    }
    let memrefs = dealloc.memrefs(rw.ir).to_vec();
    let conditions = dealloc.conditions(rw.ir).to_vec();
    let attrs = rw.ir.attrs(op);
    let new = rw.build_before(op, |b| build_dealloc(b, &memrefs, &conditions, &retained));
    keep_attributes(rw.ir, attrs, new);
    let results: Vec<Value> = becomes.iter().map(|&at| rw.ir.result(new, at)).collect();
    rw.replace_op(op, &results);
    true
}

/// Nothing to free: nothing is owned afterwards.
pub(super) fn empty(rw: &mut Rewriter<'_>, op: Op) -> bool {
    if !Dealloc(op).memrefs(rw.ir).is_empty() {
        return false;
    }
    let n_results = rw.ir.results(op).len();
    let mut results = Vec::new();
    if n_results > 0 {
        let never = rw.build_before(op, |b| arith::constant_bool(b, false));
        results = vec![never; n_results];
    }
    rw.replace_op(op, &results);
    true
}

/// dealloc (%a, %b) if (%false, %c) -> dealloc (%b) if (%c)
pub(super) fn constant_false(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let old = entries(rw.ir, op);
    let new: Vec<(Value, Value)> = old
        .iter()
        .copied()
        .filter(|&(_, condition)| arith::as_constant_bool(rw.ir, condition) != Some(false))
        .collect();
    if new.len() == old.len() {
        return false;
    }
    replace_entries(rw, op, &new);
    true
}

/// Whether `value` is what the operation that defines it allocates.
fn is_allocated_there(ir: &Ir, value: Value) -> bool {
    ir.defining_op(value)
        .and_then(|op| ir.own_effects(op))
        .is_some_and(|effects| effects.has(EffectKind::Allocate, value))
}

/// dealloc (base buffer of %alloc) -> dealloc (%alloc), for allocations, whose
/// base buffer is the whole
pub(super) fn base_buffer_of_allocation(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let mut changed = false;
    for index in 0..Dealloc(op).memrefs(rw.ir).len() {
        let memref = rw.ir.operand(op, index);
        let Some(extract) = rw.ir.defined_by(memref, &EXTRACT_STRIDED_METADATA) else {
            continue;
        };
        let source = rw.ir.operand(extract, 0);
        if memref == rw.ir.result(extract, 0) && is_allocated_there(rw.ir, source) {
            rw.set_operand(op, index, source);
            changed = true;
        }
    }
    changed
}

/// An allocation that is used by this alone goes away with its entry.
pub(super) fn unused_allocation(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let old = entries(rw.ir, op);
    let mut new = Vec::with_capacity(old.len());
    let mut unused = Vec::new();
    for &(memref, condition) in &old {
        match rw.ir.defining_op(memref) {
            Some(allocation)
                if rw.ir.has_one_use(memref) && allocates_only(rw.ir, allocation, memref) =>
            {
                unused.push(allocation);
            }
            _ => new.push((memref, condition)),
        }
    }
    if unused.is_empty() {
        return false;
    }
    replace_entries(rw, op, &new);
    for allocation in unused {
        rw.erase_op(allocation);
    }
    true
}

/// Whether `op` only allocates (and fills) `memref`, its one result.
fn allocates_only(ir: &Ir, op: Op, memref: Value) -> bool {
    ir.results(op) == [memref]
        && ir.regions(op).is_empty()
        && is_allocated_there(ir, memref)
        && ir.own_effects(op).is_some_and(|effects| {
            effects.iter().all(|effect| {
                effect.kind == EffectKind::Read
                    || effect.kind != EffectKind::Free && effect.value == Some(memref)
            })
        })
}
