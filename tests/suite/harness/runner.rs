//! RUN lines: parsing, substitution, pipelines and reports.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use libtest_mimic::Trial;

use crate::needs::trials;
use crate::support::process::Finished;
use crate::support::runner::{self, TestFile};

/// A test file `text` with a folder of its own for temporary files.
fn parse(name: &str, text: &str) -> Result<Option<TestFile>, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("runner")
        .join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("test.mlir");
    fs::write(&path, text).unwrap();
    TestFile::parse(&path, text, &folder)
}

fn execute(name: &str, text: &str) -> Result<(), String> {
    parse(name, text).unwrap().unwrap().execute()
}

fn scratch(name: &str, file: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("runner")
        .join(name)
        .join(file)
}

fn command_in_process() {
    let text = "// RUN: freehold --version | FileCheck %s\n// CHECK: freehold {{[0-9.]+}}\n";
    execute("in_process", text).unwrap();
}

/// Native code prints to the streams of its process.
fn command_in_a_child_process() {
    let text = "// RUN: not freehold run --no-such-flag 2>&1 | FileCheck %s\n// CHECK: error:\n";
    execute("child", text).unwrap();
}

fn substitutions() {
    let text = "// RUN: not freehold %s 2>&1 | FileCheck %s -DFILE=%s\n\
                // RUN: not freehold %t%% 2>&1 | FileCheck %s -DFILE=%T/t%%\n\
                // RUN: not freehold %q 2>&1 | FileCheck %s -DFILE=%q\n\
                // RUN: not freehold %mlir_runner_utils 2>&1 | FileCheck %s --check-prefix=LIB\n\
                // CHECK: '[[FILE]]'\n// LIB: libmlir_runner_utils.so'\n";
    execute("substitutions", text).unwrap();
}

/// A file test fails where a diagnostic is printed twice for one place.
fn repeated_diagnostics() {
    let of = |stdout: &str, stderr: &str| {
        let finished = Finished {
            status: 1,
            stdout: stdout.into(),
            stderr: stderr.into(),
        };
        runner::repeated(&finished)
    };
    let twice = "a.mlir:3:5: error: no\n  %x = y\na.mlir:3:5: error: no\n";
    let line = Some("a.mlir:3:5: error: no".to_owned());
    assert_eq!(of("", twice), line);
    assert_eq!(of(twice, ""), line);
    assert_eq!(
        of("", "a.mlir:3:5: error: no\na.mlir:4:5: error: no\n"),
        None
    );
    assert_eq!(
        of("", "a.mlir:3:5: error: no\na.mlir:3:5: error: yes\n"),
        None
    );
    assert_eq!(of("", "a.mlir:3:5: note: no\na.mlir:3:5: note: no\n"), None);
    assert_eq!(of("1 error: no\n1 error: no\n", ""), None);
}

fn failing_check_shows_everything() {
    let text = "// RUN: freehold --version | FileCheck %s\n// CHECK: freehold x\n";
    let report = execute("failing_check", text).unwrap_err();
    for part in [
        "test.mlir:1: RUN line failed\n$ freehold --version | FileCheck /",
        "test.mlir:2: error: CHECK: expected string not found in input",
        "---- stdout\n    1  freehold 0",
    ] {
        assert!(report.contains(part), "{part:?} is not in\n{report}");
    }
}

fn continued_lines_and_several_runs() {
    let text = "// RUN: freehold \\\n// RUN:   --version | \\\n// RUN: FileCheck %s\n\
                // RUN: freehold --help | FileCheck %s --check-prefix=HELP\n\
                // CHECK: freehold\n// HELP: Usage: freehold\n";
    execute("continued", text).unwrap();
    let error = parse("open_end", "// RUN: freehold \\\n").unwrap_err();
    assert!(error.contains("not continued"), "{error}");
}

fn not_inverts_one_command() {
    execute("not", "// RUN: not freehold --no-such-flag\n").unwrap();
    let report = execute("not_success", "// RUN: not freehold --version\n").unwrap_err();
    assert!(
        report.contains("exit status 0, expected a failure"),
        "{report}"
    );
    let report = execute("no_crash", "// RUN: not --crash freehold --bad\n").unwrap_err();
    assert!(
        report.contains("exit status 2, expected a crash"),
        "{report}"
    );
}

/// A failure early in a pipeline counts even if the end succeeds.
fn every_command_must_succeed() {
    let report = execute("pipefail", "// RUN: freehold --no-such-flag | cat\n").unwrap_err();
    assert!(
        report.contains("exit status 2, expected success"),
        "{report}"
    );
    assert!(
        report.contains("unexpected argument '--no-such-flag'"),
        "{report}"
    );
}

fn redirections() {
    let text = "// RUN: not freehold --no-such-flag > %t.out 2>&1\n\
                // RUN: FileCheck %s --input-file=%t.out\n\
                // RUN: not freehold --no-such-flag 2>&1 | FileCheck %s\n\
                // RUN: not freehold --no-such-flag 2> %t.err && FileCheck %s < %t.err\n\
                // RUN: freehold --version > %t.v; freehold --version >> %t.v\n\
                // CHECK: error: unexpected argument\n";
    execute("redirections", text).unwrap();
    let version = fs::read_to_string(scratch("redirections", "t.v")).unwrap();
    assert_eq!(version.lines().count(), 2);
}

fn programs_are_limited() {
    execute("cat", "// RUN: cat %s | FileCheck %s\n// CHECK: RUN: cat\n").unwrap();
    execute("diff", "// RUN: cat %s > %t && diff %s %t\n").unwrap();
    let report = execute("limited", "// RUN: rm -rf %T\n").unwrap_err();
    assert!(
        report.contains("'rm' is not among the programs"),
        "{report}"
    );
}

fn hung_command_is_killed() {
    let text = "// RUN: /bin/sh -c 'sleep 50'\n";
    let file = parse("hung", text).unwrap().unwrap();
    let report = file
        .with_timeout(Duration::from_secs(1))
        .execute()
        .unwrap_err();
    assert!(report.contains("it ran for more than 1 s"), "{report}");
}

fn requirements() {
    let file = parse(
        "requires",
        "// REQUIRES: mlir-opt-19, aarch64\n// RUN: cat %s\n",
    );
    assert!(file.unwrap().is_some());
    let error = parse(
        "requires_unknown",
        "// REQUIRES: mlir-opt-91\n// RUN: cat %s\n",
    )
    .unwrap_err();
    assert!(
        error.contains("unknown requirement 'mlir-opt-91'"),
        "{error}"
    );
}

fn files_without_run_line() {
    assert!(parse("none", "func.func @f()\n").unwrap().is_none());
    assert!(
        parse("prose", "// this has no RUN: line\n")
            .unwrap()
            .is_none()
    );
}

fn what_a_shell_would_expand_is_an_error() {
    for line in [
        "freehold $HOME",
        "freehold *.mlir",
        "freehold a(b)",
        "freehold 'a",
        "| cat",
        "cat >",
    ] {
        assert!(
            parse("expansion", &format!("// RUN: {line}\n")).is_err(),
            "{line}"
        );
    }
    let text = "// RUN: not freehold \"--a=(b)\" '--c=$d' e\\ f 2>&1 | FileCheck %s\n\
                // CHECK: unexpected argument '--a'\n";
    execute("quotes", text).unwrap();
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        command_in_process,
        command_in_a_child_process,
        substitutions,
        repeated_diagnostics,
        failing_check_shows_everything,
        continued_lines_and_several_runs,
        not_inverts_one_command,
        every_command_must_succeed,
        redirections,
        programs_are_limited,
        hung_command_is_killed,
        requirements,
        files_without_run_line,
        what_a_shell_would_expand_is_an_error,
    ]
}
