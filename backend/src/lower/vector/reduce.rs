//! Reductions: elements combined in order, starting from the accumulator.

use freehold_frontend::dialects::vector::{self, CombiningKind};
use freehold_frontend::ir::diag::Failed;
use freehold_frontend::ir::entities::Op;

use crate::lower::function::Lowering;
use crate::lower::function::LoweringTable;
use crate::lower::held::Elements;
use crate::program::unsupported_op;
use crate::vector::sums::left_out;

pub(super) static TABLE: LoweringTable = &[(&vector::REDUCTION, lower_reduction)];

fn lower_reduction(cx: &mut Lowering<'_, '_>, op: Op) -> Result<(), Failed> {
    let kind = CombiningKind::of(cx.ir, op);
    let left_out = left_out(cx.ir, op);
    let source = left_out.map_or(cx.ir.operand(op, 0), |[_, values]| values);
    let bits = match left_out {
        Some([mask, _]) => cx.elements(mask)?,
        None => Elements::new(),
    };
    let scalar = cx.vector_repr(op, source)?.scalar;
    let element = cx.context.element_type_or_self(cx.ir.value_type(source));
    let combination = kind.combination(cx.context, element);
    let elements = cx.elements(source)?;
    let mut total = match cx.ir.operands(op).get(1) {
        Some(&acc) => Some(cx.scalar(acc)?),
        None => None,
    };
    for (i, element) in elements.into_iter().enumerate() {
        let Some(before) = total else {
            total = Some(element);
            continue;
        };
        let next = (cx.arithmetic(combination, scalar, before, element))
            .ok_or_else(|| unsupported_op(cx.ir, op, cx.diagnostics))?;
        total = Some(match bits.get(i) {
            Some(&bit) => cx.select_value(bit, next, before),
            None => next,
        });
    }
    let Some(total) = total else {
        return Err(unsupported_op(cx.ir, op, cx.diagnostics));
    };
    cx.set_result(op, total);
    Ok(())
}
