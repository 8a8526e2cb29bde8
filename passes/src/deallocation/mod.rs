//! What the families of passes that free buffers share.

pub(crate) mod plan;
pub(crate) mod returned_copies;
