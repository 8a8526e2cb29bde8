//! `scf.for`: loop-carried values that do not change, and loops that run not
//! at all, once, or to no effect.

use smallvec::SmallVec;

use crate::dialects::arith;
use crate::dialects::shared::moves::{
    replace_op_with_block, retain_block_args, retain_operands, retain_results,
};
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::op_def::Pattern;
use crate::ir::rewriter::Rewriter;

use super::super::For;
use super::trip_count::{constant_distance, zero_or_one};
use super::yielded;

pub(in super::super) const PATTERNS: &[Pattern] = &[
    Pattern {
        name: "ForOpIterArgsFolder",
        apply: fold_iter_args,
    },
    Pattern {
        name: "SimplifyTrivialLoops",
        apply: simplify_trivial_loop,
    },
];

/// Before: `%0:2 = scf.for iter_args(%a = %x, %b = %y) { ... scf.yield %a, %n }`
/// After:  `%0 = scf.for iter_args(%b = %y) { ... scf.yield %n }`, %0#0 is %x
fn fold_iter_args(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let view = For(op);
    let terminator = view.yield_op(ir);
    let Some(yields) = yielded(ir, terminator) else {
        return false;
    };
    let mut keep = Vec::new();
    let mut replacements: SmallVec<[(Value, Value); 4]> = SmallVec::new();
    for (i, &init) in view.init_args(ir).iter().enumerate() {
        let (argument, result) = (view.iter_args(ir)[i], ir.result(op, i));
        // It yields itself; or it is not looked at and either ends as it
        // began, or its end is not looked at either.
        let forwarded = argument == yields[i]
            || (ir.has_no_uses(argument) && (init == yields[i] || ir.has_no_uses(result)));
        keep.push(!forwarded);
        if forwarded {
            replacements.extend([(argument, init), (result, init)]);
        }
    }
    if replacements.is_empty() {
        return false;
    }
    let body = view.body(ir);
    for (value, init) in replacements {
        rewriter.replace_all_uses(value, init);
    }
    retain_operands(rewriter, terminator, 0, &keep);
    retain_block_args(rewriter, body, 1, &keep);
    retain_operands(rewriter, op, 3, &keep);
    retain_results(rewriter, op, &keep);
    true
}

/// Before: `%0 = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %x) { A; scf.yield %n }`
/// After:  `A`, %0 is %n, %i is %c0, %a is %x
fn simplify_trivial_loop(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let view = For(op);
    let (lower, upper) = (view.lower_bound(ir), view.upper_bound(ir));
    let distance = constant_distance(ir, lower, upper);
    let step = arith::as_constant_int(ir, view.step(ir));
    match zero_or_one(distance, step) {
        Some(0) => {
            let inits: SmallVec<[Value; 4]> = view.init_args(ir).into();
            rewriter.replace_op(op, &inits);
            true
        }
        Some(_) => {
            let mut values: SmallVec<[Value; 8]> = SmallVec::new();
            values.push(lower);
            values.extend_from_slice(view.init_args(ir));
            let body = view.body(ir);
            replace_op_with_block(rewriter, op, body, &values);
            true
        }
        None => {
            let runs =
                distance.is_some_and(|distance| distance > 0) && step.is_some_and(|step| step > 0);
            runs && replace_empty_loop(rewriter, op)
        }
    }
}

/// Replaces a loop that runs, but whose body only yields values from outside.
fn replace_empty_loop(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let view = For(op);
    let terminator = view.yield_op(ir);
    let body = view.body(ir);
    if ir.first_op(body) != Some(terminator) {
        return false;
    }
    let values: SmallVec<[Value; 4]> = ir.operands(terminator).into();
    if values.iter().any(|&value| is_defined_in(ir, value, body)) {
        return false;
    }
    rewriter.replace_op(op, &values);
    true
}

fn is_defined_in(ir: &Ir, value: Value, block: crate::ir::entities::Block) -> bool {
    ir.value_block(value) == Some(block)
}
