//! `scf.forall` without outputs: constant bounds, and dimensions that run not
//! at all or once.

use smallvec::SmallVec;

use crate::dialects::arith;
use crate::dialects::shared::moves::{inline_block_before, retain_block_args};
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::interfaces::Bound;
use crate::ir::names::Name;
use crate::ir::op_def::Pattern;
use crate::ir::rewriter::Rewriter;
use crate::ir::types::DYNAMIC;

use super::super::forall::{BoundKind, Forall};
use super::trip_count::{constant_distance, zero_or_one};

pub(in super::super) const PATTERNS: &[Pattern] = &[
    Pattern {
        name: "ForallOpControlOperandsFolder",
        apply: fold_constant_bounds,
    },
    Pattern {
        name: "ForallOpSingleOrZeroIterationDimsFolder",
        apply: fold_trivial_dims,
    },
];

const KINDS: [BoundKind; 3] = [BoundKind::Lower, BoundKind::Upper, BoundKind::Step];

/// The number a bound is, if it is known.
fn constant(ir: &Ir, bound: Bound) -> Option<i64> {
    match bound {
        Bound::Constant(number) => Some(number),
        Bound::Value(value) => arith::as_constant_index(ir, value),
    }
}

/// Sets one list of bounds.
fn set_bounds(rewriter: &mut Rewriter<'_>, op: Op, kind: BoundKind, bounds: &[Bound]) {
    let mut statics = Vec::new();
    let mut dynamic: SmallVec<[Value; 4]> = SmallVec::new();
    for &bound in bounds {
        match bound {
            Bound::Constant(number) => statics.push(number),
            Bound::Value(value) => {
                statics.push(DYNAMIC);
                dynamic.push(value);
            }
        }
    }
    let attr = rewriter.ir.context().i64_array_attr(&statics);
    rewriter.set_operand_group(op, kind as usize, &dynamic);
    rewriter.set_attr(op, kind.attr_name(), attr);
}

/// Before: `scf.forall (%i) in (%c4)`
/// After:  `scf.forall (%i) in (4)`
fn fold_constant_bounds(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let mut changed = false;
    for kind in KINDS {
        let ir = &*rewriter.ir;
        let mut bounds = Forall(op).mixed(ir, kind);
        let mut folded = false;
        for bound in &mut bounds {
            if let Bound::Value(_) = bound
                && let Some(number) = constant(ir, *bound)
                && number != DYNAMIC
            {
                *bound = Bound::Constant(number);
                folded = true;
            }
        }
        if folded {
            set_bounds(rewriter, op, kind, &bounds);
            changed = true;
        }
    }
    changed
}

/// Before: `scf.forall (%i, %j) in (1, %n) { use(%i) }`
/// After:  `scf.forall (%j) in (%n) { use(%c0) }`
fn fold_trivial_dims(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let view = Forall(op);
    // A mapping speaks of all dimensions.
    if ir.has_attr(op, Name::MAPPING) {
        return false;
    }
    let bounds = KINDS.map(|kind| view.mixed(ir, kind));
    let mut keep = Vec::new();
    for (i, &lower) in bounds[0].iter().enumerate() {
        let distance = distance(ir, lower, bounds[1][i]);
        let step = constant(ir, bounds[2][i]).map(i128::from);
        match zero_or_one(distance, step) {
            Some(0) => {
                let outputs: SmallVec<[Value; 4]> = view.outputs(ir).into();
                rewriter.replace_op(op, &outputs);
                return true;
            }
            runs_once => keep.push(runs_once.is_none()),
        }
    }
    if keep.iter().all(|&keep| keep) || !view.outputs(ir).is_empty() {
        return false;
    }
    let body = view.body(ir);
    let mut values: SmallVec<[Value; 4]> = SmallVec::new();
    for (i, &lower) in bounds[0].iter().enumerate() {
        values.push(match lower {
            _ if keep[i] => rewriter.ir.block_args(body)[i],
            Bound::Value(value) => value,
            Bound::Constant(number) => {
                rewriter.build_before(op, |b| arith::constant_index(b, number))
            }
        });
    }
    if !keep.contains(&true) {
        let terminator = rewriter.ir.last_op(body).expect("a terminated block");
        rewriter.erase_op(terminator);
        inline_block_before(rewriter, body, op, &values);
        rewriter.erase_op(op);
        return true;
    }
    for (i, &value) in values.iter().enumerate() {
        let argument = rewriter.ir.block_args(body)[i];
        if argument != value {
            rewriter.replace_all_uses(argument, value);
        }
    }
    retain_block_args(rewriter, body, 0, &keep);
    for (kind, bounds) in KINDS.into_iter().zip(bounds) {
        let kept: Vec<Bound> = bounds
            .into_iter()
            .zip(&keep)
            .filter(|&(_, &keep)| keep)
            .map(|(bound, _)| bound)
            .collect();
        set_bounds(rewriter, op, kind, &kept);
    }
    true
}

fn distance(ir: &Ir, lower: Bound, upper: Bound) -> Option<i128> {
    if let (Bound::Value(lower), Bound::Value(upper)) = (lower, upper) {
        return constant_distance(ir, lower, upper);
    }
    let (lower, upper) = (constant(ir, lower)?, constant(ir, upper)?);
    Some(i128::from(upper) - i128::from(lower))
}
