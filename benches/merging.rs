//! What merging allocations is worth: allocations, peak bytes and run times of the examples as written,
//! with `--merge-alloc`, and with `--merge-alloc=always`.
//!
//! `cargo bench --bench merging` prints a table; `-- FILE...` makes it one of other programs with a
//! function `@main`. Allocations and bytes are counted by `freehold run`. Times are those of one call in
//! an executable that calls the program again and again; all must come to the same.

mod support;

use std::path::Path;

use support::driver::{
    Driver, Said, callable, examples, execute, least_nanoseconds, named_text, show_nanoseconds,
};
use support::{Scratch, counts, line, row, table};

/// As written, and what is compared with that.
const WAYS: [&[&str]; 3] = [
    &["--merge-alloc=never"],
    &["--merge-alloc"],
    &["--merge-alloc=always"],
];

fn main() {
    let files = support::arguments();
    let programs = match files[..] {
        [] => examples(),
        _ => files
            .iter()
            .map(|file| named_text(Path::new(file)))
            .collect(),
    };
    let scratch = Scratch::new();
    let driver = Driver::new(&scratch.path(""));
    let mut columns = vec!["program"];
    for what in ["allocations", "peak bytes", "run time"] {
        columns.extend([what, "`--merge-alloc`", "`always`"]);
    }
    columns.extend(["as written / `--merge-alloc`", "/ `always`"]);
    table(&columns);
    for (name, text) in programs {
        let input = scratch.write(&format!("{name}.mlir"), &text);
        let counted = WAYS.map(|flags| counts(&input, flags));
        let ways = [0, 1, 2];
        let executables = ways.map(|way| scratch.path(&format!("{name}.{way}")));
        for (flags, executable) in WAYS.iter().zip(&executables) {
            driver.build(&callable(&text), flags, executable);
        }
        let said = executables
            .each_ref()
            .map(|executable| execute(executable, 0).filter(Said::is_clean));
        let [Some(first), Some(second), Some(third)] = said else {
            line(&format!("{name}: wrong, or not to be built"));
            continue;
        };
        if [second.sum, third.sum] != [first.sum; 2] {
            line(&format!("{name}: merging changes the output"));
            continue;
        }
        let times = least_nanoseconds(&executables, &first, 20);
        let mut cells = vec![name];
        cells.extend(counted.map(|(allocations, _)| allocations.to_string()));
        cells.extend(counted.map(|(_, peak)| peak.to_string()));
        cells.extend(times.map(show_nanoseconds));
        cells.extend([1, 2].map(|way| format!("{:.2}x", times[0] / times[way])));
        row(&cells);
    }
}
