//! `eliminate-empty-tensors`: tensors that are inserted into others are computed in place.
//!
//! Before:
//! ```mlir
//! %e = tensor.empty() : tensor<8xf32>
//! %f = linalg.fill ins(%v : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
//! %r = tensor.insert_slice %f into %t[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
//! ```
//! After:
//! ```mlir
//! %s = tensor.extract_slice %t[%i, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
//! %f = linalg.fill ins(%v : f32) outs(%s : tensor<8xf32>) -> tensor<8xf32>
//! %r = tensor.insert_slice %f into %t[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
//! ```
//! The same with `bufferization.materialize_in_destination`, whose destination may be memory.
//! `one-shot-bufferize` then writes to that part of the tensor, and copies nothing.
//!
//! The elements of an empty tensor are any, so they may be those of the slice. As upstream, the slice is taken only
//! where the tensor and the place are there already. With `sink-producers`, what computes the inserted tensor goes to where
//! they are (`sink_producers`), or the place is computed earlier (`raise_places`). It is not taken either if the tensor is
//! used in between: the slice would have to be copied then.

use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::memref::OffsetSizeStride;
use freehold_frontend::dialects::{bufferization, tensor};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Use, Value, ValueDef};
use freehold_frontend::ir::names::Name;

use super::raise_places::raise_place;
use super::sink_producers::sink_producers;
use crate::analysis::travels::base_of;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// move what computes a long part of a tensor to where it is inserted
        "sink-producers" sink_producers: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "eliminate-empty-tensors",
    summary: "compute inserted tensors in place",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        if ir.is_erased(op) {
            continue;
        }
        let is_slice = ir.is(op, &tensor::INSERT_SLICE);
        if is_slice && context.options.sink_producers {
            sink_producers(ir, op);
            raise_place(ir, op);
        }
        if (is_slice || ir.is(op, &bufferization::MATERIALIZE_IN_DESTINATION))
            && let Some((first, index)) = first_of_chain(ir, op)
        {
            if is_slice {
                take_slice(ir, op, first, index);
            } else if !take_destination(ir, op, first, index) {
                continue;
            }
            context.count("empty tensors eliminated", 1);
        }
    }
    Ok(())
}

/// The operation of this block that writes into an empty tensor what later ones change until it is `value`, and its
/// operand that is the empty tensor.
pub(super) fn writer_of_empty(ir: &Ir, block: Block, mut value: Value) -> Option<(Op, usize)> {
    loop {
        let ValueDef::Result(op, result) = ir.value_def(value) else {
            return None;
        };
        if ir.block_of(op) != Some(block) || !interface::is_structured(ir, op) {
            return None;
        }
        let index = interface::n_inputs(ir, op) + result as usize;
        value = ir.operand(op, index);
        if ir.defined_by(value, &tensor::EMPTY).is_some() {
            return Some((op, index));
        }
    }
}

/// The operation that writes into an empty tensor what `insert` puts in its place, if that may be the place at once.
fn first_of_chain(ir: &Ir, insert: Op) -> Option<(Op, usize)> {
    let block = ir.block_of(insert)?;
    let (first, index) = writer_of_empty(ir, block, ir.operand(insert, 0))?;
    let is_there = |&operand: &_| match ir.value_def(operand) {
        ValueDef::Result(op, _) if ir.block_of(op) == Some(block) => {
            ir.is_before_in_block(op, first)
        }
        _ => true,
    };
    let whole = ir.operand(insert, 1);
    let is_apart = |user: &Use| {
        let Some(user) = ir.ancestor_in_block(user.op, block) else {
            return true;
        };
        user == insert || ir.is_before_in_block(user, first) || ir.is_before_in_block(insert, user)
    };
    let is_right = ir.operands(insert)[1..].iter().all(is_there)
        && ir.uses(whole).iter().all(is_apart)
        && ir.value_type(ir.operand(first, index)) == ir.value_type(ir.operand(insert, 0));
    is_right.then_some((first, index))
}

/// Has `first` write to the destination of `materialize`; returns whether it may. Memory is written earlier then than the
/// program says, so nothing in between may have an effect, and no tensor may be read from that memory.
fn take_destination(ir: &mut Ir, materialize: Op, first: Op, index: usize) -> bool {
    let view = bufferization::MaterializeInDestination(materialize);
    let target = view.target(ir);
    if !ir.is_memref(target) {
        if ir.value_type(target) != ir.value_type(ir.operand(first, index)) {
            return false;
        }
        set_destination(ir, first, index, target);
        return true;
    }
    let between = std::iter::successors(Some(first), |&op| ir.next_op(op));
    let mut between = between.take_while(|&op| op != materialize);
    let base = base_of(ir, target);
    let mut tensors = ir
        .walk(ir.root())
        .filter(|&op| ir.is(op, &bufferization::TO_TENSOR));
    let ty = ir.value_type(ir.operand(first, index));
    let fits = ir.context().tensor_type_of(ir.value_type(target)) == Some(ty);
    if !fits
        || !ir.has_attr(materialize, Name::RESTRICT)
        || !between.all(|op| ir.is_memory_effect_free(op))
        || tensors.any(|op| base_of(ir, ir.operand(op, 0)) == base)
    {
        return false;
    }
    let mut builder = Builder::before(ir, first);
    let spec = builder
        .spec(&bufferization::TO_TENSOR)
        .operands(&[target])
        .results(&[ty])
        .attr(Name::RESTRICT, Attr::UNIT)
        .attr(Name::WRITABLE, Attr::UNIT);
    let tensor = builder.create(spec);
    let tensor = ir.result(tensor, 0);
    set_destination(ir, first, index, tensor);
    true
}

/// Has `first` write to `tensor` in place of an empty one.
fn set_destination(ir: &mut Ir, first: Op, index: usize, tensor: Value) {
    let empty = ir.operand(first, index);
    ir.set_operand(first, index, tensor);
    if let Some(empty) = ir.defined_by(empty, &tensor::EMPTY)
        && ir.is_unused(empty)
    {
        ir.erase_op(empty);
    }
}

/// Has `first` write to the place where `insert` puts what comes of that.
fn take_slice(ir: &mut Ir, insert: Op, first: Op, index: usize) {
    let Some(place) = OffsetSizeStride::of(ir, insert) else {
        return;
    };
    let empty = ir.operand(first, index);
    let (whole, ty) = (ir.operand(insert, 1), ir.value_type(empty));
    let context = ir.context().clone();
    let mut builder = Builder::before(ir, first);
    let spec = builder
        .spec(&tensor::EXTRACT_SLICE)
        .operands(&[whole])
        .results(&[ty]);
    let slice = builder.create(place.append_to(&context, spec));
    let slice = ir.result(slice, 0);
    set_destination(ir, first, index, slice);
}
