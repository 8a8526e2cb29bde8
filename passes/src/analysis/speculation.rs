//! Which operations may run where the program would not have run them, so that they may leave a loop that maybe runs
//! not even once.
//!
//! Upstream takes views, casts and slices for speculatable. Where their sizes do not fit, this compiler's size checks
//! stop the program, so here only those are that fit for certain.

use freehold_frontend::dialects::memref::OffsetSizeStride;
use freehold_frontend::dialects::{affine, arith, memref, scf, tensor};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Region, Value};
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::{DYNAMIC, TypeKind};

/// Whether `op` has no effect, cannot go wrong and is no part of control flow, with all that is inside.
pub(crate) fn may_run_anywhere(ir: &Ir, op: Op) -> bool {
    if ir.has_trait(op, Traits::TERMINATOR) || !ir.is_memory_effect_free(op) {
        return false;
    }
    let terminates = |inner| !ir.is(inner, &scf::FOR_UNSIGNED);
    ir.walk(op).all(|inner| {
        if ir.has_trait(inner, Traits::TERMINATOR) {
            return inner != op && ir.successors(inner).is_empty();
        }
        match ir.regions(inner) {
            [] => is_harmless(ir, inner),
            _ => has_harmless_regions(ir, inner) && terminates(inner),
        }
    })
}

/// Whether an operation with regions ends whenever its regions do, each of one block.
fn has_harmless_regions(ir: &Ir, op: Op) -> bool {
    if ir.is(op, &scf::FOR) {
        return arith::as_constant_index(ir, scf::For(op).step(ir)) == Some(1);
    }
    ir.is(op, &scf::IF) || ir.is(op, &affine::IF) || ir.is(op, &affine::FOR)
}

/// Whether an operation without regions cannot go wrong.
fn is_harmless(ir: &Ir, op: Op) -> bool {
    let shaped = |value: &Value| {
        let kind = ir.context().type_kind(ir.value_type(*value));
        !matches!(
            kind,
            TypeKind::RankedTensor { .. }
                | TypeKind::UnrankedTensor(_)
                | TypeKind::MemRef(_)
                | TypeKind::UnrankedMemRef { .. }
        )
    };
    let has_only_numbers = ir.operands(op).iter().all(shaped) && ir.results(op).iter().all(shaped);
    if has_only_numbers {
        return arith::is_speculatable(ir, op);
    }
    if ir.is(op, &memref::DIM) || ir.is(op, &tensor::DIM) {
        let rank = shape(ir, ir.operand(op, 0)).map_or(0, <[i64]>::len);
        let dim = arith::as_constant_index(ir, ir.operand(op, 1));
        return dim
            .and_then(|dim| usize::try_from(dim).ok())
            .is_some_and(|dim| dim < rank);
    }
    if !ir.has_trait(op, Traits::SPECULATABLE) {
        return false;
    }
    if ir.has_trait(op, Traits::CONSTANT_LIKE) || ir.operands(op).is_empty() {
        return true;
    }
    if ir.has_trait(op, Traits::ELEMENTWISE) {
        return (ir.operands(op).iter().chain(ir.results(op)))
            .all(|&value| shape(ir, value).is_none_or(|shape| !shape.contains(&DYNAMIC)));
    }
    if ir.is(op, &memref::CAST) {
        let [from, to] = [ir.operand(op, 0), ir.result(op, 0)].map(|value| ir.value_type(value));
        return memref::cast_only_forgets(ir.context(), from, to);
    }
    if ir.is(op, &memref::EXTRACT_STRIDED_METADATA)
        || ir.is(op, &memref::EXTRACT_ALIGNED_POINTER_AS_INDEX)
        || ir.is(op, &memref::RANK)
        || ir.is(op, &tensor::RANK)
        || ir.is(op, &memref::TRANSPOSE)
    {
        return true;
    }
    let whole = if ir.is(op, &tensor::INSERT_SLICE) {
        ir.result(op, 0)
    } else if ir.is(op, &memref::SUBVIEW) || ir.is(op, &tensor::EXTRACT_SLICE) {
        ir.operand(op, 0)
    } else {
        return false;
    };
    is_inside(ir, op, whole)
}

/// Whether a slice is known to lie in `whole`.
fn is_inside(ir: &Ir, op: Op, whole: Value) -> bool {
    let (Some(slice), Some(shape)) = (OffsetSizeStride::of(ir, op), shape(ir, whole)) else {
        return false;
    };
    let lists = slice.offsets.iter().zip(&slice.sizes).zip(&slice.strides);
    lists.len() == shape.len()
        && lists.zip(shape).all(|(((offset, size), stride), &extent)| {
            let numbers = [offset, size, stride].map(|index| index.constant(ir));
            let [Some(offset), Some(size), Some(stride)] = numbers else {
                return false;
            };
            let last = (size - 1)
                .checked_mul(stride)
                .and_then(|span| span.checked_add(offset));
            offset >= 0 && stride >= 0 && size > 0 && last.is_some_and(|last| last < extent)
        })
}

fn shape(ir: &Ir, value: Value) -> Option<&[i64]> {
    ir.context().shape(ir.value_type(value))
}

/// Whether all that `op` uses is defined outside of `region`, or inside of `op`.
pub(crate) fn uses_only_outside(ir: &Ir, op: Op, region: Region) -> bool {
    let is_fine = |&value: &Value| {
        let Some(block) = ir.value_block(value) else {
            return true;
        };
        // What is defined deeper in the region is defined by `op`, or could not be used here.
        ir.ancestor_block_in_region(block, region).is_none()
            || ir
                .block_parent_op(block)
                .is_some_and(|owner| ir.is_ancestor(op, owner))
    };
    ir.walk(op)
        .all(|inner| ir.operands(inner).iter().all(is_fine))
}
