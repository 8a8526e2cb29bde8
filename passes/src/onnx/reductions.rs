//! Reductions, sorting, and what normalizes by reductions.

use std::convert::Infallible;

use freehold_frontend::dialects::arith::{self, CmpFPredicate, CmpIPredicate};
use freehold_frontend::dialects::iree_linalg_ext;
use freehold_frontend::dialects::onnx::rows as onnx;
use freehold_frontend::dialects::stablehlo::elementwise as sh;
use freehold_frontend::ir::affine::AffineMap;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::Type;

use super::control::require;
use super::convert_onnx_to_stablehlo::Row;
use super::graph::{Cx, Fold};
use super::node::{Lowered, Node, Refused, axes, axis};
use super::run_time_axes::Over;
use super::shapes::list;
use super::sizes::{Dim, c};
use crate::rewrite::formula::{F, x};
use crate::rewrite::ordered::{is_inserted, ordered};
use crate::rewrite::scalars::{Class, Emit};
use crate::rewrite::structured::loop_counter;
use crate::rewrite::tensors::{self, Generic, projection};

pub(super) const ROWS: &[Row] = &[
    (&onnx::ARG_MAX, |cx, n| arg(cx, n, true)),
    (&onnx::ARG_MIN, |cx, n| arg(cx, n, false)),
    (&onnx::CUM_PROD, |cx, n| cumulative(cx, n, Fold::Mul)),
    (&onnx::CUM_SUM, |cx, n| cumulative(cx, n, Fold::Add)),
    (&onnx::HARDMAX, hardmax),
    (&onnx::LOG_SOFTMAX, |cx, n| softmax_operator(cx, n, true)),
    (&onnx::REDUCE_L1, |cx, n| {
        reduce(cx, n, "abs(x)", Fold::Add, "x")
    }),
    (&onnx::REDUCE_L2, |cx, n| {
        reduce(cx, n, "x * x", Fold::Add, "sqrt(x)")
    }),
    (&onnx::REDUCE_LOG_SUM, |cx, n| {
        reduce(cx, n, "x", Fold::Add, "log(x)")
    }),
    (&onnx::REDUCE_LOG_SUM_EXP, log_sum_exp),
    (&onnx::REDUCE_MAX, |cx, n| {
        reduce(cx, n, "x", Fold::Max, "x")
    }),
    (&onnx::REDUCE_MEAN, |cx, n| {
        reduce(cx, n, "x", Fold::Add, "x / n")
    }),
    (&onnx::REDUCE_MIN, |cx, n| {
        reduce(cx, n, "x", Fold::Min, "x")
    }),
    (&onnx::REDUCE_PROD, |cx, n| {
        reduce(cx, n, "x", Fold::Mul, "x")
    }),
    (&onnx::REDUCE_SUM, |cx, n| {
        reduce(cx, n, "x", Fold::Add, "x")
    }),
    (&onnx::REDUCE_SUM_SQUARE, |cx, n| {
        reduce(cx, n, "x * x", Fold::Add, "x")
    }),
    (&onnx::SOFTMAX, |cx, n| softmax_operator(cx, n, false)),
    (&onnx::TOP_K, top_k),
];

/// The dimensions that a reduction is over.
fn reduced(cx: &mut Cx<'_>, n: &Node) -> Result<Over, Refused> {
    let rank = cx.rank(n.x(0)?);
    if let Some(value) = n.opt(1)
        && !n.has("axes")
        && cx.constant_list(value).is_none()
    {
        let all = cx.sizes_in(value)?;
        if !all.is_empty() {
            return Ok(Over::Flags(cx.axis_flags(&all, rank), all.len()));
        }
    }
    let all = match n.opt(1).and_then(|value| cx.known(value)) {
        Some(sizes) if sizes == [0] => Vec::new(),
        _ => list(cx, n, 1, "axes")?.unwrap_or_default(),
    };
    if !all.is_empty() {
        let mut dims = axes(&all, rank)?;
        dims.sort_unstable();
        dims.dedup();
        return Ok(Over::Known(dims));
    }
    Ok(Over::Known(match n.flag("noop_with_empty_axes", false) {
        true => Vec::new(),
        false => (0..rank).collect(),
    }))
}

fn finish(
    cx: &mut Cx<'_>,
    n: &Node,
    value: Value,
    over: &Over,
    fold: Fold,
) -> Result<Value, Refused> {
    match (n.flag("keepdims", true), over) {
        (true, _) => cx.fold_over(value, fold, over),
        (false, Over::Known(dims)) => Ok(cx.reduce(value, fold, dims)),
        (false, Over::Flags(..)) => {
            let value = cx.fold_over(value, fold, over)?;
            cx.drop_over(value, over)
        }
    }
}

/// A reduction of what `before` makes of elements, and `after` of the result.
fn reduce(cx: &mut Cx<'_>, n: &Node, before: &str, fold: Fold, after: &str) -> Lowered {
    let value = n.x(0)?;
    let over = reduced(cx, n)?;
    let ty = cx.element(value);
    let is_narrow = cx
        .context()
        .float_kind(ty)
        .is_some_and(|kind| kind.width() < 32)
        && matches!(fold, Fold::Add | Fold::Mul);
    let wide = if is_narrow {
        cx.convert(value, Type::F32)?
    } else {
        value
    };
    let made = cx.formula(before, &[("x", wide.into())])?;
    let result = finish(cx, n, made, &over, fold)?;
    let count = cx.count_over(wide, &over);
    let count = cx.dim_as(count, cx.element(wide))?;
    let result = cx.formula(after, &[("x", result.into()), ("n", count.into())])?;
    Ok(vec![cx.convert(result, ty)?])
}

fn log_sum_exp(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let ty = cx.element(value);
    // Powers of integers are no integers.
    let value = match cx.is_float(value) {
        true => value,
        false => cx.convert(value, Type::F64)?,
    };
    let over = reduced(cx, n)?;
    // Where nothing is finite, nothing is taken off.
    let most = cx.fold_over(value, Fold::Max, &over)?;
    let infinity = f64::INFINITY.into();
    let terms = [("x", most.into()), ("i", infinity)];
    let most = cx.formula("select(abs(x) < i, x, 0)", &terms)?;
    let powers = cx.formula("exp(x - m)", &[("x", value.into()), ("m", most.into())])?;
    let sum = cx.fold_over(powers, Fold::Add, &over)?;
    let sum = cx.formula("log(x) + m", &[("x", sum.into()), ("m", most.into())])?;
    let sum = cx.convert(sum, ty)?;
    match n.flag("keepdims", true) {
        true => Ok(vec![sum]),
        false => Ok(vec![cx.drop_over(sum, &over)?]),
    }
}

/// `exp(x) / sum(exp(x))` along dimensions, or the logarithm of it.
pub(super) fn softmax(
    cx: &mut Cx<'_>,
    value: Value,
    dims: &[usize],
    logarithm: bool,
) -> Result<Value, Refused> {
    let most = cx.reduce_kept(value, Fold::Max, dims)?;
    let moved = cx.ew(&sh::SUBTRACT, &[value, most])?;
    let powers = cx.ew(&sh::EXPONENTIAL, &[moved])?;
    let sum = cx.reduce_kept(powers, Fold::Add, dims)?;
    match logarithm {
        true => cx.formula("x - log(s)", &[("x", moved.into()), ("s", sum.into())]),
        false => cx.ew(&sh::DIVIDE, &[powers, sum]),
    }
}

/// Before version 13 all dimensions from one on are one.
fn normalized_dims(cx: &mut Cx<'_>, n: &Node) -> Result<Vec<usize>, Refused> {
    let rank = cx.rank(n.x(0)?);
    if n.opset < 13 {
        // Counted from the end, the last dimension is -1; as many as there are is none.
        let from = match n.int("axis", 1) {
            from @ ..0 => axis(from, rank)?,
            from => axis(from, rank + 1)?,
        };
        return Ok((from..rank).collect());
    }
    Ok(vec![axis(n.int("axis", -1), rank)?])
}

fn softmax_operator(cx: &mut Cx<'_>, n: &Node, logarithm: bool) -> Lowered {
    let value = n.x(0)?;
    let dims = normalized_dims(cx, n)?;
    let ty = cx.element(value);
    let is_narrow = cx
        .context()
        .float_kind(ty)
        .is_some_and(|kind| kind.width() < 32);
    let wide = if is_narrow {
        cx.convert(value, Type::F32)?
    } else {
        value
    };
    let result = softmax(cx, wide, &dims, logarithm)?;
    Ok(vec![cx.convert(result, ty)?])
}

fn hardmax(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let dims = normalized_dims(cx, n)?;
    let whole = cx.dims(value);
    let ty = cx.element(value);
    // The dimensions are those at the end, or one.
    let (value, dim) = match dims[..] {
        [dim] => (value, dim),
        _ => {
            let first = *dims.first().unwrap_or(&whole.len());
            let last = cx.product(&whole[first..]);
            let mut flat = whole[..first].to_vec();
            flat.push(last);
            (cx.reshape(value, &flat)?, first)
        }
    };
    let places = arg_extremum(cx, value, dim, true, false)?;
    let places = cx.unsqueeze(places, &[dim])?;
    let flat = cx.dims(value);
    let counted = cx.generate(&flat, Type::I64, &mut |b, index| {
        b.value(&arith::INDEX_CAST, &[index[dim]], Type::I64)
    });
    let found = cx.formula("x == y", &[("x", counted.into()), ("y", places.into())])?;
    let found = cx.convert(found, ty)?;
    Ok(vec![cx.reshape(found, &whole)?])
}

/// Where along a dimension the greatest or least element is.
pub(super) fn arg_extremum(
    cx: &mut Cx<'_>,
    value: Value,
    dim: usize,
    greatest: bool,
    last: bool,
) -> Result<Value, Refused> {
    let ty = cx.element(value);
    let fold = if greatest { Fold::Max } else { Fold::Min };
    let dims = cx.dims(value);
    let rank = dims.len();
    let kept: Vec<usize> = (0..rank).filter(|&other| other != dim).collect();
    let result: Vec<Dim> = kept.iter().map(|&other| dims[other]).collect();
    let source = cx.signless(value);
    let worst = cx.neutral(fold, ty);
    let none = cx.int_scalar(Type::I64, -1);
    let best = cx.filled(&result, worst, ty);
    let best = cx.signless(best);
    let places = cx.filled(&result, none, Type::I64);
    let unsigned = cx.is_unsigned(ty);
    let is_float = cx.is_float_type(ty);
    let parallel: Vec<bool> = (0..rank).map(|other| other != dim).collect();
    let generic = Generic {
        inputs: vec![(source, AffineMap::identity(rank))],
        outputs: vec![
            (best, projection(rank, &kept)),
            (places, projection(rank, &kept)),
        ],
        parallel: &parallel,
    };
    let values = generic.build(&mut cx.b, &mut |b, x| {
        let at = loop_counter(b, dim);
        let at = b.value(&arith::INDEX_CAST, &[at], Type::I64);
        let mut e = Emit::new(b);
        let better = match is_float {
            true => {
                let predicate = match (greatest, last) {
                    (true, false) => CmpFPredicate::Ogt,
                    (true, true) => CmpFPredicate::Oge,
                    (false, false) => CmpFPredicate::Olt,
                    (false, true) => CmpFPredicate::Ole,
                };
                let better = e.cmpf(predicate, x[0], x[1]);
                // The first NaN is the extremum of all.
                let (nan, before) = (e.is_nan(x[0]), e.is_nan(x[1]));
                let number = e.not(before);
                let first = match last {
                    true => nan,
                    false => e.and(nan, number),
                };
                e.or(better, first)
            }
            false => {
                let predicate = match (greatest, last, unsigned) {
                    (true, false, false) => CmpIPredicate::Sgt,
                    (true, true, false) => CmpIPredicate::Sge,
                    (false, false, false) => CmpIPredicate::Slt,
                    (false, true, false) => CmpIPredicate::Sle,
                    (true, false, true) => CmpIPredicate::Ugt,
                    (true, true, true) => CmpIPredicate::Uge,
                    (false, false, true) => CmpIPredicate::Ult,
                    (false, true, true) => CmpIPredicate::Ule,
                };
                e.cmpi(predicate, x[0], x[1])
            }
        };
        // The first one of all is taken whatever it is.
        let none = e.int_like(x[2], -1);
        let is_first = e.cmpi(CmpIPredicate::Eq, x[2], none);
        let better = e.or(better, is_first);
        vec![e.select(better, x[0], x[1]), e.select(better, at, x[2])]
    });
    Ok(cx.sized(values[1], &result))
}

fn arg(cx: &mut Cx<'_>, n: &Node, greatest: bool) -> Lowered {
    let value = n.x(0)?;
    let dim = axis(n.int("axis", 0), cx.rank(value))?;
    let places = arg_extremum(cx, value, dim, greatest, n.flag("select_last_index", false))?;
    match n.flag("keepdims", true) {
        true => Ok(vec![cx.unsqueeze(places, &[dim])?]),
        false => Ok(vec![places]),
    }
}

fn cumulative(cx: &mut Cx<'_>, n: &Node, fold: Fold) -> Lowered {
    let value = n.x(0)?;
    let dims = cx.dims(value);
    let (exclusive, reverse) = (n.flag("exclusive", false), n.flag("reverse", false));
    let dim = match cx.size_in(n.x(1)?)? {
        Dim::Constant(at) => axis(at, dims.len())?,
        at => {
            return Ok(vec![cx.cumulative_along(
                value,
                at,
                fold,
                [exclusive, reverse],
            )]);
        }
    };
    let ty = cx.element(value);
    let source = cx.signless(value);
    let def = cx.fold_op(fold, ty);
    let init = cx.neutral(fold, ty);
    // One loop along the dimension, inside loops over all others; the sum so far is carried.
    let out = cx.empty(&dims, ty);
    let mut order: Vec<usize> = (0..dims.len()).filter(|&other| other != dim).collect();
    order.push(dim);
    let sizes: Vec<Dim> = order.iter().map(|&other| dims[other]).collect();
    let (outer, inner) = sizes.split_at(sizes.len() - 1);
    let size = inner[0];
    let results = crate::rewrite::formula::nest(&mut cx.b, outer, &[out], &mut |b, at, carried| {
        let element = b.ir.value_type(init);
        let results =
            crate::rewrite::formula::repeat(b, 0, size, &[carried[0], init], |b, i, carried| {
                let place = match reverse {
                    true => (F::from(size) - 1 - i).build(b),
                    false => i,
                };
                let mut indices = vec![place; dims.len()];
                for (&other, &index) in order.iter().zip(at) {
                    indices[other] = index;
                }
                let number = tensors::extract(b, source, &indices);
                let sum = b.value(def, &[carried[1], number], element);
                let stored = if exclusive { carried[1] } else { sum };
                let operands = [&[stored, carried[0]], &indices[..]].concat();
                let ty = b.ir.value_type(carried[0]);
                let all = b.value(&freehold_frontend::dialects::tensor::INSERT, &operands, ty);
                vec![all, sum]
            });
        vec![results[0]]
    });
    let result = cx.sized(results[0], &dims);
    Ok(vec![cx.with_element(result, ty)])
}

/// Tensors put into the order that `before` says of the elements of the first one, which comes twice; all others move
/// along. They are signless.
pub(super) fn sorted(
    cx: &mut Cx<'_>,
    tensors: &[Value],
    dim: usize,
    before: &mut dyn FnMut(&mut Builder<'_>, &[Value]) -> Value,
) -> Vec<Value> {
    let segments = [0, tensors.len() as i32];
    let sort = &iree_linalg_ext::SORT;
    let mut before = |b: &mut Builder<'_>, x: &[Value]| Ok::<Value, Infallible>(before(b, x));
    let Ok(results) = ordered(
        &mut cx.b,
        sort,
        &segments,
        dim as i64,
        tensors,
        tensors,
        &mut before,
    );
    for (&value, &result) in tensors.iter().zip(&results) {
        let dims = cx.dims(value);
        cx.sized(result, &dims);
    }
    results
}

/// Whether one element comes before another, the least or the greatest first, NaN as the greatest.
pub(super) fn comes_before(
    b: &mut Builder<'_>,
    (p, q): (Value, Value),
    greatest: bool,
    unsigned: bool,
) -> Value {
    let mut e = Emit::new(b);
    let is_float = matches!(e.class(p), Class::Float(_));
    match (is_float, greatest) {
        (true, false) => {
            let less = e.cmpf(CmpFPredicate::Olt, p, q);
            let (nan, number) = (e.is_nan(q), e.is_nan(p));
            let number = e.not(number);
            let last = e.and(nan, number);
            e.or(less, last)
        }
        (true, true) => {
            let more = e.cmpf(CmpFPredicate::Ogt, p, q);
            let (nan, number) = (e.is_nan(p), e.is_nan(q));
            let number = e.not(number);
            let first = e.and(nan, number);
            e.or(more, first)
        }
        (false, greatest) => {
            let predicate = match (greatest, unsigned) {
                (false, false) => CmpIPredicate::Slt,
                (false, true) => CmpIPredicate::Ult,
                (true, false) => CmpIPredicate::Sgt,
                (true, true) => CmpIPredicate::Ugt,
            };
            e.cmpi(predicate, p, q)
        }
    }
}

fn top_k(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let dims = cx.dims(value);
    let dim = axis(n.int("axis", -1), dims.len())?;
    let k = match n.opt_int("k") {
        Some(k) => c(k),
        None => cx.size_in(n.x(1)?)?,
    };
    let ty = cx.element(value);
    let unsigned = cx.is_unsigned(ty);
    let largest = n.flag("largest", true);
    match (k, dims[dim]) {
        (Dim::Constant(k), Dim::Constant(size)) if !(0..=size).contains(&k) => {
            return Err(format!("it is to find {k} of {size} elements").into());
        }
        (Dim::Constant(0..), Dim::Constant(_)) => {}
        (k, size) => {
            let [k, size] = [k, size].map(|number| number.materialize(&mut cx.b));
            let is_number = F::from(0).is(CmpIPredicate::Sle, x(k));
            let fits = is_number.and(x(k).is(CmpIPredicate::Sle, x(size)));
            let fits = fits.build(&mut cx.b);
            require(
                cx,
                fits,
                "TopK is to find more elements than there are, or fewer than none",
            );
        }
    }
    let source = cx.signless(value);
    if let Dim::Constant(k) = k
        && is_inserted(k, dims[dim].static_value())
    {
        return Ok(inserted(cx, source, (dim, k), (ty, largest)));
    }
    let positions = cx.generate(&dims, Type::I64, &mut |b, index| {
        b.value(&arith::INDEX_CAST, &[index[dim]], Type::I64)
    });
    let results = sorted(cx, &[source, positions], dim, &mut |b, x| {
        comes_before(b, (x[0], x[1]), largest, unsigned)
    });
    let found = cx.part(results[0], dim, c(0), k);
    let places = cx.part(results[1], dim, c(0), k);
    Ok(vec![cx.with_element(found, ty), places])
}

/// The first `k` elements along a dimension and their places, each of which is put among those found so far. Before any is
/// found there are `k` that come last.
fn inserted(
    cx: &mut Cx<'_>,
    source: Value,
    (dim, k): (usize, i64),
    (ty, largest): (Type, bool),
) -> Vec<Value> {
    let unsigned = cx.is_unsigned(ty);
    let mut dims = cx.dims(source);
    dims[dim] = c(k);
    let element = cx.element(source);
    let mut e = Emit::new(&mut cx.b);
    let last = match (e.class_of(element), largest) {
        (Class::Float(_), true) => e.float(element, f64::NEG_INFINITY),
        (Class::Float(_), false) => e.float(element, f64::NAN),
        (Class::Integer(width), _) => {
            let bits = match (largest, unsigned) {
                (true, true) => 0,
                (true, false) => -(1i128 << (width - 1)),
                (false, true) => -1,
                (false, false) => (1i128 << (width - 1)) - 1,
            };
            e.int(element, bits)
        }
        _ => e.int(element, 0),
    };
    let behind = cx.int_scalar(Type::I64, i64::MAX.into());
    let outputs = [(last, element), (behind, Type::I64)]
        .map(|(scalar, element)| cx.filled(&dims, scalar, element));
    let mut before = |b: &mut Builder<'_>, x: &[Value]| {
        Ok::<Value, Infallible>(comes_before(b, (x[0], x[1]), largest, unsigned))
    };
    let Ok(found) = ordered(
        &mut cx.b,
        &iree_linalg_ext::TOPK,
        &[1, 0, 1, 1],
        dim as i64,
        &[source, outputs[0], outputs[1]],
        &outputs,
        &mut before,
    );
    for &result in &found {
        cx.sized(result, &dims);
    }
    vec![cx.with_element(found[0], ty), found[1]]
}

/// The places of a tensor of integers as values of type index, those that are negative from the end.
pub(super) fn place(b: &mut Builder<'_>, number: Value, size: Dim) -> Value {
    let index = match b.ir.value_type(number) {
        Type::INDEX => number,
        _ => b.value(&arith::INDEX_CAST, &[number], Type::INDEX),
    };
    x(index).less(0).select(x(index) + size, x(index)).build(b)
}
