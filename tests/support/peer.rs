//! The tools Freehold is compared with, and how a test says that one is missing.
//!
//! ```ignore
//! let Some(mlir_opt) = peer::find("mlir-opt-19") else {
//!     return peer::skipped("mlir-opt-19 is not installed");
//! };
//! let peer = peer::run(&mlir_opt, &["--canonicalize"], text)?;
//! ```

use std::env;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use super::process::{self, Finished, Stderr};

/// Where Debian puts the tools without a version in their name, and the libraries.
const LLVM_FOLDERS: [&str; 2] = ["/usr/lib/llvm-19/bin", "/usr/lib/llvm-19/lib"];

/// Finds a program in `PATH`, or a program or library of LLVM 19. A name with a slash is a file.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|file| file.is_file());
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .chain(LLVM_FOLDERS.map(PathBuf::from))
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// Says on the terminal, past the output capture of the test harness, that the current test did
/// not run.
pub(crate) fn skipped(reason: &str) {
    skipped_test(thread::current().name().unwrap_or("test"), reason);
}

/// Like [`skipped`], for a test whose name is not that of its thread.
pub(crate) fn skipped_test(name: &str, reason: &str) {
    // Nothing to do when the terminal is gone.
    let _ = io::stderr().write_all(format!("SKIPPED {name}: {reason}\n").as_bytes());
}

/// Runs a tool on `stdin`, at most for [`process::TIMEOUT`].
pub(crate) fn run(program: &Path, arguments: &[&str], stdin: &str) -> Result<Finished, String> {
    let mut command = Command::new(program);
    process::run(
        command.args(arguments),
        stdin.as_bytes(),
        Stderr::Separate,
        process::TIMEOUT,
    )
}

/// Like [`run`], but anything except exit status 0 is an error that quotes the error stream.
/// Gives the standard output.
pub(crate) fn run_ok(program: &Path, arguments: &[&str], stdin: &str) -> Result<String, String> {
    let finished = run(program, arguments, stdin)?;
    if finished.status == 0 {
        return String::from_utf8(finished.stdout).map_err(|_| "output is not UTF-8".into());
    }
    let mut message = format!("{}", program.display());
    for argument in arguments {
        let _ = write!(message, " {argument}");
    }
    let stderr = String::from_utf8_lossy(&finished.stderr);
    Err(format!(
        "{message}: exit status {}\n{stderr}",
        finished.status
    ))
}

/// What `mlir-opt-19` makes of `text` in generic form, normalised for comparison: two texts with
/// the same result are the same IR up to value names. An error is what mlir-opt says.
pub(crate) fn peer_generic(text: &str) -> Result<String, String> {
    let mlir_opt = find("mlir-opt-19").ok_or("mlir-opt-19 is not installed")?;
    // Local scope writes attributes in place, so that alias names and their order do not matter.
    let arguments = [
        "--mlir-print-op-generic",
        "--mlir-print-local-scope",
        "--allow-unregistered-dialect",
    ];
    run_ok(&mlir_opt, &arguments, text).map(|output| normalize(&output))
}

/// Drops comments, trailing blanks and empty lines.
pub(crate) fn normalize(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for line in text
        .lines()
        .map(strip_comment)
        .filter(|line| !line.is_empty())
    {
        result.push_str(line);
        result.push('\n');
    }
    result
}

/// `line` without its `//` comment, unless the slashes are inside a string, and without blanks at
/// the end.
fn strip_comment(line: &str) -> &str {
    let bytes = line.as_bytes();
    let mut in_string = false;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => in_string = !in_string,
            b'\\' if in_string => at += 1,
            b'/' if !in_string && bytes[at..].starts_with(b"//") => return line[..at].trim_end(),
            _ => {}
        }
        at += 1;
    }
    line.trim_end()
}
