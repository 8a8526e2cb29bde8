//! How the elements of dense attributes are laid out: in the IR (each in a
//! power of two of bytes) and in the text's hexadecimal blobs (packed as
//! upstream stores them).

use crate::ir::attrs::{Attr, AttrKind, DenseElements};
use crate::ir::bytes::Bytes;
use crate::ir::context::Context;
use crate::ir::types::{Type, TypeKind};

/// Bytes one element takes in the IR.
pub(crate) fn element_bytes(context: &Context, ty: Type) -> usize {
    context.element_byte_size(ty).unwrap_or(1) as usize
}

/// Bytes one element takes in a blob.
fn blob_bytes(context: &Context, ty: Type) -> usize {
    match context.type_kind(ty) {
        TypeKind::Integer { width, .. } => width.div_ceil(8).max(1) as usize,
        TypeKind::Float(kind) => kind.width().div_ceil(8) as usize,
        TypeKind::Complex(part) => 2 * blob_bytes(context, *part),
        _ => 8,
    }
}

/// Appends the low `n_bytes` bytes of `bits`.
pub(crate) fn push_bytes(out: &mut Vec<u8>, bits: u128, n_bytes: usize) {
    let bytes = bits.to_le_bytes();
    let n_stored = n_bytes.min(bytes.len());
    out.extend_from_slice(&bytes[..n_stored]);
    out.resize(out.len() + n_bytes - n_stored, 0);
}

/// Appends an integer of `width` bits, zero-extended to `n_bytes` bytes.
pub(crate) fn push_integer(out: &mut Vec<u8>, value: i128, width: u32, n_bytes: usize) {
    if width < 128 {
        let bits = value as u128 & ((1 << width) - 1);
        push_bytes(out, bits, n_bytes);
        return;
    }
    let start = out.len();
    push_bytes(out, value as u128, n_bytes);
    if value < 0 {
        let n_full = width as usize / 8;
        out[start + 16..start + n_full].fill(0xff);
        if !width.is_multiple_of(8) {
            out[start + n_full] = (1 << (width % 8)) - 1;
        }
    }
}

/// A dense attribute; equal elements make a splat, as upstream does.
pub(crate) fn dense_attr(
    context: &Context,
    ty: Type,
    bytes: impl Into<Bytes>,
    element_size: usize,
) -> Attr {
    let mut bytes = bytes.into();
    let splat = match bytes.get(..element_size) {
        Some(first) if element_size > 0 => bytes
            .chunks_exact(element_size)
            .all(|element| element == first),
        _ => false,
    };
    if splat {
        bytes = Bytes::from(&bytes[..element_size]);
    }
    context.intern_attr(AttrKind::DenseElements(DenseElements { ty, splat, bytes }))
}

/// The elements a blob holds, and whether it is one that stands for all.
/// `None` if its size does not fit the type. Where elements are the same in both, they are shared.
pub(crate) fn from_blob(
    context: &Context,
    element: Type,
    n_elements: u64,
    raw: Bytes,
) -> Option<(Bytes, bool)> {
    if element == Type::I1 {
        // MLIR up to 22 packs booleans, eight to a byte; later versions write a byte for each. What
        // could be either is packed.
        if n_elements > 1 && raw.len() == 1 && matches!(raw[0], 0 | 0xff) {
            return Some((vec![raw[0] & 1].into(), true));
        }
        if raw.len() as u64 != n_elements.div_ceil(8) {
            let are_bytes = raw.iter().all(|&byte| byte <= 1);
            let splat = n_elements > 1 && raw.len() == 1;
            let fits = splat || raw.len() as u64 == n_elements;
            return (are_bytes && fits).then_some((raw, splat));
        }
        let bit = |i: u64| raw[(i / 8) as usize] >> (i % 8) & 1;
        return Some(((0..n_elements).map(bit).collect(), false));
    }
    let packed = blob_bytes(context, element);
    let splat = n_elements > 1 && raw.len() == packed;
    if !splat && raw.len() as u64 != n_elements.checked_mul(packed as u64)? {
        return None;
    }
    let (part_packed, part_size) = part_sizes(context, element);
    if part_packed == part_size {
        return Some((raw, splat));
    }
    let mut out = Vec::with_capacity(raw.len() / part_packed * part_size);
    for part in raw.chunks_exact(part_packed) {
        out.extend_from_slice(part);
        out.resize(out.len() + part_size - part_packed, 0);
    }
    Some((out.into(), splat))
}

/// The bytes of a blob for these elements.
pub(crate) fn to_blob(context: &Context, element: Type, bytes: &[u8]) -> Vec<u8> {
    if element == Type::I1 {
        let mut out = vec![0; bytes.len().div_ceil(8)];
        for (i, &byte) in bytes.iter().enumerate() {
            out[i / 8] |= (byte & 1) << (i % 8);
        }
        return out;
    }
    let (part_packed, part_size) = part_sizes(context, element);
    bytes
        .chunks_exact(part_size)
        .flat_map(|part| &part[..part_packed])
        .copied()
        .collect()
}

/// [`to_blob`], shared where elements are the same in both.
pub(crate) fn to_shared_blob(context: &Context, element: Type, bytes: &Bytes) -> Bytes {
    let (part_packed, part_size) = part_sizes(context, element);
    match element != Type::I1 && part_packed == part_size {
        true => bytes.clone(),
        false => to_blob(context, element, bytes).into(),
    }
}

/// Sizes of an element, or of the halves of a complex one: in a blob, in the IR.
fn part_sizes(context: &Context, element: Type) -> (usize, usize) {
    let part = match context.type_kind(element) {
        TypeKind::Complex(part) => *part,
        _ => element,
    };
    (blob_bytes(context, part), element_bytes(context, part))
}
