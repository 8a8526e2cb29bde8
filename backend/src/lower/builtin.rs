//! `builtin`: casts that change nothing.

use freehold_frontend::dialects::llvm::types::is_pointer;
use freehold_frontend::ir::builtin;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;

use smallvec::SmallVec;

use super::function::Lowering;
use super::function::LoweringTable;
use super::held::{Descriptor, Index, Lowered};
use crate::program::unsupported_op;
use crate::repr::{Repr, Scalar, dynamic_fields};

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
    let is_pointer = |value| is_pointer(cx.context, cx.ir.value_type(value));
    // Memory of a known size at an address.
    if let Repr::MemRef(layout) = &to
        && is_pointer(operand)
        && dynamic_fields(layout).filter(|&dynamic| dynamic).count() == 2
    {
        let zeros = SmallVec::from_elem(Index::Const(0), layout.rank());
        let pointer = Index::Value(cx.scalar(operand)?);
        let mut descriptor = Descriptor::identity(pointer, zeros.clone(), zeros);
        descriptor.refine(layout);
        cx.set(result, Lowered::memref(descriptor));
        return Ok(());
    }
    let is_address =
        |repr: &Repr, value| is_pointer(value) || matches!(repr, Repr::Scalar(Scalar::Function));
    let alike = match (&from, &to) {
        _ if is_address(&from, operand) && is_address(&to, result) => true,
        (Repr::Scalar(from), Repr::Scalar(to)) => from == to,
        (Repr::Complex(from), Repr::Complex(to)) => from == to,
        (Repr::Vector(from), Repr::Vector(to)) => from == to,
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
