//! Analyses and transformations over the Freehold IR.
//!
//! A pass is a row ([`manage::pass::PassDef`]) in the [`registry`]; a
//! [`pipeline`](manage::pipeline) is a checked list of passes; the [`manager`](manage::manager) runs it,
//! functions in parallel. Passes do no input or output.
//!
//! Folders are layers, each of which imports only those before it: `analysis`, [`rewrite`], [`manage`],
//! `deallocation`, the families of passes, the [`pipelines`] made of them, the [`registry`]. The [`planner`] knows no IR at all.

pub mod analysis;
pub mod async_;
pub mod bufferize;
pub mod canonicalize;
pub mod check;
mod deallocation;
pub mod hlo;
pub mod legacy;
pub mod loops;
pub mod lowering;
pub mod manage;
pub mod merge_alloc;
pub mod mpi;
pub mod onnx;
pub mod ownership;
pub mod pipelines;
pub mod registry;
pub mod rewrite;
pub mod stablehlo;
pub mod tensor;

pub use freehold_planner as planner;
