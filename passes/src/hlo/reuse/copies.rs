//! Copy elision: a buffer that is copied to another one and freed right
//! afterwards *is* the other one.

use freehold_frontend::dialects::{memref, scf};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use freehold_frontend::ir::names::Name;

use super::buffers::{dealloc_beside, is_alloc};
use crate::analysis::alignment::{self, is_aligned};

/// Elides all copies that can be; returns how many.
pub(in crate::hlo) fn run(ir: &mut Ir) -> u64 {
    let mut count = 0;
    for copy in ir.collect_ops(ir.root()) {
        if ir.is_erased(copy) || !ir.is(copy, &memref::COPY) {
            continue;
        }
        let (source, target) = (ir.operand(copy, 0), ir.operand(copy, 1));
        let Some(dealloc) = freed_next(ir, copy, source) else {
            continue;
        };
        if source == target || ir.value_type(source) != ir.value_type(target) {
            continue;
        }
        if let Some(alloc) = fresh_target(ir, copy, source, target) {
            ir.erase_op(copy);
            ir.erase_op(dealloc);
            ir.replace_all_uses(target, source);
            ir.erase_op(alloc);
            count += 1;
        } else if let Some(alloc) = argument_target(ir, copy, source, target) {
            ir.erase_op(copy);
            ir.erase_op(dealloc);
            ir.replace_all_uses(source, target);
            ir.erase_op(alloc);
            count += 1;
        }
    }
    count
}

/// The `memref.dealloc` of `source` behind `copy`, with nothing between them
/// that touches memory.
fn freed_next(ir: &Ir, copy: Op, source: Value) -> Option<Op> {
    let mut next = ir.next_op(copy)?;
    loop {
        if ir.is(next, &memref::DEALLOC) {
            return (ir.operand(next, 0) == source).then_some(next);
        }
        let touches_nothing = ir.is_memory_effect_free(next)
            && ir.regions(next).is_empty()
            && !ir.operands(next).iter().any(|&v| ir.is_memref(v));
        if !touches_nothing {
            return None;
        }
        next = ir.next_op(next)?;
    }
}

/// Whether control passes `copy`, or one of the operations around it, right
/// before it comes to `user` for the first time.
fn is_after(ir: &Ir, user: Op, copy: Op) -> bool {
    let Some(block) = ir.block_of(copy) else {
        return false;
    };
    user == copy
        || ir
            .ancestor_in_block(user, block)
            .is_some_and(|at| ir.is_before_in_block(copy, at))
}

/// The allocation of `target`, if it is not accessed before the copy: then the source can take its
/// place from there on.
fn fresh_target(ir: &Ir, copy: Op, source: Value, target: Value) -> Option<Op> {
    let alloc = ir
        .defined_by(target, &memref::ALLOC)
        .filter(|&alloc| is_alloc(ir, alloc))?;
    if ir.block_of(alloc) != ir.block_of(copy) {
        return None;
    }
    let all_after = ir.uses(target).iter().all(|u| is_after(ir, u.op, copy));
    (all_after && is_aligned(ir, source, alignment::requested(ir, alloc))).then_some(alloc)
}

/// The allocation of `source`, if `target` is an argument that aliases no other buffer and is not
/// accessed before the copy: then it can take the place of the source from the start.
fn argument_target(ir: &Ir, copy: Op, source: Value, target: Value) -> Option<Op> {
    let ValueDef::Argument(block, index) = ir.value_def(target) else {
        return None;
    };
    if Some(block) != ir.root_block() || !is_restricted(ir, index as usize) {
        return None;
    }
    let alloc = ir
        .defined_by(source, &memref::ALLOC)
        .filter(|&alloc| is_alloc(ir, alloc) && alignment::requested(ir, alloc) <= 1)?;
    // Writes to the source must reach the copy, once.
    if ir.block_of(alloc) != ir.block_of(copy) || dealloc_beside(ir, alloc).is_none() {
        return None;
    }
    let mut current = copy;
    while ir.parent_op(current) != Some(ir.root()) {
        current = ir.parent_op(current)?;
        if !ir.is(current, &scf::IF) {
            return None;
        }
    }
    let outermost = current;
    if ir.root_block() != ir.block_of(outermost) {
        return None;
    }
    let unseen_before = ir
        .uses(target)
        .iter()
        .all(|u| is_after(ir, u.op, copy) || is_after(ir, u.op, outermost) && u.op != outermost);
    unseen_before.then_some(alloc)
}

/// Whether argument `index` of the function has `deallocation.restrict = true`.
fn is_restricted(ir: &Ir, index: usize) -> bool {
    let context = ir.context();
    let attrs = ir
        .attr(ir.root(), Name::ARG_ATTRS)
        .and_then(|attr| context.attr_array(attr));
    let Some(&attr) = attrs.and_then(|attrs| attrs.get(index)) else {
        return false;
    };
    let freehold_frontend::ir::attrs::AttrKind::Dictionary(dict) = context.attr_kind(attr) else {
        return false;
    };
    let name = context.intern_name("deallocation.restrict");
    context.dict_get(*dict, name) == Some(freehold_frontend::ir::attrs::Attr::TRUE)
}
