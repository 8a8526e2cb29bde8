//! `builtin`: casts that change nothing.

use freehold_frontend::ir::builtin;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;

use super::function::Lowering;
use super::function::LoweringTable;
use crate::program::unsupported_op;
use crate::repr::Repr;

/// The lowerings of this dialect.
pub(super) static TABLE: LoweringTable =
    &[(&builtin::UNREALIZED_CONVERSION_CAST, lower_unrealized_cast)];

/// Casts between types that are held alike, one value each.
fn lower_unrealized_cast(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let (operands, results) = (cx.ir.operands(op), cx.ir.results(op));
    let (&[operand], &[result]) = (operands, results) else {
        return Err(unsupported_op(cx.ir, op, cx.diagnostics));
    };
    let (from, to) = (cx.repr(operand)?, cx.repr(result)?);
    let alike = match (&from, &to) {
        (Repr::Scalar(from), Repr::Scalar(to)) => from == to,
        (Repr::Complex(from), Repr::Complex(to)) => from == to,
        (Repr::MemRef(from), Repr::MemRef(to)) => from.rank() == to.rank(),
        (Repr::UnrankedMemRef, Repr::UnrankedMemRef) => true,
        _ => false,
    };
    if !alike {
        return Err(unsupported_op(cx.ir, op, cx.diagnostics));
    }
    let value = cx.get(operand)?.clone();
    cx.set(result, value);
    Ok(())
}
