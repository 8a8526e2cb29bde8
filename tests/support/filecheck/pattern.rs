//! One directive's pattern: its pieces, the variables it defines and uses, and matching it.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::ere::{self, Groups, Node, Program};
use super::numeric::{self, Block, EvalError, Expr, Format};

/// Values of the variables while matching.
#[derive(Default)]
pub(crate) struct Values {
    pub(crate) strings: BTreeMap<String, Vec<u8>>,
    pub(crate) numbers: BTreeMap<String, i128>,
}

impl Values {
    /// Forgets what `--enable-var-scope` forgets at a label: everything without a `$`.
    pub(crate) fn clear_local(&mut self) {
        self.strings.retain(|name, _| name.starts_with('$'));
        self.numbers.retain(|name, _| name.starts_with('$'));
    }
}

/// Names defined by the directives parsed so far.
#[derive(Default)]
pub(crate) struct Definitions {
    pub(crate) strings: Vec<String>,
    pub(crate) formats: BTreeMap<String, Format>,
}

/// What changes how pattern text is read.
pub(crate) struct Syntax {
    pub(crate) literal: bool,
    pub(crate) full_lines: bool,
    pub(crate) strict_whitespace: bool,
    pub(crate) ignore_case: bool,
}

/// A pattern: either a fixed string or a sequence of pieces.
pub(crate) struct Pattern {
    /// The line of the check file, for messages; 0 for a pattern from the command line.
    pub(crate) line: usize,
    source: String,
    fixed: Option<Vec<u8>>,
    ignore_case: bool,
    pieces: Vec<Piece>,
    n_groups: usize,
    /// The program of a pattern without substitutions, which is always the same.
    program: OnceCell<Program>,
}

enum Piece {
    Node(Node),
    /// `[[NAME:regex]]`; the node is the capture group.
    Define {
        name: String,
        group: usize,
        node: Node,
    },
    /// `[[NAME]]` of an earlier directive.
    Use(String),
    /// `[[#...]]`; `group` is there with a definition.
    Number {
        block: Block,
        group: Option<usize>,
        wildcard: Node,
    },
}

/// Where a pattern matched, relative to the text searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Match {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Pattern {
    /// A `CHECK-EMPTY` pattern. Its match begins after the line break that it requires.
    pub(crate) fn empty_line(line: usize) -> Self {
        let nodes = vec![Node::Byte(b'\n'), Node::LineEnd];
        Self {
            pieces: vec![Piece::Node(Node::Concat(nodes))],
            ..Self::new(line, "")
        }
    }

    fn new(line: usize, source: &str) -> Self {
        Self {
            line,
            source: source.to_string(),
            fixed: None,
            ignore_case: false,
            pieces: Vec::new(),
            n_groups: 1,
            program: OnceCell::new(),
        }
    }

    /// Parses the text of a directive on `line`.
    pub(crate) fn parse(
        text: &str,
        line: usize,
        syntax: &Syntax,
        definitions: &mut Definitions,
    ) -> Result<Self, String> {
        if text.is_empty() {
            return Err("found empty check string".into());
        }
        let mut pattern = Self::new(line, text);
        pattern.ignore_case = syntax.ignore_case;
        let plain = !text.contains("{{") && !text.contains("[[");
        if syntax.literal || (plain && !syntax.full_lines) {
            pattern.fixed = Some(text.as_bytes().to_vec());
            return Ok(pattern);
        }
        let blanks = Node::Repeat {
            body: Box::new(Node::Byte(b' ')),
            min: 0,
            max: None,
        };
        if syntax.full_lines {
            pattern.pieces.push(Piece::Node(Node::LineStart));
            if !syntax.strict_whitespace {
                pattern.pieces.push(Piece::Node(blanks.clone()));
            }
        }
        pattern.parse_pieces(text, definitions)?;
        if syntax.full_lines {
            if !syntax.strict_whitespace {
                pattern.pieces.push(Piece::Node(blanks));
            }
            pattern.pieces.push(Piece::Node(Node::LineEnd));
        }
        Ok(pattern)
    }

    fn parse_pieces(
        &mut self,
        mut text: &str,
        definitions: &mut Definitions,
    ) -> Result<(), String> {
        let mut numbers_here = Vec::new();
        while !text.is_empty() {
            if let Some(rest) = text.strip_prefix("{{") {
                let end = rest
                    .find("}}")
                    .ok_or("found start of regex string with no end '}}'")?;
                // An alternation must not reach over the text around it. Upstream groups when a
                // bar comes anywhere later, and so the groups are numbered that way.
                let group = text.contains('|').then(|| self.new_group());
                let node = self.parse_regex(&rest[..end])?;
                self.pieces.push(Piece::Node(match group {
                    Some(group) => Node::Group(group, Box::new(node)),
                    None => node,
                }));
                text = &rest[end + 2..];
            } else if text.starts_with("[[") && !text.starts_with("[[[") {
                let rest = &text[2..];
                let end = block_end(rest)?;
                match rest[..end].strip_prefix('#') {
                    Some(block) => {
                        self.parse_number(block, false, &mut numbers_here, definitions)?
                    }
                    None if rest.starts_with('@') => {
                        self.parse_number(&rest[..end], true, &mut numbers_here, definitions)?;
                    }
                    None => self.parse_string(&rest[..end], definitions)?,
                }
                text = &rest[end + 2..];
            } else {
                // The first character is ordinary even if it is a bracket (of three).
                let first = text.chars().next().map_or(1, char::len_utf8);
                let next = |special: &str| text[first..].find(special).map(|at| first + at);
                let end = [next("{{"), next("[[")].into_iter().flatten().min();
                let (literal, rest) = text.split_at(end.unwrap_or(text.len()));
                self.pieces
                    .push(Piece::Node(Node::literal(literal.as_bytes())));
                text = rest;
            }
        }
        Ok(())
    }

    fn new_group(&mut self) -> usize {
        self.n_groups += 1;
        self.n_groups - 1
    }

    fn parse_regex(&mut self, source: &str) -> Result<Node, String> {
        ere::parse(source.as_bytes(), &mut self.n_groups)
            .map_err(|error| format!("invalid regex: {error}"))
    }

    /// Parses `NAME:regex` or `NAME`.
    fn parse_string(&mut self, text: &str, definitions: &mut Definitions) -> Result<(), String> {
        let name_text = text.split(':').next().unwrap_or(text);
        if name_text.contains([' ', '\t']) {
            return Err("unexpected whitespace".into());
        }
        let (name, rest) = numeric::split_variable(text)?;
        if let Some(regex) = rest.strip_prefix(':') {
            if definitions.formats.contains_key(name) {
                return Err(format!(
                    "numeric variable with name '{name}' already exists"
                ));
            }
            definitions.strings.push(name.to_string());
            let group = self.new_group();
            let body = if regex.is_empty() {
                Node::Empty
            } else {
                self.parse_regex(regex)?
            };
            let node = Node::Group(group, Box::new(body));
            self.pieces.push(Piece::Define {
                name: name.to_string(),
                group,
                node,
            });
            return Ok(());
        }
        if !rest.is_empty() {
            let role = if text.contains(':') {
                "definition"
            } else {
                "use"
            };
            return Err(format!("invalid name in string variable {role}"));
        }
        let defined_here = self.pieces.iter().rev().find_map(|piece| match piece {
            Piece::Define {
                name: defined,
                group,
                ..
            } if defined == name => Some(*group),
            _ => None,
        });
        self.pieces.push(match defined_here {
            Some(group) => Piece::Node(Node::Backref(group)),
            None => Piece::Use(name.to_string()),
        });
        Ok(())
    }

    fn parse_number(
        &mut self,
        text: &str,
        legacy_line: bool,
        numbers_here: &mut Vec<String>,
        definitions: &mut Definitions,
    ) -> Result<(), String> {
        let cx = numeric::Context {
            formats: &definitions.formats,
            defined_here: numbers_here,
            line: (self.line > 0).then_some(self.line),
        };
        let block = if legacy_line {
            numeric::parse_legacy_line(text, &cx)?
        } else {
            numeric::parse_block(text, &cx)?
        };
        let mut group = None;
        if let Some(name) = &block.definition {
            if definitions.strings.contains(name) {
                return Err(format!("string variable with name '{name}' already exists"));
            }
            definitions.formats.insert(name.clone(), block.format);
            numbers_here.push(name.clone());
            group = Some(self.new_group());
        }
        let wildcard = match &block.expr {
            Some(_) => Node::Empty,
            None => self.parse_regex(&block.format.wildcard())?,
        };
        self.pieces.push(Piece::Number {
            block,
            group,
            wildcard,
        });
        Ok(())
    }

    /// Whether the pattern defines or uses a variable.
    pub(crate) fn has_variable(&self) -> bool {
        self.pieces
            .iter()
            .any(|piece| !matches!(piece, Piece::Node(_)))
    }

    /// The pattern as written.
    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// The first match in `text`; stores the variables that it defines. An error means that the
    /// pattern itself is at fault, an undefined variable above all.
    pub(crate) fn find(&self, text: &[u8], values: &mut Values) -> Result<Option<Match>, String> {
        if let Some(fixed) = &self.fixed {
            let start = text.windows(fixed.len()).position(|window| {
                window == fixed || (self.ignore_case && window.eq_ignore_ascii_case(fixed))
            });
            return Ok(start.map(|start| Match {
                start,
                end: start + fixed.len(),
            }));
        }
        let fresh;
        let program = match self.program.get() {
            Some(program) => program,
            None => {
                let node = self.instantiate(values)?;
                fresh = Program::new(&node, self.n_groups, self.ignore_case)?;
                if self.substitutes() {
                    &fresh
                } else {
                    self.program.get_or_init(|| fresh)
                }
            }
        };
        let Some(groups) = program.find(text)? else {
            return Ok(None);
        };
        self.store(text, &groups, values)?;
        let (start, end) = groups[0].expect("group 0 is the match");
        Ok(Some(Match { start, end }))
    }

    fn substitutes(&self) -> bool {
        self.pieces.iter().any(|piece| {
            matches!(piece, Piece::Use(_))
                || matches!(piece, Piece::Number { block, .. } if block.expr.is_some())
        })
    }

    /// The expression to match with the current values filled in.
    fn instantiate(&self, values: &Values) -> Result<Node, String> {
        let mut nodes = Vec::new();
        let mut undefined = Vec::new();
        for piece in &self.pieces {
            nodes.push(match piece {
                Piece::Node(node) | Piece::Define { node, .. } => node.clone(),
                Piece::Use(name) => match values.strings.get(name) {
                    Some(value) => Node::literal(value),
                    None => {
                        undefined.push(name.clone());
                        Node::Empty
                    }
                },
                Piece::Number {
                    block,
                    group,
                    wildcard,
                } => {
                    let body = match block.expr.as_ref().map(|expr| number(expr, block, values)) {
                        None => wildcard.clone(),
                        Some(Ok(number)) => Node::literal(number.as_bytes()),
                        Some(Err(EvalError::Undefined(name))) => {
                            undefined.push(name);
                            Node::Empty
                        }
                        Some(Err(EvalError::Overflow)) => {
                            return Err("unable to substitute variable or numeric expression: \
                                        overflow error"
                                .into());
                        }
                    };
                    match group {
                        Some(group) => Node::Group(*group, Box::new(body)),
                        None => body,
                    }
                }
            });
        }
        if undefined.is_empty() {
            Ok(Node::Concat(nodes))
        } else {
            Err(format!("undefined variable: {}", undefined.join(", ")))
        }
    }

    fn store(&self, text: &[u8], groups: &Groups, values: &mut Values) -> Result<(), String> {
        let matched = |group: usize| {
            let (start, end) = groups[group].expect("a definition is not inside an alternation");
            &text[start..end]
        };
        for piece in &self.pieces {
            match piece {
                Piece::Define { name, group, .. } => {
                    values
                        .strings
                        .insert(name.clone(), matched(*group).to_vec());
                }
                Piece::Number {
                    block,
                    group: Some(group),
                    ..
                } => {
                    let digits = String::from_utf8_lossy(matched(*group));
                    let number = block.format.read(&digits);
                    let number = number.ok_or_else(|| format!("number too large: {digits}"))?;
                    let name = block
                        .definition
                        .clone()
                        .expect("a group means a definition");
                    values.numbers.insert(name, number);
                }
                Piece::Node(_) | Piece::Use(_) | Piece::Number { .. } => {}
            }
        }
        Ok(())
    }

    /// The values that the pattern substitutes, for messages: `"NAME" equal to "value"`.
    pub(crate) fn substitutions(&self, values: &Values) -> Vec<String> {
        let mut notes = Vec::new();
        for piece in &self.pieces {
            match piece {
                Piece::Use(name) => {
                    if let Some(value) = values.strings.get(name) {
                        let value = String::from_utf8_lossy(value);
                        notes.push(format!("with \"{name}\" equal to \"{value}\""));
                    }
                }
                Piece::Number {
                    block:
                        block @ Block {
                            expr: Some(expr), ..
                        },
                    ..
                } => {
                    if let (Ok(value), Expr::Variable(_) | Expr::Binary(..)) =
                        (number(expr, block, values), expr)
                    {
                        notes.push(format!("with a numeric expression equal to \"{value}\""));
                    }
                }
                Piece::Node(_) | Piece::Define { .. } | Piece::Number { .. } => {}
            }
        }
        notes
    }

    /// The pattern's text with the values of variables filled in where they are known: what a line
    /// that almost matches looks like.
    pub(crate) fn example(&self, values: &Values) -> Vec<u8> {
        let mut example = self.source.clone();
        for piece in &self.pieces {
            if let Piece::Use(name) = piece
                && let Some(value) = values.strings.get(name)
            {
                let value = String::from_utf8_lossy(value);
                example = example.replace(&format!("[[{name}]]"), &value);
            }
        }
        example.into_bytes()
    }
}

fn number(expr: &Expr, block: &Block, values: &Values) -> Result<String, EvalError> {
    let value = expr.evaluate(&values.numbers)?;
    block.format.print(value).ok_or(EvalError::Overflow)
}

/// Where the `]]` that ends a substitution block stands; brackets inside nest, as in `[[X:[a-z]+]]`.
fn block_end(text: &str) -> Result<usize, String> {
    let bytes = text.as_bytes();
    let mut depth = 0;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b']' if depth == 0 && bytes[at..].starts_with(b"]]") => return Ok(at),
            b']' if depth == 0 => return Err("missing closing \"]\" for regex variable".into()),
            b']' => depth -= 1,
            b'[' => depth += 1,
            b'\\' => at += 1,
            _ => {}
        }
        at += 1;
    }
    Err("Invalid substitution block, no ]] found".into())
}
