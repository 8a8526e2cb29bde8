//! Custom forms that many elementwise operations share, in this dialect and in
//! math, index and complex.

use crate::ir::asm::{Delimiter, OpAsmParser, OpAsmPrinter};
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::Op;
use crate::ir::types::Type;

/// Reads the keyword (or string) of an enumeration as upstream's generated parsers do.
pub(crate) fn parse_enum_keyword<T: Copy>(
    p: &mut dyn OpAsmParser<'_>,
    attr: &str,
    cases: &[T],
    keyword: fn(T) -> &'static str,
) -> Result<T, Failed> {
    let loc = p.loc();
    let text = match p.parse_opt_any_keyword() {
        Some(text) => Some(text.to_owned()),
        None => p.parse_opt_string().transpose()?,
    };
    let found = text.and_then(|text| cases.iter().copied().find(|&case| keyword(case) == text));
    found.ok_or_else(|| {
        let names: Vec<&str> = cases.iter().map(|&case| keyword(case)).collect();
        let names = names.join(", ");
        p.error(
            loc,
            format!(
                "expected string or keyword containing one of the following enum values for attribute '{attr}' [{names}]"
            ),
        )
    })
}

/// `i1`, or the vector or tensor of `i1` shaped like `ty`.
pub(super) fn i1_same_shape(context: &Context, ty: Type) -> Type {
    context.with_element_type(ty, Type::I1)
}

/// `%condition, %a, %b : type`, with `condition type,` in front of the type
/// unless it is `i1`.
pub(super) fn parse_select(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let operands = p.parse_operand_list(Delimiter::None)?;
    if operands.len() != 3 {
        return Err(p.error(p.name_loc(), "expected 3 operands"));
    }
    p.parse_opt_attr_dict(spec)?;
    let mut condition = Type::I1;
    let mut ty = p.parse_colon_type()?;
    if p.parse_opt_token(",") {
        condition = ty;
        ty = p.parse_type()?;
    }
    p.resolve(&operands[0], condition, spec)?;
    p.resolve_all(&operands[1..], ty, spec)?;
    spec.results.push(ty);
    Ok(())
}

/// Prints what [`parse_select`] reads.
pub(super) fn print_select(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    p.text(" ");
    p.values(ir.operands(op));
    p.opt_attr_dict(ir, op, &[]);
    p.text(" : ");
    let condition = ir.value_type(ir.operand(op, 0));
    if condition != Type::I1 {
        p.ty(condition);
        p.text(", ");
    }
    p.ty(ir.value_type(ir.result(op, 0)));
}
