//! What `vectorize-loops` finds out about a loop: whether it can run in vectors, and how.
//!
//! The doc of that pass says why this is right.

mod forms;
mod interleaved;
mod kinds;
mod obstacle;
mod subscripts;

use freehold_frontend::dialects::{arith, memref, scf, vector};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::types::{DYNAMIC, Type};
use freehold_frontend::target::{CACHE_WAY, CACHE_WAYS, Element, Feature, Features, Vectors};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use self::forms::has_large_body;
use super::contract_buffers::is_contractible;
use super::marks::{is_disjoint, vectorized_name};
use super::unroll_loops;
use crate::analysis::loop_memory::{self, Access, Pairs, trip_count};
use crate::analysis::reductions::{Reduction, adds_up_in_any_order};
use crate::rewrite::elementary_functions::{is_approximated, waits_for_vectors};

pub(super) use forms::Form;
pub(super) use interleaved::Part;
pub(super) use kinds::Kind;
pub(super) use obstacle::{Obstacle, Why};
pub(super) use subscripts::{MAX_SHUFFLED, Span, shift_of_division};

/// Bytes of a register that every processor has.
const SMALLEST_REGISTER: i64 = Vectors::SMALLEST as i64;

/// How many operations one after the other are looked at to find out about an index. Each may have
/// several operands, so this bounds compile time.
const MAX_STEPS: u32 = 6;

/// Registers to be stored from which on it pays to run some iterations one by one so that stores do
/// not cross cache lines. That gains 8 % in rows of 256 registers (`stencil of five points, 1024x1024`,
/// benches/results); from where on it does not lose was not measured: up to three iterations of 16
/// registers are a small part.
const MIN_ALIGNED: i64 = 16;

/// The largest number of operations in a body that goes through columns, which become several times as many: bounds the
/// code. What `unroll-and-jam-loops` makes has no more. Not measured on its own.
const MAX_BODY_OF_COLUMNS: usize = 128;

/// The largest distance of lanes that are gathered, in elements: of a line of the cache, several elements are used.
pub(super) const MAX_DISTANCE: i64 = 8;

/// Iterations of more operations do not run one by one for the sake of the addresses of stores: up to 15 of them take
/// longer than what stores gain. `haversine` (benches/results/models.md) gains 8 %.
const MAX_ALIGNED_BODY: usize = 32;

/// More rows than lanes ever have of their own.
const MAX_ROWS: i64 = 1 << 20;

/// How many rows at a distance of `bytes` stay in the cache together, if each takes a line. For the transpose of 1024x1024
/// numbers of 32 bits, these are 8: that takes 0.4 of the time of 32 at once.
fn rows_in_cache(bytes: i64) -> i64 {
    let shift = bytes.trailing_zeros().min(CACHE_WAY.trailing_zeros());
    CACHE_WAYS * (CACHE_WAY >> shift)
}

/// How lanes access a column.
#[derive(Clone, Copy)]
pub(super) struct Column {
    /// The loop that goes through the rows.
    pub(super) inner: Op,
    /// The subscript that counts the lanes.
    pub(super) dim: usize,
    /// How many iterations of the inner loop a register of 128 bits is for.
    pub(super) block: i64,
    /// How many rows stay in the cache together.
    most_rows: i64,
}

/// A store that gets aligned.
pub(super) struct Aligned {
    pub(super) store: Access,
    /// Bytes of an element.
    pub(super) size: i64,
    /// With fewer iterations it does not.
    pub(super) min_trip_count: i64,
}

/// A loop that can run in vectors.
pub(super) struct Plan {
    pub(super) op: Op,
    /// The registers that it is for.
    vectors: Vectors,
    /// Bytes of the smallest register that it is worth a loop for.
    smallest: i64,
    /// Whether elementary functions count as the arithmetic that they become, and truth values in memory as bytes.
    with_functions: bool,
    /// The trip count, or an upper bound for it: the buffers have elements for no more iterations.
    pub(super) max_trip_count: Option<i64>,
    /// Of values defined inside; all others are uniform.
    pub(super) kinds: FxHashMap<Value, Kind>,
    /// The buffers that must be apart when it runs.
    pub(super) pairs: Pairs,
    /// The buffers whose rows must have their elements next to each other when it runs: their type does not say so.
    pub(super) rows: SmallVec<[Value; 4]>,
    /// The sizes in bytes of the smallest and the largest elements.
    pub(super) sizes: (i64, i64),
    /// Whether there are loops inside.
    has_loops: bool,
    /// Whether there are such that `unroll-loops` does not remove.
    has_long_loops: bool,
    /// How the values that it carries are combined.
    pub(super) reductions: Vec<Reduction>,
    /// How many vectors are loaded.
    n_loads: usize,
    /// Whether elements of one vector are picked from several registers, or from one in another order.
    has_picked: bool,
    /// The store whose addresses are to be multiples of the size of a register.
    pub(super) aligned: Option<Aligned>,
    /// Inner loops that go through rows of which each lane has its own, and how many of their iterations are
    /// written one behind the other.
    pub(super) blocks: FxHashMap<Op, i64>,
    /// The accesses of these rows: they are columns in the lanes.
    pub(super) columns: FxHashMap<Op, Column>,
    /// The loads whose lanes are anywhere.
    pub(super) gathers: FxHashSet<Op>,
    /// Whether the lanes of some are so near that loads and shuffles do.
    is_apart: bool,
    /// The accesses of one element of rows of a few.
    pub(super) interleaved: FxHashMap<Op, Part>,
    /// Whether an inner loop adds to such rows in memory, which is better in registers first.
    pub(super) sums_parts_in_memory: bool,
    /// Whether an iteration that runs again stores the same again.
    is_repeatable: bool,
    /// How many of the rows that lanes have of their own stay in the cache together.
    most_rows: i64,
}

/// What a loop can become once elementary functions have become arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Later {
    /// Vectors along rows.
    Rows,
    /// The same, or vectors whose lanes are a few elements apart.
    Apart,
    /// Vectors whose lanes come from different rows.
    Columns,
    Scalar,
}

impl Plan {
    /// The smallest registers that have floats of 16 bits, and nothing else that only some processors have: those of the
    /// program are not known yet.
    const HALVES: Vectors = Vectors {
        register: Vectors::SMALLEST_WIDE,
        lacks: Features::NONE.with(Feature::Wide).with(Feature::Widest),
    };

    /// Bytes of a register.
    pub(super) fn register(&self) -> i64 {
        self.vectors.register as i64
    }

    pub(super) fn kind(&self, value: Value) -> Kind {
        self.kinds.get(&value).copied().unwrap_or(Kind::Uniform)
    }

    /// How often the loop runs, if that is known.
    pub(super) fn trip_count(&self, ir: &Ir) -> Option<i64> {
        trip_count(ir, self.op)
    }

    /// The number of lanes that fill a register of `register` bytes.
    fn lanes_of(&self, register: i64) -> i64 {
        register / self.sizes.0
    }

    /// How the loop can run in vectors of some processor, if it can.
    pub(super) fn of(ir: &Ir, op: Op) -> Option<Self> {
        Self::for_registers(ir, op, Self::HALVES).ok()
    }

    /// How the loop can run in vectors once elementary functions have become arithmetic.
    pub(super) fn later(ir: &Ir, op: Op) -> Later {
        match Self::find(ir, op, Self::HALVES, true) {
            Ok(plan) if plan.is_apart => Later::Apart,
            Ok(plan) if plan.columns.is_empty() => Later::Rows,
            Ok(_) => Later::Columns,
            Err(_) => Later::Scalar,
        }
    }

    /// How the loop can run in vectors, or why not; whether it can does not depend on their size, but for floats of
    /// 16 bits.
    pub(super) fn for_registers(ir: &Ir, op: Op, vectors: Vectors) -> Result<Self, Obstacle> {
        Self::find(ir, op, vectors, false)
    }

    fn find(ir: &Ir, op: Op, vectors: Vectors, with_functions: bool) -> Result<Self, Obstacle> {
        let view = scf::For(op);
        if ir.has_attr(op, vectorized_name(ir)) {
            return Err(Why::Nothing.at(op));
        }
        let is_simple = arith::as_constant_index(ir, ir.operand(op, 2)) == Some(1)
            && ir.value_type(view.induction_variable(ir)) == Type::INDEX;
        if !is_simple {
            return Err(Why::Step.at(op));
        }
        let accesses = loop_memory::accesses_or_first_other(ir, op);
        let accesses = accesses.map_err(|op| Why::Memory.at(op))?;
        let n_carried = ir.results(op).len();
        if n_carried == 0 && !accesses.iter().any(|access| access.is_store) {
            return Err(Why::Nothing.at(op));
        }
        let mut plan = Self {
            op,
            vectors,
            smallest: SMALLEST_REGISTER,
            with_functions,
            max_trip_count: None,
            kinds: FxHashMap::default(),
            pairs: Pairs::new(),
            rows: SmallVec::new(),
            sizes: (i64::MAX, 0),
            has_loops: false,
            has_long_loops: false,
            reductions: Vec::new(),
            n_loads: 0,
            has_picked: false,
            aligned: None,
            blocks: FxHashMap::default(),
            columns: FxHashMap::default(),
            gathers: FxHashSet::default(),
            is_apart: false,
            interleaved: FxHashMap::default(),
            sums_parts_in_memory: false,
            is_repeatable: false,
            most_rows: MAX_ROWS,
        };
        let counter = view.induction_variable(ir);
        plan.kinds.insert(counter, Kind::Linear(1));
        for (index, &carried) in view.iter_args(ir).iter().enumerate() {
            let next = ir.operand(view.yield_op(ir), index);
            let from = ir.defining_op(next).unwrap_or(op);
            let reduction = Reduction::of(ir, op, index).ok_or(Why::Order.at(from))?;
            plan.reductions.push(reduction);
            let ty = ir.value_type(carried);
            if Element::of(ir.context(), ty).is_some_and(Element::is_half) {
                return Err(Why::Element.at(from));
            }
            plan.include(ir, from, ty)?;
            plan.kinds.insert(carried, Kind::Vector);
        }
        plan.classify_block(ir, view.body(ir))?;
        plan.max_trip_count = plan.bound(ir, &accesses);
        interleaved::group_stores(ir, &mut plan.interleaved, &accesses)?;
        plan.sums_parts_in_memory = plan.adds_to_parts(ir, &accesses);
        let is_row = |access: &&Access| plan.kind(access.value(ir)) == Kind::Vector;
        let rows = accesses.iter().filter(is_row);
        plan.n_loads = rows.filter(|access| !access.is_store).count();
        if n_carried != 0 && plan.n_loads == 0 {
            return Err(Why::Nothing.at(op));
        }
        for store in accesses.iter().filter(|access| access.is_store) {
            for other in &accesses {
                if store.buffer == other.buffer && !plan.lanes_are_apart(ir, *store, *other) {
                    return Err(Why::Overlap.at(store.op));
                }
            }
        }
        // Along rows, lanes need no squares. If only some of the loops inside go along rows, the others had better run
        // several at once (`softmax`, benches/models).
        let mut inner = plan.blocks.keys();
        let is_row_better = inner.any(|&inner| {
            let along_rows = || Self::find(ir, inner, vectors, with_functions);
            adds_up_in_any_order(ir, inner) || along_rows().is_ok_and(|p| p.columns.is_empty())
        });
        if is_row_better {
            return Err(Why::Inner.at(op));
        }
        plan.columns_keep_order(ir, &accesses)?;
        let most_rows = plan.columns.values().map(|column| column.most_rows);
        plan.most_rows = most_rows.min().unwrap_or(MAX_ROWS);
        if !is_disjoint(ir, op, &accesses) {
            let pairs = loop_memory::unknown_pairs(ir, op, &accesses);
            plan.pairs = pairs.ok_or(Why::Aliasing.at(op))?;
        }
        plan.is_repeatable = plan.stores_the_same_again(ir, &accesses);
        if !has_large_body(ir, op, MAX_ALIGNED_BODY) {
            plan.aligned = plan.store_to_align(ir, &accesses);
        }
        let smallest = plan.lanes_of(plan.smallest);
        match plan.max_trip_count {
            Some(n) if n < smallest => Err(Why::Short.at(op)),
            _ => Ok(plan),
        }
    }

    /// Whether an inner loop adds to rows of a few elements in memory, and goes along columns of what it loads for that: along
    /// rows, it could run in vectors itself once the sums are in registers (`n_body`, benches/models).
    fn adds_to_parts(&self, ir: &Ir, accesses: &[Access]) -> bool {
        let is_fixed = |access: &Access, inner| {
            let mut indices = access.indices(ir).iter();
            indices.all(|&index| loop_memory::is_fixed(ir, inner, index))
        };
        let goes_along_columns = |inner| {
            accesses.iter().any(|access| {
                !access.is_store
                    && ir.parent_op(access.op) == Some(inner)
                    && self.kind(access.value(ir)) == Kind::Vector
                    && !is_fixed(access, inner)
            })
        };
        accesses.iter().any(|access| {
            let inner = ir.parent_op(access.op).filter(|&inner| inner != self.op);
            access.is_store
                && self.interleaved.contains_key(&access.op)
                && inner.is_some_and(|inner| is_fixed(access, inner) && goes_along_columns(inner))
        })
    }

    /// The number of iterations, or the most that there can be: each accesses another element of a dimension.
    fn bound(&self, ir: &Ir, accesses: &[Access]) -> Option<i64> {
        let every_time = accesses
            .iter()
            .filter(|access| ir.parent_op(access.op) == Some(self.op));
        let most = every_time.flat_map(|access| {
            let memref = ir.context().as_memref(ir.value_type(access.buffer));
            let sizes = memref.map_or(&[][..], |memref| &memref.shape);
            let dims = access.indices(ir).iter().zip(sizes);
            dims.filter_map(|(&index, &size)| match self.kind(index) {
                Kind::Linear(step) if step > 0 && size != DYNAMIC => {
                    Some(size.saturating_add(step - 1) / step)
                }
                _ => None,
            })
        });
        self.trip_count(ir).or_else(|| most.min())
    }

    /// Whether nothing is loaded that the loop stores.
    fn stores_the_same_again(&self, ir: &Ir, accesses: &[Access]) -> bool {
        // Long bodies access few buffers many times.
        let buffers = |are_stored: bool| -> FxHashSet<Value> {
            let of_kind = accesses
                .iter()
                .filter(|access| access.is_store == are_stored);
            of_kind.map(|access| access.buffer).collect()
        };
        let (stored, loaded) = (buffers(true), buffers(false));
        let is_apart = |&a: &Value| {
            let others = stored.iter().filter(|&&b| b != a).chain(&loaded);
            others.copied().all(|b| loop_memory::are_distinct(ir, a, b))
        };
        self.reductions.is_empty()
            && self.pairs.is_empty()
            && self.rows.is_empty()
            && self.columns.is_empty()
            && self.interleaved.is_empty()
            && stored.iter().all(is_apart)
    }

    /// The first store, if iterations are short and may be many, and its address does not depend on
    /// what they compute. A buffer whose address is looked at could not be contracted.
    fn store_to_align(&self, ir: &Ir, accesses: &[Access]) -> Option<Aligned> {
        if self.has_loops || !self.reductions.is_empty() {
            return None;
        }
        let is_row =
            |access: &&Access| access.is_store && !self.interleaved.contains_key(&access.op);
        let store = accesses.iter().find(is_row)?;
        let size = vector_size(ir, ir.value_type(store.value(ir)))?;
        let min_trip_count = MIN_ALIGNED * self.register() / size;
        if self.max_trip_count.is_some_and(|n| n < min_trip_count) {
            return None;
        }
        // They are computed once more before the loop, which may have no iterations.
        let mut indices = store.indices(ir).iter();
        let is_computed = indices.all(|&index| {
            self.is_computed_by(ir, index, arith::is_speculatable, ir.capped(MAX_STEPS))
        });
        let aligned = Aligned {
            store: *store,
            size,
            min_trip_count,
        };
        let looks_at_address = self.known_misalignment(ir, &aligned).is_none();
        (is_computed && !(looks_at_address && is_contractible(ir, store.buffer))).then_some(aligned)
    }

    /// How many elements the first one that is stored is from an address that is a multiple of
    /// the size of a register, if that is known.
    pub(super) fn known_misalignment(&self, ir: &Ir, aligned: &Aligned) -> Option<i64> {
        let store = aligned.store;
        let is_alloc = |&op: &Op| ir.is(op, &memref::ALLOC) || ir.is(op, &memref::ALLOCA);
        ir.defining_op(store.buffer).filter(is_alloc)?;
        let context = ir.context();
        let memref = context.as_memref(ir.value_type(store.buffer))?;
        let (strides, offset) = context.memref_strides(memref)?;
        let lanes = self.register() / aligned.size;
        let mut sum = offset;
        for (&index, &stride) in store.indices(ir).iter().zip(&strides) {
            if offset == DYNAMIC || stride == DYNAMIC {
                return None;
            }
            if stride % lanes != 0 {
                sum = sum.checked_add(
                    self.first(ir, index, ir.capped(MAX_STEPS))?
                        .checked_mul(stride)?,
                )?;
            }
        }
        Some(sum.rem_euclid(lanes))
    }

    /// An index in the first iteration, if that is a known number.
    fn first(&self, ir: &Ir, index: Value, steps: u32) -> Option<i64> {
        if index == scf::For(self.op).induction_variable(ir) {
            return arith::as_constant_index(ir, ir.operand(self.op, 0));
        }
        let known = arith::as_constant_index(ir, index);
        known.or_else(|| {
            let steps = steps.checked_sub(1)?;
            let op = ir.defining_op(index)?;
            let compute = match () {
                () if ir.is(op, &arith::ADDI) => i64::checked_add,
                () if ir.is(op, &arith::SUBI) => i64::checked_sub,
                () => return None,
            };
            let [a, b] = [0, 1].map(|i| self.first(ir, ir.operand(op, i), steps));
            compute(a?, b?)
        })
    }

    /// Finds the kinds of all values in a block, or what cannot run in vectors.
    fn classify_block(&mut self, ir: &Ir, block: Block) -> Result<(), Obstacle> {
        for op in ir.ops_in(block) {
            if let Some(access) = Access::of(ir, op) {
                self.classify_access(ir, access)?;
            } else if ir.is(op, &scf::FOR) {
                self.classify_loop(ir, op)?;
            } else if !ir.is(op, &scf::YIELD) {
                self.classify_pure(ir, op)?;
            }
        }
        Ok(())
    }

    fn classify_access(&mut self, ir: &Ir, access: Access) -> Result<(), Obstacle> {
        let value = access.value(ir);
        let no = |why: Why| why.at(access.op);
        if vector::is_vector(ir.context(), ir.value_type(value)) {
            return Err(no(Why::Nothing));
        }
        if !loop_memory::is_outside(ir, access.buffer, self.op) {
            return Err(no(Why::Buffer));
        }
        let kinds = || access.indices(ir).iter().map(|&index| self.kind(index));
        let n = kinds().len();
        if kinds().all(|kind| kind == Kind::Uniform) && !access.is_store {
            return Ok(());
        }
        // There are instructions that gather elements of these sizes.
        let is_large = || vector_size(ir, ir.value_type(value)).is_some_and(|size| size >= 4);
        if kinds().any(|kind| kind == Kind::Vector) {
            return match is_large() {
                true => self.classify_gather(ir, access, subscripts::MIN_REGISTER),
                false => Err(no(Why::Distance)),
            };
        }
        // What is stored may also be the same in all lanes.
        let check_stored = |plan: &Self| match plan.kind(value) {
            Kind::Uniform | Kind::Vector => Ok(()),
            Kind::Linear(_) | Kind::Varying => Err(no(Why::Index)),
        };
        if let Some(part) = Part::of(ir, access, |index| self.kind(index)) {
            self.interleaved.insert(access.op, part);
            self.has_picked = true;
            self.include(ir, access.op, ir.value_type(value))?;
            if access.is_store {
                return check_stored(self);
            }
            self.kinds.insert(value, Kind::Vector);
            return Ok(());
        }
        let is_row = n != 0 && kinds().take(n - 1).all(|kind| kind == Kind::Uniform);
        match self.distance(ir, access, is_row) {
            Some(..=MAX_SHUFFLED) => {
                self.is_apart = true;
                self.has_picked |= !is_large();
                return self.classify_gather(ir, access, SMALLEST_REGISTER);
            }
            // Gathering is worth less than what fusion of other loops saves.
            Some(_) if !self.with_functions && is_large() => {
                return self.classify_gather(ir, access, subscripts::MIN_REGISTER);
            }
            _ => {}
        }
        let column = match is_row {
            true => None,
            false => Some(self.column(ir, access).ok_or(no(Why::Distance))?),
        };
        let last = match column {
            // Of the rows, the loop inside loads all elements.
            Some(_) => Some(Kind::Linear(1)),
            None => kinds().next_back(),
        };
        let context = ir.context();
        let memref = context.as_memref(ir.value_type(access.buffer));
        let strides = memref.and_then(|memref| context.memref_strides(memref));
        let (strides, _) = strides.ok_or(no(Why::Distance))?;
        match strides.last() {
            Some(&1) => {}
            // Found out at run time.
            Some(&DYNAMIC) if last == Some(Kind::Linear(1)) => {
                if !self.rows.contains(&access.buffer) {
                    self.rows.push(access.buffer);
                }
            }
            _ => return Err(no(Why::Distance)),
        }
        if let Some(column) = column {
            if *self.blocks.entry(column.inner).or_insert(column.block) != column.block {
                return Err(no(Why::Sizes));
            }
            self.columns.insert(access.op, column);
        }
        match last {
            Some(Kind::Linear(1)) => {}
            Some(Kind::Linear(2 | -1)) if !access.is_store => {
                self.has_picked = true;
            }
            _ => return Err(no(Why::Distance)),
        }
        self.include(ir, access.op, self.type_in_memory(ir, access))?;
        if access.is_store {
            check_stored(self)
        } else {
            self.kinds.insert(value, Kind::Vector);
            Ok(())
        }
    }

    /// How many elements the lanes of a load are apart, if these are a few, as those of one channel of an image:
    /// neither next to each other nor at every second place.
    fn distance(&self, ir: &Ir, access: Access, is_row: bool) -> Option<i64> {
        let distance = || {
            let context = ir.context();
            let memref = context.as_memref(ir.value_type(access.buffer))?;
            let (strides, _) = context.memref_strides(memref)?;
            let mut distance = 0i64;
            for (&index, &stride) in access.indices(ir).iter().zip(&strides) {
                match self.kind(index) {
                    Kind::Uniform => {}
                    Kind::Linear(step) if stride != DYNAMIC => {
                        distance = distance.checked_add(step.checked_mul(stride)?)?;
                    }
                    _ => return None,
                }
            }
            Some(distance)
        };
        // Every second place of a row is picked, but for layouts that have only these.
        let is_dense = || {
            let context = ir.context();
            let memref = context.as_memref(ir.value_type(access.buffer));
            let strides = memref.and_then(|memref| context.memref_strides(memref));
            strides.is_none_or(|(strides, _)| strides.last() == Some(&1))
        };
        let least = if is_row && is_dense() { 3 } else { 2 };
        distance()
            .filter(|distance| (least..=MAX_DISTANCE).contains(distance))
            .filter(|_| !access.is_store && self.column(ir, access).is_none())
    }

    /// The type of an accessed element: truth values become bytes before anything runs in vectors.
    fn type_in_memory(&self, ir: &Ir, access: Access) -> Type {
        match ir.value_type(access.value(ir)) {
            Type::I1 if self.with_functions => Type::I8,
            ty => ty,
        }
    }

    /// Takes note of a load whose lanes are gathered, by registers of at least `register` bytes.
    fn classify_gather(&mut self, ir: &Ir, access: Access, register: i64) -> Result<(), Obstacle> {
        let mut kinds = access.indices(ir).iter().map(|&index| self.kind(index));
        let ty = ir.value_type(access.value(ir));
        let memref = ir.context().as_memref(ir.value_type(access.buffer));
        let fits = !access.is_store
            && self.register() >= register
            && !kinds.any(|kind| kind == Kind::Varying)
            && vector_size(ir, ty).is_some()
            && memref.is_some_and(|memref| Span::of(ir.context(), memref).is_some());
        if !fits {
            return Err(Why::Distance.at(access.op));
        }
        self.include(ir, access.op, ty)?;
        self.gathers.insert(access.op);
        self.kinds.insert(access.value(ir), Kind::Vector);
        Ok(())
    }

    /// How lanes access a column, each in a row of its own through which the loop around the access goes.
    fn column(&self, ir: &Ir, access: Access) -> Option<Column> {
        let inner = ir.parent_op(access.op).filter(|&inner| inner != self.op)?;
        let view = scf::For::cast(ir, inner)?;
        let (&last, rows) = access.indices(ir).split_last()?;
        let mut counting = (0..rows.len()).filter(|&dim| self.kind(rows[dim]) != Kind::Uniform);
        let (Some(dim), None) = (counting.next(), counting.next()) else {
            return None;
        };
        let size = vector_size(ir, self.type_in_memory(ir, access))?;
        let block = SMALLEST_REGISTER / size;
        let body = view.body(ir);
        // Several iterations of the loop inside are for one tile, so its rows are those of all of them.
        let are_rows_fixed = || {
            rows.iter()
                .all(|&row| loop_memory::is_fixed(ir, inner, row))
        };
        let is_simple = self.kind(rows[dim]) == Kind::Linear(1)
            && self.kind(last) == Kind::Uniform
            && are_rows_fixed()
            && loop_memory::counts(ir, inner, view.induction_variable(ir), last)
            && arith::as_constant_index(ir, ir.operand(inner, 2)) == Some(1)
            && trip_count(ir, inner).is_none_or(|n| n >= block)
            && ir.ops_in(body).count() <= ir.capped(MAX_BODY_OF_COLUMNS)
            && ir.ops_in(body).all(|op| ir.regions(op).is_empty());
        let memref = ir.context().as_memref(ir.value_type(access.buffer))?;
        let (strides, _) = ir.context().memref_strides(memref)?;
        let most_rows = match strides[dim] {
            DYNAMIC => MAX_ROWS,
            stride => rows_in_cache(stride.saturating_mul(size)),
        };
        is_simple.then_some(Column {
            inner,
            dim,
            block,
            most_rows,
        })
    }

    /// Checks that accesses of columns may be made for several iterations of their loop at once: loads in the first of
    /// them, stores in the last one. Elements that are loaded and stored must be those of the same iteration.
    fn columns_keep_order(&self, ir: &Ir, accesses: &[Access]) -> Result<(), Obstacle> {
        let is_column = |access: &&Access| self.columns.contains_key(&access.op);
        let keeps_order = |column: &Access| {
            let inner = ir.parent_op(column.op);
            let mut others = accesses.iter().filter(|other| {
                other.buffer == column.buffer
                    && (other.is_store || column.is_store)
                    && ir.parent_op(other.op) == inner
            });
            others.all(|other| {
                let mut both = column.indices(ir).iter().zip(other.indices(ir));
                let is_ordered = column.is_store == other.is_store
                    || ir.is_before_in_block(column.op, other.op) == other.is_store;
                is_column(&other)
                    && is_ordered
                    && both.all(|(&a, &b)| loop_memory::is_same_number(ir, a, b))
            })
        };
        let mut columns = accesses.iter().filter(is_column);
        match columns.find(|column| !keeps_order(column)) {
            Some(column) => Err(Why::Overlap.at(column.op)),
            None => Ok(()),
        }
    }

    /// Takes note of the type of an element in a vector, for `op`, if vectors of it gain something.
    fn include(&mut self, ir: &Ir, op: Op, ty: Type) -> Result<(), Obstacle> {
        let held = |element: &Element| self.vectors.hold(*element);
        let element = Element::of(ir.context(), ty).filter(held);
        let (Some(size), Some(element)) = (vector_size(ir, ty), element) else {
            return Err(Why::Element.at(op));
        };
        if element.is_half() {
            self.smallest = Vectors::SMALLEST_WIDE as i64;
        }
        let (smallest, largest) = &mut self.sizes;
        (*smallest, *largest) = (size.min(*smallest), size.max(*largest));
        Ok(())
    }

    fn classify_loop(&mut self, ir: &Ir, op: Op) -> Result<(), Obstacle> {
        self.has_loops = true;
        self.has_long_loops |= unroll_loops::unrolled_size(ir, op).is_none();
        let view = scf::For(op);
        let (bounds, inits) = ir.operands(op).split_at(3);
        if bounds
            .iter()
            .any(|&bound| self.kind(bound) != Kind::Uniform)
        {
            return Err(Why::Bounds.at(op));
        }
        let mut carried: Vec<Kind> = inits.iter().map(|&init| self.kind(init)).collect();
        // What is carried becomes a vector at most, so this ends.
        loop {
            for (&argument, &kind) in view.iter_args(ir).iter().zip(&carried) {
                self.kinds.insert(argument, kind);
            }
            self.classify_block(ir, view.body(ir))?;
            let mut is_stable = true;
            for (kind, &value) in carried.iter_mut().zip(ir.operands(view.yield_op(ir))) {
                match (*kind, self.kind(value)) {
                    (Kind::Vector, Kind::Uniform | Kind::Vector)
                    | (Kind::Uniform, Kind::Uniform) => {}
                    (Kind::Uniform, Kind::Vector) => {
                        *kind = Kind::Vector;
                        is_stable = false;
                    }
                    _ => return Err(Why::Index.at(op)),
                }
            }
            if is_stable {
                break;
            }
        }
        for (&result, &kind) in ir.results(op).iter().zip(&carried) {
            if kind == Kind::Vector {
                self.include(ir, op, ir.value_type(result))?;
            }
            self.kinds.insert(result, kind);
        }
        Ok(())
    }

    fn classify_pure(&mut self, ir: &Ir, op: Op) -> Result<(), Obstacle> {
        if !ir.regions(op).is_empty() || !ir.is_memory_effect_free(op) {
            return Err(Why::Form.at(op));
        }
        let operands = ir.operands(op);
        let mut kinds = operands.iter().map(|&operand| self.kind(operand));
        let kind = if kinds.clone().all(|kind| kind == Kind::Uniform) {
            Kind::Uniform
        } else if counts_lanes(ir, op) && matches!(self.kind(operands[0]), Kind::Linear(_)) {
            self.include(ir, op, ir.value_type(ir.result(op, 0)))?;
            Kind::Vector
        } else if !kinds.clone().any(|kind| kind == Kind::Vector) {
            self.kind_of_index(ir, op)
        } else if ir.value_type(ir.result(op, 0)) == Type::INDEX
            && self.register() >= subscripts::MIN_REGISTER
            && subscripts::makes_subscript(ir, op, |value| self.kind(value))
        {
            self.include(ir, op, Type::I32)?;
            Kind::Vector
        } else if kinds.all(|kind| matches!(kind, Kind::Uniform | Kind::Vector)) {
            self.check_wide(ir, op)?;
            Kind::Vector
        } else {
            // Of an index only that of the first lane is at hand.
            return Err(Why::Index.at(op));
        };
        for &result in ir.results(op) {
            self.kinds.insert(result, kind);
        }
        Ok(())
    }

    /// Takes note of an operation on vectors, if the code generator has it for more than elements.
    fn check_wide(&mut self, ir: &Ir, op: Op) -> Result<(), Obstacle> {
        let is_uniform = |value| self.kind(value) == Kind::Uniform;
        let do_whole = |vectors: Vectors| {
            vectors.do_whole(ir, op, is_uniform) || shift_of_division(ir, op).is_some()
        };
        let is_whole = do_whole(self.vectors);
        let has_small = do_whole(Vectors::new(0, self.vectors.lacks));
        let result = ir.result(op, 0);
        let (ty, first) = (ir.value_type(result), ir.value_type(ir.operand(op, 0)));
        if ty == Type::I1 {
            // Registers of ones and zeros exist where something wants them.
            let is_wanted = (ir.uses(result).iter()).all(|u| takes_mask(ir, u.op, u.index));
            return match is_whole {
                true if is_wanted => self.include(ir, op, first),
                false if is_wanted && is_logic(ir, op) => Ok(()),
                _ => Err(Why::Form.at(op)),
            };
        }
        let is_function =
            || (self.with_functions || waits_for_vectors(ir, op)) && is_approximated(ir, op);
        if !is_whole && !is_function() {
            return Err(Why::Form.at(op));
        }
        if is_whole && !has_small {
            self.smallest = Vectors::SMALLEST_WIDE as i64;
        }
        if first != Type::I1 {
            self.include(ir, op, first)?;
        }
        self.include(ir, op, ty)
    }

    /// Of an operation on indices of which one is not uniform.
    fn kind_of_index(&self, ir: &Ir, op: Op) -> Kind {
        let step = |value: Value| match self.kind(value) {
            Kind::Uniform => Some(0),
            Kind::Linear(step) => Some(step),
            _ => None,
        };
        let known = match *ir.operands(op) {
            [a, b] if ir.is(op, &arith::ADDI) => {
                step(a).zip(step(b)).and_then(|(a, b)| a.checked_add(b))
            }
            [a, b] if ir.is(op, &arith::SUBI) => {
                step(a).zip(step(b)).and_then(|(a, b)| a.checked_sub(b))
            }
            [a, b] if ir.is(op, &arith::MULI) => {
                let factor = |value| arith::as_constant_index(ir, value);
                let scaled = |a, b| step(a).zip(factor(b)).and_then(|(a, b)| a.checked_mul(b));
                scaled(a, b).or_else(|| scaled(b, a))
            }
            _ => None,
        };
        known.map_or(Kind::Varying, Kind::Linear)
    }

    /// Whether no lane accesses in the first way what another one does in the second, both in the
    /// same buffer, the first of them a store.
    fn lanes_are_apart(&self, ir: &Ir, store: Access, other: Access) -> bool {
        let (indices, others) = (store.indices(ir), other.indices(ir));
        let is_same = |dim: usize| {
            loop_memory::is_same_number(ir, indices[dim], others[dim])
                && self.is_fixed(ir, indices[dim])
        };
        let dims = 0..indices.len();
        let counts = |dim: &usize| self.kind(others[*dim]) == Kind::Linear(1) && is_same(*dim);
        let Some(counting) = dims.clone().rev().find(counts) else {
            return false;
        };
        let context = ir.context();
        let memref = context.as_memref(ir.value_type(store.buffer));
        memref.is_some_and(|memref| loop_memory::is_injective(context, memref))
            || counting + 1 == indices.len() && dims.clone().all(is_same)
    }

    /// Whether an index depends on nothing inside of the loop but its counter.
    fn is_fixed(&self, ir: &Ir, index: Value) -> bool {
        self.is_computed_by(ir, index, Ir::is_memory_effect_free, ir.capped(MAX_STEPS))
    }

    /// Whether a few such operations compute `value` from the counter and values from outside.
    fn is_computed_by(&self, ir: &Ir, value: Value, by: fn(&Ir, Op) -> bool, steps: u32) -> bool {
        value == scf::For(self.op).induction_variable(ir)
            || loop_memory::is_outside(ir, value, self.op)
            || steps != 0
                && ir.defining_op(value).is_some_and(|op| {
                    let mut operands = ir.operands(op).iter();
                    ir.regions(op).is_empty()
                        && by(ir, op)
                        && operands.all(|&v| self.is_computed_by(ir, v, by, steps - 1))
                })
    }
}

/// The bytes of an element of which there are several in a register.
fn vector_size(ir: &Ir, ty: Type) -> Option<i64> {
    let element = Element::of(ir.context(), ty).filter(|_| ty != Type::INDEX)?;
    Some(element.bytes() as i64)
}

/// Whether `op` makes an integer that vectors hold of an index: those of the lanes are at equal distances.
pub(super) fn counts_lanes(ir: &Ir, op: Op) -> bool {
    (ir.is(op, &arith::INDEX_CAST) || ir.is(op, &arith::INDEX_CASTUI))
        && ir.value_type(ir.operand(op, 0)) == Type::INDEX
        && vector_size(ir, ir.value_type(ir.result(op, 0))).is_some()
}

/// Whether an operation combines the outcomes of comparisons.
fn is_logic(ir: &Ir, op: Op) -> bool {
    let known = [&arith::ANDI, &arith::ORI, &arith::XORI];
    ir.value_type(ir.result(op, 0)) == Type::I1 && known.iter().any(|&def| ir.is(op, def))
}

/// Whether the code generator looks at how operand `index` of `op`, an `i1`, was computed.
fn takes_mask(ir: &Ir, op: Op, index: u32) -> bool {
    let is_select = ir.is(op, &arith::SELECT) && index == 0;
    let is_extension = ir.is(op, &arith::EXTUI) || ir.is(op, &arith::EXTSI);
    let is_logic = ir.results(op).len() == 1 && is_logic(ir, op);
    is_logic
        || (is_select || is_extension) && vector_size(ir, ir.value_type(ir.result(op, 0))).is_some()
}
