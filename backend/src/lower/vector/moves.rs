//! Operations that only move elements, and masks.

use std::ops::Range;
use std::rc::Rc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, InstBuilder, types};
use freehold_frontend::dialects::vector::{self, numbers};
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::DYNAMIC;
use smallvec::SmallVec;

use super::{Coordinates, coordinates, linear};
use crate::lower::function::Lowering;
use crate::lower::function::LoweringTable;
use crate::lower::held::Elements;
use crate::lower::held::Index;
use crate::lower::held::Lowered;
use crate::lower::held::Parts;
use crate::lower::memory::Address;
use crate::repr::{Repr, Scalar, VectorRepr};

pub(super) static TABLE: LoweringTable = &[
    (&vector::BITCAST, lower_bitcast),
    (&vector::BROADCAST, lower_broadcast),
    (&vector::CONSTANT_MASK, lower_constant_mask),
    (&vector::CREATE_MASK, lower_create_mask),
    (&vector::DEINTERLEAVE, lower_deinterleave),
    (&vector::EXTRACT, lower_extract),
    (&vector::EXTRACT_ELEMENT, lower_extract_element),
    (&vector::EXTRACT_STRIDED_SLICE, lower_extract_strided_slice),
    (&vector::FLAT_TRANSPOSE, lower_flat_transpose),
    (&vector::FMA, super::lower_elementwise),
    (&vector::FROM_ELEMENTS, lower_from_elements),
    (&vector::TO_ELEMENTS, lower_to_elements),
    (&vector::INSERT, lower_insert),
    (&vector::INSERT_ELEMENT, lower_insert_element),
    (&vector::INSERT_STRIDED_SLICE, lower_insert_strided_slice),
    (&vector::INTERLEAVE, lower_interleave),
    (&vector::SHAPE_CAST, lower_shape_cast),
    (&vector::SHUFFLE, lower_shuffle),
    (&vector::SPLAT, lower_broadcast),
    (&vector::STEP, lower_step),
    (&vector::TRANSPOSE, lower_transpose),
];

impl Lowering<'_, '_> {
    /// The shape of a vector; none of other values.
    pub(super) fn vector_shape(&mut self, value: Value) -> Result<SmallVec<[usize; 4]>, Failed> {
        match self.repr(value)? {
            Repr::Vector(repr) => Ok(repr.shape.clone()),
            _ => Ok(SmallVec::new()),
        }
    }

    /// Sets the result of `op` to the elements of its first operand that `source` gives for the
    /// coordinates of the result.
    fn move_elements(
        &mut self,
        op: Op,
        source: impl Fn(&Coordinates) -> usize,
    ) -> Result<(), Failed> {
        let elements = self.elements(self.ir.operand(op, 0))?;
        let shape = self.vector_shape(self.ir.result(op, 0))?;
        let n: usize = shape.iter().product();
        let moved: Elements = (0..n)
            .map(|i| elements[source(&coordinates(&shape, i))])
            .collect();
        self.set_elements(op, &moved)
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

    /// The number of the first element at a position of numbers and values in a vector of this
    /// shape.
    fn position(
        &mut self,
        shape: &[usize],
        statics: &[i64],
        dynamic: &[Value],
    ) -> Result<Index, Failed> {
        let mut dynamic = dynamic.iter();
        let mut number = Index::Const(0);
        for (dim, &size) in shape.iter().enumerate() {
            number = self.mul(number, Index::Const(size as i64));
            let index = match statics.get(dim) {
                None => Index::Const(0),
                Some(&DYNAMIC) => match dynamic.next() {
                    Some(&value) => self.index(value)?,
                    None => Index::Const(0),
                },
                Some(&index) => Index::Const(index),
            };
            number = self.add(number, index);
        }
        Ok(number)
    }

    /// A position of any integer type as an index.
    fn scalar_position(&mut self, position: Option<&Value>) -> Result<Index, Failed> {
        let Some(&position) = position else {
            return Ok(Index::Const(0));
        };
        let index = self.index(position)?;
        let Index::Value(value) = index else {
            return Ok(index);
        };
        Ok(Index::Value(match self.b.func.dfg.value_type(value) {
            types::I64 => value,
            types::I128 => self.b.ins().ireduce(types::I64, value),
            _ => self.b.ins().uextend(types::I64, value),
        }))
    }

    /// The `n` elements from number `first` on.
    fn extract_at(&mut self, scalar: Scalar, all: &Elements, first: Index, n: usize) -> Elements {
        match first {
            Index::Const(first) => match usize::try_from(first) {
                Ok(first) if first + n <= all.len() => all[first..first + n].into(),
                // Beyond the end: any value will do.
                _ => all[..n].into(),
            },
            Index::Value(_) => {
                let base = self.spill(all);
                let bytes = self.mul(first, Index::Const(i64::from(scalar.byte_size())));
                let at = self.add(Index::Value(base), bytes);
                let at = self.index_value(at);
                self.reload(scalar, at, n)
            }
        }
    }

    /// `all` with `new` in place of the elements from number `first` on.
    fn insert_at(
        &mut self,
        scalar: Scalar,
        all: &Elements,
        new: &Elements,
        first: Index,
    ) -> Elements {
        match first {
            Index::Const(first) => {
                let mut all = all.clone();
                if let Ok(first) = usize::try_from(first)
                    && let Some(old) = all.get_mut(first..first + new.len())
                {
                    old.copy_from_slice(new);
                }
                all
            }
            Index::Value(_) => {
                let base = self.spill(all);
                let bytes = self.mul(first, Index::Const(i64::from(scalar.byte_size())));
                let at = self.add(Index::Value(base), bytes);
                let at = self.index_value(at);
                for (i, &element) in new.iter().enumerate() {
                    let offset = (scalar.byte_size() as usize * i) as i32;
                    self.store_part(element, Address::new(at, offset));
                }
                self.reload(scalar, base, all.len())
            }
        }
    }
}

fn lower_bitcast(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (source, result) = (cx.ir.operand(op, 0), cx.ir.result(op, 0));
    let (from, to) = (cx.vector_repr(op, source)?, cx.vector_repr(op, result)?);
    // The same bits under the other sign.
    if from.scalar == to.scalar {
        return cx.move_elements(op, |at| linear(&from.shape, at.iter().copied()));
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

/// Matrices are stored column after column, as LLVM has them by default.
fn lower_flat_transpose(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let sizes = vector::transpose_sizes(cx.ir, op);
    let [rows, columns] = sizes.map(|size| usize::try_from(size).unwrap_or(1));
    cx.move_elements(op, |to| to[0] % columns * rows + to[0] / columns)
}

fn lower_broadcast(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let source = cx.vector_shape(cx.ir.operand(op, 0))?;
    cx.move_elements(op, |to| {
        let leading = to.len() - source.len();
        let own = source.iter().zip(&to[leading..]);
        linear(
            &source,
            own.map(|(&size, &c)| if size == 1 { 0 } else { c }),
        )
    })
}

fn lower_constant_mask(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let bounds = numbers(cx.ir, op, Name::MASK_DIM_SIZES);
    let shape = cx.vector_shape(cx.ir.result(op, 0))?;
    let n: usize = shape.iter().product();
    let [zero, one] = [0, 1].map(|bit| cx.b.ins().iconst(types::I8, bit));
    let elements: Elements = (0..n)
        .map(|i| {
            let at = coordinates(&shape, i);
            let is_set = match shape.is_empty() {
                true => bounds.first() == Some(&1),
                false => at
                    .iter()
                    .zip(&bounds)
                    .all(|(&c, &bound)| (c as i64) < bound),
            };
            if is_set { one } else { zero }
        })
        .collect();
    cx.set_elements(op, &elements)
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

fn lower_deinterleave(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let elements = cx.elements(cx.ir.operand(op, 0))?;
    for parity in 0..2 {
        let half: Elements = elements.iter().copied().skip(parity).step_by(2).collect();
        cx.set_value_elements(cx.ir.result(op, parity), &half)?;
    }
    Ok(())
}

fn lower_interleave(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let lhs = cx.elements(cx.ir.operand(op, 0))?;
    let rhs = cx.elements(cx.ir.operand(op, 1))?;
    let both: Elements = lhs.iter().zip(&rhs).flat_map(|(&a, &b)| [a, b]).collect();
    cx.set_elements(op, &both)
}

fn lower_extract(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let source = cx.ir.operand(op, 0);
    let repr = cx.vector_repr(op, source)?;
    let statics = numbers(cx.ir, op, Name::STATIC_POSITION);
    let first = cx.position(&repr.shape, &statics, &cx.ir.operands(op)[1..])?;
    let elements = cx.elements(source)?;
    let n: usize = repr.shape[statics.len()..].iter().product();
    let part = cx.extract_at(repr.scalar, &elements, first, n);
    cx.set_elements(op, &part)
}

fn lower_extract_element(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let source = cx.ir.operand(op, 0);
    let repr = cx.vector_repr(op, source)?;
    let first = cx.scalar_position(cx.ir.operands(op).get(1))?;
    let elements = cx.elements(source)?;
    let part = cx.extract_at(repr.scalar, &elements, first, 1);
    cx.set_elements(op, &part)
}

fn lower_extract_strided_slice(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let source = cx.vector_shape(cx.ir.operand(op, 0))?;
    let offsets = numbers(cx.ir, op, Name::OFFSETS);
    cx.move_elements(op, |to| {
        let shifted = to
            .iter()
            .enumerate()
            .map(|(dim, &c)| c + offsets.get(dim).map_or(0, |&offset| offset as usize));
        linear(&source, shifted)
    })
}

fn lower_from_elements(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let mut elements = Elements::new();
    for &operand in cx.ir.operands(op) {
        elements.push(cx.scalar(operand)?);
    }
    cx.set_elements(op, &elements)
}

fn lower_to_elements(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let elements = cx.elements(cx.ir.operand(op, 0))?;
    for (i, &element) in elements.iter().enumerate() {
        cx.set_value_elements(cx.ir.result(op, i), &[element])?;
    }
    Ok(())
}

fn lower_insert(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (source, dest) = (cx.ir.operand(op, 0), cx.ir.operand(op, 1));
    let repr = cx.vector_repr(op, dest)?;
    let statics = numbers(cx.ir, op, Name::STATIC_POSITION);
    let first = cx.position(&repr.shape, &statics, &cx.ir.operands(op)[2..])?;
    let (new, all) = (cx.elements(source)?, cx.elements(dest)?);
    let elements = cx.insert_at(repr.scalar, &all, &new, first);
    cx.set_elements(op, &elements)
}

fn lower_insert_element(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (source, dest) = (cx.ir.operand(op, 0), cx.ir.operand(op, 1));
    let repr = cx.vector_repr(op, dest)?;
    let first = cx.scalar_position(cx.ir.operands(op).get(2))?;
    let (new, all) = (cx.elements(source)?, cx.elements(dest)?);
    let elements = cx.insert_at(repr.scalar, &all, &new, first);
    cx.set_elements(op, &elements)
}

fn lower_insert_strided_slice(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (source, dest) = (cx.ir.operand(op, 0), cx.ir.operand(op, 1));
    let (from, to) = (cx.vector_shape(source)?, cx.vector_shape(dest)?);
    let offsets = numbers(cx.ir, op, Name::OFFSETS);
    let (new, mut all) = (cx.elements(source)?, cx.elements(dest)?);
    let leading = to.len() - from.len();
    for (i, &element) in new.iter().enumerate() {
        let own = coordinates(&from, i);
        let at = offsets.iter().enumerate().map(|(dim, &offset)| {
            offset as usize + if dim < leading { 0 } else { own[dim - leading] }
        });
        all[linear(&to, at)] = element;
    }
    cx.set_elements(op, &all)
}

fn lower_shape_cast(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let elements = cx.elements(cx.ir.operand(op, 0))?;
    cx.set_elements(op, &elements)
}

fn lower_shuffle(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (first, second) = (cx.ir.operand(op, 0), cx.ir.operand(op, 1));
    if let Some(shuffled) = shuffle_registers(cx, op)? {
        cx.set(
            cx.ir.result(op, 0),
            Lowered::Vector(Rc::from(&shuffled[..])),
        );
        return Ok(());
    }
    let shape = cx.vector_shape(first)?;
    let row: usize = shape.iter().skip(1).product();
    let mut all = cx.elements(first)?;
    all.extend(cx.elements(second)?);
    let mut elements = Elements::new();
    for index in numbers(cx.ir, op, Name::MASK) {
        let start = index as usize * row;
        elements.extend_from_slice(&all[start..start + row]);
    }
    cx.set_elements(op, &elements)
}

/// A shuffle whose operands and result are in registers, if each register of the result is one of the operands'
/// or made of two of them.
fn shuffle_registers(cx: &mut Lowering<'_, '_>, op: Op) -> Result<Option<Parts>, Failed> {
    let result = cx.repr(cx.ir.result(op, 0))?;
    let Some((repr, first)) = cx.registers(cx.ir.operand(op, 0))? else {
        return Ok(None);
    };
    let Some((_, second)) = cx.registers(cx.ir.operand(op, 1))? else {
        return Ok(None);
    };
    let ty = repr.part_type();
    let is_in_registers = matches!(result, Repr::Vector(result) if result.part_type() == ty);
    if !is_in_registers || repr.shape.len() != 1 || ty.bytes() != 16 {
        return Ok(None);
    }
    let sources: Parts = first.iter().chain(&second).copied().collect();
    let places = numbers(cx.ir, op, Name::MASK);
    let lanes = ty.lane_count() as usize;
    // All are looked at before anything is emitted.
    let mut plans = Vec::new();
    for places in places.chunks_exact(lanes) {
        let Some(plan) = RegisterShuffle::of(places, cx.program.shuffles_bytes, ty) else {
            return Ok(None);
        };
        plans.push(plan);
    }
    let shuffled = plans.into_iter().map(|plan| match plan {
        RegisterShuffle::Copy(source) => sources[source],
        RegisterShuffle::Two([a, b], bytes) => {
            cx.shuffle_bytes(sources[a], sources[b], |i| bytes[usize::from(i)])
        }
    });
    Ok(Some(shuffled.collect()))
}

/// How a register is made of others.
enum RegisterShuffle {
    /// One of them.
    Copy(usize),
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

fn lower_step(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let n = cx.vector_repr(op, cx.ir.result(op, 0))?.n_elements();
    let elements: Elements = (0..n)
        .map(|i| cx.b.ins().iconst(types::I64, i as i64))
        .collect();
    cx.set_elements(op, &elements)
}

fn lower_transpose(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let source = cx.vector_shape(cx.ir.operand(op, 0))?;
    let permutation = numbers(cx.ir, op, Name::PERMUTATION);
    cx.move_elements(op, |to| {
        let mut from: Coordinates = SmallVec::from_elem(0, source.len());
        for (&dim, &c) in permutation.iter().zip(to) {
            from[dim as usize] = c;
        }
        linear(&source, from)
    })
}
