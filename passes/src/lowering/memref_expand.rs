//! `memref-expand`: rewrites the memref operations that have no direct
//! counterpart in machine code by ones that do.
//!
//! - `memref.atomic_rmw` with a floating-point minimum or maximum becomes a
//!   `memref.generic_atomic_rmw` that computes it.
//! - `memref.reshape` to a ranked memref loads the sizes from its shape operand
//!   and becomes a `memref.reinterpret_cast`.

use freehold_frontend::dialects::arith;
use freehold_frontend::dialects::memref::atomic::atomic_rmw_kind;
use freehold_frontend::dialects::memref::{self, AtomicRmwKind, MixedIndex, build};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type};

use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::index_arithmetic::product;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "memref-expand",
    summary: "expand memref operations without a machine instruction",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, _: &mut PassContext<'_>) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        if ir.is(op, &memref::ATOMIC_RMW) {
            expand_atomic_rmw(ir, op);
        } else if ir.is(op, &memref::RESHAPE) {
            expand_reshape(ir, op);
        }
    }
    Ok(())
}

fn expand_atomic_rmw(ir: &mut Ir, op: Op) {
    // The others are atomic instructions for upstream.
    let kind = atomic_rmw_kind(ir, op).filter(|kind| {
        matches!(
            kind,
            AtomicRmwKind::Maximumf
                | AtomicRmwKind::Minimumf
                | AtomicRmwKind::Maxnumf
                | AtomicRmwKind::Minnumf
        )
    });
    let Some(extremum) = kind.and_then(AtomicRmwKind::combination) else {
        return;
    };
    let view = memref::AtomicRmw(op);
    let (value, target) = (view.value(ir), view.memref(ir));
    let indices = view.indices(ir).to_vec();
    let element = ir.value_type(value);
    let mut b = Builder::before(ir, op);
    let spec = b
        .spec(&memref::GENERIC_ATOMIC_RMW)
        .operands(&[target])
        .operands(&indices)
        .results(&[element])
        .regions(1);
    let generic = b.create(spec);
    let region = b.ir.region(generic, 0);
    let body = b.ir.append_block(region, &[element]);
    let current = b.ir.block_args(body)[0];
    b.set_to_end(body);
    let next = b.value(extremum, &[current, value], element);
    b.op(&memref::ATOMIC_YIELD, &[next], &[]);
    let result = ir.result(generic, 0);
    ir.replace_op(op, &[result]);
}

/// The sizes are loaded from the last to the first, each stride is the product
/// of the sizes behind it.
fn expand_reshape(ir: &mut Ir, op: Op) {
    let view = memref::Reshape(op);
    let (source, shape) = (view.source(ir), view.shape(ir));
    let result_type = ir.value_type(ir.result(op, 0));
    let context = std::sync::Arc::clone(ir.context());
    let Some(MemRefType { shape: sizes, .. }) = context.as_memref(result_type) else {
        return;
    };
    let mut b = Builder::before(ir, op);
    let mut mixed_sizes = vec![MixedIndex::Constant(0); sizes.len()];
    let mut strides = mixed_sizes.clone();
    let mut stride = MixedIndex::Constant(1);
    for (dim, &size) in sizes.iter().enumerate().rev() {
        strides[dim] = stride;
        mixed_sizes[dim] = if size == DYNAMIC {
            load_size(&mut b, shape, dim).into()
        } else {
            size.into()
        };
        if dim > 0 {
            stride = product(&mut b, stride, mixed_sizes[dim]);
        }
    }
    let offset = MixedIndex::Constant(0);
    let cast = build::reinterpret_cast(&mut b, source, offset, &mixed_sizes, &strides, result_type);
    ir.replace_op(op, &[cast]);
}

fn load_size(b: &mut Builder<'_>, shape: Value, dim: usize) -> Value {
    let index = arith::constant_index(b, dim as i64);
    let size = build::load(b, shape, &[index]);
    if b.ir.value_type(size) == Type::INDEX {
        size
    } else {
        b.value(&arith::INDEX_CAST, &[size], Type::INDEX)
    }
}
