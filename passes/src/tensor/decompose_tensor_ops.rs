//! `decompose-tensor-ops`: operations of tensor that have no code become others that have.
//!
//! Before:
//! ```mlir
//! %0 = tensor.pack %t padding_value(%v : f32) inner_dims_pos = [0] inner_tiles = [4] into %d
//!     : tensor<7xf32> -> tensor<2x4xf32>
//! ```
//! After:
//! ```mlir
//! %e = tensor.empty() : tensor<8xf32>
//! %f = linalg.fill ins(%v : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
//! %p = tensor.insert_slice %t into %f[0] [7] [1] : tensor<7xf32> into tensor<8xf32>
//! %x = tensor.expand_shape %p [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
//! %0 = linalg.generic {...} ins(%x : tensor<2x4xf32>) outs(%d : tensor<2x4xf32>) { ... }
//! ```
//!
//! `tensor.pack` is filled up to whole tiles, split into them and transposed; `tensor.unpack` is transposed, merged, cut to
//! its size and copied to its destination, as upstream's transforms `lower_pack` and `lower_unpack` do, which want known
//! sizes of tiles. Without a padding value, the padding is zero. `tensor.scatter` becomes a loop over positions that
//! inserts a slice each, `tensor.bitcast` an elementwise `arith.bitcast`.

use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::dialects::{arith, cf, scf, tensor};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;

use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::packing::{self, part, transposed, type_of, zeros};
use crate::rewrite::tensors::{self, extract_part, insert_part};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "decompose-tensor-ops",
    summary: "convert tensor.pack, unpack, scatter and bitcast to slices, loops and linalg",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        let replaced = if ir.is(op, &tensor::PACK) || ir.is(op, &tensor::UNPACK) {
            packing::decompose(ir, op)
        } else if ir.is(op, &tensor::SCATTER) {
            scatter(ir, op)
        } else if ir.is(op, &tensor::BITCAST) {
            bitcast(ir, op)
        } else {
            continue;
        };
        if let Some(value) = replaced {
            ir.replace_op(op, &[value]);
            context.count("operations decomposed", 1);
        }
    }
    Ok(())
}

fn scatter(ir: &mut Ir, op: Op) -> Option<Value> {
    let [source, dest, indices] = *ir.operands(op) else {
        return None;
    };
    let dims = ir
        .context()
        .attr_i64_array(ir.attr(op, Name::SCATTER_DIMS)?)?;
    let rank = tensors::shape(ir, dest).len();
    let n_batch = tensors::shape(ir, indices).len().checked_sub(1)?;
    // Whether slices have the dimensions that are indexed.
    let keeps_dims = tensors::shape(ir, source).len() == n_batch + rank;
    let element = tensors::element(ir, source);
    let mut b = Builder::before(ir, op);
    let source_sizes = tensors::sizes(&mut b, source);
    let batch = tensors::sizes(&mut b, indices);
    // Nothing else requires that there is a slice for each position.
    for (dim, (&of_source, &of_indices)) in source_sizes.iter().zip(&batch[..n_batch]).enumerate() {
        if of_source.constant(b.ir).is_none() || of_indices.constant(b.ir).is_none() {
            let [left, right] = [of_source, of_indices].map(|size| size.materialize(&mut b));
            let holds = arith::compare(&mut b, arith::CmpIPredicate::Eq, left, right);
            let message = format!(
                "dimension #{dim} of operand #0 of 'tensor.scatter' is incompatible with dimension #{dim} of operand #2"
            );
            let message = b.context().string_attr(&message);
            let spec = b.spec(&cf::ASSERT).operands(&[holds]);
            b.create(spec.attr(Name::MSG, message));
        }
    }
    let is_indexed = |dim: usize| dims.contains(&(dim as i64));
    // The slice in the source and in the destination, and the sizes that it has for itself in both.
    let mut in_dest = tensors::sizes(&mut b, dest);
    let (mut source_kept, mut dest_kept) = (Vec::new(), Vec::new());
    let mut next = n_batch;
    for (dim, size) in in_dest.iter_mut().enumerate() {
        match is_indexed(dim) {
            true => *size = MixedIndex::Constant(1),
            false => {
                source_kept.push(source_sizes[next]);
                dest_kept.push(*size);
            }
        }
        next += usize::from(keeps_dims || !is_indexed(dim));
    }
    let zero = arith::constant_index(&mut b, 0);
    let one = arith::constant_index(&mut b, 1);
    let (mut counters, mut loops, mut target) = (Vec::new(), Vec::new(), dest);
    for &size in &batch[..n_batch] {
        let end = size.materialize(&mut b);
        let op = scf::build_for(&mut b, zero, end, one, &[target]);
        let body = b.ir.entry_block(b.ir.region(op, 0))?;
        counters.push(b.ir.block_args(body)[0]);
        target = b.ir.block_args(body)[1];
        b.set_to_end(body);
        loops.push(op);
    }
    let mut to = zeros(rank);
    for (at, &dim) in dims.iter().enumerate() {
        let at = arith::constant_index(&mut b, at as i64);
        let place = [&counters[..], &[at]].concat();
        let index = tensors::extract(&mut b, indices, &place);
        let index = match b.ir.value_type(index) == Type::INDEX {
            true => index,
            false => b.value(&arith::INDEX_CAST, &[index], Type::INDEX),
        };
        to[usize::try_from(dim).ok()?] = MixedIndex::Value(index);
    }
    let mut from: Vec<MixedIndex> = counters.iter().map(|&v| MixedIndex::Value(v)).collect();
    let mut from_sizes = vec![MixedIndex::Constant(1); n_batch];
    from.resize(source_sizes.len(), MixedIndex::Constant(0));
    from_sizes.extend(&source_sizes[n_batch..]);
    let ty = type_of(b.ir.context(), &source_kept, element);
    let slice = extract_part(&mut b, source, &part(from, from_sizes), ty);
    // What a structured operation requires of sizes is checked.
    let place = part(to, in_dest);
    let ty = type_of(b.ir.context(), &dest_kept, element);
    let before = extract_part(&mut b, target, &place, ty);
    let dims: Vec<usize> = (0..dest_kept.len()).collect();
    let after = transposed(&mut b, slice, &dims, before);
    let mut result = insert_part(&mut b, after, target, &place);
    for &op in loops.iter().rev() {
        scf::build_yield(&mut b, &[result]);
        result = b.ir.result(op, 0);
        b.set_after(op);
    }
    Some(result)
}

fn bitcast(ir: &mut Ir, op: Op) -> Option<Value> {
    let (source, ty) = (
        tensor::Bitcast(op).source(ir),
        ir.value_type(ir.result(op, 0)),
    );
    let context = std::sync::Arc::clone(ir.context());
    let shape = context.shape(ty)?.to_vec();
    let (from, to) = (
        tensors::element(ir, source),
        context.element_type_or_self(ty),
    );
    let is_plain = |ty| tensors::signless(&context, ty) == ty;
    if !is_plain(from) || !is_plain(to) || context.shape(ir.value_type(source)).is_none() {
        return None;
    }
    let mut b = Builder::before(ir, op);
    let same = tensors::tensor_type(&context, &shape, from);
    let source = match b.ir.value_type(source) == same {
        true => source,
        false => b.value(&tensor::CAST, &[source], same),
    };
    Some(tensors::elementwise(
        &mut b,
        &[source],
        ty,
        &mut |b, elements| b.value(&arith::BITCAST, &[elements[0]], to),
    ))
}
