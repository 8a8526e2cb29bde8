//! Transfers: what remains of them moves boxes of elements whose dimensions are some of memory's, in their order, and
//! with nothing beyond an edge. A mask leaves out elements that may be.

use std::iter;

use freehold_frontend::dialects::vector::{self, Coordinates, Transfer, sizes_of, vector_type};
use freehold_frontend::dialects::{arith, memref, scf};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type};

use super::masks::both;
use super::shape_cast;

/// Whether memory has vectors of the type of `vector` as its elements.
fn has_elements(ir: &Ir, memory: Value, vector: Value) -> bool {
    let memory = ir.context().as_memref(ir.value_type(memory));
    memory.is_some_and(|memory| memory.element == ir.value_type(vector))
}

/// Makes a load of a whole element of memory, which is a vector, that of `memref`; gives whether it is one.
pub(super) fn load_element(ir: &mut Ir, op: Op, memory: Value, indices: &[Value]) -> bool {
    let result = ir.result(op, 0);
    let is_element = has_elements(ir, memory, result);
    if is_element {
        let ty = ir.value_type(result);
        let operands: Vec<Value> = iter::once(memory).chain(indices.iter().copied()).collect();
        let loaded = Builder::before(ir, op).value(&memref::LOAD, &operands, ty);
        ir.replace_op(op, &[loaded]);
    }
    is_element
}

/// The same of stores.
pub(super) fn store_element(ir: &mut Ir, op: Op, memory: Value, indices: &[Value]) -> bool {
    let value = ir.operand(op, 0);
    let is_element = has_elements(ir, memory, value);
    if is_element {
        let operands: Vec<Value> = [value, memory].iter().chain(indices).copied().collect();
        Builder::before(ir, op).op(&memref::STORE, &operands, &[]);
        ir.erase_op(op);
    }
    is_element
}

/// Lowers a transfer from or to a memref.
pub(super) fn lower(ir: &mut Ir, op: Op) -> Option<()> {
    let view = Transfer(op);
    let (memory, whole, mask) = (view.source(ir), view.vector(ir), view.mask(ir));
    let (indices, padding) = (view.indices(ir).to_vec(), view.padding(ir));
    let context = ir.context().clone();
    let layout = context.as_memref(ir.value_type(memory))?.clone();
    if mask.is_none() {
        let is_element = match padding {
            Some(_) => load_element(ir, op, memory, &indices),
            None => store_element(ir, op, memory, &indices),
        };
        if is_element {
            return Some(());
        }
    }
    let (dims, sizes) = (view.dims(ir), sizes_of(ir, whole));
    // The dimensions of the box in the order of memory, and those of the vector that they are.
    let mut order: Vec<(usize, usize)> = (dims.iter().enumerate())
        .filter_map(|(own, &dim)| Some((dim?, own)))
        .collect();
    order.sort_unstable();
    let is_in_order =
        order.len() == dims.len() && order.iter().map(|&(_, own)| own).eq(0..dims.len());
    let checked: Vec<bool> = order
        .iter()
        .map(|&(_, own)| !view.is_in_bounds(ir, own))
        .collect();
    if dims.len() != sizes.len() || view.plain_dims(ir).is_some() {
        return None;
    }
    let own_sizes: Vec<i64> = order.iter().map(|&(_, own)| sizes[own] as i64).collect();
    let along: Vec<usize> = order.iter().map(|&(dim, _)| dim).collect();
    let mut b = Builder::before(ir, op);
    let b = &mut b;
    let within = mask_within(b, memory, &layout, &indices, &along, &own_sizes, &checked);
    let mask = match (mask, within) {
        (Some(mask), Some(within)) => Some(both(b.ir, op, mask, within)?),
        (mask, within) => mask.or(within),
    };
    let b = &mut Builder::before(b.ir, op);
    let element = context.element_type_or_self(b.ir.value_type(whole));
    let ty = vector_type(&context, &own_sizes, element);
    let map = AffineMap {
        n_dims: indices.len() as u32,
        n_symbols: 0,
        results: along
            .iter()
            .map(|&dim| AffineExpr::Dim(dim as u32))
            .collect(),
    };
    let (def, mut operands, n) = match padding {
        Some(_) => (&vector::TRANSFER_READ, vec![memory], [1, indices.len(), 1]),
        None => {
            let mut value = whole;
            if !is_in_order {
                let own: Vec<i64> = order.iter().map(|&(_, own)| own as i64).collect();
                let own = context.i64_array_attr(&own);
                value = b.value_with_attr(&vector::TRANSPOSE, &[value], ty, Name::PERMUTATION, own);
            }
            (
                &vector::TRANSFER_WRITE,
                vec![value, memory],
                [1, 1, indices.len()],
            )
        }
    };
    operands.extend(indices.into_iter().chain(padding).chain(mask));
    let segments = [n[0], n[1], n[2], usize::from(mask.is_some())].map(|n| n as i32);
    let mut spec = b
        .spec(def)
        .operands(&operands)
        .attr(
            Name::OPERAND_SEGMENT_SIZES,
            context.i32_array_attr(&segments),
        )
        .attr(Name::PERMUTATION_MAP, context.affine_map_attr(map))
        .attr(
            Name::IN_BOUNDS,
            context.array_attr(&vec![Attr::TRUE; along.len()]),
        );
    if padding.is_some() {
        spec = spec.results(&[ty]);
    }
    let transfer = b.create(spec);
    if padding.is_none() {
        ir.erase_op(op);
        return Some(());
    }
    let mut read = b.ir.result(transfer, 0);
    if !is_in_order {
        read = in_order_of_vector(b, read, &order, &sizes);
    }
    ir.replace_op(op, &[read]);
    Some(())
}

/// A box with its dimensions where those of the vector are, repeated along others.
fn in_order_of_vector(
    b: &mut Builder<'_>,
    mut read: Value,
    order: &[(usize, usize)],
    sizes: &Coordinates,
) -> Value {
    let context = b.context();
    let element = context.element_type_or_self(b.ir.value_type(read));
    // Which dimension of the box is each of the vector's that is one.
    let mut own: Vec<(usize, i64)> = (order.iter().zip(0..))
        .map(|(&(_, own), i)| (own, i))
        .collect();
    own.sort_unstable();
    let permutation: Vec<i64> = own.iter().map(|&(_, i)| i).collect();
    if !permutation.is_sorted() {
        let sizes: Vec<i64> = own.iter().map(|&(own, _)| sizes[own] as i64).collect();
        let ty = vector_type(&context, &sizes, element);
        let attr = context.i64_array_attr(&permutation);
        read = b.value_with_attr(&vector::TRANSPOSE, &[read], ty, Name::PERMUTATION, attr);
    }
    if own.len() == sizes.len() {
        return read;
    }
    let is_own = |dim: usize| own.iter().any(|&(own, _)| own == dim);
    let ones: Vec<i64> = (0..sizes.len())
        .map(|dim| if is_own(dim) { sizes[dim] as i64 } else { 1 })
        .collect();
    let read = shape_cast(b, read, &ones);
    let sizes: Vec<i64> = sizes.iter().map(|&size| size as i64).collect();
    b.value(
        &vector::BROADCAST,
        &[read],
        vector_type(&context, &sizes, element),
    )
}

/// The mask of the elements of a box that are there, if not all are known to be.
fn mask_within(
    b: &mut Builder<'_>,
    memory: Value,
    layout: &MemRefType,
    indices: &[Value],
    dims: &[usize],
    sizes: &[i64],
    checked: &[bool],
) -> Option<Value> {
    let may_be_outside = |&number: &usize| {
        let (index, size) = (indices[dims[number]], layout.shape[dims[number]]);
        let is_inside = arith::as_constant_index(b.ir, index).is_some_and(|start| {
            let end = start.checked_add(sizes[number]);
            start >= 0 && size != DYNAMIC && end.is_some_and(|end| end <= size)
        });
        checked[number] && !is_inside
    };
    let unknown: Vec<usize> = (0..dims.len()).filter(may_be_outside).collect();
    if unknown.is_empty() {
        return None;
    }
    let context = b.context();
    let ty = vector_type(&context, sizes, Type::I1);
    let sizes = sizes.iter();
    let all: Vec<Value> = sizes.map(|&size| arith::constant_index(b, size)).collect();
    let mut highest = all.clone();
    let mut without = None;
    for number in unknown {
        let dim = dims[number];
        let (index, size) = (indices[dim], layout.shape[dim]);
        let end = match size {
            DYNAMIC => {
                let dim = arith::constant_index(b, dim as i64);
                b.value(&memref::DIM, &[memory, dim], Type::INDEX)
            }
            size => arith::constant_index(b, size),
        };
        highest[number] = b.value(&arith::SUBI, &[end, index], Type::INDEX);
        if !is_natural(b.ir, index, None, MAX_STEPS) {
            // Those before the first one.
            let zero = arith::constant_index(b, 0);
            let mut before = all.clone();
            before[number] = b.value(&arith::SUBI, &[zero, index], Type::INDEX);
            let before = b.value(&vector::CREATE_MASK, &before, ty);
            without = Some(match without {
                Some(others) => b.value(&arith::ORI, &[others, before], ty),
                None => before,
            });
        }
    }
    let within = b.value(&vector::CREATE_MASK, &highest, ty);
    let Some(without) = without else {
        return Some(within);
    };
    // Each in the one and not in the other.
    let either = b.value(&arith::ORI, &[within, without], ty);
    Some(b.value(&arith::XORI, &[either, without], ty))
}

/// Values that an index depends on, one after the other: bounds compile time.
const MAX_STEPS: u32 = 6;

/// Whether an index is known not to be negative: a small constant, a size, a sum of such, or the counter of a
/// loop that begins with one and goes up by a constant, which `counter` is where it is looked at for that.
/// Sums do not overflow: no loop runs as often as that takes.
fn is_natural(ir: &Ir, index: Value, counter: Option<Value>, steps: u32) -> bool {
    let is_constant = |value| {
        let known = arith::as_constant_index(ir, value);
        known.is_some_and(|known| (0..1 << 40).contains(&known))
    };
    if is_constant(index) || counter == Some(index) {
        return true;
    }
    let Some(steps) = steps.checked_sub(1) else {
        return false;
    };
    if let Some(op) = ir.defining_op(index) {
        return match *ir.operands(op) {
            _ if ir.is(op, &memref::DIM) => true,
            [a, b] if ir.is(op, &arith::ADDI) => match (is_constant(a), is_constant(b)) {
                (true, _) => is_natural(ir, b, counter, steps),
                (_, true) => is_natural(ir, a, counter, steps),
                _ => [a, b]
                    .into_iter()
                    .all(|term| is_natural(ir, term, None, steps)),
            },
            _ => false,
        };
    }
    let ValueDef::Argument(block, number) = ir.value_def(index) else {
        return false;
    };
    if let Some(parent) = ir.block_parent_op(block)
        && ir.is(parent, &scf::FOR)
    {
        return number == 0 && is_natural(ir, scf::For(parent).lower_bound(ir), None, steps);
    }
    let mut n_ways = 0;
    for from in ir.predecessors(block) {
        let Some(op) = ir.terminator(from) else {
            return false;
        };
        for (way, &to) in ir.successors(op).iter().enumerate() {
            if to != block {
                continue;
            }
            n_ways += 1;
            let value = ir.successor_operands(op, way).get(number as usize);
            if !value.is_some_and(|&value| is_natural(ir, value, Some(index), steps)) {
                return false;
            }
        }
    }
    n_ways != 0
}
