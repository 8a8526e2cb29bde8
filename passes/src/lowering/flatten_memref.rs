//! `flatten-memref`: accesses of buffers of several dimensions become accesses of one dimension.
//!
//! Before:
//! ```mlir
//! %v = memref.load %m[%i, %j] : memref<8x4xf32>
//! ```
//! After:
//! ```mlir
//! %at = affine.apply affine_map<()[s0, s1] -> (s0 * 4 + s1)>()[%i, %j]
//! %flat = memref.reinterpret_cast %m to offset: [0], sizes: [32], strides: [1]
//!   : memref<8x4xf32> to memref<32xf32, strided<[1]>>
//! %v = memref.load %flat[%at] : memref<32xf32, strided<[1]>>
//! ```
//!
//! Sizes and strides are known, and rows lie one after the other; other accesses stay. The view has the offset of the buffer, and the index does not: upstream adds the offset in both.

use freehold_frontend::dialects::memref::types::strided_memref;
use freehold_frontend::dialects::memref::{self, MixedIndex};
use freehold_frontend::dialects::vector;
use freehold_frontend::ir::affine::AffineExpr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::types::DYNAMIC;

use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::indices;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "flatten-memref",
    summary: "access buffers of several dimensions as buffers of one",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let mut n_flattened = 0;
    for op in ir.collect_ops(ir.root()) {
        n_flattened += u64::from(flatten(ir, op).is_some());
    }
    context.count("accesses flattened", n_flattened);
    Ok(())
}

fn flatten(ir: &mut Ir, op: Op) -> Option<()> {
    let is_row = ir.is(op, &vector::LOAD) || ir.is(op, &vector::STORE);
    let at = match () {
        () if ir.is(op, &memref::LOAD) || ir.is(op, &vector::LOAD) => 0,
        () if ir.is(op, &memref::STORE) || ir.is(op, &vector::STORE) => 1,
        () => return None,
    };
    let buffer = ir.operand(op, at);
    let context = ir.context().clone();
    let ty = context.as_memref(ir.value_type(buffer))?;
    let (strides, offset) = context.memref_strides(ty)?;
    let n = strides.len();
    if n < 2 {
        return None;
    }
    if is_row {
        let moved = match ir.results(op) {
            [] => ir.operand(op, 0),
            results => results[0],
        };
        let rank = context.shape(ir.value_type(moved)).map(<[i64]>::len);
        if rank != Some(1) || strides.last() != Some(&1) || vector::is_vector(&context, ty.element)
        {
            return None;
        }
    }
    let group = at + 1;
    let indices = ir.operand_group(op, group).iter();
    let indices: Vec<MixedIndex> = indices.map(|&index| index.into()).collect();
    // As many elements as the first dimension spans: further dimensions lie within a step of the one before.
    let falls = strides.windows(2).enumerate().all(|(dim, pair)| {
        let span = ty.shape[dim + 1].checked_mul(pair[1]);
        pair[1] >= 0 && span.is_some_and(|span| span <= pair[0])
    });
    if strides.contains(&DYNAMIC) || offset == DYNAMIC || !ty.has_static_shape() || !falls {
        return None;
    }
    let size = ty.shape[0].checked_mul(strides[0])?;
    let flat = strided_memref(&context, &[size], ty.element, offset, &[1], ty.space);
    let flat = context.memref_type(flat);
    let mut b = Builder::before(ir, op);
    let mut expr = AffineExpr::Constant(0);
    let mut operands = Vec::new();
    for (index, &stride) in indices.into_iter().zip(&strides) {
        let symbol = AffineExpr::Symbol(operands.len() as u32);
        operands.push(index.simplified(b.ir));
        expr = expr.add(symbol.mul(AffineExpr::Constant(stride)));
    }
    let place = indices::apply(&mut b, expr, &operands).materialize(&mut b);
    let [offset, size, one] = [offset, size, 1].map(MixedIndex::Constant);
    let flat = memref::build::reinterpret_cast(&mut b, buffer, offset, &[size], &[one], flat);
    ir.set_operand(op, at, flat);
    ir.set_operand_group(op, group, &[place]);
    Some(())
}
