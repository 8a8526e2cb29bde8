//! `return-buffers-once`: functions that are called return no buffer twice, and none of their arguments.
//!
//! Before:
//! ```mlir
//! func.func @f() -> (memref<4xf32>, memref<4xf32>) {
//!   %a = memref.alloc() : memref<4xf32>
//!   return %a, %a : memref<4xf32>, memref<4xf32>
//! }
//! %r:2 = call @f() : () -> (memref<4xf32>, memref<4xf32>)
//! memref.store %v, %r#0[%i] : memref<4xf32>
//! %w = memref.load %r#1[%i] : memref<4xf32>
//! ```
//! After:
//! ```mlir
//! func.func @f() -> (memref<4xf32>, memref<4xf32>) { ... }
//! func.func private @f_once() -> memref<4xf32> {
//!   %a = memref.alloc() : memref<4xf32>
//!   return %a : memref<4xf32>
//! }
//! %r = call @f_once() : () -> memref<4xf32>
//! memref.store %v, %r[%i] : memref<4xf32>
//! %w = memref.load %r[%i] : memref<4xf32>
//! ```
//!
//! With `arguments=false`, buffers that were passed are returned as before, and with `results=false` those that are
//! returned twice.
//!
//! Passes that give callers a copy of each returned buffer would make two buffers of one, and what the
//! caller writes through one name would be lost to the other. The function itself stays as it is for callers
//! outside of the module.

use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::symbols::SymbolTable;
use rustc_hash::FxHashSet;

use super::drop_equivalent_buffer_results::{
    Equal, Which, drop_results, equal_results, use_equals,
};
use crate::deallocation::plan::dynamic::is_processed;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;
use crate::rewrite::signature::{callee, calls_by_callee};

pass_options! {
    /// What the pass may be told.
    pub struct Options {
        /// drop results that always equal an argument
        "arguments" arguments: bool = true,
        /// drop results that always equal another one
        "results" results: bool = true,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "return-buffers-once",
    summary: "call versions of functions that return no buffer twice and none of their arguments",
    anchor: Anchor::Module,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let which = match (context.options.arguments, context.options.results) {
        (true, true) => Which::All,
        (true, false) => Which::Arguments,
        (false, true) => Which::Results,
        (false, false) => return Ok(()),
    };
    let n_dropped = run_on_module(ir, which);
    context.count("results dropped", n_dropped);
    Ok(())
}

fn run_on_module(ir: &mut Ir, which: Which) -> u64 {
    let mut calls = calls_by_callee(ir);
    let mut worklist = functions::functions(ir);
    worklist.reverse();
    let mut waiting: FxHashSet<Op> = worklist.iter().copied().collect();
    // Versions that were made here, which have no other callers.
    let mut own: FxHashSet<Op> = FxHashSet::default();
    let mut n_dropped = 0;
    while let Some(stub) = worklist.pop() {
        waiting.remove(&stub);
        let Some(name) = ir.symbol_name(stub).map(str::to_owned) else {
            continue;
        };
        // What a pipeline freed already returns owners or flags beside its buffers.
        let has_equals =
            |function: &Ir| !is_processed(function) && !equal_results(function, which).0.is_empty();
        if !calls.contains_key(&name) || !ir.nested(stub).is_some_and(has_equals) {
            continue;
        }
        let (version, version_name) = if own.contains(&stub) {
            (stub, name.clone())
        } else {
            let version_name = SymbolTable::of(ir).unique_name(&format!("{name}_once"));
            let version = make_version(ir, stub, &version_name);
            own.insert(version);
            let function = ir.nested(version).into_iter();
            let found: Vec<(String, Op)> = function
                .flat_map(|function| {
                    let calls = function.walk(function.root());
                    calls.filter_map(|op| Some((callee(function, op)?.to_owned(), op)))
                })
                .collect();
            for (called, call) in found {
                calls.entry(called).or_default().push((version, call));
            }
            (version, version_name)
        };
        let Some(function) = ir.nested_mut(version) else {
            continue;
        };
        let dropped: Vec<(usize, Equal)> = drop_results(function, which);
        n_dropped += dropped.len() as u64;
        let callers = calls.remove(&name).unwrap_or_default();
        let symbol = ir.context().symbol_ref_attr(&version_name);
        for &(caller, call) in &callers {
            if let Some(caller_ir) = ir.nested_mut(caller) {
                caller_ir.set_attr(call, Name::CALLEE, symbol);
                use_equals(caller_ir, call, &dropped);
            }
            if waiting.insert(caller) {
                worklist.push(caller);
            }
        }
        calls.insert(version_name, callers);
    }
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            n_dropped += run_on_module(nested, which);
        }
    }
    n_dropped
}

/// A copy of a function for the callers inside of the module.
pub(super) fn make_version(ir: &mut Ir, stub: Op, name: &str) -> Op {
    let version = ir.clone_op(stub, &mut IrMap::default());
    ir.insert_op_after(stub, version);
    let context = ir.context().clone();
    if let Some(function) = ir.nested_mut(version) {
        let root = function.root();
        function.set_attr(root, Name::SYM_NAME, context.string_attr(name));
        function.set_attr(root, Name::SYM_VISIBILITY, context.string_attr("private"));
        function.remove_attr(root, Name::EMIT_C_INTERFACE);
    }
    version
}
