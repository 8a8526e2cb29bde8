//! The builtin dialect: modules and unrealized casts.

use std::sync::Arc;

use super::{constraints, rules};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::edit::OpSpec;
use crate::ir::entities::Op;
use crate::ir::location::Loc;
use crate::ir::names::Name;
use crate::ir::op_def::{
    AttrConstraint, AttrSpec, AttrText, DialectDef, OpDef, OpError, Traits, ValueSpec,
};

static SYMBOL_NAME: AttrConstraint = constraints::STRING_ATTR.written(AttrText::Symbol);

/// `builtin.module`
pub static MODULE: OpDef = const {
    OpDef {
        name: "builtin.module",
        traits: Traits::OWNS_ARENA
            .and(Traits::SYMBOL_TABLE)
            .and(Traits::SINGLE_BLOCK)
            .and(Traits::NO_TERMINATOR)
            .and(Traits::GRAPH_REGION),
        attributes: &[
            AttrSpec::optional(Name::SYM_NAME, &SYMBOL_NAME),
            AttrSpec::optional(Name::SYM_VISIBILITY, &constraints::STRING_ATTR),
        ],
        regions: (1, 1),
        verify: verify_module,
        ..OpDef::BASE
    }
}
.with_format("($sym_name^)? attr-dict-with-keyword region");

/// `builtin.unrealized_conversion_cast`
pub static UNREALIZED_CONVERSION_CAST: OpDef = const {
    OpDef {
        name: "builtin.unrealized_conversion_cast",
        operands: &[ValueSpec::variadic("inputs", &constraints::ANY)],
        results: &[ValueSpec::variadic("outputs", &constraints::ANY)],
        verify: verify_cast,
        ..OpDef::PURE
    }
}
.with_format("($inputs^ `:` type($inputs))? `to` type($outputs) attr-dict");

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "builtin",
    ops: &[&MODULE, &UNREALIZED_CONVERSION_CAST],
    ..DialectDef::BASE
};

/// An empty module.
pub fn module(context: &Arc<Context>, loc: Loc) -> Ir {
    let mut ir = Ir::new(Arc::clone(context), OpSpec::new(&MODULE, loc).regions(1));
    let region = ir.region(ir.root(), 0);
    ir.append_block(region, &[]);
    ir
}

fn verify_module(ir: &Ir, op: Op) -> Result<(), OpError> {
    rules::expect_single_block(ir, op, 0, "bodyRegion")?;
    let has_arguments = ir
        .root_block()
        .is_some_and(|block| !ir.block_args(block).is_empty());
    if has_arguments {
        return Err("region should have no arguments".into());
    }
    let context = ir.context();
    let stray = context.dict(ir.attrs(op)).iter().find(|entry| {
        !context.name(entry.0).contains('.')
            && ![Name::EMPTY, Name::SYM_NAME, Name::SYM_VISIBILITY].contains(&entry.0)
    });
    match stray {
        Some(&(name, _)) => Err(format!(
            "can only contain attributes with dialect-prefixed names, found: '{}'",
            context.name(name)
        )
        .into()),
        None => Ok(()),
    }
}

fn verify_cast(ir: &Ir, op: Op) -> Result<(), OpError> {
    if ir.results(op).is_empty() {
        return Err("expected at least one result for cast operation".into());
    }
    Ok(())
}
