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
use freehold_frontend::dialects::{bufferization, memref, scf};
use freehold_frontend::effects::{EffectKind, Resource};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::op_def::Traits;

use super::decide::Callees;
use super::dynamic::{self, ReturnAbi};
use super::flow::is_return;
use super::plan;
use super::rewrite::{self, Counts};
use crate::canonicalize::region_simplify::erase_unreachable_blocks;
use crate::greedy::constant_value;
use crate::lowering::parallel_loops::lower_parallel;
use crate::manager;
use crate::pass::{Anchor, OptionDef, OptionKind, PassContext, PassDef};

const REJECT_UNKNOWN: &str = "reject-unknown-effects";

/// How messages about buffers that cannot be followed begin.
const ESCAPES: &str = "buffer escapes";

/// The option about private functions.
pub(super) const DYNAMIC_OWNERSHIP: OptionDef = OptionDef {
    name: "private-function-dynamic-ownership",
    kind: OptionKind::Bool,
    default: "false",
    help: "private functions return an i1 per buffer that tells whether the caller owns it, \
           instead of a clone",
};

const OPTIONS: &[OptionDef] = &[
    DYNAMIC_OWNERSHIP,
    OptionDef {
        name: REJECT_UNKNOWN,
        kind: OptionKind::Bool,
        default: "false",
        help: "operations with unknown memory effects are errors, as upstream has it",
    },
];

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "ownership-based-buffer-deallocation",
    summary: "free every buffer exactly once, deciding ownership at compile time where possible",
    anchor: Anchor::ModuleOrFunction,
    options: OPTIONS,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let options = Options {
        dynamic: context.flag(DYNAMIC_OWNERSHIP.name),
        reject_unknown_effects: context.flag(REJECT_UNKNOWN),
    };
    let mut report = Report::default();
    if ir.has_trait(ir.root(), Traits::SYMBOL_TABLE) {
        run_on_module(ir, &options, &mut report);
    } else if options.dynamic {
        let message = format!(
            "{} needs the module: it changes callers as well",
            DYNAMIC_OWNERSHIP.name
        );
        return Err(context.diagnostics.error(ir.loc(ir.root()), message));
    } else {
        let outcome = run_on_function(ir, &options, &Callees::default());
        report.add(outcome);
    }
    context.diagnostics.append(report.diagnostics);
    context.count("frees", report.counts.frees);
    context.count("conditional frees", report.counts.conditional_frees);
    context.count("clones", report.counts.clones);
    context.count("run-time comparisons", report.counts.comparisons);
    report.result
}

/// The options of the pass.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// `private-function-dynamic-ownership`.
    pub dynamic: bool,
    /// `reject-unknown-effects`.
    pub reject_unknown_effects: bool,
}

/// What came of all functions so far.
struct Report {
    result: Result<(), Failed>,
    diagnostics: Diagnostics,
    counts: Counts,
}

impl Default for Report {
    fn default() -> Self {
        Self {
            result: Ok(()),
            diagnostics: Diagnostics::new(),
            counts: Counts::default(),
        }
    }
}

impl Report {
    fn add(&mut self, (outcome, diagnostics): (Result<Counts, Failed>, Diagnostics)) {
        self.diagnostics.append(diagnostics);
        match outcome {
            Ok(counts) => self.counts += counts,
            Err(failed) => self.result = Err(failed),
        }
    }
}

/// Works on all functions of a module and of the modules inside.
fn run_on_module(ir: &mut Ir, options: &Options, report: &mut Report) {
    let callees = dynamic::callees_of_module(ir, options.dynamic);
    for outcome in manager::map_functions(ir, |f| run_on_function(f, options, &callees)) {
        report.add(outcome);
    }
    // Whatever else has regions is no function that we know.
    for op in ir
        .root_block()
        .into_iter()
        .flat_map(|block| ir.ops_in(block))
    {
        if ir
            .regions(op)
            .iter()
            .any(|&region| ir.entry_block(region).is_some())
        {
            let message = not_a_function(ir, op);
            report.diagnostics.remark(ir.loc(op), message);
        }
    }
    for stub in manager::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            run_on_module(nested, options, report);
        }
    }
}

fn run_on_function(
    ir: &mut Ir,
    options: &Options,
    callees: &Callees,
) -> (Result<Counts, Failed>, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    if !ir.has_trait(ir.root(), Traits::FUNCTION) {
        let message = not_a_function(ir, ir.root());
        diagnostics.remark(ir.loc(ir.root()), message);
        return (Ok(Counts::default()), diagnostics);
    }
    if dynamic::is_processed(ir) {
        return (Ok(Counts::default()), diagnostics);
    }
    erase_unreachable_blocks(ir);
    carry_reduced_buffers(ir);
    let abi = dynamic::abi_of(callees, ir);
    let outcome = check_preconditions(ir, options.reject_unknown_effects, &mut diagnostics)
        .and_then(|()| plan::plan(ir, abi, callees, &mut diagnostics))
        .map(|plan| rewrite::apply(ir, &plan, abi));
    if abi == ReturnAbi::Dynamic {
        dynamic::append_result_types(ir);
    }
    (outcome, diagnostics)
}

fn not_a_function(ir: &Ir, op: Op) -> String {
    format!(
        "'{}' op is not a function: its buffers are not freed",
        ir.op_name(op)
    )
}

/// Runs parallel loops that reduce buffers in order: so a buffer is carried from
/// one iteration to the next, and one owner follows another.
fn carry_reduced_buffers(ir: &mut Ir) {
    for op in ir.collect_ops(ir.root()) {
        let reduces_buffers = !ir.is_erased(op)
            && ir.is(op, &scf::PARALLEL)
            && ir.results(op).iter().any(|&result| ir.is_memref(result));
        if reduces_buffers {
            lower_parallel(ir, op);
        }
    }
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
