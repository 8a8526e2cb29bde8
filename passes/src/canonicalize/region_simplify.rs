//! Region simplification: erases unreachable blocks, unused block arguments, and (aggressively)
//! merges equal blocks.
//!
//! A value is *needed* if an operation that may not be erased uses it,
//! directly or through block arguments and erasable operations. So loops that
//! only carry a value round for its own sake lose it.

use std::ops::Range;

use cranelift_entity::EntitySet;
use freehold_frontend::ir::attrs::Dict;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value, ValueDef};
use freehold_frontend::ir::op_def::{OpDef, Traits};
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::analysis::dead_code::ReasonsToKeep;
use crate::rewrite::unreachable_blocks::{erase_unreachable_blocks, regions_with_several_blocks};

/// How much to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Unreachable blocks, dead arguments, equal blocks without differing operands.
    Normal,
    /// The same as [`Level::Normal`] at present.
    Aggressive,
}

/// Simplifies every region inside the root. Returns whether anything changed.
pub fn run(ir: &mut Ir, level: Level) -> bool {
    let mut changed = erase_unreachable_blocks(ir);
    changed |= erase_dead_values(ir);
    let _ = level;
    changed |= merge_identical_blocks(ir);
    changed
}

/// Erases block arguments (and what feeds them alone) that nothing needs.
fn erase_dead_values(ir: &mut Ir) -> bool {
    let regions = regions_with_several_blocks(ir);
    if regions.is_empty() {
        return false;
    }
    let (live, live_ops) = live_values(ir);
    let mut dead: Vec<(Block, Vec<usize>)> = Vec::new();
    for region in regions {
        for block in ir.blocks_in(region).skip(1) {
            let indices: Vec<usize> = (0..ir.block_args(block).len())
                .rev()
                .filter(|&index| !live.contains(ir.block_args(block)[index]))
                .collect();
            if !indices.is_empty() {
                dead.push((block, indices));
            }
        }
    }
    // First dead arguments lose their forwarded operands, then their uses, then they go.
    for (block, indices) in &dead {
        let uses: SmallVec<[_; 4]> = ir.block_uses(*block).iter().copied().collect();
        for &index in indices {
            for u in &uses {
                if let Some(branch) = ir.def(u.op).branch {
                    (branch.remove_successor_operand)(ir, u.op, u.index as usize, index);
                }
            }
        }
    }
    for (block, indices) in &dead {
        for &index in indices {
            let argument = ir.block_args(*block)[index];
            erase_users(ir, argument, &live_ops);
        }
    }
    for (block, indices) in &dead {
        for &index in indices {
            ir.remove_block_arg(*block, index);
        }
    }
    !dead.is_empty()
}

/// Erases the users of a dead value, which are dead operations.
fn erase_users(ir: &mut Ir, value: Value, live_ops: &EntitySet<Op>) {
    let mut values = vec![value];
    while let Some(&value) = values.last() {
        let Some(&u) = ir.uses(value).last() else {
            values.pop();
            continue;
        };
        let op = outermost_dead(ir, u.op, live_ops);
        let used: SmallVec<[Value; 4]> = ir
            .results(op)
            .iter()
            .copied()
            .filter(|&v| !ir.has_no_uses(v))
            .collect();
        if used.is_empty() {
            ir.erase_op(op);
        } else {
            values.extend(used);
        }
    }
}

/// The dead user `op`, or the operation around it that is dead as a whole.
fn outermost_dead(ir: &Ir, op: Op, live_ops: &EntitySet<Op>) -> Op {
    let mut current = op;
    while let Some(parent) = ir.parent_op(current)
        && parent != ir.root()
        && !live_ops.contains(parent)
    {
        current = parent;
    }
    current
}

/// The values that some operation which cannot be erased needs, and the
/// operations that stay.
fn live_values(ir: &Ir) -> (EntitySet<Value>, EntitySet<Op>) {
    let mut live = EntitySet::new();
    let mut live_ops: EntitySet<Op> = EntitySet::new();
    let mut stack: Vec<Value> = Vec::new();
    // Arguments whose predecessors cannot let go of an operand stay.
    for region in regions_with_several_blocks(ir) {
        for block in ir.blocks_in(region) {
            if ir
                .block_uses(block)
                .iter()
                .any(|u| ir.def(u.op).branch.is_none())
            {
                stack.extend_from_slice(ir.block_args(block));
            }
        }
    }
    // Roots: operations that must stay, with all they use and all inside.
    let mut reasons = ReasonsToKeep::default();
    let mut walk = ir.walk(ir.root());
    while let Some(op) = walk.next() {
        if op == ir.root() {
            continue;
        }
        if ir.def(op).branch.is_none() && reasons.would_be_trivially_dead(ir, op) {
            // Kept alive by its results only, together with its regions.
            if !ir.regions(op).is_empty() {
                walk.skip_regions(op);
            }
            continue;
        }
        live_ops.insert(op);
        // Operands that only become block arguments are not needed for that.
        let mut rest = 0;
        if let Some(branch) = ir.def(op).branch {
            let mut ranges = (branch.all_successor_operands)(ir, op);
            ranges.sort_by_key(|range| range.start);
            for forwarded in ranges {
                stack.extend_from_slice(&ir.operands(op)[rest..forwarded.start.max(rest)]);
                rest = rest.max(forwarded.end);
            }
        }
        stack.extend_from_slice(&ir.operands(op)[rest..]);
    }
    let mut forwarded = ForwardedOperands::default();
    while let Some(value) = stack.pop() {
        if !live.insert(value) {
            continue;
        }
        match ir.value_def(value) {
            ValueDef::Result(op, _) => {
                if live_ops.insert(op) {
                    for inner in ir.walk(op) {
                        live_ops.insert(inner);
                        stack.extend_from_slice(ir.operands(inner));
                    }
                }
            }
            ValueDef::Argument(block, index) => {
                for u in ir.block_uses(block) {
                    let operands = forwarded.of(ir, u.op, u.index as usize);
                    stack.extend(operands.get(index as usize));
                }
            }
        }
    }
    (live, live_ops)
}

/// The operands that branches hand to their successors. It remembers where
/// those of branches to many successors are: finding one takes as long as all.
#[derive(Default)]
struct ForwardedOperands(FxHashMap<Op, SmallVec<[Range<usize>; 2]>>);

impl ForwardedOperands {
    /// What `op` hands to its successor `index`.
    fn of<'a>(&mut self, ir: &'a Ir, op: Op, index: usize) -> &'a [Value] {
        match ir.def(op).branch {
            Some(branch) if ir.successors(op).len() > 2 => {
                let ranges = self.0.entry(op);
                let ranges = ranges.or_insert_with(|| (branch.all_successor_operands)(ir, op));
                &ir.operands(op)[ranges[index].clone()]
            }
            _ => ir.successor_operands(op, index),
        }
    }
}

/// What two blocks must share to do the same.
#[derive(PartialEq, Eq, Hash)]
struct BlockShape {
    arguments: SmallVec<[Type; 4]>,
    ops: Vec<OpShape>,
}

#[derive(PartialEq, Eq, Hash)]
struct OpShape {
    def: *const OpDef,
    attrs: Dict,
    operands: SmallVec<[OperandShape; 4]>,
    results: SmallVec<[Type; 2]>,
    successors: SmallVec<[Block; 2]>,
}

/// An operand: a position inside the block, or a value from outside.
#[derive(PartialEq, Eq, Hash)]
enum OperandShape {
    Argument(u32),
    Result(u32, u32),
    Outside(Value),
}

/// Longest block considered for merging: bounds the time of comparisons. Merging aims at short ones
/// (two returns of one value), so other values were not measured.
const MAX_MERGED_OPS: usize = 32;

/// Merges blocks without regions that do the same with the same operands.
fn merge_identical_blocks(ir: &mut Ir) -> bool {
    let mut changed = false;
    for region in regions_with_several_blocks(ir) {
        let mut known: FxHashMap<BlockShape, Block> = FxHashMap::default();
        let blocks: Vec<Block> = ir.blocks_in(region).skip(1).collect();
        for block in blocks {
            let Some(shape) = block_shape(ir, block) else {
                continue;
            };
            match known.get(&shape) {
                None => {
                    known.insert(shape, block);
                }
                Some(&leader) => {
                    let uses: SmallVec<[_; 4]> = ir.block_uses(block).iter().copied().collect();
                    for u in uses {
                        ir.set_successor(u.op, u.index as usize, leader);
                    }
                    ir.erase_block(block);
                    changed = true;
                }
            }
        }
    }
    changed
}

/// The shape of a block that may be merged: short, without regions, and
/// nothing in it is used elsewhere.
fn block_shape(ir: &Ir, block: Block) -> Option<BlockShape> {
    let mut positions: FxHashMap<Op, u32> = FxHashMap::default();
    let mut ops = Vec::new();
    let used_inside = |value: Value| {
        ir.uses(value)
            .iter()
            .all(|u| ir.block_of(u.op) == Some(block))
    };
    if !ir.block_args(block).iter().all(|&v| used_inside(v)) {
        return None;
    }
    for (position, op) in ir.ops_in(block).enumerate() {
        let has_identity = ir.has_trait(op, Traits::OWNS_ARENA) || ir.def(op).is_unregistered();
        if position >= ir.capped(MAX_MERGED_OPS) || !ir.regions(op).is_empty() || has_identity {
            return None;
        }
        if !ir.results(op).iter().all(|&v| used_inside(v)) {
            return None;
        }
        positions.insert(op, position as u32);
        let operand = |&value: &Value| match ir.value_def(value) {
            ValueDef::Argument(b, index) if b == block => OperandShape::Argument(index),
            ValueDef::Result(def, index) => match positions.get(&def) {
                Some(&position) => OperandShape::Result(position, index),
                None => OperandShape::Outside(value),
            },
            ValueDef::Argument(..) => OperandShape::Outside(value),
        };
        ops.push(OpShape {
            def: ir.def(op),
            attrs: ir.attrs(op),
            operands: ir.operands(op).iter().map(operand).collect(),
            results: ir.results(op).iter().map(|&v| ir.value_type(v)).collect(),
            successors: ir.successors(op).into(),
        });
    }
    let arguments = ir
        .block_args(block)
        .iter()
        .map(|&v| ir.value_type(v))
        .collect();
    Some(BlockShape { arguments, ops })
}
