//! Quantized tensors become the integers that they store. An operation on them is, by StableHLO's rules, the one on
//! floats between `uniform_dequantize` and `uniform_quantize`; those that only move elements stay as they are.
//!
//! Arguments, results, calls and control flow hand on the stored integers. Bodies of reductions, sorts and the like are on
//! single elements, which are rounded at each step.

use std::sync::Arc;

use freehold_frontend::dialects::stablehlo::{elementwise, indexing, reductions, regions, shapes};
use freehold_frontend::dialects::vhlo::quantized::Quantized;
use freehold_frontend::dialects::{chlo, func};
use freehold_frontend::ir::attrs::{AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::{OpDef, Traits};
use freehold_frontend::ir::types::{FloatKind, Signedness, Type, TypeKind};

use super::build::tensor_type;
use super::stablehlo_legalize_to_linalg::Unsupported;

/// Operations that change no element, if all quantized tensors of one are of one kind.
static MOVES: &[&OpDef] = &[
    &elementwise::SELECT,
    &indexing::GATHER,
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

/// Operations whose types are those of a function.
static CALLS: &[&OpDef] = &[&func::CALL, &regions::COMPOSITE];

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

/// The stored type of a quantized tensor, or the type itself.
fn stored_type(context: &Arc<Context>, ty: Type) -> Type {
    let of = Quantized::of(context, context.element_type_or_self(ty));
    match of.and_then(|of| element_types(context, &of)) {
        Some([stored, _]) => context.with_element_type(ty, stored),
        None => ty,
    }
}

/// Takes quantized types out of a function.
pub(super) fn open(ir: &mut Ir) -> Result<(), (Op, Unsupported)> {
    let all: Vec<Op> = ir.walk(ir.root()).collect();
    let blocks: Vec<Block> = all.iter().flat_map(|&op| blocks_of(ir, op)).collect();
    let is_quantized = |ir: &Ir, op: Op| {
        let values = ir.operands(op).iter().chain(ir.results(op));
        values
            .copied()
            .any(|value| quantization(ir, value).is_some())
    };
    let affected: Vec<Op> = all.into_iter().filter(|&op| is_quantized(ir, op)).collect();
    let is_argument = |&value: &Value| quantization(ir, value).is_some();
    let mut arguments = blocks.iter().flat_map(|&block| ir.block_args(block));
    if affected.is_empty() && !arguments.any(is_argument) {
        return Ok(());
    }
    let mut steps = Vec::new();
    let mut kept = Vec::new();
    for op in affected {
        let is_step = ir.is(op, &elementwise::UNIFORM_QUANTIZE)
            || ir.is(op, &elementwise::UNIFORM_DEQUANTIZE);
        if is_step {
            steps.push(op);
        } else if ir.is(op, &elementwise::CONSTANT) || is_move(ir, op) || hands_on(ir, op) {
            kept.push(op);
        } else if ir.regions(op).is_empty() && ir.op_name(op).starts_with("stablehlo.") {
            on_floats(ir, op, &mut steps);
        } else {
            return Err((
                op,
                "its quantized operands and results are of several kinds".into(),
            ));
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
    let results = kept.into_iter().chain(steps.iter().map(|step| step.0));
    let mut values: Vec<Value> = results.flat_map(|op| ir.results(op).to_vec()).collect();
    values.extend(blocks.iter().flat_map(|&block| ir.block_args(block)));
    let context = Arc::clone(ir.context());
    for value in values {
        let stored = stored_type(&context, ir.value_type(value));
        ir.set_value_type(value, stored);
    }
    map_signature(ir, &|ty| stored_type(&context, ty));
    for (op, from, to) in steps {
        let mut b = Builder::before(ir, op);
        let mut value = b.ir.operand(op, 0);
        for (of, make) in [
            (
                &from,
                dequantized as fn(&mut Builder<'_>, Value, &Quantized) -> Option<Value>,
            ),
            (&to, quantized),
        ] {
            let Some(of) = of else {
                continue;
            };
            let made = make(&mut b, value, of);
            value = made.ok_or((op, "there is none for these elements".into()))?;
        }
        if b.ir.value_type(value) != b.ir.value_type(b.ir.result(op, 0)) {
            return Err((op, "its floats are of another type".into()));
        }
        ir.replace_op(op, &[value]);
    }
    Ok(())
}

fn blocks_of(ir: &Ir, op: Op) -> Vec<Block> {
    let regions = ir.regions(op).iter();
    regions.flat_map(|&region| ir.blocks_in(region)).collect()
}

/// Replaces the types of arguments and results in the type of a function.
pub(super) fn map_signature(ir: &mut Ir, map: &dyn Fn(Type) -> Type) {
    let root = ir.root();
    let context = Arc::clone(ir.context());
    let Some(ty) = ir.function_type(root) else {
        return;
    };
    let TypeKind::Function { inputs, results } = context.type_kind(ty) else {
        return;
    };
    let [inputs, results] = [inputs, results].map(|types| {
        let types = types.iter().map(|&ty| map(ty));
        types.collect()
    });
    let ty = context.intern_type(TypeKind::Function { inputs, results });
    ir.set_attr(root, Name::FUNCTION_TYPE, context.type_attr(ty));
}

/// Whether an operation hands on its operands as they are, or has a body on single elements of one kind.
fn hands_on(ir: &Ir, op: Op) -> bool {
    let types = |values: &[Value]| -> Vec<Type> {
        let context = ir.context();
        let elements = values
            .iter()
            .map(|&value| context.element_type_or_self(ir.value_type(value)));
        elements.collect()
    };
    let (operands, results) = (types(ir.operands(op)), types(ir.results(op)));
    let blocks = blocks_of(ir, op);
    let ends: Option<Vec<Vec<Type>>> = blocks
        .iter()
        .map(|&block| Some(types(ir.operands(ir.last_op(block)?))))
        .collect();
    let Some(ends) = ends else {
        return false;
    };
    let arguments: Vec<Vec<Type>> = blocks
        .iter()
        .map(|&block| types(ir.block_args(block)))
        .collect();
    if ir.def(op).traits.contains(Traits::TERMINATOR) || CALLS.iter().any(|row| ir.is(op, row)) {
        return true;
    }
    if ir.is(op, &regions::OPTIMIZATION_BARRIER) {
        return operands == results;
    }
    if ir.is(op, &regions::IF) || ir.is(op, &regions::CASE) {
        return ends.iter().all(|end| *end == results);
    }
    if ir.is(op, &regions::WHILE) {
        return operands == results
            && arguments.iter().all(|arguments| *arguments == operands)
            && ends.last() == Some(&results);
    }
    let is_quantized = |&ty: &Type| Quantized::of(ir.context(), ty).is_some();
    if ir.is(op, &reductions::SORT) {
        let twice: Vec<Type> = operands.iter().flat_map(|&ty| [ty, ty]).collect();
        return operands == results && arguments == [twice];
    }
    let inside = arguments.iter().chain(&ends).flatten();
    let mut all = operands
        .iter()
        .chain(&results)
        .chain(inside)
        .filter(|ty| is_quantized(ty));
    let first = all.next();
    !blocks.is_empty() && first.is_some_and(|first| all.all(|ty| ty == first))
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

/// round(x / scale) + zero, within the limits of the stored type.
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
