//! Named pipelines: the sequences of passes that belong together, across the families.

pub mod buffer_deallocation_pipeline;
pub mod convert_onnx_to_linalg;
pub mod hlo_deallocation_pipeline;
pub mod legacy_deallocation_pipeline;
pub mod native_pipeline;
