//! The dialects, one module each, and what they share. [`ALL`] is the static
//! list of them, [`context`] what knows them.

use std::sync::{Arc, LazyLock};

use crate::ir::builtin;
use crate::ir::context::{Context, Registered};
use crate::ir::op_def::DialectDef;

pub mod affine;
pub mod arith;
pub mod async_;
pub mod bufferization;
pub mod cf;
pub mod chlo;
pub mod complex;
pub mod deallocation;
pub mod func;
pub mod hal;
pub mod index;
pub mod irdl;
pub mod iree_linalg_ext;
pub mod linalg;
pub mod llvm;
pub mod materialize;
pub mod math;
pub mod memref;
pub mod ml_program;
pub mod mpi;
pub mod onnx;
pub mod quant;
pub mod scf;
pub mod sdy;
pub mod shared;
pub mod stablehlo;
pub mod tensor;
pub mod ub;
pub mod util;
pub mod vector;
pub mod vhlo;

/// Every dialect of this crate.
pub static ALL: &[&DialectDef] = &[
    &affine::DIALECT,
    &arith::DIALECT,
    &async_::DIALECT,
    &bufferization::DIALECT,
    &builtin::DIALECT,
    &cf::DIALECT,
    &chlo::DIALECT,
    &complex::DIALECT,
    &deallocation::DIALECT,
    &func::DIALECT,
    &hal::DIALECT,
    &index::DIALECT,
    &irdl::DIALECT,
    &iree_linalg_ext::DIALECT,
    &linalg::DIALECT,
    &llvm::DIALECT,
    &math::DIALECT,
    &memref::DIALECT,
    &ml_program::DIALECT,
    &mpi::DIALECT,
    &onnx::DIALECT,
    &quant::DIALECT,
    &scf::DIALECT,
    &sdy::DIALECT,
    &stablehlo::DIALECT,
    &tensor::DIALECT,
    &ub::DIALECT,
    &util::DIALECT,
    &vector::DIALECT,
    &vhlo::DIALECT,
];

/// A context that knows all dialects of this crate. Third parties hand theirs
/// and [`ALL`] to [`Context::with_dialects`].
pub fn context() -> Context {
    static REGISTERED: LazyLock<Arc<Registered>> = LazyLock::new(|| Arc::new(Registered::of(ALL)));
    Context::with_registered(REGISTERED.clone())
}
