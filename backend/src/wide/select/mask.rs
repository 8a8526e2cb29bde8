//! Comparisons and what depends on them.

use std::cmp::Ordering;

use freehold_frontend::dialects::arith::{self, CmpFPredicate, CmpIPredicate};
use freehold_frontend::dialects::vector;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::Type;
use iced_x86::Code;
use regalloc2::VReg;

use super::general::Number;
use super::{Element, Held, Mask, Registers, Select, Shape};
use crate::wide::code::{GENERAL, Inst, MASK, Operand, Size, VECTOR};
use crate::wide::forms::{self, Form};
use crate::wide::refusal::{Reason, Refusal};

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

/// What combines masks: in mask registers, and as lanes.
static LOGIC: &[(&OpDef, Code, &Form)] = &[
    (&arith::ANDI, Code::VEX_Kandq_kr_kr_kr, &forms::AND_I32),
    (&arith::ORI, Code::VEX_Korq_kr_kr_kr, &forms::OR_I32),
    (&arith::XORI, Code::VEX_Kxorq_kr_kr_kr, &forms::XOR_I32),
];

/// Operations on masks, one of the result of the other, that are done again wherever a mask is wanted: a mask that may
/// be beyond two edges takes three.
const MAX_DEPTH_LATER: u32 = 4;

impl Select<'_> {
    /// A vector of `i1`, for a vector of this shape.
    pub(super) fn mask(&mut self, value: Value, shape: Shape) -> Result<Mask, Refusal> {
        match self.held.get(&value) {
            Some(Held::Mask(mask)) => {
                let mask = mask.clone();
                return self.mask_for(&mask, shape);
            }
            Some(Held::Bytes(registers, from)) => {
                let (registers, from) = (registers.clone(), *from);
                let mask = self.mask_of_bytes(&registers, from)?;
                return self.mask_for(&mask, shape);
            }
            _ => {}
        }
        if self.places.contains_key(&value) {
            let held = self.load_input(value)?;
            self.held.insert(value, held);
            return self.mask(value, shape);
        }
        let ir = self.ir;
        if let Some(op) = self.logic_later(value) {
            return self.logic_for(op, shape);
        }
        if let Some(op) = ir.defined_by(value, &vector::CREATE_MASK) {
            let sizes = self.dims(value);
            let mut limits = Vec::new();
            for (&bound, &size) in ir.operands(op).iter().zip(&sizes) {
                let bound = self.number(bound)?;
                limits.push(Some((Number::Constant(0), self.clamped(bound, size))));
            }
            return self.mask_within(&limits, &sizes, shape);
        }
        if let Some(dense) =
            arith::as_constant_attr(ir, value).and_then(|a| self.context.attr_dense(a))
            && !dense.splat
            && dense.bytes.len() == shape.n
        {
            let bits: Vec<bool> = dense.bytes.iter().map(|&byte| byte & 1 != 0).collect();
            return self.constant_mask(&bits, shape);
        }
        let is_splat = |&op: &Op| ir.is(op, &vector::BROADCAST);
        let number = match ir.defining_op(value).filter(is_splat) {
            Some(op) if self.ty(ir.operand(op, 0)) == Type::I1 => self.number(ir.operand(op, 0))?,
            _ => match arith::as_constant_attr(ir, value).map(|attr| self.context.attr_dense(attr))
            {
                Some(Some(dense)) if dense.splat && !dense.bytes.is_empty() => {
                    Number::Constant(i64::from(dense.bytes[0] & 1))
                }
                _ => return self.refuse(Reason::ForeignMask),
            },
        };
        self.uniform_mask(number, shape)
    }

    /// A mask of known bits.
    pub(super) fn constant_mask(&mut self, bits: &[bool], shape: Shape) -> Result<Mask, Refusal> {
        let per = shape.per_register();
        let mut parts = Registers::new();
        for group in bits.chunks(per) {
            parts.push(if self.level.has_avx512 {
                let number = (0..)
                    .zip(group)
                    .fold(0u64, |n, (i, &bit)| n | u64::from(bit) << i);
                let number = self.register(Number::Constant(number as i64));
                self.mask_register(number)
            } else {
                let bytes = shape.element.bytes();
                let lanes = group
                    .iter()
                    .flat_map(|&bit| vec![u8::from(bit).wrapping_neg(); bytes]);
                let mut lanes: Vec<u8> = lanes.collect();
                lanes.resize(shape.size.bytes(), 0);
                self.constant_register(shape.size, &lanes)?
            });
        }
        Ok(Mask { parts, shape })
    }

    /// The bits of a general register as a mask.
    fn mask_register(&mut self, bits: VReg) -> VReg {
        let result = self.b.register(MASK, self.current);
        let operands = [Operand::Def(result, Size::K), Operand::Use(bits, Size::B8)];
        self.push(Inst::new(Code::VEX_Kmovq_kr_r64, &operands));
        result
    }

    /// A mask of bytes of one and zero.
    pub(super) fn mask_of_bytes(&mut self, bytes: &[VReg], shape: Shape) -> Result<Mask, Refusal> {
        let zero = self.splat_bits(shape, 0)?;
        let zeros = Registers::from_elem(zero, bytes.len());
        self.compare_lanes(CmpIPredicate::Sgt, shape, bytes.into(), zeros)
    }

    /// A vector of `i1` as bytes of one and zero.
    pub(super) fn mask_bytes(&mut self, value: Value) -> Result<(Registers, Shape), Refusal> {
        if let Some(Held::Bytes(registers, shape)) = self.held.get(&value) {
            return Ok((registers.clone(), *shape));
        }
        let ty = self.ty(value);
        let n = self.mask_lanes(ty).unwrap_or(1);
        let shape = self.byte_shape(ty, n)?;
        let mask = self.mask(value, shape)?;
        Ok((self.extended_mask(&mask, shape, false)?, shape))
    }

    /// The intersection of two masks for the same lanes.
    pub(super) fn both_masks(&mut self, a: &Mask, b: &Mask) -> Result<Mask, Refusal> {
        self.combine_masks(&arith::ANDI, a, b)
    }

    /// `and`, `or` or `xor` of two masks for the same lanes.
    fn combine_masks(&mut self, def: &OpDef, a: &Mask, b: &Mask) -> Result<Mask, Refusal> {
        let row = LOGIC.iter().find(|row| std::ptr::eq(row.0, def));
        let Some(&(_, code, form)) = row else {
            return self.refuse(Reason::OnMasks);
        };
        let mut parts = Registers::new();
        for (&x, &y) in a.parts.iter().zip(&b.parts) {
            parts.push(match self.level.has_avx512 {
                true => self.mask_op(code, &[x, y], None),
                false => self.vector_op(form, a.shape.size, &[x, y], None)?,
            });
        }
        Ok(Mask { parts, ..*a })
    }

    /// A mask of which all lanes are this `i1`.
    pub(super) fn uniform_mask(&mut self, number: Number, shape: Shape) -> Result<Mask, Refusal> {
        let bits = self.sign_extend(number, 1);
        let part = if self.level.has_avx512 {
            // Bits beyond the lanes are zero.
            let lanes = Number::Constant((u64::MAX >> (64 - shape.per_register())) as i64);
            let bits = self.and(bits, lanes);
            let bits = self.register(bits);
            self.mask_register(bits)
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
            Some(Held::Bytes(_, shape)) => Some(*shape),
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
        let from = shape;
        let form = match shape.element {
            Element::F32 => &forms::CMP_F32,
            Element::F64 => &forms::CMP_F64,
            Element::F16 | Element::BF16 => {
                let (a, shape) = self.halves_as_floats(a, shape)?;
                let (b, _) = self.halves_as_floats(b, from)?;
                return self.compare_floats(predicate, shape, &a, &b);
            }
            Element::Int(_) => return self.refuse(Reason::ComparisonType),
        };
        self.compare_with(form, shape, a, b, Some(predicate))
    }

    /// `arith.cmpf`
    pub(super) fn cmpf(&mut self, op: Op) -> Result<Held, Refusal> {
        let ir = self.ir;
        let Some(predicate) = CmpFPredicate::of(ir, op).and_then(float_predicate) else {
            return self.refuse(Reason::ConstantPredicate);
        };
        let shape = self.shape_of(ir.operand(op, 0))?;
        let (a, b) = (
            self.lanes(ir.operand(op, 0))?,
            self.lanes(ir.operand(op, 1))?,
        );
        let mask = self.compare_floats(predicate, shape, &a, &b)?;
        Ok(match shape.n {
            1 => Held::Bit(mask.parts[0], mask.shape.element),
            _ => Held::Mask(mask),
        })
    }

    /// `arith.cmpi` on vectors.
    pub(super) fn cmpi(&mut self, op: Op) -> Result<Held, Refusal> {
        let ir = self.ir;
        let Some(predicate) = CmpIPredicate::of(ir, op) else {
            return self.refuse(Reason::NoPredicate);
        };
        let shape = self.shape_of(ir.operand(op, 0))?;
        let (a, b) = (
            self.lanes(ir.operand(op, 0))?,
            self.lanes(ir.operand(op, 1))?,
        );
        self.compare_lanes(predicate, shape, a, b).map(Held::Mask)
    }

    pub(super) fn compare_lanes(
        &mut self,
        predicate: CmpIPredicate,
        shape: Shape,
        mut a: Registers,
        mut b: Registers,
    ) -> Result<Mask, Refusal> {
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
            return self.compare_with(form, shape, &a, &b, Some(number));
        }
        let (equal, greater) = match shape.element.bits() {
            8 => (&forms::EQ_I8, &forms::GT_I8),
            16 => (&forms::EQ_I16, &forms::GT_I16),
            32 => (&forms::EQ_I32, &forms::GT_I32),
            _ => (&forms::EQ_I64, &forms::GT_I64),
        };
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
        Ok(mask)
    }

    /// `and`, `or` and `xor` of masks.
    pub(super) fn mask_logic(&mut self, op: Op) -> Result<Held, Refusal> {
        let ir = self.ir;
        if !LOGIC.iter().any(|row| ir.is(op, row.0)) {
            return self.refuse(Reason::OnMasks);
        }
        if self
            .depth_later(op)
            .is_some_and(|depth| depth <= MAX_DEPTH_LATER)
        {
            return Ok(Held::Later);
        }
        let shapes = [0, 1].map(|i| self.mask_shape(ir.operand(op, i)));
        let shape = match shapes[0].or(shapes[1]) {
            Some(shape) => shape,
            None => {
                let ty = self.ty(ir.result(op, 0));
                self.byte_shape(ty, self.mask_lanes(ty).unwrap_or(1))?
            }
        };
        self.logic_for(op, shape).map(Held::Mask)
    }

    fn logic_for(&mut self, op: Op, shape: Shape) -> Result<Mask, Refusal> {
        let ir = self.ir;
        let a = self.mask(ir.operand(op, 0), shape)?;
        let b = self.mask(ir.operand(op, 1), shape)?;
        self.combine_masks(ir.def(op), &a, &b)
    }

    /// How many operations combine masks that can be made where something wants them; `None` if others are among these.
    fn depth_later(&self, op: Op) -> Option<u32> {
        let mut depth = 1;
        for &operand in self.ir.operands(op) {
            match self.held.get(&operand) {
                Some(Held::Later) => {
                    if let Some(inner) = self.logic_later(operand) {
                        depth = depth.max(1 + self.depth_later(inner)?);
                    }
                }
                _ => drop(arith::as_constant_attr(self.ir, operand)?),
            }
        }
        Some(depth)
    }

    /// The operation that combines masks, where something wants the outcome.
    fn logic_later(&self, value: Value) -> Option<Op> {
        let op = self.ir.defining_op(value)?;
        let is_later = matches!(self.held.get(&value), Some(Held::Later));
        (is_later && LOGIC.iter().any(|row| self.ir.is(op, row.0))).then_some(op)
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
    pub(super) fn mask_for(&mut self, mask: &Mask, shape: Shape) -> Result<Mask, Refusal> {
        let from = mask.shape;
        if from.n != shape.n {
            return self.refuse(Reason::MaskLanes);
        }
        let (have, want) = (from.per_register(), shape.per_register());
        let is_same = match self.level.has_avx512 {
            true => have == want,
            false => from.element.bits() == shape.element.bits() && from.size == shape.size,
        };
        if is_same {
            return Ok(Mask {
                parts: mask.parts.clone(),
                shape,
            });
        }
        let mut parts = Registers::new();
        if !self.level.has_avx512 {
            // Masks are integers: minus one and zero.
            let ints = |shape: Shape| Shape {
                element: Element::Int(shape.element.bits()),
                ..shape
            };
            let (from, to) = (ints(from), ints(shape));
            parts = match from.element.bits().cmp(&to.element.bits()) {
                Ordering::Less => self.extend(&mask.parts, from, to, true)?,
                Ordering::Equal => self.regrouped(&mask.parts, from, to)?,
                Ordering::Greater => self.truncate(&mask.parts, from, to)?,
            };
        } else if have > want {
            for i in 0..shape.n_registers() {
                let at = i * want % have;
                let part = mask.parts[i * want / have];
                // Bits beyond the lanes are zero: what is put together from parts relies on that.
                let above = 64 - at - want;
                let mut shift = |code, part, by: usize| match by {
                    0 => part,
                    _ => self.mask_op(code, &[part], Some(by as u8)),
                };
                let is_last = at + want == have;
                let lost = if is_last { 0 } else { above };
                let part = shift(Code::VEX_Kshiftlq_kr_kr_imm8, part, lost);
                parts.push(shift(Code::VEX_Kshiftrq_kr_kr_imm8, part, at + lost));
            }
        } else {
            for group in mask.parts.chunks(want / have) {
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
