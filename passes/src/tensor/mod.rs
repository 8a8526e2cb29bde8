//! Transformations of operations on tensors, before there are buffers.

pub mod convert_tensor_to_linalg;
pub mod decompose_tensor_ops;
pub mod eliminate_empty_tensors;
pub mod fold_tensor_subset_ops;
pub mod linalg_bubble_up_slices;
pub mod linalg_cse_reductions;
pub mod linalg_decompose_winograd_ops;
pub mod linalg_fold_constants;
pub mod linalg_fold_transposes_into_contractions;
pub mod linalg_fold_unit_extent_dims;
pub mod linalg_fuse_elementwise_ops;
pub mod linalg_generalize_named_ops;
pub mod linalg_hoist_invariants;
pub mod linalg_hoist_products;
pub mod linalg_interchange_reductions;
pub mod linalg_separate_windows;
pub mod linalg_simplify;
pub mod linalg_specialize_generic_ops;
pub mod linalg_split_batches;
pub mod linalg_split_reductions;
pub mod loop_invariant_subset_hoisting;
mod moved;
pub mod reify_result_shapes;
pub mod resolve_result_dims;
mod results;
pub mod simplify_tensor_loops;
mod sink_producers;
