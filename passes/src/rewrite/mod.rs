//! How programs are changed, for every pass that does it: [`greedy`] drives folds and patterns, [`functions`] works on all
//! functions at once, `signature` changes functions together with their calls, `sequential_loops` builds nests of loops,
//! `loop_invariants` moves operations out of them, `structured` builds parts of structured operations, `tensors` whole
//! ones, `scalars` and `formula` arithmetic in them, `halves` that of wide integers, `indices` and `index_arithmetic`
//! compute subscripts, `sizes` sizes of tensors, `packing` decomposes tiled ones, `clones` copies buffers, `outline` makes functions of operations,
//! `elementary_functions` and `integer_functions` arithmetic, `runtime_function` and `library` call the runtime library, `mpi` marks messages,
//! `stack_memory` says where stack memory may stand, `unrolling` writes short loops out, `carried` changes what loops carry.

pub(crate) mod affine_unrolling;
pub(crate) mod carried;
pub(crate) mod clones;
pub(crate) mod complex_parts;
pub(crate) mod elementary_functions;
pub(crate) mod formula;
pub mod functions;
pub mod greedy;
pub(crate) mod halves;
pub(crate) mod index_arithmetic;
pub(crate) mod indices;
pub(crate) mod integer_functions;
pub(crate) mod library;
pub(crate) mod loop_invariants;
pub(crate) mod mpi;
pub(crate) mod ordered;
pub(crate) mod outline;
pub(crate) mod packing;
pub(crate) mod runtime_function;
pub(crate) mod scalars;
pub(crate) mod sequential_loops;
pub(crate) mod signature;
pub(crate) mod size_checks;
pub(crate) mod sizes;
pub(crate) mod stack_memory;
pub(crate) mod structured;
pub(crate) mod tensors;
pub mod unreachable_blocks;
pub(crate) mod unrolling;
