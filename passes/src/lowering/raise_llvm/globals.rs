//! Variables of a module: their first value as bytes, with addresses of other variables in between.

use freehold_frontend::dialects::llvm::types::{self, LlvmType};
use freehold_frontend::dialects::{llvm, memref};
use freehold_frontend::ir::attrs::{Attr, AttrKind, DenseElements};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{MemRefType, Type, TypeKind};
use freehold_frontend::syntax::metadata;

/// Larger variables are not computed from a region.
const MAX_BYTES: u64 = 1 << 30;

/// Where a variable begins with the address of another one: the offset in bytes, the name of the other, and the distance
/// from its beginning.
struct Address {
    offset: u64,
    name: String,
    distance: i64,
}

/// Replaces a variable by a `memref.global` of bytes. Returns its name and the type of that.
pub(super) fn raise(
    ir: &mut Ir,
    op: Op,
    diagnostics: &mut Diagnostics,
) -> Result<(String, Type), Failed> {
    let context = ir.context().clone();
    let loc = ir.loc(op);
    let mut fail = |what: &str| {
        let message = format!("'llvm.mlir.global' op {what}");
        Err(diagnostics.error(loc, message))
    };
    let name = ir.symbol_name(op).unwrap_or_default().to_owned();
    if ir.has_attr(op, Name::THREAD_LOCAL_) {
        return fail("is one variable for each thread ('thread_local'), which is not supported");
    }
    let ty = ir.attr(op, Name::GLOBAL_TYPE);
    let ty = ty
        .and_then(|attr| context.attr_type(attr))
        .unwrap_or(Type::NONE);
    let layout = types::layout(&context, ty).filter(|layout| layout.size <= MAX_BYTES);
    let Some(layout) = layout else {
        return fail("has a type whose size is not known");
    };
    let linkage = ir.attr(op, Name::LINKAGE);
    let linkage = linkage.and_then(|attr| llvm::attributes::linkage(&context, attr));
    let is_private = matches!(linkage, Some("private" | "internal"));
    let alignment = ir.attr(op, Name::ALIGNMENT);
    let alignment = alignment.and_then(|attr| context.attr_integer(attr));
    let alignment = alignment.unwrap_or(0).max(i128::from(layout.alignment));
    // A memref of nothing has no address.
    let size = layout.size.max(1);
    let memref = context.memref_type(MemRefType::identity(&[size as i64], Type::I8));
    let mut spec = OpSpec::new(&memref::GLOBAL, loc)
        .attr(Name::SYM_NAME, context.string_attr(&name))
        .attr(Name::TYPE, context.type_attr(memref))
        .attr(Name::ALIGNMENT, context.integer_attr(Type::I64, alignment));
    if is_private {
        spec.set_attr(Name::SYM_VISIBILITY, context.string_attr("private"));
    }
    let mut addresses = Vec::new();
    let mut bytes = vec![0u8; size as usize];
    let value = ir.attr(op, Name::VALUE);
    let has_region = ir.entry_block(ir.region(op, 0)).is_some();
    let known = match value {
        Some(value) => write_attr(ir, ty, value, &mut bytes),
        None if has_region => {
            let block = ir.entry_block(ir.region(op, 0));
            let end = block.and_then(|block| ir.terminator(block));
            let value = end.and_then(|end| ir.operands(end).first().copied());
            value.and_then(|value| write_value(ir, value, 0, &mut bytes, &mut addresses))
        }
        // It is defined elsewhere.
        None => Some(()),
    };
    if known.is_none() {
        let resource = value.map(|value| context.attr_kind(value));
        if let Some(AttrKind::DenseResource { key, .. }) = resource {
            return fail(&format!(
                "begins with the resource '{key}', which the file does not have in this size"
            ));
        }
        return fail(
            "begins with a value that is not known before the program runs, such as the address of a function",
        );
    }
    if addresses.is_empty() {
        if ir.has_attr(op, Name::CONSTANT) {
            spec.set_attr(Name::CONSTANT, Attr::UNIT);
        }
    } else {
        // Whoever loads the program writes them: they are in memory that can be written to.
        let integer = |value| context.integer_attr(Type::I64, value);
        let entries = addresses.iter().map(|address| {
            let name = context.symbol_ref_attr(&address.name);
            context.array_attr(&[
                integer(i128::from(address.offset)),
                name,
                integer(i128::from(address.distance)),
            ])
        });
        let entries: Vec<_> = entries.collect();
        let entries = context.array_attr(&entries);
        spec.set_attr(context.intern_name(memref::ADDRESSES_ATTR), entries);
    }
    if value.is_some() || has_region || is_private {
        let elements = context.intern_type(TypeKind::RankedTensor {
            shape: Box::new([size as i64]),
            element: Type::I8,
            encoding: None,
        });
        let splat = bytes.iter().all(|&byte| byte == bytes[0]);
        bytes.truncate(if splat { 1 } else { bytes.len() });
        let dense = context.intern_attr(AttrKind::DenseElements(DenseElements {
            ty: elements,
            splat,
            bytes: bytes.into(),
        }));
        spec.set_attr(Name::INITIAL_VALUE, dense);
    }
    let new = ir.create_op(spec);
    ir.insert_op_before(op, new);
    ir.erase_op(op);
    Ok((name, memref))
}

/// The scalars that values of `ty` are made of, in order, with the distance of each from the beginning.
fn scalars(context: &Context, ty: Type, at: u64, out: &mut Vec<(u64, Type)>) -> Option<()> {
    match types::of(context, ty) {
        Some(LlvmType::Struct {
            packed, members, ..
        }) => {
            let members = members?;
            let (offsets, _) = types::struct_layout(context, &members, packed)?;
            for (member, offset) in members.into_iter().zip(offsets) {
                scalars(context, member, at + offset, out)?;
            }
        }
        Some(LlvmType::Array(n, element)) => {
            let size = types::layout(context, element)?.size;
            for i in 0..n {
                scalars(context, element, at + i * size, out)?;
            }
        }
        Some(LlvmType::Pointer(_)) => out.push((at, ty)),
        Some(_) => return None,
        None => match context.type_kind(ty) {
            TypeKind::Vector { shape, element, .. } => {
                let size = types::layout(context, *element)?.size;
                // Elements of other sizes are packed.
                context
                    .element_byte_size(*element)
                    .filter(|&bytes| bytes == size && *element != Type::I1)?;
                let n = shape.iter().product::<i64>();
                out.extend((0..n as u64).map(|i| (at + i * size, *element)));
            }
            _ => out.push((at, ty)),
        },
    }
    Some(())
}

/// Writes the little end of `bits` to where a scalar of type `ty` is.
fn write_scalar(context: &Context, ty: Type, at: u64, bits: u128, out: &mut [u8]) -> Option<()> {
    let size = types::layout(context, ty)?.size as usize;
    let width = context.integer_width(ty).unwrap_or(128).min(128);
    let bits = bits & (u128::MAX >> (128 - width));
    let at = usize::try_from(at).ok()?;
    let bytes = bits.to_le_bytes();
    out.get_mut(at..at + size)?.copy_from_slice(&bytes[..size]);
    Some(())
}

/// Writes elements of the tensor or vector type `ty`, or one for all, to the scalars that are there.
fn write_elements(
    context: &Context,
    places: &[(u64, Type)],
    ty: Type,
    splat: bool,
    bytes: &[u8],
    out: &mut [u8],
) -> Option<()> {
    let element = context.element_type_or_self(ty);
    let size = usize::try_from(context.element_byte_size(element)?).ok()?;
    let n = context.shape(ty)?.iter().product::<i64>();
    if n != places.len() as i64 {
        return None;
    }
    for (i, &(at, ty)) in places.iter().enumerate() {
        let from = if splat { 0 } else { i * size };
        let mut scalar = [0; 16];
        let element = bytes.get(from..from + size)?;
        scalar.get_mut(..size)?.copy_from_slice(element);
        write_scalar(context, ty, at, u128::from_le_bytes(scalar), out)?;
    }
    Some(())
}

/// Writes a value that is given as an attribute.
fn write_attr(ir: &Ir, ty: Type, value: Attr, out: &mut [u8]) -> Option<()> {
    let context = ir.context();
    let mut places = Vec::new();
    scalars(context, ty, 0, &mut places)?;
    match context.attr_kind(value) {
        AttrKind::Integer { value, .. } => {
            let [(at, ty)] = places[..] else { return None };
            write_scalar(context, ty, at, *value as u128, out)
        }
        AttrKind::Float { bits, .. } => {
            let [(at, ty)] = places[..] else { return None };
            write_scalar(context, ty, at, *bits, out)
        }
        AttrKind::String(text) => {
            out.get_mut(..text.len())?.copy_from_slice(text);
            Some(())
        }
        AttrKind::DenseElements(dense) => {
            write_elements(context, &places, dense.ty, dense.splat, &dense.bytes, out)
        }
        AttrKind::DenseResource { ty, key } => {
            let bytes = metadata::blob(ir, key)?;
            write_elements(context, &places, *ty, false, bytes, out)
        }
        AttrKind::Array(members) => {
            let types = types::members(context, ty)?;
            (types.len() == members.len()).then_some(())?;
            let offsets = offsets(context, ty)?;
            for ((&member, ty), at) in members.iter().zip(types).zip(offsets) {
                write_attr(ir, ty, member, out.get_mut(usize::try_from(at).ok()?..)?)?;
            }
            Some(())
        }
        _ => None,
    }
}

/// Where the members of an aggregate lie.
fn offsets(context: &Context, ty: Type) -> Option<Vec<u64>> {
    match types::of(context, ty)? {
        LlvmType::Struct {
            packed, members, ..
        } => Some(types::struct_layout(context, &members?, packed)?.0),
        LlvmType::Array(n, element) => {
            let size = types::layout(context, element)?.size;
            Some((0..n).map(|i| i * size).collect())
        }
        _ => None,
    }
}

/// Writes a value that a region computes to `out`, this many bytes behind the beginning of the variable.
fn write_value(
    ir: &Ir,
    value: Value,
    offset: u64,
    out: &mut [u8],
    addresses: &mut Vec<Address>,
) -> Option<()> {
    let context = ir.context();
    let op = ir.defining_op(value)?;
    let ty = ir.value_type(value);
    if ir.is(op, &llvm::ZERO) || ir.is(op, &llvm::UNDEF) || ir.is(op, &llvm::POISON) {
        return Some(());
    }
    if ir.is(op, &llvm::CONSTANT) {
        return write_attr(ir, ty, ir.attr(op, Name::VALUE)?, out);
    }
    if ir.is(op, &llvm::ADDRESS_OF) || ir.is(op, &llvm::GEP) {
        let (name, distance) = address(ir, op)?;
        addresses.push(Address {
            offset,
            name,
            distance,
        });
        return Some(());
    }
    if !ir.is(op, &llvm::INSERT_VALUE) {
        return None;
    }
    write_value(ir, ir.operand(op, 0), offset, out, addresses)?;
    let (mut at, mut member) = (0, ty);
    for index in llvm::position(ir, op) {
        at += offsets(context, member)?.get(usize::try_from(index).ok()?)?;
        member = types::member(context, member, index)?;
    }
    let size = types::layout(context, member)?.size;
    let place = offset + at..offset + at + size;
    addresses.retain(|address| !place.contains(&address.offset));
    let at = usize::try_from(at).ok()?;
    let out = out.get_mut(at..at + usize::try_from(size).ok()?)?;
    out.fill(0);
    write_value(ir, ir.operand(op, 1), place.start, out, addresses)
}

/// The variable of this module that a pointer points to, and how far behind its beginning.
fn address(ir: &Ir, op: Op) -> Option<(String, i64)> {
    let context = ir.context();
    if ir.is(op, &llvm::ADDRESS_OF) {
        let name = llvm::symbol(ir, op)?;
        let is_here = |other: Op| {
            let is_defined = match ir.is(other, &llvm::GLOBAL) {
                true => {
                    ir.has_attr(other, Name::VALUE) || ir.entry_block(ir.region(other, 0)).is_some()
                }
                false => ir.has_attr(other, Name::INITIAL_VALUE),
            };
            is_defined && ir.symbol_name(other) == Some(name)
        };
        let mut others = ir
            .root_block()
            .into_iter()
            .flat_map(|block| ir.ops_in(block));
        return others.any(is_here).then(|| (name.to_owned(), 0));
    }
    if !ir.is(op, &llvm::GEP) {
        return None;
    }
    let (name, mut distance) = address(ir, ir.defining_op(ir.operand(op, 0))?)?;
    let mut ty = context.attr_type(ir.attr(op, Name::ELEM_TYPE)?)?;
    for (number, index) in llvm::gep_indices(ir, op).into_iter().enumerate() {
        let llvm::GepIndex::Constant(index) = index else {
            return None;
        };
        distance += if number == 0 {
            let size = i64::try_from(types::layout(context, ty)?.size).ok()?;
            size.checked_mul(index.into())?
        } else {
            let place = usize::try_from(index).ok()?;
            let offset = *offsets(context, ty)?.get(place)?;
            ty = types::member(context, ty, index.into())?;
            i64::try_from(offset).ok()?
        };
    }
    Some((name, distance))
}
