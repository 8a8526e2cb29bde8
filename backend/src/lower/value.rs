//! Arithmetic on numbers that may be known, constants, and moving whole values.
//!
//! The fields of a descriptor that the type or the producer of a memref knows are kept as numbers,
//! so arithmetic on them is folded while lowering. Unused fields are pure CLIF instructions without
//! users, which never reach machine code.

use cranelift_codegen::ir::{self as clif, InstBuilder, types};
use freehold_frontend::ir::types::DYNAMIC;
use smallvec::SmallVec;

use super::function::Lowering;
use super::held::{Descriptor, Index, Lowered};
use crate::repr::{Repr, Scalar, dynamic_fields};

impl Lowering<'_, '_> {
    // Arithmetic on numbers that may be known.

    /// The CLIF value of a number.
    pub(crate) fn index_value(&mut self, index: Index) -> clif::Value {
        match index {
            Index::Const(number) => self.b.ins().iconst(types::I64, number),
            Index::Value(value) => value,
        }
    }

    /// `a + b`
    pub(crate) fn add(&mut self, a: Index, b: Index) -> Index {
        match (a, b) {
            (Index::Const(a), Index::Const(b)) => Index::Const(a.wrapping_add(b)),
            (Index::Const(0), other) | (other, Index::Const(0)) => other,
            (Index::Const(number), Index::Value(value))
            | (Index::Value(value), Index::Const(number)) => {
                Index::Value(self.b.ins().iadd_imm_s(value, number))
            }
            (Index::Value(a), Index::Value(b)) => Index::Value(self.b.ins().iadd(a, b)),
        }
    }

    /// `a * b`
    pub(crate) fn mul(&mut self, a: Index, b: Index) -> Index {
        match (a, b) {
            (Index::Const(a), Index::Const(b)) => Index::Const(a.wrapping_mul(b)),
            (Index::Const(0), _) | (_, Index::Const(0)) => Index::Const(0),
            (Index::Const(1), other) | (other, Index::Const(1)) => other,
            (Index::Const(number), Index::Value(value))
            | (Index::Value(value), Index::Const(number)) => {
                Index::Value(if number > 0 && number.count_ones() == 1 {
                    self.b
                        .ins()
                        .ishl_imm_u(value, i64::from(number.trailing_zeros()))
                } else {
                    self.b.ins().imul_imm_s(value, number)
                })
            }
            (Index::Value(a), Index::Value(b)) => Index::Value(self.b.ins().imul(a, b)),
        }
    }

    /// The product of all.
    pub(crate) fn product(&mut self, factors: impl IntoIterator<Item = Index>) -> Index {
        factors
            .into_iter()
            .fold(Index::Const(1), |product, factor| self.mul(product, factor))
    }

    /// Row-major strides of these sizes.
    pub(crate) fn identity_strides(&mut self, sizes: &[Index]) -> SmallVec<[Index; 4]> {
        let mut strides = SmallVec::from_elem(Index::Const(1), sizes.len());
        for dim in (1..sizes.len()).rev() {
            strides[dim - 1] = self.mul(strides[dim], sizes[dim]);
        }
        strides
    }

    // Constants.

    /// A CLIF constant with these bits.
    pub(crate) fn constant(&mut self, scalar: Scalar, bits: u128) -> clif::Value {
        match scalar.clif() {
            types::F32 => self.b.ins().f32const(f32::from_bits(bits as u32)),
            types::F64 => self.b.ins().f64const(f64::from_bits(bits as u64)),
            ty => self.integer_constant(ty, bits),
        }
    }

    /// An integer constant of any CLIF integer type.
    pub(crate) fn integer_constant(&mut self, ty: clif::Type, bits: u128) -> clif::Value {
        if ty == types::I128 {
            let low = self.b.ins().iconst(types::I64, bits as i64);
            let high = self.b.ins().iconst(types::I64, (bits >> 64) as i64);
            return self.b.ins().iconcat(low, high);
        }
        // Cranelift wants the bits above the type to be zero.
        let mask = u64::MAX >> (64 - ty.bits());
        self.b.ins().iconst(ty, (bits as u64 & mask) as i64)
    }

    // Moving whole values.

    /// The CLIF types of the parts of a value that travel between blocks.
    pub(crate) fn block_param_types(&self, repr: &Repr) -> SmallVec<[clif::Type; 8]> {
        match repr {
            Repr::Scalar(scalar) => SmallVec::from_slice(&[scalar.clif()]),
            Repr::Complex(part) => SmallVec::from_slice(&[part.clif(); 2]),
            Repr::MemRef(layout) => dynamic_fields(layout)
                .filter(|&dynamic| dynamic)
                .map(|_| types::I64)
                .collect(),
            Repr::UnrankedMemRef => SmallVec::from_slice(&[types::I64; 2]),
            Repr::Vector(vector) => SmallVec::from_elem(vector.part_type(), vector.n_parts()),
            Repr::Aggregate(aggregate) => (aggregate.members.iter())
                .flat_map(|member| self.block_param_types(member))
                .collect(),
        }
    }

    /// The value whose parts are `params`, as [`Self::block_param_types`] lists them.
    pub(crate) fn with_block_params(&self, repr: &Repr, params: &[clif::Value]) -> Lowered {
        match repr {
            Repr::Scalar(_) => Lowered::Scalar(params[0]),
            Repr::Complex(_) => Lowered::Complex([params[0], params[1]]),
            Repr::Vector(_) => Lowered::Vector(params.into()),
            Repr::MemRef(layout) => {
                let mut params = params.iter();
                let known = [DYNAMIC, DYNAMIC, layout.offset];
                let known = known.iter().chain(&layout.sizes).chain(&layout.strides);
                let fields = known.map(|&known| {
                    Index::from_static(known).unwrap_or_else(|| {
                        let param = params.next().expect("there is a parameter per field");
                        Index::Value(*param)
                    })
                });
                Lowered::memref(Descriptor::from_fields(layout.rank(), fields))
            }
            Repr::UnrankedMemRef => Lowered::Unranked {
                rank: Index::Value(params[0]),
                descriptor: params[1],
            },
            Repr::Aggregate(aggregate) => {
                let mut rest = params;
                let members = aggregate.members.iter().map(|member| {
                    let (own, others) = rest.split_at(self.block_param_types(member).len());
                    rest = others;
                    self.with_block_params(member, own)
                });
                Lowered::Aggregate(members.collect())
            }
        }
    }

    /// Appends the parts of `value` that travel to a block argument held as `repr`.
    pub(crate) fn push_block_args(
        &mut self,
        value: &Lowered,
        repr: &Repr,
        args: &mut Vec<clif::BlockArg>,
    ) {
        match (value, repr) {
            (Lowered::MemRef(descriptor), Repr::MemRef(layout)) => {
                for (field, dynamic) in descriptor.fields().zip(dynamic_fields(layout)) {
                    if dynamic {
                        args.push(self.index_value(field).into());
                    }
                }
            }
            _ => {
                let parts = self.parts(value);
                args.extend(parts.into_iter().map(clif::BlockArg::from));
            }
        }
    }

    /// All parts of a value, as it is held.
    pub(crate) fn parts(&mut self, value: &Lowered) -> SmallVec<[clif::Value; 8]> {
        match value {
            Lowered::Missing => SmallVec::new(),
            Lowered::Aggregate(members) => (members.iter())
                .flat_map(|member| self.parts(member))
                .collect(),
            Lowered::Scalar(value) => SmallVec::from_slice(&[*value]),
            Lowered::Constant(scalar, bits) => {
                SmallVec::from_slice(&[self.constant(*scalar, *bits)])
            }
            Lowered::Complex(parts) => SmallVec::from_slice(parts),
            Lowered::Vector(parts) => SmallVec::from_slice(parts),
            Lowered::MemRef(descriptor) => descriptor
                .fields()
                .map(|field| self.index_value(field))
                .collect(),
            Lowered::Unranked { rank, descriptor } => {
                SmallVec::from_slice(&[self.index_value(*rank), *descriptor])
            }
        }
    }

    /// The value with these parts, the inverse of [`Self::parts`].
    pub(crate) fn with_parts(&self, repr: &Repr, parts: &[clif::Value]) -> Lowered {
        match repr {
            Repr::MemRef(layout) => {
                let fields = parts.iter().map(|&part| Index::Value(part));
                let mut descriptor = Descriptor::from_fields(layout.rank(), fields);
                descriptor.refine(layout);
                Lowered::memref(descriptor)
            }
            _ => self.with_block_params(repr, parts),
        }
    }

    /// Zeros and null pointers.
    pub(crate) fn zero_value(&mut self, repr: &Repr) -> Lowered {
        match repr {
            Repr::Scalar(scalar) => Lowered::Constant(*scalar, 0),
            Repr::Complex(part) => {
                let zero = self.constant(*part, 0);
                Lowered::Complex([zero; 2])
            }
            Repr::MemRef(layout) => {
                let zeros = SmallVec::from_elem(Index::Const(0), layout.rank());
                let mut descriptor = Descriptor::identity(Index::Const(0), zeros.clone(), zeros);
                descriptor.refine(layout);
                Lowered::memref(descriptor)
            }
            Repr::Vector(vector) => {
                let zero = self.constant(vector.scalar, 0);
                let zeros = vec![zero; vector.n_elements()];
                self.with_elements(repr, &zeros)
            }
            Repr::UnrankedMemRef => Lowered::Unranked {
                rank: Index::Const(0),
                descriptor: self.b.ins().iconst(types::I64, 0),
            },
            Repr::Aggregate(aggregate) => {
                let members = aggregate.members.iter();
                Lowered::Aggregate(members.map(|member| self.zero_value(member)).collect())
            }
        }
    }
}
