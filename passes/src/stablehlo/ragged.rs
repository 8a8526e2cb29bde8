//! `chlo.ragged_dot`: a product for each group of rows, of parts whose sizes only the run knows. In StableHLO, where all sizes
//! are known, factors are zero outside of the group.

use freehold_frontend::dialects::chlo::ragged_dot::{Mode, RAGGED_DOT, RaggedDotDimensions};
use freehold_frontend::dialects::memref::{MixedIndex, OffsetSizeStride};
use freehold_frontend::dialects::stablehlo::attributes::{ComparisonDirection, ComparisonType};
use freehold_frontend::dialects::stablehlo::{elementwise, products, shapes};
use freehold_frontend::dialects::tensor;
use freehold_frontend::ir::attrs::{AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{DYNAMIC, Signedness, Type, TypeKind};

use super::build::{
    as_signless, at, element, empty_with, extract, shape, size, sizes, tensor_type,
};
use super::chlo_legalize_to_stablehlo::compare;
use super::formula::{F, put, repeat, take, x};
use super::moves::to_index;
use super::products::{add_products, factors, rounded, sum_type, zeros};
use super::stablehlo_legalize_to_linalg::{Row, Unsupported};

pub(super) const ROWS: &[Row] = &[(&RAGGED_DOT, lower)];

/// Where a part of a tensor begins, and its sizes.
struct Part {
    offsets: Vec<MixedIndex>,
    sizes: Vec<MixedIndex>,
}

impl Part {
    /// All of a tensor.
    fn all(b: &mut Builder<'_>, tensor: Value) -> Self {
        let sizes = sizes(b, tensor);
        Self {
            offsets: at(&vec![0; sizes.len()]),
            sizes,
        }
    }

    fn cut(&mut self, dim: usize, offset: Value, size: MixedIndex) {
        self.offsets[dim] = offset.into();
        self.sizes[dim] = size;
    }
}

/// What all groups have in common.
struct Ragged {
    dims: RaggedDotDimensions,
    lhs: Value,
    rhs: Value,
    group_sizes: Value,
    /// Dimensions of the first factor whose positions have sizes of their own.
    prefix: Vec<i64>,
    op: Op,
}

fn lower(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    let context = b.context();
    let attr = b.ir.attr(op, Name::RAGGED_DOT_DIMENSION_NUMBERS);
    let dims = attr.and_then(|attr| RaggedDotDimensions::from_attr(&context, attr));
    let dims = dims.ok_or("it has no dimension numbers")?;
    let (lhs, rhs) = factors(b, op);
    let group_sizes = b.ir.operand(op, 2);
    let group_sizes = as_signless(b, group_sizes);
    let rank = sizes(b, group_sizes).len();
    let prefix = match rank {
        1 => Vec::new(),
        _ => dims.prefix(),
    };
    let ragged = Ragged {
        dims,
        lhs,
        rhs,
        group_sizes,
        prefix,
        op,
    };
    let ty = sum_type(b, op);
    let out = empty_with(b, ty, &mut |b, dim| ragged.result_size(b, dim));
    let out = zeros(b, op, out)?;
    let mut failed = None;
    let sums = ragged.each_prefix(b, &mut Vec::new(), out, &mut failed);
    match failed {
        Some(reason) => Err(reason),
        None => Ok(vec![rounded(b, op, sums)]),
    }
}

impl Ragged {
    /// The dimensions of the factors that those of a product come from: of the first, then of the second.
    fn sources(&self, b: &Builder<'_>) -> Vec<(bool, usize)> {
        let dot = &self.dims.dot;
        let batches = dot.lhs_batching_dimensions.iter();
        let mut sources: Vec<(bool, usize)> = batches.map(|&dim| (false, dim as usize)).collect();
        let lists = [
            [
                &dot.lhs_batching_dimensions,
                &dot.lhs_contracting_dimensions,
                &Vec::new(),
            ],
            [
                &dot.rhs_batching_dimensions,
                &dot.rhs_contracting_dimensions,
                &self.dims.rhs_group_dimensions,
            ],
        ];
        for (side, bound) in lists.iter().enumerate() {
            let rank = shape(b.ir, [self.lhs, self.rhs][side]).len();
            let is_free = |dim: &usize| !bound.iter().any(|list| list.contains(&(*dim as i64)));
            sources.extend((0..rank).filter(is_free).map(|dim| (side == 1, dim)));
        }
        sources
    }

    fn result_size(&self, b: &mut Builder<'_>, dim: usize) -> Value {
        let n_groups = usize::from(self.dims.mode() == Mode::Contracting);
        if dim < n_groups {
            return size(b, self.group_sizes, self.prefix.len());
        }
        let (is_right, dim) = self.sources(b)[dim - n_groups];
        size(b, if is_right { self.rhs } else { self.lhs }, dim)
    }

    /// Goes through the positions that have sizes of groups of their own.
    fn each_prefix(
        &self,
        b: &mut Builder<'_>,
        places: &mut Vec<Value>,
        out: Value,
        failed: &mut Option<Unsupported>,
    ) -> Value {
        if places.len() == self.prefix.len() {
            return self.each_group(b, places, out, failed);
        }
        let n = size(b, self.lhs, self.prefix[places.len()] as usize);
        repeat(b, 0, n, &[out], |b, i, carried| {
            places.push(i);
            let out = self.each_prefix(b, places, carried[0], failed);
            places.pop();
            vec![out]
        })[0]
    }

    /// Goes through the groups, which lie one behind the other.
    fn each_group(
        &self,
        b: &mut Builder<'_>,
        places: &[Value],
        out: Value,
        failed: &mut Option<Unsupported>,
    ) -> Value {
        let n_groups = size(b, self.group_sizes, self.prefix.len());
        let total = size(b, self.lhs, self.dims.lhs_ragged_dimensions[0] as usize);
        let zero = F::from(0).build(b);
        let carried = [zero, out];
        repeat(b, 0, n_groups, &carried, |b, group, carried| {
            let (start, out) = (carried[0], carried[1]);
            let place = [places, &[group]].concat();
            let n = extract(b, self.group_sizes, &place);
            let n = to_index(b, n);
            // Groups end where the tensor does.
            let n = x(n).max(0).min(x(total) - start).build(b);
            let next = (x(start) + n).build(b);
            let out = match self.product(b, places, group, (start, n), out) {
                Ok(out) => out,
                Err(reason) => {
                    *failed = Some(reason);
                    out
                }
            };
            vec![next, out]
        })[1]
    }

    /// Adds the product of a group to its part of the result.
    fn product(
        &self,
        b: &mut Builder<'_>,
        places: &[Value],
        group: Value,
        (start, n): (Value, Value),
        out: Value,
    ) -> Result<Value, Unsupported> {
        let dot = &self.dims.dot;
        let mut left = Part::all(b, self.lhs);
        let mut right = Part::all(b, self.rhs);
        let one = MixedIndex::Constant(1);
        let mut cuts: Vec<(i64, Value, MixedIndex)> = self
            .prefix
            .iter()
            .zip(places)
            .map(|(&dim, &place)| (dim, place, one))
            .collect();
        cuts.push((self.dims.lhs_ragged_dimensions[0], start, n.into()));
        let pairs = [
            (&dot.lhs_batching_dimensions, &dot.rhs_batching_dimensions),
            (
                &dot.lhs_contracting_dimensions,
                &dot.rhs_contracting_dimensions,
            ),
        ];
        for (dim, offset, size) in cuts {
            left.cut(dim as usize, offset, size);
            for (of_left, of_right) in pairs {
                if let Some(i) = of_left.iter().position(|&other| other == dim) {
                    right.cut(of_right[i] as usize, offset, size);
                }
            }
        }
        let lhs = take(b, self.lhs, &left.offsets, &left.sizes, 0);
        let mut dims = dot.clone();
        let rhs = match self.dims.rhs_group_dimensions.first() {
            None => take(b, self.rhs, &right.offsets, &right.sizes, 0),
            Some(&dim) => {
                right.cut(dim as usize, group, one);
                // The second factor of this group lacks the dimension that counts them.
                for list in [
                    &mut dims.rhs_batching_dimensions,
                    &mut dims.rhs_contracting_dimensions,
                ] {
                    list.iter_mut()
                        .for_each(|other| *other -= i64::from(*other > dim));
                }
                without(b, self.rhs, &right, dim as usize)
            }
        };

        let mut part = Part::all(b, out);
        let n_groups = usize::from(self.dims.mode() == Mode::Contracting);
        if n_groups == 1 {
            part.cut(0, group, one);
        }
        for (i, (is_right, dim)) in self.sources(b).into_iter().enumerate() {
            let of = if is_right { &right } else { &left };
            part.offsets[i + n_groups] = of.offsets[dim];
            part.sizes[i + n_groups] = of.sizes[dim];
        }
        let sums = take(b, out, &part.offsets, &part.sizes, n_groups);
        let ty = b.ir.value_type(sums);
        let sums = add_products(b, self.op, (lhs, rhs), &dims, ty, Some(sums))?;
        Ok(put(b, sums, out, &part.offsets, &part.sizes))
    }
}

/// A part of a tensor without one of its dimensions, which has size 1 there.
fn without(b: &mut Builder<'_>, source: Value, part: &Part, dim: usize) -> Value {
    let context = b.context();
    let mut known: Vec<i64> = part.sizes.iter().map(|size| size.static_value()).collect();
    known.remove(dim);
    let ty = tensor_type(&context, &known, element(b.ir, source));
    let place = OffsetSizeStride {
        offsets: part.offsets.clone(),
        sizes: part.sizes.clone(),
        strides: at(&vec![1; part.sizes.len()]),
    };
    let spec = b
        .spec(&tensor::EXTRACT_SLICE)
        .operands(&[source])
        .results(&[ty]);
    let op = b.create(place.append_to(&context, spec));
    b.ir.result(op, 0)
}

/// Products of StableHLO, one per group: the first factor is zero outside of its part.
pub(super) fn legalize(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    let context = b.context();
    let attr = b.ir.attr(op, Name::RAGGED_DOT_DIMENSION_NUMBERS);
    let dims = attr.and_then(|attr| RaggedDotDimensions::from_attr(&context, attr));
    let dims = dims.ok_or("it has no dimension numbers")?;
    let [lhs, rhs, group_sizes] = [0, 1, 2].map(|i| b.ir.operand(op, i));
    let result = b.ir.result(op, 0);
    let values = [lhs, rhs, group_sizes, result];
    if values
        .iter()
        .any(|&value| shape(b.ir, value).contains(&DYNAMIC))
    {
        return Err("its sizes are known only at run time".into());
    }
    let sizes = shape(b.ir, group_sizes);
    let last = sizes.len() - 1;
    let prefix = if last == 0 { Vec::new() } else { dims.prefix() };
    let number = element(b.ir, group_sizes);
    let of_prefix = tensor_type(&context, &sizes[..last], number);
    let whole = tensor_type(&context, &shape(b.ir, lhs), number);
    let flags = context.with_element_type(whole, Type::I1);
    let places = context.i64_attr(dims.lhs_ragged_dimensions[0]);
    let places = b.value_with_attr(&shapes::IOTA, &[], whole, Name::IOTA_DIMENSION, places);
    let zero = |b: &mut Builder<'_>, ty: Type| {
        let width = |ty: Type| match context.type_kind(ty) {
            TypeKind::Float(kind) => kind.width(),
            TypeKind::Integer { width, .. } => *width,
            _ => 64,
        };
        let ty_of_element = context.element_type_or_self(ty);
        let bytes = match context.type_kind(ty_of_element) {
            TypeKind::Complex(part) => 2 * width(*part).div_ceil(8),
            _ => width(ty_of_element).div_ceil(8),
        };
        let bytes = vec![0; bytes as usize];
        let value = context.intern_attr(AttrKind::DenseElements(DenseElements {
            ty,
            splat: true,
            bytes: bytes.into(),
        }));
        b.value_with_attr(&elementwise::CONSTANT, &[], ty, Name::VALUE, value)
    };
    let nothing = zero(b, b.ir.value_type(lhs));
    let mut start = zero(b, of_prefix);
    let mut all = Vec::new();
    let mode = dims.mode();
    for group in 0..sizes[last] {
        let one = [&sizes[..last], &[1]].concat();
        let (mut from, mut to) = (vec![0; sizes.len()], sizes.clone());
        (from[last], to[last]) = (group, group + 1);
        let size = cut(
            b,
            group_sizes,
            &from,
            &to,
            tensor_type(&context, &one, number),
        );
        let size = b.value(&shapes::RESHAPE, &[size], of_prefix);
        let end = b.value(&elementwise::ADD, &[start, size], of_prefix);
        let kind = match context.type_kind(number) {
            TypeKind::Integer {
                signedness: Signedness::Unsigned,
                ..
            } => ComparisonType::Unsigned,
            _ => ComparisonType::Signed,
        };
        let [from, to] = [start, end].map(|bound| {
            let dims = context.i64_array_attr(&prefix);
            b.value_with_attr(
                &shapes::BROADCAST_IN_DIM,
                &[bound],
                whole,
                Name::BROADCAST_DIMENSIONS,
                dims,
            )
        });
        start = end;
        let from = compare(b, ComparisonDirection::Ge, kind, [places, from], flags);
        let to = compare(b, ComparisonDirection::Lt, kind, [places, to], flags);
        let is_inside = b.value(&elementwise::AND, &[from, to], flags);
        let ty = b.ir.value_type(lhs);
        let left = b.value(&elementwise::SELECT, &[is_inside, lhs, nothing], ty);
        let (mut right, mut numbers) = (rhs, dims.dot.clone());
        if let Some(&dim) = dims.rhs_group_dimensions.first() {
            let mut known = shape(b.ir, rhs);
            let (mut from, mut to) = (vec![0; known.len()], known.clone());
            (from[dim as usize], to[dim as usize], known[dim as usize]) = (group, group + 1, 1);
            let ty = element(b.ir, rhs);
            right = cut(b, rhs, &from, &to, tensor_type(&context, &known, ty));
            known.remove(dim as usize);
            right = b.value(
                &shapes::RESHAPE,
                &[right],
                tensor_type(&context, &known, ty),
            );
            let lists = [
                &mut numbers.rhs_batching_dimensions,
                &mut numbers.rhs_contracting_dimensions,
            ];
            for list in lists {
                list.iter_mut()
                    .for_each(|other| *other -= i64::from(*other > dim));
            }
        }
        let known = shape(b.ir, result);
        let n_groups = usize::from(mode == Mode::Contracting);
        let ty = tensor_type(&context, &known[n_groups..], element(b.ir, result));
        let mut spec = b
            .spec(&products::DOT_GENERAL)
            .operands(&[left, right])
            .results(&[ty])
            .attr(Name::DOT_DIMENSION_NUMBERS, numbers.to_attr(&context));
        if let Some(precision) = b.ir.attr(op, Name::PRECISION_CONFIG) {
            spec = spec.attr(Name::PRECISION_CONFIG, precision);
        }
        let dot = b.create(spec);
        all.push(b.ir.result(dot, 0));
    }
    let ty = b.ir.value_type(result);
    let Some((&first, others)) = all.split_first() else {
        return Ok(vec![zero(b, ty)]);
    };
    if mode != Mode::Contracting {
        let sum = |sum, &product| b.value(&elementwise::ADD, &[sum, product], ty);
        return Ok(vec![others.iter().fold(first, sum)]);
    }
    let mut known = shape(b.ir, result);
    known[0] = 1;
    let part = tensor_type(&context, &known, element(b.ir, result));
    let parts: Vec<Value> = all
        .iter()
        .map(|&product| b.value(&shapes::RESHAPE, &[product], part))
        .collect();
    let dim = context.i64_attr(0);
    Ok(vec![b.value_with_attr(
        &shapes::CONCATENATE,
        &parts,
        ty,
        Name::DIMENSION,
        dim,
    )])
}

/// `stablehlo.slice` of neighbours.
fn cut(b: &mut Builder<'_>, source: Value, from: &[i64], to: &[i64], ty: Type) -> Value {
    let context = b.context();
    let spec = b
        .spec(&shapes::SLICE)
        .operands(&[source])
        .results(&[ty])
        .attr(Name::START_INDICES, context.i64_array_attr(from))
        .attr(Name::LIMIT_INDICES, context.i64_array_attr(to))
        .attr(Name::STRIDES, context.i64_array_attr(&vec![1; to.len()]));
    let op = b.create(spec);
    b.ir.result(op, 0)
}
