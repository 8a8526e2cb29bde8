//! Very large functions in parts that are compiled on their own.
//!
//! Register allocation takes more than linear time in the size of a function: in regalloc2 0.15, for each value of one
//! range, the parameters of all blocks since the last value of several ranges are looked at
//! (`apply_allocations_and_insert_moves`). So a much larger function is cut where control always passes: between two
//! blocks such that every way from the blocks before, in reverse postorder, to those behind goes through the first
//! block behind, and none comes back. The blocks between two cuts become a function of its live-ins, with its live-outs
//! as results; it is called where they stood. Since the blocks stay those of one function for everything else, nothing
//! is known less about them.
//!
//! Parts take no memory of the frame, which has to live until the whole function returns, and do not return
//! from it. Constants are made again where they are used.

use std::ops::Range;

use cranelift_entity::SecondaryMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::dominance::reverse_postorder;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::lower::frame_plan::takes_frame_memory;

/// Bytes between values in the memory through which parts of a function get and give them: any fits.
pub(crate) const VALUE_SIZE: u32 = 16;

/// Blocks of a function that are compiled on their own.
pub(crate) struct Part {
    /// Which, in reverse postorder; control comes to the first one only, and arguments of that are among the
    /// inputs.
    pub(crate) blocks: Vec<Block>,
    /// Where control goes from here.
    pub(crate) exit: Block,
    /// Values of others that are used here.
    pub(crate) inputs: Vec<Value>,
    /// Constants of others that are used here.
    pub(crate) constants: Vec<Op>,
    /// Values from here that others use.
    pub(crate) outputs: Vec<Value>,
}

/// The parts of a function, of about `part_ops` operations each, if it is so large that it has some. Blocks of one of
/// the `kernels` stay together.
pub(crate) fn parts<'a>(
    ir: &Ir,
    part_ops: usize,
    kernels: impl Iterator<Item = &'a Part>,
) -> Vec<Part> {
    // Arguments without names are parameters of the whole function.
    let is_large =
        ir.n_ops() >= part_ops.saturating_mul(2) && !ir.has_attr(ir.root(), Name::VARIADIC);
    let Some(entry) = ir.root_block().filter(|_| is_large) else {
        return Vec::new();
    };
    let order = reverse_postorder(ir, entry);
    let ranges = ranges(ir, &order, part_ops, kernels);
    // Blocks of parts know theirs by its number, other blocks of the function have this one.
    const WHOLE: u32 = u32::MAX;
    // Zero is for blocks inside of operations.
    let mut part_of: SecondaryMap<Block, u32> = SecondaryMap::with_capacity(ir.n_blocks());
    for &block in &order {
        part_of[block] = WHOLE;
    }
    for (number, range) in (1..).zip(&ranges) {
        for &block in &order[range.clone()] {
            part_of[block] = number;
        }
    }
    let mut inputs: Vec<IndexSet<Value, FxBuildHasher>> = vec![IndexSet::default(); ranges.len()];
    let mut outputs = inputs.clone();
    let mut constants: Vec<IndexSet<Op, FxBuildHasher>> = vec![IndexSet::default(); ranges.len()];
    for &block in &order {
        let user = part_of[block];
        for op in ir.ops_in(block).flat_map(|op| ir.walk(op)) {
            for &operand in ir.operands(op) {
                let definer = ir.value_block(operand).map_or(0, |block| part_of[block]);
                if definer == user || definer == 0 {
                    continue;
                }
                let constant =
                    (ir.defining_op(operand)).filter(|&op| ir.has_trait(op, Traits::CONSTANT_LIKE));
                match constant {
                    Some(op) if user != WHOLE => {
                        constants[user as usize - 1].insert(op);
                        continue;
                    }
                    _ if user != WHOLE => drop(inputs[user as usize - 1].insert(operand)),
                    _ => {}
                }
                if definer != WHOLE {
                    outputs[definer as usize - 1].insert(operand);
                }
            }
        }
    }
    let live = inputs.into_iter().zip(constants).zip(outputs);
    let parts = ranges.into_iter().zip(live);
    parts
        .map(|(range, ((inputs, constants), outputs))| Part {
            exit: order[range.end],
            blocks: order[range].to_vec(),
            inputs: inputs.into_iter().collect(),
            constants: constants.into_iter().collect(),
            outputs: outputs.into_iter().collect(),
        })
        .collect()
}

/// Where in `order` parts are.
fn ranges<'a>(
    ir: &Ir,
    order: &[Block],
    part_ops: usize,
    kernels: impl Iterator<Item = &'a Part>,
) -> Vec<Range<usize>> {
    let mut position: SecondaryMap<Block, usize> = SecondaryMap::with_capacity(ir.n_blocks());
    for (index, &block) in order.iter().enumerate() {
        position[block] = index;
    }
    // How many edges and kernels forbid a cut in front of each block: where they begin to, and where they end.
    let mut changes = vec![0i64; order.len() + 1];
    for (from, &block) in order.iter().enumerate() {
        for &successor in ir.block_successors(block) {
            let to = position[successor];
            let forbidden = match from < to {
                // To the first block behind a cut, any edge may go.
                true => from + 1..to,
                false => to + 1..from + 1,
            };
            changes[forbidden.start] += 1;
            changes[forbidden.end] -= 1;
        }
    }
    for kernel in kernels {
        let positions = || kernel.blocks.iter().map(|&block| position[block]);
        if let (Some(first), Some(last)) = (positions().min(), positions().max()) {
            changes[first + 1] += 1;
            changes[last + 1] -= 1;
        }
    }
    let mut parts = Vec::new();
    // The first block is the function's own: it has its arguments.
    let (mut start, mut n_ops, mut n_forbidding) = (None, 0, changes[0]);
    for index in 1..order.len() {
        n_forbidding += changes[index];
        if n_forbidding == 0 && (start.is_none() || n_ops >= part_ops) {
            if let Some(start) = start {
                parts.push(start..index);
            }
            (start, n_ops) = (Some(index), 0);
        }
        n_ops += ir.ops_in(order[index]).count();
    }
    parts.retain(|range| {
        let blocks = &order[range.clone()];
        let mut ops = blocks.iter().flat_map(|&block| ir.ops_in(block));
        let leaves = blocks
            .iter()
            .any(|&block| ir.block_successors(block).is_empty());
        !leaves && !ops.any(|op| ir.walk(op).any(|op| takes_frame_memory(ir, op)))
    });
    parts
}
