//! Freehold compiles MLIR on tensors and memrefs to native code and decides where every buffer is freed.
//!
//! This crate is the command line and a thin facade over the four crates that do the work: [`frontend`] holds the IR
//! and its text, [`passes`] transforms it, [`backend`] generates code and the runtime crate is linked into what comes
//! out. A program can do what a subcommand does through these crates, and the common cases in a few lines through
//! [`Module`]. [`Options`] are the flags of `run` and `compile` as fields; a [`Job`] is these with an output.
//!
//! From text to a call, in this process:
//!
//! ```
//! use std::sync::Arc;
//!
//! use freehold::backend::Options;
//! use freehold::backend::jit::{Argument, Buffer, compile_to_jit};
//! use freehold::frontend::ir::diag::Diagnostics;
//! use freehold::frontend::dialects;
//! use freehold::frontend::syntax::parser::parse_source;
//! use freehold::frontend::verify::verify;
//! use freehold::passes::manage::manager::{self, RunOptions};
//! use freehold::passes::registry;
//!
//! let text = "
//!     func.func @doubled_sum(%m: memref<?xi64>) -> i64 {
//!       %c0 = arith.constant 0 : index
//!       %c1 = arith.constant 1 : index
//!       %zero = arith.constant 0 : i64
//!       %n = memref.dim %m, %c0 : memref<?xi64>
//!       %twice = memref.alloc(%n) : memref<?xi64>
//!       linalg.add ins(%m, %m : memref<?xi64>, memref<?xi64>) outs(%twice : memref<?xi64>)
//!       %sum = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> i64 {
//!         %v = memref.load %twice[%i] : memref<?xi64>
//!         %next = arith.addi %sum, %v : i64
//!         scf.yield %next : i64
//!       }
//!       return %sum : i64
//!     }";
//!
//! // Errors are values: a failure says only that there are diagnostics.
//! let context = Arc::new(dialects::context());
//! let mut diagnostics = Diagnostics::new();
//! let mut compile = || {
//!     let source = context.add_source("sum.mlir", text, 1).expect("a small text");
//!     let mut module = parse_source(&context, &source, &mut diagnostics)?;
//!     verify(&module, &mut diagnostics)?;
//!     let pipeline = registry::parse(
//!         "builtin.module(buffer-deallocation-pipeline, convert-bufferization-to-memref,
//!          convert-linalg-to-loops, lower-affine, convert-scf-to-cf, canonicalize, cse)",
//!     )
//!     .expect("these passes exist");
//!     manager::run(&mut module, &pipeline, RunOptions::default(), &mut diagnostics)?;
//!     compile_to_jit(&module, &Options::host(), &mut diagnostics)
//! };
//! let Ok(code) = compile() else {
//!     panic!("{}", diagnostics.render_plain(&context));
//! };
//!
//! let mut data = [1_i64, 2, 3];
//! let memref = Buffer::new(&mut data, &[3]);
//! let results = code.call("doubled_sum", &[Argument::MemRef(&memref)]);
//! let results = results.expect("the arguments are as declared");
//! assert_eq!(results[0].as_int(), Some(12));
//! ```
//!
//! The command line, with streams of one's own (the feature `cli`, which is on by default):
//!
//! ```
//! # #[cfg(feature = "cli")] {
//! let mut io = freehold::Io::captured("");
//! let status = freehold::main_with(&["freehold".into(), "--version".into()], &mut io);
//! assert_eq!(status, freehold::exit::OK);
//! # }
//! ```

mod cache;
#[cfg(feature = "cli")]
mod cli;
mod compiled;
mod declarations;
mod entry;
mod error;
mod job;
mod module;
mod mpi;
mod operations;
mod options;
mod parse;
pub mod threads;

pub use cache::build_id;
#[cfg(feature = "cli")]
pub use cli::{ErrorFormat, Io, Reporting, exit, main_with, main_with_dialects};
pub use compiled::Compiled;
pub use error::{Error, Location, Report};
pub use job::{Job, Output, Product, Source};
pub use module::Module;
pub use options::{Check, Level, OptionError, Options, Perf, Stats, Threads, VectorBits};

pub use freehold_backend as backend;
pub use freehold_frontend as frontend;
pub use freehold_passes as passes;
