//! Vectors all of whose elements are the same.

use freehold_frontend::dialects::{arith, vector};
use freehold_frontend::ir::attrs::AttrKind;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::target::Element;

/// What a vector repeats: a scalar, or a vector as a row.
fn repeated(ir: &Ir, value: Value) -> Option<Value> {
    let op = ir.defined_by(value, &vector::BROADCAST)?;
    Some(ir.operand(op, 0))
}

/// The scalar that all elements of a vector are, if there is one.
pub(crate) fn splat_source(ir: &Ir, value: Value) -> Option<Value> {
    repeated(ir, value).filter(|&source| !vector::is_vector(ir.context(), ir.value_type(source)))
}

/// The bits of the constant that all elements of a vector, or a scalar, are, if there is one of at most 64 bits.
pub(crate) fn splat_bits(ir: &Ir, value: Value) -> Option<u64> {
    let attr = arith::as_constant_attr(ir, repeated(ir, value).unwrap_or(value))?;
    let context = ir.context();
    match (context.attr_dense(attr), context.attr_kind(attr)) {
        (Some(dense), _) if dense.splat && dense.bytes.len() <= 8 => {
            let mut bytes = [0; 8];
            bytes[..dense.bytes.len()].copy_from_slice(&dense.bytes);
            Some(u64::from_le_bytes(bytes))
        }
        (_, AttrKind::Float { bits, .. }) => Some(*bits as u64),
        (_, AttrKind::Integer { value, .. }) => Some(*value as u64),
        _ => None,
    }
}

/// The number that all elements of a vector of floats, or a float, are, if it is known.
pub(crate) fn splat_float(ir: &Ir, value: Value) -> Option<f64> {
    let bits = splat_bits(ir, value)?;
    match element_of(ir, value)? {
        Element::F32 => Some(f32::from_bits(bits as u32).into()),
        Element::F64 => Some(f64::from_bits(bits)),
        _ => None,
    }
}

/// The number that all elements of a vector of integers are, if it is known, as signed.
pub(crate) fn splat_integer(ir: &Ir, value: Value) -> Option<i64> {
    let Element::Int(width) = element_of(ir, value)? else {
        return None;
    };
    let gap = 64 - width;
    Some((splat_bits(ir, value)? << gap) as i64 >> gap)
}

fn element_of(ir: &Ir, value: Value) -> Option<Element> {
    let context = ir.context();
    Element::of(context, context.element_type_or_self(ir.value_type(value)))
}
