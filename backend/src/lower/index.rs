//! `index`: arithmetic on 64-bit numbers.

use freehold_frontend::dialects::index;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;

use super::function::Lowering;
use super::function::LoweringTable;
use super::held::Lowered;
use super::held::Sign::{Signed, Unsigned};
use super::scalar_ops::{constant_bits, int_condition};
use crate::repr::Scalar;

/// The lowerings of this dialect.
pub(super) static TABLE: LoweringTable = &[
    (&index::CASTS, |cx, op| cx.int_cast(op, Signed)),
    (&index::CASTU, |cx, op| cx.int_cast(op, Unsigned)),
    (&index::CMP, lower_cmp),
    (&index::SIZEOF, |cx, op| {
        let bits = Lowered::Constant(Scalar::Int(64), 64);
        cx.set(cx.ir.result(op, 0), bits);
        Ok(())
    }),
    (&index::CONSTANT, lower_constant),
    (&index::BOOL_CONSTANT, lower_constant),
];

fn lower_cmp(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let Some(predicate) = index::cmp_predicate(cx.ir, op) else {
        return Err(cx.op_error(op, "has no predicate"));
    };
    let (lhs, rhs) = (cx.operand(op, 0)?, cx.operand(op, 1)?);
    let result = cx.compare(int_condition(predicate), 64, lhs, rhs);
    cx.set_result(op, result);
    Ok(())
}

fn lower_constant(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let scalar = cx.result_type(op)?;
    let attr = cx.ir.attr(op, Name::VALUE);
    let bits = attr.and_then(|attr| constant_bits(scalar, cx.context.attr_kind(attr)));
    let Some(bits) = bits else {
        return Err(cx.op_error(op, "has no value"));
    };
    cx.set(cx.ir.result(op, 0), Lowered::Constant(scalar, bits));
    Ok(())
}
