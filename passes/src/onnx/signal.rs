//! Spectra, windows, losses, and random numbers.

use freehold_frontend::dialects::arith::{self, CmpIPredicate};
use freehold_frontend::dialects::onnx::rows as onnx;
use freehold_frontend::dialects::stablehlo::elementwise as sh;
use freehold_frontend::dialects::{chlo, math};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::Type;

use super::convert_onnx_to_stablehlo::Row;
use super::graph::{Cx, Fold};
use super::node::{Lowered, Node, Refused, axis};
use super::reductions::{place, softmax};
use super::sizes::{Dim, c};
use crate::rewrite::formula::{F, Unary, choose, repeat, x};
use crate::rewrite::tensors::extract;

pub(super) const ROWS: &[Row] = &[
    (&onnx::BERNOULLI, bernoulli),
    (&onnx::BLACKMAN_WINDOW, |cx, n| {
        window(cx, n, &[0.42, -0.5, 0.08])
    }),
    (&onnx::DFT, dft),
    (&onnx::HAMMING_WINDOW, |cx, n| {
        window(cx, n, &[25.0 / 46.0, -21.0 / 46.0])
    }),
    (&onnx::HANN_WINDOW, |cx, n| window(cx, n, &[0.5, -0.5])),
    (&onnx::MEL_WEIGHT_MATRIX, mel_weight_matrix),
    (&onnx::NEGATIVE_LOG_LIKELIHOOD_LOSS, |cx, n| {
        let value = n.x(0)?;
        Ok(vec![likelihood_loss(cx, n, value)?])
    }),
    (&onnx::RANDOM_NORMAL, |cx, n| {
        let dims = attribute_shape(n)?;
        Ok(vec![random(
            cx,
            n,
            &dims,
            n.ty("dtype").unwrap_or(Type::F32),
            true,
        )?])
    }),
    (&onnx::RANDOM_NORMAL_LIKE, |cx, n| like(cx, n, true)),
    (&onnx::RANDOM_UNIFORM, |cx, n| {
        let dims = attribute_shape(n)?;
        Ok(vec![random(
            cx,
            n,
            &dims,
            n.ty("dtype").unwrap_or(Type::F32),
            false,
        )?])
    }),
    (&onnx::RANDOM_UNIFORM_LIKE, |cx, n| like(cx, n, false)),
    (&onnx::SOFTMAX_CROSS_ENTROPY_LOSS, |cx, n| {
        let value = softmax(cx, n.x(0)?, &[1], true)?;
        let loss = likelihood_loss(cx, n, value)?;
        Ok(vec![loss, value])
    }),
    (&onnx::STFT, stft),
];

/// A sum of cosines.
fn window(cx: &mut Cx<'_>, n: &Node, weights: &[f64]) -> Lowered {
    let ty = n.ty("output_datatype").unwrap_or(Type::F32);
    let size = cx.size_in(n.x(0)?)?;
    let period = match n.flag("periodic", true) {
        true => size,
        false => cx.sub(size, c(1)),
    };
    let value = cx.generate(&[size], Type::F64, &mut |b, index| {
        let at = x(index[0]).apply(Unary::ToNumber(Type::F64));
        let period = F::from(period).apply(Unary::ToNumber(Type::F64));
        let angle = (at * std::f64::consts::TAU / period).build(b);
        let mut sum = F::from(weights[0]).real_as(Type::F64);
        for (i, &weight) in weights.iter().enumerate().skip(1) {
            let angle = (x(angle) * (i as f64)).build(b);
            let cosine = b.value(&math::COS, &[angle], Type::F64);
            sum = sum + x(cosine) * weight;
        }
        sum.build_as(b, Type::F64)
    });
    Ok(vec![cx.convert(value, ty)?])
}

/// [`mel_weight_matrix`] of numbers that are known at run time.
fn open_mel_weight_matrix(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let mut sizes = Vec::new();
    for i in 0..3 {
        sizes.push(cx.size_in(n.x(i)?)?);
    }
    let [bins, length, rate] = sizes[..] else {
        return Err("it has no three sizes".into());
    };
    let mut mel = Vec::new();
    for i in 3..5 {
        let hertz = cx.convert(n.x(i)?, Type::F64)?;
        let hertz = cx.reshape(hertz, &[])?;
        let text = "2595 * log1p(x / 700) / 2.302585092994046";
        mel.push(cx.formula(text, &[("x", hertz.into())])?);
    }
    let points = cx.add(bins, c(2));
    let number = cx.generate(&[points], Type::F64, &mut |b, index| {
        x(index[0]).apply(Unary::ToNumber(Type::F64)).build(b)
    });
    let mut terms = vec![
        ("i", number.into()),
        ("l", mel[0].into()),
        ("h", mel[1].into()),
    ];
    for (name, size) in [("n", points), ("d", length), ("r", rate)] {
        terms.push((name, cx.dim_as(size, Type::F64)?.into()));
    }
    let text =
        "floor((d + 1) * 700 * expm1((i * ((h - l) / n) + l) / 2595 * 2.302585092994046) / r)";
    let points = cx.formula(text, &terms)?;
    let points = cx.convert(points, Type::I64)?;
    let half = cx.div(length, c(2));
    let rows = cx.add(half, c(1));
    let value = cx.generate(&[rows, bins], Type::F64, &mut |b, index| {
        let row = x(index[0]);
        let [left, center, right] = [0, 1, 2].map(|i| {
            let at = (x(index[1]) + i).build(b);
            let number = extract(b, points, &[at]);
            x(b.value(&arith::INDEX_CAST, &[number], Type::INDEX))
        });
        let real = |number: F| number.apply(Unary::ToNumber(Type::F64));
        let up = real(row.clone() - left.clone()) / real(center.clone() - left.clone());
        let down = real(right.clone() - row.clone()) / real(right.clone() - center.clone());
        let at_most = |p: F, q: F| p.is(CmpIPredicate::Sle, q);
        let rises = at_most(left.clone(), row.clone()).and(at_most(row.clone(), center.clone()));
        let falls = at_most(center.clone(), row.clone()).and(row.clone().less(right));
        let is_point = left.equal(center.clone()).and(row.equal(center));
        let zero = F::from(0.0).real_as(Type::F64);
        let one = F::from(1.0).real_as(Type::F64);
        let sides = falls.select(
            down,
            rises.select(is_point.clone().select(one.clone(), up), zero),
        );
        is_point.select(one, sides).build(b)
    });
    let ty = n.ty("output_datatype").unwrap_or(Type::F32);
    Ok(vec![cx.convert(value, ty)?])
}

fn mel_weight_matrix(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    for i in 0..5 {
        if cx.constant_number(n.x(i)?).is_none() {
            return open_mel_weight_matrix(cx, n);
        }
    }
    let number = |cx: &Cx<'_>, index: usize| {
        let number = n.opt(index).and_then(|value| cx.constant_number(value));
        number.ok_or_else(|| Refused("an operand is known only at run time".into()))
    };
    let integer = |cx: &mut Cx<'_>, index: usize| match cx.size_in(n.x(index)?)? {
        Dim::Constant(number) => Ok(number),
        Dim::Value(_) => Err(Refused("an operand is known only at run time".into())),
    };
    let (bins, length, rate) = (integer(cx, 0)?, integer(cx, 1)?, integer(cx, 2)?);
    let (lower, upper) = (number(cx, 3)?, number(cx, 4)?);
    let ty = n.ty("output_datatype").unwrap_or(Type::F32);
    let mel = |hertz: f64| 2595.0 * (hertz / 700.0).ln_1p() / 10f64.ln();
    let (low, high) = (mel(lower), mel(upper));
    let step = (high - low) / (bins + 2) as f64;
    let frequencies: Vec<i64> = (0..bins + 2)
        .map(|i| {
            let mel = i as f64 * step + low;
            let hertz = 700.0 * (mel / 2595.0 * 10f64.ln()).exp_m1();
            ((length + 1) as f64 * hertz / rate as f64).floor() as i64
        })
        .collect();
    let rows = length / 2 + 1;
    let mut all = vec![0.0; (rows * bins) as usize];
    let mut set = |row: i64, column: usize, number: f64| {
        let at = row * bins + column as i64;
        if let Some(slot) = usize::try_from(at).ok().and_then(|at| all.get_mut(at)) {
            *slot = number;
        }
    };
    for i in 0..bins as usize {
        let [left, center, right] = [frequencies[i], frequencies[i + 1], frequencies[i + 2]];
        match center - left {
            0 => set(center, i, 1.0),
            width => {
                for j in left..=center {
                    set(j, i, (j - left) as f64 / width as f64);
                }
            }
        }
        for j in center..right {
            set(j, i, (right - j) as f64 / (right - center) as f64);
        }
    }
    Ok(vec![cx.numbers(&[rows, bins], ty, &all)])
}

/// A dimension, or for each dimension whether it is the one.
enum At {
    Known(usize),
    Flags(Vec<Value>),
}

impl At {
    /// What belongs to the dimension.
    fn of(&self, all: &[F]) -> F {
        match self {
            Self::Known(dim) => all[*dim].clone(),
            Self::Flags(flags) => flags
                .iter()
                .zip(all)
                .fold(F::from(0), |sum, (&flag, part)| {
                    sum + x(flag).select(part.clone(), 0)
                }),
        }
    }

    /// The list with something else for the dimension.
    fn replaced(&self, all: &mut [F], other: &F) {
        match self {
            Self::Known(dim) => all[*dim] = other.clone(),
            Self::Flags(flags) => {
                for (&flag, part) in flags.iter().zip(all) {
                    *part = x(flag).select(other.clone(), part.clone());
                }
            }
        }
    }
}

/// The discrete Fourier transform along a dimension of a tensor whose last dimension holds one or two parts.
fn transformed(
    cx: &mut Cx<'_>,
    value: Value,
    at_dim: &At,
    length: Dim,
    inverse: bool,
    onesided: bool,
) -> Result<Value, Refused> {
    let ty = cx.element(value);
    let dims = cx.dims(value);
    let last = dims.len() - 1;
    let Dim::Constant(parts) = dims[last] else {
        return Err("whether its operand is complex is known only at run time".into());
    };
    // Of one sided spectra the other side follows: of reals one is made, the inverse makes reals.
    let count = match (onesided, inverse) {
        (true, false) => {
            let half = cx.div(length, c(2));
            cx.add(half, c(1))
        }
        _ => length,
    };
    let restores = onesided && inverse;
    let mut to = dims.clone();
    let sizes: Vec<F> = dims.iter().map(|&dim| F::from(dim)).collect();
    let size = match at_dim {
        At::Known(dim) => {
            to[*dim] = count;
            dims[*dim]
        }
        At::Flags(_) => {
            let mut all = sizes.clone();
            at_dim.replaced(&mut all, &F::from(count));
            to = all
                .into_iter()
                .map(|size| Dim::Value(size.build(&mut cx.b)))
                .collect();
            at_dim.of(&sizes).build(&mut cx.b).into()
        }
    };
    to[last] = c(if restores { 1 } else { 2 });
    let zero = cx.scalar(ty, 0.0);
    let wide = if ty == Type::F64 {
        Type::F64
    } else {
        Type::F32
    };
    // Angles are multiples of one; their cosines and sines are a table, made in f64.
    let table = |cx: &mut Cx<'_>, def: &'static freehold_frontend::ir::op_def::OpDef| {
        let value = cx.generate(&[length], Type::F64, &mut |b, index| {
            let at = x(index[0]).apply(Unary::ToNumber(Type::F64));
            let length = F::from(length).apply(Unary::ToNumber(Type::F64));
            let angle = (at * std::f64::consts::TAU / length).build(b);
            b.value(def, &[angle], Type::F64)
        });
        cx.convert(value, wide)
    };
    let (cosines, sines) = (table(cx, &math::COS)?, table(cx, &math::SIN)?);
    let (cosines, sines) = (cx.convert(cosines, ty)?, cx.convert(sines, ty)?);
    let sign = if inverse { 1.0 } else { -1.0 };
    let bound = match restores {
        true => length,
        false => cx.min(size, length),
    };
    Ok(cx.generate(&to, ty, &mut |b, index| {
        let part = index[last];
        let sum = repeat(b, 0, bound, &[zero], |b, k, carried| {
            let all: Vec<F> = index.iter().map(|&index| x(index)).collect();
            let turn = (x(k) * at_dim.of(&all)).floor_rem(F::from(length)).build(b);
            let cosine = x(extract(b, cosines, &[turn]));
            let sine = x(extract(b, sines, &[turn])) * sign;
            let mut at: Vec<F> = index.iter().map(|&index| x(index)).collect();
            // The other side is the conjugate.
            let half = x(k).less(F::from(size));
            let mirrored = F::from(length) - k;
            let place = match restores {
                true => half.clone().select(x(k), mirrored),
                false => x(k),
            };
            let place = x(place.build(b));
            at_dim.replaced(&mut at, &place);
            let read = |part: i64| {
                let mut at = at.clone();
                at[last] = F::from(part);
                F::Element(value, at)
            };
            let real = x(read(0).build(b));
            let imaginary = match parts {
                2 => {
                    let number = x(read(1).build(b));
                    match restores {
                        true => half.select(number.clone(), -number),
                        false => number,
                    }
                }
                _ => F::from(0.0).real_as(ty),
            };
            let imaginary = x(imaginary.build_as(b, ty));
            let first = real.clone() * cosine.clone() - imaginary.clone() * sine.clone();
            let second = real * sine + imaginary * cosine;
            let term = x(part).equal(0).select(first, second);
            vec![(x(carried[0]) + term).build(b)]
        })[0];
        match inverse {
            true => {
                let length = F::from(length).apply(Unary::ToNumber(ty));
                (x(sum) / length).build(b)
            }
            false => sum,
        }
    }))
}

fn dft(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let rank = cx.rank(value);
    let at = match n.opt(2) {
        Some(at) => cx.size_in(at)?,
        None if n.opset >= 20 => c(-2),
        None => c(n.int("axis", 1)),
    };
    let at = match at {
        Dim::Constant(at) => At::Known(axis(at, rank)?),
        at => At::Flags(cx.axis_flags(&[at], rank)),
    };
    let inverse = n.flag("inverse", false);
    let onesided = n.flag("onesided", false);
    let length = match n.opt(1) {
        Some(length) => cx.size_in(length)?,
        None => {
            let dims = cx.dims(value);
            let size = match &at {
                At::Known(dim) => dims[*dim],
                At::Flags(_) => {
                    let sizes: Vec<F> = dims.iter().map(|&dim| F::from(dim)).collect();
                    at.of(&sizes).build(&mut cx.b).into()
                }
            };
            match onesided && inverse {
                true => {
                    let size = cx.sub(size, c(1));
                    cx.mul(size, c(2))
                }
                false => size,
            }
        }
    };
    Ok(vec![transformed(
        cx, value, &at, length, inverse, onesided,
    )?])
}

fn stft(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let mut signal = n.x(0)?;
    if cx.rank(signal) == 2 {
        signal = cx.unsqueeze(signal, &[2])?;
    }
    let [batch, samples, parts] = cx.dims(signal)[..] else {
        return Err("its operand has not 3 dimensions".into());
    };
    let step = cx.size_in(n.x(1)?)?;
    let size = match (n.opt(3), n.opt(2)) {
        (Some(length), _) => cx.size_in(length)?,
        (None, Some(window)) => cx.dim(window, 0),
        _ => return Err("it has neither a window nor a length".into()),
    };
    let frames = cx.sub(samples, size);
    let frames = cx.div(frames, step);
    let frames = cx.add(frames, c(1));
    let framed = cx.pick(signal, &[batch, frames, size, parts], &mut |b, index| {
        let at = (x(index[1]) * step + index[2]).build(b);
        vec![index[0], at, index[3]]
    });
    let framed = match n.opt(2) {
        Some(window) => {
            let window = cx.unsqueeze(window, &[1])?;
            cx.ew(&sh::MULTIPLY, &[framed, window])?
        }
        None => framed,
    };
    let onesided = n.flag("onesided", true);
    Ok(vec![transformed(
        cx,
        framed,
        &At::Known(2),
        size,
        false,
        onesided,
    )?])
}

fn likelihood_loss(cx: &mut Cx<'_>, n: &Node, value: Value) -> Result<Value, Refused> {
    let target = n.x(1)?;
    let ty = cx.element(value);
    let dims = cx.dims(target);
    let classes = cx.dim(value, 1);
    let ignored = n.opt_int("ignore_index");
    let reduction = n.text("reduction", "mean");
    let zero = cx.scalar(ty, 0.0);
    let ones = cx.scalar(ty, 1.0);
    let source_weights = n.opt(2);
    let mut parts = Vec::new();
    // The weight of each target, and its loss.
    for is_loss in [false, true] {
        parts.push(cx.generate(&dims, ty, &mut |b, index| {
            let number = extract(b, target, index);
            let class = b.value(&arith::INDEX_CAST, &[number], Type::INDEX);
            let taken = match ignored {
                Some(ignored) => x(class).is(CmpIPredicate::Ne, F::from(ignored)),
                None => F::from(0).equal(0),
            };
            let compute = |b: &mut Builder<'_>| {
                let class = place(b, class, classes);
                let weight = match source_weights {
                    Some(weights) => extract(b, weights, &[class]),
                    None => ones,
                };
                if !is_loss {
                    return vec![weight];
                }
                let mut at = index.to_vec();
                at.insert(1, class);
                let number = extract(b, value, &at);
                vec![(-(x(number) * weight)).build(b)]
            };
            choose(b, taken, &[ty], compute, |_| vec![zero])[0]
        }));
    }
    let (weights, losses) = (parts[0], parts[1]);
    let all: Vec<usize> = (0..dims.len()).collect();
    Ok(match reduction.as_str() {
        "none" => losses,
        "sum" => cx.reduce(losses, Fold::Add, &all),
        _ => {
            let sum = cx.reduce(losses, Fold::Add, &all);
            let count = cx.reduce(weights, Fold::Add, &all);
            cx.ew(&sh::DIVIDE, &[sum, count])?
        }
    })
}

fn attribute_shape(n: &Node) -> Result<Vec<Dim>, Refused> {
    let shape = n.ints("shape").ok_or("it has no 'shape'")?;
    Ok(shape.into_iter().map(c).collect())
}

/// Numbers between 0 and 1 that depend on the seed and the place: a hash of both.
pub(super) fn uniform(cx: &mut Cx<'_>, n: &Node, dims: &[Dim]) -> Value {
    // Without a seed, operators differ by their number.
    cx.n_random += 1;
    let seed = match n.opt_float("seed") {
        Some(seed) => seed.to_bits(),
        None => cx.n_random.wrapping_mul(0x9E37_79B9_7F4A_7C15),
    };
    let i64_constant = |b: &mut Builder<'_>, number: u64| {
        arith::constant_int(b, Type::I64, i128::from(number as i64))
    };
    cx.generate(dims, Type::F64, &mut |b, index| {
        let mut at = F::from(0);
        for (&index, &size) in index.iter().zip(dims) {
            at = at * size + index;
        }
        let at = at.build(b);
        let mut bits = b.value(&arith::INDEX_CAST, &[at], Type::I64);
        // SplitMix64: a counter in large steps, then its bits mixed.
        let step = i64_constant(b, 0x9E37_79B9_7F4A_7C15);
        let seed = i64_constant(b, seed);
        let one = i64_constant(b, 1);
        bits = b.value(&arith::ADDI, &[bits, one], Type::I64);
        bits = b.value(&arith::MULI, &[bits, step], Type::I64);
        bits = b.value(&arith::ADDI, &[bits, seed], Type::I64);
        for (shift, factor) in [
            (30, 0xBF58_476D_1CE4_E5B9),
            (27, 0x94D0_49BB_1331_11EB),
            (31, 1),
        ] {
            let shift = i64_constant(b, shift);
            let high = b.value(&arith::SHRUI, &[bits, shift], Type::I64);
            bits = b.value(&arith::XORI, &[bits, high], Type::I64);
            let factor = i64_constant(b, factor);
            bits = b.value(&arith::MULI, &[bits, factor], Type::I64);
        }
        let shift = i64_constant(b, 11);
        let bits = b.value(&arith::SHRUI, &[bits, shift], Type::I64);
        let number = b.value(&arith::UITOFP, &[bits], Type::F64);
        (x(number) * (1.0 / (1u64 << 53) as f64)).build(b)
    })
}

fn random(
    cx: &mut Cx<'_>,
    n: &Node,
    dims: &[Dim],
    ty: Type,
    normal: bool,
) -> Result<Value, Refused> {
    let number = uniform(cx, n, dims);
    let terms = match normal {
        true => {
            // By the inverse of the distribution, of the middle of each step.
            let half = 0.5 / (1u64 << 53) as f64;
            let terms = [("x", number.into()), ("h", half.into())];
            let moved = cx.formula("2 * (x + h) - 1", &terms)?;
            let normal = cx.ew(&chlo::ERF_INV, &[moved])?;
            let scale = n.float("scale", 1.0) * std::f64::consts::SQRT_2;
            [
                ("x", normal.into()),
                ("s", scale.into()),
                ("m", n.float("mean", 0.0).into()),
            ]
        }
        false => {
            let (low, high) = (n.float("low", 0.0), n.float("high", 1.0));
            [
                ("x", number.into()),
                ("s", (high - low).into()),
                ("m", low.into()),
            ]
        }
    };
    let value = cx.formula("x * s + m", &terms)?;
    cx.convert(value, ty)
}

fn like(cx: &mut Cx<'_>, n: &Node, normal: bool) -> Lowered {
    let value = n.x(0)?;
    let dims = cx.dims(value);
    let ty = match n.ty("dtype") {
        Some(ty) => ty,
        None => cx.element(value),
    };
    Ok(vec![random(cx, n, &dims, ty, normal)?])
}

fn bernoulli(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let dims = cx.dims(value);
    let ty = match n.ty("dtype") {
        Some(ty) => ty,
        None => cx.element(value),
    };
    let chance = cx.convert(value, Type::F64)?;
    let number = uniform(cx, n, &dims);
    let taken = cx.formula("x < p", &[("x", number.into()), ("p", chance.into())])?;
    Ok(vec![cx.convert(taken, ty)?])
}
