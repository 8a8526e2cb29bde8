//! `linalg-hoist-products`: products of what iterations cut from one tensor become one product before the loop.
//!
//! Before, as recurrent nets have it:
//! ```mlir
//! scf.for %i = %c0 to %c100 step %c1 iter_args(%h = %h0) -> (tensor<128xf32>) {
//!   %x = tensor.extract_slice %xs[%i, 0] [1, 128] [1, 1] : tensor<100x128xf32> to tensor<128xf32>
//!   %p = linalg.vecmat ins(%x, %w : tensor<128xf32>, tensor<128x512xf32>) outs(%zeros : tensor<512xf32>)
//!   ... %p and %h ...
//! }
//! ```
//! After:
//! ```mlir
//! %all = linalg.matmul ins(%xs, %w : tensor<100x128xf32>, tensor<128x512xf32>) outs(%more : tensor<100x512xf32>)
//! scf.for %i = %c0 to %c100 step %c1 iter_args(%h = %h0) -> (tensor<128xf32>) {
//!   %p = tensor.extract_slice %all[%i, 0] [1, 512] [1, 1] : tensor<100x512xf32> to tensor<1x512xf32>
//!   ...
//! }
//! ```
//! So the weights are read once, and not in every iteration. Each element adds the same products in the same order. The
//! loop is known to run at least as often as there are slices, so that nothing is computed that was not.

use freehold_frontend::dialects::linalg::attributes::IteratorType;
use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::memref::{MixedIndex, OffsetSizeStride};
use freehold_frontend::dialects::{arith, linalg, scf, tensor};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::DYNAMIC;

use super::results::is_on_tensors;
use crate::analysis::contraction::adds_up_plain_products;
use crate::analysis::loop_memory::{is_outside, trip_count};
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::tensors::{self, Generic};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "linalg-hoist-products",
    summary: "compute products of slices of one tensor before the loop that cuts them",
    anchor: Anchor::Function,
    run,
};

/// Products of more rows than this read the weights seldom enough. Not measured on its own; `gru` (benches/models) has 4.
const MAX_ROWS: i64 = 16;

/// Bytes of all products together, which are there while the loop runs: they stay in the second cache of common
/// processors. `lstm_one` (benches/models) has 200 kB.
const MAX_BYTES: i64 = 1 << 20;

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    // Inner loops first: what leaves one may leave the next.
    for op in ir.collect_ops(ir.root()).into_iter().rev() {
        if !ir.is(op, &scf::FOR) || arith::as_constant_index(ir, ir.operand(op, 2)) != Some(1) {
            continue;
        }
        let Some(n_iterations) = trip_count(ir, op) else {
            continue;
        };
        let body = scf::For(op).body(ir);
        for product in ir.ops_in(body).collect::<Vec<Op>>() {
            if let Some(found) = Sliced::of(ir, op, n_iterations, product) {
                found.hoist(ir, op);
                context.count("products hoisted", 1);
            }
        }
    }
    Ok(())
}

/// A product with a slice per iteration.
struct Sliced {
    product: Op,
    /// Which factor is the slice.
    factor: usize,
    /// What all slices are cut from.
    source: Value,
    /// The dimension along which they are, and where each is.
    dim: usize,
    offset: MixedIndex,
    /// What sums begin with.
    init: Value,
}

impl Sliced {
    fn of(ir: &Ir, loop_op: Op, n_iterations: i64, product: Op) -> Option<Self> {
        let is_product = ir.is(product, &linalg::GENERIC)
            && is_on_tensors(ir, product)
            && ir.results(product).len() == 1
            && interface::n_inputs(ir, product) == 2
            && adds_up_plain_products(ir, product);
        if !is_product {
            return None;
        }
        let fill = ir.defined_by(ir.operand(product, 2), &linalg::FILL)?;
        let init = ir.operand(fill, 0);
        if !is_outside(ir, init, loop_op) && ir.defined_by(init, &arith::CONSTANT).is_none() {
            return None;
        }
        let factor = (0..2).find(|&i| is_outside(ir, ir.operand(product, 1 - i), loop_op))?;
        let (source, dim, offset) = slice_of(ir, ir.operand(product, factor))?;
        let n_slices = tensors::shape(ir, source)[dim];
        if !is_outside(ir, source, loop_op) || n_slices < 2 || n_slices > n_iterations {
            return None;
        }
        let found = Self {
            product,
            factor,
            source,
            dim,
            offset,
            init,
        };
        found.is_worth_it(ir, n_slices).then_some(found)
    }

    /// Whether few rows meet the weights in each iteration, and all results together are small.
    fn is_worth_it(&self, ir: &Ir, n_slices: i64) -> bool {
        let maps = interface::indexing_maps(ir, self.product);
        let shape = tensors::shape(ir, ir.result(self.product, 0));
        if !maps.iter().all(AffineMap::is_projected_permutation) || shape.contains(&DYNAMIC) {
            return false;
        }
        let rows = (maps[2].results.iter().zip(&shape))
            .filter(|(result, _)| !maps[1 - self.factor].results.contains(result))
            .fold(1i64, |all, (_, &size)| all.saturating_mul(size));
        let element = tensors::element(ir, ir.result(self.product, 0));
        let size = ir.context().element_byte_size(element);
        let bytes = shape.iter().fold(n_slices, |all, &n| all.saturating_mul(n));
        let bytes = size.map_or(i64::MAX, |size| bytes.saturating_mul(size as i64));
        rows <= MAX_ROWS && bytes <= MAX_BYTES
    }

    /// Computes all products before the loop, and cuts them inside.
    fn hoist(&self, ir: &mut Ir, loop_op: Op) {
        let product = self.product;
        let result = ir.result(product, 0);
        let (shape, element) = (tensors::shape(ir, result), tensors::element(ir, result));
        let n_slices = tensors::shape(ir, self.source)[self.dim];
        let maps = interface::indexing_maps(ir, product);
        let is_parallel = |&kind: &IteratorType| kind == IteratorType::Parallel;
        let mut parallel = vec![true];
        parallel.extend(
            interface::iterator_types(ir, product)
                .iter()
                .map(is_parallel),
        );
        // The number of the slice is the outermost loop.
        let with_slices = |map: &AffineMap, place: Option<usize>| {
            let shifted = map.results.iter().map(|result| match result {
                AffineExpr::Dim(dim) => AffineExpr::Dim(dim + 1),
                other => other.clone(),
            });
            let mut results: Vec<AffineExpr> = shifted.collect();
            if let Some(place) = place {
                results.insert(place, AffineExpr::Dim(0));
            }
            tensors::map(parallel.len(), results)
        };
        let mut b = Builder::before(ir, loop_op);
        let loc = b.ir.loc(product);
        b.set_loc(loc);
        let mut init = self.init;
        if !is_outside(b.ir, init, loop_op)
            && let Some(constant) = b.ir.defining_op(init)
        {
            let copy = b.ir.clone_op(constant, &mut IrMap::default());
            b.insert(copy);
            init = b.ir.result(copy, 0);
        }
        let sizes = [&[n_slices], shape.as_slice()].concat();
        let ty = tensors::tensor_type(&b.context(), &sizes, element);
        let filled = tensors::filled(&mut b, init, ty);
        let inputs = [0, 1].map(|i| match i == self.factor {
            true => (self.source, with_slices(&maps[i], Some(self.dim))),
            false => (b.ir.operand(product, i), with_slices(&maps[i], None)),
        });
        let generic = Generic {
            inputs: inputs.into(),
            outputs: vec![(filled, with_slices(&maps[2], Some(0)))],
            parallel: &parallel,
        };
        let body = interface::body(b.ir, product).expect("it is generic");
        let all = generic.build(&mut b, &mut |b, arguments| {
            let mut map = IrMap::default();
            let old = b.ir.block_args(body).to_vec();
            map.values
                .extend(old.into_iter().zip(arguments.iter().copied()));
            let ops: Vec<Op> = b.ir.ops_in(body).collect();
            let (&end, ops) = ops.split_last().expect("blocks end with a yield");
            for &op in ops {
                let copy = b.ir.clone_op(op, &mut map);
                b.insert(copy);
            }
            let yielded = b.ir.operands(end).to_vec();
            yielded.into_iter().map(|value| map.value(value)).collect()
        });
        let mut b = Builder::before(ir, product);
        b.set_loc(loc);
        let mut offsets = vec![self.offset];
        offsets.resize(sizes.len(), MixedIndex::Constant(0));
        let part = [&[1], shape.as_slice()].concat();
        let slice = tensors::slice(&mut b, all[0], offsets, &part, &vec![1; part.len()]);
        let slice = tensors::reshape(&mut b, slice, &shape);
        ir.replace_op(product, &[slice]);
    }
}

/// What a tensor is a slice of, with all elements of one place in one dimension, which it does not have.
fn slice_of(ir: &Ir, value: Value) -> Option<(Value, usize, MixedIndex)> {
    let slice = match ir.defined_by(value, &tensor::COLLAPSE_SHAPE) {
        Some(collapse) => ir.defining_op(ir.operand(collapse, 0))?,
        None => ir.defining_op(value)?,
    };
    if !ir.is(slice, &tensor::EXTRACT_SLICE) {
        return None;
    }
    let source = ir.operand(slice, 0);
    let part = OffsetSizeStride::of(ir, slice)?;
    let shape = tensors::shape(ir, source);
    let is_whole = |dim: usize| {
        part.offsets[dim].constant(ir) == Some(0)
            && part.sizes[dim].constant(ir) == Some(shape[dim])
    };
    let is_unit_step = |dim: usize| part.strides[dim].constant(ir) == Some(1);
    let mut cut = (0..shape.len()).filter(|&dim| !is_whole(dim));
    let dim = cut.next()?;
    let is_slice = cut.next().is_none()
        && !shape.contains(&DYNAMIC)
        && part.sizes[dim].constant(ir) == Some(1)
        && (0..shape.len()).all(is_unit_step);
    let mut rest = shape;
    rest.remove(dim);
    (is_slice && tensors::shape(ir, value) == rest).then(|| (source, dim, part.offsets[dim]))
}
