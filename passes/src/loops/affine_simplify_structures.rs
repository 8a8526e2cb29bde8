//! `affine-simplify-structures`: maps, sets and bounds of affine operations in their simplest form.
//!
//! Before:
//! ```mlir
//! %v = affine.load %m[%i + 2 - 2] : memref<8xf32>
//! ```
//! After:
//! ```mlir
//! %v = affine.load %m[%i] : memref<8xf32>
//! ```
//!
//! These are the canonicalization patterns of the dialect, and no others.

use freehold_frontend::dialects::affine;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::op_def::{OpDef, Pattern};

use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::greedy::{self, Config};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "affine-simplify-structures",
    summary: "simplify maps, sets and bounds of affine operations",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, _: &mut PassContext<'_>) -> Result<(), Failed> {
    let mut patterns: Vec<(&'static OpDef, Pattern)> = Vec::new();
    for &def in affine::DIALECT.ops {
        patterns.extend(def.canonicalize.iter().map(|&pattern| (def, pattern)));
    }
    let ops = ir.collect_ops(ir.root());
    let ops: Vec<_> = ops
        .into_iter()
        .filter(|&op| ir.def(op).dialect() == "affine")
        .collect();
    let config = Config {
        canonicalize: false,
        patterns: &patterns,
        ..Config::default()
    };
    greedy::run_on(ir, &ops, config);
    Ok(())
}
