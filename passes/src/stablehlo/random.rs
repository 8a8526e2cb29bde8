//! Random numbers. The generators count: an element depends on its number and the state only, so all of them are
//! computed by one loop without dependences, on words of 32 bits. For the same state, `THREE_FRY` and `PHILOX` give the
//! bits that XLA gives; `DEFAULT` is `PHILOX`, as on XLA's CPUs.

use freehold_frontend::dialects::arith::{CmpFPredicate, CmpIPredicate};
use freehold_frontend::dialects::memref::static_values;
use freehold_frontend::dialects::stablehlo::attributes::{RngAlgorithm, RngDistribution};
use freehold_frontend::dialects::stablehlo::random;
use freehold_frontend::dialects::{arith, math, tensor};
use freehold_frontend::ir::affine::AffineMap;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, Type};

use super::build::{
    Generic, as_signless, at, element, empty_of, extract, extract_scalar, insert_slice, reshape,
    shape, signless, sizes, slice_of, tensor_type,
};
use super::emit::{Class, Emit};
use super::moves::{indices_in, reshape_to};
use super::scalar;
use super::stablehlo_legalize_to_linalg::{Lower, Row, Unsupported};
use crate::rewrite::sizes::{Dim, Sizes, c};
use crate::rewrite::structured::loop_counter;

pub(super) const ROWS: &[Row] = &[
    (&random::RNG, rng),
    (&random::RNG_BIT_GENERATOR, rng_bit_generator),
];

/// Targets of custom calls.
pub(super) const CUSTOM_CALLS: &[(&str, Lower)] =
    &[("stablehlo.dynamic_rng_bit_generator", rng_bit_generator)];

/// The words of a number of 64 bits, low one first.
fn words(e: &mut Emit<'_, '_>, number: Value) -> [Value; 2] {
    let n_bits = e.int_like(number, 32);
    let high = e.binary(&arith::SHRUI, number, n_bits);
    [number, high].map(|part| e.to(&arith::TRUNCI, part, Type::I32))
}

/// The number of 64 bits that two words are, low one first.
fn joined(e: &mut Emit<'_, '_>, words: [Value; 2]) -> Value {
    let [low, high] = words.map(|word| e.to(&arith::EXTUI, word, Type::I64));
    let n_bits = e.int_like(high, 32);
    let high = e.binary(&arith::SHLI, high, n_bits);
    e.or(low, high)
}

/// The words of `counter + number`, which has as many words as the counter; `number` is of type index, and below
/// 2^32 unless `is_large`.
fn counted<const N: usize>(
    e: &mut Emit<'_, '_>,
    counter: [Value; N],
    number: Value,
    is_large: bool,
) -> [Value; N] {
    let mut sum = counter;
    let mut carry: Option<Value> = None;
    let mut rest = 0;
    if is_large {
        let number = e.to(&arith::INDEX_CAST, number, Type::I64);
        let low = joined(e, [counter[0], counter[1]]);
        let new = e.binary(&arith::ADDI, low, number);
        carry = Some(e.cmpi(CmpIPredicate::Ult, new, low));
        [sum[0], sum[1]] = words(e, new);
        rest = 2;
    }
    for i in rest..N {
        let more = match carry {
            Some(carry) => e.to(&arith::EXTUI, carry, Type::I32),
            None => e.to(&arith::INDEX_CAST, number, Type::I32),
        };
        sum[i] = e.binary(&arith::ADDI, counter[i], more);
        carry = Some(e.cmpi(CmpIPredicate::Ult, sum[i], counter[i]));
    }
    sum
}

/// Threefry with words of 32 bits: 20 rounds.
fn threefry(e: &mut Emit<'_, '_>, key: [Value; 2], counter: [Value; 2]) -> [Value; 2] {
    const ROTATIONS: [[i128; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];
    let parity = e.int(Type::I32, 0x1BD1_1BDA);
    let both = e.binary(&arith::XORI, key[0], key[1]);
    let keys = [key[0], key[1], e.binary(&arith::XORI, both, parity)];
    let mut x = [0, 1].map(|i| e.binary(&arith::ADDI, counter[i], keys[i]));
    for group in 0..5 {
        for rotation in ROTATIONS[group % 2] {
            x[0] = e.binary(&arith::ADDI, x[0], x[1]);
            let (left, right) = (e.int(Type::I32, rotation), e.int(Type::I32, 32 - rotation));
            let left = e.binary(&arith::SHLI, x[1], left);
            let right = e.binary(&arith::SHRUI, x[1], right);
            let rotated = e.or(left, right);
            x[1] = e.binary(&arith::XORI, x[0], rotated);
        }
        let number = e.int(Type::I32, group as i128 + 1);
        // The same in all iterations of the loop.
        let second = e.binary(&arith::ADDI, keys[(group + 2) % 3], number);
        x[0] = e.binary(&arith::ADDI, x[0], keys[(group + 1) % 3]);
        x[1] = e.binary(&arith::ADDI, x[1], second);
    }
    x
}

/// Philox with four words of 32 bits: 10 rounds.
fn philox(e: &mut Emit<'_, '_>, mut key: [Value; 2], mut x: [Value; 4]) -> [Value; 4] {
    const FACTORS: [i128; 2] = [0xD251_1F53, 0xCD9E_8D57];
    const STEPS: [i128; 2] = [0x9E37_79B9, 0xBB67_AE85];
    for round in 0..10 {
        if round != 0 {
            key = [0, 1].map(|i| {
                let step = e.int(Type::I32, i128::from(STEPS[i] as u32 as i32));
                e.binary(&arith::ADDI, key[i], step)
            });
        }
        let products = [0, 1].map(|i| {
            let factor = e.to(&arith::EXTUI, x[2 * i], Type::I64);
            let constant = e.int(Type::I64, FACTORS[i]);
            let product = e.binary(&arith::MULI, factor, constant);
            words(e, product)
        });
        let mixed = [0, 1].map(|i| {
            let with_word = e.binary(&arith::XORI, products[1 - i][1], x[2 * i + 1]);
            e.binary(&arith::XORI, with_word, key[i])
        });
        x = [mixed[0], products[1][0], mixed[1], products[0][0]];
    }
    x
}

/// Vectors of `n` elements of type `ty`, which `body` computes from the number of an element.
fn generated<const N: usize>(
    b: &mut Builder<'_>,
    n: Dim,
    ty: Type,
    body: &mut dyn FnMut(&mut Emit<'_, '_>, Value) -> [Value; N],
) -> [Value; N] {
    let outputs = [(); N].map(|()| (empty_of(b, &[n], ty), AffineMap::identity(1)));
    let generic = Generic {
        inputs: Vec::new(),
        outputs: outputs.into(),
        parallel: &[true],
    };
    let results = generic.build(b, &mut |b, _| {
        let number = loop_counter(b, 0);
        body(&mut Emit::new(b), number).into()
    });
    results.try_into().expect("an output has a result")
}

/// A word or a number of 64 bits as an element with fewer bits, or as a float of these bits.
fn narrowed(e: &mut Emit<'_, '_>, bits: Value, ty: Type) -> Value {
    let context = e.b.context();
    let of_bits = match e.class_of(ty) {
        Class::Float(kind) => context.integer_type(kind.width()),
        _ => ty,
    };
    let bits = match e.ty(bits) == of_bits {
        true => bits,
        false => e.to(&arith::TRUNCI, bits, of_bits),
    };
    match of_bits == ty {
        true => bits,
        false => e.to(&arith::BITCAST, bits, ty),
    }
}

/// Puts the elements of parts in turn along a dimension of a tensor of these sizes.
fn interleaved(b: &mut Builder<'_>, parts: &[Value], whole: &[Dim], dim: usize) -> Value {
    let of_element = element(b.ir, parts[0]);
    let mut out = empty_of(b, whole, of_element);
    let sum = &mut Sizes::default();
    let n = parts.len() as i64;
    for (i, &part) in parts.iter().enumerate() {
        let known = sizes(b, part);
        // The last parts may have an element less.
        let mut sizes = known.clone();
        let left = sum.sub(b, whole[dim], c(i as i64));
        let left = sum.add(b, left, c(n - 1));
        sizes[dim] = sum.div(b, left, c(n));
        if sizes.contains(&c(0)) {
            continue;
        }
        let ones = vec![1; sizes.len()];
        let part = match sizes == known {
            true => part,
            false => slice_of(b, part, at(&vec![0; sizes.len()]), sizes.clone(), &ones),
        };
        let (mut offsets, mut strides) = (vec![0; sizes.len()], ones);
        offsets[dim] = i as i64;
        strides[dim] = n;
        out = insert_slice(b, part, out, at(&offsets), &strides);
    }
    out
}

/// The sizes of a tensor, the unknown ones of which an operand holds.
fn sizes_with(
    b: &mut Builder<'_>,
    tensor: Value,
    operand: Option<Value>,
) -> Result<Vec<Dim>, Unsupported> {
    let known = shape(b.ir, tensor);
    if !known.contains(&DYNAMIC) {
        return Ok(known.into_iter().map(c).collect());
    }
    let of_operand = operand.map(|operand| indices_in(b, operand));
    let of_operand = of_operand
        .filter(|sizes| sizes.len() == known.len())
        .ok_or("its result has unknown sizes")?;
    let both = known.into_iter().zip(of_operand);
    let sizes = both.map(|(known, size)| match known {
        DYNAMIC => size.into(),
        known => c(known),
    });
    Ok(sizes.collect())
}

/// The elements of a vector in a tensor of these sizes.
fn shaped(b: &mut Builder<'_>, flat: Value, sizes: &[Dim]) -> Value {
    let known = static_values(sizes);
    if !known.contains(&DYNAMIC) {
        return reshape(b, flat, &known);
    }
    if let [_] = sizes {
        return flat;
    }
    let ty = tensor_type(&b.context(), &known, element(b.ir, flat));
    let sizes: Vec<Value> = sizes.iter().map(|size| size.materialize(b)).collect();
    reshape_to(b, flat, &sizes, ty)
}

/// How many elements there are.
fn number_of_elements(b: &mut Builder<'_>, sizes: &[Dim]) -> Dim {
    let sum = &mut Sizes::default();
    let sizes = sizes.iter();
    sizes.fold(c(1), |product, &size| sum.mul(b, product, size))
}

/// Whether a word may be too small to count to `n`.
fn is_large(n: Dim) -> bool {
    !matches!(n, Dim::Constant(n) if n <= i64::from(u32::MAX))
}

/// `n` as a number of 64 bits.
fn counter_of(e: &mut Emit<'_, '_>, n: Dim) -> Value {
    match n {
        Dim::Constant(n) => e.int(Type::I64, n.into()),
        Dim::Value(n) => e.to(&arith::INDEX_CAST, n, Type::I64),
    }
}

/// Of sizes that are known, or that a second operand holds: JAX's call `stablehlo.dynamic_rng_bit_generator`.
fn rng_bit_generator(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    let context = b.context();
    let algorithm = b.ir.attr(op, Name::RNG_ALGORITHM);
    let algorithm = algorithm.and_then(|attr| RngAlgorithm::from_attr(&context, attr));
    let algorithm = algorithm.ok_or("its algorithm is unknown")?;
    let state = b.ir.operand(op, 0);
    let state = as_signless(b, state);
    let n_words = match shape(b.ir, state)[..] {
        [n @ (2 | 3)] if element(b.ir, state) == Type::I64 => n,
        _ => return Err("its state is none of two or three elements of type ui64".into()),
    };
    let result = b.ir.result(op, 1);
    let sizes = b.ir.operands(op).get(1).copied();
    let sizes = sizes_with(b, result, sizes)?;
    let of_element = signless(&context, element(b.ir, result));
    let width = match Emit::new(b).class_of(of_element) {
        Class::Integer(width @ 2..=64) => width,
        Class::Float(kind) => kind.width(),
        _ => return Err("there is none for elements of this type".into()),
    };
    if width > 32 && width != 64 {
        return Err("there is none for elements of this size".into());
    }
    let is_wide = width == 64;
    let parts: Vec<Value> = (0..n_words)
        .map(|i| {
            let i = arith::constant_index(b, i);
            extract(b, state, &[i])
        })
        .collect();
    let key = words(&mut Emit::new(b), parts[0]);
    let (new_parts, bits) = match algorithm {
        RngAlgorithm::ThreeFry if n_words == 2 => {
            let known = static_values(&sizes);
            if known.contains(&DYNAMIC) {
                three_fry_bits_of(b, key, parts[1], &sizes, of_element, is_wide)
            } else {
                three_fry_bits(b, key, parts[1], &known, of_element, is_wide)
            }
        }
        RngAlgorithm::ThreeFry => return Err("its state has not two elements".into()),
        RngAlgorithm::Philox | RngAlgorithm::Default => {
            let counter = match n_words {
                2 => [parts[1], parts[0]],
                _ => [parts[1], parts[2]],
            };
            philox_bits(b, key, counter, &sizes, of_element, is_wide)
        }
    };
    let mut new_state = vec![parts[0]];
    new_state.extend(new_parts);
    new_state.truncate(n_words as usize);
    let state_type = b.ir.value_type(state);
    let new_state = b.value(&tensor::FROM_ELEMENTS, &new_state, state_type);
    Ok(vec![new_state, bits])
}

/// The counter behind the last number that was drawn, and a tensor of random bits. A number gives two elements of up to
/// 32 bits: neighbours along the first dimension of even size, or else along the largest.
fn three_fry_bits(
    b: &mut Builder<'_>,
    key: [Value; 2],
    counter: Value,
    sizes: &[i64],
    of_element: Type,
    is_wide: bool,
) -> (Vec<Value>, Value) {
    let mut half = sizes.to_vec();
    let even = sizes.iter().position(|size| size % 2 == 0);
    let largest = || (0..sizes.len()).rev().max_by_key(|&dim| sizes[dim]);
    let split = if is_wide { None } else { even.or_else(largest) };
    if let Some(dim) = split {
        half[dim] = (sizes[dim] + 1) / 2;
    }
    let n: i64 = half.iter().product();
    let mut e = Emit::new(b);
    let first = words(&mut e, counter);
    let n_drawn = e.int_like(counter, n.into());
    let next = e.binary(&arith::ADDI, counter, n_drawn);
    let n = c(n);
    let drawn = |e: &mut Emit<'_, '_>, number| {
        let counter = counted(e, first, number, is_large(n));
        threefry(e, key, counter)
    };
    let bits = if is_wide || split.is_none() {
        let [flat] = generated(b, n, of_element, &mut |e, number| {
            let drawn = drawn(e, number);
            let bits = if is_wide { joined(e, drawn) } else { drawn[0] };
            [narrowed(e, bits, of_element)]
        });
        reshape(b, flat, sizes)
    } else {
        let flat = generated(b, n, of_element, &mut |e, number| {
            drawn(e, number).map(|word| narrowed(e, word, of_element))
        });
        let parts = flat.map(|part| reshape(b, part, &half));
        interleaved(b, &parts, &at(sizes), split.unwrap_or(0))
    };
    (vec![next], bits)
}

/// The same bits, of sizes that only the run knows, and with them the dimension of neighbours: each element computes the
/// number that it comes from.
fn three_fry_bits_of(
    b: &mut Builder<'_>,
    key: [Value; 2],
    counter: Value,
    sizes: &[Dim],
    of_element: Type,
    is_wide: bool,
) -> (Vec<Value>, Value) {
    let whole: Vec<Value> = sizes.iter().map(|size| size.materialize(b)).collect();
    let one = arith::constant_index(b, 1);
    let mut e = Emit::new(b);
    let splits = if is_wide {
        Vec::new()
    } else {
        split_dimension(&mut e, &whole)
    };
    // How many numbers there are along each dimension.
    let mut drawn_sizes = whole.clone();
    for (size, &is_split) in drawn_sizes.iter_mut().zip(&splits) {
        let more = e.binary(&arith::ADDI, *size, one);
        let half = e.binary(&arith::SHRUI, more, one);
        *size = e.select(is_split, half, *size);
    }
    let first = words(&mut e, counter);
    let n = drawn_sizes
        .iter()
        .fold(one, |n, &size| e.binary(&arith::MULI, n, size));
    let n_drawn = e.to(&arith::INDEX_CAST, n, Type::I64);
    let next = e.binary(&arith::ADDI, counter, n_drawn);
    let out = empty_of(b, sizes, of_element);
    let rank = sizes.len();
    let generic = Generic {
        inputs: Vec::new(),
        outputs: vec![(out, AffineMap::identity(rank))],
        parallel: &vec![true; rank],
    };
    let bits = generic.build(b, &mut |b, _| {
        let mut number = arith::constant_index(b, 0);
        let mut is_second: Option<Value> = None;
        for (dim, &size) in drawn_sizes.iter().enumerate() {
            let mut at = loop_counter(b, dim);
            let mut e = Emit::new(b);
            if let Some(&is_split) = splits.get(dim) {
                let odd = e.and(at, one);
                let odd = e.cmpi(CmpIPredicate::Eq, odd, one);
                let odd = e.and(odd, is_split);
                is_second = Some(match is_second {
                    Some(others) => e.or(others, odd),
                    None => odd,
                });
                let half = e.binary(&arith::SHRUI, at, one);
                at = e.select(is_split, half, at);
            }
            let rows = e.binary(&arith::MULI, number, size);
            number = e.binary(&arith::ADDI, rows, at);
        }
        let mut e = Emit::new(b);
        let counter = counted(&mut e, first, number, true);
        let drawn = threefry(&mut e, key, counter);
        let bits = match is_second {
            Some(is_second) => e.select(is_second, drawn[1], drawn[0]),
            None if is_wide => joined(&mut e, drawn),
            None => drawn[0],
        };
        vec![narrowed(&mut e, bits, of_element)]
    });
    (vec![next], bits[0])
}

/// Whether each dimension is the first one of even size, or the first of the largest if there is none.
fn split_dimension(e: &mut Emit<'_, '_>, sizes: &[Value]) -> Vec<Value> {
    let one = arith::constant_index(e.b, 1);
    let even: Vec<Value> = (sizes.iter())
        .map(|&size| {
            let odd = e.and(size, one);
            e.cmpi(CmpIPredicate::Ne, odd, one)
        })
        .collect();
    let any = |e: &mut Emit<'_, '_>, even: &[Value]| {
        let none = e.int(Type::I1, 0);
        even.iter().fold(none, |any, &even| e.or(any, even))
    };
    let has_even = any(e, &even);
    let is_first = |e: &mut Emit<'_, '_>, dim: usize| {
        let others = any(e, &even[..dim]);
        let no_other = e.not(others);
        e.and(even[dim], no_other)
    };
    let is_largest = |e: &mut Emit<'_, '_>, dim: usize| {
        let all = e.int(Type::I1, 1);
        (0..sizes.len())
            .filter(|&other| other != dim)
            .fold(all, |all, other| {
                let predicate = match other < dim {
                    true => CmpIPredicate::Sgt,
                    false => CmpIPredicate::Sge,
                };
                let holds = e.cmpi(predicate, sizes[dim], sizes[other]);
                e.and(all, holds)
            })
    };
    (0..sizes.len())
        .map(|dim| {
            let (first, largest) = (is_first(e, dim), is_largest(e, dim));
            e.select(has_even, first, largest)
        })
        .collect()
}

/// The counter behind the last number that was drawn, in two parts, and a tensor of random bits. A number gives four
/// elements of up to 32 bits, or two of 64.
fn philox_bits(
    b: &mut Builder<'_>,
    key: [Value; 2],
    counter: [Value; 2],
    sizes: &[Dim],
    of_element: Type,
    is_wide: bool,
) -> (Vec<Value>, Value) {
    let n_elements = number_of_elements(b, sizes);
    let per_number = if is_wide { 2 } else { 4 };
    let n = Sizes::default().ceil_div(b, n_elements, per_number);
    let mut e = Emit::new(b);
    let [low, high] = counter.map(|part| words(&mut e, part));
    let first = [low[0], low[1], high[0], high[1]];
    let n_drawn = counter_of(&mut e, n);
    let next = e.binary(&arith::ADDI, counter[0], n_drawn);
    let carry = e.cmpi(CmpIPredicate::Ult, next, counter[0]);
    let carry = e.to(&arith::EXTUI, carry, Type::I64);
    let next_high = e.binary(&arith::ADDI, counter[1], carry);
    let drawn = |e: &mut Emit<'_, '_>, number| {
        let counter = counted(e, first, number, is_large(n));
        philox(e, key, counter)
    };
    let flat = if is_wide {
        let parts = generated(b, n, of_element, &mut |e, number| {
            let x = drawn(e, number);
            [[x[0], x[1]], [x[2], x[3]]].map(|pair| {
                let bits = joined(e, pair);
                narrowed(e, bits, of_element)
            })
        });
        interleaved(b, &parts, &[n_elements], 0)
    } else {
        let parts = generated(b, n, of_element, &mut |e, number| {
            drawn(e, number).map(|word| narrowed(e, word, of_element))
        });
        interleaved(b, &parts, &[n_elements], 0)
    };
    (vec![next, next_high], shaped(b, flat, sizes))
}

/// Numbers of a distribution, from Threefry with a key that each operation has for itself. They are the same whenever
/// the operation runs.
fn rng(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    let context = b.context();
    let distribution = b.ir.attr(op, Name::RNG_DISTRIBUTION);
    let distribution = distribution.and_then(|attr| RngDistribution::from_attr(&context, attr));
    let distribution = distribution.ok_or("its distribution is unknown")?;
    let result = b.ir.result(op, 0);
    let ty = signless(&context, element(b.ir, result));
    let is_float = matches!(Emit::new(b).class_of(ty), Class::Float(_));
    let is_known = is_float || matches!(Emit::new(b).class_of(ty), Class::Integer(1..=64));
    if !is_known || (distribution == RngDistribution::Normal && !is_float) {
        return Err(scalar::unsupported_types(b.ir, op));
    }
    let sizes = b.ir.operands(op).get(2).copied();
    let sizes = sizes_with(b, result, sizes)?;
    let key = b.ir.n_ops() as i128;
    let bounds = [b.ir.operand(op, 0), b.ir.operand(op, 1)].map(|bound| {
        let bound = as_signless(b, bound);
        extract_scalar(b, bound)
    });
    let n = number_of_elements(b, &sizes);
    let mut e = Emit::new(b);
    let key =
        [key & 0xFFFF_FFFF, key >> 32].map(|word| e.int(Type::I32, i128::from(word as u32 as i32)));
    let zero = e.int(Type::I32, 0);
    let [flat] = generated(b, n, ty, &mut |e, number| {
        let counter = counted(e, [zero, zero], number, is_large(n));
        let drawn = threefry(e, key, counter);
        let number = match (distribution, is_float) {
            (RngDistribution::Normal, _) => normal(e, drawn, bounds),
            (RngDistribution::Uniform, true) => uniform_float(e, drawn, bounds),
            (RngDistribution::Uniform, false) => uniform_integer(e, drawn, bounds),
        };
        [number]
    });
    Ok(vec![shaped(b, flat, &sizes)])
}

/// The type that floats of a type are computed in.
fn computed_in(ty: Type) -> Type {
    match ty {
        Type::F64 => Type::F64,
        _ => Type::F32,
    }
}

fn converted(e: &mut Emit<'_, '_>, x: Value, ty: Type) -> Value {
    let width = |e: &Emit<'_, '_>, ty| match e.class_of(ty) {
        Class::Float(kind) => kind.width(),
        _ => 0,
    };
    let (from, to) = (e.ty(x), ty);
    match width(e, from).cmp(&width(e, to)) {
        std::cmp::Ordering::Equal => x,
        std::cmp::Ordering::Less => e.to(&arith::EXTF, x, ty),
        std::cmp::Ordering::Greater => e.to(&arith::TRUNCF, x, ty),
    }
}

/// Two numbers from 0 up to 1, without 1, in the format of `ty`: multiples of 2^-24 or of 2^-32.
fn units(e: &mut Emit<'_, '_>, drawn: [Value; 2], ty: Type) -> [Value; 2] {
    let n_bits = if ty == Type::F64 { 32 } else { 24 };
    drawn.map(|word| {
        let dropped = e.int(Type::I32, 32 - n_bits);
        let bits = match n_bits {
            32 => e.to(&arith::EXTUI, word, Type::I64),
            _ => e.binary(&arith::SHRUI, word, dropped),
        };
        let number = e.to(&arith::SITOFP, bits, ty);
        let scale = e.float_like(number, (-(n_bits as f64)).exp2());
        e.binary(&arith::MULF, number, scale)
    })
}

fn uniform_float(e: &mut Emit<'_, '_>, drawn: [Value; 2], bounds: [Value; 2]) -> Value {
    let ty = e.ty(bounds[0]);
    let inner = computed_in(ty);
    let [low, high] = bounds.map(|bound| converted(e, bound, inner));
    let mut unit = units(e, drawn, inner)[0];
    if inner == Type::F64 {
        // Of 52 bits.
        let bits = joined(e, drawn);
        let dropped = e.int(Type::I64, 12);
        let bits = e.binary(&arith::SHRUI, bits, dropped);
        let number = e.to(&arith::SITOFP, bits, inner);
        let scale = e.float_like(number, (-52f64).exp2());
        unit = e.binary(&arith::MULF, number, scale);
    }
    let range = e.binary(&arith::SUBF, high, low);
    let product = e.binary(&arith::MULF, unit, range);
    let sum = e.binary(&arith::ADDF, product, low);
    let number = converted(e, sum, ty);
    // Rounded up to the end of the range, it is outside.
    let is_outside = e.cmpf(CmpFPredicate::Oge, number, bounds[1]);
    e.select(is_outside, bounds[0], number)
}

/// The remainder of 64 bits by the size of the range.
fn uniform_integer(e: &mut Emit<'_, '_>, drawn: [Value; 2], bounds: [Value; 2]) -> Value {
    let ty = e.ty(bounds[0]);
    let is_wide = ty == Type::I64;
    let range = e.binary(&arith::SUBI, bounds[1], bounds[0]);
    let range = if is_wide {
        range
    } else {
        e.to(&arith::EXTUI, range, Type::I64)
    };
    // An empty range is undefined behavior, but not a division by zero.
    let one = e.int(Type::I64, 1);
    let range = e.binary(&arith::MAXUI, range, one);
    let bits = joined(e, drawn);
    let rest = e.binary(&arith::REMUI, bits, range);
    let rest = if is_wide {
        rest
    } else {
        e.to(&arith::TRUNCI, rest, ty)
    };
    e.binary(&arith::ADDI, bounds[0], rest)
}

/// The Box-Muller transform.
fn normal(e: &mut Emit<'_, '_>, drawn: [Value; 2], [mean, deviation]: [Value; 2]) -> Value {
    let ty = e.ty(mean);
    let inner = computed_in(ty);
    let [mean, deviation] = [mean, deviation].map(|x| converted(e, x, inner));
    let [u, v] = units(e, drawn, inner);
    // From above 0 up to 1, so that there is a logarithm.
    let one = e.float_like(u, 1.0);
    let u = e.binary(&arith::SUBF, one, u);
    let log = e.unary(&math::LOG, u);
    let minus_two = e.float_like(u, -2.0);
    let square = e.binary(&arith::MULF, log, minus_two);
    let radius = e.unary(&math::SQRT, square);
    let circle = e.float_like(v, std::f64::consts::TAU);
    let angle = e.binary(&arith::MULF, v, circle);
    let cosine = e.unary(&math::COS, angle);
    let standard = e.binary(&arith::MULF, radius, cosine);
    let scaled = e.binary(&arith::MULF, standard, deviation);
    let number = e.binary(&arith::ADDF, scaled, mean);
    converted(e, number, ty)
}
