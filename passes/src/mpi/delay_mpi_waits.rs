//! `delay-mpi-waits`: a wait moves to where its buffer is needed, so that a transfer goes on during computation.
//!
//! Before:
//! ```mlir
//! func.func @f(%m: memref<4xf32>, %x: f32, %c: i32, %comm: !mpi.comm) -> f32 {
//!   %c0 = arith.constant 0 : index
//!   %halo = memref.alloc() : memref<4xf32>
//!   %request = mpi.irecv(%halo, %c, %c, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
//!   mpi.wait(%request) : !mpi.request
//!   memref.store %x, %m[%c0] : memref<4xf32>
//!   %y = memref.load %halo[%c0] : memref<4xf32>
//!   return %y : f32
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%m: memref<4xf32>, %x: f32, %c: i32, %comm: !mpi.comm) -> f32 {
//!   %c0 = arith.constant 0 : index
//!   %halo = memref.alloc() : memref<4xf32>
//!   %request = mpi.irecv(%halo, %c, %c, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
//!   memref.store %x, %m[%c0] : memref<4xf32>
//!   mpi.wait(%request) : !mpi.request
//!   %y = memref.load %halo[%c0] : memref<4xf32>
//!   return %y : f32
//! }
//! ```
//!
//! Only waits for a transfer that the same block starts move, and only within it. What they move past does not free the
//! buffer, does not write it, and does not read it if it is received; so all that the transfer and others see of it stays
//! the same. A later wait cannot make processes wait for each other for ever: what this one gives to others, it gave when
//! the transfer was started, and operations that block go on with all transfers.

use freehold_frontend::dialects::mpi;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::effects::{EffectKind, Resource};
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::interfaces::Request;
use freehold_frontend::ir::op_def::Traits;

use crate::analysis::loop_memory::are_distinct;
use crate::manage::pass::{Anchor, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "delay-mpi-waits",
    summary: "move waits for transfers to where their buffers are needed",
    anchor: Anchor::Function,
    run: |ir, context| {
        let waits: Vec<Op> = ir
            .walk(ir.root())
            .filter(|&op| matches!(ir.request(op), Some(Request::Awaited(_))))
            .collect();
        let mut n_delayed = 0;
        // The last one first, so that those before can follow.
        for &wait in waits.iter().rev() {
            n_delayed += u64::from(delay(ir, wait));
        }
        context.count("waits delayed", n_delayed);
        Ok(())
    },
};

/// Moves a wait as far down as it may go; whether it moved.
fn delay(ir: &mut Ir, wait: Op) -> bool {
    let Some(Request::Awaited(request)) = ir.request(wait) else {
        return false;
    };
    let start = ir
        .defining_op(request)
        .filter(|&op| ir.block_of(op) == ir.block_of(wait));
    let Some(Request::Started {
        buffer, is_written, ..
    }) = start.and_then(|op| ir.request(op))
    else {
        return false;
    };
    let mut before = None;
    let mut next = ir.next_op(wait);
    while let Some(op) = next {
        before = Some(op);
        if !may_pass(ir, wait, op, buffer, is_written) {
            break;
        }
        next = ir.next_op(op);
    }
    match before.filter(|&op| ir.next_op(wait) != Some(op)) {
        Some(op) => {
            ir.move_op_before(wait, op);
            true
        }
        None => false,
    }
}

/// Whether `wait`, for a transfer with `buffer`, may come behind `op`, which follows it.
fn may_pass(ir: &Ir, wait: Op, op: Op, buffer: Value, is_written: bool) -> bool {
    let ends = ir.has_trait(op, Traits::TERMINATOR) || ir.is(op, &mpi::FINALIZE);
    let uses_result = ir
        .results(wait)
        .iter()
        .any(|&result| ir.uses(result).iter().any(|u| ir.is_ancestor(op, u.op)));
    if ends || uses_result || ir.def(op).is_unregistered() {
        return false;
    }
    ir.all_effects(op, &mut |inner, effect| {
        let Some(value) = effect.value else {
            // Other transfers have other buffers, or the program is wrong.
            return ir.def(inner).dialect() == "mpi" && !ir.is(inner, &mpi::FINALIZE)
                || effect.resource == Resource::Hint;
        };
        match effect.kind {
            EffectKind::Allocate => true,
            EffectKind::Read if !is_written => true,
            EffectKind::Read | EffectKind::Write | EffectKind::Free => {
                are_distinct(ir, value, buffer)
            }
        }
    })
}
