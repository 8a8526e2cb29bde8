//! The memref-level MLIR IR: entities, dialects, text and verifier.
//!
//! This crate knows what a program *is*: how it is stored and what a row says
//! of an operation ([`ir`]), how it is written ([`syntax`], [`bytecode`]), which operations
//! there are ([`dialects`]), when it is valid ([`verify`]) and what a file adds ([`declare`]). Each of the six
//! imports only those before it. It knows no pass and no code generator, and
//! it neither reads files nor prints. What both want to know of vectors in
//! registers stands in [`target`].

pub mod bytecode;
pub mod declare;
pub mod dialects;
pub mod ir;
pub mod syntax;
pub mod target;
pub mod verify;
