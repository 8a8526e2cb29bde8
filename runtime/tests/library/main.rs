//! The runtime as compiled programs meet it: as one object, linked with C, and beside MLIR's own libraries.

mod common;

mod formats;
mod object;
mod programs;
mod runner_libraries;
