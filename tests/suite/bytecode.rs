//! MLIR bytecode: what is written is read again, by mlir-opt too, and broken files are errors.
//!
//! The programs are those of all file tests. `FREEHOLD_EFFORT` and `FREEHOLD_SEED` say how many broken files are
//! tried, and which: 50 times the usual number are 100,000.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use freehold_frontend::bytecode::{self, MAX_VERSION, WriteOptions, parse_program};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Diagnostics;
use freehold_frontend::ir::source_text::SourceText;
use freehold_frontend::ir::version::MlirVersion;
use freehold_frontend::syntax::printer::{PrintOptions, print};
use freehold_frontend::verify::verify;

use freehold::exit;
use libtest_mimic::Trial;

use crate::needs::trials;
use crate::support::generator::rng::Rng;
use crate::support::in_process::freehold;
use crate::support::process::{self, Stderr};
use crate::support::{first_seed, n_programs, peer};

/// How many broken files are tried.
const MUTANTS: u64 = 2000;

/// Longer pieces say nothing more.
const MAX_PIECE_BYTES: usize = 20_000;

fn context() -> Arc<Context> {
    let context = freehold_frontend::dialects::context();
    Arc::new(context.allow_unregistered_dialects(true))
}

/// The program in a source, if it is valid; else the first error.
fn parse(context: &Arc<Context>, source: impl Into<SourceText>) -> Result<Ir, String> {
    let mut diagnostics = Diagnostics::new();
    let file = context.add_source("input", source, 1).unwrap();
    let parsed = parse_program(context, &file, &mut diagnostics)
        .and_then(|ir| verify(&ir, &mut diagnostics).map(|_| ir));
    match parsed {
        Ok(ir) if !diagnostics.has_errors() => Ok(ir),
        _ => {
            let text = diagnostics.render_plain(context);
            assert!(!text.is_empty(), "a failure says why");
            Err(text)
        }
    }
}

fn generic(ir: &Ir, version: MlirVersion) -> String {
    let options = PrintOptions {
        generic: true,
        local_scope: true,
        debug_info: true,
        mlir_version: Some(version),
        ..PrintOptions::default()
    };
    print(ir, options)
}

/// The programs in the file tests.
fn pieces() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pieces = Vec::new();
    let mut folders = vec![root.join("tests"), root.join("examples")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "mlir") {
                let text = fs::read_to_string(&path).unwrap_or_default();
                for piece in text.split("// -----") {
                    pieces.push((path.clone(), piece.to_owned()));
                }
            }
        }
    }
    pieces.sort();
    pieces
}

/// The first version of bytecode with properties.
const FIRST_WITH_PROPERTIES: u64 = 5;

fn what_is_written_is_read_again() {
    let (mut n_programs, mut n_newer): (u64, u64) = (0, 0);
    for (path, piece) in pieces() {
        let first = context();
        let Ok(ir) = parse(&first, &*piece) else {
            continue;
        };
        n_programs += 1;
        let expected = generic(&ir, MlirVersion::V19);
        // The newest version, and an older one in turns.
        for version in [n_programs % MAX_VERSION, MAX_VERSION] {
            // Older versions have attributes only, also for operations that are not registered.
            if version < FIRST_WITH_PROPERTIES && path.ends_with("frontend/builtin/generic.mlir") {
                continue;
            }
            let options = WriteOptions {
                version,
                mlir_version: Some(MlirVersion::V19),
            };
            // Operations of MLIR 22 that lack what MLIR 19 requires.
            let Ok(bytes) = bytecode::write(&ir, options) else {
                n_newer += 1;
                continue;
            };
            let bytes = bytes.into_bytes();
            let again = parse(&context(), SourceText::of_bytecode(bytes))
                .unwrap_or_else(|error| panic!("{} {version}: {error}", path.display()));
            let printed = generic(&again, MlirVersion::V19);
            assert_eq!(printed, expected, "{} {version}", path.display());
        }
    }
    assert!(n_programs > 500, "{n_programs}");
    assert!(n_newer < 20, "{n_newer}");
}

/// What a tool makes of bytes, if it accepts them.
fn run(program: &Path, arguments: &[&str], stdin: &[u8]) -> Option<Vec<u8>> {
    let mut command = Command::new(program);
    let finished = process::run(
        command.args(arguments),
        stdin,
        Stderr::Separate,
        process::TIMEOUT,
    );
    let finished = finished.unwrap();
    (finished.status == 0).then_some(finished.stdout)
}

/// What mlir-opt cannot hand on: an attribute that is text here and has two spellings, operations whose properties it
/// does not know (it reads the first one for all of them), and one whose properties it cannot read. Of transform scripts,
/// the properties are not known here: a refusal that names the operation.
const LEFT_OUT: [&str; 8] = [
    "#llvm.tbaa_type_desc",
    "\"chlo.",
    "\"onnx.",
    "\"sdy.",
    "\"stablehlo.",
    "\"vhlo.",
    "async.execute",
    "transform.",
];

/// Goes to mlir-opt and back with a share of the programs, or with all.
fn exchange(version: MlirVersion, name: &str) {
    let mlir_opt = peer::tool(name);
    let mut rng = Rng::new(first_seed());
    let mut pieces = pieces();
    pieces.retain(|(_, piece)| !LEFT_OUT.iter().any(|word| piece.contains(word)));
    let n = n_programs(100) as usize;
    while pieces.len() > n {
        pieces.swap_remove(rng.below(pieces.len()));
    }
    let outcomes = pieces.iter().map(|(path, piece)| {
        let outcome = exchange_one(&mlir_opt, version, piece);
        outcome.map_err(|message| format!("{}: {message}", path.display()))
    });
    let outcomes: Vec<_> = outcomes.collect();
    let wrong: Vec<_> = outcomes
        .iter()
        .filter_map(|one| one.as_ref().err())
        .collect();
    assert!(wrong.is_empty(), "{} wrong\n{wrong:#?}", wrong.len());
    assert!(outcomes.contains(&Ok(true)));
}

/// Goes to mlir-opt and back with a program; whether both take it.
fn exchange_one(mlir_opt: &Path, version: MlirVersion, piece: &str) -> Result<bool, String> {
    const ALLOW: &str = "--allow-unregistered-dialect";
    let flags = [ALLOW, "--mlir-print-op-generic"];
    let Some(text) = run(mlir_opt, &flags, piece.as_bytes()) else {
        return Ok(false);
    };
    let text = String::from_utf8_lossy(&text).into_owned();
    let Ok(ir) = parse(&context(), &*text) else {
        return Ok(false);
    };
    let flags = [ALLOW, "--emit-bytecode"];
    let theirs = run(mlir_opt, &flags, text.as_bytes()).ok_or("mlir-opt refuses its own text")?;
    let read = parse(&context(), SourceText::of_bytecode(theirs))?;
    let without_locations = |ir: &Ir| {
        let options = PrintOptions {
            generic: true,
            local_scope: true,
            mlir_version: Some(version),
            ..PrintOptions::default()
        };
        print(ir, options)
    };
    let expected = without_locations(&ir);
    let found = without_locations(&read);
    if found != expected {
        return Err(format!("read as\n{found}\nand is\n{expected}"));
    }
    let options = WriteOptions {
        mlir_version: Some(version),
        ..WriteOptions::default()
    };
    let ours = bytecode::write(&ir, options)?.into_bytes();
    let flags = [ALLOW, "--mlir-print-op-generic", "--mlir-print-local-scope"];
    let Some(printed) = run(mlir_opt, &flags, &ours) else {
        return Err(format!("mlir-opt refuses\n{expected}"));
    };
    let through_text = run(mlir_opt, &flags, expected.as_bytes());
    if through_text.is_some_and(|through_text| through_text != printed) {
        let printed = String::from_utf8_lossy(&printed);
        return Err(format!("written as\n{printed}\nand is\n{expected}"));
    }
    Ok(true)
}

fn mlir_opt_19_reads_and_writes_the_same() {
    exchange(MlirVersion::V19, "mlir-opt-19");
}

fn mlir_opt_22_reads_and_writes_the_same() {
    exchange(MlirVersion::V22, "mlir-opt-22");
}

/// Changes bytes at random, or cuts them off.
fn mutate(bytes: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..1 + rng.below(4) {
        if bytes.is_empty() {
            return;
        }
        let at = rng.below(bytes.len());
        match rng.below(6) {
            0 => bytes.truncate(at),
            1 => bytes[at] = rng.below(256) as u8,
            2 => bytes[at] ^= 1 << rng.below(8),
            3 => {
                bytes.remove(at);
            }
            4 => bytes.insert(at, rng.below(256) as u8),
            _ => {
                let from = rng.below(bytes.len());
                bytes[at] = bytes[from];
            }
        }
    }
}

fn broken_files_are_errors() {
    let mut files = Vec::new();
    for (path, piece) in pieces() {
        if piece.len() > MAX_PIECE_BYTES {
            continue;
        }
        let Ok(ir) = parse(&context(), &*piece) else {
            continue;
        };
        let version = files.len() as u64 % (MAX_VERSION + 1);
        let options = WriteOptions {
            version,
            ..WriteOptions::default()
        };
        // Some operations of MLIR 22 cannot be said to MLIR 19.
        if let Ok(bytecode) = bytecode::write(&ir, options) {
            files.push((path, bytecode.into_bytes()));
        }
    }
    let first = first_seed();
    let mut n_refused = 0;
    let n = n_programs(MUTANTS);
    for seed in first..first + n {
        let mut rng = Rng::new(seed);
        let (path, bytes) = rng.pick(&files);
        let mut bytes = bytes.clone();
        // The magic is what makes it bytecode.
        let mut rest = bytes.split_off(4);
        mutate(&mut rest, &mut rng);
        bytes.extend(rest);
        let parsed = catch_unwind(AssertUnwindSafe(|| {
            let parsed = parse(&context(), SourceText::of_bytecode(bytes));
            parsed.map(|ir| generic(&ir, MlirVersion::V19).len())
        }));
        match parsed {
            Ok(outcome) => n_refused += u64::from(outcome.is_err()),
            Err(_) => panic!("seed {seed}, of {}", path.display()),
        }
    }
    assert!(n_refused * 2 > n, "{n_refused} of {n}");
}

/// What `freehold opt` says about bytes.
fn opt_error(bytes: Vec<u8>) -> String {
    let output = freehold(&["opt", "-"], bytes);
    assert_eq!((output.status, &*output.stdout), (exit::FAILURE, ""));
    output.stderr
}

/// Bytes with the first `from` changed to `to`.
fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let at = bytes.windows(from.len()).position(|part| part == from);
    let at = at.unwrap_or_else(|| panic!("no {from:?}"));
    [&bytes[..at], to, &bytes[at + from.len()..]].concat()
}

fn errors_name_what_is_unknown() {
    const TEXT: &str = "func.func @f(%x: f32) attributes {a.b = 5 : i32} { return }";
    let ir = parse(&context(), TEXT).unwrap();
    let whole = bytecode::write(&ir, WriteOptions::default());
    let whole = whole.unwrap().into_bytes();
    assert!(freehold(&["opt", "-"], whole.clone()).stdout.contains("@f"));
    for (bytes, expected) in [
        (
            replaced(&whole, b"ML\xefR\x0d", b"ML\xefR\x0f"),
            "bytecode version 7 is newer than the current version 6",
        ),
        (
            replaced(&whole, b"ML\xefR\x0d", b"ML\xefR\xff"),
            "bytecode version 127 is newer than the current version 6",
        ),
        (
            replaced(&whole, b"func\0", b"fuel\0"),
            "dialect 'fuel' is unknown. If this is intended",
        ),
        (
            replaced(&whole, b"return\0", b"retire\0"),
            "unregistered operation 'func.retire' found in dialect ('func') that does not allow unknown operations",
        ),
        (whole[..whole.len() - 1].to_vec(), "attempting to parse"),
        (whole[..5].to_vec(), "malformed null-terminated string"),
        (
            b"ML\xefR".to_vec(),
            "attempting to parse a byte at the end of the bytecode",
        ),
    ] {
        let error = opt_error(bytes);
        assert!(error.contains(expected), "{expected}\n{error}");
    }
    let changed = replaced(&whole, b"func\0", b"fuel\0");
    let error = opt_error(changed);
    assert!(
        error.contains("note: in bytecode version 6 produced by: Freehold"),
        "{error}"
    );
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        what_is_written_is_read_again,
        mlir_opt_19_reads_and_writes_the_same needs ["mlir-opt-19"],
        mlir_opt_22_reads_and_writes_the_same needs ["mlir-opt-22"],
        errors_name_what_is_unknown,
        broken_files_are_errors,
    ]
}
