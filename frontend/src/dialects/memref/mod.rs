//! The memref dialect: buffers in memory, views of them and accesses to them.
//!
//! Rows stand in one file per family; [`types`] infers the types of views,
//! [`offset_size_stride`] hides how mixed lists of values and numbers are
//! stored, [`build`] makes operations.

use crate::ir::op_def::DialectDef;

pub mod access;
pub mod alloc;
pub mod atomic;
pub mod build;
pub(crate) mod constraints;
pub mod dma;
pub(crate) mod fold;
pub mod global;
pub mod metadata;
pub mod offset_size_stride;
pub(crate) mod patterns;
pub mod reshape;
pub mod types;
pub mod views;

pub use access::{
    ASSUME_ALIGNMENT, AssumeAlignment, COPY, Copy, DISTINCT_OBJECTS, LOAD, Load, PREFETCH,
    Prefetch, STORE, Store,
};
pub use alloc::{
    ALLOC, ALLOCA, ALLOCA_SCOPE, ALLOCA_SCOPE_RETURN, Alloc, Alloca, AllocaScope,
    AllocaScopeReturn, DEALLOC, Dealloc, REALLOC, Realloc,
};
pub use atomic::{
    ATOMIC_RMW, ATOMIC_YIELD, AtomicRmw, AtomicRmwKind, AtomicYield, GENERIC_ATOMIC_RMW,
    GenericAtomicRmw,
};
pub use dma::{DMA_START, DMA_WAIT, DmaWait};
pub use fold::{known_lists, known_metadata};
pub use global::{ADDRESSES_ATTR, GET_GLOBAL, GLOBAL, GetGlobal, Global};
pub use metadata::{
    DIM, Dim, EXTRACT_ALIGNED_POINTER_AS_INDEX, EXTRACT_STRIDED_METADATA,
    ExtractAlignedPointerAsIndex, ExtractStridedMetadata, RANK, Rank,
};
pub use offset_size_stride::{MixedIndex, OffsetSizeStride, dynamic_values, static_values};
pub use patterns::is_never_read;
pub use reshape::{
    COLLAPSE_SHAPE, CollapseShape, EXPAND_SHAPE, ExpandShape, RESHAPE, Reshape, TRANSPOSE,
    Transpose,
};
pub use types::{
    cast_compatible, cast_only_forgets, has_identity_layout, infer_subview_type, is_contiguous,
};
pub use views::{
    BITCAST, CAST, CastOp, MEMORY_SPACE_CAST, MemorySpaceCast, REINTERPRET_CAST, ReinterpretCast,
    SUBVIEW, Subview, VIEW, View,
};

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "memref",
    ops: &[
        &ALLOC,
        &ALLOCA,
        &ALLOCA_SCOPE,
        &ALLOCA_SCOPE_RETURN,
        &ASSUME_ALIGNMENT,
        &ATOMIC_RMW,
        &ATOMIC_YIELD,
        &BITCAST,
        &CAST,
        &COLLAPSE_SHAPE,
        &COPY,
        &DEALLOC,
        &DIM,
        &DISTINCT_OBJECTS,
        &DMA_START,
        &DMA_WAIT,
        &EXPAND_SHAPE,
        &EXTRACT_ALIGNED_POINTER_AS_INDEX,
        &EXTRACT_STRIDED_METADATA,
        &GENERIC_ATOMIC_RMW,
        &GET_GLOBAL,
        &GLOBAL,
        &LOAD,
        &MEMORY_SPACE_CAST,
        &PREFETCH,
        &RANK,
        &REALLOC,
        &REINTERPRET_CAST,
        &RESHAPE,
        &STORE,
        &SUBVIEW,
        &TRANSPOSE,
        &VIEW,
    ],
    ..DialectDef::BASE
};
