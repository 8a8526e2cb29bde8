//! The entry point of the command line: parses the arguments and calls the subcommand.
//!
//! Each subcommand is one file with a clap `Args` struct and a `run(args, io)` that returns the
//! exit status; it gets one variant of `Command` and one arm of `dispatch` here. A command prints
//! through [`Io`] only. An `io::Error` it returns means that its output could not be written;
//! trouble with an input file is a diagnostic of the command itself.

use std::any::Any;
use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;
use std::thread;

use clap::{CommandFactory, Parser, Subcommand};
use freehold_frontend::dialects;
use freehold_frontend::ir::op_def::DialectDef;

use crate::cli::io::Io;
use crate::cli::reporting::ReportingArgs;
use crate::cli::{
    bench, compare, compile, exit, explain, import, interpret, opt, plan, reduce, run, shell,
};
use crate::error;
use crate::threads::STACK_SIZE;

/// Compiles MLIR on tensors and memrefs to native code, deciding where every buffer is freed.
#[derive(Parser)]
#[command(
    name = "freehold",
    bin_name = "freehold",
    version = concat!(env!("CARGO_PKG_VERSION"), " (reads the text of MLIR 19 and 22)"),
    max_term_width = 100
)]
struct Cli {
    #[command(flatten)]
    reporting: ReportingArgs,
    #[command(subcommand)]
    command: Command,
}

/// The subcommands.
#[derive(Subcommand)]
enum Command {
    /// Benchmark generated code
    Bench(bench::Args),
    /// Run a program with every deallocation strategy and compare results, memory and time
    Compare(compare::Args),
    /// Compile a program to an object file, library, executable, header or assembly
    Compile(compile::Args),
    /// Print a script that completes command lines in a shell
    Completions(shell::CompletionsArgs),
    /// Explain where every buffer is freed, and why
    Explain(explain::Args),
    /// Turn a model wrapped by an importer into plain functions on tensors
    Import(import::Args),
    /// Run a program in the reference interpreter, which says what is undefined in it
    Interpret(interpret::Args),
    /// Write manual pages
    Man(shell::ManArgs),
    /// Run passes on MLIR, like mlir-opt
    Opt(opt::Args),
    /// Plan one arena for buffers with known live ranges
    Plan(plan::Args),
    /// Make a program smaller while it stays interesting: wrong, crashing, or what a command says
    Reduce(reduce::Args),
    /// JIT-compile a program and run it
    Run(run::Args),
}

/// Runs the command line `args`, whose first element is the program's name, and returns the exit
/// status (see [`exit`]).
///
/// The work happens on a thread with a large stack. A panic there is reported as an internal
/// compiler error instead of unwinding into the caller.
pub fn main_with(args: &[OsString], io: &mut Io) -> u8 {
    main_with_dialects(args, dialects::ALL, io)
}

/// As [`main_with`], with an `opt` that reads these dialects: those of the frontend
/// ([`dialects::ALL`]) and of one's own.
pub fn main_with_dialects(args: &[OsString], dialects: &[&'static DialectDef], io: &mut Io) -> u8 {
    guarded(io, |io| run_command(args, dialects, io))
}

/// Calls `work` on a thread with a large stack and says so when it panics or cannot write.
fn guarded(io: &mut Io, work: impl FnOnce(&mut Io) -> io::Result<u8> + Send) -> u8 {
    // Fails when the pool exists already: an embedding program made its own, or a test ran a
    // command before. Both are fine.
    let _ = rayon::ThreadPoolBuilder::new()
        .stack_size(STACK_SIZE)
        .build_global();
    let outcome = thread::scope(|scope| {
        thread::Builder::new()
            .name("freehold".into())
            .stack_size(STACK_SIZE)
            .spawn_scoped(scope, || work(io))
            .map(|worker| worker.join())
    });
    let (status, message) = match outcome {
        Ok(Ok(Ok(status))) => return status,
        // The reader of a pipe went away: there is no way left to report it.
        Ok(Ok(Err(error))) if error.kind() == io::ErrorKind::BrokenPipe => return exit::FAILURE,
        Ok(Ok(Err(error))) => {
            let reason = error::reason(&error);
            (exit::FAILURE, format!("cannot write output: {reason}"))
        }
        Ok(Err(panic)) => (
            exit::INTERNAL_ERROR,
            format!(
                "internal compiler error: {}\nnote: this is a bug in freehold {}",
                panic_message(panic.as_ref()),
                env!("CARGO_PKG_VERSION")
            ),
        ),
        Err(error) => (exit::FAILURE, format!("cannot start a thread: {error}")),
    };
    // When even the error stream is closed, the exit status has to do.
    let _ = writeln!(io.stderr, "freehold: error: {message}");
    status
}

fn run_command(args: &[OsString], dialects: &[&'static DialectDef], io: &mut Io) -> io::Result<u8> {
    let tool = Tool::called(args);
    let arguments = tool.map_or(args.to_vec(), |tool| tool.arguments(args));
    let status = match Cli::try_parse_from(arguments.iter().map(with_two_dashes)) {
        Ok(mut cli) => {
            io.reporting.apply(&cli.reporting);
            if let (Some(Tool::Runner), Command::Run(args)) = (tool, &mut cli.command) {
                args.as_upstream();
            }
            dispatch(cli.command, dialects, io)?
        }
        Err(error) => report_usage(&error, io)?,
    };
    io.stdout.flush()?;
    io.stderr.flush()?;
    Ok(status)
}

/// A tool of upstream's that links to this program may be named after.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tool {
    /// `mlir-opt`
    Opt,
    /// `mlir-runner`, or `mlir-cpu-runner` as it was called
    Runner,
}

impl Tool {
    /// The one whose name this program was called by.
    fn called(args: &[OsString]) -> Option<Self> {
        match Path::new(args.first()?).file_name()?.to_str()? {
            "mlir-opt" => Some(Self::Opt),
            "mlir-runner" | "mlir-cpu-runner" => Some(Self::Runner),
            _ => None,
        }
    }

    /// The command line with the subcommand that it is.
    fn arguments(self, args: &[OsString]) -> Vec<OsString> {
        let subcommand = match self {
            Self::Opt => "opt",
            Self::Runner => "run",
        };
        let subcommand = [OsString::from(subcommand)];
        [&args[..1], &subcommand, &args[1..]].concat()
    }
}

/// Long flags may have one dash, as LLVM's tools take them (`-shared-libs=a.so`), and levels of optimization two.
fn with_two_dashes(arg: &OsString) -> OsString {
    let is_long = |flag: &[u8]| {
        let mut name = flag
            .split(|&byte| byte == b'=')
            .next()
            .unwrap_or(&[])
            .iter();
        name.len() > 1 && name.all(|byte| byte.is_ascii_lowercase() || *byte == b'-')
    };
    if let Some(level) = arg.as_bytes().strip_prefix(b"--O")
        && matches!(level, [b'0'..=b'3'])
    {
        return OsString::from_vec([b"-O", level].concat());
    }
    // Names of files in them need not be text.
    match arg.as_bytes().strip_prefix(b"-") {
        Some(flag) if !flag.starts_with(b"-") && is_long(flag) => {
            OsString::from_vec([b"--", flag].concat())
        }
        _ => arg.clone(),
    }
}

fn dispatch(command: Command, dialects: &[&'static DialectDef], io: &mut Io) -> io::Result<u8> {
    match command {
        Command::Bench(args) => bench::run(&args, io),
        Command::Compare(args) => compare::run(&args, io),
        Command::Compile(args) => compile::run(&args, io),
        Command::Completions(args) => shell::completions(&args, &mut documented(), io),
        Command::Explain(args) => explain::run(&args, io),
        Command::Import(args) => import::run(&args, io),
        Command::Interpret(args) => interpret::run(&args, io),
        Command::Man(args) => shell::manual(&args, documented(), io),
        Command::Opt(args) => opt::run(&args, dialects, io),
        Command::Plan(args) => plan::run(&args, io),
        Command::Reduce(args) => reduce::run(&args, io),
        Command::Run(args) => run::run(&args, io),
    }
}

/// The command line as completions and manual pages show it. `opt` reads its own by itself: here its flags and all
/// passes are told to clap.
fn documented() -> clap::Command {
    Cli::command().mut_subcommand("opt", |opt| opt.args(opt::flags()))
}

/// Prints what clap has to say: an error, or the text of `--help` and `--version`.
fn report_usage(error: &clap::Error, io: &mut Io) -> io::Result<u8> {
    let text = error.render();
    if !error.use_stderr() {
        write!(io.stdout, "{text}")?;
        return Ok(exit::OK);
    }
    if io.reporting.color {
        write!(io.stderr, "{}", text.ansi())?;
    } else {
        write!(io.stderr, "{text}")?;
    }
    Ok(exit::USAGE)
}

fn panic_message(payload: &(dyn Any + Send)) -> &str {
    payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("the panic carries no message")
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// A stream that sends its bytes to a channel.
    struct Sink(mpsc::Sender<Vec<u8>>);

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(bytes.to_vec()).unwrap();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The exit status and the error output of `work`.
    fn run_guarded(work: impl FnOnce(&mut Io) -> io::Result<u8> + Send) -> (u8, String) {
        let (sender, receiver) = mpsc::channel();
        let mut io = Io {
            stderr: Box::new(Sink(sender)),
            ..Io::captured("")
        };
        let status = guarded(&mut io, work);
        drop(io);
        let errors = receiver.iter().flatten().collect();
        (status, String::from_utf8(errors).unwrap())
    }

    #[test]
    fn panics_become_internal_errors() {
        let (status, errors) = run_guarded(|_| panic!("the {} broke", "frobnicator"));
        assert_eq!(status, exit::INTERNAL_ERROR);
        assert!(errors.starts_with("freehold: error: internal compiler error: the frobnicator"));
        let (_, errors) = run_guarded(|_| panic!("plain"));
        assert!(
            errors.contains("internal compiler error: plain\nnote: "),
            "{errors}"
        );
    }

    #[test]
    fn unwritable_output_is_reported_once_somebody_listens() {
        let full = io::Error::from(io::ErrorKind::StorageFull);
        let (status, errors) = run_guarded(|_| Err(full));
        assert_eq!(status, exit::FAILURE);
        assert!(
            errors.starts_with("freehold: error: cannot write output: "),
            "{errors}"
        );
        let closed = io::Error::from(io::ErrorKind::BrokenPipe);
        assert_eq!(run_guarded(|_| Err(closed)), (exit::FAILURE, String::new()));
    }

    #[test]
    fn the_stack_is_large() {
        fn recurse(depth: usize) -> usize {
            let frame = std::hint::black_box([depth; 64]);
            if depth == 0 {
                0
            } else {
                1 + recurse(depth - 1).min(frame[63])
            }
        }
        let (status, _) = run_guarded(|_| Ok(u8::from(recurse(100_000) == 0)));
        assert_eq!(status, exit::OK);
    }
}
