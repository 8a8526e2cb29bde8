//! Batch normalizations that become part of the weights of the operator in front of them.

use freehold_frontend::dialects::onnx::rows as onnx;
use freehold_frontend::ir::types::Type;

use super::graph::Cx;
use super::node::Node;

/// What a normalization makes of the result of an operator that only it reads, if that is known: a factor and a summand
/// for each feature. It is noted that the operator does it.
pub(super) fn fold_normalization(
    cx: &mut Cx<'_>,
    n: &Node,
    features: usize,
) -> Option<[Vec<f64>; 2]> {
    let result = cx.b.ir.result(n.op, 0);
    let &[user] = cx.b.ir.uses(result) else {
        return None;
    };
    let op = user.op;
    if !cx.b.ir.is(op, &onnx::BATCH_NORMALIZATION) || user.index != 0 {
        return None;
    }
    let normalization = Node::new(cx.b.ir, op, Vec::new(), n.opset);
    let is_plain = normalization.opset >= 9 && !normalization.flag("training_mode", false);
    let operands = cx.b.ir.operands(op).to_vec();
    if !is_plain || operands.len() != 5 || (1..5).any(|i| normalization.is_wanted(i)) {
        return None;
    }
    let mut lists = Vec::new();
    for operand in &operands[1..] {
        let value = *cx.values.get(operand)?;
        if cx.element(value) != Type::F32 {
            return None;
        }
        lists.push(cx.constant_numbers(value)?);
    }
    let [scale, bias, mean, variance] = &lists[..] else {
        return None;
    };
    if lists.iter().any(|list| list.len() != features) {
        return None;
    }
    let epsilon = normalization.float("epsilon", 1e-5);
    let factors: Vec<f64> = (scale.iter().zip(variance))
        .map(|(scale, variance)| scale / (variance + epsilon).sqrt())
        .collect();
    let summands = (0..factors.len())
        .map(|i| bias[i] - mean[i] * factors[i])
        .collect();
    cx.folded.insert(op);
    Some([factors, summands])
}
