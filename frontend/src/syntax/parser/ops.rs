//! Operations: results, generic form, custom form, recovery after errors.

use std::sync::Arc;

use smallvec::SmallVec;

use super::{Frame, MAX_ERRORS, Parser, foreign};
use crate::ir::asm::{Delimiter, OpAsmParser as _};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Op, Value};
use crate::ir::location::Loc;
use crate::ir::names::Name;
use crate::ir::op_def::{OpDef, Traits, UNREGISTERED};
use crate::ir::types::TypeKind;
use crate::ir::version::MlirVersion;
use crate::syntax::lexer::{TokenKind, unescape};
use crate::syntax::{declared, format, generic, printer};

/// `%name:count` on the left of `=`.
#[derive(Clone, Copy)]
struct ResultName<'a> {
    name: &'a str,
    count: usize,
    loc: Loc,
}

type ResultNames<'a> = SmallVec<[ResultName<'a>; 2]>;

/// The dialects all of whose operations in the versions of MLIR that are read have a row.
const COMPLETE: [&str; 13] = [
    "affine",
    "arith",
    "bufferization",
    "cf",
    "complex",
    "func",
    "index",
    "linalg",
    "math",
    "memref",
    "scf",
    "tensor",
    "ub",
];

impl<'a> Parser<'a> {
    /// Reads an operation and appends it to the current block. If it does not
    /// parse, skips to where the next one begins.
    pub(super) fn parse_operation_or_skip(&mut self) -> Result<(), Failed> {
        if self.skip_ignored_operation() {
            return Ok(());
        }
        let start = self.token.start;
        let braces = self.brace_depth;
        let n_regions = self.pending_regions.len();
        let depth = self.depth;
        let mut names = ResultNames::new();
        let Err(failed) = self.parse_operation(&mut names) else {
            return Ok(());
        };
        self.depth = depth;
        self.pending_regions.truncate(n_regions);
        if names.is_empty() {
            self.mark_scopes_incomplete();
        }
        for result in names {
            self.define_poison(result.name, result.loc);
        }
        if self.n_errors >= MAX_ERRORS {
            return Err(failed);
        }
        self.skipping = true;
        self.skip_to_operation(start, braces);
        self.skipping = false;
        Ok(())
    }

    /// Skips to a token that begins a line and looks like the beginning of an
    /// operation or block, with no more than `braces` braces open, or to the
    /// brace that closes the region.
    pub(super) fn skip_to_operation(&mut self, start: u32, braces: i32) {
        while !self.is_start_of_operation(start, braces) {
            self.advance();
        }
    }

    /// Whether the next token is what [`Self::skip_to_operation`] looks for, or the end of the text.
    pub(super) fn is_start_of_operation(&self, start: u32, braces: i32) -> bool {
        let begins_line = self.text.as_bytes()[..self.token.start as usize]
            .iter()
            .rev()
            .find(|byte| !matches!(byte, b' ' | b'\t'))
            .is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
        match self.token.kind {
            TokenKind::Eof => true,
            TokenKind::RBrace => self.brace_depth <= braces && self.brace_depth > 0,
            TokenKind::PercentId | TokenKind::BareId | TokenKind::String | TokenKind::CaretId => {
                begins_line
                    && self.token.start > start
                    && self.brace_depth <= braces
                    && !self.is_at_argument()
            }
            TokenKind::HashId | TokenKind::ExclaimId | TokenKind::MetadataBegin => {
                begins_line && self.token.start > start && self.brace_depth <= 0
            }
            _ => false,
        }
    }

    /// Whether the next token is the name of an argument, before its type, and not of results of an operation.
    fn is_at_argument(&self) -> bool {
        let rest = self.text[self.token.end as usize..].trim_start();
        self.at(TokenKind::PercentId)
            && rest
                .strip_prefix(':')
                .is_some_and(|ty| !ty.trim_start().starts_with(|c: char| c.is_ascii_digit()))
    }

    fn parse_operation(&mut self, names: &mut ResultNames<'a>) -> Result<(), Failed> {
        let loc = self.token_loc();
        if self.at(TokenKind::PercentId) {
            self.parse_result_names(names)?;
        }
        let n_names = names
            .iter()
            .fold(0usize, |n, result| n.saturating_add(result.count));
        let is_custom = self.at(TokenKind::BareId) && !super::is_integer_type(self.spelling());
        let op = if is_custom {
            self.nested(|p| p.parse_custom_operation(n_names))?
        } else if self.at(TokenKind::String) {
            self.nested(|p| p.parse_generic_operation(n_names))?
        } else {
            return Err(self.wrong_token("expected operation name in quotes"));
        };
        if names.is_empty() {
            return Ok(());
        }
        if n_names == 1 && self.ir.def(op).generic_22.returns_operand {
            self.context.note_version(MlirVersion::V22);
            let operand = self.ir.operand(op, 0);
            return self.define(names[0].name, names[0].loc, &[operand]);
        }
        let n_results = self.ir.results(op).len();
        if n_results == 0 {
            return Err(self.error_at(loc, "cannot name an operation with no results"));
        }
        if n_names != n_results {
            let message =
                format!("operation defines {n_results} results but was provided {n_names} to bind");
            return Err(self.error_at(loc, message));
        }
        let results: SmallVec<[Value; 4]> = self.ir.results(op).into();
        let mut first = 0;
        for result in names.iter() {
            let values = &results[first..first + result.count];
            self.define(result.name, result.loc, values)?;
            first += result.count;
        }
        Ok(())
    }

    fn parse_result_names(&mut self, names: &mut ResultNames<'a>) -> Result<(), Failed> {
        loop {
            if !self.at(TokenKind::PercentId) {
                return Err(self.wrong_token("expected valid ssa identifier"));
            }
            let mut result = ResultName {
                name: &self.spelling()[1..],
                count: 1,
                loc: self.token_loc(),
            };
            self.advance();
            if self.take(TokenKind::Colon) {
                if !self.at(TokenKind::Integer) {
                    return Err(self.wrong_token("expected integer number of results"));
                }
                match self.spelling().parse::<u32>() {
                    Ok(count) if count > 0 => result.count = count as usize,
                    _ => {
                        return Err(
                            self.error_here("expected named operation to have at least 1 result")
                        );
                    }
                }
                self.advance();
            }
            names.push(result);
            if !self.take(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::Equal, "expected '=' after SSA name")
    }

    // Custom form.

    fn parse_custom_operation(&mut self, n_result_names: usize) -> Result<Op, Failed> {
        let name_loc = self.token_loc();
        let written = self.spelling();
        self.advance();
        let def = self.custom_op_def(written, name_loc)?;
        if def.format.is_none() && def.parse.is_none() {
            let message = format!("'{}' op has no custom assembly form", def.name);
            return Err(self.error_at(name_loc, message));
        }
        let frame = Frame {
            name: def.name,
            name_loc,
            n_result_names,
            first_region: self.pending_regions.len(),
        };
        let outer_frame = std::mem::replace(&mut self.frame, frame);
        let default_dialect = def.default_dialect();
        let outer_dialect = std::mem::replace(&mut self.default_dialect, default_dialect);
        let op = self.parse_in_arena(def, |p| {
            let mut spec = OpSpec::new(def, name_loc);
            let n_errors = p.n_errors;
            if let Some(format) = &def.format {
                format::parse(p, format, &mut spec)?;
            } else if let Some(parse) = def.parse {
                parse(p, &mut spec)?;
            }
            p.check_duplicate_attrs(&spec, name_loc)?;
            if let Some(loc) = p.parse_opt_loc()? {
                spec.loc = loc;
            }
            // Inside of regions errors are reported and skipped.
            debug_assert!(p.n_errors == n_errors || p.diagnostics.has_errors());
            Ok(spec)
        });
        self.default_dialect = outer_dialect;
        self.frame = outer_frame;
        op
    }

    /// The row an operation name without quotes stands for.
    fn custom_op_def(&mut self, written: &'a str, loc: Loc) -> Result<&'static OpDef, Failed> {
        if let Some(def) = self.context.op_def(written) {
            if def.name_22 == Some(written) {
                self.context.note_version(MlirVersion::V22);
            }
            return Ok(def);
        }
        let tried = match written.contains('.') {
            true => None,
            false => Some(format!("{}.{written}", self.default_dialect)),
        };
        if let Some(def) = tried.as_deref().and_then(|name| self.context.op_def(name)) {
            return Ok(def);
        }
        let dialect = match written.split_once('.') {
            Some((dialect, _)) => dialect,
            None => self.default_dialect,
        };
        let also = match tried {
            Some(name) => format!(" (tried '{name}' as well)"),
            None => String::new(),
        };
        if self.context.dialect(dialect).is_some() {
            let known = match COMPLETE.contains(&dialect) {
                true => format!("; known are those of MLIR {}", MlirVersion::list()),
                false => String::new(),
            };
            let message = format!("custom op '{written}' is unknown{also}{known}");
            return Err(self.error_at(loc, message));
        }
        let message = format!("Dialect `{dialect}' not found for custom op '{written}'{also}");
        if let Some(advice) = foreign::advice(dialect) {
            return Err(self.refuse_dialect(dialect, loc, &message, advice));
        }
        if std::mem::replace(&mut self.listed_dialects, true) {
            return Err(self.error_at(loc, message));
        }
        let mut known: Vec<&str> = self
            .context
            .dialects()
            .iter()
            .map(|dialect| dialect.namespace)
            .collect();
        known.sort_unstable();
        let note = format!(
            "Registered dialects: {} ; for more info on dialect registration see \
             https://mlir.llvm.org/getting_started/Faq/\
             #registered-loaded-dependent-whats-up-with-dialects-management",
            known.join(", ")
        );
        Err(self.error_with_note(loc, message, loc, &note))
    }

    fn check_duplicate_attrs(&mut self, spec: &OpSpec, loc: Loc) -> Result<(), Failed> {
        if spec.attrs.len() < 2 {
            return Ok(());
        }
        let mut names: SmallVec<[Name; 8]> = spec.attrs.iter().map(|entry| entry.0).collect();
        names.sort_unstable();
        let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) else {
            return Ok(());
        };
        let message = format!(
            "attribute '{}' occurs more than once in the attribute list",
            self.context.name(pair[0])
        );
        Err(self.error(loc, message))
    }

    // Generic form.

    fn parse_generic_operation(&mut self, n_result_names: usize) -> Result<Op, Failed> {
        let name_loc = self.token_loc();
        let name = unescape(self.spelling());
        let name = String::from_utf8_lossy(&name).into_owned();
        if name.is_empty() {
            return Err(self.error_here("empty operation name is invalid"));
        }
        if name.contains('\0') {
            return Err(self.error_here("null character not allowed in operation name"));
        }
        self.advance();
        let def = self.context.op_def(&name).unwrap_or(&UNREGISTERED);
        if def.name_22.is_some_and(|newer| newer == name) {
            self.context.note_version(MlirVersion::V22);
        }
        if def.is_unregistered() {
            let dialect = name.split('.').next().unwrap_or_default();
            if self.context.dialect(dialect).is_none()
                && !self.context.allows_unregistered_dialects()
            {
                if let Some(advice) = foreign::advice(dialect) {
                    let message = format!("dialect `{dialect}' of '{name}' is not registered");
                    return Err(self.refuse_dialect(dialect, name_loc, &message, advice));
                }
                let message = "operation being parsed with an unregistered dialect. If this is \
                               intended, please use -allow-unregistered-dialect with the MLIR tool \
                               used";
                let failed = self.error_here(message);
                if !self.undeclared.contains(&name) {
                    let lines = declared::lines_for(&name, self.operands_ahead(), n_result_names);
                    let note = format!("a file for --irdl-file declares it: {lines}");
                    self.diagnostics.note(name_loc, note);
                    self.undeclared.push(name);
                }
                return Err(failed);
            }
        }
        let frame = Frame {
            name: "",
            name_loc,
            n_result_names: 0,
            first_region: self.pending_regions.len(),
        };
        let outer_frame = std::mem::replace(&mut self.frame, frame);
        let op = self.parse_in_arena(def, |p| {
            let mut spec = OpSpec::new(def, name_loc);
            if def.is_unregistered() {
                spec.unregistered_name = p.context.intern_name(&name);
            }
            p.parse_generic_rest(&mut spec, &name)?;
            generic::from_22(p.context, &mut spec);
            if let Some(normalize) = def.normalize {
                normalize(p.context, &mut spec);
            }
            if let Some(loc) = p.parse_opt_loc()? {
                spec.loc = loc;
            }
            Ok(spec)
        });
        self.frame = outer_frame;
        op
    }

    /// The number of operands of the operation in generic form whose name was just read.
    fn operands_ahead(&self) -> usize {
        let rest = &self.text[self.token.start as usize..];
        let list = rest.split(')').next().unwrap_or_default();
        list.matches('%').count()
    }

    /// Reads what follows the name in generic form.
    fn parse_generic_rest(&mut self, spec: &mut OpSpec, name: &str) -> Result<(), Failed> {
        self.expect(TokenKind::LParen, "expected '(' to start operand list")?;
        let operands = self.parse_operand_list(Delimiter::None)?;
        self.expect(TokenKind::RParen, "expected ')' to end operand list")?;
        if self.at(TokenKind::LSquare) {
            let may_terminate =
                spec.def.is_unregistered() || spec.def.traits.contains(Traits::TERMINATOR);
            if !may_terminate {
                return Err(self.error_here("successors in non-terminator"));
            }
            self.advance();
            self.parse_list_until(TokenKind::RSquare, "]", false, &mut |p| {
                let block = p.parse_successor()?;
                spec.successors.push(block);
                Ok(())
            })?;
        }
        let mut properties = None;
        if self.take(TokenKind::Less) {
            properties = Some(self.parse_attr(None)?);
            self.expect(TokenKind::Greater, "expected '>' to close properties")?;
        }
        if self.take(TokenKind::LParen) {
            loop {
                self.parse_generic_region(spec)?;
                if !self.take(TokenKind::Comma) {
                    break;
                }
            }
            self.expect(TokenKind::RParen, "expected ')' to end region list")?;
        }
        if self.at(TokenKind::LBrace) {
            self.parse_attr_dict_into(&mut spec.attrs)?;
        }
        if let Some(properties) = properties {
            self.add_properties(spec, name, properties)?;
        }
        self.expect(TokenKind::Colon, "expected ':' followed by operation type")?;
        let type_loc = self.token_loc();
        let ty = self.parse_type()?;
        let TypeKind::Function { inputs, results } = self.context.type_kind(ty) else {
            return Err(self.error_at(type_loc, "expected function type"));
        };
        if inputs.len() != operands.len() {
            let plural = if operands.len() == 1 { "" } else { "s" };
            let message = format!(
                "expected {} operand type{plural} but had {}",
                operands.len(),
                inputs.len()
            );
            return Err(self.error_at(type_loc, message));
        }
        spec.results.extend_from_slice(results);
        for (operand, &ty) in operands.iter().zip(inputs.iter()) {
            self.resolve(operand, ty, spec)?;
        }
        Ok(())
    }

    /// Adds `<{...}>` to the attributes. An unregistered operation keeps them
    /// apart, as the attribute without a name.
    fn add_properties(
        &mut self,
        spec: &mut OpSpec,
        name: &str,
        properties: Attr,
    ) -> Result<(), Failed> {
        if spec.def.is_unregistered() {
            spec.attrs.push((Name::EMPTY, properties));
            return Ok(());
        }
        let problem = match self.context.attr_kind(properties) {
            // Printers of the dialect itself may know properties where a file has attributes.
            AttrKind::Dictionary(dict) if spec.def.declared.is_some() => {
                for &(key, attr) in self.context.dict(*dict) {
                    spec.set_attr(key, attr);
                }
                return Ok(());
            }
            _ if !spec.def.has_properties() && spec.def.generic_22.inherent.is_empty() => {
                "this operation does not support properties"
            }
            AttrKind::Dictionary(dict) => {
                for &(key, attr) in self.context.dict(*dict) {
                    // Upstream ignores what it does not know; attributes given
                    // twice keep the value of the property.
                    generic::set_property(self.context, spec, key, attr);
                }
                return Ok(());
            }
            _ => "expected DictionaryAttr to set properties",
        };
        let message = format!(
            "invalid properties {} for op {name}: {problem}",
            printer::attr_to_string(self.context, properties)
        );
        Err(self.error_at(spec.loc, message))
    }

    /// Reads `<{...}>` properties if next, into `spec.attrs`.
    pub(super) fn parse_opt_properties(&mut self, spec: &mut OpSpec) -> Result<(), Failed> {
        if !self.at(TokenKind::Less) {
            return Ok(());
        }
        self.advance();
        let properties = self.parse_attr(None)?;
        self.expect(TokenKind::Greater, "expected '>'")?;
        self.add_properties(spec, spec.def.name, properties)
    }

    /// Reads the name of an operation (used by `linalg.map { arith.addf }`-like
    /// short forms), registered or in need of the default dialect.
    pub(super) fn parse_op_name(&mut self) -> Result<Name, Failed> {
        if !self.at(TokenKind::BareId) {
            return Err(self.wrong_token("expected operation name"));
        }
        let (written, loc) = (self.spelling(), self.token_loc());
        self.advance();
        if self.context.op_def(written).is_some() || written.contains('.') {
            return Ok(self.intern(written));
        }
        if self.default_dialect.is_empty() {
            return Err(self.error_at(loc, format!("custom op '{written}' is unknown")));
        }
        Ok(self
            .context
            .intern_name(&format!("{}.{written}", self.default_dialect)))
    }

    // Making operations.

    /// Runs `parse`, which reads everything about an operation of row `def`,
    /// and makes the operation at the end of the current block. One that owns
    /// an arena is parsed into a new one.
    fn parse_in_arena(
        &mut self,
        def: &'static OpDef,
        parse: impl FnOnce(&mut Self) -> Result<OpSpec, Failed>,
    ) -> Result<Op, Failed> {
        let block = self.block;
        let outer = def
            .traits
            .contains(Traits::OWNS_ARENA)
            .then(|| self.open_arena(def));
        let result = parse(self);
        self.block = block;
        match outer {
            None => result.map(|spec| self.append_operation(spec)),
            Some(outer) => self.close_arena(result, outer),
        }
    }

    fn append_operation(&mut self, mut spec: OpSpec) -> Op {
        let n_more_regions = std::mem::take(&mut spec.n_regions);
        generic::drop_defaults(self.context, &mut spec);
        self.replace_placeholders(&mut spec.operands);
        let op = self.ir.create_op(spec);
        self.attach_regions(op, n_more_regions);
        self.ir.append_op(self.block, op);
        op
    }

    /// Begins an arena for an operation of row `def`; returns the one around.
    fn open_arena(&mut self, def: &'static OpDef) -> Box<Ir> {
        self.push_isolated_scope();
        let context = Arc::clone(self.context);
        let inner = Box::new(Ir::new(context, OpSpec::new(def, self.frame.name_loc)));
        std::mem::replace(&mut self.ir, inner)
    }

    /// Ends an arena, whose root `result` describes, and appends it to the
    /// current block of `outer`.
    fn close_arena(
        &mut self,
        result: Result<OpSpec, Failed>,
        outer: Box<Ir>,
    ) -> Result<Op, Failed> {
        let scope_result = self.pop_isolated_scope();
        let result = result.and_then(|spec| self.check_symbol_op(spec));
        if let Ok(spec) = &result {
            let root = self.ir.root();
            self.attach_regions(root, spec.n_regions);
        }
        let mut inner = std::mem::replace(&mut self.ir, outer);
        let spec = result?;
        scope_result?;
        let root = inner.root();
        inner.set_attrs(root, self.context.intern_dict(spec.attrs));
        inner.set_loc(root, spec.loc);
        let op = self.ir.create_nested(*inner);
        self.ir.append_op(self.block, op);
        Ok(op)
    }

    /// Operations with an arena of their own have no operands and results.
    fn check_symbol_op(&mut self, spec: OpSpec) -> Result<OpSpec, Failed> {
        let problem = if !spec.operands.is_empty() {
            "requires zero operands"
        } else if !spec.results.is_empty() {
            "requires zero results"
        } else if !spec.successors.is_empty() {
            "requires 0 successors"
        } else {
            return Ok(spec);
        };
        Err(self.error_at(spec.loc, format!("'{}' op {problem}", spec.def.name)))
    }

    /// Gives the regions parsed for the operation at hand to it, and empty ones.
    fn attach_regions(&mut self, op: Op, n_more: usize) {
        for region in self.pending_regions.drain(self.frame.first_region..) {
            self.ir.adopt_region(op, region);
        }
        for _ in 0..n_more {
            self.ir.append_region(op);
        }
    }
}
