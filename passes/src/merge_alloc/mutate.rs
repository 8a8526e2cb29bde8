//! The rewriting stage: one arena and a `memref.view` for each buffer, with the layout of the buffer put on it.
//!
//! The arena is allocated before the first operation of its block that holds a buffer. If it must be freed, that happens after the last operation in
//! which a buffer is live, at every exit of a scope of several blocks, or in given places.

use std::sync::Arc;

use freehold_frontend::dialects::memref::{self, MixedIndex, build};
use freehold_frontend::ir::builder::{Builder, InsertPoint};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type};

use super::scale::scaled;
use super::stages::{Freeing, MergeMutator, MergeOptions, Schedule, ScopeTrace};
use crate::deallocation::plan::points::Points;

/// Of an arena: its size that no plan of these live ranges can go below. Operations have it if
/// [`MergeOptions::annotates`](super::stages::MergeOptions::annotates).
pub const ARENA_ATTR: &str = "__mergealloc_arena";

/// Of a view of an arena: its offset and bytes, and the first and last ticks of its live ranges. As above.
pub const BUFFER_ATTR: &str = "__mergealloc_buffer";

/// The mutator of the pass.
#[derive(Clone, Copy, Debug)]
pub struct Mutator;

impl MergeMutator for Mutator {
    fn mutate(
        &self,
        ir: &mut Ir,
        trace: &ScopeTrace,
        schedule: &Schedule,
        options: &MergeOptions,
    ) -> Value {
        mutate(ir, trace, schedule, options.annotates)
    }
}

/// Makes one arena and puts views of it in the place of its buffers. Their deallocations are gone
/// already. Returns the arena.
pub fn mutate(ir: &mut Ir, trace: &ScopeTrace, schedule: &Schedule, annotates: bool) -> Value {
    let (arena, product) = allocate(ir, trace, schedule);
    if let Some(op) = ir.defining_op(arena).filter(|_| annotates) {
        let lower_bound = ir.context().i64_attr(schedule.lower_bound as i64);
        ir.set_attr(op, ir.context().intern_name(ARENA_ATTR), lower_bound);
    }
    free(ir, trace, arena);
    for (buffer, &place) in trace.buffers.iter().zip(&schedule.offsets) {
        let ty = ir.value_type(ir.result(buffer.alloc, 0));
        let sizes = ir.operand_group(buffer.alloc, 0).to_vec();
        let mut builder = Builder::before(ir, buffer.alloc);
        let offset = scaled(&mut builder, place, product.filter(|_| place > 0));
        let operands = [&[arena, offset], &sizes[..]].concat();
        let view = view(&mut builder, &operands, ty);
        if let Some(op) = ir.defining_op(view).filter(|_| annotates) {
            let live = buffer.live.iter().flat_map(|&(first, last)| [first, last]);
            let numbers = [place as i64, buffer.bytes as i64].into_iter();
            let numbers: Vec<i64> = numbers.chain(live.map(i64::from)).collect();
            let numbers = ir.context().i64_array_attr(&numbers);
            ir.set_attr(op, ir.context().intern_name(BUFFER_ATTR), numbers);
        }
        ir.replace_op(buffer.alloc, &[view]);
    }
    arena
}

/// What takes the place of a buffer of this type: `memref.view` knows no layouts but the usual one.
fn view(builder: &mut Builder<'_>, operands: &[Value], ty: Type) -> Value {
    let context = builder.context();
    let laid_out = (context.as_memref(ty))
        .filter(|memref| memref.layout.is_some())
        .and_then(|memref| Some((memref, context.memref_strides(memref)?)));
    let Some((memref, (strides, offset))) = laid_out else {
        return builder.value(&memref::VIEW, operands, ty);
    };
    // The size in bytes fits, or it would not have been merged.
    let n_elements = memref.n_elements().unwrap_or(0);
    let row = context.memref_type(MemRefType {
        space: memref.space,
        ..MemRefType::identity(&[n_elements], memref.element)
    });
    let elements = builder.value(&memref::VIEW, operands, row);
    let constants = |numbers: &[i64]| {
        numbers
            .iter()
            .copied()
            .map(MixedIndex::Constant)
            .collect::<Vec<_>>()
    };
    let offset = MixedIndex::Constant(offset);
    let (sizes, strides) = (constants(&memref.shape), constants(&strides));
    build::reinterpret_cast(builder, elements, offset, &sizes, &strides, ty)
}

/// The operation that the arena of these allocations, in the order of their ticks, is allocated before.
pub(super) fn anchor(ir: &Ir, block: Block, mut allocs: impl Iterator<Item = Op>) -> Option<Op> {
    // Those of an entry block come first.
    allocs
        .find_map(|alloc| ir.ancestor_in_block(alloc, block))
        .or_else(|| ir.last_op(block))
}

/// Makes the arena; gives it and what its offsets are multiplied by.
fn allocate(ir: &mut Ir, trace: &ScopeTrace, schedule: &Schedule) -> (Value, Option<Value>) {
    let context = Arc::clone(ir.context());
    let allocs = trace.buffers.iter().map(|buffer| buffer.alloc);
    let anchor = anchor(ir, trace.block, allocs);
    let loc = ir.block_parent_op(trace.block).map(|op| ir.loc(op));
    let mut builder = match anchor {
        Some(anchor) => Builder::before(ir, anchor),
        None => Builder::at_start(ir, trace.block),
    };
    if let Some(loc) = loc {
        builder.set_loc(loc);
    }
    let product = trace.scale.build(&mut builder);
    let (shape, sizes) = match product {
        Some(_) => (DYNAMIC, vec![scaled(&mut builder, schedule.bytes, product)]),
        // The arena is at most `i64::MAX` bytes.
        None => (schedule.bytes as i64, Vec::new()),
    };
    let ty = context.memref_type(MemRefType {
        space: trace.space,
        ..MemRefType::identity(&[shape], Type::I8)
    });
    let arena = build::alloc(&mut builder, ty, &sizes);
    let alignment = context.i64_attr(schedule.alignment as i64);
    if let Some(op) = ir.defining_op(arena) {
        ir.set_attr(op, Name::ALIGNMENT, alignment);
    }
    (arena, product)
}

fn free(ir: &mut Ir, trace: &ScopeTrace, arena: Value) {
    match trace.freeing {
        Freeing::Never => {}
        Freeing::After(op) if ir.next_op(op).is_some() => {
            build::dealloc(&mut Builder::after(ir, op), arena);
        }
        Freeing::After(terminator) => {
            build::dealloc(&mut Builder::before(ir, terminator), arena);
        }
        Freeing::At(ref places) => {
            let mut points = Points::default();
            for &place in places {
                let mut builder = match points.at(ir, place) {
                    InsertPoint::Before(op) => Builder::before(ir, op),
                    InsertPoint::End(block) => Builder::at_end(ir, block),
                };
                build::dealloc(&mut builder, arena);
            }
        }
        Freeing::AtExits => {
            let blocks = ir.region_of(trace.block).map(|region| ir.blocks_in(region));
            let last_ops = blocks
                .into_iter()
                .flatten()
                .filter_map(|block| ir.last_op(block));
            let exits: Vec<Op> = last_ops
                .filter(|&op| ir.successors(op).is_empty())
                .collect();
            for exit in exits {
                build::dealloc(&mut Builder::before(ir, exit), arena);
            }
        }
    }
}
