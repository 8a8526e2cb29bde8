//! The printer: an [`Ir`] as text that upstream's tools read.
//!
//! [`Printer`] is what the print functions of dialects
//! ([`PrintFn`](crate::ir::op_def::PrintFn)) write to. Printing takes two passes
//! where something may get an alias (`#map`, `#loc`): the first only looks at
//! what the second will print, so that aliases are numbered as upstream does.

use std::sync::Arc;

use cranelift_entity::EntityRef;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::ir::asm::OpAsmPrinter as _;
use crate::ir::attrs::{Attr, AttrKind, Dict};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::entities::{Block, Op, Region, Value};
use crate::ir::names::Name;
use crate::ir::op_def::Traits;
use crate::ir::types::{FloatKind, Type, TypeKind};
use crate::ir::version::{MlirVersion, has_stablehlo};
use crate::syntax::{format, generic};

mod affine;
mod aliases;
mod assembly;
mod attrs;
mod locations;
mod names;
mod numbers;
mod resources;
mod types;

use aliases::Aliases;
use names::ArenaNames;

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
    /// The version to print; that of the text read if not given.
    pub mlir_version: Option<MlirVersion>,
}

impl PrintOptions {
    fn in_version(version: MlirVersion) -> Self {
        Self {
            mlir_version: Some(version),
            ..Self::default()
        }
    }
}

/// What the print function of an operation writes to. Text goes out as given:
/// spaces are the caller's.
pub struct Printer<'a> {
    context: &'a Context,
    options: PrintOptions,
    out: String,
    indent: usize,
    /// Names of the arena at hand.
    names: ArenaNames,
    aliases: Aliases,
    /// Only look for what may get an alias; write nothing.
    collecting: bool,
    /// The dialect whose operations go without prefix.
    default_dialect: &'static str,
    /// `i1` as digits has a byte per element, as upstream's newest reads it, and not a bit.
    unpacks_i1: bool,
    /// Keys of the resources written so far.
    used_resources: IndexSet<Arc<str>, FxBuildHasher>,
}

/// The text of a whole arena.
///
/// Custom forms are for IR that verifies; print functions may panic on other
/// IR. The generic form is for any.
pub fn print(ir: &Ir, options: PrintOptions) -> String {
    let mut printer = Printer::new(ir.context(), options);
    printer.names = ArenaNames::of(ir, options.generic);
    printer.unpacks_i1 = options.mlir_version.is_none() && has_stablehlo(ir);
    // MLIR 22 has attributes that are made only when they are printed.
    let makes_attributes = options.generic && printer.mlir_version() == MlirVersion::V22;
    if !options.local_scope
        && (makes_attributes || aliases::may_occur(ir.context(), options.debug_info))
    {
        printer.collecting = true;
        printer.full_op(ir, ir.root());
        printer.collecting = false;
        printer.aliases.assign_names();
    }
    printer.alias_definitions(false);
    printer.full_op(ir, ir.root());
    printer.trailing_loc(ir.loc(ir.root()));
    printer.out.push('\n');
    printer.alias_definitions(true);
    printer.file_metadata(ir);
    printer.out
}

/// The text of one operation (for diagnostics and tests).
pub fn print_op(ir: &Ir, op: Op, options: PrintOptions) -> String {
    let mut printer = Printer::new(ir.context(), options);
    printer.names = ArenaNames::of(ir, options.generic);
    printer.full_op(ir, op);
    printer.trailing_loc(ir.loc(op));
    printer.out
}

/// The names that values of one arena are printed with.
pub struct ValueNames(ArenaNames);

impl ValueNames {
    /// Names everything in `ir`.
    pub fn of(ir: &Ir) -> Self {
        Self(ArenaNames::of(ir, false))
    }

    /// `%name`, or `%name#1`.
    pub fn text(&self, value: Value) -> String {
        let mut text = String::new();
        self.0.write_value(&mut text, value, true);
        text
    }
}

/// The text of a type.
pub fn type_to_string(context: &Context, ty: Type) -> String {
    let mut printer = Printer::new(context, PrintOptions::default());
    printer.ty(ty);
    printer.out
}

/// The text of a number, given by its bits.
pub(crate) fn float_to_string(kind: FloatKind, bits: u128) -> String {
    let mut text = String::new();
    numbers::push_float(&mut text, kind, bits);
    text
}

/// The text of a type in a version of MLIR.
pub(crate) fn type_text_in(context: &Context, ty: Type, version: MlirVersion) -> String {
    let mut printer = Printer::new(context, PrintOptions::in_version(version));
    printer.ty(ty);
    printer.out
}

/// The text of an attribute in a version of MLIR.
pub(crate) fn attr_text_in(context: &Context, attr: Attr, version: MlirVersion) -> String {
    let mut printer = Printer::new(context, PrintOptions::in_version(version));
    printer.attr(attr);
    printer.out
}

/// The text of an attribute, with its type where it has one.
pub fn attr_to_string(context: &Context, attr: Attr) -> String {
    let mut printer = Printer::new(context, PrintOptions::default());
    printer.attr(attr);
    printer.out
}

impl<'a> Printer<'a> {
    fn new(context: &'a Context, options: PrintOptions) -> Self {
        Self {
            context,
            options,
            out: String::new(),
            indent: 0,
            names: ArenaNames::default(),
            aliases: Aliases::default(),
            collecting: false,
            default_dialect: "builtin",
            unpacks_i1: false,
            used_resources: IndexSet::default(),
        }
    }

    // Text.

    fn indentation(&mut self) {
        if self.collecting {
            return;
        }
        const BLANKS: &str = "                                                                ";
        let mut n = self.indent;
        while n > 0 {
            let step = n.min(BLANKS.len());
            self.out.push_str(&BLANKS[..step]);
            n -= step;
        }
    }

    /// Writes bytes as a string literal; others than printable ones are escaped.
    fn quoted(&mut self, bytes: &[u8]) {
        if self.collecting {
            return;
        }
        const HEX: &[u8; 16] = b"0123456789ABCDEF";
        self.out.push('"');
        for &byte in bytes {
            match byte {
                b'\\' => self.out.push_str("\\\\"),
                b'"' => self.out.push_str("\\22"),
                b' '..=b'~' => self.out.push(char::from(byte)),
                _ => {
                    self.out.push('\\');
                    self.out.push(char::from(HEX[usize::from(byte >> 4)]));
                    self.out.push(char::from(HEX[usize::from(byte & 15)]));
                }
            }
        }
        self.out.push('"');
    }

    // Types and attributes.

    /// Writes one type, or several (or none, or a function type) in parentheses.
    fn result_types(&mut self, types: &[Type]) {
        let bare = match types {
            [ty] => !matches!(self.context.type_kind(*ty), TypeKind::Function { .. }),
            _ => false,
        };
        if !bare {
            self.text("(");
        }
        self.types(types);
        if !bare {
            self.text(")");
        }
    }

    fn attr_dict_after(&mut self, keyword: &str, dict: Dict, except: &[Name]) {
        let entries = self.context.dict(dict);
        let is_written =
            |entry: &&(Name, Attr)| entry.0 != Name::EMPTY && !except.contains(&entry.0);
        if !entries.iter().any(|entry| is_written(&entry)) {
            return;
        }
        self.text(keyword);
        self.text(" {");
        for (i, &(name, attr)) in entries.iter().filter(is_written).enumerate() {
            if i > 0 {
                self.text(", ");
            }
            self.named_attr(name, attr);
        }
        self.text("}");
    }

    fn named_attr(&mut self, name: Name, attr: Attr) {
        self.keyword_or_string(self.context.name(name));
        if *self.context.attr_kind(attr) != AttrKind::Unit {
            self.text(" = ");
            self.attr(attr);
        }
    }

    // Blocks and regions.

    fn write_region(
        &mut self,
        ir: &Ir,
        region: Region,
        entry_args: bool,
        terminators: bool,
        empty_block: bool,
    ) {
        if self.options.skip_regions {
            self.text("{...}");
            return;
        }
        self.text("{\n");
        if let Some(entry) = ir.entry_block(region) {
            let owner = ir.def(ir.region_owner(region));
            let outer = std::mem::replace(&mut self.default_dialect, owner.default_dialect());
            let label = empty_block && ir.first_op(entry).is_none()
                || entry_args && !ir.block_args(entry).is_empty();
            self.block(ir, entry, label, terminators);
            let mut next = ir.next_block(entry);
            while let Some(block) = next {
                self.block(ir, block, true, true);
                next = ir.next_block(block);
            }
            self.default_dialect = outer;
        }
        self.indentation();
        self.text("}");
    }

    fn block(&mut self, ir: &Ir, block: Block, label: bool, terminator: bool) {
        if label {
            self.block_label(ir, block);
        }
        self.indent += 2;
        let mut next = ir.first_op(block);
        while let Some(op) = next {
            next = ir.next_op(op);
            let is_omitted = !terminator
                && next.is_none()
                && ir.has_trait(op, Traits::TERMINATOR)
                && ir.operands(op).is_empty()
                && ir.attrs(op) == Dict::EMPTY;
            if is_omitted {
                break;
            }
            self.indentation();
            self.full_op(ir, op);
            self.trailing_loc(ir.loc(op));
            self.text("\n");
        }
        self.indent -= 2;
    }

    fn block_label(&mut self, ir: &Ir, block: Block) {
        self.indentation();
        self.successor(block);
        let arguments = ir.block_args(block);
        if !arguments.is_empty() {
            self.text("(");
            for (i, &argument) in arguments.iter().enumerate() {
                if i > 0 {
                    self.text(", ");
                }
                self.region_argument(ir, argument);
            }
            self.text(")");
        }
        self.text(":");
        if self.collecting {
            return;
        }
        let mut predecessors: Vec<Block> = ir.predecessors(block).collect();
        match predecessors[..] {
            [] if ir.is_entry_block(block) => {}
            [] => self.text("  // no predecessors"),
            [predecessor] => {
                self.text("  // pred: ");
                self.successor(predecessor);
            }
            _ => {
                predecessors.sort_by_key(|&block| self.names.block_number(block));
                self.text("  // ");
                self.integer(predecessors.len() as i64);
                self.text(" preds: ");
                for (i, &predecessor) in predecessors.iter().enumerate() {
                    if i > 0 {
                        self.text(", ");
                    }
                    self.successor(predecessor);
                }
            }
        }
        self.text("\n");
    }

    // Operations.

    /// Writes `%results = ` and the operation.
    fn full_op(&mut self, ir: &Ir, op: Op) {
        if let Some(nested) = ir.nested(op) {
            if self.collecting && self.options.debug_info {
                self.collect_loc(ir.loc(op), true);
            }
            let inner = self.names.take_nested(op);
            let outer = std::mem::replace(&mut self.names, inner);
            self.op_after_results(nested, nested.root());
            let inner = std::mem::replace(&mut self.names, outer);
            self.names.put_nested(op, inner);
            return;
        }
        if self.collecting {
            if self.options.debug_info {
                self.collect_loc(ir.loc(op), true);
            }
        } else {
            self.result_names(ir, op);
        }
        self.op_after_results(ir, op);
    }

    fn result_names(&mut self, ir: &Ir, op: Op) {
        let results = ir.results(op);
        let mut first = 0;
        while first < results.len() {
            if first > 0 {
                self.out.push_str(", ");
            }
            let size = self.names.group_size(&results[first..]);
            self.names.write_value(&mut self.out, results[first], false);
            if size > 1 {
                self.out.push(':');
                numbers::push_integer(&mut self.out, size as i64);
            }
            first += size;
        }
        if !results.is_empty() {
            self.out.push_str(" = ");
        }
    }

    fn op_after_results(&mut self, ir: &Ir, op: Op) {
        let def = ir.def(op);
        if self.options.generic || def.format.is_none() && def.print.is_none() {
            self.generic_op(ir, op);
            return;
        }
        let name = def.name_in(self.mlir_version());
        let short = name
            .strip_prefix(self.default_dialect)
            .and_then(|rest| rest.strip_prefix('.'))
            .filter(|rest| !rest.contains('.'));
        self.text(short.unwrap_or(name));
        if let Some(format) = &def.format {
            format::print(self, ir, op, format);
        } else if let Some(print) = def.print {
            print(self, ir, op);
        }
    }

    /// Writes what follows the name in generic form.
    fn generic_rest(&mut self, ir: &Ir, op: Op) {
        if self.collecting {
            self.collect_generic(ir, op);
            return;
        }
        self.text("(");
        self.values(ir.operands(op));
        self.text(")");
        let successors = ir.successors(op);
        if !successors.is_empty() {
            self.text("[");
            for (i, &block) in successors.iter().enumerate() {
                if i > 0 {
                    self.text(", ");
                }
                self.successor(block);
            }
            self.text("]");
        }
        let def = ir.def(op);
        let is_22 = self.mlir_version() == MlirVersion::V22;
        let (properties, others) = generic::split(ir, op, self.mlir_version());
        // An unregistered operation keeps its properties under no name.
        let unregistered = match def.is_unregistered() {
            true => self.context.dict_get(ir.attrs(op), Name::EMPTY),
            false => None,
        };
        if let Some(properties) = unregistered {
            self.text(" <");
            self.attr(properties);
            self.text(">");
        } else if !properties.is_empty() {
            self.text(" <");
            self.dict(&properties);
            self.text(">");
        }
        let regions = ir.regions(op);
        if !regions.is_empty() {
            self.text(" (");
            for (i, &region) in regions.iter().enumerate() {
                if i > 0 {
                    self.text(", ");
                }
                self.write_region(ir, region, true, true, true);
            }
            self.text(")");
        }
        if !others.is_empty() {
            self.text(" ");
            self.dict(&others);
        }
        self.text(" : (");
        self.types_of(ir, ir.operands(op));
        self.text(") -> ");
        let results = match is_22 && def.generic_22.returns_operand {
            true => ir.operands(op),
            false => ir.results(op),
        };
        let results: Vec<Type> = results.iter().map(|&v| ir.value_type(v)).collect();
        self.result_types(&results);
    }
}

/// Whether `text` needs no quotes.
pub(crate) fn is_bare_identifier(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes
        .next()
        .is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.'))
}

/// The index of an entity in a dense table.
fn index_of(entity: impl EntityRef) -> usize {
    entity.index()
}
