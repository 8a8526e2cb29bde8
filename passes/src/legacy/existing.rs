//! What [`super::buffer_deallocation`] does about frees that the input has.
//!
//! Bases connected without copies make a *family*. If every free of a family is
//! where one would be inserted, the family is *complete*: the other paths get
//! their frees. Otherwise it is left to the program.
//!
//! Before that, copies are tried. A block argument that may be one of several
//! buffers is needed as long as it may be any of them, so a free of one on a path
//! where it is another one is not where one would be inserted:
//! ```mlir
//! ^bb1:
//!   %a = memref.alloc() : memref<2xf32>
//!   cf.cond_br %c, ^bb3(%a : memref<2xf32>), ^bb2
//! ^bb2:
//!   memref.dealloc %a : memref<2xf32>
//!   cf.br ^bb3(%b : memref<2xf32>)
//! ^bb3(%x: memref<2xf32>):
//! ```
//! With a copy on each edge to `%x`, it is. So all block arguments of such a family
//! are made critical, which is always right for buffers of the function. If that does not make all of the
//! family complete, it stays as it was: the program knows more than we do.

use cranelift_entity::EntitySet;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Value;
use rustc_hash::{FxHashMap, FxHashSet};

use super::buffer_deallocation::placer_of;
use super::critical::{CriticalAliases, Families};
use super::ends::{Ends, Place};
use super::nest::Nest;
use crate::ownership::existing::{always_frees, frees_of};
use crate::ownership::flow::{Edge, EdgeKind, Origin, ValueFlow};
use crate::ownership::liveness::RegionChains;

/// Decides about the frees of a function.
pub(super) struct ExistingFrees<'a> {
    ir: &'a Ir,
    nest: &'a Nest<'a>,
    flow: &'a ValueFlow,
    chains: RegionChains,
}

impl<'a> ExistingFrees<'a> {
    /// For the function `ir`.
    pub(super) fn new(ir: &'a Ir, nest: &'a Nest<'a>, flow: &'a ValueFlow) -> Self {
        Self {
            ir,
            nest,
            flow,
            chains: RegionChains::of(ir),
        }
    }

    /// The critical aliases, with those that make families complete.
    pub(super) fn critical_aliases(&self) -> CriticalAliases<'a> {
        let find = |forced: &[Value]| {
            let mut critical = EntitySet::new();
            for &phi in forced {
                critical.insert(phi);
            }
            CriticalAliases::new(self.ir, self.nest, self.flow, critical)
        };
        let aliases = find(&[]);
        let families = aliases.families();
        let mut incomplete = self.families_of(&families, &self.incomplete(&aliases, &families));
        if incomplete.is_empty() {
            return aliases;
        }
        // Whoever frees memory of others means that, and no copy.
        for &base in self.flow.bases() {
            if self.may_be_external(base) {
                incomplete.remove(&families.number(base));
            }
        }
        let mut forced: Vec<Value> = self
            .flow
            .bases()
            .iter()
            .copied()
            .filter(|&base| {
                incomplete.contains(&families.number(base))
                    && !aliases.is_critical(base)
                    && self.is_block_argument(base)
            })
            .collect();
        if forced.is_empty() {
            return aliases;
        }
        let tried = find(&forced);
        let still = self.families_of(&families, &self.incomplete(&tried, &tried.families()));
        if still.is_empty() {
            return tried;
        }
        forced.retain(|&phi| !still.contains(&families.number(phi)));
        find(&forced)
    }

    /// Whether `phi` gets its buffer on branches between blocks, where copies can
    /// always be made.
    fn is_block_argument(&self, phi: Value) -> bool {
        let flows = self.flow.flows_in(phi);
        let is_branch = |edge: Edge| matches!(edge.kind, EdgeKind::Branch(_));
        self.flow.origin(phi) == Origin::Phi
            && flows.iter().all(|&id| is_branch(self.flow.flow(id).edge))
    }

    /// Whether `base` may be memory that the function did not allocate, because
    /// that is handed to it or merged into it.
    fn may_be_external(&self, base: Value) -> bool {
        let flows = self.flow.flows_in(base).iter();
        let mut sources = flows
            .map(|&id| self.flow.flow_base(id))
            .chain(self.flow.merge_sources(base).iter().copied());
        sources.any(|source| self.flow.origin(source) == Origin::External)
    }

    fn families_of(&self, families: &Families, bases: &[Value]) -> FxHashSet<u32> {
        bases.iter().map(|&base| families.number(base)).collect()
    }

    /// One base of each family with frees that cannot be completed.
    fn incomplete(&self, aliases: &CriticalAliases<'_>, families: &Families) -> Vec<Value> {
        let (ir, flow) = (self.ir, self.flow);
        let freed = flow.bases().iter().copied();
        let mut freed = freed.filter(|&base| families.is_freed(base)).peekable();
        let mut incomplete = Vec::new();
        if freed.peek().is_none() {
            return incomplete;
        }
        let handed_over = aliases.returns().by_holder();
        let mut ends = Ends::new(ir, self.nest, flow, aliases.critical());
        let mut known: FxHashSet<u32> = FxHashSet::default();
        for base in freed {
            if known.contains(&families.number(base)) {
                continue;
            }
            let is_complete = match flow.origin(base) {
                Origin::External => true,
                Origin::Phi if !aliases.is_critical(base) => !families.is_freed_itself(base),
                Origin::Fresh | Origin::Phi => {
                    self.is_freed_in_place(base, &mut ends) || {
                        let critical = aliases.critical();
                        let placer =
                            placer_of(ir, &self.chains, flow, base, critical, &handed_over);
                        placer.existing.iter().all(|&free| always_frees(ir, free))
                            && placer.place(&mut Vec::new())
                    }
                }
                // A free of an alias may free one of several.
                Origin::Merge => !families.is_freed_itself(base),
            };
            if !is_complete {
                known.insert(families.number(base));
                incomplete.push(base);
            }
        }
        incomplete
    }

    /// Whether one free of the input frees `holder` always, and where one would be
    /// inserted.
    fn is_freed_in_place(&self, holder: Value, ends: &mut Ends<'_>) -> bool {
        matches!(ends.of(holder), Some(Place::Freed(free))
            if always_frees(self.ir, free)
                && !frees_of(self.ir, self.flow, holder, &[free]).is_empty())
    }

    /// The bases of the families with frees that cannot be completed, and of what
    /// is handed to such bases.
    pub(super) fn left_to_program(&self, aliases: &mut CriticalAliases<'_>) -> EntitySet<Value> {
        let (ir, flow) = (self.ir, self.flow);
        let families = aliases.families();
        let mut left = EntitySet::new();
        let mut pending = self.incomplete(aliases, &families);
        if pending.is_empty() {
            return left;
        }
        let mut members: FxHashMap<u32, Vec<Value>> = FxHashMap::default();
        for &base in flow.bases() {
            members.entry(families.number(base)).or_default().push(base);
        }
        while let Some(base) = pending.pop() {
            if !left.insert(base) || flow.origin(base) == Origin::External {
                continue;
            }
            if let Some(family) = members.remove(&families.number(base)) {
                pending.extend(family);
            }
            // Whoever frees under conditions may do so for all results of a call,
            // and may free what this one is handed to for it.
            if let Some(call) = ir.defining_op(base).filter(|&op| ir.def(op).call.is_some()) {
                pending.extend(ir.results(call).iter().filter_map(|&v| flow.base(v)));
            }
            let targets = flow.flows_out(base).iter();
            let targets = targets.flat_map(|&id| flow.flow(id).targets.iter().copied());
            pending.extend(targets.filter(|&phi| families.is_freed(phi)));
            // Without a copy it is the buffer that it receives.
            if aliases.is_critical(base) {
                pending.extend(aliases.slot_of(base));
                pending.extend(flow.flows_in(base).iter().map(|&id| flow.flow_base(id)));
            }
        }
        left
    }
}
