//! Loop simplification: buffers that a loop only moves round, and that are all
//! freed behind it, are freed by the names they had before it.

use freehold_frontend::dialects::memref;
use freehold_frontend::interfaces::RegionPoint;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::super::owners::forwarded_by;
use super::buffers::ops_inner_first;
use crate::ownership::union_find::UnionFind;

/// Simplifies all region operations; returns how many frees changed.
pub(in crate::hlo) fn run(ir: &mut Ir) -> u64 {
    let mut count = 0;
    for op in ops_inner_first(ir) {
        let has_regions = ir.def(op).region_branch.is_some() && !ir.regions(op).is_empty();
        if has_regions && ir.results(op).iter().any(|&v| freed_only(ir, v).is_some()) {
            count += simplify(ir, op);
        }
    }
    count
}

/// The free of `value` beside the operation it comes from, if that is its only use.
fn freed_only(ir: &Ir, value: Value) -> Option<Op> {
    let &[only] = ir.uses(value) else {
        return None;
    };
    let definition = ir.defining_op(value)?;
    (ir.is(only.op, &memref::DEALLOC) && ir.block_of(only.op) == ir.block_of(definition))
        .then_some(only.op)
}

/// Values that may be each other.
#[derive(Default)]
struct Class {
    /// What comes in from before the operation.
    operands: Vec<Value>,
    deallocs: Vec<Op>,
    /// Whether something else belongs to it.
    is_open: bool,
}

fn simplify(ir: &mut Ir, op: Op) -> u64 {
    let mut edges: Vec<(Value, Value)> = forwarded_by(ir, op);
    for index in 0..ir.regions(op).len() {
        for block in ir.blocks_in(ir.region(op, index)) {
            if let Some(terminator) = ir.last_op(block) {
                edges.extend(forwarded_by(ir, terminator));
            }
        }
    }
    edges.retain(|&(from, _)| ir.is_memref(from));
    let mut numbers: IndexMap<Value, (), FxBuildHasher> = IndexMap::default();
    for &(from, to) in &edges {
        numbers.insert(from, ());
        numbers.insert(to, ());
    }
    let number = |value: Value| numbers.get_index_of(&value).unwrap_or(0);
    let mut sets = UnionFind::new(numbers.len());
    for &(from, to) in &edges {
        sets.join(number(from), number(to));
    }
    let entering: Vec<Value> = ir
        .region_successors(op, RegionPoint::Parent)
        .into_iter()
        .flat_map(|to| ir.region_entry_operands(op, to).to_vec())
        .collect();
    let mut classes: FxHashMap<usize, Class> = FxHashMap::default();
    for &value in numbers.keys() {
        let class = classes.entry(sets.root(number(value))).or_default();
        let is_result = ir.defining_op(value) == Some(op);
        let is_argument = ir.defining_op(value).is_none()
            && ir
                .value_block(value)
                .and_then(|block| ir.block_parent_op(block))
                == Some(op);
        if entering.contains(&value) {
            class.operands.push(value);
        } else if is_result {
            match freed_only(ir, value) {
                Some(dealloc) => class.deallocs.push(dealloc),
                None => class.is_open |= !ir.has_no_uses(value),
            }
        } else if !is_argument {
            class.is_open = true;
        }
    }
    let mut count = 0;
    for &value in numbers.keys() {
        let Some(class) = classes.remove(&sets.root(number(value))) else {
            continue;
        };
        if class.is_open || class.operands.len() != class.deallocs.len() {
            continue;
        }
        for (&dealloc, &operand) in class.deallocs.iter().zip(&class.operands) {
            ir.set_operand(dealloc, 0, operand);
            count += 1;
        }
    }
    count
}
