//! Rules of the operations beyond the types of single operands, in the words
//! of the specification's implementation. What passes these needs no further
//! question about ranks and sizes when it is lowered.

use crate::dialects::shared::assembly::i64_array;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::OpError;
use crate::ir::types::{DYNAMIC, Type, TypeKind};
use crate::syntax::printer::type_to_string;

use super::assembly::part_type;
use super::attributes::{ConvolutionDimensions, DimensionOrder, DotDimensions, FftType, Transpose};
use super::constraints::{is_complex, is_quantized};
use super::windows::{WindowDimension, WindowNames, window};

mod bodies;

use bodies::are_types_compatible;
pub(super) use bodies::{
    branches, gather, get_tuple_element, map, pairwise_types, reduce, reduce_window, scatter,
    select_and_scatter, sort, tuple, while_loop,
};

type Verified = Result<(), OpError>;

fn shape(ir: &Ir, value: Value) -> &[i64] {
    ir.context().shape(ir.value_type(value)).unwrap_or_default()
}

fn element(ir: &Ir, value: Value) -> Type {
    ir.context().element_type_or_self(ir.value_type(value))
}

fn is_same_size(a: i64, b: i64) -> bool {
    a == b || a == DYNAMIC || b == DYNAMIC
}

/// Whether two shapes can be those of one tensor.
fn are_compatible(a: &[i64], b: &[i64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| is_same_size(a, b))
}

/// Whether two element types are one, or quantizations of one.
fn are_same_elements(context: &Context, a: Type, b: Type) -> bool {
    a == b || is_quantized(context, a) || is_quantized(context, b)
}

/// Whether elements of one type may be computed on as those of another: of the same kind, and not wider.
fn is_promotable(context: &Context, from: Type, to: Type) -> bool {
    let is_one = from == to || is_quantized(context, from) && is_quantized(context, to);
    is_one
        || match (context.type_kind(from), context.type_kind(to)) {
            (
                TypeKind::Integer {
                    width: a,
                    signedness,
                },
                TypeKind::Integer {
                    width: b,
                    signedness: other,
                },
            ) => signedness == other && a <= b && from != Type::I1,
            (TypeKind::Float(a), TypeKind::Float(b)) => a.width() <= b.width(),
            (&TypeKind::Complex(a), &TypeKind::Complex(b)) => is_promotable(context, a, b),
            _ => false,
        }
}

fn wrong(message: impl Into<String>) -> Verified {
    Err(message.into().into())
}

fn text(context: &Context, ty: Type) -> String {
    type_to_string(context, ty)
}

/// All operands and results have the same elements and compatible shapes.
pub(in crate::dialects::stablehlo) fn compatible_types(ir: &Ir, op: Op) -> Verified {
    let context = ir.context();
    let result = ir.result(op, 0);
    for &operand in ir.operands(op) {
        if !are_compatible(shape(ir, operand), shape(ir, result))
            || !are_same_elements(context, element(ir, operand), element(ir, result))
        {
            return wrong("requires compatible types for all operands and results");
        }
    }
    Ok(())
}

/// All operands and results have compatible shapes.
pub(in crate::dialects::stablehlo) fn same_shapes(ir: &Ir, op: Op) -> Verified {
    let result = ir.result(op, 0);
    let mut operands = ir.operands(op).iter();
    match operands.all(|&operand| are_compatible(shape(ir, operand), shape(ir, result))) {
        true => Ok(()),
        false => wrong("requires the same shape for all operands and results"),
    }
}

/// The result has the elements of the operand, or their parts if those are complex.
pub(in crate::dialects::stablehlo) fn real_result(ir: &Ir, op: Op) -> Verified {
    same_shapes(ir, op)?;
    let context = ir.context();
    let operand = ir.value_type(ir.operand(op, 0));
    let expected = part_type(context, operand).unwrap_or(operand);
    let expected = context.element_type_or_self(expected);
    let found = element(ir, ir.result(op, 0));
    match are_same_elements(context, expected, found) {
        true => Ok(()),
        false => inferred(context, expected, found),
    }
}

fn inferred(context: &Context, expected: Type, found: Type) -> Verified {
    wrong(format!(
        "inferred type(s) '{}' are incompatible with return type(s) of operation '{}'",
        text(context, expected),
        text(context, found)
    ))
}

/// Checks the shape of a result.
fn expect_shape(ir: &Ir, result: Value, expected: &[i64]) -> Verified {
    if are_compatible(expected, shape(ir, result)) {
        return Ok(());
    }
    let context = ir.context();
    let inferred_type = context.intern_type(TypeKind::RankedTensor {
        shape: expected.into(),
        element: element(ir, result),
        encoding: None,
    });
    inferred(context, inferred_type, ir.value_type(result))
}

/// Checks that operand `index` and the result have the same elements.
fn expect_elements(ir: &Ir, op: Op, index: usize) -> Verified {
    let (operand, result) = (
        element(ir, ir.operand(op, index)),
        element(ir, ir.result(op, 0)),
    );
    match are_same_elements(ir.context(), operand, result) {
        true => Ok(()),
        false => wrong("requires the same element type for all operands and results"),
    }
}

/// Checks that operand 0 and the result have the same elements.
fn same_elements(ir: &Ir, op: Op) -> Verified {
    expect_elements(ir, op, 0)
}

pub(in crate::dialects::stablehlo) fn complex(ir: &Ir, op: Op) -> Verified {
    same_shapes(ir, op)?;
    let context = ir.context();
    let part = part_type(context, ir.value_type(ir.result(op, 0)));
    let part = part.map(|ty| context.element_type_or_self(ty));
    match ir
        .operands(op)
        .iter()
        .all(|&operand| Some(element(ir, operand)) == part)
    {
        true => Ok(()),
        false => wrong("requires the parts of the result's elements as operands"),
    }
}

pub(in crate::dialects::stablehlo) fn compare(ir: &Ir, op: Op) -> Verified {
    same_shapes(ir, op)?;
    let [lhs, rhs] = [0, 1].map(|index| element(ir, ir.operand(op, index)));
    match are_same_elements(ir.context(), lhs, rhs) {
        true => Ok(()),
        false => wrong("requires compatible element types for all operands"),
    }
}

pub(in crate::dialects::stablehlo) fn select(ir: &Ir, op: Op) -> Verified {
    let context = ir.context();
    let result = ir.result(op, 0);
    for index in 1..3 {
        let operand = ir.operand(op, index);
        if !are_compatible(shape(ir, operand), shape(ir, result))
            || !are_same_elements(context, element(ir, operand), element(ir, result))
        {
            return wrong("requires compatible types for non-predicate operands");
        }
    }
    let condition = shape(ir, ir.operand(op, 0));
    match condition.is_empty() || are_compatible(condition, shape(ir, result)) {
        true => Ok(()),
        false => wrong("requires the same shape for all operands"),
    }
}

pub(in crate::dialects::stablehlo) fn clamp(ir: &Ir, op: Op) -> Verified {
    let result = ir.result(op, 0);
    for index in 0..3 {
        expect_elements(ir, op, index)?;
        let bound = shape(ir, ir.operand(op, index));
        let is_scalar = index != 1 && bound.is_empty();
        if !is_scalar && !are_compatible(bound, shape(ir, result)) {
            return wrong(match index {
                0 => "min shape is not scalar and is not compatible to operand shape",
                1 => "requires the same shape for operand and result",
                _ => "max shape is not scalar and is not compatible to operand shape",
            });
        }
    }
    Ok(())
}

pub(in crate::dialects::stablehlo) fn constant(ir: &Ir, op: Op) -> Verified {
    let context = ir.context();
    let Some(value) = ir.attr(op, Name::VALUE) else {
        return Ok(());
    };
    let result = ir.value_type(ir.result(op, 0));
    let found = context.attr_carried_type(value).unwrap_or(Type::NONE);
    let is_quantized = is_quantized(context, context.element_type_or_self(result));
    if found == result || (is_quantized && context.shape(found) == context.shape(result)) {
        return Ok(());
    }
    inferred(context, found, result)
}

fn integer(ir: &Ir, op: Op, name: Name) -> i64 {
    let value = ir
        .attr(op, name)
        .and_then(|attr| ir.context().attr_integer(attr));
    value
        .and_then(|value| i64::try_from(value).ok())
        .unwrap_or_default()
}

pub(in crate::dialects::stablehlo) fn iota(ir: &Ir, op: Op) -> Verified {
    let result = shape(ir, ir.result(op, 0));
    if result.is_empty() {
        return wrong("does not support scalars.");
    }
    match integer(ir, op, Name::IOTA_DIMENSION) < result.len() as i64 {
        true => expect_length_of_shape(ir, op, 0, result.len()),
        false => wrong("iota dimension cannot go beyond the output rank."),
    }
}

/// Checks that operand `index`, if there is one, holds as many sizes as there are dimensions.
fn expect_length_of_shape(ir: &Ir, op: Op, index: usize, rank: usize) -> Verified {
    let Some(&operand) = ir.operands(op).get(index) else {
        return Ok(());
    };
    match is_same_size(shape(ir, operand)[0], rank as i64) {
        true => Ok(()),
        false => wrong("output shape must have as many elements as the result has dimensions"),
    }
}

/// The bits of an element.
fn bits(context: &Context, ty: Type) -> Option<i64> {
    if let TypeKind::Complex(part) = context.type_kind(ty) {
        return Some(2 * bits(context, *part)?);
    }
    if let Some(kind) = context.float_kind(ty) {
        return Some(kind.width().into());
    }
    context.integer_width(ty).map(i64::from)
}

pub(in crate::dialects::stablehlo) fn bitcast_convert(ir: &Ir, op: Op) -> Verified {
    let context = ir.context();
    let (operand, result) = (ir.operand(op, 0), ir.result(op, 0));
    let (from, to) = (element(ir, operand), element(ir, result));
    if is_complex(context, from) != is_complex(context, to) {
        return wrong("cannot convert between real and complex types");
    }
    let (Some(from), Some(to)) = (bits(context, from), bits(context, to)) else {
        return Ok(());
    };
    let (mut wide, mut narrow) = (shape(ir, operand).to_vec(), shape(ir, result).to_vec());
    let ratio = if from >= to { from / to } else { to / from };
    if from < to {
        std::mem::swap(&mut wide, &mut narrow);
    }
    if from != to {
        if from.max(to) % from.min(to) != 0 {
            return wrong("requires one element width to be a multiple of the other");
        }
        wide.push(ratio);
    }
    match are_compatible(&wide, &narrow) {
        true => Ok(()),
        false => wrong("operand and result shapes must match except for the innermost dimension"),
    }
}

pub(in crate::dialects::stablehlo) fn broadcast(ir: &Ir, op: Op) -> Verified {
    same_elements(ir, op)?;
    let mut expected = i64_array(ir, op, Name::BROADCAST_SIZES);
    if expected.iter().any(|&size| size < 0) {
        return wrong("broadcast with negative dimension size");
    }
    expected.extend(shape(ir, ir.operand(op, 0)));
    expect_shape(ir, ir.result(op, 0), &expected)
}

/// Checks that `dims` are different dimensions of something with `rank`.
fn expect_dimensions(dims: &[i64], rank: usize, what: &str) -> Verified {
    for (i, &dim) in dims.iter().enumerate() {
        if !(0..rank as i64).contains(&dim) {
            return wrong(format!(
                "{what} contains invalid value {dim} for a tensor of rank {rank}"
            ));
        }
        if dims[..i].contains(&dim) {
            return wrong(format!("{what} should not have duplicates"));
        }
    }
    Ok(())
}

pub(in crate::dialects::stablehlo) fn broadcast_in_dim(ir: &Ir, op: Op) -> Verified {
    same_elements(ir, op)?;
    let (operand, result) = (shape(ir, ir.operand(op, 0)), shape(ir, ir.result(op, 0)));
    let dims = i64_array(ir, op, Name::BROADCAST_DIMENSIONS);
    if dims.len() != operand.len() {
        return wrong(format!(
            "broadcast_dimensions size ({}) does not match operand rank ({})",
            dims.len(),
            operand.len()
        ));
    }
    expect_dimensions(&dims, result.len(), "broadcast_dimensions")?;
    for (i, (&dim, &size)) in dims.iter().zip(operand).enumerate() {
        let into = result[dim as usize];
        if size != 1 && !is_same_size(size, into) {
            return wrong(format!(
                "size of operand dimension {i} ({size}) is not equal to 1 or size of result \
                 dimension {dim} ({into})"
            ));
        }
    }
    expect_length_of_shape(ir, op, 1, result.len())
}

pub(in crate::dialects::stablehlo) fn concatenate(ir: &Ir, op: Op) -> Verified {
    let operands = ir.operands(op);
    let Some(&first) = operands.first() else {
        return wrong("expects at least one operand");
    };
    let dim = integer(ir, op, Name::DIMENSION) as usize;
    let mut expected = shape(ir, first).to_vec();
    if dim >= expected.len() {
        return wrong(format!(
            "dimension {dim} is out-of-bounds for input rank {}",
            expected.len()
        ));
    }
    for (i, &operand) in operands.iter().enumerate() {
        expect_elements(ir, op, i)?;
        let found = shape(ir, operand);
        let fits = found.len() == expected.len()
            && (0..found.len()).all(|d| d == dim || is_same_size(found[d], expected[d]));
        if !fits {
            return wrong(format!(
                "shapes of operand (0) and ({i}) do not match at non-concat dimensions"
            ));
        }
        if i > 0 {
            let is_dynamic = expected[dim] == DYNAMIC || found[dim] == DYNAMIC;
            expected[dim] = if is_dynamic {
                DYNAMIC
            } else {
                expected[dim] + found[dim]
            };
        }
    }
    expect_shape(ir, ir.result(op, 0), &expected)
}

pub(in crate::dialects::stablehlo) fn dimension_size(ir: &Ir, op: Op) -> Verified {
    let rank = shape(ir, ir.operand(op, 0)).len();
    match (integer(ir, op, Name::DIMENSION) as usize) < rank {
        true => Ok(()),
        false => wrong(format!(
            "requires dimension attribute in range [0, {rank}); found ({})",
            integer(ir, op, Name::DIMENSION)
        )),
    }
}

fn n_elements(shape: &[i64]) -> Option<i64> {
    shape.iter().try_fold(1i64, |n, &size| match size {
        DYNAMIC => None,
        _ => n.checked_mul(size),
    })
}

pub(in crate::dialects::stablehlo) fn reshape(ir: &Ir, op: Op) -> Verified {
    same_elements(ir, op)?;
    let (from, to) = (shape(ir, ir.operand(op, 0)), shape(ir, ir.result(op, 0)));
    let (Some(n_from), Some(n_to)) = (n_elements(from), n_elements(to)) else {
        return Ok(());
    };
    match n_from == n_to {
        true => Ok(()),
        false => wrong(format!(
            "number of output elements ({n_to}) doesn't match expected number of elements ({n_from})"
        )),
    }
}

pub(in crate::dialects::stablehlo) fn dynamic_reshape(ir: &Ir, op: Op) -> Verified {
    reshape(ir, op)?;
    expect_length_of_shape(ir, op, 1, shape(ir, ir.result(op, 0)).len())
}

pub(in crate::dialects::stablehlo) fn reverse(ir: &Ir, op: Op) -> Verified {
    compatible_types(ir, op)?;
    let rank = shape(ir, ir.operand(op, 0)).len();
    expect_dimensions(&i64_array(ir, op, Name::DIMENSIONS), rank, "dimensions")
}

/// Operand 0 and the result have one rank and the same elements.
pub(in crate::dialects::stablehlo) fn dynamic_rank(ir: &Ir, op: Op) -> Verified {
    same_elements(ir, op)?;
    let rank = shape(ir, ir.operand(op, 0)).len();
    if shape(ir, ir.result(op, 0)).len() != rank {
        return wrong("requires the same rank for operand and result");
    }
    let amounts = ir.operands(op).iter().rev().take(3);
    for &amount in amounts {
        if !is_same_size(shape(ir, amount)[0], rank as i64) {
            return wrong("has mismatched number of operand rank and amounts");
        }
    }
    Ok(())
}

pub(in crate::dialects::stablehlo) fn pad(ir: &Ir, op: Op) -> Verified {
    same_elements(ir, op)?;
    expect_elements(ir, op, 1)?;
    let operand = shape(ir, ir.operand(op, 0));
    let low = i64_array(ir, op, Name::EDGE_PADDING_LOW);
    let high = i64_array(ir, op, Name::EDGE_PADDING_HIGH);
    let interior = i64_array(ir, op, Name::INTERIOR_PADDING);
    if [&low, &high, &interior]
        .iter()
        .any(|list| list.len() != operand.len())
    {
        return wrong(format!(
            "edge_padding_low length ({}) must match operand rank ({})",
            low.len(),
            operand.len()
        ));
    }
    let mut expected = Vec::with_capacity(operand.len());
    for (dim, &size) in operand.iter().enumerate() {
        if interior[dim] < 0 {
            return wrong(format!(
                "Interior padding cannot be negative: {}",
                interior[dim]
            ));
        }
        if size == DYNAMIC {
            expected.push(DYNAMIC);
            continue;
        }
        let padded = (size - 1)
            .max(0)
            .checked_mul(interior[dim])
            .and_then(|between| {
                between
                    .checked_add(size)?
                    .checked_add(low[dim])?
                    .checked_add(high[dim])
            });
        match padded {
            Some(padded) if padded >= 0 => expected.push(padded),
            _ => {
                return wrong(format!(
                    "Padding result in negative size for dimension {dim}"
                ));
            }
        }
    }
    expect_shape(ir, ir.result(op, 0), &expected)
}

pub(in crate::dialects::stablehlo) fn transpose(ir: &Ir, op: Op) -> Verified {
    same_elements(ir, op)?;
    let operand = shape(ir, ir.operand(op, 0));
    let permutation = i64_array(ir, op, Name::PERMUTATION);
    if permutation.len() != operand.len() {
        return wrong(format!(
            "TransposeOp operand rank {} does not match permutation size {}",
            operand.len(),
            permutation.len()
        ));
    }
    expect_dimensions(&permutation, operand.len(), "permutation")?;
    let expected: Vec<i64> = permutation
        .iter()
        .map(|&dim| operand[dim as usize])
        .collect();
    expect_shape(ir, ir.result(op, 0), &expected)
}

pub(in crate::dialects::stablehlo) fn slice(ir: &Ir, op: Op) -> Verified {
    same_elements(ir, op)?;
    let operand = shape(ir, ir.operand(op, 0));
    let starts = i64_array(ir, op, Name::START_INDICES);
    let limits = i64_array(ir, op, Name::LIMIT_INDICES);
    let strides = i64_array(ir, op, Name::STRIDES);
    if [&starts, &limits, &strides]
        .iter()
        .any(|list| list.len() != operand.len())
    {
        return wrong(format!(
            "the number of elements in start_indices ({}) does not match the rank of the operand ({})",
            starts.len(),
            operand.len()
        ));
    }
    let mut expected = Vec::with_capacity(operand.len());
    for (dim, &size) in operand.iter().enumerate() {
        let (start, limit, stride) = (starts[dim], limits[dim], strides[dim]);
        if start < 0 {
            return wrong(format!("negative start index {start} in dimension {dim}"));
        }
        if size != DYNAMIC && limit > size {
            return wrong(format!(
                "limit index {limit} is larger than dimension size {size} in dimension {dim}"
            ));
        }
        if start > limit {
            return wrong(format!(
                "start index {start} is larger than limit index {limit} in dimension {dim}"
            ));
        }
        if stride <= 0 {
            return wrong(format!(
                "stride must be positive but got {stride} in dimension {dim}"
            ));
        }
        let n = limit - start;
        expected.push(n / stride + i64::from(n % stride != 0));
    }
    expect_shape(ir, ir.result(op, 0), &expected)
}

/// Checks that all operands from `first` on have the same elements.
fn expect_same_indices(ir: &Ir, op: Op, first: usize) -> Verified {
    let mut indices = ir.operands(op)[first..].iter();
    let Some(&one) = indices.next() else {
        return Ok(());
    };
    match indices.all(|&other| element(ir, other) == element(ir, one)) {
        true => Ok(()),
        false => wrong("start indices must have same element type"),
    }
}

pub(in crate::dialects::stablehlo) fn dynamic_slice(ir: &Ir, op: Op) -> Verified {
    same_elements(ir, op)?;
    let operand = shape(ir, ir.operand(op, 0));
    let sizes = i64_array(ir, op, Name::SLICE_SIZES);
    if sizes.len() != operand.len() || ir.operands(op).len() != operand.len() + 1 {
        return wrong(format!(
            "has mismatched number of slice sizes ({}) and number of start indices ({})",
            sizes.len(),
            ir.operands(op).len() - 1
        ));
    }
    for (dim, (&size, &of)) in sizes.iter().zip(operand).enumerate() {
        if size < 0 {
            return wrong(format!("has negative size index to dynamic slice: {size}"));
        }
        if of != DYNAMIC && size > of {
            return wrong(format!(
                "has slice size {size} greater than dimension size {of} in dimension {dim} of operand"
            ));
        }
    }
    expect_same_indices(ir, op, 1)?;
    expect_shape(ir, ir.result(op, 0), &sizes)
}

pub(in crate::dialects::stablehlo) fn dynamic_update_slice(ir: &Ir, op: Op) -> Verified {
    same_elements(ir, op)?;
    expect_elements(ir, op, 1)?;
    let (operand, update) = (shape(ir, ir.operand(op, 0)), shape(ir, ir.operand(op, 1)));
    if update.len() != operand.len() {
        return wrong(format!(
            "update rank does not match operand rank: {} vs {}.",
            update.len(),
            operand.len()
        ));
    }
    if ir.operands(op).len() != operand.len() + 2 {
        return wrong(format!(
            "expects number of start_indices to match operand rank: {} vs {}.",
            ir.operands(op).len() - 2,
            operand.len()
        ));
    }
    for (dim, (&size, &of)) in update.iter().zip(operand).enumerate() {
        if size != DYNAMIC && of != DYNAMIC && size > of {
            return wrong(format!(
                "expects size at dimension {dim} of update to be in range [0, {of}]. Got: {size}."
            ));
        }
    }
    expect_same_indices(ir, op, 2)?;
    expect_shape(ir, ir.result(op, 0), operand)
}

pub(in crate::dialects::stablehlo) fn dot(ir: &Ir, op: Op) -> Verified {
    let (lhs, rhs) = (shape(ir, ir.operand(op, 0)), shape(ir, ir.operand(op, 1)));
    let expected: Vec<i64> = match (lhs, rhs) {
        (&[a], &[b]) if is_same_size(a, b) => Vec::new(),
        (&[m, a], &[b]) if is_same_size(a, b) => vec![m],
        (&[a], &[b, n]) if is_same_size(a, b) => vec![n],
        (&[m, a], &[b, n]) if is_same_size(a, b) => vec![m, n],
        _ => return wrong("expected both lhs/rhs to be vectors or matrices with matching sizes"),
    };
    expect_shape(ir, ir.result(op, 0), &expected)
}

pub(in crate::dialects::stablehlo) fn dot_general(ir: &Ir, op: Op) -> Verified {
    let (lhs, rhs) = (shape(ir, ir.operand(op, 0)), shape(ir, ir.operand(op, 1)));
    let attr = ir.attr(op, Name::DOT_DIMENSION_NUMBERS);
    let Some(dims) = attr.and_then(|attr| DotDimensions::from_attr(ir.context(), attr)) else {
        return Ok(());
    };
    let (lhs_batch, rhs_batch) = (&dims.lhs_batching_dimensions, &dims.rhs_batching_dimensions);
    let (lhs_sum, rhs_sum) = (
        &dims.lhs_contracting_dimensions,
        &dims.rhs_contracting_dimensions,
    );
    if lhs_batch.len() != rhs_batch.len() {
        return wrong("lhs and rhs should have the same number of batching dimensions");
    }
    if lhs_sum.len() != rhs_sum.len() {
        return wrong("lhs and rhs should have the same number of contracting dimensions");
    }
    let lhs_all = [&lhs_batch[..], &lhs_sum[..]].concat();
    let rhs_all = [&rhs_batch[..], &rhs_sum[..]].concat();
    expect_dimensions(&lhs_all, lhs.len(), "lhs dimensions")?;
    expect_dimensions(&rhs_all, rhs.len(), "rhs dimensions")?;
    for (is_batch, a, b) in [(true, lhs_batch, rhs_batch), (false, lhs_sum, rhs_sum)] {
        let mut pairs = a.iter().zip(b);
        if !pairs.all(|(&a, &b)| is_same_size(lhs[a as usize], rhs[b as usize])) {
            return wrong(match is_batch {
                true => "batching dimension sizes must match for lhs/rhs",
                false => "contracting dimension sizes must match for lhs/rhs",
            });
        }
    }
    let mut expected: Vec<i64> = lhs_batch.iter().map(|&dim| lhs[dim as usize]).collect();
    let free = |shape: &[i64], used: &[i64]| -> Vec<i64> {
        (0..shape.len())
            .filter(|&dim| !used.contains(&(dim as i64)))
            .map(|dim| shape[dim])
            .collect()
    };
    expected.extend(free(lhs, &lhs_all));
    expected.extend(free(rhs, &rhs_all));
    expect_shape(ir, ir.result(op, 0), &expected)
}

/// How many places each dimension of a window has.
fn places(window: &[WindowDimension], sizes: &[i64]) -> Result<Vec<i64>, OpError> {
    let places = window.iter().zip(sizes).map(|(window, &size)| {
        if size == DYNAMIC || window.size == DYNAMIC {
            return Ok(DYNAMIC);
        }
        window
            .n_places(size)
            .ok_or_else(|| OpError::from("the window reaches too far"))
    });
    places.collect()
}

fn expect_order(order: &DimensionOrder, rank: usize, what: &str) -> Verified {
    let dims = [&[order.first, order.second], &order.spatial[..]].concat();
    if dims.len() != rank {
        return wrong(format!("expects {what} to have rank {}", dims.len()));
    }
    expect_dimensions(&dims, rank, what)
}

pub(in crate::dialects::stablehlo) fn convolution(ir: &Ir, op: Op) -> Verified {
    let attr = ir.attr(op, Name::DIMENSION_NUMBERS);
    let dims = attr.and_then(|attr| ConvolutionDimensions::from_attr(ir.context(), attr));
    let Some(dims) = dims else {
        return Ok(());
    };
    let (lhs, rhs) = (shape(ir, ir.operand(op, 0)), shape(ir, ir.operand(op, 1)));
    let result = ir.result(op, 0);
    expect_order(&dims.input, lhs.len(), "the input of a convolution")?;
    expect_order(&dims.kernel, rhs.len(), "the kernel of a convolution")?;
    expect_order(
        &dims.output,
        shape(ir, result).len(),
        "the output of a convolution",
    )?;
    if dims.kernel.spatial.len() != dims.input.spatial.len()
        || dims.output.spatial.len() != dims.input.spatial.len()
    {
        return wrong("expects the same size for input, kernel and output spatial-dimensions");
    }
    let pick = |shape: &[i64], dims: &[i64]| -> Vec<i64> {
        dims.iter().map(|&dim| shape[dim as usize]).collect()
    };
    let window = window(
        ir,
        op,
        &pick(rhs, &dims.kernel.spatial),
        &WindowNames::OF_CONVOLUTION,
    )?;
    let groups = integer(ir, op, Name::FEATURE_GROUP_COUNT);
    let batch_groups = integer(ir, op, Name::BATCH_GROUP_COUNT);
    if groups > 1 && batch_groups > 1 {
        return wrong(format!(
            "expects batch_group_count and feature_group_count not to be both greater than 1. Got \
             {batch_groups} and {groups} resp."
        ));
    }
    let batch = lhs[dims.input.first as usize];
    let features = lhs[dims.input.second as usize];
    let kernel_inputs = rhs[dims.kernel.first as usize];
    let kernel_outputs = rhs[dims.kernel.second as usize];
    if batch != DYNAMIC && batch % batch_groups != 0 {
        return wrong(format!(
            "expects input batch dimension ({batch}) to be divisible by batch_group_count. Got \
             batch_group_count = {batch_groups}."
        ));
    }
    if features != DYNAMIC
        && kernel_inputs != DYNAMIC
        && (features % groups != 0 || features / groups != kernel_inputs)
    {
        return wrong(format!(
            "expects input feature dimension ({features}) / feature_group_count = kernel input \
             feature dimension ({kernel_inputs}). Got feature_group_count = {groups}."
        ));
    }
    if kernel_outputs != DYNAMIC
        && (kernel_outputs % groups != 0 || kernel_outputs % batch_groups != 0)
    {
        return wrong(format!(
            "expects output feature dimension size ({kernel_outputs}) to be a multiple of the group \
             counts."
        ));
    }
    let spatial = match ir.operands(op).len() {
        2 => places(&window, &pick(lhs, &dims.input.spatial))?,
        _ => vec![DYNAMIC; window.len()],
    };
    let mut expected = vec![DYNAMIC; lhs.len()];
    expected[dims.output.first as usize] = match batch {
        DYNAMIC => DYNAMIC,
        _ => batch / batch_groups,
    };
    expected[dims.output.second as usize] = kernel_outputs;
    for (&dim, size) in dims.output.spatial.iter().zip(spatial) {
        expected[dim as usize] = size;
    }
    expect_shape(ir, result, &expected)
}

pub(in crate::dialects::stablehlo) fn cholesky(ir: &Ir, op: Op) -> Verified {
    compatible_types(ir, op)?;
    match shape(ir, ir.operand(op, 0)) {
        [.., m, n] if is_same_size(*m, *n) => Ok(()),
        _ => wrong("argument 'a' must have rank >= 2 and minor dimensions of equal size"),
    }
}

pub(in crate::dialects::stablehlo) fn triangular_solve(ir: &Ir, op: Op) -> Verified {
    same_elements(ir, op)?;
    expect_elements(ir, op, 1)?;
    let (a, b) = (shape(ir, ir.operand(op, 0)), shape(ir, ir.operand(op, 1)));
    let is_left = ir.attr(op, Name::LEFT_SIDE) == Some(crate::ir::attrs::Attr::TRUE);
    let transpose = ir.attr(op, Name::TRANSPOSE_A);
    if transpose.and_then(|attr| Transpose::from_attr(ir.context(), attr))
        == Some(Transpose::Invalid)
    {
        return wrong("Invalid transpose option value for triangular solve");
    }
    let (&[ref a_batch @ .., m, n], &[ref b_batch @ .., b_rows, b_columns]) = (a, b) else {
        return wrong("operand 'a' must have rank >= 2, and 'b' the same");
    };
    let side = if is_left { b_rows } else { b_columns };
    if !is_same_size(m, n) {
        return wrong("two minor dimensions of operand 'a' must have equal size");
    }
    if !is_same_size(m, side) {
        return wrong("shared dimension of operands 'a' and 'b' does not match");
    }
    if !are_compatible(a_batch, b_batch) {
        return wrong("leading batch dimensions of the operands must be same");
    }
    expect_shape(ir, ir.result(op, 0), b)
}

pub(in crate::dialects::stablehlo) fn fft(ir: &Ir, op: Op) -> Verified {
    let context = ir.context();
    let (operand, result) = (ir.operand(op, 0), ir.result(op, 0));
    let lengths = i64_array(ir, op, Name::FFT_LENGTH);
    let attr = ir.attr(op, Name::FFT_TYPE);
    let Some(kind) = attr.and_then(|attr| FftType::from_attr(context, attr)) else {
        return Ok(());
    };
    let from = shape(ir, operand);
    if !(1..=3).contains(&lengths.len()) {
        return wrong(format!(
            "rank must be between 1 and 3, but got {}.",
            lengths.len()
        ));
    }
    if lengths.len() > from.len() {
        return wrong(format!(
            "operand rank must not be less than fft rank of {} for operand of type {}",
            lengths.len(),
            text(context, ir.value_type(operand))
        ));
    }
    let from_complex = is_complex(context, element(ir, operand));
    let to_complex = is_complex(context, element(ir, result));
    if from_complex != (kind != FftType::Real) || to_complex != (kind != FftType::InverseReal) {
        return wrong(format!("{} of elements of the wrong kind", kind.keyword()));
    }
    let part = |complex: bool, value: Value| match context.type_kind(element(ir, value)) {
        TypeKind::Complex(part) if complex => *part,
        _ => element(ir, value),
    };
    if part(from_complex, operand) != part(to_complex, result) {
        return wrong("operand and result must have parts of one type");
    }
    let first = from.len() - lengths.len();
    let halved = |length: i64| if length == 0 { 0 } else { length / 2 + 1 };
    let mut expected = from.to_vec();
    for (i, &length) in lengths.iter().enumerate() {
        let is_last = i + 1 == lengths.len();
        let found = match kind == FftType::InverseReal && is_last {
            true => halved(length),
            false => length,
        };
        if !is_same_size(from[first + i], found) {
            return wrong(format!(
                "{} requires innermost dimensions match fft_length. Got: {:?} but wanted {:?}.",
                kind.keyword(),
                &from[first..],
                lengths
            ));
        }
        expected[first + i] = match kind == FftType::Real && is_last {
            true => halved(length),
            false => length,
        };
    }
    expect_shape(ir, result, &expected)
}

pub(in crate::dialects::stablehlo) fn batch_norm(ir: &Ir, op: Op) -> Verified {
    let operand = shape(ir, ir.operand(op, 0));
    let feature = integer(ir, op, Name::FEATURE_INDEX) as usize;
    let Some(&n_features) = operand.get(feature) else {
        return wrong(format!(
            "expects featureIndex to be smaller than the rank of operand type; got featureIndex \
             {feature}, and rank {}.",
            operand.len()
        ));
    };
    let all = ir.operands(op).iter().chain(ir.results(op));
    for &value in all {
        let found = shape(ir, value);
        let fits = match found {
            [n] if operand.len() != 1 => is_same_size(*n, n_features),
            _ => are_compatible(found, operand),
        };
        if !fits
            || !are_same_elements(
                ir.context(),
                element(ir, value),
                element(ir, ir.operand(op, 0)),
            )
        {
            return wrong("expects vectors with one element per feature, and images of one type");
        }
    }
    Ok(())
}

pub(in crate::dialects::stablehlo) fn rng_bit_generator(ir: &Ir, op: Op) -> Verified {
    let context = ir.context();
    let (from, to) = (ir.operand(op, 0), ir.result(op, 0));
    match are_types_compatible(context, &[ir.value_type(from)], &[ir.value_type(to)]) {
        true => Ok(()),
        false => wrong("output state shape must match initial state shape"),
    }
}
