//! How values of each type are held in registers and in memory.
//!
//! **Invariant.** An integer is held *zero-extended* in the smallest of I8, I16,
//! I32, I64 and I128 that it fits in: the bits above its width are zero. So `i1`
//! is 0 or 1, unsigned comparison and `extui` are free, and a store writes what C
//! expects of a `bool`. Signed operations on odd widths (`i7`, `i33`) extend first.
//!
//! `f16`, `bf16` and floats of at most 8 bits are held as their bit patterns; arithmetic
//! on them goes through `f32`.

use std::rc::Rc;

use cranelift_codegen::ir::{self as clif, types};
use freehold_frontend::dialects::deallocation;
use freehold_frontend::dialects::llvm::types::{self as llvm_types, LlvmType};
use freehold_frontend::dialects::mpi;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::types::{DYNAMIC, FloatKind, Type, TypeKind};
use smallvec::SmallVec;

/// A type held in one CLIF value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scalar {
    /// An integer of this width, 1 to 128, or index, or the owner of an allocation.
    Int(u32),
    /// A float of at most 64 bits.
    Float(FloatKind),
    /// The address of a function.
    Function,
}

/// The CLIF type that holds integers of this width (1 to 128).
pub(crate) fn container(width: u32) -> clif::Type {
    match width {
        0..=8 => types::I8,
        9..=16 => types::I16,
        17..=32 => types::I32,
        33..=64 => types::I64,
        _ => types::I128,
    }
}

impl Scalar {
    /// How `ty` is held, if it is a supported scalar type.
    pub(crate) fn of(context: &Context, ty: Type) -> Option<Self> {
        match context.type_kind(ty) {
            TypeKind::Index => Some(Self::Int(64)),
            TypeKind::Integer { width, .. } if (1..=128).contains(width) => Some(Self::Int(*width)),
            TypeKind::Float(FloatKind::TF32 | FloatKind::F80 | FloatKind::F128) => None,
            TypeKind::Float(kind) => Some(Self::Float(*kind)),
            TypeKind::Function { .. } => Some(Self::Function),
            // The pointer that it frees, or null.
            TypeKind::Dialect { .. } if deallocation::is_ownership(context, ty) => {
                Some(Self::Int(64))
            }
            TypeKind::Dialect { .. } if llvm_types::is_pointer(context, ty) => Some(Self::Int(64)),
            // A handle of either implementation, or what a function of MPI returns.
            TypeKind::Dialect { .. } if mpi::is_retval(context, ty) => Some(Self::Int(32)),
            TypeKind::Dialect { .. } if mpi::is_handle(context, ty) => Some(Self::Int(64)),
            _ => None,
        }
    }

    /// The type of the CLIF value that holds it.
    pub(crate) fn clif(self) -> clif::Type {
        match self {
            Self::Int(width) => container(width),
            Self::Float(FloatKind::F64) => types::F64,
            Self::Float(FloatKind::F32) => types::F32,
            Self::Float(kind) => container(kind.width()),
            Self::Function => types::I64,
        }
    }

    /// Bits of a value.
    pub(crate) fn width(self) -> u32 {
        match self {
            Self::Int(width) => width,
            Self::Float(kind) => kind.width(),
            Self::Function => 64,
        }
    }

    /// Whether the bits above the value in its container must be kept zero.
    pub(crate) fn is_odd_width(self) -> bool {
        matches!(self, Self::Int(width) if width != container(width).bits())
    }

    /// Bytes in memory, which is also the alignment there.
    pub(crate) fn byte_size(self) -> u32 {
        self.clif().bytes()
    }
}

/// What the type of a ranked memref says about its descriptor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    /// Sizes, [`DYNAMIC`] where unknown.
    pub(crate) sizes: SmallVec<[i64; 4]>,
    /// Strides in elements.
    pub(crate) strides: SmallVec<[i64; 4]>,
    /// Offset in elements.
    pub(crate) offset: i64,
    /// Element type.
    pub(crate) element: Type,
    /// Bytes per element.
    pub(crate) element_size: u64,
}

impl Layout {
    /// Number of dimensions.
    pub(crate) fn rank(&self) -> usize {
        self.sizes.len()
    }

    /// How many trailing dimensions are known to be stored without gaps, row-major.
    pub(crate) fn n_contiguous_dims(&self) -> usize {
        let mut expected = 1i64;
        let mut n = 0;
        for (&size, &stride) in self.sizes.iter().zip(&self.strides).rev() {
            if size != 1 && stride != expected {
                break;
            }
            n += 1;
            if size == DYNAMIC {
                break;
            }
            let Some(next) = expected.checked_mul(size) else {
                break;
            };
            expected = next;
        }
        n
    }
}

/// The fields of a descriptor that `layout` does not know, in the order of the
/// calling convention: those that travel between blocks.
pub(crate) fn dynamic_fields(layout: &Layout) -> impl Iterator<Item = bool> + '_ {
    [true, true, layout.offset == DYNAMIC].into_iter().chain(
        layout
            .sizes
            .iter()
            .chain(&layout.strides)
            .map(|&n| n == DYNAMIC),
    )
}

/// How vectors of a type are held: in parts of `lanes` elements in row-major order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct VectorRepr {
    /// The element type.
    pub(crate) scalar: Scalar,
    /// Sizes, none of them zero.
    pub(crate) shape: SmallVec<[usize; 4]>,
    /// Elements per part: 1, or what fills 128 bits.
    pub(crate) lanes: u8,
}

/// Vectors with more elements are not supported: code is written out per element, and a value has at most
/// this many parts.
const MAX_VECTOR_ELEMENTS: usize = 1 << 12;

impl VectorRepr {
    fn of(context: &Context, shape: &[i64], scalable: &[bool], element: Type) -> Option<Self> {
        if scalable.contains(&true) {
            return None;
        }
        let scalar = Scalar::of(context, element)?;
        let mut n = 1usize;
        for &size in shape {
            n = n.checked_mul(usize::try_from(size).ok()?)?;
        }
        if n == 0 || n > MAX_VECTOR_ELEMENTS {
            return None;
        }
        let lanes = match scalar {
            Scalar::Float(FloatKind::F32 | FloatKind::F64) | Scalar::Int(8 | 16 | 32 | 64) => {
                16 / scalar.byte_size() as u8
            }
            _ => 1,
        };
        Some(Self {
            scalar,
            shape: shape.iter().map(|&size| size as usize).collect(),
            lanes: if n.is_multiple_of(usize::from(lanes)) {
                lanes
            } else {
                1
            },
        })
    }

    /// Number of elements.
    pub(crate) fn n_elements(&self) -> usize {
        self.shape.iter().product()
    }

    /// Number of parts.
    pub(crate) fn n_parts(&self) -> usize {
        self.n_elements() / usize::from(self.lanes)
    }

    /// The type of a part.
    pub(crate) fn part_type(&self) -> clif::Type {
        let scalar = self.scalar.clif();
        scalar.by(self.lanes.into()).unwrap_or(scalar)
    }

    /// Elements of a row: the last dimension.
    pub(crate) fn row(&self) -> usize {
        self.shape.last().copied().unwrap_or(1)
    }

    /// Bytes in memory from one row to the next. As in LLVM, the bits of elements lie one behind the other, and
    /// the bytes of a row are a power of two.
    pub(crate) fn row_bytes(&self) -> usize {
        let bits = self.row() * self.scalar.width() as usize;
        bits.div_ceil(8).next_power_of_two()
    }

    /// Whether elements are no whole bytes of a size that memory is accessed by.
    pub(crate) fn is_packed(&self) -> bool {
        self.scalar.width() != self.scalar.clif().bits()
    }

    /// Whether there is memory between rows that belongs to none.
    pub(crate) fn has_gaps(&self) -> bool {
        let bits = self.row() * self.scalar.width() as usize;
        self.row() != self.n_elements() && bits != 8 * self.row_bytes()
    }

    /// Where element `i` is in memory, unless elements are packed.
    pub(crate) fn offset(&self, i: usize) -> u32 {
        let in_row = i % self.row() * self.scalar.byte_size() as usize;
        (i / self.row() * self.row_bytes() + in_row) as u32
    }
}

/// How values of a type are held.
#[derive(Clone, Debug)]
pub(crate) enum Repr {
    /// In one CLIF value.
    Scalar(Scalar),
    /// Real and imaginary part.
    Complex(Scalar),
    /// A descriptor: allocated and aligned pointer, offset, sizes, strides.
    MemRef(Rc<Layout>),
    /// The rank and a pointer to a descriptor of that rank.
    UnrankedMemRef,
    /// In registers of several elements, or one by one.
    Vector(Rc<VectorRepr>),
    /// Its members one after the other.
    Aggregate(Rc<Aggregate>),
}

/// A struct or an array as a value.
#[derive(Clone, Debug)]
pub(crate) struct Aggregate {
    /// How its members are held.
    pub(crate) members: Vec<Repr>,
    /// Where each is in memory.
    pub(crate) offsets: Vec<u32>,
}

/// Aggregates of more scalars are not held as values.
const MAX_MEMBERS: usize = 1 << 10;

impl Aggregate {
    fn of(context: &Context, ty: Type) -> Option<Self> {
        let (members, offsets) = match llvm_types::of(context, ty)? {
            LlvmType::Struct {
                packed, members, ..
            } => {
                let members = members?;
                let (offsets, _) = llvm_types::struct_layout(context, &members, packed)?;
                (members, offsets)
            }
            LlvmType::Array(n, element) => {
                let n = usize::try_from(n).ok().filter(|&n| n <= MAX_MEMBERS)?;
                let size = llvm_types::layout(context, element)?.size;
                (vec![element; n], (0..n as u64).map(|i| i * size).collect())
            }
            _ => return None,
        };
        let aggregate = Self {
            members: (members.into_iter())
                .map(|member| Repr::of(context, member))
                .collect::<Option<_>>()?,
            offsets: (offsets.into_iter())
                .map(|offset| u32::try_from(offset).ok())
                .collect::<Option<_>>()?,
        };
        (aggregate.n_members() <= MAX_MEMBERS).then_some(aggregate)
    }

    /// Members that are no aggregates, those of members included.
    fn n_members(&self) -> usize {
        let members = self.members.iter();
        let sizes = members.map(|member| match member {
            Repr::Aggregate(inner) => inner.n_members(),
            _ => 1,
        });
        sizes.sum()
    }
}

impl Repr {
    /// How `ty` is held, if values of it are supported.
    pub(crate) fn of(context: &Context, ty: Type) -> Option<Self> {
        match context.type_kind(ty) {
            TypeKind::Complex(part) => Scalar::of(context, *part).map(Self::Complex),
            TypeKind::MemRef(memref) => {
                let (strides, offset) = context.memref_strides(memref)?;
                Some(Self::MemRef(Rc::new(Layout {
                    sizes: SmallVec::from_slice(&memref.shape),
                    strides: strides.into(),
                    offset,
                    element: memref.element,
                    element_size: context.element_byte_size(memref.element)?,
                })))
            }
            TypeKind::UnrankedMemRef { .. } => Some(Self::UnrankedMemRef),
            TypeKind::Vector {
                shape,
                scalable,
                element,
            } => {
                let repr = VectorRepr::of(context, shape, scalable, *element)?;
                Some(Self::Vector(Rc::new(repr)))
            }
            TypeKind::Dialect { .. } => {
                if let Some(scalar) = Scalar::of(context, ty) {
                    return Some(Self::Scalar(scalar));
                }
                if let LlvmType::Vector(n, element) = llvm_types::of(context, ty)? {
                    let n = i64::try_from(n).ok()?;
                    let repr = VectorRepr::of(context, &[n], &[false], element)?;
                    return Some(Self::Vector(Rc::new(repr)));
                }
                Aggregate::of(context, ty).map(|aggregate| Self::Aggregate(Rc::new(aggregate)))
            }
            _ => Scalar::of(context, ty).map(Self::Scalar),
        }
    }

    /// What the value is made of, aggregates taken apart.
    pub(crate) fn leaves(&self) -> SmallVec<[&Repr; 8]> {
        match self {
            Self::Aggregate(aggregate) => {
                let members = aggregate.members.iter();
                members.flat_map(Self::leaves).collect()
            }
            _ => SmallVec::from_slice(&[self]),
        }
    }
}

/// Bytes of the descriptor of a memref of this rank.
pub(crate) const fn descriptor_size(rank: usize) -> u32 {
    24 + 16 * rank as u32
}

/// The mask of the low `width` bits (1 to 128).
pub(crate) const fn low_bits(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use freehold_frontend::dialects;
    use freehold_frontend::ir::types::MemRefType;

    fn contiguous(shape: &[i64], strides: &[i64]) -> usize {
        Layout {
            sizes: SmallVec::from_slice(shape),
            strides: SmallVec::from_slice(strides),
            offset: 0,
            element: Type::F32,
            element_size: 4,
        }
        .n_contiguous_dims()
    }

    #[test]
    fn contiguity_is_what_the_type_promises() {
        assert_eq!(contiguous(&[], &[]), 0);
        assert_eq!(contiguous(&[2, 3], &[3, 1]), 2);
        assert_eq!(contiguous(&[DYNAMIC, 3], &[3, 1]), 2);
        assert_eq!(contiguous(&[2, DYNAMIC], &[DYNAMIC, 1]), 1);
        assert_eq!(contiguous(&[2, 3], &[4, 1]), 1);
        assert_eq!(contiguous(&[2, 3], &[1, 2]), 0);
        assert_eq!(contiguous(&[2, 1], &[1, 77]), 2);
    }

    #[test]
    fn unsupported_types_have_no_representation() {
        let context = dialects::context();
        let unsupported = [
            Type::NONE,
            context.integer_type(0),
            context.integer_type(129),
            context.intern_type(TypeKind::Float(FloatKind::F80)),
            context.memref_type(MemRefType::identity(&[4], Type::NONE)),
        ];
        for ty in unsupported {
            assert!(Repr::of(&context, ty).is_none());
        }
        assert_eq!(
            Scalar::of(&context, context.integer_type(33)).map(Scalar::clif),
            Some(types::I64)
        );
    }
}
