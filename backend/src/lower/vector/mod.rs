//! `vector`: values of several elements.
//!
//! A vector is held as parts in row-major order: 128-bit registers of 16 to two
//! lanes where the elements fill them, else one scalar per element
//! ([`VectorRepr`]). Elementwise operations work on whole registers where
//! Cranelift can; everything else is done element by element, and Cranelift
//! drops the lane moves that cancel out.

mod elementwise;
mod lanes;
mod mask;
mod memory;
mod moves;
mod print;
mod reduce;

use std::rc::Rc;

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self as clif, InstBuilder};
use freehold_frontend::diag::Failed;
use freehold_frontend::dialects::math;
use freehold_frontend::dialects::vector::{self, CombiningKind};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::entities::{Op, Value};
use smallvec::SmallVec;

use super::function::Lowering;
use super::value::Lowered;
use super::{LoweringTable, lowering_of};
use crate::repr::{Repr, Scalar, VectorRepr};

/// The lowerings of this dialect.
pub(super) static TABLES: [LoweringTable; 5] = [
    mask::TABLE,
    memory::TABLE,
    moves::TABLE,
    print::TABLE,
    reduce::TABLE,
];

pub(super) use lanes::Parts;
pub(super) use mask::ActiveMask;

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
        if repr.lanes > 1 && size == repr.scalar.byte_size() as usize {
            let bytes = match dense.splat {
                true => dense.bytes.repeat(repr.n_elements()),
                false => dense.bytes.to_vec(),
            };
            let registers = bytes.chunks_exact(16);
            let parts = registers.map(|bytes| self.register_constant(repr.part_type(), bytes));
            let parts = parts.collect();
            self.set(result, Lowered::Vector(parts));
            return Ok(());
        }
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

    /// `a` combined with `b`, elements or registers of them.
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
                CombiningKind::Mul if self.b.func.dfg.value_type(a).is_vector() => {
                    self.multiply_lanes(scalar, a, b)
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
