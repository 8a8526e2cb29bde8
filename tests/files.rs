//! One test per `.mlir` file with RUN lines under `tests/` and `examples/`.
//!
//! `cargo test --test files` runs them all, `cargo test --test files memref/alloc` those whose name
//! contains that text; a name is the path without `tests/` and without the extension. A file under
//! `tests/` without a RUN line is a mistake unless it lies in a folder called `inputs` or `corpus`.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::Trial;

use support::runner::TestFile;
use support::{has_aarch64_runtime, needs};

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut trials = Vec::new();
    // Examples take longest; one core would wait for the last of them.
    for folder in ["examples", "tests"] {
        let mut files = Vec::new();
        collect(&root.join(folder), &mut files);
        files.sort();
        trials.extend(files.iter().flat_map(|file| {
            let path = file
                .strip_prefix(root)
                .expect("the file was found below the root");
            trials_of(path)
        }));
    }
    needs::main(trials)
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
            if path
                .file_name()
                .is_some_and(|name| name != "inputs" && name != "corpus")
            {
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

/// The tests of one file, whose path is relative to the root: the file itself, and once more with
/// its programs on AArch64 if it runs any. None for an example that nothing is said about.
fn trials_of(path: &Path) -> Vec<Trial> {
    let name = path
        .strip_prefix("tests")
        .unwrap_or(path)
        .with_extension("");
    let name = name.display().to_string();
    let scratch = |folder: &str| {
        Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(folder)
            .join(&name)
    };
    let host = scratch("files");
    let parsed = fs::read_to_string(path)
        .map_err(|error| format!("{}: {error}", path.display()))
        .and_then(|text| TestFile::parse(path, &text, &host));
    let file = match parsed {
        Ok(Some(file)) => file,
        Ok(None) if !path.starts_with("tests") => return Vec::new(),
        Ok(None) => return vec![failing(name, format!("{}: no RUN line", path.display()))],
        Err(message) => return vec![failing(name, message)],
    };
    let emulated = scratch("aarch64");
    // What the command line says does not depend on the machine that programs run on.
    let on_aarch64 = Some(&file)
        .filter(|_| !path.starts_with("tests/cli"))
        .and_then(|file| file.on_aarch64(&emulated))
        .map(|file| trial(format!("{name} (AArch64)"), file, emulated));
    let mut trials = vec![trial(name, file, host)];
    trials.extend(on_aarch64);
    trials
}

/// A test that says why there is no test.
fn failing(name: String, message: String) -> Trial {
    Trial::test(name, move || Err(message.into()))
}

/// Executes `file`, whose temporary files go to `scratch`.
fn trial(name: String, file: TestFile, scratch: PathBuf) -> Trial {
    let requires: Vec<String> = file.requires().to_vec();
    let requires: Vec<&str> = requires.iter().map(String::as_str).collect();
    needs::trial(name, &requires, move || {
        // Nothing may be left from an earlier run.
        let _ = fs::remove_dir_all(&scratch);
        fs::create_dir_all(&scratch)?;
        Ok(file.execute()?)
    })
}
