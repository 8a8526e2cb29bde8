//! What lowerings move elements with: reshapes, transposes, slices, and tensors whose elements are computed from indices.

use freehold_frontend::dialects::memref::OffsetSizeStride;
use freehold_frontend::dialects::tensor::reshapes::{collapse_shape, expand_shape};
use freehold_frontend::dialects::{arith, linalg, tensor};
use freehold_frontend::ir::affine::AffineMap;
use freehold_frontend::ir::attrs::{AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, Type};

use super::graph::Cx;
use super::node::Refused;
use super::sizes::{Dim, c};
use crate::rewrite::structured::loop_counter;
use crate::rewrite::tensors::{self, Generic};

impl Cx<'_> {
    /// The tensor with these sizes and its elements in order.
    pub(super) fn reshape(&mut self, value: Value, to: &[Dim]) -> Result<Value, Refused> {
        let from = self.dims(value);
        if from == to {
            return Ok(self.as_sized(value, to));
        }
        let ty = self.element(value);
        let context = self.context();
        // A constant stays one.
        let sizes: Vec<i64> = to.iter().map(|dim| dim.static_value()).collect();
        if !sizes.contains(&DYNAMIC)
            && let Some(known) = self.known(value)
        {
            if known.iter().product::<i64>() != sizes.iter().product::<i64>() {
                return Err(format!("{known:?} has not as many elements as {sizes:?}").into());
            }
            if let Some(dense) =
                arith::as_constant_attr(self.b.ir, value).and_then(|attr| context.attr_dense(attr))
            {
                let (splat, bytes) = (dense.splat, dense.bytes.clone());
                let result = tensors::tensor_type(&context, &sizes, ty);
                let attr = context.intern_attr(AttrKind::DenseElements(DenseElements {
                    ty: result,
                    splat,
                    bytes,
                }));
                return Ok(self.constant(attr, result));
            }
            let source = self.signless(value);
            let result = tensors::reshape(&mut self.b, source, &sizes);
            return Ok(self.with_element(result, ty));
        }
        let source = self.signless(value);
        let element = self.element(source);
        let result = match self.groups(&from, to) {
            Some(groups) => self.regroup(source, &groups, to, element),
            None => {
                let operands: Vec<Value> = to.iter().map(|&dim| self.v(dim)).collect();
                let sizes = tensors::tensor_type(&context, &[to.len() as i64], Type::INDEX);
                let sizes = self.b.value(&tensor::FROM_ELEMENTS, &operands, sizes);
                let ty = self.type_of(to, element);
                self.b.value(&tensor::RESHAPE, &[source, sizes], ty)
            }
        };
        self.sized(result, to);
        Ok(self.with_element(result, ty))
    }

    /// Groups of dimensions of two shapes with as many elements each.
    fn groups(&self, from: &[Dim], to: &[Dim]) -> Option<Vec<[Vec<i64>; 2]>> {
        if from.is_empty() || to.is_empty() {
            return None;
        }
        let factors = |dims: &[Dim], range: std::ops::Range<usize>| {
            let mut all = (1i64, Vec::new());
            for dim in &dims[range] {
                let (n, values) = self.scope.sizes.factors(*dim);
                all.0 = all.0.checked_mul(n)?;
                all.1.extend(values);
            }
            all.1.sort();
            Some(all)
        };
        let mut groups: Vec<[Vec<i64>; 2]> = Vec::new();
        let (mut i, mut j) = (0, 0);
        while i < from.len() && j < to.len() {
            // The smallest group that begins here.
            let mut found = None;
            'search: for n in 2..=(from.len() - i + to.len() - j) {
                for p in 1..n {
                    let q = n - p;
                    if i + p <= from.len()
                        && j + q <= to.len()
                        && factors(from, i..i + p)? == factors(to, j..j + q)?
                    {
                        found = Some((p, q));
                        break 'search;
                    }
                }
            }
            let (p, q) = found?;
            let list = |at: usize, n: usize| (at..at + n).map(|dim| dim as i64).collect();
            groups.push([list(i, p), list(j, q)]);
            (i, j) = (i + p, j + q);
        }
        let last = groups.last_mut()?;
        for (side, (dims, at)) in [(from, i), (to, j)].into_iter().enumerate() {
            for (dim, size) in dims.iter().enumerate().skip(at) {
                if *size != c(1) {
                    return None;
                }
                last[side].push(dim as i64);
            }
        }
        Some(groups)
    }

    /// Collapses each group to one dimension and expands it to what it becomes.
    fn regroup(
        &mut self,
        source: Value,
        groups: &[[Vec<i64>; 2]],
        to: &[Dim],
        element: Type,
    ) -> Value {
        let mut value = source;
        let from = self.dims(source);
        // Groups of one dimension on either side need only one of the steps.
        if groups.iter().any(|group| group[0].len() > 1) {
            let mut kept = Vec::new();
            let mut collapsed = Vec::new();
            for group in groups {
                let is_same = group[0].len() == group[1].len()
                    && group[0]
                        .iter()
                        .zip(&group[1])
                        .all(|(&i, &j)| from[i as usize] == to[j as usize]);
                if is_same {
                    kept.extend(group[0].iter().map(|&dim| vec![dim]));
                    collapsed.extend(group[0].iter().map(|&dim| from[dim as usize]));
                } else {
                    kept.push(group[0].clone());
                    let parts: Vec<Dim> = group[0].iter().map(|&dim| from[dim as usize]).collect();
                    collapsed.push(self.product(&parts));
                }
            }
            if kept.iter().any(|group| group.len() > 1) {
                let ty = self.type_of(&collapsed, element);
                value = collapse_shape(&mut self.b, value, &kept, ty);
                self.sized(value, &collapsed);
            }
        }
        let mut expanded: Vec<Vec<i64>> = Vec::new();
        for group in groups {
            let is_same = group[0].len() == group[1].len()
                && group[0]
                    .iter()
                    .zip(&group[1])
                    .all(|(&i, &j)| from[i as usize] == to[j as usize]);
            match is_same {
                true => expanded.extend(group[1].iter().map(|&dim| vec![dim])),
                false => expanded.push(group[1].clone()),
            }
        }
        if expanded.iter().any(|group| group.len() > 1) {
            let ty = self.type_of(to, element);
            value = expand_shape(&mut self.b, value, &expanded, to, ty);
        }
        self.sized(value, to);
        self.as_sized(value, to)
    }

    /// The tensor with dimensions of one element put in at these places of the result.
    pub(super) fn unsqueeze(&mut self, value: Value, at: &[usize]) -> Result<Value, Refused> {
        let from = self.dims(value);
        let mut rest = from.into_iter();
        let rank = rest.len() + at.len();
        let mut to = Vec::new();
        for dim in 0..rank {
            to.push(match at.contains(&dim) {
                true => c(1),
                false => rest.next().unwrap_or(c(1)),
            });
        }
        self.reshape(value, &to)
    }

    /// The tensor without these dimensions, which have one element.
    pub(super) fn squeeze(&mut self, value: Value, at: &[usize]) -> Result<Value, Refused> {
        let from = self.dims(value);
        let mut value = value;
        if at.iter().any(|&dim| from[dim] != c(1)) {
            let mut dims = from.clone();
            for &dim in at {
                match dims[dim] {
                    Dim::Constant(n) if n != 1 => {
                        return Err(format!("dimension {dim} has {n} elements").into());
                    }
                    _ => dims[dim] = c(1),
                }
            }
            value = self.as_sized(value, &dims);
        }
        let from = self.dims(value);
        let to: Vec<Dim> = (0..from.len())
            .filter(|dim| !at.contains(dim))
            .map(|dim| from[dim])
            .collect();
        self.reshape(value, &to)
    }

    /// Dimension `i` of the result is dimension `permutation[i]`.
    pub(super) fn transpose(&mut self, value: Value, permutation: &[usize]) -> Value {
        if permutation.iter().enumerate().all(|(i, &dim)| i == dim) {
            return value;
        }
        if let Some(value) = self.constant_transpose(value, permutation) {
            return value;
        }
        let ty = self.element(value);
        let from = self.dims(value);
        let dims: Vec<Dim> = permutation.iter().map(|&dim| from[dim]).collect();
        let source = self.signless(value);
        let out = self.empty(&dims, ty);
        let context = self.context();
        let list: Vec<i64> = permutation.iter().map(|&dim| dim as i64).collect();
        let result = self.b.ir.value_type(out);
        let spec = self
            .b
            .spec(&linalg::TRANSPOSE)
            .operands(&[source, out])
            .results(&[result])
            .attr(Name::PERMUTATION, context.i64_array_attr(&list))
            .regions(1);
        let op = self.b.create(spec);
        let element = self.element(source);
        let region = self.b.ir.region(op, 0);
        let block = self.b.ir.append_block(region, &[element, element]);
        let first = self.b.ir.block_args(block)[0];
        let mut inner = self.b.inside(block);
        inner.op(&linalg::YIELD, &[first], &[]);
        let value = self.b.ir.result(op, 0);
        self.sized(value, &dims);
        self.with_element(value, ty)
    }

    /// A part of a tensor.
    pub(super) fn slice(
        &mut self,
        value: Value,
        offsets: &[Dim],
        sizes: &[Dim],
        strides: &[i64],
    ) -> Value {
        let from = self.dims(value);
        if from == sizes && strides.iter().all(|&stride| stride == 1) {
            return value;
        }
        if let Some(value) = self.constant_slice(value, offsets, sizes, strides) {
            return value;
        }
        let ty = self.element(value);
        let source = self.signless(value);
        let context = self.context();
        let result = self.type_of(sizes, self.element(source));
        let part = OffsetSizeStride {
            offsets: offsets.to_vec(),
            sizes: sizes.to_vec(),
            strides: strides.iter().map(|&stride| c(stride)).collect(),
        };
        let spec = self
            .b
            .spec(&tensor::EXTRACT_SLICE)
            .operands(&[source])
            .results(&[result]);
        let op = self.b.create(part.append_to(&context, spec));
        let value = self.b.ir.result(op, 0);
        self.sized(value, sizes);
        self.with_element(value, ty)
    }

    /// `size` elements along a dimension, from `offset` on.
    pub(super) fn part(&mut self, value: Value, dim: usize, offset: Dim, size: Dim) -> Value {
        let mut sizes = self.dims(value);
        sizes[dim] = size;
        let mut offsets = vec![c(0); sizes.len()];
        offsets[dim] = offset;
        self.slice(value, &offsets, &sizes, &vec![1; sizes.len()])
    }

    /// `target` with `source` as a part of it; both are signless.
    pub(super) fn insert(
        &mut self,
        source: Value,
        target: Value,
        offsets: &[Dim],
        strides: &[i64],
    ) -> Value {
        let sizes = self.dims(source);
        let dims = self.dims(target);
        let context = self.context();
        let part = OffsetSizeStride {
            offsets: offsets.to_vec(),
            sizes,
            strides: strides.iter().map(|&stride| c(stride)).collect(),
        };
        let ty = self.b.ir.value_type(target);
        let spec = self
            .b
            .spec(&tensor::INSERT_SLICE)
            .operands(&[source, target])
            .results(&[ty]);
        let op = self.b.create(part.append_to(&context, spec));
        let value = self.b.ir.result(op, 0);
        self.sized(value, &dims)
    }

    /// Tensors one after the other along a dimension.
    pub(super) fn concat(&mut self, values: &[Value], dim: usize) -> Result<Value, Refused> {
        if let [value] = *values {
            return Ok(value);
        }
        if let Some(value) = self.constant_concat(values, dim) {
            return Ok(value);
        }
        let ty = self.element(values[0]);
        let shapes: Vec<Vec<Dim>> = values.iter().map(|&value| self.dims(value)).collect();
        let rank = shapes[0].len();
        let mut dims = shapes[0].clone();
        for shape in &shapes[1..] {
            if shape.len() != rank {
                return Err("its operands differ in rank".into());
            }
            dims[dim] = self.add(dims[dim], shape[dim]);
            for other in (0..rank).filter(|&other| other != dim) {
                // What one of them knows, all have.
                match (dims[other], shape[other]) {
                    (Dim::Constant(x), Dim::Constant(y)) if x != y => {
                        return Err(format!("sizes {x} and {y} differ").into());
                    }
                    (Dim::Value(_), Dim::Constant(y)) => dims[other] = c(y),
                    _ => {}
                }
            }
        }
        let mut out = self.empty(&dims, ty);
        let mut offsets = vec![c(0); rank];
        for (&value, shape) in values.iter().zip(&shapes) {
            let source = self.signless(value);
            let mut sizes = dims.clone();
            sizes[dim] = shape[dim];
            let source = self.as_sized(source, &sizes);
            if shape[dim] != c(0) {
                out = self.insert(source, out, &offsets, &vec![1; rank]);
            }
            offsets[dim] = self.add(offsets[dim], shape[dim]);
        }
        Ok(self.with_element(out, ty))
    }

    /// Surrounds a tensor with a scalar; margins are not negative.
    pub(super) fn pad(&mut self, value: Value, low: &[Dim], high: &[Dim], scalar: Value) -> Value {
        if low.iter().chain(high).all(|&margin| margin == c(0)) {
            return value;
        }
        let ty = self.element(value);
        let source = self.signless(value);
        let mut dims = self.dims(source);
        for (i, dim) in dims.iter_mut().enumerate() {
            let sum = self.add(*dim, low[i]);
            *dim = self.add(sum, high[i]);
        }
        let result = self.type_of(&dims, self.element(source));
        let value = tensors::pad(&mut self.b, source, low, high, scalar, result);
        self.sized(value, &dims);
        self.with_element(value, ty)
    }

    /// A new tensor whose elements, signless ones of type `ty`, `body` makes of their indices.
    pub(super) fn generate(
        &mut self,
        dims: &[Dim],
        ty: Type,
        body: &mut dyn FnMut(&mut Builder<'_>, &[Value]) -> Value,
    ) -> Value {
        let n = dims.len();
        if n == 0 {
            let scalar = body(&mut self.b, &[]);
            return self.scalar_tensor(scalar, ty);
        }
        let out = self.empty(dims, ty);
        let generic = Generic {
            inputs: Vec::new(),
            outputs: vec![(out, AffineMap::identity(n))],
            parallel: &vec![true; n],
        };
        let value = generic.build(&mut self.b, &mut |b, _| {
            let indices: Vec<Value> = (0..n).map(|dim| loop_counter(b, dim)).collect();
            vec![body(b, &indices)]
        })[0];
        self.sized(value, dims);
        self.with_element(value, ty)
    }

    /// Elements at the indices that `body` makes of those of the result.
    pub(super) fn pick(
        &mut self,
        value: Value,
        dims: &[Dim],
        body: &mut dyn FnMut(&mut Builder<'_>, &[Value]) -> Vec<Value>,
    ) -> Value {
        let ty = self.element(value);
        let source = self.signless(value);
        self.generate(dims, ty, &mut |b, indices| {
            let indices = body(b, indices);
            tensors::extract(b, source, &indices)
        })
    }
}
