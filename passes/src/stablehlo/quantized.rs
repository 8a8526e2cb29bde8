//! Quantized tensors become the integers that they store. An operation on them is, by StableHLO's rules, the one on
//! floats between `uniform_dequantize` and `uniform_quantize`; those that only move elements stay as they are.
//!
//! What hands quantized tensors on elsewhere, arguments, results and regions, is left alone and refused later.

use std::sync::Arc;

use freehold_frontend::dialects::chlo;
use freehold_frontend::dialects::stablehlo::{elementwise, indexing, regions, shapes};
use freehold_frontend::dialects::vhlo::quantized::Quantized;
use freehold_frontend::ir::attrs::{AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{FloatKind, Signedness, Type, TypeKind};

use super::build::tensor_type;

/// Operations that change no element, if all quantized tensors of one are of one kind.
static MOVES: &[&OpDef] = &[
    &elementwise::SELECT,
    &indexing::GATHER,
    &regions::OPTIMIZATION_BARRIER,
    &shapes::BROADCAST_IN_DIM,
    &shapes::CONCATENATE,
    &shapes::DYNAMIC_SLICE,
    &shapes::DYNAMIC_UPDATE_SLICE,
    &shapes::PAD,
    &shapes::RESHAPE,
    &shapes::REVERSE,
    &shapes::SLICE,
    &shapes::TRANSPOSE,
];

/// The scale of a tensor, its zero and limits.
fn quantization(ir: &Ir, value: Value) -> Option<Quantized> {
    let context = ir.context();
    Quantized::of(context, context.element_type_or_self(ir.value_type(value)))
}

/// The element type that a quantized one stores, and the one that it stands for.
fn element_types(context: &Arc<Context>, of: &Quantized) -> Option<[Type; 2]> {
    let kind = FloatKind::ALL
        .iter()
        .find(|kind| kind.keyword() == of.expressed)?;
    let signedness = match of.is_signed() {
        true => Signedness::Signless,
        false => Signedness::Unsigned,
    };
    let stored = context.intern_type(TypeKind::Integer {
        width: of.width,
        signedness,
    });
    Some([stored, context.intern_type(TypeKind::Float(*kind))])
}

/// Takes quantized types out of a program.
pub(super) fn open(ir: &mut Ir) {
    let all: Vec<Op> = ir.walk(ir.root()).collect();
    let is_quantized = |ir: &Ir, op: Op| {
        let values = ir.operands(op).iter().chain(ir.results(op));
        values
            .copied()
            .any(|value| quantization(ir, value).is_some())
    };
    let affected: Vec<Op> = all.into_iter().filter(|&op| is_quantized(ir, op)).collect();
    if affected.is_empty() {
        return;
    }
    let mut steps = Vec::new();
    let mut kept = Vec::new();
    for op in affected {
        let is_step = ir.is(op, &elementwise::UNIFORM_QUANTIZE)
            || ir.is(op, &elementwise::UNIFORM_DEQUANTIZE);
        if is_step {
            steps.push(op);
        } else if ir.is(op, &elementwise::CONSTANT) || is_move(ir, op) {
            kept.push(op);
        } else if ir.regions(op).is_empty()
            && ir.op_name(op).starts_with("stablehlo.")
            && !ir.is(op, &regions::RETURN)
        {
            on_floats(ir, op, &mut steps);
        }
    }
    // What is stored replaces types only after all quantizations were read.
    let steps: Vec<_> = steps
        .into_iter()
        .map(|op| {
            let from = quantization(ir, ir.operand(op, 0));
            (op, from, quantization(ir, ir.result(op, 0)))
        })
        .collect();
    for op in kept.into_iter().chain(steps.iter().map(|step| step.0)) {
        for result in ir.results(op).to_vec() {
            let context = Arc::clone(ir.context());
            let ty = ir.value_type(result);
            let stored = quantization(ir, result).and_then(|of| element_types(&context, &of));
            if let Some([stored, _]) = stored {
                ir.set_value_type(result, context.with_element_type(ty, stored));
            }
        }
    }
    for (op, from, to) in steps {
        // An operand of elsewhere is still quantized.
        if quantization(ir, ir.operand(op, 0)).is_some() {
            continue;
        }
        let mut b = Builder::before(ir, op);
        let mut value = b.ir.operand(op, 0);
        if let Some(from) = &from {
            let Some(floats) = dequantized(&mut b, value, from) else {
                continue;
            };
            value = floats;
        }
        if let Some(to) = &to {
            let Some(stored) = quantized(&mut b, value, to) else {
                continue;
            };
            value = stored;
        }
        if b.ir.value_type(value) == b.ir.value_type(b.ir.result(op, 0)) {
            ir.replace_op(op, &[value]);
        }
    }
}

fn is_move(ir: &Ir, op: Op) -> bool {
    if !MOVES.iter().any(|row| ir.is(op, row)) {
        return false;
    }
    let values = ir.operands(op).iter().chain(ir.results(op));
    let mut kinds = values.filter_map(|&value| quantization(ir, value));
    let first = kinds.next();
    first.is_some_and(|first| first.axis.is_none() && kinds.all(|kind| kind == first))
}

/// Puts an operation between dequantizations and quantizations.
fn on_floats(ir: &mut Ir, op: Op, steps: &mut Vec<Op>) {
    let context = Arc::clone(ir.context());
    let floats = |ir: &Ir, value: Value| {
        let [_, float] = element_types(&context, &quantization(ir, value)?)?;
        Some(context.with_element_type(ir.value_type(value), float))
    };
    for index in 0..ir.operands(op).len() {
        let operand = ir.operand(op, index);
        if let Some(ty) = floats(ir, operand) {
            let step =
                Builder::before(ir, op).op(&elementwise::UNIFORM_DEQUANTIZE, &[operand], &[ty]);
            let value = ir.result(step, 0);
            ir.set_operand(op, index, value);
            steps.push(step);
        }
    }
    for result in ir.results(op).to_vec() {
        if let Some(ty) = floats(ir, result) {
            let quantized = ir.value_type(result);
            ir.set_value_type(result, ty);
            let step =
                Builder::after(ir, op).op(&elementwise::UNIFORM_QUANTIZE, &[result], &[quantized]);
            let value = ir.result(step, 0);
            ir.replace_uses_if(result, value, |_, user| user.op != step);
            steps.push(step);
        }
    }
}

/// Numbers of f32 or f64, one for all elements or one for each position of a dimension, as an operand for floats of a type.
fn constant(b: &mut Builder<'_>, numbers: &[f64], of: &Quantized, element: Type) -> Value {
    let context = b.context();
    let wide = if element == Type::F64 {
        Type::F64
    } else {
        Type::F32
    };
    let bytes: Vec<u8> = numbers
        .iter()
        .flat_map(|&number| match wide == Type::F64 {
            true => number.to_le_bytes().to_vec(),
            false => (number as f32).to_le_bytes().to_vec(),
        })
        .collect();
    let shape = match of.axis {
        Some(_) if numbers.len() > 1 => vec![numbers.len() as i64],
        _ => Vec::new(),
    };
    let ty = tensor_type(&context, &shape, wide);
    let value = context.intern_attr(AttrKind::DenseElements(DenseElements {
        ty,
        splat: shape.is_empty(),
        bytes: bytes.into(),
    }));
    let value = b.value_with_attr(&elementwise::CONSTANT, &[], ty, Name::VALUE, value);
    match wide == element {
        true => value,
        false => {
            let ty = tensor_type(&context, &shape, element);
            b.value(&elementwise::CONVERT, &[value], ty)
        }
    }
}

/// An operation of a tensor and such numbers.
fn with(
    b: &mut Builder<'_>,
    row: &'static OpDef,
    x: Value,
    numbers: Value,
    of: &Quantized,
) -> Value {
    let context = b.context();
    let ty = b.ir.value_type(x);
    let mut spec = b.spec(row).operands(&[x, numbers]).results(&[ty]);
    let is_list = context
        .shape(b.ir.value_type(numbers))
        .is_some_and(|shape| !shape.is_empty());
    if let Some(axis) = of.axis.filter(|_| is_list) {
        spec = spec.attr(
            Name::BROADCAST_DIMENSIONS,
            context.i64_array_attr(&[axis as i64]),
        );
    }
    let op = b.create(spec);
    b.ir.result(op, 0)
}

fn scales(of: &Quantized) -> Vec<f64> {
    of.scales.iter().map(|scale| scale.0).collect()
}

fn zeros(of: &Quantized) -> Option<Vec<f64>> {
    let zeros: Vec<f64> = of.scales.iter().map(|scale| scale.1 as f64).collect();
    zeros.iter().any(|&zero| zero != 0.0).then_some(zeros)
}

/// (stored - zero) * scale
fn dequantized(b: &mut Builder<'_>, stored: Value, of: &Quantized) -> Option<Value> {
    let context = b.context();
    let [_, element] = element_types(&context, of)?;
    let ty = context.with_element_type(b.ir.value_type(stored), element);
    let mut value = b.value(&elementwise::CONVERT, &[stored], ty);
    if let Some(zeros) = zeros(of) {
        let zeros = constant(b, &zeros, of, element);
        value = with(b, &chlo::BROADCAST_SUBTRACT, value, zeros, of);
    }
    let scales = constant(b, &scales(of), of, element);
    Some(with(b, &chlo::BROADCAST_MULTIPLY, value, scales, of))
}

/// round(x / scale) + zero, within the limits of what is stored.
fn quantized(b: &mut Builder<'_>, floats: Value, of: &Quantized) -> Option<Value> {
    let context = b.context();
    let [stored, element] = element_types(&context, of)?;
    let ty = b.ir.value_type(floats);
    if context.element_type_or_self(ty) != element {
        return None;
    }
    let scales = constant(b, &scales(of), of, element);
    let value = with(b, &chlo::BROADCAST_DIVIDE, floats, scales, of);
    let mut value = b.value(&elementwise::ROUND_NEAREST_EVEN, &[value], ty);
    if let Some(zeros) = zeros(of) {
        let zeros = constant(b, &zeros, of, element);
        value = with(b, &chlo::BROADCAST_ADD, value, zeros, of);
    }
    let limits = [of.min, of.max].map(|limit| constant(b, &[limit as f64], of, element));
    let value = b.value(&elementwise::CLAMP, &[limits[0], value, limits[1]], ty);
    let ty = context.with_element_type(ty, stored);
    Some(b.value(&elementwise::CONVERT, &[value], ty))
}
