//! Vectors all of whose elements are the same.

use freehold_frontend::dialects::{arith, vector};
use freehold_frontend::ir::attrs::AttrKind;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
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
fn splat_float(ir: &Ir, value: Value) -> Option<f64> {
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

/// A limit for other values: a known number that is not NaN.
pub(crate) struct Limit {
    /// Whether it is the right operand.
    pub(crate) is_right: bool,
    /// Whether it is the smallest value of the result, else the largest.
    pub(crate) is_max: bool,
    /// Whether it is the zero that replaces the other zero, to which it compares equal.
    pub(crate) wins_zero: bool,
}

/// The limit if `op` is the larger or smaller of a value and a number that is known: one comparison tells which.
/// Without that knowledge zeros of both signs and NaNs make it a dozen instructions.
pub(crate) fn limit(ir: &Ir, op: Op) -> Option<Limit> {
    let is_max = ir.is(op, &arith::MAXIMUMF);
    if !is_max && !ir.is(op, &arith::MINIMUMF) {
        return None;
    }
    let number = |index| splat_float(ir, ir.operand(op, index));
    let (number, is_right) = match number(1) {
        Some(number) => (number, true),
        None => (number(0)?, false),
    };
    (!number.is_nan()).then_some(Limit {
        is_right,
        is_max,
        wins_zero: number == 0.0 && number.is_sign_negative() != is_max,
    })
}
