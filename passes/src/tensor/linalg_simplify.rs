//! `linalg-simplify`: removes unused parts of structured operations on tensors.
//!
//! Before, what importers of models leave:
//! ```mlir
//! %w1 = linalg.generic {...} ins(%w : tensor<8x4xf32>) outs(%e : tensor<1x8x4xf32>) { yields %in }
//! %zero = linalg.fill ins(%c0 : f32) outs(%empty : tensor<4x4xf32>)
//! %p = linalg.matmul ins(%a, %b ...) outs(%zero ...)
//! %q = linalg.matmul ins(%c, %d ...) outs(%zero ...)
//! ```
//! After:
//! ```mlir
//! %w1 = tensor.expand_shape %w [[0, 1], [2]] output_shape [1, 8, 4] : ...
//! %zero = linalg.fill ins(%c0 : f32) outs(%empty : tensor<4x4xf32>)
//! %p = linalg.matmul ins(%a, %b ...) outs(%zero ...)
//! %zero2 = linalg.fill ins(%c0 : f32) outs(%empty2 : tensor<4x4xf32>)
//! %q = linalg.matmul ins(%c, %d ...) outs(%zero2 ...)
//! ```
//!
//! - Unused operations on tensors go.
//! - Unused results of a `linalg.generic` go, with all that only they need: the place of the
//!   largest element next to the element itself.
//! - Copies go, and become reshapes where they add dimensions of size 1. So do transpositions that move those alone.
//! - An element of a slice of one element is read where the slice is taken. What overwrites the tensor between the two
//!   need not copy it then. An element of what `linalg.fill` made is the number.
//! - An element is read of the tensor that was reshaped by dimensions of size 1 or inserted into another one.
//! - A tensor that `linalg.fill` made is made again for each further operation that writes to it:
//!   one that others still need would have to be copied. It is made where it is used first, so that its memory
//!   is not there while other operands are made.

use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::memref::{MixedIndex, OffsetSizeStride};
use freehold_frontend::dialects::tensor::reshapes;
use freehold_frontend::dialects::{arith, linalg, tensor};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Use, Value};
use freehold_frontend::ir::types::DYNAMIC;

use super::moved::{self, Subscript};
use super::results::{is_on_tensors, remove_unused_results};
use crate::analysis::dead_code::ReasonsToKeep;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::structured::Copied;
use crate::rewrite::tensors;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "linalg-simplify",
    summary: "remove unused results, copies and shared fills of structured operations on tensors",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        if ir.is(op, &tensor::EXTRACT) {
            let n = u64::from(read_early(ir, op).is_some() || read_part(ir, op).is_some());
            context.count("elements read early", n);
        }
    }
    // Users first: what they no longer need, others need not make.
    let mut reasons = ReasonsToKeep::default();
    for op in ir.collect_ops(ir.root()).into_iter().rev() {
        if ir.is_erased(op) || !is_on_tensors(ir, op) {
            continue;
        }
        if ir.is_unused(op) && reasons.would_be_trivially_dead(ir, op) {
            ir.erase_op(op);
            context.count("unused operations removed", 1);
            continue;
        }
        if ir.is(op, &linalg::GENERIC) {
            context.count("results removed", remove_unused_results(ir, op));
            context.count("copies removed", u64::from(remove_copy(ir, op).is_some()));
            if !ir.is_erased(op) {
                let n = u64::from(reshape_transpose(ir, op).is_some());
                context.count("transposes reshaped", n);
            }
        } else if ir.is(op, &linalg::TRANSPOSE) {
            let n = u64::from(reshape_transpose(ir, op).is_some());
            context.count("transposes reshaped", n);
        } else if ir.is(op, &linalg::FILL) {
            context.count("fills repeated", repeat_fill(ir, op));
            if !ir.is_erased(op) {
                sink_fill(ir, op);
            }
        }
    }
    Ok(())
}

/// Limit for the reshapes between a slice of one element and where that is read; `index` of NumPy makes two.
const MAX_RESHAPES: usize = 4;

/// Replaces a `tensor.extract` from a slice of one element, maybe reshaped, by one in front of the slice, and that from
/// a filled tensor by the number.
fn read_early(ir: &mut Ir, extract: Op) -> Option<()> {
    let mut source = ir.operand(extract, 0);
    for _ in 0..MAX_RESHAPES {
        let made_by = ir.defining_op(source)?;
        if ir.is(made_by, &linalg::FILL) {
            let &number = interface::inputs(ir, made_by).first()?;
            // Conversions are the body's.
            if ir.value_type(number) != ir.value_type(ir.result(extract, 0)) {
                return None;
            }
            ir.replace_op(extract, &[number]);
            return Some(());
        }
        if interface::shape(ir, source).iter().any(|&size| size != 1) {
            return None;
        }
        if ir.is(made_by, &tensor::EXTRACT_SLICE) {
            let slice = OffsetSizeStride::of(ir, made_by)?;
            let tensor = ir.operand(made_by, 0);
            let mut builder = Builder::before(ir, made_by);
            let mut indices = Vec::new();
            for offset in slice.offsets {
                indices.push(offset.materialize(&mut builder));
            }
            let element = tensors::extract(&mut builder, tensor, &indices);
            ir.replace_op(extract, &[element]);
            return Some(());
        }
        if !ir.is(made_by, &tensor::COLLAPSE_SHAPE) && !ir.is(made_by, &tensor::EXPAND_SHAPE) {
            return None;
        }
        source = ir.operand(made_by, 0);
    }
    None
}

/// Replaces a `tensor.extract` from a tensor that another one was inserted into, or that has other dimensions of size 1 than
/// another one, by one from that, unless a user needs all of it.
fn read_part(ir: &mut Ir, extract: Op) -> Option<()> {
    let mut tensor = ir.operand(extract, 0);
    let indices = ir.operands(extract)[1..].iter();
    let mut subscripts: Vec<_> = indices
        .map(|&index| match arith::as_constant_index(ir, index) {
            Some(at) => Subscript::Known(at),
            None => Subscript::Other(index),
        })
        .collect();
    let mut uses = ir.uses(tensor).iter();
    if !uses.all(|user| ir.is(user.op, &tensor::EXTRACT)) {
        return None;
    }
    let mut is_changed = false;
    for _ in 0..MAX_RESHAPES {
        let next = moved::slice_read(ir, tensor, &subscripts)
            .or_else(|| moved::reshaped(ir, tensor, &subscripts));
        let Some(next) = next else {
            break;
        };
        (tensor, subscripts) = next;
        is_changed = true;
    }
    if !is_changed {
        return None;
    }
    let mut builder = Builder::before(ir, extract);
    let indices: Vec<Value> = (subscripts.into_iter())
        .map(|subscript| match subscript {
            Subscript::Known(at) => arith::constant_index(&mut builder, at),
            Subscript::Other(index) => index,
        })
        .collect();
    let element = tensors::extract(&mut builder, tensor, &indices);
    ir.replace_op(extract, &[element]);
    Some(())
}

/// Replaces an operation that yields its only input, where that is the same tensor but for dimensions of
/// size 1.
fn remove_copy(ir: &mut Ir, op: Op) -> Option<()> {
    let Copied {
        input,
        output,
        read,
        written,
    } = Copied::of(ir, op)?;
    let (from, to) = (interface::shape(ir, input), interface::shape(ir, output));
    let is_static = from.iter().chain(to).all(|&size| size != DYNAMIC);
    if !is_static || !written.is_identity() || read.results.len() != from.len() {
        return None;
    }
    if ir.value_type(input) == ir.value_type(output) && read.is_identity() {
        ir.replace_op(op, &[input]);
        return Some(());
    }
    let groups = groups(&read.results, from, to)?;
    let sizes: Vec<MixedIndex> = to.iter().map(|&size| size.into()).collect();
    let ty = ir.value_type(ir.result(op, 0));
    let mut builder = Builder::before(ir, op);
    let expanded = reshapes::expand_shape(&mut builder, input, &groups, &sizes, ty);
    ir.replace_op(op, &[expanded]);
    Some(())
}

/// Replaces a transposition that leaves the order of elements as it is, since it moves dimensions of size 1 alone.
fn reshape_transpose(ir: &mut Ir, op: Op) -> Option<()> {
    let Copied {
        input,
        output,
        read,
        written,
    } = Copied::of(ir, op)?;
    let (from, to) = (
        interface::shape(ir, input).to_vec(),
        interface::shape(ir, output).to_vec(),
    );
    let is_static = from.iter().chain(&to).all(|&size| size != DYNAMIC);
    if !is_static || !read.is_permutation() || !written.is_permutation() {
        return None;
    }
    let long = |map: &AffineMap, sizes: &[i64]| -> Vec<AffineExpr> {
        let long = map
            .results
            .iter()
            .zip(sizes)
            .filter(|&(_, &size)| size != 1);
        long.map(|(counter, _)| counter.clone()).collect()
    };
    let order = long(&read, &from);
    if order.is_empty() || order != long(&written, &to) {
        return None;
    }
    let sizes: Vec<i64> = from.iter().copied().filter(|&size| size != 1).collect();
    let element = interface::element_type(ir, input);
    let ty = ir.value_type(ir.result(op, 0));
    let mut builder = Builder::before(ir, op);
    let mut value = input;
    if sizes.len() != from.len() {
        let flat = tensors::tensor_type(&builder.context(), &sizes, element);
        value = reshapes::collapse_shape(&mut builder, value, &around_long(&from), flat);
    }
    if sizes.len() != to.len() {
        let to_sizes: Vec<MixedIndex> = to.iter().map(|&size| size.into()).collect();
        let groups = around_long(&to);
        value = reshapes::expand_shape(&mut builder, value, &groups, &to_sizes, ty);
    }
    (builder.ir.value_type(value) == ty).then(|| ir.replace_op(op, &[value]))
}

/// A group for each dimension of a size other than 1, with those of size 1 behind it (of the first one: also before it).
fn around_long(sizes: &[i64]) -> Vec<Vec<i64>> {
    let mut groups: Vec<Vec<i64>> = Vec::new();
    let mut waiting = Vec::new();
    for (dim, &size) in sizes.iter().enumerate() {
        match groups.last_mut() {
            Some(group) if size == 1 => group.push(dim as i64),
            None if size == 1 => waiting.push(dim as i64),
            _ => {
                let mut group = std::mem::take(&mut waiting);
                group.push(dim as i64);
                groups.push(group);
            }
        }
    }
    groups
}

/// Which dimensions of the copy each dimension of the original becomes: itself, and those of size 1 behind
/// it (of the first one: also before it).
fn groups(read: &[AffineExpr], from: &[i64], to: &[i64]) -> Option<Vec<Vec<i64>>> {
    let mut groups = Vec::new();
    let mut next = 0;
    for (i, subscript) in read.iter().enumerate() {
        let AffineExpr::Dim(dim) = *subscript else {
            return None;
        };
        let dim = dim as usize;
        // Skipped dimensions belong to the one before, if there is one.
        if dim < next || to[next..dim].iter().any(|&size| size != 1) || to[dim] != from[i] {
            return None;
        }
        let skipped = next as i64..dim as i64;
        match groups.last_mut() {
            Some(group) => Vec::extend(group, skipped),
            None => groups.push(skipped.collect()),
        }
        if i > 0 {
            groups.push(Vec::new());
        }
        groups.last_mut()?.push(dim as i64);
        next = dim + 1;
    }
    if to[next..].iter().any(|&size| size != 1) {
        return None;
    }
    if let Some(group) = groups.last_mut() {
        group.extend(next as i64..to.len() as i64);
    }
    Some(groups)
}

/// Makes the tensor again for operations that write to it but the first one; returns how often.
fn repeat_fill(ir: &mut Ir, op: Op) -> u64 {
    let &[output] = interface::outputs(ir, op) else {
        return 0;
    };
    let Some(empty) = ir.defined_by(output, &tensor::EMPTY) else {
        return 0;
    };
    let filled: Value = ir.result(op, 0);
    let writes = |user: &&Use| {
        linalg::is_structured(ir, user.op)
            && user.index as usize >= interface::n_inputs(ir, user.op)
    };
    let uses = ir.uses(filled);
    let n_others = uses.iter().filter(|user| !writes(user)).count();
    let mut users: Vec<Use> = uses.iter().filter(writes).copied().collect();
    // Uses are in no order; one writer in this block may keep it, if it is the only reader.
    users.sort_by_key(|user| (user.op, user.index));
    let keeps = |user: &Use| ir.block_of(user.op) == ir.block_of(op);
    if n_others == 0
        && let Some(first) = users.iter().position(keeps)
    {
        users.remove(first);
    }
    let n_repeated = users.len() as u64;
    for user in users {
        let mut map = IrMap::default();
        for original in [empty, op] {
            let copy = ir.clone_op(original, &mut map);
            ir.insert_op_before(user.op, copy);
        }
        ir.set_operand(user.op, user.index as usize, map.value(filled));
    }
    if ir.is_unused(op) {
        ir.erase_op(op);
    }
    n_repeated
}

/// Moves an operation that fills an empty tensor to its first user.
fn sink_fill(ir: &mut Ir, op: Op) {
    let (Some(block), &[output]) = (ir.block_of(op), interface::outputs(ir, op)) else {
        return;
    };
    let Some(empty) = ir.defined_by(output, &tensor::EMPTY) else {
        return;
    };
    let users = ir.uses(ir.result(op, 0)).iter();
    let first = users
        .map(|user| ir.ancestor_in_block(user.op, block))
        .reduce(|a, b| match ir.is_before_in_block(a?, b?) {
            true => a,
            false => b,
        });
    let Some(Some(first)) = first else {
        return;
    };
    ir.move_op_before(op, first);
    if ir.uses(output).len() == 1 && ir.block_of(empty) == Some(block) {
        ir.move_op_before(empty, op);
    }
}
