//! Where buffers come from and how they travel through a function.
//!
//! Every memref value has a *base*: itself, or what its chain of views starts at. A base has an
//! [`Origin`]. Bases travel along [`Flow`]s: a terminator or a region operation forwards an operand
//! to block arguments, region arguments or results. Two values can share memory only if flows,
//! views and merges connect them. A value derived from buffers that is no buffer
//! ([`super::derived`]) is a merge of its sources, wherever it is forwarded.

use std::collections::hash_map::Entry;
use std::ops::Range;

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap, entity_impl};
use freehold_frontend::dialects::bufferization;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::dominance::{Dominance, reverse_postorder};
use freehold_frontend::ir::effects::{EffectKind, Resource};
use freehold_frontend::ir::entities::{Block, Op, Value, ValueDef};
use freehold_frontend::ir::interfaces::{RegionPoint, Request};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::{Type, TypeKind};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::analysis::derived::{self, Handles, Lifetime};
use crate::analysis::frees::frees_of;

/// A [`Flow`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FlowId(u32);
entity_impl!(FlowId, "flow");

/// Where a base comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Origin {
    /// Memory that another owner frees: arguments, globals, stack memory.
    #[default]
    External,
    /// Allocated right here, or handed over by a call: to be freed here, maybe under a condition.
    Fresh,
    /// A block argument, region argument or result of a region operation.
    Phi,
    /// One of several values, or a view of one: `arith.select`, unknown operations.
    Merge,
}

/// Which way control leaves the operation that forwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum EdgeKind {
    /// To successor `.0` of a branch.
    Branch(usize),
    /// From a region operation into its regions, or past them.
    Entry,
    /// From the end of a region to its parent or a sibling.
    RegionExit,
    /// Out of the function.
    Return,
}

/// The operation a flow starts at, and the way it takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Edge {
    /// The branch, region operation, region terminator or return.
    pub(crate) source: Op,
    pub(crate) kind: EdgeKind,
}

/// One operand that becomes other values.
#[derive(Debug)]
pub(crate) struct Flow {
    pub(crate) edge: Edge,
    /// The forwarded operand.
    pub(crate) operand: Value,
    /// Its index in the operand list of the source.
    pub(crate) operand_index: usize,
    /// What it becomes: one value per place control may go to. Empty for returns.
    pub(crate) targets: SmallVec<[Value; 2]>,
}

/// Bases, their origins and all flows of one function. See the module doc.
pub(crate) struct ValueFlow {
    base: SecondaryMap<Value, PackedOption<Value>>,
    origin: SecondaryMap<Value, Origin>,
    /// Base to the values viewing it, itself first.
    members: SecondaryMap<Value, SmallVec<[Value; 2]>>,
    /// Base to the merges that may be it.
    merges: SecondaryMap<Value, SmallVec<[Value; 1]>>,
    /// Merge to the bases it may be.
    merge_sources: SecondaryMap<Value, SmallVec<[Value; 2]>>,
    flows: PrimaryMap<FlowId, Flow>,
    /// Base to the flows that forward a member of it.
    flows_out: SecondaryMap<Value, SmallVec<[FlowId; 2]>>,
    /// Phi to the flows that it receives.
    flows_in: SecondaryMap<Value, SmallVec<[FlowId; 2]>>,
    /// What each `i1` argument or result receives, per edge.
    flags: FxHashMap<Value, Vec<(Edge, Value)>>,
    /// All bases in textual order of their definition.
    bases: Vec<Value>,
    handles: Handles,
    /// Base to the forwarded values that are derived from it or its views and no buffers: by which
    /// terminator or region operation, and as which.
    forwarded_handles: SecondaryMap<Value, SmallVec<[(Op, Value); 1]>>,
    /// Bases of buffers with an escaped handle, and where it escaped.
    given_away: FxHashMap<Value, Op>,
    /// Bases of buffers with a handle that stays in use when they go out of scope, and where it leaves.
    outlived: FxHashMap<Value, Op>,
    /// Where handles are handed on or given away.
    dominance: Option<Dominance>,
}

impl ValueFlow {
    /// Analyses everything inside the root of `ir`, a function.
    pub(crate) fn new(ir: &Ir) -> Self {
        let mut flow = Self {
            base: SecondaryMap::new(),
            origin: SecondaryMap::new(),
            members: SecondaryMap::new(),
            merges: SecondaryMap::new(),
            merge_sources: SecondaryMap::new(),
            flows: PrimaryMap::new(),
            flows_out: SecondaryMap::new(),
            flows_in: SecondaryMap::new(),
            flags: FxHashMap::default(),
            bases: Vec::new(),
            handles: Handles::new(ir),
            forwarded_handles: SecondaryMap::new(),
            given_away: FxHashMap::default(),
            outlived: FxHashMap::default(),
            dominance: None,
        };
        let order = definition_order(ir, &flow.handles);
        for &value in &order {
            flow.add_value(ir, value);
        }
        // Sources of merges and forwarded operands may be defined later in
        // the text (blocks in any order), so they come second.
        for &value in &order {
            if flow.origin[value] == Origin::Merge && flow.is_base(value) {
                flow.add_merge_sources(ir, value);
            }
        }
        for op in ir.walk(ir.root()) {
            flow.add_flows(ir, op);
            flow.add_transfer(ir, op);
        }
        if !flow.handles.is_empty() {
            flow.link_companions(ir);
            flow.link_call_results(ir);
            flow.find_given_away();
            if !flow.handles.forwarded.is_empty() || !flow.given_away.is_empty() {
                let dominance = Dominance::new(ir);
                flow.find_outlived(ir, &dominance);
                flow.dominance = Some(dominance);
            }
        }
        flow
    }

    fn is_base(&self, value: Value) -> bool {
        self.base[value].expand() == Some(value)
    }

    /// What the chain of views of `value` starts at; `None` if it is no buffer.
    pub(crate) fn base(&self, value: Value) -> Option<Value> {
        self.base[value].expand()
    }

    /// Where a base comes from.
    pub(crate) fn origin(&self, base: Value) -> Origin {
        debug_assert!(self.is_base(base));
        self.origin[base]
    }

    /// The values with this base.
    pub(crate) fn members(&self, base: Value) -> &[Value] {
        &self.members[base]
    }

    /// The merges that may be `base`, and the tags of transfers from or to it:
    /// as long as those are needed, so is `base`.
    pub(crate) fn merges(&self, base: Value) -> &[Value] {
        &self.merges[base]
    }

    /// What a merge may be.
    pub(crate) fn merge_sources(&self, merge: Value) -> &[Value] {
        &self.merge_sources[merge]
    }

    /// Whether something is made of buffers that may stand for them, so that the program may tell
    /// which of them are the same.
    pub(crate) fn has_handles(&self) -> bool {
        !self.handles.is_empty()
    }

    /// An operation through which a value derived from the buffer `base` escapes, so that its last
    /// use is unknown: it stays until it goes out of scope.
    pub(crate) fn given_away_to(&self, base: Value) -> Option<Op> {
        self.given_away.get(&base).copied()
    }

    /// An operation by which a value derived from the buffer `base` gets to where it may be used after the buffer
    /// has gone out of scope: it is never freed then, unless by the program.
    pub(crate) fn outlived_by(&self, base: Value) -> Option<Op> {
        self.outlived.get(&base).copied()
    }

    /// The operations that need `holder`, given all that use what it may become: handles may go
    /// where it is out of scope, which does not keep it; an escaped one keeps it until there,
    /// unless the program frees it.
    pub(crate) fn needed_by(&self, ir: &Ir, holder: Value, mut users: Vec<Op>) -> Vec<Op> {
        let Some(dominance) = &self.dominance else {
            return users;
        };
        if !self.handles.forwarded.is_empty() {
            users.retain(|&user| dominance.value_dominates(ir, holder, user));
        }
        if self.given_away.contains_key(&holder) && frees_of(ir, self, holder, &users).is_empty() {
            users.extend(derived::ends_of_scope(ir, dominance, holder));
        }
        users
    }

    /// Whether a merge may be something else than one of its sources.
    pub(crate) fn may_be_other(&self, ir: &Ir, merge: Value) -> bool {
        let op = match ir.value_def(merge) {
            ValueDef::Result(op, _) => op,
            ValueDef::Argument(..) => return true,
        };
        !ir.is_memory_effect_free(op)
            || self.handles.contains(merge)
            || ir.operands(op).iter().any(|&v| self.handles.contains(v))
    }

    /// The terminators and region operations that hand on something that is made of a buffer
    /// and no buffer, and as what.
    pub(crate) fn forwarded_handles(&self, base: Value) -> &[(Op, Value)] {
        &self.forwarded_handles[base]
    }

    /// All flows, in textual order of their sources.
    pub(crate) fn flow_ids(&self) -> impl Iterator<Item = FlowId> + use<> {
        self.flows.keys()
    }

    /// One flow.
    pub(crate) fn flow(&self, flow: FlowId) -> &Flow {
        &self.flows[flow]
    }

    /// The flows that forward a member of `base`.
    pub(crate) fn flows_out(&self, base: Value) -> &[FlowId] {
        &self.flows_out[base]
    }

    /// The flows that a phi receives.
    pub(crate) fn flows_in(&self, phi: Value) -> &[FlowId] {
        &self.flows_in[phi]
    }

    /// What an `i1` argument or result receives, per edge.
    pub(crate) fn flag_sources(&self, flag: Value) -> &[(Edge, Value)] {
        self.flags.get(&flag).map_or(&[], Vec::as_slice)
    }

    /// All bases in textual order.
    pub(crate) fn bases(&self) -> &[Value] {
        &self.bases
    }

    /// The base a flow forwards.
    pub(crate) fn flow_base(&self, flow: FlowId) -> Value {
        self.base(self.flows[flow].operand)
            .expect("flows forward buffers")
    }

    fn add_value(&mut self, ir: &Ir, value: Value) {
        let (base, origin) = match ir.value_def(value) {
            _ if self.handles.contains(value) => (value, Origin::Merge),
            ValueDef::Argument(block, index) => {
                let owner = ir
                    .block_parent_op(block)
                    .expect("the block is in the function");
                let origin = if !ir.is_entry_block(block) {
                    Origin::Phi
                } else if owner == ir.root() {
                    Origin::External
                } else if ir.def(owner).region_branch.is_some() && receives(ir, owner, block, index)
                {
                    Origin::Phi
                } else {
                    Origin::Merge
                };
                (value, origin)
            }
            ValueDef::Result(op, _) => self.result_origin(ir, op, value),
        };
        self.base[value] = base.into();
        self.members[base].push(value);
        if base == value {
            self.origin[value] = origin;
            self.bases.push(value);
        }
    }

    /// Base and origin of the result of an operation.
    fn result_origin(&self, ir: &Ir, op: Op, value: Value) -> (Value, Origin) {
        let def = ir.def(op);
        if let Some(view_source) = def.view_source
            && let Some(base) = self.base(view_source(ir, op))
        {
            return (base, Origin::External);
        }
        if ir.is(op, &bufferization::TO_TENSOR) || ir.is(op, &bufferization::TO_MEMREF) {
            // A tensor of a buffer is that buffer as long as it is used.
            return match self.base(ir.operand(op, 0)) {
                Some(base) => (base, Origin::External),
                None => (value, Origin::External),
            };
        }
        if def.call.is_some() {
            return (value, Origin::Fresh);
        }
        if def.region_branch.is_some() {
            return (value, Origin::Phi);
        }
        let manual = ir.has_attr(op, Name::MANUAL_DEALLOCATION);
        if !manual && ir.has_dynamic_ownership(op, value) {
            return (value, Origin::Fresh);
        }
        if let Some(effects) = ir.own_effects(op) {
            let allocation = effects
                .iter()
                .find(|e| e.kind == EffectKind::Allocate && e.value == Some(value));
            if let Some(effect) = allocation {
                let is_for_others = manual || effect.resource == Resource::AutomaticAllocationScope;
                return (
                    value,
                    if is_for_others {
                        Origin::External
                    } else {
                        Origin::Fresh
                    },
                );
            }
        }
        let mut operands = ir.operands(op).iter().enumerate();
        let has_buffer_operands = operands
            .any(|(i, &v)| self.base(v).is_some() && (def.keeps_operand)(ir, op, value, i))
            || !ir.regions(op).is_empty();
        (
            value,
            if has_buffer_operands {
                Origin::Merge
            } else {
                Origin::External
            },
        )
    }

    fn add_merge_sources(&mut self, ir: &Ir, value: Value) {
        let mut sources: SmallVec<[Value; 2]> = SmallVec::new();
        let mut add = |base: Option<Value>| {
            if let Some(base) = base
                && base != value
                && !sources.contains(&base)
            {
                sources.push(base);
            }
        };
        let op = match ir.value_def(value) {
            ValueDef::Result(op, _) => op,
            ValueDef::Argument(block, _) => ir
                .block_parent_op(block)
                .expect("the block is in the function"),
        };
        self.handles
            .sources(value)
            .iter()
            .for_each(|&v| add(self.base(v)));
        let def = ir.def(op);
        let only_receives = self.handles.contains(value)
            && (def.region_branch.is_some()
                || matches!(ir.value_def(value), ValueDef::Argument(block, _) if !ir.is_entry_block(block)));
        if !only_receives {
            for (index, &operand) in ir.operands(op).iter().enumerate() {
                if (def.keeps_operand)(ir, op, value, index) {
                    add(self.base(operand));
                }
            }
        }
        if ir.is_opaque(op) {
            // It may hand out anything that its regions see.
            for inner in ir.walk(op).skip(1) {
                for &operand in ir.operands(inner) {
                    add(self
                        .base(operand)
                        .filter(|_| !defined_inside(ir, operand, op)));
                }
            }
        }
        for &source in &sources {
            self.merges[source].push(value);
        }
        self.merge_sources[value] = sources;
    }

    /// A transfer ends where its tag is waited for.
    fn add_transfer(&mut self, ir: &Ir, op: Op) {
        let Some(Request::Tagged(tag)) = ir.request(op) else {
            return;
        };
        let Some(tag) = self.base(tag) else { return };
        for &operand in ir.operands(op) {
            if let Some(buffer) = self.base(operand)
                && buffer != tag
                && !self.merges[buffer].contains(&tag)
            {
                self.merges[buffer].push(tag);
            }
        }
    }

    /// Where one edge hands on a handle and buffers, it may be made of any of these: the one
    /// who holds the buffer from there on keeps it for the handle as well.
    fn link_companions(&mut self, ir: &Ir) {
        let mut targets_of: FxHashMap<Op, Vec<Value>> = FxHashMap::default();
        for flow in self.flows.values() {
            let targets = targets_of.entry(flow.edge.source).or_default();
            targets.extend_from_slice(&flow.targets);
        }
        let mut links = Vec::new();
        for &(handle, source, target) in &self.handles.forwarded {
            if let Some(base) = self.base(handle) {
                self.forwarded_handles[base].push((source, target));
            }
            let place = derived::source_op(ir, target);
            let buffers = targets_of.get(&source).into_iter().flatten().copied();
            let comes_along = |buffer: &Value| {
                ir.value_block(*buffer) == ir.value_block(target)
                    && derived::source_op(ir, *buffer) == place
            };
            links.extend(buffers.filter(comes_along).map(|buffer| (buffer, target)));
        }
        for (buffer, handle) in links {
            if !self.merges[buffer].contains(&handle) {
                self.merges[buffer].push(handle);
                self.merge_sources[handle].push(buffer);
            }
        }
    }

    /// What a call returns may be a buffer and a request that holds it.
    fn link_call_results(&mut self, ir: &Ir) {
        for op in ir.walk(ir.root()).filter(|&op| ir.def(op).call.is_some()) {
            let results = ir.results(op).iter().copied();
            for handle in results
                .clone()
                .filter(|&result| self.handles.contains(result))
            {
                for buffer in results.clone().filter(|&result| ir.is_memref(result)) {
                    if let Some(buffer) = self.base(buffer)
                        && !self.merges[buffer].contains(&handle)
                    {
                        self.merges[buffer].push(handle);
                        self.merge_sources[handle].push(buffer);
                    }
                }
            }
        }
    }

    /// Finds what the handles that are given away may be made of, and what that becomes.
    fn find_given_away(&mut self) {
        let given_away = self.handles.given_away.iter();
        let mut pending: Vec<(Value, Op)> = given_away
            .filter_map(|&(handle, op)| Some((self.base(handle)?, op)))
            .collect();
        while let Some((base, op)) = pending.pop() {
            if self.given_away.contains_key(&base) {
                continue;
            }
            self.given_away.insert(base, op);
            let sources = self.merge_sources[base].iter().copied();
            let senders = self.flows_in[base].iter();
            let senders = senders.map(|&id| self.flow_base(id));
            pending.extend(sources.chain(senders).map(|source| (source, op)));
        }
        let mut found: Vec<(Value, Op)> = self.given_away.iter().map(|(&b, &op)| (b, op)).collect();
        found.sort_unstable_by_key(|&(base, _)| base);
        while let Some((base, op)) = found.pop() {
            let flows = self.flows_out[base].iter();
            let targets = flows.flat_map(|&id| self.flows[id].targets.iter().copied());
            for target in targets.chain(self.merges[base].iter().copied()) {
                if let Entry::Vacant(place) = self.given_away.entry(target) {
                    place.insert(op);
                    found.push((target, op));
                }
            }
        }
    }

    /// Finds the buffers with handles that leave their scope: out of the function, into memory that lives longer, or
    /// by a terminator that does not take the buffer along.
    fn find_outlived(&mut self, ir: &Ir, dominance: &Dominance) {
        let mut found: Vec<(Value, Op)> = Vec::new();
        // What handles were made of that go to memory of each lifetime.
        let mut put: IndexMap<Lifetime, Vec<(Value, Op)>, FxBuildHasher> = IndexMap::default();
        for &(handle, op) in &self.handles.given_away {
            let place = derived::stored_in(ir, op).and_then(|place| self.base(place));
            let lifetime = match place {
                _ if is_return(ir, op) => Lifetime::Unknown,
                Some(place) => derived::lifetime(ir, place, self.origin[place]),
                None => continue,
            };
            let base = self.base(handle);
            let base = base.filter(|&base| may_be_made_of(ir, handle, base));
            put.entry(lifetime)
                .or_default()
                .extend(base.map(|base| (base, op)));
        }
        for (lifetime, mut pending) in put {
            let mut seen = EntitySet::new();
            while let Some((base, op)) = pending.pop() {
                if !seen.insert(base) {
                    continue;
                }
                let ends_as_late = match lifetime {
                    Lifetime::Frame => true,
                    Lifetime::Region(region) => derived::home(ir, base) == Some(region),
                    Lifetime::Unknown => false,
                };
                if !ends_as_late {
                    found.push((base, op));
                }
                let sources = self.merge_sources[base].iter().copied();
                let sources = sources.filter(|&source| may_be_made_of(ir, base, source));
                let senders = self.flows_in[base].iter().map(|&id| self.flow_base(id));
                pending.extend(sources.chain(senders).map(|source| (source, op)));
            }
        }
        let forwarded = self.handles.forwarded.iter();
        let onward: FxHashSet<(Value, Op)> =
            forwarded.map(|&(handle, op, _)| (handle, op)).collect();
        for &base in &self.bases {
            if self.origin[base] != Origin::Merge && self.flows_out[base].is_empty() {
                let leaves = self.leaves_scope(ir, dominance, base, &onward);
                found.extend(leaves.map(|op| (base, op)));
            }
        }
        for (base, op) in found {
            if self.origin[base] != Origin::Merge {
                self.outlived.entry(base).or_insert(op);
            }
        }
    }

    /// What hands on a handle of the buffer `base` to where that is out of scope, and the handle is used. `onward` are the
    /// uses that do nothing but hand on handles.
    fn leaves_scope(
        &self,
        ir: &Ir,
        dominance: &Dominance,
        base: Value,
        onward: &FxHashSet<(Value, Op)>,
    ) -> Option<Op> {
        let mut seen: FxHashSet<Value> = FxHashSet::default();
        let mut pending = vec![base];
        while let Some(handle) = pending.pop() {
            if !seen.insert(handle) {
                continue;
            }
            for &(source, target) in &self.forwarded_handles[handle] {
                let mut users = ir.uses(target).iter().map(|u| u.op);
                let is_out = |user: Op| {
                    !onward.contains(&(target, user)) && !dominance.value_dominates(ir, base, user)
                };
                if users.any(is_out) {
                    return Some(source);
                }
            }
            let merges = self.merges[handle].iter().copied();
            pending.extend(merges.filter(|&merge| may_be_made_of(ir, merge, handle)));
        }
        None
    }

    fn add_flows(&mut self, ir: &Ir, op: Op) {
        let def = ir.def(op);
        if def.branch.is_some() {
            for successor in 0..ir.successors(op).len() {
                let block = ir.successors(op)[successor];
                let first = def.branch.map_or(0, |branch| {
                    (branch.successor_operands)(ir, op, successor).start
                });
                let edge = Edge {
                    source: op,
                    kind: EdgeKind::Branch(successor),
                };
                for i in 0..ir.successor_operands(op, successor).len() {
                    // A branch may produce leading arguments itself; the
                    // forwarded ones are the last.
                    let skipped =
                        ir.block_args(block).len() - ir.successor_operands(op, successor).len();
                    let target = ir.block_args(block)[skipped + i];
                    self.add_flow(ir, edge, first + i, &[target]);
                }
            }
        }
        if def.region_branch.is_some() {
            let edge = Edge {
                source: op,
                kind: EdgeKind::Entry,
            };
            let pairs = forwarded_pairs(ir, op, RegionPoint::Parent, |to| {
                let range = def.region_branch.map(|i| (i.entry_operands)(ir, op, to));
                range.unwrap_or(0..0)
            });
            for (operand_index, targets) in pairs {
                self.add_flow(ir, edge, operand_index, &targets);
            }
        }
        if let Some(terminator) = def.region_terminator
            && let Some(parent) = ir.parent_op(op)
            && ir.def(parent).region_branch.is_some()
            && let Some(region) = ir.parent_region(op)
            && let Some(index) = ir.regions(parent).iter().position(|&r| r == region)
        {
            let edge = Edge {
                source: op,
                kind: EdgeKind::RegionExit,
            };
            let pairs = forwarded_pairs(ir, parent, RegionPoint::Region(index), |to| {
                (terminator.operands)(ir, op, to)
            });
            for (operand_index, targets) in pairs {
                self.add_flow(ir, edge, operand_index, &targets);
            }
        }
        if is_return(ir, op) {
            let edge = Edge {
                source: op,
                kind: EdgeKind::Return,
            };
            for index in 0..ir.operands(op).len() {
                self.add_flow(ir, edge, index, &[]);
            }
        }
    }

    fn add_flow(&mut self, ir: &Ir, edge: Edge, operand_index: usize, targets: &[Value]) {
        let operand = ir.operand(edge.source, operand_index);
        if ir.value_type(operand) == Type::I1 {
            for &target in targets {
                self.flags.entry(target).or_default().push((edge, operand));
            }
        }
        if !ir.is_memref(operand) {
            return;
        }
        let Some(base) = self.base(operand) else {
            return;
        };
        let flow = self.flows.push(Flow {
            edge,
            operand,
            operand_index,
            targets: targets.into(),
        });
        self.flows_out[base].push(flow);
        for &target in targets {
            self.flows_in[target].push(flow);
        }
    }
}

/// Whether `handle` may lead to what `source` leads to: a number that a token ends with is a result, and no address.
fn may_be_made_of(ir: &Ir, handle: Value, source: Value) -> bool {
    let is_token = |value: Value| {
        let kind = ir.context().type_kind(ir.value_type(value));
        matches!(kind, TypeKind::Dialect { .. } | TypeKind::Tuple(_))
    };
    is_token(handle) || !is_token(source)
}

/// Whether `op` returns from the function that is the root of `ir`.
pub(crate) fn is_return(ir: &Ir, op: Op) -> bool {
    ir.has_trait(op, Traits::RETURN_LIKE) && ir.parent_op(op) == Some(ir.root())
}

/// Pairs of operand index and the values it becomes when control leaves `from`.
pub(crate) fn forwarded_pairs(
    ir: &Ir,
    op: Op,
    from: RegionPoint,
    operands: impl Fn(RegionPoint) -> Range<usize>,
) -> Vec<(usize, SmallVec<[Value; 2]>)> {
    let mut pairs: Vec<(usize, SmallVec<[Value; 2]>)> = Vec::new();
    let mut positions: FxHashMap<usize, usize> = FxHashMap::default();
    for to in ir.region_successors(op, from) {
        let inputs = ir.region_successor_inputs(op, to);
        for (operand_index, &input) in operands(to).zip(inputs) {
            let position = *positions.entry(operand_index).or_insert_with(|| {
                pairs.push((operand_index, SmallVec::new()));
                pairs.len() - 1
            });
            pairs[position].1.push(input);
        }
    }
    pairs
}

/// Whether some edge of region operation `op` forwards a value to argument
/// `index` of the entry block `block` of one of its regions.
fn receives(ir: &Ir, op: Op, block: Block, index: u32) -> bool {
    let region = ir.region_of(block);
    let position = ir.regions(op).iter().position(|&r| Some(r) == region);
    let (Some(position), Some(interface)) = (position, ir.def(op).region_branch) else {
        return false;
    };
    (interface.successor_inputs)(ir, op, RegionPoint::Region(position)).contains(&(index as usize))
}

fn defined_inside(ir: &Ir, value: Value, op: Op) -> bool {
    ir.value_block(value)
        .and_then(|block| ir.block_parent_op(block))
        .is_some_and(|parent| ir.is_ancestor(op, parent))
}

/// Every buffer, every tensor made from one, and results of unknown operations that may stand for
/// one (a token to wait for), definitions before uses where dominance says so: blocks in reverse
/// postorder would do; textual order with views after their sources is enough, because a view in a
/// block that comes earlier in the text than its source's block is visited again.
fn definition_order(ir: &Ir, handles: &Handles) -> Vec<Value> {
    let mut order = Vec::new();
    let is_relevant = |value: Value| {
        ir.is_memref(value)
            || handles.contains(value)
            || match ir.context().type_kind(ir.value_type(value)) {
                TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor(_) => {
                    ir.defined_by(value, &bufferization::TO_TENSOR).is_some()
                }
                TypeKind::Dialect { .. } => {
                    let op = ir.defining_op(value);
                    let is_foreign = |op| {
                        let def = ir.def(op);
                        def.is_unregistered() || def.declared.is_some()
                    };
                    op.is_some_and(is_foreign)
                }
                _ => false,
            }
    };
    let mut stack = vec![Visit::Op(ir.root())];
    while let Some(visit) = stack.pop() {
        match visit {
            Visit::Op(op) => {
                if ir.has_trait(op, Traits::OWNS_ARENA) && op != ir.root() {
                    continue;
                }
                // Results come after what the regions hold.
                stack.push(Visit::Results(op));
                for &region in ir.regions(op).iter().rev() {
                    match ir.single_block(region) {
                        Some(block) => stack.push(Visit::Block(block)),
                        None => {
                            // Unreachable blocks were erased before.
                            if let Some(entry) = ir.entry_block(region) {
                                let blocks = reverse_postorder(ir, entry).into_iter();
                                stack.extend(blocks.rev().map(Visit::Block));
                            }
                        }
                    }
                }
            }
            Visit::Block(block) => {
                order.extend(
                    ir.block_args(block)
                        .iter()
                        .copied()
                        .filter(|&v| is_relevant(v)),
                );
                let mut op = ir.last_op(block);
                while let Some(current) = op {
                    stack.push(Visit::Op(current));
                    op = ir.prev_op(current);
                }
            }
            Visit::Results(op) => {
                order.extend(ir.results(op).iter().copied().filter(|&v| is_relevant(v)));
            }
        }
    }
    order
}

enum Visit {
    Op(Op),
    Block(Block),
    Results(Op),
}
