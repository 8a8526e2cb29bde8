//! What buffer reuse asks of allocations and frees.

use freehold_frontend::dialects::{arith, memref};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashSet;

use super::super::owners::{Travels, base_of};

/// Whether `op` is a `memref.alloc` without operands but sizes.
pub(in crate::hlo) fn is_alloc(ir: &Ir, op: Op) -> bool {
    ir.is(op, &memref::ALLOC) && ir.operand_group(op, 1).is_empty()
}

/// Whether `op` is a `memref.alloc` of known size.
pub(in crate::hlo) fn is_static_alloc(ir: &Ir, op: Op) -> bool {
    is_alloc(ir, op)
        && ir.operands(op).is_empty()
        && ir
            .context()
            .as_memref(ir.value_type(ir.result(op, 0)))
            .is_some_and(|ty| ty.n_elements().is_some())
}

/// Buffers with one key can stand for each other, if alignments and dynamic
/// sizes agree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::hlo) enum Key {
    /// So many elements without gaps, of this type in this memory space.
    Elements(i64, Type, Option<Attr>),
    /// Exactly this type.
    Type(Type),
}

/// The key of memrefs of type `ty`.
pub(in crate::hlo) fn key(ir: &Ir, ty: Type) -> Key {
    match ir.context().as_memref(ty) {
        Some(memref) if memref.layout.is_none() => match memref.n_elements() {
            Some(n) => Key::Elements(n, memref.element, memref.space),
            None => Key::Type(ty),
        },
        _ => Key::Type(ty),
    }
}

/// The alignment that an allocation asks for beyond that of its elements; 1 if none.
pub(in crate::hlo) fn alignment(ir: &Ir, alloc: Op) -> i128 {
    ir.attr(alloc, Name::ALIGNMENT)
        .and_then(|attr| ir.context().attr_integer(attr))
        .unwrap_or(1)
}

/// The allocation that `value` is (a view of).
pub(in crate::hlo) fn alloc_of(ir: &Ir, value: Value) -> Option<Op> {
    ir.defined_by(base_of(ir, value), &memref::ALLOC)
}

/// The `memref.dealloc` of `alloc` in the same block.
pub(in crate::hlo) fn dealloc_beside(ir: &Ir, alloc: Op) -> Option<Op> {
    let block = ir.block_of(alloc);
    ir.uses(ir.result(alloc, 0))
        .iter()
        .map(|u| u.op)
        .find(|&op| ir.is(op, &memref::DEALLOC) && ir.block_of(op) == block)
}

/// The allocations whose buffer `value` may be; `None` if it may be another one.
pub(in crate::hlo) fn sources(ir: &Ir, value: Value) -> Option<Vec<Op>> {
    if let Some(alloc) = ir.defined_by(value, &memref::ALLOC) {
        return Some(vec![alloc]);
    }
    let travels = Travels::new(ir, |ir, v| ir.is_memref(v));
    let mut seen: FxHashSet<Value> = FxHashSet::default();
    let mut stack = vec![value];
    let mut sources = Vec::new();
    while let Some(value) = stack.pop() {
        if !seen.insert(value) {
            continue;
        }
        let incoming = travels.incoming(value);
        match ir.defined_by(value, &memref::ALLOC) {
            Some(alloc) => sources.push(alloc),
            None if incoming.is_empty() => return None,
            None => stack.extend_from_slice(incoming),
        }
    }
    Some(sources)
}

/// Whether every buffer that `value` may be is aligned to `wanted`.
pub(in crate::hlo) fn is_aligned(ir: &Ir, value: Value, wanted: i128) -> bool {
    wanted <= 1
        || sources(ir, value)
            .is_some_and(|sources| sources.iter().all(|&alloc| alignment(ir, alloc) >= wanted))
}

/// Whether `alloc` may run before `op`, which it is inside of, even if control
/// never comes to where it is: its sizes are known there and not negative.
pub(in crate::hlo) fn can_run_before(ir: &Ir, alloc: Op, op: Op) -> bool {
    ir.operands(alloc).iter().all(|&size| {
        let Some(definition) = ir.defining_op(size) else {
            return false;
        };
        (ir.is(definition, &memref::DIM) || ir.is(definition, &arith::CONSTANT))
            && !ir.is_ancestor(op, definition)
    })
}

/// All blocks inside the function, inner before outer.
pub(in crate::hlo) fn blocks_inner_first(ir: &Ir) -> Vec<Block> {
    let mut blocks = ir.collect_blocks(ir.root());
    blocks.reverse();
    blocks
}

/// All operations inside the function, reversed: inner before outer.
pub(in crate::hlo) fn ops_inner_first(ir: &Ir) -> Vec<Op> {
    let mut ops = ir.collect_ops(ir.root());
    ops.reverse();
    ops
}
