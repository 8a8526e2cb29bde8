//! `legacy-deallocation-pipeline`: from IR without frees to `memref.dealloc`s
//! at fixed places, with as few copies as the passes of this family can do with.

use crate::canonicalize::canonicalize;
use crate::legacy::buffer_deallocation::{self, Options};
use crate::legacy::{
    buffer_hoisting, buffer_loop_hoisting, copy_removal, promote_buffers_to_stack,
};
use crate::lowering::expand_realloc;
use crate::manage::pass::PipelineDef;
use crate::manage::pipeline::Step;

/// The pipeline. Its options are those of the pass that frees.
pub static PIPELINE: PipelineDef<Options> = PipelineDef {
    name: "legacy-deallocation-pipeline",
    summary: "free every buffer, copying what may alias: hoisting, deallocation, cleanup, promotion",
    steps,
};

/// The passes.
pub fn steps(options: &Options) -> Vec<Step> {
    vec![
        expand_realloc::PASS.with(expand_realloc::Options::BEFORE_DEALLOCATION),
        buffer_hoisting::PASS.step(),
        buffer_loop_hoisting::PASS.step(),
        buffer_deallocation::PASS.with(options.clone()),
        expand_realloc::PASS.step(),
        canonicalize::PASS.step(),
        copy_removal::PASS.step(),
        promote_buffers_to_stack::PASS.step(),
    ]
}
