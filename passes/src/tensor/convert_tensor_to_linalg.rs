//! `convert-tensor-to-linalg`: `tensor.pad` becomes a filled tensor into which the source is inserted.
//!
//! Before:
//! ```mlir
//! %p = tensor.pad %t low[1] high[2] {
//! ^bb0(%i: index):
//!   tensor.yield %v : f32
//! } : tensor<4xf32> to tensor<7xf32>
//! ```
//! After:
//! ```mlir
//! %e = tensor.empty() : tensor<7xf32>
//! %f = linalg.fill ins(%v : f32) outs(%e : tensor<7xf32>) -> tensor<7xf32>
//! %p = tensor.insert_slice %t into %f[1] [4] [1] : tensor<4xf32> into tensor<7xf32>
//! ```
//!
//! With `computed-in-place`, the tensor is filled before its middle is computed, so that `eliminate-empty-tensors` has a
//! place for that; other pads stay. If the margins are a small part of it, only they are filled.
//!
//! Margins whose elements depend on their place become `tensor.generate`, which computes the elements of the middle as
//! well: a body with effects, or one that may fail, stays as it is.

use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::memref::{MixedIndex, OffsetSizeStride};
use freehold_frontend::dialects::tensor;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::DYNAMIC;

use crate::analysis::speculation::may_run_anywhere;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::index_arithmetic::sum;
use crate::rewrite::tensors;

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// only pads of what an operation computes for them alone, filled in front of it: so it is computed in place
        "computed-in-place" computed_in_place: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "convert-tensor-to-linalg",
    summary: "turn tensor.pad into a filled tensor and an inserted slice",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let mut n_lowered = 0;
    for op in ir.collect_ops(ir.root()) {
        if ir.is_erased(op) || !ir.is(op, &tensor::PAD) {
            continue;
        }
        let lowered = match context.options.computed_in_place {
            true => computed_alone(ir, op).and_then(|computed| {
                let result = lower(ir, op)?;
                fill_before(ir, result, computed)
            }),
            false => lower(ir, op).map(|_| ()),
        };
        n_lowered += u64::from(lowered.is_some());
    }
    context.count("pads lowered", n_lowered);
    Ok(())
}

/// The structured operation that computes what `pad` pads, and nothing else, if all sizes are known and the margins are a
/// constant.
fn computed_alone(ir: &Ir, pad: Op) -> Option<Op> {
    let view = tensor::Pad(pad);
    let source = view.source(ir);
    let computed = ir.defining_op(source)?;
    let (low, high) = view.margins(ir);
    let mut margins = low.iter().chain(&high);
    let end = ir.last_op(ir.entry_block(ir.region(pad, 0))?)?;
    let is_constant = is_of_constants(ir, ir.operand(end, 0), MAX_STEPS);
    let has_known_sizes = !tensors::shape(ir, source).contains(&DYNAMIC)
        && margins.all(|margin| margin.constant(ir).is_some());
    let is_alone = interface::is_structured(ir, computed)
        && ir.block_of(computed) == ir.block_of(pad)
        && ir.results(computed).len() == 1
        && ir.uses(source).len() == 1;
    (is_alone && is_constant && has_known_sizes).then_some(computed)
}

/// How many operations are between constants and a margin, at most: conversions.
const MAX_STEPS: u32 = 3;

/// Whether a few operations without effects make a number of constants.
fn is_of_constants(ir: &Ir, value: Value, steps: u32) -> bool {
    ir.defining_op(value).is_some_and(|op| {
        ir.has_trait(op, Traits::CONSTANT_LIKE)
            || steps != 0
                && ir.regions(op).is_empty()
                && may_run_anywhere(ir, op)
                && (ir.operands(op).iter()).all(|&value| is_of_constants(ir, value, steps - 1))
    })
}

/// Copies what [`is_of_constants`]: others may use it, and it may stand behind.
fn copy_before(ir: &mut Ir, value: Value, anchor: Op) -> Value {
    let made = ir.defining_op(value).expect("operations make it");
    let mut map = IrMap::default();
    for operand in ir.operands(made).to_vec() {
        let copied = copy_before(ir, operand, anchor);
        map.values.insert(operand, copied);
    }
    let copy = ir.clone_op(made, &mut map);
    ir.insert_op_before(anchor, copy);
    map.value(value)
}

/// Moves what is filled for `inserted`, which pads made, in front of what computes the rest of it.
fn fill_before(ir: &mut Ir, inserted: Value, computed: Op) -> Option<()> {
    let insert = ir.defining_op(inserted)?;
    let fill = ir.defining_op(ir.operand(insert, 1))?;
    for (operand, index) in ir.operands(fill).to_vec().into_iter().zip(0..) {
        let made = ir.defining_op(operand)?;
        if ir.is(made, &tensor::EMPTY) {
            ir.move_op_before(made, computed);
        } else {
            let copy = copy_before(ir, operand, computed);
            ir.set_operand(fill, index, copy);
        }
    }
    ir.move_op_before(fill, computed);
    fill_margins(ir, fill, insert);
    Some(())
}

/// Margins are filled alone if they are at most this fraction of the elements (1/n): more of them fill faster in one loop. Not
/// measured on its own.
const MIN_SHARE: i64 = 4;

/// Replaces what fills all of a tensor by what fills the elements that `insert` does not overwrite. All sizes are known.
fn fill_margins(ir: &mut Ir, fill: Op, insert: Op) -> Option<()> {
    let &[number, empty] = ir.operands(fill) else {
        return None;
    };
    let ty = ir.value_type(empty);
    let shape = tensors::shape(ir, empty);
    let inner = tensors::shape(ir, ir.operand(insert, 0));
    let low: Vec<i64> = (OffsetSizeStride::of(ir, insert)?.offsets.iter())
        .map(|offset| offset.constant(ir))
        .collect::<Option<_>>()?;
    let volume = |sizes: &[i64]| sizes.iter().try_fold(1i64, |all, &n| all.checked_mul(n));
    let (all, middle) = (volume(&shape)?, volume(&inner)?);
    if (all - middle).checked_mul(MIN_SHARE)? > all {
        return None;
    }
    let mut b = Builder::before(ir, fill);
    let context = b.context();
    let element = context.element_type_or_self(ty);
    let mut filled = empty;
    for dim in 0..shape.len() {
        let end = low[dim] + inner[dim];
        for (offset, size) in [(0, low[dim]), (end, shape[dim] - end)] {
            if size == 0 {
                continue;
            }
            // What earlier dimensions have as margins is filled; of later ones, all.
            let mut offsets = low[..dim].to_vec();
            let mut sizes = inner[..dim].to_vec();
            offsets.push(offset);
            sizes.push(size);
            offsets.resize(shape.len(), 0);
            sizes.extend(&shape[dim + 1..]);
            let mixed = |numbers: &[i64]| numbers.iter().map(|&n| n.into()).collect();
            let part = OffsetSizeStride {
                offsets: mixed(&offsets),
                strides: mixed(&vec![1; shape.len()]),
                sizes: mixed(&sizes),
            };
            let margin = tensors::tensor_type(&context, &sizes, element);
            let spec = b.spec(&tensor::EXTRACT_SLICE).operands(&[filled]);
            let slice = b.create(part.append_to(&context, spec.results(&[margin])));
            let slice = b.ir.result(slice, 0);
            let slice = tensors::fill(&mut b, number, slice);
            let spec = b.spec(&tensor::INSERT_SLICE).operands(&[slice, filled]);
            let inserted = b.create(part.append_to(&context, spec.results(&[ty])));
            filled = b.ir.result(inserted, 0);
        }
    }
    ir.replace_op(fill, &[filled]);
    Some(())
}

/// Lowers a `tensor.pad`; none if it stays.
fn lower(ir: &mut Ir, op: Op) -> Option<Value> {
    let view = tensor::Pad(op);
    let (low, high) = view.margins(ir);
    let is_negative = |margin: &MixedIndex| margin.constant(ir).is_some_and(|margin| margin < 0);
    if low.iter().chain(&high).any(is_negative) {
        return None;
    }
    let source = view.source(ir);
    let body = ir.entry_block(ir.region(op, 0))?;
    let end = ir.last_op(body)?;
    let element = ir.operand(end, 0);
    let constant = ir
        .defining_op(element)
        .filter(|&op| ir.has_trait(op, Traits::CONSTANT_LIKE));
    let is_inside = ir.value_block(element).is_some_and(|block| block == body);
    let is_filled = constant.is_some() || !is_inside;
    let others: Vec<Op> = ir.ops_in(body).filter(|&inner| inner != end).collect();
    if !is_filled && !others.iter().all(|&inner| may_run_anywhere(ir, inner)) {
        return None;
    }
    let shape = tensors::shape(ir, ir.result(op, 0));
    let inner = tensors::shape(ir, source);
    let ty = ir.value_type(ir.result(op, 0));
    // One from outside is there already, and others may use it before.
    if let Some(constant) = constant.filter(|_| is_inside) {
        ir.move_op_before(constant, op);
    }
    let mut b = Builder::before(ir, op);
    let mut extents = Vec::new();
    for (dim, &size) in inner.iter().enumerate() {
        extents.push(match size {
            DYNAMIC => MixedIndex::Value(tensors::size(&mut b, source, dim)),
            size => MixedIndex::Constant(size),
        });
    }
    let mut sizes: Vec<Value> = Vec::new();
    for dim in (0..shape.len()).filter(|&dim| shape[dim] == DYNAMIC) {
        let before = sum(&mut b, extents[dim], low[dim]);
        sizes.push(sum(&mut b, before, high[dim]).materialize(&mut b));
    }
    let filled = if is_filled {
        let empty = b.value(&tensor::EMPTY, &sizes, ty);
        tensors::fill(&mut b, element, empty)
    } else {
        let spec = b
            .spec(&tensor::GENERATE)
            .operands(&sizes)
            .results(&[ty])
            .regions(1);
        let generate = b.create(spec);
        let to = b.ir.region(generate, 0);
        let from = b.ir.region(op, 0);
        b.ir.move_blocks(from, to);
        b.ir.result(generate, 0)
    };
    let context = b.context();
    let part = OffsetSizeStride {
        offsets: low,
        strides: vec![MixedIndex::Constant(1); extents.len()],
        sizes: extents,
    };
    let spec = b
        .spec(&tensor::INSERT_SLICE)
        .operands(&[source, filled])
        .results(&[ty]);
    let inserted = b.create(part.append_to(&context, spec));
    let result = ir.result(inserted, 0);
    ir.replace_op(op, &[result]);
    Some(result)
}
