//! `private-function-dynamic-ownership`: private functions say in an `i1` per
//! returned buffer whether it belongs to the caller, instead of cloning what
//! does not.
//!
//! Only functions all of whose callers are known and can be changed do so: private ones with a body
//! that are named in calls and nowhere else. An attribute on them says that it has happened: a
//! second run leaves them, what their callers do with what they return, and so what they call, as
//! it is.
//!
//! A function that frees a buffer itself takes what a call returns to be another one than what it passed. So where a call
//! gets or returns such a buffer, those that are not handed over are cloned behind it, and all is as without this option.

use freehold_frontend::dialects::func;
use freehold_frontend::ir::attrs::{Attr, Dict};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::frees::uses_owners;
use crate::deallocation::plan::decide::{Callees, ResultAliases};
use crate::deallocation::plan::own_frees;
use crate::deallocation::plan::returned::{borrowing, find_aliases, returns_memrefs};
use crate::rewrite::functions;
use crate::rewrite::signature::{Signature, callee, symbols_used_as_values};

/// Which private functions say who owns what they return.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WhichSay {
    /// None: they clone what they do not own.
    Nothing,
    /// Those that may return a buffer that they do not own.
    Borrowing,
    /// All that return buffers.
    All,
}

/// What a function returns besides its results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReturnAbi {
    /// Every returned buffer belongs to the caller; others are cloned.
    Owned,
    /// An `i1` per buffer, after all results, says whether it does. Of results
    /// that are the same buffer the first is owned at most.
    Dynamic,
}

/// Whether an earlier run has dealt with the function `ir`, which is left as it is.
pub(crate) fn is_processed(ir: &Ir) -> bool {
    ir.has_attr(ir.root(), Name::DYNAMIC_OWNERSHIP) || uses_owners(ir)
}

/// The functions of the module `ir` that an earlier run made return with each buffer whether it belongs to the caller.
pub(crate) fn returning_flags(ir: &Ir) -> impl Iterator<Item = String> {
    let processed = functions::nested(ir).filter(|f| f.has_attr(f.root(), Name::DYNAMIC_OWNERSHIP));
    processed.filter_map(|f| f.symbol_name(f.root()).map(str::to_owned))
}

/// The functions of the module `ir` that say what they own: those that do so
/// already, and of `which` all that can. Where all do, any of their results may be any
/// buffer that they are given. Callers know themselves what those in `left_to_callers` return.
pub(crate) fn callees_of_module(
    ir: &Ir,
    which: WhichSay,
    left_to_callers: FxHashSet<String>,
) -> Callees {
    let mut unchangeable = left_to_callers.clone();
    if which != WhichSay::Nothing {
        unchangeable.extend(symbols_used_as_values(ir));
        // Their callers are left as they are.
        unchangeable.extend(called_by_processed(ir));
        unchangeable.extend(own_frees::called_by_managing(ir));
        unchangeable.extend(own_frees::returning_managed(ir));
    }
    let context = ir.context();
    let mut callees = Callees {
        processed: left_to_callers,
        ..Callees::default()
    };
    // Results without flags belong to the caller as ever.
    callees.processed.extend(returning_flags(ir));
    if which == WhichSay::Borrowing {
        find_borrowing(ir, &unchangeable, &mut callees);
        return callees;
    }
    for op in ir
        .root_block()
        .into_iter()
        .flat_map(|block| ir.ops_in(block))
    {
        let function = ir.nested(op).filter(|f| f.root_block().is_some());
        let Some(function) = function.filter(|_| ir.is(op, &func::FUNC)) else {
            continue;
        };
        if is_processed(function) || which == WhichSay::Nothing || !ir.is_private(op) {
            continue;
        }
        let (Some(name), Some(signature)) = (ir.symbol_name(op), Signature::of(ir, op)) else {
            continue;
        };
        if unchangeable.contains(name) {
            continue;
        }
        let is_buffer = |&(ty, _): &(Type, Dict)| context.is_memref(ty);
        let inputs = signature.inputs.iter().enumerate();
        let buffers: Vec<usize> = inputs
            .filter_map(|(index, input)| is_buffer(input).then_some(index))
            .collect();
        if signature.results.iter().any(is_buffer) {
            let mut earlier: Vec<usize> = Vec::new();
            let mut aliases = Vec::new();
            for (index, result) in signature.results.iter().enumerate() {
                if is_buffer(result) {
                    aliases.push(ResultAliases {
                        arguments: buffers.clone(),
                        results: earlier.clone(),
                        is_other: true,
                    });
                    earlier.push(index);
                } else {
                    aliases.push(ResultAliases::default());
                }
            }
            callees.dynamic.insert(name.to_owned(), aliases);
        }
    }
    callees
}

/// Adds the private functions that may return what they do not own, but for those in `unchangeable`.
fn find_borrowing(ir: &Ir, unchangeable: &FxHashSet<String>, callees: &mut Callees) {
    let functions: Vec<&Ir> = (functions::nested(ir))
        .filter(|f| f.is(f.root(), &func::FUNC) && f.root_block().is_some())
        .collect();
    let mut eligible: FxHashMap<&str, &Ir> = functions
        .iter()
        .filter_map(|&function| Some((function.symbol_name(function.root())?, function)))
        .filter(|(name, function)| {
            function.is_private(function.root())
                && !unchangeable.contains(*name)
                && !is_processed(function)
                && returns_memrefs(function)
        })
        .collect();
    if eligible.is_empty() {
        return;
    }
    let borrowing = borrowing(&functions, &eligible);
    eligible.retain(|name, _| borrowing.contains(name));
    // Again, because all others own what they return.
    find_aliases(&functions, &eligible, callees);
}

/// What the functions call that an earlier run changed.
pub(crate) fn called_by_processed(ir: &Ir) -> Vec<String> {
    called_by(ir, is_processed)
}

/// What the functions call that `accepts` names.
pub(crate) fn called_by(ir: &Ir, accepts: impl Fn(&Ir) -> bool) -> Vec<String> {
    functions::nested(ir)
        .filter(|function| accepts(function))
        .flat_map(|function| called_in(function).map(str::to_owned))
        .collect()
}

/// What a function calls.
pub(crate) fn called_in(function: &Ir) -> impl Iterator<Item = &str> {
    let ops = function.walk(function.root());
    ops.filter_map(|op| callee(function, op))
}

/// How the function `ir` returns buffers.
pub(crate) fn abi_of(callees: &Callees, ir: &Ir) -> ReturnAbi {
    match ir.symbol_name(ir.root()) {
        Some(name) if callees.dynamic.contains_key(name) => ReturnAbi::Dynamic,
        _ => ReturnAbi::Owned,
    }
}

/// Adds the `i1` per returned buffer to the type of the function `ir`, and
/// marks it as one that returns them.
pub(crate) fn append_result_types(ir: &mut Ir) {
    let Some(mut signature) = Signature::of(ir, ir.root()) else {
        return;
    };
    let context = ir.context().clone();
    let n_buffers = signature
        .results
        .iter()
        .filter(|&&(ty, _)| context.is_memref(ty))
        .count();
    let no_attrs = context.intern_dict(Vec::new());
    let flags = std::iter::repeat_n((Type::I1, no_attrs), n_buffers);
    signature.results.extend(flags);
    signature.store(ir, ir.root());
    ir.set_attr(ir.root(), Name::DYNAMIC_OWNERSHIP, Attr::UNIT);
}
