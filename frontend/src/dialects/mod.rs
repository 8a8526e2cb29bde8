//! The dialects, one module each. [`ALL`] is the static list of them.

use crate::op_def::DialectDef;

pub mod builtin;
pub mod constraints;

/// Every dialect of this crate.
pub static ALL: &[&DialectDef] = &[&builtin::DIALECT];
