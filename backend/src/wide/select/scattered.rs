//! Elements anywhere in memory: gathers and scatters.

use freehold_frontend::ir::entities::{Op, Value};
use regalloc2::VReg;

use super::general::{Field, Number};
use super::permute::{Place, Pool, interleavings, place};
use super::{Element, Held, Mask, Registers, Select, Shape};
use crate::vector::splats::splat_bits;
use crate::wide::code::{Base, Inst, MASK, Memory, Operand, Size, VECTOR};
use crate::wide::forms;
use crate::wide::refusal::{Reason, Refusal};

/// Elements that are gathered one by one: as many as a register of bytes of AVX-512 has. Bounds code; beyond it the
/// operation is refused and vectors stay at 128 bits, which is always right.
const MAX_SMALL: usize = 64;

/// Elements anywhere in memory, in groups of lanes.
struct Scattered {
    /// The address that indices count from.
    first: VReg,
    /// Indices and masks.
    groups: Vec<(VReg, VReg)>,
    /// Lanes of a group.
    group: usize,
    /// The size of registers of indices.
    size: Size,
    /// The size of registers of elements.
    value_size: Size,
    index_bits: u32,
    shape: Shape,
}

impl Scattered {
    /// The elements of a group in registers of vectors of their type.
    fn elements(&self, group: usize) -> Vec<Option<Place>> {
        let first = group * self.group;
        (first..self.shape.n.min(first + self.group))
            .map(|i| Some(place(0, self.shape, i)))
            .collect()
    }

    /// Where the elements of a group are in memory.
    fn memory(&self, indices: VReg) -> Operand {
        let scale = self.shape.element.bytes() as u32;
        Operand::Places(self.first, indices, self.size, scale)
    }
}

impl Select<'_> {
    /// What a gather or scatter goes by: the address of the first element, and groups of lanes: where they begin
    /// and how many they are, indices of 32 or 64 bits, a mask.
    fn scattered(&mut self, op: Op) -> Result<Scattered, Refusal> {
        let ir = self.ir;
        let (address, vectors) = ir.operands(op).split_at(ir.operands(op).len() - 3);
        let &[indices, mask, values] = vectors else {
            return self.refuse(Reason::Operation);
        };
        let shape = self.shape_of(values)?;
        let bits = shape.element.bits();
        if bits < 32 || shape.n < 2 {
            return self.refuse(Reason::ScatteredSize);
        }
        let first = self.first_element(address, shape)?;
        let mut index_shape = self.shape_of(indices)?;
        let mut index_registers = self.lanes(indices)?;
        let wanted = index_shape.element.bits().max(bits).max(32);
        if index_shape.element.bits() < wanted {
            let wide = self.reshaped(index_shape, Element::Int(wanted))?;
            index_registers = self.extend(&index_registers, index_shape, wide, true)?;
            index_shape = wide;
        }
        let mask = self.mask(mask, shape)?;
        let mask = self.trimmed(&mask)?;
        // Registers of indices are full, so those of elements are half as large where indices are wider.
        let group = index_shape
            .per_register()
            .min(shape.per_register())
            .min(shape.n);
        let size = Size::of_vector((group * wanted as usize / 8).max(16));
        let Some(size) = size else {
            return self.refuse(Reason::ScatteredSize);
        };
        let mut pool = Pool::new(wanted);
        pool.add(&index_registers, index_shape.size);
        let mut groups = Vec::new();
        let value_size =
            Size::of_vector((group * shape.element.bytes()).max(16)).unwrap_or(Size::X);
        // Masks of as many lanes as a group has: bits are moved, lanes are picked.
        let mut mask_pool = Pool::new(bits);
        let parts = match self.level.has_avx512 {
            true => {
                let grouped = Shape {
                    element: Element::Int(wanted),
                    size,
                    ..shape
                };
                self.mask_for(&mask, grouped)?.parts
            }
            false => {
                mask_pool.add(&mask.parts, shape.size);
                Registers::new()
            }
        };
        for first in (0..shape.n).step_by(group) {
            let lanes = || first..shape.n.min(first + group);
            let wanted: Vec<Option<Place>> =
                lanes().map(|i| Some(place(0, index_shape, i))).collect();
            let indices = self.pick(&mut pool, &wanted, size)?;
            let mask = match self.level.has_avx512 {
                true => parts[first / group],
                false => {
                    let wanted: Vec<Option<Place>> =
                        lanes().map(|i| Some(place(0, shape, i))).collect();
                    let mask = self.pick(&mut mask_pool, &wanted, value_size)?;
                    match group * shape.element.bytes() < 16 {
                        // Lanes behind the elements are not accessed.
                        true => {
                            let lanes = Shape {
                                n: group,
                                size: Size::X,
                                ..shape
                            };
                            let mask = Mask {
                                parts: Registers::from_elem(mask, 1),
                                shape: lanes,
                            };
                            self.trimmed(&mask)?.parts[0]
                        }
                        false => mask,
                    }
                }
            };
            groups.push((indices, mask));
        }
        Ok(Scattered {
            first,
            groups,
            group,
            size,
            value_size,
            index_bits: wanted,
            shape,
        })
    }

    /// The address of the element that indices count from.
    fn first_element(&mut self, address: &[Value], shape: Shape) -> Result<VReg, Refusal> {
        let memref = address[0];
        let layout = self.context.as_memref(self.ty(memref));
        let element = layout.and_then(|layout| Element::of(self.context, layout.element));
        if element != Some(shape.element) {
            return self.refuse(Reason::ScatteredType);
        }
        if let Some(last) = address.len().checked_sub(2)
            && self.field(memref, Field::Stride(last))? != Number::Constant(1)
        {
            return self.refuse(Reason::Strided);
        }
        let first = self.address(memref, &address[1..], shape.element.bytes() as i64, &[])?;
        Ok(self.flat(first))
    }

    /// A gather of all elements, which are smaller than what an instruction gathers, one by one; `None` for others.
    fn gather_small(&mut self, op: Op) -> Result<Option<Held>, Refusal> {
        let ir = self.ir;
        let (address, vectors) = ir.operands(op).split_at(ir.operands(op).len() - 3);
        let &[indices, mask, values] = vectors else {
            return Ok(None);
        };
        let shape = self.shape_of(values)?;
        let (bits, bytes) = (shape.element.bits(), shape.element.bytes());
        let is_all = splat_bits(self.ir, mask).is_some_and(|bit| bit & 1 == 1);
        let is_whole = (shape.n * bytes).is_multiple_of(Size::X.bytes());
        if bits >= 32 || !is_all || !is_whole || shape.n > MAX_SMALL {
            return Ok(None);
        }
        let first = self.first_element(address, shape)?;
        let index_shape = self.shape_of(indices)?;
        let index_bits = index_shape.element.bits();
        let mut pool = Pool::new(index_bits);
        pool.add(&self.lanes(indices)?, index_shape.size);
        let mut parts = Vec::new();
        for i in 0..shape.n {
            let lane = self.pick(&mut pool, &[Some(place(0, index_shape, i))], Size::X)?;
            let index = self.first_lane(lane, index_bits)?;
            let index = self.sign_extend(index, index_bits);
            let memory = Memory {
                base: Base::Register(first),
                index: Some((self.register(index), bytes as u32)),
                offset: 0,
            };
            parts.push(self.load_some(Shape::one(shape.element), memory)?);
        }
        let mut bits = bits;
        while bits < 128 {
            let [low, _] = interleavings(bits);
            parts = (parts.chunks_exact(2))
                .map(|pair| self.vector_op(low, Size::X, pair, None))
                .collect::<Result<_, _>>()?;
            bits *= 2;
        }
        let registers = self.join(parts.into(), Size::X.bytes(), shape.size)?;
        Ok(Some(self.as_held(shape, registers)))
    }

    pub(super) fn gather(&mut self, op: Op) -> Result<(), Refusal> {
        let held = match self.gather_small(op)? {
            Some(held) => held,
            None => self.gather_lanes(op)?,
        };
        self.held.insert(self.ir.result(op, 0), held);
        Ok(())
    }

    fn gather_lanes(&mut self, op: Op) -> Result<Held, Refusal> {
        let ir = self.ir;
        let places = self.scattered(op)?;
        let shape = places.shape;
        let form = match (shape.element.bits(), places.index_bits) {
            (32, 32) => &forms::GATHER_I32_BY_I32,
            (32, _) => &forms::GATHER_I32_BY_I64,
            _ => &forms::GATHER_I64_BY_I64,
        };
        let code = self.code(form, places.size)?;
        let others = ir.operand(op, ir.operands(op).len() - 1);
        let mut others_pool = Pool::new(shape.element.bits());
        let others = self.lanes(others)?;
        others_pool.add(&others, shape.size);
        let mut pool = Pool::new(shape.element.bits());
        for (number, &(indices, mask)) in places.groups.iter().enumerate() {
            let wanted = places.elements(number);
            let other = self.pick(&mut others_pool, &wanted, places.value_size)?;
            let result = self.b.register(VECTOR, self.current);
            let mut inst = Inst::new(
                code,
                &[
                    Operand::Def(result, places.value_size),
                    places.memory(indices),
                ],
            );
            inst.tied = Some(other);
            self.spend(&mut inst, mask, places.value_size);
            self.push(inst);
            pool.add(&[result], places.value_size);
        }
        let wanted: Vec<Place> = (0..shape.n)
            .map(|i| (i / places.group, i % places.group))
            .collect();
        let registers = self.pick_all(&mut pool, &wanted, shape)?;
        Ok(self.as_held(shape, registers))
    }

    pub(super) fn scatter(&mut self, op: Op) -> Result<(), Refusal> {
        let ir = self.ir;
        if !self.level.has_avx512 {
            return self.refuse(Reason::Scattered);
        }
        let places = self.scattered(op)?;
        let shape = places.shape;
        let form = match (shape.element.bits(), places.index_bits) {
            (32, 32) => &forms::SCATTER_I32_BY_I32,
            (32, _) => &forms::SCATTER_I32_BY_I64,
            _ => &forms::SCATTER_I64_BY_I64,
        };
        let code = self.code(form, places.size)?;
        let values = self.lanes(ir.operand(op, ir.operands(op).len() - 1))?;
        let mut pool = Pool::new(shape.element.bits());
        pool.add(&values, shape.size);
        for (number, &(indices, mask)) in places.groups.iter().enumerate() {
            let value = self.pick(&mut pool, &places.elements(number), places.value_size)?;
            let mut inst = Inst::new(
                code,
                &[
                    places.memory(indices),
                    Operand::Use(value, places.value_size),
                ],
            );
            self.spend(&mut inst, mask, places.value_size);
            self.push(inst);
        }
        Ok(())
    }

    /// Gives an instruction a mask of which nothing is left.
    fn spend(&mut self, inst: &mut Inst, mask: VReg, size: Size) {
        let class = match self.level.has_avx512 {
            true => {
                inst.mask = Some(mask);
                MASK
            }
            false => {
                inst.operands.push(Operand::Use(mask, size));
                VECTOR
            }
        };
        inst.spent = Some(self.b.register(class, self.current));
    }

    /// An address as one number.
    fn flat(&mut self, memory: Memory) -> VReg {
        let mut base = match memory.base {
            Base::Register(register) => Number::Register(register),
            Base::Pool(_) => Number::Constant(0),
        };
        if let Some((index, scale)) = memory.index {
            let scaled = self.multiply(Number::Register(index), Number::Constant(scale.into()));
            base = self.add(base, scaled);
        }
        let base = self.add(base, Number::Constant(memory.offset.into()));
        self.register(base)
    }
}
