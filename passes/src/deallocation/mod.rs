//! What the families of passes that free buffers share.

pub(crate) mod plan;
