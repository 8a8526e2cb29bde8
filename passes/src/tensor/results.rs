//! The results of structured operations: more of them, or fewer.

use freehold_frontend::dialects::linalg;
use freehold_frontend::dialects::linalg::attributes::IteratorType;
use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::tensor;
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Use, Value};
use freehold_frontend::ir::op_def::Traits;
use rustc_hash::FxHashSet;

use super::sink_producers::is_for_insertion;
use crate::rewrite::elementary_functions::is_elementary;
use crate::rewrite::structured::{replace_loop_counters, set_indexing_maps};

/// Whether an operation is on tensors and scalars alone.
pub(super) fn is_on_tensors(ir: &Ir, op: Op) -> bool {
    let mut operands = ir.operands(op).iter();
    !ir.results(op).is_empty()
        && operands.all(|&v| ir.context().as_memref(ir.value_type(v)).is_none())
}

/// An elementary function counts as this number of operations: it becomes 20 to 80.
const WEIGHT_OF_FUNCTION: usize = 32;

/// How many operations a body counts as.
pub(super) fn weight(ir: &Ir, body: Block) -> usize {
    ir.ops_in(body).map(|op| weight_of(ir, op)).sum()
}

/// How many operations one counts as.
pub(super) fn weight_of(ir: &Ir, op: Op) -> usize {
    match is_elementary(ir, op) {
        true => WEIGHT_OF_FUNCTION,
        false => 1,
    }
}

/// Removes results without uses whose old elements nothing else is computed from; returns how many.
pub(super) fn remove_unused_results(ir: &mut Ir, op: Op) -> u64 {
    let n_inputs = interface::n_inputs(ir, op);
    let mut n_removed = 0;
    for result in (0..ir.results(op).len()).rev() {
        let Some(body) = interface::body(ir, op) else {
            break;
        };
        let mut maps = interface::indexing_maps(ir, op);
        if ir.results(op).len() == 1
            || !ir.has_no_uses(ir.result(op, result))
            || maps.len() != ir.operands(op).len()
        {
            continue;
        }
        let Some(end) = ir.terminator(body) else {
            continue;
        };
        let argument = ir.block_args(body)[n_inputs + result];
        let needed = needed(ir, body, end, result);
        let is_needed = |user: &Use| needed.contains(&user.op);
        let is_also_yielded = |user: &Use| user.op == end && user.index as usize != result;
        let old_is_needed =
            (ir.uses(argument).iter()).any(|user| is_needed(user) || is_also_yielded(user));
        maps.remove(n_inputs + result);
        if old_is_needed || !names_all_loops(&maps, interface::n_loops(ir, op)) {
            continue;
        }
        ir.remove_operand(end, result);
        for inner in ir.ops_in(body).collect::<Vec<Op>>().into_iter().rev() {
            if inner != end && !needed.contains(&inner) {
                ir.erase_op(inner);
            }
        }
        ir.remove_block_arg(body, n_inputs + result);
        ir.remove_result(op, result);
        let mut outputs = interface::outputs(ir, op).to_vec();
        outputs.remove(result);
        ir.set_operand_group(op, 1, &outputs);
        set_indexing_maps(ir, op, maps);
        n_removed += 1;
    }
    n_removed
}

/// The operations of a body that do more than compute what it yields as number `unused`.
fn needed(ir: &Ir, body: Block, end: Op, unused: usize) -> FxHashSet<Op> {
    let mut needed = FxHashSet::default();
    let ops: Vec<Op> = ir.ops_in(body).collect();
    for &op in ops.iter().rev() {
        let is_used = |user: &Use| match user.op == end {
            true => user.index as usize != unused,
            // Users may be in regions of operations of the body.
            false => (ir.ancestor_in_block(user.op, body)).is_none_or(|op| needed.contains(&op)),
        };
        let mut uses = ir.results(op).iter().flat_map(|&value| ir.uses(value));
        if op != end && (!ir.is_memory_effect_free(op) || uses.any(is_used)) {
            // What it reads from outside of its regions is a use by an operation inside of them.
            needed.insert(op);
            needed.extend(ir.walk(op));
        }
    }
    needed
}

/// Whether each loop is the subscript of an operand with one of these maps.
pub(super) fn names_all_loops(maps: &[AffineMap], n_loops: usize) -> bool {
    let mut is_named = vec![false; n_loops];
    for subscript in maps.iter().flat_map(|map| &map.results) {
        if let AffineExpr::Dim(dim) = subscript {
            is_named[*dim as usize] = true;
        }
    }
    is_named.iter().all(|&is_named| is_named)
}

/// An elementwise operation and the one before it over the same elements, which become one:
/// ```mlir
/// %y = linalg.generic ... ins(%x) outs(%e) { ... math.exp ... }
/// %z = linalg.generic ... ins(%x, %y) outs(%e) { ... arith.addf ... }
/// ```
/// becomes `%z, %y = linalg.generic ... ins(%x) outs(%e, %e) { ... math.exp ... arith.addf ... }`.
pub(super) struct Pair {
    first: Op,
    second: Op,
    /// The counters of the first one in terms of those of the second one.
    counters: Vec<AffineExpr>,
    /// Of the first one, from the counters of the second one.
    maps: Vec<AffineMap>,
}

impl Pair {
    /// The operation `second` and the nearest before it that does more than make scalars and empty tensors,
    /// if both may be one. Since nothing is in between, no tensor is there for longer because of that, and those
    /// that only the second one needs are not there at all.
    pub(super) fn of(ir: &Ir, second: Op) -> Option<Self> {
        let mut first = ir.prev_op(second)?;
        while makes_no_elements(ir, first) {
            first = ir.prev_op(first)?;
        }
        // Alone, each may be computed where it is put.
        if is_for_insertion(ir, first) || is_for_insertion(ir, second) {
            return None;
        }
        let first_maps = elementwise_maps(ir, first)?;
        let second_maps = elementwise_maps(ir, second)?;
        let n_inputs = interface::n_inputs(ir, first);
        let shared = shared(ir, (first, &first_maps), (second, &second_maps))?;
        let (at_first, at_second) = shared;
        let mut counters = vec![AffineExpr::Constant(0); at_first.results.len()];
        for (dim, position) in at_first.results.iter().zip(&at_second.results) {
            let AffineExpr::Dim(dim) = dim else {
                return None;
            };
            counters[*dim as usize] = position.clone();
        }
        let maps: Vec<AffineMap> = (first_maps.iter())
            .map(|map| AffineMap {
                n_dims: at_second.n_dims,
                n_symbols: 0,
                results: (map.results.iter())
                    .map(|result| result.replace(&counters, &[]))
                    .collect(),
            })
            .collect();
        // The second one reads each element where the first one makes it; everybody else comes later.
        let block = ir.block_of(second)?;
        for (result, &value) in ir.results(first).iter().enumerate() {
            // As a result of both it could not go, and apart the second one may write where the first one did.
            let is_changed = interface::payload_uses_operand(ir, first, n_inputs + result);
            if is_changed && ir.uses(value).iter().all(|user| user.op == second) {
                return None;
            }
            for user in ir.uses(value) {
                let is_fine = if user.op == second {
                    let index = user.index as usize;
                    let is_input = index < interface::n_inputs(ir, second);
                    is_shape_alone(ir, user)
                        || is_input && second_maps[index] == maps[n_inputs + result]
                } else {
                    let other = ir.ancestor_in_block(user.op, block);
                    other.is_some_and(|other| ir.is_before_in_block(second, other))
                };
                if !is_fine {
                    return None;
                }
            }
        }
        Some(Self {
            first,
            second,
            counters,
            maps,
        })
    }

    /// The weight of both bodies, and the operands.
    pub(super) fn size(&self, ir: &Ir) -> (usize, Vec<Value>) {
        let both = [self.first, self.second];
        let bodies = both.iter().filter_map(|&op| interface::body(ir, op));
        let operands = both.iter().flat_map(|&op| ir.operands(op));
        (
            bodies.map(|body| weight(ir, body)).sum(),
            operands.copied().collect(),
        )
    }

    /// Makes the first one part of the second one, which gets its results behind its own.
    pub(super) fn merge(self, ir: &mut Ir) -> Option<()> {
        let (first, second) = (self.first, self.second);
        let (from, to) = (interface::body(ir, first)?, interface::body(ir, second)?);
        let (end, anchor) = (ir.terminator(from)?, ir.first_op(to)?);
        let yield_ = ir.terminator(to)?;
        let (n_inputs, n_old) = (
            interface::n_inputs(ir, first),
            interface::n_inputs(ir, second),
        );
        let mut maps = interface::indexing_maps(ir, second);

        // Inputs behind the inputs, outputs behind the outputs.
        let operands = ir.operands(first).to_vec();
        for (i, &operand) in operands.iter().enumerate() {
            let is_input = i < n_inputs;
            let at = if is_input { n_old + i } else { maps.len() };
            let ty = interface::element_type(ir, operand);
            let new = ir.insert_block_arg(to, at, ty);
            ir.replace_all_uses(ir.block_args(from)[i], new);
            maps.insert(at, self.maps[i].clone());
        }
        ir.append_to_operand_group(second, 0, &operands[..n_inputs]);
        ir.append_to_operand_group(second, 1, &operands[n_inputs..]);
        for op in ir.ops_in(from).collect::<Vec<Op>>() {
            if op != end {
                ir.move_op_before(op, anchor);
            }
        }
        replace_loop_counters(ir, to, anchor, &self.counters, self.counters.len());
        let yielded = ir.operands(end).to_vec();
        let n_yielded = ir.operands(yield_).len();
        ir.insert_operands(yield_, n_yielded, &yielded);

        // What the second one reads of the first one is at hand.
        for index in (0..n_old).rev() {
            let value = ir.operand(second, index);
            if let Some(result) = ir.results(first).iter().position(|&v| v == value) {
                ir.replace_all_uses(ir.block_args(to)[index], yielded[result]);
                ir.remove_block_arg(to, index);
                let mut inputs = interface::inputs(ir, second).to_vec();
                inputs.remove(index);
                ir.set_operand_group(second, 0, &inputs);
                maps.remove(index);
            }
        }
        for (result, &value) in ir.results(first).to_vec().iter().enumerate() {
            let new = ir.append_result(second, ir.value_type(value));
            // As an output, only its shape matters.
            let shape = operands[n_inputs + result];
            ir.replace_uses_if(value, shape, |_, user| user.op == second);
            ir.replace_all_uses(value, new);
        }
        ir.erase_op(first);
        set_indexing_maps(ir, second, maps);
        Some(())
    }
}

/// Whether an operation makes neither elements of tensors nor reads any.
fn makes_no_elements(ir: &Ir, op: Op) -> bool {
    let is_tensor = |&v: &Value| ir.context().shape(ir.value_type(v)).is_some();
    ir.is(op, &tensor::EMPTY)
        || ir.has_trait(op, Traits::CONSTANT_LIKE)
        || ir.regions(op).is_empty()
            && ir.is_memory_effect_free(op)
            && !ir.results(op).iter().any(is_tensor)
            && !ir.results(op).is_empty()
}

/// The maps of a `linalg.generic` that computes each element of its results in an iteration of its own.
fn elementwise_maps(ir: &Ir, op: Op) -> Option<Vec<AffineMap>> {
    if !ir.is(op, &linalg::GENERIC) || !is_on_tensors(ir, op) {
        return None;
    }
    let body = interface::body(ir, op)?;
    let mut iterators = interface::iterator_types(ir, op).into_iter();
    let maps = interface::indexing_maps(ir, op);
    let is_elementwise = maps.len() == ir.operands(op).len()
        && iterators.all(|kind| kind == IteratorType::Parallel)
        && maps[interface::n_inputs(ir, op)..]
            .iter()
            .all(AffineMap::is_permutation)
        && ir.ops_in(body).all(|inner| ir.is_memory_effect_free(inner));
    is_elementwise.then_some(maps)
}

/// How two operations read or write the same tensor, all of it once: it is an input of both, or a result of the
/// first one.
fn shared<'a>(
    ir: &Ir,
    (first, first_maps): (Op, &'a [AffineMap]),
    (second, second_maps): (Op, &'a [AffineMap]),
) -> Option<(&'a AffineMap, &'a AffineMap)> {
    let n_inputs = interface::n_inputs(ir, first);
    let results = ir.results(first).iter().zip(&first_maps[n_inputs..]);
    let inputs = interface::inputs(ir, first).iter().zip(first_maps);
    let second_inputs = interface::inputs(ir, second).iter().zip(second_maps);
    results.chain(inputs).find_map(|(value, map)| {
        let of_second = second_inputs.clone().find(|(v, _)| *v == value);
        let (_, other) = of_second.filter(|(_, other)| other.is_permutation())?;
        map.is_permutation().then_some((map, other))
    })
}

/// Whether a use is that of an output whose elements the body does not look at.
pub(super) fn is_shape_alone(ir: &Ir, user: &Use) -> bool {
    let index = user.index as usize;
    ir.is(user.op, &linalg::GENERIC)
        && index >= interface::n_inputs(ir, user.op)
        && !interface::payload_uses_operand(ir, user.op, index)
}
