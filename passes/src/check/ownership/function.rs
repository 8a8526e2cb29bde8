//! What the checker knows of one function before it looks at allocations one
//! by one: its flow, its helper calls, where its memory comes from, and what
//! it owes to its callers.

use cranelift_entity::EntitySet;
use freehold_frontend::dialects::{deallocation, mpi};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{Type, TypeKind};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::comparisons::{self, Repeated};
use super::flow::Flow;
use super::helper::Helpers;
use super::module::Callees;
use super::results;
use super::slice::Allocation;
use super::values::{self, Derivation, Foreign, Memory};

/// One function with a body.
pub(super) struct Function<'a> {
    pub(super) ir: &'a Ir,
    pub(super) flow: Flow,
    pub(super) helpers: Helpers,
    callees: &'a Callees,
    /// Whether results include owners: then a buffer returned without one stays with its owner.
    pub(super) returns_owners: bool,
    /// For each result the result that says whether the caller owns it.
    flags: Vec<Option<usize>>,
    /// Values that may refer to memory that the function does not own.
    foreign: EntitySet<Value>,
    /// Owners that may be null.
    nullable: EntitySet<Value>,
    /// An operation that alone knows who frees its results.
    pub(super) undecided: Option<Op>,
    /// Comparisons that repeat an earlier one.
    repeated: FxHashMap<Value, Repeated>,
}

impl<'a> Function<'a> {
    /// The function that owns the arena `ir`; `None` if it has no body.
    pub(super) fn new(ir: &'a Ir, callees: &'a Callees) -> Option<Self> {
        let flow = Flow::new(ir)?;
        let context = ir.context();
        let results: &[Type] = match ir.function_type(ir.root()).map(|ty| context.type_kind(ty)) {
            Some(TypeKind::Function { results, .. }) => results,
            _ => &[],
        };
        let returns_owners = results
            .iter()
            .any(|&ty| deallocation::is_ownership(context, ty));
        let name = ir.symbol_name(ir.root()).unwrap_or_default();
        let dynamic = callees
            .get(name)
            .is_some_and(|callee| callee.dynamic_ownership);
        let is_memref = |&ty: &Type| context.is_memref(ty);
        let flags = if dynamic {
            ownership_flags(results, is_memref)
        } else {
            Vec::new()
        };
        let mut function = Self {
            ir,
            flow,
            helpers: Helpers::find(ir, callees),
            callees,
            returns_owners,
            flags,
            foreign: EntitySet::new(),
            nullable: EntitySet::new(),
            undecided: ir
                .walk(ir.root())
                .find(|&op| ir.def(op).ownership.is_some()),
            repeated: comparisons::repeated(ir),
        };
        function.find_foreign();
        Some(function)
    }

    /// The operand of a return that says whether operand `index` is owned.
    pub(super) fn returned_flag(&self, index: usize) -> Option<usize> {
        self.flags.get(index).copied().flatten()
    }

    /// The comparison that the comparison `value` repeats.
    pub(super) fn repeats(&self, value: Value) -> Option<Repeated> {
        self.repeated.get(&value).copied()
    }

    /// Every allocation of the function, in order.
    pub(super) fn allocations(&self) -> Vec<Allocation> {
        let ir = self.ir;
        let mut allocations = Vec::new();
        for op in ir.walk(ir.root()) {
            if ir.def(op).call.is_some() {
                self.add_call_results(op, &mut allocations);
                continue;
            }
            for &result in ir.results(op) {
                if values::result_memory(ir, op, result) == Memory::Heap {
                    allocations.push(Allocation {
                        op,
                        values: SmallVec::from_slice(&[result]),
                        owned: None,
                        same: Vec::new(),
                        may_leak: ir.has_attr(op, Name::MANUAL_DEALLOCATION),
                    });
                }
            }
        }
        allocations
    }

    /// The buffers that a call hands over.
    fn add_call_results(&self, op: Op, allocations: &mut Vec<Allocation>) {
        let ir = self.ir;
        let results = ir.results(op);
        let owners = self.owners(op);
        let flags = self.call_flags(op);
        let flag = |i: usize| flags.get(i).copied().flatten().map(|flag| results[flag]);
        let callee = self.callees.of_call(self.ir, op);
        for (i, &result) in results.iter().enumerate() {
            if !ir.is_memref(result) {
                continue;
            }
            let mut values = SmallVec::from_slice(&[result]);
            if let Some(owners) = &owners {
                // Without an owner nothing is handed over.
                match owners.get(i).copied().flatten() {
                    Some(owner) => values.push(owner),
                    None => continue,
                }
            }
            let is_same = |&j: &usize| {
                ir.is_memref(results[j]) && callee.is_none_or(|callee| callee.may_be_same(i, j))
            };
            let same = (i + 1..results.len())
                .filter(is_same)
                .map(|j| (results[j], flag(j)))
                .collect();
            // A request that comes along may be one for this buffer.
            let is_request = |v: &&Value| mpi::is_request(ir.context(), ir.value_type(**v));
            values.extend(results.iter().filter(is_request).copied());
            let owned = flag(i);
            allocations.push(Allocation {
                op,
                values,
                owned,
                same,
                may_leak: false,
            });
        }
    }

    /// For each result of a call the owner that comes with it; `None` if the
    /// callee does not return owners.
    fn owners(&self, op: Op) -> Option<Vec<Option<Value>>> {
        let ir = self.ir;
        let context = ir.context();
        let results = ir.results(op);
        let is_owner = |v: &&Value| deallocation::is_ownership(context, ir.value_type(**v));
        let mut owners = results.iter().filter(is_owner).copied().peekable();
        owners.peek()?;
        let owner = |&v: &Value| if ir.is_memref(v) { owners.next() } else { None };
        Some(results.iter().map(owner).collect())
    }

    /// For each result of a call the result that says whether it is owned.
    fn call_flags(&self, op: Op) -> Vec<Option<usize>> {
        match self.callees.of_call(self.ir, op) {
            Some(callee) if callee.dynamic_ownership => {
                ownership_flags(self.ir.results(op), |&v| self.ir.is_memref(v))
            }
            _ => Vec::new(),
        }
    }

    /// What kind of memory `value` refers to by itself that the function must
    /// not free.
    pub(super) fn foreign(&self, value: Value) -> Option<Foreign> {
        match self.ir.value_def(value) {
            ValueDef::Argument(block, _) => (Some(block) == self.ir.root_block()
                && self.ir.is_memref(value))
            .then_some(Foreign::Argument),
            ValueDef::Result(op, _) => match values::result_memory(self.ir, op, value) {
                Memory::Foreign(kind) => Some(kind),
                _ => None,
            },
        }
    }

    /// Whether `value` may refer to memory that the function does not own.
    pub(super) fn may_be_foreign(&self, value: Value) -> bool {
        self.foreign.contains(value)
    }

    /// Whether `value` may be an owner that is null.
    pub(super) fn may_be_null(&self, value: Value) -> bool {
        self.nullable.contains(value)
    }

    fn find_foreign(&mut self) {
        let ir = self.ir;
        let arguments = ir
            .root_block()
            .map(|block| ir.block_args(block))
            .unwrap_or_default();
        let mut values: Vec<Value> = arguments.to_vec();
        for op in ir.walk(ir.root()) {
            values.extend(ir.results(op));
        }
        let is_null = |&value: &Value| ir.defined_by(value, &deallocation::NULL).is_some();
        self.nullable = self.reached(values.iter().copied().filter(is_null).collect());
        values.retain(|&value| self.foreign(value).is_some());
        self.foreign = self.reached(values);
    }

    /// `values`, and all that may refer to what one of them refers to.
    fn reached(&self, values: Vec<Value>) -> EntitySet<Value> {
        let mut reached = EntitySet::new();
        let mut pending = values;
        while let Some(value) = pending.pop() {
            if reached.insert(value) {
                pending.extend(self.references_from(value));
            }
        }
        reached
    }

    /// The values that may refer to what `value` refers to because they are
    /// made from it directly.
    pub(super) fn references_from(&self, value: Value) -> SmallVec<[Value; 4]> {
        let ir = self.ir;
        let mut next = SmallVec::new();
        let assigned = self.flow.assignments_from(value).iter().map(|a| a.target);
        next.extend(assigned.filter(|&target| values::may_refer(ir, target)));
        for user in ir.uses(value) {
            let op = user.op;
            for &result in ir.results(op) {
                let refers = match values::derivation(ir, result) {
                    Derivation::View { source, .. } => source == value,
                    Derivation::Select {
                        on_true, on_false, ..
                    } => (on_true == value || on_false == value) && values::may_refer(ir, result),
                    _ => false,
                };
                if refers {
                    next.push(result);
                }
            }
            if ir.is(op, &deallocation::RETAIN) {
                let n_retained = deallocation::Retain(op).retained(ir).len();
                if user.index as usize >= n_retained {
                    next.extend(ir.results(op).iter().copied());
                }
            } else {
                let aliases = self.alias_results(op).into_iter();
                let aliases = aliases.map(|(result, _)| result);
                next.extend(aliases.filter(|&result| self.may_be(op, result, user.index as usize)));
            }
        }
        next
    }

    /// Results of `op` that may refer to what an operand refers to, though
    /// nothing is known of how, each with the `i1` that is false if so.
    pub(super) fn alias_results(&self, op: Op) -> SmallVec<[(Value, Option<Value>); 2]> {
        let ir = self.ir;
        let def = ir.def(op);
        let results = ir.results(op);
        if def.call.is_some() {
            // What a call returns belongs to the caller, unless it says so.
            let flags = self.call_flags(op);
            let requests = results
                .iter()
                .filter(|&&v| mpi::is_request(ir.context(), ir.value_type(v)))
                .map(|&result| (result, None));
            if let Some(owners) = self.owners(op) {
                let memrefs = results
                    .iter()
                    .zip(owners)
                    .filter(|(_, owner)| owner.is_some());
                let memrefs = memrefs.map(|(&result, _)| (result, None));
                return memrefs.chain(requests).collect();
            }
            let flagged = flags.iter().enumerate();
            return flagged
                .filter_map(|(i, &flag)| Some((results[i], Some(results[flag?]))))
                .chain(requests)
                .collect();
        }
        let is_alias = |&&result: &&Value| {
            if def.region_branch.is_some() {
                ir.is_memref(result) && self.flow.assignments_to(result).is_empty()
            } else {
                values::result_memory(ir, op, result) == Memory::OperandOrUnknown
                    || !ir.is_memref(result)
                        && values::may_refer(ir, result)
                        && values::derivation(ir, result) == Derivation::Leaf
            }
        };
        results
            .iter()
            .filter(is_alias)
            .map(|&result| (result, None))
            .collect()
    }

    /// Whether `result`, one of [`Function::alias_results`] of `op`, may refer
    /// to what operand number `operand` refers to.
    pub(super) fn may_be(&self, op: Op, result: Value, operand: usize) -> bool {
        let ir = self.ir;
        if ir.def(op).call.is_some() {
            // A callee may start a transfer with any buffer that it is given.
            if mpi::is_request(ir.context(), ir.value_type(result)) {
                let given = ir.operand(op, operand);
                return ir.is_memref(given) || mpi::is_request(ir.context(), ir.value_type(given));
            }
            let number = ir.results(op).iter().position(|&v| v == result);
            return ir.is_memref(ir.operand(op, operand))
                && number.is_some_and(|number| {
                    results::may_be_operand(ir, self.callees, op, number, operand)
                });
        }
        values::may_refer(ir, ir.operand(op, operand))
            && (ir.def(op).keeps_operand)(ir, op, result, operand)
    }
}

/// With ownership decided at run time, for each result the position of the
/// `i1` about it: one per memref, after all other results, in order.
fn ownership_flags<T>(results: &[T], is_memref: impl Fn(&T) -> bool) -> Vec<Option<usize>> {
    let n_memrefs = results.iter().filter(|result| is_memref(result)).count();
    let mut flags = results.len().saturating_sub(n_memrefs)..results.len();
    let flag = |result: &T| {
        if is_memref(result) {
            flags.next()
        } else {
            None
        }
    };
    results.iter().map(flag).collect()
}
