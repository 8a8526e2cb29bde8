//! `linalg-fold-unit-extent-dims`: structured operations on tensors do without dimensions of size 1.
//!
//! Before:
//! ```mlir
//! %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
//!     iterator_types = ["parallel", "parallel"]} ins(%x : tensor<1x8xf32>) outs(%e : tensor<1x8xf32>) {...}
//! ```
//! After:
//! ```mlir
//! %c = tensor.collapse_shape %x [[0, 1]] : tensor<1x8xf32> into tensor<8xf32>
//! %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
//!     iterator_types = ["parallel"]} ins(%c : tensor<8xf32>) outs(%e : tensor<8xf32>) {...}
//! %s = tensor.expand_shape %r [[0, 1]] output_shape [1, 8] : tensor<8xf32> into tensor<1x8xf32>
//! ```
//!
//! As upstream: loops that run once go, and dimensions of size 1 that they or a constant 0 are the subscripts of; pads
//! with a constant lose dimensions of size 1 without a margin; slices are taken out and put in without their dimensions
//! of size 1. Empty and filled tensors are made in the shape in which they are used. A reduction that lost its
//! reduction loops takes its initial value as an input.
//!
//! With `use-rank-reducing-slices`, `tensor.extract_slice` and `insert_slice` stand where reshapes would.

use freehold_frontend::dialects::linalg::attributes::IteratorType;
use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::memref::offset_size_stride::{dynamic_values, mix};
use freehold_frontend::dialects::memref::{MixedIndex, OffsetSizeStride};
use freehold_frontend::dialects::tensor::reshapes;
use freehold_frontend::dialects::{arith, linalg, tensor};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::{Op, Use, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::{OpDef, Pattern};
use freehold_frontend::ir::rewriter::Rewriter;
use freehold_frontend::ir::types::{DYNAMIC, Type, TypeKind};

use super::results::{is_on_tensors, names_all_loops};
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::greedy::{self, Config};
use crate::rewrite::indices;
use crate::rewrite::structured::{replace_loop_counters, set_indexing_maps};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// make slices of smaller rank instead of reshapes
        "use-rank-reducing-slices" slices: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "linalg-fold-unit-extent-dims",
    summary: "remove dimensions of size 1 from structured operations on tensors",
    anchor: Anchor::Function,
    run,
};

macro_rules! patterns {
    ($($row:path: $apply:ident),* $(,)?) => {
        &[$((&$row, Pattern { name: stringify!($apply), apply: $apply })),*]
    };
}

static PATTERNS: &[(&OpDef, Pattern)] = patterns![
    linalg::GENERIC: drop_unit_loops,
    linalg::GENERIC: take_initial_values_as_inputs,
    tensor::PAD: drop_unit_dims_of_pad,
    tensor::EXTRACT_SLICE: extract_without_unit_dims,
    tensor::INSERT_SLICE: insert_without_unit_dims,
    tensor::PARALLEL_INSERT_SLICE: insert_without_unit_dims,
    tensor::COLLAPSE_SHAPE: reshape_of_new,
    tensor::EXPAND_SHAPE: reshape_of_new,
];

static PATTERNS_WITH_SLICES: &[(&OpDef, Pattern)] = patterns![
    linalg::GENERIC: drop_unit_loops_by_slices,
    linalg::GENERIC: take_initial_values_as_inputs,
    tensor::PAD: drop_unit_dims_of_pad_by_slices,
];

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let config = Config {
        patterns: match context.options.slices {
            true => PATTERNS_WITH_SLICES,
            false => PATTERNS,
        },
        ..Config::default()
    };
    context.count("operations rewritten", greedy::run(ir, config).rewritten);
    Ok(())
}

/// What makes a tensor smaller, and larger again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Reshapes,
    Slices,
}

/// A ranked tensor without some of its dimensions of size 1.
struct Smaller {
    /// The dimensions that are left.
    kept: Vec<usize>,
    /// For each of them, itself and the dropped ones that go along with it: those behind it, and before the first.
    groups: Vec<Vec<i64>>,
    ty: Type,
}

impl Smaller {
    /// The tensor type `ty` without dimensions that are dropped; `None` if it stays as it is.
    fn of(ir: &Ir, ty: Type, is_dropped: impl Fn(usize) -> bool) -> Option<Self> {
        let context = ir.context();
        let TypeKind::RankedTensor {
            shape,
            element,
            encoding: None,
        } = context.type_kind(ty)
        else {
            return None;
        };
        let is_kept = |&dim: &usize| shape[dim] != 1 || !is_dropped(dim);
        let kept: Vec<usize> = (0..shape.len()).filter(is_kept).collect();
        if kept.len() == shape.len() {
            return None;
        }
        let ends = kept.iter().skip(1).copied().chain([shape.len()]);
        let mut start = 0;
        let groups = kept.iter().zip(ends).map(|(_, end)| {
            let group = (start as i64..end as i64).collect();
            start = end;
            group
        });
        Some(Self {
            groups: groups.collect(),
            ty: context.intern_type(TypeKind::RankedTensor {
                shape: kept.iter().map(|&dim| shape[dim]).collect(),
                element: *element,
                encoding: None,
            }),
            kept,
        })
    }

    fn collapse(&self, rw: &mut Rewriter<'_>, anchor: Op, value: Value, by: By) -> Value {
        rw.build_before(anchor, |b| match by {
            By::Reshapes => reshapes::collapse_shape(b, value, &self.groups, self.ty),
            By::Slices => {
                if let Some(empty) = b.ir.defined_by(value, &tensor::EMPTY) {
                    let sizes = mix(interface::shape(b.ir, value), b.ir.operands(empty));
                    let sizes = dynamic_values(&self.pick(&sizes));
                    return b.value(&tensor::EMPTY, &sizes, self.ty);
                }
                let spec = b.spec(&tensor::EXTRACT_SLICE).operands(&[value]);
                let spec = whole(b, value).append_to(&b.context(), spec);
                let op = b.create(spec.results(&[self.ty]));
                b.ir.result(op, 0)
            }
        })
    }

    /// `value`, which is smaller, in the place of the larger tensor `into`.
    fn put_into(&self, rw: &mut Rewriter<'_>, anchor: Op, value: Value, into: Value) -> Value {
        rw.build_before(anchor, |b| {
            let spec = b.spec(&tensor::INSERT_SLICE).operands(&[value, into]);
            let spec = whole(b, into).append_to(&b.context(), spec);
            let ty = b.ir.value_type(into);
            let op = b.create(spec.results(&[ty]));
            b.ir.result(op, 0)
        })
    }

    /// `value`, which is smaller, as a tensor of type `ty`, which this is of.
    fn expand(&self, rw: &mut Rewriter<'_>, anchor: Op, value: Value, ty: Type) -> Value {
        rw.build_before(anchor, |b| {
            let sizes = self.sizes(b, value, ty);
            reshapes::expand_shape(b, value, &self.groups, &sizes, ty)
        })
    }

    /// The sizes of type `ty` that a smaller value of it says.
    fn sizes(&self, b: &mut Builder<'_>, value: Value, ty: Type) -> Vec<MixedIndex> {
        let shape = b.context().shape(ty).unwrap_or_default().to_vec();
        let mut sizes: Vec<MixedIndex> = shape.iter().map(|&size| size.into()).collect();
        for (position, &dim) in self.kept.iter().enumerate() {
            if shape[dim] == DYNAMIC {
                sizes[dim] = size_of(b, value, position);
            }
        }
        sizes
    }

    /// Items of a list with one for each dimension.
    fn pick<T: Clone>(&self, list: &[T]) -> Vec<T> {
        self.kept.iter().map(|&dim| list[dim].clone()).collect()
    }
}

fn size_of(b: &mut Builder<'_>, tensor: Value, dim: usize) -> MixedIndex {
    let dim = arith::constant_index(b, dim as i64);
    b.value(&tensor::DIM, &[tensor, dim], Type::INDEX).into()
}

/// The slice that is all of a tensor.
fn whole(b: &mut Builder<'_>, tensor: Value) -> OffsetSizeStride {
    let shape = interface::shape(b.ir, tensor).to_vec();
    let sizes = shape.iter().enumerate().map(|(dim, &size)| match size {
        DYNAMIC => size_of(b, tensor, dim),
        _ => size.into(),
    });
    OffsetSizeStride {
        sizes: sizes.collect(),
        offsets: vec![MixedIndex::Constant(0); shape.len()],
        strides: vec![MixedIndex::Constant(1); shape.len()],
    }
}

/// Loops that run once go, and the dimensions that they go through.
fn drop_unit_loops(rw: &mut Rewriter<'_>, op: Op) -> bool {
    drop_loops(rw, op, By::Reshapes)
}

fn drop_unit_loops_by_slices(rw: &mut Rewriter<'_>, op: Op) -> bool {
    drop_loops(rw, op, By::Slices)
}

fn drop_loops(rw: &mut Rewriter<'_>, op: Op, by: By) -> bool {
    let ir = &*rw.ir;
    let maps = interface::indexing_maps(ir, op);
    if !is_on_tensors(ir, op) || maps.len() != ir.operands(op).len() {
        return false;
    }
    let is_unit: Vec<bool> = interface::loop_sizes(ir, op)
        .into_iter()
        .map(|size| size.is_some_and(|(operand, dim)| interface::shape(ir, operand)[dim] == 1))
        .collect();
    let mut n_kept = 0;
    let counters: Vec<AffineExpr> = (is_unit.iter())
        .map(|&is_unit| match is_unit {
            true => AffineExpr::Constant(0),
            false => {
                n_kept += 1;
                AffineExpr::Dim(n_kept - 1)
            }
        })
        .collect();
    let zero = AffineExpr::Constant(0);
    let smaller: Vec<Option<Smaller>> = (ir.operands(op).iter().zip(&maps))
        .map(|(&operand, map)| {
            let is_dropped = |dim: usize| map.results[dim].replace(&counters, &[]) == zero;
            Smaller::of(ir, ir.value_type(operand), is_dropped)
        })
        .collect();
    let new_maps: Vec<AffineMap> = (maps.iter().zip(&smaller))
        .map(|(map, smaller)| {
            let results = match smaller {
                Some(smaller) => smaller.pick(&map.results),
                None => map.results.clone(),
            };
            AffineMap {
                n_dims: n_kept,
                n_symbols: 0,
                results: (results.iter())
                    .map(|result| result.replace(&counters, &[]))
                    .collect(),
            }
        })
        .collect();
    if new_maps == maps || !names_all_loops(&new_maps, n_kept as usize) {
        return false;
    }
    let iterators: Vec<IteratorType> = (interface::iterator_types(ir, op).into_iter())
        .zip(&is_unit)
        .filter_map(|(kind, is_unit)| (!is_unit).then_some(kind))
        .collect();
    shrink_generic(rw, op, by, &smaller, new_maps, &iterators, &counters);
    true
}

/// Gives a `linalg.generic` smaller operands, and others its results as they were.
fn shrink_generic(
    rw: &mut Rewriter<'_>,
    op: Op,
    by: By,
    smaller: &[Option<Smaller>],
    maps: Vec<AffineMap>,
    iterators: &[IteratorType],
    counters: &[AffineExpr],
) {
    let n_inputs = interface::n_inputs(rw.ir, op);
    let outputs = interface::outputs(rw.ir, op).to_vec();
    for (i, smaller) in smaller.iter().enumerate() {
        if let Some(smaller) = smaller {
            let operand = rw.ir.operand(op, i);
            let operand = smaller.collapse(rw, op, operand, by);
            rw.set_operand(op, i, operand);
        }
    }
    let context = rw.ir.context().clone();
    let iterators: Vec<_> = (iterators.iter())
        .map(|kind| kind.to_attr(&context))
        .collect();
    set_indexing_maps(rw.ir, op, maps);
    rw.set_attr(op, Name::ITERATOR_TYPES, context.array_attr(&iterators));
    if let Some(body) = interface::body(rw.ir, op)
        && let Some(end) = rw.ir.terminator(body)
    {
        replace_loop_counters(rw.ir, body, end, counters, iterators.len());
    }
    for (i, smaller) in smaller[n_inputs..].iter().enumerate() {
        if let Some(smaller) = smaller {
            shrink_result(rw, op, i, smaller, (by == By::Slices).then_some(outputs[i]));
        }
    }
}

/// Makes a result smaller, and what it was for those that use it: a reshape of it, or a tensor with it in it.
fn shrink_result(
    rw: &mut Rewriter<'_>,
    op: Op,
    index: usize,
    smaller: &Smaller,
    into: Option<Value>,
) {
    let Some(next) = rw.ir.next_op(op) else {
        return;
    };
    let result = rw.ir.result(op, index);
    let users: Vec<Use> = rw.ir.uses(result).to_vec();
    let ty = rw.ir.value_type(result);
    rw.ir.set_value_type(result, smaller.ty);
    let value = match into {
        Some(into) => smaller.put_into(rw, next, result, into),
        None => smaller.expand(rw, next, result, ty),
    };
    for user in users {
        rw.set_operand(user.op, user.index as usize, value);
    }
}

/// What loops in parallel compute from the tensor that they write to, they read from an input.
fn take_initial_values_as_inputs(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rw.ir;
    let iterators = interface::iterator_types(ir, op);
    let mut maps = interface::indexing_maps(ir, op);
    if !is_on_tensors(ir, op)
        || maps.len() != ir.operands(op).len()
        || iterators.contains(&IteratorType::Reduction)
    {
        return false;
    }
    let Some(body) = interface::body(ir, op) else {
        return false;
    };
    let n_inputs = interface::n_inputs(ir, op);
    let mut inputs = interface::inputs(ir, op).to_vec();
    let mut outputs = interface::outputs(ir, op).to_vec();
    let read: Vec<usize> = (0..outputs.len())
        .filter(|&i| interface::payload_uses_operand(ir, op, n_inputs + i))
        .collect();
    if read.is_empty() {
        return false;
    }
    for i in read {
        let position = inputs.len();
        inputs.push(outputs[i]);
        outputs[i] = rw.build_before(op, |b| empty_like(b, outputs[i]));
        maps.insert(position, maps[position + i].clone());
        let old = rw.ir.block_args(body)[position + i];
        let ty = rw.ir.value_type(old);
        let new = rw.ir.insert_block_arg(body, position, ty);
        rw.replace_all_uses(old, new);
    }
    rw.set_operand_group(op, 0, &inputs);
    rw.set_operand_group(op, 1, &outputs);
    set_indexing_maps(rw.ir, op, maps);
    true
}

/// A `tensor.empty` of the same type and sizes.
fn empty_like(b: &mut Builder<'_>, tensor: Value) -> Value {
    let ty = b.ir.value_type(tensor);
    let shape = b.context().shape(ty).unwrap_or_default().to_vec();
    let mut sizes = Vec::new();
    for (dim, _) in shape
        .iter()
        .enumerate()
        .filter(|&(_, &size)| size == DYNAMIC)
    {
        let dim = arith::constant_index(b, dim as i64);
        sizes.push(b.value(&tensor::DIM, &[tensor, dim], Type::INDEX));
    }
    b.value(&tensor::EMPTY, &sizes, ty)
}

/// A pad with a constant leaves dimensions of size 1 alone that have no margin.
fn drop_unit_dims_of_pad(rw: &mut Rewriter<'_>, op: Op) -> bool {
    shrink_pad(rw, op, By::Reshapes)
}

fn drop_unit_dims_of_pad_by_slices(rw: &mut Rewriter<'_>, op: Op) -> bool {
    shrink_pad(rw, op, By::Slices)
}

fn shrink_pad(rw: &mut Rewriter<'_>, op: Op, by: By) -> bool {
    let ir = &*rw.ir;
    let pad = tensor::Pad(op);
    let (low, high) = pad.margins(ir);
    let source = pad.source(ir);
    let zero = MixedIndex::Constant(0);
    let is_dropped = |dim: usize| low[dim].equals(zero, ir) && high[dim].equals(zero, ir);
    let ty = ir.value_type(ir.result(op, 0));
    let (Some(inner), Some(block)) = (
        Smaller::of(ir, ir.value_type(source), is_dropped),
        ir.entry_block(ir.region(op, 0)),
    ) else {
        return false;
    };
    let is_smaller = |dim: usize| !inner.kept.contains(&dim);
    let Some(outer) = Smaller::of(ir, ty, is_smaller).filter(|outer| outer.kept == inner.kept)
    else {
        return false;
    };
    let Some(value) = ir.terminator(block).map(|end| ir.operand(end, 0)) else {
        return false;
    };
    if ir.value_block(value) == Some(block) && arith::as_constant_attr(ir, value).is_none() {
        return false;
    }
    let (low, high) = (outer.pick(&low), outer.pick(&high));
    let has_nofold = ir.attr(op, Name::NOFOLD);
    let (from, loc) = (ir.region(op, 0), ir.loc(op));
    let source = inner.collapse(rw, op, source, by);
    let mut spec = OpSpec::new(&tensor::PAD, loc)
        .operands(&[source])
        .results(&[outer.ty])
        .regions(1);
    if let Some(nofold) = has_nofold {
        spec.set_attr(Name::NOFOLD, nofold);
    }
    let context = rw.ir.context().clone();
    let new = rw.create_before(
        op,
        tensor::slices::with_margins(&context, spec, &low, &high),
    );
    let to = rw.ir.region(new, 0);
    rw.ir.move_blocks(from, to);
    for dim in (0..rw.ir.block_args(block).len()).rev() {
        if is_smaller(dim) {
            rw.ir.remove_block_arg(block, dim);
        }
    }
    rw.inserted(new);
    let value = rw.ir.result(new, 0);
    let value = match by {
        By::Reshapes => outer.expand(rw, op, value, ty),
        By::Slices => {
            let empty = rw.build_before(op, |b| {
                let sizes = outer.sizes(b, value, ty);
                b.value(&tensor::EMPTY, &dynamic_values(&sizes), ty)
            });
            outer.put_into(rw, op, value, empty)
        }
    };
    rw.replace_op(op, &[value]);
    true
}

/// A slice is taken out without dimensions of size 1.
fn extract_without_unit_dims(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let ty = rw.ir.value_type(rw.ir.result(op, 0));
    let Some(smaller) = Smaller::of(rw.ir, ty, |_| true) else {
        return false;
    };
    shrink_result(rw, op, 0, &smaller, None);
    true
}

/// A slice is put in without dimensions of size 1.
fn insert_without_unit_dims(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let slice = rw.ir.operand(op, 0);
    let Some(smaller) = Smaller::of(rw.ir, rw.ir.value_type(slice), |_| true) else {
        return false;
    };
    // Where loops come together there is room for nothing else.
    let anchor = match rw.ir.is(op, &tensor::PARALLEL_INSERT_SLICE) {
        true => rw.ir.parent_op(op).unwrap_or(op),
        false => op,
    };
    let slice = smaller.collapse(rw, anchor, slice, By::Reshapes);
    rw.set_operand(op, 0, slice);
    true
}

/// A tensor that is made is made in the shape that it gets.
fn reshape_of_new(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let source = rw.ir.operand(op, 0);
    let ty = rw.ir.value_type(rw.ir.result(op, 0));
    if let Some(empty) = rw.ir.defined_by(source, &tensor::EMPTY) {
        let sizes = match rw.ir.is(op, &tensor::COLLAPSE_SHAPE) {
            true => collapsed_sizes(rw, op, empty),
            false => rw.ir.operands(op)[1..].to_vec(),
        };
        let empty = rw.value_before(op, &tensor::EMPTY, &sizes, ty);
        rw.replace_op(op, &[empty]);
        return true;
    }
    let Some(fill) = rw.ir.defined_by(source, &linalg::FILL) else {
        return false;
    };
    let (&[output], Some(next)) = (interface::outputs(rw.ir, fill), rw.ir.next_op(op)) else {
        return false;
    };
    let reshaped = rw.ir.result(op, 0);
    let users: Vec<Use> = rw.ir.uses(reshaped).to_vec();
    rw.set_operand(op, 0, output);
    let mut map = IrMap::default();
    map.values.insert(output, reshaped);
    let copy = rw.ir.clone_op(fill, &mut map);
    rw.ir.insert_op_before(next, copy);
    rw.inserted(copy);
    let filled = rw.ir.result(copy, 0);
    rw.ir.set_value_type(filled, ty);
    for user in users {
        rw.set_operand(user.op, user.index as usize, filled);
    }
    true
}

/// The sizes of the result of the collapse of `empty` by `op` are unknown.
fn collapsed_sizes(rw: &mut Rewriter<'_>, op: Op, empty: Op) -> Vec<Value> {
    let shape = interface::shape(rw.ir, rw.ir.result(empty, 0));
    let sizes = mix(shape, rw.ir.operands(empty));
    let groups = tensor::CollapseShape(op).reassociation(rw.ir);
    rw.build_before(op, |b| {
        let mut values = Vec::new();
        for group in groups {
            let factors: Vec<_> = group.iter().map(|&dim| sizes[dim as usize]).collect();
            if factors.iter().any(|&size| size.static_value() == DYNAMIC) {
                values.push(indices::product(b, &factors).materialize(b));
            }
        }
        values
    })
}
