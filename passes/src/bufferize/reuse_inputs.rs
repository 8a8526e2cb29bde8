//! Structured operations overwrite inputs without later uses, before it is decided who writes where.
//!
//! Before:
//! ```mlir
//! %e = tensor.empty() : tensor<4xf32>
//! %y = linalg.generic ... ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) { ... math.exp ... }
//! ```
//! After, if `%x` owns its buffer and is used no more:
//! ```mlir
//! %y = linalg.generic ... ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) { ... math.exp ... }
//! ```
//!
//! The input and the output have the same type and subscripts, and each element is one iteration's, so
//! each is read right before it is written. Whether the input's buffer may be had is
//! [`Analysis::takes`]'s to say, as for all that is written in place; so this never makes a copy.

use freehold_frontend::dialects::linalg::interface;
use freehold_frontend::dialects::tensor;
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::entities::Op;

use super::in_place::{Analysis, Purpose};
use super::one_shot_bufferize::Environment;

/// Lets the structured operations of a function, which has no unreachable blocks, write where they read.
pub(super) fn reuse_inputs(ir: &mut Ir, environment: &Environment, writable: &[bool]) {
    for op in ir.collect_ops(ir.root()) {
        if !interface::is_structured(ir, op) {
            continue;
        }
        let n_inputs = interface::n_inputs(ir, op);
        for output in n_inputs..ir.operands(op).len() {
            reuse_input(ir, op, output, environment, writable);
        }
    }
}

fn reuse_input(ir: &mut Ir, op: Op, output: usize, environment: &Environment, writable: &[bool]) {
    let old = ir.operand(op, output);
    // A buffer is where the result has to be.
    if ir.context().is_memref(ir.value_type(old)) {
        return;
    }
    let takes = |ir: &Ir| {
        let analysis = Analysis::new(ir, environment, writable);
        analysis.takes(op, output, Purpose::Exclusive)
    };
    let empty = ir.defined_by(old, &tensor::EMPTY);
    // A slice is where the result is put.
    let is_placed = ir.defined_by(old, &tensor::EXTRACT_SLICE).is_some();
    if interface::payload_uses_operand(ir, op, output) || is_placed || empty.is_none() && takes(ir)
    {
        return;
    }
    let maps = interface::indexing_maps(ir, op);
    let Some(written) = maps.get(output).filter(|map| map.is_permutation()) else {
        return;
    };
    for (input, read) in maps[..interface::n_inputs(ir, op)].iter().enumerate() {
        let value = ir.operand(op, input);
        // A part of a buffer is not row-major, so it might have to be copied later.
        let is_part = ir.defined_by(value, &tensor::EXTRACT_SLICE).is_some();
        if read != written || ir.value_type(value) != ir.value_type(old) || is_part {
            continue;
        }
        ir.set_operand(op, output, value);
        if takes(ir) {
            if let Some(empty) = empty.filter(|&empty| ir.is_unused(empty)) {
                ir.erase_op(empty);
            }
            return;
        }
        ir.set_operand(op, output, old);
    }
}
