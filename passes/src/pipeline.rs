//! Pipelines as text: `builtin.module(func.func(cse),canonicalize{max-iterations=2})`.
//!
//! Reading checks names, options and anchors, so a [`Pipeline`] that exists
//! can run.

use std::fmt;

use crate::pass::{Anchor, OptionValues, PassDef, PipelineDef, default_of};
use crate::registry;

/// What a pipeline runs on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// `builtin.module`
    Module,
    /// `func.func`
    Function,
    /// `any`
    Any,
}

impl Target {
    fn keyword(self) -> &'static str {
        match self {
            Self::Module => "builtin.module",
            Self::Function => "func.func",
            Self::Any => "any",
        }
    }
}

/// One step of a pipeline.
#[derive(Clone, Debug)]
pub enum Step {
    /// A pass on the current arena (or, by its anchor, on the functions in it).
    Pass(&'static PassDef, OptionValues),
    /// A pipeline on the modules or functions inside.
    Nested(Pipeline),
}

/// A checked list of steps.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// What it runs on.
    pub target: Target,
    /// In order.
    pub steps: Vec<Step>,
}

impl Pipeline {
    /// An empty pipeline on the module.
    pub fn module() -> Self {
        Self {
            target: Target::Module,
            steps: Vec::new(),
        }
    }

    /// Reads `anchor(pass,pass{option=value},anchor(...))`.
    ///
    /// # Errors
    /// With what is wrong and where (`at character 12`), in upstream's words
    /// where it has any.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut reader = Reader {
            text,
            position: 0,
            depth: 0,
        };
        reader.skip_space();
        let start = reader.position;
        let name = reader.name();
        let Some(target) = target_of(name) else {
            return Err(format!(
                "expected pass pipeline to be wrapped with the anchor operation type, e.g. \
                 'builtin.module(...)' (at character {start})"
            ));
        };
        if !reader.eat('(') {
            return Err(reader.expected("'(' after the anchor"));
        }
        let pipeline = reader.steps(target)?;
        if !reader.eat(')') {
            return Err(reader.expected("',' or ')'"));
        }
        reader.skip_space();
        if reader.position != text.len() {
            return Err(reader.expected("end of the pipeline"));
        }
        Ok(pipeline)
    }

    /// Appends what a command line flag stands for: `name`, with options in
    /// upstream's flag form (`a=b c=d`).
    ///
    /// # Errors
    /// If there is no such pass or pipeline, or the options are wrong.
    pub fn append_flag(&mut self, name: &str, options: &str) -> Result<(), String> {
        self.append_named(name, options)
    }

    fn append_named(&mut self, name: &str, options: &str) -> Result<(), String> {
        let options = split_options(options)?;
        if let Some(pass) = registry::pass(name) {
            let mut values = OptionValues::default();
            for (key, value) in &options {
                values
                    .set(pass, key, value)
                    .map_err(|e| format!("<Pass-Options-Parser>: {e}"))?;
            }
            return self.append_pass(pass, values);
        }
        if let Some(pipeline) = registry::pipeline(name) {
            let expanded = expand_pipeline(pipeline, &options)?;
            self.steps.extend(expanded.steps);
            return Ok(());
        }
        Err(format!(
            "'{name}' does not refer to a registered pass or pass pipeline"
        ))
    }

    /// Appends a pass with options.
    ///
    /// # Errors
    /// If it cannot run on what the pipeline runs on.
    pub fn append_pass(
        &mut self,
        pass: &'static PassDef,
        options: OptionValues,
    ) -> Result<(), String> {
        if self.target == Target::Function && pass.anchor == Anchor::Module {
            return Err(format!(
                "can't add pass '{}' restricted to 'builtin.module' on a PassManager intended to \
                 run on 'func.func', did you intend to nest?",
                pass.name
            ));
        }
        self.steps.push(Step::Pass(pass, options));
        Ok(())
    }
}

impl fmt::Display for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.target.keyword())?;
        for (i, step) in self.steps.iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            match step {
                Step::Pass(pass, options) => {
                    f.write_str(pass.name)?;
                    let mut separator = "{";
                    for (name, value) in options.iter() {
                        write!(f, "{separator}{name}={value}")?;
                        separator = " ";
                    }
                    if separator == " " {
                        f.write_str("}")?;
                    }
                }
                Step::Nested(pipeline) => write!(f, "{pipeline}")?,
            }
        }
        f.write_str(")")
    }
}

/// Checks the options of a named pipeline and reads what it expands to.
fn expand_pipeline(
    def: &'static PipelineDef,
    options: &[(String, String)],
) -> Result<Pipeline, String> {
    // A pass row with the options of the pipeline, to check them in one way.
    let checker = PassDef {
        name: def.name,
        summary: def.summary,
        anchor: Anchor::Module,
        options: def.options,
        run: |_, _| Ok(()),
    };
    let mut values = OptionValues::default();
    for (key, value) in options {
        values
            .set(&checker, key, value)
            .map_err(|e| format!("<Pass-Options-Parser>: {e}"))?;
    }
    let lookup = |name: &str| {
        let given = values
            .iter()
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value);
        given
            .unwrap_or_else(|| default_of(def.options, name))
            .to_owned()
    };
    Pipeline::parse(&(def.expand)(&lookup))
}

fn target_of(name: &str) -> Option<Target> {
    [Target::Module, Target::Function, Target::Any]
        .into_iter()
        .find(|t| t.keyword() == name)
}

/// Splits `a=b c={x y} flag` at spaces outside of braces, quotes and brackets.
fn split_options(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut options = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let key_end = rest
            .find(|c: char| c == '=' || c.is_whitespace())
            .unwrap_or(rest.len());
        let key = &rest[..key_end];
        rest = &rest[key_end..];
        let mut value = String::new();
        if let Some(after) = rest.strip_prefix('=') {
            let (text, after) = option_value(after)?;
            value = text;
            rest = after;
        }
        options.push((key.to_owned(), value));
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
    }
    Ok(options)
}

/// One option value at the beginning of `text`, and what follows it.
fn option_value(text: &str) -> Result<(String, &str), String> {
    for (open, close) in [('{', '}'), ('\'', '\''), ('"', '"')] {
        if let Some(inner) = text.strip_prefix(open) {
            let end = inner
                .find(close)
                .ok_or_else(|| format!("missing '{close}' in pass options `{text}`"))?;
            return Ok((inner[..end].to_owned(), &inner[end + 1..]));
        }
    }
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    Ok((text[..end].to_owned(), &text[end..]))
}

struct Reader<'a> {
    text: &'a str,
    position: usize,
    depth: usize,
}

/// How deeply pipelines may nest: far beyond any use, and small enough for any stack.
const MAX_DEPTH: usize = 64;

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    fn skip_space(&mut self) {
        self.position += self.rest().len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, c: char) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(c);
        if found {
            self.position += c.len_utf8();
        }
        found
    }

    fn name(&mut self) -> &'a str {
        self.skip_space();
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let end = self
            .rest()
            .find(|c| !is_name(c))
            .unwrap_or(self.rest().len());
        let name = &self.rest()[..end];
        self.position += end;
        name
    }

    fn expected(&self, what: &str) -> String {
        format!(
            "expected {what} in pass pipeline at character {}",
            self.position
        )
    }

    fn steps(&mut self, target: Target) -> Result<Pipeline, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("pass pipeline is nested too deeply".to_owned());
        }
        let mut pipeline = Pipeline {
            target,
            steps: Vec::new(),
        };
        self.skip_space();
        if self.rest().starts_with(')') {
            self.depth -= 1;
            return Ok(pipeline);
        }
        loop {
            self.skip_space();
            let start = self.position;
            let name = self.name();
            if name.is_empty() {
                return Err(self.expected("a pass name"));
            }
            if self.eat('(') {
                let Some(target) = target_of(name) else {
                    return Err(format!("unknown anchor '{name}' at character {start}"));
                };
                let nested = self.steps(target)?;
                if !self.eat(')') {
                    return Err(self.expected("',' or ')'"));
                }
                pipeline.steps.push(Step::Nested(nested));
            } else {
                let options = if self.eat('{') { self.braced()? } else { "" };
                pipeline.append_named(name, options)?;
            }
            if !self.eat(',') {
                break;
            }
        }
        self.depth -= 1;
        Ok(pipeline)
    }

    /// The text up to the brace that closes the one just read.
    fn braced(&mut self) -> Result<&'a str, String> {
        let start = self.position;
        let mut depth = 1usize;
        for (i, c) in self.rest().char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let text = &self.text[start..start + i];
                self.position = start + i + 1;
                return Ok(text);
            }
        }
        Err("missing closing '}' while processing pass options".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::OptionKind;

    #[test]
    fn round_trips() {
        for text in [
            "builtin.module()",
            "builtin.module(canonicalize)",
            "builtin.module(func.func(cse,canonicalize{max-iterations=3}),symbol-dce)",
        ] {
            assert_eq!(
                Pipeline::parse(text).map(|p| p.to_string()).as_deref(),
                Ok(text)
            );
        }
    }

    #[test]
    fn numbers_are_in_range() {
        let passes = registry::PASSES
            .iter()
            .map(|pass| (pass.name, pass.options));
        let pipelines = registry::PIPELINES
            .iter()
            .map(|def| (def.name, def.options));
        for (name, options) in passes.chain(pipelines) {
            for option in options {
                let OptionKind::Integer { least, most } = option.kind else {
                    continue;
                };
                let parse = |value: i128| {
                    Pipeline::parse(&format!(
                        "builtin.module({name}{{{}={value}}})",
                        option.name
                    ))
                };
                let (least, most) = (i128::from(least), i128::from(most));
                for value in [least - 1, most + 1, i128::MAX] {
                    let error = parse(value).map(|p| p.to_string()).unwrap_err();
                    let start = format!(
                        "<Pass-Options-Parser>: '{value}' value invalid for option {}: expected an integer from {least}",
                        option.name
                    );
                    assert!(error.starts_with(&start), "{error}");
                }
                let default = option.default.parse().expect("a default is an integer");
                for value in [least, most, default] {
                    assert!(parse(value).is_ok(), "{name}: {value}");
                }
            }
        }
    }

    #[test]
    fn rejects_what_cannot_run() {
        for (text, message) in [
            ("cse", "wrapped with the anchor"),
            (
                "builtin.module(nope)",
                "'nope' does not refer to a registered pass",
            ),
            ("builtin.module(cse", "expected ',' or ')'"),
            ("builtin.module(cse{x=1})", "no such option x"),
            (
                "builtin.module(canonicalize{max-iteration=1})",
                "no such option max-iteration; did you mean 'max-iterations'?",
            ),
            (
                "builtin.module(func.func(symbol-dce))",
                "did you intend to nest",
            ),
            (
                "builtin.module(canonicalize{max-iterations=a})",
                "expected an integer from -1",
            ),
            ("builtin.module(cse) x", "expected end"),
        ] {
            let error = Pipeline::parse(text).map(|p| p.to_string()).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
        let deep = format!("builtin.module({}", "any(".repeat(100_000));
        assert!(Pipeline::parse(&deep).is_err());
    }
}
