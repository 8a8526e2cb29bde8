//! What operations require of sizes and positions that only the run knows: assertions. What structured operations require
//! of their operands is left to the pass `check-sizes`.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::dialects::{arith, cf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::DYNAMIC;

use super::build::{element, shape, sizes, tensor_type};
use super::formula::cast_shape;

/// Ends the program if `x` is more than `y`, unless both are known now.
pub(super) fn at_most(b: &mut Builder<'_>, x: MixedIndex, y: MixedIndex, message: &str) {
    require(b, CmpIPredicate::Sle, x, y, message);
}

/// Ends the program if `x` is another number than `y`, unless both are known now.
pub(super) fn equal(b: &mut Builder<'_>, x: MixedIndex, y: MixedIndex, message: &str) {
    require(b, CmpIPredicate::Eq, x, y, message);
}

/// Ends the program if `tensors` have other sizes than the first of them.
pub(super) fn same_sizes(b: &mut Builder<'_>, tensors: &[Value], message: &str) {
    let Some((&first, others)) = tensors.split_first() else {
        return;
    };
    let wanted = sizes(b, first);
    for &other in others.iter().filter(|&&other| other != first) {
        for (found, &wanted) in sizes(b, other).into_iter().zip(&wanted) {
            equal(b, found, wanted, message);
        }
    }
}

/// A tensor whose type says that a dimension has this size; ends the program if it has another one.
pub(super) fn with_size(b: &mut Builder<'_>, tensor: Value, dim: usize, size: i64) -> Value {
    let mut known = shape(b.ir, tensor);
    if known[dim] != DYNAMIC {
        return tensor;
    }
    let own = sizes(b, tensor)[dim];
    let message = format!("dimension {dim} of an operand has not {size} elements");
    equal(b, own, MixedIndex::Constant(size), &message);
    known[dim] = size;
    let ty = tensor_type(&b.context(), &known, element(b.ir, tensor));
    cast_shape(b, tensor, ty)
}

fn require(
    b: &mut Builder<'_>,
    predicate: CmpIPredicate,
    x: MixedIndex,
    y: MixedIndex,
    message: &str,
) {
    // The verifier has seen numbers that are both in types and attributes.
    if x == y || matches!((x, y), (MixedIndex::Constant(_), MixedIndex::Constant(_))) {
        return;
    }
    let (x, y) = (x.materialize(b), y.materialize(b));
    let holds = arith::compare(b, predicate, x, y);
    assert(b, holds, message);
}

/// `cf.assert`
pub(super) fn assert(b: &mut Builder<'_>, holds: Value, message: &str) {
    let message = b.context().string_attr(message);
    let spec = b
        .spec(&cf::ASSERT)
        .operands(&[holds])
        .attr(Name::MSG, message);
    b.create(spec);
}
