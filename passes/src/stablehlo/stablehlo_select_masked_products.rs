//! `stablehlo-select-masked-products`: products of numbers and converted truth values become choices.
//!
//! Before:
//! ```mlir
//! %f = stablehlo.convert %mask : (tensor<8xi1>) -> tensor<8xf32>
//! %p = stablehlo.multiply %x, %f : tensor<8xf32>
//! ```
//! After:
//! ```mlir
//! %zero = stablehlo.constant dense<0.0> : tensor<8xf32>
//! %p = stablehlo.select %mask, %x, %zero : tensor<8xi1>, tensor<8xf32>
//! ```
//! Where the mask is false, the result is zero also if the number is infinite or NaN; the product would be NaN.
//! XLA does this on all devices, and programs of JAX that divide by zero behind a mask depend on it.

use freehold_frontend::dialects::shared::const_fold::zero_attr;
use freehold_frontend::dialects::stablehlo::elementwise as rows;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, Type, TypeKind};

use super::build::{element, shape};
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "stablehlo-select-masked-products",
    summary: "choose zero where a number is multiplied by a converted truth value that is false",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        let Some((number, mask)) = masked_product(ir, op) else {
            continue;
        };
        let ty = ir.value_type(number);
        let mut b = Builder::before(ir, op);
        let Some(zero) = zero_attr(&b.context(), ty) else {
            continue;
        };
        let zero = b.value_with_attr(&rows::CONSTANT, &[], ty, Name::VALUE, zero);
        let chosen = b.value(&rows::SELECT, &[mask, number, zero], ty);
        ir.replace_op(op, &[chosen]);
        context.count("products replaced", 1);
    }
    Ok(())
}

/// A number and the truth value by which it is multiplied.
fn masked_product(ir: &Ir, op: Op) -> Option<(Value, Value)> {
    if !ir.is(op, &rows::MULTIPLY) {
        return None;
    }
    let &[left, right] = ir.operands(op) else {
        return None;
    };
    let ty = ir.value_type(ir.result(op, 0));
    let is_float = matches!(
        ir.context().type_kind(element(ir, left)),
        TypeKind::Float(_)
    );
    if !is_float || ir.value_type(left) != ty || shape(ir, left).contains(&DYNAMIC) {
        return None;
    }
    let mask = |value: Value| {
        let convert = ir
            .defining_op(value)
            .filter(|&op| ir.is(op, &rows::CONVERT))?;
        let mask = ir.operand(convert, 0);
        (element(ir, mask) == Type::I1 && ir.value_type(value) == ty).then_some(mask)
    };
    match (mask(left), mask(right)) {
        (_, Some(mask)) => Some((left, mask)),
        (Some(mask), None) => Some((right, mask)),
        (None, None) => None,
    }
}
