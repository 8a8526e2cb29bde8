//! Tests of the test harness itself: FileCheck, the RUN line runner, child processes and peers.

use libtest_mimic::Trial;

mod filecheck;
mod generator;
mod peer;
mod runner;

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    [
        filecheck::tests(),
        generator::tests(),
        peer::tests(),
        runner::tests(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
