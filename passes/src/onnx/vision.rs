//! Operators on images and boxes.

use freehold_frontend::dialects::arith::{self, CmpIPredicate};
use freehold_frontend::dialects::onnx::rows as onnx;
use freehold_frontend::dialects::stablehlo::elementwise as sh;
use freehold_frontend::dialects::{math, tensor};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::Type;

use super::convert_onnx_to_stablehlo::Row;
use super::graph::Cx;
use super::node::{Lowered, Node};
use super::reductions::{comes_before, sorted};
use super::sizes::{Dim, c};
use super::windows::per_feature;
use crate::rewrite::formula::{F, Unary, choose, nest, repeat, x};
use crate::rewrite::tensors::extract;

pub(super) const ROWS: &[Row] = &[
    (&onnx::AFFINE_GRID, affine_grid),
    (&onnx::COL2_IM, col2im),
    (&onnx::DEFORM_CONV, deform_conv),
    (&onnx::GRID_SAMPLE, grid_sample),
    (&onnx::MAX_ROI_POOL, max_roi_pool),
    (&onnx::NON_MAX_SUPPRESSION, non_max_suppression),
    (&onnx::ROI_ALIGN, roi_align),
];

fn affine_grid(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let theta = n.x(0)?;
    let ty = cx.element(theta);
    let size = cx.sizes_in(n.x(1)?)?;
    let spatial = size[2..].to_vec();
    let rank = spatial.len();
    let corners = n.flag("align_corners", false);
    let mut dims = vec![size[0]];
    dims.extend(&spatial);
    dims.push(c(rank as i64));
    let value = cx.generate(&dims, ty, &mut |b, index| {
        let (batch, row) = (index[0], index[1 + rank]);
        let mut sum = F::Element(theta, vec![x(batch), x(row), F::from(rank as i64)]);
        for dim in 0..rank {
            // The last spatial dimension comes first.
            let at = x(index[1 + dim]).apply(Unary::ToNumber(ty));
            let length = F::from(spatial[dim]).apply(Unary::ToNumber(ty));
            let position = match corners {
                true => at * 2.0 / (length - 1.0).max(F::from(1.0)) - 1.0,
                false => (at * 2.0 + 1.0) / length - 1.0,
            };
            let column = F::from((rank - 1 - dim) as i64);
            sum = sum + F::Element(theta, vec![x(batch), x(row), column]) * position;
        }
        sum.build(b)
    });
    Ok(vec![value])
}

/// Blocks of images added up where they overlap.
fn col2im(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let ty = cx.element(value);
    let image = cx.sizes_in(n.x(1)?)?;
    let block = cx.sizes_in(n.x(2)?)?;
    let rank = image.len();
    let list = |name: &str, default: i64| n.ints(name).unwrap_or_else(|| vec![default; rank]);
    let (strides, dilations) = (list("strides", 1), list("dilations", 1));
    let pads = n.ints("pads").unwrap_or_else(|| vec![0; 2 * rank]);
    let from = cx.dims(value);
    let all = cx.product(&block);
    let channels = cx.div(from[1], all);
    let mut counts = Vec::new();
    for dim in 0..rank {
        let reach = cx.sub(block[dim], c(1));
        let reach = cx.mul(reach, c(dilations[dim]));
        let room = cx.add(image[dim], c(pads[dim] + pads[rank + dim] - 1));
        let room = cx.sub(room, reach);
        let count = cx.div(room, c(strides[dim]));
        counts.push(cx.add(count, c(1)));
    }
    let mut split = vec![from[0], channels];
    split.extend(&block);
    split.extend(&counts);
    let source = cx.reshape(value, &split)?;
    let mut dims = vec![from[0], channels];
    dims.extend(&image);
    let zero = cx.scalar(ty, 0.0);
    let out = cx.filled(&dims, zero, ty);
    let results = nest(&mut cx.b, &split, &[out], &mut |b, index, carried| {
        let mut at = vec![x(index[0]), x(index[1])];
        let mut inside: Option<F> = None;
        for dim in 0..rank {
            let place = x(index[2 + rank + dim]) * strides[dim] - pads[dim]
                + x(index[2 + dim]) * dilations[dim];
            let place = x(place.build(b));
            let check = place.clone().is(CmpIPredicate::Ult, F::from(image[dim]));
            inside = Some(match inside {
                Some(inside) => inside.and(check),
                None => check,
            });
            at.push(place);
        }
        let types = [b.ir.value_type(carried[0])];
        let inside = inside.unwrap_or_else(|| F::from(0).equal(0));
        choose(
            b,
            inside,
            &types,
            |b| {
                let number = extract(b, source, index);
                let at: Vec<Value> = at.into_iter().map(|at| at.build(b)).collect();
                let before = extract(b, carried[0], &at);
                let sum = (x(before) + number).build(b);
                let operands = [&[sum, carried[0]], &at[..]].concat();
                vec![b.value(&tensor::INSERT, &operands, types[0])]
            },
            |_| carried.to_vec(),
        )
    });
    Ok(vec![cx.sized(results[0], &dims)])
}

/// How images are read between their elements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Margin {
    Zeros,
    Border,
    Reflection,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Nearest,
    Linear,
    Cubic,
}

struct Sampler {
    source: Value,
    spatial: Vec<Dim>,
    kind: Kind,
    margin: Margin,
    corners: bool,
    ty: Type,
}

impl Sampler {
    fn length(&self, dim: usize) -> F {
        F::from(self.spatial[dim]).apply(Unary::ToNumber(self.ty))
    }

    /// A position mirrored at the borders until it is within.
    fn reflected(&self, b: &mut Builder<'_>, dim: usize, position: Value) -> Value {
        let (low, high) = match self.corners {
            true => (F::from(0.0).real_as(self.ty), self.length(dim) - 1.0),
            false => (F::from(-0.5).real_as(self.ty), self.length(dim) - 0.5),
        };
        let low = x(low.build_as(b, self.ty));
        let high = x(high.build(b));
        let range = x((high - low.clone()).build(b));
        let distance = (x(position) - low.clone()).build(b);
        let distance = b.value(&math::ABSF, &[distance], self.ty);
        let turns = (x(distance) / range.clone()).apply(Unary::Floor).build(b);
        let rest = x((x(distance) - x(turns) * range.clone()).build(b));
        let half = (x(turns) / F::from(2.0)).apply(Unary::Floor);
        let is_odd = (x(turns) - half * 2.0).greater(F::from(0.5));
        let mirrored = low + is_odd.select(range.clone() - rest.clone(), rest);
        // Of one element, everything is.
        let single = range.equal(F::from(0.0));
        single
            .select(F::from(0.0).real_as(self.ty), mirrored)
            .build_as(b, self.ty)
    }

    /// The element at a place, which may be outside.
    fn element(&self, b: &mut Builder<'_>, outer: &[Value], places: &[Value]) -> Value {
        let mut inside: Option<F> = None;
        let mut at: Vec<Value> = outer.to_vec();
        for (dim, &place) in places.iter().enumerate() {
            let size = F::from(self.spatial[dim]);
            let check = x(place).is(CmpIPredicate::Ult, size.clone());
            let place = match self.margin {
                Margin::Reflection => {
                    let position = x(place).apply(Unary::ToNumber(self.ty)).build(b);
                    let position = self.reflected(b, dim, position);
                    x(position).apply(Unary::ToIndex).build(b)
                }
                _ => place,
            };
            at.push(x(place).max(0).min(size - 1).build(b));
            inside = Some(match inside {
                Some(inside) => inside.and(check),
                None => check,
            });
        }
        let number = extract(b, self.source, &at);
        match (self.margin, inside) {
            (Margin::Zeros, Some(inside)) => inside
                .select(number, F::from(0.0).real_as(self.ty))
                .build(b),
            _ => number,
        }
    }

    /// The image at a position.
    fn sample(&self, b: &mut Builder<'_>, outer: &[Value], positions: &[Value]) -> Value {
        let mut firsts = Vec::new();
        let mut weights: Vec<Vec<Value>> = Vec::new();
        for (dim, &position) in positions.iter().enumerate() {
            let mut position = match self.kind {
                Kind::Nearest => b.value(&math::ROUNDEVEN, &[position], self.ty),
                _ => position,
            };
            let (low, high) = match self.corners {
                true => (F::from(0.0), self.length(dim) - 1.0),
                false => (F::from(-0.5), self.length(dim) - 0.5),
            };
            let outside = |b: &mut Builder<'_>| {
                let below = x(position).less(low.clone()).build(b);
                let above = x(position).greater(high.clone()).build(b);
                b.value(&arith::ORI, &[below, above], Type::I1)
            };
            let moved = match self.margin {
                Margin::Zeros => None,
                // As PyTorch and ONNX Runtime do: each of the elements around a position is at the border, not the position.
                Margin::Border if self.kind == Kind::Cubic => None,
                Margin::Border => {
                    let last = self.length(dim) - 1.0;
                    Some(x(position).max(F::from(0.0)).min(last).build(b))
                }
                Margin::Reflection => Some(self.reflected(b, dim, position)),
            };
            if let Some(moved) = moved {
                let outside = outside(b);
                position = x(outside).select(moved, position).build(b);
            }
            let floor = x(position).apply(Unary::Floor).build(b);
            // Positions far outside stay within the range of integers.
            let limited = x(floor).max(F::from(-1e9)).min(F::from(1e9));
            firsts.push(limited.apply(Unary::ToIndex).build(b));
            let t = x((x(position) - floor).build(b));
            let one = || F::from(1.0).real_as(self.ty);
            let all = match self.kind {
                Kind::Nearest => vec![one()],
                Kind::Linear => vec![one() - t.clone(), t],
                Kind::Cubic => {
                    let a = -0.75;
                    let far =
                        |d: F| ((d.clone() * a - 5.0 * a) * d.clone() + 8.0 * a) * d - 4.0 * a;
                    let near = |d: F| (d.clone() * (a + 2.0) - (a + 3.0)) * d.clone() * d + 1.0;
                    let rest = x((one() - t.clone()).build(b));
                    vec![
                        far(t.clone() + 1.0),
                        near(t),
                        near(rest.clone()),
                        far(rest + 1.0),
                    ]
                }
            };
            weights.push(
                all.into_iter()
                    .map(|weight| weight.build_as(b, self.ty))
                    .collect(),
            );
        }
        let before = if self.kind == Kind::Cubic { 1 } else { 0 };
        let n = weights[0].len();
        let mut sum: Option<Value> = None;
        for mut number in 0..n.pow(positions.len() as u32) {
            let mut places = Vec::new();
            let mut weight: Option<F> = None;
            for dim in 0..positions.len() {
                let tap = number % n;
                number /= n;
                places.push((x(firsts[dim]) + (tap as i64 - before)).build(b));
                let factor = x(weights[dim][tap]);
                weight = Some(match weight {
                    Some(weight) => weight * factor,
                    None => factor,
                });
            }
            let element = self.element(b, outer, &places);
            let Some(weight) = weight else { continue };
            let term = weight * element;
            sum = Some(match sum {
                Some(sum) => (x(sum) + term).build(b),
                None => term.build(b),
            });
        }
        sum.unwrap_or(firsts[0])
    }
}

fn grid_sample(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let (value, grid) = (n.x(0)?, n.x(1)?);
    let ty = cx.element(value);
    let (from, of) = (cx.dims(value), cx.dims(grid));
    let rank = from.len() - 2;
    let kind = match n.text("mode", "linear").as_str() {
        "nearest" => Kind::Nearest,
        "cubic" | "bicubic" => Kind::Cubic,
        _ => Kind::Linear,
    };
    let margin = match n.text("padding_mode", "zeros").as_str() {
        "border" => Margin::Border,
        "reflection" => Margin::Reflection,
        _ => Margin::Zeros,
    };
    if !cx.is_float_type(ty) {
        return Err("its images have elements that are no floats".into());
    }
    let real = if ty == Type::F64 { ty } else { Type::F32 };
    let (source, grid) = (cx.convert(value, real)?, cx.convert(grid, real)?);
    let sampler = Sampler {
        source,
        spatial: from[2..].to_vec(),
        kind,
        margin,
        corners: n.flag("align_corners", false),
        ty: real,
    };
    let mut dims = vec![from[0], from[1]];
    dims.extend(&of[1..=rank]);
    let result = cx.generate(&dims, real, &mut |b, index| {
        let positions: Vec<Value> = (0..rank)
            .map(|dim| {
                let mut at = vec![x(index[0])];
                at.extend(index[2..].iter().map(|&index| x(index)));
                at.push(F::from((rank - 1 - dim) as i64));
                let number = F::Element(grid, at);
                let length = sampler.length(dim);
                match sampler.corners {
                    true => (number + 1.0) / F::from(2.0) * (length - 1.0),
                    false => ((number + 1.0) * length - 1.0) / F::from(2.0),
                }
                .build(b)
            })
            .collect();
        sampler.sample(b, &index[..2], &positions)
    });
    Ok(vec![cx.convert(result, ty)?])
}

fn deform_conv(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let (value, weight, offset) = (n.x(0)?, n.x(1)?, n.x(2)?);
    let ty = cx.element(value);
    let (from, of, moved) = (cx.dims(value), cx.dims(weight), cx.dims(offset));
    let rank = from.len() - 2;
    let list = |name: &str, default: i64| n.ints(name).unwrap_or_else(|| vec![default; rank]);
    let (strides, dilations) = (list("strides", 1), list("dilations", 1));
    let pads = n.ints("pads").unwrap_or_else(|| vec![0; 2 * rank]);
    let groups = n.int("group", 1);
    let offset_groups = n.int("offset_group", 1);
    let places = moved[2..].to_vec();
    let kernel = of[2..].to_vec();
    let mut split = vec![moved[0], c(offset_groups)];
    split.extend(&kernel);
    split.push(c(rank as i64));
    split.extend(&places);
    let offset = cx.reshape(offset, &split)?;
    let mask = match n.opt(4) {
        Some(mask) => {
            let mut split = vec![moved[0], c(offset_groups)];
            split.extend(&kernel);
            split.extend(&places);
            Some(cx.reshape(mask, &split)?)
        }
        None => None,
    };
    let per_group = cx.div(of[0], c(groups));
    let per_offset = cx.div(from[1], c(offset_groups));
    let sampler = Sampler {
        source: value,
        spatial: from[2..].to_vec(),
        kind: Kind::Linear,
        margin: Margin::Zeros,
        corners: true,
        ty,
    };
    let mut dims = vec![from[0], of[0]];
    dims.extend(&places);
    let zero = cx.scalar(ty, 0.0);
    let mut inner = vec![of[1]];
    inner.extend(&kernel);
    let result = cx.generate(&dims, ty, &mut |b, index| {
        let group = x(index[1]).floor_div(F::from(per_group)).build(b);
        nest(b, &inner, &[zero], &mut |b, at, carried| {
            let channel = (x(group) * of[1] + at[0]).build(b);
            let offset_group = x(channel).floor_div(F::from(per_offset)).build(b);
            let positions: Vec<Value> = (0..rank)
                .map(|dim| {
                    let place = x(index[2 + dim]) * strides[dim] - pads[dim]
                        + x(at[1 + dim]) * dilations[dim];
                    let mut which = vec![x(index[0]), x(offset_group)];
                    which.extend(at[1..].iter().map(|&at| x(at)));
                    which.push(F::from(dim as i64));
                    which.extend(index[2..].iter().map(|&index| x(index)));
                    (place.apply(Unary::ToNumber(ty)) + F::Element(offset, which)).build(b)
                })
                .collect();
            let mut number = x(sampler.sample(b, &[index[0], channel], &positions));
            let mut which = vec![x(index[1])];
            which.extend(at.iter().map(|&at| x(at)));
            number = number * F::Element(weight, which);
            if let Some(mask) = mask {
                let mut which = vec![x(index[0]), x(offset_group)];
                which.extend(at[1..].iter().map(|&at| x(at)));
                which.extend(index[2..].iter().map(|&index| x(index)));
                number = number * F::Element(mask, which);
            }
            vec![(x(carried[0]) + number).build(b)]
        })[0]
    });
    let result = match n.opt(3) {
        Some(bias) => {
            let bias = per_feature(cx, bias, dims.len())?;
            cx.ew(&sh::ADD, &[result, bias])?
        }
        None => result,
    };
    Ok(vec![result])
}

fn max_roi_pool(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let (value, boxes) = (n.x(0)?, n.x(1)?);
    let ty = cx.element(value);
    let from = cx.dims(value);
    let sizes = n.ints("pooled_shape").ok_or("it has no 'pooled_shape'")?;
    let scale = n.float("spatial_scale", 1.0);
    let dims = vec![cx.dim(boxes, 0), from[1], c(sizes[0]), c(sizes[1])];
    let least = cx.scalar(ty, f64::NEG_INFINITY);
    let result = cx.generate(&dims, ty, &mut |b, index| {
        let corner = |b: &mut Builder<'_>, at: i64| {
            let number = F::Element(boxes, vec![x(index[0]), F::from(at)]) * scale;
            let number = number.build(b);
            let rounded = b.value(&math::ROUND, &[number], ty);
            x(rounded).apply(Unary::ToIndex).build(b)
        };
        let batch = F::Element(boxes, vec![x(index[0]), F::from(0)])
            .apply(Unary::ToIndex)
            .build(b);
        let [left, top, right, bottom] = [1, 2, 3, 4].map(|at| corner(b, at));
        let mut bounds = Vec::new();
        for (dim, (start, end)) in [(top, bottom), (left, right)].into_iter().enumerate() {
            let size = x((x(end) - start + 1).max(1).build(b));
            let number = x(index[2 + dim]);
            let first = (number.clone() * size.clone()).floor_div(sizes[dim]) + start;
            let last = ((number + 1) * size + (sizes[dim] - 1)).floor_div(sizes[dim]) + start;
            let limit = F::from(from[2 + dim]);
            bounds.push((
                first.max(0).min(limit.clone()).build(b),
                last.max(0).min(limit).build(b),
            ));
        }
        let (rows, columns) = (bounds[0], bounds[1]);
        let most = repeat(b, rows.0, rows.1, &[least], |b, row, carried| {
            repeat(b, columns.0, columns.1, carried, |b, column, carried| {
                let at = vec![x(batch), x(index[1]), x(row), x(column)];
                let number = F::Element(value, at).build(b);
                vec![x(carried[0]).max(x(number)).build(b)]
            })
        })[0];
        // An empty part of the image is zero.
        let none = x(rows.0).is(CmpIPredicate::Sge, x(rows.1)).build(b);
        let empty = x(columns.0).is(CmpIPredicate::Sge, x(columns.1)).build(b);
        let none = b.value(&arith::ORI, &[none, empty], Type::I1);
        x(none)
            .select(F::from(0.0).real_as(ty), most)
            .build_as(b, ty)
    });
    Ok(vec![result])
}

fn roi_align(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let (value, boxes, batches) = (n.x(0)?, n.x(1)?, n.x(2)?);
    let ty = cx.element(value);
    let from = cx.dims(value);
    let sizes = [n.int("output_height", 1), n.int("output_width", 1)];
    let ratio = n.int("sampling_ratio", 0);
    let scale = n.float("spatial_scale", 1.0);
    let default = if n.opset >= 16 {
        "half_pixel"
    } else {
        "output_half_pixel"
    };
    let half = n.text("coordinate_transformation_mode", default) == "half_pixel";
    let is_average = n.text("mode", "avg") == "avg";
    let dims = vec![cx.dim(boxes, 0), from[1], c(sizes[0]), c(sizes[1])];
    let (zero, least) = (cx.scalar(ty, 0.0), cx.scalar(ty, f64::NEG_INFINITY));
    let result = cx.generate(&dims, ty, &mut |b, index| {
        let batch = extract(b, batches, &[index[0]]);
        let batch = b.value(&arith::INDEX_CAST, &[batch], Type::INDEX);
        let mut axes = Vec::new();
        for (dim, &pooled) in sizes.iter().enumerate() {
            let corner = |at: i64| {
                let number = F::Element(boxes, vec![x(index[0]), F::from(at)]) * scale;
                if half { number - 0.5 } else { number }
            };
            let (start, end) = (corner(1 - dim as i64), corner(3 - dim as i64));
            let start = start.build(b);
            let mut size = end - start;
            if !half {
                size = size.max(F::from(1.0));
            }
            let bin = (size / F::from(pooled as f64)).build(b);
            let count = match ratio > 0 {
                true => crate::rewrite::formula::index(b, ratio),
                false => x(bin)
                    .apply(Unary::Ceil)
                    .apply(Unary::ToIndex)
                    .max(0)
                    .build(b),
            };
            axes.push((start, bin, count));
        }
        let position = |b: &mut Builder<'_>, dim: usize, sample: Value| {
            let (start, bin, count) = axes[dim];
            let place = x(index[2 + dim]).apply(Unary::ToNumber(ty));
            let inside = x(sample).apply(Unary::ToNumber(ty)) + 0.5;
            let count = x(count).apply(Unary::ToNumber(ty));
            (x(start) + place * bin + inside * bin / count).build(b)
        };
        let init = if is_average { zero } else { least };
        let sum = repeat(b, 0, axes[0].2, &[init], |b, i, carried| {
            repeat(b, 0, axes[1].2, carried, |b, j, carried| {
                let mut inside: Option<F> = None;
                let mut taps = Vec::new();
                for (dim, sample) in [(0, i), (1, j)] {
                    let at = position(b, dim, sample);
                    let limit = F::from(from[2 + dim]).apply(Unary::ToNumber(ty));
                    let check = x(at)
                        .is(CmpIPredicate::Sge, F::from(-1.0))
                        .and(x(at).is(CmpIPredicate::Sle, limit));
                    inside = Some(match inside {
                        Some(inside) => inside.and(check),
                        None => check,
                    });
                    let last = (F::from(from[2 + dim]) - 1).build(b);
                    let at = x(at).max(F::from(0.0)).build(b);
                    let low = x(at).apply(Unary::ToIndex).min(last).build(b);
                    let high = (x(low) + 1).min(last).build(b);
                    let is_last = x(low).is(CmpIPredicate::Sge, x(last));
                    let fraction = x(at) - x(low).apply(Unary::ToNumber(ty));
                    let fraction = is_last
                        .select(F::from(0.0).real_as(ty), fraction)
                        .build_as(b, ty);
                    taps.push([(low, false, fraction), (high, true, fraction)]);
                }
                let inside = inside.map(|inside| inside.build(b));
                let mut parts: Vec<F> = Vec::new();
                for (row, is_high, p) in taps[0] {
                    for (column, is_right, q) in taps[1] {
                        let one = || F::from(1.0).real_as(ty);
                        let p = if is_high { x(p) } else { one() - p };
                        let q = if is_right { x(q) } else { one() - q };
                        let at = vec![x(batch), x(index[1]), x(row), x(column)];
                        parts.push(p * q * F::Element(value, at));
                    }
                }
                let parts: Vec<F> = parts.into_iter().map(|part| x(part.build(b))).collect();
                let all = parts
                    .into_iter()
                    .reduce(|p, q| if is_average { p + q } else { p.max(q) });
                let all = all.map_or(zero, |all| all.build(b));
                let number = match inside {
                    Some(inside) => x(inside).select(all, zero),
                    None => x(all),
                };
                vec![match is_average {
                    true => (x(carried[0]) + number).build(b),
                    false => x(carried[0]).max(number).build(b),
                }]
            })
        })[0];
        let count = (x(axes[0].2) * axes[1].2).build(b);
        match is_average {
            true => (x(sum) / x(count).max(1).apply(Unary::ToNumber(ty))).build(b),
            false => x(count).greater(0).select(sum, zero).build(b),
        }
    });
    Ok(vec![result])
}

/// The intersection over the union of two boxes is more than a threshold.
fn overlap(
    b: &mut Builder<'_>,
    boxes: Value,
    batch: Value,
    pair: [Value; 2],
    center: bool,
    threshold: Value,
) -> Value {
    let sides = pair.map(|number| {
        let corner = |at: i64| F::Element(boxes, vec![x(batch), x(number), F::from(at)]);
        let all: [F; 4] = match center {
            // The center, then width and height.
            true => [
                corner(1) - corner(3) / F::from(2.0),
                corner(0) - corner(2) / F::from(2.0),
                corner(1) + corner(3) / F::from(2.0),
                corner(0) + corner(2) / F::from(2.0),
            ],
            false => [
                corner(0).min(corner(2)),
                corner(1).min(corner(3)),
                corner(0).max(corner(2)),
                corner(1).max(corner(3)),
            ],
        };
        all.map(|side| x(side.build(b)))
    });
    let [p, q] = sides;
    let zero = || F::from(0.0);
    let height = (p[2].clone().min(q[2].clone()) - p[0].clone().max(q[0].clone())).max(zero());
    let width = (p[3].clone().min(q[3].clone()) - p[1].clone().max(q[1].clone())).max(zero());
    let shared = x((height * width).build(b));
    let area =
        |side: &[F; 4]| (side[2].clone() - side[0].clone()) * (side[3].clone() - side[1].clone());
    let union = area(&p) + area(&q) - shared.clone();
    let union = x(union.build(b));
    let areas = area(&p).greater(zero()).and(area(&q).greater(zero()));
    areas
        .and(shared.clone().greater(zero()))
        .and((shared / union).greater(threshold))
        .build(b)
}

fn non_max_suppression(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let (boxes, scores) = (n.x(0)?, n.x(1)?);
    let dims = cx.dims(scores);
    let [batches, classes, count] = dims[..] else {
        return Err("its scores have not 3 dimensions".into());
    };
    let ty = cx.element(scores);
    let most = match n.opt(2) {
        Some(most) => cx.size_in(most)?,
        None => c(0),
    };
    let most = cx.max(most, c(0));
    let most = cx.min(most, count);
    let threshold = match n.opt(3) {
        Some(number) => cx.the_scalar(number),
        None => cx.scalar(ty, 0.0),
    };
    let least = n.opt(4).map(|number| cx.the_scalar(number));
    let center = n.flag("center_point_box", false);
    // Boxes of each class by their scores, the greatest first.
    let positions = cx.generate(&dims, Type::I64, &mut |b, index| {
        b.value(&arith::INDEX_CAST, &[index[2]], Type::I64)
    });
    let order = sorted(cx, &[scores, positions], 2, &mut |b, x| {
        comes_before(b, (x[0], x[1]), true, false)
    });
    let all = cx.product(&[batches, classes, most]);
    let out = cx.empty(&[all, c(3)], Type::I64);
    let zero = arith::constant_index(&mut cx.b, 0);
    let results = nest(
        &mut cx.b,
        &[batches, classes],
        &[out, zero],
        &mut |b, at, carried| {
            let first = carried[1];
            repeat(b, 0, count, carried, |b, i, carried| {
                let (list, total) = (carried[0], carried[1]);
                let score = extract(b, order[0], &[at[0], at[1], i]);
                let number = extract(b, order[1], &[at[0], at[1], i]);
                let number = b.value(&arith::INDEX_CAST, &[number], Type::INDEX);
                let has_room = (x(total) - first).less(F::from(most));
                let may_be = match least {
                    Some(least) => has_room.and(x(score).greater(least)),
                    None => has_room,
                };
                let may_be = may_be.build(b);
                let types = [b.ir.value_type(list), Type::INDEX];
                choose(
                    b,
                    x(may_be),
                    &types,
                    |b| {
                        let found = repeat(b, x(first), total, &[may_be], |b, k, carried| {
                            let column = arith::constant_index(b, 2);
                            let other = extract(b, list, &[k, column]);
                            let other = b.value(&arith::INDEX_CAST, &[other], Type::INDEX);
                            let hidden =
                                overlap(b, boxes, at[0], [number, other], center, threshold);
                            let no = arith::constant_bool(b, false);
                            vec![b.value(&arith::SELECT, &[hidden, no, carried[0]], Type::I1)]
                        })[0];
                        choose(
                            b,
                            x(found),
                            &types,
                            |b| {
                                let mut list = list;
                                for (column, part) in [at[0], at[1], number].into_iter().enumerate()
                                {
                                    let part = b.value(&arith::INDEX_CAST, &[part], Type::I64);
                                    let column = arith::constant_index(b, column as i64);
                                    let operands = [part, list, total, column];
                                    list = b.value(&tensor::INSERT, &operands, types[0]);
                                }
                                vec![list, (x(total) + 1).build(b)]
                            },
                            |_| carried.to_vec(),
                        )
                    },
                    |_| carried.to_vec(),
                )
            })
        },
    );
    cx.sized(results[0], &[all, c(3)]);
    Ok(vec![cx.part(results[0], 0, c(0), results[1].into())])
}
