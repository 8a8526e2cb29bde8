//! Loops inside of a loop that runs in vectors, where lanes go through rows of their own.
//!
//! Before, with `%i` the loop that is to run in vectors:
//! ```mlir
//! scf.for %k = %c0 to %n step %c1 {
//!   %x = memref.load %b[%i, %k] : memref<?x?xf32>
//!   ...
//! }
//! ```
//! After, in vectors of eight:
//! ```mlir
//! scf.for %k = %c0 to %middle step %c4 {
//!   ... vector<4xf32> from row %i, row %i + 1, ... row %i + 7, at %k ...
//!   ... rows %i and %i + 4 next to each other, so %i + 1 and %i + 5, ...: four times vector<8xf32> ...
//!   ... these four transposed in each four lanes: what lanes want for %k, %k + 1, %k + 2, %k + 3 ...
//!   ... the body for each of these ...
//! }
//! scf.for %k = %middle to %n step %c1 { ... elements of lanes one by one ... }
//! ```
//! Stores to rows go the same way backwards. As many iterations as a register of 128 bits has elements
//! are done at once, whatever registers there are: instructions interleave elements in pieces of that size, and
//! few values are alive.

use freehold_frontend::dialects::{arith, memref, vector};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::Type;

use super::lanes::{Widener, shuffle};
use crate::analysis::loop_memory::Access;
use crate::loops::vector_plan::Column;

impl Widener<'_> {
    /// An access of a column, beginning at these subscripts in its first lane.
    pub(super) fn column(
        &mut self,
        builder: &mut Builder<'_>,
        (access, column): (Access, Column),
        (buffer, indices): (Value, Vec<Value>),
    ) {
        let value = access.value(builder.ir);
        let Some(mut block) = self.tile.take() else {
            self.lane_by_lane(builder, (access, column), (buffer, indices));
            return;
        };
        if !access.is_store {
            if block.at == 0 {
                let tile = self.load_tile(builder, (access, column), (buffer, indices));
                block.loaded.insert(access.op, tile);
            }
            let lanes = block.loaded[&access.op][block.at];
            self.vectors.insert(value, lanes);
        } else {
            let lanes = self.lanes(builder, value);
            let start = || (indices, Vec::new());
            let (first, tile) = block.stored.entry(access.op).or_insert_with(start);
            tile.push(lanes);
            if tile.len() as i64 == column.block {
                self.store_tile(builder, column, (buffer, first), tile);
            }
        }
        self.tile = Some(block);
    }

    /// What lanes load from their rows, for each of several iterations.
    fn load_tile(
        &self,
        builder: &mut Builder<'_>,
        (access, column): (Access, Column),
        (buffer, indices): (Value, Vec<Value>),
    ) -> Vec<Value> {
        let element = builder.ir.value_type(access.value(builder.ir));
        let ty = vector::vector_type(builder.ir.context(), &[column.block], element);
        let mut rows = Vec::new();
        for row in 0..column.block {
            let mut pieces = Vec::new();
            for lane in (row..self.lanes).step_by(column.block as usize) {
                let operands = of_lane(builder, column, &[buffer], &indices, lane);
                pieces.push(builder.value(&vector::LOAD, &operands, ty));
            }
            rows.push(join(builder, pieces, column.block));
        }
        transpose_in_pieces(builder, rows, self.lanes)
    }

    /// Stores to the rows of lanes what they have for each of several iterations.
    fn store_tile(
        &self,
        builder: &mut Builder<'_>,
        column: Column,
        (buffer, indices): (Value, &[Value]),
        tile: &[Value],
    ) {
        let rows = transpose_in_pieces(builder, tile.to_vec(), self.lanes);
        for (row, lanes) in (0..).zip(rows) {
            for lane in (row..self.lanes).step_by(column.block as usize) {
                let piece = shuffle(builder, [lanes; 2], lane - row..lane - row + column.block);
                let operands = of_lane(builder, column, &[piece, buffer], indices, lane);
                builder.op(&vector::STORE, &operands, &[]);
            }
        }
    }

    /// An access of a column in one iteration.
    fn lane_by_lane(
        &mut self,
        builder: &mut Builder<'_>,
        (access, column): (Access, Column),
        (buffer, indices): (Value, Vec<Value>),
    ) {
        let value = access.value(builder.ir);
        let element = builder.ir.value_type(value);
        if access.is_store {
            let lanes = self.lanes(builder, value);
            let types = vec![element; self.lanes as usize];
            let elements = builder.op(&vector::TO_ELEMENTS, &[lanes], &types);
            let elements: Vec<Value> = builder.ir.results(elements).to_vec();
            for (lane, element) in (0..).zip(elements) {
                let operands = of_lane(builder, column, &[element, buffer], &indices, lane);
                builder.op(&memref::STORE, &operands, &[]);
            }
            return;
        }
        let elements: Vec<Value> = (0..self.lanes)
            .map(|lane| {
                let operands = of_lane(builder, column, &[buffer], &indices, lane);
                builder.value(&memref::LOAD, &operands, element)
            })
            .collect();
        let ty = vector::vector_type(builder.ir.context(), &[self.lanes], element);
        let lanes = builder.value(&vector::FROM_ELEMENTS, &elements, ty);
        self.vectors.insert(value, lanes);
    }
}

/// The operands of an access of one lane, of which the first ones are not subscripts.
fn of_lane(
    builder: &mut Builder<'_>,
    column: Column,
    first: &[Value],
    indices: &[Value],
    lane: i64,
) -> Vec<Value> {
    let mut indices = indices.to_vec();
    let distance = arith::constant_index(builder, lane);
    let operands = [indices[column.dim], distance];
    indices[column.dim] = builder.value(&arith::ADDI, &operands, Type::INDEX);
    [first, &indices].concat()
}

/// Vectors of `n` elements one behind the other; there are a power of two of them.
fn join(builder: &mut Builder<'_>, mut pieces: Vec<Value>, mut n: i64) -> Value {
    while pieces.len() > 1 {
        n *= 2;
        let pairs = pieces.chunks_exact(2);
        pieces = pairs
            .map(|pair| shuffle(builder, [pair[0], pair[1]], 0..n))
            .collect();
    }
    pieces[0]
}

/// Element `i` of each piece of vector `j` becomes element `j` of that piece of vector `i`, where pieces have as many
/// elements as there are vectors. Interleaving the first half of them with the second one does it, as often as their
/// number can be halved.
fn transpose_in_pieces(builder: &mut Builder<'_>, mut rows: Vec<Value>, lanes: i64) -> Vec<Value> {
    let piece = rows.len() as i64;
    let mut rounds = piece.trailing_zeros();
    while rounds > 0 {
        rounds -= 1;
        let (first, second) = rows.split_at(rows.len() / 2);
        let mut interleaved = Vec::new();
        for (&a, &b) in first.iter().zip(second) {
            for half in [0, piece / 2] {
                let starts = (0..lanes).step_by(piece as usize).map(|start| start + half);
                let places = starts.flat_map(|start| start..start + piece / 2);
                let places = places.flat_map(|at| [at, lanes + at]);
                interleaved.push(shuffle(builder, [a, b], places));
            }
        }
        rows = interleaved;
    }
    rows
}
