//! Values of attributes.

use freehold_frontend::ir::attrs::{Attr, AttrKind, DenseElements};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::types::Type;

use crate::value::{Array, Kind, Scalar, Value, flat, mask, n_elements};

/// Shape and elements of a dense attribute.
pub(crate) fn elements(
    context: &Context,
    dense: &DenseElements,
) -> Option<(Vec<i64>, Vec<Scalar>)> {
    let shape = context.shape(dense.ty)?.to_vec();
    let kind = Kind::of(context, context.element_of(dense.ty))?;
    let size = kind.byte_size();
    let bits = |chunk: &[u8]| Scalar::Bits(kind.from_bytes(chunk));
    let n = n_elements(&shape);
    let elements = if dense.splat {
        vec![bits(dense.bytes.get(..size)?); n]
    } else {
        dense.bytes.chunks_exact(size).take(n).map(bits).collect()
    };
    Some((shape, elements))
}

/// The value of an attribute as a constant of type `ty`.
pub(crate) fn value(context: &Context, attr: Attr, ty: Type) -> Option<Value> {
    match context.attr_kind(attr) {
        AttrKind::Integer { value, .. } => {
            let kind = Kind::of(context, ty)?;
            Some(Value::bits(*value as u128 & mask(kind.width())))
        }
        AttrKind::Float { bits, .. } => Some(Value::bits(*bits)),
        AttrKind::DenseElements(dense) => {
            let (shape, elements) = elements(context, dense)?;
            Some(Value::array(shape, elements))
        }
        AttrKind::SparseElements {
            ty,
            indices,
            values,
        } => {
            let shape = context.shape(*ty)?.to_vec();
            let mut all = vec![Scalar::Bits(0); n_elements(&shape)];
            let (_, values) = elements(context, context.attr_dense(*values)?)?;
            let (_, at) = elements(context, context.attr_dense(*indices)?)?;
            for (value, at) in values.into_iter().zip(at.chunks(shape.len().max(1))) {
                let at: Option<Vec<i64>> = at
                    .iter()
                    .map(|at| at.bits().map(|bits| bits as i64))
                    .collect();
                *all.get_mut(flat(&shape, &at?))? = value;
            }
            Some(Value::array(shape, all))
        }
        AttrKind::Array(parts) => {
            // A complex number is a pair.
            let kind = Kind::of(context, ty)?;
            let (_, 2) = kind.storage() else { return None };
            let width = kind.width() / 2;
            let mut bits = 0;
            for (index, &part) in parts.iter().enumerate() {
                let part = match context.attr_kind(part) {
                    AttrKind::Float { bits, .. } => *bits,
                    AttrKind::Integer { value, .. } => *value as u128 & mask(width),
                    _ => return None,
                };
                bits |= part << (index as u32 * width);
            }
            Some(Value::bits(bits))
        }
        _ => None,
    }
}

/// `array` with another shape.
pub(crate) fn reshaped(array: &Array, shape: Vec<i64>) -> Value {
    Value::array(shape, array.elements.clone())
}
