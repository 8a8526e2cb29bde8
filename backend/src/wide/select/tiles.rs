//! Rows of memory as vectors: loads and stores of vectors of any rank, transfers, accesses under masks.
//!
//! A tile is what an access covers of memory: a number of elements along some dimensions of a memref, in their order.
//! Where a mask leaves out some of a tile, lanes that are not are left out by the instruction that accesses a register.

use freehold_frontend::dialects::arith::{self, CmpIPredicate};
use freehold_frontend::dialects::vector::{self, coordinates, numbers};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;
use regalloc2::VReg;

use super::general::{Field, Number};
use super::permute::{Place, Pool, place};
use super::{Element, Held, Mask, Registers, Select, Shape};
use crate::vector::access::Access;
use crate::wide::code::{Memory, Size};
use crate::wide::refusal::{Reason, Refusal};

/// Elements that are loaded or stored one by one: as many as the largest register has bytes. Each is an instruction or two,
/// so this bounds code; beyond it the operation is refused and vectors stay at 128 bits, which is always right.
const MAX_ELEMENTS: usize = 64;

/// Elements of a column that are kept in registers of their own: `product by outer products` (benches/results) has
/// four. More would not be in registers anyway.
const MAX_SPLATS: usize = 8;

/// What an access covers.
pub(super) struct Tile<'a> {
    pub(super) access: Access<'a>,
    pub(super) shape: Shape,
    /// Whether elements are `i1`, one in a byte.
    pub(super) is_mask: bool,
}

impl<'a> Select<'a> {
    pub(super) fn tile(&self, access: Access<'a>) -> Result<Tile<'a>, Refusal> {
        let Some(layout) = self.context.as_memref(self.ty(access.memref)) else {
            return self.refuse(Reason::NoDescriptor);
        };
        let is_mask = layout.element == Type::I1;
        let element = match is_mask {
            true => Some(Element::Int(8)),
            false => Element::of(self.context, layout.element),
        };
        let n: usize = access.sizes.iter().product();
        let row = access.sizes.last().copied().unwrap_or(1);
        let shape = element.and_then(|element| match n {
            1 => Some(Shape::one(element)),
            _ => Shape::new(element, row, n, self.level.widest),
        });
        let Some(shape) = shape.filter(|shape| shape.n_registers() <= super::MAX_REGISTERS) else {
            return self.refuse(Reason::AccessSize);
        };
        Ok(Tile {
            access,
            shape,
            is_mask,
        })
    }

    /// The address of the element at these coordinates of a tile.
    pub(super) fn tile_address(&mut self, tile: &Tile, at: &[usize]) -> Result<Memory, Refusal> {
        let mut steps = vec![0; tile.access.indices.len()];
        for (&dim, &c) in tile.access.dims.iter().zip(at) {
            steps[dim] = c as i64;
        }
        let bytes = tile.shape.element.bytes() as i64;
        self.address(tile.access.memref, tile.access.indices, bytes, &steps)
    }

    /// Whether neighbours along the last dimension of a tile are neighbours in memory.
    pub(super) fn has_rows(&mut self, tile: &Tile) -> Result<bool, Refusal> {
        Ok(match tile.access.dims.last() {
            Some(&dim) => {
                self.field(tile.access.memref, Field::Stride(dim))? == Number::Constant(1)
                    || tile.access.sizes.last() == Some(&1)
            }
            None => true,
        })
    }

    /// Whether rows of a tile follow each other in memory.
    fn is_contiguous(&mut self, tile: &Tile) -> Result<bool, Refusal> {
        let mut distance = 1;
        for (&dim, &size) in tile.access.dims.iter().zip(&tile.access.sizes).rev() {
            let stride = self.field(tile.access.memref, Field::Stride(dim))?;
            if stride != Number::Constant(distance) && size != 1 {
                return Ok(false);
            }
            distance *= size as i64;
        }
        Ok(true)
    }

    /// Loads a tile; `mask` says which elements, if not all, and `other` has the rest.
    pub(super) fn load_tile(
        &mut self,
        tile: &Tile,
        mask: Option<&Mask>,
        other: Option<&[VReg]>,
    ) -> Result<Registers, Refusal> {
        let shape = tile.shape;
        let has_rows = self.has_rows(tile)?;
        let is_whole = shape.is_of_rows() && has_rows || self.is_contiguous(tile)?;
        if let Some(mask) = mask {
            if !is_whole {
                return self.refuse(Reason::MaskShape);
            }
            let mask = self.trimmed(mask)?;
            let mut loaded = Registers::new();
            for i in 0..shape.n_registers() {
                let at = coordinates(&tile.access.sizes, i * shape.per_register());
                let memory = self.tile_address(tile, &at)?;
                loaded.push(self.load_masked(shape, mask.parts[i], memory)?);
            }
            return match other {
                Some(other) => self.choose_lanes(&mask, shape, &loaded, other),
                None => Ok(loaded),
            };
        }
        if is_whole {
            return (0..shape.n_registers())
                .map(|i| {
                    let at = coordinates(&tile.access.sizes, i * shape.per_register());
                    let memory = self.tile_address(tile, &at)?;
                    self.load_some(shape, memory)
                })
                .collect();
        }
        // Rows that do not fill registers, or elements.
        if shape.n > MAX_ELEMENTS {
            return self.refuse(Reason::ManyElements);
        }
        let row = match has_rows {
            true => shape.row,
            false => 1,
        };
        let one = Shape::new(shape.element, row, row, Size::X);
        let Some(one) = one.filter(|one| one.n_registers() == 1) else {
            return self.refuse(Reason::RowSize);
        };
        let one = if row == 1 {
            Shape::one(shape.element)
        } else {
            one
        };
        let mut pool = Pool::new(shape.element.bits());
        for i in (0..shape.n).step_by(row) {
            let at = coordinates(&tile.access.sizes, i);
            let memory = self.tile_address(tile, &at)?;
            let loaded = self.load_some(one, memory)?;
            pool.add(&[loaded], Size::X);
        }
        let places: Vec<Place> = (0..shape.n).map(|i| (i / row, i % row)).collect();
        self.pick_all(&mut pool, &places, shape)
    }

    /// Stores registers to a tile, or those of their elements that a mask has.
    pub(super) fn store_tile(
        &mut self,
        tile: &Tile,
        registers: &[VReg],
        mask: Option<&Mask>,
    ) -> Result<(), Refusal> {
        let shape = tile.shape;
        let has_rows = self.has_rows(tile)?;
        let is_whole = shape.is_of_rows() && has_rows || self.is_contiguous(tile)?;
        if !is_whole && mask.is_some() {
            return self.refuse(Reason::MaskShape);
        }
        if is_whole {
            let mask = match mask {
                Some(mask) => Some(self.trimmed(mask)?),
                None => None,
            };
            for (i, &register) in registers.iter().enumerate() {
                let at = coordinates(&tile.access.sizes, i * shape.per_register());
                let memory = self.tile_address(tile, &at)?;
                match &mask {
                    Some(mask) => self.store_masked(shape, mask.parts[i], register, memory)?,
                    None => self.store_some(shape, register, memory)?,
                }
            }
            return Ok(());
        }
        let row = match has_rows {
            true => shape.row,
            false => 1,
        };
        if shape.n > MAX_ELEMENTS {
            return self.refuse(Reason::ManyElements);
        }
        let mut pool = Pool::new(shape.element.bits());
        pool.add(registers, shape.size);
        let one = match row {
            1 => Some(Shape::one(shape.element)),
            _ => Shape::new(shape.element, row, row, Size::X),
        };
        let Some(one) = one.filter(|one| one.n_registers() == 1) else {
            return self.refuse(Reason::RowSize);
        };
        for i in (0..shape.n).step_by(row) {
            let wanted: Vec<Option<Place>> =
                (i..i + row).map(|i| Some(place(0, shape, i))).collect();
            let picked = self.pick(&mut pool, &wanted, Size::X)?;
            let at = coordinates(&tile.access.sizes, i);
            let memory = self.tile_address(tile, &at)?;
            self.store_some(one, picked, memory)?;
        }
        Ok(())
    }

    /// A signed number, but not below zero and not above `most`.
    pub(super) fn clamped(&mut self, number: Number, most: usize) -> Number {
        let number = self.extreme_number(number, Number::Constant(0), true);
        self.extreme_number(number, Number::Constant(most as i64), false)
    }

    /// The mask of the elements of a tile of which each coordinate is within its limits, if it has some: from
    /// the first one on and before the second one, both of them from zero to the size.
    pub(super) fn mask_within(
        &mut self,
        limits: &[Option<(Number, Number)>],
        sizes: &[usize],
        shape: Shape,
    ) -> Result<Mask, Refusal> {
        if !shape.is_of_rows() && sizes.len() > 1 {
            // In lanes of 64 bits, rows of two elements fill registers.
            let wide = Shape::new(Element::Int(64), shape.row, shape.n, self.level.widest);
            let Some(wide) = wide.filter(|wide| wide.is_of_rows()) else {
                return self.refuse(Reason::MaskRows);
            };
            let mask = self.mask_within(limits, sizes, wide)?;
            return self.mask_for(&mask, shape);
        }
        let ints = Shape {
            element: Element::Int(shape.element.bits()),
            ..shape
        };
        let one = ints.one_register();
        if sizes.last().is_some_and(|&size| size > 255) && shape.element.bits() == 8 {
            return self.refuse(Reason::LargeMask);
        }
        let mut parts = Registers::new();
        for register in 0..shape.n_registers() {
            let at = coordinates(sizes, register * shape.per_register());
            let mut part: Option<Mask> = None;
            for (number, limit) in limits.iter().enumerate() {
                let &Some((low, high)) = limit else {
                    continue;
                };
                // From zero on, they are as many as there are before the second limit.
                let n = match low {
                    Number::Constant(0) => high,
                    low => {
                        let n = self.subtract(high, low);
                        self.extreme_number(n, Number::Constant(0), true)
                    }
                };
                let is_last = number + 1 == sizes.len();
                let next = if is_last {
                    // Lane numbers less the first one, as natural numbers, are less than how many there are.
                    let mut lanes = self.counting(ints, at[number])?;
                    if low != Number::Constant(0) {
                        let low = self.register(low);
                        let low = self.splat_register(low, ints)?;
                        lanes = self.binary_lanes(&arith::SUBI, one, &[lanes], &[low])?[0];
                    }
                    let n = self.register(n);
                    let n = self.splat_register(n, ints)?;
                    let (lanes, n) = (Registers::from_elem(lanes, 1), Registers::from_elem(n, 1));
                    self.compare_lanes(CmpIPredicate::Ult, one, lanes, n)?
                } else {
                    let distance = self.subtract(Number::Constant(at[number] as i64), low);
                    let bit = self.is_below(distance, n);
                    self.uniform_mask(bit, one)?
                };
                part = Some(match part {
                    Some(part) => self.both_masks(&part, &next)?,
                    None => next,
                });
            }
            let part = match part {
                Some(part) => part,
                None => self.uniform_mask(Number::Constant(1), one)?,
            };
            parts.push(part.parts[0]);
        }
        Ok(Mask { parts, shape })
    }

    /// The size of registers each of which wants one element of a column in all lanes; `None` if something wants
    /// anything else.
    pub(super) fn wanted_elements(&mut self, tile: &Tile<'_>) -> Result<Option<Size>, Refusal> {
        let ir = self.ir;
        let is_column = tile.access.sizes.len() == 1
            && tile.shape.element.bits() >= 32
            && tile.shape.n <= MAX_SPLATS
            && !self.has_rows(tile)?;
        if !is_column {
            return Ok(None);
        }
        let sizes = ir.uses(tile.access.value).iter().map(|used| {
            let is_splat = ir.is(used.op, &vector::SHUFFLE)
                && numbers(ir, used.op, Name::MASK)
                    .windows(2)
                    .all(|pair| pair[0] == pair[1]);
            let result = is_splat.then(|| self.shape(self.ty(ir.result(used.op, 0))))?;
            result
                .filter(|shape| shape.is_of_rows())
                .map(|shape| shape.size)
        });
        let sizes: Option<Vec<Size>> = sizes.collect();
        Ok(sizes.and_then(|sizes| sizes.into_iter().max()))
    }

    /// What was loaded as a tile.
    pub(super) fn held_tile(&self, tile: &Tile, registers: Registers) -> Held {
        match tile.is_mask {
            true => Held::Bytes(registers, tile.shape),
            false => self.as_held(tile.shape, registers),
        }
    }

    /// A mask that has no lanes behind the elements.
    pub(super) fn trimmed(&mut self, mask: &Mask) -> Result<Mask, Refusal> {
        let shape = mask.shape;
        if shape.n >= shape.per_register() {
            return Ok(mask.clone());
        }
        let bits: Vec<bool> = (0..shape.per_register()).map(|i| i < shape.n).collect();
        let one = shape.one_register();
        let first = self.constant_mask(&bits, one)?;
        self.both_masks(mask, &first)
    }
}
