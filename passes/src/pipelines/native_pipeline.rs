//! `native-pipeline`: everything that happens to a program between its text and code generation. `run`,
//! `compile` and the library take their passes from here.

use crate::async_::{async_func_to_async_runtime, outline_async_bodies, run_async_in_order};
use crate::bufferize::one_shot_bufferize::BoundaryLayout;
use crate::bufferize::{convert_elementwise_to_linalg, one_shot_bufferize};
use crate::canonicalize::{canonicalize, cse, inline};
use crate::check::verify_requests;
use crate::legacy::buffer_deallocation::{self, Introduce};
use crate::loops::{
    contract_buffers, convert_loops_to_library_calls, convert_strided_copies_to_loops,
    fold_constant_loads, forward_stores, fuse_loops, hoist_loop_loads, hoist_vector_reductions,
    interchange_loops, isolate_vectors, merge_column_copies, parallelize_loops,
    promote_carried_buffers, promote_loop_accesses, unroll_and_jam_loops, unroll_loops,
    vectorize_loops,
};
use crate::lowering::bufferization_lower_deallocations::Lowering;
use crate::lowering::lower_vectors::MatrixLayout;
use crate::lowering::{
    bound_stack, bufferization_lower_deallocations, check_sizes, convert_bufferization_to_memref,
    convert_declared_to_calls, convert_iree_linalg_ext_to_loops, convert_linalg_to_library_calls,
    convert_linalg_to_loops, convert_scf_to_cf, convert_to_signless, convert_unsigned_loops,
    expand_realloc, expand_unranked_copies, flush_denormals, fuse_multiply_add, legalize_elements,
    lower_affine, lower_vectors, math_polynomial_approximation, outline_equal_loops,
    outline_parallel_loops, parallel_loops, raise_llvm, set_fastmath_flags, strip_model_wrappers,
};
use crate::manage::fp_policy::FpPolicy;
use crate::manage::options::{option_words, pass_options};
use crate::manage::pass::PipelineDef;
use crate::manage::pipeline::Step;
use crate::merge_alloc::merge_alloc::Alignment;
use crate::merge_alloc::{
    bound_loop_allocations, mark_allocation_free_calls, merge_alloc, reserve_peak,
    reuse_loop_buffers, use_workspace,
};
use crate::mpi::interface::Implementation;
use crate::mpi::{
    carry_request_buffers, convert_mpi_to_calls, delay_mpi_waits, keep_request_buffers,
};
use crate::onnx::convert_onnx_to_stablehlo;
use crate::ownership::{
    buffer_results_to_out_params, donated_arguments, ownership_based_buffer_deallocation,
    return_buffers_once, verify_returned_buffers,
};
use crate::pipelines::{
    buffer_deallocation_pipeline, hlo_deallocation_pipeline, legacy_deallocation_pipeline,
};
use crate::stablehlo::{
    drop_shardings, stablehlo_collectives_to_mpi, stablehlo_drop_bounds,
    stablehlo_legalize_called_computations, stablehlo_legalize_quant_to_math,
    stablehlo_legalize_to_linalg, stablehlo_partition, stablehlo_select_masked_products,
};
use crate::tensor::{
    convert_tensor_to_linalg, decompose_tensor_ops, eliminate_empty_tensors,
    linalg_bubble_up_slices, linalg_cse_reductions, linalg_decompose_winograd_ops,
    linalg_fold_constants, linalg_fold_transposes_into_contractions, linalg_fuse_elementwise_ops,
    linalg_hoist_invariants, linalg_hoist_products, linalg_interchange_reductions,
    linalg_separate_windows, linalg_simplify, linalg_split_batches, linalg_split_reductions,
    resolve_result_dims, simplify_tensor_loops,
};

option_words! {
    /// Deallocation strategy.
    pub enum Dealloc {
        /// Ownership decided at compile time, with run-time flags only where paths differ.
        Ownership = "ownership",
        /// MLIR-HLO's: owners travel along with buffers, freed buffers are reused.
        Hlo = "hlo",
        /// One fixed place per buffer, with clones where a value may be one of several buffers.
        Clone = "clone",
        /// Like clone, with allocations and copies instead of clones.
        Copy = "copy",
        /// Only the program's own deallocations.
        Nothing = "none",
    }
}

option_words! {
    /// Which allocations are merged.
    pub enum MergeAlloc {
        /// None.
        Nothing = "never",
        /// Only where the program's peak provably does not rise.
        NeverGrow = "never-grow",
        /// All with known live ranges: never more allocations, possibly a higher peak.
        Always = "always",
    }
}

option_words! {
    /// Source of temporary buffers.
    pub enum Workspace {
        /// From `malloc`.
        Nothing = "none",
        /// From their callers.
        Argument = "argument",
        /// From static arrays.
        Static = "static",
    }
}

option_words! {
    /// What the program may call of the runtime library.
    pub enum Library {
        /// Nothing: it is linked without it.
        Absent = "absent",
        /// What accesses no elements: accesses are checked where the program makes them.
        NoAccesses = "no-accesses",
        /// Everything.
        Whole = "whole",
    }
}

pass_options! {
    /// Options of the pipeline.
    pub struct Options {
        /// deallocation strategy
        "dealloc" dealloc: Dealloc = Dealloc::Ownership,
        /// with dealloc=ownership: private functions return an i1 per buffer that tells whether the
        /// caller owns it, instead of a clone
        "private-function-dynamic-ownership" private_function_dynamic_ownership: bool = false,
        /// bytes of buffers that a chain of calls may put on the stack; without, passes keep to limits per function
        "max-stack-bytes" max_stack_bytes: Option<u64> = None,
        /// lowering of deallocs with several operands
        "lowering" lowering: Lowering = Lowering::Auto,
        /// merge allocations into arenas planned from their live ranges
        "merge-alloc" merge_alloc: MergeAlloc = MergeAlloc::NeverGrow,
        /// leave the plans of merged allocations as attributes
        "annotate-plans" annotate_plans: bool = false,
        /// let malloc keep the memory of large buffers between calls
        "reserve-peak" reserve_peak: bool = false,
        /// source of temporary buffers; results of functions then become out params
        "workspace" workspace: Workspace = Workspace::Nothing,
        /// which parts of the runtime library the program may call
        "library" library: Library = Library::Absent,
        /// call the library for contractions, fills and copies if it is there
        "library-calls" library_calls: bool = true,
        /// memory is checked: keep owned buffers on the heap, where the checker sees them
        "checks" checks: bool = false,
        /// check sizes that are known at run time
        "size-checks" size_checks: bool = true,
        /// number of threads for parallel loops and contractions
        "threads" threads: u64 = 1,
        /// whose C interface operations of the mpi dialect call, unless the module says
        "mpi-default" mpi_default: Option<Implementation> = None,
        /// whose C interface they call, whatever the module says
        "mpi" mpi: Option<Implementation> = None,
        /// divide a StableHLO program for several devices among as many processes of MPI
        "several-devices" several_devices: bool = false,
        /// floating-point policy: strict, contract or fast
        "fp" fp: FpPolicy = FpPolicy::Strict,
        /// width of the widest vector registers: 128, 256 or 512
        "vector-bits" vector_bits: u32 = 128,
        /// the processor has FMA, which the policy may use
        "fused-multiply-add" fused_multiply_add: bool = false,
        /// take subnormal numbers as zeros
        "flush-denormals" flush_denormals: bool = false,
        /// how the flat vectors of `vector.matrix_multiply` and `flat_transpose` hold matrices
        "matrix-layout" matrix_layout: MatrixLayout = MatrixLayout::Columns,
        /// write results over arguments that callers donate
        "donate" donate: bool = false,
        /// say why loops stay scalar
        "remarks" remarks: bool = false,
        /// optimize
        "optimize" optimize: bool = true,
    }
}

impl Options {
    /// Whether results are arguments; with a workspace they are in memory that the caller names.
    fn donates(&self) -> bool {
        self.donate && self.workspace == Workspace::Nothing
    }
}

/// The pipeline.
pub static PIPELINE: PipelineDef<Options> = PipelineDef {
    name: "native-pipeline",
    summary: "the passes of run and compile before code generation, at -O2 without the runtime library",
    steps,
};

/// Inline callees of at most this many operations: layers like those of `mlp` (benches/results/merging.md), which is
/// three times as fast in one piece. Larger callees were not measured: a call is cheap beside so much code.
const MAX_INLINED_OPS: u64 = 40;

/// Inline callees on tensors whose copies have at most this many operations: `random_normal` (benches/models) has 260 in
/// five functions, and runs three times as fast in one loop. Bounds compile time.
const MAX_COPIED_OPS: u64 = 500;

/// Recomputed per consumer: this many cheap operations (comparisons, conversions, a little arithmetic). Chosen by
/// counting: a store and a load with their addresses are about as many instructions.
const MAX_RECOMPUTED_OPS: u64 = 4;

/// The passes up to bufferization. Programs without tensors only lose private functions that nothing refers to.
fn bufferization(wanted: &Options, optimize: bool, library_calls: bool) -> Vec<Step> {
    let options = one_shot_bufferize::Options {
        bufferize_function_boundaries: true,
        function_boundary_type_conversion: BoundaryLayout::IdentityLayoutMap,
        move_reads: optimize,
        reuse_inputs: optimize,
        ..Default::default()
    };
    // Frameworks write a function for each of theirs (`relu`, `where`), which operations around them fuse with.
    let inlining = inline::Options {
        max_callee_ops: Some(if optimize { MAX_INLINED_OPS } else { 0 }),
        max_copied_ops: if optimize { MAX_COPIED_OPS } else { 0 },
        // What such a function allocates can be kept for the next iteration.
        loop_bodies: optimize,
        tensors: true,
        ..inline::Options::default()
    };
    let bodies = run_async_in_order::Options {
        threads: async_threads(wanted),
    };
    let mut steps = vec![
        raise_llvm::PASS.step(),
        strip_model_wrappers::PASS.step(),
        async_func_to_async_runtime::PASS.step(),
        run_async_in_order::PASS.with(bodies),
    ];
    if wanted.several_devices {
        // Inlined, because functions may be about parts of tensors.
        let inlining = inline::Options {
            tensors: true,
            ..inline::Options::default()
        };
        let parts = stablehlo_partition::Options {
            whole_arguments: true,
        };
        steps.extend([
            inline::PASS.with(inlining),
            stablehlo_partition::PASS.with(parts),
            stablehlo_collectives_to_mpi::PASS.step(),
        ]);
    }
    steps.push(drop_shardings::PASS.step());
    if wanted.fp != FpPolicy::Strict {
        // Before models of ONNX are StableHLO: there such a product is one.
        steps.push(stablehlo_select_masked_products::PASS.step());
    }
    steps.extend([
        convert_onnx_to_stablehlo::PASS.with(convert_onnx_to_stablehlo::Options {
            reassociate: wanted.fp != FpPolicy::Strict,
        }),
        inline::PASS.with(inlining),
        stablehlo_drop_bounds::PASS.step(),
        stablehlo_legalize_quant_to_math::PASS.step(),
        stablehlo_legalize_called_computations::PASS.step(),
        stablehlo_legalize_to_linalg::PASS.with(stablehlo_legalize_to_linalg::Options {
            reassociate: wanted.fp != FpPolicy::Strict,
        }),
        convert_to_signless::PASS.step(),
        convert_unsigned_loops::PASS.step(),
        linalg_decompose_winograd_ops::PASS.step(),
        decompose_tensor_ops::PASS.step(),
        convert_elementwise_to_linalg::PASS.step(),
    ]);
    // Before anything relies on sizes that fit.
    if wanted.size_checks {
        steps.push(check_sizes::PASS.step());
    }
    if optimize {
        let fusion = linalg_fuse_elementwise_ops::Options {
            max_recomputed_ops: MAX_RECOMPUTED_OPS,
            keep_expensive: true,
            several_results: true,
        };
        // A producer of which only sizes are needed besides can be fused.
        steps.push(resolve_result_dims::RANKED.step());
        steps.push(simplify_tensor_loops::PASS.step());
        // Its transposed slices may be reshapes.
        steps.push(linalg_bubble_up_slices::PASS.step());
        steps.push(linalg_simplify::PASS.step());
        steps.push(linalg_separate_windows::PASS.step());
        steps.push(linalg_cse_reductions::PASS.step());
        steps.push(linalg_hoist_invariants::PASS.step());
        steps.push(linalg_hoist_products::PASS.step());
        steps.push(
            linalg_fold_constants::PASS.with(linalg_fold_constants::Options {
                max_recomputed_ops: MAX_RECOMPUTED_OPS,
                ..Default::default()
            }),
        );
        if library_calls {
            steps.push(linalg_fold_transposes_into_contractions::PASS.step());
        }
        steps.push(linalg_fuse_elementwise_ops::PASS.with(fusion));
        steps.push(linalg_interchange_reductions::PASS.step());
        if wanted.fp != FpPolicy::Strict {
            steps.push(
                linalg_split_reductions::PASS.with(linalg_split_reductions::Options {
                    fp: wanted.fp,
                    ..Default::default()
                }),
            );
        }
        // Threads share batches.
        if library_calls && wanted.threads <= 1 {
            steps.push(linalg_split_batches::PASS.step());
        }
        let pads = convert_tensor_to_linalg::Options {
            computed_in_place: true,
        };
        steps.push(convert_tensor_to_linalg::PASS.with(pads));
        steps.push(
            eliminate_empty_tensors::PASS.with(eliminate_empty_tensors::Options {
                sink_producers: true,
            }),
        );
    }
    if wanted.donates() {
        steps.push(donated_arguments::WRITE_ARGUMENTS.step());
    }
    steps.push(one_shot_bufferize::PASS.with(options));
    if optimize {
        steps.push(delay_mpi_waits::PASS.step());
    }
    steps
}

/// How many threads bodies of `async` may run on: those of the runtime library, if it is there.
fn async_threads(options: &Options) -> u64 {
    match options.library {
        Library::Absent => 1,
        Library::NoAccesses | Library::Whole => options.threads,
    }
}

/// The passes after which ownership is decided, as far as nothing but the decisions is wanted, for the
/// program as it is written.
pub fn before_ownership() -> Vec<Step> {
    let options = Options {
        size_checks: false,
        ..Options::default()
    };
    let mut steps = bufferization(&options, false, false);
    steps.extend([
        expand_realloc::PASS.with(expand_realloc::Options::BEFORE_DEALLOCATION),
        canonicalize::PASS.step(),
    ]);
    steps
}

/// The passes.
pub fn steps(options: &Options) -> Vec<Step> {
    let calls = options.optimize && options.library_calls && options.library == Library::Whole;
    let makes_loops_fast = options.optimize && options.library != Library::NoAccesses;
    let mut steps = bufferization(options, makes_loops_fast, calls);
    if options.dealloc != Dealloc::Nothing {
        steps.push(carry_request_buffers::PASS.step());
    }
    steps.push(keep_request_buffers::PASS.step());
    if options.donates() {
        steps.push(donated_arguments::DROP_RESULTS.step());
    }
    steps.extend(returned_buffers(options));
    steps.extend(bounds(options, false));
    steps.extend(deallocation(options));
    if options.donates() {
        steps.push(donated_arguments::RETURN_ARGUMENTS.step());
    }
    steps.push(verify_requests::PASS.step());
    // What the file of declarations says is of use up to here.
    steps.push(convert_declared_to_calls::PASS.step());
    if options.optimize {
        // Affine operations could not stand everywhere.
        let inlining = inline::Options {
            max_callee_ops: Some(MAX_INLINED_OPS),
            ..Default::default()
        };
        steps.extend([lower_affine::PASS.step(), inline::PASS.with(inlining)]);
    }
    steps.push(convert_bufferization_to_memref::PASS.step());
    if options.optimize {
        // Sizes that a caller knows. Clones are gone: what frees buffers compares the addresses of some with those of their
        // sources.
        steps.push(canonicalize::PASS.step());
    }
    if options.library == Library::Absent {
        steps.push(expand_unranked_copies::PASS.step());
    }
    // Buffers are merged when all are there that will be, and only those: an arena is made of buffers
    // as they are after reuse, inlining and fusion, and none of them goes away later. Without loop
    // passes, that is before operations on whole buffers, which may work in place, become loops.
    if !makes_loops_fast {
        steps.extend(merging(options));
    }
    if calls {
        let contractions = convert_linalg_to_library_calls::Options {
            fp: options.fp,
            threads: options.threads,
            ..Default::default()
        };
        steps.push(convert_linalg_to_library_calls::PASS.with(contractions));
    }
    steps.extend([
        convert_iree_linalg_ext_to_loops::PASS.step(),
        convert_linalg_to_loops::PASS.with(convert_linalg_to_loops::Options {
            collapse_short_rows: makes_loops_fast,
        }),
        lower_affine::PASS.step(),
    ]);
    // First, so that loop passes see the functions made here as well.
    if options.threads > 1 {
        steps.push(outline_parallel_loops::PASS.step());
    }
    // After these, no parallel loops hide from those that make loops fast.
    if options.optimize || options.workspace != Workspace::Nothing {
        steps.extend([
            parallel_loops::FORALL_TO_FOR.step(),
            parallel_loops::PARALLEL_TO_NESTED_FORS.step(),
        ]);
    }
    // Loops of sums are told apart by what they allow.
    if makes_loops_fast && options.fp == FpPolicy::Fast {
        steps.push(set_fastmath_flags::PASS.with(set_fastmath_flags::Options { fp: options.fp }));
    }
    // Few loops of many, before some of them become library calls.
    if makes_loops_fast {
        // Iterations around such a loop could not run at the same time, with one buffer on the stack: with threads, later.
        if options.threads <= 1 {
            steps.push(promote_carried_buffers::PASS.step());
        }
        steps.extend([
            convert_strided_copies_to_loops::PASS.step(),
            merge_column_copies::PASS.step(),
            fuse_loops::PASS.step(),
            unroll_loops::PASS.with(unroll_loops::Options { short_rows: true }),
            forward_stores::PASS.step(),
            interchange_loops::PASS.step(),
        ]);
        if options.threads > 1 && options.library == Library::Whole {
            steps.push(parallelize_loops::PASS.step());
            steps.push(outline_parallel_loops::PASS.step());
        }
    }
    let flushes = options.flush_denormals && options.library != Library::Absent;
    // Loops count as large by what they are written with, so functions become arithmetic afterwards.
    let arithmetic = |keep_branching| {
        let options = math_polynomial_approximation::Options {
            keep_branching,
            fp: options.fp,
            flush_denormals: flushes,
        };
        math_polynomial_approximation::PASS.with(options)
    };
    if calls {
        steps.push(convert_loops_to_library_calls::PASS.step());
    }
    // Behind copies, which are of whole numbers.
    if makes_loops_fast {
        let elements = legalize_elements::Options { fp: options.fp };
        steps.push(legalize_elements::PASS.with(elements));
    }
    // Functions of complex numbers became some of floats.
    steps.push(arithmetic(makes_loops_fast));
    // Before loops run in vectors or are unrolled, so that all iterations do the same.
    if makes_loops_fast && options.fused_multiply_add {
        let fusion = fuse_multiply_add::Options { fp: options.fp };
        steps.push(fuse_multiply_add::PASS.with(fusion));
    }
    if makes_loops_fast {
        let vectors = vectorize_loops::Options {
            vector_bits: options.vector_bits,
            sums_in_memory: false,
            ..vectorize_loops::Options::default()
        };
        let last = vectorize_loops::Options {
            sums_in_memory: true,
            remarks: options.remarks,
            ..vectors.clone()
        };
        steps.extend([
            unroll_and_jam_loops::PASS.step(),
            vectorize_loops::PASS.with(vectors),
            promote_loop_accesses::PASS.step(),
            forward_stores::PASS.step(),
            vectorize_loops::PASS.with(last),
            unroll_loops::PASS.step(),
            fold_constant_loads::PASS.step(),
            // What inner loops that are written out accumulate.
            promote_loop_accesses::PASS.step(),
            hoist_vector_reductions::PASS.step(),
            hoist_loop_loads::PASS.step(),
        ]);
        // Functions that passes made have no part of the stack.
        steps.extend(bounds(options, true));
        if options.threads > 1 {
            steps.push(promote_carried_buffers::PASS.step());
        }
        steps.push(contract_buffers::PASS.step());
        steps.extend(merging(options));
    }
    steps.extend(workspace(options));
    // Behind everything that wants to know how buffers of a loop are related, and before code is generated.
    if makes_loops_fast {
        steps.extend([outline_equal_loops::PASS.step(), arithmetic(false)]);
    }
    if async_threads(options) > 1 {
        steps.push(outline_async_bodies::PASS.step());
    }
    let calls = convert_mpi_to_calls::Options {
        implementation: options.mpi,
        default: options.mpi_default,
        checks: options.checks && options.library != Library::Absent,
    };
    steps.push(convert_mpi_to_calls::PASS.with(calls));
    // Behind what moves operations, and after everything that threads call is there.
    if flushes {
        steps.push(flush_denormals::PASS.step());
    }
    steps.push(lower_vectors::PASS.with(lower_vectors::Options {
        matrix_layout: options.matrix_layout,
    }));
    let blocks = convert_scf_to_cf::Options {
        rotate_loops: options.optimize,
        ..Default::default()
    };
    steps.push(convert_scf_to_cf::PASS.with(blocks));
    if options.optimize {
        steps.extend([canonicalize::PASS.step(), cse::PASS.step()]);
    }
    if makes_loops_fast && options.vector_bits > 128 {
        steps.push(isolate_vectors::PASS.step());
    }
    steps
}

/// The passes for buffers that calls return under several names, where callers get others than functions
/// return. Ownership copies arguments that are returned, and with a workspace also buffers that are returned twice; the pipeline
/// of hlo knows what public functions return.
fn returned_buffers(options: &Options) -> Vec<Step> {
    let has_workspace = options.workspace != Workspace::Nothing;
    let copies = matches!(options.dealloc, Dealloc::Clone | Dealloc::Copy);
    let owns = options.dealloc == Dealloc::Ownership;
    let mut steps = Vec::new();
    if copies || owns || has_workspace {
        let once = return_buffers_once::Options {
            arguments: true,
            results: copies || has_workspace,
        };
        steps.push(return_buffers_once::PASS.with(once));
    }
    if copies || has_workspace {
        let tell = verify_returned_buffers::Options {
            arguments: !owns,
            public: false,
            ..Default::default()
        };
        steps.push(verify_returned_buffers::PASS.with(tell));
    }
    steps
}

/// The pass that says how much of the stack functions may take.
fn bounds(options: &Options, rest: bool) -> Option<Step> {
    let max_stack_bytes = options.max_stack_bytes?;
    let options = bound_stack::Options {
        max_stack_bytes,
        rest,
    };
    Some(bound_stack::PASS.with(options))
}

fn deallocation(options: &Options) -> Vec<Step> {
    let use_runtime = options.library != Library::Absent;
    // What the program has of its own.
    let lower_deallocs = bufferization_lower_deallocations::Options {
        lowering: options.lowering,
        use_runtime,
    };
    let lower_deallocs = bufferization_lower_deallocations::PASS.with(lower_deallocs);
    let legacy = |introduce| {
        // No copies of what is being received.
        let requests = ownership_based_buffer_deallocation::Options {
            only_requests: true,
            ..Default::default()
        };
        let options = buffer_deallocation::Options {
            introduce,
            skip_requests: true,
        };
        let mut steps = vec![
            expand_realloc::PASS.with(expand_realloc::Options::BEFORE_DEALLOCATION),
            ownership_based_buffer_deallocation::PASS.with(requests),
        ];
        steps.extend(legacy_deallocation_pipeline::steps(&options));
        steps.push(lower_deallocs.clone());
        steps
    };
    match options.dealloc {
        Dealloc::Ownership => {
            buffer_deallocation_pipeline::steps(&buffer_deallocation_pipeline::Options {
                private_function_dynamic_ownership: options.private_function_dynamic_ownership,
                // A workspace has no place for flags.
                borrowed_results: options.workspace == Workspace::Nothing,
                lowering: options.lowering,
                use_runtime,
            })
        }
        Dealloc::Hlo => {
            let mut hlo = hlo_deallocation_pipeline::Options {
                keep_public_signatures: true,
                ..Default::default()
            };
            if options.checks {
                hlo.max_stack_bytes = 0;
            }
            hlo_deallocation_pipeline::steps(&hlo)
        }
        Dealloc::Clone => legacy(Introduce::Clone),
        Dealloc::Copy => legacy(Introduce::Copy),
        Dealloc::Nothing => vec![expand_realloc::PASS.step(), lower_deallocs],
    }
}

/// The passes that merge buffers. Without a wish of their own, those get the alignment that malloc would give them.
/// Unread buffers go first: later, they could not leave the arena. What has the same bytes becomes one value.
fn merging(options: &Options) -> Vec<Step> {
    if options.merge_alloc == MergeAlloc::Nothing || options.workspace != Workspace::Nothing {
        return Vec::new();
    }
    let arenas = merge_alloc::Options {
        alignment: Alignment(16),
        // More take half of the pass for piper tashkeel of benches/results/onnx.md, and lower no peak of its tables.
        node_budget: 4_000,
        never_grow: options.merge_alloc == MergeAlloc::NeverGrow,
        never_more: options.merge_alloc == MergeAlloc::Always,
        annotate_plan: options.annotate_plans,
        ..Default::default()
    };
    let mut steps = vec![
        mark_allocation_free_calls::PASS.step(),
        bound_loop_allocations::PASS.step(),
        reuse_loop_buffers::PASS.step(),
        merge_alloc::PASS.with(arenas),
    ];
    if options.optimize {
        steps.insert(0, canonicalize::PASS.step());
        steps.push(cse::PASS.step());
    }
    if options.reserve_peak {
        steps.push(reserve_peak::PASS.step());
    }
    steps
}

/// The passes after which nothing is allocated any more. Results were new buffers until here, which loops
/// can be told apart from arguments by.
fn workspace(options: &Options) -> Vec<Step> {
    let mode = match options.workspace {
        Workspace::Nothing => return Vec::new(),
        Workspace::Argument => use_workspace::Mode::Argument,
        Workspace::Static => use_workspace::Mode::Static,
    };
    let results = buffer_results_to_out_params::Options {
        hoist_static_allocs: true,
        hoist_dynamic_allocs: true,
        check_sizes: options.size_checks,
        ..Default::default()
    };
    let workspace = use_workspace::Options {
        mode,
        ..Default::default()
    };
    vec![
        canonicalize::PASS.step(),
        buffer_results_to_out_params::PASS.with(results),
        bound_loop_allocations::PASS.with(bound_loop_allocations::Options { always: true }),
        reuse_loop_buffers::PASS.with(reuse_loop_buffers::Options { always: true }),
        use_workspace::PASS.with(workspace),
        canonicalize::PASS.step(),
        cse::PASS.step(),
    ]
}
