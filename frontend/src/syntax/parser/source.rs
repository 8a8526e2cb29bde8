//! A whole source: top-level operations and aliases.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Frame, Parser, locations, scopes};
use crate::ir::asm::OpAsmParser as _;
use crate::ir::attrs::Attr;
use crate::ir::builtin;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::{Diagnostics, Failed};
use crate::ir::location::{Loc, LocKind, SourceFile};
use crate::ir::types::Type;
use crate::syntax::lexer::{Lexer, Token, TokenKind};
use crate::syntax::metadata;

/// Parses a whole source into a module (an implicit one around several top-level operations).
pub fn parse_source(
    context: &Arc<Context>,
    file: &SourceFile,
    diagnostics: &mut Diagnostics,
) -> Result<Ir, Failed> {
    // Upstream's location of the implicit module.
    let loc = context.intern_loc(LocKind::File {
        file: Arc::clone(&file.name),
        line: 0,
        column: 0,
    });
    let mut parser = new_parser(context, file, diagnostics, builtin::module(context, loc));
    parser.lex();
    parser.parse_top_level()?;
    let mut ir = unwrap_single_module(*parser.ir);
    metadata::attach(&mut ir, &parser.resources);
    Ok(ir)
}

/// The attribute that is all of `text`, or why there is none.
pub(crate) fn parse_attr_text(context: &Arc<Context>, text: &str) -> Result<Attr, String> {
    parse_whole(context, text, "attribute", |parser| parser.parse_attr(None))
}

/// The type that is all of `text`, or why there is none.
pub(crate) fn parse_type_text(context: &Arc<Context>, text: &str) -> Result<Type, String> {
    parse_whole(context, text, "type", |parser| parser.parse_type())
}

fn parse_whole<T>(
    context: &Arc<Context>,
    text: &str,
    what: &str,
    parse: impl FnOnce(&mut Parser<'_>) -> Result<T, Failed>,
) -> Result<T, String> {
    let file = SourceFile::detached("", text);
    let mut diagnostics = Diagnostics::new();
    let ir = builtin::module(context, Loc::UNKNOWN);
    let mut parser = new_parser(context, &file, &mut diagnostics, ir);
    parser.lex();
    let parsed = parse(&mut parser);
    let (at_end, rest) = (parser.at(TokenKind::Eof), parser.token.start as usize);
    drop(parser);
    match (parsed, diagnostics.iter().next()) {
        (_, Some(first)) => Err(first.message.clone()),
        (Ok(value), None) if at_end => Ok(value),
        _ => Err(format!(
            "trailing characters found after {what} assembly format: {}",
            &text[rest..]
        )),
    }
}

fn new_parser<'a>(
    context: &'a Arc<Context>,
    file: &'a SourceFile,
    diagnostics: &'a mut Diagnostics,
    ir: Ir,
) -> Parser<'a> {
    let block = ir.root_block().expect("a new module has a block");
    Parser {
        context,
        file,
        text: &file.text,
        diagnostics,
        lexer: Lexer::new(&file.text),
        token: Token {
            kind: TokenKind::Eof,
            start: 0,
            end: 0,
        },
        last_end: 0,
        brace_depth: 0,
        depth: 0,
        n_errors: 0,
        skipping: false,
        listed_dialects: false,
        refused_dialects: Vec::new(),
        undeclared: Vec::new(),
        ir: Box::new(ir),
        block,
        frame: Frame {
            name: "",
            name_loc: Loc::UNKNOWN,
            n_result_names: 0,
            first_region: 0,
        },
        pending_regions: Vec::new(),
        scopes: scopes::Scopes::default(),
        default_dialect: "builtin",
        names: FxHashMap::default(),
        attr_aliases: FxHashMap::default(),
        plain_types: FxHashMap::default(),
        type_aliases: FxHashMap::default(),
        alias_weight: 0,
        distinct_attrs: FxHashMap::default(),
        deferred_locs: locations::DeferredLocs::default(),
        resources: Vec::new(),
    }
}

/// The only operation of an implicit module, if it is a module itself.
pub(crate) fn unwrap_single_module(mut ir: Ir) -> Ir {
    let block = ir.root_block().expect("the module was made with a block");
    match ir.first_op(block) {
        Some(op) if ir.next_op(op).is_none() && ir.is(op, &builtin::MODULE) => *ir.take_nested(op),
        _ => ir,
    }
}

/// Most aliases that one may stand for, by way of others.
const MAX_ALIAS_WEIGHT: u32 = 1 << 20;

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alias<T> {
    pub(super) value: T,
    /// How many aliases it stands for, by way of others.
    weight: u32,
}

impl<'a> Parser<'a> {
    fn parse_top_level(&mut self) -> Result<(), Failed> {
        self.push_isolated_scope();
        let mark = self.push_region_scope();
        let mut result = Ok(());
        let block = self.block;
        loop {
            self.block = block;
            let step = match self.token.kind {
                TokenKind::Eof => break,
                TokenKind::HashId => self.parse_attr_alias(),
                TokenKind::ExclaimId => self.parse_type_alias(),
                TokenKind::MetadataBegin => self.parse_file_metadata(),
                // Closes nothing: must not stop error recovery.
                TokenKind::RBrace | TokenKind::CaretId => {
                    let failed = self.wrong_token("expected operation name in quotes");
                    self.advance();
                    Err(failed)
                }
                _ => self.parse_operation_or_skip(),
            };
            if step.is_err() {
                result = step;
                break;
            }
        }
        let regions = self.pop_region_scope(mark);
        let values = self.pop_isolated_scope();
        result.and(regions).and(values)?;
        self.resolve_deferred_locs()?;
        if self.n_errors > 0 {
            Err(Failed)
        } else {
            Ok(())
        }
    }

    /// Reads `#name = attribute`.
    fn parse_attr_alias(&mut self) -> Result<(), Failed> {
        let name = &self.spelling()[1..];
        if self.attr_aliases.contains_key(name) {
            return Err(self.error_here(format!("redefinition of attribute alias id '{name}'")));
        }
        if name.contains('.') {
            return Err(self
                .error_here("attribute names with a '.' are reserved for dialect-defined names"));
        }
        self.advance();
        self.expect(
            TokenKind::Equal,
            "expected '=' in attribute alias definition",
        )?;
        let attr = self.parse_alias_definition(|parser| parser.parse_attr(None))?;
        self.attr_aliases.insert(name, attr);
        Ok(())
    }

    /// Reads `!name = type`.
    fn parse_type_alias(&mut self) -> Result<(), Failed> {
        let name = &self.spelling()[1..];
        if self.type_aliases.contains_key(name) {
            return Err(self.error_here(format!("redefinition of type alias id '{name}'")));
        }
        if name.contains('.') {
            return Err(
                self.error_here("type names with a '.' are reserved for dialect-defined names")
            );
        }
        self.advance();
        self.expect(TokenKind::Equal, "expected '=' in type alias definition")?;
        let ty = self.parse_alias_definition(Self::parse_type)?;
        self.type_aliases.insert(name, ty);
        Ok(())
    }

    /// Reads what an alias stands for. Aliases of several aliases each grow
    /// beyond all bounds in a few lines when they are printed.
    fn parse_alias_definition<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Result<T, Failed>,
    ) -> Result<Alias<T>, Failed> {
        let loc = self.loc();
        self.alias_weight = 1;
        let value = parse(self)?;
        let weight = self.alias_weight;
        if weight > MAX_ALIAS_WEIGHT {
            return Err(self.error_at(loc, "alias stands for too many others"));
        }
        Ok(Alias { value, weight })
    }

    /// What an alias stands for, used as part of something else.
    pub(super) fn use_alias<T>(&mut self, alias: Alias<T>) -> T {
        self.alias_weight = self.alias_weight.saturating_add(alias.weight);
        alias.value
    }
}
