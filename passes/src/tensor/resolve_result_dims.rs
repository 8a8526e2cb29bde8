//! `resolve-ranked-shaped-type-result-dims` and `resolve-shaped-type-result-dims`: sizes of results are asked of what the
//! results are made of.
//!
//! Before:
//! ```mlir
//! %0 = linalg.fill ins(%v : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
//! %n = tensor.dim %0, %c0 : tensor<?xf32>
//! ```
//! After:
//! ```mlir
//! %0 = linalg.fill ins(%v : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
//! %n = tensor.dim %t, %c0 : tensor<?xf32>
//! ```
//!
//! So operations whose results only their sizes are needed of become unused. Both passes do the same here: upstream's
//! differ in the interfaces that they ask.

use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::memref::{self, MixedIndex, OffsetSizeStride};
use freehold_frontend::dialects::{arith, bufferization, tensor, vector};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{DYNAMIC, Type};
use rustc_hash::FxHashMap;

use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::index_arithmetic::{product, sum};

pass_options! {
    /// Options of the passes.
    pub struct Options {
        /// accepted for compatibility; there is no limit
        "error-on-pattern-iteration-limit" error_on_pattern_iteration_limit: bool = true,
    }
}

/// For results of ranked types.
pub static RANKED: PassDef<Options> = PassDef {
    name: "resolve-ranked-shaped-type-result-dims",
    summary: "ask operands for the sizes of results of ranked types",
    anchor: Anchor::Function,
    run,
};

/// For results of shaped types.
pub static SHAPED: PassDef<Options> = PassDef {
    name: "resolve-shaped-type-result-dims",
    summary: "ask operands for the sizes of results",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let mut n_resolved = 0;
    let mut resolver = Resolver::default();
    for op in ir.collect_ops(ir.root()) {
        if ir.is(op, &tensor::DIM) || ir.is(op, &memref::DIM) {
            n_resolved += u64::from(resolver.resolve(ir, op));
        } else {
            resolver.enter(ir, op);
        }
    }
    context.count("sizes resolved", n_resolved);
    Ok(())
}

/// More pads and reshapes one behind the other are not looked through: the size of each would be computed from the first.
const MAX_DEPTH: usize = 4;

#[derive(Default)]
struct Resolver {
    /// What has the sizes of a result, where operations hand it on as their destination.
    origins: FxHashMap<Value, Value>,
}

impl Resolver {
    /// Notes whose sizes the results of an operation have.
    fn enter(&mut self, ir: &Ir, op: Op) {
        let is = |def: &'static OpDef| ir.is(op, def);
        let first = if is(&tensor::INSERT)
            || is(&tensor::INSERT_SLICE)
            || is(&vector::TRANSFER_WRITE)
            || is(&bufferization::MATERIALIZE_IN_DESTINATION)
        {
            1
        } else if interface::is_structured(ir, op) {
            interface::n_inputs(ir, op)
        } else {
            return;
        };
        for (&result, &destination) in ir.results(op).iter().zip(&ir.operands(op)[first..]) {
            let origin = self.origins.get(&destination).copied();
            self.origins.insert(result, origin.unwrap_or(destination));
        }
    }

    /// Replaces a `dim`; returns whether there is something simpler.
    fn resolve(&self, ir: &mut Ir, op: Op) -> bool {
        let value = ir.operand(op, 0);
        let index = arith::as_constant_index(ir, ir.operand(op, 1));
        let Some(dim) = index.and_then(|index| usize::try_from(index).ok()) else {
            return false;
        };
        let mut builder = Builder::before(ir, op);
        let has_origin = self.origins.contains_key(&value);
        let size = match has_origin {
            true => Some(self.size_or_dim(&mut builder, value, dim, 0)),
            false => self.size(&mut builder, value, dim, 0),
        };
        let Some(size) = size else {
            return false;
        };
        let size = size.materialize(&mut builder);
        ir.replace_op(op, &[size]);
        true
    }

    /// The size of a value by what it is made of; none if nothing is known of that.
    fn size(
        &self,
        b: &mut Builder<'_>,
        value: Value,
        dim: usize,
        depth: usize,
    ) -> Option<MixedIndex> {
        let shape = b.ir.context().shape(b.ir.value_type(value))?.to_vec();
        let known = *shape.get(dim)?;
        if known != DYNAMIC {
            return Some(MixedIndex::Constant(known));
        }
        let op = b.ir.defining_op(value)?;
        let dynamic = shape[..dim].iter().filter(|&&size| size == DYNAMIC).count();
        let is = |b: &Builder<'_>, def: &'static OpDef| b.ir.is(op, def);
        if is(b, &tensor::EMPTY) || is(b, &tensor::GENERATE) {
            return b.ir.operands(op).get(dynamic).map(|&size| size.into());
        }
        if is(b, &memref::ALLOC) || is(b, &memref::ALLOCA) {
            return b
                .ir
                .operand_group(op, 0)
                .get(dynamic)
                .map(|&size| size.into());
        }
        if is(b, &tensor::SPLAT) {
            return b.ir.operands(op).get(1 + dynamic).map(|&size| size.into());
        }
        if is(b, &bufferization::ALLOC_TENSOR) {
            if let Some(copied) = bufferization::AllocTensor(op).copy(b.ir) {
                return Some(self.size_or_dim(b, copied, dim, depth));
            }
            return b
                .ir
                .operand_group(op, 0)
                .get(dynamic)
                .map(|&size| size.into());
        }
        if is(b, &tensor::CAST) || is(b, &memref::CAST) {
            let source = b.ir.operand(op, 0);
            let has_rank = b.ir.context().shape(b.ir.value_type(source)).is_some();
            return has_rank.then(|| self.size_or_dim(b, source, dim, depth));
        }
        if is(b, &tensor::EXTRACT_SLICE) || is(b, &memref::SUBVIEW) {
            let lists = OffsetSizeStride::of(b.ir, op)?;
            let full = memref::offset_size_stride::static_values(&lists.sizes);
            let mask = memref::types::rank_reduction_mask(&full, &shape)?;
            let kept = (0..full.len()).filter(|&dim| !mask[dim]).nth(dim)?;
            return Some(lists.sizes[kept]);
        }
        if is(b, &tensor::EXPAND_SHAPE) || is(b, &memref::EXPAND_SHAPE) {
            let sizes = memref::ExpandShape(op).mixed_output_shape(b.ir);
            return sizes
                .get(dim)
                .copied()
                .filter(|size| *size != MixedIndex::Constant(DYNAMIC));
        }
        if is(b, &tensor::COLLAPSE_SHAPE) || is(b, &memref::COLLAPSE_SHAPE) {
            let source = b.ir.operand(op, 0);
            let groups = memref::CollapseShape(op).reassociation(b.ir);
            let mut all = MixedIndex::Constant(1);
            for &inner in groups.get(dim)? {
                let inner = self.size_or_dim(b, source, usize::try_from(inner).ok()?, depth);
                all = product(b, all, inner);
            }
            return Some(all);
        }
        if is(b, &tensor::PAD) {
            let view = tensor::Pad(op);
            let (low, high) = view.margins(b.ir);
            let source = view.source(b.ir);
            let inner = self.size_or_dim(b, source, dim, depth);
            let before = sum(b, inner, low[dim]);
            return Some(sum(b, before, high[dim]));
        }
        None
    }

    /// The size of a value, or a `dim` of what has its sizes.
    fn size_or_dim(
        &self,
        b: &mut Builder<'_>,
        value: Value,
        dim: usize,
        depth: usize,
    ) -> MixedIndex {
        let value = self.origins.get(&value).copied().unwrap_or(value);
        let is_shallow = depth < b.ir.capped(MAX_DEPTH);
        if let Some(size) = is_shallow
            .then(|| self.size(b, value, dim, depth + 1))
            .flatten()
        {
            return size;
        }
        let index = arith::constant_index(b, dim as i64);
        let def = match b.ir.is_memref(value) {
            true => &memref::DIM,
            false => &tensor::DIM,
        };
        MixedIndex::Value(b.value(def, &[value, index], Type::INDEX))
    }
}
