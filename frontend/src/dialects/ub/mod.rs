//! The ub dialect: values that must not be looked at.

use crate::ir::asm::{OpAsmParser, OpAsmPrinter};
use crate::ir::attrs::{Attr, AttrKind};
use crate::ir::constraints::ANY;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::{
    AttrConstraint, AttrSpec, DialectDef, OpDef, Traits, ValueSpec, no_effects,
};
use crate::ir::version::MlirVersion;
use crate::op_view;

static POISON_ATTR: AttrConstraint = AttrConstraint {
    description: "PoisonAttrInterface instance",
    accepts: |context, attr| attr == poison_attr(context),
    ..AttrConstraint::BASE
};

/// `ub.poison`
pub static POISON: OpDef = OpDef {
    name: "ub.poison",
    traits: Traits::CONSTANT_LIKE.and(Traits::SPECULATABLE),
    results: &[ValueSpec::one("result", &ANY)],
    attributes: &[AttrSpec::optional(Name::VALUE, &POISON_ATTR)],
    parse: Some(parse),
    print: Some(print),
    ..OpDef::PURE
};

/// `ub.unreachable`: control never comes here.
pub static UNREACHABLE: OpDef = OpDef {
    name: "ub.unreachable",
    traits: Traits::TERMINATOR,
    parse: Some(|parser, spec| {
        parser.context().note_version(MlirVersion::V22);
        parser.parse_opt_attr_dict(spec)
    }),
    print: Some(|printer, ir, op| printer.opt_attr_dict(ir, op, &[])),
    effects: Some(no_effects),
    ..OpDef::BASE
};

op_view! {
    /// `ub.poison`
    Poison, POISON {}
}

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "ub",
    ops: &[&POISON, &UNREACHABLE],
    ..DialectDef::BASE
};

/// `#ub.poison`
pub fn poison_attr(context: &Context) -> Attr {
    context.intern_attr(AttrKind::Dialect {
        dialect: context.intern_name("ub"),
        body: "poison".into(),
        ty: None,
    })
}

fn parse(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    parser.parse_opt_attr_dict(spec)?;
    let value = if parser.parse_opt_token("<") {
        let loc = parser.loc();
        let value = parser.parse_attr(None)?;
        if value != poison_attr(parser.context()) {
            return Err(parser.error(loc, "invalid kind of attribute specified"));
        }
        parser.parse_token(">")?;
        value
    } else {
        poison_attr(parser.context())
    };
    spec.set_attr(Name::VALUE, value);
    spec.results.push(parser.parse_colon_type()?);
    Ok(())
}

fn print(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    printer.opt_attr_dict(ir, op, &[Name::VALUE]);
    let default = poison_attr(ir.context());
    if let Some(value) = ir.attr(op, Name::VALUE).filter(|&value| value != default) {
        printer.text(" <");
        printer.attr(value);
        printer.text(">");
    }
    printer.text(" : ");
    printer.types_of(ir, ir.results(op));
}
