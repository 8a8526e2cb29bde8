//! `loop-invariant-subset-hoisting`: a part of a tensor that every iteration takes out and puts back is carried by itself.
//!
//! Before:
//! ```mlir
//! %r = scf.for %i = %lb to %ub step %c1 iter_args(%t = %a) -> (tensor<9xf32>) {
//!   %s = tensor.extract_slice %t[0] [5] [1] : tensor<9xf32> to tensor<5xf32>
//!   %u = linalg.exp ins(%s : tensor<5xf32>) outs(%s : tensor<5xf32>) -> tensor<5xf32>
//!   %v = tensor.insert_slice %u into %t[0] [5] [1] : tensor<5xf32> into tensor<9xf32>
//!   scf.yield %v : tensor<9xf32>
//! }
//! ```
//! After:
//! ```mlir
//! %s = tensor.extract_slice %a[0] [5] [1] : tensor<9xf32> to tensor<5xf32>
//! %r:2 = scf.for %i = %lb to %ub step %c1 iter_args(%t = %a, %c = %s) -> (tensor<9xf32>, tensor<5xf32>) {
//!   %u = linalg.exp ins(%c : tensor<5xf32>) outs(%c : tensor<5xf32>) -> tensor<5xf32>
//!   scf.yield %t, %u : tensor<9xf32>, tensor<5xf32>
//! }
//! %v = tensor.insert_slice %r#1 into %r#0[0] [5] [1] : tensor<5xf32> into tensor<9xf32>
//! ```
//!
//! Soundness: the tensor that the loop carries is used by nothing but operations on parts of it, which are known not to
//! overlap the one that leaves, and by the yield. Unlike upstream, a part leaves a loop that may run not even once only if it
//! lies in the tensor for certain, and vectors only where they are in bounds: beyond the bounds a read sees the padding in
//! each iteration, not what the iteration before wrote there.

use freehold_frontend::dialects::memref::{MixedIndex, OffsetSizeStride};
use freehold_frontend::dialects::{arith, scf, tensor, vector};
use freehold_frontend::ir::constraints::is_tensor;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};

use crate::analysis::speculation::may_run_anywhere;
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "loop-invariant-subset-hoisting",
    summary: "carry parts of tensors by themselves that loops take out and put back",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    // Inner before outer.
    for op in ir.collect_ops(ir.root()).into_iter().rev() {
        if !ir.is(op, &scf::FOR) {
            continue;
        }
        let mut index = 0;
        while index < scf::For(op).iter_args(ir).len() {
            // One that leaves may let another one leave; what is carried then comes last.
            while let Some((extraction, insertion)) = find_pair(ir, op, index) {
                hoist(ir, op, index, extraction, insertion);
                context.count("parts hoisted", 1);
            }
            index += 1;
        }
    }
    Ok(())
}

/// A part of a tensor.
#[derive(PartialEq)]
struct Part {
    is_vector: bool,
    /// First element and number of elements per dimension, and the distance between them.
    dims: Vec<(MixedIndex, MixedIndex, MixedIndex)>,
}

/// What an operation does with a part of a tensor.
struct Access {
    op: Op,
    /// The subset that is extracted or inserted.
    value: Value,
    is_insertion: bool,
    /// `None` if it is unknown.
    part: Option<Part>,
}

/// An extraction and a later insertion of the same part of carried tensor `index`, which no other access overlaps.
fn find_pair(ir: &Ir, op: Op, index: usize) -> Option<(Op, Op)> {
    let accesses = accesses(ir, op, index)?;
    let body = ir.region(op, 0);
    let is_outside = |value: &Value| {
        let block = ir.value_block(*value);
        block.is_none_or(|block| ir.ancestor_block_in_region(block, body).is_none())
    };
    // Subscripts, sizes and padding, numbers too: they leave with the part.
    let is_invariant = |op: Op, first: usize| ir.operands(op)[first..].iter().all(is_outside);
    let bounds = [0, 1].map(|index| arith::as_constant_index(ir, ir.operand(op, index)));
    let certainly_runs = matches!(bounds, [Some(lower), Some(upper)] if lower < upper);
    accesses.iter().enumerate().find_map(|(at, extraction)| {
        let part = extraction.part.as_ref()?;
        if extraction.is_insertion
            || !is_invariant(extraction.op, 1)
            || !certainly_runs && !may_run_anywhere(ir, extraction.op)
        {
            return None;
        }
        let (found, insertion) = accesses
            .iter()
            .enumerate()
            .skip(at + 1)
            .find(|(_, access)| {
                access.is_insertion
                    && access.part.as_ref() == Some(part)
                    && is_invariant(access.op, 2)
                    && ir.value_type(access.value) == ir.value_type(extraction.value)
            })?;
        let mut others = accesses.iter().enumerate();
        let is_apart = others.all(|(other, access)| {
            other == at
                || other == found
                || access.part.as_ref().is_some_and(|p| apart(ir, p, part))
        });
        is_apart.then_some((extraction.op, insertion.op))
    })
}

/// All accesses to parts of carried tensor `index` in the order of the tensors; `None` if anything else uses these, or it
/// is no tensor.
fn accesses(ir: &Ir, op: Op, index: usize) -> Option<Vec<Access>> {
    let view = scf::For(op);
    let (body, end) = (view.body(ir), view.yield_op(ir));
    let mut value = *view.iter_args(ir).get(index)?;
    if !is_tensor(ir.context(), ir.value_type(value)) {
        return None;
    }
    let mut accesses = Vec::new();
    loop {
        // Who makes the next tensor, as which result.
        let mut next: Option<(Op, usize)> = None;
        for u in ir.uses(value) {
            let at = u.index as usize;
            if u.op == end {
                if at != index || next.replace((end, 0)).is_some() {
                    return None;
                }
                continue;
            }
            if ir.block_of(u.op) != Some(body) {
                return None;
            }
            if let Some(result) = passed_through(ir, u.op, at) {
                if next.replace((u.op, result)).is_some() {
                    return None;
                }
                continue;
            }
            let access = access(ir, u.op, at)?;
            if access.is_insertion && next.replace((u.op, 0)).is_some() {
                return None;
            }
            accesses.push(access);
        }
        // Extractions come before the insertion that makes the next tensor, wherever they stand.
        let (next, result) = next?;
        let at = accesses.iter().position(|access| access.op == next);
        if let Some(at) = at {
            let insertion = accesses.remove(at);
            accesses.push(insertion);
        }
        if next == end {
            return Some(accesses);
        }
        value = ir.result(next, result);
    }
}

/// The result of the loop `op` that is operand `index` again, which no iteration uses.
fn passed_through(ir: &Ir, op: Op, index: usize) -> Option<usize> {
    if !ir.is(op, &scf::FOR) {
        return None;
    }
    let carried = ir.operand_group_range(op, 3);
    let at = carried.contains(&index).then(|| index - carried.start)?;
    let view = scf::For(op);
    let end = view.yield_op(ir);
    let uses = ir.uses(view.iter_args(ir)[at]);
    let is_yielded = matches!(uses, [u] if u.op == end && u.index as usize == at);
    is_yielded.then_some(at)
}

/// The access of `op` to a part of its operand `index`; `None` if that is no such use.
fn access(ir: &Ir, op: Op, index: usize) -> Option<Access> {
    let (is_vector, is_insertion) = if ir.is(op, &tensor::EXTRACT_SLICE) {
        (false, false)
    } else if ir.is(op, &tensor::INSERT_SLICE) {
        (false, true)
    } else if ir.is(op, &vector::TRANSFER_READ) {
        (true, false)
    } else if ir.is(op, &vector::TRANSFER_WRITE) {
        (true, true)
    } else {
        return None;
    };
    if index != usize::from(is_insertion) {
        return None;
    }
    let dims = match is_vector {
        true => vector_dims(ir, op),
        false => OffsetSizeStride::of(ir, op).map(|lists| {
            let lists = lists
                .offsets
                .into_iter()
                .zip(lists.sizes)
                .zip(lists.strides);
            lists
                .map(|((offset, size), stride)| (offset, size, stride))
                .collect()
        }),
    };
    Some(Access {
        op,
        value: match is_insertion {
            true => ir.operand(op, 0),
            false => ir.result(op, 0),
        },
        is_insertion,
        part: dims.map(|dims| Part { is_vector, dims }),
    })
}

/// The part of a tensor that a transfer of a vector accesses, if all of it is in bounds and in the order of the tensor.
fn vector_dims(ir: &Ir, op: Op) -> Option<Vec<(MixedIndex, MixedIndex, MixedIndex)>> {
    let view = vector::Transfer(op);
    if view.mask(ir).is_some() {
        return None;
    }
    let parent = ir.parent_op(op);
    if parent.is_some_and(|parent| ir.is(parent, &vector::MASK)) {
        return None;
    }
    let shape = ir.context().shape(ir.value_type(view.vector(ir)))?.to_vec();
    let indices = view.indices(ir);
    let first = indices.len().checked_sub(shape.len())?;
    let dims = view.dims(ir);
    let is_minor = dims
        .iter()
        .enumerate()
        .all(|(at, &dim)| dim == Some(first + at));
    if !is_minor || !(0..shape.len()).all(|dim| view.is_in_bounds(ir, dim)) {
        return None;
    }
    let one = MixedIndex::Constant(1);
    let dims = indices.iter().enumerate().map(|(dim, &index)| {
        let offset = arith::as_constant_index(ir, index);
        let offset = offset.map_or(MixedIndex::Value(index), MixedIndex::Constant);
        let size = dim
            .checked_sub(first)
            .map_or(one, |at| MixedIndex::Constant(shape[at]));
        (offset, size, one)
    });
    Some(dims.collect())
}

/// Whether two parts of one tensor are known to have no element in common.
fn apart(ir: &Ir, a: &Part, b: &Part) -> bool {
    let range = |&(offset, size, stride): &(MixedIndex, MixedIndex, MixedIndex)| {
        let [offset, size, stride] = [offset, size, stride].map(|index| index.constant(ir));
        let (offset, size, stride) = (offset?, size?, stride?);
        if size <= 0 || stride < 0 {
            return None;
        }
        let last = (size - 1).checked_mul(stride)?.checked_add(offset)?;
        Some((offset, last))
    };
    a.dims.len() == b.dims.len()
        && a.dims.iter().zip(&b.dims).any(|(a, b)| {
            let (Some(a), Some(b)) = (range(a), range(b)) else {
                return false;
            };
            a.1 < b.0 || b.1 < a.0
        })
}

/// Carries what `extraction` takes out of carried tensor `index` and `insertion` puts back by itself.
fn hoist(ir: &mut Ir, op: Op, index: usize, extraction: Op, insertion: Op) {
    let view = scf::For(op);
    let end = view.yield_op(ir);
    let init = ir.operand_group(op, 3)[index];
    let carried = ir.result(op, index);
    let (taken, put) = (ir.result(extraction, 0), ir.operand(insertion, 0));
    let ty = ir.value_type(taken);

    // Inside: the new argument stands for what was taken out.
    let argument = ir.append_block_arg(view.body(ir), ty);
    ir.set_arg_loc(argument, ir.loc(extraction));
    ir.replace_all_uses(taken, argument);
    // What is put back may be what was taken out.
    let put = if put == taken { argument } else { put };
    let n_yielded = ir.operands(end).len();
    ir.insert_operands(end, n_yielded, &[put]);
    let target = ir.operand(insertion, 1);
    ir.replace_all_uses(ir.result(insertion, 0), target);

    // Outside.
    ir.move_op_before(extraction, op);
    ir.set_operand(extraction, 0, init);
    ir.append_to_operand_group(op, 3, &[taken]);
    let result = ir.append_result(op, ty);
    ir.move_op_after(insertion, op);
    ir.set_operand(insertion, 0, result);
    let whole = ir.result(insertion, 0);
    ir.replace_all_uses(carried, whole);
    ir.set_operand(insertion, 1, carried);
}
