//! Builds the runtime as the compiler does, into one object, and C programs on top of it.
//!
//! Every helper returns `None`, after saying `SKIPPED` and why, where a tool is missing.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

/// Says that the rest of a test is left out.
pub(crate) fn skip(reason: &str) {
    eprintln!("SKIPPED: {reason}");
}

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

fn works(tool: &OsString) -> bool {
    let mut command = Command::new(tool);
    command
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// A tool, from the environment variable or by its name; `None` if it does not run.
pub(crate) fn tool(variable: &str, name: &str) -> Option<OsString> {
    let tool = env::var_os(variable).unwrap_or_else(|| name.into());
    if works(&tool) {
        return Some(tool);
    }
    skip(&format!("{} does not run", tool.display()));
    None
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
fn compile_runtime(rustc: &OsString, target: Option<&str>) -> PathBuf {
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
pub(crate) fn runtime_object() -> Option<&'static PathBuf> {
    static OBJECT: OnceLock<Option<PathBuf>> = OnceLock::new();
    OBJECT
        .get_or_init(|| Some(compile_runtime(&tool("RUSTC", "rustc")?, None)))
        .as_ref()
}

/// The other target programs are compiled for.
const AARCH64: &str = "aarch64-unknown-linux-gnu";

/// The runtime object for AArch64; built once.
pub(crate) fn aarch64_runtime_object() -> Option<&'static PathBuf> {
    static OBJECT: OnceLock<Option<PathBuf>> = OnceLock::new();
    OBJECT
        .get_or_init(|| Some(compile_runtime(&aarch64_rustc()?, Some(AARCH64))))
        .as_ref()
}

/// A rustc that has a core library for [`AARCH64`].
fn aarch64_rustc() -> Option<OsString> {
    let rustc = env::var_os("RUNTIME_RUSTC_AARCH64")
        .or_else(|| env::var_os("RUSTC"))
        .unwrap_or_else(|| "rustc".into());
    let query = ["--target", AARCH64, "--print", "target-libdir"];
    let output = Command::new(&rustc).args(query).output();
    let directory = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    if directory.is_ok_and(|directory| Path::new(directory.trim()).is_dir()) {
        return Some(rustc);
    }
    skip("no rustc with a core library for AArch64 (RUNTIME_RUSTC_AARCH64)");
    None
}

/// Compiles a C program of `c/` with `compiler`, linked with `arguments`.
pub(crate) fn compile_c_with(
    compiler: &OsString,
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

/// Compiles a C program of `c/` for this machine, linked with `arguments`.
pub(crate) fn compile_c(name: &str, suffix: &str, arguments: &[OsString]) -> Option<PathBuf> {
    Some(compile_c_with(&tool("CC", "cc")?, name, suffix, arguments))
}
