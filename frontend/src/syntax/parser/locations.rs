//! Locations: `loc("file":1:2)`, `loc(callsite(a at b))`, `loc(#alias)`.

use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::Parser;
use super::source::Alias;
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::location::{Loc, LocKind};
use crate::ir::version::MlirVersion;
use crate::syntax::lexer::{TokenKind, unescape};
use crate::syntax::printer;

/// Aliases that operations use before they are defined: upstream puts the
/// definitions at the end. Such an operation gets a stand-in.
#[derive(Default)]
pub(super) struct DeferredLocs<'a> {
    /// The stand-in of each alias.
    by_alias: FxHashMap<&'a str, Loc>,
    /// The alias and first use of each stand-in, in the order of use.
    uses: Vec<(Loc, &'a str, Loc)>,
}

impl<'a> Parser<'a> {
    /// Reads `loc(...)` if it is next.
    pub(super) fn parse_opt_loc(&mut self) -> Result<Option<Loc>, Failed> {
        if !self.take_word("loc") {
            return Ok(None);
        }
        self.expect(TokenKind::LParen, "expected '(' in location")?;
        let loc = if self.at(TokenKind::HashId) && !self.spelling().contains('.') {
            self.parse_loc_alias()?
        } else {
            self.parse_loc_instance()?
        };
        self.expect(TokenKind::RParen, "expected ')' in location")?;
        Ok(Some(loc))
    }

    fn parse_loc_alias(&mut self) -> Result<Loc, Failed> {
        let alias = &self.spelling()[1..];
        let loc = self.token_loc();
        if self.attr_aliases.contains_key(alias) {
            return self.parse_loc_instance();
        }
        self.advance();
        if let Some(&stand_in) = self.deferred_locs.by_alias.get(alias) {
            return Ok(stand_in);
        }
        // No source can spell this name: it holds a NUL.
        let name: Arc<str> = format!("\0{alias}").into();
        let stand_in = self.context.intern_loc(LocKind::Name(name, Loc::UNKNOWN));
        self.deferred_locs.by_alias.insert(alias, stand_in);
        self.deferred_locs.uses.push((stand_in, alias, loc));
        Ok(stand_in)
    }

    /// Replaces the stand-ins of aliases by their definitions.
    pub(super) fn resolve_deferred_locs(&mut self) -> Result<(), Failed> {
        let uses = std::mem::take(&mut self.deferred_locs.uses);
        if uses.is_empty() {
            return Ok(());
        }
        let mut definitions = FxHashMap::default();
        let mut result = Ok(());
        for (stand_in, alias, loc) in uses {
            let message = match self.attr_aliases.get(alias) {
                None => "operation location alias was never defined".to_owned(),
                Some(&Alias { value: attr, .. }) => match self.context.attr_kind(attr) {
                    AttrKind::Location(definition) => {
                        definitions.insert(stand_in, *definition);
                        continue;
                    }
                    _ => format!(
                        "expected location, but found '{}'",
                        printer::attr_to_string(self.context, attr)
                    ),
                },
            };
            result = Err(self.error_at(loc, message));
        }
        replace_locs(&mut self.ir, &definitions);
        result
    }

    /// Reads what stands in `loc(...)`.
    pub(super) fn parse_loc_instance(&mut self) -> Result<Loc, Failed> {
        match self.token.kind {
            TokenKind::HashId => {
                let loc = self.token_loc();
                let written = self.spelling();
                if written.contains('.') {
                    let message =
                        format!("expected location, but found dialect attribute: '{written}'");
                    return Err(self.error_at(loc, message));
                }
                let attr = self.parse_attr(None)?;
                match self.context.attr_kind(attr) {
                    AttrKind::Location(definition) => Ok(*definition),
                    _ => Err(self.error_at(loc, "expected location attribute")),
                }
            }
            TokenKind::String => self.parse_name_or_file_loc(),
            TokenKind::BareId => match self.spelling() {
                "callsite" => self.nested(Self::parse_call_site_loc),
                "fused" => self.nested(Self::parse_fused_loc),
                "unknown" => {
                    self.advance();
                    Ok(Loc::UNKNOWN)
                }
                _ => Err(self.wrong_token("expected location instance")),
            },
            _ => Err(self.wrong_token("expected location instance")),
        }
    }

    fn parse_name_or_file_loc(&mut self) -> Result<Loc, Failed> {
        let text = unescape(self.spelling());
        let text: Arc<str> = String::from_utf8_lossy(&text).into();
        self.advance();
        if self.take(TokenKind::Colon) {
            let line = self.parse_loc_number("expected integer line number in FileLineColLoc")?;
            self.expect(TokenKind::Colon, "expected ':' in FileLineColLoc")?;
            let column =
                self.parse_loc_number("expected integer column number in FileLineColLoc")?;
            if self.take_word("to") {
                self.parse_end_of_range()?;
            }
            return Ok(self.context.intern_loc(LocKind::File {
                file: text,
                line,
                column,
            }));
        }
        let mut child = Loc::UNKNOWN;
        if self.take(TokenKind::LParen) {
            child = self.nested(Self::parse_loc_instance)?;
            self.expect(
                TokenKind::RParen,
                "expected ')' after child location of NameLoc",
            )?;
        }
        Ok(self.context.intern_loc(LocKind::Name(text, child)))
    }

    /// `4:2` or `:2`, where a range of MLIR 22 ends; a location is where it begins.
    fn parse_end_of_range(&mut self) -> Result<(), Failed> {
        self.context.note_version(MlirVersion::V22);
        if !self.at(TokenKind::Colon) {
            self.parse_loc_number("expected integer line number in FileLineColRange")?;
        }
        self.expect(TokenKind::Colon, "expected ':' in FileLineColRange")?;
        self.parse_loc_number("expected integer column number in FileLineColRange")?;
        Ok(())
    }

    fn parse_loc_number(&mut self, message: &str) -> Result<u32, Failed> {
        if !self.at(TokenKind::Integer) {
            return Err(self.wrong_token(message));
        }
        match self.spelling().parse::<u32>() {
            Ok(number) => {
                self.advance();
                Ok(number)
            }
            Err(_) => Err(self.error_here(message)),
        }
    }

    fn parse_call_site_loc(&mut self) -> Result<Loc, Failed> {
        self.advance();
        self.expect(TokenKind::LParen, "expected '(' in callsite location")?;
        let callee = self.parse_loc_instance()?;
        if !self.take_word("at") {
            return Err(self.wrong_token("expected 'at' in callsite location"));
        }
        let caller = self.parse_loc_instance()?;
        self.expect(TokenKind::RParen, "expected ')' in callsite location")?;
        Ok(self.context.intern_loc(LocKind::CallSite(callee, caller)))
    }

    fn parse_fused_loc(&mut self) -> Result<Loc, Failed> {
        self.advance();
        let mut metadata = None;
        if self.take(TokenKind::Less) {
            metadata = Some(self.parse_attr(None)?);
            self.expect(
                TokenKind::Greater,
                "expected '>' after fused location metadata",
            )?;
        }
        let mut parts = Vec::new();
        self.parse_delimited(super::Delimiter::Square, " in fused location", &mut |p| {
            parts.push(p.parse_loc_instance()?);
            Ok(())
        })?;
        Ok(self.fused_loc(metadata, &parts))
    }

    /// The fused location of `parts`: without unknown and repeated ones, and
    /// without a frame where one part is left.
    fn fused_loc(&self, metadata: Option<Attr>, parts: &[Loc]) -> Loc {
        let mut flat: IndexSet<Loc, FxBuildHasher> = IndexSet::default();
        for &part in parts {
            match self.context.loc_kind(part) {
                Some(LocKind::Fused(inner, parts)) if inner.is_none() || *inner == metadata => {
                    flat.extend(parts);
                }
                _ if part == Loc::UNKNOWN => {}
                _ => {
                    flat.insert(part);
                }
            }
        }
        match (flat.len(), metadata) {
            (0, None) => return Loc::UNKNOWN,
            (0, Some(_)) => {
                flat.insert(Loc::UNKNOWN);
            }
            (1, None) => return flat[0],
            _ => {}
        }
        let parts = flat.into_iter().collect();
        self.context.intern_loc(LocKind::Fused(metadata, parts))
    }
}

/// Replaces locations in an arena and those inside of it.
fn replace_locs(ir: &mut Ir, definitions: &FxHashMap<Loc, Loc>) {
    for op in ir.collect_ops(ir.root()) {
        if let Some(&loc) = definitions.get(&ir.loc(op)) {
            ir.set_loc(op, loc);
        }
        if let Some(nested) = ir.nested_mut(op) {
            replace_locs(nested, definitions);
        }
    }
}
