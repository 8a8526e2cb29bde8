//! Operators of the domain `com.microsoft` on numbers of 8 and 16 bits, most of them what quantization by onnxruntime
//! writes.

use freehold_frontend::dialects::stablehlo::elementwise as sh;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::Type;

use super::graph::Cx;
use super::integer_products::integer_matmul;
use super::microsoft::{CustomRow, MS};
use super::node::{Lowered, Node, Refused, axis};
use super::quantization::{
    as_parameter, dequantize_linear, dynamic_range, quantize, quantize_linear, zero_point,
};
use super::recurrent::dynamic_quantize_lstm;
use super::reductions::softmax;
use super::windows::average_pool_of;
use freehold_frontend::ir::op_def::OpDef;

pub(super) const ROWS: &[CustomRow] = &[
    (MS, "DequantizeLinear", dequantize_linear),
    (MS, "DynamicQuantizeLSTM", dynamic_quantize_lstm),
    (MS, "DynamicQuantizeMatMul", |cx, n| {
        let value = n.x(0)?;
        let (scale, zero) = dynamic_range(cx, value)?;
        let zero = cx.convert(zero, Type::I32)?;
        let ty = freehold_frontend::dialects::onnx::element_type(&cx.context(), 2);
        let ty = ty.ok_or("there is no type of 8 bits")?;
        let point = cx.convert(zero, ty)?;
        let numbers = quantize(cx, value, scale, Some(point), ty)?;
        let parts = [numbers, n.x(1)?];
        integer_product(
            cx,
            parts,
            [scale, n.x(2)?],
            [Some(point), n.opt(3)],
            n.opt(4),
        )
    }),
    (MS, "MatMulIntegerToFloat", |cx, n| {
        let (parts, scales) = ([n.x(0)?, n.x(1)?], [n.x(2)?, n.x(3)?]);
        integer_product(cx, parts, scales, [n.opt(4), n.opt(5)], n.opt(6))
    }),
    (MS, "QGemm", q_gemm),
    (MS, "QLinearAdd", |cx, n| q_linear_binary(cx, n, &sh::ADD)),
    (MS, "QLinearAveragePool", |cx, n| {
        let mut value = real(cx, n.x(0)?, n.x(1)?, n.opt(2))?;
        let rank = cx.rank(value);
        if rank < 3 {
            return Err("its operand has fewer than 3 dimensions".into());
        }
        let last = n.flag("channels_last", false);
        // Channels behind the batch, and back.
        let to: Vec<usize> = [0, rank - 1].into_iter().chain(1..rank - 1).collect();
        let back: Vec<usize> = [0].into_iter().chain(2..rank).chain([1]).collect();
        if last {
            value = cx.transpose(value, &to);
        }
        // ONNX Runtime divides by the size of the window.
        let mut mean = average_pool_of(cx, n, value, true)?;
        if last {
            mean = cx.transpose(mean, &back);
        }
        let zero = zero_or_none(cx, n, 4)?;
        quantized(cx, mean, n.x(3)?, zero)
    }),
    (MS, "QLinearConcat", |cx, n| {
        let mut parts = Vec::new();
        for i in (2..n.operands.len()).step_by(3) {
            parts.push(real(cx, n.x(i)?, n.x(i + 1)?, n.opt(i + 2))?);
        }
        let first = *parts.first().ok_or("it has no operands")?;
        let dim = axis(n.int("axis", 0), cx.rank(first))?;
        let all = cx.concat(&parts, dim)?;
        quantized(cx, all, n.x(0)?, n.x(1)?)
    }),
    (MS, "QLinearGlobalAveragePool", |cx, n| {
        let value = real(cx, n.x(0)?, n.x(1)?, n.opt(2))?;
        let rank = cx.rank(value);
        let over: Vec<usize> = match n.flag("channels_last", false) {
            true => (1..rank - 1).collect(),
            false => (2..rank).collect(),
        };
        let mean = cx.mean(value, &over)?;
        quantized(cx, mean, n.x(3)?, n.x(4)?)
    }),
    (MS, "QLinearLeakyRelu", |cx, n| {
        let value = real(cx, n.x(0)?, n.x(1)?, n.opt(2))?;
        let terms = [("x", value.into()), ("a", n.float("alpha", 0.01).into())];
        let value = cx.formula("select(x < 0, a * x, x)", &terms)?;
        quantized(cx, value, n.x(3)?, n.x(4)?)
    }),
    (MS, "QLinearMul", |cx, n| {
        q_linear_binary(cx, n, &sh::MULTIPLY)
    }),
    (MS, "QLinearSigmoid", |cx, n| {
        let value = real(cx, n.x(0)?, n.x(1)?, n.opt(2))?;
        let value = cx.formula("logistic(x)", &[("x", value.into())])?;
        quantized(cx, value, n.x(3)?, n.x(4)?)
    }),
    (MS, "QLinearSoftmax", |cx, n| {
        let value = real(cx, n.x(0)?, n.x(1)?, n.opt(2))?;
        let rank = cx.rank(value);
        let from = axis(n.int("axis", -1), rank)?;
        let dims: Vec<usize> = match n.int("opset", 13) < 13 {
            true => (from..rank).collect(),
            false => vec![from],
        };
        let weights = softmax(cx, value, &dims, false)?;
        quantized(cx, weights, n.x(3)?, n.x(4)?)
    }),
    (MS, "QLinearWhere", |cx, n| {
        let first = real(cx, n.x(1)?, n.x(2)?, n.opt(3))?;
        let second = real(cx, n.x(4)?, n.x(5)?, n.opt(6))?;
        let value = cx.select(n.x(0)?, first, second)?;
        quantized(cx, value, n.x(7)?, n.x(8)?)
    }),
    (MS, "QuantizeLinear", quantize_linear),
];

/// A zero point, which is 0 if it is absent.
fn zero_or_none(cx: &mut Cx<'_>, n: &Node, index: usize) -> Result<Value, Refused> {
    match n.opt(index) {
        Some(zero) => Ok(zero),
        None => {
            let ty = cx.element(n.x(0)?);
            Ok(cx.lit(ty, 0.0))
        }
    }
}

fn real(
    cx: &mut Cx<'_>,
    value: Value,
    scale: Value,
    zero: Option<Value>,
) -> Result<Value, Refused> {
    let mut number = cx.convert(value, Type::I32)?;
    if let Some(zero) = zero {
        let zero = zero_point(cx, zero, Type::I32)?;
        number = cx.ew(&sh::SUBTRACT, &[number, zero])?;
    }
    let number = cx.convert(number, Type::F32)?;
    let scale = as_parameter(cx, scale)?;
    cx.ew(&sh::MULTIPLY, &[number, scale])
}

fn quantized(cx: &mut Cx<'_>, value: Value, scale: Value, zero: Value) -> Lowered {
    let ty = cx.element(zero);
    let scale = as_parameter(cx, scale)?;
    Ok(vec![quantize(cx, value, scale, Some(zero), ty)?])
}

fn q_linear_binary(cx: &mut Cx<'_>, n: &Node, def: &'static OpDef) -> Lowered {
    let first = real(cx, n.x(0)?, n.x(1)?, n.opt(2))?;
    let second = real(cx, n.x(3)?, n.x(4)?, n.opt(5))?;
    let value = cx.ew(def, &[first, second])?;
    quantized(cx, value, n.x(6)?, n.x(7)?)
}

/// A product of 8-bit numbers as floats.
fn integer_product(
    cx: &mut Cx<'_>,
    [p, q]: [Value; 2],
    scales: [Value; 2],
    zeros: [Option<Value>; 2],
    bias: Option<Value>,
) -> Lowered {
    let sums = integer_matmul(cx, [p, q], zeros)?;
    let sums = cx.convert(sums, Type::F32)?;
    let [s, t] = [as_parameter(cx, scales[0])?, as_parameter(cx, scales[1])?];
    let terms = [("x", sums.into()), ("s", s.into()), ("t", t.into())];
    let value = cx.formula("x * (s * t)", &terms)?;
    match bias {
        Some(bias) => Ok(vec![cx.ew(&sh::ADD, &[value, bias])?]),
        None => Ok(vec![value]),
    }
}

/// A product of matrices with zero points, and a number that is added to its sums.
fn q_gemm(cx: &mut Cx<'_>, n: &Node) -> Lowered {
    let (mut left, mut right) = (n.x(0)?, n.x(3)?);
    if cx.rank(left) != 2 || cx.rank(right) != 2 {
        return Err("its operands are no matrices".into());
    }
    if n.flag("transA", false) {
        left = cx.transpose(left, &[1, 0]);
    }
    if n.flag("transB", false) {
        right = cx.transpose(right, &[1, 0]);
    }
    let mut sums = integer_matmul(cx, [left, right], [n.opt(2), n.opt(5)])?;
    if let Some(other) = n.opt(6) {
        sums = cx.ew(&sh::ADD, &[sums, other])?;
    }
    let sums = cx.convert(sums, Type::F32)?;
    let [s, t] = [as_parameter(cx, n.x(1)?)?, as_parameter(cx, n.x(4)?)?];
    let terms = [
        ("x", sums.into()),
        ("s", s.into()),
        ("t", t.into()),
        ("a", n.float("alpha", 1.0).into()),
    ];
    let value = cx.formula("x * (s * t * a)", &terms)?;
    match n.opt(7) {
        Some(scale) => {
            let zero = n.x(8)?;
            quantized(cx, value, scale, zero)
        }
        None => Ok(vec![value]),
    }
}
