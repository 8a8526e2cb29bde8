//! Tests of the library and the command line that are neither files nor generated programs alone.

#![allow(
    clippy::unwrap_used,
    reason = "test code; not all modules have one that is found outside of a test"
)]

#[path = "../support/mod.rs"]
mod support;

mod bytecode;
mod calls;
mod compare;
mod constants;
mod dealloc;
mod declared;
mod documents;
mod executables;
mod folds;
mod generic;
mod growth;
mod harness;
mod idempotent;
mod interfaces;
mod interpret;
mod jobs;
mod layers;
mod loops;
mod models;
mod mpi;
mod mutation;
mod objects;
mod processes;
mod profilers;
mod retain;
mod robustness;
mod sizes;
mod tensors;
mod tidy;
mod units;

use std::process::ExitCode;

use support::{has_aarch64_runtime, needs};

fn main() -> ExitCode {
    let tests = [
        bytecode::tests(),
        calls::tests(),
        compare::tests(),
        constants::tests(),
        dealloc::tests(),
        declared::tests(),
        documents::tests(),
        executables::tests(),
        folds::tests(),
        generic::tests(),
        growth::tests(),
        harness::tests(),
        idempotent::tests(),
        interfaces::tests(),
        interpret::tests(),
        jobs::tests(),
        loops::tests(),
        models::tests(),
        mpi::tests(),
        mutation::tests(),
        objects::tests(),
        processes::tests(),
        profilers::tests(),
        retain::tests(),
        robustness::tests(),
        sizes::tests(),
        tensors::tests(),
        tidy::tests(),
        units::tests(),
    ];
    needs::main(tests.into_iter().flatten().collect())
}
