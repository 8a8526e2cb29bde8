//! The lexer: text to tokens, one at a time and without allocation.
//!
//! MLIR's tokens depend on context: `4x8xf32` and `0x1F` begin alike, and the
//! body of `!dialect<...>` is free text. So the lexer can be restarted at any
//! byte ([`Lexer::set_position`]); a token is a kind and a byte range.

/// What a token is. Keywords and integer types are [`TokenKind::BareId`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// The end of the text.
    Eof,
    /// Not a token; [`Lexer::take_error`] says why.
    Error,
    /// `name`, `memref.alloc`, `i32`
    BareId,
    /// `@name`, `@"text"`
    AtId,
    /// `#name`, `#0`
    HashId,
    /// `%name`, `%0`
    PercentId,
    /// `^name`
    CaretId,
    /// `!name`
    ExclaimId,
    /// `1.5e3`
    Float,
    /// `12`, `0xFF`
    Integer,
    /// `"text"`
    String,
    /// `->`
    Arrow,
    /// `:`
    Colon,
    /// `,`
    Comma,
    /// `...`
    Ellipsis,
    /// `=`
    Equal,
    /// `>`
    Greater,
    /// `{`
    LBrace,
    /// `(`
    LParen,
    /// `[`
    LSquare,
    /// `<`
    Less,
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `?`
    Question,
    /// `}`
    RBrace,
    /// `)`
    RParen,
    /// `]`
    RSquare,
    /// `*`
    Star,
    /// `|`
    VerticalBar,
    /// `{-#`
    MetadataBegin,
    /// `#-}`
    MetadataEnd,
}

/// A token: its kind and the bytes it takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// Reads tokens from a text. See the module doc.
#[derive(Debug)]
pub(crate) struct Lexer<'a> {
    text: &'a str,
    position: usize,
    error: Option<(usize, &'static str)>,
}

/// Bytes of an identifier after its first: letters, digits, `_`, `$`, `.`.
const fn is_id_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

/// Bytes of the identifier after a sigil: those and `-`.
const fn is_suffix_byte(byte: u8) -> bool {
    is_id_byte(byte) || byte == b'-'
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            text,
            position: 0,
            error: None,
        }
    }

    /// Makes the next token begin at or after byte `position`.
    pub(crate) fn set_position(&mut self, position: usize) {
        self.position = position;
    }

    /// Why the last token was [`TokenKind::Error`], and at which byte.
    pub(crate) fn take_error(&mut self) -> Option<(usize, &'static str)> {
        self.error.take()
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    fn skip_while(&mut self, accept: fn(u8) -> bool) {
        let rest = &self.text.as_bytes()[self.position..];
        let n = rest.iter().position(|&byte| !accept(byte));
        self.position += n.unwrap_or(rest.len());
    }

    fn fail(&mut self, at: usize, message: &'static str) -> TokenKind {
        self.error = Some((at, message));
        TokenKind::Error
    }

    /// The next token. After the end of the text it is always [`TokenKind::Eof`].
    pub(crate) fn next_token(&mut self) -> Token {
        self.skip_blanks();
        let start = self.position;
        let kind = match self.text.as_bytes().get(start) {
            None => TokenKind::Eof,
            Some(&byte) => {
                self.position += 1;
                self.lex(byte, start)
            }
        };
        Token {
            kind,
            start: start as u32,
            end: self.position as u32,
        }
    }

    /// Skips white space, which NUL counts as, and comments.
    fn skip_blanks(&mut self) {
        loop {
            self.skip_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0));
            if self.byte(self.position) != b'/' || self.byte(self.position + 1) != b'/' {
                return;
            }
            self.skip_while(|byte| byte != b'\n' && byte != b'\r');
        }
    }

    /// The token that begins with `byte` at `start`; the position is after it.
    fn lex(&mut self, byte: u8, start: usize) -> TokenKind {
        let next = self.byte(self.position);
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.skip_while(is_id_byte);
                TokenKind::BareId
            }
            b'%' => self.lex_prefixed(TokenKind::PercentId, "invalid SSA name"),
            b'^' => self.lex_prefixed(TokenKind::CaretId, "invalid block name"),
            b'!' => self.lex_prefixed(TokenKind::ExclaimId, "invalid type identifier"),
            b'#' if next == b'-' && self.byte(self.position + 1) == b'}' => {
                self.position += 2;
                TokenKind::MetadataEnd
            }
            b'#' => self.lex_prefixed(TokenKind::HashId, "invalid attribute name"),
            b'@' => self.lex_at(),
            b'"' => self.lex_string(),
            b'0'..=b'9' => self.lex_number(start),
            b':' => TokenKind::Colon,
            b',' => TokenKind::Comma,
            b'=' => TokenKind::Equal,
            b'<' => TokenKind::Less,
            b'>' => TokenKind::Greater,
            b'(' => TokenKind::LParen,
            b')' => TokenKind::RParen,
            b'[' => TokenKind::LSquare,
            b']' => TokenKind::RSquare,
            b'}' => TokenKind::RBrace,
            b'{' if next == b'-' && self.byte(self.position + 1) == b'#' => {
                self.position += 2;
                TokenKind::MetadataBegin
            }
            b'{' => TokenKind::LBrace,
            b'?' => TokenKind::Question,
            b'+' => TokenKind::Plus,
            b'*' => TokenKind::Star,
            b'|' => TokenKind::VerticalBar,
            b'-' if next == b'>' => {
                self.position += 1;
                TokenKind::Arrow
            }
            b'-' => TokenKind::Minus,
            b'.' if next == b'.' && self.byte(self.position + 1) == b'.' => {
                self.position += 2;
                TokenKind::Ellipsis
            }
            b'.' => {
                // What dots there are: each would be reported again.
                self.skip_while(|byte| byte == b'.');
                self.fail(start + 1, "expected three consecutive dots for an ellipsis")
            }
            _ => {
                while !self.text.is_char_boundary(self.position) {
                    self.position += 1;
                }
                self.fail(start, "unexpected character")
            }
        }
    }

    /// The rest of `%name`, `#0` and the like.
    fn lex_prefixed(&mut self, kind: TokenKind, message: &'static str) -> TokenKind {
        let first = self.byte(self.position);
        if first.is_ascii_digit() {
            self.skip_while(|byte| byte.is_ascii_digit());
            kind
        } else if is_suffix_byte(first) {
            self.skip_while(is_suffix_byte);
            kind
        } else {
            self.fail(self.position - 1, message)
        }
    }

    /// The rest of `@name` or `@"text"`.
    fn lex_at(&mut self) -> TokenKind {
        match self.byte(self.position) {
            b'"' => {
                self.position += 1;
                match self.lex_string() {
                    TokenKind::String => TokenKind::AtId,
                    error => error,
                }
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.skip_while(is_id_byte);
                TokenKind::AtId
            }
            _ => self.fail(
                self.position,
                "@ identifier expected to start with letter or '_'",
            ),
        }
    }

    /// The rest of a string literal, escapes checked but not replaced.
    fn lex_string(&mut self) -> TokenKind {
        loop {
            self.skip_while(|byte| !matches!(byte, b'"' | b'\\' | b'\n' | 0x0b | 0x0c));
            match self.text.as_bytes().get(self.position) {
                Some(b'"') => {
                    self.position += 1;
                    return TokenKind::String;
                }
                Some(b'\\') => {
                    let escape = self.byte(self.position + 1);
                    if matches!(escape, b'"' | b'\\' | b'n' | b't') {
                        self.position += 2;
                    } else if escape.is_ascii_hexdigit()
                        && self.byte(self.position + 2).is_ascii_hexdigit()
                    {
                        self.position += 3;
                    } else {
                        self.position += 1;
                        return self.fail(self.position - 1, "unknown escape in string literal");
                    }
                }
                _ => return self.fail(self.position, "expected '\"' in string literal"),
            }
        }
    }

    /// The rest of a number that begins at `start`.
    fn lex_number(&mut self, start: usize) -> TokenKind {
        if self.byte(start) == b'0' && self.byte(self.position) == b'x' {
            // `0x` without digits is the number 0 followed by an identifier.
            if self.byte(self.position + 1).is_ascii_hexdigit() {
                self.position += 1;
                self.skip_while(|byte| byte.is_ascii_hexdigit());
            }
            return TokenKind::Integer;
        }
        self.skip_while(|byte| byte.is_ascii_digit());
        if self.byte(self.position) != b'.' {
            return TokenKind::Integer;
        }
        self.position += 1;
        self.skip_while(|byte| byte.is_ascii_digit());
        if matches!(self.byte(self.position), b'e' | b'E') {
            let signed = matches!(self.byte(self.position + 1), b'+' | b'-');
            let digits = self.position + 1 + usize::from(signed);
            if self.byte(digits).is_ascii_digit() {
                self.position = digits;
                self.skip_while(|byte| byte.is_ascii_digit());
            }
        }
        TokenKind::Float
    }
}

/// The value of a string literal given with its quotes.
pub(crate) fn unescape(literal: &str) -> Vec<u8> {
    let inner = literal
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'))
        .unwrap_or(literal)
        .as_bytes();
    let mut out = Vec::with_capacity(inner.len());
    let mut at = 0;
    while at < inner.len() {
        let byte = inner[at];
        at += 1;
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let escape = inner.get(at).copied().unwrap_or(b'\\');
        at += 1;
        out.push(match escape {
            b'n' => b'\n',
            b't' => b'\t',
            b'"' | b'\\' => escape,
            _ => {
                let low = inner.get(at).copied().unwrap_or(b'0');
                at += 1;
                hex_digit(escape) << 4 | hex_digit(low)
            }
        });
    }
    out
}

/// The value of an ASCII hexadecimal digit.
pub(crate) fn hex_digit(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'f' => byte - b'a' + 10,
        b'A'..=b'F' => byte - b'A' + 10,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(TokenKind, &str)> {
        let mut lexer = Lexer::new(text);
        let mut out = Vec::new();
        loop {
            let token = lexer.next_token();
            if token.kind == TokenKind::Eof {
                return out;
            }
            out.push((token.kind, &text[token.start as usize..token.end as usize]));
        }
    }

    #[test]
    fn splits_numbers_like_upstream() {
        use TokenKind::*;
        assert_eq!(kinds("0x1F"), [(Integer, "0x1F")]);
        assert_eq!(kinds("0xg"), [(Integer, "0"), (BareId, "xg")]);
        assert_eq!(kinds("4x8xf32"), [(Integer, "4"), (BareId, "x8xf32")]);
        assert_eq!(kinds("1.e"), [(Float, "1."), (BareId, "e")]);
        assert_eq!(kinds("1.5e-3"), [(Float, "1.5e-3")]);
    }

    #[test]
    fn survives_any_byte() {
        for text in [
            "\"abc", "\"\\q\"", "%", "@1", "..", "é", "\0", "\"a\0b\"", "@\"", "#-",
        ] {
            let mut lexer = Lexer::new(text);
            while lexer.next_token().kind != TokenKind::Eof {}
        }
    }

    #[test]
    fn unescapes() {
        assert_eq!(unescape(r#""a\n\t\"\\\41""#), b"a\n\t\"\\A");
    }
}
