//! What buffer reuse asks of allocations and frees.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::{arith, memref, scf};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashMap;

use crate::analysis::travels::base_of;

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
    /// This many elements without gaps, of this type in this memory space.
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

/// Whether the sizes of `alloc`, which is inside of `op`, are known in front of `op`, or can be
/// computed there by [`move_sizes_before`].
fn has_sizes_before(ir: &Ir, alloc: Op, op: Op) -> bool {
    let mut sizes = ir.operands(alloc).iter();
    sizes.all(|&size| is_known_before(ir, size, op, ir.capped(MAX_SIZE_DEPTH)))
}

/// The operations that make a size are looked at so far back: each may have several operands,
/// so this bounds compile time.
const MAX_SIZE_DEPTH: u32 = 4;

fn is_known_before(ir: &Ir, value: Value, op: Op, depth: u32) -> bool {
    let Some(definition) = inside(ir, value, op) else {
        return is_outside(ir, value, op);
    };
    // Nothing that cannot be computed where control does not come.
    let harmless = [
        &arith::CONSTANT,
        &arith::ADDI,
        &arith::SUBI,
        &arith::MULI,
        &arith::MAXSI,
        &arith::MINSI,
        &arith::INDEX_CAST,
        &arith::CMPI,
        &arith::SELECT,
    ];
    let is_harmless = harmless.iter().any(|def| ir.is(definition, def))
        || ir.is(definition, &memref::DIM) && {
            let dim = memref::Dim(definition);
            let memref = ir.context().as_memref(ir.value_type(dim.source(ir)));
            let index = arith::as_constant_index(ir, dim.index(ir));
            memref.zip(index).is_some_and(|(memref, index)| {
                usize::try_from(index).is_ok_and(|index| index < memref.shape.len())
            })
        };
    let mut operands = ir.operands(definition).iter();
    depth != 0
        && is_harmless
        && operands.all(|&operand| is_known_before(ir, operand, op, depth - 1))
}

/// The operation inside of `op` that defines `value`, if it is one.
fn inside(ir: &Ir, value: Value, op: Op) -> Option<Op> {
    ir.defining_op(value)
        .filter(|&definition| definition != op && ir.is_ancestor(op, definition))
}

/// Whether `value` is there in front of `op`, one of whose regions uses it.
fn is_outside(ir: &Ir, value: Value, op: Op) -> bool {
    let parent = ir
        .value_block(value)
        .and_then(|block| ir.block_parent_op(block));
    ir.defining_op(value) != Some(op) && parent.is_none_or(|parent| !ir.is_ancestor(op, parent))
}

/// Moves what computes the sizes of `alloc` in front of `op`, if it is inside.
fn move_sizes_before(ir: &mut Ir, alloc: Op, op: Op) {
    let mut pending: Vec<Value> = ir.operands(alloc).to_vec();
    let mut moved = Vec::new();
    while let Some(value) = pending.pop() {
        if let Some(definition) = inside(ir, value, op) {
            moved.push(definition);
            pending.extend_from_slice(ir.operands(definition));
        }
    }
    // Sources of computations were found later, so they come first; a value found twice is where it
    // was found last.
    for definition in moved.into_iter().rev() {
        if ir.is_ancestor(op, definition) {
            ir.move_op_before(definition, op);
        }
    }
}

/// Whether the sizes of `alloc` are certainly not negative: it may run even if control never comes
/// to where it is.
fn can_run_anyway(ir: &Ir, alloc: Op) -> bool {
    ir.operands(alloc).iter().all(|&size| {
        ir.defined_by(size, &memref::DIM).is_some()
            || arith::as_constant_index(ir, size).is_some_and(|size| size >= 0)
    })
}

/// Whether `alloc`, right inside of a region of `op`, may run in front of `op`, even if control never
/// comes to where it is: see [`move_before`].
pub(in crate::hlo) fn can_run_before(ir: &Ir, alloc: Op, op: Op) -> bool {
    has_sizes_before(ir, alloc, op)
        && (can_run_anyway(ir, alloc) || ir.is(op, &scf::FOR) || runs_first(ir, alloc, op))
}

/// Whether `alloc` is in a region that runs whenever `op` does.
fn runs_first(ir: &Ir, alloc: Op, op: Op) -> bool {
    ir.is(op, &scf::WHILE) && ir.parent_region(alloc) == Some(ir.region(op, 0))
}

/// A loop that does not run allocates nothing, whatever its sizes are: in front of it, they are zero
/// then. `known` are sizes for which that was done already.
fn guard_sizes(ir: &mut Ir, alloc: Op, op: Op, known: &mut FxHashMap<Value, Value>) {
    if !ir.is(op, &scf::FOR) || can_run_anyway(ir, alloc) {
        return;
    }
    for index in 0..ir.operands(alloc).len() {
        let size = ir.operand(alloc, index);
        let guarded = *known.entry(size).or_insert_with(|| {
            let (begin, end) = (scf::For(op).lower_bound(ir), scf::For(op).upper_bound(ir));
            let mut builder = Builder::before(ir, op);
            let runs = arith::compare(&mut builder, CmpIPredicate::Slt, begin, end);
            let zero = arith::constant_index(&mut builder, 0);
            builder.value(&arith::SELECT, &[runs, size, zero], Type::INDEX)
        });
        ir.set_operand(alloc, index, guarded);
    }
}

/// Moves `alloc` with what computes its sizes in front of `op`.
pub(in crate::hlo) fn move_before(
    ir: &mut Ir,
    alloc: Op,
    op: Op,
    known: &mut FxHashMap<Value, Value>,
) {
    move_sizes_before(ir, alloc, op);
    guard_sizes(ir, alloc, op, known);
    ir.move_op_before(alloc, op);
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
