//! Loads and stores.

use freehold_frontend::dialects::{arith, vector};
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::{Type, TypeKind};
use iced_x86::Code;
use regalloc2::VReg;

use super::general::Number;
use super::{Element, Held, Registers, Select, Shape};
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

    pub(super) fn load_float(&mut self, element: Element, memory: Memory) -> Result<VReg, Refusal> {
        let code = match (element, self.level.has_avx512) {
            (Element::F32, false) => Code::VEX_Vmovss_xmm_m32,
            (Element::F32, true) => Code::EVEX_Vmovss_xmm_k1z_m32,
            (_, false) => Code::VEX_Vmovsd_xmm_m64,
            (_, true) => Code::EVEX_Vmovsd_xmm_k1z_m64,
        };
        let result = self.b.register(VECTOR, self.current);
        let operands = [Operand::Def(result, Size::X), Operand::Memory(memory)];
        self.push(Inst::new(code, &operands));
        Ok(result)
    }

    pub(super) fn store_float(
        &mut self,
        element: Element,
        register: VReg,
        memory: Memory,
    ) -> Result<(), Refusal> {
        let code = match (element, self.level.has_avx512) {
            (Element::F32, false) => Code::VEX_Vmovss_m32_xmm,
            (Element::F32, true) => Code::EVEX_Vmovss_m32_k1_xmm,
            (_, false) => Code::VEX_Vmovsd_m64_xmm,
            (_, true) => Code::EVEX_Vmovsd_m64_k1_xmm,
        };
        let operands = [Operand::Memory(memory), Operand::Use(register, Size::X)];
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

    /// The address of what an access moves, which is elements of `ty` one after the other.
    fn accessed(&mut self, memref: Value, indices: &[Value], ty: Type) -> Result<Memory, Refusal> {
        let Some(layout) = self.context.as_memref(self.ty(memref)) else {
            return self.refuse("memory without a descriptor");
        };
        let mut element = ty;
        if let TypeKind::Vector {
            shape, element: of, ..
        } = self.context.type_kind(ty)
        {
            let is_row = matches!(self.context.memref_strides(layout), Some((strides, _))
                if strides.last() == Some(&1));
            if shape.len() != 1 || !is_row {
                return self.refuse("an access to several rows");
            }
            element = *of;
        }
        if layout.element != element {
            return self.refuse("memory of vectors");
        }
        let Some(bytes) = self.context.element_byte_size(element) else {
            return self.refuse("memory of elements of this type");
        };
        self.address(memref, indices, bytes as i64)
    }

    /// `memory` and so many bytes.
    fn behind(&self, memory: Memory, bytes: usize) -> Result<Memory, Refusal> {
        match memory.offset.checked_add(bytes as i32) {
            Some(offset) => Ok(Memory { offset, ..memory }),
            None => self.refuse("an address too far away"),
        }
    }

    pub(super) fn load(&mut self, op: Op) -> Result<(), Refusal> {
        let ir = self.ir;
        let result = ir.result(op, 0);
        let memory = self.accessed(ir.operand(op, 0), &ir.operands(op)[1..], self.ty(result))?;
        let ty = self.ty(result);
        let held = match self.shape(ty) {
            Some(shape) if shape.n == 1 => Held::Float(self.load_float(shape.element, memory)?),
            Some(shape) => {
                if self.load_extended(result, shape, memory)? {
                    return Ok(());
                }
                let mut registers = Registers::new();
                for i in 0..shape.n_registers() {
                    let memory = self.behind(memory, i * shape.size.bytes())?;
                    registers.push(self.load_register(shape.size, memory)?);
                }
                Held::Lanes(registers)
            }
            None => Held::Number(self.load_number(ty, memory)?),
        };
        self.held.insert(result, held);
        Ok(())
    }

    /// Loads integers of which nothing but wider ones are wanted as these: one instruction does both.
    fn load_extended(
        &mut self,
        loaded: Value,
        shape: Shape,
        memory: Memory,
    ) -> Result<bool, Refusal> {
        let ir = self.ir;
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
        let ty = self.ty(value);
        let memory = self.accessed(memref, &ir.operands(op)[2..], ty)?;
        match self.shape(ty) {
            Some(shape) if shape.n == 1 => {
                let register = self.lanes(value)?[0];
                self.store_float(shape.element, register, memory)
            }
            Some(shape) => {
                for (i, register) in self.lanes(value)?.into_iter().enumerate() {
                    let memory = self.behind(memory, i * shape.size.bytes())?;
                    self.store_register(shape.size, register, memory)?;
                }
                Ok(())
            }
            None if vector::is_vector(self.context, ty) => {
                self.refuse("a vector that fills no register")
            }
            None => {
                let number = self.number(value)?;
                self.store_number(ty, number, memory)
            }
        }
    }
}
