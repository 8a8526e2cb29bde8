//! `memref`: buffers and views of them, one file per family of operations.

mod access;
mod alloc;
mod atomic;
mod copy;
mod metadata;
mod reshape;
mod views;

use super::function::LoweringTable;

/// The lowerings of this dialect.
pub(super) static TABLES: [LoweringTable; 7] = [
    access::TABLE,
    alloc::TABLE,
    atomic::TABLE,
    copy::TABLE,
    metadata::TABLE,
    reshape::TABLE,
    views::TABLE,
];
