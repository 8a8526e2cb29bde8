//! `linalg-split-batches`: products of batches of matrices, and computations between them, run batch by batch.
//!
//! Before, as attention has it:
//! ```mlir
//! %s = linalg.batch_matmul ins(%q, %k : ...) outs(%zeros : tensor<8x256x256xf32>) -> tensor<8x256x256xf32>
//! %p = linalg.generic {...} ins(%s) outs(%e) { ... math.exp ... } -> tensor<8x256x256xf32>
//! %r = linalg.batch_matmul ins(%p, %v : ...) outs(%more : tensor<8x256x64xf32>) -> tensor<8x256x64xf32>
//! ```
//! After:
//! ```mlir
//! %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%all = %empty) -> (tensor<8x256x64xf32>) {
//!   %q1 = tensor.extract_slice %q[%i, 0, 0] [1, 256, 64] [1, 1, 1] : ...
//!   ...
//!   %r1 = linalg.batch_matmul ins(%p1, %v1 : ...) outs(%more1 : tensor<1x256x64xf32>) -> tensor<1x256x64xf32>
//!   %next = tensor.insert_slice %r1 into %all[%i, 0, 0] [1, 256, 64] [1, 1, 1] : ...
//!   scf.yield %next : tensor<8x256x64xf32>
//! }
//! ```
//! Intermediate results take as much memory as one batch, and stay in the cache.
//!
//! A chain ends with a product of matrices and has another one before. It has all operations before its end whose
//! results nothing else needs, and that compute what belongs to one batch from one batch. Each element is computed as
//! before, so the bits stay.

use freehold_frontend::dialects::linalg::attributes::IteratorType;
use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::dialects::tensor::reshapes;
use freehold_frontend::dialects::{arith, linalg, scf, tensor};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, Type};
use rustc_hash::FxHashMap;

use super::results::is_on_tensors;
use crate::analysis::contraction::adds_up_plain_products;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::tensors;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "linalg-split-batches",
    summary: "compute chains of batched products batch by batch",
    anchor: Anchor::Function,
    run,
};

/// Least size of the tensors between the products, in bytes: half of the second cache of common processors.
/// `attention_heads` of benches/models has four times as many.
const MIN_BYTES: i64 = 1 << 20;
/// Least number of multiplications of the last product of a batch, so that the cost of a library call does not count: 64
/// times that of the smallest product that becomes a call.
const MIN_PRODUCTS: i64 = 1 << 18;
/// Limit for the operations before the end of a chain that are looked at: bounds compile time. Attention with a mask has 20.
const MAX_OPS: usize = 64;

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()).into_iter().rev() {
        if !ir.is_erased(op)
            && let Some(chain) = Chain::ending_with(ir, op)
        {
            chain.split(ir);
            context.count("chains split", 1);
        }
    }
    Ok(())
}

/// Operations that belong together, and what they are split by.
struct Chain {
    end: Op,
    /// First to last, without the end.
    ops: Vec<Op>,
    /// Of structured operations, the loop over batches; of others, the dimension of the result.
    dims: FxHashMap<Op, usize>,
    n_batches: i64,
}

impl Chain {
    fn ending_with(ir: &Ir, end: Op) -> Option<Self> {
        if !is_product(ir, end) {
            return None;
        }
        let maps = interface::indexing_maps(ir, end);
        let output = maps.last()?;
        let sizes: Vec<i64> = interface::loop_sizes(ir, end)
            .into_iter()
            .map(|bound| {
                let (operand, dim) = bound?;
                Some(interface::shape(ir, operand)[dim]).filter(|&size| size != DYNAMIC)
            })
            .collect::<Option<_>>()?;
        let is_batch = |&dim: &usize| {
            sizes[dim] > 1
                && maps
                    .iter()
                    .all(|map| place_of(map, dim).is_ok_and(|p| p.is_some()))
        };
        let mut loops = output.results.iter().filter_map(|result| match result {
            AffineExpr::Dim(dim) => Some(*dim as usize),
            _ => None,
        });
        let batch = loops.find(is_batch)?;
        let n_batches = sizes[batch];
        let products = sizes.iter().try_fold(1i64, |all, &n| all.checked_mul(n))?;
        if products / n_batches < MIN_PRODUCTS {
            return None;
        }
        let mut dims = FxHashMap::default();
        dims.insert(end, batch);
        let mut ops = Vec::new();
        let (mut bytes, mut has_product) = (0i64, false);
        let mut before = ir.prev_op(end);
        for _ in 0..ir.capped(MAX_OPS) {
            let Some(op) = before else {
                break;
            };
            before = ir.prev_op(op);
            let Some(dim) = batch_of(ir, op, &dims, n_batches) else {
                continue;
            };
            dims.insert(op, dim);
            ops.push(op);
            if interface::is_structured(ir, op) {
                has_product |= is_product(ir, op);
                let ty = ir.value_type(ir.result(op, 0));
                let size = ir
                    .context()
                    .element_byte_size(ir.context().element_type_or_self(ty));
                let n = interface::shape(ir, ir.result(op, 0))
                    .iter()
                    .product::<i64>();
                bytes = bytes.saturating_add(n.saturating_mul(size.map_or(1, |size| size as i64)));
            }
        }
        ops.reverse();
        (has_product && bytes >= MIN_BYTES).then_some(Self {
            end,
            ops,
            dims,
            n_batches,
        })
    }

    /// Makes a loop over the batches.
    fn split(&self, ir: &mut Ir) {
        let result = ir.result(self.end, 0);
        let ty = ir.value_type(result);
        let mut builder = Builder::before(ir, self.end);
        let zero = arith::constant_index(&mut builder, 0);
        let one = arith::constant_index(&mut builder, 1);
        let n = arith::constant_index(&mut builder, self.n_batches);
        let empty = tensors::empty(&mut builder, ty);
        let new = scf::build_for(&mut builder, zero, n, one, &[empty]);
        let view = scf::For(new);
        let (body, number) = (view.body(ir), view.induction_variable(ir));
        let all = view.iter_args(ir)[0];
        let mut part = Part {
            chain: self,
            number,
            map: IrMap::default(),
            slices: FxHashMap::default(),
        };
        let mut builder = Builder::at_end(ir, body);
        for &op in self.ops.iter().chain([&self.end]) {
            let loc = builder.ir.loc(op);
            builder.set_loc(loc);
            part.copy(&mut builder, op);
        }
        let computed = part.map.value(result);
        let maps = interface::indexing_maps(builder.ir, self.end);
        let place = maps.last().map(|map| place_of(map, self.dims[&self.end]));
        let place = place.and_then(Result::ok).flatten();
        let place = place.expect("each batch is a part of the result");
        let rank = interface::rank(builder.ir, result);
        let offsets = offsets(rank, place, number);
        let next = tensors::insert_slice(&mut builder, computed, all, offsets, &vec![1; rank]);
        scf::build_yield(&mut builder, &[next]);
        let loop_result = ir.result(new, 0);
        ir.replace_op(self.end, &[loop_result]);
        for &op in self.ops.iter().rev() {
            ir.erase_op(op);
        }
    }
}

/// One batch of a chain.
struct Part<'a> {
    chain: &'a Chain,
    number: Value,
    /// What values of the chain became.
    map: IrMap,
    /// Parts of tensors from outside, by where they are cut.
    slices: FxHashMap<(Value, usize), Value>,
}

impl Part<'_> {
    /// What an operand becomes that is cut at a dimension.
    fn operand(&mut self, b: &mut Builder<'_>, value: Value, place: usize) -> Value {
        if (b.ir.defining_op(value)).is_some_and(|op| self.chain.dims.contains_key(&op)) {
            return self.map.value(value);
        }
        if let Some(&known) = self.slices.get(&(value, place)) {
            return known;
        }
        let mut sizes = tensors::shape(b.ir, value);
        sizes[place] = 1;
        let rank = sizes.len();
        let slice = tensors::slice(
            b,
            value,
            offsets(rank, place, self.number),
            &sizes,
            &vec![1; rank],
        );
        self.slices.insert((value, place), slice);
        slice
    }

    fn copy(&mut self, b: &mut Builder<'_>, op: Op) {
        let dim = self.chain.dims[&op];
        if interface::is_structured(b.ir, op) {
            let maps = interface::indexing_maps(b.ir, op);
            let operands: Vec<Value> = b.ir.operands(op).to_vec();
            let parts: Vec<Option<Value>> = (operands.iter().zip(&maps))
                .map(|(&operand, read)| {
                    let place = place_of(read, dim).ok().flatten()?;
                    Some(self.operand(b, operand, place))
                })
                .collect();
            let copy = b.ir.clone_op(op, &mut IrMap::default());
            b.insert(copy);
            for (i, part) in parts.into_iter().enumerate() {
                if let Some(part) = part {
                    b.ir.set_operand(copy, i, part);
                }
            }
            let n_inputs = interface::n_inputs(b.ir, op);
            for i in 0..b.ir.results(op).len() {
                let (old, new) = (b.ir.result(op, i), b.ir.result(copy, i));
                if let Ok(Some(place)) = place_of(&maps[n_inputs + i], dim) {
                    let ty = cut(b.ir, old, place);
                    b.ir.set_value_type(new, ty);
                }
                self.map.values.insert(old, new);
            }
            for inner in b.ir.walk(copy).collect::<Vec<Op>>() {
                let counted = b.ir.attr(inner, Name::DIM);
                if b.ir.is(inner, &linalg::INDEX)
                    && counted.and_then(|attr| b.ir.context().attr_integer(attr))
                        == Some(dim as i128)
                {
                    b.ir.replace_op(inner, &[self.number]);
                }
            }
            return;
        }
        let old = b.ir.result(op, 0);
        let ty = cut(b.ir, old, dim);
        let new = if b.ir.is(op, &tensor::EMPTY) {
            tensors::empty(b, ty)
        } else {
            let (groups, from) = reshaped(b.ir, op, dim).expect("it is a reshape");
            let source = b.ir.operand(op, 0);
            let source = self.operand(b, source, from);
            match b.ir.is(op, &tensor::COLLAPSE_SHAPE) {
                true => reshapes::collapse_shape(b, source, &groups, ty),
                false => {
                    let mut sizes = tensors::shape(b.ir, old);
                    sizes[dim] = 1;
                    let sizes: Vec<MixedIndex> = sizes.into_iter().map(Into::into).collect();
                    reshapes::expand_shape(b, source, &groups, &sizes, ty)
                }
            }
        };
        self.map.values.insert(old, new);
    }
}

/// The type of a tensor with one dimension cut to one element.
fn cut(ir: &Ir, value: Value, place: usize) -> Type {
    let mut sizes = tensors::shape(ir, value);
    sizes[place] = 1;
    tensors::tensor_type(ir.context(), &sizes, tensors::element(ir, value))
}

/// The offsets of part `number` along a dimension.
fn offsets(rank: usize, place: usize, number: Value) -> Vec<MixedIndex> {
    let offset = |dim| match dim == place {
        true => MixedIndex::Value(number),
        false => MixedIndex::Constant(0),
    };
    (0..rank).map(offset).collect()
}

/// Whether an operation on tensors of known sizes multiplies matrices.
fn is_product(ir: &Ir, op: Op) -> bool {
    interface::is_structured(ir, op)
        && is_on_tensors(ir, op)
        && ir.results(op).len() == 1
        && interface::n_inputs(ir, op) == 2
        && adds_up_plain_products(ir, op)
        && interface::indexing_maps(ir, op)
            .iter()
            .all(AffineMap::is_projected_permutation)
}

/// Which result of a map a loop is alone, if it is in there at all; an error if it is part of a sum or there twice.
pub(super) fn place_of(map: &AffineMap, dim: usize) -> Result<Option<usize>, ()> {
    let counter = AffineExpr::Dim(dim as u32);
    let mut place = None;
    for (i, result) in map.results.iter().enumerate() {
        match result {
            AffineExpr::Dim(_) if *result == counter && place.is_none() => place = Some(i),
            AffineExpr::Dim(_) if *result == counter => return Err(()),
            AffineExpr::Dim(_) | AffineExpr::Constant(_) => {}
            // What else it may be is not looked at.
            _ => return Err(()),
        }
    }
    Ok(place)
}

/// How a reshape that only adds or removes dimensions of size 1 groups them, and which dimension of its source
/// dimension `place` of its result is.
fn reshaped(ir: &Ir, op: Op, place: usize) -> Option<(Vec<Vec<i64>>, usize)> {
    let is_expand = ir.is(op, &tensor::EXPAND_SHAPE);
    let (groups, large) = match () {
        () if is_expand => (tensor::ExpandShape(op).reassociation(ir), ir.result(op, 0)),
        () if ir.is(op, &tensor::COLLAPSE_SHAPE) => (
            tensor::CollapseShape(op).reassociation(ir),
            ir.operand(op, 0),
        ),
        () => return None,
    };
    let shape = interface::shape(ir, large);
    let mut from = None;
    for (number, group) in groups.iter().enumerate() {
        let mut long = group.iter().filter(|&&dim| shape[dim as usize] != 1);
        let first = long.next();
        if long.next().is_some() {
            return None;
        }
        match is_expand {
            true if first == Some(&(place as i64)) => from = Some(number),
            false if number == place => from = first.map(|&dim| dim as usize),
            _ => {}
        }
    }
    Some((groups, from?))
}

/// The loop or dimension by which an operation is split as its users, which `dims` knows, are; `None` if it has other
/// users, or its parts are not parts of them.
fn batch_of(ir: &Ir, op: Op, dims: &FxHashMap<Op, usize>, n_batches: i64) -> Option<usize> {
    if ir.results(op).is_empty() || !ir.is_memory_effect_free(op) {
        return None;
    }
    let mut wanted = Vec::new();
    for &result in ir.results(op) {
        if ir.has_no_uses(result) {
            return None;
        }
        let mut place = None;
        for user in ir.uses(result) {
            let &dim = dims.get(&user.op)?;
            let at = match interface::is_structured(ir, user.op) {
                true => {
                    let maps = interface::indexing_maps(ir, user.op);
                    place_of(maps.get(user.index as usize)?, dim).ok()??
                }
                false => reshaped(ir, user.op, dim)?.1,
            };
            if *place.get_or_insert(at) != at {
                return None;
            }
        }
        wanted.push(place?);
    }
    let shape_fits = |value: Value, place: usize| {
        let shape = interface::shape(ir, value);
        !shape.contains(&DYNAMIC) && shape.get(place) == Some(&n_batches)
    };
    if ir
        .results(op)
        .iter()
        .zip(&wanted)
        .any(|(&v, &place)| !shape_fits(v, place))
    {
        return None;
    }
    if ir.is(op, &tensor::EMPTY) {
        return Some(wanted[0]);
    }
    if reshaped(ir, op, wanted[0]).is_some() {
        return Some(wanted[0]);
    }
    if !interface::is_structured(ir, op) || !is_on_tensors(ir, op) {
        return None;
    }
    let maps = interface::indexing_maps(ir, op);
    let n_inputs = interface::n_inputs(ir, op);
    if maps.len() != ir.operands(op).len() {
        return None;
    }
    let mut batch = None;
    for (map, &place) in maps[n_inputs..].iter().zip(&wanted) {
        let Some(AffineExpr::Dim(dim)) = map.results.get(place) else {
            return None;
        };
        let dim = *dim as usize;
        if *batch.get_or_insert(dim) != dim {
            return None;
        }
    }
    let batch = batch?;
    let is_parallel = interface::iterator_types(ir, op).get(batch) == Some(&IteratorType::Parallel);
    let is_cut = maps.iter().all(|map| place_of(map, batch).is_ok());
    (is_parallel && is_cut).then_some(batch)
}
