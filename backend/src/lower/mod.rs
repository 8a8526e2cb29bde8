//! Operations to CLIF: one table per dialect from the row of an operation to the
//! function that lowers it.
//!
//! [`function`] lowers a whole function and holds the state, [`value`] says what
//! SSA values become. [`calls`], [`memory`], [`frame`], [`integer`] and [`float`]
//! are what the tables build on.

mod arith;
mod builtin;
mod calls;
mod cf;
mod complex;
mod deallocation;
mod float;
mod frame;
mod func;
pub(crate) mod function;
mod index;
mod integer;
mod math;
mod memory;
mod memref;
pub(crate) mod regions;
mod ub;
mod value;
mod vector;

use std::sync::LazyLock;

use freehold_frontend::diag::{Diagnostics, Failed};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::op_def::OpDef;
use rustc_hash::FxHashMap;

use self::function::Lowering;

/// Lowers one operation. Reports what it cannot lower.
pub(crate) type LowerFn = fn(&mut Lowering<'_, '_>, Op) -> Result<(), Failed>;
/// The lowerings of a dialect.
pub(crate) type LoweringTable = &'static [(&'static OpDef, LowerFn)];

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

/// The tables as a map from the address of the row.
static LOWERINGS: LazyLock<FxHashMap<usize, LowerFn>> = LazyLock::new(|| {
    tables()
        .map(|&(def, lower)| (address_of(def), lower))
        .collect()
});

fn address_of(def: &'static OpDef) -> usize {
    std::ptr::from_ref(def).addr()
}

/// The function that lowers operations of this row, if there is one.
pub(crate) fn lowering_of(def: &'static OpDef) -> Option<LowerFn> {
    LOWERINGS.get(&address_of(def)).copied()
}

/// Reports an operation that has no lowering.
pub(crate) fn unsupported_op(ir: &Ir, op: Op, diagnostics: &mut Diagnostics) -> Failed {
    let message = format!("'{}' op cannot be lowered to native code", ir.op_name(op));
    diagnostics.error(ir.loc(op), message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use freehold_frontend::dialects;

    #[test]
    fn every_operation_is_lowered_here_or_before() {
        for def in dialects::ALL.iter().flat_map(|dialect| dialect.ops) {
            let is_lowered = lowering_of(def).is_some();
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
