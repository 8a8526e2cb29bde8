//! The `test` dialect, which the commands that tests run know besides those of the frontend:
//! operations with the interfaces that passes look at, and nothing else to them.

use std::ffi::OsString;

use freehold::Io;
use freehold_frontend::dialects;
use freehold_frontend::ir::op_def::DialectDef;

mod memory;
mod region_if;

use memory::{ALLOC, COPY, MEMREF_USER};
use region_if::{REGION_IF, REGION_IF_YIELD};

/// The dialect.
static DIALECT: DialectDef = DialectDef {
    namespace: "test",
    ops: &[&ALLOC, &COPY, &MEMREF_USER, &REGION_IF, &REGION_IF_YIELD],
    is_open: true,
    ..DialectDef::BASE
};

/// Runs the command line `arguments`, where `opt` knows the dialect.
pub(crate) fn main_with(arguments: &[OsString], io: &mut Io) -> u8 {
    let all: Vec<&'static DialectDef> = dialects::ALL.iter().copied().chain([&DIALECT]).collect();
    freehold::main_with_dialects(arguments, &all, io)
}
