//! Carries out what `vectorize-loops` found: makes the loops that run in vectors.

mod columns;
mod gathers;
mod interleaved;
mod lanes;

use freehold_frontend::dialects::arith::{CmpIPredicate, FastMathFlags};
use freehold_frontend::dialects::memref::types::strided_memref;
use freehold_frontend::dialects::shared::const_fold::{float, splat_attr};
use freehold_frontend::dialects::vector::CombiningKind;
use freehold_frontend::dialects::{arith, memref, scf, vector};
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;
use rustc_hash::FxHashMap;

use super::forward_stores::forward_in;
use super::marks::{disjoint_name, vectorized_name};
use super::vector_plan::{Aligned, Form, Kind, Plan, counts_lanes, shift_of_division};
use crate::analysis::loop_memory::{self, Access};
use crate::analysis::reductions::Reduction;
use lanes::{Tile, Views, Widener, shuffle};

/// Puts loops with vectors before `plan.op`, which is left with the last iterations, and perhaps
/// one before them with the first ones.
pub(super) fn widen(ir: &mut Ir, plan: &Plan) {
    let operands = ir.operands(plan.op);
    let (lower, upper) = (operands[0], operands[1]);
    let mut trip_count = plan.trip_count(ir);
    let mut builder = Builder::before(ir, plan.op);
    let zero = arith::constant_index(&mut builder, 0);
    let condition = loop_memory::build_disjoint(&mut builder, &plan.pairs);
    let condition = loop_memory::build_rows(&mut builder, &plan.rows, condition);
    let views = Views {
        rows: build_views(&mut builder, plan),
        gathered: gathers::build_rows(builder.ir, plan),
        interleaved: interleaved::build_rows(&mut builder, plan),
    };
    let mut from = lower;
    if let Some(aligned) = &plan.aligned {
        from = build_peeled(&mut builder, plan, aligned, &mut trip_count);
    }
    let mut carried = Carried {
        scalars: ir.operands(plan.op)[3..].to_vec(),
        vectors: None,
    };
    let forms = plan.forms(ir);
    for &form in &forms {
        let factor = form.lanes * form.copies;
        if let Some(n) = trip_count.filter(|&n| n > 0)
            && plan.ends_with_whole_vectors(ir, form, n)
        {
            let mut builder = Builder::before(ir, plan.op);
            let step = arith::constant_index(&mut builder, factor);
            let last = builder.value(&arith::SUBI, &[upper, step], Type::INDEX);
            let bounds = [from, upper, step];
            let new = build_wide_loop(&mut builder, plan, &views, form, bounds, &mut carried);
            begin_at_most_at(&mut builder, new, last);
            trip_count = Some(0);
            break;
        }
        if let Some(n) = trip_count.filter(|&n| n > 0)
            && let Some(lanes) = plan.last_lanes(ir, &forms, n)
        {
            let mut builder = Builder::before(ir, plan.op);
            let step = arith::constant_index(&mut builder, lanes);
            let start = builder.value(&arith::SUBI, &[upper, step], Type::INDEX);
            let form = Form {
                lanes,
                copies: 1,
                min_trip_count: 0,
            };
            build_wide_loop(
                &mut builder,
                plan,
                &views,
                form,
                [start, upper, step],
                &mut carried,
            );
            trip_count = Some(0);
            break;
        }
        let most = trip_count.or(plan.max_trip_count);
        if most.is_some_and(|n| n < factor.max(form.min_trip_count)) {
            continue;
        }
        let mut builder = Builder::before(ir, plan.op);
        let binary = |b: &mut Builder<'_>, def, lhs, rhs| b.value(def, &[lhs, rhs], Type::INDEX);
        if trip_count.is_none() && plan.may_end_with_whole_vectors(form) {
            // All that is left, if there were enough iterations for one vector to begin with.
            let end = binary(&mut builder, &arith::MAXSI, upper, from);
            let n = binary(&mut builder, &arith::SUBI, end, lower);
            let step = arith::constant_index(&mut builder, factor);
            let is_long = arith::compare(&mut builder, CmpIPredicate::Sge, n, step);
            let to = builder.value(&arith::SELECT, &[is_long, end, from], Type::INDEX);
            let last = binary(&mut builder, &arith::SUBI, upper, step);
            let bounds = [from, to, step];
            let new = build_wide_loop(&mut builder, plan, &views, form, bounds, &mut carried);
            begin_at_most_at(&mut builder, new, last);
            from = to;
            continue;
        }
        let mut length = match &mut trip_count {
            Some(n) => {
                let length = *n - *n % factor;
                *n -= length;
                arith::constant_index(&mut builder, length)
            }
            None => {
                let end = binary(&mut builder, &arith::MAXSI, upper, from);
                let n = binary(&mut builder, &arith::SUBI, end, from);
                let mask = arith::constant_index(&mut builder, -factor);
                let length = binary(&mut builder, &arith::ANDI, n, mask);
                if form.min_trip_count > factor {
                    let min = arith::constant_index(&mut builder, form.min_trip_count);
                    let is_long = arith::compare(&mut builder, CmpIPredicate::Uge, n, min);
                    builder.value(&arith::SELECT, &[is_long, length, zero], Type::INDEX)
                } else {
                    length
                }
            }
        };
        if let Some(condition) = condition {
            let operands = [condition, length, zero];
            length = builder.value(&arith::SELECT, &operands, Type::INDEX);
        }
        // Loops of few iterations are known by their bounds, and are written out.
        let known = [from, length].map(|value| arith::as_constant_index(builder.ir, value));
        let to = match known {
            [Some(from), Some(length)] => arith::constant_index(&mut builder, from + length),
            _ => binary(&mut builder, &arith::ADDI, from, length),
        };
        let step = arith::constant_index(&mut builder, factor);
        build_wide_loop(
            &mut builder,
            plan,
            &views,
            form,
            [from, to, step],
            &mut carried,
        );
        // What a loop for many iterations passes by would be moved for nothing.
        if form.min_trip_count > factor {
            carried.combine(&mut builder, plan);
        }
        from = to;
    }
    let mut builder = Builder::before(ir, plan.op);
    carried.combine(&mut builder, plan);
    let carried = carried.scalars;
    if trip_count == Some(0) && condition.is_none() {
        ir.replace_op(plan.op, &carried);
    } else {
        ir.set_operand(plan.op, 0, from);
        for (i, value) in carried.into_iter().enumerate() {
            ir.set_operand(plan.op, 3 + i, value);
        }
        let vectorized = vectorized_name(ir);
        ir.set_attr(plan.op, vectorized, Attr::UNIT);
    }
}

/// Puts a loop before `plan.op` that runs the first iterations one by one, until the address of what is
/// stored is a multiple of the size of a register. Returns where it ends.
fn build_peeled(
    builder: &mut Builder<'_>,
    plan: &Plan,
    aligned: &Aligned,
    trip_count: &mut Option<i64>,
) -> Value {
    let operands = builder.ir.operands(plan.op);
    let (lower, upper) = (operands[0], operands[1]);
    let binary = |b: &mut Builder<'_>, def, lhs, rhs| b.value(def, &[lhs, rhs], Type::INDEX);
    let zero = arith::constant_index(builder, 0);
    let mut n = match plan.known_misalignment(builder.ir, aligned) {
        Some(0) => return lower,
        Some(elements) => {
            let n = plan.register() / aligned.size - elements;
            *trip_count = trip_count.map(|all| all - n);
            arith::constant_index(builder, n)
        }
        None => {
            *trip_count = None;
            let address = build_first_address(builder, plan, aligned);
            let before = binary(builder, &arith::SUBI, zero, address);
            let mask = arith::constant_index(builder, plan.register() - 1);
            let bytes = binary(builder, &arith::ANDI, before, mask);
            let bits = arith::constant_index(builder, i64::from(aligned.size.trailing_zeros()));
            let elements = binary(builder, &arith::SHRUI, bytes, bits);
            // From between elements there is no way to get there.
            let mask = arith::constant_index(builder, aligned.size - 1);
            let rest = binary(builder, &arith::ANDI, bytes, mask);
            let is_reachable = arith::compare(builder, CmpIPredicate::Eq, rest, zero);
            let choice = [is_reachable, elements, zero];
            builder.value(&arith::SELECT, &choice, Type::INDEX)
        }
    };
    if plan.trip_count(builder.ir).is_none() {
        let end = binary(builder, &arith::MAXSI, upper, lower);
        let all = binary(builder, &arith::SUBI, end, lower);
        let min = arith::constant_index(builder, aligned.min_trip_count);
        let is_long = arith::compare(builder, CmpIPredicate::Uge, all, min);
        n = builder.value(&arith::SELECT, &[is_long, n, zero], Type::INDEX);
    }
    let end = binary(builder, &arith::ADDI, lower, n);
    let first = builder.ir.clone_op(plan.op, &mut IrMap::default());
    builder.insert(first);
    builder.ir.set_operand(first, 1, end);
    let vectorized = vectorized_name(builder.ir);
    builder.ir.set_attr(first, vectorized, Attr::UNIT);
    end
}

/// The address of the store in the first iteration of `plan.op`.
fn build_first_address(builder: &mut Builder<'_>, plan: &Plan, aligned: &Aligned) -> Value {
    let store = aligned.store;
    let mut map = IrMap::default();
    let counter = scf::For(plan.op).induction_variable(builder.ir);
    map.values.insert(counter, builder.ir.operand(plan.op, 0));
    let indices: Vec<Value> = store.indices(builder.ir).to_vec();
    let indices: Vec<Value> = (indices.into_iter())
        .map(|index| build_copy(builder, plan, index, &mut map))
        .collect();
    loop_memory::build_address(builder, store.buffer, &indices, aligned.size)
}

/// Copies what computes `value` inside of `plan.op` to before it.
fn build_copy(builder: &mut Builder<'_>, plan: &Plan, value: Value, map: &mut IrMap) -> Value {
    if map.values.contains_key(&value) || loop_memory::is_outside(builder.ir, value, plan.op) {
        return map.value(value);
    }
    let op = builder.ir.defining_op(value);
    let op = op.expect("all but the counter is computed by operations without regions");
    let operands: Vec<Value> = builder.ir.operands(op).to_vec();
    for operand in operands {
        build_copy(builder, plan, operand, map);
    }
    let copy = builder.ir.clone_op(op, map);
    builder.insert(copy);
    map.value(value)
}

/// The buffers whose elements are next to each other if a loop with vectors runs, with a type that says so.
fn build_views(builder: &mut Builder<'_>, plan: &Plan) -> FxHashMap<Value, Value> {
    let mut views = FxHashMap::default();
    for &buffer in &plan.rows {
        let context = builder.context();
        let ty = builder.ir.value_type(buffer);
        let as_rows = context.as_memref(ty).and_then(|memref| {
            let (mut strides, offset) = context.memref_strides(memref)?;
            *strides.last_mut()? = 1;
            let (shape, element) = (&memref.shape, memref.element);
            let rows = strided_memref(&context, shape, element, offset, &strides, memref.space);
            Some(context.memref_type(rows))
        });
        if let Some(as_rows) = as_rows {
            views.insert(buffer, memref::build::cast(builder, buffer, as_rows));
        }
    }
    views
}

/// What `plan.op` and the loops that replace it carry from one to the next.
struct Carried {
    scalars: Vec<Value>,
    /// For each, what the loop of this form behind which we are has combined per lane.
    vectors: Option<(Form, Vec<Value>)>,
}

impl Carried {
    /// What a loop of this form starts with.
    fn start(&mut self, builder: &mut Builder<'_>, plan: &Plan, form: Form) -> Vec<Value> {
        let is_multiple = |last: &Form| (last.lanes / form.lanes).count_ones() == 1;
        let folded = self.vectors.take_if(|(last, _)| is_multiple(last));
        let Some((last, mut starts)) = folded else {
            self.combine(builder, plan);
            return self.broadcast(builder, plan, form);
        };
        for (start, reduction) in starts.iter_mut().zip(&plan.reductions) {
            let mut lanes = n_sums(reduction, last);
            while lanes > n_sums(reduction, form) {
                let halves = [0..lanes / 2, lanes / 2..lanes];
                let halves = halves.map(|places| shuffle(builder, [*start; 2], places));
                let ty = builder.ir.value_type(halves[0]);
                *start = builder.value(reduction.def, &halves, ty);
                lanes /= 2;
            }
        }
        starts
    }

    fn broadcast(&self, builder: &mut Builder<'_>, plan: &Plan, form: Form) -> Vec<Value> {
        let carried = plan.reductions.iter().zip(&self.scalars);
        let starts = carried.map(|(reduction, &value)| {
            let ty = builder.ir.value_type(value);
            let first = match reduction.neutral {
                Some(number) => neutral(builder, ty, number),
                None => value,
            };
            let ty = vector::vector_type(builder.ir.context(), &[n_sums(reduction, form)], ty);
            builder.value(&vector::BROADCAST, &[first], ty)
        });
        starts.collect()
    }

    /// Makes one number of each vector.
    fn combine(&mut self, builder: &mut Builder<'_>, plan: &Plan) {
        let Some((_, vectors)) = self.vectors.take() else {
            return;
        };
        for ((reduction, value), lanes) in
            plan.reductions.iter().zip(&mut self.scalars).zip(vectors)
        {
            let ty = builder.ir.value_type(*value);
            // Floats are combined in lanes only where any order is right.
            let of_floats = [&raw const arith::ADDF, &raw const arith::MULF];
            let flags = match of_floats.contains(&std::ptr::from_ref(reduction.def)) {
                true => FastMathFlags::REASSOC.to_attr(&builder.context()),
                false => None,
            };
            let total = build_reduction(builder, reduction.kind, lanes, ty, flags);
            let operands = [*value, total];
            *value = match (reduction.neutral, flags) {
                (Some(_), Some(flags)) => {
                    let (def, name) = (reduction.def, Name::FASTMATH);
                    builder.value_with_attr(def, &operands, ty, name, flags)
                }
                (Some(_), None) => builder.value(reduction.def, &operands, ty),
                (None, _) => total,
            };
        }
    }
}

/// The lanes of a vector combined to one number, with these flags.
pub(super) fn build_reduction(
    builder: &mut Builder<'_>,
    kind: CombiningKind,
    lanes: Value,
    ty: Type,
    flags: Option<Attr>,
) -> Value {
    let kind = kind.to_attr(builder.ir.context());
    let mut spec = (builder
        .spec(&vector::REDUCTION)
        .operands(&[lanes])
        .results(&[ty]))
    .attr(Name::KIND, kind);
    if let Some(flags) = flags {
        spec = spec.attr(Name::FASTMATH, flags);
    }
    let reduction = builder.create(spec);
    builder.ir.result(reduction, 0)
}

/// How many numbers a loop of this form combines into.
fn n_sums(reduction: &Reduction, form: Form) -> i64 {
    form.lanes / if reduction.adds_pairs { 2 } else { 1 }
}

/// Makes a loop with vectors.
fn build_wide_loop(
    builder: &mut Builder<'_>,
    plan: &Plan,
    views: &Views,
    form: Form,
    [from, to, step]: [Value; 3],
    carried: &mut Carried,
) -> Op {
    let mut widener = Widener::new(plan, views, form.lanes);
    let inits = carried.start(builder, plan, form);
    let new = scf::build_for(builder, from, to, step, &inits);
    let (disjoint, vectorized) = (disjoint_name(builder.ir), vectorized_name(builder.ir));
    builder.ir.set_attr(new, disjoint, Attr::UNIT);
    builder.ir.set_attr(new, vectorized, Attr::UNIT);
    widener.fill(builder, scf::For(plan.op), scf::For(new));
    for copy in 1..form.copies {
        let (old, new) = (scf::For(plan.op), scf::For(new));
        widener = Widener {
            splats: widener.splats,
            ..Widener::new(plan, views, form.lanes)
        };
        let end = new.yield_op(builder.ir);
        let mut inner = Builder::before(builder.ir, end);
        let distance = arith::constant_index(&mut inner, copy * form.lanes);
        let operands = [new.induction_variable(inner.ir), distance];
        let counter = inner.value(&arith::ADDI, &operands, Type::INDEX);
        let old_counter = old.induction_variable(inner.ir);
        widener.scalars.values.insert(old_counter, counter);
        let body = old.body(inner.ir);
        widener.block(&mut inner, body);
    }
    carried.vectors = Some((form, builder.ir.results(new).to_vec()));
    new
}

/// Has the iterations of a loop with vectors begin at `last` or before it, so that the last of them runs what others ran.
fn begin_at_most_at(builder: &mut Builder<'_>, op: Op, last: Value) {
    let view = scf::For(op);
    let counter = view.induction_variable(builder.ir);
    let first = builder.ir.first_op(view.body(builder.ir));
    let mut inner = Builder::before(builder.ir, first.expect("a loop ends with a terminator"));
    let start = inner.value(&arith::MINSI, &[counter, last], Type::INDEX);
    let minimum = inner.ir.defining_op(start);
    inner
        .ir
        .replace_uses_if(counter, start, |_, user| Some(user.op) != minimum);
    // Iterations store to the same places.
    let disjoint = disjoint_name(builder.ir);
    builder.ir.remove_attr(op, disjoint);
}

/// What changes nothing when it is added (zero) or multiplied.
pub(super) fn neutral(builder: &mut Builder<'_>, ty: Type, number: i64) -> Value {
    // Adding -0.0 leaves zeros as they are.
    let real = if number == 0 { -0.0 } else { number as f64 };
    let kind = builder.ir.context().float_kind(ty);
    let Some((bits, _)) = kind.and_then(|kind| float::encode(kind, real)) else {
        return arith::constant_int(builder, ty, number.into());
    };
    let attr = builder
        .ir
        .context()
        .intern_attr(AttrKind::Float { ty, bits });
    arith::constant_attr(builder, attr)
}

impl Widener<'_> {
    /// Copies the operations of a block but its terminator.
    pub(super) fn block(&mut self, builder: &mut Builder<'_>, block: Block) {
        let ops: Vec<Op> = builder.ir.ops_in(block).collect();
        // A block inside of this one stores rows of its own.
        let around = std::mem::take(&mut self.rows);
        for op in ops {
            let loc = builder.ir.loc(op);
            builder.set_loc(loc);
            if let Some(access) = Access::of(builder.ir, op) {
                self.access(builder, access);
            } else if builder.ir.is(op, &scf::FOR) {
                self.inner_loop(builder, op);
            } else if !builder.ir.is(op, &scf::YIELD) && !self.add_pairs(builder, op) {
                self.pure(builder, op);
            }
        }
        self.rows = around.behind_block();
    }

    /// Adds neighbours in pairs to what the loop carries, if `op` adds to that and the plan says so.
    fn add_pairs(&mut self, builder: &mut Builder<'_>, op: Op) -> bool {
        let view = scf::For(self.plan.op);
        let yielded = builder.ir.operands(view.yield_op(builder.ir));
        let is_result = |&value: &Value| builder.ir.defining_op(value) == Some(op);
        let Some(index) = yielded.iter().position(is_result) else {
            return false;
        };
        if !self.plan.reductions[index].adds_pairs {
            return false;
        }
        let carried = view.iter_args(builder.ir)[index];
        let operands = builder.ir.operands(op);
        let added = operands[usize::from(operands[0] == carried)];
        let sum = self.lanes(builder, carried);
        let terms = self.lanes(builder, added);
        let ty = builder.ir.value_type(carried);
        let half = vector::vector_type(builder.ir.context(), &[self.lanes / 2], ty);
        let pairs = builder.op(&vector::DEINTERLEAVE, &[terms], &[half; 2]);
        let pairs = [0, 1].map(|index| builder.ir.result(pairs, index));
        let pairs = builder.value(&arith::ADDI, &pairs, half);
        let next = builder.value(&arith::ADDI, &[sum, pairs], half);
        let result = builder.ir.result(op, 0);
        self.vectors.insert(result, next);
        true
    }

    fn copy(&mut self, builder: &mut Builder<'_>, op: Op) {
        let copy = builder.ir.clone_op(op, &mut self.scalars);
        builder.insert(copy);
    }

    fn access(&mut self, builder: &mut Builder<'_>, access: Access) {
        let value = access.value(builder.ir);
        let mut indices: Vec<Value> = (access.indices(builder.ir).iter())
            .map(|&index| self.scalars.value(index))
            .collect();
        let buffer = self.views.rows.get(&access.buffer).copied();
        let buffer = buffer.unwrap_or(access.buffer);
        if self.plan.gathers.contains(&access.op) {
            self.gather(builder, access);
        } else if let Some(&part) = self.plan.interleaved.get(&access.op) {
            self.interleaved(builder, access, part, indices);
        } else if let Some(&column) = self.plan.columns.get(&access.op) {
            self.column(builder, (access, column), (buffer, indices));
        } else if access.is_store {
            let lanes = self.lanes(builder, value);
            let operands = [&[lanes, buffer], &indices[..]].concat();
            builder.op(&vector::STORE, &operands, &[]);
        } else if self.plan.kind(value) == Kind::Vector {
            let ty = self.vector_type(builder.ir, builder.ir.value_type(value));
            let last = access.indices(builder.ir).last();
            let step = last.map(|&index| self.plan.kind(index));
            if step == Some(Kind::Linear(-1)) {
                self.begin_at_last_lane(builder, &mut indices);
            }
            let operands = [&[buffer], &indices[..]].concat();
            let loaded = builder.value(&vector::LOAD, &operands, ty);
            let lanes = match step {
                Some(Kind::Linear(2)) => self.every_second(builder, operands, loaded),
                Some(Kind::Linear(-1)) => self.reverse(builder, loaded),
                _ => loaded,
            };
            self.vectors.insert(value, lanes);
        } else {
            self.copy(builder, access.op);
        }
    }

    /// Lets the last subscript, of the first lane, which goes backwards, be that of the last lane.
    fn begin_at_last_lane(&self, builder: &mut Builder<'_>, indices: &mut [Value]) {
        if let Some(last) = indices.last_mut() {
            let distance = arith::constant_index(builder, self.lanes - 1);
            *last = builder.value(&arith::SUBI, &[*last, distance], Type::INDEX);
        }
    }

    /// The lanes of a vector in the other order.
    fn reverse(&self, builder: &mut Builder<'_>, lanes: Value) -> Value {
        shuffle(builder, [lanes, lanes], (0..self.lanes).rev())
    }

    /// Every second element from where `first` was loaded. The other half is loaded so that it ends with
    /// the last of them.
    fn every_second(
        &self,
        builder: &mut Builder<'_>,
        mut operands: Vec<Value>,
        first: Value,
    ) -> Value {
        let ty = builder.ir.value_type(first);
        let distance = arith::constant_index(builder, self.lanes - 1);
        if let Some(last) = operands.last_mut() {
            *last = builder.value(&arith::ADDI, &[*last, distance], Type::INDEX);
        }
        let second = builder.value(&vector::LOAD, &operands, ty);
        // Element 2i is number 2i of the first register, or 2i - (lanes - 1) of the second one.
        let from_second = |i: i64| if 2 * i < self.lanes { 0 } else { 1 };
        let places = (0..self.lanes).map(|i| 2 * i + from_second(i));
        shuffle(builder, [first, second], places)
    }

    fn pure(&mut self, builder: &mut Builder<'_>, op: Op) {
        let results = builder.ir.results(op);
        let is_vector = |&result: &Value| self.plan.kind(result) == Kind::Vector;
        if !results.iter().any(is_vector) {
            self.copy(builder, op);
            return;
        }
        let result = builder.ir.result(op, 0);
        let operands: Vec<Value> = builder.ir.operands(op).to_vec();
        if let Kind::Linear(step) = self.plan.kind(operands[0])
            && counts_lanes(builder.ir, op)
        {
            let lanes = self.numbers(builder, op, step);
            self.vectors.insert(result, lanes);
            return;
        }
        let is_subscript = builder.ir.value_type(result) == Type::INDEX;
        let casts = [&arith::INDEX_CAST, &arith::INDEX_CASTUI];
        if is_subscript && casts.iter().any(|row| builder.ir.is(op, row)) {
            let lanes = self.lanes(builder, operands[0]);
            self.vectors.insert(result, lanes);
            return;
        }
        let operands: Vec<Value> = (operands.into_iter())
            .map(|operand| match is_subscript {
                true => self.subscript(builder, operand),
                false => self.lanes(builder, operand),
            })
            .collect();
        if let Some(bits) = shift_of_division(builder.ir, op) {
            let ty = self.vector_type(builder.ir, builder.ir.value_type(result));
            let context = builder.context();
            let bits = splat_attr(&context, ty, u128::from(bits as u64));
            let bits = arith::constant_attr(builder, bits.expect("these are integers"));
            let lanes = builder.value(&arith::SHRUI, &[operands[0], bits], ty);
            self.vectors.insert(result, lanes);
            return;
        }
        let element = match builder.ir.value_type(result) {
            Type::INDEX => Type::I32,
            element => element,
        };
        let ty = self.vector_type(builder.ir, element);
        let (def, attrs) = (builder.ir.def(op), builder.ir.attrs(op));
        let new = builder.op(def, &operands, &[ty]);
        builder.ir.set_attrs(new, attrs);
        let lanes = builder.ir.result(new, 0);
        self.vectors.insert(result, lanes);
    }

    /// The integers that the lanes make of an index which is larger by `step` in each.
    fn numbers(&mut self, builder: &mut Builder<'_>, op: Op, step: i64) -> Value {
        let (def, element) = (
            builder.ir.def(op),
            builder.ir.value_type(builder.ir.result(op, 0)),
        );
        let ty = self.vector_type(builder.ir, element);
        let first = self.scalars.value(builder.ir.operand(op, 0));
        let first = builder.value(def, &[first], element);
        let first = builder.value(&vector::BROADCAST, &[first], ty);
        let distances = self.distances(builder, element, step);
        builder.value(&arith::ADDI, &[first, distances], ty)
    }

    fn inner_loop(&mut self, builder: &mut Builder<'_>, op: Op) {
        let old = scf::For(op);
        let operands: Vec<Value> = builder.ir.operands(op).to_vec();
        let arguments: Vec<Value> = old.iter_args(builder.ir).to_vec();
        let is_vector = |value: Value| self.plan.kind(value) == Kind::Vector;
        let bounds = [0, 1, 2].map(|i: usize| self.scalars.value(operands[i]));
        let inits: Vec<Value> = (operands[3..].iter().zip(&arguments))
            .map(|(&init, &argument)| match is_vector(argument) {
                true => self.lanes(builder, init),
                false => self.scalars.value(init),
            })
            .collect();
        let results: Vec<Value> = builder.ir.results(op).to_vec();
        let new_results = match self.plan.blocks.get(&op) {
            Some(&block) => self.loop_in_blocks(builder, op, bounds, &inits, block),
            None => {
                let new = scf::build_for(builder, bounds[0], bounds[1], bounds[2], &inits);
                self.fill(builder, old, scf::For(new));
                builder.ir.results(new).to_vec()
            }
        };
        self.learn(&results, &new_results);
    }

    /// Makes a loop of `block` iterations at once of the inner loop `op`, and an epilogue. Returns what
    /// they carry out.
    pub(super) fn loop_in_blocks(
        &mut self,
        builder: &mut Builder<'_>,
        op: Op,
        [lower, upper, one]: [Value; 3],
        inits: &[Value],
        block: i64,
    ) -> Vec<Value> {
        let old = scf::For(op);
        let binary = |b: &mut Builder<'_>, def, lhs, rhs| b.value(def, &[lhs, rhs], Type::INDEX);
        let trip_count = loop_memory::trip_count(builder.ir, op);
        let length = match trip_count {
            Some(n) => arith::constant_index(builder, n - n % block),
            None => {
                let end = binary(builder, &arith::MAXSI, upper, lower);
                let n = binary(builder, &arith::SUBI, end, lower);
                let mask = arith::constant_index(builder, -block);
                binary(builder, &arith::ANDI, n, mask)
            }
        };
        let middle = binary(builder, &arith::ADDI, lower, length);
        let step = arith::constant_index(builder, block);
        let blocks = scf::build_for(builder, lower, middle, step, inits);
        self.fill_with_block(builder, old, scf::For(blocks), block);
        let body = scf::For(blocks).body(builder.ir);
        // What one iteration stores, the next one may load.
        forward_in(builder.ir, body, true);
        let carried: Vec<Value> = builder.ir.results(blocks).to_vec();
        if trip_count.is_some_and(|n| n % block == 0) {
            return carried;
        }
        let rest = scf::build_for(builder, middle, upper, one, &carried);
        self.fill(builder, old, scf::For(rest));
        builder.ir.results(rest).to_vec()
    }

    /// Fills the body of a new loop with several iterations of an old one.
    fn fill_with_block(
        &mut self,
        builder: &mut Builder<'_>,
        old: scf::For,
        new: scf::For,
        block: i64,
    ) {
        let (old_body, new_body) = (old.body(builder.ir), new.body(builder.ir));
        let counter = new.induction_variable(builder.ir);
        let old_counter = old.induction_variable(builder.ir);
        let arguments: Vec<Value> = old.iter_args(builder.ir).to_vec();
        let mut carried: Vec<Value> = new.iter_args(builder.ir).to_vec();
        let mut inner = match carried[..] {
            [] => {
                let end = new.yield_op(builder.ir);
                Builder::before(builder.ir, end)
            }
            _ => Builder::at_end(builder.ir, new_body),
        };
        self.tile = Some(Tile::default());
        for i in 0..block {
            if let Some(tile) = &mut self.tile {
                tile.at = i as usize;
            }
            let distance = arith::constant_index(&mut inner, i);
            let number = inner.value(&arith::ADDI, &[counter, distance], Type::INDEX);
            self.scalars.values.insert(old_counter, number);
            self.learn(&arguments, &carried);
            self.block(&mut inner, old_body);
            carried = self.yielded(&mut inner, old);
        }
        self.tile = None;
        if !arguments.is_empty() {
            scf::build_yield(&mut inner, &carried);
        }
    }

    /// Fills the body of a new loop with the operations of an old one.
    pub(super) fn fill(&mut self, builder: &mut Builder<'_>, old: scf::For, new: scf::For) {
        let old_counter = old.induction_variable(builder.ir);
        let new_counter = new.induction_variable(builder.ir);
        self.scalars.values.insert(old_counter, new_counter);
        let arguments: Vec<Value> = old.iter_args(builder.ir).to_vec();
        let new_arguments: Vec<Value> = new.iter_args(builder.ir).to_vec();
        self.learn(&arguments, &new_arguments);
        let (old_body, new_body) = (old.body(builder.ir), new.body(builder.ir));
        if arguments.is_empty() {
            let end = new.yield_op(builder.ir);
            self.block(&mut Builder::before(builder.ir, end), old_body);
            return;
        }
        let mut inner = Builder::at_end(builder.ir, new_body);
        self.block(&mut inner, old_body);
        let yielded = self.yielded(&mut inner, old);
        scf::build_yield(&mut inner, &yielded);
    }

    /// What an iteration of an old loop that was just copied carries to the next one.
    pub(super) fn yielded(&mut self, builder: &mut Builder<'_>, old: scf::For) -> Vec<Value> {
        let arguments: Vec<Value> = old.iter_args(builder.ir).to_vec();
        let yielded: Vec<Value> = builder.ir.operands(old.yield_op(builder.ir)).to_vec();
        (yielded.into_iter().zip(arguments))
            .map(|(value, argument)| match self.plan.kind(argument) {
                Kind::Vector => self.lanes(builder, value),
                _ => self.scalars.value(value),
            })
            .collect()
    }
}
