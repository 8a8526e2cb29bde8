//! What a row may ask of whoever reads and writes its custom form.
//!
//! The parser and the printer implement these traits; rows see nothing else of
//! them, so the IR does not depend on its syntax. `parse_x` must find an `x` or
//! reports and fails; `parse_opt_x` consumes nothing when there is none.

use std::sync::Arc;

use super::affine::AffineMap;
use super::affine::IntegerSet;
use super::attrs::Attr;
use super::context::Context;
use super::data::Ir;
use super::diag::Failed;
use super::edit::OpSpec;
use super::entities::{Block, Op, Region, Value};
use super::location::Loc;
use super::names::Name;
use super::op_def::OpDef;
use super::types::Type;
use super::version::MlirVersion;

/// A value as written: `%name` or `%name#2`, not yet looked up.
#[derive(Clone, Copy, Debug)]
pub struct UnresolvedOperand {
    /// Where its name begins in the source.
    pub(crate) name_start: u32,
    /// Length of its name in bytes.
    pub(crate) name_len: u32,
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
    /// Its type; must be set before [`OpAsmParser::parse_region`].
    pub ty: Type,
    /// Attributes after the type.
    pub attrs: Vec<(Name, Attr)>,
    /// Its location.
    pub loc: Loc,
}

impl Argument {
    /// An argument without a name: only type and attributes.
    pub fn unnamed(ty: Type, attrs: Vec<(Name, Attr)>, loc: Loc) -> Self {
        Self {
            operand: UnresolvedOperand {
                name_start: 0,
                name_len: 0,
                index: 0,
                loc,
            },
            ty,
            attrs,
            loc,
        }
    }
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

/// Reads the custom form of an operation.
pub trait OpAsmParser<'a> {
    /// The shared context.
    fn context(&self) -> &'a Arc<Context>;

    /// The arena that the operation will be part of.
    fn ir(&self) -> &Ir;

    /// Where the name of the operation stands.
    fn name_loc(&self) -> Loc;

    /// Where the next token stands.
    fn loc(&self) -> Loc;

    /// Reports `custom op 'dialect.op' message`.
    fn report(&mut self, loc: Loc, message: String) -> Failed;

    /// Number of results bound on the left of `=` (0 if none are named).
    fn n_result_names(&self) -> usize;

    // Tokens.

    /// Reads one of `( ) [ ] { } < > , : :: = == -> ? * + - | ...` or fails with `expected '<token>'`.
    fn parse_token(&mut self, token: &'static str) -> Result<(), Failed>;

    /// Reads the token if it is next.
    fn parse_opt_token(&mut self, token: &'static str) -> bool;

    /// Whether the token is next.
    fn peek_token(&self, token: &'static str) -> bool;

    /// Whether `%value` is next.
    fn peek_operand(&self) -> bool;

    /// Whether `^block` is next.
    fn peek_successor(&self) -> bool;

    /// Reads this keyword or fails with `expected '<keyword>'`.
    fn parse_keyword(&mut self, keyword: &'static str) -> Result<(), Failed>;

    /// Reads this keyword if it is next.
    fn parse_opt_keyword(&mut self, keyword: &'static str) -> bool;

    /// Whether this keyword is next.
    fn peek_keyword(&self, keyword: &str) -> bool;

    /// Reads any keyword and returns its text, or fails with "expected valid keyword".
    fn parse_any_keyword(&mut self) -> Result<&'a str, Failed>;

    /// Reads any keyword (dotted ones too).
    fn parse_opt_any_keyword(&mut self) -> Option<&'a str>;

    /// Reads a keyword or a string literal.
    fn parse_keyword_or_string(&mut self) -> Result<String, Failed>;

    /// Reads a (possibly negative) integer literal: `-4`, `0x10`, `true`/`false` not included.
    fn parse_integer(&mut self) -> Result<i64, Failed>;

    /// Reads an integer literal if one is next.
    fn parse_opt_integer(&mut self) -> Option<Result<i64, Failed>>;

    /// Reads a (possibly negative) integer literal of up to 64 bits and a sign.
    fn parse_wide_integer(&mut self) -> Result<i128, Failed>;

    /// Reads a string literal. Bytes that are not UTF-8 are replaced.
    fn parse_string(&mut self) -> Result<String, Failed>;

    /// Reads a string literal if one is next.
    fn parse_opt_string(&mut self) -> Option<Result<String, Failed>>;

    /// Reads `element, element, ...` between delimiters.
    fn parse_list(
        &mut self,
        delimiter: Delimiter,
        element: &mut dyn FnMut(&mut dyn OpAsmParser<'a>) -> Result<(), Failed>,
    ) -> Result<(), Failed>;

    /// Reads `[1, 2]`.
    fn parse_integer_list(&mut self) -> Result<Vec<i64>, Failed>;

    // Attributes.

    /// Reads `{name = attr, ...}` into `spec.attrs` if it is next.
    fn parse_opt_attr_dict(&mut self, spec: &mut OpSpec) -> Result<(), Failed>;

    /// Reads `attributes {...}` if it is next.
    fn parse_opt_attr_dict_with_keyword(&mut self, spec: &mut OpSpec) -> Result<(), Failed>;

    /// Reads `{name = attr, ...}` if it is next.
    fn parse_opt_dict(&mut self) -> Result<Vec<(Name, Attr)>, Failed>;

    /// Reads `@name`.
    fn parse_symbol_name(&mut self) -> Result<String, Failed>;

    /// Reads `@name` if it is next.
    fn parse_opt_symbol_name(&mut self) -> Option<String>;

    /// Reads `@name` or `@a::@b` as a symbol reference attribute.
    fn parse_symbol_ref(&mut self) -> Result<Attr, Failed>;

    // Operands.

    /// Reads `%value`.
    fn parse_operand(&mut self) -> Result<UnresolvedOperand, Failed>;

    /// Reads `%value` if it is next.
    fn parse_opt_operand(&mut self) -> Option<Result<UnresolvedOperand, Failed>>;

    /// Reads `%a, %b` between delimiters; with [`Delimiter::None`] the list may be empty.
    fn parse_operand_list(
        &mut self,
        delimiter: Delimiter,
    ) -> Result<Vec<UnresolvedOperand>, Failed>;

    /// Looks a value up (it may be defined later) and appends it to `spec.operands`.
    fn resolve(
        &mut self,
        operand: &UnresolvedOperand,
        ty: Type,
        spec: &mut OpSpec,
    ) -> Result<(), Failed>;

    /// Looks up values of one type.
    fn resolve_all(
        &mut self,
        operands: &[UnresolvedOperand],
        ty: Type,
        spec: &mut OpSpec,
    ) -> Result<(), Failed>;

    /// Looks up values with one type each; a different number of types is an
    /// error at `loc`: "1 operands present, but expected 2".
    fn resolve_each(
        &mut self,
        operands: &[UnresolvedOperand],
        types: &[Type],
        loc: Loc,
        spec: &mut OpSpec,
    ) -> Result<(), Failed>;

    /// Looks a value up without adding it to an operation.
    fn resolve_value(&mut self, operand: &UnresolvedOperand, ty: Type) -> Result<Value, Failed>;

    // Successors.

    /// Reads `^block`.
    fn parse_successor(&mut self) -> Result<Block, Failed>;

    /// Reads `^block(%a, %b : types)`; the operands are resolved and returned.
    fn parse_successor_with_operands(&mut self) -> Result<(Block, Vec<Value>), Failed>;

    // Arguments.

    /// Reads `%name`, for a region argument, optionally `: type` and attributes.
    fn parse_argument(&mut self, with_type: bool, with_attrs: bool) -> Result<Argument, Failed>;

    /// Reads `%name` as an argument if next.
    fn parse_opt_argument(
        &mut self,
        with_type: bool,
        with_attrs: bool,
    ) -> Option<Result<Argument, Failed>>;

    /// Reads `%a, %b` arguments between delimiters; with [`Delimiter::None`] the list may be empty.
    fn parse_argument_list(
        &mut self,
        delimiter: Delimiter,
        with_type: bool,
        with_attrs: bool,
    ) -> Result<Vec<Argument>, Failed>;

    /// Reads `(%a = %init, ...)`: arguments and the values they start with. Types of the arguments are not set.
    fn parse_assignment_list(&mut self) -> Result<(Vec<Argument>, Vec<UnresolvedOperand>), Failed>;

    // Affine maps.

    /// Reads `(d0)[s0] -> (...)` (no `affine_map<>` around).
    fn parse_affine_map_body(&mut self) -> Result<AffineMap, Failed>;

    /// Reads `affine_map<...>` or a `#alias` of one.
    fn parse_affine_map_attr(&mut self) -> Result<AffineMap, Failed>;

    /// Reads `affine_set<...>` or a `#alias` of one.
    fn parse_integer_set_attr(&mut self) -> Result<IntegerSet, Failed>;

    /// Reads `[expr, ...]`-like affine expressions over SSA ids: `%i + 1`, `symbol(%n) floordiv 2`.
    /// Returns the map and the operands for its dimensions and symbols, in that order.
    fn parse_affine_map_of_ssa_ids(
        &mut self,
        delimiter: Delimiter,
    ) -> Result<(AffineMap, Vec<UnresolvedOperand>, Vec<UnresolvedOperand>), Failed>;

    /// Reads one affine expression over SSA ids, as a map with one result.
    fn parse_affine_expr_of_ssa_ids(
        &mut self,
    ) -> Result<(AffineMap, Vec<UnresolvedOperand>, Vec<UnresolvedOperand>), Failed>;

    // Attributes, locations and properties in full.

    /// Reads an attribute. `ty` is the type of a number without one; with `None` it is i64 or f64.
    fn parse_attr(&mut self, ty: Option<Type>) -> Result<Attr, Failed>;

    /// Reads `<...>`, `[...]` or `{...}` as a part of an attribute of a dialect that is kept as text, which has `before` in
    /// front of it and `behind` at its end.
    fn parse_attr_text(
        &mut self,
        dialect: &str,
        before: &str,
        behind: &str,
    ) -> Result<Attr, Failed>;

    /// Reads an attribute if one is next.
    fn parse_opt_attr(&mut self, ty: Option<Type>) -> Option<Result<Attr, Failed>>;

    /// Reads `loc(...)` if it is next.
    fn parse_opt_loc(&mut self) -> Result<Option<Loc>, Failed>;

    /// Reads `<{...}>` properties if next, into `spec.attrs`.
    fn parse_opt_properties(&mut self, spec: &mut OpSpec) -> Result<(), Failed>;

    /// Reads the name of an operation (used by `linalg.map { arith.addf }`-like
    /// short forms), registered or in need of the default dialect.
    fn parse_op_name(&mut self) -> Result<Name, Failed>;

    // Regions.

    /// Reads `{ ... }` as the next region of the operation, with these entry
    /// arguments (empty: the region may name its own with `^bb0(...)`). A
    /// missing terminator is added if the row has an implicit one; where the
    /// row of the terminator asks for regions, it gets one empty block each.
    fn parse_region(&mut self, arguments: &[Argument], spec: &mut OpSpec) -> Result<(), Failed>;

    /// Reads `{ ... }` as the next region; an empty one gets a block.
    fn parse_region_with_block(&mut self, spec: &mut OpSpec) -> Result<(), Failed>;

    /// Ends the region read last with `terminator`, which gets the results of the last operation,
    /// unless there is a terminator.
    fn terminate_with_results(&mut self, terminator: &'static OpDef, spec: &OpSpec);

    /// Whether the region read last has no blocks.
    fn last_region_is_empty(&self) -> bool;

    /// Reads a region if `{` is next; otherwise adds no region.
    fn parse_opt_region(
        &mut self,
        arguments: &[Argument],
        spec: &mut OpSpec,
    ) -> Result<bool, Failed>;

    /// Adds an empty region (`else` left out).
    fn add_empty_region(&mut self, _spec: &mut OpSpec);

    /// Makes the region read last the first one (`scf.index_switch` writes its default last).
    fn move_last_region_to_front(&mut self, _spec: &mut OpSpec);

    /// Adds a region with one block with these argument types and the implicit terminator
    /// (built by `build` if given), for operations whose body is not written.
    fn add_synthesized_region(
        &mut self,
        argument_types: &[Type],
        _spec: &mut OpSpec,
        build: &mut dyn FnMut(&mut Ir, Block),
    );

    // Types.

    /// Reads a type.
    fn parse_type(&mut self) -> Result<Type, Failed>;

    /// Reads a type if one is next.
    fn parse_opt_type(&mut self) -> Option<Result<Type, Failed>>;

    /// Reads `(types) -> types` as a function type's inputs and results.
    fn parse_functional_type(&mut self) -> Result<(Vec<Type>, Vec<Type>), Failed>;

    /// Reads `4x?x3` sizes; with `trailing_x` the list ends in `x`, as before an element type.
    fn parse_dimension_list(
        &mut self,
        allow_dynamic: bool,
        trailing_x: bool,
    ) -> Result<Vec<i64>, Failed>;

    /// Reads `: type`.
    fn parse_colon_type(&mut self) -> Result<Type, Failed>;

    /// Reads `type, type, ...` (at least one).
    fn parse_type_list(&mut self) -> Result<Vec<Type>, Failed>;

    /// Reads `: type, type, ...`.
    fn parse_colon_type_list(&mut self) -> Result<Vec<Type>, Failed>;

    /// Reads `-> type` or `-> (types)`; the arrow may be missing: then empty.
    fn parse_opt_arrow_type_list(&mut self) -> Result<Vec<Type>, Failed>;

    /// Reads `-> type` or `-> (types)`.
    fn parse_arrow_type_list(&mut self) -> Result<Vec<Type>, Failed>;
}

impl<'a> dyn OpAsmParser<'a> + '_ {
    /// Reports an error: `custom op 'dialect.op' message`.
    pub fn error(&mut self, loc: Loc, message: impl Into<String>) -> Failed {
        self.report(loc, message.into())
    }
}

/// Writes the custom form of an operation. Text goes out as given: spaces are
/// the caller's.
pub trait OpAsmPrinter {
    /// Whose text is written.
    fn mlir_version(&self) -> MlirVersion;

    // Text.

    /// Writes text.
    fn text(&mut self, text: &str);

    /// Writes a number.
    fn integer(&mut self, value: i64);

    /// A line break and the current indentation.
    fn newline(&mut self);

    /// Writes with one more level of indentation after line breaks.
    fn indented(&mut self, write: &mut dyn FnMut(&mut dyn OpAsmPrinter));

    /// Writes a string literal with quotes and escapes.
    fn string(&mut self, text: &str);

    /// Writes a keyword, or a string literal if it is none.
    fn keyword_or_string(&mut self, text: &str);

    /// Writes `@name`, quoted if needed.
    fn symbol_name(&mut self, name: &str);

    // Values.

    /// Writes `%value`.
    fn value(&mut self, value: Value);

    /// Writes `%a, %b`.
    fn values(&mut self, values: &[Value]);

    /// Writes `[1, 2]`.
    fn integer_list(&mut self, integers: &[i64]);

    /// Gives the arguments of a region entry block the names of other values (isolated operations that shadow).
    fn shadow(&mut self, arguments: &[Value], values: &[Value]);

    /// Writes `%arg : type` (and `loc` with debug info).
    fn region_argument(&mut self, ir: &Ir, value: Value);

    /// Writes `%arg : type {attrs}` (and `loc` with debug info).
    fn region_argument_with_attrs(&mut self, ir: &Ir, value: Value, attrs: &[(Name, Attr)]);

    // Types and attributes.

    /// Writes types separated by commas.
    fn types(&mut self, types: &[Type]);

    /// Writes the types of values separated by commas.
    fn types_of(&mut self, ir: &Ir, values: &[Value]);

    /// Writes ` -> type` or ` -> (types)`; nothing without types.
    fn opt_arrow_types(&mut self, types: &[Type]);

    /// Writes `(types) -> types`.
    fn functional_type(&mut self, inputs: &[Type], results: &[Type]);

    /// Writes an attribute with its type.
    fn attr(&mut self, attr: Attr);

    /// Writes an attribute without its trailing type.
    fn attr_without_type(&mut self, attr: Attr);

    /// Writes ` {...}` with all attributes but these; nothing if none are left.
    fn opt_attr_dict(&mut self, ir: &Ir, op: Op, except: &[Name]);

    /// Writes ` attributes {...}` with all attributes but these; nothing if none are left.
    fn opt_attr_dict_with_keyword(&mut self, ir: &Ir, op: Op, except: &[Name]);

    /// Writes `{a = 1}` for these entries.
    fn dict(&mut self, entries: &[(Name, Attr)]);

    // Blocks and regions.

    /// Writes `^bb1`.
    fn successor(&mut self, block: Block);

    /// Writes `^bb1(%a : type)`.
    fn successor_with_operands(&mut self, ir: &Ir, block: Block, operands: &[Value]);

    /// Writes `{ ... }`. `entry_args`: whether `^bb0(...)` is written when the entry block has
    /// arguments; `terminators`: whether the terminator of a single-block region is written when it
    /// has neither operands nor attributes.
    fn region(&mut self, ir: &Ir, region: Region, entry_args: bool, terminators: bool);

    // Operations.

    /// Writes an operation in generic form (for `op { ... }` short forms that embed one).
    fn generic_op(&mut self, ir: &Ir, op: Op);

    /// Writes an operation without its results, for forms that hold one between braces on a line.
    fn inline_op(&mut self, ir: &Ir, op: Op);

    /// Writes an affine expression map over SSA values: `%i + 1, symbol(%n)`.
    fn affine_map_of_ssa_ids(&mut self, map: &AffineMap, operands: &[Value]);

    /// Writes a type.
    fn ty(&mut self, ty: Type);

    /// Writes `4x?` without a trailing `x`.
    fn dimension_list(&mut self, shape: &[i64]);
}
