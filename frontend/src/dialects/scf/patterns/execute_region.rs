//! `scf.execute_region`: inlined where blocks may be, and without unused results.

use smallvec::SmallVec;

use crate::dialects::cf;
use crate::dialects::shared::moves::{
    replace_op_with_block, retain_operands, retain_results, used_results,
};
use crate::ir::data::Ir;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Block, Op, Value};
use crate::ir::op_def::{Pattern, Traits};
use crate::ir::rewriter::Rewriter;

use super::super::{EXECUTE_REGION, YIELD};

pub(in super::super) const PATTERNS: &[Pattern] = &[
    Pattern {
        name: "SingleBlockExecuteInliner",
        apply: inline_single_block,
    },
    Pattern {
        name: "MultiBlockExecuteInliner",
        apply: inline_blocks,
    },
    // Upstream has none for results: buffers that only lead to them would stay as long as there are regions.
    Pattern {
        name: "RemoveUnusedResults",
        apply: remove_unused_results,
    },
];

/// Before: `%0 = scf.execute_region { A; scf.yield %a }; B(%0)`
/// After:  `A; B(%a)`
fn inline_single_block(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let Some(block) = ir.single_block(ir.region(op, 0)) else {
        return false;
    };
    if !ir.last_op(block).is_some_and(|last| ir.is(last, &YIELD)) {
        return false;
    }
    replace_op_with_block(rewriter, op, block, &[]);
    true
}

/// Before: `A; %0 = scf.execute_region { ^bb1: ... scf.yield %a }; B(%0)`
/// After:  `A; cf.br ^bb1 ^bb1: ... cf.br ^bb2(%a) ^bb2(%0): B(%0)`
///
/// Where several of them follow each other in a block they are inlined last
/// first: so the rest of the block, which moves, stays short.
fn inline_blocks(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let mut candidates: SmallVec<[Op; 4]> = SmallVec::new();
    let mut current = Some(op);
    while let Some(op) = current {
        if can_inline_blocks(rewriter.ir, op) {
            candidates.push(op);
        }
        current = rewriter.ir.next_op(op);
    }
    for &op in candidates.iter().rev() {
        inline_blocks_of(rewriter, op);
    }
    !candidates.is_empty()
}

fn can_inline_blocks(ir: &Ir, op: Op) -> bool {
    if !ir.is(op, &EXECUTE_REGION) || ir.single_block(ir.region(op, 0)).is_some() {
        return false;
    }
    // Not every region may have several blocks.
    ir.parent_op(op).is_some_and(|parent| {
        ir.has_trait(parent, Traits::FUNCTION) || ir.is(parent, &EXECUTE_REGION)
    })
}

fn inline_blocks_of(rewriter: &mut Rewriter<'_>, op: Op) {
    let ir = &mut *rewriter.ir;
    let loc = ir.loc(op);
    let region = ir.region(op, 0);
    let before = ir.block_of(op).expect("an operation in a region");
    let entry = ir
        .entry_block(region)
        .expect("verified regions have a block");
    let after = ir.split_block(op);
    let branch = ir.create_op(OpSpec::new(&cf::BR, loc).successors(&[entry]));
    ir.append_op(before, branch);
    rewriter.inserted(branch);
    let blocks: Vec<Block> = rewriter.ir.blocks_in(region).collect();
    for block in blocks {
        let last = rewriter.ir.last_op(block);
        if let Some(last) = last.filter(|&last| rewriter.ir.is(last, &YIELD)) {
            let values: SmallVec<[Value; 4]> = rewriter.ir.operands(last).into();
            let spec = OpSpec::new(&cf::BR, rewriter.ir.loc(last))
                .operands(&values)
                .successors(&[after]);
            rewriter.create_before(last, spec);
            rewriter.erase_op(last);
        }
    }
    rewriter.ir.move_blocks_before(region, after);
    let types: Vec<_> = rewriter
        .ir
        .results(op)
        .iter()
        .map(|&v| rewriter.ir.value_type(v))
        .collect();
    let arguments: Vec<Value> = types
        .into_iter()
        .map(|ty| rewriter.ir.append_block_arg(after, ty))
        .collect();
    rewriter.replace_op(op, &arguments);
}

/// Before: `%0:2 = scf.execute_region { ^bb1: ... scf.yield %a, %b }`, %0#1 unused
/// After:  `%0 = scf.execute_region { ^bb1: ... scf.yield %a }`
fn remove_unused_results(rewriter: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rewriter.ir;
    let Some(keep) = used_results(ir, op) else {
        return false;
    };
    let lasts = ir
        .blocks_in(ir.region(op, 0))
        .filter_map(|block| ir.last_op(block));
    let yields: SmallVec<[Op; 4]> = lasts.filter(|&last| ir.is(last, &YIELD)).collect();
    for last in yields {
        retain_operands(rewriter, last, 0, &keep);
    }
    retain_results(rewriter, op, &keep);
    true
}
