//! Patterns of `subview`, `view`, `reinterpret_cast` and
//! `extract_strided_metadata`.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::dialects::arith;
use crate::dialects::memref::metadata::ExtractStridedMetadata;
use crate::dialects::memref::offset_size_stride::{MixedIndex, OffsetSizeStride, static_values};
use crate::dialects::memref::views::{
    CAST, REINTERPRET_CAST, SUBVIEW, VIEW, View, subview_dropped_dims,
};
use crate::dialects::memref::{alloc, fold, types};
use crate::dialects::shared::assembly;
use crate::ir::context::Context;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Op, Value};
use crate::ir::rewriter::Rewriter;
use crate::ir::types::{DYNAMIC, MemRefType, Type};

use super::{cast_source, replace_with_cast};

/// Uses of an offset, size or stride that the type of the source tells become
/// uses of a constant.
pub(super) fn constant_metadata(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let known = fold::known_metadata(rw.ir, ExtractStridedMetadata(op));
    let mut changed = false;
    for (i, index) in known.into_iter().enumerate() {
        let result = rw.ir.result(op, 1 + i);
        let MixedIndex::Constant(number) = index else {
            continue;
        };
        if rw.ir.has_no_uses(result) {
            continue;
        }
        let constant = rw.build_before(op, |b| arith::constant_index(b, number));
        rw.replace_all_uses(result, constant);
        changed = true;
    }
    changed
}

/// The type of a subview of `source` with `lists`, without the dimensions that
/// `dropped` names.
fn subview_type(
    context: &Context,
    source: &MemRefType,
    lists: &OffsetSizeStride,
    dropped: &[bool],
) -> Option<Type> {
    let full = types::infer_subview_type(
        context,
        source,
        &static_values(&lists.offsets),
        &static_values(&lists.sizes),
        &static_values(&lists.strides),
    )?;
    let (strides, offset) = context.memref_strides(&full)?;
    let keep = |list: &[i64]| -> Vec<i64> {
        let kept = list.iter().zip(dropped).filter(|&(_, &dropped)| !dropped);
        kept.map(|(&number, _)| number).collect()
    };
    Some(context.memref_type(types::strided_memref(
        context,
        &keep(&full.shape),
        full.element,
        offset,
        &keep(&strides),
        full.space,
    )))
}

/// Replaces subview `op` by one of `source` with `lists`, and a cast.
fn replace_subview(rw: &mut Rewriter<'_>, op: Op, source: Value, lists: &OffsetSizeStride) -> bool {
    let context = Arc::clone(rw.ir.context());
    let dropped = subview_dropped_dims(rw.ir, op);
    let memref = assembly::memref_of(rw.ir, source);
    let Some(ty) = subview_type(&context, memref, lists, &dropped) else {
        return false;
    };
    if !types::cast_compatible(&context, ty, rw.ir.value_type(rw.ir.result(op, 0))) {
        return false;
    }
    let spec = OpSpec::new(&SUBVIEW, rw.ir.loc(op))
        .operands(&[source])
        .results(&[ty]);
    let new = rw.create_before(op, lists.append_to(&context, spec));
    let value = rw.ir.result(new, 0);
    replace_with_cast(rw, op, value);
    true
}

/// subview(x)[%c1] -> cast(subview(x)[1]); negative offsets and sizes, which
/// no program may have, stay values, and strides of zero, which types of MLIR 19
/// do not have.
pub(super) fn subview_constants(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(mut lists) = OffsetSizeStride::of(rw.ir, op) else {
        return false;
    };
    let mut changed = false;
    let may_be_known: [fn(i64) -> bool; 3] = [|n| n >= 0, |n| n >= 0, |n| n != 0];
    let all = [&mut lists.offsets, &mut lists.sizes, &mut lists.strides];
    for (list, may_be_known) in all.into_iter().zip(may_be_known) {
        for index in list {
            let simplified = index.simplified(rw.ir);
            if simplified != *index && may_be_known(simplified.static_value()) {
                *index = simplified;
                changed = true;
            }
        }
    }
    let source = rw.ir.operand(op, 0);
    changed && replace_subview(rw, op, source, &lists)
}

/// subview(cast(x)) -> cast(subview(x)), where the cast only forgets.
pub(super) fn subview_of_cast(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let operand = rw.ir.operand(op, 0);
    let Some(source) = cast_source(rw.ir, operand) else {
        return false;
    };
    let (from, to) = (rw.ir.value_type(source), rw.ir.value_type(operand));
    if !types::cast_only_forgets(rw.ir.context(), from, to) {
        return false;
    }
    match OffsetSizeStride::of(rw.ir, op) {
        Some(lists) => replace_subview(rw, op, source, &lists),
        None => false,
    }
}

/// subview(x) that takes all of x -> cast(x)
pub(super) fn subview_of_all(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let source = rw.ir.operand(op, 0);
    let Some(lists) = OffsetSizeStride::of(rw.ir, op) else {
        return false;
    };
    let memref = assembly::memref_of(rw.ir, source);
    let is = |index: &MixedIndex, number| index.constant(rw.ir) == Some(number);
    let is_all = lists.offsets.iter().all(|index| is(index, 0))
        && lists.strides.iter().all(|index| is(index, 1))
        && lists
            .sizes
            .iter()
            .zip(&*memref.shape)
            .all(|(index, &size)| size != DYNAMIC && is(index, size));
    // A rank-reducing subview is no cast.
    if !is_all || !fold::can_cast(rw.ir, source, rw.ir.result(op, 0)) {
        return false;
    }
    replace_with_cast(rw, op, source);
    true
}

/// view(x)[..][%c4] : memref<?xf32> -> cast(view(x)[..][] : memref<4xf32>)
pub(super) fn view_constants(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let context = Arc::clone(rw.ir.context());
    let view = View(op);
    let mut memref = assembly::memref_of(rw.ir, rw.ir.result(op, 0)).clone();
    let mut remaining: SmallVec<[Value; 4]> = SmallVec::new();
    let mut sizes = view.sizes(rw.ir).iter();
    let n_dynamic = sizes.len();
    for size in memref.shape.iter_mut().filter(|size| **size == DYNAMIC) {
        let Some(&operand) = sizes.next() else {
            return false;
        };
        match arith::as_constant_index(rw.ir, operand) {
            Some(number) if number >= 0 => *size = number,
            _ => remaining.push(operand),
        }
    }
    if remaining.len() == n_dynamic {
        return false;
    }
    let spec = OpSpec::new(&VIEW, rw.ir.loc(op))
        .operands(&[view.source(rw.ir), view.byte_shift(rw.ir)])
        .operands(&remaining)
        .results(&[context.memref_type(memref)]);
    let new = rw.create_before(op, spec);
    let value = rw.ir.result(new, 0);
    replace_with_cast(rw, op, value);
    true
}

/// view(cast(alloc)) -> view(alloc)
pub(super) fn view_of_cast(rw: &mut Rewriter<'_>, op: Op) -> bool {
    match cast_source(rw.ir, rw.ir.operand(op, 0)) {
        Some(source) if rw.ir.defined_by(source, &alloc::ALLOC).is_some() => {
            rw.set_operand(op, 0, source);
            true
        }
        _ => false,
    }
}

/// reinterpret_cast(view of x) -> reinterpret_cast(x), for views that have the
/// same base pointers: other reinterpret_casts, casts, subviews at offset 0.
pub(super) fn reinterpret_cast_of_view(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(inner) = rw.ir.defining_op(rw.ir.operand(op, 0)) else {
        return false;
    };
    let is_transparent = if rw.ir.is(inner, &SUBVIEW) {
        OffsetSizeStride::of(rw.ir, inner).is_some_and(|lists| {
            lists
                .offsets
                .iter()
                .all(|offset| offset.constant(rw.ir) == Some(0))
        })
    } else {
        rw.ir.is(inner, &REINTERPRET_CAST) || rw.ir.is(inner, &CAST)
    };
    if is_transparent {
        let source = rw.ir.operand(inner, 0);
        rw.set_operand(op, 0, source);
    }
    is_transparent
}

/// reinterpret_cast of the base buffer of x with the offset, sizes and strides
/// of x -> cast(x)
pub(super) fn reinterpret_cast_of_metadata(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let base = rw.ir.operand(op, 0);
    let Some(extract) = rw
        .ir
        .defining_op(base)
        .and_then(|inner| ExtractStridedMetadata::cast(rw.ir, inner))
    else {
        return false;
    };
    let Some(lists) = fold::known_lists(rw.ir, op) else {
        return false;
    };
    let stated: Vec<MixedIndex> = [lists.offsets, lists.sizes, lists.strides].concat();
    let source = extract.source(rw.ir);
    let known = fold::known_metadata(rw.ir, extract);
    if stated.len() != known.len()
        || !stated.iter().zip(&known).all(|(a, b)| a.equals(*b, rw.ir))
        || !fold::can_cast(rw.ir, source, rw.ir.result(op, 0))
    {
        return false;
    }
    replace_with_cast(rw, op, source);
    true
}
