//! `scf.if`

use crate::ir::builder::Builder;
use crate::ir::constraints::{ANY, I1};
use crate::ir::data::Ir;
use crate::ir::entities::{Block, Op, Value};
use crate::ir::interfaces::{RegionBranchInterface, RegionPoint};
use crate::ir::op_def::{OpDef, OpError, Traits, ValueSpec};
use crate::ir::rules::{all_inputs, expect_single_block, no_entry_operands};
use crate::ir::types::Type;
use crate::op_view;

use super::{YIELD, build_yield, patterns};

/// `scf.if`. The second region is empty if there is nothing to do otherwise.
pub static IF: OpDef = const {
    OpDef {
        name: "scf.if",
        traits: Traits::RECURSIVE_EFFECTS.and(Traits::SINGLE_BLOCK),
        operands: &[ValueSpec::one("condition", &I1)],
        results: &[ValueSpec::variadic("results", &ANY)],
        regions: (2, 2),
        verify,
        region_branch: Some(&RegionBranchInterface {
            successors: |ir, op, from, out| {
                if from != RegionPoint::Parent {
                    out.push(RegionPoint::Parent);
                    return;
                }
                out.push(RegionPoint::Region(0));
                out.push(match If(op).else_block(ir) {
                    Some(_) => RegionPoint::Region(1),
                    None => RegionPoint::Parent,
                });
            },
            entry_operands: no_entry_operands,
            successor_inputs: all_inputs,
            forwarded_group: None,
            is_repetitive: |_, _, _| false,
        }),
        canonicalize: patterns::if_op::PATTERNS,
        implicit_terminator: Some(&YIELD),
        ..OpDef::BASE
    }
}
.with_format("$condition arrow-type-list region (`else` region^)? attr-dict");

op_view! {
    /// `scf.if`
    If, IF { condition: one = 0 }
}

impl If {
    /// The block that runs if the condition holds.
    pub fn then_block(self, ir: &Ir) -> Block {
        ir.entry_block(ir.region(self.0, 0))
            .expect("a verified scf.if has a then block")
    }

    /// The block that runs if the condition does not hold, if there is one.
    pub fn else_block(self, ir: &Ir) -> Option<Block> {
        ir.entry_block(ir.region(self.0, 1))
    }

    /// The terminator of the then block.
    pub fn then_yield(self, ir: &Ir) -> Op {
        ir.last_op(self.then_block(ir))
            .expect("a verified block has a terminator")
    }

    /// The terminator of the else block, if there is one.
    pub fn else_yield(self, ir: &Ir) -> Option<Op> {
        self.else_block(ir).and_then(|block| ir.last_op(block))
    }
}

/// Inserts a `scf.if` with an empty then block and, if `with_else`, an empty
/// else block. Without results the blocks are terminated.
pub fn build_if(
    builder: &mut Builder<'_>,
    condition: Value,
    results: &[Type],
    with_else: bool,
) -> Op {
    let spec = builder
        .spec(&IF)
        .operands(&[condition])
        .results(results)
        .regions(2);
    let op = builder.create(spec);
    for index in 0..1 + usize::from(with_else) {
        let region = builder.ir.region(op, index);
        let block = builder.ir.append_block(region, &[]);
        if results.is_empty() {
            let mut inner = builder.inside(block);
            build_yield(&mut inner, &[]);
        }
    }
    op
}

fn verify(ir: &Ir, op: Op) -> Result<(), OpError> {
    expect_single_block(ir, op, 0, "thenRegion")?;
    if !ir.results(op).is_empty() && If(op).else_block(ir).is_none() {
        return Err("must have an else block if defining values".into());
    }
    super::expect_no_arguments(ir, op)
}
