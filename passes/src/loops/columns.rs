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

use freehold_frontend::dialects::{arith, memref, scf, vector};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashMap;

use super::forward_stores::forward_in;
use super::vector_plan::Column;
use super::widen::Widener;
use crate::analysis::loop_memory::{Access, trip_count};

/// Iterations that are written one behind the other.
#[derive(Default)]
pub(super) struct Block {
    /// The number of the iteration at hand.
    at: usize,
    /// What each load gives in each iteration.
    loaded: FxHashMap<Op, Vec<Value>>,
    /// Where each store begins, and what it stores in each iteration so far.
    stored: FxHashMap<Op, (Vec<Value>, Vec<Value>)>,
}

impl Widener<'_> {
    /// Makes a loop of `block` iterations at once of the inner loop `op`, and an epilogue. Returns what
    /// they carry out.
    pub(super) fn loop_in_blocks(
        &mut self,
        builder: &mut Builder<'_>,
        op: Op,
        [lower, upper, one]: [Value; 3],
        inits: &[Value],
        block: i64,
    ) -> Vec<Value> {
        let old = scf::For(op);
        let binary = |b: &mut Builder<'_>, def, lhs, rhs| b.value(def, &[lhs, rhs], Type::INDEX);
        let trip_count = trip_count(builder.ir, op);
        let length = match trip_count {
            Some(n) => arith::constant_index(builder, n - n % block),
            None => {
                let end = binary(builder, &arith::MAXSI, upper, lower);
                let n = binary(builder, &arith::SUBI, end, lower);
                let mask = arith::constant_index(builder, -block);
                binary(builder, &arith::ANDI, n, mask)
            }
        };
        let middle = binary(builder, &arith::ADDI, lower, length);
        let step = arith::constant_index(builder, block);
        let blocks = scf::build_for(builder, lower, middle, step, inits);
        self.fill_with_block(builder, old, scf::For(blocks), block);
        let body = scf::For(blocks).body(builder.ir);
        // What one iteration stores, the next one may load.
        forward_in(builder.ir, body, true);
        let carried: Vec<Value> = builder.ir.results(blocks).to_vec();
        if trip_count.is_some_and(|n| n % block == 0) {
            return carried;
        }
        let rest = scf::build_for(builder, middle, upper, one, &carried);
        self.fill(builder, old, scf::For(rest));
        builder.ir.results(rest).to_vec()
    }

    /// Fills the body of a new loop with several iterations of an old one.
    fn fill_with_block(
        &mut self,
        builder: &mut Builder<'_>,
        old: scf::For,
        new: scf::For,
        block: i64,
    ) {
        let (old_body, new_body) = (old.body(builder.ir), new.body(builder.ir));
        let counter = new.induction_variable(builder.ir);
        let old_counter = old.induction_variable(builder.ir);
        let arguments: Vec<Value> = old.iter_args(builder.ir).to_vec();
        let mut carried: Vec<Value> = new.iter_args(builder.ir).to_vec();
        let mut inner = match carried[..] {
            [] => {
                let end = new.yield_op(builder.ir);
                Builder::before(builder.ir, end)
            }
            _ => Builder::at_end(builder.ir, new_body),
        };
        self.columns = Some(Block::default());
        for i in 0..block {
            if let Some(columns) = &mut self.columns {
                columns.at = i as usize;
            }
            let distance = arith::constant_index(&mut inner, i);
            let number = inner.value(&arith::ADDI, &[counter, distance], Type::INDEX);
            self.scalars.values.insert(old_counter, number);
            self.learn(&arguments, &carried);
            self.block(&mut inner, old_body);
            carried = self.yielded(&mut inner, old);
        }
        self.columns = None;
        if !arguments.is_empty() {
            scf::build_yield(&mut inner, &carried);
        }
    }

    /// An access of a column, beginning at these subscripts in its first lane.
    pub(super) fn column(
        &mut self,
        builder: &mut Builder<'_>,
        (access, column): (Access, Column),
        (buffer, indices): (Value, Vec<Value>),
    ) {
        let value = access.value(builder.ir);
        let Some(mut block) = self.columns.take() else {
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
        self.columns = Some(block);
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

/// The elements at these places of two vectors one after the other.
pub(super) fn shuffle(
    builder: &mut Builder<'_>,
    vectors: [Value; 2],
    places: impl IntoIterator<Item = i64>,
) -> Value {
    let context = builder.context();
    let places: Vec<Attr> = places.into_iter().map(|at| context.i64_attr(at)).collect();
    let element = context.element_type_or_self(builder.ir.value_type(vectors[0]));
    let ty = vector::vector_type(&context, &[places.len() as i64], element);
    let mask = context.array_attr(&places);
    builder.value_with_attr(&vector::SHUFFLE, &vectors, ty, Name::MASK, mask)
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
