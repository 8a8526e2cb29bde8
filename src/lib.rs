//! Freehold compiles memref-level MLIR to native code and decides where every buffer is freed.
//!
//! This crate is the command line and a thin facade over the four crates that do the work:
//! [`frontend`] holds the IR and its text, [`passes`] transforms it, [`backend`] generates code
//! and the runtime crate is linked into what comes out. Anything a subcommand can do, a program
//! can do through these crates, and what is common in a few lines through [`Module`].
//!
//! ```
//! let mut io = freehold::Io::captured("");
//! let status = freehold::main_with(&["freehold".into(), "--version".into()], &mut io);
//! assert_eq!(status, freehold::exit::OK);
//! ```

mod compile;
mod driver;
mod expected;
mod io;
mod module;
mod native;
mod opt;
mod plan;
mod run;
mod session;

pub use driver::{exit, main_with};
pub use io::Io;
pub use module::{Error, Module};

pub use freehold_backend as backend;
pub use freehold_frontend as frontend;
pub use freehold_passes as passes;
