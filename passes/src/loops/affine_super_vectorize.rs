//! `affine-super-vectorize`: affine loops with independent iterations compute vectors of one or more dimensions.
//!
//! Before:
//! ```mlir
//! affine.for %i = 0 to 1024 {
//!   %a = affine.load %m[%i] : memref<1024xf32>
//!   %s = arith.addf %a, %a : f32
//!   affine.store %s, %m[%i] : memref<1024xf32>
//! }
//! ```
//! After (with `virtual-vector-size=128`):
//! ```mlir
//! affine.for %i = 0 to 1024 step 128 {
//!   %p = ub.poison : f32
//!   %a = vector.transfer_read %m[%i], %p : memref<1024xf32>, vector<128xf32>
//!   %s = arith.addf %a, %a : vector<128xf32>
//!   vector.transfer_write %s, %m[%i] : vector<128xf32>, memref<1024xf32>
//! }
//! ```
//!
//! Sizes `4,8` make vectors of two dimensions of two loops, the inner one being all that is in the outer one. Each access
//! steps by one element along one dimension of its memory per loop, or reads one element for all; along a loop, that is the
//! same dimension for all accesses, counted from the last. `test-fastest-varying` says which. Inner loops are tried first; a
//! loop may hold others that run as they are.
//!
//! The trip count need not be a multiple of the vector's size. What the last vectors have too much is masked off where parts
//! are combined, as upstream does, and in stores, where upstream goes on until the memory ends; a store to memory that ends
//! with the loop needs no mask.
//!
//! With `vectorize-reductions`, a vector of one dimension holds parts of a value that a loop carries and combines, and the
//! parts are combined behind the loop; sums and products of floats have to permit that (`fastmath<reassoc>`), which
//! upstream's pass does not ask. Whether iterations are independent is `analysis::affine_memory`'s to say; operations are
//! taken in their order, so two accesses in one iteration stay in theirs.

use freehold_frontend::dialects::affine::{self, MapAndOperands};
use freehold_frontend::dialects::shared::const_fold;
use freehold_frontend::dialects::{arith, ub, vector};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap, AffineOp};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::{DYNAMIC, Type, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::affine_memory::{Access, accesses, iterations_are_apart, pairs, subscripts};
use crate::analysis::loop_memory::is_outside;
use crate::analysis::reductions::Reduction;
use crate::analysis::speculation::may_run_anywhere;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::indices;

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// for each loop the dimension of memory that it goes along, 0 for the last one; any without
        "test-fastest-varying" test_fastest_varying: Vec<String> = Vec::new(),
        /// split values that loops carry and combine; for vectors of one dimension
        "vectorize-reductions" reductions: bool = false,
        /// elements of a vector in each dimension, that of the outermost loop first
        "virtual-vector-size" virtual_vector_size: Vec<String> = Vec::new(),
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "affine-super-vectorize",
    summary: "compute vectors in affine loops with independent iterations",
    anchor: Anchor::Function,
    run,
};

/// Vectors with more elements are no use and cost compile time.
const MAX_ELEMENTS: i64 = 1 << 16;

/// The request.
struct Wish {
    /// Sizes of vectors.
    sizes: Vec<i64>,
    /// For each size, the dimension of memory counted from the last one.
    along: Option<Vec<usize>>,
    reductions: bool,
}

impl Wish {
    fn of(options: &Options) -> Result<Self, String> {
        let sizes = options.virtual_vector_size.iter().map(|size| size.parse());
        let sizes: Vec<i64> = sizes.collect::<Result<_, _>>().unwrap_or_default();
        let n = sizes.iter().try_fold(1i64, |n, &size| n.checked_mul(size));
        if sizes.is_empty()
            || sizes.iter().any(|&size| size < 1)
            || n.is_none_or(|n| n > MAX_ELEMENTS)
        {
            return Err(format!(
                "'virtual-vector-size' has to be sizes of vectors of 1 to {MAX_ELEMENTS} elements"
            ));
        }
        let along = &options.test_fastest_varying;
        let along = match along.is_empty() {
            true => None,
            false => Some(along.iter().map(|dim| dim.parse().ok()).collect()),
        };
        let along = match along {
            None => None,
            Some(Some(along)) if Vec::len(&along) == sizes.len() => Some(along),
            Some(_) => {
                return Err(format!(
                    "'test-fastest-varying' has to be {} numbers, one for each size",
                    sizes.len()
                ));
            }
        };
        if options.reductions && sizes.len() > 1 {
            return Err("'vectorize-reductions' is for vectors of one dimension".to_owned());
        }
        Ok(Self {
            sizes,
            along,
            reductions: options.reductions,
        })
    }
}

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let wish = match Wish::of(context.options) {
        Ok(wish) => wish,
        Err(message) => return Err(context.diagnostics.error(ir.loc(ir.root()), message)),
    };
    let mut n_vectorized = 0;
    let mut done: FxHashSet<Op> = FxHashSet::default();
    // Inner loops come later in the walk, and are tried first.
    for op in ir.collect_ops(ir.root()).into_iter().rev() {
        if !ir.is(op, &affine::FOR) || ir.walk(op).any(|inner| done.contains(&inner)) {
            continue;
        }
        if let Some(plan) = Plan::of(ir, op, &wish) {
            done.extend(&plan.loops);
            n_vectorized += plan.loops.len() as u64;
            plan.vectorize(ir, &wish.sizes);
        }
    }
    context.count("loops vectorized", n_vectorized);
    Ok(())
}

/// Loops that compute vectors.
struct Plan {
    /// One for each dimension of vectors, from the outside.
    loops: Vec<Op>,
    /// The operations that become operations on vectors.
    vectors: FxHashSet<Op>,
    /// Of values that the loop carries.
    reductions: Vec<Reduction>,
    /// For each loop, whether its last vector may have elements too much.
    has_remainder: Vec<bool>,
}

impl Plan {
    /// What to do with `op` and the loops of which it is all there is.
    fn of(ir: &Ir, op: Op, wish: &Wish) -> Option<Self> {
        let mut loops = vec![op];
        while loops.len() < wish.sizes.len() {
            let parent = ir.parent_op(loops[0])?;
            let is_all = ir
                .next_op(loops[0])
                .and_then(|next| ir.next_op(next))
                .is_none();
            if !ir.is(parent, &affine::FOR) || ir.prev_op(loops[0]).is_some() || !is_all {
                return None;
            }
            loops.insert(0, parent);
        }
        let mut has_remainder = Vec::new();
        for (&op, &size) in loops.iter().zip(&wish.sizes) {
            has_remainder.push(has_remainder_of(ir, op, size, loops[0])?);
        }
        let reductions = match ir.results(loops[0]) {
            [] => Vec::new(),
            results if wish.reductions && loops.len() == 1 => (0..results.len())
                .map(|index| reduction(ir, op, index))
                .collect::<Option<_>>()?,
            _ => return None,
        };
        if loops[1..].iter().any(|&op| !ir.results(op).is_empty()) {
            return None;
        }
        let mut plan = Self {
            loops,
            vectors: FxHashSet::default(),
            reductions,
            has_remainder,
        };
        plan.find_vectors(ir, wish)?;
        let found = accesses(ir, plan.loops[0])?;
        let are_apart = |(a, b): (&Access, &Access)| {
            (plan.loops.iter())
                .all(|&op| iterations_are_apart(ir, op, a, b) && iterations_are_apart(ir, op, b, a))
        };
        let mut pairs = pairs(&found);
        (!plan.vectors.is_empty() && pairs.all(are_apart)).then_some(plan)
    }

    fn innermost(&self) -> Op {
        self.loops[self.loops.len() - 1]
    }

    /// What is done in the innermost loop, that in other loops in it included.
    fn ops(&self, ir: &Ir) -> Vec<Op> {
        ir.walk(self.innermost()).skip(1).collect()
    }

    fn counters(&self, ir: &Ir) -> Vec<Value> {
        let counter = |&op: &Op| affine::For(op).induction_variable(ir);
        self.loops.iter().map(counter).collect()
    }

    /// Finds the operations on vectors; `None` if there is one that cannot be one.
    fn find_vectors(&mut self, ir: &Ir, wish: &Wish) -> Option<()> {
        let counters = self.counters(ir);
        let mut along: Vec<Option<usize>> = match &wish.along {
            Some(along) => along.iter().copied().map(Some).collect(),
            None => vec![None; counters.len()],
        };
        let carried = affine::For(self.innermost()).iter_args(ir);
        for inner in self.ops(ir) {
            if ir.is(inner, &affine::FOR) {
                self.runs_as_it_is(ir, inner).then_some(())?;
                continue;
            }
            if ir.has_trait(inner, Traits::TERMINATOR) {
                continue;
            }
            if !ir.regions(inner).is_empty() {
                return None;
            }
            if ir.is(inner, &affine::APPLY) || ir.has_trait(inner, Traits::CONSTANT_LIKE) {
                continue;
            }
            let is_store = ir.is(inner, &affine::STORE);
            if is_store || ir.is(inner, &affine::LOAD) {
                let dims = dims_along(ir, inner, &counters)?;
                for (&dim, along) in dims.iter().zip(&mut along) {
                    let Some(dim) = dim else { continue };
                    if *along.get_or_insert(dim) != dim {
                        return None;
                    }
                }
                let stored = is_store.then(|| ir.value_type(ir.operand(inner, 0)));
                if is_store
                    && (dims.contains(&None) || !stored.is_some_and(|ty| is_element(ir, ty)))
                {
                    return None;
                }
                if dims.iter().any(Option::is_some) {
                    self.vectors.insert(inner);
                }
                continue;
            }
            if !ir.has_trait(inner, Traits::ELEMENTWISE) || !ir.is_memory_effect_free(inner) {
                return None;
            }
            let mut values = ir.operands(inner).iter().chain(ir.results(inner));
            if !values.all(|&value| is_element(ir, ir.value_type(value))) {
                return None;
            }
            let varies = |&value: &Value| {
                let maker = ir.defining_op(value);
                carried.contains(&value) || maker.is_some_and(|maker| self.vectors.contains(&maker))
            };
            if ir.operands(inner).iter().any(varies) {
                // Elements too much are any numbers.
                if self.has_remainder.contains(&true) && !may_run_anywhere(ir, inner) {
                    return None;
                }
                self.vectors.insert(inner);
            }
        }
        Some(())
    }

    /// Whether a loop in the innermost one is the same for all elements of vectors.
    fn runs_as_it_is(&self, ir: &Ir, op: Op) -> bool {
        let is_counter = |value: Value| {
            let parent = ir
                .value_block(value)
                .and_then(|block| ir.block_parent_op(block));
            ir.defining_op(value).is_none()
                && parent
                    .is_some_and(|parent| parent != self.innermost() && ir.is(parent, &affine::FOR))
        };
        let is_same = |&value: &Value| is_outside(ir, value, self.loops[0]) || is_counter(value);
        ir.results(op).is_empty() && ir.operands(op).iter().all(is_same)
    }

    /// Makes operations on vectors.
    fn vectorize(&self, ir: &mut Ir, sizes: &[i64]) {
        let context = ir.context().clone();
        let counters = self.counters(ir);
        let vector_of = |ty: Type| vector::vector_type(&context, sizes, ty);
        let all = self.ops(ir);
        let ops: Vec<Op> = (all.iter().copied())
            .filter(|inner| self.vectors.contains(inner))
            .collect();
        let mut made: FxHashMap<Value, Value> = FxHashMap::default();
        let carried = self.split_carried(ir, sizes);
        for &(value, _) in &carried {
            made.insert(value, value);
        }
        let mut masks = Masks::default();
        for &inner in &ops {
            if ir.is(inner, &affine::LOAD) {
                let read = transfer(ir, inner, sizes, &counters, None, None);
                made.insert(ir.result(inner, 0), ir.result(read, 0));
                continue;
            }
            let n_values = match ir.is(inner, &affine::STORE) {
                true => 1,
                false => ir.operands(inner).len(),
            };
            let mut operands = ir.operands(inner).to_vec();
            for value in &mut operands[..n_values] {
                *value = match made.get(value) {
                    Some(&vector) => vector,
                    None => {
                        let ty = vector_of(ir.value_type(*value));
                        Builder::before(ir, inner).value(&vector::BROADCAST, &[*value], ty)
                    }
                };
            }
            if ir.is(inner, &affine::STORE) {
                let order = self.masked_order(ir, inner, &counters);
                let mask = order.map(|order| masks.get(ir, self, sizes, &order));
                transfer(ir, inner, sizes, &counters, Some(operands[0]), mask);
                continue;
            }
            if self.has_remainder[0]
                && let Some(&(part, neutral)) =
                    (carried.iter()).find(|(part, _)| operands.contains(part))
            {
                let mask = masks.get(ir, self, sizes, &[0]);
                let ty = ir.value_type(part);
                for value in operands.iter_mut().filter(|value| **value != part) {
                    let mut b = Builder::before(ir, inner);
                    *value = b.value(&arith::SELECT, &[mask, *value, neutral], ty);
                }
            }
            ir.set_operands(inner, &operands);
            for result in ir.results(inner).to_vec() {
                let ty = vector_of(ir.value_type(result));
                ir.set_value_type(result, ty);
                made.insert(result, result);
            }
        }
        for &inner in ops.iter().rev() {
            if ir.is(inner, &affine::LOAD) || ir.is(inner, &affine::STORE) {
                ir.erase_op(inner);
            }
        }
        // What computed subscripts only.
        for inner in all.into_iter().rev() {
            if !ir.is_erased(inner) && ir.is(inner, &affine::APPLY) && ir.is_unused(inner) {
                ir.erase_op(inner);
            }
        }
        for (&op, &size) in self.loops.iter().zip(sizes) {
            let step = context.index_attr(size);
            ir.set_attr(op, Name::STEP, step);
        }
    }

    /// The dimensions of the mask that a store needs, in the order of the memory, if it needs one: the loops that they count.
    fn masked_order(&self, ir: &Ir, op: Op, counters: &[Value]) -> Option<Vec<usize>> {
        let dims = dims_along(ir, op, counters)?;
        let (memref, place) = subscripts(ir, op)?;
        let shape = &ir.context().as_memref(ir.value_type(memref))?.shape;
        let ends_with_memory = |at: usize| {
            let dim = dims[at].and_then(|dim| shape.len().checked_sub(dim + 1))?;
            let shift = match &place.map.results[dim] {
                AffineExpr::Dim(_) | AffineExpr::Symbol(_) => 0,
                AffineExpr::Binary(AffineOp::Add, parts) => match **parts {
                    (AffineExpr::Dim(_) | AffineExpr::Symbol(_), AffineExpr::Constant(shift)) => {
                        shift
                    }
                    _ => return None,
                },
                _ => return None,
            };
            let end = affine::For(self.loops[at]).constant_upper_bound(ir)?;
            Some(shape[dim] != DYNAMIC && end.checked_add(shift)? == shape[dim])
        };
        let needs_mask = (self.has_remainder.iter().enumerate())
            .any(|(at, &has_remainder)| has_remainder && ends_with_memory(at) != Some(true));
        let mut order: Vec<usize> = (0..dims.len()).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(dims[at]));
        needs_mask.then_some(order)
    }

    /// Has a loop carry vectors of parts, and combines them behind it; what it carries in its body, each with the vector that
    /// changes nothing.
    fn split_carried(&self, ir: &mut Ir, sizes: &[i64]) -> Vec<(Value, Value)> {
        let context = ir.context().clone();
        let op = self.loops[0];
        let carried = match self.reductions.is_empty() {
            true => Vec::new(),
            false => affine::For(op).iter_args(ir).to_vec(),
        };
        let mut parts = Vec::new();
        for (index, (&value, reduction)) in carried.iter().zip(&self.reductions).enumerate() {
            let element = ir.value_type(value);
            let ty = vector::vector_type(&context, sizes, element);
            let at = ir.operands(op).len() - carried.len() + index;
            let (init, result) = (ir.operand(op, at), ir.result(op, index));
            let bits = (reduction.kind.neutral(&context, element))
                .expect("elements are integers or floats that can be combined");
            let neutral = const_fold::splat_attr(&context, ty, bits)
                .expect("vectors of elements have constants");
            let neutral = arith::constant_attr(&mut Builder::before(ir, op), neutral);
            parts.push((value, neutral));
            ir.set_operand(op, at, neutral);
            ir.set_value_type(value, ty);
            ir.set_value_type(result, ty);
            let mut b = Builder::after(ir, op);
            let kind = reduction.kind.to_attr(&context);
            let total = b.value_with_attr(&vector::REDUCTION, &[result], element, Name::KIND, kind);
            let reduced = (b.ir.defining_op(total)).expect("it was just made");
            let scalar = const_fold::scalar_attr(&context, element, bits);
            let whole = match arith::as_constant_attr(b.ir, init) == Some(scalar) {
                true => total,
                false => b.value(reduction.def, &[total, init], element),
            };
            let combined = b.ir.defining_op(whole);
            b.ir.replace_uses_if(result, whole, |_, user| {
                user.op != reduced && Some(user.op) != combined
            });
        }
        parts
    }
}

/// Whether an affine loop in or around which `outermost` is has another number of iterations than a multiple of `size`, or
/// one that is not known; `None` if vectors cannot count them.
fn has_remainder_of(ir: &Ir, op: Op, size: i64, outermost: Op) -> Option<bool> {
    let view = affine::For(op);
    if view.step(ir) != 1 {
        return None;
    }
    if let (Some(lower), Some(upper)) =
        (view.constant_lower_bound(ir), view.constant_upper_bound(ir))
    {
        let length = upper.checked_sub(lower)?;
        return (length > 0).then_some(length % size != 0);
    }
    // The same for all elements of vectors.
    let mut bounds = (view.lower_bound_operands(ir).iter()).chain(view.upper_bound_operands(ir));
    bounds
        .all(|&value| is_outside(ir, value, outermost))
        .then_some(true)
}

/// Masks at the begin of the innermost loop: which elements of vectors the loops reach, by the loops that dimensions count.
#[derive(Default)]
struct Masks(Vec<(Vec<usize>, Value)>);

impl Masks {
    fn get(&mut self, ir: &mut Ir, plan: &Plan, sizes: &[i64], order: &[usize]) -> Value {
        if let Some((_, mask)) = self.0.iter().find(|(other, _)| other == order) {
            return *mask;
        }
        let context = ir.context().clone();
        let body = affine::For(plan.innermost()).body(ir);
        let mut b = match ir.first_op(body) {
            Some(first) => Builder::before(ir, first),
            None => Builder::at_end(ir, body),
        };
        let left: Vec<Value> = (order.iter())
            .map(|&at| match plan.has_remainder[at] {
                true => iterations_left(&mut b, plan.loops[at]),
                false => arith::constant_index(&mut b, sizes[at]),
            })
            .collect();
        let sizes: Vec<i64> = order.iter().map(|&at| sizes[at]).collect();
        let ty = vector::vector_type(&context, &sizes, Type::I1);
        let mask = b.value(&vector::CREATE_MASK, &left, ty);
        self.0.push((order.to_vec(), mask));
        mask
    }
}

/// How far the counter of a loop is from its end.
fn iterations_left(b: &mut Builder<'_>, op: Op) -> Value {
    let view = affine::For(op);
    let counter = view.induction_variable(b.ir);
    let bound = view.upper_bound_map(b.ir).clone();
    let mut operands = view.upper_bound_operands(b.ir).to_vec();
    let n_dims = bound.n_dims;
    let (end, map) = match &bound.results[..] {
        [end] => {
            operands.insert(n_dims as usize, counter);
            (end.clone(), bound.clone())
        }
        _ => {
            let bound = MapAndOperands::new(bound, &operands);
            let end = indices::map_op(b, &affine::MIN, bound).materialize(b);
            operands = vec![end, counter];
            (AffineExpr::Dim(0), AffineMap::identity(1))
        }
    };
    let minus = AffineExpr::mul(AffineExpr::Dim(map.n_dims), AffineExpr::Constant(-1));
    let left = AffineMap {
        n_dims: map.n_dims + 1,
        n_symbols: map.n_symbols,
        results: vec![AffineExpr::add(end, minus)],
    };
    let left = MapAndOperands::new(left, &operands).canonical(b.ir);
    indices::map_op(b, &affine::APPLY, left).materialize(b)
}

/// How the affine loop `op` combines the value that it carries at this place, in parts if it may.
fn reduction(ir: &Ir, op: Op, index: usize) -> Option<Reduction> {
    let (known, _) = Reduction::of_affine(ir, op, index)?;
    let element = ir.value_type(ir.result(op, index));
    (is_element(ir, element) && known.kind.neutral(ir.context(), element).is_some())
        .then_some(known)
}

fn is_element(ir: &Ir, ty: Type) -> bool {
    let kind = ir.context().type_kind(ty);
    matches!(kind, TypeKind::Integer { .. } | TypeKind::Float(_))
}

/// For each counter the dimension of memory, counted from the last, in which an access goes from one element to the next
/// with it, if it moves; `None` if it does so in another way.
fn dims_along(ir: &Ir, op: Op, counters: &[Value]) -> Option<Vec<Option<usize>>> {
    let access = Access::of(ir, op)?;
    let context = ir.context();
    let memref = context.as_memref(ir.value_type(access.memref))?;
    if !is_element(ir, memref.element) {
        return None;
    }
    let mut dims: Vec<Option<usize>> = Vec::new();
    for &counter in counters {
        let growth = access.growth(counter)?;
        let mut moved = (growth.iter().rev().enumerate()).filter(|&(_, &factor)| factor != 0);
        let dim = match (moved.next(), moved.next()) {
            (None, _) => None,
            (Some((dim, 1)), None) if !dims.contains(&Some(dim)) => Some(dim),
            _ => return None,
        };
        dims.push(dim);
    }
    if dims.iter().any(Option::is_some) {
        let (strides, _) = context.memref_strides(memref)?;
        (strides.last() == Some(&1)).then_some(())?;
    }
    Some(dims)
}

/// The transfer of a vector in place of a load, or of a store of `stored`, before it.
fn transfer(
    ir: &mut Ir,
    op: Op,
    sizes: &[i64],
    counters: &[Value],
    stored: Option<Value>,
    mask: Option<Value>,
) -> Op {
    let context = ir.context().clone();
    let dims = dims_along(ir, op, counters).expect("the access was understood");
    let (memref, place) = subscripts(ir, op).expect("the access was understood");
    let rank = place.map.results.len();
    let element = context
        .as_memref(ir.value_type(memref))
        .map_or(Type::INDEX, |memref| memref.element);
    let mut builder = Builder::before(ir, op);
    let indices: Vec<Value> = place
        .map
        .results
        .iter()
        .map(|expr| subscript(&mut builder, expr, &place))
        .collect();
    let result = |dim: &Option<usize>| match dim {
        Some(dim) => AffineExpr::Dim((rank - 1 - dim) as u32),
        None => AffineExpr::Constant(0),
    };
    let map = AffineMap {
        n_dims: rank as u32,
        n_symbols: 0,
        results: dims.iter().map(result).collect(),
    };
    // Elements that repeat are not beyond an end.
    let in_bounds: Vec<Attr> = dims.iter().map(|dim| Attr::bool(dim.is_none())).collect();
    let (def, mut operands, mut groups) = match stored {
        None => (&vector::TRANSFER_READ, vec![memref], vec![1, rank, 1, 0]),
        Some(vector) => (
            &vector::TRANSFER_WRITE,
            vec![vector, memref],
            vec![1, 1, rank, 0],
        ),
    };
    operands.extend(indices);
    if stored.is_none() {
        operands.push(builder.value(&ub::POISON, &[], element));
    }
    if let Some(mask) = mask {
        operands.push(mask);
        groups[3] = 1;
    }
    let groups: Vec<i32> = groups.drain(..).map(|size| size as i32).collect();
    let mut spec = builder
        .spec(def)
        .operands(&operands)
        .attr(Name::OPERAND_SEGMENT_SIZES, context.i32_array_attr(&groups))
        .attr(Name::PERMUTATION_MAP, context.affine_map_attr(map))
        .attr(Name::IN_BOUNDS, context.array_attr(&in_bounds));
    if stored.is_none() {
        spec = spec.results(&[vector::vector_type(&context, sizes, element)]);
    }
    builder.create(spec)
}

/// One subscript as a value.
fn subscript(builder: &mut Builder<'_>, expr: &AffineExpr, place: &MapAndOperands) -> Value {
    let n_dims = place.map.n_dims;
    match expr {
        AffineExpr::Dim(dim) => place.operands[*dim as usize],
        AffineExpr::Symbol(symbol) => place.operands[(n_dims + symbol) as usize],
        AffineExpr::Constant(constant) => arith::constant_index(builder, *constant),
        AffineExpr::Binary(..) => {
            let map = AffineMap {
                results: vec![expr.clone()],
                ..place.map.clone()
            };
            let applied = MapAndOperands::new(map, &place.operands).canonical(builder.ir);
            indices::map_op(builder, &affine::APPLY, applied).materialize(builder)
        }
    }
}
