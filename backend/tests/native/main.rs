//! Modules compiled to machine code and run: in this process, as programs, and on AArch64 in an emulator.

#![allow(
    clippy::unwrap_used,
    reason = "test code; not all modules have one that is found outside of a test"
)]

mod common;

mod floats;
mod functions;
mod integers;
mod interop;
mod memrefs;
mod modes;
mod robustness;
