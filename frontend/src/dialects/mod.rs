//! The dialects, one module each. [`ALL`] is the static list of them.

use crate::op_def::DialectDef;

pub mod arith;
pub mod builtin;
pub mod cf;
pub mod complex;
pub mod constraints;
pub mod func;
pub mod index;
pub mod math;
pub mod rules;
pub mod scf;
pub mod test;
pub mod ub;

/// Every dialect of this crate.
pub static ALL: &[&DialectDef] = &[
    &arith::DIALECT,
    &builtin::DIALECT,
    &cf::DIALECT,
    &complex::DIALECT,
    &func::DIALECT,
    &index::DIALECT,
    &math::DIALECT,
    &scf::DIALECT,
    &test::DIALECT,
    &ub::DIALECT,
];
