//! `verify-ownership`: proves that every buffer is freed exactly once on every
//! path and never used afterwards, or shows a path on which it is not.
//!
//! It checks functions before and after `bufferization.dealloc` is lowered, with control flow of
//! any kind. The rules: a function frees or returns what it allocates or gets from a call; the
//! caller frees what it returns, so that must be neither an argument nor a global nor on the stack;
//! identity is by allocation, so a view stands for its allocation.
//!
//! How it works: `flow` flattens the control flow, `values` says how values come about, and for
//! each allocation on its own `slice` cuts out a `program` of booleans (does this value refer to
//! the allocation? is this `i1` true?), and `explore` visits every reachable state of it. That one
//! *instance* of the allocation is tracked makes loops finite and exact: any
//! other instance is just other memory. Unknown cases (a reference stored to memory, flags loaded
//! from it, too many states) give [`Verdict::Unknown`], never a guess.
//!
//! This is the oracle of the deallocation passes and shares no code with them.

use freehold_frontend::dialects::{bufferization, deallocation};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::interfaces::Request;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use rayon::prelude::*;

use crate::manage::options::pass_options;

mod comparisons;
mod explore;
mod flow;
mod function;
mod helper;
mod interpret;
mod module;
mod program;
mod report;
mod requests;
mod results;
mod slice;
mod state;
mod values;

use explore::{Doubt, Rigour};
use function::Function;
use module::Callees;
use requests::Lost;
use slice::Tracked;
use values::Derivation;

pass_options! {
    /// Assumptions about the code. Where functions have the attribute of those that return an `i1` per memref, it is
    /// the attribute that counts. Cases are `WORK_PER_STATE` steps; after each buffer that is given up, half as many
    /// (but no fewer than one in `LEAST_SHARE`) are left for the others.
    pub struct Options {
        /// report what cannot be proved as an error
        "strict" strict: bool = false,
        /// private functions return an i1 per memref that says whether the caller owns it
        "private-function-dynamic-ownership" private_function_dynamic_ownership: bool = false,
        /// states explored per buffer before giving up on it
        "max-states" max_states: u64 = 20_000,
    }
}

/// What counts as one of [`Options::max_states`]: steps, atoms and expressions.
const WORK_PER_STATE: u64 = 100;

/// A function of `n` allocations takes no longer than `2 + n / LEAST_SHARE`
/// times what one allocation may take.
const LEAST_SHARE: u64 = 64;

/// How much may still be looked at in one function.
struct Budget {
    work: u64,
    least: u64,
}

impl Budget {
    fn new(options: &Options) -> Self {
        let work = WORK_PER_STATE.saturating_mul(options.max_states);
        let least = work / LEAST_SHARE;
        Self { work, least }
    }

    /// One allocation is given up.
    fn give_up(&mut self) {
        self.work = (self.work / 2).max(self.least);
    }
}

/// What the checker found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// Everything is proved.
    Clean,
    /// There is no error, but not everything is proved either.
    Unknown,
    /// There is a path on which something is wrong.
    Errors,
}

/// Checks `ir`, a function or a module with all that is inside of it, and reports what it finds.
/// For a function alone, callees are unknown.
pub fn check(ir: &Ir, options: &Options, diagnostics: &mut Diagnostics) -> Verdict {
    if ir.has_trait(ir.root(), Traits::FUNCTION) {
        return check_function(ir, &Callees::unknown(), options, diagnostics);
    }
    let mut verdict = Verdict::Clean;
    let mut pending = vec![ir];
    while let Some(module) = pending.pop() {
        let dynamic = options.private_function_dynamic_ownership;
        let callees = Callees::of(module, dynamic);
        let nested: Vec<&Ir> = module
            .root_block()
            .map(|block| {
                module
                    .ops_in(block)
                    .filter_map(|op| module.nested(op))
                    .collect()
            })
            .unwrap_or_default();
        let (functions, modules): (Vec<&Ir>, Vec<&Ir>) = nested
            .into_iter()
            .partition(|ir| ir.has_trait(ir.root(), Traits::FUNCTION));
        let results: Vec<(Verdict, Diagnostics)> = functions
            .par_iter()
            .map(|function| {
                let mut diagnostics = Diagnostics::new();
                (
                    check_function(function, &callees, options, &mut diagnostics),
                    diagnostics,
                )
            })
            .collect();
        for (result, reports) in results {
            verdict = verdict.max(result);
            diagnostics.append(reports);
        }
        pending.extend(modules.into_iter().rev());
    }
    verdict
}

/// Checks the requests of a function that has any.
pub fn check_requests(ir: &Ir, diagnostics: &mut Diagnostics) -> Verdict {
    let has_requests = ir.walk(ir.root()).any(|op| {
        matches!(
            ir.request(op),
            Some(Request::Started { .. } | Request::Awaited(_))
        )
    });
    if !has_requests {
        return Verdict::Clean;
    }
    let callees = Callees::unknown();
    match Function::new(ir, &callees) {
        Some(function) => {
            requests::check(&function, &Options::default(), Lost::Allowed, diagnostics)
        }
        None => Verdict::Clean,
    }
}

fn check_function(
    ir: &Ir,
    callees: &Callees,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Verdict {
    let Some(function) = Function::new(ir, callees) else {
        return Verdict::Clean;
    };
    let mut verdict = Verdict::Clean;
    let mut budget = Budget::new(options);
    let mut check = |tracked: &Tracked<'_>| {
        check_tracked(&function, tracked, options, &mut budget, diagnostics)
    };
    for allocation in function.allocations() {
        verdict = verdict.max(check(&Tracked::Allocation(&allocation)));
    }
    for op in ir.walk(ir.root()) {
        for operand in given_away(&function, op) {
            verdict = verdict.max(check(&Tracked::Foreign(op, operand)));
        }
    }
    verdict.max(requests::check(
        &function,
        options,
        Lost::Error,
        diagnostics,
    ))
}

fn check_tracked(
    function: &Function<'_>,
    tracked: &Tracked<'_>,
    options: &Options,
    budget: &mut Budget,
    diagnostics: &mut Diagnostics,
) -> Verdict {
    let program = slice::slice(function, *tracked);
    let (foreign, may_leak) = match tracked {
        Tracked::Allocation(allocation) => (false, allocation.may_leak),
        Tracked::Foreign(..) => (true, true),
    };
    let explore =
        |rigour, work| explore::explore(&function.flow, &program, foreign, may_leak, rigour, work);
    // A quarter, so that the exact part has most of the time.
    let coarse = explore(Rigour::Coarse, budget.work / 4);
    let outcome = match coarse.is_proof() {
        true => coarse,
        false => explore(Rigour::Exact, budget.work),
    };
    if outcome.doubt == Some(Doubt::TooManyStates) {
        budget.give_up();
    }
    let undecided = function.undecided.filter(|_| !outcome.findings.is_empty());
    if undecided.is_none() {
        for finding in &outcome.findings {
            report::error(function, tracked, &program, finding, diagnostics);
        }
        if !outcome.findings.is_empty() {
            return Verdict::Errors;
        }
    }
    match undecided.map(Doubt::Undecided).or(outcome.doubt) {
        None => Verdict::Clean,
        Some(doubt) => {
            report::doubt(function, tracked, doubt, options.strict, diagnostics);
            if options.strict {
                Verdict::Errors
            } else {
                Verdict::Unknown
            }
        }
    }
}

/// The operands of `op` that it frees or returns to the caller, if they may
/// refer to memory that the function does not own.
fn given_away(function: &Function<'_>, op: Op) -> Vec<u32> {
    let ir = function.ir;
    let operands = ir.operands(op).iter().enumerate();
    let effects = ir.own_effects(op);
    // Who marks a free so knows that the memory is theirs.
    if ir.has_attr(op, Name::MANUAL_DEALLOCATION) {
        return Vec::new();
    }
    let is_never = |condition| values::derivation(ir, condition) == Derivation::Bool(false);
    let is_given = |index: usize| {
        if flow::returns(ir, op) || ir.is(op, &deallocation::FREE) {
            return true;
        }
        if ir.is(op, &deallocation::RETAIN) {
            return index >= deallocation::Retain(op).retained(ir).len();
        }
        if ir.is(op, &bufferization::DEALLOC) {
            let conditions = bufferization::Dealloc(op).conditions(ir);
            return conditions
                .get(index)
                .is_some_and(|&condition| !is_never(condition));
        }
        let freed = |effects: &freehold_frontend::ir::effects::Effects| {
            effects.has(EffectKind::Free, ir.operand(op, index))
        };
        effects.as_ref().is_some_and(freed)
    };
    operands
        .filter(|&(index, &value)| function.may_be_foreign(value) && is_given(index))
        .map(|(index, _)| index as u32)
        .collect()
}
