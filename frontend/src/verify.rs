//! The verifier: whether a program means anything.
//!
//! For each arena it checks, in this order: what [`edit`](crate::ir::edit)
//! promises (in debug builds), the specs of the rows (`specs`), the rules of the rows and of
//! their interfaces (`rules`), and that values dominate their uses
//! (`visibility`). All errors of a program are found in one run; of one
//! operation only the first is reported, and the rules of an operation are
//! not asked while its specs, or those of its neighbours up or down, do not
//! hold. So `verify` functions of rows can rely on the specs.
//!
//! Nothing here recurses over the program.

use cranelift_entity::EntitySet;

use std::sync::Arc;

use crate::ir::data::Ir;
use crate::ir::diag::{Diagnostic, Diagnostics, Failed, Severity};
use crate::ir::entities::Op;
use crate::ir::location::Loc;
use crate::ir::op_def::{OpError, Traits};
use crate::ir::symbols::SymbolTable;

mod rules;
mod specs;
mod visibility;

/// Checks `ir`, which stands alone, and every arena inside of it.
///
/// # Errors
/// If an error was reported.
pub fn verify(ir: &Ir, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    verify_arenas(ir, &Arc::default(), false, diagnostics)
}

/// Checks what changed in `ir` and the arenas inside of it since they were
/// verified, and all symbols. `symbols` is the table around `ir`, which itself
/// may be taken out of its place. Debug builds check everything.
///
/// # Errors
/// If an error was reported.
pub fn verify_changes(
    ir: &Ir,
    symbols: &Arc<SymbolTable>,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    verify_arenas(ir, symbols, !cfg!(debug_assertions), diagnostics)
}

/// Checks that symbols have names of their own in `ir` and in the tables inside of it: for passes that make symbols of
/// operations that were none.
///
/// # Errors
/// If an error was reported.
pub fn verify_symbol_names(ir: &Ir, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    let mut tables = vec![ir];
    let mut outcome = Ok(());
    while let Some(ir) = tables.pop() {
        let mut cx = Cx::new(ir);
        cx.redefinitions();
        for report in cx.reports {
            diagnostics.push(report.diagnostic);
            outcome = Err(Failed);
        }
        let nested = ir.walk(ir.root()).filter_map(|op| ir.nested(op));
        tables.extend(nested.filter(|ir| ir.has_trait(ir.root(), Traits::SYMBOL_TABLE)));
    }
    outcome
}

fn verify_arenas(
    ir: &Ir,
    symbols: &Arc<SymbolTable>,
    only_changes: bool,
    diagnostics: &mut Diagnostics,
) -> Result<(), Failed> {
    let mut arenas = vec![Arena {
        ir,
        symbols: Arc::clone(symbols),
        parent: None,
    }];
    let mut reports = Vec::new();
    let mut next = 0;
    while next < arenas.len() {
        let arena = &arenas[next];
        let mut cx = Cx::new(arena.ir);
        if only_changes && arena.ir.is_verified() {
            cx.verify_symbols(&arena.symbols);
        } else {
            cx.verify(&arena.symbols);
            if cx.reports.is_empty() {
                arena.ir.mark_verified();
            }
        }
        reports.extend(cx.reports.into_iter().map(|report| (next, report)));
        let inner = match arena.ir.has_trait(arena.ir.root(), Traits::SYMBOL_TABLE) {
            true => Arc::new(SymbolTable::of(arena.ir)),
            false => Arc::clone(&arena.symbols),
        };
        for (order, stub) in cx.stubs {
            let nested = arenas[next].ir.nested(stub);
            arenas.extend(nested.map(|ir| Arena {
                ir,
                symbols: Arc::clone(&inner),
                parent: Some((next, order)),
            }));
        }
        next += 1;
    }
    if reports.is_empty() {
        return Ok(());
    }
    // Textual order: that of the operations around, outermost first.
    reports.sort_by_cached_key(|(arena, report)| path_to(&arenas, *arena, report.order));
    for (_, report) in reports {
        diagnostics.push(report.diagnostic);
    }
    Err(Failed)
}

/// An arena to verify.
struct Arena<'a> {
    ir: &'a Ir,
    /// The table around it.
    symbols: Arc<SymbolTable>,
    /// The arena with its stub, and the place of the stub there.
    parent: Option<(usize, u32)>,
}

/// The places of the stubs around arena `arena`, outermost first, and `order`.
fn path_to(arenas: &[Arena<'_>], mut arena: usize, order: u32) -> Vec<u32> {
    let mut path = vec![order];
    while let Some((parent, order)) = arenas[arena].parent {
        path.push(order);
        arena = parent;
    }
    path.reverse();
    path
}

/// A diagnostic with the place it belongs to.
struct Report {
    /// Number of the operation in a walk of its arena.
    order: u32,
    diagnostic: Diagnostic,
}

/// What the checks of one arena share.
struct Cx<'a> {
    ir: &'a Ir,
    reports: Vec<Report>,
    /// Operations whose specs do not hold.
    invalid: EntitySet<Op>,
    /// Operations with an invalid one directly inside.
    around_invalid: EntitySet<Op>,
    /// Operations in the place of a terminator, with the place of the operation around their block.
    in_place_of_terminator: Vec<(u32, Op)>,
    /// Stubs of other arenas and their places.
    stubs: Vec<(u32, Op)>,
}

impl<'a> Cx<'a> {
    fn new(ir: &'a Ir) -> Self {
        Self {
            ir,
            reports: Vec::new(),
            invalid: EntitySet::new(),
            around_invalid: EntitySet::new(),
            in_place_of_terminator: Vec::new(),
            stubs: Vec::new(),
        }
    }

    fn verify(&mut self, symbols: &SymbolTable) {
        let ir = self.ir;
        let root = ir.root();
        // A mistake of ours, not of the program: for tests to find.
        if cfg!(debug_assertions)
            && let Err(message) = ir.check_integrity()
        {
            self.error(0, ir.loc(root), format!("internal error: {message}"));
            return;
        }
        let ops = ir.collect_ops(root);
        for (order, &op) in ops.iter().enumerate() {
            let order = order as u32;
            if op != root && ir.has_trait(op, Traits::OWNS_ARENA) {
                self.stub(order, op);
            } else if let Err(error) = specs::check(ir, op) {
                self.op_error(order, op, error);
                self.mark_invalid(op);
            } else {
                self.regions(order, op);
            }
        }
        let own_symbols = self.own_symbols();
        let inner_symbols = own_symbols.as_ref().unwrap_or(symbols);
        for (order, &op) in ops.iter().enumerate() {
            let parent_is_invalid = ir
                .parent_op(op)
                .is_some_and(|parent| self.invalid.contains(parent));
            if self.invalid.contains(op)
                || parent_is_invalid
                || self.around_invalid.contains(op)
                || (op != root && ir.has_trait(op, Traits::OWNS_ARENA))
            {
                continue;
            }
            let symbols = if op == root { symbols } else { inner_symbols };
            if let Err(error) = rules::check(ir, op, symbols) {
                self.op_error(order as u32, op, error);
            }
        }
        for (order, last) in std::mem::take(&mut self.in_place_of_terminator) {
            self.no_terminator(order, last, inner_symbols);
        }
        visibility::check(self, &ops);
    }

    /// Reports an operation that stands in the place of a terminator, unless another error of its own was or is reported.
    fn no_terminator(&mut self, order: u32, last: Op, symbols: &SymbolTable) {
        let ir = self.ir;
        if self.invalid.contains(last) {
            return;
        }
        let is_stub = ir.has_trait(last, Traits::OWNS_ARENA);
        if !is_stub
            && !self.around_invalid.contains(last)
            && let Err(error) = rules::check(ir, last, symbols)
        {
            return self.op_error(order, last, error);
        }
        self.error(order, ir.loc(last), specs::no_terminator_error(ir, last));
    }

    /// The table of the root, if it is one; reports what it has twice.
    fn own_symbols(&mut self) -> Option<SymbolTable> {
        if !self.ir.has_trait(self.ir.root(), Traits::SYMBOL_TABLE) {
            return None;
        }
        self.redefinitions();
        Some(SymbolTable::of(self.ir))
    }

    /// Checks what may depend on other arenas, in an arena that is valid
    /// otherwise.
    fn verify_symbols(&mut self, symbols: &SymbolTable) {
        let ir = self.ir;
        let root = ir.root();
        let own_symbols = self.own_symbols();
        let inner_symbols = own_symbols.as_ref().unwrap_or(symbols);
        for (order, op) in ir.walk(root).enumerate() {
            let order = order as u32;
            if op != root && ir.has_trait(op, Traits::OWNS_ARENA) {
                self.stubs.push((order, op));
                continue;
            }
            let symbols = if op == root { symbols } else { inner_symbols };
            if let Some(verify_symbols) = ir.def(op).verify_symbols
                && let Err(error) = verify_symbols(ir, op, symbols)
            {
                self.op_error(order, op, error);
            }
        }
    }

    fn mark_invalid(&mut self, op: Op) {
        self.invalid.insert(op);
        if let Some(parent) = self.ir.parent_op(op) {
            self.around_invalid.insert(parent);
        }
    }

    /// A stub is verified as the root of its own arena; only its place counts here.
    fn stub(&mut self, order: u32, op: Op) {
        let ir = self.ir;
        self.stubs.push((order, op));
        let in_table = ir.parent_op(op).is_none_or(|parent| {
            ir.has_trait(parent, Traits::SYMBOL_TABLE) || ir.def(parent).is_unregistered()
        });
        // A module without a name is no symbol.
        if !in_table && ir.symbol_name(op).is_some() {
            let error = "symbol's parent must have the SymbolTable trait".into();
            self.op_error(order, op, error);
        }
    }

    /// Checks the blocks of the regions of `op`.
    fn regions(&mut self, order: u32, op: Op) {
        let ir = self.ir;
        for &region in ir.regions(op) {
            let Some(entry) = ir.entry_block(region) else {
                continue;
            };
            if !ir.block_uses(entry).is_empty() {
                let message = "entry block of region may not have predecessors";
                self.error(order, ir.loc(op), message.to_owned());
                self.mark_invalid(op);
            }
            let mut block = Some(entry);
            while let Some(current) = block {
                if let Err((loc, message)) = specs::check_block(ir, op, current) {
                    self.error(order, loc, message);
                    self.mark_invalid(op);
                } else if let Some(last) = specs::no_terminator(ir, op, current) {
                    self.in_place_of_terminator.push((order, last));
                    self.mark_invalid(op);
                }
                block = ir.next_block(current);
            }
        }
    }

    /// Reports symbols with the name of another one.
    fn redefinitions(&mut self) {
        let ir = self.ir;
        for (order, redefinition, original) in rules::redefinitions(ir) {
            let name = ir.symbol_name(redefinition).unwrap_or_default();
            let message = format!("redefinition of symbol named '{name}'");
            self.error(order, ir.loc(redefinition), message);
            self.note(
                ir.loc(original),
                "see existing symbol definition here".to_owned(),
            );
        }
    }

    fn error(&mut self, order: u32, loc: Loc, message: String) {
        self.reports.push(Report {
            order,
            diagnostic: Diagnostic {
                severity: Severity::Error,
                loc,
                message,
                notes: Vec::new(),
            },
        });
    }

    /// Attaches a note to the last error.
    fn note(&mut self, loc: Loc, message: String) {
        if let Some(report) = self.reports.last_mut() {
            report.diagnostic.notes.push((loc, message));
        }
    }

    /// Reports the errors of `op`.
    fn op_error(&mut self, order: u32, op: Op, error: OpError) {
        let message = match error.bare {
            true => error.message,
            false => format!("'{}' op {}", self.ir.op_name(op), error.message),
        };
        self.error(order, error.loc.unwrap_or(self.ir.loc(op)), message);
        for (loc, message) in error.notes {
            self.note(loc, message);
        }
    }
}
