//! `convert-onnx-to-linalg`: models become linalg, tensor, scf, arith and math.

use crate::manage::pass::PipelineDef;
use crate::manage::pipeline::Step;
use crate::onnx::convert_onnx_to_stablehlo;
use crate::stablehlo::stablehlo_legalize_to_linalg;

/// The pipeline.
pub static PIPELINE: PipelineDef<()> = PipelineDef {
    name: "convert-onnx-to-linalg",
    summary: "turn operators of ONNX into linalg, tensor, scf, arith and math",
    steps,
};

/// The passes.
pub fn steps((): &()) -> Vec<Step> {
    vec![
        convert_onnx_to_stablehlo::PASS.step(),
        stablehlo_legalize_to_linalg::PASS.step(),
    ]
}
