//! `scf.yield`: ends a region and hands values on.

use crate::dialects::constraints::ANY;
use crate::dialects::func::{parse_optional_operands, print_optional_operands};
use crate::dialects::rules::{all_operands_to, expect_parent};
use crate::interfaces::RegionTerminatorInterface;
use crate::ir::builder::Builder;
use crate::ir::entities::{Op, Value};
use crate::op_def::{OpDef, Traits, ValueSpec};
use crate::op_view;

use super::{EXECUTE_REGION, FOR, IF, INDEX_SWITCH, WHILE};

/// `scf.yield`
pub static YIELD: OpDef = OpDef {
    name: "scf.yield",
    traits: Traits::TERMINATOR
        .and(Traits::RETURN_LIKE)
        .and(Traits::SPECULATABLE),
    operands: &[ValueSpec::variadic("results", &ANY)],
    parse: Some(parse_optional_operands),
    print: Some(print_optional_operands),
    verify: |ir, op| expect_parent(ir, op, &[&EXECUTE_REGION, &FOR, &IF, &INDEX_SWITCH, &WHILE]),
    region_terminator: Some(&RegionTerminatorInterface {
        operands: all_operands_to,
    }),
    ..OpDef::PURE
};

op_view! {
    /// `scf.yield`
    Yield, YIELD { operands: many = 0 }
}

/// Inserts a `scf.yield`.
pub fn build_yield(builder: &mut Builder<'_>, values: &[Value]) -> Op {
    builder.op(&YIELD, values, &[])
}
