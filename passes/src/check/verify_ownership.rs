//! `verify-ownership`: fails if a buffer is leaked, freed twice or used after
//! it is freed on some path. Changes nothing.
//!
//! ```mlir
//! func.func @f(%c: i1) {
//!   %m = memref.alloc() : memref<4xf32>  // error: buffer allocated here is not freed on every path
//!   cf.cond_br %c, ^bb1, ^bb2            // note: branch taken here: condition is false
//! ^bb1:
//!   memref.dealloc %m : memref<4xf32>
//!   return
//! ^bb2:
//!   return
//! }
//! ```
//!
//! What can be neither proved nor refuted is a remark, with `strict` an error.
//! See [`ownership`](super::ownership) for the rules.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;

use super::ownership::{self, Options, Verdict};
use crate::manage::pass::{Anchor, OptionDef, OptionKind, PassContext, PassDef};

const STRICT: &str = "strict";
const DYNAMIC_OWNERSHIP: &str = "private-function-dynamic-ownership";
const MAX_STATES: &str = "max-states";

const OPTIONS: &[OptionDef] = &[
    OptionDef {
        name: STRICT,
        kind: OptionKind::Bool,
        default: "false",
        help: "what cannot be proved is an error",
    },
    OptionDef {
        name: DYNAMIC_OWNERSHIP,
        kind: OptionKind::Bool,
        default: "false",
        help: "private functions return an i1 per memref that says whether the caller owns it",
    },
    OptionDef {
        name: MAX_STATES,
        kind: OptionKind::NATURAL,
        default: "20000",
        help: "cases after which a buffer is given up",
    },
];

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "verify-ownership",
    summary: "prove that every buffer is freed exactly once and not used afterwards",
    anchor: Anchor::Module,
    options: OPTIONS,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let options = Options {
        strict: context.flag(STRICT),
        private_function_dynamic_ownership: context.flag(DYNAMIC_OWNERSHIP),
        max_states: usize::try_from(context.integer(MAX_STATES)).unwrap_or(0),
    };
    match ownership::check(ir, &options, &mut context.diagnostics) {
        Verdict::Errors => Err(Failed),
        Verdict::Clean | Verdict::Unknown => Ok(()),
    }
}
