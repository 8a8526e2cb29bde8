//! Freehold: memref-level MLIR to native code, every buffer freed.
