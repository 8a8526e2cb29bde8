//! From tensors, which are values, to buffers, which are memory.
//!
//! Reading order: [`one_shot_bufferize`] is the pass: it changes functions and
//! their calls together and makes globals of constants. `in_place` decides,
//! before anything is changed, which operations may write into a buffer that
//! is there already; its module doc says why that is right. `move_reads` and `reuse_inputs` let more operations do so. `rewrite` carries
//! it out operation by operation, `tensor_ops` those of the tensor and
//! bufferization dialects, `declared` those that a file declares, into buffers whose memory spaces `spaces` finds. [`convert_elementwise_to_linalg`] comes before, for
//! arithmetic on whole tensors. Nothing is freed here: the families of
//! deallocation look at the result like at any other program; only `create_deallocs` frees what it may, if asked.

mod annotate;
pub mod convert_elementwise_to_linalg;
mod create_deallocs;
mod declared;
pub mod empty_tensor_to_alloc_tensor;
pub mod finalizing_bufferize;
mod in_place;
mod move_reads;
pub mod one_shot_bufferize;
mod reuse_inputs;
mod rewrite;
mod slices;
mod spaces;
mod tensor_ops;
