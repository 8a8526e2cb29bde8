//! Errors in a program, for callers of the library.

use std::fmt;
use std::io;

use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::diag::{Diagnostics, Severity};

/// The reason of an I/O error in the words of the C library, without its number.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

/// A place in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The name of the text.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
    /// The column in bytes, counted from 1.
    pub column: u32,
}

/// One thing that was reported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// How bad it is.
    pub severity: Severity,
    /// Where, if it is about a place.
    pub location: Option<Location>,
    /// What.
    pub message: String,
    /// Explanations, possibly of other places.
    pub notes: Vec<(Option<Location>, String)>,
}

/// Errors in a program. Displays as one line per report and note.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    reports: Vec<Report>,
    text: String,
}

impl Error {
    pub(crate) fn new(diagnostics: &Diagnostics, context: &Context) -> Self {
        let location = |loc| {
            let at = context.resolve_loc(loc).filter(|at| at.line > 0)?;
            Some(Location {
                file: at.file.to_string(),
                line: at.line,
                column: at.column,
            })
        };
        let reports = diagnostics.distinct(context).map(|diagnostic| Report {
            severity: diagnostic.severity,
            location: location(diagnostic.loc),
            message: diagnostic.message.clone(),
            notes: (diagnostic.notes.iter())
                .map(|(loc, message)| (location(*loc), message.clone()))
                .collect(),
        });
        Self {
            reports: reports.collect(),
            text: diagnostics.render_plain(context),
        }
    }

    pub(crate) fn message(text: String) -> Self {
        let report = Report {
            severity: Severity::Error,
            location: None,
            message: text.clone(),
            notes: Vec::new(),
        };
        Self {
            reports: vec![report],
            text,
        }
    }

    /// Everything that was reported, in order; at least one is an error.
    pub fn reports(&self) -> &[Report] {
        &self.reports
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.trim_end())
    }
}

impl std::error::Error for Error {}
