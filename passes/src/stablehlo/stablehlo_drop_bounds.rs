//! `stablehlo-drop-bounds`: bounds of sizes leave types, and the sizes are known only at run time.
//!
//! Before:
//! ```mlir
//! func.func @f(%x: tensor<?xf32, #stablehlo.bounds<8>>) -> tensor<?xf32, #stablehlo.bounds<8>> {
//!   %0 = stablehlo.abs %x : tensor<?xf32, #stablehlo.bounds<8>>
//!   return %0 : tensor<?xf32, #stablehlo.bounds<8>>
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
//!   %0 = stablehlo.abs %x : tensor<?xf32>
//!   return %0 : tensor<?xf32>
//! }
//! ```
//!
//! Arguments and results of functions change as well, which is why all functions change at once. `reshape` and
//! `broadcast_in_dim` become `dynamic_reshape` and `dynamic_broadcast_in_dim` of sizes that follow from their operand.

use std::sync::Arc;

use freehold_frontend::dialects::stablehlo::{attributes, shapes};
use freehold_frontend::dialects::{arith, tensor};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, Type, TypeKind};

use super::build::{shape, size, tensor_type};
use super::moves::list;
use super::quantized;
use crate::manage::pass::{Anchor, PassDef};
use crate::rewrite::functions;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "stablehlo-drop-bounds",
    summary: "drop the bounds of sizes from types, whose sizes are then known only at run time",
    anchor: Anchor::Module,
    run: |ir, _| {
        functions::map_functions(ir, drop_bounds);
        Ok(())
    },
};

fn drop_bounds(function: &mut Ir) {
    let context = Arc::clone(function.context());
    let all: Vec<Op> = function.walk(function.root()).collect();
    for op in all {
        let regions = function.regions(op).iter();
        let blocks: Vec<Block> = (regions.flat_map(|&region| function.blocks_in(region))).collect();
        let arguments = blocks.iter().flat_map(|&block| function.block_args(block));
        let values: Vec<Value> = arguments.chain(function.results(op)).copied().collect();
        for value in values {
            let ty = function.value_type(value);
            let dropped = without_bounds(&context, ty);
            if dropped != ty {
                function.set_value_type(value, dropped);
            }
        }
    }
    for op in function.collect_ops(function.root()) {
        with_sizes(function, op);
    }
    quantized::map_signature(function, &|ty| without_bounds(&context, ty));
}

fn without_bounds(context: &Context, ty: Type) -> Type {
    match context.type_kind(ty) {
        TypeKind::RankedTensor {
            shape,
            element,
            encoding: Some(encoding),
        } if attributes::bounds(context, *encoding).is_some() => {
            tensor_type(context, shape, *element)
        }
        _ => ty,
    }
}

/// Makes an operation whose result has a bounded size one that takes the sizes of its result, if they follow from those
/// of its operand.
fn with_sizes(ir: &mut Ir, op: Op) {
    let is_reshape = ir.is(op, &shapes::RESHAPE);
    if !is_reshape && !ir.is(op, &shapes::BROADCAST_IN_DIM) {
        return;
    }
    let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
    let (from, to) = (shape(ir, source), shape(ir, result));
    let dims = list(ir, op, Name::BROADCAST_DIMENSIONS);
    let place = |dim: usize| dims.iter().position(|&to| to == dim as i64);
    let known: Vec<i64> = to.iter().copied().filter(|&size| size != DYNAMIC).collect();
    let n_known: i64 = known.iter().product();
    let is_clear = match is_reshape {
        true => known.len() + 1 == to.len() && n_known != 0,
        false => (0..to.len()).all(|dim| to[dim] != DYNAMIC || place(dim).is_some()),
    };
    if known.len() == to.len() || !is_clear {
        return;
    }
    let ty = ir.value_type(result);
    let dimensions = ir.attr(op, Name::BROADCAST_DIMENSIONS);
    let mut b = Builder::before(ir, op);
    let mut sizes = Vec::with_capacity(to.len());
    for (dim, &known) in to.iter().enumerate() {
        sizes.push(match place(dim) {
            _ if known != DYNAMIC => arith::constant_index(&mut b, known),
            Some(place) => size(&mut b, source, place),
            None => {
                let mut all = arith::constant_index(&mut b, 1);
                for dim in 0..from.len() {
                    let size = size(&mut b, source, dim);
                    all = b.value(&arith::MULI, &[all, size], Type::INDEX);
                }
                let others = arith::constant_index(&mut b, n_known);
                b.value(&arith::DIVUI, &[all, others], Type::INDEX)
            }
        });
    }
    let list = tensor_type(&b.context(), &[to.len() as i64], Type::INDEX);
    let list = b.value(&tensor::FROM_ELEMENTS, &sizes, list);
    let made = match dimensions {
        Some(dimensions) => b.value_with_attr(
            &shapes::DYNAMIC_BROADCAST_IN_DIM,
            &[source, list],
            ty,
            Name::BROADCAST_DIMENSIONS,
            dimensions,
        ),
        None => b.value(&shapes::DYNAMIC_RESHAPE, &[source, list], ty),
    };
    ir.replace_op(op, &[made]);
}
