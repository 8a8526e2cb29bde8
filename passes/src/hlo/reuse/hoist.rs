//! Hoisting: what every iteration allocates and frees is allocated once,
//! before the loop.

use freehold_frontend::dialects::scf;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

use super::buffers::{
    blocks_inner_first, can_run_before, dealloc_beside, is_alloc, is_static_alloc, move_before,
};
use super::coalesce::{self, Mode};
use crate::analysis::alignment;

/// Hoists out of all loops and choices, inner first; returns how often. Allocations hoisted into a
/// block are coalesced there before they go on, so that the loop around keeps no two buffers where
/// one will do.
pub(in crate::hlo) fn run(ir: &mut Ir) -> u64 {
    let mut count = 0;
    for block in blocks_inner_first(ir) {
        let ops: Vec<Op> = ir
            .ops_in(block)
            .filter(|&op| !ir.regions(op).is_empty())
            .collect();
        let mut hoisted = 0;
        for op in ops {
            if is_loop(ir, op) {
                hoisted += hoist_out_of(ir, op, |ir, alloc| is_local(ir, alloc, op));
            } else if ir.is(op, &scf::IF) {
                hoisted += hoist_out_of_choice(ir, op);
            }
        }
        if hoisted > 0 {
            coalesce::run_on_block(ir, block, Mode::Conservative);
        }
        count += hoisted;
    }
    count
}

/// Whether the regions of `op` run again and again, one after the other.
/// Iterations that may run at the same time need buffers of their own.
fn is_loop(ir: &Ir, op: Op) -> bool {
    ir.def(op).region_branch.is_some()
        && ir.def(op).loop_like.is_some()
        && !ir.has_trait(op, Traits::PARALLEL)
        && ir
            .regions(op)
            .iter()
            .all(|&region| ir.single_block(region).is_some())
}

/// Buffers are better off outside of a choice if both branches can share one,
/// or if the loop around it keeps them. Others stay: they would be allocated
/// whether they are needed or not.
fn hoist_out_of_choice(ir: &mut Ir, op: Op) -> u64 {
    let mut outer = ir.parent_op(op);
    while let Some(parent) = outer
        && ir.is(parent, &scf::IF)
    {
        outer = ir.parent_op(parent);
    }
    if outer.is_some_and(|parent| is_loop(ir, parent)) {
        return hoist_out_of(ir, op, |ir, alloc| {
            is_static_alloc(ir, alloc) && is_local(ir, alloc, op)
        });
    }
    let types_in = |index: usize| -> FxHashSet<Type> {
        let block = ir.single_block(ir.region(op, index));
        let ops = block.into_iter().flat_map(|block| ir.ops_in(block));
        ops.filter(|&inner| is_static_alloc(ir, inner) && is_local(ir, inner, op))
            .map(|alloc| ir.value_type(ir.result(alloc, 0)))
            .collect()
    };
    let (then, otherwise) = (types_in(0), types_in(1));
    hoist_out_of(ir, op, |ir, alloc| {
        is_static_alloc(ir, alloc) && is_local(ir, alloc, op) && {
            let ty = ir.value_type(ir.result(alloc, 0));
            then.contains(&ty) && otherwise.contains(&ty)
        }
    })
}

/// Whether `alloc` can be hoisted out of `op`: it is freed beside it.
fn is_local(ir: &Ir, alloc: Op, op: Op) -> bool {
    is_alloc(ir, alloc) && dealloc_beside(ir, alloc).is_some() && can_run_before(ir, alloc, op)
}

/// Whether the buffer of `first` will do for `second`.
fn can_share(ir: &Ir, first: Op, second: Op) -> bool {
    let ty = |alloc: Op| ir.value_type(ir.result(alloc, 0));
    ty(first) == ty(second)
        && ir.operands(first) == ir.operands(second)
        && alignment::requested(ir, first) >= alignment::requested(ir, second)
}

/// Hoists what `accept` names out of the regions of `op`.
fn hoist_out_of(ir: &mut Ir, op: Op, accept: impl Fn(&Ir, Op) -> bool) -> u64 {
    let mut count = 0;
    // What earlier regions had hoisted, which later ones can use as well: the
    // regions run one after the other.
    let mut shared: Vec<Op> = Vec::new();
    let mut guarded: FxHashMap<Value, Value> = FxHashMap::default();
    for index in 0..ir.regions(op).len() {
        let Some(block) = ir.single_block(ir.region(op, index)) else {
            continue;
        };
        let allocs: Vec<Op> = ir
            .ops_in(block)
            .filter(|&inner| accept(ir, inner))
            .collect();
        let mut hoisted = Vec::new();
        for alloc in allocs {
            let Some(dealloc) = dealloc_beside(ir, alloc) else {
                continue;
            };
            count += 1;
            let found = shared.iter().position(|&first| can_share(ir, first, alloc));
            if let Some(position) = found {
                let first: Op = shared.remove(position);
                let buffer: Value = ir.result(first, 0);
                ir.erase_op(dealloc);
                ir.replace_op(alloc, &[buffer]);
                continue;
            }
            move_before(ir, alloc, op, &mut guarded);
            ir.move_op_after(dealloc, op);
            hoisted.push(alloc);
        }
        shared.append(&mut hoisted);
    }
    count
}
