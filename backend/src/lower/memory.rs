//! Addresses of elements, and loads and stores of values of any type.

use cranelift_codegen::ir::{self as clif, InstBuilder, MemFlagsData, types};
use freehold_frontend::dialects::arith;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Value;
use smallvec::SmallVec;

use super::function::Lowering;
use super::held::{Descriptor, Index, Lowered};
use crate::repr::{Repr, Scalar, VectorRepr};

/// An address with a constant part that instructions can encode.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    /// Computed part.
    pub(crate) base: clif::Value,
    /// Constant part.
    pub(crate) offset: i32,
    /// Memory that no other address leads to, if it is in such.
    pub(crate) region: Option<clif::AliasRegion>,
}

impl Address {
    /// An address without further facts.
    pub(crate) fn new(base: clif::Value, offset: i32) -> Self {
        Self {
            base,
            offset,
            region: None,
        }
    }

    /// This address plus `bytes`.
    fn plus(self, bytes: u32) -> Option<Self> {
        let offset = self.offset.checked_add(i32::try_from(bytes).ok()?)?;
        Some(Self { offset, ..self })
    }
}

/// A subscript, taken apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subscript {
    index: Index,
    /// The offset.
    plus: i64,
}

impl From<Index> for Subscript {
    fn from(index: Index) -> Self {
        Self { index, plus: 0 }
    }
}

/// Additions of constants that a subscript may be made of: bounds the walk per subscript. Stencils have one,
/// unrolled loops around them two.
const MAX_ADDITIONS: usize = 4;

/// Memory operations are aligned and do not trap: MLIR leaves anything else undefined.
pub(crate) fn memory_flags() -> MemFlagsData {
    MemFlagsData::trusted()
}

impl Lowering<'_, '_> {
    /// Subscripts without the constants that the program adds to them: these become part of the
    /// address, so that neighbours like `%i - 1` and `%i + 1` share the rest of theirs.
    pub(crate) fn subscripts(
        &mut self,
        values: &[Value],
    ) -> Result<SmallVec<[Subscript; 4]>, Failed> {
        values.iter().map(|&value| self.subscript(value)).collect()
    }

    fn subscript(&mut self, mut value: Value) -> Result<Subscript, Failed> {
        let mut plus = 0i64;
        for _ in 0..self.ir.capped(MAX_ADDITIONS) {
            let Some(op) = self.defining_op(value) else {
                break;
            };
            let number = |i| arith::as_constant_index(self.ir, self.ir.operand(op, i));
            // Addresses wrap around as indices do, so any constants may be moved.
            let (rest, number) = if self.ir.is(op, &arith::ADDI) {
                match (number(0), number(1)) {
                    (_, Some(number)) => (0, number),
                    (Some(number), None) => (1, number),
                    (None, None) => break,
                }
            } else if self.ir.is(op, &arith::SUBI)
                && let Some(number) = number(1)
            {
                (0, number.wrapping_neg())
            } else {
                break;
            };
            plus = plus.wrapping_add(number);
            value = self.ir.operand(op, rest);
        }
        let index = self.index(value)?;
        Ok(Subscript { index, plus })
    }

    /// The number of elements between the aligned pointer and the element at
    /// `indices`, scaled to bytes, added to the aligned pointer.
    ///
    /// Terms are added from the outermost dimension inwards, so that what does
    /// not change in an inner loop is a subexpression that moves out of it.
    pub(crate) fn element_address(
        &mut self,
        descriptor: &Descriptor,
        indices: &[Subscript],
        element_size: u64,
    ) -> Address {
        let size = Index::Const(element_size as i64);
        let mut constant = Index::Const(0);
        let mut address = descriptor.aligned;
        let mut add_term = |this: &mut Self, term: Index| match term {
            Index::Const(_) => constant = this.add(constant, term),
            Index::Value(_) => address = this.add(address, term),
        };
        let offset = self.mul(descriptor.offset, size);
        add_term(self, offset);
        for (&index, &stride) in indices.iter().zip(&descriptor.strides) {
            let Subscript { index, plus } = index;
            if let Index::Const(_) = stride {
                let scaled_stride = self.mul(stride, size);
                let term = self.mul(index, scaled_stride);
                add_term(self, term);
                let term = self.mul(Index::Const(plus), scaled_stride);
                add_term(self, term);
            } else {
                let index = self.add(index, Index::Const(plus));
                let term = self.mul(index, stride);
                let term = self.mul(term, size);
                add_term(self, term);
            }
        }
        self.split_address(address, constant)
    }

    /// `address + constant`, with as much as possible in the constant part.
    fn split_address(&mut self, address: Index, constant: Index) -> Address {
        if let Index::Const(bytes) = constant
            && let Ok(offset) = i32::try_from(bytes)
        {
            let base = self.index_value(address);
            return Address::new(base, offset);
        }
        let sum = self.add(address, constant);
        let base = self.index_value(sum);
        Address::new(base, 0)
    }

    /// The address as one value.
    pub(crate) fn address_value(&mut self, address: Address) -> clif::Value {
        if address.offset == 0 {
            return address.base;
        }
        self.b
            .ins()
            .iadd_imm_s(address.base, i64::from(address.offset))
    }

    /// `address + bytes`
    pub(crate) fn address_plus(&mut self, address: Address, bytes: u32) -> Address {
        address.plus(bytes).unwrap_or_else(|| {
            let base = self.address_value(address);
            let base = self.b.ins().iadd_imm_s(base, i64::from(bytes));
            Address {
                base,
                offset: 0,
                ..address
            }
        })
    }

    /// Loads one scalar as it is held.
    pub(super) fn load_scalar(&mut self, scalar: Scalar, address: Address) -> clif::Value {
        let ty = scalar.clif();
        let flags = memory_flags().with_alias_region(address.region);
        let value = self.b.ins().load(ty, flags, address.base, address.offset);
        self.wrap(scalar, value)
    }

    pub(super) fn store_part(&mut self, part: clif::Value, address: Address) {
        let is_vector = self.b.func.dfg.value_type(part).is_vector();
        let flags = if is_vector {
            MemFlagsData::new().with_notrap()
        } else {
            memory_flags()
        };
        let flags = flags.with_alias_region(address.region);
        self.b
            .ins()
            .store(flags, part, address.base, address.offset);
    }

    /// Loads a value. A descriptor in memory has the layout of the calling convention.
    pub(crate) fn load(&mut self, repr: &Repr, address: Address) -> Lowered {
        let n_parts = match repr {
            Repr::Scalar(scalar) => return Lowered::Scalar(self.load_scalar(*scalar, address)),
            Repr::Complex(part) => {
                let re = self.load_scalar(*part, address);
                let im_address = self.address_plus(address, part.byte_size());
                let im = self.load_scalar(*part, im_address);
                return Lowered::Complex([re, im]);
            }
            Repr::Vector(vector) if vector.is_of_bits() => {
                let elements = self.load_bits(vector, address);
                return self.with_elements(repr, &elements);
            }
            Repr::Vector(vector) => {
                let elements: Vec<clif::Value> = (0..vector.n_elements())
                    .map(|i| {
                        let at = self.address_plus(address, vector.scalar.byte_size() * i as u32);
                        self.load_scalar(vector.scalar, at)
                    })
                    .collect();
                return self.with_elements(repr, &elements);
            }
            Repr::Aggregate(aggregate) => {
                let members = aggregate.members.iter().zip(&aggregate.offsets);
                let members = members.map(|(member, &offset)| {
                    let at = self.address_plus(address, offset);
                    self.load(member, at)
                });
                return Lowered::Aggregate(members.collect());
            }
            Repr::MemRef(layout) => 3 + 2 * layout.rank(),
            Repr::UnrankedMemRef => 2,
        };
        let parts: SmallVec<[clif::Value; 8]> = (0..n_parts)
            .map(|i| {
                let at = self.address_plus(address, 8 * i as u32);
                self.b
                    .ins()
                    .load(types::I64, memory_flags(), at.base, at.offset)
            })
            .collect();
        self.with_parts(repr, &parts)
    }

    /// Loads a vector of bits.
    fn load_bits(&mut self, vector: &VectorRepr, address: Address) -> Vec<clif::Value> {
        let words = BitWords::of(vector);
        let mut elements = Vec::with_capacity(vector.n_elements());
        for i in 0..vector.n_elements() {
            let (offset, bit) = words.place(i);
            let at = self.address_plus(address, offset);
            // The same bytes are loaded once.
            let flags = memory_flags().with_alias_region(at.region);
            let word = self.b.ins().load(words.ty, flags, at.base, at.offset);
            let shifted = self.b.ins().ushr_imm_u(word, i64::from(bit));
            let byte = match words.ty {
                types::I8 => shifted,
                _ => self.b.ins().ireduce(types::I8, shifted),
            };
            elements.push(self.b.ins().band_imm_u(byte, 1));
        }
        elements
    }

    /// Stores a vector of bits. Those behind the elements of a row are zero.
    fn store_bits(&mut self, vector: &VectorRepr, elements: &[clif::Value], address: Address) {
        let words = BitWords::of(vector);
        let mut i = 0;
        while i < elements.len() {
            let (offset, _) = words.place(i);
            let mut word = self.b.ins().iconst(words.ty, 0);
            while i < elements.len() && words.place(i).0 == offset {
                let element = match words.ty {
                    types::I8 => elements[i],
                    ty => self.b.ins().uextend(ty, elements[i]),
                };
                let bit = i64::from(words.place(i).1);
                let shifted = self.b.ins().ishl_imm_u(element, bit);
                word = self.b.ins().bor(word, shifted);
                i += 1;
            }
            let at = self.address_plus(address, offset);
            self.store_part(word, at);
        }
    }

    /// Stores a value.
    pub(crate) fn store(&mut self, repr: &Repr, value: &Lowered, address: Address) {
        let parts = self.parts(value);
        if let Repr::Vector(vector) = repr
            && vector.is_of_bits()
        {
            return self.store_bits(vector, &parts, address);
        }
        let mut offset = 0;
        for part in parts {
            let at = self.address_plus(address, offset);
            self.store_part(part, at);
            offset += self.b.func.dfg.value_type(part).bytes();
        }
    }

    /// Bytes of a descriptor of this rank.
    pub(super) fn descriptor_bytes(&mut self, rank: Index) -> Index {
        let sizes_and_strides = self.mul(rank, Index::Const(16));
        self.add(sizes_and_strides, Index::Const(24))
    }

    /// Copies `bytes` bytes that do not overlap.
    pub(crate) fn copy_bytes(&mut self, to: clif::Value, from: clif::Value, bytes: Index) {
        let bytes = self.index_value(bytes);
        self.call_external(&crate::external::MEMCPY, &[to, from, bytes]);
    }
}

/// How the bits of a vector lie in integers: each row begins with a new one.
struct BitWords {
    ty: clif::Type,
    row: usize,
    row_bytes: usize,
}

impl BitWords {
    fn of(vector: &VectorRepr) -> Self {
        let row = vector.shape.last().copied().unwrap_or(1);
        let row_bytes = row.div_ceil(8).next_power_of_two();
        let ty = clif::Type::int_with_byte_size(row_bytes.min(8) as u16);
        Self {
            ty: ty.unwrap_or(types::I64),
            row,
            row_bytes,
        }
    }

    /// The offset of the integer that has element `i`, and the number of its bit there.
    fn place(&self, i: usize) -> (u32, u32) {
        let (row, bit) = (i / self.row, i % self.row);
        let bits = self.ty.bits() as usize;
        let offset = row * self.row_bytes + bit / bits * (bits / 8);
        (offset as u32, (bit % bits) as u32)
    }
}
