//! Lists of numbers: `array<i64: 1, 2>` is `dense<[1, 2]> : tensor<2xi64>` here.

use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::context::Context;
use crate::ir::types::{Type, TypeKind};
use crate::syntax::dense;

/// `dense<...> : tensor<...xi64>`
pub fn i64_elements(context: &Context, shape: &[i64], values: &[i64]) -> Attr {
    let bytes: Vec<u8> = values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    elements(context, shape, Type::I64, bytes)
}

/// `dense<...> : tensor<...xi1>`
pub fn bool_elements(context: &Context, values: &[bool]) -> Attr {
    let bytes: Vec<u8> = values.iter().map(|&value| u8::from(value)).collect();
    elements(context, &[values.len() as i64], Type::I1, bytes)
}

fn elements(context: &Context, shape: &[i64], element: Type, bytes: Vec<u8>) -> Attr {
    let ty = context.intern_type(TypeKind::RankedTensor {
        shape: shape.into(),
        element,
        encoding: None,
    });
    let size = dense::element_bytes(context, element);
    dense::dense_attr(context, ty, bytes, size)
}

/// The elements of an array as a tensor of one dimension; none if it is no array of i64 or i1.
pub fn elements_of_array(context: &Context, attr: Attr) -> Option<Attr> {
    match context.attr_kind(attr) {
        AttrKind::DenseArray { element, bytes } if [Type::I64, Type::I1].contains(element) => {
            let size = dense::element_bytes(context, *element);
            let n = (bytes.len() / size) as i64;
            Some(elements(context, &[n], *element, bytes.to_vec()))
        }
        _ => None,
    }
}

/// The elements of a tensor of i64 or i1 as an array.
pub fn array_of_elements(context: &Context, attr: Attr) -> Option<Attr> {
    let dense = context.attr_dense(attr)?;
    let element = context.element_type_or_self(dense.ty);
    let shape = context.shape(dense.ty)?;
    let is_list = shape.len() == 1 && [Type::I64, Type::I1].contains(&element);
    let bytes = match dense.splat {
        _ if !is_list => return None,
        true => dense.bytes.repeat(usize::try_from(shape[0]).ok()?).into(),
        false => dense.bytes.clone(),
    };
    Some(context.intern_attr(AttrKind::DenseArray { element, bytes }))
}

/// The numbers of a tensor of i64.
pub fn integers(context: &Context, attr: Attr) -> Option<Vec<i64>> {
    context.attr_i64_array(array_of_elements(context, attr)?)
}
