//! All tables: which operations there is code for.

use std::sync::LazyLock;

use freehold_frontend::op_def::OpDef;

use super::function::{LowerFn, Lowerings};
use super::{arith, builtin, cf, complex, deallocation, func, index, math, memref, ub, vector};

/// Dialects that passes lower before code is generated.
#[cfg(test)]
const MUST_BE_GONE_DIALECTS: &[&str] =
    &["affine", "bufferization", "linalg", "scf", "tensor", "test"];

/// Operations of other dialects that passes lower before code is generated, or
/// that stand outside of functions.
#[cfg(test)]
const MUST_BE_GONE_BEFORE_CODEGEN: &[&str] = &[
    "builtin.module",
    "func.func",
    "memref.dma_start",
    "memref.dma_wait",
    "memref.global",
    "memref.realloc",
    "vector.scalable.extract",
    "vector.scalable.insert",
    "vector.vscale",
    "vector.warp_execute_on_lane_0",
    "vector.yield",
];

/// All tables.
fn tables() -> impl Iterator<Item = &'static (&'static OpDef, LowerFn)> {
    [
        arith::TABLE,
        builtin::TABLE,
        cf::TABLE,
        complex::TABLE,
        deallocation::TABLE,
        func::TABLE,
        index::TABLE,
        math::TABLE,
        ub::TABLE,
    ]
    .into_iter()
    .chain(memref::TABLES)
    .chain(vector::TABLES)
    .flatten()
}

/// The tables as a map.
pub(crate) static LOWERINGS: LazyLock<Lowerings> =
    LazyLock::new(|| Lowerings::new(tables(), vector::lower_elementwise));

#[cfg(test)]
mod tests {
    use super::*;
    use freehold_frontend::dialects;

    #[test]
    fn every_operation_is_lowered_here_or_before() {
        for def in dialects::ALL.iter().flat_map(|dialect| dialect.ops) {
            let is_lowered = LOWERINGS.of(def).is_some();
            let is_gone = MUST_BE_GONE_DIALECTS.contains(&def.dialect())
                || MUST_BE_GONE_BEFORE_CODEGEN.contains(&def.name);
            assert!(
                is_lowered != is_gone,
                "{}: lowered {is_lowered}, gone {is_gone}",
                def.name
            );
        }
    }

    #[test]
    fn no_row_has_two_lowerings() {
        assert_eq!(tables().count(), LOWERINGS.len());
    }
}
