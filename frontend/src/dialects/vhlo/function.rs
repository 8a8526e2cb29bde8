//! `vhlo.func_v1`, the one operation with a form of its own:
//! `vhlo.func_v1 @main(%arg0: !vhlo.tensor_v1<!vhlo.f32_v1>) -> (!vhlo.tensor_v1<!vhlo.f32_v1>) {...} {...}`.

use crate::ir::asm::{Argument, Delimiter, OpAsmParser, OpAsmPrinter};
use crate::ir::constraints::ANY_ATTR;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, Traits};
use crate::ir::types::{Type, TypeKind};

use super::{spelled_attr, spelled_type, unspelled_attr, unspelled_type};

/// `vhlo.func_v1`
pub static FUNC_V1: OpDef = OpDef {
    name: "vhlo.func_v1",
    traits: Traits::OWNS_ARENA.and(Traits::NO_DEFAULT_DIALECT),
    attributes: &[
        AttrSpec::required(Name::SYM_NAME, &ANY_ATTR),
        AttrSpec::required(Name::FUNCTION_TYPE, &ANY_ATTR),
        AttrSpec::required(Name::SYM_VISIBILITY, &ANY_ATTR),
        AttrSpec::required(Name::ARG_ATTRS, &ANY_ATTR),
        AttrSpec::required(Name::RES_ATTRS, &ANY_ATTR),
    ],
    regions: (1, 1),
    parse: Some(parse),
    print: Some(print),
    ..OpDef::BASE
};

fn parse(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let context = p.context();
    let name = p.parse_symbol_name()?;
    spec.set_attr(
        Name::SYM_NAME,
        spelled_attr(context, context.string_attr(&name)),
    );
    let arguments: Vec<Argument> = p.parse_argument_list(Delimiter::Paren, true, false)?;
    let results = p.parse_arrow_type_list()?;
    let plain = |ty: Type| unspelled_type(context, ty);
    let inputs: Vec<Type> = arguments
        .iter()
        .map(|argument| plain(argument.ty))
        .collect();
    let results: Vec<Type> = results.into_iter().map(plain).collect();
    let ty = context.type_attr(context.function_type(&inputs, &results));
    spec.set_attr(Name::FUNCTION_TYPE, spelled_attr(context, ty));
    p.parse_region(&arguments, spec)?;
    p.parse_opt_attr_dict(spec)
}

fn print(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let context = ir.context();
    let plain = |name: Name| Some(unspelled_attr(context, ir.attr(op, name)?));
    let name = plain(Name::SYM_NAME).and_then(|attr| context.attr_string(attr));
    p.text(" ");
    p.symbol_name(name.unwrap_or_default());
    p.text("(");
    let region = ir.region(op, 0);
    let arguments = ir.entry_block(region).map(|entry| ir.block_args(entry));
    for (i, &argument) in arguments.unwrap_or_default().iter().enumerate() {
        p.text(if i > 0 { ", " } else { "" });
        p.region_argument(ir, argument);
    }
    p.text(") -> (");
    let ty = plain(Name::FUNCTION_TYPE).and_then(|attr| context.attr_type(attr));
    if let Some(TypeKind::Function { results, .. }) = ty.map(|ty| context.type_kind(ty)) {
        for (i, &result) in results.iter().enumerate() {
            p.text(if i > 0 { ", " } else { "" });
            p.ty(spelled_type(context, result));
        }
    }
    p.text(") ");
    p.region(ir, region, false, true);
    p.opt_attr_dict(ir, op, &[Name::SYM_NAME, Name::FUNCTION_TYPE]);
}
