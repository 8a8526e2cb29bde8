//! `linalg-bubble-up-slices`: of elementwise operations on tensors of which only slices are read, the slices are computed.
//!
//! Before, as JAX's `x[..., 0]` and `jnp.split` leave it:
//! ```mlir
//! %s = linalg.generic {...} ins(%a, %b : tensor<64x2xf32>, tensor<64x2xf32>) ... -> tensor<64x2xf32>
//! %x = tensor.extract_slice %s[0, 0] [64, 1] [1, 1] : tensor<64x2xf32> to tensor<64x1xf32>
//! %y = tensor.extract_slice %s[0, 1] [64, 1] [1, 1] : tensor<64x2xf32> to tensor<64x1xf32>
//! ```
//! After:
//! ```mlir
//! %a0 = tensor.extract_slice %a[0, 0] [64, 1] [1, 1] : tensor<64x2xf32> to tensor<64x1xf32>
//! %b0 = tensor.extract_slice %b[0, 0] [64, 1] [1, 1] : tensor<64x2xf32> to tensor<64x1xf32>
//! %x = linalg.generic {...} ins(%a0, %b0 : tensor<64x1xf32>, tensor<64x1xf32>) ... -> tensor<64x1xf32>
//! ... %y of %a1 and %b1 ...
//! ```
//! The slices can then become part of what uses them, and the whole is never in memory. Slices of a concatenation become
//! those of its parts, where nothing needs all of it. A reduction along the dimension that rows were concatenated in, as
//! `jnp.all(jnp.stack(rows) == x, 0)` has it, becomes an elementwise operation on slices, in the same order.
//!
//! All slices together have at most as many elements as the whole, and all are in its block; so no more is computed
//! than before. Of a slice, something elementwise is computed, directly or behind reshapes: a contraction would read it
//! from memory anyway.

use freehold_frontend::dialects::linalg::attributes::IteratorType;
use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::memref::{MixedIndex, OffsetSizeStride};
use freehold_frontend::dialects::{arith, linalg, tensor};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::attrs::{Attr, AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::cloning::IrMap;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::DYNAMIC;
use rustc_hash::FxHashMap;

use super::results::is_on_tensors;
use crate::analysis::contraction::adds_up_products;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::structured::{replace_loop_counters, replaced_counter};
use crate::rewrite::tensors;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "linalg-bubble-up-slices",
    summary: "compute slices of elementwise operations where nothing needs the whole",
    anchor: Anchor::Function,
    run,
};

/// The largest number of slices of one operation, which is there as often then, and of rows of a reduction: bounds the
/// code. Gates of recurrent nets are four (`lstm`, benches/models), the neighbours of a pixel nine.
const MAX_SLICES: usize = 16;

/// The largest number of operations in the body of what becomes several slices: bounds the code. Not measured.
const MAX_OPS: usize = 100;

/// The largest number of slices that may be at the same places: bounds compile time. Not measured.
const MAX_USES: usize = 64;

/// How many parts of a concatenation are looked at for a slice: bounds compile time. Not measured.
const MAX_PARTS: usize = 16;

/// How many reshapes and slices one behind the other are looked through. Not measured: JAX leaves one or two.
const MAX_STEPS: u32 = 4;

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let mut n_slices = 0;
    // Users first: their slices are further uses of what comes before.
    for op in ir.collect_ops(ir.root()).into_iter().rev() {
        if ir.is_erased(op) {
            continue;
        }
        if ir.is(op, &tensor::INSERT_SLICE) {
            n_slices += read_parts(ir, op);
        } else if let Some(reduction) = RowReduction::of(ir, op) {
            n_slices += reduction.read_rows(ir);
        } else if let Some(whole) = Whole::of(ir, op) {
            n_slices += whole.compute_slices(ir);
        }
    }
    context.count("slices", n_slices);
    Ok(())
}

/// A slice of known size and place, without gaps.
struct Slice {
    op: Op,
    place: Place,
}

/// Where a slice is.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Place {
    offsets: Vec<i64>,
    sizes: Vec<i64>,
}

impl Slice {
    fn of(ir: &Ir, op: Op) -> Option<Self> {
        if !ir.is(op, &tensor::EXTRACT_SLICE) {
            return None;
        }
        let place = Place::of(ir, op)?;
        is_plain(ir, ir.result(op, 0), &place.sizes).then_some(Self { op, place })
    }
}

impl Place {
    /// That of a slice which is read or inserted, if it is known and without gaps.
    fn of(ir: &Ir, op: Op) -> Option<Self> {
        let lists = OffsetSizeStride::of(ir, op)?;
        let known = |list: &[MixedIndex]| -> Option<Vec<i64>> {
            list.iter().map(|index| index.constant(ir)).collect()
        };
        let mut strides = known(&lists.strides)?.into_iter();
        let place = Self {
            offsets: known(&lists.offsets)?,
            sizes: known(&lists.sizes)?,
        };
        strides.all(|stride| stride == 1).then_some(place)
    }

    fn n_elements(&self) -> Option<i64> {
        n_elements(&self.sizes)
    }
}

/// Whether the type of a tensor says nothing but these sizes.
fn is_plain(ir: &Ir, tensor: Value, sizes: &[i64]) -> bool {
    let element = interface::element_type(ir, tensor);
    ir.value_type(tensor) == tensors::tensor_type(ir.context(), sizes, element)
}

fn n_elements(sizes: &[i64]) -> Option<i64> {
    let mut sizes = sizes.iter();
    sizes.try_fold(1i64, |all, &size| all.checked_mul(size))
}

/// An elementwise operation of whose result nothing but slices is needed.
struct Whole {
    op: Op,
    maps: Vec<AffineMap>,
    /// Which loop goes through each dimension of the result.
    loops: Vec<usize>,
    slices: Vec<Slice>,
    /// Of the slices, each once.
    places: Vec<Place>,
}

impl Whole {
    fn of(ir: &Ir, op: Op) -> Option<Self> {
        static ELEMENTWISE: [&OpDef; 3] = [&linalg::GENERIC, &linalg::TRANSPOSE, &linalg::FILL];
        let is_elementwise = ELEMENTWISE.iter().any(|def| ir.is(op, def))
            && is_on_tensors(ir, op)
            && ir.results(op).len() == 1
            && ir.is_memory_effect_free(op);
        if !is_elementwise {
            return None;
        }
        let body = interface::body(ir, op)?;
        let n_inputs = interface::n_inputs(ir, op);
        let maps = interface::indexing_maps(ir, op);
        let written = maps.get(n_inputs).filter(|_| maps.len() == n_inputs + 1)?;
        let read = || maps[..n_inputs].iter().flat_map(|map| &map.results);
        let is_simple = |result: &AffineExpr| match result {
            AffineExpr::Dim(_) => true,
            AffineExpr::Constant(at) => *at == 0,
            _ => false,
        };
        let result = ir.result(op, 0);
        let sizes = interface::shape(ir, result);
        let is_parallel = interface::iterator_types(ir, op)
            .into_iter()
            .all(|kind| kind == IteratorType::Parallel);
        let is_known = is_parallel
            && written.is_permutation()
            && read().all(is_simple)
            && !sizes.contains(&DYNAMIC)
            && ir.has_no_uses(ir.block_args(body)[n_inputs]);
        let uses = ir.uses(result);
        if !is_known || uses.is_empty() || uses.len() > ir.capped(MAX_USES) {
            return None;
        }
        let block = ir.block_of(op);
        let slices: Vec<Slice> = (uses.iter())
            .map(|user| Slice::of(ir, user.op).filter(|slice| ir.block_of(slice.op) == block))
            .collect::<Option<_>>()?;
        let mut places: Vec<Place> = Vec::new();
        for slice in &slices {
            if !places.contains(&slice.place) {
                places.push(slice.place.clone());
            }
        }
        let mut parts = places.iter();
        let n_read = parts.try_fold(0i64, |all, part| all.checked_add(part.n_elements()?))?;
        let is_worth_it = n_read <= n_elements(sizes)?
            && places.len() <= ir.capped(MAX_SLICES)
            && (places.len() == 1 || ir.ops_in(body).count() <= ir.capped(MAX_OPS))
            && slices.iter().all(|slice| {
                is_read_by_elementwise(ir, ir.result(slice.op, 0), ir.capped(MAX_STEPS))
            });
        if !is_worth_it {
            return None;
        }
        let loops = written.results.iter().map(|result| match result {
            AffineExpr::Dim(dim) => Some(*dim as usize),
            _ => None,
        });
        Some(Self {
            op,
            loops: loops.collect::<Option<_>>()?,
            maps,
            slices,
            places,
        })
    }

    /// Replaces the slices by what computes them; returns how many.
    fn compute_slices(self, ir: &mut Ir) -> u64 {
        for place in &self.places {
            let computed = self.computed(ir, place);
            for slice in self.slices.iter().filter(|slice| slice.place == *place) {
                ir.replace_op(slice.op, &[computed]);
            }
        }
        ir.erase_op(self.op);
        self.places.len() as u64
    }

    fn computed(&self, ir: &mut Ir, place: &Place) -> Value {
        let n_loops = self.loops.len();
        let (mut offsets, mut sizes) = (vec![0; n_loops], vec![0; n_loops]);
        for (dim, &counter) in self.loops.iter().enumerate() {
            offsets[counter] = place.offsets[dim];
            sizes[counter] = place.sizes[dim];
        }
        let inputs = interface::inputs(ir, self.op).to_vec();
        let loc = ir.loc(self.op);
        let mut builder = Builder::before(ir, self.op);
        builder.set_loc(loc);
        let mut parts = FxHashMap::default();
        let mut operands = Vec::new();
        for (&input, read) in inputs.iter().zip(&self.maps) {
            let place = |result: &AffineExpr| match result {
                AffineExpr::Dim(dim) => (offsets[*dim as usize], sizes[*dim as usize]),
                _ => (0, 1),
            };
            let (offsets, sizes): (Vec<i64>, Vec<i64>) = read.results.iter().map(place).unzip();
            let place = Place { offsets, sizes };
            let part = parts.entry((input, place.clone()));
            operands.push(*part.or_insert_with(|| part_of(&mut builder, input, &place)));
        }
        let element =
            interface::element_type(builder.ir, interface::outputs(builder.ir, self.op)[0]);
        let ty = tensors::tensor_type(&builder.context(), &place.sizes, element);
        operands.push(tensors::empty(&mut builder, ty));
        let copy = builder.ir.clone_op(self.op, &mut IrMap::default());
        builder.insert(copy);
        for (index, operand) in operands.into_iter().enumerate() {
            builder.ir.set_operand(copy, index, operand);
        }
        let computed = builder.ir.result(copy, 0);
        builder.ir.set_value_type(computed, ty);
        if let Some(body) = interface::body(builder.ir, copy)
            && let Some(end) = builder.ir.terminator(body)
        {
            let counters: Vec<AffineExpr> = (0..n_loops)
                .map(|dim| AffineExpr::Dim(dim as u32).add(AffineExpr::Constant(offsets[dim])))
                .collect();
            replace_loop_counters(builder.ir, body, end, &counters, n_loops);
        }
        computed
    }
}

/// The slice of a tensor at this place, if it is not all of it. A scalar is for all places.
fn part_of(builder: &mut Builder<'_>, whole: Value, place: &Place) -> Value {
    if place.sizes.is_empty() || interface::shape(builder.ir, whole) == place.sizes {
        return whole;
    }
    if let Some(splat) = splat_of(builder.ir, whole, &place.sizes) {
        return arith::constant_attr(builder, splat);
    }
    let offsets = place.offsets.iter().copied().map(MixedIndex::Constant);
    let strides = vec![1; place.sizes.len()];
    tensors::slice(builder, whole, offsets.collect(), &place.sizes, &strides)
}

/// The constant of these sizes, if a tensor is one whose elements are all the same.
fn splat_of(ir: &Ir, whole: Value, sizes: &[i64]) -> Option<Attr> {
    let context = ir.context();
    let constant = arith::as_constant_attr(ir, whole)?;
    let AttrKind::DenseElements(dense) = context.attr_kind(constant) else {
        return None;
    };
    let element = context.element_type_or_self(dense.ty);
    let part = DenseElements {
        ty: tensors::tensor_type(context, sizes, element),
        ..dense.clone()
    };
    let is_splat = dense.splat && ir.value_type(whole) == dense.ty;
    is_splat.then(|| context.intern_attr(AttrKind::DenseElements(part)))
}

/// Whether all that uses a tensor computes with its elements one by one, directly or behind reshapes, in its block.
fn is_read_by_elementwise(ir: &Ir, value: Value, steps: u32) -> bool {
    static MOVES: [&OpDef; 4] = [
        &tensor::COLLAPSE_SHAPE,
        &tensor::EXPAND_SHAPE,
        &tensor::EXTRACT_SLICE,
        &linalg::TRANSPOSE,
    ];
    let block = ir.value_block(value);
    let mut uses = ir.uses(value).iter();
    !ir.has_no_uses(value)
        && uses.all(|user| {
            let op = user.op;
            let moves = MOVES.iter().any(|def| ir.is(op, def));
            ir.block_of(op) == block
                && match moves {
                    true => steps != 0 && is_read_by_elementwise(ir, ir.result(op, 0), steps - 1),
                    false => {
                        ir.is(op, &linalg::GENERIC)
                            && is_on_tensors(ir, op)
                            && !adds_up_products(ir, op)
                    }
                }
        })
}

/// A reduction along one dimension of tensors, at least one of which is computed of concatenated rows.
struct RowReduction {
    op: Op,
    body: Block,
    maps: Vec<AffineMap>,
    /// The loop that reduces; the others are parallel.
    reduced: u32,
    n_loops: usize,
    n_rows: i64,
}

impl RowReduction {
    fn of(ir: &Ir, op: Op) -> Option<Self> {
        let is_candidate = ir.is(op, &linalg::GENERIC)
            && is_on_tensors(ir, op)
            && !adds_up_products(ir, op)
            && ir.is_memory_effect_free(op);
        if !is_candidate {
            return None;
        }
        let kinds = interface::iterator_types(ir, op);
        let n_loops = kinds.len();
        let mut reduced = (0..n_loops).filter(|&dim| kinds[dim] != IteratorType::Parallel);
        // Without parallel loops, rows are elements.
        let (Some(reduced), None, true) = (reduced.next(), reduced.next(), n_loops > 1) else {
            return None;
        };
        let reduced = u32::try_from(reduced).ok()?;
        let body = interface::body(ir, op)?;
        let maps = interface::indexing_maps(ir, op);
        let (inputs, outputs) = (interface::inputs(ir, op), interface::outputs(ir, op));
        let (read, written) = maps.split_at_checked(inputs.len())?;
        let is_reduced = |result: &AffineExpr| *result == AffineExpr::Dim(reduced);
        let is_simple =
            |result: &AffineExpr| matches!(result, AffineExpr::Dim(_) | AffineExpr::Constant(0));
        let is_written_once = |map: &AffineMap| {
            map.results.len() == n_loops - 1
                && map.is_projected_permutation()
                && !map.results.iter().any(is_reduced)
        };
        let mut rows = read.iter().zip(inputs).filter_map(|(map, &input)| {
            let dim = map.results.iter().position(is_reduced)?;
            Some((input, dim))
        });
        let (first, dim) = rows.clone().next()?;
        let n_rows = *interface::shape(ir, first).get(dim)?;
        let n_ops = ir.ops_in(body).count();
        let n_copied = n_ops.checked_mul(usize::try_from(n_rows).ok()?)?;
        let is_known = read.iter().flat_map(|map| &map.results).all(is_simple)
            && written.iter().all(is_written_once)
            && (inputs.iter().chain(outputs))
                .all(|&tensor| !interface::shape(ir, tensor).contains(&DYNAMIC))
            && { rows.clone() }.all(|(rows, _)| is_plain(ir, rows, interface::shape(ir, rows)))
            && n_rows as usize <= ir.capped(MAX_SLICES)
            && n_copied <= ir.capped(MAX_OPS)
            && ir.ops_in(body).all(|inner| ir.regions(inner).is_empty());
        let steps = ir.capped(MAX_STEPS);
        let is_found = is_known && rows.any(|(rows, dim)| is_of_rows(ir, rows, dim, steps));
        is_found.then_some(Self {
            op,
            body,
            maps,
            reduced,
            n_loops,
            n_rows,
        })
    }

    /// Replaces the reduction by an elementwise operation on slices; returns how many rows there are.
    fn read_rows(self, ir: &mut Ir) -> u64 {
        let inputs = interface::inputs(ir, self.op).to_vec();
        let outputs = interface::outputs(ir, self.op).to_vec();
        let (read, written) = self.maps.split_at(inputs.len());
        let loc = ir.loc(self.op);
        let mut builder = Builder::before(ir, self.op);
        builder.set_loc(loc);
        let mut operands = Vec::new();
        // For each row, which operands its elements are.
        let mut rows: Vec<Vec<usize>> = vec![Vec::new(); self.n_rows as usize];
        for (&input, map) in inputs.iter().zip(read) {
            let is_same = !map.results.contains(&AffineExpr::Dim(self.reduced));
            for (row, elements) in rows.iter_mut().enumerate() {
                if !is_same || row == 0 {
                    let part = self.row_of(&mut builder, input, map, row as i64);
                    operands.push((part, self.without_reduced(map)));
                }
                elements.push(operands.len() - 1);
            }
        }
        // What the results begin with is read too.
        let first = operands.len();
        let written = written.iter().map(|map| self.without_reduced(map));
        let mut empty = Vec::new();
        for (&output, map) in outputs.iter().zip(written) {
            let ty = builder.ir.value_type(output);
            operands.push((output, map.clone()));
            empty.push((tensors::empty(&mut builder, ty), map));
        }
        let n_operands = operands.len();
        let generic = tensors::Generic {
            inputs: operands,
            outputs: empty,
            parallel: &vec![true; self.n_loops - 1],
        };
        let results = generic.build(&mut builder, &mut |b, arguments| {
            let mut results = arguments[first..n_operands].to_vec();
            for (row, elements) in rows.iter().enumerate() {
                let elements = elements.iter().map(|&element| arguments[element]);
                let elements: Vec<Value> = elements.chain(results).collect();
                results = self.combined(b, row as i64, &elements);
            }
            results
        });
        ir.replace_op(self.op, &results);
        self.n_rows as u64
    }

    /// A loop's counter in the new operation, which has none for the rows.
    fn counter(&self, dim: u32, row: i64) -> AffineExpr {
        match dim == self.reduced {
            true => AffineExpr::Constant(row),
            false => AffineExpr::Dim(dim - u32::from(dim > self.reduced)),
        }
    }

    /// Where a slice is read.
    fn without_reduced(&self, map: &AffineMap) -> AffineMap {
        let results = map.results.iter().map(|result| match result {
            AffineExpr::Dim(dim) => self.counter(*dim, 0),
            other => other.clone(),
        });
        tensors::map(self.n_loops - 1, results.collect())
    }

    fn row_of(&self, builder: &mut Builder<'_>, input: Value, map: &AffineMap, row: i64) -> Value {
        let shape = interface::shape(builder.ir, input);
        let dims = map.results.iter().zip(shape);
        let dims = dims.map(|(result, &size)| match result {
            AffineExpr::Dim(dim) if *dim == self.reduced => (row, 1),
            _ => (0, size),
        });
        let (offsets, sizes) = dims.unzip();
        part_of(builder, input, &Place { offsets, sizes })
    }

    /// The body for the elements of one row and what is there already; what it yields.
    fn combined(&self, builder: &mut Builder<'_>, row: i64, elements: &[Value]) -> Vec<Value> {
        let counters = (0..self.n_loops as u32).map(|dim| self.counter(dim, row));
        let counters: Vec<AffineExpr> = counters.collect();
        let mut map = IrMap::default();
        let arguments = builder.ir.block_args(self.body).iter().copied();
        map.values.extend(arguments.zip(elements.iter().copied()));
        let Some(end) = builder.ir.terminator(self.body) else {
            return Vec::new();
        };
        for op in builder.ir.ops_in(self.body).collect::<Vec<_>>() {
            if builder.ir.is(op, &linalg::INDEX)
                && let Some(at) = replaced_counter(builder, op, &counters, self.n_loops - 1)
            {
                map.values.insert(builder.ir.result(op, 0), at);
            } else if op != end {
                let copy = builder.ir.clone_op(op, &mut map);
                builder.insert(copy);
            }
        }
        let yielded = builder.ir.operands(end).iter();
        yielded.map(|&value| map.value(value)).collect()
    }
}

/// Whether a tensor is concatenated of parts of size 1 in this dimension, or is computed, element by element, of one that
/// is, for one user each.
fn is_of_rows(ir: &Ir, tensor: Value, dim: usize, steps: u32) -> bool {
    let Some(op) = ir
        .defining_op(tensor)
        .filter(|_| ir.uses(tensor).len() == 1)
    else {
        return false;
    };
    if ir.is(op, &tensor::INSERT_SLICE) {
        return is_concatenated_of_rows(ir, op, dim);
    }
    if steps == 0 || !ir.is(op, &linalg::GENERIC) || !is_on_tensors(ir, op) {
        return false;
    }
    let inputs = interface::inputs(ir, op);
    let maps = interface::indexing_maps(ir, op);
    let counter = maps.get(inputs.len()).and_then(|map| map.results.get(dim));
    let is_elementwise = interface::iterator_types(ir, op)
        .into_iter()
        .all(|kind| kind == IteratorType::Parallel);
    let Some(counter) = counter.filter(|_| is_elementwise && maps.len() == inputs.len() + 1) else {
        return false;
    };
    inputs.iter().zip(&maps).any(|(&input, map)| {
        let dim = map.results.iter().position(|result| result == counter);
        dim.is_some_and(|dim| is_of_rows(ir, input, dim, steps - 1))
    })
}

/// Whether as many parts as there are rows were put together up to `insert`, and each is one in this dimension.
fn is_concatenated_of_rows(ir: &Ir, insert: Op, dim: usize) -> bool {
    let shape = interface::shape(ir, ir.result(insert, 0));
    let mut part = Some(insert);
    (0..shape[dim]).all(|_| {
        let Some(op) = part else { return false };
        part = ir.defined_by(ir.operand(op, 1), &tensor::INSERT_SLICE);
        Place::of(ir, op).is_some_and(|place| {
            let mut dims = place.sizes.iter().zip(shape).enumerate();
            dims.all(|(other, (&size, &all))| size == if other == dim { 1 } else { all })
        })
    })
}

/// Replaces slices of a concatenation, whose last part `insert` puts in its place, by those of its parts, if nothing else
/// is needed of it; returns how many.
fn read_parts(ir: &mut Ir, insert: Op) -> u64 {
    let uses = ir.uses(ir.result(insert, 0)).iter();
    let slices: Option<Vec<Slice>> = uses.map(|user| Slice::of(ir, user.op)).collect();
    let slices = slices.filter(|slices| !slices.is_empty());
    let Some(slices) = slices else {
        return 0;
    };
    let parts: Option<Vec<(Value, Place)>> = (slices.iter())
        .map(|slice| part_with(ir, insert, slice))
        .collect();
    let Some(parts) = parts else {
        return 0;
    };
    for (slice, (part, place)) in slices.iter().zip(parts) {
        let mut builder = Builder::before(ir, slice.op);
        let part = part_of(&mut builder, part, &place);
        ir.replace_op(slice.op, &[part]);
    }
    let mut unused = Some(insert);
    while let Some(op) = unused.filter(|&op| ir.is_unused(op)) {
        let before = ir.operand(op, 1);
        ir.erase_op(op);
        unused = ir.defined_by(before, &tensor::INSERT_SLICE);
    }
    slices.len() as u64
}

/// The part of a concatenation that a slice of it is from, and its place there.
fn part_with(ir: &Ir, mut insert: Op, slice: &Slice) -> Option<(Value, Place)> {
    for _ in 0..ir.capped(MAX_PARTS) {
        let Place { offsets, sizes } = Place::of(ir, insert)?;
        let part = ir.operand(insert, 0);
        if !is_plain(ir, part, &sizes) {
            return None;
        }
        let wanted = slice.place.offsets.iter().zip(&offsets);
        let inside = Place {
            offsets: wanted.map(|(at, offset)| at - offset).collect(),
            sizes: slice.place.sizes.clone(),
        };
        let dims = || inside.offsets.iter().zip(&inside.sizes).zip(&sizes);
        if dims().all(|((&at, &n), &size)| at >= 0 && at + n <= size) {
            return Some((part, inside));
        }
        if !dims().any(|((&at, &n), &size)| at >= size || at + n <= 0) {
            return None;
        }
        insert = ir.defined_by(ir.operand(insert, 1), &tensor::INSERT_SLICE)?;
    }
    None
}
