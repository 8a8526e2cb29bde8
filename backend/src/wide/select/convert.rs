//! Conversions between types of elements.
//!
//! Where elements become wider, a register becomes several, each made of a piece of it; where they become
//! narrower, several become one.

use freehold_frontend::dialects::arith;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::target::rounds_to_nearest;
use regalloc2::VReg;

use super::permute::{Place, Pool, place};
use super::{Element, Held, Mask, Registers, Select, Shape};
use crate::wide::code::Size;
use crate::wide::forms::{self, Form};
use crate::wide::refusal::{Reason, Refusal};

/// What makes wider integers of narrower ones.
pub(super) fn extension(from: Element, to: Element, is_signed: bool) -> Option<&'static Form> {
    let (Element::Int(from), Element::Int(to)) = (from, to) else {
        return None;
    };
    Some(match (from, to, is_signed) {
        (8, 16, true) => &forms::EXTEND_S_I8_TO_I16,
        (8, 32, true) => &forms::EXTEND_S_I8_TO_I32,
        (8, 64, true) => &forms::EXTEND_S_I8_TO_I64,
        (16, 32, true) => &forms::EXTEND_S_I16_TO_I32,
        (16, 64, true) => &forms::EXTEND_S_I16_TO_I64,
        (32, 64, true) => &forms::EXTEND_S_I32_TO_I64,
        (8, 16, false) => &forms::EXTEND_U_I8_TO_I16,
        (8, 32, false) => &forms::EXTEND_U_I8_TO_I32,
        (8, 64, false) => &forms::EXTEND_U_I8_TO_I64,
        (16, 32, false) => &forms::EXTEND_U_I16_TO_I32,
        (16, 64, false) => &forms::EXTEND_U_I16_TO_I64,
        (32, 64, false) => &forms::EXTEND_U_I32_TO_I64,
        _ => return None,
    })
}

/// What makes narrower integers of wider ones, with AVX-512.
fn truncation(from: u32, to: u32) -> Option<&'static Form> {
    Some(match (from, to) {
        (16, 8) => &forms::TRUNCATE_I16_TO_I8,
        (32, 8) => &forms::TRUNCATE_I32_TO_I8,
        (64, 8) => &forms::TRUNCATE_I64_TO_I8,
        (32, 16) => &forms::TRUNCATE_I32_TO_I16,
        (64, 16) => &forms::TRUNCATE_I64_TO_I16,
        (64, 32) => &forms::TRUNCATE_I64_TO_I32,
        _ => return None,
    })
}

/// A size of at least `bytes` bytes.
fn covering(bytes: usize) -> Size {
    Size::of_vector(bytes.max(16)).unwrap_or(Size::Z)
}

impl Select<'_> {
    /// The `bytes` bytes at `offset` of a register, at the beginning of another one.
    pub(super) fn piece(
        &mut self,
        register: VReg,
        size: Size,
        offset: usize,
        bytes: usize,
    ) -> Result<VReg, Refusal> {
        if offset == 0 {
            return Ok(register);
        }
        if bytes == 32 {
            return self.resizing_op(
                &forms::EXTRACT_256,
                size,
                (Size::Y, size),
                register,
                Some(1),
            );
        }
        let mut piece = register;
        if offset >= 16 {
            let number = Some((offset / 16) as u8);
            piece =
                self.resizing_op(&forms::EXTRACT_128, size, (Size::X, size), register, number)?;
        }
        match offset % 16 {
            0 => Ok(piece),
            rest => self.vector_op(
                &forms::SHIFT_BYTES_RIGHT,
                Size::X,
                &[piece],
                Some(rest as u8),
            ),
        }
    }

    /// Pieces of `bytes` bytes, at the beginning of their registers, as registers of one size.
    pub(super) fn join(
        &mut self,
        mut pieces: Registers,
        mut bytes: usize,
        size: Size,
    ) -> Result<Registers, Refusal> {
        if bytes == 8 && pieces.len().is_multiple_of(2) {
            let pairs: Registers = pieces
                .chunks_exact(2)
                .map(|pair| self.vector_op(&forms::UNPACK_LOW_I64, Size::X, pair, None))
                .collect::<Result<_, _>>()?;
            (pieces, bytes) = (pairs, 16);
        }
        if bytes == size.bytes() {
            return Ok(pieces);
        }
        let n = size.bytes() / bytes;
        let (form, piece_size) = match bytes {
            16 => (&forms::INSERT_128, Size::X),
            32 => (&forms::INSERT_256, Size::Y),
            _ => return self.refuse(Reason::NarrowConversion),
        };
        let mut joined = Registers::new();
        if !pieces.len().is_multiple_of(n) {
            return self.refuse(Reason::ConversionSizes);
        }
        for group in pieces.chunks_exact(n) {
            let mut whole = group[0];
            for (place, &piece) in group.iter().enumerate().skip(1) {
                whole = self.insert(form, size, whole, (piece, piece_size), place as u8)?;
            }
            joined.push(whole);
        }
        Ok(joined)
    }

    /// `form`, which makes elements wider, on all of a vector.
    pub(super) fn widen(
        &mut self,
        form: &'static Form,
        registers: &[VReg],
        from: Shape,
        to: Shape,
    ) -> Result<Registers, Refusal> {
        let bytes = to.per_register() * from.element.bytes();
        let mut wide = Registers::new();
        for i in 0..to.n_registers() {
            let at = i * bytes;
            if at % from.size.bytes() + bytes > from.size.bytes() {
                return self.refuse(Reason::ConversionSizes);
            }
            let source = registers[at / from.size.bytes()];
            let piece = self.piece(source, from.size, at % from.size.bytes(), bytes)?;
            let sizes = (to.size, covering(bytes));
            wide.push(self.resizing_op(form, to.size, sizes, piece, None)?);
        }
        Ok(wide)
    }

    /// `form`, which makes elements narrower, on all of a vector.
    pub(super) fn narrow(
        &mut self,
        form: &'static Form,
        registers: &[VReg],
        from: Shape,
        to: Shape,
        byte: Option<u8>,
    ) -> Result<Registers, Refusal> {
        let bytes = from.per_register() * to.element.bytes();
        let sizes = (covering(bytes), from.size);
        let pieces = registers
            .iter()
            .map(|&register| self.resizing_op(form, from.size, sizes, register, byte))
            .collect::<Result<Registers, _>>()?;
        if pieces.len() == 1 || bytes == to.size.bytes() {
            return Ok(pieces);
        }
        if bytes >= 8 && to.n * to.element.bytes() >= 16 {
            return self.join(pieces, bytes, to.size);
        }
        let mut pool = Pool::new(to.element.bits());
        pool.add(&pieces, sizes.0);
        let per = from.per_register();
        let places: Vec<Place> = (0..from.n).map(|i| (i / per, i % per)).collect();
        self.pick_all(&mut pool, &places, to)
    }

    /// The same elements in registers of another size.
    pub(super) fn regrouped(
        &mut self,
        registers: &[VReg],
        from: Shape,
        to: Shape,
    ) -> Result<Registers, Refusal> {
        if from.size == to.size {
            return Ok(registers.into());
        }
        let mut pool = Pool::new(from.element.bits());
        pool.add(registers, from.size);
        let places: Vec<Place> = (0..from.n).map(|i| place(0, from, i)).collect();
        self.pick_all(&mut pool, &places, to)
    }

    /// Integers as wider ones.
    pub(super) fn extend(
        &mut self,
        registers: &[VReg],
        from: Shape,
        to: Shape,
        is_signed: bool,
    ) -> Result<Registers, Refusal> {
        match extension(from.element, to.element, is_signed) {
            Some(form) => self.widen(form, registers, from, to),
            None => self.refuse(Reason::Conversion),
        }
    }

    /// The low bits of integers.
    pub(super) fn truncate(
        &mut self,
        registers: &[VReg],
        from: Shape,
        to: Shape,
    ) -> Result<Registers, Refusal> {
        let (bits, new) = (from.element.bits(), to.element.bits());
        if self.level.has_avx512 {
            return match truncation(bits, new) {
                Some(form) => self.narrow(form, registers, from, to, None),
                None => self.refuse(Reason::Conversion),
            };
        }
        if !self.halves_fit(from, to) {
            // The first parts of elements.
            let parts = (bits / new) as usize;
            let mut pool = Pool::new(new);
            pool.add(registers, from.size);
            let lanes = (0..from.n).map(|i| place(0, from, i));
            let places: Vec<Place> = lanes.map(|(source, lane)| (source, lane * parts)).collect();
            return self.pick_all(&mut pool, &places, to);
        }
        let mut registers = Registers::from_slice(registers);
        let (mut bits, mut size) = (bits, from.size);
        while bits > new {
            if registers.len() == 1 {
                // Its halves are a pair.
                if size != Size::Y {
                    return self.refuse(Reason::NarrowConversion);
                }
                let whole = registers[0];
                let high = self.piece(whole, size, 16, 16)?;
                registers.push(high);
                size = Size::X;
            }
            registers = registers
                .chunks_exact(2)
                .map(|pair| self.halve(pair, bits, size))
                .collect::<Result<_, _>>()?;
            bits /= 2;
        }
        match size == to.size && registers.len() == to.n_registers() {
            true => Ok(registers),
            false => self.refuse(Reason::ConversionSizes),
        }
    }

    /// Whether elements become narrower by halving pairs of registers, or one that falls apart into halves.
    fn halves_fit(&self, from: Shape, to: Shape) -> bool {
        let (mut n, mut size) = (from.n_registers(), from.size);
        let mut bits = from.element.bits();
        while bits > to.element.bits() {
            if n == 1 {
                if size != Size::Y {
                    return false;
                }
                (n, size) = (2, Size::X);
            }
            if !n.is_multiple_of(2) {
                return false;
            }
            n /= 2;
            bits /= 2;
        }
        size == to.size && n == to.n_registers()
    }

    /// The low halves of the integers in two registers, with AVX2.
    fn halve(&mut self, pair: &[VReg], bits: u32, size: Size) -> Result<VReg, Refusal> {
        let packed = if bits == 64 {
            self.vector_op(&forms::SHUFFLE_F32, size, pair, Some(0x88))?
        } else {
            let shape = Shape {
                size,
                ..Shape::one(Element::Int(bits))
            };
            let mask = self.splat_bits(shape, (1 << (bits / 2)) - 1)?;
            let mut low = [pair[0], pair[1]];
            for half in &mut low {
                *half = self.vector_op(&forms::AND_I32, size, &[*half, mask], None)?;
            }
            let form = match bits {
                32 => &forms::PACK_U_I32,
                _ => &forms::PACK_U_I16,
            };
            self.vector_op(form, size, &low, None)?
        };
        // Each half of the register was packed on its own.
        match size {
            Size::Y => {
                self.resizing_op(&forms::PERMUTE_I64, size, (size, size), packed, Some(0xd8))
            }
            _ => Ok(packed),
        }
    }

    /// Conversions.
    pub(super) fn conversion(&mut self, op: Op, to: Shape) -> Result<Held, Refusal> {
        let ir = self.ir;
        let is = |def| ir.is(op, def);
        let source = ir.operand(op, 0);
        let is_signed = is(&arith::EXTSI) || is(&arith::SITOFP) || is(&arith::INDEX_CAST);
        if self.mask_lanes(self.ty(source)).is_some() {
            if !is(&arith::EXTSI) && !is(&arith::EXTUI) {
                return self.refuse(Reason::MaskConversion);
            }
            let mask = self.mask(source, to)?;
            return self.extended_mask(&mask, to, is_signed).map(Held::Lanes);
        }
        if self.shape(self.ty(source)).is_none() {
            return self.number_to_float(op, to);
        }
        let mut from = self.shape_of(source)?;
        let mut registers = self.lanes(source)?;
        use Element::{BF16, F16, F32, F64, Int};
        if matches!(from.element, F16 | BF16) && !is(&arith::BITCAST) {
            (registers, from) = self.halves_as_floats(&registers, from)?;
            if to.element == F32 && is(&arith::EXTF) {
                return Ok(self.as_held(to, registers));
            }
        }
        if matches!(to.element, F16 | BF16) && !is(&arith::BITCAST) {
            return self.conversion_to_halves(op, &registers, from, to);
        }
        let is_resize = is(&arith::EXTSI)
            || is(&arith::EXTUI)
            || is(&arith::TRUNCI)
            || is(&arith::INDEX_CAST)
            || is(&arith::INDEX_CASTUI);
        let from_float = is(&arith::FPTOSI) || is(&arith::FPTOUI);
        let result = match (from.element, to.element) {
            _ if is(&arith::BITCAST) && from.element.bits() == to.element.bits() => registers,
            (Int(a), Int(b)) if is_resize && a == b => registers,
            (Int(a), Int(b)) if is_resize && a < b => {
                self.extend(&registers, from, to, is_signed)?
            }
            (Int(_), Int(_)) if is_resize => self.truncate(&registers, from, to)?,
            (Int(bits @ (8 | 16 | 32)), F32 | F64) if is(&arith::SITOFP) || is(&arith::UITOFP) => {
                let (mut registers, mut middle) = (registers, from);
                if bits < 32 {
                    middle = self.reshaped(from, Int(32))?;
                    registers = self.extend(&registers, from, middle, is_signed)?;
                }
                let is_natural = bits == 32 && !is_signed;
                match (to.element, is_natural && self.level.has_avx512) {
                    (_, false) if is_natural => self.natural_floats(&registers, middle, to)?,
                    (F32, _) => {
                        let form = match is_natural {
                            true => &forms::U32_TO_F32,
                            false => &forms::I32_TO_F32,
                        };
                        self.each(form, to.size, &registers)?
                    }
                    (_, true) => self.widen(&forms::U32_TO_F64, &registers, middle, to)?,
                    (_, false) => self.widen(&forms::I32_TO_F64, &registers, middle, to)?,
                }
            }
            (F32, Int(bits @ (8 | 16 | 32)))
                if is(&arith::FPTOSI) || is(&arith::FPTOUI) && bits < 32 =>
            {
                let middle = self.reshaped(from, Int(32))?;
                let mut numbers = Registers::new();
                for register in registers {
                    numbers.push(self.saturated(register, from)?);
                }
                match bits {
                    32 => numbers,
                    _ => self.truncate(&numbers, middle, to)?,
                }
            }
            (F64, Int(bits @ (8 | 16 | 32)))
                if is(&arith::FPTOSI) || is(&arith::FPTOUI) && bits < 32 =>
            {
                let middle = self.reshaped(from, Int(32))?;
                let limited = (registers.into_iter())
                    .map(|register| self.within_i32(register, from))
                    .collect::<Result<Registers, _>>()?;
                let numbers = self.narrow(&forms::F64_TO_I32, &limited, from, middle, None)?;
                match bits {
                    32 => numbers,
                    _ => self.truncate(&numbers, middle, to)?,
                }
            }
            // By way of F64, which has all of F32, and natural numbers of 32 bits by way of 64.
            (F32 | F64, Int(bits @ (32 | 64))) if from_float && self.level.has_avx512 => {
                let doubles = self.reshaped(from, F64)?;
                if from.element == F32 {
                    registers = self.widen(&forms::F32_TO_F64, &registers, from, doubles)?;
                }
                let is_natural = bits == 64 && is(&arith::FPTOUI);
                let numbers = (registers.into_iter())
                    .map(|register| match is_natural {
                        true => self.saturated_natural(register, doubles),
                        false => self.saturated(register, doubles),
                    })
                    .collect::<Result<Registers, _>>()?;
                match bits {
                    64 => numbers,
                    _ => {
                        let wide = self.reshaped(from, Int(64))?;
                        self.truncate(&numbers, wide, to)?
                    }
                }
            }
            (Int(64), F64) if is(&arith::SITOFP) && self.level.has_avx512 => {
                self.each(&forms::I64_TO_F64, to.size, &registers)?
            }
            (Int(64), F64) if is(&arith::UITOFP) && self.level.has_avx512 => {
                self.each(&forms::U64_TO_F64, to.size, &registers)?
            }
            (Int(64), F32) if is(&arith::SITOFP) && self.level.has_avx512 => {
                self.narrow(&forms::I64_TO_F32, &registers, from, to, None)?
            }
            (Int(64), F32) if is(&arith::UITOFP) && self.level.has_avx512 => {
                self.narrow(&forms::U64_TO_F32, &registers, from, to, None)?
            }
            (F32, F64) if is(&arith::EXTF) => {
                self.widen(&forms::F32_TO_F64, &registers, from, to)?
            }
            (F64, F32) if is(&arith::TRUNCF) => {
                if !rounds_to_nearest(ir, op) {
                    return self.refuse(Reason::Rounding);
                }
                self.narrow(&forms::F64_TO_F32, &registers, from, to, None)?
            }
            _ => return self.refuse(Reason::Conversion),
        };
        Ok(self.as_held(to, result))
    }

    /// Natural numbers of 32 bits as floats, with AVX2. Those of 16 bits are exact, and the last operation rounds.
    fn natural_floats(
        &mut self,
        registers: &[VReg],
        from: Shape,
        to: Shape,
    ) -> Result<Registers, Refusal> {
        let low_bits = self.splat_bits(from, 0xffff)?;
        let low_bits = vec![low_bits; registers.len()];
        let low = self.pairs(&forms::AND_I32, from.size, registers, &low_bits)?;
        let high = registers.iter();
        let high = high
            .map(|&register| self.vector_op(&forms::SHR_U_BY_I32, from.size, &[register], Some(16)))
            .collect::<Result<Registers, _>>()?;
        let scale = match to.element {
            Element::F32 => u64::from(65536_f32.to_bits()),
            _ => 65536_f64.to_bits(),
        };
        let scale = self.splat_bits(to, scale)?;
        let [low, high] = [low, high].map(|halves| match to.element {
            Element::F32 => self.each(&forms::I32_TO_F32, to.size, &halves),
            _ => self.widen(&forms::I32_TO_F64, &halves, from, to),
        });
        let (low, high) = (low?, high?);
        let scales = vec![scale; high.len()];
        let high = self.binary_lanes(&arith::MULF, to, &high, &scales)?;
        self.binary_lanes(&arith::ADDF, to, &high, &low)
    }

    /// Conversions to floats of 16 bits, of what F32 has exactly.
    fn conversion_to_halves(
        &mut self,
        op: Op,
        registers: &[VReg],
        from: Shape,
        to: Shape,
    ) -> Result<Held, Refusal> {
        let ir = self.ir;
        let is = |def| ir.is(op, def);
        let is_signed = is(&arith::SITOFP);
        let floats = self.reshaped(from, Element::F32)?;
        let singles = match from.element {
            Element::F32 if is(&arith::TRUNCF) => {
                if !rounds_to_nearest(ir, op) {
                    return self.refuse(Reason::Rounding);
                }
                Registers::from_slice(registers)
            }
            Element::Int(8 | 16) if is_signed || is(&arith::UITOFP) => {
                let words = self.reshaped(from, Element::Int(32))?;
                let words = self.extend(registers, from, words, is_signed)?;
                self.each(&forms::I32_TO_F32, floats.size, &words)?
            }
            _ => return self.refuse(Reason::Conversion),
        };
        let halves = self.floats_as_halves(&singles, floats, to)?;
        Ok(self.as_held(to, halves))
    }

    /// The vector with as many elements of another type.
    pub(super) fn reshaped(&self, shape: Shape, element: Element) -> Result<Shape, Refusal> {
        if shape.n == 1 {
            return Ok(Shape::one(element));
        }
        match Shape::new(element, shape.row, shape.n, self.level.widest) {
            Some(shape) => Ok(shape),
            None => self.refuse(Reason::PartialRegister),
        }
    }

    /// F32 as integers of 32 bits, F64 as those of 64: numbers that are too large become the largest, and NaN zero.
    fn saturated(&mut self, register: VReg, shape: Shape) -> Result<VReg, Refusal> {
        let size = shape.size;
        let (form, limit, largest) = match shape.element {
            Element::F32 => {
                let limit = u64::from(2_147_483_648_f32.to_bits());
                (&forms::F32_TO_I32, limit, i32::MAX as u64)
            }
            _ => {
                let limit = 9_223_372_036_854_775_808_f64.to_bits();
                (&forms::F64_TO_I64, limit, i64::MAX as u64)
            }
        };
        let ints = Shape {
            element: Element::Int(shape.element.bits()),
            ..shape
        };
        // Out of range, the instruction gives the smallest number.
        let number = self.each(form, size, &[register])?[0];
        let limit = self.splat_bits(shape, limit)?;
        let largest = self.splat_bits(ints, largest)?;
        let zero = self.splat_bits(ints, 0)?;
        let is_large = self.compare_floats(0x1d, shape, &[register], &[limit])?;
        let number = self.choose_lanes(&is_large, ints, &[largest], &[number])?[0];
        let is_nan = self.compare_floats(0x03, shape, &[register], &[register])?;
        Ok(self.choose_lanes(&is_nan, ints, &[zero], &[number])?[0])
    }

    /// Doubles as the nearest natural numbers of 64 bits.
    fn saturated_natural(&mut self, register: VReg, shape: Shape) -> Result<VReg, Refusal> {
        let ints = Shape {
            element: Element::Int(64),
            ..shape
        };
        // Out of range, the instruction gives the largest number.
        let number = self.each(&forms::F64_TO_U64, shape.size, &[register])?[0];
        let zero = self.splat_bits(shape, 0)?;
        let is_positive = self.compare_floats(0x1e, shape, &[register], &[zero])?;
        Ok(self.choose_lanes(&is_positive, ints, &[number], &[zero])?[0])
    }

    /// Numbers of `f64` as the nearest ones that have integers of 32 bits, and zeros where there is no number.
    fn within_i32(&mut self, register: VReg, shape: Shape) -> Result<VReg, Refusal> {
        let size = shape.size;
        let [zero, least, largest] = [0.0, f64::from(i32::MIN), f64::from(i32::MAX)]
            .map(|number| self.splat_bits(shape, number.to_bits()));
        let (zero, least, largest) = (zero?, least?, largest?);
        let is_nan = self.compare_floats(0x03, shape, &[register], &[register])?;
        let number = self.choose_lanes(&is_nan, shape, &[zero], &[register])?[0];
        let number = self.vector_op(&forms::MAX_F64, size, &[number, least], None)?;
        self.vector_op(&forms::MIN_F64, size, &[number, largest], None)
    }

    /// A mask as integers: one or, as signed ones, minus one.
    pub(super) fn extended_mask(
        &mut self,
        mask: &Mask,
        to: Shape,
        is_signed: bool,
    ) -> Result<Registers, Refusal> {
        let mut values = [0u64; 2];
        values[0] = match is_signed {
            true => u64::MAX,
            false => 1,
        };
        let [set, clear] = [
            self.splat_bits(to, values[0])?,
            self.splat_bits(to, values[1])?,
        ];
        let n = to.n_registers();
        let (set, clear) = (Registers::from_elem(set, n), Registers::from_elem(clear, n));
        self.choose_lanes(mask, to, &set, &clear)
    }
}
