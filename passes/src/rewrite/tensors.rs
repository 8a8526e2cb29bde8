//! What all lowerings build: structured operations, empty and filled tensors, slices and reshapes.
//! Elements are signless: what was unsigned is cast where the lowered operation begins and ends.

use freehold_frontend::dialects::linalg::attributes::IteratorType;
use freehold_frontend::dialects::memref::{
    MixedIndex, OffsetSizeStride, dynamic_values, static_values,
};
use freehold_frontend::dialects::shared::const_fold::scalar_attr;
use freehold_frontend::dialects::tensor::reshapes::{collapse_shape, expand_shape};
use freehold_frontend::dialects::tensor::slices::with_margins;
use freehold_frontend::dialects::{arith, complex, linalg, tensor};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::attrs::DenseElements;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::builtin;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, Signedness, Type, TypeKind};

/// The sizes of a tensor.
pub(crate) fn shape(ir: &Ir, value: Value) -> Vec<i64> {
    let shape = ir.context().shape(ir.value_type(value));
    shape.unwrap_or_default().to_vec()
}

/// The type of a tensor's elements.
pub(crate) fn element(ir: &Ir, value: Value) -> Type {
    ir.context().element_type_or_self(ir.value_type(value))
}

/// The tensor type of this shape without an encoding.
pub(crate) fn tensor_type(context: &Context, shape: &[i64], element: Type) -> Type {
    context.intern_type(TypeKind::RankedTensor {
        shape: shape.into(),
        element,
        encoding: None,
    })
}

/// The type with signless integers for unsigned ones.
pub(crate) fn signless(context: &Context, ty: Type) -> Type {
    match context.type_kind(ty) {
        TypeKind::Integer {
            width,
            signedness: Signedness::Unsigned | Signedness::Signed,
        } => context.integer_type(*width),
        TypeKind::RankedTensor { shape, element, .. } => {
            tensor_type(context, shape, signless(context, *element))
        }
        _ => ty,
    }
}

/// The value with another type of the same bits. Sizes that only one of the types knows are those of the other.
pub(crate) fn cast(b: &mut Builder<'_>, value: Value, ty: Type) -> Value {
    let from = b.ir.value_type(value);
    if from == ty {
        return value;
    }
    let context = b.context();
    if let (Some(known), Some(wanted)) = (context.shape(from), context.shape(ty))
        && known != wanted
    {
        let reshaped = context.with_element_type(ty, context.element_type_or_self(from));
        let value = b.value(&tensor::CAST, &[value], reshaped);
        return cast(b, value, ty);
    }
    if let Some(op) = b.ir.defined_by(value, &builtin::UNREALIZED_CONVERSION_CAST)
        && let [source] = *b.ir.operands(op)
        && b.ir.value_type(source) == ty
    {
        return source;
    }
    b.value(&builtin::UNREALIZED_CONVERSION_CAST, &[value], ty)
}

/// The value with signless elements.
pub(crate) fn as_signless(b: &mut Builder<'_>, value: Value) -> Value {
    let ty = signless(b.ir.context(), b.ir.value_type(value));
    cast(b, value, ty)
}

/// The size of a dimension as a value.
pub(crate) fn size(b: &mut Builder<'_>, tensor: Value, dim: usize) -> Value {
    match shape(b.ir, tensor)[dim] {
        DYNAMIC => {
            let dim = arith::constant_index(b, dim as i64);
            b.value(&tensor::DIM, &[tensor, dim], Type::INDEX)
        }
        size => arith::constant_index(b, size),
    }
}

/// The sizes of all dimensions: numbers where they are known.
pub(crate) fn sizes(b: &mut Builder<'_>, tensor: Value) -> Vec<MixedIndex> {
    let shape = shape(b.ir, tensor);
    let sizes = shape.iter().enumerate().map(|(dim, &known)| match known {
        DYNAMIC => MixedIndex::Value(size(b, tensor, dim)),
        _ => MixedIndex::Constant(known),
    });
    sizes.collect()
}

/// `tensor.empty` of these sizes.
pub(crate) fn empty_of(b: &mut Builder<'_>, sizes: &[MixedIndex], element: Type) -> Value {
    let ty = tensor_type(&b.context(), &static_values(sizes), element);
    b.value(&tensor::EMPTY, &dynamic_values(sizes), ty)
}

/// `tensor.empty` of a type, given its sizes that are unknown.
pub(crate) fn empty_with(
    b: &mut Builder<'_>,
    ty: Type,
    size_of: &mut dyn FnMut(&mut Builder<'_>, usize) -> Value,
) -> Value {
    let context = b.context();
    let mut sizes = Vec::new();
    for (dim, &size) in context.shape(ty).unwrap_or_default().iter().enumerate() {
        if size == DYNAMIC {
            sizes.push(size_of(b, dim));
        }
    }
    b.value(&tensor::EMPTY, &sizes, ty)
}

/// `tensor.empty` of a type; unknown sizes are those of `like`.
pub(crate) fn empty_like(b: &mut Builder<'_>, ty: Type, like: Value) -> Value {
    empty_with(b, ty, &mut |b, dim| size(b, like, dim))
}

/// `tensor.empty` of a type of known sizes.
pub(crate) fn empty(b: &mut Builder<'_>, ty: Type) -> Value {
    b.value(&tensor::EMPTY, &[], ty)
}

/// A tensor of known sizes of one element many times.
pub(crate) fn filled(b: &mut Builder<'_>, scalar: Value, ty: Type) -> Value {
    let out = empty(b, ty);
    fill(b, scalar, out)
}

/// `out` with one element everywhere.
pub(crate) fn fill(b: &mut Builder<'_>, scalar: Value, out: Value) -> Value {
    let op = linalg::build_named(b, &linalg::FILL, &[scalar], &[out]);
    let op = op.expect("elements are filled with elements of their type");
    b.ir.result(op, 0)
}

/// The only element of a tensor of rank 0.
pub(crate) fn extract_scalar(b: &mut Builder<'_>, value: Value) -> Value {
    match known_scalar(b, value) {
        Some(scalar) => scalar,
        None => extract(b, value, &[]),
    }
}

/// The element of a tensor of rank 0 that was made of a scalar or is a constant.
fn known_scalar(b: &mut Builder<'_>, value: Value) -> Option<Value> {
    if let Some(op) = b.ir.defined_by(value, &tensor::FROM_ELEMENTS)
        && let [scalar] = *b.ir.operands(op)
    {
        return Some(scalar);
    }
    scalar_of_constant(b, value)
}

/// The element of a constant of rank 0, made a scalar constant with signless elements.
pub(crate) fn scalar_of_constant(b: &mut Builder<'_>, value: Value) -> Option<Value> {
    let context = b.context();
    let dense = context.attr_dense(arith::as_constant_attr(b.ir, value)?)?;
    context.shape(dense.ty)?.is_empty().then_some(())?;
    first_element(b, dense)
}

/// The number that all elements of a constant are, if they have no sign of their own, made a scalar constant.
pub(crate) fn number_of_splat(b: &mut Builder<'_>, value: Value) -> Option<Value> {
    let context = b.context();
    let dense = context.attr_dense(arith::as_constant_attr(b.ir, value)?)?;
    let element = context.element_type_or_self(dense.ty);
    (dense.splat && signless(&context, element) == element).then_some(())?;
    first_element(b, dense)
}

fn first_element(b: &mut Builder<'_>, dense: &DenseElements) -> Option<Value> {
    let context = b.context();
    let ty = signless(&context, context.element_type_or_self(dense.ty));
    let number = |bytes: &[u8]| {
        let mut all = [0; 16];
        all.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(u128::from_le_bytes(all))
    };
    match context.type_kind(ty) {
        TypeKind::Complex(part) => {
            let (re, im) = dense.bytes.split_at(dense.bytes.len() / 2);
            let parts = [number(re)?, number(im)?].map(|bits| scalar_attr(&context, *part, bits));
            let parts = context.array_attr(&parts);
            Some(b.value_with_attr(&complex::CONSTANT, &[], ty, Name::VALUE, parts))
        }
        TypeKind::Integer { .. } | TypeKind::Float(_) | TypeKind::Index => {
            let attr = scalar_attr(&context, ty, number(&dense.bytes)?);
            Some(arith::constant_attr(b, attr))
        }
        _ => None,
    }
}

/// Takes scalars for elements of tensors of rank 0 that are known, and leaves out the tensors that are unused then.
pub(crate) fn fold_scalars(ir: &mut Ir) {
    let mut made = Vec::new();
    for op in ir.collect_ops(ir.root()) {
        if ir.is(op, &tensor::EXTRACT)
            && let [source] = *ir.operands(op)
            && let Some(scalar) = known_scalar(&mut Builder::before(ir, op), source)
        {
            ir.replace_op(op, &[scalar]);
        } else if [
            &tensor::FROM_ELEMENTS,
            &builtin::UNREALIZED_CONVERSION_CAST,
            &arith::CONSTANT,
            &tensor::EMPTY,
        ]
        .iter()
        .any(|row| ir.is(op, row))
        {
            made.push(op);
        }
    }
    for op in made.into_iter().rev() {
        if ir.is_unused(op) {
            ir.erase_op(op);
        }
    }
}

/// One element of a tensor.
pub(crate) fn extract(b: &mut Builder<'_>, tensor: Value, indices: &[Value]) -> Value {
    let ty = element(b.ir, tensor);
    let operands = [&[tensor], indices].concat();
    b.value(&tensor::EXTRACT, &operands, ty)
}

/// A tensor of rank 0 with this element.
pub(crate) fn from_scalar(b: &mut Builder<'_>, scalar: Value) -> Value {
    let ty = tensor_type(b.ir.context(), &[], b.ir.value_type(scalar));
    b.value(&tensor::FROM_ELEMENTS, &[scalar], ty)
}

/// A map of `n_loops` loops to these dimensions.
pub(crate) fn projection(n_loops: usize, dims: &[usize]) -> AffineMap {
    map(
        n_loops,
        dims.iter()
            .map(|&dim| AffineExpr::Dim(dim as u32))
            .collect(),
    )
}

/// A map of `n_loops` loops.
pub(crate) fn map(n_loops: usize, results: Vec<AffineExpr>) -> AffineMap {
    AffineMap {
        n_dims: n_loops as u32,
        n_symbols: 0,
        results,
    }
}

/// A `linalg.generic` to be.
pub(crate) struct Generic<'v> {
    /// The tensor that is read, and where.
    pub(crate) inputs: Vec<(Value, AffineMap)>,
    /// The tensor that is written or combined with, and where.
    pub(crate) outputs: Vec<(Value, AffineMap)>,
    /// Which loops are parallel; the others reduce.
    pub(crate) parallel: &'v [bool],
}

impl Generic<'_> {
    /// Inserts the operation; `body` gets an element of every input and output and gives one per output.
    pub(crate) fn build(
        self,
        b: &mut Builder<'_>,
        body: &mut dyn FnMut(&mut Builder<'_>, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let context = b.context();
        let (inputs, outputs): (Vec<Value>, Vec<Value>) = (
            self.inputs.iter().map(|input| input.0).collect(),
            self.outputs.iter().map(|output| output.0).collect(),
        );
        let results: Vec<Type> = outputs
            .iter()
            .map(|&value| b.ir.value_type(value))
            .collect();
        let maps: Vec<_> = (self.inputs.into_iter().chain(self.outputs))
            .map(|(_, map)| context.affine_map_attr(map))
            .collect();
        let iterators: Vec<_> = (self.parallel.iter())
            .map(|&parallel| match parallel {
                true => IteratorType::Parallel.to_attr(&context),
                false => IteratorType::Reduction.to_attr(&context),
            })
            .collect();
        let segments = [inputs.len() as i32, outputs.len() as i32];
        let spec = b
            .spec(&linalg::GENERIC)
            .operands(&inputs)
            .operands(&outputs)
            .results(&results)
            .attr(
                Name::OPERAND_SEGMENT_SIZES,
                context.i32_array_attr(&segments),
            )
            .attr(Name::INDEXING_MAPS, context.array_attr(&maps))
            .attr(Name::ITERATOR_TYPES, context.array_attr(&iterators))
            .regions(1);
        let op = b.create(spec);
        let all = inputs.iter().chain(&outputs);
        let arguments: Vec<Type> = all.map(|&value| element(b.ir, value)).collect();
        let region = b.ir.region(op, 0);
        let block = b.ir.append_block(region, &arguments);
        let arguments = b.ir.block_args(block).to_vec();
        let mut inner = b.inside(block);
        let values = body(&mut inner, &arguments);
        inner.op(&linalg::YIELD, &values, &[]);
        b.ir.results(op).to_vec()
    }
}

/// Computes each element of a new tensor of type `ty` from those of `inputs` at the same place.
pub(crate) fn elementwise(
    b: &mut Builder<'_>,
    inputs: &[Value],
    ty: Type,
    body: &mut dyn FnMut(&mut Builder<'_>, &[Value]) -> Value,
) -> Value {
    let rank = b.ir.context().shape(ty).map_or(0, <[i64]>::len);
    let like = inputs
        .iter()
        .copied()
        .find(|&value| shape(b.ir, value).len() == rank);
    let out = match like {
        Some(like) => empty_like(b, ty, like),
        None => empty(b, ty),
    };
    let n_inputs = inputs.len();
    let inputs = inputs.iter().map(|&value| {
        // What has rank 0 is for all.
        let map = match shape(b.ir, value).is_empty() {
            true => map(rank, Vec::new()),
            false => AffineMap::identity(rank),
        };
        (value, map)
    });
    let generic = Generic {
        inputs: inputs.collect(),
        outputs: vec![(out, AffineMap::identity(rank))],
        parallel: &vec![true; rank],
    };
    generic.build(b, &mut |b, arguments| vec![body(b, &arguments[..n_inputs])])[0]
}

/// Reads each element of a new tensor of type `ty`, of known sizes, from where `read` says.
pub(crate) fn moved(b: &mut Builder<'_>, source: Value, ty: Type, read: AffineMap) -> Value {
    let out = empty(b, ty);
    moved_to(b, source, out, read)
}

/// Reads each element of `out` from where `read` says.
pub(crate) fn moved_to(b: &mut Builder<'_>, source: Value, out: Value, read: AffineMap) -> Value {
    let rank = shape(b.ir, out).len();
    let generic = Generic {
        inputs: vec![(source, read)],
        outputs: vec![(out, AffineMap::identity(rank))],
        parallel: &vec![true; rank],
    };
    generic.build(b, &mut |_, arguments| vec![arguments[0]])[0]
}

fn constants(values: &[i64]) -> Vec<MixedIndex> {
    values
        .iter()
        .map(|&value| MixedIndex::Constant(value))
        .collect()
}

/// A part of a tensor of known size.
pub(crate) fn slice(
    b: &mut Builder<'_>,
    source: Value,
    offsets: Vec<MixedIndex>,
    sizes: &[i64],
    strides: &[i64],
) -> Value {
    slice_of(b, source, offsets, constants(sizes), strides)
}

/// `size` elements of a dimension of a tensor of known sizes, from `first` on; the tensor, if that is all.
pub(crate) fn slice_along(
    b: &mut Builder<'_>,
    tensor: Value,
    dim: usize,
    first: i64,
    size: i64,
) -> Value {
    let mut sizes = shape(b.ir, tensor);
    if sizes[dim] == size {
        return tensor;
    }
    let (strides, mut offsets) = (vec![1; sizes.len()], vec![0; sizes.len()]);
    offsets[dim] = first;
    sizes[dim] = size;
    slice(b, tensor, at(&offsets), &sizes, &strides)
}

/// A part of a tensor.
pub(crate) fn slice_of(
    b: &mut Builder<'_>,
    source: Value,
    offsets: Vec<MixedIndex>,
    sizes: Vec<MixedIndex>,
    strides: &[i64],
) -> Value {
    let context = b.context();
    let ty = tensor_type(&context, &static_values(&sizes), element(b.ir, source));
    let part = OffsetSizeStride {
        offsets,
        sizes,
        strides: constants(strides),
    };
    extract_part(b, source, &part, ty)
}

/// `target` with `source` as a part of it.
pub(crate) fn insert_slice(
    b: &mut Builder<'_>,
    source: Value,
    target: Value,
    offsets: Vec<MixedIndex>,
    strides: &[i64],
) -> Value {
    let part = OffsetSizeStride {
        offsets,
        sizes: sizes(b, source),
        strides: constants(strides),
    };
    insert_part(b, source, target, &part)
}

/// This part of a tensor.
pub(crate) fn extract_part(
    b: &mut Builder<'_>,
    source: Value,
    part: &OffsetSizeStride,
    ty: Type,
) -> Value {
    let context = b.context();
    let spec = (b.spec(&tensor::EXTRACT_SLICE))
        .operands(&[source])
        .results(&[ty]);
    let op = b.create(part.append_to(&context, spec));
    b.ir.result(op, 0)
}

/// `target` with `source` as this part.
pub(crate) fn insert_part(
    b: &mut Builder<'_>,
    source: Value,
    target: Value,
    part: &OffsetSizeStride,
) -> Value {
    let context = b.context();
    let ty = b.ir.value_type(target);
    let spec = (b.spec(&tensor::INSERT_SLICE))
        .operands(&[source, target])
        .results(&[ty]);
    let op = b.create(part.append_to(&context, spec));
    b.ir.result(op, 0)
}

/// `tensor.pad` with one element, and a result of type `ty`.
pub(crate) fn pad(
    b: &mut Builder<'_>,
    source: Value,
    low: &[MixedIndex],
    high: &[MixedIndex],
    scalar: Value,
    ty: Type,
) -> Value {
    let context = b.context();
    let spec = b
        .spec(&tensor::PAD)
        .operands(&[source])
        .results(&[ty])
        .regions(1);
    let op = b.create(with_margins(&context, spec, low, high));
    let region = b.ir.region(op, 0);
    let block = b.ir.append_block(region, &vec![Type::INDEX; low.len()]);
    let mut body = b.inside(block);
    body.op(&tensor::YIELD, &[scalar], &[]);
    b.ir.result(op, 0)
}

/// The bytes of a tensor, if its sizes are known.
pub(crate) fn bytes_of(ir: &Ir, tensor: Value) -> Option<u64> {
    let context = ir.context();
    let ty = ir.value_type(tensor);
    let element = context.element_byte_size(context.element_type_or_self(ty))?;
    context.shape(ty)?.iter().try_fold(element, |bytes, &size| {
        bytes.checked_mul(u64::try_from(size).ok()?)
    })
}

/// Known offsets.
pub(crate) fn at(offsets: &[i64]) -> Vec<MixedIndex> {
    constants(offsets)
}

/// For each dimension of the coarser of two shapes with as many elements, the dimensions of the finer
/// one that it is made of; `None` if there is no such relation.
fn reassociation(coarse: &[i64], fine: &[i64]) -> Option<Vec<Vec<i64>>> {
    let mut groups: Vec<Vec<i64>> = Vec::new();
    let mut next = 0;
    for &size in coarse {
        let (mut group, mut product) = (Vec::new(), 1);
        while (group.is_empty() || product < size) && next < fine.len() {
            product *= fine[next];
            group.push(next as i64);
            next += 1;
        }
        if product != size || group.is_empty() {
            return None;
        }
        groups.push(group);
    }
    // What is left has one element, and is part of the last group.
    let rest = next..fine.len();
    if rest.clone().any(|dim| fine[dim] != 1) {
        return None;
    }
    match groups.last_mut() {
        Some(last) => last.extend(rest.map(|dim| dim as i64)),
        None => return None,
    }
    Some(groups)
}

/// The same elements, in order, in another shape. All sizes are known.
pub(crate) fn reshape(b: &mut Builder<'_>, source: Value, to: &[i64]) -> Value {
    let from = shape(b.ir, source);
    if from == to {
        return source;
    }
    let context = b.context();
    let element = element(b.ir, source);
    let ty = tensor_type(&context, to, element);
    if to.is_empty() || (from.len() > to.len() && reassociation(to, &from).is_some()) {
        let groups = reassociation(to, &from).unwrap_or_default();
        return collapse_shape(b, source, &groups, ty);
    }
    if from.is_empty() || (from.len() < to.len() && reassociation(&from, to).is_some()) {
        let groups = reassociation(&from, to).unwrap_or_default();
        return expand_shape(b, source, &groups, &constants(to), ty);
    }
    // By way of one dimension.
    let n: i64 = from.iter().product();
    let flat = match from.len() {
        1 => source,
        _ => {
            let all = (0..from.len() as i64).collect();
            collapse_shape(b, source, &[all], tensor_type(&context, &[n], element))
        }
    };
    match to.len() {
        1 => flat,
        _ => {
            let all = (0..to.len() as i64).collect();
            expand_shape(b, flat, &[all], &constants(to), ty)
        }
    }
}
