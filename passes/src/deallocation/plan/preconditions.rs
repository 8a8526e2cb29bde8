//! What programs must keep to for their buffers to be followed.

use freehold_frontend::dialects::{bufferization, memref};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::effects::{EffectKind, Resource};
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;

use crate::analysis::awaits;
use crate::analysis::constants::constant_value;
use crate::analysis::flow::is_return;

/// How messages about buffers that cannot be followed begin.
const ESCAPES: &str = "buffer escapes";

/// Rejects what the analysis cannot follow, at the operation at fault.
pub(crate) fn check_preconditions(
    ir: &Ir,
    reject_unknown_effects: bool,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    awaits::check(ir, diagnostics)?;
    let mut result = Ok(());
    for op in ir.walk(ir.root()).skip(1) {
        if let Some(message) = violation(ir, op, reject_unknown_effects) {
            // Upstream does not name the operation.
            let message = match message.starts_with(ESCAPES) {
                true => format!("'{}' op {message}", ir.op_name(op)),
                false => message,
            };
            result = Err(diagnostics.error(ir.loc(op), message));
            if ir.is(op, &memref::STORE) {
                let note = "programs that free all buffers themselves run with '--dealloc=none'";
                diagnostics.note(ir.loc(op), note);
            }
        }
    }
    result
}

/// The name of an operand, a buffer if there is one, that a declaration without effects does not speak of.
fn undeclared_effect(ir: &Ir, op: Op) -> Option<&'static str> {
    ir.def(op).declared?;
    let groups = ir.def(op).operands.iter().enumerate();
    let of_buffers = groups.clone().find(|(group, _)| {
        let mut values = ir.operand_group(op, *group).iter();
        values.any(|&value| ir.is_memref(value))
    });
    of_buffers
        .or(groups.clone().next())
        .map(|(_, spec)| spec.name)
}

fn violation(ir: &Ir, op: Op, reject_unknown_effects: bool) -> Option<String> {
    let def = ir.def(op);
    if reject_unknown_effects && !ir.has_known_effects(op) && def.call.is_none() {
        let message = "ops with unknown memory side effects are not supported";
        return Some(match undeclared_effect(ir, op) {
            Some(name) => format!(
                "{message}: the declaration of '{}' does not say what it does to '{name}', as \
                 'freehold.effects = {{{name} = \"read\"}}' does",
                ir.op_name(op)
            ),
            None => message.to_owned(),
        });
    }
    let has_buffers = |values: &[Value]| values.iter().any(|&v| ir.is_memref(v));
    // Regions that forward buffers in unknown ways.
    if !ir.regions(op).is_empty() && def.region_branch.is_none() {
        let hands_out = ir.regions(op).iter().any(|&region| {
            ir.blocks_in(region).any(|block| {
                ir.terminator(block).is_some_and(|terminator| {
                    has_buffers(ir.operands(terminator)) && ir.def(terminator).branch.is_none()
                })
            })
        });
        if hands_out {
            return Some(
                "All operations with attached regions need to implement the RegionBranchOpInterface."
                    .into(),
            );
        }
    }
    // The last operation of a block may be a terminator, if it is unknown.
    let is_terminator = ir.has_trait(op, Traits::TERMINATOR)
        || !ir.successors(op).is_empty()
        || def.is_unregistered() && ir.next_op(op).is_none();
    if is_terminator
        && has_buffers(ir.operands(op))
        && def.branch.is_none()
        && def.region_terminator.is_none()
        && !is_return(ir, op)
    {
        return Some(
            "Terminators must implement either BranchOpInterface or \
             RegionBranchTerminatorOpInterface (but not both)!"
                .into(),
        );
    }
    if ir.is(op, &memref::STORE) && ir.is_memref(ir.operand(op, 0)) {
        return Some(format!(
            "{ESCAPES}: a memref stored in memory cannot be tracked"
        ));
    }
    let manual = ir.has_attr(op, Name::MANUAL_DEALLOCATION);
    if !manual && frees_memory_of_others(ir, op) {
        return Some("memory free side-effect on MemRef value not supported!".into());
    }
    None
}

/// Whether `op` frees what the function never owns.
fn frees_memory_of_others(ir: &Ir, op: Op) -> bool {
    if ir.is(op, &bufferization::DEALLOC) {
        let entries = ir.operand_group(op, 0).iter().zip(ir.operand_group(op, 1));
        return entries
            .filter(|&(_, &condition)| constant_value(ir, condition) != Some(Attr::FALSE))
            .any(|(&entry, _)| belongs_to_others(ir, entry));
    }
    ir.own_effects(op).is_some_and(|effects| {
        effects.iter().any(|effect| {
            effect.kind == EffectKind::Free
                && effect
                    .value
                    .is_some_and(|value| belongs_to_others(ir, value))
        })
    })
}

/// Whether `value` is, through views, an argument of the function, a global or on the stack.
fn belongs_to_others(ir: &Ir, mut value: Value) -> bool {
    while let Some(op) = ir.defining_op(value) {
        match ir.def(op).view_source {
            Some(source) => value = source(ir, op),
            None => {
                return ir.is(op, &memref::GET_GLOBAL)
                    || ir.own_effects(op).is_some_and(|effects| {
                        effects.iter().any(|effect| {
                            effect.kind == EffectKind::Allocate
                                && effect.value == Some(value)
                                && effect.resource == Resource::AutomaticAllocationScope
                        })
                    });
            }
        }
    }
    ir.value_block(value) == ir.root_block()
}
