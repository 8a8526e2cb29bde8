//! `freehold compile`: frees every buffer and writes an object file, an
//! executable, or the code as text.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::ValueEnum;
use freehold_backend::Options;
use freehold_backend::isa::Target;
use freehold_backend::link::{LinkOptions, link_executable};
use freehold_backend::object::{compile_to_executable_object, compile_to_object};
use freehold_backend::text::{TextKind, compile_to_text};
use freehold_frontend::diag::Diagnostics;

use crate::native::{NativeArgs, ReportArgs, prepare};
use crate::{Io, exit, session};

/// What to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Emit {
    /// An object file
    Obj,
    /// An executable whose C `main` calls `@main`
    Exe,
    /// Machine instructions as text
    Asm,
    /// Cranelift's intermediate form as text
    Clif,
}

/// The command line of `compile`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    native: NativeArgs,
    /// The file to write; `-` is standard output [default: the input's name with another ending]
    #[arg(short = 'o')]
    output: Option<PathBuf>,
    /// What to write
    #[arg(long, value_enum, default_value = "obj")]
    emit: Emit,
    /// What to compile for, e.g. aarch64-unknown-linux-gnu [default: this machine]
    #[arg(long)]
    target: Option<String>,
    /// Executables: the function that `main` calls
    #[arg(short = 'e', long = "entry-point", default_value = "main")]
    entry_point: String,
    /// Executables: link everything in, so that no shared library is needed
    #[arg(long = "static")]
    static_executable: bool,
    #[command(flatten)]
    report: ReportArgs,
}

/// Runs the command; returns the exit status.
pub(crate) fn run(args: &Args, io: &mut Io) -> io::Result<u8> {
    let target = match args.target.as_deref().map(Target::from_str).transpose() {
        Ok(target) => target.unwrap_or_else(Target::host),
        Err(error) => {
            writeln!(io.stderr, "freehold compile: error: {error}")?;
            return Ok(exit::USAGE);
        }
    };
    let Some((context, ir)) = prepare(&args.native, io)? else {
        return Ok(exit::FAILURE);
    };
    let mut options = Options::new(target);
    options.opt_level = args.native.opt_level();
    args.report.apply(&mut options);
    let mut diagnostics = Diagnostics::new();
    let compiled = match args.emit {
        Emit::Obj => compile_to_object(&ir, &options, &mut diagnostics),
        Emit::Exe => {
            compile_to_executable_object(&ir, &options, &args.entry_point, &mut diagnostics)
        }
        Emit::Asm => compile_to_text(&ir, TextKind::Assembly, &options, &mut diagnostics)
            .map(String::into_bytes),
        Emit::Clif => {
            compile_to_text(&ir, TextKind::Clif, &options, &mut diagnostics).map(String::into_bytes)
        }
    };
    session::report(&diagnostics, &context, io)?;
    let Ok(bytes) = compiled else {
        return Ok(exit::FAILURE);
    };
    let output = args.output.clone().unwrap_or_else(|| default_output(args));
    let written = if args.emit == Emit::Exe {
        let link = LinkOptions {
            static_executable: args.static_executable,
            ..LinkOptions::default()
        };
        link_executable(&bytes, &output, &options.target, &link)
            .map_err(|error| format!("error: {error}"))
    } else {
        session::write_output(Some(&output), &bytes, io)
    };
    match written {
        Ok(()) => Ok(exit::OK),
        Err(message) => {
            writeln!(io.stderr, "{message}")?;
            Ok(exit::FAILURE)
        }
    }
}

/// The input's name with the ending of what is written; text goes to standard output.
fn default_output(args: &Args) -> PathBuf {
    let stem = Path::new(&args.native.file)
        .file_stem()
        .filter(|stem| *stem != "-");
    let name = PathBuf::from(stem.unwrap_or("a".as_ref()));
    match args.emit {
        Emit::Obj => name.with_extension("o"),
        Emit::Exe => name,
        Emit::Asm | Emit::Clif => PathBuf::from("-"),
    }
}
