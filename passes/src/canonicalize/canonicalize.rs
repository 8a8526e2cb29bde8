//! `canonicalize`: brings operations into their canonical form.
//!
//! Applies the folds and canonicalization patterns of every row together with
//! region simplification until nothing changes.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;

use super::region_simplify::{self, Level};
use crate::manage::options::{option_words, pass_options};
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::greedy::{self, Config};

option_words! {
    /// Treatment of blocks.
    pub enum RegionSimplify {
        /// Nothing.
        Disabled = "disabled",
        /// See [`region_simplify`].
        Normal = "normal",
        /// The same.
        Aggressive = "aggressive",
    }
}

// As upstream has it.
pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// how often patterns and region simplification alternate at most (-1: no limit)
        "max-iterations" max_iterations: Option<u64> = Some(10),
        /// rewrites per operation after which to stop (-1: a generous default)
        "max-num-rewrites" max_num_rewrites: Option<u64> = None,
        /// remove dead blocks and arguments, merge equal blocks (aggressive: the same)
        "region-simplify" region_simplify: RegionSimplify = RegionSimplify::Normal,
        /// accepted for compatibility; operations are always visited in textual order first
        "top-down" top_down: bool = true,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "canonicalize",
    summary: "canonicalize: fold, simplify and remove dead operations",
    anchor: Anchor::Any,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let max_iterations = context.options.max_iterations.unwrap_or(u64::MAX);
    let mut config = Config::default();
    if let Some(limit) = context.options.max_num_rewrites {
        config.rewrites_per_op = usize::try_from(limit).unwrap_or(usize::MAX);
    }
    let level = match context.options.region_simplify {
        RegionSimplify::Disabled => None,
        RegionSimplify::Normal => Some(Level::Normal),
        RegionSimplify::Aggressive => Some(Level::Aggressive),
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
