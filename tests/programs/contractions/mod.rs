//! Random contractions of the linalg dialect through the whole of Freehold: the same bits without optimization, by the
//! runtime library, in loops, on AArch64, and in executables with versions for several processors.
//!
//! Functions run named operations (products of matrices, convolutions of every layout, depthwise and grouped ones), on
//! tensors that are padded, cut out of others with strides or transposed, and on what follows them. They print a hash
//! of the result. In every other module all numbers are small integers, so that sums are exact in any order, and
//! floating-point policies have to agree as well.

mod generator;

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::support::batch::{self, End, Job};
use crate::support::{first_seed, in_process, n_programs, needs, peer};
use freehold::exit;
use generator::module;

/// How many functions are tried.
const FUNCTIONS: u64 = 48;

/// How many functions a module has.
const BATCH: u64 = 6;

/// Of so many modules, one more is run in executables.
const EXECUTABLES_EVERY: u64 = 8;

/// A kind of executables.
struct Executable {
    name: &'static str,
    /// How they are compiled.
    flags: &'static [&'static str],
    /// The words that run them.
    runner: &'static [&'static str],
    needs: &'static [&'static str],
}

const EXECUTABLES: &[Executable] = &[
    Executable {
        name: "aarch64",
        flags: &["--static", "--target=aarch64-unknown-linux-gnu"],
        runner: &["qemu-aarch64"],
        needs: &["aarch64"],
    },
    #[cfg(target_arch = "x86_64")]
    Executable {
        name: "versions",
        flags: &["--static", "--multiversion=v2,v3,v4"],
        runner: &["qemu-x86_64", "-cpu", "Haswell"],
        needs: &["cc", "qemu-x86_64"],
    },
];

/// How all modules run, the first time as they are written.
const STRICT: &[&str] = &[
    "run - -O0",
    "run - --mlir-print-ir-after=convert-linalg-to-library-calls",
    "run - --no-library-calls",
    "run - --threads=2",
];

/// How they run as well on processors that have it.
const ON_V3: &[&str] = &["run - --target-cpu=x86-64-v3 --no-library-calls"];

/// What that needs, on machines for which that is a processor.
const X86_64_V3: &[&str] = match cfg!(target_arch = "x86_64") {
    true => &["x86-64-v3"],
    false => &[],
};

/// How those run whose sums are exact.
const RELAXED: &[&str] = &[
    "run - --fp=contract",
    "run - --fp=fast",
    "run - --fp=fast --no-library-calls",
    "run - --fp=fast --threads=2",
];

pub(crate) fn family() -> super::Family {
    let mut family = super::Family::new("contractions");
    let first = first_seed();
    let end = first + n_programs(FUNCTIONS);
    let batches = |step: u64| {
        (first..end)
            .step_by((BATCH * step) as usize)
            .map(move |start| start..end.min(start + BATCH))
    };
    let n_calls: Arc<AtomicUsize> = Arc::default();
    for seeds in batches(1) {
        let name = format!("seeds-{}-{}", seeds.start, seeds.end);
        let n_calls = Arc::clone(&n_calls);
        family.test(name, move || {
            n_calls.fetch_add(compare(seeds)?, Ordering::Relaxed);
            Ok(())
        });
    }
    family.tables = Box::new(move || match n_calls.load(Ordering::Relaxed) {
        0 => String::new(),
        n => format!("\n{n} of {} contractions were library calls\n", end - first),
    });
    for executable in EXECUTABLES {
        for seeds in batches(EXECUTABLES_EVERY) {
            let name = format!("{}-{}-{}", executable.name, seeds.start, seeds.end);
            family.test_with(executable.needs, name, move || {
                Ok(compare_executables(seeds, executable)?)
            });
        }
    }
    family.leaves_out_without(X86_64_V3, "x86-64-v3");
    family
}

/// Whether sums of all functions with these seeds are exact.
fn is_exact(seeds: &Range<u64>) -> bool {
    (seeds.start / BATCH).is_multiple_of(2)
}

/// Runs a module in all ways; the number of library calls.
fn compare(seeds: Range<u64>) -> Result<usize, String> {
    let text: Arc<str> = Arc::from(module(seeds.clone(), is_exact(&seeds)));
    let relaxed = match is_exact(&seeds) {
        true => RELAXED,
        false => &[],
    };
    let has_v3 = cfg!(target_arch = "x86_64") && needs::missing(X86_64_V3).is_none();
    let on_v3 = if has_v3 { ON_V3 } else { &[] };
    let commands = [STRICT, on_v3, relaxed].concat();
    let jobs: Vec<Job> = commands
        .iter()
        .map(|command| Job::new(command, &text))
        .collect();
    let outcomes = batch::run(&jobs)?;
    let (mut wrong, mut n_calls) = (String::new(), 0);
    for (command, outcome) in commands.iter().zip(&outcomes) {
        if !matches!(outcome.end, End::Status(0)) {
            let _ = writeln!(
                wrong,
                "freehold {command}: {:?}\n{}",
                outcome.end, outcome.stderr
            );
        }
        wrong.push_str(&differences(command, &outcomes[0].native, &outcome.native));
        n_calls += outcome.stderr.matches("call @freehold_contract").count();
    }
    fail_if(wrong, &text, seeds)?;
    Ok(n_calls)
}

/// Compares with executables.
fn compare_executables(seeds: Range<u64>, executable: &Executable) -> Result<(), String> {
    let Executable { flags, runner, .. } = *executable;
    let text: Arc<str> = Arc::from(module(seeds.clone(), is_exact(&seeds)));
    let outcomes = batch::run(&[Job::new("run - -O0", &text)])?;
    let expected = outcomes.first().ok_or("nothing ran")?;
    let emulator = peer::tool(runner[0]);
    let mut wrong = String::new();
    let policies: &[&str] = match is_exact(&seeds) {
        true => &["strict", "fast"],
        false => &["strict"],
    };
    for policy in policies {
        let name = format!(
            "contractions-{}-{}-{policy}-{}",
            runner[0],
            seeds.start,
            std::process::id()
        );
        let program = std::env::temp_dir().join(name);
        let path = program.to_string_lossy();
        let fp = format!("--fp={policy}");
        let words = [&["compile", "-", "--emit=exe", &fp, "-o", &path], flags].concat();
        let compiled = in_process::freehold(&words, &*text);
        if compiled.status != exit::OK {
            let _ = writeln!(wrong, "freehold {}: {}", words.join(" "), compiled.stderr);
            continue;
        }
        let arguments = [&runner[1..], &[&*path]].concat();
        let found = peer::run_ok(&emulator, &arguments, "");
        // It may not have been made.
        let _ = std::fs::remove_file(&program);
        wrong.push_str(&differences(&words.join(" "), &expected.native, &found?));
    }
    fail_if(wrong, &text, seeds)
}

/// The functions that print something else.
fn differences(command: &str, expected: &str, found: &str) -> String {
    let mut wrong = String::new();
    for (number, (expected, found)) in expected.lines().zip(found.lines()).enumerate() {
        if expected != found {
            let _ = writeln!(
                wrong,
                "freehold {command}: function {number}: {found}, not {expected}"
            );
        }
    }
    let [n_expected, n_found] = [expected, found].map(|text| text.lines().count());
    if n_expected != n_found || n_found == 0 {
        let _ = writeln!(
            wrong,
            "freehold {command}: {n_found} lines, not {n_expected}"
        );
    }
    wrong
}

fn fail_if(wrong: String, text: &str, seeds: Range<u64>) -> Result<(), String> {
    if wrong.is_empty() {
        return Ok(());
    }
    let path = std::env::temp_dir().join(format!("contractions-{}.mlir", seeds.start));
    std::fs::write(&path, text).map_err(|error| error.to_string())?;
    Err(format!(
        "{wrong}\nFREEHOLD_SEED={} FREEHOLD_PROGRAMS={}, {}",
        seeds.start,
        seeds.end - seeds.start,
        path.display()
    ))
}
