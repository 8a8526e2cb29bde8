//! Opset 6 as opset 7: operators that broadcast said along which axis, and others whether they were being trained. Of
//! older ones, operators that did not change before opset 6.

use freehold_frontend::ir::context::Context;
use freehold_frontend::ir::types::Type;

use crate::proto::Node;

/// What makes a node of opset 6 one of opset 7.
#[derive(Default)]
pub(crate) struct Upgrade {
    /// Attributes that opset 7 has not.
    pub(crate) without: Vec<&'static str>,
    /// Dimensions of size one that the second operand gets, so that it broadcasts as those of NumPy do.
    pub(crate) axes: Vec<i64>,
}

/// Operators with one-sided broadcasting.
const BROADCASTING: [&str; 11] = [
    "Add", "And", "Div", "Equal", "Greater", "Less", "Mul", "Or", "Pow", "Sub", "Xor",
];

/// Operators of opset 1 that opset 6 has unchanged.
const UNCHANGED: &[&str] = &[
    "And",
    "ArgMax",
    "ArgMin",
    "AveragePool",
    "Constant",
    "Conv",
    "ConvTranspose",
    "DepthToSpace",
    "Equal",
    "Flatten",
    "Gather",
    "GlobalAveragePool",
    "GlobalMaxPool",
    "Greater",
    "Hardmax",
    "Identity",
    "If",
    "LRN",
    "Less",
    "LogSoftmax",
    "LpNormalization",
    "MatMul",
    "MaxPool",
    "MaxRoiPool",
    "Not",
    "Or",
    "Pow",
    "ReduceL1",
    "ReduceL2",
    "ReduceLogSum",
    "ReduceLogSumExp",
    "ReduceMax",
    "ReduceMean",
    "ReduceMin",
    "ReduceProd",
    "ReduceSum",
    "ReduceSumSquare",
    "Shape",
    "Size",
    "Slice",
    "Softmax",
    "Softplus",
    "Softsign",
    "SpaceToDepth",
    "Squeeze",
    "Transpose",
    "Unsqueeze",
    "Xor",
];

/// Whether an operator of an older version is one of opset 6.
pub(crate) fn is_unchanged(node: &Node) -> bool {
    UNCHANGED.contains(&node.op_type.as_str())
}

/// What to change in a node whose operands have these types.
///
/// # Errors
/// If opset 7 has nothing like it.
pub(crate) fn upgrade(node: &Node, types: &[Type], context: &Context) -> Result<Upgrade, String> {
    let int = |name: &str| {
        let given = node
            .attribute
            .iter()
            .find(|attribute| attribute.name == name);
        given.map(|attribute| attribute.i)
    };
    let rank = |i: usize| Some(context.shape(*types.get(i)?)?.len() as i64);
    let mut upgrade = Upgrade::default();
    let op_type = node.op_type.as_str();
    match op_type {
        "BatchNormalization" | "Dropout" => {
            if int("is_test") != Some(1) || int("spatial") == Some(0) {
                return Err("opset 6 is supported with is_test = 1 alone".into());
            }
            upgrade.without = vec!["is_test", "spatial", "consumed_inputs"];
        }
        "Gemm" => upgrade.without = vec!["broadcast"],
        "GRU" | "LSTM" | "RNN" | "Upsample" => {
            return Err("this operator of opset 6 is not supported".into());
        }
        "PRelu" => {
            // The slopes are one for all, or one for each channel.
            let slopes = types.get(1).and_then(|&ty| context.shape(ty));
            if !slopes.is_some_and(|sizes| sizes.iter().all(|&size| size == 1)) {
                let (Some(rank), Some(1)) = (rank(0), rank(1)) else {
                    return Err("slopes of opset 6 for operands of unknown rank".into());
                };
                upgrade.axes = (1..rank - 1).collect();
            }
        }
        _ if BROADCASTING.contains(&op_type) => {
            upgrade.without = vec!["axis", "broadcast", "consumed_inputs"];
            if let (Some(axis), Some(1)) = (int("axis"), int("broadcast")) {
                let (Some(of_first), Some(of_second)) = (rank(0), rank(1)) else {
                    return Err("opset 6 broadcasts along an axis of an unknown rank".into());
                };
                let axis = if axis < 0 { axis + of_first } else { axis };
                let n = of_first - axis - of_second;
                if axis < 0 || n < 0 {
                    return Err(format!("cannot broadcast along axis {axis}"));
                }
                upgrade.axes = (of_second..of_second + n).collect();
            }
        }
        _ => upgrade.without = vec!["consumed_inputs"],
    }
    Ok(upgrade)
}
