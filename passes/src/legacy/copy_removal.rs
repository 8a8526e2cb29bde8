//! `copy-removal`: removes copies between two buffers where one is enough,
//! with the allocation and the dealloc of the other.
//!
//! Reusing the source, when it ends with the copy:
//! ```mlir
//! %a = memref.alloc() : memref<4xf32>             %a = memref.alloc() : memref<4xf32>
//! "fill"(%a) : (memref<4xf32>) -> ()              "fill"(%a) : (memref<4xf32>) -> ()
//! %b = memref.alloc() : memref<4xf32>             return %a : memref<4xf32>
//! memref.copy %a, %b : ...
//! memref.dealloc %a : memref<4xf32>
//! return %b : memref<4xf32>
//! ```
//! Reusing the target, when the source was made for the copy:
//! ```mlir
//! %a = memref.alloc() : memref<4xf32>             "fill"(%b) : (memref<4xf32>) -> ()
//! "fill"(%a) : (memref<4xf32>) -> ()
//! memref.copy %a, %b : ...
//! memref.dealloc %a : memref<4xf32>
//! ```
//!
//! In both cases the copy, the dealloc of the source and the allocation that
//! goes are in one block; nothing that may be the source is used between the
//! copy and the dealloc, and nothing that may be the target between the
//! allocation that goes and the copy. Any operation with the copy interface is
//! a copy. Types are equal, so views need no other strides.
//!
//! Soundness. Source: until the copy only the source exists for the program, from the copy on only
//! the target does, and it starts with the same contents. Target: writes to the source go to the
//! target from then on, and the target is not accessed before the copy.
//!
//! Memory of others may be the source or the target by another name, or overlap
//! it in part: two arguments, say. While the two buffers exist for the program, it
//! must not be looked at unless it is known to be apart, as the passes on loops
//! know it: allocations and different globals are, two arguments are not.
//!
//! What may share memory is found by connecting everything that flows, views and
//! merges connect; that is coarse, but enough for copies that passes insert.

use cranelift_entity::SecondaryMap;
use freehold_frontend::dialects::memref;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::dominance::Dominance;
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;

use crate::analysis::flow::{Origin, ValueFlow};
use crate::analysis::frees::uses_owners;
use crate::analysis::loop_memory::{are_distinct, is_injective};
use crate::analysis::union_find::UnionFind;
use crate::manage::pass::{Anchor, PassContext, PassDef};

/// How many operations between allocation, copy and dealloc are looked at: bounds compile time.
const MAX_DISTANCE: usize = 256;
/// How many uses of a buffer are looked at to find where it is freed: bounds compile time.
const MAX_USES: usize = 64;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "copy-removal",
    summary: "remove copies by using one buffer for both sides",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    // An owner may free any buffer, wherever that is.
    if uses_owners(ir) {
        return Ok(());
    }
    let flow = ValueFlow::new(ir);
    // Where addresses are looked at, one buffer must not be two.
    if flow.has_handles() {
        return Ok(());
    }
    let mut memory = Memory::new(ir, &flow);
    let copies: Vec<Op> = ir
        .walk(ir.root())
        .filter(|&op| ir.def(op).copy.is_some())
        .collect();
    let (mut n_sources, mut n_targets) = (0, 0);
    for op in copies {
        if reuse_source(ir, &mut memory, op) {
            n_sources += 1;
        } else if reuse_target(ir, &mut memory, op) {
            n_targets += 1;
        }
    }
    context.count("sources reused", n_sources);
    context.count("targets reused", n_targets);
    Ok(())
}

/// What may share memory.
struct Memory {
    dominance: Dominance,
    /// The number of the base of each buffer, plus one.
    index: SecondaryMap<Value, u32>,
    sets: UnionFind,
    /// Of each set, by its smallest number: whether it may be memory that the
    /// function did not allocate.
    external: Vec<bool>,
}

impl Memory {
    fn new(ir: &Ir, flow: &ValueFlow) -> Self {
        let bases = flow.bases();
        let mut memory = Self {
            dominance: Dominance::new(ir),
            index: SecondaryMap::new(),
            sets: UnionFind::new(bases.len()),
            external: vec![false; bases.len()],
        };
        for (index, &base) in bases.iter().enumerate() {
            for &member in flow.members(base) {
                memory.index[member] = index as u32 + 1;
            }
        }
        for &base in bases {
            let connected = flow.merges(base).iter().copied().chain(
                flow.flows_out(base)
                    .iter()
                    .flat_map(|&id| flow.flow(id).targets.iter().copied()),
            );
            for other in connected {
                memory.join(base, other);
            }
        }
        for &base in bases {
            // A call may return memory of anybody.
            let is_call = ir
                .defining_op(base)
                .is_some_and(|op| ir.def(op).call.is_some());
            if (is_call || matches!(flow.origin(base), Origin::External))
                && let Some(set) = memory.set(base)
            {
                memory.external[set] = true;
            }
        }
        memory
    }

    fn set(&mut self, value: Value) -> Option<usize> {
        match self.index[value] {
            0 => None,
            index => Some(self.sets.root(index as usize - 1)),
        }
    }

    /// Two buffers may share memory from now on.
    fn join(&mut self, a: Value, b: Value) {
        if let (Some(a), Some(b)) = (self.set(a), self.set(b)) {
            let is_external = self.external[a] || self.external[b];
            self.sets.join(a, b);
            let root = self.sets.root(a);
            self.external[root] = is_external;
        }
    }

    fn is_external(&mut self, value: Value) -> bool {
        self.set(value).is_some_and(|set| self.external[set])
    }

    /// Whether `op` may reach `value` through an alias: `value` is, and so is something `op` reads
    /// or writes, which is not known to be apart from it. Two of these may overlap in part, so it
    /// does not help that `op` reads each element before it writes the same one.
    fn is_seen_by(&mut self, ir: &Ir, op: Op, value: Value) -> bool {
        self.is_external(value)
            && (ir.def(op).is_unregistered()
                || !ir.all_effects(op, &mut |_, effect| {
                    effect.value.is_some_and(|seen| {
                        !self.is_external(seen) || are_distinct(ir, seen, value)
                    })
                }))
    }

    /// Whether something used by `op` or inside of it may be `value` by its
    /// name or by one that it is connected with.
    fn uses(&mut self, ir: &Ir, op: Op, value: Value, budget: &mut usize) -> bool {
        let set = self.set(value);
        ir.walk(op).any(|inner| {
            *budget = budget.saturating_sub(1);
            *budget == 0
                || ir
                    .operands(inner)
                    .iter()
                    .any(|&v| ir.is_memref(v) && self.set(v) == set)
        })
    }

    /// Whether `value` is used strictly between `start` and `end`, of one
    /// block; also if that is too far to say.
    fn is_used_between(&mut self, ir: &Ir, start: Op, end: Op, value: Value) -> bool {
        let mut budget = ir.capped(MAX_DISTANCE);
        let mut current = ir.next_op(start);
        while let Some(op) = current {
            if op == end {
                return false;
            }
            if self.uses(ir, op, value, &mut budget) {
                return true;
            }
            current = ir.next_op(op);
        }
        true
    }
}

/// The operations strictly between two of one block, `start` and `end`.
fn between(ir: &Ir, start: Op, end: Op) -> impl Iterator<Item = Op> {
    std::iter::successors(ir.next_op(start), |&op| ir.next_op(op)).take_while(move |&op| op != end)
}

/// A copy, taken apart.
struct Parts {
    copy: Op,
    source: Value,
    target: Value,
    /// The dealloc of the source after the copy, in the same block.
    dealloc: Op,
}

impl Parts {
    fn of(ir: &Ir, copy: Op) -> Option<Self> {
        if ir.is_erased(copy) {
            return None;
        }
        let interface = ir.def(copy).copy?;
        let (source, target) = ((interface.source)(ir, copy), (interface.target)(ir, copy));
        let is_memref = ir.is_memref(source) && ir.is_memref(target);
        if !is_memref || ir.value_type(source) != ir.value_type(target) || source == target {
            return None;
        }
        let uses = ir.uses(source);
        if uses.len() > ir.capped(MAX_USES) {
            return None;
        }
        let dealloc = uses.iter().map(|u| u.op).find(|&user| {
            ir.is(user, &memref::DEALLOC)
                && !ir.has_attr(user, Name::MANUAL_DEALLOCATION)
                && ir.block_of(user) == ir.block_of(copy)
                && ir.is_before_in_block(copy, user)
        })?;
        Some(Self {
            copy,
            source,
            target,
            dealloc,
        })
    }

    /// The allocation of `buffer` before the copy, in the same block.
    fn allocation(&self, ir: &Ir, buffer: Value) -> Option<Op> {
        let op = ir.defining_op(buffer)?;
        let is_here = ir.block_of(op) == ir.block_of(self.copy);
        let is_allocation = ir.own_effects(op).is_some_and(|effects| {
            effects.iter().all(|e| e.kind == EffectKind::Allocate)
                && effects.has(EffectKind::Allocate, buffer)
        });
        let is_plain = !ir.is(op, &memref::ALLOCA) && !ir.has_attr(op, Name::MANUAL_DEALLOCATION);
        (is_here && is_allocation && is_plain && ir.results(op).len() == 1).then_some(op)
    }

    /// Replaces one buffer by the other; what allocates, copies and frees goes.
    fn merge(&self, ir: &mut Ir, memory: &mut Memory, allocation: Op, kept: Value) {
        memory.join(self.source, self.target);
        ir.erase_op(self.copy);
        ir.erase_op(self.dealloc);
        ir.replace_op(allocation, &[kept]);
    }
}

/// `%b = alloc; copy %a, %b; dealloc %a` is `%a` from then on.
fn reuse_source(ir: &mut Ir, memory: &mut Memory, copy: Op) -> bool {
    let Some(parts) = Parts::of(ir, copy) else {
        return false;
    };
    let Some(allocation) = parts.allocation(ir, parts.target) else {
        return false;
    };
    let is_free = ir
        .attr(allocation, Name::ALIGNMENT)
        .is_none_or(|alignment| {
            let source = ir.defining_op(parts.source);
            source.is_some_and(|op| ir.attr(op, Name::ALIGNMENT) == Some(alignment))
        })
        && !memory.is_used_between(ir, allocation, copy, parts.target)
        && !memory.is_used_between(ir, copy, parts.dealloc, parts.source)
        && !between(ir, copy, parts.dealloc).any(|op| memory.is_seen_by(ir, op, parts.source));
    if is_free {
        parts.merge(ir, memory, allocation, parts.source);
    }
    is_free
}

/// `%a = alloc; ...; copy %a, %b; dealloc %a` is `%b` all along.
fn reuse_target(ir: &mut Ir, memory: &mut Memory, copy: Op) -> bool {
    let Some(parts) = Parts::of(ir, copy) else {
        return false;
    };
    let Some(allocation) = parts.allocation(ir, parts.source) else {
        return false;
    };
    let is_free = ir.attr(allocation, Name::ALIGNMENT).is_none()
        && has_places(ir, parts.target)
        && memory
            .dominance
            .value_dominates(ir, parts.target, allocation)
        && !memory.is_used_between(ir, copy, parts.dealloc, parts.source)
        && !memory.is_used_between(ir, allocation, copy, parts.target)
        && is_target_unseen(ir, memory, allocation, &parts);
    if is_free {
        parts.merge(ir, memory, allocation, parts.target);
    }
    is_free
}

/// Whether no alias can observe the target after writes to the source go to the target instead.
fn is_target_unseen(ir: &Ir, memory: &mut Memory, allocation: Op, parts: &Parts) -> bool {
    let mut is_written = false;
    !between(ir, allocation, parts.copy).any(|op| {
        let mut budget = ir.capped(MAX_DISTANCE);
        is_written |= memory.uses(ir, op, parts.source, &mut budget);
        is_written && memory.is_seen_by(ir, op, parts.target)
    })
}

/// Whether the layout of `buffer` gives each element a place of its own.
fn has_places(ir: &Ir, buffer: Value) -> bool {
    let context = ir.context();
    let memref = context.as_memref(ir.value_type(buffer));
    memref.is_some_and(|memref| is_injective(context, memref))
}
