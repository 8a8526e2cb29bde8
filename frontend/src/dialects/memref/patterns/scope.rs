//! Patterns of `memref.alloca_scope`: those that hold no stack memory go away,
//! stack memory moves out where it would live no longer, results that nothing uses are dropped.

use crate::dialects::memref::alloc::ALLOCA_SCOPE_RETURN;
use crate::dialects::shared::moves::{retain_operands, retain_results, used_results};
use crate::ir::cloning::IrMap;
use crate::ir::data::Ir;
use crate::ir::effects::{EffectKind, Resource};
use crate::ir::entities::{Op, Region};
use crate::ir::op_def::Traits;
use crate::ir::rewriter::Rewriter;

/// Whether `op` allocates on the stack, as far as its effects say.
fn is_stack_allocation(ir: &Ir, op: Op) -> bool {
    ir.own_effects(op).is_some_and(|effects| {
        effects.iter().any(|effect| {
            effect.kind == EffectKind::Allocate
                && effect.resource == Resource::AutomaticAllocationScope
        })
    })
}

/// Whether anything inside `scope` may allocate stack memory that ends with it.
fn may_hold_stack_memory(ir: &Ir, scope: Op) -> bool {
    let mut walk = ir.walk(scope);
    while let Some(op) = walk.next() {
        if op == scope || ir.has_trait(op, Traits::RECURSIVE_EFFECTS) {
            // Scopes inside end their own stack memory.
            if op != scope && ir.has_trait(op, Traits::AUTOMATIC_ALLOCATION_SCOPE) {
                walk.skip_regions(op);
            }
            continue;
        }
        if !ir.has_known_effects(op) || is_stack_allocation(ir, op) {
            return true;
        }
        if ir.has_trait(op, Traits::AUTOMATIC_ALLOCATION_SCOPE) {
            walk.skip_regions(op);
        }
    }
    false
}

/// Whether `op` stands in the only block of its region with only the terminator
/// after it. With more blocks there may be a loop around it.
fn is_last_in_region(ir: &Ir, op: Op) -> bool {
    let Some(region) = ir.parent_region(op) else {
        return false;
    };
    ir.single_block(region).is_some()
        && ir
            .next_op(op)
            .is_some_and(|next| ir.has_trait(next, Traits::TERMINATOR))
}

/// Moves the body of a scope to where it stands, if it holds no stack memory
/// or ends where the scope around ends.
pub(super) fn inline(rw: &mut Rewriter<'_>, op: Op) -> bool {
    if may_hold_stack_memory(rw.ir, op) {
        let ends_with_parent = rw
            .ir
            .parent_op(op)
            .is_some_and(|parent| rw.ir.has_trait(parent, Traits::AUTOMATIC_ALLOCATION_SCOPE))
            && is_last_in_region(rw.ir, op);
        if !ends_with_parent {
            return false;
        }
    }
    let Some(block) = rw.ir.single_block(rw.ir.region(op, 0)) else {
        return false;
    };
    let Some(terminator) = rw.ir.terminator(block) else {
        return false;
    };
    let results = rw.ir.operands(terminator).to_vec();
    let moved: Vec<Op> = rw.ir.ops_in(block).collect();
    rw.ir.move_block_contents_before(block, op);
    for op in moved {
        rw.modified(op);
    }
    rw.erase_op(terminator);
    rw.replace_op(op, &results);
    true
}

/// Before: `%0:2 = memref.alloca_scope { ... memref.alloca_scope.return %a, %b }`, %0#1 unused
/// After:  `%0 = memref.alloca_scope { ... memref.alloca_scope.return %a }`
pub(super) fn remove_unused_results(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(keep) = used_results(rw.ir, op) else {
        return false;
    };
    let lasts: Vec<Op> = (rw.ir.blocks_in(rw.ir.region(op, 0)))
        .filter_map(|block| rw.ir.last_op(block))
        .filter(|&last| rw.ir.is(last, &ALLOCA_SCOPE_RETURN))
        .collect();
    for last in lasts {
        retain_operands(rw, last, 0, &keep);
    }
    retain_results(rw, op, &keep);
    true
}

/// Moves stack allocations of a scope to the scope around, where the operation
/// between the two does nothing after this scope.
pub(super) fn hoist(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let is_scope = |ir: &Ir, op| ir.has_trait(op, Traits::AUTOMATIC_ALLOCATION_SCOPE);
    let Some(mut outer) = rw.ir.parent_op(op) else {
        return false;
    };
    if is_scope(rw.ir, outer) || !is_last_in_region(rw.ir, op) {
        return false;
    }
    let mut inner = op;
    loop {
        // Iterations one after the other may share the memory, which holds
        // nothing when they begin.
        let is_sequential =
            rw.ir.def(outer).region_branch.is_some() && !rw.ir.has_trait(outer, Traits::PARALLEL);
        let Some(parent) = rw.ir.parent_op(outer) else {
            return false;
        };
        if !is_sequential || !is_last_in_region(rw.ir, inner) {
            return false;
        }
        if is_scope(rw.ir, parent) {
            break;
        }
        inner = outer;
        outer = parent;
    }
    if !is_last_in_region(rw.ir, outer) {
        return false;
    }
    let Some(containing) = rw
        .ir
        .block_of(inner)
        .and_then(|block| rw.ir.region_of(block))
    else {
        return false;
    };
    let mut hoisted = Vec::new();
    let Some(block) = rw.ir.single_block(rw.ir.region(op, 0)) else {
        return false;
    };
    for candidate in rw.ir.ops_in(block) {
        if is_stack_allocation(rw.ir, candidate)
            && rw.ir.regions(candidate).is_empty()
            && !uses_values_inside(rw.ir, candidate, containing)
        {
            hoisted.push(candidate);
        }
    }
    for &alloca in &hoisted {
        let copy = rw.ir.clone_op(alloca, &mut IrMap::default());
        rw.ir.insert_op_before(outer, copy);
        rw.inserted(copy);
        let results = rw.ir.results(copy).to_vec();
        rw.replace_op(alloca, &results);
    }
    !hoisted.is_empty()
}

/// Whether an operand of `op` is defined inside `region`.
fn uses_values_inside(ir: &Ir, op: Op, region: Region) -> bool {
    ir.operands(op).iter().any(|&value| {
        ir.value_block(value)
            .is_some_and(|block| ir.ancestor_block_in_region(block, region).is_some())
    })
}
