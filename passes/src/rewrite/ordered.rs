//! Operations of iree_linalg_ext that put elements along a dimension into an order: all of them, or the first few.

use freehold_frontend::dialects::iree_linalg_ext;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{DYNAMIC, Type};

use super::tensors::element;

/// Whether the first elements of two places come before the second ones.
pub(crate) type Comparator<'a, E> = dyn FnMut(&mut Builder<'_>, &[Value]) -> Result<Value, E> + 'a;

/// An operation of iree_linalg_ext that puts elements along a dimension into the order that `before` says; `outputs`
/// are its last operands.
pub(crate) fn ordered<E>(
    b: &mut Builder<'_>,
    def: &'static OpDef,
    segments: &[i32],
    dim: i64,
    operands: &[Value],
    outputs: &[Value],
    before: &mut Comparator<'_, E>,
) -> Result<Vec<Value>, E> {
    let context = b.context();
    let types: Vec<Type> = outputs
        .iter()
        .map(|&value| b.ir.value_type(value))
        .collect();
    let spec = b
        .spec(def)
        .operands(operands)
        .results(&types)
        .attr(
            Name::OPERAND_SEGMENT_SIZES,
            context.i32_array_attr(segments),
        )
        .attr(Name::DIMENSION, context.i64_attr(dim))
        .regions(1);
    let new = b.create(spec);
    let compared = match std::ptr::eq(def, &iree_linalg_ext::TOPK) {
        true => &outputs[..1],
        false => outputs,
    };
    let arguments: Vec<Type> = compared
        .iter()
        .flat_map(|&value| [element(b.ir, value); 2])
        .collect();
    let region = b.ir.region(new, 0);
    let block = b.ir.append_block(region, &arguments);
    let arguments = b.ir.block_args(block).to_vec();
    let mut inner = b.inside(block);
    let condition = before(&mut inner, &arguments)?;
    inner.op(&iree_linalg_ext::YIELD, &[condition], &[]);
    Ok(b.ir.results(new).to_vec())
}

/// Whether the largest `k` elements of rows of `n` are found by insertion into those found so far, not by sorting all.
/// In rows of any order `k * ln(n / k)` elements are inserted, in ascending ones all. With 64 of 1,000 that takes half
/// the time of sorting in the mean and three times the time at worst; `gumbel_topk`, benches/models, has 20 of 1,000. Rows
/// of unknown length are taken for long ones.
pub(crate) fn is_inserted(k: i64, n: i64) -> bool {
    k <= 16 || (k <= 128 && (n == DYNAMIC || n >= 12 * k))
}
