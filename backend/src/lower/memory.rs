//! Addresses of elements, and loads and stores of values of any type.

use std::cmp::Ordering;

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
            Repr::Vector(vector) if vector.is_packed() => {
                let elements = self.load_packed(vector, address, memory_flags());
                return self.with_elements(repr, &elements);
            }
            Repr::Vector(vector) => {
                let elements: Vec<clif::Value> = (0..vector.n_elements())
                    .map(|i| {
                        let at = self.address_plus(address, vector.offset(i));
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

    /// Loads a vector whose elements are packed bit by bit.
    pub(super) fn load_packed(
        &mut self,
        vector: &VectorRepr,
        address: Address,
        flags: MemFlagsData,
    ) -> Vec<clif::Value> {
        let flags = flags.with_alias_region(address.region);
        let words = Words::of(vector);
        let container = vector.scalar.clif();
        let mut elements = Vec::with_capacity(vector.n_elements());
        for i in 0..vector.n_elements() {
            let mut element = None;
            for (offset, shift) in words.places(i) {
                let at = self.address_plus(address, offset);
                // The same words are loaded once.
                let word = self.b.ins().load(words.ty, flags, at.base, at.offset);
                let part = self.moved_bits(word, container, -shift);
                element = Some(match element {
                    Some(others) => self.b.ins().bor(others, part),
                    None => part,
                });
            }
            let element = element.expect("elements have bits");
            // Those of floats, too.
            elements.push(self.wrap_int(vector.scalar.width(), element));
        }
        elements
    }

    /// Stores a vector whose elements are packed bit by bit. The bits behind those of a row in its last byte
    /// are zero.
    pub(super) fn store_packed(
        &mut self,
        vector: &VectorRepr,
        elements: &[clif::Value],
        address: Address,
        flags: MemFlagsData,
    ) {
        let flags = flags.with_alias_region(address.region);
        let words = Words::of(vector);
        let mut open: Option<(u32, clif::Value)> = None;
        for (i, &element) in elements.iter().enumerate() {
            for (offset, shift) in words.places(i) {
                let part = self.moved_bits(element, words.ty, shift);
                open = Some(match open {
                    Some((at, others)) if at == offset => (offset, self.b.ins().bor(others, part)),
                    full => {
                        self.store_word(full, address, flags);
                        (offset, part)
                    }
                });
            }
        }
        self.store_word(open, address, flags);
    }

    fn store_word(
        &mut self,
        word: Option<(u32, clif::Value)>,
        address: Address,
        flags: MemFlagsData,
    ) {
        if let Some((offset, word)) = word {
            let at = self.address_plus(address, offset);
            self.b.ins().store(flags, word, at.base, at.offset);
        }
    }

    /// The bits of `value` moved up (or down, if that is negative) on their way to another integer type.
    fn moved_bits(&mut self, value: clif::Value, to: clif::Type, up: i32) -> clif::Value {
        let lowered = match up {
            ..0 => (self.b.ins()).ushr_imm_u(value, i64::from(-up)),
            _ => value,
        };
        let bits = self.b.func.dfg.value_type(lowered).bits();
        let resized = match to.bits().cmp(&bits) {
            Ordering::Less => self.b.ins().ireduce(to, lowered),
            Ordering::Equal => lowered,
            Ordering::Greater => self.b.ins().uextend(to, lowered),
        };
        match up {
            1.. => self.b.ins().ishl_imm_u(resized, i64::from(up)),
            _ => resized,
        }
    }

    /// Stores a value.
    pub(crate) fn store(&mut self, repr: &Repr, value: &Lowered, address: Address) {
        let parts = self.parts(value);
        if let Repr::Vector(vector) = repr {
            if vector.is_packed() {
                return self.store_packed(vector, &parts, address, memory_flags());
            }
            // No register has elements of two rows unless these lie one behind the other.
            let lanes = usize::from(vector.lanes);
            if vector.row().is_multiple_of(lanes) || !vector.has_gaps() {
                for (i, part) in parts.into_iter().enumerate() {
                    let at = self.address_plus(address, vector.offset(i * lanes));
                    self.store_part(part, at);
                }
                return;
            }
            for (i, element) in self.elements_of(value, repr).into_iter().enumerate() {
                let at = self.address_plus(address, vector.offset(i));
                self.store_part(element, at);
            }
            return;
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

/// How packed elements lie in integers, which are as large as the bytes of a row allow.
struct Words {
    ty: clif::Type,
    /// Elements of a row.
    row: usize,
    /// Bytes from one row to the next.
    row_bytes: usize,
    /// Bits of an element.
    width: usize,
}

impl Words {
    fn of(vector: &VectorRepr) -> Self {
        let (row, width) = (vector.row(), vector.scalar.width() as usize);
        let bytes = 1 << (row * width).div_ceil(8).trailing_zeros().min(3);
        Self {
            ty: clif::Type::int_with_byte_size(bytes).unwrap_or(types::I8),
            row,
            row_bytes: vector.row_bytes(),
            width,
        }
    }

    /// The integers that have bits of element `i`: at which offset, and how far up its lowest bit is there.
    fn places(&self, i: usize) -> impl Iterator<Item = (u32, i32)> + use<> {
        let bits = self.ty.bits() as usize;
        let first = i % self.row * self.width;
        let row = i / self.row * self.row_bytes;
        (first / bits..(first + self.width).div_ceil(bits)).map(move |word| {
            let offset = row + word * (bits / 8);
            (offset as u32, first as i32 - (word * bits) as i32)
        })
    }
}
