//! What SSA values become: CLIF values, constants not yet materialized, and
//! memref descriptors taken apart.

use std::rc::Rc;

use cranelift_codegen::ir as clif;
use freehold_frontend::ir::types::DYNAMIC;
use smallvec::SmallVec;

use crate::repr::{Layout, Scalar};

/// A 64-bit number: known now, or computed by the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Index {
    /// Known.
    Const(i64),
    /// Computed.
    Value(clif::Value),
}

impl Index {
    /// The number in a type, unless it is dynamic.
    pub(crate) fn from_static(number: i64) -> Option<Self> {
        (number != DYNAMIC).then_some(Self::Const(number))
    }
}

/// A memref: its descriptor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Descriptor {
    /// What malloc returned: the identity of the buffer.
    pub(crate) allocated: Index,
    /// Where element zero would be, were the offset zero.
    pub(crate) aligned: Index,
    /// Distance of the first element from the aligned pointer, in elements.
    pub(crate) offset: Index,
    /// Number of elements along each dimension.
    pub(crate) sizes: SmallVec<[Index; 4]>,
    /// Distance between neighbours along each dimension, in elements.
    pub(crate) strides: SmallVec<[Index; 4]>,
}

impl Descriptor {
    /// A freshly allocated row-major buffer.
    pub(crate) fn identity(
        pointer: Index,
        sizes: SmallVec<[Index; 4]>,
        strides: SmallVec<[Index; 4]>,
    ) -> Self {
        Self {
            allocated: pointer,
            aligned: pointer,
            offset: Index::Const(0),
            sizes,
            strides,
        }
    }

    /// All fields in the order of the calling convention.
    pub(crate) fn fields(&self) -> impl Iterator<Item = Index> + '_ {
        [self.allocated, self.aligned, self.offset]
            .into_iter()
            .chain(self.sizes.iter().copied())
            .chain(self.strides.iter().copied())
    }

    /// The descriptor with these fields; `fields` yields `3 + 2 * rank` of them.
    pub(crate) fn from_fields(rank: usize, fields: impl IntoIterator<Item = Index>) -> Self {
        let mut fields = fields.into_iter();
        let mut next = || fields.next().expect("a descriptor has that many fields");
        Self {
            allocated: next(),
            aligned: next(),
            offset: next(),
            sizes: (0..rank).map(|_| next()).collect(),
            strides: (0..rank).map(|_| next()).collect(),
        }
    }

    /// Replaces what `layout` knows by constants.
    pub(crate) fn refine(&mut self, layout: &Layout) {
        let refine = |field: &mut Index, known: i64| {
            if let Some(known) = Index::from_static(known) {
                *field = known;
            }
        };
        refine(&mut self.offset, layout.offset);
        for (field, &known) in self.sizes.iter_mut().zip(&layout.sizes) {
            refine(field, known);
        }
        for (field, &known) in self.strides.iter_mut().zip(&layout.strides) {
            refine(field, known);
        }
    }
}

/// What an SSA value became.
#[derive(Clone, Debug)]
pub(crate) enum Lowered {
    /// Nothing: its definition was reported as an error.
    Missing,
    /// A number or function address in a CLIF value.
    Scalar(clif::Value),
    /// A number known now, as the bits of its representation.
    Constant(Scalar, u128),
    /// Real and imaginary part.
    Complex([clif::Value; 2]),
    /// The members of a struct or an array.
    Aggregate(Rc<[Lowered]>),
    /// A ranked memref.
    MemRef(Rc<Descriptor>),
    /// The parts of a vector.
    Vector(Rc<[clif::Value]>),
    /// An unranked memref: rank and pointer to a descriptor.
    Unranked {
        /// The rank.
        rank: Index,
        /// Where the descriptor is.
        descriptor: clif::Value,
    },
}

impl Lowered {
    /// A ranked memref.
    pub(crate) fn memref(descriptor: Descriptor) -> Self {
        Self::MemRef(Rc::new(descriptor))
    }
}

/// Registers of a vector.
pub(crate) type Parts = SmallVec<[clif::Value; 8]>;

/// Elements of a vector in row-major order.
pub(super) type Elements = SmallVec<[clif::Value; 8]>;

/// Whether an operation reads its operands as signed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sign {
    /// Two's complement.
    Signed,
    /// Natural.
    Unsigned,
}

/// Where a division rounds to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rounding {
    /// Towards zero.
    Truncate,
    /// Towards negative infinity.
    Floor,
    /// Towards positive infinity.
    Ceil,
}
