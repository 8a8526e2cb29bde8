//! Operations that make, move, repeat or leave out elements.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::dialects::stablehlo::{elementwise, shapes as rows};
use freehold_frontend::dialects::{arith, chlo, linalg, tensor};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::attrs::{AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, Signedness, Type, TypeKind};

use super::build::{
    Generic, as_signless, at, cast, element, empty, empty_like, empty_of, empty_with, extract,
    extract_scalar, fill, filled, insert_slice, map, moved, moved_to, reshape, shape, signless,
    size, sizes, slice, slice_of, tensor_type,
};
use super::elements;
use super::emit::{Class, Emit};
use super::requirements;
use super::scalar::convert_scalar;
use super::stablehlo_legalize_to_linalg::{Row, Unsupported};

pub(super) const ROWS: &[Row] = &[
    (&chlo::CONSTANT, lower_constant),
    (&chlo::CONSTANT_LIKE, lower_constant_like),
    (&elementwise::CONSTANT, lower_constant),
    (&rows::BITCAST_CONVERT, lower_bitcast_convert),
    (&rows::BROADCAST, lower_broadcast),
    (&rows::BROADCAST_IN_DIM, lower_broadcast_in_dim),
    (&rows::CONCATENATE, lower_concatenate),
    (
        &rows::DYNAMIC_BROADCAST_IN_DIM,
        lower_dynamic_broadcast_in_dim,
    ),
    (&rows::DYNAMIC_IOTA, lower_iota),
    (&rows::DYNAMIC_RESHAPE, lower_dynamic_reshape),
    (&rows::DYNAMIC_SLICE, lower_dynamic_slice),
    (&rows::DYNAMIC_UPDATE_SLICE, lower_dynamic_update_slice),
    (&rows::GET_DIMENSION_SIZE, lower_get_dimension_size),
    (&rows::IOTA, lower_iota),
    (&rows::REAL_DYNAMIC_SLICE, lower_real_dynamic_slice),
    (&rows::RESHAPE, lower_reshape),
    (&rows::REVERSE, lower_reverse),
    (&rows::SET_DIMENSION_SIZE, lower_set_dimension_size),
    (&rows::SLICE, lower_slice),
    (&rows::TRANSPOSE, lower_transpose),
];

type Lowered = Result<Vec<Value>, Unsupported>;

/// A list of integers that an attribute holds.
pub(super) fn list(ir: &Ir, op: Op, name: Name) -> Vec<i64> {
    let attr = ir.attr(op, name);
    attr.and_then(|attr| ir.context().attr_i64_array(attr))
        .unwrap_or_default()
}

/// An integer that an attribute holds.
pub(super) fn integer(ir: &Ir, op: Op, name: Name) -> i64 {
    let value = ir
        .attr(op, name)
        .and_then(|attr| ir.context().attr_integer(attr));
    value.unwrap_or_default() as i64
}

/// The type of the first result, with signless elements.
pub(super) fn result_type(ir: &Ir, op: Op) -> Type {
    signless(ir.context(), ir.value_type(ir.result(op, 0)))
}

pub(super) fn operand(b: &mut Builder<'_>, op: Op, index: usize) -> Value {
    let value = b.ir.operand(op, index);
    as_signless(b, value)
}

pub(super) fn is_dynamic(ir: &Ir, value: Value) -> bool {
    shape(ir, value).contains(&DYNAMIC)
}

fn lower_constant(b: &mut Builder<'_>, op: Op) -> Lowered {
    let context = b.context();
    let ty = result_type(b.ir, op);
    let value = b.ir.attr(op, Name::VALUE).ok_or("it has no value")?;
    let kind = match context.attr_kind(value) {
        AttrKind::DenseElements(dense) => AttrKind::DenseElements(DenseElements {
            ty,
            ..dense.clone()
        }),
        AttrKind::DenseResource { key, .. } => AttrKind::DenseResource {
            key: key.clone(),
            ty,
        },
        _ => return Err("its value is no list of numbers".into()),
    };
    Ok(vec![arith::constant_attr(b, context.intern_attr(kind))])
}

fn lower_constant_like(b: &mut Builder<'_>, op: Op) -> Lowered {
    let context = b.context();
    let ty = result_type(b.ir, op);
    let element = context.element_type_or_self(ty);
    let value = b.ir.attr(op, Name::VALUE).ok_or("it has no value")?;
    let number = match context.attr_kind(value) {
        AttrKind::Integer { .. } => {
            let number = context
                .attr_integer(value)
                .ok_or("its value is no number")?;
            context.integer_attr(element, number)
        }
        AttrKind::Float { .. } => value,
        _ => return Err("its value is no number".into()),
    };
    let scalar = arith::constant_attr(b, number);
    let like = operand(b, op, 0);
    let out = empty_like(b, ty, like);
    Ok(vec![fill(b, scalar, out)])
}

/// The constant that a tensor is one element of many times, as a tensor of type `ty`.
fn splat_of(b: &mut Builder<'_>, source: Value, ty: Type) -> Option<Value> {
    let context = b.context();
    let AttrKind::DenseElements(dense) = context.attr_kind(arith::as_constant_attr(b.ir, source)?)
    else {
        return None;
    };
    let is_one = dense.splat || shape(b.ir, source).iter().product::<i64>() == 1;
    if !is_one || context.shape(ty)?.contains(&DYNAMIC) {
        return None;
    }
    let dense = DenseElements {
        ty,
        splat: true,
        bytes: dense.bytes.clone(),
    };
    Some(arith::constant_attr(
        b,
        context.intern_attr(AttrKind::DenseElements(dense)),
    ))
}

/// Repeats `source`: dimension `i` of it is dimension `dims[i]` of the result.
pub(super) fn broadcast(b: &mut Builder<'_>, source: Value, dims: &[i64], ty: Type) -> Value {
    if let Some(constant) = splat_of(b, source, ty) {
        return constant;
    }
    let sizes = shape(b.ir, source);
    let rank = b.ir.context().shape(ty).map_or(0, <[i64]>::len);
    if sizes.is_empty() {
        let scalar = extract_scalar(b, source);
        return filled(b, scalar, ty);
    }
    if dims.len() == rank
        && b.ir.value_type(source) == ty
        && dims.iter().enumerate().all(|(i, &dim)| i as i64 == dim)
    {
        return source;
    }
    let target = b.ir.context().shape(ty).unwrap_or_default().to_vec();
    let read = dims.iter().zip(&sizes).map(|(&dim, &size)| match size {
        1 if target[dim as usize] != 1 => AffineExpr::Constant(0),
        _ => AffineExpr::Dim(dim as u32),
    });
    let read = map(rank, read.collect());
    moved(b, source, ty, read)
}

fn lower_broadcast(b: &mut Builder<'_>, op: Op) -> Lowered {
    let source = operand(b, op, 0);
    let new = list(b.ir, op, Name::BROADCAST_SIZES);
    let n_new = new.len() as i64;
    let dims: Vec<i64> = (0..shape(b.ir, source).len() as i64)
        .map(|dim| n_new + dim)
        .collect();
    let ty = result_type(b.ir, op);
    if !is_dynamic(b.ir, b.ir.result(op, 0)) {
        return Ok(vec![broadcast(b, source, &dims, ty)]);
    }
    let rank = shape(b.ir, source).len();
    let out = empty_with(b, ty, &mut |b, dim| match new.get(dim) {
        Some(&known) => arith::constant_index(b, known),
        None => size(b, source, dim - new.len()),
    });
    let kept = (0..rank).map(|dim| AffineExpr::Dim((new.len() + dim) as u32));
    let read = map(new.len() + rank, kept.collect());
    Ok(vec![moved_to(b, source, out, read)])
}

fn expect_known_sizes(ir: &Ir, op: Op) -> Result<(), Unsupported> {
    match is_dynamic(ir, ir.result(op, 0)) {
        true => Err("sizes of its result are known only at run time".into()),
        false => Ok(()),
    }
}

fn lower_broadcast_in_dim(b: &mut Builder<'_>, op: Op) -> Lowered {
    expect_known_sizes(b.ir, op)?;
    let source = operand(b, op, 0);
    let dims = list(b.ir, op, Name::BROADCAST_DIMENSIONS);
    let ty = result_type(b.ir, op);
    Ok(vec![broadcast(b, source, &dims, ty)])
}

/// The numbers that a tensor of rank 1 holds, as indices.
pub(super) fn indices_in(b: &mut Builder<'_>, tensor: Value) -> Vec<Value> {
    if let Some(numbers) = elements::known(b, tensor) {
        return numbers.iter().map(|&number| to_index(b, number)).collect();
    }
    let tensor = as_signless(b, tensor);
    let n = shape(b.ir, tensor).first().copied().unwrap_or(0);
    (0..n)
        .map(|i| {
            let i = arith::constant_index(b, i);
            let number = extract(b, tensor, &[i]);
            to_index(b, number)
        })
        .collect()
}

/// A signless integer, read as signed, or an index as an index.
pub(super) fn to_index(b: &mut Builder<'_>, number: Value) -> Value {
    if b.ir.value_type(number) == Type::INDEX {
        return number;
    }
    if let Some(size) = elements::counted(b.ir, number)
        && b.ir.defined_by(size, &tensor::DIM).is_some()
    {
        return size;
    }
    let constant = arith::as_constant_int(b.ir, number);
    if let Some(constant) = constant.and_then(|constant| i64::try_from(constant).ok()) {
        return arith::constant_index(b, constant);
    }
    b.value(&arith::INDEX_CAST, &[number], Type::INDEX)
}

/// An uninitialized result whose unknown sizes the tensor `sizes` holds.
fn empty_sized(b: &mut Builder<'_>, ty: Type, sizes: Value) -> Value {
    let sizes = indices_in(b, sizes);
    empty_with(b, ty, &mut |_, dim| sizes[dim])
}

fn lower_dynamic_broadcast_in_dim(b: &mut Builder<'_>, op: Op) -> Lowered {
    let source = operand(b, op, 0);
    let dims = list(b.ir, op, Name::BROADCAST_DIMENSIONS);
    let ty = result_type(b.ir, op);
    if !is_dynamic(b.ir, b.ir.result(op, 0)) && !is_dynamic(b.ir, source) {
        return Ok(vec![broadcast(b, source, &dims, ty)]);
    }
    let sizes = b.ir.operand(op, 1);
    let sizes = indices_in(b, sizes);
    let out = empty_with(b, ty, &mut |_, dim| sizes[dim]);
    let rank = shape(b.ir, out).len();
    let from = shape(b.ir, source);
    if from.is_empty() {
        let scalar = extract_scalar(b, source);
        return Ok(vec![fill(b, scalar, out)]);
    }
    let expanding = list(b.ir, op, Name::KNOWN_EXPANDING_DIMENSIONS);
    let kept = list(b.ir, op, Name::KNOWN_NONEXPANDING_DIMENSIONS);
    let is_open = |dim: usize| {
        from[dim] == DYNAMIC
            && !expanding.contains(&(dim as i64))
            && !kept.contains(&(dim as i64))
            && !elements::is_size(b.ir, op, source, dim, sizes[dims[dim] as usize])
    };
    if !(0..from.len()).any(is_open) {
        let read = dims.iter().enumerate().map(|(i, &dim)| {
            match from[i] == 1 || expanding.contains(&(i as i64)) {
                true => AffineExpr::Constant(0),
                false => AffineExpr::Dim(dim as u32),
            }
        });
        let read = map(rank, read.collect());
        return Ok(vec![moved_to(b, source, out, read)]);
    }
    Ok(vec![broadcast_to(b, source, &dims, out)])
}

/// Repeats `source` as often as `out` asks for: dimension `i` of it, if it has more than one element, is dimension
/// `dims[i]` of the result. Whether a dimension is repeated is seen only at run time.
pub(super) fn broadcast_to(b: &mut Builder<'_>, source: Value, dims: &[i64], out: Value) -> Value {
    let from = shape(b.ir, source);
    let rank = shape(b.ir, out).len();
    let zero = arith::constant_index(b, 0);
    let one = arith::constant_index(b, 1);
    let repeated: Vec<Value> = (0..from.len())
        .map(|dim| {
            let size = size(b, source, dim);
            arith::compare(b, CmpIPredicate::Eq, size, one)
        })
        .collect();
    for (from, &dim) in dims.iter().enumerate() {
        let of_result = size(b, out, dim as usize);
        let of_source = size(b, source, from);
        let is_same = arith::compare(b, CmpIPredicate::Eq, of_source, of_result);
        let fits = b.value(&arith::ORI, &[repeated[from], is_same], Type::I1);
        let message = format!(
            "dimension {from} of a broadcast has neither one element nor as many as its result"
        );
        requirements::assert(b, fits, &message);
    }
    let generic = Generic {
        inputs: Vec::new(),
        outputs: vec![(out, AffineMap::identity(rank))],
        parallel: &vec![true; rank],
    };
    generic.build(b, &mut |b, _| {
        let indices: Vec<Value> = (dims.iter().zip(&repeated))
            .map(|(&dim, &is_repeated)| {
                let index = loop_index(b, dim);
                b.value(&arith::SELECT, &[is_repeated, zero, index], Type::INDEX)
            })
            .collect();
        vec![extract(b, source, &indices)]
    })[0]
}

/// `linalg.index`
pub(super) fn loop_index(b: &mut Builder<'_>, dim: i64) -> Value {
    let dim = b.ir.context().i64_attr(dim);
    b.value_with_attr(&linalg::INDEX, &[], Type::INDEX, Name::DIM, dim)
}

fn lower_iota(b: &mut Builder<'_>, op: Op) -> Lowered {
    let dim = integer(b.ir, op, Name::IOTA_DIMENSION);
    let ty = result_type(b.ir, op);
    let out = match b.ir.operands(op).first() {
        Some(&sizes) => empty_sized(b, ty, sizes),
        None => empty(b, ty),
    };
    let rank = shape(b.ir, out).len();
    let element = element(b.ir, out);
    let generic = Generic {
        inputs: Vec::new(),
        outputs: vec![(out, AffineMap::identity(rank))],
        parallel: &vec![true; rank],
    };
    // Every processor converts numbers of 32 bits to floats in vectors.
    let size = shape(b.ir, out).get(dim as usize).copied();
    let is_small = size.is_some_and(|size| size != DYNAMIC && i32::try_from(size).is_ok());
    let number = match is_small && element != Type::I64 {
        true => Type::I32,
        false => Type::I64,
    };
    let mut is_known = true;
    let results = generic.build(b, &mut |b, arguments| {
        let index = loop_index(b, dim);
        let number = b.value(&arith::INDEX_CAST, &[index], number);
        let mut e = Emit::new(b);
        let number = match e.class_of(element) {
            Class::Integer(1) => {
                // Modulo the range, as for other integers.
                Some(e.to(&arith::TRUNCI, number, element))
            }
            _ => convert_scalar(&mut e, number, false, element, false),
        };
        vec![number.unwrap_or_else(|| {
            is_known = false;
            arguments[0]
        })]
    });
    match is_known {
        true => Ok(results),
        false => Err("it has elements that are no numbers".into()),
    }
}

fn lower_bitcast_convert(b: &mut Builder<'_>, op: Op) -> Lowered {
    let source = operand(b, op, 0);
    let ty = result_type(b.ir, op);
    let context = b.context();
    let to = element(b.ir, b.ir.result(op, 0));
    let to = signless(&context, to);
    let from = element(b.ir, source);
    let width = |ty: Type| match context.type_kind(ty) {
        TypeKind::Float(kind) => Some(kind.width()),
        TypeKind::Integer { width, .. } => Some(*width),
        _ => None,
    };
    let (Some(narrow), Some(wide)) = (width(from), width(to)) else {
        if from == to {
            return Ok(vec![source]);
        }
        return Err("the bits of complex numbers are not taken apart".into());
    };
    if from == to {
        return Ok(vec![source]);
    }
    if narrow == wide {
        let lowered = super::build::elementwise(b, &[source], ty, &mut |b, x| {
            b.value(&arith::BITCAST, x, to)
        });
        return Ok(vec![lowered]);
    }
    let (from_bits, to_bits) = (context.integer_type(narrow), context.integer_type(wide));
    let bits = |b: &mut Builder<'_>, x: Value, ty: Type| match b.ir.value_type(x) == ty {
        true => x,
        false => b.value(&arith::BITCAST, &[x], ty),
    };
    let in_part = |b: &mut Builder<'_>, dim: usize, width: u32, ty: Type| {
        let part = loop_index(b, dim as i64);
        let part = b.value(&arith::INDEX_CAST, &[part], ty);
        let width = arith::constant_int(b, ty, i128::from(width));
        b.value(&arith::MULI, &[part, width], ty)
    };
    let from_shape = shape(b.ir, source);
    if narrow < wide {
        // The last dimension holds the parts of an element, the lowest bits first.
        let rank = from_shape.len();
        if let MixedIndex::Value(parts) = sizes(b, source)[rank - 1] {
            let wanted = MixedIndex::Constant(i64::from(wide / narrow));
            let message = "the last dimension of a bitcast has not the parts of an element";
            requirements::equal(b, parts.into(), wanted, message);
        }
        let zero = arith::constant_int(b, to_bits, 0);
        let words = b.context().with_element_type(ty, to_bits);
        let out = empty_with(b, words, &mut |b, dim| size(b, source, dim));
        let out = fill(b, zero, out);
        let mut parallel = vec![true; rank];
        parallel[rank - 1] = false;
        let generic = Generic {
            inputs: vec![(source, AffineMap::identity(rank))],
            outputs: vec![(
                out,
                super::build::projection(rank, &(0..rank - 1).collect::<Vec<_>>()),
            )],
            parallel: &parallel,
        };
        let words = generic.build(b, &mut |b, x| {
            let part = bits(b, x[0], from_bits);
            let part = b.value(&arith::EXTUI, &[part], to_bits);
            let amount = in_part(b, rank - 1, narrow, to_bits);
            let part = b.value(&arith::SHLI, &[part, amount], to_bits);
            vec![b.value(&arith::ORI, &[x[1], part], to_bits)]
        })[0];
        let lowered = super::build::elementwise(b, &[words], ty, &mut |b, x| bits(b, x[0], to));
        return Ok(vec![lowered]);
    }
    let parts = i64::from(narrow / wide);
    let out = empty_with(b, ty, &mut |b, dim| match dim < from_shape.len() {
        true => size(b, source, dim),
        false => arith::constant_index(b, parts),
    });
    let rank = shape(b.ir, out).len();
    let generic = Generic {
        inputs: vec![(
            source,
            super::build::projection(rank, &(0..rank - 1).collect::<Vec<_>>()),
        )],
        outputs: vec![(out, AffineMap::identity(rank))],
        parallel: &vec![true; rank],
    };
    Ok(generic.build(b, &mut |b, x| {
        let word = bits(b, x[0], from_bits);
        let amount = in_part(b, rank - 1, wide, from_bits);
        let part = b.value(&arith::SHRUI, &[word, amount], from_bits);
        let part = b.value(&arith::TRUNCI, &[part], to_bits);
        vec![bits(b, part, to)]
    }))
}

/// A short list that is made of constants: JAX concatenates indices one by one.
fn joined_constants(b: &mut Builder<'_>, sources: &[Value], ty: Type) -> Option<Value> {
    let context = b.context();
    let &[n @ ..=64] = context.shape(ty)? else {
        return None;
    };
    let size = context.integer_width(context.element_of(ty))? / 8;
    let mut bytes = Vec::new();
    for &source in sources {
        let dense = context.attr_dense(arith::as_constant_attr(b.ir, source)?)?;
        let n = shape(b.ir, source).iter().product::<i64>() as usize;
        match dense.splat {
            true => bytes.extend(dense.bytes.repeat(n)),
            false => bytes.extend(dense.bytes.iter()),
        }
    }
    let is_whole = size > 0 && bytes.len() as i64 == n * i64::from(size);
    is_whole.then(|| {
        let dense = DenseElements {
            ty,
            splat: false,
            bytes: bytes.into(),
        };
        arith::constant_attr(b, context.intern_attr(AttrKind::DenseElements(dense)))
    })
}

fn lower_concatenate(b: &mut Builder<'_>, op: Op) -> Lowered {
    let dim = integer(b.ir, op, Name::DIMENSION) as usize;
    let ty = result_type(b.ir, op);
    let sources: Vec<Value> = (0..b.ir.operands(op).len())
        .map(|i| operand(b, op, i))
        .collect();
    if let [source] = sources[..] {
        return Ok(vec![source]);
    }
    if let Some(constant) = joined_constants(b, &sources, ty) {
        return Ok(vec![constant]);
    }
    if is_dynamic(b.ir, b.ir.result(op, 0))
        || sources.iter().any(|&source| is_dynamic(b.ir, source))
    {
        let dimension = b.ir.context().i64_attr(dim as i64);
        return Ok(vec![b.value_with_attr(
            &tensor::CONCAT,
            &sources,
            ty,
            Name::DIM,
            dimension,
        )]);
    }
    let mut out = empty(b, ty);
    let rank = shape(b.ir, out).len();
    let mut offsets = vec![0; rank];
    for source in sources {
        let n = shape(b.ir, source)[dim];
        if n > 0 {
            out = insert_slice(b, source, out, at(&offsets), &vec![1; rank]);
        }
        offsets[dim] += n;
    }
    Ok(vec![out])
}

fn lower_transpose(b: &mut Builder<'_>, op: Op) -> Lowered {
    let source = operand(b, op, 0);
    let permutation = list(b.ir, op, Name::PERMUTATION);
    let ty = result_type(b.ir, op);
    Ok(vec![transpose(b, source, &permutation, ty)])
}

/// Dimension `i` of the result is dimension `permutation[i]` of `source`.
pub(super) fn transpose(
    b: &mut Builder<'_>,
    source: Value,
    permutation: &[i64],
    ty: Type,
) -> Value {
    if permutation
        .iter()
        .enumerate()
        .all(|(i, &dim)| i as i64 == dim)
    {
        return source;
    }
    // What is known of the operand is known of the result.
    let from = sizes(b, source);
    let to: Vec<MixedIndex> = permutation.iter().map(|&dim| from[dim as usize]).collect();
    let element_type = element(b.ir, source);
    let out = empty_of(b, &to, element_type);
    let made = b.ir.value_type(out);
    let context = b.context();
    let permutation = context.i64_array_attr(permutation);
    let spec = b
        .spec(&linalg::TRANSPOSE)
        .operands(&[source, out])
        .results(&[made])
        .attr(Name::PERMUTATION, permutation)
        .regions(1);
    let op = b.create(spec);
    let region = b.ir.region(op, 0);
    let block = b.ir.append_block(region, &[element_type, element_type]);
    let value = b.ir.block_args(block)[0];
    let mut inner = b.inside(block);
    inner.op(&linalg::YIELD, &[value], &[]);
    let result = b.ir.result(op, 0);
    cast(b, result, ty)
}

fn lower_reshape(b: &mut Builder<'_>, op: Op) -> Lowered {
    let source = operand(b, op, 0);
    let ty = result_type(b.ir, op);
    expect_known_sizes(b.ir, op)?;
    if is_dynamic(b.ir, source) {
        let to = shape(b.ir, b.ir.result(op, 0));
        let sizes: Vec<Value> = to
            .iter()
            .map(|&size| arith::constant_index(b, size))
            .collect();
        return Ok(vec![reshape_to(b, source, &sizes, ty)]);
    }
    let to = b.ir.context().shape(ty).unwrap_or_default().to_vec();
    if let Some(constant) = splat_of(b, source, ty) {
        return Ok(vec![constant]);
    }
    Ok(vec![reshape(b, source, &to)])
}

/// `tensor.reshape` to sizes that are values.
pub(super) fn reshape_to(b: &mut Builder<'_>, source: Value, sizes: &[Value], ty: Type) -> Value {
    let context = b.context();
    let sizes_type = tensor_type(&context, &[sizes.len() as i64], Type::INDEX);
    let sizes = b.value(&tensor::FROM_ELEMENTS, sizes, sizes_type);
    b.value(&tensor::RESHAPE, &[source, sizes], ty)
}

fn lower_dynamic_reshape(b: &mut Builder<'_>, op: Op) -> Lowered {
    let source = operand(b, op, 0);
    let ty = result_type(b.ir, op);
    if b.ir.value_type(source) == ty
        && shape(b.ir, source)
            .iter()
            .filter(|&&size| size == DYNAMIC)
            .count()
            <= 1
    {
        return Ok(vec![source]);
    }
    let sizes = b.ir.operand(op, 1);
    let sizes = indices_in(b, sizes);
    Ok(vec![reshape_to(b, source, &sizes, ty)])
}

fn lower_reverse(b: &mut Builder<'_>, op: Op) -> Lowered {
    let source = operand(b, op, 0);
    let dims = list(b.ir, op, Name::DIMENSIONS);
    Ok(vec![reversed(b, source, &dims)?])
}

/// Mirrors dimensions of known size.
pub(super) fn reversed(
    b: &mut Builder<'_>,
    source: Value,
    dims: &[i64],
) -> Result<Value, Unsupported> {
    let sizes = shape(b.ir, source);
    let ty = b.ir.value_type(source);
    if dims.iter().any(|&dim| sizes[dim as usize] == DYNAMIC) {
        let out = empty_like(b, ty, source);
        let ends: Vec<(i64, Value)> = dims
            .iter()
            .map(|&dim| {
                let size = size(b, source, dim as usize);
                let one = arith::constant_index(b, 1);
                (dim, b.value(&arith::SUBI, &[size, one], Type::INDEX))
            })
            .collect();
        let rank = sizes.len();
        let generic = Generic {
            inputs: Vec::new(),
            outputs: vec![(out, AffineMap::identity(rank))],
            parallel: &vec![true; rank],
        };
        return Ok(generic.build(b, &mut |b, _| {
            let indices: Vec<Value> = (0..rank as i64)
                .map(|dim| {
                    let index = loop_index(b, dim);
                    match ends.iter().find(|end| end.0 == dim) {
                        Some(&(_, end)) => b.value(&arith::SUBI, &[end, index], Type::INDEX),
                        None => index,
                    }
                })
                .collect();
            vec![extract(b, source, &indices)]
        })[0]);
    }
    let read = sizes.iter().enumerate().map(|(dim, &size)| {
        let index = AffineExpr::Dim(dim as u32);
        match dims.contains(&(dim as i64)) && size > 1 {
            true => AffineExpr::Constant(size - 1).sub(index),
            false => index,
        }
    });
    let read = map(sizes.len(), read.collect());
    if read.is_identity() {
        return Ok(source);
    }
    let out = empty_like(b, ty, source);
    Ok(moved_to(b, source, out, read))
}

fn lower_slice(b: &mut Builder<'_>, op: Op) -> Lowered {
    let source = operand(b, op, 0);
    let starts = list(b.ir, op, Name::START_INDICES);
    let strides = list(b.ir, op, Name::STRIDES);
    let sizes = shape(b.ir, b.ir.result(op, 0));
    expect_known_sizes(b.ir, op)?;
    Ok(vec![slice(b, source, at(&starts), &sizes, &strides)])
}

/// Where a part of `parts` elements begins, moved so that it lies inside of `tensor`.
fn clamped_starts(
    b: &mut Builder<'_>,
    tensor: Value,
    starts: &[Value],
    parts: &[MixedIndex],
) -> Vec<MixedIndex> {
    let mut clamped = Vec::new();
    for (dim, (&start, &part)) in starts.iter().zip(parts).enumerate() {
        let whole = shape(b.ir, tensor)[dim];
        if whole != DYNAMIC && MixedIndex::Constant(whole) == part {
            clamped.push(MixedIndex::Constant(0));
            continue;
        }
        let start = index_of_scalar(b, start);
        let whole = sizes(b, tensor)[dim];
        let message = format!("a slice is larger than dimension {dim} of its operand");
        requirements::at_most(b, part, whole, &message);
        let (whole, part) = (whole.materialize(b), part.materialize(b));
        let most = b.value(&arith::SUBI, &[whole, part], Type::INDEX);
        let zero = arith::constant_index(b, 0);
        let start = b.value(&arith::MAXSI, &[start, zero], Type::INDEX);
        clamped.push(MixedIndex::Value(b.value(
            &arith::MINSI,
            &[start, most],
            Type::INDEX,
        )));
    }
    clamped
}

/// The number in a tensor of rank 0 as an index. Unsigned numbers beyond the range of index become the greatest.
fn index_of_scalar(b: &mut Builder<'_>, tensor: Value) -> Value {
    let declared = element(b.ir, tensor);
    let tensor = as_signless(b, tensor);
    let number = extract_scalar(b, tensor);
    let context = b.context();
    let TypeKind::Integer { width, signedness } = *context.type_kind(declared) else {
        return to_index(b, number);
    };
    if signedness != Signedness::Unsigned {
        return to_index(b, number);
    }
    let index = b.value(&arith::INDEX_CASTUI, &[number], Type::INDEX);
    if width < 64 {
        return index;
    }
    let most = arith::constant_index(b, i64::MAX);
    b.value(&arith::MINUI, &[index, most], Type::INDEX)
}

fn lower_dynamic_slice(b: &mut Builder<'_>, op: Op) -> Lowered {
    let source = operand(b, op, 0);
    let starts = b.ir.operands(op)[1..].to_vec();
    let sizes = list(b.ir, op, Name::SLICE_SIZES);
    let offsets = clamped_starts(b, source, &starts, &at(&sizes));
    let strides = vec![1; sizes.len()];
    Ok(vec![slice(b, source, offsets, &sizes, &strides)])
}

fn lower_dynamic_update_slice(b: &mut Builder<'_>, op: Op) -> Lowered {
    let target = operand(b, op, 0);
    let update = operand(b, op, 1);
    let starts = b.ir.operands(op)[2..].to_vec();
    let part = sizes(b, update);
    let offsets = clamped_starts(b, target, &starts, &part);
    Ok(vec![insert_slice(
        b,
        update,
        target,
        offsets,
        &vec![1; part.len()],
    )])
}

fn lower_real_dynamic_slice(b: &mut Builder<'_>, op: Op) -> Lowered {
    let source = operand(b, op, 0);
    let ty = result_type(b.ir, op);
    let [starts, limits, strides] = [1, 2, 3].map(|i| b.ir.operand(op, i));
    let [starts, limits, strides] = [starts, limits, strides].map(|numbers| indices_in(b, numbers));
    for (dim, whole) in sizes(b, source).into_iter().enumerate() {
        let [start, limit, stride] = [&starts, &limits, &strides].map(|list| list[dim].into());
        let message = format!("a slice is not within dimension {dim} of its operand");
        requirements::at_most(b, MixedIndex::Constant(0), start, &message);
        requirements::at_most(b, start, limit, &message);
        requirements::at_most(b, limit, whole, &message);
        let message = format!("the stride of a slice is not positive in dimension {dim}");
        requirements::at_most(b, MixedIndex::Constant(1), stride, &message);
    }
    let steps: Option<Vec<i64>> = (strides.iter())
        .map(|&stride| arith::as_constant_index(b.ir, stride))
        .collect();
    let steps = steps.filter(|steps| steps.iter().all(|&step| step > 0));
    let sizes: Vec<Value> = (0..starts.len())
        .map(|dim| {
            let n = b.value(&arith::SUBI, &[limits[dim], starts[dim]], Type::INDEX);
            match &steps {
                Some(steps) if steps[dim] == 1 => n,
                _ => b.value(&arith::CEILDIVSI, &[n, strides[dim]], Type::INDEX),
            }
        })
        .collect();
    if let Some(steps) = steps {
        let from = starts.iter().map(|&start| {
            let known = arith::as_constant_index(b.ir, start);
            known.map_or(MixedIndex::Value(start), MixedIndex::Constant)
        });
        let from = from.collect();
        let shape = shape(b.ir, b.ir.result(op, 0));
        let parts = shape.iter().zip(&sizes).map(|(&known, &size)| match known {
            DYNAMIC => MixedIndex::Value(size),
            known => MixedIndex::Constant(known),
        });
        let parts = parts.collect();
        return Ok(vec![slice_of(b, source, from, parts, &steps)]);
    }
    let out = empty_with(b, ty, &mut |_, dim| sizes[dim]);
    let rank = starts.len();
    let generic = Generic {
        inputs: Vec::new(),
        outputs: vec![(out, AffineMap::identity(rank))],
        parallel: &vec![true; rank],
    };
    Ok(generic.build(b, &mut |b, _| {
        let indices: Vec<Value> = (0..rank)
            .map(|dim| {
                let index = loop_index(b, dim as i64);
                let moved = b.value(&arith::MULI, &[index, strides[dim]], Type::INDEX);
                b.value(&arith::ADDI, &[moved, starts[dim]], Type::INDEX)
            })
            .collect();
        vec![extract(b, source, &indices)]
    }))
}

fn lower_get_dimension_size(b: &mut Builder<'_>, op: Op) -> Lowered {
    let source = b.ir.operand(op, 0);
    let dim = integer(b.ir, op, Name::DIMENSION) as usize;
    let number = match shape(b.ir, source)[dim] {
        DYNAMIC => {
            let source = as_signless(b, source);
            let size = size(b, source, dim);
            b.value(&arith::INDEX_CAST, &[size], Type::I32)
        }
        size => arith::constant_int(b, Type::I32, i128::from(size)),
    };
    Ok(vec![super::build::from_scalar(b, number)])
}

/// The first elements along a dimension, as many as a value says. A size that grows again would show what was behind the
/// last element.
fn lower_set_dimension_size(b: &mut Builder<'_>, op: Op) -> Lowered {
    let source = operand(b, op, 0);
    let dim = integer(b.ir, op, Name::DIMENSION) as usize;
    let ty = result_type(b.ir, op);
    let wanted = shape(b.ir, b.ir.result(op, 0))[dim];
    let mut of_result = sizes(b, source);
    let whole = of_result[dim];
    let number = match arith::as_constant_int(b.ir, b.ir.operand(op, 1)) {
        Some(number) => MixedIndex::Constant(number as i64),
        None => {
            let number = as_signless(b, b.ir.operand(op, 1));
            let number = extract_scalar(b, number);
            MixedIndex::Value(to_index(b, number))
        }
    };
    let is_outside = |number: i64| match whole {
        MixedIndex::Constant(whole) => !(0..=whole).contains(&number),
        MixedIndex::Value(_) => number < 0,
    };
    if matches!(number, MixedIndex::Constant(number) if is_outside(number)) {
        return Err("there are not as many elements".into());
    }
    let message = "a dimension is set to a size that it does not have";
    requirements::at_most(b, number, whole, message);
    requirements::at_most(b, MixedIndex::Constant(0), number, message);
    of_result[dim] = number;
    if wanted != DYNAMIC {
        of_result[dim] = MixedIndex::Constant(wanted);
        requirements::equal(b, number, of_result[dim], message);
    }
    let rank = of_result.len();
    let offsets = vec![MixedIndex::Constant(0); rank];
    let part = match of_result[dim] == whole {
        true => source,
        false => slice_of(b, source, offsets, of_result, &vec![1; rank]),
    };
    Ok(vec![cast(b, part, ty)])
}
