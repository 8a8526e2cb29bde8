//! Why a loop is no kernel.

use freehold_frontend::ir::entities::Op;

/// What is in the way of a kernel.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    /// The operation.
    pub(crate) op: Op,
    /// What about it.
    pub(crate) why: &'static str,
}
