//! Rules: shapes and element types of operands fit each other and the body.
//! Wording is that of IREE where it has the same rule.

use crate::dialects::linalg::interface::{element_type, rank, shape};
use crate::dialects::shared::assembly::i64_array;
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::OpError;
use crate::ir::types::{DYNAMIC, Type, TypeKind};
use crate::syntax::printer::type_to_string;

use super::{body, outputs, reversed_dimensions};

type Verified = Result<(), OpError>;

fn error<T>(message: String) -> Result<T, OpError> {
    Err(message.into())
}

fn text(ir: &Ir, ty: Type) -> String {
    type_to_string(ir.context(), ty)
}

/// Whether two sizes may be equal at run time.
fn fits(a: i64, b: i64) -> bool {
    a == b || a == DYNAMIC || b == DYNAMIC
}

/// Whether two shapes may be equal at run time.
fn shapes_fit(a: &[i64], b: &[i64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| fits(a, b))
}

/// A shape without one of its dimensions.
fn without(shape: &[i64], dimension: usize) -> Vec<i64> {
    let mut shape = shape.to_vec();
    shape.remove(dimension);
    shape
}

fn is_integer_or_index(ir: &Ir, ty: Type) -> bool {
    matches!(
        ir.context().type_kind(ty),
        TypeKind::Integer { .. } | TypeKind::Index
    )
}

/// Operands are all tensors or all buffers, and results are the outputs that are tensors.
fn verify_destinations(ir: &Ir, op: Op) -> Verified {
    let context = ir.context();
    let is_tensor = |ty: Type| matches!(context.type_kind(ty), TypeKind::RankedTensor { .. });
    let types = ir.operands(op).iter().map(|&v| ir.value_type(v));
    let (has_tensors, has_buffers) = types.fold((false, false), |(tensors, buffers), ty| {
        (
            tensors || is_tensor(ty),
            buffers || context.as_memref(ty).is_some(),
        )
    });
    if has_tensors && has_buffers {
        return Err("expected all operands to be tensors or all to be buffers".into());
    }
    let outputs = outputs(ir, op).unwrap_or(0..0);
    let expected: Vec<Type> = ir.operands(op)[outputs]
        .iter()
        .map(|&v| ir.value_type(v))
        .filter(|&ty| is_tensor(ty))
        .collect();
    let results = ir.results(op);
    if results.len() != expected.len() {
        return error(format!(
            "expected the number of results ({}) to be equal to the number of output tensors ({})",
            results.len(),
            expected.len()
        ));
    }
    for (&result, &ty) in results.iter().zip(&expected) {
        let found = ir.value_type(result);
        if found != ty {
            return error(format!(
                "expected type of result '{}' to match type of corresponding output '{}'",
                text(ir, found),
                text(ir, ty)
            ));
        }
    }
    Ok(())
}

/// The dimension that the operation works along.
fn dimension(ir: &Ir, op: Op, rank: usize) -> Result<usize, OpError> {
    let value = ir
        .attr(op, Name::DIMENSION)
        .and_then(|attr| ir.context().attr_integer(attr));
    match value.and_then(|value| usize::try_from(value).ok()) {
        Some(dimension) if dimension < rank => Ok(dimension),
        _ => error(format!("dimension must be within [0, {rank})")),
    }
}

/// The body takes `arguments` and yields a value of type `yielded`.
fn verify_body(ir: &Ir, op: Op, arguments: &[Type], yielded: Type) -> Verified {
    let Some(body) = body(ir, op) else {
        return Err("expects a non-empty region".into());
    };
    let found = ir.block_args(body);
    if found.len() != arguments.len() {
        return error(format!(
            "region block should have {} arguments, but got {}",
            arguments.len(),
            found.len()
        ));
    }
    for (i, (&argument, &ty)) in found.iter().zip(arguments).enumerate() {
        let found = ir.value_type(argument);
        if found != ty {
            return error(format!(
                "region block argument #{i} should be of type '{}' but got '{}'",
                text(ir, ty),
                text(ir, found)
            ));
        }
    }
    let terminator = ir.last_op(body).filter(|&last| ir.is(last, &super::YIELD));
    let Some(terminator) = terminator else {
        return Err("region block must end with 'iree_linalg_ext.yield'".into());
    };
    match ir.operands(terminator) {
        &[value] if ir.value_type(value) == yielded => Ok(()),
        &[value] => error(format!(
            "should yield a value of type '{}' but yields '{}'",
            text(ir, yielded),
            text(ir, ir.value_type(value))
        )),
        values => error(format!(
            "should yield exactly one value but yields {}",
            values.len()
        )),
    }
}

pub(super) fn verify_sort(ir: &Ir, op: Op) -> Verified {
    verify_destinations(ir, op)?;
    if !ir.operand_group(op, 0).is_empty() {
        return Err("does not expect to take any inputs".into());
    }
    let outputs = ir.operand_group(op, 1);
    let Some(&first) = outputs.first() else {
        return Err("expected at least one `outs` operand".into());
    };
    dimension(ir, op, rank(ir, first))?;
    let mut arguments = Vec::new();
    for (i, &output) in outputs.iter().enumerate() {
        if rank(ir, output) != rank(ir, first) {
            return error(format!(
                "expected operand {i} to be rank {}, same as other operands",
                rank(ir, first)
            ));
        }
        if shape(ir, output) != shape(ir, first) {
            return error(format!(
                "expected operand {i} to have same shape as other operands"
            ));
        }
        arguments.extend([element_type(ir, output); 2]);
    }
    verify_body(ir, op, &arguments, Type::I1)
}

pub(super) fn verify_scan(ir: &Ir, op: Op) -> Verified {
    verify_destinations(ir, op)?;
    let &[input, output, accumulator] = ir.operands(op) else {
        return Err("expected one input and two outputs".into());
    };
    let dimension = dimension(ir, op, rank(ir, input))?;
    let element = element_type(ir, input);
    if element_type(ir, accumulator) != element {
        return Err("expected input/accumulator element types to be identical".into());
    }
    if !shapes_fit(
        &without(shape(ir, input), dimension),
        shape(ir, accumulator),
    ) {
        return Err("incompatible input/accumulator shapes".into());
    }
    if element_type(ir, output) != element {
        return Err("expected input/output element types to be identical".into());
    }
    if !shapes_fit(shape(ir, input), shape(ir, output)) {
        return Err("incompatible input/output shapes".into());
    }
    verify_body(ir, op, &[element, element], element)
}

/// Where slices of `whole` are: `indices` has positions for the `depth` outermost dimensions; the
/// other operand has one slice for each. Returns `depth` and the number of dimensions of positions.
///
/// Either the last dimension of `indices` has the coordinates, or there is one and no such dimension.
fn verify_slices(
    ir: &Ir,
    op: Op,
    whole: (Value, &str),
    slices: (Value, &str),
    indices: Value,
) -> Verified {
    let (whole, whole_name) = whole;
    let (slices, slices_name) = slices;
    let indices_shape = shape(ir, indices);
    if indices_shape.is_empty() || !is_integer_or_index(ir, element_type(ir, indices)) {
        return Err(
            "expected indices to be of rank 1 or greater and of integer or index element type"
                .into(),
        );
    }
    let map = i64_array(ir, op, Name::DIMENSION_MAP);
    let depth = map.len();
    let is_permutation = (0..depth as i64).all(|dim| map.contains(&dim));
    if depth == 0 || depth > rank(ir, whole) || !is_permutation {
        return error(format!(
            "dimension map is invalid: it must be a permutation of the first dimensions of the {whole_name} value"
        ));
    }
    let n_sliced = rank(ir, whole) - depth;
    let Some(n_batch) = rank(ir, slices).checked_sub(n_sliced) else {
        return error(format!(
            "expected {slices_name} value to be of rank {n_sliced} or greater"
        ));
    };
    let coordinates = match indices_shape.len() {
        n if n == n_batch => 1,
        n if n == n_batch + 1 => indices_shape[n_batch],
        _ => {
            return Err("expected indices to be equal to batch rank or batch rank + 1".into());
        }
    };
    if coordinates != depth as i64 {
        return error(format!(
            "expected as many coordinates per position as the dimension map has: {depth}"
        ));
    }
    let batches = indices_shape.iter().zip(shape(ir, slices));
    for (dim, (&position, &slice)) in batches.take(n_batch).enumerate() {
        if !fits(position, slice) {
            return error(format!(
                "mismatch in shape of indices and {slices_name} value at dim#{dim}"
            ));
        }
    }
    for dim in 0..n_sliced {
        let (in_whole, in_slices) = (depth + dim, n_batch + dim);
        if !fits(shape(ir, whole)[in_whole], shape(ir, slices)[in_slices]) {
            return error(format!(
                "shape of {slices_name} value dim#{in_slices} must match {whole_name} value at dim#{in_whole}"
            ));
        }
    }
    Ok(())
}

pub(super) fn verify_scatter(ir: &Ir, op: Op) -> Verified {
    verify_destinations(ir, op)?;
    let &[updates, indices, original] = ir.operands(op) else {
        return Err("expected two input operands and one output operand".into());
    };
    verify_slices(ir, op, (original, "original"), (updates, "update"), indices)?;
    let element = element_type(ir, original);
    verify_body(ir, op, &[element_type(ir, updates), element], element)
}

pub(super) fn verify_gather(ir: &Ir, op: Op) -> Verified {
    verify_destinations(ir, op)?;
    let &[source, indices, output] = ir.operands(op) else {
        return Err("expected two input operands and one output operand".into());
    };
    if element_type(ir, source) != element_type(ir, output) {
        return Err("expected source/output element types to be identical".into());
    }
    verify_slices(ir, op, (source, "source"), (output, "output"), indices)
}

/// The positions of elements: `input`, if given, is where they come from, `output` where they go.
fn verify_positions(ir: &Ir, values: Value, input: Option<Value>, output: Value) -> Verified {
    let element = element_type(ir, output);
    if !is_integer_or_index(ir, element) {
        return error(format!(
            "output index must have integer or index element type, but got '{}'",
            text(ir, element)
        ));
    }
    let Some(input) = input else {
        return Ok(());
    };
    if !shapes_fit(shape(ir, values), shape(ir, input)) {
        return Err("input indices/values shape must match".into());
    }
    if element_type(ir, input) != element {
        return error(format!(
            "input and output index element types must match. Input index type: '{}', output index type: '{}'",
            text(ir, element_type(ir, input)),
            text(ir, element)
        ));
    }
    Ok(())
}

pub(super) fn verify_topk(ir: &Ir, op: Op) -> Verified {
    verify_destinations(ir, op)?;
    let values = ir.operand(op, 0);
    let (output, positions) = (ir.operand_group(op, 2)[0], ir.operand_group(op, 3)[0]);
    let dimension = dimension(ir, op, rank(ir, values))?;
    let element = element_type(ir, values);
    if element_type(ir, output) != element {
        return Err("expected input/output value types to be identical".into());
    }
    verify_positions(
        ir,
        values,
        ir.operand_group(op, 1).first().copied(),
        positions,
    )?;
    if !shapes_fit(shape(ir, output), shape(ir, positions)) {
        return Err("output indices/values shape must match".into());
    }
    if rank(ir, output) != rank(ir, values)
        || !shapes_fit(
            &without(shape(ir, values), dimension),
            &without(shape(ir, output), dimension),
        )
    {
        return Err("incompatible input/output shapes".into());
    }
    verify_body(ir, op, &[element, element], Type::I1)
}

pub(super) fn verify_arg_compare(ir: &Ir, op: Op) -> Verified {
    verify_destinations(ir, op)?;
    let values = ir.operand(op, 0);
    let input = ir.operand_group(op, 1).first().copied();
    let (output, positions) = (ir.operand_group(op, 2)[0], ir.operand_group(op, 3)[0]);
    let dimension = dimension(ir, op, rank(ir, values))?;
    let element = element_type(ir, values);
    if element_type(ir, output) != element {
        return error(format!(
            "input and output value element types must match. Input type: '{}', output value type: '{}'",
            text(ir, element),
            text(ir, element_type(ir, output))
        ));
    }
    if input.is_some() && !ir.operand_group(op, 4).is_empty() {
        return Err("index_base must not be used with explicit indices".into());
    }
    verify_positions(ir, values, input, positions)?;
    if !shapes_fit(shape(ir, output), shape(ir, positions)) {
        return Err("output indices/values shape must match".into());
    }
    if !shapes_fit(&without(shape(ir, values), dimension), shape(ir, output)) {
        return Err("output shape must match input shape with the dimension removed".into());
    }
    verify_body(ir, op, &[element, element], Type::I1)
}

pub(super) fn verify_fft(ir: &Ir, op: Op) -> Verified {
    verify_destinations(ir, op)?;
    let group = |group| ir.operand_group(op, group).first().copied();
    let (Some(real), Some(imag)) = (group(3), group(4)) else {
        return Err("expected outputs to be real and imag tensor/memref".into());
    };
    let element = element_type(ir, real);
    if !matches!(element, Type::F32 | Type::F64) {
        return error(format!(
            "expected elements of type 'f32' or 'f64', but got '{}'",
            text(ir, element)
        ));
    }
    let Some(&length) = shape(ir, real).last() else {
        return Err("expected outputs to be of rank 1 or greater".into());
    };
    if length != DYNAMIC && !u64::try_from(length).is_ok_and(u64::is_power_of_two) {
        return Err("only powers of 2 are handled currently".into());
    }
    if !shapes_fit(shape(ir, real), shape(ir, imag)) || element_type(ir, imag) != element {
        return Err("expected real and imag outputs to have the same shape and type".into());
    }
    let coefficients = [group(1), group(2)];
    if coefficients[0].is_some() != coefficients[1].is_some() {
        return Err("expected to carry real and imag coeff inputs".into());
    }
    for coefficient in coefficients.into_iter().flatten() {
        if rank(ir, coefficient) != 1 || element_type(ir, coefficient) != element {
            return error(format!(
                "expected coefficients to be of rank 1 and type '{}'",
                text(ir, element)
            ));
        }
    }
    Ok(())
}

pub(super) fn verify_reverse(ir: &Ir, op: Op) -> Verified {
    verify_destinations(ir, op)?;
    let (input, output) = (ir.operand(op, 0), ir.operand(op, 1));
    if element_type(ir, input) != element_type(ir, output) {
        return Err("expected input/output element types to be identical".into());
    }
    if !shapes_fit(shape(ir, input), shape(ir, output)) {
        return Err("incompatible input/output shapes".into());
    }
    let rank = rank(ir, input);
    let Some(dimensions) = reversed_dimensions(ir, op) else {
        return Err("expected dimensions to be 64-bit integers, one for each at most".into());
    };
    let mut seen = vec![false; rank];
    for dimension in dimensions {
        match usize::try_from(dimension)
            .ok()
            .and_then(|d| seen.get_mut(d))
        {
            None => return error(format!("all the dimensions must be within [0, {rank})")),
            Some(seen) => {
                if std::mem::replace(seen, true) {
                    return Err("expected dimensions numbers are all unique".into());
                }
            }
        }
    }
    Ok(())
}
