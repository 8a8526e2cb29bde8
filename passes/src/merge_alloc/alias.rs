//! The alias stage: which values may be views of which allocation.
//!
//! An edge leads from a value to each value that may view the same memory: results of views and of
//! anything else that takes a buffer and gives one (selections, calls, unknown operations), block
//! arguments, region arguments and results that the value is forwarded to. All that can be reached
//! from an allocation may be a view of it. This is directed: of a selection of `%a` and `%b`, `%a`
//! is no view of `%b`.
//!
//! Addresses are followed as well: the number that `memref.extract_aligned_pointer_as_index` gives, and all that is
//! computed from it. A loaded value is no address, since no tracked address is stored.

use cranelift_entity::{EntitySet, SecondaryMap};
use freehold_frontend::dialects::{arith, memref, vector};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Op, Use, Value, ValueDef};
use freehold_frontend::ir::interfaces::RegionPoint;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::TypeKind;
use rustc_hash::FxHashMap;

/// What may view what.
#[derive(Debug, Default)]
pub struct Aliases {
    of_alloc: FxHashMap<Op, Vec<Value>>,
    addresses: FxHashMap<Op, Vec<Value>>,
    foreign: EntitySet<Value>,
    mortal: EntitySet<Value>,
}

impl Aliases {
    /// The values that may view the memory of this `memref.alloc`, its own result first. `None` if
    /// there are too many to follow.
    pub fn of(&self, alloc: Op) -> Option<&[Value]> {
        self.of_alloc.get(&alloc).map(Vec::as_slice)
    }

    /// The numbers that depend on the address of a view of this `memref.alloc`.
    pub fn addresses(&self, alloc: Op) -> &[Value] {
        self.addresses.get(&alloc).map_or(&[], Vec::as_slice)
    }

    /// Whether the value may view memory that is not from a `memref.alloc` of [`Aliases::of`].
    pub fn is_foreign(&self, value: Value) -> bool {
        self.foreign.contains(value)
    }

    /// Whether the value may view such memory that someone may free before the function returns: not
    /// if it is the caller's, of a global, or on the stack.
    pub fn is_mortal(&self, value: Value) -> bool {
        self.mortal.contains(value)
    }
}

/// Alias sets together may be this many times as large as the function: bounds compile time.
const MAX_GROWTH: usize = 64;

/// Looks at a function; see the module doc.
pub fn analyze(ir: &Ir) -> Aliases {
    let mut budget = ir.capped(MAX_GROWTH) * (ir.n_values() + 64);
    let mut seen: SecondaryMap<Value, u32> = SecondaryMap::new();
    let mut of_alloc = FxHashMap::default();
    let mut addresses: FxHashMap<Op, Vec<Value>> = FxHashMap::default();
    let mut sources: Vec<Value> = Vec::new();
    let mut lasting: Vec<Value> = Vec::new();
    for (number, op) in (1..).zip(ir.walk(ir.root())) {
        if op == ir.root() {
            lasting.extend(ir.root_block().iter().flat_map(|&b| ir.block_args(b)));
            continue;
        }
        if [&memref::GET_GLOBAL, &memref::ALLOCA]
            .iter()
            .any(|&def| ir.is(op, def))
        {
            lasting.extend(ir.results(op));
            continue;
        }
        if !ir.is(op, &memref::ALLOC) {
            if may_give_other_memory(ir, op) {
                sources.extend(ir.results(op));
                for &region in ir.regions(op).iter().filter(|_| is_opaque(ir, op)) {
                    let entry = ir.entry_block(region);
                    sources.extend(entry.iter().flat_map(|&b| ir.block_args(b)));
                }
            }
            continue;
        }
        let mut views = vec![ir.result(op, 0)];
        seen[views[0]] = number;
        let mut next = 0;
        while let Some(&value) = views.get(next)
            && views.len() <= budget
        {
            next += 1;
            for &u in ir.uses(value) {
                for_each_target(ir, value, u, |target| {
                    if seen[target] != number {
                        seen[target] = number;
                        views.push(target);
                    }
                });
            }
        }
        let mut numbers: Vec<Value> = Vec::new();
        let mut add = |value: Value, numbers: &mut Vec<Value>| {
            if std::mem::replace(&mut seen[value], number) != number {
                numbers.push(value);
            }
        };
        let uses = views.iter().flat_map(|&view| ir.uses(view));
        for u in uses.filter(|u| ir.is(u.op, &memref::EXTRACT_ALIGNED_POINTER_AS_INDEX)) {
            add(ir.result(u.op, 0), &mut numbers);
        }
        next = 0;
        while let Some(&value) = numbers.get(next)
            && views.len() + numbers.len() <= budget
        {
            next += 1;
            for &u in ir.uses(value) {
                for_each_number(ir, u, |target| add(target, &mut numbers));
            }
        }
        if views.len() + numbers.len() <= budget {
            budget -= views.len() + numbers.len();
            if !numbers.is_empty() {
                addresses.insert(op, numbers);
            }
            of_alloc.insert(op, views);
        } else {
            sources.push(views[0]);
        }
    }
    let mortal = reachable(ir, &sources);
    sources.extend(lasting);
    Aliases {
        of_alloc,
        addresses,
        foreign: reachable(ir, &sources),
        mortal,
    }
}

/// The buffers among `sources` and all that may view them.
fn reachable(ir: &Ir, sources: &[Value]) -> EntitySet<Value> {
    let mut found = EntitySet::new();
    let mut worklist: Vec<Value> = sources
        .iter()
        .copied()
        .filter(|&v| ir.is_memref(v) && found.insert(v))
        .collect();
    while let Some(value) = worklist.pop() {
        for &u in ir.uses(value) {
            for_each_target(ir, value, u, |target| {
                if found.insert(target) {
                    worklist.push(target);
                }
            });
        }
    }
    found
}

/// Whether the operation's use of its regions is unknown.
pub(super) fn is_opaque(ir: &Ir, op: Op) -> bool {
    ir.is_opaque(op) && !ir.regions(op).is_empty()
}

/// Whether a buffer among the results may be something else than one of the operands.
fn may_give_other_memory(ir: &Ir, op: Op) -> bool {
    let def = ir.def(op);
    let passes_on = def.view_source.is_some()
        || def.region_branch.is_some()
        || ir.is(op, &arith::SELECT)
        || ir.has_trait(op, Traits::TERMINATOR);
    !passes_on || def.is_unregistered()
}

/// Calls `found` with every buffer that is `value`, or a view of it, because of this use.
fn for_each_target(ir: &Ir, value: Value, u: Use, mut found: impl FnMut(Value)) {
    let op = u.op;
    if for_each_forwarded(ir, u, &mut found) {
        return;
    }
    let memrefs = |values: &[Value], found: &mut dyn FnMut(Value)| {
        let memrefs = values.iter().copied().filter(|&v| ir.is_memref(v));
        memrefs.for_each(found);
    };
    if let Some(view_source) = ir.def(op).view_source {
        if view_source(ir, op) == value {
            memrefs(ir.results(op), &mut found);
        }
    } else {
        memrefs(ir.results(op), &mut found);
        for &region in ir.regions(op).iter().filter(|_| is_opaque(ir, op)) {
            if let Some(block) = ir.entry_block(region) {
                memrefs(ir.block_args(block), &mut found);
            }
        }
    }
}

/// Calls `found` with every number that may depend on another one because of this use, unless the use is
/// one of those that [`keeps_address`] says no to.
fn for_each_number(ir: &Ir, u: Use, mut found: impl FnMut(Value)) {
    let op = u.op;
    for_each_forwarded(ir, u, &mut found);
    // A bound of a loop is where the counter of the loop begins.
    let entries = ir.regions(op).iter().filter_map(|&r| ir.entry_block(r));
    let arguments = entries.flat_map(|block| ir.block_args(block));
    let results = match ir.regions(op).is_empty() && ir.is_memory_effect_free(op) {
        true => ir.results(op),
        false => &[],
    };
    let numbers = arguments.chain(results).filter(|&&v| !ir.is_memref(v));
    numbers.copied().for_each(found);
}

/// Whether it is certain that the address in operand `u` goes nowhere with this use but to the numbers
/// that [`Aliases::addresses`] lists. `is_library` says which calls only use addresses while they run.
pub(super) fn keeps_address(ir: &Ir, u: Use, is_library: impl Fn(Op) -> bool) -> bool {
    let op = u.op;
    let def = ir.def(op);
    if def.is_unregistered() || results_hide_buffers(ir, op) {
        return false;
    }
    if ir.has_trait(op, Traits::TERMINATOR) {
        return ir.parent_op(op) != Some(ir.root()) || def.branch.is_some();
    }
    if !ir.regions(op).is_empty() {
        return def.region_branch.is_some();
    }
    if def.call.is_some() {
        return is_library(op) && ir.results(op).is_empty();
    }
    let is_subscript = || u.index > 0 && (ir.is(op, &memref::STORE) || ir.is(op, &vector::STORE));
    let Some(effects) = ir.own_effects(op) else {
        return false;
    };
    let makes_buffers = ir.results(op).iter().any(|&v| ir.is_memref(v));
    !makes_buffers && (is_subscript() || effects.iter().all(|e| e.kind == EffectKind::Read))
}

/// Whether a result may be a buffer in disguise: a pointer, a tensor, anything of another dialect.
pub(super) fn results_hide_buffers(ir: &Ir, op: Op) -> bool {
    let hides = |&v: &Value| {
        matches!(
            ir.context().type_kind(ir.value_type(v)),
            TypeKind::RankedTensor { .. }
                | TypeKind::UnrankedTensor(_)
                | TypeKind::Tuple(_)
                | TypeKind::Dialect { .. }
        )
    };
    ir.results(op).iter().any(hides)
}

/// Calls `found` with what control flow makes of the operand. Returns whether the operation is there to
/// forward its operands.
fn for_each_forwarded(ir: &Ir, u: Use, found: &mut dyn FnMut(Value)) -> bool {
    let (op, index) = (u.op, u.index as usize);
    let def = ir.def(op);
    let mut forward = |range: std::ops::Range<usize>, inputs: &[Value]| {
        if range.contains(&index)
            && let Some(&input) = inputs.get(index - range.start)
        {
            found(input);
        }
    };
    if let Some(branch) = def.branch {
        if let Some((successor, argument)) = (branch.successor_of_operand)(ir, op, index) {
            found(ir.block_args(ir.successors(op)[successor])[argument]);
        }
    } else if let Some(interface) = def.region_branch {
        for to in ir.region_successors(op, RegionPoint::Parent) {
            let range = (interface.entry_operands)(ir, op, to);
            forward(range, ir.region_successor_inputs(op, to));
        }
    } else if let Some(terminator) = def.region_terminator
        && let Some(parent) = ir.parent_op(op)
        && ir.def(parent).region_branch.is_some()
        && let Some(region) = ir.parent_region(op)
        && let Some(from) = ir.regions(parent).iter().position(|&r| r == region)
    {
        for to in ir.region_successors(parent, RegionPoint::Region(from)) {
            let range = (terminator.operands)(ir, op, to);
            forward(range, ir.region_successor_inputs(parent, to));
        }
    } else {
        return false;
    }
    true
}

/// Whether the value is an argument of a block that other blocks branch to.
pub(super) fn is_phi(ir: &Ir, value: Value) -> bool {
    matches!(ir.value_def(value), ValueDef::Argument(block, _) if !ir.is_entry_block(block))
}
