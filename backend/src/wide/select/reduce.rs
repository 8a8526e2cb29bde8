//! `vector.reduction`: the lanes of a vector combined.

use freehold_frontend::dialects::vector::CombiningKind;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::op_def::OpDef;
use iced_x86::Code;
use regalloc2::VReg;

use super::general::Number;
use super::{Element, Held, Select, Shape};
use crate::vector::sums::{is_in_order, left_out};
use crate::wide::code::{GENERAL, Inst, Operand, Size};
use crate::wide::refusal::{Reason, Refusal};

impl Select<'_> {
    pub(super) fn reduction(&mut self, op: Op) -> Result<Held, Refusal> {
        let ir = self.ir;
        let source = ir.operand(op, 0);
        let shape = self.shape_of(source)?;
        let kind = CombiningKind::of(ir, op);
        if left_out(ir, op).is_some() {
            return self.refuse(Reason::LeftOut);
        }
        let element = self.context.element_type_or_self(self.ty(source));
        let def = kind.combination(self.context, element);
        let mut total = match ir.operands(op).get(1) {
            None => None,
            Some(&first) if matches!(shape.element, Element::Int(_)) => {
                let number = self.number(first)?;
                let register = self.register(number);
                Some(self.in_vector_register(register))
            }
            Some(&first) => Some(self.lanes(first)?[0]),
        };
        let registers = self.lanes(source)?;
        // Of what is in the lowest lane of a register; others do not matter.
        let lowest = Shape {
            size: Size::X,
            ..shape
        }
        .one_register();
        let bytes = shape.element.bytes();
        if is_in_order(ir, op) {
            let n_bytes = shape.size.bytes().min(shape.n * bytes);
            for register in registers {
                // Elements are moved within 128 bits, which are extracted once.
                for start in (0..n_bytes).step_by(16) {
                    let quarter = self.piece(register, shape.size, start, 16.min(n_bytes))?;
                    for at in (0..16.min(n_bytes - start)).step_by(bytes) {
                        let element = self.piece(quarter, Size::X, at, bytes)?;
                        total = Some(self.combine(def, lowest, total, element)?);
                    }
                }
            }
        } else {
            let mut whole = registers[0];
            for &register in &registers[1..] {
                whole = self.combine(def, shape.one_register(), Some(whole), register)?;
            }
            let mut size = shape.size;
            while size > Size::X {
                let half = size.bytes() / 2;
                let high = self.piece(whole, size, half, half)?;
                size = Size::of_vector(half).unwrap_or(Size::X);
                let halves = Shape { size, ..shape };
                whole = self.combine(def, halves.one_register(), Some(whole), high)?;
            }
            let n_bytes = size.bytes().min(shape.n * bytes);
            if !n_bytes.is_power_of_two() {
                return self.refuse(Reason::ShortReduction);
            }
            let mut half = n_bytes / 2;
            while half >= bytes {
                let high = self.piece(whole, size, half, half)?;
                whole = self.combine(def, lowest, Some(whole), high)?;
                half /= 2;
            }
            total = Some(self.combine(def, lowest, total, whole)?);
        }
        let Some(total) = total else {
            return self.refuse(Reason::EmptyReduction);
        };
        match shape.element {
            Element::Int(width) => self.first_lane(total, width).map(Held::Number),
            _ => Ok(Held::Float(total)),
        }
    }

    pub(super) fn combine(
        &mut self,
        def: &'static OpDef,
        shape: Shape,
        total: Option<VReg>,
        next: VReg,
    ) -> Result<VReg, Refusal> {
        match total {
            Some(total) => Ok(self.binary_lanes(def, shape, &[total], &[next])?[0]),
            None => Ok(next),
        }
    }

    /// The integer in the first lane of a register.
    pub(super) fn first_lane(&mut self, register: VReg, width: u32) -> Result<Number, Refusal> {
        let code = match self.level.has_avx512 {
            true => Code::EVEX_Vmovq_rm64_xmm,
            false => Code::VEX_Vmovq_rm64_xmm,
        };
        let result = self.b.register(GENERAL, self.current);
        let operands = [
            Operand::Def(result, Size::B8),
            Operand::Use(register, Size::X),
        ];
        self.push(Inst::new(code, &operands));
        Ok(self.zero_extend(Number::Register(result), width))
    }
}
