//! Reductions, over dimensions and over windows, and maps.

use freehold_frontend::dialects::iree_linalg_ext;
use freehold_frontend::dialects::stablehlo::reductions as rows;
use freehold_frontend::dialects::stablehlo::windows::{WindowDimension, WindowNames, window};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, Type};

use super::build::{
    Generic, as_signless, element, elementwise, empty, empty_with, extract_scalar, fill, filled,
    map, projection, shape, signless, size, tensor_type,
};
use super::emit::Emit;
use super::moves::{list, padded, reversed};
use super::scalar::{Body, convert_scalar};
use super::stablehlo_legalize_to_linalg::{Row, Unsupported};

pub(super) const ROWS: &[Row] = &[
    (&rows::MAP, lower_map),
    (&rows::REDUCE, lower_reduce),
    (&rows::REDUCE_WINDOW, lower_reduce_window),
];

type Lowered = Result<Vec<Value>, Unsupported>;

/// The block of a region.
pub(super) fn body_of(ir: &Ir, op: Op, index: usize) -> Result<Block, Unsupported> {
    let block = ir.entry_block(ir.region(op, index));
    block.ok_or_else(|| "it has no body".into())
}

/// The types of all results, with signless elements.
fn result_types(ir: &Ir, op: Op) -> Vec<Type> {
    let results = ir.results(op).iter();
    results
        .map(|&result| signless(ir.context(), ir.value_type(result)))
        .collect()
}

/// The inputs and the elements that their reductions begin with, in the elements of the results, which may be wider.
fn inputs_and_inits(b: &mut Builder<'_>, op: Op) -> (Vec<Value>, Vec<Value>) {
    let operands = b.ir.operands(op).to_vec();
    let (inputs, inits) = operands.split_at(operands.len() / 2);
    let types = result_types(b.ir, op);
    let computed_in = |b: &Builder<'_>, i: usize| b.ir.context().element_type_or_self(types[i]);
    let promoted = |b: &mut Builder<'_>, x: Value, to: Type, is_unsigned: bool| {
        convert_scalar(&mut Emit::new(b), x, is_unsigned, to, is_unsigned).unwrap_or(x)
    };
    let is_unsigned = |b: &Builder<'_>, value: Value| {
        let context = b.ir.context();
        let ty = context.element_type_or_self(b.ir.value_type(value));
        signless(context, ty) != ty
    };
    let mut all_inputs = Vec::with_capacity(inputs.len());
    let mut all_inits = Vec::with_capacity(inputs.len());
    for (i, (&input, &init)) in inputs.iter().zip(inits).enumerate() {
        let to = computed_in(b, i);
        let is_unsigned = is_unsigned(b, input);
        let input = as_signless(b, input);
        let from = b.ir.value_type(input);
        all_inputs.push(match element(b.ir, input) == to {
            true => input,
            false => {
                let ty = b.ir.context().with_element_type(from, to);
                elementwise(b, &[input], ty, &mut |b, x| {
                    promoted(b, x[0], to, is_unsigned)
                })
            }
        });
        let init = as_signless(b, init);
        let init = extract_scalar(b, init);
        all_inits.push(promoted(b, init, to, is_unsigned));
    }
    (all_inputs, all_inits)
}

fn lower_map(b: &mut Builder<'_>, op: Op) -> Lowered {
    let block = body_of(b.ir, op, 0)?;
    let operands = b.ir.operands(op).to_vec();
    let inputs: Vec<Value> = operands
        .iter()
        .map(|&input| as_signless(b, input))
        .collect();
    let body = Body::prepare(b, block)?;
    let ty = result_types(b.ir, op)[0];
    let mut failed = None;
    let result = elementwise(
        b,
        &inputs,
        ty,
        &mut |b, elements| match body.inline(b, elements) {
            Ok(results) => results[0],
            Err(reason) => {
                failed = Some(reason);
                elements[0]
            }
        },
    );
    failed.map_or(Ok(vec![result]), Err)
}

/// Builds a reduction whose body gets the elements so far, then those that come in.
fn build_reduction(
    b: &mut Builder<'_>,
    generic: Generic<'_>,
    n: usize,
    n_others: usize,
    body: &Body,
) -> Lowered {
    let mut failed = None;
    let results = generic.build(b, &mut |b, arguments| {
        let (inputs, accumulators) = arguments.split_at(n + n_others);
        let arguments = [accumulators, &inputs[..n]].concat();
        body.inline(b, &arguments).unwrap_or_else(|reason| {
            failed = Some(reason);
            accumulators.to_vec()
        })
    });
    failed.map_or(Ok(results), Err)
}

fn lower_reduce(b: &mut Builder<'_>, op: Op) -> Lowered {
    let block = body_of(b.ir, op, 0)?;
    let dims = list(b.ir, op, Name::DIMENSIONS);
    let types = result_types(b.ir, op);
    let (inputs, inits) = inputs_and_inits(b, op);
    let rank = shape(b.ir, inputs[0]).len();
    let kept: Vec<usize> = (0..rank)
        .filter(|&dim| !dims.contains(&(dim as i64)))
        .collect();
    let body = Body::prepare(b, block)?;
    let outputs: Vec<(Value, AffineMap)> = (types.iter().zip(&inits))
        .map(|(&ty, &init)| {
            let out = empty_with(b, ty, &mut |b, dim| size(b, inputs[0], kept[dim]));
            (fill(b, init, out), projection(rank, &kept))
        })
        .collect();
    let parallel: Vec<bool> = (0..rank).map(|dim| kept.contains(&dim)).collect();
    let generic = Generic {
        inputs: inputs
            .iter()
            .map(|&input| (input, AffineMap::identity(rank)))
            .collect(),
        outputs,
        parallel: &parallel,
    };
    build_reduction(b, generic, inputs.len(), 0, &body)
}

/// The dimension along which a window sees all elements up to each one, and whether those behind it instead.
fn cumulative(window: &[WindowDimension], sizes: &[i64]) -> Option<(usize, bool)> {
    let mut found = None;
    for (dim, (window, &size)) in window.iter().zip(sizes).enumerate() {
        if window.stride != 1 || window.base_dilation != 1 || window.dilation != 1 {
            return None;
        }
        if window.size == 1 && window.low == 0 && window.high == 0 {
            continue;
        }
        let is_behind = match (window.low, window.high) {
            (low, 0) if low == size - 1 => false,
            (0, high) if high == size - 1 => true,
            _ => return None,
        };
        if window.size != size || found.is_some() {
            return None;
        }
        found = Some((dim, is_behind));
    }
    found
}

fn lower_reduce_window(b: &mut Builder<'_>, op: Op) -> Lowered {
    let block = body_of(b.ir, op, 0)?;
    let window_sizes = list(b.ir, op, Name::WINDOW_DIMENSIONS);
    let window = window(b.ir, op, &window_sizes, &WindowNames::OF_REDUCTION);
    let Ok(window) = window else {
        return Err("it has no valid window".into());
    };
    let types = result_types(b.ir, op);
    let (inputs, inits) = inputs_and_inits(b, op);
    let sizes = shape(b.ir, inputs[0]);
    if sizes.contains(&DYNAMIC) {
        return Err("sizes of its operand are known only at run time".into());
    }
    let body = Body::prepare(b, block)?;
    if let ([input], Some((dim, is_behind))) = (&inputs[..], cumulative(&window, &sizes)) {
        return Ok(vec![scan(b, *input, inits[0], dim, is_behind, &body)?]);
    }
    let inputs: Vec<Value> = (inputs.iter().zip(&inits))
        .map(|(&input, &init)| {
            let margins =
                |pick: fn(&WindowDimension) -> i64| window.iter().map(pick).collect::<Vec<_>>();
            let [low, high] = [margins(|w| w.low), margins(|w| w.high)];
            let interior = margins(|w| w.base_dilation - 1);
            padded(b, input, init, &low, &high, &interior)
        })
        .collect();
    // Loops over the places first, then over the window: those of one element need none.
    let rank = sizes.len();
    let inner: Vec<usize> = (0..rank).filter(|&dim| window[dim].size > 1).collect();
    let n_loops = rank + inner.len();
    let read = window.iter().enumerate().map(|(dim, window)| {
        let place = AffineExpr::Dim(dim as u32).mul(AffineExpr::Constant(window.stride));
        match inner.iter().position(|&other| other == dim) {
            Some(at) => {
                let at =
                    AffineExpr::Dim((rank + at) as u32).mul(AffineExpr::Constant(window.dilation));
                place.add(at)
            }
            None => place,
        }
    });
    let read = map(n_loops, read.collect());
    let context = b.context();
    let window_shape: Vec<i64> = inner.iter().map(|&dim| window[dim].size).collect();
    let mut all: Vec<(Value, AffineMap)> =
        inputs.iter().map(|&input| (input, read.clone())).collect();
    let mut n_others = 0;
    if !inner.is_empty() {
        // Only its sizes are read.
        let element = element(b.ir, inputs[0]);
        let sizes = empty(b, tensor_type(&context, &window_shape, element));
        all.push((
            sizes,
            projection(n_loops, &(rank..n_loops).collect::<Vec<_>>()),
        ));
        n_others = 1;
    }
    let outputs = (types.iter().zip(&inits))
        .map(|(&ty, &init)| {
            (
                filled(b, init, ty),
                projection(n_loops, &(0..rank).collect::<Vec<_>>()),
            )
        })
        .collect();
    let parallel: Vec<bool> = (0..n_loops).map(|dim| dim < rank).collect();
    let generic = Generic {
        inputs: all,
        outputs,
        parallel: &parallel,
    };
    build_reduction(b, generic, inputs.len(), n_others, &body)
}

/// What the body makes of all elements up to each one along a dimension; of those behind it if `is_behind`.
fn scan(
    b: &mut Builder<'_>,
    input: Value,
    init: Value,
    dim: usize,
    is_behind: bool,
    body: &Body,
) -> Result<Value, Unsupported> {
    let context = b.context();
    let dims = [dim as i64];
    let input = match is_behind {
        true => reversed(b, input, &dims)?,
        false => input,
    };
    let ty = b.ir.value_type(input);
    let sizes = shape(b.ir, input);
    let element = element(b.ir, input);
    let without: Vec<i64> = (0..sizes.len())
        .filter(|&other| other != dim)
        .map(|other| sizes[other])
        .collect();
    let output = empty(b, ty);
    let accumulator_type = tensor_type(&context, &without, element);
    let accumulator = filled(b, init, accumulator_type);
    let segments = context.i32_array_attr(&[1, 2]);
    let spec = b
        .spec(&iree_linalg_ext::SCAN)
        .operands(&[input, output, accumulator])
        .results(&[ty, accumulator_type])
        .attr(Name::DIMENSION, context.i64_attr(dim as i64))
        .attr(Name::INCLUSIVE, Attr::TRUE)
        .attr(Name::OPERAND_SEGMENT_SIZES, segments)
        .regions(1);
    let op = b.create(spec);
    let region = b.ir.region(op, 0);
    let block = b.ir.append_block(region, &[element, element]);
    let arguments = b.ir.block_args(block).to_vec();
    let loc = b.loc();
    let mut inner = Builder::at_end(b.ir, block);
    inner.set_loc(loc);
    let results = body.inline(&mut inner, &arguments)?;
    inner.op(&iree_linalg_ext::YIELD, &results, &[]);
    let result = b.ir.result(op, 0);
    match is_behind {
        true => reversed(b, result, &dims),
        false => Ok(result),
    }
}
