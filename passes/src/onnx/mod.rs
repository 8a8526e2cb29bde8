//! From operators of ONNX to StableHLO, linalg, tensor, scf and arith. Nothing behind these passes knows where a program
//! came from.

use crate::rewrite::sizes;

mod attention;
mod constants;
mod control;
pub mod convert_onnx_to_stablehlo;
mod elementwise;
mod expressions;
mod flex;
mod folds;
mod gathers;
mod graph;
mod inputs;
mod integer_products;
mod ints;
mod loops;
mod microsoft;
mod microsoft_quantized;
mod ml;
mod moves;
mod node;
mod normalized;
mod norms;
pub mod onnx_infer_shapes;
mod products;
mod quantization;
mod recurrent;
mod reductions;
mod resize;
mod run_time_axes;
mod sequences;
mod shapes;
mod signal;
mod tfidf;
mod training;
mod trees;
mod vision;
mod weights;
mod windows;

/// All lowerings.
const TABLES: &[&[convert_onnx_to_stablehlo::Row]] = &[
    attention::ROWS,
    elementwise::ROWS,
    gathers::ROWS,
    norms::ROWS,
    products::ROWS,
    quantization::ROWS,
    recurrent::ROWS,
    reductions::ROWS,
    resize::ROWS,
    shapes::ROWS,
    signal::ROWS,
    tfidf::ROWS,
    vision::ROWS,
    windows::ROWS,
];

/// Those of operators of other domains.
const CUSTOM: &[&[microsoft::CustomRow]] = &[
    flex::ROWS,
    microsoft::ROWS,
    microsoft_quantized::ROWS,
    ml::ROWS,
    training::ROWS,
];
