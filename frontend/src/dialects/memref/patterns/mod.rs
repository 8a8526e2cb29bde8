//! Canonicalization of memref operations: allocations, casts, views, shapes.
//!
//! Each list is what one row of the dialect refers to. Patterns look at the
//! operation, what defines its operands and who uses its results, never along
//! the block.

use crate::ir::entities::{Op, Value};
use crate::ir::op_def::Pattern;
use crate::ir::rewriter::Rewriter;

use super::views::CAST;

mod alloc;
mod casts;
mod scope;
mod shapes;
mod views;

pub(crate) use alloc::erase_users;
pub use alloc::is_never_read;
pub(crate) use casts::{cast_source, fold_ranked_cast};

pub(super) const ALLOC: &[Pattern] = &[
    Pattern {
        name: "memref-alloc-constant-sizes",
        apply: alloc::constant_sizes,
    },
    Pattern {
        name: "memref-dead-alloc",
        apply: alloc::dead,
    },
];
pub(super) const REALLOC: &[Pattern] = &[Pattern {
    name: "memref-dead-realloc",
    apply: alloc::dead_realloc,
}];
pub(super) const ALLOCA_SCOPE: &[Pattern] = &[
    Pattern {
        name: "memref-inline-alloca-scope",
        apply: scope::inline,
    },
    Pattern {
        name: "memref-hoist-out-of-alloca-scope",
        apply: scope::hoist,
    },
    Pattern {
        name: "memref-unused-results-of-alloca-scope",
        apply: scope::remove_unused_results,
    },
];
/// Operations whose first operand may be the source of a ranked cast instead.
pub(super) const USES_MEMREF_FIRST: &[Pattern] = &[Pattern {
    name: "memref-fold-cast-into-user",
    apply: |rw, op| casts::fold_ranked_cast(rw, op, 0),
}];
/// The same for the second operand.
pub(super) const USES_MEMREF_SECOND: &[Pattern] = &[Pattern {
    name: "memref-fold-cast-into-user",
    apply: |rw, op| casts::fold_ranked_cast(rw, op, 1),
}];
pub(super) const DMA_START: &[Pattern] = &[Pattern {
    name: "memref-fold-cast-into-user",
    apply: casts::dma_start,
}];
pub(super) const CAST_CAST: &[Pattern] = &[Pattern {
    name: "memref-cast-of-cast",
    apply: casts::cast_of_cast,
}];
pub(super) const MEMORY_SPACE_CAST: &[Pattern] = &[Pattern {
    name: "memref-memory-space-cast-of-memory-space-cast",
    apply: casts::memory_space_cast_of_same,
}];
pub(super) const COPY: &[Pattern] = &[
    Pattern {
        name: "memref-no-copy",
        apply: casts::no_copy,
    },
    Pattern {
        name: "memref-fold-cast-into-copy",
        apply: casts::copy,
    },
];
pub(super) const DIM: &[Pattern] = &[
    Pattern {
        name: "memref-dim-of-cast",
        apply: casts::dim,
    },
    Pattern {
        name: "memref-dim-of-reshape",
        apply: shapes::dim_of_reshape,
    },
    Pattern {
        name: "memref-dim-of-collapse-shape",
        apply: shapes::dim_of_collapse,
    },
];
pub(super) const EXTRACT_STRIDED_METADATA: &[Pattern] = &[Pattern {
    name: "memref-constant-metadata",
    apply: views::constant_metadata,
}];
pub(super) const SUBVIEW: &[Pattern] = &[
    Pattern {
        name: "memref-subview-constants",
        apply: views::subview_constants,
    },
    Pattern {
        name: "memref-subview-of-cast",
        apply: views::subview_of_cast,
    },
    Pattern {
        name: "memref-subview-of-all",
        apply: views::subview_of_all,
    },
];
pub(super) const VIEW: &[Pattern] = &[
    Pattern {
        name: "memref-view-constants",
        apply: views::view_constants,
    },
    Pattern {
        name: "memref-view-of-cast",
        apply: views::view_of_cast,
    },
];
pub(super) const REINTERPRET_CAST: &[Pattern] = &[
    Pattern {
        name: "memref-reinterpret-cast-of-view",
        apply: views::reinterpret_cast_of_view,
    },
    Pattern {
        name: "memref-reinterpret-cast-of-metadata",
        apply: views::reinterpret_cast_of_metadata,
    },
];
pub(super) const TRANSPOSE: &[Pattern] = &[Pattern {
    name: "memref-transpose-of-transpose",
    apply: shapes::transpose_of_transpose,
}];
pub(super) const EXPAND_SHAPE: &[Pattern] = &[
    Pattern {
        name: "memref-expand-of-expand",
        apply: shapes::expand_of_expand,
    },
    Pattern {
        name: "memref-expand-of-collapse",
        apply: shapes::expand_of_collapse,
    },
];
pub(super) const COLLAPSE_SHAPE: &[Pattern] = &[
    Pattern {
        name: "memref-collapse-of-collapse",
        apply: shapes::collapse_of_collapse,
    },
    Pattern {
        name: "memref-collapse-of-expand",
        apply: shapes::collapse_of_expand,
    },
    Pattern {
        name: "memref-collapse-of-cast",
        apply: shapes::collapse_of_cast,
    },
];

/// Replaces `op`, which has one result, by a value of maybe another type.
fn replace_with_cast(rw: &mut Rewriter<'_>, op: Op, value: Value) {
    let ty = rw.ir.value_type(rw.ir.result(op, 0));
    let value = if rw.ir.value_type(value) == ty {
        value
    } else {
        rw.value_before(op, &CAST, &[value], ty)
    };
    rw.replace_op(op, &[value]);
}
