//! When two buffers certainly do not share memory, as far as their definitions
//! tell without looking at the rest of the function.

use crate::dialects::memref::GET_GLOBAL;
use crate::ir::data::Ir;
use crate::ir::effects::EffectKind;
use crate::ir::entities::{Value, ValueDef};

/// How many views on top of each other are looked through.
const MAX_VIEWS: usize = 64;

/// What `value` is a view of, through all views; `None` if they are too many.
pub(super) fn base_of(ir: &Ir, value: Value) -> Option<Value> {
    let mut value = value;
    for _ in 0..ir.capped(MAX_VIEWS) {
        let Some(op) = ir.defining_op(value) else {
            return Some(value);
        };
        match ir.def(op).view_source {
            Some(source) if ir.is_memref(value) => value = source(ir, op),
            _ => return Some(value),
        }
    }
    None
}

/// Whether `value` is new memory made by the operation that defines it.
pub(super) fn is_fresh(ir: &Ir, value: Value) -> bool {
    ir.defining_op(value)
        .and_then(|op| ir.own_effects(op))
        .is_some_and(|effects| effects.has(EffectKind::Allocate, value))
}

/// Whether `value` was there before `fresh` was allocated, wherever both are
/// available.
fn is_older(ir: &Ir, value: Value, fresh: Value) -> bool {
    let (Some(block), Some(allocation)) = (ir.value_block(value), ir.defining_op(fresh)) else {
        return false;
    };
    let Some(at) = ir.ancestor_in_block(allocation, block) else {
        return false;
    };
    match ir.value_def(value) {
        ValueDef::Argument(..) => true,
        ValueDef::Result(op, _) => op != at && ir.is_before_in_block(op, at),
    }
}

/// Whether two buffers, given by what they are views of, do not overlap.
pub(super) fn are_distinct(ir: &Ir, a: Value, b: Value) -> bool {
    if a == b {
        return false;
    }
    let is_global = |value| ir.defined_by(value, &GET_GLOBAL).is_some();
    match (is_fresh(ir, a), is_fresh(ir, b)) {
        (true, true) => true,
        (true, false) => is_global(b) || is_older(ir, b, a),
        (false, true) => is_global(a) || is_older(ir, a, b),
        (false, false) => false,
    }
}
