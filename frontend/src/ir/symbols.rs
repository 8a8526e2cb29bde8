//! Symbols: which operation a name stands for inside a symbol table.
//!
//! A [`SymbolTable`] is a snapshot: it holds what passes and the verifier need
//! to know of each symbol (kind, type, visibility, body), so that functions
//! can be worked on in parallel while their arenas are taken out.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::attrs::{AttrKind, Dict};
use super::data::Ir;
use super::entities::Op;
use super::location::Loc;
use super::names::Name;
use super::types::Type;
use crate::ir::op_def::{OpDef, Traits};

/// One symbol as its table knows it.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// The operation (in the arena of the table) that defines it.
    pub op: Op,
    /// Its row.
    pub def: &'static OpDef,
    /// Its attributes.
    pub attrs: Dict,
    /// Its location.
    pub loc: Loc,
    /// Whether it has a region with a block: a definition, not a declaration.
    pub has_body: bool,
    /// The function type, of functions.
    pub function_type: Option<Type>,
    /// Whether it cannot be seen from outside of the table.
    pub is_private: bool,
    /// The symbols inside, if it is a symbol table itself.
    pub nested: Option<Arc<SymbolTable>>,
}

/// The symbols of one module, and the table around it.
#[derive(Clone, Default, Debug)]
pub struct SymbolTable {
    symbols: IndexMap<Arc<str>, Symbol, FxBuildHasher>,
}

impl SymbolTable {
    /// The table of the root operation of `ir`. Of equal names the first counts.
    pub fn of(ir: &Ir) -> Self {
        let context = ir.context();
        let mut table = Self::default();
        let Some(block) = ir.root_block() else {
            return table;
        };
        for op in ir.ops_in(block) {
            if !ir.has_trait(op, Traits::SYMBOL) {
                continue;
            }
            let attrs = ir.attrs(op);
            let text = |name| {
                context
                    .dict_get(attrs, name)
                    .and_then(|a| context.attr_string(a))
            };
            let Some(name) = text(Name::SYM_NAME) else {
                continue;
            };
            let nested = ir.nested(op);
            let symbol = Symbol {
                op,
                def: ir.def(op),
                attrs,
                loc: ir.loc(op),
                has_body: nested.is_some_and(|nested| nested.root_block().is_some()),
                function_type: context
                    .dict_get(attrs, Name::FUNCTION_TYPE)
                    .and_then(|a| context.attr_type(a)),
                is_private: text(Name::SYM_VISIBILITY) == Some("private"),
                nested: nested
                    .filter(|nested| nested.has_trait(nested.root(), Traits::SYMBOL_TABLE))
                    .map(|nested| Arc::new(Self::of(nested))),
            };
            table.symbols.entry(name.into()).or_insert(symbol);
        }
        table
    }

    /// The symbol of this name.
    pub fn get(&self, name: &str) -> Option<&Symbol> {
        self.symbols.get(name)
    }

    /// The symbol that a symbol reference attribute names, through nested tables.
    pub fn resolve(&self, reference: &AttrKind) -> Option<&Symbol> {
        let AttrKind::SymbolRef { root, nested } = reference else {
            return None;
        };
        let mut symbol = self.get(root)?;
        for name in nested {
            symbol = symbol.nested.as_ref()?.get(name)?;
        }
        Some(symbol)
    }

    /// All symbols in the order of their operations.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Symbol)> {
        self.symbols.iter().map(|(name, symbol)| (&**name, symbol))
    }

    /// A name that is free: `base`, or `base_0`, `base_1`, ...
    pub fn unique_name(&self, base: &str) -> String {
        if self.get(base).is_none() {
            return base.to_owned();
        }
        (0u64..)
            .map(|n| format!("{base}_{n}"))
            .find(|name| self.get(name).is_none())
            .expect("there are more numbers than symbols")
    }
}

impl Ir {
    /// The `sym_name` of `op`.
    pub fn symbol_name(&self, op: Op) -> Option<&str> {
        self.attr(op, Name::SYM_NAME)
            .and_then(|attr| self.context().attr_string(attr))
    }

    /// The function type of a function.
    pub fn function_type(&self, op: Op) -> Option<Type> {
        self.attr(op, Name::FUNCTION_TYPE)
            .and_then(|attr| self.context().attr_type(attr))
    }

    /// Whether the symbol `op` is declared private.
    pub fn is_private(&self, op: Op) -> bool {
        self.attr(op, Name::SYM_VISIBILITY)
            .and_then(|attr| self.context().attr_string(attr))
            == Some("private")
    }
}
