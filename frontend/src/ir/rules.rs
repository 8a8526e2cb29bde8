//! Rules and interface functions that rows of several dialects share.

use std::ops::Range;

use crate::ir::data::Ir;
use crate::ir::entities::{Block, Op};
use crate::ir::interfaces::RegionPoint;
use crate::ir::op_def::{OpDef, OpError};

/// Checks that the operation around `op` is one of `parents`.
pub fn expect_parent(ir: &Ir, op: Op, parents: &[&'static OpDef]) -> Result<(), OpError> {
    let parent = ir.parent_op(op);
    if parent.is_some_and(|parent| parents.iter().any(|def| ir.is(parent, def))) {
        return Ok(());
    }
    let mut names: Vec<&str> = parents.iter().map(|def| def.name).collect();
    names.dedup();
    Err(match names[..] {
        [name] => format!("expects parent op '{name}'"),
        _ => format!("expects parent op to be one of '{}'", names.join(", ")),
    }
    .into())
}

/// Checks that region `index`, called `name` in ODS, has exactly one block.
pub fn expect_single_block(ir: &Ir, op: Op, index: usize, name: &str) -> Result<Block, OpError> {
    ir.single_block(ir.region(op, index)).ok_or_else(|| {
        format!("region #{index} ('{name}') failed to verify constraint: region with 1 blocks")
            .into()
    })
}

/// A region terminator that hands all of its operands to every target.
pub fn all_operands_to(ir: &Ir, op: Op, _: RegionPoint) -> Range<usize> {
    0..ir.operands(op).len()
}

/// A region operation that hands nothing to any target on entry.
pub fn no_entry_operands(_: &Ir, _: Op, _: RegionPoint) -> Range<usize> {
    0..0
}

/// Every entry block argument, or every result, receives a value.
pub fn all_inputs(ir: &Ir, op: Op, to: RegionPoint) -> Range<usize> {
    match to {
        RegionPoint::Parent => 0..ir.results(op).len(),
        RegionPoint::Region(index) => {
            let block = ir.entry_block(ir.region(op, index));
            0..block.map_or(0, |block| ir.block_args(block).len())
        }
    }
}
