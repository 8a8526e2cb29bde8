//! How operations of the tensor and bufferization dialects become operations
//! on memory.

use freehold_frontend::dialects::memref::offset_size_stride::static_values;
use freehold_frontend::dialects::memref::{self, MixedIndex, OffsetSizeStride, build, types};
use freehold_frontend::dialects::{arith, bufferization, linalg, tensor};
use freehold_frontend::ir::builder::{Builder, InsertPoint};
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type, TypeKind};

use super::in_place::is_select_of_tensors;
use super::one_shot_bufferize::any_layout;
use super::rewrite::{NotBufferized, Rewriter};
use crate::rewrite::index_arithmetic::sum;
use crate::rewrite::structured::loop_counter;

type Outcome = Result<(), NotBufferized>;

/// Rewrites `op` if it is an operation of these dialects.
pub(super) fn rewrite(rw: &mut Rewriter<'_>, op: Op) -> Result<bool, NotBufferized> {
    let ir = &*rw.ir;
    let is = |def| ir.is(op, def);
    if is(&tensor::EMPTY) {
        empty(rw, op)
    } else if is(&bufferization::ALLOC_TENSOR) {
        alloc_tensor(rw, op)
    } else if is(&bufferization::DEALLOC_TENSOR) {
        // Whoever places the other frees places this one as well.
        rw.erase(op);
        Ok(())
    } else if is(&bufferization::TO_TENSOR) {
        to_tensor(rw, op)
    } else if is(&bufferization::TO_MEMREF) {
        rw.rewrite_to_memref(op)
    } else if is(&bufferization::MATERIALIZE_IN_DESTINATION) {
        materialize(rw, op)
    } else if is(&arith::CONSTANT) {
        rw.rewrite_constant(op)
    } else if is_select(rw, op) {
        select(rw, op)
    } else if is(&tensor::EXTRACT) {
        extract(rw, op)
    } else if is(&tensor::INSERT) {
        insert(rw, op)
    } else if is(&tensor::DIM) {
        size_of(rw, op, &memref::DIM)
    } else if is(&tensor::RANK) {
        size_of(rw, op, &memref::RANK)
    } else if is(&tensor::CAST) {
        cast(rw, op)
    } else if is(&tensor::COLLAPSE_SHAPE) {
        collapse_shape(rw, op)
    } else if is(&tensor::EXPAND_SHAPE) {
        expand_shape(rw, op)
    } else if is(&tensor::RESHAPE) {
        reshape(rw, op)
    } else if is(&tensor::EXTRACT_SLICE) {
        extract_slice(rw, op)
    } else if is(&tensor::INSERT_SLICE) {
        insert_slice(rw, op)
    } else if is(&tensor::PARALLEL_INSERT_SLICE) {
        parallel_insert_slice(rw, op)
    } else if is(&tensor::FROM_ELEMENTS) {
        from_elements(rw, op)
    } else if is(&tensor::SPLAT) {
        splat(rw, op)
    } else if is(&tensor::GENERATE) {
        generate(rw, op)
    } else if is(&tensor::PAD) {
        pad(rw, op)
    } else if is(&tensor::CONCAT) {
        concat(rw, op)
    } else if is(&tensor::GATHER) {
        gather(rw, op)
    } else {
        return Ok(false);
    }
    .map(|()| true)
}

fn is_select(rw: &Rewriter<'_>, op: Op) -> bool {
    // Operands may have become buffers already; the result has not.
    rw.ir.is(op, &arith::SELECT)
        && rw.ir.value_type(rw.ir.operand(op, 0)) == Type::I1
        && (is_select_of_tensors(rw.ir, op) || rw.was_tensor(rw.ir.result(op, 0)))
}

/// The shape of the tensor that `op` makes.
fn result_shape(rw: &Rewriter<'_>, op: Op) -> Result<Vec<i64>, NotBufferized> {
    let shape = rw.context.shape(rw.ir.value_type(rw.ir.result(op, 0)));
    Ok(shape.ok_or(NotBufferized)?.to_vec())
}

/// A new buffer for the result of `op`, which has these sizes where they are
/// not known.
fn new_result(rw: &mut Rewriter<'_>, op: Op, sizes: &[Value]) -> Result<Value, NotBufferized> {
    let ty = rw.row_major(rw.ir.result(op, 0))?;
    Ok(rw.alloc(op, ty, sizes))
}

fn empty(rw: &mut Rewriter<'_>, op: Op) -> Outcome {
    if !rw.is_buffer_needed(op) {
        rw.erase(op);
        return Ok(());
    }
    let sizes = rw.ir.operands(op).to_vec();
    let buffer = new_result(rw, op, &sizes)?;
    rw.replace(op, buffer);
    Ok(())
}

fn alloc_tensor(rw: &mut Rewriter<'_>, op: Op) -> Outcome {
    let view = bufferization::AllocTensor(op);
    let copied = view.copy(rw.ir);
    let sizes = match copied {
        Some(source) => {
            let source = rw.buffer(source)?;
            // Without known sizes only a copy has a size, and it stays where it is.
            if rw.memref_of(source).is_err() {
                let buffer = rw.copy(op, source)?;
                rw.replace(op, buffer);
                return Ok(());
            }
            sizes_of(rw, op, source)?
        }
        None => view.dynamic_sizes(rw.ir).to_vec(),
    };
    let buffer = new_result(rw, op, &sizes)?;
    if let Some(source) = copied {
        let source = rw.buffer(source)?;
        build::copy(&mut Builder::before(rw.ir, op), source, buffer);
    }
    rw.replace(op, buffer);
    Ok(())
}

fn to_tensor(rw: &mut Rewriter<'_>, op: Op) -> Outcome {
    let memref = rw.ir.operand(op, 0);
    let buffer = match rw.ir.has_attr(op, Name::RESTRICT) {
        true => memref,
        false => rw.copy(op, memref)?,
    };
    rw.replace(op, buffer);
    Ok(())
}

fn materialize(rw: &mut Rewriter<'_>, op: Op) -> Outcome {
    let source = rw.buffer(rw.ir.operand(op, 0))?;
    let target = rw.ir.operand(op, 1);
    if rw.ir.results(op).is_empty() {
        copy(rw, op, source, target);
        rw.erase(op);
        return Ok(());
    }
    let target = rw.destination(op, 1, false)?;
    copy(rw, op, source, target);
    rw.replace(op, target);
    Ok(())
}

/// Copies before `op`, unless both are known to be the same.
fn copy(rw: &mut Rewriter<'_>, op: Op, source: Value, target: Value) {
    if source != target {
        build::copy(&mut Builder::before(rw.ir, op), source, target);
    }
}

fn select(rw: &mut Rewriter<'_>, op: Op) -> Outcome {
    let (condition, a, b) = (
        rw.ir.operand(op, 0),
        rw.ir.operand(op, 1),
        rw.ir.operand(op, 2),
    );
    let (a, b) = (rw.buffer(a)?, rw.buffer(b)?);
    let (a, b) = rw.unify(op, a, b)?;
    let ty = rw.ir.value_type(a);
    let mut builder = Builder::before(rw.ir, op);
    let buffer = builder.value(&arith::SELECT, &[condition, a, b], ty);
    rw.replace(op, buffer);
    Ok(())
}

fn extract(rw: &mut Rewriter<'_>, op: Op) -> Outcome {
    let buffer = rw.buffer(rw.ir.operand(op, 0))?;
    let indices = rw.ir.operands(op)[1..].to_vec();
    let value = build::load(&mut Builder::before(rw.ir, op), buffer, &indices);
    rw.replace_scalar(op, value);
    Ok(())
}

fn insert(rw: &mut Rewriter<'_>, op: Op) -> Outcome {
    let target = rw.destination(op, 1, true)?;
    let (scalar, indices) = (rw.ir.operand(op, 0), rw.ir.operands(op)[2..].to_vec());
    build::store(&mut Builder::before(rw.ir, op), scalar, target, &indices);
    rw.replace(op, target);
    Ok(())
}

/// `dim` and `rank`, which ask the buffer.
fn size_of(
    rw: &mut Rewriter<'_>,
    op: Op,
    def: &'static freehold_frontend::ir::op_def::OpDef,
) -> Outcome {
    let mut operands = rw.ir.operands(op).to_vec();
    operands[0] = rw.buffer(operands[0])?;
    let value = Builder::before(rw.ir, op).value(def, &operands, Type::INDEX);
    rw.replace_scalar(op, value);
    Ok(())
}

fn cast(rw: &mut Rewriter<'_>, op: Op) -> Outcome {
    let source = rw.buffer(rw.ir.operand(op, 0))?;
    let from = rw.ir.value_type(source);
    let result = rw.ir.value_type(rw.ir.result(op, 0));
    let ty = match (rw.context.type_kind(from), rw.context.type_kind(result)) {
        (TypeKind::MemRef(memref), TypeKind::RankedTensor { shape, .. }) => {
            let same_layout = rw.with_shape(memref, shape);
            match memref::cast_compatible(&rw.context, from, same_layout) {
                true => same_layout,
                false => any_layout(
                    &rw.context,
                    rw.context.as_memref(same_layout).ok_or(NotBufferized)?,
                ),
            }
        }
        (TypeKind::UnrankedMemRef { element, space }, TypeKind::RankedTensor { shape, .. }) => {
            // Whatever was forgotten about its strides is not known again.
            let memref = MemRefType {
                space: *space,
                ..MemRefType::identity(shape, *element)
            };
            any_layout(&rw.context, &memref)
        }
        (TypeKind::MemRef(memref), TypeKind::UnrankedTensor(element)) => {
            rw.context.intern_type(TypeKind::UnrankedMemRef {
                element: *element,
                space: memref.space,
            })
        }
        (TypeKind::UnrankedMemRef { .. }, TypeKind::UnrankedTensor(_)) => from,
        _ => return Err(NotBufferized),
    };
    let buffer = match from == ty {
        true => source,
        false => build::cast(&mut Builder::before(rw.ir, op), source, ty),
    };
    rw.replace(op, buffer);
    Ok(())
}

/// The source of the reshape `op` in row-major order.
fn row_major_source(rw: &mut Rewriter<'_>, op: Op, index: usize) -> Result<Value, NotBufferized> {
    let buffer = rw.buffer(rw.ir.operand(op, index))?;
    // An unranked buffer may have been cast from one of any layout.
    let source = rw.ranked(buffer).unwrap_or(buffer);
    match rw.memref_of(source) {
        Ok(memref) if memref::has_identity_layout(&rw.context, memref) => Ok(source),
        _ => rw.copy(op, source),
    }
}

fn collapse_shape(rw: &mut Rewriter<'_>, op: Op) -> Outcome {
    let mut groups = memref::CollapseShape(op).reassociation(rw.ir);
    let mut source = rw.buffer(rw.ir.operand(op, 0))?;
    let collapsed = |rw: &Rewriter<'_>, source, groups: &[Vec<i64>]| {
        let ty = types::infer_collapsed_type(&rw.context, rw.memref_of(source)?, groups, true);
        ty.map_err(|types::NotContiguous| NotBufferized)
    };
    if collapsed(rw, source, &groups).is_err() {
        (source, groups) = without_units(rw, op, source, &groups)?;
    }
    if collapsed(rw, source, &groups).is_err() {
        source = rw.copy(op, source)?;
    }
    if rw.memref_of(source)?.rank() > groups.len() {
        let ty = collapsed(rw, source, &groups)?;
        let ty = rw.context.memref_type(ty);
        source = build::collapse_shape(&mut Builder::before(rw.ir, op), source, &groups, ty);
    }
    rw.replace(op, source);
    Ok(())
}

/// The part of `source` that is all of it, but without the dimensions of size 1 that share their
/// group with others, and the groups of the rest.
fn without_units(
    rw: &mut Rewriter<'_>,
    op: Op,
    source: Value,
    groups: &[Vec<i64>],
) -> Result<(Value, Vec<Vec<i64>>), NotBufferized> {
    let sizes = mixed_sizes(rw, op, source)?;
    let mut shape = Vec::new();
    let mut kept = Vec::new();
    for group in groups {
        let sizes = group.iter().map(|&dim| sizes[dim as usize]);
        let sizes: Vec<MixedIndex> = sizes
            .filter(|size| !matches!(size, MixedIndex::Constant(1)))
            .collect();
        let first = shape.len() as i64;
        match sizes.is_empty() {
            true => shape.push(1),
            false => shape.extend(static_values(&sizes)),
        }
        kept.push((first..shape.len() as i64).collect());
    }
    let lists = OffsetSizeStride {
        offsets: vec![MixedIndex::Constant(0); sizes.len()],
        strides: vec![MixedIndex::Constant(1); sizes.len()],
        sizes,
    };
    let part = subview(rw, op, source, &lists, &shape)?;
    Ok((part, kept))
}

fn expand_shape(rw: &mut Rewriter<'_>, op: Op) -> Outcome {
    let groups = memref::ExpandShape(op).reassociation(rw.ir);
    let shape = result_shape(rw, op)?;
    let mut operands = rw.ir.operands(op).to_vec();
    operands[0] = rw.buffer(operands[0])?;
    let memref = rw.memref_of(operands[0])?;
    let ty = types::infer_expanded_type(&rw.context, memref, &shape, &groups);
    let ty = rw.context.memref_type(ty.ok_or(NotBufferized)?);
    let attr = |name| rw.ir.attr(op, name).ok_or(NotBufferized);
    let (groups, output_shape) = (attr(Name::REASSOCIATION)?, attr(Name::STATIC_OUTPUT_SHAPE)?);
    let mut builder = Builder::before(rw.ir, op);
    let spec = builder
        .spec(&memref::EXPAND_SHAPE)
        .operands(&operands)
        .results(&[ty])
        .attr(Name::REASSOCIATION, groups)
        .attr(Name::STATIC_OUTPUT_SHAPE, output_shape);
    let expanded = builder.create(spec);
    let buffer = rw.ir.result(expanded, 0);
    rw.replace(op, buffer);
    Ok(())
}

fn reshape(rw: &mut Rewriter<'_>, op: Op) -> Outcome {
    let source = row_major_source(rw, op, 0)?;
    let shape = row_major_source(rw, op, 1)?;
    let ty = rw.row_major(rw.ir.result(op, 0))?;
    let buffer = Builder::before(rw.ir, op).value(&memref::RESHAPE, &[source, shape], ty);
    rw.replace(op, buffer);
    Ok(())
}

/// The part of `whole` that `lists` names, in this shape, made before `at`.
fn subview(
    rw: &mut Rewriter<'_>,
    at: Op,
    whole: Value,
    lists: &OffsetSizeStride,
    shape: &[i64],
) -> Result<Value, NotBufferized> {
    let ty = types::infer_rank_reduced_subview_type(
        &rw.context,
        shape,
        rw.memref_of(whole)?,
        &static_values(&lists.offsets),
        &static_values(&lists.sizes),
        &static_values(&lists.strides),
    );
    let ty = rw.context.memref_type(ty.ok_or(NotBufferized)?);
    Ok(build::subview(
        &mut Builder::before(rw.ir, at),
        whole,
        lists,
        Some(ty),
    ))
}

fn extract_slice(rw: &mut Rewriter<'_>, op: Op) -> Outcome {
    let source = rw.buffer(rw.ir.operand(op, 0))?;
    let lists = OffsetSizeStride::of(rw.ir, op).ok_or(NotBufferized)?;
    let shape = result_shape(rw, op)?;
    let buffer = subview(rw, op, source, &lists, &shape)?;
    rw.replace(op, buffer);
    Ok(())
}

/// Copies operand 0 of `op` to the part of `whole` that `op` names.
fn copy_to_slice(rw: &mut Rewriter<'_>, op: Op, at: Op, whole: Value) -> Outcome {
    if rw.is_slice_in_place(op) {
        return Ok(());
    }
    let source = rw.buffer(rw.ir.operand(op, 0))?;
    let lists = OffsetSizeStride::of(rw.ir, op).ok_or(NotBufferized)?;
    let shape = rw.memref_of(source)?.shape.clone();
    let part = subview(rw, at, whole, &lists, &shape)?;
    copy(rw, at, source, part);
    Ok(())
}

fn insert_slice(rw: &mut Rewriter<'_>, op: Op) -> Outcome {
    let target = rw.destination(op, 1, true)?;
    copy_to_slice(rw, op, op, target)?;
    rw.replace(op, target);
    Ok(())
}

fn parallel_insert_slice(rw: &mut Rewriter<'_>, op: Op) -> Outcome {
    let target = rw.outputs.get(&rw.ir.operand(op, 1)).copied();
    let terminator = rw.ir.parent_op(op).ok_or(NotBufferized)?;
    copy_to_slice(rw, op, terminator, target.ok_or(NotBufferized)?)?;
    rw.erase(op);
    Ok(())
}

fn from_elements(rw: &mut Rewriter<'_>, op: Op) -> Outcome {
    let buffer = new_result(rw, op, &[])?;
    let shape = result_shape(rw, op)?;
    let elements = rw.ir.operands(op).to_vec();
    let mut builder = Builder::before(rw.ir, op);
    let n_constants = shape.iter().copied().max().unwrap_or(0);
    let constants: Vec<Value> = match elements.is_empty() {
        true => Vec::new(),
        false => (0..n_constants)
            .map(|i| arith::constant_index(&mut builder, i))
            .collect(),
    };
    let mut position = vec![0; shape.len()];
    for element in elements {
        let indices: Vec<Value> = position.iter().map(|&i: &usize| constants[i]).collect();
        build::store(&mut builder, element, buffer, &indices);
        for (at, &size) in position.iter_mut().zip(&shape).rev() {
            *at += 1;
            if *at < size as usize {
                break;
            }
            *at = 0;
        }
    }
    rw.replace(op, buffer);
    Ok(())
}

/// Fills `target` element by element: a `linalg.map` without inputs before
/// `op`, whose body is to be built and returns the element.
fn fill(
    rw: &mut Rewriter<'_>,
    op: Op,
    target: Value,
    body: impl FnOnce(&mut Builder<'_>) -> Value,
) {
    let mut builder = Builder::before(rw.ir, op);
    let spec = builder.spec(&linalg::MAP).operands(&[target]).regions(1);
    let map = builder.create(spec);
    let loc = builder.loc();
    let region = rw.ir.region(map, 0);
    let block = rw.ir.append_block(region, &[]);
    let mut builder = Builder::at_end(rw.ir, block);
    builder.set_loc(loc);
    let element = body(&mut builder);
    builder.op(&linalg::YIELD, &[element], &[]);
}

/// Fills `target` with what the region of `op` computes of the indices.
fn fill_by_region(rw: &mut Rewriter<'_>, op: Op, target: Value) -> Outcome {
    let region = rw.ir.region(op, 0);
    let from = rw.ir.single_block(region).ok_or(NotBufferized)?;
    let terminator = rw.ir.last_op(from).ok_or(NotBufferized)?;
    let arguments = rw.ir.block_args(from).to_vec();
    fill(rw, op, target, |builder| {
        for (dim, &argument) in arguments.iter().enumerate() {
            if !builder.ir.has_no_uses(argument) {
                let counter = loop_counter(builder, dim);
                builder.ir.replace_all_uses(argument, counter);
            }
        }
        let element = builder.ir.operand(terminator, 0);
        builder.ir.erase_op(terminator);
        if let InsertPoint::End(to) = builder.insert_point() {
            builder.ir.move_block_contents_to_end(from, to);
        }
        element
    });
    Ok(())
}

fn splat(rw: &mut Rewriter<'_>, op: Op) -> Outcome {
    let sizes = rw.ir.operands(op)[1..].to_vec();
    let element = rw.ir.operand(op, 0);
    let buffer = new_result(rw, op, &sizes)?;
    fill(rw, op, buffer, |_| element);
    rw.replace(op, buffer);
    Ok(())
}

fn generate(rw: &mut Rewriter<'_>, op: Op) -> Outcome {
    let sizes = rw.ir.operands(op).to_vec();
    let buffer = new_result(rw, op, &sizes)?;
    fill_by_region(rw, op, buffer)?;
    rw.replace(op, buffer);
    Ok(())
}

/// The sizes of `buffer`, made before `op` where they are not known.
fn mixed_sizes(
    rw: &mut Rewriter<'_>,
    op: Op,
    buffer: Value,
) -> Result<Vec<MixedIndex>, NotBufferized> {
    let shape = rw.memref_of(buffer)?.shape.clone();
    let mut builder = Builder::before(rw.ir, op);
    let size = |(dim, &size): (usize, &i64)| match size {
        DYNAMIC => {
            let dim = arith::constant_index(&mut builder, dim as i64);
            MixedIndex::Value(build::dim(&mut builder, buffer, dim))
        }
        size => MixedIndex::Constant(size),
    };
    Ok(shape.iter().enumerate().map(size).collect())
}

/// Those of the sizes of `buffer` that are not known.
fn sizes_of(rw: &mut Rewriter<'_>, op: Op, buffer: Value) -> Result<Vec<Value>, NotBufferized> {
    let sizes = mixed_sizes(rw, op, buffer)?;
    Ok(memref::offset_size_stride::dynamic_values(&sizes))
}

fn pad(rw: &mut Rewriter<'_>, op: Op) -> Outcome {
    let view = tensor::Pad(op);
    let source = rw.buffer(view.source(rw.ir))?;
    let (low, high) = view.margins(rw.ir);
    let inner = mixed_sizes(rw, op, source)?;
    let shape = result_shape(rw, op)?;
    let mut sizes = Vec::new();
    for (dim, _) in shape
        .iter()
        .enumerate()
        .filter(|&(_, &size)| size == DYNAMIC)
    {
        let mut builder = Builder::before(rw.ir, op);
        let size = sum(&mut builder, low[dim], inner[dim]);
        let size = sum(&mut builder, size, high[dim]);
        sizes.push(size.materialize(&mut builder));
    }
    let buffer = new_result(rw, op, &sizes)?;
    fill_by_region(rw, op, buffer)?;
    let lists = OffsetSizeStride {
        offsets: low,
        strides: vec![MixedIndex::Constant(1); inner.len()],
        sizes: inner,
    };
    let inner_shape = static_values(&lists.sizes);
    let part = subview(rw, op, buffer, &lists, &inner_shape)?;
    copy(rw, op, source, part);
    rw.replace(op, buffer);
    Ok(())
}

fn concat(rw: &mut Rewriter<'_>, op: Op) -> Outcome {
    let dim = rw.ir.attr(op, Name::DIM);
    let dim = dim.and_then(|attr| rw.context.attr_integer(attr));
    let along = usize::try_from(dim.ok_or(NotBufferized)?).map_err(|_| NotBufferized)?;
    let inputs = rw.ir.operands(op).to_vec();
    let mut parts = Vec::new();
    for input in inputs {
        let buffer = rw.buffer(input)?;
        let sizes = mixed_sizes(rw, op, buffer)?;
        parts.push((buffer, sizes));
    }
    let mut total = MixedIndex::Constant(0);
    let mut offsets = Vec::new();
    for (_, sizes) in &parts {
        offsets.push(total);
        total = sum(&mut Builder::before(rw.ir, op), total, sizes[along]);
    }
    let shape = result_shape(rw, op)?;
    let mut sizes = Vec::new();
    for (dim, _) in shape
        .iter()
        .enumerate()
        .filter(|&(_, &size)| size == DYNAMIC)
    {
        let size = if dim == along { total } else { parts[0].1[dim] };
        sizes.push(size.materialize(&mut Builder::before(rw.ir, op)));
    }
    let buffer = new_result(rw, op, &sizes)?;
    for ((source, sizes), offset) in parts.into_iter().zip(offsets) {
        let mut lists = OffsetSizeStride {
            offsets: vec![MixedIndex::Constant(0); sizes.len()],
            strides: vec![MixedIndex::Constant(1); sizes.len()],
            sizes,
        };
        lists.offsets[along] = offset;
        let part_shape = static_values(&lists.sizes);
        let part = subview(rw, op, buffer, &lists, &part_shape)?;
        copy(rw, op, source, part);
    }
    rw.replace(op, buffer);
    Ok(())
}

/// Each element is loaded from where the indices, and its own position in the
/// slice, say.
fn gather(rw: &mut Rewriter<'_>, op: Op) -> Outcome {
    let source = rw.buffer(rw.ir.operand(op, 0))?;
    let indices = rw.buffer(rw.ir.operand(op, 1))?;
    let dims = rw.ir.attr(op, Name::GATHER_DIMS);
    let dims = dims.and_then(|attr| rw.context.attr_i64_array(attr));
    let dims = dims.ok_or(NotBufferized)?;
    let rank = rw.memref_of(source)?.rank();
    let n_batch = rw.memref_of(indices)?.rank() - 1;
    let shape = result_shape(rw, op)?;
    let keeps_dims = shape.len() == n_batch + rank;
    // Where each dimension of the result has its size from.
    let slice: Vec<usize> = (0..rank)
        .filter(|&dim| keeps_dims || !dims.contains(&(dim as i64)))
        .collect();
    let (batch_sizes, slice_sizes) = (mixed_sizes(rw, op, indices)?, mixed_sizes(rw, op, source)?);
    let all = batch_sizes[..n_batch]
        .iter()
        .copied()
        .chain(slice.iter().map(|&dim| slice_sizes[dim]));
    let mut sizes = Vec::new();
    for (size, _) in all.zip(&shape).filter(|&(_, &size)| size == DYNAMIC) {
        sizes.push(size.materialize(&mut Builder::before(rw.ir, op)));
    }
    let buffer = new_result(rw, op, &sizes)?;
    fill(rw, op, buffer, |builder| {
        let counters: Vec<Value> = (0..shape.len())
            .map(|dim| loop_counter(builder, dim))
            .collect();
        let position: Vec<Value> = (0..rank)
            .map(|dim| match dims.iter().position(|&d| d == dim as i64) {
                Some(at) => {
                    let mut at_index = counters[..n_batch].to_vec();
                    at_index.push(arith::constant_index(builder, at as i64));
                    let index = build::load(builder, indices, &at_index);
                    match builder.ir.value_type(index) == Type::INDEX {
                        true => index,
                        false => builder.value(&arith::INDEX_CAST, &[index], Type::INDEX),
                    }
                }
                None => {
                    let at = slice.iter().position(|&d| d == dim);
                    counters[n_batch + at.expect("dimensions not gathered are in the slice")]
                }
            })
            .collect();
        build::load(builder, source, &position)
    });
    rw.replace(op, buffer);
    Ok(())
}
