//! Patterns of `expand_shape`, `collapse_shape`, `transpose` and `reshape`.

use std::sync::Arc;

use crate::dialects::arith;
use crate::dialects::memref::access::LOAD;
use crate::dialects::memref::metadata::DIM;
use crate::dialects::memref::offset_size_stride::{MixedIndex, dynamic_values, static_values};
use crate::dialects::memref::reshape::{
    COLLAPSE_SHAPE, CollapseShape, EXPAND_SHAPE, ExpandShape, RESHAPE, TRANSPOSE, Transpose,
};
use crate::dialects::memref::types;
use crate::dialects::shared::assembly;
use crate::ir::affine::AffineMap;
use crate::ir::data::Ir;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Op, Value, ValueDef};
use crate::ir::names::Name;
use crate::ir::rewriter::Rewriter;
use crate::ir::types::{DYNAMIC, MemRefType, Type};

use super::{cast_source, replace_with_cast};

/// Whether `index` is available right after `reshape`. Looks at blocks around
/// only: `false` may mean that it is not obvious.
fn is_available_at(ir: &Ir, index: Value, reshape: Op) -> bool {
    let Some(index_block) = ir.value_block(index) else {
        return false;
    };
    match ir.ancestor_in_block(reshape, index_block) {
        Some(at) => match ir.value_def(index) {
            ValueDef::Argument(..) => true,
            ValueDef::Result(op, _) => ir.is_before_in_block(op, at),
        },
        None => false,
    }
}

/// dim(reshape(x, %shape), %i) -> load %shape[%i], right after the reshape:
/// later the shape may be overwritten.
pub(super) fn dim_of_reshape(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let index = rw.ir.operand(op, 1);
    let Some(reshape) = rw.ir.defined_by(rw.ir.operand(op, 0), &RESHAPE) else {
        return false;
    };
    let Some(anchor) = rw.ir.next_op(reshape) else {
        return false;
    };
    if !is_available_at(rw.ir, index, reshape) {
        return false;
    }
    let shape = rw.ir.operand(reshape, 1);
    let element = assembly::memref_of(rw.ir, shape).element;
    let mut size = rw.value_before(anchor, &LOAD, &[shape, index], element);
    if element != Type::INDEX {
        size = rw.value_before(anchor, &arith::INDEX_CAST, &[size], Type::INDEX);
    }
    rw.replace_op(op, &[size]);
    true
}

/// dim(collapse_shape(x)) -> dim(x), where all but one of the collapsed
/// dimensions have size 1.
pub(super) fn dim_of_collapse(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(dim) = arith::as_constant_index(rw.ir, rw.ir.operand(op, 1)) else {
        return false;
    };
    let Some(collapse) = rw
        .ir
        .defining_op(rw.ir.operand(op, 0))
        .and_then(|inner| CollapseShape::cast(rw.ir, inner))
    else {
        return false;
    };
    let source = collapse.source(rw.ir);
    let groups = collapse.reassociation(rw.ir);
    let Some(group) = usize::try_from(dim).ok().and_then(|dim| groups.get(dim)) else {
        return false;
    };
    let shape = &assembly::memref_of(rw.ir, source).shape;
    let is_one = |dim: i64| usize::try_from(dim).is_ok_and(|dim| shape.get(dim) == Some(&1));
    let mut others = group.iter().copied().filter(|&dim| !is_one(dim));
    let (Some(source_dim), None) = (others.next(), others.next()) else {
        return false;
    };
    let size = rw.build_before(op, |b| {
        let index = arith::constant_index(b, source_dim);
        b.value(&DIM, &[source, index], Type::INDEX)
    });
    rw.replace_op(op, &[size]);
    true
}

/// transpose(transpose(x)) -> transpose(x)
pub(super) fn transpose_of_transpose(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(inner) = rw.ir.defined_by(rw.ir.operand(op, 0), &TRANSPOSE) else {
        return false;
    };
    let inner_dims = Transpose(inner).permutation(rw.ir);
    let dims: Vec<usize> = Transpose(op)
        .permutation(rw.ir)
        .iter()
        .filter_map(|&dim| inner_dims.get(dim).copied())
        .collect();
    let map = rw
        .ir
        .context()
        .affine_map_attr(AffineMap::permutation(&dims));
    let source = rw.ir.operand(inner, 0);
    rw.set_attr(op, Name::PERMUTATION, map);
    rw.set_operand(op, 0, source);
    true
}

/// The type of the result of `op`.
fn result_memref(ir: &Ir, op: Op) -> &MemRefType {
    assembly::memref_of(ir, ir.result(op, 0))
}

/// Replaces `op` by an expand_shape of `source`, if that has the same type.
fn replace_with_expand(
    rw: &mut Rewriter<'_>,
    op: Op,
    source: Value,
    groups: &[Vec<i64>],
    shape: &[MixedIndex],
) -> bool {
    let context = Arc::clone(rw.ir.context());
    let result = result_memref(rw.ir, op);
    let memref = assembly::memref_of(rw.ir, source);
    let inferred = types::infer_expanded_type(&context, memref, &result.shape, groups);
    if inferred.as_ref() != Some(result) {
        return false;
    }
    let spec = OpSpec::new(&EXPAND_SHAPE, rw.ir.loc(op))
        .operands(&[source])
        .operands(&dynamic_values(shape))
        .results(&[rw.ir.value_type(rw.ir.result(op, 0))])
        .attr(
            Name::REASSOCIATION,
            assembly::reassociation_attr(&context, groups),
        )
        .attr(
            Name::STATIC_OUTPUT_SHAPE,
            context.i64_array_attr(&static_values(shape)),
        );
    rw.replace_op_with(op, spec);
    true
}

/// Replaces `op` by a collapse_shape of `source` and a cast.
fn replace_with_collapse(
    rw: &mut Rewriter<'_>,
    op: Op,
    source: Value,
    groups: &[Vec<i64>],
) -> bool {
    let context = Arc::clone(rw.ir.context());
    let memref = assembly::memref_of(rw.ir, source);
    let Ok(inferred) = types::infer_collapsed_type(&context, memref, groups, false) else {
        return false;
    };
    let ty = context.memref_type(inferred);
    if !types::cast_compatible(&context, ty, rw.ir.value_type(rw.ir.result(op, 0))) {
        return false;
    }
    let spec = OpSpec::new(&COLLAPSE_SHAPE, rw.ir.loc(op))
        .operands(&[source])
        .results(&[ty])
        .attr(
            Name::REASSOCIATION,
            assembly::reassociation_attr(&context, groups),
        );
    let new = rw.create_before(op, spec);
    let value = rw.ir.result(new, 0);
    replace_with_cast(rw, op, value);
    true
}

/// expand_shape(expand_shape(x)) -> expand_shape(x)
pub(super) fn expand_of_expand(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(inner) = rw.ir.defined_by(rw.ir.operand(op, 0), &EXPAND_SHAPE) else {
        return false;
    };
    let groups = assembly::compose_reassociations(
        &assembly::reassociation(rw.ir, inner),
        &assembly::reassociation(rw.ir, op),
    );
    let shape = ExpandShape(op).mixed_output_shape(rw.ir);
    let source = rw.ir.operand(inner, 0);
    groups.is_some_and(|groups| replace_with_expand(rw, op, source, &groups, &shape))
}

/// collapse_shape(collapse_shape(x)) -> collapse_shape(x)
pub(super) fn collapse_of_collapse(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(inner) = rw.ir.defined_by(rw.ir.operand(op, 0), &COLLAPSE_SHAPE) else {
        return false;
    };
    let groups = assembly::compose_reassociations(
        &assembly::reassociation(rw.ir, op),
        &assembly::reassociation(rw.ir, inner),
    );
    let source = rw.ir.operand(inner, 0);
    groups.is_some_and(|groups| replace_with_collapse(rw, op, source, &groups))
}

/// collapse_shape(cast(x)) -> cast(collapse_shape(x)), where the cast only forgets
pub(super) fn collapse_of_cast(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let operand = rw.ir.operand(op, 0);
    let Some(source) = cast_source(rw.ir, operand) else {
        return false;
    };
    let (from, to) = (rw.ir.value_type(source), rw.ir.value_type(operand));
    if !types::cast_only_forgets(rw.ir.context(), from, to) {
        return false;
    }
    let groups = assembly::reassociation(rw.ir, op);
    replace_with_collapse(rw, op, source, &groups)
}

/// How the dimensions `fine`, which begin at number `start`, make up the
/// dimensions `coarse`: one list of numbers per coarse dimension. At most one
/// size of each may be unknown; the known ones around it decide.
fn split(fine: &[i64], start: i64, coarse: &[i64]) -> Option<Vec<Vec<i64>>> {
    let unknown = |shape: &[i64]| shape.iter().filter(|&&size| size == DYNAMIC).count();
    if unknown(fine) > 1 || unknown(fine) != unknown(coarse) {
        return None;
    }
    // Known coarse dimensions before the unknown one take from the left, those after it from the
    // right; the unknown one gets the rest.
    let pivot = coarse.iter().position(|&size| size == DYNAMIC);
    let mut groups = vec![Vec::new(); coarse.len()];
    let (mut left, mut right) = (0, fine.len());
    for at in 0..pivot.unwrap_or(coarse.len()) {
        let mut product = 1i64;
        while product != coarse[at] || groups[at].is_empty() {
            let size = *fine[..right].get(left)?;
            product = if size == DYNAMIC {
                return None;
            } else {
                product.checked_mul(size)?
            };
            groups[at].push(start + left as i64);
            left += 1;
        }
    }
    if let Some(pivot) = pivot {
        for at in (pivot + 1..coarse.len()).rev() {
            let mut product = 1i64;
            while product != coarse[at] || groups[at].is_empty() {
                if right == left {
                    return None;
                }
                right -= 1;
                if fine[right] == DYNAMIC {
                    return None;
                }
                product = product.checked_mul(fine[right])?;
                groups[at].insert(0, start + right as i64);
            }
        }
        groups[pivot] = (left..right).map(|dim| start + dim as i64).collect();
        if !fine[left..right].contains(&DYNAMIC) {
            return None;
        }
    } else {
        // The rest can only be ones.
        let last = groups.last_mut()?;
        for (dim, &size) in fine.iter().enumerate().skip(left) {
            if size != 1 {
                return None;
            }
            last.push(start + dim as i64);
        }
    }
    Some(groups)
}

/// The sizes that `group` names, and the number of the first.
fn members<'a>(shape: &'a [i64], group: &[i64]) -> Option<(&'a [i64], i64)> {
    let start = *group.first()?;
    let first = usize::try_from(start).ok()?;
    Some((shape.get(first..first + group.len())?, start))
}

/// expand_shape(collapse_shape(x)) -> collapse_shape(x), where the dimensions of
/// x make up those of the result
pub(super) fn expand_of_collapse(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(inner) = rw.ir.defined_by(rw.ir.operand(op, 0), &COLLAPSE_SHAPE) else {
        return false;
    };
    let source = rw.ir.operand(inner, 0);
    let fine = &assembly::memref_of(rw.ir, source).shape;
    let coarse = &result_memref(rw.ir, op).shape;
    if fine.len() <= coarse.len() {
        return false;
    }
    let inner_groups = assembly::reassociation(rw.ir, inner);
    let outer_groups = assembly::reassociation(rw.ir, op);
    let mut groups = Vec::new();
    for (inner_group, outer_group) in inner_groups.iter().zip(&outer_groups) {
        let Some((fine, start)) = members(fine, inner_group) else {
            return false;
        };
        let Some((coarse, _)) = members(coarse, outer_group) else {
            return false;
        };
        match split(fine, start, coarse) {
            Some(split) => groups.extend(split),
            None => return false,
        }
    }
    replace_with_collapse(rw, op, source, &groups)
}

/// collapse_shape(expand_shape(x)) -> collapse_shape(x) or expand_shape(x),
/// where the groups of one are made of whole groups of the other
pub(super) fn collapse_of_expand(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(inner) = rw.ir.defined_by(rw.ir.operand(op, 0), &EXPAND_SHAPE) else {
        return false;
    };
    let source = rw.ir.operand(inner, 0);
    let source_rank = assembly::memref_of(rw.ir, source).rank();
    let result_rank = result_memref(rw.ir, op).rank();
    let inner_groups = assembly::reassociation(rw.ir, inner);
    let outer_groups = assembly::reassociation(rw.ir, op);
    if source_rank > result_rank {
        return match nest(&inner_groups, &outer_groups) {
            Some(groups) => replace_with_collapse(rw, op, source, &groups),
            None => false,
        };
    }
    if source_rank == result_rank {
        return false;
    }
    let Some(groups) = nest(&outer_groups, &inner_groups) else {
        return false;
    };
    match expanded_sizes(rw, op, source, &groups) {
        Some(shape) => replace_with_expand(rw, op, source, &groups, &shape),
        None => false,
    }
}

/// The sizes of the result of `op`, an expand_shape of `source` in the making: an unknown one is
/// the size of the split dimension, divided by its known neighbours. `None` if a group has two
/// unknown sizes.
fn expanded_sizes(
    rw: &mut Rewriter<'_>,
    op: Op,
    source: Value,
    groups: &[Vec<i64>],
) -> Option<Vec<MixedIndex>> {
    let result = result_memref(rw.ir, op).shape.clone();
    let mut known_products = Vec::with_capacity(groups.len());
    for group in groups {
        let sizes = members(&result, group)?.0;
        let known = sizes.iter().filter(|&&size| size != DYNAMIC);
        if known.clone().count() + 1 < sizes.len() {
            return None;
        }
        let product = known.fold(1, |a, &b| types::saturating_mul(a, b));
        known_products.push(product);
    }
    if known_products.iter().any(|&product| product <= 0) {
        return None;
    }
    let shape = rw.build_before(op, |b| {
        let mut shape: Vec<MixedIndex> = result.iter().map(|&size| size.into()).collect();
        for (dim, (group, &product)) in groups.iter().zip(&known_products).enumerate() {
            let unknown = group
                .iter()
                .filter_map(|&at| usize::try_from(at).ok())
                .find(|&at| result.get(at) == Some(&DYNAMIC));
            let Some(unknown) = unknown else {
                continue;
            };
            let index = arith::constant_index(b, dim as i64);
            let mut size = b.value(&DIM, &[source, index], Type::INDEX);
            if product != 1 {
                let divisor = arith::constant_index(b, product);
                size = b.value(&arith::DIVUI, &[size, divisor], Type::INDEX);
            }
            shape[unknown] = size.into();
        }
        shape
    });
    Some(shape)
}

/// Which of the `small` groups each of the `large` ones is made of.
fn nest(small: &[Vec<i64>], large: &[Vec<i64>]) -> Option<Vec<Vec<i64>>> {
    let mut next = 0;
    let mut result = Vec::with_capacity(large.len());
    for group in large {
        let mut count = 0;
        let mut members = Vec::new();
        while count < group.len() {
            count += small.get(next)?.len();
            members.push(next as i64);
            next += 1;
        }
        if count != group.len() {
            return None;
        }
        result.push(members);
    }
    (next == small.len()).then_some(result)
}
