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

use freehold_frontend::dialects::scf;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::op_def::Traits;
use rustc_hash::FxHashSet;

use super::rewrite::{self, Counts};
use crate::analysis::derived::has_requests;
use crate::deallocation::plan::decide::Callees;
use crate::deallocation::plan::dynamic::{ReturnAbi, WhichSay};
use crate::deallocation::plan::preconditions::check_preconditions;
use crate::deallocation::plan::{dynamic, own_frees, plan};
use crate::deallocation::returned_copies::{self, Copied};
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions::{self, Report};
use crate::rewrite::sequential_loops::lower_parallel;
use crate::rewrite::unreachable_blocks::erase_unreachable_blocks;

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// private functions return an i1 per buffer that tells whether the caller owns it,
        /// instead of a clone
        "private-function-dynamic-ownership" private_function_dynamic_ownership: bool = false,
        /// private functions do so only if they may return an argument or a global
        "borrowed-results" borrowed_results: bool = false,
        /// reject operations with unknown memory effects, like upstream
        "reject-unknown-effects" reject_unknown_effects: bool = false,
        /// only functions with requests: others are left to a pass that copies buffers, which transfers forbid
        "only-requests" only_requests: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "ownership-based-buffer-deallocation",
    summary: "free every buffer exactly once, deciding ownership at compile time where possible",
    anchor: Anchor::ModuleOrFunction,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let options = context.options;
    let mut report: Report<Counts> = Report::default();
    if ir.has_trait(ir.root(), Traits::SYMBOL_TABLE) {
        if !options.only_requests {
            let copied = Copied {
                arguments: true,
                // Callers compare what they get.
                results: false,
                public: options.private_function_dynamic_ownership,
                borrowed_results: options.borrowed_results,
            };
            returned_copies::verify(ir, copied, &mut context.diagnostics)?;
        }
        run_on_module(ir, options, &mut report);
    } else if which(options) != WhichSay::Nothing {
        let message = format!(
            "{} needs the module: it changes callers as well",
            match options.private_function_dynamic_ownership {
                true => "private-function-dynamic-ownership",
                false => "borrowed-results",
            }
        );
        return Err(context.diagnostics.error(ir.loc(ir.root()), message));
    } else {
        let outcome = run_on_function(ir, options, &Callees::default());
        report.add(outcome);
    }
    context.diagnostics.append(report.diagnostics);
    context.count("frees", report.counts.frees);
    context.count("conditional frees", report.counts.conditional_frees);
    context.count("clones", report.counts.clones);
    context.count("run-time comparisons", report.counts.comparisons);
    report.result
}

/// Works on all functions of a module and of the modules inside.
fn run_on_module(ir: &mut Ir, options: &Options, report: &mut Report<Counts>) {
    let callees = match callees(ir, options, &mut report.diagnostics) {
        Ok(callees) => callees,
        Err(failed) => {
            report.result = Err(failed);
            return;
        }
    };
    for outcome in functions::map_functions(ir, |f| run_on_function(f, options, &callees)) {
        report.add(outcome);
    }
    // Whatever else has regions is no function that we know.
    for op in ir
        .root_block()
        .into_iter()
        .flat_map(|block| ir.ops_in(block))
    {
        if !options.only_requests
            && ir
                .regions(op)
                .iter()
                .any(|&region| ir.entry_block(region).is_some())
        {
            let message = not_a_function(ir, op);
            report.diagnostics.remark(ir.loc(op), message);
        }
    }
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            run_on_module(nested, options, report);
        }
    }
}

/// Which functions say who owns what they return.
fn which(options: &Options) -> WhichSay {
    match (
        options.private_function_dynamic_ownership,
        options.borrowed_results,
    ) {
        (true, _) => WhichSay::All,
        (false, true) => WhichSay::Borrowing,
        (false, false) => WhichSay::Nothing,
    }
}

/// What functions of the module `ir` have to know of each other.
///
/// # Errors
///
/// If a buffer that one of them returns has an unknown owner; `diagnostics` says which.
pub(super) fn callees(
    ir: &Ir,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Result<Callees, Failed> {
    let rules = own_frees::Rules {
        twice: options.private_function_dynamic_ownership,
        frees_are_left: true,
    };
    let left_to_callers = match options.only_requests {
        true => FxHashSet::default(),
        false => own_frees::check(ir, rules, diagnostics)?,
    };
    Ok(dynamic::callees_of_module(
        ir,
        which(options),
        left_to_callers,
    ))
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
    if dynamic::is_processed(ir) || options.only_requests && !has_requests(ir) {
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
