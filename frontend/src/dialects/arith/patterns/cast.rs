//! Patterns of casts.

use super::constant_number;
use crate::dialects::arith::{EXTSI, EXTUI, MULI, MULSI_EXTENDED, MULUI_EXTENDED, SHRSI, SHRUI};
use crate::dialects::shared::const_fold::number_width;
use crate::ir::data::Ir;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Op, Value};
use crate::ir::op_def::OpDef;
use crate::ir::rewriter::Rewriter;
use crate::ir::types::Type;

fn element_width(ir: &Ir, ty: Type) -> u32 {
    let context = ir.context();
    number_width(context, context.element_type_or_self(ty)).unwrap_or(0)
}

/// The operand of the operation that defines the operand of `op`, if that is `def`.
fn source_through(ir: &Ir, op: Op, def: &'static OpDef) -> Option<Value> {
    let inner = ir.defined_by(ir.operand(op, 0), def)?;
    Some(ir.operand(inner, 0))
}

/// op(inner(x)) -> op(x)
pub(super) fn look_through(rw: &mut Rewriter<'_>, op: Op, inner: &'static OpDef) -> bool {
    match source_through(rw.ir, op, inner) {
        Some(source) => {
            rw.set_operand(op, 0, source);
            true
        }
        None => false,
    }
}

/// op(inner(x)) -> def(x)
pub(super) fn replace_with_cast_of_source(
    rw: &mut Rewriter<'_>,
    op: Op,
    inner: &'static OpDef,
    def: &'static OpDef,
) -> bool {
    let Some(source) = source_through(rw.ir, op, inner) else {
        return false;
    };
    let ty = rw.ir.value_type(rw.ir.result(op, 0));
    let value = rw.value_before(op, def, &[source], ty);
    rw.replace_op(op, &[value]);
    true
}

/// trunci(ext(x)) -> ext(x) or trunci(x), whichever gets there
pub(super) fn trunci_of_extension(rw: &mut Rewriter<'_>, op: Op) -> bool {
    for extension in [&EXTSI, &EXTUI] {
        let Some(source) = source_through(rw.ir, op, extension) else {
            continue;
        };
        let from = element_width(rw.ir, rw.ir.value_type(source));
        let to = element_width(rw.ir, rw.ir.value_type(rw.ir.result(op, 0)));
        if from > to {
            return look_through(rw, op, extension);
        }
        if from < to {
            return replace_with_cast_of_source(rw, op, extension, extension);
        }
    }
    false
}

/// trunci(shrsi(x, c)) -> trunci(shrui(x, c)) where the shift moves down
/// exactly the bits that are dropped
pub(super) fn trunci_of_shrsi(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(shift) = rw.ir.defined_by(rw.ir.operand(op, 0), &SHRSI) else {
        return false;
    };
    let (x, distance) = (rw.ir.operand(shift, 0), rw.ir.operand(shift, 1));
    if !shifts_to_low_half(rw.ir, op, x, distance) {
        return false;
    }
    let ty = rw.ir.value_type(x);
    let value = rw.value_before(op, &SHRUI, &[x, distance], ty);
    rw.set_operand(op, 0, value);
    true
}

/// Whether shifting `x` by `distance` leaves just the width that `trunc` keeps.
fn shifts_to_low_half(ir: &Ir, trunc: Op, x: Value, distance: Value) -> bool {
    let wide = element_width(ir, ir.value_type(x));
    let narrow = element_width(ir, ir.value_type(ir.result(trunc, 0)));
    constant_number(ir, distance).is_some_and(|c| c.bits == u128::from(wide - narrow.min(wide)))
}

/// trunci(shrui(muli(ext(x), ext(y)), c)) -> the high half of mul_extended(x, y)
pub(super) fn trunci_of_wide_product(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rw.ir;
    let ty = ir.value_type(ir.result(op, 0));
    let Some(shift) = ir.defined_by(ir.operand(op, 0), &SHRUI) else {
        return false;
    };
    let Some(product) = ir.defined_by(ir.operand(shift, 0), &MULI) else {
        return false;
    };
    let width = element_width(ir, ty);
    let wide = element_width(ir, ir.value_type(ir.result(product, 0)));
    let distance = constant_number(ir, ir.operand(shift, 1));
    if wide < 2 * width || distance.is_none_or(|c| c.bits != u128::from(width)) {
        return false;
    }
    for (extension, extended) in [(&EXTSI, &MULSI_EXTENDED), (&EXTUI, &MULUI_EXTENDED)] {
        let factors = [0, 1].map(|index| {
            let ext = rw.ir.defined_by(rw.ir.operand(product, index), extension)?;
            let source = rw.ir.operand(ext, 0);
            (rw.ir.value_type(source) == ty).then_some(source)
        });
        if let [Some(x), Some(y)] = factors {
            let spec = OpSpec::new(extended, rw.ir.loc(op))
                .operands(&[x, y])
                .results(&[ty, ty]);
            let new = rw.create_before(op, spec);
            let high = rw.ir.result(new, 1);
            rw.replace_op(op, &[high]);
            return true;
        }
    }
    false
}

/// andi(ext(x), ext(y)) -> ext(andi(x, y)), and so ori and xori
pub(super) fn sink_extensions(rw: &mut Rewriter<'_>, op: Op) -> bool {
    for extension in [&EXTUI, &EXTSI] {
        let sources = [0, 1].map(|index| {
            let ext = rw.ir.defined_by(rw.ir.operand(op, index), extension)?;
            Some(rw.ir.operand(ext, 0))
        });
        let [Some(x), Some(y)] = sources else {
            continue;
        };
        let narrow = rw.ir.value_type(x);
        if rw.ir.value_type(y) != narrow {
            continue;
        }
        let wide = rw.ir.value_type(rw.ir.result(op, 0));
        let inner = rw.value_before(op, rw.ir.def(op), &[x, y], narrow);
        let value = rw.value_before(op, extension, &[inner], wide);
        rw.replace_op(op, &[value]);
        return true;
    }
    false
}
