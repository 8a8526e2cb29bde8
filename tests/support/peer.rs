//! The tools Freehold is compared with. Tests that call them say so in their list of trials ([`crate::needs`]).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::process::{self, Finished, Stderr};

pub(crate) use crate::needs::find;

/// Finds a tool that the list of trials says is needed.
#[track_caller]
pub(crate) fn tool(name: &str) -> PathBuf {
    find(name).unwrap_or_else(|| {
        panic!("{name} is not installed, and this test does not say that it needs it")
    })
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
    let mlir_opt = tool("mlir-opt-19");
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
