//! What no compiler or lint checks about the repository: which crate may use which, the shape of
//! source files, and that documents keep up with the code.

#![expect(clippy::unwrap_used, reason = "test code")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// A file outside tests with more lines than this has more than one responsibility.
const MAX_LINES: usize = 1200;

/// What README promises to work after a clone.
const README_COMMANDS: [&str; 2] = ["cargo test", "cargo run --release -- run examples/mlp.mlir"];

/// The workspace crates that a crate may depend on.
const CRATE_DEPENDENCIES: [(&str, &[&str]); 4] = [
    ("frontend", &[]),
    ("passes", &["frontend"]),
    ("backend", &["frontend", "runtime"]),
    ("runtime", &[]),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of the repository with one of these extensions, as sorted paths relative to the root.
fn files(extensions: &[&str]) -> Vec<PathBuf> {
    fn walk(folder: &Path, extensions: &[&str], found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy();
            if path.is_dir() {
                if name != "target" && !name.starts_with('.') {
                    walk(&path, extensions, found);
                }
            } else if path
                .extension()
                .is_some_and(|e| extensions.iter().any(|&x| e == x))
            {
                found.push(path.strip_prefix(root()).unwrap().to_path_buf());
            }
        }
    }
    let mut found = Vec::new();
    walk(root(), extensions, &mut found);
    found.sort();
    found
}

/// Fails with all that `complain` says of the files.
fn check_files(extensions: &[&str], complain: impl Fn(&Path, &str) -> Option<String>) {
    let mut complaints = String::new();
    for path in files(extensions) {
        if let Some(complaint) = complain(&path, &read(&path)) {
            writeln!(complaints, "{}: {complaint}", path.display()).unwrap();
        }
    }
    assert!(complaints.is_empty(), "\n{complaints}");
}

fn is_test(path: &Path) -> bool {
    path.components()
        .any(|component| component.as_os_str() == "tests")
}

/// `text` up to its unit tests, which stand at the end of a file.
fn without_unit_tests(text: &str) -> &str {
    text.find("#[cfg(test)]\nmod ")
        .map_or(text, |at| &text[..at])
}

#[test]
fn crates_depend_downwards() {
    let dependency = Regex::new(r"(?m)^freehold-(\w+)").unwrap();
    for (name, allowed) in CRATE_DEPENDENCIES {
        let manifest = read(Path::new(name).join("Cargo.toml"));
        for capture in dependency.captures_iter(&manifest) {
            assert!(
                allowed.contains(&&capture[1]),
                "{name} may not depend on {}",
                &capture[1]
            );
        }
        assert!(
            manifest.contains("[lints]\nworkspace = true"),
            "{name} has lints of its own"
        );
    }
}

#[test]
fn unsafe_code_stays_in_its_place() {
    let allowance = Regex::new(r"(allow|expect)\(\s*unsafe_code").unwrap();
    check_files(&["rs"], |path, text| {
        let permitted = path.starts_with("runtime") || path.starts_with("backend/src/jit.rs");
        (!permitted && allowance.is_match(text)).then(|| "unsafe code is not for this file".into())
    });
}

#[test]
fn source_files_say_what_they_hold() {
    check_files(&["rs"], |_, text| {
        (!text.starts_with("//!")).then(|| "does not begin with a //! comment".into())
    });
}

#[test]
fn source_files_are_short() {
    check_files(&["rs"], |path, text| {
        let n_lines = without_unit_tests(text).lines().count();
        (n_lines > MAX_LINES && !is_test(path)).then(|| format!("has {n_lines} lines of code"))
    });
}

#[test]
fn no_stray_whitespace() {
    check_files(&["rs", "mlir", "md", "toml"], |path, text| {
        let tabs_matter = path.extension().is_some_and(|e| e == "rs" || e == "mlir");
        for (index, line) in text.lines().enumerate() {
            if line.ends_with([' ', '\t']) {
                return Some(format!("trailing whitespace on line {}", index + 1));
            }
            if tabs_matter && line.contains('\t') {
                return Some(format!("tab on line {}", index + 1));
            }
        }
        (!text.is_empty() && !text.ends_with('\n')).then(|| "no newline at the end".into())
    });
}

/// README names the commands to start with, and CI runs exactly those.
#[test]
fn readme_commands_run_in_ci() {
    let readme = read("README.md");
    let ci = read(".ci/run");
    for command in README_COMMANDS {
        assert!(
            readme.lines().any(|line| line == command),
            "README.md lacks '{command}'"
        );
        let input = command.split(' ').find(|word| word.ends_with(".mlir"));
        if input.is_none_or(|input| root().join(input).exists()) {
            assert!(
                ci.lines().any(|line| line == command),
                ".ci/run lacks '{command}'"
            );
        }
    }
}

#[test]
fn dependencies_are_justified() {
    let manifest = read("Cargo.toml");
    let architecture = read("ARCHITECTURE.md");
    let table = manifest.split("[workspace.dependencies]\n").nth(1).unwrap();
    let names = table.lines().take_while(|line| !line.is_empty());
    for name in names.filter_map(|line| line.split([' ', '.', '=']).next()) {
        assert!(
            architecture.contains(&format!("`{name}`")),
            "ARCHITECTURE.md is silent on {name}"
        );
    }
}

/// The names in the `PassDef` statics of `text`.
fn pass_names(text: &str) -> Vec<String> {
    let definition = Regex::new(r#"PassDef\s*\{[^{}]*?\bname:\s*"([^"]+)""#).unwrap();
    let code = without_unit_tests(text);
    definition
        .captures_iter(code)
        .map(|capture| capture[1].to_string())
        .collect()
}

#[test]
fn pass_definitions_are_found() {
    let text = r#"
        pub struct PassDef { pub name: &'static str }
        pub static PASS: PassDef = PassDef { name: "buffer-hoisting", summary: "name: x" };
        pub static OTHER: registry::PassDef = registry::PassDef {
            summary: "s",
            name: "canonicalize",
        };
    "#;
    assert_eq!(pass_names(text), ["buffer-hoisting", "canonicalize"]);
}

/// Each pass has a test file, or a folder of them, that bears its name.
#[test]
fn passes_have_tests() {
    let tests: Vec<_> = files(&["mlir"])
        .into_iter()
        .filter(|path| is_test(path))
        .collect();
    for path in files(&["rs"])
        .iter()
        .filter(|path| path.starts_with("passes/src"))
    {
        for name in pass_names(&read(path)) {
            let tested = tests.iter().any(|test| {
                test.with_extension("")
                    .components()
                    .any(|part| part.as_os_str() == name.as_str())
            });
            assert!(
                tested,
                "{}: no tests/**/{name}.mlir, no tests/**/{name}/",
                path.display()
            );
        }
    }
}
