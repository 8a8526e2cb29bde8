//! Operators that move elements, and those that compute shapes.

use freehold_frontend::dialects::arith::{self, CmpIPredicate};
use freehold_frontend::dialects::onnx::rows as onnx;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::Type;

use super::convert_onnx_to_stablehlo::Row;
use super::graph::Cx;
use super::node::{Lowered, Node, Refused, axes, axis};
use super::run_time_axes::Over;
use super::sizes::{Dim, c};
use crate::rewrite::formula::{F, Unary, x};

pub(super) const ROWS: &[Row] = &[
    (&onnx::CENTER_CROP_PAD, center_crop_pad),
    (&onnx::CONCAT, |cx, n| {
        let all = n.all();
        let rank = cx.rank(*all.first().ok_or("it has no operands")?);
        let dim = axis(n.int("axis", 1), rank)?;
        Ok(vec![cx.concat(&all, dim)?])
    }),
    (&onnx::CONSTANT, constant),
    (&onnx::CONSTANT_OF_SHAPE, constant_of_shape),
    (&onnx::DEPTH_TO_SPACE, depth_to_space),
    (&onnx::EXPAND, expand),
    (&onnx::EYE_LIKE, eye_like),
    (&onnx::FLATTEN, |cx, n| {
        let x = n.x(0)?;
        let dims = cx.dims(x);
        let at = match n.int("axis", 1) {
            at if at == dims.len() as i64 => dims.len(),
            at => axis(at, dims.len())?,
        };
        let (first, second) = (cx.product(&dims[..at]), cx.product(&dims[at..]));
        Ok(vec![cx.reshape(x, &[first, second])?])
    }),
    (&onnx::IDENTITY, |_, n| Ok(vec![n.x(0)?])),
    (&onnx::OPTIONAL_GET_ELEMENT, |_, n| Ok(vec![n.x(0)?])),
    (&onnx::OPTIONAL_HAS_ELEMENT, |cx, n| {
        // Tensors are there, and nothing else is lowered.
        let flag = if n.opt(0).is_some() { 1.0 } else { 0.0 };
        Ok(vec![cx.lit(Type::I1, flag)])
    }),
    (&onnx::PAD, pad),
    (&onnx::RANGE, range),
    (&onnx::RESHAPE, |cx, n| Ok(vec![reshape(cx, n)?])),
    (&onnx::SHAPE, shape),
    (&onnx::SIZE, |cx, n| {
        let dims = cx.dims(n.x(0)?);
        let size = cx.product(&dims);
        Ok(vec![cx.ints_tensor(super::ints::Ints {
            shape: Vec::new(),
            all: vec![size],
            ty: Type::I64,
        })?])
    }),
    (&onnx::SLICE, slice),
    (&onnx::SPACE_TO_DEPTH, space_to_depth),
    (&onnx::SPLIT, split),
    (&onnx::SQUEEZE, squeeze),
    (&onnx::TILE, tile),
    (&onnx::TRANSPOSE, |cx, n| {
        let x = n.x(0)?;
        let rank = cx.rank(x);
        let permutation = match n.ints("perm") {
            Some(perm) => axes(&perm, rank)?,
            None => (0..rank).rev().collect(),
        };
        let mut seen = permutation.clone();
        seen.sort_unstable();
        if seen.iter().enumerate().any(|(i, &dim)| i != dim) || seen.len() != rank {
            return Err("its 'perm' is no permutation".into());
        }
        Ok(vec![cx.transpose(x, &permutation)])
    }),
    (&onnx::TRILU, trilu),
    (&onnx::UNSQUEEZE, unsqueeze),
];

/// A list that is an operand in new versions and an attribute in old ones.
pub(super) fn list(
    cx: &mut Cx<'_>,
    n: &Node,
    index: usize,
    name: &str,
) -> Result<Option<Vec<i64>>, Refused> {
    match n.ints(name) {
        Some(list) => Ok(Some(list)),
        None => cx.list_operand(n, index, name),
    }
}

/// Axes that are an operand known only at run time.
fn open_axes(cx: &mut Cx<'_>, n: &Node, index: usize) -> Result<Option<Vec<Dim>>, Refused> {
    match n.opt(index) {
        Some(value) if !n.has("axes") && cx.constant_list(value).is_none() => {
            cx.sizes_in(value).map(Some)
        }
        _ => Ok(None),
    }
}

fn constant(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let context = cx.context();
    if let Some(attr) = n.raw("value") {
        let ty = context
            .attr_carried_type(attr)
            .ok_or("its value has no type")?;
        return Ok(vec![cx.constant(attr, ty)]);
    }
    if let Some(number) = n.opt_float("value_float") {
        return Ok(vec![cx.lit(Type::F32, number)]);
    }
    if let Some(number) = n.opt_int("value_int") {
        return Ok(vec![cx.integers(&[], &[number])]);
    }
    if let Some(all) = n.floats("value_floats") {
        return Ok(vec![cx.numbers(&[all.len() as i64], Type::F32, &all)]);
    }
    if let Some(all) = n.ints("value_ints") {
        return Ok(vec![cx.integers(&[all.len() as i64], &all)]);
    }
    Err("its value is no tensor of numbers".into())
}

fn constant_of_shape(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let dims = cx.sizes_in(n.x(0)?)?;
    let context = cx.context();
    let value = match n.raw("value") {
        Some(attr) => {
            let ty = context
                .attr_carried_type(attr)
                .ok_or("its value has no type")?;
            cx.constant(attr, ty)
        }
        None => cx.lit(Type::F32, 0.0),
    };
    let value = cx.reshape(value, &[])?;
    Ok(vec![cx.broadcast_to(value, &dims)])
}

fn shape(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let dims = cx.dims(n.x(0)?);
    let rank = dims.len() as i64;
    let clamp = |at: i64| (if at < 0 { at + rank } else { at }).clamp(0, rank) as usize;
    let (start, end) = (clamp(n.int("start", 0)), clamp(n.int("end", rank)));
    let part = if start < end { &dims[start..end] } else { &[] };
    Ok(vec![cx.shape_tensor(part)?])
}

/// The sizes that `shape` asks for; the elements are those of `dims`.
pub(super) fn target_sizes(
    cx: &mut Cx<'_>,
    dims: &[Dim],
    shape: &[Dim],
    allow_zero: bool,
) -> Result<Vec<Dim>, Refused> {
    let mut result = Vec::new();
    let mut open = None;
    for (i, &size) in shape.iter().enumerate() {
        result.push(match size {
            Dim::Constant(-1) if open.is_none() => {
                open = Some(i);
                c(1)
            }
            Dim::Constant(0) if !allow_zero => *dims.get(i).ok_or("it has no size to keep")?,
            Dim::Constant(n) if n < 0 => return Err("it asks for a negative size".into()),
            // A size computed of sizes is none of the special numbers; one read from memory may be.
            size => size,
        });
    }
    if let Some(open) = open {
        let all = cx.product(dims);
        let others = cx.product(&result);
        result[open] = match others {
            Dim::Constant(0) => c(0),
            others => cx.div(all, others),
        };
    }
    Ok(result)
}

fn reshape(cx: &mut Cx<'_>, n: &Node) -> Result<Value, Refused> {
    let x = n.x(0)?;
    let dims = cx.dims(x);
    let shape = match n.ints("shape") {
        Some(shape) => shape.into_iter().map(c).collect(),
        None => {
            let shape = n.x(1)?;
            match cx.ints(shape) {
                Some(ints) => ints.all,
                None => special_sizes(cx, shape, &dims, n.flag("allowzero", false))?,
            }
        }
    };
    let to = target_sizes(cx, &dims, &shape, n.flag("allowzero", false))?;
    cx.reshape(x, &to)
}

/// Sizes read at run time, with what 0 and -1 among them stand for.
fn special_sizes(
    cx: &mut Cx<'_>,
    shape: Value,
    dims: &[Dim],
    allow_zero: bool,
) -> Result<Vec<Dim>, Refused> {
    let mut sizes = cx.sizes_in(shape)?;
    if !allow_zero {
        for (i, size) in sizes.iter_mut().enumerate() {
            if let Some(&kept) = dims.get(i) {
                let chosen = (*size, c(0));
                *size = cx
                    .scope
                    .sizes
                    .select(&mut cx.b, CmpIPredicate::Eq, chosen, kept, *size);
            }
        }
    }
    let mut known = c(1);
    for &size in &sizes {
        let open = (size, c(-1));
        let factor = cx
            .scope
            .sizes
            .select(&mut cx.b, CmpIPredicate::Eq, open, c(1), size);
        known = cx.mul(known, factor);
    }
    let all = cx.product(dims);
    let known = cx.max(known, c(1));
    let rest = cx.div(all, known);
    Ok(sizes
        .into_iter()
        .map(|size| {
            let open = (size, c(-1));
            cx.scope
                .sizes
                .select(&mut cx.b, CmpIPredicate::Eq, open, rest, size)
        })
        .collect())
}

fn squeeze(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let x = n.x(0)?;
    let rank = cx.rank(x);
    if let Some(axes) = open_axes(cx, n, 1)? {
        let over = Over::Flags(cx.axis_flags(&axes, rank), axes.len());
        return Ok(vec![cx.drop_over(x, &over)?]);
    }
    let dims = match list(cx, n, 1, "axes")? {
        Some(all) => axes(&all, rank)?,
        None => {
            let dims = cx.dims(x);
            if dims.iter().any(|dim| matches!(dim, Dim::Value(_))) {
                return Err("which dimensions have one element is known only at run time".into());
            }
            (0..rank).filter(|&dim| dims[dim] == c(1)).collect()
        }
    };
    Ok(vec![cx.squeeze(x, &dims)?])
}

fn unsqueeze(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let x = n.x(0)?;
    if let Some(axes) = open_axes(cx, n, 1)? {
        return Ok(vec![cx.unsqueeze_at(x, &axes)?]);
    }
    let all = list(cx, n, 1, "axes")?.ok_or("it has no axes")?;
    let at = axes(&all, cx.rank(x) + all.len())?;
    Ok(vec![cx.unsqueeze(x, &at)?])
}

fn expand(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let x = n.x(0)?;
    let to = cx.sizes_in(n.x(1)?)?;
    let dims = cx.dims(x);
    let dims = cx.broadcast_dims(&[dims, to])?;
    Ok(vec![cx.broadcast_to(x, &dims)])
}

/// Where a slice takes elements along a dimension.
pub(super) struct SliceRange {
    pub(super) offset: Dim,
    pub(super) size: Dim,
    pub(super) stride: Dim,
}

/// The ranges of a `Slice` of a tensor of these sizes.
pub(super) fn slice_ranges(
    cx: &mut Cx<'_>,
    n: &Node,
    dims: &[Dim],
) -> Result<Vec<SliceRange>, Refused> {
    let numbers = |cx: &mut Cx<'_>, index: usize, name: &str| match n.ints(name) {
        Some(all) => Ok(Some(all.into_iter().map(c).collect::<Vec<Dim>>())),
        None => match n.opt(index) {
            Some(value) => cx.sizes_in(value).map(Some),
            None => Ok::<_, Refused>(None),
        },
    };
    let starts = numbers(cx, 1, "starts")?.ok_or("it has no starts")?;
    let ends = numbers(cx, 2, "ends")?.ok_or("it has no ends")?;
    let steps = numbers(cx, 4, "steps")?.unwrap_or_else(|| vec![c(1); starts.len()]);
    if let Some(axes) = open_axes(cx, n, 3)? {
        let (zeros, ones) = (vec![c(0); dims.len()], vec![c(1); dims.len()]);
        let starts = cx.spread_over_axes(&axes, &starts, &zeros);
        let ends = cx.spread_over_axes(&axes, &ends, dims);
        let steps = cx.spread_over_axes(&axes, &steps, &ones);
        let mut ranges = Vec::new();
        for (dim, &size) in dims.iter().enumerate() {
            ranges.push(slice_range(cx, size, starts[dim], ends[dim], steps[dim])?);
        }
        return Ok(ranges);
    }
    let all = match n.ints("axes") {
        Some(all) => Some(all),
        None => cx.list_operand(n, 3, "axes")?,
    };
    let dims_of = match all {
        Some(all) => axes(&all, dims.len())?,
        None => (0..starts.len()).collect(),
    };
    if ends.len() != starts.len() || steps.len() != starts.len() || dims_of.len() != starts.len() {
        return Err("its lists differ in length".into());
    }
    let mut ranges: Vec<SliceRange> = dims
        .iter()
        .map(|&size| SliceRange {
            offset: c(0),
            size,
            stride: c(1),
        })
        .collect();
    for (i, &dim) in dims_of.iter().enumerate() {
        let size = *dims.get(dim).ok_or("an axis is out of range")?;
        ranges[dim] = slice_range(cx, size, starts[i], ends[i], steps[i])?;
    }
    Ok(ranges)
}

fn slice_range(
    cx: &mut Cx<'_>,
    size: Dim,
    start: Dim,
    end: Dim,
    step: Dim,
) -> Result<SliceRange, Refused> {
    let Dim::Constant(stride) = step else {
        return dynamic_range(cx, size, start, end, step);
    };
    if stride == 0 {
        return Err("its step is 0".into());
    }
    // From the end, and not beyond the bounds.
    let (low, high) = match stride > 0 {
        true => (c(0), size),
        false => (c(-1), cx.sub(size, c(1))),
    };
    let bound = |cx: &mut Cx<'_>, at: Dim, low: Dim| {
        let at = match at {
            Dim::Constant(number) if number >= 0 => at,
            // Numbers so low are before any beginning.
            Dim::Constant(number) if number < -(1 << 60) => return low,
            Dim::Constant(_) => cx.add(at, size),
            Dim::Value(_) => {
                let moved = cx.add(at, size);
                cx.scope
                    .sizes
                    .select(&mut cx.b, CmpIPredicate::Slt, (at, c(0)), moved, at)
            }
        };
        if at == high {
            return at;
        }
        // A size less a number, taken of the size, is known not to be above.
        let at = match at {
            Dim::Constant(0) if stride > 0 => return c(0),
            _ => cx.min(at, high),
        };
        cx.max(at, low)
    };
    let start_low = c(0);
    let start = bound(cx, start, start_low);
    let end = bound(cx, end, low);
    let distance = match stride > 0 {
        true => cx.sub(end, start),
        false => cx.sub(start, end),
    };
    let count = cx.ceil_div(distance, stride.abs());
    let is_whole = count == size;
    let count = if is_whole { count } else { cx.max(count, c(0)) };
    Ok(SliceRange {
        offset: start,
        size: count,
        stride: step,
    })
}

/// A range whose step is known only at run time.
fn dynamic_range(
    cx: &mut Cx<'_>,
    size: Dim,
    start: Dim,
    end: Dim,
    step: Dim,
) -> Result<SliceRange, Refused> {
    let f = |dim: Dim| F::from(dim);
    let forward = || f(step).greater(0);
    let low = forward().select(0, -1);
    let high = forward().select(f(size), f(size) - 1);
    let bound = |at: Dim, low: F| {
        let at = f(at).less(0).select(f(at) + f(size), f(at));
        at.min(high.clone()).max(low)
    };
    let (start, end) = (bound(start, F::from(0)), bound(end, low));
    let magnitude = forward().select(f(step), F::from(0) - f(step));
    let distance = forward().select(end.clone() - start.clone(), start.clone() - end);
    let offset = start.build(&mut cx.b);
    let distance = distance.build(&mut cx.b);
    let magnitude = magnitude.build(&mut cx.b);
    let count =
        cx.b.value(&arith::CEILDIVSI, &[distance, magnitude], Type::INDEX);
    let count = x(count).max(0).build(&mut cx.b);
    Ok(SliceRange {
        offset: offset.into(),
        size: count.into(),
        stride: step,
    })
}

fn slice(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let dims = cx.dims(value);
    let ranges = slice_ranges(cx, n, &dims)?;
    let sizes: Vec<Dim> = ranges.iter().map(|range| range.size).collect();
    let offsets: Vec<Dim> = ranges.iter().map(|range| range.offset).collect();
    let strides: Option<Vec<i64>> = ranges
        .iter()
        .map(|range| match range.stride {
            Dim::Constant(stride) if stride > 0 => Some(stride),
            // One element has no direction.
            Dim::Constant(_) if range.size == c(1) => Some(1),
            _ => None,
        })
        .collect();
    if sizes.contains(&c(0)) {
        let zero = cx.lit_like(value, 0.0);
        return Ok(vec![cx.broadcast_to(zero, &sizes)]);
    }
    match strides {
        Some(strides) => Ok(vec![cx.slice(value, &offsets, &sizes, &strides)]),
        None => Ok(vec![cx.pick(value, &sizes, &mut |b, index| {
            index
                .iter()
                .zip(&ranges)
                .map(|(&i, range)| (x(i) * range.stride + range.offset).build(b))
                .collect()
        })]),
    }
}

/// The sizes of the parts of a dimension.
pub(super) fn split_sizes(cx: &mut Cx<'_>, n: &Node, size: Dim) -> Result<Vec<Dim>, Refused> {
    if let Some(sizes) = n.ints("split") {
        return Ok(sizes.into_iter().map(c).collect());
    }
    if let Some(sizes) = n.opt(1) {
        return cx.sizes_in(sizes);
    }
    let count = n.int("num_outputs", n.wanted.len() as i64);
    let part = cx.ceil_div(size, count);
    let mut sizes = vec![part; count as usize - 1];
    let before = cx.product(&[part, c(count - 1)]);
    let last = cx.sub(size, before);
    let last = match last {
        Dim::Constant(last) => c(last.max(0)),
        last => last,
    };
    sizes.push(last);
    Ok(sizes)
}

fn split(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let dims = cx.dims(value);
    let dim = axis(n.int("axis", 0), dims.len())?;
    let sizes = split_sizes(cx, n, dims[dim])?;
    let mut at = c(0);
    let mut parts = Vec::new();
    for size in sizes {
        parts.push(match size == c(0) {
            true => {
                let mut dims = dims.clone();
                dims[dim] = c(0);
                let zero = cx.lit_like(value, 0.0);
                cx.broadcast_to(zero, &dims)
            }
            false => cx.part(value, dim, at, size),
        });
        at = cx.add(at, size);
    }
    Ok(parts)
}

fn tile(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let dims = cx.dims(value);
    let repeats = match n.operands.len() {
        // In the first version: how often, and along which dimension.
        3 => {
            let times = cx.size_in(n.x(1)?)?;
            let Dim::Constant(dim) = cx.size_in(n.x(2)?)? else {
                return Err("its axis is known only at run time".into());
            };
            let mut all = vec![c(1); dims.len()];
            all[axis(dim, dims.len())?] = times;
            all
        }
        _ => cx.sizes_in(n.x(1)?)?,
    };
    if repeats.len() != dims.len() {
        return Err("it has not one number per dimension".into());
    }
    // Broadcast along new dimensions, and joined with those.
    let mut wide = Vec::new();
    let mut places = Vec::new();
    let mut to = Vec::new();
    for (&size, &times) in dims.iter().zip(&repeats) {
        if times != c(1) {
            wide.push(times);
        }
        places.push(wide.len());
        wide.push(size);
        to.push(cx.mul(size, times));
    }
    if wide.len() == dims.len() {
        return Ok(vec![value]);
    }
    let value = cx.broadcast_in(value, &places, &wide);
    Ok(vec![cx.reshape(value, &to)?])
}

fn depth_to_space(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let size = n.int("blocksize", 1);
    let [batch, depth, height, width] = cx.dims(value)[..] else {
        return Err("its operand has not 4 dimensions".into());
    };
    let block = c(size);
    let rest = cx.div(depth, c(size * size));
    let (split, permutation) = match n.text("mode", "DCR") == "CRD" {
        true => (
            [batch, rest, block, block, height, width],
            [0, 1, 4, 2, 5, 3],
        ),
        false => (
            [batch, block, block, rest, height, width],
            [0, 3, 4, 1, 5, 2],
        ),
    };
    let value = cx.reshape(value, &split)?;
    let value = cx.transpose(value, &permutation);
    let (height, width) = (cx.mul(height, block), cx.mul(width, block));
    Ok(vec![cx.reshape(value, &[batch, rest, height, width])?])
}

fn space_to_depth(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let size = n.int("blocksize", 1);
    let [batch, depth, height, width] = cx.dims(value)[..] else {
        return Err("its operand has not 4 dimensions".into());
    };
    let block = c(size);
    let (height, width) = (cx.div(height, block), cx.div(width, block));
    let value = cx.reshape(value, &[batch, depth, height, block, width, block])?;
    let permutation = match n.text("mode", "DCR") == "CRD" {
        true => [0, 1, 3, 5, 2, 4],
        false => [0, 3, 5, 1, 2, 4],
    };
    let value = cx.transpose(value, &permutation);
    let depth = cx.mul(depth, c(size * size));
    Ok(vec![cx.reshape(value, &[batch, depth, height, width])?])
}

/// The scalar that margins are filled with.
fn margin_scalar(cx: &mut Cx<'_>, n: &Node, value: Value) -> Value {
    let ty = cx.element(value);
    match n.opt(2) {
        Some(number) => cx.the_scalar(number),
        None => cx.scalar(ty, n.float("value", 0.0)),
    }
}

fn pad(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let dims = cx.dims(value);
    let rank = dims.len();
    let pads: Vec<Dim> = match n.ints("pads").or_else(|| n.ints("paddings")) {
        Some(pads) => pads.into_iter().map(c).collect(),
        None => cx.sizes_in(n.x(1)?)?,
    };
    let (mut low, mut high) = (vec![c(0); rank], vec![c(0); rank]);
    if let Some(axes) = open_axes(cx, n, 3)? {
        if pads.len() != 2 * axes.len() {
            return Err("it has not two margins per dimension".into());
        }
        let (first, second) = pads.split_at(axes.len());
        let zeros = vec![c(0); rank];
        low = cx.spread_over_axes(&axes, first, &zeros);
        high = cx.spread_over_axes(&axes, second, &zeros);
    } else {
        let at = match cx.list_operand(n, 3, "axes")? {
            Some(all) => axes(&all, rank)?,
            None => (0..rank).collect(),
        };
        if pads.len() != 2 * at.len() {
            return Err("it has not two margins per dimension".into());
        }
        for (i, &dim) in at.iter().enumerate() {
            (low[dim], high[dim]) = (pads[i], pads[at.len() + i]);
        }
    }
    let mode = n.text("mode", "constant");
    if mode == "constant" {
        let scalar = margin_scalar(cx, n, value);
        return Ok(vec![pad_with(cx, value, &low, &high, scalar)?]);
    }
    let mut to = Vec::new();
    for dim in 0..rank {
        let sum = cx.add(dims[dim], low[dim]);
        to.push(cx.add(sum, high[dim]));
    }
    if !["edge", "reflect", "wrap"].contains(&mode.as_str()) {
        return Err(format!("mode '{mode}' is not known").into());
    }
    Ok(vec![cx.pick(value, &to, &mut |b, index| {
        (0..rank)
            .map(|dim| {
                if low[dim] == c(0) && high[dim] == c(0) {
                    return index[dim];
                }
                let size = F::from(dims[dim]);
                let at = x(index[dim]) - low[dim];
                match mode.as_str() {
                    "edge" => at.max(0).min(size - 1),
                    "wrap" => at.floor_rem(size),
                    // There and back: a period of twice the distances.
                    _ => {
                        let period = (size.clone() * 2 - 2).max(1);
                        let at = at.floor_rem(period.clone());
                        at.clone().min(period - at).min(size - 1).max(0)
                    }
                }
                .build(b)
            })
            .collect()
    })])
}

/// A tensor with margins of a scalar; negative ones cut off.
pub(super) fn pad_with(
    cx: &mut Cx<'_>,
    value: Value,
    low: &[Dim],
    high: &[Dim],
    scalar: Value,
) -> Result<Value, Refused> {
    let dims = cx.dims(value);
    let rank = dims.len();
    let is_positive = |&dim: &Dim| matches!(dim, Dim::Constant(number) if number >= 0);
    if low.iter().chain(high).all(is_positive) {
        return Ok(cx.pad(value, low, high, scalar));
    }
    let mut to = Vec::new();
    for dim in 0..rank {
        let sum = cx.add(dims[dim], low[dim]);
        let sum = cx.add(sum, high[dim]);
        to.push(cx.max(sum, c(0)));
    }
    let ty = cx.element(value);
    let source = cx.signless(value);
    let low = low.to_vec();
    Ok(cx.generate(&to, ty, &mut |b, index| {
        let mut inside: Option<F> = None;
        let mut places = Vec::new();
        for dim in 0..rank {
            let at = x(index[dim]) - low[dim];
            let at = x(at.build(b));
            let check = at.clone().is(CmpIPredicate::Ult, F::from(dims[dim]));
            inside = Some(match inside {
                Some(inside) => inside.and(check),
                None => check,
            });
            places.push(at);
        }
        let inside = inside.unwrap_or_else(|| F::from(0).equal(0));
        let ty = b.ir.value_type(scalar);
        crate::rewrite::formula::choose(
            b,
            inside,
            &[ty],
            |b| vec![F::Element(source, places).build(b)],
            |_| vec![scalar],
        )[0]
    }))
}

fn center_crop_pad(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let dims = cx.dims(value);
    let target = cx.sizes_in(n.x(1)?)?;
    let at = match n.ints("axes") {
        Some(all) => axes(&all, dims.len())?,
        None => (0..dims.len()).collect(),
    };
    let (mut low, mut high) = (vec![c(0); dims.len()], vec![c(0); dims.len()]);
    for (i, &dim) in at.iter().enumerate() {
        let to = *target.get(i).ok_or("it has not one size per axis")?;
        let all = cx.sub(to, dims[dim]);
        // The first half is rounded towards zero, what is left over goes to the end.
        low[dim] = cx.scope.sizes.truncated_div(&mut cx.b, all, c(2));
        high[dim] = cx.sub(all, low[dim]);
    }
    let ty = cx.element(value);
    let zero = cx.scalar(ty, 0.0);
    Ok(vec![pad_with(cx, value, &low, &high, zero)?])
}

fn range(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let [start, limit, delta] = [n.x(0)?, n.x(1)?, n.x(2)?];
    let ty = cx.element(start);
    let numbers = [start, limit, delta].map(|value| cx.constant_number(value));
    let is_float = cx.is_float_type(ty);
    let count = match numbers {
        [Some(start), Some(limit), Some(delta)] if delta != 0.0 => {
            c((((limit - start) / delta).ceil()).max(0.0) as i64)
        }
        _ => {
            let [a, z, d] = [start, limit, delta].map(|value| cx.the_scalar(value));
            if is_float {
                let steps = (x(z) - a) / d;
                let steps = steps.apply(Unary::Ceil).apply(Unary::ToIndex).max(0);
                let steps = steps.build(&mut cx.b);
                steps.into()
            } else {
                let [a, z, d] = [start, limit, delta].map(|value| cx.size_in(value));
                let (a, z, d) = (a?, z?, d?);
                let distance = cx.sub(z, a);
                match d {
                    Dim::Constant(1) => cx.max(distance, c(0)),
                    _ => {
                        let (distance, d) = (cx.v(distance), cx.v(d));
                        let count = cx.b.value(&arith::CEILDIVSI, &[distance, d], Type::INDEX);
                        cx.max(count.into(), c(0))
                    }
                }
            }
        }
    };
    let [first, step] = [start, delta].map(|value| cx.the_scalar(value));
    let value = cx.generate(&[count], ty, &mut |b, index| {
        let ty = b.ir.value_type(first);
        (x(index[0]).apply(Unary::ToNumber(ty)) * step + first).build(b)
    });
    Ok(vec![value])
}

fn eye_like(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let ty = match n.ty("dtype") {
        Some(ty) => ty,
        None => cx.element(value),
    };
    let dims = cx.dims(value);
    let k = n.int("k", 0);
    let (one, zero) = (cx.scalar(ty, 1.0), cx.scalar(ty, 0.0));
    Ok(vec![cx.generate(&dims, ty, &mut |b, index| {
        (x(index[0]) + k).equal(index[1]).select(one, zero).build(b)
    })])
}

pub(super) fn trilu(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let dims = cx.dims(value);
    let ty = cx.element(value);
    let upper = n.flag("upper", true);
    let k = match n.opt(1) {
        Some(k) => cx.size_in(k)?,
        None => c(0),
    };
    let zero = cx.scalar(ty, 0.0);
    let source = cx.signless(value);
    let rank = dims.len();
    if rank < 2 {
        return Err("its operand is no matrix".into());
    }
    Ok(vec![cx.generate(&dims, ty, &mut |b, index| {
        let (row, column) = (x(index[rank - 2]), x(index[rank - 1]));
        let at = index.iter().map(|&i| x(i)).collect();
        let element = F::Element(source, at);
        let distance = column - row;
        let kept = match upper {
            true => distance.is(CmpIPredicate::Sge, k),
            false => distance.is(CmpIPredicate::Sle, k),
        };
        kept.select(element, zero).build(b)
    })])
}
