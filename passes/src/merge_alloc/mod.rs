//! Static memory planning: many buffers with known lifetimes become slices of one arena.
//!
//! [`merge_alloc`] is the pass, [`stages`] its four replaceable parts: [`alias`] finds the views of
//! each allocation, [`trace`] what can be merged and (with [`ticks`] and `lifetime`) when it is
//! live, [`schedule`] chooses offsets, [`mutate`] rewrites. `in_place` and `sharing` find buffers
//! that can take over others, `growth` tells where merging might cost memory.
//!
//! [`planner`] decides the offsets. It knows nothing of the IR: an instance is a list of sizes,
//! alignments and lifetimes, so it can be used, tested and measured alone.

pub mod alias;
mod growth;
mod in_place;
mod lifetime;
#[expect(
    clippy::module_inception,
    reason = "the file is named as the flag, the folder as the family"
)]
pub mod merge_alloc;
pub mod mutate;
pub mod planner;
pub mod schedule;
mod sharing;
pub mod stages;
pub mod ticks;
pub mod trace;
