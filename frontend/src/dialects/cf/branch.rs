//! `cf.br` and `cf.cond_br`.

use smallvec::smallvec;

use crate::ir::asm::{OpAsmParser, OpAsmPrinter};
use crate::ir::builder::Builder;
use crate::ir::constraints::{ANY, I1};
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Block, Op, Value};
use crate::ir::interfaces::BranchInterface;
use crate::ir::names::Name;
use crate::ir::op_def::{OpDef, Traits, ValueSpec};
use crate::ir::types::Type;
use crate::op_view;

use super::patterns;

/// `cf.br`: goes to a block.
pub static BR: OpDef = OpDef {
    name: "cf.br",
    traits: Traits::TERMINATOR.and(Traits::SPECULATABLE),
    operands: &[ValueSpec::variadic("destOperands", &ANY)],
    successors: (1, 1),
    parse: Some(parse_br),
    print: Some(print_br),
    canonicalize: patterns::br::PATTERNS,
    branch: Some(&BranchInterface {
        successor_operands: |ir, op, _| 0..ir.operands(op).len(),
        all_successor_operands: |ir, op| smallvec![0..ir.operands(op).len()],
        successor_of_operand: |_, _, index| Some((0, index)),
        append_successor_operands: |ir, op, _, values| ir.append_to_operand_group(op, 0, values),
        remove_successor_operand: |ir, op, _, argument| ir.remove_operand(op, argument),
    }),
    ..OpDef::PURE
};

op_view! {
    /// `cf.br`
    Br, BR { operands: many = 0 }
}

impl Br {
    /// Where it goes.
    pub fn dest(self, ir: &Ir) -> Block {
        ir.successors(self.0)[0]
    }
}

/// Inserts a `cf.br`.
pub fn build_br(builder: &mut Builder<'_>, dest: Block, operands: &[Value]) -> Op {
    let spec = builder.spec(&BR).operands(operands).successors(&[dest]);
    builder.create(spec)
}

fn parse_br(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let (dest, operands) = parser.parse_successor_with_operands()?;
    spec.successors.push(dest);
    spec.operands.extend(operands);
    parser.parse_opt_attr_dict(spec)
}

fn print_br(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    printer.text(" ");
    printer.successor_with_operands(ir, Br(op).dest(ir), ir.operands(op));
    printer.opt_attr_dict(ir, op, &[]);
}

/// `cf.cond_br`: goes to one of two blocks.
pub static COND_BR: OpDef = OpDef {
    name: "cf.cond_br",
    traits: Traits::TERMINATOR.and(Traits::SPECULATABLE),
    operands: &[
        ValueSpec::one("condition", &I1),
        ValueSpec::variadic("trueDestOperands", &ANY),
        ValueSpec::variadic("falseDestOperands", &ANY),
    ],
    successors: (2, 2),
    parse: Some(parse_cond_br),
    print: Some(print_cond_br),
    canonicalize: patterns::cond_br::PATTERNS,
    branch: Some(&BranchInterface {
        successor_operands: |ir, op, index| ir.operand_group_range(op, index + 1),
        all_successor_operands: |ir, op| {
            smallvec![ir.operand_group_range(op, 1), ir.operand_group_range(op, 2)]
        },
        successor_of_operand: |ir, op, index| {
            let start = ir.operand_group_range(op, 2).start;
            match index.checked_sub(start) {
                Some(argument) => Some((1, argument)),
                None => index.checked_sub(1).map(|argument| (0, argument)),
            }
        },
        append_successor_operands: |ir, op, index, values| {
            ir.append_to_operand_group(op, index + 1, values);
        },
        remove_successor_operand: |ir, op, index, argument| {
            let mut operands = ir.operand_group(op, index + 1).to_vec();
            operands.remove(argument);
            ir.set_operand_group(op, index + 1, &operands);
        },
    }),
    ..OpDef::PURE
};

op_view! {
    /// `cf.cond_br`
    CondBr, COND_BR { condition: one = 0, true_operands: many = 1, false_operands: many = 2 }
}

impl CondBr {
    /// Where it goes if the condition holds.
    pub fn true_dest(self, ir: &Ir) -> Block {
        ir.successors(self.0)[0]
    }

    /// Where it goes if the condition does not hold.
    pub fn false_dest(self, ir: &Ir) -> Block {
        ir.successors(self.0)[1]
    }
}

/// Inserts a `cf.cond_br`; each destination comes with its operands.
pub fn build_cond_br(
    builder: &mut Builder<'_>,
    condition: Value,
    on_true: (Block, &[Value]),
    on_false: (Block, &[Value]),
) -> Op {
    let sizes = segment_sizes(builder.ir, on_true.1.len(), on_false.1.len());
    let spec = builder
        .spec(&COND_BR)
        .operands(&[condition])
        .operands(on_true.1)
        .operands(on_false.1)
        .successors(&[on_true.0, on_false.0])
        .attr(Name::OPERAND_SEGMENT_SIZES, sizes);
    builder.create(spec)
}

fn segment_sizes(ir: &Ir, n_true: usize, n_false: usize) -> crate::ir::attrs::Attr {
    ir.context()
        .i32_array_attr(&[1, n_true as i32, n_false as i32])
}

fn parse_cond_br(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let condition = parser.parse_operand()?;
    parser.resolve(&condition, Type::I1, spec)?;
    let mut sizes = [1, 0, 0];
    for size in &mut sizes[1..] {
        parser.parse_token(",")?;
        let (dest, operands) = parser.parse_successor_with_operands()?;
        spec.successors.push(dest);
        *size = operands.len() as i32;
        spec.operands.extend(operands);
    }
    parser.parse_opt_attr_dict(spec)?;
    let sizes = parser.context().i32_array_attr(&sizes);
    spec.set_attr(Name::OPERAND_SEGMENT_SIZES, sizes);
    Ok(())
}

fn print_cond_br(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let branch = CondBr(op);
    printer.text(" ");
    printer.value(branch.condition(ir));
    printer.text(", ");
    printer.successor_with_operands(ir, branch.true_dest(ir), branch.true_operands(ir));
    printer.text(", ");
    printer.successor_with_operands(ir, branch.false_dest(ir), branch.false_operands(ir));
    printer.opt_attr_dict(ir, op, &[Name::OPERAND_SEGMENT_SIZES]);
}
