//! `set-fastmath-flags`: gives operations on floats the flags of a policy, besides those they have.
//!
//! Before:
//! ```mlir
//! %s = arith.addf %x, %y : f32
//! ```
//! After, with `fp=fast`:
//! ```mlir
//! %s = arith.addf %x, %y fastmath<reassoc,contract> : f32
//! ```
//!
//! With `fp=contract` it is `contract` alone, and with `fp=strict` nothing changes.
//!
//! Conversions keep the flags they have: with `contract` on both, `arith.extf` of `arith.truncf` folds to its source,
//! and a policy does not remove the rounding that a program quantizes with.

use freehold_frontend::dialects::arith::{self, FastMathFlags};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::names::Name;

use crate::manage::fp_policy::FpPolicy;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// the policy: strict, contract or fast
        "fp" fp: FpPolicy = FpPolicy::Fast,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "set-fastmath-flags",
    summary: "set the fastmath flags of a floating-point policy",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    let flags = context.options.fp.flags();
    for op in ir.collect_ops(ir.root()) {
        let is_conversion = ir.is(op, &arith::EXTF) || ir.is(op, &arith::TRUNCF);
        let takes_flags = |ir: &Ir| {
            let mut attributes = ir.def(op).attributes.iter();
            attributes.any(|attribute| attribute.name == Name::FASTMATH)
        };
        let all = FastMathFlags::of(ir, op).union(flags);
        if !is_conversion
            && takes_flags(ir)
            && let Some(attr) = all.to_attr(ir.context())
        {
            ir.set_attr(op, Name::FASTMATH, attr);
        }
    }
    Ok(())
}
