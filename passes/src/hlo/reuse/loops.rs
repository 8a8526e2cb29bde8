//! Loop simplification: buffers that a loop only moves round, and that are all
//! freed behind it, are freed by the names they had before it.
//!
//! Each free is then of another one of these buffers, so if they are used behind the
//! loop, all are freed where the last of them was, unless something is allocated
//! in between.

use freehold_frontend::dialects::memref;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::interfaces::RegionPoint;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::buffers::ops_inner_first;
use crate::analysis::travels::forwarded_by;
use crate::analysis::union_find::UnionFind;

/// Simplifies all region operations; returns how many frees changed.
pub(in crate::hlo) fn run(ir: &mut Ir) -> u64 {
    let mut count = 0;
    for op in ops_inner_first(ir) {
        let has_regions = ir.def(op).region_branch.is_some() && !ir.regions(op).is_empty();
        if has_regions
            && ir
                .results(op)
                .iter()
                .any(|&v| freed_beside(ir, v).is_some())
        {
            count += simplify(ir, op);
        }
    }
    count
}

/// The only free of `value`, if it is beside the operation it comes from.
fn freed_beside(ir: &Ir, value: Value) -> Option<Op> {
    let definition = ir.defining_op(value)?;
    let mut frees = ir
        .uses(value)
        .iter()
        .filter(|u| ir.is(u.op, &memref::DEALLOC));
    let free = frees.next()?.op;
    (frees.next().is_none() && ir.block_of(free) == ir.block_of(definition)).then_some(free)
}

/// The last one of `frees`, which are in one block, if all of them can wait for it.
fn last_of(ir: &Ir, frees: &[Op]) -> Option<Op> {
    let is_first = |a: Op, b: Op| ir.is_before_in_block(a, b);
    let first = frees
        .iter()
        .copied()
        .reduce(|a, b| if is_first(a, b) { a } else { b })?;
    let last = frees
        .iter()
        .copied()
        .reduce(|a, b| if is_first(a, b) { b } else { a })?;
    let mut current = first;
    for _ in 0..ir.capped(MAX_DISTANCE) {
        if current == last {
            return Some(last);
        }
        let takes_memory = !ir.all_effects(current, &mut |_, effect| {
            effect.kind != EffectKind::Allocate
        });
        if takes_memory {
            return None;
        }
        current = ir.next_op(current)?;
    }
    None
}

/// How many operations are looked at between the frees behind a loop: bounds compile time.
const MAX_DISTANCE: usize = 256;

/// Values that may be each other.
#[derive(Default)]
struct Class {
    /// What comes in from before the operation.
    operands: Vec<Value>,
    deallocs: Vec<Op>,
    /// Whether results are used but to free them.
    is_used: bool,
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
            match freed_beside(ir, value) {
                Some(dealloc) => {
                    class.deallocs.push(dealloc);
                    class.is_used |= !ir.has_one_use(value);
                }
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
        if class.is_used && class.deallocs.len() > 1 {
            let Some(last) = last_of(ir, &class.deallocs) else {
                continue;
            };
            for &dealloc in class.deallocs.iter().filter(|&&dealloc| dealloc != last) {
                ir.move_op_before(dealloc, last);
            }
        }
        for (&dealloc, &operand) in class.deallocs.iter().zip(&class.operands) {
            ir.set_operand(dealloc, 0, operand);
            count += 1;
        }
    }
    count
}
