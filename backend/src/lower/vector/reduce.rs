//! Reductions and scans: elements combined in row-major order, starting from the accumulator.

use cranelift_codegen::ir::InstBuilder;
use freehold_frontend::dialects::vector::{self, CombiningKind, coordinates, linear};
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;
use freehold_frontend::ir::names::Name;
use smallvec::SmallVec;

use crate::lower::function::Lowering;
use crate::lower::function::LoweringTable;
use crate::program::unsupported_op;
use crate::repr::Scalar;

pub(super) static TABLE: LoweringTable = &[
    (&vector::REDUCTION, lower_reduction),
    (&vector::SCAN, lower_scan),
];

fn lower_reduction(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let kind = CombiningKind::of(cx.ir, op);
    let source = cx.ir.operand(op, 0);
    let repr = cx.vector_repr(op, source)?;
    let scalar = repr.scalar;
    let elements = if repr.lanes > 1 && is_order_free(kind, scalar) {
        // Whole registers first.
        let lowered = cx.get(source)?.clone();
        let mut parts = cx.parts(&lowered).into_iter();
        let mut total = parts.next().expect("vectors have a part");
        for part in parts {
            total = cx.combine_elements(op, kind, scalar, total, part)?;
        }
        (0..repr.lanes)
            .map(|lane| cx.b.ins().extractlane(total, lane))
            .collect()
    } else {
        cx.elements(source)?
    };
    let mut total = match cx.ir.operands(op).get(1) {
        Some(&acc) => Some(cx.scalar(acc)?),
        None => None,
    };
    for element in elements {
        total = Some(match total {
            Some(total) => cx.combine_elements(op, kind, scalar, total, element)?,
            None => element,
        });
    }
    let Some(total) = total else {
        return Err(unsupported_op(cx.ir, op, cx.diagnostics));
    };
    cx.set_result(op, total);
    Ok(())
}

/// Whether any order gives the same, and Cranelift has the operation on registers.
fn is_order_free(kind: CombiningKind, scalar: Scalar) -> bool {
    use CombiningKind::{Add, And, MaxSI, MaxUI, MaximumF, MinSI, MinUI, MinimumF, Mul, Or, Xor};
    match kind {
        MaximumF | MinimumF => true,
        Add | Mul | And | Or | Xor => matches!(scalar, Scalar::Int(_)),
        MaxSI | MaxUI | MinSI | MinUI => matches!(scalar, Scalar::Int(..=32)),
        _ => false,
    }
}

fn lower_scan(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let kind = CombiningKind::of(cx.ir, op);
    let (source, initial) = (cx.ir.operand(op, 0), cx.ir.operand(op, 1));
    let repr = cx.vector_repr(op, source)?;
    let dim = cx.ir.attr(op, Name::REDUCTION_DIM);
    let dim = dim
        .and_then(|attr| cx.context.attr_integer(attr))
        .unwrap_or(0) as usize;
    let inclusive = vector::is_true(cx.ir, op, Name::INCLUSIVE);
    let mut elements = cx.elements(source)?;
    let mut running = cx.elements(initial)?;
    let kept: SmallVec<[usize; 4]> = (repr.shape.iter().enumerate())
        .filter_map(|(d, &size)| (d != dim).then_some(size))
        .collect();
    // In row-major order, elements along any one dimension come in order.
    for (i, element) in elements.iter_mut().enumerate() {
        let at = coordinates(&repr.shape, i);
        let own = at.iter().enumerate().filter(|&(d, _)| d != dim);
        let to = linear(&kept, own.map(|(_, &c)| c));
        let before = running[to];
        // An exclusive scan leaves the last element out of everything; an
        // inclusive one starts with the first element alone.
        if inclusive {
            running[to] = match at[dim] {
                0 => *element,
                _ => cx.combine_elements(op, kind, repr.scalar, before, *element)?,
            };
            *element = running[to];
        } else {
            if at[dim] + 1 < repr.shape[dim] {
                running[to] = cx.combine_elements(op, kind, repr.scalar, before, *element)?;
            }
            *element = before;
        }
    }
    cx.set_value_elements(cx.ir.result(op, 0), &elements)?;
    cx.set_value_elements(cx.ir.result(op, 1), &running)
}
