//! What operations on numbers compute, written down once more, straight from their definitions: a
//! function without branches is run value by value.

use std::collections::BTreeMap;

use freehold_frontend::dialects::arith::attributes::{CmpFPredicate, CmpIPredicate};
use freehold_frontend::dialects::index;
use freehold_frontend::ir::affine::{AffineExpr, AffineOp};
use freehold_frontend::ir::attrs::{Attr, AttrKind};
use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;
use freehold_frontend::ir::types::{FloatKind, Type, TypeKind};

/// A number.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    /// Sign-extended.
    Int(i128),
    F32(f32),
    F64(f64),
}

impl Number {
    /// Whether the two are the same; one NaN is as good as another.
    pub(crate) fn is(self, other: Self) -> bool {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::F32(a), Self::F32(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (Self::F64(a), Self::F64(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            _ => false,
        }
    }
}

/// The number of bits of an integer type.
pub(crate) fn width_of(context: &Context, ty: Type) -> u32 {
    match context.type_kind(ty) {
        TypeKind::Integer { width, .. } => *width,
        _ => 64,
    }
}

/// The integer that `value` is in so many bits.
pub(crate) fn wrap(value: i128, width: u32) -> i128 {
    value << (128 - width) >> (128 - width)
}

fn unsigned(value: i128, width: u32) -> u128 {
    value as u128 & (u128::MAX >> (128 - width))
}

/// Whether affine expressions may overflow on the way. Those of the original may not; what they are
/// rearranged to may, and wraps back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Overflow {
    Undefined,
    Wraps,
}

/// What a function returns; `None` if an operation has no defined result.
pub(crate) fn run(ir: &Ir, arguments: &[Number], overflow: Overflow) -> Option<Vec<Number>> {
    let block = ir.root_block()?;
    let mut values: BTreeMap<Value, Number> = BTreeMap::new();
    values.extend(
        ir.block_args(block)
            .iter()
            .copied()
            .zip(arguments.iter().copied()),
    );
    for op in ir.ops_in(block) {
        let operands: Vec<Number> = (ir.operands(op).iter())
            .map(|operand| values.get(operand).copied())
            .collect::<Option<_>>()?;
        if ir.op_name(op) == "func.return" {
            return Some(operands);
        }
        let results = results_of(ir, op, &operands, overflow)?;
        values.extend(ir.results(op).iter().copied().zip(results));
    }
    None
}

fn constant(context: &Context, attr: Attr) -> Option<Number> {
    match context.attr_kind(attr) {
        AttrKind::Integer { value, .. } => Some(Number::Int(*value)),
        AttrKind::Float { ty, bits } => match context.float_kind(*ty)? {
            FloatKind::F32 => Some(Number::F32(f32::from_bits(*bits as u32))),
            FloatKind::F64 => Some(Number::F64(f64::from_bits(*bits as u64))),
            _ => None,
        },
        _ => None,
    }
}

fn results_of(ir: &Ir, op: Op, operands: &[Number], overflow: Overflow) -> Option<Vec<Number>> {
    use Number::{F32, F64, Int};
    let context = ir.context();
    let result_type = ir.value_type(ir.result(op, 0));
    let width = width_of(context, result_type);
    let from = match ir.operands(op).first() {
        Some(&operand) => width_of(context, ir.value_type(operand)),
        None => 64,
    };
    let one = |value: i128| Some(vec![Int(wrap(value, width))]);
    let truth = |value: bool| Some(vec![Int(-i128::from(value))]);
    let (dialect, name) = ir.op_name(op).split_once('.')?;
    match (dialect, name, operands) {
        ("arith" | "index", "constant", []) | ("index", "bool.constant", []) => {
            let attr = ir.attr(op, Name::VALUE)?;
            let value = constant(context, attr)?;
            return Some(vec![match value {
                Int(value) => Int(wrap(value, width)),
                float => float,
            }]);
        }
        ("index", "sizeof", []) => return one(64),
        ("affine", ..) => {
            let map = context.attr_affine_map(ir.attr(op, Name::MAP)?)?;
            let inputs: Vec<i128> = (operands.iter())
                .map(|operand| match operand {
                    Int(value) => Some(*value),
                    _ => None,
                })
                .collect::<Option<_>>()?;
            let (dims, symbols) = inputs.split_at(map.n_dims as usize);
            let results = map.results.iter();
            let results: Vec<i128> = results
                .map(|expr| evaluate(expr, dims, symbols, overflow))
                .collect::<Option<_>>()?;
            let mut results = results.into_iter();
            return Some(vec![Int(match name {
                "min" => results.min()?,
                "max" => results.max()?,
                _ => results.next()?,
            })]);
        }
        ("arith", "select", &[Int(condition), a, b]) => {
            return Some(vec![if condition != 0 { a } else { b }]);
        }
        ("arith", "cmpi", &[Int(a), Int(b)]) => {
            return truth(compare(CmpIPredicate::of(ir, op)?, a, b, from));
        }
        ("index", "cmp", &[Int(a), Int(b)]) => {
            return truth(compare(index::cmp_predicate(ir, op)?, a, b, 64));
        }
        ("arith", "cmpf", &[a, b]) => {
            let (a, b) = match (a, b) {
                (F32(a), F32(b)) => (f64::from(a), f64::from(b)),
                (F64(a), F64(b)) => (a, b),
                _ => return None,
            };
            return truth(compare_floats(CmpFPredicate::of(ir, op)?, a, b));
        }
        ("arith", "addui_extended", &[Int(a), Int(b)]) => {
            let sum = unsigned(a, width) + unsigned(b, width);
            let carry = -i128::from(sum >> width != 0);
            return Some(vec![Int(wrap(sum as i128, width)), Int(carry)]);
        }
        ("arith", "mulsi_extended", &[Int(a), Int(b)]) => {
            let product = a * b;
            return Some(vec![
                Int(wrap(product, width)),
                Int(wrap(product >> width, width)),
            ]);
        }
        ("arith", "mului_extended", &[Int(a), Int(b)]) => {
            let product = unsigned(a, width) * unsigned(b, width);
            return Some(vec![
                Int(wrap(product as i128, width)),
                Int(wrap((product >> width) as i128, width)),
            ]);
        }
        ("arith" | "index", _, &[Int(a), Int(b)]) => return one(integers(name, a, b, width)?),
        ("arith", "bitcast", &[value]) => {
            let bits = match value {
                Int(value) => unsigned(value, from) as u64,
                F32(value) => value.to_bits().into(),
                F64(value) => value.to_bits(),
            };
            return match context.float_kind(result_type) {
                Some(FloatKind::F32) => Some(vec![F32(f32::from_bits(bits as u32))]),
                Some(FloatKind::F64) => Some(vec![F64(f64::from_bits(bits))]),
                _ => one(bits.into()),
            };
        }
        ("arith" | "index", _, &[Int(value)]) => {
            return match (name, context.float_kind(result_type)) {
                ("extui" | "index_castui" | "castu", _) => one(unsigned(value, from) as i128),
                ("extsi" | "index_cast" | "casts" | "trunci", _) => one(value),
                ("uitofp", Some(FloatKind::F32)) => Some(vec![F32(unsigned(value, from) as f32)]),
                ("uitofp", Some(_)) => Some(vec![F64(unsigned(value, from) as f64)]),
                ("sitofp", Some(FloatKind::F32)) => Some(vec![F32(value as f32)]),
                ("sitofp", Some(_)) => Some(vec![F64(value as f64)]),
                _ => None,
            };
        }
        ("arith", "fptosi" | "fptoui", &[value]) => {
            let value = match value {
                F32(value) => f64::from(value),
                F64(value) => value,
                Int(_) => return None,
            };
            if value.is_nan() || value.abs() >= 1e30 {
                return None;
            }
            let value = value.trunc() as i128;
            let limits = match name {
                "fptosi" => -(1i128 << (width - 1))..1 << (width - 1),
                _ => 0..1 << width,
            };
            return limits
                .contains(&value)
                .then(|| vec![Int(wrap(value, width))]);
        }
        ("arith", "negf", &[F32(value)]) => return Some(vec![F32(-value)]),
        ("arith", "negf", &[F64(value)]) => return Some(vec![F64(-value)]),
        ("arith", "extf", &[F32(value)]) => return Some(vec![F64(value.into())]),
        ("arith", "truncf", &[F64(value)]) => return Some(vec![F32(value as f32)]),
        _ => {}
    }
    match *operands {
        [F32(a), F32(b)] => {
            let exact = |name| {
                Some(match name {
                    "addf" => a + b,
                    "subf" => a - b,
                    "mulf" => a * b,
                    "divf" => a / b,
                    "remf" => a % b,
                    _ => return None,
                })
            };
            let value = exact(name).or_else(|| Some(extreme(name, a.into(), b.into())? as f32));
            Some(vec![F32(value?)])
        }
        [F64(a), F64(b)] => Some(vec![F64(match name {
            "addf" => a + b,
            "subf" => a - b,
            "mulf" => a * b,
            "divf" => a / b,
            "remf" => a % b,
            _ => extreme(name, a, b)?,
        })]),
        _ => panic!("{dialect}.{name} is unknown here"),
    }
}

/// Operations on two integers of `arith` and `index`, whose names differ a little.
fn integers(name: &str, a: i128, b: i128, width: u32) -> Option<i128> {
    let (ua, ub) = (unsigned(a, width), unsigned(b, width));
    let least = -(1i128 << (width - 1));
    let divides = b != 0;
    let divides_signed = divides && (a, b) != (least, -1);
    let shift = (ub < u128::from(width)).then_some(ub as u32);
    Some(match name {
        "addi" | "add" => a + b,
        "subi" | "sub" => a - b,
        "muli" | "mul" => a * b,
        "divsi" | "divs" if divides_signed => a / b,
        "remsi" | "rems" if divides_signed => a % b,
        "divui" | "divu" if divides => (ua / ub) as i128,
        "remui" | "remu" if divides => (ua % ub) as i128,
        "ceildivsi" | "ceildivs" if divides_signed => {
            a / b + i128::from(a % b != 0 && (a < 0) == (b < 0))
        }
        "floordivsi" | "floordivs" if divides_signed => {
            a / b - i128::from(a % b != 0 && (a < 0) != (b < 0))
        }
        "ceildivui" | "ceildivu" if divides => ua.div_ceil(ub) as i128,
        "andi" | "and" => a & b,
        "ori" | "or" => a | b,
        "xori" | "xor" => a ^ b,
        "shli" | "shl" => a << shift?,
        "shrsi" | "shrs" => a >> shift?,
        "shrui" | "shru" => (ua >> shift?) as i128,
        "maxsi" | "maxs" => a.max(b),
        "minsi" | "mins" => a.min(b),
        "maxui" | "maxu" => ua.max(ub) as i128,
        "minui" | "minu" => ua.min(ub) as i128,
        _ => return None,
    })
}

/// The larger or smaller of two numbers; `None` where it may be either of two zeros.
fn extreme(name: &str, a: f64, b: f64) -> Option<f64> {
    let is_max = name.starts_with("max");
    let is_ieee = matches!(name, "maximumf" | "minimumf");
    if !is_ieee && !matches!(name, "maxnumf" | "minnumf") {
        return None;
    }
    if a.is_nan() || b.is_nan() {
        return Some(match (is_ieee, a.is_nan()) {
            (true, _) => f64::NAN,
            (false, true) => b,
            (false, false) => a,
        });
    }
    if a == b && a.is_sign_negative() != b.is_sign_negative() {
        return is_ieee.then_some(if is_max { 0.0 } else { -0.0 });
    }
    Some(if (a > b) == is_max { a } else { b })
}

fn compare(predicate: CmpIPredicate, a: i128, b: i128, width: u32) -> bool {
    let (ua, ub) = (unsigned(a, width), unsigned(b, width));
    match predicate {
        CmpIPredicate::Eq => a == b,
        CmpIPredicate::Ne => a != b,
        CmpIPredicate::Slt => a < b,
        CmpIPredicate::Sle => a <= b,
        CmpIPredicate::Sgt => a > b,
        CmpIPredicate::Sge => a >= b,
        CmpIPredicate::Ult => ua < ub,
        CmpIPredicate::Ule => ua <= ub,
        CmpIPredicate::Ugt => ua > ub,
        CmpIPredicate::Uge => ua >= ub,
    }
}

/// The value of an affine expression; `None` where it divides by what is not positive, or a step
/// overflows that may not.
fn evaluate(
    expr: &AffineExpr,
    dims: &[i128],
    symbols: &[i128],
    overflow: Overflow,
) -> Option<i128> {
    let value = match expr {
        AffineExpr::Dim(i) => dims[*i as usize],
        AffineExpr::Symbol(i) => symbols[*i as usize],
        AffineExpr::Constant(value) => i128::from(*value),
        AffineExpr::Binary(op, sides) => {
            let a = evaluate(&sides.0, dims, symbols, overflow)?;
            let b = evaluate(&sides.1, dims, symbols, overflow)?;
            match op {
                AffineOp::Add => a + b,
                AffineOp::Mul => a * b,
                _ if b <= 0 => return None,
                AffineOp::Mod => a.rem_euclid(b),
                AffineOp::FloorDiv => a.div_euclid(b),
                AffineOp::CeilDiv => -(-a).div_euclid(b),
            }
        }
    };
    let fits = wrap(value, 64) == value;
    (fits || overflow == Overflow::Wraps).then(|| wrap(value, 64))
}

fn compare_floats(predicate: CmpFPredicate, a: f64, b: f64) -> bool {
    let unordered = a.is_nan() || b.is_nan();
    match predicate {
        CmpFPredicate::AlwaysFalse => false,
        CmpFPredicate::Oeq => a == b,
        CmpFPredicate::Ogt => a > b,
        CmpFPredicate::Oge => a >= b,
        CmpFPredicate::Olt => a < b,
        CmpFPredicate::Ole => a <= b,
        CmpFPredicate::One => !unordered && a != b,
        CmpFPredicate::Ord => !unordered,
        CmpFPredicate::Ueq => unordered || a == b,
        CmpFPredicate::Ugt => unordered || a > b,
        CmpFPredicate::Uge => unordered || a >= b,
        CmpFPredicate::Ult => unordered || a < b,
        CmpFPredicate::Ule => unordered || a <= b,
        CmpFPredicate::Une => a != b,
        CmpFPredicate::Uno => unordered,
        CmpFPredicate::AlwaysTrue => true,
    }
}
