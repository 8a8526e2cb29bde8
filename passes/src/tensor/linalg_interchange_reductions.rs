//! `linalg-interchange-reductions`: reductions go through what was computed before them in the order in which
//! that was done, so that the loops of both can be fused and the tensor in between need not be there.
//!
//! Before:
//! ```mlir
//! %p = linalg.pooling_nhwc_max ... -> tensor<1x32x32x8xf32>
//! // Loops n, c, h, w; %p is read at (n, h, w, c).
//! %s = linalg.generic {iterator_types = ["parallel", "parallel", "reduction", "reduction"], ...} ins(%p) ...
//! ```
//! After:
//! ```mlir
//! // Loops n, h, w, c.
//! %s = linalg.generic {iterator_types = ["parallel", "reduction", "reduction", "parallel"], ...} ins(%p) ...
//! ```
//!
//! Loops that reduce stay in their order among each other, so each element of the result is what it was, bit by bit.
//! What adds up products is left alone: its operands are read many times. So are tensors with other users, which exist
//! anyway.

use freehold_frontend::dialects::linalg;
use freehold_frontend::dialects::linalg::attributes::IteratorType;
use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;

use super::results::is_on_tensors;
use crate::analysis::contraction::adds_up_products;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::structured::set_indexing_maps;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "linalg-interchange-reductions",
    summary: "interchange loops of reductions to follow their producers",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        if ir.is(op, &linalg::GENERIC)
            && is_on_tensors(ir, op)
            && !adds_up_products(ir, op)
            && let Some(order) = order(ir, op)
        {
            interchange(ir, op, &order);
            context.count("reductions interchanged", 1);
        }
    }
    Ok(())
}

/// The loops of `op` from the outside in, as those of the operation that computes an input are; `None` if they are
/// in that order, or cannot be.
fn order(ir: &Ir, op: Op) -> Option<Vec<usize>> {
    let iterators = interface::iterator_types(ir, op);
    let maps = interface::indexing_maps(ir, op);
    if !iterators.contains(&IteratorType::Reduction) || maps.len() != ir.operands(op).len() {
        return None;
    }
    let inputs = interface::inputs(ir, op).iter().zip(&maps);
    let computed = inputs.filter(|&(&input, map)| {
        let is_computed = |producer| {
            interface::is_structured(ir, producer)
                && ir.block_of(producer) == ir.block_of(op)
                && ir.uses(input).len() == 1
        };
        map.is_projected_permutation() && ir.defining_op(input).is_some_and(is_computed)
    });
    let (_, map) = computed.max_by_key(|(_, map)| map.results.len())?;
    let mut order = Vec::new();
    for result in &map.results {
        let AffineExpr::Dim(dim) = result else {
            return None;
        };
        order.push(*dim as usize);
    }
    let rest = (0..iterators.len()).filter(|i| !order.contains(i));
    let rest: Vec<usize> = rest.collect();
    order.extend(rest);
    let reductions = (order.iter()).filter(|&&i| iterators[i] == IteratorType::Reduction);
    let is_new = !order.is_sorted();
    (is_new && reductions.is_sorted()).then_some(order)
}

fn interchange(ir: &mut Ir, op: Op, order: &[usize]) {
    let context = ir.context().clone();
    let mut places = vec![0; order.len()];
    for (place, &old) in order.iter().enumerate() {
        places[old] = place;
    }
    let dims: Vec<AffineExpr> = (places.iter())
        .map(|&place| AffineExpr::Dim(place as u32))
        .collect();
    let maps = interface::indexing_maps(ir, op).into_iter();
    let maps = maps.map(|map| AffineMap {
        results: (map.results.iter())
            .map(|result| result.replace(&dims, &[]))
            .collect(),
        ..map
    });
    let maps = maps.collect();
    set_indexing_maps(ir, op, maps);
    let iterators = interface::iterator_types(ir, op);
    let iterators: Vec<_> = (order.iter())
        .map(|&old| iterators[old].to_attr(&context))
        .collect();
    ir.set_attr(op, Name::ITERATOR_TYPES, context.array_attr(&iterators));
    for inner in ir.walk(op).collect::<Vec<Op>>() {
        let dim = ir.attr(inner, Name::DIM);
        if ir.is(inner, &linalg::INDEX)
            && let Some(dim) = dim.and_then(|dim| context.attr_integer(dim))
            && let Some(&place) = usize::try_from(dim).ok().and_then(|dim| places.get(dim))
        {
            ir.set_attr(inner, Name::DIM, context.i64_attr(place as i64));
        }
    }
}
