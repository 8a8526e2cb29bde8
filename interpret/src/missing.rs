//! Rows that are not interpreted: those that only declare something, and those that are not done yet.

/// Dialects of which nothing is interpreted: passes turn their operations into those of others first.
pub const DIALECTS: &[&str] = &[
    "chlo",
    "hal",
    "iree_linalg_ext",
    "ml_program",
    "sdy",
    "stablehlo",
    "util",
    "vhlo",
];

/// Rows that declare something and are never executed.
pub const DECLARATIONS: &[&str] = &[
    "builtin.module",
    "func.func",
    "llvm.func",
    "llvm.mlir.global",
    "memref.global",
];

/// Rows that are not interpreted yet.
pub const OPERATIONS: &[&str] = &[
];
