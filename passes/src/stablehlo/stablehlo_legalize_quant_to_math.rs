//! `stablehlo-legalize-quant-to-math`: quantized tensors become the integers that they store.
//!
//! Before:
//! ```mlir
//! %0 = stablehlo.add %a, %b : tensor<4x!quant.uniform<i8:f32, 0.5>>
//! ```
//! After: `stablehlo.convert` and `chlo.broadcast_multiply` to floats, the sum of these, and back to `i8` by a division,
//! `stablehlo.round_nearest_even` and `stablehlo.clamp`. Arguments and results of functions are integers as well, which is
//! why all functions change at once.

use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;

use super::quantized;
use super::stablehlo_legalize_to_linalg::Unsupported;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::functions;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "stablehlo-legalize-quant-to-math",
    summary: "turn quantized tensors into the integers that they store, and their operations into those on floats",
    anchor: Anchor::Module,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    let outcomes = functions::map_functions(ir, |function| {
        let opened = quantized::open(function);
        opened.map_err(|(op, Unsupported(reason))| {
            let message = format!("'{}' op is not legalized: {reason}", function.op_name(op));
            (function.loc(op), message)
        })
    });
    match outcomes.into_iter().find_map(Result::err) {
        Some((loc, message)) => Err(context.diagnostics.error(loc, message)),
        None => Ok(()),
    }
}
