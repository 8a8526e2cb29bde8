//! What lowering one function remembers of its vectors.

use cranelift_codegen::ir::StackSlot;
use freehold_frontend::ir::entities::Value;
use rustc_hash::FxHashMap;

use super::held::{Parts, Sign};

/// The state that lowerings of vectors share.
#[derive(Default)]
pub(crate) struct VectorState {
    /// Whether vector operands stand for one of their elements at the moment.
    pub(crate) in_element: bool,
    /// Integers in vectors that were loaded with twice as many bits as well.
    pub(crate) wide_loads: FxHashMap<Value, (Sign, Parts)>,
    /// Memory for accesses that are left out.
    pub(crate) scratch_slot: Option<StackSlot>,
}
