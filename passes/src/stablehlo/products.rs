//! Contractions, convolutions, and formulas of indices.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use freehold_frontend::dialects::memref::{MixedIndex, static_values};
use freehold_frontend::dialects::stablehlo::attributes::{ConvolutionDimensions, DotDimensions};
use freehold_frontend::dialects::stablehlo::products as rows;
use freehold_frontend::dialects::stablehlo::windows::{WindowDimension, WindowNames, window};
use freehold_frontend::dialects::tensor::reshapes::{collapse_shape, expand_shape};
use freehold_frontend::dialects::{arith, complex};
use freehold_frontend::ir::affine::AffineExpr;
use freehold_frontend::ir::attrs::Attr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, Type};

use super::build::{
    Generic, as_signless, at, element, elementwise, empty_of, empty_with, extract, fill,
    insert_slice, map, projection, reshape, shape, size, sizes, slice, tensor_type,
};
use super::emit::{Class, Emit};
use super::moves::{integer, result_type, reversed, to_index};
use super::padding::{padded, padded_by};
use super::reductions::window_places;
use super::scalar::{convert_scalar, is_unsigned, unsupported_types};
use super::stablehlo_legalize_to_linalg::{Row, Unsupported};
use crate::rewrite::sizes::{Sizes, c};

pub(super) const ROWS: &[Row] = &[
    (&rows::CONVOLUTION, lower_convolution),
    (&rows::DOT, lower_dot),
    (&rows::DOT_GENERAL, lower_dot_general),
    (&rows::DYNAMIC_CONV, lower_convolution),
    (&rows::EINSUM, lower_einsum),
    (&rows::UNARY_EINSUM, lower_einsum),
];

type Lowered = Result<Vec<Value>, Unsupported>;

/// The factors of a product. Those of floats of less than 32 bits are `f32`, and so are their sums: StableHLO leaves open
/// in which type they add up, and long sums would lose their digits.
pub(super) fn factors(b: &mut Builder<'_>, op: Op) -> (Value, Value) {
    let (lhs, rhs) = (b.ir.operand(op, 0), b.ir.operand(op, 1));
    let (lhs, rhs) = (as_signless(b, lhs), as_signless(b, rhs));
    match adds_up_in_f32(b, op) {
        true => (converted(b, lhs, Type::F32), converted(b, rhs, Type::F32)),
        false => (lhs, rhs),
    }
}

/// Whether results are floats of less than 32 bits, of factors that are floats.
fn adds_up_in_f32(b: &Builder<'_>, op: Op) -> bool {
    let context = b.ir.context();
    let width = |value: Value| {
        let kind = context.float_kind(element(b.ir, value));
        kind.map(|kind| kind.width())
    };
    let factors = [b.ir.operand(op, 0), b.ir.operand(op, 1)];
    width(b.ir.result(op, 0)).is_some_and(|width| width < 32)
        && factors.into_iter().all(|factor| width(factor).is_some())
}

/// A tensor of floats as one of other floats.
pub(super) fn converted(b: &mut Builder<'_>, tensor: Value, to: Type) -> Value {
    if element(b.ir, tensor) == to {
        return tensor;
    }
    let ty = b.ir.value_type(tensor);
    let ty = b.context().with_element_type(ty, to);
    elementwise(b, &[tensor], ty, &mut |b, x| {
        let converted = convert_scalar(&mut Emit::new(b), x[0], false, to, false);
        converted.expect("floats become floats")
    })
}

/// The type in which the results of a product add up.
pub(super) fn sum_type(b: &mut Builder<'_>, op: Op) -> Type {
    let ty = result_type(b.ir, op);
    match adds_up_in_f32(b, op) {
        true => b.context().with_element_type(ty, Type::F32),
        false => ty,
    }
}

/// The element that sums begin with.
pub(super) fn zero_of(b: &mut Builder<'_>, ty: Type) -> Option<Value> {
    let mut e = Emit::new(b);
    match e.class_of(ty) {
        Class::Integer(_) => Some(e.int(ty, 0)),
        Class::Float(_) => Some(e.float(ty, 0.0)),
        Class::Complex => {
            let part = complex::element_of(&e.b.context(), ty)?;
            let zero = e.float(part, 0.0);
            Some(e.complex(zero, zero))
        }
        Class::Other => None,
    }
}

/// `sum + x * y` for elements that are converted to those of the sum; truth values are combined by `or` and `and`.
fn add_product(b: &mut Builder<'_>, op: Op, sum: Value, x: Value, y: Value) -> Option<Value> {
    let unsigned = is_unsigned(b.ir, op);
    let ty = b.ir.value_type(sum);
    let mut e = Emit::new(b);
    let x = convert_scalar(&mut e, x, unsigned, ty, unsigned)?;
    let y = convert_scalar(&mut e, y, unsigned, ty, unsigned)?;
    let (multiply, add) = match e.class(sum) {
        Class::Integer(1) => (&arith::ANDI, &arith::ORI),
        Class::Integer(_) => (&arith::MULI, &arith::ADDI),
        Class::Float(_) => (&arith::MULF, &arith::ADDF),
        Class::Complex => (&complex::MUL, &complex::ADD),
        Class::Other => return None,
    };
    let product = e.binary(multiply, x, y);
    let sum = e.binary(add, sum, product);
    // Those of floats have kernels, which know the policy.
    if std::ptr::eq(add, &complex::ADD)
        && let Some(flags) = b.fastmath()
        && let Some(addition) = b.ir.defining_op(sum)
    {
        b.ir.set_attr(addition, Name::FASTMATH, flags);
    }
    Some(sum)
}

/// Adds up products into zeros.
fn contract(b: &mut Builder<'_>, op: Op, generic: Generic<'_>) -> Lowered {
    let mut is_known = true;
    let n_factors = generic.inputs.len();
    let results = generic.build(b, &mut |b, x| {
        let sum = x[n_factors];
        vec![add_product(b, op, sum, x[0], x[1]).unwrap_or_else(|| {
            is_known = false;
            sum
        })]
    });
    match is_known {
        true => Ok(results),
        false => Err(unsupported_types(b.ir, op)),
    }
}

pub(super) fn zeros(b: &mut Builder<'_>, op: Op, out: Value) -> Result<Value, Unsupported> {
    let ty = element(b.ir, out);
    let zero = zero_of(b, ty).ok_or_else(|| unsupported_types(b.ir, op))?;
    Ok(fill(b, zero, out))
}

fn lower_dot_general(b: &mut Builder<'_>, op: Op) -> Lowered {
    let context = b.context();
    let attr = b.ir.attr(op, Name::DOT_DIMENSION_NUMBERS);
    let dims = attr.and_then(|attr| DotDimensions::from_attr(&context, attr));
    let dims = dims.ok_or("it has no dimension numbers")?;
    lower_product(b, op, &dims)
}

fn lower_dot(b: &mut Builder<'_>, op: Op) -> Lowered {
    let rank = shape(b.ir, b.ir.operand(op, 0)).len() as i64;
    let dims = DotDimensions {
        lhs_contracting_dimensions: vec![rank - 1],
        rhs_contracting_dimensions: vec![0],
        ..DotDimensions::default()
    };
    lower_product(b, op, &dims)
}

fn lower_product(b: &mut Builder<'_>, op: Op, dims: &DotDimensions) -> Lowered {
    let factors = factors(b, op);
    if element(b.ir, factors.0) == element(b.ir, factors.1) && has_large_parts(b, op, factors, dims)
    {
        return Ok(vec![multiply_parts(b, op, factors, dims)?]);
    }
    let ty = sum_type(b, op);
    let sums = add_products(b, op, factors, dims, ty, None)?;
    Ok(vec![rounded(b, op, sums)])
}

/// The fewest terms of a complex product that is four of floats, which have kernels (`complex_product`, benches/models); the
/// parts of shorter ones are copied for too little.
const MIN_TERMS: i64 = 12;
/// The fewest rows and columns of one. Those of 64x64 by 4 run twice as fast so, of 512x512 by 2 not.
const MIN_VECTORS: i64 = 4;

/// Whether a product is one of complex numbers, of matrices that are known not to be small.
fn has_large_parts(
    b: &Builder<'_>,
    op: Op,
    (lhs, rhs): (Value, Value),
    dims: &DotDimensions,
) -> bool {
    let ty = element(b.ir, b.ir.result(op, 0));
    let is_complex = complex::element_of(&b.context(), ty).is_some() && element(b.ir, lhs) == ty;
    let sides = [
        (
            lhs,
            &dims.lhs_batching_dimensions,
            &dims.lhs_contracting_dimensions,
        ),
        (
            rhs,
            &dims.rhs_batching_dimensions,
            &dims.rhs_contracting_dimensions,
        ),
    ];
    is_complex
        && sides.iter().all(|&(tensor, batches, sums)| {
            let (mut n_free, mut n_sums) = (1i64, 1i64);
            for (dim, &size) in shape(b.ir, tensor).iter().enumerate() {
                let dim = dim as i64;
                if size == DYNAMIC {
                    return false;
                } else if sums.contains(&dim) {
                    n_sums = n_sums.saturating_mul(size);
                } else if !batches.contains(&dim) {
                    n_free = n_free.saturating_mul(size);
                }
            }
            n_free >= MIN_VECTORS && n_sums >= MIN_TERMS
        })
}

/// The product of the real and the imaginary parts.
fn multiply_parts(
    b: &mut Builder<'_>,
    op: Op,
    (lhs, rhs): (Value, Value),
    dims: &DotDimensions,
) -> Result<Value, Unsupported> {
    let result = result_type(b.ir, op);
    let whole = element(b.ir, b.ir.result(op, 0));
    let part = complex::element_of(&b.context(), whole).expect("parts are large");
    let of_parts = |b: &Builder<'_>, ty: Type| b.context().with_element_type(ty, part);
    let parts_of = |b: &mut Builder<'_>, tensor: Value| {
        let ty = of_parts(b, b.ir.value_type(tensor));
        [&complex::RE, &complex::IM]
            .map(|row| elementwise(b, &[tensor], ty, &mut |b, x| b.value(row, &[x[0]], part)))
    };
    let ([re, im], [other_re, other_im]) = (parts_of(b, lhs), parts_of(b, rhs));
    let sums = of_parts(b, result);
    let add = |b: &mut Builder<'_>, products: [(Value, Value); 2]| {
        let mut sum = None;
        for factors in products {
            sum = Some(add_products(b, op, factors, dims, sums, sum)?);
        }
        Ok::<Value, Unsupported>(sum.expect("there are two"))
    };
    let imaginary = add(b, [(re, other_im), (im, other_re)])?;
    // In place: nothing else is left to need this part.
    let ty = b.ir.value_type(im);
    let negated = elementwise(b, &[im], ty, &mut |b, x| {
        b.value(&arith::NEGF, &[x[0]], part)
    });
    let real = add(b, [(re, other_re), (negated, other_im)])?;
    Ok(elementwise(b, &[real, imaginary], result, &mut |b, x| {
        b.value(&complex::CREATE, &[x[0], x[1]], whole)
    }))
}

/// Sums as elements of the result.
pub(super) fn rounded(b: &mut Builder<'_>, op: Op, sums: Value) -> Value {
    let ty = result_type(b.ir, op);
    let to = b.context().element_type_or_self(ty);
    converted(b, sums, to)
}

/// Adds the products of two tensors to `sums` of type `ty`, or to zeros. Loops: batches, free dimensions of the first
/// factor, of the second, and sums.
pub(super) fn add_products(
    b: &mut Builder<'_>,
    op: Op,
    (lhs, rhs): (Value, Value),
    dims: &DotDimensions,
    ty: Type,
    sums: Option<Value>,
) -> Result<Value, Unsupported> {
    let ranks = [shape(b.ir, lhs).len(), shape(b.ir, rhs).len()];
    let mut loops = [vec![usize::MAX; ranks[0]], vec![usize::MAX; ranks[1]]];
    // Where the size of each dimension of the result comes from.
    let mut sources: Vec<(Value, usize)> = Vec::new();
    for (&left, &right) in dims
        .lhs_batching_dimensions
        .iter()
        .zip(&dims.rhs_batching_dimensions)
    {
        loops[0][left as usize] = sources.len();
        loops[1][right as usize] = sources.len();
        sources.push((lhs, left as usize));
    }
    let contracting = [
        &dims.lhs_contracting_dimensions,
        &dims.rhs_contracting_dimensions,
    ];
    for (side, factor) in [lhs, rhs].into_iter().enumerate() {
        for (dim, position) in loops[side].iter_mut().enumerate() {
            if *position == usize::MAX && !contracting[side].contains(&(dim as i64)) {
                *position = sources.len();
                sources.push((factor, dim));
            }
        }
    }
    let rank = sources.len();
    for (i, (&left, &right)) in contracting[0].iter().zip(contracting[1]).enumerate() {
        loops[0][left as usize] = rank + i;
        loops[1][right as usize] = rank + i;
    }
    let n_loops = rank + contracting[0].len();
    let out = match sums {
        Some(sums) => sums,
        None => {
            let out = empty_with(b, ty, &mut |b, dim| size(b, sources[dim].0, sources[dim].1));
            zeros(b, op, out)?
        }
    };
    let parallel: Vec<bool> = (0..n_loops).map(|dim| dim < rank).collect();
    let generic = Generic {
        inputs: vec![
            (lhs, projection(n_loops, &loops[0])),
            (rhs, projection(n_loops, &loops[1])),
        ],
        outputs: vec![(out, projection(n_loops, &(0..rank).collect::<Vec<_>>()))],
        parallel: &parallel,
    };
    Ok(contract(b, op, generic)?[0])
}

/// `ij,jk->ik`: each letter is a loop; those that the result lacks add up.
fn lower_einsum(b: &mut Builder<'_>, op: Op) -> Lowered {
    let context = b.context();
    let formula =
        b.ir.attr(op, Name::EINSUM_CONFIG)
            .and_then(|attr| context.attr_string(attr));
    let (sources, target) = formula
        .and_then(|text| text.split_once("->"))
        .ok_or("its formula has no result")?;
    let sources: Vec<&str> = sources.split(',').collect();
    let n = b.ir.operands(op).len();
    if sources.len() != n || formula.is_some_and(|text| text.contains('.')) {
        return Err("its formula does not fit its operands".into());
    }
    let mut loops: BTreeMap<char, usize> = BTreeMap::new();
    for letter in target
        .chars()
        .chain(sources.iter().flat_map(|source| source.chars()))
    {
        let next = loops.len();
        loops.entry(letter).or_insert(next);
    }
    let n_loops = loops.len();
    let dims = |text: &str| {
        projection(
            n_loops,
            &text
                .chars()
                .map(|letter| loops[&letter])
                .collect::<Vec<_>>(),
        )
    };
    let operands: Vec<Value> = b.ir.operands(op).to_vec();
    for (source, &operand) in sources.iter().zip(&operands) {
        if source.chars().count() != shape(b.ir, operand).len() {
            return Err("its formula does not fit its operands".into());
        }
    }
    let operands = match operands[..] {
        [_, _] => {
            let (lhs, rhs) = factors(b, op);
            vec![lhs, rhs]
        }
        _ => operands.iter().map(|&x| as_signless(b, x)).collect(),
    };
    // Where the size of each dimension of the result comes from.
    let letters = sources
        .iter()
        .zip(&operands)
        .flat_map(|(source, &operand)| {
            let dims = source.chars().enumerate();
            dims.map(move |(dim, letter)| (letter, operand, dim))
        });
    let letters: Vec<(char, Value, usize)> = letters.collect();
    let places = target.chars().map(|letter| {
        let place = letters.iter().find(|place| place.0 == letter);
        place.copied()
    });
    let places: Option<Vec<_>> = places.collect();
    let places = places.ok_or("its result has a letter that no operand has")?;
    let ty = match n {
        2 => sum_type(b, op),
        _ => result_type(b.ir, op),
    };
    let out = empty_with(b, ty, &mut |b, dim| size(b, places[dim].1, places[dim].2));
    let out = zeros(b, op, out)?;
    let parallel: Vec<bool> = (0..n_loops)
        .map(|dim| dim < target.chars().count())
        .collect();
    let generic = Generic {
        inputs: operands
            .iter()
            .zip(&sources)
            .map(|(&operand, source)| (operand, dims(source)))
            .collect(),
        outputs: vec![(out, dims(target))],
        parallel: &parallel,
    };
    if n == 2 {
        let sums = contract(b, op, generic)?[0];
        return Ok(vec![rounded(b, op, sums)]);
    }
    let unsigned = is_unsigned(b.ir, op);
    Ok(generic.build(b, &mut |b, x| {
        let mut e = Emit::new(b);
        let ty = e.ty(x[1]);
        let value = convert_scalar(&mut e, x[0], unsigned, ty, unsigned).unwrap_or(x[1]);
        let add = match e.class(value) {
            Class::Integer(1) => &arith::ORI,
            Class::Integer(_) => &arith::ADDI,
            Class::Complex => &complex::ADD,
            Class::Float(_) | Class::Other => &arith::ADDF,
        };
        vec![e.binary(add, x[1], value)]
    }))
}

/// A dimension split in two: `groups` parts of as many elements.
fn split(b: &mut Builder<'_>, sum: &mut Sizes, tensor: Value, dim: usize, groups: i64) -> Value {
    let mut to = sizes(b, tensor);
    to[dim] = sum.div(b, to[dim], c(groups));
    to.insert(dim, c(groups));
    let known = static_values(&to);
    if !known.contains(&DYNAMIC) {
        return reshape(b, tensor, &known);
    }
    let ty = tensor_type(&b.context(), &known, element(b.ir, tensor));
    expand_shape(b, tensor, &pairs(to.len() - 1, dim), &to, ty)
}

/// Two dimensions from `dim` on made one, which gives a tensor of the sizes `to`.
fn merge(b: &mut Builder<'_>, tensor: Value, dim: usize, to: &[MixedIndex]) -> Value {
    let known = static_values(to);
    if !known.contains(&DYNAMIC) {
        return reshape(b, tensor, &known);
    }
    let ty = tensor_type(&b.context(), &known, element(b.ir, tensor));
    collapse_shape(b, tensor, &pairs(to.len(), dim), ty)
}

/// Dimensions one by one, of which one is a pair.
fn pairs(rank: usize, pair: usize) -> Vec<Vec<i64>> {
    let group = |dim: usize| match dim.cmp(&pair) {
        Ordering::Less => vec![dim as i64],
        Ordering::Equal => vec![dim as i64, dim as i64 + 1],
        Ordering::Greater => vec![dim as i64 + 1],
    };
    (0..rank).map(group).collect()
}

fn lower_convolution(b: &mut Builder<'_>, op: Op) -> Lowered {
    let context = b.context();
    let attr = b.ir.attr(op, Name::DIMENSION_NUMBERS);
    let dims = attr.and_then(|attr| ConvolutionDimensions::from_attr(&context, attr));
    let dims = dims.ok_or("it has no dimension numbers")?;
    let (input, kernel) = factors(b, op);
    let kernel_shape = shape(b.ir, kernel);
    let of_window: Vec<i64> = dims
        .kernel
        .spatial
        .iter()
        .map(|&dim| kernel_shape[dim as usize])
        .collect();
    let Ok(mut window) = window(b.ir, op, &of_window, &WindowNames::OF_CONVOLUTION) else {
        return Err("it has no valid window".into());
    };
    // Margins that are known only at run time.
    let mut margins: Option<Vec<[MixedIndex; 2]>> = None;
    if let Some(&padding) = b.ir.operands(op).get(2)
        && !window.is_empty()
    {
        let known = arith::as_constant_attr(b.ir, padding);
        match known.and_then(|attr| numbers_of(&context, attr)) {
            Some(numbers) => {
                for (i, window) in window.iter_mut().enumerate() {
                    (window.low, window.high) = (numbers[2 * i], numbers[2 * i + 1]);
                }
            }
            None => {
                let padding = as_signless(b, padding);
                let number = |b: &mut Builder<'_>, i: usize, side: i64| {
                    let places = [i as i64, side].map(|place| arith::constant_index(b, place));
                    let number = extract(b, padding, &places);
                    MixedIndex::Value(to_index(b, number))
                };
                let all = 0..window.len();
                margins = Some(all.map(|i| [number(b, i, 0), number(b, i, 1)]).collect());
            }
        }
    }
    let mirrored = dims
        .kernel
        .spatial
        .iter()
        .zip(&window)
        .filter(|(_, window)| window.is_reversed);
    let mirrored: Vec<i64> = mirrored.map(|(&dim, _)| dim).collect();
    let kernel = reversed(b, kernel, &mirrored)?;
    let result = b.ir.result(op, 0);
    let is_known = margins.is_none()
        && [input, kernel, result]
            .iter()
            .all(|&tensor| !shape(b.ir, tensor).contains(&DYNAMIC));
    if is_known && has_phases(&window) {
        return Ok(vec![convolve_phases(
            b,
            op,
            &dims,
            [input, kernel],
            &window,
        )?]);
    }
    let margins = margins.unwrap_or_else(|| margins_of(&window));
    let output = places(b, op, &dims, [input, kernel], &window, &margins);
    let lowered = convolve(b, op, &dims, [input, kernel], &window, &margins, &output)?;
    Ok(vec![lowered])
}

fn margins_of(window: &[WindowDimension]) -> Vec<[MixedIndex; 2]> {
    window.iter().map(|w| [c(w.low), c(w.high)]).collect()
}

/// The sizes of the result of a convolution.
fn places(
    b: &mut Builder<'_>,
    op: Op,
    dims: &ConvolutionDimensions,
    [input, kernel]: [Value; 2],
    window: &[WindowDimension],
    margins: &[[MixedIndex; 2]],
) -> Vec<MixedIndex> {
    let sum = &mut Sizes::default();
    let known = shape(b.ir, b.ir.result(op, 0));
    let (from, of_kernel) = (sizes(b, input), sizes(b, kernel));
    let mut places: Vec<MixedIndex> = known.iter().map(|&size| c(size)).collect();
    let unknown = |dim: i64| known[dim as usize] == DYNAMIC;
    if unknown(dims.output.first) {
        let batch_groups = integer(b.ir, op, Name::BATCH_GROUP_COUNT);
        let batch = from[dims.input.first as usize];
        places[dims.output.first as usize] = sum.div(b, batch, c(batch_groups));
    }
    if unknown(dims.output.second) {
        places[dims.output.second as usize] = of_kernel[dims.kernel.second as usize];
    }
    for (i, &dim) in dims.output.spatial.iter().enumerate() {
        if unknown(dim) {
            let size = from[dims.input.spatial[i] as usize];
            let extent = of_kernel[dims.kernel.spatial[i] as usize];
            places[dim as usize] = window_places(b, sum, size, extent, &window[i], margins[i]);
        }
    }
    places
}

/// Limit for the phases of a convolution whose input has zeros between its elements: one for each place that the window
/// may have among them, each with code of its own. Four are common: images of twice the size.
const MAX_PHASES: i64 = 16;

/// Whether a window moves over an input with zeros between its elements one by one, so that each place of it has the
/// same elements of the kernel on zeros as the one a few places before.
fn has_phases(window: &[WindowDimension]) -> bool {
    let n_phases = window.iter().try_fold(1i64, |n, w| {
        let is_simple = w.base_dilation == 1 || w.stride == 1 && w.dilation == 1;
        n.checked_mul(w.base_dilation).filter(|_| is_simple)
    });
    n_phases.is_some_and(|n| (2..=MAX_PHASES).contains(&n))
}

/// One dimension of a phase: of output places that are a multiple of the input's dilation apart.
struct Phase {
    /// The first of them.
    first: i64,
    /// The first element of the kernel that is not on zeros there.
    first_of_kernel: i64,
    /// How the rest of the kernel moves over the input itself.
    window: WindowDimension,
    n_places: i64,
}

/// The phases of a dimension with `n_input` elements of the input and `n_output` of the output.
fn phases(window: &WindowDimension, n_input: i64, n_output: i64) -> Vec<Phase> {
    let distance = window.base_dilation;
    if distance == 1 {
        return vec![Phase {
            first: 0,
            first_of_kernel: 0,
            window: *window,
            n_places: n_output,
        }];
    }
    let last = |from: i64, to: i64| (to - from + distance - 1).div_euclid(distance).max(0);
    (0..distance.min(n_output))
        .map(|first| {
            let first_of_kernel = (window.low - first).rem_euclid(distance);
            let size = last(first_of_kernel, window.size);
            let n_places = last(first, n_output);
            let low = (window.low - first - first_of_kernel).div_euclid(distance);
            Phase {
                first,
                first_of_kernel,
                window: WindowDimension {
                    size,
                    stride: 1,
                    low,
                    high: n_places + size - 1 - n_input - low,
                    base_dilation: 1,
                    dilation: 1,
                    is_reversed: false,
                },
                n_places,
            }
        })
        .collect()
}

/// The result of a convolution for which [`has_phases`]: no zeros are multiplied.
fn convolve_phases(
    b: &mut Builder<'_>,
    op: Op,
    dims: &ConvolutionDimensions,
    [input, kernel]: [Value; 2],
    window: &[WindowDimension],
) -> Result<Value, Unsupported> {
    let (input_shape, kernel_shape) = (shape(b.ir, input), shape(b.ir, kernel));
    let output_shape = shape(b.ir, b.ir.result(op, 0));
    let input_element = element(b.ir, input);
    let zero = zero_of(b, input_element).ok_or_else(|| unsupported_types(b.ir, op))?;
    let all: Vec<Vec<Phase>> = (window.iter().enumerate())
        .map(|(i, window)| {
            let n_input = input_shape[dims.input.spatial[i] as usize];
            phases(
                window,
                n_input,
                output_shape[dims.output.spatial[i] as usize],
            )
        })
        .collect();
    // The margins of all of them at once, of which each then takes a part.
    let mut margins = [vec![0; input_shape.len()], vec![0; input_shape.len()]];
    for (i, of_dim) in all
        .iter()
        .enumerate()
        .filter(|(i, _)| window[*i].base_dilation > 1)
    {
        let at = dims.input.spatial[i] as usize;
        let largest = |pick: fn(&Phase) -> i64| of_dim.iter().map(pick).max().unwrap_or(0).max(0);
        margins[0][at] = largest(|phase| phase.window.low);
        margins[1][at] = largest(|phase| phase.window.high);
    }
    let [low, high] = &margins;
    let input = padded(b, input, zero, low, high, &vec![0; input_shape.len()]);
    let ty = result_type(b.ir, op);
    let mut out = empty_with(b, ty, &mut |b, _| arith::constant_index(b, 0));
    let n_phases: usize = all.iter().map(Vec::len).product();
    for number in 0..n_phases {
        let mut rest = number;
        let (mut offsets, mut strides) = (vec![0; output_shape.len()], vec![1; output_shape.len()]);
        let mut part_shape = output_shape.clone();
        let mut of_kernel = [
            vec![0; kernel_shape.len()],
            kernel_shape.clone(),
            vec![1; kernel_shape.len()],
        ];
        let mut part_window = Vec::new();
        for (i, of_dim) in all.iter().enumerate() {
            let phase = &of_dim[rest % of_dim.len()];
            rest /= of_dim.len();
            let (from, to) = (
                dims.input.spatial[i] as usize,
                dims.output.spatial[i] as usize,
            );
            let distance = window[i].base_dilation;
            (offsets[to], strides[to]) = (phase.first, distance);
            part_shape[to] = phase.n_places;
            let at = dims.kernel.spatial[i] as usize;
            of_kernel[0][at] = phase.first_of_kernel;
            of_kernel[1][at] = phase.window.size;
            of_kernel[2][at] = distance;
            part_window.push(WindowDimension {
                low: phase.window.low - low[from],
                high: phase.window.high - high[from],
                ..phase.window
            });
        }
        let [first, sizes, steps] = &of_kernel;
        let part = match sizes.contains(&0) {
            true => {
                let ty = tensor_type(&b.context(), &part_shape, element(b.ir, out));
                let part = empty_with(b, ty, &mut |b, _| arith::constant_index(b, 0));
                zeros(b, op, part)?
            }
            false => {
                let kernel = slice(b, kernel, at(first), sizes, steps);
                let margins = margins_of(&part_window);
                let part = at(&part_shape);
                convolve(b, op, dims, [input, kernel], &part_window, &margins, &part)?
            }
        };
        out = insert_slice(b, part, out, at(&offsets), &strides);
    }
    Ok(out)
}

/// A convolution with a kernel that is not mirrored.
fn convolve(
    b: &mut Builder<'_>,
    op: Op,
    dims: &ConvolutionDimensions,
    [input, mut kernel]: [Value; 2],
    window: &[WindowDimension],
    margins: &[[MixedIndex; 2]],
    output: &[MixedIndex],
) -> Result<Value, Unsupported> {
    let context = b.context();
    let sum = &mut Sizes::default();
    let feature_groups = integer(b.ir, op, Name::FEATURE_GROUP_COUNT);
    let batch_groups = integer(b.ir, op, Name::BATCH_GROUP_COUNT);
    let input_element = element(b.ir, input);
    let zero = zero_of(b, input_element).ok_or_else(|| unsupported_types(b.ir, op))?;

    // The input with its margins, and zeros between its elements.
    let rank = shape(b.ir, input).len();
    let (mut low, mut high, mut interior) = (vec![c(0); rank], vec![c(0); rank], vec![0; rank]);
    for (i, &dim) in dims.input.spatial.iter().enumerate() {
        [low[dim as usize], high[dim as usize]] = margins[i];
        interior[dim as usize] = window[i].base_dilation - 1;
    }
    let mut input = padded_by(b, sum, input, zero, &low, &high, &interior);

    // Loops: batch, groups, features of the output, its spatial dimensions; features of the input and the window, in the
    // order in which the input has them, so that neighbours are multiplied one after the other (`unet_block`,
    // benches/models).
    let n_spatial = window.len();
    let groups = feature_groups.max(batch_groups);
    let grouped = groups > 1;
    let feature_at = 1 + usize::from(grouped);
    let n_parallel = feature_at + 1 + n_spatial;
    let n_loops = n_parallel + 1 + n_spatial;
    let dim = |dim: usize| AffineExpr::Dim(dim as u32);
    let group = grouped.then(|| dim(1));
    let mut spatial = dims.input.spatial.iter();
    let (input_feature_at, window_at) = match spatial.all(|&at| at < dims.input.second) {
        true => (n_parallel + n_spatial, n_parallel),
        false => (n_parallel, n_parallel + 1),
    };

    let mut input_map: Vec<AffineExpr> = vec![AffineExpr::Constant(0); rank];
    input_map[dims.input.first as usize] = dim(0);
    input_map[dims.input.second as usize] = dim(input_feature_at);
    for (i, (&at, window)) in dims.input.spatial.iter().zip(window).enumerate() {
        let place = dim(feature_at + 1 + i).mul(AffineExpr::Constant(window.stride));
        let inside = dim(window_at + i).mul(AffineExpr::Constant(window.dilation));
        // A window of one element needs no second counter here.
        input_map[at as usize] = place.add(inside);
    }
    let mut kernel_map = vec![AffineExpr::Constant(0); rank];
    kernel_map[dims.kernel.first as usize] = dim(input_feature_at);
    kernel_map[dims.kernel.second as usize] = dim(feature_at);
    for (i, &at) in dims.kernel.spatial.iter().enumerate() {
        kernel_map[at as usize] = dim(window_at + i);
    }
    let mut output_map = vec![AffineExpr::Constant(0); rank];
    output_map[dims.output.first as usize] = dim(0);
    output_map[dims.output.second as usize] = dim(feature_at);
    for (i, &at) in dims.output.spatial.iter().enumerate() {
        output_map[at as usize] = dim(feature_at + 1 + i);
    }
    let mut grouped_sizes = output.to_vec();
    let mut merged = None;
    if let Some(group) = group {
        let of_input = match feature_groups > 1 {
            true => dims.input.second as usize,
            false => dims.input.first as usize,
        };
        let (of_kernel, of_output) = (dims.kernel.second as usize, dims.output.second as usize);
        input = split(b, sum, input, of_input, groups);
        kernel = split(b, sum, kernel, of_kernel, groups);
        input_map.insert(of_input, group.clone());
        kernel_map.insert(of_kernel, group.clone());
        output_map.insert(of_output, group);
        grouped_sizes[of_output] = sum.div(b, grouped_sizes[of_output], c(groups));
        grouped_sizes.insert(of_output, c(groups));
        merged = Some(of_output);
    }
    let to = result_type(b.ir, op);
    let to = context.element_type_or_self(to);
    let ty = sum_type(b, op);
    let out = empty_of(b, &grouped_sizes, context.element_type_or_self(ty));
    let out = zeros(b, op, out)?;
    let finish = |b: &mut Builder<'_>, value: Value| {
        let value = converted(b, value, to);
        match merged {
            Some(dim) => merge(b, value, dim, output),
            None => value,
        }
    };
    if grouped_sizes.contains(&c(0)) || shape(b.ir, input).contains(&0) {
        return Ok(finish(b, out));
    }
    let parallel: Vec<bool> = (0..n_loops).map(|dim| dim < n_parallel).collect();
    let generic = Generic {
        inputs: vec![
            (input, map(n_loops, input_map)),
            (kernel, map(n_loops, kernel_map)),
        ],
        outputs: vec![(out, map(n_loops, output_map))],
        parallel: &parallel,
    };
    let lowered = contract(b, op, generic)?;
    Ok(finish(b, lowered[0]))
}

/// The integers of a dense attribute.
pub(super) fn numbers_of(context: &Context, attr: Attr) -> Option<Vec<i64>> {
    let dense = context.attr_dense(attr)?;
    let n: i64 = context.shape(dense.ty)?.iter().product();
    if n == 0 {
        return Some(Vec::new());
    }
    let width = dense.bytes.len() / if dense.splat { 1 } else { n as usize };
    let numbers: Option<Vec<i64>> = (dense.bytes.chunks_exact(width))
        .map(|bytes| match *bytes {
            [a, b, c, d] => Some(i64::from(i32::from_le_bytes([a, b, c, d]))),
            _ => Some(i64::from_le_bytes(bytes.try_into().ok()?)),
        })
        .collect();
    let numbers = numbers?;
    Some(match dense.splat {
        true => vec![numbers[0]; n as usize],
        false => numbers,
    })
}
