//! What all structured operations have: inputs and outputs, a loop nest, a map
//! from loops to subscripts for each operand, a body. Passes ask here.

use super::attributes::{IteratorType, dense_i64, i64_array};
use super::description::{Index, NamedOp};
use super::named::named_op;
use super::{BROADCAST, GENERIC, MAP, REDUCE, TRANSPOSE};
use crate::ir::affine::{AffineExpr, AffineMap};
use crate::ir::data::Ir;
use crate::ir::effects::Effects;
use crate::ir::entities::{Block, Op, Value};
use crate::ir::names::Name;
use crate::ir::types::{MemRefType, Type, TypeKind};

/// Whether `op` is a structured operation: everything with a loop nest, not
/// `linalg.index`, `linalg.yield` and `linalg.softmax`.
pub fn is_structured(ir: &Ir, op: Op) -> bool {
    let special = [&GENERIC, &MAP, &REDUCE, &TRANSPOSE, &BROADCAST];
    special.iter().any(|def| ir.is(op, def)) || named_op(ir.def(op)).is_some()
}

/// Number of inputs; outputs follow them.
pub fn n_inputs(ir: &Ir, op: Op) -> usize {
    ir.operand_group_range(op, 0).len()
}

/// The inputs: tensors, buffers or scalars.
pub fn inputs(ir: &Ir, op: Op) -> &[Value] {
    ir.operand_group(op, 0)
}

/// The outputs, also called inits: written, and maybe read.
pub fn outputs(ir: &Ir, op: Op) -> &[Value] {
    ir.operand_group(op, 1)
}

/// The body.
pub fn body(ir: &Ir, op: Op) -> Option<Block> {
    ir.entry_block(*ir.regions(op).first()?)
}

/// The number of dimensions of an operand; 0 for scalars.
pub fn rank(ir: &Ir, operand: Value) -> usize {
    match ir.context().type_kind(ir.value_type(operand)) {
        TypeKind::RankedTensor { shape, .. } | TypeKind::MemRef(MemRefType { shape, .. }) => {
            shape.len()
        }
        _ => 0,
    }
}

/// The type of the body's argument for an operand: its elements, or itself.
pub fn element_type(ir: &Ir, operand: Value) -> Type {
    let ty = ir.value_type(operand);
    match ir.context().type_kind(ty) {
        TypeKind::RankedTensor { element, .. } | TypeKind::MemRef(MemRefType { element, .. }) => {
            *element
        }
        _ => ty,
    }
}

fn output_rank(ir: &Ir, op: Op) -> usize {
    outputs(ir, op)
        .first()
        .map_or(0, |&output| rank(ir, output))
}

/// How the loops may be run, outermost first.
pub fn iterator_types(ir: &Ir, op: Op) -> Vec<IteratorType> {
    let context = ir.context();
    if ir.is(op, &GENERIC) {
        return ir
            .attr(op, Name::ITERATOR_TYPES)
            .and_then(|attr| context.attr_array(attr))
            .unwrap_or_default()
            .iter()
            .filter_map(|&attr| IteratorType::from_attr(context, attr))
            .collect();
    }
    if let Some(named) = named_op(ir.def(op)) {
        let Some(n_loops) = named.indices.n_loops() else {
            return vec![IteratorType::Parallel; output_rank(ir, op)];
        };
        let ty = |index| match named.indices.is_parallel(index) {
            true => IteratorType::Parallel,
            false => IteratorType::Reduction,
        };
        return (0..n_loops).map(ty).collect();
    }
    if ir.is(op, &REDUCE) {
        let n_loops = inputs(ir, op).first().map_or(0, |&input| rank(ir, input));
        let mut types = vec![IteratorType::Parallel; n_loops];
        for dim in i64_array(ir, op, Name::DIMENSIONS) {
            if let Some(ty) = usize::try_from(dim).ok().and_then(|dim| types.get_mut(dim)) {
                *ty = IteratorType::Reduction;
            }
        }
        return types;
    }
    vec![IteratorType::Parallel; output_rank(ir, op)]
}

/// Number of loops.
pub fn n_loops(ir: &Ir, op: Op) -> usize {
    iterator_types(ir, op).len()
}

/// For each operand, the map from loop counters to its subscripts.
pub fn indexing_maps(ir: &Ir, op: Op) -> Vec<AffineMap> {
    let context = ir.context();
    if ir.is(op, &GENERIC) {
        return ir
            .attr(op, Name::INDEXING_MAPS)
            .and_then(|attr| context.attr_array(attr))
            .unwrap_or_default()
            .iter()
            .filter_map(|&attr| context.attr_affine_map(attr))
            .map(|map| (**map).clone())
            .collect();
    }
    if let Some(named) = named_op(ir.def(op)) {
        return memoized_maps(ir, op, named).unwrap_or_else(|| named_maps(ir, op, named));
    }
    let n_operands = ir.operands(op).len();
    let n_loops = n_loops(ir, op);
    let identity = AffineMap::identity(n_loops);
    if ir.is(op, &REDUCE) {
        let reduced = without_results(&identity, &i64_array(ir, op, Name::DIMENSIONS));
        let n_inputs = n_inputs(ir, op);
        let mut maps = vec![identity; n_inputs];
        maps.resize(n_operands, reduced);
        return maps;
    }
    if ir.is(op, &TRANSPOSE) {
        // Loops are over the output; output dimension i is input dimension
        // permutation[i].
        let permutation = i64_array(ir, op, Name::PERMUTATION);
        let mut results = vec![AffineExpr::Constant(0); n_loops];
        for (i, &dim) in permutation.iter().enumerate() {
            if let Some(result) = usize::try_from(dim).ok().and_then(|d| results.get_mut(d)) {
                *result = AffineExpr::Dim(i as u32);
            }
        }
        let input = AffineMap {
            results,
            ..identity.clone()
        };
        return vec![input, identity];
    }
    if ir.is(op, &BROADCAST) {
        let input = without_results(&identity, &i64_array(ir, op, Name::DIMENSIONS));
        return vec![input, identity];
    }
    vec![identity; n_operands]
}

/// `map` without the results at `positions`.
fn without_results(map: &AffineMap, positions: &[i64]) -> AffineMap {
    let results = map
        .results
        .iter()
        .enumerate()
        .filter(|(i, _)| !positions.contains(&(*i as i64)))
        .map(|(_, result)| result.clone())
        .collect();
    AffineMap { results, ..*map }
}

/// Strides or dilations; ones if they are not given.
fn window_numbers(ir: &Ir, op: Op, name: Name) -> Vec<i64> {
    ir.attr(op, name)
        .and_then(|attr| dense_i64(ir.context(), attr))
        .unwrap_or_default()
}

/// The maps that an operation whose number of loops is fixed carries itself: they define it, even
/// where they are others than the table has.
fn memoized_maps(ir: &Ir, op: Op, named: &NamedOp) -> Option<Vec<AffineMap>> {
    named.indices.n_loops()?;
    let context = ir.context();
    let maps = context.attr_array(ir.attr(op, Name::MEMOIZED_INDEXING_MAPS)?)?;
    let maps = maps
        .iter()
        .filter_map(|&attr| context.attr_affine_map(attr));
    Some(maps.map(|map| (**map).clone()).collect())
}

/// Whether an operation carries maps that are others than the table has.
pub(super) fn has_own_maps(ir: &Ir, op: Op) -> bool {
    named_op(ir.def(op)).is_some_and(|named| {
        memoized_maps(ir, op, named).is_some_and(|maps| maps != named_maps(ir, op, named))
    })
}

fn named_maps(ir: &Ir, op: Op, named: &NamedOp) -> Vec<AffineMap> {
    let Some(n_loops) = named.indices.n_loops() else {
        let n_loops = output_rank(ir, op);
        return ir
            .operands(op)
            .iter()
            .map(|&operand| match rank(ir, operand) {
                0 => AffineMap {
                    n_dims: n_loops as u32,
                    n_symbols: 0,
                    results: Vec::new(),
                },
                _ => AffineMap::identity(n_loops),
            })
            .collect();
    };
    let strides = window_numbers(ir, op, Name::STRIDES);
    let dilations = window_numbers(ir, op, Name::DILATIONS);
    let dim = |i: u8| AffineExpr::Dim(i.into());
    let scaled = |i: u8, factors: &[i64], n: u8| {
        let factor = factors.get(usize::from(n)).copied().unwrap_or(1);
        dim(i).mul(AffineExpr::Constant(factor))
    };
    named
        .indices
        .maps()
        .map(|indices| AffineMap {
            n_dims: n_loops as u32,
            n_symbols: 0,
            results: indices
                .iter()
                .map(|index| match *index {
                    Index::D(i) => dim(i),
                    Index::Sum(i, j) => dim(i).add(dim(j)),
                    Index::Window(i, j, n) => scaled(i, &strides, n).add(scaled(j, &dilations, n)),
                })
                .collect(),
        })
        .collect()
}

/// The argument of the body that stands for operand number `index`; `None` if
/// the body does not see it.
pub fn matching_argument(ir: &Ir, op: Op, index: usize) -> Option<Value> {
    ir.block_args(body(ir, op)?).get(index).copied()
}

/// Whether the body uses elements of operand number `index`.
pub fn payload_uses_operand(ir: &Ir, op: Op, index: usize) -> bool {
    matching_argument(ir, op, index).is_some_and(|argument| !ir.has_no_uses(argument))
}

/// Buffers are read as far as the body uses them; outputs are written.
pub(super) fn effects(ir: &Ir, op: Op, out: &mut Effects) {
    let n_inputs = n_inputs(ir, op);
    for (index, &operand) in ir.operands(op).iter().enumerate() {
        if ir.context().as_memref(ir.value_type(operand)).is_none() {
            continue;
        }
        if payload_uses_operand(ir, op, index) {
            out.read(operand);
        }
        if index >= n_inputs {
            out.write(operand);
        }
    }
}

/// The shape of an operand; empty for scalars.
pub fn shape(ir: &Ir, operand: Value) -> &[i64] {
    match ir.context().type_kind(ir.value_type(operand)) {
        TypeKind::RankedTensor { shape, .. } | TypeKind::MemRef(MemRefType { shape, .. }) => shape,
        _ => &[],
    }
}

/// For each loop, the first operand and dimension that is subscripted by its
/// counter alone: there its number of iterations can be read off.
pub fn loop_sizes(ir: &Ir, op: Op) -> Vec<Option<(Value, usize)>> {
    let mut sizes = vec![None; n_loops(ir, op)];
    for (&operand, map) in ir.operands(op).iter().zip(indexing_maps(ir, op)) {
        for (dim, result) in map.results.iter().enumerate() {
            if let AffineExpr::Dim(i) = result
                && let Some(size @ None) = sizes.get_mut(*i as usize)
            {
                *size = Some((operand, dim));
            }
        }
    }
    sizes
}
