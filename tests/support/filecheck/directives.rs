//! Reading the directives of a check file.

use super::pattern::{Definitions, Pattern, Values};
use super::{Options, canonicalize, numeric};

/// The suffix of a directive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Plain,
    Next,
    Same,
    Empty,
    Label,
    Dag,
    Not,
    /// Stands at the end of the text, for the `-DAG`s and `-NOT`s that nothing follows.
    End,
}

/// A pattern with the directive name to call it by.
pub(crate) struct Check {
    pub(crate) kind: Kind,
    pub(crate) name: String,
    pub(crate) pattern: Pattern,
}

/// A directive that moves forward, with the `-DAG`s and `-NOT`s before it.
pub(crate) struct Directive {
    pub(crate) before: Vec<Check>,
    pub(crate) check: Check,
    pub(crate) count: usize,
}

/// Reads the directives of a check file.
pub(crate) struct Reader<'a> {
    options: &'a Options,
    definitions: Definitions,
}

/// A directive's head: what it is and where its pattern begins.
struct Head {
    kind: Kind,
    count: usize,
    literal: bool,
    length: usize,
}

impl<'a> Reader<'a> {
    /// Starts with the variables that the options define.
    pub(crate) fn new(options: &'a Options, values: &mut Values) -> Result<Self, String> {
        let mut definitions = Definitions::default();
        for define in &options.defines {
            let (name, value) = define
                .split_once('=')
                .ok_or_else(|| format!("missing equal sign in global definition '{define}'"))?;
            if let Some(number) = name.strip_prefix('#') {
                let cx = numeric::Context {
                    formats: &definitions.formats,
                    defined_here: &[],
                    line: None,
                };
                let block = numeric::parse_block(&format!("{number}:{value}"), &cx)?;
                let (Some(name), Some(expr)) = (block.definition, block.expr) else {
                    return Err(format!("invalid global definition '{define}'"));
                };
                let value = expr
                    .evaluate(&values.numbers)
                    .map_err(|_| format!("global definition '{define}' has no value"))?;
                definitions.formats.insert(name.clone(), block.format);
                values.numbers.insert(name, value);
            } else {
                definitions.strings.push(name.to_string());
                values
                    .strings
                    .insert(name.to_string(), value.as_bytes().to_vec());
            }
        }
        Ok(Self {
            options,
            definitions,
        })
    }

    /// Reads all directives; the error names the first one that is wrong.
    pub(crate) fn read(mut self, check_file: &str) -> Result<Vec<Directive>, String> {
        let text = canonicalize(check_file, self.options.strict_whitespace);
        let mut directives: Vec<Directive> = Vec::new();
        let mut before = self.implicit_nots()?;
        let mut used = vec![false; self.options.prefixes.len()];
        let mut n_lines = 0;
        for (index, line) in text.split('\n').enumerate() {
            n_lines = index + 1;
            let located = |message: String| {
                format!(
                    "{}:{n_lines}: error: {message}\n  {line}",
                    self.options.check_name
                )
            };
            let Some((prefix, at, head)) = self.find_directive(line).map_err(located)? else {
                continue;
            };
            used[prefix] = true;
            let prefix = &self.options.prefixes[prefix];
            let head_text = line[at..at + head.length].trim_end_matches(':');
            let name = if head.count > 1 {
                format!("{prefix}-COUNT")
            } else {
                head_text.into()
            };
            let rest = line[at + head.length..].split('\r').next().unwrap_or("");
            let exact = self.options.strict_whitespace && self.options.match_full_lines;
            let source = if exact {
                rest
            } else {
                rest.trim_matches([' ', '\t'])
            };
            let pattern = if source.is_empty() != (head.kind == Kind::Empty) {
                Err(match head.kind {
                    Kind::Empty => format!(
                        "found non-empty check string for empty check with prefix '{prefix}:'"
                    ),
                    _ => format!("found empty check string with prefix '{prefix}:'"),
                })
            } else if head.kind == Kind::Empty {
                Ok(Pattern::empty_line(n_lines))
            } else {
                let syntax = self.options.syntax(head.kind, head.literal);
                Pattern::parse(source, n_lines, &syntax, &mut self.definitions)
            };
            let pattern = pattern.map_err(located)?;
            match head.kind {
                Kind::Label if pattern.has_variable() => {
                    return Err(located(format!(
                        "found '{prefix}-LABEL:' with variable definition or use"
                    )));
                }
                Kind::Next | Kind::Same | Kind::Empty if directives.is_empty() => {
                    return Err(located(format!(
                        "found '{name}' without previous '{prefix}: line"
                    )));
                }
                _ => {}
            }
            let check = Check {
                kind: head.kind,
                name,
                pattern,
            };
            if matches!(head.kind, Kind::Dag | Kind::Not) {
                before.push(check);
            } else {
                directives.push(Directive {
                    before,
                    check,
                    count: head.count,
                });
                before = self.implicit_nots()?;
            }
        }
        self.require_used_prefixes(&used)?;
        if !before.is_empty() {
            let name = format!("{} (end of input)", self.options.prefixes[0]);
            let check = Check {
                kind: Kind::End,
                name,
                pattern: Pattern::empty_line(n_lines),
            };
            directives.push(Directive {
                before,
                check,
                count: 1,
            });
        }
        Ok(directives)
    }

    /// The `--implicit-check-not` patterns, which apply between any two directives.
    fn implicit_nots(&mut self) -> Result<Vec<Check>, String> {
        let syntax = self.options.syntax(Kind::Not, false);
        let mut checks = Vec::new();
        for text in &self.options.implicit_check_not {
            let pattern = Pattern::parse(text, 0, &syntax, &mut self.definitions)
                .map_err(|error| format!("--implicit-check-not='{text}': error: {error}"))?;
            checks.push(Check {
                kind: Kind::Not,
                name: "IMPLICIT-CHECK-NOT".into(),
                pattern,
            });
        }
        Ok(checks)
    }

    fn require_used_prefixes(&self, used: &[bool]) -> Result<(), String> {
        let none = !used.contains(&true);
        let missing = used.contains(&false) && !self.options.allow_unused_prefixes;
        let default_prefix = self.options.prefixes == Options::default().prefixes;
        if !(none || missing) || (!self.options.implicit_check_not.is_empty() && default_prefix) {
            return Ok(());
        }
        let unused = self
            .options
            .prefixes
            .iter()
            .zip(used)
            .filter(|(_, used)| !**used);
        let names: Vec<_> = unused.map(|(prefix, _)| format!("'{prefix}:'")).collect();
        let plural = if names.len() > 1 { "es" } else { "" };
        Err(format!(
            "error: no check strings found with prefix{plural} {}",
            names.join(", ")
        ))
    }

    /// The first directive on `line`: the index of its prefix, its offset and its head. A comment
    /// prefix ends the search.
    fn find_directive(&self, line: &str) -> Result<Option<(usize, usize, Head)>, String> {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let bytes = line.as_bytes();
        let mut from = 0;
        loop {
            let all = self
                .options
                .prefixes
                .iter()
                .chain(&self.options.comment_prefixes);
            let found = all
                .enumerate()
                .filter_map(|(index, prefix)| {
                    line.get(from..)?
                        .find(prefix.as_str())
                        .map(|at| (from + at, index, prefix))
                })
                // The leftmost, and the longest there.
                .min_by_key(|&(at, _, prefix)| (at, usize::MAX - prefix.len()));
            let Some((at, index, prefix)) = found else {
                return Ok(None);
            };
            let rest = &line[at + prefix.len()..];
            if at == 0 || !is_word(&bytes[at - 1]) {
                if index >= self.options.prefixes.len() {
                    if rest.starts_with(':') {
                        return Ok(None);
                    }
                } else if let Some(mut head) = parse_head(rest, prefix)? {
                    head.length += prefix.len();
                    return Ok(Some((index, at, head)));
                }
            }
            from = at + prefix.len();
            from += bytes[from..]
                .iter()
                .take_while(|byte| is_word(byte))
                .count();
        }
    }
}

/// Reads the suffix, the modifiers and the colon that follow a prefix; `None` when this is no
/// directive after all.
fn parse_head(text: &str, prefix: &str) -> Result<Option<Head>, String> {
    let mut head = Head {
        kind: Kind::Plain,
        count: 1,
        literal: false,
        length: 0,
    };
    let mut rest = text;
    let mut misspelled = false;
    if let Some(suffix) = text.strip_prefix(['-', '_']) {
        misspelled = text.starts_with('_');
        const SUFFIXES: [(&str, Kind); 6] = [
            ("NEXT", Kind::Next),
            ("SAME", Kind::Same),
            ("NOT", Kind::Not),
            ("DAG", Kind::Dag),
            ("LABEL", Kind::Label),
            ("EMPTY", Kind::Empty),
        ];
        let unsupported = ["DAG", "NEXT", "SAME", "EMPTY"].iter().any(|other| {
            suffix.starts_with(&format!("{other}-NOT:"))
                || suffix.starts_with(&format!("NOT-{other}:"))
        });
        if unsupported && !misspelled {
            return Err(format!("unsupported -NOT combo on prefix '{prefix}'"));
        }
        if let Some(number) = suffix.strip_prefix("COUNT-") {
            let end = number
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(number.len());
            rest = &number[end..];
            match number[..end].parse::<i32>() {
                Ok(count) if count > 0 && rest.starts_with([':', '{']) => {
                    head.count = count as usize;
                }
                _ => {
                    return Err(format!(
                        "invalid count in -COUNT specification on prefix '{prefix}'"
                    ));
                }
            }
        } else {
            let known = SUFFIXES
                .iter()
                .find_map(|&(name, kind)| suffix.strip_prefix(name).map(|rest| (rest, kind)));
            let Some((after, kind)) = known else {
                return Ok(None);
            };
            rest = after;
            head.kind = kind;
        }
    }
    if let Some(modifiers) = rest.strip_prefix('{') {
        let Some((list, after)) = modifiers.split_once('}') else {
            return Ok(None);
        };
        if !list.split(',').all(|modifier| modifier.trim() == "LITERAL") {
            return Ok(None);
        }
        head.literal = true;
        rest = after;
    }
    let Some(pattern) = rest.strip_prefix(':') else {
        return Ok(None);
    };
    head.length = text.len() - pattern.len();
    if misspelled {
        return Err(format!(
            "misspelled directive '{prefix}{}'",
            &text[..head.length]
        ));
    }
    Ok(Some(head))
}
