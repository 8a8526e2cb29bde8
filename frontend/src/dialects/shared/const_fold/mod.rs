//! Folding of constants: scalars, splats and dense elements seen as bit
//! patterns, for the fold functions of arith, math, index and others.
//!
//! A pattern is zero-extended to 128 bits; wider integers are not folded.

pub mod float;

use smallvec::SmallVec;

use crate::ir::attrs::{Attr, AttrKind, DenseElements};
use crate::ir::context::Context;
use crate::ir::entities::Value;
use crate::ir::op_def::{FoldResult, FoldResults};
use crate::ir::types::{DYNAMIC, FloatKind, Type, TypeKind};

/// The result of a fold that did nothing.
pub fn no_fold() -> FoldResults {
    FoldResults::new()
}

/// Folds the only result to an existing value.
pub fn to_value(value: Value) -> FoldResults {
    SmallVec::from_slice(&[FoldResult::Value(value)])
}

/// Folds the only result to a constant, if there is one.
pub fn to_attr(attr: Option<Attr>) -> FoldResults {
    attr.map(FoldResult::Attr).into_iter().collect()
}

/// An integer of up to 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Int {
    /// The pattern, zero-extended.
    pub bits: u128,
    /// Width in bits.
    pub width: u32,
}

impl Int {
    /// The value read as unsigned.
    pub fn unsigned(self) -> u128 {
        self.bits
    }

    /// The value read as signed.
    pub fn signed(self) -> i128 {
        let shift = 128 - self.width.clamp(1, 128);
        (self.bits as i128) << shift >> shift
    }

    /// The pattern of all ones.
    pub fn all_ones(self) -> u128 {
        mask(self.width)
    }

    /// The pattern of the smallest signed number.
    pub fn signed_min(self) -> u128 {
        1 << (self.width.clamp(1, 128) - 1)
    }

    /// Whether this is the smallest signed number.
    pub fn is_signed_min(self) -> bool {
        self.bits == self.signed_min()
    }

    /// Whether this is the largest signed number.
    pub fn is_signed_max(self) -> bool {
        self.bits == self.signed_min() - 1
    }
}

/// All ones in the low `width` bits.
pub fn mask(width: u32) -> u128 {
    if width == 0 {
        0
    } else {
        u128::MAX >> (128 - width.min(128))
    }
}

/// The width of numbers of this type, if they can be folded.
pub fn number_width(context: &Context, ty: Type) -> Option<u32> {
    let width = match context.type_kind(ty) {
        TypeKind::Float(kind) => kind.width(),
        _ => context.integer_width(ty)?,
    };
    (width <= 128).then_some(width)
}

/// The numbers of a constant.
enum Numbers<'a> {
    /// One for all, or a scalar.
    Same(u128),
    /// Elements of this many bytes.
    Each(&'a [u8], usize),
}

impl Numbers<'_> {
    fn get(&self, index: usize) -> u128 {
        match self {
            Self::Same(bits) => *bits,
            Self::Each(bytes, size) => read(&bytes[index * size..][..*size]),
        }
    }
}

fn read(bytes: &[u8]) -> u128 {
    let mut padded = [0; 16];
    let n = bytes.len().min(16);
    padded[..n].copy_from_slice(&bytes[..n]);
    u128::from_le_bytes(padded)
}

/// Bytes of one element in a dense attribute.
fn element_size(context: &Context, element: Type) -> Option<usize> {
    number_width(context, element)?;
    usize::try_from(context.element_byte_size(element)?).ok()
}

/// Reads a constant: its numbers and their type.
fn numbers(context: &Context, attr: Attr) -> Option<(Numbers<'_>, Type)> {
    match context.attr_kind(attr) {
        AttrKind::Integer { ty, value } => {
            let width = number_width(context, *ty)?;
            Some((Numbers::Same(*value as u128 & mask(width)), *ty))
        }
        AttrKind::Float { ty, bits } => Some((Numbers::Same(*bits), *ty)),
        AttrKind::DenseElements(dense) => {
            let element = context.element_type_or_self(dense.ty);
            let size = element_size(context, element)?;
            let width = number_width(context, element)?;
            if dense.splat {
                let bits = read(dense.bytes.get(..size)?) & mask(width);
                return Some((Numbers::Same(bits), element));
            }
            Some((Numbers::Each(&dense.bytes, size), element))
        }
        _ => None,
    }
}

/// The number of elements of a static shape.
fn n_elements(context: &Context, ty: Type) -> Option<usize> {
    context.shape(ty)?.iter().try_fold(1usize, |n, &size| {
        n.checked_mul(usize::try_from(size).ok()?)
    })
}

/// A number attribute of scalar type `ty`.
pub fn scalar_attr(context: &Context, ty: Type, bits: u128) -> Attr {
    match context.type_kind(ty) {
        TypeKind::Float(kind) => context.intern_attr(AttrKind::Float {
            ty,
            bits: bits & mask(kind.width()),
        }),
        _ => context.integer_attr(ty, bits as i128),
    }
}

/// The attribute of type `ty`, a scalar or a static shape, whose numbers are
/// all `bits`; `None` if there is no such attribute.
pub fn splat_attr(context: &Context, ty: Type, bits: u128) -> Option<Attr> {
    let element = context.element_type_or_self(ty);
    let width = number_width(context, element)?;
    if element == ty {
        return Some(scalar_attr(context, ty, bits));
    }
    if context.shape(ty)?.contains(&DYNAMIC) {
        return None;
    }
    let size = element_size(context, element)?;
    Some(context.intern_attr(AttrKind::DenseElements(DenseElements {
        ty,
        splat: true,
        bytes: (bits & mask(width)).to_le_bytes()[..size].into(),
    })))
}

/// The constant zero of a type.
pub fn zero_attr(context: &Context, ty: Type) -> Option<Attr> {
    splat_attr(context, ty, 0)
}

/// Applies `f` to the numbers of constants, element by element; the result has
/// type `result`. `None` where an operand is no constant, or `f` fails.
pub fn fold_elements(
    context: &Context,
    operands: &[Option<Attr>],
    result: Type,
    mut f: impl FnMut(&[u128]) -> Option<u128>,
) -> Option<Attr> {
    let mut inputs: SmallVec<[Numbers<'_>; 3]> = SmallVec::new();
    for operand in operands {
        inputs.push(numbers(context, (*operand)?)?.0);
    }
    let mut values: SmallVec<[u128; 3]> = SmallVec::new();
    if inputs.iter().all(|input| matches!(input, Numbers::Same(_))) {
        values.extend(inputs.iter().map(|input| input.get(0)));
        return splat_attr(context, result, f(&values)?);
    }
    dense_attr(context, result, |index| {
        values.clear();
        values.extend(inputs.iter().map(|input| input.get(index)));
        f(&values)
    })
}

/// The number at this place of a constant, in the order of its elements.
pub fn element(context: &Context, attr: Attr, index: usize) -> Option<u128> {
    Some(numbers(context, attr)?.0.get(index))
}

/// The attribute of type `ty`, a static shape, with these numbers in the order of its elements. `None` where there is no
/// such attribute, or no number.
pub fn dense_attr(
    context: &Context,
    ty: Type,
    mut number: impl FnMut(usize) -> Option<u128>,
) -> Option<Attr> {
    let element = context.element_type_or_self(ty);
    let (n, size) = (n_elements(context, ty)?, element_size(context, element)?);
    let width = number_width(context, element)?;
    let mut bytes = Vec::with_capacity(n * size);
    for index in 0..n {
        let bits = number(index)? & mask(width);
        bytes.extend_from_slice(&bits.to_le_bytes()[..size]);
    }
    // Equal attributes have one form: all-equal elements are a splat.
    let (first, rest) = bytes.split_at(size.min(bytes.len()));
    let splat = n > 0 && rest.chunks(size).all(|chunk| chunk == first);
    if splat {
        bytes.truncate(size);
    }
    Some(context.intern_attr(AttrKind::DenseElements(DenseElements {
        ty,
        splat,
        bytes: bytes.into(),
    })))
}

/// The integer that all numbers of a constant are.
pub fn splat_int(context: &Context, attr: Option<Attr>) -> Option<Int> {
    match numbers(context, attr?)? {
        (Numbers::Same(bits), ty) => {
            let width = context.integer_width(ty)?;
            Some(Int { bits, width })
        }
        (Numbers::Each(..), _) => None,
    }
}

/// The float pattern that all numbers of a constant are, and its format.
pub fn splat_float(context: &Context, attr: Option<Attr>) -> Option<(u128, FloatKind)> {
    match numbers(context, attr?)? {
        (Numbers::Same(bits), ty) => Some((bits, context.float_kind(ty)?)),
        (Numbers::Each(..), _) => None,
    }
}

/// Whether all numbers of a constant are the integer `value`.
pub fn is_int(context: &Context, attr: Option<Attr>, value: u128) -> bool {
    splat_int(context, attr).is_some_and(|int| int.bits == value)
}

/// Whether all numbers of a constant are integers of all ones.
pub fn is_all_ones(context: &Context, attr: Option<Attr>) -> bool {
    splat_int(context, attr).is_some_and(|int| int.width > 0 && int.bits == int.all_ones())
}

/// Whether all numbers of a constant are floats that satisfy `accepts`.
pub fn is_float(context: &Context, attr: Option<Attr>, accepts: impl FnOnce(f64) -> bool) -> bool {
    splat_float(context, attr)
        .and_then(|(bits, kind)| float::decode(kind, bits))
        .is_some_and(accepts)
}

/// Whether `attr` is `#ub.poison`.
pub fn is_poison(context: &Context, attr: Option<Attr>) -> bool {
    attr.is_some_and(|attr| match context.attr_kind(attr) {
        AttrKind::Dialect { dialect, body, .. } => {
            context.name(*dialect) == "ub" && &**body == "poison"
        }
        _ => false,
    })
}

/// The poison among `operands`, which results of elementwise operations then are.
pub fn poison(context: &Context, operands: &[Option<Attr>]) -> Option<Attr> {
    operands
        .iter()
        .copied()
        .find(|&attr| is_poison(context, attr))
        .flatten()
}

/// [`fold_elements`] of integers, poison included. `width` is that of the operands.
pub fn fold_ints<const N: usize>(
    context: &Context,
    operands: &[Option<Attr>],
    operand_type: Type,
    result: Type,
    mut f: impl FnMut([Int; N]) -> Option<u128>,
) -> Option<Attr> {
    if let Some(poison) = poison(context, operands) {
        return Some(poison);
    }
    let width = number_width(context, context.element_type_or_self(operand_type))?;
    fold_elements(context, operands, result, |values| {
        let values: [u128; N] = values.try_into().ok()?;
        f(values.map(|bits| Int { bits, width }))
    })
}

/// [`fold_elements`] of floats of one format, poison included. NaN operands
/// come out first and quiet, as upstream's arithmetic does it; `f` sees numbers.
pub fn fold_floats<const N: usize>(
    context: &Context,
    operands: &[Option<Attr>],
    ty: Type,
    mut f: impl FnMut([f64; N]) -> f64,
) -> Option<Attr> {
    if let Some(poison) = poison(context, operands) {
        return Some(poison);
    }
    let kind = context.float_kind(context.element_type_or_self(ty))?;
    fold_elements(context, operands, ty, |values| {
        for &bits in values {
            if float::is_nan(kind, bits)? {
                return float::quiet_nan(kind, bits);
            }
        }
        let values: [u128; N] = values.try_into().ok()?;
        let mut numbers = [0.0; N];
        for (number, bits) in numbers.iter_mut().zip(values) {
            *number = float::decode(kind, bits)?;
        }
        let result = f(numbers);
        if result.is_nan() {
            return float::default_nan(kind);
        }
        Some(float::encode(kind, result)?.0)
    })
}
