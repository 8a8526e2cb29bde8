//! Ownership-based buffer deallocation, its simplification and lowering.
//!
//! Reading order: [`ownership_based_buffer_deallocation`] is the pass; `flow`
//! says where buffers come from and go to, `derived` what is made of them and is no buffer, `existing` what the input frees
//! itself, `decide` and `status` who owns the rest, `place` where they are freed, `plan` and
//! `rewrite` carry it out at the `points` they belong to. [`hlo`](crate::hlo) carries the same
//! plans out in its own terms, and [`explain`] says them in words.

pub mod buffer_deallocation_pipeline;
pub mod buffer_deallocation_simplification;
pub mod buffer_results_to_out_params;
pub mod bufferization_lower_deallocations;
mod dealloc_helper;
pub(crate) mod decide;
pub(crate) mod derived;
pub mod drop_equivalent_buffer_results;
pub(crate) mod dynamic;
pub(crate) mod existing;
pub mod explain;
pub(crate) mod flow;
pub(crate) mod liveness;
pub mod optimize_allocation_liveness;
pub mod ownership_based_buffer_deallocation;
pub(crate) mod place;
pub(crate) mod plan;
pub(crate) mod points;
pub(crate) mod rewrite;
pub(crate) mod signature;
pub(crate) mod status;
pub(crate) mod union_find;
