//! `FlexAttention` of the domain `ai.onnx.preview`: attention whose scores and weights graphs may change.

use freehold_frontend::dialects::stablehlo::elementwise as sh;
use freehold_frontend::ir::entities::Value;
use freehold_frontend::ir::types::Type;

use super::attention::repeat_heads;
use super::convert_onnx_to_stablehlo::{Driver, lower_block};
use super::graph::Cx;
use super::microsoft::CustomRow;
use super::node::{Lowered, Node, Refused};
use super::products::matmul;
use super::reductions::softmax;

const PREVIEW: &str = "ai.onnx.preview";

pub(super) const ROWS: &[CustomRow] = &[(PREVIEW, "FlexAttention", |cx, n| {
    attention(cx, n, &mut |_, _, value| Ok(value))
})];

/// What a graph of the operator, if it has one of this name, makes of a tensor.
type Modify<'m> = &'m mut dyn FnMut(&mut Cx<'_>, &str, Value) -> Result<Value, Refused>;

/// With graphs.
pub(super) fn lower(cx: &mut Cx<'_>, driver: &mut Driver, n: &Node) -> Lowered {
    if n.text("domain_name", "") != PREVIEW || n.text("function_name", "") != "FlexAttention" {
        return Err("an operator of this domain with graphs is not lowered".into());
    }
    let names = n.texts("graph_names").unwrap_or_default();
    let mut blocks = Vec::new();
    for (i, name) in names.into_iter().enumerate() {
        let region = n.region(cx.b.ir, i);
        let block = cx.b.ir.entry_block(region).ok_or("a graph has no body")?;
        blocks.push((name, block));
    }
    attention(cx, n, &mut |cx, name, value| {
        let Some(&(_, block)) = blocks.iter().find(|block| block.0 == name) else {
            return Ok(value);
        };
        let &[argument] = cx.b.ir.block_args(block) else {
            return Err(format!("'{name}' has not one input").into());
        };
        cx.values.insert(argument, value);
        let before = cx.dims(value);
        match lower_block(cx, driver, block)?[..] {
            [made] if cx.rank(made) == before.len() && cx.element(made) == cx.element(value) => {
                Ok(cx.as_sized(made, &before))
            }
            _ => Err(format!("'{name}' does not give a tensor like its input").into()),
        }
    })
}

fn attention(cx: &mut Cx<'_>, n: &Node, modify: Modify<'_>) -> Lowered {
    let (q, k, v) = (n.x(0)?, n.x(1)?, n.x(2)?);
    let ty = cx.element(q);
    let [_, heads, _, size] = cx.dims(q)[..] else {
        return Err("its operands have not 4 dimensions".into());
    };
    let (k, v) = (repeat_heads(cx, k, heads)?, repeat_heads(cx, v, heads)?);
    let scale = match n.opt_float("scale") {
        Some(scale) => cx.lit(ty, scale.sqrt()),
        None => {
            let size = cx.dim_as(size, Type::F32)?;
            let scale = cx.formula("sqrt(1 / sqrt(x))", &[("x", size.into())])?;
            cx.convert(scale, ty)?
        }
    };
    let q = cx.ew(&sh::MULTIPLY, &[q, scale])?;
    let k = cx.ew(&sh::MULTIPLY, &[k, scale])?;
    let k = cx.transpose(k, &[0, 1, 3, 2]);
    let scores = matmul(cx, q, k, ty)?;
    let default = if ty == Type::F64 {
        Type::F64
    } else {
        Type::F32
    };
    let precision = n.ty("softmax_precision").unwrap_or(default);
    let scores = cx.convert(scores, precision)?;
    let scores = modify(cx, "score_mod", scores)?;
    let weights = softmax(cx, scores, &[3], false)?;
    let weights = modify(cx, "prob_mod", weights)?;
    let v = cx.convert(v, precision)?;
    let result = matmul(cx, weights, v, precision)?;
    Ok(vec![cx.convert(result, ty)?])
}
