//! Which passes are tried on which programs.

use crate::support::generator::shape::Shape;
use crate::support::{generator, linalg_programs};

use super::{affine, integers};

/// Programs and passes for them.
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) generate: fn(u64) -> String,
    /// What `opt` does first, if anything.
    pub(super) before: &'static str,
    /// Commands that run a program, one in turn for each.
    pub(super) runs: &'static [&'static str],
    /// Flags of `opt`.
    pub(super) steps: &'static [&'static str],
}

const NATIVE: &[&str] = &["run - -O0"];

/// The interpreter reports what is undefined.
const BOTH: &[&str] = &["run - -O0", "interpret -"];

const TENSORS: linalg_programs::Kind = linalg_programs::Kind {
    control_flow: true,
    reshapes: true,
};

fn tensors(seed: u64) -> String {
    linalg_programs::generate(seed, TENSORS)
}

pub(super) static KINDS: [Kind; 7] = [
    Kind {
        name: "affine",
        generate: affine::generate,
        before: "",
        runs: BOTH,
        steps: &[
            "'--affine-data-copy-generate=fast-mem-space=0'",
            "'--affine-data-copy-generate=fast-mem-space=0 fast-mem-capacity=1'",
            "'--affine-data-copy-generate=fast-mem-space=0 skip-non-unit-stride-loops'",
            "--affine-loop-fusion",
            "--affine-loop-invariant-code-motion",
            "--affine-loop-tile",
            "'--affine-loop-tile=tile-sizes=3,4'",
            "--affine-loop-unroll",
            "'--affine-loop-unroll=unroll-factor=3 unroll-num-reps=2'",
            "'--affine-loop-unroll=unroll-full'",
            "--affine-loop-unroll-jam",
            "'--affine-loop-unroll-jam=unroll-jam-factor=3'",
            "--affine-parallelize",
            "'--affine-parallelize=max-nested=1'",
            "--affine-scalrep",
            "--affine-simplify-structures",
            "'--affine-super-vectorize=virtual-vector-size=4'",
            "'--affine-super-vectorize=virtual-vector-size=4 vectorize-reductions'",
            "'--affine-super-vectorize=virtual-vector-size=4 test-fastest-varying=1'",
            "'--affine-super-vectorize=virtual-vector-size=2,4'",
            "'--affine-super-vectorize=virtual-vector-size=4,2 test-fastest-varying=0,1'",
            "'--affine-super-vectorize=virtual-vector-size=2,4' --convert-vector-to-scf",
            "'--affine-super-vectorize=virtual-vector-size=2,4' --convert-vector-to-scf=full-unroll",
            "--lower-affine --raise-scf-to-affine",
            "--lower-affine --scf-parallel-loop-fusion",
            "--canonicalize",
            "--cse",
            "--fold-memref-alias-ops",
            "--flatten-memref",
            "--loop-invariant-code-motion",
            "--mem2reg",
            "--normalize-memrefs",
            "--sccp",
            "--sroa",
        ],
    },
    Kind {
        name: "integers",
        generate: integers::generate,
        before: "",
        runs: BOTH,
        steps: &[
            "'--memref-emulate-wide-int=widest-int-supported=8'",
            "'--memref-emulate-wide-int=widest-int-supported=16'",
            "--memref-emulate-wide-int",
            "'--memref-emulate-wide-int=widest-int-supported=64'",
        ],
    },
    Kind {
        name: "passed-integers",
        generate: integers::generate_passed,
        before: "",
        runs: BOTH,
        steps: &[
            "'--arith-emulate-wide-int=widest-int-supported=8'",
            "'--arith-emulate-wide-int=widest-int-supported=16'",
            "--arith-emulate-wide-int",
            "'--arith-emulate-wide-int=widest-int-supported=64'",
        ],
    },
    Kind {
        name: "structured",
        generate: |seed| generator::generate(seed, &Shape::STRUCTURED),
        before: "",
        runs: NATIVE,
        steps: OF_BUFFERS,
    },
    Kind {
        name: "all",
        generate: |seed| generator::generate(seed, &Shape::ALL),
        before: "",
        runs: NATIVE,
        steps: OF_BUFFERS,
    },
    Kind {
        name: "tensors",
        generate: tensors,
        before: "",
        runs: NATIVE,
        steps: &[
            "--convert-tensor-to-linalg",
            "--eliminate-empty-tensors",
            "--empty-tensor-to-alloc-tensor",
            "--fold-tensor-subset-ops",
            "--linalg-fold-unit-extent-dims",
            "--linalg-fuse-elementwise-ops",
            "--linalg-generalize-named-ops",
            "--loop-invariant-code-motion",
            "--loop-invariant-subset-hoisting",
            "'--one-shot-bufferize=bufferize-function-boundaries'",
            "'--one-shot-bufferize=bufferize-function-boundaries copy-before-write'",
            "'--one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops buffer-alignment=32'",
            "'--one-shot-bufferize=bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map'",
            "'--one-shot-bufferize=bufferize-function-boundaries function-boundary-type-conversion=fully-dynamic-layout-map'",
            "'--one-shot-bufferize=bufferize-function-boundaries unknown-type-conversion=identity-layout-map'",
            "'--one-shot-bufferize=bufferize-function-boundaries check-parallel-regions=false'",
            "'--one-shot-bufferize=dialect-filter=linalg,bufferization'",
            "'--one-shot-bufferize=allow-unknown-ops'",
            "--reify-result-shapes",
            "--resolve-ranked-shaped-type-result-dims",
            "--resolve-shaped-type-result-dims",
            "--sccp",
            "--remove-dead-values",
            "--inline",
        ],
    },
    Kind {
        name: "bufferized",
        generate: tensors,
        before: "'--one-shot-bufferize=bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map'",
        runs: NATIVE,
        steps: &[
            "--buffer-results-to-out-params",
            "'--buffer-results-to-out-params=hoist-static-allocs'",
            "'--buffer-results-to-out-params=hoist-static-allocs hoist-dynamic-allocs modify-public-functions'",
            "--convert-linalg-to-affine-loops",
            "--convert-linalg-to-affine-loops '--affine-data-copy-generate=fast-mem-space=0'",
            "--convert-linalg-to-affine-loops --affine-loop-fusion",
            "--convert-linalg-to-affine-loops '--affine-super-vectorize=virtual-vector-size=2'",
            "--convert-linalg-to-parallel-loops",
            "--convert-linalg-to-parallel-loops --scf-parallel-loop-fusion",
            "--drop-equivalent-buffer-results",
            "--fold-memref-alias-ops",
            "--generate-runtime-verification",
            "--normalize-memrefs",
            "--flatten-memref",
        ],
    },
];

const OF_BUFFERS: &[&str] = &[
    "--canonicalize",
    "--control-flow-sink",
    "--cse",
    "--drop-equivalent-buffer-results",
    "--buffer-results-to-out-params",
    "'--buffer-results-to-out-params=hoist-static-allocs hoist-dynamic-allocs'",
    "--expand-strided-metadata",
    "--fold-memref-alias-ops",
    "--flatten-memref",
    "--generate-runtime-verification",
    "--inline",
    "'--inline=inlining-threshold=5'",
    "--loop-invariant-code-motion",
    "--mem2reg",
    "--normalize-memrefs",
    "--raise-scf-to-affine",
    "--raise-scf-to-affine --affine-loop-fusion",
    "--raise-scf-to-affine '--affine-data-copy-generate=fast-mem-space=0'",
    "--raise-scf-to-affine --affine-scalrep",
    "--raise-scf-to-affine '--affine-loop-unroll=unroll-factor=2'",
    "--remove-dead-values",
    "--resolve-ranked-shaped-type-result-dims",
    "--sccp",
    "--sroa",
];
