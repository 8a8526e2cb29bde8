//! `--verify-diagnostics`: compares what was reported with the comments
//! `// expected-error @+1 {{text}}` of the source.
//!
//! A directive names a severity (`error`, `warning`, `remark`, `note`), the
//! line (its own, `@+n`, `@-n`, `@above`, `@below`, or `@unknown`) and a text
//! that the message must contain; `expected-error-re` makes the text a pattern
//! in which `{{...}}` is a regular expression.

use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::diag::{Diagnostics, Severity};
use freehold_frontend::ir::location::Loc;
use regex::Regex;

struct Expected {
    severity: Severity,
    /// `None` for `@unknown`.
    line: Option<u32>,
    text: String,
    pattern: Option<Regex>,
    /// Where the directive stands.
    at: (u32, u32),
    found: bool,
}

impl Expected {
    fn accepts(&self, message: &str) -> bool {
        match &self.pattern {
            Some(pattern) => pattern.is_match(message),
            None => message.contains(&self.text),
        }
    }
}

/// Compares `diagnostics` with the directives in `text`, a piece of the file
/// `name` that begins at line `first_line`. Returns what to print where they
/// differ; empty if they agree.
pub(crate) fn check(
    name: &str,
    text: &str,
    first_line: u32,
    diagnostics: &Diagnostics,
    context: &Context,
) -> String {
    let mut out = String::new();
    let mut expected = Vec::new();
    let mut designator_line = None;
    for (i, line) in text.lines().enumerate() {
        let number = first_line + i as u32;
        let before = expected.len();
        if let Err((column, message)) = directives(line, number, designator_line, &mut expected) {
            out += &format!("{name}:{number}:{column}: error: {message}\n");
        }
        // `@above` and `@below` of consecutive directive lines mean the code
        // lines around all of them.
        if expected.len() == before {
            designator_line = Some(number);
            for directive in &mut expected {
                if directive.line == Some(0) {
                    directive.line = Some(number);
                }
            }
        }
    }
    for diagnostic in diagnostics.iter() {
        let main = (diagnostic.loc, diagnostic.severity, &diagnostic.message);
        let notes = diagnostic
            .notes
            .iter()
            .map(|(loc, text)| (*loc, Severity::Note, text));
        for (loc, severity, message) in std::iter::once(main).chain(notes) {
            out += &match_one(name, loc, severity, message, &mut expected, context);
        }
    }
    for directive in expected.iter().filter(|directive| !directive.found) {
        let (line, column) = directive.at;
        let word = directive.severity.word();
        out += &format!(
            "{name}:{line}:{column}: error: expected {word} \"{}\" was not produced\n",
            directive.text
        );
    }
    out
}

/// Marks the directive that one message fulfils; returns what to print if none does.
fn match_one(
    name: &str,
    loc: Loc,
    severity: Severity,
    message: &str,
    expected: &mut [Expected],
    context: &Context,
) -> String {
    let at = context.resolve_loc(loc);
    let line = at.as_ref().map(|at| at.line);
    let fits = |e: &Expected| e.line == line && e.severity == severity && e.accepts(message);
    // One directive may stand for several equal messages only if none is left
    // for the others, as upstream has it: unfulfilled ones first.
    let slot = expected.iter().position(|e| !e.found && fits(e));
    if let Some(slot) = slot {
        expected[slot].found = true;
        return String::new();
    }
    let word = severity.word();
    match at {
        Some(at) => format!(
            "{}:{}:{}: error: unexpected {word}: {message}\n",
            at.file, at.line, at.column
        ),
        None => format!("{name}: error: unexpected {word}: {message}\n"),
    }
}

/// Reads the directives of one line. Errors name the column.
fn directives(
    line: &str,
    number: u32,
    line_above: Option<u32>,
    out: &mut Vec<Expected>,
) -> Result<(), (usize, String)> {
    let mut from = 0;
    while let Some(found) = line[from..].find("expected-") {
        let start = from + found;
        let mut rest = &line[start + "expected-".len()..];
        from = start + "expected-".len();
        let severities = [
            ("error", Severity::Error),
            ("warning", Severity::Warning),
            ("remark", Severity::Remark),
            ("note", Severity::Note),
        ];
        let Some((word, severity)) = severities
            .into_iter()
            .find(|(word, _)| rest.starts_with(word))
        else {
            continue;
        };
        rest = &rest[word.len()..];
        let is_pattern = rest.starts_with("-re");
        if is_pattern {
            rest = &rest["-re".len()..];
        }
        rest = rest.trim_start();
        let mut target = Some(number);
        if let Some(designator) = rest.strip_prefix('@') {
            let end = designator
                .find(|c: char| c.is_whitespace() || c == '{')
                .unwrap_or(designator.len());
            let (place, after) = designator.split_at(end);
            target = match place {
                "unknown" => None,
                "above" => Some(line_above.unwrap_or(0)),
                // Filled in when the next line that is not a directive comes.
                "below" => Some(0),
                _ => {
                    let offset: i64 = place
                        .parse()
                        .map_err(|_| (start + 1, format!("invalid designator '@{place}'")))?;
                    Some((i64::from(number) + offset).max(0) as u32)
                }
            };
            rest = after.trim_start();
        }
        let Some(body) = rest.strip_prefix("{{") else {
            continue;
        };
        let end = if is_pattern {
            body.rfind("}}")
        } else {
            body.find("}}")
        };
        let Some(end) = end else {
            return Err((
                start + 1,
                "expected diagnostic directive has no closing '}}'".into(),
            ));
        };
        let text = body[..end].to_owned();
        let pattern = match is_pattern {
            true => Some(compile(&text).map_err(|e| (start + 1, format!("invalid regex: {e}")))?),
            false => None,
        };
        out.push(Expected {
            severity,
            line: target,
            text,
            pattern,
            at: (number, start as u32 + 1),
            found: false,
        });
    }
    Ok(())
}

/// Literal text with `{{regular expressions}}` in it.
fn compile(text: &str) -> Result<Regex, regex::Error> {
    let mut pattern = String::new();
    let mut rest = text;
    while let Some(open) = rest.find("{{") {
        pattern += &regex::escape(&rest[..open]);
        rest = &rest[open + 2..];
        let close = rest.find("}}").unwrap_or(rest.len());
        pattern += &format!("(?:{})", &rest[..close]);
        rest = rest.get(close + 2..).unwrap_or("");
    }
    pattern += &regex::escape(rest);
    Regex::new(&pattern)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_directives_and_lines() {
        let mut expected = Vec::new();
        directives(
            "// expected-error @+2 {{bad}} expected-note@-1 {{see}}",
            10,
            None,
            &mut expected,
        )
        .expect("valid");
        directives(
            "// expected-error-re {{a{{[0-9]+}}b}}",
            11,
            None,
            &mut expected,
        )
        .expect("valid");
        let shape: Vec<_> = expected.iter().map(|e| (e.severity, e.line)).collect();
        assert_eq!(
            shape,
            [
                (Severity::Error, Some(12)),
                (Severity::Note, Some(9)),
                (Severity::Error, Some(11))
            ]
        );
        assert!(expected[2].accepts("xa12b"));
        assert!(!expected[2].accepts("ab"));
    }
}
