//! `convert-iree-linalg-ext-to-loops`: operations of the `iree_linalg_ext`
//! dialect on buffers become loops.
//!
//! Before:
//! ```mlir
//! iree_linalg_ext.gather dimension_map = [0] ins(%s, %i : memref<10xf32>, memref<4xi32>)
//!     outs(%o : memref<4xf32>)
//! ```
//! After:
//! ```mlir
//! scf.for %k = %c0 to %c4 step %c1 {
//!   %at = memref.load %i[%k] : memref<4xi32>
//!   %at_index = arith.index_cast %at : i32 to index
//!   %x = memref.load %s[%at_index] : memref<10xf32>
//!   memref.store %x, %o[%k] : memref<4xf32>
//! }
//! ```
//!
//! What IREE leaves open is decided for what JAX expects: `sort` is stable (a
//! merge sort with two buffers per operand, allocated and freed here), and
//! updates of `scatter` outside of the original are dropped. Operations on
//! tensors stay as they are.

mod fft;
mod select;
mod slices;
mod sort;

use freehold_frontend::dialects::{arith, iree_linalg_ext, linalg, memref};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;

use super::convert_linalg_to_loops::loop_size;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::sequential_loops::{Nest, build_nest};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "convert-iree-linalg-ext-to-loops",
    summary: "turn iree_linalg_ext operations on buffers into loops with loads and stores",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, _: &mut PassContext<'_>) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        if ir.is_erased(op) || !ir.results(op).is_empty() {
            continue;
        }
        let lower = if ir.is(op, &iree_linalg_ext::SORT) {
            sort::lower
        } else if ir.is(op, &iree_linalg_ext::SCAN) {
            select::lower_scan
        } else if ir.is(op, &iree_linalg_ext::TOPK) {
            select::lower_topk
        } else if ir.is(op, &iree_linalg_ext::ARG_COMPARE) {
            select::lower_arg_compare
        } else if ir.is(op, &iree_linalg_ext::SCATTER) {
            slices::lower_scatter
        } else if ir.is(op, &iree_linalg_ext::GATHER) {
            slices::lower_gather
        } else if ir.is(op, &iree_linalg_ext::REVERSE) {
            slices::lower_reverse
        } else if ir.is(op, &iree_linalg_ext::FFT) {
            fft::lower
        } else {
            continue;
        };
        lower(ir, op);
        ir.erase_op(op);
    }
    Ok(())
}

/// A builder before `at` that gives operations the location of `op`.
fn builder_at(ir: &mut Ir, op: Op, at: Op) -> Builder<'_> {
    let loc = ir.loc(op);
    let mut builder = Builder::before(ir, at);
    builder.set_loc(loc);
    builder
}

/// Copies the body of `op` to the builder's place, with `arguments`; returns what it yields.
fn inline_body(builder: &mut Builder<'_>, op: Op, arguments: &[Value]) -> Value {
    let ir = &mut *builder.ir;
    let body = iree_linalg_ext::body(ir, op).expect("a verified operation has its body");
    let mut map = IrMap::default();
    map.values.extend(
        ir.block_args(body)
            .iter()
            .copied()
            .zip(arguments.iter().copied()),
    );
    let ops: Vec<Op> = ir.ops_in(body).collect();
    let (&last, ops) = ops.split_last().expect("a verified body has a terminator");
    for &inner in ops {
        let copy = builder.ir.clone_op(inner, &mut map);
        builder.insert(copy);
    }
    map.value(builder.ir.operand(last, 0))
}

/// The dimension that `op` works along.
fn dimension(ir: &Ir, op: Op) -> usize {
    ir.attr(op, Name::DIMENSION)
        .and_then(|attr| ir.context().attr_integer(attr))
        .and_then(|dimension| usize::try_from(dimension).ok())
        .expect("the dimension is verified")
}

/// Bounds and steps of loops over dimensions of a buffer, made before `at`.
fn bounds(
    ir: &mut Ir,
    op: Op,
    at: Op,
    buffer: Value,
    dimensions: impl IntoIterator<Item = usize>,
) -> Vec<[Value; 3]> {
    let mut builder = builder_at(ir, op, at);
    let zero = arith::constant_index(&mut builder, 0);
    let one = arith::constant_index(&mut builder, 1);
    dimensions
        .into_iter()
        .map(|dim| [zero, loop_size(&mut builder, buffer, dim), one])
        .collect()
}

/// Loops before `op` over all dimensions of `buffer` but one; the bounds of a loop over that.
fn loops_around(ir: &mut Ir, op: Op, buffer: Value, dimension: usize) -> (Nest, [Value; 3]) {
    let rank = linalg::interface::rank(ir, buffer);
    let mut all = bounds(ir, op, op, buffer, 0..rank);
    let along = all.remove(dimension);
    (build_nest(ir, op, &all, &[]), along)
}

/// The subscripts of an element: those of the loops around, and one along `dimension`.
fn at(around: &[Value], dimension: usize, index: Value) -> Vec<Value> {
    let mut indices = around.to_vec();
    indices.insert(dimension, index);
    indices
}

fn load(builder: &mut Builder<'_>, buffer: Value, indices: &[Value]) -> Value {
    memref::build::load(builder, buffer, indices)
}

fn store(builder: &mut Builder<'_>, value: Value, buffer: Value, indices: &[Value]) {
    memref::build::store(builder, value, buffer, indices);
}

fn element_type(ir: &Ir, buffer: Value) -> Type {
    linalg::interface::element_type(ir, buffer)
}

/// `if_true` where `condition` holds, `if_false` elsewhere.
fn choose(builder: &mut Builder<'_>, condition: Value, if_true: Value, if_false: Value) -> Value {
    let ty = builder.ir.value_type(if_true);
    builder.value(&arith::SELECT, &[condition, if_true, if_false], ty)
}

/// An integer or index as a value of another such type.
fn index_cast(builder: &mut Builder<'_>, value: Value, ty: Type) -> Value {
    match builder.ir.value_type(value) == ty {
        true => value,
        false => builder.value(&arith::INDEX_CAST, &[value], ty),
    }
}
