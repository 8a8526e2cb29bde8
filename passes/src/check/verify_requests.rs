//! `verify-requests`: fails if a transfer is waited for twice, or if something reads or writes its buffer before it was
//! waited for: what the program does, or what passes made of it. Changes nothing.
//!
//! ```mlir
//! func.func @f(%m: memref<4xf32>, %x: f32, %n: i32, %i: index, %comm: !mpi.comm) {
//!   %request = mpi.isend(%m, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
//!   memref.store %x, %m[%i] : memref<4xf32>  // error: buffer is written before its request was waited for
//!   mpi.wait(%request) : !mpi.request
//!   return
//! }
//! ```
//!
//! A buffer is known by its values and views of them as a whole; where parts of one are sent, the program may use the
//! others. That every request is waited for is checked by `verify-ownership`; here a lost one is no error, since
//! `keep-request-buffers` has said so and kept its buffer.

use freehold_frontend::ir::diag::{Diagnostics, Failed};

use super::ownership::{self, Verdict};
use crate::manage::pass::{Anchor, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "verify-requests",
    summary: "check that no buffer is read or written before its request was waited for",
    anchor: Anchor::Function,
    run: |ir, context| {
        let mut diagnostics = Diagnostics::new();
        let verdict = ownership::check_requests(ir, &mut diagnostics);
        if verdict == Verdict::Errors {
            context.diagnostics.append(diagnostics);
            return Err(Failed);
        }
        Ok(())
    },
};
