//! The alias stage: which values may be views of which allocation.
//!
//! An edge leads from a value to each value that may view the same memory: results of views and of
//! anything else that takes a buffer and gives one (selections, calls, unknown operations), block
//! arguments, region arguments and results that the value is forwarded to. All that can be reached
//! from an allocation may be a view of it. This is directed: of a selection of `%a` and `%b`, `%a`
//! is no view of `%b`.

use cranelift_entity::{EntitySet, SecondaryMap};
use freehold_frontend::dialects::{arith, memref};
use freehold_frontend::interfaces::RegionPoint;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Use, Value, ValueDef};
use freehold_frontend::op_def::Traits;
use rustc_hash::FxHashMap;

use super::stages::AliasAnalysis;

/// What may view what.
#[derive(Debug, Default)]
pub struct Aliases {
    of_alloc: FxHashMap<Op, Vec<Value>>,
    foreign: EntitySet<Value>,
    mortal: EntitySet<Value>,
}

impl Aliases {
    /// The values that may view the memory of this `memref.alloc`, its own result first. `None` if
    /// there are too many to follow.
    pub fn of(&self, alloc: Op) -> Option<&[Value]> {
        self.of_alloc.get(&alloc).map(Vec::as_slice)
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

/// The default [`AliasAnalysis`]; see the module doc.
#[derive(Clone, Copy, Debug, Default)]
pub struct FlowAliases;

/// Alias sets together may be this many times as large as the function.
const MAX_GROWTH: usize = 64;

impl AliasAnalysis for FlowAliases {
    fn analyze(&self, ir: &Ir) -> Aliases {
        let mut budget = MAX_GROWTH * (ir.n_values() + 64);
        let mut seen: SecondaryMap<Value, u32> = SecondaryMap::new();
        let mut of_alloc = FxHashMap::default();
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
            if views.len() <= budget {
                budget -= views.len();
                of_alloc.insert(op, views);
            } else {
                sources.push(views[0]);
            }
        }
        let mortal = reachable(ir, &sources);
        sources.extend(lasting);
        Aliases {
            of_alloc,
            foreign: reachable(ir, &sources),
            mortal,
        }
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

/// Whether nothing is known of what the operation does with its regions.
pub(super) fn is_opaque(ir: &Ir, op: Op) -> bool {
    ir.def(op).is_unregistered() && !ir.regions(op).is_empty()
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
    } else if let Some(view_source) = def.view_source {
        if view_source(ir, op) == value {
            ir.results(op)
                .iter()
                .copied()
                .filter(|&v| ir.is_memref(v))
                .for_each(found);
        }
    } else {
        ir.results(op)
            .iter()
            .copied()
            .filter(|&v| ir.is_memref(v))
            .for_each(&mut found);
        for &region in ir.regions(op).iter().filter(|_| is_opaque(ir, op)) {
            let entry = ir.entry_block(region);
            let arguments = entry.iter().flat_map(|&block| ir.block_args(block));
            arguments
                .copied()
                .filter(|&v| ir.is_memref(v))
                .for_each(&mut found);
        }
    }
}

/// Whether the value is an argument of a block that other blocks branch to.
pub(super) fn is_phi(ir: &Ir, value: Value) -> bool {
    matches!(ir.value_def(value), ValueDef::Argument(block, _) if !ir.is_entry_block(block))
}
