//! `scf.index_switch`: runs the region of the case that equals an index.

use rustc_hash::FxHashSet;

use crate::ir::asm::{OpAsmParser, OpAsmPrinter};
use crate::ir::builder::Builder;
use crate::ir::constraints::{ANY, I64_DENSE_ARRAY_ATTR, INDEX};
use crate::ir::data::Ir;
use crate::ir::diag::Failed;
use crate::ir::edit::OpSpec;
use crate::ir::entities::{Block, Op, Value};
use crate::ir::interfaces::{RegionBranchInterface, RegionPoint};
use crate::ir::names::Name;
use crate::ir::op_def::{AttrSpec, OpDef, OpError, Traits, ValueSpec};
use crate::ir::rules::{all_inputs, expect_single_block, no_entry_operands};
use crate::ir::types::Type;
use crate::op_view;
use crate::syntax::printer::type_to_string;

use super::{YIELD, patterns};

/// `scf.index_switch`. The first region is the default, then come the cases.
pub static INDEX_SWITCH: OpDef = OpDef {
    name: "scf.index_switch",
    traits: Traits::RECURSIVE_EFFECTS.and(Traits::SINGLE_BLOCK),
    operands: &[ValueSpec::one("arg", &INDEX)],
    results: &[ValueSpec::variadic("results", &ANY)],
    attributes: &[AttrSpec::required(Name::CASES, &I64_DENSE_ARRAY_ATTR)],
    regions: (1, usize::MAX),
    parse: Some(parse),
    print: Some(print),
    verify,
    region_branch: Some(&RegionBranchInterface {
        successors: |ir, op, from, out| match from {
            RegionPoint::Parent => {
                out.extend((0..ir.regions(op).len()).map(RegionPoint::Region));
            }
            RegionPoint::Region(_) => out.push(RegionPoint::Parent),
        },
        entry_operands: no_entry_operands,
        successor_inputs: all_inputs,
        forwarded_group: None,
        is_repetitive: |_, _, _| false,
    }),
    canonicalize: patterns::index_switch::PATTERNS,
    implicit_terminator: Some(&YIELD),
    ..OpDef::BASE
};

op_view! {
    /// `scf.index_switch`
    IndexSwitch, INDEX_SWITCH { arg: one = 0 }
}

impl IndexSwitch {
    /// The case values; case `i` is region `i + 1`.
    pub fn cases(self, ir: &Ir) -> Vec<i64> {
        ir.attr(self.0, Name::CASES)
            .and_then(|attr| ir.context().attr_i64_array(attr))
            .unwrap_or_default()
    }

    /// The block of region `index`; 0 is the default.
    pub fn block(self, ir: &Ir, index: usize) -> Block {
        ir.entry_block(ir.region(self.0, index))
            .expect("a verified scf.index_switch has one block per region")
    }
}

/// Inserts a `scf.index_switch` with empty, not yet terminated blocks.
pub fn build_index_switch(
    builder: &mut Builder<'_>,
    arg: Value,
    cases: &[i64],
    results: &[Type],
) -> Op {
    let attr = builder.ir.context().i64_array_attr(cases);
    let spec = builder
        .spec(&INDEX_SWITCH)
        .operands(&[arg])
        .results(results)
        .attr(Name::CASES, attr)
        .regions(1 + cases.len());
    let op = builder.create(spec);
    for index in 0..=cases.len() {
        let region = builder.ir.region(op, index);
        builder.ir.append_block(region, &[]);
    }
    op
}

fn parse(parser: &mut dyn OpAsmParser<'_>, spec: &mut OpSpec) -> Result<(), Failed> {
    let arg = parser.parse_operand()?;
    parser.resolve(&arg, Type::INDEX, spec)?;
    parser.parse_opt_attr_dict(spec)?;
    if parser.parse_opt_token("->") {
        spec.results.extend(parser.parse_type_list()?);
    }
    let mut cases = Vec::new();
    while parser.parse_opt_keyword("case") {
        cases.push(parser.parse_integer()?);
        parser.parse_region(&[], spec)?;
    }
    spec.set_attr(Name::CASES, parser.context().i64_array_attr(&cases));
    parser.parse_keyword("default")?;
    parser.parse_region(&[], spec)?;
    // The default is written last but stored first.
    parser.move_last_region_to_front(spec);
    Ok(())
}

fn print(printer: &mut dyn OpAsmPrinter, ir: &Ir, op: Op) {
    let view = IndexSwitch(op);
    let results = ir.results(op);
    printer.text(" ");
    printer.value(view.arg(ir));
    printer.opt_attr_dict(ir, op, &[Name::CASES]);
    if !results.is_empty() {
        printer.text(" -> ");
        printer.types_of(ir, results);
    }
    printer.text(" ");
    for (case, &region) in view.cases(ir).iter().zip(&ir.regions(op)[1..]) {
        printer.newline();
        printer.text(&format!("case {case} "));
        printer.region(ir, region, false, true);
    }
    printer.newline();
    printer.text("default ");
    printer.region(ir, ir.region(op, 0), false, false);
}

fn verify(ir: &Ir, op: Op) -> Result<(), OpError> {
    for index in 0..ir.regions(op).len() {
        let name = match index {
            0 => "defaultRegion",
            _ => "caseRegions",
        };
        expect_single_block(ir, op, index, name)?;
    }
    let cases = IndexSwitch(op).cases(ir);
    let n_case_regions = ir.regions(op).len() - 1;
    if cases.len() != n_case_regions {
        return Err(format!(
            "has {n_case_regions} case regions but {} case values",
            cases.len()
        )
        .into());
    }
    let mut seen = FxHashSet::default();
    if let Some(value) = cases.iter().find(|&&value| !seen.insert(value)) {
        return Err(format!("has duplicate case value: {value}").into());
    }
    for index in 0..ir.regions(op).len() {
        verify_region(ir, op, index)?;
    }
    Ok(())
}

fn verify_region(ir: &Ir, op: Op, index: usize) -> Result<(), OpError> {
    let name = match index.checked_sub(1) {
        None => "default region".to_owned(),
        Some(case) => format!("case region #{case}"),
    };
    let Some(last) = ir
        .entry_block(ir.region(op, index))
        .and_then(|block| ir.last_op(block))
    else {
        return Err(format!("expected region to end with {}", YIELD.name).into());
    };
    if !ir.is(last, &YIELD) {
        return Err(format!(
            "expected region to end with {}, but got {}",
            YIELD.name,
            ir.op_name(last)
        )
        .into());
    }
    let (results, operands) = (ir.results(op), ir.operands(last));
    if results.len() != operands.len() {
        return Err(OpError::from(format!(
            "expected each region to return {} values, but {name} returns {}",
            results.len(),
            operands.len()
        ))
        .note(ir.loc(last), "see yield operation here"));
    }
    for (i, (&result, &operand)) in results.iter().zip(operands).enumerate() {
        let (expected, ty) = (ir.value_type(result), ir.value_type(operand));
        if expected != ty {
            let text = |ty| type_to_string(ir.context(), ty);
            return Err(OpError::from(format!(
                "expected result #{i} of each region to be '{}'",
                text(expected)
            ))
            .note(ir.loc(last), format!("{name} returns '{}' here", text(ty))));
        }
    }
    Ok(())
}
