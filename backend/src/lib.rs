//! Lowers the Freehold IR through Cranelift to machine code.
//!
//! What comes in is a module of functions whose bodies are blocks of `arith`,
//! `index`, `math`, `complex`, `cf`, `func`, `memref` and `ub` operations; what
//! comes out is code in this process ([`jit`]), an object file ([`object`]), an
//! executable ([`link`]) or text. Everything else is a diagnostic that names
//! the operation; verified IR never panics.
//!
//! Reading order: [`isa`] (what to compile for), `repr` (how values of each type
//! are held), [`abi`] (how functions call each other and C), `program` (the
//! symbols of a module), `lower` (operations to CLIF), `compile` (all functions
//! in parallel, and what `outline` cuts out of them), `emit`, then the outputs.

pub mod abi;
pub mod archive;
mod command_line;
mod compile;
pub mod cpu;
mod cpu_check;
mod dead_params;
mod debug_info;
mod declaration;
mod emit;
mod external;
pub mod header;
pub mod isa;
pub mod jit;
pub mod link;
mod lower;
pub mod object;
mod options;
mod outline;
mod preconditions;
mod program;
mod references;
mod repr;
mod saved;
mod sections;
mod split;
pub mod text;
mod unwind;
mod vector;
pub mod versions;
mod wide;
mod wrappers;

pub use crate::declaration::{Declaration, Label};
pub use crate::isa::OptLevel;
pub use crate::options::{AllocMode, Allocator, Options, PerfOutput, StatsFormat};
#[doc(hidden)]
pub use crate::wide::encodings::{Encoded, encodings};

/// The names of the operations that there is code for.
pub fn operations_with_code() -> impl Iterator<Item = &'static str> {
    lower::tables::tables().map(|(def, _)| def.name)
}
