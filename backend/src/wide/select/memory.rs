//! Loads and stores.

use freehold_frontend::dialects::{arith, vector};
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::Type;
use iced_x86::Code;
use regalloc2::VReg;

use super::general::Number;
use super::tiles::Tile;
use super::{Held, Registers, Select, Shape};
use crate::vector::access::Access;
use crate::vector::splats::splat_bits;
use crate::wide::code::{GENERAL, Inst, Memory, Operand, Size, VECTOR};
use crate::wide::forms;
use crate::wide::refusal::{Reason, Refusal};

impl<'a> Select<'a> {
    pub(super) fn load_register(&mut self, size: Size, memory: Memory) -> Result<VReg, Refusal> {
        let code = self.code(&forms::LOAD, size)?;
        let result = self.b.register(VECTOR, self.current);
        let operands = [Operand::Def(result, size), Operand::Memory(memory)];
        self.push(Inst::new(code, &operands));
        Ok(result)
    }

    pub(super) fn store_register(
        &mut self,
        size: Size,
        register: VReg,
        memory: Memory,
    ) -> Result<(), Refusal> {
        let code = self.code(&forms::STORE, size)?;
        let operands = [Operand::Memory(memory), Operand::Use(register, size)];
        self.push(Inst::new(code, &operands));
        Ok(())
    }

    /// Loads an integer, zero-extended.
    pub(super) fn load_number(&mut self, ty: Type, memory: Memory) -> Result<Number, Refusal> {
        let (code, size) = match self.int_width(ty) {
            Some(1 | 8) => (Code::Movzx_r32_rm8, Size::B4),
            Some(16) => (Code::Movzx_r32_rm16, Size::B4),
            Some(32) => (Code::Mov_r32_rm32, Size::B4),
            Some(64) => (Code::Mov_r64_rm64, Size::B8),
            _ => return self.refuse(Reason::TypeInMemory),
        };
        let result = self.b.register(GENERAL, self.current);
        let operands = [Operand::Def(result, size), Operand::Memory(memory)];
        self.push(Inst::new(code, &operands));
        Ok(Number::Register(result))
    }

    pub(super) fn store_number(
        &mut self,
        ty: Type,
        number: Number,
        memory: Memory,
    ) -> Result<(), Refusal> {
        let (code, size) = match self.int_width(ty) {
            Some(1 | 8) => (Code::Mov_rm8_r8, Size::B1),
            Some(16) => (Code::Mov_rm16_r16, Size::B2),
            Some(32) => (Code::Mov_rm32_r32, Size::B4),
            Some(64) => (Code::Mov_rm64_r64, Size::B8),
            _ => return self.refuse(Reason::TypeInMemory),
        };
        let register = self.register(number);
        let operands = [Operand::Memory(memory), Operand::Use(register, size)];
        self.push(Inst::new(code, &operands));
        Ok(())
    }

    /// `memory` moved by `bytes` bytes.
    pub(super) fn behind(&self, memory: Memory, bytes: usize) -> Result<Memory, Refusal> {
        match memory.offset.checked_add(bytes as i32) {
            Some(offset) => Ok(Memory { offset, ..memory }),
            None => self.refuse(Reason::FarAddress),
        }
    }

    pub(super) fn load(&mut self, op: Op) -> Result<(), Refusal> {
        let access = self.access(op)?;
        let (result, ty) = (access.value, self.ty(access.value));
        let held = if self.holds_vectors(access.memref) {
            self.load_of_vector(access.memref, access.indices, ty)?
        } else if self.int_width(ty).is_some() {
            let memory = self.element_address(access.memref, access.indices, ty)?;
            Held::Number(self.load_number(ty, memory)?)
        } else if let (None, Some(size), Some(shape)) =
            (access.mask, self.wanted_splat(result), self.shape(ty))
        {
            let bytes = shape.element.bytes() as i64;
            let memory = self.address(access.memref, access.indices, bytes, &[])?;
            Held::Float(self.load_splat(shape.element, size, memory)?)
        } else {
            match self.load_box(access)? {
                Some(held) => held,
                None => return Ok(()),
            }
        };
        self.held.insert(result, held);
        Ok(())
    }

    fn access(&self, op: Op) -> Result<Access<'a>, Refusal> {
        match Access::of(self.ir, op) {
            Some(access) => Ok(access),
            None => self.refuse(Reason::Operation),
        }
    }

    /// Loads elements next to each other; none if what extends them has loaded them.
    fn load_box(&mut self, access: Access<'a>) -> Result<Option<Held>, Refusal> {
        let tile = self.tile(access)?;
        let (shape, Access { mask, other, .. }) = (tile.shape, &tile.access);
        let Some(mask) = *mask else {
            if self.load_extended(&tile)? {
                return Ok(None);
            }
            if let Some(size) = self.wanted_elements(&tile)? {
                let registers: Result<Registers, Refusal> = (0..shape.n)
                    .map(|i| {
                        let memory = self.tile_address(&tile, &[i])?;
                        self.load_splat(shape.element, size, memory)
                    })
                    .collect();
                return Ok(Some(Held::Elements(registers?)));
            }
            let registers = self.load_tile(&tile, None, None)?;
            return Ok(Some(self.held_tile(&tile, registers)));
        };
        if tile.is_mask {
            return self.refuse(Reason::MaskedBits);
        }
        let mask = self.mask(mask, shape)?;
        // What is left out is zero.
        let other = match *other {
            Some(other) if splat_bits(self.ir, other) != Some(0) => {
                Some(match vector::is_vector(self.context, self.ty(other)) {
                    true => self.lanes(other)?,
                    false => self.broadcast(other, shape)?,
                })
            }
            _ => None,
        };
        let registers = self.load_tile(&tile, Some(&mask), other.as_deref())?;
        Ok(Some(self.held_tile(&tile, registers)))
    }

    /// The address of an element of a memref of elements of type `ty`.
    fn element_address(
        &mut self,
        memref: Value,
        indices: &[Value],
        ty: Type,
    ) -> Result<Memory, Refusal> {
        let layout = self.context.as_memref(self.ty(memref));
        let bytes = self.context.element_byte_size(ty);
        match bytes.filter(|_| layout.is_some_and(|layout| layout.element == ty)) {
            Some(bytes) => self.address(memref, indices, bytes as i64, &[]),
            None => self.refuse(Reason::MemoryElement),
        }
    }

    /// Loads integers of which nothing but wider ones are wanted as these: one instruction does both.
    fn load_extended(&mut self, tile: &Tile<'_>) -> Result<bool, Refusal> {
        let ir = self.ir;
        let shape = tile.shape;
        if tile.is_mask || tile.access.sizes.len() != 1 || !self.has_rows(tile)? {
            return Ok(false);
        }
        let memory = self.tile_address(tile, &[0])?;
        let &[only] = ir.uses(tile.access.value) else {
            return Ok(false);
        };
        let is_signed = ir.is(only.op, &arith::EXTSI);
        if !is_signed && !ir.is(only.op, &arith::EXTUI) {
            return Ok(false);
        }
        let wide = ir.result(only.op, 0);
        if !self.blocks.contains_key(&match ir.block_of(only.op) {
            Some(block) => block,
            None => return Ok(false),
        }) {
            return Ok(false);
        }
        let wide_shape = self.shape_of_extended(wide)?;
        let Some(form) = super::convert::extension(shape.element, wide_shape.element, is_signed)
        else {
            return Ok(false);
        };
        let code = self.code(form, wide_shape.size)?;
        if wide_shape.n < wide_shape.per_register() {
            // That would load more than there is.
            return Ok(false);
        }
        let step = wide_shape.per_register() * shape.element.bytes();
        let mut registers = Registers::new();
        for i in 0..wide_shape.n_registers() {
            let memory = self.behind(memory, i * step)?;
            let result = self.b.register(VECTOR, self.current);
            let operands = [
                Operand::Def(result, wide_shape.size),
                Operand::Memory(memory),
            ];
            self.push(Inst::new(code, &operands));
            registers.push(result);
        }
        self.held.insert(wide, Held::Lanes(registers));
        self.done.insert(only.op);
        Ok(true)
    }

    pub(super) fn store(&mut self, op: Op) -> Result<(), Refusal> {
        let access = self.access(op)?;
        let (value, ty) = (access.value, self.ty(access.value));
        if self.holds_vectors(access.memref) {
            return self.store_of_vector(access.memref, access.indices, value);
        }
        if self.int_width(ty).is_some() {
            let memory = self.element_address(access.memref, access.indices, ty)?;
            let number = self.number(value)?;
            return self.store_number(ty, number, memory);
        }
        let tile = self.tile(access)?;
        let mask = match tile.access.mask {
            Some(mask) => Some(self.mask(mask, tile.shape)?),
            None => None,
        };
        let (registers, _) = self.movable(value)?;
        self.store_tile(&tile, &registers, mask.as_ref())
    }

    // Memory whose elements are vectors.

    pub(super) fn holds_vectors(&self, memref: Value) -> bool {
        (self.context.as_memref(self.ty(memref)))
            .is_some_and(|layout| vector::is_vector(self.context, layout.element))
    }

    pub(super) fn load_of_vector(
        &mut self,
        memref: Value,
        indices: &[Value],
        ty: Type,
    ) -> Result<Held, Refusal> {
        let memory = self.element_address(memref, indices, ty)?;
        let Some(shape) = self.shape(ty).filter(|shape| !shape.has_gaps()) else {
            return self.refuse(Reason::MemoryOfVectors);
        };
        let registers = (0..shape.n_registers())
            .map(|i| {
                let memory = self.behind(memory, i * shape.size.bytes())?;
                self.load_some(shape, memory)
            })
            .collect::<Result<Registers, Refusal>>()?;
        Ok(self.as_held(shape, registers))
    }

    pub(super) fn store_of_vector(
        &mut self,
        memref: Value,
        indices: &[Value],
        value: Value,
    ) -> Result<(), Refusal> {
        let ty = self.ty(value);
        let memory = self.element_address(memref, indices, ty)?;
        let Some(shape) = self.shape(ty).filter(|shape| !shape.has_gaps()) else {
            return self.refuse(Reason::MemoryOfVectors);
        };
        for (i, register) in self.lanes(value)?.into_iter().enumerate() {
            let memory = self.behind(memory, i * shape.size.bytes())?;
            self.store_some(shape, register, memory)?;
        }
        Ok(())
    }

    // Registers that need not be full.

    /// Loads the elements of a register.
    pub(super) fn load_some(&mut self, shape: Shape, memory: Memory) -> Result<VReg, Refusal> {
        let bytes = (shape.n * shape.element.bytes()).min(shape.size.bytes());
        let code = match (bytes, self.level.has_avx512) {
            (8, false) => Code::VEX_Vmovsd_xmm_m64,
            (8, true) => Code::EVEX_Vmovsd_xmm_k1z_m64,
            (4, false) => Code::VEX_Vmovss_xmm_m32,
            (4, true) => Code::EVEX_Vmovss_xmm_k1z_m32,
            (2, _) => self.code(&forms::SPLAT_I16, Size::X)?,
            (1, _) => self.code(&forms::SPLAT_I8, Size::X)?,
            _ if bytes == shape.size.bytes() => return self.load_register(shape.size, memory),
            _ => {
                let mask = self.first_lanes(shape)?;
                return self.load_masked(shape, mask, memory);
            }
        };
        let result = self.b.register(VECTOR, self.current);
        let operands = [Operand::Def(result, Size::X), Operand::Memory(memory)];
        self.push(Inst::new(code, &operands));
        Ok(result)
    }

    pub(super) fn store_some(
        &mut self,
        shape: Shape,
        register: VReg,
        memory: Memory,
    ) -> Result<(), Refusal> {
        let bytes = (shape.n * shape.element.bytes()).min(shape.size.bytes());
        let code = match (bytes, self.level.has_avx512) {
            (8, false) => Code::VEX_Vmovsd_m64_xmm,
            (8, true) => Code::EVEX_Vmovsd_m64_k1_xmm,
            (4, false) => Code::VEX_Vmovss_m32_xmm,
            (4, true) => Code::EVEX_Vmovss_m32_k1_xmm,
            (2, false) => Code::VEX_Vpextrw_r32m16_xmm_imm8,
            (2, true) => Code::EVEX_Vpextrw_r32m16_xmm_imm8,
            (1, false) => Code::VEX_Vpextrb_r32m8_xmm_imm8,
            (1, true) => Code::EVEX_Vpextrb_r32m8_xmm_imm8,
            _ if bytes == shape.size.bytes() => {
                return self.store_register(shape.size, register, memory);
            }
            _ => {
                let mask = self.first_lanes(shape)?;
                return self.store_masked(shape, mask, register, memory);
            }
        };
        let operands = [Operand::Memory(memory), Operand::Use(register, Size::X)];
        let mut inst = Inst::new(code, &operands);
        if bytes < 4 {
            inst.operands.push(Operand::Byte(0));
        }
        self.push(inst);
        Ok(())
    }

    /// The mask of the lanes of a register that is not full.
    fn first_lanes(&mut self, shape: Shape) -> Result<VReg, Refusal> {
        let bits: Vec<bool> = (0..shape.per_register()).map(|i| i < shape.n).collect();
        let one = shape.one_register();
        Ok(self.constant_mask(&bits, one)?.parts[0])
    }

    pub(super) fn load_masked(
        &mut self,
        shape: Shape,
        mask: VReg,
        memory: Memory,
    ) -> Result<VReg, Refusal> {
        let form = match shape.element.bits() {
            8 => &forms::MASKED_LOAD_I8,
            16 => &forms::MASKED_LOAD_I16,
            32 => &forms::MASKED_LOAD_I32,
            _ => &forms::MASKED_LOAD_I64,
        };
        let code = self.code(form, shape.size)?;
        let result = self.b.register(VECTOR, self.current);
        let mut inst = Inst::new(code, &[Operand::Def(result, shape.size)]);
        match self.level.has_avx512 {
            true => inst.mask = Some(mask),
            false => inst.operands.push(Operand::Use(mask, shape.size)),
        }
        inst.operands.push(Operand::Memory(memory));
        self.push(inst);
        Ok(result)
    }

    pub(super) fn store_masked(
        &mut self,
        shape: Shape,
        mask: VReg,
        register: VReg,
        memory: Memory,
    ) -> Result<(), Refusal> {
        let form = match shape.element.bits() {
            8 => &forms::MASKED_STORE_I8,
            16 => &forms::MASKED_STORE_I16,
            32 => &forms::MASKED_STORE_I32,
            _ => &forms::MASKED_STORE_I64,
        };
        let code = self.code(form, shape.size)?;
        let mut inst = Inst::new(code, &[Operand::Memory(memory)]);
        match self.level.has_avx512 {
            true => inst.mask = Some(mask),
            false => inst.operands.push(Operand::Use(mask, shape.size)),
        }
        inst.operands.push(Operand::Use(register, shape.size));
        self.push(inst);
        Ok(())
    }
}
