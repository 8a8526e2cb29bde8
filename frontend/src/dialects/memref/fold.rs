//! Folding: results of memref operations that are known values or constants.
//!
//! Folds that change operands in place are [`patterns`](super::patterns).

use smallvec::smallvec;

use crate::ir::attrs::Attr;
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::op_def::{FoldResult, FoldResults};
use crate::ir::types::DYNAMIC;

use super::offset_size_stride::{MixedIndex, OffsetSizeStride};
use super::{alloc, metadata, reshape, types, views};
use crate::dialects::shared::assembly;

fn value(value: Value) -> FoldResults {
    smallvec![FoldResult::Value(value)]
}

fn index(ir: &Ir, number: i64) -> FoldResults {
    smallvec![FoldResult::Attr(ir.context().index_attr(number))]
}

fn same_types(ir: &Ir, a: Value, b: Value) -> bool {
    ir.value_type(a) == ir.value_type(b)
}

/// A cast to the type of its source is the source.
pub(crate) fn cast_to_same_type(ir: &Ir, op: Op, _: &[Option<Attr>]) -> FoldResults {
    let source = ir.operand(op, 0);
    if same_types(ir, source, ir.result(op, 0)) {
        value(source)
    } else {
        FoldResults::new()
    }
}

/// The size of dimension `dim` of `source`, if a number or a value that is
/// there already.
fn known_size(ir: &Ir, source: Value, dim: usize) -> Option<MixedIndex> {
    let memref = ir.context().as_memref(ir.value_type(source))?;
    let size = *memref.shape.get(dim)?;
    if size != DYNAMIC {
        return Some(size.into());
    }
    let op = ir.defining_op(source)?;
    let position = memref.shape[..dim]
        .iter()
        .filter(|&&s| s == DYNAMIC)
        .count();
    if ir.is(op, &alloc::ALLOC) || ir.is(op, &alloc::ALLOCA) {
        return ir.operand_group(op, 0).get(position).map(|&v| v.into());
    }
    if let Some(view) = views::View::cast(ir, op) {
        return view.sizes(ir).get(position).map(|&v| v.into());
    }
    if ir.is(op, &views::SUBVIEW) {
        let dropped = views::subview_dropped_dims(ir, op);
        let mut kept = (0..dropped.len()).filter(|&d| !dropped[d]);
        let dim = kept.nth(dim)?;
        return OffsetSizeStride::of(ir, op)?.sizes.get(dim).copied();
    }
    if ir.is(op, &views::REINTERPRET_CAST) {
        return OffsetSizeStride::of(ir, op)?.sizes.get(dim).copied();
    }
    if let Some(expand) = reshape::ExpandShape::cast(ir, op) {
        return expand.mixed_output_shape(ir).get(dim).copied();
    }
    None
}

/// `memref.dim` of a known size.
pub(super) fn dim(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    let dim = operands[1].and_then(|attr| ir.context().attr_integer(attr));
    let Some(dim) = dim.and_then(|dim| usize::try_from(dim).ok()) else {
        return FoldResults::new();
    };
    match known_size(ir, ir.operand(op, 0), dim) {
        Some(MixedIndex::Constant(number)) if number != DYNAMIC => index(ir, number),
        Some(MixedIndex::Value(size)) => value(size),
        _ => FoldResults::new(),
    }
}

/// `memref.rank` of a ranked memref.
pub(super) fn rank(ir: &Ir, op: Op, _: &[Option<Attr>]) -> FoldResults {
    match ir.context().as_memref(ir.value_type(ir.operand(op, 0))) {
        Some(memref) => index(ir, memref.rank() as i64),
        None => FoldResults::new(),
    }
}

/// A reinterpret_cast that says what its source's type says.
pub(super) fn reinterpret_cast(ir: &Ir, op: Op, _: &[Option<Attr>]) -> FoldResults {
    let source = ir.operand(op, 0);
    let result = assembly::memref_of(ir, ir.result(op, 0));
    let is_same = same_types(ir, source, ir.result(op, 0))
        && result.has_static_shape()
        && OffsetSizeStride::of(ir, op).is_some_and(|lists| lists.offsets == [0.into()]);
    if is_same {
        value(source)
    } else {
        FoldResults::new()
    }
}

/// Whether all of these are the number `number`.
fn all_are(ir: &Ir, list: &[MixedIndex], number: i64) -> bool {
    list.iter().all(|index| index.constant(ir) == Some(number))
}

/// A subview of all of its source.
pub(super) fn subview(ir: &Ir, op: Op, _: &[Option<Attr>]) -> FoldResults {
    let source = ir.operand(op, 0);
    if !same_types(ir, source, ir.result(op, 0)) {
        return FoldResults::new();
    }
    let result = assembly::memref_of(ir, ir.result(op, 0));
    let has_static_layout = ir
        .context()
        .memref_strides(result)
        .is_some_and(|(strides, offset)| offset != DYNAMIC && !strides.contains(&DYNAMIC));
    // Known sizes that are those of the source, at an offset that did not
    // change: nothing was left out.
    if result.has_static_shape() && has_static_layout {
        return value(source);
    }
    let Some(lists) = OffsetSizeStride::of(ir, op) else {
        return FoldResults::new();
    };
    // A subview of a subview that repeats its sizes.
    let source_sizes = ir
        .defined_by(source, &views::SUBVIEW)
        .and_then(|inner| OffsetSizeStride::of(ir, inner))
        .map(|inner| inner.sizes);
    let is_all = all_are(ir, &lists.offsets, 0)
        && all_are(ir, &lists.strides, 1)
        && source_sizes.as_ref() == Some(&lists.sizes);
    if is_all {
        value(source)
    } else {
        FoldResults::new()
    }
}

/// A transpose that keeps the order of dimensions.
pub(super) fn transpose(ir: &Ir, op: Op, _: &[Option<Attr>]) -> FoldResults {
    let source = ir.operand(op, 0);
    let permutation = reshape::Transpose(op).permutation(ir);
    let is_identity = permutation.iter().enumerate().all(|(i, &dim)| i == dim);
    if is_identity && same_types(ir, source, ir.result(op, 0)) {
        value(source)
    } else {
        FoldResults::new()
    }
}

/// An expand_shape that undoes a collapse_shape, or the other way around.
pub(super) fn reshape(ir: &Ir, op: Op, _: &[Option<Attr>]) -> FoldResults {
    let source = ir.operand(op, 0);
    let result = ir.result(op, 0);
    if same_types(ir, source, result) {
        return value(source);
    }
    let inverse = if ir.is(op, &reshape::EXPAND_SHAPE) {
        &reshape::COLLAPSE_SHAPE
    } else {
        &reshape::EXPAND_SHAPE
    };
    let Some(producer) = ir.defined_by(source, inverse) else {
        return FoldResults::new();
    };
    let original = ir.operand(producer, 0);
    if !same_types(ir, original, result) {
        return FoldResults::new();
    }
    let shape = &assembly::memref_of(ir, result).shape;
    let is_collapse = ir.is(op, &reshape::COLLAPSE_SHAPE);
    if assembly::restores_sizes(ir, op, producer, shape, is_collapse) {
        value(original)
    } else {
        FoldResults::new()
    }
}

/// The constant that a result of `extract_strided_metadata` is known to be.
pub fn known_metadata(ir: &Ir, op: metadata::ExtractStridedMetadata) -> Vec<MixedIndex> {
    let memref = assembly::memref_of(ir, op.source(ir));
    let (strides, offset) = ir
        .context()
        .memref_strides(memref)
        .expect("the operand is verified to be strided");
    let statics = std::iter::once(offset)
        .chain(memref.shape.iter().copied())
        .chain(strides);
    let results = &ir.results(op.0)[1..];
    statics
        .zip(results)
        .map(|(number, &result)| {
            if number == DYNAMIC {
                result.into()
            } else {
                number.into()
            }
        })
        .collect()
}

/// Whether every size of some dimension of `value` is known to be 0.
pub(super) fn is_empty(ir: &Ir, value: Value) -> bool {
    ir.context()
        .shape(ir.value_type(value))
        .is_some_and(|shape| shape.contains(&0))
}

/// `lists` of a reinterpret_cast with all that constants and its type say.
pub fn known_lists(ir: &Ir, op: Op) -> Option<OffsetSizeStride> {
    let mut lists = OffsetSizeStride::of(ir, op)?;
    let result = assembly::memref_of(ir, ir.result(op, 0));
    let (strides, offset) = ir.context().memref_strides(result)?;
    let refine = |list: &mut [MixedIndex], statics: &[i64]| {
        for (index, &number) in list.iter_mut().zip(statics) {
            *index = if number == DYNAMIC {
                index.simplified(ir)
            } else {
                number.into()
            };
        }
    };
    refine(&mut lists.offsets, &[offset]);
    refine(&mut lists.sizes, &result.shape);
    refine(&mut lists.strides, &strides);
    Some(lists)
}

/// Whether a cast from the type of `from` to that of `to` is valid.
pub(super) fn can_cast(ir: &Ir, from: Value, to: Value) -> bool {
    types::cast_compatible(ir.context(), ir.value_type(from), ir.value_type(to))
}

/// The number of dimensions of a ranked memref.
pub(super) fn rank_of(ir: &Ir, value: Value) -> Option<usize> {
    ir.context().shape(ir.value_type(value)).map(<[i64]>::len)
}
