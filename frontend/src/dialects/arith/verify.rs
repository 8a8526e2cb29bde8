//! Rules that the specs of arith's rows do not say, in upstream's words and
//! order.

use super::assembly::i1_same_shape;
use crate::ir::attrs::AttrKind;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::OpError;
use crate::ir::types::{DYNAMIC, Signedness, Type, TypeKind};
use crate::syntax::printer::type_to_string;

fn operand_type(ir: &Ir, op: Op, index: usize) -> Type {
    ir.value_type(ir.operand(op, index))
}

fn result_type(ir: &Ir, op: Op, index: usize) -> Type {
    ir.value_type(ir.result(op, index))
}

/// All of `values` have one type; `names` is how the message lists them.
pub(crate) fn all_types_match(ir: &Ir, values: &[Value], names: &str) -> Result<(), OpError> {
    let mut types = values.iter().map(|&value| ir.value_type(value));
    let first = types.next();
    if types.all(|ty| Some(ty) == first) {
        return Ok(());
    }
    Err(OpError::from(format!(
        "failed to verify that all of {{{names}}} have same type"
    )))
}

pub(super) fn verify_add_extended(ir: &Ir, op: Op) -> Result<(), OpError> {
    let values = [ir.operand(op, 0), ir.operand(op, 1), ir.result(op, 0)];
    all_types_match(ir, &values, "lhs, rhs, sum")
}

pub(super) fn verify_mul_extended(ir: &Ir, op: Op) -> Result<(), OpError> {
    let values = [
        ir.operand(op, 0),
        ir.operand(op, 1),
        ir.result(op, 0),
        ir.result(op, 1),
    ];
    all_types_match(ir, &values, "lhs, rhs, low, high")
}

pub(super) fn verify_constant(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let ty = result_type(ir, op, 0);
    let Some(value) = ir.attr(op, Name::VALUE) else {
        return Ok(());
    };
    if context.attr_carried_type(value) != Some(ty) {
        return Err("failed to verify that all of {value, result} have same type".into());
    }
    if let TypeKind::Integer { signedness, .. } = context.type_kind(ty)
        && *signedness != Signedness::Signless
    {
        return Err("integer return type must be signless".into());
    }
    let is_splat = match context.attr_kind(value) {
        AttrKind::Integer { .. } | AttrKind::WideInteger { .. } | AttrKind::Float { .. } => {
            return Ok(());
        }
        AttrKind::DenseElements(dense) => dense.splat,
        AttrKind::DenseStrings { splat, .. } => *splat,
        AttrKind::DenseResource { .. } | AttrKind::SparseElements { .. } => false,
        _ => return Err("value must be an integer, float, or elements attribute".into()),
    };
    if let TypeKind::Vector { scalable, .. } = context.type_kind(ty)
        && scalable.contains(&true)
        && !is_splat
    {
        return Err(
            "intializing scalable vectors with elements attribute is not supported unless it's a vector splat".into(),
        );
    }
    Ok(())
}

/// The sizes of a tensor; empty for other types, as upstream's check sees them.
fn tensor_shape(context: &Context, ty: Type) -> &[i64] {
    match context.type_kind(ty) {
        TypeKind::RankedTensor { shape, .. } => shape,
        _ => &[],
    }
}

fn is_shaped(context: &Context, ty: Type) -> bool {
    context.element_type_or_self(ty) != ty
}

/// Whether two shaped types may have one shape: dynamic sizes match all.
fn compatible_shapes(context: &Context, a: Type, b: Type) -> bool {
    if !is_shaped(context, a) && !is_shaped(context, b) {
        return true;
    }
    if is_shaped(context, a) != is_shaped(context, b) {
        return false;
    }
    let (Some(a_shape), Some(b_shape)) = (context.shape(a), context.shape(b)) else {
        // Unranked shapes match everything.
        return true;
    };
    if let (TypeKind::Vector { scalable: a, .. }, TypeKind::Vector { scalable: b, .. }) =
        (context.type_kind(a), context.type_kind(b))
        && a != b
    {
        return false;
    }
    a_shape.len() == b_shape.len()
        && a_shape
            .iter()
            .zip(b_shape)
            .all(|(&a, &b)| a == b || a == DYNAMIC || b == DYNAMIC)
}

/// "requires the same shape for all operands and results" between any two types.
pub(crate) fn same_shape(context: &Context, types: &[Type]) -> Result<(), OpError> {
    match types.split_first() {
        Some((&first, rest)) if !rest.iter().all(|&ty| compatible_shapes(context, first, ty)) => {
            Err("requires the same shape for all operands and results".into())
        }
        _ => Ok(()),
    }
}

/// What all casts must satisfy; `compatible` sees the element types.
fn verify_cast(
    ir: &Ir,
    op: Op,
    compatible: impl FnOnce(&Context, Type, Type) -> bool,
) -> Result<(), OpError> {
    let context = ir.context();
    let (from, to) = (operand_type(ir, op, 0), result_type(ir, op, 0));
    if tensor_shape(context, from) != tensor_shape(context, to) {
        return Err(
            "failed to verify that input and output have the same tensor dimensions".into(),
        );
    }
    same_shape(context, &[from, to])?;
    if same_container(context, from, to) && compatible(context, from, to) {
        return Ok(());
    }
    Err(cast_incompatible(context, from, to))
}

/// The error of casts between types that do not fit.
pub(crate) fn cast_incompatible(context: &Context, from: Type, to: Type) -> OpError {
    let (from, to) = (type_to_string(context, from), type_to_string(context, to));
    OpError::from(format!(
        "operand type '{from}' and result type '{to}' are cast incompatible"
    ))
}

/// Whether both are scalars, both vectors, both tensors or both memrefs.
fn same_container(context: &Context, a: Type, b: Type) -> bool {
    let container = |ty| match context.type_kind(ty) {
        TypeKind::Vector { .. } => 1,
        TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor(_) => 2,
        TypeKind::MemRef(_) | TypeKind::UnrankedMemRef { .. } => 3,
        _ => 0,
    };
    container(a) == container(b)
}

/// The width of the integer or float elements of `ty`; `None` for others.
fn element_width(context: &Context, ty: Type) -> Option<u32> {
    match context.type_kind(context.element_type_or_self(ty)) {
        TypeKind::Integer { width, .. } => Some(*width),
        TypeKind::Float(kind) => Some(kind.width()),
        _ => None,
    }
}

/// `extui`, `extsi`, `extf`: the result is wider.
pub(super) fn verify_extension(ir: &Ir, op: Op) -> Result<(), OpError> {
    verify_cast(ir, op, |context, from, to| {
        element_width(context, from) < element_width(context, to)
    })
}

/// `trunci`, `truncf`: the result is narrower.
pub(super) fn verify_truncation(ir: &Ir, op: Op) -> Result<(), OpError> {
    verify_cast(ir, op, |context, from, to| {
        element_width(context, from) > element_width(context, to)
    })
}

/// `scaling_extf`: the result is wider than the first operand.
pub(super) fn verify_scaling_extension(ir: &Ir, op: Op) -> Result<(), OpError> {
    verify_scaling(ir, op, |from, to| from < to)
}

/// `scaling_truncf`: the result is narrower than the first operand.
pub(super) fn verify_scaling_truncation(ir: &Ir, op: Op) -> Result<(), OpError> {
    verify_scaling(ir, op, |from, to| from > to)
}

/// Operand and result have one shape, and the widths of their elements fit; the scale may be a scalar.
fn verify_scaling(
    ir: &Ir,
    op: Op,
    compatible: impl FnOnce(Option<u32>, Option<u32>) -> bool,
) -> Result<(), OpError> {
    let context = ir.context();
    let (from, scale) = (operand_type(ir, op, 0), operand_type(ir, op, 1));
    let to = result_type(ir, op, 0);
    if tensor_shape(context, from) != tensor_shape(context, to) {
        return Err(
            "failed to verify that input and output have the same tensor dimensions".into(),
        );
    }
    let is_compatible = same_container(context, from, to) && compatible_shapes(context, from, to);
    if is_compatible && compatible(element_width(context, from), element_width(context, to)) {
        return Ok(());
    }
    let [from, scale, to] = [from, scale, to].map(|ty| type_to_string(context, ty));
    Err(OpError::from(format!(
        "operand types '{from}', '{scale}' and result type '{to}' are cast incompatible"
    )))
}

/// Conversions between integers and floats.
pub(super) fn verify_conversion(ir: &Ir, op: Op) -> Result<(), OpError> {
    verify_cast(ir, op, |_, _, _| true)
}

/// `index_cast`, `index_castui`: one side is index, the other an integer.
pub(super) fn verify_index_cast(ir: &Ir, op: Op) -> Result<(), OpError> {
    verify_cast(ir, op, |context, from, to| {
        let is_index = |ty| context.element_type_or_self(ty) == Type::INDEX;
        is_index(from) != is_index(to)
    })
}

/// `bitcast`: equal widths.
pub(super) fn verify_bitcast(ir: &Ir, op: Op) -> Result<(), OpError> {
    verify_cast(ir, op, |context, from, to| {
        let width = element_width(context, from);
        width.is_some() && width == element_width(context, to)
    })
}

/// `cmpi`, `cmpf`
pub(super) fn verify_compare(ir: &Ir, op: Op) -> Result<(), OpError> {
    let (lhs, rhs) = (operand_type(ir, op, 0), operand_type(ir, op, 1));
    if i1_same_shape(ir.context(), lhs) != result_type(ir, op, 0) {
        return Err(
            "failed to verify that result type has i1 element type and same shape as operands"
                .into(),
        );
    }
    if lhs != rhs {
        return Err("requires all operands to have the same type".into());
    }
    Ok(())
}

/// `select`
pub(super) fn verify_select(ir: &Ir, op: Op) -> Result<(), OpError> {
    let context = ir.context();
    let values = [ir.operand(op, 1), ir.operand(op, 2), ir.result(op, 0)];
    all_types_match(ir, &values, "true_value, false_value, result")?;
    let (condition, ty) = (operand_type(ir, op, 0), result_type(ir, op, 0));
    if condition == Type::I1 {
        return Ok(());
    }
    let unranked = |ty| matches!(context.type_kind(ty), TypeKind::UnrankedTensor(_));
    let shapes_match = (unranked(condition) && unranked(ty))
        || (context.shape(condition).is_some() && context.shape(condition) == context.shape(ty));
    if !shapes_match {
        return Err("failed to verify that condition is signless i1 or has matching shape".into());
    }
    Ok(())
}
