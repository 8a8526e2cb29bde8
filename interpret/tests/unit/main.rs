//! The unit tests of the interpreter. They stand beside the code; a module that has some is compiled here a second time,
//! alone, so that the crate is compiled once.

#![allow(
    clippy::unwrap_used,
    reason = "test code; functions that tests share are found outside of one"
)]
#![allow(
    dead_code,
    unfulfilled_lint_expectations,
    unreachable_pub,
    unused_imports,
    reason = "of a module, only what its tests call is used here"
)]

mod table;

#[path = "../../src/float.rs"]
mod float;
#[path = "../../src/noise.rs"]
mod noise;
#[path = "../../src/print.rs"]
mod print;
