//! `affine-super-vectorize`: innermost affine loops with independent iterations compute vectors.
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
//! A loop does so if its trip count is known and a multiple of the vector's size: upstream's transfers go on beyond the end of
//! other loops, where only the end of the memory stops them. Each access runs along the last dimension of its memory, or
//! reads one element for all. Not here: vectors of several dimensions, loops around others, reductions. Whether iterations
//! are independent is `analysis::affine_memory`'s to say; operations are taken in their order, so two accesses in one
//! iteration stay in theirs.

use freehold_frontend::dialects::affine::{self, MapAndOperands};
use freehold_frontend::dialects::{arith, ub, vector};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::Traits;
use freehold_frontend::ir::types::{Type, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::affine_memory::{Access, accesses, iterations_are_apart, pairs, subscripts};
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::indices;

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// accepted if 0: accesses run along the last dimension
        "test-fastest-varying" test_fastest_varying: Vec<String> = Vec::new(),
        /// elements of a vector; only one number is accepted
        "virtual-vector-size" virtual_vector_size: Vec<String> = Vec::new(),
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "affine-super-vectorize",
    summary: "compute vectors in innermost affine loops with independent iterations",
    anchor: Anchor::Function,
    run,
};

/// Vectors with more elements are no use and cost compile time.
const MAX_ELEMENTS: i64 = 1 << 16;

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let options = context.options;
    let size = match &options.virtual_vector_size[..] {
        [size] => size.parse().ok(),
        _ => None,
    };
    let Some(size) = size.filter(|size| (1..=MAX_ELEMENTS).contains(size)) else {
        let message =
            format!("'virtual-vector-size' has to be one number from 1 to {MAX_ELEMENTS}");
        return Err(context.diagnostics.error(ir.loc(ir.root()), message));
    };
    if options.test_fastest_varying.iter().any(|dim| dim != "0") {
        let message = "'test-fastest-varying' has to be 0";
        return Err(context.diagnostics.error(ir.loc(ir.root()), message));
    }
    let mut n_vectorized = 0;
    for op in ir.collect_ops(ir.root()) {
        if ir.is_erased(op) {
            continue;
        }
        if let Some(vectors) = plan(ir, op, size) {
            vectorize(ir, op, size, &vectors);
            n_vectorized += 1;
        }
    }
    context.count("loops vectorized", n_vectorized);
    Ok(())
}

/// The operations of the loop `op` that become operations on vectors; `None` if it stays as it is.
fn plan(ir: &Ir, op: Op, size: i64) -> Option<FxHashSet<Op>> {
    if !ir.is(op, &affine::FOR) || !ir.results(op).is_empty() {
        return None;
    }
    let view = affine::For(op);
    let length = view
        .constant_upper_bound(ir)?
        .checked_sub(view.constant_lower_bound(ir)?)?;
    if view.step(ir) != 1 || length <= 0 || length % size != 0 {
        return None;
    }
    let body = view.body(ir);
    let counter = view.induction_variable(ir);
    let mut vectors = FxHashSet::default();
    for inner in ir.ops_in(body) {
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
            match runs_along(ir, inner, counter)? {
                true => {
                    vectors.insert(inner);
                }
                false if is_store => return None,
                false => {}
            }
            continue;
        }
        if !ir.has_trait(inner, Traits::ELEMENTWISE) || !ir.is_memory_effect_free(inner) {
            return None;
        }
        let varies = |&value: &Value| {
            let maker = ir.defining_op(value);
            maker.is_some_and(|maker| vectors.contains(&maker))
        };
        let mut values = ir.operands(inner).iter().chain(ir.results(inner));
        if !values.all(|&value| is_element(ir, ir.value_type(value))) {
            return None;
        }
        if ir.operands(inner).iter().any(varies) {
            vectors.insert(inner);
        }
    }
    // Stored values of other kinds, and the counter as a number, are not for vectors.
    let is_fine = |&inner: &Op| {
        let stored = ir.is(inner, &affine::STORE).then(|| ir.operand(inner, 0));
        stored.is_none_or(|value| is_element(ir, ir.value_type(value)))
    };
    if vectors.is_empty() || !vectors.iter().all(is_fine) {
        return None;
    }
    let found = accesses(ir, op)?;
    let are_independent = pairs(&found)
        .all(|(a, b)| iterations_are_apart(ir, op, a, b) && iterations_are_apart(ir, op, b, a));
    are_independent.then_some(vectors)
}

fn is_element(ir: &Ir, ty: Type) -> bool {
    let kind = ir.context().type_kind(ty);
    matches!(kind, TypeKind::Integer { .. } | TypeKind::Float(_))
}

/// Whether an access goes from one element of a row to the next with each iteration, or stays where it is; `None` if it does
/// neither.
fn runs_along(ir: &Ir, op: Op, counter: Value) -> Option<bool> {
    let access = Access::of(ir, op)?;
    let context = ir.context();
    let memref = context.as_memref(ir.value_type(access.memref))?;
    if !is_element(ir, memref.element) {
        return None;
    }
    let growth = access.growth(counter)?;
    let (&last, others) = growth.split_last()?;
    if others.iter().any(|&factor| factor != 0) {
        return None;
    }
    match last {
        0 => Some(false),
        1 => {
            let (strides, _) = context.memref_strides(memref)?;
            (strides.last() == Some(&1)).then_some(true)
        }
        _ => None,
    }
}

/// Makes operations on vectors of those in `vectors`.
fn vectorize(ir: &mut Ir, op: Op, size: i64, vectors: &FxHashSet<Op>) {
    let context = ir.context().clone();
    let body = affine::For(op).body(ir);
    let ops: Vec<Op> = ir
        .ops_in(body)
        .filter(|inner| vectors.contains(inner))
        .collect();
    let mut made: FxHashMap<Value, Value> = FxHashMap::default();
    for &inner in &ops {
        if ir.is(inner, &affine::LOAD) {
            let read = transfer(ir, inner, size, None);
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
                    let ty = vector::vector_type(&context, &[size], ir.value_type(*value));
                    Builder::before(ir, inner).value(&vector::BROADCAST, &[*value], ty)
                }
            };
        }
        if ir.is(inner, &affine::STORE) {
            transfer(ir, inner, size, Some(operands[0]));
            continue;
        }
        ir.set_operands(inner, &operands);
        for result in ir.results(inner).to_vec() {
            let ty = vector::vector_type(&context, &[size], ir.value_type(result));
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
    for inner in ir.ops_in(body).collect::<Vec<_>>().into_iter().rev() {
        if ir.is(inner, &affine::APPLY) && ir.is_unused(inner) {
            ir.erase_op(inner);
        }
    }
    let step = context.index_attr(size);
    ir.set_attr(op, Name::STEP, step);
}

/// The transfer of a vector in place of a load, or of a store of `stored`, before it.
fn transfer(ir: &mut Ir, op: Op, size: i64, stored: Option<Value>) -> Op {
    let context = ir.context().clone();
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
    let map = AffineMap {
        n_dims: rank as u32,
        n_symbols: 0,
        results: vec![AffineExpr::Dim(rank as u32 - 1)],
    };
    let (def, mut operands, mut sizes) = match stored {
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
    let sizes: Vec<i32> = sizes.drain(..).map(|size| size as i32).collect();
    let mut spec = builder
        .spec(def)
        .operands(&operands)
        .attr(Name::OPERAND_SEGMENT_SIZES, context.i32_array_attr(&sizes))
        .attr(Name::PERMUTATION_MAP, context.affine_map_attr(map))
        .attr(Name::IN_BOUNDS, context.array_attr(&[Attr::FALSE]));
    if stored.is_none() {
        spec = spec.results(&[vector::vector_type(&context, &[size], element)]);
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
