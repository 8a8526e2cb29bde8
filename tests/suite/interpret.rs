//! The interpreter against machine code: every program of `tests/run` and `examples` gives the same in both.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use libtest_mimic::Trial;

use crate::needs::trials;

/// How the interpreter refuses operations of dialects that are lowered before: programs that have them need not be listed.
const NOT_INTERPRETED: [&str; 2] = ["error: operation 'stablehlo.", "error: operation 'chlo."];

/// Programs that differ, or that only one of both runs, and why. A program that stands here and is equal is an error.
const DIFFERENT: &[(&str, &str)] = &[
    (
        "tests/run/check-returned.mlir",
        "returns memory that was never written",
    ),
    (
        "tests/run/complex-abs.mlir",
        "complex.abs is not interpreted",
    ),
    (
        "tests/run/complex-atan2.mlir",
        "complex.atan2 is not interpreted",
    ),
    (
        "tests/run/complex-edges.mlir",
        "complex.pow is not interpreted",
    ),
    (
        "tests/run/complex-functions-in-loops.mlir",
        "complex.tanh is not interpreted",
    ),
    (
        "tests/run/complex-powers-of-zero.mlir",
        "complex.pow is not interpreted",
    ),
    ("tests/run/constants.mlir", "resources are not interpreted"),
    (
        "tests/run/descriptor-casts.mlir",
        "structs of the llvm dialect are not interpreted",
    ),
    (
        "tests/run/division.mlir",
        "divides by zero and overflows, which machine code defines and MLIR does not",
    ),
    (
        "tests/run/hlo-realloc-printed.mlir",
        "uses memory after its reallocation, which the strategy hlo permits",
    ),
    (
        "tests/run/initializers.mlir",
        "functions of the llvm dialect are not called from outside",
    ),
    (
        "tests/run/integers-of-doubles-in-vectors.mlir",
        "doubles that do not fit, which machine code defines and MLIR does not",
    ),
    ("tests/run/integers-of-floats.mlir", "prints poison"),
    (
        "tests/run/iree-linalg-ext.mlir",
        "iree_linalg_ext is not interpreted",
    ),
    (
        "tests/run/llvm-global-addresses.mlir",
        "functions of the llvm dialect are not called from outside",
    ),
    (
        "tests/run/llvm-globals.mlir",
        "functions of the llvm dialect are not called from outside",
    ),
    (
        "tests/run/llvm-in-func.mlir",
        "intrinsics of the llvm dialect are not interpreted",
    ),
    (
        "tests/run/llvm-lanes.mlir",
        "intrinsics of the llvm dialect are not interpreted",
    ),
    (
        "tests/run/llvm.mlir",
        "functions of the llvm dialect are not called from outside",
    ),
    (
        "tests/run/mlir-22-complex-powi.mlir",
        "complex.powi is not interpreted",
    ),
    (
        "tests/run/mlir-22-winograd.mlir",
        "Winograd transforms are not interpreted",
    ),
    (
        "tests/run/model-wrappers.mlir",
        "ml_program is not interpreted",
    ),
    (
        "tests/run/parallel-contraction-into-argument.mlir",
        "iterations share a buffer, which MLIR does not permit",
    ),
    (
        "tests/run/returned-stack-memory.mlir",
        "returns memory of the stack",
    ),
    (
        "tests/run/structured.mlir",
        "complex.abs is not interpreted",
    ),
    (
        "tests/run/variadic.mlir",
        "functions of the llvm dialect are not called from outside",
    ),
];

/// Examples that take the interpreter 6 s each, which is half of the time of all programs. Other tests run them.
const TOO_LONG: [&str; 2] = ["examples/encoder.mlir", "examples/pipeline.mlir"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The programs, and how their functions are called.
fn programs() -> Vec<(PathBuf, Vec<String>)> {
    let mut found = BTreeSet::new();
    for folder in ["tests/run", "tests/run/stablehlo", "examples"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "mlir") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let relative = path.strip_prefix(root()).unwrap().to_owned();
            if TOO_LONG.iter().any(|example| relative.ends_with(example)) {
                continue;
            }
            if folder == "examples" {
                found.insert((relative, Vec::new()));
                continue;
            }
            for line in text.lines() {
                let Some(run) = line.split("RUN: freehold run ").nth(1) else {
                    continue;
                };
                let command = run.split('|').next().unwrap_or_default();
                // Files beside the program, and those of tools, are what these tests are about.
                if command.contains("%S") || command.contains('<') && !command.contains("< %s") {
                    continue;
                }
                let call = call_of(command);
                found.insert((relative.clone(), call));
            }
        }
    }
    found.into_iter().collect()
}

/// The flags of a command that say what is called.
fn call_of(command: &str) -> Vec<String> {
    let mut call = Vec::new();
    let mut words = command
        .split_whitespace()
        .map(|word| word.trim_matches(['\'', '"']));
    while let Some(word) = words.next() {
        let is_call = ["--input=", "--function=", "--entry-point="]
            .iter()
            .any(|flag| word.starts_with(flag));
        if is_call {
            call.push(word.to_owned());
        } else if word == "-e" || word == "--input" {
            call.push(word.to_owned());
            call.extend(words.next().map(str::to_owned));
        }
    }
    call
}

/// What a command prints, without what may differ, and whether it succeeds.
fn output(command: &[&str], call: &[String], file: &Path) -> (bool, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_freehold"))
        .args(command)
        .args(call)
        .arg("--max-elements=100000000")
        .arg(file)
        .current_dir(root())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut stdout = String::new();
    for line in text(&output.stdout).lines() {
        // Addresses are others, and the sign of what is no number is nobody's.
        let line = match line.split_once("base@ = ") {
            Some((before, after)) => {
                let after = after.split_once(' ').map_or("", |(_, after)| after);
                format!("{before}base@ = {after}")
            }
            None => line.to_owned(),
        };
        stdout += &line.replace("-nan", "nan").replace("-NaN", "NaN");
        stdout.push('\n');
    }
    (output.status.success(), stdout, text(&output.stderr))
}

/// How a program differs; nothing if it does not.
fn difference(file: &Path, call: &[String]) -> Option<String> {
    let (ran, compiled, errors) = output(&["run", "-O0", "--dealloc=none"], call, file);
    let (defined, interpreted, faults) = output(&["interpret"], call, file);
    let first = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    match (ran, defined) {
        (true, true) if compiled == interpreted => None,
        (true, true) => {
            let mut lines = compiled.lines().zip(interpreted.lines());
            let line = lines.find(|(compiled, interpreted)| compiled != interpreted);
            let (compiled, interpreted) = line.unwrap_or((&compiled, &interpreted));
            Some(format!(
                "machine code: {compiled}\n  interpreter: {interpreted}"
            ))
        }
        (true, false) => Some(format!("interpreter: {}", first(&faults))),
        (false, true) => Some(format!("machine code: {}", first(&errors))),
        (false, false) => None,
    }
}

fn equals_machine_code() {
    let programs = programs();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        loop {
            let Some((file, call)) = programs.get(next.fetch_add(1, Ordering::Relaxed)) else {
                return found;
            };
            found.push((file.clone(), call.clone(), difference(file, call)));
        }
    };
    let mut outcomes: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap())
            .collect()
    });
    outcomes.sort();
    let mut complaints = String::new();
    let mut differs = BTreeSet::new();
    let mut n_equal = 0;
    for (file, call, difference) in &outcomes {
        let name = file.to_str().unwrap();
        let is_known = DIFFERENT.iter().any(|(known, _)| *known == name);
        match difference {
            None => n_equal += 1,
            Some(text) if NOT_INTERPRETED.iter().any(|refusal| text.contains(refusal)) => {}
            Some(_) if is_known => {
                differs.insert(name);
            }
            Some(text) => complaints += &format!("{name} {}\n  {text}\n", call.join(" ")),
        }
    }
    for (known, _) in DIFFERENT {
        if !differs.contains(known) {
            complaints += &format!("{known} is listed, but does not differ\n");
        }
    }
    assert!(
        complaints.is_empty(),
        "{n_equal} of {} are equal\n{complaints}",
        outcomes.len()
    );
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![equals_machine_code]
}
