//! `deallocation`: owners of allocations are allocated pointers, or null.

use cranelift_codegen::ir::InstBuilder;
use freehold_frontend::diag::Failed;
use freehold_frontend::dialects::deallocation;
use freehold_frontend::ir::entities::Op;

use super::LoweringTable;
use super::function::Lowering;
use super::value::Lowered;
use crate::repr::Scalar;

/// The lowerings of this dialect.
pub(super) static TABLE: LoweringTable = &[
    (&deallocation::FREE, lower_free),
    (&deallocation::GET_BUFFER, lower_pointer),
    (&deallocation::NULL, lower_null),
    (&deallocation::OWN, lower_pointer),
];

fn lower_null(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let null = Lowered::Constant(Scalar::Int(64), 0);
    cx.set(cx.ir.result(op, 0), null);
    Ok(())
}

/// An owner is the pointer that it would free; the buffer of an owner or a
/// memref is that pointer as a number.
fn lower_pointer(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let operand = cx.ir.operand(op, 0);
    let pointer = if cx.ir.is_memref(operand) {
        cx.allocated_pointer(operand)?
    } else {
        cx.scalar(operand)?
    };
    cx.set_result(op, pointer);
    Ok(())
}

fn lower_free(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let pointer = cx.operand(op, 0)?;
    let [free, done] = [(); 2].map(|()| cx.b.create_block());
    cx.b.ins().brif(pointer, free, &[], done, &[]);
    cx.b.switch_to_block(free);
    cx.heap_free(pointer, cx.ir.loc(op));
    cx.b.ins().jump(done, &[]);
    cx.b.switch_to_block(done);
    Ok(())
}
