//! `merge-alloc` (also `gc-merge-alloc`): one arena per scope instead of many allocations.
//!
//! Before:
//! ```mlir
//! func.func @f(%x: memref<64xf32>, %y: memref<64xf32>) {
//!   %a = memref.alloc() : memref<64xf32>
//!   memref.copy %x, %a : memref<64xf32> to memref<64xf32>
//!   memref.copy %a, %y : memref<64xf32> to memref<64xf32>
//!   %b = memref.alloc() : memref<32xf64>
//!   %c0 = arith.constant 0 : index
//!   %v = memref.load %b[%c0] : memref<32xf64>
//!   return
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%x: memref<64xf32>, %y: memref<64xf32>) {
//!   %arena = memref.alloc() {alignment = 64 : i64} : memref<256xi8>
//!   %o = arith.constant 0 : index
//!   %a = memref.view %arena[%o][] : memref<256xi8> to memref<64xf32>
//!   memref.copy %x, %a : memref<64xf32> to memref<64xf32>
//!   memref.copy %a, %y : memref<64xf32> to memref<64xf32>
//!   %p = arith.constant 0 : index
//!   %b = memref.view %arena[%p][] : memref<256xi8> to memref<32xf64>
//!   %c0 = arith.constant 0 : index
//!   %v = memref.load %b[%c0] : memref<32xf64>
//!   return
//! }
//! ```
//!
//! After the design of the pass of this name in graph-compiler, in four stages (see
//! [`stages`](super::stages)). It may run before a deallocation pass, which then frees the arena, or
//! after: deallocations of merged buffers go, and the arena is freed. Running it again changes
//! nothing.
//!
//! Soundness: see `lifetime` for when a buffer is live and
//! [`trace`] for which ones can be followed; plans are checked in debug builds.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::{Op, Value};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::NO_ARENA;
use super::exchanged;
use super::mark_allocation_free_calls::{LIBRARY, NO_HEAP};
use super::never_grow;
use super::stages::{Lifetime, MergeOptions, Schedule, ScopeTrace, Stages, Traces};
use super::{alias, mutate, schedule, trace};
use crate::manage::options::{OptionKind, OptionValue, pass_options, read_integer};
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::unreachable_blocks::erase_unreachable_blocks;
use freehold_planner::{NAMES, Planner, planner};

/// A number of bytes. No target has pages of more than 2^30; larger alignments are mistakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alignment(pub u64);

impl OptionValue for Alignment {
    const KIND: OptionKind = OptionKind::Integer {
        least: 1,
        most: 1 << 30,
    };

    fn read(text: &str) -> Option<Self> {
        let bytes = read_integer(Self::KIND, text)?;
        bytes.try_into().ok().map(Self)
    }

    fn text(&self) -> String {
        self.0.to_string()
    }
}

// The budget is a tenth of the planner's own: a function has many arenas, and 20,000 nodes are enough for
// rows B and C of "Memory planners" in benches/results. MLIR's allocations have an alignment of 64.
pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// annotate live ranges as attributes and change nothing else
        "analysis-only" analysis_only: bool = false,
        /// leave plans as attributes: of arenas their lower bounds, of views offset, bytes and live ranges
        "annotate-plan" annotate_plan: bool = false,
        /// how offsets are chosen: optimal (the default), cost-model, size-first, greedy or a registered planner
        "planner" planner: String = String::new(),
        /// the same under the name it has in graph-compiler
        "planner-options" planner_options: String = String::new(),
        /// least alignment of arenas and of the buffers in them
        "alignment" alignment: Alignment = Alignment(64),
        /// merge only where the peak of the whole program provably does not rise
        "never-grow" never_grow: bool = false,
        /// make an arena only where at least one of its buffers is certainly allocated
        "never-more" never_more: bool = false,
        /// node budget of the optimal planner, per arena
        "node-budget" node_budget: u64 = 20_000,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "merge-alloc",
    summary: "merge allocations into one arena per scope, planned from their live ranges",
    anchor: Anchor::Function,
    run,
};

/// The pass under the name it has in graph-compiler.
pub static ALIAS: PassDef<Options> = PassDef {
    name: "gc-merge-alloc",
    summary: "the same as merge-alloc",
    ..PASS
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let (options, planner) = configure(ir, context)?;
    if context.options.analysis_only {
        erase_unreachable_blocks(ir);
        let aliases = alias::analyze(ir);
        let traces = trace::collect(ir, &aliases, &options, &mut context.diagnostics)?;
        annotate(ir, &traces);
        return Ok(());
    }
    let merged = merge(ir, &options, &*planner, &mut context.diagnostics)?;
    context.count("shared allocations of run-time size", merged.n_shared);
    for (trace, schedule, _) in &merged.arenas {
        context.count("arenas", 1);
        context.count("merged allocations", trace.buffers.len() as u64);
        if !trace.scale.is_static() {
            context.count("arenas of run-time size", 1);
            continue;
        }
        context.count("bytes in arenas", schedule.bytes);
        context.count(
            "bytes above the lower bound",
            schedule.bytes - schedule.lower_bound,
        );
    }
    Ok(())
}

/// What became of the allocations of a function.
#[derive(Debug)]
pub struct Merged {
    /// Each with its buffers, their offsets, and itself.
    pub arenas: Vec<(ScopeTrace, Schedule, Value)>,
    /// How many allocations of run-time size went because they can use another one.
    pub n_shared: u64,
}

/// Merges the allocations of a function.
pub(super) fn merge(
    ir: &mut Ir,
    options: &MergeOptions,
    planner: &dyn Planner,
    diagnostics: &mut Diagnostics,
) -> Result<Merged, Failed> {
    let stages = Stages {
        collector: &trace::Collector,
        planner,
        mutator: &mutate::Mutator,
    };
    merge_with(ir, options, stages, diagnostics)
}

/// Merges the allocations of a function with stages of one's own.
///
/// # Errors
/// If a stage reported something; the function is as it was.
pub fn merge_with(
    ir: &mut Ir,
    options: &MergeOptions,
    stages: Stages<'_>,
    diagnostics: &mut Diagnostics,
) -> Result<Merged, Failed> {
    let planner = stages.planner;
    erase_unreachable_blocks(ir);
    let mut traces = stages.collector.collect(ir, options, diagnostics)?;
    if options.is_tight && exchanged::join(ir, &traces.scopes) {
        traces = stages.collector.collect(ir, options, diagnostics)?;
    }
    // Everything else is planned before anything is changed.
    let arenas: Vec<(ScopeTrace, Schedule)> = if options.is_tight {
        let aliases = alias::analyze(ir);
        never_grow::arenas(ir, &aliases, &traces.scopes, options, &mut |trace, room| {
            schedule::schedule_within(room, planner, ir, trace, options, diagnostics)
        })
    } else {
        let scopes = traces.scopes.into_iter();
        scopes
            .map(|trace| {
                let schedule = schedule::schedule(planner, ir, &trace, options, diagnostics)?;
                Ok((trace, schedule))
            })
            .collect::<Result<_, Failed>>()?
    };
    let merged = arenas.iter().flat_map(|(trace, _)| &trace.buffers);
    let deallocs: IndexSet<Op, FxBuildHasher> = merged
        .flat_map(|buffer| &buffer.deallocs)
        .copied()
        .collect();
    for dealloc in deallocs {
        ir.erase_op(dealloc);
    }
    for &(kept, alloc) in &traces.shared {
        let value = ir.result(kept, 0);
        ir.replace_op(alloc, &[value]);
    }
    let arenas = arenas.into_iter().map(|(trace, schedule)| {
        let arena = stages.mutator.mutate(ir, &trace, &schedule, options);
        (trace, schedule, arena)
    });
    let merged = Merged {
        arenas: arenas.collect(),
        n_shared: traces.shared.len() as u64,
    };
    let marks = [NO_HEAP, LIBRARY, NO_ARENA].map(|name| ir.context().intern_name(name));
    for op in ir.collect_ops(ir.root()) {
        for mark in marks {
            ir.remove_attr(op, mark);
        }
    }
    Ok(merged)
}

/// What the options ask for.
fn configure(
    ir: &Ir,
    context: &mut PassContext<'_, Options>,
) -> Result<(MergeOptions, Box<dyn Planner>), Failed> {
    let fail = |context: &mut PassContext<'_, Options>, message: String| {
        let root = ir.root();
        let message = format!("'{}' op {message}", ir.op_name(root));
        Err(context.diagnostics.error(ir.loc(root), message))
    };
    let Alignment(alignment) = context.options.alignment;
    if !alignment.is_power_of_two() {
        let message =
            format!("alignment of merge-alloc must be a power of two, but got {alignment}");
        return fail(context, message);
    }
    let node_budget = context.options.node_budget;
    let name = match (&*context.options.planner, &*context.options.planner_options) {
        ("", "") => NAMES[0],
        ("", name) | (name, _) => name,
    };
    let options = MergeOptions {
        alignment,
        is_tight: context.options.never_grow,
        is_sure: context.options.never_more,
        is_whole: false,
        annotates: context.options.annotate_plan,
    };
    let planning = freehold_planner::Options {
        node_budget,
        ..Default::default()
    };
    match planner(name, &planning) {
        Some(planner) => Ok((options, planner)),
        None => {
            let known = freehold_planner::names().join(", ");
            fail(
                context,
                format!("Unrecognized planner option '{name}': known are {known}"),
            )
        }
    }
}

/// Records the results: scopes are numbered, and every allocation tells the number of its scope and its first and last
/// tick (-1 if it is never accessed, -2 if it cannot be followed).
fn annotate(ir: &mut Ir, traces: &Traces) {
    let context = std::sync::Arc::clone(ir.context());
    let scope_name = context.intern_name("__mergealloc_scope");
    let lifetime_name = context.intern_name("__mergealloc_lifetime");
    let mut numbers: FxHashMap<Op, i64> = FxHashMap::default();
    for &(alloc, scope, lifetime) in &traces.lifetimes {
        let number = scope.map_or(-1, |scope| {
            let next = numbers.len() as i64;
            *numbers.entry(scope).or_insert(next)
        });
        if let Some(scope) = scope {
            ir.set_attr(scope, scope_name, context.i64_attr(number));
        }
        let (first, last) = match lifetime {
            Lifetime::Untraceable => (-2, -2),
            Lifetime::Unused => (-1, -1),
            Lifetime::Ticks(first, last) => (i64::from(first), i64::from(last)),
        };
        let attr = context.i64_array_attr(&[number, first, last]);
        ir.set_attr(alloc, lifetime_name, attr);
    }
}
