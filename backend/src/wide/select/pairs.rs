//! Sums of pairs of neighbours among products of small integers.

use freehold_frontend::dialects::arith;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::Type;

use super::{Element, Held, Select, Shape};
use crate::vector::places::deinterleaved;
use crate::wide::forms;
use crate::wide::refusal::{Reason, Refusal};

impl Select<'_> {
    /// Takes note of sums of two neighbours each among products of integers that were extended from 8 bits, or as
    /// signed ones from 16: there is an instruction for factors in 16 bits.
    pub(super) fn find_pairs(&mut self, op: Op) {
        let ir = self.ir;
        let only_use = |value: Value, by: Op| ir.uses(value).iter().all(|used| used.op == by);
        let is_here =
            |op: Op| (ir.block_of(op)).is_some_and(|block| self.blocks.contains_key(&block));
        let Some(pairs) = deinterleaved(ir, op) else {
            return;
        };
        if self.context.element_type_or_self(self.ty(pairs)) != Type::I32 {
            return;
        }
        let Some(product) = ir.defined_by(pairs, &arith::MULI) else {
            return;
        };
        let [even, odd] = [0, 1].map(|index| ir.operand(op, index));
        let Some(split) = ir.defining_op(even) else {
            return;
        };
        let factors = [0, 1].map(|index| ir.operand(product, index));
        let is_narrow = |factor: Value| {
            ir.defining_op(factor).is_some_and(|extend| {
                let from = |ty: Type| {
                    let source = self.ty(ir.operand(extend, 0));
                    self.context.element_type_or_self(source) == ty
                };
                let is_signed = ir.is(extend, &arith::EXTSI);
                let is_extension = is_signed || ir.is(extend, &arith::EXTUI);
                is_here(extend)
                    && only_use(factor, product)
                    && (is_extension && from(Type::I8) || is_signed && from(Type::I16))
            })
        };
        let is_alone = [(even, op), (odd, op), (pairs, split)]
            .into_iter()
            .all(|(value, by)| only_use(value, by));
        let is_found = is_alone
            && is_here(split)
            && is_here(product)
            && self.dims(factors[0]).len() == 1
            && factors.into_iter().all(is_narrow);
        let words = self.shape_of_words(factors[0]);
        let sums = self.shape(self.ty(ir.result(op, 0)));
        if is_found && words.zip(sums).is_some_and(|(a, b)| a.size == b.size) {
            self.done.extend([split, product]);
            self.words.extend(factors);
            self.pairs.insert(op, factors);
        }
    }

    /// How integers are held of which the low 16 bits are wanted.
    fn shape_of_words(&self, value: Value) -> Option<Shape> {
        let n = self.dims(value).iter().product();
        Shape::new(Element::Int(16), n, n, self.level.widest)
    }

    /// How the result of a conversion is held.
    pub(super) fn shape_of_extended(&self, value: Value) -> Result<Shape, Refusal> {
        match self.words.contains(&value) {
            false => self.shape_of(value),
            true => match self.shape_of_words(value) {
                Some(shape) => Ok(shape),
                None => self.refuse(Reason::NoRegisters),
            },
        }
    }

    pub(super) fn sums_of_pairs(&mut self, op: Op, factors: [Value; 2]) -> Result<Held, Refusal> {
        let shape = self.shape_of(self.ir.result(op, 0))?;
        let [a, b] = [self.lanes(factors[0])?, self.lanes(factors[1])?];
        // One instruction of AVX512-VNNI adds these to others as well, but then each sum waits five cycles for the one
        // before: row `dot i8 to i32` of benches/results takes 2.05 us by it, and 1.69 us so.
        let sums = self.pairs(&forms::ADD_PRODUCTS_I16, shape.size, &a, &b)?;
        Ok(self.as_held(shape, sums))
    }
}
