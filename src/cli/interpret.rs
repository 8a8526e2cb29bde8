//! `freehold interpret`: what a program means, by the reference interpreter: slow, and exact about what is
//! undefined.

use std::ffi::OsString;
use std::io::{self, Write};

use crate::cli::call::{EntryArgs, ValueArgs};
use crate::cli::exit;
use crate::cli::flags::{Flags, Takes};
use crate::cli::interpreter::{LimitArgs, What, interpret};
use crate::cli::io::Io;
use crate::job::{Job, Output};

/// The command line of `interpret`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The program, or `-` for standard input
    file: OsString,
    #[command(flatten)]
    flags: Flags<Flagged>,
    #[command(flatten)]
    entry: EntryArgs,
    #[command(flatten)]
    values: ValueArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Report memory that the program does not free
    #[arg(long)]
    leaks: bool,
}

/// The options of `interpret`.
#[derive(Clone, Debug)]
struct Flagged;

impl Takes for Flagged {
    fn takes(name: &str) -> bool {
        ["ignore-dialect", "irdl-file"].contains(&name)
    }
}

/// Runs the command; returns the exit status.
pub(crate) fn run(args: &Args, io: &mut Io) -> io::Result<u8> {
    if let Err(error) = args.values.check() {
        writeln!(io.stderr, "freehold interpret: error: {error}")?;
        return Ok(exit::USAGE);
    }
    let job = match Job::new(args.flags.options.clone(), Output::Memory) {
        Ok(job) => job,
        Err(error) => {
            writeln!(io.stderr, "freehold interpret: error: {error}")?;
            return Ok(exit::USAGE);
        }
    };
    let what = What {
        command: "freehold interpret",
        entry: &args.entry.entry_point,
        settings: args.limits.settings(),
        leaks: args.leaks,
    };
    interpret(&args.file, &job, &args.values, &what, io)
}
