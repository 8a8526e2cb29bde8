//! Operations on integers that registers of vectors have no instructions for, as arithmetic: quotients and remainders of up
//! to 32 bits, and counts of bits. Division is total, as the code generator has it for one number.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::shared::const_fold::{splat_attr, splat_int};
use freehold_frontend::dialects::{arith, math, vector};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{Type, TypeKind};

use crate::analysis::constants::broadcast_constant;

/// What an operation computes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Function {
    Division(Division),
    /// How many bits are set.
    Ones,
    /// How many are not, from the last one on.
    TrailingZeros,
    /// How many are not, from the first one on.
    LeadingZeros,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Division {
    is_signed: bool,
    /// Or the remainder.
    is_quotient: bool,
}

impl Function {
    fn of(ir: &Ir, op: Op) -> Option<Self> {
        let division = |is_signed, is_quotient| {
            Self::Division(Division {
                is_signed,
                is_quotient,
            })
        };
        let rows: [(&'static OpDef, Self); 7] = [
            (&arith::DIVSI, division(true, true)),
            (&arith::DIVUI, division(false, true)),
            (&arith::REMSI, division(true, false)),
            (&arith::REMUI, division(false, false)),
            (&math::CTPOP, Self::Ones),
            (&math::CTTZ, Self::TrailingZeros),
            (&math::CTLZ, Self::LeadingZeros),
        ];
        let &(_, function) = rows.iter().find(|(def, _)| ir.is(op, def))?;
        let context = ir.context();
        let ty = context.element_type_or_self(ir.value_type(ir.result(op, 0)));
        let &TypeKind::Integer { width, .. } = context.type_kind(ty) else {
            return None;
        };
        let widths: &[u32] = match function {
            // Of 64 bits, floats do not have all.
            Self::Division(_) => &[8, 16, 32],
            _ => &[8, 16, 32, 64],
        };
        widths.contains(&width).then_some(function)
    }
}

/// Whether an operation becomes arithmetic once it is one of vectors. For one number, processors have instructions.
pub(crate) fn is_expanded(ir: &Ir, op: Op) -> bool {
    Function::of(ir, op).is_some()
}

/// Makes arithmetic of such an operation on vectors in front of it; the result.
pub(crate) fn build(ir: &mut Ir, op: Op) -> Option<Value> {
    let function = Function::of(ir, op)?;
    let ty = ir.value_type(ir.result(op, 0));
    if !vector::is_vector(ir.context(), ty) {
        return None;
    }
    let operands = ir.operands(op).to_vec();
    let context = ir.context().clone();
    let width = context.integer_width(context.element_type_or_self(ty))?;
    let divisor = (operands.get(1)).and_then(|&value| broadcast_constant(ir, value));
    let divisor = splat_int(&context, divisor).map(|int| int.bits);
    let b = Builder::before(ir, op);
    let mut lanes = Lanes { b, ty, width };
    let x = operands[0];
    Some(match function {
        Function::Ones => lanes.ones(x),
        Function::TrailingZeros => {
            let one = lanes.number(1);
            let below = lanes.of(&arith::SUBI, x, one);
            let zeros = lanes.not(x);
            let trailing = lanes.of(&arith::ANDI, zeros, below);
            lanes.ones(trailing)
        }
        Function::LeadingZeros => {
            let mut smeared = x;
            let mut n = 1;
            while n < width {
                let shifted = lanes.shift(&arith::SHRUI, smeared, n);
                smeared = lanes.of(&arith::ORI, smeared, shifted);
                n *= 2;
            }
            let leading = lanes.not(smeared);
            lanes.ones(leading)
        }
        Function::Division(division) => {
            // By zero, numbers are divided by one.
            let y = match divisor {
                Some(1..) => operands[1],
                _ => {
                    let one = lanes.number(1);
                    lanes.of(&arith::MAXUI, operands[1], one)
                }
            };
            let [quotient, remainder] = match divisor {
                Some(bits)
                    if bits.is_power_of_two()
                        && !(division.is_signed && bits >> (width - 1) != 0) =>
                {
                    lanes.shifted(x, bits.trailing_zeros(), division.is_signed)
                }
                _ if width < 32 => {
                    let by = divisor.map(|bits| number_of_bits(bits, width, division.is_signed));
                    lanes.divided_exactly(x, (y, by), division.is_signed)
                }
                _ if division.is_signed => lanes.divided_signed(x, y, divisor),
                Some(bits @ 1..) => lanes.divided_by_number(x, y, bits),
                _ => lanes.divided(x, y),
            };
            if division.is_quotient {
                quotient
            } else {
                remainder
            }
        }
    })
}

/// The number that these bits of an integer are.
fn number_of_bits(bits: u128, width: u32, is_signed: bool) -> i64 {
    let number = bits as i64;
    match is_signed && bits >> (width - 1) != 0 {
        true => number - (1 << width),
        false => number,
    }
}

/// Builds operations on lanes of integers.
struct Lanes<'a> {
    b: Builder<'a>,
    ty: Type,
    width: u32,
}

impl Lanes<'_> {
    fn of(&mut self, def: &'static OpDef, x: Value, y: Value) -> Value {
        self.b.value(def, &[x, y], self.b.ir.value_type(x))
    }

    fn to(&mut self, def: &'static OpDef, x: Value, ty: Type) -> Value {
        self.b.value(def, &[x], ty)
    }

    /// A number in all lanes; more bits than there are go.
    fn number(&mut self, number: u128) -> Value {
        let mask = u128::MAX >> (128 - self.width);
        let attr = splat_attr(&self.b.context(), self.ty, number & mask);
        arith::constant_attr(&mut self.b, attr.expect("lanes are integers"))
    }

    /// A byte repeated.
    fn bytes(&mut self, byte: u8) -> Value {
        self.number(u128::from_le_bytes([byte; 16]))
    }

    fn not(&mut self, x: Value) -> Value {
        let ones = self.bytes(0xff);
        self.of(&arith::XORI, x, ones)
    }

    fn shift(&mut self, def: &'static OpDef, x: Value, n: u32) -> Value {
        let n = self.number(n.into());
        self.of(def, x, n)
    }

    /// How many bits are set: of pairs, of four, of bytes, and of all (Hacker's Delight, 5-1).
    fn ones(&mut self, x: Value) -> Value {
        let [odd, pair, four] = [0x55, 0x33, 0x0f].map(|byte| self.bytes(byte));
        let high = self.shift(&arith::SHRUI, x, 1);
        let high = self.of(&arith::ANDI, high, odd);
        let pairs = self.of(&arith::SUBI, x, high);
        let high = self.shift(&arith::SHRUI, pairs, 2);
        let [high, low] = [high, pairs].map(|x| self.of(&arith::ANDI, x, pair));
        let fours = self.of(&arith::ADDI, high, low);
        let high = self.shift(&arith::SHRUI, fours, 4);
        let sum = self.of(&arith::ADDI, fours, high);
        let mut sum = self.of(&arith::ANDI, sum, four);
        let mut n = 8;
        while n < self.width {
            let high = self.shift(&arith::SHRUI, sum, n);
            sum = self.of(&arith::ADDI, sum, high);
            n *= 2;
        }
        if self.width > 8 {
            let last = self.number(0xff);
            sum = self.of(&arith::ANDI, sum, last);
        }
        sum
    }

    /// The quotient and the remainder by the power of two with this exponent.
    fn shifted(&mut self, x: Value, exponent: u32, is_signed: bool) -> [Value; 2] {
        if exponent == 0 {
            return [x, self.number(0)];
        }
        let below = self.number((1 << exponent) - 1);
        if !is_signed {
            let quotient = self.shift(&arith::SHRUI, x, exponent);
            return [quotient, self.of(&arith::ANDI, x, below)];
        }
        // Negative numbers are rounded up.
        let sign = self.shift(&arith::SHRSI, x, self.width - 1);
        let more = self.of(&arith::ANDI, sign, below);
        let sum = self.of(&arith::ADDI, x, more);
        let quotient = self.shift(&arith::SHRSI, sum, exponent);
        let product = self.shift(&arith::SHLI, quotient, exponent);
        [quotient, self.of(&arith::SUBI, x, product)]
    }

    /// The remainder that belongs to a quotient.
    fn with_remainder(&mut self, x: Value, y: Value, quotient: Value) -> [Value; 2] {
        let product = self.of(&arith::MULI, quotient, y);
        [quotient, self.of(&arith::SUBI, x, product)]
    }

    fn lanes_of(&self, element: Type) -> Type {
        self.b.context().with_element_type(self.ty, element)
    }

    fn singles(&self) -> Type {
        self.lanes_of(Type::F32)
    }

    /// The float of these bits in all lanes.
    fn float(&mut self, ty: Type, bits: u128) -> Value {
        let attr = splat_attr(&self.b.context(), ty, bits);
        arith::constant_attr(&mut self.b, attr.expect("lanes are floats"))
    }

    /// Numbers of up to 16 bits: a quotient of singles that is not a whole number is at least 1 / `y`, a part of 2^-16
    /// of it, away from the next one, and so the rounded one is on the same side. Of a known `y`, so is the product with
    /// 1 / `y`, rounded up: it is too large by 2^-22 of it at most, and never too small.
    fn divided_exactly(
        &mut self,
        x: Value,
        (y, known): (Value, Option<i64>),
        is_signed: bool,
    ) -> [Value; 2] {
        let (extend, convert) = match is_signed {
            true => (&arith::EXTSI, &arith::SITOFP),
            false => (&arith::EXTUI, &arith::UITOFP),
        };
        let (words, singles) = (self.lanes_of(Type::I32), self.singles());
        let mut single = |value| {
            let word = self.to(extend, value, words);
            self.to(convert, word, singles)
        };
        let a = single(x);
        let quotient = match known.filter(|&known| known != 0) {
            Some(known) => {
                let up = (1.0 / known.unsigned_abs() as f32).next_up();
                let reciprocal = self.float(singles, up.copysign(known as f32).to_bits().into());
                self.of(&arith::MULF, a, reciprocal)
            }
            None => {
                let b = single(y);
                self.of(&arith::DIVF, a, b)
            }
        };
        let word = self.to(&arith::FPTOSI, quotient, words);
        let quotient = self.to(&arith::TRUNCI, word, self.ty);
        self.with_remainder(x, y, quotient)
    }

    /// Numbers of 32 bits without signs. A product of singles with 1 / `y` is off by five roundings, 5 * 2^-24 of it;
    /// made smaller by 8 * 2^-24, it is never too large, and too small by less than 3,100. So is another one for what is
    /// left, by less than 2.
    fn divided(&mut self, x: Value, y: Value) -> [Value; 2] {
        let singles = self.singles();
        let number = |lanes: &mut Self, number: f32| lanes.float(singles, number.to_bits().into());
        let smaller = number(self, 1.0 - 2.0f32.powi(-21));
        let divisor = self.to(&arith::UITOFP, y, singles);
        let reciprocal = self.of(&arith::DIVF, smaller, divisor);
        let a = self.to(&arith::UITOFP, x, singles);
        let estimate = self.of(&arith::MULF, a, reciprocal);
        // Half of it is no number with a sign.
        let half = number(self, 0.5);
        let halved = self.of(&arith::MULF, estimate, half);
        let halved = self.to(&arith::FPTOSI, halved, self.ty);
        let first = self.shift(&arith::SHLI, halved, 1);
        let [first, rest] = self.with_remainder(x, y, first);
        let a = self.to(&arith::UITOFP, rest, singles);
        let estimate = self.of(&arith::MULF, a, reciprocal);
        let second = self.to(&arith::FPTOSI, estimate, self.ty);
        let [second, rest] = self.with_remainder(rest, y, second);
        let quotient = self.of(&arith::ADDI, first, second);
        let (mask, one) = (self.lanes_of(Type::I1), self.number(1));
        let predicate = CmpIPredicate::Uge.to_attr(&self.b.context());
        let is_more =
            (self.b).value_with_attr(&arith::CMPI, &[rest, y], mask, Name::PREDICATE, predicate);
        let [next, less] = [
            self.of(&arith::ADDI, quotient, one),
            self.of(&arith::SUBI, rest, y),
        ];
        [(next, quotient), (less, rest)].map(|(then, otherwise)| {
            self.b
                .value(&arith::SELECT, &[is_more, then, otherwise], self.ty)
        })
    }

    /// Numbers of 32 bits without signs by a number that is known, and of which `y` has all bits. With doubles,
    /// (`x` + 1 / 2) / `y` is at least 1 / (2 `y`) away from whole numbers and off by three roundings, less than
    /// 2^-18 / `y`. Less a half, the next whole number is the quotient, which is what stands in the last bits when 1.5 * 2^52
    /// is added: numbers of that size have no fraction.
    fn divided_by_number(&mut self, x: Value, y: Value, number: u128) -> [Value; 2] {
        let (doubles, words) = (self.lanes_of(Type::F64), self.lanes_of(Type::I64));
        let reciprocal = 1.0 / number as f64;
        let [factor, offset, magic] = [reciprocal, 0.5 * reciprocal - 0.5, 1.5 * 2.0f64.powi(52)]
            .map(|number| self.float(doubles, number.to_bits().into()));
        let a = self.to(&arith::UITOFP, x, doubles);
        let scaled = self.of(&arith::MULF, a, factor);
        let less = self.of(&arith::ADDF, scaled, offset);
        let whole = self.of(&arith::ADDF, less, magic);
        let bits = self.to(&arith::BITCAST, whole, words);
        let quotient = self.to(&arith::TRUNCI, bits, self.ty);
        self.with_remainder(x, y, quotient)
    }

    /// The same with signs: that of a remainder is the sign of `x`.
    fn divided_signed(&mut self, x: Value, y: Value, known: Option<u128>) -> [Value; 2] {
        let signs = [x, y].map(|value| self.shift(&arith::SHRSI, value, self.width - 1));
        let negated = |lanes: &mut Self, value, sign| {
            let flipped = lanes.of(&arith::XORI, value, sign);
            lanes.of(&arith::SUBI, flipped, sign)
        };
        let [a, b] = [(x, signs[0]), (y, signs[1])].map(|(value, sign)| negated(self, value, sign));
        let [quotient, remainder] = match known.filter(|&bits| bits != 0) {
            Some(bits) => {
                let size = number_of_bits(bits, self.width, true).unsigned_abs();
                self.divided_by_number(a, b, size.into())
            }
            None => self.divided(a, b),
        };
        let sign = self.of(&arith::XORI, signs[0], signs[1]);
        [
            negated(self, quotient, sign),
            negated(self, remainder, signs[0]),
        ]
    }
}
