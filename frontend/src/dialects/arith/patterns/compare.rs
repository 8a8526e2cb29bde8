//! Patterns of comparisons and selection.

use super::{constant_number, make_constant};
use crate::dialects::arith::{
    CMPI, CmpFPredicate, CmpIPredicate, EXTSI, EXTUI, SELECT, SITOFP, UITOFP, XORI,
    as_constant_attr, constant_attr, constant_bool,
};
use crate::dialects::shared::const_fold::{Int, float, number_width, splat_float};
use crate::ir::attrs::Attr;
use crate::ir::data::Ir;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Op, Value};
use crate::ir::names::Name;
use crate::ir::rewriter::Rewriter;
use crate::ir::types::{FloatKind, Type, TypeKind};

/// Replaces `op` by a `cmpi`.
fn replace_with_cmpi(
    rw: &mut Rewriter<'_>,
    op: Op,
    predicate: CmpIPredicate,
    operands: [Value; 2],
) {
    let ty = rw.ir.value_type(rw.ir.result(op, 0));
    let spec = OpSpec::new(&CMPI, rw.ir.loc(op))
        .operands(&operands)
        .results(&[ty])
        .attr(Name::PREDICATE, predicate.to_attr(rw.ir.context()));
    rw.replace_op_with(op, spec);
}

/// cmpi(pred, c, x) -> cmpi(swapped pred, x, c)
pub(super) fn constant_to_the_right(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let (lhs, rhs) = (rw.ir.operand(op, 0), rw.ir.operand(op, 1));
    if as_constant_attr(rw.ir, lhs).is_none() || as_constant_attr(rw.ir, rhs).is_some() {
        return false;
    }
    let Some(predicate) = CmpIPredicate::of(rw.ir, op) else {
        return false;
    };
    let attr = predicate.swapped().to_attr(rw.ir.context());
    rw.set_operands(op, &[rhs, lhs]);
    rw.set_attr(op, Name::PREDICATE, attr);
    true
}

/// cmpi(eq or ne, ext(x), ext(y)) -> cmpi(eq or ne, x, y)
pub(super) fn cmpi_of_extensions(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let predicate = CmpIPredicate::of(rw.ir, op);
    if !matches!(predicate, Some(CmpIPredicate::Eq | CmpIPredicate::Ne)) {
        return false;
    }
    for extension in [&EXTSI, &EXTUI] {
        let sources = [0, 1].map(|index| {
            let ext = rw.ir.defined_by(rw.ir.operand(op, index), extension)?;
            Some(rw.ir.operand(ext, 0))
        });
        if let [Some(x), Some(y)] = sources
            && rw.ir.value_type(x) == rw.ir.value_type(y)
        {
            rw.set_operands(op, &[x, y]);
            return true;
        }
    }
    false
}

/// xori(cmpi(pred, x, y), true) -> cmpi(inverted pred, x, y)
pub(super) fn invert_cmpi(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(cmp) = rw.ir.defined_by(rw.ir.operand(op, 0), &CMPI) else {
        return false;
    };
    if as_constant_attr(rw.ir, rw.ir.operand(op, 1)) != Some(Attr::TRUE) {
        return false;
    }
    let Some(predicate) = CmpIPredicate::of(rw.ir, cmp) else {
        return false;
    };
    let operands = [rw.ir.operand(cmp, 0), rw.ir.operand(cmp, 1)];
    replace_with_cmpi(rw, op, predicate.inverted(), operands);
    true
}

/// select(c, select(c, x, y), z) -> select(c, x, z)
/// select(c, x, select(c, y, z)) -> select(c, x, z)
pub(super) fn redundant_select(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let condition = rw.ir.operand(op, 0);
    for index in [1, 2] {
        if let Some(inner) = rw.ir.defined_by(rw.ir.operand(op, index), &SELECT)
            && rw.ir.operand(inner, 0) == condition
        {
            let value = rw.ir.operand(inner, index);
            rw.set_operand(op, index, value);
            return true;
        }
    }
    false
}

/// select(not(c), x, y) -> select(c, y, x)
pub(super) fn select_by_not(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let Some(xor) = rw.ir.defined_by(rw.ir.operand(op, 0), &XORI) else {
        return false;
    };
    let ones = constant_number(rw.ir, rw.ir.operand(xor, 1));
    if ones.is_none_or(|ones| ones.bits != ones.all_ones()) {
        return false;
    }
    let operands = [
        rw.ir.operand(xor, 0),
        rw.ir.operand(op, 2),
        rw.ir.operand(op, 1),
    ];
    rw.set_operands(op, &operands);
    true
}

/// select(c, false, true) -> xori(c, true)
/// select(c, 1, 0) -> extui(c), select(c, 0, 1) -> extui(xori(c, true))
pub(super) fn select_of_constants(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let ty = rw.ir.value_type(rw.ir.result(op, 0));
    if !matches!(rw.ir.context().type_kind(ty), TypeKind::Integer { .. }) {
        return false;
    }
    let sides = [1, 2].map(|index| constant_number(rw.ir, rw.ir.operand(op, index)));
    let mut condition = rw.ir.operand(op, 0);
    let inverted = match sides.map(|side| side.map(|Int { bits, .. }| bits)) {
        [Some(0), Some(1)] => true,
        [Some(1), Some(0)] => false,
        _ => return false,
    };
    if inverted {
        let ones = rw.build_before(op, |builder| constant_bool(builder, true));
        condition = rw.value_before(op, &XORI, &[condition, ones], Type::I1);
    }
    if ty != Type::I1 {
        condition = rw.value_before(op, &EXTUI, &[condition], ty);
    }
    rw.replace_op(op, &[condition]);
    true
}

/// The integer that was converted to `value`, and whether it was unsigned.
fn converted_integer(ir: &Ir, value: Value) -> Option<(Value, bool)> {
    for (def, unsigned) in [(&SITOFP, false), (&UITOFP, true)] {
        if let Some(conversion) = ir.defined_by(value, def) {
            return Some((ir.operand(conversion, 0), unsigned));
        }
    }
    None
}

/// What comparing a converted integer with a constant amounts to.
enum Comparison {
    Always(bool),
    With(CmpIPredicate, i128),
}

/// Translates `int pred bound`, where `bound` is a number and `int` ranges
/// over `low..=high`, to integers. `None` for predicates without a counterpart.
fn compare_with(
    predicate: CmpFPredicate,
    bound: f64,
    unsigned: bool,
    low: f64,
    high: f64,
) -> Option<Comparison> {
    use CmpFPredicate as F;
    use CmpIPredicate as I;
    let (below, at_most, above, at_least) = if unsigned {
        (I::Ult, I::Ule, I::Ugt, I::Uge)
    } else {
        (I::Slt, I::Sle, I::Sgt, I::Sge)
    };
    // An integer is never NaN, so ordered and unordered are the same.
    let is_less = matches!(
        predicate,
        F::Olt | F::Ole | F::Ult | F::Ule | F::One | F::Une
    );
    let is_greater = matches!(
        predicate,
        F::Ogt | F::Oge | F::Ugt | F::Uge | F::One | F::Une
    );
    match predicate {
        F::Ord | F::AlwaysTrue => return Some(Comparison::Always(true)),
        F::Uno | F::AlwaysFalse => return Some(Comparison::Always(false)),
        _ => {}
    }
    if bound > high {
        return Some(Comparison::Always(is_less));
    }
    if bound < low {
        return Some(Comparison::Always(is_greater));
    }
    let floor = bound.floor();
    let number = floor as i128;
    if floor == bound {
        let predicate = match predicate {
            F::Oeq | F::Ueq => I::Eq,
            F::One | F::Une => I::Ne,
            F::Olt | F::Ult => below,
            F::Ole | F::Ule => at_most,
            F::Ogt | F::Ugt => above,
            F::Oge | F::Uge => at_least,
            _ => return None,
        };
        return Some(Comparison::With(predicate, number));
    }
    // Between two integers; written with the one towards zero.
    let towards_zero = bound.trunc() as i128;
    let is_floor = towards_zero == number;
    Some(match predicate {
        F::Oeq | F::Ueq => Comparison::Always(false),
        F::One | F::Une => Comparison::Always(true),
        F::Olt | F::Ult | F::Ole | F::Ule if is_floor => Comparison::With(at_most, towards_zero),
        F::Olt | F::Ult | F::Ole | F::Ule => Comparison::With(below, towards_zero),
        _ if is_floor => Comparison::With(above, towards_zero),
        _ => Comparison::With(at_least, towards_zero),
    })
}

/// cmpf(pred, sitofp(x), c) -> cmpi(pred, x, c), where the conversion is exact
pub(super) fn cmpf_of_converted_integer(rw: &mut Rewriter<'_>, op: Op) -> bool {
    let ir = &*rw.ir;
    let context = ir.context();
    let Some(predicate) = CmpFPredicate::of(ir, op) else {
        return false;
    };
    let Some((bits, kind)) = splat_float(context, as_constant_attr(ir, ir.operand(op, 1))) else {
        return false;
    };
    let Some((source, unsigned)) = converted_integer(ir, ir.operand(op, 0)) else {
        return false;
    };
    let ty = ir.value_type(source);
    let Some(width) = number_width(context, ty) else {
        return false;
    };
    // Bits of precision: integers of as many bits are converted exactly.
    let precision = match kind {
        FloatKind::F16 => 11,
        FloatKind::BF16 => 8,
        FloatKind::F32 => 24,
        FloatKind::F64 => 53,
        _ => return false,
    };
    if context.element_type_or_self(ty) != ty || width == 0 || width > precision {
        return false;
    }
    let Some(bound) = float::decode(kind, bits).filter(|bound| !bound.is_nan()) else {
        return false;
    };
    let (low, high) = if unsigned {
        (0.0, 2f64.powi(width as i32) - 1.0)
    } else {
        let half = 2f64.powi(width as i32 - 1);
        (-half, half - 1.0)
    };
    match compare_with(predicate, bound, unsigned, low, high) {
        None => false,
        Some(Comparison::Always(value)) => {
            let value = rw.build_before(op, |builder| constant_attr(builder, Attr::bool(value)));
            rw.replace_op(op, &[value]);
            true
        }
        Some(Comparison::With(predicate, number)) => {
            let Some(constant) = make_constant(rw, op, ty, number as u128) else {
                return false;
            };
            replace_with_cmpi(rw, op, predicate, [source, constant]);
            true
        }
    }
}
