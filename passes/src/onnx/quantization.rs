//! Conversions between numbers and their quantized form.

use freehold_frontend::dialects::onnx::rows as onnx;
use freehold_frontend::dialects::stablehlo::elementwise as sh;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::{Type, TypeKind};

use super::convert_onnx_to_stablehlo::Row;
use super::elementwise::cast;
use super::graph::{Cx, Fold};
use super::node::{Lowered, Node, Refused, axis};
use super::sizes::c;

pub(super) const ROWS: &[Row] = &[
    (&onnx::DEQUANTIZE_LINEAR, dequantize_linear),
    (&onnx::DYNAMIC_QUANTIZE_LINEAR, dynamic_quantize_linear),
    (&onnx::QUANTIZE_LINEAR, quantize_linear),
];

/// A scale or zero point of one element as a scalar, so that it fits everywhere.
pub(super) fn as_parameter(cx: &mut Cx<'_>, value: Value) -> Result<Value, Refused> {
    let dims = cx.dims(value);
    match dims.iter().all(|&dim| dim == c(1)) {
        true => cx.reshape(value, &[]),
        false => Ok(value),
    }
}

/// A zero point as a number to be taken off.
pub(super) fn zero_point(cx: &mut Cx<'_>, value: Value, ty: Type) -> Result<Value, Refused> {
    let value = cx.convert(value, ty)?;
    as_parameter(cx, value)
}

/// The least and the greatest number of an integer type.
fn bounds(cx: &Cx<'_>, ty: Type) -> Option<(f64, f64)> {
    let width = cx.b.ir.context().integer_width(ty)?;
    Some(match cx.is_unsigned(ty) {
        true => (0.0, ((1i64 << width) - 1) as f64),
        false => (
            -((1i64 << (width - 1)) as f64),
            ((1i64 << (width - 1)) - 1) as f64,
        ),
    })
}

/// Numbers divided by a scale, rounded to even, moved by the zero point, and kept in the range of `ty`. Scale and zero
/// point have the shape of the numbers or are scalars.
pub(super) fn quantize(
    cx: &mut Cx<'_>,
    value: Value,
    scale: Value,
    zero: Option<Value>,
    ty: Type,
) -> Result<Value, Refused> {
    let real = cx.element(value);
    let Some((least, most)) = bounds(cx, ty) else {
        return Err("it quantizes to no integers".into());
    };
    let mut rounded = cx.formula("round(x / s)", &[("x", value.into()), ("s", scale.into())])?;
    if let Some(zero) = zero {
        let zero = zero_point(cx, zero, real)?;
        rounded = cx.ew(&sh::ADD, &[rounded, zero])?;
    }
    let terms = [
        ("x", rounded.into()),
        ("l", least.into()),
        ("m", most.into()),
    ];
    let kept = cx.formula("min(max(x, l), m)", &terms)?;
    let wide = cx.convert(kept, Type::I32)?;
    cx.convert(wide, ty)
}

/// A scale or zero point in the shape of `value`: one per position along an axis, one per block of such positions, or a
/// scalar.
fn spread(cx: &mut Cx<'_>, n: &Node, value: Value, parameter: Value) -> Result<Value, Refused> {
    let parameter = as_parameter(cx, parameter)?;
    let rank = cx.rank(value);
    let dims = cx.dims(value);
    match cx.rank(parameter) {
        0 => Ok(parameter),
        1 if n.int("block_size", 0) == 0 => {
            let at = axis(n.int("axis", 1), rank)?;
            Ok(cx.broadcast_in(parameter, &[at], &dims))
        }
        other if other == rank => {
            let at = axis(n.int("axis", 1), rank)?;
            let block = n.int("block_size", 0);
            if block == 0 {
                return Ok(parameter);
            }
            let mut wide = cx.dims(parameter);
            wide.insert(at + 1, c(block));
            let places: Vec<usize> = (0..rank).map(|dim| dim + usize::from(dim > at)).collect();
            let repeated = cx.broadcast_in(parameter, &places, &wide);
            let mut to = cx.dims(parameter);
            to[at] = cx.mul(to[at], c(block));
            let repeated = cx.reshape(repeated, &to)?;
            match to[at] == dims[at] {
                true => Ok(repeated),
                false => Ok(cx.part(repeated, at, c(0), dims[at])),
            }
        }
        _ => Err("its scale does not fit its operand".into()),
    }
}

pub(super) fn quantize_linear(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let context = cx.context();
    let ty = match (n.opt(2), n.ty("output_dtype")) {
        (Some(zero), _) => cx.element(zero),
        (None, Some(ty)) => ty,
        (None, None) => n.elements[0].unwrap_or_else(|| {
            freehold_frontend::dialects::onnx::element_type(&context, 2).unwrap_or(Type::I8)
        }),
    };
    let real = match n.ty("precision") {
        Some(ty) => ty,
        None => Type::F32,
    };
    let narrow = cx.element(value);
    let scale = n.x(1)?;
    // What is narrower than f32 is computed in f32.
    let value = match cx.is_float_type(narrow) {
        true => cx.convert(value, real)?,
        false => cx.convert(value, Type::F32)?,
    };
    let real = cx.element(value);
    let scale = cx.convert(scale, real)?;
    let scale = spread(cx, n, value, scale)?;
    let zero = match n.opt(2) {
        Some(zero) => {
            let zero = cx.convert(zero, real)?;
            Some(spread(cx, n, value, zero)?)
        }
        None => None,
    };
    if cx.is_float_type(ty) {
        let terms = [("x", value.into()), ("s", scale.into())];
        let mut scaled = cx.formula("x / s", &terms)?;
        if let Some(zero) = zero {
            scaled = cx.ew(&sh::ADD, &[scaled, zero])?;
        }
        return Ok(vec![cast(cx, n, scaled, ty)?]);
    }
    Ok(vec![quantize(cx, value, scale, zero, ty)?])
}

pub(super) fn dequantize_linear(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let (value, scale) = (n.x(0)?, n.x(1)?);
    let ty = match n.ty("output_dtype") {
        Some(ty) => ty,
        None => cx.element(scale),
    };
    let scale = cx.convert(scale, Type::F32)?;
    let from = cx.element(value);
    // Differences of integers are exact.
    let is_integer = matches!(cx.context().type_kind(from), TypeKind::Integer { .. });
    let middle = if is_integer { Type::I32 } else { Type::F32 };
    let mut number = cx.convert(value, middle)?;
    if let Some(zero) = n.opt(2) {
        let zero = cx.convert(zero, middle)?;
        let zero = spread(cx, n, number, zero)?;
        number = cx.ew(&sh::SUBTRACT, &[number, zero])?;
    }
    let number = cx.convert(number, Type::F32)?;
    let scale = spread(cx, n, number, scale)?;
    let real = cx.ew(&sh::MULTIPLY, &[number, scale])?;
    Ok(vec![cx.convert(real, ty)?])
}

fn dynamic_quantize_linear(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let context = cx.context();
    let ty = freehold_frontend::dialects::onnx::element_type(&context, 2).ok_or("no type")?;
    let (scale, zero) = dynamic_range(cx, value)?;
    let zero_number = cx.convert(zero, Type::I32)?;
    let zero_point = cx.convert(zero_number, ty)?;
    let result = quantize(cx, value, scale, Some(zero_point), ty)?;
    Ok(vec![result, scale, zero_point])
}

/// The scale and the zero point with which 8 bits hold all elements and 0.
pub(super) fn dynamic_range(cx: &mut Cx<'_>, value: Value) -> Result<(Value, Value), Refused> {
    let all: Vec<usize> = (0..cx.rank(value)).collect();
    let most = cx.reduce(value, Fold::Max, &all);
    let least = cx.reduce(value, Fold::Min, &all);
    let terms = [("m", most.into()), ("l", least.into())];
    let range = cx.formula("max(m, 0) - min(l, 0)", &terms)?;
    // Zeros alone are zeros with any scale.
    let scale = cx.formula("select(r == 0, 1, r / 255)", &[("r", range.into())])?;
    let terms = [("l", least.into()), ("s", scale.into())];
    let zero = cx.formula("round(min(max((0 - min(l, 0)) / s, 0), 255))", &terms)?;
    Ok((scale, zero))
}
