//! `hlo-buffer-reuse`: makes fewer allocations do.
//!
//! Before:
//! ```mlir
//! %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %first) -> (memref<100xi32>) {
//!   %tmp = memref.alloc() : memref<100xi32>
//!   func.call @step(%tmp, %a) : (memref<100xi32>, memref<100xi32>) -> ()
//!   memref.dealloc %a : memref<100xi32>
//!   scf.yield %tmp : memref<100xi32>
//! }
//! memref.dealloc %r : memref<100xi32>
//! ```
//! After:
//! ```mlir
//! %tmp = memref.alloc() : memref<100xi32>
//! %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %first, %spare = %tmp)
//!     -> (memref<100xi32>, memref<100xi32>) {
//!   func.call @step(%spare, %a) : (memref<100xi32>, memref<100xi32>) -> ()
//!   scf.yield %spare, %a : memref<100xi32>, memref<100xi32>
//! }
//! memref.dealloc %r#1 : memref<100xi32>
//! memref.dealloc %r#0 : memref<100xi32>
//! ```
//!
//! The contents of a new buffer are undefined, and a freed one is never read; so a buffer that is
//! freed can be the next allocation. The steps:
//! 1. *Copy elision*: a buffer that is copied and then freed becomes the copy.
//! 2. Until nothing changes: *coalescing* of a free with an allocation behind
//!    it in the same block; *hoisting* of what each iteration allocates and
//!    frees out of loops, but never out of parallel ones; *double buffering* of
//!    loops that free one buffer and allocate another one; *loop
//!    simplification*, which frees buffers that a loop only moves round by the
//!    names they had before it.
//! 3. Coalescing once more, past regions that allocate such buffers themselves.
//! 4. *Stack promotion* within a budget of bytes.
//!
//! Sizes are equal if types are, or if both have equally many elements of one
//! type without gaps; dynamic ones if their operands are the same values. What
//! computes sizes moves out of loops with the allocation, and where a loop might
//! not run at all, sizes that might be negative are zero then. Alignment and
//! memory space are kept.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;

use super::reuse::coalesce::{self, Mode};
use super::reuse::{copies, double_buffer, hoist, loops, stack};
use crate::analysis::flow::ValueFlow;
use crate::analysis::stack_budget;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};

// The space on the stack depends on the callers, which no measurement here can know; 4096 bytes are a page.
pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// bytes of buffers that a function may put on the stack
        "max-stack-bytes" max_stack_bytes: u64 = 4096,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "hlo-buffer-reuse",
    summary: "reuse freed buffers, move allocations out of loops, put small ones on the stack",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    // Where addresses are looked at, buffers must not take each other's places.
    if ValueFlow::new(ir).has_handles() {
        return Ok(());
    }
    context.count("copies elided", copies::run(ir));
    loop {
        let coalesced = coalesce::run(ir, Mode::Conservative);
        let hoisted = hoist::run(ir);
        let doubled = double_buffer::run(ir);
        let simplified = loops::run(ir);
        context.count("allocations coalesced", coalesced);
        context.count("allocations hoisted", hoisted + doubled);
        if coalesced + hoisted + doubled + simplified == 0 {
            break;
        }
    }
    let coalesced = coalesce::run(ir, Mode::Aggressive);
    context.count("allocations coalesced", coalesced);
    let budget = stack_budget::left(ir, context.options.max_stack_bytes);
    let counts = stack::run(ir, budget);
    context.count("allocations erased", counts.erased);
    context.count("allocations promoted", counts.promoted);
    Ok(())
}
