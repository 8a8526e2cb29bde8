//! One test per `.mlir` file with RUN lines under `tests/` and `examples/`.
//!
//! `cargo test --test files` runs them all, `cargo test --test files memref/alloc` those whose name
//! contains that text; a name is the path without `tests/` and without the extension. A file under
//! `tests/` without a RUN line is a mistake unless it lies in a folder called `inputs`.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Completion, Failed, Trial};

use support::runner::TestFile;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut trials = Vec::new();
    for folder in ["tests", "examples"] {
        let mut files = Vec::new();
        collect(&root.join(folder), &mut files);
        files.sort();
        trials.extend(files.iter().filter_map(|file| {
            let path = file
                .strip_prefix(root)
                .expect("the file was found below the root");
            trial(path)
        }));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Finds the `.mlir` files below `folder`.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    // No such folder: nothing to test.
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "inputs") {
                collect(&path, files);
            }
        } else if path
            .extension()
            .is_some_and(|extension| extension == "mlir")
        {
            files.push(path);
        }
    }
}

/// The test of one file, whose path is relative to the root; `None` for an example that nothing is
/// said about.
fn trial(path: &Path) -> Option<Trial> {
    let name = path
        .strip_prefix("tests")
        .unwrap_or(path)
        .with_extension("");
    let name = name.display().to_string();
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("files")
        .join(&name);
    let parsed = fs::read_to_string(path)
        .map_err(|error| format!("{}: {error}", path.display()))
        .and_then(|text| TestFile::parse(path, &text, &scratch));
    if matches!(parsed, Ok(None)) && !path.starts_with("tests") {
        return None;
    }
    let run = {
        let name = name.clone();
        let path = path.to_path_buf();
        move || -> Result<Completion, Failed> {
            let file = parsed?.ok_or_else(|| format!("{}: no RUN line", path.display()))?;
            if let Some(reason) = file.missing_requirement() {
                support::peer::skipped_test(&name, &reason);
                return Ok(Completion::ignored_with(reason));
            }
            // Nothing may be left from an earlier run.
            let _ = fs::remove_dir_all(&scratch);
            fs::create_dir_all(&scratch)?;
            file.execute()?;
            Ok(Completion::Completed)
        }
    };
    Some(Trial::ignorable_test(name, run))
}
