//! `onnx-infer-shapes`: values get the types that operators give them.
//!
//! Before:
//! ```mlir
//! %0 = "onnx.Flatten"(%a) {axis = 1 : si64} : (tensor<?x3x4xf32>) -> tensor<*xf32>
//! ```
//! After:
//! ```mlir
//! %0 = "onnx.Flatten"(%a) {axis = 1 : si64} : (tensor<?x3x4xf32>) -> tensor<?x12xf32>
//! ```
//!
//! The types are those of what `convert-onnx-to-stablehlo` builds, which is thrown away: there is one place that knows
//! shapes. Values that are not lowered keep the type that the model gives them.

use super::convert_onnx_to_stablehlo::infer;
use crate::manage::pass::{Anchor, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "onnx-infer-shapes",
    summary: "give values of ONNX models the types that follow from their operators",
    anchor: Anchor::Module,
    run: |ir, _| {
        infer(ir);
        Ok(())
    },
};
