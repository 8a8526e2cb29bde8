//! What goes along one dimension and carries something: `scan`, `topk` and
//! `arg_compare`.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::scf::While;
use freehold_frontend::dialects::{arith, linalg, scf};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, Type};

use super::{
    at, bounds, builder_at, choose, dimension, element_type, index_cast, inline_body, load,
    loops_around, store,
};
use crate::rewrite::sequential_loops::build_nest;

/// The first output is the first element, or the accumulator if elements themselves are not
/// included; each other one is what the body makes of the one before and an element. The
/// accumulator becomes the last output.
pub(super) fn lower_scan(ir: &mut Ir, op: Op) {
    let (input, output, accumulator) = (ir.operand(op, 0), ir.operand(op, 1), ir.operand(op, 2));
    let dimension = dimension(ir, op);
    let is_inclusive = ir.attr(op, Name::INCLUSIVE) == Some(Attr::TRUE);
    let size = linalg::interface::shape(ir, input)[dimension];

    let (around, [zero, length, one]) = loops_around(ir, op, input, dimension);
    let outer = &around.variables;
    let place = match size {
        0 => return,
        DYNAMIC => {
            let mut builder = builder_at(ir, op, around.anchor);
            let has_any = arith::compare(&mut builder, CmpIPredicate::Ugt, length, zero);
            then_branch(&mut builder, has_any)
        }
        _ => around.anchor,
    };
    let mut builder = builder_at(ir, op, place);
    let first = match is_inclusive {
        true => load(&mut builder, input, &at(outer, dimension, zero)),
        false => load(&mut builder, accumulator, outer),
    };
    store(&mut builder, first, output, &at(outer, dimension, zero));

    let rest = build_nest(ir, place, &[[one, length, one]], &[first]);
    let mut builder = builder_at(ir, op, rest.anchor);
    let k = rest.variables[0];
    let from = match is_inclusive {
        true => k,
        false => builder.value(&arith::SUBI, &[k, one], Type::INDEX),
    };
    let x = load(&mut builder, input, &at(outer, dimension, from));
    let value = inline_body(&mut builder, op, &[rest.carried[0], x]);
    store(&mut builder, value, output, &at(outer, dimension, k));
    let last = rest.finish(ir, vec![value])[0];
    store(&mut builder_at(ir, op, place), last, accumulator, outer);
}

/// An `scf.if` without results; what runs under `condition` goes before the operation returned.
fn then_branch(builder: &mut Builder<'_>, condition: Value) -> Op {
    let branch = scf::build_if(builder, condition, &[], false);
    scf::If(branch).then_yield(builder.ir)
}

/// Elements that are compared with the last output together, which vectors do: a register of `f32`. Most of long rows do
/// not come before it (`ranking`, benches/models, has rows of 1,000).
const BLOCK: i64 = 16;

/// An element that comes before the last output goes into the outputs, which are in order: those that come after it move on
/// by one, from the last one on. Of equal ones the one with the smaller position comes first. Other elements change nothing.
pub(super) fn lower_topk(ir: &mut Ir, op: Op) {
    let group = |group| ir.operand_group(op, group).first().copied();
    let (values, indices) = (ir.operand(op, 0), group(1));
    let (Some(best), Some(positions)) = (group(2), group(3)) else {
        return;
    };
    let dimension = dimension(ir, op);
    let size = |buffer| linalg::interface::shape(ir, buffer)[dimension];
    let (n_best, n_elements) = (size(best), size(values));
    if n_best == 0 {
        return;
    }
    let (around, [zero, length, one]) = loops_around(ir, op, values, dimension);
    let outermost = match around.variables.is_empty() {
        true => op,
        false => around.outermost(),
    };
    let n_outputs = bounds(ir, op, outermost, best, [dimension])[0][1];
    let mut place = around.anchor;
    let mut builder = builder_at(ir, op, place);
    // Of a run-time number of outputs there may be no last one.
    if n_best == DYNAMIC {
        let has_any = arith::compare(&mut builder, CmpIPredicate::Ne, n_outputs, zero);
        place = then_branch(&mut builder, has_any);
        builder = builder_at(ir, op, place);
    }
    let last = builder.value(&arith::SUBI, &[n_outputs, one], Type::INDEX);
    let topk = TopK {
        op,
        values,
        indices,
        best,
        positions,
        dimension,
        last,
        outer: around.variables.clone(),
    };
    let mut rest = zero;
    if n_best != DYNAMIC && (n_elements == DYNAMIC || n_elements >= 4 * BLOCK) {
        let mut builder = builder_at(ir, op, place);
        let block = arith::constant_index(&mut builder, BLOCK);
        rest = match n_elements {
            DYNAMIC => {
                let left_over = builder.value(&arith::REMSI, &[length, block], Type::INDEX);
                builder.value(&arith::SUBI, &[length, left_over], Type::INDEX)
            }
            n => arith::constant_index(&mut builder, n - n % BLOCK),
        };
        let blocks = build_nest(ir, place, &[[zero, rest, block]], &[]);
        let first = blocks.variables[0];
        let place = topk.if_any_enters(ir, blocks.anchor, (first, [zero, block, one]));
        let mut builder = builder_at(ir, op, place);
        let last = builder.value(&arith::ADDI, &[first, block], Type::INDEX);
        topk.insert(ir, place, [first, last, one]);
        if n_elements % BLOCK == 0 && n_elements != DYNAMIC {
            return;
        }
    }
    topk.insert(ir, place, [rest, length, one]);
}

/// What `topk` works on.
struct TopK {
    op: Op,
    values: Value,
    /// The positions of the elements, if they are not their numbers.
    indices: Option<Value>,
    best: Value,
    positions: Value,
    dimension: usize,
    /// The number of the last output.
    last: Value,
    /// The subscripts of the row at hand.
    outer: Vec<Value>,
}

impl TopK {
    /// Puts elements of these numbers in order into the outputs.
    fn insert(&self, ir: &mut Ir, anchor: Op, along: [Value; 3]) {
        let (op, loc) = (self.op, ir.loc(self.op));
        let elements = build_nest(ir, anchor, &[along], &[]);
        let mut builder = builder_at(ir, op, elements.anchor);
        let b = &mut builder;
        let entry = self.element(b, elements.variables[0]);
        let last = self.output(b, self.last);
        let enters = compare_entries(b, op, entry, last);
        let place = then_branch(b, enters);

        let mut builder = builder_at(ir, op, place);
        let types = [
            Type::INDEX,
            builder.ir.value_type(last.0),
            builder.ir.value_type(last.1),
        ];
        let moves = While(scf::build_while(&mut builder, &types, &[self.last]));
        let (before, after) = (moves.before_block(ir), moves.after_block(ir));

        let slot = ir.block_args(before)[0];
        let mut builder = Builder::at_end(ir, before);
        builder.set_loc(loc);
        let b = &mut builder;
        let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
        let is_later = arith::compare(b, CmpIPredicate::Sgt, slot, zero);
        // The first output is read again where there is none in front.
        let previous = b.value(&arith::SUBI, &[slot, one], Type::INDEX);
        let previous = b.value(&arith::MAXSI, &[previous, zero], Type::INDEX);
        let old = self.output(b, previous);
        let enters = compare_entries(b, op, entry, old);
        let goes_on = b.value(&arith::ANDI, &[is_later, enters], Type::I1);
        scf::build_condition(b, goes_on, &[slot, old.0, old.1]);

        let [slot, value, position] = ir.block_args(after)[..] else {
            unreachable!("the condition hands on three values")
        };
        let mut builder = Builder::at_end(ir, after);
        builder.set_loc(loc);
        let b = &mut builder;
        self.set_output(b, slot, (value, position));
        let one = arith::constant_index(b, 1);
        let previous = b.value(&arith::SUBI, &[slot, one], Type::INDEX);
        scf::build_yield(b, &[previous]);

        let slot = ir.result(moves.0, 0);
        self.set_output(&mut builder_at(ir, op, place), slot, entry);
    }

    /// Before which goes what is for blocks of elements of which one comes before the last output: those from `first` on,
    /// at these distances.
    fn if_any_enters(
        &self,
        ir: &mut Ir,
        anchor: Op,
        (first, distances): (Value, [Value; 3]),
    ) -> Op {
        let mut builder = builder_at(ir, self.op, anchor);
        let last = self.output(&mut builder, self.last);
        let none = arith::constant_int(&mut builder, Type::I32, 0);
        let elements = build_nest(ir, anchor, &[distances], &[none]);
        let mut builder = builder_at(ir, self.op, elements.anchor);
        let b = &mut builder;
        let number = b.value(&arith::ADDI, &[first, elements.variables[0]], Type::INDEX);
        let entry = self.element(b, number);
        let enters = compare_entries(b, self.op, entry, last);
        let enters = b.value(&arith::EXTUI, &[enters], Type::I32);
        let any = b.value(&arith::ORI, &[elements.carried[0], enters], Type::I32);
        let any = elements.finish(ir, vec![any])[0];
        let mut builder = builder_at(ir, self.op, anchor);
        let is_any = arith::compare(&mut builder, CmpIPredicate::Ne, any, none);
        then_branch(&mut builder, is_any)
    }

    /// An element and its position.
    fn element(&self, b: &mut Builder<'_>, number: Value) -> (Value, Value) {
        let here = at(&self.outer, self.dimension, number);
        let value = load(b, self.values, &here);
        let position = match self.indices {
            Some(indices) => load(b, indices, &here),
            None => index_cast(b, number, element_type(b.ir, self.positions)),
        };
        (value, position)
    }

    /// An output and its position.
    fn output(&self, b: &mut Builder<'_>, slot: Value) -> (Value, Value) {
        let slot = at(&self.outer, self.dimension, slot);
        (load(b, self.best, &slot), load(b, self.positions, &slot))
    }

    fn set_output(&self, b: &mut Builder<'_>, slot: Value, (value, position): (Value, Value)) {
        let slot = at(&self.outer, self.dimension, slot);
        store(b, value, self.best, &slot);
        store(b, position, self.positions, &slot);
    }
}

/// Whether a value comes before an old one, or is an equal one with a smaller position.
fn compare_entries(
    b: &mut Builder<'_>,
    op: Op,
    (value, position): (Value, Value),
    (old_value, old_position): (Value, Value),
) -> Value {
    let comes_first = inline_body(b, op, &[value, old_value]);
    let comes_last = inline_body(b, op, &[old_value, value]);
    let truth = arith::constant_int(b, Type::I1, 1);
    let stays = b.value(&arith::XORI, &[comes_last, truth], Type::I1);
    let is_earlier = arith::compare(b, CmpIPredicate::Slt, position, old_position);
    let is_earlier = b.value(&arith::ANDI, &[stays, is_earlier], Type::I1);
    b.value(&arith::ORI, &[comes_first, is_earlier], Type::I1)
}

/// The outputs are compared with all elements in order, and replaced by those that come first.
pub(super) fn lower_arg_compare(ir: &mut Ir, op: Op) {
    let group = |group| ir.operand_group(op, group).first().copied();
    let (values, indices, base) = (ir.operand(op, 0), group(1), group(4));
    let (Some(best), Some(positions)) = (group(2), group(3)) else {
        return;
    };
    let dimension = dimension(ir, op);
    let position_type = element_type(ir, positions);

    let (around, along) = loops_around(ir, op, values, dimension);
    let outer = &around.variables;
    let mut builder = builder_at(ir, op, around.anchor);
    let first = [
        load(&mut builder, best, outer),
        load(&mut builder, positions, outer),
    ];
    let elements = build_nest(ir, around.anchor, &[along], &first);
    let mut builder = builder_at(ir, op, elements.anchor);
    let b = &mut builder;
    let here = at(outer, dimension, elements.variables[0]);
    let value = load(b, values, &here);
    let position = match (indices, base) {
        (Some(indices), _) => load(b, indices, &here),
        (None, Some(base)) => {
            let sum = b.value(&arith::ADDI, &[base, elements.variables[0]], Type::INDEX);
            index_cast(b, sum, position_type)
        }
        (None, None) => index_cast(b, elements.variables[0], position_type),
    };
    let comes_first = inline_body(b, op, &[value, elements.carried[0]]);
    let value = choose(b, comes_first, value, elements.carried[0]);
    let position = choose(b, comes_first, position, elements.carried[1]);
    let results = elements.finish(ir, vec![value, position]);
    let mut builder = builder_at(ir, op, around.anchor);
    store(&mut builder, results[0], best, outer);
    store(&mut builder, results[1], positions, outer);
}
