//! The streams a command works on.
//!
//! Subcommands read and write these and never the process streams, so that a test can run any
//! command in its own process and look at what it printed.

use std::ffi::OsString;
use std::io::{self, BufWriter, Cursor, IsTerminal, Read, Write};

use crate::cli::reporting::Reporting;

/// Where a command reads its standard input and writes its output and its diagnostics.
pub struct Io {
    /// What `-` as an input file names.
    pub stdin: Box<dyn Read + Send>,
    /// Results: IR, tables, reports. Buffered; [`crate::main_with`] flushes it at the end. A command
    /// that lets native code print must flush it before calling that code.
    pub stdout: Box<dyn Write + Send>,
    /// Diagnostics.
    pub stderr: Box<dyn Write + Send>,
    /// How diagnostics are shown.
    pub reporting: Reporting,
    /// The words that run this command in a process of its own; none stand for the executable of this one.
    pub again: Vec<OsString>,
}

impl Io {
    /// The streams of this process.
    pub fn process() -> Self {
        Self {
            stdin: Box::new(io::stdin()),
            stdout: Box::new(BufWriter::new(io::stdout())),
            stderr: Box::new(io::stderr()),
            reporting: Reporting {
                terminal: io::stderr().is_terminal(),
                ..Reporting::default()
            },
            again: Vec::new(),
        }
    }

    /// Streams that read `stdin` and discard output; replace `stdout` or `stderr` to keep it.
    pub fn captured(stdin: impl Into<Vec<u8>>) -> Self {
        Self {
            stdin: Box::new(Cursor::new(stdin.into())),
            stdout: Box::new(io::sink()),
            stderr: Box::new(io::sink()),
            reporting: Reporting::default(),
            again: Vec::new(),
        }
    }
}
