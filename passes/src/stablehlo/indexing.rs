//! Operations whose indices are data: gathers, scatters and their kind.
//!
//! A gather of any kind is one `linalg.generic` that reads an index as an input, clamps it and extracts an element. It
//! fuses with what computes the indices and what uses the result; where slices are contiguous its inner loop is a copy,
//! as the index does not change in it.
//!
//! A scatter is a nest of loops: over the indices, one at a time and in order, and over the window of each. Windows are
//! compared with the tensor before they are entered, so the inner loops have no branches, and work in place. One window at a
//! place that is known, as JAX has for `x.at[1:].add(y)`, is a slice that is computed and inserted again.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::dialects::stablehlo::attributes::{GatherDimensions, ScatterDimensions};
use freehold_frontend::dialects::stablehlo::indexing;
use freehold_frontend::dialects::stablehlo::windows::{WindowDimension, WindowNames, window};
use freehold_frontend::dialects::{arith, tensor};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, Signedness, Type, TypeKind};

use super::body::Body;
use super::build::{
    Generic, as_signless, at, element, empty_like, extract, fill, insert_slice, map, reshape,
    shape, signless, size, sizes, slice,
};
use super::loops::{guarded, loops};
use super::products::{numbers_of, zeros};
use super::requirements;
use super::stablehlo_legalize_to_linalg::{Row, Unsupported};
use crate::rewrite::sizes::{Sizes, c};
use crate::rewrite::structured::loop_counter;

pub(super) const ROWS: &[Row] = &[
    (&indexing::DYNAMIC_GATHER, gather),
    (&indexing::GATHER, gather),
    (&indexing::SCATTER, scatter),
    (&indexing::SELECT_AND_SCATTER, select_and_scatter),
    (&indexing::TORCH_INDEX_SELECT, torch_index_select),
];

/// A tensor of indices, with signless elements.
struct Indices {
    tensor: Value,
    is_unsigned: bool,
}

impl Indices {
    fn of(b: &mut Builder<'_>, tensor: Value) -> Self {
        let is_unsigned = matches!(
            b.ir.context().type_kind(element(b.ir, tensor)),
            TypeKind::Integer {
                signedness: Signedness::Unsigned,
                ..
            }
        );
        Self {
            tensor: as_signless(b, tensor),
            is_unsigned,
        }
    }

    /// An element as a number of type index.
    fn as_index(&self, b: &mut Builder<'_>, element: Value) -> Value {
        match (b.ir.value_type(element), self.is_unsigned) {
            (Type::INDEX, _) => element,
            (_, true) => b.value(&arith::INDEX_CASTUI, &[element], Type::INDEX),
            (_, false) => b.value(&arith::INDEX_CAST, &[element], Type::INDEX),
        }
    }

    /// The number between zero and `last` that an element is nearest to.
    fn clamped(&self, b: &mut Builder<'_>, element: Value, last: Value) -> Value {
        let index = self.as_index(b, element);
        if self.is_unsigned {
            return b.value(&arith::MINUI, &[index, last], Type::INDEX);
        }
        let zero = arith::constant_index(b, 0);
        let index = b.value(&arith::MAXSI, &[index, zero], Type::INDEX);
        b.value(&arith::MINSI, &[index, last], Type::INDEX)
    }
}

/// Where slices lie in a tensor: for each of its dimensions, what a position in it is the sum of.
struct Places {
    /// The part of an index that slices begin at.
    parts: Vec<Option<usize>>,
    /// The dimension, of those that count slices, that it goes along with.
    batches: Vec<Option<usize>>,
    /// The dimension, of the tensor of slices, that counts positions in a slice.
    windows: Vec<Option<usize>>,
    /// The dimensions of the tensor of slices that count slices.
    counting: Vec<usize>,
    /// Where the parts of an index lie in the tensor of indices; `None` if it has no dimension for them.
    index_dim: Option<usize>,
}

impl Places {
    /// Of a tensor of `rank`, slices of `slices_rank` in all and indices of `indices_rank`.
    fn new(dims: &ScatterDimensions, rank: usize, slices_rank: usize, indices_rank: usize) -> Self {
        let contains = |list: &[i64], dim: usize| list.contains(&(dim as i64));
        let part = |dim: usize| {
            let mut map = dims.scatter_dims_to_operand_dims.iter();
            map.position(|&other| other == dim as i64)
        };
        let batch = |dim: usize| {
            let at = dims
                .input_batching_dims
                .iter()
                .position(|&other| other == dim as i64)?;
            let of_indices = *dims.scatter_indices_batching_dims.get(at)?;
            Some((of_indices - i64::from(of_indices > dims.index_vector_dim)) as usize)
        };
        let mut windows = dims.update_window_dims.iter().map(|&dim| dim as usize);
        let window = |dim: usize| {
            let is_dropped = contains(&dims.inserted_window_dims, dim)
                || contains(&dims.input_batching_dims, dim);
            match is_dropped {
                true => None,
                false => windows.next(),
            }
        };
        let index_dim = dims.index_vector_dim as usize;
        Self {
            parts: (0..rank).map(part).collect(),
            batches: (0..rank).map(batch).collect(),
            windows: (0..rank).map(window).collect(),
            counting: (0..slices_rank)
                .filter(|&dim| !contains(&dims.update_window_dims, dim))
                .collect(),
            index_dim: (index_dim < indices_rank).then_some(index_dim),
        }
    }

    /// The dimensions of the tensor of slices that each dimension of the indices goes along with; `None` for the one
    /// along which the parts of an index lie.
    fn index_dims(&self) -> Vec<Option<usize>> {
        let mut dims: Vec<_> = self.counting.iter().map(|&dim| Some(dim)).collect();
        if let Some(at) = self.index_dim {
            dims.insert(at, None);
        }
        dims
    }
}

/// A dimension of a tensor that elements are read from.
#[derive(Default)]
struct Read {
    /// Where slices begin: the map of the reads of the indices, and the last position where a slice ends within
    /// the tensor.
    start: Option<(AffineMap, MixedIndex)>,
    /// Loops whose variables are added.
    along: Vec<usize>,
}

/// Extracts each element of `out`.
fn extracted(
    b: &mut Builder<'_>,
    source: Value,
    indices: &Indices,
    reads: &[Read],
    out: Value,
) -> Value {
    let rank = shape(b.ir, out).len();
    // A slice of the size of the tensor begins at zero.
    let starts: Vec<_> = (reads.iter())
        .map(|read| match &read.start {
            Some((_, MixedIndex::Constant(0))) | None => None,
            Some((map, MixedIndex::Constant(last))) => {
                Some((map.clone(), arith::constant_index(b, *last)))
            }
            Some((map, MixedIndex::Value(last))) => Some((map.clone(), *last)),
        })
        .collect();
    let inputs = starts
        .iter()
        .flatten()
        .map(|(map, _)| (indices.tensor, map.clone()));
    let generic = Generic {
        inputs: inputs.collect(),
        outputs: vec![(out, AffineMap::identity(rank))],
        parallel: &vec![true; rank],
    };
    let results = generic.build(b, &mut |b, elements| {
        let mut elements = elements.iter();
        let mut position = Vec::new();
        for (read, start) in reads.iter().zip(&starts) {
            let mut at = None;
            if let Some((_, last)) = start
                && let Some(&element) = elements.next()
            {
                at = Some(indices.clamped(b, element, *last));
            }
            for &dim in &read.along {
                let counter = loop_counter(b, dim);
                at = Some(sum(b, at, counter));
            }
            position.push(at.unwrap_or_else(|| arith::constant_index(b, 0)));
        }
        vec![extract(b, source, &position)]
    });
    results[0]
}

fn sum(b: &mut Builder<'_>, before: Option<Value>, more: Value) -> Value {
    match before {
        Some(before) => b.value(&arith::ADDI, &[before, more], Type::INDEX),
        None => more,
    }
}

/// The lowering of `gather` and `dynamic_gather`.
fn gather(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    let context = b.context();
    let dims = b.ir.attr(op, Name::DIMENSION_NUMBERS);
    let dims = dims.and_then(|attr| GatherDimensions::from_attr(&context, attr));
    let dims = dims.ok_or("it has no dimension numbers")?;
    let dims = ScatterDimensions {
        update_window_dims: dims.offset_dims,
        inserted_window_dims: dims.collapsed_slice_dims,
        input_batching_dims: dims.operand_batching_dims,
        scatter_indices_batching_dims: dims.start_indices_batching_dims,
        scatter_dims_to_operand_dims: dims.start_index_map,
        index_vector_dim: dims.index_vector_dim,
    };
    let operand = b.ir.operand(op, 0);
    let source = as_signless(b, operand);
    let operand = b.ir.operand(op, 1);
    let indices = Indices::of(b, operand);
    let source_shape = shape(b.ir, source);
    let rank = source_shape.len();
    let result = b.ir.result(op, 0);
    let ty = signless(&context, b.ir.value_type(result));
    let result_shape = shape(b.ir, result);
    let n_loops = result_shape.len();
    let places = Places::new(&dims, rank, n_loops, shape(b.ir, indices.tensor).len());

    let known_sizes = b.ir.attr(op, Name::SLICE_SIZES);
    let known_sizes = known_sizes.and_then(|attr| context.attr_i64_array(attr));
    let slice_size = |b: &mut Builder<'_>, dim: usize| {
        if let Some(sizes) = &known_sizes {
            return MixedIndex::Constant(sizes[dim]);
        }
        if let Some(of_result) = places.windows[dim]
            && result_shape[of_result] != DYNAMIC
        {
            return MixedIndex::Constant(result_shape[of_result]);
        }
        let sizes = b.ir.operand(op, 2);
        let sizes = Indices::of(b, sizes);
        let dim = arith::constant_index(b, dim as i64);
        let size = extract(b, sizes.tensor, &[dim]);
        MixedIndex::Value(sizes.as_index(b, size))
    };
    let slice_sizes: Vec<MixedIndex> = (0..rank).map(|dim| slice_size(b, dim)).collect();
    for (dim, &slice) in slice_sizes.iter().enumerate() {
        expect_inside(b, source, dim, slice, places.windows[dim].is_some());
    }

    let index_dims = places.index_dims();
    let of_indices = sizes(b, indices.tensor);
    for (dim, &whole) in sizes(b, source).iter().enumerate() {
        let at = places.batches[dim].map(|at| places.counting[at]);
        let at = at.and_then(|at| index_dims.iter().position(|&other| other == Some(at)));
        if let Some(at) = at {
            let message =
                format!("indices of a gather have another size than batch dimension {dim}");
            requirements::equal(b, of_indices[at], whole, &message);
        }
    }
    let mut reads = Vec::new();
    for dim in 0..rank {
        let mut read = Read::default();
        if let Some(part) = places.parts[dim] {
            let results = index_dims.iter().map(|at| match at {
                Some(dim) => AffineExpr::Dim(*dim as u32),
                None => AffineExpr::Constant(part as i64),
            });
            let last = match (source_shape[dim], slice_sizes[dim]) {
                (known, MixedIndex::Constant(slice)) if known != DYNAMIC => {
                    MixedIndex::Constant(known - slice)
                }
                (_, slice) => {
                    let whole = size(b, source, dim);
                    let slice = as_value(b, slice);
                    MixedIndex::Value(b.value(&arith::SUBI, &[whole, slice], Type::INDEX))
                }
            };
            read.start = Some((map(n_loops, results.collect()), last));
        }
        read.along
            .extend(places.batches[dim].map(|at| places.counting[at]));
        read.along.extend(places.windows[dim]);
        reads.push(read);
    }

    let mut sizes = Vec::new();
    for dim in (0..n_loops).filter(|&dim| result_shape[dim] == DYNAMIC) {
        let of_slice = places.windows.iter().position(|&other| other == Some(dim));
        sizes.push(match of_slice {
            Some(source_dim) => as_value(b, slice_sizes[source_dim]),
            None => {
                let at = index_dims.iter().position(|&other| other == Some(dim));
                size(
                    b,
                    indices.tensor,
                    at.ok_or("a dimension of its result has no size")?,
                )
            }
        });
    }
    let out = b.value(&tensor::EMPTY, &sizes, ty);
    // Slices without elements in a dimension that the result does not have: there is nothing to read.
    let mut dropped = (0..rank).filter(|&dim| places.windows[dim].is_none());
    if dropped.any(|dim| slice_sizes[dim] == MixedIndex::Constant(0)) {
        return Ok(vec![zeros(b, op, out)?]);
    }
    Ok(vec![extracted(b, source, &indices, &reads, out)])
}

/// Ends the program if slices are larger than the operand along a dimension, unless both are known now and are not.
/// Slices without elements are nothing to read only where the result has the dimension, too.
fn expect_inside(
    b: &mut Builder<'_>,
    source: Value,
    dim: usize,
    slice: MixedIndex,
    may_be_empty: bool,
) {
    let whole = sizes(b, source)[dim];
    if slice == MixedIndex::Constant(0) {
        return;
    }
    let message = format!("slices of a gather are larger than dimension {dim} of its operand");
    if let MixedIndex::Value(_) = slice {
        let (least, what) = match may_be_empty {
            true => (0, "less than no"),
            false => (1, "no"),
        };
        let message = format!("slices of a gather have {what} elements in dimension {dim}");
        requirements::at_most(b, MixedIndex::Constant(least), slice, &message);
    }
    requirements::at_most(b, slice, whole, &message);
}

fn as_value(b: &mut Builder<'_>, index: MixedIndex) -> Value {
    match index {
        MixedIndex::Value(value) => value,
        MixedIndex::Constant(number) => arith::constant_index(b, number),
    }
}

/// Dimensions of the result: those of the operand in front of `dim`, those of the indices that are no batches, and the
/// others of the operand.
fn torch_index_select(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    let context = b.context();
    let operands = [b.ir.operand(op, 0), b.ir.operand(op, 1)];
    // Negative numbers count from the last dimension on.
    let number = |ir: &Ir, name, of: Value| {
        let number = i64::try_from(context.attr_integer(ir.attr(op, name)?)?).ok()?;
        let rank = shape(ir, of).len() as i64;
        usize::try_from(if number < 0 { number + rank } else { number }).ok()
    };
    let outside = "its dimensions do not belong to its operands";
    let dim = number(b.ir, Name::DIM, operands[0]).ok_or(outside)?;
    let n_batches = number(b.ir, Name::BATCH_DIMS, operands[1]).ok_or(outside)?;
    let source = as_signless(b, operands[0]);
    let indices = Indices::of(b, operands[1]);
    let source_shape = shape(b.ir, source);
    let n_index_dims = shape(b.ir, indices.tensor).len();
    let result = b.ir.result(op, 0);
    let ty = signless(&context, b.ir.value_type(result));
    let n_loops = shape(b.ir, result).len();
    let is_consistent = dim < source_shape.len()
        && n_batches <= dim.min(n_index_dims)
        && n_loops + 1 + n_batches == source_shape.len() + n_index_dims;
    if !is_consistent {
        return Err(outside.into());
    }
    // Which loop goes along a dimension of the indices, or of the operand.
    let of_index = |at: usize| {
        if at < n_batches {
            at
        } else {
            dim + at - n_batches
        }
    };
    let of_source = |at: usize| {
        if at < dim {
            at
        } else {
            at + n_index_dims - n_batches - 1
        }
    };

    let mut reads = Vec::new();
    for at in 0..source_shape.len() {
        let mut read = Read::default();
        if at != dim {
            read.along.push(of_source(at));
        } else {
            let message = "an index select has an operand without elements to select";
            let rows = self::sizes(b, source)[dim];
            if rows == MixedIndex::Constant(0) {
                return Err("it selects of no elements".into());
            }
            // Nothing is selected of nothing.
            if let (MixedIndex::Value(rows), 1..) = (rows, n_index_dims) {
                let mut any = arith::constant_index(b, 1);
                for dim in 0..n_index_dims {
                    let n = size(b, indices.tensor, dim);
                    any = b.value(&arith::MINSI, &[any, n], Type::INDEX);
                }
                requirements::at_most(b, any.into(), rows.into(), message);
            } else {
                requirements::at_most(b, MixedIndex::Constant(1), rows, message);
            }
            let last = match source_shape[dim] {
                DYNAMIC => {
                    let whole = size(b, source, dim);
                    let one = arith::constant_index(b, 1);
                    MixedIndex::Value(b.value(&arith::SUBI, &[whole, one], Type::INDEX))
                }
                known => MixedIndex::Constant(known - 1),
            };
            let results = (0..n_index_dims).map(|at| AffineExpr::Dim(of_index(at) as u32));
            read.start = Some((map(n_loops, results.collect()), last));
        }
        reads.push(read);
    }
    let mut sizes = Vec::new();
    for (at, &known) in shape(b.ir, result).iter().enumerate() {
        if known == DYNAMIC {
            let of_operand =
                (0..source_shape.len()).find(|&dim_of| dim_of != dim && of_source(dim_of) == at);
            sizes.push(match of_operand {
                Some(dim) => size(b, source, dim),
                None => size(b, indices.tensor, at - dim + n_batches),
            });
        }
    }
    let out = b.value(&tensor::EMPTY, &sizes, ty);
    Ok(vec![extracted(b, source, &indices, &reads, out)])
}

fn signless_operands(b: &mut Builder<'_>, operands: &[Value]) -> Vec<Value> {
    operands
        .iter()
        .map(|&operand| as_signless(b, operand))
        .collect()
}

/// Where a window lies along a dimension.
enum Extent {
    /// One position in the tensor.
    One(Value),
    /// As many positions as the window has, from where it begins.
    Many { start: Option<Value>, size: Value },
}

/// The only window of a scatter, of several elements, at a place that is known.
struct KnownWindow {
    /// Where it begins in each dimension of the tensor.
    starts: Vec<i64>,
    /// Its size there.
    sizes: Vec<i64>,
    is_within: bool,
}

impl KnownWindow {
    fn of(
        b: &mut Builder<'_>,
        input: Value,
        update_shape: &[i64],
        indices: &Indices,
        places: &Places,
    ) -> Option<Self> {
        let whole = shape(b.ir, input);
        let attr = arith::as_constant_attr(b.ir, indices.tensor)?;
        let numbers = numbers_of(&b.context(), attr)?;
        let starts = places.parts.iter().map(|part| match part {
            Some(part) => numbers.get(*part).copied(),
            None => Some(0),
        });
        let starts: Vec<i64> = starts.collect::<Option<_>>()?;
        let sizes = (places.windows.iter()).map(|window| window.map_or(1, |dim| update_shape[dim]));
        let sizes: Vec<i64> = sizes.collect();
        let is_one = (places.counting.iter()).all(|&dim| update_shape[dim] == 1);
        if whole.contains(&DYNAMIC) || sizes.contains(&DYNAMIC) {
            return None;
        }
        let n: i64 = sizes.iter().product();
        let mut extents = starts.iter().zip(&sizes).zip(&whole);
        let is_within =
            extents.all(|((&start, &size), &whole)| (0..=whole - size).contains(&start));
        (is_one && n > 1).then_some(Self {
            starts,
            sizes,
            is_within,
        })
    }

    fn update(
        self,
        b: &mut Builder<'_>,
        inputs: &[Value],
        updates: &[Value],
        body: &Body,
    ) -> Result<Vec<Value>, Unsupported> {
        if !self.is_within {
            return Ok(inputs.to_vec());
        }
        let rank = self.sizes.len();
        let ones = vec![1; rank];
        let identity = || AffineMap::identity(rank);
        let updates: Vec<Value> = (updates.iter())
            .map(|&update| reshape(b, update, &self.sizes))
            .collect();
        let new = match body.replaces(b.ir) {
            true => updates,
            false => {
                let old = inputs.iter().map(|&input| {
                    (
                        slice(b, input, at(&self.starts), &self.sizes, &ones),
                        identity(),
                    )
                });
                let generic = Generic {
                    outputs: old.collect(),
                    inputs: updates
                        .into_iter()
                        .map(|update| (update, identity()))
                        .collect(),
                    parallel: &vec![true; rank],
                };
                body.build(b, generic, &|elements| {
                    let (updates, old) = elements.split_at(inputs.len());
                    [old, updates].concat()
                })?
            }
        };
        let inserted = new.iter().zip(inputs);
        Ok(inserted
            .map(|(&new, &input)| insert_slice(b, new, input, at(&self.starts), &ones))
            .collect())
    }
}

/// Windows that are not within the tensor as a whole change nothing, as XLA has it. The specification would drop only
/// those elements that are outside.
fn scatter(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    let context = b.context();
    let dims = b.ir.attr(op, Name::SCATTER_DIMENSION_NUMBERS);
    let dims = dims.and_then(|attr| ScatterDimensions::from_attr(&context, attr));
    let dims = dims.ok_or("it has no dimension numbers")?;
    let [inputs, indices, updates] = [0, 1, 2].map(|group| b.ir.operand_group(op, group).to_vec());
    expect_own_elements(b.ir, op)?;
    let inputs = signless_operands(b, &inputs);
    let updates = signless_operands(b, &updates);
    let indices = Indices::of(b, indices[0]);
    let region = b.ir.region(op, 0);
    let block = b.ir.entry_block(region).ok_or("it has no body")?;
    let body = Body::prepare(b, block)?;

    let update_shape = shape(b.ir, updates[0]);
    let rank = shape(b.ir, inputs[0]).len();
    let places = Places::new(
        &dims,
        rank,
        update_shape.len(),
        shape(b.ir, indices.tensor).len(),
    );
    if let Some(window) = KnownWindow::of(b, inputs[0], &update_shape, &indices, &places) {
        return window.update(b, &inputs, &updates, &body);
    }
    let index_dims = places.index_dims();
    requirements::same_sizes(b, &inputs, "inputs of a scatter have different sizes");
    requirements::same_sizes(b, &updates, "updates of a scatter have different sizes");
    let (of_inputs, of_updates) = (sizes(b, inputs[0]), sizes(b, updates[0]));
    for (index_size, update_dim) in sizes(b, indices.tensor).into_iter().zip(&index_dims) {
        if let Some(dim) = *update_dim {
            let message = "indices and updates of a scatter do not go together";
            requirements::equal(b, index_size, of_updates[dim], message);
        }
    }
    for (dim, &whole) in of_inputs.iter().enumerate() {
        if let Some(at) = places.batches[dim] {
            let message =
                format!("updates of a scatter have another size than batch dimension {dim}");
            requirements::equal(b, of_updates[places.counting[at]], whole, &message);
        }
        if let Some(window) = places.windows[dim] {
            let message =
                format!("windows of a scatter are larger than dimension {dim} of its operand");
            requirements::at_most(b, of_updates[window], whole, &message);
        }
    }
    let [zero, one] = [0, 1].map(|number| arith::constant_index(b, number));
    let all: Vec<[Value; 2]> = (places.counting.iter())
        .map(|&dim| [zero, size(b, updates[0], dim)])
        .collect();
    let sizes: Vec<Value> = (0..rank).map(|dim| size(b, inputs[0], dim)).collect();
    let window_sizes: Vec<Option<Value>> = (places.windows.iter())
        .map(|&window| Some(size(b, updates[0], window?)))
        .collect();

    loops(b, &all, &inputs, &mut |b, slice, carried| {
        let mut is_within: Option<Value> = None;
        let mut extents = Vec::new();
        for dim in 0..rank {
            let mut start = None;
            if let Some(part) = places.parts[dim] {
                let mut counters = slice.iter();
                let mut at = Vec::new();
                for index_dim in &index_dims {
                    at.push(match (index_dim, index_dim.and_then(|_| counters.next())) {
                        (Some(_), Some(&counter)) => counter,
                        _ => arith::constant_index(b, part as i64),
                    });
                }
                let element = extract(b, indices.tensor, &at);
                start = Some(indices.as_index(b, element));
            }
            let indexed = start.is_some();
            if let Some(batch) = places.batches[dim] {
                start = Some(sum(b, start, slice[batch]));
            }
            let is_one = places.windows[dim].is_none_or(|window| update_shape[window] == 1);
            let size = window_sizes[dim].filter(|_| !is_one);
            if let (true, Some(start)) = (indexed, start) {
                // Places where a window may begin. A negative one is a large one without sign.
                let places = match size {
                    Some(window) => {
                        let last = b.value(&arith::SUBI, &[sizes[dim], window], Type::INDEX);
                        b.value(&arith::ADDI, &[last, one], Type::INDEX)
                    }
                    None => sizes[dim],
                };
                let condition = arith::compare(b, CmpIPredicate::Ult, start, places);
                is_within = Some(match is_within {
                    Some(others) => b.value(&arith::ANDI, &[others, condition], Type::I1),
                    None => condition,
                });
            }
            extents.push(match size {
                Some(size) => Extent::Many { start, size },
                None => Extent::One(start.unwrap_or(zero)),
            });
        }
        let ranges: Vec<[Value; 2]> = (extents.iter())
            .filter_map(|extent| match extent {
                Extent::Many { size, .. } => Some([zero, *size]),
                Extent::One(_) => None,
            })
            .collect();
        let mut combine = |b: &mut Builder<'_>| {
            loops(b, &ranges, carried, &mut |b, window, carried| {
                let mut offsets = window.iter();
                let mut to = Vec::new();
                let mut from = vec![zero; update_shape.len()];
                for (&dim, &counter) in places.counting.iter().zip(slice) {
                    from[dim] = counter;
                }
                for (extent, window_dim) in extents.iter().zip(&places.windows) {
                    to.push(match (extent, window_dim) {
                        (Extent::Many { start, .. }, Some(window_dim)) => {
                            let offset = *offsets.next().expect("each range has a loop");
                            from[*window_dim] = offset;
                            sum(b, *start, offset)
                        }
                        (Extent::Many { .. }, None) => zero,
                        (Extent::One(at), _) => *at,
                    });
                }
                let mut arguments: Vec<Value> = carried
                    .iter()
                    .map(|&tensor| extract(b, tensor, &to))
                    .collect();
                arguments.extend(updates.iter().map(|&tensor| extract(b, tensor, &from)));
                let values = body.inline(b, &arguments)?;
                Ok(values
                    .iter()
                    .zip(carried)
                    .map(|(&value, &tensor)| insert(b, value, tensor, &to))
                    .collect())
            })
        };
        match is_within {
            Some(condition) => guarded(b, condition, carried, &mut combine),
            None => combine(b),
        }
    })
}

/// The tensor with another element.
fn insert(b: &mut Builder<'_>, value: Value, tensor: Value, indices: &[Value]) -> Value {
    let ty = b.ir.value_type(tensor);
    let operands = [&[value, tensor], indices].concat();
    b.value(&tensor::INSERT, &operands, ty)
}

/// For each element of the source, a loop over a window of the operand finds where it belongs.
/// Fails if bodies compute in wider elements than those of the operands.
fn expect_own_elements(ir: &Ir, op: Op) -> Result<(), Unsupported> {
    let element = |value: Value| ir.context().element_type_or_self(ir.value_type(value));
    let mut pairs = ir.results(op).iter().zip(ir.operands(op));
    match pairs.all(|(&result, &operand)| element(result) == element(operand)) {
        true => Ok(()),
        false => Err("it computes in wider elements than those of its operands".into()),
    }
}

/// Ends the program if the source has not an element for each window.
fn expect_windows(b: &mut Builder<'_>, operand: Value, source: Value, window: &[WindowDimension]) {
    let mut sum = Sizes::default();
    let (whole, found) = (sizes(b, operand), sizes(b, source));
    for (dim, window) in window.iter().enumerate() {
        let is_known = |size: &MixedIndex| matches!(size, MixedIndex::Constant(_));
        if is_known(&whole[dim]) && is_known(&found[dim]) {
            continue;
        }
        // From the last place of a window down to where there is none.
        let margins = window.low.saturating_add(window.high);
        let last = sum.add(b, whole[dim], c(margins.saturating_sub(window.size)));
        let last = sum.max(b, last, c(-window.stride));
        let last = sum.add(b, last, c(window.stride));
        let wanted = sum.div(b, last, c(window.stride));
        let message = format!(
            "the source of a select_and_scatter has not one element per window in dimension {dim}"
        );
        requirements::equal(b, found[dim], wanted, &message);
    }
}

fn select_and_scatter(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    expect_own_elements(b.ir, op)?;
    let context = b.context();
    let operands = b.ir.operands(op).to_vec();
    let operands = signless_operands(b, &operands);
    let &[operand, source, init] = &operands[..] else {
        return Err("it has not three operands".into());
    };
    let rank = shape(b.ir, operand).len();
    let sizes = match b.ir.attr(op, Name::WINDOW_DIMENSIONS) {
        Some(attr) => context.attr_i64_array(attr).unwrap_or_default(),
        None => vec![1; rank],
    };
    let window = window(b.ir, op, &sizes, &WindowNames::OF_SELECTION);
    let window = window.map_err(|_| "its window is malformed")?;
    let mut bodies = Vec::new();
    for index in 0..2 {
        let region = b.ir.region(op, index);
        let block = b.ir.entry_block(region).ok_or("it has no body")?;
        bodies.push(Body::prepare(b, block)?);
    }
    expect_windows(b, operand, source, &window);
    let init = extract(b, init, &[]);
    let ty = b.ir.value_type(operand);
    let out = empty_like(b, ty, operand);
    let out = fill(b, init, out);
    let zero = arith::constant_index(b, 0);
    let sizes: Vec<Value> = (0..rank).map(|dim| size(b, operand, dim)).collect();
    let all: Vec<[Value; 2]> = (0..rank).map(|dim| [zero, size(b, source, dim)]).collect();
    loops(b, &all, &[out], &mut |b, at, carried| {
        let value = extract(b, source, at);
        let mut ranges = Vec::new();
        let mut has_any: Option<Value> = None;
        for dim in 0..rank {
            let [stride, low, length] = [window[dim].stride, window[dim].low, window[dim].size]
                .map(|number| arith::constant_index(b, number));
            let start = b.value(&arith::MULI, &[at[dim], stride], Type::INDEX);
            let start = b.value(&arith::SUBI, &[start, low], Type::INDEX);
            let end = b.value(&arith::ADDI, &[start, length], Type::INDEX);
            let first = b.value(&arith::MAXSI, &[start, zero], Type::INDEX);
            let end = b.value(&arith::MINSI, &[end, sizes[dim]], Type::INDEX);
            ranges.push([first, end]);
            let is_any = arith::compare(b, CmpIPredicate::Slt, first, end);
            has_any = Some(match has_any {
                Some(others) => b.value(&arith::ANDI, &[others, is_any], Type::I1),
                None => is_any,
            });
        }
        let mut add = |b: &mut Builder<'_>| {
            // The first element is compared with itself as well; either outcome selects it.
            let mut best: Vec<Value> = ranges.iter().map(|range| range[0]).collect();
            best.push(extract(b, operand, &best));
            let best = loops(b, &ranges, &best, &mut |b, here, best| {
                let element = extract(b, operand, here);
                let stays = bodies[0].inline(b, &[best[rank], element])?[0];
                let others = here.iter().chain([&element]);
                let chosen = best.iter().zip(others).map(|(&old, &new)| {
                    let ty = b.ir.value_type(old);
                    b.value(&arith::SELECT, &[stays, old, new], ty)
                });
                Ok(chosen.collect())
            })?;
            let old = extract(b, carried[0], &best[..rank]);
            let new = bodies[1].inline(b, &[value, old])?[0];
            Ok(vec![insert(b, new, carried[0], &best[..rank])])
        };
        match has_any {
            Some(condition) => guarded(b, condition, carried, &mut add),
            None => add(b),
        }
    })
}
