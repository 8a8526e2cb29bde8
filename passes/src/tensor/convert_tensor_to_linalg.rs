//! `convert-tensor-to-linalg`: `tensor.pad` becomes a filled tensor into which the source is inserted.
//!
//! Before:
//! ```mlir
//! %p = tensor.pad %t low[1] high[2] {
//! ^bb0(%i: index):
//!   tensor.yield %v : f32
//! } : tensor<4xf32> to tensor<7xf32>
//! ```
//! After:
//! ```mlir
//! %e = tensor.empty() : tensor<7xf32>
//! %f = linalg.fill ins(%v : f32) outs(%e : tensor<7xf32>) -> tensor<7xf32>
//! %p = tensor.insert_slice %t into %f[1] [4] [1] : tensor<4xf32> into tensor<7xf32>
//! ```
//!
//! Margins whose elements depend on their place become `tensor.generate`, which computes the elements of the middle as
//! well: a body with effects, or one that may fail, stays as it is.

use freehold_frontend::dialects::memref::{MixedIndex, OffsetSizeStride};
use freehold_frontend::dialects::tensor;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::DYNAMIC;

use crate::analysis::speculation::may_run_anywhere;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::index_arithmetic::sum;
use crate::rewrite::tensors;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "convert-tensor-to-linalg",
    summary: "turn tensor.pad into a filled tensor and an inserted slice",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let mut n_lowered = 0;
    for op in ir.collect_ops(ir.root()) {
        if !ir.is_erased(op) && ir.is(op, &tensor::PAD) && lower(ir, op).is_some() {
            n_lowered += 1;
        }
    }
    context.count("pads lowered", n_lowered);
    Ok(())
}

/// Lowers a `tensor.pad`; none if it stays.
fn lower(ir: &mut Ir, op: Op) -> Option<()> {
    let view = tensor::Pad(op);
    let (low, high) = view.margins(ir);
    let is_negative = |margin: &MixedIndex| margin.constant(ir).is_some_and(|margin| margin < 0);
    if low.iter().chain(&high).any(is_negative) {
        return None;
    }
    let source = view.source(ir);
    let body = ir.entry_block(ir.region(op, 0))?;
    let end = ir.last_op(body)?;
    let element = ir.operand(end, 0);
    let constant = ir
        .defining_op(element)
        .filter(|&op| ir.has_trait(op, Traits::CONSTANT_LIKE));
    let is_inside = ir.value_block(element).is_some_and(|block| block == body);
    let is_filled = constant.is_some() || !is_inside;
    let others: Vec<Op> = ir.ops_in(body).filter(|&inner| inner != end).collect();
    if !is_filled && !others.iter().all(|&inner| may_run_anywhere(ir, inner)) {
        return None;
    }
    let shape = tensors::shape(ir, ir.result(op, 0));
    let inner = tensors::shape(ir, source);
    let ty = ir.value_type(ir.result(op, 0));
    // One from outside is there already, and others may use it before.
    if let Some(constant) = constant.filter(|_| is_inside) {
        ir.move_op_before(constant, op);
    }
    let mut b = Builder::before(ir, op);
    let mut extents = Vec::new();
    for (dim, &size) in inner.iter().enumerate() {
        extents.push(match size {
            DYNAMIC => MixedIndex::Value(tensors::size(&mut b, source, dim)),
            size => MixedIndex::Constant(size),
        });
    }
    let mut sizes: Vec<Value> = Vec::new();
    for dim in (0..shape.len()).filter(|&dim| shape[dim] == DYNAMIC) {
        let before = sum(&mut b, extents[dim], low[dim]);
        sizes.push(sum(&mut b, before, high[dim]).materialize(&mut b));
    }
    let filled = if is_filled {
        let empty = b.value(&tensor::EMPTY, &sizes, ty);
        tensors::fill(&mut b, element, empty)
    } else {
        let spec = b
            .spec(&tensor::GENERATE)
            .operands(&sizes)
            .results(&[ty])
            .regions(1);
        let generate = b.create(spec);
        let to = b.ir.region(generate, 0);
        let from = b.ir.region(op, 0);
        b.ir.move_blocks(from, to);
        b.ir.result(generate, 0)
    };
    let context = b.context();
    let part = OffsetSizeStride {
        offsets: low,
        strides: vec![MixedIndex::Constant(1); extents.len()],
        sizes: extents,
    };
    let spec = b
        .spec(&tensor::INSERT_SLICE)
        .operands(&[source, filled])
        .results(&[ty]);
    let inserted = b.create(part.append_to(&context, spec));
    let result = ir.result(inserted, 0);
    ir.replace_op(op, &[result]);
    Some(())
}
