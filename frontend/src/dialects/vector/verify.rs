//! Rules of vector operations, transfers aside.

use super::{CombiningKind, is_vector, numbers, scalable_of, scalable_vector_type, shape_of};
use crate::dialects::arith::verify::all_types_match;
use crate::ir::affine::{AffineExpr, AffineMap};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::OpError;
use crate::ir::types::{DYNAMIC, Type, TypeKind};
use crate::syntax::printer::type_to_string;

type Outcome = Result<(), OpError>;

fn operand_type(ir: &Ir, op: Op, index: usize) -> Type {
    ir.value_type(ir.operand(op, index))
}

fn result_type(ir: &Ir, op: Op) -> Type {
    ir.value_type(ir.result(op, 0))
}

fn element(context: &Context, ty: Type) -> Type {
    context.element_type_or_self(ty)
}

/// The number of elements of a vector type, if it is a number.
fn n_elements(context: &Context, ty: Type) -> Option<i64> {
    (shape_of(context, ty).iter()).try_fold(1i64, |n, &size| n.checked_mul(size))
}

fn fail(message: impl Into<String>) -> Outcome {
    Err(message.into().into())
}

/// An error unless `condition` holds.
fn require(condition: bool, message: &str) -> Outcome {
    if condition { Ok(()) } else { fail(message) }
}

pub(super) fn bitcast(ir: &Ir, op: Op) -> Outcome {
    let context = ir.context();
    let (from, to) = (operand_type(ir, op, 0), result_type(ir, op));
    let (from_shape, to_shape) = (shape_of(context, from), shape_of(context, to));
    if from_shape.len() != to_shape.len() {
        return fail("source and result must have same rank");
    }
    let bits = |ty: Type, size: i64| -> Option<i64> {
        let bytes = match context.type_kind(element(context, ty)) {
            TypeKind::Integer { width, .. } => i64::from(*width),
            TypeKind::Float(kind) => i64::from(kind.width()),
            _ => 64,
        };
        bytes.checked_mul(size)
    };
    for (dim, (&a, &b)) in from_shape.iter().zip(to_shape).enumerate() {
        if dim + 1 < from_shape.len() && a != b {
            return fail(format!("dimension size mismatch at: {dim}"));
        }
    }
    let last = |shape: &[i64]| shape.last().copied().unwrap_or(1);
    require(
        bits(from, last(from_shape)) == bits(to, last(to_shape)),
        "source/result bitwidth of the minor 1-D vectors must be equal",
    )
}

pub(super) fn broadcast(ir: &Ir, op: Op) -> Outcome {
    let context = ir.context();
    let (from, to) = (operand_type(ir, op, 0), result_type(ir, op));
    if element(context, from) != element(context, to) {
        return fail("failed to verify that source operand and result have same element type");
    }
    if context.shape(from).is_some() && !is_vector(context, from) {
        return fail("source type is not a vector");
    }
    if !is_vector(context, from) {
        return Ok(());
    }
    let (from_shape, to_shape) = (shape_of(context, from), shape_of(context, to));
    if from_shape.len() > to_shape.len() {
        return fail("source rank higher than destination rank");
    }
    let leading = to_shape.len() - from_shape.len();
    let scalable = [from, to].map(|ty| super::scalable_of(context, ty));
    let from_dims = from_shape.iter().zip(scalable[0]);
    let to_dims = to_shape[leading..].iter().zip(&scalable[1][leading..]);
    for ((&a, &a_scalable), (&b, &b_scalable)) in from_dims.zip(to_dims) {
        let stretches = a == 1 && (!a_scalable || b == 1);
        if !stretches && (a, a_scalable) != (b, b_scalable) {
            let text = |size: i64, scalable| match scalable {
                true => format!("[{size}]"),
                false => size.to_string(),
            };
            let (a, b) = (text(a, a_scalable), text(b, b_scalable));
            return fail(format!("dimension mismatch ({a} vs. {b})"));
        }
    }
    Ok(())
}

/// Masked loads and stores, gathers and scatters; `value` names the last operand.
pub(super) fn masked(ir: &Ir, op: Op, value: &str) -> Outcome {
    let context = ir.context();
    let operands = ir.operands(op);
    let (base, last) = (operand_type(ir, op, 0), operands.len() - 1);
    let vector = operand_type(ir, op, last);
    let mask = operand_type(ir, op, last - 1);
    let has_index_vec = ir.is(op, &super::GATHER) || ir.is(op, &super::SCATTER);
    let n_vectors = if has_index_vec { 3 } else { 2 };
    if element(context, base) != element(context, vector) {
        let value = if value == "pass_thru" {
            "result"
        } else {
            value
        };
        return fail(format!("base and {value} element type should match"));
    }
    let rank = context.shape(base).map_or(0, <[i64]>::len);
    if operands.len() - 1 - n_vectors != rank {
        return fail(format!("requires {rank} indices"));
    }
    let shape = shape_of(context, vector);
    if has_index_vec && shape_of(context, operand_type(ir, op, last - 2)) != shape {
        return fail(format!("expected {value} dim to match indices dim"));
    }
    if shape_of(context, mask) != shape {
        return fail(format!("expected {value} shape to match mask shape"));
    }
    if let Some(&result) = ir.results(op).first()
        && ir.value_type(result) != vector
    {
        return fail("expected pass_thru of same type as result type");
    }
    Ok(())
}

pub(super) fn constant_mask(ir: &Ir, op: Op) -> Outcome {
    let shape = shape_of(ir.context(), result_type(ir, op));
    let sizes = numbers(ir, op, Name::MASK_DIM_SIZES);
    if shape.is_empty() {
        return require(
            sizes.len() == 1 && matches!(sizes[0], 0 | 1),
            "mask dim size must be either 0 or 1",
        );
    }
    if sizes.len() != shape.len() {
        return fail("must specify array attr of size equal vector result rank");
    }
    for (&size, &bound) in sizes.iter().zip(shape) {
        if size < 0 || size > bound {
            return fail("array attr of size out of bounds of vector result dimension size");
        }
    }
    let n_zero = sizes.iter().filter(|&&size| size == 0).count();
    require(
        n_zero == 0 || n_zero == sizes.len(),
        "expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim",
    )
}

pub(super) fn create_mask(ir: &Ir, op: Op) -> Outcome {
    let rank = shape_of(ir.context(), result_type(ir, op)).len();
    if rank == 0 {
        return require(
            ir.operands(op).len() == 1,
            "must specify exactly one operand for 0-D create_mask",
        );
    }
    require(
        ir.operands(op).len() == rank,
        "must specify an operand for each result vector dimension",
    )
}

/// The maps of a contraction, one per operand.
pub fn contraction_maps(ir: &Ir, op: Op) -> Option<Vec<AffineMap>> {
    let context = ir.context();
    let maps = context.attr_array(ir.attr(op, Name::INDEXING_MAPS)?)?;
    (maps.iter())
        .map(|&map| {
            context
                .attr_affine_map(map)
                .map(|map| AffineMap::clone(map))
        })
        .collect()
}

pub(super) fn contract(ir: &Ir, op: Op) -> Outcome {
    let context = ir.context();
    let Some(maps) = contraction_maps(ir, op).filter(|maps| maps.len() == 3) else {
        return fail("expected an indexing map for each vector operand");
    };
    let iterators = ir.attr(op, Name::ITERATOR_TYPES);
    let n_loops = iterators
        .and_then(|a| context.attr_array(a))
        .map_or(0, <[_]>::len);
    let mut sizes: Vec<Option<i64>> = vec![None; n_loops];
    for (index, map) in maps.iter().enumerate() {
        let ty = operand_type(ir, op, index);
        let shape = shape_of(context, ty);
        if map.n_symbols != 0 {
            return fail(format!("expected indexing map {index} to have no symbols"));
        }
        if map.n_dims as usize != n_loops {
            return fail(format!(
                "expected indexing map {index} to have {n_loops} number of inputs"
            ));
        }
        if map.results.len() != shape.len() {
            return fail(format!(
                "expected indexing map {index} to have {} number of outputs",
                shape.len()
            ));
        }
        if !map.is_projected_permutation() {
            return fail(format!(
                "expected indexing map {index} to be a projected permutation of its inputs"
            ));
        }
        for (expr, &size) in map.results.iter().zip(shape) {
            if let AffineExpr::Dim(dim) = expr {
                let known = sizes[*dim as usize].get_or_insert(size);
                if *known != size {
                    return fail("invalid contracting dimension map");
                }
            }
        }
    }
    if sizes.contains(&None) {
        return fail("invalid contracting dimension map");
    }
    let (acc, result) = (operand_type(ir, op, 2), result_type(ir, op));
    // Dimensions of the factors that are not added up together are those of the result.
    let is_along = |map: &AffineMap, dim: usize| map.results.contains(&AffineExpr::Dim(dim as u32));
    let is_reduction = |dim: usize| {
        let iterator = iterators.and_then(|a| context.attr_array(a)?.get(dim).copied());
        iterator.and_then(|a| super::attributes::enum_keyword(context, a, "iterator_type"))
            == Some("reduction")
    };
    let has_free_dims = (0..n_loops).any(|dim| {
        let is_in = [0, 1].map(|factor| is_along(&maps[factor], dim));
        is_in != [true, true] || !is_reduction(dim)
    });
    if has_free_dims != is_vector(context, result) {
        return fail("invalid accumulator/result vector shape");
    }
    if acc != result {
        return fail("failed to verify that third operand acc and result have same element type");
    }
    let (lhs, rhs) = (operand_type(ir, op, 0), operand_type(ir, op, 1));
    if element(context, lhs) != element(context, rhs) {
        return fail("failed to verify that lhs and rhs have same element type");
    }
    require(
        CombiningKind::of(ir, op).accepts(context, element(context, result)),
        "unsupported contraction type",
    )
}

pub(super) fn deinterleave(ir: &Ir, op: Op) -> Outcome {
    let context = ir.context();
    halves(context, operand_type(ir, op, 0), result_type(ir, op))
        .and_then(|()| all_types_match(ir, ir.results(op), "res1, res2"))
}

pub(super) fn interleave(ir: &Ir, op: Op) -> Outcome {
    let context = ir.context();
    all_types_match(ir, ir.operands(op), "lhs, rhs")?;
    halves(context, result_type(ir, op), operand_type(ir, op, 0))
}

/// `half` is `whole` with half as many elements in the last dimension.
fn halves(context: &Context, whole: Type, half: Type) -> Outcome {
    let (whole_shape, half_shape) = (shape_of(context, whole), shape_of(context, half));
    let ok = element(context, whole) == element(context, half)
        && match (whole_shape.split_last(), half_shape.split_last()) {
            (Some((w, outer)), Some((h, half_outer))) => outer == half_outer && *w == 2 * *h,
            (Some((2, [])), None) => true,
            _ => false,
        };
    require(
        ok,
        "failed to verify that the trailing dimension of the interleaved vector is twice that of \
         the other",
    )
}

/// A position that is none.
const POISON: i64 = -1;

/// `part`, in the vector type `whole`, is at a position of `position.len()` numbers.
fn position(
    context: &Context,
    position: &[i64],
    n_dynamic: usize,
    whole: Type,
    part: Type,
    what: &str,
) -> Outcome {
    let shape = shape_of(context, whole);
    if position.iter().filter(|&&n| n == DYNAMIC).count() != n_dynamic {
        return fail("expected as many dynamic positions as there are operands");
    }
    if position.len() > shape.len() {
        return fail(format!(
            "expected position attribute of rank no greater than {what} vector rank"
        ));
    }
    for (i, (&index, &size)) in position.iter().zip(shape).enumerate() {
        // No position: what is there is poison.
        if index != DYNAMIC && index != POISON && (index < 0 || index >= size) {
            return fail(format!(
                "expected position attribute #{} to be a non-negative integer smaller than the \
                 corresponding {what}vector dimension",
                i + 1,
                what = if what == "dest" { "dest " } else { "" }
            ));
        }
    }
    let expected = &shape[position.len()..];
    let expected_scalable = &super::scalable_of(context, whole)[position.len()..];
    let is_same = element(context, whole) == element(context, part)
        && shape_of(context, part) == expected
        && super::scalable_of(context, part) == expected_scalable;
    require(
        is_same,
        "expected the type at the position to be that of the other operand",
    )
}

pub(super) fn extract(ir: &Ir, op: Op) -> Outcome {
    let context = ir.context();
    let (from, to) = (operand_type(ir, op, 0), result_type(ir, op));
    let at = numbers(ir, op, Name::STATIC_POSITION);
    let n_dynamic = ir.operands(op).len() - 1;
    position(context, &at, n_dynamic, from, to, "source")
}

pub(super) fn insert(ir: &Ir, op: Op) -> Outcome {
    let context = ir.context();
    let (source, dest) = (operand_type(ir, op, 0), operand_type(ir, op, 1));
    if result_type(ir, op) != dest {
        return fail("failed to verify that all of {dest, result} have same type");
    }
    let at = numbers(ir, op, Name::STATIC_POSITION);
    let n_dynamic = ir.operands(op).len() - 2;
    position(context, &at, n_dynamic, dest, source, "dest")
}

fn scalar_position(ir: &Ir, vector: Type, has_position: bool) -> Outcome {
    match (shape_of(ir.context(), vector).len(), has_position) {
        (0, true) => fail("expected position to be empty with 0-D vector"),
        (0, false) | (1, true) => Ok(()),
        (1, false) => fail("expected position for 1-D vector"),
        _ => fail("unexpected >1 vector rank"),
    }
}

pub(super) fn extract_element(ir: &Ir, op: Op) -> Outcome {
    let vector = operand_type(ir, op, 0);
    scalar_position(ir, vector, ir.operands(op).len() > 1)?;
    require(
        result_type(ir, op) == element(ir.context(), vector),
        "failed to verify that result type matches element type of vector operand",
    )
}

pub(super) fn insert_element(ir: &Ir, op: Op) -> Outcome {
    let vector = operand_type(ir, op, 1);
    scalar_position(ir, vector, ir.operands(op).len() > 2)?;
    require(
        operand_type(ir, op, 0) == element(ir.context(), vector),
        "failed to verify that source operand type matches element type of result",
    )?;
    require(
        result_type(ir, op) == vector,
        "failed to verify that all of {dest, result} have same type",
    )
}

pub(super) fn extract_strided_slice(ir: &Ir, op: Op) -> Outcome {
    let context = ir.context();
    let (from, to) = (operand_type(ir, op, 0), result_type(ir, op));
    let shape = shape_of(context, from);
    let offsets = numbers(ir, op, Name::OFFSETS);
    let sizes = numbers(ir, op, Name::SIZES);
    let strides = numbers(ir, op, Name::STRIDES);
    if offsets.len() != sizes.len() || offsets.len() != strides.len() {
        return fail("expected offsets, sizes and strides attributes of same size");
    }
    if offsets.len() > shape.len() {
        return fail("expected offsets attribute of rank no greater than vector rank");
    }
    for (dim, ((&offset, &size), &bound)) in offsets.iter().zip(&sizes).zip(shape).enumerate() {
        if offset < 0 || offset >= bound {
            return fail(format!(
                "expected offsets dimension {dim} to be confined to [0, {bound})"
            ));
        }
        if size < 1 || size > bound {
            return fail(format!(
                "expected sizes dimension {dim} to be confined to [1, {})",
                bound + 1
            ));
        }
        if offset + size > bound {
            return fail(format!(
                "expected sum(offsets, sizes) dimension {dim} to be confined to [1, {})",
                bound + 1
            ));
        }
    }
    if strides.iter().any(|&stride| stride != 1) {
        return fail("expected strides to be confined to [1, 2)");
    }
    let mut expected = sizes;
    expected.extend_from_slice(&shape[expected.len()..]);
    let scalable = super::scalable_of(context, from);
    let element_type = element(context, from);
    let expected = super::scalable_vector_type(context, &expected, scalable, element_type);
    if to != expected {
        return fail(format!(
            "expected result type to be '{}'",
            type_to_string(context, expected)
        ));
    }
    Ok(())
}

pub(super) fn insert_strided_slice(ir: &Ir, op: Op) -> Outcome {
    let context = ir.context();
    let (source, dest) = (operand_type(ir, op, 0), operand_type(ir, op, 1));
    let (source_shape, shape) = (shape_of(context, source), shape_of(context, dest));
    let offsets = numbers(ir, op, Name::OFFSETS);
    let strides = numbers(ir, op, Name::STRIDES);
    if result_type(ir, op) != dest || element(context, source) != element(context, dest) {
        return fail("failed to verify that all of {dest, result} have same type");
    }
    if offsets.len() != shape.len() {
        return fail("expected offsets of same size as destination vector rank");
    }
    if strides.len() != source_shape.len() {
        return fail("expected strides of same size as source vector rank");
    }
    if source_shape.len() > shape.len() {
        return fail("expected source rank to be no greater than destination rank");
    }
    if strides.iter().any(|&stride| stride != 1) {
        return fail("expected strides to be confined to [1, 2)");
    }
    let leading = shape.len() - source_shape.len();
    for (dim, (&offset, &bound)) in offsets.iter().zip(shape).enumerate() {
        if offset < 0 || offset >= bound {
            return fail(format!(
                "expected offsets dimension {dim} to be confined to [0, {bound})"
            ));
        }
        let size = if dim < leading {
            1
        } else {
            source_shape[dim - leading]
        };
        if offset.checked_add(size).is_none_or(|end| end > bound) {
            return fail(format!(
                "expected sum(offsets, source vector shape) dimension {dim} to be confined to \
                 [1, {})",
                bound + 1
            ));
        }
    }
    Ok(())
}

pub(super) fn from_elements(ir: &Ir, op: Op) -> Outcome {
    let context = ir.context();
    let ty = result_type(ir, op);
    if n_elements(context, ty) != Some(ir.operands(op).len() as i64) {
        return fail(format!(
            "failed to verify that number of operands ({}) matches the number of elements of \
             the result",
            ir.operands(op).len()
        ));
    }
    let is_same = |&value: &_| ir.value_type(value) == element(context, ty);
    require(
        ir.operands(op).iter().all(is_same),
        "failed to verify that operand types match result element type",
    )
}

pub(super) fn to_elements(ir: &Ir, op: Op) -> Outcome {
    let context = ir.context();
    let ty = ir.value_type(ir.operand(op, 0));
    let results = ir.results(op);
    let is_same = |&value: &_| ir.value_type(value) == element(context, ty);
    require(
        n_elements(context, ty) == Some(results.len() as i64) && results.iter().all(is_same),
        "failed to verify that results are the elements of the operand",
    )
}

/// The memref and the vector of a load or store.
fn access(ir: &Ir, base: Type, n_indices: usize, vector: Type) -> Outcome {
    let context = ir.context();
    let Some(memref) = context.as_memref(base) else {
        return fail("requires a memref");
    };
    if let Some((strides, _)) = context.memref_strides(memref)
        && memref.rank() > 0
        && strides.last() != Some(&1)
    {
        return fail("most minor memref dim must have unit stride");
    }
    let is_same = memref.element == element(context, vector) || memref.element == vector;
    if !is_same {
        return fail("base and result element types should match");
    }
    if n_indices != memref.rank() {
        return fail(format!("requires {} indices", memref.rank()));
    }
    Ok(())
}

pub(super) fn load(ir: &Ir, op: Op) -> Outcome {
    let n_indices = ir.operands(op).len() - 1;
    access(ir, operand_type(ir, op, 0), n_indices, result_type(ir, op))
}

pub(super) fn store(ir: &Ir, op: Op) -> Outcome {
    let n_indices = ir.operands(op).len() - 2;
    access(
        ir,
        operand_type(ir, op, 1),
        n_indices,
        operand_type(ir, op, 0),
    )
}

pub(super) fn multi_reduction(ir: &Ir, op: Op) -> Outcome {
    let context = ir.context();
    let (source, result) = (operand_type(ir, op, 0), result_type(ir, op));
    let shape = shape_of(context, source);
    let dims = numbers(ir, op, Name::REDUCTION_DIMS);
    let mut reduced = vec![false; shape.len()];
    for &dim in &dims {
        match usize::try_from(dim)
            .ok()
            .and_then(|dim| reduced.get_mut(dim))
        {
            Some(reduced) => *reduced = true,
            None => return fail("reduction dimension out of range"),
        }
    }
    let dims = shape.iter().zip(super::scalable_of(context, source));
    let (kept, scalable): (Vec<i64>, Vec<bool>) = (dims.zip(&reduced))
        .filter(|&(_, &reduced)| !reduced)
        .map(|((&size, &scalable), _)| (size, scalable))
        .unzip();
    let element_type = element(context, source);
    let expected = match kept.is_empty() {
        true => element_type,
        false => super::scalable_vector_type(context, &kept, &scalable, element_type),
    };
    // A vector without dimensions is as good as its element.
    let is_0d = kept.is_empty() && result == super::vector_type(context, &[], element_type);
    if result != expected && !is_0d {
        return fail(format!(
            "destination type '{}' is incompatible with source type '{}'",
            type_to_string(context, result),
            type_to_string(context, source)
        ));
    }
    if operand_type(ir, op, 1) != result {
        return fail("failed to verify that all of {dest, acc} have same type");
    }
    require(
        CombiningKind::of(ir, op).accepts(context, element(context, source)),
        "unsupported reduction type",
    )
}

pub(super) fn outer_product(ir: &Ir, op: Op) -> Outcome {
    let context = ir.context();
    let (lhs, rhs) = (operand_type(ir, op, 0), operand_type(ir, op, 1));
    let result = result_type(ir, op);
    if shape_of(context, lhs).len() != 1 {
        return fail("expected 1-d vector for operand #1");
    }
    if is_vector(context, rhs) && shape_of(context, rhs).len() != 1 {
        return fail("expected 1-d vector for operand #2");
    }
    if context.shape(rhs).is_some() && !is_vector(context, rhs) {
        return fail("expected 1-d vector for operand #2");
    }
    let shape = [shape_of(context, lhs), shape_of(context, rhs)].concat();
    if shape_of(context, result).len() != shape.len() {
        return fail(format!("expected {}-d vector result", shape.len()));
    }
    if element(context, lhs) != element(context, rhs) {
        return fail("failed to verify that lhs operand and rhs operand have same element type");
    }
    if shape_of(context, result) != shape || element(context, result) != element(context, lhs) {
        return fail("expected #1 operand dim to match result dim #1");
    }
    let [lhs_scalable, rhs_scalable] = [lhs, rhs].map(|ty| super::scalable_of(context, ty));
    if lhs_scalable == [true] && rhs_scalable == [false] {
        return fail("expected either both or only #2 operand dim to be scalable");
    }
    if super::scalable_of(context, result) != [lhs_scalable, rhs_scalable].concat() {
        return fail("expected scalable operand dims to match result dims");
    }
    if let Some(&acc) = ir.operands(op).get(2)
        && ir.value_type(acc) != result
    {
        return fail("expected operand #3 of same type as result type");
    }
    require(
        CombiningKind::of(ir, op).accepts(context, element(context, lhs)),
        "unsupported outerproduct type",
    )
}

pub(super) fn print(ir: &Ir, op: Op) -> Outcome {
    require(
        !ir.has_attr(op, Name::STRING_LITERAL)
            || (ir.operands(op).is_empty() && super::punctuation(ir, op) == "newline"),
        "failed to verify that `source` or `punctuation` are not set when printing strings",
    )
}

pub(super) fn reduction(ir: &Ir, op: Op) -> Outcome {
    let context = ir.context();
    let (source, result) = (operand_type(ir, op, 0), result_type(ir, op));
    let rank = shape_of(context, source).len();
    if rank > 1 {
        return fail(format!("unsupported reduction rank: {rank}"));
    }
    if result != element(context, source) {
        return fail("failed to verify that source operand and result have same element type");
    }
    if let Some(&acc) = ir.operands(op).get(1)
        && ir.value_type(acc) != result
    {
        return fail("failed to verify that acc and result have same type");
    }
    let kind = CombiningKind::of(ir, op);
    if !kind.accepts(context, result) {
        return fail(format!(
            "unsupported reduction type ''{}'' for kind '{}'",
            type_to_string(context, result),
            kind.keyword()
        ));
    }
    Ok(())
}

pub(super) fn scan(ir: &Ir, op: Op) -> Outcome {
    let context = ir.context();
    let (source, initial) = (operand_type(ir, op, 0), operand_type(ir, op, 1));
    let shape = shape_of(context, source);
    let dim = ir
        .attr(op, Name::REDUCTION_DIM)
        .and_then(|attr| context.attr_integer(attr));
    let Some(dim) = dim
        .and_then(|dim| usize::try_from(dim).ok())
        .filter(|&dim| dim < shape.len())
    else {
        return fail(format!(
            "reduction dimension has to be less than {}",
            shape.len()
        ));
    };
    if shape_of(context, initial).len() + 1 != shape.len() {
        return fail(format!(
            "initial value rank {} has to be equal to {}",
            shape_of(context, initial).len(),
            shape.len() - 1
        ));
    }
    let mut expected = shape.to_vec();
    expected.remove(dim);
    if shape_of(context, initial) != expected
        || element(context, initial) != element(context, source)
    {
        return fail("incompatible input/initial value shapes");
    }
    if result_type(ir, op) != source || ir.value_type(ir.result(op, 1)) != initial {
        return fail("failed to verify that all of {source, dest} have same type");
    }
    let kind = CombiningKind::of(ir, op);
    if !kind.accepts(context, element(context, source)) {
        return fail(format!(
            "unsupported reduction type ''{}'' for kind '{}'",
            type_to_string(context, element(context, source)),
            kind.keyword()
        ));
    }
    Ok(())
}

pub(super) fn shape_cast(ir: &Ir, op: Op) -> Outcome {
    let context = ir.context();
    let (from, to) = (operand_type(ir, op, 0), result_type(ir, op));
    if element(context, from) != element(context, to) {
        return fail("source/result vectors must have same element type");
    }
    require(
        n_elements(context, from) == n_elements(context, to),
        "source/result number of elements must match",
    )
}

pub(super) fn shuffle(ir: &Ir, op: Op) -> Outcome {
    let context = ir.context();
    let (first, second) = (operand_type(ir, op, 0), operand_type(ir, op, 1));
    let result = result_type(ir, op);
    let [a, b, c] = [first, second, result].map(|ty| shape_of(context, ty));
    let is_0d = a.is_empty() && b.is_empty() && c.len() == 1;
    if !is_0d && (c.is_empty() || a.len() != b.len() || a.len() != c.len()) {
        return fail("rank mismatch");
    }
    if !is_0d && (a[1..] != b[1..] || a[1..] != c[1..]) {
        return fail("dimension mismatch");
    }
    let elements = [first, second, result].map(|ty| element(context, ty));
    if elements[0] != elements[1] || elements[0] != elements[2] {
        return fail("failed to verify that first operand v1 and result have same element type");
    }
    let mask = numbers(ir, op, Name::MASK);
    if mask.is_empty() || mask.len() as i64 != c[0] {
        return fail("mask length mismatch");
    }
    let n_rows = a.first().unwrap_or(&1) + b.first().unwrap_or(&1);
    for (i, &row) in mask.iter().enumerate() {
        if row != POISON && (row < 0 || row >= n_rows) {
            return fail(format!("mask index #{} out of range", i + 1));
        }
    }
    Ok(())
}

pub(super) fn splat(ir: &Ir, op: Op) -> Outcome {
    require(
        operand_type(ir, op, 0) == element(ir.context(), result_type(ir, op)),
        "failed to verify that operand type matches element type of result",
    )
}

pub(super) fn step(ir: &Ir, op: Op) -> Outcome {
    let context = ir.context();
    let ty = result_type(ir, op);
    let is_step = element(context, ty) == Type::INDEX && shape_of(context, ty).len() == 1;
    require(
        is_step,
        "result #0 must be vector of index values of ranks 1",
    )
}

pub(super) fn transpose(ir: &Ir, op: Op) -> Outcome {
    let context = ir.context();
    let (from, to) = (operand_type(ir, op, 0), result_type(ir, op));
    let (from_shape, to_shape) = (shape_of(context, from), shape_of(context, to));
    if from_shape.len() != to_shape.len() {
        return fail(format!("vector result rank mismatch: {}", to_shape.len()));
    }
    let permutation = numbers(ir, op, Name::PERMUTATION);
    if permutation.len() != from_shape.len() {
        return fail(format!(
            "transposition length mismatch: {}",
            permutation.len()
        ));
    }
    let mut seen = vec![false; from_shape.len()];
    for (i, &dim) in permutation.iter().enumerate() {
        let Some(seen) = usize::try_from(dim).ok().and_then(|dim| seen.get_mut(dim)) else {
            return fail(format!("transposition index out of range: {dim}"));
        };
        if std::mem::replace(seen, true) {
            return fail(format!("duplicate position index: {dim}"));
        }
        if to_shape[i] != from_shape[dim as usize] {
            return fail(format!("dimension size mismatch at: {dim}"));
        }
    }
    require(
        element(context, from) == element(context, to),
        "failed to verify that operand and result have same element type",
    )
}

pub(super) fn type_cast(ir: &Ir, op: Op) -> Outcome {
    let context = ir.context();
    let (from, to) = (operand_type(ir, op, 0), result_type(ir, op));
    let (Some(from), Some(to)) = (context.as_memref(from), context.as_memref(to)) else {
        return fail("requires memrefs");
    };
    if from.layout.is_some() {
        return fail("expects operand to be a memref with identity layout");
    }
    if to.layout.is_some() {
        return fail("expects result to be a memref with identity layout");
    }
    if from.space != to.space {
        return fail("expects result in same memory space");
    }
    if element(context, from.element) != element(context, to.element) {
        return fail("expects result and operand with same underlying scalar type");
    }
    let flat = |shape: &[i64], element| [shape, shape_of(context, element)].concat();
    require(
        flat(&from.shape, from.element) == flat(&to.shape, to.element),
        "expects result and operand with same concatenated shape",
    )
}

pub(super) fn mask(ir: &Ir, op: Op) -> Outcome {
    let Some(body) = ir.entry_block(ir.region(op, 0)) else {
        return fail("expects a terminator within the mask region");
    };
    let n_ops = ir.ops_in(body).count();
    if n_ops > 2 {
        return fail("expects only one operation to mask");
    }
    let yielded = match ir.last_op(body) {
        Some(last) if ir.is(last, &super::YIELD) => ir.operands(last),
        _ => return fail("expects a terminator within the mask region"),
    };
    if yielded.len() != ir.results(op).len() {
        return fail("expects number of results to match mask region yielded values");
    }
    let is_same = |(&a, &b): (&_, &_)| ir.value_type(a) == ir.value_type(b);
    if !yielded.iter().zip(ir.results(op)).all(is_same) {
        return fail("expects result type to match terminator's operand type");
    }
    let masked = ir.first_op(body).filter(|_| n_ops == 2);
    if let Some(expected) = masked.and_then(|masked| expected_mask(ir, masked))
        && operand_type(ir, op, 0) != expected
    {
        let expected = type_to_string(ir.context(), expected);
        return fail(format!(
            "expects a '{expected}' mask for the maskable operation"
        ));
    }
    let passthru = ir.operands(op).get(1);
    require(
        passthru.is_none_or(|&value| {
            ir.results(op).len() == 1 && ir.value_type(value) == result_type(ir, op)
        }),
        "expects result type to match passthru type",
    )
}

/// The type of the mask that an operation inside of [`super::MASK`] takes; none if it is not known.
fn expected_mask(ir: &Ir, op: Op) -> Option<Type> {
    let context = ir.context();
    let is = |def| ir.is(op, def);
    if is(&super::TRANSFER_READ) || is(&super::TRANSFER_WRITE) {
        return super::Transfer(op).mask_type(ir);
    }
    if is(&super::CONTRACT) {
        let maps = contraction_maps(ir, op)?;
        let n_loops = maps.first()?.n_dims as usize;
        let (mut sizes, mut scalable) = (vec![0; n_loops], vec![false; n_loops]);
        for (index, map) in maps.iter().take(2).enumerate() {
            let ty = operand_type(ir, op, index);
            let parts = (shape_of(context, ty).iter()).zip(scalable_of(context, ty));
            for (expr, (&size, &is_scalable)) in map.results.iter().zip(parts) {
                if let AffineExpr::Dim(dim) = *expr {
                    sizes[dim as usize] = size;
                    scalable[dim as usize] = is_scalable;
                }
            }
        }
        return Some(scalable_vector_type(context, &sizes, &scalable, Type::I1));
    }
    let like = if is(&super::REDUCTION) || is(&super::MULTI_REDUCTION) {
        operand_type(ir, op, 0)
    } else if is(&super::GATHER) || is(&super::OUTER_PRODUCT) {
        result_type(ir, op)
    } else if is(&super::SCATTER) {
        ir.value_type(*ir.operands(op).last()?)
    } else {
        return None;
    };
    is_vector(context, like).then(|| context.with_element_type(like, Type::I1))
}
