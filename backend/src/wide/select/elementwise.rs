//! Operations on lanes.

use freehold_frontend::dialects::{arith, math, vector};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::target::Feature;
use iced_x86::Code;
use regalloc2::VReg;

use super::general::Known;
use super::{Element, Held, Registers, Select, Shape};
use crate::vector::places::taken_apart;
use crate::vector::splats::{Limit, limit, splat_bits, splat_integer};
use crate::wide::code::{Base, GENERAL, Inst, Memory, Operand, Size, VECTOR};
use crate::wide::forms::{self, Form};
use crate::wide::refusal::{Reason, Refusal};

/// Rows of four, by the width of integers.
type ByWidth = [Option<&'static Form>; 4];

/// Shifts to the left, to the right, and to the right of signed integers, of 16, 32 and 64 bits: all lanes by a
/// number.
static SHIFTS_BY_NUMBER: [[&Form; 3]; 3] = [
    [&forms::SHL_BY_I16, &forms::SHL_BY_I32, &forms::SHL_BY_I64],
    [
        &forms::SHR_U_BY_I16,
        &forms::SHR_U_BY_I32,
        &forms::SHR_U_BY_I64,
    ],
    [
        &forms::SHR_S_BY_I16,
        &forms::SHR_S_BY_I32,
        &forms::SHR_S_BY_I64,
    ],
];
/// The same, each lane by another one.
static SHIFTS: [[&Form; 3]; 3] = [
    [&forms::SHL_I16, &forms::SHL_I32, &forms::SHL_I64],
    [&forms::SHR_U_I16, &forms::SHR_U_I32, &forms::SHR_U_I64],
    [&forms::SHR_S_I16, &forms::SHR_S_I32, &forms::SHR_S_I64],
];

/// By how much lanes are shifted.
#[derive(Clone, Copy)]
enum Amount {
    Number(u8),
    Lanes(VReg),
}

/// Operations on two registers of integers, by width.
static INTEGERS: &[(&OpDef, ByWidth)] = {
    const fn all(forms: [&'static Form; 4]) -> ByWidth {
        let [a, b, c, d] = forms;
        [Some(a), Some(b), Some(c), Some(d)]
    }
    use forms::*;
    &[
        (&arith::ADDI, all([&ADD_I8, &ADD_I16, &ADD_I32, &ADD_I64])),
        (&arith::ANDI, all([&AND_I32; 4])),
        (
            &arith::MAXSI,
            all([&MAX_S_I8, &MAX_S_I16, &MAX_S_I32, &MAX_S_I64]),
        ),
        (
            &arith::MAXUI,
            all([&MAX_U_I8, &MAX_U_I16, &MAX_U_I32, &MAX_U_I64]),
        ),
        (
            &arith::MINSI,
            all([&MIN_S_I8, &MIN_S_I16, &MIN_S_I32, &MIN_S_I64]),
        ),
        (
            &arith::MINUI,
            all([&MIN_U_I8, &MIN_U_I16, &MIN_U_I32, &MIN_U_I64]),
        ),
        (
            &arith::MULI,
            [None, Some(&MUL_I16), Some(&MUL_I32), Some(&MUL_I64)],
        ),
        (&arith::ORI, all([&OR_I32; 4])),
        (&arith::SUBI, all([&SUB_I8, &SUB_I16, &SUB_I32, &SUB_I64])),
        (&arith::XORI, all([&XOR_I32; 4])),
    ]
};

/// Operations on two registers of F32, and of F64.
static FLOATS: &[(&OpDef, [&Form; 2])] = &[
    (&arith::ADDF, [&forms::ADD_F32, &forms::ADD_F64]),
    (&arith::DIVF, [&forms::DIV_F32, &forms::DIV_F64]),
    (&arith::MULF, [&forms::MUL_F32, &forms::MUL_F64]),
    (&arith::SUBF, [&forms::SUB_F32, &forms::SUB_F64]),
];

/// The row for integers of `bits` bits.
fn for_width(rows: ByWidth, bits: u32) -> Option<&'static Form> {
    rows[(bits.trailing_zeros() - 3) as usize]
}

impl Select<'_> {
    /// An operation whose result is a vector, a mask, a float or the outcome of comparing floats.
    pub(super) fn elementwise(&mut self, op: Op) -> Result<Held, Refusal> {
        let ir = self.ir;
        let is = |def: &'static OpDef| ir.is(op, def);
        let result = ir.result(op, 0);
        let ty = self.ty(result);
        if is(&arith::CMPF) {
            return self.cmpf(op);
        }
        if self.mask_lanes(ty).is_some() {
            if is(&vector::BROADCAST) || is(&vector::CREATE_MASK) {
                return Ok(Held::Later);
            }
            return match is(&arith::CMPI) {
                true => self.cmpi(op),
                false => self.mask_logic(op),
            };
        }
        if is(&vector::REDUCTION) {
            return self.reduction(op);
        }
        if let Some(&factors) = self.pairs.get(&op) {
            return self.sums_of_pairs(op, factors);
        }
        let shape = self.shape_of(result)?;
        if let Some(&rotation) = self.rotations.get(&op) {
            return self.rotate(rotation, shape).map(Held::Lanes);
        }
        if is(&vector::BROADCAST) {
            return self.broadcast(ir.operand(op, 0), shape).map(Held::Lanes);
        }
        if is(&arith::SELECT) {
            return self.select_lanes(op, shape);
        }
        let is_conversion =
            is(&arith::BITCAST) || ir.operands(op).len() == 1 && self.ty(ir.operand(op, 0)) != ty;
        if is_conversion {
            let shape = self.shape_of_extended(result)?;
            return self.conversion(op, shape);
        }
        if is(&arith::SHLI) || is(&arith::SHRUI) || is(&arith::SHRSI) {
            return self.shift_lanes(op, shape).map(Held::Lanes);
        }
        let mut operands = [Registers::new(), Registers::new(), Registers::new()];
        if ir.operands(op).len() > 3 {
            return self.refuse(Reason::Operation);
        }
        for (registers, &operand) in operands.iter_mut().zip(ir.operands(op)) {
            if self.ty(operand) != ty {
                return self.refuse(Reason::Operation);
            }
            *registers = self.lanes(operand)?;
        }
        if let Some(form) = self.form_on_halves(ir.def(op), shape.element) {
            let [a, b, _] = &operands;
            let results = match ir.operands(op).len() {
                1 => self.each(form, shape.size, a)?,
                _ => self.pairs(form, shape.size, a, b)?,
            };
            return Ok(self.as_held(shape, results));
        }
        if matches!(shape.element, Element::F16 | Element::BF16)
            && !is(&arith::NEGF)
            && !is(&math::ABSF)
        {
            let mut floats = shape;
            for registers in &mut operands[..ir.operands(op).len()] {
                (*registers, floats) = self.halves_as_floats(registers, shape)?;
            }
            let results = self.on_lanes(op, floats, operands)?;
            let halves = self.floats_as_halves(&results, floats, shape)?;
            return Ok(self.as_held(shape, halves));
        }
        let results = self.on_lanes(op, shape, operands)?;
        Ok(self.as_held(shape, results))
    }

    /// What an operation does on registers with elements of one type.
    fn on_lanes(
        &mut self,
        op: Op,
        shape: Shape,
        [a, b, c]: [Registers; 3],
    ) -> Result<Registers, Refusal> {
        let ir = self.ir;
        let is = |def: &'static OpDef| ir.is(op, def);
        Ok(match ir.operands(op).len() {
            1 => self.unary(op, shape, &a)?,
            2 => match limit(ir, op) {
                Some(limit) if limit.is_right => self.limited(&limit, shape, &a, &b)?,
                Some(limit) => self.limited(&limit, shape, &b, &a)?,
                None => self.binary_lanes(ir.def(op), shape, &a, &b)?,
            },
            3 if is(&math::FMA) => {
                if self.shape_of(ir.result(op, 0))? != shape {
                    return self.refuse(Reason::OnHalves);
                }
                // What is used once need not be copied. A constant is used in each iteration.
                let has_one_use = |index| {
                    let value = ir.operand(op, index);
                    ir.has_one_use(value) && arith::as_constant_attr(ir, value).is_none()
                };
                let sum = ir.operand(op, 2);
                let is_sum = ir.value_block(sum) == ir.block_of(op)
                    && (ir.defining_op(sum)).is_none_or(|before| {
                        ir.is(before, &math::FMA) || taken_apart(ir, sum).is_some()
                    });
                let sums = has_one_use(2) && (is_sum || !has_one_use(0));
                self.fused(shape, [&a, &b, &c], sums)?
            }
            _ => return self.refuse(Reason::Operation),
        })
    }

    /// `form` on each register.
    pub(super) fn each(
        &mut self,
        form: &'static Form,
        size: Size,
        registers: &[VReg],
    ) -> Result<Registers, Refusal> {
        let results = registers.iter();
        results
            .map(|&register| self.vector_op(form, size, &[register], None))
            .collect()
    }

    /// `form` on pairs of registers.
    pub(super) fn pairs(
        &mut self,
        form: &'static Form,
        size: Size,
        a: &[VReg],
        b: &[VReg],
    ) -> Result<Registers, Refusal> {
        let pairs = a.iter().zip(b);
        pairs
            .map(|(&a, &b)| self.vector_op(form, size, &[a, b], None))
            .collect()
    }

    fn unary(&mut self, op: Op, shape: Shape, a: &[VReg]) -> Result<Registers, Refusal> {
        let ir = self.ir;
        let is = |def: &'static OpDef| ir.is(op, def);
        let size = shape.size;
        let sign = 1u64 << (shape.element.bits() - 1);
        if let Element::Int(bits) = shape.element {
            let rows = [
                Some(&forms::ABS_I8),
                Some(&forms::ABS_I16),
                Some(&forms::ABS_I32),
                Some(&forms::ABS_I64),
            ];
            return match for_width(rows, bits).filter(|_| is(&math::ABSI)) {
                Some(form) => self.each(form, size, a),
                None => self.refuse(Reason::Operation),
            };
        }
        let is_f32 = shape.element == Element::F32;
        if is(&arith::NEGF) || is(&math::ABSF) {
            let (form, bits) = match is(&arith::NEGF) {
                true => (&forms::XOR_I32, sign),
                false => (&forms::AND_I32, sign - 1),
            };
            let bits = self.splat_bits(shape, bits)?;
            return self.pairs(form, size, a, &vec![bits; a.len()]);
        }
        if is(&math::SQRT) {
            let form = match is_f32 {
                true => &forms::SQRT_F32,
                false => &forms::SQRT_F64,
            };
            return self.each(form, size, a);
        }
        // To nearest, down, up, towards zero; exceptions are not noted.
        let rounding = [
            (&math::ROUNDEVEN, 8),
            (&math::FLOOR, 9),
            (&math::CEIL, 10),
            (&math::TRUNC, 11),
        ];
        for (def, mode) in rounding {
            if is(def) {
                let form = match is_f32 {
                    true => &forms::ROUND_F32,
                    false => &forms::ROUND_F64,
                };
                let rounded = a.iter();
                return rounded
                    .map(|&a| self.vector_op(form, size, &[a], Some(mode)))
                    .collect();
            }
        }
        self.refuse(Reason::Operation)
    }

    /// What an operation with two operands does on registers.
    pub(super) fn binary_lanes(
        &mut self,
        def: &'static OpDef,
        shape: Shape,
        a: &[VReg],
        b: &[VReg],
    ) -> Result<Registers, Refusal> {
        let is = |known: &'static OpDef| std::ptr::eq(def, known);
        let size = shape.size;
        let form = match shape.element {
            Element::Int(bits) => {
                if is(&arith::MULI) && bits == 8 {
                    return self.multiply_bytes(shape, a, b);
                }
                if is(&arith::MULI) && bits == 64 && !self.level.has_avx512 {
                    return self.multiply_wide(shape, a, b);
                }
                let row = INTEGERS.iter().find(|&&(def, _)| is(def));
                row.and_then(|&(_, rows)| for_width(rows, bits))
            }
            Element::F16 | Element::BF16 => {
                if let Some(form) = self.form_on_halves(def, shape.element) {
                    return self.pairs(form, size, a, b);
                }
                let (a, floats) = self.halves_as_floats(a, shape)?;
                let (b, _) = self.halves_as_floats(b, shape)?;
                let results = self.binary_lanes(def, floats, &a, &b)?;
                return self.floats_as_halves(&results, floats, shape);
            }
            element => {
                let is_f32 = element == Element::F32;
                if is(&arith::MAXIMUMF) || is(&arith::MINIMUMF) {
                    return self.extreme(is(&arith::MAXIMUMF), shape, a, b);
                }
                let row = FLOATS.iter().find(|&&(def, _)| is(def));
                row.map(|(_, forms)| forms[usize::from(!is_f32)])
            }
        };
        match form {
            Some(form) => self.pairs(form, size, a, b),
            None => self.refuse(Reason::Operation),
        }
    }

    /// Products of bytes: those at even and at odd places, each in 16 bits.
    fn multiply_bytes(
        &mut self,
        shape: Shape,
        a: &[VReg],
        b: &[VReg],
    ) -> Result<Registers, Refusal> {
        let size = shape.size;
        let words = Shape {
            element: Element::Int(16),
            ..shape
        };
        let low = self.splat_bits(words, 0xff)?;
        let even = self.pairs(&forms::MUL_I16, size, a, b)?;
        let mut results = Registers::new();
        for ((&a, &b), even) in a.iter().zip(b).zip(even) {
            let even = self.vector_op(&forms::AND_I32, size, &[even, low], None)?;
            let a = self.vector_op(&forms::SHR_U_BY_I16, size, &[a], Some(8))?;
            let b = self.vector_op(&forms::SHR_U_BY_I16, size, &[b], Some(8))?;
            let odd = self.vector_op(&forms::MUL_I16, size, &[a, b], None)?;
            let odd = self.vector_op(&forms::SHL_BY_I16, size, &[odd], Some(8))?;
            results.push(self.vector_op(&forms::OR_I32, size, &[even, odd], None)?);
        }
        Ok(results)
    }

    /// Products of 64 bits, of those of their halves.
    fn multiply_wide(
        &mut self,
        shape: Shape,
        a: &[VReg],
        b: &[VReg],
    ) -> Result<Registers, Refusal> {
        let size = shape.size;
        let multiply = &forms::MUL_U32_TO_U64;
        let mut results = Registers::new();
        for (&a, &b) in a.iter().zip(b) {
            let high_a = self.vector_op(&forms::SHR_U_BY_I64, size, &[a], Some(32))?;
            let high_b = self.vector_op(&forms::SHR_U_BY_I64, size, &[b], Some(32))?;
            let low = self.vector_op(multiply, size, &[a, b], None)?;
            let first = self.vector_op(multiply, size, &[high_a, b], None)?;
            let second = self.vector_op(multiply, size, &[a, high_b], None)?;
            let cross = self.vector_op(&forms::ADD_I64, size, &[first, second], None)?;
            let cross = self.vector_op(&forms::SHL_BY_I64, size, &[cross], Some(32))?;
            results.push(self.vector_op(&forms::ADD_I64, size, &[low, cross], None)?);
        }
        Ok(results)
    }

    /// The row for the larger or smaller of two floats. It gives the second operand where one is NaN or both
    /// are zeros.
    fn extreme_form(is_max: bool, element: Element) -> &'static Form {
        match (is_max, element == Element::F32) {
            (true, true) => &forms::MAX_F32,
            (true, false) => &forms::MAX_F64,
            (false, true) => &forms::MIN_F32,
            (false, false) => &forms::MIN_F64,
        }
    }

    /// `arith.maximumf` and `arith.minimumf` with a known number.
    fn limited(
        &mut self,
        limit: &Limit,
        shape: Shape,
        values: &[VReg],
        limits: &[VReg],
    ) -> Result<Registers, Refusal> {
        if !limit.wins_zero {
            let form = Self::extreme_form(limit.is_max, shape.element);
            return self.pairs(form, shape.size, limits, values);
        }
        let predicate = if limit.is_max { 0x12 } else { 0x1d };
        let is_beyond = self.compare_floats(predicate, shape, values, limits)?;
        self.choose_lanes(&is_beyond, shape, limits, values)
    }

    /// `arith.maximumf` and `arith.minimumf`.
    fn extreme(
        &mut self,
        is_max: bool,
        shape: Shape,
        a: &[VReg],
        b: &[VReg],
    ) -> Result<Registers, Refusal> {
        let size = shape.size;
        let form = Self::extreme_form(is_max, shape.element);
        let one = self.pairs(form, size, a, b)?;
        let other = self.pairs(form, size, b, a)?;
        // They differ for zeros of both signs, and for NaN.
        let combine = match is_max {
            true => &forms::AND_I32,
            false => &forms::OR_I32,
        };
        let both = self.pairs(combine, size, &one, &other)?;
        let add = match shape.element {
            Element::F32 => &forms::ADD_F32,
            _ => &forms::ADD_F64,
        };
        let sum = self.pairs(add, size, a, b)?;
        let is_nan = self.compare_floats(0x03, shape, a, b)?;
        self.choose_lanes(&is_nan, shape, &sum, &both)
    }

    /// `a` times `b` and `c` in one rounding, in the registers of one of them: of `c` if `sums` says so, else of
    /// `a`.
    pub(super) fn fused(
        &mut self,
        shape: Shape,
        [a, b, c]: [&[VReg]; 3],
        sums: bool,
    ) -> Result<Registers, Refusal> {
        if !self.level.vectors.has(Feature::Fma) {
            return self.refuse(Reason::NoFma);
        }
        let form = match (shape.element, sums) {
            (Element::F32, false) => &forms::FMA213_F32,
            (Element::F64, false) => &forms::FMA213_F64,
            (Element::F32, true) => &forms::FMA231_F32,
            (Element::F64, true) => &forms::FMA231_F64,
            _ => return self.refuse(Reason::Operation),
        };
        let code = self.code(form, shape.size)?;
        let mut results = Registers::new();
        for ((&a, &b), &c) in a.iter().zip(b).zip(c) {
            let [tied, first, second] = if sums { [c, a, b] } else { [a, b, c] };
            let result = self.b.register(VECTOR, self.current);
            let mut inst = Inst::new(
                code,
                &[
                    Operand::Def(result, shape.size),
                    Operand::Use(first, shape.size),
                    Operand::Use(second, shape.size),
                ],
            );
            inst.tied = Some(tied);
            self.push(inst);
            results.push(result);
        }
        Ok(results)
    }

    /// Shifts; uniform ones by a constant use the immediate form.
    fn shift_lanes(&mut self, op: Op, shape: Shape) -> Result<Registers, Refusal> {
        let ir = self.ir;
        let bits = shape.element.bits();
        let amount = splat_integer(ir, ir.operand(op, 1));
        if amount.is_some_and(|amount| !(0..i64::from(bits)).contains(&amount)) {
            return self.refuse(Reason::ShiftTooFar);
        }
        let mut values = self.lanes(ir.operand(op, 0))?;
        if let (Some(amount), 8) = (amount, bits) {
            let shifted = (values.into_iter())
                .map(|value| self.shift_bytes(ir.def(op), shape, value, amount as u8));
            return shifted.collect();
        }
        let has_form = match amount {
            Some(_) => true,
            None => bits >= 32 || bits == 16 && self.level.has_avx512,
        };
        // What is too small for an instruction is wider for a while.
        let wide = match has_form {
            true => shape,
            false if bits < 32 => self.reshaped(shape, Element::Int(32))?,
            false => return self.refuse(Reason::WideShift),
        };
        let is_signed = ir.is(op, &arith::SHRSI);
        if wide != shape {
            values = self.extend(&values, shape, wide, is_signed)?;
        }
        let n = values.len();
        let amounts: Vec<Amount> = match amount {
            Some(amount) => vec![Amount::Number(amount as u8); n],
            None => {
                let mut amounts = self.lanes(ir.operand(op, 1))?;
                if wide != shape {
                    amounts = self.extend(&amounts, shape, wide, false)?;
                }
                // Cranelift looks at these bits of it only.
                let limit = self.splat_bits(wide, u64::from(bits - 1))?;
                let amounts = self.pairs(&forms::AND_I32, wide.size, &amounts, &vec![limit; n])?;
                amounts.into_iter().map(Amount::Lanes).collect()
            }
        };
        let shifted = (values.into_iter().zip(amounts))
            .map(|(value, amount)| self.shift_register(ir.def(op), wide, value, amount))
            .collect::<Result<Registers, Refusal>>()?;
        match wide == shape {
            true => Ok(shifted),
            false => self.truncate(&shifted, wide, shape),
        }
    }

    /// Bytes by one number, as pairs of bytes: bits that come from the other byte go.
    fn shift_bytes(
        &mut self,
        def: &'static OpDef,
        shape: Shape,
        value: VReg,
        amount: u8,
    ) -> Result<VReg, Refusal> {
        let size = shape.size;
        let (form, kept) = match std::ptr::eq(def, &arith::SHLI) {
            true => (&forms::SHL_BY_I16, 0xff << amount & 0xff),
            false => (&forms::SHR_U_BY_I16, 0xff >> amount),
        };
        let pairs = self.vector_op(form, size, &[value], Some(amount))?;
        let kept = self.splat_bits(shape, kept)?;
        let bits = self.vector_op(&forms::AND_I32, size, &[pairs, kept], None)?;
        if !std::ptr::eq(def, &arith::SHRSI) {
            return Ok(bits);
        }
        let sign = self.splat_bits(shape, 0x80 >> amount)?;
        let flipped = self.vector_op(&forms::XOR_I32, size, &[bits, sign], None)?;
        self.vector_op(&forms::SUB_I8, size, &[flipped, sign], None)
    }

    fn shift_register(
        &mut self,
        def: &'static OpDef,
        shape: Shape,
        value: VReg,
        amount: Amount,
    ) -> Result<VReg, Refusal> {
        let is_signed = std::ptr::eq(def, &arith::SHRSI);
        let size = shape.size;
        if is_signed && shape.element.bits() == 64 && !self.level.has_avx512 {
            // As natural numbers, with the sign where it goes along.
            let sign = match amount {
                Amount::Number(amount) => self.splat_bits(shape, (1 << 63) >> amount)?,
                Amount::Lanes(_) => {
                    let sign = self.splat_bits(shape, 1 << 63)?;
                    self.shift_register(&arith::SHRUI, shape, sign, amount)?
                }
            };
            let bits = self.shift_register(&arith::SHRUI, shape, value, amount)?;
            let flipped = self.vector_op(&forms::XOR_I32, size, &[bits, sign], None)?;
            return self.vector_op(&forms::SUB_I64, size, &[flipped, sign], None);
        }
        let rows = match amount {
            Amount::Number(_) => &SHIFTS_BY_NUMBER,
            Amount::Lanes(_) => &SHIFTS,
        };
        let by_width = match () {
            () if std::ptr::eq(def, &arith::SHLI) => rows[0],
            () if is_signed => rows[2],
            () => rows[1],
        };
        let form = match shape.element.bits() {
            16 => by_width[0],
            32 => by_width[1],
            _ => by_width[2],
        };
        match amount {
            Amount::Number(amount) => self.vector_op(form, size, &[value], Some(amount)),
            Amount::Lanes(amount) => self.vector_op(form, size, &[value, amount], None),
        }
    }

    // One value in all lanes.

    /// A register all of whose lanes are these bits, from the beginning.
    pub(super) fn splat_bits(&mut self, shape: Shape, bits: u64) -> Result<VReg, Refusal> {
        let bytes = &bits.to_le_bytes()[..shape.element.bytes()];
        let place = self.b.constant(bytes);
        let code = self.code(splat_form(shape.element), shape.size)?;
        let what = Known::SplatConstant(place, shape.element.bits(), shape.size);
        Ok(self.once(what, (VECTOR, self.entry), |result| {
            let operands = [Operand::Def(result, shape.size), pool_operand(place)];
            Inst::new(code, &operands)
        }))
    }

    /// A constant vector or float.
    pub(super) fn constant_lanes(&mut self, value: Value, attr: Attr) -> Result<Held, Refusal> {
        let shape = self.shape_of(value)?;
        if let Some(bits) = splat_bits(self.ir, value) {
            let register = self.splat_bits(shape, bits)?;
            return Ok(self.as_held(shape, Registers::from_elem(register, shape.n_registers())));
        }
        let Some(dense) = self.context.attr_dense(attr) else {
            return self.refuse(Reason::Constant);
        };
        if dense.splat || dense.bytes.len() != shape.n * shape.element.bytes() {
            return self.refuse(Reason::Constant);
        }
        let registers = dense.bytes.chunks(shape.size.bytes());
        let registers: Result<Registers, Refusal> = registers
            .map(|bytes| {
                let mut bytes = bytes.to_vec();
                bytes.resize(shape.size.bytes(), 0);
                self.constant_register(shape.size, &bytes)
            })
            .collect();
        Ok(Held::Lanes(registers?))
    }

    /// A register with these bytes, loaded at the beginning.
    pub(super) fn constant_register(&mut self, size: Size, bytes: &[u8]) -> Result<VReg, Refusal> {
        let code = self.code(&forms::LOAD, size)?;
        let place = self.b.constant(bytes);
        let what = Known::Constant(place, size);
        Ok(self.once(what, (VECTOR, self.entry), |result| {
            Inst::new(code, &[Operand::Def(result, size), pool_operand(place)])
        }))
    }

    /// A number or a float in all lanes, made where it is known.
    pub(super) fn broadcast(&mut self, source: Value, shape: Shape) -> Result<Registers, Refusal> {
        if let Some(bits) = splat_bits(self.ir, source) {
            let register = self.splat_bits(shape, bits)?;
            return Ok(Registers::from_elem(register, shape.n_registers()));
        }
        let ty = self.ty(source);
        let scalar = match shape.element {
            Element::Int(_) => {
                if self.int_width(ty) != Some(shape.element.bits()) {
                    return self.refuse(Reason::Broadcast);
                }
                let number = self.number(source)?;
                let register = self.register(number);
                self.in_vector_register(register)
            }
            _ if vector::is_vector(self.context, ty) => return self.refuse(Reason::Broadcast),
            _ => self.lanes(source)?[0],
        };
        let register = self.splat_lane(scalar, shape.element, shape.size)?;
        Ok(Registers::from_elem(register, shape.n_registers()))
    }

    /// The first lane of a register, an element of this type, in all lanes of another one.
    fn splat_lane(&mut self, scalar: VReg, element: Element, size: Size) -> Result<VReg, Refusal> {
        if self.is_splat(scalar, size) {
            return Ok(scalar);
        }
        let code = self.code(splat_form(element), size)?;
        let what = Known::Splat(scalar, element.bits(), size);
        let home = self.b.home(scalar);
        Ok(self.once(what, (VECTOR, home), |result| {
            let operands = [Operand::Def(result, size), Operand::Use(scalar, Size::X)];
            Inst::new(code, &operands)
        }))
    }

    /// Whether all lanes of a register are the same, as far as this size.
    pub(super) fn is_splat(&self, register: VReg, size: Size) -> bool {
        self.splats
            .get(&register)
            .is_some_and(|&known| known >= size)
    }

    /// The size of the largest vector all of whose lanes will be `value`, a float; `None` if nothing wants one, or
    /// `value` has several elements, which a broadcast repeats as a row.
    pub(super) fn wanted_splat(&self, value: Value) -> Option<Size> {
        let ir = self.ir;
        let is_one_float = |shape: Shape| {
            shape.n == 1 && !matches!(shape.element, Element::Int(_)) && shape.element.bits() >= 32
        };
        if !self.shape(self.ty(value)).is_some_and(is_one_float) {
            return None;
        }
        let users = ir.uses(value).iter().map(|used| used.op);
        let splats = users.filter(|&op| ir.is(op, &vector::BROADCAST));
        let sizes = splats.filter_map(|op| Some(self.shape(self.ty(ir.result(op, 0)))?.size));
        sizes.max()
    }

    /// Loads an element into all lanes.
    pub(super) fn load_splat(
        &mut self,
        element: Element,
        size: Size,
        memory: Memory,
    ) -> Result<VReg, Refusal> {
        let code = self.code(splat_form(element), size)?;
        let result = self.b.register(VECTOR, self.current);
        let operands = [Operand::Def(result, size), Operand::Memory(memory)];
        self.push(Inst::new(code, &operands));
        self.splats.insert(result, size);
        Ok(result)
    }

    /// The low bits of a general register in all lanes of a vector.
    pub(super) fn splat_register(&mut self, register: VReg, shape: Shape) -> Result<VReg, Refusal> {
        let scalar = self.in_vector_register(register);
        self.splat_lane(scalar, shape.element, shape.size)
    }

    /// A general register's bits in a register of vectors, where they are known.
    pub(super) fn in_vector_register(&mut self, register: VReg) -> VReg {
        let code = match self.level.has_avx512 {
            true => Code::EVEX_Vmovq_xmm_rm64,
            false => Code::VEX_Vmovq_xmm_rm64,
        };
        let home = self.b.home(register);
        self.once(Known::InVector(register), (VECTOR, home), |result| {
            let operands = [
                Operand::Def(result, Size::X),
                Operand::Use(register, Size::B8),
            ];
            Inst::new(code, &operands)
        })
    }

    /// The first element of a vector register, of 32 or 64 bits, in a general register.
    pub(super) fn general_register(&mut self, register: VReg, width: u32) -> VReg {
        let (code, size) = match (width, self.level.has_avx512) {
            (32, true) => (Code::EVEX_Vmovd_rm32_xmm, Size::B4),
            (32, false) => (Code::VEX_Vmovd_rm32_xmm, Size::B4),
            (_, true) => (Code::EVEX_Vmovq_rm64_xmm, Size::B8),
            (_, false) => (Code::VEX_Vmovq_rm64_xmm, Size::B8),
        };
        let home = self.b.home(register);
        let result = self.b.register(GENERAL, home);
        let operands = [Operand::Def(result, size), Operand::Use(register, Size::X)];
        self.b.push(home, Inst::new(code, &operands));
        result
    }

    /// An integer outside of vectors as a float.
    pub(super) fn number_to_float(&mut self, op: Op, to: Shape) -> Result<Held, Refusal> {
        let ir = self.ir;
        let source = ir.operand(op, 0);
        let is_signed = ir.is(op, &arith::SITOFP);
        let width = self.int_width(self.ty(source));
        let is_float = matches!(to.element, Element::F32 | Element::F64);
        if ir.is(op, &arith::BITCAST) && is_float && width == Some(to.element.bits()) {
            let number = self.number(source)?;
            let register = self.register(number);
            return Ok(Held::Float(self.in_vector_register(register)));
        }
        let fits = |width: u32| width < 32 || width == 32 && is_signed;
        let form = match to.element {
            Element::F32 => Some(&forms::I32_TO_F32),
            Element::F64 => Some(&forms::I32_TO_F64),
            _ => None,
        };
        let form = form.filter(|_| to.n == 1 && width.is_some_and(fits));
        let Some(form) = form.filter(|_| is_signed || ir.is(op, &arith::UITOFP)) else {
            return self.refuse(Reason::ScalarConversion);
        };
        let mut number = self.number(source)?;
        if is_signed {
            number = self.sign_extend(number, width.unwrap_or(32));
        }
        let register = self.register(number);
        let register = self.in_vector_register(register);
        Ok(Held::Float(self.vector_op(
            form,
            Size::X,
            &[register],
            None,
        )?))
    }

    /// `form` puts a piece into a place of a register.
    pub(super) fn insert(
        &mut self,
        form: &'static Form,
        size: Size,
        whole: VReg,
        (piece, piece_size): (VReg, Size),
        place: u8,
    ) -> Result<VReg, Refusal> {
        let code = self.code(form, size)?;
        let result = self.b.register(VECTOR, self.current);
        let operands = [
            Operand::Def(result, size),
            Operand::Use(whole, size),
            Operand::Use(piece, piece_size),
            Operand::Byte(place),
        ];
        self.push(Inst::new(code, &operands));
        Ok(result)
    }
}

/// The constant behind the code at this place.
fn pool_operand(place: u32) -> Operand {
    Operand::Memory(Memory {
        base: Base::Pool(place),
        index: None,
        offset: 0,
    })
}

/// What puts the first lane of a register, or an element in memory, into all lanes.
fn splat_form(element: Element) -> &'static Form {
    match element.bits() {
        8 => &forms::SPLAT_I8,
        16 => &forms::SPLAT_I16,
        32 => &forms::SPLAT_I32,
        _ => &forms::SPLAT_I64,
    }
}
