//! Vectors as their elements, and back: what every dialect with operations on
//! vectors needs.

use std::rc::Rc;

use cranelift_codegen::ir::{self as clif, ConstantData, InstBuilder};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use smallvec::SmallVec;

use super::function::Lowering;
use super::held::{Elements, Lowered};
use crate::repr::{Repr, Scalar, VectorRepr};

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

    /// The elements of a value that is held as `repr` says.
    pub(super) fn elements_of(&mut self, lowered: &Lowered, repr: &Repr) -> Elements {
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

    /// A register with these bytes.
    pub(super) fn register_constant(&mut self, ty: clif::Type, bytes: &[u8]) -> clif::Value {
        let constant = self.b.func.dfg.constants.insert(ConstantData::from(bytes));
        self.b.ins().vconst(ty, constant)
    }
}
