//! Operators of the domain `com.microsoft`: those of onnxruntime that exporters write.

use freehold_frontend::dialects::arith::{self, CmpIPredicate};
use freehold_frontend::dialects::stablehlo::elementwise as sh;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::types::Type;

use super::CUSTOM;
use super::attention::{Rotary, join_heads, masked_softmax, repeat_heads, rotary, split_heads};
use super::control::require;
use super::convert_onnx_to_stablehlo::Lower;
use super::graph::{Cx, Fold};
use super::node::{Lowered, Node, Refused};
use super::norms::{layer_normalized, rms_normalization};
use super::products::{gemm, matmul};
use super::recurrent::function;
use super::reductions::place;
use super::sizes::{Dim, c};
use super::{norms, shapes, windows};
use crate::rewrite::formula::{F, x};
use crate::rewrite::tensors::extract;

/// The lowering of an `onnx.Custom`, if there is one.
pub(super) fn lowering(ir: &Ir, op: Op) -> Option<Lower> {
    let context = ir.context();
    let text = |name: &str| {
        let attr = ir.attr(op, context.intern_name(name))?;
        context.attr_string(attr)
    };
    let (domain, name) = (text("domain_name")?, text("function_name")?);
    // onnxruntime has some of its operators in the domain of ONNX.
    let domain = if ["", "ai.onnx"].contains(&domain) {
        "com.microsoft"
    } else {
        domain
    };
    let mut rows = CUSTOM.iter().copied().flatten();
    let row = rows.find(|row| row.0 == domain && row.1 == name)?;
    Some(row.2)
}

/// A domain, the name of an operator, and its lowering.
pub(super) type CustomRow = (&'static str, &'static str, Lower);

pub(super) const MS: &str = "com.microsoft";

const GELU: &str = "0.5 * x * (1 + erf(x * 0.7071067811865476))";
const FAST_GELU: &str = "0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))";

pub(super) const ROWS: &[CustomRow] = &[
    (MS, "Attention", packed_attention),
    (MS, "BiasGelu", |cx, n| {
        let sum = cx.ew(&sh::ADD, &[n.x(0)?, n.x(1)?])?;
        Ok(vec![cx.formula(GELU, &[("x", sum.into())])?])
    }),
    (MS, "CDist", |cx, n| {
        let first = cx.unsqueeze(n.x(0)?, &[1])?;
        let second = cx.unsqueeze(n.x(1)?, &[0])?;
        let terms = [("x", first.into()), ("y", second.into())];
        let difference = cx.formula("x - y", &terms)?;
        let squares = cx.ew(&sh::MULTIPLY, &[difference, difference])?;
        let sums = cx.reduce(squares, Fold::Add, &[2]);
        match n.text("metric", "sqeuclidean").as_str() {
            "sqeuclidean" => Ok(vec![sums]),
            "euclidean" => Ok(vec![cx.ew(&sh::SQRT, &[sums])?]),
            other => Err(format!("metric '{other}' is not lowered").into()),
        }
    }),
    (MS, "EmbedLayerNormalization", embed_layer_normalization),
    (MS, "FastGelu", |cx, n| {
        let value = match n.opt(1) {
            Some(bias) => cx.ew(&sh::ADD, &[n.x(0)?, bias])?,
            None => n.x(0)?,
        };
        Ok(vec![cx.formula(FAST_GELU, &[("x", value.into())])?])
    }),
    (MS, "FusedConv", fused_conv),
    (MS, "FusedGemm", |cx, n| {
        let product = gemm(cx, n)?[0];
        let name = n.text("activation", "");
        let alpha = n.opt_float("activation_alpha");
        let activation = function(&name, alpha, n.opt_float("activation_beta"))?;
        Ok(vec![activation.apply(cx, product)?])
    }),
    (MS, "FusedMatMul", fused_matmul),
    (MS, "Gelu", |cx, n| {
        Ok(vec![cx.formula(GELU, &[("x", n.x(0)?.into())])?])
    }),
    (MS, "GroupQueryAttention", group_query_attention),
    (MS, "MatMulNBits", matmul_n_bits),
    (MS, "MultiHeadAttention", multi_head_attention),
    (MS, "QuickGelu", |cx, n| {
        let terms = [("x", n.x(0)?.into()), ("a", n.float("alpha", 1.702).into())];
        Ok(vec![cx.formula("x * logistic(a * x)", &terms)?])
    }),
    (MS, "RotaryEmbedding", |cx, n| {
        let value = n.x(0)?;
        if n.float("scale", 1.0) != 1.0 || n.flag("is_packed_batching", false) {
            return Err("a scale and packed batches are not lowered".into());
        }
        let caches = [n.x(2)?, n.x(3)?];
        let positions = positions_of(cx, value, n.x(1)?)?;
        let mut heads = n.int("num_heads", 0);
        if heads == 0 && cx.rank(value) == 3 {
            // As many as make heads that the cache is for.
            let (width, half) = (cx.dim(value, 2), cx.dim(caches[0], 1));
            let (Dim::Constant(width), Dim::Constant(half)) = (width, half) else {
                return Err("its number of heads is known only at run time".into());
            };
            heads = width / (2 * half);
        }
        let numbers = Rotary {
            interleaved: n.flag("interleaved", false),
            size: n.int("rotary_embedding_dim", 0),
            heads,
        };
        Ok(vec![rotary(cx, value, caches, Some(positions), &numbers)?])
    }),
    (MS, "SimplifiedLayerNormalization", |cx, n| {
        let value = n.x(0)?;
        if n.is_wanted(1) {
            return Err("its second result is not lowered".into());
        }
        let result = rms_normalization(cx, n, value, n.opt(1), norms::EPSILON)?;
        Ok(vec![result, result])
    }),
    (MS, "SkipLayerNormalization", |cx, n| {
        let sum = skipped(cx, n, 4)?;
        let mut results = layer_normalized(cx, n, sum, n.opt(2), n.opt(3), EPSILON)?;
        results.push(sum);
        Ok(results)
    }),
    (MS, "SkipSimplifiedLayerNormalization", |cx, n| {
        let sum = skipped(cx, n, 3)?;
        let result = rms_normalization(cx, n, sum, n.opt(2), EPSILON)?;
        if n.is_wanted(1) || n.is_wanted(2) {
            return Err("its statistics are not lowered".into());
        }
        Ok(vec![result, result, result, sum])
    }),
    (MS, "TransposeMatMul", fused_matmul),
    (MS, "Trilu", shapes::trilu),
];

fn fused_matmul(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let mut sides = Vec::new();
    for (i, names) in [["transA", "transBatchA"], ["transB", "transBatchB"]]
        .iter()
        .enumerate()
    {
        let value = n.x(i)?;
        let rank = cx.rank(value);
        if n.flag(names[1], false) {
            return Err("transposed batches are not lowered".into());
        }
        let mut permutation: Vec<usize> = (0..rank).collect();
        if n.flag(names[0], false) && rank > 1 {
            permutation.swap(rank - 1, rank - 2);
        }
        sides.push(cx.transpose(value, &permutation));
    }
    let ty = cx.element(sides[0]);
    let product = matmul(cx, sides[0], sides[1], ty)?;
    let alpha = n.float("alpha", 1.0);
    match alpha == 1.0 {
        true => Ok(vec![product]),
        false => {
            let terms = [("x", product.into()), ("a", alpha.into())];
            Ok(vec![cx.formula("x * a", &terms)?])
        }
    }
}

/// What is added to variances where a node does not say it.
const EPSILON: f64 = 1e-12;

/// The sum of an operand, what skipped it, and a bias.
fn skipped(cx: &mut Cx<'_>, n: &Node, bias: usize) -> Result<Value, Refused> {
    let sum = cx.ew(&sh::ADD, &[n.x(0)?, n.x(1)?])?;
    match n.opt(bias) {
        Some(bias) => cx.ew(&sh::ADD, &[sum, bias]),
        None => Ok(sum),
    }
}

/// The positions of `[batch, length]`; one number is that of the first.
fn positions_of(cx: &mut Cx<'_>, value: Value, positions: Value) -> Result<Value, Refused> {
    if cx.rank(positions) == 2 {
        return Ok(positions);
    }
    let dims = cx.dims(value);
    let length = if dims.len() == 3 { dims[1] } else { dims[2] };
    let sequence = cx.generate(&[length], Type::I64, &mut |b, index| {
        b.value(&arith::INDEX_CAST, &[index[0]], Type::I64)
    });
    let start = cx.reshape(positions, &[c(1)])?;
    let all = cx.ew(&sh::ADD, &[sequence, start])?;
    let all = cx.unsqueeze(all, &[0])?;
    Ok(cx.broadcast_to(all, &[dims[0], length]))
}

fn fused_conv(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let mut value = windows::conv(cx, n)?;
    if let Some(other) = n.opt(3) {
        value = cx.ew(&sh::ADD, &[value, other])?;
    }
    let numbers = n.floats("activation_params").unwrap_or_default();
    let number = |i: usize, default: f64| numbers.get(i).copied().unwrap_or(default);
    let text = match n.text("activation", "").as_str() {
        "" => "x",
        "Relu" => "max(x, 0)",
        "Sigmoid" => "logistic(x)",
        "Tanh" => "tanh(x)",
        "LeakyRelu" => "select(x < 0, a * x, x)",
        "Clip" => "min(max(x, a), b)",
        "HardSigmoid" => "max(min(a * x + b, 1), 0)",
        other => return Err(format!("activation '{other}' is not known").into()),
    };
    let terms = [
        ("x", value.into()),
        ("a", number(0, 0.01).into()),
        ("b", number(1, 0.5).into()),
    ];
    Ok(vec![cx.formula(text, &terms)?])
}

/// A product with weights of few bits, in blocks with scales.
fn matmul_n_bits(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let ty = cx.element(value);
    let (k, columns) = (n.int("K", 0), n.int("N", 0));
    let (bits, block) = (n.int("bits", 4), n.int("block_size", 32));
    if ![2, 4, 8].contains(&bits) || block < 1 || k < 1 || n.opt(4).is_some() {
        return Err("weights of this form are not lowered".into());
    }
    let per_byte = 8 / bits;
    let blocks = (k + block - 1) / block;
    let blob = block / per_byte;
    let weights = cx.reshape(n.x(1)?, &[c(columns), c(blocks), c(blob)])?;
    let weights = cx.signless(weights);
    let scales = cx.reshape(n.x(2)?, &[c(columns), c(blocks)])?;
    let zeros = match n.opt(3) {
        Some(zeros) if cx.is_float(zeros) => {
            return Err("zero points that are floats are not lowered".into());
        }
        Some(zeros) => {
            let row = (blocks + per_byte - 1) / per_byte;
            let zeros = cx.reshape(zeros, &[c(columns), c(row)])?;
            Some(cx.signless(zeros))
        }
        None => None,
    };
    let middle = (1i64 << (bits - 1)) as f64;
    let wide = cx.generate(&[c(columns), c(k)], ty, &mut |b, index| {
        let (row, at) = (x(index[0]), x(index[1]));
        // One of several numbers in a byte, the lowest first.
        let part = |b: &mut freehold_frontend::ir::builder::Builder<'_>, byte: F, number: F| {
            let byte = byte.build(b);
            let byte = b.value(&arith::EXTUI, &[byte], Type::I32);
            let shift = (number.floor_rem(F::from(per_byte)) * bits).build(b);
            let shift = b.value(&arith::INDEX_CAST, &[shift], Type::I32);
            let moved = b.value(&arith::SHRUI, &[byte, shift], Type::I32);
            let mask = arith::constant_int(b, Type::I32, (1i128 << bits) - 1);
            let number = b.value(&arith::ANDI, &[moved, mask], Type::I32);
            b.value(&arith::SITOFP, &[number], ty)
        };
        let group = x(at.clone().floor_div(block).build(b));
        let inside = x(at.floor_rem(F::from(block)).build(b));
        let place = vec![
            row.clone(),
            group.clone(),
            inside.clone().floor_div(per_byte),
        ];
        let number = part(b, F::Element(weights, place), inside);
        let zero = match zeros {
            Some(zeros) => {
                let place = vec![row.clone(), group.clone().floor_div(per_byte)];
                x(part(b, F::Element(zeros, place), group.clone()))
            }
            None => F::from(middle).real_as(ty),
        };
        let scale = F::Element(scales, vec![row, group]);
        ((x(number) - zero) * scale).build(b)
    });
    let last = cx.rank(value) - 1;
    let product = cx.dot(value, wide, [&[], &[]], [&[last], &[1]], ty);
    match n.opt(5) {
        Some(bias) => Ok(vec![cx.ew(&sh::ADD, &[product, bias])?]),
        None => Ok(vec![product]),
    }
}

/// Scores of queries and keys, a bias, and the mean of values by them.
fn attend(
    cx: &mut Cx<'_>,
    [q, k, v]: [Value; 3],
    scale: Option<f64>,
    bias: &[Value],
    past: Dim,
    causal: Option<i64>,
) -> Result<Value, Refused> {
    let ty = cx.element(q);
    let [_, heads, rows, size] = cx.dims(q)[..] else {
        return Err("its operands have not 4 dimensions".into());
    };
    let columns = cx.dim(k, 2);
    let (k, v) = (repeat_heads(cx, k, heads)?, repeat_heads(cx, v, heads)?);
    let k = cx.transpose(k, &[0, 1, 3, 2]);
    let scores = matmul(cx, q, k, ty)?;
    let mut scores = match scale {
        Some(scale) if scale != 0.0 => {
            cx.formula("x * s", &[("x", scores.into()), ("s", scale.into())])?
        }
        _ => {
            let size = cx.dim_as(size, ty)?;
            cx.formula("x / sqrt(s)", &[("x", scores.into()), ("s", size.into())])?
        }
    };
    for &bias in bias {
        scores = cx.ew(&sh::ADD, &[scores, bias])?;
    }
    if let Some(window) = causal {
        let (zero, least) = (cx.scalar(ty, 0.0), cx.scalar(ty, f64::NEG_INFINITY));
        let bias = cx.generate(&[rows, columns], ty, &mut |b, index| {
            let distance = x((x(index[0]) + past - index[1]).build(b));
            let mut seen = distance.clone().is(CmpIPredicate::Sge, F::from(0));
            if window > 0 {
                seen = seen.and(distance.less(F::from(window)));
            }
            seen.select(zero, least).build(b)
        });
        scores = cx.ew(&sh::ADD, &[scores, bias])?;
    }
    let weights = masked_softmax(cx, scores)?;
    let result = matmul(cx, weights, v, ty)?;
    join_heads(cx, result)
}

/// Zero where a mask of integers is not, else `filter`.
fn padding_bias(cx: &mut Cx<'_>, mask: Value, ty: Type, filter: f64) -> Result<Value, Refused> {
    let rank = cx.rank(mask);
    let terms = [("m", mask.into())];
    let kept = cx.formula("m != 0", &terms)?;
    let (zero, least) = (cx.lit(ty, 0.0), cx.lit(ty, filter));
    let bias = cx.select(kept, zero, least)?;
    match rank {
        2 => cx.unsqueeze(bias, &[1, 2]),
        3 => cx.unsqueeze(bias, &[1]),
        4 => Ok(bias),
        _ => Err("a mask of this form is not lowered".into()),
    }
}

fn packed_attention(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let (value, weights) = (n.x(0)?, n.x(1)?);
    let ty = cx.element(value);
    let heads = n.int("num_heads", 0);
    if n.opt(4).is_some() || n.opt(6).is_some() || n.flag("do_rotary", false) {
        return Err("a past and rotary positions are not lowered".into());
    }
    let mut all = cx.dot(value, weights, [&[], &[]], [&[2], &[0]], ty);
    if let Some(bias) = n.opt(2) {
        all = cx.ew(&sh::ADD, &[all, bias])?;
    }
    let width = cx.dim(all, 2);
    let sizes = match n.ints("qkv_hidden_sizes") {
        Some(sizes) => sizes.into_iter().map(c).collect(),
        None => vec![cx.div(width, c(3)); 3],
    };
    let mut parts = Vec::new();
    let mut at = c(0);
    for &size in &sizes {
        let part = cx.part(all, 2, at, size);
        parts.push(split_heads(cx, part, heads)?);
        at = cx.add(at, size);
    }
    let [q, k, v] = parts[..] else {
        return Err("'qkv_hidden_sizes' are not three".into());
    };
    let mut bias = Vec::new();
    if let Some(mask) = n.opt(3) {
        bias.push(padding_bias(
            cx,
            mask,
            ty,
            n.float("mask_filter_value", -10000.0),
        )?);
    }
    bias.extend(n.opt(5));
    let causal = n.flag("unidirectional", false).then_some(0);
    let result = attend(cx, [q, k, v], n.opt_float("scale"), &bias, c(0), causal)?;
    if n.is_wanted(1) {
        return Err("its second result is not lowered".into());
    }
    Ok(vec![result, result])
}

fn multi_head_attention(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    if n.opt(8).is_some() || n.opt(9).is_some() {
        return Err("shared buffers and beams are not lowered".into());
    }
    let (query, key, value) = (n.x(0)?, n.x(1)?, n.x(2)?);
    let ty = cx.element(query);
    let heads = n.int("num_heads", 0);
    let mut parts = Vec::new();
    let mut at = c(0);
    for value in [query, key, value] {
        if cx.rank(value) == 4 {
            parts.push(value);
            continue;
        }
        let size = cx.dim(value, 2);
        let mut part = value;
        if let Some(bias) = n.opt(3) {
            let bias = cx.part(bias, 0, at, size);
            part = cx.ew(&sh::ADD, &[part, bias])?;
        }
        at = cx.add(at, size);
        parts.push(split_heads(cx, part, heads)?);
    }
    let [q, mut k, mut v] = parts[..] else {
        return Err("an operand is absent".into());
    };
    let mut past = c(0);
    if let (Some(keys), Some(values)) = (n.opt(6), n.opt(7)) {
        past = cx.dim(keys, 2);
        k = cx.concat(&[keys, k], 2)?;
        v = cx.concat(&[values, v], 2)?;
    }
    let mut bias = Vec::new();
    if let Some(mask) = n.opt(4) {
        bias.push(padding_bias(
            cx,
            mask,
            ty,
            n.float("mask_filter_value", -10000.0),
        )?);
    }
    bias.extend(n.opt(5));
    let causal = n.flag("unidirectional", false).then_some(0);
    let result = attend(cx, [q, k, v], n.opt_float("scale"), &bias, past, causal)?;
    Ok(vec![result, k, v])
}

/// Attention with a cache, of sequences that end together.
fn group_query_attention(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let (heads, kv_heads) = (n.int("num_heads", 0), n.int("kv_num_heads", 0));
    let mut query = n.x(0)?;
    if n.float("softcap", 0.0) != 0.0 || n.int("smooth_softmax", 0) > 0 {
        return Err("softcap and smooth softmax are not lowered".into());
    }
    if n.operands.iter().skip(9).any(Option::is_some) || !n.flag("causal", true) {
        return Err("positions, biases and other operands of new versions are not lowered".into());
    }
    let is_new = ["sliding_window_cache", "qk_output", "kv_cache_bit_width"];
    if is_new.iter().any(|name| n.flag(name, false)) {
        return Err("quantized caches and caches of a window are not lowered".into());
    }
    let (mut key, mut value) = (n.opt(1), n.opt(2));
    if key.is_none() {
        // All three in one.
        let width = cx.dim(query, 2);
        let size = cx.div(width, c(heads + 2 * kv_heads));
        let (first, other) = (cx.mul(size, c(heads)), cx.mul(size, c(kv_heads)));
        let all = query;
        query = cx.part(all, 2, c(0), first);
        key = Some(cx.part(all, 2, first, other));
        let second = cx.add(first, other);
        value = Some(cx.part(all, 2, second, other));
    }
    let (Some(mut key), Some(value)) = (key, value) else {
        return Err("an operand is absent".into());
    };
    let past = match n.opt(3) {
        Some(past) => cx.dim(past, 2),
        None => c(0),
    };
    // A cache that is longer than what is in it would be read beyond its end, and sequences of a batch may end apart.
    // The whole length is that of the cache with what is added.
    let _ = n.opt(6);
    if let Some(lengths) = n.opt(5) {
        let rows = cx.dim(query, 1);
        let all: Vec<usize> = (0..cx.rank(lengths)).collect();
        for fold in [Fold::Min, Fold::Max] {
            let last = cx.reduce(lengths, fold, &all);
            let last = cx.the_scalar(last);
            let last = cx.b.value(&arith::INDEX_CAST, &[last], Type::INDEX);
            let is_grown = (x(last) + 1).equal(F::from(past) + rows).build(&mut cx.b);
            let text = "the cache of an attention is longer than what is in it, or sequences of a batch end apart";
            require(cx, is_grown, text);
        }
    }
    if n.flag("do_rotary", false) {
        let caches = [n.x(7)?, n.x(8)?];
        let dims = cx.dims(query);
        let positions = cx.generate(&[dims[0], dims[1]], Type::I64, &mut |b, index| {
            let at = (x(index[1]) + past).build(b);
            b.value(&arith::INDEX_CAST, &[at], Type::I64)
        });
        let half = cx.dim(caches[0], 1);
        let size = match half {
            Dim::Constant(half) => 2 * half,
            Dim::Value(_) => 0,
        };
        let mut numbers = Rotary {
            interleaved: n.flag("rotary_interleaved", false),
            size,
            heads,
        };
        query = rotary(cx, query, caches, Some(positions), &numbers)?;
        numbers.heads = kv_heads;
        key = rotary(cx, key, caches, Some(positions), &numbers)?;
    }
    let q = split_heads(cx, query, heads)?;
    let (mut k, mut v) = (
        split_heads(cx, key, kv_heads)?,
        split_heads(cx, value, kv_heads)?,
    );
    if let (Some(keys), Some(values)) = (n.opt(3), n.opt(4)) {
        k = cx.concat(&[keys, k], 2)?;
        v = cx.concat(&[values, v], 2)?;
    }
    let window = n.int("local_window_size", -1);
    let result = attend(cx, [q, k, v], n.opt_float("scale"), &[], past, Some(window))?;
    Ok(vec![result, k, v])
}

/// The sum of what words, positions and segments are embedded as, normalized; the number of words by the mask.
fn embed_layer_normalization(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let words = n.x(0)?;
    let [batch, length] = cx.dims(words)[..] else {
        return Err("its operand has not 2 dimensions".into());
    };
    let positions = match n.opt(8) {
        Some(positions) => positions,
        None => cx.generate(&[c(1), length], Type::I64, &mut |b, index| {
            b.value(&arith::INDEX_CAST, &[index[1]], Type::I64)
        }),
    };
    let mut sum: Option<Value> = None;
    for (places, table) in [
        (Some(words), n.opt(2)),
        (Some(positions), n.opt(3)),
        (n.opt(1), n.opt(4)),
    ] {
        let (Some(places), Some(table)) = (places, table) else {
            continue;
        };
        let mut dims = cx.dims(places);
        let [size, width] = cx.dims(table)[..] else {
            return Err("an embedding is no matrix".into());
        };
        dims.push(width);
        let found = cx.pick(table, &dims, &mut |b, index| {
            let number = extract(b, places, &index[..2]);
            let number = b.value(&arith::INDEX_CAST, &[number], Type::INDEX);
            vec![place(b, number, size), index[2]]
        });
        sum = Some(match sum {
            Some(before) => cx.ew(&sh::ADD, &[before, found])?,
            None => found,
        });
    }
    let sum = sum.ok_or("it embeds nothing")?;
    let result = layer_normalized(cx, n, sum, n.opt(5), n.opt(6), EPSILON)?[0];
    let count = match n.opt(7) {
        Some(mask) => {
            let ones = cx.formula("m == 1", &[("m", mask.into())])?;
            let ones = cx.convert(ones, Type::I32)?;
            cx.reduce(ones, Fold::Add, &[1])
        }
        None => {
            let zero = cx.scalar(Type::I32, 0.0);
            cx.filled(&[batch], zero, Type::I32)
        }
    };
    Ok(vec![result, count, sum])
}
