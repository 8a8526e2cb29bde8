//! Exit statuses of the `freehold` command.

/// Everything worked.
pub const OK: u8 = 0;
/// Diagnostics were reported, or the program that was run failed.
pub const FAILURE: u8 = 1;
/// The command line was wrong.
pub const USAGE: u8 = 2;
/// The program that was run misused memory (`run --check`).
pub const MEMORY_ERROR: u8 = 3;
/// A bug in Freehold. The number is what a shell reports for an aborted process, so that
/// scripts made for compilers that abort (`not --crash`, test-case reducers) work unchanged.
pub const INTERNAL_ERROR: u8 = 134;
