//! The part of the shell language that RUN lines may use: words with quotes, `|`, `&&`, `;` and
//! redirections. Anything else a shell would expand is an error rather than taken literally.

/// Pipelines that run one after the other; the first that fails ends the list.
pub(crate) type Script = Vec<Vec<Command>>;

/// One command of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Command {
    pub(crate) words: Vec<String>,
    pub(crate) stdin: Option<String>,
    pub(crate) stdout: Target,
    pub(crate) stderr: Target,
}

/// Where a stream goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// To the next command of the pipeline, or nowhere at its end.
    Pipe,
    /// To the report of a failing test.
    Report,
    File {
        path: String,
        append: bool,
    },
}

/// Parses a command line.
pub(crate) fn parse(line: &str) -> Result<Script, String> {
    let mut script = Vec::new();
    let mut pipeline = Vec::new();
    let mut command = Command::new();
    let mut tokens = tokenize(line)?.into_iter();
    while let Some(token) = tokens.next() {
        match token {
            Token::Word(word) => command.words.push(word),
            Token::Operator("|") => pipeline.push(command.finish()?),
            Token::Operator("&&" | ";") => {
                pipeline.push(command.finish()?);
                script.push(std::mem::take(&mut pipeline));
            }
            Token::Operator("2>&1") => command.stderr = command.stdout.clone(),
            Token::Operator(redirection) => {
                let Some(Token::Word(path)) = tokens.next() else {
                    return Err(format!("expected a file after '{redirection}'"));
                };
                let append = redirection.ends_with(">>");
                match redirection {
                    "<" => command.stdin = Some(path),
                    ">" | ">>" => command.stdout = Target::File { path, append },
                    "2>" | "2>>" => command.stderr = Target::File { path, append },
                    "&>" => {
                        command.stdout = Target::File { path, append };
                        command.stderr = command.stdout.clone();
                    }
                    _ => unreachable!("tokenize() makes no operator '{redirection}'"),
                }
            }
        }
    }
    pipeline.push(command.finish()?);
    script.push(pipeline);
    Ok(script)
}

impl Command {
    fn new() -> Self {
        Self {
            words: Vec::new(),
            stdin: None,
            stdout: Target::Pipe,
            stderr: Target::Report,
        }
    }

    /// Takes the command out and leaves an empty one to fill.
    fn finish(&mut self) -> Result<Self, String> {
        if self.words.is_empty() {
            return Err("expected a command".into());
        }
        Ok(std::mem::replace(self, Self::new()))
    }
}

enum Token {
    Word(String),
    Operator(&'static str),
}

/// Longer operators come before their prefixes.
const OPERATORS: [&str; 9] = ["&&", "&>", ";", "|", "2>&1", "2>>", "2>", ">>", ">"];

fn tokenize(line: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let operator = OPERATORS
            .into_iter()
            .chain(["<"])
            .find(|op| rest.starts_with(op));
        if let Some(operator) = operator {
            tokens.push(Token::Operator(operator));
            rest = &rest[operator.len()..];
        } else if matches!(
            first,
            '$' | '`' | '(' | ')' | '*' | '?' | '#' | '&' | '~' | '{' | '}'
        ) {
            return Err(format!(
                "quote '{first}': RUN lines are not expanded by a shell"
            ));
        } else {
            let (word, after) = word(rest)?;
            tokens.push(Token::Word(word));
            rest = after;
        }
        rest = rest.trim_start();
    }
    Ok(tokens)
}

/// Reads a word, which may be quoted as a whole or in parts.
fn word(text: &str) -> Result<(String, &str), String> {
    let mut word = String::new();
    let mut characters = text.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            ' ' | '\t' | '|' | ';' | '<' | '>' | '&' => return Ok((word, &text[at..])),
            '$' | '`' | '(' | ')' | '*' | '?' => {
                return Err(format!(
                    "quote '{c}': RUN lines are not expanded by a shell"
                ));
            }
            '\\' => word.extend(characters.next().map(|(_, escaped)| escaped)),
            '\'' | '"' => loop {
                match characters.next() {
                    None => return Err(format!("missing closing {c}")),
                    Some((_, end)) if end == c => break,
                    Some((_, '\\')) if c == '"' => {
                        word.extend(characters.next().map(|(_, escaped)| escaped));
                    }
                    Some((_, inner)) => word.push(inner),
                }
            },
            _ => word.push(c),
        }
    }
    Ok((word, ""))
}
