//! Folding of constants in math. Like upstream, functions that are not exact
//! are folded for `f32` and `f64` only, by what computes them at run time, and not
//! where the result is undefined.

use crate::dialects::shared::const_fold::{
    Int, float, fold_elements, fold_floats, fold_ints, no_fold, poison, to_attr, to_value,
};
use crate::ir::attrs::Attr;
use crate::ir::data::Ir;
use crate::ir::entities::Op;
use crate::ir::op_def::FoldResults;
use crate::ir::types::{FloatKind, Type};

use super::approximations::{self, Numbers, doubles};

fn result_type(ir: &Ir, op: Op) -> Type {
    ir.value_type(ir.result(op, 0))
}

fn float_kind(ir: &Ir, op: Op) -> Option<FloatKind> {
    let context = ir.context();
    context.float_kind(context.element_type_or_self(result_type(ir, op)))
}

/// Folds with `single` in f32, with `double` in f64. A NaN comes out as it went
/// in; results of numbers that are not numbers are left to run time.
fn fold_library<const N: usize>(
    ir: &Ir,
    op: Op,
    operands: &[Option<Attr>],
    single: fn([f32; N]) -> f32,
    double: fn([f64; N]) -> f64,
) -> FoldResults {
    let (context, ty) = (ir.context(), result_type(ir, op));
    if let Some(poison) = poison(context, operands) {
        return to_attr(Some(poison));
    }
    let kind = float_kind(ir, op);
    to_attr(fold_elements(context, operands, ty, |bits| {
        let bits: [u128; N] = bits.try_into().ok()?;
        let kind = kind?;
        let result = match kind {
            FloatKind::F32 => single(bits.map(|b| f32::from_bits(b as u32)))
                .to_bits()
                .into(),
            FloatKind::F64 => double(bits.map(|b| f64::from_bits(b as u64)))
                .to_bits()
                .into(),
            _ => return None,
        };
        if !float::is_nan(kind, result)? {
            return Some(result);
        }
        let nan = bits
            .into_iter()
            .find(|&b| float::is_nan(kind, b) == Some(true));
        float::quiet_nan(kind, nan?)
    }))
}

/// Not folded, as all that makes NaN of numbers: machine code calls a function of the C library that Rust does not, and
/// those that Rust calls have other last bits.
fn unknown(_: f64) -> f64 {
    f64::NAN
}

macro_rules! library_functions {
    ($($fold:ident: $($arg:ident),+ => $single:expr, $double:expr;)*) => {
        $(pub(super) fn $fold(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
            fold_library(ir, op, operands, |[$($arg),+]| $single, |[$($arg),+]| $double)
        })*
    };
}

library_functions! {
    fold_acos: x => approximations::acos(&mut Numbers, x), x.acos();
    fold_acosh: x => approximations::acosh(&mut Numbers, x), unknown(x);
    fold_asin: x => approximations::asin(&mut Numbers, x), x.asin();
    fold_asinh: x => approximations::asinh(&mut Numbers, x), unknown(x);
    fold_atan: x => approximations::atan(&mut Numbers, x), x.atan();
    fold_atanh: x => approximations::atanh(&mut Numbers, x), unknown(x);
    fold_atan2: y, x => approximations::atan2(&mut Numbers, y, x), y.atan2(x);
    fold_cos: x => approximations::cos(&mut Numbers, x), doubles::cos(&mut Numbers, x);
    fold_cosh: x => approximations::cosh(&mut Numbers, x), x.cosh();
    fold_sin: x => approximations::sin(&mut Numbers, x), doubles::sin(&mut Numbers, x);
    fold_sinh: x => approximations::sinh(&mut Numbers, x), x.sinh();
    fold_erf: x => approximations::erf(&mut Numbers, x), doubles::erf(&mut Numbers, x);
    fold_exp: x => approximations::exp(&mut Numbers, x), doubles::exp(&mut Numbers, x);
    fold_exp2: x => approximations::exp2(&mut Numbers, x), doubles::exp2(&mut Numbers, x);
    fold_expm1: x => approximations::expm1(&mut Numbers, x), doubles::expm1(&mut Numbers, x);
    fold_log: x => approximations::log(&mut Numbers, x), doubles::log(&mut Numbers, x);
    fold_log10: x => approximations::log10(&mut Numbers, x), doubles::log10(&mut Numbers, x);
    fold_log1p: x => approximations::log1p(&mut Numbers, x), doubles::log1p(&mut Numbers, x);
    fold_log2: x => approximations::log2(&mut Numbers, x), doubles::log2(&mut Numbers, x);
    fold_powf: x, y => approximations::pow(&mut Numbers, x, y), doubles::pow(&mut Numbers, x, y);
    fold_sqrt: x => x.sqrt(), x.sqrt();
    fold_tan: x => approximations::tan(&mut Numbers, x), doubles::tan(&mut Numbers, x);
    fold_tanh: x => approximations::tanh(&mut Numbers, x), doubles::tanh(&mut Numbers, x);
}

/// Rounding to whole numbers is exact in every format.
fn fold_rounding(ir: &Ir, op: Op, operands: &[Option<Attr>], round: fn(f64) -> f64) -> FoldResults {
    // Rounding twice is rounding once, whatever the directions.
    if let Some(inner) = ir.defining_op(ir.operand(op, 0))
        && ir.def(inner).fold.is_some_and(is_rounding)
    {
        return to_value(ir.operand(op, 0));
    }
    let (context, ty) = (ir.context(), result_type(ir, op));
    to_attr(fold_floats(context, operands, ty, |[x]| round(x)))
}

fn is_rounding(fold: crate::ir::op_def::FoldFn) -> bool {
    let roundings: [crate::ir::op_def::FoldFn; 5] = [
        fold_ceil,
        fold_floor,
        fold_round,
        fold_roundeven,
        fold_trunc,
    ];
    roundings
        .iter()
        .any(|&rounding| std::ptr::fn_addr_eq(rounding, fold))
}

macro_rules! rounding_functions {
    ($($fold:ident: $round:expr;)*) => {
        $(pub(super) fn $fold(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
            fold_rounding(ir, op, operands, $round)
        })*
    };
}

rounding_functions! {
    fold_ceil: f64::ceil;
    fold_floor: f64::floor;
    fold_round: f64::round;
    fold_roundeven: f64::round_ties_even;
    fold_trunc: f64::trunc;
}

/// Clears or copies the sign, whatever the number is.
fn fold_sign(
    ir: &Ir,
    op: Op,
    operands: &[Option<Attr>],
    is_negative: fn(&[u128], FloatKind) -> bool,
) -> FoldResults {
    let (context, ty) = (ir.context(), result_type(ir, op));
    if let Some(poison) = poison(context, operands) {
        return to_attr(Some(poison));
    }
    let Some(kind) = float_kind(ir, op) else {
        return no_fold();
    };
    to_attr(fold_elements(context, operands, ty, |bits| {
        if sign_of(kind, bits[0]) == is_negative(bits, kind) {
            Some(bits[0])
        } else {
            float::negate(kind, bits[0])
        }
    }))
}

/// Whether a number has a sign, which those of `f8E8M0FNU` have no bit for.
fn sign_of(kind: FloatKind, bits: u128) -> bool {
    kind != FloatKind::F8E8M0FNU && bits >> (kind.width() - 1) & 1 != 0
}

pub(super) fn fold_absf(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_sign(ir, op, operands, |_, _| false)
}

pub(super) fn fold_copysign(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_sign(ir, op, operands, |bits, kind| sign_of(kind, bits[1]))
}

fn fold_int(ir: &Ir, op: Op, operands: &[Option<Attr>], f: fn(Int) -> u128) -> FoldResults {
    let ty = result_type(ir, op);
    to_attr(fold_ints(ir.context(), operands, ty, ty, |[a]| Some(f(a))))
}

pub(super) fn fold_absi(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_int(ir, op, operands, |a| a.signed().unsigned_abs())
}

pub(super) fn fold_ctlz(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_int(ir, op, operands, |a| {
        (a.width - (128 - a.bits.leading_zeros())).into()
    })
}

pub(super) fn fold_cttz(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_int(ir, op, operands, |a| {
        a.bits.trailing_zeros().min(a.width).into()
    })
}

pub(super) fn fold_ctpop(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    fold_int(ir, op, operands, |a| a.bits.count_ones().into())
}

/// Signed power modulo 2^width; `None` for a power of zero that divides by it.
fn power(base: Int, exponent: Int) -> Option<u128> {
    if exponent.signed() < 0 {
        return match base.signed() {
            1 => Some(1),
            -1 if exponent.bits & 1 != 0 => Some(u128::MAX),
            -1 => Some(1),
            _ => Some(0),
        };
    }
    let (mut result, mut square, mut rest) = (1u128, base.bits, exponent.bits);
    while rest != 0 {
        if rest & 1 != 0 {
            result = result.wrapping_mul(square);
        }
        square = square.wrapping_mul(square);
        rest >>= 1;
    }
    Some(result)
}

pub(super) fn fold_ipowi(ir: &Ir, op: Op, operands: &[Option<Attr>]) -> FoldResults {
    let ty = result_type(ir, op);
    to_attr(fold_ints(ir.context(), operands, ty, ty, |[a, b]| {
        power(a, b)
    }))
}
