//! The parser: recursive descent over the tokens of one source.
//!
//! `parse_x` must find an `x` or reports and fails; `parse_opt_x` consumes
//! nothing when there is none. [`Parser`] is all of it: the parse functions
//! of dialects ([`ParseFn`](crate::ir::op_def::ParseFn)) get it to read the custom
//! form of their operation with the methods in `assembly.rs`; the other files
//! read one part of the language each.
//!
//! An operation that does not parse is reported and skipped, so one run shows
//! several errors.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::lexer::{Lexer, Token, TokenKind};
use crate::ir::asm::Delimiter;
use crate::ir::attrs::Attr;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::{Diagnostics, Failed};
use crate::ir::entities::{Block, Region};
use crate::ir::location::{Loc, SourceFile};
use crate::ir::names::Name;
use crate::ir::types::Type;

mod affine;
mod assembly;
mod attrs;
mod dense;
mod dialect_text;
mod foreign;
mod locations;
pub(crate) mod numbers;
mod ops;
mod regions;
mod resources;
mod scopes;
mod source;
mod types;

use dialect_text::{dialect_body, is_known_dialect};
pub(crate) use foreign::advice;
use source::Alias;
pub use source::parse_source;
pub(crate) use source::{parse_attr_text, parse_type_text, unwrap_single_module};

/// How deep operations, types, attributes and affine expressions may nest, all
/// together. What a program needs is far less; a debug build gets this far on
/// a stack of eight megabytes.
const MAX_DEPTH: u32 = 1000;
/// Parsing goes on after this many errors no more.
const MAX_ERRORS: usize = 100;

/// What the parser knows of the operation it is in.
#[derive(Clone, Copy)]
struct Frame<'a> {
    /// Full name for messages; empty outside of custom forms.
    name: &'a str,
    name_loc: Loc,
    n_result_names: usize,
    /// Where its regions begin in `Parser::pending_regions`.
    first_region: usize,
}

/// What the parse function of an operation reads from. See the module doc.
pub struct Parser<'a> {
    context: &'a Arc<Context>,
    file: &'a SourceFile,
    text: &'a str,
    diagnostics: &'a mut Diagnostics,
    lexer: Lexer<'a>,
    token: Token,
    /// The end of the token before.
    last_end: u32,
    /// Braces opened and not closed by the tokens consumed so far.
    brace_depth: i32,
    depth: u32,
    n_errors: usize,
    /// Whether tokens are skipped after an error: errors in them do not matter.
    skipping: bool,
    /// Whether an error listed the registered dialects: once is enough.
    listed_dialects: bool,
    /// Dialects that are not compiled and whose first operation was reported.
    refused_dialects: Vec<String>,
    /// Unknown operations whose errors said how to declare them.
    undeclared: Vec<String>,
    /// The arena being filled.
    ir: Box<Ir>,
    /// The block that operations are appended to.
    block: Block,
    frame: Frame<'a>,
    /// Regions that are parsed but whose operation is not made yet.
    pending_regions: Vec<Region>,
    scopes: scopes::Scopes<'a>,
    /// The dialect of operation names without a dot.
    default_dialect: &'static str,
    names: FxHashMap<&'a str, Name>,
    attr_aliases: FxHashMap<&'a str, Alias<Attr>>,
    type_aliases: FxHashMap<&'a str, Alias<Type>>,
    /// Types that were read, by their spelling.
    plain_types: FxHashMap<&'a str, Type>,
    /// How many aliases the current alias stands for, by way of others.
    alias_weight: u32,
    distinct_attrs: FxHashMap<u64, Attr>,
    deferred_locs: locations::DeferredLocs<'a>,
    /// Entries of the file metadata, see [`metadata`](super::metadata).
    resources: Vec<Attr>,
}

impl<'a> Parser<'a> {
    // Tokens.

    /// Consumes the current token.
    fn advance(&mut self) {
        match self.token.kind {
            TokenKind::LBrace => self.brace_depth += 1,
            TokenKind::RBrace => self.brace_depth -= 1,
            _ => {}
        }
        self.last_end = self.token.end;
        self.lex();
    }

    /// Makes the token at or after `position` the current one.
    fn restart_at(&mut self, position: u32) {
        self.lexer.set_position(position as usize);
        self.lex();
    }

    fn lex(&mut self) {
        self.token = self.lexer.next_token();
        if self.token.kind == TokenKind::Error
            && let Some((at, message)) = self.lexer.take_error()
            && !self.skipping
        {
            let loc = self.loc_at(at);
            self.push_error(loc, message.to_owned());
        }
    }

    fn at(&self, kind: TokenKind) -> bool {
        self.token.kind == kind
    }

    fn take(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.advance();
        }
        found
    }

    /// Consumes a token of this kind or reports `message`.
    fn expect(&mut self, kind: TokenKind, message: &str) -> Result<(), Failed> {
        if self.take(kind) {
            return Ok(());
        }
        Err(self.wrong_token(message))
    }

    /// The text of the current token.
    fn spelling(&self) -> &'a str {
        self.spelling_of(self.token)
    }

    fn spelling_of(&self, token: Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }

    /// Whether two tokens of this one-byte kind follow each other immediately.
    fn at_double(&self, kind: TokenKind) -> bool {
        let bytes = self.text.as_bytes();
        let start = self.token.start as usize;
        self.at(kind) && bytes.get(start + 1) == Some(&bytes[start])
    }

    /// Whether the current token is this word.
    fn at_word(&self, word: &str) -> bool {
        self.at(TokenKind::BareId) && self.spelling() == word
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.advance();
        }
        found
    }

    /// Whether a token starts where the one before ends.
    fn is_adjacent(&self) -> bool {
        self.token.start == self.last_end
    }

    // Reporting.

    fn loc_at(&self, offset: usize) -> Loc {
        self.file.loc(offset)
    }

    fn token_loc(&self) -> Loc {
        self.loc_at(self.token.start as usize)
    }

    fn push_error(&mut self, loc: Loc, message: String) -> Failed {
        self.n_errors += 1;
        self.diagnostics.error(loc, message)
    }

    /// Reports an error at `loc`, unless the lexer has reported the token.
    fn error_at(&mut self, loc: Loc, message: impl Into<String>) -> Failed {
        if self.at(TokenKind::Error) {
            return Failed;
        }
        self.push_error(loc, message.into())
    }

    /// [`Self::error_at`] with a note.
    fn error_with_note(
        &mut self,
        loc: Loc,
        message: impl Into<String>,
        note_loc: Loc,
        note: &str,
    ) -> Failed {
        if self.at(TokenKind::Error) {
            return Failed;
        }
        let failed = self.push_error(loc, message.into());
        self.diagnostics.note(note_loc, note);
        failed
    }

    /// Reports an error at the current token.
    fn error_here(&mut self, message: impl Into<String>) -> Failed {
        let mut at = self.token.start as usize;
        if self.at(TokenKind::Eof) {
            at = at.saturating_sub(1);
        }
        let loc = self.loc_at(at);
        self.error_at(loc, message)
    }

    /// Reports that something else was expected than the current token: right after the token
    /// before, since the missing one belongs there when the current token begins a line.
    fn wrong_token(&mut self, message: impl Into<String>) -> Failed {
        let mut at = self.token.start as usize;
        if self.at(TokenKind::Eof) {
            at = at.saturating_sub(1);
        }
        // Slices of bytes: the end of the text need not be a character boundary.
        let mut before = &self.text.as_bytes()[..at];
        loop {
            before = before.trim_ascii_end_blanks();
            match before.last() {
                None => break,
                Some(b'\n' | b'\r') => {
                    before = &before[..before.len() - 1];
                    let line_start = before
                        .iter()
                        .rposition(|byte| matches!(byte, b'\n' | b'\r'))
                        .map_or(0, |newline| newline + 1);
                    let comment = before[line_start..]
                        .windows(2)
                        .position(|pair| pair == b"//");
                    if let Some(comment) = comment {
                        before = &before[..line_start + comment];
                    }
                }
                Some(_) => {
                    at = before.len();
                    break;
                }
            }
        }
        let loc = self.loc_at(at);
        self.error_at(loc, message)
    }

    /// Counts one more level of nesting; [`Self::leave`] must follow on success.
    fn enter(&mut self) -> Result<(), Failed> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error_here("nesting is too deep"));
        }
        self.depth += 1;
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Runs `parse` one level deeper.
    fn nested<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Result<T, Failed>,
    ) -> Result<T, Failed> {
        self.enter()?;
        let result = parse(self);
        self.leave();
        result
    }

    /// Interns an identifier of the source.
    fn intern(&mut self, text: &'a str) -> Name {
        let context = self.context;
        *self
            .names
            .entry(text)
            .or_insert_with(|| context.intern_name(text))
    }

    /// Reads `element, element, ...` up to and including `end`.
    fn parse_list_until(
        &mut self,
        end: TokenKind,
        spelling: &str,
        allow_empty: bool,
        element: &mut dyn FnMut(&mut Self) -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        if self.at(end) {
            if !allow_empty {
                return Err(self.wrong_token("expected list element"));
            }
            self.advance();
            return Ok(());
        }
        element(self)?;
        while self.take(TokenKind::Comma) {
            element(self)?;
        }
        if self.take(end) {
            return Ok(());
        }
        Err(self.wrong_token(format!("expected ',' or '{spelling}'")))
    }

    /// Reads `open element, element, ... close`; `what` ends messages: `" in operand list"`.
    fn parse_delimited(
        &mut self,
        delimiter: Delimiter,
        what: &str,
        element: &mut dyn FnMut(&mut Self) -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        let (open, close) = match delimiter {
            Delimiter::None => {
                element(self)?;
                while self.take(TokenKind::Comma) {
                    element(self)?;
                }
                return Ok(());
            }
            Delimiter::Paren | Delimiter::OptionalParen => (TokenKind::LParen, TokenKind::RParen),
            Delimiter::Square | Delimiter::OptionalSquare => {
                (TokenKind::LSquare, TokenKind::RSquare)
            }
            Delimiter::Angle | Delimiter::OptionalAngle => (TokenKind::Less, TokenKind::Greater),
            Delimiter::Brace => (TokenKind::LBrace, TokenKind::RBrace),
        };
        if !self.take(open) {
            return match delimiter {
                Delimiter::OptionalParen | Delimiter::OptionalSquare | Delimiter::OptionalAngle => {
                    Ok(())
                }
                _ => Err(self.wrong_token(format!("expected '{}'{what}", punctuation(open)))),
            };
        }
        if self.take(close) {
            return Ok(());
        }
        element(self)?;
        while self.take(TokenKind::Comma) {
            element(self)?;
        }
        if self.take(close) {
            return Ok(());
        }
        Err(self.wrong_token(format!("expected '{}'{what}", punctuation(close))))
    }
}

/// How a delimiter is written.
const fn punctuation(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::LParen => "(",
        TokenKind::RParen => ")",
        TokenKind::LSquare => "[",
        TokenKind::RSquare => "]",
        TokenKind::LBrace => "{",
        TokenKind::RBrace => "}",
        TokenKind::Less => "<",
        TokenKind::Greater => ">",
        _ => "token",
    }
}

/// Whether `text` is an integer type: `i32`, `si8`, `ui16`.
fn is_integer_type(text: &str) -> bool {
    let digits = text
        .strip_prefix("si")
        .or_else(|| text.strip_prefix("ui"))
        .or_else(|| text.strip_prefix('i'));
    digits.is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// [`<[u8]>::trim_ascii_end`] for blanks and tabs only.
trait TrimBlanks {
    fn trim_ascii_end_blanks(&self) -> &Self;
}

impl TrimBlanks for [u8] {
    fn trim_ascii_end_blanks(&self) -> &[u8] {
        let end = self
            .iter()
            .rposition(|byte| !matches!(byte, b' ' | b'\t'))
            .map_or(0, |last| last + 1);
        &self[..end]
    }
}
