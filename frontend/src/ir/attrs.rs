//! Attributes. An [`Attr`] is an interned id; its contents are an
//! [`AttrKind`]. A [`Dict`] is an interned, sorted list of named attributes
//! and is what an operation carries.

use std::sync::Arc;

use super::affine::{AffineMap, IntegerSet};
use super::bytes::Bytes;
use super::location::Loc;
use super::names::Name;
use super::types::Type;

/// An interned attribute. Its contents are [`Context::attr_kind`](super::context::Context::attr_kind).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Attr(pub(super) u32);

/// An interned attribute dictionary. Its entries, sorted by the text of the
/// name, are [`Context::dict`](super::context::Context::dict).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Dict(pub(super) u32);

impl Dict {
    /// The dictionary without entries.
    pub const EMPTY: Dict = Dict(0);
}

impl Attr {
    /// `unit`
    pub const UNIT: Attr = Attr(0);
    /// `false`
    pub const FALSE: Attr = Attr(1);
    /// `true`
    pub const TRUE: Attr = Attr(2);

    /// `true` or `false`.
    pub const fn bool(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }
}

/// The values of a `dense<...>` attribute.
///
/// Elements are stored little-endian, each in `byte_width(element)` bytes
/// (`i1` and other narrow integers one byte each, `index` eight, complex
/// twice its part, `i17` four), row-major. A splat stores one element.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DenseElements {
    /// The shaped type: vector, tensor or memref with static shape.
    pub ty: Type,
    /// Whether `bytes` holds one element that stands for all.
    pub splat: bool,
    /// Element bit patterns.
    pub bytes: Bytes,
}

/// The contents of an attribute.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AttrKind {
    /// `unit`
    Unit,
    /// `3 : i32`, `true`, `-1 : index`; sign-extended from the width of the
    /// type (zero-extended for unsigned types; `i1` is 0 or -1).
    Integer {
        /// An integer type or index.
        ty: Type,
        /// The value, if it fits.
        value: i128,
    },
    /// The same with a value that does not fit 128 bits.
    WideInteger {
        /// An integer type of more than 128 bits.
        ty: Type,
        /// Whether it is less than zero.
        is_negative: bool,
        /// The value without its sign in limbs of 64 bits, the least significant one first.
        magnitude: Box<[u64]>,
    },
    /// `1.0 : f32`, as its bit pattern.
    Float {
        /// A float type.
        ty: Type,
        /// The bits of the value in the format of `ty`.
        bits: u128,
    },
    /// `"text"`, unescaped; not necessarily UTF-8.
    String(Arc<[u8]>),
    /// `"text" : type`.
    TypedString(Arc<[u8]>, Type),
    /// `[a, b]`
    Array(Box<[Attr]>),
    /// `{a = 1}`
    Dictionary(Dict),
    /// A type.
    Type(Type),
    /// `@root::@nested`
    SymbolRef {
        /// The outermost symbol.
        root: Arc<str>,
        /// Symbols inside of it.
        nested: Box<[Arc<str>]>,
    },
    /// `affine_map<(d0) -> (d0)>`
    AffineMap(Arc<AffineMap>),
    /// `affine_set<(d0) : (d0 >= 0)>`
    IntegerSet(Arc<IntegerSet>),
    /// `dense<...> : type` of integer, index, float or complex elements.
    DenseElements(DenseElements),
    /// `dense<"..."> : tensor<2x!x.string>`: strings.
    DenseStrings {
        /// The shaped type.
        ty: Type,
        /// Whether one string stands for all.
        splat: bool,
        /// The strings.
        values: Box<[Arc<[u8]>]>,
    },
    /// `dense_resource<key> : type`
    DenseResource {
        /// The shaped type.
        ty: Type,
        /// The key of the blob.
        key: Arc<str>,
    },
    /// `sparse<indices, values> : type`
    SparseElements {
        /// The shaped type.
        ty: Type,
        /// A dense attribute of i64.
        indices: Attr,
        /// A dense attribute of the element type.
        values: Attr,
    },
    /// `array<i32: 1, 2>`: elements little-endian in their byte width.
    DenseArray {
        /// Integer or float type.
        element: Type,
        /// The elements.
        bytes: Bytes,
    },
    /// `strided<[s, ...], offset: o>`; [`DYNAMIC`](super::types::DYNAMIC) for `?`.
    StridedLayout {
        /// Offset in elements.
        offset: i64,
        /// Strides in elements.
        strides: Box<[i64]>,
    },
    /// `#dialect.body`: the text after the dot, canonically spaced.
    Dialect {
        /// Dialect namespace.
        dialect: Name,
        /// Mnemonic and parameters.
        body: Arc<str>,
        /// The type after a trailing colon, if any.
        ty: Option<Type>,
    },
    /// An attribute of a dialect that has a spelling of its own for each attribute of others
    /// ([`Spelling`](super::op_def::Spelling)): `#vhlo.integer_v1<3 : i64>`.
    Spelled {
        /// Dialect namespace.
        dialect: Name,
        /// The attribute that it stands for.
        of: Attr,
    },
    /// `loc(...)` as an attribute.
    Location(Loc),
    /// `distinct[n]<attr>`
    Distinct(u64, Attr),
}
