//! What the bodies of structured operations are made of.

use freehold_frontend::dialects::linalg;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;

/// `linalg.index dim`
pub(crate) fn loop_counter(builder: &mut Builder<'_>, dim: usize) -> Value {
    let dim = builder.ir.context().i64_attr(dim as i64);
    builder.value_with_attr(&linalg::INDEX, &[], Type::INDEX, Name::DIM, dim)
}
