//! Making loops fast: loops over the same range made one, stored values used instead of loaded again,
//! several iterations at once, in one inner loop or in vectors, accumulators in registers instead of
//! memory, short loops written out, loads of one place done once, filling and copying left to the
//! runtime library, buffers as large as what one iteration needs.
//!
//! All but `unroll-loops` change the order in which memory is accessed, so they must know that buffers
//! do not overlap.
//! `analysis/loop_memory.rs` decides what it can at compile time, and for the rest has comparisons of addresses that
//! are made when the program runs, before the loop. No result changes by a bit, unless
//! operations allow another order: every element is computed by the operations that compute it in the program.

pub mod affine_data_copy_generate;
pub mod affine_loop_fusion;
pub mod affine_loop_invariant_code_motion;
pub mod affine_loop_tile;
pub mod affine_loop_unroll;
pub mod affine_loop_unroll_jam;
pub mod affine_parallelize;
pub mod affine_scalrep;
pub mod affine_simplify_structures;
pub mod affine_super_vectorize;
mod carried_halves;
pub mod contract_buffers;
pub mod convert_loops_to_library_calls;
pub mod convert_strided_copies_to_loops;
pub mod fold_constant_loads;
pub mod forward_stores;
pub mod fuse_loops;
mod guards;
pub mod hoist_loop_loads;
pub mod hoist_vector_reductions;
pub mod interchange_loops;
pub mod isolate_vectors;
mod marks;
pub mod merge_column_copies;
pub mod parallelize_loops;
pub mod promote_carried_buffers;
pub mod promote_loop_accesses;
pub mod raise_scf_to_affine;
pub mod scf_parallel_loop_fusion;
mod trailing_units;
pub mod unroll_and_jam_loops;
pub mod unroll_loops;
mod vector_plan;
pub mod vectorize_loops;
mod widen;
