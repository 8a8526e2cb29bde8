//! What operations on vectors do, said once for both emitters: `lower/vector/` makes Cranelift's registers of 128 bits
//! of them, `wide/` larger ones of x86-64.
//!
//! [`places`] says which element of an operand an element of a result is, [`nest`] which elements are multiplied and
//! added up, [`splats`] what all elements of a vector are.

pub(crate) mod nest;
pub(crate) mod places;
pub(crate) mod splats;
