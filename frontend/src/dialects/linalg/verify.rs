//! Rules of structured operations, in upstream's words.

use super::attributes::i64_array;
use super::interface::{
    body, element_type, indexing_maps, inputs, is_structured, n_inputs, n_loops, outputs, rank,
    shape,
};
use super::own_maps;
use super::{FILL, MAP};
use crate::ir::affine::{AffineExpr, AffineMap};
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::OpError;
use crate::ir::types::{DYNAMIC, Type, TypeKind};
use crate::syntax::printer::type_to_string;

fn error(message: String) -> Result<(), OpError> {
    Err(OpError::from(message))
}

fn type_text(ir: &Ir, ty: Type) -> String {
    format!("'{}'", type_to_string(ir.context(), ty))
}

fn is_tensor(ir: &Ir, value: Value) -> bool {
    matches!(
        ir.context().type_kind(ir.value_type(value)),
        TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor(_)
    )
}

/// Outputs are tensors or buffers, with a result for each tensor.
fn verify_destination_style(ir: &Ir, op: Op) -> Result<(), OpError> {
    let first = n_inputs(ir, op);
    let mut tensors = Vec::new();
    for (i, &output) in outputs(ir, op).iter().enumerate() {
        let index = first + i;
        if is_tensor(ir, output) {
            tensors.push((index, output));
        } else if !ir.is_memref(output) {
            return error(format!(
                "expected that operand #{index} is a tensor or a memref"
            ));
        }
    }
    let results = ir.results(op);
    if results.len() != tensors.len() {
        return error(format!(
            "expected the number of tensor results ({}) to be equal to the number of output tensors ({})",
            results.len(),
            tensors.len()
        ));
    }
    for (&(index, output), &result) in tensors.iter().zip(results) {
        let (output, result) = (ir.value_type(output), ir.value_type(result));
        if output != result {
            return error(format!(
                "expected type of operand #{index} ({}) to match type of corresponding result ({})",
                type_text(ir, output),
                type_text(ir, result)
            ));
        }
    }
    Ok(())
}

/// Whether all shaped operands are tensors, or all are buffers.
fn is_pure(ir: &Ir, op: Op) -> bool {
    let context = ir.context();
    let operands = ir.operands(op);
    let has_buffers = operands
        .iter()
        .any(|&operand| context.as_memref(ir.value_type(operand)).is_some());
    let has_tensors = operands.iter().any(|&operand| {
        matches!(
            context.type_kind(ir.value_type(operand)),
            TypeKind::RankedTensor { .. }
        )
    });
    has_buffers != has_tensors
}

/// What holds for every operation with a loop nest.
fn verify_structured(ir: &Ir, op: Op) -> Result<(), OpError> {
    let operands = ir.operands(op);
    if !operands.is_empty() && !is_pure(ir, op) {
        return Err("expected to have pure tensor or buffer semantics".into());
    }
    let maps = indexing_maps(ir, op);
    if maps.len() != operands.len() {
        return error(format!(
            "expected the number of indexing_map ({}) to be equal to the number of input/output operands ({})",
            maps.len(),
            operands.len()
        ));
    }
    let n_loops = n_loops(ir, op);
    for (i, (map, &operand)) in maps.iter().zip(operands).enumerate() {
        if map.n_symbols != 0 {
            return error(format!("unexpected symbols in indexing_map #{i}"));
        }
        if map.n_dims as usize != n_loops {
            return error(format!(
                "expected indexing_map #{i} to have {n_loops} dim(s) to match the number of loops"
            ));
        }
        let rank = rank(ir, operand);
        if map.results.len() != rank {
            return error(format!(
                "expected operand rank ({rank}) to match the result rank of indexing_map #{i} ({})",
                map.results.len()
            ));
        }
    }
    let Some(ranges) = loop_ranges(ir, operands, &maps, n_loops) else {
        return Err("expected the shape-to-loops map to be non-null".into());
    };
    verify_shapes(ir, operands, &maps, &ranges)?;
    verify_body(ir, op)
}

/// The number of iterations of each loop, [`DYNAMIC`] where unknown; `None` if
/// some loop is no subscript of anything.
fn loop_ranges(
    ir: &Ir,
    operands: &[Value],
    maps: &[AffineMap],
    n_loops: usize,
) -> Option<Vec<i64>> {
    let mut ranges = vec![None; n_loops];
    for (&operand, map) in operands.iter().zip(maps) {
        for (&size, result) in shape(ir, operand).iter().zip(&map.results) {
            if let AffineExpr::Dim(i) = result
                && let Some(range @ None) = ranges.get_mut(*i as usize)
            {
                *range = Some(size);
            }
        }
    }
    ranges.into_iter().collect()
}

/// Subscripts stay within the operands, as far as sizes are known.
fn verify_shapes(
    ir: &Ir,
    operands: &[Value],
    maps: &[AffineMap],
    ranges: &[i64],
) -> Result<(), OpError> {
    if ranges.contains(&DYNAMIC) {
        return Ok(());
    }
    let first = vec![0; ranges.len()];
    let last: Vec<i64> = ranges.iter().map(|range| range - 1).collect();
    for (i, (&operand, map)) in operands.iter().zip(maps).enumerate() {
        for (dim, (&size, result)) in shape(ir, operand).iter().zip(&map.results).enumerate() {
            if size == DYNAMIC || size == 0 {
                continue;
            }
            let ends = (result.evaluate(&first, &[]), result.evaluate(&last, &[]));
            let (Some(start), Some(end)) = ends else {
                continue;
            };
            if start.min(end) < 0 {
                return error(format!(
                    "unexpected result less than 0 at expression #{dim} in {map}"
                ));
            }
            let Some(inferred) = start.max(end).checked_add(1) else {
                continue;
            };
            let what =
                format!("inferred input/output operand #{i} has shape's dimension #{dim} to be");
            if matches!(result, AffineExpr::Dim(_)) {
                if inferred != size {
                    return error(format!("{what} {inferred}, but found {size}"));
                }
            } else if inferred > size {
                return error(format!(
                    "{what} greater than or equal to {inferred}, but found {size}"
                ));
            }
        }
    }
    Ok(())
}

/// One block, with an argument per operand that the body sees.
fn verify_body(ir: &Ir, op: Op) -> Result<(), OpError> {
    let block = ir
        .regions(op)
        .first()
        .and_then(|&region| ir.single_block(region));
    let Some(block) = block else {
        return Err("expects to have 1 region with 1 block".into());
    };
    let arguments = ir.block_args(block);
    let is_without_output = ir.is(op, &MAP) && arguments.len() == n_inputs(ir, op);
    if arguments.len() != ir.operands(op).len() && !is_without_output {
        return Err("expected as many non-induction variable region arguments as the number of input/output operands".into());
    }
    for (i, (&argument, &operand)) in arguments.iter().zip(ir.operands(op)).enumerate() {
        let (found, expected) = (ir.value_type(argument), element_type(ir, operand));
        if found != expected {
            return error(format!(
                "expected type of bb argument #{i} ({}) to match element or self type of the corresponding operand ({})",
                type_text(ir, found),
                type_text(ir, expected)
            ));
        }
    }
    Ok(())
}

pub(super) fn verify_generic(ir: &Ir, op: Op) -> Result<(), OpError> {
    verify_destination_style(ir, op)?;
    verify_structured(ir, op)
}

pub(super) fn verify_named(ir: &Ir, op: Op) -> Result<(), OpError> {
    own_maps::verify_convolution(ir, op)?;
    verify_generic(ir, op)?;
    own_maps::verify_contraction(ir, op)?;
    if ir.is(op, &FILL) && inputs(ir, op).iter().any(|&input| rank(ir, input) > 0) {
        return Err(OpError::bare("expected op with scalar input"));
    }
    Ok(())
}

/// `4, ?, 3` as upstream prints shapes: dynamic sizes as their number.
fn shape_text(shape: &[i64]) -> String {
    let sizes: Vec<String> = shape.iter().map(i64::to_string).collect();
    sizes.join(", ")
}

pub(super) fn verify_map(ir: &Ir, op: Op) -> Result<(), OpError> {
    verify_destination_style(ir, op)?;
    let inputs = inputs(ir, op);
    let arguments = match body(ir, op) {
        Some(block) => ir.block_args(block),
        None => &[],
    };
    // In MLIR 22 the mapper sees the output as well.
    if inputs.len() != arguments.len() && ir.operands(op).len() != arguments.len() {
        return error(format!(
            "expects number of operands to match the arity of mapper, but got: {} and {}",
            inputs.len(),
            arguments.len()
        ));
    }
    for (&argument, &input) in arguments.iter().zip(inputs) {
        let (found, expected) = (ir.value_type(argument), element_type(ir, input));
        if found != expected {
            return error(format!(
                "expected element type of input {} to match bbArg type {}",
                type_text(ir, expected),
                type_text(ir, found)
            ));
        }
    }
    let output_shape = outputs(ir, op).first().map_or(&[][..], |&o| shape(ir, o));
    for &input in inputs {
        if shape(ir, input) != output_shape {
            return error(format!(
                "expected shape of input ({}) to match shape of output ({})",
                shape_text(shape(ir, input)),
                shape_text(output_shape)
            ));
        }
    }
    verify_structured(ir, op)
}

pub(super) fn verify_reduce(ir: &Ir, op: Op) -> Result<(), OpError> {
    verify_destination_style(ir, op)?;
    let (inputs, inits) = (inputs(ir, op), outputs(ir, op));
    for (values, what) in [(inputs, "input"), (inits, "output")] {
        for (i, &value) in values.iter().enumerate().skip(1) {
            if shape(ir, value) != shape(ir, values[0]) {
                return error(format!(
                    "expects all {what}s to have the same shapes. Shape at {what}-index {i} is not equal to the shape at {what}-index 0."
                ));
            }
        }
    }
    let (Some(&input), Some(&init)) = (inputs.first(), inits.first()) else {
        return Err("expected at least one input and one output".into());
    };
    let dimensions = i64_array(ir, op, Name::DIMENSIONS);
    let input_rank = rank(ir, input) as i64;
    for dim in &dimensions {
        if !(0..input_rank).contains(dim) {
            return error(format!(
                "dimensions for reduction should be in the range [0, {}].",
                input_rank - 1
            ));
        }
    }
    let left: Vec<i64> = shape(ir, input)
        .iter()
        .enumerate()
        .filter(|(i, _)| !dimensions.contains(&(*i as i64)))
        .map(|(_, &size)| size)
        .collect();
    if left.len() != rank(ir, init) {
        return error(format!(
            "number of dimensions after reduction {} doesn't match the init rank {}",
            left.len(),
            rank(ir, init)
        ));
    }
    if left != shape(ir, init) {
        return error(format!(
            "init dimensions [{}] doesn't match input dimensions after reduction [{}]",
            shape_text(shape(ir, init)),
            shape_text(&left)
        ));
    }
    let arguments = match body(ir, op) {
        Some(block) => ir.block_args(block),
        None => &[],
    };
    if arguments.len() != ir.operands(op).len() {
        return Err("mismatching number of operands and block arguments".into());
    }
    for (i, (&argument, &operand)) in arguments.iter().zip(ir.operands(op)).enumerate() {
        let (found, expected) = (ir.value_type(argument), element_type(ir, operand));
        if found != expected {
            let what = if i < inputs.len() { "input" } else { "output" };
            return error(format!(
                "{what} element type {} does not match corresponding block argument type {}",
                type_text(ir, expected),
                type_text(ir, found)
            ));
        }
    }
    verify_structured(ir, op)
}

pub(super) fn verify_transpose(ir: &Ir, op: Op) -> Result<(), OpError> {
    verify_destination_style(ir, op)?;
    let permutation = i64_array(ir, op, Name::PERMUTATION);
    let mut sorted = permutation.clone();
    sorted.sort_unstable();
    if sorted.iter().enumerate().any(|(i, &dim)| dim != i as i64) {
        return Err("permutation is not valid".into());
    }
    let (input, init) = (ir.operand(op, 0), ir.operand(op, 1));
    let n = rank(ir, input);
    if n != rank(ir, init) {
        return error(format!(
            "input rank {n} does not match init rank {}",
            rank(ir, init)
        ));
    }
    if n != permutation.len() {
        return error(format!(
            "size of permutation {} does not match the argument rank {n}",
            permutation.len()
        ));
    }
    let (input_shape, init_shape) = (shape(ir, input), shape(ir, init));
    for (i, &dim) in permutation.iter().enumerate() {
        let (from, to) = (input_shape[dim as usize], init_shape[i]);
        if from != to {
            return error(format!(
                "dim(result, {i}) = {to} doesn't match dim(input, permutation[{i}]) = {from}"
            ));
        }
    }
    verify_structured(ir, op)
}

pub(super) fn verify_broadcast(ir: &Ir, op: Op) -> Result<(), OpError> {
    verify_destination_style(ir, op)?;
    let dimensions = i64_array(ir, op, Name::DIMENSIONS);
    let (input, init) = (ir.operand(op, 0), ir.operand(op, 1));
    let (input_rank, init_rank) = (rank(ir, input), rank(ir, init));
    if input_rank + dimensions.len() != init_rank {
        return error(format!(
            "input rank plus added dimensions does not match init rank. input rank: {input_rank}, dimensions size: {}, init rank: {init_rank}",
            dimensions.len()
        ));
    }
    for (i, &dim) in dimensions.iter().enumerate() {
        if dim < 0 || dim >= init_rank as i64 {
            return error(format!(
                "dimension {i} is out of range. expected range: [0, {}], got: {dim}",
                init_rank as i64 - 1
            ));
        }
    }
    let (input_shape, init_shape) = (shape(ir, input), shape(ir, init));
    let kept = (0..init_rank).filter(|&dim| !dimensions.contains(&(dim as i64)));
    for (i, dim) in kept.enumerate() {
        // Dimensions that are added twice leave more than the input has.
        let from = input_shape.get(i).copied().unwrap_or(DYNAMIC);
        if from != init_shape[dim] {
            return error(format!(
                "input dim {i} should match init dim {dim}. input: {from}, init: {}",
                init_shape[dim]
            ));
        }
    }
    verify_structured(ir, op)
}

/// The structured operation that a yield or index belongs to.
fn structured_parent(ir: &Ir, op: Op) -> Option<Op> {
    ir.parent_op(op).filter(|&parent| is_structured(ir, parent))
}

pub(super) fn verify_yield(ir: &Ir, op: Op) -> Result<(), OpError> {
    let Some(parent) = structured_parent(ir, op) else {
        return Err("expected parent op with LinalgOp interface".into());
    };
    let (values, outputs) = (ir.operands(op), outputs(ir, parent));
    if values.len() != outputs.len() {
        return error(format!(
            "expected number of yield values ({}) to match the number of inits / outs operands of the enclosing LinalgOp ({})",
            values.len(),
            outputs.len()
        ));
    }
    for (i, (&value, &output)) in values.iter().zip(outputs).enumerate() {
        let (found, expected) = (ir.value_type(value), element_type(ir, output));
        if found != expected {
            return error(format!(
                "type of yield operand {} ({}) doesn't match the element type of the enclosing linalg.generic op ({})",
                i + 1,
                type_text(ir, found),
                type_text(ir, expected)
            ));
        }
    }
    Ok(())
}

pub(super) fn verify_index(ir: &Ir, op: Op) -> Result<(), OpError> {
    let Some(parent) = structured_parent(ir, op) else {
        return Err("expected parent op with LinalgOp interface".into());
    };
    let dim = ir
        .attr(op, Name::DIM)
        .and_then(|attr| ir.context().attr_integer(attr))
        .unwrap_or(0);
    let n_loops = n_loops(ir, parent);
    if dim >= n_loops as i128 {
        return error(format!(
            "expected dim ({dim}) to be lower than the number of loops ({n_loops}) of the enclosing LinalgOp"
        ));
    }
    Ok(())
}

pub(super) fn verify_softmax(ir: &Ir, op: Op) -> Result<(), OpError> {
    let (input, output) = (ir.operand(op, 0), ir.operand(op, 1));
    if element_type(ir, input) != element_type(ir, output) {
        return Err("failed to verify that input and output have same element type".into());
    }
    verify_destination_style(ir, op)?;
    let (input, output) = (shape(ir, input), shape(ir, output));
    let compatible = input.len() == output.len()
        && input
            .iter()
            .zip(output)
            .all(|(&a, &b)| a == b || a == DYNAMIC || b == DYNAMIC);
    if !compatible {
        return Err("incompatible output shape".into());
    }
    let dimension = ir
        .attr(op, Name::DIMENSION)
        .and_then(|attr| ir.context().attr_integer(attr))
        .unwrap_or(-1);
    if !(0..input.len() as i128).contains(&dimension) {
        return Err("incorrect dimension specified".into());
    }
    Ok(())
}
