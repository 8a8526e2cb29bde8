//! `ub`: poison.

use cranelift_codegen::ir::InstBuilder;
use freehold_frontend::dialects::ub;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;

use super::function::LoweringTable;
use super::function::{Lowering, TRAP_UNREACHABLE};

/// The lowerings of this dialect.
pub(super) static TABLE: LoweringTable = &[
    (&ub::POISON, lower_poison),
    (&ub::UNREACHABLE, lower_unreachable),
];

fn lower_unreachable(cx: &mut Lowering<'_, '_>, _: Op) -> Result<(), Failed> {
    cx.b.ins().trap(TRAP_UNREACHABLE);
    Ok(())
}

/// Any value will do; zero is the most predictable one.
fn lower_poison(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let result = cx.ir.result(op, 0);
    let repr = cx.repr(result)?;
    let poison = cx.zero_value(&repr);
    cx.set(result, poison);
    Ok(())
}
