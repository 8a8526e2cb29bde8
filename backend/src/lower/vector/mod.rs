//! `vector`: values of several elements.
//!
//! A vector is held as parts in row-major order: 128-bit registers of 16 to two
//! lanes where the elements fill them, else one scalar per element
//! ([`VectorRepr`](crate::repr::VectorRepr)). Elementwise operations work on whole registers where
//! Cranelift can; everything else is done element by element, and Cranelift
//! drops the lane moves that cancel out.

mod elementwise;
mod lanes;
mod memory;
mod moves;
mod print;
mod reduce;

use freehold_frontend::dialects::vector;
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use smallvec::SmallVec;

use super::function::Lowering;
use super::function::LoweringTable;
use super::held::{Elements, Lowered};
use crate::program::unsupported_op;

/// The lowerings of this dialect.
pub(super) static TABLES: [LoweringTable; 4] =
    [memory::TABLE, moves::TABLE, print::TABLE, reduce::TABLE];

/// Lowers an elementwise operation on vectors.
pub(super) fn lower_elementwise(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    if cx.lower_on_registers(op)? {
        return Ok(());
    }
    let Some(lower) = cx.lowerings.of(cx.ir.def(op)) else {
        return Err(unsupported_op(cx.ir, op, cx.diagnostics));
    };
    let n_elements = cx.vector_repr(op, cx.ir.result(op, 0))?.n_elements();
    // Each vector operand stands for one of its elements at a time.
    let operands: SmallVec<[Value; 3]> = cx.ir.operands(op).into();
    let mut vectors: SmallVec<[(Value, Lowered, Elements); 3]> = SmallVec::new();
    for &operand in &operands {
        let is_vector = vector::is_vector(cx.context, cx.ir.value_type(operand));
        if is_vector && !vectors.iter().any(|(known, ..)| *known == operand) {
            let elements = cx.elements(operand)?;
            vectors.push((operand, cx.get(operand)?.clone(), elements));
        }
    }
    let results: SmallVec<[Value; 2]> = cx.ir.results(op).into();
    let mut computed: SmallVec<[Elements; 2]> = SmallVec::from_elem(Elements::new(), results.len());
    let mut outcome = Ok(());
    for i in 0..n_elements {
        for (operand, _, elements) in &vectors {
            cx.set(*operand, Lowered::Scalar(elements[i]));
        }
        cx.vector.in_element = true;
        outcome = lower(cx, op);
        cx.vector.in_element = false;
        if outcome.is_err() {
            break;
        }
        for (&result, computed) in results.iter().zip(&mut computed) {
            let element = cx.get(result)?.clone();
            computed.extend(cx.parts(&element));
        }
    }
    for (operand, lowered, _) in vectors {
        cx.set(operand, lowered);
    }
    outcome?;
    for (&result, computed) in results.iter().zip(&computed) {
        cx.set_value_elements(result, computed)?;
    }
    Ok(())
}
