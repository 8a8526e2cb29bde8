//! Folding of arith: what each operation is when operands are constant, equal
//! or related. Like upstream's folders, which are named in the comments'
//! notation; floats are IEEE 754 with rounding to nearest, ties to even.

mod cast;
mod compare;
mod float;
mod integer;

pub(super) use cast::{
    fold_bitcast, fold_extf, fold_extsi, fold_extui, fold_fptosi, fold_fptoui, fold_index_cast,
    fold_index_castui, fold_sitofp, fold_truncf, fold_trunci, fold_uitofp,
};
pub(super) use compare::{fold_cmpf, fold_cmpi, fold_select};
pub(super) use float::{
    fold_addf, fold_divf, fold_maximumf, fold_maxnumf, fold_minimumf, fold_minnumf, fold_mulf,
    fold_negf, fold_remf, fold_subf,
};
pub(crate) use integer::{ceil_div_signed, div_signed, floor_div_signed};
pub(super) use integer::{
    fold_addi, fold_addui_extended, fold_andi, fold_ceildivsi, fold_ceildivui, fold_divsi,
    fold_divui, fold_floordivsi, fold_maxsi, fold_maxui, fold_minsi, fold_minui, fold_muli,
    fold_mulsi_extended, fold_mului_extended, fold_ori, fold_remsi, fold_remui, fold_shli,
    fold_shrsi, fold_shrui, fold_subi, fold_xori,
};

use super::constants::as_constant_attr;
use crate::dialects::shared::const_fold::{Int, fold_floats, fold_ints, to_attr};
use crate::ir::attrs::Attr;
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::op_def::FoldResults;

/// A constant folds to its value.
pub(super) fn fold_constant(ir: &Ir, op: Op, _: &[Option<Attr>]) -> FoldResults {
    to_attr(ir.attr(op, Name::VALUE))
}

/// Folds an operation on integers of one type number by number.
fn fold_int_binary(
    ir: &Ir,
    op: Op,
    operands: &[Option<Attr>],
    mut f: impl FnMut(Int, Int) -> Option<u128>,
) -> FoldResults {
    let ty = ir.value_type(ir.result(op, 0));
    to_attr(fold_ints(ir.context(), operands, ty, ty, |[a, b]| f(a, b)))
}

/// Folds an operation on floats of one type number by number.
fn fold_float_binary(
    ir: &Ir,
    op: Op,
    operands: &[Option<Attr>],
    mut f: impl FnMut(f64, f64) -> f64,
) -> FoldResults {
    let ty = ir.value_type(ir.result(op, 0));
    to_attr(fold_floats(ir.context(), operands, ty, |[a, b]| f(a, b)))
}

/// The two operands.
fn lhs_rhs(ir: &Ir, op: Op) -> (Value, Value) {
    (ir.operand(op, 0), ir.operand(op, 1))
}

/// The constant that `value` is, for looking at operands of operands.
fn constant_of(ir: &Ir, value: Value) -> Option<Attr> {
    as_constant_attr(ir, value)
}
