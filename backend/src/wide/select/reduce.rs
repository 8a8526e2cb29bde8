//! `vector.reduction`: the lanes of a vector combined one after the other.

use freehold_frontend::dialects::vector::CombiningKind;
use freehold_frontend::ir::entities::Op;
use iced_x86::Code;
use regalloc2::VReg;

use super::general::Number;
use super::{Element, Held, Select, Shape};
use crate::vector::sums::left_out;
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
        // Of what is in the lowest lane of a register; others do not matter.
        let lowest = Shape {
            size: Size::X,
            ..shape
        }
        .one_register();
        let bytes = shape.element.bytes();
        let n_bytes = shape.size.bytes().min(shape.n * bytes);
        for register in self.lanes(source)? {
            // Elements are moved within 128 bits, which are extracted once.
            for start in (0..n_bytes).step_by(16) {
                let quarter = self.piece(register, shape.size, start, 16.min(n_bytes))?;
                for at in (0..16.min(n_bytes - start)).step_by(bytes) {
                    let element = self.piece(quarter, Size::X, at, bytes)?;
                    total = Some(match total {
                        Some(total) => self.binary_lanes(def, lowest, &[total], &[element])?[0],
                        None => element,
                    });
                }
            }
        }
        let Some(total) = total else {
            return self.refuse(Reason::EmptyReduction);
        };
        match shape.element {
            Element::Int(width) => self.first_lane(total, width).map(Held::Number),
            _ => Ok(Held::Float(total)),
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
