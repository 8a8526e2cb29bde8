//! Types. A [`Type`] is an interned id; its contents are a [`TypeKind`].
//!
//! Types the compiler mentions often have constants ([`Type::INDEX`]). Shapes
//! use [`DYNAMIC`] for `?`.

use super::attrs::Attr;
use super::names::Name;

/// The size of a dimension written `?`, and of an unknown stride or offset.
pub const DYNAMIC: i64 = i64::MIN;

/// An interned type. Its contents are [`Context::type_kind`](super::context::Context::type_kind).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Type(pub(super) u32);

/// Whether an integer type says how it is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Signedness {
    /// `i32`
    Signless,
    /// `si32`
    Signed,
    /// `ui32`
    Unsigned,
}

/// The floating-point formats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(
    missing_docs,
    reason = "each variant is its MLIR keyword, see `FloatKind::keyword`"
)]
pub enum FloatKind {
    F4E2M1FN,
    F6E2M3FN,
    F6E3M2FN,
    F8E8M0FNU,
    F8E5M2,
    F8E4M3,
    F8E4M3FN,
    F8E5M2FNUZ,
    F8E4M3FNUZ,
    F8E4M3B11FNUZ,
    F8E3M4,
    BF16,
    F16,
    TF32,
    F32,
    F64,
    F80,
    F128,
}

impl FloatKind {
    /// Every format.
    pub const ALL: [FloatKind; 18] = [
        Self::F4E2M1FN,
        Self::F6E2M3FN,
        Self::F6E3M2FN,
        Self::F8E8M0FNU,
        Self::F8E5M2,
        Self::F8E4M3,
        Self::F8E4M3FN,
        Self::F8E5M2FNUZ,
        Self::F8E4M3FNUZ,
        Self::F8E4M3B11FNUZ,
        Self::F8E3M4,
        Self::BF16,
        Self::F16,
        Self::TF32,
        Self::F32,
        Self::F64,
        Self::F80,
        Self::F128,
    ];

    /// Its spelling in the text format.
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::F4E2M1FN => "f4E2M1FN",
            Self::F6E2M3FN => "f6E2M3FN",
            Self::F6E3M2FN => "f6E3M2FN",
            Self::F8E8M0FNU => "f8E8M0FNU",
            Self::F8E5M2 => "f8E5M2",
            Self::F8E4M3 => "f8E4M3",
            Self::F8E4M3FN => "f8E4M3FN",
            Self::F8E5M2FNUZ => "f8E5M2FNUZ",
            Self::F8E4M3FNUZ => "f8E4M3FNUZ",
            Self::F8E4M3B11FNUZ => "f8E4M3B11FNUZ",
            Self::F8E3M4 => "f8E3M4",
            Self::BF16 => "bf16",
            Self::F16 => "f16",
            Self::TF32 => "tf32",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::F80 => "f80",
            Self::F128 => "f128",
        }
    }

    /// Width of the bit pattern in bits.
    pub const fn width(self) -> u32 {
        match self {
            Self::F4E2M1FN => 4,
            Self::F6E2M3FN | Self::F6E3M2FN => 6,
            Self::F8E8M0FNU
            | Self::F8E5M2
            | Self::F8E4M3
            | Self::F8E4M3FN
            | Self::F8E5M2FNUZ
            | Self::F8E4M3FNUZ
            | Self::F8E4M3B11FNUZ
            | Self::F8E3M4 => 8,
            Self::BF16 | Self::F16 => 16,
            Self::TF32 => 19,
            Self::F32 => 32,
            Self::F64 => 64,
            Self::F80 => 80,
            Self::F128 => 128,
        }
    }
}

/// The contents of a type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// `i32`, `si8`, `ui16`: any width up to 16,777,215 bits.
    Integer {
        /// Width in bits.
        width: u32,
        /// How it is read.
        signedness: Signedness,
    },
    /// `index`, 64 bits on every target.
    Index,
    /// `f32` and the like.
    Float(FloatKind),
    /// `none`
    None,
    /// `complex<f32>`
    Complex(Type),
    /// `vector<4x[8]xf32>`
    Vector {
        /// Static sizes, row-major.
        shape: Box<[i64]>,
        /// Which dimensions are scalable; as long as `shape`.
        scalable: Box<[bool]>,
        /// Element type.
        element: Type,
    },
    /// `tensor<4x?xf32, #encoding>`
    RankedTensor {
        /// Sizes, [`DYNAMIC`] for `?`.
        shape: Box<[i64]>,
        /// Element type.
        element: Type,
        /// Encoding, if given.
        encoding: Option<Attr>,
    },
    /// `tensor<*xf32>`
    UnrankedTensor(Type),
    /// `memref<4x?xf32, layout, space>`
    MemRef(MemRefType),
    /// `memref<*xf32, space>`
    UnrankedMemRef {
        /// Element type.
        element: Type,
        /// Memory space, if not the default one.
        space: Option<Attr>,
    },
    /// `tuple<i32, f32>`
    Tuple(Box<[Type]>),
    /// `(i32) -> f32`
    Function {
        /// Argument types.
        inputs: Box<[Type]>,
        /// Result types.
        results: Box<[Type]>,
    },
    /// `!dialect.body` of any dialect: the text after the dot, canonically spaced.
    Dialect {
        /// Dialect namespace.
        dialect: Name,
        /// Mnemonic and parameters, as written.
        body: Box<str>,
    },
    /// A type of a dialect that has a spelling of its own for each type of others
    /// ([`Spelling`](super::op_def::Spelling)): `!vhlo.tensor_v1<4x!vhlo.f32_v1>`.
    Spelled {
        /// Dialect namespace.
        dialect: Name,
        /// The type that it stands for.
        of: Type,
    },
}

/// The contents of a ranked memref type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MemRefType {
    /// Sizes, [`DYNAMIC`] for `?`.
    pub shape: Box<[i64]>,
    /// Element type.
    pub element: Type,
    /// A strided layout or an affine map; `None` is the identity layout
    /// (an identity map is normalised to it).
    pub layout: Option<Attr>,
    /// Memory space, if not the default one.
    pub space: Option<Attr>,
}

impl MemRefType {
    /// A row-major memref in the default memory space.
    pub fn identity(shape: &[i64], element: Type) -> Self {
        Self {
            shape: shape.into(),
            element,
            layout: None,
            space: None,
        }
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Number of dimensions written `?`.
    pub fn n_dynamic_dims(&self) -> usize {
        self.shape.iter().filter(|&&size| size == DYNAMIC).count()
    }

    /// Whether every size is known.
    pub fn has_static_shape(&self) -> bool {
        self.n_dynamic_dims() == 0
    }

    /// Number of elements, if known and representable.
    pub fn n_elements(&self) -> Option<i64> {
        if !self.has_static_shape() {
            return None;
        }
        self.shape
            .iter()
            .try_fold(1i64, |n, &size| n.checked_mul(size))
    }
}

macro_rules! well_known_types {
    ($($ident:ident = $kind:expr,)*) => {
        #[expect(clippy::upper_case_acronyms, reason = "variants number the constants below")]
        enum Index { $($ident,)* }
        impl Type {
            $(
                #[doc = concat!("The type `", stringify!($ident), "`, in lower case.")]
                pub const $ident: Type = Type(Index::$ident as u32);
            )*
        }
        /// The contents of every type constant, in the order of their ids.
        pub(super) fn well_known() -> Vec<TypeKind> {
            vec![$($kind,)*]
        }
    };
}

const fn signless(width: u32) -> TypeKind {
    TypeKind::Integer {
        width,
        signedness: Signedness::Signless,
    }
}

well_known_types! {
    NONE = TypeKind::None,
    INDEX = TypeKind::Index,
    I1 = signless(1),
    I8 = signless(8),
    I16 = signless(16),
    I32 = signless(32),
    I64 = signless(64),
    F16 = TypeKind::Float(FloatKind::F16),
    BF16 = TypeKind::Float(FloatKind::BF16),
    F32 = TypeKind::Float(FloatKind::F32),
    F64 = TypeKind::Float(FloatKind::F64),
}
