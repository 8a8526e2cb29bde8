//! `Resize` and `Upsample`, and other reads of images between their elements.

use freehold_frontend::dialects::onnx::rows as onnx;
use freehold_frontend::dialects::tensor::reshapes::collapse_shape;
use freehold_frontend::dialects::{arith, math};
use freehold_frontend::ir::affine::AffineExpr;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::Type;

use super::convert_onnx_to_stablehlo::Row;
use super::graph::{Cx, Fold};
use super::node::{Lowered, Node, Refused, axes};
use super::sizes::{Dim, c};
use crate::rewrite::formula::{F, Unary, x};
use crate::rewrite::tensors::{extract, map, moved_to};

pub(super) const ROWS: &[Row] = &[(&onnx::RESIZE, resize), (&onnx::UPSAMPLE, upsample)];

/// How a dimension is resized.
struct Axis {
    dim: usize,
    from: Dim,
    to: Dim,
    /// The scale as a number of type f32 or f64.
    scale: Scale,
    /// The region of interest, from where to where.
    region: Option<[F; 2]>,
}

#[derive(Clone, Copy)]
enum Scale {
    Number(f64),
    Value(Value),
}

impl Scale {
    fn formula(self) -> F {
        match self {
            Self::Number(number) => F::from(number),
            Self::Value(value) => x(value),
        }
    }
}

/// What `Resize` is told besides sizes.
struct Mode {
    coordinates: String,
    kind: String,
    nearest: String,
    cubic: f64,
    exclude_outside: bool,
    antialias: bool,
    extrapolation: f64,
}

impl Mode {
    fn of(n: &Node) -> Self {
        let before = n.opset < 11;
        Self {
            coordinates: match before {
                true => "asymmetric".into(),
                false => n.text("coordinate_transformation_mode", "half_pixel"),
            },
            kind: n.text("mode", "nearest"),
            nearest: match before {
                true => "floor".into(),
                false => n.text("nearest_mode", "round_prefer_floor"),
            },
            cubic: n.float("cubic_coeff_a", -0.75),
            exclude_outside: n.flag("exclude_outside", false),
            antialias: n.flag("antialias", false),
            extrapolation: n.float("extrapolation_value", 0.0),
        }
    }
}

/// The type that positions are computed in.
const REAL: Type = Type::F64;

fn upsample(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let scales = match n.floats("scales") {
        Some(scales) => scales,
        None => match n.opt(1) {
            Some(scales) => match cx.constant_numbers(scales) {
                Some(scales) => scales,
                None => {
                    let all: Vec<usize> = (0..cx.rank(value)).collect();
                    let mut mode = Mode::of(n);
                    mode.coordinates = "asymmetric".into();
                    mode.nearest = "floor".into();
                    let plan = from_scale_values(cx, value, &all, scales, &[])?;
                    return Ok(vec![resized(cx, value, plan, &mode)?]);
                }
            },
            None => {
                let mut scales = vec![1.0; cx.rank(value)];
                let last = scales.len() - 1;
                scales[last] = n.float("width_scale", 1.0);
                scales[last - 1] = n.float("height_scale", 1.0);
                scales
            }
        },
    };
    let all: Vec<usize> = (0..scales.len()).collect();
    let mut mode = Mode::of(n);
    mode.coordinates = "asymmetric".into();
    mode.nearest = "floor".into();
    let plan = from_scales(cx, value, &all, &scales, &[])?;
    Ok(vec![resized(cx, value, plan, &mode)?])
}

fn resize(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let rank = cx.rank(value);
    let dims_of = match n.ints("axes") {
        Some(all) => axes(&all, rank)?,
        None => (0..rank).collect(),
    };
    let mode = Mode::of(n);
    let (scales, sizes) = match n.opset {
        ..11 => (n.opt(1), None),
        _ => (n.opt(2), n.opt(3)),
    };
    let scales = scales.filter(|&scales| cx.known(scales) != Some(vec![0]));
    let mut region: Vec<[F; 2]> = Vec::new();
    if mode.coordinates == "tf_crop_and_resize" {
        let all = numbers_in(cx, n.x(1)?)?;
        let half = all.len() / 2;
        region = (0..half)
            .map(|i| [all[i].clone(), all[half + i].clone()])
            .collect();
    }
    let policy = n.text("keep_aspect_ratio_policy", "stretch");
    let plan = match (scales, sizes) {
        (Some(scales), _) => match cx.constant_numbers(scales) {
            Some(scales) => from_scales(cx, value, &dims_of, &scales, &region)?,
            None => from_scale_values(cx, value, &dims_of, scales, &region)?,
        },
        (None, Some(sizes)) => {
            let sizes = cx.sizes_in(sizes)?;
            from_sizes(cx, value, &dims_of, &sizes, &region, &policy)?
        }
        (None, None) => return Err("it has neither scales nor sizes".into()),
    };
    Ok(vec![resized(cx, value, plan, &mode)?])
}

fn from_scales(
    cx: &mut Cx<'_>,
    value: Value,
    dims_of: &[usize],
    scales: &[f64],
    region: &[[F; 2]],
) -> Result<Vec<Axis>, Refused> {
    let dims = cx.dims(value);
    if scales.len() != dims_of.len() {
        return Err("it has not one scale per dimension".into());
    }
    let mut plan = Vec::new();
    for (i, (&dim, &scale)) in dims_of.iter().zip(scales).enumerate() {
        let from = dims[dim];
        let part = region
            .get(i)
            .map(|[start, end]| end.clone() - start.clone());
        let to = match from {
            Dim::Constant(size) if part.is_none() => c((size as f64 * scale).floor() as i64),
            _ if scale == 1.0 && part.is_none() => from,
            _ if scale.fract() == 0.0 && part.is_none() => cx.mul(from, c(scale as i64)),
            size => {
                let size = F::from(size).apply(Unary::ToNumber(REAL)) * scale;
                let size = part.map_or(size.clone(), |part| size * part);
                let size = size.apply(Unary::Floor).apply(Unary::ToIndex);
                size.build(&mut cx.b).into()
            }
        };
        plan.push(Axis {
            dim,
            from,
            to,
            scale: Scale::Number(scale),
            region: region.get(i).cloned(),
        });
    }
    Ok(plan)
}

/// The elements of a list of numbers, which may be known only at run time.
fn numbers_in(cx: &mut Cx<'_>, list: Value) -> Result<Vec<F>, Refused> {
    if let Some(numbers) = cx.constant_numbers(list) {
        return Ok(numbers.into_iter().map(F::from).collect());
    }
    let Some(&[length]) = cx.known(list).as_deref() else {
        return Err("it reads a list whose length is known only at run time".into());
    };
    let list = cx.convert(list, REAL)?;
    let mut all = Vec::new();
    for i in 0..length {
        let at = arith::constant_index(&mut cx.b, i);
        all.push(x(extract(&mut cx.b, list, &[at])));
    }
    Ok(all)
}

/// Scales that are computed.
fn from_scale_values(
    cx: &mut Cx<'_>,
    value: Value,
    dims_of: &[usize],
    scales: Value,
    region: &[[F; 2]],
) -> Result<Vec<Axis>, Refused> {
    let dims = cx.dims(value);
    let scales = cx.convert(scales, REAL)?;
    let mut plan = Vec::new();
    for (i, &dim) in dims_of.iter().enumerate() {
        let at = arith::constant_index(&mut cx.b, i as i64);
        let scale = extract(&mut cx.b, scales, &[at]);
        let size = cx.v(dims[dim]);
        let size = x(size).apply(Unary::ToNumber(REAL)) * scale;
        let size = match region.get(i) {
            Some([start, end]) => size * (end.clone() - start.clone()),
            None => size,
        };
        let to = size
            .apply(Unary::Floor)
            .apply(Unary::ToIndex)
            .build(&mut cx.b);
        plan.push(Axis {
            dim,
            from: dims[dim],
            to: to.into(),
            scale: Scale::Value(scale),
            region: region.get(i).cloned(),
        });
    }
    Ok(plan)
}

fn from_sizes(
    cx: &mut Cx<'_>,
    value: Value,
    dims_of: &[usize],
    sizes: &[Dim],
    region: &[[F; 2]],
    policy: &str,
) -> Result<Vec<Axis>, Refused> {
    let dims = cx.dims(value);
    if sizes.len() != dims_of.len() {
        return Err("it has not one size per dimension".into());
    }
    let mut plan = Vec::new();
    if policy != "stretch" {
        let mut scale: Option<F> = None;
        for (&dim, &to) in dims_of.iter().zip(sizes) {
            let number = |dim: Dim| F::from(dim).apply(Unary::ToNumber(REAL));
            let ratio = number(to) / number(dims[dim]);
            scale = Some(match scale {
                Some(scale) if policy == "not_larger" => scale.min(ratio),
                Some(scale) => scale.max(ratio),
                None => ratio,
            });
        }
        let scale = scale.ok_or("it has no sizes")?.build(&mut cx.b);
        for (i, &dim) in dims_of.iter().enumerate() {
            let from = F::from(dims[dim]).apply(Unary::ToNumber(REAL));
            // Halves are rounded up.
            let to = (from * scale + 0.5)
                .apply(Unary::Floor)
                .apply(Unary::ToIndex);
            let to = to.build(&mut cx.b).into();
            let (scale, region) = (Scale::Value(scale), region.get(i).cloned());
            plan.push(Axis {
                dim,
                from: dims[dim],
                to,
                scale,
                region,
            });
        }
        return Ok(plan);
    }
    for (i, (&dim, &to)) in dims_of.iter().zip(sizes).enumerate() {
        let from = dims[dim];
        let scale = match (from, to) {
            (Dim::Constant(from), Dim::Constant(to)) => Scale::Number(to as f64 / from as f64),
            _ if from == to => Scale::Number(1.0),
            _ => {
                let (from, to) = (cx.v(from), cx.v(to));
                let ratio =
                    x(to).apply(Unary::ToNumber(REAL)) / x(from).apply(Unary::ToNumber(REAL));
                Scale::Value(ratio.build(&mut cx.b))
            }
        };
        plan.push(Axis {
            dim,
            from,
            to,
            scale,
            region: region.get(i).cloned(),
        });
    }
    Ok(plan)
}

/// Where in a dimension an element of the result comes from, of type `REAL`.
fn source_position(axis: &Axis, mode: &Mode, index: Value) -> F {
    let at = || x(index).apply(Unary::ToNumber(REAL));
    let number = |dim: Dim| match dim {
        Dim::Constant(number) => F::from(number as f64),
        Dim::Value(value) => x(value).apply(Unary::ToNumber(REAL)),
    };
    let scale = || axis.scale.formula();
    let (from, to) = (number(axis.from), number(axis.to));
    match mode.coordinates.as_str() {
        "align_corners" => {
            let single = number(axis.to).equal(F::from(1.0));
            // The size before it was rounded.
            let whole = from.clone() * scale();
            single.select(F::from(0.0), at() * (from - 1.0) / (whole - 1.0))
        }
        "asymmetric" => at() / scale(),
        "pytorch_half_pixel" => {
            let many = number(axis.to).greater(F::from(1.0));
            many.select((at() + 0.5) / scale() - 0.5, F::from(0.0))
        }
        "tf_half_pixel_for_nn" => (at() + 0.5) / scale(),
        "tf_crop_and_resize" => {
            let [start, end] = axis.region.clone().unwrap_or([F::from(0.0), F::from(1.0)]);
            let width = number(axis.from) - 1.0;
            match axis.to {
                Dim::Constant(1) => width * (start + end) * 0.5,
                _ => {
                    let single = to.clone().equal(F::from(1.0));
                    let middle = width.clone() * (start.clone() + end.clone()) * 0.5;
                    let step = width.clone() * (end - start.clone()) / (to - 1.0);
                    single.select(middle, width * start + at() * step)
                }
            }
        }
        "half_pixel_symmetric" => {
            // The middle stays where it is if the size was rounded.
            let whole = number(axis.from) * scale();
            let adjustment = number(axis.to) / whole;
            let center = number(axis.from) / F::from(2.0);
            let offset = center * (F::from(1.0).real_as(REAL) - adjustment);
            offset + (at() + 0.5) / scale() - 0.5
        }
        _ => (at() + 0.5) / scale() - 0.5,
    }
}

/// Images enlarged more often read each element where its position says. Real models have scales from 2 to 32.
const MAX_REPETITIONS: f64 = 1024.0;

/// How often each element of a dimension comes, one after the other, if the nearest ones are just that.
fn repetitions(axis: &Axis, mode: &Mode) -> Option<i64> {
    let Scale::Number(scale) = axis.scale else {
        return None;
    };
    // Where an element comes from is its number divided by the scale, rounded down.
    let rounds_down = match mode.coordinates.as_str() {
        "asymmetric" | "tf_half_pixel_for_nn" => mode.nearest == "floor",
        "half_pixel" => mode.nearest.starts_with("round_prefer"),
        _ => false,
    };
    let is_whole = scale.fract() == 0.0 && (2.0..=MAX_REPETITIONS).contains(&scale);
    let is_exact = match (axis.from, axis.to) {
        (Dim::Constant(from), Dim::Constant(to)) => from.checked_mul(scale as i64) == Some(to),
        // Computed from the scale.
        (Dim::Value(_), Dim::Value(_)) => true,
        _ => false,
    };
    (rounds_down && is_whole && is_exact).then_some(scale as i64)
}

/// Each element along these dimensions several times, which makes the sizes of them those given.
fn repeated(cx: &mut Cx<'_>, value: Value, times: &[(usize, i64, Dim)]) -> Value {
    let ty = cx.element(value);
    let (mut whole, mut read, mut groups) = (Vec::new(), Vec::new(), Vec::new());
    let mut result = cx.dims(value);
    for (dim, size) in cx.dims(value).into_iter().enumerate() {
        let first = whole.len();
        read.push(AffineExpr::Dim(first as u32));
        whole.push(size);
        if let Some(&(_, n, to)) = times.iter().find(|&&(of, ..)| of == dim) {
            whole.push(c(n));
            result[dim] = to;
        }
        groups.push((first as i64..whole.len() as i64).collect::<Vec<i64>>());
    }
    let source = cx.signless(value);
    let out = cx.empty(&whole, ty);
    let out = moved_to(&mut cx.b, source, out, map(whole.len(), read));
    let collapsed = cx.type_of(&result, cx.element(source));
    let value = collapse_shape(&mut cx.b, out, &groups, collapsed);
    cx.sized(value, &result);
    cx.with_element(value, ty)
}

fn real_to_index(b: &mut Builder<'_>, number: F) -> Value {
    number.apply(Unary::ToIndex).build(b)
}

/// The element of a dimension that is nearest to where one of the result comes from.
fn nearest_place(b: &mut Builder<'_>, axis: &Axis, mode: &Mode, index: Value) -> Value {
    let position = source_position(axis, mode, index);
    let position = x(position.build_as(b, REAL));
    let rounded = match mode.nearest.as_str() {
        "floor" => position.apply(Unary::Floor),
        "ceil" => position.apply(Unary::Ceil),
        "round_prefer_ceil" => (position + 0.5).apply(Unary::Floor),
        _ => (position - 0.5).apply(Unary::Ceil),
    };
    let place = x(real_to_index(b, rounded));
    place.max(0).min(F::from(axis.from) - 1).build(b)
}

fn resized(cx: &mut Cx<'_>, value: Value, plan: Vec<Axis>, mode: &Mode) -> Result<Value, Refused> {
    let ty = cx.element(value);
    let crops = mode.coordinates == "tf_crop_and_resize";
    let plan: Vec<Axis> = plan
        .into_iter()
        .filter(|axis| {
            let same = axis.from == axis.to
                && matches!(axis.scale, Scale::Number(number) if number == 1.0);
            !same || crops
        })
        .collect();
    if plan.is_empty() {
        return Ok(value);
    }
    if mode.kind == "nearest" {
        let (several, plan): (Vec<Axis>, Vec<Axis>) =
            (plan.into_iter()).partition(|axis| !crops && repetitions(axis, mode).is_some());
        let times = several.iter().filter_map(|axis| {
            let n = repetitions(axis, mode)?;
            Some((axis.dim, n, axis.to))
        });
        let times: Vec<(usize, i64, Dim)> = times.collect();
        let value = match times.is_empty() {
            true => value,
            false => repeated(cx, value, &times),
        };
        if plan.is_empty() {
            return Ok(value);
        }
        let mut dims = cx.dims(value);
        for axis in &plan {
            dims[axis.dim] = axis.to;
        }
        let outside = cx.scalar(ty, mode.extrapolation);
        let source = cx.signless(value);
        // Places along each dimension first: the loop over all elements only reads.
        let mut places = Vec::new();
        for axis in &plan {
            places.push(cx.generate(&[axis.to], Type::I64, &mut |b, index| {
                let place = nearest_place(b, axis, mode, index[0]);
                b.value(&arith::INDEX_CAST, &[place], Type::I64)
            }));
        }
        return Ok(cx.generate(&dims, ty, &mut |b, index| {
            let mut at = index.to_vec();
            let mut inside: Option<Value> = None;
            for (axis, &places) in plan.iter().zip(&places) {
                if crops {
                    let position = source_position(axis, mode, index[axis.dim]);
                    let position = x(position.build_as(b, REAL));
                    let last = F::from(axis.from) - 1;
                    let last = last.apply(Unary::ToNumber(REAL));
                    let check = position
                        .clone()
                        .is(arith::CmpIPredicate::Sge, F::from(0.0))
                        .and(position.is(arith::CmpIPredicate::Sle, last))
                        .build(b);
                    inside = Some(match inside {
                        Some(inside) => x(inside).and(x(check)).build(b),
                        None => check,
                    });
                }
                let place = extract(b, places, &[index[axis.dim]]);
                at[axis.dim] = b.value(&arith::INDEX_CAST, &[place], Type::INDEX);
            }
            let number = extract(b, source, &at);
            match inside {
                Some(inside) => x(inside).select(number, outside).build(b),
                None => number,
            }
        }));
    }
    let taps = match mode.kind.as_str() {
        "linear" | "bilinear" => 2,
        "cubic" => 4,
        other => return Err(format!("mode '{other}' is not known").into()),
    };
    // One dimension after the other; a read outside of any gives the extrapolation in all.
    let real = if ty == Type::F64 {
        Type::F64
    } else {
        Type::F32
    };
    let mut result = cx.convert(value, real)?;
    for axis in &plan {
        result = interpolated(cx, result, axis, mode, taps)?;
    }
    if crops {
        let dims = cx.dims(result);
        let outside = cx.scalar(real, mode.extrapolation);
        let source = result;
        result = cx.generate(&dims, real, &mut |b, index| {
            let mut inside: Option<Value> = None;
            for axis in &plan {
                let position = source_position(axis, mode, index[axis.dim]);
                let position = x(position.build_as(b, REAL));
                let last = F::from(axis.from) - 1;
                let last = last.apply(Unary::ToNumber(REAL));
                let check = position
                    .clone()
                    .is(arith::CmpIPredicate::Sge, F::from(0.0))
                    .and(position.is(arith::CmpIPredicate::Sle, last))
                    .build(b);
                inside = Some(match inside {
                    Some(inside) => x(inside).and(x(check)).build(b),
                    None => check,
                });
            }
            let number = extract(b, source, index);
            match inside {
                Some(inside) => x(inside).select(number, outside).build(b),
                None => number,
            }
        });
    }
    if cx.is_float_type(ty) {
        return cx.convert(result, ty);
    }
    let rounded = cx.formula("round(x)", &[("x", result.into())])?;
    let wide = cx.convert(rounded, Type::I32)?;
    cx.convert(wide, ty)
}

/// The weight that an element at a distance has.
fn weight(b: &mut Builder<'_>, mode: &Mode, distance: Value, cubic: bool) -> Value {
    let d = || x(distance);
    if !cubic {
        return (F::from(1.0).real_as(REAL) - d())
            .max(F::from(0.0))
            .build(b);
    }
    let a = mode.cubic;
    let near = ((d() * (a + 2.0) - (a + 3.0)) * d() * d()) + 1.0;
    let far = ((d() * a - 5.0 * a) * d() + 8.0 * a) * d() - 4.0 * a;
    let is_near = d().is(arith::CmpIPredicate::Sle, F::from(1.0));
    let is_far = d().less(F::from(2.0));
    is_near
        .select(near, is_far.select(far, F::from(0.0)))
        .build(b)
}

/// The tensor resized along one dimension, with weights of `taps` elements, or more of them where it shrinks and
/// `antialias` says so.
fn interpolated(
    cx: &mut Cx<'_>,
    value: Value,
    axis: &Axis,
    mode: &Mode,
    taps: i64,
) -> Result<Value, Refused> {
    let real = cx.element(value);
    let mut dims = cx.dims(value);
    dims[axis.dim] = axis.to;
    let cubic = taps == 4;
    // A window that is stretched sees more elements.
    let few = taps <= 4 && !mode.antialias;
    let (stretch, taps) = match axis.scale {
        _ if !mode.antialias => (F::from(1.0), c(taps)),
        Scale::Number(scale) => {
            let scale = scale.min(1.0);
            (F::from(scale), c((taps as f64 / scale).ceil() as i64 + 2))
        }
        Scale::Value(scale) => {
            let scale = x(scale).min(F::from(1.0)).build(&mut cx.b);
            let width = F::from(taps as f64).real_as(REAL) / scale;
            let width = width.apply(Unary::Ceil).apply(Unary::ToIndex) + 2;
            (x(scale), width.build(&mut cx.b).into())
        }
    };
    // Weights and places of all positions first.
    let half = cx.div(taps, c(2));
    let start = |b: &mut Builder<'_>, index: Value| {
        let position = source_position(axis, mode, index);
        let position = position.build_as(b, REAL);
        let floor = x(position).apply(Unary::Floor).build(b);
        let first = real_to_index(b, x(floor));
        (position, (x(first) - half + 1).build(b))
    };
    let excludes = mode.exclude_outside;
    let weights = cx.generate(&[axis.to, taps], REAL, &mut |b, index| {
        let (position, first) = start(b, index[0]);
        let place = (x(first) + index[1]).build(b);
        let distance = x(place).apply(Unary::ToNumber(REAL)) - position;
        let distance = (distance * stretch.clone()).build_as(b, REAL);
        let distance = b.value(&math::ABSF, &[distance], REAL);
        let weight = weight(b, mode, distance, cubic);
        if excludes {
            let inside = x(place).is(arith::CmpIPredicate::Ult, F::from(axis.from));
            return inside.select(weight, F::from(0.0)).build(b);
        }
        weight
    });
    let sums = cx.reduce_kept(weights, Fold::Add, &[1])?;
    let weights = cx.formula("x / y", &[("x", weights.into()), ("y", sums.into())])?;
    let weights = cx.convert(weights, real)?;
    let zero = cx.scalar(real, 0.0);
    let source = value;
    let dim = axis.dim;
    Ok(cx.generate(&dims, real, &mut |b, index| {
        let (_, first) = start(b, index[dim]);
        let mut sum = zero;
        let add = |b: &mut Builder<'_>, sum: Value, tap: Value| {
            let place = (x(first) + tap).max(0).min(F::from(axis.from) - 1).build(b);
            let mut at = index.to_vec();
            at[dim] = place;
            let number = extract(b, source, &at);
            let weight = extract(b, weights, &[index[dim], tap]);
            (x(sum) + x(number) * weight).build(b)
        };
        if let (true, Dim::Constant(taps)) = (few, taps) {
            for tap in 0..taps {
                let tap = arith::constant_index(b, tap);
                sum = add(b, sum, tap);
            }
            return sum;
        }
        crate::rewrite::formula::repeat(b, 0, taps, &[zero], |b, tap, carried| {
            vec![add(b, carried[0], tap)]
        })[0]
    }))
}
