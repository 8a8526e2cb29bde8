//! Tests of the reader. The messages of files are compiled here a second time, alone, so that the crate is compiled once.

#![allow(
    clippy::unwrap_used,
    reason = "test code; functions that tests share are found outside of one"
)]
#![allow(
    dead_code,
    unfulfilled_lint_expectations,
    unreachable_pub,
    unused_imports,
    reason = "of the messages, those that tests write are used here"
)]

mod models;
#[path = "../../src/proto.rs"]
mod proto;
