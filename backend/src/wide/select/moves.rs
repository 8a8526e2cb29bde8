//! Operations that put elements elsewhere: broadcasts, shuffles, transposes, parts of vectors.
//!
//! Each operation is a shuffle; [`super::permute`] selects its instructions. Masks are moved as bytes.

use std::collections::hash_map::Entry;

use freehold_frontend::dialects::vector::{self, Coordinates, numbers, sizes_of};
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{Type, TypeKind};
use regalloc2::VReg;
use rustc_hash::FxHashMap;

use super::permute::{Place, Pool, place};
use super::{Element, Held, Registers, Select, Shape};
use crate::vector::places::{Moved, Source, is_move, moved, taken_apart};
use crate::wide::code::Size;
use crate::wide::refusal::{Reason, Refusal};

impl Select<'_> {
    /// The sizes of a vector; none of other values.
    pub(super) fn dims(&self, value: Value) -> Coordinates {
        sizes_of(self.ir, value)
    }

    /// For each element of a result, the value that it is from and its number there; `None` for operations
    /// that do more than to move elements.
    fn sources(&self, op: Op, number: usize) -> Result<Option<Vec<Source>>, Refusal> {
        match moved(self.ir, op, number, |value| self.waits(value)) {
            None => Ok(None),
            Some(Moved::Known(sources)) => Ok(Some(sources)),
            Some(Moved::Unknown) => self.refuse(Reason::UnknownPosition),
        }
    }

    /// Whether a vector is made where something wants it whole: others in its block take elements from where they are.
    pub(super) fn waits(&self, value: Value) -> bool {
        let ir = self.ir;
        let block = ir.value_block(value);
        taken_apart(ir, value).is_some()
            && block.is_some_and(|block| self.blocks.contains_key(&block))
            && self.mask_lanes(self.ty(value)).is_none()
            && (ir.uses(value).iter())
                .all(|used| is_move(ir, used.op) && ir.block_of(used.op) == block)
    }

    /// The registers of a vector, a float or a number, with masks as bytes.
    pub(super) fn movable(&mut self, value: Value) -> Result<(Registers, Shape), Refusal> {
        let ty = self.ty(value);
        if self.mask_lanes(ty).is_some() {
            return self.mask_bytes(value);
        }
        if self.shape(ty).is_some() {
            return Ok((self.lanes(value)?, self.shape_of(value)?));
        }
        let Some(width) = self.int_width(ty) else {
            return self.refuse(Reason::NoRegisters);
        };
        let number = self.number(value)?;
        let register = self.register(number);
        let register = self.in_vector_register(register);
        Ok((
            Registers::from_elem(register, 1),
            Shape::one(Element::Int(width.max(8))),
        ))
    }

    /// Moves elements, if that is all that `op` does.
    pub(super) fn move_elements(&mut self, op: Op) -> Result<bool, Refusal> {
        let ir = self.ir;
        if ir.is(op, &vector::BITCAST) {
            return self.bitcast(op).map(|()| true);
        }
        if let Some(registers) = self.transpose_squares(op)? {
            self.held.insert(ir.result(op, 0), Held::Lanes(registers));
            return Ok(true);
        }
        for (number, &result) in ir.results(op).iter().enumerate() {
            let Some(sources) = self.sources(op, number)? else {
                return Ok(false);
            };
            let mut pool: Option<Pool> = None;
            // The places of the elements of each value.
            let mut known: FxHashMap<Value, Vec<Place>> = FxHashMap::default();
            let mut places: Vec<Place> = Vec::with_capacity(sources.len());
            for (value, i) in sources {
                places.push(match known.entry(value) {
                    Entry::Occupied(known) => known.get()[i],
                    Entry::Vacant(new) => new.insert(self.add_to_pool(&mut pool, value)?)[i],
                });
            }
            let Some(mut pool) = pool else {
                return self.refuse(Reason::EmptyVector);
            };
            let held = self.moved(&mut pool, &places, result)?;
            self.held.insert(result, held);
        }
        Ok(true)
    }

    /// Adds the registers of a value to those that elements are picked from, and says where its elements are.
    pub(super) fn add_to_pool(
        &mut self,
        pool: &mut Option<Pool>,
        value: Value,
    ) -> Result<Vec<Place>, Refusal> {
        if let Some(Held::Elements(registers)) = self.held.get(&value) {
            let bits = self.shape_of(value)?.element.bits();
            let pool = pool.get_or_insert_with(|| Pool::new(bits));
            let first = pool.add(registers, Size::X);
            return Ok((0..registers.len()).map(|i| (first + i, 0)).collect());
        }
        let (registers, shape) = self.movable(value)?;
        let pool = pool.get_or_insert_with(|| Pool::new(shape.element.bits()));
        let first = pool.add(&registers, shape.size);
        Ok((0..shape.n).map(|i| place(first, shape, i)).collect())
    }

    /// Rows to columns in squares of 128 bits a side, if there are whole ones: these are put next to each other, and
    /// then the first half of their rows is interleaved with the second one as often as their number can be halved.
    fn transpose_squares(&mut self, op: Op) -> Result<Option<Registers>, Refusal> {
        let ir = self.ir;
        if !ir.is(op, &vector::TRANSPOSE) || numbers(ir, op, Name::PERMUTATION) != [1, 0] {
            return Ok(None);
        }
        let (from, to) = (ir.operand(op, 0), ir.result(op, 0));
        let (Some(shape), Some(result)) = (self.shape(self.ty(from)), self.shape(self.ty(to)))
        else {
            return Ok(None);
        };
        let side = Size::X.bytes() / shape.element.bytes();
        let [rows, columns] = [result.row, shape.row];
        if rows % side != 0 || columns % side != 0 {
            return Ok(None);
        }
        let registers = self.lanes(from)?;
        let mut pool = Pool::new(shape.element.bits());
        pool.add(&registers, shape.size);
        let one = result.one_register();
        let per_row = rows / one.n;
        let mut transposed = vec![None; result.n_registers()];
        for (left, first) in (0..columns).step_by(side).flat_map(|left| {
            let firsts = (0..rows).step_by(one.n);
            firsts.map(move |first| (left, first))
        }) {
            let mut lines = (0..side)
                .map(|row| {
                    let places: Vec<Place> = (0..one.n)
                        .map(|lane| {
                            let row = first + lane / side * side + row;
                            place(0, shape, row * columns + left + lane % side)
                        })
                        .collect();
                    Ok(self.pick_all(&mut pool, &places, one)?[0])
                })
                .collect::<Result<Vec<VReg>, Refusal>>()?;
            for _ in 0..side.trailing_zeros() {
                lines = self.interleave_halves(&lines, one)?;
            }
            for (column, line) in lines.into_iter().enumerate() {
                transposed[(left + column) * per_row + first / one.n] = Some(line);
            }
        }
        Ok(transposed.into_iter().collect())
    }

    /// Each register of the first half interleaved with that of the second half, in each 128 bits.
    fn interleave_halves(&mut self, lines: &[VReg], one: Shape) -> Result<Vec<VReg>, Refusal> {
        let side = lines.len();
        let (upper, lower) = lines.split_at(side / 2);
        let mut interleaved = Vec::new();
        for (&a, &b) in upper.iter().zip(lower) {
            let mut pool = Pool::new(one.element.bits());
            pool.add(&[a, b], one.size);
            for half in [0, side / 2] {
                let at = |lane: usize| (lane % 2, lane / side * side + half + lane % side / 2);
                let places: Vec<Place> = (0..one.n).map(at).collect();
                interleaved.extend(self.pick_all(&mut pool, &places, one)?);
            }
        }
        Ok(interleaved)
    }

    /// A value whose elements are at these places.
    fn moved(&mut self, pool: &mut Pool, places: &[Place], result: Value) -> Result<Held, Refusal> {
        let ty = self.ty(result);
        if let Some(n) = self.mask_lanes(ty) {
            let shape = self.byte_shape(ty, n)?;
            let registers = self.pick_all(pool, places, shape)?;
            return Ok(Held::Bytes(registers, shape));
        }
        if let Some(shape) = self.shape(ty) {
            let registers = self.pick_all(pool, places, shape)?;
            return Ok(self.as_held(shape, registers));
        }
        let Some(width) = self.int_width(ty) else {
            return self.refuse(Reason::NoRegisters);
        };
        let wanted: Vec<Option<Place>> = places.iter().copied().map(Some).collect();
        let register = self.pick(pool, &wanted, Size::X)?;
        self.first_lane(register, width).map(Held::Number)
    }

    /// The same bits as other elements.
    fn bitcast(&mut self, op: Op) -> Result<(), Refusal> {
        let ir = self.ir;
        let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
        let (from, to) = (self.shape_of(source)?, self.shape_of(result)?);
        let is_same = from.size == to.size
            && from.n * from.element.bytes() == to.n * to.element.bytes()
            && from.n_registers() == to.n_registers();
        if !is_same {
            return self.refuse(Reason::Cast);
        }
        let registers = self.lanes(source)?;
        let held = self.as_held(to, registers);
        self.held.insert(result, held);
        Ok(())
    }

    /// A register with the integers from `first` on.
    pub(super) fn counting(&mut self, shape: Shape, first: usize) -> Result<VReg, Refusal> {
        let bytes = shape.element.bytes();
        let numbers = first..first + shape.per_register();
        let numbers: Vec<u8> = numbers
            .flat_map(|i| (i as u64).to_le_bytes()[..bytes].to_vec())
            .collect();
        self.constant_register(shape.size, &numbers)
    }

    /// How a vector of `n` elements of `i1` is held as bytes.
    pub(super) fn byte_shape(&self, ty: Type, n: usize) -> Result<Shape, Refusal> {
        let row = match self.context.type_kind(ty) {
            TypeKind::Vector { shape, .. } => shape.last().map_or(1, |&size| size as usize),
            _ => 1,
        };
        match Shape::new(Element::Int(8), row, n, self.level.widest) {
            Some(shape) => Ok(shape),
            None => self.refuse(Reason::PartialRegister),
        }
    }
}
