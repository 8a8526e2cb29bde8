//! Locations as text.

use super::Printer;
use crate::ir::asm::OpAsmPrinter as _;
use crate::ir::location::{Loc, LocKind};

impl Printer<'_> {
    /// Writes ` loc(...)` after an operation if locations are asked for.
    pub(super) fn trailing_loc(&mut self, loc: Loc) {
        // Operations are collected before what they hold.
        if self.options.debug_info && !self.collecting {
            self.text(" ");
            self.loc(loc);
        }
    }

    /// Writes ` loc(...)` after an argument if locations are asked for: in
    /// full, though it may have an alias, as upstream does.
    pub(super) fn argument_loc(&mut self, loc: Loc) {
        if !self.options.debug_info {
            return;
        }
        if self.collecting {
            self.collect_loc(loc, false);
            return;
        }
        self.text(" loc(");
        self.loc_body(loc);
        self.text(")");
    }

    /// Writes `loc(...)`.
    pub(super) fn loc(&mut self, loc: Loc) {
        self.text("loc(");
        if !self.write_loc_alias(loc) {
            self.loc_body(loc);
        }
        self.text(")");
    }

    /// Writes a location inside of another.
    fn inner_loc(&mut self, loc: Loc) {
        if self.collecting {
            self.collect_loc(loc, false);
        } else if !self.write_loc_alias(loc) {
            self.loc_body(loc);
        }
    }

    /// Writes what stands between the parentheses.
    pub(super) fn loc_body(&mut self, loc: Loc) {
        let loc = self.canonical_loc(loc);
        let context = self.context;
        let Some(kind) = context.loc_kind(loc) else {
            self.text("unknown");
            return;
        };
        match kind {
            LocKind::File { file, line, column } => {
                self.string(file);
                self.text(":");
                self.integer(i64::from(*line));
                self.text(":");
                self.integer(i64::from(*column));
            }
            LocKind::Name(name, child) => {
                self.string(name);
                if *child != Loc::UNKNOWN {
                    self.text("(");
                    self.inner_loc(*child);
                    self.text(")");
                }
            }
            LocKind::CallSite(callee, caller) => {
                self.text("callsite(");
                self.inner_loc(*callee);
                self.text(" at ");
                self.inner_loc(*caller);
                self.text(")");
            }
            LocKind::Fused(metadata, parts) => {
                self.text("fused");
                if let Some(metadata) = metadata {
                    self.text("<");
                    self.attr(*metadata);
                    self.text(">");
                }
                self.text("[");
                for (i, &part) in parts.iter().enumerate() {
                    if i > 0 {
                        self.text(", ");
                    }
                    self.inner_loc(part);
                }
                self.text("]");
            }
        }
    }

    /// One [`Loc`] for all that say the same: positions in a source become
    /// file locations.
    pub(super) fn canonical_loc(&self, loc: Loc) -> Loc {
        if self.context.source_of(loc).is_none() {
            return loc;
        }
        match self.context.resolve_loc(loc) {
            Some(at) => self.context.intern_loc(LocKind::File {
                file: at.file,
                line: at.line,
                column: at.column,
            }),
            None => loc,
        }
    }
}
