//! `scf.while`: values it carries without need.
//!
//! Values travel in a circle: the initial values and what the after region
//! yields become arguments of the before region; what `scf.condition` names
//! becomes arguments of the after region, and the results.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::dialects::shared::moves::{retain_block_args, retain_operands, retain_results};
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value, ValueDef};
use crate::ir::rewriter::Rewriter;

use super::super::{Condition, While};
use super::yielded;

/// Keeps only the marked initial values, with the before arguments and the
/// yielded values that go with them; the other arguments must be unused.
fn retain_carried(rewriter: &mut Rewriter<'_>, op: Op, keep: &[bool]) {
    let view = While(op);
    let (before, terminator) = (view.before_block(rewriter.ir), view.yield_op(rewriter.ir));
    retain_operands(rewriter, terminator, 0, keep);
    retain_block_args(rewriter, before, 0, keep);
    retain_operands(rewriter, op, 0, keep);
}

/// Keeps only the marked values of the condition, with the after arguments
/// and results that go with them; the others must be unused.
fn retain_forwarded(rewriter: &mut Rewriter<'_>, op: Op, keep: &[bool]) {
    let view = While(op);
    let (after, condition) = (
        view.after_block(rewriter.ir),
        view.condition_op(rewriter.ir),
    );
    retain_operands(rewriter, condition, 1, keep);
    retain_block_args(rewriter, after, 0, keep);
    retain_results(rewriter, op, keep);
}

/// Carried values that never change are used directly.
///
/// Before: `scf.while (%a = %x) { ...%a...; scf.condition(%c) %a } do { ^bb0(%b): scf.yield %b }`
/// After:  `scf.while { ...%x...; scf.condition(%c) %x } do { ^bb0(%b): scf.yield }`
pub(super) fn remove_invariant_args(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let view = While(op);
    let Some(yields) = yielded(ir, view.yield_op(ir)) else {
        return false;
    };
    let before: SmallVec<[Value; 8]> = ir.block_args(view.before_block(ir)).into();
    let inits: SmallVec<[Value; 8]> = view.inits(ir).into();
    let forwarded = Condition(view.condition_op(ir)).args(ir);
    let after_block = view.after_block(ir);
    let is_invariant = |i: usize| {
        if yields[i] == inits[i] {
            return true;
        }
        // It may go round through the after region.
        match ir.value_def(yields[i]) {
            ValueDef::Argument(block, k) if block == after_block => {
                let value = forwarded[k as usize];
                value == before[i] || value == inits[i]
            }
            _ => false,
        }
    };
    let keep: Vec<bool> = (0..inits.len()).map(|i| !is_invariant(i)).collect();
    if keep.iter().all(|&keep| keep) {
        return false;
    }
    for (i, _) in keep.iter().enumerate().filter(|&(_, &keep)| !keep) {
        rewriter.replace_all_uses(before[i], inits[i]);
    }
    retain_carried(rewriter, op, &keep);
    true
}

/// Values of the condition that come from outside are used directly.
///
/// Before: `%0 = scf.while { scf.condition(%c) %x } do { ^bb0(%b): use(%b) }`
/// After:  `scf.while { scf.condition(%c) } do { use(%x) }`, %0 is %x
pub(super) fn remove_invariant_results(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let view = While(op);
    let before = Some(view.before_block(ir));
    let forwarded: SmallVec<[Value; 8]> = Condition(view.condition_op(ir)).args(ir).into();
    let keep: Vec<bool> = forwarded
        .iter()
        .map(|&value| ir.value_block(value) == before)
        .collect();
    if keep.iter().all(|&keep| keep) {
        return false;
    }
    let after = view.after_block(ir);
    for (i, &value) in forwarded.iter().enumerate().filter(|&(i, _)| !keep[i]) {
        let argument = rewriter.ir.block_args(after)[i];
        rewriter.replace_all_uses(argument, value);
        let result = rewriter.ir.result(op, i);
        rewriter.replace_all_uses(result, value);
    }
    retain_forwarded(rewriter, op, &keep);
    true
}

/// Before: `%0:2 = scf.while { scf.condition(%c) %a, %b } do { ^bb0(%x, %y): use(%x) }`,
///         %0#1 and %y unused
/// After:  `%0 = scf.while { scf.condition(%c) %a } do { ^bb0(%x): use(%x) }`
pub(super) fn remove_unused_results(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let arguments = ir.block_args(While(op).after_block(ir));
    let keep: Vec<bool> = ir
        .results(op)
        .iter()
        .zip(arguments)
        .map(|(&result, &argument)| !ir.has_no_uses(result) || !ir.has_no_uses(argument))
        .collect();
    if keep.iter().all(|&keep| keep) {
        return false;
    }
    retain_forwarded(rewriter, op, &keep);
    true
}

/// Before: `scf.while (%a = %x, %b = %y) { use(%a) ... } do { scf.yield %m, %n }`
/// After:  `scf.while (%a = %x) { use(%a) ... } do { scf.yield %m }`
pub(super) fn remove_unused_args(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let view = While(op);
    if yielded(ir, view.yield_op(ir)).is_none() {
        return false;
    }
    let arguments = ir.block_args(view.before_block(ir));
    let keep: Vec<bool> = arguments.iter().map(|&v| !ir.has_no_uses(v)).collect();
    if keep.iter().all(|&keep| keep) {
        return false;
    }
    retain_carried(rewriter, op, &keep);
    true
}

/// Before: `%0:2 = scf.while { scf.condition(%c) %a, %a } do { ^bb0(%x, %y): ... }`
/// After:  `%0 = scf.while { scf.condition(%c) %a } do { ^bb0(%x): ... }`
pub(super) fn remove_duplicated_results(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let view = While(op);
    let after = view.after_block(ir);
    let mut first_of: FxHashMap<Value, usize> = FxHashMap::default();
    let mut keep = Vec::new();
    let mut duplicates = Vec::new();
    for (i, &value) in Condition(view.condition_op(ir)).args(ir).iter().enumerate() {
        let first = *first_of.entry(value).or_insert(i);
        keep.push(first == i);
        if first != i {
            duplicates.push((i, first));
        }
    }
    if duplicates.is_empty() {
        return false;
    }
    for (duplicate, first) in duplicates {
        let arguments = rewriter.ir.block_args(after);
        let (from, to) = (arguments[duplicate], arguments[first]);
        rewriter.replace_all_uses(from, to);
        let (from, to) = (
            rewriter.ir.result(op, duplicate),
            rewriter.ir.result(op, first),
        );
        rewriter.replace_all_uses(from, to);
    }
    retain_forwarded(rewriter, op, &keep);
    true
}

/// Values that the before region only hands on are handed on in its order.
///
/// Before: `%0:2 = scf.while (%a = ..., %b = ...) { scf.condition(%c) %b, %a } do { ^bb0(%x, %y): ... }`
/// After:  `%0:2 = scf.while (%a = ..., %b = ...) { scf.condition(%c) %a, %b } do { ^bb0(%y, %x): ... }`
pub(super) fn align_before_args(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let view = While(op);
    let Some(order) = permutation(ir, op) else {
        return false;
    };
    let condition = view.condition_op(ir);
    let after = view.after_block(ir);
    let before: SmallVec<[Value; 8]> = ir.block_args(view.before_block(ir)).into();
    let flag = Condition(condition).condition(ir);
    // The arguments and results to come get the types in the new order; then
    // each old one is replaced by the one at its new place.
    let n = order.len();
    for &value in &before {
        let ty = rewriter.ir.value_type(value);
        rewriter.ir.append_block_arg(after, ty);
        rewriter.ir.append_result(op, ty);
    }
    for (old, &new) in order.iter().enumerate() {
        let arguments = rewriter.ir.block_args(after);
        let (from, to) = (arguments[old], arguments[n + new]);
        rewriter.replace_all_uses(from, to);
        let (from, to) = (rewriter.ir.result(op, old), rewriter.ir.result(op, n + new));
        rewriter.replace_all_uses(from, to);
    }
    let mut operands: SmallVec<[Value; 8]> = SmallVec::new();
    operands.push(flag);
    operands.extend(before);
    rewriter.set_operands(condition, &operands);
    let keep: Vec<bool> = (0..2 * n).map(|i| i >= n).collect();
    retain_block_args(rewriter, after, 0, &keep);
    retain_results(rewriter, op, &keep);
    true
}

/// For each value of the condition the number of the before argument it is,
/// if they are all of these, each once, and not in order already.
fn permutation(ir: &Ir, op: Op) -> Option<Vec<usize>> {
    let view = While(op);
    let before_block = view.before_block(ir);
    let forwarded = Condition(view.condition_op(ir)).args(ir);
    if forwarded.len() != ir.block_args(before_block).len() {
        return None;
    }
    let mut taken = vec![false; forwarded.len()];
    let mut order = Vec::new();
    for &value in forwarded {
        match ir.value_def(value) {
            ValueDef::Argument(block, index) if block == before_block => {
                if std::mem::replace(&mut taken[index as usize], true) {
                    return None;
                }
                order.push(index as usize);
            }
            _ => return None,
        }
    }
    (!order.is_sorted()).then_some(order)
}
