//! Copies of buffers of any type.

use freehold_frontend::dialects::memref::{self, build, has_identity_layout};
use freehold_frontend::dialects::{arith, bufferization, scf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::layout::identity_strides;
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type, TypeKind};

/// Replaces the clone `op` by an allocation and a copy.
///
/// # Errors
/// If no allocation has the type of the result.
pub(crate) fn lower_clone(
    ir: &mut Ir,
    op: Op,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    let (source, ty) = (ir.operand(op, 0), ir.value_type(ir.result(op, 0)));
    if let Some(value) = clone_as(&mut Builder::before(ir, op), source, ty) {
        ir.replace_op(op, &[value]);
        return Ok(());
    }
    let message = "failed to legalize operation 'bufferization.clone' that was \
                   explicitly marked illegal";
    Err(diagnostics.error(ir.loc(op), message))
}

/// A copy of the buffer `source` as a `ty`; `None` if no allocation has that type.
pub(crate) fn clone_as(b: &mut Builder<'_>, source: Value, ty: Type) -> Option<Value> {
    let context = b.context();
    match context.type_kind(ty) {
        TypeKind::MemRef(memref) => clone_ranked(b, source, ty, memref),
        TypeKind::UnrankedMemRef { element, space } => {
            Some(clone_unranked(b, source, ty, *element, *space))
        }
        _ => None,
    }
}

/// A copy in an allocation of its own: row-major where the type asked for leaves that open, and otherwise with
/// the strides and the offset that the type knows.
fn clone_ranked(
    b: &mut Builder<'_>,
    source: Value,
    result_type: Type,
    memref: &MemRefType,
) -> Option<Value> {
    let context = b.context();
    let allocated_type = if has_identity_layout(&context, memref) {
        result_type
    } else {
        context.memref_type(MemRefType {
            layout: None,
            ..memref.clone()
        })
    };
    if allocated_type != result_type && !is_row_major(&context, memref)? {
        return clone_strided(b, source, result_type, memref);
    }
    let mut sizes = Vec::new();
    for (index, &size) in memref.shape.iter().enumerate() {
        if size == DYNAMIC {
            let index = arith::constant_index(b, index as i64);
            sizes.push(build::dim(b, source, index));
        }
    }
    let allocation = build::alloc(b, allocated_type, &sizes);
    let copy = if allocated_type == result_type {
        allocation
    } else {
        build::cast(b, allocation, result_type)
    };
    build::copy(b, source, copy);
    Some(copy)
}

/// Whether row-major memory has the strides and the offset that the type knows, whatever its sizes are. `None` if
/// the layout has no strides.
fn is_row_major(context: &Context, memref: &MemRefType) -> Option<bool> {
    let (strides, offset) = context.memref_strides(memref)?;
    let fits = |known: i64, row_major: i64| known == DYNAMIC || known == row_major;
    let mut both = strides.iter().zip(identity_strides(&memref.shape));
    Some(fits(offset, 0) && both.all(|(&known, row_major)| fits(known, row_major)))
}

/// A copy with the strides and the offset that the type knows: a flat allocation as long as the layout
/// reaches, viewed in that layout. Dimensions of unknown strides lie around those of known ones.
fn clone_strided(
    b: &mut Builder<'_>,
    source: Value,
    result_type: Type,
    memref: &MemRefType,
) -> Option<Value> {
    let context = b.context();
    let (known_strides, offset) = context.memref_strides(memref)?;
    let offset = if offset == DYNAMIC { 0 } else { offset };
    let is_negative = |&stride: &i64| stride != DYNAMIC && stride < 0;
    if offset < 0 || known_strides.iter().any(is_negative) {
        return None;
    }
    let mut sizes = Vec::new();
    let mut size_values = Vec::new();
    for (index, &size) in memref.shape.iter().enumerate() {
        let index = arith::constant_index(b, index as i64);
        if size == DYNAMIC {
            let value = build::dim(b, source, index);
            size_values.push(value);
            sizes.push(memref::MixedIndex::Value(value));
        } else {
            size_values.push(arith::constant_index(b, size));
            sizes.push(memref::MixedIndex::Constant(size));
        }
    }
    // One past the last element, or more.
    let mut span = arith::constant_index(b, 1);
    let mut strides = vec![memref::MixedIndex::Constant(0); sizes.len()];
    for (dim, &stride) in known_strides.iter().enumerate() {
        if stride != DYNAMIC {
            strides[dim] = memref::MixedIndex::Constant(stride);
            let stride = arith::constant_index(b, stride);
            let reach = b.value(&arith::MULI, &[size_values[dim], stride], Type::INDEX);
            span = b.value(&arith::ADDI, &[span, reach], Type::INDEX);
        }
    }
    for dim in (0..sizes.len()).rev() {
        if known_strides[dim] == DYNAMIC {
            strides[dim] = memref::MixedIndex::Value(span);
            span = b.value(&arith::MULI, &[size_values[dim], span], Type::INDEX);
        }
    }
    if offset != 0 {
        let offset = arith::constant_index(b, offset);
        span = b.value(&arith::ADDI, &[span, offset], Type::INDEX);
    }
    let flat = context.memref_type(MemRefType {
        shape: Box::new([DYNAMIC]),
        element: memref.element,
        layout: None,
        space: memref.space,
    });
    let allocation = build::alloc(b, flat, &[span]);
    let offset = memref::MixedIndex::Constant(offset);
    let copy = build::reinterpret_cast(b, allocation, offset, &sizes, &strides, result_type);
    build::copy(b, source, copy);
    Some(copy)
}

/// A copy of a buffer of any rank: a flat allocation reshaped.
fn clone_unranked(
    b: &mut Builder<'_>,
    source: Value,
    result_type: Type,
    element: Type,
    space: Option<freehold_frontend::ir::attrs::Attr>,
) -> Value {
    let context = b.context();
    let zero = arith::constant_index(b, 0);
    let one = arith::constant_index(b, 1);
    let rank = b.value(&memref::RANK, &[source], Type::INDEX);
    let shape_type = context.memref_type(MemRefType::identity(&[DYNAMIC], Type::INDEX));
    let shape = build::alloca(b, shape_type, &[rank]);
    let after = b.insert_point();
    let loop_op = scf::build_for(b, zero, rank, one, &[one]);
    let view = scf::For(loop_op);
    let (index, product) = (view.induction_variable(b.ir), view.iter_args(b.ir)[0]);
    let body = view.body(b.ir);
    b.set_to_end(body);
    let size = build::dim(b, source, index);
    build::store(b, size, shape, &[index]);
    let next = b.value(&arith::MULI, &[product, size], Type::INDEX);
    scf::build_yield(b, &[next]);
    b.set_insert_point(after);
    let n_elements = b.ir.result(loop_op, 0);
    let flat = context.memref_type(MemRefType {
        shape: Box::new([DYNAMIC]),
        element,
        layout: None,
        space,
    });
    let allocation = build::alloc(b, flat, &[n_elements]);
    let copy = b.value(&memref::RESHAPE, &[allocation, shape], result_type);
    build::copy(b, source, copy);
    copy
}

/// `scf.if %condition { yield %value } else { yield clone of %value }`
pub(crate) fn clone_unless(ir: &mut Ir, before: Op, condition: Value, value: Value) -> Value {
    let ty = ir.value_type(value);
    let mut builder = Builder::before(ir, before);
    let spec = builder
        .spec(&scf::IF)
        .operands(&[condition])
        .results(&[ty])
        .regions(2);
    let op = builder.create(spec);
    for (index, clone) in [(0, false), (1, true)] {
        let region = builder.ir.region(op, index);
        let block = builder.ir.append_block(region, &[]);
        builder.set_to_end(block);
        let yielded = if clone {
            builder.value(&bufferization::CLONE, &[value], ty)
        } else {
            value
        };
        builder.op(&scf::YIELD, &[yielded], &[]);
    }
    ir.result(op, 0)
}
