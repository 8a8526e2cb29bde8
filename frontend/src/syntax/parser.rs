//! The parser. SKELETON: signatures that dialects program against.

use std::sync::Arc;

use crate::diag::{Diagnostics, Failed};
use crate::ir::affine::{AffineMap, IntegerSet};
use crate::ir::attrs::Attr;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Block, Value};
use crate::ir::location::{Loc, SourceFile};
use crate::ir::names::Name;
use crate::ir::types::Type;

/// A value as written: `%name` or `%name#2`, not yet looked up.
#[derive(Clone, Debug)]
pub struct UnresolvedOperand {
    /// Text after `%`.
    pub name: Name,
    /// Number after `#`, or 0.
    pub index: u32,
    /// Where it stands.
    pub loc: Loc,
}

/// A region argument as written: `%name : type {attrs} loc(...)`.
#[derive(Clone, Debug)]
pub struct Argument {
    /// Its name.
    pub operand: UnresolvedOperand,
    /// Its type; must be set before [`OpParser::parse_region`].
    pub ty: Type,
    /// Attributes after the type.
    pub attrs: Vec<(Name, Attr)>,
}

/// What stands around lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delimiter {
    /// Nothing: at least one element.
    None,
    /// `(...)`
    Paren,
    /// `[...]`
    Square,
    /// `<...>`
    Angle,
    /// `{...}`
    Brace,
    /// `(...)` or nothing.
    OptionalParen,
    /// `[...]` or nothing.
    OptionalSquare,
    /// `<...>` or nothing.
    OptionalAngle,
}

/// A region parsed by [`OpParser::parse_region`], to be attached to the operation in order.
#[derive(Debug)]
pub struct ParsedRegion(());

/// What the parse function of an operation reads from.
///
/// `parse_x` must find an `x` or reports and fails; `parse_opt_x` consumes
/// nothing when there is none.
pub struct OpParser<'a> {
    _skeleton: &'a (),
}

/// Parses a whole source into a module (an implicit one around several top-level operations).
pub fn parse_source(
    _context: &Arc<Context>,
    _file: &SourceFile,
    _diagnostics: &mut Diagnostics,
) -> Result<Ir, Failed> {
    unimplemented!()
}

impl<'a> OpParser<'a> {
    /// The shared context.
    pub fn context(&self) -> &'a Arc<Context> {
        unimplemented!()
    }
    /// Where the name of the operation stands.
    pub fn name_loc(&self) -> Loc {
        unimplemented!()
    }
    /// Where the next token stands.
    pub fn loc(&self) -> Loc {
        unimplemented!()
    }
    /// Reports an error.
    pub fn error(&mut self, _loc: Loc, _message: impl Into<String>) -> Failed {
        unimplemented!()
    }
    /// Number of results bound on the left of `=` (0 if none are named).
    pub fn n_result_names(&self) -> usize {
        unimplemented!()
    }

    // Tokens.

    /// Reads one of `( ) [ ] { } < > , : :: = == -> ? * + - | ...` or fails with "expected '<token>'".
    pub fn parse_token(&mut self, _token: &'static str) -> Result<(), Failed> {
        unimplemented!()
    }
    /// Reads the token if it is next.
    pub fn parse_opt_token(&mut self, _token: &'static str) -> bool {
        unimplemented!()
    }
    /// Whether the token is next.
    pub fn peek_token(&self, _token: &'static str) -> bool {
        unimplemented!()
    }
    /// Reads this keyword or fails with "expected '<keyword>'".
    pub fn parse_keyword(&mut self, _keyword: &'static str) -> Result<(), Failed> {
        unimplemented!()
    }
    /// Reads this keyword if it is next.
    pub fn parse_opt_keyword(&mut self, _keyword: &'static str) -> bool {
        unimplemented!()
    }
    /// Whether this keyword is next.
    pub fn peek_keyword(&self, _keyword: &str) -> bool {
        unimplemented!()
    }
    /// Reads any keyword and returns its text, or fails with "expected valid keyword".
    pub fn parse_any_keyword(&mut self) -> Result<&'a str, Failed> {
        unimplemented!()
    }
    /// Reads any keyword (dotted ones too).
    pub fn parse_opt_any_keyword(&mut self) -> Option<&'a str> {
        unimplemented!()
    }
    /// Reads a keyword or a string literal.
    pub fn parse_keyword_or_string(&mut self) -> Result<String, Failed> {
        unimplemented!()
    }
    /// Reads a (possibly negative) integer literal: `-4`, `0x10`, `true`/`false` not included.
    pub fn parse_integer(&mut self) -> Result<i64, Failed> {
        unimplemented!()
    }
    /// Reads an integer literal if one is next.
    pub fn parse_opt_integer(&mut self) -> Option<Result<i64, Failed>> {
        unimplemented!()
    }
    /// Reads a string literal.
    pub fn parse_string(&mut self) -> Result<String, Failed> {
        unimplemented!()
    }
    /// Reads a string literal if one is next.
    pub fn parse_opt_string(&mut self) -> Option<Result<String, Failed>> {
        unimplemented!()
    }
    /// Reads `element, element, ...` between delimiters.
    pub fn parse_list(
        &mut self,
        _delimiter: Delimiter,
        _element: &mut dyn FnMut(&mut Self) -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        unimplemented!()
    }

    // Types and attributes.

    /// Reads a type.
    pub fn parse_type(&mut self) -> Result<Type, Failed> {
        unimplemented!()
    }
    /// Reads a type if one is next.
    pub fn parse_opt_type(&mut self) -> Option<Result<Type, Failed>> {
        unimplemented!()
    }
    /// Reads `: type`.
    pub fn parse_colon_type(&mut self) -> Result<Type, Failed> {
        unimplemented!()
    }
    /// Reads `type, type, ...` (at least one).
    pub fn parse_type_list(&mut self) -> Result<Vec<Type>, Failed> {
        unimplemented!()
    }
    /// Reads `: type, type, ...`.
    pub fn parse_colon_type_list(&mut self) -> Result<Vec<Type>, Failed> {
        unimplemented!()
    }
    /// Reads `-> type` or `-> (types)`; the arrow may be missing: then empty.
    pub fn parse_opt_arrow_type_list(&mut self) -> Result<Vec<Type>, Failed> {
        unimplemented!()
    }
    /// Reads `-> type` or `-> (types)`.
    pub fn parse_arrow_type_list(&mut self) -> Result<Vec<Type>, Failed> {
        unimplemented!()
    }
    /// Reads `(types) -> types` as a function type's inputs and results.
    pub fn parse_functional_type(&mut self) -> Result<(Vec<Type>, Vec<Type>), Failed> {
        unimplemented!()
    }
    /// Reads an attribute. `ty` is the type of a number without one; with `None` it is i64 or f64.
    pub fn parse_attr(&mut self, _ty: Option<Type>) -> Result<Attr, Failed> {
        unimplemented!()
    }
    /// Reads an attribute if one is next.
    pub fn parse_opt_attr(&mut self, _ty: Option<Type>) -> Option<Result<Attr, Failed>> {
        unimplemented!()
    }
    /// Reads `{name = attr, ...}` into `spec.attrs` if it is next.
    pub fn parse_opt_attr_dict(&mut self, _spec: &mut OpSpec) -> Result<(), Failed> {
        unimplemented!()
    }
    /// Reads `attributes {...}` if it is next.
    pub fn parse_opt_attr_dict_with_keyword(&mut self, _spec: &mut OpSpec) -> Result<(), Failed> {
        unimplemented!()
    }
    /// Reads `<{...}>` properties if next, into `spec.attrs`.
    pub fn parse_opt_properties(&mut self, _spec: &mut OpSpec) -> Result<(), Failed> {
        unimplemented!()
    }
    /// Reads `@name`.
    pub fn parse_symbol_name(&mut self) -> Result<String, Failed> {
        unimplemented!()
    }
    /// Reads `@name` if it is next.
    pub fn parse_opt_symbol_name(&mut self) -> Option<String> {
        unimplemented!()
    }
    /// Reads `@name` or `@a::@b` as a symbol reference attribute.
    pub fn parse_symbol_ref(&mut self) -> Result<Attr, Failed> {
        unimplemented!()
    }
    /// Reads `(d0)[s0] -> (...)` (no `affine_map<>` around).
    pub fn parse_affine_map_body(&mut self) -> Result<AffineMap, Failed> {
        unimplemented!()
    }
    /// Reads `affine_map<...>` or a `#alias` of one.
    pub fn parse_affine_map_attr(&mut self) -> Result<AffineMap, Failed> {
        unimplemented!()
    }
    /// Reads `affine_set<...>` or a `#alias` of one.
    pub fn parse_integer_set_attr(&mut self) -> Result<IntegerSet, Failed> {
        unimplemented!()
    }
    /// Reads `[expr, ...]`-like affine expressions over SSA ids: `%i + 1`, `symbol(%n) floordiv 2`.
    /// Returns the map and the operands for its dimensions and symbols, in that order.
    pub fn parse_affine_map_of_ssa_ids(
        &mut self,
        _delimiter: Delimiter,
    ) -> Result<(AffineMap, Vec<UnresolvedOperand>, Vec<UnresolvedOperand>), Failed> {
        unimplemented!()
    }
    /// Reads `4x?x3` sizes; with `trailing_x` the list ends in `x`, as before an element type.
    pub fn parse_dimension_list(
        &mut self,
        _allow_dynamic: bool,
        _trailing_x: bool,
    ) -> Result<Vec<i64>, Failed> {
        unimplemented!()
    }
    /// Reads `loc(...)` if it is next.
    pub fn parse_opt_loc(&mut self) -> Result<Option<Loc>, Failed> {
        unimplemented!()
    }

    // Values, blocks, regions.

    /// Reads `%value`.
    pub fn parse_operand(&mut self) -> Result<UnresolvedOperand, Failed> {
        unimplemented!()
    }
    /// Reads `%value` if it is next.
    pub fn parse_opt_operand(&mut self) -> Option<Result<UnresolvedOperand, Failed>> {
        unimplemented!()
    }
    /// Reads `%a, %b` between delimiters; with [`Delimiter::None`] the list may be empty.
    pub fn parse_operand_list(
        &mut self,
        _delimiter: Delimiter,
    ) -> Result<Vec<UnresolvedOperand>, Failed> {
        unimplemented!()
    }
    /// Looks a value up (it may be defined later) and appends it to `spec.operands`.
    pub fn resolve(
        &mut self,
        _operand: &UnresolvedOperand,
        _ty: Type,
        _spec: &mut OpSpec,
    ) -> Result<(), Failed> {
        unimplemented!()
    }
    /// Looks up values of one type.
    pub fn resolve_all(
        &mut self,
        _operands: &[UnresolvedOperand],
        _ty: Type,
        _spec: &mut OpSpec,
    ) -> Result<(), Failed> {
        unimplemented!()
    }
    /// Looks up values with one type each; a different number of types is an
    /// error at `loc`: "number of operands and types do not match: got 1 operands and 2 types".
    pub fn resolve_each(
        &mut self,
        _operands: &[UnresolvedOperand],
        _types: &[Type],
        _loc: Loc,
        _spec: &mut OpSpec,
    ) -> Result<(), Failed> {
        unimplemented!()
    }
    /// Looks a value up without adding it to an operation.
    pub fn resolve_value(
        &mut self,
        _operand: &UnresolvedOperand,
        _ty: Type,
    ) -> Result<Value, Failed> {
        unimplemented!()
    }
    /// Reads `^block`.
    pub fn parse_successor(&mut self) -> Result<Block, Failed> {
        unimplemented!()
    }
    /// Reads `^block(%a, %b : types)`; the operands are resolved and returned.
    pub fn parse_successor_with_operands(&mut self) -> Result<(Block, Vec<Value>), Failed> {
        unimplemented!()
    }
    /// Reads `%name`, for a region argument, optionally `: type` and attributes.
    pub fn parse_argument(
        &mut self,
        _with_type: bool,
        _with_attrs: bool,
    ) -> Result<Argument, Failed> {
        unimplemented!()
    }
    /// Reads `%name` as an argument if next.
    pub fn parse_opt_argument(
        &mut self,
        _with_type: bool,
        _with_attrs: bool,
    ) -> Option<Result<Argument, Failed>> {
        unimplemented!()
    }
    /// Reads `%a, %b` arguments between delimiters.
    pub fn parse_argument_list(
        &mut self,
        _delimiter: Delimiter,
        _with_type: bool,
        _with_attrs: bool,
    ) -> Result<Vec<Argument>, Failed> {
        unimplemented!()
    }
    /// Reads `(%a = %init, ...)`: arguments and the values they start with. Types of the arguments are not set.
    pub fn parse_assignment_list(
        &mut self,
    ) -> Result<(Vec<Argument>, Vec<UnresolvedOperand>), Failed> {
        unimplemented!()
    }
    /// Reads `{ ... }` as the next region of the operation, with these entry
    /// arguments (empty: the region may name its own with `^bb0(...)`). A
    /// missing terminator is added if the row has an implicit one; where the
    /// row of the terminator asks for regions, it gets one empty block each.
    pub fn parse_region(
        &mut self,
        _arguments: &[Argument],
        _spec: &mut OpSpec,
    ) -> Result<(), Failed> {
        unimplemented!()
    }
    /// Reads a region if `{` is next; otherwise adds no region.
    pub fn parse_opt_region(
        &mut self,
        _arguments: &[Argument],
        _spec: &mut OpSpec,
    ) -> Result<bool, Failed> {
        unimplemented!()
    }
    /// Adds an empty region (`else` left out).
    pub fn add_empty_region(&mut self, _spec: &mut OpSpec) {
        unimplemented!()
    }
    /// Makes the region read last the first one (`scf.index_switch` writes its default last).
    pub fn move_last_region_to_front(&mut self, _spec: &mut OpSpec) {
        unimplemented!()
    }
    /// Adds a region with one block with these argument types and the implicit terminator
    /// (built by `build` if given), for operations whose body is not written.
    pub fn add_synthesized_region(
        &mut self,
        _argument_types: &[Type],
        _spec: &mut OpSpec,
        _build: &mut dyn FnMut(&mut Ir, Block),
    ) {
        unimplemented!()
    }
    /// Reads a whole operation (used by `linalg.map { arith.addf }`-like short forms): its name and attributes only.
    pub fn parse_op_name(&mut self) -> Result<Name, Failed> {
        unimplemented!()
    }
}
