//! What operations do to memory that is not a candidate's; see [`super`] for the terms.
//!
//! Deallocation passes free a buffer after its last use, so other memory may fall after everything that uses it. The
//! exceptions are memory that came in through the arguments of the function, which belongs to the caller unless the
//! function frees it itself, and memory outside the heap. A call frees all it has allocated, except for what it may
//! have put into a result or into memory that holds memrefs.

use cranelift_entity::{EntitySet, SecondaryMap};
use freehold_frontend::dialects::memref;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::effects::{EffectKind, Resource};
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::{Type, TypeKind};
use rustc_hash::FxHashSet;

use super::{Candidate, Returned};
use crate::analysis::alignment;
use crate::merge_alloc::alias::Aliases;
use crate::merge_alloc::mark_allocation_free_calls::NO_HEAP;
use crate::merge_alloc::ticks::Ticks;

/// One operation with everything inside.
#[derive(Clone, Copy, Debug)]
pub(in crate::merge_alloc) struct Summary {
    /// Other memory may surge.
    pub(in crate::merge_alloc) surges: bool,
    /// Other memory may rise.
    pub(in crate::merge_alloc) rises: bool,
    /// Other memory may fall before the operation is over, and not only with its last use.
    pub(in crate::merge_alloc) frees: bool,
    /// The memory that is used: the first tick of the outermost region whose candidates are, 0 if it is
    /// none of theirs. What begins before a region may fall while the region runs.
    pub(in crate::merge_alloc) uses_from: u32,
}

/// Nothing on the heap is used, or nothing that can be freed meanwhile.
const NOTHING: u32 = u32::MAX;

const QUIET: Summary = Summary {
    surges: false,
    rises: false,
    frees: false,
    uses_from: NOTHING,
};

/// The summaries of all operations of a function.
pub(super) struct Summaries {
    of: SecondaryMap<Op, Summary>,
}

impl Summaries {
    pub(super) fn new(
        ir: &Ir,
        ticks: &Ticks,
        aliases: &Aliases,
        candidates: &[Candidate<'_>],
        results: &[Returned],
    ) -> Self {
        let mut from: SecondaryMap<Value, u32> = SecondaryMap::with_default(NOTHING);
        let mut allocs: EntitySet<Op> = EntitySet::new();
        let mut frees: EntitySet<Op> = EntitySet::new();
        for candidate in candidates {
            let start = ticks.region(candidate.region).0;
            allocs.insert(candidate.buffer.alloc);
            frees.extend(candidate.buffer.deallocs.iter().copied());
            let views = aliases.of(candidate.buffer.alloc).unwrap_or_default();
            for &value in views
                .iter()
                .chain(aliases.addresses(candidate.buffer.alloc))
            {
                from[value] = from[value].min(start);
            }
        }
        // Neither new nor other memory.
        allocs.extend(results.iter().map(|result| result.alloc));
        let no_heap = ir.context().intern_name(NO_HEAP);
        let order = ir.collect_ops(ir.root());
        for &op in &order {
            if ir.is(op, &memref::ALLOC) && !allocs.contains(op) {
                let views = aliases.of(op).unwrap_or_default();
                for &value in views.iter().chain(aliases.addresses(op)) {
                    from[value] = 0;
                }
            }
        }
        let uses_from = |v: Value| match aliases.is_mortal(v) {
            true => 0,
            false => from[v],
        };
        let mut of = SecondaryMap::with_default(QUIET);
        for &op in order.iter().rev() {
            let mut own = if allocs.contains(op) || frees.contains(op) {
                QUIET
            } else {
                own_summary(ir, op, no_heap)
            };
            // Values that are no memrefs yet are unknown.
            own.frees |= carried_memory(ir, op).any(|v| !ir.is_memref(v) || uses_from(v) == 0);
            for &operand in ir.operands(op) {
                own.uses_from = own.uses_from.min(uses_from(operand));
            }
            // An unused allocation is freed at once.
            for &result in ir.results(op).iter().filter(|&&v| ir.has_no_uses(v)) {
                own.uses_from = own.uses_from.min(uses_from(result));
            }
            let inside: Summary = of[op];
            let all = Summary {
                surges: own.surges || inside.surges,
                rises: own.rises || inside.rises,
                frees: own.frees || inside.frees,
                uses_from: own.uses_from.min(inside.uses_from),
            };
            of[op] = all;
            if let Some(parent) = ir.parent_op(op) {
                let parent: &mut Summary = &mut of[parent];
                // What rises inside may have fallen again at the end.
                parent.surges |= all.surges || all.rises;
                parent.rises |= all.rises;
                parent.frees |= all.frees;
                parent.uses_from = parent.uses_from.min(all.uses_from);
            }
        }
        Self { of }
    }

    /// The summary of an operation.
    pub(super) fn of(&self, op: Op) -> Summary {
        self.of[op]
    }

    /// Notes that candidates inside of `op` count as other memory from now on.
    pub(super) fn add_surge(&mut self, ir: &Ir, op: Op) {
        let mut at = Some(op);
        while let Some(op) = at
            && !std::mem::replace(&mut self.of[op].surges, true)
        {
            at = ir.parent_op(op);
        }
    }
}

/// The buffers of known size that a function of one block allocates there and returns, so that they are there from
/// their allocations to its end.
pub(super) fn returned(ir: &Ir, ticks: &Ticks, aliases: &Aliases) -> Vec<Returned> {
    let is_single = |&block: &Block| {
        let region = ir.region_of(block);
        region.is_some_and(|region| ir.single_block(region) == Some(block))
    };
    let Some(block) = ir.root_block().filter(is_single) else {
        return Vec::new();
    };
    let end = ir.last_op(block);
    let Some(end) = end.filter(|&op| ir.has_trait(op, Traits::RETURN_LIKE)) else {
        return Vec::new();
    };
    let context = ir.context();
    let no_heap = context.intern_name(NO_HEAP);
    let frees = |op: Op| op != end && own_summary(ir, op, no_heap).frees;
    let values: FxHashSet<Value> = ir.operands(end).iter().copied().collect();
    let allocs = ir.ops_in(block).filter(|&op| {
        ir.is(op, &memref::ALLOC)
            && values.contains(&ir.result(op, 0))
            && aliases.of(op).is_some_and(|views| {
                let mut users = views.iter().flat_map(|&view| ir.uses(view));
                !users.any(|user| frees(user.op))
            })
    });
    let returned = allocs.filter_map(|alloc| {
        let memref = context.as_memref(ir.value_type(ir.result(alloc, 0)))?;
        // Other layouts may leave gaps.
        let memref = memref.layout.is_none().then_some(memref)?;
        let size = context.element_byte_size(memref.element)?;
        let n_elements = u64::try_from(memref.n_elements()?).ok()?;
        let bytes = n_elements.checked_mul(size)?;
        Some(Returned {
            alloc,
            bytes,
            alignment: alignment::requested(ir, alloc),
            space: memref.space,
            used_from: first_use(ir, ticks, aliases, alloc, block)?,
        })
    });
    returned.collect()
}

/// The first tick of the operation of the block that is or has the first use of a buffer, other than to make views.
fn first_use(ir: &Ir, ticks: &Ticks, aliases: &Aliases, alloc: Op, block: Block) -> Option<u32> {
    let views = aliases.of(alloc)?;
    let uses = views.iter().flat_map(|&view| {
        let makes_view = move |op: Op| {
            let source = ir.def(op).view_source;
            source.is_some_and(|source| source(ir, op) == view)
        };
        ir.uses(view).iter().filter(move |u| !makes_view(u.op))
    });
    let ticks = uses.map(|u| {
        let op = ir.ancestor_in_block(u.op, block)?;
        Some(ticks.op(op).0)
    });
    ticks.min()?
}

/// What the operation itself does, uses of its operands aside.
pub(in crate::merge_alloc) fn own_summary(ir: &Ir, op: Op, no_heap: Name) -> Summary {
    if ir.def(op).call.is_some() {
        if ir.has_attr(op, no_heap) {
            return QUIET;
        }
        let rises = ir.results(op).iter().any(|&v| holds_memory(ir, v))
            || ir.operands(op).iter().any(|&v| takes_memory(ir, v));
        // The callee may free its arguments.
        let falls = ir.operands(op).iter().any(|&v| holds_memory(ir, v));
        return Summary {
            surges: true,
            rises,
            frees: falls,
            uses_from: if falls { 0 } else { NOTHING },
        };
    }
    let anything = Summary {
        surges: true,
        rises: true,
        frees: true,
        uses_from: 0,
    };
    let Some(effects) = ir.own_effects(op) else {
        return match ir.has_trait(op, Traits::TERMINATOR) && !ir.def(op).is_unregistered() {
            true => QUIET,
            false => anything,
        };
    };
    let allocates = effects
        .iter()
        .any(|effect| effect.kind == EffectKind::Allocate && effect.resource == Resource::Default);
    match (allocates, effects.has_any(EffectKind::Free)) {
        (true, true) => anything,
        (true, false) => Summary {
            surges: !ir.is(op, &memref::ALLOC),
            rises: true,
            ..QUIET
        },
        (false, true) => Summary {
            frees: true,
            uses_from: 0,
            ..QUIET
        },
        (false, false) => QUIET,
    }
}

/// What a loop hands on from one iteration to the next. If that is other memory, the next iteration may free it, or a
/// deallocation pass will.
fn carried_memory(ir: &Ir, op: Op) -> impl Iterator<Item = Value> {
    let is_loop = ir.def(op).loop_like.is_some();
    let regions = ir.regions(op).iter().filter(move |_| is_loop);
    let arguments = regions
        .filter_map(|&region| ir.entry_block(region))
        .flat_map(|block| ir.block_args(block));
    let results = ir.results(op).iter().filter(move |_| is_loop);
    let all = arguments.chain(results).copied();
    all.filter(|&v| holds_memory(ir, v))
}

/// Whether the type says that the value is no memory.
fn is_number(ir: &Ir, ty: Type) -> bool {
    matches!(
        ir.context().type_kind(ty),
        TypeKind::Integer { .. } | TypeKind::Float(_) | TypeKind::Index | TypeKind::Vector { .. }
    )
}

fn holds_memory(ir: &Ir, v: Value) -> bool {
    !is_number(ir, ir.value_type(v))
}

/// Whether memrefs can be stored where the value leads to.
fn takes_memory(ir: &Ir, v: Value) -> bool {
    !is_number(ir, ir.context().element_type_or_self(ir.value_type(v)))
}
