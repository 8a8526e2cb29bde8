//! `func.return`

use crate::ir::builder::Builder;
use crate::ir::constraints::ANY;
use crate::ir::data::Ir;
use crate::ir::entities::{Op, Value};
use crate::ir::interfaces::RegionTerminatorInterface;
use crate::ir::op_def::{OpDef, OpError, Traits, ValueSpec};
use crate::ir::rules::{all_operands_to, expect_parent};
use crate::ir::types::TypeKind;
use crate::op_view;
use crate::syntax::printer::type_to_string;

use super::FUNC;

/// `func.return`: leaves the function with these results.
pub static RETURN: OpDef = const {
    OpDef {
        name: "func.return",
        traits: Traits::TERMINATOR
            .and(Traits::RETURN_LIKE)
            .and(Traits::SPECULATABLE),
        operands: &[ValueSpec::variadic("operands", &ANY)],
        verify: verify_return,
        region_terminator: Some(&RegionTerminatorInterface {
            operands: all_operands_to,
        }),
        ..OpDef::PURE
    }
}
.with_format("attr-dict ($operands^ `:` type($operands))?");

op_view! {
    /// `func.return`
    Return, RETURN { operands: many = 0 }
}

/// Inserts a `func.return`.
pub fn build_return(builder: &mut Builder<'_>, values: &[Value]) -> Op {
    builder.op(&RETURN, values, &[])
}

fn verify_return(ir: &Ir, op: Op) -> Result<(), OpError> {
    expect_parent(ir, op, &[&FUNC])?;
    let context = ir.context();
    // The function reports a missing or wrong type itself.
    let Some(TypeKind::Function { results, .. }) =
        ir.function_type(ir.root()).map(|ty| context.type_kind(ty))
    else {
        return Ok(());
    };
    let name = ir.symbol_name(ir.root()).unwrap_or_default();
    let operands = ir.operands(op);
    if operands.len() != results.len() {
        return Err(format!(
            "has {} operands, but enclosing function (@{name}) returns {}",
            operands.len(),
            results.len()
        )
        .into());
    }
    for (i, (&operand, &result)) in operands.iter().zip(results).enumerate() {
        let ty = ir.value_type(operand);
        if ty != result {
            return Err(OpError::bare(format!(
                "type of return operand {i} ('{}') doesn't match function result type ('{}') in function @{name}",
                type_to_string(context, ty),
                type_to_string(context, result),
            )));
        }
    }
    Ok(())
}
