//! Loops that carry other values than they did.

use freehold_frontend::dialects::scf;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};

/// Inserts a loop like `op` that carries values which begin with these, and has no body yet.
pub(crate) fn build_like(b: &mut Builder<'_>, op: Op, inits: &[Value]) -> Op {
    let [lower, upper, step] = [0, 1, 2].map(|i| b.ir.operand(op, i));
    let new = scf::build_for(b, lower, upper, step, inits);
    let attrs = b.ir.attrs(op);
    b.ir.set_attrs(new, attrs);
    new
}

/// Moves the body of `old` to such a loop. What is carried at the same place takes the place of its uses, if there are
/// any left.
pub(crate) fn move_body(ir: &mut Ir, old: Op, new: Op) {
    let [from, to] = [old, new].map(|op| scf::For(op).body(ir));
    for i in 0..ir.block_args(from).len() {
        let (old, new) = (ir.block_args(from)[i], ir.block_args(to)[i]);
        if !ir.has_no_uses(old) {
            ir.replace_all_uses(old, new);
        }
    }
    ir.move_block_contents_to_end(from, to);
}
