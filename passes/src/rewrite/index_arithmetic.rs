//! Arithmetic on partly constant indices: known parts are folded now, the rest computed by operations of `arith`.

use freehold_frontend::dialects::arith;
use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::types::Type;

/// `a + b`
pub(crate) fn sum(builder: &mut Builder<'_>, a: MixedIndex, b: MixedIndex) -> MixedIndex {
    match (a, b) {
        (MixedIndex::Constant(a), MixedIndex::Constant(b)) if a.checked_add(b).is_some() => {
            MixedIndex::Constant(a + b)
        }
        (MixedIndex::Constant(0), other) | (other, MixedIndex::Constant(0)) => other,
        _ => {
            let operands = [a.materialize(builder), b.materialize(builder)];
            MixedIndex::Value(builder.value(&arith::ADDI, &operands, Type::INDEX))
        }
    }
}

/// `a * b`
pub(crate) fn product(builder: &mut Builder<'_>, a: MixedIndex, b: MixedIndex) -> MixedIndex {
    match (a, b) {
        (MixedIndex::Constant(a), MixedIndex::Constant(b)) if a.checked_mul(b).is_some() => {
            MixedIndex::Constant(a * b)
        }
        (MixedIndex::Constant(1), other) | (other, MixedIndex::Constant(1)) => other,
        _ => {
            let operands = [a.materialize(builder), b.materialize(builder)];
            MixedIndex::Value(builder.value(&arith::MULI, &operands, Type::INDEX))
        }
    }
}
