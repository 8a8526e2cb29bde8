//! Loads and stores.

use freehold_frontend::dialects::arith;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::Type;
use iced_x86::Code;
use regalloc2::VReg;

use super::general::Number;
use super::tiles::Tile;
use super::{Held, Registers, Select};
use crate::wide::code::{GENERAL, Inst, Memory, Operand, Size, VECTOR};
use crate::wide::forms;
use crate::wide::refusal::Refusal;

impl Select<'_> {
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
            _ => return self.refuse("a value of this type in memory"),
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
            _ => return self.refuse("a value of this type in memory"),
        };
        let register = self.register(number);
        let operands = [Operand::Memory(memory), Operand::Use(register, size)];
        self.push(Inst::new(code, &operands));
        Ok(())
    }

    /// `memory` and so many bytes.
    pub(super) fn behind(&self, memory: Memory, bytes: usize) -> Result<Memory, Refusal> {
        match memory.offset.checked_add(bytes as i32) {
            Some(offset) => Ok(Memory { offset, ..memory }),
            None => self.refuse("an address too far away"),
        }
    }

    pub(super) fn load(&mut self, op: Op) -> Result<(), Refusal> {
        let ir = self.ir;
        let result = ir.result(op, 0);
        let (memref, indices) = (ir.operand(op, 0), &ir.operands(op)[1..]);
        let ty = self.ty(result);
        let held = if self.holds_vectors(memref) {
            self.load_of_vector(memref, indices, ty)?
        } else if self.int_width(ty).is_some() {
            let memory = self.number_address(memref, indices, ty)?;
            Held::Number(self.load_number(ty, memory)?)
        } else {
            let tile = self.row_tile(memref, indices, ty)?;
            if self.load_extended(result, &tile)? {
                return Ok(());
            }
            let registers = self.load_tile(&tile, None, None)?;
            self.held_tile(&tile, registers)
        };
        self.held.insert(result, held);
        Ok(())
    }

    /// The address of an integer.
    fn number_address(
        &mut self,
        memref: Value,
        indices: &[Value],
        ty: Type,
    ) -> Result<Memory, Refusal> {
        let element = self
            .context
            .as_memref(self.ty(memref))
            .map(|layout| layout.element);
        match self
            .context
            .element_byte_size(ty)
            .filter(|_| element == Some(ty))
        {
            Some(bytes) => self.address(memref, indices, bytes as i64, &[]),
            None => self.refuse("memory without a descriptor"),
        }
    }

    /// Loads integers of which nothing but wider ones are wanted as these: one instruction does both.
    fn load_extended(&mut self, loaded: Value, tile: &Tile) -> Result<bool, Refusal> {
        let ir = self.ir;
        let shape = tile.shape;
        if tile.is_mask || tile.sizes.len() != 1 || !self.has_rows(tile)? {
            return Ok(false);
        }
        let memory = self.tile_address(tile, &[0])?;
        let &[only] = ir.uses(loaded) else {
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
        let wide_shape = self.shape_of(wide)?;
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
        let ir = self.ir;
        // `vector.store` and `memref.store` have the same operands.
        let (value, memref) = (ir.operand(op, 0), ir.operand(op, 1));
        let indices = &ir.operands(op)[2..];
        let ty = self.ty(value);
        if self.holds_vectors(memref) {
            return self.store_of_vector(memref, indices, value);
        }
        if self.int_width(ty).is_some() {
            let memory = self.number_address(memref, indices, ty)?;
            let number = self.number(value)?;
            return self.store_number(ty, number, memory);
        }
        let tile = self.row_tile(memref, indices, ty)?;
        let (registers, _) = self.movable(value)?;
        self.store_tile(&tile, &registers, None)
    }
}
