//! Functions that return their own stack memory. Most ways to free buffers return a copy of that;
//! MLIR-HLO's returns it as memory without an owner.

use freehold_frontend::dialects::{func, memref};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::ir::entities::Value;

/// Warns where a function of `module` returns its own stack memory.
pub fn warn(module: &Ir, diagnostics: &mut Diagnostics) {
    let functions = module.root_block().into_iter();
    let functions = functions.flat_map(|block| module.ops_in(block));
    for ir in functions.filter_map(|op| module.nested(op)) {
        for op in ir.walk(ir.root()).filter(|&op| ir.is(op, &func::RETURN)) {
            let is_on_stack = |&value: &Value| {
                let mut value = value;
                while let Some(op) = ir.defining_op(value) {
                    match ir.def(op).view_source {
                        Some(source) => value = source(ir, op),
                        None => return ir.is(op, &memref::ALLOCA),
                    }
                }
                false
            };
            if ir.operands(op).iter().any(is_on_stack) {
                diagnostics.warning(ir.loc(op), "stack memory is returned, which is gone then");
            }
        }
    }
}
