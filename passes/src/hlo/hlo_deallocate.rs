//! `hlo-deallocate`: frees every buffer exactly once, with owners of type
//! `!deallocation.ownership` where it depends on the path who has to.
//!
//! Before:
//! ```mlir
//! func.func @f(%c: i1, %a: memref<2xi32>) {
//!   %r = scf.if %c -> (memref<2xi32>) {
//!     scf.yield %a : memref<2xi32>
//!   } else {
//!     %b = memref.alloc() : memref<2xi32>
//!     scf.yield %b : memref<2xi32>
//!   }
//!   call @use(%r) : (memref<2xi32>) -> ()
//!   return
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%c: i1, %a: memref<2xi32>) {
//!   %r:2 = scf.if %c -> (memref<2xi32>, !deallocation.ownership) {
//!     %null = deallocation.null
//!     scf.yield %a, %null : memref<2xi32>, !deallocation.ownership
//!   } else {
//!     %b = memref.alloc() : memref<2xi32>
//!     %own = deallocation.own %b : memref<2xi32>
//!     scf.yield %b, %own : memref<2xi32>, !deallocation.ownership
//!   }
//!   call @use(%r#0) : (memref<2xi32>) -> ()
//!   deallocation.retain() of(%r#1) : (!deallocation.ownership) -> ()
//!   return
//! }
//! ```
//!
//! Functions that return buffers return their owners too, after all other
//! results; arguments belong to the caller. With `keep-public-signatures` only
//! private functions do, and public ones copy what they return without owning
//! it. Declarations, and functions that something else than a call refers to,
//! always keep their signature.
//!
//! MLIR-HLO's pass of this name works block by block, gives every region
//! argument an owner and compares pointers where buffers meet; it does not see
//! that two region arguments may be one buffer. Here the analysis of
//! `deallocation/plan/` knows all values of a function before
//! anything is rewritten. Owners travel only where paths differ, buffers are
//! freed after their last use, and pointers are compared only where it is not
//! known which of several owners a buffer has. Why that is right is said there.
//!
//! `memref.dealloc` and `memref.realloc` in the input free buffers that the
//! pass then does not free; see `capture` for what they may free. What else
//! the program frees is left to it, if it may do so: no owner is made of it. Functions that
//! have owners are left as they are, with all that they call: they come from an earlier run.

use freehold_frontend::dialects::deallocation;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::op_def::Traits;
use rustc_hash::FxHashSet;

use super::insert::{Counts, insert};
use super::{abi, capture};
use crate::analysis::frees::compares_allocations;
use crate::deallocation::plan::decide::Callees;
use crate::deallocation::plan::dynamic::{ReturnAbi, called_in, is_processed, returning_flags};
use crate::deallocation::plan::own_frees;
use crate::deallocation::plan::plan;
use crate::deallocation::plan::preconditions::check_preconditions;
use crate::deallocation::returned_copies::{self, Copied};
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions::{self, Report};
use crate::rewrite::unreachable_blocks::erase_unreachable_blocks;

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// public functions return no owners and copy what they return without owning it
        "keep-public-signatures" keep_public_signatures: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "hlo-deallocate",
    summary: "free every buffer exactly once, with ownership values that travel along with buffers",
    anchor: Anchor::Module,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let keep_public_signatures = context.options.keep_public_signatures;
    let copied = Copied {
        arguments: true,
        results: keep_public_signatures,
        public: keep_public_signatures,
        borrowed_results: !keep_public_signatures,
    };
    returned_copies::verify(ir, copied, &mut context.diagnostics)?;
    let mut report = Report::default();
    run_on_module(ir, keep_public_signatures, &mut report);
    context.diagnostics.append(report.diagnostics);
    context.count("retains", report.counts.retains);
    context.count("copies", report.counts.copies);
    report.result
}

/// Works on the functions of a module and of the modules inside.
fn run_on_module(ir: &mut Ir, keep_public_signatures: bool, report: &mut Report<Counts>) {
    let rules = own_frees::Rules {
        twice: true,
        frees_are_left: true,
    };
    let left_to_callers = match own_frees::check(ir, rules, &mut report.diagnostics) {
        Ok(left_to_callers) => left_to_callers,
        Err(failed) => {
            report.result = Err(failed);
            return;
        }
    };
    functions::map_functions(ir, erase_unreachable_blocks);
    let returning_flags: FxHashSet<String> = returning_flags(ir).collect();
    let left_alone = functions::map_functions(ir, |function| {
        if is_ours(function) {
            capture::spell_out(function);
        }
        let name = function.symbol_name(function.root()).map(str::to_owned);
        name.filter(|_| is_left_alone(function, &returning_flags))
    });
    let left_alone: FxHashSet<String> = left_alone.into_iter().flatten().collect();
    let callees = abi::callees(ir, keep_public_signatures, &left_alone, left_to_callers);
    let outcomes = functions::map_functions(ir, |function| {
        let mut diagnostics = Diagnostics::new();
        let is_left_alone = function
            .symbol_name(function.root())
            .is_some_and(|name| left_alone.contains(name));
        let result = match is_left_alone {
            true => Ok(Counts::default()),
            false => run_on_function(function, &callees, &mut diagnostics),
        };
        (result, diagnostics)
    });
    for outcome in outcomes {
        report.add(outcome);
    }
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            run_on_module(nested, keep_public_signatures, report);
        }
    }
}

/// Whether `ir` is a function that no earlier run changed.
fn is_ours(ir: &Ir) -> bool {
    ir.has_trait(ir.root(), Traits::FUNCTION) && !is_processed(ir)
}

/// Whether the function has lowered deallocs, which free under conditions of all kinds, and free everything; or calls
/// what an earlier run made return flags: that run made it free everything as well.
fn is_left_alone(ir: &Ir, returning_flags: &FxHashSet<String>) -> bool {
    let is_undecided =
        || compares_allocations(ir) && capture::check(ir, &mut Diagnostics::new()).is_err();
    let calls_them = || called_in(ir).any(|name| returning_flags.contains(name));
    is_ours(ir) && (is_undecided() || calls_them())
}

fn run_on_function(
    ir: &mut Ir,
    callees: &Callees,
    diagnostics: &mut Diagnostics,
) -> Result<Counts, Failed> {
    if !is_ours(ir) {
        return Ok(Counts::default());
    }
    capture::check(ir, diagnostics)?;
    check_preconditions(ir, false, diagnostics)?;
    let mut plan = plan::plan(ir, ReturnAbi::Owned, callees, diagnostics)?;
    let mut result = Ok(());
    for &op in &plan.lent {
        result = Err(diagnostics.error(ir.loc(op), capture::UNSUPPORTED));
    }
    result?;
    diagnostics.append(std::mem::take(&mut plan.remarks));
    let returns_owners = ir
        .symbol_name(ir.root())
        .is_some_and(|name| callees.dynamic.contains_key(name));
    let counts = insert(ir, &plan, returns_owners);
    if returns_owners {
        abi::extend_signature(ir, deallocation::ownership_type(ir.context()));
    }
    Ok(counts)
}
