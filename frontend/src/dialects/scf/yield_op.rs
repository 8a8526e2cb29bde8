//! `scf.yield`: ends a region and hands values on.

use crate::ir::builder::Builder;
use crate::ir::constraints::ANY;
use crate::ir::entities::{Op, Value};
use crate::ir::interfaces::RegionTerminatorInterface;
use crate::ir::op_def::{OpDef, Traits, ValueSpec};
use crate::ir::rules::{all_operands_to, expect_parent};
use crate::op_view;

use super::{EXECUTE_REGION, FOR, FOR_UNSIGNED, IF, INDEX_SWITCH, WHILE};

/// `scf.yield`
pub static YIELD: OpDef = const {
    OpDef {
        name: "scf.yield",
        traits: Traits::TERMINATOR
            .and(Traits::RETURN_LIKE)
            .and(Traits::SPECULATABLE),
        operands: &[ValueSpec::variadic("results", &ANY)],
        verify: |ir, op| {
            let parents = [
                &EXECUTE_REGION,
                &FOR,
                &FOR_UNSIGNED,
                &IF,
                &INDEX_SWITCH,
                &WHILE,
            ];
            expect_parent(ir, op, &parents)
        },
        region_terminator: Some(&RegionTerminatorInterface {
            operands: all_operands_to,
        }),
        ..OpDef::PURE
    }
}
.with_format("attr-dict ($results^ `:` type($results))?");

op_view! {
    /// `scf.yield`
    Yield, YIELD { operands: many = 0 }
}

/// Inserts a `scf.yield`.
pub fn build_yield(builder: &mut Builder<'_>, values: &[Value]) -> Op {
    builder.op(&YIELD, values, &[])
}
