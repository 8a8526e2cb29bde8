//! What the four stages of `merge-alloc` hand to each other.
//!
//! 1. [`alias`](super::alias): which values may be views of which allocation.
//! 2. [`trace`](super::trace): which allocations can be merged, into which scope, and when each is live.
//! 3. [`schedule`](super::schedule): the offset of each in the arena of its scope.
//! 4. [`mutate`](super::mutate): the arena and its views replace the allocations.
//!
//! All scopes are planned before the first is rewritten, so an error leaves the function as it was.
//!
//! A Rust program replaces stages: it registers a [planner](freehold_planner::register) that pipelines name, or hands
//! [`Stages`] of its own to [`merge_with`](super::merge_alloc::merge_with).
//!
//! ```
//! use freehold_passes::planner::{self, Instance, Plan, PlanError, Planner};
//!
//! /// One buffer behind the other.
//! struct Bump;
//!
//! impl Planner for Bump {
//!     fn name(&self) -> &'static str {
//!         "bump"
//!     }
//!
//!     fn plan(&self, instance: &Instance) -> Result<Plan, PlanError> {
//!         let mut end = 0u64;
//!         let offsets = instance.buffers().iter().map(|buffer| {
//!             let offset = end.next_multiple_of(buffer.alignment);
//!             end = offset + buffer.size;
//!             offset
//!         });
//!         let offsets = offsets.collect();
//!         Ok(Plan::new(instance, offsets, 0))
//!     }
//! }
//!
//! assert!(planner::register("bump", |_| Box::new(Bump)));
//! assert!(planner::names().contains(&"bump"));
//! let pipeline = "builtin.module(func.func(merge-alloc{planner=bump}))";
//! assert!(freehold_passes::registry::parse(pipeline).is_ok());
//! ```

use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::{Block, Op, Value};

use super::scale::Scale;
use super::ticks::Span;
use crate::deallocation::plan::place::Place;
use freehold_planner::Planner;

/// Finds the allocations that can be merged, and when each is live.
pub trait TraceCollector: Send + Sync {
    /// Looks at the function `ir`, which has no unreachable blocks.
    ///
    /// # Errors
    /// If something was reported.
    fn collect(
        &self,
        ir: &Ir,
        options: &MergeOptions,
        diagnostics: &mut Diagnostics,
    ) -> Result<Traces, Failed>;
}

/// Puts an arena in the place of allocations.
pub trait MergeMutator: Send + Sync {
    /// Makes the arena of `trace`, with its buffers at the offsets of `schedule`; their deallocations are gone already.
    /// Returns the arena.
    fn mutate(
        &self,
        ir: &mut Ir,
        trace: &ScopeTrace,
        schedule: &Schedule,
        options: &MergeOptions,
    ) -> Value;
}

/// The stages that a program may replace.
#[derive(Clone, Copy)]
pub struct Stages<'a> {
    /// What can be merged.
    pub collector: &'a dyn TraceCollector,
    /// At which offsets.
    pub planner: &'a dyn Planner,
    /// How the program becomes.
    pub mutator: &'a dyn MergeMutator,
}

/// What the stages need to know of the user's wishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MergeOptions {
    /// Alignment of every arena and every buffer in it, if no other is asked for; a power of two.
    pub alignment: u64,
    /// Whether no byte may be lost: buffers whose sizes are no multiples of the alignment are aligned
    /// as their elements demand, and nothing is rounded up.
    pub is_tight: bool,
    /// Whether an arena must not be made where none of its buffers might be allocated.
    pub is_sure: bool,
    /// Whether everything is to be part of an arena, also what has one to itself.
    pub is_whole: bool,
    /// Whether plans are left as attributes, for people to see.
    pub annotates: bool,
}

impl MergeOptions {
    /// What sizes are rounded up to.
    pub fn granule(&self) -> u64 {
        if self.is_tight { 1 } else { self.alignment }
    }
}

/// An allocation that will be part of an arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedBuffer {
    /// The `memref.alloc`.
    pub alloc: Op,
    /// Its size, to be multiplied by `scale`.
    pub bytes: u64,
    /// The part of its size known at run time only.
    pub scale: Scale,
    /// What its address must be a multiple of.
    pub alignment: u64,
    /// The ticks during which its contents matter: ascending, not touching.
    pub live: Vec<Span>,
    /// What frees it.
    pub deallocs: Vec<Op>,
}

/// The allocations that share one arena.
#[derive(Clone, Debug)]
pub struct ScopeTrace {
    /// Where the arena is allocated: before the first operation of this block that holds one of the
    /// buffers.
    pub block: Block,
    /// The memory space of all of them.
    pub space: Option<Attr>,
    /// What their sizes, and those of the arena and all offsets, are to be multiplied by.
    pub scale: Scale,
    /// The allocations in the order of their ticks.
    pub buffers: Vec<TracedBuffer>,
    /// Pairs that may have the same bytes though both are live at some tick: a dying buffer and one that is born in the
    /// same operation, which may take over its bytes, the same ones in the same order; and those that exclude each
    /// other. Indices into `buffers`.
    pub same_bytes: Vec<(usize, usize)>,
    /// Whether and where the arena must be freed.
    pub freeing: Freeing,
}

/// Where an arena is freed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Freeing {
    /// Not here: none of its buffers was. A deallocation pass will do it.
    Never,
    /// After this operation of the block, or before it if it is the terminator.
    After(Op),
    /// At every exit of the region of the block.
    AtExits,
    /// In these places; execution passes one of them.
    At(Vec<Place>),
}

/// Why an allocation is left alone, or when it is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// It cannot be followed.
    Untraceable,
    /// Never.
    Unused,
    /// From the first to the last tick.
    Ticks(u32, u32),
}

/// What the collector found in a function.
#[derive(Clone, Debug, Default)]
pub struct Traces {
    /// One entry per arena.
    pub scopes: Vec<ScopeTrace>,
    /// Every `memref.alloc` with the operation that is its scope, for display.
    pub lifetimes: Vec<(Op, Option<Op>, Lifetime)>,
    /// Allocations of run-time size and the earlier one that each can use instead.
    pub shared: Vec<(Op, Op)>,
}

/// The offsets in one arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Size of the arena, without its scale.
    pub bytes: u64,
    /// Alignment of the arena.
    pub alignment: u64,
    /// Offset of each buffer of the trace.
    pub offsets: Vec<u64>,
    /// No plan of these lifetimes needs fewer bytes.
    pub lower_bound: u64,
}
