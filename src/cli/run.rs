//! `freehold run`: frees every buffer, compiles to memory and runs a function
//! of the program.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use freehold_backend::jit::{self, CrashReport, EntryResult, Jit, ResultKind, mpi};
use freehold_frontend::ir::source_text::SourceText;
use freehold_passes::mpi::convert_mpi_to_calls::is_divided;
use freehold_passes::pipelines::native_pipeline::Dealloc;
use freehold_runtime::{check, count, events};

use crate::cli::blame::{self, CodeCheck, Subject};
use crate::cli::call::{Call, CallArgs, EntryArgs, HEADING, Outcome};
use crate::cli::flags::RunInProcess;
use crate::cli::interpreter::{self, LimitArgs, What};
use crate::cli::io::Io;
use crate::cli::profile::Profile;
use crate::cli::program::Program;
use crate::cli::session::{DEFAULT_SPLIT_MARKER, Input, pieces};
use crate::cli::{exit, session};
use crate::error;
use crate::job::{self, Job, Output, Product};
use crate::mpi::own_rank;
use crate::options::{Level, Options, Stats};

/// The command line of `run`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    program: Program<RunInProcess>,
    #[command(flatten)]
    entry: EntryArgs,
    #[command(flatten)]
    call: CallArgs,
    /// Type of the result, printed as mlir-cpu-runner does; void is for functions that return nothing [default: results
    /// are printed with their types]
    #[arg(help_heading = HEADING, long, value_parser = result_kind)]
    entry_point_result: Option<ResultKind>,
    /// ONNX models: compile for arrays of any size that the model takes, as `compile` does, and not for those of --input
    #[arg(help_heading = HEADING, long)]
    dynamic_shapes: bool,
    /// Interpret the program as it is written instead of compiling it, as `freehold interpret` does
    #[arg(help_heading = HEADING, long)]
    interpret: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    matrix: MatrixArgs,
    #[command(flatten)]
    runner: RunnerArgs,
    /// Whether this is to be upstream's runner.
    #[arg(skip)]
    is_upstream: bool,
    /// Write times, code size and, with --stats, memory over time for `compare` to read
    #[arg(long, hide = true)]
    profile: Option<PathBuf>,
}

// Flags of LLVM that upstream's runner has for programs with matrices. Nothing here depends on them.
#[derive(clap::Args, Clone, Debug)]
struct MatrixArgs {
    #[arg(long, hide = true)]
    enable_matrix: bool,
    #[arg(long, hide = true)]
    matrix_allow_contract: bool,
}

// Flags of upstream's runner.
#[derive(clap::Args, Clone, Debug)]
struct RunnerArgs {
    /// Compile and run each part of the file between lines `// -----` by itself
    #[arg(help_heading = HEADING, long)]
    split_input_file: bool,
    /// Also write the program as an object file
    #[arg(long, hide = true)]
    dump_object_file: bool,
    /// Its name [default: that of the program and `.o`]
    #[arg(long, hide = true, value_name = "FILE")]
    object_filename: Option<PathBuf>,
    /// Fail unless the file is one module
    #[arg(long, hide = true)]
    no_implicit_module: bool,
    // Debuggers know the code if '-g' says so, profilers with '--perf'.
    #[arg(long, hide = true, num_args = 0..=1, require_equals = true)]
    enable_gdb_listener: Option<Option<bool>>,
    #[arg(long, hide = true, num_args = 0..=1, require_equals = true)]
    enable_perf_listener: Option<Option<bool>>,
}

impl Args {
    /// Reads the program from standard input unless there is a file, and prints results as upstream's runner does.
    pub(crate) fn as_upstream(&mut self) {
        self.entry_point_result.get_or_insert(ResultKind::F32);
        self.is_upstream = true;
    }
}

fn result_kind(text: &str) -> Result<ResultKind, String> {
    ResultKind::from_name(text).ok_or_else(|| "expected void, i32, i64, f32 or f64".to_owned())
}

/// Runs the command; returns the exit status.
pub(crate) fn run(args: &Args, io: &mut Io) -> io::Result<u8> {
    let runner = &args.runner;
    if !runner.split_input_file && !runner.no_implicit_module && !runner.dump_object_file {
        return run_program(args, None, io);
    }
    let input = match session::load_source(&args.program.file, io) {
        Ok(input) => input,
        Err(message) => {
            writeln!(io.stderr, "{message}")?;
            return Ok(exit::FAILURE);
        }
    };
    if runner.no_implicit_module && !is_one_module(input.text.text()) {
        writeln!(io.stderr, "Error: top-level op must be a symbol table.")?;
        return Ok(exit::FAILURE);
    }
    let is_text = input.text.bytecode().is_none() && input.text.model().is_none();
    if runner.split_input_file && is_text {
        let mut worst = exit::OK;
        for (first_line, part) in pieces(input.text.text(), Some(DEFAULT_SPLIT_MARKER)) {
            // Messages name lines of the file.
            let text = "\n".repeat(first_line as usize - 1) + part;
            let Ok(text) = SourceText::from_bytes(text.into_bytes()) else {
                continue;
            };
            let name = input.name.clone();
            let part = Input { name, text };
            worst = worst.max(run_program(args, Some(part), io)?);
        }
        return Ok(worst);
    }
    let status = match runner.dump_object_file {
        true => write_object(args, &input, io)?,
        false => exit::OK,
    };
    match status {
        exit::OK => run_program(args, Some(input), io),
        _ => Ok(status),
    }
}

/// Whether the text is one module and not the operations of one.
fn is_one_module(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_start);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(['/', '#', '!']));
    let words = ["module", "builtin.module", "\"builtin.module\""];
    first.is_some_and(|first| words.iter().any(|word| first.starts_with(word)))
}

/// Writes the program as an object file.
fn write_object(args: &Args, input: &Input<SourceText>, io: &mut Io) -> io::Result<u8> {
    let name = args.runner.object_filename.clone().unwrap_or_else(|| {
        let mut name = args.program.file.clone();
        name.push(".o");
        name.into()
    });
    let job = match Job::new(args.program.flags.options.clone(), Output::Object) {
        Ok(job) => job.path(&name),
        Err(error) => {
            writeln!(io.stderr, "freehold run: error: {error}")?;
            return Ok(exit::USAGE);
        }
    };
    let input = Input {
        name: input.name.clone(),
        text: input.text.clone(),
    };
    let outcome = args.program.compile_input(&job, input, io)?;
    let Some(product) = outcome.product else {
        session::report(&outcome.diagnostics, &outcome.context, io)?;
        return Ok(exit::FAILURE);
    };
    let written = match product.into_bytes() {
        Ok(bytes) => session::write_file(&name, &bytes),
        Err(error) => Err(error.to_string()),
    };
    match written {
        Ok(()) => Ok(exit::OK),
        Err(message) => {
            writeln!(io.stderr, "{message}")?;
            Ok(exit::FAILURE)
        }
    }
}

/// Runs the program of the command line, or the one that was read.
fn run_program(args: &Args, input: Option<Input<SourceText>>, io: &mut Io) -> io::Result<u8> {
    let options = &args.program.flags.options;
    let job = match Job::new(options.clone(), Output::Memory) {
        Ok(job) => job.entry(&args.entry.entry_point),
        Err(error) => {
            writeln!(io.stderr, "freehold run: error: {error}")?;
            return Ok(exit::USAGE);
        }
    };
    if let Err(error) = args.call.values.check() {
        writeln!(io.stderr, "freehold run: error: {error}")?;
        return Ok(exit::USAGE);
    }
    if args.interpret {
        let what = What {
            command: "freehold run",
            entry: &args.entry.entry_point,
            settings: args.limits.settings(),
            leaks: false,
        };
        return interpreter::interpret(&args.program.file, &job, &args.call.values, &what, io);
    }
    let watch = &args.program.watch;
    if watch.blame.is_on() {
        let subject = Subject {
            entry: Some(args.entry.entry_point.clone()),
            inputs: args.call.values.inputs.clone(),
            frees: options.dealloc != Dealloc::Nothing,
            mandatory: mandatory(options),
        };
        // Set once, here.
        let _ = watch.subject.set(subject);
    }
    let mut profile = Profile::default();
    let start = Instant::now();
    let input = match input.map_or_else(|| session::load_program(&args.program.file, io), Ok) {
        Ok(input) => input,
        Err(message) => {
            writeln!(io.stderr, "{message}")?;
            return Ok(exit::FAILURE);
        }
    };
    let (job, outcome) = compile(args, job, input, io)?;
    if watch.blame.interpret_each && outcome.product.is_some() {
        return compare_code(args, &job, io);
    }
    session::report(&outcome.diagnostics, &outcome.context, io)?;
    if let Some(error) = &outcome.cache_error {
        writeln!(
            io.stderr,
            "freehold run: warning: cannot write to the cache: {error}"
        )?;
    }
    let lowered = outcome.lowered.as_ref();
    // All have the same results.
    let is_silent = lowered.is_some_and(|lowered| is_divided(&lowered.ir))
        && own_rank().is_some_and(|rank| rank != "0");
    let Some(Product::Code(mut jit)) = outcome.product else {
        return Ok(exit::FAILURE);
    };
    profile.set("compile_ns", nanoseconds(start.elapsed()));
    profile.set("code_bytes", jit.total_code_size() as u64);
    if args.profile.is_some() {
        events::freehold_events_enable();
    }
    if args.profile.is_some() {
        // `compare` started this process, which is not to outlive it.
        jit::end_with_parent();
    }
    // The program writes through the C library, past our buffer.
    io.stdout.flush()?;
    // A program that nothing frees for may return memory that is not its caller's to free.
    let keeps_memory = options.stats.is_none()
        && !options.checks()
        && matches!(options.dealloc, Dealloc::Nothing | Dealloc::Hlo);
    let mut write_error = None;
    let called = match prepare_call(args, &jit) {
        Ok(mut call) => {
            let crashes = CrashReport::install(|| match check::found_errors() {
                true => exit::MEMORY_ERROR,
                false => exit::FAILURE,
            });
            let outcome = args.call.run(&mut call, keeps_memory, io)?;
            if !freehold_runtime::flush_standard_output() {
                write_error = Some(io::Error::last_os_error());
            }
            drop(crashes);
            outcome.map(|outcome| (call, outcome))
        }
        Err(message) => Err(message),
    };
    let shown = match called {
        Ok((call, outcome)) => {
            profile.set("run_ns", nanoseconds(outcome.time()));
            let shown = match is_silent {
                true => Ok(()),
                false => show(args, &call, &outcome, io)?,
            };
            if keeps_memory {
                outcome.leak();
            }
            shown
        }
        Err(message) => Err(message),
    };
    let shown = shown.and_then(|()| match write_error {
        None => Ok(()),
        Some(error) => Err(format!(
            "cannot write standard output: {}",
            error::reason(&error)
        )),
    });
    if let Err(message) = shown {
        match args.is_upstream {
            true => writeln!(io.stderr, "Error: {message}")?,
            false => writeln!(io.stderr, "freehold run: error: {message}")?,
        }
        // Others wait for this process, and would wait for ever.
        mpi::abort_all(exit::FAILURE);
        return Ok(exit::FAILURE);
    }
    io.stdout.flush()?;
    jit.finish();
    let mut status = exit::OK;
    if options.checks() && check::freehold_check_report() != 0 {
        status = exit::MEMORY_ERROR;
    }
    if let Some(stats) = options.stats {
        // In the columns of the table, and in one piece.
        if let Some(rank) = own_rank().filter(|_| stats != Stats::Json) {
            let line = format!("{:<24}{rank:>12}\n", "process");
            io.stderr.write_all(line.as_bytes())?;
            io.stderr.flush()?;
        }
        count::freehold_stats_report(stats == Stats::Json);
    }
    if let Some(path) = &args.profile {
        if options.stats.is_some() {
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

/// Compiles a program; a model for the sizes of what it is called with, unless it cannot be called with these, which
/// the call then says.
fn compile(
    args: &Args,
    job: Job,
    input: Input<SourceText>,
    io: &mut Io,
) -> io::Result<(Job, job::Outcome)> {
    let passed = match input.text.model() {
        Some(_) if !args.dynamic_shapes => args.call.values.passed(),
        _ => None,
    };
    if let Some(passed) = passed.filter(|passed| !passed.is_empty()) {
        let job = job.clone().passing(passed);
        let outcome = args.program.compile_input(&job, input.clone(), io)?;
        if outcome.product.is_some() {
            return Ok((job, outcome));
        }
    }
    let outcome = args.program.compile_input(&job, input, io)?;
    Ok((job, outcome))
}

/// The passes that every program goes through: those of `-O0`.
fn mandatory(options: &Options) -> Vec<String> {
    let plain = Options {
        opt_level: Level::O0,
        ..options.clone()
    };
    let job = Job::new(plain, Output::Memory);
    job.map_or(Vec::new(), |job| blame::pass_names(&job.pipeline()))
}

/// Runs the machine code in a process of its own and holds it against the interpreter.
fn compare_code(args: &Args, job: &Job, io: &mut Io) -> io::Result<u8> {
    let options = job.options();
    let check = CodeCheck {
        file: &args.program.file,
        entry: &args.entry.entry_point,
        inputs: &args.call.values.inputs,
        options,
    };
    match check.run(job, io)? {
        None => Ok(exit::OK),
        Some(difference) => {
            writeln!(io.stderr, "error: {difference}")?;
            Ok(exit::FAILURE)
        }
    }
}

/// The function that is to be called, with its arguments.
fn prepare_call<'j>(args: &Args, jit: &'j Jit) -> Result<Call<'j>, String> {
    let name = &args.entry.entry_point;
    if args.is_upstream {
        refuse_as_upstream(args, jit)?;
    }
    if !jit.has_function(name) {
        return Err(jit.no_entry_point(name).to_string());
    }
    if !args.call.values.has_inputs() {
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
    let is_void = args.entry_point_result == Some(ResultKind::Void);
    let function = jit.get_function(name).map_err(|error| error.to_string())?;
    if is_void && !function.signature().results.is_empty() {
        return Err(format!("entry point '{name}': expected void function"));
    }
    args.call.prepare(function)
}

/// What upstream's runner says of a function that it does not call.
fn refuse_as_upstream(args: &Args, jit: &Jit) -> Result<(), String> {
    let name = &args.entry.entry_point;
    let function = jit.get_function(name).ok();
    let Some(function) = function.filter(|_| jit.has_function(name)) else {
        return Err("entry point not found".to_owned());
    };
    let signature = function.signature();
    if !signature.arguments.is_empty() {
        return Err("JIT can't invoke a main function expecting arguments".to_owned());
    }
    match args.entry_point_result.unwrap_or(ResultKind::F32) {
        ResultKind::Void if signature.results.is_empty() => Ok(()),
        ResultKind::Void => Err("expected void function".to_owned()),
        kind if jit.check_entry(name, kind).is_ok() => Ok(()),
        kind => Err(format!(
            "only single {} function result supported",
            kind.name()
        )),
    }
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
