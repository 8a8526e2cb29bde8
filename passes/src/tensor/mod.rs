//! Transformations of operations on tensors, before there are buffers.

pub mod linalg_fuse_elementwise_ops;
pub mod linalg_interchange_reductions;
pub mod linalg_simplify;
mod results;
