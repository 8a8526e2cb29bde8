//! Elements that operations only move: followed from what reads them to the tensor that they come from, through slices that
//! were inserted, as into concatenations, and through reshapes.

use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::memref::OffsetSizeStride;
use freehold_frontend::dialects::tensor;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::DYNAMIC;

use crate::analysis::sizes::{kept_dims, reassociation};

/// A subscript of an element that is read.
#[derive(Clone, Debug)]
pub(super) enum Subscript<T> {
    Known(i64),
    Other(T),
}

/// Limit for the slices that were inserted one after the other: bounds compile time. Subscripts into concatenations of JAX
/// have as many as the tensor has dimensions.
const MAX_INSERTED: usize = 16;

/// The slice that the elements at these subscripts of `whole` are from, the result of a `tensor.insert_slice`, and their
/// subscripts there. What slices were inserted into is not read for its own elements: it may be overwritten by then.
pub(super) fn slice_read<T: Clone>(
    ir: &Ir,
    mut whole: Value,
    subscripts: &[Subscript<T>],
) -> Option<(Value, Vec<Subscript<T>>)> {
    let sizes = interface::shape(ir, whole).to_vec();
    for _ in 0..MAX_INSERTED {
        let insert = ir.defined_by(whole, &tensor::INSERT_SLICE)?;
        let slice = OffsetSizeStride::of(ir, insert)?;
        let mut inside = Vec::with_capacity(subscripts.len());
        let (mut is_outside, mut is_known) = (false, true);
        for (dim, subscript) in subscripts.iter().enumerate() {
            let (offset, size) = (
                slice.offsets.get(dim)?.static_value(),
                slice.sizes.get(dim)?.static_value(),
            );
            let is_static =
                offset != DYNAMIC && size != DYNAMIC && slice.strides.get(dim)?.static_value() == 1;
            match subscript {
                &Subscript::Known(at) if is_static => {
                    is_outside |= at < offset || at >= offset + size;
                    inside.push(Subscript::Known(at - offset));
                }
                _ => {
                    is_known &= is_static && offset == 0 && size == sizes[dim];
                    inside.push(subscript.clone());
                }
            }
        }
        if is_outside {
            whole = ir.operand(insert, 1);
            continue;
        }
        let part = ir.operand(insert, 0);
        let kept = kept_dims(&slice.sizes, interface::shape(ir, part)).filter(|_| is_known)?;
        let kept = kept.into_iter().map(|dim| inside[dim].clone());
        return Some((part, kept.collect()));
    }
    None
}

/// The tensor that another one is but for dimensions of size 1, and the same subscripts there.
pub(super) fn reshaped<T: Clone>(
    ir: &Ir,
    tensor: Value,
    subscripts: &[Subscript<T>],
) -> Option<(Value, Vec<Subscript<T>>)> {
    let reshape = ir.defining_op(tensor)?;
    let is_expand = ir.is(reshape, &tensor::EXPAND_SHAPE);
    if !is_expand && !ir.is(reshape, &tensor::COLLAPSE_SHAPE) {
        return None;
    }
    let source = ir.operand(reshape, 0);
    let large = interface::shape(ir, if is_expand { tensor } else { source });
    let mut found = vec![Subscript::Known(0); interface::shape(ir, source).len()];
    for (at, group) in reassociation(ir, reshape).iter().enumerate() {
        let mut others = group.iter().filter(|&&dim| large[dim as usize] != 1);
        let dim = *others.next().or(group.first())? as usize;
        if others.next().is_some() {
            return None;
        }
        match is_expand {
            true => *found.get_mut(at)? = subscripts.get(dim)?.clone(),
            false => *found.get_mut(dim)? = subscripts.get(at)?.clone(),
        }
    }
    Some((source, found))
}
