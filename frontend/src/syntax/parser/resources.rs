//! File metadata: `{-# dialect_resources: {...}, external_resources: {...} #-}`.

use super::Parser;
use crate::ir::asm::OpAsmParser as _;
use crate::ir::diag::Failed;
use crate::syntax::lexer::TokenKind;
use crate::syntax::metadata;

impl<'a> Parser<'a> {
    /// Reads `{-# key: { ... }, ... #-}`.
    pub(super) fn parse_file_metadata(&mut self) -> Result<(), Failed> {
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
            if of_dialects && p.context.dialect(group).is_none() {
                return Err(p.error_at(loc, format!("dialect '{group}' is unknown")));
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
        let bytes = self.hex_bytes(value);
        let context = self.context;
        let alignment = bytes.as_ref().and_then(|bytes| bytes.first_chunk::<4>());
        let kept = match (&bytes, alignment) {
            (Some(bytes), Some(&alignment)) => {
                let alignment = u32::from_le_bytes(alignment);
                metadata::bytes_value(context, alignment, bytes.slice(4..bytes.len()))
            }
            _ => metadata::text_value(context, &self.whole_spelling(value)),
        };
        let entry = metadata::entry(context, of_dialects, group, &key, kept);
        self.resources.push(entry);
        if !of_dialects {
            return Ok(());
        }
        let Some(bytes) = bytes else {
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
        Ok(())
    }
}
