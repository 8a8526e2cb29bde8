//! `vector.mask`: operations take masks themselves, or compute what no element of the mask changes.

use freehold_frontend::dialects::arith;
use freehold_frontend::dialects::shared::const_fold::splat_attr;
use freehold_frontend::dialects::vector::{self, CombiningKind, Transfer, sizes_of};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};

use super::combine;

/// Replaces a mask around an operation that can do without; gives the operation if it is still there.
pub(super) fn lower(ir: &mut Ir, op: Op) -> Option<Op> {
    let body = ir.entry_block(ir.region(op, 0))?;
    let inner = ir.ops_in(body).next()?;
    let yielded = ir.operands(ir.last_op(body)?).to_vec();
    let (mask, passthru) = (ir.operand(op, 0), ir.operands(op).get(1).copied());
    if yielded != ir.results(inner) {
        return None;
    }
    if [&vector::CONTRACT, &vector::MULTI_REDUCTION]
        .iter()
        .any(|def| ir.is(inner, def))
    {
        // The mask tells nothing about elements of the result.
        let value = match passthru {
            None => combine::lower(ir, inner, op, Some(mask))?,
            Some(_) => return None,
        };
        ir.replace_op(op, &[value]);
        return None;
    }
    let is_same = |value| sizes_of(ir, value) == sizes_of(ir, mask);
    if !passthru.is_none_or(is_same) {
        return None;
    }
    match () {
        () if ir.is(inner, &vector::REDUCTION) => mask_reduction(ir, inner, op, mask)?,
        () if ir.is(inner, &vector::GATHER) || ir.is(inner, &vector::SCATTER) => {
            let own = ir.operands(inner).len() - 2;
            let both = both(ir, op, ir.operand(inner, own), mask)?;
            ir.set_operand(inner, own, both);
        }
        () if ir.is(inner, &vector::TRANSFER_READ) || ir.is(inner, &vector::TRANSFER_WRITE) => {
            let view = Transfer(inner);
            let both = match view.mask(ir) {
                Some(own) => both(ir, op, own, mask)?,
                None => mask,
            };
            if view.mask_type(ir)? != ir.value_type(mask) {
                return None;
            }
            ir.set_operand_group(inner, 3, &[both]);
        }
        () => return None,
    }
    ir.move_op_before(inner, op);
    let mut results = yielded;
    if let (Some(passthru), [result]) = (passthru, &mut results[..]) {
        let ty = ir.value_type(*result);
        let operands = [mask, *result, passthru];
        *result = Builder::before(ir, op).value(&arith::SELECT, &operands, ty);
    }
    ir.replace_op(op, &results);
    Some(inner)
}

/// The intersection of two masks of one type.
pub(super) fn both(ir: &mut Ir, before: Op, own: Value, mask: Value) -> Option<Value> {
    let ty = ir.value_type(mask);
    if ir.value_type(own) != ty {
        return None;
    }
    let known = arith::as_constant_attr(ir, own).and_then(|attr| ir.context().attr_dense(attr));
    if known.is_some_and(|dense| dense.splat && dense.bytes.first().is_some_and(|bit| bit & 1 == 1))
    {
        return Some(mask);
    }
    Some(Builder::before(ir, before).value(&arith::ANDI, &[own, mask], ty))
}

/// Has a reduction take what changes nothing for elements that are left out.
fn mask_reduction(ir: &mut Ir, op: Op, before: Op, mask: Value) -> Option<()> {
    let (values, start) = (ir.operand(op, 0), ir.operands(op).get(1).copied());
    if sizes_of(ir, values) != sizes_of(ir, mask) {
        return None;
    }
    let kind = CombiningKind::of(ir, op);
    let context = ir.context().clone();
    let ty = ir.value_type(values);
    let element = context.element_type_or_self(ty);
    let bits = kind.neutral(&context, element)?;
    let neutral = splat_attr(&context, ty, bits)?;
    // The sum of nothing is plus zero.
    let first = splat_attr(
        &context,
        element,
        if kind == CombiningKind::Add { 0 } else { bits },
    )?;
    let mut b = Builder::before(ir, before);
    let start = start.unwrap_or_else(|| arith::constant_attr(&mut b, first));
    let neutral = arith::constant_attr(&mut b, neutral);
    let values = b.value(&arith::SELECT, &[mask, values, neutral], ty);
    ir.set_operands(op, &[values, start]);
    Some(())
}
