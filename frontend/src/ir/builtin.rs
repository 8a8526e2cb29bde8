//! The builtin dialect: modules and unrealized casts.

use std::sync::Arc;

use super::{constraints, rules};
use crate::ir::asm::{OpAsmParser, OpAsmPrinter};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::Op;
use crate::ir::location::Loc;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, DialectDef, OpDef, OpError, Traits, ValueSpec};

/// `builtin.module`
pub static MODULE: OpDef = OpDef {
    name: "builtin.module",
    traits: Traits::OWNS_ARENA
        .and(Traits::SYMBOL_TABLE)
        .and(Traits::SINGLE_BLOCK)
        .and(Traits::NO_TERMINATOR)
        .and(Traits::GRAPH_REGION),
    attributes: &[
        AttrSpec::optional(Name::SYM_NAME, &constraints::STRING_ATTR),
        AttrSpec::optional(Name::SYM_VISIBILITY, &constraints::STRING_ATTR),
    ],
    regions: (1, 1),
    parse: Some(parse_module),
    print: Some(print_module),
    verify: verify_module,
    ..OpDef::BASE
};

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

/// `@name attributes {...} { ... }`
fn parse_module(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    if let Some(name) = parser.parse_opt_symbol_name() {
        spec.set_attr(Name::SYM_NAME, parser.context().string_attr(&name));
    }
    parser.parse_opt_attr_dict_with_keyword(spec)?;
    parser.parse_region_with_block(spec)
}

fn print_module(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    if let Some(name) = ir.symbol_name(op) {
        printer.text(" ");
        printer.symbol_name(name);
    }
    printer.opt_attr_dict_with_keyword(ir, op, &[Name::SYM_NAME]);
    printer.text(" ");
    printer.region(ir, ir.region(op, 0), true, true);
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
