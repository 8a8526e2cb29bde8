//! What operations require of sizes and positions that only the run knows: assertions. What structured operations require
//! of their operands is left to the pass `check-sizes`.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::dialects::{arith, cf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::names::Name;

use super::build::sizes;

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
