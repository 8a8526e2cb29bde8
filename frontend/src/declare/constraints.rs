//! The constraints of definitions, and what can be said of the values that satisfy them.

use rustc_hash::FxHashMap;

use super::Reader;
use crate::dialects::irdl;
use crate::ir::attrs::AttrKind;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::declared::{Constraint, ConstraintId, Constraints};
use crate::ir::diag::{Diagnostics, Failed};
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::types::{Type, TypeKind};
use crate::syntax::declared::{BUILTIN_ATTRS, BUILTIN_TYPES, is_number};

/// The definitions of a file by name, and the words for what they are.
#[derive(Default)]
pub(super) struct Definitions {
    of: FxHashMap<(String, String), &'static str>,
}

impl Definitions {
    /// Those in `dialects`. Two may not have one name.
    pub(super) fn of(
        ir: &Ir,
        dialects: &[Op],
        diagnostics: &mut Diagnostics,
    ) -> Result<Self, Failed> {
        let mut this = Self::default();
        let mut outcome = Ok(());
        let mut seen: FxHashMap<String, Op> = FxHashMap::default();
        let mut define = |key: String, op: Op| {
            if let Some(&first) = seen.get(&key) {
                let name = ir.symbol_name(op).unwrap_or_default();
                let message = format!("redefinition of symbol named '{name}'");
                outcome = Err(diagnostics.error(ir.loc(op), message));
                diagnostics.note(ir.loc(first), "see existing symbol definition here");
            }
            seen.insert(key, op);
        };
        for &dialect in dialects {
            let namespace = ir.symbol_name(dialect).unwrap_or_default();
            define(namespace.to_owned(), dialect);
            let block = ir.entry_block(ir.region(dialect, 0));
            for op in block.into_iter().flat_map(|block| ir.ops_in(block)) {
                let Some(name) = ir.symbol_name(op) else {
                    continue;
                };
                define(format!("{namespace}.{name}"), op);
                let key = (namespace.to_owned(), name.to_owned());
                this.of.insert(key, ir.def(op).name);
            }
        }
        outcome.map(|()| this)
    }
}

/// The constraints among `ops`, and which one each value is.
pub(super) fn read_constraints(
    cx: &mut Reader<'_>,
    ops: &[Op],
) -> Result<(Constraints, FxHashMap<Value, ConstraintId>), Failed> {
    let ir = cx.ir;
    let mut ids: FxHashMap<Value, ConstraintId> = FxHashMap::default();
    let mut constraints = Constraints::new();
    let mut outcome = Ok(());
    for &op in ops {
        let is_constraint = [
            &irdl::ANY_OP,
            &irdl::IS,
            &irdl::ANY_OF,
            &irdl::ALL_OF,
            &irdl::BASE,
            &irdl::PARAMETRIC,
            &irdl::C_PRED,
        ]
        .iter()
        .any(|def| ir.is(op, def));
        if !is_constraint {
            continue;
        }
        let operands: Vec<ConstraintId> = ir
            .operands(op)
            .iter()
            .filter_map(|value| ids.get(value).copied())
            .collect();
        match constraint(cx, op, operands) {
            Ok(constraint) => {
                let each = ir.context().intern_name("freehold.each");
                ids.insert(ir.result(op, 0), constraints.len());
                constraints.push(match ir.has_attr(op, each) {
                    true => Constraint::Each(Box::new(constraint)),
                    false => constraint,
                });
            }
            Err(failed) => {
                ids.insert(ir.result(op, 0), constraints.len());
                constraints.push(Constraint::Any);
                outcome = Err(failed);
            }
        }
    }
    outcome.map(|()| (constraints, ids))
}

fn constraint(
    cx: &mut Reader<'_>,
    op: Op,
    operands: Vec<ConstraintId>,
) -> Result<Constraint, Failed> {
    let ir = cx.ir;
    let context = ir.context();
    Ok(if ir.is(op, &irdl::ANY_OP) {
        Constraint::Any
    } else if ir.is(op, &irdl::IS) {
        let expected = ir.attr(op, Name::EXPECTED);
        Constraint::Is(cx.number(expected.expect("it is verified")))
    } else if ir.is(op, &irdl::ANY_OF) {
        Constraint::AnyOf(operands)
    } else if ir.is(op, &irdl::ALL_OF) {
        Constraint::AllOf(operands)
    } else if ir.is(op, &irdl::PARAMETRIC) {
        let (is_type, name) = referenced(cx, op, Name::BASE_TYPE)?;
        Constraint::Base {
            is_type,
            name,
            parameters: Some(operands),
        }
    } else if ir.is(op, &irdl::C_PRED) {
        return Err(cx.diagnostics.error(
            ir.loc(op),
            "'irdl.c_pred' op is a test in C++, which only tools built with it can make: describe \
             the type with irdl.base, irdl.is or irdl.any",
        ));
    } else if let Some(name) = ir.attr(op, Name::BASE_NAME) {
        let name = context.attr_string(name).unwrap_or_default().to_owned();
        let is_type = name.starts_with('!');
        let base = &name[1..];
        let (dialect, kind) = base.split_once('.').unwrap_or((base, ""));
        let known = if is_type {
            BUILTIN_TYPES
        } else {
            BUILTIN_ATTRS
        };
        let is_known = match dialect {
            "builtin" => known.contains(&kind),
            _ => context.dialect(dialect).is_some() && !kind.is_empty(),
        };
        if !is_known {
            let what = if is_type { "type" } else { "attribute" };
            let message = format!("no registered {what} with name {name}");
            return Err(cx.diagnostics.error(ir.loc(op), message));
        }
        Constraint::Base {
            is_type,
            name: base.to_owned(),
            parameters: None,
        }
    } else {
        let (is_type, name) = referenced(cx, op, Name::BASE_REF)?;
        Constraint::Base {
            is_type,
            name,
            parameters: None,
        }
    })
}

/// The type or attribute definition that a symbol means: whether it is a type, and its full name.
fn referenced(cx: &mut Reader<'_>, op: Op, name: Name) -> Result<(bool, String), Failed> {
    let ir = cx.ir;
    let context = ir.context();
    let attr = ir.attr(op, name);
    let Some(AttrKind::SymbolRef { root, nested }) = attr.map(|attr| context.attr_kind(attr))
    else {
        return Err(cx.error(op, "needs a symbol"));
    };
    let (dialect, kind) = match &nested[..] {
        [] => ("", &**root),
        [kind] => (&**root, &**kind),
        _ => (&**root, ""),
    };
    let text = match nested.is_empty() {
        true => format!("@{kind}"),
        false => format!("@{dialect}::@{kind}"),
    };
    let found = cx
        .definitions
        .of
        .get(&(dialect.to_owned(), kind.to_owned()));
    match found.copied() {
        Some("irdl.type") => Ok((true, format!("{dialect}.{kind}"))),
        Some("irdl.attribute") => Ok((false, format!("{dialect}.{kind}"))),
        Some(other) => Err(cx.diagnostics.error(
            ir.loc(op),
            format!(
                "'{}' op symbol '{text}' does not refer to a type or attribute definition (refers \
                 to '{other}')",
                ir.op_name(op)
            ),
        )),
        None => Err(cx.diagnostics.error(
            ir.loc(op),
            format!("'{}' op symbol '{text}' not found", ir.op_name(op)),
        )),
    }
}

/// Kinds of values, as a set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub(super) const BUFFER: Self = Self(1);
    pub(super) const TENSOR: Self = Self(2);
    pub(super) const NUMBER: Self = Self(4);
    /// Of other dialects, functions and tuples.
    pub(super) const OTHER: Self = Self(8);
    const ALL: Self = Self(15);
    const NONE: Self = Self(0);

    pub(super) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// What values that satisfy a constraint may be.
pub(super) fn kinds(cx: &Reader<'_>, constraints: &Constraints, id: ConstraintId) -> Kinds {
    kinds_of(cx, constraints, &constraints[id])
}

fn kinds_of(cx: &Reader<'_>, constraints: &Constraints, constraint: &Constraint) -> Kinds {
    let all = |ids: &[ConstraintId]| -> Vec<Kinds> {
        ids.iter().map(|&id| kinds(cx, constraints, id)).collect()
    };
    match constraint {
        Constraint::Each(constraint) => kinds_of(cx, constraints, constraint),
        Constraint::Any => Kinds::ALL,
        Constraint::Is(number) => {
            let context = cx.ir.context();
            match context.attr_type(cx.table.attrs[*number]) {
                Some(ty) => kind_of_type(context, ty),
                None => Kinds::NONE,
            }
        }
        Constraint::AnyOf(ids) => all(ids).into_iter().fold(Kinds::NONE, Kinds::with),
        Constraint::AllOf(ids) => all(ids).into_iter().fold(Kinds::ALL, Kinds::and),
        Constraint::Base { is_type: false, .. } => Kinds::NONE,
        Constraint::Base { name, .. } => match name.strip_prefix("builtin.") {
            Some("memref" | "unranked_memref") => Kinds::BUFFER,
            Some("tensor" | "unranked_tensor") => Kinds::TENSOR,
            Some("function" | "tuple") | None => Kinds::OTHER,
            Some(_) => Kinds::NUMBER,
        },
    }
}

fn kind_of_type(context: &Context, ty: Type) -> Kinds {
    match context.type_kind(ty) {
        TypeKind::MemRef(_) | TypeKind::UnrankedMemRef { .. } => Kinds::BUFFER,
        TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor(_) => Kinds::TENSOR,
        _ if is_number(context, ty) => Kinds::NUMBER,
        _ => Kinds::OTHER,
    }
}
