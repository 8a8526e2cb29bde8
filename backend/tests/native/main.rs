//! Modules compiled to machine code and run: in this process, as programs, and on AArch64 in an emulator. So is the
//! runtime, with programs in C.

#![allow(
    clippy::unwrap_used,
    reason = "test code; not all modules have one that is found outside of a test"
)]

mod common;
#[path = "../../../tests/support/needs.rs"]
#[allow(dead_code, reason = "every test binary uses a part of this module")]
mod needs;

mod encodings;
mod floats;
mod functions;
mod integers;
mod interop;
mod memrefs;
mod modes;
mod robustness;
mod runtime;
mod target;

use std::process::ExitCode;

/// Whether executables for AArch64 have a runtime.
fn has_aarch64_runtime() -> bool {
    freehold_backend::link::runtime_object(&common::aarch64()).is_some()
}

fn main() -> ExitCode {
    let tests = [
        encodings::tests(),
        floats::tests(),
        functions::tests(),
        integers::tests(),
        interop::tests(),
        memrefs::tests(),
        modes::tests(),
        robustness::tests(),
        runtime::tests(),
        target::tests(),
    ];
    needs::main(tests.into_iter().flatten().collect())
}
