//! The runtime as compiled programs meet it: as one object, linked with C, and beside MLIR's own libraries.

mod common;
#[path = "../../../tests/support/needs.rs"]
#[allow(dead_code, reason = "every test binary uses a part of this module")]
mod needs;

mod formats;
mod object;
mod programs;
mod runner_libraries;

use std::process::ExitCode;

/// No test here makes executables of programs.
fn has_aarch64_runtime() -> bool {
    false
}

fn main() -> ExitCode {
    let tests = [
        formats::tests(),
        object::tests(),
        programs::tests(),
        runner_libraries::tests(),
    ];
    needs::main(tests.into_iter().flatten().collect())
}
