//! The memref-level MLIR IR: entities, dialects, text and verifier.
//!
//! This crate knows what a program *is*: how it is stored ([`ir`]), which
//! operations there are ([`op_def`], [`dialects`]), how it is written
//! ([`syntax`]) and when it is valid. It knows no pass and no code generator,
//! and it neither reads files nor prints.

pub mod diag;
pub mod dialects;
pub mod effects;
pub mod interfaces;
pub mod ir;
pub mod op_def;
pub mod syntax;
pub mod verify;
