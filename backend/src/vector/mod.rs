//! What operations on vectors do, said once for both emitters: `lower/vector/` makes Cranelift's registers of 128 bits
//! of them, `wide/` larger ones of x86-64.
//!
//! [`access`] says what loads and stores cover, [`places`] where an element of a result comes from, [`splats`] which
//! vectors repeat one element, [`sums`] which reductions keep their order.

pub(crate) mod access;
pub(crate) mod places;
pub(crate) mod splats;
pub(crate) mod sums;
