//! The text format: lexer, parser and printer.
//!
//! [`parser`] turns text into an [`Ir`](crate::ir::data::Ir), [`printer`] the
//! other way round. What one writes the other reads; the format is MLIR's.

pub mod declared;
pub(crate) mod dense;
pub(crate) mod format;
pub(crate) mod generic;
pub(crate) mod inherent;
pub(crate) mod lexer;
pub mod metadata;
pub mod parser;
pub mod printer;
pub(crate) mod wide_integers;
