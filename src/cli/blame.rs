//! `--interpret-each` and `--opt-bisect-limit`: passes one by one, with the interpreter in between. The first pass
//! after which a program does something else is named.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::{DYNAMIC, FloatKind, Type, TypeKind};
use freehold_frontend::syntax::parser::parse_source;
use freehold_frontend::syntax::printer::{self, PrintOptions, type_to_string};
use freehold_interpret::{FaultKind, Limits, Outcome, Passed, Settings, Shape, function_types};
use freehold_passes::manage::manager::{self, RunOptions};
use freehold_passes::manage::pipeline::{Pipeline, Step, Target};

use crate::cli::interpreted::{self, message};
use crate::cli::io::Io;
use crate::cli::process::{self, without_addresses};
use crate::cli::values::{input, print};
use crate::cli::{flags, session};
use crate::error;
use crate::job::{Job, Source};
use crate::options::Options;

/// The heading of the flags in help.
const HEADING: &str = "Passes";

/// What to do between passes.
#[derive(clap::Args, Clone, Default, Debug)]
pub(crate) struct BlameArgs {
    /// Interpret the program after each pass and name the first one that changes what it does; its arguments are
    /// those of --input, or random
    #[arg(long, help_heading = HEADING)]
    pub(crate) interpret_each: bool,
    /// Seed of random arguments for --interpret-each
    #[arg(long, help_heading = HEADING, value_name = "N", default_value = "0")]
    pub(crate) interpret_seed: u64,
    /// Where --interpret-each writes the program before and after the pass that it names [default: a folder for
    /// temporary files]
    #[arg(long, help_heading = HEADING, value_name = "FOLDER")]
    pub(crate) interpret_each_dir: Option<PathBuf>,
    /// Run only the first N passes that may be left out and say so; all of them for -1
    #[arg(long, help_heading = HEADING, value_name = "N", allow_negative_numbers = true)]
    pub(crate) opt_bisect_limit: Option<i64>,
    /// Of the last pass that --opt-bisect-limit runs, do only the first N folds and patterns, and say what the last one
    /// was
    #[arg(long, help_heading = HEADING, value_name = "N", requires = "opt_bisect_limit")]
    pub(crate) opt_bisect_rewrites: Option<u64>,
}

/// The function that is interpreted, and its arguments as text; every public function with random arguments if
/// there is none.
#[derive(Clone, Default, Debug)]
pub(crate) struct Subject {
    pub(crate) entry: Option<String>,
    pub(crate) inputs: Vec<String>,
    /// Whether the passes free all memory.
    pub(crate) frees: bool,
    /// The names of the passes that `--opt-bisect-limit` does not leave out.
    pub(crate) mandatory: Vec<String>,
}

/// What one function did.
struct Observed {
    entry: String,
    inputs: Vec<Passed>,
    /// What was said about its arguments.
    words: Vec<String>,
    outcome: Outcome,
    output: Vec<u8>,
}

/// How interpreted programs are limited between passes.
fn settings() -> Settings {
    Settings {
        limits: Limits {
            steps: 200_000_000,
            ..Settings::default().limits
        },
        ..Settings::default()
    }
}

/// A difference between what a program did and does.
enum Verdict {
    Same,
    /// It cannot be told.
    Unknown,
    Different(String),
}

impl BlameArgs {
    /// Whether passes run one by one.
    pub(crate) fn is_on(&self) -> bool {
        self.interpret_each || self.opt_bisect_limit.is_some()
    }

    /// Runs the pipeline pass by pass; whether all went well.
    pub(crate) fn run(
        &self,
        ir: &mut Ir,
        pipeline: &Pipeline,
        subject: &Subject,
        options: RunOptions<'_>,
        diagnostics: &mut Diagnostics,
        io: &mut Io,
    ) -> io::Result<bool> {
        let base = match self.interpret_each {
            true => match self.observe_all(ir, subject, io)? {
                Some(base) => base,
                None => return Ok(false),
            },
            false => Vec::new(),
        };
        let mut number = 0;
        let mut unseen: Vec<String> = Vec::new();
        for step in single_steps(pipeline) {
            let text = step_text(&step);
            if let Some(limit) = self.opt_bisect_limit
                && !subject
                    .mandatory
                    .iter()
                    .any(|name| name == pass_name(&text))
            {
                number += 1;
                let runs = limit < 0 || number <= limit;
                let no = if runs { "" } else { "NOT " };
                writeln!(io.stderr, "BISECT: {no}running pass ({number}) {text}")?;
                if !runs {
                    continue;
                }
                if let Some(most) = self.opt_bisect_rewrites.filter(|_| number == limit) {
                    let done = limited(ir, &step, most, options, diagnostics);
                    let Some((n, last)) = done else {
                        return Ok(false);
                    };
                    writeln!(io.stderr, "BISECT: {n} rewrites, the last one: {last}")?;
                    continue;
                }
            }
            let before = (!base.is_empty()).then(|| printer::print(ir, PrintOptions::default()));
            if manager::run(ir, &step, options, diagnostics).is_err() {
                return Ok(false);
            }
            let Some(before) = before else { continue };
            let after = printer::print(ir, PrintOptions::default());
            if before == after {
                continue;
            }
            let mut is_seen = true;
            for observed in &base {
                match check(observed, ir) {
                    Verdict::Same => {}
                    Verdict::Unknown => is_seen = false,
                    Verdict::Different(what) => {
                        unseen.push(text);
                        self.report(observed, &unseen, &what, [&before, &after], io)?;
                        if let Some(text) = guilty_rewrite(observed, ir, &step, &before) {
                            writeln!(io.stderr, "note: {text}")?;
                        }
                        return Ok(false);
                    }
                }
            }
            match is_seen {
                true => unseen.clear(),
                false => unseen.push(text),
            }
        }
        match subject.frees {
            true => leaks_nothing(&base, ir, io),
            false => Ok(true),
        }
    }

    /// Interprets the reference. `None` if that is undefined, which is reported.
    fn observe_all(
        &self,
        ir: &Ir,
        subject: &Subject,
        io: &mut Io,
    ) -> io::Result<Option<Vec<Observed>>> {
        let entries = match &subject.entry {
            Some(entry) => vec![entry.clone()],
            None => public_functions(ir),
        };
        let mut all = Vec::new();
        for entry in entries {
            let Some((types, _)) = function_types(ir, &entry) else {
                writeln!(
                    io.stderr,
                    "error: there is no function '{entry}' to interpret"
                )?;
                return Ok(None);
            };
            let words = match subject.inputs.is_empty() {
                false => Ok(subject.inputs.clone()),
                true => random_inputs(ir.context(), &types, self.interpret_seed),
            };
            let inputs = words.and_then(|words| {
                let mut arrays = Vec::new();
                for word in &words {
                    arrays.extend(input::arrays(word)?);
                }
                let passed = interpreted::inputs(ir.context(), arrays, &types)?;
                Ok((words, passed))
            });
            let (words, inputs) = match inputs {
                Ok(inputs) => inputs,
                Err(message) if subject.entry.is_none() => {
                    writeln!(io.stderr, "note: '{entry}' is not interpreted: {message}")?;
                    continue;
                }
                Err(message) => {
                    writeln!(
                        io.stderr,
                        "error: '{entry}' cannot be interpreted: {message}"
                    )?;
                    return Ok(None);
                }
            };
            let mut output = Vec::new();
            let outcome = freehold_interpret::run(ir, &entry, &inputs, settings(), &mut output);
            if let Some(fault) = &outcome.fault {
                let is_undefined = !matches!(fault.kind, FaultKind::Unsupported | FaultKind::Limit);
                if subject.entry.is_none() {
                    let (call, why) = (call_text(&entry, &words), message(fault));
                    writeln!(io.stderr, "note: not interpreted: {call}: {why}")?;
                    continue;
                }
                let what = match is_undefined {
                    true => "before any pass, the program is not defined for these arguments",
                    false => "the program cannot be interpreted",
                };
                interpreted::report(fault, ir.context(), io)?;
                writeln!(io.stderr, "note: {what}: {}", call_text(&entry, &words))?;
                return Ok(None);
            }
            all.push(Observed {
                entry,
                inputs,
                words,
                outcome,
                output,
            });
        }
        Ok(Some(all))
    }

    /// Names the pass.
    fn report(
        &self,
        observed: &Observed,
        passes: &[String],
        what: &str,
        texts: [&str; 2],
        io: &mut Io,
    ) -> io::Result<()> {
        let entry = &observed.entry;
        let named = match passes {
            [pass] => format!("pass '{pass}' changes"),
            passes => {
                let names: Vec<String> = passes.iter().map(|pass| format!("'{pass}'")).collect();
                format!("one of the passes {} changes", names.join(", "))
            }
        };
        writeln!(io.stderr, "error: {named} what '{entry}' does: {what}")?;
        writeln!(
            io.stderr,
            "note: called with: {}",
            call_text(entry, &observed.words)
        )?;
        if observed.outcome.stats.open > 0 {
            writeln!(
                io.stderr,
                "note: of zeros of both signs, 'arith.minnumf' and 'arith.maxnumf' may give either, so the pass may be right"
            )?;
        }
        let folder = self.interpret_each_dir.clone().unwrap_or_else(|| {
            std::env::temp_dir().join(format!("freehold-interpret-each-{}", std::process::id()))
        });
        if let Err(error) = fs::create_dir_all(&folder) {
            let (folder, reason) = (folder.display(), error::reason(&error));
            return writeln!(io.stderr, "error: cannot make folder '{folder}': {reason}");
        }
        for (name, text) in ["before.mlir", "after.mlir"].into_iter().zip(texts) {
            let path = folder.join(name);
            match session::write_file(&path, text.as_bytes()) {
                Ok(()) => writeln!(
                    io.stderr,
                    "note: the program {}: {}",
                    &name[..name.len() - 5],
                    path.display()
                )?,
                Err(message) => writeln!(io.stderr, "{message}")?,
            }
        }
        Ok(())
    }
}

/// Runs a pass up to a limit of folds and patterns. Returns their number and the last one; nothing if the pass
/// fails.
fn limited(
    ir: &mut Ir,
    step: &Pipeline,
    most: u64,
    options: RunOptions<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<(u64, String)> {
    // They are numbered in one order only if functions are one after the other.
    let options = RunOptions {
        sequential: true,
        ..options
    };
    ir.context().rewrites().count(most);
    let ran = manager::run(ir, step, options, diagnostics);
    let done = ir.context().rewrites().stop();
    ran.ok().map(|_| done)
}

/// The first fold or pattern of a pass after which a function does something else, if there is one.
fn guilty_rewrite(observed: &Observed, ir: &Ir, step: &Pipeline, before: &str) -> Option<String> {
    let context = ir.context();
    let tried = |most: u64| -> Option<(bool, u64, String)> {
        let mut diagnostics = Diagnostics::new();
        let source = context.add_source("before", before, 1).ok()?;
        let mut module = parse_source(context, &source, &mut diagnostics).ok()?;
        let options = RunOptions::default();
        let (n, last) = limited(&mut module, step, most, options, &mut diagnostics)?;
        let is_wrong = matches!(check(observed, &module), Verdict::Different(_));
        Some((is_wrong, n, last))
    };
    let (is_wrong, all, _) = tried(u64::MAX)?;
    if !is_wrong || all == 0 || tried(0)?.0 {
        return None;
    }
    let (mut right, mut wrong) = (0, all);
    while wrong - right > 1 {
        let middle = right + (wrong - right) / 2;
        match tried(middle)?.0 {
            true => wrong = middle,
            false => right = middle,
        }
    }
    let (_, _, last) = tried(wrong)?;
    Some(format!(
        "rewrite {wrong} of {all} is the first that matters: {last}"
    ))
}

/// Whether programs free all memory once all passes were run; what they leave is reported.
fn leaks_nothing(base: &[Observed], ir: &Ir, io: &mut Io) -> io::Result<bool> {
    let mut diagnostics = Diagnostics::new();
    for observed in base {
        let mut output = Vec::new();
        let entry = &observed.entry;
        let outcome = freehold_interpret::run(ir, entry, &observed.inputs, settings(), &mut output);
        for leak in &outcome.leaks {
            let bytes = leak.bytes;
            diagnostics.error(
                leak.loc,
                format!("after all passes, {bytes} bytes from here are never freed"),
            );
        }
    }
    session::report(&diagnostics, ir.context(), io)?;
    Ok(diagnostics.is_empty())
}

/// Each pass of a pipeline as a pipeline of its own.
fn single_steps(pipeline: &Pipeline) -> Vec<Pipeline> {
    let mut steps = Vec::new();
    for step in &pipeline.steps {
        match step {
            Step::Pass(pass) => steps.push(Pipeline {
                target: pipeline.target,
                steps: vec![Step::Pass(pass.clone())],
            }),
            Step::Nested(inner) => {
                steps.extend(single_steps(inner).into_iter().map(|inner| Pipeline {
                    target: pipeline.target,
                    steps: vec![Step::Nested(inner)],
                }));
            }
        }
    }
    steps
}

/// The names of the passes of a pipeline.
pub(crate) fn pass_names(pipeline: &Pipeline) -> Vec<String> {
    let steps = single_steps(pipeline);
    let texts = steps.iter().map(step_text);
    texts.map(|text| pass_name(&text).to_owned()).collect()
}

/// A pass without its options.
fn pass_name(text: &str) -> &str {
    text.split('{').next().unwrap_or(text)
}

/// The pass that a pipeline of one pass runs.
fn step_text(pipeline: &Pipeline) -> String {
    match &pipeline.steps[..] {
        [Step::Pass(pass)] => pass.to_string(),
        [Step::Nested(inner)] if inner.target != Target::Any => step_text(inner),
        _ => pipeline.to_string(),
    }
}

/// Functions with bodies that can be called from outside.
fn public_functions(ir: &Ir) -> Vec<String> {
    let Some(block) = ir.root_block() else {
        return Vec::new();
    };
    let functions = ir.ops_in(block).filter_map(|op| ir.nested(op));
    functions
        .filter(|function| {
            let root = function.root();
            function.has_trait(root, Traits::FUNCTION)
                && function.root_block().is_some()
                && !function.is_private(root)
        })
        .filter_map(|function| function.symbol_name(function.root()).map(str::to_owned))
        .collect()
}

/// Random arguments of these types, as text. Open sizes are four, and so no two of them disagree.
fn random_inputs(context: &Context, types: &[Type], seed: u64) -> Result<Vec<String>, String> {
    let one = |(index, &ty): (usize, &Type)| {
        let element = context.element_type_or_self(ty);
        let text = type_to_string(context, element);
        let shape = match context.type_kind(ty) {
            TypeKind::Vector { shape, .. } | TypeKind::RankedTensor { shape, .. } => &shape[..],
            TypeKind::MemRef(memref) => &memref.shape[..],
            TypeKind::UnrankedTensor(_) | TypeKind::UnrankedMemRef { .. } => &[4],
            _ => &[],
        };
        let sizes = shape
            .iter()
            .map(|&size| if size == DYNAMIC { 4 } else { size });
        let sizes: String = sizes.map(|size| format!("{size}x")).collect();
        let seed = seed
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .wrapping_add(index as u64);
        match context.type_kind(ty) {
            // Numbers alone are sizes and counters more often than not.
            TypeKind::Index => Ok(format!("index={}", 1 + seed % 4)),
            TypeKind::Integer { width, .. } if *width > 3 => Ok(format!("{text}={}", 1 + seed % 4)),
            _ => Ok(format!("{sizes}{text}=random:{seed}")),
        }
    };
    types.iter().enumerate().map(one).collect()
}

fn call_text(entry: &str, words: &[String]) -> String {
    let inputs: String = words
        .iter()
        .map(|word| format!(" --input={word}"))
        .collect();
    format!("-e {entry}{inputs}")
}

/// Whether a function still does what it did.
fn check(observed: &Observed, ir: &Ir) -> Verdict {
    let mut output = Vec::new();
    let entry = &observed.entry;
    let outcome = freehold_interpret::run(ir, entry, &observed.inputs, settings(), &mut output);
    if let Some(fault) = &outcome.fault {
        return match fault.kind {
            FaultKind::Unsupported | FaultKind::Limit => Verdict::Unknown,
            _ => {
                let context = ir.context();
                let loc = fault.loc.and_then(|loc| context.resolve_loc(loc));
                let at = loc.map_or(String::new(), |at| {
                    format!("{}:{}:{}: ", at.file, at.line, at.column)
                });
                Verdict::Different(format!("{at}{}", message(fault)))
            }
        };
    }
    if normal(&output) != normal(&observed.output) {
        let text = |output: &[u8]| String::from_utf8_lossy(output).into_owned();
        let (before, after) = (text(&observed.output), text(&output));
        let mut lines = before.lines().zip(after.lines());
        let line = lines.find(|(before, after)| before != after);
        let (before, after) = line.unwrap_or((&before, &after));
        return Verdict::Different(format!("it printed '{before}' and prints '{after}'"));
    }
    let context = ir.context();
    let sides = [
        ("result", &observed.outcome.results, &outcome.results),
        ("argument", &observed.outcome.arguments, &outcome.arguments),
    ];
    for (what, before, after) in sides {
        for (index, (before, after)) in before.iter().zip(after).enumerate() {
            if let Some(text) = difference(context, before, after) {
                return Verdict::Different(format!("{what} #{index}{text}"));
            }
        }
    }
    Verdict::Same
}

/// Output without parts that may differ: addresses, and the sign of NaN.
pub(crate) fn normal(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(&without_addresses(output)).into_owned();
    text.replace("-nan", "nan").replace("-NaN", "NaN")
}

/// Where two values differ, as far as the first one is defined.
fn difference(context: &Context, before: &Shape, after: &Shape) -> Option<String> {
    let (Shape::Value(before), Shape::Value(after)) = (before, after) else {
        return None;
    };
    if before.sizes != after.sizes {
        return Some(format!(
            " had sizes {:?} and has sizes {:?}",
            before.sizes, after.sizes
        ));
    }
    let n: usize = before.sizes.iter().map(|&size| size as usize).product();
    if n == 0 || before.bytes.len() != after.bytes.len() {
        return None;
    }
    let size = before.bytes.len() / n;
    let is_undefined = |passed: &Passed, at: usize| passed.undefined.get(at).copied() == Some(true);
    for at in 0..n {
        let [old, new] = [before, after].map(|passed| &passed.bytes[at * size..][..size]);
        if is_undefined(before, at) {
            continue;
        }
        let place = if before.sizes.is_empty() {
            String::new()
        } else {
            format!(" element {at}")
        };
        if is_undefined(after, at) {
            return Some(format!("{place} was defined and is not any more"));
        }
        if old == new || is_nan(context, before.element, old) && is_nan(context, after.element, new)
        {
            continue;
        }
        let text = |passed: &Passed| {
            let one = Passed {
                element: passed.element,
                sizes: Vec::new(),
                bytes: passed.bytes[at * size..][..size].to_vec(),
                undefined: Vec::new(),
            };
            let array = interpreted::array(context, &Shape::Value(one));
            let text = array.map_or_else(|error| error, |array| print::array(&array, 1));
            text.split_once(" = ")
                .map_or(text.clone(), |(_, text)| text.to_owned())
        };
        return Some(format!(
            "{place} was {} and is {}",
            text(before),
            text(after)
        ));
    }
    None
}

fn is_nan(context: &Context, ty: Type, bytes: &[u8]) -> bool {
    match context.type_kind(ty) {
        TypeKind::Float(FloatKind::F32) => bytes
            .try_into()
            .is_ok_and(|bytes| f32::from_le_bytes(bytes).is_nan()),
        TypeKind::Float(FloatKind::F64) => bytes
            .try_into()
            .is_ok_and(|bytes| f64::from_le_bytes(bytes).is_nan()),
        TypeKind::Float(kind @ (FloatKind::F16 | FloatKind::BF16)) => {
            let Ok(bytes) = bytes.try_into() else {
                return false;
            };
            let infinity = if *kind == FloatKind::F16 {
                0x7c00
            } else {
                0x7f80
            };
            u16::from_le_bytes(bytes) & 0x7fff > infinity
        }
        TypeKind::Complex(part) => {
            let (re, im) = bytes.split_at(bytes.len() / 2);
            is_nan(context, *part, re) || is_nan(context, *part, im)
        }
        _ => false,
    }
}

/// A comparison of machine code with the interpreter.
pub(crate) struct CodeCheck<'a> {
    pub(crate) file: &'a OsStr,
    pub(crate) entry: &'a str,
    /// The arguments as text; random ones if there are none.
    pub(crate) inputs: &'a [String],
    pub(crate) options: &'a Options,
}

impl CodeCheck<'_> {
    /// Runs both; what differs, if something does. What cannot be told is said as a note.
    pub(crate) fn run(&self, job: &Job, io: &mut Io) -> io::Result<Option<String>> {
        let unknown = |io: &mut Io, why: &str| {
            writeln!(
                io.stderr,
                "note: the machine code is not held against the interpreter: {why}"
            )
        };
        let text = match session::load_program(self.file, io) {
            Ok(input) => input,
            Err(message) => return Ok(Some(message)),
        };
        let read = job.read_for_one_device(Source::new(text.name, text.text));
        let Some(module) = read.lowered.map(|lowered| lowered.ir) else {
            return Ok(Some("the program cannot be read".to_owned()));
        };
        match self.compare(&module, &io.again) {
            Ok(difference) => Ok(difference),
            Err(why) => {
                unknown(io, &why)?;
                Ok(None)
            }
        }
    }

    /// What differs; an error says why that cannot be told.
    pub(crate) fn compare(
        &self,
        module: &Ir,
        again: &[OsString],
    ) -> Result<Option<String>, String> {
        let Some((types, _)) = function_types(module, self.entry) else {
            return Err(format!("there is no function '{}'", self.entry));
        };
        let context = module.context();
        let words = match self.inputs {
            [] => random_inputs(context, &types, 0)?,
            inputs => inputs.to_vec(),
        };
        let mut arrays = Vec::new();
        for word in &words {
            arrays.extend(input::arrays(word)?);
        }
        let inputs = interpreted::inputs(context, arrays, &types)?;
        let mut output = Vec::new();
        let outcome = freehold_interpret::run(module, self.entry, &inputs, settings(), &mut output);
        if let Some(fault) = outcome.fault.as_ref().or(outcome.undefined_result.as_ref()) {
            return Err(message(fault));
        }
        let mut expected = normal(&output);
        for (what, index, array) in interpreted::shown(module, self.entry, &outcome) {
            let text = array.map_or_else(|error| error, |array| print::array(&array, usize::MAX));
            expected += &normal(format!("{what} #{index}: {text}\n").as_bytes());
        }
        let mut command = process::again(again).map_err(|error| error.to_string())?;
        command
            .arg("run")
            .args(flags::words(self.options))
            .args(["-e", self.entry])
            .args(words.iter().map(|word| format!("--input={word}")))
            .arg(format!("--max-elements={}", usize::MAX))
            .arg("--")
            .arg(self.file);
        let finished = process::finish(command, TIMEOUT).map_err(|error| error.to_string())?;
        match finished.status {
            None => return Ok(Some("the machine code does not end".to_owned())),
            Some(status) if !status.success() => {
                let errors = String::from_utf8_lossy(&finished.stderr).into_owned();
                let line = errors.lines().next().unwrap_or_default();
                return Ok(Some(format!("the machine code fails: {line} ({status})")));
            }
            Some(_) => {}
        }
        let found = normal(&finished.stdout);
        if found == expected {
            return Ok(None);
        }
        let mut lines = expected.lines().zip(found.lines());
        let line = lines.find(|(expected, found)| expected != found);
        let (expected, found) = line.unwrap_or((&expected, &found));
        Ok(Some(format!(
            "the machine code gives '{found}' where the interpreter gives '{expected}', called with: {}",
            call_text(self.entry, &words)
        )))
    }
}

/// How long machine code may run.
const TIMEOUT: Duration = Duration::from_secs(60);
