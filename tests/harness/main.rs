//! Tests of the test harness itself: FileCheck, the RUN line runner, child processes and peers.

#![expect(clippy::unwrap_used, reason = "test code")]

#[path = "../support/mod.rs"]
mod support;

mod filecheck;
mod generator;
mod peer;
mod runner;
