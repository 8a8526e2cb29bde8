//! Comparisons of integers that repeat an earlier one.
//!
//! Passes that simplify conditions write the negation of `a < b` as `a >= b`,
//! a comparison of its own, and a lowered dealloc compares the same addresses
//! with `ne` to free and with `eq` to say who owns. To the checker an `i1` that
//! it knows nothing of may be anything, so it has to know that of two such
//! comparisons one is what the other is, or is not.
//!
//! Values do not change, so a comparison repeats every other one of the same
//! operands that dominates it: whatever runs an operand again runs that one
//! again too.

use freehold_frontend::dialects::arith::{self, CmpIPredicate};
use freehold_frontend::dialects::index;
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::dominance::Dominance;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use rustc_hash::FxHashMap;

use super::values;

/// A comparison that dominates another one of the same operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Repeated {
    /// The result of the first such comparison.
    pub(super) earlier: Value,
    /// Whether the other one has the opposite result.
    pub(super) negated: bool,
}

/// What a comparison asks, so that comparisons with the same answer, or with
/// opposite answers, ask the same.
#[derive(PartialEq, Eq, Hash)]
struct Question {
    predicate: CmpIPredicate,
    lhs: Value,
    rhs: Value,
}

/// For each comparison in `ir` that repeats another one, which one.
pub(super) fn repeated(ir: &Ir) -> FxHashMap<Value, Repeated> {
    let mut repeated = FxHashMap::default();
    let dominance = Dominance::new(ir);
    let mut constants: FxHashMap<Attr, Value> = FxHashMap::default();
    // Where each question was asked last. In this order, what does not
    // dominate one comparison does not dominate those after it.
    let mut asked: FxHashMap<Question, (Op, bool)> = FxHashMap::default();
    for op in in_dominance_order(ir, &dominance) {
        let Some((question, negated)) = question(ir, op, &mut constants) else {
            continue;
        };
        match asked.get(&question) {
            Some(&(earlier, was_negated)) if dominance.properly_dominates_op(ir, earlier, op) => {
                let (earlier, negated) = (ir.result(earlier, 0), negated != was_negated);
                repeated.insert(ir.result(op, 0), Repeated { earlier, negated });
            }
            _ => {
                asked.insert(question, (op, negated));
            }
        }
    }
    repeated
}

/// What `op` asks, and whether its result is the opposite answer.
fn question(ir: &Ir, op: Op, constants: &mut FxHashMap<Attr, Value>) -> Option<(Question, bool)> {
    let predicate = values::comparison(ir, op)?;
    let mut operand = |index| {
        let value = values::address_root(ir, ir.operand(op, index));
        let constant = ir
            .defining_op(value)
            .filter(|&op| ir.is(op, &arith::CONSTANT) || ir.is(op, &index::CONSTANT))
            .and_then(|op| ir.attr(op, Name::VALUE));
        match constant {
            Some(constant) => *constants.entry(constant).or_insert(value),
            None => value,
        }
    };
    let (lhs, rhs) = (operand(0), operand(1));
    let (predicate, lhs, rhs) = match lhs <= rhs {
        true => (predicate, lhs, rhs),
        false => (predicate.swapped(), rhs, lhs),
    };
    let negated = matches!(
        predicate,
        CmpIPredicate::Ne
            | CmpIPredicate::Sge
            | CmpIPredicate::Sgt
            | CmpIPredicate::Uge
            | CmpIPredicate::Ugt
    );
    let predicate = match negated {
        true => predicate.inverted(),
        false => predicate,
    };
    Some((
        Question {
            predicate,
            lhs,
            rhs,
        },
        negated,
    ))
}

/// All operations in reachable blocks, so that those a block dominates come
/// in one piece after it.
fn in_dominance_order(ir: &Ir, dominance: &Dominance) -> Vec<Op> {
    let ops_below = |op: Op| {
        let mut ops = Vec::new();
        for &region in ir.regions(op) {
            match dominance.tree(region) {
                Some(tree) => ops.extend(tree.preorder().flat_map(|block| ir.ops_in(block))),
                None => ops.extend(ir.entry_block(region).iter().flat_map(|&b| ir.ops_in(b))),
            }
        }
        ops.into_iter()
    };
    let mut order = Vec::new();
    let mut stack = vec![ops_below(ir.root())];
    while let Some(ops) = stack.last_mut() {
        match ops.next() {
            Some(op) => {
                order.push(op);
                if !ir.regions(op).is_empty() {
                    stack.push(ops_below(op));
                }
            }
            None => {
                stack.pop();
            }
        }
    }
    order
}
