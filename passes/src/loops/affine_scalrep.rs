//! `affine-scalrep`: loads of what was stored or loaded before use that value; buffers that are only written go.
//!
//! Before:
//! ```mlir
//! affine.store %v, %m[%i] : memref<8xf32>
//! %w = affine.load %m[%i] : memref<8xf32>
//! ```
//! After: `%v` stands for `%w`.
//!
//! Looking backwards from a load, and out of the loops and conditions around it, nothing may write to its element: a loop
//! that is left behind may not write to that buffer at all.

use freehold_frontend::dialects::{affine, memref, scf};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};

use crate::analysis::affine_memory::{Access, may_write, subscripts};
use crate::analysis::loop_memory::is_alloc;
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "affine-scalrep",
    summary: "forward stores to loads, and drop buffers that are only written",
    anchor: Anchor::Function,
    run,
};

/// How many operations before a load are looked at: bounds compile time.
const MAX_STEPS: usize = 512;

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    // A checked run wants to see every access.
    if ir.context().keeps_memory_operations() {
        return Ok(());
    }
    let mut n_forwarded = 0;
    for op in ir.collect_ops(ir.root()) {
        if ir.is(op, &affine::LOAD)
            && let Some(value) = known_value(ir, op)
        {
            ir.replace_op(op, &[value]);
            n_forwarded += 1;
        }
    }
    for op in ir.collect_ops(ir.root()) {
        if !ir.is_erased(op) && is_alloc(ir, op) {
            erase_if_only_written(ir, op);
        }
    }
    context.count("loads replaced", n_forwarded);
    Ok(())
}

/// The value that the load `op` gives, if it was stored or loaded before.
fn known_value(ir: &Ir, op: Op) -> Option<Value> {
    let access = Access::of(ir, op)?;
    let place = subscripts(ir, op)?;
    let mut at = op;
    for _ in 0..ir.capped(MAX_STEPS) {
        let Some(before) = ir.prev_op(at) else {
            let parent = ir.parent_op(at).filter(|&parent| parent != ir.root())?;
            let is_condition = ir.is(parent, &affine::IF) || ir.is(parent, &scf::IF);
            let is_loop = ir.is(parent, &affine::FOR) || ir.is(parent, &scf::FOR);
            let may_look_further = is_condition || is_loop && !may_write(ir, parent, &access);
            if !may_look_further || ir.region_of(ir.block_of(at)?).is_none() {
                return None;
            }
            at = parent;
            continue;
        };
        if let Some(other) = Access::of(ir, before)
            && subscripts(ir, before).as_ref() == Some(&place)
        {
            return Some(match other.is_store {
                true => ir.operand(before, 0),
                false => ir.result(before, 0),
            });
        }
        if may_write(ir, before, &access) {
            return None;
        }
        at = before;
    }
    None
}

/// Erases an allocation that is only written to and freed, with all that does so.
fn erase_if_only_written(ir: &mut Ir, alloc: Op) {
    let buffer = ir.result(alloc, 0);
    let is_needless = |op: Op| {
        let is_store = Access::of(ir, op).is_some_and(|access| access.is_store);
        is_store && ir.operand(op, 0) != buffer || ir.is(op, &memref::DEALLOC)
    };
    let users: Vec<Op> = ir.uses(buffer).iter().map(|u| u.op).collect();
    if users.iter().all(|&user| is_needless(user)) {
        for user in users {
            if !ir.is_erased(user) {
                ir.erase_op(user);
            }
        }
        ir.erase_op(alloc);
    }
}
