//! Whether a base is responsible for its buffer: always, never, under a
//! condition that the function computes anyway, or as an `i1` says.
//!
//! A phi joins what its flows bring. The result of an `scf.if` that is owned
//! in one branch only is owned under the condition of that `scf.if`
//! ([`Status::When`]), and inside of its branches that is known again; so
//! `if %c { yield %fresh } else { yield %argument }` followed by
//! `if %c { dealloc }` needs no `i1` of its own. Likewise where the input has an
//! `i1` beside a phi that receives the ownership of the phi on every edge.

use cranelift_entity::EntitySet;
use freehold_frontend::dialects::{arith, scf};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use freehold_frontend::ir::types::Type;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::analysis::constants::constant_value;
use crate::analysis::flow::{EdgeKind, FlowId, Origin};
use crate::deallocation::plan::decide::{Decision, Ownership};

/// Whether a base is responsible for its buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Status {
    /// Not computed yet; also of phis that never receive anything.
    #[default]
    Unknown,
    /// Never.
    Borrowed,
    /// Always.
    Owned,
    /// If the `i1`, which dominates the base, has this value.
    When(Value, bool),
    /// An `i1` that travels with it says.
    Dynamic,
}

impl Status {
    fn join(self, other: Status) -> Status {
        match (self, other) {
            (Status::Unknown, status) | (status, Status::Unknown) => status,
            (a, b) if a == b => a,
            _ => Status::Dynamic,
        }
    }

    /// Whether it is responsible sometimes.
    pub(crate) fn may_own(self) -> bool {
        matches!(self, Status::Owned | Status::When(..) | Status::Dynamic)
    }
}

/// What an `i1` that tells ownership is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bit {
    /// Known.
    Constant(bool),
    /// This `i1`, or its opposite.
    Condition(Value, bool),
    /// The `i1` that travels with this base.
    OwnershipOf(Value),
    /// Result number `.1` of group `.0`.
    Group(usize, usize),
}

/// Most `i1` values beside a phi that are tried as its companion: bounds compile time.
const MAX_CANDIDATES: usize = 16;

/// How often statuses are computed anew because of companions that were found: bounds compile
/// time.
const MAX_ROUNDS: usize = 8;

impl Ownership<'_> {
    /// Computes all statuses.
    pub(crate) fn compute_statuses(&mut self) {
        if self.with_owners {
            self.compute_once();
            return;
        }
        for _ in 0..self.ir.capped(MAX_ROUNDS) {
            self.compute_once();
            let found = self.find_companions();
            if found.is_empty() {
                return;
            }
            self.companions.extend(found);
        }
        self.compute_once();
    }

    /// Joins what flows into each phi until nothing changes.
    fn compute_once(&mut self) {
        let mut duplicates = EntitySet::new();
        for &later in self
            .call_duplicates
            .iter()
            .flat_map(|results| &results[1..])
        {
            duplicates.insert(later);
        }
        let mut phis: Vec<Value> = Vec::new();
        for &base in self.flow.bases() {
            self.status[base] = match self.flow.origin(base) {
                Origin::Fresh
                    if duplicates.contains(base) || self.dynamic_results.contains(base) =>
                {
                    Status::Dynamic
                }
                Origin::Fresh => Status::Owned,
                Origin::External | Origin::Merge => Status::Borrowed,
                Origin::Phi => match self.companions.get(&base) {
                    Some(&companion) => Status::When(companion, true),
                    None => {
                        phis.push(base);
                        Status::Unknown
                    }
                },
            };
        }
        self.propagate(&phis, true);
        // Some branches of an scf.if come from nowhere (endless loops).
        self.propagate(&phis, false);
        // Phis in a cycle that nothing enters are never executed.
        for &base in self.flow.bases() {
            if self.status[base] == Status::Unknown {
                self.status[base] = Status::Borrowed;
            }
        }
    }

    /// Updates `phis`, in this order, and what depends on them. A status only ever
    /// rises: unknown, anything, dynamic.
    fn propagate(&mut self, phis: &[Value], wait_for_both_branches: bool) {
        let mut changed = Vec::new();
        for &phi in phis {
            let status = self.joined(phi, wait_for_both_branches);
            self.raise(phi, status, &mut changed);
            while let Some(phi) = changed.pop() {
                let in_groups = self.groups_of_holder(phi).iter();
                let in_groups = in_groups.flat_map(|&index| &self.groups[index].flows);
                let flows = self.flow.flows_out(phi).iter().chain(in_groups);
                let pairs: SmallVec<[(FlowId, Value); 4]> = flows
                    .flat_map(|&id| self.flow.flow(id).targets.iter().map(move |&to| (id, to)))
                    .collect();
                for (id, target) in pairs {
                    // What the others bring is part of the status already.
                    let status = match self.ir.defined_by(target, &scf::IF) {
                        Some(_) => self.joined(target, wait_for_both_branches),
                        None => self.flow_status(id),
                    };
                    self.raise(target, status, &mut changed);
                }
            }
        }
    }

    /// Adds `status` to that of a phi, which is noted if it changes.
    fn raise(&mut self, phi: Value, status: Status, changed: &mut Vec<Value>) {
        let new = self.status[phi].join(status);
        if new != self.status[phi] && !self.companions.contains_key(&phi) {
            self.status[phi] = new;
            changed.push(phi);
        }
    }

    fn joined(&self, phi: Value, wait_for_both_branches: bool) -> Status {
        let flows = self.flow.flows_in(phi);
        if !self.with_owners
            && let Some(op) = self.ir.defined_by(phi, &scf::IF)
            && let &[first, second] = flows
        {
            let (condition, is_true) = positive(self.ir, self.ir.operand(op, 0));
            let is_then = |id: FlowId| {
                self.ir.parent_region(self.flow.flow(id).edge.source) == Some(self.ir.region(op, 0))
            };
            let (then, otherwise) = if is_then(first) {
                (first, second)
            } else {
                (second, first)
            };
            match (self.flow_status(then), self.flow_status(otherwise)) {
                (Status::Unknown, _) | (_, Status::Unknown) if wait_for_both_branches => {
                    return Status::Unknown;
                }
                (Status::Owned, Status::Borrowed) => return Status::When(condition, is_true),
                (Status::Borrowed, Status::Owned) => return Status::When(condition, !is_true),
                _ => {}
            }
        }
        flows.iter().fold(Status::Unknown, |status, &id| {
            status.join(self.flow_status(id))
        })
    }

    /// What a flow tells its targets about ownership.
    pub(crate) fn flow_status(&self, id: FlowId) -> Status {
        let flow = self.flow.flow(id);
        match self.decisions[id] {
            Decision::Lend | Decision::Follow => Status::Borrowed,
            Decision::Move => {
                let status = self.status_at(self.flow.flow_base(id), flow.edge.source);
                match status {
                    // The condition stays behind.
                    Status::When(condition, _)
                        if flow.edge.kind != EdgeKind::Return
                            && !self.in_scope(condition, flow.edge) =>
                    {
                        Status::Dynamic
                    }
                    _ => status,
                }
            }
            Decision::Group => match self.group_index(id).map(|index| &self.groups[index]) {
                Some(group) if group.certain => Status::Owned,
                // What none of the holders owns, no operand can be the owner of.
                Some(group) => {
                    let mut statuses = group.holders.iter().map(|&holder| self.status[holder]);
                    if group.holders.iter().any(|&holder| self.is_holder(holder)) {
                        Status::Dynamic
                    } else if statuses.any(|status| status == Status::Unknown) {
                        Status::Unknown
                    } else {
                        Status::Borrowed
                    }
                }
                None => Status::Dynamic,
            },
        }
    }

    /// The status of `base` as far as it is known where `op` stands: inside the
    /// branches of an `scf.if` its condition is known.
    pub(crate) fn status_at(&self, base: Value, op: Op) -> Status {
        let status = self.status[base];
        let Status::When(condition, owned_if) = status else {
            return status;
        };
        let (condition, is_positive) = positive(self.ir, condition);
        let mut current = op;
        while let Some(region) = self.ir.parent_region(current) {
            current = self.ir.region_owner(region);
            if !self.ir.is(current, &scf::IF) {
                continue;
            }
            let (tested, tested_positive) = positive(self.ir, self.ir.operand(current, 0));
            if tested == condition {
                let tested_is_true = self.ir.region(current, 0) == region;
                let condition_is_true = (tested_is_true == tested_positive) == is_positive;
                return if condition_is_true == owned_if {
                    Status::Owned
                } else {
                    Status::Borrowed
                };
            }
        }
        status
    }

    /// The ownership of `base` where `op` stands.
    pub(crate) fn bit_at(&self, base: Value, op: Op) -> Bit {
        match self.status_at(base, op) {
            Status::Owned => Bit::Constant(true),
            Status::Borrowed | Status::Unknown => Bit::Constant(false),
            Status::When(condition, value) => Bit::Condition(condition, value),
            Status::Dynamic => Bit::OwnershipOf(base),
        }
    }

    /// The ownership that a flow hands on.
    pub(crate) fn flow_bit(&self, id: FlowId) -> Bit {
        match self.decisions[id] {
            Decision::Lend | Decision::Follow => Bit::Constant(false),
            Decision::Move => self.bit_at(self.flow.flow_base(id), self.flow.flow(id).edge.source),
            Decision::Group => {
                let index = self.group_index(id).expect("the flow is in a group");
                let group = &self.groups[index];
                match self.flow_status(id) {
                    Status::Owned => return Bit::Constant(true),
                    Status::Borrowed | Status::Unknown => return Bit::Constant(false),
                    Status::When(..) | Status::Dynamic => {}
                }
                let position = group.flows.iter().position(|&flow| flow == id);
                Bit::Group(index, position.expect("the group of a flow holds it"))
            }
        }
    }

    /// Whether an `i1` has to travel with `base`.
    pub(crate) fn needs_companion(&self, base: Value) -> bool {
        self.flow.origin(base) == Origin::Phi
            && self.status[base] == Status::Dynamic
            && !self.existing.is_left_to_program(base)
    }

    /// Finds phis beside which an `i1` stands that receives their ownership on
    /// every edge. Assumes the best of each pair of phi and `i1`, and drops
    /// pairs until those that are left confirm each other.
    fn find_companions(&self) -> FxHashMap<Value, Value> {
        type Pair = (Value, Value);
        let ir = self.ir;
        let mut candidates: IndexSet<Pair, FxBuildHasher> = IndexSet::default();
        for &base in self.flow.bases() {
            if self.needs_companion(base) {
                let beside = match ir.value_def(base) {
                    ValueDef::Argument(block, _) => ir.block_args(block),
                    ValueDef::Result(op, _) => ir.results(op),
                };
                // Companions are appended, so they come last.
                let is_flag = |&&value: &&Value| ir.value_type(value) == Type::I1;
                let flags = beside.iter().rev().filter(is_flag);
                candidates.extend(
                    flags
                        .take(self.ir.capped(MAX_CANDIDATES))
                        .map(|&flag| (base, flag)),
                );
            }
        }
        // Pairs to drop when a pair is dropped.
        let mut dependents: FxHashMap<Pair, Vec<Pair>> = FxHashMap::default();
        let mut dropped: Vec<Pair> = Vec::new();
        let mut alive: FxHashSet<Pair> = FxHashSet::default();
        for &(phi, flag) in &candidates {
            let receives_ownership = self.flow.flows_in(phi).iter().all(|&id| {
                let edge = self.flow.flow(id).edge;
                let sources = self.flow.flag_sources(flag);
                let Some(&(_, given)) = sources.iter().find(|&&(from, _)| from == edge) else {
                    return false;
                };
                match self.flow_bit(id) {
                    Bit::Constant(value) => constant_value(ir, given) == Some(Attr::bool(value)),
                    Bit::Condition(condition, value) => {
                        let (condition, is_positive) = positive(ir, condition);
                        positive(ir, given) == (condition, is_positive == value)
                    }
                    Bit::OwnershipOf(base) if candidates.contains(&(base, given)) => {
                        let pairs = dependents.entry((base, given)).or_default();
                        pairs.push((phi, flag));
                        true
                    }
                    Bit::OwnershipOf(_) | Bit::Group(..) => false,
                }
            });
            if receives_ownership {
                alive.insert((phi, flag));
            } else {
                dropped.push((phi, flag));
            }
        }
        while let Some(pair) = dropped.pop() {
            for &dependent in dependents.get(&pair).map_or(&[][..], Vec::as_slice) {
                if alive.remove(&dependent) {
                    dropped.push(dependent);
                }
            }
        }
        candidates
            .iter()
            .filter(|&pair| alive.contains(pair))
            .copied()
            .collect()
    }
}

/// The `i1` that `condition` or its opposite is, and whether it is itself.
fn positive(ir: &Ir, mut condition: Value) -> (Value, bool) {
    let mut is_positive = true;
    while let Some(op) = ir.defined_by(condition, &arith::XORI)
        && constant_value(ir, ir.operand(op, 1)) == Some(Attr::TRUE)
    {
        condition = ir.operand(op, 0);
        is_positive = !is_positive;
    }
    (condition, is_positive)
}
