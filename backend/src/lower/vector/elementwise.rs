//! Elementwise operations on whole registers.
//!
//! What there are instructions for (`lanes.rs`) is done register by register. Results of comparisons
//! exist as registers of ones and zeros only where something wants them so: operations on bits,
//! extensions and selects look at how their condition was computed.

use std::rc::Rc;

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{self as clif, InstBuilder, types};
use freehold_frontend::dialects::{arith, math, vector};
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::FloatKind;
use freehold_frontend::target::{Feature, rounds_to_nearest};
use smallvec::SmallVec;

use super::lanes::register_of;
use crate::lower::function::Lowering;
use crate::lower::held::Lowered;
use crate::lower::held::Parts;
use crate::lower::held::Sign;
use crate::lower::scalar_ops::{
    ARITHMETIC, Arithmetic, UNARY, find, float_condition, int_condition,
};
use crate::repr::{Repr, Scalar, VectorRepr};
use crate::vector::places::deinterleaved;
use crate::vector::splats::{limit, splat_bits, splat_integer, splat_source};

/// How deep conditions may be combined out of comparisons: each is made again wherever it is used, so this
/// bounds the comparisons behind one condition to 2^4.
const MAX_MASK_DEPTH: u32 = 4;

/// Integers that were extended from 8 bits, in 16 bits.
struct Factor {
    sign: Sign,
    parts: Parts,
}

impl Lowering<'_, '_> {
    /// [`splat_source`], if it is known here.
    fn splat_source(&self, value: Value) -> Option<Value> {
        self.defining_op(value)?;
        splat_source(self.ir, value)
    }

    /// Lowers an operation on whole registers, if Cranelift has it.
    pub(super) fn lower_on_registers(&mut self, op: Op) -> Result<bool, Failed> {
        let result = self.ir.result(op, 0);
        let repr = self.vector_repr(op, result)?;
        if repr.lanes == 1 {
            return Ok(false);
        }
        let is = |def: &'static OpDef| self.ir.is(op, def);
        let is_shift = is(&arith::SHLI) || is(&arith::SHRUI) || is(&arith::SHRSI);
        let parts = if is(&arith::SELECT) {
            self.select_registers(op, &repr)?
        } else if is_shift {
            self.shift_registers(op)?
        } else if is(&arith::BITCAST)
            || self.ir.operands(op).len() == 1
                && self.ir.value_type(self.ir.operand(op, 0)) != self.ir.value_type(result)
        {
            self.convert_registers(op, &repr)?
        } else {
            self.combine_registers(op, &repr)?
        };
        let Some(parts) = parts else {
            return Ok(false);
        };
        self.set(result, Lowered::Vector(Rc::from(&parts[..])));
        Ok(true)
    }

    /// How a vector is held and its registers, if it is held in registers.
    pub(super) fn registers(
        &mut self,
        value: Value,
    ) -> Result<Option<(Rc<VectorRepr>, Parts)>, Failed> {
        match self.repr(value)? {
            Repr::Vector(repr) if repr.lanes > 1 => {
                let lowered = self.get(value)?.clone();
                Ok(Some((repr, self.parts(&lowered))))
            }
            _ => Ok(None),
        }
    }

    /// The registers of an operation whose operands have the type of its result.
    fn combine_registers(&mut self, op: Op, repr: &VectorRepr) -> Result<Option<Parts>, Failed> {
        if self.ir.is(op, &arith::MULI)
            && let Some(parts) = self.product_of_bytes(op, repr)?
        {
            return Ok(Some(parts));
        }
        if let Some(pairs) = deinterleaved(self.ir, op)
            && self.defining_op(self.ir.operand(op, 0)).is_some()
            && repr.scalar == Scalar::Int(32)
            && let Some(sums) = self.sums_of_pairs(pairs)?
        {
            return Ok(Some(sums));
        }
        if !self.program.vectors.do_whole(self.ir, op, |_| true) {
            return Ok(None);
        }
        let mut operands: SmallVec<[Parts; 2]> = SmallVec::new();
        for &operand in self.ir.operands(op) {
            match self.registers(operand)? {
                Some((other, parts)) if *other == *repr => operands.push(parts),
                _ => return Ok(None),
            }
        }
        let def = self.ir.def(op);
        Ok(match &operands[..] {
            [values] => find(UNARY, def).map(|build| {
                let values = values.iter();
                values.map(|&value| build(self.b.ins(), value)).collect()
            }),
            [lhs, rhs] => {
                if let Some(limit) = limit(self.ir, op) {
                    let is_beyond = match (limit.is_max, limit.wins_zero) {
                        (true, false) => FloatCC::LessThan,
                        (true, true) => FloatCC::LessThanOrEqual,
                        (false, false) => FloatCC::GreaterThan,
                        (false, true) => FloatCC::GreaterThanOrEqual,
                    };
                    let (values, limits) = match limit.is_right {
                        true => (lhs, rhs),
                        false => (rhs, lhs),
                    };
                    let pairs = values.iter().zip(limits);
                    let limited = pairs.map(|(&value, &limit)| {
                        let is_beyond = self.b.ins().fcmp(is_beyond, value, limit);
                        self.choose_lanes(is_beyond, limit, value)
                    });
                    return Ok(Some(limited.collect()));
                }
                self.binary_lanes(def, repr.scalar, lhs, rhs)
            }
            [a, b, c] if std::ptr::eq(def, &math::FMA) => {
                let triples = a.iter().zip(b).zip(c);
                let fused = triples.map(|((&a, &b), &c)| self.b.ins().fma(a, b, c));
                Some(fused.collect())
            }
            _ => None,
        })
    }

    /// The registers of an operation with two operands.
    fn binary_lanes(
        &mut self,
        def: &'static OpDef,
        scalar: Scalar,
        lhs: &[clif::Value],
        rhs: &[clif::Value],
    ) -> Option<Parts> {
        let pairs = lhs.iter().zip(rhs);
        if std::ptr::eq(def, &arith::MULI) {
            let products = pairs.map(|(&a, &b)| self.multiply_lanes(scalar, a, b));
            return Some(products.collect());
        }
        let build = match find(ARITHMETIC, def)? {
            Arithmetic::Bits(build)
            | Arithmetic::Int(build)
            | Arithmetic::Limit(_, build)
            | Arithmetic::Float(build)
            | Arithmetic::Extreme(_, build) => build,
            Arithmetic::Ints(_) | Arithmetic::Floats(_) => return None,
        };
        let results = pairs.map(|(&a, &b)| build(self.b.ins(), a, b));
        Some(results.collect())
    }

    /// The products of integers that were extended from 8 bits, if `op` multiplies such: they fit in
    /// 16 bits, which are multiplied faster than more.
    fn product_of_bytes(&mut self, op: Op, repr: &VectorRepr) -> Result<Option<Parts>, Failed> {
        let Scalar::Int(bits @ 16..) = repr.scalar else {
            return Ok(None);
        };
        let n = repr.n_elements();
        let Some(a) = self.factor(self.ir.operand(op, 0), n)? else {
            return Ok(None);
        };
        let Some(b) = self.factor(self.ir.operand(op, 1), n)? else {
            return Ok(None);
        };
        // From -128 * 255 to 255 * 127 if one or both are signed, from 0 to 255 * 255 if none is.
        let sign = match (a.sign, b.sign) {
            (Sign::Unsigned, Sign::Unsigned) => Sign::Unsigned,
            _ => Sign::Signed,
        };
        let pairs = a.parts.iter().zip(&b.parts);
        let products = pairs.map(|(&a, &b)| self.b.ins().imul(a, b)).collect();
        Ok(Some(self.widen_lanes(sign, products, 16, bits)))
    }

    /// Sums of two neighbours each, of an even number of registers of 32-bit integers. Cranelift
    /// recognizes such sums of products of 16-bit numbers, for which there are instructions.
    fn sums_of_pairs(&mut self, mut value: Value) -> Result<Option<Parts>, Failed> {
        while let Some(cast) = self.ir.defined_by(value, &vector::SHAPE_CAST) {
            value = self.ir.operand(cast, 0);
        }
        if let Some(product) = self.ir.defined_by(value, &arith::MULI)
            && let Some(a) = self.signed_16_bits(self.ir.operand(product, 0))?
            && let Some(b) = self.signed_16_bits(self.ir.operand(product, 1))?
        {
            let pairs = a.iter().zip(&b).map(|(&a, &b)| {
                let [a_low, b_low] = [a, b].map(|part| self.b.ins().swiden_low(part));
                let [a_high, b_high] = [a, b].map(|part| self.b.ins().swiden_high(part));
                let low = self.b.ins().imul(a_low, b_low);
                let high = self.b.ins().imul(a_high, b_high);
                self.b.ins().iadd_pairwise(low, high)
            });
            return Ok(Some(pairs.collect()));
        }
        let parts = self.registers(value)?;
        Ok(parts
            .map(|(_, parts)| self.pairs_to_one(&parts, |cx, a, b| cx.b.ins().iadd_pairwise(a, b))))
    }

    /// Integers that were extended from 8 bits, or as signed ones from 16, in 16 bits.
    fn signed_16_bits(&mut self, value: Value) -> Result<Option<Parts>, Failed> {
        if let Some(extend) = self.ir.defined_by(value, &arith::EXTSI)
            && let Some((repr, parts)) = self.registers(self.ir.operand(extend, 0))?
            && repr.scalar == Scalar::Int(16)
        {
            return Ok(Some(parts));
        }
        let n = self.vector_shape(value)?.iter().product();
        let factor = self.factor(value, n)?;
        Ok(factor.map(|factor| factor.parts))
    }

    /// Integers that were extended from 8 bits, or are all one that was or might have been, `n` of them.
    fn factor(&mut self, value: Value, n: usize) -> Result<Option<Factor>, Failed> {
        if let Some(number) = splat_integer(self.ir, value) {
            let sign = match number {
                0..=255 => Sign::Unsigned,
                -128..0 => Sign::Signed,
                _ => return Ok(None),
            };
            let part = self.splat_constant(16, number as u64);
            let parts = Parts::from_elem(part, n / 8);
            return Ok(n.is_multiple_of(8).then_some(Factor { sign, parts }));
        }
        let scalar = self.splat_source(value);
        let Some(extend) = self.defining_op(scalar.unwrap_or(value)) else {
            return Ok(None);
        };
        let sign = if self.ir.is(extend, &arith::EXTSI) {
            Sign::Signed
        } else if self.ir.is(extend, &arith::EXTUI) {
            Sign::Unsigned
        } else {
            return Ok(None);
        };
        let source = self.ir.operand(extend, 0);
        if scalar.is_some() {
            if self.scalar_type(source)? != Scalar::Int(8) || !n.is_multiple_of(8) {
                return Ok(None);
            }
            let byte = self.scalar(source)?;
            let wide = self.resize(sign, 8, 16, byte);
            let part = self.b.ins().splat(types::I16X8, wide);
            let parts = Parts::from_elem(part, n / 8);
            return Ok(Some(Factor { sign, parts }));
        }
        Ok(match self.registers(source)? {
            Some((repr, parts)) if repr.scalar == Scalar::Int(8) => {
                let parts = self.extend_lanes(source, sign, parts, 8, 16);
                Some(Factor { sign, parts })
            }
            _ => None,
        })
    }

    /// The registers of a shift by as many bits in all lanes.
    fn shift_registers(&mut self, op: Op) -> Result<Option<Parts>, Failed> {
        let (value, amount) = (self.ir.operand(op, 0), self.ir.operand(op, 1));
        let Some((_, parts)) = self.registers(value)? else {
            return Ok(None);
        };
        let amount = if let Some(source) = self.splat_source(amount) {
            self.scalar(source)?
        } else if let Some(bits) = splat_bits(self.ir, amount) {
            self.integer_constant(types::I32, u128::from(bits & 0x7f))
        } else {
            return Ok(None);
        };
        let def = self.ir.def(op);
        let is = |known: &'static OpDef| std::ptr::eq(def, known);
        let shifted = parts.into_iter().map(|part| {
            if is(&arith::SHLI) {
                self.b.ins().ishl(part, amount)
            } else if is(&arith::SHRUI) {
                self.b.ins().ushr(part, amount)
            } else {
                self.b.ins().sshr(part, amount)
            }
        });
        Ok(Some(shifted.collect()))
    }

    /// The registers of an `arith.select` whose condition is known in registers.
    fn select_registers(&mut self, op: Op, repr: &VectorRepr) -> Result<Option<Parts>, Failed> {
        let lane = repr.part_type().lane_bits();
        let condition = self.ir.operand(op, 0);
        let Some(masks) = self.mask(condition, lane, MAX_MASK_DEPTH)? else {
            return Ok(None);
        };
        let (first, second) = (self.ir.operand(op, 1), self.ir.operand(op, 2));
        let (Some((_, first)), Some((_, second))) =
            (self.registers(first)?, self.registers(second)?)
        else {
            return Ok(None);
        };
        let lanes = masks.iter().zip(first.iter().zip(&second));
        Ok(Some(
            lanes
                .map(|(&mask, (&a, &b))| self.choose_lanes(mask, a, b))
                .collect(),
        ))
    }

    /// A vector of `i1` as registers whose lanes have `bits` bits, all of them that of the vector.
    fn mask(&mut self, value: Value, bits: u32, depth: u32) -> Result<Option<Parts>, Failed> {
        let Repr::Vector(repr) = self.repr(value)? else {
            return Ok(None);
        };
        let n_lanes = 128 / bits as usize;
        if repr.scalar != Scalar::Int(1) || !repr.n_elements().is_multiple_of(n_lanes) {
            return Ok(None);
        }
        if let Some(source) = self.splat_source(value) {
            let bit = self.scalar(source)?;
            let lane = self.resize(Sign::Signed, 1, bits, bit);
            let mask = self.b.ins().splat(register_of(bits), lane);
            return Ok(Some(Parts::from_elem(mask, repr.n_elements() / n_lanes)));
        }
        let Some(op) = self.defining_op(value) else {
            return Ok(None);
        };
        if self.ir.is(op, &arith::CMPF) || self.ir.is(op, &arith::CMPI) {
            return self.compare_registers(op, bits);
        }
        let def = self.ir.def(op);
        let is_logic = [&arith::ANDI, &arith::ORI, &arith::XORI]
            .iter()
            .any(|&known| std::ptr::eq(def, known));
        if !is_logic || depth == 0 {
            return Ok(None);
        }
        let Some(lhs) = self.mask(self.ir.operand(op, 0), bits, depth - 1)? else {
            return Ok(None);
        };
        let Some(rhs) = self.mask(self.ir.operand(op, 1), bits, depth - 1)? else {
            return Ok(None);
        };
        Ok(self.binary_lanes(def, Scalar::Int(bits), &lhs, &rhs))
    }

    /// The outcome of a comparison as registers of lanes of `bits` bits, ones where it holds.
    fn compare_registers(&mut self, op: Op, bits: u32) -> Result<Option<Parts>, Failed> {
        let Some((repr, lhs)) = self.registers(self.ir.operand(op, 0))? else {
            return Ok(None);
        };
        let Some((_, rhs)) = self.registers(self.ir.operand(op, 1))? else {
            return Ok(None);
        };
        let pairs = lhs.iter().zip(&rhs);
        let masks: Option<Parts> = match repr.scalar {
            Scalar::Float(_) => {
                let predicate = arith::CmpFPredicate::of(self.ir, op).map(float_condition);
                let Some(Ok(condition)) =
                    predicate.filter(|_| self.program.vectors.has(Feature::Comparisons))
                else {
                    return Ok(None);
                };
                let masks = pairs.map(|(&a, &b)| self.compare_floats(condition, a, b));
                Some(masks.collect())
            }
            scalar => {
                let predicate = arith::CmpIPredicate::of(self.ir, op).map(int_condition);
                let in_halves = scalar == Scalar::Int(64) && !self.program.compares_wide_integers;
                predicate.map(|condition| {
                    let masks = pairs.map(|(&a, &b)| match in_halves {
                        true => self.compare_halves(condition, a, b),
                        false => self.b.ins().icmp(condition, a, b),
                    });
                    masks.collect()
                })
            }
        };
        let from = repr.part_type().lane_bits();
        Ok(masks.map(|masks| match from < bits {
            true => self.widen_lanes(Sign::Signed, masks, from, bits),
            false => self.narrow_masks(masks, from, bits),
        }))
    }

    /// The registers of a conversion.
    fn convert_registers(&mut self, op: Op, repr: &VectorRepr) -> Result<Option<Parts>, Failed> {
        let is = |def: &'static OpDef| self.ir.is(op, def);
        let sign = match is(&arith::EXTSI) || is(&arith::SITOFP) || is(&arith::INDEX_CAST) {
            true => Sign::Signed,
            false => Sign::Unsigned,
        };
        let is_resize = is(&arith::EXTSI)
            || is(&arith::EXTUI)
            || is(&arith::TRUNCI)
            || is(&arith::INDEX_CAST)
            || is(&arith::INDEX_CASTUI);
        let to_float = is(&arith::SITOFP) || is(&arith::UITOFP);
        let from_float = is(&arith::FPTOSI) || is(&arith::FPTOUI);
        let is_truncf = is(&arith::TRUNCF) && rounds_to_nearest(self.ir, op);
        let is_extf = is(&arith::EXTF);
        let is_bitcast = is(&arith::BITCAST);
        let source = self.ir.operand(op, 0);
        let Some((from, parts)) = self.registers(source)? else {
            return match repr.scalar {
                Scalar::Int(bits) if is_resize => self.extended_mask(source, sign, bits),
                _ => Ok(None),
            };
        };
        use FloatKind::{F32, F64};
        use Scalar::{Float, Int};
        Ok(Some(match (from.scalar, repr.scalar) {
            (Int(from), Int(to)) if is_resize && from < to => {
                self.extend_lanes(source, sign, parts, from, to)
            }
            (Int(from), Int(to)) if is_resize => match self.is_below(source, to) {
                true => self.narrow_small(parts, from, to),
                false => self.narrow_lanes(parts, from, to),
            },
            (Int(from @ ..=32), Float(F32)) if to_float => {
                let wide = self.extend_lanes(source, sign, parts, from, 32);
                let convert = |part| match from == 32 && sign == Sign::Unsigned {
                    true => self.b.ins().fcvt_from_uint(types::F32X4, part),
                    false => self.b.ins().fcvt_from_sint(types::F32X4, part),
                };
                wide.into_iter().map(convert).collect()
            }
            (Int(from @ ..=32), Float(F64)) if to_float => {
                let wide = self.extend_lanes(source, sign, parts, from, 32);
                self.doubles_from(sign, wide)
            }
            // Numbers that do not fit are truncated, as those of scalars are.
            (Float(F32), Int(to @ ..=32)) if from_float && (to < 32 || is(&arith::FPTOSI)) => {
                let numbers = parts.into_iter();
                let numbers = numbers
                    .map(|part| self.b.ins().fcvt_to_sint_sat(types::I32X4, part))
                    .collect();
                self.narrow_lanes(numbers, 32, to)
            }
            (Float(F32), Float(F64)) if is_extf => (parts.into_iter())
                .flat_map(|part| {
                    let high = self.high_half(part);
                    [part, high].map(|half| self.b.ins().fvpromote_low(half))
                })
                .collect(),
            (Float(F64), Float(F32)) if is_truncf => (parts.chunks_exact(2))
                .map(|pair| {
                    let (low, high) = (
                        self.b.ins().fvdemote(pair[0]),
                        self.b.ins().fvdemote(pair[1]),
                    );
                    self.shuffle_bytes(low, high, |i| if i < 8 { i } else { i + 8 })
                })
                .collect(),
            _ if is_bitcast && from.lanes == repr.lanes => {
                let ty = repr.part_type();
                parts
                    .into_iter()
                    .map(|part| self.bitcast(ty, part))
                    .collect()
            }
            _ => return Ok(None),
        }))
    }

    /// A vector of `i1` as integers of `bits` bits.
    fn extended_mask(
        &mut self,
        value: Value,
        sign: Sign,
        bits: u32,
    ) -> Result<Option<Parts>, Failed> {
        let Some(mut masks) = self.mask(value, bits, MAX_MASK_DEPTH)? else {
            return Ok(None);
        };
        if sign == Sign::Unsigned {
            let one = self.splat_constant(bits, 1);
            for mask in &mut masks {
                *mask = self.b.ins().band(*mask, one);
            }
        }
        Ok(Some(masks))
    }

    /// The registers `parts` of `value` as integers of `to` bits, at least as many as their `from`.
    fn extend_lanes(
        &mut self,
        value: Value,
        sign: Sign,
        parts: Parts,
        from: u32,
        to: u32,
    ) -> Parts {
        match self.vector.wide_loads.get(&value) {
            Some((known, wide)) if *known == sign && from < to => {
                let wide = wide.clone();
                self.widen_lanes(sign, wide, 2 * from, to)
            }
            _ => self.widen_lanes(sign, parts, from, to),
        }
    }

    /// Whether the elements of a vector of at most 32 bits are natural numbers of at most `bits` bits,
    /// because the others were shifted out.
    fn is_below(&self, value: Value, bits: u32) -> bool {
        let element = self.context.element_type_or_self(self.ir.value_type(value));
        let Some(Scalar::Int(width @ ..=32)) = Scalar::of(self.context, element) else {
            return false;
        };
        let shift = self.ir.defined_by(value, &arith::SHRUI);
        let amount = shift.and_then(|op| splat_integer(self.ir, self.ir.operand(op, 1)));
        amount.is_some_and(|amount| (i64::from(width - bits)..i64::from(width)).contains(&amount))
    }
}
