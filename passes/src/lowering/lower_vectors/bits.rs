//! Bitcasts between elements of widths such as 5: the pieces of each new element are shifted to their places.
//!
//! Element 1 of `vector<2xi12>` from `vector<3xi8>` is `(v[1] >> 4) | (v[2] << 4)`, and all elements are made at once:
//! piece 0 of each, piece 1 of each, and so on.

use freehold_frontend::dialects::arith;
use freehold_frontend::dialects::vector::{self, vector_type};
use freehold_frontend::ir::attrs::{AttrKind, DenseElements};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::Type;

use super::combine::shuffle;
use super::shape_cast;

/// Lowers a `vector.bitcast` that the code generator has no instructions for. Elements of more than 64 bits stay.
pub(super) fn lower(ir: &mut Ir, op: Op) {
    let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
    let context = ir.context().clone();
    let element = |value| context.element_type_or_self(ir.value_type(value));
    let bits = |ty| match context.float_kind(ty) {
        Some(_) => context.element_byte_size(ty).map(|bytes| 8 * bytes),
        None => context.integer_width(ty).map(u64::from),
    };
    let widths = [source, result].map(|value| bits(element(value)));
    let [Some(from), Some(to)] = widths else {
        return;
    };
    let is_odd = |bits: u64| bits != 1 && !(bits.is_power_of_two() && bits >= 8);
    if from == to || from.max(to) > 64 || !(is_odd(from) || is_odd(to)) {
        return;
    }
    let sizes = vector::sizes_of(ir, result);
    let (new_element, sizes): (Type, Vec<i64>) = (
        element(result),
        sizes.iter().map(|&size| size as i64).collect(),
    );
    let n_results: usize = sizes.iter().product::<i64>() as usize;
    let n_sources = n_results * to as usize / from as usize;
    let b = &mut Builder::before(ir, op);
    let source = shape_cast(b, source, &[n_sources as i64]);
    let number = |bits: u64| context.integer_type(bits as u32);
    let source = cast(b, &vector::BITCAST, source, number(from));
    let word = from.max(to).next_power_of_two().max(8);
    let mut whole: Option<Value> = None;
    for piece in 0..to.div_ceil(from) + 1 {
        let mut rows = Vec::with_capacity(n_results);
        let [mut right, mut left, mut kept] = [(); 3].map(|()| Vec::with_capacity(n_results));
        for first in (0..n_results as u64).map(|result| result * to) {
            let row = first / from + piece;
            let start = row * from;
            let is_part = start < first + to;
            rows.push((row as usize).min(n_sources - 1));
            right.push(if is_part {
                first.saturating_sub(start)
            } else {
                0
            });
            left.push(if is_part {
                start.saturating_sub(first)
            } else {
                0
            });
            kept.push(if is_part { u64::MAX } else { 0 });
        }
        if kept.iter().all(|&kept| kept == 0) {
            continue;
        }
        let mut part = shuffle(b, [source, source], &rows);
        if word != from {
            part = cast(b, &arith::EXTUI, part, number(word));
        }
        for (row, numbers) in [
            (&arith::SHRUI, right),
            (&arith::SHLI, left),
            (&arith::ANDI, kept),
        ] {
            let changes_nothing = if row.name == arith::ANDI.name {
                u64::MAX
            } else {
                0
            };
            if numbers.iter().any(|&number| number != changes_nothing) {
                let numbers = constant(b, &numbers, word);
                let ty = b.ir.value_type(part);
                part = b.value(row, &[part, numbers], ty);
            }
        }
        let ty = b.ir.value_type(part);
        whole = Some(match whole {
            None => part,
            Some(whole) => b.value(&arith::ORI, &[whole, part], ty),
        });
    }
    let Some(mut whole) = whole else {
        return;
    };
    if word != to {
        whole = cast(b, &arith::TRUNCI, whole, number(to));
    }
    let whole = cast(b, &vector::BITCAST, whole, new_element);
    let whole = shape_cast(b, whole, &sizes);
    ir.replace_op(op, &[whole]);
}

/// The vector with elements of another type.
fn cast(b: &mut Builder<'_>, row: &'static OpDef, value: Value, element: Type) -> Value {
    let context = b.context();
    let sizes = vector::sizes_of(b.ir, value);
    let sizes: Vec<i64> = sizes.iter().map(|&size| size as i64).collect();
    let ty = vector_type(&context, &sizes, element);
    match b.ir.value_type(value) == ty {
        true => value,
        false => b.value(row, &[value], ty),
    }
}

/// A constant vector of integers of this many bits.
fn constant(b: &mut Builder<'_>, numbers: &[u64], bits: u64) -> Value {
    let context = b.context();
    let element = context.integer_type(bits as u32);
    let size = bits as usize / 8;
    let bytes = numbers
        .iter()
        .flat_map(|number| number.to_le_bytes().into_iter().take(size));
    let splat = numbers.windows(2).all(|pair| pair[0] == pair[1]);
    let bytes: Vec<u8> = match splat {
        true => bytes.take(size).collect(),
        false => bytes.collect(),
    };
    let attr = context.intern_attr(AttrKind::DenseElements(DenseElements {
        ty: vector_type(&context, &[numbers.len() as i64], element),
        splat,
        bytes: bytes.into(),
    }));
    arith::constant_attr(b, attr)
}
