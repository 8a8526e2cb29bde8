//! Loops in branches: what runs if buffers do not overlap, and what runs else.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::{arith, scf};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::types::Type;

use super::marks::disjoint_name;
use crate::analysis::loop_memory::{self, Pairs};
use crate::rewrite::carried;

/// Computes whether the new loop may run: nothing overlaps, and there is an iteration. `None` if
/// that is certain.
pub(super) fn build_guard(ir: &mut Ir, op: Op, pairs: &Pairs) -> Option<Value> {
    let (lower, upper) = (ir.operand(op, 0), ir.operand(op, 1));
    let bounds = [lower, upper].map(|bound| arith::as_constant_index(ir, bound));
    let mut builder = Builder::before(ir, op);
    let disjoint = loop_memory::build_disjoint(&mut builder, pairs);
    if matches!(bounds, [Some(lower), Some(upper)] if lower < upper) {
        return disjoint;
    }
    let runs = arith::compare(&mut builder, CmpIPredicate::Slt, lower, upper);
    Some(match disjoint {
        Some(disjoint) => builder.value(&arith::ANDI, &[runs, disjoint], Type::I1),
        None => runs,
    })
}

/// Moves the loop into the first branch of a new `scf.if`. In the second one are `others`, loops that
/// stand nowhere yet and have the same results together; if there are none, the loop does not run
/// there. Returns the loop in the first branch.
pub(super) fn build_branches(ir: &mut Ir, op: Op, guard: Value, others: &[Op]) -> Op {
    let results: Vec<Value> = ir.results(op).to_vec();
    let types: Vec<Type> = results.iter().map(|&v| ir.value_type(v)).collect();
    let with_else = !others.is_empty() || !types.is_empty();
    let mut builder = Builder::before(ir, op);
    let branches = scf::build_if(&mut builder, guard, &types, with_else);
    for (i, &result) in results.iter().enumerate() {
        let new = ir.result(branches, i);
        ir.replace_all_uses(result, new);
    }
    if with_else {
        let values: Vec<Value> = match others {
            [] => ir.operands(op)[3..].to_vec(),
            _ => others
                .iter()
                .flat_map(|&op| ir.results(op))
                .copied()
                .collect(),
        };
        let block = scf::If(branches).else_block(ir);
        let block = block.expect("it was asked for");
        fill_branch(ir, block, others, &values);
    }
    ir.detach_op(op);
    let block = scf::If(branches).then_block(ir);
    fill_branch(ir, block, &[op], &results);
    let name = disjoint_name(ir);
    ir.set_attr(op, name, Attr::UNIT);
    op
}

/// Puts operations into an empty branch, and a terminator if it has none.
fn fill_branch(ir: &mut Ir, block: Block, ops: &[Op], values: &[Value]) {
    for &op in ops.iter().rev() {
        ir.prepend_op(block, op);
    }
    if !values.is_empty() {
        let mut builder = Builder::at_end(ir, block);
        scf::build_yield(&mut builder, values);
    }
}

/// Makes a loop carry more values, which begin with `inits`. What they are in the next iteration the
/// caller must add to the terminator. Returns the loop that replaces `op`.
pub(super) fn carry_more(ir: &mut Ir, op: Op, inits: &[Value]) -> Op {
    let inits: Vec<Value> = ir.operands(op)[3..].iter().chain(inits).copied().collect();
    let new = carried::build_like(&mut Builder::before(ir, op), op, &inits);
    carried::move_body(ir, op, new);
    let n = ir.results(op).len();
    let results: Vec<Value> = ir.results(new)[..n].to_vec();
    ir.replace_op(op, &results);
    new
}
