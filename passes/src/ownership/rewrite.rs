//! Carries out a [`Plan`]: `i1` companions, run-time comparisons, clones at
//! returns, and the frees.

use std::ops::AddAssign;

use freehold_frontend::dialects::{arith, bufferization};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::{Builder, InsertPoint};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::edit::OpSpec;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashMap;

use crate::analysis::flow::{Edge, EdgeKind};
use crate::deallocation::plan::dynamic::ReturnAbi;
use crate::deallocation::plan::place::Place;
use crate::deallocation::plan::plan::{Plan, PlannedGroup, append_companions, append_forwarded};
use crate::deallocation::plan::points::Points;
use crate::deallocation::plan::status::Bit;
use crate::rewrite::clones::clone_unless;

/// The inserted operations.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Counts {
    pub(super) frees: u64,
    pub(super) conditional_frees: u64,
    pub(super) clones: u64,
    pub(super) comparisons: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.frees += other.frees;
        self.conditional_frees += other.conditional_frees;
        self.clones += other.clones;
        self.comparisons += other.comparisons;
    }
}

/// Carries out `plan` on the function `ir`.
pub(super) fn apply(ir: &mut Ir, plan: &Plan, abi: ReturnAbi) -> Counts {
    let mut rewrite = Rewrite {
        ir,
        ownership: FxHashMap::default(),
        group_results: vec![Vec::new(); plan.groups.len()],
        constants: [None; 2],
        opposites: FxHashMap::default(),
        points: Points::default(),
        counts: Counts::default(),
    };
    for slot in &plan.slots {
        let companions = append_companions(rewrite.ir, slot, Type::I1);
        rewrite.ownership.extend(companions);
    }
    for &call in &plan.dynamic_calls {
        rewrite.append_call_results(call);
    }
    for &(op, result) in &plan.materialized {
        let owned = rewrite.points.materialize(rewrite.ir, op, result);
        rewrite.ownership.insert(result, owned);
    }
    for results in &plan.call_duplicates {
        rewrite.compare_call_results(results);
    }
    for (index, group) in plan.groups.iter().enumerate() {
        rewrite.group_results[index] = rewrite.emit_group(group);
    }
    for slot in &plan.slots {
        for source in &slot.sources {
            let edge = rewrite.points.current_edge(source.edge);
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
    for &call in &plan.adapted_calls {
        rewrite.adapt_call(call);
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
    points: Points,
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
            Some(op) => self.points.after(self.ir, op),
            None => {
                let block = self
                    .ir
                    .value_block(condition)
                    .expect("conditions are in blocks");
                self.points.start_of(self.ir, block)
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
        point.insert(self.ir, op);
        self.ir.results(op).to_vec()
    }

    /// Gives a call an `i1` per buffer that it returns.
    fn append_call_results(&mut self, call: Op) {
        for result in self.ir.results(call).to_vec() {
            if self.ir.is_memref(result) {
                let owned = self.ir.append_result(call, Type::I1);
                self.ownership.insert(result, owned);
            }
        }
    }

    /// Clones what a call returns unless it belongs to the caller.
    fn adapt_call(&mut self, call: Op) {
        for result in self.ir.results(call).to_vec() {
            if self.ir.is_memref(result) {
                let owned = self.ir.append_result(call, Type::I1);
                let next = self.ir.next_op(call).expect("calls are no terminators");
                let clone = clone_unless(self.ir, next, owned, result);
                let choice = self.ir.defining_op(clone);
                let inside: Vec<Op> = choice.map_or(Vec::new(), |op| self.ir.collect_ops(op));
                self.ir
                    .replace_uses_if(result, clone, |_, user| !inside.contains(&user.op));
                self.counts.clones += 1;
            }
        }
    }

    /// Ownership of the results of a call, each of which may be the buffer of an earlier one:
    /// it is owned unless it is.
    fn compare_call_results(&mut self, results: &[Value]) {
        let call = self
            .ir
            .defining_op(results[0])
            .expect("the result of a call");
        let point = self.points.after(self.ir, call);
        let repeats = self.find_repeats(point, call, results);
        for (&result, is_duplicate) in results[1..].iter().zip(repeats) {
            let owned = self.not(point, call, is_duplicate);
            self.ownership.insert(result, owned);
            if let Some(comparison) = self.ir.defining_op(owned) {
                self.points.follow(call, comparison);
            }
        }
    }

    /// For each of `values` but the first, whether it is the buffer of an earlier one.
    ///
    /// The second half is compared with the first one, then each half in itself: `n log n` operands in all.
    fn find_repeats(&mut self, point: InsertPoint, loc_of: Op, values: &[Value]) -> Vec<Value> {
        let true_value = self.constant(true);
        let mut repeats: Vec<Option<Value>> = vec![None; values.len()];
        let mut ranges: Vec<_> = std::iter::once(0..values.len()).collect();
        while let Some(range) = ranges.pop() {
            if range.len() < 2 {
                continue;
            }
            let middle = range.start + range.len() / 2;
            let earlier = &values[range.start..middle];
            // Nothing is freed: every entry is retained. The results of the second half tell whether
            // they are one of the first.
            let conditions = vec![true_value; earlier.len()];
            let retained = &values[range.clone()];
            let same = self.dealloc(point, loc_of, earlier, &conditions, retained);
            self.counts.comparisons += 1;
            for (repeats, &same) in repeats[middle..range.end]
                .iter_mut()
                .zip(&same[earlier.len()..])
            {
                *repeats = Some(match *repeats {
                    Some(before) => self.or(point, loc_of, before, same),
                    None => same,
                });
            }
            ranges.push(middle..range.end);
            ranges.push(range.start..middle);
        }
        repeats.into_iter().flatten().collect()
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

    fn or(&mut self, point: InsertPoint, loc_of: Op, a: Value, b: Value) -> Value {
        self.builder_at(point, loc_of)
            .value(&arith::ORI, &[a, b], Type::I1)
    }

    fn and(&mut self, point: InsertPoint, loc_of: Op, a: Value, b: Value) -> Value {
        self.builder_at(point, loc_of)
            .value(&arith::ANDI, &[a, b], Type::I1)
    }

    fn emit_group(&mut self, group: &PlannedGroup) -> Vec<Value> {
        // None of the holders ever owns anything, or all are left to the program: the results are
        // unused.
        if group.holders.is_empty() {
            return Vec::new();
        }
        let anchor = self.points.edge_anchor(self.ir, group.edge);
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
        let repeats = self.find_repeats(point, anchor, &group.operands);
        for (result, is_duplicate) in results.iter_mut().skip(1).zip(repeats) {
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
                    if returned.bit == Bit::Constant(false) {
                        let ty = self.ir.value_type(operand);
                        let mut builder = Builder::before(self.ir, source);
                        builder.value(&bufferization::CLONE, &[operand], ty)
                    } else {
                        let condition = self.bit(returned.bit);
                        clone_unless(self.ir, source, condition, operand)
                    }
                }
            };
            owned_copies.insert((source, operand), owned);
            self.ir.set_operand(source, returned.operand_index, owned);
        }
    }

    fn emit_free(&mut self, holder: Value, place: Place, condition: Value) {
        let point = self.points.at(self.ir, place);
        // The free belongs to what allocated, as far as anyone asks.
        let loc_of = self.ir.defining_op(holder).unwrap_or(self.ir.root());
        self.counts.frees += 1;
        if !self.constants.contains(&Some(condition)) {
            self.counts.conditional_frees += 1;
        }
        self.dealloc(point, loc_of, &[holder], &[condition], &[]);
    }
}
