//! The dialects, one module each. [`ALL`] is the static list of them.

use crate::op_def::DialectDef;

pub mod affine;
pub mod arith;
pub(crate) mod assembly;
pub mod bufferization;
pub mod builtin;
pub mod cf;
pub mod complex;
pub mod const_fold;
pub mod constraints;
pub mod deallocation;
pub mod func;
pub mod index;
pub mod linalg;
pub mod materialize;
pub mod math;
pub mod memref;
mod moves;
pub mod rules;
pub mod scf;
pub mod tensor;
pub mod test;
pub mod ub;
pub mod vector;

/// Every dialect of this crate.
pub static ALL: &[&DialectDef] = &[
    &affine::DIALECT,
    &arith::DIALECT,
    &bufferization::DIALECT,
    &builtin::DIALECT,
    &cf::DIALECT,
    &complex::DIALECT,
    &deallocation::DIALECT,
    &func::DIALECT,
    &index::DIALECT,
    &linalg::DIALECT,
    &math::DIALECT,
    &memref::DIALECT,
    &scf::DIALECT,
    &tensor::DIALECT,
    &test::DIALECT,
    &ub::DIALECT,
    &vector::DIALECT,
];
