//! MLIR bytecode, versions 0 to 6: the other form in which programs are stored.
//!
//! A file is the magic `ML\xEFR`, a version, who wrote it, and sections: strings, names of dialects and
//! operations, attributes and types (each a few bytes that refer to others by number), operations, native
//! properties and resources. [`read`] makes an [`Ir`] of it, [`write()`] the other way round.
//!
//! Attributes and types of `builtin` have an encoding of their own (`attributes.rs`), those of other dialects
//! stand as text, or in the encoding that the definition of the dialect has (`ir/bytecode_interface.rs`).
//! Inherent attributes are native properties from version 5 on (`properties.rs`). Bytes of
//! resources and of dense constants are shared with the file. Regions of isolated operations are sections that
//! could be skipped; here all are read. Orders of uses are read over: uses are in no particular order here.

mod attributes;
mod cursor;
mod emitter;
mod operations;
mod properties;
mod reader;
mod resources;
mod section;
mod types;
mod writer;

use std::sync::Arc;

use crate::ir::builtin;
use crate::ir::bytecode_interface::BytecodeDialectInterface;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::{Diagnostics, Failed};
use crate::ir::location::SourceFile;
use crate::syntax::parser;

use section::Section;

pub use reader::read;
pub use writer::{WriteOptions, write};

/// The newest version.
pub const MAX_VERSION: u64 = 6;

/// The version from which on dialects may have versions.
const DIALECT_VERSIONS: u64 = 1;
/// The version from which on isolated regions are sections.
const LAZY_REGIONS: u64 = 2;
/// The version from which on there are orders of uses.
const USE_ORDERS: u64 = 3;
/// The version from which on unknown locations of block arguments are left out.
const ELIDED_LOCATIONS: u64 = 4;
/// The version from which on inherent attributes are properties.
const NATIVE_PROPERTIES: u64 = 5;
/// The version from which on sizes of segments are sparse arrays.
const NATIVE_SEGMENTS: u64 = 6;

/// What an operation has, as bits of a byte.
mod parts {
    pub(super) const ATTRIBUTES: u8 = 1;
    pub(super) const RESULTS: u8 = 1 << 1;
    pub(super) const OPERANDS: u8 = 1 << 2;
    pub(super) const SUCCESSORS: u8 = 1 << 3;
    pub(super) const REGIONS: u8 = 1 << 4;
    pub(super) const USE_ORDERS: u8 = 1 << 5;
    pub(super) const PROPERTIES: u8 = 1 << 6;
}

/// Builtin's encoding. Dialects have theirs in their definitions.
static BUILTIN: BytecodeDialectInterface = BytecodeDialectInterface {
    read_attribute: attributes::read,
    read_type: types::read,
    write_attribute: attributes::write,
    write_type: types::write,
    ..BytecodeDialectInterface::BASE
};

/// The encoding of a dialect, if it has one.
fn interface(context: &Context, dialect: &str) -> Option<&'static BytecodeDialectInterface> {
    match dialect == builtin::DIALECT.namespace {
        true => Some(&BUILTIN),
        false => context.dialect(dialect)?.bytecode,
    }
}

/// Reads a program, text or bytecode, into a module.
///
/// # Errors
/// If it is neither.
pub fn parse_program(
    context: &Arc<Context>,
    file: &SourceFile,
    diagnostics: &mut Diagnostics,
) -> Result<Ir, Failed> {
    match file.bytecode() {
        Some(bytes) => read(context, &file.name, bytes, diagnostics),
        None => parser::parse_source(context, file, diagnostics),
    }
}
