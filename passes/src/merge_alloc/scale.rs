//! Sizes that are known at run time only: a number of bytes times a product of SSA values.
//!
//! All buffers of one product are planned like others, with the numbers as their sizes; the arena and
//! the offsets in it are then multiplied by the product. The plan is as good as one of known sizes:
//! whatever the product is, no smaller arena will do.

use freehold_frontend::dialects::arith;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::Type;

/// What sizes and offsets are multiplied by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scale {
    /// The product of these; none if sizes are known.
    pub factors: Vec<Value>,
    /// Rounded up to a multiple of this power of two (0 means 1), such that multiples of it are
    /// aligned.
    pub multiple: u64,
}

/// More factors are not looked at: bounds compile time.
const MAX_FACTORS: usize = 16;

impl Scale {
    /// Whether sizes are numbers.
    pub fn is_static(&self) -> bool {
        self.factors.is_empty()
    }

    /// The factors of the size of an allocation of run-time size, in an order of their own, and the
    /// number of bytes that remains. `None` if that is zero or not to be known.
    pub(super) fn of_alloc(ir: &Ir, alloc: Op, element: u64) -> Option<(Vec<Value>, u64)> {
        let memref = ir.context().as_memref(ir.value_type(ir.result(alloc, 0)))?;
        let mut bytes = element;
        for &size in memref.shape.iter().filter(|&&size| size >= 0) {
            bytes = bytes.checked_mul(u64::try_from(size).ok()?)?;
        }
        let mut factors = Vec::new();
        let mut worklist = ir.operand_group(alloc, 0).to_vec();
        while let Some(value) = worklist.pop() {
            if let Some(number) = arith::as_constant_int(ir, value) {
                bytes = bytes.checked_mul(u64::try_from(number).ok()?)?;
            } else if let Some(product) = ir.defined_by(value, &arith::MULI) {
                worklist.extend(ir.operands(product));
            } else {
                factors.push(value);
            }
            if factors.len() + worklist.len() > ir.capped(MAX_FACTORS) {
                return None;
            }
        }
        factors.sort_unstable();
        (bytes > 0 && i64::try_from(bytes).is_ok()).then_some((factors, bytes))
    }

    /// The product, rounded up, computed where `builder` stands.
    pub(super) fn build(&self, builder: &mut Builder<'_>) -> Option<Value> {
        let mut factors = self.factors.iter().copied();
        let first = factors.next()?;
        let index = |builder: &mut Builder<'_>, def, a, b| builder.value(def, &[a, b], Type::INDEX);
        let mut product = factors.fold(first, |a, b| index(builder, &arith::MULI, a, b));
        if self.multiple > 1 {
            let multiple = i64::try_from(self.multiple).ok()?;
            let less = arith::constant_index(builder, multiple - 1);
            product = index(builder, &arith::ADDI, product, less);
            let mask = arith::constant_index(builder, -multiple);
            product = index(builder, &arith::ANDI, product, mask);
        }
        Some(product)
    }
}

/// `number` times the product, which is `None` if there is none.
pub(super) fn scaled(builder: &mut Builder<'_>, number: u64, product: Option<Value>) -> Value {
    // Planners see to it that all numbers fit.
    let number = arith::constant_index(builder, i64::try_from(number).unwrap_or(i64::MAX));
    match product {
        Some(product) => builder.value(&arith::MULI, &[product, number], Type::INDEX),
        None => number,
    }
}
