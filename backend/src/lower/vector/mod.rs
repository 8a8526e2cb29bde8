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

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self as clif, InstBuilder};
use freehold_frontend::dialects::vector::{self, CombiningKind};
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::{Op, Value};
use smallvec::SmallVec;

use super::function::Lowering;
use super::function::LoweringTable;
use super::held::{Elements, Lowered};
use crate::program::unsupported_op;
use crate::repr::Scalar;

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

impl Lowering<'_, '_> {
    /// `a` combined with `b`, elements or registers of them.
    pub(super) fn combine_elements(
        &mut self,
        op: Op,
        kind: CombiningKind,
        scalar: Scalar,
        a: clif::Value,
        b: clif::Value,
    ) -> Result<clif::Value, Failed> {
        let result = match scalar {
            Scalar::Float(format) => {
                let (a, b) = (self.widen_float(format, a), self.widen_float(format, b));
                let result = match kind {
                    CombiningKind::Add => self.b.ins().fadd(a, b),
                    CombiningKind::Mul => self.b.ins().fmul(a, b),
                    CombiningKind::MaximumF => self.b.ins().fmax(a, b),
                    CombiningKind::MinimumF => self.b.ins().fmin(a, b),
                    CombiningKind::MaxNumF => self.ignore_nan(FloatCC::GreaterThan, a, b),
                    CombiningKind::MinNumF => self.ignore_nan(FloatCC::LessThan, a, b),
                    _ => return Err(unsupported_op(self.ir, op, self.diagnostics)),
                };
                self.narrow_float(format, result)
            }
            Scalar::Int(width) => match kind {
                CombiningKind::Add => {
                    let sum = self.b.ins().iadd(a, b);
                    self.wrap_int(width, sum)
                }
                CombiningKind::Mul if self.b.func.dfg.value_type(a).is_vector() => {
                    self.multiply_lanes(scalar, a, b)
                }
                CombiningKind::Mul => {
                    let product = self.b.ins().imul(a, b);
                    self.wrap_int(width, product)
                }
                CombiningKind::And => self.b.ins().band(a, b),
                CombiningKind::Or => self.b.ins().bor(a, b),
                CombiningKind::Xor => self.b.ins().bxor(a, b),
                CombiningKind::MinSI => self.min_or_max(IntCC::SignedLessThan, width, a, b),
                CombiningKind::MinUI => self.min_or_max(IntCC::UnsignedLessThan, width, a, b),
                CombiningKind::MaxSI => self.min_or_max(IntCC::SignedGreaterThan, width, a, b),
                CombiningKind::MaxUI => self.min_or_max(IntCC::UnsignedGreaterThan, width, a, b),
                _ => return Err(unsupported_op(self.ir, op, self.diagnostics)),
            },
            Scalar::Function => {
                return Err(unsupported_op(self.ir, op, self.diagnostics));
            }
        };
        Ok(result)
    }
}
