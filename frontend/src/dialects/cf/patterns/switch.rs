//! `cf.switch`

use smallvec::SmallVec;

use crate::dialects::arith;
use crate::ir::data::Ir;
use crate::ir::entities::{Block, Op, Value};
use crate::ir::op_def::Pattern;
use crate::ir::rewriter::Rewriter;

use super::super::{SWITCH, Switch, build_switch};
use super::pass_through::collapse;
use super::{Operands, replace_with_br_to, single_predecessor};

pub(in super::super) const PATTERNS: &[Pattern] = &[
    Pattern {
        name: "SimplifySwitchWithOnlyDefault",
        apply: fold_only_default,
    },
    Pattern {
        name: "DropSwitchCasesThatMatchDefault",
        apply: drop_cases_like_default,
    },
    Pattern {
        name: "SimplifyConstSwitchValue",
        apply: fold_constant_flag,
    },
    Pattern {
        name: "SimplifyPassThroughSwitch",
        apply: skip_pass_through,
    },
    Pattern {
        name: "SimplifySwitchFromSwitchOnSameCondition",
        apply: fold_known_flag,
    },
    Pattern {
        name: "SimplifySwitchFromDefaultSwitchOnSameCondition",
        apply: drop_excluded_cases,
    },
];

type Case = (i128, Block, Operands);

/// The cases of a switch.
fn cases(ir: &Ir, op: Op) -> Vec<Case> {
    let view = Switch(op);
    view.case_values(ir)
        .into_iter()
        .zip(view.case_dests(ir))
        .zip(view.all_case_operands(ir))
        .map(|((value, &dest), operands)| (value, dest, operands.into()))
        .collect()
}

/// Replaces a switch by one on the same flag.
fn replace_switch(rewriter: &mut Rewriter<'_>, op: Op, default: (Block, &[Value]), cases: &[Case]) {
    let flag = Switch(op).flag(rewriter.ir);
    let cases: Vec<(i128, Block, &[Value])> = cases
        .iter()
        .map(|(value, dest, operands)| (*value, *dest, &operands[..]))
        .collect();
    rewriter.build_before(op, |builder| build_switch(builder, flag, default, &cases));
    rewriter.erase_op(op);
}

/// Keeps only some of the cases.
fn retain_cases(rewriter: &mut Rewriter<'_>, op: Op, keep: impl Fn(&Case) -> bool) -> bool {
    let ir = &*rewriter.ir;
    let mut cases = cases(ir, op);
    let n_cases = cases.len();
    cases.retain(keep);
    if cases.len() == n_cases {
        return false;
    }
    let dest = Switch(op).default_dest(ir);
    let operands: Operands = Switch(op).default_operands(ir).into();
    replace_switch(rewriter, op, (dest, &operands), &cases);
    true
}

/// The successor that a switch takes for a flag of this value.
fn successor_for(ir: &Ir, op: Op, value: i128) -> usize {
    let values = Switch(op).case_values(ir);
    values
        .iter()
        .position(|&case| case == value)
        .map_or(0, |case| case + 1)
}

/// Before: `cf.switch %f, [default: ^bb1(%x)]`
/// After:  `cf.br ^bb1(%x)`
fn fold_only_default(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    if !Switch(op).case_dests(rewriter.ir).is_empty() {
        return false;
    }
    replace_with_br_to(rewriter, op, 0);
    true
}

/// Before: `cf.switch %f, [default: ^bb1(%x), 1: ^bb1(%x), 2: ^bb2]`
/// After:  `cf.switch %f, [default: ^bb1(%x), 2: ^bb2]`
fn drop_cases_like_default(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let dest = Switch(op).default_dest(ir);
    let operands: Operands = Switch(op).default_operands(ir).into();
    retain_cases(rewriter, op, |case| case.1 != dest || case.2 != operands)
}

/// Before: `cf.switch %c1, [default: ^bb1, 1: ^bb2]`
/// After:  `cf.br ^bb2`
fn fold_constant_flag(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let Some(value) = arith::as_constant_int(ir, Switch(op).flag(ir)) else {
        return false;
    };
    let index = successor_for(ir, op, value);
    replace_with_br_to(rewriter, op, index);
    true
}

/// Before: `cf.switch %f, [default: ^bb1, 1: ^bb2] ^bb2: cf.br ^bb3`
/// After:  `cf.switch %f, [default: ^bb1, 1: ^bb3]`
fn skip_pass_through(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let view = Switch(op);
    let dest = view.default_dest(ir);
    let operands: Operands = view.default_operands(ir).into();
    let cases = cases(ir, op);
    let mut changed = false;
    let mut skip = |dest: Block, operands: Operands| match collapse(rewriter, dest, &operands) {
        Some(further) => {
            changed = true;
            further
        }
        None => (dest, operands),
    };
    let (dest, operands) = skip(dest, operands);
    let cases: Vec<Case> = cases
        .into_iter()
        .map(|(value, dest, operands)| {
            let (dest, operands) = skip(dest, operands);
            (value, dest, operands)
        })
        .collect();
    if changed {
        replace_switch(rewriter, op, (dest, &operands), &cases);
    }
    changed
}

/// The switch on the same flag that alone leads to the block of `op`.
fn switch_before(ir: &Ir, op: Op) -> Option<(Op, Block)> {
    let block = ir.block_of(op)?;
    let predecessor = single_predecessor(ir, block)
        .filter(|&predecessor| predecessor != op && ir.is(predecessor, &SWITCH))?;
    (Switch(op).flag(ir) == Switch(predecessor).flag(ir)).then_some((predecessor, block))
}

/// Before: `cf.switch %f, [default: ^bb1, 1: ^bb2] ^bb2: cf.switch %f, [default: ^bb3, 1: ^bb4]`
/// After:  `cf.switch %f, [default: ^bb1, 1: ^bb2] ^bb2: cf.br ^bb4`
fn fold_known_flag(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let Some((before, block)) = switch_before(ir, op) else {
        return false;
    };
    let case = Switch(before)
        .case_dests(ir)
        .iter()
        .position(|&dest| dest == block);
    let value = case.and_then(|case| Switch(before).case_values(ir).get(case).copied());
    let Some(value) = value else {
        return false;
    };
    let index = successor_for(ir, op, value);
    replace_with_br_to(rewriter, op, index);
    true
}

/// Before: `cf.switch %f, [default: ^bb1, 1: ^bb2] ^bb1: cf.switch %f, [default: ^bb3, 1: ^bb4]`
/// After:  `cf.switch %f, [default: ^bb1, 1: ^bb2] ^bb1: cf.switch %f, [default: ^bb3]`
fn drop_excluded_cases(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let Some((before, block)) = switch_before(ir, op) else {
        return false;
    };
    if Switch(before).default_dest(ir) != block {
        return false;
    }
    let mut excluded: SmallVec<[i128; 8]> = Switch(before).case_values(ir).into();
    excluded.sort_unstable();
    retain_cases(rewriter, op, |case| {
        excluded.binary_search(&case.0).is_err()
    })
}
