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
//!
//! # Why no copy reads freed memory
//!
//! A copy reads its source where an operand is handed to a critical phi. If the family of the
//! operand is complete, all frees come after that, as it is a use. Otherwise the frees that may
//! concern the operand are those of the holders that it may be, and of those that they may be
//! without a copy.
//!
//! - If one of them frees the operand by its name and dominates the edge, the buffer
//!   is gone whenever control is there. Whoever reads the phi then would read freed
//!   memory in the input as well; so it gets a new allocation without a copy
//!   ([`DeadOperands`]), and the operand is no use any more.
//! - If none of them leads to the edge while the holder is the same instance, the
//!   buffer is there.
//! - Otherwise only the program knows: the phi, and what it may receive, are
//!   left to it too.

use cranelift_entity::EntitySet;
use freehold_frontend::dialects::memref;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::effects::EffectKind;
use freehold_frontend::ir::entities::{Op, Use, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::symbols::SymbolTable;
use freehold_frontend::ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

use super::buffer_deallocation::{aliases_without_copy, placer_of};
use super::critical::{CriticalAliases, Families};
use super::ends::{Ends, Place};
use crate::analysis::flow::{Edge, EdgeKind, FlowId, Origin, ValueFlow};
use crate::analysis::frees::{always_frees, frees_of};
use crate::analysis::liveness::RegionChains;
use crate::analysis::nest::Nest;
use crate::rewrite::signature::callee;

/// Decides about the frees of a function.
pub(super) struct ExistingFrees<'a> {
    ir: &'a Ir,
    nest: &'a Nest<'a>,
    flow: &'a ValueFlow,
    chains: RegionChains,
    dead: DeadOperands,
}

/// Operands that are handed to a phi after the program has freed them for sure, and
/// whose place a new allocation can take.
#[derive(Default)]
pub(super) struct DeadOperands {
    /// Their operations and indices.
    operands: FxHashSet<(Op, usize)>,
    /// Buffers certainly freed where they stand, by type and operands of their allocation.
    frees: FxHashMap<(Type, Vec<Value>), Vec<Op>>,
}

impl DeadOperands {
    fn new(ir: &Ir, nest: &Nest<'_>, flow: &ValueFlow) -> Self {
        let mut frees: FxHashMap<Value, Vec<Op>> = FxHashMap::default();
        for op in ir.walk(ir.root()).filter(|&op| always_frees(ir, op)) {
            for base in freed_bases(ir, flow, op) {
                frees.entry(base).or_default().push(op);
            }
        }
        let mut this = Self::default();
        if frees.is_empty() {
            return this;
        }
        for id in flow.flow_ids() {
            let one = flow.flow(id);
            let is_dead = !one.targets.is_empty()
                && ir.defined_by(one.operand, &memref::ALLOC).is_some()
                && frees
                    .get(&one.operand)
                    .is_some_and(|frees| is_behind(ir, nest, frees, one.edge.source));
            if is_dead {
                this.operands.insert((one.edge.source, one.operand_index));
            }
        }
        for &base in flow.bases() {
            if let Some(frees) = frees.remove(&base)
                && let Some(kind) = kind_of_allocation(ir, base)
            {
                this.frees.entry(kind).or_default().extend(frees);
            }
        }
        this
    }

    /// Whether the operand of a flow is an allocation for no other purpose where one
    /// like it was freed before: it stands for that one, since an earlier run, say.
    pub(super) fn is_made_for_one(
        &self,
        ir: &Ir,
        nest: &Nest<'_>,
        flow: &ValueFlow,
        id: FlowId,
    ) -> bool {
        let one = flow.flow(id);
        let source = one.edge.source;
        ir.has_one_use(one.operand)
            && ir.successors(source).len() <= 1
            && ir.value_block(one.operand) == ir.block_of(source)
            && kind_of_allocation(ir, one.operand)
                .and_then(|kind| self.frees.get(&kind))
                .is_some_and(|frees| is_behind(ir, nest, frees, source))
    }

    /// Whether the operand of a flow is one of them.
    pub(super) fn contains(&self, flow: &ValueFlow, id: FlowId) -> bool {
        let one = flow.flow(id);
        self.operands
            .contains(&(one.edge.source, one.operand_index))
    }

    /// Whether one of them will not be used any more because it goes to a phi in
    /// `critical`.
    fn is_replaced(
        &self,
        flow: &ValueFlow,
        critical: &EntitySet<Value>,
        base: Value,
        use_: &Use,
    ) -> bool {
        self.operands.contains(&(use_.op, use_.index as usize))
            && flow.flows_out(base).iter().any(|&id| {
                let one = flow.flow(id);
                one.edge.source == use_.op
                    && one.operand_index == use_.index as usize
                    && critical.contains(one.targets[0])
            })
    }

    /// The operations that use `base` or a view of it, but for the operands that will
    /// be replaced if the phis `critical` get copies.
    pub(super) fn users<'u>(
        &'u self,
        ir: &'u Ir,
        flow: &'u ValueFlow,
        critical: &'u EntitySet<Value>,
        base: Value,
    ) -> impl Iterator<Item = Op> + 'u {
        let members = flow.members(base).iter();
        let uses = members.flat_map(|&member| ir.uses(member));
        uses.filter(move |use_| !self.is_replaced(flow, critical, base, use_))
            .map(|use_| use_.op)
    }
}

impl<'a> ExistingFrees<'a> {
    /// For the function `ir`.
    pub(super) fn new(ir: &'a Ir, nest: &'a Nest<'a>, flow: &'a ValueFlow) -> Self {
        Self {
            ir,
            nest,
            flow,
            chains: RegionChains::of(ir),
            dead: DeadOperands::new(ir, nest, flow),
        }
    }

    /// Operands that are freed when they are handed on.
    pub(super) fn dead_operands(&self) -> &DeadOperands {
        &self.dead
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
        let mut ends = Ends::new(ir, self.nest, flow, aliases.critical(), &self.dead);
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
                        let placer = placer_of(
                            ir,
                            &self.chains,
                            flow,
                            base,
                            critical,
                            &self.dead,
                            &handed_over,
                        );
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

    /// Critical phis that may be handed a buffer which the program has freed.
    fn may_receive_freed(&self, aliases: &CriticalAliases<'_>, families: &Families) -> Vec<Value> {
        let (ir, flow) = (self.ir, self.flow);
        let critical = aliases.critical();
        let mut phis = Vec::new();
        for &holder in flow.bases().iter().filter(|&&base| families.is_freed(base)) {
            let is_holder = match flow.origin(holder) {
                Origin::Fresh | Origin::External => true,
                Origin::Phi => critical.contains(holder),
                Origin::Merge => false,
            };
            if !is_holder {
                continue;
            }
            let bases = aliases_without_copy(flow, critical, holder);
            let copied = bases.iter().flat_map(|&base| flow.flows_out(base));
            let copied = copied.copied().filter(|&id| {
                let target = flow.flow(id).targets.first();
                target.is_some_and(|&phi| critical.contains(phi)) && !self.dead.contains(flow, id)
            });
            let copied: Vec<FlowId> = copied.collect();
            if copied.is_empty() {
                continue;
            }
            let users = bases
                .iter()
                .flat_map(|&base| self.dead.users(ir, flow, critical, base));
            let frees: FxHashSet<Op> = users
                .filter(|&user| !freed_bases(ir, flow, user).is_empty())
                .collect();
            let is_freed_before = |flows: &[FlowId]| {
                let sources = flows.iter().map(|&id| flow.flow(id).edge.source);
                let sources: Vec<Op> = sources.collect();
                let mut frees = frees.iter();
                frees.any(|&free| self.chains.leads_to(ir, holder, free, &sources))
            };
            // Mostly none is.
            if is_freed_before(&copied) {
                let copied = copied.into_iter().filter(|&id| is_freed_before(&[id]));
                phis.extend(copied.map(|id| flow.flow(id).targets[0]));
            }
        }
        phis
    }

    /// The families that the program frees or hands to its caller, who does, and those handed to
    /// such ones, however often on the way.
    fn families_that_become_freed(&self, families: &Families) -> FxHashSet<u32> {
        let flow = self.flow;
        let mut handed_to: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for id in flow.flow_ids() {
            let source = families.number(flow.flow_base(id));
            for &target in &flow.flow(id).targets {
                let target = families.number(target);
                if source != target {
                    handed_to.entry(target).or_default().push(source);
                }
            }
        }
        let freed = flow.bases().iter().filter(|&&base| families.is_freed(base));
        let mut pending: Vec<u32> = freed.map(|&base| families.number(base)).collect();
        let returned = flow.flow_ids();
        let returned = returned.filter(|&id| flow.flow(id).edge.kind == EdgeKind::Return);
        pending.extend(returned.map(|id| families.number(flow.flow_base(id))));
        let mut found = FxHashSet::default();
        while let Some(family) = pending.pop() {
            if found.insert(family) {
                pending.extend(handed_to.get(&family).into_iter().flatten());
            }
        }
        found
    }

    /// The bases of the families with frees that cannot be completed, and of values forwarded to
    /// such bases.
    pub(super) fn left_to_program(
        &self,
        aliases: &mut CriticalAliases<'_>,
        symbols: &SymbolTable,
    ) -> EntitySet<Value> {
        let (ir, flow) = (self.ir, self.flow);
        let families = aliases.families();
        let mut left = EntitySet::new();
        let mut pending = self.incomplete(aliases, &families);
        pending.extend(self.may_receive_freed(aliases, &families));
        // Lowered deallocs free by address what they compare.
        let compared = ir
            .walk(ir.root())
            .filter(|&op| ir.has_attr(op, Name::ALLOCATED));
        pending.extend(compared.filter_map(|op| flow.base(ir.operand(op, 0))));
        // Callers of functions that return flags with their buffers ask these. What is returned may be an argument.
        let returned = ir
            .walk(ir.root())
            .filter(|&op| returns_flags(ir, symbols, op));
        let returned = returned.flat_map(|op| ir.results(op).iter().chain(ir.operands(op)));
        pending.extend(returned.filter_map(|&value| flow.base(value)));
        if pending.is_empty() {
            return left;
        }
        let become_freed = self.families_that_become_freed(&families);
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
            pending.extend(targets.filter(|&phi| become_freed.contains(&families.number(phi))));
            // Without a copy it is the buffer that it receives.
            if aliases.is_critical(base) {
                pending.extend(aliases.slot_of(base));
                pending.extend(flow.flows_in(base).iter().map(|&id| flow.flow_base(id)));
            }
        }
        left
    }
}

/// Whether `op` calls a function that an earlier run made return with each buffer whether it belongs to the caller.
fn returns_flags(ir: &Ir, symbols: &SymbolTable, op: Op) -> bool {
    let callee = callee(ir, op).and_then(|name| symbols.get(name));
    callee.is_some_and(|symbol| {
        let flags = ir.context().dict_get(symbol.attrs, Name::DYNAMIC_OWNERSHIP);
        flags.is_some()
    })
}

/// Whether control always passes one of `frees` on the way to `op`.
fn is_behind(ir: &Ir, nest: &Nest<'_>, frees: &[Op], op: Op) -> bool {
    let dominance = nest.dominance();
    let mut frees = frees.iter();
    frees.any(|&free| dominance.properly_dominates_op(ir, free, op))
}

/// Two allocations with the same have the same sizes.
fn kind_of_allocation(ir: &Ir, value: Value) -> Option<(Type, Vec<Value>)> {
    let op = ir.defined_by(value, &memref::ALLOC)?;
    Some((ir.value_type(value), ir.operands(op).to_vec()))
}

/// What `op` frees.
pub(super) fn freed_bases(ir: &Ir, flow: &ValueFlow, op: Op) -> Vec<Value> {
    let Some(effects) = ir.own_effects(op) else {
        return Vec::new();
    };
    effects
        .iter()
        .filter(|effect| effect.kind == EffectKind::Free)
        .filter_map(|effect| flow.base(effect.value?))
        .collect()
}
