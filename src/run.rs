//! `freehold run`: frees every buffer, compiles to memory and runs a function
//! of the program.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use freehold_backend::isa::Target;
use freehold_backend::jit::{CrashReport, EntryResult, Jit, ResultKind, load_or_compile};
use freehold_backend::{PerfOutput, StatsFormat};
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::syntax::printer::{PrintOptions, print};
use freehold_passes::pipelines::native_pipeline;
use freehold_runtime::{check, count, events};

use crate::cache::{Cache, Entry};
use crate::call::{Call, CallArgs, Outcome};
use crate::native::{Dealloc, MadeFor, NativeArgs, Prepared, Processor, ReportArgs, prepare};
use crate::profile::Profile;
use crate::{Io, exit, session};

/// The command line of `run`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    native: NativeArgs,
    /// The function to run
    #[arg(
        short = 'e',
        long = "entry-point",
        visible_alias = "function",
        default_value = "main"
    )]
    entry_point: String,
    #[command(flatten)]
    call: CallArgs,
    /// What that function returns, printed as mlir-cpu-runner does; nothing is printed of void [default:
    /// whatever it returns is printed with its type]
    #[arg(long, value_parser = result_kind)]
    entry_point_result: Option<ResultKind>,
    /// Shared libraries to look for undefined symbols in, separated by commas
    #[arg(long, value_delimiter = ',')]
    shared_libs: Vec<PathBuf>,
    #[command(flatten)]
    report: ReportArgs,
    /// Keep compiled programs in this folder, and take up those that are there. Not with --stats, --check,
    /// --perf, --remarks or -g
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Tell Linux's perf about the code
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "map")]
    perf: Option<Perf>,
    /// Write times, code size and, with --stats, memory over time for `compare` to read
    #[arg(long, hide = true)]
    profile: Option<PathBuf>,
}

/// What is written for `perf`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Perf {
    /// /tmp/perf-PID.map: names of functions
    Map,
    /// jit-PID.dump here, for perf inject --jit: code, and with -g its lines
    Dump,
}

fn result_kind(text: &str) -> Result<ResultKind, String> {
    ResultKind::from_name(text).ok_or_else(|| "expected void, i32, i64, f32 or f64".to_owned())
}

/// Runs the command; returns the exit status.
pub(crate) fn run(args: &Args, io: &mut Io) -> io::Result<u8> {
    let mut options = match args.native.options(Target::host(), "native") {
        Ok(options) => options,
        Err(error) => {
            writeln!(io.stderr, "freehold run: error: {error}")?;
            return Ok(exit::USAGE);
        }
    };
    if let Err(error) = args.call.check() {
        writeln!(io.stderr, "freehold run: error: {error}")?;
        return Ok(exit::USAGE);
    }
    let mut profile = Profile::default();
    let start = Instant::now();
    let entry = Some(&*args.entry_point);
    let library = args.report.callable();
    let processor = Processor::of(&options, true);
    let is_plain = !args.report.checks() && args.report.stats().is_none();
    let is_plain =
        is_plain && args.perf.is_none() && options.debug_info.is_none() && !options.remarks;
    let cache = args.cache.as_ref().filter(|_| is_plain).map(Cache::new);
    let known = cache.as_ref().map(|cache| (cache, &options));
    let made_for = MadeFor {
        library,
        entry,
        processor,
        versions: Vec::new(),
        workspace: native_pipeline::Workspace::Nothing,
        annotates: false,
    };
    let prepared = prepare(&args.native, &args.report, &made_for, known, io)?;
    let Some(prepared) = prepared else {
        return Ok(exit::FAILURE);
    };
    let Prepared {
        context,
        ir,
        declarations,
        kept,
        ..
    } = prepared;
    args.report.apply(&mut options);
    options.shared_libs.clone_from(&args.shared_libs);
    options.perf = args.perf.map(|perf| match perf {
        Perf::Map => PerfOutput::Map,
        Perf::Dump => PerfOutput::Dump,
    });
    let mut diagnostics = Diagnostics::new();
    let known = kept.as_ref().and_then(|kept| kept.code.clone());
    let mut code = known.clone();
    let jit = load_or_compile(&ir, &options, &mut code, &mut diagnostics);
    session::report(&diagnostics, &context, io)?;
    if let (Some(cache), Some(kept), Some(code)) = (&cache, kept, code)
        && known.as_ref() != Some(&code)
        && diagnostics.iter().next().is_none()
    {
        let entry = Entry {
            declarations: declarations.clone(),
            text: print(&ir, PrintOptions::default()),
            code,
        };
        if let Err(error) = cache.store(&kept.key, &entry) {
            writeln!(
                io.stderr,
                "freehold run: warning: cannot write to the cache: {error}"
            )?;
        }
    }
    let Ok(mut jit) = jit else {
        return Ok(exit::FAILURE);
    };
    jit.declare(&declarations);
    profile.set("compile_ns", nanoseconds(start.elapsed()));
    profile.set("code_bytes", jit.total_code_size() as u64);
    if args.profile.is_some() {
        events::freehold_events_enable();
    }
    // The program writes through the C library, past our buffer.
    io.stdout.flush()?;
    // A program that nothing frees for may return memory that is not its caller's to free.
    let keeps_memory = args.report.stats().is_none()
        && !args.report.checks()
        && matches!(args.native.dealloc, Dealloc::None | Dealloc::Hlo);
    let called = match prepare_call(args, &jit) {
        Ok(mut call) => {
            let crashes = CrashReport::install(exit::FAILURE);
            let outcome = args.call.run(&mut call, keeps_memory, io)?;
            freehold_runtime::flush_standard_output();
            drop(crashes);
            outcome.map(|outcome| (call, outcome))
        }
        Err(message) => Err(message),
    };
    let shown = match called {
        Ok((call, outcome)) => {
            profile.set("run_ns", nanoseconds(outcome.time()));
            let shown = show(args, &call, &outcome, io)?;
            if keeps_memory {
                outcome.leak();
            }
            shown
        }
        Err(message) => Err(message),
    };
    if let Err(message) = shown {
        writeln!(io.stderr, "freehold run: error: {message}")?;
        return Ok(exit::FAILURE);
    }
    io.stdout.flush()?;
    let mut status = exit::OK;
    if args.report.checks() && check::freehold_check_report() != 0 {
        status = exit::MEMORY_ERROR;
    }
    if let Some(format) = args.report.stats() {
        count::freehold_stats_report(format == StatsFormat::Json);
    }
    if let Some(path) = &args.profile {
        if args.report.stats().is_some() {
            profile.add_counted();
        }
        if let Err(message) = session::write_file(path, profile.print().as_bytes()) {
            writeln!(io.stderr, "{message}")?;
            status = exit::FAILURE;
        }
    }
    // Reports point into the code's constants: forget them before it goes.
    check::freehold_check_reset();
    count::freehold_stats_reset();
    drop(jit);
    Ok(status)
}

/// The function that is to be called, with its arguments.
fn prepare_call<'j>(args: &Args, jit: &'j Jit) -> Result<Call<'j>, String> {
    let name = &args.entry_point;
    if !args.call.has_inputs() {
        let kind = args.entry_point_result.unwrap_or(ResultKind::Void);
        // Of arguments that are missing, the call itself says more.
        let has_arguments = jit
            .get_function(name)
            .is_ok_and(|f| !f.signature().arguments.is_empty());
        if !has_arguments {
            jit.check_entry(name, kind)
                .map_err(|error| error.to_string())?;
        }
    }
    args.call
        .prepare(jit.get_function(name).map_err(|error| error.to_string())?)
}

/// Prints what the function returned.
fn show(
    args: &Args,
    call: &Call<'_>,
    outcome: &Outcome,
    io: &mut Io,
) -> io::Result<Result<(), String>> {
    match args.entry_point_result {
        Some(kind) => print_result(EntryResult::of(kind, outcome.results()), io).map(Ok),
        None => args.call.show(call, outcome, io),
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Prints a result as `mlir-cpu-runner` does.
fn print_result(result: EntryResult, io: &mut Io) -> io::Result<()> {
    match result {
        EntryResult::Void => Ok(()),
        EntryResult::I32(value) => writeln!(io.stdout, "{value}"),
        EntryResult::I64(value) => writeln!(io.stdout, "{value}"),
        EntryResult::F32(value) => writeln!(io.stdout, "{}", scientific(f64::from(value))),
        EntryResult::F64(value) => writeln!(io.stdout, "{}", scientific(value)),
    }
}

/// `%e` of C's printf.
fn scientific(value: f64) -> String {
    if value.is_nan() {
        return if value.is_sign_negative() {
            "-nan"
        } else {
            "nan"
        }
        .to_owned();
    }
    if value.is_infinite() {
        return if value < 0.0 { "-INF" } else { "INF" }.to_owned();
    }
    let text = format!("{value:.6e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::scientific;

    #[test]
    fn prints_floats_like_c() {
        assert_eq!(scientific(42.0), "4.200000e+01");
        assert_eq!(scientific(-1.5e-7), "-1.500000e-07");
        assert_eq!(scientific(0.0), "0.000000e+00");
        assert_eq!(scientific(1e300), "1.000000e+300");
    }
}
