//! Every pass and pipeline by name: one line each.

use crate::bufferize::{convert_elementwise_to_linalg, one_shot_bufferize};
use crate::canonicalize::{canonicalize, cse, inline, symbol_dce};
use crate::check::verify_ownership;
use crate::hlo::{
    convert_deallocation_ops_to_llvm, hlo_buffer_reuse, hlo_deallocate, hlo_deallocation_pipeline,
    hlo_deallocation_simplification, hlo_deallocation_to_scf, hlo_split_alloc_tensors,
};
use crate::legacy::{
    buffer_deallocation, buffer_hoisting, buffer_loop_hoisting, copy_removal,
    legacy_deallocation_pipeline, promote_buffers_to_stack,
};
use crate::loops::{
    convert_loops_to_library_calls, forward_stores, fuse_loops, hoist_loop_loads,
    promote_loop_accesses, scf_parallel_loop_fusion, unroll_and_jam_loops, unroll_loops,
    vectorize_loops,
};
use crate::lowering::{
    convert_bufferization_to_memref, convert_linalg_to_library_calls, convert_linalg_to_loops,
    convert_scf_to_cf, expand_realloc, expand_strided_metadata, lower_affine, memref_expand,
    outline_parallel_loops, parallel_loops,
};
use crate::merge_alloc::{mark_allocation_free_calls, merge_alloc};
use crate::ownership::{
    buffer_deallocation_pipeline, buffer_deallocation_simplification, buffer_results_to_out_params,
    bufferization_lower_deallocations, drop_equivalent_buffer_results,
    optimize_allocation_liveness, ownership_based_buffer_deallocation,
};
use crate::pass::{PassDef, PipelineDef};

/// All passes, sorted by name.
pub static PASSES: &[&PassDef] = &[
    &buffer_deallocation::PASS,
    &buffer_deallocation_simplification::PASS,
    &buffer_hoisting::PASS,
    &buffer_loop_hoisting::PASS,
    &buffer_results_to_out_params::PASS,
    &bufferization_lower_deallocations::PASS,
    &canonicalize::PASS,
    &convert_bufferization_to_memref::PASS,
    &convert_deallocation_ops_to_llvm::PASS,
    &convert_elementwise_to_linalg::PASS,
    &convert_linalg_to_library_calls::PASS,
    &convert_linalg_to_loops::PASS,
    &convert_loops_to_library_calls::PASS,
    &convert_scf_to_cf::PASS,
    &copy_removal::PASS,
    &cse::PASS,
    &drop_equivalent_buffer_results::PASS,
    &expand_realloc::PASS,
    &expand_strided_metadata::PASS,
    &forward_stores::PASS,
    &fuse_loops::PASS,
    &hlo_buffer_reuse::PASS,
    &hlo_deallocate::PASS,
    &hlo_deallocation_simplification::PASS,
    &hlo_deallocation_to_scf::PASS,
    &hlo_split_alloc_tensors::PASS,
    &hoist_loop_loads::PASS,
    &inline::PASS,
    &merge_alloc::ALIAS,
    &lower_affine::PASS,
    &mark_allocation_free_calls::PASS,
    &bufferization_lower_deallocations::ALIAS,
    &memref_expand::PASS,
    &merge_alloc::PASS,
    &one_shot_bufferize::PASS,
    &optimize_allocation_liveness::PASS,
    &outline_parallel_loops::PASS,
    &ownership_based_buffer_deallocation::PASS,
    &promote_buffers_to_stack::PASS,
    &promote_loop_accesses::PASS,
    &parallel_loops::FORALL_TO_FOR,
    &parallel_loops::PARALLEL_TO_NESTED_FORS,
    &scf_parallel_loop_fusion::PASS,
    &symbol_dce::PASS,
    &unroll_and_jam_loops::PASS,
    &unroll_loops::PASS,
    &vectorize_loops::PASS,
    &verify_ownership::PASS,
];

/// All named pipelines, sorted by name.
pub static PIPELINES: &[&PipelineDef] = &[
    &buffer_deallocation_pipeline::PIPELINE,
    &hlo_deallocation_pipeline::PIPELINE,
    &legacy_deallocation_pipeline::PIPELINE,
];

/// The pass with this flag.
pub fn pass(name: &str) -> Option<&'static PassDef> {
    PASSES.iter().copied().find(|pass| pass.name == name)
}

/// The pipeline with this flag.
pub fn pipeline(name: &str) -> Option<&'static PipelineDef> {
    PIPELINES
        .iter()
        .copied()
        .find(|pipeline| pipeline.name == name)
}
