//! `linalg-generalize-named-ops`: structured operations with names become `linalg.generic`.
//!
//! Before:
//! ```mlir
//! %0 = linalg.matmul ins(%a, %b : ...) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
//! ```
//! After:
//! ```mlir
//! %0 = linalg.generic {indexing_maps = [...], iterator_types = ["parallel", "parallel", "reduction"]}
//!     ins(%a, %b : ...) outs(%c : tensor<4x4xf32>) {
//! ^bb0(%in: f32, %in_0: f32, %out: f32):
//!   %1 = arith.mulf %in, %in_0 : f32
//!   %2 = arith.addf %out, %1 : f32
//!   linalg.yield %2 : f32
//! } -> tensor<4x4xf32>
//! ```
//!
//! On tensors as on buffers. As upstream, `linalg.map` and `linalg.reduce`, whose bodies are the program's, stay.

use freehold_frontend::dialects::linalg;
use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use freehold_frontend::ir::names::Name;

use crate::manage::pass::{Anchor, PassContext, PassDef};

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "linalg-generalize-named-ops",
    summary: "convert named structured operations to linalg.generic",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        if is_named(ir, op) {
            generalize(ir, op);
            context.count("operations generalized", 1);
        }
    }
    Ok(())
}

fn is_named(ir: &Ir, op: Op) -> bool {
    let others = [&linalg::GENERIC, &linalg::MAP, &linalg::REDUCE];
    interface::is_structured(ir, op) && !others.iter().any(|def| ir.is(op, def))
}

/// Replaces a structured operation by a `linalg.generic`, which gets its body.
pub(super) fn generalize(ir: &mut Ir, op: Op) -> Op {
    let context = ir.context().clone();
    let maps: Vec<_> = (interface::indexing_maps(ir, op).into_iter())
        .map(|map| context.affine_map_attr(map))
        .collect();
    let iterators: Vec<_> = (interface::iterator_types(ir, op).into_iter())
        .map(|kind| kind.to_attr(&context))
        .collect();
    let operands = ir.operands(op).to_vec();
    let n_inputs = interface::n_inputs(ir, op);
    let segments = [n_inputs as i32, (operands.len() - n_inputs) as i32];
    let types: Vec<_> = ir.results(op).iter().map(|&v| ir.value_type(v)).collect();
    let mut builder = Builder::before(ir, op);
    let spec = builder
        .spec(&linalg::GENERIC)
        .operands(&operands)
        .results(&types)
        .attr(
            Name::OPERAND_SEGMENT_SIZES,
            context.i32_array_attr(&segments),
        )
        .attr(Name::INDEXING_MAPS, context.array_attr(&maps))
        .attr(Name::ITERATOR_TYPES, context.array_attr(&iterators))
        .regions(1);
    let generic = builder.create(spec);
    let (from, to) = (ir.region(op, 0), ir.region(generic, 0));
    ir.move_blocks(from, to);
    let results: Vec<Value> = ir.results(generic).to_vec();
    ir.replace_op(op, &results);
    generic
}
