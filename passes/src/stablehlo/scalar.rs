//! Elementwise operations on single elements, with the semantics of the StableHLO specification: where arith has poison
//! (divisions by zero, shifts past the width, conversions out of range), these have results.

use freehold_frontend::dialects::arith::{CmpFPredicate, CmpIPredicate};
use freehold_frontend::dialects::shared::const_fold::{float, splat_float};
use freehold_frontend::dialects::stablehlo::attributes::{
    ComparisonDirection, ComparisonType, dialect_attr,
};
use freehold_frontend::dialects::stablehlo::elementwise as rows;
use freehold_frontend::dialects::stablehlo::shapes;
use freehold_frontend::dialects::{arith, complex, linalg, math};
use freehold_frontend::ir::attrs::AttrKind;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{FloatKind, Signedness, Type, TypeKind};

use crate::analysis::constants::constant_value;

use super::build::{self, element, signless};
use super::emit::{Class, Emit};
use super::functions;
use super::special;
use super::stablehlo_legalize_to_linalg::Unsupported;

/// Computes an element of the result of an operation from those of its operands, all signless. The operation says how
/// unsigned ones are read.
pub(super) type Scalar = fn(&mut Emit<'_, '_>, Op, &[Value]) -> Option<Value>;

const TABLE: &[(&OpDef, Scalar)] = &[
    (&rows::ABS, abs),
    (&rows::ADD, add),
    (&rows::AND, |e, _, x| Some(e.and(x[0], x[1]))),
    (&rows::ATAN2, |e, _, x| {
        float_or_complex(e, x, &math::ATAN2, &complex::ATAN2)
    }),
    (&rows::CBRT, |e, _, x| match e.class(x[0]) {
        Class::Complex => {
            let part = e.part_type(x[0]);
            let [third, zero] = [1.0 / 3.0, 0.0].map(|number| e.float(part, number));
            let third = e.complex(third, zero);
            Some(e.binary(&complex::POW, x[0], third))
        }
        _ => float_only(e, x, &math::CBRT),
    }),
    (&rows::CEIL, |e, _, x| float_only(e, x, &math::CEIL)),
    (&rows::CLAMP, clamp),
    (&rows::COMPARE, compare),
    (&rows::COMPLEX, |e, _, x| Some(e.complex(x[0], x[1]))),
    (&rows::CONVERT, convert),
    (&rows::COSINE, |e, _, x| {
        float_or_complex(e, x, &math::COS, &complex::COS)
    }),
    (&rows::COUNT_LEADING_ZEROS, |e, _, x| {
        Some(e.unary(&math::CTLZ, x[0]))
    }),
    (&rows::DIVIDE, divide),
    (&rows::EXPONENTIAL, |e, _, x| {
        float_or_complex(e, x, &math::EXP, &complex::EXP)
    }),
    (&rows::EXPONENTIAL_MINUS_ONE, |e, _, x| {
        float_or_complex(e, x, &math::EXPM1, &complex::EXPM1)
    }),
    (&rows::FLOOR, |e, _, x| float_only(e, x, &math::FLOOR)),
    (&rows::IMAG, |e, _, x| {
        Some(match e.class(x[0]) {
            Class::Complex => e.im(x[0]),
            _ => e.float_like(x[0], 0.0),
        })
    }),
    (&rows::IS_FINITE, |e, _, x| Some(e.is_finite(x[0]))),
    (&rows::LOG, |e, _, x| {
        float_or_complex(e, x, &math::LOG, &complex::LOG)
    }),
    (&rows::LOG_PLUS_ONE, |e, _, x| {
        float_or_complex(e, x, &math::LOG1P, &complex::LOG1P)
    }),
    (&rows::LOGISTIC, logistic),
    (&rows::MAXIMUM, |e, op, x| extremum(e, op, x, true)),
    (&rows::MINIMUM, |e, op, x| extremum(e, op, x, false)),
    (&rows::MULTIPLY, multiply),
    (&rows::NEGATE, negate),
    (&rows::NOT, |e, _, x| Some(e.not(x[0]))),
    (&rows::OR, |e, _, x| Some(e.or(x[0], x[1]))),
    (&rows::POPCNT, |e, _, x| Some(e.unary(&math::CTPOP, x[0]))),
    (&rows::POWER, power),
    (&rows::REAL, |e, _, x| {
        Some(match e.class(x[0]) {
            Class::Complex => e.re(x[0]),
            _ => x[0],
        })
    }),
    (&rows::REDUCE_PRECISION, reduce_precision),
    (&rows::REMAINDER, remainder),
    (&rows::ROUND_NEAREST_AFZ, |e, _, x| {
        float_only(e, x, &math::ROUND)
    }),
    (&rows::ROUND_NEAREST_EVEN, |e, _, x| {
        float_only(e, x, &math::ROUNDEVEN)
    }),
    (&rows::RSQRT, |e, _, x| {
        float_or_complex(e, x, &math::RSQRT, &complex::RSQRT)
    }),
    (&rows::SELECT, |e, _, x| Some(e.select(x[0], x[1], x[2]))),
    (&rows::SHIFT_LEFT, |e, _, x| Some(shift(e, &arith::SHLI, x))),
    (&rows::SHIFT_RIGHT_ARITHMETIC, shift_right_arithmetic),
    (&rows::SHIFT_RIGHT_LOGICAL, |e, _, x| {
        Some(shift(e, &arith::SHRUI, x))
    }),
    (&rows::SIGN, sign),
    (&rows::SINE, |e, _, x| {
        float_or_complex(e, x, &math::SIN, &complex::SIN)
    }),
    (&rows::SQRT, |e, _, x| {
        float_or_complex(e, x, &math::SQRT, &complex::SQRT)
    }),
    (&rows::SUBTRACT, subtract),
    (&rows::TAN, |e, _, x| {
        float_or_complex(e, x, &math::TAN, &complex::TAN)
    }),
    (&rows::TANH, |e, _, x| {
        float_or_complex(e, x, &math::TANH, &complex::TANH)
    }),
    (&rows::XOR, |e, _, x| {
        Some(e.binary(&arith::XORI, x[0], x[1]))
    }),
];

/// The operations that are computed element by element.
pub(super) fn rows() -> impl Iterator<Item = &'static OpDef> {
    TABLE.iter().chain(special::SCALARS).map(|row| row.0)
}

pub(super) fn scalar_of(def: &'static OpDef) -> Option<Scalar> {
    let mut all = TABLE.iter().chain(special::SCALARS);
    all.find(|row| std::ptr::eq(row.0, def)).map(|row| row.1)
}

/// What an operation computes of single elements; `None` if it is not elementwise or not for these types.
pub(super) fn emit(b: &mut Builder<'_>, op: Op, elements: &[Value]) -> Option<Value> {
    emit_as(b, b.ir.def(op), op, elements)
}

/// What the row `def` computes of single elements with the attributes and types of `op`.
pub(super) fn emit_as(
    b: &mut Builder<'_>,
    def: &'static OpDef,
    op: Op,
    elements: &[Value],
) -> Option<Value> {
    let scalar = scalar_of(def)?;
    let mut e = Emit::new(b);
    if elements.iter().any(|&x| e.class(x) == Class::Other) {
        return None;
    }
    scalar(&mut e, op, elements)
}

/// Lowers an elementwise operation on tensors to `linalg.generic`.
pub(super) fn lower_elementwise(b: &mut Builder<'_>, op: Op) -> Result<Vec<Value>, Unsupported> {
    let operands = b.ir.operands(op).to_vec();
    let inputs: Vec<Value> = operands
        .iter()
        .map(|&value| build::as_signless(b, value))
        .collect();
    let result = b.ir.result(op, 0);
    let ty = signless(b.ir.context(), b.ir.value_type(result));
    if b.ir.context().shape(ty).is_some_and(<[i64]>::is_empty) {
        let scalars: Vec<Value> = inputs
            .iter()
            .map(|&input| build::extract_scalar(b, input))
            .collect();
        let scalar = emit(b, op, &scalars).ok_or_else(|| unsupported_types(b.ir, op))?;
        return Ok(vec![build::from_scalar(b, scalar)]);
    }
    let mut is_known = true;
    let lowered = build::elementwise(b, &inputs, ty, &mut |b, elements| {
        emit(b, op, elements).unwrap_or_else(|| {
            is_known = false;
            elements[0]
        })
    });
    match is_known {
        true => Ok(vec![lowered]),
        false => Err(unsupported_types(b.ir, op)),
    }
}

/// That an operation has no lowering for its types.
pub(super) fn unsupported_types(ir: &Ir, op: Op) -> Unsupported {
    use freehold_frontend::syntax::printer::type_to_string;
    let types: Vec<String> = (ir.operands(op).iter())
        .map(|&value| type_to_string(ir.context(), element(ir, value)))
        .collect();
    Unsupported(format!(
        "there is none for elements of type {}",
        types.join(", ")
    ))
}

/// Whether the first operand has unsigned elements. Truth values are read as 0 and 1.
pub(super) fn is_unsigned(ir: &Ir, op: Op) -> bool {
    is_unsigned_type(ir, element(ir, ir.operand(op, 0)))
}

fn is_unsigned_type(ir: &Ir, ty: Type) -> bool {
    match ir.context().type_kind(ty) {
        TypeKind::Integer { width, signedness } => {
            *width == 1 || *signedness == Signedness::Unsigned
        }
        _ => false,
    }
}

fn float_only(e: &mut Emit<'_, '_>, x: &[Value], def: &'static OpDef) -> Option<Value> {
    matches!(e.class(x[0]), Class::Float(_)).then(|| with_type_of(e, x, def))
}

fn float_or_complex(
    e: &mut Emit<'_, '_>,
    x: &[Value],
    of_floats: &'static OpDef,
    of_complex: &'static OpDef,
) -> Option<Value> {
    match e.class(x[0]) {
        Class::Float(_) => Some(with_type_of(e, x, of_floats)),
        Class::Complex => Some(with_type_of(e, x, of_complex)),
        Class::Integer(_) | Class::Other => None,
    }
}

fn with_type_of(e: &mut Emit<'_, '_>, x: &[Value], def: &'static OpDef) -> Value {
    let ty = e.ty(x[0]);
    e.b.value(def, x, ty)
}

/// One of three operations by what the elements are.
fn by_class(
    e: &mut Emit<'_, '_>,
    x: &[Value],
    of_integers: &'static OpDef,
    of_floats: &'static OpDef,
    of_complex: &'static OpDef,
) -> Option<Value> {
    let def = match e.class(x[0]) {
        Class::Integer(_) => of_integers,
        Class::Float(_) => of_floats,
        Class::Complex => of_complex,
        Class::Other => return None,
    };
    Some(with_type_of(e, x, def))
}

pub(super) fn add(e: &mut Emit<'_, '_>, _: Op, x: &[Value]) -> Option<Value> {
    match e.class(x[0]) {
        Class::Integer(1) => Some(e.or(x[0], x[1])),
        _ => by_class(e, x, &arith::ADDI, &arith::ADDF, &complex::ADD),
    }
}

pub(super) fn subtract(e: &mut Emit<'_, '_>, _: Op, x: &[Value]) -> Option<Value> {
    by_class(e, x, &arith::SUBI, &arith::SUBF, &complex::SUB)
}

pub(super) fn multiply(e: &mut Emit<'_, '_>, _: Op, x: &[Value]) -> Option<Value> {
    match e.class(x[0]) {
        Class::Integer(1) => Some(e.and(x[0], x[1])),
        _ => by_class(e, x, &arith::MULI, &arith::MULF, &complex::MUL),
    }
}

fn negate(e: &mut Emit<'_, '_>, _: Op, x: &[Value]) -> Option<Value> {
    match e.class(x[0]) {
        Class::Integer(_) => {
            let zero = e.int_like(x[0], 0);
            Some(e.binary(&arith::SUBI, zero, x[0]))
        }
        Class::Float(_) => Some(e.unary(&arith::NEGF, x[0])),
        Class::Complex => Some(e.unary(&complex::NEG, x[0])),
        Class::Other => None,
    }
}

fn abs(e: &mut Emit<'_, '_>, _: Op, x: &[Value]) -> Option<Value> {
    match e.class(x[0]) {
        Class::Integer(_) => Some(e.unary(&math::ABSI, x[0])),
        Class::Float(_) => Some(e.unary(&math::ABSF, x[0])),
        Class::Complex => {
            let part = e.part_type(x[0]);
            Some(e.to(&complex::ABS, x[0], part))
        }
        Class::Other => None,
    }
}

fn sign(e: &mut Emit<'_, '_>, op: Op, x: &[Value]) -> Option<Value> {
    let x = x[0];
    match e.class(x) {
        Class::Integer(width) => {
            let zero = e.int_like(x, 0);
            let one = e.int_like(x, 1);
            let is_zero = e.cmpi(CmpIPredicate::Eq, x, zero);
            let of_others = if is_unsigned(e.b.ir, op) {
                one
            } else {
                let top = e.int_like(x, i128::from(width) - 1);
                let sign = e.binary(&arith::SHRSI, x, top);
                e.or(sign, one)
            };
            Some(e.select(is_zero, zero, of_others))
        }
        Class::Float(_) => {
            // Zeros and NaNs stay as they are.
            let zero = e.float_like(x, 0.0);
            let one = e.float_like(x, 1.0);
            let signed = e.binary(&math::COPYSIGN, one, x);
            let is_other = e.cmpf(CmpFPredicate::One, x, zero);
            Some(e.select(is_other, signed, x))
        }
        Class::Complex => Some(e.unary(&complex::SIGN, x)),
        Class::Other => None,
    }
}

/// For divisions of integers: whether the divisor is zero, and a divisor that neither is zero nor overflows.
fn safe_divisor(e: &mut Emit<'_, '_>, x: &[Value], width: u32, unsigned: bool) -> (Value, Value) {
    let zero = e.int_like(x[1], 0);
    let one = e.int_like(x[1], 1);
    let is_zero = e.cmpi(CmpIPredicate::Eq, x[1], zero);
    if unsigned {
        return (is_zero, e.select(is_zero, one, x[1]));
    }
    let least = e.int_like(x[0], -1 << (width - 1));
    let minus_one = e.int_like(x[1], -1);
    let is_least = e.cmpi(CmpIPredicate::Eq, x[0], least);
    let is_minus_one = e.cmpi(CmpIPredicate::Eq, x[1], minus_one);
    let overflows = e.and(is_least, is_minus_one);
    let is_unsafe = e.or(is_zero, overflows);
    (is_zero, e.select(is_unsafe, one, x[1]))
}

fn divide(e: &mut Emit<'_, '_>, op: Op, x: &[Value]) -> Option<Value> {
    let Class::Integer(width) = e.class(x[0]) else {
        return float_or_complex(e, x, &arith::DIVF, &complex::DIV);
    };
    let unsigned = is_unsigned(e.b.ir, op);
    let (is_zero, divisor) = safe_divisor(e, x, width, unsigned);
    let def = if unsigned {
        &arith::DIVUI
    } else {
        &arith::DIVSI
    };
    let quotient = e.binary(def, x[0], divisor);
    let ones = e.int_like(x[0], -1);
    Some(e.select(is_zero, ones, quotient))
}

fn remainder(e: &mut Emit<'_, '_>, op: Op, x: &[Value]) -> Option<Value> {
    let Class::Integer(width) = e.class(x[0]) else {
        return float_only(e, x, &arith::REMF);
    };
    let unsigned = is_unsigned(e.b.ir, op);
    let (is_zero, divisor) = safe_divisor(e, x, width, unsigned);
    let def = if unsigned {
        &arith::REMUI
    } else {
        &arith::REMSI
    };
    let rest = e.binary(def, x[0], divisor);
    Some(e.select(is_zero, x[0], rest))
}

/// What repeats the elements of its first operand, and does nothing else.
const REPEATS: [&OpDef; 3] = [
    &linalg::FILL,
    &shapes::BROADCAST_IN_DIM,
    &shapes::DYNAMIC_BROADCAST_IN_DIM,
];

/// The float that all elements are, of a tensor of any size.
fn splat_number(ir: &Ir, value: Value) -> Option<f64> {
    let repeated = ir.defining_op(value);
    let repeated = repeated.filter(|&op| REPEATS.iter().any(|def| ir.is(op, def)));
    let constant = repeated.map_or(value, |op| ir.operand(op, 0));
    let (bits, kind) = splat_float(ir.context(), constant_value(ir, constant))?;
    float::decode(kind, bits)
}

fn power(e: &mut Emit<'_, '_>, op: Op, x: &[Value]) -> Option<Value> {
    let Class::Integer(width) = e.class(x[0]) else {
        let exponent = splat_number(e.b.ir, e.b.ir.operand(op, 1));
        return (exponent.and_then(|exponent| functions::known_power(e, x[0], exponent)))
            .or_else(|| float_or_complex(e, x, &math::POWF, &complex::POW));
    };
    let (base, exponent) = (x[0], x[1]);
    if width == 1 {
        // 0 to the power of 1 is the only 0.
        let not = e.not(exponent);
        return Some(e.or(base, not));
    }
    if is_unsigned(e.b.ir, op) {
        // The exponent without its highest bit is no negative number. What that bit stands for, an even power of at
        // least half the range, is 1 for odd bases and 0 for even ones, modulo the range.
        let all_but_top = e.int_like(exponent, !(-1 << (width - 1)));
        let zero = e.int_like(exponent, 0);
        let low = e.and(exponent, all_but_top);
        let is_high = e.cmpi(CmpIPredicate::Slt, exponent, zero);
        let one = e.int_like(base, 1);
        let parity = e.and(base, one);
        let factor = e.select(is_high, parity, one);
        let of_low = e.binary(&math::IPOWI, base, low);
        return Some(e.binary(&arith::MULI, of_low, factor));
    }
    // Negative powers are truncated quotients: 1 and -1 keep a magnitude, everything else is 0.
    let zero = e.int_like(base, 0);
    let one = e.int_like(base, 1);
    let minus_one = e.int_like(base, -1);
    let is_negative = e.cmpi(CmpIPredicate::Slt, exponent, zero);
    let safe = e.select(is_negative, zero, exponent);
    let positive = e.binary(&math::IPOWI, base, safe);
    let is_one = e.cmpi(CmpIPredicate::Eq, base, one);
    let is_minus_one = e.cmpi(CmpIPredicate::Eq, base, minus_one);
    let parity = e.and(exponent, one);
    let is_even = e.cmpi(CmpIPredicate::Eq, parity, zero);
    let of_minus_one = e.select(is_even, one, minus_one);
    let of_others = e.select(is_minus_one, of_minus_one, zero);
    let negative = e.select(is_one, one, of_others);
    Some(e.select(is_negative, negative, positive))
}

fn is_shift_in_range(e: &mut Emit<'_, '_>, amount: Value) -> Option<Value> {
    let Class::Integer(width) = e.class(amount) else {
        return None;
    };
    let limit = e.int_like(amount, i128::from(width));
    // The width of `i1` and `i2` is no number of these types.
    match width {
        1 | 2 => {
            let context = e.b.context();
            let wide = e.to(&arith::EXTUI, amount, context.integer_type(8));
            let limit = e.int_like(wide, i128::from(width));
            Some(e.cmpi(CmpIPredicate::Ult, wide, limit))
        }
        _ => Some(e.cmpi(CmpIPredicate::Ult, amount, limit)),
    }
}

fn shift(e: &mut Emit<'_, '_>, def: &'static OpDef, x: &[Value]) -> Value {
    let Some(in_range) = is_shift_in_range(e, x[1]) else {
        return x[0];
    };
    let zero = e.int_like(x[1], 0);
    let amount = e.select(in_range, x[1], zero);
    let shifted = e.binary(def, x[0], amount);
    e.select(in_range, shifted, zero)
}

fn shift_right_arithmetic(e: &mut Emit<'_, '_>, _: Op, x: &[Value]) -> Option<Value> {
    let Class::Integer(width) = e.class(x[0]) else {
        return None;
    };
    let in_range = is_shift_in_range(e, x[1])?;
    let most = e.int_like(x[1], i128::from(width) - 1);
    let amount = e.select(in_range, x[1], most);
    Some(e.binary(&arith::SHRSI, x[0], amount))
}

fn logistic(e: &mut Emit<'_, '_>, op: Op, x: &[Value]) -> Option<Value> {
    let one = e.like(x[0], 1.0);
    let negated = negate(e, op, x)?;
    let power = float_or_complex(e, &[negated], &math::EXP, &complex::EXP)?;
    let sum = add(e, op, &[one, power])?;
    float_or_complex(e, &[one, sum], &arith::DIVF, &complex::DIV)
}

/// The greater or the lesser of two; NaN if either is.
fn extremum(e: &mut Emit<'_, '_>, op: Op, x: &[Value], greatest: bool) -> Option<Value> {
    let unsigned = is_unsigned(e.b.ir, op);
    let def = match (e.class(x[0]), greatest, unsigned) {
        (Class::Integer(1), true, _) => &arith::ORI,
        (Class::Integer(1), false, _) => &arith::ANDI,
        (Class::Integer(_), true, true) => &arith::MAXUI,
        (Class::Integer(_), true, false) => &arith::MAXSI,
        (Class::Integer(_), false, true) => &arith::MINUI,
        (Class::Integer(_), false, false) => &arith::MINSI,
        (Class::Float(_), true, _) => &arith::MAXIMUMF,
        (Class::Float(_), false, _) => &arith::MINIMUMF,
        (Class::Complex, ..) => return Some(complex_extremum(e, x, greatest)),
        (Class::Other, ..) => return None,
    };
    Some(with_type_of(e, x, def))
}

/// Complex numbers are ordered by their real parts, then by their imaginary ones.
fn complex_extremum(e: &mut Emit<'_, '_>, x: &[Value], greatest: bool) -> Value {
    let predicate = if greatest {
        CmpFPredicate::Ogt
    } else {
        CmpFPredicate::Olt
    };
    let [(re_x, im_x), (re_y, im_y)] = [x[0], x[1]].map(|x| (e.re(x), e.im(x)));
    let by_re = e.cmpf(predicate, re_x, re_y);
    let by_im = e.cmpf(predicate, im_x, im_y);
    let is_tie = e.cmpf(CmpFPredicate::Oeq, re_x, re_y);
    let is_first = e.select(is_tie, by_im, by_re);
    e.select(is_first, x[0], x[1])
}

fn clamp(e: &mut Emit<'_, '_>, op: Op, x: &[Value]) -> Option<Value> {
    let raised = extremum(e, op, &[x[1], x[0]], true)?;
    extremum(e, op, &[raised, x[2]], false)
}

fn compare(e: &mut Emit<'_, '_>, op: Op, x: &[Value]) -> Option<Value> {
    use ComparisonDirection as D;
    let context = e.b.context();
    let ir = &*e.b.ir;
    // CHLO has the same enumerations under its own name.
    let own = |name: Name| {
        let attr = ir.attr(op, name)?;
        match context.attr_kind(attr) {
            AttrKind::Dialect { body, .. } => Some(dialect_attr(&context, body)),
            _ => None,
        }
    };
    let direction = D::from_attr(&context, own(Name::COMPARISON_DIRECTION)?)?;
    let kind = own(Name::COMPARE_TYPE);
    let kind = kind.and_then(|attr| ComparisonType::from_attr(&context, attr));
    let unsigned = is_unsigned(ir, op);
    let (mut x, mut y) = (x[0], x[1]);
    match e.class(x) {
        Class::Complex => {
            let predicate = match direction {
                D::Eq => &complex::EQ,
                D::Ne => &complex::NEQ,
                _ => return None,
            };
            return Some(e.b.value(predicate, &[x, y], Type::I1));
        }
        Class::Float(_) if kind == Some(ComparisonType::TotalOrder) => {
            x = total_order(e, x);
            y = total_order(e, y);
        }
        Class::Float(_) => {
            let predicate = match direction {
                D::Eq => CmpFPredicate::Oeq,
                D::Ne => CmpFPredicate::Une,
                D::Ge => CmpFPredicate::Oge,
                D::Gt => CmpFPredicate::Ogt,
                D::Le => CmpFPredicate::Ole,
                D::Lt => CmpFPredicate::Olt,
            };
            return Some(e.cmpf(predicate, x, y));
        }
        Class::Integer(_) => {}
        Class::Other => return None,
    }
    let predicate = match (direction, unsigned) {
        (D::Eq, _) => CmpIPredicate::Eq,
        (D::Ne, _) => CmpIPredicate::Ne,
        (D::Ge, false) => CmpIPredicate::Sge,
        (D::Ge, true) => CmpIPredicate::Uge,
        (D::Gt, false) => CmpIPredicate::Sgt,
        (D::Gt, true) => CmpIPredicate::Ugt,
        (D::Le, false) => CmpIPredicate::Sle,
        (D::Le, true) => CmpIPredicate::Ule,
        (D::Lt, false) => CmpIPredicate::Slt,
        (D::Lt, true) => CmpIPredicate::Ult,
    };
    Some(e.cmpi(predicate, x, y))
}

/// An integer for which the order of signed numbers is the total order of floats: -NaN, -inf, ..., -0, 0, ..., NaN.
pub(super) fn total_order(e: &mut Emit<'_, '_>, x: Value) -> Value {
    let bits = e.bits(x);
    let Class::Integer(width) = e.class(bits) else {
        return bits;
    };
    let top = e.int_like(bits, i128::from(width) - 1);
    let one = e.int_like(bits, 1);
    let sign = e.binary(&arith::SHRSI, bits, top);
    let flipped = e.binary(&arith::SHRUI, sign, one);
    e.binary(&arith::XORI, bits, flipped)
}

fn convert(e: &mut Emit<'_, '_>, op: Op, x: &[Value]) -> Option<Value> {
    let from_unsigned = is_unsigned(e.b.ir, op);
    let to = element(e.b.ir, e.b.ir.result(op, 0));
    let to_unsigned = is_unsigned_type(e.b.ir, to);
    let to = signless(e.b.ir.context(), to);
    convert_scalar(e, x[0], from_unsigned, to, to_unsigned)
}

/// Converts a number as `stablehlo.convert` does: integers modulo the range, floats to the nearest float, toward zero to
/// integers; the end of the range for numbers beyond it, and 0 for NaN.
pub(super) fn convert_scalar(
    e: &mut Emit<'_, '_>,
    x: Value,
    from_unsigned: bool,
    to: Type,
    to_unsigned: bool,
) -> Option<Value> {
    if e.ty(x) == to {
        return Some(x);
    }
    match (e.class(x), e.class_of(to)) {
        (Class::Integer(_), Class::Integer(1)) => {
            let zero = e.int_like(x, 0);
            Some(e.cmpi(CmpIPredicate::Ne, x, zero))
        }
        (Class::Integer(from), Class::Integer(width)) => {
            let def = match (from < width, from_unsigned) {
                (false, _) => &arith::TRUNCI,
                (true, true) => &arith::EXTUI,
                (true, false) => &arith::EXTSI,
            };
            Some(e.to(def, x, to))
        }
        // Vectors choose by what they compared, and have no integers of one bit.
        (Class::Integer(1), Class::Float(_)) if from_unsigned => {
            let [one, zero] = [1.0, 0.0].map(|number| e.float(to, number));
            Some(e.select(x, one, zero))
        }
        (Class::Integer(_), Class::Float(_)) => {
            let def = if from_unsigned {
                &arith::UITOFP
            } else {
                &arith::SITOFP
            };
            Some(e.to(def, x, to))
        }
        (Class::Float(_), Class::Integer(1)) => {
            let zero = e.float_like(x, 0.0);
            Some(e.cmpf(CmpFPredicate::Une, x, zero))
        }
        (Class::Float(kind), Class::Integer(width)) => {
            Some(float_to_integer(e, x, kind, to, width, to_unsigned))
        }
        (Class::Float(from), Class::Float(kind)) => Some(float_to_float(e, x, from, to, kind)),
        (Class::Complex, Class::Complex) => {
            let part = complex::element_of(&e.b.context(), to)?;
            let [re, im] = [e.re(x), e.im(x)];
            let re = convert_scalar(e, re, false, part, false)?;
            let im = convert_scalar(e, im, false, part, false)?;
            Some(e.complex(re, im))
        }
        (Class::Complex, _) => {
            let re = e.re(x);
            convert_scalar(e, re, false, to, to_unsigned)
        }
        (_, Class::Complex) => {
            let part = complex::element_of(&e.b.context(), to)?;
            let re = convert_scalar(e, x, from_unsigned, part, false)?;
            let im = e.float(part, 0.0);
            Some(e.complex(re, im))
        }
        (Class::Other, _) | (_, Class::Other) => None,
    }
}

fn float_to_float(
    e: &mut Emit<'_, '_>,
    x: Value,
    from: FloatKind,
    to: Type,
    kind: FloatKind,
) -> Value {
    let (narrow, wide) = (from.width(), kind.width());
    if narrow < wide && wide >= 32 {
        return e.to(&arith::EXTF, x, to);
    }
    if narrow > wide && narrow >= 32 {
        return e.to(&arith::TRUNCF, x, to);
    }
    // Neither of two small formats contains the other.
    let exact = e.to(&arith::EXTF, x, Type::F32);
    e.to(&arith::TRUNCF, exact, to)
}

fn float_to_integer(
    e: &mut Emit<'_, '_>,
    x: Value,
    kind: FloatKind,
    to: Type,
    width: u32,
    unsigned: bool,
) -> Value {
    // Small formats are too coarse, or too narrow, for the bounds.
    if kind.width() < 32 {
        let wide = e.to(&arith::EXTF, x, Type::F32);
        return float_to_integer(e, wide, FloatKind::F32, to, width, unsigned);
    }
    let def = if unsigned {
        &arith::FPTOUI
    } else {
        &arith::FPTOSI
    };
    let (least, beyond) = match unsigned {
        true => (0, 2f64.powi(width as i32)),
        false => (-1i128 << (width - 1), 2f64.powi(width as i32 - 1)),
    };
    let most = match unsigned {
        true => -1,
        false => !least,
    };
    let zero = e.float_like(x, 0.0);
    let upper = e.float_like(x, beyond);
    let lower = e.float_like(x, least as f64);
    let is_below = e.cmpf(CmpFPredicate::Olt, x, lower);
    let is_above = e.cmpf(CmpFPredicate::Oge, x, upper);
    let is_nan = e.is_nan(x);
    let is_outside = e.or(is_below, is_above);
    let is_outside = e.or(is_outside, is_nan);
    let safe = e.select(is_outside, zero, x);
    let inside = e.to(def, safe, to);
    let least = e.int(to, least);
    let most = e.int(to, most);
    let with_least = e.select(is_below, least, inside);
    e.select(is_above, most, with_least)
}

/// Rounds to a format of fewer exponent and mantissa bits, ties to even; what the format cannot hold becomes infinite
/// or zero.
fn reduce_precision(e: &mut Emit<'_, '_>, op: Op, x: &[Value]) -> Option<Value> {
    let context = e.b.context();
    let bits_of = |name| {
        context
            .attr_integer(e.b.ir.attr(op, name)?)
            .map(|bits| bits as u32)
    };
    let (exponent_bits, mantissa_bits) =
        (bits_of(Name::EXPONENT_BITS)?, bits_of(Name::MANTISSA_BITS)?);
    let x = x[0];
    let Class::Float(kind) = e.class(x) else {
        return None;
    };
    let (own_exponent, own_mantissa) = match kind {
        FloatKind::BF16 => (8, 7),
        FloatKind::F16 => (5, 10),
        FloatKind::F32 => (8, 23),
        FloatKind::F64 => (11, 52),
        _ => return None,
    };
    let mut bits = e.bits(x);
    let sign_mask = e.int_like(bits, -1 << (own_exponent + own_mantissa));
    if mantissa_bits < own_mantissa {
        let dropped = own_mantissa - mantissa_bits;
        // Half of the last bit kept, less one, plus the last bit: rounds ties to even.
        let shift = e.int_like(bits, i128::from(dropped));
        let one = e.int_like(bits, 1);
        let last = e.binary(&arith::SHRUI, bits, shift);
        let last = e.and(last, one);
        let half = e.int_like(bits, (1i128 << (dropped - 1)) - 1);
        let bias = e.binary(&arith::ADDI, last, half);
        let sum = e.binary(&arith::ADDI, bits, bias);
        let kept = e.int_like(bits, -1i128 << dropped);
        bits = e.and(sum, kept);
    }
    if exponent_bits < own_exponent {
        let own_bias = (1i128 << (own_exponent - 1)) - 1;
        let bias = (1i128 << (exponent_bits - 1)) - 1;
        let exponent_mask = e.int_like(bits, ((1i128 << own_exponent) - 1) << own_mantissa);
        let exponent = e.and(bits, exponent_mask);
        let greatest = e.int_like(bits, (own_bias + bias) << own_mantissa);
        let least = e.int_like(bits, (own_bias - bias) << own_mantissa);
        let overflows = e.cmpi(CmpIPredicate::Ugt, exponent, greatest);
        let underflows = e.cmpi(CmpIPredicate::Ule, exponent, least);
        let sign = e.and(bits, sign_mask);
        let infinity = e.or(sign, exponent_mask);
        let bounded = e.select(overflows, infinity, bits);
        bits = e.select(underflows, sign, bounded);
    }
    let ty = e.ty(x);
    let rounded = e.to(&arith::BITCAST, bits, ty);
    let is_nan = e.is_nan(x);
    Some(e.select(is_nan, x, rounded))
}
