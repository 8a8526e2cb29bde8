//! Rows of two to eight elements that lanes go through together, as the parts of complex numbers or points in
//! space.
//!
//! Before, with `%i` the loop that is to run in vectors:
//! ```mlir
//! %x = memref.load %b[%i, %c0] : memref<?x2xf32>
//! %y = memref.load %b[%i, %c1] : memref<?x2xf32>
//! ```
//! After, in vectors of eight:
//! ```mlir
//! %row = memref.collapse_shape %b [[0, 1]] : memref<?x2xf32> into memref<?xf32>
//! ...
//! ... the first and the second vector<8xf32> from %row, at %i * 2 ...
//! ... %x: every second element of both from the first one on, %y: from the second one on ...
//! ```
//! Stores go the same way backwards, if all elements of a row are stored: behind the last one of them.

use freehold_frontend::dialects::{arith, memref, vector};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::{MemRefType, Type};
use rustc_hash::FxHashMap;

use super::lanes::{Widener, shuffle};
use crate::analysis::loop_memory::Access;
use crate::loops::vector_plan::{Part, Plan};

/// The buffers whose last two dimensions are one, made before the loop.
pub(super) fn build_rows(builder: &mut Builder<'_>, plan: &Plan) -> FxHashMap<Value, Value> {
    let mut rows = FxHashMap::default();
    let mut ops: Vec<Op> = plan.interleaved.keys().copied().collect();
    ops.sort_unstable();
    for op in ops {
        let Some(access) = Access::of(builder.ir, op) else {
            continue;
        };
        let context = builder.context();
        let Some(memref) = context.as_memref(builder.ir.value_type(access.buffer)) else {
            continue;
        };
        if rows.contains_key(&access.buffer) {
            continue;
        }
        let rank = memref.shape.len() as i64;
        let (&n, shape) = memref.shape.split_last().expect("rows have a size");
        let mut shape = shape.to_vec();
        if let Some(last) = shape.last_mut() {
            *last = memref::types::saturating_mul(*last, n);
        }
        let ty = match (memref.layout, context.memref_strides(memref)) {
            (Some(_), Some((mut strides, offset))) => {
                strides.remove(strides.len() - 2);
                let (element, space) = (memref.element, memref.space);
                memref::types::strided_memref(&context, &shape, element, offset, &strides, space)
            }
            _ => MemRefType {
                shape: shape.into(),
                ..memref.clone()
            },
        };
        let ty = context.memref_type(ty);
        let mut groups: Vec<Vec<i64>> = (0..rank - 2).map(|dim| vec![dim]).collect();
        groups.push(vec![rank - 2, rank - 1]);
        let row = memref::build::collapse_shape(builder, access.buffer, &groups, ty);
        rows.insert(access.buffer, row);
    }
    rows
}

impl Widener<'_> {
    /// An access of one element of rows, beginning at these subscripts in its first lane.
    pub(super) fn interleaved(
        &mut self,
        builder: &mut Builder<'_>,
        access: Access,
        part: Part,
        mut indices: Vec<Value>,
    ) {
        let value = access.value(builder.ir);
        let row = self.views.interleaved[&access.buffer];
        indices.pop();
        if access.is_store {
            let lanes = self.lanes(builder, value);
            let group = part.group.expect("the plan groups stores");
            let stored = self.rows.stored.entry(group).or_default();
            stored.push((part.index, lanes));
            if stored.len() as i64 == part.n {
                self.rows
                    .loaded
                    .retain(|(buffer, _), _| *buffer != access.buffer);
                stored.sort_unstable_by_key(|&(index, _)| index);
                let parts: Vec<Value> = stored.drain(..).map(|(_, lanes)| lanes).collect();
                let vectors = interleave(builder, &parts, self.lanes);
                let places = self.places(builder, part, &indices);
                for (vector, place) in vectors.into_iter().zip(places) {
                    let operands = [&[vector, row], &place[..]].concat();
                    builder.op(&vector::STORE, &operands, &[]);
                }
            }
            return;
        }
        let old = access.indices(builder.ir);
        let key = (access.buffer, old[..old.len() - 1].to_vec());
        if !self.rows.loaded.contains_key(&key) {
            let ty = self.vector_type(builder.ir, builder.ir.value_type(value));
            if part.is_reversed {
                self.begin_at_last_lane(builder, &mut indices);
            }
            let places = self.places(builder, part, &indices);
            let vectors: Vec<Value> = (places.into_iter())
                .map(|place| {
                    let operands = [&[row], &place[..]].concat();
                    builder.value(&vector::LOAD, &operands, ty)
                })
                .collect();
            let mut parts = deinterleave(builder, &vectors, self.lanes);
            if part.is_reversed {
                parts = (parts.into_iter())
                    .map(|part| self.reverse(builder, part))
                    .collect();
            }
            self.rows.loaded.insert(key.clone(), parts);
        }
        let lanes = self.rows.loaded[&key][part.index as usize];
        self.vectors.insert(value, lanes);
    }

    /// The subscripts of the vectors that the rows of all lanes are made of.
    fn places(&self, builder: &mut Builder<'_>, part: Part, indices: &[Value]) -> Vec<Vec<Value>> {
        let (&row, outer) = indices.split_last().expect("rows are counted");
        let n = arith::constant_index(builder, part.n);
        let first = builder.value(&arith::MULI, &[row, n], Type::INDEX);
        (0..part.n)
            .map(|vector| {
                let distance = arith::constant_index(builder, vector * self.lanes);
                let place = builder.value(&arith::ADDI, &[first, distance], Type::INDEX);
                [outer, &[place]].concat()
            })
            .collect()
    }
}

/// Vector `i` of the result has every element whose number modulo the number of vectors is `i`.
fn deinterleave(builder: &mut Builder<'_>, vectors: &[Value], lanes: i64) -> Vec<Value> {
    let n = vectors.len() as i64;
    if n % 2 != 0 {
        let part = |part| gather_lanes(builder, vectors, (0..lanes).map(|i| i * n + part), lanes);
        return (0..n).map(part).collect();
    }
    let [even, odd] = [0, 1].map(|first| {
        let pairs = vectors.chunks_exact(2);
        let half: Vec<Value> = pairs
            .map(|pair| {
                let places = (0..lanes).map(|i| 2 * i + first);
                shuffle(builder, [pair[0], pair[1]], places)
            })
            .collect();
        deinterleave(builder, &half, lanes)
    });
    even.into_iter()
        .zip(odd)
        .flat_map(<[Value; 2]>::from)
        .collect()
}

/// The inverse of [`deinterleave`].
fn interleave(builder: &mut Builder<'_>, parts: &[Value], lanes: i64) -> Vec<Value> {
    let n = parts.len() as i64;
    if n % 2 != 0 {
        // Element `i` of all is that of part `i % n` at `i / n`.
        let vector = |first| {
            let places = (first..first + lanes).map(|i| i % n * lanes + i / n);
            gather_lanes(builder, parts, places, lanes)
        };
        return (0..n).map(|vector| vector * lanes).map(vector).collect();
    }
    let [even, odd] = [0, 1].map(|first| {
        let half: Vec<Value> = parts.iter().skip(first).step_by(2).copied().collect();
        interleave(builder, &half, lanes)
    });
    let mut vectors = Vec::new();
    for (even, odd) in even.into_iter().zip(odd) {
        for first in [0, lanes / 2] {
            let places = (first..first + lanes / 2).flat_map(|i| [i, lanes + i]);
            vectors.push(shuffle(builder, [even, odd], places));
        }
    }
    vectors
}

/// A vector of the elements of several, one behind the other, at these places: one more of them with each shuffle.
fn gather_lanes(
    builder: &mut Builder<'_>,
    vectors: &[Value],
    places: impl Iterator<Item = i64> + Clone,
    lanes: i64,
) -> Value {
    let mut gathered = vectors[0];
    for (number, &vector) in vectors.iter().enumerate().skip(1) {
        let first = number as i64 * lanes;
        let choose = |(lane, place): (usize, i64)| match place - first {
            inside @ 0.. if inside < lanes => lanes + inside,
            // Of the first vector, elements are not yet where they are wanted.
            _ if number == 1 && place < lanes => place,
            _ => lane as i64,
        };
        gathered = shuffle(
            builder,
            [gathered, vector],
            places.clone().enumerate().map(choose),
        );
    }
    gathered
}
