//! Pipelines as text: `builtin.module(func.func(cse),canonicalize{max-iterations=2})`.
//!
//! Reading checks names, options and anchors, so a [`Pipeline`] that exists
//! can run.

use crate::manage::pass::{NamedPipeline, Pass};
use crate::manage::pipeline::{Pipeline, Step, Target};

/// The passes and named pipelines that text may mention.
pub struct Registry {
    /// All passes, sorted by name.
    pub passes: &'static [&'static dyn Pass],
    /// Passes of upstream's that have nothing to do here, sorted by name.
    pub idle: &'static [&'static dyn Pass],
    /// All named pipelines, sorted by name.
    pub pipelines: &'static [&'static dyn NamedPipeline],
}

impl Registry {
    /// The pass with this flag.
    pub fn pass(&self, name: &str) -> Option<&'static dyn Pass> {
        self.all_passes().find(|pass| pass.name() == name)
    }

    /// All passes, those that have nothing to do included.
    pub fn all_passes(&self) -> impl Iterator<Item = &'static dyn Pass> {
        self.passes.iter().chain(self.idle).copied()
    }

    /// The names of the passes of `pipeline` that have nothing to do, each once, in order.
    pub fn idle_in(&self, pipeline: &Pipeline) -> Vec<&'static str> {
        let mut names = Vec::new();
        self.add_idle(&pipeline.steps, &mut names);
        names
    }

    fn add_idle(&self, steps: &[Step], names: &mut Vec<&'static str>) {
        for step in steps {
            match step {
                Step::Nested(pipeline) => self.add_idle(&pipeline.steps, names),
                Step::Pass(pass) => {
                    let name = pass.pass().name();
                    let is_idle = self.idle.iter().any(|pass| pass.name() == name);
                    if is_idle && !names.contains(&name) {
                        names.push(name);
                    }
                }
            }
        }
    }

    /// The pipeline with this flag.
    pub fn pipeline(&self, name: &str) -> Option<&'static dyn NamedPipeline> {
        (self.pipelines.iter().copied()).find(|pipeline| pipeline.name() == name)
    }

    /// Reads `anchor(pass,pass{option=value},anchor(...))`.
    ///
    /// # Errors
    /// With the error and its place (`at character 12`), in upstream's words where it has any.
    pub fn parse(&self, text: &str) -> Result<Pipeline, String> {
        let mut reader = Reader {
            registry: self,
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

    /// Appends `name`, with options like `a=b c=d`, to `pipeline`.
    ///
    /// # Errors
    /// If there is no such pass or pipeline, or the options are wrong.
    pub fn append(&self, pipeline: &mut Pipeline, name: &str, options: &str) -> Result<(), String> {
        let options = split_options(options)?;
        let wrong = |error| format!("<Pass-Options-Parser>: {error}");
        if let Some(pass) = self.pass(name) {
            return pipeline.append_pass(pass.read(&options).map_err(wrong)?);
        }
        if let Some(def) = self.pipeline(name) {
            pipeline.steps.extend(def.read(&options).map_err(wrong)?);
            return Ok(());
        }
        Err(format!(
            "'{name}' does not refer to a registered pass or pass pipeline"
        ))
    }
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
    registry: &'a Registry,
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
                self.registry.append(&mut pipeline, name, options)?;
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
