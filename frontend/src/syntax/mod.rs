//! The text format: lexer, parser and printer.

pub mod parser;
pub mod printer;
