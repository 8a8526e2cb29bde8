//! `scf.if` on its own: known conditions, results that are not needed or need
//! no region. What combines two of them is in [`super::if_combine`].

use smallvec::SmallVec;

use crate::dialects::arith;
use crate::dialects::shared::moves::{
    erase_empty_block, replace_op_with_block, retain_operands, retain_results, used_results,
};
use crate::ir::data::Ir;
use crate::ir::entities::{Block, Op, Use, Value};
use crate::ir::op_def::Pattern;
use crate::ir::rewriter::Rewriter;
use crate::ir::types::Type;

use super::super::If;
use super::if_combine::{combine_ifs, combine_nested_ifs};
use super::yielded;

pub(in super::super) const PATTERNS: &[Pattern] = &[
    Pattern {
        name: "RemoveStaticCondition",
        apply: remove_static_condition,
    },
    Pattern {
        name: "InvertCondition",
        apply: invert_condition,
    },
    Pattern {
        name: "CombineIfs",
        apply: combine_ifs,
    },
    Pattern {
        name: "CombineNestedIfs",
        apply: combine_nested_ifs,
    },
    Pattern {
        name: "ConditionPropagation",
        apply: propagate_condition,
    },
    Pattern {
        name: "ConvertTrivialIfToSelect",
        apply: convert_trivial_if_to_select,
    },
    Pattern {
        name: "RemoveEmptyElseBranch",
        apply: remove_empty_else,
    },
    Pattern {
        name: "RemoveUnusedResults",
        apply: remove_unused_results,
    },
    Pattern {
        name: "ReplaceIfYieldWithConditionOrValue",
        apply: replace_yield_with_condition_or_value,
    },
];

/// How many uses of a condition are looked at one by one; from there on the
/// regions are searched instead, so that thousands of branches on one
/// condition do not each look at all of its uses.
const FEW_USES: usize = 32;

/// Both yields of an `scf.if` with an else region.
pub(super) fn both_yields(ir: &Ir, op: Op) -> Option<(Op, Op)> {
    let view = If(op);
    let pair = (view.then_yield(ir), view.else_yield(ir)?);
    (yielded(ir, pair.0).is_some() && yielded(ir, pair.1).is_some()).then_some(pair)
}

/// The value that `value` is the negation of: `arith.xori %x, true`.
pub(super) fn negated(ir: &Ir, value: Value) -> Option<Value> {
    let xor = ir.defined_by(value, &arith::XORI)?;
    (arith::as_constant_bool(ir, ir.operand(xor, 1)) == Some(true)).then(|| ir.operand(xor, 0))
}

/// Before: `scf.if %true { A } else { B }`
/// After:  `A`
fn remove_static_condition(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let view = If(op);
    let Some(condition) = arith::as_constant_bool(ir, view.condition(ir)) else {
        return false;
    };
    let block = match condition {
        true => Some(view.then_block(ir)),
        false => view.else_block(ir),
    };
    match block {
        Some(block) => replace_op_with_block(rewriter, op, block, &[]),
        None => rewriter.erase_op(op),
    }
    true
}

/// Before: `%n = arith.xori %c, %true; scf.if %n { A } else { B }`
/// After:  `scf.if %c { B } else { A }`
fn invert_condition(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let view = If(op);
    let (Some(else_block), Some(condition)) =
        (view.else_block(ir), negated(ir, view.condition(ir)))
    else {
        return false;
    };
    let then_block = view.then_block(ir);
    let (then_region, else_region) = (ir.region(op, 0), ir.region(op, 1));
    rewriter.ir.move_block_to_end(else_block, then_region);
    rewriter.ir.move_block_to_end(then_block, else_region);
    rewriter.set_operand(op, 0, condition);
    true
}

/// Before: `scf.if %c { use(%c) } else { use(%c) }`
/// After:  `scf.if %c { use(%true) } else { use(%false) }`
fn propagate_condition(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let condition = If(op).condition(ir);
    if arith::as_constant_attr(ir, condition).is_some() {
        return false;
    }
    let mut changed = false;
    for (index, value) in [(0, true), (1, false)] {
        let Some(block) = rewriter.ir.entry_block(rewriter.ir.region(op, index)) else {
            continue;
        };
        let uses = uses_inside(rewriter.ir, condition, block);
        if uses.is_empty() {
            continue;
        }
        let constant = rewriter.build_before(op, |b| arith::constant_bool(b, value));
        for u in uses {
            rewriter.set_operand(u.op, u.index as usize, constant);
        }
        changed = true;
    }
    changed
}

/// The uses of `value` in `block` and in what it holds.
fn uses_inside(ir: &Ir, value: Value, block: Block) -> Vec<Use> {
    let uses = ir.uses(value);
    if uses.len() <= FEW_USES {
        let is_inside = |u: &&Use| ir.ancestor_in_block(u.op, block).is_some();
        return uses.iter().filter(is_inside).copied().collect();
    }
    let mut found = Vec::new();
    for op in ir.ops_in(block).flat_map(|op| ir.walk(op)) {
        for (index, &operand) in ir.operands(op).iter().enumerate() {
            if operand == value {
                let index = index as u32;
                found.push(Use { op, index });
            }
        }
    }
    found
}

/// Results that both regions take from outside become selects.
///
/// Before: `%0 = scf.if %c -> i32 { scf.yield %a } else { scf.yield %b }`
/// After:  `%0 = arith.select %c, %a, %b`
fn convert_trivial_if_to_select(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let view = If(op);
    let Some((then_yield, else_yield)) = both_yields(ir, op) else {
        return false;
    };
    let (then_block, else_block) = (ir.block_of(then_yield), ir.block_of(else_yield));
    let pairs: Vec<(Value, Value)> = ir
        .operands(then_yield)
        .iter()
        .copied()
        .zip(ir.operands(else_yield).iter().copied())
        .collect();
    let keep: Vec<bool> = pairs
        .iter()
        .map(|&(on_true, on_false)| {
            ir.value_block(on_true) == then_block || ir.value_block(on_false) == else_block
        })
        .collect();
    if keep.iter().all(|&keep| keep) {
        return false;
    }
    let condition = view.condition(ir);
    for (i, &(on_true, on_false)) in pairs.iter().enumerate() {
        if keep[i] {
            continue;
        }
        let result = rewriter.ir.result(op, i);
        let value = if on_true == on_false {
            on_true
        } else {
            let ty = rewriter.ir.value_type(result);
            rewriter.value_before(op, &arith::SELECT, &[condition, on_true, on_false], ty)
        };
        rewriter.replace_all_uses(result, value);
    }
    drop_results(rewriter, op, (then_yield, else_yield), &keep);
    true
}

/// Keeps only the marked results of `op`, and the values yielded for them.
fn drop_results(rewriter: &mut Rewriter<'_>, op: Op, yields: (Op, Op), keep: &[bool]) {
    retain_operands(rewriter, yields.0, 0, keep);
    retain_operands(rewriter, yields.1, 0, keep);
    retain_results(rewriter, op, keep);
}

/// Before: `scf.if %c { A } else { }`
/// After:  `scf.if %c { A }`
fn remove_empty_else(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let Some(else_block) = If(op).else_block(ir) else {
        return false;
    };
    if !ir.results(op).is_empty() || ir.first_op(else_block) != ir.last_op(else_block) {
        return false;
    }
    if let Some(terminator) = ir.first_op(else_block) {
        rewriter.erase_op(terminator);
    }
    erase_empty_block(rewriter, else_block);
    rewriter.modified(op);
    true
}

/// Before: `%0:2 = scf.if %c { scf.yield %a, %b } else { ... }`, %0#1 unused
/// After:  `%0 = scf.if %c { scf.yield %a } else { ... }`
fn remove_unused_results(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let Some(keep) = used_results(ir, op) else {
        return false;
    };
    let Some(yields) = both_yields(ir, op) else {
        return false;
    };
    drop_results(rewriter, op, yields, &keep);
    true
}

/// Results that are the condition, its negation, or one value either way.
///
/// Before: `%0:2 = scf.if %c { scf.yield %true, %x } else { scf.yield %false, %x }`
/// After:  %0#0 is %c, %0#1 is %x
fn replace_yield_with_condition_or_value(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let Some((then_yield, else_yield)) = both_yields(ir, op) else {
        return false;
    };
    let condition = If(op).condition(ir);
    let mut changed = false;
    let results: SmallVec<[Value; 4]> = ir.results(op).into();
    for (i, result) in results.into_iter().enumerate() {
        let ir = &*rewriter.ir;
        if ir.has_no_uses(result) {
            continue;
        }
        let (on_true, on_false) = (ir.operand(then_yield, i), ir.operand(else_yield, i));
        let constant = |value| arith::as_constant_bool(ir, value);
        let value = if on_true == on_false {
            on_true
        } else {
            match (constant(on_true), constant(on_false)) {
                (Some(true), Some(false)) => condition,
                (Some(false), Some(true)) => rewriter.build_before(op, |b| {
                    let all_ones = arith::constant_bool(b, true);
                    b.value(&arith::XORI, &[condition, all_ones], Type::I1)
                }),
                _ => continue,
            }
        };
        rewriter.replace_all_uses(result, value);
        changed = true;
    }
    changed
}
