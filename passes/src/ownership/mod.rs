//! Ownership-based buffer deallocation, its simplification and lowering.
//!
//! Reading order: [`ownership_based_buffer_deallocation`] is the pass, `rewrite` carries out what
//! `deallocation/plan/` decides, and [`explain`] says it in words. [`hlo`](crate::hlo) carries the same
//! plans out in its own terms.

pub mod buffer_deallocation_simplification;
pub mod buffer_results_to_out_params;
pub mod donated_arguments;
pub mod drop_equivalent_buffer_results;
pub mod explain;
pub mod optimize_allocation_liveness;
pub mod ownership_based_buffer_deallocation;
pub mod privatize_borrowed_results;
pub mod return_buffers_once;
mod rewrite;
pub mod verify_returned_buffers;
