//! `buffer-deallocation-pipeline`: everything from IR without frees to
//! `memref.dealloc`s in the right places.

use crate::canonicalize::{canonicalize, cse};
use crate::lowering::bufferization_lower_deallocations::{self, Lowering};
use crate::lowering::expand_realloc;
use crate::manage::options::pass_options;
use crate::manage::pass::PipelineDef;
use crate::manage::pipeline::Step;
use crate::ownership::{
    buffer_deallocation_simplification, ownership_based_buffer_deallocation,
    privatize_borrowed_results,
};

pass_options! {
    /// Options of the pipeline.
    pub struct Options {
        /// private functions return an i1 per buffer that tells whether the caller owns it,
        /// instead of a clone
        "private-function-dynamic-ownership" private_function_dynamic_ownership: bool = false,
        /// private functions do so only if they may return an argument or a global; callers of
        /// public ones call private versions
        "borrowed-results" borrowed_results: bool = false,
        /// compare inline (specialized), in a function of the module (generic) or of the
        /// runtime library (runtime), or choose by the number of operands (auto)
        "lowering" lowering: Lowering = Lowering::Auto,
        /// the program is linked with the runtime library: auto may call it, and large arrays
        /// are borrowed from it
        "use-runtime" use_runtime: bool = false,
    }
}

/// The pipeline.
pub static PIPELINE: PipelineDef<Options> = PipelineDef {
    name: "buffer-deallocation-pipeline",
    summary: "free every buffer: ownership, simplification, lowering, cleanup",
    steps,
};

/// The passes.
pub fn steps(options: &Options) -> Vec<Step> {
    let ownership = ownership_based_buffer_deallocation::Options {
        private_function_dynamic_ownership: options.private_function_dynamic_ownership,
        borrowed_results: options.borrowed_results,
        ..Default::default()
    };
    let lowering = bufferization_lower_deallocations::Options {
        lowering: options.lowering,
        use_runtime: options.use_runtime,
    };
    let mut steps = vec![
        expand_realloc::PASS.with(expand_realloc::Options::BEFORE_DEALLOCATION),
        canonicalize::PASS.step(),
    ];
    if options.borrowed_results {
        steps.push(privatize_borrowed_results::PASS.step());
    }
    steps.extend([
        ownership_based_buffer_deallocation::PASS.with(ownership),
        expand_realloc::PASS.step(),
        canonicalize::PASS.step(),
        buffer_deallocation_simplification::PASS.step(),
        bufferization_lower_deallocations::PASS.with(lowering),
        cse::PASS.step(),
        canonicalize::PASS.step(),
    ]);
    steps
}
