//! `convert-strided-copies-to-loops`: copies of elements that are a few places apart become loops, which run in vectors
//! and fuse with others.
//!
//! Before:
//! ```mlir
//! memref.copy %x, %b : memref<64x32xf32, strided<[128, 2]>> to memref<64x32xf32>
//! ```
//! After:
//! ```mlir
//! scf.for %i = %c0 to %c64 step %c1 {
//!   scf.for %j = %c0 to %c32 step %c1 {
//!     %0 = memref.load %x[%i, %j] : memref<64x32xf32, strided<[128, 2]>>
//!     memref.store %0, %b[%i, %j] : memref<64x32xf32>
//!   }
//! }
//! ```
//! Rows without gaps stay copies of blocks. Elements are copied in the order in which the copy had them.

use freehold_frontend::dialects::{arith, memref};
use freehold_frontend::ir::builder::Builder;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::types::DYNAMIC;

use super::vector_plan::MAX_DISTANCE;
use crate::manage::pass::{Anchor, PassContext, PassDef};
use crate::rewrite::sequential_loops::build_nest;

/// The pass.
pub static PASS: PassDef = PassDef {
    name: "convert-strided-copies-to-loops",
    summary: "convert copies of elements that are a few places apart to loops",
    anchor: Anchor::Function,
    run,
};

fn run(ir: &mut Ir, context: &mut PassContext<'_>) -> Result<(), Failed> {
    for op in ir.collect_ops(ir.root()) {
        if ir.is(op, &memref::COPY) && is_strided(ir, op) == Some(true) {
            convert(ir, op);
            context.count("copies converted", 1);
        }
    }
    Ok(())
}

/// Whether a copy of known sizes reads elements that are a few places apart and writes rows without gaps. Dimensions of
/// size 1 do not count.
fn is_strided(ir: &Ir, op: Op) -> Option<bool> {
    let context = ir.context();
    let [source, target] =
        [0, 1].map(|index| context.as_memref(ir.value_type(ir.operand(op, index))));
    let (source, target) = (source?, target?);
    let innermost = source.shape.iter().rposition(|&size| size != 1)?;
    let [from, to] = [source, target].map(|memref| context.memref_strides(memref));
    let ((from, _), (to, _)) = (from?, to?);
    let is_known = !source.shape.contains(&DYNAMIC) && !source.shape.contains(&0);
    Some(is_known && (2..=MAX_DISTANCE).contains(&from[innermost]) && to[innermost] == 1)
}

fn convert(ir: &mut Ir, op: Op) {
    let [source, target] = [0, 1].map(|index| ir.operand(op, index));
    let shape = ir
        .context()
        .shape(ir.value_type(source))
        .map(<[i64]>::to_vec);
    let loc = ir.loc(op);
    let mut builder = Builder::before(ir, op);
    builder.set_loc(loc);
    let [zero, one] = [0, 1].map(|n| arith::constant_index(&mut builder, n));
    let bounds = shape.unwrap_or_default().into_iter();
    let bounds: Vec<_> = bounds
        .map(|size| [zero, arith::constant_index(&mut builder, size), one])
        .collect();
    let nest = build_nest(ir, op, &bounds, &[]);
    let mut builder = Builder::before(ir, nest.anchor);
    builder.set_loc(loc);
    let element = builder
        .context()
        .element_type_or_self(builder.ir.value_type(source));
    let operands = [&[source], &nest.variables[..]].concat();
    let value = builder.value(&memref::LOAD, &operands, element);
    let operands = [&[value, target], &nest.variables[..]].concat();
    builder.op(&memref::STORE, &operands, &[]);
    ir.erase_op(op);
}
