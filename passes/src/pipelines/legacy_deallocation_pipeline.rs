//! `legacy-deallocation-pipeline`: from IR without frees to `memref.dealloc`s
//! at fixed places, with as few copies as the passes of this family can do with.

use crate::manage::pass::{OptionDef, OptionKind, PipelineDef};

/// The pipeline.
pub static PIPELINE: PipelineDef = PipelineDef {
    name: "legacy-deallocation-pipeline",
    summary: "free every buffer with copies for aliases: hoisting, deallocation, cleanup, promotion",
    options: &[OptionDef {
        name: "introduce",
        kind: OptionKind::Choice(&["clone", "copy"]),
        default: "clone",
        help: "what to insert: bufferization.clone, or memref.alloc and memref.copy",
    }],
    expand: |option| {
        format!(
            "builtin.module(expand-realloc{{emit-deallocs=false keep-freed=true}},buffer-hoisting,buffer-loop-hoisting,\
             buffer-deallocation{{introduce={}}},expand-realloc,canonicalize,copy-removal,promote-buffers-to-stack)",
            option("introduce")
        )
    },
};
