//! `verify-returned-buffers`: where callers are to have a buffer of their own for each that is returned, they
//! must not be able to tell.
//!
//! ```mlir
//! // @f returns views of one buffer.
//! %r:2 = call @f() : () -> (memref<4xf32>, memref<2xf32, strided<[1]>>)
//! memref.store %v, %r#0[%i] : memref<4xf32>      // error: writes through one of two names
//! %w = memref.load %r#1[%i] : memref<2xf32, strided<[1]>>
//! ```
//!
//! `deallocation/returned_copies` finds that out, for the passes that free buffers as well.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};

use crate::deallocation::plan::own_frees;
use crate::deallocation::returned_copies::{self, Copied};
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;

pass_options! {
    /// What the pass may be told.
    pub struct Options {
        /// callers have copies of arguments that are returned, too
        "arguments" arguments: bool = true,
        /// callers have a copy for each result of what is returned twice, too
        "results" results: bool = true,
        /// only callers of functions whose signature cannot change have copies
        "public" public: bool = false,
        /// only callers of functions by address have copies
        "borrowed-results" borrowed_results: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "verify-returned-buffers",
    summary: "reject programs that can tell whether buffers that calls return are copies",
    anchor: Anchor::Module,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let options = context.options;
    if !options.borrowed_results {
        check_frees(ir, options, &mut context.diagnostics)?;
    }
    let copied = Copied {
        arguments: options.arguments,
        results: options.results,
        public: options.public,
        borrowed_results: options.borrowed_results,
    };
    returned_copies::verify(ir, copied, &mut context.diagnostics)
}

/// Looks at who frees what functions return.
fn check_frees(ir: &Ir, options: &Options, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    let rules = own_frees::Rules {
        twice: true,
        // The pipeline of hlo looks at callers again.
        frees_are_left: options.public,
    };
    own_frees::check(ir, rules, diagnostics)?;
    let mut modules = functions::nested_modules(ir).into_iter();
    modules.try_for_each(|stub| match ir.nested(stub) {
        Some(nested) => check_frees(nested, options, diagnostics),
        None => Ok(()),
    })
}
