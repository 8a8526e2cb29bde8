//! `freehold bench`: native measurements of what Freehold generates.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Subcommand;

use crate::cli::io::Io;
use crate::cli::{exit, session};

mod dealloc;
mod emulated;
mod operation;
mod peer;

/// The command line of `bench`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

/// What to measure.
#[derive(Subcommand, Debug)]
enum What {
    /// Cost of `bufferization.dealloc` by lowering and number of operands
    Dealloc(dealloc::Args),
}

/// Runs the command; returns the exit status.
pub(crate) fn run(args: &Args, io: &mut Io) -> io::Result<u8> {
    match &args.what {
        What::Dealloc(args) => dealloc::run(args, io),
    }
}

/// Writes a result to a file or, for `-`, to standard output; says what went wrong.
fn write_result(path: Option<&PathBuf>, text: &str, io: &mut Io) -> io::Result<u8> {
    let Some(path) = path else {
        return Ok(exit::OK);
    };
    match session::write_output(Some(path), text.as_bytes(), io) {
        Ok(()) => Ok(exit::OK),
        Err(message) => {
            writeln!(io.stderr, "{message}")?;
            Ok(exit::FAILURE)
        }
    }
}
