//! The runtime as compiled programs meet it: as one object, linked with C, and beside MLIR's own libraries.
//!
//! What tests need stands in their lists; here it is expected to be there.

mod formats;
mod object;
mod programs;
mod runner_libraries;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use freehold_backend::isa::Target;
use freehold_backend::link;
use libtest_mimic::Trial;

use crate::common::{self, scratch};

/// Runs a command that is expected to succeed.
#[track_caller]
fn run(command: &mut Command) -> Output {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let status = output.status;
    assert!(
        status.success(),
        "{command:?}: {status}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// The runtime that executables for `target` are linked with, as a file `name`.
fn write_object(target: &Target, name: &str) -> PathBuf {
    let path = scratch(name);
    let object = link::runtime_object(target).expect("the test says that it needs it");
    fs::write(&path, object).unwrap();
    path
}

/// The runtime object for this machine.
fn host_object() -> &'static Path {
    static OBJECT: LazyLock<PathBuf> =
        LazyLock::new(|| write_object(&Target::host(), "runtime-host.o"));
    &OBJECT
}

/// The runtime object for AArch64.
fn aarch64_object() -> &'static Path {
    static OBJECT: LazyLock<PathBuf> =
        LazyLock::new(|| write_object(&common::aarch64(), "runtime-aarch64.o"));
    &OBJECT
}

/// Compiles a C program of `c/` with `compiler`, linked with `arguments`.
fn compile_c(compiler: &str, name: &str, suffix: &str, arguments: &[OsString]) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/native/runtime/c")
        .join(format!("{name}.c"));
    let program = scratch(&format!("{name}-{suffix}"));
    let mut command = Command::new(compiler);
    command.args(["-O1", "-w", "-o"]).arg(&program).arg(source);
    run(command.args(arguments));
    program
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    let tests = [
        formats::tests(),
        object::tests(),
        programs::tests(),
        runner_libraries::tests(),
    ];
    tests.into_iter().flatten().collect()
}
