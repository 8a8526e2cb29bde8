//! Lowering to what the code generator takes: control flow as blocks, memory
//! accesses as loads and stores of plain memrefs.

pub mod bound_stack;
pub mod bufferization_lower_deallocations;
pub mod check_sizes;
pub mod convert_bufferization_to_memref;
pub mod convert_declared_to_calls;
pub mod convert_iree_linalg_ext_to_loops;
pub mod convert_linalg_to_library_calls;
pub mod convert_linalg_to_loops;
pub mod convert_scf_to_cf;
pub mod convert_to_mlir_22;
pub mod convert_to_signless;
pub mod convert_unsigned_loops;
mod dealloc_helper;
pub mod expand_realloc;
pub mod expand_strided_metadata;
pub mod expand_unranked_copies;
pub mod fuse_multiply_add;
pub mod lower_affine;
pub mod lower_vectors;
pub mod math_polynomial_approximation;
pub mod memref_expand;
pub mod outline_equal_loops;
pub mod outline_parallel_loops;
pub mod parallel_loops;
pub mod raise_llvm;
pub mod set_fastmath_flags;
mod softmax;
pub mod strip_model_wrappers;
