//! Contractions, outer products and reductions of some dimensions.
//!
//! Lanes of a register of the result are computed at once: for each number that is added to them, in the order
//! of the plain loops, there is a register with the elements of each factor that they want, which
//! [`super::permute`] picks. Rows of a factor are registers already, and one element for all lanes is one
//! instruction, so nothing else is there in what products of matrices are made of.

use freehold_frontend::dialects::arith;
use freehold_frontend::dialects::vector::{self, CombiningKind, numbers};
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::Type;
use regalloc2::VReg;

use super::permute::{Place, Pool};
use super::reduce::combination;
use super::{Element, Held, Registers, Select, Shape};
use crate::vector::nest::Nest;
use crate::vector::places::{Coordinates, coordinates};
use crate::wide::forms;
use crate::wide::refusal::{Reason, Refusal};

/// Instructions that add something up, of one operation: bounds code. Not measured.
const MAX_TERMS: usize = 1024;

impl Select<'_> {
    /// `vector.contract`, `vector.outerproduct` and `vector.multi_reduction`.
    pub(super) fn products(&mut self, op: Op) -> Result<Held, Refusal> {
        if self.active_mask.is_some() {
            return self.refuse(Reason::UnderMask);
        }
        if let Some(&factors) = self.pairs.get(&op) {
            return self.sums_of_pairs(op, factors);
        }
        match Nest::of(self.ir, op) {
            Some(nest) => self.nest(op, &nest),
            None => self.refuse(Reason::Contraction),
        }
    }

    /// Takes note of sums of two neighbours each among products of integers that were extended from 8 bits, or as
    /// signed ones from 16: there is an instruction for factors in 16 bits.
    pub(super) fn find_pairs(&mut self, op: Op) {
        let ir = self.ir;
        let only_use = |value: Value, by: Op| ir.uses(value).iter().all(|used| used.op == by);
        let is_here =
            |op: Op| (ir.block_of(op)).is_some_and(|block| self.blocks.contains_key(&block));
        let is_sum = ir.is(op, &vector::MULTI_REDUCTION)
            && CombiningKind::of(ir, op) == CombiningKind::Add
            && numbers(ir, op, Name::REDUCTION_DIMS) == [1]
            && matches!(self.dims(ir.operand(op, 0))[..], [_, 2]);
        if !is_sum || self.context.element_type_or_self(self.ty(ir.result(op, 0))) != Type::I32 {
            return;
        }
        let Some(cast) = ir.defined_by(ir.operand(op, 0), &vector::SHAPE_CAST) else {
            return;
        };
        let Some(product) = ir.defined_by(ir.operand(cast, 0), &arith::MULI) else {
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
        let is_alone = [(ir.operand(op, 0), op), (ir.operand(cast, 0), cast)]
            .into_iter()
            .all(|(value, by)| only_use(value, by));
        let is_found = is_alone
            && is_here(cast)
            && is_here(product)
            && self.dims(factors[0]).len() == 1
            && factors.into_iter().all(is_narrow);
        let words = self.shape_of_words(factors[0]);
        let sums = self.shape(self.ty(ir.result(op, 0)));
        if is_found && words.zip(sums).is_some_and(|(a, b)| a.size == b.size) {
            self.done.extend([cast, product]);
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

    fn sums_of_pairs(&mut self, op: Op, factors: [Value; 2]) -> Result<Held, Refusal> {
        let shape = self.shape_of(self.ir.result(op, 0))?;
        let totals = self.lanes(self.ir.operand(op, 1))?;
        let [a, b] = [self.lanes(factors[0])?, self.lanes(factors[1])?];
        // One instruction of AVX512-VNNI does both, but then each sum waits five cycles for the one before: row
        // `dot i8 to i32` of benches/results takes 2.05 us by it, and 1.69 us so.
        let pairs = self.pairs(&forms::ADD_PRODUCTS_I16, shape.size, &a, &b)?;
        let sums = self.pairs(&forms::ADD_I32, shape.size, &totals, &pairs)?;
        Ok(self.as_held(shape, sums))
    }

    /// Where the elements of a factor are, which may be a float, and what they are.
    fn factor(&mut self, value: Value) -> Result<(Pool, Vec<Place>, Element), Refusal> {
        let ty = self.ty(value);
        if self.mask_lanes(ty).is_some() || self.int_width(ty).is_some() {
            return self.refuse(Reason::ProductType);
        }
        let (pool, places) = self.elements(value)?;
        Ok((pool, places, self.shape_of(value)?.element))
    }

    fn nest(&mut self, op: Op, nest: &Nest) -> Result<Held, Refusal> {
        let ir = self.ir;
        let shape = self.shape_of(ir.result(op, 0))?;
        let Some((combine, _)) = combination(CombiningKind::of(ir, op), shape.element) else {
            return self.refuse(Reason::Reduction);
        };
        let mut pools = Vec::new();
        for index in 0..nest.factors.len() {
            let (pool, places, element) = self.factor(ir.operand(op, index))?;
            if element != shape.element {
                return self.refuse(Reason::FactorTypes);
            }
            pools.push((pool, places));
        }
        let is_fused = ir.attr(op, Name::FUSED_PRODUCTS).is_some() && pools.len() == 2;
        let inner: Coordinates = (0..nest.sizes.len())
            .filter(|dim| !nest.result.contains(dim))
            .collect();
        let inner_sizes = nest.sizes_along(&inner);
        let n_terms: usize = inner_sizes.iter().product();
        if n_terms * shape.n_registers() > MAX_TERMS {
            return self.refuse(Reason::TooManyProducts);
        }
        let mut results: Vec<Option<VReg>> = match nest.totals {
            Some(totals) => self.lanes(totals)?.into_iter().map(Some).collect(),
            None => vec![None; shape.n_registers()],
        };
        let result_sizes = nest.sizes_along(&nest.result);
        let one = shape.one_register();
        // Of all registers one number after the other, so that they do not wait for themselves.
        for term in 0..n_terms {
            let mut at = Coordinates::from_elem(0, nest.sizes.len());
            for (&dim, c) in inner.iter().zip(coordinates(&inner_sizes, term)) {
                at[dim] = c;
            }
            for (number, total) in results.iter_mut().enumerate() {
                let first = number * shape.per_register();
                let last = shape.n.min(first + shape.per_register());
                let mut factors = Registers::new();
                for ((pool, places), dims) in pools.iter_mut().zip(&nest.factors) {
                    let wanted: Vec<Option<Place>> = (first..last)
                        .map(|i| {
                            let mut at = at.clone();
                            for (&dim, c) in nest.result.iter().zip(coordinates(&result_sizes, i)) {
                                at[dim] = c;
                            }
                            Some(places[nest.number(dims, &at)])
                        })
                        .collect();
                    factors.push(self.pick(pool, &wanted, shape.size)?);
                }
                *total = Some(match (&factors[..], *total) {
                    (&[a, b], Some(sum)) if is_fused => {
                        self.fused(one, [&[a], &[b], &[sum]], true)?[0]
                    }
                    (&[a, b], total) => {
                        let def = multiplication(shape.element);
                        let product = self.binary_lanes(def, one, &[a], &[b])?[0];
                        self.combine(combine, one, total, product)?
                    }
                    (_, total) => self.combine(combine, one, total, factors[0])?,
                });
            }
        }
        let results: Option<Registers> = results.into_iter().collect();
        match results {
            Some(results) => Ok(self.as_held(shape, results)),
            None => self.refuse(Reason::EmptyReduction),
        }
    }
}

fn multiplication(element: Element) -> &'static OpDef {
    match element {
        Element::Int(_) => &arith::MULI,
        _ => &arith::MULF,
    }
}
