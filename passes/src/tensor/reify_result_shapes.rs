//! `reify-result-shapes`: paddings and concatenations have the static sizes that follow from what they are made of.
//!
//! Before:
//! ```mlir
//! %0 = tensor.concat dim(1) %a, %b : (tensor<4x7x3xf32>, tensor<4x4x3xf32>) -> tensor<4x?x3xf32>
//! ```
//! After:
//! ```mlir
//! %0 = tensor.concat dim(1) %a, %b : (tensor<4x7x3xf32>, tensor<4x4x3xf32>) -> tensor<4x11x3xf32>
//! %1 = tensor.cast %0 : tensor<4x11x3xf32> to tensor<4x?x3xf32>
//! ```
//!
//! Upstream also leaves operations behind that compute the sizes, unused.

use freehold_frontend::dialects::tensor;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, TypeKind};

use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "reify-result-shapes",
    summary: "give tensor.pad and tensor.concat the static sizes that their operands imply",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        if ir.is(op, &tensor::PAD) || ir.is(op, &tensor::CONCAT) {
            context.count("shapes refined", u64::from(refine(ir, op)));
        }
    }
    Ok(())
}

/// Makes sizes of the result static; returns whether there were any.
fn refine(ir: &mut Ir, op: Op) -> bool {
    let context = ir.context().clone();
    let result = ir.result(op, 0);
    let old = ir.value_type(result);
    let TypeKind::RankedTensor {
        shape,
        element,
        encoding,
    } = context.type_kind(old)
    else {
        return false;
    };
    let sizes = shape.iter().enumerate().map(|(dim, &size)| match size {
        DYNAMIC => implied_size(ir, op, dim).unwrap_or(DYNAMIC),
        size => size,
    });
    let sizes: Vec<i64> = sizes.collect();
    if sizes[..] == shape[..] {
        return false;
    }
    let new = context.intern_type(TypeKind::RankedTensor {
        shape: sizes.into(),
        element: *element,
        encoding: *encoding,
    });
    ir.set_value_type(result, new);
    let cast = Builder::after(ir, op).value(&tensor::CAST, &[result], old);
    let cast_op = ir.defining_op(cast);
    let users = ir.uses(result).to_vec();
    for user in users.into_iter().filter(|user| Some(user.op) != cast_op) {
        ir.set_operand(user.op, user.index as usize, cast);
    }
    true
}

/// The size of a dimension of the result, if it is known.
fn implied_size(ir: &Ir, op: Op, dim: usize) -> Option<i64> {
    let size = |value: Value| {
        let shape = ir.context().shape(ir.value_type(value))?;
        shape.get(dim).copied().filter(|&size| size != DYNAMIC)
    };
    if ir.is(op, &tensor::PAD) {
        let view = tensor::Pad(op);
        let (low, high) = view.margins(ir);
        let margins = low[dim]
            .constant(ir)?
            .checked_add(high[dim].constant(ir)?)?;
        let padded = size(view.source(ir))?.checked_add(margins)?;
        // A negative size is an error when the program runs.
        return (padded >= 0).then_some(padded);
    }
    let along = ir.attr(op, Name::DIM);
    let along = along.and_then(|attr| ir.context().attr_integer(attr))?;
    let mut sizes = ir.operands(op).iter().map(|&value| size(value));
    if usize::try_from(along) == Ok(dim) {
        return sizes.try_fold(0_i64, |sum, size| sum.checked_add(size?));
    }
    sizes.find_map(|size| size)
}
