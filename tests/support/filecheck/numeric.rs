//! Numeric substitution blocks: `[[#N:]]`, `[[#N+1]]`, `[[#%.8X, A: mul(B, 2)]]`, `[[@LINE-1]]`.

use std::collections::BTreeMap;

/// How a number is written in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    kind: Kind,
    precision: usize,
    /// A hexadecimal number begins with `0x`.
    alternate: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Unsigned,
    Signed,
    HexLower,
    HexUpper,
}

impl Format {
    pub(crate) const UNSIGNED: Format = Format {
        kind: Kind::Unsigned,
        precision: 0,
        alternate: false,
    };

    fn prefix(self) -> &'static str {
        if self.alternate { "0x" } else { "" }
    }

    /// The regular expression that matches any number of this format.
    pub(crate) fn wildcard(self) -> String {
        let (sign, digit, first) = match self.kind {
            Kind::Unsigned => ("", "0-9", "1-9"),
            Kind::Signed => ("-?", "0-9", "1-9"),
            Kind::HexLower => ("", "0-9a-f", "1-9a-f"),
            Kind::HexUpper => ("", "0-9A-F", "1-9A-F"),
        };
        let prefix = self.prefix();
        match self.precision {
            0 => format!("{prefix}{sign}[{digit}]+"),
            precision => format!("{prefix}{sign}([{first}][{digit}]*)?[{digit}]{{{precision}}}"),
        }
    }

    /// `value` in this format; `None` for a negative number in an unsigned one.
    pub(crate) fn print(self, value: i128) -> Option<String> {
        if value < 0 && self.kind != Kind::Signed {
            return None;
        }
        let magnitude = value.unsigned_abs();
        let digits = match self.kind {
            Kind::Unsigned | Kind::Signed => format!("{magnitude}"),
            Kind::HexLower => format!("{magnitude:x}"),
            Kind::HexUpper => format!("{magnitude:X}"),
        };
        let sign = if value < 0 { "-" } else { "" };
        Some(format!(
            "{sign}{}{digits:0>width$}",
            self.prefix(),
            width = self.precision
        ))
    }

    /// Reads what [`Format::wildcard`] matched; `None` when it does not fit.
    pub(crate) fn read(self, text: &str) -> Option<i128> {
        let radix = match self.kind {
            Kind::Unsigned | Kind::Signed => 10,
            Kind::HexLower | Kind::HexUpper => 16,
        };
        i128::from_str_radix(text.strip_prefix(self.prefix())?, radix).ok()
    }
}

/// An expression over numeric variables.
#[derive(Clone, Debug)]
pub(crate) enum Expr {
    Literal(i128),
    /// `@LINE` is resolved when parsing, so this is always a named variable.
    Variable(String),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
}

type BinaryOp = fn(i128, i128) -> Option<i128>;

/// Why an expression has no value.
pub(crate) enum EvalError {
    Undefined(String),
    Overflow,
}

impl Expr {
    pub(crate) fn evaluate(&self, values: &BTreeMap<String, i128>) -> Result<i128, EvalError> {
        match self {
            Expr::Literal(value) => Ok(*value),
            Expr::Variable(name) => values
                .get(name)
                .copied()
                .ok_or_else(|| EvalError::Undefined(name.clone())),
            Expr::Binary(op, lhs, rhs) => {
                op(lhs.evaluate(values)?, rhs.evaluate(values)?).ok_or(EvalError::Overflow)
            }
        }
    }
}

/// What the parser must know of the directives before.
pub(crate) struct Context<'a> {
    /// Numeric variables defined so far, with the format of their definition.
    pub(crate) formats: &'a BTreeMap<String, Format>,
    /// Numeric variables that the same directive has defined already.
    pub(crate) defined_here: &'a [String],
    /// The value of `@LINE`; `None` on the command line.
    pub(crate) line: Option<usize>,
}

/// A parsed block: without `expr` any number matches; with both, the number must be `expr` and is
/// then stored.
pub(crate) struct Block {
    pub(crate) definition: Option<String>,
    pub(crate) expr: Option<Expr>,
    pub(crate) format: Format,
}

/// Parses what stands between `[[#` and `]]`.
pub(crate) fn parse_block(mut text: &str, cx: &Context) -> Result<Block, String> {
    let mut explicit = None;
    // A comma is also the separator of arguments, hence the look at the parenthesis.
    if let Some(comma) = text
        .find(',')
        .filter(|&comma| text.find('(').is_none_or(|p| comma < p))
    {
        explicit = parse_format(text[..comma].trim_matches(SPACES))?;
        text = &text[comma + 1..];
    }
    let mut definition = None;
    if let Some(colon) = text.find(':') {
        let (name, rest) = split_variable(text[..colon].trim_start_matches(SPACES))?;
        if name.starts_with('@') {
            return Err("definition of pseudo numeric variable unsupported".into());
        }
        if !rest.trim_start_matches(SPACES).is_empty() {
            return Err("unexpected characters after numeric variable name".into());
        }
        definition = Some(name.to_string());
        text = &text[colon + 1..];
    }
    let text = text.trim_matches(SPACES);
    let body = text
        .strip_prefix("==")
        .map(|body| body.trim_start_matches(SPACES));
    let (expr, implicit) = match body.unwrap_or(text) {
        "" if body.is_some() => {
            return Err("empty numeric expression should not have a constraint".into());
        }
        "" => (None, None),
        body => {
            let mut parser = Parser { rest: body, cx };
            let (expr, format) = parser.expression(&[])?;
            (Some(expr), format)
        }
    };
    let format = explicit.or(implicit).unwrap_or(Format::UNSIGNED);
    if let Some(name) = &definition
        && cx
            .formats
            .get(name)
            .is_some_and(|earlier| *earlier != format)
    {
        return Err("format different from previous variable definition".into());
    }
    Ok(Block {
        definition,
        expr,
        format,
    })
}

/// Parses the older `[[@LINE]]`, `[[@LINE+n]]` and `[[@LINE-n]]`.
pub(crate) fn parse_legacy_line(text: &str, cx: &Context) -> Result<Block, String> {
    let well_formed = text.strip_prefix("@LINE").is_some_and(|rest| {
        rest.is_empty()
            || rest.strip_prefix(['+', '-']).is_some_and(|number| {
                !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
            })
    });
    if !well_formed {
        return Err(format!(
            "invalid pseudo numeric variable expression '{text}'"
        ));
    }
    parse_block(text, cx)
}

/// Splits `text` after the variable name it begins with: `[$@]?[A-Za-z_][A-Za-z0-9_]*`.
pub(crate) fn split_variable(text: &str) -> Result<(&str, &str), String> {
    if text.is_empty() {
        return Err("empty variable name".into());
    }
    let sigil = usize::from(text.starts_with(['$', '@']));
    let name = &text[sigil..];
    match name.bytes().next() {
        None => Err("empty variable name".into()),
        Some(b'_' | b'a'..=b'z' | b'A'..=b'Z') => {
            let is_name = |c: char| c == '_' || c.is_ascii_alphanumeric();
            let end = name.find(|c| !is_name(c)).unwrap_or(name.len());
            Ok(text.split_at(sigil + end))
        }
        Some(_) => Err("invalid variable name".into()),
    }
}

const SPACES: &[char] = &[' ', '\t'];

/// Parses `%u`, `%d`, `%x`, `%X` with `#` and `.precision`; a lone `%` says nothing.
fn parse_format(text: &str) -> Result<Option<Format>, String> {
    const INVALID: &str = "invalid matching format specification in expression";
    let text = text.strip_prefix('%').ok_or(INVALID)?;
    let (alternate, text) = match text.strip_prefix('#') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (precision, text) = match text.strip_prefix('.') {
        Some(rest) => {
            let end = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            let precision = rest[..end].parse();
            (
                precision.map_err(|_| "invalid precision in format specifier")?,
                &rest[end..],
            )
        }
        None => (0, text),
    };
    let mut characters = text.chars();
    let kind = match characters.next() {
        None => None,
        Some('u') => Some(Kind::Unsigned),
        Some('d') => Some(Kind::Signed),
        Some('x') => Some(Kind::HexLower),
        Some('X') => Some(Kind::HexUpper),
        Some(_) => return Err("invalid format specifier in expression".into()),
    };
    if alternate && !matches!(kind, Some(Kind::HexLower | Kind::HexUpper)) {
        return Err("alternate form only supported for hex values".into());
    }
    if !characters.as_str().is_empty() {
        return Err(INVALID.into());
    }
    // A precision without a kind applies to unsigned numbers.
    Ok(match kind {
        Some(kind) => Some(Format {
            kind,
            precision,
            alternate,
        }),
        None if precision > 0 => Some(Format {
            precision,
            ..Format::UNSIGNED
        }),
        None => None,
    })
}

struct Parser<'a> {
    rest: &'a str,
    cx: &'a Context<'a>,
}

/// An expression and the format of the variables in it, if it has any.
type Typed = (Expr, Option<Format>);

impl<'a> Parser<'a> {
    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start_matches(SPACES);
    }

    /// Operands joined by `+` and `-`, up to the end or one of the characters in `stop`.
    fn expression(&mut self, stop: &[char]) -> Result<Typed, String> {
        let (mut expr, mut format) = self.operand()?;
        loop {
            self.skip_spaces();
            let Some(operator) = self.rest.chars().next().filter(|c| !stop.contains(c)) else {
                return Ok((expr, format));
            };
            let op: BinaryOp = match operator {
                '+' => i128::checked_add,
                '-' => i128::checked_sub,
                _ => return Err(format!("unsupported operation '{operator}'")),
            };
            self.rest = &self.rest[1..];
            self.skip_spaces();
            if self.rest.is_empty() {
                return Err("missing operand in expression".into());
            }
            let (rhs, rhs_format) = self.operand()?;
            format = join(format, rhs_format)?;
            expr = Expr::Binary(op, Box::new(expr), Box::new(rhs));
        }
    }

    fn operand(&mut self) -> Result<Typed, String> {
        if let Some(rest) = self.rest.strip_prefix('(') {
            self.rest = rest;
            self.skip_spaces();
            let inner = self.expression(&[')'])?;
            self.rest = self
                .rest
                .strip_prefix(')')
                .ok_or("missing ')' at end of nested expression")?;
            return Ok(inner);
        }
        if let Ok((name, rest)) = split_variable(self.rest) {
            self.rest = rest;
            return match rest.trim_start_matches(SPACES).strip_prefix('(') {
                Some(arguments) => {
                    self.rest = arguments;
                    self.call(name)
                }
                None => self.variable(name),
            };
        }
        self.literal()
    }

    fn variable(&self, name: &str) -> Result<Typed, String> {
        if name.starts_with('@') {
            return match self.cx.line {
                Some(line) if name == "@LINE" => {
                    Ok((Expr::Literal(line as i128), Some(Format::UNSIGNED)))
                }
                _ => Err(format!("invalid pseudo numeric variable '{name}'")),
            };
        }
        if self.cx.defined_here.iter().any(|defined| defined == name) {
            return Err(format!(
                "numeric variable '{name}' defined earlier in the same CHECK directive"
            ));
        }
        let format = self
            .cx
            .formats
            .get(name)
            .copied()
            .unwrap_or(Format::UNSIGNED);
        Ok((Expr::Variable(name.to_string()), Some(format)))
    }

    fn call(&mut self, function: &str) -> Result<Typed, String> {
        let op: BinaryOp = match function {
            "add" => i128::checked_add,
            "sub" => i128::checked_sub,
            "mul" => i128::checked_mul,
            "div" => i128::checked_div,
            "max" => |lhs, rhs| Some(lhs.max(rhs)),
            "min" => |lhs, rhs| Some(lhs.min(rhs)),
            _ => return Err(format!("call to undefined function '{function}'")),
        };
        let mut arguments = Vec::new();
        loop {
            self.skip_spaces();
            if self.rest.starts_with([',', ')'])
                && !(arguments.is_empty() && self.rest.starts_with(')'))
            {
                return Err("missing argument".into());
            }
            if self.rest.is_empty() || self.rest.starts_with(')') {
                break;
            }
            arguments.push(self.expression(&[',', ')'])?);
            match self.rest.strip_prefix(',') {
                Some(rest) => self.rest = rest,
                None => break,
            }
        }
        self.rest = self
            .rest
            .strip_prefix(')')
            .ok_or("missing ')' at end of call expression")?;
        let n_arguments = arguments.len();
        let Ok([(lhs, lhs_format), (rhs, rhs_format)]) = <[Typed; 2]>::try_from(arguments) else {
            return Err(format!(
                "function '{function}' takes 2 arguments but {n_arguments} given"
            ));
        };
        let format = join(lhs_format, rhs_format)?;
        Ok((Expr::Binary(op, Box::new(lhs), Box::new(rhs)), format))
    }

    fn literal(&mut self) -> Result<Typed, String> {
        let unsigned = self.rest.strip_prefix('-').unwrap_or(self.rest);
        let negative = unsigned.len() < self.rest.len();
        let lower = unsigned.to_ascii_lowercase();
        let (radix, skipped) = match lower.as_bytes() {
            [b'0', b'x', ..] => (16, 2),
            [b'0', b'b', ..] => (2, 2),
            [b'0', b'o', ..] => (8, 2),
            [b'0', b'0'..=b'9', ..] => (8, 1),
            _ => (10, 0),
        };
        let digits = &unsigned[skipped..];
        let end = digits
            .find(|c: char| !c.is_digit(radix))
            .unwrap_or(digits.len());
        let value = i128::from_str_radix(&digits[..end], radix)
            .map_err(|_| "invalid matching constraint or operand format")?;
        self.rest = &digits[end..];
        Ok((Expr::Literal(if negative { -value } else { value }), None))
    }
}

fn join(lhs: Option<Format>, rhs: Option<Format>) -> Result<Option<Format>, String> {
    match (lhs, rhs) {
        (Some(lhs), Some(rhs)) if lhs != rhs => {
            Err("implicit format conflict, need an explicit format specifier".into())
        }
        (lhs, rhs) => Ok(lhs.or(rhs)),
    }
}
