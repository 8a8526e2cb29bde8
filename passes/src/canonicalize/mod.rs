//! Cleaning up: canonicalization, common subexpressions, calls replaced by what they call, dead
//! symbols and unreachable or redundant blocks.

#[expect(
    clippy::module_inception,
    reason = "each pass is a file named as its flag"
)]
pub mod canonicalize;
pub mod cse;
pub mod inline;
pub mod region_simplify;
pub mod symbol_dce;
