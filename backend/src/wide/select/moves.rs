//! Operations that put elements elsewhere: broadcasts, shuffles, transposes, parts of vectors.
//!
//! Each is a list of which element of which operand an element of the result is; [`super::permute`] makes
//! instructions of it. Masks are moved as bytes.

use freehold_frontend::dialects::arith;
use freehold_frontend::dialects::vector::{self, numbers};
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, Type, TypeKind};
use regalloc2::VReg;
use smallvec::SmallVec;

use super::permute::{Place, Pool, place};
use super::{Element, Held, Registers, Select, Shape};
use crate::wide::code::Size;
use crate::wide::refusal::{Reason, Refusal};

/// Sizes of a vector, or coordinates.
pub(super) type Dims = SmallVec<[usize; 4]>;

/// The coordinates of element `i` of a vector of these sizes.
pub(super) fn coordinates(sizes: &[usize], mut i: usize) -> Dims {
    let mut at = Dims::from_elem(0, sizes.len());
    for (coordinate, &size) in at.iter_mut().zip(sizes).rev() {
        *coordinate = i % size;
        i /= size;
    }
    at
}

/// The number of the element at these coordinates.
pub(super) fn linear(sizes: &[usize], at: impl IntoIterator<Item = usize>) -> usize {
    (sizes.iter().zip(at)).fold(0, |i, (&size, c)| i * size + c)
}

impl Select<'_> {
    /// The sizes of a vector; none of other values.
    pub(super) fn dims(&self, value: Value) -> Dims {
        match self.context.type_kind(self.ty(value)) {
            TypeKind::Vector { shape, .. } => shape.iter().map(|&size| size as usize).collect(),
            _ => Dims::new(),
        }
    }

    /// Numbers of an attribute that are not negative.
    fn places_of(&self, op: Op, name: Name) -> Result<Dims, Refusal> {
        let numbers: Option<Dims> = (numbers(self.ir, op, name).into_iter())
            .map(|number| usize::try_from(number).ok())
            .collect();
        match numbers {
            Some(numbers) => Ok(numbers),
            None => self.refuse(Reason::NoElements),
        }
    }

    /// A position of known numbers in a vector of these sizes, as the number of its first element.
    fn position(&self, op: Op, sizes: &[usize], dynamic: usize) -> Result<(usize, usize), Refusal> {
        let ir = self.ir;
        let mut rest = ir.operands(op)[dynamic..].iter();
        let mut at = Dims::new();
        let statics = match ir.attr(op, Name::STATIC_POSITION) {
            Some(_) => numbers(ir, op, Name::STATIC_POSITION),
            // `vector.extractelement` and `vector.insertelement`
            None => vec![DYNAMIC; rest.len()],
        };
        for (dim, number) in statics.into_iter().enumerate() {
            let known = match number {
                DYNAMIC => rest.next().and_then(|&index| {
                    arith::as_constant_int(ir, index).and_then(|n| i64::try_from(n).ok())
                }),
                known => Some(known),
            };
            let known = known.and_then(|number| usize::try_from(number).ok());
            let Some(known) = known.filter(|&known| known < sizes[dim]) else {
                return self.refuse(Reason::UnknownPosition);
            };
            at.push(known);
        }
        let n: usize = sizes[at.len()..].iter().product();
        Ok((linear(sizes, at.iter().copied()) * n, n))
    }

    /// For each element of a result, the operand that it is from and its number there; `None` for operations
    /// that do more than to move elements.
    fn sources(&self, op: Op, number: usize) -> Result<Option<Vec<(usize, usize)>>, Refusal> {
        let ir = self.ir;
        let is = |def| ir.is(op, def);
        let to = self.dims(ir.result(op, number));
        let n: usize = to.iter().product();
        let of = |index: usize| self.dims(ir.operand(op, index));
        let first = |from: &dyn Fn(Dims) -> usize| -> Vec<(usize, usize)> {
            (0..n).map(|i| (0, from(coordinates(&to, i)))).collect()
        };
        let moved = if is(&vector::BROADCAST) || is(&vector::SPLAT) {
            let source = of(0);
            first(&|at| {
                let own = source.iter().zip(&at[at.len() - source.len()..]);
                let own = own.map(|(&size, &c)| if size == 1 { 0 } else { c });
                linear(&source, own)
            })
        } else if is(&vector::SHAPE_CAST) || is(&vector::TO_ELEMENTS) {
            (0..n).map(|i| (0, i + number)).collect()
        } else if is(&vector::FROM_ELEMENTS) {
            (0..n).map(|i| (i, 0)).collect()
        } else if is(&vector::TRANSPOSE) {
            let (source, permutation) = (of(0), self.places_of(op, Name::PERMUTATION)?);
            first(&|at| {
                let mut from = Dims::from_elem(0, source.len());
                for (&dim, &c) in permutation.iter().zip(&at) {
                    from[dim] = c;
                }
                linear(&source, from)
            })
        } else if is(&vector::FLAT_TRANSPOSE) {
            let [rows, columns] = vector::transpose_sizes(ir, op).map(|size| size.max(1) as usize);
            first(&|at| at[0] % columns * rows + at[0] / columns)
        } else if is(&vector::SHUFFLE) {
            let (source, rows) = (of(0), self.places_of(op, Name::MASK)?);
            let row: usize = source.iter().skip(1).product();
            let n_first: usize = source.iter().product();
            let all = rows.iter().flat_map(|&at| at * row..(at + 1) * row);
            all.map(|i| match i < n_first {
                true => (0, i),
                false => (1, i - n_first),
            })
            .collect()
        } else if is(&vector::INTERLEAVE) {
            (0..n).map(|i| (i % 2, i / 2)).collect()
        } else if is(&vector::DEINTERLEAVE) {
            (0..n).map(|i| (0, 2 * i + number)).collect()
        } else if is(&vector::EXTRACT_STRIDED_SLICE) {
            let (source, offsets) = (of(0), self.places_of(op, Name::OFFSETS)?);
            first(&|at| {
                let shifted = at.iter().enumerate();
                linear(
                    &source,
                    shifted.map(|(dim, &c)| c + offsets.get(dim).unwrap_or(&0)),
                )
            })
        } else if is(&vector::INSERT_STRIDED_SLICE) {
            let (source, offsets) = (of(0), self.places_of(op, Name::OFFSETS)?);
            let mut all: Vec<(usize, usize)> = (0..n).map(|i| (1, i)).collect();
            let leading = to.len() - source.len();
            for i in 0..source.iter().product() {
                let own = coordinates(&source, i);
                let at = offsets.iter().enumerate();
                let at = at.map(|(dim, &c)| c + if dim < leading { 0 } else { own[dim - leading] });
                all[linear(&to, at)] = (0, i);
            }
            all
        } else if is(&vector::EXTRACT) || is(&vector::EXTRACT_ELEMENT) {
            let (start, n) = self.position(op, &of(0), 1)?;
            (start..start + n).map(|i| (0, i)).collect()
        } else if is(&vector::INSERT) || is(&vector::INSERT_ELEMENT) {
            let (start, n_new) = self.position(op, &to, 2)?;
            let own = start..start + n_new;
            let from = |i| match own.contains(&i) {
                true => (0, i - start),
                false => (1, i),
            };
            (0..n).map(from).collect()
        } else {
            return Ok(None);
        };
        Ok(Some(moved))
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
            let mut firsts: SmallVec<[Option<(usize, Shape)>; 4]> =
                SmallVec::from_elem(None, ir.operands(op).len());
            for &(operand, _) in &sources {
                if firsts[operand].is_none() {
                    let (registers, shape) = self.movable(ir.operand(op, operand))?;
                    let pool = pool.get_or_insert_with(|| Pool::new(shape.element.bits()));
                    firsts[operand] = Some((pool.add(&registers, shape.size), shape));
                }
            }
            let places: Option<Vec<Place>> = (sources.iter())
                .map(|&(operand, i)| firsts[operand].map(|(first, shape)| place(first, shape, i)))
                .collect();
            let (Some(mut pool), Some(places)) = (pool, places) else {
                return self.refuse(Reason::EmptyVector);
            };
            let held = self.moved(&mut pool, &places, result)?;
            self.held.insert(result, held);
        }
        Ok(true)
    }

    /// Rows to columns in squares of 128 bits a side, if there are whole ones: these are put next to each other, and
    /// then the first half of their rows is interleaved with the second one as often as their number can be halved.
    fn transpose_squares(&mut self, op: Op) -> Result<Option<Registers>, Refusal> {
        let ir = self.ir;
        if !ir.is(op, &vector::TRANSPOSE) || self.places_of(op, Name::PERMUTATION)?[..] != [1, 0] {
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

    /// The numbers from zero on.
    pub(super) fn step(&mut self, shape: Shape) -> Result<Registers, Refusal> {
        let per = shape.per_register();
        (0..shape.n_registers())
            .map(|i| self.counting(shape, i * per))
            .collect()
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

    /// How a vector of `i1` with so many elements is held as bytes.
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
