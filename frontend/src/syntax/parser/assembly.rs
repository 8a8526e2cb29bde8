//! What parse functions of operations use: tokens, keywords, lists, operands,
//! arguments and attribute dictionaries.

use super::Parser;
use crate::ir::affine::{AffineMap, IntegerSet};
use crate::ir::asm::{Argument, Delimiter, OpAsmParser, UnresolvedOperand};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Block, Value};
use crate::ir::location::Loc;
use crate::ir::names::Name;
use crate::ir::op_def::OpDef;
use crate::ir::types::Type;
use crate::syntax::lexer::{TokenKind, unescape};
use std::sync::Arc;

/// The token spelled like this, and whether it stands twice.
fn token_kind(token: &str) -> (TokenKind, bool) {
    let kind = match token {
        "(" => TokenKind::LParen,
        ")" => TokenKind::RParen,
        "[" => TokenKind::LSquare,
        "]" => TokenKind::RSquare,
        "{" => TokenKind::LBrace,
        "}" => TokenKind::RBrace,
        "<" => TokenKind::Less,
        ">" => TokenKind::Greater,
        "," => TokenKind::Comma,
        ":" | "::" => TokenKind::Colon,
        "=" | "==" => TokenKind::Equal,
        "->" => TokenKind::Arrow,
        "?" => TokenKind::Question,
        "*" => TokenKind::Star,
        "+" => TokenKind::Plus,
        "-" => TokenKind::Minus,
        "|" => TokenKind::VerticalBar,
        "..." => TokenKind::Ellipsis,
        _ => unreachable!("`{token}` is no token of the format"),
    };
    (kind, matches!(token, "::" | "=="))
}

impl<'a> OpAsmParser<'a> for Parser<'a> {
    fn context(&self) -> &'a Arc<Context> {
        self.context
    }

    fn ir(&self) -> &Ir {
        &self.ir
    }

    fn name_loc(&self) -> Loc {
        self.frame.name_loc
    }

    fn loc(&self) -> Loc {
        self.token_loc()
    }

    fn report(&mut self, loc: Loc, message: String) -> Failed {
        self.error(loc, message)
    }

    fn n_result_names(&self) -> usize {
        self.frame.n_result_names
    }

    // Tokens.

    fn parse_token(&mut self, token: &'static str) -> Result<(), Failed> {
        if self.parse_opt_token(token) {
            return Ok(());
        }
        Err(self.wrong_token(format!("expected '{token}'")))
    }

    fn parse_opt_token(&mut self, token: &'static str) -> bool {
        let (kind, double) = token_kind(token);
        let found = if double {
            self.at_double(kind)
        } else {
            self.at(kind)
        };
        if found {
            self.advance();
            if double {
                self.advance();
            }
        }
        found
    }

    fn peek_token(&self, token: &'static str) -> bool {
        let (kind, double) = token_kind(token);
        if double {
            self.at_double(kind)
        } else {
            self.at(kind)
        }
    }

    fn peek_operand(&self) -> bool {
        self.at(TokenKind::PercentId)
    }

    fn peek_successor(&self) -> bool {
        self.at(TokenKind::CaretId)
    }

    fn parse_keyword(&mut self, keyword: &'static str) -> Result<(), Failed> {
        if self.take_word(keyword) {
            return Ok(());
        }
        let loc = self.loc();
        Err(self.error(loc, format!("expected '{keyword}'")))
    }

    fn parse_opt_keyword(&mut self, keyword: &'static str) -> bool {
        self.take_word(keyword)
    }

    fn peek_keyword(&self, keyword: &str) -> bool {
        self.at_word(keyword)
    }

    fn parse_any_keyword(&mut self) -> Result<&'a str, Failed> {
        match self.parse_opt_any_keyword() {
            Some(keyword) => Ok(keyword),
            None => Err(self.wrong_token("expected valid keyword")),
        }
    }

    fn parse_opt_any_keyword(&mut self) -> Option<&'a str> {
        if !self.at(TokenKind::BareId) {
            return None;
        }
        let keyword = self.spelling();
        self.advance();
        Some(keyword)
    }

    fn parse_keyword_or_string(&mut self) -> Result<String, Failed> {
        if let Some(keyword) = self.parse_opt_any_keyword() {
            return Ok(keyword.to_owned());
        }
        if let Some(string) = self.parse_opt_string() {
            return string;
        }
        let loc = self.loc();
        Err(self.error(loc, "expected valid keyword or string"))
    }

    fn parse_integer(&mut self) -> Result<i64, Failed> {
        match self.parse_opt_integer() {
            Some(value) => value,
            None => {
                let loc = self.loc();
                Err(self.error(loc, "expected integer value"))
            }
        }
    }

    fn parse_opt_integer(&mut self) -> Option<Result<i64, Failed>> {
        let loc = self.loc();
        let narrow = |value| i64::try_from(value).ok();
        Some(self.parse_opt_wide_integer()?.and_then(|value| {
            narrow(value).ok_or_else(|| self.error(loc, "integer value too large"))
        }))
    }

    fn parse_wide_integer(&mut self) -> Result<i128, Failed> {
        match self.parse_opt_wide_integer() {
            Some(value) => value,
            None => {
                let loc = self.loc();
                Err(self.error(loc, "expected integer value"))
            }
        }
    }

    fn parse_string(&mut self) -> Result<String, Failed> {
        match self.parse_opt_string() {
            Some(string) => string,
            None => {
                let loc = self.loc();
                Err(self.error(loc, "expected string"))
            }
        }
    }

    fn parse_opt_string(&mut self) -> Option<Result<String, Failed>> {
        if !self.at(TokenKind::String) {
            return None;
        }
        let text = String::from_utf8_lossy(&unescape(self.spelling())).into_owned();
        self.advance();
        Some(Ok(text))
    }

    fn parse_list(
        &mut self,
        delimiter: Delimiter,
        element: &mut dyn FnMut(&mut dyn OpAsmParser<'a>) -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        self.parse_delimited(delimiter, "", &mut |p| element(p))
    }

    fn parse_integer_list(&mut self) -> Result<Vec<i64>, Failed> {
        let mut integers = Vec::new();
        self.parse_list(Delimiter::Square, &mut |parser| {
            integers.push(parser.parse_integer()?);
            Ok(())
        })?;
        Ok(integers)
    }

    // Attributes.

    fn parse_opt_attr_dict(&mut self, spec: &mut OpSpec) -> Result<(), Failed> {
        if self.at(TokenKind::LBrace) {
            return self.parse_attr_dict_into(&mut spec.attrs);
        }
        Ok(())
    }

    fn parse_opt_attr_dict_with_keyword(&mut self, spec: &mut OpSpec) -> Result<(), Failed> {
        if self.take_word("attributes") {
            return self.parse_attr_dict_into(&mut spec.attrs);
        }
        Ok(())
    }

    fn parse_opt_dict(&mut self) -> Result<Vec<(Name, Attr)>, Failed> {
        let mut entries = Vec::new();
        if self.at(TokenKind::LBrace) {
            self.parse_attr_dict_into(&mut entries)?;
        }
        Ok(entries)
    }

    fn parse_symbol_name(&mut self) -> Result<String, Failed> {
        match self.parse_opt_symbol_name() {
            Some(name) => Ok(name),
            None => {
                let loc = self.loc();
                Err(self.error(loc, "expected valid '@'-identifier for symbol name"))
            }
        }
    }

    fn parse_opt_symbol_name(&mut self) -> Option<String> {
        if !self.at(TokenKind::AtId) {
            return None;
        }
        let name = self.symbol_of(self.token);
        self.advance();
        Some(name)
    }

    fn parse_symbol_ref(&mut self) -> Result<Attr, Failed> {
        if !self.at(TokenKind::AtId) {
            let loc = self.loc();
            return Err(self.error(loc, "invalid kind of attribute specified"));
        }
        self.parse_attr(None)
    }

    // Operands.

    fn parse_operand(&mut self) -> Result<UnresolvedOperand, Failed> {
        let mut operand = self.parse_value_name()?;
        if self.at(TokenKind::HashId) && self.is_adjacent() {
            match self.spelling()[1..].parse::<u32>() {
                Ok(index) => operand.index = index,
                Err(_) => return Err(self.error_here("invalid SSA value result number")),
            }
            self.advance();
        }
        Ok(operand)
    }

    fn parse_opt_operand(&mut self) -> Option<Result<UnresolvedOperand, Failed>> {
        self.at(TokenKind::PercentId).then(|| self.parse_operand())
    }

    fn parse_operand_list(
        &mut self,
        delimiter: Delimiter,
    ) -> Result<Vec<UnresolvedOperand>, Failed> {
        let mut operands = Vec::new();
        if delimiter == Delimiter::None && !self.at(TokenKind::PercentId) {
            return Ok(operands);
        }
        self.parse_delimited(delimiter, " in operand list", &mut |p| {
            operands.push(p.parse_operand()?);
            Ok(())
        })?;
        Ok(operands)
    }

    fn resolve(
        &mut self,
        operand: &UnresolvedOperand,
        ty: Type,
        spec: &mut OpSpec,
    ) -> Result<(), Failed> {
        let value = self.look_up(operand, ty)?;
        spec.operands.push(value);
        Ok(())
    }

    fn resolve_all(
        &mut self,
        operands: &[UnresolvedOperand],
        ty: Type,
        spec: &mut OpSpec,
    ) -> Result<(), Failed> {
        for operand in operands {
            self.resolve(operand, ty, spec)?;
        }
        Ok(())
    }

    fn resolve_each(
        &mut self,
        operands: &[UnresolvedOperand],
        types: &[Type],
        loc: Loc,
        spec: &mut OpSpec,
    ) -> Result<(), Failed> {
        self.check_operand_count(operands, types, loc)?;
        for (operand, &ty) in operands.iter().zip(types) {
            self.resolve(operand, ty, spec)?;
        }
        Ok(())
    }

    fn resolve_value(&mut self, operand: &UnresolvedOperand, ty: Type) -> Result<Value, Failed> {
        self.look_up(operand, ty)
    }

    // Successors.

    fn parse_successor(&mut self) -> Result<Block, Failed> {
        if !self.at(TokenKind::CaretId) {
            return Err(self.wrong_token("expected block name"));
        }
        let name = &self.spelling()[1..];
        let loc = self.token_loc();
        self.advance();
        Ok(self.block_named(name, loc))
    }

    fn parse_successor_with_operands(&mut self) -> Result<(Block, Vec<Value>), Failed> {
        let block = self.parse_successor()?;
        let mut values = Vec::new();
        if self.take(TokenKind::LParen) {
            values = self.parse_operands_and_types()?;
            self.expect(TokenKind::RParen, "expected ')'")?;
        }
        Ok((block, values))
    }

    // Arguments.

    fn parse_argument(&mut self, with_type: bool, with_attrs: bool) -> Result<Argument, Failed> {
        let operand = self.parse_value_name()?;
        if self.at(TokenKind::HashId) && self.is_adjacent() {
            return Err(self.error_here("result number not allowed in argument list"));
        }
        let ty = if with_type {
            self.parse_colon_type()?
        } else {
            Type::NONE
        };
        let mut attrs = Vec::new();
        if with_attrs && self.at(TokenKind::LBrace) {
            self.parse_attr_dict_into(&mut attrs)?;
        }
        let loc = self.parse_opt_loc()?.unwrap_or(operand.loc);
        Ok(Argument {
            operand,
            ty,
            attrs,
            loc,
        })
    }

    fn parse_opt_argument(
        &mut self,
        with_type: bool,
        with_attrs: bool,
    ) -> Option<Result<Argument, Failed>> {
        self.at(TokenKind::PercentId)
            .then(|| self.parse_argument(with_type, with_attrs))
    }

    fn parse_argument_list(
        &mut self,
        delimiter: Delimiter,
        with_type: bool,
        with_attrs: bool,
    ) -> Result<Vec<Argument>, Failed> {
        let mut arguments = Vec::new();
        if delimiter == Delimiter::None && !self.at(TokenKind::PercentId) {
            return Ok(arguments);
        }
        self.parse_delimited(delimiter, " in argument list", &mut |p| {
            arguments.push(p.parse_argument(with_type, with_attrs)?);
            Ok(())
        })?;
        Ok(arguments)
    }

    fn parse_assignment_list(&mut self) -> Result<(Vec<Argument>, Vec<UnresolvedOperand>), Failed> {
        let (mut arguments, mut operands) = (Vec::new(), Vec::new());
        self.expect(TokenKind::LParen, "expected '('")?;
        self.parse_list_until(TokenKind::RParen, ")", true, &mut |p| {
            arguments.push(p.parse_argument(false, false)?);
            p.expect(TokenKind::Equal, "expected '='")?;
            operands.push(p.parse_operand()?);
            Ok(())
        })?;
        Ok((arguments, operands))
    }

    // Affine maps.

    fn parse_attr_text(
        &mut self,
        dialect: &str,
        before: &str,
        behind: &str,
    ) -> Result<Attr, Failed> {
        let (start, end) = self.skip_text_in_brackets()?;
        let text = &self.text[start..end];
        let text = self.without_aliases(text, start)?;
        let body = format!("{before}{text}{behind}");
        Ok(self.context.intern_attr(AttrKind::Dialect {
            dialect: self.context.intern_name(dialect),
            body: body.into(),
            ty: None,
        }))
    }

    fn parse_affine_map_body(&mut self) -> Result<AffineMap, Failed> {
        Parser::parse_affine_map_body(self)
    }

    fn parse_affine_map_attr(&mut self) -> Result<AffineMap, Failed> {
        Parser::parse_affine_map_attr(self)
    }

    fn parse_integer_set_attr(&mut self) -> Result<IntegerSet, Failed> {
        Parser::parse_integer_set_attr(self)
    }

    fn parse_affine_map_of_ssa_ids(
        &mut self,
        delimiter: Delimiter,
    ) -> Result<(AffineMap, Vec<UnresolvedOperand>, Vec<UnresolvedOperand>), Failed> {
        Parser::parse_affine_map_of_ssa_ids(self, delimiter)
    }

    fn parse_affine_expr_of_ssa_ids(
        &mut self,
    ) -> Result<(AffineMap, Vec<UnresolvedOperand>, Vec<UnresolvedOperand>), Failed> {
        Parser::parse_affine_expr_of_ssa_ids(self)
    }

    // Attributes, locations and properties in full.

    fn parse_attr(&mut self, ty: Option<Type>) -> Result<Attr, Failed> {
        Parser::parse_attr(self, ty)
    }

    fn parse_opt_attr(&mut self, ty: Option<Type>) -> Option<Result<Attr, Failed>> {
        Parser::parse_opt_attr(self, ty)
    }

    fn parse_opt_loc(&mut self) -> Result<Option<Loc>, Failed> {
        Parser::parse_opt_loc(self)
    }

    fn parse_opt_properties(&mut self, spec: &mut OpSpec) -> Result<(), Failed> {
        Parser::parse_opt_properties(self, spec)
    }

    fn parse_op_name(&mut self) -> Result<Name, Failed> {
        Parser::parse_op_name(self)
    }

    // Regions.

    fn parse_region(&mut self, arguments: &[Argument], spec: &mut OpSpec) -> Result<(), Failed> {
        Parser::parse_region(self, arguments, spec)
    }

    fn parse_region_with_block(&mut self, spec: &mut OpSpec) -> Result<(), Failed> {
        Parser::parse_region_with_block(self, spec)
    }

    fn terminate_with_results(&mut self, terminator: &'static OpDef, spec: &OpSpec) {
        Parser::terminate_with_results(self, terminator, spec)
    }

    fn last_region_is_empty(&self) -> bool {
        Parser::last_region_is_empty(self)
    }

    fn parse_opt_region(
        &mut self,
        arguments: &[Argument],
        spec: &mut OpSpec,
    ) -> Result<bool, Failed> {
        Parser::parse_opt_region(self, arguments, spec)
    }

    fn add_empty_region(&mut self, _spec: &mut OpSpec) {
        Parser::add_empty_region(self, _spec)
    }

    fn move_last_region_to_front(&mut self, _spec: &mut OpSpec) {
        Parser::move_last_region_to_front(self, _spec)
    }

    fn add_synthesized_region(
        &mut self,
        argument_types: &[Type],
        _spec: &mut OpSpec,
        build: &mut dyn FnMut(&mut Ir, Block),
    ) {
        Parser::add_synthesized_region(self, argument_types, _spec, build)
    }

    // Types.

    fn parse_type(&mut self) -> Result<Type, Failed> {
        Parser::parse_type(self)
    }

    fn parse_opt_type(&mut self) -> Option<Result<Type, Failed>> {
        Parser::parse_opt_type(self)
    }

    fn parse_functional_type(&mut self) -> Result<(Vec<Type>, Vec<Type>), Failed> {
        Parser::parse_functional_type(self)
    }

    fn parse_dimension_list(
        &mut self,
        allow_dynamic: bool,
        trailing_x: bool,
    ) -> Result<Vec<i64>, Failed> {
        Parser::parse_dimension_list(self, allow_dynamic, trailing_x)
    }

    fn parse_colon_type(&mut self) -> Result<Type, Failed> {
        Parser::parse_colon_type(self)
    }

    fn parse_type_list(&mut self) -> Result<Vec<Type>, Failed> {
        Parser::parse_type_list(self)
    }

    fn parse_colon_type_list(&mut self) -> Result<Vec<Type>, Failed> {
        Parser::parse_colon_type_list(self)
    }

    fn parse_opt_arrow_type_list(&mut self) -> Result<Vec<Type>, Failed> {
        Parser::parse_opt_arrow_type_list(self)
    }

    fn parse_arrow_type_list(&mut self) -> Result<Vec<Type>, Failed> {
        Parser::parse_arrow_type_list(self)
    }
}

impl<'a> Parser<'a> {
    /// Reports an error: `custom op 'dialect.op' message`.
    pub(super) fn error(&mut self, loc: Loc, message: impl Into<String>) -> Failed {
        if self.frame.name.is_empty() {
            return self.error_at(loc, message);
        }
        let message = format!("custom op '{}' {}", self.frame.name, message.into());
        self.error_at(loc, message)
    }

    fn parse_opt_wide_integer(&mut self) -> Option<Result<i128, Failed>> {
        let negative = match self.token.kind {
            TokenKind::Integer => false,
            TokenKind::Minus => {
                self.advance();
                if !self.at(TokenKind::Integer) {
                    return Some(Err(self.wrong_token("expected integer value")));
                }
                true
            }
            _ => return None,
        };
        let text = self.spelling();
        let loc = self.loc();
        self.advance();
        let magnitude = match text.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16),
            None => text.parse::<u64>(),
        };
        Some(match magnitude {
            Ok(value) if negative => Ok(-i128::from(value)),
            Ok(value) => Ok(i128::from(value)),
            Err(_) => Err(self.error(loc, "integer value too large")),
        })
    }

    /// Reads `%name` without a result number.
    fn parse_value_name(&mut self) -> Result<UnresolvedOperand, Failed> {
        if !self.at(TokenKind::PercentId) {
            return Err(self.wrong_token("expected SSA operand"));
        }
        let operand = UnresolvedOperand {
            name_start: self.token.start + 1,
            name_len: self.token.end - self.token.start - 1,
            index: 0,
            loc: self.token_loc(),
        };
        self.advance();
        Ok(operand)
    }

    /// Reads `%a, %b : types`, or nothing.
    fn parse_operands_and_types(&mut self) -> Result<Vec<Value>, Failed> {
        let loc = self.loc();
        let operands = self.parse_operand_list(Delimiter::None)?;
        if operands.is_empty() {
            return Ok(Vec::new());
        }
        let types = self.parse_colon_type_list()?;
        self.check_operand_count(&operands, &types, loc)?;
        operands
            .iter()
            .zip(types)
            .map(|(operand, ty)| self.look_up(operand, ty))
            .collect()
    }

    fn check_operand_count(
        &mut self,
        operands: &[UnresolvedOperand],
        types: &[Type],
        loc: Loc,
    ) -> Result<(), Failed> {
        if operands.len() == types.len() {
            return Ok(());
        }
        let message = format!(
            "{} operands present, but expected {}",
            operands.len(),
            types.len()
        );
        Err(self.error(loc, message))
    }
}
