//! Reductions, over dimensions and over windows, and maps.

use freehold_frontend::dialects::arith::{CmpIPredicate, FastMathFlags};
use freehold_frontend::dialects::memref::MixedIndex;
use freehold_frontend::dialects::shared::const_fold;
use freehold_frontend::dialects::stablehlo::windows::{WindowDimension, WindowNames, window};
use freehold_frontend::dialects::stablehlo::{elementwise, reductions as rows};
use freehold_frontend::dialects::{arith, complex, iree_linalg_ext, linalg, scf};
use freehold_frontend::ir::affine::{AffineExpr, AffineMap};
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Block, Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{DYNAMIC, Type};

use super::body::Body;
use super::build::{
    Generic, as_signless, cast, element, elementwise, empty_like, empty_of, empty_with,
    extract_scalar, fill, map, projection, shape, signless, sizes,
};
use super::emit::Emit;
use super::moves::{list, reversed};
use super::padding::padded_by;
use super::scalar::{convert_scalar, is_unsigned};
use super::searches::{Search, is_search};
use super::stablehlo_legalize_to_linalg::{Row, Unsupported};
use crate::rewrite::sizes::{Sizes, c};

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
pub(super) fn result_types(ir: &Ir, op: Op) -> Vec<Type> {
    let results = ir.results(op).iter();
    results
        .map(|&result| signless(ir.context(), ir.value_type(result)))
        .collect()
}

/// The inputs and the elements that their reductions begin with, in the elements of the results, which may be wider.
pub(super) fn inputs_and_inits(
    b: &mut Builder<'_>,
    inputs: &[Value],
    inits: &[Value],
    types: &[Type],
) -> (Vec<Value>, Vec<Value>) {
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
    body.build(b, generic, &|elements| {
        let (inputs, accumulators) = elements.split_at(n + n_others);
        [accumulators, &inputs[..n]].concat()
    })
}

fn lower_reduce(b: &mut Builder<'_>, op: Op) -> Lowered {
    let block = body_of(b.ir, op, 0)?;
    let dims = list(b.ir, op, Name::DIMENSIONS);
    let types = result_types(b.ir, op);
    let operands = b.ir.operands(op).to_vec();
    let (inputs, inits) = operands.split_at(operands.len() / 2);
    let (inputs, inits) = inputs_and_inits(b, inputs, inits, &types);
    let dims: Vec<usize> = dims.iter().map(|&dim| dim as usize).collect();
    let body = Body::prepare(b, block)?;
    if is_search(b.ir, block) {
        let search = Search {
            inputs,
            inits,
            dims: &dims,
            body: &body,
            block,
        };
        return search.lower(b);
    }
    let outs = filled_outs(b, &inputs, &inits, &dims);
    reduce_into(b, &inputs, outs, &dims, &body)
}

/// The initial values, where the results of a reduction of `dims` will be.
pub(super) fn filled_outs(
    b: &mut Builder<'_>,
    inputs: &[Value],
    inits: &[Value],
    dims: &[usize],
) -> Vec<Value> {
    let mut sizes = sizes(b, inputs[0]);
    let mut dim = 0;
    sizes.retain(|_| {
        dim += 1;
        !dims.contains(&(dim - 1))
    });
    let mut outs = Vec::with_capacity(inits.len());
    for &init in inits {
        let out = empty_of(b, &sizes, b.ir.value_type(init));
        outs.push(fill(b, init, out));
    }
    outs
}

/// Combines `outs` with the elements of `inputs` along `dims`, in order.
pub(super) fn reduce_into(
    b: &mut Builder<'_>,
    inputs: &[Value],
    outs: Vec<Value>,
    dims: &[usize],
    body: &Body,
) -> Lowered {
    let rank = shape(b.ir, inputs[0]).len();
    let kept: Vec<usize> = (0..rank).filter(|dim| !dims.contains(dim)).collect();
    let parallel: Vec<bool> = (0..rank).map(|dim| kept.contains(&dim)).collect();
    let inputs = inputs.iter();
    let generic = Generic {
        inputs: inputs
            .map(|&input| (input, AffineMap::identity(rank)))
            .collect(),
        outputs: (outs.into_iter())
            .map(|out| (out, projection(rank, &kept)))
            .collect(),
        parallel: &parallel,
    };
    let n = generic.inputs.len();
    build_reduction(b, generic, n, 0, body)
}

/// Sums and products of fewer elements keep their order: what computes many of them runs in vectors along the others.
const MIN_REASSOCIATED: i64 = 64;
/// The same of complex numbers: lanes with a row of parts each have no form. 64x64 sums of 33 run six times as fast so.
const MIN_COMPLEX: i64 = 8;

/// Lets what combines elements with the results of a reduction, which became `values`, do so in any order.
pub(super) fn leave_order_open(ir: &mut Ir, op: Op, values: &[Value]) {
    let shape = shape(ir, ir.operand(op, 0));
    let dims = list(ir, op, Name::DIMENSIONS);
    let sizes = dims.iter().map(|&dim| shape[dim as usize]);
    let is_complex = complex::element_of(ir.context(), element(ir, ir.operand(op, 0))).is_some();
    let least = match is_complex {
        true => MIN_COMPLEX,
        false => MIN_REASSOCIATED,
    };
    if sizes.clone().all(|size| size != DYNAMIC) && sizes.product::<i64>() < least {
        return;
    }
    let Some(body) = values
        .first()
        .and_then(|&value| ir.defined_by(value, &linalg::GENERIC))
    else {
        return;
    };
    let combining = [&arith::ADDF, &arith::MULF, &complex::ADD];
    let ops: Vec<Op> = ir
        .walk(body)
        .filter(|&op| combining.iter().any(|def| ir.is(op, def)))
        .collect();
    for op in ops {
        let flags = FastMathFlags::of(ir, op).union(FastMathFlags::REASSOC);
        if let Some(attr) = flags.to_attr(ir.context()) {
            ir.set_attr(op, Name::FASTMATH, attr);
        }
    }
}

/// The number of places of a window of `extent` elements in a dimension of `size`.
pub(super) fn window_places(
    b: &mut Builder<'_>,
    sum: &mut Sizes,
    size: MixedIndex,
    extent: MixedIndex,
    window: &WindowDimension,
    [low, high]: [MixedIndex; 2],
) -> MixedIndex {
    let mut dilated = |b: &mut Builder<'_>, n, by| {
        let least = sum.max(b, n, c(1));
        let gaps = sum.add(b, least, c(-1));
        let gaps = sum.mul(b, gaps, c(by - 1));
        sum.add(b, n, gaps)
    };
    let (all, reach) = (
        dilated(b, size, window.base_dilation),
        dilated(b, extent, window.dilation),
    );
    let all = sum.add(b, all, low);
    let all = sum.add(b, all, high);
    // Of nothing, nothing is left, which is less than any window.
    let rest = sum.sub(b, all, reach);
    let steps = sum.div(b, rest, c(window.stride));
    let places = sum.add(b, steps, c(1));
    sum.max(b, places, c(0))
}

/// A window over elements, of which sizes and margins may be known only at run time.
pub(super) struct Window {
    /// Sizes and margins are not read here.
    pub(super) of: Vec<WindowDimension>,
    pub(super) sizes: Vec<MixedIndex>,
    pub(super) margins: Vec<[MixedIndex; 2]>,
}

/// The condition on sizes: known, or pairs that are to be equal at run time.
struct Conditions {
    is_possible: bool,
    pairs: Vec<[MixedIndex; 2]>,
}

impl Conditions {
    fn require(&mut self, b: &mut Builder<'_>, sum: &mut Sizes, x: MixedIndex, y: MixedIndex) {
        if !self.is_possible {
            return;
        }
        match sum.sub(b, x, y) {
            MixedIndex::Constant(0) => {}
            MixedIndex::Constant(_) => self.is_possible = false,
            MixedIndex::Value(_) => self.pairs.push([x, y]),
        }
    }
}

impl Window {
    /// What has to hold for the window to see, for each element, all elements up to it along `dim`, or those behind it.
    fn is_cumulative(
        &self,
        b: &mut Builder<'_>,
        sum: &mut Sizes,
        from: &[MixedIndex],
        dim: usize,
        is_behind: bool,
    ) -> Conditions {
        let steps = |w: &WindowDimension| [w.stride, w.base_dilation, w.dilation];
        let mut all = Conditions {
            is_possible: self.of.iter().all(|w| steps(w) == [1; 3]),
            pairs: Vec::new(),
        };
        for (other, &size) in from.iter().enumerate() {
            let [mut low, mut high] = self.margins[other];
            if other == dim {
                all.require(b, sum, self.sizes[other], size);
                let last = sum.add(b, size, c(-1));
                if is_behind {
                    (low, high) = (high, low);
                }
                all.require(b, sum, low, last);
            } else {
                all.require(b, sum, self.sizes[other], c(1));
                all.require(b, sum, low, c(0));
            }
            all.require(b, sum, high, c(0));
        }
        all
    }
}

fn lower_reduce_window(b: &mut Builder<'_>, op: Op) -> Lowered {
    let block = body_of(b.ir, op, 0)?;
    let window_sizes = list(b.ir, op, Name::WINDOW_DIMENSIONS);
    let window = window(b.ir, op, &window_sizes, &WindowNames::OF_REDUCTION);
    let Ok(window) = window else {
        return Err("it has no valid window".into());
    };
    let window = Window {
        sizes: window.iter().map(|w| c(w.size)).collect(),
        margins: window.iter().map(|w| [c(w.low), c(w.high)]).collect(),
        of: window,
    };
    let types = result_types(b.ir, op);
    let operands = b.ir.operands(op).to_vec();
    let (inputs, inits) = operands.split_at(operands.len() / 2);
    let (inputs, inits) = inputs_and_inits(b, inputs, inits, &types);
    let body = Body::prepare(b, block)?;
    let sum = &mut Sizes::default();
    reduce_windows(b, sum, &inputs, &inits, &types, &window, &body)
}

/// Results of these types: what the body makes of the elements in each place of the window.
pub(super) fn reduce_windows(
    b: &mut Builder<'_>,
    sum: &mut Sizes,
    inputs: &[Value],
    inits: &[Value],
    types: &[Type],
    window: &Window,
    body: &Body,
) -> Lowered {
    let from = sizes(b, inputs[0]);
    let mut maybe_cumulative = Vec::new();
    if let [input] = *inputs {
        // Known windows over dimensions that are not known are no such ones but by chance.
        let is_known = |size: MixedIndex| matches!(size, MixedIndex::Constant(_));
        let dims =
            (0..from.len()).filter(|&dim| is_known(window.sizes[dim]) == is_known(from[dim]));
        let dims: Vec<usize> = dims.collect();
        for (dim, is_behind) in dims.into_iter().flat_map(|dim| [(dim, false), (dim, true)]) {
            let conditions = window.is_cumulative(b, sum, &from, dim, is_behind);
            if conditions.is_possible && from[dim] != c(1) {
                if conditions.pairs.is_empty() {
                    let all = accumulate(b, input, inits[0], dim, is_behind, body)?;
                    return Ok(vec![all]);
                }
                maybe_cumulative.push((dim, is_behind, conditions.pairs));
            }
        }
    }
    let Some((dim, is_behind, pairs)) = maybe_cumulative.first() else {
        return reduce_each_window(b, sum, inputs, inits, types, window, body);
    };
    // Sums of all that came before take n steps each otherwise.
    let mut holds = arith::constant_bool(b, true);
    for &[x, y] in pairs {
        let (x, y) = (x.materialize(b), y.materialize(b));
        let is_equal = arith::compare(b, CmpIPredicate::Eq, x, y);
        holds = b.value(&arith::ANDI, &[holds, is_equal], Type::I1);
    }
    let choice = scf::If(scf::build_if(b, holds, &types[..1], true));
    let mut inner = b.inside(choice.then_block(b.ir));
    let all = accumulate(&mut inner, inputs[0], inits[0], *dim, *is_behind, body)?;
    let all = cast(&mut inner, all, types[0]);
    scf::build_yield(&mut inner, &[all]);
    let other = choice.else_block(b.ir).ok_or("it has no other branch")?;
    let mut inner = b.inside(other);
    // What was computed of sizes in front of the branch is seen here, and not the other way round.
    let sum = &mut sum.clone();
    let each = reduce_each_window(&mut inner, sum, inputs, inits, types, window, body)?;
    scf::build_yield(&mut inner, &each);
    Ok(vec![b.ir.result(choice.0, 0)])
}

fn reduce_each_window(
    b: &mut Builder<'_>,
    sum: &mut Sizes,
    inputs: &[Value],
    inits: &[Value],
    types: &[Type],
    window: &Window,
    body: &Body,
) -> Lowered {
    let from = sizes(b, inputs[0]);
    let [low, high] = [0, 1].map(|side| {
        let margins = window.margins.iter().map(|margins| margins[side]);
        margins.collect::<Vec<_>>()
    });
    let interior: Vec<i64> = window.of.iter().map(|w| w.base_dilation - 1).collect();
    let inputs: Vec<Value> = (inputs.iter().zip(inits))
        .map(|(&input, &init)| padded_by(b, sum, input, init, &low, &high, &interior))
        .collect();
    // Loops over the places first, then over the window: those of one element need none.
    let rank = from.len();
    let inner: Vec<usize> = (0..rank).filter(|&dim| window.sizes[dim] != c(1)).collect();
    let n_loops = rank + inner.len();
    let read = window.of.iter().enumerate().map(|(dim, window)| {
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
    let window_sizes: Vec<MixedIndex> = inner.iter().map(|&dim| window.sizes[dim]).collect();
    let mut all: Vec<(Value, AffineMap)> =
        inputs.iter().map(|&input| (input, read.clone())).collect();
    let mut n_others = 0;
    if !inner.is_empty() {
        // Only its sizes are read.
        let element = element(b.ir, inputs[0]);
        let sizes = empty_of(b, &window_sizes, element);
        all.push((
            sizes,
            projection(n_loops, &(rank..n_loops).collect::<Vec<_>>()),
        ));
        n_others = 1;
    }
    let mut outputs = Vec::new();
    for (&ty, &init) in types.iter().zip(inits) {
        let out = empty_with(b, ty, &mut |b, dim| {
            let (extent, margins) = (window.sizes[dim], window.margins[dim]);
            window_places(b, sum, from[dim], extent, &window.of[dim], margins).materialize(b)
        });
        let out = fill(b, init, out);
        outputs.push((out, projection(n_loops, &(0..rank).collect::<Vec<_>>())));
    }
    let parallel: Vec<bool> = (0..n_loops).map(|dim| dim < rank).collect();
    let generic = Generic {
        inputs: all,
        outputs,
        parallel: &parallel,
    };
    build_reduction(b, generic, inputs.len(), n_others, body)
}

/// What the body makes of all elements up to each one along a dimension, of those behind it if `is_behind`, and of as
/// many initial values as the window has elements in the margin, and one more.
fn accumulate(
    b: &mut Builder<'_>,
    input: Value,
    init: Value,
    dim: usize,
    is_behind: bool,
    body: &Body,
) -> Result<Value, Unsupported> {
    let all = scan(b, input, init, dim, is_behind, body)?;
    if is_neutral(b.ir, body, init) {
        return Ok(all);
    }
    let n = sizes(b, input)[dim];
    let inits = empty_of(b, &[n], element(b.ir, input));
    let inits = fill(b, init, inits);
    let inits = scan(b, inits, init, 0, !is_behind, body)?;
    let rank = shape(b.ir, input).len();
    let ty = b.ir.value_type(all);
    let out = empty_like(b, ty, all);
    let generic = Generic {
        inputs: vec![
            (inits, projection(rank, &[dim])),
            (all, AffineMap::identity(rank)),
        ],
        outputs: vec![(out, AffineMap::identity(rank))],
        parallel: &vec![true; rank],
    };
    let mut failed = None;
    let results = generic.build(b, &mut |b, x| {
        body.inline(b, &x[..2]).unwrap_or_else(|reason| {
            failed = Some(reason);
            vec![x[1]]
        })
    });
    failed.map_or(Ok(results[0]), Err)
}

/// Whether the body gives any element that it combines with a known initial value; zeros may lose their sign.
fn is_neutral(ir: &Ir, body: &Body, init: Value) -> bool {
    let (Some(op), Some(attr)) = (body.only_op(ir), arith::as_constant_attr(ir, init)) else {
        return false;
    };
    let context = ir.context();
    let is_one_of = |defs: &[&'static OpDef]| defs.iter().any(|&def| std::ptr::eq(ir.def(op), def));
    match *context.attr_kind(attr) {
        AttrKind::Float { bits, .. } => {
            let kind = context.float_kind(ir.value_type(init));
            let number = kind.and_then(|kind| const_fold::float::decode(kind, bits));
            number.is_some_and(|number| match number {
                0.0 => is_one_of(&[&elementwise::ADD]),
                1.0 => is_one_of(&[&elementwise::MULTIPLY]),
                f64::NEG_INFINITY => is_one_of(&[&elementwise::MAXIMUM]),
                f64::INFINITY => is_one_of(&[&elementwise::MINIMUM]),
                _ => false,
            })
        }
        AttrKind::Integer { .. } => {
            let (Some(number), Some(width)) = (
                context.attr_integer(attr),
                context.integer_width(ir.value_type(init)),
            ) else {
                return false;
            };
            // Truth values are sums by `or` and products by `and`.
            let is_unsigned = width == 1 || is_unsigned(ir, op);
            let (least, most) = match is_unsigned {
                true => (0, -1),
                false => (-1 << (width - 1), (1 << (width - 1)) - 1),
            };
            // Sign-extended, as the number is.
            (number == 0 && is_one_of(&[&elementwise::ADD, &elementwise::OR, &elementwise::XOR]))
                || (number == if width == 1 { -1 } else { 1 }
                    && is_one_of(&[&elementwise::MULTIPLY]))
                || (number == -1 && is_one_of(&[&elementwise::AND]))
                || (number == least && is_one_of(&[&elementwise::MAXIMUM]))
                || (number == most && is_one_of(&[&elementwise::MINIMUM]))
        }
        _ => false,
    }
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
    let element = element(b.ir, input);
    let mut others = sizes(b, input);
    others.remove(dim);
    let output = empty_like(b, ty, input);
    let accumulator = empty_of(b, &others, element);
    let accumulator = fill(b, init, accumulator);
    let accumulator_type = b.ir.value_type(accumulator);
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
    let mut inner = b.inside(block);
    let results = body.inline(&mut inner, &arguments)?;
    inner.op(&iree_linalg_ext::YIELD, &results, &[]);
    let result = b.ir.result(op, 0);
    match is_behind {
        true => reversed(b, result, &dims),
        false => Ok(result),
    }
}
