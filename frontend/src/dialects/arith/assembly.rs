//! Custom forms that many elementwise operations share, in this dialect and in
//! math, index and complex.

use smallvec::SmallVec;

use super::attributes::{
    CmpFPredicate, CmpIPredicate, FASTMATH_FLAGS, FlagsDef, OVERFLOW_FLAGS, RoundingMode,
};
use crate::dialects::shared::assembly::print_type_pair;
use crate::ir::asm::{OpAsmParser, OpAsmPrinter, UnresolvedOperand};
use crate::ir::constraints;
use crate::ir::context::Context;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::TypeConstraint;
use crate::ir::types::Type;

/// Operands of one custom form.
type Operands = SmallVec<[UnresolvedOperand; 3]>;

/// Reads `%a, %b, ...`: exactly `n` operands.
fn parse_operands(p: &mut dyn OpAsmParser<'_>, n: usize) -> Result<Operands, Failed> {
    let mut operands = Operands::new();
    for i in 0..n {
        if i > 0 {
            p.parse_token(",")?;
        }
        operands.push(p.parse_operand()?);
    }
    Ok(operands)
}

/// `%a, %b flags {attrs} : type` with one type for all operands and the result.
fn parse_same_type(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
    n: usize,
    flags: Option<&FlagsDef>,
) -> Result<(), Failed> {
    let operands = parse_operands(p, n)?;
    if let Some(flags) = flags {
        flags.parse(p, spec)?;
    }
    p.parse_opt_attr_dict(spec)?;
    let ty = p.parse_colon_type()?;
    p.resolve_all(&operands, ty, spec)?;
    spec.results.push(ty);
    Ok(())
}

fn print_same_type(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op, flags: Option<&FlagsDef>) {
    print_operands_and_attrs(p, ir, op, flags, &[]);
    p.text(" : ");
    p.ty(ir.value_type(ir.result(op, 0)));
}

/// ` %a, %b flags {attrs}`
pub(crate) fn print_operands_and_attrs(
    p: &mut dyn OpAsmPrinter,
    ir: &Ir,
    op: Op,
    flags: Option<&FlagsDef>,
    except: &[Name],
) {
    p.text(" ");
    p.values(ir.operands(op));
    print_flags_and_attrs(p, ir, op, flags, except);
}

/// ` flags {attrs}`
fn print_flags_and_attrs(
    p: &mut dyn OpAsmPrinter,
    ir: &Ir,
    op: Op,
    flags: Option<&FlagsDef>,
    except: &[Name],
) {
    if let Some(flags) = flags {
        flags.print(p, ir, op);
    }
    let mut all: SmallVec<[Name; 4]> = except.into();
    all.extend([Name::FASTMATH, Name::OVERFLOW_FLAGS]);
    p.opt_attr_dict(ir, op, &all);
}

/// Whether the row of `op` has the attribute that `flags` are stored in.
fn flags_of(ir: &Ir, op: Op) -> Option<&'static FlagsDef> {
    let def = ir.def(op);
    [&FASTMATH_FLAGS, &OVERFLOW_FLAGS]
        .into_iter()
        .find(|flags| def.is_inherent(flags.name()))
}

/// Prints what any of the `parse_*` functions of operations with one type reads.
pub(crate) fn print_one_type(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    print_same_type(p, ir, op, flags_of(ir, op));
}

/// `%a : type`
pub(crate) fn parse_unary(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    parse_same_type(p, spec, 1, None)
}

/// `%a, %b : type`
pub(crate) fn parse_binary(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    parse_same_type(p, spec, 2, None)
}

/// `%a, %b overflow<nsw> : type`
pub(super) fn parse_binary_overflow(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    parse_same_type(p, spec, 2, Some(&OVERFLOW_FLAGS))
}

/// `%a fastmath<fast> : type`
pub(crate) fn parse_unary_fastmath(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    parse_same_type(p, spec, 1, Some(&FASTMATH_FLAGS))
}

/// `%a, %b fastmath<fast> : type`
pub(crate) fn parse_binary_fastmath(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    parse_same_type(p, spec, 2, Some(&FASTMATH_FLAGS))
}

/// `%a, %b, %c fastmath<fast> : type`
pub(crate) fn parse_ternary_fastmath(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    parse_same_type(p, spec, 3, Some(&FASTMATH_FLAGS))
}

/// `%a, %b : type` with two results of that type.
pub(super) fn parse_mul_extended(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    parse_binary(p, spec)?;
    let ty = spec.results[0];
    spec.results.push(ty);
    Ok(())
}

/// `%a, %b : type, i1-like type`
pub(super) fn parse_add_extended(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    parse_binary(p, spec)?;
    p.parse_token(",")?;
    let overflow = p.parse_type()?;
    spec.results.push(overflow);
    Ok(())
}

/// Prints what [`parse_add_extended`] reads.
pub(super) fn print_add_extended(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    print_operands_and_attrs(p, ir, op, None, &[]);
    p.text(" : ");
    p.types_of(ir, ir.results(op));
}

/// `: type to type`
pub(crate) fn parse_cast_types(
    p: &mut dyn OpAsmParser<'_>,
    operand: &UnresolvedOperand,
    spec: &mut OpSpec,
) -> Result<(), Failed> {
    let from = p.parse_colon_type()?;
    p.parse_keyword("to")?;
    let to = p.parse_type()?;
    p.resolve(operand, from, spec)?;
    spec.results.push(to);
    Ok(())
}

/// `%a {attrs} : type to type`
pub(crate) fn parse_cast(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let operand = p.parse_operand()?;
    p.parse_opt_attr_dict(spec)?;
    parse_cast_types(p, &operand, spec)
}

/// `%a fastmath<fast> {attrs} : type to type`
pub(super) fn parse_extf(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let operand = p.parse_operand()?;
    FASTMATH_FLAGS.parse(p, spec)?;
    p.parse_opt_attr_dict(spec)?;
    parse_cast_types(p, &operand, spec)
}

/// `%a to_nearest_even fastmath<fast> {attrs} : type to type`
pub(super) fn parse_truncf(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let operand = p.parse_operand()?;
    for &mode in RoundingMode::ALL {
        if p.parse_opt_keyword(mode.keyword()) {
            let attr = p.context().integer_attr(Type::I32, mode as i128);
            spec.set_attr(Name::ROUNDINGMODE, attr);
            break;
        }
    }
    FASTMATH_FLAGS.parse(p, spec)?;
    p.parse_opt_attr_dict(spec)?;
    parse_cast_types(p, &operand, spec)
}

/// Prints what [`parse_cast`], [`parse_extf`] and [`parse_truncf`] read.
pub(crate) fn print_cast(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    p.text(" ");
    p.value(ir.operand(op, 0));
    if let Some(mode) = RoundingMode::of(ir, op) {
        p.text(" ");
        p.text(mode.keyword());
    }
    print_flags_and_attrs(p, ir, op, flags_of(ir, op), &[Name::ROUNDINGMODE]);
    print_type_pair(p, ir, ir.operand(op, 0), " to ", ir.result(op, 0));
}

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

/// What [`parse_cmpi`] and [`parse_cmpf`] share after the predicate.
fn parse_compare(
    p: &mut dyn OpAsmParser<'_>,
    spec: &mut OpSpec,
    flags: Option<&FlagsDef>,
    constraint: &TypeConstraint,
) -> Result<(), Failed> {
    p.parse_token(",")?;
    let operands = parse_operands(p, 2)?;
    if let Some(flags) = flags {
        flags.parse(p, spec)?;
    }
    p.parse_opt_attr_dict(spec)?;
    let ty = p.parse_colon_type()?;
    if !(constraint.accepts)(p.context(), ty) {
        let ty = crate::syntax::printer::type_to_string(p.context(), ty);
        let description = constraint.description;
        return Err(p.error(
            p.name_loc(),
            format!("'lhs' must be {description}, but got '{ty}'"),
        ));
    }
    p.resolve_all(&operands, ty, spec)?;
    spec.results.push(i1_same_shape(p.context(), ty));
    Ok(())
}

/// `i1`, or the vector or tensor of `i1` shaped like `ty`.
pub(super) fn i1_same_shape(context: &Context, ty: Type) -> Type {
    context.with_element_type(ty, Type::I1)
}

/// `slt, %a, %b : type`
pub(super) fn parse_cmpi(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let predicate = parse_enum_keyword(p, "predicate", CmpIPredicate::ALL, CmpIPredicate::keyword)?;
    spec.set_attr(Name::PREDICATE, predicate.to_attr(p.context()));
    parse_compare(p, spec, None, &constraints::SIGNLESS_INTEGER_LIKE)
}

/// `olt, %a, %b fastmath<fast> : type`
pub(super) fn parse_cmpf(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let predicate = parse_enum_keyword(p, "predicate", CmpFPredicate::ALL, CmpFPredicate::keyword)?;
    spec.set_attr(Name::PREDICATE, predicate.to_attr(p.context()));
    parse_compare(p, spec, Some(&FASTMATH_FLAGS), &constraints::FLOAT_LIKE)
}

fn print_compare(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op, predicate: &str) {
    p.text(" ");
    p.text(predicate);
    p.text(",");
    print_operands_and_attrs(p, ir, op, flags_of(ir, op), &[Name::PREDICATE]);
    p.text(" : ");
    p.ty(ir.value_type(ir.operand(op, 0)));
}

/// Prints what [`parse_cmpi`] reads.
pub(super) fn print_cmpi(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let predicate = CmpIPredicate::of(ir, op).map_or("", CmpIPredicate::keyword);
    print_compare(p, ir, op, predicate);
}

/// Prints what [`parse_cmpf`] reads.
pub(super) fn print_cmpf(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let predicate = CmpFPredicate::of(ir, op).map_or("", CmpFPredicate::keyword);
    print_compare(p, ir, op, predicate);
}

/// `%condition, %a, %b : type`, with `condition type,` in front of the type
/// unless it is `i1`.
pub(super) fn parse_select(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let operands = parse_operands(p, 3)?;
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
    print_operands_and_attrs(p, ir, op, None, &[]);
    p.text(" : ");
    let condition = ir.value_type(ir.operand(op, 0));
    if condition != Type::I1 {
        p.ty(condition);
        p.text(", ");
    }
    p.ty(ir.value_type(ir.result(op, 0)));
}

/// `{attrs} value : type`
pub(super) fn parse_constant(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    p.parse_opt_attr_dict(spec)?;
    let loc = p.loc();
    let value = p.parse_attr(None)?;
    let Some(ty) = p.context().attr_carried_type(value) else {
        return Err(p.error(loc, "invalid kind of attribute specified"));
    };
    spec.set_attr(Name::VALUE, value);
    spec.results.push(ty);
    Ok(())
}

/// Prints what [`parse_constant`] reads.
pub(super) fn print_constant(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    p.opt_attr_dict(ir, op, &[Name::VALUE]);
    p.text(" ");
    if let Some(value) = ir.attr(op, Name::VALUE) {
        p.attr(value);
    }
}
