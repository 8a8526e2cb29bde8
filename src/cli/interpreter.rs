//! Running a program in the interpreter, for the commands that do.

use std::ffi::OsString;
use std::io::{self, Write};

use freehold_frontend::ir::diag::Diagnostics;
use freehold_interpret::{Fault, FaultKind, Limits, Settings, function_types};

use crate::cli::call::{Title, ValueArgs};
use crate::cli::interpreted::{inputs, report, shown};
use crate::cli::io::Io;
use crate::cli::{exit, session};
use crate::job::{Job, Source};

/// How much an interpreted program may do.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct LimitArgs {
    /// Stop an interpreted program after this many operations
    #[arg(long, value_name = "N", default_value = "1000000000000")]
    max_steps: u64,
    /// Stop an interpreted program that has more bytes than this allocated
    #[arg(long, value_name = "BYTES", default_value = "4294967296")]
    max_memory: u64,
}

impl LimitArgs {
    /// The settings of the interpreter.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            limits: Limits {
                steps: self.max_steps,
                bytes: self.max_memory,
                ..Settings::default().limits
            },
            ..Settings::default()
        }
    }
}

/// The program to interpret, and how.
pub(crate) struct What<'a> {
    /// What messages call the command.
    pub(crate) command: &'a str,
    pub(crate) entry: &'a str,
    pub(crate) settings: Settings,
    /// Whether memory that is not freed is an error.
    pub(crate) leaks: bool,
}

/// Reads a program, interprets it and shows what came out.
pub(crate) fn interpret(
    file: &OsString,
    job: &Job,
    values: &ValueArgs,
    what: &What<'_>,
    io: &mut Io,
) -> io::Result<u8> {
    let input = match session::load_program(file, io) {
        Ok(input) => input,
        Err(message) => {
            writeln!(io.stderr, "{message}")?;
            return Ok(exit::FAILURE);
        }
    };
    let read = job.read_for_one_device(Source::new(input.name, input.text));
    session::report(&read.diagnostics, &read.context, io)?;
    let Some(module) = read.lowered.map(|lowered| lowered.ir) else {
        return Ok(exit::FAILURE);
    };
    let Some((arguments, _)) = function_types(&module, what.entry) else {
        let (command, entry) = (what.command, what.entry);
        writeln!(
            io.stderr,
            "{command}: error: entry point not found: no function '{entry}' that is defined"
        )?;
        return Ok(exit::FAILURE);
    };
    let passed = values
        .arrays()
        .and_then(|arrays| inputs(&read.context, arrays, &arguments));
    let passed = match passed {
        Ok(passed) => passed,
        Err(message) => {
            writeln!(io.stderr, "{}: error: {message}", what.command)?;
            return Ok(exit::FAILURE);
        }
    };
    let outcome =
        freehold_interpret::run(&module, what.entry, &passed, what.settings, &mut io.stdout);
    io.stdout.flush()?;
    if let Some(fault) = outcome.fault.as_ref().or(outcome.undefined_result.as_ref()) {
        report(fault, &read.context, io)?;
        return Ok(status(fault));
    }
    let shown = shown(&module, what.entry, &outcome).into_iter();
    let shown = shown.map(|(what, index, array)| (Title::numbered(what, index), array));
    if let Err(message) = values.show(what.entry, shown.collect(), io)? {
        writeln!(io.stderr, "{}: error: {message}", what.command)?;
        return Ok(exit::FAILURE);
    }
    if what.leaks && !outcome.leaks.is_empty() {
        let mut diagnostics = Diagnostics::new();
        for leak in &outcome.leaks {
            diagnostics.error(
                leak.loc,
                format!("leak: {} bytes are never freed", leak.bytes),
            );
        }
        session::report(&diagnostics, &read.context, io)?;
        return Ok(exit::MEMORY_ERROR);
    }
    Ok(exit::OK)
}

/// The exit status after a fault.
fn status(fault: &Fault) -> u8 {
    match fault.kind {
        FaultKind::Memory => exit::MEMORY_ERROR,
        _ => exit::FAILURE,
    }
}
