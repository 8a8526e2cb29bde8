//! Operations that only move elements, and masks.

use std::ops::Range;
use std::rc::Rc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, InstBuilder, types};
use freehold_frontend::dialects::vector::{self, coordinates};
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use smallvec::SmallVec;

use crate::lower::function::Lowering;
use crate::lower::function::LoweringTable;
use crate::lower::held::Elements;
use crate::lower::held::Lowered;
use crate::lower::held::Parts;
use crate::lower::memory::Address;
use crate::program::unsupported_op;
use crate::repr::{Repr, Scalar, VectorRepr};
use crate::vector::places::{self, Moved, Source};

pub(super) static TABLE: LoweringTable = &[
    (&vector::BITCAST, lower_bitcast),
    (&vector::BROADCAST, lower_moved),
    (&vector::CREATE_MASK, lower_create_mask),
    (&vector::DEINTERLEAVE, lower_moved),
    (&vector::EXTRACT, lower_moved),
    (&vector::EXTRACT_STRIDED_SLICE, lower_moved),
    (&vector::FROM_ELEMENTS, lower_moved),
    (&vector::TO_ELEMENTS, lower_moved),
    (&vector::INSERT, lower_moved),
    (&vector::INSERT_STRIDED_SLICE, lower_moved),
    (&vector::INTERLEAVE, lower_moved),
    (&vector::SHAPE_CAST, lower_moved),
    (&vector::SHUFFLE, lower_moved),
    (&vector::TRANSPOSE, lower_moved),
];

impl Lowering<'_, '_> {
    /// The shape of a vector; none of other values.
    pub(super) fn vector_shape(&mut self, value: Value) -> Result<SmallVec<[usize; 4]>, Failed> {
        match self.repr(value)? {
            Repr::Vector(repr) => Ok(repr.shape.clone()),
            _ => Ok(SmallVec::new()),
        }
    }

    /// Sets the results of `op` to elements of other values, if that is all that it does and it is known which.
    fn move_elements(&mut self, op: Op) -> Result<bool, Failed> {
        for (number, &result) in self.ir.results(op).iter().enumerate() {
            let is_here = |value| self.defining_op(value).is_some();
            let Some(Moved::Known(sources)) = places::moved(self.ir, op, number, is_here) else {
                return Ok(false);
            };
            if let Some(parts) = self.move_registers(result, &sources)? {
                self.set(result, Lowered::Vector(Rc::from(&parts[..])));
                continue;
            }
            let mut known: SmallVec<[(Value, Elements); 2]> = SmallVec::new();
            let mut moved = Elements::with_capacity(sources.len());
            for (value, i) in sources {
                if known.last().is_none_or(|last| last.0 != value)
                    && !known.iter().any(|known| known.0 == value)
                {
                    known.push((value, self.elements(value)?));
                }
                let of = known.iter().rfind(|known| known.0 == value);
                moved.extend(of.map(|(_, elements)| elements[i]));
            }
            self.set_value_elements(result, &moved)?;
        }
        Ok(true)
    }

    /// The registers of a vector with these elements, if each is one of those that the elements are in, or one
    /// instruction makes it of them.
    fn move_registers(
        &mut self,
        result: Value,
        sources: &[Source],
    ) -> Result<Option<Parts>, Failed> {
        let Repr::Vector(repr) = self.repr(result)? else {
            return Ok(None);
        };
        let ty = repr.part_type();
        if repr.lanes == 1 {
            return Ok(None);
        }
        let mut registers = Parts::new();
        let mut firsts: SmallVec<[(Value, usize); 2]> = SmallVec::new();
        let mut places = Vec::with_capacity(sources.len());
        for &(value, i) in sources {
            let first = match firsts.iter().rfind(|first| first.0 == value) {
                Some(&(_, first)) => first,
                None => match self.registers(value)? {
                    Some((from, parts)) if from.part_type() == ty => {
                        let first = registers.len() * usize::from(repr.lanes);
                        firsts.push((value, first));
                        registers.extend(parts);
                        first
                    }
                    _ => return Ok(None),
                },
            };
            places.push((first + i) as i64);
        }
        // All are looked at before anything is emitted.
        let mut plans = Vec::new();
        for places in places.chunks_exact(usize::from(repr.lanes)) {
            match RegisterShuffle::of(places, self.program.shuffles_bytes, ty) {
                Some(plan) => plans.push(plan),
                None => return Ok(None),
            }
        }
        let shuffled = plans.into_iter().map(|plan| match plan {
            RegisterShuffle::Copy(source) => registers[source],
            RegisterShuffle::Splat(source, lane) => {
                let element = self.b.ins().extractlane(registers[source], lane);
                self.b.ins().splat(ty, element)
            }
            RegisterShuffle::Two([a, b], bytes) => {
                self.shuffle_bytes(registers[a], registers[b], |i| bytes[usize::from(i)])
            }
        });
        Ok(Some(shuffled.collect()))
    }

    /// Stores elements one after the other in the frame; returns their address.
    fn spill(&mut self, elements: &[clif::Value]) -> clif::Value {
        let size = self.b.func.dfg.value_type(elements[0]).bytes();
        let slot = self.stack_slot(size * elements.len() as u32);
        let address = self.b.ins().stack_addr(types::I64, slot, 0);
        for (i, &element) in elements.iter().enumerate() {
            let at = Address::new(address, (size as usize * i) as i32);
            self.store_part(element, at);
        }
        address
    }

    /// Loads `n` elements that lie one after the other.
    fn reload(&mut self, scalar: Scalar, base: clif::Value, n: usize) -> Elements {
        let size = scalar.byte_size() as usize;
        (0..n)
            .map(|i| {
                let offset = (size * i) as i32;
                self.load_scalar(scalar, Address::new(base, offset))
            })
            .collect()
    }
}

fn lower_bitcast(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (source, result) = (cx.ir.operand(op, 0), cx.ir.result(op, 0));
    let (from, to) = (cx.vector_repr(op, source)?, cx.vector_repr(op, result)?);
    // The same bits under the other sign.
    if from.scalar == to.scalar {
        let elements = cx.elements(source)?;
        return cx.set_elements(op, &elements);
    }
    if from.scalar == Scalar::Int(1) && !to.scalar.is_odd_width() && to.scalar.byte_size() <= 8 {
        return pack_bits(cx, op, &to);
    }
    if to.scalar == Scalar::Int(1) && !from.scalar.is_odd_width() && from.scalar.byte_size() <= 8 {
        return unpack_bits(cx, op, &from);
    }
    // Bits of odd widths are packed where there are no bytes to speak of.
    if from.scalar.is_odd_width() || to.scalar.is_odd_width() {
        return Err(cx.unsupported_on(op, cx.ir.value_type(source)));
    }
    let elements = cx.elements(source)?;
    let moved = if from.scalar.byte_size() == to.scalar.byte_size() {
        let ty = to.scalar.clif();
        elements.iter().map(|&e| cx.bitcast(ty, e)).collect()
    } else {
        let base = cx.spill(&elements);
        cx.reload(to.scalar, base, to.n_elements())
    };
    cx.set_elements(op, &moved)
}

/// The integer type as large as elements of a vector.
fn word_of(repr: &VectorRepr) -> clif::Type {
    clif::Type::int_with_byte_size(repr.scalar.byte_size() as u16).unwrap_or(types::I64)
}

/// Bits as elements of `to`, the first one lowest.
fn pack_bits(cx: &mut Lowering<'_, '_>, op: Op, to: &VectorRepr) -> Result<(), Failed> {
    let bits = cx.elements(cx.ir.operand(op, 0))?;
    let word = word_of(to);
    let mut packed = Elements::new();
    for group in bits.chunks(word.bits() as usize) {
        let mut sum = cx.b.ins().iconst(word, 0);
        for (i, &bit) in (0..).zip(group) {
            let bit = match word {
                types::I8 => bit,
                _ => cx.b.ins().uextend(word, bit),
            };
            let shifted = cx.b.ins().ishl_imm_u(bit, i);
            sum = cx.b.ins().bor(sum, shifted);
        }
        packed.push(cx.bitcast(to.scalar.clif(), sum));
    }
    cx.set_elements(op, &packed)
}

/// Elements of `from` as bits, the lowest one first.
fn unpack_bits(cx: &mut Lowering<'_, '_>, op: Op, from: &VectorRepr) -> Result<(), Failed> {
    let elements = cx.elements(cx.ir.operand(op, 0))?;
    let word = word_of(from);
    let mut bits = Elements::new();
    for element in elements {
        let element = cx.bitcast(word, element);
        for i in 0..i64::from(word.bits()) {
            let shifted = cx.b.ins().ushr_imm_u(element, i);
            let byte = match word {
                types::I8 => shifted,
                _ => cx.b.ins().ireduce(types::I8, shifted),
            };
            bits.push(cx.b.ins().band_imm_u(byte, 1));
        }
    }
    cx.set_elements(op, &bits)
}

fn lower_moved(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    match cx.move_elements(op)? {
        true => Ok(()),
        false => Err(unsupported_op(cx.ir, op, cx.diagnostics)),
    }
}

fn lower_create_mask(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let shape = cx.vector_shape(cx.ir.result(op, 0))?;
    let mut bits: SmallVec<[Elements; 4]> = SmallVec::new();
    for (dim, &bound) in cx.ir.operands(op).iter().enumerate() {
        let bound = cx.scalar(bound)?;
        let size = shape.get(dim).copied().unwrap_or(1);
        let below = (0..size).map(|i| {
            cx.b.ins()
                .icmp_imm_s(IntCC::SignedGreaterThan, bound, i as i64)
        });
        bits.push(below.collect());
    }
    let n: usize = shape.iter().product();
    let elements: Elements = (0..n)
        .map(|i| {
            let at = coordinates(&shape, i);
            if shape.is_empty() {
                return bits[0][0];
            }
            let mut bit = bits[0][at[0]];
            for (dim, &c) in at.iter().enumerate().skip(1) {
                bit = cx.b.ins().band(bit, bits[dim][c]);
            }
            bit
        })
        .collect();
    cx.set_elements(op, &elements)
}

/// How a register is made of others.
enum RegisterShuffle {
    /// One of them.
    Copy(usize),
    /// A lane of one of them, in all lanes.
    Splat(usize, u8),
    /// The bytes at these places of two, one after the other.
    Two([usize; 2], [u8; 16]),
}

impl RegisterShuffle {
    /// A register of `ty` with the elements at these places of all others one after the other, if there is an
    /// instruction for it.
    fn of(places: &[i64], shuffles_bytes: bool, ty: clif::Type) -> Option<Self> {
        let n = i64::from(ty.lane_count());
        let source = |place: i64| (place / n) as usize;
        let first = source(places[0]);
        let start = first as i64 * n;
        if (start..).zip(places).all(|(at, &place)| at == place) {
            return Some(Self::Copy(first));
        }
        if places.iter().all(|&place| place == places[0]) {
            return Some(Self::Splat(first, (places[0] % n) as u8));
        }
        let mut others = places.iter().map(|&place| source(place));
        let second = others.find(|&other| other != first).unwrap_or(first);
        if others.any(|other| other != first && other != second) {
            return None;
        }
        let local: SmallVec<[i64; 16]> = (places.iter())
            .map(|&place| match source(place) == first {
                true => place % n,
                false => n + place % n,
            })
            .collect();
        let size = (ty.lane_bits() / 8) as u8;
        // `shufps` and those that interleave halves every x86-64 processor has.
        let in_words =
            |half: Range<i64>| half.map(|word| local[(word * 4 / i64::from(size)) as usize]);
        let is_pair_of_words = size >= 4
            && in_words(0..2).all(|place| place < n)
            && in_words(2..4).all(|place| place >= n);
        let is_interleaved = |start: i64| {
            let mut pairs = (start..).zip(local.chunks_exact(2));
            pairs.all(|(at, pair)| *pair == [at, n + at])
        };
        let is_simple = is_pair_of_words || is_interleaved(0) || is_interleaved(n / 2);
        let bytes = std::array::from_fn(|byte| {
            local[byte / usize::from(size)] as u8 * size + byte as u8 % size
        });
        (shuffles_bytes || is_simple).then_some(Self::Two([first, second], bytes))
    }
}
