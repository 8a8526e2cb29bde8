//! Branches.

use crate::dialects::cf;
use crate::ir::asm::{OpAsmParser, OpAsmPrinter};
use crate::ir::constraints::{ANY, I1};
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::Op;
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, Traits, ValueSpec, no_effects};

use super::attributes::I32_LIST;

const WEIGHTS: AttrSpec = AttrSpec::optional(Name::BRANCH_WEIGHTS, &I32_LIST);

/// `llvm.br`
pub static BR: OpDef = OpDef {
    name: "llvm.br",
    canonicalize: &[],
    ..cf::BR
};

/// `llvm.cond_br`
pub static COND_BR: OpDef = const {
    OpDef {
        name: "llvm.cond_br",
        traits: Traits::TERMINATOR.and(Traits::SPECULATABLE),
        operands: &[
            ValueSpec::one("condition", &I1),
            ValueSpec::variadic("trueDestOperands", &ANY),
            ValueSpec::variadic("falseDestOperands", &ANY),
        ],
        attributes: &[WEIGHTS],
        successors: (2, 2),
        branch: Some(&cf::COND_BR_INTERFACE),
        ..OpDef::PURE
    }
}
.with_format(
    "$condition (`weights` `(` $branch_weights^ `)`)? `,` successor($trueDestOperands) `,` \
     successor($falseDestOperands) attr-dict",
);

/// `llvm.switch`. The first successor is the default one.
pub static SWITCH: OpDef = OpDef {
    name: "llvm.switch",
    attributes: &[cf::CASE_VALUES, cf::CASE_OPERAND_SEGMENTS, WEIGHTS],
    parse: Some(parse_switch),
    print: Some(print_switch),
    canonicalize: &[],
    ..cf::SWITCH
};

/// `llvm.unreachable`
pub static UNREACHABLE: OpDef = const {
    OpDef {
        name: "llvm.unreachable",
        traits: Traits::TERMINATOR,
        effects: Some(no_effects),
        ..OpDef::BASE
    }
}
.with_format("attr-dict");

pub(super) const OPS: &[&OpDef] = &[&BR, &COND_BR, &SWITCH, &UNREACHABLE];

fn parse_switch(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let value = parser.parse_operand()?;
    let ty = parser.parse_colon_type()?;
    parser.resolve(&value, ty, spec)?;
    parser.parse_token(",")?;
    let (dest, operands) = parser.parse_successor_with_operands()?;
    spec.successors.push(dest);
    let n_default = operands.len();
    spec.operands.extend(operands);
    parser.parse_token("[")?;
    let mut values = Vec::new();
    let mut segments = Vec::new();
    if !parser.peek_token("]") {
        loop {
            values.push(parser.parse_wide_integer()?);
            parser.parse_token(":")?;
            let (dest, operands) = parser.parse_successor_with_operands()?;
            spec.successors.push(dest);
            segments.push(operands.len() as i32);
            spec.operands.extend(operands);
            if !parser.parse_opt_token(",") {
                break;
            }
        }
    }
    parser.parse_token("]")?;
    parser.parse_opt_attr_dict(spec)?;
    cf::set_case_attrs(parser.context(), spec, ty, n_default, &values, &segments);
    Ok(())
}

fn print_switch(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let switch = cf::Switch(op);
    printer.text(" ");
    printer.value(switch.flag(ir));
    printer.text(" : ");
    printer.ty(ir.value_type(switch.flag(ir)));
    printer.text(", ");
    printer.successor_with_operands(ir, switch.default_dest(ir), switch.default_operands(ir));
    printer.text(" [");
    let dests = switch.case_dests(ir).iter();
    let dests = dests.zip(switch.all_case_operands(ir));
    // Without sign, as upstream does.
    let width = ir.context().integer_width(ir.value_type(switch.flag(ir)));
    let mask = u128::MAX >> (128 - width.unwrap_or(128).clamp(1, 128));
    let values = switch.case_values(ir);
    for (i, ((&dest, operands), value)) in dests.zip(&values).enumerate() {
        printer.text(if i > 0 { "," } else { "" });
        printer.newline();
        printer.text(&format!("  {}: ", *value as u128 & mask));
        printer.successor_with_operands(ir, dest, operands);
    }
    if !values.is_empty() {
        printer.newline();
    }
    printer.text("]");
    printer.opt_attr_dict(
        ir,
        op,
        &[
            Name::OPERAND_SEGMENT_SIZES,
            Name::CASE_OPERAND_SEGMENTS,
            Name::CASE_VALUES,
        ],
    );
}
