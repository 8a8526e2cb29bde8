//! Two `scf.if` that become one: neighbours on one condition, and one that is
//! all there is in another.

use smallvec::SmallVec;

use crate::dialects::arith;
use crate::dialects::shared::moves::{inline_block_before, replace_op_with_block};
use crate::ir::data::Ir;
use crate::ir::entities::{Block, Op, Value, ValueDef};
use crate::ir::rewriter::Rewriter;
use crate::ir::types::Type;

use super::super::{IF, If};
use super::if_op::negated;
use super::yielded;

/// Before: `%0 = scf.if %c { A; scf.yield %a } else { B; scf.yield %b }`
///         `%1 = scf.if %c { C; scf.yield %d } else { D; scf.yield %e }`
/// After:  `%0:2 = scf.if %c { A; C; scf.yield %a, %d } else { B; D; scf.yield %b, %e }`
///
/// A whole run of them is combined into the first one at once, so that no
/// operation moves more than once.
pub(super) fn combine_ifs(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let mut head = op;
    while let Some(prev) = rewriter.ir.prev_op(head)
        && sides(rewriter.ir, prev, head).is_some()
    {
        head = prev;
    }
    let mut changed = false;
    while let Some(next) = rewriter.ir.next_op(head)
        && let Some(sides) = sides(rewriter.ir, head, next)
    {
        absorb(rewriter, head, next, sides);
        changed = true;
    }
    if changed {
        rewriter.modified(head);
    }
    changed
}

/// The blocks of `next` that run when the condition of `head` holds, and when
/// it does not, if one condition decides over both.
fn sides(ir: &Ir, head: Op, next: Op) -> Option<[Option<Block>; 2]> {
    if !ir.is(head, &IF) || !ir.is(next, &IF) {
        return None;
    }
    let (first, second) = (If(head).condition(ir), If(next).condition(ir));
    let (then_block, else_block) = (Some(If(next).then_block(ir)), If(next).else_block(ir));
    let sides = if first == second {
        [then_block, else_block]
    } else if negated(ir, second) == Some(first) || negated(ir, first) == Some(second) {
        [else_block, then_block]
    } else {
        return None;
    };
    let all_yield = [If(head), If(next)].iter().all(|view| {
        yielded(ir, view.then_yield(ir)).is_some()
            && view
                .else_yield(ir)
                .is_none_or(|terminator| yielded(ir, terminator).is_some())
    });
    all_yield.then_some(sides)
}

/// Moves the regions of `next` to the ends of those of `head`, before it.
fn absorb(rewriter: &mut Rewriter<'_>, head: Op, next: Op, sides: [Option<Block>; 2]) {
    for (index, side) in sides.into_iter().enumerate() {
        let Some(block) = side else {
            continue;
        };
        let region = rewriter.ir.region(head, index);
        let Some(target) = rewriter.ir.entry_block(region) else {
            // Nothing was to do on this side, and so `head` has no results.
            rewriter.ir.move_block_to_end(block, region);
            continue;
        };
        let head_yield = rewriter.ir.last_op(target).expect("a terminated block");
        forward_results(rewriter, head, head_yield, block);
        let next_yield = rewriter.ir.last_op(block).expect("a terminated block");
        let values: SmallVec<[Value; 4]> = rewriter.ir.operands(next_yield).into();
        rewriter.erase_op(next_yield);
        inline_block_before(rewriter, block, head_yield, &[]);
        let n_values = rewriter.ir.operands(head_yield).len();
        rewriter.ir.insert_operands(head_yield, n_values, &values);
        rewriter.modified(head_yield);
    }
    let results: SmallVec<[Value; 4]> = rewriter.ir.results(next).into();
    let values: SmallVec<[Value; 4]> = results
        .iter()
        .map(|&result| {
            let ty = rewriter.ir.value_type(result);
            rewriter.ir.append_result(head, ty)
        })
        .collect();
    rewriter.replace_op(next, &values);
}

/// Makes uses of results of `head` in `block` use what `head_yield` yields.
fn forward_results(rewriter: &mut Rewriter<'_>, head: Op, head_yield: Op, block: Block) {
    let ir = &*rewriter.ir;
    let mut uses: SmallVec<[(Op, usize, Value); 8]> = SmallVec::new();
    for op in ir.ops_in(block).flat_map(|op| ir.walk(op)) {
        for (i, &operand) in ir.operands(op).iter().enumerate() {
            if let ValueDef::Result(def, result) = ir.value_def(operand)
                && def == head
            {
                uses.push((op, i, ir.operand(head_yield, result as usize)));
            }
        }
    }
    for (op, i, value) in uses {
        rewriter.set_operand(op, i, value);
    }
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
