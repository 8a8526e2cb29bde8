//! `ownership-based-buffer-deallocation`: frees every buffer exactly once.
//!
//! Buffers returned by calls and allocations belong to the function, its
//! arguments do not, and whatever it returns belongs to the caller.
//!
//! Before:
//! ```mlir
//! func.func @f(%c: i1, %n: index) -> memref<?xf32> {
//!   %a = memref.alloc(%n) : memref<?xf32>
//!   %r = scf.if %c -> (memref<?xf32>) {
//!     scf.yield %a : memref<?xf32>
//!   } else {
//!     %b = memref.alloc(%n) : memref<?xf32>
//!     scf.yield %b : memref<?xf32>
//!   }
//!   return %r : memref<?xf32>
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%c: i1, %n: index) -> memref<?xf32> {
//!   %true = arith.constant true
//!   %a = memref.alloc(%n) : memref<?xf32>
//!   %r = scf.if %c -> (memref<?xf32>) {
//!     scf.yield %a : memref<?xf32>
//!   } else {
//!     bufferization.dealloc (%a : memref<?xf32>) if (%true)
//!     %b = memref.alloc(%n) : memref<?xf32>
//!     scf.yield %b : memref<?xf32>
//!   }
//!   return %r : memref<?xf32>
//! }
//! ```
//!
//! The idea is that of upstream's pass of this name. Unlike there, ownership
//! is decided at compile time wherever possible: it moves along with a buffer
//! that is not needed elsewhere, and a buffer is freed right after its last
//! use instead of at the end of the block. So most programs need neither `i1`
//! indicators nor clones nor run-time comparisons; where they do, those appear
//! only where paths with different ownership meet.
//!
//! Soundness: see `decide`. At run time each buffer has one holder; a holder
//! is kept until no value that may be a view of its buffer is needed any more,
//! or moves, when nothing else is left that may be such a view.

use freehold_frontend::diag::{Diagnostics, Failed};
use freehold_frontend::dialects::{arith, bufferization, func, memref};
use freehold_frontend::effects::EffectKind;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::op_def::Traits;

use super::decide::Callees;
use super::plan;
use super::rewrite::{self, ReturnAbi};
use crate::canonicalize::region_simplify::erase_unreachable_blocks;
use crate::pass::{Anchor, OptionDef, OptionKind, PassContext, PassDef};

const OPTIONS: &[OptionDef] = &[OptionDef {
    name: "reject-unknown-effects",
    kind: OptionKind::Bool,
    default: "false",
    help: "operations with unknown memory effects are errors, as upstream has it",
}];

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "ownership-based-buffer-deallocation",
    summary: "free every buffer exactly once, deciding ownership at compile time where possible",
    anchor: Anchor::Function,
    options: OPTIONS,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    if !ir.is(ir.root(), &func::FUNC) {
        context.diagnostics.remark(
            ir.loc(ir.root()),
            format!(
                "'{}' op is not a func.func: its buffers are not freed",
                ir.op_name(ir.root())
            ),
        );
        return Ok(());
    }
    erase_unreachable_blocks(ir);
    check_preconditions(
        ir,
        context.flag("reject-unknown-effects"),
        &mut context.diagnostics,
    )?;
    let plan = plan::plan(ir, &Callees::default(), &mut context.diagnostics)?;
    let counts = rewrite::apply(ir, &plan, ReturnAbi::Owned);
    context.count("frees", counts.frees);
    context.count("conditional frees", counts.conditional_frees);
    context.count("clones", counts.clones);
    context.count("run-time comparisons", counts.comparisons);
    Ok(())
}

/// Rejects what the analysis cannot follow, at the operation at fault.
pub(crate) fn check_preconditions(
    ir: &Ir,
    reject_unknown_effects: bool,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    let mut result = Ok(());
    for op in ir.walk(ir.root()).skip(1) {
        if let Some(message) = violation(ir, op, reject_unknown_effects) {
            let full = format!("'{}' op {message}", ir.op_name(op));
            let message = if message.starts_with(char::is_uppercase) {
                message
            } else {
                full
            };
            result = Err(diagnostics.error(ir.loc(op), message));
        }
    }
    result
}

fn violation(ir: &Ir, op: Op, reject_unknown_effects: bool) -> Option<String> {
    let def = ir.def(op);
    if reject_unknown_effects && !ir.has_known_effects(op) && def.call.is_none() {
        return Some("ops with unknown memory side effects are not supported".into());
    }
    let has_buffers = |values: &[Value]| values.iter().any(|&v| ir.is_memref(v));
    // Regions that hand buffers around in a way nobody tells us.
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
    let is_terminator = ir.has_trait(op, Traits::TERMINATOR) || !ir.successors(op).is_empty();
    if is_terminator
        && has_buffers(ir.operands(op))
        && def.branch.is_none()
        && def.region_terminator.is_none()
        && !ir.is(op, &func::RETURN)
    {
        return Some(
            "Terminators must implement either BranchOpInterface or \
             RegionBranchTerminatorOpInterface (but not both)!"
                .into(),
        );
    }
    if ir.is(op, &memref::STORE) && ir.is_memref(ir.operand(op, 0)) {
        return Some("buffer escapes: a memref stored in memory cannot be tracked".into());
    }
    if ir.is(op, &memref::EXTRACT_ALIGNED_POINTER_AS_INDEX) {
        let escapes = |result: Value| ir.uses(result).iter().any(|u| !ir.is(u.op, &arith::CMPI));
        if escapes(ir.result(op, 0)) {
            return Some("buffer escapes: its address is used as a number".into());
        }
    }
    let manual = ir.has_attr(op, Name::MANUAL_DEALLOCATION);
    if !manual && !ir.is(op, &bufferization::DEALLOC) {
        let frees_argument = ir.own_effects(op).is_some_and(|effects| {
            effects.iter().any(|e| {
                e.kind == EffectKind::Free && e.value.is_some_and(|v| is_function_argument(ir, v))
            })
        });
        if frees_argument {
            return Some("memref free side-effect on MemRef value not supported!".into());
        }
    }
    None
}

/// Whether `value` is an argument of the function, through views.
fn is_function_argument(ir: &Ir, mut value: Value) -> bool {
    while let Some(op) = ir.defining_op(value) {
        match ir.def(op).view_source {
            Some(source) => value = source(ir, op),
            None => return false,
        }
    }
    ir.value_block(value) == ir.root_block()
}
