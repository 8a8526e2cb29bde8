//! Which operations free a buffer, which of them do so whenever they run, and functions that free by owners.

use freehold_frontend::dialects::{bufferization, deallocation, memref};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;

use crate::analysis::constants::constant_value;
use crate::analysis::flow::ValueFlow;

/// Whether `op`, which has a free effect, frees whenever it runs.
pub(crate) fn always_frees(ir: &Ir, op: Op) -> bool {
    ir.is(op, &memref::DEALLOC)
        || ir.is(op, &memref::REALLOC)
        // A file that says so means that.
        || ir.def(op).declared.is_some()
        || ir.is(op, &bufferization::DEALLOC)
            && ir.operand_group(op, 2).is_empty()
            && ir
                .operand_group(op, 1)
                .iter()
                .all(|&condition| constant_value(ir, condition) == Some(Attr::TRUE))
}

/// Whether the function frees by owners of the deallocation dialect, or returns some. It is then what a pipeline
/// made: all of its buffers are freed, by owners or otherwise, and which owner has which buffer only running it tells.
pub(crate) fn uses_owners(ir: &Ir) -> bool {
    let context = ir.context();
    let is_owner = |&value: &Value| deallocation::is_ownership(context, ir.value_type(value));
    ir.walk(ir.root()).any(|op| {
        let mut regions = ir.regions(op).iter();
        ir.results(op).iter().any(is_owner)
            || regions.any(|&region| {
                let mut blocks = ir.blocks_in(region);
                blocks.any(|block| ir.block_args(block).iter().any(is_owner))
            })
    })
}

/// Whether the function tells allocations apart by their addresses, as lowered deallocs do.
pub(crate) fn compares_allocations(ir: &Ir) -> bool {
    ir.walk(ir.root())
        .any(|op| ir.has_attr(op, Name::ALLOCATED))
}

/// The operations among `users` that free `holder`.
pub(crate) fn frees_of(ir: &Ir, flow: &ValueFlow, holder: Value, users: &[Op]) -> Vec<Op> {
    let mut frees: Vec<Op> = Vec::new();
    for &user in users {
        let frees_holder = ir.own_effects(user).is_some_and(|effects| {
            effects.iter().any(|effect| {
                effect.kind == EffectKind::Free
                    && effect.value.and_then(|value| flow.base(value)) == Some(holder)
            })
        });
        if frees_holder && !frees.contains(&user) {
            frees.push(user);
        }
    }
    frees
}
