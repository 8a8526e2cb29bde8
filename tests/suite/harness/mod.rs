//! Tests of the test harness itself: FileCheck, the RUN line runner, child processes and peers.

mod filecheck;
mod generator;
mod peer;
mod runner;
