//! `drop-equivalent-buffer-results`: functions do not return what they were
//! given; callers use what they have.
//!
//! Before:
//! ```mlir
//! func.func private @f(%m: memref<4xf32>) -> memref<4xf32> {
//!   return %m : memref<4xf32>
//! }
//! %r = call @f(%a) : (memref<4xf32>) -> memref<4xf32>
//! memref.store %v, %r[%i] : memref<4xf32>
//! ```
//! After:
//! ```mlir
//! func.func private @f(%m: memref<4xf32>) {
//!   return
//! }
//! call @f(%a) : (memref<4xf32>) -> ()
//! memref.store %v, %a[%i] : memref<4xf32>
//! ```
//!
//! All results that are the same argument at every `return`, directly or
//! through `memref.cast`, are dropped, scalars included. A caller that
//! returned such a result is looked at again, wherever it stands (upstream
//! looks at each function once, in order). Functions that are used otherwise
//! than by calls keep their type.

use freehold_frontend::dialects::{func, memref};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use rustc_hash::FxHashSet;

use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;
use crate::rewrite::signature::{Signature, calls_by_callee, symbols_used_as_values};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// change public functions, too
        "modify-public-functions" modify_public_functions: bool = true,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "drop-equivalent-buffer-results",
    summary: "remove function results that always equal an argument",
    anchor: Anchor::Module,
    run,
};

/// Which results are dropped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// Those that equal an argument.
    Arguments,
    /// Also buffers that are another result.
    All,
    /// Those of these that are another result.
    Results,
}

/// What a dropped result equals.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Equal {
    Argument(usize),
    /// One that is not dropped.
    Result(usize),
}

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let n_dropped = run_on_module(ir, context.options.modify_public_functions);
    context.count("results dropped", n_dropped);
    Ok(())
}

fn run_on_module(ir: &mut Ir, public_too: bool) -> u64 {
    let used_as_values = symbols_used_as_values(ir);
    let calls = calls_by_callee(ir);
    let mut worklist = functions::functions(ir);
    worklist.reverse();
    let mut waiting: FxHashSet<Op> = worklist.iter().copied().collect();
    let mut n_dropped = 0;
    while let Some(stub) = worklist.pop() {
        waiting.remove(&stub);
        let Some(name) = ir.symbol_name(stub).map(str::to_owned) else {
            continue;
        };
        if used_as_values.contains(&name) || !public_too && !ir.is_private(stub) {
            continue;
        }
        let Some(function) = ir.nested_mut(stub) else {
            continue;
        };
        let dropped = drop_results(function, Which::Arguments);
        if dropped.is_empty() {
            continue;
        }
        n_dropped += dropped.len() as u64;
        for &(caller, call) in calls.get(&name).map_or(&[][..], Vec::as_slice) {
            if let Some(caller_ir) = ir.nested_mut(caller) {
                use_equals(caller_ir, call, &dropped);
            }
            if waiting.insert(caller) {
                worklist.push(caller);
            }
        }
    }
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            n_dropped += run_on_module(nested, public_too);
        }
    }
    n_dropped
}

/// Drops the results of the function `ir` that are something else as well; gives their indices, each with what that
/// is.
pub(super) fn drop_results(ir: &mut Ir, which: Which) -> Vec<(usize, Equal)> {
    let (dropped, returns) = equal_results(ir, which);
    if dropped.is_empty() {
        return dropped;
    }
    let Some(mut signature) = Signature::of(ir, ir.root()) else {
        return Vec::new();
    };
    for &(result, _) in dropped.iter().rev() {
        signature.results.remove(result);
        for &op in &returns {
            ir.remove_operand(op, result);
        }
    }
    signature.store(ir, ir.root());
    dropped
}

/// The results that equal something else, each with what that is, and all returns of the function.
pub(super) fn equal_results(ir: &Ir, which: Which) -> (Vec<(usize, Equal)>, Vec<Op>) {
    if ir.root_block().is_none() {
        return Default::default();
    }
    let returns: Vec<Op> = (ir.walk(ir.root()))
        .filter(|&op| ir.is(op, &func::RETURN))
        .collect();
    if returns.is_empty() {
        return Default::default();
    }
    let mut dropped: Vec<(usize, Equal)> = Vec::new();
    for result in 0..ir.operands(returns[0]).len() {
        let argument = argument(ir, ir.operand(returns[0], result));
        let is_argument = |&index: &usize| {
            let mut values = returns.iter().map(|&op| ir.operand(op, result));
            values.all(|value| self::argument(ir, value) == Some(index))
        };
        let equal = match argument.filter(is_argument) {
            Some(index) if which != Which::Results => Some(Equal::Argument(index)),
            _ if which != Which::Arguments => {
                equal_result(ir, &returns, &dropped, result).map(Equal::Result)
            }
            _ => None,
        };
        dropped.extend(equal.map(|equal| (result, equal)));
    }
    (dropped, returns)
}

fn uncast(ir: &Ir, mut value: Value) -> Value {
    while let Some(cast) = ir.defined_by(value, &memref::CAST) {
        value = ir.operand(cast, 0);
    }
    value
}

/// Which argument of the function this is.
fn argument(ir: &Ir, value: Value) -> Option<usize> {
    match ir.value_def(uncast(ir, value)) {
        ValueDef::Argument(block, index) if Some(block) == ir.root_block() => Some(index as usize),
        _ => None,
    }
}

/// The first result before this one that is the same buffer wherever the function returns.
fn equal_result(
    ir: &Ir,
    returns: &[Op],
    dropped: &[(usize, Equal)],
    result: usize,
) -> Option<usize> {
    let context = ir.context();
    let ty = ir.value_type(ir.operand(returns[0], result));
    if !context.is_memref(ty) {
        return None;
    }
    (0..result).find(|&other| {
        let other_type = ir.value_type(ir.operand(returns[0], other));
        let is_same = |&op: &Op| {
            let [a, b] = [other, result].map(|index| uncast(ir, ir.operand(op, index)));
            a == b
        };
        (other_type == ty || memref::cast_compatible(context, other_type, ty))
            && !dropped.iter().any(|&(index, _)| index == other)
            && returns.iter().all(is_same)
    })
}

/// Makes the users of the dropped results of `call` use what these equal.
pub(super) fn use_equals(ir: &mut Ir, call: Op, dropped: &[(usize, Equal)]) {
    for &(result, equal) in dropped.iter().rev() {
        let same = match equal {
            Equal::Argument(index) => ir.operand(call, index),
            Equal::Result(index) => ir.result(call, index),
        };
        let value = ir.result(call, result);
        let ty = ir.value_type(value);
        let replacement = if ir.has_no_uses(value) || ir.value_type(same) == ty {
            same
        } else {
            let loc = ir.loc(call);
            let mut builder = Builder::after(ir, call);
            builder.set_loc(loc);
            memref::build::cast(&mut builder, same, ty)
        };
        ir.replace_all_uses(value, replacement);
        ir.remove_result(call, result);
    }
}
