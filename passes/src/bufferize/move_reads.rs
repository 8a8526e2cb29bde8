//! Operations that read a tensor go before the one that could overwrite it, if nothing else is in its way.
//!
//! Before:
//! ```mlir
//! %y = tensor.insert %a into %x[%i] : tensor<4xf32>
//! %b = tensor.extract %x[%j] : tensor<4xf32>
//! ```
//! After, if `%x` owns its buffer, so that it need not be copied:
//! ```mlir
//! %b = tensor.extract %x[%j] : tensor<4xf32>
//! %y = tensor.insert %a into %x[%i] : tensor<4xf32>
//! ```
//!
//! An insertion whose source is another part of the same tensor gets a copy of that part, which is smaller.
//!
//! What is in the way of a write is [`Analysis::obstacle`]'s to say, and decided anew after each move.

use freehold_frontend::dialects::{bufferization, tensor};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::in_place::{Analysis, Obstacle, is_tensor, is_view_of};
use super::one_shot_bufferize::Environment;
use crate::rewrite::tensors::bytes_of;

/// Operations that go together before one, and those that they pass: bounds compile time.
const MAX_MOVED: usize = 32;
const MAX_PASSED: usize = 256;

/// Readers of one tensor that go before one operation.
const MAX_READERS: usize = 8;

/// Moves readers of what the operations of a function, which has no unreachable blocks, write in place.
pub(super) fn move_reads(ir: &mut Ir, environment: &Environment, writable: &[bool]) {
    for op in ir.collect_ops(ir.root()) {
        let consumed = Analysis::new(ir, environment, writable).consumed(op);
        for (index, purpose) in consumed {
            let Some(purpose) = purpose else {
                continue;
            };
            let mut copy = None;
            for _ in 0..MAX_READERS {
                let analysis = Analysis::new(ir, environment, writable);
                let obstacle = analysis.obstacle(op, index, purpose);
                if copies_overlapping_slice(ir, op, &obstacle) {
                    copy = Some(copy_source(ir, op));
                    continue;
                }
                let is_copied = obstacle.is_some();
                let Some((anchor, moved)) =
                    obstacle.and_then(|obstacle| plan(&analysis, op, obstacle))
                else {
                    // For nothing: something else is in the way.
                    if let Some(copy) = copy.filter(|_| is_copied) {
                        let source = ir.operand(copy, 0);
                        ir.replace_op(copy, &[source]);
                    }
                    break;
                };
                for op in moved {
                    ir.move_op_before(op, anchor);
                }
            }
        }
    }
}

/// Whether an insertion could be in place but that it reads its source, which is part of the same buffer, while it writes.
fn copies_overlapping_slice(ir: &Ir, op: Op, obstacle: &Option<Obstacle>) -> bool {
    let Some(Obstacle::Read { user, index, .. }) = *obstacle else {
        return false;
    };
    ir.is(op, &tensor::INSERT_SLICE) && user == op && index == 0
}

/// Has an insertion insert a copy, which is no larger than one of what it inserts into.
fn copy_source(ir: &mut Ir, op: Op) -> Op {
    let source = ir.operand(op, 0);
    let mut builder = Builder::before(ir, op);
    let b = &mut builder;
    let ty = b.ir.value_type(source);
    let segments = b.context().i32_array_attr(&[0, 1, 0]);
    let spec = (b.spec(&bufferization::ALLOC_TENSOR))
        .operands(&[source])
        .results(&[ty])
        .attr(Name::OPERAND_SEGMENT_SIZES, segments);
    let copy = b.create(spec);
    let result = ir.result(copy, 0);
    ir.set_operand(op, 0, result);
    copy
}

/// The operation that is or holds the writer, and what is to go before it, in order.
fn plan(analysis: &Analysis<'_>, writer: Op, obstacle: Obstacle) -> Option<(Op, Vec<Op>)> {
    let ir = analysis.ir;
    let Obstacle::Read {
        user, definition, ..
    } = obstacle
    else {
        return None;
    };
    let mut anchor = writer;
    let reader = loop {
        let block = ir.block_of(anchor)?;
        if let Some(reader) = ir.ancestor_in_block(user, block) {
            break reader;
        }
        anchor = ir.block_parent_op(block)?;
    };
    if reader == anchor || ir.is_before_in_block(reader, anchor) {
        return None;
    }
    let moved = with_producers(analysis, anchor, reader)?;
    let is_worth_it =
        passes_nothing_else(ir, anchor, &moved) && needs_no_more(ir, &moved, definition);
    is_worth_it.then_some((anchor, moved))
}

/// A reader and what it needs of the operations from `anchor` on, in order; `None` if it needs what `anchor` makes, or has to
/// stay where it is.
fn with_producers(analysis: &Analysis<'_>, anchor: Op, reader: Op) -> Option<Vec<Op>> {
    let ir = analysis.ir;
    let block = ir.block_of(anchor);
    let mut known: FxHashSet<Op> = FxHashSet::from_iter([reader]);
    let mut all = vec![reader];
    let mut next = 0;
    while let Some(&op) = all.get(next) {
        next += 1;
        if all.len() > MAX_MOVED || op == anchor || !is_movable(analysis, op) {
            return None;
        }
        for inner in ir.walk(op) {
            for &operand in ir.operands(inner) {
                let producer = ir.defining_op(operand);
                let producer = producer.filter(|&producer| ir.block_of(producer) == block);
                if let Some(producer) = producer
                    && !ir.is_before_in_block(producer, anchor)
                    && known.insert(producer)
                {
                    all.push(producer);
                }
            }
        }
    }
    all.sort_by(|&a, &b| match ir.is_before_in_block(a, b) {
        true => std::cmp::Ordering::Less,
        false => std::cmp::Ordering::Greater,
    });
    Some(all)
}

/// Whether an operation has no effects, and would overwrite nothing that others read before it.
fn is_movable(analysis: &Analysis<'_>, op: Op) -> bool {
    let ir = analysis.ir;
    let overwrites = |inner: Op| {
        analysis.consumed(inner).into_iter().any(|(index, _)| {
            let value = ir.operand(inner, index);
            let producer = ir.defining_op(value);
            let is_inside = ir
                .value_block(value)
                .and_then(|block| ir.block_parent_op(block))
                .is_some_and(|parent| ir.is_ancestor(op, parent));
            let is_new = producer.is_some_and(|producer| ir.is(producer, &tensor::EMPTY))
                || ir.uses(value).len() == 1
                    && producer.is_none_or(|producer| !is_view_of(ir, producer, 0));
            !is_inside && !is_new
        })
    };
    ir.is_memory_effect_free(op)
        && !ir.has_trait(op, Traits::TERMINATOR)
        && !ir.has_trait(op, Traits::OWNS_ARENA)
        && !ir.walk(op).any(overwrites)
}

/// Whether nothing that stays between has effects, as the end of the program would be.
fn passes_nothing_else(ir: &Ir, anchor: Op, moved: &[Op]) -> bool {
    let Some(&last) = moved.last() else {
        return false;
    };
    let mut op = anchor;
    for _ in 0..MAX_PASSED {
        if op == last {
            return true;
        }
        if !moved.contains(&op) && !ir.is_memory_effect_free(op) {
            return false;
        }
        let Some(next) = ir.next_op(op) else {
            return false;
        };
        op = next;
    }
    false
}

/// Whether what is made earlier takes no more memory than the copy of `definition` that it saves.
fn needs_no_more(ir: &Ir, moved: &[Op], definition: Value) -> bool {
    let mut results: SmallVec<[Value; 4]> = SmallVec::new();
    for &op in moved {
        let is_read_later = |value: Value| {
            let is_moved = |user| moved.iter().any(|&other| ir.is_ancestor(other, user));
            ir.uses(value).iter().any(|u| !is_moved(u.op))
        };
        let is_view = is_view_of(ir, op, 0);
        let made = ir.results(op).iter().copied();
        results
            .extend(made.filter(|&value| is_tensor(ir, value) && !is_view && is_read_later(value)));
    }
    match results[..] {
        [] => true,
        [only] if ir.value_type(only) == ir.value_type(definition) => true,
        _ => {
            let bytes = results.iter().map(|&value| bytes_of(ir, value));
            let bytes = bytes.sum::<Option<u64>>();
            bytes.is_some_and(|bytes| bytes_of(ir, definition).is_some_and(|all| bytes <= all))
        }
    }
}
