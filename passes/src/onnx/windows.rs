//! Operators with windows: convolutions and pools.

use freehold_frontend::dialects::arith;
use freehold_frontend::dialects::onnx::rows as onnx;
use freehold_frontend::dialects::stablehlo::elementwise as sh;
use freehold_frontend::ir::affine::AffineExpr;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::Type;

use super::convert_onnx_to_stablehlo::Row;
use super::graph::{Cx, Fold};
use super::integer_products::{Factor, contraction};
use super::node::{Lowered, Node, Refused};
use super::normalized::fold_normalization;
use super::quantization::{as_parameter, quantize, zero_point};
use super::sizes::{Dim, c};
use crate::rewrite::formula::{F, x};
use crate::rewrite::tensors::{Generic, fill, map, projection};

pub(super) const ROWS: &[Row] = &[
    (&onnx::AVERAGE_POOL, average_pool),
    (&onnx::CONV, |cx, n| Ok(vec![conv(cx, n)?])),
    (&onnx::CONV_INTEGER, conv_integer),
    (&onnx::CONV_TRANSPOSE, conv_transpose),
    (&onnx::GLOBAL_AVERAGE_POOL, |cx, n| {
        let value = n.x(0)?;
        let over: Vec<usize> = (2..cx.rank(value)).collect();
        Ok(vec![cx.mean(value, &over)?])
    }),
    (&onnx::GLOBAL_LP_POOL, |cx, n| {
        let value = n.x(0)?;
        let over: Vec<usize> = (2..cx.rank(value)).collect();
        let p = n.float("p", 2.0);
        let terms = [("x", value.into()), ("p", p.into())];
        let powers = cx.formula("pow(abs(x), p)", &terms)?;
        let sum = cx.reduce_kept(powers, Fold::Add, &over)?;
        let terms = [("x", sum.into()), ("p", (1.0 / p).into())];
        Ok(vec![cx.formula("pow(x, p)", &terms)?])
    }),
    (&onnx::GLOBAL_MAX_POOL, |cx, n| {
        let value = n.x(0)?;
        let over: Vec<usize> = (2..cx.rank(value)).collect();
        Ok(vec![cx.reduce_kept(value, Fold::Max, &over)?])
    }),
    (&onnx::LP_POOL, |cx, n| {
        let value = n.x(0)?;
        let window = Window::of_pool(cx, n, value)?;
        let p = n.float("p", 2.0);
        let terms = [("x", value.into()), ("p", p.into())];
        let powers = cx.formula("pow(abs(x), p)", &terms)?;
        let zero = cx.lit_like(value, 0.0);
        let sum = window.fold(cx, powers, zero, Fold::Add)?;
        let terms = [("x", sum.into()), ("p", (1.0 / p).into())];
        Ok(vec![cx.formula("pow(x, p)", &terms)?])
    }),
    (&onnx::MAX_POOL, max_pool),
    (&onnx::MAX_UNPOOL, max_unpool),
    (&onnx::Q_LINEAR_CONV, q_linear_conv),
];

/// Windows over the spatial dimensions.
pub(super) struct Window {
    sizes: Vec<Dim>,
    strides: Vec<i64>,
    dilations: Vec<i64>,
    low: Vec<Dim>,
    high: Vec<Dim>,
    /// How many windows there are.
    places: Vec<Dim>,
}

impl Window {
    /// The windows of an operator over spatial dimensions of these sizes.
    fn of(cx: &mut Cx<'_>, n: &Node, spatial: &[Dim], sizes: Vec<Dim>) -> Result<Self, Refused> {
        let rank = spatial.len();
        let list = |name: &str, default: i64| match n.ints(name) {
            Some(all) if all.len() == rank => Ok(all),
            Some(_) => Err(Refused(format!(
                "'{name}' has not one number per dimension"
            ))),
            None => Ok(vec![default; rank]),
        };
        let (strides, dilations) = (list("strides", 1)?, list("dilations", 1)?);
        let pads = match n.ints("pads") {
            Some(pads) if pads.len() == 2 * rank => pads,
            Some(_) => return Err("'pads' has not two numbers per dimension".into()),
            None => vec![0; 2 * rank],
        };
        let auto = n.text("auto_pad", "NOTSET");
        let ceil = n.flag("ceil_mode", false);
        let (mut low, mut high, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for dim in 0..rank {
            let (stride, size) = (strides[dim], spatial[dim]);
            if stride < 1 || dilations[dim] < 1 {
                return Err("a stride or dilation is not positive".into());
            }
            // From the first element of a window to its last one.
            let reach = cx.sub(sizes[dim], c(1));
            let reach = cx.mul(reach, c(dilations[dim]));
            match auto.as_str() {
                "SAME_UPPER" | "SAME_LOWER" => {
                    let count = cx.ceil_div(size, stride);
                    let last = cx.sub(count, c(1));
                    let last = cx.mul(last, c(stride));
                    let end = cx.add(last, reach);
                    let end = cx.add(end, c(1));
                    let margin = cx.sub(end, size);
                    let margin = cx.max(margin, c(0));
                    let half = cx.div(margin, c(2));
                    let rest = cx.sub(margin, half);
                    let (first, second) = if auto == "SAME_UPPER" {
                        (half, rest)
                    } else {
                        (rest, half)
                    };
                    low.push(first);
                    high.push(second);
                    places.push(count);
                }
                _ => {
                    let (before, mut after) = match auto.as_str() {
                        "VALID" => (0, 0),
                        _ => (pads[dim], pads[rank + dim]),
                    };
                    let room = cx.add(size, c(before + after - 1));
                    let room = cx.sub(room, reach);
                    let count = match ceil {
                        false => cx.div(room, c(stride)),
                        true => cx.ceil_div(room, stride),
                    };
                    let mut count = cx.add(count, c(1));
                    if ceil {
                        // No window begins in the margin at the end.
                        let most = cx.add(size, c(before - 1));
                        let most = cx.div(most, c(stride));
                        let most = cx.add(most, c(1));
                        count = cx.min(count, most);
                        // What the last window lacks is more margin.
                        let last = cx.sub(count, c(1));
                        let last = cx.mul(last, c(stride));
                        let end = cx.add(last, reach);
                        let missing = cx.sub(end, room);
                        let missing = cx.sub(missing, reach);
                        if let Dim::Constant(missing) = missing {
                            after += missing.max(0);
                        } else {
                            let missing = cx.max(missing, c(0));
                            low.push(c(before));
                            let sum = cx.add(missing, c(after));
                            high.push(sum);
                            places.push(count);
                            continue;
                        }
                    }
                    low.push(c(before));
                    high.push(c(after));
                    places.push(match count {
                        Dim::Constant(n) if n < 0 => return Err("its window is too large".into()),
                        count => count,
                    });
                }
            }
        }
        Ok(Self {
            sizes,
            strides,
            dilations,
            low,
            high,
            places,
        })
    }

    fn of_pool(cx: &mut Cx<'_>, n: &Node, value: Value) -> Result<Self, Refused> {
        let sizes = n.ints("kernel_shape").ok_or("it has no 'kernel_shape'")?;
        let dims = cx.dims(value);
        if dims.len() != sizes.len() + 2 {
            return Err("its window has another rank than its operand".into());
        }
        Self::of(cx, n, &dims[2..], sizes.into_iter().map(c).collect())
    }

    /// The value with the margins of the windows.
    fn padded(&self, cx: &mut Cx<'_>, value: Value, scalar: Value) -> Result<Value, Refused> {
        let scalar = cx.the_scalar(scalar);
        self.padded_with(cx, value, scalar)
    }

    /// The same with a scalar, which is signless.
    fn padded_with(&self, cx: &mut Cx<'_>, value: Value, scalar: Value) -> Result<Value, Refused> {
        let margins = |all: &[Dim]| [&[c(0), c(0)], all].concat();
        super::shapes::pad_with(cx, value, &margins(&self.low), &margins(&self.high), scalar)
    }

    fn rank(&self) -> usize {
        self.sizes.len()
    }

    /// Where elements of spatial dimension `dim` are, with the window at loop `place` and its element at loop `inside`.
    fn at(&self, dim: usize, place: usize, inside: usize) -> AffineExpr {
        let place = AffineExpr::Dim(place as u32).mul(AffineExpr::Constant(self.strides[dim]));
        let inside = AffineExpr::Dim(inside as u32).mul(AffineExpr::Constant(self.dilations[dim]));
        place.add(inside)
    }

    /// Combines the elements of each window; margins are `margin`.
    fn fold(
        &self,
        cx: &mut Cx<'_>,
        value: Value,
        margin: Value,
        fold: Fold,
    ) -> Result<Value, Refused> {
        let ty = cx.element(value);
        let padded = self.padded(cx, value, margin)?;
        let source = cx.signless(padded);
        let mut dims = cx.dims(value)[..2].to_vec();
        dims.extend(&self.places);
        let (rank, n) = (dims.len(), dims.len() + self.rank());
        let init = cx.neutral(fold, ty);
        let out = cx.empty(&dims, ty);
        let out = fill(&mut cx.b, init, out);
        let window = cx.empty(&self.sizes.clone(), ty);
        let mut read = vec![AffineExpr::Dim(0), AffineExpr::Dim(1)];
        read.extend((0..self.rank()).map(|dim| self.at(dim, 2 + dim, rank + dim)));
        let parallel: Vec<bool> = (0..n).map(|dim| dim < rank).collect();
        let generic = Generic {
            inputs: vec![
                (source, map(n, read)),
                // Only its sizes are read.
                (window, projection(n, &(rank..n).collect::<Vec<_>>())),
            ],
            outputs: vec![(out, projection(n, &(0..rank).collect::<Vec<_>>()))],
            parallel: &parallel,
        };
        let def = cx.fold_op(fold, ty);
        let result = generic.build(&mut cx.b, &mut |b, x| {
            let ty = b.ir.value_type(x[0]);
            vec![b.value(def, &[x[2], x[0]], ty)]
        })[0];
        let result = cx.sized(result, &dims);
        Ok(cx.with_element(result, ty))
    }
}

fn average_pool(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    Ok(vec![average_pool_of(cx, n, n.x(0)?, false)?])
}

/// The means of windows of a tensor. Where margins are counted, so are those that ceiling adds if `counts_ceiling`.
pub(super) fn average_pool_of(
    cx: &mut Cx<'_>,
    n: &Node,
    value: Value,
    counts_ceiling: bool,
) -> Result<Value, Refused> {
    let ty = cx.element(value);
    let window = Window::of_pool(cx, n, value)?;
    let zero = cx.lit_like(value, 0.0);
    let wide = cx.convert(value, if ty == Type::F64 { ty } else { Type::F32 })?;
    let zero = cx.convert(zero, cx.element(wide))?;
    let sum = window.fold(cx, wide, zero, Fold::Add)?;
    let counts_margins = n.flag("count_include_pad", false);
    let has_margins = window
        .low
        .iter()
        .chain(&window.high)
        .any(|&margin| margin != c(0));
    let counts_all = counts_ceiling || !n.flag("ceil_mode", false);
    let count = if !has_margins || counts_margins && counts_all {
        let count = cx.product(&window.sizes.clone());
        cx.dim_as(count, cx.element(sum))?
    } else {
        // How many elements of each window are counted: a product over dimensions.
        let dims = cx.dims(value);
        let rank = window.rank();
        let pads = n.ints("pads").unwrap_or_else(|| vec![0; 2 * rank]);
        let mut factors: Option<Value> = None;
        for dim in 0..rank {
            let (low, size) = (window.low[dim], dims[2 + dim]);
            // Margins that the model has are counted, those that ceiling adds are not.
            let (first, end) = match counts_margins {
                true => {
                    let end = cx.add(size, c(pads[rank + dim]));
                    (cx.sub(c(0), low), end)
                }
                false => (c(0), size),
            };
            let (stride, dilation) = (window.strides[dim], window.dilations[dim]);
            let sizes = window.sizes[dim];
            let real = cx.element(sum);
            let factor = cx.generate(&[window.places[dim]], real, &mut |b, index| {
                let start = x(index[0]) * stride - low;
                // The numbers of the first and of the last element that counts.
                let skipped = (F::from(first) - start.clone() + (dilation - 1)).max(0);
                let skipped = skipped.floor_div(dilation);
                let room = (F::from(end) - start + (dilation - 1))
                    .max(0)
                    .floor_div(dilation);
                let count = room.min(F::from(sizes)) - skipped;
                count
                    .apply(crate::rewrite::formula::Unary::ToNumber(real))
                    .build(b)
            });
            let at: Vec<usize> = (dim + 1..rank).map(|other| other - dim).collect();
            let factor = cx.unsqueeze(factor, &at)?;
            factors = Some(match factors {
                Some(before) => cx.ew(&sh::MULTIPLY, &[before, factor])?,
                None => factor,
            });
        }
        factors.ok_or("it has no window")?
    };
    let mean = cx.ew(&sh::DIVIDE, &[sum, count])?;
    cx.convert(mean, ty)
}

fn max_pool(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let value = n.x(0)?;
    let ty = cx.element(value);
    let window = Window::of_pool(cx, n, value)?;
    let least = cx.neutral(Fold::Max, ty);
    let margin = cx.scalar_tensor(least, ty);
    let most = window.fold(cx, value, margin, Fold::Max)?;
    if !n.is_wanted(1) {
        return Ok(vec![most, most]);
    }
    // Where the greatest element is in the tensor without margins: the first one in the window.
    let dims = cx.dims(value);
    let source = cx.signless(value);
    let result = cx.dims(most);
    let rank = window.rank();
    let columns = n.flag("storage_order", false);
    let unsigned = cx.is_unsigned(ty);
    let positions = cx.generate(&result, Type::I64, &mut |b, index| {
        let none = crate::rewrite::formula::index(b, -1);
        let found = crate::rewrite::formula::nest(
            b,
            &window.sizes,
            &[least, none],
            &mut |b, at, carried| {
                let mut inside: Option<F> = None;
                let mut places = vec![x(index[0]), x(index[1])];
                for dim in 0..rank {
                    let place = x(index[2 + dim]) * window.strides[dim]
                        + x(at[dim]) * window.dilations[dim]
                        - window.low[dim];
                    let place = x(place.build(b));
                    let size = F::from(dims[2 + dim]);
                    let check = place.clone().is(arith::CmpIPredicate::Ult, size);
                    inside = Some(match inside {
                        Some(inside) => inside.and(check),
                        None => check,
                    });
                    places.push(place);
                }
                let inside = inside.unwrap_or_else(|| F::from(0).equal(0));
                let types = [b.ir.value_type(carried[0]), Type::INDEX];
                crate::rewrite::formula::choose(
                    b,
                    inside,
                    &types,
                    |b| {
                        let number = F::Element(source, places.clone()).build(b);
                        let better = super::reductions::comes_before(
                            b,
                            (number, carried[0]),
                            true,
                            unsigned,
                        );
                        let first = x(carried[1]).less(0).build(b);
                        let better = b.value(&arith::ORI, &[better, first], Type::I1);
                        // The number of the element in the whole tensor.
                        let mut place = F::from(0);
                        let order: Vec<usize> = match columns {
                            false => (0..rank).collect(),
                            true => (0..rank).rev().collect(),
                        };
                        for dim in [0, 1] {
                            place = place * dims[dim] + index[dim];
                        }
                        for dim in order {
                            place = place * dims[2 + dim] + places[2 + dim].clone();
                        }
                        let place = place.build(b);
                        vec![
                            x(better).select(number, carried[0]).build(b),
                            x(better).select(place, carried[1]).build(b),
                        ]
                    },
                    |_| carried.to_vec(),
                )
            },
        );
        b.value(&arith::INDEX_CAST, &[found[1]], Type::I64)
    });
    Ok(vec![most, positions])
}

fn max_unpool(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let (value, places) = (n.x(0)?, n.x(1)?);
    let ty = cx.element(value);
    let from = cx.dims(value);
    let rank = from.len() - 2;
    let sizes = n.ints("kernel_shape").ok_or("it has no 'kernel_shape'")?;
    let strides = n.ints("strides").unwrap_or_else(|| vec![1; rank]);
    let pads = n.ints("pads").unwrap_or_else(|| vec![0; 2 * rank]);
    // The places count in the tensor that the windows give; a larger one has that in its corner.
    let mut inferred = from[..2].to_vec();
    for dim in 0..rank {
        let size = cx.sub(from[2 + dim], c(1));
        let size = cx.mul(size, c(strides[dim]));
        inferred.push(cx.add(size, c(sizes[dim] - pads[dim] - pads[rank + dim])));
    }
    let to = match n.opt(2) {
        Some(shape) => cx.sizes_in(shape)?,
        None => inferred.clone(),
    };
    let zero = cx.scalar(ty, 0.0);
    let out = cx.filled(&to, zero, ty);
    let out = cx.signless(out);
    let source = cx.signless(value);
    let results = crate::rewrite::formula::nest(&mut cx.b, &from, &[out], &mut |b, at, carried| {
        let number = crate::rewrite::tensors::extract(b, source, at);
        let place = crate::rewrite::tensors::extract(b, places, at);
        let mut rest = x(b.value(&arith::INDEX_CAST, &[place], Type::INDEX));
        let mut indices = vec![F::from(0); to.len()];
        for dim in (0..to.len()).rev() {
            rest = x(rest.build(b));
            indices[dim] = rest.clone().floor_rem(F::from(inferred[dim]));
            rest = rest.floor_div(F::from(inferred[dim]));
        }
        let mut operands = vec![number, carried[0]];
        for index in indices {
            operands.push(index.build(b));
        }
        let ty = b.ir.value_type(carried[0]);
        vec![b.value(&freehold_frontend::dialects::tensor::INSERT, &operands, ty)]
    });
    let result = cx.sized(results[0], &to);
    Ok(vec![cx.with_element(result, ty)])
}

/// A convolution of images and kernels with sums of type `sum`.
fn convolution(
    cx: &mut Cx<'_>,
    n: &Node,
    image: Value,
    kernel: Value,
    sum: Type,
) -> Result<Value, Refused> {
    convolution_of(cx, n, [image, kernel].map(Factor::plain), sum)
}

/// The same of factors that the convolution widens, less their zero points.
fn convolution_of(
    cx: &mut Cx<'_>,
    n: &Node,
    [mut image, kernel]: [Factor; 2],
    sum: Type,
) -> Result<Value, Refused> {
    let (from, of) = (cx.dims(image.value), cx.dims(kernel.value));
    if from.len() != of.len() || from.len() < 3 {
        return Err("its kernel has another rank than its operand".into());
    }
    let mut sizes = of[2..].to_vec();
    if let Some(said) = n.ints("kernel_shape") {
        for (size, said) in sizes.iter_mut().zip(said) {
            if let Dim::Value(_) = size {
                *size = c(said);
            }
        }
    }
    let window = Window::of(cx, n, &from[2..], sizes)?;
    let ty = cx.element(image.value);
    let margin = image.margin(cx, ty);
    image.value = window.padded_with(cx, image.value, margin)?;
    contract_windows(cx, &window, [image, kernel], n.int("group", 1), sum)
}

/// The products of windows, which lie within the image, with kernels.
fn contract_windows(
    cx: &mut Cx<'_>,
    window: &Window,
    mut factors: [Factor; 2],
    groups: i64,
    sum: Type,
) -> Result<Value, Refused> {
    let rank = window.rank();
    let [image, kernel] = [0, 1].map(|i| factors[i].value);
    let (batch, features) = (cx.dim(image, 0), cx.dim(kernel, 0));
    let grouped = groups > 1;
    let (mut image, mut kernel) = (cx.signless(image), cx.signless(kernel));
    let per_group = cx.div(features, c(groups));
    if grouped {
        let mut dims = cx.dims(image);
        dims[1] = cx.div(dims[1], c(groups));
        dims.insert(1, c(groups));
        image = cx.reshape(image, &dims)?;
        let mut dims = cx.dims(kernel);
        dims[0] = per_group;
        dims.insert(0, c(groups));
        kernel = cx.reshape(kernel, &dims)?;
    }
    // Loops: batch, groups, features of the result, its spatial dimensions; features of the image, the window.
    let feature = 1 + usize::from(grouped);
    let n_parallel = feature + 1 + rank;
    let n_loops = n_parallel + 1 + rank;
    let dim = |dim: usize| AffineExpr::Dim(dim as u32);
    let mut image_map = vec![dim(0)];
    let mut kernel_map = Vec::new();
    let mut dims = vec![batch];
    if grouped {
        image_map.push(dim(1));
        kernel_map.push(dim(1));
        dims.push(c(groups));
    }
    image_map.push(dim(n_parallel));
    kernel_map.extend([dim(feature), dim(n_parallel)]);
    dims.push(per_group);
    for i in 0..rank {
        image_map.push(window.at(i, feature + 1 + i, n_parallel + 1 + i));
        kernel_map.push(dim(n_parallel + 1 + i));
    }
    dims.extend(&window.places);
    (factors[0].value, factors[1].value) = (image, kernel);
    let maps = [map(n_loops, image_map), map(n_loops, kernel_map)];
    let value = contraction(cx, &factors, maps, &dims, sum);
    let value = cx.sized(value, &dims);
    if !grouped {
        return Ok(value);
    }
    let mut to = vec![batch, features];
    to.extend(&window.places);
    cx.reshape(value, &to)
}

/// A number per feature as a tensor that fits images.
pub(super) fn per_feature(cx: &mut Cx<'_>, vector: Value, rank: usize) -> Result<Value, Refused> {
    if cx.rank(vector) == 0 {
        return Ok(vector);
    }
    let at: Vec<usize> = (1..=rank.saturating_sub(2)).collect();
    cx.unsqueeze(vector, &at)
}

/// Floats of less than 32 bits add up in f32.
fn widened(cx: &mut Cx<'_>, value: Value) -> Result<Value, Refused> {
    let ty = cx.element(value);
    match cx
        .context()
        .float_kind(ty)
        .is_some_and(|kind| kind.width() < 32)
    {
        true => cx.convert(value, Type::F32),
        false => Ok(value),
    }
}

fn add_bias(cx: &mut Cx<'_>, n: &Node, value: Value, index: usize) -> Result<Value, Refused> {
    let Some(bias) = n.opt(index) else {
        return Ok(value);
    };
    add_vector(cx, value, bias)
}

/// A tensor plus a number per feature.
fn add_vector(cx: &mut Cx<'_>, value: Value, bias: Value) -> Result<Value, Refused> {
    let bias = cx.convert(bias, cx.element(value))?;
    let bias = per_feature(cx, bias, cx.rank(value))?;
    let dims = cx.dims(value);
    let sum = cx.ew(&sh::ADD, &[value, bias])?;
    Ok(cx.as_sized(sum, &dims))
}

pub(super) fn conv(cx: &mut Cx<'_>, n: &Node) -> Result<Value, Refused> {
    let (image, kernel) = (n.x(0)?, n.x(1)?);
    let ty = cx.element(image);
    if let Some((kernel, bias)) = normalized_weights(cx, n, kernel) {
        let value = convolution(cx, n, image, kernel, ty)?;
        return add_vector(cx, value, bias);
    }
    let (image, kernel) = (widened(cx, image)?, widened(cx, kernel)?);
    let sum = cx.element(image);
    let value = convolution(cx, n, image, kernel, sum)?;
    let value = add_bias(cx, n, value, 2)?;
    cx.convert(value, ty)
}

/// Constant weights and bias with the normalization that follows, if it can be part of them.
fn normalized_weights(cx: &mut Cx<'_>, n: &Node, kernel: Value) -> Option<(Value, Value)> {
    let dims = cx.known(kernel)?;
    let features = usize::try_from(*dims.first()?).ok()?;
    if cx.element(kernel) != Type::F32 || !std::ptr::eq(n.def, &onnx::CONV) {
        return None;
    }
    let bias = match n.opt(2) {
        Some(bias) => cx.constant_numbers(bias)?,
        None => vec![0.0; features],
    };
    let mut weights = cx.constant_numbers(kernel)?;
    if features == 0 || bias.len() != features || weights.is_empty() {
        return None;
    }
    let [factors, summands] = fold_normalization(cx, n, features)?;
    let per_feature = weights.len() / features;
    for (part, factor) in weights.chunks_exact_mut(per_feature).zip(&factors) {
        part.iter_mut().for_each(|weight| *weight *= factor);
    }
    let bias: Vec<f64> = (0..features)
        .map(|i| bias[i] * factors[i] + summands[i])
        .collect();
    let kernel = cx.numbers(&dims, Type::F32, &weights);
    Some((kernel, cx.numbers(&dims[..1], Type::F32, &bias)))
}

/// 8-bit numbers less a zero point.
fn centered(
    cx: &mut Cx<'_>,
    value: Value,
    zero: Option<Value>,
    of_kernel: bool,
) -> Result<Value, Refused> {
    let wide = cx.convert(value, Type::I32)?;
    let Some(zero) = zero else {
        return Ok(wide);
    };
    let mut zero = zero_point(cx, zero, Type::I32)?;
    if cx.rank(zero) == 1 {
        // One per feature of the result.
        let rank = cx.rank(value);
        let at: Vec<usize> = match of_kernel {
            true => (1..rank).collect(),
            false => (1..rank - 1).collect(),
        };
        zero = cx.unsqueeze(zero, &at)?;
    }
    cx.ew(&sh::SUBTRACT, &[wide, zero])
}

fn conv_integer(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let zeros = [n.opt(2), n.opt(3)];
    Ok(vec![integer_convolution(cx, n, [n.x(0)?, n.x(1)?], zeros)?])
}

/// The convolution of 8-bit numbers less their zero points.
fn integer_convolution(
    cx: &mut Cx<'_>,
    n: &Node,
    [image, kernel]: [Value; 2],
    zeros: [Option<Value>; 2],
) -> Result<Value, Refused> {
    if let Some(image) = Factor::narrow(cx, image, zeros[0])?
        && let Some(kernel) = Factor::narrow(cx, kernel, zeros[1])?
    {
        return convolution_of(cx, n, [image, kernel], Type::I32);
    }
    let image = centered(cx, image, zeros[0], false)?;
    let kernel = centered(cx, kernel, zeros[1], true)?;
    convolution(cx, n, image, kernel, Type::I32)
}

fn q_linear_conv(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let zeros = [n.opt(2), n.opt(5)];
    let sums = integer_convolution(cx, n, [n.x(0)?, n.x(3)?], zeros)?;
    let sums = add_bias(cx, n, sums, 8)?;
    let rank = cx.rank(sums);
    let (p, q) = (as_parameter(cx, n.x(1)?)?, as_parameter(cx, n.x(4)?)?);
    let q = per_feature(cx, q, rank)?;
    let sums = cx.convert(sums, Type::F32)?;
    let terms = [("x", sums.into()), ("p", p.into()), ("q", q.into())];
    let real = cx.formula("x * (p * q)", &terms)?;
    let (step, zero) = (as_parameter(cx, n.x(6)?)?, n.x(7)?);
    let ty = cx.element(zero);
    Ok(vec![quantize(cx, real, step, Some(zero), ty)?])
}

fn conv_transpose(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let (image, kernel) = (n.x(0)?, n.x(1)?);
    let ty = cx.element(image);
    let (image, kernel) = (widened(cx, image)?, widened(cx, kernel)?);
    let (from, of) = (cx.dims(image), cx.dims(kernel));
    let rank = from.len() - 2;
    let groups = n.int("group", 1);
    let list = |name: &str, default: i64| n.ints(name).unwrap_or_else(|| vec![default; rank]);
    let (strides, dilations) = (list("strides", 1), list("dilations", 1));
    let extra = list("output_padding", 0);
    let pads = n.ints("pads").unwrap_or_else(|| vec![0; 2 * rank]);
    let shape = n
        .ints("output_shape")
        .map(|all| all[all.len() - rank..].to_vec());
    let auto = n.text("auto_pad", "NOTSET");
    // The image with zeros between its elements, and as far around it as windows reach.
    let (mut low, mut high, mut places) = (Vec::new(), Vec::new(), Vec::new());
    for dim in 0..rank {
        let reach = cx.sub(of[2 + dim], c(1));
        let reach = cx.mul(reach, c(dilations[dim]));
        let spread = cx.sub(from[2 + dim], c(1));
        let spread = cx.mul(spread, c(strides[dim]));
        // All that is reached, before margins are cut off.
        let whole = cx.add(spread, reach);
        let whole = cx.add(whole, c(1 + extra[dim]));
        let (before, after) = match (&shape, auto.as_str()) {
            (Some(shape), _) => {
                let all = cx.sub(whole, c(shape[dim]));
                let half = cx.div(all, c(2));
                let rest = cx.sub(all, half);
                if auto == "SAME_UPPER" {
                    (half, rest)
                } else {
                    (rest, half)
                }
            }
            (None, "SAME_UPPER" | "SAME_LOWER") => {
                let wanted = cx.mul(from[2 + dim], c(strides[dim]));
                let all = cx.sub(whole, wanted);
                let half = cx.div(all, c(2));
                let rest = cx.sub(all, half);
                if auto == "SAME_UPPER" {
                    (half, rest)
                } else {
                    (rest, half)
                }
            }
            (None, "VALID") => (c(0), c(0)),
            _ => (c(pads[dim]), c(pads[rank + dim])),
        };
        low.push(cx.sub(reach, before));
        let end = cx.sub(reach, after);
        high.push(cx.add(end, c(extra[dim])));
        let size = cx.sub(whole, before);
        places.push(cx.sub(size, after));
    }
    let element = cx.element(image);
    let are_apart = (0..rank).all(|dim| dilations[dim] == 1 && of[2 + dim] == c(strides[dim]));
    let cuts_nothing = shape.is_none() && !auto.starts_with("SAME");
    let mut margins = pads.iter().chain(&extra);
    if groups == 1 && are_apart && cuts_nothing && margins.all(|&margin| margin == 0) {
        let value = apart_windows(cx, image, kernel, &strides)?;
        let value = add_bias(cx, n, value, 2)?;
        return Ok(vec![cx.convert(value, ty)?]);
    }
    let zero = cx.scalar(element, 0.0);
    let mut stretched = image;
    if strides.iter().any(|&stride| stride != 1) {
        let mut dims = from[..2].to_vec();
        for dim in 0..rank {
            let size = cx.sub(from[2 + dim], c(1));
            let size = cx.mul(size, c(strides[dim]));
            dims.push(cx.add(size, c(1)));
        }
        let out = cx.empty(&dims, element);
        let out = fill(&mut cx.b, zero, out);
        cx.sized(out, &dims);
        let steps = [&[1, 1], &strides[..]].concat();
        stretched = cx.insert(image, out, &vec![c(0); rank + 2], &steps);
    }
    let margins = |all: &[Dim]| [&[c(0), c(0)], all].concat();
    let padded = super::shapes::pad_with(cx, stretched, &margins(&low), &margins(&high), zero)?;
    // Kernels backwards, with the features of the result first.
    let per_group = of[1];
    let mut split = of.clone();
    split[0] = cx.div(of[0], c(groups));
    split.insert(0, c(groups));
    let kernel = cx.reshape(kernel, &split)?;
    let mut permutation = vec![0, 2, 1];
    permutation.extend(3..rank + 3);
    let kernel = cx.transpose(kernel, &permutation);
    let mut dims = vec![cx.mul(per_group, c(groups)), split[1]];
    dims.extend(&of[2..]);
    let kernel = cx.reshape(kernel, &dims)?;
    let sizes = of[2..].to_vec();
    let kernel = match sizes.iter().all(|&size| size == c(1)) {
        true => kernel,
        false => cx.pick(kernel, &dims.clone(), &mut |b, index| {
            (0..index.len())
                .map(|dim| match dim < 2 {
                    true => index[dim],
                    false => (F::from(sizes[dim - 2]) - 1 - index[dim]).build(b),
                })
                .collect()
        }),
    };
    let window = Window {
        sizes,
        strides: vec![1; rank],
        dilations,
        low: Vec::new(),
        high: Vec::new(),
        places,
    };
    let factors = [padded, kernel].map(Factor::plain);
    let value = contract_windows(cx, &window, factors, groups, element)?;
    let value = add_bias(cx, n, value, 2)?;
    Ok(vec![cx.convert(value, ty)?])
}

/// A transposed convolution whose windows are next to each other: a product of matrices, whose results are moved to
/// their places.
fn apart_windows(
    cx: &mut Cx<'_>,
    image: Value,
    kernel: Value,
    strides: &[i64],
) -> Result<Value, Refused> {
    let element = cx.element(image);
    let (from, of) = (cx.dims(image), cx.dims(kernel));
    let rank = strides.len();
    // Loops: batch, features of the result, places in the window, places of windows, features of the image.
    let (window, whole) = (2, 2 + rank);
    let last = 2 + 2 * rank;
    let dim = |dim: usize| AffineExpr::Dim(dim as u32);
    let mut image_map = vec![dim(0), dim(last)];
    image_map.extend((0..rank).map(|i| dim(whole + i)));
    let mut kernel_map = vec![dim(last), dim(1)];
    kernel_map.extend((0..rank).map(|i| dim(window + i)));
    let maps = [map(last + 1, image_map), map(last + 1, kernel_map)];
    let mut dims = vec![from[0], of[1]];
    dims.extend(&of[2..]);
    dims.extend(&from[2..]);
    let factors = [image, kernel].map(Factor::plain);
    let value = contraction(cx, &factors, maps, &dims, element);
    let value = cx.sized(value, &dims);
    let mut permutation = vec![0, 1];
    permutation.extend((0..rank).flat_map(|i| [whole + i, window + i]));
    let value = cx.transpose(value, &permutation);
    let mut dims = vec![from[0], of[1]];
    for (&size, &stride) in from[2..].iter().zip(strides) {
        dims.push(cx.mul(size, c(stride)));
    }
    cx.reshape(value, &dims)
}
