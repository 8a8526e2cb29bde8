//! `interchange-loops`: nests of loops go through memory in the order in which it lies there.
//!
//! Before:
//! ```mlir
//! scf.for %k = %c0 to %l step %c1 {
//!   scf.for %j = %c0 to %m step %c1 {
//!     scf.for %i = %c0 to %n step %c1 { c[i, j] += a[i, k] * b[k, j] }
//!   }
//! }
//! ```
//! After:
//! ```mlir
//! scf.for %i = %c0 to %n step %c1 {
//!   scf.for %j = %c0 to %m step %c1 {
//!     scf.for %k = %c0 to %l step %c1 { c[i, j] += a[i, k] * b[k, j] }
//!   }
//! }
//! ```
//! The loops are put in the order of the subscripts of what is stored, and those that no subscript counts, which add
//! something up, inside of them. That is done where the innermost loop would go down columns and another one would
//! not, or where something is added up that no vectors are made of otherwise. Where addresses must be compared to know
//! that buffers do not overlap, the new nest stands in a `scf.if`, and the old one in its other branch.
//!
//! Why this is right: the same iterations run, each with the same operations. Of two accesses of one buffer, one a
//! store, those in different iterations reach different elements if a subscript has the counter of a loop in which the
//! iterations differ, and the layout puts different subscripts at different places. So only iterations that are the
//! same in all such loops must keep their order, and they do: the other loops keep theirs. Different buffers are
//! apart.

use freehold_frontend::dialects::{arith, scf};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::Type;

use super::guards::build_branches;
use super::marks::{is_disjoint, jammed_name, vectorized_name};
use super::vector_plan::Plan;
use crate::analysis::loop_memory::{self, Access, Pairs};
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "interchange-loops",
    summary: "put nested loops in the order in which memory lies",
    anchor: Anchor::Function,
    run,
};

/// A nest is not copied for the sake of comparing addresses if it has more operations: bounds the code,
/// which is there twice then. The same limit as for `fuse-loops`; larger nests keep their order, which is always right.
const MAX_COPIED_OPS: usize = 64;

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        if ir.is(op, &scf::FOR)
            && let Some(nest) = Nest::of(ir, op)
            && let Some(order) = nest.order(ir)
        {
            nest.interchange(ir, &order);
            context.count("nests interchanged", 1);
        }
    }
    Ok(())
}

/// Loops of which each has nothing but the next one inside.
struct Nest {
    loops: Vec<Op>,
    /// Constants between them.
    constants: Vec<Op>,
    accesses: Vec<Access>,
    /// The buffers that must be apart.
    pairs: Pairs,
}

impl Nest {
    /// The nest that begins with `op`, if its loops can be interchanged at all.
    fn of(ir: &Ir, op: Op) -> Option<Self> {
        let mut loops = Vec::new();
        let mut constants = Vec::new();
        let mut next = Some(op);
        while let Some(op) = next.filter(|&op| is_simple(ir, op)) {
            let first = *loops.first().unwrap_or(&op);
            let is_known = |&bound: &Value| {
                let constant = ir.defined_by(bound, &arith::CONSTANT);
                constant.is_some() || loop_memory::is_outside(ir, bound, first)
            };
            if !ir.operands(op).iter().all(is_known) {
                break;
            }
            loops.push(op);
            let body = ir.ops_in(scf::For(op).body(ir));
            let (between, mut others): (Vec<Op>, Vec<Op>) = body
                .filter(|&inner| !ir.is(inner, &scf::YIELD))
                .partition(|&inner| ir.is(inner, &arith::CONSTANT));
            next = others.pop().filter(|_| others.is_empty());
            constants.push(between);
        }
        let &first = loops.first()?;
        // What the innermost loop has inside stays there.
        constants.pop();
        let accesses = loop_memory::accesses(ir, first).filter(|_| loops.len() > 1)?;
        let context = ir.context();
        let is_plain = |access: &Access| {
            let memref = context.as_memref(ir.value_type(access.buffer));
            loop_memory::is_outside(ir, access.buffer, first)
                && memref.is_some_and(|memref| {
                    ir.value_type(access.value(ir)) == memref.element
                        && (!access.is_store || loop_memory::is_injective(context, memref))
                })
        };
        if !accesses.iter().all(is_plain) {
            return None;
        }
        let pairs = match is_disjoint(ir, first, &accesses) {
            true => Pairs::new(),
            false => loop_memory::unknown_pairs(ir, first, &accesses)?,
        };
        let is_small = || {
            let most = ir.capped(MAX_COPIED_OPS);
            ir.walk(first).take(most + 1).count() <= most
        };
        (pairs.is_empty() || is_small()).then(|| Self {
            loops,
            constants: constants.concat(),
            accesses,
            pairs,
        })
    }

    /// Whether `index` is the counter of this loop of the nest plus what the whole nest does not change.
    fn counts(&self, ir: &Ir, loop_op: Op, index: Value) -> bool {
        let counter = scf::For(loop_op).induction_variable(ir);
        loop_memory::counts(ir, self.loops[0], counter, index)
    }

    /// The loops that should be in place of those that are there, from the outside in, if others should be.
    fn order(&self, ir: &Ir) -> Option<Vec<usize>> {
        let all = 0..self.loops.len();
        let mut stores = self.accesses.iter().filter(|access| access.is_store);
        let order_of = |store: &Access| {
            let dim = |&number: &usize| {
                let mut indices = store.indices(ir).iter();
                indices.position(|&index| self.counts(ir, self.loops[number], index))
            };
            let mut order: Vec<usize> = all.clone().collect();
            order.sort_by_key(|number| dim(number).unwrap_or(usize::MAX));
            let n_counted = all.clone().filter(|number| dim(number).is_some()).count();
            (order, n_counted)
        };
        let (order, n_counted) = order_of(stores.next()?);
        let is_same = stores.all(|store| order_of(store) == (order.clone(), n_counted));
        let innermost = *self.loops.last()?;
        if order.is_sorted()
            || !is_same
            || n_counted == 0
            || Plan::of(ir, innermost).is_some()
            || !self.keeps_order(ir, &order)
        {
            return None;
        }
        // Of the loops that what is stored has subscripts for, the one inside of the others.
        let new = order[n_counted - 1];
        let counted = &order[..n_counted];
        let old = all.clone().rev().find(|number| counted.contains(number))?;
        let moves_sums = old + 1 == self.loops.len() && n_counted < self.loops.len();
        let is_better = self.n_rows(ir, new) > self.n_rows(ir, old);
        (is_better || moves_sums && new == old).then_some(order)
    }

    /// How many accesses go along rows with this loop.
    fn n_rows(&self, ir: &Ir, number: usize) -> usize {
        let is_row = |access: &&Access| {
            let last = access.indices(ir).last();
            last.is_some_and(|&last| self.counts(ir, self.loops[number], last))
        };
        self.accesses.iter().filter(is_row).count()
    }

    /// Whether iterations that may reach the same element of a buffer that is stored to keep their order.
    fn keeps_order(&self, ir: &Ir, order: &[usize]) -> bool {
        let stores = self.accesses.iter().filter(|access| access.is_store);
        let pairs = stores.flat_map(|store| {
            let same = |other: &&Access| other.buffer == store.buffer;
            self.accesses
                .iter()
                .filter(same)
                .map(move |other| (store, other))
        });
        pairs.into_iter().all(|(store, other)| {
            let differs = |number: usize| {
                let mut both = store.indices(ir).iter().zip(other.indices(ir));
                both.any(|(&a, &b)| {
                    self.counts(ir, self.loops[number], a) && loop_memory::is_same_number(ir, a, b)
                })
            };
            let others = order.iter().filter(|&&number| !differs(number));
            others.is_sorted()
        })
    }

    /// Puts the loops in this order.
    fn interchange(&self, ir: &mut Ir, order: &[usize]) {
        let first = self.loops[0];
        for &constant in &self.constants {
            ir.move_op_before(constant, first);
        }
        let mut builder = Builder::before(ir, first);
        if let Some(condition) = loop_memory::build_disjoint(&mut builder, &self.pairs) {
            let copy = ir.clone_op(first, &mut IrMap::default());
            build_branches(ir, first, condition, &[copy]);
            let left_alone = [vectorized_name(ir), jammed_name(ir)];
            for op in ir.walk(copy).collect::<Vec<Op>>() {
                if ir.is(op, &scf::FOR) {
                    for name in left_alone {
                        ir.set_attr(op, name, Attr::UNIT);
                    }
                }
            }
        }
        let counters: Vec<Value> = (self.loops.iter())
            .map(|&op| scf::For(op).induction_variable(ir))
            .collect();
        let bounds: Vec<Vec<Value>> = (self.loops.iter())
            .map(|&op| ir.operands(op).to_vec())
            .collect();
        let uses: Vec<Vec<_>> = (counters.iter())
            .map(|&counter| ir.uses(counter).to_vec())
            .collect();
        for (place, &number) in order.iter().enumerate() {
            ir.set_operands(self.loops[place], &bounds[number]);
            for used in &uses[number] {
                ir.set_operand(used.op, used.index as usize, counters[place]);
            }
        }
    }
}

/// Whether a loop counts an index, carries nothing, and has not been looked at before.
fn is_simple(ir: &Ir, op: Op) -> bool {
    ir.is(op, &scf::FOR)
        && ir.results(op).is_empty()
        && ir.value_type(scf::For(op).induction_variable(ir)) == Type::INDEX
        && ![vectorized_name(ir), jammed_name(ir)]
            .into_iter()
            .any(|name| ir.has_attr(op, name))
}
