//! The tensor dialect: values that have no place in memory yet.
//!
//! What programs on their way to buffers contain is here, with text, rules and
//! a few folds.

use crate::ir::op_def::DialectDef;

pub mod elements;
pub mod gather;
pub mod packing;
pub mod reshapes;
pub mod shapes;
pub mod slices;

pub use elements::{
    DIM, Dim, EMPTY, EXTRACT, Empty, Extract, FROM_ELEMENTS, FromElements, GENERATE, Generate,
    INSERT, Insert, RANK, Rank, SPLAT, Splat, YIELD, Yield,
};
pub use gather::{GATHER, SCATTER};
pub use packing::{PACK, Pack, UNPACK, Unpack};
pub use shapes::{
    BITCAST, Bitcast, CAST, COLLAPSE_SHAPE, CONCAT, CastOp, CollapseShape, Concat, EXPAND_SHAPE,
    ExpandShape, RESHAPE, Reshape,
};
pub use slices::{
    EXTRACT_SLICE, ExtractSlice, INSERT_SLICE, InsertSlice, PAD, PARALLEL_INSERT_SLICE, Pad,
    ParallelInsertSlice,
};

/// The dialect.
pub static DIALECT: DialectDef = DialectDef {
    namespace: "tensor",
    ops: &[
        &BITCAST,
        &CAST,
        &COLLAPSE_SHAPE,
        &CONCAT,
        &DIM,
        &EMPTY,
        &EXPAND_SHAPE,
        &EXTRACT,
        &EXTRACT_SLICE,
        &FROM_ELEMENTS,
        &GATHER,
        &GENERATE,
        &INSERT,
        &INSERT_SLICE,
        &PACK,
        &PAD,
        &PARALLEL_INSERT_SLICE,
        &RANK,
        &RESHAPE,
        &SCATTER,
        &SPLAT,
        &UNPACK,
        &YIELD,
    ],
    ..DialectDef::BASE
};
