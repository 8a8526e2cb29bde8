//! `freehold compare` on the examples: every strategy prints the same, and the page holds a curve for
//! each.

#![expect(clippy::unwrap_used, reason = "test code")]

use std::process::{Command, Output};

fn compare(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_freehold"))
        .arg("compare")
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn strategies_side_by_side() {
    let page = std::env::temp_dir().join(format!("compare-{}.html", std::process::id()));
    let html = format!("--html={}", page.display());
    let output = compare(&["examples/nested_if.mlir", "--runs=1", &html]);
    let stdout = String::from_utf8(output.stdout).unwrap();
    let row = |name: &str| -> Vec<String> {
        let line = stdout.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().map(String::from).collect()
    };
    let (head, none, ownership) = (row("strategy"), row("none "), row("ownership "));
    assert_eq!((&*none[1], &*ownership[1]), ("equal", "equal"), "{stdout}");
    assert_eq!(head[2], "allocations");
    // Without frees everything allocated is leaked; with them nothing is.
    assert_eq!((&*none[3], &*ownership[8]), ("0", "0"), "{stdout}");
    assert_ne!(none[8], "0", "{stdout}");
    let html = std::fs::read_to_string(&page).unwrap();
    std::fs::remove_file(&page).unwrap();
    assert!(html.contains("ownership: peak"), "{html}");
    assert!(
        html.matches("<svg").count() >= 3 && !html.contains("src="),
        "{html}"
    );
}

#[test]
fn programs_that_cannot_run() {
    let output = compare(&["no-such-file.mlir"]);
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("cannot open input file 'no-such-file.mlir'"),
        "{stderr}"
    );

    let output = compare(&["examples/nested_if.mlir", "-e", "nothing", "--runs=1"]);
    assert_eq!(output.status.code(), Some(1));
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains("none: freehold run: error"), "{stdout}");
}
