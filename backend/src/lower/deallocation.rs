//! `deallocation`: owners of allocations are allocated pointers, or null.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, InstBuilder, StackSlot, types};
use freehold_frontend::diag::Failed;
use freehold_frontend::dialects::deallocation;
use freehold_frontend::ir::entities::Op;

use super::LoweringTable;
use super::function::Lowering;
use super::unsupported_op;
use super::value::Lowered;
use crate::external;
use crate::repr::Scalar;

/// The lowerings of this dialect.
pub(super) static TABLE: LoweringTable = &[
    (&deallocation::FREE, lower_free),
    (&deallocation::GET_BUFFER, lower_pointer),
    (&deallocation::NULL, lower_null),
    (&deallocation::OWN, lower_pointer),
    (&deallocation::RETAIN, lower_retain),
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

/// The runtime decides about two arrays of pointers on the stack: what is left
/// of the owners is freed, what is left of the buffers is returned.
fn lower_retain(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let view = deallocation::Retain(op);
    let (retained, owners) = (view.retained(cx.ir), view.allocs(cx.ir));
    let results = cx.ir.results(op);
    // The text form does not tie results to buffers.
    if results.len() > retained.len() {
        return Err(unsupported_op(cx.ir, op, cx.diagnostics));
    }
    if owners.is_empty() {
        for &result in results {
            cx.set(result, Lowered::Constant(Scalar::Int(64), 0));
        }
        return Ok(());
    }
    let pointers = owners
        .iter()
        .map(|&owner| cx.scalar(owner))
        .collect::<Result<Vec<_>, _>>()?;
    let owner_array = store_pointers(cx, &pointers);
    let pointers = retained
        .iter()
        .map(|&memref| cx.allocated_pointer(memref))
        .collect::<Result<Vec<_>, _>>()?;
    let retained_array = store_pointers(cx, &pointers);
    let owner_address = cx.b.ins().stack_addr(types::I64, owner_array, 0);
    if !retained.is_empty() {
        let retained_address = cx.b.ins().stack_addr(types::I64, retained_array, 0);
        let [n_owners, n_retained] =
            [owners.len(), retained.len()].map(|n| cx.b.ins().iconst(types::I64, n as i64));
        let arguments = [owner_address, n_owners, retained_address, n_retained];
        cx.call_external(&external::RETAIN, &arguments);
        for (index, &result) in results.iter().enumerate() {
            let offset = 8 * index as i32;
            let owner =
                cx.b.ins()
                    .stack_load(types::I64, types::I64, retained_array, offset);
            cx.set(result, Lowered::Scalar(owner));
        }
    }
    free_all(cx, op, owner_address, owners.len());
    Ok(())
}

/// Pointers in a new array on the stack.
fn store_pointers(cx: &mut Lowering<'_, '_>, pointers: &[clif::Value]) -> StackSlot {
    let array = cx.stack_slot(8 * pointers.len().max(1) as u32);
    for (index, &pointer) in pointers.iter().enumerate() {
        cx.b.ins()
            .stack_store(types::I64, pointer, array, 8 * index as i32);
    }
    array
}

/// Frees every pointer of an array that is not null.
fn free_all(cx: &mut Lowering<'_, '_>, op: Op, array: clif::Value, count: usize) {
    let [header, free, next, done] = [(); 4].map(|()| cx.b.create_block());
    let position = cx.b.append_block_param(header, types::I64);
    let end = cx.b.ins().iadd_imm_s(array, 8 * count as i64);
    cx.b.ins().jump(header, &[array.into()]);
    cx.b.switch_to_block(header);
    let flags = clif::MemFlagsData::trusted();
    let pointer = cx.b.ins().load(types::I64, flags, position, 0);
    cx.b.ins().brif(pointer, free, &[], next, &[]);
    cx.b.switch_to_block(free);
    cx.heap_free(pointer, cx.ir.loc(op));
    cx.b.ins().jump(next, &[]);
    cx.b.switch_to_block(next);
    let following = cx.b.ins().iadd_imm_s(position, 8);
    let more = cx.b.ins().icmp(IntCC::NotEqual, following, end);
    cx.b.ins()
        .brif(more, header, &[following.into()], done, &[]);
    cx.b.switch_to_block(done);
}
