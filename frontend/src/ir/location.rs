//! Source locations and the texts they point into.
//!
//! A [`Loc`] is four bytes. What the parser sees is stored as a position in
//! the concatenation of all loaded sources (so a location costs nothing while
//! parsing); what a file spells out as `loc(...)` is interned.

use std::sync::Arc;

use super::attrs::Attr;
use super::bytes::Bytes;
use super::context::Context;
use super::source_text::{Blob, full_column};

/// Where an operation comes from. Resolve it with [`Context::resolve_loc`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Loc(u32);

const INTERNED: u32 = 1 << 31;

impl Loc {
    /// `loc(unknown)`.
    pub const UNKNOWN: Loc = Loc(u32::MAX);

    /// A byte position in the source map.
    pub(super) fn from_position(position: u32) -> Self {
        debug_assert!(position < INTERNED);
        Self(position)
    }

    pub(super) fn from_interned(id: u32) -> Self {
        debug_assert!(id < INTERNED - 1);
        Self(id | INTERNED)
    }

    /// This location as an index into the source map, if it is one.
    pub(super) fn position(self) -> Option<u32> {
        (self.0 & INTERNED == 0).then_some(self.0)
    }

    /// This location as an id of an interned [`LocKind`], if it is one.
    pub(super) fn interned(self) -> Option<u32> {
        (self.0 & INTERNED != 0 && self != Self::UNKNOWN).then_some(self.0 & !INTERNED)
    }
}

/// A location that was spelled out in the source.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LocKind {
    /// `"file":line:column`, one-based.
    File {
        /// File name as written.
        file: Arc<str>,
        /// One-based line.
        line: u32,
        /// One-based column.
        column: u32,
    },
    /// `"name"` or `"name"(child)`.
    Name(Arc<str>, Loc),
    /// `callsite(callee at caller)`.
    CallSite(Loc, Loc),
    /// `fused<metadata>[locations]`.
    Fused(Option<Attr>, Vec<Loc>),
}

/// A location as file, one-based line and one-based column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileLineColumn {
    /// File name.
    pub file: Arc<str>,
    /// One-based line.
    pub line: u32,
    /// One-based column, in bytes.
    pub column: u32,
}

/// One loaded text.
#[derive(Debug)]
pub struct SourceFile {
    /// The name to report.
    pub name: Arc<str>,
    /// Its text; what long strings of digits spell is in `blobs`.
    pub text: Arc<str>,
    pub(super) blobs: Vec<Blob>,
    /// What it is if it is no text.
    pub(super) bytecode: Option<Bytes>,
    /// Position of its first byte in the source map.
    pub(super) start: u32,
    /// Offsets of the first byte of each line.
    pub(super) line_starts: Vec<u32>,
    /// Added to reported lines: where a piece of a split file begins.
    pub(super) first_line: u32,
}

impl SourceFile {
    /// A text that no location points into.
    pub(crate) fn detached(name: &str, text: &str) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            blobs: Vec::new(),
            bytecode: None,
            start: 0,
            line_starts: vec![0],
            first_line: 1,
        }
    }

    /// The bytecode, if it is no text.
    pub fn bytecode(&self) -> Option<&Bytes> {
        self.bytecode.as_ref()
    }

    /// Line and column (both one-based) of a byte offset in this file.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        let line = self.line_starts.partition_point(|&start| start <= offset) - 1;
        let column = full_column(&self.blobs, self.line_starts[line], offset);
        (line as u32 + self.first_line, column)
    }

    /// The string of digits whose digits stood at byte `offset`.
    pub(crate) fn blob(&self, offset: usize) -> Option<&Blob> {
        let blob_at = |blob: &Blob| (blob.at as usize).cmp(&offset);
        let found = self.blobs.binary_search_by(blob_at).ok()?;
        Some(&self.blobs[found])
    }

    /// The location of byte `offset` of this file.
    pub fn loc(&self, offset: usize) -> Loc {
        Loc::from_position(self.start + (offset.min(self.text.len())) as u32)
    }
}

impl Context {
    /// The file, line and column of `loc`; for composed locations, of the
    /// innermost part that has one.
    pub fn resolve_loc(&self, loc: Loc) -> Option<FileLineColumn> {
        if let Some((file, offset)) = self.source_of(loc) {
            let (line, column) = file.line_column(offset);
            return Some(FileLineColumn {
                file: Arc::clone(&file.name),
                line,
                column,
            });
        }
        match self.loc_kind(loc)? {
            LocKind::File { file, line, column } => Some(FileLineColumn {
                file: Arc::clone(file),
                line: *line,
                column: *column,
            }),
            LocKind::Name(_, child) => self.resolve_loc(*child),
            LocKind::CallSite(callee, caller) => self
                .resolve_loc(*callee)
                .or_else(|| self.resolve_loc(*caller)),
            LocKind::Fused(_, parts) => parts.iter().find_map(|&part| self.resolve_loc(part)),
        }
    }
}
