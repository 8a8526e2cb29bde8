//! What computes a tensor that is inserted into another goes to where that is done, so that it may be computed in place.
//!
//! Before:
//! ```mlir
//! %f = linalg.fill ins(%v : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
//! ...
//! %t = tensor.empty() : tensor<4x8xf32>
//! %x = tensor.expand_shape %f [[0, 1]] output_shape [1, 8] : tensor<8xf32> into tensor<1x8xf32>
//! %r = tensor.insert_slice %x into %t[0, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<4x8xf32>
//! ```
//! After:
//! ```mlir
//! ...
//! %t = tensor.empty() : tensor<4x8xf32>
//! %f = linalg.fill ins(%v : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
//! %r = tensor.insert_slice %f into %t[0, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
//! ```
//! Nothing that the producers read may be overwritten in between, and what is kept longer for them takes no more memory
//! than the tensor that is not made by itself.

use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::memref::{MixedIndex, OffsetSizeStride};
use freehold_frontend::dialects::tensor;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Use, Value, ValueDef};
use freehold_frontend::ir::op_def::Traits;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::analysis::tensor_reads::{MAX_USES, is_view, only_reads};
use crate::rewrite::tensors::bytes_of;

/// Operations that are moved together: bounds compile time.
pub(super) const MAX_MOVED: usize = 16;

/// Rows with fewer elements stay: their loops would store one by one. Not measured on its own; `quaternions`
/// (benches/models) has rows of 2,048, `stack_channels` single elements.
const MIN_ROW: i64 = 16;

/// Moves the producers of what `insert`, a `tensor.insert_slice`, puts into another tensor to before it, if that makes the
/// tensor be computed in place.
pub(super) fn sink_producers(ir: &mut Ir, insert: Op) {
    let expand = unit_expansion(ir, insert);
    let inserted = ir.operand(expand.unwrap_or(insert), 0);
    let Some(producers) = producers_of(ir, insert, inserted) else {
        return;
    };
    if !has_long_rows(ir, insert) || !may_sink(ir, insert, &producers, inserted) {
        return;
    }
    drop_expansion(ir, insert, expand);
    // Last ones first: each goes before the one that it was followed by.
    let mut anchor = insert;
    for producer in producers {
        ir.move_op_before(producer, anchor);
        anchor = producer;
    }
}

/// Whether all that is done with what an operation computes is that it becomes a part of another tensor, in long rows.
pub(super) fn is_for_insertion(ir: &Ir, op: Op) -> bool {
    let [result] = ir.results(op)[..] else {
        return false;
    };
    let only_user = |value| match ir.uses(value) {
        [user] if user.index == 0 => Some(user.op),
        _ => None,
    };
    let user = only_user(result).and_then(|user| match ir.is(user, &tensor::EXPAND_SHAPE) {
        true => only_user(ir.result(user, 0)),
        false => Some(user),
    });
    user.is_some_and(|user| ir.is(user, &tensor::INSERT_SLICE) && has_long_rows(ir, user))
}

/// What gives the inserted tensor dimensions of one element, which the insertion can do by itself.
pub(super) fn unit_expansion(ir: &Ir, insert: Op) -> Option<Op> {
    let inserted = ir.operand(insert, 0);
    let expand = ir.defined_by(inserted, &tensor::EXPAND_SHAPE)?;
    let shape = |value| ir.context().shape(ir.value_type(value));
    let long = |value| Some(shape(value)?.iter().copied().filter(|&size| size != 1));
    let is_only = ir.uses(inserted).len() == 1;
    let whole = OffsetSizeStride::of(ir, insert)?;
    let is_as_inserted = whole.sizes.len() == shape(inserted)?.len();
    (is_only && is_as_inserted && long(inserted)?.eq(long(ir.operand(expand, 0))?))
        .then_some(expand)
}

/// Has `insert` insert what `expand` gave dimensions of one element.
pub(super) fn drop_expansion(ir: &mut Ir, insert: Op, expand: Option<Op>) {
    if let Some(expand) = expand {
        let inserted = ir.operand(expand, 0);
        ir.set_operand(insert, 0, inserted);
        ir.erase_op(expand);
    }
}

/// The structured operations of the block that compute a tensor, the last one first, from the one on that writes into an
/// empty one; each result is the destination of the next one only.
fn producers_of(ir: &Ir, insert: Op, inserted: Value) -> Option<SmallVec<[Op; 4]>> {
    let mut producers = SmallVec::new();
    let mut value = inserted;
    while producers.len() <= MAX_MOVED {
        let ValueDef::Result(op, result) = ir.value_def(value) else {
            return None;
        };
        let is_producer = ir.block_of(op) == ir.block_of(insert)
            && interface::is_structured(ir, op)
            && ir.results(op).len() == 1
            && ir.uses(value).len() == 1
            && ir.is_memory_effect_free(op);
        if !is_producer {
            return None;
        }
        producers.push(op);
        value = ir.operand(op, interface::n_inputs(ir, op) + result as usize);
        if ir.defined_by(value, &tensor::EMPTY).is_some() {
            return Some(producers);
        }
    }
    None
}

/// Whether the last dimension of the part has many elements next to each other.
pub(super) fn has_long_rows(ir: &Ir, insert: Op) -> bool {
    let Some(place) = OffsetSizeStride::of(ir, insert) else {
        return false;
    };
    place.strides.last() == Some(&MixedIndex::Constant(1))
        && matches!(place.sizes.last(), Some(&MixedIndex::Constant(MIN_ROW..)))
}

fn may_sink(ir: &Ir, insert: Op, producers: &[Op], inserted: Value) -> bool {
    let Some(&first) = producers.last() else {
        return false;
    };
    let mut kept = 0;
    let mut known: FxHashSet<Value> = FxHashSet::default();
    for &producer in producers {
        let inputs = ir.operands(producer)[..interface::n_inputs(ir, producer)].iter();
        // Bodies may read elements of tensors that are no operands.
        let inside = ir.walk(producer).skip(1);
        let extracts = inside.filter(|&op| ir.is(op, &tensor::EXTRACT));
        for input in inputs.copied().chain(extracts.map(|op| ir.operand(op, 0))) {
            let owner = owner_of(ir, input);
            if ir.context().shape(ir.value_type(owner)).is_none() || !known.insert(owner) {
                continue;
            }
            match longer(ir, owner, first, insert, producers) {
                Some(bytes) => kept += bytes,
                None => return false,
            }
        }
    }
    kept == 0 || bytes_of(ir, inserted).is_some_and(|bytes| kept <= bytes)
}

fn owner_of(ir: &Ir, mut value: Value) -> Value {
    while let Some(op) = ir.defining_op(value)
        && is_view(ir, op)
    {
        value = ir.operand(op, 0);
    }
    value
}

/// The bytes of a tensor that is read by `producers` until `insert`, and not after that; `None` if that is not known, or
/// something may overwrite it between `first` and `insert`.
fn longer(ir: &Ir, owner: Value, first: Op, insert: Op, producers: &[Op]) -> Option<u64> {
    let block = ir.block_of(insert)?;
    let mut is_read_later = false;
    let mut n_uses = 0;
    let mut pending: SmallVec<[Value; 8]> = SmallVec::from_slice(&[owner]);
    while let Some(value) = pending.pop() {
        for &Use { op: user, index } in ir.uses(value) {
            n_uses += 1;
            if n_uses > ir.capped(MAX_USES) {
                return None;
            }
            if is_view(ir, user) {
                pending.extend(ir.results(user).iter().copied());
            }
            let Some(at) = ir.ancestor_in_block(user, block) else {
                continue;
            };
            if producers.contains(&at) || at == insert || ir.is_before_in_block(at, first) {
                continue;
            }
            if ir.is_before_in_block(insert, at) {
                is_read_later = true;
                continue;
            }
            if at != user || !only_reads(ir, Use { op: user, index }) {
                return None;
            }
        }
    }
    let made_here = ir
        .defining_op(owner)
        .filter(|&op| ir.block_of(op) == Some(block));
    let is_freed = made_here.is_some_and(|op| !ir.has_trait(op, Traits::CONSTANT_LIKE));
    match is_freed && !is_read_later {
        true => bytes_of(ir, owner),
        false => Some(0),
    }
}
