//! `optimize-allocation-liveness`: moves each free of an allocation right
//! behind the last use of its buffer in the block.
//!
//! Before:
//! ```mlir
//! %a = memref.alloc() : memref<4xf32>
//! %x = memref.load %a[%i] : memref<4xf32>
//! call @g() : () -> ()
//! memref.dealloc %a : memref<4xf32>
//! ```
//! After:
//! ```mlir
//! %a = memref.alloc() : memref<4xf32>
//! %x = memref.load %a[%i] : memref<4xf32>
//! memref.dealloc %a : memref<4xf32>
//! call @g() : () -> ()
//! ```
//!
//! For programs that were deallocated by others, or by hand. What
//! `ownership-based-buffer-deallocation` frees is freed at the last use as it
//! is, also across blocks and inside of branches.
//!
//! Soundness: the free moves only up, within its block, and stays behind every
//! operation that uses the allocation or anything that may be a part of it.
//! Not moved: frees of a buffer that is freed in several places, that stands
//! in another block, or that is used in another block of the same region.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::effects::{EffectKind, Resource};
use freehold_frontend::ir::entities::{Op, Value};

use crate::analysis::aliases::Aliases;
use crate::analysis::flow::ValueFlow;
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "optimize-allocation-liveness",
    summary: "move each deallocation right behind the last use of its buffer in the block",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let flow = ValueFlow::new(ir);
    // All uses stay where they are but for frees, one per buffer: facts about one buffer hold after
    // others were moved.
    let moves: Vec<(Op, Op)> = flow
        .bases()
        .iter()
        .filter(|&&base| is_allocated(ir, base))
        .filter_map(|&base| find_move(ir, &flow, base))
        .collect();
    context.count("frees moved", moves.len() as u64);
    for (free, last_use) in moves {
        ir.move_op_after(free, last_use);
    }
    Ok(())
}

fn is_allocated(ir: &Ir, base: Value) -> bool {
    ir.defining_op(base).is_some_and(|op| {
        ir.own_effects(op).is_some_and(|effects| {
            effects.iter().any(|effect| {
                effect.kind == EffectKind::Allocate
                    && effect.value == Some(base)
                    && effect.resource == Resource::Default
            })
        })
    })
}

/// The only free of `base` and what it can follow, if that is not where it is.
fn find_move(ir: &Ir, flow: &ValueFlow, base: Value) -> Option<(Op, Op)> {
    let block = ir.value_block(base)?;
    let is_free = |&op: &Op| {
        ir.own_effects(op)
            .is_some_and(|effects| effects.has_any(EffectKind::Free))
    };
    let only_frees = |op: Op| {
        ir.results(op).is_empty()
            && ir.operands(op).len() == 1
            && ir
                .own_effects(op)
                .is_some_and(|effects| effects.iter().all(|effect| effect.kind == EffectKind::Free))
    };
    // The free names the buffer itself or a view of it, and follows something else.
    let free = flow
        .members(base)
        .iter()
        .flat_map(|&member| ir.uses(member))
        .map(|use_| use_.op)
        .find(is_free)?;
    if ir.block_of(free) != Some(block) || !only_frees(free) {
        return None;
    }
    let previous = ir.prev_op(free)?;
    if flow
        .members(base)
        .iter()
        .any(|member| ir.operands(previous).contains(member))
    {
        return None;
    }
    let aliases = Aliases::of(ir, flow, base);
    if aliases.escapes {
        return None;
    }
    let mut last_use = ir.defining_op(base)?;
    for &user in aliases.users.iter().filter(|&&user| user != free) {
        if is_free(&user) {
            return None;
        }
        let user = ir.ancestor_in_block(user, block)?;
        if !ir.is_before_in_block(user, free) {
            return None;
        }
        if ir.is_before_in_block(last_use, user) {
            last_use = user;
        }
    }
    (last_use != previous).then_some((free, last_use))
}
