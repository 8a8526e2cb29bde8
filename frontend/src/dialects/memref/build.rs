//! Making memref operations from Rust: one function per operation, which
//! fills in attributes and infers result types.

use crate::ir::builder::Builder;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::types::Type;

use super::offset_size_stride::{MixedIndex, OffsetSizeStride, static_values};
use super::{access, alloc, metadata, types, views};
use crate::dialects::shared::assembly;

/// `memref.alloc` of a ranked memref type with these dynamic sizes.
pub fn alloc(b: &mut Builder<'_>, ty: Type, dynamic_sizes: &[Value]) -> Value {
    alloc_like(b, &alloc::ALLOC, ty, dynamic_sizes)
}

/// `memref.alloca` of a ranked memref type with these dynamic sizes.
pub fn alloca(b: &mut Builder<'_>, ty: Type, dynamic_sizes: &[Value]) -> Value {
    alloc_like(b, &alloc::ALLOCA, ty, dynamic_sizes)
}

fn alloc_like(
    b: &mut Builder<'_>,
    def: &'static crate::ir::op_def::OpDef,
    ty: Type,
    dynamic_sizes: &[Value],
) -> Value {
    let context = b.context();
    let mut spec = b.spec(def).operands(dynamic_sizes).results(&[ty]);
    assembly::set_segments(&context, &mut spec, &[dynamic_sizes.len(), 0]);
    let op = b.create(spec);
    b.ir.result(op, 0)
}

/// `memref.dealloc`
pub fn dealloc(b: &mut Builder<'_>, memref: Value) -> Op {
    b.op(&alloc::DEALLOC, &[memref], &[])
}

/// `memref.copy`
pub fn copy(b: &mut Builder<'_>, source: Value, target: Value) -> Op {
    b.op(&access::COPY, &[source, target], &[])
}

/// `memref.load`
pub fn load(b: &mut Builder<'_>, memref: Value, indices: &[Value]) -> Value {
    let element = b.ir.context().element_type_or_self(b.ir.value_type(memref));
    let operands = [&[memref], indices].concat();
    b.value(&access::LOAD, &operands, element)
}

/// `memref.store`
pub fn store(b: &mut Builder<'_>, value: Value, memref: Value, indices: &[Value]) -> Op {
    let operands = [&[value, memref], indices].concat();
    b.op(&access::STORE, &operands, &[])
}

/// `memref.cast`
pub fn cast(b: &mut Builder<'_>, source: Value, ty: Type) -> Value {
    b.value(&views::CAST, &[source], ty)
}

/// `memref.dim` of the dimension that `index`, a value of type index, names.
pub fn dim(b: &mut Builder<'_>, source: Value, index: Value) -> Value {
    b.value(&metadata::DIM, &[source, index], Type::INDEX)
}

/// `memref.subview`; `ty` is the type without rank reduction unless given.
///
/// # Panics
/// If the source is no strided memref of the rank of the lists.
pub fn subview(
    b: &mut Builder<'_>,
    source: Value,
    lists: &OffsetSizeStride,
    ty: Option<Type>,
) -> Value {
    let context = b.context();
    let ty = ty.unwrap_or_else(|| {
        let memref = types::infer_subview_type(
            &context,
            assembly::memref_of(b.ir, source),
            &static_values(&lists.offsets),
            &static_values(&lists.sizes),
            &static_values(&lists.strides),
        );
        context.memref_type(memref.expect("the lists fit the strided source"))
    });
    let spec = b.spec(&views::SUBVIEW).operands(&[source]).results(&[ty]);
    let op = b.create(lists.append_to(&context, spec));
    b.ir.result(op, 0)
}

/// `memref.reinterpret_cast`
pub fn reinterpret_cast(
    b: &mut Builder<'_>,
    source: Value,
    offset: MixedIndex,
    sizes: &[MixedIndex],
    strides: &[MixedIndex],
    ty: Type,
) -> Value {
    let context = b.context();
    // Code that does not run may have negative numbers, which the operation itself must not.
    let mut allowed = |index: MixedIndex| match index {
        MixedIndex::Constant(number) if number < 0 => MixedIndex::Value(index.materialize(b)),
        _ => index,
    };
    let lists = OffsetSizeStride {
        offsets: vec![allowed(offset)],
        sizes: sizes.iter().map(|&size| allowed(size)).collect(),
        strides: strides.to_vec(),
    };
    let spec = b
        .spec(&views::REINTERPRET_CAST)
        .operands(&[source])
        .results(&[ty]);
    let op = b.create(lists.append_to(&context, spec));
    b.ir.result(op, 0)
}

/// `memref.collapse_shape` with a result of type `ty`
pub fn collapse_shape(b: &mut Builder<'_>, source: Value, groups: &[Vec<i64>], ty: Type) -> Value {
    let groups = assembly::reassociation_attr(&b.context(), groups);
    let def = &super::reshape::COLLAPSE_SHAPE;
    b.value_with_attr(def, &[source], ty, Name::REASSOCIATION, groups)
}

/// `memref.extract_strided_metadata`
///
/// # Panics
/// If the source is no ranked memref.
pub fn extract_strided_metadata(
    b: &mut Builder<'_>,
    source: Value,
) -> metadata::ExtractStridedMetadata {
    let results = types::strided_metadata_types(&b.context(), assembly::memref_of(b.ir, source));
    let op = b.op(&metadata::EXTRACT_STRIDED_METADATA, &[source], &results);
    metadata::ExtractStridedMetadata(op)
}

/// `memref.get_global`
pub fn get_global(b: &mut Builder<'_>, name: &str, ty: Type) -> Value {
    let symbol = b.ir.context().symbol_ref_attr(name);
    b.value_with_attr(&super::global::GET_GLOBAL, &[], ty, Name::NAME, symbol)
}
