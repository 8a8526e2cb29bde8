//! What deallocation adds to a program is in proportion to the program, also for those shapes for
//! which the original enumerates paths, or frees everything everywhere: diamonds one after the other,
//! buffers that live through lines of blocks, diamonds and loops, one block with many buffers.

#[path = "../../benches/support/scale.rs"]
#[expect(dead_code, reason = "benchmarks use the rest")]
mod scale;

use crate::support::in_process::freehold;
use freehold::exit;
use scale::Kind;

/// Lines by which an output may be off the line through zero: the innermost of a nest has less to do.
const SLACK: usize = 16;

/// Lines of what a pass makes of an input of size `n`.
fn lines(kind: Kind, n: usize, pass: &str) -> usize {
    let output = freehold(&["opt", "-", pass], kind.text(n));
    assert_eq!(output.status, exit::OK, "{} {n}", kind.name());
    output.stdout.lines().count()
}

#[test]
fn output_is_linear() {
    for kind in Kind::ALL {
        let n = if kind == Kind::Nest { 20 } else { 100 };
        for pass in [
            "--ownership-based-buffer-deallocation",
            "--buffer-deallocation-pipeline",
            "--legacy-deallocation-pipeline",
            "--hlo-deallocation-pipeline",
        ] {
            let (few, many) = (lines(kind, n, pass), lines(kind, 4 * n, pass));
            let name = kind.name();
            let most = 4 * few + SLACK;
            assert!(many <= most, "{name}, {pass}: {few} lines, then {many}");
            let input = kind.text(n).lines().count();
            assert!(
                few <= 3 * input,
                "{name}, {pass}: {input} lines become {few}"
            );
        }
    }
}

/// Code generation takes more than linear time for one function, so none may grow without end.
#[test]
fn large_functions_are_compiled_in_parts() {
    for kind in [Kind::Sweeps, Kind::Tiles] {
        let largest = |n| {
            let output = freehold(&["compile", "-", "--emit=clif", "-o", "-"], kind.text(n));
            assert_eq!(output.status, exit::OK, "{} {n}", kind.name());
            let functions = output.stdout.split("\n; ");
            functions.map(|text| text.lines().count()).max()
        };
        let (few, many) = (largest(1000).unwrap(), largest(4000).unwrap());
        assert!(
            many <= few + few / 4,
            "{}: {few} lines, then {many}",
            kind.name()
        );
    }
}
