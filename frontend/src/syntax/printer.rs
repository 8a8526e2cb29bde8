//! The printer. SKELETON: signatures that dialects program against.

use crate::ir::affine::AffineMap;
use crate::ir::attrs::Attr;
use crate::ir::data::Ir;
use crate::ir::entities::{Block, Op, Region, Value};
use crate::ir::names::Name;
use crate::ir::types::Type;

/// How to print.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct PrintOptions {
    /// Every operation in generic form.
    pub generic: bool,
    /// Locations after every operation.
    pub debug_info: bool,
    /// No nested regions.
    pub skip_regions: bool,
    /// Values numbered per operation, aliases off: for diagnostics.
    pub local_scope: bool,
    /// Elide dense attributes with more elements than this.
    pub elide_elements_larger_than: Option<usize>,
}

/// What the print function of an operation writes to. Text goes out as given:
/// spaces are the caller's.
pub struct OpPrinter<'a> {
    _skeleton: &'a (),
}

/// The text of a whole arena.
pub fn print(_ir: &Ir, _options: PrintOptions) -> String {
    unimplemented!()
}
/// The text of one operation (for diagnostics and tests).
pub fn print_op(_ir: &Ir, _op: Op, _options: PrintOptions) -> String {
    unimplemented!()
}
/// The text of a type.
pub fn type_to_string(_context: &crate::ir::context::Context, _ty: Type) -> String {
    unimplemented!()
}
/// The text of an attribute, with its type where it has one.
pub fn attr_to_string(_context: &crate::ir::context::Context, _attr: Attr) -> String {
    unimplemented!()
}

impl OpPrinter<'_> {
    /// Writes text.
    pub fn text(&mut self, _text: &str) {
        unimplemented!()
    }
    /// Writes `%value`.
    pub fn value(&mut self, _value: Value) {
        unimplemented!()
    }
    /// Writes `%a, %b`.
    pub fn values(&mut self, _values: &[Value]) {
        unimplemented!()
    }
    /// Writes a type.
    pub fn ty(&mut self, _ty: Type) {
        unimplemented!()
    }
    /// Writes types separated by commas.
    pub fn types(&mut self, _types: &[Type]) {
        unimplemented!()
    }
    /// Writes the types of values separated by commas.
    pub fn types_of(&mut self, _ir: &Ir, _values: &[Value]) {
        unimplemented!()
    }
    /// Writes ` -> type` or ` -> (types)`; nothing without types.
    pub fn opt_arrow_types(&mut self, _types: &[Type]) {
        unimplemented!()
    }
    /// Writes `(types) -> types`.
    pub fn functional_type(&mut self, _inputs: &[Type], _results: &[Type]) {
        unimplemented!()
    }
    /// Writes an attribute with its type.
    pub fn attr(&mut self, _attr: Attr) {
        unimplemented!()
    }
    /// Writes an attribute without its trailing type.
    pub fn attr_without_type(&mut self, _attr: Attr) {
        unimplemented!()
    }
    /// Writes ` {...}` with all attributes but these; nothing if none are left.
    pub fn opt_attr_dict(&mut self, _ir: &Ir, _op: Op, _except: &[Name]) {
        unimplemented!()
    }
    /// Writes ` attributes {...}` with all attributes but these; nothing if none are left.
    pub fn opt_attr_dict_with_keyword(&mut self, _ir: &Ir, _op: Op, _except: &[Name]) {
        unimplemented!()
    }
    /// Writes `{a = 1}` for these entries.
    pub fn dict(&mut self, _entries: &[(Name, Attr)]) {
        unimplemented!()
    }
    /// Writes `@name`, quoted if needed.
    pub fn symbol_name(&mut self, _name: &str) {
        unimplemented!()
    }
    /// Writes a string literal with quotes and escapes.
    pub fn string(&mut self, _text: &str) {
        unimplemented!()
    }
    /// Writes a keyword, or a string literal if it is none.
    pub fn keyword_or_string(&mut self, _text: &str) {
        unimplemented!()
    }
    /// Writes `^bb1`.
    pub fn successor(&mut self, _block: Block) {
        unimplemented!()
    }
    /// Writes `^bb1(%a : type)`.
    pub fn successor_with_operands(&mut self, _ir: &Ir, _block: Block, _operands: &[Value]) {
        unimplemented!()
    }
    /// Writes `{ ... }`. `entry_args`: whether `^bb0(...)` is written when the entry block has
    /// arguments; `terminators`: whether the terminator of a single-block region is written when it
    /// has neither operands nor attributes.
    pub fn region(&mut self, _ir: &Ir, _region: Region, _entry_args: bool, _terminators: bool) {
        unimplemented!()
    }
    /// Writes `%arg : type` (and `loc` with debug info).
    pub fn region_argument(&mut self, _ir: &Ir, _value: Value) {
        unimplemented!()
    }
    /// Gives the arguments of a region entry block the names of other values (isolated operations that shadow).
    pub fn shadow(&mut self, _arguments: &[Value], _values: &[Value]) {
        unimplemented!()
    }
    /// Writes an affine expression map over SSA values: `%i + 1, symbol(%n)`.
    pub fn affine_map_of_ssa_ids(&mut self, _map: &AffineMap, _operands: &[Value]) {
        unimplemented!()
    }
    /// Writes `4x?` without a trailing `x`.
    pub fn dimension_list(&mut self, _shape: &[i64]) {
        unimplemented!()
    }
    /// Writes an operation in generic form (for `op { ... }` short forms that embed one).
    pub fn generic_op(&mut self, _ir: &Ir, _op: Op) {
        unimplemented!()
    }
    /// A line break and the current indentation.
    pub fn newline(&mut self) {
        unimplemented!()
    }
}
