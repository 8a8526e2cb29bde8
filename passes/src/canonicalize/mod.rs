//! Cleaning up: canonicalization, common subexpressions, constants, calls replaced by what they call, dead
//! values and symbols, variables that need no memory, operations that need not run where they stand, and
//! unreachable or redundant blocks.

#[expect(
    clippy::module_inception,
    reason = "each pass is a file named as its flag"
)]
pub mod canonicalize;
pub mod control_flow_sink;
pub mod cse;
pub mod inline;
pub mod loop_invariant_code_motion;
pub mod mem2reg;
pub mod region_simplify;
pub mod remove_dead_values;
pub mod sccp;
pub mod sroa;
pub mod symbol_dce;
