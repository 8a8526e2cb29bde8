//! Results in the memory of arguments that the caller donates.
//!
//! JAX and others mark arguments that are not used after the call: `tf.aliasing_output` and `jax.buffer_donor`.
//! `write-donated-arguments` lets the program write to them, and bufferization then computes in place what it can.
//! Results that are donated arguments go away while buffers are freed, as functions do not own their arguments and would
//! return copies:
//!
//! ```mlir
//! func.func @f(%m: memref<4xf32> {jax.buffer_donor = true}) -> (i32, memref<4xf32>) {
//!   return %i, %m : i32, memref<4xf32>
//! }
//! ```
//! becomes by `drop-donated-results`
//! ```mlir
//! func.func @f(%m: memref<4xf32> {freehold.dropped_result = 1 : i32}) -> i32 {
//!   return %i : i32
//! }
//! ```
//! and `return-donated-arguments` undoes that, and leaves `freehold.result = 1 : i32` on the argument. Callers do not own such
//! a result besides the argument.
//!
//! Functions that the module itself calls or mentions are left as they are: there, analyses know more.

use freehold_frontend::dialects::func;
use freehold_frontend::ir::attrs::{Attr, Dict};
use freehold_frontend::ir::constraints::is_tensor;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashSet;

use super::drop_equivalent_buffer_results::{Equal, Which, equal_results};
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;
use crate::rewrite::signature::{Signature, calls_by_callee, symbols_used_as_values};

/// The pass before bufferization.
pub static WRITE_ARGUMENTS: PassDef = PassDef {
    name: "write-donated-arguments",
    summary: "let functions write to tensors that callers donate",
    anchor: Anchor::Module,
    run: |ir, context| {
        let n_written = on_functions(ir, |function, is_known| match is_known {
            true => 0,
            false => allow_writes(function),
        });
        context.count("arguments written", n_written);
        Ok(())
    },
};

/// The pass before deallocation.
pub static DROP_RESULTS: PassDef = PassDef {
    name: "drop-donated-results",
    summary: "drop results that are arguments which callers donate",
    anchor: Anchor::Module,
    run: |ir, context| {
        let n_dropped = on_functions(ir, drop_results);
        context.count("results dropped", n_dropped);
        Ok(())
    },
};

/// The pass after deallocation.
pub static RETURN_ARGUMENTS: PassDef = PassDef {
    name: "return-donated-arguments",
    summary: "return what drop-donated-results dropped",
    anchor: Anchor::Function,
    run: return_arguments,
};

/// For each argument of `function` whether callers donate it.
pub fn donated_arguments(function: &Ir) -> Vec<bool> {
    let signature = Signature::of(function, function.root()).into_iter();
    let context = function.context();
    let inputs = signature.flat_map(|signature| signature.inputs);
    inputs
        .map(|(_, attrs)| is_donated(context, attrs))
        .collect()
}

/// The results that are arguments, each with the argument, after [`RETURN_ARGUMENTS`].
pub fn returned_arguments(function: &Ir) -> Vec<(usize, usize)> {
    let signature = Signature::of(function, function.root()).into_iter();
    let inputs = signature.flat_map(|signature| signature.inputs).enumerate();
    let result = |attrs| number(function.context(), attrs, Name::RESULT_IN_ARGUMENT);
    inputs
        .filter_map(|(argument, (_, attrs))| Some((result(attrs)?, argument)))
        .collect()
}

/// The number that an attribute of these is.
fn number(context: &Context, attrs: Dict, name: Name) -> Option<usize> {
    let attr = context.dict_get(attrs, name)?;
    usize::try_from(context.attr_integer(attr)?).ok()
}

/// Whether arguments with these attributes are not used after the call.
fn is_donated(context: &Context, attrs: Dict) -> bool {
    let names = [Name::ALIASING_OUTPUT, Name::BUFFER_DONOR];
    (names.into_iter()).any(|name| context.dict_get(attrs, name).is_some())
}

/// Works on all functions, and says whether all callers are known; gives the sum of what `work` counts.
fn on_functions(ir: &mut Ir, work: impl Fn(&mut Ir, bool) -> u64) -> u64 {
    let mut used: FxHashSet<String> = symbols_used_as_values(ir);
    used.extend(calls_by_callee(ir).into_keys());
    let mut total = 0;
    for stub in functions::functions(ir) {
        let is_used = ir.symbol_name(stub).is_none_or(|name| used.contains(name));
        let is_known = is_used || ir.is_private(stub);
        if let Some(function) = ir.nested_mut(stub) {
            total += work(function, is_known);
        }
    }
    total
}

fn allow_writes(function: &mut Ir) -> u64 {
    let Some(mut signature) = signature_with_body(function) else {
        return 0;
    };
    let context = function.context().clone();
    let mut n_written = 0;
    for (ty, attrs) in &mut signature.inputs {
        if is_tensor(&context, *ty) && is_donated(&context, *attrs) {
            *attrs = context.dict_with(*attrs, Name::BUFFERIZATION_WRITABLE, Some(Attr::TRUE));
            n_written += 1;
        }
    }
    if n_written > 0 {
        signature.store(function, function.root());
    }
    n_written
}

fn signature_with_body(function: &Ir) -> Option<Signature> {
    function.root_block()?;
    Signature::of(function, function.root())
}

/// Drops results, unless all callers are known. No other argument counts as donated any more.
fn drop_results(function: &mut Ir, is_known: bool) -> u64 {
    let Some(mut signature) = signature_with_body(function) else {
        return 0;
    };
    let context = function.context().clone();
    let mut donated = donated_arguments(function);
    if !donated.contains(&true) {
        return 0;
    }
    for (_, attrs) in &mut signature.inputs {
        for name in [Name::ALIASING_OUTPUT, Name::BUFFER_DONOR] {
            *attrs = context.dict_with(*attrs, name, None);
        }
    }
    let (equal, returns) = match is_known {
        true => Default::default(),
        false => equal_results(function, Which::Arguments),
    };
    let mut dropped = Vec::new();
    for (result, equal) in equal {
        let Equal::Argument(argument) = equal else {
            continue;
        };
        let (ty, attrs) = &mut signature.inputs[argument];
        let is_same = *ty == signature.results[result].0 && context.is_memref(*ty);
        // Of several results that are one argument, the first.
        if is_same && std::mem::take(&mut donated[argument]) {
            let index = context.integer_attr(Type::I32, result as i128);
            *attrs = context.dict_with(*attrs, Name::DROPPED_RESULT, Some(index));
            dropped.push(result);
        }
    }
    for &result in dropped.iter().rev() {
        signature.results.remove(result);
        for &op in &returns {
            function.remove_operand(op, result);
        }
    }
    signature.store(function, function.root());
    dropped.len() as u64
}

fn return_arguments(function: &mut Ir, _: &mut PassContext<'_>) -> Result<(), Failed> {
    let Some(mut signature) = signature_with_body(function) else {
        return Ok(());
    };
    let context = function.context().clone();
    let result_of = |attrs| number(&context, attrs, Name::DROPPED_RESULT);
    let inputs = signature.inputs.iter().enumerate();
    let mut dropped: Vec<(usize, usize)> = inputs
        .filter_map(|(argument, &(_, attrs))| Some((result_of(attrs)?, argument)))
        .collect();
    // From the first on, so that those after it come to where they were.
    dropped.sort_unstable();
    let arguments = function
        .root_block()
        .map(|block| function.block_args(block).to_vec())
        .unwrap_or_default();
    let returns: Vec<Op> = (function.walk(function.root()))
        .filter(|&op| function.is(op, &func::RETURN))
        .collect();
    let no_attrs = context.intern_dict(Vec::new());
    for &(result, argument) in &dropped {
        if result > signature.results.len() {
            continue;
        }
        let (ty, attrs) = &mut signature.inputs[argument];
        let index = context.dict_get(*attrs, Name::DROPPED_RESULT);
        *attrs = context.dict_with(*attrs, Name::DROPPED_RESULT, None);
        *attrs = context.dict_with(*attrs, Name::RESULT_IN_ARGUMENT, index);
        signature.results.insert(result, (*ty, no_attrs));
        for &op in &returns {
            function.insert_operands(op, result, &[arguments[argument]]);
        }
    }
    if !dropped.is_empty() {
        signature.store(function, function.root());
    }
    Ok(())
}
