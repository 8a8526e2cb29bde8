//! Integers outside of vectors: indices, bounds, conditions, addresses.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::{arith, memref};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{DYNAMIC, Type, TypeKind};
use iced_x86::Code;
use regalloc2::{Block, RegClass, VReg};
use smallvec::SmallVec;

use super::{Held, Select};
use crate::repr::{Repr, dynamic_fields};
use crate::wide::code::{Base, Condition, GENERAL, Inst, Memory, Operand, Size};
use crate::wide::refusal::{Reason, Refusal};

/// An integer of at most 64 bits, zero-extended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Number {
    Constant(i64),
    Register(VReg),
}

/// What a register holds that was computed once, for all that want it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Known {
    /// What an instruction computes of general registers and numbers.
    Computed(Code, SmallVec<[Number; 3]>),
    /// The content of a place in the memory of the argument.
    Input(u32),
    /// The bytes at this place behind the code.
    Constant(u32, Size),
    /// An element at this place behind the code, in all lanes; its bits come second.
    SplatConstant(u32, u32, Size),
    /// The first element of a register, in all lanes; its bits come second.
    Splat(VReg, u32, Size),
    /// The bits of a general register in the first lane.
    InVector(VReg),
}

/// The fields of a descriptor, in the order of the calling convention.
#[derive(Clone, Copy, Debug)]
pub(super) enum Field {
    Aligned,
    Offset,
    Size(usize),
    Stride(usize),
}

/// The longest chain of additions of constants in a subscript. Only bounds compile time:
/// a window of `stencil of five points` (benches/results) has one.
const MAX_ADDITIONS: usize = 4;

/// What an operation does with integers.
#[derive(Clone, Copy)]
pub(super) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    /// What two instructions do, with a register and with a number.
    Bits(Code, Code),
    Compare,
    Select,
    /// The operand for which the condition holds against the other one.
    Extreme(Condition),
    Resize {
        is_signed: bool,
    },
    /// By a known number of bits.
    Shift(Code),
    /// The bits of a float.
    FloatBits,
    Size,
    Address,
}

use Arithmetic::{
    Add, Address, Bits, Compare, Extreme, FloatBits, Multiply, Resize, Shift, Size as SizeOf,
    Subtract,
};

/// Operations that [`Select::number`] computes.
static NUMBERS: &[(&OpDef, Arithmetic)] = &[
    (&arith::ADDI, Add),
    (&arith::ANDI, Bits(Code::And_r64_rm64, Code::And_rm64_imm32)),
    (&arith::BITCAST, FloatBits),
    (&arith::CMPI, Compare),
    (&arith::EXTSI, Resize { is_signed: true }),
    (&arith::EXTUI, Resize { is_signed: false }),
    (&arith::INDEX_CAST, Resize { is_signed: true }),
    (&arith::INDEX_CASTUI, Resize { is_signed: false }),
    (&arith::MAXSI, Extreme(Condition::Greater)),
    (&arith::MAXUI, Extreme(Condition::Above)),
    (&arith::MINSI, Extreme(Condition::Less)),
    (&arith::MINUI, Extreme(Condition::Below)),
    (&arith::MULI, Multiply),
    (&arith::ORI, Bits(Code::Or_r64_rm64, Code::Or_rm64_imm32)),
    (&arith::SELECT, Arithmetic::Select),
    (&arith::SHLI, Shift(Code::Shl_rm64_imm8)),
    (&arith::SHRSI, Shift(Code::Sar_rm64_imm8)),
    (&arith::SHRUI, Shift(Code::Shr_rm64_imm8)),
    (&arith::SUBI, Subtract),
    (&arith::TRUNCI, Resize { is_signed: false }),
    (&arith::XORI, Bits(Code::Xor_r64_rm64, Code::Xor_rm64_imm32)),
    (&memref::DIM, SizeOf),
    (&memref::EXTRACT_ALIGNED_POINTER_AS_INDEX, Address),
];

/// What [`Select::number`] computes for an operation, if it does.
pub(super) fn arithmetic(ir: &Ir, op: Op) -> Option<Arithmetic> {
    let &(_, known) = NUMBERS.iter().find(|row| ir.is(op, row.0))?;
    let is_there = match known {
        Address => !ir.has_attr(op, Name::ALLOCATED),
        Shift(_) => arith::as_constant_int(ir, ir.operand(op, 1)).is_some(),
        FloatBits => [Type::F32, Type::F64].contains(&ir.value_type(ir.operand(op, 0))),
        _ => true,
    };
    is_there.then_some(known)
}

impl Select<'_> {
    /// The width of integers of a type that fit into a general register.
    pub(super) fn int_width(&self, ty: Type) -> Option<u32> {
        match self.context.type_kind(ty) {
            TypeKind::Index => Some(64),
            TypeKind::Integer { width, .. } if matches!(width, 1 | 8 | 16 | 32 | 64) => {
                Some(*width)
            }
            _ => None,
        }
    }

    /// A number in a register.
    pub(super) fn register(&mut self, number: Number) -> VReg {
        match number {
            Number::Register(register) => register,
            Number::Constant(bits) => match i32::try_from(bits) {
                Ok(small) => self.compute(
                    Code::Mov_rm64_imm32,
                    &[Number::Constant(small.into())],
                    false,
                ),
                Err(_) => self.compute(Code::Mov_r64_imm64, &[number], false),
            },
        }
    }

    /// Where all of these are known.
    fn home(&self, sources: &[Number]) -> Block {
        let homes = sources.iter().filter_map(|source| match source {
            Number::Register(register) => Some(self.b.home(*register)),
            Number::Constant(_) => None,
        });
        homes.max_by_key(|home| home.index()).unwrap_or(self.entry)
    }

    /// What an instruction without side effects computes of `sources`, which are its operands behind the
    /// result; if it is tied, the first one of them is in the register of the result.
    fn compute(&mut self, code: Code, sources: &[Number], is_tied: bool) -> VReg {
        let key = Known::Computed(code, SmallVec::from_slice(sources));
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let home = self.home(sources);
        let result = self.b.register(GENERAL, home);
        let mut inst = Inst::new(code, &[Operand::Def(result, Size::B8)]);
        for (index, source) in sources.iter().enumerate() {
            match *source {
                Number::Register(register) if is_tied && index == 0 => inst.tied = Some(register),
                Number::Register(register) => {
                    let size = match code {
                        Code::Mov_r32_rm32 | Code::Movsxd_r64_rm32 => Size::B4,
                        Code::Movzx_r32_rm16 | Code::Movsx_r64_rm16 => Size::B2,
                        Code::Movzx_r32_rm8 | Code::Movsx_r64_rm8 => Size::B1,
                        _ => Size::B8,
                    };
                    inst.operands.push(Operand::Use(register, size));
                }
                Number::Constant(number) => inst.operands.push(match code {
                    Code::Mov_r64_imm64 => Operand::Wide(number),
                    Code::Shl_rm64_imm8 | Code::Shr_rm64_imm8 | Code::Sar_rm64_imm8 => {
                        Operand::Byte(number as u8)
                    }
                    _ => Operand::Number(number as i32),
                }),
            }
        }
        if matches!(
            code,
            Code::Mov_r32_rm32 | Code::Movzx_r32_rm16 | Code::Movzx_r32_rm8
        ) {
            inst.operands[0] = Operand::Def(result, Size::B4);
        }
        inst.loc = self.loc;
        self.b.push(home, inst);
        self.known.insert(key, result);
        result
    }

    /// The register of this class that holds something, which an instruction computes in a block if it is not known.
    pub(super) fn once(
        &mut self,
        what: Known,
        (class, home): (RegClass, Block),
        instruction: impl FnOnce(VReg) -> Inst,
    ) -> VReg {
        if let Some(&known) = self.known.get(&what) {
            return known;
        }
        let result = self.b.register(class, home);
        self.b.push(home, instruction(result));
        self.known.insert(what, result);
        result
    }

    /// `code` for two registers, or `immediate` for a register and a number of 32 bits.
    fn binary(&mut self, code: Code, immediate: Code, a: Number, b: Number) -> Number {
        let a = self.register(a);
        let result = match b {
            Number::Constant(bits) if i32::try_from(bits).is_ok() => {
                self.compute(immediate, &[Number::Register(a), b], true)
            }
            _ => {
                let b = self.register(b);
                self.compute(code, &[Number::Register(a), Number::Register(b)], true)
            }
        };
        Number::Register(result)
    }

    pub(super) fn add(&mut self, a: Number, b: Number) -> Number {
        match (a, b) {
            (Number::Constant(a), Number::Constant(b)) => Number::Constant(a.wrapping_add(b)),
            (other, Number::Constant(0)) | (Number::Constant(0), other) => other,
            (Number::Constant(_), _) => self.add(b, a),
            _ => self.binary(Code::Add_r64_rm64, Code::Add_rm64_imm32, a, b),
        }
    }

    pub(super) fn and(&mut self, a: Number, b: Number) -> Number {
        self.binary(Code::And_r64_rm64, Code::And_rm64_imm32, a, b)
    }

    pub(super) fn subtract(&mut self, a: Number, b: Number) -> Number {
        match (a, b) {
            (Number::Constant(a), Number::Constant(b)) => Number::Constant(a.wrapping_sub(b)),
            (_, Number::Constant(0)) => a,
            _ => self.binary(Code::Sub_r64_rm64, Code::Sub_rm64_imm32, a, b),
        }
    }

    pub(super) fn multiply(&mut self, a: Number, b: Number) -> Number {
        match (a, b) {
            (Number::Constant(a), Number::Constant(b)) => Number::Constant(a.wrapping_mul(b)),
            (_, Number::Constant(0)) | (Number::Constant(0), _) => Number::Constant(0),
            (other, Number::Constant(1)) | (Number::Constant(1), other) => other,
            (Number::Constant(_), _) => self.multiply(b, a),
            (_, Number::Constant(factor)) if factor > 0 && factor & (factor - 1) == 0 => {
                self.shift(Code::Shl_rm64_imm8, a, factor.trailing_zeros())
            }
            (_, Number::Constant(factor)) if i32::try_from(factor).is_ok() => {
                let a = Number::Register(self.register(a));
                Number::Register(self.compute(Code::Imul_r64_rm64_imm32, &[a, b], false))
            }
            _ => {
                let [b, a] = [b, a].map(|factor| Number::Register(self.register(factor)));
                Number::Register(self.compute(Code::Imul_r64_rm64, &[a, b], true))
            }
        }
    }

    fn shift(&mut self, code: Code, a: Number, bits: u32) -> Number {
        if bits == 0 {
            return a;
        }
        let a = Number::Register(self.register(a));
        let bits = Number::Constant(bits.into());
        Number::Register(self.compute(code, &[a, bits], true))
    }

    /// The low `width` bits.
    pub(super) fn zero_extend(&mut self, number: Number, width: u32) -> Number {
        match number {
            Number::Constant(bits) => Number::Constant(bits & (u64::MAX >> (64 - width)) as i64),
            Number::Register(_) => match width {
                1 => self.and(number, Number::Constant(1)),
                8 => Number::Register(self.compute(Code::Movzx_r32_rm8, &[number], false)),
                16 => Number::Register(self.compute(Code::Movzx_r32_rm16, &[number], false)),
                32 => Number::Register(self.compute(Code::Mov_r32_rm32, &[number], false)),
                _ => number,
            },
        }
    }

    /// A number whose bits above `width` are those of its sign.
    pub(super) fn sign_extend(&mut self, number: Number, width: u32) -> Number {
        match number {
            Number::Constant(bits) => Number::Constant(bits << (64 - width) >> (64 - width)),
            Number::Register(_) => match width {
                1 => self.subtract(Number::Constant(0), number),
                8 => Number::Register(self.compute(Code::Movsx_r64_rm8, &[number], false)),
                16 => Number::Register(self.compute(Code::Movsx_r64_rm16, &[number], false)),
                32 => Number::Register(self.compute(Code::Movsxd_r64_rm32, &[number], false)),
                _ => number,
            },
        }
    }

    /// An integer, zero-extended.
    pub(super) fn number(&mut self, value: Value) -> Result<Number, Refusal> {
        match self.held.get(&value) {
            Some(Held::Number(number)) => return Ok(*number),
            Some(Held::Bit(register, element)) => {
                let (register, element) = (*register, *element);
                return self.bit_number(register, element);
            }
            Some(_) => return self.refuse(Reason::OtherKind),
            None => {}
        }
        let Some(width) = self.int_width(self.ty(value)) else {
            return self.refuse(Reason::ScalarType);
        };
        let number = if let Some(bits) = arith::as_constant_int(self.ir, value) {
            self.zero_extend(Number::Constant(bits as i64), width)
        } else if self.places.contains_key(&value) {
            match self.load_input(value)? {
                Held::Number(number) => number,
                _ => return self.refuse(Reason::OtherKind),
            }
        } else {
            match self.ir.defining_op(value) {
                Some(op) => match arithmetic(self.ir, op) {
                    Some(what) => self.number_of(op, what, width)?,
                    None => self.metadata(op, value)?,
                },
                None => return self.refuse(Reason::OnScalars),
            }
        };
        self.held.insert(value, Held::Number(number));
        Ok(number)
    }

    /// What an operation computes of integers, as `width` bits.
    fn number_of(&mut self, op: Op, what: Arithmetic, width: u32) -> Result<Number, Refusal> {
        let ir = self.ir;
        match what {
            SizeOf => {
                let dim = arith::as_constant_index(ir, ir.operand(op, 1));
                return match dim.and_then(|dim| usize::try_from(dim).ok()) {
                    Some(dim) => self.field(ir.operand(op, 0), Field::Size(dim)),
                    None => self.refuse(Reason::UnknownDimension),
                };
            }
            Address => return self.field(ir.operand(op, 0), Field::Aligned),
            FloatBits => {
                let float = self.lanes(ir.operand(op, 0))?[0];
                return Ok(Number::Register(self.general_register(float, width)));
            }
            Compare => {
                let (compare, condition) = self.compare_numbers(op)?;
                let bits = [1, 0].map(|bit| Number::Register(self.register(Number::Constant(bit))));
                return Ok(self.choose(compare, condition, bits[0], bits[1]));
            }
            Arithmetic::Select => {
                let numbers = [
                    self.number(ir.operand(op, 1))?,
                    self.number(ir.operand(op, 2))?,
                ];
                let [first, second] = numbers.map(|n| Number::Register(self.register(n)));
                let (compare, condition) = self.condition(ir.operand(op, 0))?;
                return Ok(self.choose(compare, condition, first, second));
            }
            _ => {}
        }
        let a = self.number(ir.operand(op, 0))?;
        if let Resize { is_signed } = what {
            let from = self.int_width(self.ty(ir.operand(op, 0))).unwrap_or(64);
            let wide = match is_signed && from < width {
                true => self.sign_extend(a, from),
                false => a,
            };
            return Ok(match width < from || is_signed {
                true => self.zero_extend(wide, width),
                false => wide,
            });
        }
        let b = self.number(ir.operand(op, 1))?;
        let result = match what {
            Add => self.add(a, b),
            Subtract => self.subtract(a, b),
            Multiply => self.multiply(a, b),
            Bits(code, immediate) => return Ok(self.binary(code, immediate, a, b)),
            Extreme(condition) => {
                let is_signed = matches!(condition, Condition::Greater | Condition::Less);
                let [wide_a, wide_b] = [a, b].map(|n| match is_signed {
                    true => self.sign_extend(n, width),
                    false => n,
                });
                let compare = self.compare(wide_a, wide_b);
                let [a, b] = [a, b].map(|n| Number::Register(self.register(n)));
                return Ok(self.choose(compare, condition, a, b));
            }
            Shift(code) => match b {
                Number::Constant(amount @ 0..64) if amount < i64::from(width) => {
                    let a = match code {
                        Code::Sar_rm64_imm8 => self.sign_extend(a, width),
                        _ => a,
                    };
                    self.shift(code, a, amount as u32)
                }
                Number::Constant(0..64) => return self.refuse(Reason::ShiftTooFar),
                _ => return self.refuse(Reason::UnknownShift),
            },
            _ => return self.refuse(Reason::OnScalars),
        };
        match what {
            // Nothing comes in from above.
            Shift(Code::Shr_rm64_imm8) => Ok(result),
            _ => Ok(self.zero_extend(result, width)),
        }
    }

    /// The larger or the smaller of two signed numbers.
    pub(super) fn extreme_number(&mut self, a: Number, b: Number, is_max: bool) -> Number {
        if let (Number::Constant(a), Number::Constant(b)) = (a, b) {
            return Number::Constant(if is_max { a.max(b) } else { a.min(b) });
        }
        let compare = self.compare(a, b);
        let condition = match is_max {
            true => Condition::Greater,
            false => Condition::Less,
        };
        let [a, b] = [a, b].map(|n| Number::Register(self.register(n)));
        self.choose(compare, condition, a, b)
    }

    /// One if `a` is less than `b` as natural numbers, else zero.
    pub(super) fn is_below(&mut self, a: Number, b: Number) -> Number {
        let a = Number::Register(self.register(a));
        let compare = self.compare(a, b);
        let [one, zero] = [1, 0].map(|n| Number::Register(self.register(Number::Constant(n))));
        self.choose(compare, Condition::Below, one, zero)
    }

    /// What compares two numbers.
    fn compare(&mut self, a: Number, b: Number) -> Inst {
        let a = Operand::Use(self.register(a), Size::B8);
        match b {
            Number::Constant(bits) if let Ok(bits) = i32::try_from(bits) => {
                Inst::new(Code::Cmp_rm64_imm32, &[a, Operand::Number(bits)])
            }
            _ => {
                let b = Operand::Use(self.register(b), Size::B8);
                Inst::new(Code::Cmp_r64_rm64, &[a, b])
            }
        }
    }

    fn compare_numbers(&mut self, op: Op) -> Result<(Inst, Condition), Refusal> {
        let ir = self.ir;
        let Some(predicate) = CmpIPredicate::of(ir, op) else {
            return self.refuse(Reason::NoPredicate);
        };
        let (condition, is_signed) = match predicate {
            CmpIPredicate::Eq => (Condition::Equal, false),
            CmpIPredicate::Ne => (Condition::NotEqual, false),
            CmpIPredicate::Slt => (Condition::Less, true),
            CmpIPredicate::Sle => (Condition::LessOrEqual, true),
            CmpIPredicate::Sgt => (Condition::Greater, true),
            CmpIPredicate::Sge => (Condition::GreaterOrEqual, true),
            CmpIPredicate::Ult => (Condition::Below, false),
            CmpIPredicate::Ule => (Condition::BelowOrEqual, false),
            CmpIPredicate::Ugt => (Condition::Above, false),
            CmpIPredicate::Uge => (Condition::AboveOrEqual, false),
        };
        let Some(width) = self.int_width(self.ty(ir.operand(op, 0))) else {
            return self.refuse(Reason::ComparisonType);
        };
        let mut sides = [0, 1].map(|_| Number::Constant(0));
        for (index, side) in sides.iter_mut().enumerate() {
            *side = self.number(ir.operand(op, index))?;
            if is_signed {
                *side = self.sign_extend(*side, width);
            }
        }
        Ok((self.compare(sides[0], sides[1]), condition))
    }

    /// What sets the flags by an `i1`, and the condition that says that it is true.
    pub(super) fn condition(&mut self, value: Value) -> Result<(Inst, Condition), Refusal> {
        if let Some(op) = self.ir.defined_by(value, &arith::CMPI)
            && !self.places.contains_key(&value)
        {
            return self.compare_numbers(op);
        }
        let number = self.number(value)?;
        let compare = self.compare(number, Number::Constant(0));
        Ok((compare, Condition::NotEqual))
    }

    /// `first` if the condition holds, else `second`: two instructions, one right behind the other.
    fn choose(
        &mut self,
        compare: Inst,
        condition: Condition,
        first: Number,
        second: Number,
    ) -> Number {
        let code = match condition {
            Condition::Equal => Code::Cmove_r64_rm64,
            Condition::NotEqual => Code::Cmovne_r64_rm64,
            Condition::Less => Code::Cmovl_r64_rm64,
            Condition::LessOrEqual => Code::Cmovle_r64_rm64,
            Condition::Greater => Code::Cmovg_r64_rm64,
            Condition::GreaterOrEqual => Code::Cmovge_r64_rm64,
            Condition::Below => Code::Cmovb_r64_rm64,
            Condition::BelowOrEqual => Code::Cmovbe_r64_rm64,
            Condition::Above => Code::Cmova_r64_rm64,
            Condition::AboveOrEqual => Code::Cmovae_r64_rm64,
        };
        let (first, second) = (self.register(first), self.register(second));
        let mut sources: SmallVec<[Number; 4]> =
            SmallVec::from_slice(&[Number::Register(first), Number::Register(second)]);
        for operand in &compare.operands {
            if let Operand::Use(register, _) = operand {
                sources.push(Number::Register(*register));
            }
        }
        let home = self.home(&sources);
        let result = self.b.register(GENERAL, home);
        let mut choice = Inst::new(
            code,
            &[
                Operand::Def(result, Size::B8),
                Operand::Use(first, Size::B8),
            ],
        );
        choice.tied = Some(second);
        self.b.push(home, compare);
        self.b.push(home, choice);
        Number::Register(result)
    }

    // Memory.

    /// A result of `memref.extract_strided_metadata`.
    fn metadata(&mut self, op: Op, value: Value) -> Result<Number, Refusal> {
        let ir = self.ir;
        let Some(view) = memref::ExtractStridedMetadata::cast(ir, op) else {
            return self.refuse(Reason::OnScalars);
        };
        let source = view.source(ir);
        let place = |list: &[Value]| list.iter().position(|&known| known == value);
        if value == view.offset(ir) {
            self.field(source, Field::Offset)
        } else if let Some(dim) = place(view.sizes(ir)) {
            self.field(source, Field::Size(dim))
        } else if let Some(dim) = place(view.strides(ir)) {
            self.field(source, Field::Stride(dim))
        } else {
            self.refuse(Reason::OnScalars)
        }
    }

    /// A field of the descriptor of a memref.
    pub(super) fn field(&mut self, memref: Value, field: Field) -> Result<Number, Refusal> {
        let Some(Repr::MemRef(layout)) = Repr::of(self.context, self.ty(memref)) else {
            return self.refuse(Reason::NoDescriptor);
        };
        let (index, known) = match field {
            Field::Aligned => (1, None),
            Field::Offset => (2, Some(layout.offset)),
            Field::Size(dim) => (3 + dim, layout.sizes.get(dim).copied()),
            Field::Stride(dim) => (3 + layout.rank() + dim, layout.strides.get(dim).copied()),
        };
        if let Some(known) = known.filter(|&known| known != DYNAMIC) {
            return Ok(Number::Constant(known));
        }
        if known.is_none() && !matches!(field, Field::Aligned) {
            return self.refuse(Reason::NoDimension);
        }
        let Some(&place) = self.places.get(&memref) else {
            return match self.ir.defining_op(memref) {
                Some(op) if self.makes_view(op) => self.view_field(op, field),
                _ => self.refuse(Reason::LocalMemref),
            };
        };
        let before = dynamic_fields(&layout)
            .take(index)
            .filter(|&dynamic| dynamic)
            .count();
        let place = place + before as u32;
        let memory = Operand::Memory(self.place(place, 0));
        let home = self.entry;
        let field = self.once(Known::Input(place), (GENERAL, home), |result| {
            Inst::new(
                Code::Mov_r64_rm64,
                &[Operand::Def(result, Size::B8), memory],
            )
        });
        Ok(Number::Register(field))
    }

    /// The address of the element of `memref` at `indices`, moved by `steps` along each dimension if
    /// there are `steps`, if elements have `bytes` bytes.
    pub(super) fn address(
        &mut self,
        memref: Value,
        indices: &[Value],
        bytes: i64,
        steps: &[i64],
    ) -> Result<Memory, Refusal> {
        let mut constant = 0i64;
        let mut base = self.field(memref, Field::Aligned)?;
        // What is added, from the outermost to the innermost place where it is known.
        let mut terms: SmallVec<[(Number, i64); 4]> = SmallVec::new();
        match self.field(memref, Field::Offset)? {
            Number::Constant(offset) => constant = offset.wrapping_mul(bytes),
            offset => terms.push((offset, bytes)),
        }
        for (dim, &index) in indices.iter().enumerate() {
            let stride = self.field(memref, Field::Stride(dim))?;
            let (rest, plus) = self.subscript(index)?;
            let plus = plus.wrapping_add(steps.get(dim).copied().unwrap_or(0));
            match stride {
                Number::Constant(stride) => {
                    let scale = stride.wrapping_mul(bytes);
                    constant = constant.wrapping_add(plus.wrapping_mul(scale));
                    match rest {
                        Number::Constant(rest) => {
                            constant = constant.wrapping_add(rest.wrapping_mul(scale));
                        }
                        rest => terms.push((rest, scale)),
                    }
                }
                stride => {
                    let index = self.add(rest, Number::Constant(plus));
                    match self.multiply(index, stride) {
                        Number::Constant(product) => {
                            constant = constant.wrapping_add(product.wrapping_mul(bytes));
                        }
                        product => terms.push((product, bytes)),
                    }
                }
            }
        }
        terms.retain(|&mut (_, scale)| scale != 0);
        terms.sort_by_key(|&(term, _)| self.home(&[term]).index());
        let mut index = None;
        if let Some(&(term, scale)) = terms.last()
            && matches!(scale, 1 | 2 | 4 | 8)
        {
            terms.pop();
            index = Some((self.register(term), scale as u32));
        }
        for (term, scale) in terms {
            let term = self.multiply(term, Number::Constant(scale));
            base = self.add(base, term);
        }
        let offset = match i32::try_from(constant) {
            Ok(offset) => offset,
            Err(_) => {
                base = self.add(base, Number::Constant(constant));
                0
            }
        };
        Ok(Memory {
            base: Base::Register(self.register(base)),
            index,
            offset,
        })
    }

    /// A subscript without the constants that are added to it, and these.
    fn subscript(&mut self, mut value: Value) -> Result<(Number, i64), Refusal> {
        let mut plus = 0i64;
        for _ in 0..MAX_ADDITIONS {
            let ir = self.ir;
            // Of what comes from outside no more is known.
            if self.places.contains_key(&value) {
                break;
            }
            let Some(op) = ir.defining_op(value) else {
                break;
            };
            let number = |i| arith::as_constant_index(ir, ir.operand(op, i));
            let (rest, number) = if ir.is(op, &arith::ADDI) {
                match (number(0), number(1)) {
                    (_, Some(number)) => (0, number),
                    (Some(number), None) => (1, number),
                    (None, None) => break,
                }
            } else if ir.is(op, &arith::SUBI)
                && let Some(number) = number(1)
            {
                (0, number.wrapping_neg())
            } else {
                break;
            };
            plus = plus.wrapping_add(number);
            value = ir.operand(op, rest);
        }
        Ok((self.number(value)?, plus))
    }
}
