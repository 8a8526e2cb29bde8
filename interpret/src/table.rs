//! The table of operations: which function interprets which row, and which rows are not interpreted.

use freehold_frontend::dialects::linalg;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::op_def::OpDef;
use rustc_hash::FxHashMap;

use crate::dialects;
use crate::machine::{Frame, Machine, Res};

/// What interprets an operation.
pub(crate) type Handler = for<'a> fn(&mut Machine<'a>, &mut Frame<'a>, Op) -> Res;

/// Rows and what interprets them.
pub(crate) type Rows = &'static [(&'static OpDef, Handler)];

const TABLES: &[Rows] = &[
    dialects::affine::ROWS,
    dialects::arith::ROWS,
    dialects::async_::ROWS,
    dialects::bufferization::ROWS,
    dialects::complex::ROWS,
    dialects::control::ROWS,
    dialects::linalg::ROWS,
    dialects::llvm::ROWS,
    dialects::math::ROWS,
    dialects::memref::ROWS,
    dialects::reductions::ROWS,
    dialects::scf::ROWS,
    dialects::shuffles::ROWS,
    dialects::tensor::ROWS,
    dialects::vector::ROWS,
];

/// All rows by address.
pub(crate) fn handlers() -> FxHashMap<usize, Handler> {
    let rows = TABLES.iter().flat_map(|rows| rows.iter().copied());
    let structured = linalg::DIALECT.ops.iter().filter_map(|&row| {
        let handler = dialects::linalg::structured_handler(row)?;
        Some((row, handler))
    });
    rows.chain(structured)
        .map(|(row, handler)| (std::ptr::from_ref(row).addr(), handler))
        .collect()
}

/// Terminators that only hand their operands to the operation around.
const PLAIN_TERMINATORS: &[&str] = &[
    "affine.yield",
    "async.return",
    "async.yield",
    "func.return",
    "iree_linalg_ext.yield",
    "linalg.yield",
    "llvm.return",
    "memref.alloca_scope.return",
    "memref.atomic_yield",
    "ml_program.return",
    "scf.condition",
    "scf.reduce",
    "scf.reduce.return",
    "scf.yield",
    "stablehlo.return",
    "tensor.yield",
    "util.return",
    "vector.yield",
];

/// Whether a terminator only hands its operands on.
pub(crate) fn is_plain_terminator(row: &OpDef) -> bool {
    PLAIN_TERMINATORS.contains(&row.name)
}

/// Whether operations of this row are interpreted.
pub fn is_interpreted(row: &'static OpDef) -> bool {
    let same = |&(other, _): &(&'static OpDef, Handler)| std::ptr::eq(other, row);
    is_plain_terminator(row)
        || dialects::linalg::structured_handler(row).is_some()
        || TABLES.iter().any(|rows| rows.iter().any(same))
}
