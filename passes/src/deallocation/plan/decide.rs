//! Who owns what: decides for every flow whether ownership moves along, and
//! for every phi whether it owns its buffer always, never, or says so in an
//! `i1` that travels with it.
//!
//! At run time every buffer has exactly one *holder*: a base in scope that is
//! responsible for it. Holders are fresh allocations and phis. A flow either
//! moves responsibility from the holder of its operand to its targets, or
//! lends: then the holder stays, and is kept until no value that may view its
//! buffer is needed any more ([`Ownership::closure`]). Lending needs the
//! holder to be in scope at the target; moving needs that nothing else there
//! may view the buffer. Where the holder goes out of scope it must move.
//! Where it is not known which of several holders an operand is, one
//! `bufferization.dealloc` with run-time comparison sorts it out ([`Group`]).

use std::collections::hash_map::Entry;

use cranelift_entity::{EntitySet, SecondaryMap};
use freehold_frontend::dialects::func;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::dominance::DominatorTree;
use freehold_frontend::ir::entities::{Block, Op, Region, Value};
use freehold_frontend::ir::interfaces::RegionPoint;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::analysis::flow::{Edge, EdgeKind, FlowId, Origin, ValueFlow};
use crate::analysis::liveness::{LevelLiveness, RegionChains, ancestor_in_region};
use crate::deallocation::plan::dynamic::ReturnAbi;
use crate::deallocation::plan::existing::ExistingFrees;
use crate::deallocation::plan::own_frees;
use crate::deallocation::plan::status::Status;

/// What happens to ownership along a flow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Decision {
    /// The holder of the operand stays responsible.
    #[default]
    Lend,
    /// The target becomes responsible if the operand's base was.
    Move,
    /// The operand is the buffer of another flow on the same edge, which moves
    /// it; the target borrows from the target of that one.
    Follow,
    /// A [`Group`] finds out.
    Group,
}

/// Holders that go out of scope on an edge on which operands are forwarded
/// that may be any of them.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) edge: Edge,
    /// The holders, each freed unless a forwarded operand is its buffer.
    pub(crate) holders: Vec<Value>,
    /// The flows whose operands may be one of them.
    pub(crate) flows: Vec<FlowId>,
    /// Whether every operand certainly is the buffer of an owned holder.
    pub(crate) certain: bool,
}

/// Facts about the callees of a function. Of those not listed, every returned buffer belongs to the
/// caller.
#[derive(Debug, Default)]
pub(crate) struct Callees {
    /// Functions that return with each buffer whether it belongs to the
    /// caller; and for each result what it may be.
    pub(crate) dynamic: FxHashMap<String, Vec<ResultAliases>>,
    /// Functions that an earlier run made return ownership: their callers deal
    /// with it already.
    pub(crate) processed: FxHashSet<String>,
    /// Whether owners say at run time who is responsible, so that conditions
    /// that the function computes anyway are not asked.
    pub(crate) with_owners: bool,
}

/// What a result of a function may be. Results that are no buffers are nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ResultAliases {
    /// The arguments whose buffer it may be.
    pub(crate) arguments: Vec<usize>,
    /// The earlier results that may be the same buffer although no argument is.
    pub(crate) results: Vec<usize>,
    /// Whether it may be another buffer that the function does not own: a global.
    pub(crate) is_other: bool,
}

impl Callees {
    /// The aliases of each result, if `op` calls a function that says at run
    /// time what belongs to the caller.
    pub(crate) fn dynamic_callee(&self, ir: &Ir, op: Op) -> Option<&[ResultAliases]> {
        if self.dynamic.is_empty() || !ir.is(op, &func::CALL) {
            return None;
        }
        let aliases = self.dynamic.get(func::Call(op).callee_name(ir))?;
        Some(aliases)
    }

    /// Whether `op` calls one of [`Callees::processed`].
    fn is_processed(&self, ir: &Ir, op: Op) -> bool {
        !self.processed.is_empty()
            && ir.is(op, &func::CALL)
            && self.processed.contains(func::Call(op).callee_name(ir))
    }
}

/// How often everything is decided anew before nothing is moved but what must be: bounds compile
/// time.
const MAX_ROUNDS: usize = 4;

/// What [`Ownership::closure`] found, by holder.
type Closures = FxHashMap<Value, FxHashSet<Value>>;

/// The decisions for one function. See the module doc.
pub(crate) struct Ownership<'a> {
    pub(crate) ir: &'a Ir,
    pub(crate) flow: ValueFlow,
    pub(crate) decisions: SecondaryMap<FlowId, Decision>,
    pub(crate) status: SecondaryMap<Value, Status>,
    /// Phis beside which an `i1` of the input says whether they own.
    pub(crate) companions: FxHashMap<Value, Value>,
    pub(crate) groups: Vec<Group>,
    /// What the input frees itself.
    pub(crate) existing: ExistingFrees,
    /// Results of one call each; all but the first may be the buffer of an earlier one.
    pub(crate) call_duplicates: Vec<Vec<Value>>,
    /// Calls whose results come with their ownership.
    pub(crate) dynamic_calls: Vec<Op>,
    /// The results of those, and of operations that know who frees them.
    pub(crate) dynamic_results: EntitySet<Value>,
    /// The latter of these.
    pub(crate) materialized: Vec<(Op, Value)>,
    /// Calls whose results come with their ownership, but are to be owned.
    pub(crate) adapted_calls: Vec<Op>,
    /// The buffers that calls of [`Callees::processed`] return.
    pub(crate) processed_results: Vec<Value>,
    /// See [`Callees::with_owners`].
    pub(crate) with_owners: bool,
    /// Who owns what the function returns.
    abi: ReturnAbi,
    /// A base to the bases that may be its buffer without a flow between
    /// them: other targets of one edge, other results of one call.
    borrowers: SecondaryMap<Value, SmallVec<[Value; 1]>>,
    /// How many pairs `borrowers` has.
    n_links: usize,
    /// The inverse of `borrowers`.
    lends_to: SecondaryMap<Value, SmallVec<[Value; 1]>>,
    /// Phis and merges that may be a buffer with another holder.
    may_borrow: EntitySet<Value>,
    /// The group that decides about a flow.
    group_of: FxHashMap<FlowId, usize>,
    /// The groups that a holder goes out of scope in.
    holder_groups: FxHashMap<Value, Vec<usize>>,
    trees: FxHashMap<Region, DominatorTree>,
    /// The straight lines of the regions with several blocks.
    chains: RegionChains,
    /// Region operations that run at most one region, once.
    exclusive: FxHashMap<Op, bool>,
}

impl<'a> Ownership<'a> {
    /// Decides everything for the function `ir`, which has no unreachable blocks.
    pub(crate) fn new(ir: &'a Ir, abi: ReturnAbi, callees: &Callees) -> Self {
        let mut this = Self {
            ir,
            flow: ValueFlow::new(ir),
            decisions: SecondaryMap::new(),
            status: SecondaryMap::new(),
            companions: FxHashMap::default(),
            groups: Vec::new(),
            existing: ExistingFrees::default(),
            call_duplicates: Vec::new(),
            dynamic_calls: Vec::new(),
            adapted_calls: Vec::new(),
            dynamic_results: EntitySet::new(),
            materialized: Vec::new(),
            processed_results: Vec::new(),
            with_owners: callees.with_owners,
            abi,
            borrowers: SecondaryMap::new(),
            n_links: 0,
            lends_to: SecondaryMap::new(),
            may_borrow: EntitySet::new(),
            group_of: FxHashMap::default(),
            holder_groups: FxHashMap::default(),
            trees: FxHashMap::default(),
            chains: RegionChains::of(ir),
            exclusive: FxHashMap::default(),
        };
        this.prepare();
        this.find_call_results(callees);
        this.existing = ExistingFrees::new(&this);
        this.link_duplicates();
        this.decide();
        this.compute_statuses();
        this
    }

    /// Decides about all flows. The values that borrow from others follow from the flows of one
    /// buffer, and moves depend on that; so all is decided anew, with the facts learned, until
    /// there are no new ones.
    fn decide(&mut self) {
        for round in 0.. {
            let n_links = self.n_links;
            self.decisions.clear();
            self.may_borrow.clear();
            self.groups.clear();
            self.group_of.clear();
            self.holder_groups.clear();
            self.force_moves();
            if round < self.ir.capped(MAX_ROUNDS) {
                self.promote_to_moves();
            }
            self.separate_duplicates();
            self.find_borrowers();
            self.form_groups();
            // Facts only accumulate, so there is an end.
            if self.n_links == n_links {
                return;
            }
        }
    }

    /// One buffer forwarded twice on one edge: of the targets the later ones
    /// borrow from the first.
    fn link_duplicates(&mut self) {
        let mut first: FxHashMap<(Edge, Value), FlowId> = FxHashMap::default();
        for id in self.flow.flow_ids() {
            let edge = self.flow.flow(id).edge;
            if edge.kind == EdgeKind::Return {
                continue;
            }
            match first.entry((edge, self.flow.flow_base(id))) {
                Entry::Occupied(owner) => self.lend_between_targets(*owner.get(), id),
                Entry::Vacant(place) => {
                    place.insert(id);
                }
            }
        }
    }

    fn prepare(&mut self) {
        for op in self.ir.walk(self.ir.root()) {
            for &region in self.ir.regions(op) {
                let has_branches = self
                    .ir
                    .entry_block(region)
                    .is_some_and(|entry| self.ir.next_block(entry).is_some());
                if has_branches {
                    self.trees
                        .insert(region, DominatorTree::new(self.ir, region));
                }
            }
            if !self.ir.regions(op).is_empty() {
                let exclusive = is_exclusive(self.ir, op);
                self.exclusive.insert(op, exclusive);
            }
        }
    }

    /// Whether of region operation `op` exactly one region runs, exactly once.
    pub(crate) fn is_exclusive(&self, op: Op) -> bool {
        self.exclusive.get(&op).copied().unwrap_or(false)
    }

    /// The bases that may be the buffer of `base` without a flow between them.
    pub(crate) fn borrowers(&self, base: Value) -> &[Value] {
        &self.borrowers[base]
    }

    /// The straight lines of blocks.
    pub(crate) fn chains(&self) -> &RegionChains {
        &self.chains
    }

    /// [`RegionChains::liveness`] in this function.
    pub(crate) fn liveness(
        &self,
        region: Region,
        definition: Option<Block>,
        users: &[Op],
    ) -> LevelLiveness<'_> {
        self.chains.liveness(self.ir, region, definition, users)
    }

    /// Whether a base is responsible for a buffer, sometimes at least.
    pub(crate) fn is_holder(&self, base: Value) -> bool {
        self.may_hold(base) && self.status[base].may_own()
    }

    /// The groups in which `holder` goes out of scope, as indices of `groups`.
    pub(crate) fn groups_of_holder(&self, holder: Value) -> &[usize] {
        self.holder_groups.get(&holder).map_or(&[], Vec::as_slice)
    }

    /// The group that decides about `flow`, as an index of `groups`.
    pub(crate) fn group_index(&self, flow: FlowId) -> Option<usize> {
        self.group_of.get(&flow).copied()
    }

    fn may_hold(&self, base: Value) -> bool {
        matches!(self.flow.origin(base), Origin::Fresh | Origin::Phi)
            && !self.existing.is_left_to_program(base)
    }

    // Scope.

    /// The region and block that a base is defined in.
    pub(crate) fn definition(&self, base: Value) -> (Region, Block) {
        let block = self.ir.value_block(base).expect("bases are in blocks");
        (
            self.ir
                .region_of(block)
                .expect("blocks of the function are in regions"),
            block,
        )
    }

    fn is_inside(&self, region: Region, outer: Region) -> bool {
        let mut current = region;
        loop {
            if current == outer {
                return true;
            }
            match self.ir.parent_region(self.ir.region_owner(current)) {
                Some(parent) => current = parent,
                None => return false,
            }
        }
    }

    /// Whether `base` is still defined, as the same instance, at the targets of `edge`.
    pub(crate) fn in_scope(&self, base: Value, edge: Edge) -> bool {
        let (region, block) = self.definition(base);
        let source_region = self
            .ir
            .parent_region(edge.source)
            .expect("edges start inside the function");
        match edge.kind {
            EdgeKind::Return => false,
            EdgeKind::Entry => true,
            EdgeKind::RegionExit => !self.is_inside(region, source_region),
            EdgeKind::Branch(successor) => {
                if region != source_region {
                    return !self.is_inside(region, source_region);
                }
                let target = self.ir.successors(edge.source)[successor];
                self.trees
                    .get(&region)
                    .is_some_and(|tree| tree.strictly_dominates(block, target))
            }
        }
    }

    // Aliases.

    /// All bases that may view the buffer that `holder` holds, itself first; flows on `except` do
    /// not count.
    pub(crate) fn closure(&self, holder: Value, except: Option<Edge>) -> Vec<Value> {
        let mut reached = vec![holder];
        let mut seen: FxHashSet<Value> = std::iter::once(holder).collect();
        let mut next = 0;
        while next < reached.len() {
            let base = reached[next];
            next += 1;
            let mut add = |value: Value| {
                if seen.insert(value) {
                    reached.push(value);
                }
            };
            for &merge in self.flow.merges(base) {
                add(merge);
            }
            for &borrower in &self.borrowers[base] {
                add(borrower);
            }
            for &id in self.flow.flows_out(base) {
                let flow = self.flow.flow(id);
                let moved = self.decisions[id] != Decision::Lend && base == holder;
                // Where the holder goes out of scope all is settled anew.
                if moved || Some(flow.edge) == except || !self.in_scope(holder, flow.edge) {
                    continue;
                }
                for &target in &flow.targets {
                    add(target);
                }
            }
        }
        reached
    }

    /// Every operation that uses one of `bases` or a view of it.
    pub(crate) fn users(&self, bases: &[Value]) -> Vec<Op> {
        let mut users = Vec::new();
        for &base in bases {
            for &member in self.flow.members(base) {
                users.extend(self.ir.uses(member).iter().map(|u| u.op));
            }
        }
        users
    }

    /// The holders in scope at the source of `edge` whose buffer `base` may be
    /// (`base` itself, if it can be one), and whether it may be other memory too.
    fn lenders(&self, base: Value, edge: Edge, closures: &mut Closures) -> (Vec<Value>, bool) {
        // Everything that may have become `base`; the flag tells whether it
        // was lent on the way, so that it may still be responsible.
        let mut seen: FxHashMap<Value, bool> = FxHashMap::default();
        let mut candidates = vec![(base, true)];
        let mut order = Vec::new();
        let mut external = false;
        while let Some((current, lent)) = candidates.pop() {
            match seen.get(&current) {
                Some(&known) if known || !lent => continue,
                _ => seen.insert(current, lent),
            };
            order.push(current);
            external |= self.flow.origin(current) == Origin::External
                || self.dynamic_results.contains(current)
                || self.may_be_other(current);
            for &source in self.flow.merge_sources(current) {
                candidates.push((source, true));
            }
            for &source in &self.lends_to[current] {
                candidates.push((source, true));
            }
            for &id in self.flow.flows_in(current) {
                let source = self.flow.flow_base(id);
                let lent = self.decisions[id] == Decision::Lend;
                if lent || self.may_borrow.contains(source) {
                    candidates.push((source, lent));
                } else {
                    external |= self.flow.origin(source) != Origin::Fresh
                        || self.dynamic_results.contains(source);
                }
            }
        }
        order.sort_unstable();
        order.dedup();
        let holders = order
            .into_iter()
            .filter(|&holder| {
                self.may_hold(holder)
                    && (holder == base
                        || seen.get(&holder) == Some(&true)
                            && self.dominates(holder, edge.source)
                            && closures
                                .entry(holder)
                                .or_insert_with(|| self.closure(holder, None).into_iter().collect())
                                .contains(&base))
            })
            .collect();
        (holders, external)
    }

    /// Whether `base` may be something else than its source.
    fn may_be_other(&self, base: Value) -> bool {
        self.flow.origin(base) == Origin::Merge && self.flow.may_be_other(self.ir, base)
    }

    /// Whether control always passes `first` before it reaches `op`.
    pub(crate) fn precedes(&self, first: Op, op: Op) -> bool {
        let (Some(region), Some(block)) = (self.ir.parent_region(first), self.ir.block_of(first))
        else {
            return false;
        };
        let Some(at) = ancestor_in_region(self.ir, op, region) else {
            return false;
        };
        match self.ir.block_of(at) {
            Some(at_block) if at_block == block => self.ir.is_before_in_block(first, at),
            Some(at_block) => self
                .trees
                .get(&region)
                .is_some_and(|tree| tree.strictly_dominates(block, at_block)),
            None => false,
        }
    }

    /// Whether `base` is defined whenever control reaches `op`.
    fn dominates(&self, base: Value, op: Op) -> bool {
        let (region, block) = self.definition(base);
        if let Some(definition) = self.ir.defining_op(base) {
            return self.precedes(definition, op);
        }
        let at_block = ancestor_in_region(self.ir, op, region).and_then(|at| self.ir.block_of(at));
        at_block.is_some_and(|at_block| {
            at_block == block
                || self
                    .trees
                    .get(&region)
                    .is_some_and(|tree| tree.dominates(block, at_block))
        })
    }

    // Decisions.

    /// External functions may return one buffer twice; others an argument.
    fn find_call_results(&mut self, callees: &Callees) {
        // What a program frees itself it takes to be another buffer than what a call returns.
        let adapted = match callees.with_owners || callees.dynamic.is_empty() {
            true => FxHashSet::default(),
            false => own_frees::calls_with_managed(self.ir),
        };
        for op in self.ir.walk(self.ir.root()) {
            if self.ir.def(op).ownership.is_some() {
                self.add_materialized(op);
            }
            if self.ir.def(op).call.is_none() {
                continue;
            }
            if let Some(aliases) = callees.dynamic_callee(self.ir, op) {
                if adapted.contains(&op) {
                    self.adapted_calls.push(op);
                } else {
                    self.add_dynamic_call(op, aliases);
                }
                continue;
            }
            let buffers: Vec<Value> = self
                .ir
                .results(op)
                .iter()
                .copied()
                .filter(|&v| self.ir.is_memref(v))
                .collect();
            if callees.is_processed(self.ir, op) {
                self.processed_results.extend(buffers);
                continue;
            }
            // Whoever borrows from a borrower borrows from all before it.
            for pair in buffers.windows(2) {
                self.add_borrower(pair[0], pair[1]);
            }
            if buffers.len() > 1 {
                self.call_duplicates.push(buffers);
            }
        }
    }

    /// A call whose results may be its arguments, or earlier results.
    fn add_dynamic_call(&mut self, op: Op, aliases: &[ResultAliases]) {
        self.dynamic_calls.push(op);
        let ir = self.ir;
        let results = ir.results(op).iter().copied();
        for (result, aliases) in results.zip(aliases).filter(|r| ir.is_memref(r.0)) {
            self.dynamic_results.insert(result);
            for &argument in &aliases.arguments {
                if let Some(base) = self.flow.base(ir.operand(op, argument)) {
                    self.add_borrower(base, result);
                }
            }
            for &other in &aliases.results {
                self.add_borrower(ir.result(op, other), result);
            }
        }
    }

    /// Results that may be operands; the operation knows.
    fn add_materialized(&mut self, op: Op) {
        let ir = self.ir;
        let results = ir.results(op).iter().copied();
        let is_dynamic = |&result: &Value| {
            ir.has_dynamic_ownership(op, result) && self.flow.origin(result) == Origin::Fresh
        };
        let results: SmallVec<[Value; 2]> = results.filter(is_dynamic).collect();
        for result in results {
            self.dynamic_results.insert(result);
            self.materialized.push((op, result));
            for (index, &operand) in ir.operands(op).iter().enumerate() {
                if (ir.def(op).keeps_operand)(ir, op, result, index)
                    && let Some(base) = self.flow.base(operand)
                {
                    self.add_borrower(base, result);
                }
            }
        }
    }

    /// Whoever goes out of scope must move.
    fn force_moves(&mut self) {
        for id in self.flow.flow_ids() {
            let base = self.flow.flow_base(id);
            if self.may_hold(base) && !self.in_scope(base, self.flow.flow(id).edge) {
                self.decisions[id] = Decision::Move;
            }
        }
    }

    /// Whoever stays in scope but is not needed any more moves too: so phis
    /// own their buffer on as many edges as possible.
    fn promote_to_moves(&mut self) {
        for id in self.flow.flow_ids() {
            let base = self.flow.flow_base(id);
            if self.decisions[id] == Decision::Lend
                && self.may_hold(base)
                && self.is_dead_after(base, self.flow.flow(id).edge)
            {
                self.decisions[id] = Decision::Move;
            }
        }
    }

    /// Whether nothing needs the buffer of `base` once control took `edge`,
    /// but for the values it becomes there; and control takes the edge at most
    /// once per instance of `base`.
    fn is_dead_after(&self, base: Value, edge: Edge) -> bool {
        let ir = self.ir;
        let closure = self.closure(base, Some(edge));
        // What may be the same buffer must not take another way on this edge.
        let is_forwarded_too = |&alias: &Value| {
            alias != base
                && self
                    .flow
                    .flows_out(alias)
                    .iter()
                    .any(|&id| self.flow.flow(id).edge == edge)
        };
        if closure.iter().any(is_forwarded_too) {
            return false;
        }
        let users = self.flow.needed_by(ir, base, self.users(&closure));
        let (home, home_block) = self.definition(base);
        let mut op = edge.source;
        if edge.kind == EdgeKind::Entry && users.iter().any(|&u| u != op && ir.is_ancestor(op, u)) {
            return false;
        }
        let mut first = true;
        loop {
            let Some(region) = ir.parent_region(op) else {
                return false;
            };
            let definition = (region == home).then_some(home_block);
            let live = self.liveness(region, definition, &users);
            let needed = match edge.kind {
                EdgeKind::Branch(successor) if first => {
                    live.is_live_in(ir.successors(op)[successor])
                }
                EdgeKind::RegionExit | EdgeKind::Return if first => false,
                _ => live.is_live_after(ir, op),
            };
            if needed {
                return false;
            }
            if region == home {
                return true;
            }
            first = false;
            op = ir.region_owner(region);
            if !self.is_exclusive(op) {
                return false;
            }
        }
    }

    /// If one buffer is forwarded twice on one edge, the first target gets the
    /// ownership and the others borrow from it.
    fn separate_duplicates(&mut self) {
        let mut first_mover: FxHashMap<(Edge, Value), FlowId> = FxHashMap::default();
        for id in self.flow.flow_ids() {
            let flow = self.flow.flow(id);
            let may_repeat = flow.edge.kind == EdgeKind::Return && self.abi == ReturnAbi::Owned;
            if self.decisions[id] != Decision::Move || may_repeat {
                continue;
            }
            let key = (flow.edge, self.flow.flow_base(id));
            let Some(&first) = first_mover.get(&key) else {
                first_mover.insert(key, id);
                continue;
            };
            self.decisions[id] = Decision::Follow;
            self.lend_between_targets(first, id);
        }
    }

    /// The targets of `borrower` may be the buffers of those of `owner`.
    fn lend_between_targets(&mut self, owner: FlowId, borrower: FlowId) {
        let pairs: SmallVec<[(Value, Value); 2]> = self
            .flow
            .flow(owner)
            .targets
            .iter()
            .copied()
            .zip(self.flow.flow(borrower).targets.iter().copied())
            .collect();
        for (owner, borrower) in pairs {
            self.add_borrower(owner, borrower);
        }
    }

    fn add_borrower(&mut self, owner: Value, borrower: Value) {
        if !self.borrowers[owner].contains(&borrower) {
            self.borrowers[owner].push(borrower);
            self.lends_to[borrower].push(owner);
            self.n_links += 1;
        }
    }

    /// Finds the phis and merges that may be another holder's buffer.
    fn find_borrowers(&mut self) {
        let mut stack: Vec<Value> = Vec::new();
        for &base in self.flow.bases() {
            let lends = |&id: &FlowId| {
                self.decisions[id] == Decision::Lend
                    && self.flow.origin(self.flow.flow_base(id)) != Origin::External
            };
            if self.flow.origin(base) == Origin::Merge
                || !self.lends_to[base].is_empty()
                || self.flow.flows_in(base).iter().any(lends)
            {
                stack.push(base);
            }
        }
        while let Some(base) = stack.pop() {
            if !self.may_borrow.insert(base) {
                continue;
            }
            stack.extend_from_slice(self.flow.merges(base));
            for &id in self.flow.flows_out(base) {
                stack.extend_from_slice(&self.flow.flow(id).targets);
            }
        }
    }

    /// Finds operands that may be one of several holders going out of scope.
    fn form_groups(&mut self) {
        let mut groups: Vec<Group> = Vec::new();
        let mut by_edge: FxHashMap<Edge, usize> = FxHashMap::default();
        let mut closures = Closures::default();
        for id in self.flow.flow_ids() {
            let base = self.flow.flow_base(id);
            let edge = self.flow.flow(id).edge;
            if !self.may_borrow.contains(base) {
                continue;
            }
            let (lenders, external) = self.lenders(base, edge, &mut closures);
            let leaving: Vec<Value> = lenders
                .iter()
                .copied()
                .filter(|&holder| !self.in_scope(holder, edge))
                .collect();
            if leaving.is_empty() || leaving == [base] {
                continue;
            }
            let all_fresh = lenders.iter().all(|&holder| {
                self.flow.origin(holder) == Origin::Fresh && !self.dynamic_results.contains(holder)
            });
            let certain = !external && all_fresh && leaving.len() == lenders.len();
            let index = *by_edge.entry(edge).or_insert_with(|| {
                groups.push(Group {
                    edge,
                    holders: Vec::new(),
                    flows: Vec::new(),
                    certain: true,
                });
                groups.len() - 1
            });
            let group = &mut groups[index];
            group.flows.push(id);
            group.certain &= certain;
            for holder in leaving {
                if !group.holders.contains(&holder) {
                    group.holders.push(holder);
                }
            }
            self.decisions[id] = Decision::Group;
            // It depends on the decisions about the flows of its holder.
            closures.remove(&base);
        }
        // A holder in a group that is also forwarded itself takes part as an
        // operand: the comparison finds out for it too.
        for id in self.flow.flow_ids() {
            let edge = self.flow.flow(id).edge;
            let Some(&index) = by_edge.get(&edge) else {
                continue;
            };
            let base = self.flow.flow_base(id);
            let group = &mut groups[index];
            if group.holders.contains(&base) && !group.flows.contains(&id) {
                group.flows.push(id);
                self.decisions[id] = Decision::Group;
            }
        }
        for group in &mut groups {
            group.flows.sort_unstable();
            group.certain &= group.flows.len() == 1;
        }
        for group in &groups {
            if group.edge.kind == EdgeKind::Return {
                continue;
            }
            for (i, &owner) in group.flows.iter().enumerate() {
                for &borrower in &group.flows[i + 1..] {
                    self.lend_between_targets(owner, borrower);
                }
            }
        }
        for (index, group) in groups.iter().enumerate() {
            self.group_of
                .extend(group.flows.iter().map(|&id| (id, index)));
            for &holder in &group.holders {
                self.holder_groups.entry(holder).or_default().push(index);
            }
        }
        self.groups = groups;
    }
}

/// Whether entering `op` runs exactly one of its regions, once.
pub(crate) fn is_exclusive(ir: &Ir, op: Op) -> bool {
    let Some(interface) = ir.def(op).region_branch else {
        return false;
    };
    let n_regions = ir.regions(op).len();
    let entered = ir.region_successors(op, RegionPoint::Parent);
    !entered.contains(&RegionPoint::Parent)
        && (0..n_regions).all(|index| {
            !(interface.is_repetitive)(ir, op, index)
                && entered.contains(&RegionPoint::Region(index))
                && ir
                    .region_successors(op, RegionPoint::Region(index))
                    .iter()
                    .all(|&to| to == RegionPoint::Parent)
        })
}
