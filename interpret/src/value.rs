//! What SSA values are while a program is interpreted.
//!
//! A number is its bit pattern, or it is undefined: poison, or read from memory that nothing was written to.
//! Vectors and tensors are lists of numbers that copies share. A memref is a descriptor with addresses of the
//! interpreter's own memory (`memory`).

use std::rc::Rc;

use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::types::{DYNAMIC, FloatKind, Type, TypeKind};

use crate::machine::Res;

/// A number: bits in the format of its type, or the reason why there are none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// The bit pattern; a complex number has its real part in the lower half.
    Bits(u128),
    /// Poison; the number says where it comes from.
    Poison(u32),
    /// Read from memory that was never written; the number is that of the allocation.
    Uninit(u32),
}

impl Scalar {
    /// The bits, if it is defined.
    pub fn bits(self) -> Option<u128> {
        match self {
            Self::Bits(bits) => Some(bits),
            _ => None,
        }
    }
}

/// The elements of a vector or a tensor, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Sizes.
    pub shape: Vec<i64>,
    /// Elements.
    pub elements: Vec<Scalar>,
}

/// A memref: where its memory was allocated, where its elements begin, and how they lie.
#[derive(Clone, Debug, PartialEq)]
pub struct MemRef {
    /// The address that was allocated.
    pub allocated: u64,
    /// The address that offsets count from.
    pub aligned: u64,
    /// Distance of the first element, in elements.
    pub offset: i64,
    /// Sizes.
    pub sizes: Vec<i64>,
    /// Strides, in elements.
    pub strides: Vec<i64>,
}

/// An SSA value.
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// Not computed yet.
    #[default]
    Unset,
    /// A number or a pointer.
    Scalar(Scalar),
    /// A vector or a tensor.
    Array(Rc<Array>),
    /// A memref, ranked or not.
    MemRef(Rc<MemRef>),
    /// A function.
    Function(Rc<str>),
    /// A tuple, a structure or an array of the llvm dialect.
    Tuple(Rc<Vec<Value>>),
    /// Something without contents.
    Token,
}

impl Value {
    /// The number with these bits.
    pub fn bits(bits: u128) -> Self {
        Self::Scalar(Scalar::Bits(bits))
    }

    /// An index.
    pub fn index(value: i64) -> Self {
        Self::bits(u128::from(value as u64))
    }

    /// `true` or `false`.
    pub fn bool(value: bool) -> Self {
        Self::bits(value.into())
    }

    /// A vector or a tensor.
    pub fn array(shape: Vec<i64>, elements: Vec<Scalar>) -> Self {
        Self::Array(Rc::new(Array { shape, elements }))
    }
}

/// How the bits of a number are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An integer of this width, or an index.
    Int(u32),
    /// A float.
    Float(FloatKind),
    /// A complex number with floats as parts.
    Complex(FloatKind),
    /// A complex number with integers as parts.
    ComplexInt(u32),
    /// A pointer of the llvm dialect.
    Pointer,
}

impl Kind {
    /// The kind of numbers of type `ty`; none for other types and for numbers of more than 128 bits.
    pub fn of(context: &Context, ty: Type) -> Option<Self> {
        match context.type_kind(ty) {
            TypeKind::Integer { width, .. } if *width <= 128 => Some(Self::Int(*width)),
            TypeKind::Index => Some(Self::Int(64)),
            TypeKind::Float(kind) => Some(Self::Float(*kind)),
            TypeKind::Complex(part) => match context.type_kind(*part) {
                TypeKind::Float(kind) if kind.width() <= 64 => Some(Self::Complex(*kind)),
                TypeKind::Integer { width, .. } if *width <= 64 => Some(Self::ComplexInt(*width)),
                _ => None,
            },
            TypeKind::Dialect { dialect, body }
                if context.name(*dialect) == "llvm" && body.starts_with("ptr") =>
            {
                Some(Self::Pointer)
            }
            _ => None,
        }
    }

    /// Number of bits.
    pub fn width(self) -> u32 {
        match self {
            Self::Int(width) => width,
            Self::Float(kind) => kind.width(),
            Self::Complex(kind) => 2 * kind.width(),
            Self::ComplexInt(width) => 2 * width,
            Self::Pointer => 64,
        }
    }

    /// Bytes of one part in memory, and the number of parts.
    pub fn storage(self) -> (usize, usize) {
        let bytes = |width: u32| (width.div_ceil(8).max(1) as usize).next_power_of_two();
        match self {
            Self::Int(width) => (bytes(width), 1),
            Self::Float(kind) => (bytes(kind.width()), 1),
            Self::Complex(kind) => (bytes(kind.width()), 2),
            Self::ComplexInt(width) => (bytes(width), 2),
            Self::Pointer => (8, 1),
        }
    }

    /// Bytes in memory.
    pub fn byte_size(self) -> usize {
        let (bytes, parts) = self.storage();
        bytes * parts
    }

    /// The bits as they lie in memory.
    pub fn to_bytes(self, bits: u128) -> Vec<u8> {
        let (size, parts) = self.storage();
        let width = self.width() / parts as u32;
        let part = |index: usize| {
            let part = if index == 0 { bits } else { bits >> width };
            (part & mask(width)).to_le_bytes()[..size].to_vec()
        };
        (0..parts).flat_map(part).collect()
    }

    /// The bits that lie in memory as `bytes`.
    pub fn from_bytes(self, bytes: &[u8]) -> u128 {
        let (size, parts) = self.storage();
        let width = self.width() / parts as u32;
        let mut bits = 0;
        for index in 0..parts {
            let mut buffer = [0; 16];
            buffer[..size].copy_from_slice(&bytes[index * size..][..size]);
            bits |= (u128::from_le_bytes(buffer) & mask(width)) << (index as u32 * width);
        }
        bits
    }
}

/// Ones in the lowest `width` bits.
pub fn mask(width: u32) -> u128 {
    match width {
        0 => 0,
        1..=127 => (1 << width) - 1,
        _ => u128::MAX,
    }
}

/// The bits of an integer of this width as a signed number.
pub fn signed(bits: u128, width: u32) -> i128 {
    match width {
        0 => 0,
        _ => (bits << (128 - width.min(128))) as i128 >> (128 - width.min(128)),
    }
}

/// Row-major strides.
pub fn row_major(sizes: &[i64]) -> Vec<i64> {
    let mut strides = vec![1i64; sizes.len()];
    for dim in (1..sizes.len()).rev() {
        strides[dim - 1] = strides[dim].saturating_mul(sizes[dim]);
    }
    strides
}

/// Number of elements.
pub fn n_elements(sizes: &[i64]) -> usize {
    sizes.iter().map(|&size| size.max(0) as usize).product()
}

/// Calls `each` with all positions of a space, row-major, until it fails.
pub(crate) fn for_each(sizes: &[i64], mut each: impl FnMut(&[i64]) -> Res) -> Res {
    if sizes.iter().any(|&size| size <= 0) {
        return Ok(());
    }
    let mut at = vec![0i64; sizes.len()];
    loop {
        each(&at)?;
        let mut dim = sizes.len();
        loop {
            if dim == 0 {
                return Ok(());
            }
            dim -= 1;
            at[dim] += 1;
            if at[dim] < sizes[dim] {
                break;
            }
            at[dim] = 0;
        }
    }
}

/// The position of `at` in a row-major array.
pub fn flat(sizes: &[i64], at: &[i64]) -> usize {
    let mut position = 0;
    for (&size, &index) in sizes.iter().zip(at) {
        position = position * size as usize + index as usize;
    }
    position
}

/// Strides of a type, with those that it leaves open beyond all that is inside.
pub(crate) fn dense_strides(sizes: &[i64], declared: &[i64]) -> Vec<i64> {
    if declared.iter().all(|&stride| stride == DYNAMIC) {
        return row_major(sizes);
    }
    let mut strides = vec![1; sizes.len()];
    let mut next = 1;
    for dim in (0..sizes.len()).rev() {
        strides[dim] = match declared[dim] {
            DYNAMIC => next,
            stride => stride,
        };
        next = next.max(strides[dim].saturating_mul(sizes[dim].max(1)));
    }
    strides
}
