//! What operations on vectors do, said once for both emitters: `lower/vector/` makes Cranelift's registers of 128 bits
//! of them, `wide/` larger ones of x86-64.
//!
//! [`access`] says what is loaded and stored, [`places`] which element of which value an element of a result is, [`splats`] what all elements of a vector are,
//! [`sums`] what is added one after the other.

pub(crate) mod access;
pub(crate) mod places;
pub(crate) mod splats;
pub(crate) mod sums;
