//! `vector.warp_execute_on_lane_0`: a region that one of many threads runs, on vectors that the
//! threads share out among them.

use super::{is_vector, shape_of};
use crate::ir::asm::{Delimiter, OpAsmParser, OpAsmPrinter};
use crate::ir::constraints::{ANY, I64_ATTR, INDEX};
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, OpError, Traits, ValueSpec};
use crate::ir::types::Type;
use crate::syntax::printer::type_to_string;

/// `vector.warp_execute_on_lane_0(%lane)[32]`. What the region sees of an operand, and what is seen of
/// what it yields, are other values: no interface says that it hands them on.
pub static WARP_EXECUTE_ON_LANE_0: OpDef = OpDef {
    name: "vector.warp_execute_on_lane_0",
    traits: Traits::RECURSIVE_EFFECTS.and(Traits::SINGLE_BLOCK),
    operands: &[
        ValueSpec::one("laneid", &INDEX),
        ValueSpec::variadic("args", &ANY),
    ],
    results: &[ValueSpec::variadic("results", &ANY)],
    attributes: &[AttrSpec::required(Name::WARP_SIZE, &I64_ATTR)],
    regions: (1, 1),
    parse: Some(parse),
    print: Some(print),
    verify,
    implicit_terminator: Some(&super::YIELD),
    ..OpDef::BASE
};

/// `(%lane)[32] args(%a : type) -> (types) { ... } {attrs}`
fn parse(p: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    p.parse_token("(")?;
    let lane = p.parse_operand()?;
    p.parse_token(")")?;
    p.parse_token("[")?;
    let size = p.parse_integer()?;
    p.parse_token("]")?;
    spec.set_attr(Name::WARP_SIZE, p.context().i64_attr(size));
    p.resolve(&lane, Type::INDEX, spec)?;
    if p.parse_opt_keyword("args") {
        p.parse_token("(")?;
        let loc = p.loc();
        let operands = p.parse_operand_list(Delimiter::None)?;
        let types = p.parse_colon_type_list()?;
        p.parse_token(")")?;
        p.resolve_each(&operands, &types, loc, spec)?;
    }
    spec.results.extend(p.parse_opt_arrow_type_list()?);
    p.parse_region(&[], spec)?;
    p.parse_opt_attr_dict(spec)
}

fn print(p: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let (lane, arguments) = (ir.operand(op, 0), ir.operand_group(op, 1));
    p.text("(");
    p.value(lane);
    p.text(")[");
    p.integer(size(ir, op));
    p.text("]");
    if !arguments.is_empty() {
        p.text(" args(");
        p.values(arguments);
        p.text(" : ");
        p.types_of(ir, arguments);
        p.text(")");
    }
    if !ir.results(op).is_empty() {
        p.text(" -> (");
        p.types_of(ir, ir.results(op));
        p.text(")");
    }
    p.text(" ");
    let has_results = !ir.results(op).is_empty();
    p.region(ir, ir.region(op, 0), true, has_results);
    p.opt_attr_dict(ir, op, &[Name::WARP_SIZE]);
}

/// The number of threads.
fn size(ir: &Ir, op: Op) -> i64 {
    ir.attr(op, Name::WARP_SIZE)
        .and_then(|attr| ir.context().attr_integer(attr))
        .and_then(|size| i64::try_from(size).ok())
        .unwrap_or(0)
}

fn verify(ir: &Ir, op: Op) -> Result<(), OpError> {
    let Some(block) = ir.single_block(ir.region(op, 0)) else {
        return Err("expects region #0 to have 0 or 1 blocks".into());
    };
    let (operands, arguments) = (ir.operand_group(op, 1), ir.block_args(block));
    if operands.len() != arguments.len() {
        return Err("expected same number op arguments and block arguments.".into());
    }
    let yielded = match ir.last_op(block) {
        Some(last) if ir.is(last, &super::YIELD) => ir.operands(last),
        _ => return Err("expected body to be terminated with 'vector.yield'".into()),
    };
    if yielded.len() != ir.results(op).len() {
        return Err("expected same number of yield operands and return values.".into());
    }
    let size = size(ir, op);
    let whole = arguments.iter().chain(yielded);
    for (&whole, &part) in whole.zip(operands.iter().chain(ir.results(op))) {
        verify_distributed(ir, ir.value_type(whole), ir.value_type(part), size)?;
    }
    Ok(())
}

/// `whole` is `part`, or a vector that the threads have the parts of.
fn verify_distributed(ir: &Ir, whole: Type, part: Type, size: i64) -> Result<(), OpError> {
    let context = ir.context();
    if whole == part {
        return Ok(());
    }
    if !is_vector(context, whole) || !is_vector(context, part) {
        return Err("expected vector type for distributed operands.".into());
    }
    let (all, own) = (shape_of(context, whole), shape_of(context, part));
    if all.len() != own.len()
        || context.element_type_or_self(whole) != context.element_type_or_self(part)
    {
        return Err("expected distributed vectors to have same rank and element type.".into());
    }
    let mut threads: i64 = 1;
    for (dim, (&all, &own)) in all.iter().zip(own).enumerate() {
        if all == own {
            continue;
        }
        if own <= 0 || all % own != 0 {
            return Err(format!(
                "expected expanded vector dimension #{dim} ({all}) to be a multipler of the \
                 distributed vector dimension ({own})"
            )
            .into());
        }
        threads = threads.saturating_mul(all / own);
    }
    if threads != size {
        return Err(format!(
            "incompatible distribution dimensions from '{}' to '{}' with warp size = {size}",
            type_to_string(context, whole),
            type_to_string(context, part)
        )
        .into());
    }
    Ok(())
}
