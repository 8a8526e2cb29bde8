//! `fold-tensor-subset-ops`: operations on a slice of a tensor become operations on the tensor.
//!
//! Before:
//! ```mlir
//! %s = tensor.extract_slice %t[5, %i] [10, 8] [1, 1] : tensor<?x?xf32> to tensor<10x8xf32>
//! %v = vector.transfer_read %s[%c3, %c4], %zero {in_bounds = [true]} : tensor<10x8xf32>, vector<4xf32>
//! ```
//! After:
//! ```mlir
//! %j = affine.apply affine_map<()[s0] -> (s0 + 4)>()[%i]
//! %v = vector.transfer_read %t[%c8, %j], %zero {in_bounds = [true]} : tensor<?x?xf32>, vector<4xf32>
//! ```
//!
//! As upstream: reads of slices; slices that are inserted after a vector was written over all of them, or after a
//! slice was inserted in place of all of them. Steps are 1 and accesses in bounds.

use freehold_frontend::dialects::memref::types::rank_reduction_mask;
use freehold_frontend::dialects::memref::{MixedIndex, OffsetSizeStride};
use freehold_frontend::dialects::vector::Transfer;
use freehold_frontend::dialects::{tensor, vector};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::{OpDef, Pattern};
use freehold_frontend::ir::rewriter::Rewriter;

use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::greedy::{self, Config};
use crate::rewrite::indices;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "fold-tensor-subset-ops",
    summary: "fold slices of tensors into transfers of vectors and into insertions",
    anchor: Anchor::Function,
    run,
};

static PATTERNS: &[(&OpDef, Pattern)] = &[
    (
        &vector::TRANSFER_READ,
        Pattern {
            name: "read-of-extract-slice",
            apply: read_of_extract,
        },
    ),
    (
        &tensor::INSERT_SLICE,
        Pattern {
            name: "insert-slice-of-write",
            apply: insert_of_write,
        },
    ),
    (
        &tensor::INSERT_SLICE,
        Pattern {
            name: "insert-slice-of-insert-slice",
            apply: insert_of_insert,
        },
    ),
    (
        &tensor::PARALLEL_INSERT_SLICE,
        Pattern {
            name: "insert-slice-of-insert-slice",
            apply: insert_of_insert,
        },
    ),
];

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let config = Config {
        canonicalize: false,
        patterns: PATTERNS,
        ..Config::default()
    };
    context.count("operations folded", greedy::run(ir, config).rewritten);
    Ok(())
}

/// Where the elements of a slice are in the tensor that it is a part of.
struct Place {
    lists: OffsetSizeStride,
    /// The dimensions of the tensor that the slice has.
    kept: Vec<usize>,
}

impl Place {
    /// The place of `slice`, which `op` takes out or puts in, if its elements are next to each other.
    fn of(ir: &Ir, op: Op, slice: Value) -> Option<Self> {
        let lists = OffsetSizeStride::of(ir, op)?;
        let sizes: Vec<i64> = lists.sizes.iter().map(|size| size.static_value()).collect();
        let shape = ir.context().shape(ir.value_type(slice))?;
        let is_dropped = rank_reduction_mask(&sizes, shape)?;
        let has_unit_strides = lists.strides.iter().all(|&stride| stride == 1.into());
        has_unit_strides.then(|| Self {
            kept: (0..sizes.len()).filter(|&dim| !is_dropped[dim]).collect(),
            lists,
        })
    }

    /// Subscripts of the tensor where the slice has `subscripts`, computed before `anchor`.
    fn resolve(
        &self,
        rw: &mut Rewriter<'_>,
        anchor: Op,
        subscripts: &[MixedIndex],
    ) -> Vec<MixedIndex> {
        let mut resolved = self.lists.offsets.clone();
        let sum = AffineExpr::Symbol(0).add(AffineExpr::Symbol(1));
        for (&dim, &subscript) in self.kept.iter().zip(subscripts) {
            let terms = [resolved[dim], subscript];
            resolved[dim] = rw.build_before(anchor, |b| indices::apply(b, sum.clone(), &terms));
        }
        resolved
    }

    /// The same as [`Self::resolve`], as values.
    fn resolve_values(
        &self,
        rw: &mut Rewriter<'_>,
        anchor: Op,
        subscripts: &[Value],
    ) -> Vec<Value> {
        let subscripts: Vec<MixedIndex> = subscripts.iter().map(|&v| v.into()).collect();
        let resolved = self.resolve(rw, anchor, &subscripts);
        rw.build_before(anchor, |b| {
            resolved.iter().map(|index| index.materialize(b)).collect()
        })
    }

    /// A permutation map of accesses to the slice, for accesses to the tensor.
    fn expand_map(&self, map: &AffineMap) -> AffineMap {
        let dims: Vec<AffineExpr> = (self.kept.iter())
            .map(|&dim| AffineExpr::Dim(dim as u32))
            .collect();
        AffineMap {
            n_dims: self.lists.offsets.len() as u32,
            n_symbols: 0,
            results: map.results.iter().map(|r| r.replace(&dims, &[])).collect(),
        }
    }
}

/// Whether all of a transfer is accessed.
fn is_whole(ir: &Ir, transfer: Transfer) -> bool {
    let rank = transfer.dims(ir).len();
    transfer.mask(ir).is_none() && (0..rank).all(|dim| transfer.is_in_bounds(ir, dim))
}

fn permutation_map(ir: &Ir, op: Op) -> Option<AffineMap> {
    let map = ir
        .context()
        .attr_affine_map(ir.attr(op, Name::PERMUTATION_MAP)?)?;
    Some((**map).clone())
}

/// read(extract_slice(x)) -> read(x)
fn read_of_extract(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let read = Transfer(op);
    let slice = read.source(rw.ir);
    let Some(extract) = rw.ir.defined_by(slice, &tensor::EXTRACT_SLICE) else {
        return false;
    };
    let (Some(place), Some(map)) = (Place::of(rw.ir, extract, slice), permutation_map(rw.ir, op))
    else {
        return false;
    };
    if !is_whole(rw.ir, read) {
        return false;
    }
    let Some(padding) = read.padding(rw.ir) else {
        return false;
    };
    // `vector.mask` has room for one operation.
    let is_masked = |&parent: &Op| rw.ir.is(parent, &vector::MASK);
    let anchor = rw.ir.parent_op(op).filter(is_masked).unwrap_or(op);
    let subscripts = read.indices(rw.ir).to_vec();
    let subscripts = place.resolve_values(rw, anchor, &subscripts);
    let map = rw.ir.context().affine_map_attr(place.expand_map(&map));
    let source = rw.ir.operand(extract, 0);
    rw.set_attr(op, Name::PERMUTATION_MAP, map);
    rw.set_operand_group(op, 1, &subscripts);
    rw.set_operand(op, 0, source);
    debug_assert_eq!(read.padding(rw.ir), Some(padding));
    true
}

/// insert_slice(write(v, s), x) -> write(v, x), where the vector is as large as the slice
fn insert_of_write(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let slice = rw.ir.operand(op, 0);
    let Some(inner) = rw.ir.defined_by(slice, &vector::TRANSFER_WRITE) else {
        return false;
    };
    let write = Transfer(inner);
    let (Some(place), Some(map)) = (Place::of(rw.ir, op, slice), permutation_map(rw.ir, inner))
    else {
        return false;
    };
    let context = rw.ir.context().clone();
    let shape = |value| context.shape(rw.ir.value_type(value));
    // Unknown sizes are no sizes of vectors.
    let is_covered = shape(write.vector(rw.ir)) == shape(slice) && map.is_permutation();
    if !is_covered || !is_whole(rw.ir, write) {
        return false;
    }
    let (vector, subscripts) = (write.vector(rw.ir), write.indices(rw.ir).to_vec());
    let subscripts = place.resolve_values(rw, op, &subscripts);
    let map = context.affine_map_attr(place.expand_map(&map));
    let whole = rw.ir.operand(op, 1);
    let mut spec = OpSpec::new(&vector::TRANSFER_WRITE, rw.ir.loc(inner))
        .operands(&[vector, whole])
        .operands(&subscripts)
        .results(&[rw.ir.value_type(whole)])
        .attr(Name::PERMUTATION_MAP, map)
        .attr(
            Name::OPERAND_SEGMENT_SIZES,
            context.i32_array_attr(&[1, 1, subscripts.len() as i32, 0]),
        );
    if let Some(in_bounds) = rw.ir.attr(inner, Name::IN_BOUNDS) {
        spec = spec.attr(Name::IN_BOUNDS, in_bounds);
    }
    rw.replace_op_with(op, spec);
    true
}

/// insert_slice(insert_slice(a, b), x) -> insert_slice(a, x), where all of `b` is replaced
fn insert_of_insert(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let slice = rw.ir.operand(op, 0);
    let Some(inner) = rw.ir.defined_by(slice, &tensor::INSERT_SLICE) else {
        return false;
    };
    let part = rw.ir.operand(inner, 0);
    let (Some(place), Some(inner)) = (
        Place::of(rw.ir, op, slice),
        Place::of(rw.ir, inner, part).map(|place| place.lists),
    ) else {
        return false;
    };
    let replaced = place.kept.iter().map(|&dim| place.lists.sizes[dim]);
    if !replaced.eq(inner.sizes.iter().copied()) {
        return false;
    }
    // Where loops come together there is room for nothing else.
    let anchor = match rw.ir.is(op, &tensor::PARALLEL_INSERT_SLICE) {
        true => rw.ir.parent_op(op).unwrap_or(op),
        false => op,
    };
    let lists = OffsetSizeStride {
        offsets: place.resolve(rw, anchor, &inner.offsets),
        ..place.lists
    };
    let types: Vec<_> = (rw.ir.results(op).iter())
        .map(|&v| rw.ir.value_type(v))
        .collect();
    let spec = OpSpec::new(rw.ir.def(op), rw.ir.loc(op))
        .operands(&[part, rw.ir.operand(op, 1)])
        .results(&types);
    let context = rw.ir.context().clone();
    rw.replace_op_with(op, lists.append_to(&context, spec));
    true
}
