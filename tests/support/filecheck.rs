//! FileCheck: does a text contain what the `CHECK` lines of a file say, in that order?
//!
//! This follows LLVM's FileCheck so that test files mean the same in both: `CHECK`, `-NEXT`, `-SAME`,
//! `-EMPTY`, `-DAG`, `-NOT`, `-LABEL`, `-COUNT-n`, the `{LITERAL}` modifier, string variables
//! (`[[X:re]]`, `[[X]]`, `[[$GLOBAL]]`), numeric ones (`[[#N:]]`, `[[#N+1]]`, `[[@LINE+1]]`) and the
//! options of [`Options::parse`]. `tests/filecheck.rs` compares the two on fixed and random inputs.
//! Messages are worded as upstream's.
//!
//! [`check`] reads the directives, splits the text at the labels, and then walks each part: a
//! [`Directive`] matches forward from the match before, after the `-DAG`s that precede it, and the
//! `-NOT`s must not occur in the text skipped on the way.

mod directives;
mod ere;
mod numeric;
mod pattern;

use std::fmt::Write as _;

use directives::{Check, Directive, Kind, Reader};
use pattern::{Match, Syntax, Values};

/// What the FileCheck command line says.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) prefixes: Vec<String>,
    pub(crate) comment_prefixes: Vec<String>,
    pub(crate) implicit_check_not: Vec<String>,
    /// `-DNAME=value` and `-D#NAME=number`, without the `-D`.
    pub(crate) defines: Vec<String>,
    pub(crate) enable_var_scope: bool,
    pub(crate) match_full_lines: bool,
    pub(crate) strict_whitespace: bool,
    pub(crate) ignore_case: bool,
    pub(crate) allow_empty: bool,
    pub(crate) allow_unused_prefixes: bool,
    /// The file to read instead of the standard input.
    pub(crate) input_file: Option<String>,
    /// How messages call the check file and the text.
    pub(crate) check_name: String,
    pub(crate) input_name: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            prefixes: vec!["CHECK".into()],
            comment_prefixes: vec!["COM".into(), "RUN".into()],
            implicit_check_not: Vec::new(),
            defines: Vec::new(),
            enable_var_scope: false,
            match_full_lines: false,
            strict_whitespace: false,
            ignore_case: false,
            allow_empty: false,
            allow_unused_prefixes: false,
            input_file: None,
            check_name: "check".into(),
            input_name: "output".into(),
        }
    }
}

impl Options {
    /// Reads a command line without the command; the check file's name ends up in `check_name`.
    pub(crate) fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut options = Self::default();
        let mut prefixes = Vec::new();
        let mut files = Vec::new();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let Some(flag) = argument
                .strip_prefix("--")
                .or_else(|| argument.strip_prefix('-'))
            else {
                files.push(argument.clone());
                continue;
            };
            if let Some(define) = flag.strip_prefix('D') {
                options.defines.push(define.into());
                continue;
            }
            let (name, attached) = match flag.split_once('=') {
                Some((name, value)) => (name, Some(value.to_string())),
                None => (flag, None),
            };
            let mut value = || {
                attached
                    .clone()
                    .or_else(|| arguments.next().cloned())
                    .ok_or_else(|| format!("FileCheck: '{argument}' needs a value"))
            };
            match name {
                "check-prefix" | "check-prefixes" => {
                    prefixes.extend(value()?.split(',').map(String::from));
                }
                "comment-prefixes" => {
                    options.comment_prefixes = value()?.split(',').map(String::from).collect();
                }
                "implicit-check-not" => options.implicit_check_not.push(value()?),
                "input-file" => options.input_file = Some(value()?),
                "dump-input" | "dump-input-context" | "dump-input-filter" => drop(value()?),
                "enable-var-scope" => options.enable_var_scope = true,
                "match-full-lines" => options.match_full_lines = true,
                "strict-whitespace" => options.strict_whitespace = true,
                "ignore-case" => options.ignore_case = true,
                "allow-empty" => options.allow_empty = true,
                "allow-unused-prefixes" => {
                    options.allow_unused_prefixes = attached.as_deref() != Some("false");
                }
                "v" | "vv" | "color" => {}
                _ => return Err(format!("FileCheck: unknown argument '{argument}'")),
            }
        }
        if !prefixes.is_empty() {
            options.prefixes = prefixes;
        }
        match <[String; 1]>::try_from(files) {
            Ok([file]) => options.check_name = file,
            Err(files) => {
                return Err(format!(
                    "FileCheck: expected one check file, got {}",
                    files.len()
                ));
            }
        }
        Ok(options)
    }

    fn validate_prefixes(&self) -> Result<(), String> {
        let mut seen = Vec::new();
        for prefix in self.prefixes.iter().chain(&self.comment_prefixes) {
            let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
            if prefix.is_empty() || !prefix.bytes().all(is_word) {
                return Err(format!(
                    "error: supplied prefix must start with a letter and contain only \
                     alphanumeric characters, hyphens, and underscores: '{prefix}'"
                ));
            }
            if seen.contains(&prefix) {
                return Err(format!(
                    "error: supplied prefix must be unique among check and comment prefixes: \
                     '{prefix}'"
                ));
            }
            seen.push(prefix);
        }
        Ok(())
    }

    fn syntax(&self, kind: Kind, literal: bool) -> Syntax {
        Syntax {
            literal,
            full_lines: self.match_full_lines && kind != Kind::Not,
            strict_whitespace: self.strict_whitespace,
            ignore_case: self.ignore_case,
        }
    }
}

/// Checks `output` against the directives in `check_file`, the text of that file. The error is a
/// report for people.
pub(crate) fn check(output: &str, check_file: &str, options: &Options) -> Result<(), String> {
    options.validate_prefixes()?;
    let mut values = Values::default();
    let directives = Reader::new(options, &mut values)?.read(check_file)?;
    if output.is_empty() && !options.allow_empty {
        return Err(format!(
            "FileCheck error: '{}' is empty.",
            options.input_name
        ));
    }
    let text = canonicalize(output, options.strict_whitespace);
    let mut checker = Checker {
        options,
        text: text.as_bytes(),
        check_lines: check_file.lines().collect(),
        values,
        report: String::new(),
    };
    checker.run(&directives);
    if checker.report.is_empty() {
        Ok(())
    } else {
        Err(checker.report)
    }
}

/// Normalises line ends, and runs of blanks to one space unless whitespace is `strict`.
fn canonicalize(text: &str, strict: bool) -> String {
    let mut result = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\r' if characters.peek() == Some(&'\n') => {}
            ' ' | '\t' if !strict => {
                while matches!(characters.peek(), Some(' ' | '\t')) {
                    characters.next();
                }
                result.push(' ');
            }
            _ => result.push(c),
        }
    }
    result
}

/// Matches directives and collects what goes wrong.
struct Checker<'a> {
    options: &'a Options,
    text: &'a [u8],
    check_lines: Vec<&'a str>,
    values: Values,
    report: String,
}

/// Proof that a message has been written to the report.
struct Failed;

/// A part of the text, as offsets. Patterns see it as a text of its own: `^` matches at its start.
#[derive(Clone, Copy)]
struct Region {
    start: usize,
    end: usize,
}

impl Checker<'_> {
    /// Splits the text at the labels and checks each part, going on after a part that fails.
    fn run(&mut self, directives: &[Directive]) {
        let mut rest = Region {
            start: 0,
            end: self.text.len(),
        };
        let mut next = 0;
        while next < directives.len() {
            let label = directives[next..]
                .iter()
                .position(|d| d.check.kind == Kind::Label);
            let (group_end, mut region) = match label {
                None => (directives.len(), rest),
                Some(offset) => {
                    let directive = &directives[next + offset];
                    // Variables of the part are not defined yet, so this sees the label alone.
                    let Ok(found) = self.match_count(directive, rest) else {
                        return;
                    };
                    let region = Region {
                        start: rest.start,
                        end: found.end,
                    };
                    rest.start = found.end;
                    (next + offset + 1, region)
                }
            };
            if next != 0 && self.options.enable_var_scope {
                self.values.clear_local();
            }
            for directive in &directives[next..group_end] {
                match self.match_directive(directive, region) {
                    Ok(end) => region.start = end,
                    Err(Failed) => break,
                }
            }
            next = group_end;
        }
    }

    /// Matches one directive with what stands before it and gives the end of the match.
    fn match_directive(&mut self, directive: &Directive, region: Region) -> Result<usize, Failed> {
        let mut nots = Vec::new();
        let start = self.match_dags(&directive.before, region, &mut nots)?;
        let found = if directive.check.kind == Kind::End {
            Match {
                start: region.end,
                end: region.end,
            }
        } else {
            self.match_count(directive, Region { start, ..region })?
        };
        let skipped = Region {
            start,
            end: found.start,
        };
        self.check_line(&directive.check, skipped)?;
        self.check_nots(&nots, skipped)?;
        Ok(found.end)
    }

    /// Matches a pattern as often as its count says; the result spans all matches.
    fn match_count(&mut self, directive: &Directive, region: Region) -> Result<Match, Failed> {
        let mut rest = region;
        let mut whole: Option<Match> = None;
        for i in 1..=directive.count {
            let counted = match directive.count {
                1 => String::new(),
                count => format!(" ({i} out of {count})"),
            };
            let found = self.expect(&directive.check, rest, &counted)?;
            whole = Some(Match {
                start: whole.map_or(found.start, |first| first.start),
                ..found
            });
            rest.start = found.end;
        }
        Ok(whole.expect("a count is at least one"))
    }

    /// Finds `check` in `region` or reports that it is not there.
    fn expect(&mut self, check: &Check, region: Region, counted: &str) -> Result<Match, Failed> {
        match self.find(check, region) {
            Ok(Some(found)) => Ok(found),
            Ok(None) => {
                let message = format!("expected string not found in input{counted}");
                self.error(check, &message);
                self.note(region.start, "scanning from here");
                self.substitution_notes(check);
                self.near_miss(check, region);
                Err(Failed)
            }
            Err(error) => {
                self.error(check, &error);
                self.note(region.start, "scanning from here");
                Err(Failed)
            }
        }
    }

    fn find(&mut self, check: &Check, region: Region) -> Result<Option<Match>, String> {
        let text = &self.text[region.start..region.end];
        let found = check.pattern.find(text, &mut self.values)?;
        // The line break before an empty line belongs to the line before.
        let skip = usize::from(check.kind == Kind::Empty);
        Ok(found.map(|found| Match {
            start: region.start + found.start + skip,
            end: region.start + found.end,
        }))
    }

    /// Matches groups of `-DAG`s in any order but without overlap. `-NOT`s between two groups are
    /// checked on the way, those after the last group are left in `nots`. Gives the end of the last
    /// group.
    fn match_dags<'c>(
        &mut self,
        before: &'c [Check],
        region: Region,
        nots: &mut Vec<&'c Check>,
    ) -> Result<usize, Failed> {
        let mut start = region.start;
        let mut matches: Vec<Match> = Vec::new();
        for (index, check) in before.iter().enumerate() {
            if check.kind == Kind::Not {
                nots.push(check);
                continue;
            }
            let mut from = start;
            let mut slot = 0;
            loop {
                let found = self.expect(
                    check,
                    Region {
                        start: from,
                        ..region
                    },
                    "",
                )?;
                // `matches` is sorted and free of overlap; look for the place of this one.
                let later = matches[slot..]
                    .iter()
                    .position(|other| found.start < other.end);
                slot = later.map_or(matches.len(), |offset| slot + offset);
                match matches.get(slot) {
                    Some(other) if other.start < found.end => {
                        from = other.end;
                        slot += 1;
                    }
                    _ => {
                        matches.insert(slot, found);
                        break;
                    }
                }
            }
            if before
                .get(index + 1)
                .is_none_or(|next| next.kind == Kind::Not)
            {
                let skipped = Region {
                    start,
                    end: matches[0].start,
                };
                self.check_nots(nots, skipped)?;
                nots.clear();
                start = matches.last().expect("one was just inserted").end;
                matches.clear();
            }
        }
        Ok(start)
    }

    fn check_nots(&mut self, nots: &[&Check], region: Region) -> Result<(), Failed> {
        let mut result = Ok(());
        for check in nots {
            match self.find(check, region) {
                Ok(None) => continue,
                Ok(Some(found)) => {
                    self.error(check, "excluded string found in input");
                    self.note(found.start, "found here");
                    self.substitution_notes(check);
                }
                Err(error) => self.error(check, &error),
            }
            result = Err(Failed);
        }
        result
    }

    /// Checks what `-NEXT`, `-EMPTY` and `-SAME` say of the text between two matches.
    fn check_line(&mut self, check: &Check, skipped: Region) -> Result<(), Failed> {
        let between = &self.text[skipped.start..skipped.end];
        let n_breaks = between.iter().filter(|&&byte| byte == b'\n').count();
        let message = match check.kind {
            Kind::Next | Kind::Empty if n_breaks == 0 => "is on the same line as previous match",
            Kind::Next | Kind::Empty if n_breaks > 1 => {
                "is not on the line after the previous match"
            }
            Kind::Same if n_breaks > 0 => "is not on the same line as the previous match",
            _ => return Ok(()),
        };
        let first_break = between.iter().position(|&byte| byte == b'\n');
        self.error(check, message);
        self.note(skipped.end, "'next' match was here");
        self.note(skipped.start, "previous match ended here");
        if let (Some(at), true) = (first_break, check.kind != Kind::Same) {
            self.note(
                skipped.start + at + 1,
                "non-matching line after previous match is here",
            );
        }
        Err(Failed)
    }

    fn error(&mut self, check: &Check, message: &str) {
        let name = &check.name;
        let _ = match check.pattern.line {
            0 => writeln!(
                self.report,
                "command line: error: {name}: {message}\n  --implicit-check-not='{}'",
                check.pattern.source()
            ),
            line => writeln!(
                self.report,
                "{}:{line}: error: {name}: {message}\n  {}",
                self.options.check_name,
                self.check_lines.get(line - 1).unwrap_or(&"")
            ),
        };
    }

    /// A message about a place in the text, which is shown with a caret.
    fn note(&mut self, at: usize, message: &str) {
        let line_start = self.text[..at]
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |p| p + 1);
        let line_end = self.text[at..]
            .iter()
            .position(|&b| b == b'\n')
            .map_or(self.text.len(), |p| at + p);
        let line = self.text[..at]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count()
            + 1;
        let column = String::from_utf8_lossy(&self.text[line_start..at])
            .chars()
            .count();
        let _ = writeln!(
            self.report,
            "{}:{line}:{}: note: {message}\n  {}\n  {:column$}^",
            self.options.input_name,
            column + 1,
            String::from_utf8_lossy(&self.text[line_start..line_end]),
            "",
        );
    }

    fn substitution_notes(&mut self, check: &Check) {
        for note in check.pattern.substitutions(&self.values) {
            let _ = writeln!(self.report, "note: {note}");
        }
    }

    /// Points at the line that looks most like the pattern.
    fn near_miss(&mut self, check: &Check, region: Region) {
        const MAX_LINES: usize = 300;
        const MAX_LENGTH: usize = 300;
        let example = check.pattern.example(&self.values);
        if example.is_empty() || example.len() > MAX_LENGTH {
            return;
        }
        let mut best: Option<(usize, usize)> = None;
        let mut at = region.start;
        for line in self.text[region.start..region.end]
            .split(|&b| b == b'\n')
            .take(MAX_LINES)
        {
            let (distance, offset) =
                substring_distance(&example, &line[..line.len().min(MAX_LENGTH)]);
            if best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, at + offset));
            }
            at += line.len() + 1;
        }
        if let Some((distance, place)) = best
            && distance * 2 < example.len()
            && place != region.start
        {
            self.note(place, "possible intended match here");
        }
    }
}

/// The least edit distance of `pattern` to any part of `line`, and where that part begins.
fn substring_distance(pattern: &[u8], line: &[u8]) -> (usize, usize) {
    // One row per prefix of `pattern`; an entry is (distance, start of the part).
    let mut row: Vec<(usize, usize)> = (0..=line.len()).map(|at| (0, at)).collect();
    for (i, &expected) in pattern.iter().enumerate() {
        let mut diagonal = row[0];
        row[0].0 = i + 1;
        for (j, &actual) in line.iter().enumerate() {
            let replaced = (diagonal.0 + usize::from(expected != actual), diagonal.1);
            let deleted = (row[j + 1].0 + 1, row[j + 1].1);
            let inserted = (row[j].0 + 1, row[j].1);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(deleted).min(inserted);
        }
    }
    row.into_iter().min().unwrap_or((pattern.len(), 0))
}
