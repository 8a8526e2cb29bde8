//! `vector`: values of several elements.
//!
//! A vector is held as parts in row-major order: 128-bit registers of four or two
//! lanes where the elements fill them, else one scalar per element
//! ([`VectorRepr`]). Elementwise operations work on whole registers where
//! Cranelift can; everything else is done element by element, and Cranelift
//! drops the lane moves that cancel out.

mod memory;
mod moves;
mod print;
mod reduce;

use std::rc::Rc;

use cranelift_codegen::ir::condcodes::{CondCode, FloatCC, IntCC};
use cranelift_codegen::ir::{self as clif, InstBuilder};
use freehold_frontend::diag::Failed;
use freehold_frontend::dialects::vector::{self, CombiningKind};
use freehold_frontend::dialects::{arith, math};
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::{FloatKind, TypeKind};
use freehold_frontend::op_def::OpDef;
use smallvec::SmallVec;

use super::function::Lowering;
use super::value::Lowered;
use super::{LoweringTable, lowering_of};
use crate::repr::{Repr, Scalar, VectorRepr};

/// The lowerings of this dialect.
pub(super) static TABLES: [LoweringTable; 4] =
    [memory::TABLE, moves::TABLE, print::TABLE, reduce::TABLE];

/// Elements of a vector in row-major order.
pub(super) type Elements = SmallVec<[clif::Value; 8]>;

/// Coordinates of a vector, one per dimension.
pub(super) type Coordinates = SmallVec<[usize; 4]>;

/// The coordinates of element `linear` of a vector of this shape.
pub(super) fn coordinates(shape: &[usize], mut linear: usize) -> Coordinates {
    let mut result: Coordinates = SmallVec::from_elem(0, shape.len());
    for (coordinate, &size) in result.iter_mut().zip(shape).rev() {
        *coordinate = linear % size;
        linear /= size;
    }
    result
}

/// The number of the element at these coordinates.
pub(super) fn linear(shape: &[usize], coordinates: impl IntoIterator<Item = usize>) -> usize {
    (shape.iter().zip(coordinates)).fold(0, |linear, (&size, c)| linear * size + c)
}

/// A limit for other values: a known number that is not NaN.
struct Bound {
    /// Whether it is the right operand.
    is_right: bool,
    /// Compares a value with it; where that holds, it is the result.
    is_beyond: FloatCC,
}

/// How registers are compared.
#[derive(Clone, Copy)]
enum Comparison {
    Float(FloatCC),
    Int(IntCC),
}

/// Whether registers of such elements can be compared on every processor. Those of 64-bit integers
/// cannot.
fn is_compared_in_lanes(scalar: Scalar) -> bool {
    matches!(
        scalar,
        Scalar::Float(FloatKind::F32 | FloatKind::F64) | Scalar::Int(32)
    )
}

/// The number of which all elements of a vector are, if it is known.
fn splat_number(ir: &Ir, mut value: Value) -> Option<f64> {
    while let Some(op) = ir.defined_by(value, &vector::BROADCAST) {
        value = ir.operand(op, 0);
    }
    let attr = arith::as_constant_attr(ir, value)?;
    let context = ir.context();
    let element = context.element_type_or_self(ir.value_type(value));
    let bits = match (context.attr_dense(attr), context.attr_kind(attr)) {
        (Some(dense), _) if dense.splat => {
            let mut bytes = [0; 8];
            let n = dense.bytes.len().min(8);
            bytes[..n].copy_from_slice(&dense.bytes[..n]);
            u64::from_le_bytes(bytes)
        }
        (_, AttrKind::Float { bits, .. }) => *bits as u64,
        _ => return None,
    };
    match context.type_kind(element) {
        TypeKind::Float(FloatKind::F32) => Some(f32::from_bits(bits as u32).into()),
        TypeKind::Float(FloatKind::F64) => Some(f64::from_bits(bits)),
        _ => None,
    }
}

impl Lowering<'_, '_> {
    /// How a vector is held; reports other types.
    pub(super) fn vector_repr(&mut self, op: Op, value: Value) -> Result<Rc<VectorRepr>, Failed> {
        match self.repr(value)? {
            Repr::Vector(repr) => Ok(repr),
            _ => Err(self.unsupported_on(op, self.ir.value_type(value))),
        }
    }

    /// The elements of a vector; a scalar is its own only element.
    pub(super) fn elements(&mut self, value: Value) -> Result<Elements, Failed> {
        let repr = self.repr(value)?;
        let lowered = self.get(value)?.clone();
        Ok(self.elements_of(&lowered, &repr))
    }

    fn elements_of(&mut self, lowered: &Lowered, repr: &Repr) -> Elements {
        let parts = self.parts(lowered);
        let Repr::Vector(repr) = repr else {
            return parts;
        };
        if repr.lanes == 1 {
            return parts;
        }
        let mut elements = Elements::with_capacity(repr.n_elements());
        for part in parts {
            for lane in 0..repr.lanes {
                elements.push(self.b.ins().extractlane(part, lane));
            }
        }
        elements
    }

    /// The value with these elements: a vector, or the only element.
    pub(crate) fn with_elements(&mut self, repr: &Repr, elements: &[clif::Value]) -> Lowered {
        let Repr::Vector(repr) = repr else {
            return Lowered::Scalar(elements[0]);
        };
        if repr.lanes == 1 {
            return Lowered::Vector(elements.into());
        }
        let lanes = usize::from(repr.lanes);
        let parts = elements
            .chunks_exact(lanes)
            .map(|lanes| self.register(repr, lanes))
            .collect();
        Lowered::Vector(parts)
    }

    /// A register with these lanes.
    fn register(&mut self, repr: &VectorRepr, lanes: &[clif::Value]) -> clif::Value {
        let splat = self.b.ins().splat(repr.part_type(), lanes[0]);
        if lanes.iter().all(|&lane| lane == lanes[0]) {
            return splat;
        }
        let mut register = splat;
        for (lane, &element) in lanes.iter().enumerate().skip(1) {
            register = self.b.ins().insertlane(register, element, lane as u8);
        }
        register
    }

    /// Sets the first result of `op` to the value with these elements.
    pub(super) fn set_elements(&mut self, op: Op, elements: &[clif::Value]) -> Result<(), Failed> {
        let result = self.ir.result(op, 0);
        self.set_value_elements(result, elements)
    }

    /// Sets `value` to the value with these elements.
    pub(super) fn set_value_elements(
        &mut self,
        value: Value,
        elements: &[clif::Value],
    ) -> Result<(), Failed> {
        let repr = self.repr(value)?;
        let lowered = self.with_elements(&repr, elements);
        self.set(value, lowered);
        Ok(())
    }

    /// Whether `op` computes vectors element by element.
    pub(super) fn is_elementwise_on_vectors(&mut self, op: Op) -> bool {
        use freehold_frontend::op_def::Traits;
        self.ir.has_trait(op, Traits::ELEMENTWISE)
            && self.ir.results(op).iter().any(|&result| {
                let ty = self.ir.value_type(result);
                vector::is_vector(self.context, ty)
            })
    }

    /// Lowers an elementwise operation on vectors.
    pub(super) fn lower_elementwise(&mut self, op: Op) -> Result<(), Failed> {
        if self.lower_on_registers(op)? {
            return Ok(());
        }
        let def = match self.ir.is(op, &vector::FMA) {
            true => &math::FMA,
            false => self.ir.def(op),
        };
        let Some(lower) = lowering_of(def) else {
            return Err(super::unsupported_op(self.ir, op, self.diagnostics));
        };
        let n_elements = self.vector_repr(op, self.ir.result(op, 0))?.n_elements();
        // Each vector operand stands for one of its elements at a time.
        let operands: SmallVec<[Value; 3]> = self.ir.operands(op).into();
        let mut vectors: SmallVec<[(Value, Lowered, Elements); 3]> = SmallVec::new();
        for &operand in &operands {
            let is_vector = vector::is_vector(self.context, self.ir.value_type(operand));
            if is_vector && !vectors.iter().any(|(known, ..)| *known == operand) {
                let elements = self.elements(operand)?;
                vectors.push((operand, self.get(operand)?.clone(), elements));
            }
        }
        let results: SmallVec<[Value; 2]> = self.ir.results(op).into();
        let mut computed: SmallVec<[Elements; 2]> =
            SmallVec::from_elem(Elements::new(), results.len());
        let mut outcome = Ok(());
        for i in 0..n_elements {
            for (operand, _, elements) in &vectors {
                self.set(*operand, Lowered::Scalar(elements[i]));
            }
            self.in_element = true;
            outcome = lower(self, op);
            self.in_element = false;
            if outcome.is_err() {
                break;
            }
            for (&result, computed) in results.iter().zip(&mut computed) {
                let element = self.get(result)?.clone();
                computed.extend(self.parts(&element));
            }
        }
        for (operand, lowered, _) in vectors {
            self.set(operand, lowered);
        }
        outcome?;
        for (&result, computed) in results.iter().zip(&computed) {
            self.set_value_elements(result, computed)?;
        }
        Ok(())
    }

    /// Lowers an operation on whole registers, if Cranelift has it.
    fn lower_on_registers(&mut self, op: Op) -> Result<bool, Failed> {
        let def = self.ir.def(op);
        let repr = self.vector_repr(op, self.ir.result(op, 0))?;
        if repr.lanes == 1 {
            return Ok(false);
        }
        let is = |known: &OpDef| std::ptr::eq(def, known);
        if is(&arith::SELECT) || is(&arith::SITOFP) {
            let parts = match is(&arith::SELECT) {
                true => self.select_registers(op, &repr)?,
                false => self.convert_registers(op, &repr)?,
            };
            let Some(parts) = parts else {
                return Ok(false);
            };
            self.set(self.ir.result(op, 0), Lowered::Vector(parts));
            return Ok(true);
        }
        let mut operands: SmallVec<[SmallVec<[clif::Value; 8]>; 2]> = SmallVec::new();
        for &operand in self.ir.operands(op) {
            match self.repr(operand)? {
                Repr::Vector(other) if *other == *repr => {
                    let lowered = self.get(operand)?.clone();
                    operands.push(self.parts(&lowered));
                }
                _ => return Ok(false),
            }
        }
        let binary: Option<fn(&mut Self, clif::Value, clif::Value) -> clif::Value> =
            if is(&arith::ADDF) {
                Some(|cx, a, b| cx.b.ins().fadd(a, b))
            } else if is(&arith::SUBF) {
                Some(|cx, a, b| cx.b.ins().fsub(a, b))
            } else if is(&arith::MULF) {
                Some(|cx, a, b| cx.b.ins().fmul(a, b))
            } else if is(&arith::DIVF) {
                Some(|cx, a, b| cx.b.ins().fdiv(a, b))
            } else if is(&arith::MAXIMUMF) {
                Some(|cx, a, b| cx.b.ins().fmax(a, b))
            } else if is(&arith::MINIMUMF) {
                Some(|cx, a, b| cx.b.ins().fmin(a, b))
            } else if is(&arith::ADDI) {
                Some(|cx, a, b| cx.b.ins().iadd(a, b))
            } else if is(&arith::SUBI) {
                Some(|cx, a, b| cx.b.ins().isub(a, b))
            } else if is(&arith::MULI) {
                Some(|cx, a, b| cx.b.ins().imul(a, b))
            } else if is(&arith::ANDI) {
                Some(|cx, a, b| cx.b.ins().band(a, b))
            } else if is(&arith::ORI) {
                Some(|cx, a, b| cx.b.ins().bor(a, b))
            } else if is(&arith::XORI) {
                Some(|cx, a, b| cx.b.ins().bxor(a, b))
            } else if repr.scalar != Scalar::Int(32) {
                None
            } else if is(&arith::MAXSI) {
                Some(|cx, a, b| cx.select_lanes(IntCC::SignedGreaterThan, a, b))
            } else if is(&arith::MINSI) {
                Some(|cx, a, b| cx.select_lanes(IntCC::SignedLessThan, a, b))
            } else if is(&arith::MAXUI) {
                Some(|cx, a, b| cx.select_lanes(IntCC::UnsignedGreaterThan, a, b))
            } else if is(&arith::MINUI) {
                Some(|cx, a, b| cx.select_lanes(IntCC::UnsignedLessThan, a, b))
            } else {
                None
            };
        let unary: Option<fn(&mut Self, clif::Value) -> clif::Value> = if is(&arith::NEGF) {
            Some(|cx, a| cx.b.ins().fneg(a))
        } else if is(&math::ABSF) {
            Some(|cx, a| cx.b.ins().fabs(a))
        } else if is(&math::SQRT) {
            Some(|cx, a| cx.b.ins().sqrt(a))
        } else {
            None
        };
        let parts: Rc<[clif::Value]> = match (operands.as_slice(), binary, unary) {
            ([lhs, rhs], Some(_), _) if let Some(bound) = self.bound(op) => {
                let (values, bounds) = if bound.is_right {
                    (lhs, rhs)
                } else {
                    (rhs, lhs)
                };
                let pairs = values.iter().zip(bounds);
                pairs
                    .map(|(&value, &limit)| {
                        let is_beyond = self.b.ins().fcmp(bound.is_beyond, value, limit);
                        let ty = self.b.func.dfg.value_type(value);
                        let is_beyond = self.bitcast(ty, is_beyond);
                        self.b.ins().bitselect(is_beyond, limit, value)
                    })
                    .collect()
            }
            ([lhs, rhs], Some(compute), _) => {
                let pairs = lhs.iter().zip(rhs);
                pairs.map(|(&a, &b)| compute(self, a, b)).collect()
            }
            ([operand], _, Some(compute)) => operand.iter().map(|&a| compute(self, a)).collect(),
            _ => return Ok(false),
        };
        self.set(self.ir.result(op, 0), Lowered::Vector(parts));
        Ok(true)
    }

    /// `a` in the lanes where it compares so with `b`, else `b`.
    fn select_lanes(&mut self, condition: IntCC, a: clif::Value, b: clif::Value) -> clif::Value {
        let mask = self.b.ins().icmp(condition, a, b);
        self.b.ins().bitselect(mask, a, b)
    }

    /// The registers of an `arith.select` whose condition compares registers of as many lanes. Nothing
    /// else wants the elements of the condition then, and Cranelift drops them.
    fn select_registers(
        &mut self,
        op: Op,
        repr: &VectorRepr,
    ) -> Result<Option<Rc<[clif::Value]>>, Failed> {
        let condition = self.ir.operand(op, 0);
        let Some(compare) = self.ir.defining_op(condition) else {
            return Ok(None);
        };
        let condition = if self.ir.is(compare, &arith::CMPF) {
            if !self.program.compares_floats {
                return Ok(None);
            }
            let predicate = arith::CmpFPredicate::of(self.ir, compare);
            match predicate.map(super::arith::float_condition) {
                // Cranelift compares no registers for these.
                None | Some(Err(_) | Ok(FloatCC::OrderedNotEqual | FloatCC::UnorderedOrEqual)) => {
                    return Ok(None);
                }
                Some(Ok(condition)) => Comparison::Float(condition),
            }
        } else if self.ir.is(compare, &arith::CMPI)
            && let Some(predicate) = arith::CmpIPredicate::of(self.ir, compare)
        {
            Comparison::Int(super::arith::int_condition(predicate))
        } else {
            return Ok(None);
        };
        let compared = self.ir.operand(compare, 0);
        match self.repr(compared)? {
            Repr::Vector(other)
                if other.lanes == repr.lanes
                    && other.shape == repr.shape
                    && is_compared_in_lanes(other.scalar) => {}
            _ => return Ok(None),
        }
        let mut parts = SmallVec::<[SmallVec<[clif::Value; 8]>; 4]>::new();
        let operands = [
            compared,
            self.ir.operand(compare, 1),
            self.ir.operand(op, 1),
            self.ir.operand(op, 2),
        ];
        for operand in operands {
            let lowered = self.get(operand)?.clone();
            parts.push(self.parts(&lowered));
        }
        // AArch64 has no registers compared by what also holds for NaNs, only by the opposite.
        let (condition, is_opposite) = match condition {
            Comparison::Float(
                unordered @ (FloatCC::UnorderedOrLessThan
                | FloatCC::UnorderedOrLessThanOrEqual
                | FloatCC::UnorderedOrGreaterThan
                | FloatCC::UnorderedOrGreaterThanOrEqual),
            ) => (Comparison::Float(unordered.complement()), true),
            _ => (condition, false),
        };
        if is_opposite {
            parts.swap(2, 3);
        }
        let ty = repr.part_type();
        let selected = (0..repr.n_parts()).map(|i| {
            let (a, b) = (parts[0][i], parts[1][i]);
            let mask = match condition {
                Comparison::Float(condition) => self.b.ins().fcmp(condition, a, b),
                Comparison::Int(condition) => self.b.ins().icmp(condition, a, b),
            };
            let mask = self.bitcast(ty, mask);
            self.b.ins().bitselect(mask, parts[2][i], parts[3][i])
        });
        Ok(Some(selected.collect()))
    }

    /// The registers of a conversion from integers to floats of the same size.
    fn convert_registers(
        &mut self,
        op: Op,
        repr: &VectorRepr,
    ) -> Result<Option<Rc<[clif::Value]>>, Failed> {
        let operand = self.ir.operand(op, 0);
        match self.repr(operand)? {
            Repr::Vector(other)
                if other.scalar == Scalar::Int(32)
                    && repr.scalar == Scalar::Float(FloatKind::F32)
                    && other.lanes == repr.lanes => {}
            _ => return Ok(None),
        }
        let lowered = self.get(operand)?.clone();
        let parts = self.parts(&lowered).into_iter();
        let ty = repr.part_type();
        Ok(Some(
            parts
                .map(|part| self.b.ins().fcvt_from_sint(ty, part))
                .collect(),
        ))
    }

    /// Whether `op` is the larger or smaller of a value and a number that is known: one comparison
    /// tells which. Without that knowledge zeros of both signs and NaNs make it a dozen instructions.
    fn bound(&self, op: Op) -> Option<Bound> {
        let is_max = self.ir.is(op, &arith::MAXIMUMF);
        if !is_max && !self.ir.is(op, &arith::MINIMUMF) {
            return None;
        }
        let number = |index| splat_number(self.ir, self.ir.operand(op, index));
        let (number, is_right) = match number(1) {
            Some(number) => (number, true),
            None => (number(0)?, false),
        };
        // Zeros compare equal: the limit replaces them if it is the zero that wins.
        let limit_wins = number == 0.0 && number.is_sign_negative() != is_max;
        let is_beyond = match (is_max, limit_wins) {
            (true, false) => FloatCC::LessThan,
            (true, true) => FloatCC::LessThanOrEqual,
            (false, false) => FloatCC::GreaterThan,
            (false, true) => FloatCC::GreaterThanOrEqual,
        };
        (!number.is_nan()).then_some(Bound {
            is_right,
            is_beyond,
        })
    }

    /// The vector constant `attr` as the result of `op`.
    pub(super) fn lower_vector_constant(
        &mut self,
        op: Op,
        repr: &Rc<VectorRepr>,
        attr: Option<Attr>,
    ) -> Result<(), Failed> {
        let result = self.ir.result(op, 0);
        let Some(dense) = attr.and_then(|attr| self.context.attr_dense(attr)) else {
            return Err(self.unsupported_on(op, self.ir.value_type(result)));
        };
        let n_stored = if dense.splat { 1 } else { repr.n_elements() };
        let size = dense.bytes.len() / n_stored.max(1);
        let width = match repr.scalar {
            Scalar::Int(width) => width,
            _ => repr.scalar.clif().bits(),
        };
        let mut elements = Elements::with_capacity(repr.n_elements());
        for bytes in dense.bytes.chunks_exact(size.max(1)).take(n_stored) {
            let mut wide = [0; 16];
            let n = bytes.len().min(16);
            wide[..n].copy_from_slice(&bytes[..n]);
            let bits = u128::from_le_bytes(wide) & crate::repr::low_bits(width);
            elements.push(self.constant(repr.scalar, bits));
        }
        if elements.is_empty() {
            return Err(self.unsupported_on(op, self.ir.value_type(result)));
        }
        if dense.splat {
            elements = SmallVec::from_elem(elements[0], repr.n_elements());
        }
        self.set_elements(op, &elements)
    }

    /// `a` combined with `b`.
    pub(super) fn combine_elements(
        &mut self,
        op: Op,
        kind: CombiningKind,
        scalar: Scalar,
        a: clif::Value,
        b: clif::Value,
    ) -> Result<clif::Value, Failed> {
        let result = match scalar {
            Scalar::Float(format) => {
                let (a, b) = (self.widen_float(format, a), self.widen_float(format, b));
                let result = match kind {
                    CombiningKind::Add => self.b.ins().fadd(a, b),
                    CombiningKind::Mul => self.b.ins().fmul(a, b),
                    CombiningKind::MaximumF => self.b.ins().fmax(a, b),
                    CombiningKind::MinimumF => self.b.ins().fmin(a, b),
                    CombiningKind::MaxNumF => self.ignore_nan(FloatCC::GreaterThan, a, b),
                    CombiningKind::MinNumF => self.ignore_nan(FloatCC::LessThan, a, b),
                    _ => return Err(super::unsupported_op(self.ir, op, self.diagnostics)),
                };
                self.narrow_float(format, result)
            }
            Scalar::Int(width) => match kind {
                CombiningKind::Add => {
                    let sum = self.b.ins().iadd(a, b);
                    self.wrap_int(width, sum)
                }
                CombiningKind::Mul => {
                    let product = self.b.ins().imul(a, b);
                    self.wrap_int(width, product)
                }
                CombiningKind::And => self.b.ins().band(a, b),
                CombiningKind::Or => self.b.ins().bor(a, b),
                CombiningKind::Xor => self.b.ins().bxor(a, b),
                CombiningKind::MinSI => self.min_or_max(IntCC::SignedLessThan, width, a, b),
                CombiningKind::MinUI => self.min_or_max(IntCC::UnsignedLessThan, width, a, b),
                CombiningKind::MaxSI => self.min_or_max(IntCC::SignedGreaterThan, width, a, b),
                CombiningKind::MaxUI => self.min_or_max(IntCC::UnsignedGreaterThan, width, a, b),
                _ => return Err(super::unsupported_op(self.ir, op, self.diagnostics)),
            },
            Scalar::Function => {
                return Err(super::unsupported_op(self.ir, op, self.diagnostics));
            }
        };
        Ok(result)
    }

    /// The product of `a` and `b`.
    pub(super) fn product_of(
        &mut self,
        op: Op,
        scalar: Scalar,
        a: clif::Value,
        b: clif::Value,
    ) -> Result<clif::Value, Failed> {
        self.combine_elements(op, CombiningKind::Mul, scalar, a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_and_numbers_are_inverse() {
        let shape = [2, 3, 4];
        for i in 0..24 {
            assert_eq!(linear(&shape, coordinates(&shape, i)), i);
        }
        assert_eq!(&coordinates(&shape, 23)[..], &[1, 2, 3]);
        assert!(coordinates(&[], 0).is_empty());
    }
}
