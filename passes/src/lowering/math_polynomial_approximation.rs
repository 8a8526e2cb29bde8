//! `math-polynomial-approximation`: elementary functions of `f32` and `f64` as arithmetic, so that loops
//! with them run in vectors.
//!
//! Before:
//! ```mlir
//! %y = math.exp %x : f32
//! ```
//! After, at the end of some 25 operations:
//! ```mlir
//! %power = arith.bitcast %scaled : i64 to f64
//! %y = arith.truncf %power : f64 to f32
//! ```
//!
//! With `fp=contract` and `fp=fast`, and where the flag `afn` is, some functions of `f32` compute in `f32`.
//!
//! `rewrite/elementary_functions.rs` has the functions. Scalars and vectors are rewritten. The arithmetic of the sine,
//! cosine and tangent of `f64` has a branch to what large arguments need; with `keep-branching`, these stay, so that
//! loops become vectors first. So do remainders, and quotients and bit counts of integers, which processors have
//! instructions for: only vectors of them become arithmetic. Tests for NaN, infinity and normal numbers and clamps become comparisons, of any type but
//! 8-bit floats.

use freehold_frontend::dialects::arith::FastMathFlags;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;

use crate::manage::fp_policy::FpPolicy;
use crate::manage::options::pass_options;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::elementary_functions::{
    Precision, build_arithmetic, split_sincos, waits_for_vectors,
};

pass_options! {
    /// Options of the pass.
    pub struct Options {
        /// leave functions that become arithmetic in vectors (`sin`, `cos` and `tan` of f64, whose arithmetic has branches, `arith.remf`, and division and bit counts of integers) to a later run
        "keep-branching" keep_branching: bool = false,
        /// floating-point policy: strict (one rounding, unless the flag afn allows more), contract or fast (some functions of f32 compute in f32)
        "fp" fp: FpPolicy = FpPolicy::Strict,
        /// the processor takes subnormal numbers as zeros: functions of f32 that compute in f32 need not make any
        "flush-denormals" flush_denormals: bool = false,
    }
}

/// The pass.
pub static PASS: PassDef<Options> = PassDef {
    name: "math-polynomial-approximation",
    summary: "expand elementary functions of f32 and f64 into arithmetic",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_, Options>) -> Result<(), Failed> {
    split_sincos(ir);
    for op in ir.collect_ops(ir.root()) {
        if context.options.keep_branching && waits_for_vectors(ir, op) {
            continue;
        }
        let is_exact = context.options.fp == FpPolicy::Strict
            && !FastMathFlags::of(ir, op).contains(FastMathFlags::AFN);
        let precision = match is_exact {
            true => Precision::Rounded,
            false if context.options.flush_denormals => Precision::SingleWithoutSubnormals,
            false => Precision::Single,
        };
        if let Some(result) = build_arithmetic(ir, op, precision) {
            ir.replace_op(op, &[result]);
            context.count("functions", 1);
        }
    }
    Ok(())
}
