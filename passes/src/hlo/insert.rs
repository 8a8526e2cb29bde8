//! Carries out a [`Plan`] in terms of owners: `own`, `null`, owners that
//! travel along with buffers, and `retain`.
//!
//! Where the plan knows who owns a buffer, `deallocation.own` makes its owner
//! on the spot: owners are allocated pointers, so any view of the buffer will
//! do. Where it depends on the path, an owner goes along with the buffer.

use std::ops::AddAssign;

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::{arith, bufferization, deallocation};
use freehold_frontend::ir::builder::{Builder, InsertPoint};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::{Op, Value, ValueDef};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::deallocation::plan::plan::{
    Plan, PlannedGroup, Returned, append_companions, append_forwarded,
};
use crate::deallocation::plan::points::Points;
use crate::deallocation::plan::status::Bit;
use crate::rewrite::clones::clone_unless;

/// The inserted operations.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Counts {
    pub(super) retains: u64,
    pub(super) copies: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.retains += other.retains;
        self.copies += other.copies;
    }
}

/// Carries out `plan` on the function `ir`, which returns owners, or else
/// copies what it returns without owning it.
pub(super) fn insert(ir: &mut Ir, plan: &Plan, returns_owners: bool) -> Counts {
    let owner_type = deallocation::ownership_type(ir.context());
    let mut inserter = Inserter {
        ir,
        owner_type,
        owners: FxHashMap::default(),
        nulls: FxHashMap::default(),
        group_results: vec![Vec::new(); plan.groups.len()],
        points: Points::default(),
        counts: Counts::default(),
    };
    inserter.extend_calls(&plan.dynamic_calls);
    for slot in &plan.slots {
        let companions = append_companions(inserter.ir, slot, owner_type);
        inserter.owners.extend(companions);
    }
    for &(op, result) in &plan.materialized {
        inserter.materialize(op, result);
    }
    for results in &plan.call_duplicates {
        for (i, &result) in results.iter().enumerate().skip(1) {
            inserter.compare_call_results(result, &results[..i]);
        }
    }
    for (index, group) in plan.groups.iter().enumerate() {
        inserter.group_results[index] = inserter.emit_group(group);
    }
    for slot in &plan.slots {
        for source in &slot.sources {
            let edge = inserter.points.current_edge(source.edge);
            let owner = inserter.owner_at(edge.source, source.bit, source.operand);
            append_forwarded(inserter.ir, edge, owner);
        }
    }
    if returns_owners {
        inserter.return_owners(&plan.returned);
    } else {
        inserter.return_copies(&plan.returned);
    }
    // In reverse, so that of several frees at one place the first stands first.
    for (free, bit) in plan.frees.iter().rev() {
        let owner = match bit {
            Bit::Constant(true) => inserter.own_at_definition(free.holder),
            _ => match inserter.owners.get(&free.holder) {
                Some(&owner) => owner,
                None => continue,
            },
        };
        let loc_of = inserter
            .ir
            .defining_op(free.holder)
            .unwrap_or(inserter.ir.root());
        let point = inserter.points.at(inserter.ir, free.place);
        inserter.retain(point, loc_of, &[], &[owner]);
    }
    inserter.counts
}

struct Inserter<'a> {
    ir: &'a mut Ir,
    owner_type: Type,
    /// The owners that travel with bases, and those made at definitions.
    owners: FxHashMap<Value, Value>,
    /// The null in front of an operation.
    nulls: FxHashMap<Op, Value>,
    group_results: Vec<Vec<Value>>,
    points: Points,
    counts: Counts,
}

impl Inserter<'_> {
    /// Calls of functions that return owners get results for them.
    fn extend_calls(&mut self, calls: &[Op]) {
        for &call in calls {
            let buffers: Vec<Value> = self
                .ir
                .results(call)
                .iter()
                .copied()
                .filter(|&v| self.ir.is_memref(v))
                .collect();
            for buffer in buffers {
                let owner = self.ir.append_result(call, self.owner_type);
                self.owners.insert(buffer, owner);
            }
        }
    }

    /// The result of an operation that knows who frees it is owned if that says so.
    fn materialize(&mut self, op: Op, result: Value) {
        let owned = self.points.materialize(self.ir, op, result);
        let owner_type = self.owner_type;
        let point = self.points.after(self.ir, op);
        let mut builder = builder_at(self.ir, point, op);
        let own = builder.value(&deallocation::OWN, &[result], owner_type);
        let null = builder.value(&deallocation::NULL, &[], owner_type);
        let owner = builder.value(&arith::SELECT, &[owned, own, null], owner_type);
        if let Some(last) = self.ir.defining_op(owner) {
            self.points.follow(op, last);
        }
        self.owners.insert(result, owner);
    }

    /// The result of a call that may be the buffer of an earlier result is
    /// owned unless it is.
    fn compare_call_results(&mut self, result: Value, before: &[Value]) {
        let call = self.ir.defining_op(result).expect("the result of a call");
        let owner_type = self.owner_type;
        let point = self.points.after(self.ir, call);
        let mut builder = builder_at(self.ir, point, call);
        let buffer = pointer_of(&mut builder, result);
        let null = builder.value(&deallocation::NULL, &[], owner_type);
        let mut owner = builder.value(&deallocation::OWN, &[result], owner_type);
        for &other in before {
            let earlier = pointer_of(&mut builder, other);
            let same = arith::compare(&mut builder, CmpIPredicate::Eq, buffer, earlier);
            owner = builder.value(&arith::SELECT, &[same, null, owner], owner_type);
        }
        if let Some(last) = self.ir.defining_op(owner) {
            self.points.follow(call, last);
        }
        self.owners.insert(result, owner);
    }

    /// The owner of the buffer `operand`, to be used by `user`.
    fn owner_at(&mut self, user: Op, bit: Bit, operand: Value) -> Value {
        match bit {
            Bit::Constant(false) => self.null_before(user),
            Bit::Constant(true) => {
                let owner_type = self.owner_type;
                Builder::before(self.ir, user).value(&deallocation::OWN, &[operand], owner_type)
            }
            Bit::OwnershipOf(base) => match self.owners.get(&base) {
                Some(&owner) => owner,
                None => unreachable!("bases with dynamic ownership have an owner"),
            },
            Bit::Group(group, index) => self.group_results[group][index],
            Bit::Condition(..) => unreachable!("with owners, no conditions are asked"),
        }
    }

    fn null_before(&mut self, op: Op) -> Value {
        if let Some(&null) = self.nulls.get(&op) {
            return null;
        }
        let owner_type = self.owner_type;
        let null = Builder::before(self.ir, op).value(&deallocation::NULL, &[], owner_type);
        self.nulls.insert(op, null);
        null
    }

    /// The owner of a base that always owns its buffer, made where it is defined.
    fn own_at_definition(&mut self, base: Value) -> Value {
        if let Some(&owner) = self.owners.get(&base) {
            return owner;
        }
        let owner_type = self.owner_type;
        let (point, loc_of) = match self.ir.value_def(base) {
            ValueDef::Result(op, _) => (self.points.after(self.ir, op), op),
            ValueDef::Argument(block, _) => (
                self.points.start_of(self.ir, block),
                self.ir.block_parent_op(block).unwrap_or(self.ir.root()),
            ),
        };
        let owner =
            builder_at(self.ir, point, loc_of).value(&deallocation::OWN, &[base], owner_type);
        if let Some(own) = self.ir.defining_op(owner) {
            match self.ir.value_def(base) {
                ValueDef::Result(op, _) => self.points.follow(op, own),
                ValueDef::Argument(block, _) => self.points.open(block, own),
            }
        }
        self.owners.insert(base, owner);
        owner
    }

    /// `deallocation.retain(retained) of(owners)` at `point`.
    fn retain(
        &mut self,
        point: InsertPoint,
        loc_of: Op,
        retained: &[Value],
        owners: &[Value],
    ) -> Vec<Value> {
        self.counts.retains += 1;
        let segments = [retained.len(), owners.len()].map(|n| n as i32);
        let segments = self.ir.context().i32_array_attr(&segments);
        let spec = OpSpec::new(&deallocation::RETAIN, self.ir.loc(loc_of))
            .operands(retained)
            .operands(owners)
            .results(&vec![self.owner_type; retained.len()])
            .attr(Name::OPERAND_SEGMENT_SIZES, segments);
        let op = self.ir.create_op(spec);
        point.insert(self.ir, op);
        self.ir.results(op).to_vec()
    }

    fn emit_group(&mut self, group: &PlannedGroup) -> Vec<Value> {
        let anchor = self.points.edge_anchor(self.ir, group.edge);
        if group.holders.is_empty() {
            let null = self.null_before(anchor);
            return vec![null; group.operands.len()];
        }
        let owners: Vec<Value> = group
            .holders
            .iter()
            .map(|&(holder, bit)| match bit {
                Bit::Constant(true) => self.own_at_definition(holder),
                _ => self.owner_at(anchor, bit, holder),
            })
            .collect();
        self.retain(
            InsertPoint::Before(anchor),
            anchor,
            &group.operands,
            &owners,
        )
    }

    /// Appends an owner per returned buffer. Of operands that are the same
    /// buffer for sure the first gets the owner; `retain` does so itself.
    fn return_owners(&mut self, returned: &[Returned]) {
        let mut given: FxHashSet<(Op, Value)> = FxHashSet::default();
        for one in returned {
            let source = one.source;
            let operand = self.ir.operand(source, one.operand_index);
            let bit = match one.bit {
                Bit::Constant(_) | Bit::OwnershipOf(_) if !given.insert((source, one.base)) => {
                    Bit::Constant(false)
                }
                bit => bit,
            };
            let owner = self.owner_at(source, bit, operand);
            let end = self.ir.operands(source).len();
            self.ir.insert_operands(source, end, &[owner]);
        }
    }

    /// Copies the returned buffers that do not belong to the function.
    fn return_copies(&mut self, returned: &[Returned]) {
        for one in returned {
            let source = one.source;
            let operand = self.ir.operand(source, one.operand_index);
            let ty = self.ir.value_type(operand);
            let result = match one.bit {
                Bit::Constant(true) => continue,
                Bit::Constant(false) => {
                    Builder::before(self.ir, source).value(&bufferization::CLONE, &[operand], ty)
                }
                bit => {
                    let owner = self.owner_at(source, bit, operand);
                    let mut builder = Builder::before(self.ir, source);
                    let is_owned = is_not_null(&mut builder, owner);
                    clone_unless(self.ir, source, is_owned, operand)
                }
            };
            self.counts.copies += 1;
            self.ir.set_operand(source, one.operand_index, result);
        }
    }
}

fn builder_at(ir: &mut Ir, point: InsertPoint, loc_of: Op) -> Builder<'_> {
    let loc = ir.loc(loc_of);
    let mut builder = match point {
        InsertPoint::Before(op) => Builder::before(ir, op),
        InsertPoint::End(block) => Builder::at_end(ir, block),
    };
    builder.set_loc(loc);
    builder
}

/// The allocated pointer of an owner or a buffer, as a number.
pub(super) fn pointer_of(builder: &mut Builder<'_>, value: Value) -> Value {
    builder.value(&deallocation::GET_BUFFER, &[value], Type::INDEX)
}

/// Whether `owner` owns anything.
pub(super) fn is_not_null(builder: &mut Builder<'_>, owner: Value) -> Value {
    let buffer = pointer_of(builder, owner);
    let zero = arith::constant_index(builder, 0);
    arith::compare(builder, CmpIPredicate::Ne, buffer, zero)
}
