//! Deallocating twice is deallocating once: a second run of the ownership pass finds nothing to do.
//!
//! The second run gets what the pass printed, before lowering and after; so what it must see through
//! is conditions, comparisons and clones in the form that the pipeline leaves them in. Tried on the
//! examples, on the inputs of the file tests, and on random programs. So are whole pipelines, on what they have
//! printed themselves.

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Trial;

use crate::needs::trials;
use crate::support::generator::generate;
use crate::support::generator::shape::Shape;
use crate::support::in_process::freehold;
use crate::support::{first_seed, n_programs};
use freehold::exit;

const PASS: &str = "--ownership-based-buffer-deallocation";
const DYNAMIC: &str =
    "--ownership-based-buffer-deallocation=private-function-dynamic-ownership=true";

/// Pipelines that run on what they print.
const PIPELINES: [&str; 4] = [
    "--hlo-deallocation-pipeline",
    "--hlo-deallocation-pipeline=keep-public-signatures=true",
    "--buffer-deallocation-pipeline=lowering=runtime",
    "--buffer-deallocation-pipeline=lowering=generic",
];

/// Files in which a function returns one buffer several times, as results of one call. A second run does not see through
/// the lowered comparisons of all of them: it adds conditions and clones that never apply. The same with conditions that
/// `canonicalize` turned around.
const NOT_SEEN_THROUGH: &[&str] = &[
    "tests/passes/return-buffers-once.mlir",
    "tests/run/returned-argument-on-some-paths.mlir",
];

/// Random programs of each shape.
const PROGRAMS: u64 = 8;

fn examples_and_file_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut n_accepted = 0;
    for folder in [
        "examples",
        "tests/passes",
        "tests/passes/ownership-based-buffer-deallocation",
        "tests/run",
    ] {
        let entries = fs::read_dir(root.join(folder)).into_iter().flatten();
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.sort();
        for file in files
            .iter()
            .filter(|file| file.extension() == Some("mlir".as_ref()))
        {
            let text = fs::read_to_string(file).expect("a file that was just listed");
            n_accepted += u32::from(check(&file.display().to_string(), &text));
        }
    }
    assert!(n_accepted >= 15, "only {n_accepted} programs were accepted");
}

fn random_programs() {
    // What fails stays in this folder.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (name, shape) in Shape::NAMED {
        let first = first_seed();
        for seed in first..first + n_programs(PROGRAMS) {
            let text = generate(seed, &shape);
            let file = folder.join(format!("idempotent-{name}-{seed}.mlir"));
            fs::write(&file, &text).expect("the folder of cargo can be written to");
            let accepted = check(&file.display().to_string(), &text);
            assert!(accepted, "{} is rejected", file.display());
            let _ = fs::remove_file(&file);
        }
    }
}

/// Checks one program; gives whether it is a program that can be deallocated at all.
fn check(name: &str, text: &str) -> bool {
    // What the first run is, before and after lowering, and the second.
    let runs = [
        (PASS, PASS),
        ("--buffer-deallocation-pipeline", PASS),
        (DYNAMIC, DYNAMIC),
        (DYNAMIC, PASS),
    ];
    let is_seen_through = !NOT_SEEN_THROUGH.iter().any(|file| name.ends_with(file));
    let mut accepted = false;
    let mut last = ("", None);
    for (first, second) in runs {
        if last.0 != first {
            last = (first, opt(&[first], text));
        }
        let Some(once) = &last.1 else {
            continue;
        };
        // What frees arguments on purpose (to test lowerings) is rejected.
        let Some(twice) = opt(&[second], once) else {
            assert!(text.contains("bufferization.dealloc"), "{name}: rejected");
            continue;
        };
        accepted = true;
        if is_seen_through || first == second {
            compare(name, &format!("{first} {second}"), once, &twice);
        }
    }
    for pipeline in PIPELINES {
        let Some(once) = opt(&[pipeline], text) else {
            continue;
        };
        let twice = opt(&[pipeline], &once);
        let twice = twice.unwrap_or_else(|| panic!("{name}, {pipeline}: its output is rejected"));
        // A second run may still find buffers to put on the stack.
        let (once, twice) = (n_frees(&once), n_frees(&twice));
        assert!(
            twice <= once || !is_seen_through,
            "{name}, {pipeline}: {once} frees, then {twice}"
        );
    }
    accepted
}

/// How many operations of a program free, or decide about frees.
fn n_frees(text: &str) -> usize {
    let operations = ["dealloc", "deallocation."];
    let lines = text.lines();
    let frees = lines.filter(|line| operations.iter().any(|&name| line.contains(name)));
    frees.count()
}

/// Checks that the second text is the first one.
fn compare(name: &str, what: &str, once: &str, twice: &str) {
    let difference = once.lines().zip(twice.lines()).find(|(a, b)| a != b);
    assert_eq!(difference, None, "{name}, {what}");
    assert_eq!(once.len(), twice.len(), "{name}, {what}");
}

/// What `freehold opt` prints; `None` if it reports an error.
fn opt(passes: &[&str], text: &str) -> Option<String> {
    let output = freehold(&[&["opt", "-"], passes].concat(), text);
    (output.status == exit::OK).then_some(output.stdout)
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![examples_and_file_tests, random_programs,]
}
