//! Rules of operations with indices as data, with bodies and with branches.

use super::{
    Verified, are_compatible, element, expect_dimensions, expect_shape, integer, is_promotable,
    is_same_size, places, same_elements, same_shapes, shape, text, wrong,
};
use crate::dialects::shared::assembly::i64_array;
use crate::dialects::stablehlo::assembly::scalar_of;
use crate::dialects::stablehlo::attributes::{GatherDimensions, ScatterDimensions};
use crate::dialects::stablehlo::windows::{WindowNames, window};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::entities::{Block, Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::OpError;
use crate::ir::types::{DYNAMIC, Type, TypeKind};

/// The sizes of a gather's result besides those of slices: the indices' without the one along which
/// an index lies.
fn without(shape: &[i64], dim: i64) -> Vec<i64> {
    let kept = shape.iter().enumerate().filter(|&(at, _)| at as i64 != dim);
    kept.map(|(_, &size)| size).collect()
}

pub(in crate::dialects::stablehlo) fn gather(ir: &Ir, op: Op) -> Verified {
    same_elements(ir, op)?;
    let context = ir.context();
    let attr = ir.attr(op, Name::DIMENSION_NUMBERS);
    let Some(dims) = attr.and_then(|attr| GatherDimensions::from_attr(context, attr)) else {
        return Ok(());
    };
    let (operand, indices) = (shape(ir, ir.operand(op, 0)), shape(ir, ir.operand(op, 1)));
    let sizes = match ir.attr(op, Name::SLICE_SIZES) {
        Some(attr) => context.attr_i64_array(attr).unwrap_or_default(),
        None => vec![DYNAMIC; operand.len()],
    };
    let index_dim = dims.index_vector_dim;
    if !(0..=indices.len() as i64).contains(&index_dim) {
        return wrong(format!(
            "index_vector_dim {index_dim} is out of bounds for start_indices with rank {}",
            indices.len()
        ));
    }
    if sizes.len() != operand.len() {
        return wrong(format!(
            "slice_sizes size ({}) not equal to operand rank ({})",
            sizes.len(),
            operand.len()
        ));
    }
    let index_size = indices.get(index_dim as usize).copied().unwrap_or(1);
    if !is_same_size(index_size, dims.start_index_map.len() as i64) {
        return wrong(format!(
            "start_index_map size ({}) is not equal to size of index dimension ({index_dim}) of \
             start_indices ({index_size})",
            dims.start_index_map.len()
        ));
    }
    let dropped = [
        &dims.collapsed_slice_dims[..],
        &dims.operand_batching_dims[..],
    ]
    .concat();
    expect_dimensions(
        &dropped,
        operand.len(),
        "collapsed_slice_dims and operand_batching_dims",
    )?;
    let named = [&dims.start_index_map[..], &dims.operand_batching_dims[..]].concat();
    expect_dimensions(
        &named,
        operand.len(),
        "start_index_map and operand_batching_dims",
    )?;
    expect_batches(
        operand,
        indices,
        &dims.operand_batching_dims,
        &dims.start_indices_batching_dims,
        index_dim,
    )?;
    for (dim, &size) in sizes.iter().enumerate() {
        let of = operand[dim];
        let most = if dropped.contains(&(dim as i64)) {
            1
        } else {
            i64::MAX
        };
        let is_wrong = size != DYNAMIC && (size < 0 || size > most || (of != DYNAMIC && size > of));
        if is_wrong {
            return wrong(format!(
                "slice size ({size}) is out of bounds for operand dimension ({of}) at index {dim}"
            ));
        }
    }
    let result = ir.result(op, 0);
    let batch = without(indices, index_dim);
    let slices: Vec<i64> = (0..operand.len())
        .filter(|&dim| !dropped.contains(&(dim as i64)))
        .map(|dim| sizes[dim])
        .collect();
    if dims.offset_dims.len() != slices.len() {
        return wrong(format!(
            "offset_dims size ({}) plus the dimensions that slices lose is not equal to operand rank",
            dims.offset_dims.len()
        ));
    }
    let rank = batch.len() + slices.len();
    expect_dimensions(&dims.offset_dims, rank, "offset_dims")?;
    if !dims.offset_dims.is_sorted() {
        return wrong("expects offset_dims to be sorted");
    }
    let (mut batch, mut slices) = (batch.into_iter(), slices.into_iter());
    let expected: Vec<i64> = (0..rank as i64)
        .filter_map(|dim| match dims.offset_dims.contains(&dim) {
            true => slices.next(),
            false => batch.next(),
        })
        .collect();
    expect_shape(ir, result, &expected)
}

/// Checks that dimensions that count batches have the same sizes in data and indices.
fn expect_batches(
    data: &[i64],
    indices: &[i64],
    data_dims: &[i64],
    index_dims: &[i64],
    index_vector_dim: i64,
) -> Verified {
    expect_dimensions(
        index_dims,
        indices.len(),
        "the batching dimensions of the indices",
    )?;
    if data_dims.len() != index_dims.len() || index_dims.contains(&index_vector_dim) {
        return wrong("batching dimensions of data and indices do not belong together");
    }
    let mut pairs = data_dims.iter().zip(index_dims);
    match pairs.all(|(&a, &b)| is_same_size(data[a as usize], indices[b as usize])) {
        true => Ok(()),
        false => wrong("batching dimensions of data and indices must have the same sizes"),
    }
}

/// The entry block of region `index`, with arguments of these types and results of those, all
/// tensors of rank 0.
fn expect_body(
    ir: &Ir,
    op: Op,
    index: usize,
    arguments: &[Type],
    results: Option<&[Type]>,
) -> Result<Block, OpError> {
    let block = ir
        .single_block(ir.region(op, index))
        .ok_or_else(|| OpError::from(format!("region #{index} must have one block")))?;
    let found: Vec<Type> = ir
        .block_args(block)
        .iter()
        .map(|&arg| ir.value_type(arg))
        .collect();
    if found != arguments {
        let context = ir.context();
        let list = |types: &[Type]| -> String {
            let types: Vec<String> = types.iter().map(|&ty| text(context, ty)).collect();
            types.join(", ")
        };
        return Err(format!(
            "region #{index} must have arguments of types ({}), but has ({})",
            list(arguments),
            list(&found)
        )
        .into());
    }
    let Some(end) = ir.last_op(block) else {
        return Err(format!("region #{index} must return values").into());
    };
    let returned: Vec<Type> = ir
        .operands(end)
        .iter()
        .map(|&value| ir.value_type(value))
        .collect();
    match results {
        Some(results) if returned != results => {
            Err(format!("region #{index} returns values of other types than expected").into())
        }
        _ => Ok(block),
    }
}

/// The types of single elements of values.
fn scalars(ir: &Ir, values: &[Value]) -> Vec<Type> {
    let context = ir.context();
    values
        .iter()
        .map(|&value| scalar_of(context, ir.value_type(value)))
        .collect()
}

pub(in crate::dialects::stablehlo) fn scatter(ir: &Ir, op: Op) -> Verified {
    let context = ir.context();
    let attr = ir.attr(op, Name::SCATTER_DIMENSION_NUMBERS);
    let Some(dims) = attr.and_then(|attr| ScatterDimensions::from_attr(context, attr)) else {
        return Ok(());
    };
    let n_operands = ir.operands(op).len();
    if n_operands < 3 || n_operands.is_multiple_of(2) {
        return wrong("expects as many updates as inputs, and one tensor of indices");
    }
    let inputs = ir.operand_group(op, 0);
    let updates = ir.operand_group(op, 2);
    let indices = shape(ir, ir.operand_group(op, 1)[0]);
    if ir.results(op).len() != inputs.len() {
        return wrong("expects as many results as inputs");
    }
    let input = shape(ir, inputs[0]);
    let update = shape(ir, updates[0]);
    for (i, &value) in inputs.iter().enumerate() {
        if !are_compatible(shape(ir, value), input)
            || !are_compatible(shape(ir, updates[i]), update)
        {
            return wrong("Not all inputs (updates) have compatible shapes");
        }
        if element(ir, value) != element(ir, updates[i]) {
            return wrong("expects updates of the element type of their inputs");
        }
        let result = ir.result(op, i);
        if !is_promotable(context, element(ir, value), element(ir, result)) {
            return wrong("expects results of the element type of their inputs");
        }
        expect_shape(ir, result, input)?;
    }
    let index_dim = dims.index_vector_dim;
    if !(0..=indices.len() as i64).contains(&index_dim) {
        return wrong(format!(
            "expects scatter index leaf dimension to be within [0, rank(scatter_indices) + 1. \
             rank(scatter_indices) is {} and scatter index leaf dimension is {index_dim}.",
            indices.len()
        ));
    }
    let index_size = indices.get(index_dim as usize).copied().unwrap_or(1);
    if !is_same_size(index_size, dims.scatter_dims_to_operand_dims.len() as i64) {
        return wrong(format!(
            "Scatter op has {} elements in scatter_dims_to_operand_dims and the bound of dimension \
             {index_dim} of scatter_indices is {index_size}. These two numbers must be equal",
            dims.scatter_dims_to_operand_dims.len()
        ));
    }
    let dropped = [
        &dims.inserted_window_dims[..],
        &dims.input_batching_dims[..],
    ]
    .concat();
    expect_dimensions(
        &dropped,
        input.len(),
        "inserted_window_dims and input_batching_dims",
    )?;
    let named = [
        &dims.scatter_dims_to_operand_dims[..],
        &dims.input_batching_dims[..],
    ]
    .concat();
    expect_dimensions(
        &named,
        input.len(),
        "scatter_dims_to_operand_dims and input_batching_dims",
    )?;
    expect_batches(
        input,
        indices,
        &dims.input_batching_dims,
        &dims.scatter_indices_batching_dims,
        index_dim,
    )?;
    let batch = without(indices, index_dim);
    let windows = input.len() - dropped.len();
    if dims.update_window_dims.len() != windows || update.len() != windows + batch.len() {
        return wrong(format!(
            "expects rank-of operand to match size of update_window_dims ({}) plus the dimensions \
             that windows lack ({})",
            dims.update_window_dims.len(),
            dropped.len()
        ));
    }
    expect_dimensions(&dims.update_window_dims, update.len(), "update_window_dims")?;
    if !dims.update_window_dims.is_sorted() {
        return wrong("expects update_window_dims to be sorted");
    }
    let kept = (0..input.len()).filter(|&dim| !dropped.contains(&(dim as i64)));
    for (dim, &in_update) in kept.zip(&dims.update_window_dims) {
        let (of, size) = (input[dim], update[in_update as usize]);
        if of != DYNAMIC && size != DYNAMIC && size > of {
            return wrong(format!(
                "expects bounds of the window dimensions of updates to not exceed the bounds of the \
                 corresponding dimensions of operand. For dimension {in_update}, updates bound is \
                 {size}, operand bound is {of}."
            ));
        }
    }
    let in_updates =
        (0..update.len()).filter(|&dim| !dims.update_window_dims.contains(&(dim as i64)));
    for (dim, &size) in in_updates.zip(&batch) {
        if !is_same_size(update[dim], size) {
            return wrong(
                "expects bounds of the scatter dimensions of updates to be same as the bounds of the \
                 corresponding dimensions of scatter indices.",
            );
        }
    }
    // Bodies may compute in wider elements than those of the inputs.
    let elements = scalars(ir, ir.results(op));
    let arguments = [&elements[..], &elements[..]].concat();
    expect_body(ir, op, 0, &arguments, Some(&elements))?;
    Ok(())
}

pub(in crate::dialects::stablehlo) fn select_and_scatter(ir: &Ir, op: Op) -> Verified {
    let context = ir.context();
    let [operand, source, init] = [0, 1, 2].map(|index| ir.operand(op, index));
    let from = shape(ir, operand);
    if !shape(ir, init).is_empty() {
        return wrong("expects the initial value to be a scalar");
    }
    let sizes = match ir.attr(op, Name::WINDOW_DIMENSIONS) {
        Some(attr) => context.attr_i64_array(attr).unwrap_or_default(),
        None => vec![1; from.len()],
    };
    if sizes.len() != from.len() {
        return wrong(format!(
            "expects window-dimensions size == input rank, but got window-dimensions size: {} and \
             input: {} with rank = {}.",
            sizes.len(),
            text(context, ir.value_type(operand)),
            from.len()
        ));
    }
    let window = window(ir, op, &sizes, &WindowNames::OF_SELECTION)?;
    if !are_compatible(&places(&window, from)?, shape(ir, source)) {
        return wrong("expects source-type to be the result of the window over the operand");
    }
    let element_type = scalar_of(context, ir.value_type(operand));
    let computed_in = scalar_of(context, ir.value_type(ir.result(op, 0)));
    let is_same = [source, init]
        .iter()
        .all(|&value| element(ir, value) == element(ir, operand));
    if !is_same || !is_promotable(context, element(ir, operand), element(ir, ir.result(op, 0))) {
        return wrong("expects all operands and the result to have the same element type");
    }
    expect_shape(ir, ir.result(op, 0), from)?;
    let condition = scalar_of(context, Type::I1);
    expect_body(ir, op, 0, &[element_type; 2], Some(&[condition]))?;
    expect_body(ir, op, 1, &[computed_in; 2], Some(&[computed_in]))?;
    Ok(())
}

/// Checks inputs, initial values and the body of a reduction to results of `expected` shape.
fn expect_reduction(ir: &Ir, op: Op, expected: &[i64]) -> Verified {
    let operands = ir.operands(op);
    let n = operands.len() / 2;
    let (inputs, inits) = operands.split_at(n);
    if n == 0 || !operands.len().is_multiple_of(2) || ir.results(op).len() != n {
        return wrong("expects as many initial values and results as inputs, and at least one");
    }
    let first = shape(ir, inputs[0]);
    for (i, (&input, &init)) in inputs.iter().zip(inits).enumerate() {
        if !are_compatible(shape(ir, input), first) {
            return wrong("expects all inputs to have compatible shapes.");
        }
        if !shape(ir, init).is_empty() {
            return wrong("expects initial values to be scalars");
        }
        let computed_in = element(ir, ir.result(op, i));
        if [init, input]
            .iter()
            .any(|&value| !is_promotable(ir.context(), element(ir, value), computed_in))
        {
            return wrong("expects initial values of the element type of their results");
        }
        expect_shape(ir, ir.result(op, i), expected)?;
    }
    // Bodies may compute in wider elements than those of the inputs.
    let accumulators = scalars(ir, ir.results(op));
    let arguments = [&accumulators[..], &accumulators[..]].concat();
    expect_body(ir, op, 0, &arguments, Some(&accumulators))?;
    Ok(())
}

pub(in crate::dialects::stablehlo) fn reduce(ir: &Ir, op: Op) -> Verified {
    let Some(&first) = ir.operands(op).first() else {
        return wrong("expects at least one input");
    };
    let input = shape(ir, first);
    let dims = i64_array(ir, op, Name::DIMENSIONS);
    expect_dimensions(&dims, input.len(), "dimensions")?;
    let kept = (0..input.len()).filter(|&dim| !dims.contains(&(dim as i64)));
    let expected: Vec<i64> = kept.map(|dim| input[dim]).collect();
    expect_reduction(ir, op, &expected)
}

pub(in crate::dialects::stablehlo) fn reduce_window(ir: &Ir, op: Op) -> Verified {
    let Some(&first) = ir.operands(op).first() else {
        return wrong("expects at least one input");
    };
    let input = shape(ir, first);
    let sizes = i64_array(ir, op, Name::WINDOW_DIMENSIONS);
    if sizes.len() != input.len() {
        return wrong(format!(
            "expects window-dimensions size == input rank, but got window-dimensions size: {} and \
             input rank {}",
            sizes.len(),
            input.len()
        ));
    }
    let window = window(ir, op, &sizes, &WindowNames::OF_REDUCTION)?;
    expect_reduction(ir, op, &places(&window, input)?)
}

pub(in crate::dialects::stablehlo) fn sort(ir: &Ir, op: Op) -> Verified {
    let operands = ir.operands(op);
    let Some(&first) = operands.first() else {
        return wrong("expects at least one input");
    };
    let rank = shape(ir, first).len() as i64;
    let dim = integer(ir, op, Name::DIMENSION);
    let is_of_scalar = rank == 0 && (-1..1).contains(&dim);
    if !is_of_scalar && !(-rank..rank).contains(&dim) {
        return wrong(format!(
            "dimension attribute value must be in range [-{rank}, {rank}), but found {dim}"
        ));
    }
    pairwise_types(ir, op)?;
    if operands
        .iter()
        .any(|&value| !are_compatible(shape(ir, value), shape(ir, first)))
    {
        return wrong("requires the same shape for all operands and results");
    }
    let arguments: Vec<Type> = scalars(ir, operands)
        .iter()
        .flat_map(|&ty| [ty, ty])
        .collect();
    let condition = scalar_of(ir.context(), Type::I1);
    expect_body(ir, op, 0, &arguments, Some(&[condition]))?;
    Ok(())
}

pub(in crate::dialects::stablehlo) fn map(ir: &Ir, op: Op) -> Verified {
    if ir.operands(op).is_empty() {
        return wrong("expects at least one input");
    }
    same_shapes(ir, op)?;
    let result = scalars(ir, ir.results(op));
    expect_body(ir, op, 0, &scalars(ir, ir.operands(op)), Some(&result))?;
    Ok(())
}

/// The types of operands and results are the same.
pub(in crate::dialects::stablehlo) fn pairwise_types(ir: &Ir, op: Op) -> Verified {
    let (operands, results) = (ir.operands(op), ir.results(op));
    let types = |values: &[Value]| -> Vec<Type> {
        values.iter().map(|&value| ir.value_type(value)).collect()
    };
    let context = ir.context();
    let fits = |(&a, &b): (&Type, &Type)| {
        a == b
            || (context
                .shape(a)
                .zip(context.shape(b))
                .is_some_and(|(a, b)| are_compatible(a, b))
                && context.element_type_or_self(a) == context.element_type_or_self(b))
    };
    let (from, to) = (types(operands), types(results));
    match from.len() == to.len() && from.iter().zip(&to).all(fits) {
        true => Ok(()),
        false => wrong("requires the same types for operands and results"),
    }
}

/// What the block of region `index` returns.
fn returned(ir: &Ir, op: Op, index: usize) -> Result<Vec<Type>, OpError> {
    let block = ir.single_block(ir.region(op, index));
    let end = block.and_then(|block| ir.last_op(block));
    let Some(end) = end else {
        return Err(format!("region #{index} must have one block").into());
    };
    Ok(ir
        .operands(end)
        .iter()
        .map(|&value| ir.value_type(value))
        .collect())
}

pub(super) fn are_types_compatible(context: &Context, a: &[Type], b: &[Type]) -> bool {
    let is_same = |(&a, &b): (&Type, &Type)| {
        let shapes = context.shape(a).zip(context.shape(b));
        a == b
            || (shapes.is_some_and(|(a, b)| are_compatible(a, b))
                && context.element_type_or_self(a) == context.element_type_or_self(b))
    };
    a.len() == b.len() && a.iter().zip(b).all(is_same)
}

pub(in crate::dialects::stablehlo) fn branches(ir: &Ir, op: Op) -> Verified {
    if !shape(ir, ir.operand(op, 0)).is_empty() {
        return wrong("operand should be rank 0 tensor");
    }
    let results: Vec<Type> = ir
        .results(op)
        .iter()
        .map(|&value| ir.value_type(value))
        .collect();
    for index in 0..ir.regions(op).len() {
        let returned = returned(ir, op, index)?;
        let block = ir.entry_block(ir.region(op, index));
        if block.is_some_and(|block| !ir.block_args(block).is_empty()) {
            return wrong(format!("branch {index} must have 0 arguments"));
        }
        if !are_types_compatible(ir.context(), &returned, &results) {
            return wrong(format!(
                "branch {index} returned types do not match the results"
            ));
        }
    }
    Ok(())
}

pub(in crate::dialects::stablehlo) fn while_loop(ir: &Ir, op: Op) -> Verified {
    let context = ir.context();
    pairwise_types(ir, op)?;
    let types: Vec<Type> = ir
        .operands(op)
        .iter()
        .map(|&value| ir.value_type(value))
        .collect();
    for (index, name) in ["cond", "body"].into_iter().enumerate() {
        let returned = returned(ir, op, index)?;
        let block = ir.entry_block(ir.region(op, index));
        let arguments: Vec<Type> = block
            .map(|block| ir.block_args(block))
            .unwrap_or_default()
            .iter()
            .map(|&value| ir.value_type(value))
            .collect();
        if !are_types_compatible(context, &arguments, &types) {
            return wrong(format!(
                "expect operands to be compatible with {name} block arguments"
            ));
        }
        let is_right = match index {
            0 => returned[..] == [scalar_of(context, Type::I1)],
            _ => are_types_compatible(context, &returned, &types),
        };
        if !is_right {
            return wrong(match index {
                0 => "expect condition block return a zero-ranked tensor of i1",
                _ => "expect operands to be compatible with body block return types",
            });
        }
    }
    Ok(())
}

/// The types of the members of a tuple.
fn members(context: &Context, ty: Type) -> &[Type] {
    match context.type_kind(ty) {
        TypeKind::Tuple(members) => members,
        _ => &[],
    }
}

pub(in crate::dialects::stablehlo) fn tuple(ir: &Ir, op: Op) -> Verified {
    let operands: Vec<Type> = ir
        .operands(op)
        .iter()
        .map(|&value| ir.value_type(value))
        .collect();
    match members(ir.context(), ir.value_type(ir.result(op, 0))) == operands {
        true => Ok(()),
        false => wrong("requires a tuple of the types of its operands"),
    }
}

pub(in crate::dialects::stablehlo) fn get_tuple_element(ir: &Ir, op: Op) -> Verified {
    let index = integer(ir, op, Name::INDEX) as usize;
    let members = members(ir.context(), ir.value_type(ir.operand(op, 0)));
    match members.get(index) {
        Some(&member) if member == ir.value_type(ir.result(op, 0)) => Ok(()),
        Some(_) => wrong("has return type that is not that of the member"),
        None => wrong(format!(
            "index {index} is out of bounds of operand with size {}",
            members.len()
        )),
    }
}
