//! `drop-shardings`: programs for one device lose what says how several would share the work.
//!
//! Before:
//! ```mlir
//! "sdy.mesh"() {mesh = #sdy.mesh<["x"=1]>, sym_name = "mesh"} : () -> ()
//! func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
//!   %0 = "sdy.sharding_constraint"(%x) {sharding = #sdy.sharding<@mesh, [{"x"}]>} : (tensor<4xf32>) -> tensor<4xf32>
//!   %1 = stablehlo.negate %0 : tensor<4xf32>
//!   return %1 : tensor<4xf32>
//! }
//! ```
//! After:
//! ```mlir
//! func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
//!   %1 = stablehlo.negate %x : tensor<4xf32>
//!   return %1 : tensor<4xf32>
//! }
//! ```
//!
//! What a device does by itself is inlined if it has all of its operands. Attributes stay: nothing looks at them.

use freehold_frontend::dialects::sdy;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::{Diagnostics, Failed};
use freehold_frontend::ir::entities::{Op, Value};

use crate::manage::pass::{Anchor, PassDef};
use crate::rewrite::functions;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "drop-shardings",
    summary: "remove meshes and shardings from programs for one device",
    anchor: Anchor::Module,
    run: |ir, context| {
        let meshes: Vec<Op> = (ir.root_block().into_iter())
            .flat_map(|block| ir.ops_in(block))
            .filter(|&op| ir.is(op, &sdy::MESH))
            .collect();
        if meshes.is_empty() {
            return Ok(());
        }
        for stub in functions::functions(ir) {
            if let Some(function) = ir.nested_mut(stub) {
                strip(function, &mut context.diagnostics)?;
            }
        }
        meshes.into_iter().for_each(|mesh| ir.erase_op(mesh));
        Ok(())
    },
};

fn strip(ir: &mut Ir, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        // The end of a body goes with what it ends.
        if ir.is_erased(op) {
            continue;
        }
        if ir.is(op, &sdy::SHARDING_CONSTRAINT) || ir.is(op, &sdy::RESHARD) {
            let (operand, result) = (ir.operand(op, 0), ir.result(op, 0));
            ir.replace_all_uses(result, operand);
            ir.erase_op(op);
        } else if ir.is(op, &sdy::MANUAL_COMPUTATION) {
            inline(ir, op, diagnostics)?;
        }
    }
    Ok(())
}

/// Puts the body of a manual computation where it stands.
fn inline(ir: &mut Ir, op: Op, diagnostics: &mut Diagnostics) -> Result<(), Failed> {
    let body = ir.single_block(ir.region(op, 0));
    let end = body
        .and_then(|body| ir.terminator(body))
        .filter(|&end| ir.is(end, &sdy::RETURN));
    let (Some(body), Some(end)) = (body, end) else {
        return Err(diagnostics.error(ir.loc(op), "'sdy.manual_computation' op expects one block"));
    };
    let arguments = pairs(ir.block_args(body), ir.operands(op));
    let results = pairs(ir.results(op), ir.operands(end));
    let same = |pairs: &[(Value, Value)]| {
        pairs
            .iter()
            .all(|&(a, b)| ir.value_type(a) == ir.value_type(b))
    };
    let counts = ir.block_args(body).len() == ir.operands(op).len()
        && ir.results(op).len() == ir.operands(end).len();
    if !counts || !same(&arguments) || !same(&results) {
        let message = "'sdy.manual_computation' op divides its operands among devices";
        return Err(diagnostics.error(ir.loc(op), message));
    }
    for (argument, operand) in arguments {
        ir.replace_all_uses(argument, operand);
    }
    // An operand that was an argument is now what that stood for.
    let results = pairs(ir.results(op), ir.operands(end));
    ir.erase_op(end);
    ir.move_block_contents_before(body, op);
    for (result, value) in results {
        ir.replace_all_uses(result, value);
    }
    ir.erase_op(op);
    Ok(())
}

fn pairs(a: &[Value], b: &[Value]) -> Vec<(Value, Value)> {
    a.iter().copied().zip(b.iter().copied()).collect()
}
