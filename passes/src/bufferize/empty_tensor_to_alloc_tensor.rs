//! `empty-tensor-to-alloc-tensor`: each `tensor.empty` becomes a `bufferization.alloc_tensor`, which stands for an allocation
//! of its own.
//!
//! Before:
//! ```mlir
//! %0 = tensor.empty(%n) : tensor<?xf32>
//! ```
//! After:
//! ```mlir
//! %0 = bufferization.alloc_tensor(%n) : tensor<?xf32>
//! ```

use freehold_frontend::dialects::{bufferization, tensor};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::names::Name;

use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "empty-tensor-to-alloc-tensor",
    summary: "turn tensor.empty into bufferization.alloc_tensor",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, _: &mut PassContext<'_>) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        if !ir.is(op, &tensor::EMPTY) {
            continue;
        }
        let sizes: Vec<Value> = ir.operands(op).to_vec();
        let ty = ir.value_type(ir.result(op, 0));
        let segments = ir.context().i32_array_attr(&[sizes.len() as i32, 0, 0]);
        let mut builder = Builder::before(ir, op);
        let tensor = builder.value_with_attr(
            &bufferization::ALLOC_TENSOR,
            &sizes,
            ty,
            Name::OPERAND_SEGMENT_SIZES,
            segments,
        );
        ir.replace_op(op, &[tensor]);
    }
    Ok(())
}
