//! Tests of the crate's parts that a file test cannot reach. They stand here and not beside the code, so that the
//! crate, which takes longest to compile, is compiled once.

#![allow(
    clippy::unwrap_used,
    reason = "test code; functions that tests share are found outside of one"
)]

mod call_order;
mod liveness;
mod memory_plan;
mod ownership;
mod planner;
mod raise_llvm;
mod registry;
