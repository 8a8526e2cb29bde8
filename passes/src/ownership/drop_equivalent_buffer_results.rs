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
//! Of functions with one `return`, all results that are an argument, directly
//! or through `memref.cast`, are dropped, scalars included. A caller that
//! returned such a result is looked at again, wherever it stands (upstream
//! looks at each function once, in order). Functions that are used otherwise
//! than by calls keep their type.

use freehold_frontend::dialects::{func, memref};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use rustc_hash::FxHashSet;

use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;
use crate::rewrite::signature::{Signature, calls_by_callee, symbols_used_as_values};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "drop-equivalent-buffer-results",
    summary: "remove function results that always equal an argument",
    anchor: Anchor::Module,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let n_dropped = run_on_module(ir);
    context.count("results dropped", n_dropped);
    Ok(())
}

fn run_on_module(ir: &mut Ir) -> u64 {
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
        if used_as_values.contains(&name) {
            continue;
        }
        let Some(function) = ir.nested_mut(stub) else {
            continue;
        };
        let dropped = drop_results(function);
        if dropped.is_empty() {
            continue;
        }
        n_dropped += dropped.len() as u64;
        for &(caller, call) in calls.get(&name).map_or(&[][..], Vec::as_slice) {
            if let Some(caller_ir) = ir.nested_mut(caller) {
                use_arguments(caller_ir, call, &dropped);
            }
            if waiting.insert(caller) {
                worklist.push(caller);
            }
        }
    }
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            n_dropped += run_on_module(nested);
        }
    }
    n_dropped
}

/// Drops the results of the function `ir` that are arguments; gives their
/// indices, each with that of the argument.
fn drop_results(ir: &mut Ir) -> Vec<(usize, usize)> {
    let Some(entry) = ir.root_block() else {
        return Vec::new();
    };
    let mut returns = ir.walk(ir.root()).filter(|&op| ir.is(op, &func::RETURN));
    let (Some(only), None) = (returns.next(), returns.next()) else {
        return Vec::new();
    };
    let argument = |mut value: Value| {
        while let Some(cast) = ir.defined_by(value, &memref::CAST) {
            value = ir.operand(cast, 0);
        }
        match ir.value_def(value) {
            ValueDef::Argument(block, index) if block == entry => Some(index as usize),
            _ => None,
        }
    };
    let dropped: Vec<(usize, usize)> = ir
        .operands(only)
        .iter()
        .enumerate()
        .filter_map(|(result, &value)| Some((result, argument(value)?)))
        .collect();
    if dropped.is_empty() {
        return dropped;
    }
    let Some(mut signature) = Signature::of(ir, ir.root()) else {
        return Vec::new();
    };
    for &(result, _) in dropped.iter().rev() {
        signature.results.remove(result);
        ir.remove_operand(only, result);
    }
    signature.store(ir, ir.root());
    dropped
}

/// Makes the users of the dropped results of `call` use the arguments.
fn use_arguments(ir: &mut Ir, call: Op, dropped: &[(usize, usize)]) {
    for &(result, argument) in dropped.iter().rev() {
        let passed = ir.operand(call, argument);
        let value = ir.result(call, result);
        let ty = ir.value_type(value);
        let replacement = if ir.has_no_uses(value) || ir.value_type(passed) == ty {
            passed
        } else {
            let loc = ir.loc(call);
            let mut builder = Builder::after(ir, call);
            builder.set_loc(loc);
            memref::build::cast(&mut builder, passed, ty)
        };
        ir.replace_all_uses(value, replacement);
        ir.remove_result(call, result);
    }
}
