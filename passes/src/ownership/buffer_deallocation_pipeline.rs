//! `buffer-deallocation-pipeline`: everything from IR without frees to
//! `memref.dealloc`s in the right places.

use crate::pass::{OptionDef, OptionKind, PipelineDef};

/// The pipeline.
pub static PIPELINE: PipelineDef = PipelineDef {
    name: "buffer-deallocation-pipeline",
    summary: "free every buffer: ownership, simplification, lowering and cleanup",
    options: &[OptionDef {
        name: "lowering",
        kind: OptionKind::Choice(&["auto", "generic", "specialized"]),
        default: "auto",
        help: "how deallocs with several operands are lowered",
    }],
    expand: |option| {
        format!(
            "builtin.module(expand-realloc{{emit-deallocs=false}},canonicalize,ownership-based-buffer-deallocation,canonicalize,\
             buffer-deallocation-simplification,bufferization-lower-deallocations{{lowering={}}},cse,canonicalize)",
            option("lowering")
        )
    },
};
