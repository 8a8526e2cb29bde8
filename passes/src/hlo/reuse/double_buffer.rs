//! Double buffering: a loop that frees one buffer and allocates another one in
//! each iteration takes the spare one round instead.

use freehold_frontend::dialects::{memref, scf};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashMap;

use super::buffers::{
    can_run_before, dealloc_beside, is_alloc, is_static_alloc, move_before, ops_inner_first,
};
use crate::analysis::alignment::{self, is_aligned, sources};
use crate::analysis::flow::{Edge, EdgeKind};
use crate::analysis::travels::base_of;
use crate::deallocation::plan::plan::append_forwarded;

/// Converts all loops, inner first; returns how many allocations left a loop.
pub(in crate::hlo) fn run(ir: &mut Ir) -> u64 {
    let mut count = 0;
    for op in ops_inner_first(ir) {
        if ir.is(op, &scf::FOR) || ir.is(op, &scf::WHILE) {
            while let Some(spare) = find_spare(ir, op) {
                count += spare.pairs.iter().flatten().count() as u64;
                circulate(ir, op, &spare);
            }
        }
    }
    count
}

/// An allocation and a free of one region.
#[derive(Clone, Copy)]
struct Pair {
    alloc: Op,
    dealloc: Op,
}

/// A buffer to go round, and what it replaces in each region.
struct Spare {
    ty: Type,
    pairs: Vec<Option<Pair>>,
    /// Whether a buffer of its size is there before the loop.
    comes_in: bool,
}

/// The first allocation of the regions of `op` that can take a buffer freed
/// in the same region, and one in the other region, if that does too: one
/// spare buffer serves both.
fn find_spare(ir: &Ir, op: Op) -> Option<Spare> {
    let blocks: Vec<Block> = ir
        .regions(op)
        .iter()
        .map(|&region| ir.single_block(region))
        .collect::<Option<_>>()?;
    let (first_block, first) = blocks.iter().enumerate().find_map(|(index, &block)| {
        let pair = ir
            .ops_in(block)
            .find_map(|alloc| pair_of(ir, op, block, alloc))?;
        Some((index, pair))
    })?;
    let ty = ir.value_type(ir.result(first.alloc, 0));
    let pairs = blocks.iter().enumerate().map(|(index, &block)| {
        if index == first_block {
            return Some(first);
        }
        ir.ops_in(block)
            .filter_map(|alloc| pair_of(ir, op, block, alloc))
            .find(|pair| {
                ir.value_type(ir.result(pair.alloc, 0)) == ty
                    && ir.operands(pair.alloc) == ir.operands(first.alloc)
                    && alignment::requested(ir, pair.alloc) == alignment::requested(ir, first.alloc)
            })
    });
    Some(Spare {
        ty,
        pairs: pairs.collect(),
        comes_in: comes_in(ir, op, ir.operand(first.dealloc, 0)),
    })
}

/// `alloc`, which outlives its iteration, with a free of such a buffer.
fn pair_of(ir: &Ir, op: Op, block: Block, alloc: Op) -> Option<Pair> {
    if !is_alloc(ir, alloc) || dealloc_beside(ir, alloc).is_some() {
        return None;
    }
    let ty = ir.value_type(ir.result(alloc, 0));
    let dealloc = ir.ops_in(block).find(|&dealloc| {
        ir.is(dealloc, &memref::DEALLOC) && {
            let value = ir.operand(dealloc, 0);
            // What lives for one iteration only is hoisted instead.
            let is_local = ir
                .defining_op(base_of(ir, value))
                .is_some_and(|definition| is_alloc(ir, definition));
            ir.value_type(value) == ty
                && !is_local
                && (is_static_alloc(ir, alloc)
                    || has_sizes_of(ir, value, alloc)
                        && (comes_in(ir, op, value) || can_run_before(ir, alloc, op)))
                && is_aligned(ir, value, alignment::requested(ir, alloc))
        }
    })?;
    Some(Pair { alloc, dealloc })
}

/// Whether a buffer of dynamic size is as large as what `alloc` makes. It is
/// if all that goes round comes from allocations of the same sizes.
fn has_sizes_of(ir: &Ir, value: Value, alloc: Op) -> bool {
    sources(ir, value).is_some_and(|sources| {
        sources.iter().all(|&source| {
            ir.operands(source) == ir.operands(alloc)
                && ir.value_type(ir.result(source, 0)) == ir.value_type(ir.result(alloc, 0))
        })
    })
}

/// Whether a buffer that is freed as `value` may have been there before `op`. If it has the sizes of
/// another one, these are good whether control comes to where that is allocated or not.
fn comes_in(ir: &Ir, op: Op, value: Value) -> bool {
    sources(ir, value).is_some_and(|sources| {
        let mut sources = sources.iter();
        sources.any(|&source| !ir.is_ancestor(op, source))
    })
}

/// Adds the spare buffer to what `op` carries round.
fn circulate(ir: &mut Ir, op: Op, spare: &Spare) {
    let mut first = true;
    let mut edits: Vec<(Block, Option<Pair>)> = Vec::new();
    for (index, &pair) in spare.pairs.iter().enumerate() {
        let block = ir
            .single_block(ir.region(op, index))
            .expect("the regions were looked at before");
        edits.push((block, pair));
    }
    let result = ir.append_result(op, spare.ty);
    for (block, pair) in edits {
        let argument = ir.append_block_arg(block, spare.ty);
        let terminator = ir.last_op(block).expect("verified blocks have terminators");
        let edge = Edge {
            source: terminator,
            kind: EdgeKind::RegionExit,
        };
        let Some(pair) = pair else {
            append_forwarded(ir, edge, argument);
            continue;
        };
        let freed = ir.operand(pair.dealloc, 0);
        let fresh = ir.result(pair.alloc, 0);
        ir.replace_all_uses(fresh, argument);
        // If the free was of something that goes by another name now.
        let freed = if freed == fresh { argument } else { freed };
        append_forwarded(ir, edge, freed);
        if first {
            first = false;
            match spare.comes_in {
                true => ir.move_op_before(pair.alloc, op),
                false => move_before(ir, pair.alloc, op, &mut FxHashMap::default()),
            }
            let entry = Edge {
                source: op,
                kind: EdgeKind::Entry,
            };
            append_forwarded(ir, entry, fresh);
            ir.move_op_after(pair.dealloc, op);
            ir.set_operand(pair.dealloc, 0, result);
        } else {
            ir.erase_op(pair.alloc);
            ir.erase_op(pair.dealloc);
        }
    }
}
