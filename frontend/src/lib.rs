//! The memref-level MLIR IR: entities, dialects, text and verifier.
