//! `test.region_if`: a region operation that hands values on in every way: on
//! entry to each region, between regions, and out of it.
//!
//! ```mlir
//! %0 = test.region_if %a : memref<4xf32> -> (memref<4xf32>) then {
//! ^bb0(%x: memref<4xf32>):
//!   test.region_if_yield %x : memref<4xf32>
//! } else {
//! ^bb0(%x: memref<4xf32>):
//!   test.region_if_yield %x : memref<4xf32>
//! } join {
//! ^bb0(%x: memref<4xf32>):
//!   test.region_if_yield %x : memref<4xf32>
//! }
//! ```
//! Either `then` or `else` runs, then `join`, whose values are the results.

use freehold_frontend::ir::constraints::ANY;
use freehold_frontend::ir::interfaces::{
    RegionBranchInterface, RegionPoint, RegionTerminatorInterface,
};
use freehold_frontend::ir::op_def::{OpDef, Traits, ValueSpec};
use freehold_frontend::ir::rules::{all_inputs, all_operands_to, expect_parent};

/// `test.region_if`
pub(super) static REGION_IF: OpDef = const {
    OpDef {
        name: "test.region_if",
        traits: Traits::RECURSIVE_EFFECTS.and(Traits::SINGLE_BLOCK),
        operands: &[ValueSpec::variadic("inputs", &ANY)],
        results: &[ValueSpec::variadic("results", &ANY)],
        regions: (3, 3),
        region_branch: Some(&RegionBranchInterface {
            successors: |_, _, from, out| match from {
                RegionPoint::Parent => out.extend([RegionPoint::Region(0), RegionPoint::Region(1)]),
                RegionPoint::Region(2) => out.push(RegionPoint::Parent),
                RegionPoint::Region(_) => out.push(RegionPoint::Region(2)),
            },
            entry_operands: |ir, op, to| match to {
                RegionPoint::Region(0 | 1) => 0..ir.operands(op).len(),
                _ => 0..0,
            },
            successor_inputs: all_inputs,
            forwarded_group: Some(0),
            is_repetitive: |_, _, _| false,
        }),
        ..OpDef::BASE
    }
}
.with_format(
    "($inputs^ `:` type($inputs))? `->` `(` type($results) `)` `then` region `else` region \
     `join` region attr-dict-with-keyword",
);

/// `test.region_if_yield`: ends a region of a `test.region_if`.
pub(super) static REGION_IF_YIELD: OpDef = const {
    OpDef {
        name: "test.region_if_yield",
        traits: Traits::TERMINATOR
            .and(Traits::RETURN_LIKE)
            .and(Traits::SPECULATABLE),
        operands: &[ValueSpec::variadic("results", &ANY)],
        verify: |ir, op| expect_parent(ir, op, &[&REGION_IF]),
        region_terminator: Some(&RegionTerminatorInterface {
            operands: all_operands_to,
        }),
        ..OpDef::PURE
    }
}
.with_format("($results^ `:` type($results))? attr-dict");
