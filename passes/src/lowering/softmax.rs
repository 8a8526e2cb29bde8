//! `linalg.softmax` on buffers as loops: per position in the other dimensions
//! the largest element, the exponentials of the distances from it and their
//! sum, and a division.
//!
//! ```text
//! softmax(x)_i = exp(x_i - max x) / sum_j exp(x_j - max x)
//! ```
//!
//! The largest exponent is 0, so nothing overflows. Input and output may be
//! the same buffer: every element is read before it is written.

use freehold_frontend::dialects::memref::AtomicRmwKind;
use freehold_frontend::dialects::{arith, linalg, math, memref};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::Type;

use super::convert_linalg_to_loops::loop_size;
use super::lower_affine::neutral_element;
use crate::rewrite::sequential_loops::{Nest, build_nest};

/// Replaces the softmax `op`; `None` if its elements are no floats.
pub(super) fn lower(ir: &mut Ir, op: Op) -> Option<()> {
    let (input, output) = (ir.operand(op, 0), ir.operand(op, 1));
    let element = ir.context().element_type_or_self(ir.value_type(output));
    let context = ir.context();
    let lowest = neutral_element(context, AtomicRmwKind::Maximumf, element)?;
    let zero = neutral_element(context, AtomicRmwKind::Addf, element)?;
    let dimension = context.attr_integer(ir.attr(op, Name::DIMENSION)?)?;
    let dimension = usize::try_from(dimension).ok()?;

    let mut builder = Builder::before(ir, op);
    let first = arith::constant_index(&mut builder, 0);
    let step = arith::constant_index(&mut builder, 1);
    let rank = linalg::interface::shape(builder.ir, input).len();
    let mut bounds: Vec<[Value; 3]> = (0..rank)
        .map(|dim| [first, loop_size(&mut builder, input, dim), step])
        .collect();
    let lowest = arith::constant_attr(&mut builder, lowest);
    let zero = arith::constant_attr(&mut builder, zero);

    let along = bounds.remove(dimension);
    let outer = build_nest(ir, op, &bounds, &[]);
    let row = Row {
        element,
        dimension,
        along,
        outer,
    };
    let largest = row.each(ir, lowest, |pass| {
        let x = pass.load(input);
        Some(pass.compute(&arith::MAXNUMF, &[pass.carried, x]))
    })?;
    let sum = row.each(ir, zero, |pass| {
        let x = pass.load(input);
        let distance = pass.compute(&arith::SUBF, &[x, largest]);
        let power = pass.compute(&math::EXP, &[distance]);
        pass.store(power, output);
        Some(pass.compute(&arith::ADDF, &[pass.carried, power]))
    })?;
    row.each(ir, zero, |pass| {
        let power = pass.load(output);
        let share = pass.compute(&arith::DIVF, &[power, sum]);
        pass.store(share, output);
        None
    });
    ir.erase_op(op);
    Some(())
}

/// The elements normalized together.
struct Row {
    element: Type,
    dimension: usize,
    /// Bounds and step of the loop over it.
    along: [Value; 3],
    /// The loops around.
    outer: Nest,
}

impl Row {
    /// Makes a loop over the row. If `body` computes a value, the loop carries
    /// it, beginning with `init`, and its last value is returned.
    fn each(
        &self,
        ir: &mut Ir,
        init: Value,
        body: impl FnOnce(&mut Pass<'_>) -> Option<Value>,
    ) -> Option<Value> {
        let nest = build_nest(ir, self.outer.anchor, &[self.along], &[init]);
        let mut indices = self.outer.variables.clone();
        indices.insert(self.dimension, nest.variables[0]);
        let carried = nest.carried[0];
        let loc = ir.loc(self.outer.anchor);
        let mut builder = Builder::before(ir, nest.anchor);
        builder.set_loc(loc);
        let mut pass = Pass {
            builder,
            element: self.element,
            indices,
            carried,
        };
        let value = body(&mut pass);
        let results = nest.finish(ir, vec![value.unwrap_or(carried)]);
        value.map(|_| results[0])
    }
}

/// The body of a loop over a row being built.
struct Pass<'a> {
    builder: Builder<'a>,
    element: Type,
    indices: Vec<Value>,
    carried: Value,
}

impl Pass<'_> {
    fn load(&mut self, buffer: Value) -> Value {
        memref::build::load(&mut self.builder, buffer, &self.indices)
    }

    fn store(&mut self, value: Value, buffer: Value) {
        memref::build::store(&mut self.builder, value, buffer, &self.indices);
    }

    fn compute(&mut self, def: &'static OpDef, operands: &[Value]) -> Value {
        self.builder.value(def, operands, self.element)
    }
}
