//! `cf.br` and `cf.cond_br`.

use smallvec::smallvec;

use crate::ir::builder::Builder;
use crate::ir::constraints::{ANY, I1};
use crate::ir::data::Ir;
use crate::ir::entities::{Block, Op, Value};
use crate::ir::interfaces::BranchInterface;
use crate::ir::names::Name;
use crate::ir::op_def::{OpDef, Traits, ValueSpec};
use crate::op_view;

use super::patterns;

/// `cf.br`: goes to a block.
pub static BR: OpDef = const {
    OpDef {
        name: "cf.br",
        traits: Traits::TERMINATOR.and(Traits::SPECULATABLE),
        operands: &[ValueSpec::variadic("destOperands", &ANY)],
        successors: (1, 1),
        canonicalize: patterns::br::PATTERNS,
        branch: Some(&BranchInterface {
            successor_operands: |ir, op, _| 0..ir.operands(op).len(),
            all_successor_operands: |ir, op| smallvec![0..ir.operands(op).len()],
            successor_of_operand: |_, _, index| Some((0, index)),
            append_successor_operands: |ir, op, _, values| {
                ir.append_to_operand_group(op, 0, values)
            },
            remove_successor_operand: |ir, op, _, argument| ir.remove_operand(op, argument),
        }),
        ..OpDef::PURE
    }
}
.with_format("successor($destOperands) attr-dict");

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

/// How operands after the condition are handed to either of two successors.
pub(crate) const COND_BR_INTERFACE: BranchInterface = BranchInterface {
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
};

/// `cf.cond_br`: goes to one of two blocks.
pub static COND_BR: OpDef = const {
    OpDef {
        name: "cf.cond_br",
        traits: Traits::TERMINATOR.and(Traits::SPECULATABLE),
        operands: &[
            ValueSpec::one("condition", &I1),
            ValueSpec::variadic("trueDestOperands", &ANY),
            ValueSpec::variadic("falseDestOperands", &ANY),
        ],
        successors: (2, 2),
        canonicalize: patterns::cond_br::PATTERNS,
        branch: Some(&COND_BR_INTERFACE),
        ..OpDef::PURE
    }
}
.with_format(
    "$condition `,` successor($trueDestOperands) `,` successor($falseDestOperands) attr-dict",
);

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
