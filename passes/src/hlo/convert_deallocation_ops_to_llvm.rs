//! `convert-deallocation-ops-to-llvm`: the last step of MLIR-HLO's pipeline,
//! under its name, so that such pipelines run as they are.
//!
//! There is no LLVM dialect here. The code generator takes the operations that this pass lowers
//! elsewhere: `own`, `null` and `get_buffer` are pointers, `free` is a call of `free`, and
//! remaining `retain`s are calls of the runtime library with two arrays of pointers. So nothing is
//! left to do.

use crate::manage::pass::{Anchor, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "convert-deallocation-ops-to-llvm",
    summary: "accepted for compatibility and does nothing: the code generator lowers the deallocation dialect",
    anchor: Anchor::Function,
    run: |_, _| Ok(()),
};
