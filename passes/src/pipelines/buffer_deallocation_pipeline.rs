//! `buffer-deallocation-pipeline`: everything from IR without frees to
//! `memref.dealloc`s in the right places.

use crate::lowering::bufferization_lower_deallocations::OPTIONS as LOWERING;
use crate::manage::pass::PipelineDef;
use crate::ownership::ownership_based_buffer_deallocation::DYNAMIC_OWNERSHIP;

/// The pipeline.
pub static PIPELINE: PipelineDef = PipelineDef {
    name: "buffer-deallocation-pipeline",
    summary: "free every buffer: ownership, simplification, lowering and cleanup",
    options: &[DYNAMIC_OWNERSHIP, LOWERING[0], LOWERING[1]],
    expand: |option| {
        format!(
            "builtin.module(expand-realloc{{emit-deallocs=false keep-freed=true}},canonicalize,\
             ownership-based-buffer-deallocation{{private-function-dynamic-ownership={}}},\
             expand-realloc,canonicalize,buffer-deallocation-simplification,\
             bufferization-lower-deallocations{{lowering={} use-runtime={}}},cse,canonicalize)",
            option(DYNAMIC_OWNERSHIP.name),
            option("lowering"),
            option("use-runtime")
        )
    },
};
