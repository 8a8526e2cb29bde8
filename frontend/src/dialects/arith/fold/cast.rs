//! Folding of conversions.

use crate::dialects::arith::{
    EXTF, EXTSI, EXTUI, FastMathFlags, INDEX_CAST, INDEX_CASTUI, RoundingMode, TRUNCF,
};
use crate::dialects::shared::const_fold::{
    Int, float, fold_elements, fold_ints, no_fold, number_width, poison, to_attr, to_value,
};
use crate::ir::attrs::{Attr, AttrKind, DenseElements};
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::op_def::{FoldResults, OpDef};
use crate::ir::types::{FloatKind, Type};

/// Types of the operand and of the result.
fn types(ir: &Ir, op: Op) -> (Type, Type) {
    let from = ir.value_type(ir.operand(op, 0));
    (from, ir.value_type(ir.result(op, 0)))
}

fn element_float_kind(ir: &Ir, ty: Type) -> Option<FloatKind> {
    let context = ir.context();
    context.float_kind(context.element_type_or_self(ty))
}

fn fold_int_cast(ir: &Ir, op: Op, operands: &[Option<Attr>], cast: fn(Int) -> u128) -> FoldResults {
    let (from, to) = types(ir, op);
    to_attr(fold_ints(ir.context(), operands, from, to, |[a]| {
        Some(cast(a))
    }))
}

pub(in super::super) fn fold_extui(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_int_cast(ir, op, operands, Int::unsigned)
}

pub(in super::super) fn fold_extsi(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_int_cast(ir, op, operands, |a| a.signed() as u128)
}

pub(in super::super) fn fold_trunci(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    let operand = ir.operand(op, 0);
    // trunci(extui(a)) -> a, trunci(extsi(a)) -> a
    for extension in [&EXTUI, &EXTSI] {
        if let Some(source) = source_of_type(ir, operand, extension, types(ir, op).1) {
            return to_value(source);
        }
    }
    fold_int_cast(ir, op, operands, Int::unsigned)
}

/// The operand of `value`'s definition, if that is `def` and has type `ty`.
fn source_of_type(ir: &Ir, value: Value, def: &'static OpDef, ty: Type) -> Option<Value> {
    let source = ir.operand(ir.defined_by(value, def)?, 0);
    (ir.value_type(source) == ty).then_some(source)
}

/// Casts to or from index and back again, if no bits are lost on the way.
fn fold_index_round_trip(ir: &Ir, op: Op, def: &'static OpDef) -> Option<Value> {
    let context = ir.context();
    let (between, ty) = types(ir, op);
    let width = |ty| number_width(context, context.element_type_or_self(ty));
    let source = source_of_type(ir, ir.operand(op, 0), def, ty)?;
    (width(between)? >= width(ty)?).then_some(source)
}

pub(in super::super) fn fold_index_cast(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    // index_cast(index_cast(x)) -> x
    if let Some(source) = fold_index_round_trip(ir, op, &INDEX_CAST) {
        return to_value(source);
    }
    fold_int_cast(ir, op, operands, |a| a.signed() as u128)
}

pub(in super::super) fn fold_index_castui(
    ir: &Ir,
    op: Op,
    operands: &[Option<Attr>],
) -> FoldResults {
    // index_castui(index_castui(x)) -> x
    if let Some(source) = fold_index_round_trip(ir, op, &INDEX_CASTUI) {
        return to_value(source);
    }
    fold_int_cast(ir, op, operands, Int::unsigned)
}

/// Converts constants between float formats where nothing is lost.
fn fold_exact_float_cast(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    let (from, to) = types(ir, op);
    let context = ir.context();
    if let Some(poison) = poison(context, operands) {
        return to_attr(Some(poison));
    }
    let (Some(from), Some(kind)) = (element_float_kind(ir, from), element_float_kind(ir, to))
    else {
        return no_fold();
    };
    to_attr(fold_elements(context, operands, to, |bits| {
        if float::is_nan(from, bits[0])? {
            return convert_nan(from, kind, bits[0]);
        }
        let (bits, exact) = float::encode(kind, float::decode(from, bits[0])?)?;
        exact.then_some(bits)
    }))
}

/// A quiet NaN with its payload; `None` if bits would be lost, and for formats
/// whose NaNs have none.
fn convert_nan(from: FloatKind, to: FloatKind, bits: u128) -> Option<u128> {
    let fraction = |kind| match kind {
        FloatKind::F8E5M2 => Some(2),
        FloatKind::F8E4M3 | FloatKind::F8E4M3FN => Some(3),
        FloatKind::F8E3M4 => Some(4),
        FloatKind::F16 | FloatKind::TF32 => Some(10),
        FloatKind::BF16 => Some(7),
        FloatKind::F32 => Some(23),
        FloatKind::F64 => Some(52),
        _ => None,
    };
    let (from_fraction, to_fraction) = (fraction(from)?, fraction(to)?);
    let payload = bits & ((1 << from_fraction) - 1);
    let payload = if to_fraction >= from_fraction {
        payload << (to_fraction - from_fraction)
    } else {
        let dropped = from_fraction - to_fraction;
        if payload & ((1 << dropped) - 1) != 0 {
            return None;
        }
        payload >> dropped
    };
    let sign = bits >> (from.width() - 1) & 1;
    // Signalling NaNs become quiet, which loses information.
    if payload >> (to_fraction - 1) & 1 == 0 {
        return None;
    }
    let (infinity, true) = float::encode(to, f64::INFINITY)? else {
        return None;
    };
    Some(sign << (to.width() - 1) | infinity | payload)
}

pub(in super::super) fn fold_extf(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    // extf(truncf(x)) -> x where both may be contracted
    if let Some(trunc) = ir.defined_by(ir.operand(op, 0), &TRUNCF)
        && ir.value_type(ir.operand(trunc, 0)) == types(ir, op).1
        && [trunc, op]
            .iter()
            .all(|&op| FastMathFlags::of(ir, op).contains(FastMathFlags::CONTRACT))
    {
        return to_value(ir.operand(trunc, 0));
    }
    fold_exact_float_cast(ir, op, operands)
}

pub(in super::super) fn fold_truncf(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    // truncf(extf(x)) -> x: extending loses nothing between these formats.
    let to = types(ir, op).1;
    if let Some(source) = source_of_type(ir, ir.operand(op, 0), &EXTF, to)
        && RoundingMode::of(ir, op).is_none_or(|mode| mode == RoundingMode::ToNearestEven)
        && matches!(
            element_float_kind(ir, to),
            Some(FloatKind::F16 | FloatKind::BF16 | FloatKind::F32)
        )
        && matches!(
            element_float_kind(ir, types(ir, op).0),
            Some(FloatKind::F32 | FloatKind::F64)
        )
    {
        return to_value(source);
    }
    fold_exact_float_cast(ir, op, operands)
}

fn fold_int_to_float(
    ir: &Ir,
    op: Op,
    operands: &[Option<Attr>],
    convert: fn(FloatKind, Int) -> Option<u128>,
) -> FoldResults {
    let (from, to) = types(ir, op);
    let Some(kind) = element_float_kind(ir, to) else {
        return no_fold();
    };
    to_attr(fold_ints(ir.context(), operands, from, to, |[a]| {
        convert(kind, a)
    }))
}

pub(in super::super) fn fold_sitofp(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_int_to_float(ir, op, operands, |kind, a| {
        float::encode_integer(kind, a.signed() < 0, a.signed().unsigned_abs())
    })
}

pub(in super::super) fn fold_uitofp(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_int_to_float(ir, op, operands, |kind, a| {
        float::encode_integer(kind, false, a.bits)
    })
}

fn fold_float_to_int(ir: &Ir, op: Op, operands: &[Option<Attr>], signed: bool) -> FoldResults {
    let (from, to) = types(ir, op);
    let context = ir.context();
    if let Some(poison) = poison(context, operands) {
        return to_attr(Some(poison));
    }
    let Some(kind) = element_float_kind(ir, from) else {
        return no_fold();
    };
    let Some(width) = number_width(context, context.element_type_or_self(to)) else {
        return no_fold();
    };
    to_attr(fold_elements(context, operands, to, |bits| {
        float::to_integer(float::decode(kind, bits[0])?, width, signed)
    }))
}

pub(in super::super) fn fold_fptosi(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_float_to_int(ir, op, operands, true)
}

pub(in super::super) fn fold_fptoui(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_float_to_int(ir, op, operands, false)
}

pub(in super::super) fn fold_bitcast(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    let (from, to) = types(ir, op);
    let context = ir.context();
    if let Some(poison) = poison(context, operands) {
        return to_attr(Some(poison));
    }
    // bitcast(x) -> x
    if from == to {
        return to_value(ir.operand(op, 0));
    }
    // Elements of equal width have equal bytes.
    if let Some(Some(attr)) = operands.first()
        && let AttrKind::DenseElements(dense) = context.attr_kind(*attr)
    {
        let size = |ty| context.element_byte_size(context.element_type_or_self(ty));
        if size(dense.ty).is_none() || size(dense.ty) != size(to) {
            return no_fold();
        }
        let cast = DenseElements {
            ty: to,
            ..dense.clone()
        };
        return to_attr(Some(context.intern_attr(AttrKind::DenseElements(cast))));
    }
    to_attr(fold_elements(context, operands, to, |bits| Some(bits[0])))
}
