//! What the operations of each dialect do. Each file has a table of rows and functions.

pub(crate) mod affine;
pub(crate) mod arith;
pub(crate) mod async_;
pub(crate) mod bufferization;
pub(crate) mod complex;
pub(crate) mod control;
pub(crate) mod declared;
pub(crate) mod linalg;
pub(crate) mod llvm;
pub(crate) mod math;
pub(crate) mod memref;
pub(crate) mod reductions;
pub(crate) mod scf;
pub(crate) mod shuffles;
pub(crate) mod tensor;
pub(crate) mod vector;
