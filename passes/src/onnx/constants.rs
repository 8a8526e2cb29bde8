//! Constants that are cut, joined and transposed when a model is compiled: exporters reorder weights in the graph.

use freehold_frontend::dialects::arith;
use freehold_frontend::ir::attrs::{AttrKind, DenseElements};
use freehold_frontend::ir::bytes::Bytes;
use freehold_frontend::ir::entities::Value;

use super::graph::Cx;
use super::sizes::{Dim, c};
use crate::rewrite::tensors;

/// Larger ones are moved when the model runs.
const MOST_BYTES: usize = 1 << 26;

/// The elements of a constant in row-major order; of a splat one.
struct Elements {
    shape: Vec<usize>,
    width: usize,
    splat: bool,
    bytes: Bytes,
}

impl Elements {
    /// How many elements lie between neighbors along each dimension.
    fn strides(&self) -> Vec<usize> {
        let mut strides = vec![1; self.shape.len()];
        for dim in (1..self.shape.len()).rev() {
            strides[dim - 1] = strides[dim] * self.shape[dim];
        }
        strides
    }

    /// A matrix of elements of four bytes with its dimensions exchanged, in squares that stay in cache.
    fn turned(&self) -> Bytes {
        const SIDE: usize = 16;
        let [rows, columns] = [self.shape[0], self.shape[1]];
        let from = self.bytes.as_chunks::<4>().0;
        let mut to = vec![[0; 4]; rows * columns];
        for first in (0..rows).step_by(SIDE) {
            for column in (0..columns).step_by(SIDE) {
                for i in first..rows.min(first + SIDE) {
                    for j in column..columns.min(column + SIDE) {
                        to[j * rows + i] = from[i * columns + j];
                    }
                }
            }
        }
        to.into_flattened().into()
    }

    /// Elements at steps along dimensions of the result, from a first one on.
    fn gathered(&self, first: usize, sizes: &[usize], steps: &[usize]) -> Bytes {
        let (width, n) = (self.width, sizes.iter().product::<usize>());
        let mut bytes = Vec::with_capacity(n * width);
        let (Some((&last, outer)), Some(&step)) = (sizes.split_last(), steps.last()) else {
            return self.bytes.slice(first * width..(first + 1) * width);
        };
        let mut index = vec![0; outer.len()];
        for _ in 0..n / last.max(1) {
            let place: usize = index.iter().zip(steps).map(|(i, step)| i * step).sum();
            let from = &self.bytes[(first + place) * width..];
            match step {
                1 => bytes.extend_from_slice(&from[..last * width]),
                _ => from
                    .chunks(step.max(1) * width)
                    .take(last)
                    .for_each(|element| bytes.extend_from_slice(&element[..width])),
            }
            for dim in (0..outer.len()).rev() {
                index[dim] += 1;
                if index[dim] < outer[dim] {
                    break;
                }
                index[dim] = 0;
            }
        }
        bytes.into()
    }
}

fn known(dims: &[Dim]) -> Option<Vec<usize>> {
    let number = |dim: &Dim| match dim {
        Dim::Constant(number) => usize::try_from(*number).ok(),
        Dim::Value(_) => None,
    };
    dims.iter().map(number).collect()
}

impl Cx<'_> {
    fn elements(&self, value: Value) -> Option<Elements> {
        let context = self.b.ir.context();
        let dense = context.attr_dense(arith::as_constant_attr(self.b.ir, value)?)?;
        let shape: Option<Vec<usize>> = (context.shape(dense.ty)?.iter())
            .map(|&size| usize::try_from(size).ok())
            .collect();
        let shape = shape?;
        let n: usize = shape.iter().product();
        let n_stored = if dense.splat { 1 } else { n };
        if n == 0 || dense.ty != self.b.ir.value_type(value) {
            return None;
        }
        let width = dense.bytes.len() / n_stored;
        let is_whole = width > 0 && width * n_stored == dense.bytes.len();
        (is_whole && n.saturating_mul(width) <= MOST_BYTES).then(|| Elements {
            shape,
            width,
            splat: dense.splat,
            bytes: dense.bytes.clone(),
        })
    }

    /// A constant with the elements of another one's type.
    fn made(&mut self, like: Value, sizes: &[usize], splat: bool, bytes: Bytes) -> Value {
        let context = self.context();
        let shape: Vec<i64> = sizes.iter().map(|&size| size as i64).collect();
        let ty = tensors::tensor_type(&context, &shape, self.element(like));
        let attr = context.intern_attr(AttrKind::DenseElements(DenseElements { ty, splat, bytes }));
        let value = self.constant(attr, ty);
        let dims: Vec<Dim> = shape.into_iter().map(c).collect();
        self.sized(value, &dims)
    }

    /// A part of a constant.
    pub(super) fn constant_slice(
        &mut self,
        value: Value,
        offsets: &[Dim],
        sizes: &[Dim],
        steps: &[i64],
    ) -> Option<Value> {
        let elements = self.elements(value)?;
        let (offsets, sizes) = (known(offsets)?, known(sizes)?);
        let is_inside = (0..sizes.len()).all(|dim| {
            let step = usize::try_from(steps[dim]).unwrap_or(0);
            step > 0
                && sizes[dim] > 0
                && offsets[dim] + (sizes[dim] - 1) * step < elements.shape[dim]
        });
        if !is_inside || sizes.len() != elements.shape.len() {
            return None;
        }
        if elements.splat {
            return Some(self.made(value, &sizes, true, elements.bytes));
        }
        let strides = elements.strides();
        let first = offsets
            .iter()
            .zip(&strides)
            .map(|(i, stride)| i * stride)
            .sum();
        // Elements in a row share the bytes.
        let changed = (0..sizes.len()).rfind(|&dim| sizes[dim] != elements.shape[dim]);
        let is_row = steps.iter().all(|&step| step == 1)
            && changed.is_none_or(|dim| sizes[..dim].iter().all(|&size| size == 1));
        let bytes = match is_row {
            true => {
                let n: usize = sizes.iter().product();
                let width = elements.width;
                elements.bytes.slice(first * width..(first + n) * width)
            }
            false => {
                let steps: Vec<usize> = (strides.iter().zip(steps))
                    .map(|(stride, &step)| stride * step as usize)
                    .collect();
                elements.gathered(first, &sizes, &steps)
            }
        };
        Some(self.made(value, &sizes, false, bytes))
    }

    /// A constant with its dimensions in another order.
    pub(super) fn constant_transpose(
        &mut self,
        value: Value,
        permutation: &[usize],
    ) -> Option<Value> {
        let elements = self.elements(value)?;
        let (strides, of) = (elements.strides(), &elements.shape);
        let sizes: Vec<usize> = permutation.iter().map(|&dim| of[dim]).collect();
        let steps: Vec<usize> = permutation.iter().map(|&dim| strides[dim]).collect();
        let bytes = match elements.splat {
            true => elements.bytes.clone(),
            false if permutation == [1, 0] && elements.width == 4 => elements.turned(),
            false => elements.gathered(0, &sizes, &steps),
        };
        Some(self.made(value, &sizes, elements.splat, bytes))
    }

    /// Constants one after the other along a dimension.
    pub(super) fn constant_concat(&mut self, values: &[Value], dim: usize) -> Option<Value> {
        let mut parts = Vec::new();
        for &value in values {
            parts.push(self.elements(value)?);
        }
        let mut sizes = parts.first()?.shape.clone();
        let is_other = |part: &Elements| {
            let differs = |other: usize| other != dim && part.shape[other] != sizes[other];
            part.shape.len() != sizes.len() || (0..sizes.len()).any(differs)
        };
        if parts.iter().any(is_other) {
            return None;
        }
        let outer: usize = sizes[..dim].iter().product();
        sizes[dim] = parts.iter().map(|part| part.shape[dim]).sum();
        let n: usize = sizes.iter().product();
        let width = parts.first()?.width;
        if n.saturating_mul(width) > MOST_BYTES || parts.iter().any(|part| part.width != width) {
            return None;
        }
        let mut bytes = Vec::with_capacity(n * width);
        for i in 0..outer {
            for part in &parts {
                let run: usize = part.shape[dim..].iter().product();
                match part.splat {
                    true => (0..run).for_each(|_| bytes.extend_from_slice(&part.bytes)),
                    false => {
                        bytes.extend_from_slice(&part.bytes[i * run * width..(i + 1) * run * width])
                    }
                }
            }
        }
        Some(self.made(values[0], &sizes, false, bytes.into()))
    }
}
