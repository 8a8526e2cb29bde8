//! Coalescing: an allocation that follows a free of such a buffer takes that
//! buffer instead.

use freehold_frontend::dialects::memref::{self, MixedIndex, build};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::layout::identity_strides;
use rustc_hash::{FxHashMap, FxHashSet};

use super::buffers::{Key, alloc_of, blocks_inner_first, is_alloc, is_static_alloc, key};
use crate::analysis::alignment::{self, is_aligned};

/// How far a buffer is kept for the next allocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::hlo) enum Mode {
    /// Not past operations whose regions allocate such a buffer: those may pair
    /// up with it better.
    Conservative,
    /// Past them too.
    Aggressive,
}

/// Freed buffers that are looked at for one allocation: bounds compile time.
const MAX_CANDIDATES: usize = 16;

/// Coalesces in all blocks; returns how often.
pub(in crate::hlo) fn run(ir: &mut Ir, mode: Mode) -> u64 {
    blocks_inner_first(ir)
        .into_iter()
        .map(|block| run_on_block(ir, block, mode))
        .sum()
}

/// A buffer that was freed.
struct Freed {
    dealloc: Op,
    /// Where in the block.
    position: usize,
}

/// Coalesces in one block; returns how often.
pub(in crate::hlo) fn run_on_block(ir: &mut Ir, block: Block, mode: Mode) -> u64 {
    let mut count = 0;
    let mut freed: FxHashMap<Key, Vec<Freed>> = FxHashMap::default();
    let mut allocated_at: FxHashMap<Op, usize> = FxHashMap::default();
    // To keep a buffer while another one comes and goes would need more memory at a time: buffers
    // freed before this position are gone.
    let mut floor = 0;
    let mut next = ir.first_op(block);
    let mut position = 0;
    while let Some(op) = next {
        next = ir.next_op(op);
        position += 1;
        if ir.is(op, &memref::DEALLOC) {
            let value = ir.operand(op, 0);
            let since = alloc_of(ir, value).and_then(|alloc| allocated_at.get(&alloc));
            floor = floor.max(since.copied().unwrap_or(0));
            let dealloc = Freed {
                dealloc: op,
                position,
            };
            let key = key(ir, ir.value_type(value));
            freed.entry(key).or_default().push(dealloc);
        } else if is_alloc(ir, op) {
            let candidates = freed
                .entry(key(ir, ir.value_type(ir.result(op, 0))))
                .or_default();
            candidates.retain(|candidate| candidate.position > floor);
            let first = candidates.len().saturating_sub(ir.capped(MAX_CANDIDATES));
            let found = (first..candidates.len())
                .rev()
                .find(|&index| fits(ir, ir.operand(candidates[index].dealloc, 0), op));
            match found {
                Some(index) => {
                    let taken = candidates.remove(index);
                    take(ir, taken.dealloc, op);
                    count += 1;
                }
                None => {
                    allocated_at.insert(op, position);
                }
            }
        } else if mode == Mode::Conservative && !ir.regions(op).is_empty() && !freed.is_empty() {
            let inside = keys_inside(ir, op);
            freed.retain(|key, _| !inside.contains(key));
        }
    }
    count
}

fn keys_inside(ir: &Ir, op: Op) -> FxHashSet<Key> {
    ir.walk(op)
        .filter(|&inner| is_alloc(ir, inner))
        .map(|alloc| key(ir, ir.value_type(ir.result(alloc, 0))))
        .collect()
}

/// Whether the buffer `value` will do for `alloc`; their keys are equal.
fn fits(ir: &Ir, value: Value, alloc: Op) -> bool {
    if !is_aligned(ir, value, alignment::requested(ir, alloc)) {
        return false;
    }
    if is_static_alloc(ir, alloc) {
        return true;
    }
    ir.defined_by(value, &memref::ALLOC).is_some_and(|freed| {
        is_alloc(ir, freed)
            && ir.operands(freed) == ir.operands(alloc)
            && ir.value_type(value) == ir.value_type(ir.result(alloc, 0))
    })
}

/// Makes the users of `alloc` use what `dealloc` frees, and erases both.
fn take(ir: &mut Ir, dealloc: Op, alloc: Op) {
    let value = ir.operand(dealloc, 0);
    let result = ir.result(alloc, 0);
    let (from, to) = (ir.value_type(value), ir.value_type(result));
    let shape = ir.context().as_memref(to).map(|ty| ty.shape.clone());
    let replacement = match shape {
        Some(shape) if from != to => {
            let strides = identity_strides(&shape);
            let fixed = |values: &[i64]| -> Vec<MixedIndex> {
                values.iter().copied().map(MixedIndex::Constant).collect()
            };
            let (sizes, strides) = (fixed(&shape), fixed(&strides));
            let mut builder = Builder::before(ir, alloc);
            let offset = MixedIndex::Constant(0);
            build::reinterpret_cast(&mut builder, value, offset, &sizes, &strides, to)
        }
        _ => value,
    };
    ir.replace_all_uses(result, replacement);
    ir.erase_op(alloc);
    ir.erase_op(dealloc);
}
