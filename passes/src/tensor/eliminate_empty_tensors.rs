//! `eliminate-empty-tensors`: tensors that are inserted into others are computed in place.
//!
//! Before:
//! ```mlir
//! %e = tensor.empty() : tensor<8xf32>
//! %f = linalg.fill ins(%v : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
//! %r = tensor.insert_slice %f into %t[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
//! ```
//! After:
//! ```mlir
//! %s = tensor.extract_slice %t[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
//! %f = linalg.fill ins(%v : f32) outs(%s : tensor<8xf32>) -> tensor<8xf32>
//! %r = tensor.insert_slice %f into %t[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
//! ```
//! `one-shot-bufferize` then writes to that part of the tensor, and copies nothing.
//!
//! The elements of an empty tensor are any, so they may be those of the slice. As upstream, the slice is taken only
//! where the tensor and the place are there already; nothing is moved for that. It is not taken either if the
//! tensor is used in between: the slice would have to be copied then.

use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::memref::OffsetSizeStride;
use freehold_frontend::dialects::tensor;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Use, ValueDef};

use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "eliminate-empty-tensors",
    summary: "compute inserted tensors in place",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        if ir.is(op, &tensor::INSERT_SLICE)
            && let Some((first, index)) = first_of_chain(ir, op)
        {
            take_slice(ir, op, first, index);
            context.count("empty tensors eliminated", 1);
        }
    }
    Ok(())
}

/// The operation that writes into an empty tensor what later ones change and `insert` puts in its place, and its
/// operand that is the empty tensor.
fn first_of_chain(ir: &Ir, insert: Op) -> Option<(Op, usize)> {
    let block = ir.block_of(insert)?;
    let mut value = ir.operand(insert, 0);
    let (first, index) = loop {
        let ValueDef::Result(op, result) = ir.value_def(value) else {
            return None;
        };
        if ir.block_of(op) != Some(block) || !interface::is_structured(ir, op) {
            return None;
        }
        let index = interface::n_inputs(ir, op) + result as usize;
        value = ir.operand(op, index);
        if ir.defined_by(value, &tensor::EMPTY).is_some() {
            break (op, index);
        }
    };
    let is_there = |&operand: &_| match ir.value_def(operand) {
        ValueDef::Result(op, _) if ir.block_of(op) == Some(block) => {
            ir.is_before_in_block(op, first)
        }
        _ => true,
    };
    let whole = ir.operand(insert, 1);
    let is_apart = |user: &Use| {
        let Some(user) = ir.ancestor_in_block(user.op, block) else {
            return true;
        };
        user == insert || ir.is_before_in_block(user, first) || ir.is_before_in_block(insert, user)
    };
    let is_right = ir.operands(insert)[1..].iter().all(is_there)
        && ir.uses(whole).iter().all(is_apart)
        && ir.value_type(value) == ir.value_type(ir.operand(insert, 0));
    is_right.then_some((first, index))
}

/// Has `first` write to the place where `insert` puts what comes of that.
fn take_slice(ir: &mut Ir, insert: Op, first: Op, index: usize) {
    let Some(place) = OffsetSizeStride::of(ir, insert) else {
        return;
    };
    let empty = ir.operand(first, index);
    let (whole, ty) = (ir.operand(insert, 1), ir.value_type(empty));
    let context = ir.context().clone();
    let mut builder = Builder::before(ir, first);
    let spec = builder
        .spec(&tensor::EXTRACT_SLICE)
        .operands(&[whole])
        .results(&[ty]);
    let slice = builder.create(place.append_to(&context, spec));
    let slice = ir.result(slice, 0);
    ir.set_operand(first, index, slice);
    if let Some(empty) = ir.defined_by(empty, &tensor::EMPTY)
        && ir.is_unused(empty)
    {
        ir.erase_op(empty);
    }
}
