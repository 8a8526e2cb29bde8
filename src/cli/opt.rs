//! `freehold opt`: an `mlir-opt` for these dialects. Reads MLIR, runs passes,
//! writes MLIR.
//!
//! The command line is read here rather than by clap because every pass is a
//! flag, their order matters, and upstream takes one dash or two.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Parser as _;
use freehold_frontend::bytecode::{self, MAX_VERSION, WriteOptions};
use freehold_frontend::declare::declare;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::ir::op_def::DialectDef;
use freehold_frontend::ir::source_text::SourceText;
use freehold_frontend::ir::version::MlirVersion;
use freehold_frontend::syntax::printer::{self, PrintOptions};
use freehold_passes::lowering::{convert_to_mlir_22, lowerings_to_llvm};
use freehold_passes::manage::manager::{self, RunOptions};
use freehold_passes::manage::options::{OptionKind, OptionRow};
use freehold_passes::manage::pipeline::Pipeline;
use freehold_passes::manage::suggestion::closest;
use freehold_passes::registry::{self, REGISTRY};

use crate::cli::instrumentation::{self, Instrumentation, Stage, reproduced_pipeline};
use crate::cli::io::Io;
use crate::cli::progress::Progress;
use crate::cli::reporting::ReportingArgs;
use crate::cli::session::{DEFAULT_SPLIT_MARKER, pieces};
use crate::cli::{exit, expected, session};
use crate::operations;
use crate::parse::parse;

/// The command line of `opt`, unread.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Args {
    /// Flags and the input file; `--help` lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// The command line of `opt`, read.
struct Options {
    dialects: Vec<&'static DialectDef>,
    input: OsString,
    output: Option<PathBuf>,
    pipeline: Pipeline,
    split: Option<String>,
    verify_diagnostics: bool,
    allow_unregistered_dialect: bool,
    ignored_dialects: Vec<String>,
    /// The file of declarations: its name, and what it says.
    irdl_file: Option<PathBuf>,
    declarations: Option<(String, String)>,
    print: PrintOptions,
    emit_bytecode: bool,
    /// The version of the bytecode to write.
    bytecode_version: u64,
    watch: Instrumentation,
    verify_each: bool,
    sequential: bool,
    list: Option<fn(&[&DialectDef]) -> String>,
    /// Flags that all commands have.
    reporting: Vec<String>,
    run_reproducer: bool,
}

/// Flags that take no value.
const SWITCHES: &[(&str, &str)] = &[
    (
        "allow-unregistered-dialect",
        "keep operations of unknown dialects, in generic form",
    ),
    (
        "dump-pass-pipeline",
        "print the pipeline, with options that differ from their defaults, to standard error",
    ),
    ("emit-bytecode", "write MLIR bytecode instead of text"),
    ("help", "this text"),
    (
        "interpret-each",
        "interpret the program after each pass and name the first one that changes what it does",
    ),
    ("list-passes", "print the names of all passes and pipelines"),
    ("mlir-disable-threading", "process one function at a time"),
    (
        "mlir-pass-statistics",
        "print the counters of each pass to standard error",
    ),
    ("mlir-print-debuginfo", "print locations"),
    (
        "mlir-print-op-on-diagnostic",
        "print the operation that a diagnostic is about with it",
    ),
    (
        "mlir-print-ir-after-all",
        "print the IR to standard error after each pass",
    ),
    (
        "mlir-print-ir-after-change",
        "print the IR to standard error after each pass that changes it",
    ),
    (
        "mlir-print-ir-before-all",
        "print the IR to standard error before each pass",
    ),
    (
        "mlir-print-local-scope",
        "print types and attributes without aliases",
    ),
    (
        "mlir-print-op-generic",
        "print every operation in generic form",
    ),
    (
        "mlir-timing",
        "print the time each pass takes to standard error",
    ),
    (
        "run-reproducer",
        "run the pipeline that a crash reproducer names",
    ),
    ("show-dialects", "print the names of all dialects"),
    (
        "verify-diagnostics",
        "compare diagnostics with `expected-error {{...}}` comments",
    ),
];

/// Flags that take a value, and whether they may stand without one.
const VALUES: &[(&str, &str, bool)] = &[
    ("color", "auto, always or never", false),
    (
        "emit-bytecode-version",
        "version of the bytecode to write, 0 to 6 (default: 6)",
        false,
    ),
    (
        "error-format",
        "format of diagnostics: human, short or json",
        false,
    ),
    (
        "error-limit",
        "show at most this many errors; 0 shows all (default: 20)",
        false,
    ),
    (
        "ignore-dialect",
        "drop operations of this dialect and keep its attributes and types as text",
        false,
    ),
    (
        "interpret-each-dir",
        "folder for the program before and after the pass that --interpret-each names",
        false,
    ),
    (
        "interpret-seed",
        "seed of the random arguments of --interpret-each (default: 0)",
        false,
    ),
    (
        "irdl-file",
        "read this file of IRDL, which declares operations of other dialects",
        false,
    ),
    (
        "mlir-elide-elementsattrs-if-larger",
        "elide constants with more elements than this",
        false,
    ),
    (
        "mlir-pass-pipeline-crash-reproducer",
        "write the program and pipeline here if a pass fails",
        false,
    ),
    (
        "mlir-print-ir-after",
        "print the IR to standard error after these passes",
        false,
    ),
    (
        "mlir-print-ir-before",
        "print the IR to standard error before these passes",
        false,
    ),
    (
        "mlir-print-ir-tree-dir",
        "write the IR that the flags above print to a file per pass in this folder",
        false,
    ),
    (
        "mlir-version",
        "print the syntax of this MLIR version, 19 or 22 (default: that of the input)",
        false,
    ),
    ("o", "output file; `-` is standard output", false),
    (
        "opt-bisect-limit",
        "run only the first N passes and say so; all of them for -1",
        false,
    ),
    (
        "opt-bisect-rewrites",
        "of the last pass that --opt-bisect-limit runs, do only the first N folds and patterns",
        false,
    ),
    (
        "pass-pipeline",
        "textual pass pipeline: 'builtin.module(func.func(cse))'",
        false,
    ),
    (
        "split-input-file",
        "process the chunks between `// -----` lines separately",
        true,
    ),
    (
        "verify-each",
        "verify the IR after each pass (default: true)",
        true,
    ),
];

/// Those whose value is the name of a file.
const PATHS: &[&str] = &[
    "interpret-each-dir",
    "irdl-file",
    "mlir-pass-pipeline-crash-reproducer",
    "mlir-print-ir-tree-dir",
    "o",
];

/// The flags that all commands have, as clap reads them.
#[derive(clap::Parser)]
struct ReportingFlags {
    #[command(flatten)]
    reporting: ReportingArgs,
}

/// Runs the command; returns the exit status.
pub(crate) fn run(args: &Args, dialects: &[&'static DialectDef], io: &mut Io) -> io::Result<u8> {
    let is_help = |arg: &OsString| ["--help", "-help", "-h"].iter().any(|help| arg == help);
    if args.arguments.iter().any(is_help) {
        io.stdout.write_all(help().as_bytes())?;
        return Ok(exit::OK);
    }
    let mut options = match parse_arguments(&args.arguments) {
        Ok(options) => Options {
            dialects: dialects.to_vec(),
            ..options
        },
        Err(message) => {
            writeln!(
                io.stderr,
                "freehold opt: {message}\nsee 'freehold opt --help'"
            )?;
            return Ok(exit::USAGE);
        }
    };
    // What stands before the first flag of this command is read already.
    if options.reporting.len() > 1 {
        match ReportingFlags::try_parse_from(&options.reporting) {
            Ok(flags) => io.reporting.apply(&flags.reporting),
            Err(error) => {
                write!(io.stderr, "{}", error.render())?;
                return Ok(exit::USAGE);
            }
        }
    }
    if let Some(list) = options.list {
        io.stdout.write_all(list(&options.dialects).as_bytes())?;
        return Ok(exit::OK);
    }
    let loaded = session::keep_input(options.output.as_deref(), &options.input)
        .and_then(|()| session::load_source(&options.input, io));
    let input = match loaded {
        Ok(input) => input,
        Err(message) => {
            writeln!(io.stderr, "{message}")?;
            return Ok(exit::FAILURE);
        }
    };
    if let Some(path) = &options.irdl_file {
        match session::load(path.as_os_str(), io) {
            Ok(file) => options.declarations = Some((file.name, file.text.to_string())),
            Err(message) => {
                writeln!(io.stderr, "{message}")?;
                return Ok(exit::FAILURE);
            }
        }
    }
    if options.run_reproducer {
        match reproduced_pipeline(input.text.text()).map(|text| registry::parse(&text)) {
            Some(Ok(pipeline)) => options.pipeline = wrap(pipeline),
            Some(Err(message)) => {
                writeln!(io.stderr, "{}: error: {message}", input.name)?;
                return Ok(exit::FAILURE);
            }
            None => {
                writeln!(io.stderr, "{}: error: names no passes to run", input.name)?;
                return Ok(exit::FAILURE);
            }
        }
    }
    let idle = REGISTRY.idle_in(&options.pipeline);
    if idle
        .iter()
        .any(|name| lowerings_to_llvm::OF_SCRIPTS.contains(name))
    {
        options.ignored_dialects.push("transform".to_owned());
    }
    if let [name, others @ ..] = &idle[..] {
        let others = match others.len() {
            0 => "leaves".to_owned(),
            n => format!("and {n} more leave"),
        };
        writeln!(
            io.stderr,
            "freehold opt: remark: '--{name}' {others} these operations as they are: 'freehold run' and \
             'freehold compile' need no such pass"
        )?;
    }
    if options.watch.dump_pass_pipeline {
        instrumentation::dump_pipeline(&options.pipeline, io)?;
    }
    let mut output = Vec::new();
    let mut failed = false;
    for (i, (first_line, piece)) in pieces(input.text.text(), options.split.as_deref())
        .into_iter()
        .enumerate()
    {
        if i > 0 {
            output.extend_from_slice(DEFAULT_SPLIT_MARKER.as_bytes());
            output.push(b'\n');
        }
        failed |= !process(
            &input.name,
            &input.text,
            first_line,
            piece,
            &options,
            &mut output,
            io,
        )?;
    }
    // A failure leaves no file behind; standard output shows what worked.
    let to_file = options.output.as_deref().is_some_and(|path| path != "-");
    if !(failed && to_file)
        && let Err(message) = session::write_output(options.output.as_deref(), &output, io)
    {
        writeln!(io.stderr, "{message}")?;
        failed = true;
    }
    Ok(if failed { exit::FAILURE } else { exit::OK })
}

/// Works on one piece of the input; returns whether all went well.
fn process(
    name: &str,
    whole: &SourceText,
    first_line: u32,
    piece: &str,
    options: &Options,
    output: &mut Vec<u8>,
    io: &mut Io,
) -> io::Result<bool> {
    let context = Context::with_dialects(&options.dialects)
        .allow_unregistered_dialects(options.allow_unregistered_dialect)
        .ignore_dialects(&options.ignored_dialects)
        .print_operations(options.watch.mlir_print_op_on_diagnostic);
    let mut diagnostics = Diagnostics::new();
    let (context, declared) = match &options.declarations {
        Some((name, text)) => declare(context, name, text, &mut diagnostics),
        None => (Arc::new(context), Ok(())),
    };
    let text = if piece.len() == whole.text().len() {
        whole.clone()
    } else {
        piece.into()
    };
    let mut ok = false;
    let parsed = declared
        .ok()
        .and_then(|()| parse(&context, name, text, first_line, &mut diagnostics));
    if let Some(mut ir) = parsed {
        let (pipeline, print) = (&options.pipeline, options.print);
        let watch = &options.watch;
        let (stage, long) = (Stage::new("reading"), Progress::of_long_work(io));
        let settings = (options.verify_each, options.sequential, &stage);
        ok = long.during(
            || format!("running passes: {}", stage.get()),
            || watch.run(&mut ir, pipeline, print, settings, &mut diagnostics, io),
        )?;
        drop(long);
        let version = print
            .mlir_version
            .unwrap_or_else(|| match options.emit_bytecode {
                true => MlirVersion::of_readers(&ir),
                false => context.version_read(),
            });
        if ok && version == MlirVersion::V22 {
            let pipeline = Pipeline::of(vec![convert_to_mlir_22::PASS.step()]);
            ok = manager::run(&mut ir, &pipeline, RunOptions::default(), &mut diagnostics).is_ok();
        }
        operations::show(&ir, &mut diagnostics);
        if ok {
            ok = write(&ir, options, output, &mut diagnostics);
        }
    }
    if options.verify_diagnostics {
        let differences = expected::check(name, piece, first_line, &diagnostics, &context);
        io.stderr.write_all(differences.as_bytes())?;
        return Ok(differences.is_empty());
    }
    session::report(&diagnostics, &context, io)?;
    Ok(ok)
}

/// Appends the program to `output` as text or bytecode; returns whether that was possible.
fn write(ir: &Ir, options: &Options, output: &mut Vec<u8>, diagnostics: &mut Diagnostics) -> bool {
    if !options.emit_bytecode {
        output.extend_from_slice(printer::print(ir, options.print).as_bytes());
        return true;
    }
    let write_options = WriteOptions {
        version: options.bytecode_version,
        mlir_version: options.print.mlir_version,
    };
    match bytecode::write(ir, write_options) {
        Ok(bytecode) => {
            output.append(&mut bytecode.into_bytes());
            true
        }
        Err(message) => {
            diagnostics.error(ir.loc(ir.root()), message);
            false
        }
    }
}

fn parse_arguments(arguments: &[OsString]) -> Result<Options, String> {
    let mut options = Options {
        dialects: Vec::new(),
        input: OsString::new(),
        output: None,
        pipeline: Pipeline::of(Vec::new()),
        split: None,
        verify_diagnostics: false,
        allow_unregistered_dialect: false,
        ignored_dialects: Vec::new(),
        irdl_file: None,
        declarations: None,
        print: PrintOptions::default(),
        emit_bytecode: false,
        bytecode_version: MAX_VERSION,
        watch: Instrumentation::default(),
        verify_each: true,
        sequential: false,
        list: None,
        reporting: vec!["freehold opt".to_owned()],
        run_reproducer: false,
    };
    let mut input: Option<&OsStr> = None;
    let mut has_pipeline = false;
    let mut only_files = false;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let text = argument.to_string_lossy();
        if text == "--" && !only_files {
            only_files = true;
            continue;
        }
        if only_files || text == "-" || !text.starts_with('-') {
            if let Some(first) = input {
                return Err(format!(
                    "too many positional arguments: '{}' and '{text}'",
                    first.display()
                ));
            }
            input = Some(argument);
            continue;
        }
        let flag = text.trim_start_matches('-');
        let (name, inline) = match flag.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (flag, None),
        };
        if PATHS.contains(&name) {
            // Names of files need not be text.
            let path = match argument.as_bytes().iter().position(|&byte| byte == b'=') {
                Some(at) => Some(OsStr::from_bytes(&argument.as_bytes()[at + 1..])),
                None => rest.next().map(OsString::as_os_str),
            };
            let path = path.ok_or_else(|| format!("'--{name}' needs a value"))?;
            set_path(&mut options, name, PathBuf::from(path))?;
            continue;
        }
        if SWITCHES.iter().any(|(known, _)| *known == name) {
            let on = match inline.as_deref() {
                None | Some("true" | "1") => true,
                Some("false" | "0") => false,
                Some(value) => {
                    return Err(format!("'{value}' is an invalid value for '--{name}'"));
                }
            };
            set_switch(&mut options, name, on);
            continue;
        }
        if let Some((known, _, may_lack)) = VALUES.iter().find(|(known, ..)| *known == name) {
            let value = match inline {
                Some(value) => Some(value),
                None if *may_lack => None,
                None => match rest.next().map(|value| value.to_str()) {
                    Some(Some(value)) => Some(value.to_owned()),
                    Some(None) => return Err(format!("the value of '--{known}' is not UTF-8")),
                    None => return Err(format!("'--{known}' needs a value")),
                },
            };
            if *known == "pass-pipeline" {
                if has_pipeline || !options.pipeline.steps.is_empty() {
                    return Err("'--pass-pipeline' cannot be used with other pass flags".into());
                }
                has_pipeline = true;
                let text = value.unwrap_or_default();
                let pipeline = registry::parse(&text)?;
                options.pipeline = wrap(pipeline);
            } else {
                set_value(&mut options, known, value)?;
            }
            continue;
        }
        if has_pipeline {
            return Err("'--pass-pipeline' cannot be used with other pass flags".into());
        }
        if REGISTRY.pass(name).is_none() && REGISTRY.pipeline(name).is_none() {
            return Err(unknown_flag(&text, name));
        }
        let values = inline.unwrap_or_default();
        REGISTRY
            .append(&mut options.pipeline, name, &values)
            .map_err(|error| format!("in '--{name}': {error}"))?;
    }
    options.input = input.unwrap_or(OsStr::new("-")).to_owned();
    Ok(options)
}

/// A pipeline on functions or `any` runs on what the module holds.
fn wrap(pipeline: Pipeline) -> Pipeline {
    use freehold_passes::manage::pipeline::{Step, Target};
    match pipeline.target {
        Target::Module => pipeline,
        Target::Function | Target::Any => Pipeline {
            target: Target::Module,
            steps: vec![Step::Nested(pipeline)],
        },
    }
}

fn set_switch(options: &mut Options, name: &str, on: bool) {
    match name {
        "allow-unregistered-dialect" => options.allow_unregistered_dialect = on,
        "emit-bytecode" => options.emit_bytecode = on,
        "dump-pass-pipeline" => options.watch.dump_pass_pipeline = on,
        "interpret-each" => options.watch.blame.interpret_each = on,
        "list-passes" => options.list = on.then_some(list_passes),
        "mlir-disable-threading" => options.sequential = on,
        "mlir-pass-statistics" => options.watch.mlir_pass_statistics = on,
        "mlir-print-debuginfo" => options.print.debug_info = on,
        "mlir-print-ir-after-all" => options.watch.mlir_print_ir_after_all = on,
        "mlir-print-ir-before-all" => options.watch.mlir_print_ir_before_all = on,
        "mlir-print-ir-after-change" => options.watch.mlir_print_ir_after_change = on,
        "mlir-print-op-on-diagnostic" => options.watch.mlir_print_op_on_diagnostic = on,
        "mlir-print-local-scope" => options.print.local_scope = on,
        "mlir-print-op-generic" => options.print.generic = on,
        "mlir-timing" => options.watch.mlir_timing = on,
        "run-reproducer" => options.run_reproducer = on,
        "show-dialects" => options.list = on.then_some(list_dialects),
        "verify-diagnostics" => options.verify_diagnostics = on,
        _ => unreachable!("every switch of SWITCHES is handled: {name}"),
    }
}

fn set_path(options: &mut Options, name: &str, path: PathBuf) -> Result<(), String> {
    match name {
        "mlir-pass-pipeline-crash-reproducer" => {
            options.watch.mlir_pass_pipeline_crash_reproducer = Some(path);
        }
        "interpret-each-dir" => options.watch.blame.interpret_each_dir = Some(path),
        "irdl-file" => options.irdl_file = Some(path),
        "mlir-print-ir-tree-dir" => options.watch.mlir_print_ir_tree_dir = Some(path),
        "o" => {
            if options.output.is_some() {
                return Err("'-o' may occur only once".into());
            }
            options.output = Some(path);
        }
        _ => unreachable!("every flag of PATHS is handled: {name}"),
    }
    Ok(())
}

fn set_value(options: &mut Options, name: &str, value: Option<String>) -> Result<(), String> {
    match name {
        "color" | "error-format" | "error-limit" => {
            let value = value.unwrap_or_default();
            options.reporting.push(format!("--{name}={value}"));
        }
        "emit-bytecode-version" => {
            let value = value.unwrap_or_default();
            options.bytecode_version = value
                .parse()
                .map_err(|_| format!("'{value}' is an invalid value for '--{name}'"))?;
        }
        "ignore-dialect" => options.ignored_dialects.extend(value),
        "interpret-seed" | "opt-bisect-limit" | "opt-bisect-rewrites" => {
            let value = value.unwrap_or_default();
            let wrong = || format!("'{value}' is an invalid value for '--{name}'");
            match name {
                "interpret-seed" => {
                    options.watch.blame.interpret_seed = value.parse().map_err(|_| wrong())?;
                }
                "opt-bisect-rewrites" => {
                    let most = value.parse().map_err(|_| wrong())?;
                    options.watch.blame.opt_bisect_rewrites = Some(most);
                }
                _ => {
                    let limit = value.parse().map_err(|_| wrong())?;
                    options.watch.blame.opt_bisect_limit = Some(limit);
                }
            }
        }
        "mlir-elide-elementsattrs-if-larger" => {
            let value = value.unwrap_or_default();
            let limit = value
                .parse()
                .map_err(|_| format!("'{value}' is an invalid value for '--{name}'"))?;
            options.print.elide_elements_larger_than = Some(limit);
        }
        "mlir-print-ir-after" => options.watch.mlir_print_ir_after.extend(passes(value)?),
        "mlir-print-ir-before" => options.watch.mlir_print_ir_before.extend(passes(value)?),
        "mlir-version" => {
            let value = value.unwrap_or_default();
            let known = MlirVersion::ALL.iter().find(|(name, _)| *name == value);
            let Some(&(_, version)) = known else {
                return Err(format!("'{value}' is an invalid value for '--{name}'"));
            };
            options.print.mlir_version = Some(version);
        }
        "split-input-file" => {
            options.split = Some(value.unwrap_or_else(|| DEFAULT_SPLIT_MARKER.to_owned()));
        }
        "verify-each" => match value.as_deref() {
            None | Some("true" | "1") => options.verify_each = true,
            Some("false" | "0") => options.verify_each = false,
            Some(value) => return Err(format!("'{value}' is an invalid value for '--{name}'")),
        },
        _ => unreachable!("every flag of VALUES is handled: {name}"),
    }
    Ok(())
}

/// The passes that a flag names, separated by commas.
fn passes(value: Option<String>) -> Result<Vec<String>, String> {
    let value = value.unwrap_or_default();
    let names = value.split(',').map(|name| match REGISTRY.pass(name) {
        Some(_) => Ok(name.to_owned()),
        None => Err(format!("there is no pass '{name}'")),
    });
    names.collect()
}

fn list_passes(_: &[&DialectDef]) -> String {
    let passes = REGISTRY.all_passes().map(|pass| pass.name());
    let pipelines = REGISTRY.pipelines.iter().map(|pipeline| pipeline.name());
    passes
        .chain(pipelines)
        .map(|name| format!("{name}\n"))
        .collect()
}

fn list_dialects(dialects: &[&DialectDef]) -> String {
    let names = dialects.iter().map(|dialect| dialect.namespace);
    names.map(|name| format!("{name}\n")).collect()
}

/// The error for an unknown flag, with the closest known one.
fn unknown_flag(text: &str, name: &str) -> String {
    let known = SWITCHES
        .iter()
        .map(|(name, _)| *name)
        .chain(VALUES.iter().map(|(name, ..)| *name))
        .chain(REGISTRY.all_passes().map(|pass| pass.name()))
        .chain(REGISTRY.pipelines.iter().map(|pipeline| pipeline.name()));
    match closest(name, known) {
        Some(candidate) => {
            format!("unknown command line argument '{text}'; did you mean '--{candidate}'?")
        }
        None => format!("unknown command line argument '{text}'"),
    }
}

/// The flags of this command as clap has them, for completions and manual pages.
pub(crate) fn flags() -> Vec<clap::Arg> {
    use clap::{Arg, ArgAction, ValueHint};
    // Those of all commands are there already, as is help.
    let own = ["color", "error-format", "error-limit", "help"];
    let named = |name: &'static str, help: &str| match name.len() {
        1 => Arg::new(name)
            .short(name.chars().next())
            .help(help.to_owned()),
        _ => Arg::new(name).long(name).help(help.to_owned()),
    };
    let switches = SWITCHES.iter().map(|&(name, help)| (name, help, None));
    let values = VALUES
        .iter()
        .map(|&(name, help, may_lack)| (name, help, Some(may_lack)));
    let mut flags: Vec<Arg> = switches
        .chain(values)
        .filter(|(name, ..)| !own.contains(name))
        .map(|(name, help, may_lack)| {
            let arg = named(name, help);
            match may_lack {
                None => arg.action(ArgAction::SetTrue),
                Some(true) => arg.num_args(0..=1).require_equals(true),
                Some(false) if PATHS.contains(&name) => arg.value_hint(ValueHint::AnyPath),
                Some(false) => arg,
            }
        })
        .collect();
    let passes = REGISTRY.all_passes();
    let passes = passes.map(|pass| (pass.name(), pass.summary(), "Passes"));
    let pipelines = REGISTRY.pipelines.iter();
    let pipelines = pipelines.map(|pipeline| (pipeline.name(), pipeline.summary(), "Pipelines"));
    flags.extend(passes.chain(pipelines).map(|(name, help, heading)| {
        let arg = named(name, help).help_heading(heading);
        arg.num_args(0..=1)
            .require_equals(true)
            .value_name("OPTIONS")
    }));
    flags
}

fn help() -> String {
    let mut text = String::from(
        "Runs passes on MLIR, as mlir-opt does\n\n\
         Usage: freehold opt [OPTIONS] [PASSES] [FILE]\n\n\
         Reads standard input if FILE is missing or '-'. Flags take one dash or two.\n\nOptions:\n",
    );
    for (name, summary) in SWITCHES {
        text += &format!("  --{name:<38} {summary}\n");
    }
    for (name, summary, may_lack) in VALUES {
        let dashes = if name.len() == 1 { "-" } else { "--" };
        let value = match (name.len(), may_lack) {
            (1, _) => " VALUE",
            (_, true) => "[=VALUE]",
            (_, false) => "=VALUE",
        };
        text += &format!("  {:<40} {summary}\n", format!("{dashes}{name}{value}"));
    }
    text += "\nPasses (with options as --pass=\"name=value name=value\"):\n";
    for &pass in REGISTRY.passes {
        text += &format!("  --{:<38} {}\n", pass.name(), pass.summary());
        text += &options_help(&pass.options());
    }
    text += "\nPasses of mlir-opt that are accepted and leave the program as it is, because 'freehold run' and\n\
             'freehold compile' take these operations:\n";
    for pass in REGISTRY.idle {
        text += &format!("  --{}\n", pass.name());
    }
    if !REGISTRY.pipelines.is_empty() {
        text += "\nPipelines:\n";
    }
    for pipeline in REGISTRY.pipelines {
        text += &format!("  --{:<38} {}\n", pipeline.name(), pipeline.summary());
        text += &options_help(&pipeline.options());
    }
    text
}

fn options_help(options: &[OptionRow]) -> String {
    let mut text = String::new();
    for option in options {
        let kind = match option.kind {
            OptionKind::Bool => "bool".to_owned(),
            OptionKind::Integer { .. } => "int".to_owned(),
            OptionKind::Choice(_) => option.kind.words("|"),
            OptionKind::Text | OptionKind::List | OptionKind::Other(_) => "string".to_owned(),
        };
        let default = match &*option.default {
            "" => String::new(),
            default => format!(" (default: {default})"),
        };
        text += &format!("      {}=<{kind}>  {}{default}\n", option.name, option.help);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_at_marker_lines_only() {
        let text = "a\n// -----\nb // -----\n// -----\nc";
        assert_eq!(
            pieces(text, Some(DEFAULT_SPLIT_MARKER)),
            [(1, "a\n"), (3, "b // -----\n"), (5, "c")]
        );
        assert_eq!(pieces(text, None), [(1, text)]);
    }

    #[test]
    fn suggests_close_flags() {
        assert!(unknown_flag("--canonicalise", "canonicalise").contains("--canonicalize"));
        assert!(!unknown_flag("--zzz", "zzz").contains("did you mean"));
    }
}
