//! Programs that mlir-opt has lowered to the `llvm` dialect print what they printed before.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::Failed;

use crate::support::batch::{self, End, Job};
use crate::support::generator::generate;
use crate::support::generator::shape::Shape;
use crate::support::process::{self, Stderr};
use crate::support::{first_seed, n_programs};

/// How many programs are tried.
const PROGRAMS: u64 = 12;

/// How many programs one child process runs.
const BATCH: u64 = 20;

/// The longest that mlir-opt may take.
const TIMEOUT: Duration = Duration::from_secs(30);

/// What makes buffers of tensors.
const BUFFERIZATION: &str = "--one-shot-bufferize=bufferize-function-boundaries";

/// Upstream's way to the dialect, without deallocation.
const LOWERING: [&str; 22] = [
    "--expand-realloc",
    "--convert-bufferization-to-memref",
    "--convert-linalg-to-loops",
    "--lower-affine",
    "--convert-vector-to-scf",
    "--convert-scf-to-cf",
    "--memref-expand",
    "--expand-strided-metadata",
    "--lower-affine",
    "--convert-math-to-funcs",
    "--arith-expand",
    "--convert-vector-to-llvm",
    "--convert-complex-to-llvm",
    "--convert-index-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-math-to-llvm",
    "--convert-math-to-libm",
    "--convert-arith-to-llvm",
    "--convert-func-to-llvm",
    "--convert-cf-to-llvm",
    "--convert-ub-to-llvm",
    "--reconcile-unrealized-casts",
];

pub(crate) fn family() -> super::Family {
    let mut family = super::Family::new("raising");
    let first = first_seed();
    let share = n_programs(PROGRAMS).div_ceil(Shape::NAMED.len() as u64);
    for (name, shape) in Shape::NAMED {
        family.test_with(&["mlir-opt-19"], name, move || {
            test_shape(name, &shape, first..first + share)
        });
    }
    family.test_with(&["mlir-opt-19"], "examples", test_examples);
    family
}

fn test_shape(name: &str, shape: &Shape, seeds: Range<u64>) -> Result<(), Failed> {
    let mut wrong = String::new();
    let (mut n, mut refused) = (0, 0);
    let mut start = seeds.start;
    while start < seeds.end {
        let end = seeds.end.min(start + BATCH);
        let programs: Vec<(String, Arc<str>)> = (start..end)
            .map(|seed| {
                (
                    format!("FREEHOLD_SEED={seed}"),
                    generate(seed, shape).into(),
                )
            })
            .collect();
        n += programs.len();
        refused += compare(&programs, &mut wrong)?;
        start = end;
    }
    if !wrong.is_empty() {
        return Err(wrong.into());
    }
    if refused > 0 {
        eprintln!("raising/{name}: mlir-opt does not lower {refused} of {n} programs");
    }
    Ok(())
}

fn test_examples() -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut programs = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "mlir") {
            let text = std::fs::read_to_string(&path)?;
            programs.push((path.display().to_string(), text.into()));
        }
    }
    let mut wrong = String::new();
    let refused = compare(&programs, &mut wrong)?;
    match refused {
        0 if wrong.is_empty() => Ok(()),
        _ => Err(format!("mlir-opt does not lower {refused} examples\n{wrong}").into()),
    }
}

/// Compares what programs print before and after they are lowered. Returns how many mlir-opt refuses.
fn compare(programs: &[(String, Arc<str>)], wrong: &mut String) -> Result<usize, String> {
    let mut jobs = Vec::new();
    let mut names = Vec::new();
    for (name, text) in programs {
        let Some(lowered) = lower(text)? else {
            continue;
        };
        jobs.push(Job::new("run --dealloc=none -O0 -", text));
        let level = if names.len() % 2 == 0 { "-O0" } else { "-O2" };
        jobs.push(Job::new(&format!("run {level} -"), &lowered));
        names.push(name);
    }
    let outcomes = batch::run(&jobs)?;
    for (name, outcomes) in names.iter().zip(outcomes.chunks(2)) {
        let [before, after] = outcomes else {
            return Err("two commands have two outcomes".into());
        };
        let [expected, found] = [before, after].map(|outcome| without_addresses(&outcome.native));
        let fine = after.end == End::Status(0) && after.stdout == before.stdout;
        if before.end == End::Status(0) && !(fine && expected == found) {
            let (end, stderr) = (after.end, &after.stderr);
            let _ = writeln!(
                wrong,
                "{name}: {end:?} {stderr}\n{found}expected:\n{expected}"
            );
        }
    }
    Ok(programs.len() - names.len())
}

/// Memory is at other addresses.
fn without_addresses(text: &str) -> String {
    let mut lines = String::new();
    for line in text.lines() {
        let mut words = line.split(' ').map(|word| match word.starts_with("0x") {
            true => "0x",
            false => word,
        });
        lines.extend(words.next());
        words.for_each(|word| {
            lines.push(' ');
            lines.push_str(word);
        });
        lines.push('\n');
    }
    lines
}

/// What mlir-opt makes of a program; nothing if it leaves other dialects in it, refuses it or crashes.
fn lower(text: &str) -> Result<Option<Arc<str>>, String> {
    let mut command = Command::new("mlir-opt-19");
    // Naming the functions of a crash takes longer than everything else.
    let has_tensors = text.contains("tensor<");
    command.args(has_tensors.then_some(BUFFERIZATION));
    command
        .args(LOWERING)
        .env("LLVM_DISABLE_SYMBOLIZATION", "1");
    let finished = process::run(&mut command, text.as_bytes(), Stderr::Separate, TIMEOUT)?;
    let lowered = String::from_utf8_lossy(&finished.stdout).into_owned();
    let is_whole = finished.status == 0 && !lowered.contains("unrealized_conversion_cast");
    Ok(is_whole.then(|| lowered.into()))
}
