//! `hlo-split-alloc-tensors`: gives every use of a `bufferization.alloc_tensor`
//! an allocation of its own, right before it.
//!
//! Before:
//! ```mlir
//! %t = bufferization.alloc_tensor() : tensor<4xf32>
//! %a = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
//! %b = linalg.fill ins(%y : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
//! ```
//! After:
//! ```mlir
//! %t0 = bufferization.alloc_tensor() : tensor<4xf32>
//! %a = linalg.fill ins(%x : f32) outs(%t0 : tensor<4xf32>) -> tensor<4xf32>
//! %t1 = bufferization.alloc_tensor() : tensor<4xf32>
//! %b = linalg.fill ins(%y : f32) outs(%t1 : tensor<4xf32>) -> tensor<4xf32>
//! ```
//!
//! Bufferization would make one buffer of a shared tensor, which then lives
//! from its first use to its last. Buffers that live shorter can be reused.

use freehold_frontend::dialects::bufferization;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Use};
use smallvec::SmallVec;

use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "hlo-split-alloc-tensors",
    summary: "give each use of a bufferization.alloc_tensor its own allocation",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let mut pending: Vec<Op> = ir
        .walk(ir.root())
        .filter(|&op| ir.is(op, &bufferization::ALLOC_TENSOR))
        .collect();
    while let Some(op) = pending.pop() {
        if ir.is_erased(op) {
            continue;
        }
        let copied = bufferization::AllocTensor(op).copy(ir);
        context.count("allocations made", split(ir, op));
        // The copies of an allocation that copies another one share that one.
        pending.extend(copied.and_then(|value| ir.defined_by(value, &bufferization::ALLOC_TENSOR)));
    }
    Ok(())
}

/// Replaces `op` by a copy before each use; returns how many.
fn split(ir: &mut Ir, op: Op) -> u64 {
    let mut uses: SmallVec<[Use; 8]> = ir.uses(ir.result(op, 0)).iter().copied().collect();
    uses.sort_unstable_by_key(|u| (u.op, u.index));
    for u in &uses {
        let copy = ir.clone_op(op, &mut IrMap::default());
        ir.insert_op_before(u.op, copy);
        let result = ir.result(copy, 0);
        ir.set_operand(u.op, u.index as usize, result);
    }
    ir.erase_op(op);
    uses.len() as u64
}
