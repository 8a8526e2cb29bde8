//! Static memory planning: many buffers with known lifetimes become slices of one arena.
//!
//! [`planner`] decides the offsets. It knows nothing of the IR: an instance is a list of sizes,
//! alignments and lifetimes, so it can be used, tested and measured alone.

pub mod planner;
