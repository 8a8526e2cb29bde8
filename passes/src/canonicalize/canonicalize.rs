//! `canonicalize`: brings operations into their canonical form.
//!
//! Applies the folds and canonicalization patterns of every row together with
//! region simplification until nothing changes.

use freehold_frontend::ir::builtin;
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
        /// apply none of these patterns, by name (affine-for-bounds)
        "disable-patterns" disable_patterns: Vec<String> = Vec::new(),
        /// apply only these patterns, by name; folds always apply
        "enable-patterns" enable_patterns: Vec<String> = Vec::new(),
        /// how often patterns and region simplification alternate at most (-1: no limit)
        "max-iterations" max_iterations: Option<u64> = Some(10),
        /// rewrites per operation after which to stop (-1: a generous default)
        "max-num-rewrites" max_num_rewrites: Option<u64> = None,
        /// remove dead blocks and arguments, merge equal blocks (aggressive: the same)
        "region-simplify" region_simplify: RegionSimplify = RegionSimplify::Normal,
        /// fail if the function still changes after the last iteration
        "test-convergence" test_convergence: bool = false,
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
    let options = context.options;
    let known = |name: &String| {
        let mut ops = ir
            .context()
            .dialects()
            .iter()
            .flat_map(|dialect| dialect.ops);
        ops.any(|def| def.canonicalize.iter().any(|pattern| pattern.name == name))
    };
    let mut names = options
        .disable_patterns
        .iter()
        .chain(&options.enable_patterns);
    // Once, of the module and not of its functions.
    let is_module = ir.is(ir.root(), &builtin::MODULE);
    if let Some(name) = names.find(|name| is_module && !known(name)) {
        let message = format!("there is no canonicalization pattern '{name}'");
        context.diagnostics.warning(ir.loc(ir.root()), message);
    }
    let mut config = Config {
        enabled: &options.enable_patterns,
        disabled: &options.disable_patterns,
        ..Config::default()
    };
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
            return Ok(());
        }
    }
    match options.test_convergence {
        true => {
            let message = "'canonicalize' does not converge within 'max-iterations'";
            Err(context.diagnostics.error(ir.loc(ir.root()), message))
        }
        false => Ok(()),
    }
}

/// Brings a function into canonical form, with default options.
pub(super) fn simplify(ir: &mut Ir) {
    for _ in 0..10 {
        greedy::run(ir, Config::default());
        if !region_simplify::run(ir, Level::Normal) {
            break;
        }
    }
}
