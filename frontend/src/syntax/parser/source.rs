//! A whole source: top-level operations, aliases and file metadata.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Frame, OpParser, locations, scopes};
use crate::diag::{Diagnostics, Failed};
use crate::dialects::builtin;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::location::{Loc, LocKind, SourceFile};
use crate::syntax::lexer::{Lexer, Token, TokenKind};

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
    let ir = builtin::module(context, loc);
    let block = ir.root_block().expect("a new module has a block");
    let mut parser = OpParser {
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
        ir,
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
        type_aliases: FxHashMap::default(),
        distinct_attrs: FxHashMap::default(),
        deferred_locs: locations::DeferredLocs::default(),
    };
    parser.lex();
    parser.parse_top_level()?;
    Ok(unwrap_single_module(parser.ir))
}

/// The only operation of an implicit module, if it is a module itself.
fn unwrap_single_module(mut ir: Ir) -> Ir {
    let block = ir.root_block().expect("the module was made with a block");
    match ir.first_op(block) {
        Some(op) if ir.next_op(op).is_none() && ir.is(op, &builtin::MODULE) => *ir.take_nested(op),
        _ => ir,
    }
}

impl<'a> OpParser<'a> {
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
                // Closes nothing: must not stop the skipping of what is wrong.
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
        let attr = self.parse_attr(None)?;
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
        let ty = self.parse_type()?;
        self.type_aliases.insert(name, ty);
        Ok(())
    }

    /// Reads `{-# key: { ... }, ... #-}`.
    fn parse_file_metadata(&mut self) -> Result<(), Failed> {
        self.advance();
        self.parse_list_until(TokenKind::MetadataEnd, "#-}", true, &mut |p| {
            let loc = p.token_loc();
            if !p.at(TokenKind::BareId) {
                return Err(p.error_here("expected identifier key in file metadata dictionary"));
            }
            let key = p.spelling();
            p.advance();
            p.expect(TokenKind::Colon, "expected ':'")?;
            match key {
                "dialect_resources" => p.parse_resources(true),
                "external_resources" => p.parse_resources(false),
                _ => Err(p.error_at(
                    loc,
                    format!("unknown key '{key}' in file metadata dictionary"),
                )),
            }
        })
    }

    /// Reads `{ group: { key: value, ... }, ... }`.
    fn parse_resources(&mut self, of_dialects: bool) -> Result<(), Failed> {
        self.expect(TokenKind::LBrace, "expected '{'")?;
        self.parse_list_until(TokenKind::RBrace, "}", true, &mut |p| {
            let loc = p.token_loc();
            if !p.at(TokenKind::BareId) {
                return Err(p.error_here("expected identifier key for 'resource' entry"));
            }
            let group = p.spelling();
            p.advance();
            p.expect(TokenKind::Colon, "expected ':'")?;
            p.expect(TokenKind::LBrace, "expected '{'")?;
            if of_dialects {
                if p.context.dialect(group).is_none() {
                    return Err(p.error_at(loc, format!("dialect '{group}' is unknown")));
                }
            } else {
                let message = format!("ignoring unknown external resources for '{group}'");
                p.diagnostics.warning(loc, message);
            }
            p.parse_list_until(TokenKind::RBrace, "}", true, &mut |p| {
                p.parse_resource(group, of_dialects)
            })
        })
    }

    /// Reads `key: value`.
    fn parse_resource(&mut self, group: &str, of_dialects: bool) -> Result<(), Failed> {
        let is_key = self.at(TokenKind::BareId) || self.at(TokenKind::String);
        if !is_key {
            let entry = if of_dialects {
                "resource"
            } else {
                "external_resources"
            };
            return Err(self.error_here(format!("expected identifier key for '{entry}' entry")));
        }
        let key = self.parse_keyword_or_string()?;
        self.expect(TokenKind::Colon, "expected ':'")?;
        let value = self.token;
        let loc = self.token_loc();
        if matches!(value.kind, TokenKind::Eof | TokenKind::Error) {
            return Err(self.error_here(format!("expected hex string blob for key '{key}'")));
        }
        self.advance();
        if !of_dialects {
            return Ok(());
        }
        let Some(bytes) = self.hex_bytes(value) else {
            return Err(self.error_at(loc, format!("expected hex string blob for key '{key}'")));
        };
        let Some(alignment) = bytes.first_chunk::<4>() else {
            return Err(self.error_at(
                loc,
                format!(
                    "expected hex string blob for key '{key}' to encode alignment in first 4 bytes"
                ),
            ));
        };
        let alignment = u32::from_le_bytes(*alignment);
        if alignment != 0 && !alignment.is_power_of_two() {
            return Err(self.error_at(
                loc,
                format!(
                    "expected hex string blob for key '{key}' to encode alignment in first 4 \
                     bytes, but got non-power-of-2 value: {alignment}"
                ),
            ));
        }
        self.context.set_resource(group, &key, bytes.into());
        Ok(())
    }
}
