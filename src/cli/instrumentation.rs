//! Running a pipeline while it is watched: IR between passes, times, counters, and a reproducer of crashes.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::syntax::printer::{self, PrintOptions};
use freehold_passes::manage::manager::{self, Report, RunOptions};
use freehold_passes::manage::pass::Pass;
use freehold_passes::manage::pipeline::Pipeline;
use freehold_passes::manage::suggestion::closest;
use freehold_passes::registry::REGISTRY;

use crate::cli::blame::{BlameArgs, Subject};
use crate::cli::io::Io;
use crate::cli::session;
use crate::error;

/// The heading of the flags in help.
const HEADING: &str = "Passes";

/// What to watch; the flags are those of MLIR's tools.
#[derive(clap::Args, Clone, Default, Debug)]
pub(crate) struct Instrumentation {
    /// Print the pipeline of passes to standard error
    #[arg(long, help_heading = HEADING)]
    pub(crate) dump_pass_pipeline: bool,
    /// Print the IR to standard error before each pass
    #[arg(long, help_heading = HEADING)]
    pub(crate) mlir_print_ir_before_all: bool,
    /// Print the IR to standard error after each pass
    #[arg(long, help_heading = HEADING)]
    pub(crate) mlir_print_ir_after_all: bool,
    /// Print the IR to standard error before this pass; may be repeated
    #[arg(long, help_heading = HEADING, value_name = "PASS", value_delimiter = ',')]
    #[arg(value_parser = PassName, hide_possible_values = true)]
    pub(crate) mlir_print_ir_before: Vec<String>,
    /// Print the IR to standard error after this pass; may be repeated
    #[arg(long, help_heading = HEADING, value_name = "PASS", value_delimiter = ',')]
    #[arg(value_parser = PassName, hide_possible_values = true)]
    pub(crate) mlir_print_ir_after: Vec<String>,
    /// Print the IR to standard error after each pass that changes it
    #[arg(long, help_heading = HEADING)]
    pub(crate) mlir_print_ir_after_change: bool,
    /// Write the IR that these flags print to a file per pass in this folder
    #[arg(long, help_heading = HEADING, value_name = "FOLDER")]
    pub(crate) mlir_print_ir_tree_dir: Option<PathBuf>,
    /// Print the operation that a diagnostic is about with it
    #[arg(long, help_heading = HEADING)]
    pub(crate) mlir_print_op_on_diagnostic: bool,
    /// Print the time each pass takes to standard error
    #[arg(long, help_heading = HEADING)]
    pub(crate) mlir_timing: bool,
    /// Print the counters of each pass to standard error
    #[arg(long, help_heading = HEADING)]
    pub(crate) mlir_pass_statistics: bool,
    /// Write the program and pipeline here if a pass fails; `opt --run-reproducer` reads it
    #[arg(long, help_heading = HEADING, value_name = "FILE")]
    pub(crate) mlir_pass_pipeline_crash_reproducer: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) blame: BlameArgs,
    /// The program that is interpreted between passes.
    #[arg(skip)]
    pub(crate) subject: OnceLock<Subject>,
}

/// The step that a program is in, in a word.
#[derive(Debug)]
pub(crate) struct Stage(Mutex<&'static str>);

impl Stage {
    pub(crate) fn new(name: &'static str) -> Self {
        Self(Mutex::new(name))
    }

    pub(crate) fn set(&self, name: &'static str) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = name;
    }

    pub(crate) fn get(&self) -> &'static str {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The name of a pass, for clap.
#[derive(Clone, Debug)]
struct PassName;

impl TypedValueParser for PassName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        let name = value.to_string_lossy().into_owned();
        if REGISTRY.pass(&name).is_some() {
            return Ok(name);
        }
        let mut error = clap::Error::new(ErrorKind::ValueValidation).with_cmd(command);
        let known = REGISTRY.all_passes().map(|pass| pass.name());
        if let Some(close) = closest(&name, known) {
            let close = ContextValue::String(close.to_owned());
            error.insert(ContextKind::SuggestedValue, close);
        }
        let arg = arg.map_or_else(String::new, ToString::to_string);
        error.insert(ContextKind::InvalidArg, ContextValue::String(arg));
        error.insert(ContextKind::InvalidValue, ContextValue::String(name));
        Err(error)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let passes = REGISTRY.all_passes();
        Some(Box::new(passes.map(|pass| {
            PossibleValue::new(pass.name()).help(pass.summary())
        })))
    }
}

/// The IR before the current pass, and what to print of all of them.
#[derive(Default)]
struct Dumps<'a> {
    before: String,
    text: String,
    /// Where files go instead, and how many there are in each folder.
    folder: Option<&'a Path>,
    n_files: BTreeMap<PathBuf, usize>,
    /// Why a file could not be written.
    failure: Option<String>,
}

impl Dumps<'_> {
    fn add(&mut self, when: &str, pass: &str, ir: &Ir, text: &str) {
        let title = format!("// -----// IR Dump {when} {pass} //----- //\n");
        let Some(folder) = self.folder else {
            self.text += &format!("{title}{text}\n\n");
            return;
        };
        let folder = folder.join(folder_of(ir));
        let n_files = self.n_files.entry(folder.clone()).or_default();
        let path = folder.join(format!("{n_files}_{pass}.mlir"));
        *n_files += 1;
        let written = match fs::create_dir_all(&folder) {
            Ok(()) => session::write_file(&path, format!("{title}{text}\n").as_bytes()),
            Err(error) => {
                let (folder, reason) = (folder.display(), error::reason(&error));
                Err(format!("error: cannot make folder '{folder}': {reason}"))
            }
        };
        if self.failure.is_none() {
            self.failure = written.err();
        }
    }
}

/// The folder of the output for a module or function, as MLIR calls it.
fn folder_of(ir: &Ir) -> PathBuf {
    let kind = ir.op_name(ir.root()).replace('.', "_");
    let symbol = ir.symbol_name(ir.root()).unwrap_or("no-symbol-name");
    let own = format!("{kind}_{}", symbol.replace('/', "_"));
    match kind == "builtin_module" {
        true => own.into(),
        false => Path::new("builtin_module_no-symbol-name").join(own),
    }
}

impl Instrumentation {
    fn prints_before(&self, pass: &str) -> bool {
        self.mlir_print_ir_before_all || self.mlir_print_ir_before.iter().any(|name| name == pass)
    }

    fn prints_after(&self, pass: &str) -> bool {
        let is_named = self.mlir_print_ir_after.iter().any(|name| name == pass);
        // By itself, the flag is about all passes.
        let only_changes = self.mlir_print_ir_after_change && self.mlir_print_ir_after.is_empty();
        self.mlir_print_ir_after_all || is_named || only_changes
    }

    fn prints(&self) -> bool {
        self.mlir_print_ir_before_all
            || self.mlir_print_ir_after_all
            || self.mlir_print_ir_after_change
            || !self.mlir_print_ir_before.is_empty()
            || !self.mlir_print_ir_after.is_empty()
    }

    /// Runs the pipeline; whether it succeeded. `verify_each` and `sequential` are those of [`RunOptions`].
    pub(crate) fn run(
        &self,
        ir: &mut Ir,
        pipeline: &Pipeline,
        print: PrintOptions,
        (verify_each, sequential, stage): (bool, bool, &Stage),
        diagnostics: &mut Diagnostics,
        io: &mut Io,
    ) -> io::Result<bool> {
        let reproducer = (self.mlir_pass_pipeline_crash_reproducer.as_ref())
            .map(|path| (path, reproducer(ir, pipeline, verify_each)));
        let dumps = Mutex::new(Dumps {
            folder: self.mlir_print_ir_tree_dir.as_deref(),
            ..Dumps::default()
        });
        let before = |ir: &Ir, pass: &'static dyn Pass| {
            stage.set(pass.name());
            let is_printed = self.prints_before(pass.name());
            if is_printed || self.mlir_print_ir_after_change {
                let text = printer::print(ir, print);
                let mut dumps = dumps.lock().unwrap_or_else(PoisonError::into_inner);
                if is_printed {
                    dumps.add("Before", pass.name(), ir, &text);
                }
                dumps.before = text;
            }
        };
        let after = |ir: &Ir, pass: &'static dyn Pass| {
            if self.prints_after(pass.name()) {
                let text = printer::print(ir, print);
                let mut dumps = dumps.lock().unwrap_or_else(PoisonError::into_inner);
                if !self.mlir_print_ir_after_change || dumps.before != text {
                    dumps.add("After", pass.name(), ir, &text);
                }
            }
        };
        let options = RunOptions {
            verify_each,
            before_pass: Some(&before),
            after_pass: self.prints().then_some(&after),
            sequential: sequential || self.prints(),
        };
        if self.blame.is_on() {
            let subject = self.subject.get().cloned().unwrap_or_default();
            return (self.blame).run(ir, pipeline, &subject, options, diagnostics, io);
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            manager::run(ir, pipeline, options, diagnostics)
        }));
        let Dumps { text, failure, .. } =
            dumps.into_inner().unwrap_or_else(PoisonError::into_inner);
        io.stderr.write_all(text.as_bytes())?;
        if !matches!(outcome, Ok(Ok(_)))
            && let Some((path, text)) = reproducer
        {
            match session::write_file(path, text.as_bytes()) {
                Ok(()) => {
                    let path = path.display();
                    writeln!(
                        io.stderr,
                        "note: a pass failed; '{path}' reproduces it: freehold opt --run-reproducer {path}"
                    )?;
                }
                Err(message) => writeln!(io.stderr, "{message}")?,
            }
        }
        let report = match outcome {
            Ok(Ok(report)) => report,
            Ok(Err(_)) => return Ok(false),
            Err(panic) => resume_unwind(panic),
        };
        if let Some(message) = failure {
            writeln!(io.stderr, "{message}")?;
            return Ok(false);
        }
        if self.mlir_timing {
            io.stderr.write_all(timing_table(&report).as_bytes())?;
        }
        if self.mlir_pass_statistics {
            io.stderr.write_all(statistics_table(&report).as_bytes())?;
        }
        Ok(true)
    }
}

/// Prints a pipeline.
pub(crate) fn dump_pipeline(pipeline: &Pipeline, io: &mut Io) -> io::Result<()> {
    let n_passes = pipeline.steps.len();
    writeln!(
        io.stderr,
        "Pass Manager with {n_passes} passes:\n{pipeline}"
    )
}

/// The program with the passes to run on it, in MLIR's form.
fn reproducer(ir: &Ir, pipeline: &Pipeline, verify_each: bool) -> String {
    let program = printer::print(ir, PrintOptions::default());
    let pipeline = pipeline
        .to_string()
        .replace('\\', "\\\\")
        .replace('"', "\\\"");
    let resources = format!(
        "  external_resources: {{\n    mlir_reproducer: {{\n      pipeline: \"{pipeline}\",\n      \
         disable_threading: true,\n      verify_each: {verify_each}\n    }}\n  }}\n#-}}\n"
    );
    // The program's own resources and these are in one section.
    match program.trim_end().strip_suffix("\n#-}") {
        Some(program) => format!("{program},\n{resources}"),
        None => format!("{program}\n{{-#\n{resources}"),
    }
}

/// The pipeline that a reproducer holds.
pub(crate) fn reproduced_pipeline(text: &str) -> Option<String> {
    let start = text.rfind("mlir_reproducer")?;
    let text = &text[start..];
    let start = text.find("pipeline: \"")? + "pipeline: \"".len();
    let mut pipeline = String::new();
    let mut characters = text[start..].chars();
    loop {
        match characters.next()? {
            '"' => return Some(pipeline),
            '\\' => pipeline.push(characters.next()?),
            character => pipeline.push(character),
        }
    }
}

fn timing_table(report: &Report) -> String {
    let total: f64 = report
        .passes
        .iter()
        .map(|pass| pass.time.as_secs_f64())
        .sum();
    let mut text = format!(
        "===-------------------------------------------------------------------------===\n\
         {:^79}\n\
         ===-------------------------------------------------------------------------===\n  \
         Total Execution Time: {total:.4} seconds\n\n  ----Time----  ----Name----\n",
        "... Execution time report ..."
    );
    for pass in &report.passes {
        let seconds = pass.time.as_secs_f64();
        let share = if total > 0.0 {
            100.0 * seconds / total
        } else {
            0.0
        };
        text += &format!("  {seconds:>8.4} ({share:>5.1}%)  {}\n", pass.name);
    }
    text + &format!("  {total:>8.4} (100.0%)  Total\n")
}

fn statistics_table(report: &Report) -> String {
    let mut text = format!(
        "===-------------------------------------------------------------------------===\n\
         {:^79}\n\
         ===-------------------------------------------------------------------------===\n",
        "... Pass statistics report ..."
    );
    for pass in &report.passes {
        text += &format!("{}\n", pass.name);
        for (name, n) in &pass.statistics {
            text += &format!("  (S) {n:>8} {name}\n");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::reproduced_pipeline;

    #[test]
    fn pipelines_come_back() {
        let text = "module {}\n{-#\n mlir_reproducer: {\n pipeline: \"a{b=\\\"c\\\"}\",\n #-}";
        assert_eq!(reproduced_pipeline(text).as_deref(), Some("a{b=\"c\"}"));
        assert_eq!(reproduced_pipeline("module {}"), None);
    }
}
