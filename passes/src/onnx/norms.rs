//! Normalizations.

use freehold_frontend::dialects::onnx::rows as onnx;
use freehold_frontend::dialects::stablehlo::elementwise as sh;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::Type;

use super::convert_onnx_to_stablehlo::Row;
use super::graph::{Cx, Fold};
use super::node::{Lowered, Node, Refused, axis};
use super::sizes::c;
use super::windows::per_feature;
use crate::rewrite::formula::{F, x};

/// What is added to variances where a node does not say it.
pub(super) const EPSILON: f64 = 1e-5;

pub(super) const ROWS: &[Row] = &[
    (&onnx::BATCH_NORMALIZATION, batch_normalization),
    (&onnx::GROUP_NORMALIZATION, group_normalization),
    (&onnx::INSTANCE_NORMALIZATION, instance_normalization),
    (&onnx::LAYER_NORMALIZATION, |cx, n| {
        layer_normalization(cx, n, n.opt(2))
    }),
    (&onnx::LP_NORMALIZATION, lp_normalization),
    (&onnx::LRN, lrn),
    (&onnx::MEAN_VARIANCE_NORMALIZATION, |cx, n| {
        let value = n.x(0)?;
        let all = n.ints("axes").unwrap_or_else(|| vec![0, 2, 3]);
        let over = super::node::axes(&all, cx.rank(value))?;
        let mean = cx.mean(value, &over)?;
        let terms = [("x", value.into()), ("m", mean.into())];
        let squares = cx.formula("(x - m) * (x - m)", &terms)?;
        let variance = cx.mean(squares, &over)?;
        let terms = [
            ("x", value.into()),
            ("m", mean.into()),
            ("v", variance.into()),
        ];
        Ok(vec![
            cx.formula("(x - m) / (sqrt(v) + 0.000000001)", &terms)?,
        ])
    }),
    (&onnx::RMS_NORMALIZATION, |cx, n| {
        let value = n.x(0)?;
        Ok(vec![rms_normalization(cx, n, value, n.opt(1), EPSILON)?])
    }),
];

fn batch_normalization(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    if cx.folded.contains(&n.op) {
        return Ok(vec![value]);
    }
    let rank = cx.rank(value);
    let ty = cx.element(value);
    let epsilon = n.float("epsilon", EPSILON);
    if n.opset < 9 && !n.flag("spatial", true) {
        return Err("statistics of each element ('spatial' is 0) are not lowered".into());
    }
    let mut vectors = Vec::new();
    for i in 1..5 {
        let vector = cx.convert(n.x(i)?, if ty == Type::F64 { ty } else { Type::F32 })?;
        vectors.push(vector);
    }
    let wide = cx.convert(value, cx.element(vectors[0]))?;
    let is_training = match n.opset {
        14.. => n.flag("training_mode", false),
        _ => n.opset < 7 && !n.flag("is_test", false),
    };
    let mut results = Vec::new();
    if is_training {
        let over: Vec<usize> = (0..rank).filter(|&dim| dim != 1).collect();
        let mean = cx.mean(wide, &over)?;
        let terms = [("x", wide.into()), ("m", mean.into())];
        let squares = cx.formula("(x - m) * (x - m)", &terms)?;
        let variance = cx.mean(squares, &over)?;
        let momentum = n.float("momentum", 0.9);
        for (before, now) in [(2, mean), (3, variance)] {
            let now = cx.squeeze(now, &over)?;
            let terms = [
                ("x", vectors[before].into()),
                ("y", now.into()),
                ("m", momentum.into()),
            ];
            let running = cx.formula("x * m + y * (1 - m)", &terms)?;
            let said = cx.element(n.x(before + 1)?);
            results.push(cx.convert(running, said)?);
            vectors[before] = now;
        }
    }
    let mut terms = vec![("x", wide.into()), ("e", epsilon.into())];
    for (name, &vector) in ["s", "b", "m", "v"].into_iter().zip(&vectors) {
        terms.push((name, per_feature(cx, vector, rank)?.into()));
    }
    let result = cx.formula("(x - m) * (s / sqrt(v + e)) + b", &terms)?;
    let dims = cx.dims(value);
    let result = cx.as_sized(result, &dims);
    results.insert(0, cx.convert(result, ty)?);
    Ok(results)
}

/// A tensor less its mean, divided by its deviation over dimensions; and both.
fn standardized(
    cx: &mut Cx<'_>,
    value: Value,
    over: &[usize],
    epsilon: f64,
) -> Result<[Value; 3], Refused> {
    let mean = cx.mean(value, over)?;
    let centered = cx.ew(&sh::SUBTRACT, &[value, mean])?;
    let squares = cx.ew(&sh::MULTIPLY, &[centered, centered])?;
    let variance = cx.mean(squares, over)?;
    let terms = [("x", variance.into()), ("e", epsilon.into())];
    let scale = cx.formula("1 / sqrt(x + e)", &terms)?;
    let result = cx.ew(&sh::MULTIPLY, &[centered, scale])?;
    Ok([result, mean, scale])
}

fn instance_normalization(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let (rank, ty) = (cx.rank(value), cx.element(value));
    let wide = cx.convert(value, if ty == Type::F64 { ty } else { Type::F32 })?;
    let over: Vec<usize> = (2..rank).collect();
    let [normal, ..] = standardized(cx, wide, &over, n.float("epsilon", EPSILON))?;
    let result = scaled(cx, normal, n.opt(1), n.opt(2), rank)?;
    Ok(vec![cx.convert(result, ty)?])
}

/// Features multiplied and moved.
fn scaled(
    cx: &mut Cx<'_>,
    value: Value,
    scale: Option<Value>,
    bias: Option<Value>,
    rank: usize,
) -> Result<Value, Refused> {
    let mut value = value;
    for (def, vector) in [(&sh::MULTIPLY, scale), (&sh::ADD, bias)] {
        if let Some(vector) = vector {
            let vector = cx.convert(vector, cx.element(value))?;
            let vector = per_feature(cx, vector, rank)?;
            value = cx.ew(def, &[value, vector])?;
        }
    }
    Ok(value)
}

fn group_normalization(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let (dims, ty) = (cx.dims(value), cx.element(value));
    let groups = n.opt_int("num_groups").ok_or("it has no 'num_groups'")?;
    let middle = n.ty("stash_type").unwrap_or(Type::F32);
    let wide = cx.convert(value, if ty == Type::F64 { ty } else { middle })?;
    let mut split = dims.clone();
    split[1] = cx.div(dims[1], c(groups));
    split.insert(1, c(groups));
    let parts = cx.reshape(wide, &split)?;
    let over: Vec<usize> = (2..split.len()).collect();
    let [normal, ..] = standardized(cx, parts, &over, n.float("epsilon", EPSILON))?;
    if n.opset < 21 {
        // Scale and bias of each group.
        let result = scaled(cx, normal, n.opt(1), n.opt(2), split.len())?;
        let result = cx.reshape(result, &dims)?;
        return Ok(vec![cx.convert(result, ty)?]);
    }
    let normal = cx.reshape(normal, &dims)?;
    let result = scaled(cx, normal, n.opt(1), n.opt(2), dims.len())?;
    Ok(vec![cx.convert(result, ty)?])
}

/// `LayerNormalization` with a bias.
pub(super) fn layer_normalization(cx: &mut Cx<'_>, n: &Node, bias: Option<Value>) -> Lowered {
    let value = n.x(0)?;
    layer_normalized(cx, n, value, n.opt(1), bias, EPSILON)
}

/// The normalized tensor, mean and inverse deviation; `epsilon` is added to the variance unless the node says what.
pub(super) fn layer_normalized(
    cx: &mut Cx<'_>,
    n: &Node,
    value: Value,
    scale: Option<Value>,
    bias: Option<Value>,
    epsilon: f64,
) -> Lowered {
    let (rank, ty) = (cx.rank(value), cx.element(value));
    let from = axis(n.int("axis", -1), rank)?;
    let over: Vec<usize> = (from..rank).collect();
    let middle = n.ty("stash_type").unwrap_or(Type::F32);
    let wide = cx.convert(
        value,
        if ty == Type::F64 && !n.has("stash_type") {
            ty
        } else {
            middle
        },
    )?;
    let [normal, mean, deviation] = standardized(cx, wide, &over, n.float("epsilon", epsilon))?;
    let mut result = cx.convert(normal, ty)?;
    for (def, vector) in [(&sh::MULTIPLY, scale), (&sh::ADD, bias)] {
        if let Some(vector) = vector {
            result = cx.ew(def, &[result, vector])?;
        }
    }
    Ok(vec![result, mean, deviation])
}

/// A tensor divided by the root of the mean of its squares, with `epsilon` as there.
pub(super) fn rms_normalization(
    cx: &mut Cx<'_>,
    n: &Node,
    value: Value,
    scale: Option<Value>,
    epsilon: f64,
) -> Result<Value, Refused> {
    let (rank, ty) = (cx.rank(value), cx.element(value));
    let from = axis(n.int("axis", -1), rank)?;
    let over: Vec<usize> = (from..rank).collect();
    let middle = n.ty("stash_type").unwrap_or(Type::F32);
    let wide = cx.convert(
        value,
        if ty == Type::F64 && !n.has("stash_type") {
            ty
        } else {
            middle
        },
    )?;
    let squares = cx.ew(&sh::MULTIPLY, &[wide, wide])?;
    let mean = cx.mean(squares, &over)?;
    let epsilon = n.float("epsilon", epsilon);
    let terms = [
        ("x", wide.into()),
        ("m", mean.into()),
        ("e", epsilon.into()),
    ];
    let normal = cx.formula("x * (1 / sqrt(m + e))", &terms)?;
    let result = cx.convert(normal, ty)?;
    match scale {
        Some(scale) => cx.ew(&sh::MULTIPLY, &[result, scale]),
        None => Ok(result),
    }
}

fn lp_normalization(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let dim = axis(n.int("axis", -1), cx.rank(value))?;
    let (before, after) = match n.int("p", 2) {
        1 => ("abs(x)", "x"),
        _ => ("x * x", "sqrt(x)"),
    };
    let parts = cx.formula(before, &[("x", value.into())])?;
    let sum = cx.reduce_kept(parts, Fold::Add, &[dim])?;
    let norm = cx.formula(after, &[("x", sum.into())])?;
    let terms = [("x", value.into()), ("n", norm.into())];
    Ok(vec![cx.formula("select(n == 0, x * 0, x / n)", &terms)?])
}

fn lrn(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let dims = cx.dims(value);
    let ty = cx.element(value);
    let size = n.opt_int("size").ok_or("it has no 'size'")?;
    let (low, high) = ((size - 1) / 2, size / 2);
    let source = value;
    let zero = cx.scalar(ty, 0.0);
    let sums = cx.generate(&dims, ty, &mut |b, index| {
        let first = (x(index[1]) - low).max(0);
        let end = (x(index[1]) + (high + 1)).min(F::from(dims[1]));
        crate::rewrite::formula::repeat(b, first, end, &[zero], |b, i, carried| {
            let mut at: Vec<F> = index.iter().map(|&index| x(index)).collect();
            at[1] = x(i);
            let number = F::Element(source, at).build(b);
            vec![(x(carried[0]) + x(number) * number).build(b)]
        })[0]
    });
    let terms = [
        ("x", value.into()),
        ("s", sums.into()),
        ("k", n.float("bias", 1.0).into()),
        ("a", (n.float("alpha", 1e-4) / size as f64).into()),
        ("b", n.float("beta", 0.75).into()),
    ];
    Ok(vec![cx.formula("x / pow(k + a * s, b)", &terms)?])
}
