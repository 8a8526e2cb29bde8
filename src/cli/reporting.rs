//! How diagnostics are shown: flags that all commands have.

use std::io;

use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::diag::{Diagnostics, Severity};
use freehold_frontend::ir::location::Loc;
use serde_json::{Value, json};

/// Format of diagnostics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum ErrorFormat {
    /// Annotated source on a terminal, else lines with the source line and a caret
    #[default]
    Human,
    /// One line each
    Short,
    /// One JSON object each, on a line
    Json,
}

/// The errors that are shown unless `--error-limit` says otherwise: as many as clang shows.
const ERROR_LIMIT: usize = 20;

/// The flags.
#[derive(clap::Args, Debug)]
pub(crate) struct ReportingArgs {
    #[command(flatten)]
    pub(crate) color: colorchoice_clap::Color,
    /// Format of diagnostics
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        hide_possible_values = true
    )]
    pub(crate) error_format: ErrorFormat,
    /// Show at most this many errors; 0 shows all
    #[arg(long, global = true, value_name = "N", default_value_t = ERROR_LIMIT)]
    pub(crate) error_limit: usize,
}

/// What the flags say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reporting {
    /// Format of diagnostics.
    pub format: ErrorFormat,
    /// The most errors that are shown; 0 stands for all.
    pub error_limit: usize,
    /// Whether they are for a terminal.
    pub terminal: bool,
    /// Whether they are coloured.
    pub color: bool,
}

impl Default for Reporting {
    fn default() -> Self {
        Self {
            format: ErrorFormat::default(),
            error_limit: ERROR_LIMIT,
            terminal: false,
            color: false,
        }
    }
}

impl Reporting {
    pub(crate) fn apply(&mut self, args: &ReportingArgs) {
        args.color.write_global();
        self.format = args.error_format;
        self.error_limit = args.error_limit;
        self.color = match ColorChoice::global() {
            ColorChoice::Auto => {
                self.terminal && AutoStream::choice(&io::stderr()) != ColorChoice::Never
            }
            choice => choice != ColorChoice::Never,
        };
    }

    /// The text of these diagnostics.
    pub(crate) fn render(&self, diagnostics: &Diagnostics, context: &Context) -> String {
        let limit = match self.error_limit {
            0 => usize::MAX,
            limit => limit,
        };
        let (diagnostics, n_hidden) = diagnostics.up_to_errors(limit);
        let mut text = match self.format {
            ErrorFormat::Human if self.terminal || self.color => {
                diagnostics.render_annotated(context, self.color)
            }
            ErrorFormat::Human => diagnostics.render_with_source(context),
            ErrorFormat::Short => diagnostics.render_plain(context),
            ErrorFormat::Json => render_json(&diagnostics, context),
        };
        if n_hidden > 0 && self.format != ErrorFormat::Json {
            let verb = if n_hidden == 1 { " is" } else { "s are" };
            text += &format!(
                "note: {n_hidden} more error{verb} not shown; --error-limit=0 shows all\n"
            );
        }
        text
    }
}

/// One object per report: `severity`, `message`, `file`, `line`, `column`, and `notes` of the same form.
fn render_json(diagnostics: &Diagnostics, context: &Context) -> String {
    let object = |severity: Severity, loc: Loc, message: &str| {
        let at = context.resolve_loc(loc);
        json!({
            "severity": severity.word(),
            "message": message,
            "file": at.as_ref().map(|at| at.file.to_string()),
            "line": at.as_ref().map(|at| at.line).filter(|&line| line > 0),
            "column": at.as_ref().filter(|at| at.line > 0).map(|at| at.column),
        })
    };
    let mut text = String::new();
    for diagnostic in diagnostics.distinct(context) {
        let mut whole = object(diagnostic.severity, diagnostic.loc, &diagnostic.message);
        let notes = diagnostic.notes.iter();
        let notes = notes.map(|(loc, message)| object(Severity::Note, *loc, message));
        whole["notes"] = Value::Array(notes.collect());
        text += &format!("{whole}\n");
    }
    text
}
