//! The steps of [`hlo_buffer_reuse`](super::hlo_buffer_reuse): each looks at
//! `memref.alloc` and `memref.dealloc` only, and leaves a program in which
//! every buffer is freed exactly once if it was so before.

mod buffers;
pub(super) mod coalesce;
pub(super) mod copies;
pub(super) mod double_buffer;
pub(super) mod hoist;
pub(super) mod loops;
pub(super) mod stack;
