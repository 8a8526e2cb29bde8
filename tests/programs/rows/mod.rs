//! Programs made of the rows: the reference interpreter against machine code made in many ways, and against the
//! program after random passes.
//!
//! Values are there when they are wanted, of any type; operations are drawn from the rows and held against the
//! verifier (`table`); memory and control flow follow a grammar (`memory`, `views`, `control`, `calls`, `structured`, `vectors`,
//! `long`, `stepped`, `masked`, `between`, `carried`, `flowing`, `meeting`, `edges`, `corners`). Sizes,
//! strides and ranges of indices are known while a program is written (`types`, `build`, `values`), so that nearly all
//! are defined; the interpreter throws the others away (`oracle`). A child process tries many programs (`worker`); what
//! it was at when it crashed or hung is a finding too.
//!
//! Each third program calls the functions of a piece of a file test with random arguments (`files`), so that passes meet
//! the shapes they are about.
//!
//! `FREEHOLD_SEED=7 FREEHOLD_PROGRAMS=1 cargo test --test programs rows/` tries one program again. Programs that are
//! wrong are written to a folder, which the message names; what was wrong once is in `tests/fuzz/corpus`.

mod alone;
mod between;
mod build;
mod calls;
mod carried;
mod control;
mod corners;
mod coverage;
mod edges;
mod files;
mod floats;
mod flowing;
mod long;
mod masked;
mod meeting;
mod memory;
mod named;
mod oracle;
mod pipelines;
mod printed;
mod program;
mod refusals;
mod shapes;
mod stepped;
mod structured;
mod table;
mod tolerance;
mod types;
mod values;
mod vectors;
mod views;
mod worker;

use crate::support::{first_seed, n_programs};

pub(crate) use worker::serve_if_asked;

/// How many programs are tried.
const PROGRAMS: u64 = 120;
/// How many tests share them.
const TESTS: u64 = 2;

pub(crate) fn family() -> super::Family {
    let mut family = super::Family::new("rows");
    let first = first_seed();
    let share = n_programs(PROGRAMS).div_ceil(TESTS);
    for n in 0..TESTS {
        let seeds = first + n * share..first + (n + 1) * share;
        let name = format!("seeds-{}-{}", seeds.start, seeds.end);
        family.test(name, move || Ok(worker::run(worker::Programs::New, seeds)?));
    }
    family.test("corpus", || {
        let n = worker::corpus().len() as u64;
        Ok(worker::run(worker::Programs::Corpus, 0..n)?)
    });
    family.test("coverage", || Ok(coverage::test()?));
    family
}
