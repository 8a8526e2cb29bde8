//! Declared formats: the custom form of an operation as one text that both
//! parsing and printing follow.
//!
//! The language is that of upstream's `assemblyFormat`:
//!
//! ```text
//! $memref `[` $indices `]` attr-dict `:` type($memref) where $result = element($memref)
//! ```
//!
//! - `` `x` `` is a word or punctuation, `` ` ` `` a blank and ` `` ` none where
//!   there would be one;
//! - `$x` is an operand group or an attribute, `operands` all operands;
//! - `type($x)`, `type(operands)`, `type(results)` and `functional-type(a, b)` are types;
//! - `attr-dict` and `attr-dict-with-keyword` are the attributes that nothing else is;
//! - `arrow-types` is `-> types` of all results, or nothing without results; printed
//!   `-> (types)` always as `arrow-type-list`;
//! - `successor($x)` is the next successor with the operands handed to it;
//! - `affine-subscripts($x, $map)` is `[%i + 1]`, with the map in an attribute;
//! - `affine-operands($x, $map)` is `affine_map<...>(%dims)[%symbols]`;
//! - `mixed-list($x, $static_x)` is `[%a, 4]`;
//! - `region` is the next region, `regions` are all others with commas between;
//! - `custom<Name>` is a [`CustomDirective`] that the row brings along;
//! - `(a b^ c)?` is there when `b` is, and `(a b^):(c)?` is `c` when `b` is not;
//! - `mlir-22` says that what it stands in is text of MLIR 22: in an optional part it decides, as
//!   `^` does, whether the part is printed.
//!
//! After `where` stand the types that the text does not spell out. A type that
//! neither the text nor such a rule gives is what [`OpDef::infer_results`]
//! computes, or the only one its constraint accepts.
//!
//! A format is compiled together with its row: one that is wrong, or that names
//! what the row does not have, does not build.

use super::asm::{OpAsmParser, OpAsmPrinter, UnresolvedOperand};
use super::data::Ir;
use super::diag::Failed;
use super::edit::OpSpec;
use super::entities::{Op, Value};
use super::location::Loc;
use super::names::{Name, WELL_KNOWN};
use super::op_def::{AttrSpec, OpDef, ValueSpec};
use super::types::Type;
use smallvec::SmallVec;

/// How many items, rules and attributes a format may have.
const MAX_ITEMS: usize = 32;
const MAX_RULES: usize = 4;
const MAX_ATTRS: usize = 8;

/// Values of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// An operand group.
    Operand(u8),
    /// A result group.
    Result(u8),
    /// All operands.
    Operands,
    /// All results.
    Results,
    /// The attribute with this name, as far as its type goes.
    Attr(Name),
}

/// When the group of an optional part is there.
#[derive(Clone, Copy, Debug)]
pub enum Anchor {
    /// When these values are not none.
    Values(Values),
    /// When the attribute is present.
    Attr(Name),
    /// When the region at hand is not empty.
    Region,
    /// When text of MLIR 22 is printed.
    Mlir22,
}

/// One step of a format.
#[derive(Clone, Copy, Debug)]
pub enum Item {
    /// A word.
    Keyword(&'static str),
    /// Punctuation.
    Token(&'static str),
    /// White space that is only printed.
    Blank,
    /// Operands.
    Operands(Values),
    /// An attribute.
    Attr(Name),
    /// Types.
    Types(Values),
    /// `(types) -> types`
    FunctionalType(Values, Values),
    /// The other attributes; whether after the word `attributes`.
    AttrDict(bool),
    /// `[%a, 4]`: an operand group and the `array<i64>` that says where its members stand.
    MixedList(u8, Name),
    /// `-> type` or `-> (types)` of all results; nothing if there are none. Whether a single type
    /// is printed in parentheses too.
    ArrowTypes(bool),
    /// `affine_map<...>(%dims)[%symbols]`: an operand group and the map that is applied to it.
    AffineOperands(u8, Name),
    /// `[%i + 1, %j]`: an operand group and the map that makes subscripts of it.
    AffineSubscripts(u8, Name),
    /// The next successor, and the operand group handed to it.
    Successor(u8),
    /// The next region.
    Region,
    /// All other regions.
    Regions,
    /// Nothing; text of MLIR 22 is read.
    Mlir22,
    /// A part with functions of its own.
    Custom(&'static CustomDirective),
    /// The next `n_then` items are there when the anchor is, and the `n_else`
    /// items after them when it is not.
    Optional {
        /// What decides when printing. When parsing the first item does.
        anchor: Anchor,
        /// Number of items if so.
        n_then: u8,
        /// Number of items if not.
        n_else: u8,
    },
}

/// A part of a format that no other directive can say. A row hands those that its format names to
/// [`OpDef::with_custom_format`].
pub struct CustomDirective {
    /// Its name in the format: `custom<Name>`.
    pub name: &'static str,
    /// The attributes that it writes; the dictionary leaves them out.
    pub attributes: &'static [Name],
    /// Reads the part.
    pub parse: fn(&mut dyn OpAsmParser<'_>, &mut OpSpec, &mut ParsedParts) -> Result<(), Failed>,
    /// Writes the part.
    pub print: fn(&mut dyn OpAsmPrinter, &Ir, Op),
}

impl std::fmt::Debug for CustomDirective {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CustomDirective({})", self.name)
    }
}

/// How a type follows from another one.
#[derive(Clone, Copy, Debug)]
pub enum Derivation {
    /// It is the same.
    Same,
    /// It is the type of the elements.
    Element,
    /// It is `i1`, or of the same shape with elements `i1`.
    Bool,
    /// They are the inputs of a function.
    Inputs,
    /// They are the results of a function.
    Outputs,
    /// It is the tensor with the shape and elements of a memref.
    Tensor,
}

/// The type of values that are not written.
#[derive(Clone, Copy, Debug)]
pub struct TypeRule {
    /// Whose type it is.
    pub of: Values,
    /// From whose type it follows.
    pub from: Values,
    /// How.
    pub by: Derivation,
}

/// A compiled format. See the module doc.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// As it was declared.
    pub text: &'static str,
    /// The items, with whether a blank is printed in front.
    items: [(Item, bool); MAX_ITEMS],
    n_items: u8,
    rules: [TypeRule; MAX_RULES],
    n_rules: u8,
    attrs: [Name; MAX_ATTRS],
    n_attrs: u8,
}

/// What has been read of an operation whose operands are not resolved yet.
#[derive(Debug, Default)]
pub struct ParsedParts {
    /// The operands and the groups they are of, in the order of the text.
    pub operands: SmallVec<[(u8, UnresolvedOperand); 4]>,
    /// Where the operands of groups begin.
    pub locs: SmallVec<[(u8, Loc); 2]>,
    /// The operands that stand with their types, and the groups they are of.
    pub resolved: SmallVec<[(u8, Value); 1]>,
    /// The types that are written, and the group of operands or results they are of.
    pub types: SmallVec<[(Values, Type); 2]>,
    /// The groups whose types are written; there may be none.
    pub typed: SmallVec<[Values; 2]>,
    /// Operands of all groups in one list, where the format has them so.
    pub all_operands: Option<(Vec<UnresolvedOperand>, Loc)>,
    /// Types of all operands in one list.
    pub all_operand_types: Option<Vec<Type>>,
    /// Types of all results in one list.
    pub all_result_types: Option<Vec<Type>>,
    /// Whether the operands were looked up when a region began.
    pub are_resolved: bool,
}

impl ParsedParts {
    /// The operands of a group.
    pub fn operands_of(&self, group: u8) -> SmallVec<[UnresolvedOperand; 2]> {
        let operands = self.operands.iter().filter(|entry| entry.0 == group);
        operands.map(|entry| entry.1).collect()
    }

    /// Where the operands of a group begin; the operation, if none are written.
    pub fn loc_of(&self, p: &dyn OpAsmParser<'_>, group: u8) -> Loc {
        let written = self.locs.iter().find(|entry| entry.0 == group);
        written.map_or_else(|| p.name_loc(), |entry| entry.1)
    }

    /// Whether the types of a group are written.
    pub fn is_typed(&self, values: Values) -> bool {
        self.typed.contains(&values)
    }

    /// The types that are written for a group.
    pub fn types_of(&self, values: Values) -> SmallVec<[Type; 2]> {
        let types = self.types.iter().filter(|entry| entry.0 == values);
        types.map(|entry| entry.1).collect()
    }

    /// The first type that is written for a group.
    pub fn type_of(&self, values: Values) -> Option<Type> {
        let found = self.types.iter().find(|entry| entry.0 == values)?;
        Some(found.1)
    }
}

impl Format {
    /// The items, each with whether a blank is printed in front.
    pub fn items(&self) -> &[(Item, bool)] {
        &self.items[..self.n_items as usize]
    }

    /// The types that the text does not spell out.
    pub fn rules(&self) -> &[TypeRule] {
        &self.rules[..self.n_rules as usize]
    }

    /// The attributes that are written outside of the dictionary.
    pub fn attrs(&self) -> &[Name] {
        &self.attrs[..self.n_attrs as usize]
    }
}

impl OpDef {
    /// The row with a declared format.
    ///
    /// # Panics
    /// While the row is compiled, if the format is wrong.
    #[must_use]
    pub const fn with_format(self, text: &'static str) -> Self {
        self.with_custom_format(text, &[])
    }

    /// The row with a declared format that names these custom parts.
    ///
    /// # Panics
    /// While the row is compiled, if the format is wrong.
    #[must_use]
    pub const fn with_custom_format(
        mut self,
        text: &'static str,
        directives: &'static [&'static CustomDirective],
    ) -> Self {
        let compiler = Compiler {
            rest: text,
            directives,
            operands: self.operands,
            results: self.results,
            attributes: self.attributes,
            format: Format {
                text,
                items: [(Item::Blank, false); MAX_ITEMS],
                n_items: 0,
                rules: [TypeRule {
                    of: Values::Results,
                    from: Values::Results,
                    by: Derivation::Same,
                }; MAX_RULES],
                n_rules: 0,
                attrs: [Name::OPERAND_SEGMENT_SIZES; MAX_ATTRS],
                // Segments are never written.
                n_attrs: 1,
            },
            wants_blank: true,
            after_punctuation: false,
            anchor: None,
        };
        self.format = Some(compiler.run());
        self
    }
}

/// Reads the text of a format while the row is compiled.
struct Compiler {
    rest: &'static str,
    directives: &'static [&'static CustomDirective],
    operands: &'static [ValueSpec],
    results: &'static [ValueSpec],
    attributes: &'static [AttrSpec],
    format: Format,
    /// Upstream's rules for blanks: whether the next item wants one in front,
    /// and whether the last one was punctuation.
    wants_blank: bool,
    after_punctuation: bool,
    anchor: Option<Anchor>,
}

const fn is_equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

const fn is_one_of(byte: u8, bytes: &[u8]) -> bool {
    let mut i = 0;
    while i < bytes.len() {
        if bytes[i] == byte {
            return true;
        }
        i += 1;
    }
    false
}

impl Compiler {
    const fn run(mut self) -> Format {
        self.items();
        if self.take("where") {
            self.rules();
        }
        self.skip_blanks();
        assert!(self.rest.is_empty(), "the format ends early");
        self.format
    }

    const fn skip_blanks(&mut self) {
        let bytes = self.rest.as_bytes();
        let mut n = 0;
        while n < bytes.len() && is_one_of(bytes[n], b" \n") {
            n += 1;
        }
        self.rest = self.rest.split_at(n).1;
    }

    /// Takes `n` bytes.
    const fn cut(&mut self, n: usize) -> &'static str {
        let (head, rest) = self.rest.split_at(n);
        self.rest = rest;
        head
    }

    /// Whether `text` is next; then takes it.
    const fn take(&mut self, text: &str) -> bool {
        self.skip_blanks();
        if self.rest.len() < text.len() || !is_equal(self.rest.split_at(text.len()).0, text) {
            return false;
        }
        self.cut(text.len());
        true
    }

    const fn expect(&mut self, text: &str) {
        assert!(self.take(text), "the format lacks punctuation");
    }

    /// The bytes of a name that are next.
    const fn word(&mut self) -> &'static str {
        let bytes = self.rest.as_bytes();
        let mut n = 0;
        while n < bytes.len() && (bytes[n].is_ascii_alphanumeric() || is_one_of(bytes[n], b"_-.")) {
            n += 1;
        }
        self.cut(n)
    }

    const fn push(&mut self, item: Item, blank: bool) {
        assert!(
            (self.format.n_items as usize) < MAX_ITEMS,
            "the format is too long"
        );
        self.format.items[self.format.n_items as usize] = (item, blank);
        self.format.n_items += 1;
    }

    /// Adds a part that is neither a literal nor white space.
    const fn push_part(&mut self, item: Item) {
        let blank = self.wants_blank || !self.after_punctuation;
        self.push(item, blank);
        self.wants_blank = true;
        self.after_punctuation = false;
    }

    const fn items(&mut self) {
        loop {
            self.skip_blanks();
            if self.rest.is_empty() {
                return;
            }
            match self.rest.as_bytes()[0] {
                b')' => return,
                b'w' => return,
                b'`' => self.literal(),
                b'(' => self.optional(),
                b'^' => {
                    self.cut(1);
                    assert!(self.format.n_items > 0);
                    let anchor = match self.format.items[self.format.n_items as usize - 1].0 {
                        Item::Operands(values) | Item::Types(values) => Anchor::Values(values),
                        Item::MixedList(group, _) => Anchor::Values(Values::Operand(group)),
                        Item::Attr(name) => Anchor::Attr(name),
                        Item::Region => Anchor::Region,
                        _ => panic!("this is no anchor"),
                    };
                    self.anchor = Some(anchor);
                }
                b'$' => {
                    self.cut(1);
                    let name = self.word();
                    if let Some(group) = find(self.operands, name) {
                        self.push_part(Item::Operands(Values::Operand(group)));
                    } else {
                        let name = self.attr(name);
                        self.push_part(Item::Attr(name));
                    }
                }
                _ => self.directive(),
            }
        }
    }

    const fn directive(&mut self) {
        let word = self.word();
        if is_equal(word, "attr-dict") {
            self.push(Item::AttrDict(false), false);
            self.wants_blank = true;
            self.after_punctuation = false;
        } else if is_equal(word, "attr-dict-with-keyword") {
            self.push(Item::AttrDict(true), false);
            self.wants_blank = true;
            self.after_punctuation = false;
        } else if is_equal(word, "operands") {
            self.push_part(Item::Operands(Values::Operands));
        } else if is_equal(word, "arrow-types") || is_equal(word, "arrow-type-list") {
            let in_parentheses = is_equal(word, "arrow-type-list");
            self.push(Item::ArrowTypes(in_parentheses), false);
            self.wants_blank = true;
            self.after_punctuation = false;
        } else if is_equal(word, "region") {
            self.push_part(Item::Region);
        } else if is_equal(word, "regions") {
            self.push_part(Item::Regions);
        } else if is_equal(word, "type") {
            self.expect("(");
            let values = self.values();
            self.expect(")");
            self.push_part(Item::Types(values));
        } else if is_equal(word, "functional-type") {
            self.expect("(");
            let inputs = self.values();
            self.expect(",");
            let results = self.values();
            self.expect(")");
            self.push_part(Item::FunctionalType(inputs, results));
        } else if is_equal(word, "mixed-list") {
            let (group, name) = self.group_and_attr();
            self.push_part(Item::MixedList(group, name));
        } else if is_equal(word, "affine-operands") {
            let (group, name) = self.group_and_attr();
            self.push_part(Item::AffineOperands(group, name));
        } else if is_equal(word, "affine-subscripts") {
            let (group, name) = self.group_and_attr();
            self.push(Item::AffineSubscripts(group, name), false);
            self.wants_blank = true;
            self.after_punctuation = true;
        } else if is_equal(word, "successor") {
            self.expect("(");
            let Values::Operand(group) = self.values() else {
                panic!("a successor gets an operand group");
            };
            self.expect(")");
            self.push_part(Item::Successor(group));
        } else if is_equal(word, "custom") {
            self.expect("<");
            let name = self.word();
            self.expect(">");
            self.custom(name);
        } else if is_equal(word, "mlir-22") {
            self.push(Item::Mlir22, false);
            self.anchor = Some(Anchor::Mlir22);
        } else {
            panic!("the format has an unknown directive");
        }
    }

    /// `custom<name>`
    const fn custom(&mut self, name: &str) {
        let mut i = 0;
        let directive = loop {
            assert!(i < self.directives.len(), "the format has an unknown part");
            if is_equal(self.directives[i].name, name) {
                break self.directives[i];
            }
            i += 1;
        };
        let mut i = 0;
        while i < directive.attributes.len() {
            self.attr(WELL_KNOWN[directive.attributes[i].0 as usize]);
            i += 1;
        }
        self.push_part(Item::Custom(directive));
    }

    /// `($x, $attribute)`
    const fn group_and_attr(&mut self) -> (u8, Name) {
        self.expect("(");
        let Values::Operand(group) = self.values() else {
            panic!("the directive is of an operand group");
        };
        self.expect(",");
        self.expect("$");
        let name = self.word();
        let name = self.attr(name);
        self.expect(")");
        (group, name)
    }

    /// Upstream's `shouldEmitSpaceBefore` and what follows from it.
    const fn literal(&mut self) {
        self.cut(1);
        let bytes = self.rest.as_bytes();
        let mut n = 0;
        while bytes[n] != b'`' {
            n += 1;
        }
        let text = self.cut(n);
        self.cut(1);
        if text.is_empty() {
            self.wants_blank = false;
            self.after_punctuation = true;
            return;
        }
        if is_equal(text, " ") {
            self.push(Item::Blank, false);
            self.wants_blank = false;
            self.after_punctuation = true;
            return;
        }
        let first = text.as_bytes()[0];
        let blank = if text.len() != 1 && !is_equal(text, "->") {
            true
        } else if self.after_punctuation {
            !is_one_of(first, b">)}],")
        } else {
            !is_one_of(first, b"<>(){}[],")
        };
        let is_word = first == b'_' || first.is_ascii_alphabetic();
        let item = match is_word {
            true => Item::Keyword(text),
            false => Item::Token(text),
        };
        self.push(item, self.wants_blank && blank);
        self.wants_blank = text.len() != 1 || !is_one_of(first, b"<({[");
        self.after_punctuation = !is_word;
    }

    const fn optional(&mut self) {
        self.expect("(");
        let at = self.format.n_items as usize;
        self.push(Item::Blank, false);
        self.items();
        self.expect(")");
        let n_then = self.format.n_items - at as u8 - 1;
        let mut n_else = 0;
        if self.take(":") {
            self.expect("(");
            self.items();
            self.expect(")");
            n_else = self.format.n_items - at as u8 - 1 - n_then;
        }
        self.expect("?");
        let Some(anchor) = self.anchor else {
            panic!("an optional part has no anchor");
        };
        self.anchor = None;
        self.format.items[at].0 = Item::Optional {
            anchor,
            n_then,
            n_else,
        };
    }

    const fn values(&mut self) -> Values {
        if self.take("operands") {
            return Values::Operands;
        }
        if self.take("results") {
            return Values::Results;
        }
        self.expect("$");
        let name = self.word();
        if let Some(group) = find(self.operands, name) {
            return Values::Operand(group);
        }
        match find(self.results, name) {
            Some(group) => Values::Result(group),
            None => Values::Attr(self.attr_name(name)),
        }
    }

    /// The attribute of the row with this name.
    const fn attr_name(&self, name: &str) -> Name {
        let mut i = 0;
        while i < self.attributes.len() {
            let found = self.attributes[i].name;
            if is_equal(WELL_KNOWN[found.0 as usize], name) {
                return found;
            }
            i += 1;
        }
        panic!("the format names what the row does not have");
    }

    /// The attribute of the row with this name, which the dictionary leaves out from now on.
    const fn attr(&mut self, name: &str) -> Name {
        let found = self.attr_name(name);
        assert!((self.format.n_attrs as usize) < MAX_ATTRS);
        self.format.attrs[self.format.n_attrs as usize] = found;
        self.format.n_attrs += 1;
        found
    }

    /// `$a = element($b), $c = type($b)`
    const fn rules(&mut self) {
        loop {
            let of = self.values();
            self.expect("=");
            self.skip_blanks();
            let word = self.word();
            let by = if is_equal(word, "type") {
                Derivation::Same
            } else if is_equal(word, "element") {
                Derivation::Element
            } else if is_equal(word, "bool") {
                Derivation::Bool
            } else if is_equal(word, "inputs") {
                Derivation::Inputs
            } else if is_equal(word, "outputs") {
                Derivation::Outputs
            } else if is_equal(word, "tensor") {
                Derivation::Tensor
            } else {
                panic!("the format has an unknown rule");
            };
            self.expect("(");
            let from = self.values();
            self.expect(")");
            self.format.rules[self.format.n_rules as usize] = TypeRule { of, from, by };
            self.format.n_rules += 1;
            if !self.take(",") {
                return;
            }
        }
    }
}

/// The index of the group with this name.
const fn find(specs: &[ValueSpec], name: &str) -> Option<u8> {
    let mut i = 0;
    while i < specs.len() {
        if is_equal(specs[i].name, name) {
            return Some(i as u8);
        }
        i += 1;
    }
    None
}
