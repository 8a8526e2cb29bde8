//! Builds the runtime as the compiler does, into one object, and C programs on top of it.
//!
//! What tests need stands in their lists; here it is expected to be there.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use crate::needs;

/// Where this test run may write.
pub(crate) fn scratch() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

/// A file next to the tests.
pub(crate) fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join("library/c")
        .join(name)
}

/// Runs a command that is expected to succeed.
#[track_caller]
pub(crate) fn run(command: &mut Command) -> Output {
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

/// The runtime compiled by `rustc` for `target`, or for this machine.
fn compile_runtime(rustc: &OsStr, target: Option<&str>) -> PathBuf {
    let name = format!("runtime-{}.o", target.unwrap_or("host"));
    let object = scratch().join(name);
    let mut command = Command::new(rustc);
    command.args([
        "--edition",
        "2024",
        "--crate-type",
        "lib",
        "--crate-name",
        "freehold_runtime",
    ]);
    command.args(["--emit", "obj", "-Copt-level=3", "-Cpanic=abort"]);
    if let Some(target) = target {
        command.args(["--target", target]);
    }
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs"));
    run(command.arg("-o").arg(&object));
    object
}

/// The runtime object for this machine; built once.
pub(crate) fn runtime_object() -> &'static Path {
    static OBJECT: LazyLock<PathBuf> = LazyLock::new(|| {
        let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        compile_runtime(&rustc, None)
    });
    &OBJECT
}

/// The runtime object for AArch64; built once.
pub(crate) fn aarch64_runtime_object() -> &'static Path {
    static OBJECT: LazyLock<PathBuf> = LazyLock::new(|| {
        let rustc = needs::aarch64_rustc().expect("the test says that it needs it");
        compile_runtime(rustc.as_os_str(), Some(needs::AARCH64))
    });
    &OBJECT
}

/// Compiles a C program of `c/` with `compiler`, linked with `arguments`.
pub(crate) fn compile_c(
    compiler: &str,
    name: &str,
    suffix: &str,
    arguments: &[OsString],
) -> PathBuf {
    let program = scratch().join(format!("{name}-{suffix}"));
    let mut command = Command::new(compiler);
    command
        .args(["-O1", "-w", "-o"])
        .arg(&program)
        .arg(source(&format!("{name}.c")));
    run(command.args(arguments));
    program
}
