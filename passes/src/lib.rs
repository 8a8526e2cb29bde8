//! Analyses and transformations over the Freehold IR.
//!
//! A pass is a row ([`pass::PassDef`]) in the [`registry`]; a [`pipeline`] is a
//! checked list of passes; the [`manager`] runs it, functions in parallel.
//! Passes do no input or output.

pub mod bufferize;
pub mod canonicalize;
pub mod check;
pub mod dead_code;
pub mod greedy;
pub mod hlo;
pub mod legacy;
pub mod loops;
pub mod lowering;
pub mod manager;
pub mod merge_alloc;
pub mod ownership;
pub mod pass;
pub mod pipeline;
pub mod registry;
mod runtime_function;
pub mod suggestion;
