//! Every pass and pipeline by name: one line each.

use crate::async_::{async_func_to_async_runtime, outline_async_bodies, run_async_in_order};
use crate::bufferize::{
    convert_elementwise_to_linalg, empty_tensor_to_alloc_tensor, finalizing_bufferize,
    one_shot_bufferize,
};
use crate::canonicalize::{
    canonicalize, control_flow_sink, cse, inline, loop_invariant_code_motion, mem2reg,
    remove_dead_values, sccp, sroa, symbol_dce,
};
use crate::check::{verify_ownership, verify_requests};
use crate::hlo::{
    convert_deallocation_ops_to_llvm, hlo_buffer_reuse, hlo_deallocate,
    hlo_deallocation_simplification, hlo_deallocation_to_scf, hlo_split_alloc_tensors,
};
use crate::legacy::{
    buffer_deallocation, buffer_hoisting, buffer_loop_hoisting, copy_removal,
    promote_buffers_to_stack,
};
use crate::loops::{
    affine_data_copy_generate, affine_loop_fusion, affine_loop_invariant_code_motion,
    affine_loop_tile, affine_loop_unroll, affine_loop_unroll_jam, affine_parallelize,
    affine_scalrep, affine_simplify_structures, affine_super_vectorize, contract_buffers,
    convert_loops_to_library_calls, convert_strided_copies_to_loops, fold_constant_loads,
    forward_stores, fuse_loops, hoist_loop_loads, hoist_vector_reductions, interchange_loops,
    isolate_vectors, merge_column_copies, parallelize_loops, promote_carried_buffers,
    promote_loop_accesses, raise_scf_to_affine, scf_parallel_loop_fusion, unroll_and_jam_loops,
    unroll_loops, vectorize_loops,
};
use crate::lowering::{
    arith_emulate_wide_int, bound_stack, bufferization_lower_deallocations, check_sizes,
    convert_bufferization_to_memref, convert_declared_to_calls, convert_iree_linalg_ext_to_loops,
    convert_linalg_to_affine_loops, convert_linalg_to_library_calls, convert_linalg_to_loops,
    convert_linalg_to_parallel_loops, convert_scf_to_cf, convert_to_mlir_22, convert_to_signless,
    convert_unsigned_loops, convert_vector_to_scf, expand_realloc, expand_strided_metadata,
    expand_unranked_copies, flatten_memref, flush_denormals, fold_memref_alias_ops,
    fuse_multiply_add, generate_runtime_verification, legalize_elements, lower_affine,
    lower_vectors, lowerings_to_llvm, math_polynomial_approximation, memref_emulate_wide_int,
    memref_expand, normalize_memrefs, outline_equal_loops, outline_parallel_loops, parallel_loops,
    raise_llvm, set_fastmath_flags, strip_model_wrappers, test_cf_assert,
};
use crate::manage::pass::{NamedPipeline, Pass};
use crate::manage::pipeline::Pipeline;
use crate::manage::text::Registry;
use crate::merge_alloc::{
    bound_loop_allocations, mark_allocation_free_calls, merge_alloc, reserve_peak,
    reuse_loop_buffers, use_workspace,
};
use crate::mpi::{
    carry_request_buffers, convert_mpi_to_calls, delay_mpi_waits, keep_request_buffers,
};
use crate::onnx::{convert_onnx_to_stablehlo, onnx_infer_shapes};
use crate::ownership::{
    buffer_deallocation_simplification, buffer_results_to_out_params, donated_arguments,
    drop_equivalent_buffer_results, optimize_allocation_liveness,
    ownership_based_buffer_deallocation, privatize_borrowed_results, return_buffers_once,
    verify_returned_buffers,
};
use crate::pipelines::{
    buffer_deallocation_pipeline, convert_onnx_to_linalg, hlo_deallocation_pipeline,
    legacy_deallocation_pipeline, native_pipeline,
};
use crate::stablehlo::vhlo::{
    stablehlo_legalize_to_vhlo, vhlo_legalize_to_stablehlo, vhlo_to_version,
};
use crate::stablehlo::{
    chlo_legalize_to_stablehlo, drop_shardings, stablehlo_call_host, stablehlo_canonicalize,
    stablehlo_collectives_on_host, stablehlo_collectives_to_mpi, stablehlo_drop_bounds,
    stablehlo_legalize_called_computations, stablehlo_legalize_quant_to_math,
    stablehlo_legalize_to_linalg, stablehlo_partition, stablehlo_select_masked_products,
};
use crate::tensor::{
    convert_tensor_to_linalg, decompose_tensor_ops, eliminate_empty_tensors,
    fold_tensor_subset_ops, linalg_bubble_up_slices, linalg_cse_reductions,
    linalg_decompose_winograd_ops, linalg_fold_constants, linalg_fold_transposes_into_contractions,
    linalg_fold_unit_extent_dims, linalg_fuse_elementwise_ops, linalg_generalize_named_ops,
    linalg_hoist_invariants, linalg_hoist_products, linalg_interchange_reductions,
    linalg_separate_windows, linalg_simplify, linalg_specialize_generic_ops, linalg_split_batches,
    linalg_split_reductions, loop_invariant_subset_hoisting, reify_result_shapes,
    resolve_result_dims, simplify_tensor_loops,
};

/// All passes, sorted by name.
pub static PASSES: &[&dyn Pass] = &[
    &affine_data_copy_generate::PASS,
    &affine_loop_fusion::PASS,
    &affine_loop_invariant_code_motion::PASS,
    &affine_loop_tile::PASS,
    &affine_loop_unroll::PASS,
    &affine_loop_unroll_jam::PASS,
    &affine_parallelize::PASS,
    &affine_scalrep::PASS,
    &affine_simplify_structures::PASS,
    &affine_super_vectorize::PASS,
    &arith_emulate_wide_int::PASS,
    &async_func_to_async_runtime::PASS,
    &bound_loop_allocations::PASS,
    &bound_stack::PASS,
    &buffer_deallocation::PASS,
    &buffer_deallocation_simplification::PASS,
    &buffer_hoisting::PASS,
    &buffer_loop_hoisting::PASS,
    &buffer_results_to_out_params::PASS,
    &bufferization_lower_deallocations::PASS,
    &canonicalize::PASS,
    &carry_request_buffers::PASS,
    &check_sizes::PASS,
    &contract_buffers::PASS,
    &control_flow_sink::PASS,
    &convert_bufferization_to_memref::PASS,
    &convert_deallocation_ops_to_llvm::PASS,
    &convert_declared_to_calls::PASS,
    &convert_elementwise_to_linalg::PASS,
    &convert_iree_linalg_ext_to_loops::PASS,
    &convert_linalg_to_affine_loops::PASS,
    &convert_linalg_to_library_calls::PASS,
    &convert_linalg_to_loops::PASS,
    &convert_linalg_to_parallel_loops::PASS,
    &convert_loops_to_library_calls::PASS,
    &convert_mpi_to_calls::PASS,
    &convert_onnx_to_stablehlo::PASS,
    &convert_scf_to_cf::PASS,
    &convert_strided_copies_to_loops::PASS,
    &convert_tensor_to_linalg::PASS,
    &convert_to_mlir_22::PASS,
    &convert_to_signless::PASS,
    &convert_unsigned_loops::PASS,
    &convert_vector_to_scf::PASS,
    &copy_removal::PASS,
    &cse::PASS,
    &legalize_elements::PASS,
    &decompose_tensor_ops::PASS,
    &delay_mpi_waits::PASS,
    &donated_arguments::DROP_RESULTS,
    &drop_equivalent_buffer_results::PASS,
    &drop_shardings::PASS,
    &empty_tensor_to_alloc_tensor::PASS,
    &expand_realloc::PASS,
    &expand_strided_metadata::PASS,
    &expand_unranked_copies::PASS,
    &finalizing_bufferize::PASS,
    &flatten_memref::PASS,
    &flush_denormals::PASS,
    &fold_memref_alias_ops::PASS,
    &fold_tensor_subset_ops::PASS,
    &fold_constant_loads::PASS,
    &forward_stores::PASS,
    &fuse_loops::PASS,
    &fuse_multiply_add::PASS,
    &generate_runtime_verification::PASS,
    &hlo_buffer_reuse::PASS,
    &hlo_deallocate::PASS,
    &hlo_deallocation_simplification::PASS,
    &hlo_deallocation_to_scf::PASS,
    &hlo_split_alloc_tensors::PASS,
    &hoist_loop_loads::PASS,
    &hoist_vector_reductions::PASS,
    &interchange_loops::PASS,
    &isolate_vectors::PASS,
    &keep_request_buffers::PASS,
    &inline::PASS,
    &merge_alloc::ALIAS,
    &eliminate_empty_tensors::PASS,
    &linalg_bubble_up_slices::PASS,
    &linalg_cse_reductions::PASS,
    &linalg_decompose_winograd_ops::PASS,
    &linalg_fold_constants::PASS,
    &linalg_fold_transposes_into_contractions::PASS,
    &linalg_fold_unit_extent_dims::PASS,
    &linalg_fuse_elementwise_ops::PASS,
    &linalg_generalize_named_ops::PASS,
    &linalg_hoist_invariants::PASS,
    &linalg_hoist_products::PASS,
    &linalg_interchange_reductions::PASS,
    &linalg_separate_windows::PASS,
    &linalg_simplify::PASS,
    &linalg_specialize_generic_ops::PASS,
    &linalg_split_batches::PASS,
    &linalg_split_reductions::PASS,
    &loop_invariant_code_motion::PASS,
    &loop_invariant_subset_hoisting::PASS,
    &lower_affine::PASS,
    &lower_vectors::PASS,
    &mark_allocation_free_calls::PASS,
    &bufferization_lower_deallocations::ALIAS,
    &math_polynomial_approximation::PASS,
    &mem2reg::PASS,
    &memref_emulate_wide_int::PASS,
    &memref_expand::PASS,
    &merge_alloc::PASS,
    &merge_column_copies::PASS,
    &normalize_memrefs::PASS,
    &one_shot_bufferize::PASS,
    &onnx_infer_shapes::PASS,
    &optimize_allocation_liveness::PASS,
    &outline_async_bodies::PASS,
    &outline_equal_loops::PASS,
    &outline_parallel_loops::PASS,
    &ownership_based_buffer_deallocation::PASS,
    &privatize_borrowed_results::PASS,
    &promote_buffers_to_stack::PASS,
    &promote_carried_buffers::PASS,
    &promote_loop_accesses::PASS,
    &remove_dead_values::PASS,
    &reify_result_shapes::PASS,
    &resolve_result_dims::RANKED,
    &resolve_result_dims::SHAPED,
    &return_buffers_once::PASS,
    &donated_arguments::RETURN_ARGUMENTS,
    &reserve_peak::PASS,
    &reuse_loop_buffers::PASS,
    &run_async_in_order::PASS,
    &sccp::PASS,
    &parallel_loops::FORALL_TO_FOR,
    &parallelize_loops::PASS,
    &parallel_loops::PARALLEL_TO_NESTED_FORS,
    &scf_parallel_loop_fusion::PASS,
    &set_fastmath_flags::PASS,
    &raise_scf_to_affine::PASS,
    &simplify_tensor_loops::PASS,
    &sroa::PASS,
    &raise_llvm::PASS,
    &chlo_legalize_to_stablehlo::PASS,
    &stablehlo_call_host::PASS,
    &stablehlo_canonicalize::PASS,
    &stablehlo_collectives_on_host::PASS,
    &stablehlo_collectives_to_mpi::PASS,
    &stablehlo_drop_bounds::PASS,
    &stablehlo_legalize_called_computations::PASS,
    &stablehlo_legalize_quant_to_math::PASS,
    &stablehlo_legalize_to_linalg::PASS,
    &stablehlo_legalize_to_vhlo::PASS,
    &stablehlo_partition::PASS,
    &stablehlo_select_masked_products::PASS,
    &strip_model_wrappers::PASS,
    &symbol_dce::PASS,
    &test_cf_assert::PASS,
    &unroll_and_jam_loops::PASS,
    &unroll_loops::PASS,
    &use_workspace::PASS,
    &vectorize_loops::PASS,
    &verify_ownership::PASS,
    &verify_requests::PASS,
    &verify_returned_buffers::PASS,
    &donated_arguments::WRITE_ARGUMENTS,
    &vhlo_legalize_to_stablehlo::PASS,
    &vhlo_to_version::PASS,
];

/// All named pipelines, sorted by name.
pub static PIPELINES: &[&dyn NamedPipeline] = &[
    &buffer_deallocation_pipeline::PIPELINE,
    &convert_onnx_to_linalg::PIPELINE,
    &hlo_deallocation_pipeline::PIPELINE,
    &legacy_deallocation_pipeline::PIPELINE,
    &native_pipeline::PIPELINE,
];

/// Everything that has a name.
pub static REGISTRY: Registry = Registry {
    passes: PASSES,
    idle: lowerings_to_llvm::ALL,
    pipelines: PIPELINES,
};

/// Reads a pipeline of these passes; see [`Registry::parse`].
///
/// # Errors
/// With the error and its place.
pub fn parse(text: &str) -> Result<Pipeline, String> {
    REGISTRY.parse(text)
}
