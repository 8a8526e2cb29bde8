//! What structured operations and their bodies are made of.

use freehold_frontend::dialects::linalg::attributes::IteratorType;
use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::{affine, arith, linalg};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;

/// `linalg.index dim`
pub(crate) fn loop_counter(builder: &mut Builder<'_>, dim: usize) -> Value {
    let dim = builder.ir.context().i64_attr(dim as i64);
    builder.value_with_attr(&linalg::INDEX, &[], Type::INDEX, Name::DIM, dim)
}

/// An operation that yields the elements of its only input, a tensor or buffer, wherever they go.
pub(crate) struct Copied {
    pub(crate) input: Value,
    pub(crate) output: Value,
    /// Where elements are read.
    pub(crate) read: AffineMap,
    /// Where they are written.
    pub(crate) written: AffineMap,
}

impl Copied {
    /// What a structured operation copies, if that is all it does.
    pub(crate) fn of(ir: &Ir, op: Op) -> Option<Self> {
        let (&[input], &[output]) = (interface::inputs(ir, op), interface::outputs(ir, op)) else {
            return None;
        };
        // A scalar has no elements.
        ir.context().shape(ir.value_type(input))?;
        let body = interface::body(ir, op)?;
        let end = ir.terminator(body)?;
        let mut iterators = interface::iterator_types(ir, op).into_iter();
        let is_copy = ir.operands(end) == [ir.block_args(body)[0]]
            && ir.first_op(body) == Some(end)
            && iterators.all(|kind| kind == IteratorType::Parallel);
        let [read, written] = interface::indexing_maps(ir, op).try_into().ok()?;
        is_copy.then_some(Self {
            input,
            output,
            read,
            written,
        })
    }
}

/// Gives a `linalg.generic` its maps.
pub(crate) fn set_indexing_maps(ir: &mut Ir, op: Op, maps: Vec<AffineMap>) {
    let context = ir.context().clone();
    let maps: Vec<_> = (maps.into_iter())
        .map(|map| context.affine_map_attr(map))
        .collect();
    let maps = context.array_attr(&maps);
    ir.set_attr(op, Name::INDEXING_MAPS, maps);
}

/// Gives the operations before `end` in the body of a structured operation with `n_loops` loops, which come from
/// another one, `counters` for that one's.
pub(crate) fn replace_loop_counters(
    ir: &mut Ir,
    body: Block,
    end: Op,
    counters: &[AffineExpr],
    n_loops: usize,
) {
    let moved: Vec<Op> = ir
        .ops_in(body)
        .take_while(|&op| op != end)
        .flat_map(|op| std::iter::once(op).chain(ir.walk(op)))
        .collect();
    for op in moved {
        if !ir.is_erased(op) && ir.is(op, &linalg::INDEX) {
            rewrite_index(ir, op, counters, n_loops);
        }
    }
}

/// Replaces a `linalg.index` by the same number.
fn rewrite_index(ir: &mut Ir, op: Op, counters: &[AffineExpr], n_loops: usize) {
    let mut builder = Builder::before(ir, op);
    if let Some(value) = replaced_counter(&mut builder, op, counters, n_loops) {
        ir.replace_op(op, &[value]);
    }
}

/// The number that stands for a `linalg.index` in a structured operation with `n_loops` loops: one of `counters`, by loops
/// of the operation that it comes from.
pub(crate) fn replaced_counter(
    builder: &mut Builder<'_>,
    op: Op,
    counters: &[AffineExpr],
    n_loops: usize,
) -> Option<Value> {
    let dim = builder.ir.attr(op, Name::DIM)?;
    let dim = builder.ir.context().attr_integer(dim)?;
    let counter = counters.get(usize::try_from(dim).ok()?)?.clone();
    Some(match counter {
        AffineExpr::Constant(number) => arith::constant_index(builder, number),
        AffineExpr::Dim(dim) => loop_counter(builder, dim as usize),
        counter => {
            let indices: Vec<Value> = (0..n_loops).map(|dim| loop_counter(builder, dim)).collect();
            let map = AffineMap {
                n_dims: n_loops as u32,
                n_symbols: 0,
                results: vec![counter],
            };
            let map = builder.context().affine_map_attr(map);
            builder.value_with_attr(&affine::APPLY, &indices, Type::INDEX, Name::MAP, map)
        }
    })
}
