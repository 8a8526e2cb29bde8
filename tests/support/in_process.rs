//! Commands that run in the process of the test.

use std::ffi::OsString;

use freehold::Io;

use super::stream::Buffer;
use super::test_dialect;

/// What a command left behind.
pub(crate) struct Output {
    pub(crate) status: u8,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `freehold` with these arguments.
pub(crate) fn freehold(arguments: &[&str], stdin: impl Into<Vec<u8>>) -> Output {
    let (stdout, stderr) = (Buffer::default(), Buffer::default());
    let mut io = Io {
        stdout: Box::new(stdout.clone()),
        stderr: Box::new(stderr.clone()),
        ..Io::captured(stdin)
    };
    let words = ["freehold"].iter().chain(arguments);
    let words: Vec<OsString> = words.map(OsString::from).collect();
    let status = test_dialect::main_with(&words, &mut io);
    let text = |stream: &Buffer| String::from_utf8_lossy(&stream.take()).into_owned();
    Output {
        status,
        stdout: text(&stdout),
        stderr: text(&stderr),
    }
}
