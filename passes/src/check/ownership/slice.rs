//! Cuts the program of one allocation out of a function.
//!
//! Beginning with the operations that free, use, return or allocate the tracked buffer, everything
//! is added that decides whether they run (control dependence) and on what (data dependence), until
//! nothing is missing. A value that becomes an atom brings with it every place that gives it a
//! value, so that no state keeps a value from an earlier iteration.

use std::collections::VecDeque;

use freehold_frontend::dialects::{bufferization, cf, deallocation, memref, mpi};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::effects::{Effect, EffectKind, Resource};
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use freehold_frontend::ir::interfaces::Request;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::comparisons::Repeated;
use super::flow::{EdgeId, NodeId, returns};
use super::function::Function;
use super::helper::{Cell, HelperCall};
use super::program::{
    Action, Alias, Assignment, Atom, AtomId, Entry, Expr, ExprId, Program, ProgramEdge,
    ProgramNode, Retained, Returned, Step,
};
use super::values::{self, Address, Derivation};

/// The tracked allocation.
#[derive(Clone, Copy)]
pub(super) enum Tracked<'a> {
    /// One allocation.
    Allocation(&'a Allocation),
    /// All memory that the function must not free, as far as one operand of
    /// one operation is concerned.
    Foreign(Op, u32),
}

/// An operation that makes a heap buffer, or gets one from a call.
pub(super) struct Allocation {
    pub(super) op: Op,
    /// What refers to the buffer at first: its memref, and its owner if it has one.
    pub(super) values: SmallVec<[Value; 2]>,
    /// The `i1` that says at run time whether the function owns it.
    pub(super) owned: Option<Value>,
    /// Later results of a call that may be the same buffer, each with the `i1`
    /// that says whether the function owns it: not as well as this one.
    pub(super) same: Vec<(Value, Option<Value>)>,
    /// Whether it may be leaked: the program frees it by other means.
    pub(super) may_leak: bool,
}

/// A program in the making.
struct Slicer<'a> {
    function: &'a Function<'a>,
    tracked: Tracked<'a>,
    /// Every value that may refer to the tracked allocation.
    inside: FxHashSet<Value>,
    /// The operands through which operations touch it.
    touches: IndexMap<Op, SmallVec<[u32; 2]>, FxBuildHasher>,
    atoms: Vec<Atom>,
    atom_of: FxHashMap<Value, AtomId>,
    exprs: Vec<Expr>,
    expr_of: FxHashMap<Value, ExprId>,
    /// Nodes in which something happens.
    nodes: FxHashSet<NodeId>,
    /// Nodes whose choice of an edge matters.
    branches: FxHashSet<NodeId>,
    /// Operations with actions.
    ops: FxHashSet<Op>,
    has_frees: bool,
    pending: VecDeque<Task>,
}

enum Task {
    Node(NodeId),
    Branch(NodeId),
    Atom(AtomId),
    Op(Op),
}

/// The program of `tracked` in `function`.
pub(super) fn slice<'a>(function: &'a Function<'a>, tracked: Tracked<'a>) -> Program {
    let mut slicer = Slicer {
        function,
        tracked,
        inside: FxHashSet::default(),
        touches: IndexMap::default(),
        atoms: Vec::new(),
        atom_of: FxHashMap::default(),
        exprs: Vec::new(),
        expr_of: FxHashMap::default(),
        nodes: FxHashSet::default(),
        branches: FxHashSet::default(),
        ops: FxHashSet::default(),
        has_frees: false,
        pending: VecDeque::new(),
    };
    match slicer.tracked {
        Tracked::Allocation(allocation) => {
            slicer.follow(allocation);
            slicer.add_op(allocation.op);
            let ops: Vec<Op> = slicer.touches.keys().copied().collect();
            for op in ops {
                slicer.add_op(op);
            }
        }
        Tracked::Foreign(op, _) => slicer.add_op(op),
    }
    slicer.close();
    slicer.finish()
}

impl Slicer<'_> {
    /// Finds every value that may refer to `allocation`, and what touches them.
    fn follow(&mut self, allocation: &Allocation) {
        let function = self.function;
        let same = allocation.same.iter().map(|same| same.0);
        let mut pending: Vec<Value> = allocation.values.iter().copied().chain(same).collect();
        self.inside.extend(&pending);
        while let Some(value) = pending.pop() {
            let mut next = function.references_from(value);
            next.retain(|next| self.inside.insert(*next));
            pending.extend(next);
            for user in function.ir.uses(value) {
                // An address that is stored for a helper call is an operand
                // of that call; they are numbered after its own.
                let (op, index) = match function.helpers.stores.get(&user.op) {
                    Some(&(call, cell)) if user.index == 0 => {
                        let call = &function.helpers.calls[call];
                        let first = function.ir.operands(call.op).len() as u32;
                        let index = match cell {
                            Cell::Entry(index) => index,
                            Cell::Retained(index) => call.entries.len() as u32 + index,
                            Cell::Condition(_) | Cell::Free(_) | Cell::Owned(_) => continue,
                        };
                        (call.op, first + index)
                    }
                    _ => (user.op, user.index),
                };
                self.touches.entry(op).or_default().push(index);
            }
        }
    }

    /// Whether `value` may refer to the tracked allocation.
    fn tracks(&self, value: Value) -> bool {
        match self.tracked {
            Tracked::Allocation(_) => self.inside.contains(&value),
            // An owner that is null comes with memory that belongs to others.
            Tracked::Foreign(..) => {
                self.function.may_be_foreign(value) || self.function.may_be_null(value)
            }
        }
    }

    /// The operands of `op` that may refer to the tracked allocation, as indices.
    fn touching(&self, op: Op) -> SmallVec<[u32; 2]> {
        if let Some(touches) = self.touches.get(&op) {
            let mut touches = touches.clone();
            touches.sort_unstable();
            return touches;
        }
        match self.tracked {
            Tracked::Allocation(_) => SmallVec::new(),
            Tracked::Foreign(event, operand) if event == op => {
                // Only this one is asked about, but for its retained buffers.
                let ir = self.function.ir;
                let retained = match ir.is(op, &bufferization::DEALLOC) {
                    true => ir.operand_group_range(op, 2),
                    false => 0..0,
                };
                let is_other = |index: u32| retained.contains(&(index as usize));
                let n_operands = ir.operands(op).len() as u32;
                (0..n_operands)
                    .filter(|&i| i == operand || is_other(i))
                    .collect()
            }
            Tracked::Foreign(..) => {
                let operands = self.function.ir.operands(op).iter().enumerate();
                operands
                    .filter(|&(_, &v)| self.tracks(v))
                    .map(|(i, _)| i as u32)
                    .collect()
            }
        }
    }

    fn add_op(&mut self, op: Op) {
        if self.ops.insert(op) {
            self.pending.push_back(Task::Op(op));
        }
    }

    fn close(&mut self) {
        while let Some(task) = self.pending.pop_front() {
            match task {
                Task::Node(node) => {
                    for &controller in &self.function.flow.nodes[node as usize].controllers {
                        self.add_branch(controller);
                    }
                }
                Task::Branch(node) => {
                    for &edge in &self.function.flow.nodes[node as usize].edges {
                        let condition = self.function.flow.edges[edge as usize].condition;
                        if let Some((condition, _)) = condition {
                            self.compile(condition);
                        }
                    }
                }
                Task::Atom(atom) => self.add_definitions(atom),
                Task::Op(op) => {
                    // Compiling finds everything the actions are about; they
                    // are compiled again when nothing is missing any more.
                    let actions = self.actions(op);
                    if !actions.is_empty() {
                        self.has_frees |= actions.iter().any(frees);
                        self.add_node(self.function.flow.node_of[op]);
                    }
                }
            }
        }
    }

    fn add_node(&mut self, node: NodeId) {
        if self.nodes.insert(node) {
            self.pending.push_back(Task::Node(node));
        }
    }

    fn add_branch(&mut self, node: NodeId) {
        self.add_node(node);
        if self.branches.insert(node) {
            self.pending.push_back(Task::Branch(node));
        }
    }

    /// Adds every place that gives `atom` a value.
    fn add_definitions(&mut self, atom: AtomId) {
        let function = self.function;
        let value = self.atoms[atom as usize].value;
        let assignments = function.flow.assignments_to(value);
        for assignment in assignments {
            self.compile(assignment.source);
            self.add_branch(function.flow.edges[assignment.edge as usize].from);
        }
        if !assignments.is_empty() {
            return;
        }
        if let Some(node) = self.definition(value) {
            self.add_node(node);
        }
        if let Some(op) = function.ir.defining_op(value) {
            match function.helpers.loads.get(&value) {
                Some(&(call, _)) => self.add_op(function.helpers.calls[call].op),
                None => self.add_op(op),
            }
        }
    }

    /// The node in which `value` gets its value, if not by edges.
    fn definition(&self, value: Value) -> Option<NodeId> {
        let function = self.function;
        if let Some(&(call, _)) = function.helpers.loads.get(&value) {
            return Some(function.flow.node_of[function.helpers.calls[call].op]);
        }
        match function.ir.value_def(value) {
            ValueDef::Result(op, _) => Some(function.flow.result_node(op)),
            ValueDef::Argument(block, _) => {
                let is_entry = Some(block) == function.ir.root_block();
                (!is_entry).then(|| function.flow.block_start(block))
            }
        }
    }

    // Expressions.

    fn push(&mut self, expr: Expr) -> ExprId {
        self.exprs.push(expr);
        (self.exprs.len() - 1) as ExprId
    }

    fn atom(&mut self, value: Value) -> AtomId {
        if let Some(&atom) = self.atom_of.get(&value) {
            return atom;
        }
        let ir = self.function.ir;
        let is_loaded = ir.defined_by(value, &memref::LOAD).is_some();
        let opaque = is_loaded && !self.function.helpers.loads.contains_key(&value);
        let atom = self.atoms.len() as AtomId;
        self.atoms.push(Atom { value, opaque });
        self.atom_of.insert(value, atom);
        self.pending.push_back(Task::Atom(atom));
        atom
    }

    /// How `value` comes about, as far as that matters here.
    fn shape(&self, value: Value) -> Derivation {
        let ir = self.function.ir;
        let is_bool = ir.value_type(value) == Type::I1;
        if !is_bool && !self.tracks(value) {
            return Derivation::Null;
        }
        match self.function.repeats(value) {
            Some(Repeated {
                earlier,
                negated: true,
            }) => return Derivation::Not(earlier),
            Some(Repeated { earlier, .. }) => {
                return Derivation::View {
                    source: earlier,
                    address: Address::Same,
                };
            }
            None => {}
        }
        match values::derivation(ir, value) {
            // Addresses are compared where the comparison is.
            Derivation::Equal { .. } => Derivation::Leaf,
            derivation => derivation,
        }
    }

    /// The expression of `value`, an `i1` or something that may refer to memory.
    fn compile(&mut self, value: Value) -> ExprId {
        // Operands before their users, without recursion.
        let mut stack = vec![value];
        while let Some(&value) = stack.last() {
            if self.expr_of.contains_key(&value) {
                stack.pop();
                continue;
            }
            let shape = self.shape(value);
            let n_before = stack.len();
            let missing = |operand: &Value| !self.expr_of.contains_key(operand);
            stack.extend(operands(shape).into_iter().filter(missing));
            if stack.len() == n_before {
                let expr = self.build(value, shape);
                let expr = self.push(expr);
                self.expr_of.insert(value, expr);
                self.add_assertions(value, expr);
            }
        }
        self.expr_of[&value]
    }

    /// The expression of a value whose operands are compiled.
    fn build(&mut self, value: Value, shape: Derivation) -> Expr {
        let ir = self.function.ir;
        let expr_of = |value: Value| self.expr_of[&value];
        match shape {
            Derivation::Bool(value) => Expr::Bool(value),
            Derivation::Not(value) => Expr::Not(expr_of(value)),
            Derivation::And(lhs, rhs) => Expr::And(expr_of(lhs), expr_of(rhs)),
            Derivation::Or(lhs, rhs) => Expr::Or(expr_of(lhs), expr_of(rhs)),
            Derivation::Xor { lhs, rhs, negated } => Expr::Xor {
                lhs: expr_of(lhs),
                rhs: expr_of(rhs),
                negated,
            },
            Derivation::Select {
                condition,
                on_true,
                on_false,
            } => Expr::Select {
                condition: expr_of(condition),
                on_true: expr_of(on_true),
                on_false: expr_of(on_false),
            },
            Derivation::View { source, address } => match address {
                Address::Same => self.exprs[expr_of(source) as usize],
                Address::Shifted => Expr::Shifted(expr_of(source)),
                Address::Allocated => Expr::Allocated(expr_of(source)),
            },
            Derivation::Null if values::is_null(ir, value) => Expr::Null,
            Derivation::Null => Expr::Outside(values::address_root(ir, value)),
            Derivation::Equal { .. } | Derivation::Leaf if ir.value_type(value) == Type::I1 => {
                Expr::BoolAtom(self.atom(value))
            }
            Derivation::Equal { .. } | Derivation::Leaf => match self.tracked {
                Tracked::Foreign(..) if self.function.foreign(value).is_some() => Expr::Inside,
                _ => Expr::MemoryAtom(self.atom(value)),
            },
        }
    }

    /// An asserted condition holds from there on.
    fn add_assertions(&mut self, value: Value, expr: ExprId) {
        let ir = self.function.ir;
        if ir.value_type(value) != Type::I1 || matches!(self.exprs[expr as usize], Expr::Bool(_)) {
            return;
        }
        for user in ir.uses(value) {
            if ir.is(user.op, &cf::ASSERT) {
                self.add_op(user.op);
            }
        }
    }

    // Actions.

    /// The effect of `op` on the tracked allocation.
    fn actions(&mut self, op: Op) -> SmallVec<[Action; 2]> {
        let function = self.function;
        let ir = function.ir;
        let touching = self.touching(op);
        let mut actions = SmallVec::new();
        if let &[result] = ir.results(op)
            && let Some(&result_atom) = self.atom_of.get(&result)
            && let Derivation::Equal { lhs, rhs, negated } = values::derivation(ir, result)
        {
            actions.push(Action::Compare {
                lhs: self.compile(lhs),
                rhs: self.compile(rhs),
                negated,
                same_root: values::is_same_address(ir, lhs, rhs),
                result: result_atom,
            });
        } else if ir.is(op, &cf::ASSERT) {
            actions.push(Action::Assert(self.compile(ir.operand(op, 0))));
        } else if touching.is_empty() {
        } else if let &[result] = ir.results(op)
            && let Derivation::Equal { lhs, rhs, .. } = values::derivation(ir, result)
        {
            let (lhs, rhs) = (self.compile(lhs), self.compile(rhs));
            actions.push(Action::Address(lhs, rhs));
        } else if ir.is(op, &bufferization::DEALLOC) {
            actions.push(self.dealloc(op, &touching));
        } else if ir.is(op, &deallocation::FREE) {
            actions.push(Action::Free(self.compile(ir.operand(op, 0))));
        } else if ir.is(op, &deallocation::RETAIN) {
            actions.push(self.retain(op, &touching));
        } else if returns(ir, op) {
            // The caller will wait for these.
            let is_request = |value: Value| mpi::is_request(ir.context(), ir.value_type(value));
            let requests = touching.iter().map(|&index| ir.operand(op, index as usize));
            let requests: Vec<Value> = requests.filter(|&value| is_request(value)).collect();
            let requests: Vec<ExprId> = requests.iter().map(|&value| self.compile(value)).collect();
            if !requests.is_empty() {
                actions.push(Action::Use(requests));
            }
            self.return_actions(op, &touching, &mut actions);
        } else {
            self.effects(op, &touching, &mut actions);
        }
        if let Some(&call) = function.helpers.call_of.get(&op) {
            let call = &function.helpers.calls[call];
            actions.extend(self.helper(call, &touching));
        }
        match self.tracked {
            Tracked::Allocation(allocation) if allocation.op == op => {
                let atom = |value: &Value| self.atom_of.get(value).copied();
                actions.push(Action::Allocate {
                    memory: allocation.values.iter().filter_map(atom).collect(),
                    owned: allocation.owned.as_ref().and_then(atom),
                    same: allocation
                        .same
                        .iter()
                        .filter_map(|(same, flag)| {
                            Some((atom(same)?, flag.as_ref().and_then(atom)))
                        })
                        .collect(),
                });
            }
            _ => {}
        }
        actions
    }

    fn atoms_of(&self, values: &[Value]) -> SmallVec<[AtomId; 1]> {
        values
            .iter()
            .filter_map(|value| self.atom_of.get(value).copied())
            .collect()
    }

    fn dealloc(&mut self, op: Op, touching: &[u32]) -> Action {
        let ir = self.function.ir;
        let dealloc = bufferization::Dealloc(op);
        let conditions = dealloc.conditions(ir);
        let n_entries = conditions.len();
        let first_retained = ir.operand_group_range(op, 2).start;
        let (mut entries, mut retained) = (Vec::new(), Vec::new());
        let mut roots = Vec::new();
        for &index in touching {
            let index = index as usize;
            if index < n_entries {
                let value = ir.operand(op, index);
                roots.push(values::root(ir, value));
                entries.push(Entry {
                    memory: self.compile(value),
                    condition: self.compile(conditions[index]),
                    free: SmallVec::new(),
                });
            } else if index >= first_retained {
                let value = ir.operand(op, index);
                let result = ir.result(op, index - first_retained);
                retained.push(Retained {
                    memory: self.compile(value),
                    owned: self.atoms_of(&[result]),
                    same_root: self.same_root(value, &roots),
                });
            }
        }
        let others = entries.len() < n_entries;
        Action::Dealloc {
            entries,
            retained,
            others,
        }
    }

    /// Which of the entries with these roots `retained` certainly protects.
    /// That matters for foreign memory only: there are many allocations.
    fn same_root(&self, retained: Value, roots: &[Value]) -> SmallVec<[u32; 1]> {
        if matches!(self.tracked, Tracked::Allocation(_)) {
            return SmallVec::new();
        }
        let root = values::root(self.function.ir, retained);
        (0..)
            .zip(roots)
            .filter(|&(_, &entry)| entry == root)
            .map(|(i, _)| i)
            .collect()
    }

    /// A call of a helper function. `touching` names the entries and retained
    /// buffers after the operands of the call.
    fn helper(&mut self, call: &HelperCall, touching: &[u32]) -> Option<Action> {
        let n_operands = self.function.ir.operands(call.op).len();
        let n_entries = call.entries.len();
        let mut touched: Vec<usize> = touching
            .iter()
            .filter_map(|&index| (index as usize).checked_sub(n_operands))
            .collect();
        if let Tracked::Foreign(..) = self.tracked {
            let addresses = call.entries.iter().map(|entry| entry.0);
            let addresses = addresses.chain(call.retained.iter().copied());
            touched = addresses
                .enumerate()
                .filter(|&(_, address)| self.tracks(address))
                .map(|(i, _)| i)
                .collect();
        }
        if touched.is_empty() {
            return None;
        }
        let (mut entries, mut retained) = (Vec::new(), Vec::new());
        let mut roots = Vec::new();
        for index in touched {
            if let Some(&(address, condition)) = call.entries.get(index) {
                roots.push(values::root(self.function.ir, address));
                entries.push(Entry {
                    memory: self.compile(address),
                    condition: self.compile(condition),
                    free: self.atoms_of(&call.free[index]),
                });
            } else {
                let address = call.retained[index - n_entries];
                retained.push(Retained {
                    memory: self.compile(address),
                    owned: self.atoms_of(&call.owned[index - n_entries]),
                    same_root: self.same_root(address, &roots),
                });
            }
        }
        let others = entries.len() < n_entries;
        Some(Action::Decide {
            entries,
            retained,
            others,
            kind: call.kind,
        })
    }

    fn retain(&mut self, op: Op, touching: &[u32]) -> Action {
        let ir = self.function.ir;
        let n_retained = deallocation::Retain(op).retained(ir).len();
        let (mut retained, mut owners) = (Vec::new(), Vec::new());
        for &index in touching {
            let index = index as usize;
            let expr = self.compile(ir.operand(op, index));
            if index < n_retained {
                let result = ir.results(op).get(index);
                let atom = result.and_then(|result| self.atom_of.get(result).copied());
                retained.push((expr, atom));
            } else {
                owners.push(expr);
            }
        }
        Action::Retain { retained, owners }
    }

    fn return_actions(&mut self, op: Op, touching: &[u32], actions: &mut SmallVec<[Action; 2]>) {
        let function = self.function;
        let operands = function.ir.operands(op);
        let (mut memrefs, mut owners) = (Vec::new(), Vec::new());
        for &index in touching {
            let value = operands[index as usize];
            let memory = self.compile(value);
            if function.ir.is_memref(value) {
                let flag = function.returned_flag(index as usize);
                let owned = flag.and_then(|flag| operands.get(flag).copied());
                memrefs.push(Returned {
                    memory,
                    owned: owned.map(|flag| self.compile(flag)),
                });
            } else {
                owners.push(memory);
            }
        }
        let owners = match function.returns_owners {
            true => Some(owners),
            false => {
                // What the caller does with a token or a pointer is not known.
                if !owners.is_empty() {
                    actions.push(Action::Escape(owners));
                }
                None
            }
        };
        actions.push(Action::Return { memrefs, owners });
    }

    /// What an operation does that is known by its effects alone.
    fn effects(&mut self, op: Op, touching: &[u32], actions: &mut SmallVec<[Action; 2]>) {
        let function = self.function;
        let ir = function.ir;
        let touching = touching.iter().map(|&index| index as usize);
        let touching: SmallVec<[(usize, Value); 2]> = touching
            .filter_map(|index| Some((index, *ir.operands(op).get(index)?)))
            .collect();
        let effects = ir.own_effects(op);
        let (mut used, mut freed, mut escaped) = (Vec::new(), Vec::new(), Vec::new());
        for &(_, value) in &touching {
            let expr = self.compile(value);
            match &effects {
                // The transfer that is over only now used its buffer.
                _ if ir.request(op) == Some(Request::Awaited(value)) => used.push(expr),
                _ if ir.def(op).call.is_some() || effects.is_none() => {
                    let is_used = ir.is_memref(value)
                        || mpi::is_request(ir.context(), ir.value_type(value))
                        || ir.has_attr(op, Name::KEEPS_NOTHING)
                        || waits_for_one(ir, op);
                    if is_used {
                        used.push(expr);
                    } else {
                        escaped.push(expr);
                    }
                }
                Some(effects) if effects.has(EffectKind::Free, value) => freed.push(expr),
                Some(effects)
                    if effects.has(EffectKind::Read, value)
                        || effects.has(EffectKind::Write, value) =>
                {
                    used.push(expr);
                }
                Some(effects) if effects.iter().any(writes_memory) => escaped.push(expr),
                _ => {}
            }
        }
        if !used.is_empty() {
            actions.push(Action::Use(used));
        }
        if !escaped.is_empty() {
            actions.push(Action::Escape(escaped));
        }
        actions.extend(freed.into_iter().map(Action::Free));
        let mut aliases = Vec::new();
        for (result, flag) in function.alias_results(op) {
            let may_be = |&&(index, _): &&(usize, Value)| function.may_be(op, result, index);
            let sources: Vec<Value> = touching.iter().filter(may_be).map(|t| t.1).collect();
            let sources: Vec<ExprId> = sources.iter().map(|&v| self.compile(v)).collect();
            let atom = |value: Value| self.atom_of.get(&value).copied();
            if let Some(result) = atom(result).filter(|_| !sources.is_empty()) {
                aliases.push(Alias {
                    result,
                    flag: flag.and_then(atom),
                    sources,
                });
            }
        }
        if !aliases.is_empty() {
            actions.push(Action::Alias(aliases));
        }
    }

    // The program.

    fn finish(mut self) -> Program {
        let flow = &self.function.flow;
        let mut marked: Vec<NodeId> = self.nodes.iter().copied().collect();
        marked.sort_unstable();
        let number: FxHashMap<NodeId, u32> = marked.iter().copied().zip(0..).collect();

        let mut nodes: Vec<ProgramNode> =
            marked.iter().map(|&flow| ProgramNode::new(flow)).collect();
        let mut ops: Vec<Op> = self.ops.iter().copied().collect();
        ops.sort_unstable_by_key(|&op| flow.position[op]);
        for op in ops {
            for action in self.actions(op) {
                let node = number[&flow.node_of[op]];
                nodes[node as usize].steps.push(Step { op, action });
            }
        }

        let mut edges: Vec<(usize, EdgeId)> = Vec::new();
        for (i, &node) in marked.iter().enumerate() {
            edges.extend(
                flow.nodes[node as usize]
                    .edges
                    .iter()
                    .map(|&edge| (i, edge)),
            );
        }
        let mut from: Vec<NodeId> = vec![flow.entry];
        from.extend(edges.iter().map(|&(_, edge)| flow.edges[edge as usize].to));
        let mut targets = flow.next_marked(&from, &marked).into_iter();
        let start = targets.next().flatten();
        for ((i, edge), target) in edges.into_iter().zip(targets) {
            let target = target.map(|target| number[&target]);
            self.add_edge(&mut nodes[i], edge, target);
        }

        let definitions: Vec<Option<u32>> = self
            .atoms
            .iter()
            .map(|atom| {
                let by_edges = !flow.assignments_to(atom.value).is_empty();
                let node = if by_edges {
                    None
                } else {
                    self.definition(atom.value)
                };
                node.and_then(|node| number.get(&node).copied())
            })
            .collect();
        let allocation = match self.tracked {
            Tracked::Allocation(allocation) => number.get(&flow.node_of[allocation.op]).copied(),
            Tracked::Foreign(..) => None,
        };
        let mut program = Program {
            atoms: self.atoms,
            exprs: self.exprs,
            nodes,
            start: start.map(|start| number[&start]),
            has_frees: self.has_frees,
        };
        program.find_live(&definitions);
        program.find_alone();
        if let Some(allocation) = allocation {
            program.find_allocating(allocation);
        }
        program
    }

    /// Adds the flow's `edge` to the program node it starts from.
    fn add_edge(&mut self, node: &mut ProgramNode, edge: EdgeId, target: Option<u32>) {
        let flow = &self.function.flow;
        let flow_edge = &flow.edges[edge as usize];
        if !self.branches.contains(&node.flow) {
            // Nothing that matters depends on the choice, but the program may
            // stop on one side and go on on the other.
            let goes_on = |edge: EdgeId| flow.nodes[flow.edges[edge as usize].to as usize].goes_on;
            let is_same = |other: &ProgramEdge| {
                other.target == target && goes_on(other.flow) == goes_on(edge)
            };
            if node.edges.iter().any(is_same) {
                return;
            }
        }
        let condition = match flow_edge.condition {
            Some((condition, expected)) if self.branches.contains(&node.flow) => {
                Some((self.compile(condition), expected))
            }
            _ => None,
        };
        let assignments = flow
            .assignments_of(edge)
            .iter()
            .filter_map(|&(target, source)| {
                let target = self.atom_of.get(&target).copied()?;
                Some(Assignment {
                    target,
                    source: self.compile(source),
                    is_bool: false,
                    is_alone: false,
                })
            });
        let assignments = assignments.collect();
        node.edges.push(ProgramEdge {
            flow: edge,
            target,
            condition,
            assignments,
        });
    }
}

/// Whether an effect is that something is written that can be read again.
fn writes_memory(effect: Effect) -> bool {
    effect.kind == EffectKind::Write && effect.resource != Resource::Hint
}

/// Whether an action may free something.
fn frees(action: &Action) -> bool {
    match action {
        Action::Free(_) | Action::Retain { .. } => true,
        Action::Dealloc { entries, .. } | Action::Decide { entries, .. } => !entries.is_empty(),
        _ => false,
    }
}

/// The values that a derivation is made of.
fn operands(derivation: Derivation) -> SmallVec<[Value; 3]> {
    match derivation {
        Derivation::And(lhs, rhs) | Derivation::Or(lhs, rhs) => SmallVec::from_slice(&[lhs, rhs]),
        Derivation::Xor { lhs, rhs, .. } => SmallVec::from_slice(&[lhs, rhs]),
        Derivation::Select {
            condition,
            on_true,
            on_false,
        } => SmallVec::from_slice(&[condition, on_true, on_false]),
        Derivation::View { source, .. } | Derivation::Not(source) => {
            SmallVec::from_slice(&[source])
        }
        Derivation::Bool(_) | Derivation::Equal { .. } | Derivation::Null | Derivation::Leaf => {
            SmallVec::new()
        }
    }
}

/// Whether an unknown operation has a single operand, and nothing else that it could put that into.
fn waits_for_one(ir: &Ir, op: Op) -> bool {
    ir.operands(op).len() == 1 && ir.def(op).call.is_none()
}
