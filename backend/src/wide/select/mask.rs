//! Comparisons and what depends on them.

use freehold_frontend::dialects::arith::{self, CmpFPredicate, CmpIPredicate};
use freehold_frontend::dialects::vector;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::Type;
use iced_x86::Code;
use regalloc2::VReg;

use super::general::Number;
use super::{Element, Held, Mask, Registers, Select, Shape};
use crate::wide::code::{GENERAL, Inst, MASK, Operand, Size, VECTOR};
use crate::wide::forms::{self, Form};
use crate::wide::refusal::Refusal;

/// The number by which instructions know a predicate on floats; none of them signals.
fn float_predicate(predicate: CmpFPredicate) -> Option<u8> {
    Some(match predicate {
        CmpFPredicate::AlwaysFalse | CmpFPredicate::AlwaysTrue => return None,
        CmpFPredicate::Oeq => 0x00,
        CmpFPredicate::Ogt => 0x1e,
        CmpFPredicate::Oge => 0x1d,
        CmpFPredicate::Olt => 0x11,
        CmpFPredicate::Ole => 0x12,
        CmpFPredicate::One => 0x0c,
        CmpFPredicate::Ord => 0x07,
        CmpFPredicate::Ueq => 0x08,
        CmpFPredicate::Ugt => 0x16,
        CmpFPredicate::Uge => 0x15,
        CmpFPredicate::Ult => 0x19,
        CmpFPredicate::Ule => 0x1a,
        CmpFPredicate::Une => 0x04,
        CmpFPredicate::Uno => 0x03,
    })
}

impl Select<'_> {
    /// A vector of `i1`, for a vector of this shape.
    pub(super) fn mask(&mut self, value: Value, shape: Shape) -> Result<Mask, Refusal> {
        if let Some(Held::Mask(mask)) = self.held.get(&value) {
            let mask = mask.clone();
            return self.mask_for(&mask, shape);
        }
        let ir = self.ir;
        let is_splat = |&op: &Op| ir.is(op, &vector::BROADCAST) || ir.is(op, &vector::SPLAT);
        let number = match ir.defining_op(value).filter(is_splat) {
            Some(op) if self.ty(ir.operand(op, 0)) == Type::I1 => self.number(ir.operand(op, 0))?,
            _ => match arith::as_constant_attr(ir, value).map(|attr| self.context.attr_dense(attr))
            {
                Some(Some(dense)) if dense.splat && !dense.bytes.is_empty() => {
                    Number::Constant(i64::from(dense.bytes[0] & 1))
                }
                _ => return self.refuse("a mask that is not made here"),
            },
        };
        self.uniform_mask(number, shape)
    }

    /// A mask of which all lanes are this `i1`.
    fn uniform_mask(&mut self, number: Number, shape: Shape) -> Result<Mask, Refusal> {
        let bits = self.sign_extend(number, 1);
        let part = if self.level.has_avx512 {
            // Bits beyond the lanes are zero.
            let lanes = Number::Constant((u64::MAX >> (64 - shape.per_register())) as i64);
            let bits = self.and(bits, lanes);
            let bits = self.register(bits);
            let result = self.b.register(MASK, self.current);
            let operands = [Operand::Def(result, Size::K), Operand::Use(bits, Size::B8)];
            self.push(Inst::new(Code::VEX_Kmovq_kr_r64, &operands));
            result
        } else {
            let ints = Shape {
                element: Element::Int(shape.element.bits()),
                ..shape
            };
            let bits = self.register(bits);
            self.splat_register(bits, ints)?
        };
        Ok(Mask {
            parts: Registers::from_elem(part, shape.n_registers()),
            shape,
        })
    }

    /// The shape of a mask that is made of comparisons.
    fn mask_shape(&self, value: Value) -> Option<Shape> {
        match self.held.get(&value) {
            Some(Held::Mask(mask)) => Some(mask.shape),
            _ => None,
        }
    }

    /// Compares registers; with AVX-512 the result is in mask registers.
    fn compare_with(
        &mut self,
        form: &'static Form,
        shape: Shape,
        a: &[VReg],
        b: &[VReg],
        predicate: Option<u8>,
    ) -> Result<Mask, Refusal> {
        let code = self.code(form, shape.size)?;
        let mut parts = Registers::new();
        for (&a, &b) in a.iter().zip(b) {
            let (class, size) = match self.level.has_avx512 {
                true => (MASK, Size::K),
                false => (VECTOR, shape.size),
            };
            let result = self.b.register(class, self.current);
            let mut inst = Inst::new(
                code,
                &[
                    Operand::Def(result, size),
                    Operand::Use(a, shape.size),
                    Operand::Use(b, shape.size),
                ],
            );
            inst.operands.extend(predicate.map(Operand::Byte));
            self.push(inst);
            parts.push(result);
        }
        Ok(Mask { parts, shape })
    }

    pub(super) fn compare_floats(
        &mut self,
        predicate: u8,
        shape: Shape,
        a: &[VReg],
        b: &[VReg],
    ) -> Result<Mask, Refusal> {
        let form = match shape.element {
            Element::F32 => &forms::CMP_F32,
            Element::F64 => &forms::CMP_F64,
            Element::Int(_) => return self.refuse("a comparison of this type"),
        };
        self.compare_with(form, shape, a, b, Some(predicate))
    }

    /// `arith.cmpf`
    pub(super) fn cmpf(&mut self, op: Op) -> Result<Held, Refusal> {
        let ir = self.ir;
        let Some(predicate) = CmpFPredicate::of(ir, op).and_then(float_predicate) else {
            return self.refuse("a comparison that is always true or false");
        };
        let shape = self.shape_of(ir.operand(op, 0))?;
        let (a, b) = (
            self.lanes(ir.operand(op, 0))?,
            self.lanes(ir.operand(op, 1))?,
        );
        let mask = self.compare_floats(predicate, shape, &a, &b)?;
        Ok(match shape.n {
            1 => Held::Bit(mask.parts[0], shape.element),
            _ => Held::Mask(mask),
        })
    }

    /// `arith.cmpi` on vectors.
    pub(super) fn cmpi(&mut self, op: Op) -> Result<Held, Refusal> {
        let ir = self.ir;
        let Some(predicate) = CmpIPredicate::of(ir, op) else {
            return self.refuse("a comparison without a predicate");
        };
        let shape = self.shape_of(ir.operand(op, 0))?;
        let (a, b) = (
            self.lanes(ir.operand(op, 0))?,
            self.lanes(ir.operand(op, 1))?,
        );
        let is_natural = matches!(
            predicate,
            CmpIPredicate::Ult | CmpIPredicate::Ule | CmpIPredicate::Ugt | CmpIPredicate::Uge
        );
        if self.level.has_avx512 {
            let number = match predicate {
                CmpIPredicate::Eq => 0,
                CmpIPredicate::Slt | CmpIPredicate::Ult => 1,
                CmpIPredicate::Sle | CmpIPredicate::Ule => 2,
                CmpIPredicate::Ne => 4,
                CmpIPredicate::Sge | CmpIPredicate::Uge => 5,
                CmpIPredicate::Sgt | CmpIPredicate::Ugt => 6,
            };
            let form = match (shape.element.bits(), is_natural) {
                (8, false) => &forms::CMP_S_I8,
                (16, false) => &forms::CMP_S_I16,
                (32, false) => &forms::CMP_S_I32,
                (_, false) => &forms::CMP_S_I64,
                (8, true) => &forms::CMP_U_I8,
                (16, true) => &forms::CMP_U_I16,
                (32, true) => &forms::CMP_U_I32,
                (_, true) => &forms::CMP_U_I64,
            };
            let mask = self.compare_with(form, shape, &a, &b, Some(number))?;
            return Ok(Held::Mask(mask));
        }
        let (equal, greater) = match shape.element.bits() {
            8 => (&forms::EQ_I8, &forms::GT_I8),
            16 => (&forms::EQ_I16, &forms::GT_I16),
            32 => (&forms::EQ_I32, &forms::GT_I32),
            _ => (&forms::EQ_I64, &forms::GT_I64),
        };
        let (mut a, mut b) = (a, b);
        if is_natural {
            // Natural numbers are in the order of those that are signed, if the highest bit is flipped.
            let flip = self.splat_bits(shape, 1 << (shape.element.bits() - 1))?;
            for side in [&mut a, &mut b] {
                for register in side.iter_mut() {
                    *register =
                        self.vector_op(&forms::XOR_I32, shape.size, &[*register, flip], None)?;
                }
            }
        }
        let (form, is_swapped, is_inverse) = match predicate {
            CmpIPredicate::Eq => (equal, false, false),
            CmpIPredicate::Ne => (equal, false, true),
            CmpIPredicate::Sgt | CmpIPredicate::Ugt => (greater, false, false),
            CmpIPredicate::Sle | CmpIPredicate::Ule => (greater, false, true),
            CmpIPredicate::Slt | CmpIPredicate::Ult => (greater, true, false),
            CmpIPredicate::Sge | CmpIPredicate::Uge => (greater, true, true),
        };
        if is_swapped {
            std::mem::swap(&mut a, &mut b);
        }
        let mut mask = self.compare_with(form, shape, &a, &b, None)?;
        if is_inverse {
            let ones = self.splat_bits(shape, u64::MAX)?;
            for part in &mut mask.parts {
                *part = self.vector_op(&forms::XOR_I32, shape.size, &[*part, ones], None)?;
            }
        }
        Ok(Held::Mask(mask))
    }

    /// `and`, `or` and `xor` of masks.
    pub(super) fn mask_logic(&mut self, op: Op) -> Result<Held, Refusal> {
        let ir = self.ir;
        let is = |def| ir.is(op, def);
        let (code, form) = if is(&arith::ANDI) {
            (Code::VEX_Kandq_kr_kr_kr, &forms::AND_I32)
        } else if is(&arith::ORI) {
            (Code::VEX_Korq_kr_kr_kr, &forms::OR_I32)
        } else if is(&arith::XORI) {
            (Code::VEX_Kxorq_kr_kr_kr, &forms::XOR_I32)
        } else {
            return self.refuse("this operation on masks");
        };
        let shapes = [0, 1].map(|i| self.mask_shape(ir.operand(op, i)));
        let Some(shape) = shapes[0].or(shapes[1]) else {
            return self.refuse("this operation on masks");
        };
        let a = self.mask(ir.operand(op, 0), shape)?;
        let b = self.mask(ir.operand(op, 1), shape)?;
        let mut parts = Registers::new();
        for (&x, &y) in a.parts.iter().zip(&b.parts) {
            parts.push(match self.level.has_avx512 {
                true => self.mask_op(code, &[x, y], None),
                false => self.vector_op(form, a.shape.size, &[x, y], None)?,
            });
        }
        Ok(Held::Mask(Mask { parts, ..a }))
    }

    /// An instruction on mask registers.
    fn mask_op(&mut self, code: Code, sources: &[VReg], byte: Option<u8>) -> VReg {
        let result = self.b.register(MASK, self.current);
        let mut inst = Inst::new(code, &[Operand::Def(result, Size::K)]);
        let uses = sources.iter().map(|&source| Operand::Use(source, Size::K));
        inst.operands.extend(uses);
        inst.operands.extend(byte.map(Operand::Byte));
        self.push(inst);
        result
    }

    /// A mask for the lanes of another vector with as many elements.
    fn mask_for(&mut self, mask: &Mask, shape: Shape) -> Result<Mask, Refusal> {
        let from = mask.shape;
        if from.n != shape.n {
            return self.refuse("a mask for other lanes");
        }
        let (have, want) = (from.per_register(), shape.per_register());
        let is_same = match self.level.has_avx512 {
            true => have == want,
            false => from.element.bits() == shape.element.bits(),
        };
        if is_same {
            return Ok(mask.clone());
        }
        let mut parts = Registers::new();
        if !self.level.has_avx512 {
            // Masks are integers: minus one and zero.
            let ints = |shape: Shape| Shape {
                element: Element::Int(shape.element.bits()),
                ..shape
            };
            let (from, to) = (ints(from), ints(shape));
            parts = match from.element.bits() < to.element.bits() {
                true => self.extend(&mask.parts, from, to, true)?,
                false => self.truncate(&mask.parts, from, to)?,
            };
        } else if have > want {
            for i in 0..shape.n_registers() {
                let at = i * want;
                let part = mask.parts[at / have];
                parts.push(match at % have {
                    0 => part,
                    by => self.mask_op(Code::VEX_Kshiftrq_kr_kr_imm8, &[part], Some(by as u8)),
                });
            }
        } else {
            for group in mask.parts.chunks_exact(want / have) {
                let mut whole = group[0];
                for (i, &part) in group.iter().enumerate().skip(1) {
                    let by = Some((i * have) as u8);
                    let part = self.mask_op(Code::VEX_Kshiftlq_kr_kr_imm8, &[part], by);
                    whole = self.mask_op(Code::VEX_Korq_kr_kr_kr, &[whole, part], None);
                }
                parts.push(whole);
            }
        }
        Ok(Mask { parts, shape })
    }

    /// The lanes of `a` where a mask for them is set, else those of `b`.
    pub(super) fn choose_lanes(
        &mut self,
        mask: &Mask,
        shape: Shape,
        a: &[VReg],
        b: &[VReg],
    ) -> Result<Registers, Refusal> {
        let size = shape.size;
        let mut chosen = Registers::new();
        for ((&mask, &a), &b) in mask.parts.iter().zip(a).zip(b) {
            if !self.level.has_avx512 {
                chosen.push(self.vector_op(&forms::BLENDV_I8, size, &[b, a, mask], None)?);
                continue;
            }
            let form = match shape.element.bits() {
                8 => &forms::BLENDM_I8,
                16 => &forms::BLENDM_I16,
                32 => &forms::BLENDM_I32,
                _ => &forms::BLENDM_I64,
            };
            let code = self.code(form, size)?;
            let result = self.b.register(VECTOR, self.current);
            let mut inst = Inst::new(
                code,
                &[
                    Operand::Def(result, size),
                    Operand::Use(b, size),
                    Operand::Use(a, size),
                ],
            );
            inst.mask = Some(mask);
            self.push(inst);
            chosen.push(result);
        }
        Ok(chosen)
    }

    /// `arith.select` of vectors and floats.
    pub(super) fn select_lanes(&mut self, op: Op, shape: Shape) -> Result<Held, Refusal> {
        let ir = self.ir;
        let condition = ir.operand(op, 0);
        let a = self.lanes(ir.operand(op, 1))?;
        let b = self.lanes(ir.operand(op, 2))?;
        let mask = match self.held.get(&condition) {
            // One lane: the others do not matter, but it must be as wide.
            Some(Held::Bit(register, element))
                if shape.n == 1
                    && (self.level.has_avx512 || element.bits() >= shape.element.bits()) =>
            {
                Mask {
                    parts: Registers::from_slice(&[*register]),
                    shape,
                }
            }
            _ if self.mask_lanes(self.ty(condition)).is_some() => self.mask(condition, shape)?,
            _ => {
                let number = self.number(condition)?;
                self.uniform_mask(number, shape)?
            }
        };
        let chosen = self.choose_lanes(&mask, shape, &a, &b)?;
        Ok(self.as_held(shape, chosen))
    }

    /// The outcome of comparing two floats as a number.
    pub(super) fn bit_number(&mut self, register: VReg, _: Element) -> Result<Number, Refusal> {
        let home = self.b.home(register);
        let result = self.b.register(GENERAL, home);
        let (code, size) = match self.level.has_avx512 {
            true => (Code::VEX_Kmovd_r32_kr, Size::K),
            false => (Code::VEX_Vmovd_rm32_xmm, Size::X),
        };
        let operands = [Operand::Def(result, Size::B4), Operand::Use(register, size)];
        self.b.push(home, Inst::new(code, &operands));
        let one = Number::Constant(1);
        Ok(self.and(Number::Register(result), one))
    }
}
