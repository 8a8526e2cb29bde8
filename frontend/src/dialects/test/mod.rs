//! A small dialect for tests: operations with the interfaces that passes look
//! at, and nothing else to them.

use crate::ir::op_def::DialectDef;

mod memory;
mod region_if;

pub use memory::{ALLOC, COPY, MEMREF_USER};
pub use region_if::{REGION_IF, REGION_IF_YIELD, RegionIf};

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "test",
    ops: &[&ALLOC, &COPY, &MEMREF_USER, &REGION_IF, &REGION_IF_YIELD],
    is_open: true,
    ..DialectDef::BASE
};
