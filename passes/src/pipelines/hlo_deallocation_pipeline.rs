//! `hlo-deallocation-pipeline`: everything from IR without frees to frees in
//! the right places, with buffers reused, in the order that MLIR-HLO gives.

use crate::manage::pass::{OptionDef, OptionKind, PipelineDef};

/// The pipeline.
pub static PIPELINE: PipelineDef = PipelineDef {
    name: "hlo-deallocation-pipeline",
    summary: "free every buffer as MLIR-HLO does: owners, simplification, reuse, lowering",
    options: &[
        OptionDef {
            name: "keep-public-signatures",
            kind: OptionKind::Bool,
            default: "false",
            help: "public functions return no owners and copy what they return without owning it",
        },
        OptionDef {
            name: "max-stack-bytes",
            kind: OptionKind::NATURAL,
            default: "4096",
            help: "bytes of buffers that a function may put on the stack",
        },
    ],
    expand: |option| {
        format!(
            "builtin.module(hlo-split-alloc-tensors,canonicalize,hlo-deallocate{{keep-public-signatures={}}},\
             hlo-deallocation-simplification,canonicalize,\
             hlo-buffer-reuse{{max-stack-bytes={}}},canonicalize,hlo-deallocation-simplification,\
             hlo-deallocation-to-scf,expand-realloc)",
            option("keep-public-signatures"),
            option("max-stack-bytes"),
        )
    },
};
