//! Canonicalization patterns of scf: what upstream's canonicalizer does, in
//! place wherever an operation only loses operands or results.

pub(super) mod execute_region;
pub(super) mod for_loop;
pub(super) mod forall;
pub(super) mod if_combine;
pub(super) mod if_op;
pub(super) mod index_switch;
pub(super) mod parallel;
mod trip_count;
pub(super) mod while_args;
pub(super) mod while_loop;

use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};

use super::YIELD;

/// What block terminator `op` yields, if it is a `scf.yield`.
fn yielded(ir: &Ir, op: Op) -> Option<&[Value]> {
    ir.is(op, &YIELD).then(|| ir.operands(op))
}
