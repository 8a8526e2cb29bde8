//! `hlo-deallocation-pipeline`: everything from IR without frees to frees in
//! the right places, with buffers reused, in the order that MLIR-HLO gives.

use crate::canonicalize::canonicalize;
use crate::hlo::{
    hlo_buffer_reuse, hlo_deallocate, hlo_deallocation_simplification, hlo_deallocation_to_scf,
    hlo_split_alloc_tensors,
};
use crate::lowering::expand_realloc;
use crate::manage::options::pass_options;
use crate::manage::pass::PipelineDef;
use crate::manage::pipeline::Step;
use crate::ownership::{privatize_borrowed_results, return_buffers_once};

pass_options! {
    /// Options of the pipeline.
    pub struct Options {
        /// public functions return no owners and copy what they return without owning it
        "keep-public-signatures" keep_public_signatures: bool = false,
        /// bytes of buffers that a function may put on the stack
        "max-stack-bytes" max_stack_bytes: u64 = 4096,
    }
}

/// The pipeline.
pub static PIPELINE: PipelineDef<Options> = PipelineDef {
    name: "hlo-deallocation-pipeline",
    summary: "free every buffer as MLIR-HLO does: owners, simplification, reuse, lowering",
    steps,
};

/// The passes.
pub fn steps(options: &Options) -> Vec<Step> {
    let deallocate = hlo_deallocate::Options {
        keep_public_signatures: options.keep_public_signatures,
    };
    let reuse = hlo_buffer_reuse::Options {
        max_stack_bytes: options.max_stack_bytes,
    };
    let mut steps = Vec::new();
    // Callers of public functions get copies, which they cannot tell from the originals.
    if options.keep_public_signatures {
        let once = return_buffers_once::Options::default();
        // Addresses that are known become names.
        steps.push(canonicalize::PASS.step());
        steps.push(return_buffers_once::PASS.with(once));
        steps.push(privatize_borrowed_results::PASS.step());
    }
    steps.extend([
        // Expanded first, what grows need not be owned by its block.
        expand_realloc::PASS.with(expand_realloc::Options::BEFORE_DEALLOCATION),
        hlo_split_alloc_tensors::PASS.step(),
        canonicalize::PASS.step(),
        hlo_deallocate::PASS.with(deallocate),
        hlo_deallocation_simplification::PASS.step(),
        canonicalize::PASS.step(),
        hlo_buffer_reuse::PASS.with(reuse),
        canonicalize::PASS.step(),
        hlo_deallocation_simplification::PASS.step(),
        hlo_deallocation_to_scf::PASS.step(),
        expand_realloc::PASS.step(),
    ]);
    steps
}
