//! Operators on single elements, most of them formulas.

use freehold_frontend::dialects::onnx::operator_of;
use freehold_frontend::dialects::onnx::rows as onnx;
use freehold_frontend::dialects::stablehlo::attributes::ComparisonDirection;
use freehold_frontend::dialects::stablehlo::{elementwise as sh, shapes};
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::op_def::OpDef;
use freehold_frontend::ir::types::{FloatKind, Type, TypeKind};

use super::convert_onnx_to_stablehlo::{Lower, Row};
use super::expressions::Term;
use super::graph::Cx;
use super::node::{Lowered, Node, Refused, axis};
use super::signal::uniform;
use super::sizes::c;

/// An operator, what it computes of its operands `x`, `y` and `z`, and the numbers that attributes are if they are absent.
type Formula = (&'static OpDef, &'static str, &'static [(&'static str, f64)]);

const FORMULAS: &[Formula] = &[
    (&onnx::ABS, "abs(x)", &[]),
    (&onnx::ACOS, "acos(x)", &[]),
    (&onnx::ACOSH, "acosh(x)", &[]),
    (&onnx::ADD, "x + y", &[]),
    (&onnx::AND, "and(x, y)", &[]),
    (&onnx::ASIN, "asin(x)", &[]),
    (&onnx::ASINH, "asinh(x)", &[]),
    (&onnx::ATAN, "atan(x)", &[]),
    (&onnx::ATANH, "atanh(x)", &[]),
    (&onnx::BITWISE_AND, "and(x, y)", &[]),
    (&onnx::BITWISE_NOT, "not(x)", &[]),
    (&onnx::BITWISE_OR, "or(x, y)", &[]),
    (&onnx::BITWISE_XOR, "xor(x, y)", &[]),
    (&onnx::CEIL, "ceil(x)", &[]),
    (
        &onnx::CELU,
        "max(x, 0) + min(alpha * expm1(x / alpha), 0)",
        &[("alpha", 1.0)],
    ),
    (&onnx::COS, "cos(x)", &[]),
    (&onnx::COSH, "cosh(x)", &[]),
    (&onnx::DIV, "x / y", &[]),
    (
        &onnx::ELU,
        "select(x < 0, alpha * expm1(x), x)",
        &[("alpha", 1.0)],
    ),
    (&onnx::EQUAL, "x == y", &[]),
    (&onnx::ERF, "erf(x)", &[]),
    (&onnx::EXP, "exp(x)", &[]),
    (&onnx::FLOOR, "floor(x)", &[]),
    (&onnx::GREATER, "x > y", &[]),
    (&onnx::GREATER_OR_EQUAL, "x >= y", &[]),
    (
        &onnx::HARD_SIGMOID,
        "max(min(alpha * x + beta, 1), 0)",
        &[("alpha", 0.2), ("beta", 0.5)],
    ),
    (&onnx::HARD_SWISH, "x * max(min(x / 6 + 0.5, 1), 0)", &[]),
    (
        &onnx::LEAKY_RELU,
        "select(x < 0, alpha * x, x)",
        &[("alpha", 0.01)],
    ),
    (&onnx::LESS, "x < y", &[]),
    (&onnx::LESS_OR_EQUAL, "x <= y", &[]),
    (&onnx::LOG, "log(x)", &[]),
    (
        &onnx::MISH,
        "x * tanh(max(x, 0) + log1p(exp(-abs(x))))",
        &[],
    ),
    (&onnx::MUL, "x * y", &[]),
    (&onnx::NEG, "-x", &[]),
    (&onnx::NOT, "not(x)", &[]),
    (&onnx::OR, "or(x, y)", &[]),
    (&onnx::P_RELU, "select(x < 0, y * x, x)", &[]),
    (&onnx::RECIPROCAL, "1 / x", &[]),
    (&onnx::RELU, "max(x, 0)", &[]),
    (&onnx::ROUND, "round(x)", &[]),
    (
        &onnx::SELU,
        "select(x > 0, gamma * x, gamma * alpha * expm1(x))",
        &[
            ("alpha", 1.673_263_192_176_818_8),
            ("gamma", 1.050_701_022_148_132_3),
        ],
    ),
    (
        &onnx::SHRINK,
        "select(x < -lambd, x + bias, select(x > lambd, x - bias, x * 0))",
        &[("lambd", 0.5), ("bias", 0.0)],
    ),
    (&onnx::SIGMOID, "logistic(x)", &[]),
    (&onnx::SIN, "sin(x)", &[]),
    (&onnx::SINH, "sinh(x)", &[]),
    (&onnx::SOFTPLUS, "max(x, 0) + log1p(exp(-abs(x)))", &[]),
    (&onnx::SOFTSIGN, "x / (1 + abs(x))", &[]),
    (&onnx::SQRT, "sqrt(x)", &[]),
    (&onnx::SUB, "x - y", &[]),
    (
        &onnx::SWI_GLU,
        "x * logistic(alpha * x) * y",
        &[("alpha", 1.0)],
    ),
    (&onnx::SWISH, "x * logistic(alpha * x)", &[("alpha", 1.0)]),
    (&onnx::TAN, "tan(x)", &[]),
    (&onnx::TANH, "tanh(x)", &[]),
    (
        &onnx::THRESHOLDED_RELU,
        "select(x > alpha, x, x * 0)",
        &[("alpha", 1.0)],
    ),
    (&onnx::WHERE, "select(x, y, z)", &[]),
    (&onnx::XOR, "xor(x, y)", &[]),
];

/// Every operator that is a formula.
pub(super) fn formula_rows() -> impl Iterator<Item = Row> {
    FORMULAS.iter().map(|row| (row.0, lower_formula as _))
}

/// The lowering of an operator of this file.
pub(super) fn lowering(def: &OpDef) -> Option<Lower> {
    let mut rows = ROWS.iter().copied().chain(formula_rows());
    rows.find(|row| std::ptr::eq(row.0, def)).map(|row| row.1)
}

pub(super) const ROWS: &[Row] = &[
    (&onnx::BIT_CAST, bit_cast),
    (&onnx::BIT_SHIFT, |cx, n| {
        let def = match n.text("direction", "").as_str() {
            "LEFT" => &sh::SHIFT_LEFT,
            _ if cx.is_unsigned(cx.element(n.x(0)?)) => &sh::SHIFT_RIGHT_LOGICAL,
            _ => &sh::SHIFT_RIGHT_ARITHMETIC,
        };
        Ok(vec![cx.ew(def, &[n.x(0)?, n.x(1)?])?])
    }),
    (&onnx::CAST, |cx, n| {
        let ty = n.ty("to").ok_or("it does not say to which type")?;
        Ok(vec![cast(cx, n, n.x(0)?, ty)?])
    }),
    (&onnx::CAST_LIKE, |cx, n| {
        let ty = cx.element(n.x(1)?);
        Ok(vec![cast(cx, n, n.x(0)?, ty)?])
    }),
    (&onnx::CLIP, clip),
    (&onnx::DROPOUT, dropout),
    (&onnx::GELU, |cx, n| {
        let text = match n.text("approximate", "none") == "tanh" {
            true => "0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))",
            false => "0.5 * x * (1 + erf(x * 0.7071067811865476))",
        };
        Ok(vec![cx.formula(text, &[("x", n.x(0)?.into())])?])
    }),
    (&onnx::IS_INF, |cx, n| {
        let x = n.x(0)?;
        let (low, high) = (
            n.flag("detect_negative", true),
            n.flag("detect_positive", true),
        );
        let (least, most) = (f64::NEG_INFINITY.into(), f64::INFINITY.into());
        let text = match (low, high) {
            (true, true) => "abs(x) == most",
            (true, false) => "x == least",
            (false, true) => "x == most",
            (false, false) => "x < x",
        };
        Ok(vec![cx.formula(
            text,
            &[("x", x.into()), ("least", least), ("most", most)],
        )?])
    }),
    (&onnx::IS_NA_N, |cx, n| {
        Ok(vec![cx.formula("x != x", &[("x", n.x(0)?.into())])?])
    }),
    (&onnx::MAX, |cx, n| variadic(cx, n, &sh::MAXIMUM)),
    (&onnx::MEAN, |cx, n| {
        let sum = variadic(cx, n, &sh::ADD)?[0];
        let count = (n.all().len() as f64).into();
        Ok(vec![
            cx.formula("x / n", &[("x", sum.into()), ("n", count)])?,
        ])
    }),
    (&onnx::MIN, |cx, n| variadic(cx, n, &sh::MINIMUM)),
    (&onnx::MOD, modulo),
    (&onnx::POW, pow),
    (&onnx::SIGN, |cx, n| {
        let x = n.x(0)?;
        let ty = cx.element(x);
        match cx.is_unsigned(ty) {
            true => Ok(vec![cx.formula("min(x, 1)", &[("x", x.into())])?]),
            false => Ok(vec![cx.ew(&sh::SIGN, &[x])?]),
        }
    }),
    (&onnx::SUM, |cx, n| variadic(cx, n, &sh::ADD)),
];

fn lower_formula(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let row = FORMULAS.iter().find(|row| std::ptr::eq(row.0, n.def));
    let &(def, text, numbers) = row.ok_or("there is no formula for it")?;
    let mut terms: Vec<(&str, Term)> = Vec::new();
    let mut operands = n.all();
    let count = operator_of(def).map_or(1, |operator| operator.operands.0);
    if operands.len() < count {
        return Err("an operand is absent".into());
    }
    align_to_axis(cx, n, &mut operands)?;
    for (name, value) in ["x", "y", "z"].into_iter().zip(operands) {
        terms.push((name, value.into()));
    }
    for &(name, default) in numbers {
        terms.push((name, n.float(name, default).into()));
    }
    Ok(vec![cx.formula(text, &terms)?])
}

/// Before version 7, the second operand says where in the first it lies.
fn align_to_axis(cx: &mut Cx<'_>, n: &Node, operands: &mut [Value]) -> Result<(), Refused> {
    let (true, &mut [x, ref mut y]) = (n.flag("broadcast", false), &mut *operands) else {
        return Ok(());
    };
    let Some(at) = n.opt_int("axis") else {
        return Ok(());
    };
    let at = axis(at, cx.rank(x))?;
    let mut dims = cx.dims(*y);
    while at + dims.len() < cx.rank(x) {
        dims.push(c(1));
    }
    *y = cx.reshape(*y, &dims)?;
    Ok(())
}

fn variadic(cx: &mut Cx<'_>, n: &Node, def: &'static OpDef) -> Lowered {
    let all = n.all();
    let (&first, rest) = all.split_first().ok_or("it has no operands")?;
    let mut result = first;
    for &value in rest {
        result = cx.ew(def, &[result, value])?;
    }
    Ok(vec![result])
}

/// The greatest finite number of formats that a conversion saturates in.
fn largest(kind: FloatKind) -> Option<f64> {
    Some(match kind {
        FloatKind::F8E4M3FN => 448.0,
        FloatKind::F8E4M3FNUZ => 240.0,
        FloatKind::F8E5M2 | FloatKind::F8E5M2FNUZ => 57344.0,
        _ => return None,
    })
}

/// A conversion as `Cast` has it.
pub(super) fn cast(cx: &mut Cx<'_>, n: &Node, value: Value, ty: Type) -> Result<Value, Refused> {
    let from = cx.element(value);
    let context = cx.context();
    if from == ty {
        return Ok(value);
    }
    if !matches!(
        context.type_kind(ty),
        TypeKind::Float(_) | TypeKind::Integer { .. } | TypeKind::Complex(_)
    ) {
        return Err("its elements become none that are computed with".into());
    }
    if context.float_kind(ty) == Some(FloatKind::F8E8M0FNU) {
        return power_of_two(cx, n, value, ty);
    }
    if let Some(most) = context.float_kind(ty).and_then(largest)
        && n.flag("saturate", true)
        && cx.is_float_type(from)
    {
        let terms = [("x", value.into()), ("m", most.into())];
        let clamped = cx.formula("select(x != x, x, max(min(x, m), -m))", &terms)?;
        return cx.convert(clamped, ty);
    }
    if ty == Type::I1 {
        return cx.formula("x != 0", &[("x", value.into())]);
    }
    // Narrow integers are the low bits of wide ones.
    if cx.is_float_type(from)
        && let Some(width) = context.integer_width(ty)
        && width < 32
    {
        let wide = cx.convert(value, Type::I32)?;
        return cx.convert(wide, ty);
    }
    cx.convert(value, ty)
}

/// The powers of two next to the absolute values of numbers, in a format that is an exponent and nothing else.
fn power_of_two(cx: &mut Cx<'_>, n: &Node, value: Value, ty: Type) -> Result<Value, Refused> {
    let value = cx.convert(value, Type::F32)?;
    let dims = cx.dims(value);
    let number = |cx: &mut Cx<'_>, number| {
        let number = cx.int_scalar(Type::I32, number);
        cx.scalar_tensor(number, Type::I32)
    };
    let bits = cx.type_of(&dims, Type::I32);
    let bits = cx.b.value(&shapes::BITCAST_CONVERT, &[value], bits);
    let bits = cx.sized(bits, &dims);
    let (mantissa_bits, all) = (number(cx, 23), number(cx, 255));
    let exponent = cx.ew(&sh::SHIFT_RIGHT_LOGICAL, &[bits, mantissa_bits])?;
    let exponent = cx.ew(&sh::AND, &[exponent, all])?;
    let (mask, half, zero) = (number(cx, 0x7f_ffff), number(cx, 0x40_0000), number(cx, 0));
    let rest = cx.ew(&sh::AND, &[bits, mask])?;
    let is_up = match n.text("round_mode", "up").as_str() {
        "up" => Some(cx.compare(ComparisonDirection::Gt, rest, zero)?),
        "down" => None,
        "nearest" => {
            // Halves go up, but for the smallest numbers.
            let above = cx.compare(ComparisonDirection::Gt, rest, half)?;
            let is_half = cx.compare(ComparisonDirection::Eq, rest, half)?;
            let is_normal = cx.compare(ComparisonDirection::Gt, exponent, zero)?;
            let half_up = cx.ew(&sh::AND, &[is_half, is_normal])?;
            Some(cx.ew(&sh::OR, &[above, half_up])?)
        }
        other => return Err(format!("there is no 'round_mode' {other}").into()),
    };
    let rounded = match is_up {
        Some(is_up) => {
            let step = cx.convert(is_up, Type::I32)?;
            let next = cx.ew(&sh::ADD, &[exponent, step])?;
            let most = number(cx, if n.flag("saturate", true) { 254 } else { 255 });
            cx.ew(&sh::MINIMUM, &[next, most])?
        }
        None => exponent,
    };
    // Neither infinity nor what is no number has a power.
    let is_special = cx.compare(ComparisonDirection::Eq, exponent, all)?;
    let rounded = cx.select(is_special, exponent, rounded)?;
    let bytes = cx.convert(rounded, Type::I8)?;
    let result = cx.type_of(&dims, ty);
    let value = cx.b.value(&shapes::BITCAST_CONVERT, &[bytes], result);
    Ok(cx.sized(value, &dims))
}

fn bit_cast(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let x = n.x(0)?;
    let ty = n.ty("to").ok_or("it does not say to which type")?;
    let dims = cx.dims(x);
    if cx.element(x) == Type::I1 || ty == Type::I1 {
        // A truth value is a byte.
        return Ok(vec![cx.convert(x, ty)?]);
    }
    let result = cx.type_of(&dims, ty);
    let value = cx.b.value(&shapes::BITCAST_CONVERT, &[x], result);
    Ok(vec![cx.sized(value, &dims)])
}

fn clip(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let mut value = n.x(0)?;
    let bounds = [("min", 1, &sh::MAXIMUM), ("max", 2, &sh::MINIMUM)];
    for (name, index, def) in bounds {
        let bound = match (n.opt_float(name), n.opt(index)) {
            (Some(number), _) => cx.lit_like(value, number),
            (None, Some(bound)) => cx.reshape(bound, &[])?,
            (None, None) => continue,
        };
        value = cx.ew(def, &[value, bound])?;
    }
    Ok(vec![value])
}

fn dropout(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let x = n.x(0)?;
    if n.opset < 7 && n.opt_int("is_test") == Some(0) {
        return Err("it drops elements at random in a version that is not lowered".into());
    }
    if let Some(flag) = n.opt(2)
        && cx.constant_number(flag) != Some(0.0)
    {
        return random_dropout(cx, n, x, flag);
    }
    let dims = cx.dims(x);
    let ty = if n.opset >= 10 {
        Type::I1
    } else {
        cx.element(x)
    };
    let ones = cx.lit(ty, 1.0);
    let mask = match n.is_wanted(1) {
        true => cx.broadcast_to(ones, &dims),
        false => ones,
    };
    Ok(vec![x, mask])
}

/// Elements dropped at random where `flag` is set; the others grow so that the sum stays about the same.
fn random_dropout(cx: &mut Cx<'_>, n: &Node, x: Value, flag: Value) -> Lowered {
    let dims = cx.dims(x);
    let number = uniform(cx, n, &dims);
    let ratio = match n.opt(1) {
        Some(ratio) => {
            let ratio = cx.convert(ratio, Type::F64)?;
            cx.reshape(ratio, &[])?
        }
        None => cx.lit(Type::F64, n.float("ratio", 0.5)),
    };
    let flag = cx.reshape(flag, &[])?;
    let terms = [
        ("u", number.into()),
        ("r", ratio.into()),
        ("f", flag.into()),
    ];
    let mask = cx.formula("or(u >= r, not(f))", &terms)?;
    let scale = cx.formula(
        "select(f, 1 / (1 - r), 1)",
        &[("r", ratio.into()), ("f", flag.into())],
    )?;
    let scale = cx.convert(scale, cx.element(x))?;
    let terms = [("x", x.into()), ("s", scale.into()), ("m", mask.into())];
    Ok(vec![cx.formula("select(m, x * s, 0)", &terms)?, mask])
}

fn modulo(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let (x, y) = (n.x(0)?, n.x(1)?);
    let rest = cx.ew(&sh::REMAINDER, &[x, y])?;
    let ty = cx.element(x);
    if n.flag("fmod", false) || cx.is_unsigned(ty) {
        return Ok(vec![rest]);
    }
    let terms = [("r", rest.into()), ("y", y.into())];
    let text = "select(and(r != 0, xor(r < 0, y < 0)), r + y, r)";
    Ok(vec![cx.formula(text, &terms)?])
}

fn pow(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let (x, y) = (n.x(0)?, n.x(1)?);
    let (base, exponent) = (cx.element(x), cx.element(y));
    if base == exponent {
        return Ok(vec![cx.ew(&sh::POWER, &[x, y])?]);
    }
    if cx.is_float_type(base) {
        let y = cx.convert(y, base)?;
        return Ok(vec![cx.ew(&sh::POWER, &[x, y])?]);
    }
    let common = if cx.is_float_type(exponent) {
        exponent
    } else {
        base
    };
    let (x, y) = (cx.convert(x, common)?, cx.convert(y, common)?);
    let value = cx.ew(&sh::POWER, &[x, y])?;
    Ok(vec![cx.convert(value, base)?])
}
