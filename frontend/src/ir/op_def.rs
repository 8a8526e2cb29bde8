//! One static row per operation: its name, shape, traits, text form, rules,
//! effects, folding, canonicalization and interfaces.
//!
//! Passes ask the row ("does it view its operand?"), not the name. A dialect
//! is a list of rows ([`DialectDef`]); third parties write theirs in the same
//! way and hand them to [`Context::with_dialects`].

use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::asm::{OpAsmParser, OpAsmPrinter};
use super::attrs::Attr;
use super::bytecode_interface::BytecodeDialectInterface;
use super::context::Context;
use super::data::Ir;
use super::declared::{Declared, DeclaredDialect};
use super::diag::Failed;
use super::edit::OpSpec;
use super::effects::Effects;
use super::entities::{Op, Value};
use super::format::{Format, ParsedParts};
use super::interfaces::{
    BranchInterface, CallInterface, CopyInterface, LoopInterface, OwnershipInterface,
    RegionBranchInterface, RegionTerminatorInterface, Request,
};
use super::location::Loc;
use super::names::Name;
use super::rewriter::Rewriter;
use super::symbols::SymbolTable;
use super::types::Type;
use super::version::MlirVersion;

/// A dialect: a namespace and its operations.
#[derive(Debug)]
pub struct DialectDef {
    /// What stands before the dot.
    pub namespace: &'static str,
    /// Its operations.
    pub ops: &'static [&'static OpDef],
    /// Names of this dialect for operations of others: the parser reads such a name as the other one.
    pub aliases: &'static [(&'static str, &'static OpDef)],
    /// Checks the attributes of this dialect on any operation.
    pub verify_op_attributes: Option<VerifyFn>,
    /// Whether there may be operations in its namespace without a row.
    pub is_open: bool,
    /// Reads what follows the dot in one of its types, and gives it back in the one way that it is
    /// written; `None` if there is no such type. Without this, any text is a type.
    pub type_body: Option<TypeBodyFn>,
    /// The same for attributes.
    pub attribute_body: Option<fn(&Context, &str) -> Option<String>>,
    /// What makes operations that are compiled of those of this dialect, for errors about one that is not.
    pub advice: Option<&'static str>,
    /// How its attributes and types are stored in bytecode. Without this, they are text.
    pub bytecode: Option<&'static BytecodeDialectInterface>,
    /// How it spells the types and attributes of others, which are all that it has.
    pub spelling: Option<&'static Spelling>,
    /// What a file says of its types and attributes, if it is declared in one.
    pub declared: Option<&'static DeclaredDialect>,
}

/// How a dialect writes the types and attributes of others in its own words. The context holds what they stand for
/// ([`TypeKind::Spelled`](super::types::TypeKind::Spelled)), so constants are shared and nothing is converted.
#[derive(Debug)]
pub struct Spelling {
    /// Reads what follows the mnemonic of a type; none if there is no such mnemonic.
    pub parse_type: fn(&mut dyn OpAsmParser<'_>, &str) -> Result<Option<Type>, Failed>,
    /// Writes a type, `!` included.
    pub print_type: fn(&mut dyn OpAsmPrinter, &Context, Type),
    /// Reads what follows the mnemonic of an attribute; none if there is no such mnemonic.
    pub parse_attr: fn(&mut dyn OpAsmParser<'_>, &str) -> Result<Option<Attr>, Failed>,
    /// Writes an attribute, `#` included.
    pub print_attr: fn(&mut dyn OpAsmPrinter, &Context, Attr),
}

impl DialectDef {
    /// A dialect without anything; others are written as changes to it.
    pub const BASE: DialectDef = DialectDef {
        namespace: "",
        ops: &[],
        aliases: &[],
        verify_op_attributes: None,
        is_open: false,
        type_body: None,
        attribute_body: None,
        advice: None,
        bytecode: None,
        spelling: None,
        declared: None,
    };
}

/// A set of yes-or-no properties of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traits(u32);

impl Traits {
    /// No trait.
    pub const NONE: Self = Self(0);
    /// Ends its block.
    pub const TERMINATOR: Self = Self(1);
    /// Its regions do not use values from outside.
    pub const ISOLATED_FROM_ABOVE: Self = Self(1 << 1);
    /// Stands for a symbol, is isolated and lives in an arena of its own:
    /// functions and modules. Implies [`Traits::ISOLATED_FROM_ABOVE`] and [`Traits::SYMBOL`].
    pub const OWNS_ARENA: Self = Self(1 << 2 | 1 << 1 | 1 << 3);
    /// Has a `sym_name` that its symbol table knows.
    pub const SYMBOL: Self = Self(1 << 3);
    /// Its region holds symbols.
    pub const SYMBOL_TABLE: Self = Self(1 << 4);
    /// Its effects are those of the operations in its regions (besides its own).
    pub const RECURSIVE_EFFECTS: Self = Self(1 << 5);
    /// Operands may change places.
    pub const COMMUTATIVE: Self = Self(1 << 6);
    /// A constant: folds to its `value`, has no operands.
    pub const CONSTANT_LIKE: Self = Self(1 << 7);
    /// Buffers of automatic scope allocated inside are released at its end.
    pub const AUTOMATIC_ALLOCATION_SCOPE: Self = Self(1 << 8);
    /// Each region has exactly one block.
    pub const SINGLE_BLOCK: Self = Self(1 << 9);
    /// Regions have no terminator.
    pub const NO_TERMINATOR: Self = Self(1 << 10);
    /// Returns from the function or hands its operands to the parent: `func.return`, `scf.yield`.
    pub const RETURN_LIKE: Self = Self(1 << 11);
    /// Iterations of its region may run at the same time.
    pub const PARALLEL: Self = Self(1 << 12);
    /// A function: `func.func` and the like.
    pub const FUNCTION: Self = Self(1 << 13);
    /// Blocks of its regions may be in any order; values need not dominate uses.
    pub const GRAPH_REGION: Self = Self(1 << 14);
    /// Operands and results have one type.
    pub const SAME_OPERANDS_AND_RESULT_TYPE: Self = Self(1 << 15);
    /// Operands and results agree in shape, and so works on vectors and tensors element by element.
    pub const ELEMENTWISE: Self = Self(1 << 16);
    /// May run even where the program would not have: no effect, no trap.
    pub const SPECULATABLE: Self = Self(1 << 17);
    /// Equal groups of variadic operands have equal sizes, so no segments are stored.
    pub const SAME_VARIADIC_OPERAND_SIZE: Self = Self(1 << 18);
    /// `resultSegmentSizes` tells the groups of results apart.
    pub const RESULT_SEGMENTS: Self = Self(1 << 19);

    /// Operations inside are written with the names of their dialects, though it owns an arena.
    pub const NO_DEFAULT_DIALECT: Self = Self(1 << 20);
    /// Runs its regions as they stand, though it is no region branch: control flow of a front end.
    pub const CONTROL_FLOW: Self = Self(1 << 21);
    /// Its regions may run at any time until the program has waited for one of its results.
    pub const RUNS_LATER: Self = Self(1 << 22);

    /// Whether all of `other` are in this set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both sets together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// How many operands, results, regions or successors stand in one place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// Exactly one.
    One,
    /// None or one.
    Optional,
    /// Any number.
    Variadic,
}

/// What a type must satisfy.
#[derive(Clone, Copy)]
pub struct TypeConstraint {
    /// As diagnostics word it: `operand #0 must be <description>, but got 'i32'`.
    pub description: &'static str,
    /// The test.
    pub accepts: fn(&Context, Type) -> bool,
    /// What the text of such a type must be at least, for a parser to go on; `None` for any type.
    pub kind: Option<fn(&Context, Type) -> bool>,
    /// The only type that is accepted, where there is just one.
    pub only: Option<fn(&Context) -> Type>,
}

impl TypeConstraint {
    /// A constraint that accepts everything; others are written as changes to it.
    pub const BASE: TypeConstraint = TypeConstraint {
        description: "any type",
        accepts: |_, _| true,
        kind: None,
        only: None,
    };
}

/// A named operand or result of a row, or a group of them.
#[derive(Clone, Copy)]
pub struct ValueSpec {
    /// ODS name, e.g. `dynamicSizes`.
    pub name: &'static str,
    /// How many.
    pub count: Count,
    /// What each must be.
    pub constraint: &'static TypeConstraint,
}

impl ValueSpec {
    /// Exactly one value.
    pub const fn one(name: &'static str, constraint: &'static TypeConstraint) -> Self {
        Self {
            name,
            count: Count::One,
            constraint,
        }
    }

    /// None or one value.
    pub const fn optional(name: &'static str, constraint: &'static TypeConstraint) -> Self {
        Self {
            name,
            count: Count::Optional,
            constraint,
        }
    }

    /// Any number of values.
    pub const fn variadic(name: &'static str, constraint: &'static TypeConstraint) -> Self {
        Self {
            name,
            count: Count::Variadic,
            constraint,
        }
    }
}

/// What an attribute must satisfy.
#[derive(Clone, Copy)]
pub struct AttrConstraint {
    /// As diagnostics word it: `attribute 'x' failed to satisfy constraint: <description>`.
    pub description: &'static str,
    /// The test.
    pub accepts: fn(&Context, Attr) -> bool,
    /// How formats write it.
    pub text: AttrText,
}

impl AttrConstraint {
    /// A constraint that accepts everything; others are written as changes to it.
    pub const BASE: AttrConstraint = AttrConstraint {
        description: "any attribute",
        accepts: |_, _| true,
        text: AttrText::Plain,
    };

    /// A constraint that formats write as the generic form does.
    pub const fn new(description: &'static str, accepts: fn(&Context, Attr) -> bool) -> Self {
        Self {
            description,
            accepts,
            text: AttrText::Plain,
        }
    }

    /// The constraint with another way of writing.
    #[must_use]
    pub const fn written(mut self, text: AttrText) -> Self {
        self.text = text;
        self
    }
}

/// How an attribute is written in a declared format.
#[derive(Clone, Copy)]
pub enum AttrText {
    /// As in generic form.
    Plain,
    /// As in generic form, numbers in it of this type; anything else than what the test accepts is
    /// an error at once.
    Of(Option<Type>, fn(&Context, Attr) -> bool),
    /// Without its type, which is always this one.
    Typed(Type),
    /// `@name` for a symbol reference.
    SymbolRef,
    /// `@name` for a string.
    Symbol,
    /// `[1, 2]` for an `array<i64>`.
    Integers,
    /// `[1, 2]` for an array of 64-bit integers.
    IntegerArray,
    /// Not at all: the literals around say that it is there.
    Unit,
    /// In its own way.
    Custom(&'static CustomAttrText),
}

/// How an attribute with a form of its own is written.
pub struct CustomAttrText {
    /// Reads it; `None` if it is not there.
    pub parse: fn(&mut dyn OpAsmParser<'_>) -> Result<Option<Attr>, Failed>,
    /// Writes it.
    pub print: fn(&mut dyn OpAsmPrinter, &Context, Attr),
}

/// An inherent attribute of a row. Inherent attributes are printed as
/// properties (`<{...}>`) in generic form.
#[derive(Clone, Copy)]
pub struct AttrSpec {
    /// Its name.
    pub name: Name,
    /// Whether it must be present.
    pub required: bool,
    /// What it must be.
    pub constraint: &'static AttrConstraint,
    /// What it means to be missing.
    pub default: Option<fn(&Context) -> Attr>,
    /// Whether the generic form spells the default out. Then the parser drops it,
    /// so that equal operations have equal attributes.
    pub spells_default: bool,
    /// The value that custom forms do not write, though it may be stored.
    pub elided: Option<Attr>,
}

impl AttrSpec {
    /// An attribute that must be present.
    pub const fn required(name: Name, constraint: &'static AttrConstraint) -> Self {
        Self {
            name,
            required: true,
            constraint,
            default: None,
            spells_default: false,
            elided: None,
        }
    }

    /// The attribute with a value that custom forms do not write.
    #[must_use]
    pub const fn eliding(mut self, attr: Attr) -> Self {
        self.elided = Some(attr);
        self
    }

    /// An attribute that may be missing.
    pub const fn optional(name: Name, constraint: &'static AttrConstraint) -> Self {
        Self {
            name,
            required: false,
            constraint,
            default: None,
            spells_default: false,
            elided: None,
        }
    }

    /// An attribute that, when missing, stands for `default` and stays missing:
    /// upstream's `DefaultValuedOptionalAttr`. Custom forms do not write the default.
    pub const fn implied(
        name: Name,
        constraint: &'static AttrConstraint,
        default: fn(&Context) -> Attr,
    ) -> Self {
        Self {
            spells_default: false,
            ..Self::defaulted(name, constraint, default)
        }
    }

    /// An attribute that, when missing, stands for `default`.
    pub const fn defaulted(
        name: Name,
        constraint: &'static AttrConstraint,
        default: fn(&Context) -> Attr,
    ) -> Self {
        Self {
            name,
            required: false,
            constraint,
            default: Some(default),
            spells_default: true,
            elided: None,
        }
    }
}

/// Why an operation is invalid. The verifier puts `'dialect.op' op ` in front
/// of the message.
#[derive(Clone, Debug)]
pub struct OpError {
    /// The message, without the prefix.
    pub message: String,
    /// Where, if not at the operation.
    pub loc: Option<Loc>,
    /// Whether `message` is the whole text, without the prefix.
    pub bare: bool,
    /// Explanations elsewhere.
    pub notes: Vec<(Loc, String)>,
}

impl OpError {
    /// An error that reads `error: message`, without the name of the operation.
    pub fn bare(message: impl Into<String>) -> Self {
        Self {
            bare: true,
            ..Self::from(message.into())
        }
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, loc: Loc, message: impl Into<String>) -> Self {
        self.notes.push((loc, message.into()));
        self
    }

    /// Reports at another place than the operation.
    #[must_use]
    pub fn at(mut self, loc: Loc) -> Self {
        self.loc = Some(loc);
        self
    }
}

impl From<String> for OpError {
    fn from(message: String) -> Self {
        Self {
            message,
            loc: None,
            bare: false,
            notes: Vec::new(),
        }
    }
}

impl From<&str> for OpError {
    fn from(message: &str) -> Self {
        Self::from(message.to_owned())
    }
}

/// What one result of an operation folds to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldResult {
    /// An existing value.
    Value(Value),
    /// A constant; the folder materializes it.
    Attr(Attr),
}

/// The outcome of a fold: one entry per result, or empty if nothing folds.
pub type FoldResults = SmallVec<[FoldResult; 2]>;

/// See [`DialectDef::type_body`].
pub type TypeBodyFn = fn(&Arc<Context>, &str) -> Option<String>;
/// Reads the custom form after the name. Fills in everything but the location.
pub type ParseFn = fn(&mut dyn OpAsmParser<'_>, &mut OpSpec) -> Result<(), Failed>;
/// Writes the custom form after the name.
pub type PrintFn = fn(&mut dyn OpAsmPrinter, &Ir, Op);
/// Computes the types of results from what has been read.
pub type InferFn = fn(&Context, &OpSpec, &ParsedParts) -> Result<SmallVec<[Type; 2]>, String>;
/// Checks what the specs of the row do not say.
pub type VerifyFn = fn(&Ir, Op) -> Result<(), OpError>;
/// Checks references to symbols; the table is the nearest one around the operation.
pub type VerifySymbolsFn = fn(&Ir, Op, &SymbolTable) -> Result<(), OpError>;
/// Lists memory effects.
pub type EffectsFn = fn(&Ir, Op, &mut Effects);
/// Computes results from constant operands (`None` where not constant) or
/// from the structure around. Does not change anything.
pub type FoldFn = fn(&Ir, Op, &[Option<Attr>]) -> FoldResults;
/// Suggests names for results, as upstream prints them: `%c0`, `%alloc`.
pub type ResultNamesFn = fn(&Ir, Op, &mut dyn FnMut(Value, &str));
/// Suggests names for the arguments of region entry blocks.
pub type ArgumentNamesFn = fn(&Ir, Op, &mut dyn FnMut(Value, &str));

/// A canonicalization pattern rooted at one row.
#[derive(Clone, Copy)]
pub struct Pattern {
    /// Shown by `--debug-only`-like output and statistics.
    pub name: &'static str,
    /// Tries to rewrite; returns whether anything changed.
    pub apply: fn(&mut Rewriter<'_>, Op) -> bool,
}

/// See [`Generic22::attr`].
pub type AttrIn22 = fn(&Context, Name, Attr, bool) -> Attr;

/// See [`Generic22::added`].
pub type AddedIn22 = fn(&Ir, Op) -> Option<(Name, Attr)>;

/// See [`Generic22::dropped`].
pub type DroppedIn22 = fn(&Context, &mut OpSpec);

/// Differences of the generic form of an operation in MLIR 22.
#[derive(Clone, Copy)]
pub struct Generic22 {
    /// Attributes that are inherent there: the name here and the name there.
    pub inherent: &'static [(Name, Name)],
    /// Whether its only operand is also its result there. Here it has none, and users use the operand.
    pub returns_operand: bool,
    /// Translates the value of an attribute to MLIR 22 (`true`) or back, where the two versions differ.
    pub attr: Option<AttrIn22>,
    /// An attribute that is always there.
    pub added: Option<AddedIn22>,
    /// Takes attributes away that say nothing here.
    pub dropped: Option<DroppedIn22>,
}

impl Generic22 {
    /// What most operations have.
    pub const NOTHING: Self = Self {
        inherent: &[],
        returns_operand: false,
        attr: None,
        added: None,
        dropped: None,
    };
}

/// Everything there is to know about one operation. See the module doc.
pub struct OpDef {
    /// Full name, as MLIR 19 has it.
    pub name: &'static str,
    /// The name in MLIR 22, if it is another one there. Both are read.
    pub name_22: Option<&'static str>,
    /// Yes-or-no properties.
    pub traits: Traits,
    /// Operands in order. With two or more groups that are not
    /// [`Count::One`], `operandSegmentSizes` tells them apart (unless
    /// [`Traits::SAME_VARIADIC_OPERAND_SIZE`]).
    pub operands: &'static [ValueSpec],
    /// Results in order.
    pub results: &'static [ValueSpec],
    /// Inherent attributes, in the order of their ODS declaration.
    pub attributes: &'static [AttrSpec],
    /// What MLIR 22 writes differently in generic form, besides the name.
    pub generic_22: Generic22,
    /// Number of regions: at least and at most.
    pub regions: (usize, usize),
    /// Number of successors: at least and at most.
    pub successors: (usize, usize),
    /// Custom form as a declaration.
    pub format: Option<Format>,
    /// The types of results that the format does not spell out and that follow from more than one
    /// type.
    pub infer_results: Option<InferFn>,
    /// Custom form by hand, where no format can say it.
    pub parse: Option<ParseFn>,
    /// Custom form by hand, where no format can say it.
    pub print: Option<PrintFn>,
    /// Own rules, checked after the specs above hold.
    pub verify: VerifyFn,
    /// Rules that need symbols.
    pub verify_symbols: Option<VerifySymbolsFn>,
    /// Memory effects; `None` means unknown (unless
    /// [`Traits::RECURSIVE_EFFECTS`]: then only those of the regions).
    pub effects: Option<EffectsFn>,
    /// Folding.
    pub fold: Option<FoldFn>,
    /// Canonicalization patterns.
    pub canonicalize: &'static [Pattern],
    /// Suggested result names.
    pub result_names: Option<ResultNamesFn>,
    /// Suggested names of region arguments.
    pub argument_names: Option<ArgumentNamesFn>,
    /// The operand whose memory the result is a view of.
    pub view_source: Option<fn(&Ir, Op) -> Value>,
    /// Whether a result that is no view may stand for a buffer, or for a value derived from one:
    /// operand `.3`. Then its memory stays as long as the result, or anything made from that, is
    /// needed. Any result may unless the row says otherwise, as rows do that only read contents and
    /// sizes.
    pub keeps_operand: fn(&Ir, Op, Value, usize) -> bool,
    /// Starts a transfer that goes on by itself, or waits for one.
    pub request: Option<fn(&Ir, Op) -> Option<Request>>,
    /// Knows at run time who frees its results.
    pub ownership: Option<&'static OwnershipInterface>,
    /// What becomes of an operation that was read in generic form: rows that stand for one of several others,
    /// or are written for them.
    pub normalize: Option<fn(&Context, &mut OpSpec)>,
    /// Hands control and values to successor blocks.
    pub branch: Option<&'static BranchInterface>,
    /// Hands control and values to its regions.
    pub region_branch: Option<&'static RegionBranchInterface>,
    /// Hands control and values from a region to its siblings or out.
    pub region_terminator: Option<&'static RegionTerminatorInterface>,
    /// Calls a function.
    pub call: Option<&'static CallInterface>,
    /// Is a loop with known structure.
    pub loop_like: Option<&'static LoopInterface>,
    /// Copies one buffer to another.
    pub copy: Option<&'static CopyInterface>,
    /// The terminator to insert where a region of this operation has none.
    pub implicit_terminator: Option<&'static OpDef>,
    /// What a file says of the operation, if it is declared in one.
    pub declared: Option<&'static Declared>,
}

impl std::fmt::Debug for OpDef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "OpDef({})", self.name)
    }
}

/// [`OpDef::keeps_operand`] of operations that give out contents, sizes and the like.
pub fn keeps_nothing(_: &Ir, _: Op, _: Value, _: usize) -> bool {
    false
}

/// Effects of an operation without any.
pub fn no_effects(_: &Ir, _: Op, _: &mut Effects) {}

impl OpDef {
    /// A row without anything; rows are written as changes to it.
    pub const BASE: OpDef = OpDef {
        name: "",
        name_22: None,
        traits: Traits::NONE,
        operands: &[],
        results: &[],
        attributes: &[],
        regions: (0, 0),
        successors: (0, 0),
        format: None,
        infer_results: None,
        parse: None,
        print: None,
        verify: |_, _| Ok(()),
        verify_symbols: None,
        effects: None,
        fold: None,
        canonicalize: &[],
        result_names: None,
        argument_names: None,
        view_source: None,
        keeps_operand: |_, _, _, _| true,
        request: None,
        ownership: None,
        normalize: None,
        generic_22: Generic22::NOTHING,
        branch: None,
        region_branch: None,
        region_terminator: None,
        call: None,
        loop_like: None,
        copy: None,
        implicit_terminator: None,
        declared: None,
    };

    /// A row of an operation without effects that may run anywhere.
    pub const PURE: OpDef = OpDef {
        effects: Some(no_effects),
        traits: Traits::SPECULATABLE,
        ..Self::BASE
    };

    /// The name in this version of MLIR.
    pub fn name_in(&self, version: MlirVersion) -> &'static str {
        match version {
            MlirVersion::V19 => self.name,
            MlirVersion::V22 => self.name_22.unwrap_or(self.name),
        }
    }

    /// Whether this is the row of all unregistered operations.
    pub fn is_unregistered(&self) -> bool {
        std::ptr::eq(self, &UNREGISTERED)
    }

    /// What stands before the first dot.
    pub fn dialect(&self) -> &'static str {
        self.name.split('.').next().unwrap_or("")
    }

    /// The dialect whose operations inside of this one go without its name.
    pub fn default_dialect(&self) -> &'static str {
        let is_default = Traits::OWNS_ARENA.and(Traits::NO_DEFAULT_DIALECT);
        match self.traits.0 & is_default.0 == Traits::OWNS_ARENA.0 {
            true => self.dialect(),
            false => "",
        }
    }

    /// Whether `operandSegmentSizes` tells operand groups apart.
    pub fn has_operand_segments(&self) -> bool {
        !self.traits.contains(Traits::SAME_VARIADIC_OPERAND_SIZE)
            && self
                .operands
                .iter()
                .filter(|spec| spec.count != Count::One)
                .count()
                > 1
    }

    /// Whether there are inherent attributes, which generic form writes as
    /// properties.
    pub fn has_properties(&self) -> bool {
        // As in upstream, what a file declares has none.
        if self.declared.is_some() {
            return false;
        }
        !self.attributes.is_empty()
            || self.has_operand_segments()
            || self.traits.contains(Traits::RESULT_SEGMENTS)
    }

    /// The operands of group `group` among `n_operands`, when no segments are needed.
    pub(crate) fn group_range_without_segments(
        &self,
        group: usize,
        n_operands: usize,
    ) -> Range<usize> {
        let n_single = self
            .operands
            .iter()
            .filter(|spec| spec.count == Count::One)
            .count();
        let n_groups = (self.operands.len() - n_single).max(1);
        let share = n_operands.saturating_sub(n_single) / n_groups;
        let size = |spec: &ValueSpec| if spec.count == Count::One { 1 } else { share };
        let start = self.operands[..group].iter().map(size).sum();
        start..start + self.operands.get(group).map_or(0, size)
    }

    /// Whether `name` is an inherent attribute of this row.
    pub fn is_inherent(&self, name: Name) -> bool {
        if self.declared.is_some() {
            return false;
        }
        self.attributes.iter().any(|spec| spec.name == name)
            || (name == Name::OPERAND_SEGMENT_SIZES && self.has_operand_segments())
            || (name == Name::RESULT_SEGMENT_SIZES && self.traits.contains(Traits::RESULT_SEGMENTS))
    }
}

/// The row shared by all operations of unknown dialects.
pub static UNREGISTERED: OpDef = OpDef {
    name: "<unregistered>",
    regions: (0, usize::MAX),
    successors: (0, usize::MAX),
    ..OpDef::BASE
};

/// Declares a typed view of an operation: `Load::cast(ir, op)?.memref(ir)`.
///
/// Each field names an operand group of the row by index: `one` fields return
/// the value, `many` fields the slice.
#[macro_export]
macro_rules! op_view {
    ($(#[$meta:meta])* $view:ident, $def:path { $($field:ident: $kind:ident = $group:expr),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $view(pub $crate::ir::entities::Op);
        impl $view {
            /// The view of `op`, if it is this operation.
            pub fn cast(ir: &$crate::ir::data::Ir, op: $crate::ir::entities::Op) -> Option<Self> {
                ir.is(op, &$def).then_some(Self(op))
            }
            $($crate::op_view!(@field $field $kind $group);)*
        }
    };
    (@field $field:ident one $group:expr) => {
        #[doc = concat!("Operand `", stringify!($field), "`.")]
        pub fn $field(self, ir: &$crate::ir::data::Ir) -> $crate::ir::entities::Value {
            ir.operand_group(self.0, $group)[0]
        }
    };
    (@field $field:ident optional $group:expr) => {
        #[doc = concat!("Operand `", stringify!($field), "`, if given.")]
        pub fn $field(self, ir: &$crate::ir::data::Ir) -> Option<$crate::ir::entities::Value> {
            ir.operand_group(self.0, $group).first().copied()
        }
    };
    (@field $field:ident many $group:expr) => {
        #[doc = concat!("Operands `", stringify!($field), "`.")]
        pub fn $field(self, ir: &$crate::ir::data::Ir) -> &[$crate::ir::entities::Value] {
            ir.operand_group(self.0, $group)
        }
    };
}
