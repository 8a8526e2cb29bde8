//! `finalizing-bufferize`: the last conversions between tensors and buffers go.
//!
//! Before:
//! ```mlir
//! %t = bufferization.to_tensor %m restrict : memref<4xf32>
//! %n = bufferization.to_memref %t : memref<4xf32>
//! ```
//! After: `%m` stands for `%n`.
//!
//! A tensor that is left is an error, and so is a buffer that was read as a tensor without `restrict`: what is written to it
//! afterwards would be in the tensor, too.

use freehold_frontend::dialects::bufferization;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;

use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "finalizing-bufferize",
    summary: "remove the last conversions between tensors and buffers",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let is_conversion = |ir: &Ir, op: Op| {
        ir.is(op, &bufferization::TO_MEMREF) || ir.is(op, &bufferization::TO_TENSOR)
    };
    let ops = ir.collect_ops(ir.root());
    for &op in ops
        .iter()
        .filter(|&&op| ir.is(op, &bufferization::TO_MEMREF))
        .collect::<Vec<_>>()
    {
        let tensor = ir.operand(op, 0);
        if let Some(source) = ir.defined_by(tensor, &bufferization::TO_TENSOR)
            && ir.has_attr(source, Name::RESTRICT)
        {
            let buffer = ir.operand(source, 0);
            if ir.value_type(buffer) == ir.value_type(ir.result(op, 0)) {
                ir.replace_op(op, &[buffer]);
            }
        }
    }
    for &op in ops.iter().rev() {
        if !ir.is_erased(op) && is_conversion(ir, op) && ir.is_unused(op) {
            ir.erase_op(op);
        }
    }
    let left = ir.walk(ir.root()).find(|&op| is_conversion(ir, op));
    match left {
        None => Ok(()),
        Some(op) => {
            let message = format!("failed to legalize operation '{}'", ir.op_name(op));
            Err(context.diagnostics.error(ir.loc(op), message))
        }
    }
}
