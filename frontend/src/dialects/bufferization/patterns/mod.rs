//! Canonicalization of bufferization operations.

use crate::ir::op_def::Pattern;

mod alias;
mod clone;
mod dealloc;
mod tensors;

pub(super) use tensors::{fold_to_memref, fold_to_tensor};

pub(super) const CLONE: &[Pattern] = &[
    Pattern {
        name: "bufferization-dead-clone",
        apply: clone::dead,
    },
    Pattern {
        name: "bufferization-clone-of-cast",
        apply: clone::of_cast,
    },
    Pattern {
        name: "bufferization-needless-clone",
        apply: clone::needless,
    },
];
pub(super) const DEALLOC: &[Pattern] = &[
    Pattern {
        name: "bufferization-dealloc-duplicate-memrefs",
        apply: dealloc::duplicate_memrefs,
    },
    Pattern {
        name: "bufferization-dealloc-duplicate-retained",
        apply: dealloc::duplicate_retained,
    },
    Pattern {
        name: "bufferization-empty-dealloc",
        apply: dealloc::empty,
    },
    Pattern {
        name: "bufferization-dealloc-never",
        apply: dealloc::constant_false,
    },
    Pattern {
        name: "bufferization-dealloc-of-base-buffer",
        apply: dealloc::base_buffer_of_allocation,
    },
    Pattern {
        name: "bufferization-dealloc-of-unused-allocation",
        apply: dealloc::unused_allocation,
    },
];
pub(super) const TO_MEMREF: &[Pattern] = &[Pattern {
    name: "bufferization-to-memref-of-to-tensor",
    apply: tensors::to_memref_of_to_tensor,
}];
