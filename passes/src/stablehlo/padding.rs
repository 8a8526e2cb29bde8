//! Margins around tensors, and elements between theirs.

use freehold_frontend::dialects::arith::CmpIPredicate;
use freehold_frontend::dialects::memref::{MixedIndex, static_values};
use freehold_frontend::dialects::stablehlo::shapes as rows;
use freehold_frontend::dialects::{arith, scf};
use freehold_frontend::ir::affine::AffineMap;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::Type;

use super::build::{
    Generic, at, element, empty_with, extract, extract_scalar, filled, insert_slice, pad, shape,
    size, sizes, slice, slice_of, tensor_type,
};
use super::moves::{indices_in, is_dynamic, list, loop_index, operand, result_type};
use super::stablehlo_legalize_to_linalg::{Row, Unsupported};
use crate::rewrite::sizes::{Sizes, c};

pub(super) const ROWS: &[Row] = &[
    (&rows::DYNAMIC_PAD, lower_dynamic_pad),
    (&rows::PAD, lower_pad),
];

type Lowered = Result<Vec<Value>, Unsupported>;

/// Surrounds a tensor of known sizes with `scalar` and puts `interior` of it between elements. Negative numbers cut off.
pub(super) fn padded(
    b: &mut Builder<'_>,
    source: Value,
    scalar: Value,
    low: &[i64],
    high: &[i64],
    interior: &[i64],
) -> Value {
    let context = b.context();
    let element = element(b.ir, source);
    let rank = low.len();
    let sizes = shape(b.ir, source);
    let dilated: Vec<i64> = (sizes.iter().zip(interior))
        .map(|(&size, &interior)| {
            if size == 0 {
                0
            } else {
                (size - 1) * (interior + 1) + 1
            }
        })
        .collect();
    let target: Vec<i64> = (0..rank)
        .map(|dim| (dilated[dim] + low[dim] + high[dim]).max(0))
        .collect();
    let ty = tensor_type(&context, &target, element);
    if sizes.contains(&0) || target.contains(&0) {
        return filled(b, scalar, ty);
    }
    let mut inner = source;
    if interior.iter().any(|&interior| interior != 0) {
        // With the positive margins at once: they are filled anyway.
        let grown: Vec<i64> = (0..rank)
            .map(|dim| dilated[dim] + low[dim].max(0) + high[dim].max(0))
            .collect();
        let out = filled(b, scalar, tensor_type(&context, &grown, element));
        let offsets: Vec<i64> = low.iter().map(|&low| low.max(0)).collect();
        let strides: Vec<i64> = interior.iter().map(|&interior| interior + 1).collect();
        inner = insert_slice(b, source, out, at(&offsets), &strides);
        let cut: Vec<i64> = low.iter().map(|&low| (-low).max(0)).collect();
        return match target == grown {
            true => inner,
            false => slice(b, inner, at(&cut), &target, &vec![1; rank]),
        };
    }
    if low.iter().chain(high).any(|&margin| margin < 0) {
        let cut: Vec<i64> = low.iter().map(|&low| (-low).max(0)).collect();
        let kept: Vec<i64> = (0..rank)
            .map(|dim| sizes[dim] + low[dim].min(0) + high[dim].min(0))
            .collect();
        if kept.iter().any(|&kept| kept <= 0) {
            return filled(b, scalar, ty);
        }
        inner = slice(b, inner, at(&cut), &kept, &vec![1; rank]);
    }
    if shape(b.ir, inner) == target {
        return inner;
    }
    let margins = |margins: &[i64]| {
        at(&margins
            .iter()
            .map(|&margin| margin.max(0))
            .collect::<Vec<_>>())
    };
    pad(b, inner, &margins(low), &margins(high), scalar, ty)
}

/// Surrounds a tensor by margins that may be known only at run time, as [`padded`] does.
pub(super) fn padded_by(
    b: &mut Builder<'_>,
    sum: &mut Sizes,
    source: Value,
    scalar: Value,
    low: &[MixedIndex],
    high: &[MixedIndex],
    interior: &[i64],
) -> Value {
    let known = |margins: &[MixedIndex]| {
        let known = margins.iter().map(|&margin| match margin {
            MixedIndex::Constant(margin) => Some(margin),
            MixedIndex::Value(_) => None,
        });
        known.collect::<Option<Vec<i64>>>()
    };
    if !is_dynamic(b.ir, source)
        && let (Some(low), Some(high)) = (known(low), known(high))
    {
        return padded(b, source, scalar, &low, &high, interior);
    }
    let from = sizes(b, source);
    let zero = c(0);
    let element = element(b.ir, source);
    let (mut grown, mut target) = (Vec::new(), Vec::new());
    for (dim, &size) in from.iter().enumerate() {
        let least = sum.max(b, size, c(1));
        let gaps = sum.add(b, least, c(-1));
        let gaps = sum.mul(b, gaps, c(interior[dim]));
        let dilated = sum.add(b, size, gaps);
        let total = |b: &mut Builder<'_>, sum: &mut Sizes, low, high| {
            let total = sum.add(b, dilated, low);
            sum.add(b, total, high)
        };
        let all = total(b, sum, low[dim], high[dim]);
        target.push(sum.max(b, all, zero));
        let (before, behind) = (sum.max(b, low[dim], zero), sum.max(b, high[dim], zero));
        grown.push(total(b, sum, before, behind));
    }
    if interior.iter().any(|&interior| interior != 0) {
        let ty = tensor_type(&b.context(), &static_values(&target), element);
        let values = |b: &mut Builder<'_>, margins: &[MixedIndex]| -> Vec<Value> {
            margins.iter().map(|margin| margin.materialize(b)).collect()
        };
        let margins = [values(b, low), values(b, high), values(b, &at(interior))];
        return padded_at_run_time(b, ty, source, scalar, &margins);
    }
    let mut positive = |b: &mut Builder<'_>, margins: &[MixedIndex]| -> Vec<MixedIndex> {
        let positive = margins.iter().map(|&margin| sum.max(b, margin, zero));
        positive.collect()
    };
    let (before, behind) = (positive(b, low), positive(b, high));
    let mut result = source;
    if before.iter().chain(&behind).any(|&margin| margin != zero) {
        let ty = tensor_type(&b.context(), &static_values(&grown), element);
        result = pad(b, source, &before, &behind, scalar, ty);
    }
    let is_never_cut = |&margin: &MixedIndex| matches!(margin, MixedIndex::Constant(0..));
    if low.iter().chain(high).all(is_never_cut) {
        return result;
    }
    // What negative margins cut off; of nothing, nothing is left.
    let offsets = (0..from.len()).map(|dim| {
        let cut = sum.sub(b, zero, low[dim]);
        let cut = sum.max(b, cut, zero);
        let most = sum.sub(b, grown[dim], target[dim]);
        sum.min(b, cut, most)
    });
    let offsets = offsets.collect();
    slice_of(b, result, offsets, target, &vec![1; from.len()])
}

fn lower_pad(b: &mut Builder<'_>, op: Op) -> Lowered {
    let source = operand(b, op, 0);
    let padding = operand(b, op, 1);
    let [low, high, interior] = [
        Name::EDGE_PADDING_LOW,
        Name::EDGE_PADDING_HIGH,
        Name::INTERIOR_PADDING,
    ]
    .map(|name| list(b.ir, op, name));
    let scalar = extract_scalar(b, padding);
    let sum = &mut Sizes::default();
    let padded = padded_by(b, sum, source, scalar, &at(&low), &at(&high), &interior);
    Ok(vec![padded])
}

fn lower_dynamic_pad(b: &mut Builder<'_>, op: Op) -> Lowered {
    let source = operand(b, op, 0);
    let padding = operand(b, op, 1);
    let scalar = extract_scalar(b, padding);
    let [low, high, interior] = [2, 3, 4].map(|i| {
        let numbers = b.ir.operand(op, i);
        indices_in(b, numbers)
    });
    let ty = result_type(b.ir, op);
    let margins = [low, high, interior];
    Ok(vec![padded_at_run_time(b, ty, source, scalar, &margins)])
}

/// Each element of the result asks where in the source it is, if it is there.
fn padded_at_run_time(
    b: &mut Builder<'_>,
    ty: Type,
    source: Value,
    scalar: Value,
    [low, high, interior]: &[Vec<Value>; 3],
) -> Value {
    let rank = low.len();
    let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
    let sizes: Vec<Value> = (0..rank).map(|dim| size(b, source, dim)).collect();
    let strides: Vec<Value> = interior
        .iter()
        .map(|&interior| b.value(&arith::ADDI, &[interior, one], Type::INDEX))
        .collect();
    let out = empty_with(b, ty, &mut |b, dim| {
        let last = b.value(&arith::SUBI, &[sizes[dim], one], Type::INDEX);
        let last = b.value(&arith::MAXSI, &[last, zero], Type::INDEX);
        let between = b.value(&arith::MULI, &[last, interior[dim]], Type::INDEX);
        let sum = b.value(&arith::ADDI, &[sizes[dim], between], Type::INDEX);
        let sum = b.value(&arith::ADDI, &[sum, low[dim]], Type::INDEX);
        let sum = b.value(&arith::ADDI, &[sum, high[dim]], Type::INDEX);
        b.value(&arith::MAXSI, &[sum, zero], Type::INDEX)
    });
    let element = element(b.ir, source);
    let generic = Generic {
        inputs: Vec::new(),
        outputs: vec![(out, AffineMap::identity(rank))],
        parallel: &vec![true; rank],
    };
    generic.build(b, &mut |b, _| {
        let mut is_inside = arith::constant_bool(b, true);
        let mut indices = Vec::new();
        for dim in 0..rank {
            let index = loop_index(b, dim as i64);
            let distance = b.value(&arith::SUBI, &[index, low[dim]], Type::INDEX);
            let index = b.value(&arith::DIVSI, &[distance, strides[dim]], Type::INDEX);
            let rest = b.value(&arith::REMSI, &[distance, strides[dim]], Type::INDEX);
            let checks = [
                arith::compare(b, CmpIPredicate::Sge, distance, zero),
                arith::compare(b, CmpIPredicate::Eq, rest, zero),
                arith::compare(b, CmpIPredicate::Slt, index, sizes[dim]),
            ];
            for check in checks {
                is_inside = b.value(&arith::ANDI, &[is_inside, check], Type::I1);
            }
            indices.push(index);
        }
        let choice = scf::If(scf::build_if(b, is_inside, &[element], true));
        let (inside, outside) = (choice.then_block(b.ir), choice.else_block(b.ir));
        let mut inner = b.inside(inside);
        let value = extract(&mut inner, source, &indices);
        scf::build_yield(&mut inner, &[value]);
        if let Some(outside) = outside {
            let mut inner = b.inside(outside);
            scf::build_yield(&mut inner, &[scalar]);
        }
        vec![b.ir.result(choice.0, 0)]
    })[0]
}
