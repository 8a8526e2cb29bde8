//! Aliases: `#map`, `#set`, `#loc`, `!tuple`.
//!
//! A first pass over everything that will be printed visits each attribute,
//! type and location once and notes which may get an alias and how deep
//! aliases nest in it. Names are then given by depth, name and order of visit.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::Printer;
use crate::ir::asm::OpAsmPrinter as _;
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::entities::Op;
use crate::ir::location::{Loc, LocKind};
use crate::ir::types::{Type, TypeKind};
use crate::ir::version::MlirVersion;

/// Tuples with more elements than this get an alias.
const LONG_TUPLE: usize = 16;

/// Something that may be written as an alias.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Symbol {
    Attr(Attr),
    Type(Type),
    Loc(Loc),
}

/// State of a visited symbol.
#[derive(Default)]
struct Visit {
    /// The stem of its alias, if it gets one.
    stem: Option<&'static str>,
    /// How deep aliases nest in it, itself included.
    depth: u32,
    /// Whether the definition may follow its uses: locations of operations.
    deferrable: bool,
    /// Symbols directly inside.
    children: Vec<Symbol>,
    /// The suffix of the alias.
    number: u32,
}

/// All aliases of one text.
#[derive(Default)]
pub(super) struct Aliases {
    visits: IndexMap<Symbol, Visit, FxBuildHasher>,
    /// Symbols with an alias, in the order of their definitions.
    defined: Vec<Symbol>,
    /// The symbols being visited, outermost first.
    open: Vec<Symbol>,
    /// Whether the visit at hand began with a deferrable location.
    deferrable: bool,
}

/// Whether anything in `context` may get an alias.
pub(super) fn may_occur(context: &Context, debug_info: bool) -> bool {
    debug_info
        || context.any_attr(|kind| attr_stem(kind).is_some())
        || context.any_type(is_long_tuple)
}

fn attr_stem(kind: &AttrKind) -> Option<&'static str> {
    match kind {
        AttrKind::AffineMap(_) => Some("map"),
        AttrKind::IntegerSet(_) => Some("set"),
        AttrKind::Distinct(_, referenced) if *referenced != Attr::UNIT => Some("distinct"),
        AttrKind::Location(_) => Some("loc"),
        _ => None,
    }
}

fn is_long_tuple(kind: &TypeKind) -> bool {
    matches!(kind, TypeKind::Tuple(types) if types.len() > LONG_TUPLE)
}

impl Aliases {
    /// Names the visited symbols.
    pub(super) fn assign_names(&mut self) {
        let mut order: Vec<Symbol> = self
            .visits
            .iter()
            .filter(|(_, visit)| visit.stem.is_some())
            .map(|(&symbol, _)| symbol)
            .collect();
        order.sort_by_key(|symbol| {
            let visit = &self.visits[symbol];
            let is_attr = !matches!(symbol, Symbol::Type(_));
            (visit.depth, is_attr, visit.stem)
        });
        let mut counts: IndexMap<&str, u32, FxBuildHasher> = IndexMap::default();
        for symbol in &order {
            let visit = &mut self.visits[symbol];
            let count = counts.entry(visit.stem.unwrap_or_default()).or_default();
            visit.number = *count;
            *count += 1;
        }
        self.defined = order;
    }

    /// The definition of `symbol` must come before its uses, and so those of
    /// everything inside.
    fn mark_not_deferrable(&mut self, symbol: Symbol) {
        let mut stack = vec![symbol];
        while let Some(symbol) = stack.pop() {
            if let Some(visit) = self.visits.get_mut(&symbol)
                && visit.deferrable
            {
                visit.deferrable = false;
                stack.extend_from_slice(&visit.children);
            }
        }
    }

    /// Begins a visit. `false` if there is nothing left to do: the symbol was
    /// visited before.
    fn begin(&mut self, symbol: Symbol, stem: Option<&'static str>, deferrable: bool) -> bool {
        if let Some(&parent) = self.open.last()
            && let Some(visit) = self.visits.get_mut(&parent)
        {
            visit.children.push(symbol);
        }
        if let Some(visit) = self.visits.get(&symbol) {
            let depth = visit.depth;
            if !deferrable {
                self.mark_not_deferrable(symbol);
            }
            self.deepen_parent(depth);
            return false;
        }
        let visit = Visit {
            stem,
            depth: u32::from(stem.is_some()),
            deferrable,
            ..Visit::default()
        };
        self.visits.insert(symbol, visit);
        self.open.push(symbol);
        true
    }

    /// Ends the visit begun last.
    fn end(&mut self) {
        if let Some(symbol) = self.open.pop() {
            let depth = self.visits[&symbol].depth;
            self.deepen_parent(depth);
        }
    }

    /// Tells the symbol around that it holds one of this depth.
    fn deepen_parent(&mut self, depth: u32) {
        if depth > 0
            && let Some(parent) = self.open.last()
            && let Some(visit) = self.visits.get_mut(parent)
        {
            visit.depth = visit.depth.max(depth + 1);
        }
    }
}

impl Printer<'_> {
    // Collecting.

    /// Visits a type and its parts.
    pub(super) fn collect_type(&mut self, ty: Type) {
        let kind = self.context.type_kind(ty);
        if is_leaf_type(kind) {
            return;
        }
        let stem = is_long_tuple(kind).then_some("tuple");
        if self.aliases.begin(Symbol::Type(ty), stem, false) {
            self.write_type(ty);
            self.aliases.end();
        }
    }

    /// Visits an attribute and its parts.
    pub(super) fn collect_attr(&mut self, attr: Attr) {
        let kind = self.context.attr_kind(attr);
        if let AttrKind::Location(loc) = kind {
            self.collect_loc(*loc, false);
            return;
        }
        if is_leaf_attr(kind) {
            return;
        }
        let stem = attr_stem(kind);
        if self.aliases.begin(Symbol::Attr(attr), stem, false) {
            self.attr_body(attr, super::attrs::TypeElision::Never);
            self.aliases.end();
        }
    }

    /// Visits a location and its parts.
    pub(super) fn collect_loc(&mut self, loc: Loc, deferrable: bool) {
        let loc = self.canonical_loc(loc);
        let deferrable = deferrable || self.aliases.deferrable && !self.aliases.open.is_empty();
        if !self
            .aliases
            .begin(Symbol::Loc(loc), Some("loc"), deferrable)
        {
            return;
        }
        let outer = std::mem::replace(&mut self.aliases.deferrable, deferrable);
        if matches!(
            self.context.loc_kind(loc),
            Some(LocKind::Name(..) | LocKind::CallSite(..) | LocKind::Fused(..))
        ) {
            self.loc_body(loc);
        }
        self.aliases.deferrable = outer;
        self.aliases.end();
    }

    /// Visits an operation in generic form, in upstream's order.
    pub(super) fn collect_generic(&mut self, ir: &Ir, op: Op) {
        for &region in ir.regions(op) {
            self.write_region(ir, region, true, true, true);
        }
        for &value in ir.operands(op).iter().chain(ir.results(op)) {
            self.collect_type(ir.value_type(value));
        }
        for &(_, attr) in self.context.dict(ir.attrs(op)) {
            self.collect_attr(attr);
        }
        let added = ir.def(op).generic_22.added;
        if let Some(added) = added.filter(|_| self.mlir_version() == MlirVersion::V22)
            && let Some((_, attr)) = added(ir, op)
        {
            self.collect_attr(attr);
        }
    }

    // Printing.

    pub(super) fn write_attr_alias(&mut self, attr: Attr) -> bool {
        !self.aliases.defined.is_empty() && self.write_alias(Symbol::Attr(attr), '#')
    }

    pub(super) fn write_type_alias(&mut self, ty: Type) -> bool {
        !self.aliases.defined.is_empty() && self.write_alias(Symbol::Type(ty), '!')
    }

    pub(super) fn write_loc_alias(&mut self, loc: Loc) -> bool {
        if self.aliases.defined.is_empty() {
            return false;
        }
        let loc = self.canonical_loc(loc);
        self.write_alias(Symbol::Loc(loc), '#')
    }

    fn write_alias(&mut self, symbol: Symbol, sigil: char) -> bool {
        let Some(visit) = self.aliases.visits.get(&symbol) else {
            return false;
        };
        let Some(stem) = visit.stem else {
            return false;
        };
        self.out.push(sigil);
        self.out.push_str(stem);
        if visit.number > 0 {
            super::numbers::push_integer(&mut self.out, i64::from(visit.number));
        }
        true
    }

    /// Writes `#name = ...` lines: those that must come first, or the others.
    pub(super) fn alias_definitions(&mut self, deferrable: bool) {
        let symbols = self.aliases.defined.clone();
        for symbol in symbols {
            if self.aliases.visits[&symbol].deferrable != deferrable {
                continue;
            }
            let sigil = if matches!(symbol, Symbol::Type(_)) {
                '!'
            } else {
                '#'
            };
            self.write_alias(symbol, sigil);
            self.text(" = ");
            match symbol {
                Symbol::Attr(attr) => self.attr_body(attr, super::attrs::TypeElision::Never),
                Symbol::Type(ty) => self.write_type(ty),
                Symbol::Loc(loc) => {
                    self.text("loc(");
                    self.loc_body(loc);
                    self.text(")");
                }
            }
            self.text("\n");
        }
    }
}

fn is_leaf_type(kind: &TypeKind) -> bool {
    matches!(
        kind,
        TypeKind::Integer { .. }
            | TypeKind::Index
            | TypeKind::Float(_)
            | TypeKind::None
            | TypeKind::Dialect { .. }
    )
}

fn is_leaf_attr(kind: &AttrKind) -> bool {
    matches!(
        kind,
        AttrKind::Unit
            | AttrKind::Integer { .. }
            | AttrKind::WideInteger { .. }
            | AttrKind::Float { .. }
            | AttrKind::String(_)
            | AttrKind::SymbolRef { .. }
            | AttrKind::DenseArray { .. }
            | AttrKind::StridedLayout { .. }
    )
}
