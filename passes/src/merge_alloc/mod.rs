//! Static memory planning: many buffers with known lifetimes become slices of one arena.
//!
//! [`merge_alloc`] is the pass, [`stages`] what its four parts hand to each other: [`alias`] finds the views of each
//! allocation, [`trace`] what can be merged and (with [`ticks`] and `lifetime`) when it is live, [`schedule`] chooses
//! offsets, [`mutate`] rewrites. [`scale`] is about sizes of run time. `in_place` and `sharing` find buffers that can
//! take over others, `exclusive` those that exclude each other, `exchanged` makes one of ping-pong buffers,
//! `never_grow` finds those whose merging is certain not to cost memory, with a look at callees by
//! [`mark_allocation_free_calls`]; `sure` says where arenas are no additional allocations. [`bound_loop_allocations`] and
//! [`reuse_loop_buffers`] prepare loops, with the memory `around` them in mind. [`reserve_peak`] is for buffers that are
//! left.
//!
//! [`planner`](crate::planner) decides the offsets.

pub mod alias;
mod around;
pub mod bound_loop_allocations;
mod exchanged;
mod exclusive;
mod in_place;
mod lifetime;
pub mod mark_allocation_free_calls;
#[expect(
    clippy::module_inception,
    reason = "the file is named as the flag, the folder as the family"
)]
pub mod merge_alloc;
pub mod mutate;
mod never_grow;
pub mod reserve_peak;
pub mod reuse_loop_buffers;
pub mod scale;
pub mod schedule;
mod sharing;
pub mod stages;
mod sure;
pub mod ticks;
pub mod trace;
pub mod use_workspace;

/// Of an allocation of bytes that is no arena, but one or several buffers of the program.
const NO_ARENA: &str = "freehold.no_arena";
