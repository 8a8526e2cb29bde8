//! `deallocation`: owners of allocations are allocated pointers, or null.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, InstBuilder, MemFlagsData, types};
use freehold_frontend::dialects::deallocation;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;

use super::function::Lowering;
use super::function::LoweringTable;
use super::held::Lowered;
use crate::external;
use crate::program::unsupported_op;
use crate::repr::{Scalar, descriptor_size};

/// The lowerings of this dialect.
pub(super) static TABLE: LoweringTable = &[
    (&deallocation::FREE, lower_free),
    (&deallocation::FROM_BUFFER, lower_pointer),
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

/// An owner is the pointer that it would free; the buffer of an owner or a memref is that pointer
/// as a number, and an owner can be made from the number again.
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

/// The runtime decides about an array of pointers: it frees the remaining owners and returns the
/// remaining buffers.
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
    // One array: retained buffers, then owners.
    let retained_pointers = retained.iter().map(|&memref| cx.allocated_pointer(memref));
    let mut pointers = retained_pointers.collect::<Result<Vec<_>, _>>()?;
    for &owner in owners {
        pointers.push(cx.scalar(owner)?);
    }
    let array = PointerArray::new(cx, pointers.len());
    let flags = MemFlagsData::trusted();
    for (index, &pointer) in pointers.iter().enumerate() {
        cx.b.ins()
            .store(flags, pointer, array.address, 8 * index as i32);
    }
    let [n_retained, n_owners] =
        [retained.len(), owners.len()].map(|n| cx.b.ins().iconst(types::I64, n as i64));
    // Where the owners that are left end in the array.
    let mut end = n_owners;
    if !retained.is_empty() {
        end = cx.call_external1(&external::RETAIN, &[array.address, n_retained, n_owners]);
        for (index, &result) in results.iter().enumerate() {
            let offset = 8 * index as i32;
            let owner = cx.b.ins().load(types::I64, flags, array.address, offset);
            cx.set(result, Lowered::Scalar(owner));
        }
    }
    free_all(cx, op, array.address, [n_retained, end]);
    array.give_back(cx);
    Ok(())
}

/// An array of pointers that is needed for one operation.
struct PointerArray {
    address: clif::Value,
    /// Of memory that the runtime lends: where its descriptor is.
    descriptor: Option<clif::Value>,
}

impl PointerArray {
    /// Longer ones are not on the stack: 64 KB, as much as [`super::frame_plan`] gives to one object.
    const MAX_STACK: usize = 1 << 13;

    fn new(cx: &mut Lowering<'_, '_>, length: usize) -> Self {
        if length <= Self::MAX_STACK {
            let slot = cx.stack_slot(8 * length as u32);
            return Self {
                address: cx.b.ins().stack_addr(types::I64, slot, 0),
                descriptor: None,
            };
        }
        let slot = cx.stack_slot(descriptor_size(1));
        let descriptor = cx.b.ins().stack_addr(types::I64, slot, 0);
        let bytes = cx.b.ins().iconst(types::I64, 8 * length as i64);
        cx.call_external(&external::TAKE_SCRATCH, &[descriptor, bytes]);
        Self {
            address: cx.b.ins().stack_load(types::I64, types::I64, slot, 8),
            descriptor: Some(descriptor),
        }
    }

    fn give_back(self, cx: &mut Lowering<'_, '_>) {
        if let Some(descriptor) = self.descriptor {
            cx.call_external(&external::RETURN_SCRATCH, &[descriptor]);
        }
    }
}

/// Frees every pointer of an array from one index to another that is not null.
fn free_all(cx: &mut Lowering<'_, '_>, op: Op, array: clif::Value, range: [clif::Value; 2]) {
    let [header, body, free, next, done] = [(); 5].map(|()| cx.b.create_block());
    let position = cx.b.append_block_param(header, types::I64);
    let [start, end] = range.map(|index| {
        let offset = cx.b.ins().ishl_imm_u(index, 3);
        cx.b.ins().iadd(array, offset)
    });
    cx.b.ins().jump(header, &[start.into()]);
    cx.b.switch_to_block(header);
    let more = cx.b.ins().icmp(IntCC::NotEqual, position, end);
    cx.b.ins().brif(more, body, &[], done, &[]);
    cx.b.switch_to_block(body);
    let flags = MemFlagsData::trusted();
    let pointer = cx.b.ins().load(types::I64, flags, position, 0);
    cx.b.ins().brif(pointer, free, &[], next, &[]);
    cx.b.switch_to_block(free);
    cx.heap_free(pointer, cx.ir.loc(op));
    cx.b.ins().jump(next, &[]);
    cx.b.switch_to_block(next);
    let following = cx.b.ins().iadd_imm_s(position, 8);
    cx.b.ins().jump(header, &[following.into()]);
    cx.b.switch_to_block(done);
}
