//! Which values may be one of several buffers, so that they need one of their
//! own: the critical aliases.
//!
//! A *holder* stands for one buffer that is freed through it: an allocation,
//! the result of a call, or a critical phi. Whatever a holder flows to is an
//! alias of it. If it may not be defined there any more as the same instance
//! (it does not dominate, or another iteration has begun), the alias is
//! *critical*: it gets a copy on every edge to it and becomes a holder itself.
//! So it goes on to a fixed point. See [`super::buffer_deallocation`] for why
//! this is enough.
//!
//! Of all holders that reach an alias only the *deepest* is kept, the one that
//! goes out of scope first; all of them are in scope at the alias, so they are
//! on one path of the dominator tree. That keeps the search near-linear.

use std::collections::BTreeSet;

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntitySet, SecondaryMap};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Value;
use rustc_hash::{FxHashMap, FxHashSet};

use super::existing::freed_bases;
use crate::analysis::flow::{Edge, EdgeKind, FlowId, Origin, ValueFlow};
use crate::analysis::nest::Nest;
use crate::analysis::union_find::UnionFind;

/// The holder that a base is an alias of, if that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Holder {
    /// Not reached.
    #[default]
    None,
    One(Value),
    /// One of several, or memory of another owner.
    Several,
}

impl Holder {
    fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, holder) | (holder, Self::None) => holder,
            (a, b) if a == b => a,
            _ => Self::Several,
        }
    }
}

/// The critical aliases of a function and the buffers handed to the caller.
pub(super) struct CriticalAliases<'a> {
    ir: &'a Ir,
    nest: &'a Nest<'a>,
    flow: &'a ValueFlow,
    /// Position of each base in textual order.
    index: SecondaryMap<Value, u32>,
    /// Phis that some edge forwards the same operand to: one is critical if all are.
    slots: UnionFind,
    /// The members of each slot, by its smallest index.
    slot_members: Vec<Vec<Value>>,
    critical: EntitySet<Value>,
    deepest: SecondaryMap<Value, PackedOption<Value>>,
    holder: SecondaryMap<Value, Holder>,
}

impl<'a> CriticalAliases<'a> {
    /// Finds them. The phis `forced`, which have no others in their slots, are
    /// critical whatever reaches them.
    pub(super) fn new(
        ir: &'a Ir,
        nest: &'a Nest<'a>,
        flow: &'a ValueFlow,
        forced: EntitySet<Value>,
    ) -> Self {
        let n_bases = flow.bases().len();
        let mut this = Self {
            ir,
            nest,
            flow,
            index: SecondaryMap::new(),
            slots: UnionFind::new(n_bases),
            slot_members: vec![Vec::new(); n_bases],
            critical: forced,
            deepest: SecondaryMap::new(),
            holder: SecondaryMap::new(),
        };
        for (index, &base) in flow.bases().iter().enumerate() {
            this.index[base] = index as u32;
        }
        for id in flow.flow_ids() {
            for pair in flow.flow(id).targets.windows(2) {
                let (a, b) = (this.index_of(pair[0]), this.index_of(pair[1]));
                this.slots.join(a, b);
            }
        }
        for (index, &base) in flow.bases().iter().enumerate() {
            let slot = this.slots.root(index);
            this.slot_members[slot].push(base);
        }
        this.find_critical();
        this.find_holders();
        this
    }

    fn index_of(&self, base: Value) -> usize {
        self.index[base] as usize
    }

    /// Whether a phi is critical.
    pub(super) fn is_critical(&self, phi: Value) -> bool {
        self.critical.contains(phi)
    }

    /// The critical phis.
    pub(super) fn critical(&self) -> &EntitySet<Value> {
        &self.critical
    }

    /// The phis that receive what `phi` receives.
    pub(super) fn slot_of(&mut self, phi: Value) -> Vec<Value> {
        let slot = self.slots.root(self.index_of(phi));
        self.slot_members[slot].clone()
    }

    /// The critical phis.
    pub(super) fn into_critical(self) -> EntitySet<Value> {
        self.critical
    }

    /// Evaluates bases in textual order, and again those that depend on what
    /// has changed, until nothing does.
    fn find_critical(&mut self) {
        let mut pending: BTreeSet<usize> = (0..self.flow.bases().len()).collect();
        while let Some(index) = pending.pop_first() {
            let base = self.flow.bases()[index];
            let changed = match self.evaluate(base) {
                Some(deepest) if self.deepest[base] == deepest => continue,
                Some(deepest) => {
                    self.deepest[base] = deepest;
                    vec![base]
                }
                None => self.make_critical(base),
            };
            for base in changed {
                pending.extend(self.dependents(base));
            }
        }
    }

    /// What uses `base` to be what it is, by index.
    fn dependents(&self, base: Value) -> impl Iterator<Item = usize> + '_ {
        let targets = self.flow.flows_out(base).iter();
        let targets = targets.flat_map(|&id| &self.flow.flow(id).targets);
        let merges = self.flow.merges(base).iter();
        targets.chain(merges).map(|&value| self.index_of(value))
    }

    /// The deepest holder that reaches `base`; `None` if it is critical.
    fn evaluate(&self, base: Value) -> Option<PackedOption<Value>> {
        let mut deepest: Option<Value> = None;
        let mut add = |holder: Value| {
            deepest = Some(deepest.map_or(holder, |known| self.nest.deeper(known, holder)));
        };
        match self.flow.origin(base) {
            Origin::External => {}
            Origin::Fresh => add(base),
            Origin::Phi if self.critical.contains(base) => add(base),
            Origin::Phi => {
                for &id in self.flow.flows_in(base) {
                    if let Some(holder) = self.deepest[self.flow.flow_base(id)].expand() {
                        if !self.nest.in_scope(holder, self.flow.flow(id).edge) {
                            return None;
                        }
                        add(holder);
                    }
                }
            }
            Origin::Merge => {
                for &source in self.flow.merge_sources(base) {
                    let holder = self.deepest[source].expand();
                    let is_in_scope = |&holder: &Value| self.nest.is_defined_at(holder, base);
                    holder.filter(is_in_scope).into_iter().for_each(&mut add);
                }
            }
        }
        Some(deepest.into())
    }

    /// Makes a phi critical, and all that come with it.
    fn make_critical(&mut self, phi: Value) -> Vec<Value> {
        let members = self.slot_of(phi);
        for &member in &members {
            self.critical.insert(member);
            self.deepest[member] = member.into();
        }
        members
    }

    /// Finds which one holder each base is an alias of.
    fn find_holders(&mut self) {
        let mut pending: BTreeSet<usize> = (0..self.flow.bases().len()).collect();
        while let Some(index) = pending.pop_first() {
            let base = self.flow.bases()[index];
            let holder = self.evaluate_holder(base);
            if holder != self.holder[base] {
                self.holder[base] = holder;
                pending.extend(self.dependents(base));
            }
        }
    }

    fn evaluate_holder(&self, base: Value) -> Holder {
        let join = |a: Holder, b: Value| a.join(self.holder[b]);
        match self.flow.origin(base) {
            Origin::External => Holder::Several,
            Origin::Fresh => Holder::One(base),
            Origin::Phi if self.critical.contains(base) => Holder::One(base),
            Origin::Phi => {
                let sources = self.flow.flows_in(base).iter();
                let sources = sources.map(|&id| self.flow.flow_base(id));
                sources.fold(Holder::None, join)
            }
            Origin::Merge if self.is_one_of_its_sources(base) => {
                let sources = self.flow.merge_sources(base).iter();
                sources.copied().fold(Holder::None, join)
            }
            Origin::Merge => Holder::Several,
        }
    }

    /// Whether a merge certainly is one of its sources, or a view of one. What a file declares may share memory with
    /// them only.
    fn is_one_of_its_sources(&self, merge: Value) -> bool {
        let op = self.ir.defining_op(merge);
        let is_declared = op.is_some_and(|op| self.ir.def(op).declared.is_some());
        !is_declared && !self.flow.may_be_other(self.ir, merge)
    }

    /// Which returns hand a holder to the caller, and which returned operands
    /// have to be copied because they are not certainly one buffer of ours, or
    /// because it is handed over already.
    pub(super) fn returns(&self) -> Returns {
        let mut returns = Returns::default();
        for id in self.flow.flow_ids() {
            let edge = self.flow.flow(id).edge;
            if edge.kind != EdgeKind::Return {
                continue;
            }
            match self.holder[self.flow.flow_base(id)] {
                Holder::One(holder) if returns.handed_over.insert((holder, edge)) => {}
                _ => returns.copied.push(id),
            }
        }
        returns
    }

    /// The families of bases connected by merges and by flows without copies,
    /// and which of them the program frees itself. Memory of others connects
    /// nothing.
    pub(super) fn families(&self) -> Families {
        let mut sets = UnionFind::new(self.flow.bases().len());
        for (index, &base) in self.flow.bases().iter().enumerate() {
            if self.flow.origin(base) != Origin::External {
                for other in self.dependents(base) {
                    if !self.critical.contains(self.flow.bases()[other]) {
                        sets.join(index, other);
                    }
                }
            }
        }
        let mut families = Families {
            family: SecondaryMap::new(),
            freed: FxHashSet::default(),
            freed_bases: EntitySet::new(),
        };
        for (index, &base) in self.flow.bases().iter().enumerate() {
            families.family[base] = sets.root(index) as u32;
        }
        for op in self.ir.walk(self.ir.root()) {
            for base in freed_bases(self.ir, self.flow, op) {
                families.freed.insert(families.family[base]);
                families.freed_bases.insert(base);
            }
        }
        families
    }
}

/// What happens at the returns of a function.
#[derive(Default)]
pub(super) struct Returns {
    /// Holders that belong to the caller after a return.
    handed_over: FxHashSet<(Value, Edge)>,
    /// Flows whose operand is replaced by a copy.
    pub(super) copied: Vec<FlowId>,
}

impl Returns {
    /// The returns that hand each holder to the caller.
    pub(super) fn by_holder(&self) -> FxHashMap<Value, Vec<Edge>> {
        let mut by_holder: FxHashMap<Value, Vec<Edge>> = FxHashMap::default();
        let mut sorted: Vec<(Value, Edge)> = self.handed_over.iter().copied().collect();
        sorted.sort_by_key(|&(holder, edge)| (holder, edge.source));
        for (holder, edge) in sorted {
            by_holder.entry(holder).or_default().push(edge);
        }
        by_holder
    }
}

/// Bases by what they are connected with.
pub(super) struct Families {
    family: SecondaryMap<Value, u32>,
    freed: FxHashSet<u32>,
    freed_bases: EntitySet<Value>,
}

impl Families {
    /// Whether the program frees `base` or something connected with it.
    pub(super) fn is_freed(&self, base: Value) -> bool {
        self.freed.contains(&self.family[base])
    }

    /// Whether the program frees `base` by that name or as a view of it.
    pub(super) fn is_freed_itself(&self, base: Value) -> bool {
        self.freed_bases.contains(base)
    }

    /// The number of the family of `base`.
    pub(super) fn number(&self, base: Value) -> u32 {
        self.family[base]
    }
}
