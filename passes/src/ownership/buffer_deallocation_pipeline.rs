//! `buffer-deallocation-pipeline`: everything from IR without frees to
//! `memref.dealloc`s in the right places.

use super::bufferization_lower_deallocations::OPTIONS;
use crate::pass::PipelineDef;

/// The pipeline.
pub static PIPELINE: PipelineDef = PipelineDef {
    name: "buffer-deallocation-pipeline",
    summary: "free every buffer: ownership, simplification, lowering and cleanup",
    options: OPTIONS,
    expand: |option| {
        format!(
            "builtin.module(expand-realloc{{emit-deallocs=false}},canonicalize,ownership-based-buffer-deallocation,canonicalize,\
             buffer-deallocation-simplification,bufferization-lower-deallocations{{lowering={} use-runtime={}}},cse,canonicalize)",
            option("lowering"),
            option("use-runtime")
        )
    },
};
