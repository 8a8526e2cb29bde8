//! Two `scf.if` that become one: neighbours on one condition, and one that is
//! all there is in another.

use smallvec::SmallVec;

use crate::dialects::arith;
use crate::dialects::moves::{inline_block_at_end, replace_op_with_block};
use crate::ir::data::Ir;
use crate::ir::entities::{Block, Op, Value};
use crate::ir::rewriter::Rewriter;
use crate::ir::types::Type;

use super::super::{IF, If};
use super::if_op::negated;
use super::yielded;

/// Before: `%0 = scf.if %c { A; scf.yield %a } else { B; scf.yield %b }`
///         `%1 = scf.if %c { C; scf.yield %d } else { D; scf.yield %e }`
/// After:  `%0:2 = scf.if %c { A; C; scf.yield %a, %d } else { B; D; scf.yield %b, %e }`
pub(super) fn combine_ifs(rewriter: &mut Rewriter<'_>, next: Op) -> bool {
    let ir = &*rewriter.ir;
    let Some(prev) = ir.prev_op(next).filter(|&prev| ir.is(prev, &IF)) else {
        return false;
    };
    let (prev_condition, next_condition) = (If(prev).condition(ir), If(next).condition(ir));
    // The blocks of `next` that run when the condition of `prev` holds and
    // when it does not.
    let blocks = (Some(If(next).then_block(ir)), If(next).else_block(ir));
    let (next_then, next_else) = if prev_condition == next_condition {
        blocks
    } else if negated(ir, next_condition) == Some(prev_condition)
        || negated(ir, prev_condition) == Some(next_condition)
    {
        (blocks.1, blocks.0)
    } else {
        return false;
    };
    let all_yield = [If(prev), If(next)].iter().all(|view| {
        yielded(ir, view.then_yield(ir)).is_some()
            && view
                .else_yield(ir)
                .is_none_or(|terminator| yielded(ir, terminator).is_some())
    });
    if !all_yield {
        return false;
    }
    forward_results(rewriter, prev, next_then, next_else);
    append_block(rewriter, prev, 0, next_then);
    append_block(rewriter, prev, 1, next_else);
    let results: SmallVec<[Value; 4]> = rewriter.ir.results(next).into();
    let values: SmallVec<[Value; 4]> = results
        .iter()
        .map(|&result| {
            let ty = rewriter.ir.value_type(result);
            rewriter.ir.append_result(prev, ty)
        })
        .collect();
    rewriter.modified(prev);
    rewriter.replace_op(next, &values);
    true
}

/// Makes uses of results of `prev` in the given blocks of its neighbour use
/// what `prev` yields on that side.
fn forward_results(
    rewriter: &mut Rewriter<'_>,
    prev: Op,
    next_then: Option<Block>,
    next_else: Option<Block>,
) {
    let ir = &*rewriter.ir;
    let results: SmallVec<[Value; 4]> = ir.results(prev).into();
    let Some(else_yield) = If(prev).else_yield(ir) else {
        return;
    };
    let then_yield = If(prev).then_yield(ir);
    for (i, result) in results.into_iter().enumerate() {
        let ir = &*rewriter.ir;
        let sides = [
            (next_then, ir.operand(then_yield, i)),
            (next_else, ir.operand(else_yield, i)),
        ];
        let uses: SmallVec<[_; 8]> = ir.uses(result).into();
        for u in uses {
            let ir = &*rewriter.ir;
            let side = sides.iter().find(|(block, _)| {
                block.is_some_and(|block| ir.ancestor_in_block(u.op, block).is_some())
            });
            if let Some(&(_, value)) = side {
                rewriter.set_operand(u.op, u.index as usize, value);
            }
        }
    }
}

/// Moves `block`, which may be none, to the end of region `index` of `prev`
/// and yields what both yielded.
fn append_block(rewriter: &mut Rewriter<'_>, prev: Op, index: usize, block: Option<Block>) {
    let Some(block) = block else {
        return;
    };
    let region = rewriter.ir.region(prev, index);
    let Some(target) = rewriter.ir.entry_block(region) else {
        rewriter.ir.move_block_to_end(block, region);
        return;
    };
    let first_yield = rewriter.ir.last_op(target).expect("a terminated block");
    let second_yield = rewriter.ir.last_op(block).expect("a terminated block");
    let mut values: SmallVec<[Value; 4]> = rewriter.ir.operands(first_yield).into();
    values.extend_from_slice(rewriter.ir.operands(second_yield));
    rewriter.erase_op(first_yield);
    rewriter.set_operands(second_yield, &values);
    inline_block_at_end(rewriter, block, target, &[]);
}

/// Before: `scf.if %a { scf.if %b { A } }`
/// After:  `%c = arith.andi %a, %b; scf.if %c { A }`
///
/// With results, the else regions must only yield: where the outer yields a
/// result of the inner one, both else regions must agree; other results
/// become selects on the outer condition.
pub(super) fn combine_nested_ifs(rewriter: &mut Rewriter<'_>, outer: Op) -> bool {
    let ir = &*rewriter.ir;
    let Some(plan) = plan_nested(ir, outer) else {
        return false;
    };
    let Plan { inner, yields } = plan;
    let conditions = [If(outer).condition(ir), If(inner).condition(ir)];
    let else_values: SmallVec<[Value; 4]> = match If(outer).else_yield(ir) {
        Some(terminator) => ir.operands(terminator).into(),
        None => SmallVec::new(),
    };
    let outer_yield = If(outer).then_yield(ir);
    // The inner condition comes from outside: the inner operation is all
    // there is in the block around it.
    let condition = rewriter.value_before(outer, &arith::ANDI, &conditions, Type::I1);
    let mut values: SmallVec<[Value; 4]> = SmallVec::new();
    for (i, &value) in yields.iter().enumerate() {
        match value {
            Yielded::FromInner(value) => values.push(value),
            Yielded::FromOutside(value) => {
                let result = rewriter.ir.result(outer, i);
                let ty = rewriter.ir.value_type(result);
                let operands = [conditions[0], value, else_values[i]];
                let select = rewriter.value_before(outer, &arith::SELECT, &operands, ty);
                rewriter.replace_all_uses(result, select);
                values.push(value);
            }
        }
    }
    // The body of the inner one becomes that of the outer one.
    let body = If(inner).then_block(rewriter.ir);
    rewriter.set_operands(outer_yield, &values);
    replace_op_with_block(rewriter, inner, body, &[]);
    rewriter.set_operand(outer, 0, condition);
    true
}

#[derive(Clone, Copy)]
enum Yielded {
    /// What the inner operation yields if its condition holds.
    FromInner(Value),
    /// A value from outside of both.
    FromOutside(Value),
}

struct Plan {
    inner: Op,
    /// What the combined operation yields per result.
    yields: Vec<Yielded>,
}

fn plan_nested(ir: &Ir, outer: Op) -> Option<Plan> {
    let block = If(outer).then_block(ir);
    let inner = ir.first_op(block).filter(|&inner| ir.is(inner, &IF))?;
    let terminator = ir.next_op(inner)?;
    if ir.next_op(terminator).is_some() {
        return None;
    }
    let only_yields = |op: Op| {
        If(op)
            .else_block(ir)
            .is_none_or(|block| ir.first_op(block) == ir.last_op(block))
    };
    if !only_yields(outer) || !only_yields(inner) {
        return None;
    }
    let inner_then = yielded(ir, If(inner).then_yield(ir))?;
    let else_values = match If(outer).else_yield(ir) {
        Some(terminator) => yielded(ir, terminator)?,
        None => &[],
    };
    let mut yields = Vec::new();
    for (i, &value) in yielded(ir, terminator)?.iter().enumerate() {
        if ir.defining_op(value) == Some(inner) {
            let index = ir
                .results(inner)
                .iter()
                .position(|&result| result == value)?;
            let inner_else = yielded(ir, If(inner).else_yield(ir)?)?;
            if inner_else[index] != else_values[i] {
                return None;
            }
            yields.push(Yielded::FromInner(inner_then[index]));
        } else {
            yields.push(Yielded::FromOutside(value));
        }
    }
    Some(Plan { inner, yields })
}
