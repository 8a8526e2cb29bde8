//! Attention, rotary positions, and recurrences that stand in for attention.

use freehold_frontend::dialects::arith::{self, CmpIPredicate};
use freehold_frontend::dialects::onnx::rows as onnx;
use freehold_frontend::dialects::stablehlo::elementwise as sh;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::{DYNAMIC, Type};

use super::convert_onnx_to_stablehlo::Row;
use super::graph::{Cx, Fold};
use super::node::{Lowered, Node, Refused};
use super::products::matmul;
use super::sizes::{Dim, c};
use crate::rewrite::formula::{F, x};
use crate::rewrite::tensors::{extract, shape};

pub(super) const ROWS: &[Row] = &[
    (&onnx::ATTENTION, attention),
    (&onnx::CAUSAL_CONV_WITH_STATE, causal_conv),
    (&onnx::LINEAR_ATTENTION, linear_attention),
    (&onnx::ROTARY_EMBEDDING, |cx, n| {
        let numbers = Rotary {
            interleaved: n.flag("interleaved", false),
            size: n.int("rotary_embedding_dim", 0),
            heads: n.int("num_heads", 0),
        };
        Ok(vec![rotary(
            cx,
            n.x(0)?,
            [n.x(1)?, n.x(2)?],
            n.opt(3),
            &numbers,
        )?])
    }),
];

/// `[batch, length, heads * size]` as `[batch, heads, length, size]`.
pub(super) fn split_heads(cx: &mut Cx<'_>, value: Value, heads: i64) -> Result<Value, Refused> {
    let [batch, length, width] = cx.dims(value)[..] else {
        return Err("an operand has not 3 dimensions".into());
    };
    if heads < 1 {
        return Err("it does not say how many heads it has".into());
    }
    let size = cx.div(width, c(heads));
    let value = cx.reshape(value, &[batch, length, c(heads), size])?;
    Ok(cx.transpose(value, &[0, 2, 1, 3]))
}

/// The other way round.
pub(super) fn join_heads(cx: &mut Cx<'_>, value: Value) -> Result<Value, Refused> {
    let value = cx.transpose(value, &[0, 2, 1, 3]);
    let dims = cx.dims(value);
    let width = cx.mul(dims[2], dims[3]);
    cx.reshape(value, &[dims[0], dims[1], width])
}

/// Each head of a tensor `[batch, heads, ...]` several times in a row, until there are `heads`.
pub(super) fn repeat_heads(cx: &mut Cx<'_>, value: Value, heads: Dim) -> Result<Value, Refused> {
    let dims = cx.dims(value);
    if dims[1] == heads {
        return Ok(value);
    }
    let times = cx.div(heads, dims[1]);
    let mut wide = dims.clone();
    wide.insert(2, times);
    let places: Vec<usize> = (0..dims.len())
        .map(|dim| dim + usize::from(dim > 1))
        .collect();
    let value = cx.broadcast_in(value, &places, &wide);
    let mut to = dims;
    to[1] = heads;
    cx.reshape(value, &to)
}

/// Softmax over the last dimension; rows in which nothing is seen become zeros.
pub(super) fn masked_softmax(cx: &mut Cx<'_>, scores: Value) -> Result<Value, Refused> {
    let last = cx.rank(scores) - 1;
    let most = cx.reduce_kept(scores, Fold::Max, &[last])?;
    let terms = [("m", most.into()), ("l", f64::NEG_INFINITY.into())];
    let most = cx.formula("select(m == l, 0, m)", &terms)?;
    let powers = cx.formula("exp(x - m)", &[("x", scores.into()), ("m", most.into())])?;
    let sum = cx.reduce_kept(powers, Fold::Add, &[last])?;
    let terms = [("x", powers.into()), ("s", sum.into())];
    cx.formula("x / select(s == 0, 1, s)", &terms)
}

/// The bias that hides elements for which a condition on batch, row and column does not hold.
type Seen<'s> =
    &'s mut dyn FnMut(&mut freehold_frontend::ir::builder::Builder<'_>, [Value; 3]) -> F;

fn hidden_where(
    cx: &mut Cx<'_>,
    dims: [Dim; 3],
    ty: Type,
    seen: Seen<'_>,
) -> Result<Value, Refused> {
    let (zero, least) = (cx.scalar(ty, 0.0), cx.scalar(ty, f64::NEG_INFINITY));
    let bias = cx.generate(&dims, ty, &mut |b, index| {
        seen(b, [index[0], index[1], index[2]])
            .select(zero, least)
            .build(b)
    });
    cx.unsqueeze(bias, &[1])
}

fn attention(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let (mut q, mut k, mut v) = (n.x(0)?, n.x(1)?, n.x(2)?);
    let ty = cx.element(q);
    let is_flat = cx.rank(q) == 3;
    if is_flat {
        q = split_heads(cx, q, n.int("q_num_heads", 0))?;
        k = split_heads(cx, k, n.int("kv_num_heads", 0))?;
        v = split_heads(cx, v, n.int("kv_num_heads", 0))?;
    }
    let past = match n.opt(4) {
        Some(past) => {
            let length = cx.dim(past, 2);
            k = cx.concat(&[past, k], 2)?;
            let past = n.x(5)?;
            v = cx.concat(&[past, v], 2)?;
            Some(length)
        }
        None => None,
    };
    let (present_k, present_v) = (k, v);
    let [batch, heads, rows, size] = cx.dims(q)[..] else {
        return Err("its operands have not 4 dimensions".into());
    };
    let columns = cx.dim(k, 2);
    // Scores.
    let scale = match n.opt_float("scale") {
        Some(scale) => cx.lit(ty, scale.sqrt()),
        None => {
            let size = cx.dim_as(size, Type::F32)?;
            let scale = cx.formula("sqrt(1 / sqrt(x))", &[("x", size.into())])?;
            cx.convert(scale, ty)?
        }
    };
    k = repeat_heads(cx, k, heads)?;
    v = repeat_heads(cx, v, heads)?;
    let q = cx.ew(&sh::MULTIPLY, &[q, scale])?;
    let k = cx.ew(&sh::MULTIPLY, &[k, scale])?;
    let k = cx.transpose(k, &[0, 1, 3, 2]);
    let raw = matmul(cx, q, k, ty)?;
    let softcap = n.float("softcap", 0.0);
    let capped = match softcap > 0.0 {
        true => {
            let terms = [("x", raw.into()), ("c", softcap.into())];
            cx.formula("tanh(x / c) * c", &terms)?
        }
        false => raw,
    };
    // What is added to them.
    let mut scores = capped;
    if let Some(mask) = n.opt(3) {
        let mask = mask_bias(cx, mask, columns, ty)?;
        scores = cx.ew(&sh::ADD, &[scores, mask])?;
    }
    let lengths = n.opt(6);
    let is_causal = n.flag("is_causal", false);
    let (left, right) = (
        n.int("left_window_size", -1),
        n.int("right_window_size", -1),
    );
    if is_causal || left >= 0 || right >= 0 {
        let of_batch = lengths.filter(|_| past.is_none());
        let offset = past.unwrap_or(c(0));
        let first = if of_batch.is_some() { batch } else { c(1) };
        let bias = hidden_where(cx, [first, rows, columns], ty, &mut |b,
                                                                      [
            batch,
            row,
            column,
        ]| {
            let offset = match of_batch {
                Some(lengths) => {
                    let length = extract(b, lengths, &[batch]);
                    let length = b.value(&arith::INDEX_CAST, &[length], Type::INDEX);
                    x(length) - rows
                }
                None => F::from(offset),
            };
            let distance = x(((x(row) + offset) - column).build(b));
            let mut seen: Option<F> = None;
            let checks = [
                is_causal.then(|| distance.clone().is(CmpIPredicate::Sge, F::from(0))),
                (left >= 0).then(|| distance.clone().is(CmpIPredicate::Sle, F::from(left))),
                (right >= 0).then(|| distance.clone().is(CmpIPredicate::Sge, F::from(-right))),
            ];
            for check in checks.into_iter().flatten() {
                seen = Some(match seen {
                    Some(seen) => seen.and(check),
                    None => check,
                });
            }
            seen.unwrap_or_else(|| F::from(0).equal(0))
        })?;
        scores = cx.ew(&sh::ADD, &[scores, bias])?;
    }
    if let Some(lengths) = lengths {
        let bias = hidden_where(
            cx,
            [batch, c(1), columns],
            ty,
            &mut |b, [batch, _, column]| {
                let length = extract(b, lengths, &[batch]);
                let length = b.value(&arith::INDEX_CAST, &[length], Type::INDEX);
                x(column).less(length)
            },
        )?;
        scores = cx.ew(&sh::ADD, &[scores, bias])?;
    }
    let precision = n.ty("softmax_precision").unwrap_or(ty);
    let wide = cx.convert(scores, precision)?;
    let weights = masked_softmax(cx, wide)?;
    let weights = cx.convert(weights, ty)?;
    let mut result = matmul(cx, weights, v, ty)?;
    if is_flat {
        result = join_heads(cx, result)?;
    }
    let shown = match n.int("qk_matmul_output_mode", 0) {
        0 => raw,
        1 => capped,
        2 => scores,
        _ => weights,
    };
    Ok(vec![result, present_k, present_v, shown])
}

/// A mask as something to add to scores, with columns that it lacks hidden.
pub(super) fn mask_bias(
    cx: &mut Cx<'_>,
    mask: Value,
    columns: Dim,
    ty: Type,
) -> Result<Value, Refused> {
    let mut bias = match cx.element(mask) == Type::I1 {
        true => {
            let (zero, least) = (cx.lit(ty, 0.0), cx.lit(ty, f64::NEG_INFINITY));
            cx.select(mask, zero, least)?
        }
        false => cx.convert(mask, ty)?,
    };
    let last = cx.rank(bias) - 1;
    let have = cx.dim(bias, last);
    if have != columns && have != c(1) {
        let missing = cx.sub(columns, have);
        if missing.static_value() != DYNAMIC && missing.static_value() > 0 {
            let least = cx.scalar(ty, f64::NEG_INFINITY);
            let (low, mut high) = (vec![c(0); last + 1], vec![c(0); last + 1]);
            high[last] = missing;
            bias = cx.pad(bias, &low, &high, least);
        }
    }
    Ok(bias)
}

/// How positions are turned.
pub(super) struct Rotary {
    pub(super) interleaved: bool,
    pub(super) size: i64,
    pub(super) heads: i64,
}

/// Pairs of elements turned by an angle that depends on the position.
pub(super) fn rotary(
    cx: &mut Cx<'_>,
    value: Value,
    caches: [Value; 2],
    positions: Option<Value>,
    numbers: &Rotary,
) -> Result<Value, Refused> {
    let whole = cx.dims(value);
    let is_flat = whole.len() == 3;
    // Heads behind positions.
    let (source, dims) = match is_flat {
        true => {
            if numbers.heads < 1 {
                return Err("it does not say how many heads it has".into());
            }
            let size = cx.div(whole[2], c(numbers.heads));
            let dims = vec![whole[0], whole[1], c(numbers.heads), size];
            (cx.reshape(value, &dims)?, dims)
        }
        false => {
            let value = cx.transpose(value, &[0, 2, 1, 3]);
            (value, vec![whole[0], whole[2], whole[1], whole[3]])
        }
    };
    let turned = if numbers.size > 0 {
        c(numbers.size)
    } else {
        dims[3]
    };
    let half = cx.div(turned, c(2));
    let interleaved = numbers.interleaved;
    let ranks = shape(cx.b.ir, caches[0]).len();
    let ty = cx.element(value);
    let result = cx.generate(&dims, ty, &mut |b, index| {
        let (batch, row, at) = (index[0], index[1], x(index[3]));
        let is_turned = at.clone().less(F::from(turned));
        let (pair, first) = match interleaved {
            true => (
                at.clone().floor_div(2),
                at.clone().floor_rem(F::from(2)).equal(0),
            ),
            false => (
                at.clone()
                    .less(F::from(half))
                    .select(at.clone(), at.clone() - half),
                at.clone().less(F::from(half)),
            ),
        };
        // What is not turned is read at a place that exists.
        let pair = x(pair.min(F::from(half) - 1).max(0).build(b));
        let other = match interleaved {
            true => [pair.clone() * 2, pair.clone() * 2 + 1],
            false => [pair.clone(), pair.clone() + half],
        };
        let [cosine, sine] = caches.map(|cache| {
            let place = match positions {
                Some(positions) => {
                    let rank = crate::rewrite::tensors::shape(b.ir, positions).len();
                    let at = if rank == 2 {
                        vec![batch, row]
                    } else {
                        vec![batch]
                    };
                    let number = extract(b, positions, &at);
                    vec![
                        x(b.value(&arith::INDEX_CAST, &[number], Type::INDEX)),
                        pair.clone(),
                    ]
                }
                None if ranks == 3 => vec![x(batch), x(row), pair.clone()],
                None => vec![x(row), pair.clone()],
            };
            x(F::Element(cache, place).build(b))
        });
        let read = |at: F| F::Element(source, vec![x(batch), x(row), x(index[2]), at]);
        let [p, q] = other.map(|at| x(read(at).build(b)));
        let real = cosine.clone() * p.clone() - sine.clone() * q.clone();
        let imaginary = sine * p + cosine * q;
        let turned = first.select(real, imaginary);
        is_turned.select(turned, read(at)).build(b)
    });
    match is_flat {
        true => cx.reshape(result, &whole),
        false => Ok(cx.transpose(result, &[0, 2, 1, 3])),
    }
}

fn causal_conv(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let (value, weight) = (n.x(0)?, n.x(1)?);
    let ty = cx.element(value);
    let [batch, channels, length] = cx.dims(value)[..] else {
        return Err("its operand has not 3 dimensions".into());
    };
    let size = cx.dim(weight, 2);
    let before = cx.sub(size, c(1));
    let past = match n.opt(3) {
        Some(past) => past,
        None => {
            let zero = cx.scalar(ty, 0.0);
            cx.filled(&[batch, channels, before], zero, ty)
        }
    };
    let all = cx.concat(&[past, value], 2)?;
    let (wide, kernel) = (cx.convert(all, Type::F32)?, cx.convert(weight, Type::F32)?);
    let zero = cx.scalar(Type::F32, 0.0);
    let mut result = cx.generate(&[batch, channels, length], Type::F32, &mut |b, index| {
        crate::rewrite::formula::repeat(b, 0, size, &[zero], |b, i, carried| {
            let at = vec![x(index[0]), x(index[1]), x(index[2]) + i];
            let number = F::Element(wide, at);
            let factor = F::Element(kernel, vec![x(index[1]), F::from(0), x(i)]);
            vec![(x(carried[0]) + number * factor).build(b)]
        })[0]
    });
    if let Some(bias) = n.opt(2) {
        let bias = cx.convert(bias, Type::F32)?;
        let bias = cx.unsqueeze(bias, &[1])?;
        result = cx.ew(&sh::ADD, &[result, bias])?;
    }
    if ["silu", "swish"].contains(&n.text("activation", "none").as_str()) {
        result = cx.formula("x * logistic(x)", &[("x", result.into())])?;
    }
    let result = cx.convert(result, ty)?;
    let state = cx.part(all, 2, length, before);
    Ok(vec![result, state])
}

fn linear_attention(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let (heads, kv_heads) = (n.int("q_num_heads", 0), n.int("kv_num_heads", 0));
    let ty = cx.element(n.x(0)?);
    let mut parts = Vec::new();
    for (i, heads) in [heads, kv_heads, kv_heads].into_iter().enumerate() {
        let wide = cx.convert(n.x(i)?, Type::F32)?;
        parts.push(split_heads(cx, wide, heads)?);
    }
    let [query, key, value] = parts[..] else {
        return Err("an operand is absent".into());
    };
    let [batch, _, length, width] = cx.dims(query)[..] else {
        return Err("its operands have not 3 dimensions".into());
    };
    let depth = cx.dim(value, 3);
    let (past_type, state) = match n.opt(3) {
        Some(past) => (cx.element(past), cx.convert(past, Type::F32)?),
        None => {
            let zero = cx.scalar(Type::F32, 0.0);
            (
                ty,
                cx.filled(&[batch, c(kv_heads), width, depth], zero, Type::F32),
            )
        }
    };
    let decay = match n.opt(4) {
        Some(decay) => {
            let decay = cx.convert(decay, Type::F32)?;
            Some(split_heads(cx, decay, kv_heads)?)
        }
        None => None,
    };
    let beta = match n.opt(5) {
        Some(beta) => {
            let beta = cx.convert(beta, Type::F32)?;
            let beta = cx.unsqueeze(beta, &[3])?;
            Some(cx.transpose(beta, &[0, 2, 1, 3]))
        }
        None => None,
    };
    let scale = match n.float("scale", 0.0) {
        0.0 => {
            let size = cx.dim_as(width, Type::F32)?;
            cx.formula("1 / sqrt(x)", &[("x", size.into())])?
        }
        scale => cx.lit(Type::F32, scale),
    };
    let state_dims = cx.dims(state);
    let [finished, rows] = cx.counted_loop(length, &[state], &[], &mut |cx, number, carried| {
        let row = |cx: &mut Cx<'_>, value: Value| {
            let part = cx.part(value, 2, number.into(), c(1));
            cx.squeeze(part, &[2])
        };
        let (q, k, mut v) = (row(cx, query)?, row(cx, key)?, row(cx, value)?);
        let mut state = carried[0];
        if let Some(decay) = decay {
            let decay = row(cx, decay)?;
            let decay = cx.unsqueeze(decay, &[3])?;
            state = cx.formula("s * exp(g)", &[("s", state.into()), ("g", decay.into())])?;
        }
        let column = cx.unsqueeze(k, &[3])?;
        if let Some(beta) = beta {
            let beta = row(cx, beta)?;
            let product = cx.ew(&sh::MULTIPLY, &[state, column])?;
            let found = cx.reduce(product, Fold::Add, &[2]);
            let terms = [("b", beta.into()), ("v", v.into()), ("r", found.into())];
            v = cx.formula("b * (v - r)", &terms)?;
        }
        let line = cx.unsqueeze(v, &[2])?;
        let terms = [
            ("s", state.into()),
            ("k", column.into()),
            ("v", line.into()),
        ];
        let state = cx.formula("s + k * v", &terms)?;
        let state = cx.as_sized(state, &state_dims);
        let read = repeat_heads(cx, state, c(heads))?;
        let q = cx.unsqueeze(q, &[3])?;
        let product = cx.ew(&sh::MULTIPLY, &[read, q])?;
        let sum = cx.reduce(product, Fold::Add, &[2]);
        let result = cx.ew(&sh::MULTIPLY, &[sum, scale])?;
        Ok([vec![state], vec![result]])
    })?;
    // [length, batch, heads, depth]
    let result = cx.transpose(rows[0], &[1, 0, 2, 3]);
    let dims = cx.dims(result);
    let all = cx.mul(dims[2], dims[3]);
    let result = cx.reshape(result, &[dims[0], dims[1], all])?;
    let state = cx.convert(finished[0], past_type)?;
    Ok(vec![cx.convert(result, ty)?, state])
}
