//! From tensors, which are values, to buffers, which are memory.
//!
//! Reading order: [`one_shot_bufferize`] is the pass: it changes functions and
//! their calls together and makes globals of constants. `in_place` decides,
//! before anything is changed, which operations may write into a buffer that
//! is there already; its module doc says why that is right. `rewrite` carries
//! it out operation by operation, `tensor_ops` those of the tensor and
//! bufferization dialects. Nothing is freed here: the families of
//! deallocation look at the result like at any other program.

mod in_place;
pub mod one_shot_bufferize;
mod rewrite;
mod tensor_ops;
