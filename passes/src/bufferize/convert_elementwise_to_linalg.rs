//! `convert-elementwise-to-linalg`: arithmetic on whole tensors becomes
//! `linalg.generic` with the same arithmetic on elements.
//!
//! Before:
//! ```mlir
//! %0 = arith.addf %a, %b : tensor<4xf32>
//! ```
//! After:
//! ```mlir
//! %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
//!     ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) {
//! ^bb0(%x: f32, %y: f32, %out: f32):
//!   %1 = arith.addf %x, %y : f32
//!   linalg.yield %1 : f32
//! } -> tensor<4xf32>
//! ```
//!
//! Where no operand has the type of a result, the output is a `tensor.empty`. Operands that are numbers are used for all
//! elements.

use freehold_frontend::dialects::linalg::IteratorType;
use freehold_frontend::dialects::{arith, linalg, tensor};
use freehold_frontend::ir::affine::AffineMap;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::{DYNAMIC, Type, TypeKind};

use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "convert-elementwise-to-linalg",
    summary: "turn elementwise operations on tensors into linalg.generic",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    context.count("operations converted", convert_all(ir));
    Ok(())
}

/// Converts everything there is; returns how much that was.
pub(super) fn convert_all(ir: &mut Ir) -> u64 {
    let mut n_converted = 0;
    for op in ir.collect_ops(ir.root()) {
        if is_elementwise_on_tensors(ir, op) {
            convert(ir, op);
            n_converted += 1;
        }
    }
    n_converted
}

fn is_elementwise_on_tensors(ir: &Ir, op: Op) -> bool {
    // A choice by one number is one between whole tensors.
    let takes_numbers = !ir.is(op, &arith::SELECT);
    ir.has_trait(op, Traits::ELEMENTWISE)
        && ir.operands(op).iter().any(|&value| is_tensor(ir, value))
        && !ir.results(op).is_empty()
        && ir.results(op).iter().all(|&value| is_tensor(ir, value))
        && (ir.operands(op).iter())
            .all(|&value| is_tensor(ir, value) || takes_numbers && is_number(ir, value))
        && takes_elements(ir, op)
}

fn is_tensor(ir: &Ir, value: Value) -> bool {
    let kind = ir.context().type_kind(ir.value_type(value));
    matches!(kind, TypeKind::RankedTensor { .. })
}

/// Whether `value` is an operand that all elements share.
fn is_number(ir: &Ir, value: Value) -> bool {
    let ty = ir.value_type(value);
    ir.context().element_type_or_self(ty) == ty
}

/// Whether the same operation takes numbers: those of StableHLO take tensors only.
fn takes_elements(ir: &Ir, op: Op) -> bool {
    let context = ir.context();
    let specs = ir.def(op).operands;
    let mut operands = ir.operands(op).iter().enumerate();
    operands.all(|(at, &operand)| {
        let spec = specs.get(at).or(specs.last());
        let element = context.element_type_or_self(ir.value_type(operand));
        spec.is_none_or(|spec| (spec.constraint.accepts)(context, element))
    })
}

fn convert(ir: &mut Ir, op: Op) {
    let context = ir.context().clone();
    let operands = ir.operands(op).to_vec();
    let inputs: Vec<Value> = (operands.iter().copied())
        .filter(|&operand| is_tensor(ir, operand))
        .collect();
    let results: Vec<Type> = ir.results(op).iter().map(|&v| ir.value_type(v)).collect();
    let (def, attrs) = (ir.def(op), ir.attrs(op));
    let rank = context.shape(results[0]).map_or(0, <[i64]>::len);

    let mut builder = Builder::before(ir, op);
    let outputs: Vec<Value> = results
        .iter()
        .map(|&ty| output(&mut builder, &inputs, ty))
        .collect();
    let n_operands = inputs.len() + outputs.len();
    let map = context.affine_map_attr(AffineMap::identity(rank));
    let parallel = IteratorType::Parallel.to_attr(&context);
    let segments = [inputs.len() as i32, outputs.len() as i32];
    let spec = builder
        .spec(&linalg::GENERIC)
        .operands(&inputs)
        .operands(&outputs)
        .results(&results)
        .attr(
            Name::OPERAND_SEGMENT_SIZES,
            context.i32_array_attr(&segments),
        )
        .attr(
            Name::INDEXING_MAPS,
            context.array_attr(&vec![map; n_operands]),
        )
        .attr(
            Name::ITERATOR_TYPES,
            context.array_attr(&vec![parallel; rank]),
        )
        .regions(1);
    let generic = builder.create(spec);
    let loc = builder.loc();

    let element = |ty: Type| context.element_type_or_self(ty);
    let arguments: Vec<Type> = ir
        .operands(generic)
        .iter()
        .map(|&v| element(ir.value_type(v)))
        .collect();
    let region = ir.region(generic, 0);
    let block = ir.append_block(region, &arguments);
    let mut elements = ir.block_args(block).to_vec().into_iter();
    let elements: Vec<Value> = (operands.into_iter())
        .map(|operand| match is_tensor(ir, operand) {
            true => elements.next().unwrap_or(operand),
            false => operand,
        })
        .collect();
    let mut builder = Builder::at_end(ir, block);
    builder.set_loc(loc);
    let mut spec = builder.spec(def).operands(&elements);
    spec.results.extend(results.iter().map(|&ty| element(ty)));
    for &(name, attr) in context.dict(attrs) {
        spec.set_attr(name, attr);
    }
    let scalar = builder.create(spec);
    let values = builder.ir.results(scalar).to_vec();
    builder.op(&linalg::YIELD, &values, &[]);

    let replacements = ir.results(generic).to_vec();
    ir.replace_op(op, &replacements);
}

/// A tensor of type `ty` whose elements do not matter.
fn output(builder: &mut Builder<'_>, inputs: &[Value], ty: Type) -> Value {
    let same = inputs.iter().find(|&&v| builder.ir.value_type(v) == ty);
    if let Some(&same) = same {
        return same;
    }
    let context = builder.context();
    let shape = context.shape(ty).unwrap_or(&[]);
    let mut sizes = Vec::new();
    for (dim, _) in (0..).zip(shape).filter(|&(_, &size)| size == DYNAMIC) {
        let dim = arith::constant_index(builder, dim);
        sizes.push(builder.value(&tensor::DIM, &[inputs[0], dim], Type::INDEX));
    }
    builder.value(&tensor::EMPTY, &sizes, ty)
}
