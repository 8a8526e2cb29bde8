//! Dialects that a file declares: `--irdl-file`.
//!
//! The file is a program in the `irdl` dialect, as upstream's tools read it. Attributes of the definitions whose names
//! begin with `freehold.` say what IRDL has no words for: effects on memory, who owns results, where control goes.
//! [`declare`] makes rows of it and registers them, so every pass treats these operations as it treats built-in ones.

use std::sync::{Arc, Mutex, PoisonError};

use crate::dialects::irdl;
use crate::dialects::irdl::assembly::names_of;
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::declared::{Declared, DeclaredDialect, DeclaredKind, DeclaredTable};
use crate::ir::diag::{Diagnostics, Failed};
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::{DialectDef, OpDef};
use crate::syntax::parser::parse_source;
use crate::verify::verify;

mod attributes;
mod constraints;
mod operation;

use constraints::{Definitions, read_constraints};

/// Adds the dialects that `text`, a file of this name, declares to `context`. The context is there even if that fails:
/// reports are about places in it.
pub fn declare(
    context: Context,
    name: &str,
    text: &str,
    diagnostics: &mut Diagnostics,
) -> (Arc<Context>, Result<(), Failed>) {
    let mut context = Arc::new(context);
    let Ok(file) = context.add_source(name, text, 1) else {
        let failed = diagnostics.error(
            crate::ir::location::Loc::UNKNOWN,
            format!("'{name}' is too large"),
        );
        return (context, Err(failed));
    };
    let outcome = read(&context, &file, diagnostics);
    drop(file);
    let outcome = outcome.map(|(dialects, table)| {
        let rows = rows_of(text, dialects);
        let known = Arc::get_mut(&mut context).expect("the program of declarations is gone");
        known.declare(rows, table);
    });
    (context, outcome)
}

/// The parts of a dialect.
#[derive(PartialEq, Debug)]
struct Dialect {
    namespace: String,
    is_open: bool,
    declared: DeclaredDialect,
    operations: Vec<operation::Operation>,
}

fn read(
    context: &Arc<Context>,
    file: &Arc<crate::ir::location::SourceFile>,
    diagnostics: &mut Diagnostics,
) -> Result<(Vec<Dialect>, DeclaredTable), Failed> {
    let ir = parse_source(context, file, diagnostics)?;
    verify(&ir, diagnostics)?;
    let mut cx = Reader {
        ir: &ir,
        table: DeclaredTable::default(),
        diagnostics,
        definitions: Definitions::default(),
    };
    let definitions = ir.root_block().map(|block| ir.ops_in(block));
    let dialects: Vec<Op> = definitions
        .into_iter()
        .flatten()
        .filter(|&op| ir.is(op, &irdl::DIALECT_OP))
        .collect();
    if dialects.is_empty() {
        return Err(cx.diagnostics.error(
            ir.loc(ir.root()),
            format!("'{}' declares no dialect: expected irdl.dialect", file.name),
        ));
    }
    cx.definitions = Definitions::of(&ir, &dialects, cx.diagnostics)?;
    let mut outcome = Ok(());
    let mut read = Vec::new();
    for op in dialects {
        match cx.dialect(op) {
            Ok(dialect) => read.push(dialect),
            Err(failed) => outcome = Err(failed),
        }
    }
    outcome.map(|()| (read, cx.table))
}

/// Rows of files that were read before. They live as long as the process, so that a file that is read again, as tests
/// and servers do, takes no more memory.
static KNOWN: Mutex<Vec<(String, &[&DialectDef])>> = Mutex::new(Vec::new());

fn rows_of(text: &str, dialects: Vec<Dialect>) -> &'static [&'static DialectDef] {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, rows)) = known.iter().find(|(other, _)| other == text) {
        return rows;
    }
    let rows: Vec<&'static DialectDef> = dialects.into_iter().map(row_of_dialect).collect();
    let rows: &'static [&'static DialectDef] = Box::leak(rows.into());
    known.push((text.to_owned(), rows));
    rows
}

fn row_of_dialect(dialect: Dialect) -> &'static DialectDef {
    let rows: Vec<&'static OpDef> = dialect
        .operations
        .into_iter()
        .map(|operation| &*Box::leak(Box::new(operation.into_row())))
        .collect();
    Box::leak(Box::new(DialectDef {
        namespace: leak(&dialect.namespace),
        ops: Box::leak(rows.into()),
        is_open: dialect.is_open,
        declared: Some(Box::leak(Box::new(dialect.declared))),
        advice: Some(
            "a file declares it: 'freehold.c_function' there names a C function to call for it",
        ),
        ..DialectDef::BASE
    }))
}

/// Text that lives as long as the process, as all of a row does.
fn leak(text: &str) -> &'static str {
    Box::leak(text.into())
}

/// What reads the definitions of a file.
struct Reader<'a> {
    ir: &'a Ir,
    table: DeclaredTable,
    diagnostics: &'a mut Diagnostics,
    definitions: Definitions,
}

impl Reader<'_> {
    fn error(&mut self, op: Op, message: impl AsRef<str>) -> Failed {
        let name = match self.ir.symbol_name(op) {
            Some(symbol) => format!("'{}' @{symbol}", self.ir.op_name(op)),
            None => format!("'{}' op", self.ir.op_name(op)),
        };
        let message = format!("{name} {}", message.as_ref());
        self.diagnostics.error(self.ir.loc(op), message)
    }

    /// The number of a type or attribute in the table.
    fn number(&mut self, attr: Attr) -> usize {
        let found = self.table.attrs.iter().position(|&known| known == attr);
        found.unwrap_or_else(|| {
            self.table.attrs.push(attr);
            self.table.attrs.len() - 1
        })
    }

    /// The definitions inside of `op`.
    fn inside(&self, op: Op) -> Vec<Op> {
        let block = self.ir.entry_block(self.ir.region(op, 0));
        block.map_or(Vec::new(), |block| self.ir.ops_in(block).collect())
    }

    fn dialect(&mut self, op: Op) -> Result<Dialect, Failed> {
        let ir = self.ir;
        let namespace = ir.symbol_name(op).unwrap_or_default().to_owned();
        let context = ir.context();
        if (context.dialect(&namespace)).is_some_and(|known| !known.ops.is_empty()) {
            return Err(self.error(op, "declares a dialect that is known already"));
        }
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if namespace.is_empty() || !namespace.chars().all(is_plain) {
            return Err(self.error(op, "is no name of a dialect"));
        }
        let mut is_open = false;
        self.for_each_attribute(op, |this, name, _| match name {
            "open" => {
                is_open = true;
                Ok(())
            }
            _ => Err(this.error(
                op,
                format!("has no attribute 'freehold.{name}': known is open"),
            )),
        })?;
        let mut declared = DeclaredDialect { kinds: Vec::new() };
        let mut operations = Vec::new();
        let mut outcome = Ok(());
        for inner in self.inside(op) {
            let step = if ir.is(inner, &irdl::OPERATION) {
                self.operation(&namespace, inner)
                    .map(|operation| operations.push(operation))
            } else if ir.is(inner, &irdl::TYPE) || ir.is(inner, &irdl::ATTRIBUTE) {
                self.kind(inner).map(|kind| declared.kinds.push(kind))
            } else {
                Err(self.error(inner, "is no definition of a dialect"))
            };
            outcome = outcome.and(step);
        }
        outcome.map(|()| Dialect {
            namespace,
            is_open,
            declared,
            operations,
        })
    }

    fn kind(&mut self, op: Op) -> Result<DeclaredKind, Failed> {
        let ir = self.ir;
        let is_type = ir.is(op, &irdl::TYPE);
        let inside = self.inside(op);
        let (constraints, ids) = read_constraints(self, &inside)?;
        let mut parameters = Vec::new();
        for &inner in inside.iter().filter(|&&op| ir.is(op, &irdl::PARAMETERS)) {
            let values = ir.operands(inner).iter();
            parameters.extend(values.filter_map(|value| ids.get(value)));
        }
        let mut represented = None;
        self.for_each_attribute(op, |this, name, attr| {
            let ty = ir.context().attr_type(attr);
            match (name, ty) {
                ("as", Some(_)) if is_type => {
                    represented = Some(this.number(attr));
                    Ok(())
                }
                ("as", _) if is_type => Err(this.error(op, "needs a type in 'freehold.as'")),
                _ => {
                    let known = if is_type { ": known is as" } else { "" };
                    Err(this.error(op, format!("has no attribute 'freehold.{name}'{known}")))
                }
            }
        })?;
        Ok(DeclaredKind {
            name: leak(ir.symbol_name(op).unwrap_or_default()),
            is_type,
            constraints,
            parameters,
            represented,
        })
    }

    /// Calls `read` with the attributes of `op` that are of this program, without what their names begin with.
    fn for_each_attribute(
        &mut self,
        op: Op,
        mut read: impl FnMut(&mut Self, &str, Attr) -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        let context = Arc::clone(self.ir.context());
        let mut outcome = Ok(());
        for &(name, attr) in context.dict(self.ir.attrs(op)) {
            if let Some(name) = context.name(name).strip_prefix("freehold.") {
                outcome = outcome.and(read(self, name, attr));
            }
        }
        outcome
    }
}

/// The names and constraints of `irdl.operands`, `irdl.results` and the like.
fn named(ir: &Ir, op: Op) -> Vec<String> {
    match ir.is(op, &irdl::ATTRIBUTES) {
        true => names_of(ir, op, Name::ATTRIBUTE_VALUE_NAMES),
        false => names_of(ir, op, Name::NAMES),
    }
}

/// The strings in an attribute that is one or a list of them.
fn strings(context: &Context, attr: Attr) -> Option<Vec<String>> {
    match context.attr_kind(attr) {
        AttrKind::Array(list) => list
            .iter()
            .map(|&attr| context.attr_string(attr).map(str::to_owned))
            .collect(),
        _ => context.attr_string(attr).map(|text| vec![text.to_owned()]),
    }
}

/// The entries of a dictionary.
fn entries(context: &Context, attr: Attr) -> Option<Vec<(String, Attr)>> {
    match context.attr_kind(attr) {
        AttrKind::Dictionary(dict) => Some(
            context
                .dict(*dict)
                .iter()
                .map(|&(name, attr)| (context.name(name).to_owned(), attr))
                .collect(),
        ),
        _ => None,
    }
}

fn into_static(declared: Declared) -> &'static Declared {
    Box::leak(Box::new(declared))
}
