//! Tests of the crate's parts that a file test cannot reach. They stand here and not beside the code, so that the
//! crate, which takes longest to compile, is compiled once.

mod call_order;
mod liveness;
mod memory_plan;
mod ownership;
mod planner;
mod raise_llvm;
mod registry;
