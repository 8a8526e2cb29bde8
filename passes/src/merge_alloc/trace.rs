//! The trace stage: which allocations can be merged, where to, and when they are live.
//!
//! A `memref.alloc` can be merged if its elements lie in some order without gaps and every use of every view of
//! it is understood; if its size is known at run time only, with others of the same [`Scale`]. It is left alone if a view of it
//!
//! * leaves the function, or the body of the loop that allocates it;
//! * becomes a tensor or anything else that is no memref, or is stored in memory;
//! * becomes a number that is stored, returned or passed to a function, other than those of the runtime
//!   library that `mark-allocation-free-calls` marks;
//! * is seen by an unknown operation with regions, which might run them at any time;
//! * may be freed together with memory that is not merged.
//!
//! Other unknown operations, and calls, are taken to access their operands while they run and not
//! to keep them, but memrefs they return may be views. That is what callers and callees agree on
//! for deallocation as well.
//!
//! The *scope* of an allocation is the nearest `AutomaticAllocationScope` around its home (see
//! `lifetime`) that is not `scf.for`. Bodies of parallel loops are scopes, so each
//! iteration has an arena of its own.

use cranelift_entity::EntitySet;
use freehold_frontend::dialects::{affine, bufferization, memref, scf};
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::dominance::Dominance;
use freehold_frontend::ir::entities::{Op, Region, Use, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::MemRefType;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::alias::{self, Aliases, is_opaque, keeps_address, results_hide_buffers};
use super::exclusive;
use super::in_place;
use super::lifetime::Lifetimes;
use super::mark_allocation_free_calls::LIBRARY;
use super::mutate::anchor;
use super::scale::Scale;
use super::sharing;
use super::stages::{
    Freeing, Lifetime, MergeOptions, ScopeTrace, TraceCollector, TracedBuffer, Traces,
};
use super::sure;
use super::ticks::{Span, Ticks};
use crate::analysis::alignment;

/// An allocation that can be followed.
pub(super) struct Traced {
    pub(super) alloc: Op,
    pub(super) home: Region,
    pub(super) live: Vec<Span>,
    /// Operations that access it through some view, with the ticks of each access.
    pub(super) accesses: Vec<(Op, Span)>,
    /// Its deallocations.
    pub(super) deallocs: Vec<Op>,
    /// The strongest alignment that the function assumes of one of its views.
    assumed_alignment: u64,
    /// Its address is used as a number.
    has_address: bool,
}

/// The collector of the pass.
#[derive(Clone, Copy, Debug)]
pub struct Collector;

impl TraceCollector for Collector {
    fn collect(
        &self,
        ir: &Ir,
        options: &MergeOptions,
        diagnostics: &mut Diagnostics,
    ) -> Result<Traces, Failed> {
        collect(ir, &alias::analyze(ir), options, diagnostics)
    }
}

/// Finds what can be merged in a function and when it is live.
pub fn collect(
    ir: &Ir,
    aliases: &Aliases,
    options: &MergeOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Traces, Failed> {
    let ticks = Ticks::new(ir);
    let context = UseContext::new(ir);
    let mut lifetimes = Lifetimes::new(ir, &ticks);
    let mut traces = Traces::default();
    let mut traced: Vec<Traced> = Vec::new();
    for alloc in ir.collect_ops(ir.root()) {
        if !ir.is(alloc, &memref::ALLOC) {
            continue;
        }
        let found = trace(ir, &context, &ticks, &mut lifetimes, aliases, alloc);
        let shown = match &found {
            None => Lifetime::Untraceable,
            Some(found) if found.accesses.is_empty() => Lifetime::Unused,
            Some(found) => match (found.live.first(), found.live.last()) {
                (Some(&(first, _)), Some(&(_, last))) => Lifetime::Ticks(first, last),
                _ => Lifetime::Unused,
            },
        };
        let region = found
            .as_ref()
            .map(|found| found.home)
            .or(ir.parent_region(alloc));
        let scope = region.and_then(|region| scope_of(ir, region));
        let scope_op = scope.map(|scope| ir.region_owner(scope));
        traces.lifetimes.push((alloc, scope_op, shown));
        traced.extend(found.filter(|_| scope.is_some()));
    }
    let mut mergeable: Vec<(Traced, TracedBuffer)> = Vec::new();
    let mut unplanned: Vec<Traced> = Vec::new();
    for found in traced {
        match requirements(ir, &found, options, diagnostics)? {
            Requirements::Known(bytes, alignment, scale) => {
                let buffer = TracedBuffer {
                    alloc: found.alloc,
                    bytes,
                    scale,
                    alignment,
                    live: found.live.clone(),
                    deallocs: found.deallocs.clone(),
                };
                mergeable.push((found, buffer));
            }
            Requirements::Unknown => unplanned.push(found),
            Requirements::Unfit => {}
        }
    }
    // Shared buffers live longer.
    if !options.is_tight {
        let scaled = mergeable
            .iter()
            .filter(|(_, buffer)| !buffer.scale.is_static());
        let dynamic = scaled.map(|(found, _)| found).chain(&unplanned);
        let mut shared = sharing::find(ir, &ticks, aliases, dynamic);
        let gone: FxHashSet<Op> = shared.pairs.iter().map(|&(_, alloc)| alloc).collect();
        mergeable.retain(|(found, _)| !gone.contains(&found.alloc));
        for (found, buffer) in &mut mergeable {
            if let Some(live) = shared.live.remove(&found.alloc) {
                found.live.clone_from(&live);
                buffer.live = live;
            }
        }
        traces.shared = shared.pairs;
    }
    let groups = loop {
        keep_freeable(ir, aliases, &mut mergeable);
        if drop_arenas(ir, options, &mut mergeable) {
            continue;
        }
        let before = mergeable.len();
        let groups = group(ir, options, mergeable);
        let kept = groups.iter().map(|(_, members)| members.len());
        if kept.sum::<usize>() == before {
            break groups;
        }
        mergeable = groups
            .into_iter()
            .flat_map(|(_, members)| members)
            .collect();
        mergeable.sort_by_key(|(found, _)| ticks.tick(found.alloc));
    };
    let scopes = groups.into_iter();
    traces.scopes = scopes
        .filter_map(|(destination, members)| scope_trace(ir, &ticks, aliases, destination, members))
        .collect();
    Ok(traces)
}

/// What use classification looks up.
struct UseContext {
    /// Operations inside of unknown operations and terminators with regions, and those themselves.
    opaque: EntitySet<Op>,
    /// The attribute of calls that use addresses only while they run.
    library: Name,
}

impl UseContext {
    fn new(ir: &Ir) -> Self {
        let mut opaque = EntitySet::new();
        for op in ir.walk(ir.root()) {
            let parent_is_opaque = ir
                .parent_op(op)
                .is_some_and(|parent| opaque.contains(parent));
            // Nothing can be freed after a terminator, so what its regions access must stay.
            let is_final = ir.has_trait(op, Traits::TERMINATOR) && !ir.regions(op).is_empty();
            if parent_is_opaque || is_final || is_opaque(ir, op) {
                opaque.insert(op);
            }
        }
        Self {
            opaque,
            library: ir.context().intern_name(LIBRARY),
        }
    }
}

/// What one use does with a view of an allocation.
enum Effect {
    /// Nothing that matters: it makes views, asks for sizes, or forwards.
    None,
    /// Accesses the memory.
    Access,
    /// Frees it.
    Free,
    /// Makes it impossible to follow.
    Escape,
}

fn trace(
    ir: &Ir,
    context: &UseContext,
    ticks: &Ticks,
    lifetimes: &mut Lifetimes<'_>,
    aliases: &Aliases,
    alloc: Op,
) -> Option<Traced> {
    if context.opaque.contains(alloc) || ir.has_attr(alloc, Name::MANUAL_DEALLOCATION) {
        return None;
    }
    let views = aliases.of(alloc)?;
    let mut accesses: Vec<(Op, Span)> = Vec::new();
    let mut deallocs = Vec::new();
    let mut assumed_alignment = 1;
    for &view in views {
        for &u in ir.uses(view) {
            if ir.is(u.op, &memref::ASSUME_ALIGNMENT) {
                assumed_alignment = assumed_alignment.max(alignment::requested(ir, u.op));
            }
            match effect(ir, context, ticks, alloc, view, u) {
                Effect::None => {}
                Effect::Access => accesses.push((u.op, access_span(ir, ticks, u.op))),
                Effect::Free => deallocs.push(u.op),
                Effect::Escape => return None,
            }
        }
    }
    // A buffer is where it is as long as its address is used.
    let addresses = aliases.addresses(alloc);
    for &address in addresses {
        for &u in ir.uses(address) {
            if !keeps_address(ir, u, |call| ir.has_attr(call, context.library))
                || context.opaque.contains(u.op)
            {
                return None;
            }
            let is_yielded =
                ir.has_trait(u.op, Traits::TERMINATOR) && ir.successors(u.op).is_empty();
            if is_yielded && matches!(leaves_region(ir, ticks, alloc, u.op), Effect::Escape) {
                return None;
            }
            accesses.push((u.op, access_span(ir, ticks, u.op)));
        }
    }
    accesses.sort_unstable_by_key(|&(op, span)| (span, op));
    accesses.dedup();
    let values: Vec<Value> = views.iter().chain(addresses).copied().collect();
    let lifetime = lifetimes.of(alloc, &values, &accesses)?;
    Some(Traced {
        alloc,
        home: lifetime.home,
        live: lifetime.live,
        accesses,
        deallocs,
        assumed_alignment,
        has_address: !addresses.is_empty(),
    })
}

/// The ticks of an access: those of the whole operation if it may access its operands while its
/// regions run.
fn access_span(ir: &Ir, ticks: &Ticks, op: Op) -> Span {
    match ir.def(op).region_branch {
        Some(_) => (ticks.tick(op), ticks.tick(op)),
        None => ticks.op(op),
    }
}

/// What a use of a view of `alloc` does with it.
fn effect(ir: &Ir, context: &UseContext, ticks: &Ticks, alloc: Op, view: Value, u: Use) -> Effect {
    let op = u.op;
    let def = ir.def(op);
    if context.opaque.contains(op) {
        return Effect::Escape;
    }
    if ir.is(op, &memref::DEALLOC) {
        return Effect::Free;
    }
    // The last two go on after the operation.
    let escapes = [
        &bufferization::DEALLOC,
        &bufferization::TO_TENSOR,
        &memref::REALLOC,
        &memref::DMA_START,
        &affine::DMA_START,
    ];
    if escapes.iter().any(|&def| ir.is(op, def)) || def.dialect() == "deallocation" {
        return Effect::Escape;
    }
    if ir.is(op, &memref::DIM) || ir.is(op, &memref::RANK) {
        return Effect::None;
    }
    // What becomes of the address is said by the uses of that.
    if ir.is(op, &memref::EXTRACT_ALIGNED_POINTER_AS_INDEX) {
        return Effect::Access;
    }
    if ir.has_trait(op, Traits::TERMINATOR) {
        return match def.branch {
            Some(_) => Effect::None,
            None => leaves_region(ir, ticks, alloc, op),
        };
    }
    // It may be an unknown terminator.
    if def.is_unregistered() && ir.next_op(op).is_none() {
        return Effect::Escape;
    }
    if def.view_source.is_some_and(|source| source(ir, op) == view) {
        return Effect::None;
    }
    if stores_buffers(ir, op) || results_hide_buffers(ir, op) {
        return Effect::Escape;
    }
    // An operation with regions is taken to access its operands; looking inside would take long.
    if ir.regions(op).is_empty() && ir.is_memory_effect_free(op) {
        // A value that is no memref may be an address.
        let only_memrefs = ir.results(op).iter().all(|&v| ir.is_memref(v));
        return if only_memrefs {
            Effect::None
        } else {
            Effect::Escape
        };
    }
    Effect::Access
}

/// What a terminator that is no branch does with a buffer. A loop may hand on one that comes from outside:
/// it is accessed by the loop, which covers all iterations. Of those allocated inside, several may be
/// there at once.
fn leaves_region(ir: &Ir, ticks: &Ticks, alloc: Op, terminator: Op) -> Effect {
    let parent = ir.parent_op(terminator);
    let is_inside = |parent: Op| {
        let (first, last) = ticks.op(parent);
        (first..=last).contains(&ticks.tick(alloc))
    };
    let forwards = |parent: Op| {
        let def = ir.def(parent);
        parent != ir.root()
            && def.region_branch.is_some()
            && (def.loop_like.is_none() || !is_inside(parent))
    };
    match parent {
        Some(parent) if forwards(parent) => Effect::Access,
        _ => Effect::Escape,
    }
}

/// Whether the operation handles memory that holds memrefs, where it might store one.
fn stores_buffers(ir: &Ir, op: Op) -> bool {
    let context = ir.context();
    let holds_memrefs = |&v: &Value| {
        ir.is_memref(v) && context.is_memref(context.element_type_or_self(ir.value_type(v)))
    };
    ir.operands(op).iter().any(holds_memrefs)
}

/// The region that a buffer with this home gets its memory in.
pub(super) fn scope_of(ir: &Ir, home: Region) -> Option<Region> {
    let mut region = home;
    loop {
        let op = ir.region_owner(region);
        if ir.has_trait(op, Traits::AUTOMATIC_ALLOCATION_SCOPE) && !ir.is(op, &scf::FOR) {
            return Some(region);
        }
        // Whatever else has regions must say when they run.
        ir.def(op).region_branch?;
        region = ir.parent_region(op)?;
    }
}

/// What an allocation needs.
enum Requirements {
    /// This many bytes, with this alignment, times a scale.
    Known(u64, u64, Scale),
    /// A size that nothing is known of.
    Unknown,
    /// Not to be merged.
    Unfit,
}

fn requirements(
    ir: &Ir,
    found: &Traced,
    options: &MergeOptions,
    diagnostics: &mut Diagnostics,
) -> Result<Requirements, Failed> {
    let context = ir.context();
    let alloc = found.alloc;
    let Some(memref) = context.as_memref(ir.value_type(ir.result(alloc, 0))) else {
        return Ok(Requirements::Unfit);
    };
    let explicit = alignment::requested(ir, alloc).max(found.assumed_alignment);
    let is_fit = is_dense(context, memref)
        && !context.is_memref(memref.element)
        && explicit.is_power_of_two();
    let Some(element) = context.element_byte_size(memref.element).filter(|_| is_fit) else {
        return Ok(Requirements::Unfit);
    };
    /// Nothing is loaded or stored in larger pieces.
    const MAX_NATURAL_ALIGNMENT: u64 = 64;
    let natural = element.next_power_of_two().min(MAX_NATURAL_ALIGNMENT);
    if !memref.has_static_shape() {
        let multiple = if explicit > natural { explicit } else { 0 };
        let is_exact = multiple == 0 || !options.is_tight;
        return Ok(match Scale::of_alloc(ir, alloc, element) {
            Some((factors, bytes)) if is_exact && !factors.is_empty() => {
                Requirements::Known(bytes, natural, Scale { factors, multiple })
            }
            _ => Requirements::Unknown,
        });
    }
    let bytes = byte_size(memref, element).ok_or_else(|| {
        diagnostics.error(
            ir.loc(alloc),
            "'memref.alloc' op size in bytes does not fit into 63 bits",
        )
    })?;
    // It has an address all the same.
    let bytes = if options.is_whole {
        bytes.max(1)
    } else {
        bytes
    };
    if bytes == 0 {
        diagnostics.remark(
            ir.loc(alloc),
            "'memref.alloc' op of size zero is not merged",
        );
        return Ok(Requirements::Unfit);
    }
    let padded = if options.is_tight && !found.has_address {
        options.alignment.min(1 << bytes.trailing_zeros())
    } else {
        options.alignment
    };
    let alignment = padded.max(explicit).max(natural);
    Ok(Requirements::Known(bytes, alignment, Scale::default()))
}

/// Whether the elements fill the bytes from the first one on, each its own, in whatever order of the dimensions.
/// Layouts that are maps are not among them: `memref.reinterpret_cast` has no results of such types.
fn is_dense(context: &Context, memref: &MemRefType) -> bool {
    let strides = match memref.layout.map(|layout| context.attr_kind(layout)) {
        None => return true,
        Some(AttrKind::StridedLayout { offset: 0, strides }) => strides,
        Some(_) => return false,
    };
    // From the innermost dimension outwards; those of one element are nowhere.
    let mut dims: Vec<(i64, i64)> = (strides.iter().copied().zip(memref.shape.iter().copied()))
        .filter(|&(_, size)| size != 1)
        .collect();
    dims.sort_unstable();
    let mut inner = Some(1i64);
    memref.has_static_shape()
        && dims.into_iter().all(|(stride, size)| {
            let is_next = inner == Some(stride);
            inner = inner.and_then(|inner| inner.checked_mul(size));
            is_next
        })
}

fn byte_size(memref: &MemRefType, element: u64) -> Option<u64> {
    if memref.shape.contains(&0) {
        return Some(0);
    }
    let bytes = u64::try_from(memref.n_elements()?)
        .ok()?
        .checked_mul(element)?;
    i64::try_from(bytes).is_ok().then_some(bytes)
}

/// Drops allocations with a deallocation that may free something else than the allocations kept.
fn keep_freeable(ir: &Ir, aliases: &Aliases, mergeable: &mut Vec<(Traced, TracedBuffer)>) {
    // For each deallocation, the traced allocations that it may free.
    let mut origins: IndexMap<Op, Vec<usize>, FxBuildHasher> = IndexMap::default();
    let mut dropped = vec![false; mergeable.len()];
    for (i, (found, _)) in mergeable.iter().enumerate() {
        for &dealloc in &found.deallocs {
            origins.entry(dealloc).or_default().push(i);
        }
    }
    // Allocations that are not in the list free through the same deallocations.
    let listed: FxHashSet<Op> = mergeable.iter().map(|(found, _)| found.alloc).collect();
    let mut others: EntitySet<Value> = EntitySet::new();
    for alloc in ir.collect_ops(ir.root()) {
        if ir.is(alloc, &memref::ALLOC) && !listed.contains(&alloc) {
            others.extend(aliases.of(alloc).unwrap_or_default().iter().copied());
        }
    }
    let mut worklist: Vec<Op> = Vec::new();
    for &dealloc in origins.keys() {
        let freed = ir.operand(dealloc, 0);
        if aliases.is_foreign(freed) || others.contains(freed) {
            worklist.push(dealloc);
        }
    }
    while let Some(dealloc) = worklist.pop() {
        for i in origins
            .get_mut(&dealloc)
            .map(std::mem::take)
            .unwrap_or_default()
        {
            if !std::mem::replace(&mut dropped[i], true) {
                worklist.extend(&mergeable[i].0.deallocs);
            }
        }
    }
    let mut dropped = dropped.into_iter();
    mergeable.retain(|_| !dropped.next().unwrap_or(false));
}

/// Where an allocation goes: a region, the memory space there, and the factors of the size.
type Destination = (Region, Option<Attr>, Vec<Value>);

fn destination(ir: &Ir, found: &Traced, buffer: &TracedBuffer) -> Option<Destination> {
    let memref = ir
        .context()
        .as_memref(ir.value_type(ir.result(found.alloc, 0)))?;
    let factors = buffer.scale.factors.clone();
    Some((scope_of(ir, found.home)?, memref.space, factors))
}

/// Drops arenas alone in their scope, single buffers of run-time size, and those whose size is computed too late for
/// the arena. Returns whether there was any.
fn drop_arenas(
    ir: &Ir,
    options: &MergeOptions,
    mergeable: &mut Vec<(Traced, TracedBuffer)>,
) -> bool {
    // Merging that never costs memory has its own idea of scopes.
    if options.is_tight {
        return false;
    }
    let mut groups: IndexMap<Option<Destination>, Vec<Op>, FxBuildHasher> = IndexMap::default();
    let group_of: Vec<usize> = mergeable
        .iter()
        .map(|(found, buffer)| {
            let entry = groups.entry(destination(ir, found, buffer));
            let index = entry.index();
            entry.or_default().push(found.alloc);
            index
        })
        .collect();
    let mut dominance = None;
    let mut is_sized = |destination: &Option<Destination>, members: &[Op]| {
        let Some((scope, _, factors)) = destination else {
            return false;
        };
        if factors.is_empty() {
            return true;
        }
        let dominance = dominance.get_or_insert_with(|| Dominance::new(ir));
        let block = ir.entry_block(*scope);
        let anchor = block.and_then(|block| anchor(ir, block, members.iter().copied()));
        let dominates = |anchor| {
            factors
                .iter()
                .all(|&v| dominance.value_dominates(ir, v, anchor))
        };
        (members.len() > 1 || options.is_whole) && anchor.is_some_and(dominates)
    };
    let is_sized: Vec<bool> = groups
        .iter()
        .map(|(destination, members)| is_sized(destination, members))
        .collect();
    let before = mergeable.len();
    let mut group_of = group_of.into_iter();
    mergeable.retain(|(found, buffer)| {
        group_of.next().is_some_and(|group| {
            is_sized[group]
                && (groups[group].len() > 1
                    || options.is_whole
                    || !looks_like_arena(ir, found.alloc, buffer, options))
        })
    });
    mergeable.len() < before
}

fn looks_like_arena(ir: &Ir, alloc: Op, buffer: &TracedBuffer, options: &MergeOptions) -> bool {
    let context = ir.context();
    let is_bytes = context
        .as_memref(ir.value_type(ir.result(alloc, 0)))
        .is_some_and(|m| m.rank() == 1 && context.integer_width(m.element) == Some(8));
    is_bytes
        && alignment::requested(ir, alloc) >= options.alignment
        && buffer.bytes.is_multiple_of(options.alignment)
}

/// What shares an arena, by scope and memory space, in the order of their first allocations. Where arenas
/// are to be no additional allocations, buffers without a place for theirs are left out.
fn group(
    ir: &Ir,
    options: &MergeOptions,
    mergeable: Vec<(Traced, TracedBuffer)>,
) -> Vec<(Destination, Vec<(Traced, TracedBuffer)>)> {
    type Groups<T> = IndexMap<Destination, Vec<T>, FxBuildHasher>;
    let mut groups: Groups<(Traced, TracedBuffer)> = IndexMap::default();
    for (found, buffer) in mergeable {
        if let Some(destination) = destination(ir, &found, &buffer) {
            groups.entry(destination).or_default().push((found, buffer));
        }
    }
    groups
        .into_iter()
        .flat_map(|((scope, space, factors), members)| {
            let places = match options.is_sure {
                true => sure::places(ir, scope, members),
                false => vec![(scope, members)],
            };
            let with_rest = move |(scope, members)| ((scope, space, factors.clone()), members);
            places.into_iter().map(with_rest)
        })
        .collect()
}

/// The trace of the buffers of an arena.
fn scope_trace(
    ir: &Ir,
    ticks: &Ticks,
    aliases: &Aliases,
    (scope, space, factors): Destination,
    members: Vec<(Traced, TracedBuffer)>,
) -> Option<ScopeTrace> {
    let block = ir.entry_block(scope)?;
    let is_freed = members.iter().any(|(found, _)| !found.deallocs.is_empty());
    let last_ticks = members.iter().filter_map(|(found, _)| found.live.last());
    let last = last_ticks.map(|&(_, last)| last).max().unwrap_or(0);
    let freeing = match ir.single_block(scope) {
        _ if !is_freed => Freeing::Never,
        None => Freeing::AtExits,
        Some(block) => ir
            .ops_in(block)
            .take_while(|&op| ticks.tick(op) <= last)
            .last()
            .map_or(Freeing::AtExits, Freeing::After),
    };
    let mut same_bytes = in_place::find(ir, ticks, aliases, &members);
    let paired: FxHashSet<usize> = same_bytes.iter().flat_map(|&(a, b)| [a, b]).collect();
    same_bytes.extend(exclusive::find(ir, &members, |i| !paired.contains(&i)));
    let multiples = members.iter().map(|(_, buffer)| buffer.scale.multiple);
    let multiple = multiples.max().unwrap_or(0);
    Some(ScopeTrace {
        block,
        space,
        scale: Scale { factors, multiple },
        buffers: members.into_iter().map(|(_, buffer)| buffer).collect(),
        same_bytes,
        freeing,
    })
}
