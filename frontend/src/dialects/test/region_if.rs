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

use crate::ir::asm::{Delimiter, OpAsmParser, OpAsmPrinter};
use crate::ir::constraints::ANY;
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::Op;
use crate::ir::interfaces::{RegionBranchInterface, RegionPoint, RegionTerminatorInterface};
use crate::ir::op_def::{OpDef, Traits, ValueSpec};
use crate::ir::rules::{all_inputs, all_operands_to, expect_parent};
use crate::op_view;

/// `test.region_if`
pub static REGION_IF: OpDef = OpDef {
    name: "test.region_if",
    traits: Traits::RECURSIVE_EFFECTS.and(Traits::SINGLE_BLOCK),
    operands: &[ValueSpec::variadic("inputs", &ANY)],
    results: &[ValueSpec::variadic("results", &ANY)],
    regions: (3, 3),
    parse: Some(parse),
    print: Some(print),
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
};

op_view! {
    /// `test.region_if`
    RegionIf, REGION_IF { inputs: many = 0 }
}

/// `test.region_if_yield`: ends a region of a `test.region_if`.
pub static REGION_IF_YIELD: OpDef = const {
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

fn parse(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let loc = parser.loc();
    let inputs = parser.parse_operand_list(Delimiter::None)?;
    let types = if parser.parse_opt_token(":") {
        parser.parse_type_list()?
    } else {
        Vec::new()
    };
    parser.resolve_each(&inputs, &types, loc, spec)?;
    spec.results.extend(parser.parse_arrow_type_list()?);
    for keyword in ["then", "else", "join"] {
        parser.parse_keyword(keyword)?;
        parser.parse_region(&[], spec)?;
    }
    parser.parse_opt_attr_dict_with_keyword(spec)
}

fn print(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let inputs = RegionIf(op).inputs(ir);
    printer.text(" ");
    if !inputs.is_empty() {
        printer.values(inputs);
        printer.text(" : ");
        printer.types_of(ir, inputs);
        printer.text(" ");
    }
    printer.text("-> (");
    printer.types_of(ir, ir.results(op));
    printer.text(")");
    for (keyword, &region) in ["then", "else", "join"].into_iter().zip(ir.regions(op)) {
        printer.text(&format!(" {keyword} "));
        printer.region(ir, region, true, true);
    }
    printer.opt_attr_dict_with_keyword(ir, op, &[]);
}
