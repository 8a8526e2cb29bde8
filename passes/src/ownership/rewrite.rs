//! Carries out a [`Plan`]: `i1` companions, run-time comparisons, clones at
//! returns, and the frees.

use freehold_frontend::dialects::{arith, bufferization, cf, scf};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::{Builder, InsertPoint};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;
use freehold_frontend::op_def::Traits;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::flow::{Edge, EdgeKind};
use super::place::Place;
use super::plan::{Plan, PlannedGroup, append_companions, append_forwarded};
use super::status::Bit;

/// What a function returns besides its results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ReturnAbi {
    /// Every returned buffer belongs to the caller; others are cloned.
    Owned,
    /// An `i1` per buffer says whether it does.
    Dynamic,
}

/// What was inserted.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Counts {
    pub(super) frees: u64,
    pub(super) conditional_frees: u64,
    pub(super) clones: u64,
    pub(super) comparisons: u64,
}

/// Carries out `plan` on the function `ir`.
pub(super) fn apply(ir: &mut Ir, plan: &Plan, abi: ReturnAbi) -> Counts {
    let mut rewrite = Rewrite {
        ir,
        ownership: FxHashMap::default(),
        group_results: vec![Vec::new(); plan.groups.len()],
        constants: [None; 2],
        opposites: FxHashMap::default(),
        last_comparison: FxHashMap::default(),
        split_edges: FxHashMap::default(),
        counts: Counts::default(),
    };
    for slot in &plan.slots {
        let companions = append_companions(rewrite.ir, slot);
        rewrite.ownership.extend(companions);
    }
    for duplicate in &plan.call_duplicates {
        rewrite.compare_call_results(duplicate.result, &duplicate.earlier);
    }
    for (index, group) in plan.groups.iter().enumerate() {
        rewrite.group_results[index] = rewrite.emit_group(group);
    }
    for slot in &plan.slots {
        for source in &slot.sources {
            let edge = rewrite.current_edge(source.edge);
            let bit = rewrite.bit(source.bit);
            append_forwarded(rewrite.ir, edge, bit);
        }
    }
    rewrite.emit_returns(plan, abi);
    // In reverse, so that of several frees at one place the first stands first.
    for (free, bit) in plan.frees.iter().rev() {
        let condition = rewrite.bit(*bit);
        rewrite.emit_free(free.holder, free.place, condition);
    }
    rewrite.counts
}

struct Rewrite<'a> {
    ir: &'a mut Ir,
    /// The `i1` of bases with dynamic ownership.
    ownership: FxHashMap<Value, Value>,
    group_results: Vec<Vec<Value>>,
    /// `false` and `true`.
    constants: [Option<Value>; 2],
    /// Opposites of conditions of the input.
    opposites: FxHashMap<Value, Value>,
    /// The last operation that compares results of a call, behind which
    /// everything else that follows the call goes.
    last_comparison: FxHashMap<Op, Op>,
    /// Edges that got a block of their own, and the branch at its end.
    split_edges: FxHashMap<(Op, usize), Op>,
    counts: Counts,
}

impl Rewrite<'_> {
    fn constant(&mut self, value: bool) -> Value {
        if let Some(constant) = self.constants[usize::from(value)] {
            return constant;
        }
        let entry = self.ir.root_block().expect("the function has a body");
        let loc = self.ir.loc(self.ir.root());
        let mut builder = Builder::at_start(self.ir, entry);
        builder.set_loc(loc);
        let constant = builder.value_with_attr(
            &arith::CONSTANT,
            &[],
            Type::I1,
            Name::VALUE,
            Attr::bool(value),
        );
        self.constants[usize::from(value)] = Some(constant);
        constant
    }

    fn bit(&mut self, bit: Bit) -> Value {
        match bit {
            Bit::Constant(value) => self.constant(value),
            Bit::Condition(condition, true) => condition,
            Bit::Condition(condition, false) => self.opposite(condition),
            Bit::OwnershipOf(base) => match self.ownership.get(&base) {
                Some(&companion) => companion,
                None => unreachable!("bases with dynamic ownership have an i1"),
            },
            Bit::Group(group, index) => self.group_results[group][index],
        }
    }

    /// The opposite of an `i1` of the input, right behind it.
    fn opposite(&mut self, condition: Value) -> Value {
        if let Some(&known) = self.opposites.get(&condition) {
            return known;
        }
        let true_value = self.constant(true);
        let point = match self.ir.defining_op(condition) {
            Some(op) => self.point_after(op),
            None => {
                let block = self
                    .ir
                    .value_block(condition)
                    .expect("conditions are in blocks");
                self.start_of(block)
            }
        };
        let mut builder = match point {
            InsertPoint::Before(op) => Builder::before(self.ir, op),
            InsertPoint::End(block) => Builder::at_end(self.ir, block),
        };
        let opposite = builder.value(&arith::XORI, &[condition, true_value], Type::I1);
        self.opposites.insert(condition, opposite);
        opposite
    }

    /// The edge after it may have been split.
    fn current_edge(&self, edge: Edge) -> Edge {
        match edge.kind {
            EdgeKind::Branch(successor) => match self.split_edges.get(&(edge.source, successor)) {
                Some(&source) => Edge {
                    source,
                    kind: EdgeKind::Branch(0),
                },
                None => edge,
            },
            _ => edge,
        }
    }

    /// `bufferization.dealloc (entries) if (conditions) retain (retained)` at `point`.
    fn dealloc(
        &mut self,
        point: InsertPoint,
        loc_of: Op,
        entries: &[Value],
        conditions: &[Value],
        retained: &[Value],
    ) -> Vec<Value> {
        let segments = [entries.len(), conditions.len(), retained.len()].map(|n| n as i32);
        let segments = self.ir.context().i32_array_attr(&segments);
        let loc = self.ir.loc(loc_of);
        let spec = OpSpec::new(&bufferization::DEALLOC, loc)
            .operands(entries)
            .operands(conditions)
            .operands(retained)
            .results(&vec![Type::I1; retained.len()])
            .attr(Name::OPERAND_SEGMENT_SIZES, segments);
        let op = self.ir.create_op(spec);
        match point {
            InsertPoint::Before(anchor) => self.ir.insert_op_before(anchor, op),
            InsertPoint::End(block) => self.ir.append_op(block, op),
        }
        self.ir.results(op).to_vec()
    }

    /// Ownership of a call result that may be the buffer of an earlier one:
    /// it is owned unless it is.
    fn compare_call_results(&mut self, result: Value, earlier: &[Value]) {
        let call = self.ir.defining_op(result).expect("the result of a call");
        let point = self.point_after(call);
        let true_value = self.constant(true);
        let mut retained = earlier.to_vec();
        retained.push(result);
        // Nothing is freed: every entry is retained. The last result tells
        // whether `result` is one of them.
        let conditions = vec![true_value; earlier.len()];
        let results = self.dealloc(point, call, earlier, &conditions, &retained);
        self.counts.comparisons += 1;
        let is_duplicate = *results
            .last()
            .expect("there is a result per retained value");
        let owned = self.not(point, call, is_duplicate);
        self.ownership.insert(result, owned);
        if let Some(comparison) = self.ir.defining_op(owned) {
            self.last_comparison.insert(call, comparison);
        }
    }

    /// Right after an operation, and after what belongs to it.
    fn point_after(&self, op: Op) -> InsertPoint {
        let last = self.last_comparison.get(&op).copied().unwrap_or(op);
        match self.ir.next_op(last) {
            Some(next) => InsertPoint::Before(next),
            None => InsertPoint::End(self.ir.block_of(last).expect("the operation is in a block")),
        }
    }

    fn builder_at(&mut self, point: InsertPoint, loc_of: Op) -> Builder<'_> {
        let loc = self.ir.loc(loc_of);
        let mut builder = match point {
            InsertPoint::Before(op) => Builder::before(self.ir, op),
            InsertPoint::End(block) => Builder::at_end(self.ir, block),
        };
        builder.set_loc(loc);
        builder
    }

    fn not(&mut self, point: InsertPoint, loc_of: Op, value: Value) -> Value {
        let true_value = self.constant(true);
        self.builder_at(point, loc_of)
            .value(&arith::XORI, &[value, true_value], Type::I1)
    }

    fn and(&mut self, point: InsertPoint, loc_of: Op, a: Value, b: Value) -> Value {
        self.builder_at(point, loc_of)
            .value(&arith::ANDI, &[a, b], Type::I1)
    }

    /// The operation before which code on `edge` goes, that is executed only there.
    fn edge_anchor(&mut self, edge: Edge) -> Op {
        match edge.kind {
            EdgeKind::Branch(successor) if self.ir.successors(edge.source).len() > 1 => {
                self.split_edge(edge.source, successor)
            }
            _ => edge.source,
        }
    }

    /// Gives an edge a block of its own; returns the branch at its end.
    fn split_edge(&mut self, source: Op, successor: usize) -> Op {
        if let Some(&branch) = self.split_edges.get(&(source, successor)) {
            return branch;
        }
        let ir = &mut *self.ir;
        let target = ir.successors(source)[successor];
        let operands: Vec<Value> = ir.successor_operands(source, successor).to_vec();
        let source_block = ir.block_of(source).expect("terminators are in blocks");
        let block = ir.insert_block_after(source_block, &[]);
        let spec = OpSpec::new(&cf::BR, ir.loc(source))
            .operands(&operands)
            .successors(&[target]);
        let branch = ir.create_op(spec);
        ir.append_op(block, branch);
        if let Some(interface) = ir.def(source).branch {
            for index in (0..operands.len()).rev() {
                (interface.remove_successor_operand)(ir, source, successor, index);
            }
        }
        ir.set_successor(source, successor, block);
        self.split_edges.insert((source, successor), branch);
        branch
    }

    fn emit_group(&mut self, group: &PlannedGroup) -> Vec<Value> {
        // None of the holders ever owns anything, or all are left to the program.
        if group.holders.is_empty() {
            let owned = self.constant(false);
            return vec![owned; group.operands.len()];
        }
        let anchor = self.edge_anchor(self.current_edge(group.edge));
        let point = InsertPoint::Before(anchor);
        let entries: Vec<Value> = group.holders.iter().map(|&(holder, _)| holder).collect();
        let conditions: Vec<Value> = group
            .holders
            .iter()
            .map(|&(_, bit)| self.bit(bit))
            .collect();
        let mut results = self.dealloc(point, anchor, &entries, &conditions, &group.operands);
        self.counts.comparisons += 1;
        if group.allow_duplicates {
            return results;
        }
        let true_value = self.constant(true);
        for (later, result) in results.iter_mut().enumerate().skip(1) {
            let earlier = &group.operands[..later];
            let retained = &group.operands[..=later];
            let conditions = vec![true_value; later];
            let same = self.dealloc(point, anchor, earlier, &conditions, retained);
            let is_duplicate = *same.last().expect("there is a result per retained value");
            let is_first = self.not(point, anchor, is_duplicate);
            *result = self.and(point, anchor, *result, is_first);
        }
        results
    }

    fn emit_returns(&mut self, plan: &Plan, abi: ReturnAbi) {
        let mut owned_copies: FxHashMap<(Op, Value), Value> = FxHashMap::default();
        for returned in &plan.returned {
            let source = returned.source;
            if abi == ReturnAbi::Dynamic {
                let bit = self.bit(returned.bit);
                append_forwarded(
                    self.ir,
                    Edge {
                        source,
                        kind: EdgeKind::Return,
                    },
                    bit,
                );
                continue;
            }
            let operand = self.ir.operand(source, returned.operand_index);
            if returned.bit == Bit::Constant(true) {
                continue;
            }
            // Callers compare what they get, so one clone serves every result
            // that is this value.
            let owned = match owned_copies.get(&(source, operand)) {
                Some(&known) => known,
                None => {
                    self.counts.clones += 1;
                    let ty = self.ir.value_type(operand);
                    if returned.bit == Bit::Constant(false) {
                        let mut builder = Builder::before(self.ir, source);
                        builder.value(&bufferization::CLONE, &[operand], ty)
                    } else {
                        let condition = self.bit(returned.bit);
                        self.clone_unless(source, condition, operand, ty)
                    }
                }
            };
            owned_copies.insert((source, operand), owned);
            self.ir.set_operand(source, returned.operand_index, owned);
        }
    }

    /// `scf.if %condition { yield %value } else { yield clone of %value }`
    fn clone_unless(&mut self, before: Op, condition: Value, value: Value, ty: Type) -> Value {
        let mut builder = Builder::before(self.ir, before);
        let spec = builder
            .spec(&scf::IF)
            .operands(&[condition])
            .results(&[ty])
            .regions(2);
        let op = builder.create(spec);
        for (index, clone) in [(0, false), (1, true)] {
            let region = builder.ir.region(op, index);
            let block = builder.ir.append_block(region, &[]);
            builder.set_to_end(block);
            let yielded = if clone {
                builder.value(&bufferization::CLONE, &[value], ty)
            } else {
                value
            };
            builder.op(&scf::YIELD, &[yielded], &[]);
        }
        self.ir.result(op, 0)
    }

    fn emit_free(&mut self, holder: Value, place: Place, condition: Value) {
        let point = match place {
            Place::After(op) => self.point_after(op),
            Place::Before(op) => InsertPoint::Before(op),
            Place::Start(block) => self.start_of(block),
            Place::Edge(source, successor) => self.edge_point(source, successor),
        };
        // The free belongs to what allocated, as far as anyone asks.
        let loc_of = self.ir.defining_op(holder).unwrap_or(self.ir.root());
        self.counts.frees += 1;
        if !self.constants.contains(&Some(condition)) {
            self.counts.conditional_frees += 1;
        }
        self.dealloc(point, loc_of, &[holder], &[condition], &[]);
    }

    /// The beginning of a block, after the constants that may be used there.
    fn start_of(&self, block: Block) -> InsertPoint {
        let mut op = self.ir.first_op(block);
        while let Some(current) = op
            && self.ir.has_trait(current, Traits::CONSTANT_LIKE)
        {
            op = self.ir.next_op(current);
        }
        op.map_or(InsertPoint::End(block), InsertPoint::Before)
    }

    /// A point that control passes exactly when it takes this edge.
    fn edge_point(&mut self, source: Op, successor: usize) -> InsertPoint {
        if let Some(&branch) = self.split_edges.get(&(source, successor)) {
            return InsertPoint::Before(branch);
        }
        let target = self.ir.successors(source)[successor];
        if self.ir.block_uses(target).len() == 1 && !self.ir.is_entry_block(target) {
            return self.start_of(target);
        }
        let distinct: SmallVec<[Block; 2]> = self.ir.successors(source).into();
        if distinct.len() == 1 {
            return InsertPoint::Before(source);
        }
        InsertPoint::Before(self.split_edge(source, successor))
    }
}
