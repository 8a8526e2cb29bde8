//! Random programs of the vector dialect: the same bits in vectors of every width, without optimization, and by
//! MLIR's lowering to LLVM.
//!
//! Functions work on memory of every type, with vectors of all sizes, at any place; afterwards, all memory is
//! printed, row by row, as a hash. What LLVM computes otherwise (products are added without being rounded,
//! conversions out of range) is left out of the programs that it runs.

mod generator;

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use crate::support::batch::{self, End, Job};
use crate::support::{first_seed, n_programs, needs, peer};
use generator::{Dialect, module};

/// How many functions are tried.
const FUNCTIONS: u64 = 10;

/// How many functions a module has.
const BATCH: u64 = 10;

/// Of so many modules, the peer runs one more.
const PEER_EVERY: u64 = 30;

/// How modules run. The first one has no vectors but those that Cranelift has, and each element by itself.
const COMMANDS: &[&str] = &[
    "run - -O0",
    "run - --vector-bits=128",
    #[cfg(target_arch = "x86_64")]
    "run - --target-cpu=x86-64-v3 --remarks",
    #[cfg(target_arch = "x86_64")]
    "run - --target-cpu=x86-64-v4 --vector-bits=256 --remarks",
    #[cfg(target_arch = "x86_64")]
    "run - --target-cpu=x86-64-v4 --remarks",
    #[cfg(target_arch = "x86_64")]
    "run - --remarks",
];

/// How modules run whose products may be added without being rounded, which changes the bits.
const FUSED: &[&str] = &[
    "run - --fp=contract --vector-bits=128",
    "run - --fp=contract",
];

/// The processors that commands name.
const CPUS: &[&str] = match cfg!(target_arch = "x86_64") {
    true => &["x86-64-v3", "x86-64-v4"],
    false => &[],
};

/// What compiling and running a module with MLIR needs.
const PEER: [&str; 3] = ["mlir-opt-19", "mlir-cpu-runner-19", "mlir-runner-libraries"];

/// Loops and blocks that run in wide vectors, and those that do not.
#[derive(Default)]
struct Tally {
    wide: usize,
    narrow: usize,
}

pub(crate) fn family() -> super::Family {
    let mut family = super::Family::new("vectors");
    let first = first_seed();
    let end = first + n_programs(FUNCTIONS);
    let tally: Arc<Mutex<Tally>> = Arc::default();
    for start in (first..end).step_by(BATCH as usize) {
        let seeds = start..end.min(start + BATCH);
        let tally = Arc::clone(&tally);
        let name = format!("seeds-{}-{}", seeds.start, seeds.end);
        family.test(name, move || {
            let found = compare(seeds)?;
            let mut tally = tally.lock().expect("no thread panics with the tally");
            tally.wide += found.wide;
            tally.narrow += found.narrow;
            Ok(())
        });
    }
    for start in (first..end).step_by((BATCH * PEER_EVERY) as usize) {
        family.test_with(&PEER, format!("peer-{start}"), move || {
            Ok(compare_with_peer(start..start + BATCH)?)
        });
    }
    for cpu in CPUS {
        family.leaves_out_without(&[cpu], cpu);
    }
    family.tables = Box::new(move || {
        let tally = tally.lock().expect("no thread panics with the tally");
        match tally.wide + tally.narrow {
            0 => String::new(),
            all => format!(
                "\n{} of {all} loops and blocks run in wide vectors\n",
                tally.wide
            ),
        }
    });
    family
}

/// Runs a module in all ways.
fn compare(seeds: Range<u64>) -> Result<Tally, String> {
    let text: Arc<str> = Arc::from(module(seeds.clone(), Dialect::Whole));
    let mut tally = Tally::default();
    let mut wrong = compare_commands(COMMANDS, &text, &mut tally)?;
    wrong.push_str(&compare_commands(FUSED, &text, &mut tally)?);
    fail_if(wrong, &text, seeds)?;
    Ok(tally)
}

/// In what the outcomes of commands differ from that of the first one.
fn compare_commands(
    commands: &[&str],
    text: &Arc<str>,
    tally: &mut Tally,
) -> Result<String, String> {
    let is_here = |command: &&&str| {
        let mut cpus = CPUS.iter().filter(|&&cpu| command.contains(cpu));
        cpus.all(|&cpu| needs::missing(&[cpu]).is_none())
    };
    let commands: Vec<&&str> = commands.iter().filter(is_here).collect();
    let jobs: Vec<Job> = (commands.iter())
        .map(|command| Job::new(command, text))
        .collect();
    let outcomes = batch::run(&jobs)?;
    let Some(expected) = outcomes.first() else {
        return Err("nothing ran".to_owned());
    };
    let mut wrong = String::new();
    for (command, outcome) in commands.iter().zip(&outcomes) {
        if !matches!(outcome.end, End::Status(0)) {
            let _ = writeln!(
                wrong,
                "freehold {command}: {:?}\n{}",
                outcome.end, outcome.stderr
            );
            continue;
        }
        tally.wide += outcome.stderr.matches("in vectors of").count();
        tally.narrow += outcome.stderr.matches("-bit form of").count();
        wrong.push_str(&differences(command, &expected.native, &outcome.native));
    }
    Ok(wrong)
}

/// Compares with what MLIR's lowering to LLVM computes.
fn compare_with_peer(seeds: Range<u64>) -> Result<(), String> {
    let text: Arc<str> = Arc::from(module(seeds.clone(), Dialect::SameInLlvm));
    let job = Job::new("run -", &text);
    let outcomes = batch::run(&[job])?;
    let ours = outcomes.first().ok_or("nothing ran")?;
    let wrong = match peer_output(&text) {
        Ok(theirs) => differences("run -", &theirs, &ours.native),
        Err(error) => error,
    };
    fail_if(wrong, &text, seeds)
}

fn fail_if(wrong: String, text: &str, seeds: Range<u64>) -> Result<(), String> {
    if wrong.is_empty() {
        return Ok(());
    }
    let path = std::env::temp_dir().join(format!("vectors-{}.mlir", seeds.start));
    std::fs::write(&path, text).map_err(|error| error.to_string())?;
    Err(format!(
        "{wrong}\nFREEHOLD_SEED={} FREEHOLD_PROGRAMS={}, {}",
        seeds.start,
        seeds.end - seeds.start,
        path.display()
    ))
}

/// The lines in which two outputs differ.
fn differences(command: &str, expected: &str, found: &str) -> String {
    let mut wrong = String::new();
    let lines = expected.lines().zip(found.lines());
    for (number, (expected, found)) in lines.enumerate() {
        if expected != found && wrong.len() < 400 {
            let _ = writeln!(wrong, "{command}: line {number}: {found}, not {expected}");
        }
    }
    if expected.lines().count() != found.lines().count() {
        let _ = writeln!(
            wrong,
            "{command}: as many lines as {}",
            found.lines().count()
        );
    }
    wrong
}

fn peer_output(text: &str) -> Result<String, String> {
    let lowering = [
        "--convert-vector-to-scf=full-unroll=true",
        "--lower-vector-mask",
        "--convert-scf-to-cf",
        "--expand-strided-metadata",
        "--lower-affine",
        "--convert-arith-to-llvm",
        "--convert-vector-to-llvm",
        "--convert-math-to-llvm",
        "--convert-index-to-llvm",
        "--convert-arith-to-llvm",
        "--finalize-memref-to-llvm",
        "--convert-func-to-llvm",
        "--convert-cf-to-llvm",
        "--reconcile-unrealized-casts",
    ];
    let lowered = peer::run_ok(&peer::tool("mlir-opt-19"), &lowering, text)?;
    let library = format!(
        "-shared-libs={}",
        peer::tool("libmlir_c_runner_utils.so").display()
    );
    let mut arguments = vec!["-e", "main", "-entry-point-result=void", "-O1", &library];
    if cfg!(target_arch = "x86_64") {
        arguments.push("-mattr=-avx512bf16,-avxneconvert,-amx-bf16");
    }
    peer::run_ok(&peer::tool("mlir-cpu-runner-19"), &arguments, &lowered)
}
