//! `sort` as a merge sort from the bottom up: runs of 1, 2, 4, ... elements are
//! merged two by two, from one buffer into another one and back. Of equal
//! elements the left one comes first, so the order is stable.
//!
//! A row is copied into a buffer of its own first, so that all merges have the
//! same types and consecutive elements. The inner loops have no branch: which
//! element comes next is a `select`.
//!
//! Two runs of the same length are merged from both ends at once, half of the
//! elements from each: neither run can come to its end on the way, and the two
//! do not wait for each other. If both halves have taken the same elements,
//! which happens only if the body is no order (`<` of floats with NaN), or if
//! the runs are the last ones, the runs are merged from the front, where
//! subscripts stay within the runs when one of them has come to its end. So
//! elements are never lost.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::{arith, linalg, math, memref, scf};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::{DYNAMIC, MemRefType, Type};

use super::{at, builder_at, choose, dimension, inline_body, load, loops_around, store};
use crate::rewrite::sequential_loops::build_nest;

pub(super) fn lower(ir: &mut Ir, op: Op) {
    let operands: Vec<Value> = ir.operand_group(op, 1).to_vec();
    let dimension = dimension(ir, op);
    let size = linalg::interface::shape(ir, operands[0])[dimension];

    let (around, along) = loops_around(ir, op, operands[0], dimension);
    let outermost = match around.variables.is_empty() {
        true => op,
        false => around.outermost(),
    };
    let mut builder = builder_at(ir, op, outermost);
    let length = along[1];
    let n_rounds = n_rounds(&mut builder, size, length);
    let scratch: Vec<Value> = (0..2)
        .flat_map(|_| operands.iter())
        .map(|&operand| alloc_row(&mut builder, operand, size, length))
        .collect();

    let [zero, _, one] = along;
    let (first, _) = scratch.split_at(operands.len());
    let copy_in = build_nest(ir, around.anchor, &[along], &[]);
    let mut builder = builder_at(ir, op, copy_in.anchor);
    for (&operand, &row) in operands.iter().zip(first) {
        let k = copy_in.variables[0];
        let x = load(&mut builder, operand, &at(&around.variables, dimension, k));
        store(&mut builder, x, row, &[k]);
    }

    let rounds = build_nest(ir, around.anchor, &[[zero, n_rounds, one]], &scratch);
    let (from, to) = rounds.carried.split_at(operands.len());
    merge_runs(ir, op, rounds.anchor, rounds.variables[0], along, from, to);
    let exchanged = [to, from].concat();
    let sorted = rounds.finish(ir, exchanged);

    let copy_out = build_nest(ir, around.anchor, &[along], &[]);
    let mut builder = builder_at(ir, op, copy_out.anchor);
    for (&operand, &row) in operands.iter().zip(&sorted) {
        let k = copy_out.variables[0];
        let x = load(&mut builder, row, &[k]);
        store(
            &mut builder,
            x,
            operand,
            &at(&around.variables, dimension, k),
        );
    }
    let mut builder = builder_at(ir, op, op);
    for &buffer in &scratch {
        memref::build::dealloc(&mut builder, buffer);
    }
}

/// How often runs are merged until there is one: the logarithm of the length, rounded up.
fn n_rounds(builder: &mut Builder<'_>, size: i64, length: Value) -> Value {
    if size != DYNAMIC {
        let n = size.max(1) as u64;
        return arith::constant_index(builder, i64::from(n.next_power_of_two().ilog2()));
    }
    let one = arith::constant_index(builder, 1);
    let length = builder.value(&arith::MAXUI, &[length, one], Type::INDEX);
    let last = builder.value(&arith::SUBI, &[length, one], Type::INDEX);
    let last = builder.value(&arith::INDEX_CAST, &[last], Type::I64);
    let zeros = builder.value(&math::CTLZ, &[last], Type::I64);
    let zeros = builder.value(&arith::INDEX_CAST, &[zeros], Type::INDEX);
    let bits = arith::constant_index(builder, 64);
    builder.value(&arith::SUBI, &[bits, zeros], Type::INDEX)
}

/// A buffer for one row of `operand`.
fn alloc_row(builder: &mut Builder<'_>, operand: Value, size: i64, length: Value) -> Value {
    let element = linalg::interface::element_type(builder.ir, operand);
    let ty = builder
        .context()
        .memref_type(MemRefType::identity(&[size], element));
    let sizes = [length];
    memref::build::alloc(builder, ty, &sizes[..usize::from(size == DYNAMIC)])
}

/// Merges runs of `1 << round` elements of the rows `from` into runs of twice that in `to`.
fn merge_runs(
    ir: &mut Ir,
    op: Op,
    before: Op,
    round: Value,
    along: [Value; 3],
    from: &[Value],
    to: &[Value],
) {
    let [zero, length, one] = along;
    let (index, loc) = (Type::INDEX, ir.loc(op));
    let mut builder = builder_at(ir, op, before);
    let width = builder.value(&arith::SHLI, &[one, round], index);
    let twice = builder.value(&arith::ADDI, &[width, width], index);
    let pairs = build_nest(ir, before, &[[zero, length, twice]], &[]);

    let mut builder = builder_at(ir, op, pairs.anchor);
    let start = pairs.variables[0];
    let end_of = |builder: &mut Builder<'_>, width: Value| {
        let end = builder.value(&arith::ADDI, &[start, width], index);
        builder.value(&arith::MINUI, &[end, length], index)
    };
    let middle = end_of(&mut builder, width);
    let end = end_of(&mut builder, twice);
    let last_left = builder.value(&arith::SUBI, &[middle, one], index);
    let last_right = builder.value(&arith::SUBI, &[end, one], index);
    let size = builder.value(&arith::SUBI, &[end, start], index);
    let is_even = arith::compare(&mut builder, CmpIPredicate::Eq, size, twice);
    let runs = Runs {
        op,
        from,
        to,
        one,
        ends: [start, middle, end],
        lasts: [last_left, last_right],
    };

    let no = arith::constant_bool(&mut builder, false);
    let branch = scf::If(scf::build_if(&mut builder, is_even, &[Type::I1], true));
    for block in [Some(branch.then_block(ir)), branch.else_block(ir)] {
        let block = block.expect("both blocks are there");
        let mut builder = Builder::at_end(ir, block);
        builder.set_loc(loc);
        scf::build_yield(&mut builder, &[no]);
    }
    let merged = branch.then_yield(ir);
    let is_complete = runs.merge_from_both_ends(ir, merged, [zero, width]);
    ir.set_operands(merged, &[is_complete]);
    let is_complete = ir.result(branch.0, 0);

    let mut builder = builder_at(ir, op, pairs.anchor);
    let yes = arith::constant_bool(&mut builder, true);
    let is_left = builder.value(&arith::XORI, &[is_complete, yes], Type::I1);
    let branch = scf::build_if(&mut builder, is_left, &[], false);
    let place = scf::If(branch).then_yield(ir);
    runs.merge_from_front(ir, place);
}

/// Two neighbouring runs of the rows `from`, to be merged into `to`.
struct Runs<'v> {
    op: Op,
    from: &'v [Value],
    to: &'v [Value],
    one: Value,
    /// Where the left one begins, where the right one does, and where that ends.
    ends: [Value; 3],
    /// Their last elements.
    lasts: [Value; 2],
}

impl Runs<'_> {
    /// Whether the element at `right` comes before the one at `left`. Asked this way, equal ones stay in order.
    fn right_is_first(&self, b: &mut Builder<'_>, left: Value, right: Value) -> Value {
        let mut candidates = Vec::new();
        for &row in self.from {
            candidates.push(load(b, row, &[right]));
            candidates.push(load(b, row, &[left]));
        }
        inline_body(b, self.op, &candidates)
    }

    /// Copies elements. They are loaded once more: a choice between numbers is no branch in any code, one between
    /// floats is.
    fn copy(&self, b: &mut Builder<'_>, from: Value, to: Value) {
        for (&old, &new) in self.from.iter().zip(self.to) {
            let x = load(b, old, &[from]);
            store(b, x, new, &[to]);
        }
    }

    /// Merges runs of equal length; whether each element was taken once.
    fn merge_from_both_ends(&self, ir: &mut Ir, before: Op, [zero, width]: [Value; 2]) -> Value {
        let index = Type::INDEX;
        let (one, [start, middle, _], [last_left, last_right]) = (self.one, self.ends, self.lasts);
        let inits = [start, middle, last_left, last_right];
        let merge = build_nest(ir, before, &[[zero, width, one]], &inits);
        let mut builder = builder_at(ir, self.op, merge.anchor);
        let b = &mut builder;
        let &[left, right, last_left, last_right] = &merge.carried[..] else {
            unreachable!("the loop carries four subscripts");
        };
        let step = merge.variables[0];
        let right_first = self.right_is_first(b, left, right);
        let left_last = self.right_is_first(b, last_left, last_right);
        let first = choose(b, right_first, right, left);
        let last = choose(b, left_last, last_left, last_right);
        let front = b.value(&arith::ADDI, &[start, step], index);
        let back = b.value(&arith::SUBI, &[self.lasts[1], step], index);
        self.copy(b, first, front);
        self.copy(b, last, back);
        let moved = |b: &mut Builder<'_>, def, at, condition, if_true: bool| {
            let next = b.value(def, &[at, one], index);
            match if_true {
                true => choose(b, condition, next, at),
                false => choose(b, condition, at, next),
            }
        };
        let next = vec![
            moved(b, &arith::ADDI, left, right_first, false),
            moved(b, &arith::ADDI, right, right_first, true),
            moved(b, &arith::SUBI, last_left, left_last, true),
            moved(b, &arith::SUBI, last_right, left_last, false),
        ];
        let met = merge.finish(ir, next);
        let mut builder = builder_at(ir, self.op, before);
        let expected = builder.value(&arith::ADDI, &[met[2], one], index);
        arith::compare(&mut builder, CmpIPredicate::Eq, met[0], expected)
    }

    fn merge_from_front(&self, ir: &mut Ir, before: Op) {
        let index = Type::INDEX;
        let (one, [start, middle, end], [last_left, last_right]) =
            (self.one, self.ends, self.lasts);
        let merge = build_nest(ir, before, &[[start, end, one]], &[start, middle]);
        let mut builder = builder_at(ir, self.op, merge.anchor);
        let b = &mut builder;
        let &[left, right] = &merge.carried[..] else {
            unreachable!("the loop carries two subscripts");
        };
        let left_within = b.value(&arith::MINUI, &[left, last_left], index);
        let right_within = b.value(&arith::MINUI, &[right, last_right], index);
        let right_first = self.right_is_first(b, left_within, right_within);
        let left_is_over = arith::compare(b, CmpIPredicate::Uge, left, middle);
        let right_is_left = arith::compare(b, CmpIPredicate::Ult, right, end);
        let wanted = b.value(&arith::ORI, &[left_is_over, right_first], Type::I1);
        let takes_right = b.value(&arith::ANDI, &[right_is_left, wanted], Type::I1);
        let next = choose(b, takes_right, right_within, left_within);
        self.copy(b, next, merge.variables[0]);
        let next_left = b.value(&arith::ADDI, &[left, one], index);
        let next_right = b.value(&arith::ADDI, &[right, one], index);
        let left = choose(b, takes_right, left, next_left);
        let right = choose(b, takes_right, next_right, right);
        merge.finish(ir, vec![left, right]);
    }
}
