//! `privatize-borrowed-results`: callers of functions that may return an argument or a global call a private version.
//!
//! Before:
//! ```mlir
//! func.func @f(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
//!   %a = memref.alloc() : memref<4xf32>
//!   %s = arith.select %c, %m, %a : memref<4xf32>
//!   return %s : memref<4xf32>
//! }
//! func.func @g(%m: memref<4xf32>, %c: i1) {
//!   %r = call @f(%m, %c) : (memref<4xf32>, i1) -> memref<4xf32>
//!   return
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%m: memref<4xf32>, %c: i1) -> memref<4xf32> { ... }
//! func.func private @f_once(%m: memref<4xf32>, %c: i1) -> memref<4xf32> { ... }
//! func.func @g(%m: memref<4xf32>, %c: i1) {
//!   %r = call @f_once(%m, %c) : (memref<4xf32>, i1) -> memref<4xf32>
//!   return
//! }
//! ```
//!
//! Of a private function all callers are known, so `ownership-based-buffer-deallocation{borrowed-results}` has it say
//! who owns what it returns. A public one returns a copy of what it does not own, and what a caller wrote through that
//! would be lost to the original. The function itself stays for callers outside of the module, and for indirect calls.
//! Functions that return memory of their own stack are left alone: only a copy of that lasts.

use freehold_frontend::dialects::func;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::symbols::SymbolTable;
use rustc_hash::{FxHashMap, FxHashSet};

use super::return_buffers_once::make_version;
use crate::analysis::symbol_uses::names_besides_calls;
use crate::deallocation::plan::dynamic::is_processed;
use crate::deallocation::plan::returned::{borrowing, returns_memrefs};
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;
use crate::rewrite::signature::{callee, calls_by_callee};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "privatize-borrowed-results",
    summary: "call private versions of functions that may return buffers that they do not own",
    anchor: Anchor::Module,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let n_versions = run_on_module(ir);
    context.count("versions", n_versions);
    Ok(())
}

fn run_on_module(ir: &mut Ir) -> u64 {
    let stubs = public_borrowing(ir);
    let mut versions: FxHashMap<String, String> = FxHashMap::default();
    for stub in stubs {
        let Some(name) = ir.symbol_name(stub).map(str::to_owned) else {
            continue;
        };
        let version = SymbolTable::of(ir).unique_name(&format!("{name}_once"));
        make_version(ir, stub, &version);
        versions.insert(name, version);
    }
    if !versions.is_empty() {
        functions::map_functions(ir, |function| call_versions(function, &versions));
    }
    let n_versions = versions.len() as u64;
    let nested = functions::nested_modules(ir);
    let nested = nested
        .into_iter()
        .filter_map(|stub| ir.nested_mut(stub).map(run_on_module));
    n_versions + nested.sum::<u64>()
}

/// The functions of `module` that are called, may return what they do not own, and have other callers as well.
fn public_borrowing(module: &Ir) -> Vec<Op> {
    let calls = calls_by_callee(module);
    let stubs = functions::functions(module);
    let functions: Vec<&Ir> = (stubs.iter())
        .filter_map(|&stub| module.nested(stub))
        .filter(|function| function.root_block().is_some() && returns_memrefs(function))
        .collect();
    let eligible: FxHashMap<&str, &Ir> = (functions.iter())
        .filter_map(|&function| Some((function.symbol_name(function.root())?, function)))
        .filter(|(name, function)| {
            calls.contains_key(*name)
                && function.is(function.root(), &func::FUNC)
                && !is_processed(function)
        })
        .collect();
    if eligible.is_empty() {
        return Vec::new();
    }
    let borrowing = borrowing(&functions, &eligible);
    if borrowing.is_empty() {
        return Vec::new();
    }
    let named: FxHashSet<String> = names_besides_calls(module);
    let is_found = |&stub: &Op| {
        let name = module.symbol_name(stub);
        let is_open = |name: &str| !module.is_private(stub) || named.contains(name);
        name.is_some_and(|name| borrowing.contains(name) && is_open(name))
    };
    stubs.into_iter().filter(is_found).collect()
}

/// Has calls in a function call versions, unless an earlier run dealt with it.
fn call_versions(function: &mut Ir, versions: &FxHashMap<String, String>) {
    if is_processed(function) {
        return;
    }
    for op in function.collect_ops(function.root()) {
        let version = callee(function, op).and_then(|name| versions.get(name));
        if let Some(version) = version {
            let symbol = function.context().symbol_ref_attr(version);
            function.set_attr(op, Name::CALLEE, symbol);
        }
    }
}
