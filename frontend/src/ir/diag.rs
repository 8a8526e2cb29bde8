//! Diagnostics: what went wrong, where, and two ways to show it.
//!
//! Nothing in this crate prints. Functions push to a [`Diagnostics`] and
//! return [`Failed`], which is proof that something was pushed.

use std::fmt::Write as _;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use rustc_hash::FxHashSet;

use crate::ir::context::Context;
use crate::ir::location::{Loc, SourceFile};

/// Something was reported as an error; the work cannot go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Failed;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Severity {
    /// Additional information; also stands alone.
    Note,
    /// Something a pass wants to tell.
    Remark,
    /// Suspicious.
    Warning,
    /// Invalid.
    Error,
}

impl Severity {
    /// The word that is printed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Remark => "remark",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One report. Messages are lower case, without a full stop, in upstream's
/// wording where it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad.
    pub severity: Severity,
    /// Where.
    pub loc: Loc,
    /// What.
    pub message: String,
    /// Explanations, possibly elsewhere.
    pub notes: Vec<(Loc, String)>,
}

/// A list of reports.
#[derive(Clone, Default, Debug)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// The reports at known places. One mistake is one error, also if several operations come upon it, or copies that
    /// passes made of one. A remark about a loop stands once for all copies of it.
    placed: FxHashSet<(Severity, Loc, String)>,
    /// Whether the last report was there already, and its notes are as well.
    is_repeated: bool,
}

impl Diagnostics {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a report, unless it is one that there was at this place.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let Diagnostic { severity, loc, .. } = diagnostic;
        self.is_repeated = loc != Loc::UNKNOWN
            && !(self.placed).insert((severity, loc, diagnostic.message.clone()));
        if !self.is_repeated {
            self.list.push(diagnostic);
        }
    }

    /// Adds an error.
    pub fn error(&mut self, loc: Loc, message: impl Into<String>) -> Failed {
        self.add(Severity::Error, loc, message);
        Failed
    }

    /// Adds a warning.
    pub fn warning(&mut self, loc: Loc, message: impl Into<String>) {
        self.add(Severity::Warning, loc, message);
    }

    /// Adds a remark.
    pub fn remark(&mut self, loc: Loc, message: impl Into<String>) {
        self.add(Severity::Remark, loc, message);
    }

    fn add(&mut self, severity: Severity, loc: Loc, message: impl Into<String>) {
        self.push(Diagnostic {
            severity,
            loc,
            message: message.into(),
            notes: Vec::new(),
        });
    }

    /// Attaches a note to the last report.
    pub fn note(&mut self, loc: Loc, message: impl Into<String>) {
        if let Some(last) = self.list.last_mut()
            && !self.is_repeated
        {
            last.notes.push((loc, message.into()));
        }
    }

    /// Attaches what `note` says of a report to it, unless that is there already.
    pub fn add_notes(&mut self, note: impl Fn(&Diagnostic) -> Option<String>) {
        for diagnostic in &mut self.list {
            if let Some(text) = note(diagnostic)
                && !diagnostic.notes.iter().any(|(_, known)| *known == text)
            {
                diagnostic.notes.push((diagnostic.loc, text));
            }
        }
    }

    /// Whether an error was reported.
    pub fn has_errors(&self) -> bool {
        self.list
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Whether nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All reports in order.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// All reports in order, each once at a place: what inlining and unrolling copied is at places of its own that stand
    /// for one in the text.
    pub fn distinct<'a>(&'a self, context: &'a Context) -> impl Iterator<Item = &'a Diagnostic> {
        let mut seen = FxHashSet::default();
        self.list.iter().filter(move |diagnostic| {
            let Some(at) = context.resolve_loc(diagnostic.loc) else {
                return true;
            };
            let place = (at.file.to_string(), at.line, at.column);
            seen.insert((place, diagnostic.severity, diagnostic.message.as_str()))
        })
    }

    /// Moves all reports of `other` to the end of this list.
    pub fn append(&mut self, other: Diagnostics) {
        for diagnostic in other.list {
            self.push(diagnostic);
        }
    }

    /// One line per report and note: `file:line:column: error: message`.
    pub fn render_plain(&self, context: &Context) -> String {
        let mut out = String::new();
        for diagnostic in self.distinct(context) {
            render_line(
                &mut out,
                context,
                diagnostic.loc,
                diagnostic.severity,
                &diagnostic.message,
            );
            for (loc, message) in &diagnostic.notes {
                render_line(&mut out, context, *loc, Severity::Note, message);
            }
        }
        out
    }

    /// The reports up to the error after the first `limit` ones, and how many errors are left out.
    pub fn up_to_errors(&self, limit: usize) -> (Self, usize) {
        let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
        let n_errors = self.list.iter().filter(is_error).count();
        let mut errors = self.list.iter().enumerate().filter(|(_, d)| is_error(d));
        let end = match errors.nth(limit) {
            Some((at, _)) => at,
            None => self.list.len(),
        };
        let shown = Self {
            list: self.list[..end].to_vec(),
            ..Self::default()
        };
        (shown, n_errors.saturating_sub(limit))
    }

    /// Like [`render_plain`](Self::render_plain), and below each line the source line that it is about, with a
    /// caret below the place: what LLVM's tools print.
    pub fn render_with_source(&self, context: &Context) -> String {
        let mut out = String::new();
        for diagnostic in self.distinct(context) {
            let main = (
                diagnostic.loc,
                diagnostic.severity,
                diagnostic.message.as_str(),
            );
            let notes = diagnostic.notes.iter();
            let notes = notes.map(|(loc, message)| (*loc, Severity::Note, message.as_str()));
            for (loc, severity, message) in std::iter::once(main).chain(notes) {
                render_line(&mut out, context, loc, severity, message);
                if let Some((file, offset)) = context.source_of(loc) {
                    render_caret(&mut out, &file, offset);
                }
            }
        }
        out
    }

    /// Reports with the source lines they are about, for a terminal.
    pub fn render_annotated(&self, context: &Context, color: bool) -> String {
        let renderer = if color {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        let mut out = String::new();
        for diagnostic in self.distinct(context) {
            let level = match diagnostic.severity {
                Severity::Error => Level::ERROR,
                Severity::Warning => Level::WARNING,
                Severity::Remark => Level::INFO,
                Severity::Note => Level::NOTE,
            };
            let title = level.primary_title(diagnostic.message.as_str());
            let main = context.source_of(diagnostic.loc);
            let notes: Vec<_> = diagnostic
                .notes
                .iter()
                .map(|(loc, message)| (context.source_of(*loc), *loc, message))
                .collect();
            let mut groups = vec![match &main {
                Some((file, offset)) => title.element(snippet(file, *offset)),
                None => Group::with_title(title),
            }];
            for (source, _, message) in &notes {
                let title = Level::NOTE.secondary_title(message.as_str());
                groups.push(match source {
                    Some((file, offset)) => title.element(snippet(file, *offset)),
                    None => Group::with_title(title),
                });
            }
            let _ = writeln!(out, "{}", renderer.render(&groups));
        }
        out
    }
}

/// The line of `file` around byte `offset`, with that place marked. Only a
/// few lines are handed over: files may be huge.
fn snippet(file: &SourceFile, offset: u32) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
    let (text, column) = source_line(file, offset);
    let (line, _) = file.line_column(offset);
    let width = token_width(&text[column..]);
    Snippet::source(text)
        .line_start(line as usize)
        .path(&*file.name)
        .annotation(AnnotationKind::Primary.span(column..column + width))
}

/// The line of `file` around byte `offset`, and where in it that is.
fn source_line(file: &SourceFile, offset: u32) -> (&str, usize) {
    let text = &*file.text;
    let mut offset = (offset as usize).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let end = text[offset..]
        .find('\n')
        .map_or(text.len(), |at| offset + at);
    (&text[start..end], offset - start)
}

/// Writes the line around byte `offset` and a caret below that place. Long generated lines, such as one with a large
/// constant, are left out.
fn render_caret(out: &mut String, file: &SourceFile, offset: u32) {
    const MAX_LINE_BYTES: usize = 1000;
    let (text, column) = source_line(file, offset);
    let text = text.trim_end_matches('\r');
    if text.len() > MAX_LINE_BYTES || column > text.len() {
        return;
    }
    // Tabs stay tabs, so that the caret is where it belongs whatever their width.
    let blanks = text[..column].chars();
    let blanks: String = blanks.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}\n{blanks}^");
}

/// How much of `text` to underline: the word it begins with.
fn token_width(text: &str) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || "_.$%@#!^-".contains(c);
    let word = text.find(|c: char| !is_word(c)).unwrap_or(text.len());
    if word > 0 {
        word
    } else {
        text.chars().next().map_or(0, char::len_utf8)
    }
}

fn render_line(out: &mut String, context: &Context, loc: Loc, severity: Severity, message: &str) {
    let word = severity.word();
    // Writing to a string cannot fail.
    let _ = match context.resolve_loc(loc) {
        Some(at) if at.line == 0 => writeln!(out, "{}: {word}: {message}", at.file),
        Some(at) => writeln!(
            out,
            "{}:{}:{}: {word}: {message}",
            at.file, at.line, at.column
        ),
        None => writeln!(out, "{word}: {message}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_is_reported_once() {
        let context = Context::with_dialects(&[]);
        let file = context.add_source("test.mlir", "ab", 1).unwrap();
        let [first, second] = [0, 1].map(|offset| file.loc(offset));
        let mut diagnostics = Diagnostics::new();
        for loc in [first, first, second, Loc::UNKNOWN, Loc::UNKNOWN] {
            diagnostics.error(loc, "wrong");
            diagnostics.note(loc, "because");
        }
        diagnostics.error(first, "more wrong");
        diagnostics.remark(first, "told");
        diagnostics.remark(first, "told");
        let mut all = diagnostics.clone();
        all.append(diagnostics);
        let reports: Vec<_> = (all.iter())
            .map(|report| (report.loc, &*report.message, report.notes.len()))
            .collect();
        let unknown = (Loc::UNKNOWN, "wrong", 1);
        let told = (first, "told", 0);
        let once = [
            (first, "wrong", 1),
            (second, "wrong", 1),
            unknown,
            unknown,
            (first, "more wrong", 0),
            told,
        ];
        assert_eq!(reports, [&once[..], &[unknown, unknown]].concat());
    }
}
