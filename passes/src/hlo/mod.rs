//! The deallocation and buffer reuse passes of MLIR-HLO: owners of buffers are
//! values of type `!deallocation.ownership`, and buffers are reused where one
//! is freed and another one allocated.
//!
//! Reading order: [`hlo_deallocate`] is the pass that inserts owners and frees; `abi` says which
//! functions hand owners out, `capture` what a program may free itself, `insert` carries out the
//! decisions of `deallocation/plan/`. [`hlo_deallocation_simplification`] makes `memref.dealloc`s
//! of known owners, [`hlo_buffer_reuse`] saves allocations between those, and
//! [`hlo_deallocation_to_scf`] lowers the rest as far as it is small. The code generator does the
//! rest.

mod abi;
mod capture;
pub mod convert_deallocation_ops_to_llvm;
pub mod hlo_buffer_reuse;
pub mod hlo_deallocate;
pub mod hlo_deallocation_simplification;
pub mod hlo_deallocation_to_scf;
pub mod hlo_split_alloc_tensors;
mod insert;
mod reuse;
