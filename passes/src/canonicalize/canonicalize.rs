//! `canonicalize`: brings operations into their canonical form.
//!
//! Applies the folds and canonicalization patterns of every row together with
//! region simplification until nothing changes.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;

use super::region_simplify::{self, Level};
use crate::manage::pass::{Anchor, OptionDef, OptionKind, PassContext, PassDef};
use crate::rewrite::greedy::{self, Config};

const OPTIONS: &[OptionDef] = &[
    OptionDef {
        name: "max-iterations",
        kind: OptionKind::NATURAL_OR_NONE,
        default: "10",
        help: "how often patterns and region simplification alternate at most (-1: no limit)",
    },
    OptionDef {
        name: "max-num-rewrites",
        kind: OptionKind::NATURAL_OR_NONE,
        default: "-1",
        help: "rewrites per operation after which to stop (-1: a generous default)",
    },
    OptionDef {
        name: "region-simplify",
        kind: OptionKind::Choice(&["disabled", "normal", "aggressive"]),
        default: "normal",
        help: "remove dead blocks and arguments, merge equal blocks (aggressive: the same)",
    },
    OptionDef {
        name: "top-down",
        kind: OptionKind::Bool,
        default: "true",
        help: "accepted for compatibility; operations are always visited in textual order first",
    },
];

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "canonicalize",
    summary: "bring operations into canonical form: fold, simplify, remove what is dead",
    anchor: Anchor::Any,
    options: OPTIONS,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let max_iterations = match context.integer("max-iterations") {
        n if n < 0 => usize::MAX,
        n => n as usize,
    };
    let mut config = Config::default();
    if let n @ 0.. = context.integer("max-num-rewrites") {
        config.rewrites_per_op = n as usize;
    }
    let level = match context.text("region-simplify") {
        "disabled" => None,
        "aggressive" => Some(Level::Aggressive),
        _ => Some(Level::Normal),
    };
    for _ in 0..max_iterations {
        let outcome = greedy::run(ir, config);
        context.count("folded", outcome.folded);
        context.count("erased", outcome.erased);
        context.count("rewritten", outcome.rewritten);
        let simplified = level.is_some_and(|level| region_simplify::run(ir, level));
        if !simplified {
            break;
        }
    }
    Ok(())
}
