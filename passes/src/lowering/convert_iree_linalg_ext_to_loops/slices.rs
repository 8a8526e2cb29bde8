//! What moves slices or elements to other positions: `scatter`, `gather` and
//! `reverse`.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::{arith, iree_linalg_ext, linalg, scf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;

use super::{bounds, builder_at, index_cast, inline_body, load, store};
use crate::lowering::convert_linalg_to_loops::loop_size;
use crate::rewrite::sequential_loops::{Nest, build_nest};

/// Slices of `whole` at the positions that `indices` has.
struct Slices {
    whole: Value,
    indices: Value,
    /// The dimension of `whole` that each coordinate of a position is for.
    map: Vec<usize>,
    /// How many dimensions of the slices, in front, count positions.
    n_batch: usize,
}

impl Slices {
    fn of(ir: &Ir, op: Op, whole: Value, slices: Value) -> Self {
        let rank = |value| linalg::interface::rank(ir, value);
        let map = ir
            .attr(op, Name::DIMENSION_MAP)
            .and_then(|attr| ir.context().attr_i64_array(attr))
            .expect("the map is verified");
        Self {
            whole,
            indices: ir.operand(op, 1),
            n_batch: rank(slices) - (rank(whole) - map.len()),
            map: map.iter().map(|&dim| dim as usize).collect(),
        }
    }

    /// The coordinates of the position with subscripts `batch`, in the order of dimensions.
    fn position(&self, b: &mut Builder<'_>, batch: &[Value]) -> Vec<Value> {
        let mut position = vec![None; self.map.len()];
        let has_coordinates = linalg::interface::rank(b.ir, self.indices) > self.n_batch;
        for (i, &dim) in self.map.iter().enumerate() {
            let mut indices = batch.to_vec();
            if has_coordinates {
                indices.push(arith::constant_index(b, i as i64));
            }
            let coordinate = load(b, self.indices, &indices);
            position[dim] = Some(index_cast(b, coordinate, Type::INDEX));
        }
        position
            .into_iter()
            .map(|coordinate| coordinate.expect("the map is a permutation"))
            .collect()
    }

    /// Whether a position lies within the whole.
    fn is_within(&self, b: &mut Builder<'_>, position: &[Value]) -> Value {
        let mut is_within = None;
        for (dim, &coordinate) in position.iter().enumerate() {
            let size = loop_size(b, self.whole, dim);
            // Negative ones are large ones without sign.
            let condition = arith::compare(b, CmpIPredicate::Ult, coordinate, size);
            is_within = Some(match is_within {
                None => condition,
                Some(others) => b.value(&arith::ANDI, &[others, condition], Type::I1),
            });
        }
        is_within.expect("positions have a coordinate")
    }

    /// Loops before `at` over one of the `slices`.
    fn loops(&self, ir: &mut Ir, op: Op, at: Op, slices: Value) -> Nest {
        let rank = linalg::interface::rank(ir, slices);
        let bounds = bounds(ir, op, at, slices, self.n_batch..rank);
        build_nest(ir, at, &bounds, &[])
    }
}

/// Slice by slice in order, so that positions may be there more than once.
pub(super) fn lower_scatter(ir: &mut Ir, op: Op) {
    let (updates, original) = (ir.operand(op, 0), ir.operand(op, 2));
    let slices = Slices::of(ir, op, original, updates);
    let batch = bounds(ir, op, op, updates, 0..slices.n_batch);
    let batch = build_nest(ir, op, &batch, &[]);
    let mut builder = builder_at(ir, op, batch.anchor);
    let position = slices.position(&mut builder, &batch.variables);
    let is_within = slices.is_within(&mut builder, &position);
    let branch = scf::build_if(&mut builder, is_within, &[], false);
    let place = scf::If(branch).then_yield(ir);

    let inner = slices.loops(ir, op, place, updates);
    let mut builder = builder_at(ir, op, inner.anchor);
    let from = [&batch.variables[..], &inner.variables].concat();
    let to = [&position[..], &inner.variables].concat();
    let update = load(&mut builder, updates, &from);
    let old = load(&mut builder, original, &to);
    let value = inline_body(&mut builder, op, &[update, old]);
    store(&mut builder, value, original, &to);
}

pub(super) fn lower_gather(ir: &mut Ir, op: Op) {
    let (source, output) = (ir.operand(op, 0), ir.operand(op, 2));
    let slices = Slices::of(ir, op, source, output);
    let batch = bounds(ir, op, op, output, 0..slices.n_batch);
    let batch = build_nest(ir, op, &batch, &[]);
    let mut builder = builder_at(ir, op, batch.anchor);
    let position = slices.position(&mut builder, &batch.variables);

    let inner = slices.loops(ir, op, batch.anchor, output);
    let mut builder = builder_at(ir, op, inner.anchor);
    let from = [&position[..], &inner.variables].concat();
    let to = [&batch.variables[..], &inner.variables].concat();
    let value = load(&mut builder, source, &from);
    store(&mut builder, value, output, &to);
}

pub(super) fn lower_reverse(ir: &mut Ir, op: Op) {
    let (input, output) = (ir.operand(op, 0), ir.operand(op, 1));
    let reversed = iree_linalg_ext::reversed_dimensions(ir, op).unwrap_or_default();
    let rank = linalg::interface::rank(ir, input);
    let all = bounds(ir, op, op, input, 0..rank);
    let nest = build_nest(ir, op, &all, &[]);
    let mut builder = builder_at(ir, op, nest.anchor);
    let mut mirrored = nest.variables.clone();
    for dim in reversed
        .into_iter()
        .filter_map(|dim| usize::try_from(dim).ok())
    {
        let [_, size, one] = all[dim];
        let last = builder.value(&arith::SUBI, &[size, one], Type::INDEX);
        mirrored[dim] = builder.value(&arith::SUBI, &[last, mirrored[dim]], Type::INDEX);
    }
    let value = load(&mut builder, input, &nest.variables);
    store(&mut builder, value, output, &mirrored);
}
