//! The dialects, one module each. [`ALL`] is the static list of them.

use crate::op_def::DialectDef;

pub mod arith;
pub mod builtin;
pub mod complex;
pub mod constraints;
pub mod index;
pub mod math;

/// Every dialect of this crate.
pub static ALL: &[&DialectDef] = &[
    &arith::DIALECT,
    &builtin::DIALECT,
    &complex::DIALECT,
    &index::DIALECT,
    &math::DIALECT,
];
