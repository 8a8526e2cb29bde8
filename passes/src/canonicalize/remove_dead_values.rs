//! `remove-dead-values`: what no result and no effect of the program depends on goes, across loops, branches and calls.
//!
//! Before:
//! ```mlir
//! %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (f32, f32) {
//!   %s = arith.addf %a, %x : f32
//!   %t = arith.mulf %b, %x : f32
//!   scf.yield %s, %t : f32, f32
//! }
//! return %r#0 : f32
//! ```
//! After:
//! ```mlir
//! %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (f32) {
//!   %s = arith.addf %a, %x : f32
//!   scf.yield %s : f32
//! }
//! return %r : f32
//! ```
//!
//! Needed is what an operation with effects uses, what decides on control flow, and what these are made of: a circle of
//! values that only feed each other is not. Private functions whose calls are all known lose arguments and results.
//! Operations whose regions this pass does not know keep all that they have.

use std::sync::Arc;

use cranelift_entity::EntitySet;
use freehold_frontend::dialects::{affine, scf};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Value, ValueDef};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use rustc_hash::FxHashMap;

use crate::analysis::dead_code::ReasonsToKeep;
use crate::analysis::flow::is_return;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;
use crate::rewrite::signature::{Signature, callee, symbols_used_as_values};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// accepted for compatibility; what becomes simpler is left to canonicalize
        "canonicalize" canonicalize: bool = true,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "remove-dead-values",
    summary: "remove operations, arguments and results that nothing depends on",
    anchor: Anchor::ModuleOrFunction,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let mut n_removed = 0;
    match ir.has_trait(ir.root(), Traits::FUNCTION) {
        true => {
            let needs = Needs::default();
            let live = Liveness::of(ir, None, &needs);
            n_removed += remove(ir, &live, &needs);
        }
        false => run_on_module(ir, &mut n_removed),
    }
    context.count("values removed", n_removed);
    Ok(())
}

/// The live parts of the private functions of a module whose calls are all known, by name.
#[derive(Default)]
struct Needs(FxHashMap<Arc<str>, Need>);

/// The live parts of a function.
#[derive(Clone)]
struct Need {
    arguments: Vec<bool>,
    results: Vec<bool>,
}

/// Attributes that do not count arguments or results. A function with others keeps its type.
const KNOWN_ATTRIBUTES: [Name; 5] = [
    Name::SYM_NAME,
    Name::SYM_VISIBILITY,
    Name::FUNCTION_TYPE,
    Name::ARG_ATTRS,
    Name::RES_ATTRS,
];

fn run_on_module(ir: &mut Ir, n_removed: &mut u64) {
    let used_as_values = symbols_used_as_values(ir);
    let mut names: Vec<(Op, Option<Arc<str>>)> = Vec::new();
    let mut needs = Needs::default();
    for stub in functions::functions(ir) {
        let Some(function) = ir
            .nested(stub)
            .filter(|function| function.root_block().is_some())
        else {
            continue;
        };
        let name: Option<Arc<str>> = ir.symbol_name(stub).map(Arc::from);
        let attrs = ir.context().dict(function.attrs(function.root()));
        let is_known = ir.is_private(stub)
            && name
                .as_ref()
                .is_some_and(|name| !used_as_values.contains(&**name))
            && attrs
                .iter()
                .all(|(name, _)| KNOWN_ATTRIBUTES.contains(name));
        if is_known
            && let Some(name) = &name
            && let Some(signature) = Signature::of(function, function.root())
        {
            let need = Need {
                arguments: vec![false; signature.inputs.len()],
                results: vec![false; signature.results.len()],
            };
            needs.0.insert(Arc::clone(name), need);
        }
        names.push((stub, name));
    }
    // Until nothing more is needed.
    let mut changed = true;
    while changed {
        changed = false;
        for (stub, name) in &names {
            let Some(function) = ir.nested(*stub) else {
                continue;
            };
            let live = Liveness::of(function, name.as_deref(), &needs);
            let found = live.needs_of(function, name.as_deref());
            for (name, is_argument, index) in found {
                let Some(need) = needs.0.get_mut(&name) else {
                    continue;
                };
                let list = if is_argument {
                    &mut need.arguments
                } else {
                    &mut need.results
                };
                if let Some(known) = list.get_mut(index) {
                    changed |= !*known;
                    *known = true;
                }
            }
        }
    }
    for (stub, name) in &names {
        if let Some(function) = ir.nested_mut(*stub) {
            let live = Liveness::of(function, name.as_deref(), &needs);
            let need = name.as_ref().and_then(|name| needs.0.get(name));
            // What is returned in vain is used up to here.
            *n_removed += need.map_or(0, |need| drop_returned(function, need));
            *n_removed += remove(function, &live, &needs);
            *n_removed += need.map_or(0, |need| drop_arguments(function, need));
        }
    }
    for stub in functions::nested_modules(ir) {
        if let Some(nested) = ir.nested_mut(stub) {
            run_on_module(nested, n_removed);
        }
    }
}

/// Whether the pass knows how to take values from an operation with regions.
fn is_shrinkable(ir: &Ir, op: Op) -> bool {
    is_loop(ir, op)
        || ir.is(op, &scf::WHILE)
        || ir.is(op, &scf::IF)
        || ir.is(op, &scf::INDEX_SWITCH)
        || ir.is(op, &affine::IF)
}

/// Whether result, argument, initial and yielded value number `i` are one variable.
fn is_loop(ir: &Ir, op: Op) -> bool {
    ir.is(op, &scf::FOR) || ir.is(op, &scf::FOR_UNSIGNED) || ir.is(op, &affine::FOR)
}

/// The group of operands of a loop that its variables start from.
fn init_group(ir: &Ir, op: Op) -> usize {
    match ir.is(op, &affine::FOR) {
        true => 2,
        false => 3,
    }
}

/// The last operations of the blocks of an operation's regions.
fn ends(ir: &Ir, op: Op, region: usize) -> Vec<Op> {
    let blocks = ir.blocks_in(ir.region(op, region));
    blocks.filter_map(|block| ir.last_op(block)).collect()
}

/// The live values in a function.
struct Liveness<'a> {
    needs: &'a Needs,
    /// The live parts of the function itself, if known.
    own: Option<&'a Need>,
    values: EntitySet<Value>,
    ops: EntitySet<Op>,
    stack: Vec<Value>,
}

impl<'a> Liveness<'a> {
    fn of(ir: &Ir, name: Option<&str>, needs: &'a Needs) -> Self {
        let mut live = Self {
            needs,
            own: name.and_then(|name| needs.0.get(name)),
            values: EntitySet::new(),
            ops: EntitySet::new(),
            stack: Vec::new(),
        };
        let mut reasons = ReasonsToKeep::default();
        let mut walk = ir.walk(ir.root());
        while let Some(op) = walk.next() {
            if op == ir.root() {
                continue;
            }
            let is_end = ir.has_trait(op, Traits::TERMINATOR);
            if is_end {
                // Those of regions are needed as their operations are.
                let is_outermost = ir.parent_op(op) == Some(ir.root());
                if is_outermost {
                    live.need_op(ir, op);
                }
                continue;
            }
            let is_needed = match is_shrinkable(ir, op) {
                true => ir.own_effects(op).is_none_or(|effects| !effects.is_empty()),
                false => !reasons.would_be_trivially_dead(ir, op),
            };
            if is_needed {
                live.need_op(ir, op);
            }
            if !is_shrinkable(ir, op) && !ir.regions(op).is_empty() {
                walk.skip_regions(op);
            }
        }
        while let Some(value) = live.stack.pop() {
            live.need_source(ir, value);
        }
        live
    }

    /// The function does `op`.
    fn need_op(&mut self, ir: &Ir, op: Op) {
        if op == ir.root() || !self.ops.insert(op) {
            return;
        }
        if let Some(parent) = ir.parent_op(op) {
            self.need_op(ir, parent);
        }
        let operands = ir.operands(op);
        if !ir.successors(op).is_empty() {
            let ranges = ir
                .def(op)
                .branch
                .map(|branch| (branch.all_successor_operands)(ir, op));
            let ranges = ranges.unwrap_or_default();
            let forwarded = |index: usize| ranges.iter().any(|range| range.contains(&index));
            let others = operands
                .iter()
                .enumerate()
                .filter(|&(index, _)| !forwarded(index));
            self.stack.extend(others.map(|(_, &operand)| operand));
        } else if let Some(need) = self.own.filter(|_| is_return(ir, op)) {
            let needed = operands
                .iter()
                .zip(&need.results)
                .filter(|&(_, &is_needed)| is_needed);
            self.stack.extend(needed.map(|(&operand, _)| operand));
        } else if let Some(need) = callee(ir, op).and_then(|name| self.needs.0.get(name)) {
            let needed = operands
                .iter()
                .zip(&need.arguments)
                .filter(|&(_, &is_needed)| is_needed);
            self.stack.extend(needed.map(|(&operand, _)| operand));
        } else if is_shrinkable(ir, op) {
            let n_control = match () {
                () if is_loop(ir, op) => ir.operand_group_range(op, init_group(ir, op)).start,
                () if ir.is(op, &scf::WHILE) => 0,
                () => operands.len(),
            };
            self.stack.extend_from_slice(&operands[..n_control]);
            for region in 0..ir.regions(op).len() {
                for end in ends(ir, op, region) {
                    self.need_op(ir, end);
                }
            }
        } else if ir.is(op, &scf::CONDITION) {
            self.stack.push(operands[0]);
        } else if !self.is_end_of_shrinkable(ir, op) {
            self.stack.extend_from_slice(operands);
            // All inside.
            for inner in ir.walk(op).skip(1) {
                self.ops.insert(inner);
                self.stack.extend_from_slice(ir.operands(inner));
            }
        }
    }

    fn is_end_of_shrinkable(&self, ir: &Ir, op: Op) -> bool {
        let parent = ir.parent_op(op).filter(|&parent| parent != ir.root());
        ir.def(op).region_terminator.is_some()
            && parent.is_some_and(|parent| is_shrinkable(ir, parent))
    }

    /// Something needs `value`: what it is made of is needed, too.
    fn need_source(&mut self, ir: &Ir, value: Value) {
        if !self.values.insert(value) {
            return;
        }
        match ir.value_def(value) {
            ValueDef::Result(op, index) => {
                self.need_op(ir, op);
                if is_shrinkable(ir, op) {
                    self.need_variable(ir, op, index as usize, None);
                }
            }
            ValueDef::Argument(block, index) => {
                let index = index as usize;
                let Some(parent) = ir.block_parent_op(block) else {
                    return;
                };
                if !ir.is_entry_block(block) {
                    for u in ir.block_uses(block) {
                        self.need_op(ir, u.op);
                        let operands = ir.successor_operands(u.op, u.index as usize);
                        self.stack.extend(operands.get(index));
                    }
                } else if parent != ir.root() {
                    self.need_op(ir, parent);
                    if is_shrinkable(ir, parent) {
                        self.need_variable(ir, parent, index, Some(block));
                    }
                }
            }
        }
    }

    /// Result `index` of `op` is needed, or argument `index` of one of its blocks.
    fn need_variable(&mut self, ir: &Ir, op: Op, index: usize, block: Option<Block>) {
        let push = |stack: &mut Vec<Value>, end: Op, index: usize| {
            stack.extend(ir.operands(end).get(index));
        };
        if is_loop(ir, op) {
            // Argument 0 counts.
            let Some(index) = (match block {
                Some(_) => index.checked_sub(1),
                None => Some(index),
            }) else {
                return;
            };
            self.stack
                .extend(ir.operand_group(op, init_group(ir, op)).get(index));
            for end in ends(ir, op, 0) {
                push(&mut self.stack, end, index);
            }
        } else if ir.is(op, &scf::WHILE) {
            if block == Some(scf::While(op).before_block(ir)) {
                self.stack.extend(ir.operands(op).get(index));
                push(&mut self.stack, scf::While(op).yield_op(ir), index);
            } else {
                push(&mut self.stack, scf::While(op).condition_op(ir), index + 1);
            }
        } else if block.is_none() {
            for region in 0..ir.regions(op).len() {
                for end in ends(ir, op, region) {
                    push(&mut self.stack, end, index);
                }
            }
        }
    }

    /// What this function needs of itself and of others: name, whether it is an argument, and which.
    fn needs_of(&self, ir: &Ir, name: Option<&str>) -> Vec<(Arc<str>, bool, usize)> {
        let mut found = Vec::new();
        if let Some(name) = name.filter(|name| self.needs.0.contains_key(*name)) {
            let arguments = ir
                .root_block()
                .map_or(&[][..], |block| ir.block_args(block));
            let needed = arguments
                .iter()
                .enumerate()
                .filter(|&(_, &v)| self.values.contains(v));
            found.extend(needed.map(|(index, _)| (Arc::from(name), true, index)));
        }
        for op in ir.walk(ir.root()).filter(|&op| self.ops.contains(op)) {
            if let Some(callee) = callee(ir, op).filter(|name| self.needs.0.contains_key(*name)) {
                let results = ir.results(op).iter().enumerate();
                let needed = results.filter(|&(_, &v)| self.values.contains(v));
                found.extend(needed.map(|(index, _)| (Arc::from(callee), false, index)));
            }
        }
        found
    }

    /// Which of `values` are needed, as [`remove_where`] wants to know it.
    fn dead(&self, values: &[Value]) -> Vec<bool> {
        values
            .iter()
            .map(|&value| !self.values.contains(value))
            .collect()
    }
}

/// The last of `flags` first: indices of those that are set.
fn set_indices(flags: &[bool]) -> Vec<usize> {
    (0..flags.len())
        .rev()
        .filter(|&index| flags[index])
        .collect()
}

/// Removes dead values; returns how many operations, arguments and results.
fn remove(ir: &mut Ir, live: &Liveness<'_>, needs: &Needs) -> u64 {
    let ops = ir.collect_ops(ir.root());
    let dead: Vec<Op> = (ops.iter().copied())
        .filter(|&op| op != ir.root() && !live.ops.contains(op))
        .collect();
    // First nothing uses what goes: dead operations and what is forwarded to dead places.
    for &op in &dead {
        ir.set_operands(op, &[]);
    }
    let mut n_removed = 0;
    let mut results: Vec<(Op, Vec<usize>)> = Vec::new();
    let mut arguments: Vec<(Block, Vec<usize>)> = Vec::new();
    for &op in ops.iter().filter(|&&op| live.ops.contains(op)) {
        let mut drop_results = Vec::new();
        if is_loop(ir, op) {
            let body = ir.entry_block(ir.region(op, 0));
            let Some(body) = body else { continue };
            let of_results = live.dead(ir.results(op));
            let of_arguments = live.dead(&ir.block_args(body)[1..]);
            let gone: Vec<bool> = of_results
                .iter()
                .zip(&of_arguments)
                .map(|(&a, &b)| a && b)
                .collect();
            let indices = set_indices(&gone);
            let group = init_group(ir, op);
            let inits = ir.operand_group(op, group).to_vec();
            let kept: Vec<Value> = inits
                .iter()
                .zip(&gone)
                .filter(|(_, gone)| !**gone)
                .map(|(&v, _)| v)
                .collect();
            if !indices.is_empty() {
                ir.set_operand_group(op, group, &kept);
            }
            drop_operands(ir, &ends(ir, op, 0), &indices, 0);
            arguments.push((body, indices.iter().map(|index| index + 1).collect()));
            drop_results = indices;
        } else if ir.is(op, &scf::WHILE) {
            let view = scf::While(op);
            let (before, after) = (view.before_block(ir), view.after_block(ir));
            let (condition, end) = (view.condition_op(ir), view.yield_op(ir));
            let carried = set_indices(&live.dead(ir.block_args(before)));
            for &index in &carried {
                ir.remove_operand(op, index);
            }
            drop_operands(ir, &[end], &carried, 0);
            let of_results = live.dead(ir.results(op));
            let of_arguments = live.dead(ir.block_args(after));
            let gone: Vec<bool> = of_results
                .iter()
                .zip(&of_arguments)
                .map(|(&a, &b)| a && b)
                .collect();
            let forwarded = set_indices(&gone);
            drop_operands(ir, &[condition], &forwarded, 1);
            arguments.push((before, carried));
            arguments.push((after, forwarded.clone()));
            drop_results = forwarded;
        } else if is_shrinkable(ir, op) {
            drop_results = set_indices(&live.dead(ir.results(op)));
            for region in 0..ir.regions(op).len() {
                let ends = ends(ir, op, region);
                drop_operands(ir, &ends, &drop_results, 0);
            }
        } else if let Some(need) = callee(ir, op).and_then(|name| needs.0.get(name)) {
            for index in (0..need.arguments.len()).rev() {
                if !need.arguments[index] {
                    ir.remove_operand(op, index);
                    n_removed += 1;
                }
            }
            let dead: Vec<bool> = need.results.iter().map(|&is_needed| !is_needed).collect();
            drop_results = set_indices(&dead);
        }
        if !drop_results.is_empty() {
            results.push((op, drop_results));
        }
    }
    for block in ir.collect_blocks(ir.root()) {
        let is_inner = !ir.is_entry_block(block)
            && ir
                .block_parent_op(block)
                .is_some_and(|op| op == ir.root() || live.ops.contains(op));
        let can_drop = |ir: &Ir| {
            ir.block_uses(block)
                .iter()
                .all(|u| ir.def(u.op).branch.is_some())
        };
        if !is_inner || !can_drop(ir) {
            continue;
        }
        let indices = set_indices(&live.dead(ir.block_args(block)));
        for u in ir.block_uses(block).to_vec() {
            if let Some(branch) = ir.def(u.op).branch.filter(|_| !indices.is_empty()) {
                for &index in &indices {
                    (branch.remove_successor_operand)(ir, u.op, u.index as usize, index);
                }
            }
        }
        arguments.push((block, indices));
    }
    for (op, indices) in results {
        n_removed += indices.len() as u64;
        for index in indices {
            ir.remove_result(op, index);
        }
    }
    for (block, indices) in arguments {
        n_removed += indices.len() as u64;
        for index in indices {
            ir.remove_block_arg(block, index);
        }
    }
    for op in dead {
        if !ir.is_erased(op) {
            ir.erase_op(op);
            n_removed += 1;
        }
    }
    n_removed
}

/// Removes operands, the last first, of the ends of blocks; `first` stand before those that are forwarded.
fn drop_operands(ir: &mut Ir, ends: &[Op], indices: &[usize], first: usize) {
    for &end in ends {
        for &index in indices {
            if first + index < ir.operands(end).len() {
                ir.remove_operand(end, first + index);
            }
        }
    }
}

/// Removes the unused results of a function.
fn drop_returned(ir: &mut Ir, need: &Need) -> u64 {
    let root = ir.root();
    let Some(mut signature) = Signature::of(ir, root) else {
        return 0;
    };
    let dead: Vec<bool> = need.results.iter().map(|&is_needed| !is_needed).collect();
    let dead = set_indices(&dead);
    let returns: Vec<Op> = ir.walk(root).filter(|&op| is_return(ir, op)).collect();
    for &index in &dead {
        for &op in &returns {
            ir.remove_operand(op, index);
        }
        signature.results.remove(index);
    }
    if !dead.is_empty() {
        signature.store(ir, root);
    }
    dead.len() as u64
}

/// Takes the arguments from a function that its body does without.
fn drop_arguments(ir: &mut Ir, need: &Need) -> u64 {
    let root = ir.root();
    let (Some(mut signature), Some(block)) = (Signature::of(ir, root), ir.root_block()) else {
        return 0;
    };
    let dead: Vec<bool> = need.arguments.iter().map(|&is_needed| !is_needed).collect();
    let dead = set_indices(&dead);
    for &index in &dead {
        ir.remove_block_arg(block, index);
        signature.inputs.remove(index);
    }
    if !dead.is_empty() {
        signature.store(ir, root);
    }
    dead.len() as u64
}
