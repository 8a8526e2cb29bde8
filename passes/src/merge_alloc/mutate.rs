//! The rewriting stage: one arena and a `memref.view` for each buffer.
//!
//! The arena is allocated before the first operation of the scope that holds a buffer, in a scope of
//! several blocks in the entry block. If it must be freed, that happens after the last operation in
//! which a buffer is live, or at every exit of a scope of several blocks.

use std::sync::Arc;

use freehold_frontend::dialects::memref::build;
use freehold_frontend::dialects::{arith, memref};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{MemRefType, Type};

use super::stages::{Freeing, Mutator, Schedule, ScopeTrace, TracedBuffer};

/// The default [`Mutator`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ViewMutator;

impl Mutator for ViewMutator {
    fn mutate(&self, ir: &mut Ir, trace: &ScopeTrace, schedule: &Schedule) {
        let Some(entry) = ir.entry_block(trace.scope) else {
            return;
        };
        let arena = allocate(ir, trace, schedule, entry);
        free(ir, trace, arena);
        for (buffer, &offset) in trace.buffers.iter().zip(&schedule.offsets) {
            let ty = ir.value_type(ir.result(buffer.alloc, 0));
            let mut builder = Builder::before(ir, buffer.alloc);
            // The arena is at most `i64::MAX` bytes.
            let offset = arith::constant_index(&mut builder, offset as i64);
            let view = builder.value(&memref::VIEW, &[arena, offset], ty);
            ir.replace_op(buffer.alloc, &[view]);
        }
    }
}

fn allocate(ir: &mut Ir, trace: &ScopeTrace, schedule: &Schedule, entry: Block) -> Value {
    let context = Arc::clone(ir.context());
    let ty = context.memref_type(MemRefType {
        space: trace.space,
        ..MemRefType::identity(&[schedule.bytes as i64], Type::I8)
    });
    let in_entry = |buffer: &TracedBuffer| ir.ancestor_in_block(buffer.alloc, entry);
    // Buffers are in the order of their ticks, so those of the entry block come first.
    let first = trace.buffers.iter().find_map(in_entry);
    let anchor = first.or_else(|| ir.last_op(entry));
    let loc = ir.loc(ir.region_owner(trace.scope));
    let mut builder = match anchor {
        Some(anchor) => Builder::before(ir, anchor),
        None => Builder::at_start(ir, entry),
    };
    builder.set_loc(loc);
    let arena = build::alloc(&mut builder, ty, &[]);
    let alignment = context.i64_attr(schedule.alignment as i64);
    if let Some(op) = ir.defining_op(arena) {
        ir.set_attr(op, Name::ALIGNMENT, alignment);
    }
    arena
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
        Freeing::AtExits => {
            let last_ops = ir
                .blocks_in(trace.scope)
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
