//! `convert-bufferization-to-memref`: clones become allocations and copies,
//! deallocs are lowered as `bufferization-lower-deallocations` does.
//!
//! Before:
//! ```mlir
//! %c = bufferization.clone %m : memref<?xf32> to memref<?xf32>
//! ```
//! After:
//! ```mlir
//! %d = memref.dim %m, %c0 : memref<?xf32>
//! %c = memref.alloc(%d) : memref<?xf32>
//! memref.copy %m, %c : memref<?xf32> to memref<?xf32>
//! ```

use freehold_frontend::dialects::bufferization;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};

use crate::lowering::bufferization_lower_deallocations::{Options, lower_module};
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::clones::lower_clone;
use crate::rewrite::functions;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "convert-bufferization-to-memref",
    summary: "lower bufferization.clone and bufferization.dealloc to memref operations",
    anchor: Anchor::Module,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    lower_clones_in(ir, &mut context.diagnostics)?;
    lower_module(ir, &Options::default());
    Ok(())
}

fn lower_clones_in(ir: &mut Ir, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    let outcomes = functions::map_functions(ir, |function| {
        let mut diagnostics = Diagnostics::new();
        let outcome = lower_clones(function, &mut diagnostics);
        (outcome, diagnostics)
    });
    let mut result = Ok(());
    for (outcome, reports) in outcomes {
        diagnostics.append(reports);
        result = result.and(outcome);
    }
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            result = result.and(lower_clones_in(nested, diagnostics));
        }
    }
    result
}

fn lower_clones(ir: &mut Ir, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    let mut result = Ok(());
    for op in ir.collect_ops(ir.root()) {
        if !ir.is(op, &bufferization::CLONE) {
            continue;
        }
        result = result.and(lower_clone(ir, op, diagnostics));
    }
    result
}
